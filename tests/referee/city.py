"""The Builder's noble action: building a store downtown."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from . import effects
from .lookahead import DeadEnd, Decision, Play, Routine, must_complete, possible
from .money import TOP_OF_TRACK, benefit, funds, influence_total, pay_reis, take_cube, treasury_reis, worth_of_influence
from .state import Player, State, Store, without
from .tables import COLOURS, CUBE_PRICE, GOODS, HOUSES

MONEY_NEUTRAL = frozenset(["wigs", "officials", "rubble", "good any", *(f"good {good}" for good in GOODS)])
"""Rewards that change neither what a player can pay nor a price."""


class Spot(NamedTuple):
    land: str
    business: str


def display_space(state: State, spot: Spot) -> str:
    """G13, G14: the space of the display fixes the business; small tiles are for the half column only."""
    return "small" if state.tables.lands[spot.land].half else spot.business


def spots(state: State) -> Iterator[Spot]:
    """G10: land that is free, with a street beside it of whose business there is a tile. A2: no row E for 2."""
    for land in state.tables.lands.values():
        if land.id in state.stores or (land.row == "E" and state.seats == 2):
            continue
        for business in land.faces:
            if ("small" if land.half else business) in state.display:
                yield Spot(land.id, business)


def houses_left(player: Player) -> list[str]:
    return [group for group, number in HOUSES.items() if player.houses[group] < number]


# --- the price ------------------------------------------------------------------------------------------------------


def cubes_at(state: State, land: str) -> list[tuple[str, str]]:
    """Cubes at the end of the row and the foot of the column, as ("row", "brown"), each kind once."""
    at = state.tables.lands[land]
    row, column = state.row_cubes[at.row], state.column_cubes[at.column]
    there = [("row", colour) for colour in COLOURS if colour in row]
    return there + [("column", colour) for colour in COLOURS if colour in column]


class LandPrices:
    """G5, N22: treasury value and the cubes left at the row's end and the column's foot; then discounts, floor 0."""

    def __init__(self, state: State, player: Player) -> None:
        self.state = state
        self.base = treasury_reis(state) - benefit(state, player, "land")
        self.cube = {
            colour: 0 if benefit(state, player, f"land ignores {colour}") else CUBE_PRICE[colour] for colour in COLOURS
        }

    def of(self, land: str) -> int:
        return max(0, self.base + sum(self._cubes(land)))

    def after_best_cube(self, land: str) -> int:
        """The price once the dearest cube has been taken (G4)."""
        cubes = self._cubes(land)
        return max(0, self.base + sum(cubes) - max(cubes, default=0))

    def _cubes(self, land: str) -> list[int]:
        at = self.state.tables.lands[land]
        return [self.cube[colour] for colour in (*self.state.row_cubes[at.row], *self.state.column_cubes[at.column])]


# --- building -------------------------------------------------------------------------------------------------------


def build_store(g: Play, seat: int) -> Routine:
    """G1: tile, land, land reward, tile placed, one cube, pay, house, wigs."""
    state = g.state
    player = state.players[seat]
    spot = yield from must_complete(g, buy_land, seat)
    groups = {f"house {group}": group for group in houses_left(player)}
    player.houses[(yield Decision("store_house", seat, groups))] += 1
    state.stores[spot.land] = Store(spot.business, seat)  # N10
    player.earn("stores", store_wigs(state, player, spot))


def buy_land(g: Play, seat: int) -> Routine:
    """The part that must be completed (G9): up to paying for the land."""
    state = g.state
    player = state.players[seat]
    if not houses_left(player):
        raise DeadEnd
    affordable = affordable_spots(g, seat)
    if not affordable:
        raise DeadEnd
    options = {f"store {spot.land.removeprefix('land-')} {spot.business}": spot for spot in affordable}
    spot = yield Decision("build_store", seat, options, buy_land)
    yield from buy_spot(g, seat, spot)
    return spot


def buy_spot(g: Play, seat: int, spot: Spot) -> Routine:
    """N10: tile and land are taken before the reward. G4: the cube is taken before paying."""
    state = g.state
    player = state.players[seat]
    land = state.tables.lands[spot.land]
    state.display -= {display_space(state, spot)}
    state.stores[spot.land] = Store(spot.business, None)
    yield from effects.resolve(g, seat, land.effects, land.choice)
    yield from take_land_cube(g, seat, spot.land)
    yield from pay_reis(g, seat, LandPrices(state, player).of(spot.land), buy_land)


def take_land_cube(g: Play, seat: int, land: str) -> Routine:
    """G1, G6: one cube from the row or the column, if there is any; which one is the player's choice."""
    state = g.state
    at = state.tables.lands[land]
    options = {f"cube {end} {colour}": (end, colour) for end, colour in cubes_at(state, land)}
    if not options:
        return
    end, colour = yield Decision("store_cube", seat, options)
    if end == "row":
        state.row_cubes[at.row] = without(state.row_cubes[at.row], colour)
    else:
        state.column_cubes[at.column] = without(state.column_cubes[at.column], colour)
    take_cube(state, state.players[seat], colour)


def store_wigs(state: State, player: Player, spot: Spot) -> int:
    """G12: the column's number for each open building that draws customers: west, east, north end of the street."""
    land = state.tables.lands[spot.land]
    drawing = 0
    for site, building in state.buildings.items():
        at = state.tables.sites[site]
        colours = state.tables.buildings[building.tile][building.side]
        beside = at.street == spot.business if at.side == "north" else at.row == land.row
        drawing += beside and spot.business in colours
    extra = benefit(state, player, "store wigs") + benefit(state, player, f"store wigs {spot.business}")
    return drawing * column_number(state, land.column) + extra


def column_number(state: State, column: int) -> int:
    """The large number on the scoring tile that a column uses."""
    return state.tables.large_number[state.scoring[state.tables.column_uses[column - 1] - 1]]


# --- whether a store can be built -----------------------------------------------------------------------------------


def can_build_store(g: Play, seat: int) -> bool:
    """G9, G10: a house is left and some land can be had and paid for."""
    if not houses_left(g.state.players[seat]):
        return False
    means = Means(g.state, seat)
    undecided = []
    for spot in spots(g.state):
        answer = means.cover(spot)
        if answer:
            return True
        if answer is None:
            undecided.append(spot)
    return any(possible(g, buy_spot, seat, spot) for spot in undecided)


def affordable_spots(g: Play, seat: int) -> list[Spot]:
    """Land that can be paid for. In a look-ahead the undecided ones stay, since it tries them itself."""
    means = Means(g.state, seat)
    found = []
    for spot in spots(g.state):
        answer = means.cover(spot)
        if answer is None:
            answer = g.looking_ahead or possible(g, buy_spot, seat, spot)
        if answer:
            found.append(spot)
    return found


class Means:
    """Whether a player can pay for a land, where that is plain from what its reward gives."""

    def __init__(self, state: State, seat: int) -> None:
        self.state = state
        player = state.players[seat]
        self.prices = LandPrices(state, player)
        self.funds = funds(state, player)
        gain = influence_total(state, player)
        self.funds_after_gain = player.reis + worth_of_influence(state, min(TOP_OF_TRACK, player.influence + gain))
        self.neutral = MONEY_NEUTRAL | {
            what for what in ("plan", "favor") if not benefit(state, player, f"{what} reis")
        }

    def cover(self, spot: Spot) -> bool | None:
        """None: undecided, so that it has to be tried."""
        land = self.state.tables.lands[spot.land]
        money = self.funds
        rewards = [*land.effects, *land.choice]
        if len(rewards) == 1 and rewards[0].what == "reis":
            money += rewards[0].amount
        elif len(rewards) == 1 and rewards[0].what == "influence":
            money = self.funds_after_gain
        elif not all(effect.what in self.neutral for effect in rewards):
            return None
        return self.prices.after_best_cube(land.id) <= money
