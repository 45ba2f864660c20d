"""The King's noble action: opening a public building."""

from __future__ import annotations

from itertools import product

from . import effects
from .city import column_number
from .lookahead import DeadEnd, Decision, Play, Routine, must_complete, possible
from .money import benefit, funds, pay_reis, take_cube, treasury_reis
from .state import Building, Player, State, without
from .tables import GOODS, NOBLES, Site

HARMLESS = frozenset(
    [
        "reis",
        "wigs",
        "good any",
        *(f"good {good}" for good in GOODS),
        "influence",
        "officials",
        "plan",
        "favor",
        "rubble",
        "decree",
        "produce",
        "treasury",
    ]
)
"""Rewards that send no official home, so that nobody has to be hired who did not before."""


def fits(state: State, plan: str, site: Site) -> bool:
    """H4: the architect's tile on display; at a north site one of its colours must be the street's."""
    architect = state.tables.plans[plan].architect
    stack = state.building_stacks[architect]
    if not stack:
        return False
    return site.side != "north" or site.street in state.tables.buildings[stack[0]][architect]


def free_sites(state: State) -> list[Site]:
    """Sites without a building. A2: with 2 players row E has none."""
    return [
        site
        for site in state.tables.sites.values()
        if site.id not in state.buildings
        and site.id not in state.opening
        and not (state.seats == 2 and site.row == "E")
    ]


def officials_needed(state: State, player: Player, plan: str) -> int:
    return max(0, state.tables.plans[plan].officials - benefit(state, player, "building officials"))


def officials_out(player: Player) -> int:
    """E9: officials in offices and plazas can staff a building."""
    return sum(player.offices.values()) + sum(player.plazas.values())


def hiring_cost(state: State, player: Player, plan: str) -> int:
    """H6, H7: only the missing ones are hired, each at the treasury's réis less discounts (on each of them)."""
    missing = max(0, officials_needed(state, player, plan) - officials_out(player))
    return missing * max(0, treasury_reis(state) - benefit(state, player, "hire"))


# --- opening --------------------------------------------------------------------------------------------------------


def can_open_building(g: Play, seat: int) -> bool:
    return any(can_open_at(g, seat, site) for site in free_sites(g.state))


def can_open_at(g: Play, seat: int, site: Site) -> bool:
    """N11: a plan held now must do, after cubes and reward."""
    state = g.state
    player = state.players[seat]
    fitting = tuple(plan for plan in player.plans if fits(state, plan, site))
    if not fitting:
        return False
    fewest = min(officials_needed(state, player, plan) for plan in fitting)
    rewards = {effect.what for effect in (*site.effects, *site.choice)}
    if fewest <= officials_out(player) and rewards <= HARMLESS:
        return True
    return possible(g, staff_building, seat, site, fitting)


def open_building(g: Play, seat: int) -> Routine:
    """H1: site, cubes, reward, plan shown, tile placed, officials, plan flipped, stores scored, refill."""
    state = g.state
    player = state.players[seat]
    options = {
        f"open {site.id.removeprefix('site-')}": site for site in free_sites(state) if can_open_at(g, seat, site)
    }
    if not options:
        raise DeadEnd
    site = yield Decision("open_building", seat, options)
    plan = yield from must_complete(g, staff_building, seat, site, None)
    tile = state.buildings[site.id]
    player.plans = without(player.plans, plan)
    player.completed += (plan,)
    score_stores(state, site, state.tables.buildings[tile.tile][tile.side])
    player.earn("buildings", benefit(state, player, "building wigs"))


def staff_building(g: Play, seat: int, site: Site, only: tuple[str, ...] | None) -> Routine:
    """The part that must be completed: cubes, reward, plan and tile, officials. H2, H3: the reward comes before hiring.

    ``only``: the plans that may be used, to find out whether one held before the reward would do (N11).
    """
    state = g.state
    player = state.players[seat]
    state.opening += (site.id,)
    cubes, state.site_cubes[site.id] = state.site_cubes[site.id], ()
    for colour in cubes:
        take_cube(state, player, colour)
    yield from effects.resolve(g, seat, site.effects, site.choice)
    plans = {
        f"use {plan}": plan
        for plan in (player.plans if only is None else only)
        if fits(state, plan, site) and hiring_cost(state, player, plan) <= funds(state, player)
    }
    if not plans:
        raise DeadEnd
    plan = yield Decision("building_plan", seat, plans, staff_building)
    architect = state.tables.plans[plan].architect
    tile, *rest = state.building_stacks[architect]
    state.building_stacks[architect] = tuple(rest)
    state.opening = without(state.opening, site.id)
    state.buildings[site.id] = Building(tile, architect, seat)
    yield from send_officials_home(g, seat, plan)
    return plan


def send_officials_home(g: Play, seat: int, plan: str) -> Routine:
    """H6: enough officials: the player chooses who goes home, no hiring. H7: too few: all go, the rest is hired."""
    state = g.state
    player = state.players[seat]
    needed = officials_needed(state, player, plan)
    cost = hiring_cost(state, player, plan)
    if needed > officials_out(player):
        player.board += officials_out(player)
        player.offices = dict.fromkeys(NOBLES, 0)
        player.plazas = dict.fromkeys(NOBLES, 0)
        yield from pay_reis(g, seat, cost, staff_building)
        return
    here = [*player.offices.values(), sum(player.plazas.values())]
    choices = [counts for counts in product(*(range(n + 1) for n in here)) if sum(counts) == needed]
    options = {return_text(counts): counts for counts in choices}
    *offices, plaza = yield Decision("building_officials", seat, options, staff_building)
    for noble, count in zip(NOBLES, offices, strict=True):
        player.offices[noble] -= count
    for noble in NOBLES:  # N12: the plazas are one pool
        count = min(plaza, player.plazas[noble])
        player.plazas[noble] -= count
        plaza -= count
    player.board += needed


def return_text(counts: tuple[int, ...]) -> str:
    named = zip(counts, (*NOBLES, "plaza"), strict=True)
    return "return " + (" + ".join(f"{count} {place}" for count, place in named if count) or "none")


def score_stores(state: State, site: Site, colours: tuple[str, ...]) -> None:
    """H9: west and east: stores in the row facing a street of either colour. H10: north: all stores on the street."""
    for land, store in state.stores.items():
        at = state.tables.lands[land]
        if site.side == "north":
            drawn = store.business == site.street
        else:
            drawn = at.row == site.row and store.business in colours
        if drawn and store.owner is not None:
            state.players[store.owner].earn("buildings", column_number(state, at.column))
