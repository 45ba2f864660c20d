"""Searches and reviews spread over executors: the same answer wherever they run."""

from __future__ import annotations

import math
import multiprocessing
import pickle
import random
import time
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor

import distributed
import pytest
from positions import ENGINE, TABLES, edition_with

from engine_ext.core import Game
from lisboa_ai import notation
from lisboa_ai.analysis import Analysis, Candidate, Evaluation, SearchLimits, SearchOptions, Step, analyse
from lisboa_ai.cluster import Parcel, analyse_spread, in_order, merged, open_executor
from lisboa_ai.record import GameRecord
from lisboa_ai.review import Review, collect, review

LIMITS = SearchLimits(iterations=90, seed=4)


def record() -> GameRecord:
    """A few decisions of a game, with cards turned up on the way."""
    begun = GameRecord.new(TABLES, 2, 5)
    game, chooser = begun.replay(), random.Random(5)
    texts = []
    for _ in range(8):
        argument = chooser.choice(game.legal())
        texts.append(notation.action_text(TABLES, game.kind, game.context, argument))
        game.apply(argument)
    return begun.extend(texts)


def answers(executor: Executor | None) -> tuple[Analysis, Review]:
    """A search in three parts and a review, wherever the executor runs them."""
    seen = record().replay()
    return (
        analyse_spread(seen.observe(seen.seat), LIMITS, executor=executor, parts=3),
        collect(review(record(), SearchLimits(iterations=16, seed=2), executor=executor)),
    )


@pytest.fixture(scope="module")
def here() -> tuple[Analysis, Review]:
    return answers(None)


def test_two_processes_give_the_same_answers(here: tuple[Analysis, Review]) -> None:
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn")) as pool:
        assert answers(pool) == here


def test_a_dask_cluster_of_two_workers_gives_the_same_answers(here: tuple[Analysis, Review]) -> None:
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, host="127.0.0.1", dashboard_address=None, silence_logs=50
        ) as cluster,
        open_executor(f"dask://{cluster.scheduler_address.removeprefix('tcp://')}") as executor,
    ):
        assert executor is not None
        assert answers(executor) == here


@pytest.mark.parametrize("workers", [1, 3])
def test_any_number_of_threads_gives_the_same_answers(here: tuple[Analysis, Review], workers: int) -> None:
    with ThreadPoolExecutor(workers) as pool:
        assert answers(pool) == here


# --- what travels -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seats, draft, queen", [(2, False, False), (3, True, False), (4, True, True)])
def test_a_parcel_holds_exactly_what_was_observed(seats: int, draft: bool, queen: bool) -> None:
    """At every decision of a random game, for every seat; equal observations are equal bytes."""
    game, chooser = Game.deal(ENGINE, seats, 7, draft=draft, queen=queen), random.Random(7)
    while not game.over:
        for seat in range(seats):
            seen = game.observe(seat)
            opened = Parcel.of(seen).open()
            assert bytes(opened) == bytes(seen)
            assert opened.observer == seat
        game.apply(chooser.choice(game.legal()))


def test_a_parcel_carries_the_numbers_of_its_edition() -> None:
    changed = edition_with(treasury_reis=[9] * len(ENGINE.tables()["treasury_reis"]))
    parcel = pickle.loads(pickle.dumps(Parcel.of(Game.deal(changed, 2, 1).observe(0))))
    opened = parcel.open().edition
    assert (opened.name, opened.digest) == ("changed", ENGINE.digest)
    assert opened.tables() == changed.tables()


# --- one search in parts ----------------------------------------------------------------------------------------------


def candidate(action: int, visits: int, value: float, error: float) -> Candidate:
    """Of seat 0 against seat 1, every number a plain one."""
    return Candidate(
        actions=(action,),
        steps=(Step(1, 0, (0, 0), action),),
        line=(Step(1, 0, (0, 0), action, visits),),
        visits=visits,
        availability=visits + 10,
        value=(value, 1 - value),
        win_share=(value, 1 - value),
        win_share_error=(error, error),
        wigs=(100 * value, 40.0),
        wigs_error=(10 * error, 1.0),
        rank_distribution=((value, 1 - value), (1 - value, value)),
        breakdown=((100 * value, 0.0), (30.0, 10.0)),
        value_error=error,
    )


def analysis(*candidates: Candidate, stopped: str = "iterations") -> Analysis:
    nothing = Evaluation(0, 0, (), (), (), (), (), ())
    visits = sum(one.visits for one in candidates)
    return Analysis(candidates, nothing, visits, 7, 1.0, stopped, 1, SearchLimits(), 0, 0, 1, (0, 0), 1000)


def test_parts_are_added_up_by_visits() -> None:
    """Action 5: 30 visits at 0.5 and 10 at 0.9 are 40 at 0.6; errors 0.1 and 0.3: the root of 3² + 3², by 40."""
    found = merged(
        [
            analysis(candidate(5, 30, 0.5, 0.1), candidate(8, 20, 0.4, 0.2)),
            analysis(candidate(8, 25, 0.2, 0.2), candidate(5, 10, 0.9, 0.3), stopped="memory"),
        ]
    )
    eight, five = found.candidates
    assert (eight.actions, eight.visits, five.actions, five.visits) == ((8,), 45, (5,), 40)
    assert five.availability == 60
    assert five.win_share == pytest.approx((0.6, 0.4))
    assert five.win_share_error == pytest.approx((math.sqrt(18) / 40,) * 2)
    assert five.wigs == pytest.approx((60.0, 40.0))
    assert five.rank_distribution[0] == pytest.approx((0.6, 0.4))
    assert five.breakdown[0] == pytest.approx((60.0, 0.0))
    assert five.line[0].visits == 30  # of the part that visited it most
    assert eight.win_share[0] == pytest.approx((20 * 0.4 + 25 * 0.2) / 45)
    assert (found.evaluation.visits, found.evaluation.win_share) == (45, eight.win_share)
    assert (found.iterations, found.nodes, found.memory_used, found.stop_reason) == (85, 14, 2000, "memory")


def test_parts_together_say_which_candidates_can_be_told_apart() -> None:
    """Two candidates, one comparison: 1.96 standard errors of the difference at 95 %.

    Of two equal parts with errors of 0.1 the error is 0.1/√2, of a difference of two such 0.1; 1.96 of it are 0.196.
    """

    def parts(rival: float) -> Analysis:
        return merged([analysis(candidate(5, 30, 0.5, 0.1), candidate(8, 20, rival, 0.1)) for _ in range(2)])

    five, eight = parts(0.31).candidates
    assert five.value_error == pytest.approx(0.1 / math.sqrt(2))
    assert (five.distinguishable, eight.distinguishable) == (False, False)
    assert [one.distinguishable for one in parts(0.30).candidates] == [True, True]


def test_a_spread_search_spends_all_iterations_and_answers_like_any_other() -> None:
    seen = Game.deal(ENGINE, 3, 1).observe(0)
    found = analyse_spread(seen, SearchLimits(iterations=101, seed=1), SearchOptions(candidates=1), parts=4)
    assert (found.iterations, found.stop_reason, found.limits.iterations, found.seed) == (101, "iterations", 101, 1)
    assert len(found.candidates) == 1
    assert found.best.actions[0] in seen.legal()
    assert sum(found.best.win_share) == pytest.approx(1.0)
    assert [sum(row) for row in found.best.breakdown] == pytest.approx(found.best.wigs)
    assert found.evaluation.win_share == found.best.win_share


def test_one_search_added_up_is_itself() -> None:
    alone = analyse(Game.deal(ENGINE, 3, 1).observe(0), LIMITS)
    (first, *_), (best, *_) = merged([alone]).candidates, alone.candidates
    assert (first.actions, first.visits, first.line) == (best.actions, best.visits, best.line)
    assert first.win_share == pytest.approx(best.win_share)
    assert first.win_share_error == pytest.approx(best.win_share_error)


def test_parts_have_seeds_of_their_own() -> None:
    seen = Game.deal(ENGINE, 3, 1).observe(0)
    one, two = (analyse_spread(seen, SearchLimits(iterations=n * 40, seed=4), parts=n) for n in (1, 2))
    assert two.best.visits != 2 * one.best.visits


def test_fewer_iterations_than_parts_make_fewer_parts() -> None:
    found = analyse_spread(Game.deal(ENGINE, 2, 1).observe(0), SearchLimits(iterations=3, seed=1), parts=8)
    assert found.iterations == 3


@pytest.mark.parametrize(
    "parts, options, message",
    [
        (0, SearchOptions(), "parts: 0; allowed: 1 to 4096"),
        (4097, SearchOptions(), "parts: 4097; allowed: 1 to 4096"),
        (2, SearchOptions(granularity="turn"), "granularity: 'turn'; allowed: decision, in a search in parts"),
    ],
)
def test_what_cannot_be_spread(parts: int, options: SearchOptions, message: str) -> None:
    with pytest.raises(ValueError) as caught:
        analyse_spread(Game.deal(ENGINE, 2, 1).observe(0), LIMITS, options, parts=parts)
    assert str(caught.value) == message


def test_a_position_that_cannot_be_searched_is_refused_as_ever() -> None:
    with pytest.raises(ValueError, match="seat: 1 is not to act; allowed: 0"):
        analyse_spread(Game.deal(ENGINE, 2, 1).observe(1), LIMITS)


# --- executors --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text, allowed",
    [
        ("cloud", "local, processes:N, dask://HOST:PORT"),
        ("processes:", "processes:N with N from 1 to 1024"),
        ("processes:0", "processes:N with N from 1 to 1024"),
        ("processes:-1", "processes:N with N from 1 to 1024"),
        ("dask://", "dask://HOST:PORT of a Dask scheduler"),
        ("dask://host", "dask://HOST:PORT of a Dask scheduler"),
        ("dask://host:99999", "dask://HOST:PORT of a Dask scheduler"),
        ("dask:host:8786", "dask://HOST:PORT of a Dask scheduler"),
    ],
)
def test_executors_that_cannot_be_opened(text: str, allowed: str) -> None:
    with pytest.raises(ValueError) as caught, open_executor(text):
        pass
    assert str(caught.value) == f"executor: {text!r}; allowed: {allowed}"


def test_local_is_no_executor() -> None:
    with open_executor("local") as executor:
        assert executor is None


class Slow(Executor):
    """Hands out promises and keeps none."""

    def __init__(self) -> None:
        self.promised: list[Future[int]] = []

    def submit(self, function: object, /, *args: object, **kwargs: object) -> Future[int]:  # type: ignore[override]
        self.promised.append(Future())
        return self.promised[-1]


def test_results_come_in_order_and_what_has_not_begun_is_cancelled() -> None:
    slow = Slow()
    results = in_order(abs, [1, 2, 3], slow)
    with ThreadPoolExecutor(1) as pool:
        first = pool.submit(next, results)
        while len(slow.promised) < 3:
            time.sleep(0.001)
        slow.promised[1].set_result(12)
        slow.promised[0].set_result(11)
        assert first.result(10) == 11
    assert next(results) == 12
    results.close()
    assert [one.cancelled() for one in slow.promised] == [False, False, True]


def test_an_executor_that_gives_up_is_named() -> None:
    slow = Slow()
    results = in_order(abs, [1], slow)
    with ThreadPoolExecutor(1) as pool:
        first = pool.submit(next, results)
        while not slow.promised:
            time.sleep(0.001)
        slow.promised[0].cancel()
        with pytest.raises(ValueError, match="executor: gave up a task"):
            first.result(10)


def test_a_failure_in_a_part_is_the_reviews_failure() -> None:
    with ThreadPoolExecutor(1) as pool, pytest.raises(ZeroDivisionError):
        list(in_order(lambda value: 1 // value, [1, 0], pool))
