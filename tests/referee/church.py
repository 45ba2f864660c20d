"""The cardinal and the church: moving him, clergy tiles, church scoring."""

from __future__ import annotations

from . import effects
from .lookahead import Decision, Play, Routine
from .money import benefit, gain_influence, move_treasury, shed_excess
from .state import State, without

GAPS = 6
MOST_TILES = 4


def tiles_beside(state: State, gap: int) -> list[str]:
    """J2: the tiles on both sides of a gap; gap g lies before tile g. D15: there may be one or none."""
    return [tile for tile in (state.church[(gap - 1) % GAPS], state.church[gap]) if tile is not None]


def step_counts(state: State, seat: int, steps: int) -> list[int]:
    """J1, D15: how far the cardinal may go; not to where there is no tile."""
    most = steps + benefit(state, state.players[seat], "cardinal steps")
    return [n for n in range(1, most + 1) if tiles_beside(state, (state.cardinal + n) % GAPS)]


def can_meet_cardinal(state: State, seat: int, steps: int) -> bool:
    """E13, J11: not with 4 tiles. N14: not if no tile can be reached."""
    return len(state.players[seat].clergy) < MOST_TILES and bool(step_counts(state, seat, steps))


def meet_cardinal(g: Play, seat: int, steps: int) -> Routine:
    """J1-J4: the cardinal moves, a neighbouring tile is taken (N31: with its reward), then the icons passed count."""
    state = g.state
    player = state.players[seat]
    options = {f"cardinal {n}": n for n in step_counts(state, seat, steps)}
    moved = yield Decision("meet_cardinal", seat, options)
    passed = [(state.cardinal + step) % GAPS for step in range(1, moved + 1)]
    state.cardinal = passed[-1]
    tiles = {f"tile {tile}": tile for tile in tiles_beside(state, state.cardinal)}
    tile = yield Decision("clergy_tile", seat, tiles)
    state.church = tuple(None if there == tile else there for there in state.church)
    player.clergy += (tile,)
    printed = state.tables.clergy[tile]
    yield from effects.resolve(g, seat, printed.effects, printed.choice)
    move_treasury(state, passed.count(state.tables.treasury_gap))
    if state.tables.influence_gap in passed and state.church_caller is None:  # J5, J6
        state.church_caller = seat


def church_scoring(g: Play) -> Routine:
    """J4-J8: from the first mover, clockwise, everybody may give tiles for their wigs and one gain of influence."""
    caller = g.state.church_caller
    assert caller is not None
    g.state.church_caller = None
    for seat in g.state.clockwise(caller):
        yield from give_tiles(g, seat)


def give_tiles(g: Play, seat: int) -> Routine:
    """J7, J9, J12: tiles given leave the game. N15: they no longer help this gain. N16: lost room is lost at once."""
    state = g.state
    player = state.players[seat]
    order = list(state.tables.clergy)
    given = 0
    last = -1
    while True:
        later = sorted(order.index(tile) for tile in player.clergy if order.index(tile) > last)
        options: dict[str, int | None] = {f"give {order[number]}": number for number in later}
        options["done"] = None
        number = yield Decision("give_clergy", seat, options)
        if number is None:
            break
        last = number
        given += 1
        player.clergy = without(player.clergy, order[number])
        state.clergy_gone += (order[number],)
        player.earn("church", state.tables.clergy[order[number]].wigs)
        yield from shed_excess(g, seat)
    if given:
        gain_influence(state, player)


def refill_church(state: State) -> None:
    """N30: empty spaces clockwise from the first; J12: if the bag is empty, gaps stay."""
    tiles = list(state.church)
    for space, tile in enumerate(tiles):
        if tile is None and state.clergy_bag:
            tiles[space], *rest = state.clergy_bag
            state.clergy_bag = tuple(rest)
    state.church = tuple(tiles)
