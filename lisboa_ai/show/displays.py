"""The displays: cards, decrees, city tiles, plans, ships, buildings."""

from __future__ import annotations

from typing import Any, Final

from rich import box
from rich.table import Table
from rich.text import Text

from ..edition import ARCHITECTS, DECKS, EditionTables
from .words import GOOD_STYLES, NOBLE_NAMES, UNKNOWN, good

DECK_CARDS: Final = 5
CITY_SPACES: Final = ("gold", "cloth", "books", "tools", "small tools")


def cards(fields: dict[str, Any], tables: EditionTables) -> Table:
    """The face-up card of each deck and how many the deck still holds."""
    table = _table("card", "says", "left", title="Cards to take")
    decks = fields["decks"][fields["period"]]
    for deck, name in enumerate((*NOBLE_NAMES, "Treasury")):
        taken = fields["deck_pos"][deck]
        left = DECK_CARDS - taken
        top = decks[deck][taken] if left else UNKNOWN
        if top == UNKNOWN or not fields["face_up"] >> deck & 1:
            table.add_row(Text(f"{name}: none shown", style="dim"), "", str(left))
        else:
            shown = tables.id("card", top)
            table.add_row(shown, tables.describe(shown), str(left))
    return table


def decrees(fields: dict[str, Any], tables: EditionTables) -> Table:
    """The decrees on display."""
    table = _table("decree", "scores at the end", title="Decrees")
    for number in fields["display"]:
        if number != UNKNOWN:
            name = tables.id("decree", number)
            table.add_row(name, tables.describe(name))
    return table


def stacks(fields: dict[str, Any], tables: EditionTables) -> Table:
    """City tiles, ships, plans and buildings, one line each."""
    grid = Table.grid(padding=(0, 2))
    grid.add_column(style="bold", no_wrap=True)
    grid.add_column()
    shown = [
        Text(name, style=GOOD_STYLES[min(bit, 3)]) for bit, name in enumerate(CITY_SPACES) if fields["city"] >> bit & 1
    ]
    tiles = Text(", ").join(shown) if shown else Text("none")
    tiles.append(f"; stacks: {fields['city_large']} large, {fields['city_small']} small", style="dim")
    grid.add_row("City tiles", tiles)
    grid.add_row("Ships", _ships(fields, tables))
    for side, architect in enumerate(ARCHITECTS):
        grid.add_row(f"Plans {architect}", _plans(fields, tables, side))
    for side, architect in enumerate(ARCHITECTS):
        grid.add_row(f"Buildings {architect}", _buildings(fields, tables, side))
    return grid


def _ships(fields: dict[str, Any], tables: EditionTables) -> Text:
    """The ships left in the period's stack, top first, two colours of (players - 1) ships each."""
    each = fields["seats"] - 1
    colours = [colour for colour in range(len(DECKS)) if tables.ships[colour].period == fields["period"] + 1]
    parts = []
    for place, colour in enumerate(colours):
        left = each - max(0, min(each, fields["ship_pos"] - place * each))
        if left:
            name = f"ship-{tables.ships[colour].colour}-1"
            parts.append(f"{left} {tables.ships[colour].colour} ({tables.describe(name)})")
    return Text(", then ".join(parts) or "none left")


def _plans(fields: dict[str, Any], tables: EditionTables, side: int) -> Text:
    stack = fields["plan_stack"][side]
    left = stack[fields["plan_pos"][side] :]
    if not left:
        return Text("none left", style="dim")
    officials = [tables.plans[number].officials for number in left]
    text = Text(f"{tables.id('plan', left[0])}: {officials[0]} officials")
    return text.append(f"; then {' '.join(map(str, officials[1:])) or 'none'}", style="dim")


def _buildings(fields: dict[str, Any], tables: EditionTables, side: int) -> Text:
    stack, position = fields["buildings"][side], fields["building_pos"][side]
    parts = []
    for number in stack[position : position + 2]:
        if number != UNKNOWN:
            tile = tables.buildings[number]
            draws = tile.blue if side else tile.green
            text = Text(f"{tile.id} ")
            parts.append(text.append_text(Text("+").join(good(_number(business)) for business in draws)))
    if not parts:
        return Text("none left", style="dim")
    return Text(", then ").join(parts).append(f"; {len(stack) - position} left", style="dim")


def _number(business: str) -> int:
    return CITY_SPACES.index(business)


def _table(*columns: str, title: str) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1), title=title, title_justify="left")
    for name in columns:
        table.add_column(name, justify="right" if name == "left" else "left", no_wrap=name in ("card", "decree"))
    return table
