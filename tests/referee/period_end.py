"""The end of the first period: wigs for sets, new ships, discards for rewards, new hands, new decks."""

from __future__ import annotations

from . import effects
from .church import church_scoring
from .lookahead import Decision, Play, Routine
from .setup import ships_of_period
from .state import State, without
from .tables import NOBLES

HAND = 5


def change_period(g: Play) -> Routine:
    """K2: 3 wigs per set to all; ships swapped; discards for rewards; hands to 5 from purple; brown decks out."""
    state = g.state
    assert state.trigger is not None
    for player in state.players:
        player.earn("sets", 3 * player.sets)
    for cards in state.decks.values():  # K7
        state.cards_gone += cards
    state.decks = dict.fromkeys(state.decks, ())
    state.showing = frozenset()
    state.period = 2
    state.shipyard = ships_of_period(state, 2)
    order = state.clockwise(state.trigger)
    for seat in order:  # K4
        yield from discard_for_rewards(g, seat)
    if state.church_caller is not None:  # N18
        yield from church_scoring(g)
    for seat in order:  # N19
        draw_purple(state, seat)
    state.decks = dict(state.brown)


def discard_for_rewards(g: Play, seat: int) -> Routine:
    """K5: any number of cards; one reward for each noble among them; penalties and treasury cards give nothing."""
    state = g.state
    yield from discard_cards(g, seat)
    for noble in NOBLES:  # N17
        cards = {f"reward {card}": card for card in state.discarded if g.tables.cards[card].noble == noble}
        if not cards:
            continue
        card = yield Decision("discard_reward", seat, cards)
        printed = g.tables.cards[card]
        rewards = [effect for effect in printed.effects if not effect.what.startswith("pay ")]
        choice = [effect for effect in printed.choice if not effect.what.startswith("pay ")]
        yield from effects.resolve(g, seat, rewards, choice)
    state.discarded = ()


def discard_cards(g: Play, seat: int) -> Routine:
    """Cards are named in the edition's order, until the player stops."""
    state = g.state
    player = state.players[seat]
    order = list(g.tables.cards)
    last = -1
    while True:
        later = sorted(order.index(card) for card in player.hand if order.index(card) > last)
        options: dict[str, int | None] = {f"discard {order[number]}": number for number in later}
        options["done"] = None
        number = yield Decision("discard_hand", seat, options)
        if number is None:
            return
        last = number
        player.hand = without(player.hand, order[number])
        state.discarded += (order[number],)
        state.cards_gone += (order[number],)


def draw_purple(state: State, seat: int) -> None:
    player = state.players[seat]
    missing = HAND - len(player.hand)
    player.hand += state.purple[:missing]
    state.purple = state.purple[missing:]
