"""The city: lands between their streets, public building sites around them, cubes, scoring tiles."""

from __future__ import annotations

from typing import Any, Final, Protocol

from rich import box
from rich.table import Table
from rich.text import Text

from ..edition import ARCHITECTS, COLUMNS, GOODS, ROWS, EditionTables
from .words import GOOD_STYLES, cubes, effects, good, seat_mark

STREETS: Final = len(GOODS)


class Priced(Protocol):
    """A game or an observation: it knows what land costs a seat."""

    def land_price(self, seat: int, land: int) -> int: ...


def city(state: Priced, fields: dict[str, Any], tables: EditionTables, seat: int | None) -> Table:
    """The map: north is up. ``seat``: whose land prices are shown; None shows no prices."""
    table = Table(box=box.SQUARE, show_header=False, show_lines=True, padding=(0, 0), pad_edge=False)
    table.add_column(justify="left", min_width=8)
    for column in COLUMNS:
        if column > 1:
            table.add_column(justify="center", width=1)
        table.add_column(justify="left", min_width=8)
    table.add_column(justify="left", min_width=8)
    table.add_column(justify="center", min_width=6)
    table.add_row(*_north(fields, tables))
    lands = {(land.row, land.column): number for number, land in enumerate(tables.lands)}
    sites = {(site.side, site.row): number for number, site in enumerate(tables.sites) if site.side != "north"}
    for index, row in enumerate(ROWS):
        cells: list[Text] = [_site(fields, tables, sites["west", row])]
        for column in COLUMNS:
            if column > 1:
                cells.append(_street(column - 2, index))
            number = lands.get((row, column))
            cells.append(
                Text("historic\nsquare", style="dim") if number is None else _land(state, fields, tables, number, seat)
            )
        cells += [_site(fields, tables, sites["east", row]), cubes(fields["row_cubes"][index])]
        table.add_row(*cells)
    table.add_row(*_feet(fields, tables))
    return table


def _north(fields: dict[str, Any], tables: EditionTables) -> list[Text]:
    """The sites at the north end of the streets: each stands over the column west of its street."""
    sites = {site.street: number for number, site in enumerate(tables.sites) if site.side == "north"}
    cells = [Text("west sites", style="dim")]
    for column in COLUMNS:
        street = column - 1
        if column > 1:
            cells.append(Text("│", style=GOOD_STYLES[street - 1]))
        if street < STREETS:
            cells.append(_site(fields, tables, sites[GOODS[street]]))
        else:
            cells.append(Text("half-size\nlands", style="dim"))
    return [*cells, Text("east sites", style="dim"), Text("cubes", style="dim")]


def _street(street: int, row: int) -> Text:
    """A piece of the street west of a column; its name runs down the first rows."""
    name = GOODS[street]
    letters = name[2 * row : 2 * row + 2] or "│"
    return Text("\n".join(letters.ljust(2, "│")), style=GOOD_STYLES[street])


def _land(state: Priced, fields: dict[str, Any], tables: EditionTables, number: int, seat: int | None) -> Text:
    land = tables.lands[number]
    business, owner = fields["land_business"][number], fields["land_owner"][number]
    name = f"{land.row}{land.column}"
    if business < 0:
        text = Text(name, style="bold")
        if seat is not None:
            text.append(f" {state.land_price(seat, number)} réis", style="not bold")
        return text.append(f"\n{effects(land.reward, land.choice)}", style="not bold dim")
    text = Text(name + " ", style="bold")
    text.append_text(seat_mark(owner) if owner >= 0 else Text("..", style="dim"))
    # a store faces the street west or east of its column
    west = business == land.column - 2
    text.append("\n")
    return (
        text.append_text(Text("◄" if west else "", GOOD_STYLES[business]))
        .append_text(good(business))
        .append_text(Text("" if west else "►", GOOD_STYLES[business]))
    )


def _site(fields: dict[str, Any], tables: EditionTables, number: int) -> Text:
    site = tables.sites[number]
    tile, owner = fields["site_building"][number], fields["site_owner"][number]
    name = f"{site.side[0].upper()}-{site.row or str(site.street)}"
    if tile < 0:
        text = Text(name + " ", style="bold").append_text(cubes(fields["site_cubes"][number], blank=""))
        note = "being opened" if tile == -2 else effects(site.reward, site.choice)
        return text.append(f"\n{note}", style="not bold dim")
    building, side = tables.buildings[tile >> 1], tile & 1
    text = Text(name + " ", style="bold").append_text(seat_mark(owner) if owner >= 0 else Text(".."))
    draws = building.blue if side else building.green
    text.append(f" ▲{ARCHITECTS[side][0]}", style=f"not bold {ARCHITECTS[side]}").append("\n")
    return text.append_text(Text(" ").join(good(GOODS.index(business)) for business in draws))


def _feet(fields: dict[str, Any], tables: EditionTables) -> list[Text]:
    """Cubes at the foot of every column, and the scoring tile that its stores use."""
    cells = [Text("cubes and\nscoring", style="dim")]
    for column in COLUMNS:
        if column > 1:
            cells.append(Text("│", style=GOOD_STYLES[column - 2]))
        tile = tables.scoring[fields["scoring"][tables.board.column_uses[column - 1] - 1]]
        text = cubes(fields["column_cubes"][column - 1]).copy()
        cells.append(text.append(f"\n{tile.large} wigs each", style="dim"))
    pile = Text("pile\n", style="dim").append_text(cubes(fields["pile"]))
    return [*cells, pile, Text("")]
