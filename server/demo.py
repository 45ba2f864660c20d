"""The demonstration: a position that ships with the package, asked about over gRPC, answered for a person to read."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from importlib import resources
from typing import Final

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from lisboa_ai import notation, show, wire
from lisboa_ai.analysis import Analysis, Candidate, SearchLimits, SearchOptions, Step
from lisboa_ai.client import AsyncClient
from lisboa_ai.edition import EditionTables
from lisboa_ai.position import Position

from .app import Server
from .settings import Settings

__all__ = ["candidate_table", "demo_position", "gains", "reasons", "show_demo", "turn_in_words"]

SETTINGS: Final = Settings(port=0, metrics_port=None)
WORTH_SAYING: Final = 0.25
"""Wigs below which a category's part in a difference is not named."""
MOST_REASONS: Final = 4


def demo_position() -> Position:
    """A mid-game position for three players, as the seat to act sees it."""
    return Position.from_json((resources.files("lisboa_ai") / "data" / "demo.json").read_text(encoding="utf-8"))


def show_demo(seconds: float, seed: int, candidates: int, console: Console | None = None) -> None:
    """Start the service on a free loopback port, ask it, and print the board, the advice and why.

    Raises ``ServiceError`` if the call fails.
    """
    asyncio.run(_demo(seconds, seed, candidates, console or Console()))


async def _demo(seconds: float, seed: int, candidates: int, console: Console) -> None:
    position = demo_position()
    console.print(show.render(position.observation, position.tables))
    server = Server(SETTINGS)
    await server.start()
    try:
        seat = position.observation.seat
        console.print(f"\nAsking the service at {server.address} for the best move of player {seat + 1} ...")
        limits = SearchLimits(time=seconds, seed=seed, threads=SETTINGS.most_threads)
        options = SearchOptions(candidates=candidates)
        found: Analysis | None = None
        async with AsyncClient(server.address) as client:
            with console.status("searching") as status:
                async for found in client.stream_advice(position, limits=limits, options=options):
                    status.update(f"searching: {found.iterations:,} iterations")
        assert found is not None, "a stream without a final answer is an error of the call"
    finally:
        await server.stop()
    console.print(
        f"{found.iterations:,} iterations in {found.elapsed:.1f} s, {found.nodes:,} nodes; "
        f"stopped by: {found.stop_reason}\n"
    )
    console.print(candidate_table(position.tables, found))
    console.print(Text(f"\nThe best turn for player {found.seat + 1}", style="bold"))
    for number, line in enumerate(turn_in_words(position.tables, found.best), start=1):
        console.print(Text(f"  {number}. {line}"))
    console.print(Text("\nWhy", style="bold"))
    for line in reasons(position.tables, found):
        console.print(Text(f"  {line}"))


def candidate_table(tables: EditionTables, found: Analysis) -> Table:
    """The candidates, best first, with 95 % intervals for the seat that decides."""
    seat = found.seat
    table = Table(box=box.SIMPLE_HEAD, title=f"Candidates for player {seat + 1}", title_justify="left")
    for name in ("", "action", "win share", "final wigs", "visits", "against the best"):
        table.add_column(name, justify="left" if name in ("action", "against the best") else "right")
    for rank, candidate in enumerate(found.candidates, start=1):
        surely = rank > 1 and wire.distinguishable(candidate, found.best, seat)
        table.add_row(
            str(rank),
            _text(tables, candidate.steps[0]),
            _share(candidate.win_share[seat], candidate.win_share_error[seat]),
            f"{candidate.wigs[seat]:.1f} ± {wire.Z * candidate.wigs_error[seat]:.1f}",
            f"{candidate.visits:,}",
            "" if rank == 1 else "surely different" if surely else "could be chance",
        )
    return table


def turn_in_words(tables: EditionTables, candidate: Candidate) -> list[str]:
    """The seat's decisions of the turn, one plain sentence each; what rivals decide meanwhile in brackets."""
    seat = candidate.steps[0].seat
    lines = []
    for step in candidate.line:
        said = notation.describe(tables, step.kind, step.context, step.action, step.seat)
        text = _text(tables, step)
        lines.append(f"{said}  ({text})" if step.seat == seat else f"[{said}  ({text})]")
    return lines


def gains(better: Candidate, other: Candidate, seat: int) -> list[tuple[str, float]]:
    """By category, what one candidate is expected to bring the seat more than another; the largest parts first.

    Differences below a quarter of a wig are left out.
    """
    parts = [
        (name, mine - its)
        for name, mine, its in zip(wire.CATEGORIES, better.breakdown[seat], other.breakdown[seat], strict=True)
        if abs(mine - its) >= WORTH_SAYING
    ]
    return sorted(parts, key=lambda part: -abs(part[1]))


def reasons(tables: EditionTables, found: Analysis) -> list[str]:
    """Sentences of computed facts: how the best candidate compares with the next ones, and in which categories."""
    seat, best = found.seat, found.best
    rivals = ", ".join(
        f"player {other + 1}: {best.wigs[other]:.1f}" for other in range(len(best.wigs)) if other != seat
    )
    lines = [
        f"It ends with {best.wigs[seat]:.1f} wigs on average against {rivals}, and wins "
        f"{best.win_share[seat]:.0%} of the games played out."
    ]
    for other in found.candidates[1:3]:
        difference = best.wigs[seat] - other.wigs[seat]
        error = wire.Z * (best.wigs_error[seat] ** 2 + other.wigs_error[seat] ** 2) ** 0.5
        parts = gains(best, other, seat)[:MOST_REASONS]
        lines.append(
            f"Against “{_text(tables, other.steps[0])}”: {difference:+.1f} ± {error:.1f} wigs"
            + (f" ({_listed(parts)})" if parts else "")
            + f", win share {100 * (best.win_share[seat] - other.win_share[seat]):+.0f} points."
        )
    if len(found.candidates) == 1:
        lines.append("It is the only legal action.")
    return lines


def _listed(parts: Sequence[tuple[str, float]]) -> str:
    return ", ".join(f"{name.replace('_', ' ')} {wigs:+.1f}" for name, wigs in parts)


def _text(tables: EditionTables, step: Step) -> str:
    return notation.action_text(tables, step.kind, step.context, step.action)


def _share(share: float, error: float) -> str:
    return f"{100 * share:.0f} % ± {100 * wire.Z * error:.0f}"
