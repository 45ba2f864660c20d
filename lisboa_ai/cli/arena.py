"""``arena``: players and search configurations against each other, with intervals, a sequential test and ratings."""

from __future__ import annotations

import math
import time
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.table import Table

from .. import values
from ..arena import (
    LABELS,
    GameLog,
    Match,
    Sprt,
    Summary,
    Tally,
    check_plot,
    parse_player,
    play_match,
    plot_match,
)
from ..cores import usable_cores
from .files import edition_option, json_option, load_edition, one_clear_error, print_json, print_note

if TYPE_CHECKING:
    from ..arena.ratings import Rating

DEFAULT_GAMES = 100
DEFAULT_MAX_GAMES = 20_000
SHOWN_AFTER = 1.0
"""Seconds after which a match shows its progress."""


@click.command()
@click.argument("players", metavar="PLAYERS...", nargs=-1, required=True)
@click.option("--lineup", help="Who sits at the table, such as A,B,B,B; A is the first player.  [default: each once]")
@click.option("--games", type=click.IntRange(1), help=f"Rounded up to whole blocks.  [default: {DEFAULT_GAMES}]")
@click.option("--sprt", metavar="ELO0,ELO1", help="Play until it is clear which of the two A's Elo is nearer to.")
@click.option("--alpha", type=float, default=0.05, show_default=True, help="Chance that --sprt wrongly accepts ELO1.")
@click.option("--beta", type=float, default=0.05, show_default=True, help="Chance that --sprt wrongly accepts ELO0.")
@click.option("--max-games", type=click.IntRange(1), help=f"Most games of --sprt.  [default: {DEFAULT_MAX_GAMES}]")
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of deals and players.")
@click.option("--queen", is_flag=True, help="Play the Queen variant.")
@click.option("--draft", is_flag=True, help="Draft the starting hands.")
@click.option("--jobs", type=click.IntRange(1), help="Games at the same time.  [default: the usable cores]")
@click.option("--log", "log_path", type=click.Path(dir_okay=False, path_type=Path), help="JSON lines; goes on there.")
@click.option("--plot", type=click.Path(dir_okay=False, path_type=Path), help="Draw the match: .svg, .png or .pdf.")
@click.option("--confidence", type=float, default=0.95, show_default=True, help="Of the intervals.")
@click.option("--elo", "as_ratings", is_flag=True, help="Play nothing: rate the players of some logs together.")
@click.option("--anchor", metavar="PLAYER", help="Whose rating in --elo is 0.  [default: the mean is]")
@json_option
@edition_option
@one_clear_error
def arena(
    players: tuple[str, ...],
    lineup: str | None,
    games: int | None,
    sprt: str | None,
    alpha: float,
    beta: float,
    max_games: int | None,
    seed: int,
    queen: bool,
    draft: bool,
    jobs: int | None,
    log_path: Path | None,
    plot: Path | None,
    confidence: float,
    as_ratings: bool,
    anchor: str | None,
    as_json: bool,
    edition_name: str,
) -> None:
    """Play a match between 2 to 4 PLAYERS and say who is stronger, and how sure that is.

    A player is random, greedy, search, or search with options: limits (iterations=200, ms=100 or time=0.1 a decision,
    turn=1s a turn) and any other option of a search (playout=uniform, exploration=0.5). level:3 plays at that level,
    with options too (level:3,ms=50). module:callable is a bot of your own: something that takes a seed and returns a
    bot.

    Every deal is played in all orders of the lineup; these games are one block, and intervals are over blocks.

    With --elo, PLAYERS are logs: their players are rated together.

    Example: lisboa-ai arena search:iterations=200 greedy --lineup A,B,B --games 300 --log match.jsonl
    """
    if not 0.0 < confidence < 1.0:
        raise ValueError(f"confidence: {confidence}; allowed: above 0, below 1")
    if as_ratings:
        from ..arena.ratings import rate_logs

        zero = None if anchor is None else parse_player(anchor, "anchor").text
        show_ratings(rate_logs([Path(path) for path in players], zero, confidence), confidence, as_json=as_json)
        return
    if anchor is not None:
        raise ValueError("anchor: nothing is rated; allowed: with --elo")
    match = Match(
        players=tuple(parse_player(text, f"players[{i}]") for i, text in enumerate(players)),
        lineup=LABELS[: len(players)] if lineup is None else lineup.replace(",", "").replace(" ", ""),
        seed=seed,
        edition=edition_name,
        queen=queen,
        draft=draft,
    )
    for weights in sorted({one.settings["weights"] for one in match.players if one.settings.get("cut", -1) >= 0}):
        print_note(values.doubt(load_edition(edition_name).engine, weights))
    if plot is not None:
        check_plot(plot)
    test = None if sprt is None else sprt_of(sprt, alpha, beta)
    if test is not None and games is not None:
        raise ValueError("games: a sequential test ends by itself; allowed: --max-games with --sprt")
    if test is None and max_games is not None:
        raise ValueError("max_games: there is no sequential test; allowed: --games, or --max-games with --sprt")
    most = games or max_games or (DEFAULT_GAMES if test is None else DEFAULT_MAX_GAMES)
    tally = Tally(match, test, max_blocks=math.ceil(most / len(match.orders)))
    log = None if log_path is None else GameLog(log_path, match)
    stopped = False
    try:
        with Playing(tally) as playing:
            play_match(tally, jobs=jobs or usable_cores(), log=log, on_game=playing.note)
    except KeyboardInterrupt:
        stopped = True
    finally:
        if log is not None:
            log.close()
    found = tally.summary()
    if as_json:
        print_json(found.to_data(match, test, confidence))
    else:
        show(found, match, test, confidence)
    if plot is not None:
        plot_match(tally, plot, confidence)
    if stopped:
        raise click.Abort


def sprt_of(text: str, alpha: float, beta: float) -> Sprt:
    """``0,50`` as a test. Raises ``ValueError``."""
    try:
        elo0, elo1 = (float(part) for part in text.split(","))
    except ValueError:
        raise ValueError(f"sprt: {text!r}; allowed: ELO0,ELO1, two numbers such as 0,50") from None
    return Sprt(elo0, elo1, alpha, beta)


def show(found: Summary, match: Match, sprt: Sprt | None, confidence: float) -> None:
    """The result for people."""
    console = Console(highlight=False)
    for one in found.standings:
        console.print(f"{one.label}  {one.text}", markup=False, soft_wrap=True)
    if not found.blocks:
        console.print("no whole block was played")
        return
    table = Table(box=None, padding=(0, 1))
    percent = f"{100 * confidence:.4g} %"
    for title in ("", "wins", percent, "par", "Elo", percent, "wigs", "margin", "ms/move"):
        table.add_column(title, justify="right", no_wrap=True)
    for one in found.standings:
        low, high = one.share.interval(confidence)
        table.add_row(
            one.label,
            f"{one.share.mean:.1%}",
            f"{100 * low:.1f}–{high:.1%}",
            f"{one.expected:.0%}",
            f"{one.elo:+.0f}",
            "{:+.0f} to {:+.0f}".format(*one.elo_interval(confidence)),
            f"{one.wigs:.1f}",
            f"{one.margin:+.1f}",
            f"{1000 * one.seconds:.1f}",
        )
    console.print(table)
    orders = len(match.orders)
    console.print(
        f"{found.games:,} games, {found.blocks:,} block{'s' * (found.blocks != 1)} of {orders}, seed {match.seed}"
    )
    if sprt is not None:
        console.print(verdict_text(found, sprt))


def verdict_text(found: Summary, sprt: Sprt) -> str:
    """What the sequential test says, in one line."""
    low, high = sprt.bounds
    said = {"H0": f"Elo {sprt.elo0:g} accepted", "H1": f"Elo {sprt.elo1:g} accepted", None: "undecided"}[found.verdict]
    return f"SPRT of {sprt.elo0:g} against {sprt.elo1:g}: {said}, LLR {found.llr or 0.0:.2f} in {low:.2f} to {high:.2f}"


def show_ratings(ratings: list[Rating], confidence: float, *, as_json: bool) -> None:
    """Players, best first."""
    if as_json:
        print_json({"confidence": confidence, "ratings": [asdict(one) for one in ratings]})
        return
    table = Table(box=None, padding=(0, 1))
    for title in ("Elo", f"{100 * confidence:.4g} %", "games", "won"):
        table.add_column(title, justify="right", no_wrap=True)
    table.add_column("player", overflow="fold")
    for one in ratings:
        low, high = one.interval
        table.add_row(
            f"{one.elo:+.0f}", f"{low:+.0f} to {high:+.0f}", f"{one.games}", f"{one.wins:g}", escape(one.player)
        )
    Console(highlight=False).print(table)


class Playing:
    """Progress of a match on stderr, shown once it has taken a second."""

    def __init__(self, tally: Tally) -> None:
        self.progress = Progress(
            TextColumn("playing"),
            BarColumn(),
            TextColumn("{task.completed:,.0f} of {task.total:,.0f} games{task.fields[note]}"),
            TimeElapsedColumn(),
            TimeRemainingColumn(),
            console=Console(stderr=True),
            transient=True,
        )
        most = None if tally.max_blocks is None else tally.max_blocks * len(tally.match.orders)
        self.task = self.progress.add_task("match", total=most, note="")
        self.began = time.monotonic()
        self.shown = False

    def __enter__(self) -> Playing:
        return self

    def __exit__(self, *_: object) -> None:
        if self.shown:
            self.progress.stop()

    def note(self, tally: Tally) -> None:
        """A game was finished."""
        said = f", A {tally.share('A').mean:.1%}" + (f", LLR {tally.llrs[-1]:.2f}" if tally.llrs else "")
        self.progress.update(self.task, completed=tally.played, note=said)
        if not self.shown and time.monotonic() - self.began >= SHOWN_AFTER:
            self.shown = True
            self.progress.start()
