"""The state actions of the Builder and the Marquis, and the royal favor. (The cardinal has a room of his own.)"""

from __future__ import annotations

from itertools import combinations

from . import church
from .lookahead import Decision, Play, Routine
from .money import (
    SLOTS_PER_SIDE,
    benefit,
    discard_holding,
    gain_goods,
    gain_influence,
    goods_with_room,
    holdings,
    is_docked,
    move_treasury,
    portfolio_room,
    set_sail,
)
from .state import Dock, Player, State
from .tables import ARCHITECTS, GOODS, NOBLES


def can_do(state: State, seat: int, action: str) -> bool:
    """E4: a state action that cannot do anything may not be chosen."""
    match action:
        case "recruit":
            return can_recruit(state, seat)
        case "plan":
            return can_acquire_plan(state)
        case "ship":
            return can_build_ship(state, seat)
        case "produce":
            return can_produce(state, seat)
        case "cardinal":
            return church.can_meet_cardinal(state, seat, 2)
        case "favor":
            return can_get_favor(state, seat)
    raise ValueError(f"state action: {action!r}")


def do(g: Play, seat: int, action: str) -> Routine:
    match action:
        case "recruit":
            yield from recruit(g, seat, 2)
        case "plan":
            yield from acquire_plan(g, seat)
        case "ship":
            yield from build_ship(g, seat)
        case "produce":
            yield from produce(g, seat)
        case "cardinal":
            yield from church.meet_cardinal(g, seat, 2)
        case "favor":
            yield from get_favor(g, seat)


# --- the Builder ----------------------------------------------------------------------------------------------------


def can_recruit(state: State, seat: int) -> bool:
    """E10: not without officials on the board."""
    return state.players[seat].board > 0


def recruit(g: Play, seat: int, officials: int) -> Routine:
    """E6: up to so many officials, at most one in each office, at least one."""
    player = g.state.players[seat]
    most = min(officials + benefit(g.state, player, "recruit"), player.board, len(NOBLES))
    choices = [offices for count in range(1, most + 1) for offices in combinations(NOBLES, count)]
    options = {f"recruit {'+'.join(offices)}": offices for offices in choices}
    for office in (yield Decision("recruit", seat, options)):
        place_official(g.state, player, office)


def place_official(state: State, player: Player, office: str) -> None:
    """E7: from a full office one official of each colour tied for most goes to its plaza first. E8: neutrals stay."""
    counts = [rival.offices[office] for rival in state.players]
    if sum(counts) + state.neutral >= state.tables.office_spaces:
        for rival in state.players:
            if rival.offices[office] == max(counts):
                rival.offices[office] -= 1
                rival.plazas[office] += 1
    player.board -= 1
    player.offices[office] += 1


def can_acquire_plan(state: State) -> bool:
    """E11: not if both stacks are empty."""
    return any(state.plan_stacks.values())


def acquire_plan(g: Play, seat: int) -> Routine:
    """E11: the top of either stack."""
    state = g.state
    player = state.players[seat]
    options = {f"plan {architect}": architect for architect in ARCHITECTS if state.plan_stacks[architect]}
    architect = yield Decision("acquire_plan", seat, options)
    plan, *rest = state.plan_stacks[architect]
    state.plan_stacks[architect] = tuple(rest)
    player.plans += (plan,)
    player.reis += benefit(state, player, "plan reis")


# --- the Marquis ----------------------------------------------------------------------------------------------------


def ship_places(state: State, player: Player) -> list[str | None]:
    """Where a new ship may go: an empty dock (None), or in the place of what is given up.

    N3: an old ship may always be replaced; a card is discarded only if room is needed (B11-B13).
    """
    top = [dock.holds for dock in player.top]
    if len(top) >= SLOTS_PER_SIDE:
        return list(top)
    if len(holdings(player)) >= portfolio_room(state, player):
        return list(holdings(player))
    return [None, *(holding for holding in top if holding in state.tables.ships)]


def ship_price(state: State, player: Player, place: str | None) -> int:
    """F1-F3: the hull, less the hull of a ship that is replaced (N4), less discounts; never below 0."""
    if player.houses["middle"] >= 3:
        return 0
    discount = benefit(state, player, "ship goods") + (1 if player.houses["middle"] >= 1 else 0)
    old = state.tables.ships[place].hull if place in state.tables.ships else 0
    return max(0, state.tables.ships[state.shipyard[0]].hull - old - discount)


def affordable_places(state: State, player: Player) -> list[str | None]:
    different = sum(1 for amount in player.goods.values() if amount)
    return [place for place in ship_places(state, player) if ship_price(state, player, place) <= different]


def can_build_ship(state: State, seat: int) -> bool:
    """F5: not with an empty shipyard; not without the goods."""
    return bool(state.shipyard) and bool(affordable_places(state, state.players[seat]))


def build_ship(g: Play, seat: int) -> Routine:
    """N5: dock chosen, goods paid, card discarded if needed, ship placed, treasury +1, influence gain (F4)."""
    state = g.state
    player = state.players[seat]
    options = {f"dock {place or 'empty'}": place for place in affordable_places(state, player)}
    place = yield Decision("build_ship", seat, options)
    price = ship_price(state, player, place)
    held = [good for good in GOODS if player.goods[good]]
    payments = {f"goods {'+'.join(goods) or 'none'}": goods for goods in combinations(held, price)}
    for good in (yield Decision("ship_goods", seat, payments)):
        player.goods[good] -= 1
    new, *rest = state.shipyard
    state.shipyard = tuple(rest)
    if place in state.tables.ships:
        replace_ship(state, player, place, new)
    else:
        if place is not None:
            discard_holding(state, player, place)
        player.top += (Dock(new),)
    move_treasury(state, 1)
    gain_influence(state, player)


def replace_ship(state: State, player: Player, old: str, new: str) -> None:
    """F6, F7: cargo and crates move over. N6, N32: what does not fit is lost, cargo first; if full it sails at once."""
    at = [dock.holds for dock in player.top].index(old)
    dock = player.top[at]
    room = state.tables.ships[new].hull
    crates = min(dock.crates, room)
    dock = Dock(new, cargo=min(dock.cargo, room - crates), crates=crates)
    if not is_docked(state, dock):
        dock = set_sail(state, player, dock)
    player.top = (*player.top[:at], dock, *player.top[at + 1 :])


def can_produce(state: State, seat: int) -> bool:
    """E4: only if a store of the player's gives a good for which there is room."""
    businesses = {store.business for store in state.stores.values() if store.owner == seat}
    return bool(businesses.intersection(goods_with_room(state, state.players[seat])))


def produce(g: Play, seat: int) -> Routine:
    """N13: goods from stores, lasting benefits, the house's bonus (F13), then prices fall (F11, F12, F14)."""
    state = g.state
    player = state.players[seat]
    produced = []
    for good in GOODS:
        stores = sum(store.owner == seat and store.business == good for store in state.stores.values())
        if gain_goods(state, player, good, stores):
            produced.append(good)
    for good in produced:
        gain_goods(state, player, good, benefit(state, player, f"produce {good}"))
    with_room = [good for good in produced if good in goods_with_room(state, player)]
    if player.houses["right"] >= 3:
        for good in with_room:
            gain_goods(state, player, good, 1)
    elif player.houses["right"] >= 1 and with_room:
        options = {f"bonus {good}": good for good in with_room}
        gain_goods(state, player, (yield Decision("produce_bonus", seat, options)), 1)
    for good in produced:
        state.prices[good] = max(state.tables.price_lowest[good], state.prices[good] - 1)


# --- royal favors ---------------------------------------------------------------------------------------------------


def favors_to_get(state: State, seat: int) -> list[str]:
    """E12, A8: nobles whose favor the player does not hold, and who have a tile left."""
    held = state.players[seat].favors
    return [noble for noble in NOBLES if noble not in held and state.favor_stock[noble]]


def can_get_favor(state: State, seat: int) -> bool:
    return bool(favors_to_get(state, seat))


def get_favor(g: Play, seat: int) -> Routine:
    player = g.state.players[seat]
    options = {f"favor {noble}": noble for noble in favors_to_get(g.state, seat)}
    noble = yield Decision("get_favor", seat, options)
    g.state.favor_stock[noble] -= 1
    player.favors += (noble,)
    player.reis += benefit(g.state, player, "favor reis")
