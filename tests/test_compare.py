"""Comparing actions: the same worlds for all, paired errors, sums that add up, faults named."""

from __future__ import annotations

import functools
import json
import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from engine_ext.core import CATEGORIES, KINDS
from engine_ext.search.compare import Paired
from engine_ext.search.searcher import CancelFlag, Searcher
from lisboa_ai import compare, edition, notation
from lisboa_ai.analysis import SearchLimits, SearchOptions, analyse
from lisboa_ai.cli import cli
from lisboa_ai.compare import Compared, Comparison
from lisboa_ai.position import Position
from lisboa_ai.record import GameRecord

HOUSE = edition.load("house")
FIXED = SearchLimits(iterations=120, seed=4)


@functools.cache
def position() -> Position:
    """The first turn of a game for three: a card has to be played."""
    record = GameRecord.new(HOUSE, 3, 5)
    game = record.replay()
    while KINDS[game.kind] != "play_card":
        record = record.append(notation.action_text(HOUSE, game.kind, game.context, game.legal()[0]))
        game = record.replay()
    return record.position(game.seat)


@functools.cache
def found() -> Comparison:
    return compare.compare(position(), legal()[:3], FIXED)


def legal() -> list[int]:
    return position().observation.legal()


def searcher(action: int) -> Searcher:
    return Searcher(position().observation, memory=1 << 20, allowed=[action])


# --- numbers --------------------------------------------------------------------------------------------------------


def test_a_difference_s_error_is_that_of_sampling_and_that_of_the_model() -> None:
    second = found().actions[1]
    assert second.difference is not None
    model = second.worth.model_error.lead
    for error, sampled, off in zip(
        (second.difference.win_share_error, second.difference.wigs_error),
        second.sampling_errors(),
        (model.win_share, model.wigs),
        strict=True,
    ):
        assert off > 0.0
        assert [math.hypot(one, off) for one in sampled] == pytest.approx(list(error))
        assert all(0.0 < one < whole for one, whole in zip(sampled, error, strict=True))


def test_every_action_gets_one_iteration_in_every_world() -> None:
    assert (found().worlds, found().iterations, found().stop_reason) == (40, 120, "iterations")
    assert [one.worth.visits for one in found().actions] == [40, 40, 40]


def test_a_difference_is_that_of_the_means_and_adds_up() -> None:
    first, *others = found().actions
    assert first.difference is None
    for other in others:
        assert other.difference is not None
        assert sum(other.difference.win_share) == pytest.approx(0.0)
        for seat in range(3):
            assert other.difference.wigs[seat] == pytest.approx(other.worth.wigs[seat] - first.worth.wigs[seat])
            assert sum(other.difference.breakdown[seat]) == pytest.approx(other.difference.wigs[seat])
            assert sum(first.worth.breakdown[seat]) == pytest.approx(first.worth.wigs[seat])


def test_the_same_action_in_the_same_worlds_does_not_differ_at_all() -> None:
    pair = Paired([searcher(legal()[0]), searcher(legal()[0])], 7)
    assert pair.run(20) == "iterations"
    (own, _), (again, less) = pair.sums()
    assert own == again
    assert less["wigs"] == less["wigs_squares"] == [0.0, 0.0, 0.0]
    assert own["wigs"][0] > 0


def test_an_action_is_worth_the_same_whatever_it_is_compared_with() -> None:
    reversed_order = compare.compare(position(), legal()[:3][::-1], FIXED)
    for one, other in zip(found().actions, reversed_order.actions[::-1], strict=True):
        assert (one.action, one.worth, one.value) == (other.action, other.worth, other.value)


def test_slices_do_not_change_what_is_found() -> None:
    whole, sliced = (Paired([searcher(action) for action in legal()[:2]], 3) for _ in range(2))
    whole.run(30)
    for worlds in range(1, 31):
        sliced.run(worlds)
    assert whole.sums() == sliced.sums()


def test_threads_share_the_worlds_and_the_answer_is_reproducible() -> None:
    limits = SearchLimits(iterations=100, threads=2, seed=1)
    one, other = (compare.compare(position(), legal()[:2], limits) for _ in range(2))
    assert one == other
    assert one.worlds == 50


def test_the_error_of_a_mean_by_hand() -> None:
    # 3 worlds, 1, 2, 6: sum 9, squares 41, variance (41 - 27) / 2 = 7. Known beforehand: 12 / 3 = 4, less than 7.
    # ((3 - 1) * 7 + 2 * 7) / (3 + 1) / 3 = 28 / 12.
    assert compare._errors([9.0], [41.0], 3, 1, 12.0) == pytest.approx((math.sqrt(28 / 12),))
    # One world alone has the error that nothing is known would give: (0 + 2 * 12) / 2 / 1.
    assert compare._errors([5.0], [25.0], 1, 1, 12.0) == pytest.approx((math.sqrt(12.0),))
    # The same in halves: 9 halves are 4.5, so variance and error shrink by 4 and 2.
    assert compare._errors([9.0], [41.0], 3, 2, 0.0) == pytest.approx((math.sqrt(28 / 12) / 2,))


# --- limits ---------------------------------------------------------------------------------------------------------


def test_a_comparison_ends_when_time_is_up_or_it_is_cancelled() -> None:
    assert compare.compare(position(), legal()[:2], SearchLimits(time=0.01)).stop_reason == "time"
    cancel = CancelFlag()
    cancel.set()
    stopped = compare.compare(position(), legal()[:2], SearchLimits(time=60.0), cancel=cancel)
    assert (stopped.stop_reason, stopped.worlds) == ("cancelled", 1)


def test_full_trees_end_it_with_as_many_worlds_for_each() -> None:
    limits = SearchLimits(iterations=10_000_000, memory=2 << 20)
    ended = compare.compare(position(), legal()[:2], limits)
    assert ended.stop_reason == "memory"
    assert {one.worth.visits for one in ended.actions} == {ended.worlds}


Change = Callable[[Sequence[int]], Sequence[int]]


@pytest.mark.parametrize(
    "change, said",
    [
        (lambda actions: actions[:1], "actions: 1; allowed: 2 to 16"),
        (lambda actions: [actions[0]] * 17, "actions: 17; allowed: 2 to 16"),
        (lambda actions: [actions[0], 31999], r"actions\[1\]: 31999 is not legal for play_card; allowed: "),
        (lambda actions: [actions[0], actions[0]], r"actions\[1\]: .* as before; allowed: actions that differ"),
    ],
)
def test_actions_that_cannot_be_compared_are_named(change: Change, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        compare.compare(position(), change(legal()), FIXED)


def test_options_and_memory_that_do_not_fit_are_named() -> None:
    with pytest.raises(ValueError, match=r"only: \(.*; allowed: nothing, in a comparison"):
        compare.compare(position(), legal()[:2], FIXED, SearchOptions(only=(legal()[0],)))
    with pytest.raises(ValueError, match="memory: 2097152 bytes; allowed: 1048576 or more for each action and thread"):
        compare.compare(position(), legal()[:3], SearchLimits(iterations=9, memory=2 << 20))
    with pytest.raises(ValueError, match=r"assumptions\[0\]: "):
        compare.compare(
            position(), legal()[:2], FIXED, SearchOptions(assumptions=((position().observation.seat, (0,)),))
        )


def test_only_the_seat_to_act_compares() -> None:
    seen = position().observation
    world = seen.sample_world(0)
    other = Position(HOUSE, world.observe((seen.seat + 1) % 3))
    with pytest.raises(ValueError, match=rf"seat: {(seen.seat + 1) % 3} is not to act; allowed: {seen.seat}"):
        compare.compare(other, legal()[:2], FIXED)


# --- words ----------------------------------------------------------------------------------------------------------


def test_a_sentence_says_the_numbers() -> None:
    first, other = found().actions[:2]
    said = found().sentences[0]
    difference, seat = other.difference, found().seat
    assert difference is not None
    assert said == compare.sentence(HOUSE, position().observation, first, other)
    names = [notation.action_text(HOUSE, found().kind, found().context, one.action) for one in (first, other)]
    assert said.startswith(
        f"“{names[1]}” brings {difference.wigs[seat]:+.1f} ± {1.96 * difference.wigs_error[seat]:.1f}"
    )
    assert f"against “{names[0]}” in the same 40 worlds" in said
    assert ("chance would hardly explain" in said) == difference.distinguishable


def test_the_largest_parts_come_first_and_small_ones_are_left_out() -> None:
    first, other = found().actions[:2]
    assert other.difference is not None
    parts = [0.0] * len(CATEGORIES)
    parts[2], parts[3], parts[7] = 0.4, -1.5, 0.2
    row = (tuple(parts),) * 3
    made = Compared(other.action, other.worth, other.value, replace(other.difference, breakdown=row))
    names = [CATEGORIES[index].replace("_", " ") for index in (3, 2)]
    said = compare.sentence(HOUSE, position().observation, first, made)
    assert f"wigs ({names[0]} -1.5, {names[1]} +0.4) and" in said


# --- on the command line --------------------------------------------------------------------------------------------


def test_the_command_says_what_the_function_finds(tmp_path: Path) -> None:
    file = tmp_path / "position.json"
    file.write_text(position().to_json(), encoding="utf-8")
    names = [notation.action_text(HOUSE, found().kind, found().context, one.action) for one in found().actions]
    arguments = ["compare", str(file), *names, "--iterations", "120", "--seed", "4"]
    said = CliRunner().invoke(cli, arguments)
    assert said.exit_code == 0
    assert all(sentence in said.output for sentence in found().sentences)
    data = json.loads(CliRunner().invoke(cli, [*arguments, "--json"]).output)
    assert data["worlds"] == 40
    assert [one["action"] for one in data["actions"]] == names
    assert data["actions"][0]["difference"] is None
    assert data["actions"][2]["difference"]["wigs"] == list(found().actions[2].difference.wigs)  # type: ignore[union-attr]


def test_wigs_are_final_scores() -> None:
    """On the scale of an analysis of the same position: wigs, not the parts of them that the engine counts in."""
    analysed = analyse(position().observation, FIXED).evaluation.wigs
    for one in found().actions:
        assert all(0.7 < mine / its < 1.4 for mine, its in zip(one.worth.wigs, analysed, strict=True))


@pytest.mark.parametrize("algorithm", ["multiple", "redeterminizing", "pimc", "flat"])
def test_a_comparison_is_of_single_observer_trees(algorithm: str) -> None:
    with pytest.raises(ValueError, match=rf"algorithm: '{algorithm}'; allowed: 'single', in a comparison"):
        compare.compare(position(), legal()[:2], FIXED, SearchOptions(algorithm=algorithm))
