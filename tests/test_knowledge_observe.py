"""An observation holds what its seat may know and nothing else (docs/rules.md, "Who sees what").

Random games are changed at random moments: where the seat cannot tell, not a byte may differ; where it can, one must.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable

import pytest
from hidden import (
    BLUE,
    DRAFT,
    ENGINE,
    KIND,
    SETUP,
    UNKNOWN,
    Fields,
    Moment,
    hand,
    moments,
    put_packets,
    shown,
    shuffled,
    sight,
    stage,
    taker,
)
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine_ext import core

FIXED = settings(derandomize=True, deadline=None, max_examples=45, suppress_health_check=list(HealthCheck))
GAMES = {
    "seats": st.integers(2, 4),
    "queen": st.booleans(),
    "draft": st.booleans(),
    "seed": st.integers(0, 2**32 - 1),
}


@FIXED
@given(**GAMES)
def test_nothing_hidden_changes_an_observation(seats: int, queen: bool, draft: bool, seed: int) -> None:
    rng = random.Random(seed)
    for moment in moments(seats, seed, queen=queen, draft=draft, chance=0.1):
        for seat in range(seats):
            other = shuffled(moment, seat, rng)
            assert bytes(other.observe(seat)) == bytes(moment.game.observe(seat))
            if moment.game.seat == seat:
                assert sorted(other.legal()) == sorted(moment.game.legal()), "what one may do says nothing hidden"


def test_what_is_shuffled_does_differ_and_each_rival_can_tell() -> None:
    """Else the test above could not fail."""
    differ = told = 0
    for moment in moments(3, 8, chance=0.3):
        if moment.game.period == 1 or moment.game.turn < 2:
            continue
        other = shuffled(moment, 0, random.Random(moment.game.turn))
        differ += other != moment.game
        told += all(other.observe(seat) != moment.game.observe(seat) for seat in (1, 2))
    assert differ > 20
    assert told > 20


# --- what a seat does know --------------------------------------------------------------------------------------------

RESTRICTED = [decree["not_for_2"] for decree in ENGINE.tables()["decrees"]]
Change = Callable[[Fields, int, frozenset[int], random.Random], bool]
"""Changes something that the seat knows, in a state's fields; False where there is nothing of the kind to change."""


def own_hand(fields: Fields, seat: int, undealt: frozenset[int], rng: random.Random) -> bool:
    mine = [i for i, card in enumerate(hand(fields, seat)) if card in BLUE]
    if not mine or fields["options"] & DRAFT:
        return False
    fields["players"][seat]["hand"][rng.choice(mine)] = min(undealt)
    return True


def card_taken_by_a_rival(fields: Fields, seat: int, undealt: frozenset[int], rng: random.Random) -> bool:
    """Against the card of the same deck that lies open now: all cards but the dealt ones are taken openly (B16)."""
    for other in range(fields["seats"]):
        for i, card in enumerate(hand(fields, other)):
            for noble in range(4):
                deck, top = fields["decks"][fields["period"]][noble], fields["deck_pos"][noble]
                if other != seat and card in deck and fields["face_up"] >> noble & 1:
                    fields["players"][other]["hand"][i] = deck[top]
                    deck[deck.index(card)], deck[top] = deck[top], card
                    return True
    return False


def kind_of_a_hidden_card(fields: Fields, seat: int, undealt: frozenset[int], rng: random.Random) -> bool:
    """Backs are blue or purple: a rival's hidden blue card against a purple one that was dealt to nobody."""
    for other in range(fields["seats"]):
        for i, card in enumerate(hand(fields, other)):
            if other != seat and card in BLUE and fields["purple_pos"] < 21:
                fields["players"][other]["hand"][i], fields["purple"][20] = fields["purple"][20], card
                return True
    return False


def open_card(fields: Fields, seat: int, undealt: frozenset[int], rng: random.Random) -> bool:
    for noble in range(4):
        deck, top = fields["decks"][fields["period"]][noble], fields["deck_pos"][noble]
        if top < 4 and fields["face_up"] >> noble & 1:
            deck[top], deck[4] = deck[4], deck[top]
            return True
    return False


def open_decree(fields: Fields, seat: int, undealt: frozenset[int], rng: random.Random) -> bool:
    deck, position, display = fields["decree_deck"], fields["decree_pos"], fields["display"]
    for i, decree in enumerate(display):
        allowed = [d for d in deck[position:] if not RESTRICTED[d] or fields["seats"] > 2]
        if decree != UNKNOWN and allowed:
            j, k = deck.index(decree), deck.index(allowed[0])
            display[i], deck[j], deck[k] = allowed[0], allowed[0], decree
            return True
    return False


def church_tile(fields: Fields, seat: int, undealt: frozenset[int], rng: random.Random) -> bool:
    bag, position = fields["clergy_bag"], fields["clergy_pos"]
    for gap, tile in enumerate(fields["church"]):
        if tile != UNKNOWN and position < len(bag):
            i = bag.index(tile)
            fields["church"][gap], bag[i], bag[position] = bag[position], bag[position], tile
            return True
    return False


def place_of_a_church_tile(fields: Fields, seat: int, undealt: frozenset[int], rng: random.Random) -> bool:
    church = fields["church"]
    church[0], church[3] = church[3], church[0]
    return bool(church[0] != church[3])


def own_drawn_tile(fields: Fields, seat: int, undealt: frozenset[int], rng: random.Random) -> bool:
    """Also after the choice: who rejected a tile knows which it was."""
    if fields["phase"] != SETUP:
        return False
    fields["drawn"][seat][0], fields["clergy_bag"][-1] = fields["clergy_bag"][-1], fields["drawn"][seat][0]
    return True


def displayed_building(fields: Fields, seat: int, undealt: frozenset[int], rng: random.Random) -> bool:
    stack, top = fields["buildings"][0], fields["building_pos"][0]
    if top + 1 < 8:
        stack[top], stack[top + 1] = stack[top + 1], stack[top]
    return bool(top + 1 < 8)


def next_building(fields: Fields, seat: int, undealt: frozenset[int], rng: random.Random) -> bool:
    stack, place = fields["buildings"][1], fields["building_pos"][1] + 1
    if place < 7:
        stack[place], stack[7] = stack[7], stack[place]
    return bool(place < 7)


def next_plan(fields: Fields, seat: int, undealt: frozenset[int], rng: random.Random) -> bool:
    """Plan stacks are open in full."""
    stack, top = fields["plan_stack"][0], fields["plan_pos"][0]
    if top < 7:
        stack[7], stack[6] = stack[6], stack[7]
    return bool(top < 7)


def packet_in_hand(fields: Fields, seat: int, undealt: frozenset[int], rng: random.Random) -> bool:
    """A card of the packet that the seat chooses from, against one that was dealt to nobody."""
    return _replace_a_seen_card(fields, seat, undealt, here=True)


def packet_passed_on(fields: Fields, seat: int, undealt: frozenset[int], rng: random.Random) -> bool:
    return _replace_a_seen_card(fields, seat, undealt, here=False)


def _replace_a_seen_card(fields: Fields, seat: int, undealt: frozenset[int], here: bool) -> bool:
    if not fields["options"] & DRAFT:
        return False
    was_shown, now = shown(fields), stage(fields, seat)
    held = (seat - now.pass_) % fields["seats"]
    for group in sight(fields, seat).groups:
        for packet, i in group:
            if (packet == held and now.pass_ < 3) == here and not was_shown:
                put_packets(fields, {(packet, i): min(undealt)}, was_shown)
                return True
    return False


def which_packet_a_card_passed_in(fields: Fields, seat: int, undealt: frozenset[int], rng: random.Random) -> bool:
    """Two cards of different groups: the seats that can hold the one are not those that can hold the other."""
    if not fields["options"] & DRAFT:
        return False
    was_shown = shown(fields)
    groups = [[place for place in group if place not in was_shown] for group in sight(fields, seat).groups]
    for first in groups:
        for second in groups:
            takers = {taker(fields, p) for p in first} ^ {taker(fields, p) for p in second}
            if first and second and first is not second and takers:
                (p, i), (q, j) = first[0], second[0]
                cards = fields["packets"]
                put_packets(fields, {(p, i): cards[q][j], (q, j): cards[p][i]}, was_shown)
                return True
    return False


def own_pick(fields: Fields, seat: int, undealt: frozenset[int], rng: random.Random) -> bool:
    """What one kept, against what one passed on."""
    if not fields["options"] & DRAFT:
        return False
    was_shown, cards = shown(fields), fields["packets"][seat]
    picked, passed = (seat, 0), (seat, 4)
    if len(sight(fields, seat).own) < 2 or picked in was_shown or passed in was_shown:
        return False
    put_packets(fields, {picked: cards[4], passed: cards[0]}, was_shown)
    return True


KNOWN: tuple[Change, ...] = (
    own_hand, card_taken_by_a_rival, kind_of_a_hidden_card, open_card, open_decree, church_tile,
    place_of_a_church_tile, own_drawn_tile, displayed_building, next_building, next_plan, packet_in_hand,
    packet_passed_on, which_packet_a_card_passed_in, own_pick,
)  # fmt: skip


@pytest.mark.parametrize("change", KNOWN, ids=lambda change: change.__name__)
def test_everything_known_changes_an_observation(change: Change) -> None:
    rng = random.Random(3)
    tried: Counter[int] = Counter()
    for seats in (2, 3, 4):
        for draft in (False, True):
            for moment in moments(seats, 10 * seats + draft, draft=draft, chance=0.15):
                tried[seats] += _noticed(moment, change, rng)
    assert all(tried[seats] >= 3 for seats in (2, 3, 4)), tried


def _noticed(moment: Moment, change: Change, rng: random.Random) -> int:
    """How many seats had something of the kind to notice; each must have."""
    tried = 0
    for seat in range(moment.game.seats):
        fields = moment.game.fields()
        if moment.game.over or not change(fields, seat, moment.undealt, rng):
            continue
        other = core.Game.from_fields(ENGINE, fields)
        assert other.observe(seat) != moment.game.observe(seat), f"{change.__name__}, seat {seat}, {moment.game}"
        tried += 1
    return tried


def test_who_kept_which_of_two_passed_cards_is_hidden_until_one_is_shown() -> None:
    """N2 with three: seat 0's packet comes back in the last pass; seats 1 and 2 took one card each in between."""
    hidden = settled = 0
    for moment in moments(3, 21, draft=True, chance=0.5):
        fields = moment.game.fields()
        if stage(fields, 0).pass_ < 3:
            continue
        was_shown, cards = shown(fields), fields["packets"][0]
        between = [(0, 2), (0, 3)]
        assert [taker(fields, place) for place in between] == [1, 2]
        seen = bytes(moment.game.observe(0))
        if not any(place in was_shown for place in between):
            put_packets(fields, {between[0]: cards[3], between[1]: cards[2]}, was_shown)
            assert bytes(core.Game.from_fields(ENGINE, fields).observe(0)) == seen
            hidden += 1
        else:
            observed = moment.game.observe(0).fields()["packets"][0]
            assert observed[2:4] == cards[2:4], "each card is known to have been its taker's"
            settled += 1
    assert min(hidden, settled) > 5


def test_an_observer_cannot_tell_what_is_drawn_from_a_rivals_pending_choice() -> None:
    """A6: two tiles drawn, one kept openly; the other is known to its drawer only."""
    game = core.Game.deal(ENGINE, 3, 4)
    assert game.kind == KIND["keep_clergy"]
    first, second = game.legal()
    fields = game.fields()
    fields["drawn"][0] = [fields["clergy_bag"][20], fields["clergy_bag"][30]]
    fields["clergy_bag"][20], fields["clergy_bag"][30] = first, second
    other = core.Game.from_fields(ENGINE, fields)
    assert [bytes(other.observe(seat)) == bytes(game.observe(seat)) for seat in range(3)] == [False, True, True]
    assert game.observe(1).legal() == [tile for tile in range(37) if tile not in fields["drawn"][1]]
