"""What a seat knows survives being written down, follows from its own record, and is all that its advice rests on."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from typing import Any, Literal

import pytest
from hidden import BLUE, ENGINE, TABLES, Moment, hand, moments, shuffled
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine_ext import core
from lisboa_ai import notation, wire
from lisboa_ai.analysis import SearchLimits, SearchOptions, analyse
from lisboa_ai.position import Position
from lisboa_ai.record import GameRecord, RecordedAction

FIXED = settings(derandomize=True, deadline=None, max_examples=8, suppress_health_check=list(HealthCheck))


@pytest.mark.parametrize(("seats", "queen", "draft"), [(2, True, False), (3, False, True)])
def test_every_observation_that_a_game_passes_through_is_a_position_as_json_and_as_text(
    seats: int, queen: bool, draft: bool
) -> None:
    """One seat's at each moment, by turns: read back, it is accepted and the same."""
    for i, moment in enumerate(moments(seats, 30 + seats, queen=queen, draft=draft)):
        position = Position(TABLES, moment.game.observe(i % seats))
        for read in (Position.from_json(position.to_json()), Position.from_text(position.to_text())):
            assert bytes(read.observation) == bytes(position.observation)


# --- an observer's record ---------------------------------------------------------------------------------------------


def recorded(seats: int, seed: int, queen: bool, draft: bool, most: int = 10_000) -> tuple[GameRecord, core.Game]:
    """A game played at random, to its end or for so many actions: its record and where it leads."""
    rng = random.Random(seed)
    record = GameRecord.new(TABLES, seats, seed, queen=queen, draft=draft)
    game = record.replay()
    actions: list[RecordedAction] = []
    while not game.over and len(actions) < most:
        argument = rng.choice(game.legal())
        actions.append(RecordedAction(notation.action_text(TABLES, game.kind, game.context, argument)))
        game.apply(argument)
    return replace(record, actions=tuple(actions)), game


@FIXED
@given(seats=st.integers(2, 4), queen=st.booleans(), draft=st.booleans(), seed=st.integers(0, 2**32 - 1))
def test_an_observers_record_leads_to_its_observation_after_every_action(
    seats: int, queen: bool, draft: bool, seed: int
) -> None:
    """Applied to what a seat knew before, an action and what it revealed give what it knows after, byte for byte."""
    record, _ = recorded(seats, seed, queen, draft)
    for seat in range(seats):
        mine = GameRecord.from_text(record.observe(seat).to_text())
        assert len(mine.actions) == len(record.actions)
        truth, known = record.replay(0), mine.start()
        assert isinstance(known, core.Observation)
        assert bytes(known) == bytes(truth.observe(seat))
        for told, action in zip(mine.actions, record.actions, strict=True):
            truth.apply(notation.parse_action(TABLES, truth, action.text))
            argument = notation.parse_action(TABLES, known, told.text)
            known.apply(argument, notation.read_revealed(TABLES, known, told.revealed))
            assert bytes(known) == bytes(truth.observe(seat))
        assert mine.position().observation == truth.observe(seat)


# --- equal knowledge, equal advice ------------------------------------------------------------------------------------


def reply(observation: core.Observation, granularity: Literal["decision", "turn"] = "decision") -> bytes:
    """What the service would answer, but for how long it took."""
    options = SearchOptions(candidates=50, granularity=granularity)
    found = analyse(observation, SearchLimits(iterations=20, seed=3), options)
    return wire.advice_to_proto(replace(found, elapsed=0.0), TABLES, options).SerializeToString(deterministic=True)


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("draft", [False, True])
def test_games_that_differ_only_in_hidden_things_get_the_same_advice(seats: int, draft: bool) -> None:
    rng = random.Random(seats)
    asked: Counter[str] = Counter()
    for moment in moments(seats, 90 + seats, draft=draft, chance=0.03):
        game, kind = moment.game, core.KINDS[moment.game.kind]
        asked[kind] += 1
        if game.over or asked[kind] > 2:
            continue
        other = shuffled(moment, game.seat, rng)
        assert other != game
        for granularity in ("decision", "turn"):
            assert reply(other.observe(game.seat), granularity) == reply(game.observe(game.seat), granularity)
    assert asked["keep_clergy"] > 1
    assert asked["draft_keep"] > 1 or not draft
    assert len(asked) >= 4


def other_setup(record: GameRecord, moment: Moment, seat: int, rng: random.Random) -> dict[str, Any]:
    """A set-up from which the same actions lead to a game that the seat cannot tell from this one.

    Only what still is hidden may change: cards dealt to rivals and not yet played, with those dealt to nobody, and what
    lies below in decks and stacks.
    """
    fields, setup = moment.game.fields(), record.setup
    rivals = [other for other in range(record.seats) if other != seat]
    pool = [c for other in rivals for c in hand(fields, other) if c in BLUE] + sorted(moment.undealt)
    rng.shuffle(pool)
    held = {c for other in rivals for c in hand(fields, other)}
    hands = [list(cards) for cards in setup["hands"]]
    for other in rivals:
        hands[other] = [pool.pop() if c in held else c for c in hands[other]]
    changed = dict(setup, hands=hands)
    for name, first in (("decrees", fields["decree_pos"]), ("purple", fields["purple_pos"])):
        changed[name] = _shuffled_from(setup[name], first, rng)
    changed["decks"] = [
        [
            _shuffled_from(deck, fields["deck_pos"][i] + 1 if period == fields["period"] else 5 * (1 - period), rng)
            for i, deck in enumerate(decks)
        ]
        for period, decks in enumerate(setup["decks"])
    ]
    changed["buildings"] = [
        _shuffled_from(stack, fields["building_pos"][i] + 2, rng) for i, stack in enumerate(setup["buildings"])
    ]
    return changed


def _shuffled_from(items: list[int], first: int, rng: random.Random) -> list[int]:
    tail = items[first:]
    rng.shuffle(tail)
    return items[:first] + tail


@pytest.mark.parametrize(("seats", "actions"), [(2, 15), (3, 40), (4, 60)])
def test_two_records_of_the_truth_that_a_seat_cannot_tell_apart_give_it_the_same_record_and_advice(
    seats: int, actions: int
) -> None:
    """From the set-up on: other hands, decks and stacks, the same actions; read from JSON as a service would."""
    record, game = recorded(seats, 7, False, False, actions)
    assert game.period == 0
    undealt = BLUE - {card for cards in record.setup["hands"][:seats] for card in cards}
    seat = game.seat
    other = replace(record, setup=other_setup(record, Moment(game, frozenset(undealt)), seat, random.Random(seats)))
    first, second = (GameRecord.from_json(r.to_json()) for r in (record, other))
    assert first.replay() != second.replay()
    assert first.observe(seat) == second.observe(seat)
    assert first.observe(seat).to_json() == second.observe(seat).to_json()
    assert reply(first.position(seat).observation) == reply(second.position(seat).observation)
    rival = (seat + 1) % seats
    assert first.observe(rival) != second.observe(rival), "who knows more can tell them apart"


def test_different_knowledge_gives_different_advice() -> None:
    """Else the tests above could not fail: the same seat, in the same place, with another card in its hand."""
    for moment in moments(3, 12, chance=0.1):
        if core.KINDS[moment.game.kind] != "play_card":
            continue
        seat, fields = moment.game.seat, moment.game.fields()
        mine = next(i for i, card in enumerate(hand(fields, seat)) if card in BLUE)
        fields["players"][seat]["hand"][mine] = min(moment.undealt)
        other = core.Game.from_fields(ENGINE, fields)
        assert reply(other.observe(seat)) != reply(moment.game.observe(seat))
        return
    raise AssertionError("no such moment")
