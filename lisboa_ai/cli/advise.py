"""``advise``: the best action or turn for the seat to act, searched here or by a server."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import click
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from .. import analysis, beliefs, notation, report
from ..analysis import ALGORITHMS, SEARCHLESS, Analysis, SearchLimits, SearchOptions
from ..edition import EditionTables
from ..position import Position
from ..record import GameRecord
from .files import (
    State,
    edition_option,
    json_option,
    load_edition,
    load_state,
    one_clear_error,
    position_of,
    print_json,
    print_note,
    seat_option,
)

MIB = 1 << 20
SHOWN_AFTER = 1.0
"""Seconds after which a search shows its progress."""


@click.command()
@click.argument("file")
@seat_option
@click.option("--server", metavar="HOST:PORT", help="Ask a running service instead of searching here.")
@click.option("--time", "seconds", type=float, help="Seconds.  [default: 1, if no iterations are given]")
@click.option("--iterations", type=int, help="Iterations of the search.")
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of the search.")
@click.option("--threads", type=int, default=1, show_default=True, help="Trees searched at the same time.")
@click.option("--memory", type=int, help="Most MiB for the trees.")
@click.option("--candidates", type=int, default=5, show_default=True, help="How many to report.")
@click.option("--turns", is_flag=True, help="Candidates are whole turns instead of first decisions.")
@click.option("--only", multiple=True, help="Consider only this action (text); may be repeated.")
@click.option("--exclude", multiple=True, help="Leave this action out (text); may be repeated.")
@click.option("--assume", multiple=True, metavar="SEAT=CARD[,CARD]", help="Take a rival to hold cards.")
@click.option("--objective", type=float, help="0 win share to 1 margin in wigs.  [default: 0.8]")
@click.option("--level", type=int, help="Say what a player of this level plays, 1 to 10.")
@click.option("--algorithm", type=click.Choice(ALGORITHMS), help="How to choose.  [default: single]")
@click.option("--decided", type=float, help="Stop as soon as the best is that with this confidence, such as 0.95.")
@click.option("--beliefs", "believing", is_flag=True, help="Weigh rivals' hands by what they played (from a record).")
@json_option
@edition_option
@one_clear_error
def advise(
    file: str,
    seat: int | None,
    server: str | None,
    seconds: float | None,
    iterations: int | None,
    seed: int,
    threads: int,
    memory: int | None,
    candidates: int,
    turns: bool,
    only: tuple[str, ...],
    exclude: tuple[str, ...],
    assume: tuple[str, ...],
    objective: float | None,
    level: int | None,
    algorithm: str | None,
    decided: float | None,
    believing: bool,
    as_json: bool,
    edition_name: str,
) -> None:
    """Say what is best for the seat to act, how sure that is, and why.

    Example: lisboa-ai advise game.json --time 2 --turns
    """
    tables = load_edition(edition_name)
    state = load_state(file, tables)
    position = position_of(state, seat)
    tables, o = position.tables, position.observation
    if o.over:
        raise ValueError("position: the game is over; allowed: a position with a pending decision")
    if o.seat != o.observer:
        raise ValueError(f"seat: {o.observer} is not to act; allowed: {o.seat}")
    extra: dict[str, Any] = {"objective": objective, "level": level, "algorithm": algorithm}
    options = SearchOptions(
        candidates=candidates,
        granularity="turn" if turns else "decision",
        only=tuple(notation.parse_action(tables, o, text) for text in only),
        exclude=tuple(notation.parse_action(tables, o, text) for text in exclude),
        assumptions=tuple(assumptions(tables, position, assume)),
        beliefs=believing,
        **{name: value for name, value in extra.items() if value is not None},
    )
    limits = SearchLimits(
        time=seconds,
        iterations=iterations,
        memory=None if memory is None else memory * MIB,
        threads=threads,
        seed=seed,
        decided=decided or 0.0,
    )
    found = ask(position, limits, options, server, what_was_played(state, position, server) if believing else ())
    for note in found.notes:
        print_note(note)
    if as_json:
        print_json(as_data(tables, found))
        return
    console = Console()
    console.print(report.candidate_table(tables, found))
    console.print(f"{found.iterations:,} iterations, {found.elapsed:.2f} s, stopped by: {found.stop_reason}")
    if believing:
        console.print(f"hands: {weighed(found)}", highlight=False)
    console.print()
    console.print(f"[bold]{title(options)}[/bold]")
    for n, line in enumerate(report.turn_in_words(tables, found.choice), start=1):
        console.print(f"  {n}. {line}", markup=False, highlight=False)
    console.print("\n[bold]Why[/bold]" if found.choice is found.best else "\n[bold]Why the first one is better[/bold]")
    for line in report.reasons(tables, found):
        console.print(f"  {line}", markup=False, highlight=False)


def what_was_played(state: State, position: Position, server: str | None) -> beliefs.History:
    """The choices of rivals that beliefs are drawn from. Raises ``ValueError`` where there is no record of them."""
    if server is not None:
        raise ValueError("beliefs: a server is not told what was played; allowed: without --server")
    if not isinstance(state, GameRecord):
        raise ValueError("beliefs: a position does not say what was played; allowed: a record")
    return beliefs.history(state, position.observation.observer if state.is_truth else None)


def weighed(found: Analysis) -> str:
    """What beliefs have made of the rivals' hidden cards."""
    if not found.effective_samples:
        return "nothing that was played says anything about them"
    return f"weighed by what was played, as good as {found.effective_samples:.0f} deals"


def title(options: SearchOptions) -> str:
    """What the turn is that is told."""
    if options.level is not None:
        return f"Level {options.level} plays"
    return "Chosen without a search" if options.algorithm in SEARCHLESS else "The best turn"


def assumptions(
    tables: EditionTables, position: Position, texts: tuple[str, ...]
) -> Iterator[tuple[int, tuple[int, ...]]]:
    """Each ``2=red-king-3,blue-maia-1`` as (seat, card ids), on top of those before it. Raises ``ValueError``."""
    supposed = position.observation
    for i, text in enumerate(texts):
        seat, _, cards = text.partition("=")
        if not cards.strip(" ,") or not seat.strip().isdecimal() or not int(seat) < supposed.seats:
            raise ValueError(
                f"assumptions[{i}]: {text!r}; allowed: SEAT=CARD with a seat from 0 to {supposed.seats - 1}"
            )
        try:
            numbers = tuple(tables.number("card", card.strip()) for card in cards.split(",") if card.strip())
            supposed = supposed.assume(int(seat), numbers)
        except ValueError:
            hidden = [tables.id("card", n) for deck in (0, 2) for n in supposed.pool(deck)]
            raise ValueError(
                f"assumptions[{i}]: seat {int(seat)} cannot hold {cards}; allowed: hidden cards of a rival, from "
                + ", ".join(hidden)
            ) from None
        yield int(seat), numbers


def ask(
    position: Position,
    limits: SearchLimits,
    options: SearchOptions,
    server: str | None,
    history: beliefs.History = (),
) -> Analysis:
    """Search here or on a server, with progress on stderr when it takes over a second."""
    effective = limits.effective()
    with Searching(effective) as searching:
        if server is None:
            return analysis.analyse(position.observation, limits, options, history=history, on_progress=searching.note)
        from ..client import Client, ServiceError

        try:
            with Client(server) as client:
                found: Analysis | None = None
                for found in client.stream_advice(position, limits=limits, options=options):
                    searching.note(found)
        except ServiceError as error:
            raise ValueError(f"server: {server}: {error}" if not error.violations else str(error)) from None
    if found is None:
        raise ValueError(f"server: {server} gave no answer; allowed: a running lisboa-ai service")
    return found


class Searching:
    """Progress of a search on stderr, shown once it has taken a second."""

    def __init__(self, limits: SearchLimits) -> None:
        self.limits = limits
        self.progress = Progress(
            TextColumn("searching"),
            BarColumn(),
            TextColumn("{task.fields[done]:,} iterations"),
            TimeElapsedColumn(),
            console=Console(stderr=True),
            transient=True,
        )
        self.task = self.progress.add_task("search", total=limits.time or limits.iterations, done=0)
        self.shown = False

    def __enter__(self) -> Searching:
        return self

    def __exit__(self, *_: object) -> None:
        if self.shown:
            self.progress.stop()

    def note(self, found: Analysis) -> None:
        """What has been found so far."""
        self.progress.update(
            self.task, completed=found.elapsed if self.limits.time else found.iterations, done=found.iterations
        )
        if found.elapsed >= SHOWN_AFTER and not self.shown and found.stop_reason == "running":
            self.shown = True
            self.progress.start()


def as_data(tables: EditionTables, found: Analysis) -> dict[str, Any]:
    """An analysis as plain data for JSON."""
    from engine_ext.core import CATEGORIES

    def texts(steps: Any) -> list[str]:
        return [notation.action_text(tables, step.kind, step.context, step.action) for step in steps]

    return {
        "seat": found.seat,
        "iterations": found.iterations,
        "elapsed_seconds": round(found.elapsed, 3),
        "stop_reason": found.stop_reason,
        "seed": found.seed,
        "nodes": found.nodes,
        "chosen": found.chosen,
        "notes": list(found.notes),
        "effective_samples": found.effective_samples,
        "candidates": [
            {
                "actions": texts(c.steps),
                "line": texts(c.line),
                "visits": c.visits,
                "availability": c.availability,
                "win_share": c.win_share,
                "win_share_error": c.win_share_error,
                "wigs": c.wigs,
                "wigs_error": c.wigs_error,
                "rank_distribution": c.rank_distribution,
                "breakdown": [dict(zip(CATEGORIES, row, strict=True)) for row in c.breakdown],
            }
            for c in found.candidates
        ],
        "evaluation": {
            "win_share": found.evaluation.win_share,
            "win_share_error": found.evaluation.win_share_error,
            "wigs": found.evaluation.wigs,
            "wigs_error": found.evaluation.wigs_error,
        },
    }
