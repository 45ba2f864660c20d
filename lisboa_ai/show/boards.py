"""The players' own boards."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from ..edition import EditionTables
from .words import (
    HOUSES,
    HOUSES_PER_GROUP,
    SEAT_STYLES,
    card,
    cube_counts,
    goods,
    mask_ids,
    nobles_of,
    seat_title,
)

SHIP_BASE: Final = 128
COPIES: Final = 3


def board(
    fields: dict[str, Any], tables: EditionTables, seat: int, score: Sequence[int], names: Sequence[str], *, full: bool
) -> Panel:
    """Everything a seat owns. ``score``: wigs by category if the game ended now. ``full`` also says what things do."""
    player = fields["players"][seat]
    grid = Table.grid(padding=(0, 1))
    grid.add_column(style="bold", no_wrap=True)
    grid.add_column()
    grid.add_row("Score", f"{player['wigs']} wigs; {sum(score)} if the game ended now")
    means = Text(f"{player['reis']} réis, influence {player['influence']}, {player['officials']} officials, ")
    favors = nobles_of(player["favors"])
    grid.add_row("Means", means.append("favors " + (" ".join(favors) if favors else "none")))
    grid.add_row("Goods", goods(player["goods"]))
    rubble = cube_counts(player["cubes"]).copy()
    rubble.append(f"; {player['sets']} sets, {player['markers']} markers unspent", style="dim")
    grid.add_row("Rubble", rubble)
    grid.add_row("Houses", _houses(player))
    grid.add_row("Hand", _hand(player, tables, full))
    grid.add_row("Nobles", _top(player, tables, full))
    grid.add_row("Treasury", _things([card(tables, n) for n in player["bottom"][: player["n_bottom"]]], tables, full))
    grid.add_row("Clergy", _things(mask_ids(tables, "clergy", player["clergy"]), tables, full))
    plans = [
        f"{plan} ({tables.plans[tables.number('plan', plan)].officials} officials)"
        for plan in mask_ids(tables, "plan", player["plans"])
    ]
    done = mask_ids(tables, "plan", player["completed"])
    grid.add_row("Plans", ", ".join(plans) + (f"; completed: {', '.join(done)}" if done else "") or _none())
    grid.add_row("Decrees", _things(mask_ids(tables, "decree", player["decrees"]), tables, full))
    active = fields["active"] == seat
    title = seat_title(seat, names)
    if active:
        title.append(" ● on turn", style="bold")
    return Panel(grid, title=title, title_align="left", border_style=SEAT_STYLES[seat] if active else "dim")


def _none() -> Text:
    return Text("none", style="dim")


def _houses(player: dict[str, Any]) -> Text:
    return Text(
        ", ".join(
            f"{group} {built} of {most}"
            for group, built, most in zip(HOUSES, player["houses"], HOUSES_PER_GROUP, strict=True)
        )
    )


def _hand(player: dict[str, Any], tables: EditionTables, full: bool) -> Text:
    hand = player["hand"][: player["n_hand"]]
    known = [number for number in hand if number < len(tables.cards)]
    hidden: dict[str, int] = {}
    for number in hand:
        if number not in known:
            hidden[card(tables, number)] = hidden.get(card(tables, number), 0) + 1
    text = _things([tables.id("card", number) for number in known], tables, full) if known or not hidden else Text()
    if hidden:
        said = ", ".join(f"{n} {back}" for back, n in hidden.items())
        text.append(("\n" if full and known else ", " if known else "") + said, style="dim")
    return text


def _top(player: dict[str, Any], tables: EditionTables, full: bool) -> Text:
    """Noble cards and ships in the top row; a ship says its hull, what lies on its dock, and whether it is at sea."""
    things = []
    for slot in range(player["n_top"]):
        what = player["top"][slot]
        if what < SHIP_BASE:
            name = tables.id("card", what)
            things.append(f"{name}: {tables.describe(name)}" if full else name)
            continue
        ship = what - SHIP_BASE
        hull = tables.ships[ship // COPIES].hull
        cargo, packed = player["cargo"][slot], player["packed"][slot]
        state = "at sea" if cargo + packed >= hull else f"{packed} of {hull} crates aboard"
        things.append(f"{tables.id('ship', ship)} ({state}; {cargo} goods on the dock)")
    if not things:
        return _none()
    return Text(("\n" if full else ", ").join(things))


def _things(ids: Sequence[str], tables: EditionTables, full: bool) -> Text:
    if not ids:
        return _none()
    if full:
        return Text("\n".join(f"{name}: {tables.describe(name)}" for name in ids))
    return Text(", ".join(ids))
