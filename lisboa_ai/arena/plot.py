"""The course of a match as a picture: win share with its interval, and the sequential test with its bounds.

Needs matplotlib, which only the extra ``plot`` brings: ``pip install lisboa-ai[plot]``.
"""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Final

from .stats import expected_share
from .tally import MEASURED, Tally

__all__ = ["FORMATS", "check_plot", "plot_match"]

FORMATS: Final = (".svg", ".png", ".pdf")
POINTS: Final = 400
"""Blocks at which the interval is drawn, at most."""


def check_plot(path: Path) -> None:
    """Raises ``ValueError`` if no picture could be written there, before a match is played for it."""
    if path.suffix not in FORMATS:
        raise ValueError(f"plot: {path}; allowed: a file that ends in {', '.join(FORMATS)}")
    if not path.absolute().parent.is_dir():
        raise ValueError(f"plot: {path}; allowed: a file in a folder that is there")
    if importlib.util.find_spec("matplotlib") is None:
        raise ValueError("plot: matplotlib is not installed; allowed: after pip install 'lisboa-ai[plot]'")


def plot_match(tally: Tally, path: Path, confidence: float) -> None:
    """Draw what has been counted. Raises ``ValueError`` as ``check_plot`` does."""
    check_plot(path)
    from matplotlib.figure import Figure

    match, sprt = tally.match, tally.sprt
    size = len(match.orders)
    count = len(tally.counted)
    blocks = sorted({*range(1, count + 1, max(1, count // POINTS)), *([count] if count else [])})
    shares = [tally.share(MEASURED, block) for block in blocks]
    games = [block * size for block in blocks]
    figure = Figure(figsize=(8, 4 if sprt is None else 7), layout="constrained")
    panels = figure.subplots(1 if sprt is None else 2, 1, squeeze=False, sharex=True)[:, 0]
    top = panels[0]
    bounds = [share.interval(confidence) for share in shares]
    top.fill_between(games, [low for low, _ in bounds], [high for _, high in bounds], alpha=0.25, linewidth=0)
    top.plot(games, [share.mean for share in shares], label=f"A: {match.player(MEASURED).text}")
    par = expected_share(match.own(MEASURED), match.seats)
    top.axhline(par, color="black", linewidth=0.8, linestyle="--", label=f"among equals ({par:.0%})")
    top.set_ylim(-0.02, 1.02)
    top.set_ylabel(f"win share, {100 * confidence:.4g} % interval")
    top.set_title(" against ".join(match.player(label).text for label in match.labels), fontsize="medium", wrap=True)
    top.legend(fontsize="small")
    if sprt is not None:
        bottom = panels[1]
        low, high = sprt.bounds
        bottom.plot([block * size for block in range(1, count + 1)], tally.llrs)
        for bound, said in ((low, f"Elo {sprt.elo0:g} accepted"), (high, f"Elo {sprt.elo1:g} accepted")):
            bottom.axhline(bound, color="black", linewidth=0.8, linestyle="--")
            bottom.annotate(said, (0.01, bound), xycoords=("axes fraction", "data"), fontsize="small", va="bottom")
        bottom.set_ylabel("log likelihood ratio")
    panels[-1].set_xlabel(f"games, blocks of {size}")
    figure.savefig(path, metadata={"Date": None} if path.suffix == ".svg" else None)
