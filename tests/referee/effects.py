"""Rewards and penalties: what cards, lands, sites, clergy tiles and events do."""

from __future__ import annotations

from collections.abc import Sequence

from . import church, city, decrees, public_buildings, state_actions
from .lookahead import Decision, Play, Routine
from .money import gain_goods, gain_influence, goods_with_room, move_treasury, take_cube
from .state import without
from .tables import COLOURS, GOODS, NOBLES, Effect


def can_happen(g: Play, seat: int, effect: Effect) -> bool:
    """N29, N33: plain gains always can; anything else only if there is something to take, place, do or pay with."""
    state = g.state
    player = state.players[seat]
    match effect.what:
        case "officials":
            return state_actions.can_recruit(state, seat)
        case "plan":
            return state_actions.can_acquire_plan(state)
        case "favor":
            return state_actions.can_get_favor(state, seat)
        case "ship":
            return state_actions.can_build_ship(state, seat)
        case "produce":
            return state_actions.can_produce(state, seat)
        case "cardinal":
            return church.can_meet_cardinal(state, seat, effect.amount)
        case "decree":
            return decrees.can_take_decree(state)
        case "store":
            return city.can_build_store(g, seat)
        case "building":
            return public_buildings.can_open_building(g, seat)
        case "rubble":
            return bool(state.pile)
        case "pay reis":
            return player.reis > 0
        case "pay influence":
            return player.influence > 0
        case "pay wigs":
            return player.score > 0
        case "pay good any":
            return any(player.goods.values())
        case "pay official":
            return any(player.offices.values())
    return True


def any_can_happen(g: Play, seat: int, effects: Sequence[Effect], choice: Sequence[Effect]) -> bool:
    return any(can_happen(g, seat, effect) for effect in (*effects, *choice))


def resolve(g: Play, seat: int, effects: Sequence[Effect], choice: Sequence[Effect] = ()) -> Routine:
    """N9: each effect is judged when its turn comes, and lost if it cannot be carried out; then one of the choice."""
    for effect in effects:
        if can_happen(g, seat, effect):
            yield from carry_out(g, seat, effect)
    options = {f"choose {effect.text.replace(' ', '-')}": effect for effect in choice if can_happen(g, seat, effect)}
    if options:
        chosen = yield Decision("choice", seat, options)
        yield from carry_out(g, seat, chosen)


def carry_out(g: Play, seat: int, effect: Effect) -> Routine:
    """One effect that can happen."""
    state, amount = g.state, effect.amount
    player = state.players[seat]
    what, _, good = effect.what.rpartition(" ")
    if what == "good" and good != "any":
        gain_goods(state, player, good, amount)
        return
    match effect.what:
        case "reis":
            player.reis += amount
        case "wigs":
            player.earn("effects", amount)
        case "good any":
            yield from gain_any_goods(g, seat, amount)
        case "influence":
            gain_influence(state, player)
        case "treasury":
            move_treasury(state, amount)
        case "rubble":
            yield from take_from_pile(g, seat)
        case "officials":
            yield from state_actions.recruit(g, seat, amount)
        case "plan":
            yield from state_actions.acquire_plan(g, seat)
        case "favor":
            yield from state_actions.get_favor(g, seat)
        case "ship":
            yield from state_actions.build_ship(g, seat)
        case "produce":
            yield from state_actions.produce(g, seat)
        case "cardinal":
            yield from church.meet_cardinal(g, seat, amount)
        case "decree":
            yield from decrees.take_decree(g, seat)
        case "store":
            yield from city.build_store(g, seat)
        case "building":
            yield from public_buildings.open_building(g, seat)
        case _:
            yield from pay_penalty(g, seat, effect)


def gain_any_goods(g: Play, seat: int, amount: int) -> Routine:
    """N27: single choices among the types with room."""
    player = g.state.players[seat]
    for _ in range(amount):
        options = {f"gain {good}": good for good in goods_with_room(g.state, player)}
        if options:
            gain_goods(g.state, player, (yield Decision("good_any", seat, options)), 1)


def take_from_pile(g: Play, seat: int) -> Routine:
    """I6: one cube of the player's choice from the pile."""
    state = g.state
    options = {f"rubble {colour}": colour for colour in COLOURS if colour in state.pile}
    colour = yield Decision("rubble_cube", seat, options)
    state.pile = without(state.pile, colour)
    take_cube(state, state.players[seat], colour)


def pay_penalty(g: Play, seat: int, effect: Effect) -> Routine:
    """B6, B7: a penalty takes what there is of it."""
    player, amount = g.state.players[seat], effect.amount
    match effect.what:
        case "pay reis":
            player.reis -= min(amount, player.reis)
        case "pay influence":
            player.influence -= min(amount, player.influence)
        case "pay wigs":
            player.earn("paid", -min(amount, player.score))
        case "pay good any":
            for _ in range(amount):
                options = {f"lose {good}": good for good in GOODS if player.goods[good]}
                if options:
                    player.goods[(yield Decision("pay_good", seat, options))] -= 1
        case "pay official":
            for _ in range(amount):
                options = {f"recall {noble}": noble for noble in NOBLES if player.offices[noble]}
                if options:
                    player.offices[(yield Decision("pay_official", seat, options))] -= 1
                    player.board += 1
        case _:
            raise ValueError(f"effect: {effect.text!r} is not in the vocabulary")
