"""The command ``python -m lisboa_ai.train``."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator
from dataclasses import fields
from itertools import pairwise
from pathlib import Path
from typing import Any, Final
from zipfile import BadZipFile

import click
import numpy as np
from rich.console import Console
from rich.table import Table

from .. import edition, values
from ..arena import parse_player
from ..cli.files import edition_option, one_clear_error
from ..cluster import in_order, open_executor
from ..cores import usable_cores
from .fit import PHASES, Fit, Sums, judged, table_of
from .generate import HELD_OUT, PLAYOUT, Batch, summed

BATCH: Final = 50
"""Games that one process plays before it reports."""
MOST_BYTES: Final = 1 << 20
KINDS: Final = ("fitted", "held_out")
"""Of the sums that are kept for each number of seats."""
path_type = click.Path(dir_okay=False, path_type=Path)


@click.command()
@click.option(
    "--games", type=click.IntRange(HELD_OUT + 1), default=2000, show_default=True, help="For each number of seats."
)
@click.option("--seats", default="2,3,4", show_default=True, help="Numbers of seats, by comma.")
@click.option(
    "--by", default=PLAYOUT, show_default=True, help="Who plays: the playouts' policy, or a player of the arena."
)
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of the games.")
@click.option("--time", "seconds", type=float, help="Begin no further games after so many seconds.")
@click.option("--ridge", type=float, default=30.0, show_default=True, help="Draws the weights to 0.")
@click.option("--jobs", type=click.IntRange(1), help="Games at the same time.  [default: the usable cores]")
@click.option("--sums", "sums_path", type=path_type, help="Keep what was summed up there, and go on from it.")
@click.option("-o", "--output", type=path_type, required=True, help="Where the weights are written.")
@edition_option
@one_clear_error
def train(
    games: int,
    seats: str,
    by: str,
    seed: int,
    seconds: float | None,
    ridge: float,
    jobs: int | None,
    sums_path: Path | None,
    output: Path,
    edition_name: str,
) -> None:
    """Play games, fit the value function's weights to them, and say how good the fit is on games held out.

    The same options give the same weights, whatever the number of jobs, unless a time ends the games.

    Example: python -m lisboa_ai.train --games 24000 --seed 1 -o value.json
    """
    engine = edition.load(edition_name).engine
    if by != PLAYOUT:
        by = parse_player(by, "by").text
    if not ridge >= 0.0:
        raise ValueError(f"ridge: {ridge}; allowed: 0 or more")
    wanted = seats_of(seats)
    for path in filter(None, (output, sums_path)):
        if not path.absolute().parent.is_dir():
            raise ValueError(f"output: {path}; allowed: a file in a folder that is there")
    kept = Kept(sums_path, {"edition": engine.digest, "by": by, "seed": seed, "batch": BATCH})
    until = None if seconds is None else time.monotonic() + seconds
    fits: dict[int, Fit] = {}
    console = Console(highlight=False)
    for number in wanted:
        fitted, held_out, played = learned(kept, number, games, edition_name, jobs or usable_cores(), until)
        fits[number] = Fit.of(fitted, held_out, ridge)
        now = judged(held_out, np.array(bundled(number)))
        console.print(shown(number, played, fits[number], now))
    said = {**kept.settings, "ridge": ridge, "games": {str(n): kept.played(n) for n in wanted}}
    text = text_of(table_of(engine.digest, fits, {name: said[name] for name in said if name != "edition"}))
    output.write_text(text, encoding="utf-8")
    console.print(f"{output}: {len(text.encode()):,} bytes", markup=False)


def seats_of(text: str) -> list[int]:
    """``2,4`` as numbers. Raises ``ValueError``."""
    numbers = [int(part) if part.strip().isdecimal() else 0 for part in text.split(",")]
    if len(set(numbers)) != len(numbers) or not set(numbers) <= {2, 3, 4}:
        raise ValueError(f"seats: {text!r}; allowed: some of 2,3,4, each once")
    return numbers


# --- the games ------------------------------------------------------------------------------------------------------


class Kept:
    """Sums so far by number of seats, in a file if there is one, with what they belong to."""

    def __init__(self, path: Path | None, settings: dict[str, Any]) -> None:
        self.path = path
        self.settings = settings
        self.sums: dict[int, tuple[Sums, Sums, int]] = {}
        if path is not None and path.exists():
            self._read(path)

    def _read(self, path: Path) -> None:
        try:
            with np.load(path) as file:
                known = json.loads(str(file["settings"]))
                parts = {name: file[name] for name in file.files}
            settings = known["settings"]
            sums: dict[int, tuple[Sums, Sums, int]] = {}
            for seats, count in known["played"].items():
                fitted, held_out = (
                    Sums(*(parts[f"{seats}/{kind}/{one.name}"] for one in fields(Sums))) for kind in KINDS
                )
                sums[int(seats)] = fitted, held_out, int(count)
        except (OSError, EOFError, BadZipFile, ValueError, KeyError, TypeError, AttributeError):
            raise ValueError(f"sums: {path} is no file of sums; allowed: one that this command wrote") from None
        if settings != self.settings:
            raise ValueError(f"sums: {path} is of {settings}; allowed: {self.settings}, or another file")
        self.sums = sums

    def played(self, seats: int) -> int:
        return self.sums[seats][2] if seats in self.sums else 0

    def of(self, seats: int) -> tuple[Sums, Sums, int]:
        return self.sums.get(seats, (Sums.zero(), Sums.zero(), 0))

    def put(self, seats: int, fitted: Sums, held_out: Sums, played: int) -> None:
        self.sums[seats] = fitted, held_out, played
        if self.path is None:
            return
        parts: dict[str, Any] = {
            f"{number}/{kind}/{one.name}": getattr(sums, one.name)
            for number, (*both, _) in self.sums.items()
            for kind, sums in zip(KINDS, both, strict=True)
            for one in fields(Sums)
        }
        known = {"settings": self.settings, "played": {number: count for number, (*_, count) in self.sums.items()}}
        beside = self.path.with_name(self.path.name + ".new")
        with beside.open("wb") as file:
            np.savez(file, settings=np.array(json.dumps(known)), **parts)
        beside.replace(self.path)


def learned(
    kept: Kept, seats: int, games: int, edition_name: str, jobs: int, until: float | None
) -> tuple[Sums, Sums, int]:
    """Sums of all games of one number of seats: those that are kept, and those that are still to be played."""
    fitted, held_out, played = kept.of(seats)
    batches = [
        Batch(edition_name, seats, kept.settings["by"], kept.settings["seed"], first, min(BATCH, games - first))
        for first in range(played, games, BATCH)
    ]
    with click.progressbar(length=games, label=f"{seats} players", file=sys.stderr) as bar:
        bar.update(min(played, games))
        for batch, (more, more_held_out) in zip(batches, played_in_order(batches, jobs), strict=False):
            fitted += more
            held_out += more_held_out
            played += batch.games
            kept.put(seats, fitted, held_out, played)
            bar.update(batch.games)
            if until is not None and time.monotonic() >= until:
                break
    return fitted, held_out, played


def played_in_order(batches: list[Batch], jobs: int) -> Iterator[tuple[Sums, Sums]]:
    with open_executor("local" if jobs == 1 or len(batches) < 2 else f"processes:{jobs}") as executor:
        yield from in_order(summed, batches, executor)


# --- what is said and written ---------------------------------------------------------------------------------------


def bundled(seats: int) -> list[list[float]]:
    """The weights in use now, [feature][category]."""
    numbers = values.weights(seats)
    wide = (len(numbers) - 2) // len(values.table()["features"])
    return [list(numbers[start : start + wide]) for start in range(0, len(numbers) - 2, wide)]


def shown(seats: int, played: int, fit: Fit, now: tuple[Any, Any, Any]) -> Table:
    """How good a fit is on the games held out, by phase, beside the weights in use."""
    table = Table(box=None, padding=(0, 1), title=f"{seats} players, {played:,} games", title_justify="left")
    for title in ("turns left of a seat", "positions", "explained", "error, wigs", "explained now", "error now, wigs"):
        table.add_column(title, justify="right")
    edges = [f"{edge:g}" for edge in PHASES]
    phases = [f"under {edges[0]}", *(f"{low} to {high}" for low, high in pairwise(edges))]
    for row in zip(
        (*phases, f"{edges[-1]} or more", "all"), fit.positions, fit.explained, fit.error, *now[1:], strict=True
    ):
        phase, count, explained, error, explained_now, error_now = row
        if count:
            table.add_row(phase, f"{count:,}", *map(_number, (explained, error, explained_now, error_now)))
    return table


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.3f}"


def text_of(table: dict[str, Any]) -> str:
    """A file of weights as text, a category's weights on a line. Raises ``ValueError`` if it is too long."""
    text = json.dumps(table).replace("], [", "],\n[") + "\n"
    if len(text.encode()) > MOST_BYTES:
        raise ValueError(f"output: {len(text.encode())} bytes; allowed: {MOST_BYTES}")
    return text


if __name__ == "__main__":
    train(prog_name="python -m lisboa_ai.train")
