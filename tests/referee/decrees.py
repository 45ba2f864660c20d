"""Decrees: taking them, the display, and what they are worth at the end."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from .lookahead import Decision, Play, Routine
from .money import benefit, hull
from .state import Player, State, without
from .tables import Decree

ON_DISPLAY = 8


def can_take_decree(state: State) -> bool:
    """N24: not once the Queen is out."""
    return bool(state.decrees) and not state.queen_out


def take_decree(g: Play, seat: int) -> Routine:
    """I3, I4, N23: a decree; once a turn a set marker may be spent for another."""
    state = g.state
    player = state.players[seat]
    yield from take_one(g, seat)
    if not player.markers or seat in state.markers_spent or not state.decrees:
        return
    if (yield Decision("spend_marker", seat, {"marker keep": False, "marker spend": True})):
        player.markers -= 1
        state.markers_spent += (seat,)
        yield from take_one(g, seat)


def take_one(g: Play, seat: int) -> Routine:
    """D12: from what is left; no refill inside the turn."""
    state = g.state
    player = state.players[seat]
    decree = yield Decision("take_decree", seat, {f"decree {decree}": decree for decree in state.decrees})
    state.decrees = without(state.decrees, decree)
    player.decrees += (decree,)
    player.earn("decrees", benefit(state, player, "decree wigs"))


def refill_decrees(state: State) -> None:
    """Up to 8 from the deck in order. A9: with 2 players those marked as not for them are replaced at once."""
    while len(state.decrees) < ON_DISPLAY and state.decree_deck:
        decree, *rest = state.decree_deck
        state.decree_deck = tuple(rest)
        if state.seats == 2 and state.tables.decrees[decree].not_for_2:
            state.decrees_removed += (decree,)
        else:
            state.decrees += (decree,)


# --- what they count ------------------------------------------------------------------------------------------------


def decree_wigs(state: State, player: Player, decree: Decree) -> int:
    """I5: all or nothing with ``at_least``; otherwise so much for each, ``at_most`` so many; never negative."""
    count = feature(state, player, decree)
    if decree.at_least is not None:
        return decree.wigs if count >= decree.at_least else 0
    return decree.wigs * (count if decree.at_most is None else min(count, decree.at_most))


def feature(state: State, player: Player, decree: Decree) -> int:
    """How many of a decree's feature a player has."""
    if decree.each in ("stores", "buildings", "noble cards", "goods", "cubes"):
        things = LISTED[decree.each](state, player)
        return sum(all(_fits(thing[key], wanted) for key, wanted in decree.where.items()) for thing in things)
    return COUNTED[decree.each](state, player)


def _fits(value: Any, wanted: tuple[Any, ...]) -> bool:
    return any(one in wanted for one in value) if isinstance(value, tuple) else value in wanted


def _stores(state: State, player: Player) -> Iterator[dict[str, Any]]:
    for land, store in state.stores.items():
        if store.owner == player.seat:
            at = state.tables.lands[land]
            yield {"business": store.business, "street": store.business, "row": at.row, "column": at.column}


def _buildings(state: State, player: Player) -> Iterator[dict[str, Any]]:
    for site, building in state.buildings.items():
        if building.owner == player.seat:
            colours = state.tables.buildings[building.tile][building.side]
            yield {"side": state.tables.sites[site].side, "architect": building.side, "colour": colours}


def _noble_cards(state: State, player: Player) -> Iterator[dict[str, Any]]:
    for dock in player.top:
        if dock.holds in state.tables.cards:
            yield {"noble": state.tables.cards[dock.holds].noble}


def _goods(state: State, player: Player) -> Iterator[dict[str, Any]]:
    for good, amount in player.goods.items():
        yield from ({"type": good} for _ in range(amount))


def _cubes(state: State, player: Player) -> Iterator[dict[str, Any]]:
    for colour, amount in player.cubes.items():
        yield from ({"colour": colour} for _ in range(amount))


LISTED: dict[str, Callable[[State, Player], Iterator[dict[str, Any]]]] = {
    "stores": _stores,
    "buildings": _buildings,
    "noble cards": _noble_cards,
    "goods": _goods,
    "cubes": _cubes,
}

COUNTED: dict[str, Callable[[State, Player], int]] = {
    "plans completed": lambda state, player: len(player.completed),
    "plans unused": lambda state, player: len(player.plans),
    "officials on plans": lambda state, player: officials_on_plans(state, player),
    "officials in offices": lambda state, player: sum(player.offices.values()),
    "officials in plazas": lambda state, player: sum(player.plazas.values()),
    "officials on board": lambda state, player: player.board,
    "ships": lambda state, player: sum(hull(state, dock) > 0 for dock in player.top),
    "hull": lambda state, player: sum(hull(state, dock) for dock in player.top),
    "treasury cards": lambda state, player: len(player.bottom),
    "influence": lambda state, player: player.influence,
    "reis": lambda state, player: player.reis,
    "different goods": lambda state, player: sum(amount > 0 for amount in player.goods.values()),
    "sets": lambda state, player: player.sets,
    "unpaired cubes": lambda state, player: sum(player.cubes.values()) - 3 * player.sets,
    "clergy": lambda state, player: len(player.clergy),
    "favors": lambda state, player: len(player.favors),
    "houses": lambda state, player: sum(player.houses.values()),
    "decrees": lambda state, player: len(player.decrees),
    "set markers": lambda state, player: player.markers,
}


def officials_on_plans(state: State, player: Player) -> int:
    """L9: what is printed on completed plans, hired officials included."""
    return sum(state.tables.plans[plan].officials for plan in player.completed)
