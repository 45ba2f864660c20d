"""Levels, and choices without a search: what is picked, what never is, and what is said about it."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any

import pytest

from engine_ext.core import KINDS, Edition, Game
from lisboa_ai import cluster, edition, review, values
from lisboa_ai.analysis import Analysis, SearchLimits, SearchOptions, analyse, evaluate
from lisboa_ai.bots import GreedyBot, LevelBot
from lisboa_ai.compare import compare_observed
from lisboa_ai.levels import HIGHEST, LEVELS, LOWEST, Level, losses, pick
from lisboa_ai.record import GameRecord

HOUSE = edition.load("house")
ENGINE = HOUSE.engine
SEEDS = range(2000)


def position(seats: int = 3, seed: int = 1, turn: int = 6) -> Game:
    """The first decision with at least four actions from a turn on, in a game between players of a low level."""
    game = Game.deal(ENGINE, seats, seed)
    bots = [LevelBot(2, seed=seat) for seat in range(seats)]
    while game.turn < turn or len(game.legal()) < 4:
        game.apply(bots[game.seat].choose(game.observe(game.seat)))
    return game


GAME = position()
SEEN = GAME.observe(GAME.seat)


def found(iterations: int | None = None, seed: int = 1, **options: Any) -> Analysis:
    return analyse(SEEN, SearchLimits(iterations=iterations, seed=seed), SearchOptions(**options))


# --- the pick ---------------------------------------------------------------------------------------------------------


def test_a_pick_is_drawn_by_exp_of_loss_over_temperature() -> None:
    """Losses 0, 0.02 and 0.22 at 0.05, the last above the cap: weights 1, exp(-0.4) and 0."""
    level = Level(iterations=20, temperature=0.05, cap=0.1)
    picks = [pick([0.62, 0.60, 0.40], level, seed) for seed in SEEDS]
    share = math.exp(-0.4) / (1 + math.exp(-0.4))
    assert picks.count(2) == 0
    assert picks.count(1) / len(picks) == pytest.approx(share, abs=4 * math.sqrt(share * (1 - share) / len(picks)))


def test_the_same_seed_picks_the_same() -> None:
    """The first numbers that seeds 2 and 3 draw are 0.956 and 0.238; the first candidate's share is 0.599."""
    level = Level(iterations=20, temperature=0.05, cap=0.1)
    assert [pick([0.62, 0.60, 0.40], level, seed) for seed in (2, 3, 2, 3)] == [1, 0, 1, 0]


def test_the_cap_is_a_loss_that_is_still_played() -> None:
    level = Level(iterations=20, temperature=100.0, cap=0.25)
    assert {pick([0.75, 0.5, 0.49], level, seed) for seed in SEEDS} == {0, 1}


def test_what_looks_better_than_the_best_is_as_good_and_no_better() -> None:
    assert losses([0.5, 0.7, 0.25]) == [0.0, 0.0, 0.25]


def test_without_a_temperature_the_first_is_played() -> None:
    assert {pick([0.5, 0.9, 0.5], LEVELS[HIGHEST], seed) for seed in range(50)} == {0}


def test_higher_levels_search_no_less_and_pick_less_freely() -> None:
    assert (list(LEVELS), LOWEST, HIGHEST) == ([*range(1, 11)], 1, 10)
    assert LEVELS[10] == Level(iterations=None, temperature=0.0, cap=0.0)
    for lower, higher in pairwise(LEVELS[number] for number in range(1, 10)):
        assert (lower.iterations or 0) <= (higher.iterations or 0)
        assert lower.temperature >= higher.temperature
        assert lower.cap >= higher.cap
        assert lower != higher


# --- a search at a level ----------------------------------------------------------------------------------------------


def test_a_level_bounds_the_iterations_and_lower_limits_still_hold() -> None:
    assert found(level=1).iterations == found(level=1).limits.iterations == LEVELS[1].iterations
    assert found(level=1).limits.time is None
    assert found(iterations=3, level=1).iterations == 3
    assert found(iterations=10**9, level=1).iterations == LEVELS[1].iterations


def test_the_highest_level_is_the_search_itself() -> None:
    answer = found(iterations=300, level=10)
    assert answer == found(iterations=300)
    assert answer.choice is answer.best


@pytest.mark.parametrize("granularity", ["decision", "turn"])
def test_a_level_plays_no_candidate_that_loses_more_than_its_cap(granularity: str) -> None:
    level = LEVELS[2]
    worst = 0.0
    for seed in range(40):
        best, *others = found(level.iterations, seed, candidates=1000).candidates
        value = {one.actions[0]: one.value[SEEN.seat] for one in (best, *others)}
        choice = found(seed=seed, level=2, granularity=granularity).choice
        loss = value[best.actions[0]] - value[choice.actions[0]]
        assert loss <= level.cap
        worst = max(worst, loss)
    assert worst > 0.0


def test_the_choice_is_reported_whatever_the_number_of_candidates() -> None:
    """Some seed picks another than the best: it follows the one candidate asked for."""
    answers = [found(seed=seed, level=1, candidates=1) for seed in range(20)]
    others = [one for one in answers if one.chosen]
    assert others
    for one in others:
        assert (len(one.candidates), one.chosen) == (2, 1)
        assert one.choice is one.candidates[1]
        assert one.choice.actions != one.best.actions
        assert one.choice.visits > 0
        assert one.evaluation.win_share == one.best.win_share
    assert all(len(one.candidates) == 1 for one in answers if not one.chosen)


def test_a_turn_at_a_level_begins_with_the_choice() -> None:
    answers = [found(seed=seed, level=1, candidates=2, granularity="turn") for seed in range(12)]
    assert any(one.chosen for one in answers)
    for one in answers:
        alone = found(seed=one.seed, level=1, candidates=1000)
        assert one.choice.actions[0] == alone.choice.actions[0]
        assert len(one.choice.actions) >= 1


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"level": 0}, "level: 0; allowed: 1 to 10"),
        ({"level": 11}, "level: 11; allowed: 1 to 10"),
        ({"level": 3, "algorithm": "pimc"}, "level: 3 with algorithm 'pimc'; allowed: one of the two"),
        ({"level": 3, "algorithm": "greedy"}, "level: 3 with algorithm 'greedy'; allowed: one of the two"),
        (
            {"algorithm": "greedy", "granularity": "turn"},
            "granularity: 'turn'; allowed: decision, as greedy decides without a search",
        ),
        (
            {"algorithm": "best"},
            "algorithm: 'best'; allowed: single, multiple, redeterminizing, pimc, flat, greedy, random",
        ),
    ],
)
def test_options_that_cannot_be_together_are_refused(options: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError) as caught:
        SearchOptions(**options)
    assert str(caught.value) == said


# --- choices without a search -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("algorithm", ["greedy", "random"])
def test_without_a_search_nothing_is_estimated(algorithm: str) -> None:
    one = found(algorithm=algorithm, candidates=1000)
    assert (one.stop_reason, one.iterations, one.nodes, one.chosen) == ("no_search", 0, 0, 0)
    assert sorted(candidate.actions[0] for candidate in one.candidates) == sorted(SEEN.legal())
    for found_of in (*one.candidates, one.evaluation):
        assert found_of.visits == 0
        assert found_of.win_share == found_of.wigs == found_of.rank_distribution == found_of.breakdown == ()
    assert one.choice.line == one.choice.steps
    assert found(algorithm=algorithm, candidates=1000) == one


@pytest.mark.parametrize("algorithm", ["greedy", "random"])
def test_only_and_exclude_hold_without_a_search(algorithm: str) -> None:
    first, second, *_ = SEEN.legal()
    assert [one.actions for one in found(algorithm=algorithm, only=(second,)).candidates] == [(second,)]
    assert (first,) not in [one.actions for one in found(algorithm=algorithm, exclude=(first,)).candidates]


def test_a_random_choice_takes_every_action_and_another_at_other_decisions() -> None:
    assert {found(seed=seed, algorithm="random").choice.actions[0] for seed in range(400)} == set(SEEN.legal())


def test_the_greedy_choice_gains_most_wigs_at_once() -> None:
    """The gain of each candidate, in the order given, never rises: nothing hidden matters where clergy is given."""
    asked = 0
    for deal in range(4):
        game = Game.deal(ENGINE, 2, deal)
        bots = [GreedyBot(seat) for seat in range(2)]
        while not game.over:
            if KINDS[game.kind] == "give_clergy":
                order = analyse(
                    game.observe(game.seat), options=SearchOptions(algorithm="greedy", candidates=1000)
                ).candidates
                gains = [gain(game, one.actions[0]) for one in order]
                assert gains == sorted(gains, reverse=True)
                asked += len(set(gains)) > 1
            game.apply(bots[game.seat].choose(game.observe(game.seat)))
    assert asked


def gain(game: Game, argument: int) -> int:
    """The change of own wigs minus the rival's, of two."""
    after = game.copy()
    after.apply(argument)
    own, rival = (after.wigs()[seat] - game.wigs()[seat] for seat in (game.seat, 1 - game.seat))
    return own - rival


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (SearchOptions(level=3), "level: 3; allowed: none, in "),
        (
            SearchOptions(algorithm="greedy"),
            "algorithm: 'greedy'; allowed: single, multiple, redeterminizing, pimc, flat, in ",
        ),
    ],
)
def test_what_judges_takes_a_search_that_plays_its_best(options: SearchOptions, said: str) -> None:
    limits = SearchLimits(iterations=10)
    record = GameRecord.new(HOUSE, 2, 1)
    with pytest.raises(ValueError, match=said + "an evaluation"):
        evaluate(SEEN, limits, options)
    with pytest.raises(ValueError, match=said + "a comparison"):
        compare_observed(SEEN, SEEN.legal()[:2], limits, options)
    with pytest.raises(ValueError, match=said + "a search in parts"):
        cluster.analyse_spread(SEEN, limits, options)
    with pytest.raises(ValueError, match=said + "a review"):
        next(iter(review.review(record, limits, options)))


# --- doubts -----------------------------------------------------------------------------------------------------------


def test_weights_that_were_fitted_to_another_edition_are_named() -> None:
    other = Edition("mine", "0123456789abcdef", ENGINE.tables())
    said = (
        f"the value function was fitted to another edition: {ENGINE.digest}, not 0123456789abcdef (mine); "
        "its estimates are a guess"
    )
    game = Game.deal(other, 2, 1)
    seen = game.observe(game.seat)
    assert values.doubt(other) == said
    assert values.doubt(ENGINE) is None
    assert analyse(seen, SearchLimits(iterations=10)).notes == (said,)
    assert analyse(seen, SearchLimits(iterations=10), SearchOptions(cut=-1)).notes == ()
    assert analyse(seen, options=SearchOptions(algorithm="greedy")).notes == ()
    assert found(iterations=10).notes == ()


# --- bots -------------------------------------------------------------------------------------------------------------


def test_a_level_bot_plays_the_choice_and_draws_anew_for_every_decision() -> None:
    bot = LevelBot(1, seed=3)
    choices = [bot.choose(SEEN) for _ in range(12)]
    assert len(set(choices)) > 1
    again = LevelBot(1, seed=3)
    assert [again.choose(SEEN) for _ in range(12)] == choices
    assert bot.last is not None
    assert bot.last.choice.actions[0] == choices[-1]


def test_a_level_bot_has_a_time_for_each_decision() -> None:
    bot = LevelBot(10, time=0.01)
    bot.choose(SEEN)
    assert bot.last is not None
    assert (bot.last.stop_reason, bot.last.limits.time) == ("time", 0.01)


@pytest.mark.parametrize(
    ("level", "time", "said"), [(0, None, "level: 0;"), (11, 1.0, "level: 11;"), (3, -1.0, "time: -1.0 seconds;")]
)
def test_a_bot_that_cannot_be_is_refused(level: int, time: float | None, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        LevelBot(level, time)
