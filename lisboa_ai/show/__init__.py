"""A game or an observation as a person would want to see it in a terminal.

>>> from rich.console import Console
>>> from engine_ext.core import Game
>>> from lisboa_ai import edition, show
>>> tables = edition.load("house")
>>> seen = Game.deal(tables.engine, 2, 1).observe(0)
>>> Console(width=100, quiet=True).print(show.render(seen, tables))
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from engine_ext.core import KINDS, Game, Observation

from ..edition import EditionTables
from .boards import board
from .city import city
from .displays import cards, decrees, stacks
from .tracks import church, offices, tracks
from .words import QUESTIONS, seat_title

__all__ = ["QUESTIONS", "fields_of", "headline", "render", "render_boards"]

WIDE: Final = 120
"""Columns from which on things stand side by side."""


def render(state: Game | Observation, tables: EditionTables, names: Sequence[str] = ()) -> RenderableType:
    """The whole table: city, tracks, displays, every player's board, and whose decision it is.

    ``names`` are the players' names. An observation shows what its observer may know, a game everything. Laid out for
    the console's width: from 120 columns on things stand side by side.
    """
    return _Whole(state, tables, names)


def render_boards(state: Game | Observation, tables: EditionTables, names: Sequence[str] = ()) -> RenderableType:
    """Only the players' boards and whose decision it is."""
    return _Whole(state, tables, names, boards_only=True)


def headline(state: Game | Observation, names: Sequence[str] = ()) -> Text:
    """Turn, period, and whose decision it is, in one line."""
    text = Text(f"Period {state.period + 1}, turn {state.turn + 1}: ")
    if state.over:
        best = max(state.wigs())
        leaders = [seat for seat, wigs in enumerate(state.wigs()) if wigs == best]
        winners = state.winners() if isinstance(state, Game) else leaders
        return (
            text.append("the game is over; ")
            .append_text(Text(" and ").join(seat_title(seat, names) for seat in winners))
            .append(" won" if isinstance(state, Game) else " has most wigs")
        )
    asked = QUESTIONS[KINDS[state.kind]]
    text.append_text(seat_title(state.seat, names)).append(f" decides: {asked}", style="bold")
    if isinstance(state, Observation) and state.seat != state.observer:
        return text  # what is legal for a rival can depend on what the observer does not see
    return text.append(f" ({len(state.legal())} legal)")


class _Whole:
    def __init__(
        self, state: Game | Observation, tables: EditionTables, names: Sequence[str], *, boards_only: bool = False
    ) -> None:
        self.state = state
        self.tables = tables
        self.names = names
        self.boards_only = boards_only
        self.fields = fields_of(state)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        wide = options.max_width >= WIDE
        state, fields, tables = self.state, self.fields, self.tables
        yield Rule(headline(state, self.names), align="left")
        if not self.boards_only:
            prices = None if state.over else state.seat
            yield city(state, fields, tables, prices)
            if prices is not None:
                yield Text(f"Land prices are those of player {prices + 1}.", style="dim")
            yield Text(
                "Cubes: ■n brown, ■r red, ■b blue. ◄ ► the street a store faces. ▲ a building's architect.", "dim"
            )
            around: list[RenderableType] = [tracks(fields, tables), stacks(fields, tables)]
            yield from _side_by_side(around, wide)
            yield from _side_by_side([church(fields, tables), offices(fields, tables)], wide)
            yield from _side_by_side([cards(fields, tables), decrees(fields, tables)], wide)
        viewer = state.observer if isinstance(state, Observation) else None if state.over else state.seat
        scores = state.score_now()
        boards: list[RenderableType] = [
            board(fields, tables, seat, scores[seat], self.names, full=seat == viewer) for seat in range(state.seats)
        ]
        if viewer is not None:
            mine = boards.pop(viewer)
            yield from _pairs(boards, wide)
            yield mine
        else:
            yield from _pairs(boards, wide)
        yield headline(state, self.names)


def fields_of(state: Game | Observation) -> dict[str, Any]:
    """The state's fields; an observation holds them one level down or at the top, as its struct has it."""
    fields = state.fields()
    inner = fields.get("state")
    return inner if isinstance(inner, dict) else fields


def _side_by_side(items: Sequence[RenderableType], wide: bool) -> list[RenderableType]:
    if not wide:
        return list(items)
    grid = Table.grid(padding=(0, 3), expand=False)
    for _ in items:
        grid.add_column()
    grid.add_row(*items)
    return [grid]


def _pairs(items: Sequence[RenderableType], wide: bool) -> list[RenderableType]:
    """Panels, two abreast where there is room."""
    if not wide:
        return list(items)
    rows: list[RenderableType] = []
    for first in range(0, len(items), 2):
        pair = items[first : first + 2]
        grid = Table.grid(expand=True, padding=(0, 0))
        for _ in pair:
            grid.add_column(ratio=1)
        grid.add_row(*pair)
        rows.append(grid)
    return [Group(*rows)]
