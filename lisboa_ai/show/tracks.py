"""The tracks, the nobles' offices and the church."""

from __future__ import annotations

from typing import Any

from rich import box
from rich.table import Table
from rich.text import Text

from ..edition import GOODS, EditionTables
from .words import NOBLE_NAMES, UNKNOWN, good, seat_mark


def tracks(fields: dict[str, Any], tables: EditionTables) -> Table:
    """Treasury, market and influence, one line each."""
    grid = _grid()
    board = tables.board
    space = fields["treasury"]
    line = Text()
    for number, reis in enumerate(board.treasury_reis):
        here = number == space
        line.append(f"[{reis}]" if here else f" {reis} ", style="bold reverse" if here else "dim")
    line.append(f" réis; influence {board.treasury_influence[space]:+d}")
    grid.add_row("Treasury", line)
    market = Text("  ").join(
        good(number)
        .append(f" {fields['price'][number]}", style="bold")
        .append(f" (≥{board.market_lowest[number]})", "dim")
        for number in range(len(GOODS))
    )
    grid.add_row("Market", market)
    line = Text()
    for value in range(11):
        here_seats = [seat for seat in range(fields["seats"]) if fields["players"][seat]["influence"] == value]
        line.append(f" {value}" + ("r" if value in board.reis_spaces else ""), style="" if here_seats else "dim")
        for seat in here_seats:
            line.append_text(seat_mark(seat))
    grid.add_row("Influence", line.append("  (r: a real)", style="dim"))
    return grid


def offices(fields: dict[str, Any], tables: EditionTables) -> Table:
    """Who has how many officials in each noble's office and plaza, and the favors left."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1))
    for name in ("noble", f"office ({tables.board.office_spaces})", "plaza", "favors"):
        table.add_column(name)
    players = fields["players"][: fields["seats"]]
    for noble, name in enumerate(NOBLE_NAMES):
        office = Text(" ").join(_officials(players, "offices", noble))
        if fields["neutral"]:
            office.append(f" neutral {fields['neutral']}", style="dim")
        if noble == 1 and fields["queen"]:
            name = "Queen"
        plaza = Text(" ").join(_officials(players, "plazas", noble))
        table.add_row(name, office, plaza, str(fields["favor_stock"][noble]))
    return table


def _officials(players: list[dict[str, Any]], place: str, noble: int) -> list[Text]:
    return [
        seat_mark(seat).append(f"×{player[place][noble]}", style="not bold")
        for seat, player in enumerate(players)
        if player[place][noble]
    ]


def church(fields: dict[str, Any], tables: EditionTables) -> Table:
    """The ring, from gap 0 on: the cardinal stands in a gap, the tile of a gap lies after it."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1))
    table.add_column("church")
    table.add_column("tile after the gap")
    board = tables.board
    for gap, tile in enumerate(fields["church"]):
        where = Text(f"gap {gap}", style="dim")
        if gap == board.church_influence:
            where.append(" influence")
        if gap == board.church_treasury:
            where.append(" treasury")
        if gap == fields["cardinal"]:
            where.append(" ♰ cardinal", style="bold bright_red")
        if tile == UNKNOWN:
            table.add_row(where, Text("empty", style="dim"))
        else:
            name = tables.id("clergy", tile)
            table.add_row(where, Text(f"{name}: {tables.describe(name)}"))
    return table


def _grid() -> Table:
    grid = Table.grid(padding=(0, 2))
    grid.add_column(style="bold", no_wrap=True)
    grid.add_column()
    return grid
