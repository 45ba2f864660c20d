"""The hand draft (N2): samples are uniform over every way of dealing and choosing that a seat could have seen.

The ways are found by trying: every card in every place, and what the seat would have seen then, worked out from N2, is
compared with what it saw. Nothing of the engine is asked but what happened.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Hashable, Iterator, Mapping

import pytest
from hidden import (
    BLUE,
    FIRST,
    KIND,
    Fields,
    Moment,
    Place,
    chi_square,
    hand,
    moments,
    sampled,
    shown,
    sight,
    stage,
    taker,
)

from engine_ext import core

TOO_FAR = 5.0
SAMPLES = 5_000
Dealt = dict[Place, int]


def packets(fields: Fields) -> Dealt:
    return {(p, i): fields["packets"][p][i] for p in range(fields["seats"]) for i in range(5)}


def view(fields: Fields, dealt: Mapping[Place, int], seat: int) -> Hashable:
    """What a seat sees of a whole draft: each packet that it is handed, what it keeps of it, what is shown later."""
    seen: list[Hashable] = []
    for pass_, first in enumerate(FIRST):
        packet = (seat - pass_) % fields["seats"]
        seen.append(frozenset(dealt[packet, i] for i in range(first, 5)))
        seen.append(frozenset(dealt[packet, i] for i in range(first, first + (1 if pass_ else 2))))
    out = set(shown(fields).values())
    for other in range(fields["seats"]):
        seen.append(frozenset(card for place, card in dealt.items() if taker(fields, place) == other) & out)
    return tuple(seen)


def ways(moment: Moment, seat: int) -> Iterator[Dealt]:
    """Every whole draft that the seat cannot tell from the true one."""
    fields = moment.game.fields()
    true = packets(fields)
    unseen, groups, _ = sight(fields, seat)
    spread = [place for group in groups for place in group]
    seen = view(fields, true, seat)
    showed = {card: taker(fields, place) for place, card in shown(fields).items()}

    def tried(left: list[Place], cards: list[int], dealt: Dealt) -> Iterator[Dealt]:
        if not left:
            if view(fields, dealt, seat) == seen:
                yield dict(dealt)
            return
        # Short cuts: what a seat has shown, it kept; with as many places left for that, nothing else fits there.
        place, holder = left[0], taker(fields, left[0])
        due = [card for card in cards if showed.get(card) == holder]
        room = sum(taker(fields, other) == holder for other in left)
        for card in due if len(due) == room else [card for card in cards if showed.get(card, holder) == holder]:
            rest = [other for other in cards if other != card]
            yield from tried(left[1:], rest, {**dealt, place: card})

    for one in tried(spread, [true[place] for place in spread], true):
        yield from tried(unseen, [true[place] for place in unseen] + sorted(moment.undealt), one)


def hands_of(fields: Fields, dealt: Mapping[Place, int]) -> tuple[frozenset[int], ...]:
    """The blue cards that each seat still holds."""
    out = set(shown(fields).values())
    return tuple(
        frozenset(card for place, card in dealt.items() if taker(fields, place) == seat) - out
        for seat in range(fields["seats"])
    )


def drafted(seats: int, seed: int, unshown: int, settled: int) -> Moment:
    """A moment of a random game when so many cards that seat 0 never saw passing are still held by rivals, and so many
    of those that it did see, without knowing who kept them, were shown since."""
    for moment in moments(seats, seed, draft=True):
        fields = moment.game.fields()
        if stage(fields, 0).pass_ == 3:
            unseen, groups, _ = sight(fields, 0)
            was_shown = shown(fields)
            spread = {place for group in groups if len(group) > 1 for place in group}
            if (len({*unseen} - {*was_shown}), len(spread & {*was_shown})) == (unshown, settled):
                return Moment(moment.game.copy(), moment.undealt)
    raise AssertionError("no such moment")


@pytest.mark.parametrize(
    ("seats", "seed", "unshown", "settled", "hands"),
    [
        # Two players: each packet comes by twice, so only the two cards that the rival kept first were never seen.
        (2, 0, 2, 0, 78),  # any 2 of 2 + 11 undealt
        (2, 0, 1, 0, 12),  # one of 1 + 11
        # Three: of the own packet and of the next, two cards each went to both rivals: 2 ways each, until one is shown.
        (3, 1, 2, 0, 8 * 7 * 2 * 2),  # each rival holds one of 2 + 6 undealt
        (3, 2, 2, 1, 28 * 2),  # both are one rival's
        (3, 2, 2, 2, 28),
        # Four: three cards of the own packet went one to each rival, two of the next packet to two of them.
        (4, 0, 2, 2, 3 * 2 * 6),  # two rivals hold one of 2 + 1; both settled are the two of the next packet
        (4, 12, 3, 1, 4 * 3 * 2 * 2),  # one holds 1, one 2 of 3 + 1; one of the three is settled, two ways are left
    ],
)
def test_rivals_hands_are_as_likely_as_there_are_ways_to_them(
    seats: int, seed: int, unshown: int, settled: int, hands: int
) -> None:
    moment = drafted(seats, seed, unshown, settled)
    fields = moment.game.fields()
    expected = Counter(hands_of(fields, way) for way in ways(moment, 0))
    assert len(expected) == hands
    seen = sampled(
        moment.game.observe(0),
        SAMPLES,
        lambda f: tuple(frozenset(hand(f, seat)) & BLUE for seat in range(seats)),
    )
    assert chi_square(seen, expected) < TOO_FAR


def whole(dealt: Mapping[Place, int]) -> Hashable:
    """A draft; in which order the first two cards of a packet were kept means nothing."""
    return tuple(
        frozenset([card]) if place[1] > 1 else frozenset(dealt[place[0], i] for i in range(2))
        for place, card in sorted(dealt.items())
    )


@pytest.mark.parametrize(("seats", "seed", "unshown", "settled"), [(2, 0, 1, 0), (3, 1, 2, 0), (4, 0, 2, 2)])
def test_whole_drafts_are_equally_likely(seats: int, seed: int, unshown: int, settled: int) -> None:
    """Not only the hands: a card shown later came from any of the places that its seat took unseen."""
    moment = drafted(seats, seed, unshown, settled)
    expected = Counter(whole(way) for way in ways(moment, 0))
    seen = sampled(moment.game.observe(0), SAMPLES, lambda f: whole(packets(f)))
    assert chi_square(seen, expected) < TOO_FAR


def test_a_card_shown_later_settles_whose_it_was() -> None:
    """Seat 0 of three passed two cards on to seats 1 and 2. Once one of them is shown, the other's holder is known."""
    before, after = drafted(3, 2, 5, 0), drafted(3, 2, 2, 1)
    (settled,) = [(p, i) for p, i in shown(after.game.fields()) if (p, i) in ((2, 3), (2, 4))]
    other = (2, 7 - settled[1])
    card = after.game.fields()["packets"][2][other[1]]
    holder = taker(after.game.fields(), other)
    share = {}
    for moment in (before, after):
        worlds = [moment.game.observe(0).sample_world(seed).fields() for seed in range(400)]
        assert all(card in hand(world, 1) + hand(world, 2) for world in worlds)
        share[moment is after] = sum(card in hand(world, holder) for world in worlds) / 400
    assert share[True] == 1.0
    assert 0.4 < share[False] < 0.6


@pytest.mark.parametrize(
    ("assumed", "hands"),
    [
        ({1: (0, 2)}, 56 * 2),  # which of two cards seat 1 kept of seat 0's packet; the other pair stays open
        ({2: (0, 2)}, 56 * 2),
        ({1: (1, 1)}, 7 * 4),  # a card that seat 0 never saw; seat 2 may hold any of the 7 others
        ({1: (2, 3), 2: (2, 0)}, 7 * 2),
    ],
)
def test_under_an_assumption_the_rest_of_a_draft_stays_uniform(assumed: dict[int, Place], hands: int) -> None:
    """Seats 1 and 2 are assumed to hold the card that lies at a place of a packet in truth."""
    moment = drafted(3, 1, 2, 0)
    fields = moment.game.fields()
    observation = moment.game.observe(0)
    cards = {seat: packets(fields)[place] for seat, place in assumed.items()}
    expected: Counter[Hashable] = Counter()
    for way in ways(moment, 0):
        held = hands_of(fields, way)
        if all(card in held[seat] for seat, card in cards.items()):
            expected[held] += 1
    assert len(expected) == hands
    for seat, card in cards.items():
        observation = observation.assume(seat, [card])
    seen = sampled(observation, SAMPLES, lambda f: tuple(frozenset(hand(f, seat)) & BLUE for seat in range(3)))
    assert chi_square(seen, expected) < TOO_FAR


# --- while hands are drafted ------------------------------------------------------------------------------------------


def drafting(seats: int, pass_: int, chooser: int) -> core.Game:
    found = (m.game for m in moments(seats, 60 + seats, draft=True) if m.game.kind == KIND["draft_keep"])
    return next(game.copy() for game in found if (game.context[0], game.seat) == (pass_, chooser))


def is_taken(fields: Fields, place: Place) -> bool:
    """Whether the card at a place has been kept yet."""
    of_pass = next(pass_ for pass_ in (3, 2, 1, 0) if FIRST[pass_] <= place[1])
    now, chosen = stage(fields, taker(fields, place))
    return of_pass < now or (of_pass == now and place[1] - FIRST[now] < chosen)


def spread_over(fields: Fields, dealt: Mapping[Place, int], group: list[Place]) -> Hashable:
    """Who kept which card of a group, and which cards are still in the packet."""
    taken = [place for place in group if is_taken(fields, place)]
    return tuple(dealt[place] for place in taken), frozenset(dealt[place] for place in group if place not in taken)


@pytest.mark.parametrize(
    ("seats", "pass_", "chooser", "observer", "arrangements"),
    [
        (2, 1, 1, 1, 3),  # the rival has kept one of the three that it was passed
        (2, 2, 1, 1, 2),  # and now one of two; what it kept before was seen when the packet came back
        (3, 1, 0, 0, 1),  # nobody has chosen yet from the packet that was passed on
        (3, 1, 2, 0, 3),
        (3, 2, 1, 1, 3 * 2),  # of the own packet seat 2 has kept one of three, then seat 0 one of two
        (3, 2, 2, 2, 3 * 2 * 2),  # the same, and of the packet passed on later seat 0 has kept one of two
        (4, 2, 3, 0, 3 * 2 * 2),
    ],
)
def test_while_drafting_what_passed_is_spread_in_every_way(
    seats: int, pass_: int, chooser: int, observer: int, arrangements: int
) -> None:
    game = drafting(seats, pass_, chooser)
    fields = game.fields()
    groups = sight(fields, observer).groups
    each = []
    for group in groups:
        cards = [packets(fields)[place] for place in group]
        orders = (dict(zip(group, order, strict=True)) for order in itertools.permutations(cards))
        each.append({spread_over(fields, order, group) for order in orders})
    expected = dict.fromkeys(itertools.product(*each), 1)
    assert len(expected) == arrangements
    seen = sampled(
        game.observe(observer),
        SAMPLES,
        lambda world: tuple(spread_over(fields, packets(world), group) for group in groups),
    )
    assert chi_square(seen, expected) < TOO_FAR


@pytest.mark.parametrize(
    ("seats", "pass_", "observer", "never_seen"),
    # 21 cards, less 5 of the own packet, 3 of the next, 2 of the one after that
    [(3, 0, 1, 16), (3, 1, 0, 13), (4, 2, 3, 11), (2, 2, 0, 13)],
)
def test_while_drafting_what_was_never_seen_is_anywhere(seats: int, pass_: int, observer: int, never_seen: int) -> None:
    game = drafting(seats, pass_, 0)
    fields = game.fields()
    unseen, groups, own = sight(fields, observer)
    passed = {packets(fields)[place] for place in [*own, *(place for group in groups for place in group)]}
    pool = BLUE - passed - own_picks(fields, observer)
    assert len(pool) == never_seen
    first, last = unseen[0], unseen[-1]
    seen = sampled(game.observe(observer), SAMPLES, lambda f: (packets(f)[first], packets(f)[last]))
    assert chi_square(seen, dict.fromkeys(itertools.permutations(pool, 2), 1)) < TOO_FAR


def own_picks(fields: Fields, seat: int) -> set[int]:
    return {card for place, card in packets(fields).items() if taker(fields, place) == seat and is_taken(fields, place)}
