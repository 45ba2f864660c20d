"""What a search is off by beyond sampling: where it is counted, and where it is not."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import pytest
from positions import ENGINE, KIND, TABLES

from engine_ext.core import Game, Observation
from engine_ext.search.searcher import Searcher
from lisboa_ai import cluster, compare, wire
from lisboa_ai.analysis import SearchLimits, SearchOptions, analyse, evaluate, statistics
from lisboa_ai.analysis.model_error import EXACT, LEAD, WIGS, WIN_SHARE, ModelError, model_error, of_turns
from lisboa_ai.analysis.statistics import Merged
from lisboa_ai.compare import compare_observed, sentence

LIMITS = SearchLimits(iterations=400, seed=1)


def early(seats: int = 2, seed: int = 3) -> Observation:
    """What the seat to play knows early in a game of first legal actions."""
    game = Game.deal(ENGINE, seats, seed)
    while game.turn < 3 or game.kind != KIND["play_card"]:
        game.apply(game.legal()[-1])
    return game.observe(game.seat)


def without_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(statistics, "model_error", lambda observation: EXACT)
    monkeypatch.setattr(compare, "model_error", lambda observation: EXACT)


# --- how large --------------------------------------------------------------------------------------------------------


def test_it_is_full_for_most_of_the_game_and_goes_to_nothing_at_its_end() -> None:
    assert of_turns(9.0) == of_turns(2.0) == ModelError(WIN_SHARE, WIGS)
    assert of_turns(1.0) == ModelError(WIN_SHARE / 2, WIGS / 2)
    assert of_turns(0.0) == EXACT


def test_a_difference_has_a_part_of_it_and_a_value_a_blend() -> None:
    assert ModelError(0.1, 12.0).lead == ModelError(0.1 * LEAD, 12.0 * LEAD)
    assert ModelError(0.1, 12.0).value(0.0) == 0.1
    assert ModelError(0.1, 12.0).value(1.0) == pytest.approx(0.1)  # of margins from -60 to 60
    assert ModelError(0.2, 12.0).value(0.5) == pytest.approx(0.15)


def test_a_finished_game_is_exact() -> None:
    game = Game.deal(ENGINE, 2, 1)
    game.play_out(1)
    assert evaluate(game.observe(0)).evaluation.model_error == EXACT


# --- where it is counted ----------------------------------------------------------------------------------------------


def test_every_number_of_a_search_says_it() -> None:
    observation = early()
    found = analyse(observation, LIMITS)
    assert found.evaluation.model_error == model_error(observation) == ModelError(WIN_SHARE, WIGS)
    assert {one.model_error for one in found.candidates} == {found.evaluation.model_error}


def test_candidates_are_told_apart_only_beyond_it(monkeypatch: pytest.MonkeyPatch) -> None:
    observation = early()
    options = SearchOptions(candidates=100)
    honest = analyse(observation, LIMITS, options)
    without_it(monkeypatch)
    sure = analyse(observation, LIMITS, options)
    assert [one.actions for one in sure.candidates] == [one.actions for one in honest.candidates]
    fewer = [one.distinguishable for one in honest.candidates[1:]]
    more = [one.distinguishable for one in sure.candidates[1:]]
    assert sum(fewer) < sum(more)
    needed = statistics.quantile(0.95, len(more)) * of_turns(9.0).lead.value(options.objective)
    best = honest.best.value[observation.seat]
    for one in honest.candidates[1:]:
        if one.distinguishable:
            assert abs(best - one.value[observation.seat]) > needed


def test_parts_merged_from_a_cluster_count_it_once() -> None:
    """More parts make the error of sampling smaller, and that of the model not."""
    observation = early()
    parts = [analyse(observation, replace(LIMITS, seed=seed), SearchOptions(candidates=100)) for seed in range(4)]
    found = cluster.merged(parts)
    assert found.evaluation.model_error == model_error(observation)
    seat, best = observation.seat, found.best
    needed = statistics.quantile(0.95, len(found.candidates) - 1)
    besides = best.model_error.lead.value(SearchOptions().objective)
    for one in found.candidates[1:]:
        apart = abs(best.value[seat] - one.value[seat])
        assert one.distinguishable == (apart > needed * math.hypot(best.value_error, one.value_error, besides))


def test_a_comparison_adds_it_to_the_error_of_a_difference(monkeypatch: pytest.MonkeyPatch) -> None:
    observation = early()
    actions = observation.legal()[:2]
    honest = compare_observed(observation, actions, LIMITS).actions[1].difference
    without_it(monkeypatch)
    sampled = compare_observed(observation, actions, LIMITS).actions[1].difference
    assert honest is not None
    assert sampled is not None
    lead = of_turns(9.0).lead
    assert (honest.win_share, honest.wigs) == (sampled.win_share, sampled.wigs)
    for seat in range(2):
        assert honest.win_share_error[seat] == pytest.approx(math.hypot(sampled.win_share_error[seat], lead.win_share))
        assert honest.wigs_error[seat] == pytest.approx(math.hypot(sampled.wigs_error[seat], lead.wigs))


def test_the_sentence_of_a_comparison_rests_on_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """A difference that sampling alone would make sure of, and that is less than the model may be off by."""
    observation = early()
    monkeypatch.setattr(compare, "model_error", lambda observation: ModelError(10.0, 1000.0))
    first, other = compare_observed(observation, observation.legal()[:2], LIMITS).actions
    assert sentence(TABLES, observation, first, other).endswith("which could be chance.")
    without_it(monkeypatch)
    found = [one.difference for one in compare_observed(observation, observation.legal()[:8], LIMITS).actions[1:]]
    assert any(one is not None and one.distinguishable for one in found)


def test_intervals_on_the_wire_hold_both_errors_and_come_back() -> None:
    observation = early()
    found = analyse(observation, LIMITS)
    advice = wire.advice_to_proto(found, TABLES, SearchOptions())
    seat = advice.candidates[0].seats[0]
    half = 1.96 * math.hypot(seat.win_share_error, WIN_SHARE)
    assert seat.win_share_interval.high - seat.win_share == pytest.approx(half)
    assert seat.wigs_interval.high - seat.wigs == pytest.approx(1.96 * math.hypot(seat.wigs_error, WIGS))
    back = wire.analysis_from_proto(advice.evaluation, advice.report, list(advice.candidates))
    assert back.best.model_error == back.evaluation.model_error == found.best.model_error


# --- decided ----------------------------------------------------------------------------------------------------------


def test_a_lead_that_may_move_far_needs_more_than_the_normal_distribution_says() -> None:
    """Student's t with 4 degrees of freedom: 2.776, 3.747 and 4.604 in the tables, its standard deviation is √2."""
    for confidence, t in ((0.95, 2.776445), (0.98, 3.746947), (0.99, 4.604095)):
        assert statistics.wide_quantile(confidence) == pytest.approx(t / math.sqrt(2), abs=1e-5)


def test_leads_move_less_the_more_the_other_was_visited() -> None:
    assert statistics.drift(1, 0.0) == statistics.drift(2, 0.0) == pytest.approx(0.046 * (2**-0.3 + 3.5))
    assert statistics.drift(2, 1.0) == pytest.approx(3.1 / 120.0 * (2**-0.3 + 3.5))
    moves = [statistics.drift(visits, 0.8) for visits in (1, 10, 100, 1000, 10000)]
    assert moves == sorted(moves, reverse=True)


def test_a_lead_over_what_was_hardly_tried_decides_nothing() -> None:
    """As it was seen: 2,045 visits against 3, a lead of four errors of sampling; a longer search prefers it."""
    observation = early()
    searcher = Searcher(observation, seed=1)
    searcher.run(100)
    found = Merged(observation, [searcher], SearchOptions())
    found.pooled["rewards"] = [0.005] * 2
    found.ranked = [1, 2]
    for visits, decided in ((3, False), (300, True)):
        found.first = {1: (2048, tried(2045, 0.59)), 2: (2048, tried(visits, 0.42))}
        assert found.decided(0.95, 16) is decided
    found.first[2] = (2048, tried(300, 0.585))  # 0.005, that is half a wig: leads move by more
    assert found.decided(0.95, 16) is False


def tried(visits: int, value: float) -> dict[str, Any]:
    """The sums of an action worth so much to every seat, each visit with a variance of 0.005."""
    return {
        "visits": visits,
        "rewards": [visits * value] * 2,
        "reward_squares": [visits * (value * value + 0.005)] * 2,
    }
