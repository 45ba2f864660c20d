"""The Royal Court: visiting a noble, following a visit, sponsoring an event."""

from __future__ import annotations

from . import city, decrees, effects, public_buildings, state_actions
from .lookahead import DeadEnd, Decision, Play, Routine, must_complete, possible
from .money import amount_text, benefit, pay_reis, treasury_influence, treasury_reis
from .state import Player, State, without
from .tables import STATE_ACTIONS

# --- the price ------------------------------------------------------------------------------------------------------


def visit_cost(state: State, player: Player, noble: str, *, following: bool) -> int:
    """C14, C15, D7, N22: the treasury's influence and the rivals in the office, less discounts; floor 0.

    N30: whoever ignores officials ignores the neutral ones too. E9: plazas do not count.
    """
    cost = treasury_influence(state) - benefit(state, player, f"visit {noble}")
    if following:
        cost -= benefit(state, player, "follow")
    if not benefit(state, player, f"visit {noble} ignores officials"):
        cost += state.neutral + sum(rival.offices[noble] for rival in state.players if rival is not player)
    return max(0, cost)


def pay_visit(g: Play, seat: int, cost: int) -> Routine:
    """C7-C9: influence, and wigs for what it falls short. C11-C13: with the second left house any part in réis."""
    player = g.state.players[seat]
    most_reis = min(cost, player.reis) if player.houses["left"] >= 2 else 0
    splits = {}
    for reis in range(most_reis + 1):
        for wigs in range(min(cost - reis, player.score) + 1):
            influence = cost - reis - wigs
            # C8, C12: wigs only once influence is used up.
            if influence > player.influence or (wigs and influence < player.influence):
                continue
            splits[amount_text(influence, reis, wigs)] = (influence, reis, wigs)
    if not splits:
        raise DeadEnd
    influence, reis, wigs = yield Decision("visit_cost", seat, splits)
    player.influence -= influence
    player.reis -= reis
    if wigs:
        player.earn("paid", -wigs)


# --- noble actions --------------------------------------------------------------------------------------------------


def noble_actions(g: Play, seat: int, noble: str) -> list[str]:
    """What the noble's own action may be now. M10: with the Queen out, the Marquis' is a store or a building."""
    if noble == "marquis" and not g.state.queen_out:
        return ["decree"] if decrees.can_take_decree(g.state) else []
    found = []
    if noble != "king" and city.can_build_store(g, seat):
        found.append("store")
    if noble != "maia" and public_buildings.can_open_building(g, seat):
        found.append("building")
    return found


def noble_action(g: Play, seat: int, noble: str) -> Routine:
    options = {f"do {action}": action for action in noble_actions(g, seat, noble)}
    match (yield Decision("noble_action", seat, options)):
        case "decree":
            yield from decrees.take_decree(g, seat)
        case "store":
            yield from city.build_store(g, seat)
        case "building":
            yield from public_buildings.open_building(g, seat)


def state_actions_possible(state: State, seat: int, noble: str) -> list[str]:
    return [action for action in STATE_ACTIONS[noble] if state_actions.can_do(state, seat, action)]


# --- visiting -------------------------------------------------------------------------------------------------------


def visit(g: Play, seat: int, noble: str) -> Routine:
    """D1: cost, perhaps one state action of that noble, then the noble action; D6: then others may follow."""
    yield from must_complete(g, pay_and_prepare, seat, noble)
    yield from noble_action(g, seat, noble)
    for follower in g.state.clockwise(seat)[1:]:
        yield from may_follow(g, follower, noble)


def pay_and_prepare(g: Play, seat: int, noble: str) -> Routine:
    """D5: what comes before the noble action must leave it possible. D3: the state action needs no trade good."""
    state = g.state
    yield from pay_visit(g, seat, visit_cost(state, state.players[seat], noble, following=False))
    options: dict[str, str | None] = {"none": None}
    options |= {f"do {action}": action for action in state_actions_possible(state, seat, noble)}
    action = yield Decision("visit_state_action", seat, options)
    if action is not None:
        yield from state_actions.do(g, seat, action)
    if not noble_actions(g, seat, noble):
        raise DeadEnd


def can_visit(g: Play, seat: int, noble: str) -> bool:
    return possible(g, pay_and_prepare, seat, noble)


# --- following ------------------------------------------------------------------------------------------------------


def may_follow(g: Play, seat: int, noble: str) -> Routine:
    """D6, D8: with the favor, one of the three actions. N25: who can complete none of them is not asked."""
    if noble not in g.state.players[seat].favors or not possible(g, return_favor_and_pay, seat, noble):
        return
    if not (yield Decision("follow", seat, {"pass": False, "follow": True})):
        return
    yield from must_complete(g, return_favor_and_pay, seat, noble)
    options = {f"do {action}": action for action in follow_actions(g, seat, noble)}
    action = yield Decision("follow_action", seat, options)
    if action == "noble":
        yield from noble_action(g, seat, noble)
    else:
        yield from state_actions.do(g, seat, action)


def return_favor_and_pay(g: Play, seat: int, noble: str) -> Routine:
    """D6, D9: the favor goes back first, so that it is there to be got again."""
    state = g.state
    player = state.players[seat]
    player.favors = without(player.favors, noble)
    state.favor_stock[noble] += 1
    yield from pay_visit(g, seat, visit_cost(state, player, noble, following=True))
    if not follow_actions(g, seat, noble):
        raise DeadEnd


def follow_actions(g: Play, seat: int, noble: str) -> list[str]:
    possible_ones = state_actions_possible(g.state, seat, noble)
    return [*possible_ones, "noble"] if noble_actions(g, seat, noble) else possible_ones


# --- sponsoring -----------------------------------------------------------------------------------------------------


def sponsor(g: Play, seat: int, card: str) -> Routine:
    """B20: the treasury's réis, then the event. B19: nobody can follow."""
    yield from must_complete(g, pay_for_event, seat, card)
    event = g.tables.cards[card]
    yield from effects.resolve(g, seat, event.effects, event.choice)


def pay_for_event(g: Play, seat: int, card: str) -> Routine:
    """N8: after paying, something the event does must be possible."""
    state = g.state
    event = g.tables.cards[card]
    price = max(0, treasury_reis(state) - benefit(state, state.players[seat], "sponsor"))
    if price == 0:
        yield Decision("pay_reis", seat, {"pay 0": 0})  # an event for nothing is written down as a payment, too
    yield from pay_reis(g, seat, price)
    if not effects.any_can_happen(g, seat, event.effects, event.choice):
        raise DeadEnd


def can_sponsor(g: Play, seat: int, card: str) -> bool:
    return possible(g, pay_for_event, seat, card)
