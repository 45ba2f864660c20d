"""What rivals' choices say about the cards in their hands.

A world is as likely as the choices that were seen are in it. Of all choices the cards played say most: who played one
card had not so good a use for the others he held. How good a use is, the cheap policy says, for every card that he
might have held then, in the view of that moment.

>>> from lisboa_ai import beliefs, edition
>>> from engine_ext.core import Game
>>> game = Game.deal(edition.load("house").engine, seats=2, seed=1)
>>> before, card = game.observe(1), game.legal()[-1]
>>> game.apply(card)
>>> found = beliefs.read(game.observe(1), [(before, card)])
>>> [choice.seat for choice in found.choices]
[0]
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from engine_ext.core import KINDS, UNKNOWN_BLUE, UNKNOWN_PURPLE, Game, Observation
from engine_ext.search.searcher import card_weights, sample_hands

from .seeds import seed_of

if TYPE_CHECKING:
    from .record import GameRecord

__all__ = ["NOTHING", "Beliefs", "Choice", "History", "Views", "history", "read", "views"]

History = Sequence[tuple[Observation, int]]
"""What an observer saw of choices, in their order: his view before each, and the argument chosen."""

CARD: Final = 128
"""An argument of a card's play is the card plus this times the way of playing it."""
DECKS: Final = (0, 2)
"""Blue and purple: the decks that hands are dealt from."""
N_CARDS: Final = 82
PLAY_CARD: Final = KINDS.index("play_card")
POOL: Final = 256
"""Deals of the hidden hands that are weighed."""
DRAWN: Final = 64
"""Views drawn from them: a search draws its worlds from these."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A card that a rival played: what was known of his hand then, and how good a use every card would have had.

    shown: the scores of cards now known to have been in that hand, added up. hidden: how many others it held that are
    not known by now either. scores: of every card that may have been among those.
    """

    seat: int
    shown: float
    hidden: int
    scores: dict[int, float]


@dataclass(frozen=True, slots=True)
class Beliefs:
    """The choices that say something about what is still hidden from an observer."""

    observation: Observation
    choices: tuple[Choice, ...]

    def log_weight(self, hands: Sequence[Sequence[int]]) -> float:
        """How likely the choices were with these hidden cards in each seat's hand, as a logarithm, up to a constant."""
        total = 0.0
        for choice in self.choices:
            held = [choice.scores[card] for card in hands[choice.seat] if card in choice.scores]
            if len(held) == choice.hidden:
                total -= math.log(choice.shown + sum(held))
        return total


@dataclass(frozen=True, slots=True)
class Views:
    """An observation with several guesses at the rivals' hidden cards, each as likely as any other.

    effective_samples: how many equally likely deals those are worth that the guesses were drawn from.
    """

    views: tuple[Observation, ...]
    effective_samples: float


NOTHING: Final = Views((), 0.0)
"""Where nothing is known about what is hidden: worlds are drawn from the observation."""


def views(observation: Observation, history: History, seed: int) -> Views:
    """Deals of the hidden hands, drawn in proportion to how likely the choices seen are with them."""
    found = read(observation, history)
    if not found.choices:
        return NOTHING
    hands = sample_hands(observation, seed_of(seed, "beliefs"), POOL)
    logs = [found.log_weight(one) for one in hands]
    top = max(logs)
    weights = [math.exp(log - top) for log in logs]
    total = sum(weights)
    drawn = []
    reached, place = weights[0], 0
    for number in range(DRAWN):  # at equal distances, so that a deal is drawn about as often as it weighs
        while reached < (number + 0.5) / DRAWN * total and place < POOL - 1:
            place += 1
            reached += weights[place]
        view = observation
        for seat, cards in enumerate(hands[place]):
            view = view.assume(seat, cards) if cards else view
        drawn.append(view)
    return Views(tuple(drawn), total**2 / sum(weight * weight for weight in weights))


def history(record: GameRecord, seat: int | None = None) -> History:
    """What a seat saw of the others' cards in a record: the observer's, or with ``seat`` the truth's.

    Raises ``InvalidRecord``.
    """
    found = []
    for moment in record.moments():
        before = moment.before
        if isinstance(before, Game):
            if seat is None:
                raise ValueError("seat: none; allowed: a seat, for a record of the truth")
            before = before.observe(seat)
        if before.kind == PLAY_CARD and before.seat != before.observer:
            found.append((before, moment.played.argument))
    return found


def read(observation: Observation, history: History) -> Beliefs:
    """What a history says about the hands that are hidden from the observer now."""
    hidden = [_blanks(observation, seat) for seat in range(observation.seats)]
    pools = [_unplaced(observation, deck) for deck in DECKS]
    revealed: list[list[int]] = [[] for _ in hidden]  # cards that were hidden at the moment looked at, and are no more
    found: list[Choice] = []
    for view, argument in reversed(history):
        seat = view.seat
        if view.kind != PLAY_CARD or seat == observation.observer:
            continue
        card = argument % CARD
        known = [one for one in _hand(view, seat) if one < N_CARDS]
        if card not in known:
            revealed[seat].append(card)
        blanks = _blanks(view, seat)
        held = [
            [one for one in revealed[seat] if one in _unplaced(view, deck)] if blank else []
            for deck, blank in zip(DECKS, blanks, strict=True)
        ]
        still = [blank - len(cards) for blank, cards in zip(blanks, held, strict=True)]
        if not any(still) or any(one not in (0, now) for one, now in zip(still, hidden[seat], strict=True)):
            continue  # nothing of it is hidden now, or what became of it was not seen
        shown = [*known, *held[0], *held[1]]
        maybe = [one for pool, left in zip(pools, still, strict=True) if left for one in pool]
        weights = card_weights(view, [*shown, *maybe])
        scores = dict(zip(maybe, map(float, weights[len(shown) :]), strict=True))
        found.append(Choice(seat, float(sum(weights[: len(shown)])), sum(still), scores))
    return Beliefs(observation, tuple(reversed(found)))


def _unplaced(observation: Observation, deck: int) -> list[int]:
    """Cards that a hand may hold unseen: of a deck, and in a draft those that the observer passed on."""
    pool = observation.pool(deck)
    if deck != DECKS[0]:
        return pool
    own = _hand(observation, observation.observer)
    passed = {card for packet in observation.fields()["packets"] for card in packet if card < N_CARDS}
    return [*pool, *sorted(passed.difference(pool, own))]


def _hand(observation: Observation, seat: int) -> list[int]:
    player = observation.fields()["players"][seat]
    return list(player["hand"][: player["n_hand"]])


def _blanks(observation: Observation, seat: int) -> list[int]:
    """How many cards of each deck a hand holds that the observer does not know."""
    hand = _hand(observation, seat)
    return [hand.count(blank) for blank in (UNKNOWN_BLUE, UNKNOWN_PURPLE)]
