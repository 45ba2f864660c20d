"""The search: what it may know, what it must find, when it stops, and how its numbers add up."""

import math
import random
import re
from array import array
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from engine_ext.core import CATEGORIES, KINDS, STOP, UNKNOWN, Game, Observation
from engine_ext.search.searcher import (
    ALGORITHMS,
    MIN_MEMORY,
    PARTS,
    VALUE_FEATURES,
    VALUE_SIZE,
    WIG_PARTS,
    Searcher,
    expected_turns,
    features,
    finish_turn,
)
from lisboa_ai import edition, values
from lisboa_ai.analysis import Analysis, CancelFlag, SearchLimits, SearchOptions, analyse, evaluate
from lisboa_ai.analysis.statistics import quantile

ENGINE = edition.load("house").engine
KIND = {name: number for number, name in enumerate(KINDS)}


def late_game(seats: int, seed: int, *, turn: int = 24, kind: str = "play_card", draft: bool = False) -> Game:
    """A game played at random up to the first decision of a kind in a late turn."""
    game = Game.deal(ENGINE, seats, seed, draft=draft)
    chooser = random.Random(seed)
    while game.turn < turn or KINDS[game.kind] != kind:
        game.apply(chooser.choice(game.legal()))
    return game


def last_decree(seats: int, seed: int) -> tuple[Game, dict[int, int]]:
    """A game whose last decision is which of 8 decrees to take, and the decider's final wigs for each."""
    game = late_game(seats, seed)
    fields = game.fields()
    seat = game.seat
    fields["last_turn"] = fields["turn"]
    fields["players"][seat]["markers"] = 0  # a second decree would be another decision
    blank = {"kind": 0, "seat": 0, "a": 0, "b": 0}
    frames = [dict(blank, kind=KIND["upkeep"], seat=seat), dict(blank, kind=KIND["take_decree"], seat=seat)]
    fields["frames"] = frames + [blank] * 30
    fields["depth"] = 2
    ending = Game.from_fields(ENGINE, fields)
    wigs = {}
    for decree in ending.legal():
        after = ending.copy()
        after.apply(decree)
        assert after.over
        wigs[decree] = after.wigs()[seat]
    return ending, wigs


def only_best_wins(game: Game, wigs: dict[int, int]) -> Game:
    """The same with everybody's wigs changed so that the best decree wins by one and no other does."""
    fields = game.fields()
    seat = game.seat
    target = 200 + max(wigs.values())
    for other in range(game.seats):
        change = 200 if other == seat else target - 1 - sum(game.score_now()[other])
        fields["players"][other]["wigs"] += change
        fields["players"][other]["ledger"][CATEGORIES.index("effects")] += change
    return Game.from_fields(ENGINE, fields)


def search(observation: Observation, iterations: int = 60, **options: Any) -> Analysis:
    return analyse(observation, SearchLimits(iterations=iterations, seed=3), SearchOptions(**options))


# --- what it finds --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seats, seed", [(2, 1), (2, 2), (3, 3), (3, 4), (4, 1), (4, 2)])
@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_at_the_last_decision_the_winning_action_is_chosen_within_50_iterations(
    seats: int, seed: int, algorithm: str
) -> None:
    game, wigs = last_decree(seats, seed)
    best = [decree for decree, total in wigs.items() if total == max(wigs.values())]
    assert 0 < len(best) < len(wigs) == 8
    ending = only_best_wins(game, wigs)
    found = search(ending.observe(ending.seat), 50, algorithm=algorithm)
    assert found.best.actions[0] in best
    assert found.best.win_share[ending.seat] == 1.0


def test_every_legal_action_is_tried_before_any_twice() -> None:
    game = late_game(3, 7)
    legal = game.legal()
    searcher = Searcher(game.observe(game.seat), seed=1)
    searcher.run(len(legal))
    assert sorted(step[4] for step, _, _ in searcher.candidates()) == sorted(legal)
    assert all(sums["visits"] == 1 for _, _, sums in searcher.candidates())


def test_a_decided_game_is_evaluated_exactly() -> None:
    game, _ = last_decree(3, 6)
    seat = game.seat
    decree = game.legal()[2]
    after = game.copy()
    after.apply(decree)
    found = search(game.observe(seat), 20, only=(decree,))
    assert list(found.best.wigs) == after.wigs()
    assert [list(row) for row in found.best.breakdown] == after.ledger()
    assert [seat for seat, share in enumerate(found.best.win_share) if share] == after.winners()
    over = evaluate(after.observe(seat))
    assert (over.stop_reason, over.iterations, over.candidates) == ("game_over", 0, ())
    assert list(over.evaluation.wigs) == after.wigs()
    assert over.evaluation.win_share == found.best.win_share


def test_sensible_playouts_score_more_than_uniform_ones() -> None:
    observation = late_game(2, 8, turn=6).observe(late_game(2, 8, turn=6).seat)
    sensible = search(observation, 60, playout="sensible", cut=-1).evaluation.wigs
    uniform = search(observation, 60, playout="uniform", cut=-1).evaluation.wigs
    assert sum(sensible) > sum(uniform)


# --- what it may know -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("granularity", ["decision", "turn"])
@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_every_algorithm_gives_equal_advice_for_equal_knowledge(seats: int, granularity: str, algorithm: str) -> None:
    game = late_game(seats, 9, turn=5)
    observation = game.observe(game.seat)
    other = observation.sample_world(77)
    assert other != game
    again = other.observe(game.seat)
    assert bytes(again) == bytes(observation)
    options = {"granularity": granularity, "algorithm": algorithm}
    assert search(again, 80, **options) == search(observation, 80, **options)


def test_a_rivals_choice_in_the_draft_is_one_hidden_edge() -> None:
    game = Game.deal(ENGINE, 3, 4, draft=True)
    while KINDS[game.kind] != "draft_keep":
        game.apply(game.legal()[0])
    assert game.seat == 0
    rival = game.observe(1)  # seat 1 waits for what seat 0 keeps, and will not see it
    found = evaluate(rival, SearchLimits(iterations=40, seed=1))
    assert [candidate.actions for candidate in found.candidates] == [(UNKNOWN,)]
    own = search(game.observe(0), 40)
    assert {candidate.actions[0] for candidate in own.candidates} <= set(game.legal())


def test_a_rivals_hidden_cards_are_available_only_in_some_worlds() -> None:
    game = Game.deal(ENGINE, 3, 3)
    while KINDS[game.kind] != "play_card":
        game.apply(game.legal()[0])
    observation = game.observe((game.seat + 1) % 3)
    found = evaluate(observation, SearchLimits(iterations=200, seed=1), SearchOptions(candidates=100))
    assert found.seat == game.seat != found.observer
    assert all(candidate.visits <= candidate.availability < 200 for candidate in found.candidates)
    assert {candidate.actions[0] & 127 for candidate in found.candidates} <= set(observation.pool(0))


def test_assumptions_fix_a_rivals_card() -> None:
    game = Game.deal(ENGINE, 2, 3)
    while KINDS[game.kind] != "play_card":
        game.apply(game.legal()[0])
    observation = game.observe(game.seat)
    rival = 1 - game.seat
    card = observation.pool(0)[0]
    found = search(observation, 30, assumptions=((rival, (card,)),))
    assert found == analyse(observation.assume(rival, [card]), SearchLimits(iterations=30, seed=3))


# --- reproducible ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_same_seed_same_answer_however_it_was_sliced(algorithm: str) -> None:
    observation = late_game(3, 10).observe(late_game(3, 10).seat)
    whole = Searcher(observation, seed=5, by_turn=True, algorithm=algorithm)
    sliced = Searcher(observation, seed=5, by_turn=True, algorithm=algorithm)
    assert whole.run(90) == "iterations"
    for upto in (1, 2, 30, 31, 90):
        assert sliced.run(upto) == "iterations"
    assert whole.candidates() == sliced.candidates()
    assert (whole.nodes, whole.memory_used) == (sliced.nodes, sliced.memory_used)
    other = Searcher(observation, seed=6, algorithm=algorithm)
    other.run(90)
    assert other.candidates() != whole.candidates()


@pytest.mark.parametrize("threads", [2, 3])
def test_several_threads_are_reproducible_and_share_the_iterations(threads: int) -> None:
    observation = late_game(3, 11).observe(late_game(3, 11).seat)
    limits = SearchLimits(iterations=91, threads=threads, seed=8)
    found = analyse(observation, limits)
    assert found == analyse(observation, limits)
    assert found.iterations == 91
    assert (
        sum(candidate.visits for candidate in analyse(observation, limits, SearchOptions(candidates=99)).candidates)
        == 91
    )


# --- when it stops --------------------------------------------------------------------------------------------------


def test_each_limit_is_named_when_it_stops_the_search() -> None:
    game = late_game(2, 12, turn=30)
    observation = game.observe(game.seat)
    assert search(observation, 25).stop_reason == "iterations"
    timed = analyse(observation, SearchLimits(time=0.0))
    assert (timed.stop_reason, timed.iterations) == ("time", 1)
    flag = CancelFlag()
    flag.set()
    cancelled = analyse(observation, SearchLimits(iterations=10**6), cancel=flag)
    assert (cancelled.stop_reason, cancelled.iterations) == ("cancelled", 1)
    single = search(observation, 100_000, only=(game.legal()[0],))
    assert (single.stop_reason, single.iterations) == ("single_action", 256)


def test_trees_whose_memory_is_full_wait_for_the_others() -> None:
    """Otherwise the answer would depend on which thread was faster."""
    game = late_game(3, 1, turn=5)
    limits = SearchLimits(iterations=10**6, threads=2, memory=2 * MIN_MEMORY, seed=1)
    first, second = (analyse(game.observe(game.seat), limits) for _ in range(2))
    assert first.stop_reason == "memory"
    assert first == second


def test_a_full_memory_ends_the_search_inside_its_limit() -> None:
    game = late_game(4, 13, turn=30)
    limits = SearchLimits(iterations=10**7, memory=MIN_MEMORY)
    found = analyse(game.observe(game.seat), limits, SearchOptions(granularity="turn"))
    assert found.stop_reason == "memory"
    assert found.memory_used <= MIN_MEMORY
    assert found.best.visits > 0


def test_a_deadline_that_is_no_moment_is_refused() -> None:
    with pytest.raises(ValueError, match=r"deadline: nan; allowed: a moment by time.monotonic\(\)"):
        analyse(Game.deal(ENGINE, 2, 1).observe(0), SearchLimits(iterations=2), deadline=float("nan"))


@pytest.mark.parametrize(
    ("limits", "deadline", "reason"),
    [
        (SearchLimits(time=3600.0), 0.0, "deadline"),
        (SearchLimits(iterations=10**9), 0.0, "deadline"),
        (SearchLimits(time=0.0), math.inf, "time"),
        (SearchLimits(iterations=7), math.inf, "iterations"),
    ],
)
def test_a_deadline_ends_a_search_that_its_limits_would_let_go_on(
    limits: SearchLimits, deadline: float, reason: str
) -> None:
    """0 is long past on the monotonic clock, and the first iteration is always made."""
    game = late_game(2, 14)
    found = analyse(game.observe(game.seat), limits, deadline=deadline)
    assert found.stop_reason == reason
    assert found.iterations == (limits.iterations if reason == "iterations" else 1)
    assert evaluate(game.observe(game.seat), limits, deadline=deadline).stop_reason == reason


def test_progress_is_reported_and_may_cancel() -> None:
    game = late_game(2, 14)
    flag = CancelFlag()
    seen: list[Analysis] = []

    def report(interim: Analysis) -> None:
        seen.append(interim)
        if len(seen) == 2:
            flag.set()

    found = analyse(
        game.observe(game.seat), SearchLimits(iterations=10**9), cancel=flag, on_progress=report, progress_every=0.0
    )
    assert found.stop_reason == "cancelled"
    assert [interim.stop_reason for interim in seen] == ["running", "running"]
    assert seen[0].iterations <= seen[1].iterations <= found.iterations


# --- how its numbers add up -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize(
    "options", [*({"algorithm": name} for name in ALGORITHMS), {"cut": -1}, {"cut": 2}, {"priors": False}], ids=str
)
def test_shares_places_and_categories_add_up(seats: int, options: dict[str, Any]) -> None:
    game = late_game(seats, 15)
    found = search(game.observe(game.seat), 120, candidates=50, **options)
    assert sum(candidate.visits for candidate in found.candidates) == found.iterations == 120
    assert found.evaluation.wigs == found.best.wigs
    for one in found.candidates:
        assert one.availability == 120
        assert sum(one.win_share) == pytest.approx(1.0)
        assert all(sum(row) == pytest.approx(1.0) for row in one.rank_distribution)
        assert all(sum(column) == pytest.approx(1.0) for column in zip(*one.rank_distribution, strict=True))
        assert [row[0] for row in one.rank_distribution] == pytest.approx(list(one.win_share))
        assert [sum(row) for row in one.breakdown] == pytest.approx(list(one.wigs))
        assert all(error > 0 for error in one.wigs_error)
        assert all(0.0 <= value <= 1.0 for value in one.value)
    if options.get("algorithm") != "flat":
        assert all(before.visits >= after.visits for before, after in pairwise(found.candidates))


def test_the_standard_error_is_that_of_the_mean_over_worlds() -> None:
    game = late_game(2, 16)
    searcher = Searcher(game.observe(game.seat), seed=1, allowed=[game.legal()[0]])
    searcher.run(50)
    ((_, _, sums),) = searcher.candidates()
    found = analyse(
        game.observe(game.seat), SearchLimits(iterations=50, seed=3), SearchOptions(only=(game.legal()[0],))
    )
    # one candidate: the pooled variance is its own, so the error is sqrt(variance / n)
    assert sums["visits"] == found.best.visits == 50
    spread = found.best.wigs_error[0] * 50**0.5
    assert 1.0 < spread < 60.0
    assert sum(sums["wins"]) == 50 * PARTS
    assert sums["wig_squares"][0] * 50 >= sums["wigs"][0] ** 2


def test_the_objective_is_the_stated_blend() -> None:
    game, _ = last_decree(2, 17)
    seat = game.seat
    decree = game.legal()[0]
    after = game.copy()
    after.apply(decree)
    won = 1.0 if after.winners() == [seat] else 0.0
    margin = after.wigs()[seat] - after.wigs()[1 - seat]
    scaled = (max(-60, min(60, margin)) + 60) / 120
    for objective in (0.0, 0.25, 1.0):
        found = search(game.observe(seat), 5, only=(decree,), objective=objective)
        assert found.best.value[seat] == pytest.approx((1 - objective) * won + objective * scaled)


# --- whole turns ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("algorithm", ["single", "multiple", "flat"])
def test_the_best_turn_begins_with_the_best_decision(algorithm: str) -> None:
    """Also where decisions have as many visits as each other, or visits say nothing."""
    for seed in range(6):
        game = late_game(3, seed, turn=5)
        observation = game.observe(game.seat)
        for iterations in (5, 40):
            decision = search(observation, iterations, algorithm=algorithm)
            turn = search(observation, iterations, algorithm=algorithm, granularity="turn")
            assert turn.best.actions[0] == decision.best.actions[0]
            assert turn.evaluation == decision.evaluation


@pytest.mark.parametrize("seed", [20, 21, 22])
def test_a_turn_candidate_can_be_played_to_the_end_of_the_turn(seed: int) -> None:
    game = late_game(3, seed, turn=6)
    found = search(game.observe(game.seat), 200, granularity="turn", candidates=4)
    assert len({candidate.actions for candidate in found.candidates}) == len(found.candidates) > 1
    for candidate in found.candidates:
        assert [step.action for step in candidate.steps] == list(candidate.actions)
        world = game.copy()
        for step in candidate.line:
            assert (world.kind, world.seat, world.context) == (step.kind, step.seat, step.context)
            world.apply(step.action)
        assert world.turn == game.turn + 1
    first = search(game.observe(game.seat), 200)
    assert found.best.actions[0] == first.best.actions[0]
    assert found.best.line[: len(first.best.line)] == first.best.line


def test_a_line_beyond_the_tree_is_finished_by_the_cheap_policy() -> None:
    game = late_game(3, 23, turn=6)
    observation = game.observe(game.seat)
    steps = finish_turn(observation, [])
    assert steps == finish_turn(observation, [steps[0][4]])
    found = search(observation, len(game.legal()), priors=False)  # every action once: nothing deeper is visited
    assert all(step.visits == 0 for step in found.best.line[1:])


# --- errors ---------------------------------------------------------------------------------------------------------


def test_illegal_options_name_field_value_and_what_is_allowed() -> None:
    game = late_game(2, 24)
    observation = game.observe(game.seat)
    listed = ", ".join(map(str, observation.legal()))
    with pytest.raises(ValueError, match=f"^only: 999 is not legal for play_card; allowed: {listed}$"):
        search(observation, only=(STOP,))
    with pytest.raises(ValueError, match=r"^exclude: 999 is not legal for play_card; "):
        search(observation, exclude=(STOP,))
    with pytest.raises(ValueError, match="leaves nothing; allowed: some but not all of"):
        search(observation, exclude=tuple(game.legal()))
    with pytest.raises(ValueError, match=r"^assumptions\[0\]: 200 is not a card; allowed: 0 to 81$"):
        search(observation, assumptions=((1 - game.seat, (200,)),))
    with pytest.raises(ValueError, match=r"^assumptions\[0\]: seat \d is the observer"):
        search(observation, assumptions=((game.seat, (1,)),))
    with pytest.raises(ValueError, match=f"^seat: {1 - game.seat} is not to act; allowed: {game.seat}$"):
        search(game.observe(1 - game.seat))


def test_limits_and_options_are_checked_when_they_are_made() -> None:
    field: str
    value: Any  # of the wrong type or out of range on purpose
    for field, value in (("time", -1.0), ("iterations", 0), ("threads", 0), ("memory", 1000), ("decided", 0.2)):
        with pytest.raises(ValueError, match=f"^{field}: {value}"):
            replace(SearchLimits(), **{field: value})
    wrong: tuple[tuple[str, Any], ...] = (
        ("objective", 1.5),
        ("candidates", 0),
        ("granularity", "ply"),
        ("playout", "best"),
        ("algorithm", "minimax"),
        ("cut", -2),
    )
    for field, value in wrong:
        with pytest.raises(ValueError, match=f"^{field}: {value!r}; allowed: "):
            replace(SearchOptions(), **{field: value})
    assert SearchLimits().effective().time == 1.0
    assert SearchLimits(iterations=5).effective().time is None


# --- the other algorithms, and games cut short ------------------------------------------------------------------------


def test_flat_search_tries_all_first_actions_equally_and_ranks_them_by_value() -> None:
    game = late_game(2, 30, turn=10)
    count = len(game.legal())
    found = search(game.observe(game.seat), 3 * count, algorithm="flat", candidates=100)
    assert [candidate.visits for candidate in found.candidates] == [3] * count
    values = [candidate.value[game.seat] for candidate in found.candidates]
    assert values == sorted(values, reverse=True)


def test_perfect_information_search_has_sixteen_worlds() -> None:
    """A rival's first decision is legal in those worlds only in which he holds the card."""
    game = Game.deal(ENGINE, 3, 3)
    while KINDS[game.kind] != "play_card":
        game.apply(game.legal()[0])
    searcher = Searcher(game.observe((game.seat + 1) % 3), seed=1, algorithm="pimc")
    searcher.run(160)
    assert {available % 10 for _, available, _ in searcher.candidates()} == {0}
    assert max(available for _, available, _ in searcher.candidates()) <= 160


def test_a_cut_playout_takes_fewer_decisions() -> None:
    game = late_game(2, 31, turn=6)
    counts = []
    for cut in (0, 2, -1):
        searcher = Searcher(game.observe(game.seat), seed=1, cut=cut, value=values.weights(2))
        searcher.run(50)
        counts.append(searcher.playout_decisions)
    assert counts[0] < counts[1] < counts[2]


def test_a_cut_needs_weights_of_the_right_number() -> None:
    observation = late_game(2, 31).observe(late_game(2, 31).seat)
    with pytest.raises(ValueError, match=r"^value: None; allowed: 1730 weights where playouts are cut$"):
        Searcher(observation, cut=0)
    with pytest.raises(ValueError, match=r"^value: 3 weights; allowed: 1730$"):
        Searcher(observation, cut=0, value=array("d", [1.0, 2.0, 3.0]))


def test_without_weights_a_cut_game_is_worth_its_final_scoring_now() -> None:
    """All weights 0: nothing more comes, so the mean of a world that the turn does not change is what it scores."""
    game = late_game(2, 32)
    nothing = array("d", [0.0] * VALUE_SIZE)
    nothing[-2] = 5.0
    searcher = Searcher(game.observe(game.seat), cut=0, value=nothing, seed=1)
    searcher.run(1)
    ((step, _, sums),) = searcher.candidates()
    assert sums["wigs"] == [sum(row) for row in sums["ledger"]]
    assert sum(sums["wins"]) == PARTS
    assert all(wigs % WIG_PARTS == 0 for wigs in sums["wigs"])
    assert step[4] in game.legal()


def test_features_of_a_fresh_deal() -> None:
    """By hand from A4 and A7: 10 réis, influence 4 and 5, a good of each type, 7 officials at home, 1 out, a plan."""
    game = Game.deal(ENGINE, 2, 5)
    for seat in (0, 1):
        found = dict(zip(VALUE_FEATURES, features(game, seat), strict=True))
        assert found["one"] == 1.0
        assert found["influence"] == 4 + seat
        assert (found["reis"], found["first_reis"]) == (10.0, 8.0)
        assert found["goods"] == 4.0
        assert (found["officials_home"], found["officials_in_offices"]) == (7.0, 1.0)
        assert (found["plans"], found["favors"], found["hand"]) == (1.0, 1.0, 5.0)
        assert found["visit_tax"] == 1.0
        assert found["staff_short"] == 1.0  # the starting plan asks for 2 officials
        assert found["influence_by_turns"] == pytest.approx(found["influence"] * found["one_by_turns"])
    # two sets want 6 cubes, 1.2 rounds each: sooner than the decks' 15 + 0.4 * 5 turns run out; then 17 turns
    # of the second period, and 1.5 rounds at the end
    assert expected_turns(game) == pytest.approx(1.2 * 6 * 2 + 17 + 1.5 * 2)


def test_a_file_that_is_none_of_weights_is_named(tmp_path: Path) -> None:
    for text, said in (("[", "Expecting value"), ('{"edition": 1, "seats": {}}', "has no features, categories")):
        file = tmp_path / f"{len(text)}.json"
        file.write_text(text, encoding="utf-8")
        with pytest.raises(ValueError, match=f"^weights: {re.escape(str(file))}:? {said}.*; allowed: a file of"):
            values.weights(2, str(file))


def test_weights_for_other_features_are_refused() -> None:
    table = {"features": ["one"], "categories": list(CATEGORIES), "seats": {}}
    with pytest.raises(ValueError, match=r"^value\.features: \['one'\]; allowed: \['one', 'influence', "):
        values.read(table)


# --- decided, and told apart ------------------------------------------------------------------------------------------


def test_a_decided_search_stops_at_a_fixed_look_and_can_be_told_not_to() -> None:
    """The best decree wins by far, so a look, once every decree was tried, settles it long before the limit."""
    game, wigs = last_decree(2, 1)
    ending = only_best_wins(game, wigs)
    observation = ending.observe(ending.seat)
    found = analyse(observation, SearchLimits(iterations=2000, seed=1, decided=0.99), SearchOptions(objective=0.0))
    assert found.stop_reason == "decided"
    assert found.iterations in (256, 512, 1024)
    assert found.best.distinguishable
    going_on = analyse(observation, SearchLimits(iterations=2000, seed=1), SearchOptions(objective=0.0))
    assert (going_on.stop_reason, going_on.iterations) == ("iterations", 2000)


def test_nothing_is_decided_or_told_apart_while_an_action_was_never_tried() -> None:
    game = late_game(3, 1, turn=5)
    observation = game.observe(game.seat)
    found = analyse(observation, SearchLimits(iterations=1, seed=1))
    assert len(found.candidates) == 1 < len(observation.legal())
    assert not found.best.distinguishable
    blind = analyse(observation, SearchLimits(iterations=600, decided=0.95, seed=1), SearchOptions(exploration=0.0))
    assert blind.best.visits == 600  # it never looks at another
    assert (blind.stop_reason, blind.best.distinguishable) == ("iterations", False)


def test_equal_actions_are_neither_decided_nor_distinguishable() -> None:
    """All decrees lose by far and are worth the same: no number of iterations separates them."""
    game, _ = last_decree(2, 1)
    fields = game.fields()
    rival = 1 - game.seat
    fields["players"][rival]["wigs"] += 500
    fields["players"][rival]["ledger"][CATEGORIES.index("effects")] += 500
    lost = Game.from_fields(ENGINE, fields)
    limits = SearchLimits(iterations=1000, seed=1, decided=0.95)
    found = analyse(lost.observe(lost.seat), limits, SearchOptions(objective=0.0, candidates=20))
    assert (found.stop_reason, found.iterations) == ("iterations", 1000)
    assert not any(candidate.distinguishable for candidate in found.candidates)


def test_several_comparisons_need_more_than_one() -> None:
    assert quantile(0.95, 1) == pytest.approx(1.95996, abs=1e-5)  # the normal distribution's tables
    assert quantile(0.95, 5) == pytest.approx(2.57583, abs=1e-5)  # 1 % for each
