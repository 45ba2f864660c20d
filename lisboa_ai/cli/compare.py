"""``compare``: actions against each other in the same sampled worlds, here or by a server."""

from __future__ import annotations

from typing import Any

import click
from rich import box
from rich.console import Console
from rich.table import Table

from engine_ext.core import CATEGORIES

from .. import notation, values, wire
from ..analysis import SearchLimits, SearchOptions
from ..compare import Compared, Comparison, compare
from ..edition import EditionTables
from ..position import Position
from .files import (
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


@click.command("compare")
@click.argument("file", metavar="POSITION")
@click.argument("actions", metavar="ACTION ACTION...", nargs=-1, required=True)
@seat_option
@click.option("--server", metavar="HOST:PORT", help="Ask a running service instead of searching here.")
@click.option("--time", "seconds", type=float, help="Seconds.  [default: 1, if no iterations are given]")
@click.option("--iterations", type=int, help="Iterations of all actions together.")
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of the worlds.")
@click.option("--threads", type=int, default=1, show_default=True, help="Worlds searched at the same time.")
@click.option("--objective", type=float, help="0 win share to 1 margin in wigs.  [default: 0.8]")
@json_option
@edition_option
@one_clear_error
def compare_command(
    file: str,
    actions: tuple[str, ...],
    seat: int | None,
    server: str | None,
    seconds: float | None,
    iterations: int | None,
    seed: int,
    threads: int,
    objective: float | None,
    as_json: bool,
    edition_name: str,
) -> None:
    """Compare two or more actions of the seat to act with the first of them, in the same sampled worlds.

    Example: lisboa-ai compare game.json "gold blue-marquis-2" "gold blue-maia-1" --iterations 4000
    """
    position = position_of(load_state(file, load_edition(edition_name)), seat)
    options = SearchOptions() if objective is None else SearchOptions(objective=objective)
    limits = SearchLimits(time=seconds, iterations=iterations, threads=threads, seed=seed)
    if position.observation.over:
        raise ValueError("position: the game is over; allowed: a position with a pending decision")
    arguments = [notation.parse_action(position.tables, position.observation, text) for text in actions]
    print_note(values.doubt(position.tables.engine))
    found = ask(position, arguments, limits, options, server)
    if as_json:
        print_json(as_data(position.tables, found))
        return
    console = Console()
    console.print(table(position.tables, found))
    console.print(f"{found.worlds:,} worlds, {found.elapsed:.2f} s, stopped by: {found.stop_reason}\n")
    for sentence in found.sentences:
        console.print(sentence, markup=False, highlight=False, soft_wrap=True)


def ask(
    position: Position, actions: list[int], limits: SearchLimits, options: SearchOptions, server: str | None
) -> Comparison:
    """Compare here or on a server."""
    if server is None:
        return compare(position, actions, limits, options)
    from ..client import Client, ServiceError

    pending = position.observation
    texts = [notation.action_text(position.tables, pending.kind, pending.context, action) for action in actions]
    try:
        with Client(server) as client:
            return client.compare(position, texts, limits=limits, options=options)
    except ServiceError as error:
        raise ValueError(f"server: {server}: {error}" if not error.violations else str(error)) from None


def table(tables: EditionTables, found: Comparison) -> Table:
    """The actions with 95 % intervals, and their differences from the first one, for the seat that decides."""
    made = Table(box=box.SIMPLE_HEAD, title=f"Actions of player {found.seat + 1}", title_justify="left")
    for name in ("action", "win share", "final wigs", "wigs against the first", "points of win share"):
        made.add_column(name, justify="left" if name == "action" else "right")
    for one in found.actions:
        worth, seat = one.worth, found.seat
        errors = wire.whole_error(worth, seat)
        made.add_row(
            text(tables, found, one),
            _plus_minus(100 * worth.win_share[seat], 100 * errors.win_share, " %"),
            _plus_minus(worth.wigs[seat], errors.wigs),
            *_differences(one, seat),
        )
    return made


def _differences(one: Compared, seat: int) -> tuple[str, str]:
    found = one.difference
    if found is None:
        return "", ""
    shares = f"{100 * found.win_share[seat]:+.1f} ± {100 * wire.Z * found.win_share_error[seat]:.1f}"
    return f"{found.wigs[seat]:+.1f} ± {wire.Z * found.wigs_error[seat]:.1f}", shares


def _plus_minus(value: float, error: float, unit: str = "") -> str:
    return f"{value:.1f}{unit} ± {wire.Z * error:.1f}"


def text(tables: EditionTables, found: Comparison, one: Compared) -> str:
    """An action as a person types it."""
    return notation.action_text(tables, found.kind, found.context, one.action)


def as_data(tables: EditionTables, found: Comparison) -> dict[str, Any]:
    """A comparison as plain data for JSON."""

    def by_category(rows: tuple[tuple[float, ...], ...]) -> list[dict[str, float]]:
        return [dict(zip(CATEGORIES, row, strict=True)) for row in rows]

    return {
        "seat": found.seat,
        "worlds": found.worlds,
        "iterations": found.iterations,
        "elapsed_seconds": round(found.elapsed, 3),
        "stop_reason": found.stop_reason,
        "seed": found.seed,
        "actions": [
            {
                "action": text(tables, found, one),
                "win_share": one.worth.win_share,
                "win_share_error": one.worth.win_share_error,
                "wigs": one.worth.wigs,
                "wigs_error": one.worth.wigs_error,
                "breakdown": by_category(one.worth.breakdown),
                "difference": one.difference
                and {
                    "win_share": one.difference.win_share,
                    "win_share_error": one.difference.win_share_error,
                    "wigs": one.difference.wigs,
                    "wigs_error": one.difference.wigs_error,
                    "breakdown": by_category(one.difference.breakdown),
                    "breakdown_error": by_category(one.difference.breakdown_error),
                    "distinguishable": one.difference.distinguishable,
                },
            }
            for one in found.actions
        ],
        "sentences": found.sentences,
    }
