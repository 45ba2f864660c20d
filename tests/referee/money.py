"""Influence, réis and wigs; room in warehouse and portfolio; what a player's lasting benefits add up to."""

from __future__ import annotations

from collections.abc import Callable

from .lookahead import DeadEnd, Decision, Play, Routine
from .state import Dock, Player, State, without
from .tables import COLOURS, GOODS

TOP_OF_TRACK = 10
STARTING_CAPACITY = 2
SLOTS = 6
SLOTS_PER_SIDE = 3


def benefit(state: State, player: Player, quantity: str) -> int:
    """The sum of a lasting benefit over treasury cards in the office and clergy tiles held (N22, B15)."""
    benefits = state.tables.benefits
    total = 0
    for thing in player.bottom:
        total += benefits[thing].get(quantity, 0)
    for thing in player.clergy:
        total += benefits[thing].get(quantity, 0)
    return total


# --- influence ------------------------------------------------------------------------------------------------------


def influence_total(state: State, player: Player) -> int:
    """What one gain of influence is: the top row, and benefits even where the row is empty."""
    total = benefit(state, player, "influence gain")
    for dock in player.top:
        source = state.tables.ships.get(dock.holds) or state.tables.cards[dock.holds]
        total += source.influence
    return total


def gain_influence(state: State, player: Player) -> None:
    """C1, C2: up to 10, and a wig on 10, also when already there. C3: a gain of nothing earns no wig."""
    gain = influence_total(state, player)
    if gain == 0:
        return
    player.influence = min(TOP_OF_TRACK, player.influence + gain)
    if player.influence == TOP_OF_TRACK:
        player.earn("influence", 1)


def worth_of_influence(state: State, influence: int) -> int:
    """C4: how many réis can be made of influence: one for each space left of the marker that shows one."""
    return state.tables.influence_worth[influence]


def cash_influence(state: State, player: Player, reis: int) -> None:
    """C4: for each real the marker moves left to the next space that shows one."""
    for _ in range(reis):
        player.influence = max(space for space in state.tables.reis_spaces if space < player.influence)


# --- the treasury ---------------------------------------------------------------------------------------------------


def move_treasury(state: State, steps: int) -> None:
    """B9, B10: the marker stays within its track."""
    state.treasury = min(len(state.tables.treasury_reis), max(1, state.treasury + steps))


def treasury_reis(state: State) -> int:
    return state.tables.treasury_reis[state.treasury - 1]


def treasury_influence(state: State) -> int:
    return state.tables.treasury_influence[state.treasury - 1]


# --- paying ---------------------------------------------------------------------------------------------------------


def funds(state: State, player: Player) -> int:
    """The most that the player can pay: réis in hand and what influence makes."""
    return player.reis + worth_of_influence(state, player.influence)


def amount_text(influence: int, reis: int, wigs: int = 0) -> str:
    parts = [f"{n}{unit}" for n, unit in ((influence, "i"), (reis, "r"), (wigs, "w")) if n]
    return "pay " + ("+".join(parts) or "0")


def pay_reis(g: Play, seat: int, amount: int, surely: Callable[..., Routine] | None = None) -> Routine:
    """C4, C6, C10: any part may come from influence, never from wigs. A price of nothing is not asked for."""
    if amount == 0:
        return
    player = g.state.players[seat]
    fewest = max(0, amount - player.reis)
    most = min(amount, worth_of_influence(g.state, player.influence))
    if fewest > most:
        raise DeadEnd
    splits = {amount_text(n, amount - n): n for n in range(fewest, most + 1)}
    from_influence = yield Decision("pay_reis", seat, splits, surely)
    cash_influence(g.state, player, from_influence)
    player.reis -= amount - from_influence


# --- room -----------------------------------------------------------------------------------------------------------


def warehouse_room(state: State, player: Player) -> int:
    """How many goods of each type the warehouse holds: 2, and 1 more for each set (I2)."""
    return STARTING_CAPACITY + player.sets + benefit(state, player, "capacity warehouse")


def gain_goods(state: State, player: Player, good: str, amount: int) -> int:
    """N27: what finds no room is lost. Returns how many were kept."""
    kept = max(0, min(amount, warehouse_room(state, player) - player.goods[good]))
    player.goods[good] += kept
    return kept


def goods_with_room(state: State, player: Player) -> list[str]:
    room = warehouse_room(state, player)
    return [good for good in GOODS if player.goods[good] < room]


def portfolio_room(state: State, player: Player) -> int:
    """B11: at most min(2 + sets, 6) cards and ships in all."""
    return min(STARTING_CAPACITY + player.sets + benefit(state, player, "capacity portfolio"), SLOTS)


def holdings(player: Player) -> list[str]:
    """Everything in the portfolio."""
    return [dock.holds for dock in player.top] + list(player.bottom)


def needs_discard(state: State, player: Player, side: str) -> list[str]:
    """What may be discarded to make room on a side; empty if there is room.

    B13: if all slots of the side are taken, one of these. B12: if the portfolio is full, anything.
    """
    there = [dock.holds for dock in player.top] if side == "top" else list(player.bottom)
    if len(there) >= SLOTS_PER_SIDE:
        return there
    if len(holdings(player)) >= portfolio_room(state, player):
        return holdings(player)
    return []


def discard_holding(state: State, player: Player, holding: str) -> None:
    """B14: goods under a discarded ship go to the supply. N16: room that is lost with a card is gone at once."""
    if holding in player.bottom:
        player.bottom = without(player.bottom, holding)
    else:
        player.top = tuple(dock for dock in player.top if dock.holds != holding)
    if holding in state.tables.cards:
        state.cards_gone += (holding,)
    drop_excess_goods(state, player)


def drop_excess_goods(state: State, player: Player) -> None:
    """N16: goods beyond the warehouse's room leave at once."""
    room = warehouse_room(state, player)
    for good in GOODS:
        player.goods[good] = min(player.goods[good], room)


def shed_excess(g: Play, seat: int) -> Routine:
    """N16: when room is lost, goods and cards beyond it leave at once; the owner chooses the cards."""
    player = g.state.players[seat]
    drop_excess_goods(g.state, player)
    while len(holdings(player)) > portfolio_room(g.state, player):
        options = {f"shed {holding}": holding for holding in holdings(player)}
        discard_holding(g.state, player, (yield Decision("shed", seat, options)))


def make_room(g: Play, seat: int, side: str) -> Routine:
    """B11-B13, N3: a discard before a card is tucked, only if room is needed."""
    player = g.state.players[seat]
    while candidates := needs_discard(g.state, player, side):
        options = {f"shed {holding}": holding for holding in candidates}
        discard_holding(g.state, player, (yield Decision("make_room", seat, options)))


# --- rubble ---------------------------------------------------------------------------------------------------------


def take_cube(state: State, player: Player, colour: str) -> None:
    """G7: a sixth cube of a colour leaves the game. I2: a new set's marker goes to the Marquis at once."""
    if player.cubes[colour] >= 5:
        state.cubes_gone += (colour,)
        return
    before = player.sets
    player.cubes[colour] += 1
    if player.sets == before:
        return
    player.markers += 1
    if player.sets == (2 if state.period == 1 else 4):
        note_trigger(state, player.seat)


def note_trigger(state: State, seat: int) -> None:
    """K4, N21: who first did what ends the period or the game; once the end is set, nobody."""
    if state.trigger is None and state.last_turn is None:
        state.trigger = seat


def cube_counts(cubes: tuple[str, ...]) -> list[int]:
    return [cubes.count(colour) for colour in COLOURS]


# --- ships at sea ---------------------------------------------------------------------------------------------------


def hull(state: State, dock: Dock) -> int:
    """The hull of the ship in a dock; 0 for a noble card."""
    ship = state.tables.ships.get(dock.holds)
    return ship.hull if ship else 0


def is_docked(state: State, dock: Dock) -> bool:
    """A ship with space for a good."""
    return dock.cargo + dock.crates < hull(state, dock)


def set_sail(state: State, owner: Player, dock: Dock) -> Dock:
    """F8, F7, N32: a full ship packs its cargo up: a wig for each newly packed crate, and benefits for the ship."""
    owner.earn("sailed", dock.cargo + benefit(state, owner, "sail wigs"))
    return dock._replace(cargo=0, crates=dock.cargo + dock.crates)
