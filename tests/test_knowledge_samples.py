"""Sampled worlds agree with the observation that they come from, in everything that its seat may know."""

from __future__ import annotations

import random

import pytest
from hidden import BLUE, PURPLE, Fields, Moment, contradictions, hand, moments, shuffled
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine_ext import core
from lisboa_ai import notation
from lisboa_ai.edition import load

FIXED = settings(derandomize=True, deadline=None, max_examples=40, suppress_health_check=list(HealthCheck))
SEEDS = (0, 1, 2, 2**63, 2**64 - 1)


@FIXED
@given(seats=st.integers(2, 4), queen=st.booleans(), draft=st.booleans(), seed=st.integers(0, 2**32 - 1))
def test_every_sample_looks_the_same_to_its_observer_and_breaks_no_law(
    seats: int, queen: bool, draft: bool, seed: int
) -> None:
    for moment in moments(seats, seed, queen=queen, draft=draft, chance=0.05):
        truth = moment.game.fields()
        for seat in range(seats):
            observation = moment.game.observe(seat)
            for sample in SEEDS[: 2 + seat]:
                world = observation.sample_world(sample)
                assert bytes(world.observe(seat)) == bytes(observation)
                assert world.broken() == []
                assert contradictions(world.fields(), truth, seat) == []
                if moment.game.seat == seat:
                    assert sorted(world.legal()) == sorted(observation.legal())
                elif not moment.game.over and core.KINDS[moment.game.kind] != "draft_keep":
                    assert set(world.legal()) <= set(observation.legal())


def test_a_world_that_another_seat_could_tell_from_the_truth_is_named_as_such() -> None:
    """Else the test above could not fail: what seat 0 takes for possible, seat 1 mostly knows better."""
    for draft in (False, True):
        named = asked = 0
        for moment in moments(3, 11, draft=draft, chance=0.4):
            if 0 < moment.game.turn < 12:
                world = shuffled(moment, 0, random.Random(moment.game.turn)).fields()
                named += bool(contradictions(world, moment.game.fields(), 1))
                asked += 1
        assert named > asked // 2 > 3


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("draft", [False, True])
def test_samples_of_different_seeds_differ_and_of_equal_seeds_do_not(seats: int, draft: bool) -> None:
    for moment in moments(seats, 5, draft=draft, chance=0.1):
        if moment.game.turn > 20:
            break
        observation = moment.game.observe(0)
        worlds = [observation.sample_world(seed) for seed in range(8)]
        assert all(a != b for i, a in enumerate(worlds) for b in worlds[:i])
        assert worlds[5] == observation.sample_world(5) == observation.sample_world(5 + 2**64)


def test_sampling_changes_neither_the_observation_nor_the_game() -> None:
    game = core.Game.deal(load("house").engine, 3, 2)
    observation = game.observe(1)
    before, truth = bytes(observation), game.copy()
    observation.sample_world(9).play_out(9)
    assert bytes(observation) == before
    assert game == truth


def test_a_rivals_possible_cards_are_those_that_it_holds_in_some_sample() -> None:
    """``legal`` for a rival names every card that it may hold, and no other."""
    for moment in moments(3, 14, chance=0.2):
        seat = moment.game.seat
        if moment.game.over or core.KINDS[moment.game.kind] != "play_card" or seat == 0:
            continue
        observation = moment.game.observe(0)
        drawn: set[int] = set()
        for seed in range(300):
            drawn.update(observation.sample_world(seed).legal())
        assert drawn == set(observation.legal())


# --- cards taken openly -----------------------------------------------------------------------------------------------


def in_hand(world: core.Game, seat: int) -> set[int]:
    return set(hand(world.fields(), seat))


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("draft", [False, True])
def test_a_card_taken_from_the_display_is_in_its_takers_hand_in_every_sample_until_it_is_played(
    seats: int, draft: bool
) -> None:
    """B16: cards are taken face up, so whoever watched knows whose they are until they leave the hand."""
    tables = load("house")
    rng = random.Random(40 + seats)
    game = core.Game.deal(tables.engine, seats, 40 + seats, draft=draft)
    taken: list[set[int]] = [set() for _ in range(seats)]
    checks = left = 0
    while not game.over:
        kind, seat, active = core.KINDS[game.kind], game.seat, game.active
        argument = rng.choice(game.legal())
        played = set()
        if kind == "take_card":
            taken[seat].add(argument)
        elif kind == "play_card" or (kind == "discard_hand" and argument != core.STOP):
            played = {argument & 127}
            left += argument & 127 in taken[seat]
            taken[seat] -= played
        forced = [step for step in _apply(game, argument) if core.KINDS[step[0]] == "take_card"]
        for _, _, card in forced:  # the last card on the display is taken without being asked
            taken[active].add(card)
        if not (played or kind == "take_card" or forced):
            continue
        for observer in range(seats):
            for seed in (1, 2):
                world = game.observe(observer).sample_world(seed)
                for other in range(seats):
                    assert {c for c in in_hand(world, other) if c not in BLUE | PURPLE} == taken[other]
                    assert not played & in_hand(world, other)
                    checks += len(taken[other])
    assert checks > 500
    assert left > 10


def _apply(game: core.Game, argument: int) -> list[tuple[int, tuple[int, int], int]]:
    game.apply(argument)
    return game.forced()


def test_by_hand_a_taken_card_stays_known_through_the_record() -> None:
    """Seat 0 takes the open King's card; seat 1, whose record says so, samples it there until seat 0 discards it."""
    tables = load("house")
    game = core.Game.deal(tables.engine, 2, 3)
    while core.KINDS[game.kind] != "take_card":
        game.apply(game.legal()[0])
    assert game.seat == 0
    card = next(c for c in game.legal() if tables.cards[c].noble == "king")
    assert notation.action_text(tables, game.kind, game.context, card) == f"take {tables.id('card', card)}"
    game.apply(card)
    assert all(card in in_hand(game.observe(1).sample_world(seed), 0) for seed in range(100))
    assert not any(card in in_hand(game.observe(1).sample_world(seed), 1) for seed in range(100))
    while not (core.KINDS[game.kind] == "play_card" and game.seat == 0):
        game.apply(game.legal()[0] if core.KINDS[game.kind] != "play_card" else min(game.legal()))
    game.apply(card)  # for gold: mode 0 and the card
    assert not any(card in in_hand(game.observe(1).sample_world(seed), s) for seed in range(100) for s in (0, 1))


def test_the_last_card_of_a_display_deck_is_known() -> None:
    """Five known cards a deck: when four have been seen, the fifth is the same in every sample."""
    found = 0
    for moment in moments(2, 6, chance=0.3):
        fields = moment.game.fields()
        for noble in range(4):
            if fields["deck_pos"][noble] + (fields["face_up"] >> noble & 1) == 4:
                last = fields["decks"][fields["period"]][noble][4]
                worlds = [moment.game.observe(1).sample_world(seed).fields() for seed in range(5)]
                assert [world["decks"][fields["period"]][noble][4] for world in worlds] == [last] * 5
                found += 1
    assert found > 5


def test_a_rejected_tile_is_known_to_its_drawer_only() -> None:
    """A6: it is in the bag again, so for its drawer it is in no rival's drawn pair, for others it may be anywhere."""
    for moment in moments(3, 17):
        if core.KINDS[moment.game.kind] != "keep_clergy" or moment.game.seat != 1:
            continue
        rejected = moment.game.fields()["drawn"][0][0]
        samples: dict[int, list[Fields]] = {
            seat: [moment.game.observe(seat).sample_world(seed).fields() for seed in range(400)] for seat in (0, 2)
        }
        assert {world["drawn"][0][0] for world in samples[0]} == {rejected}
        others = {world["drawn"][0][0] for world in samples[2]}
        kept = moment.game.fields()["players"][0]["clergy"].bit_length() - 1
        assert others == set(range(37)) - {kept, *moment.game.fields()["drawn"][2]}
        return
    raise AssertionError("no such moment")


def test_what_was_dealt_in_all_is_never_more_than_there_is() -> None:
    """21 blue cards, 5 dealt to each: with four players one is left, and every sample leaves just one."""
    moment: Moment = next(iter(moments(4, 3)))
    observation = moment.game.observe(2)
    left = {
        min(BLUE - {card for seat in range(4) for card in in_hand(observation.sample_world(seed), seat)})
        for seed in range(200)
    }
    assert left == set(observation.pool(0)) == BLUE - in_hand(moment.game, 2)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_drafting_rivals_possible_plays_are_those_of_some_sample(seats: int) -> None:
    """What a seat may play as far as another can tell is what it may play in one of the worlds that agree."""
    for moment in moments(seats, 61, draft=True):
        if core.KINDS[moment.game.kind] == "play_card" and moment.game.seat and moment.game.turn < 4:
            observation = moment.game.observe(0)
            drawn: set[int] = set()
            for seed in range(400):
                drawn.update(observation.sample_world(seed).legal())
            assert drawn == set(observation.legal())
