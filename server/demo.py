"""The demonstration: a position that ships with the package, asked about over gRPC, answered for a person to read."""

from __future__ import annotations

import asyncio
from importlib import resources
from typing import Final

from rich.console import Console
from rich.text import Text

from lisboa_ai import show
from lisboa_ai.analysis import Analysis, SearchLimits, SearchOptions
from lisboa_ai.client import AsyncClient
from lisboa_ai.position import Position
from lisboa_ai.report import candidate_table, reasons, turn_in_words

from .app import Server
from .settings import Settings

__all__ = ["demo_position", "show_demo"]

SETTINGS: Final = Settings(port=0, metrics_port=None)


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
