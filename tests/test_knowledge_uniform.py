"""Samples are uniform over every deal that agrees with an observation, and over no other.

The deals are enumerated here by brute force, from positions with little left that is hidden. Counts of many samples are
compared with that by chi-square; seeds are fixed, so that a test that passes once always passes.
"""

from __future__ import annotations

import functools
import itertools
from collections import Counter
from collections.abc import Callable, Hashable
from typing import Any, NamedTuple

import pytest
from hidden import (
    BLUE,
    DECK,
    ENGINE,
    KIND,
    PURPLE,
    Fields,
    chi_square,
    hand,
    moments,
    put_hand,
    sampled,
)

from engine_ext import core

TOO_FAR = 5.0
"""Standard deviations. What is uniform stays below; a card that is dealt a fifth too often is far above."""
SAMPLES = 20_000
FEWER = 8_000


# --- a late position: a few of everything hidden --------------------------------------------------------------------


class Late(NamedTuple):
    game: core.Game
    blue: list[int]  # hidden from seat 0: in rivals' hands, or dealt to nobody
    purple: list[int]


@functools.cache
def late() -> Late:
    """Three players in period 2, seat 0 to move. Hidden from seat 0: 5 blue and 4 purple cards, 4 of each stack.

    Seat 1 holds 1 hidden blue and 1 hidden purple card, and one taken from the display; seat 2 holds 2 and 1.
    """
    fields = next(m.game.fields() for m in moments(3, 1) if m.game.period == 1 and m.game.kind == KIND["play_card"])
    assert (fields["deck_pos"], fields["active"]) == ([0] * 4, 0)
    open_cards = set()
    for player in fields["players"][:3]:
        open_cards |= {*player["top"][: player["n_top"]], *player["bottom"][: player["n_bottom"]]}
    blue, purple = sorted(BLUE - open_cards), sorted(PURPLE - open_cards)
    taken = fields["decks"][1][1][0]
    put_hand(fields, 0, [blue[0], purple[0]])
    put_hand(fields, 1, [blue[1], purple[1], taken])
    put_hand(fields, 2, [blue[2], blue[3], purple[2]])
    fields["purple_pos"] = 19
    fields["purple"][19:] = purple[3:5]
    fields["deck_pos"] = [0, 2, 3, 5]
    fields["face_up"] = 0b0111
    discarded = {card for card in range(82) if DECK[card] == "red"} | {*blue[6:], *purple[5:]}
    discarded |= {card for deck, n in zip(fields["decks"][1], (0, 2, 3, 5), strict=True) for card in deck[:n]}
    fields["gone_cards"] = [0, 0]
    for card in discarded - open_cards - {taken}:
        fields["gone_cards"][card >> 6] |= 1 << (card & 63)
    _use_up_stacks(fields)
    return Late(core.Game.from_fields(ENGINE, fields), blue[1:6], purple[1:5])


def _use_up_stacks(fields: Fields) -> None:
    """All but 4 decrees and clergy tiles have been seen, all but 2 of each stack of buildings."""
    for decree in fields["decree_deck"][fields["decree_pos"] : 66]:
        fields["players"][1]["decrees"][decree >> 6] |= 1 << (decree & 63)
    for tile in fields["clergy_bag"][fields["clergy_pos"] : 33]:
        fields["gone_clergy"] |= 1 << tile
    fields.update(decree_pos=66, clergy_pos=33)
    free = [site for site, building in enumerate(fields["site_building"]) if building == -1]
    for side in range(2):
        for tile in fields["buildings"][side][fields["building_pos"][side] : 4]:
            site = free.pop()
            fields["site_building"][site] = 2 * tile + side
            fields["site_owner"][site] = 0
        fields["building_pos"][side] = 4


def hidden_cards(fields: Fields, kind: frozenset[int]) -> tuple[frozenset[int], ...]:
    return tuple(frozenset(hand(fields, seat)) & kind for seat in (1, 2))


ZONES: dict[str, Callable[[Fields], Hashable]] = {
    "blue": lambda f: hidden_cards(f, BLUE),
    "purple": lambda f: hidden_cards(f, PURPLE),
    "decks": lambda f: tuple((*sorted(f["decks"][1][i][:n]), *f["decks"][1][i][n:]) for i, n in enumerate((0, 2, 3))),
    "decrees": lambda f: tuple(f["decree_deck"][66:]),
    "clergy": lambda f: tuple(f["clergy_bag"][33:]),
    "buildings": lambda f: tuple(tuple(stack[6:]) for stack in f["buildings"]),
}


def deals_of(zone: str) -> Counter[Any]:
    """Every consistent deal of a part of the late position, each as often as chance can deal it."""
    fields = late().game.fields()
    if zone == "blue":
        return Counter((frozenset(p[:1]), frozenset(p[1:3])) for p in itertools.permutations(late().blue))
    if zone == "purple":
        return Counter((frozenset(p[:1]), frozenset(p[1:2])) for p in itertools.permutations(late().purple))
    if zone == "decks":  # seen: the open card, and those taken before it
        seen = zip(fields["decks"][1], (1, 3, 4), strict=False)
        orders = [
            [(*sorted(deck[: n - 1]), deck[n - 1], *rest) for rest in itertools.permutations(deck[n:])]
            for deck, n in seen
        ]
        return Counter(itertools.product(*orders))
    if zone == "buildings":
        tiles = [tile for stack in fields["buildings"] for tile in stack[6:]]
        return Counter((p[:2], p[2:]) for p in itertools.permutations(tiles))
    items = fields["decree_deck"][66:] if zone == "decrees" else fields["clergy_bag"][33:]
    return Counter(itertools.permutations(items))


@functools.cache
def late_samples() -> tuple[dict[str, Any], ...]:
    observation = late().game.observe(0)
    worlds = (observation.sample_world(seed).fields() for seed in range(SAMPLES))
    return tuple({zone: outcome(world) for zone, outcome in ZONES.items()} for world in worlds)


@pytest.mark.parametrize(
    ("zone", "deals"),
    # 5 cards to hands of 1 and 2; 4 to hands of 1 and 1; orders of 4, 2 and 1 cards; orders of 4
    [("blue", 30), ("purple", 12), ("decks", 48), ("decrees", 24), ("clergy", 24), ("buildings", 24)],
)
def test_every_consistent_deal_is_sampled_equally_often(zone: str, deals: int) -> None:
    expected = deals_of(zone)
    assert len(expected) == deals
    assert len(set(expected.values())) == 1
    assert chi_square(Counter(sample[zone] for sample in late_samples()), expected) < TOO_FAR


@pytest.mark.parametrize(("one", "other"), list(itertools.combinations(ZONES, 2)))
def test_what_is_hidden_in_one_place_says_nothing_about_another(one: str, other: str) -> None:
    expected = {(a, b): n * m for a, n in deals_of(one).items() for b, m in deals_of(other).items()}
    assert chi_square(Counter((sample[one], sample[other]) for sample in late_samples()), expected) < TOO_FAR


# --- under assumptions of the caller --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("first", "second", "deals"),
    [
        # Of the 5 blue cards, by place, seat 1 holds one and seat 2 two.
        ((0,), (), 6),  # seat 2: 2 of 4
        ((), (3,), 4 * 3),  # seat 1: 1 of 4; seat 2: 1 of the other 3
        ((4,), (2,), 3),
        ((), (1, 2), 3),
    ],
)
def test_under_an_assumption_the_rest_stays_uniform(
    first: tuple[int, ...], second: tuple[int, ...], deals: int
) -> None:
    one, two = ({late().blue[i] for i in places} for places in (first, second))
    expected = {deal: n for deal, n in deals_of("blue").items() if one <= deal[0] and two <= deal[1]}
    assert len(expected) == deals
    assumed = late().game.observe(0).assume(1, sorted(one)).assume(2, sorted(two))
    seen = sampled(assumed, FEWER, lambda world: (hidden_cards(world, BLUE), hidden_cards(world, PURPLE)))
    joint = {(a, b): n * m for a, n in expected.items() for b, m in deals_of("purple").items()}
    assert chi_square(seen, joint) < TOO_FAR


# --- the test of the test -------------------------------------------------------------------------------------------


def test_a_sampler_that_favours_one_card_by_a_fifth_is_found_out() -> None:
    card = late().blue[0]
    fair = [sample["blue"] for sample in late_samples()]
    biased = [deal for i, deal in enumerate(fair) if card in deal[0] or i % 5]
    assert chi_square(Counter(fair), deals_of("blue")) < TOO_FAR < chi_square(Counter(biased), deals_of("blue"))


def test_a_wrong_expectation_is_found_out() -> None:
    """One deal too many, one too few, and one that is thought to be twice as likely."""
    seen = Counter(sample["buildings"] for sample in late_samples())
    right = deals_of("buildings")
    one = next(iter(right))
    assert chi_square(seen, right) < TOO_FAR
    assert chi_square(seen, right | {"a deal that cannot be": 1}) > TOO_FAR
    assert chi_square(seen, {deal: n for deal, n in right.items() if deal != one}) > TOO_FAR
    assert chi_square(seen, right | {one: 2}) > TOO_FAR


def test_samples_that_follow_one_another_are_independent() -> None:
    """Two pools that always went together would each look uniform."""
    deals = list(deals_of("purple"))
    locked = Counter((deal, deal) for deal in (sample["purple"] for sample in late_samples()))
    assert chi_square(locked, dict.fromkeys(itertools.product(deals, deals), 1)) > TOO_FAR
    after = Counter(itertools.pairwise(sample["purple"] for sample in late_samples()))
    assert chi_square(after, dict.fromkeys(itertools.product(deals, deals), 1)) < TOO_FAR


# --- starting clergy tiles ------------------------------------------------------------------------------------------


def choosing(seats: int, seat: int) -> core.Game:
    """The moment at which a seat chooses which starting tile to keep."""
    found = (m.game.copy() for m in moments(seats, 30 + seats) if m.game.kind == KIND["keep_clergy"])
    return next(game for game in found if game.seat == seat)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_tile_that_a_rival_rejected_is_any_that_does_not_lie_open(seats: int) -> None:
    """A6: seat 0 has chosen; for the next seat the other tile is one of all but the open one and its own two."""
    game = choosing(seats, 1)
    fields = game.fields()
    kept = fields["players"][0]["clergy"].bit_length() - 1
    candidates = set(range(37)) - {kept, *fields["drawn"][1]}
    assert len(candidates) == 34
    seen = sampled(game.observe(1), FEWER, lambda f: f["drawn"][0][0])
    assert chi_square(seen, dict.fromkeys(candidates, 1)) < TOO_FAR


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_tiles_that_a_rival_still_chooses_from_are_any_two(seats: int) -> None:
    """37 tiles less the own two: 35 * 34 / 2 = 595 pairs."""
    game = choosing(seats, 0)
    candidates = sorted(set(range(37)) - {*game.fields()["drawn"][0]})
    pairs = [frozenset(pair) for pair in itertools.combinations(candidates, 2)]
    assert len(pairs) == 595
    seen = sampled(game.observe(0), FEWER, lambda f: frozenset(f["drawn"][seats - 1]))
    assert chi_square(seen, dict.fromkeys(pairs, 1)) < TOO_FAR


def test_a_rejected_tile_goes_back_to_any_place_of_the_bag() -> None:
    """N1: with three players the bag has 31 tiles, so seat 0's goes to one of 32 places, seat 1's of 33, 2's of 34."""
    game = choosing(3, 2)
    places = sampled(game.observe(2), FEWER, lambda f: tuple(f["clergy_returns"][:3]))
    for seat, n in enumerate((32, 33, 34)):
        seen: Counter[int] = Counter()
        for returns, count in places.items():
            seen[returns[seat]] += count
        assert chi_square(seen, dict.fromkeys(range(n), 1)) < TOO_FAR


def test_the_church_of_a_sample_is_any_six_tiles_and_an_own_rejected_tile_may_be_among_them() -> None:
    """A6: drawn are 6 of the 31 + 3 tiles, so each is there with 6 chances in 34, a rejected one like any other."""
    game = choosing(3, 2)
    keep = min(game.legal())
    rejected = next(tile for tile in game.legal() if tile != keep)
    open_tiles = sum(player["clergy"] for player in game.fields()["players"][:2])
    church: Counter[int] = Counter()
    for seed in range(FEWER):
        world = game.observe(2).sample_world(seed)
        world.apply(keep)
        church.update(world.fields()["church"])
    assert church.total() == 6 * FEWER
    tiles = [tile for tile in range(37) if not open_tiles >> tile & 1 and tile != keep]
    assert len(tiles) == 34
    assert rejected in tiles
    assert chi_square(church, dict.fromkeys(tiles, 1)) < TOO_FAR


# --- decks not yet laid out -----------------------------------------------------------------------------------------


def test_in_the_first_period_the_brown_decks_lie_in_any_order() -> None:
    """5 cards each: 120 orders; and which card of one deck comes first says nothing about another."""
    game = next(m.game.copy() for m in moments(3, 2) if m.game.kind == KIND["play_card"])
    decks = game.fields()["decks"][1]
    seen = sampled(game.observe(1), FEWER, lambda f: tuple(map(tuple, f["decks"][1])))
    for noble, deck in enumerate(decks):
        orders: Counter[Hashable] = Counter()
        for laid_out, count in seen.items():
            orders[laid_out[noble]] += count
        assert chi_square(orders, dict.fromkeys(itertools.permutations(sorted(deck)), 1)) < TOO_FAR
    tops: Counter[Hashable] = Counter()
    for laid_out, count in seen.items():
        tops[tuple(deck[0] for deck in laid_out)] += count
    assert chi_square(tops, dict.fromkeys(itertools.product(*decks), 1)) < TOO_FAR


@pytest.mark.parametrize(("seats", "undealt"), [(2, 11), (3, 6), (4, 1)])
def test_at_the_start_a_card_not_in_the_own_hand_is_anywhere_by_the_number_of_places(seats: int, undealt: int) -> None:
    """21 blue cards, 5 to each seat: 16 unknown, of which each rival has 5 and the rest is dealt to nobody."""
    game = next(m.game.copy() for m in moments(seats, 50) if m.game.kind == KIND["play_card"])
    card, other = sorted(BLUE - set(hand(game.fields(), 0)))[:2]

    def holder(fields: Fields, which: int) -> int:
        return next((seat for seat in range(1, seats) if which in hand(fields, seat)), 0)

    room = [undealt] + [5] * (seats - 1)
    pairs = {(a, b): room[a] * (room[b] - (a == b)) for a in range(seats) for b in range(seats)}
    assert sum(pairs.values()) == 16 * 15
    seen = sampled(game.observe(0), FEWER, lambda f: (holder(f, card), holder(f, other)))
    assert chi_square(seen, {pair: weight for pair, weight in pairs.items() if weight}) < TOO_FAR
