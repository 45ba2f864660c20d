"""The review of a game: verdicts, losses, luck, the balance of a seat, and what a review may know."""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass, replace

import pytest
from positions import GOLD, KIND, TABLES, base, number

from engine_ext import core
from lisboa_ai import notation, wire
from lisboa_ai.analysis import CancelFlag, Evaluation, SearchLimits, SearchOptions
from lisboa_ai.bots import Bot, GreedyBot, RandomBot
from lisboa_ai.record import GameRecord, InvalidRecord, Moment, Played, RecordedAction
from lisboa_ai.review import Choice, Decision, Loss, Luck, Review, Shares, Verdict, collect, review
from lisboa_ai.review.judging import average
from lisboa_ai.review.reviewing import verdict_of
from lisboa_ai.review.summary import accuracy_of, summaries

FEW = SearchLimits(iterations=16, seed=3)


@functools.cache
def played(seats: int, decisions: int, *, draft: bool = False) -> GameRecord:
    """The record of the first decisions of a game between greedy bots."""
    record = GameRecord.new(TABLES, seats, 5, draft=draft)
    game, texts = record.replay(), []
    bots = [GreedyBot(seat) for seat in range(seats)]
    while not game.over and len(texts) < decisions:
        argument = bots[game.seat].choose(game.observe(game.seat))
        texts.append(notation.action_text(TABLES, game.kind, game.context, argument))
        game.apply(argument)
    return record.extend(texts)


@functools.cache
def reviewed(seats: int, decisions: int, *, draft: bool = False) -> Review:
    return collect(review(played(seats, decisions, draft=draft), FEW))


def test_who_plays_at_random_is_found_out() -> None:
    """A review judges by the error of sampling: by all that the search may be off by nothing could be judged."""
    record = GameRecord.new(TABLES, 2, 5)
    game, texts = record.replay(), []
    bots: list[Bot] = [RandomBot(5), GreedyBot(6)]
    while not game.over and len(texts) < 60:
        argument = bots[game.seat].choose(game.observe(game.seat))
        texts.append(notation.action_text(TABLES, game.kind, game.context, argument))
        game.apply(argument)
    judged = collect(review(record.extend(texts), SearchLimits(iterations=200, seed=3)))
    at_random, greedy = judged.summaries
    bad = [one.counts["mistake"] + one.counts["blunder"] for one in (at_random, greedy)]
    assert bad[0] > bad[1]
    assert at_random.accuracy is not None
    assert greedy.accuracy is not None
    assert at_random.accuracy < greedy.accuracy < 100.0


# --- a position worked out by hand ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Ending(GameRecord):
    """A record whose only decision is the last one of a game: seat 1 takes a decree, with one gold store in row B.

    In the final scoring seat 0 has 20 wigs and 2 for money (L5), seat 1 has 16, 2 for money and 3 for most gold stores
    (L6): 22 against 21. Decree 1 (3 wigs for each gold store) and decree 8 (for each in row B) make it 24; decrees 2 to
    7 bring nothing.
    """

    decree: str = "decree-2"

    @classmethod
    def with_decree(cls, decree: str) -> Ending:
        return cls(TABLES, 2, {}, (RecordedAction(f"decree {decree}"),), names=("Ana", "Rui"), decree=decree)

    def replay(self, ply: int | None = None) -> core.Game:
        table = base(2).second_period().state(turn=4, last_turn=4, active=1, deck_pos=[5, 5, 5, 0], face_up=0b1000)
        table.store(1, "land-B1", GOLD).set(0, wigs=20).set(1, wigs=16)
        for frame in table.fields["frames"][:4]:
            frame["seat"] = 1
        table.fields["frames"][3]["kind"] = KIND["take_decree"]
        game = table.game()
        if ply is None:
            game.apply(number(self.decree))
        return game

    def moments(self) -> list[Moment]:
        before = self.replay(0)
        return [Moment(Played(before.kind, before.context, 1, number(self.decree), 0), before, self.replay())]


def test_the_last_decision_lost_the_game() -> None:
    found = collect(review(Ending.with_decree("decree-2"), SearchLimits(iterations=200, seed=1)))
    (one,) = found.decisions
    assert (one.seat, one.kind, one.legal, one.verdict) == (1, "take_decree", 8, "blunder")
    assert one.played.text == "decree decree-2"
    assert one.best is not None
    assert one.best.text in ("decree decree-1", "decree decree-8")
    assert one.loss is not None
    assert (one.loss.win_share, one.loss.wigs) == (1.0, 3.0)
    assert one.reasons == (("decrees", 3.0),)
    assert one.worth is not None
    assert one.worth.win_share == (0.0, 1.0)
    assert one.worth.wigs == (22.0, 24.0)
    assert one.worth_played is not None
    assert one.worth_played.wigs == (22.0, 21.0)
    first, second = found.summaries
    assert (first.judged, first.accuracy, first.start, first.luck, first.final) == (0, None, None, None, 1.0)
    assert (second.judged, second.accuracy, second.start, second.loss, second.loss_wigs) == (1, 0.0, 1.0, 1.0, 3.0)
    assert (second.given, second.luck, second.rest, second.final, second.final_wigs) == (0.0, 0.0, 0.0, 0.0, 21.0)
    assert second.counts["blunder"] == 1
    assert (second.name, second.over) == ("Rui", True)
    assert found.costliest() == [one]


@pytest.mark.parametrize("decree", ["decree-1", "decree-8"])
def test_of_two_equal_actions_neither_is_a_loss(decree: str) -> None:
    found = collect(review(Ending.with_decree(decree), SearchLimits(iterations=200, seed=1)))
    (one,) = found.decisions
    assert one.verdict in ("best", "not_distinguishable")
    assert one.loss is not None
    assert one.loss.win_share == 0.0
    assert found.summaries[1].accuracy == 100.0
    assert found.costliest() == []


def test_a_new_decree_on_display_is_no_luck_when_the_game_is_over() -> None:
    """The display is refilled, which the seat sees, but whatever turns up, the game has ended 22 to 21."""
    luck = collect(review(Ending.with_decree("decree-2"), FEW)).decisions[0].luck
    if luck is not None:
        assert luck.win_share == (0.0, 0.0)


# --- verdicts and numbers ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "loss, error, verdict",
    [
        (0.010, 0.001, "good"),
        (0.020, 0.001, "inaccuracy"),
        (0.049, 0.001, "inaccuracy"),
        (0.050, 0.001, "mistake"),
        (0.099, 0.001, "mistake"),
        (0.100, 0.001, "blunder"),
        (0.300, 0.160, "not_distinguishable"),  # 1.96 × 0.16 = 0.3136
        (0.300, 0.150, "blunder"),  # 1.96 × 0.15 = 0.294
        (0.000, 0.010, "not_distinguishable"),
        (-0.300, 0.160, "not_distinguishable"),
        (-0.300, 0.150, "best"),  # what was played proved better than what the search would have played
    ],
)
def test_verdicts_by_loss_and_error(loss: float, error: float, verdict: Verdict) -> None:
    assert verdict_of(Loss(loss, error, 0.0, 0.0), same=False) == verdict
    assert verdict_of(Loss(loss, error, 0.0, 0.0), same=True) == "best"


def decision(index: int, seat: int, verdict: Verdict, best: tuple[float, float], own: tuple[float, float]) -> Decision:
    """A judged decision by the win shares of its best and its played action; errors of 3 points, differences of 4."""
    worth, worth_played = (Shares(shares, (0.03, 0.03), (50.0, 50.0), (1.0, 1.0)) for shares in (best, own))
    loss, difference = Loss(0.0, 0.0, 0.0, 0.0), None
    if verdict != "best":
        loss = Loss(best[seat] - own[seat], 0.04, 2.0, 1.5)
        less = (best[0] - own[0], best[1] - own[1])
        difference = Shares(less, (0.04, 0.04), (2.0, -2.0), (1.5, 1.5))
    choice = Choice(1, "done", "Player 1: done.")
    return Decision(
        index, index, index, 0, seat, seat, "sell", 2, verdict, choice, choice, loss, (), (), (), worth, worth_played,
        difference, None, 40,
    )  # fmt: skip


def test_what_a_decision_counts_in_the_accuracy() -> None:
    lost = decision(0, 0, "inaccuracy", (0.50, 0.50), (0.47, 0.53))
    assert accuracy_of(lost) == pytest.approx(70.0)
    assert accuracy_of(replace(lost, verdict="not_distinguishable")) == 100.0
    assert accuracy_of(decision(0, 0, "best", (0.5, 0.5), (0.5, 0.5))) == 100.0
    assert accuracy_of(decision(0, 0, "blunder", (0.5, 0.5), (0.3, 0.7))) == 0.0
    assert accuracy_of(replace(lost, verdict="forced", loss=None)) is None


def test_the_balance_of_a_seat() -> None:
    """Seat 0 starts at 50 %, loses 3 points, is given 20 by seat 1, has 5 points of luck, ends at 100 %: rest 28."""
    lucky = replace(
        decision(2, 1, "blunder", (0.40, 0.60), (0.60, 0.40)), luck=Luck("red-king-1", (0.05, -0.05), (0.01, 0.01))
    )
    decisions = [
        replace(decision(0, 1, "mistake", (0.3, 0.7), (0.38, 0.62)), luck=Luck("decree-9", (0.2, -0.2), (0.1, 0.1))),
        decision(1, 0, "inaccuracy", (0.50, 0.50), (0.47, 0.53)),
        lucky,
    ]
    end = Shares((1.0, 0.0), (0.0, 0.0), (90.0, 80.0), (0.0, 0.0))
    first, second = summaries(GameRecord(TABLES, 2, {}), decisions, [end, end], over=True)
    assert (first.start, first.loss, first.given, first.luck) == pytest.approx((0.50, 0.03, 0.20, 0.05))
    assert first.rest == pytest.approx(0.28)
    assert first.accuracy == pytest.approx(70.0)
    assert first.given_error == pytest.approx(0.04)
    # seat 1 was there from the beginning: 8 and 20 points lost, 3 given, 20 and 5 of bad luck
    assert (second.start, second.loss, second.given, second.luck) == pytest.approx((0.70, 0.28, 0.03, -0.25))
    assert second.rest == pytest.approx(-0.20)
    assert second.accuracy == pytest.approx((20.0 + 0.0) / 2)
    assert second.loss_error == pytest.approx(math.hypot(0.04, 0.04))


def evaluation(share: float, error: float) -> Evaluation:
    return Evaluation(0, 9, (share, 1 - share), (error, error), (share, 0.0), (error, 0.0), (), ())


def test_the_mean_of_evaluations_has_the_larger_of_two_errors() -> None:
    spread = average([evaluation(0.2, 0.1), evaluation(0.8, 0.1)])
    assert spread.win_share == pytest.approx((0.5, 0.5))
    assert spread.win_share_error == pytest.approx((0.3, 0.3))  # standard deviation 0.424 over the root of 2
    level = average([evaluation(0.5, 0.1), evaluation(0.5, 0.1)])
    assert level.win_share_error == pytest.approx((0.1 / math.sqrt(2),) * 2)


# --- whole reviews ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seats, draft", [(2, False), (3, True)])
def test_every_decision_is_named_and_adds_up(seats: int, draft: bool) -> None:
    record, found = played(seats, 40, draft=draft), reviewed(seats, 40, draft=draft)
    assert [one.played.text for one in found.decisions] == [action.text for action in record.actions]
    assert [one.index for one in found.decisions] == list(range(40))
    for one in found.decisions:
        for shares in (one.worth, one.worth_played):
            if shares is not None:
                assert sum(shares.win_share) == pytest.approx(1.0)
        if one.luck is not None:
            assert sum(one.luck.win_share) == pytest.approx(0.0, abs=1e-12)
        assert (one.verdict == "forced") == (one.legal == 1)
        if one.verdict == "best":
            assert one.best == one.played
            assert one.loss == Loss(0.0, 0.0, 0.0, 0.0)
        elif one.loss is not None:
            assert one.worth is not None
            assert one.worth_played is not None
            assert one.best != one.played
            assert one.difference is not None
            assert one.loss.win_share == one.difference.win_share[one.seat]
            for seat in range(seats):
                less = one.worth.win_share[seat] - one.worth_played.win_share[seat]
                assert one.difference.win_share[seat] == pytest.approx(less)
            certain = abs(one.loss.win_share) > wire.Z * one.loss.win_share_error
            assert (one.verdict == "not_distinguishable") != certain
    assert len(found.summaries) == seats
    for seat, one in enumerate(found.summaries):
        assert one.seat == seat
        assert sum(one.counts.values()) == one.decisions == sum(each.seat == seat for each in found.decisions)
        assert one.start is not None
        parts = (one.start, -(one.loss or 0.0), one.given, one.luck, one.rest)
        assert math.fsum(part or 0.0 for part in parts) == pytest.approx(one.final)


def test_luck_is_reported_where_the_seat_saw_something_new() -> None:
    """By the observer's records, which hold what each action revealed."""
    record, found = played(2, 40), reviewed(2, 40)
    seen = [record.observe(seat).actions for seat in range(2)]
    for one in found.decisions:
        assert (one.luck.revealed if one.luck else "") == seen[one.seat][one.ply].revealed
    assert sum(one.luck is not None for one in found.decisions) >= 4


class Forced(GameRecord):
    """Only those decisions of a record in which one action was legal, and the end right after them."""

    def moments(self) -> list[Moment]:
        return [moment for moment in super().moments() if len(moment.before.legal()) == 1]


def test_forced_decisions_are_not_judged_and_only_what_they_reveal_is_searched() -> None:
    """At the period's end a seat without a card can only say that it discards no more; then new hands are dealt."""
    whole = played(2, 140)
    found = collect(review(Forced(whole.tables, 2, whole.setup, whole.actions), FEW))
    assert {(one.verdict, one.legal, one.played.text) for one in found.decisions} == {("forced", 1, "done")}
    assert all((one.best, one.loss, one.worth, one.worth_played) == (None,) * 4 for one in found.decisions)
    assert {one.luck is None for one in found.decisions} == {True, False}
    assert all((one.iterations == 0) == (one.luck is None) for one in found.decisions)
    assert [(one.judged, one.accuracy) for one in found.summaries] == [(0, None)] * 2


@pytest.mark.parametrize("seats, draft", [(2, False), (3, True)])
def test_a_decision_is_judged_from_what_its_seat_could_know(seats: int, draft: bool) -> None:
    """A seat's own record, in which everything hidden is blank, gives the same judgement of its decisions."""
    truth = reviewed(seats, 40, draft=draft)
    for seat in range(seats):
        own = collect(review(played(seats, 40, draft=draft).observe(seat), FEW))
        assert [one for one in own.decisions if one.seat == seat] == [
            one for one in truth.decisions if one.seat == seat
        ]


def test_an_observers_record_leaves_rivals_unjudged() -> None:
    own = collect(review(played(3, 40, draft=True).observe(1), FEW))
    rivals = [one for one in own.decisions if one.seat != 1]
    assert {one.verdict for one in rivals} == {"not_judged"}
    assert all(one.best is None and one.loss is None and one.observer == 1 for one in rivals)
    assert all(one.worth is not None for one in rivals)
    hidden = [one for one in rivals if one.kind == "draft_keep"]
    assert hidden
    assert {(one.played.argument, one.played.text) for one in hidden} == {(None, "keep ?")}
    assert [one.judged > 0 for one in own.summaries] == [False, True, False]


def test_the_same_seed_gives_the_same_review_and_another_seed_another_one() -> None:
    record = played(2, 8)
    first = collect(review(record, SearchLimits(iterations=40, seed=1)))
    assert collect(review(record, SearchLimits(iterations=40, seed=1))) == first
    assert collect(review(record, SearchLimits(iterations=40, seed=2))) != first


def test_a_review_of_more_decisions_begins_like_one_of_fewer() -> None:
    assert collect(review(played(2, 8), FEW)).decisions == reviewed(2, 40).decisions[:8]


def test_progress_is_told_after_every_decision() -> None:
    told: list[tuple[int, int]] = []
    collect(review(played(2, 8), FEW, progress=lambda done, of: told.append((done, of))))
    assert told == [(number, 8) for number in range(1, 9)]


def test_a_cancelled_review_ends() -> None:
    cancel = CancelFlag()
    items = review(played(2, 8), FEW, cancel=cancel)
    assert isinstance(next(items), Decision)
    cancel.set()
    assert list(items) == []


def test_a_record_without_decisions_has_summaries() -> None:
    found = collect(review(played(2, 0), FEW))
    assert found.decisions == ()
    assert [(one.decisions, one.accuracy, one.over) for one in found.summaries] == [(0, None, False)] * 2


# --- what is refused --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("options", [SearchOptions(only=(1,)), SearchOptions(exclude=(1,))])
def test_options_that_single_out_actions_are_refused(options: SearchOptions) -> None:
    with pytest.raises(ValueError, match=r"^(only|exclude): \(1,\); allowed: nothing, in a review$"):
        review(played(2, 8), FEW, options)


@pytest.mark.parametrize(
    "options, says",
    [
        (SearchOptions(algorithm="pimc"), "algorithm: 'pimc'; allowed: 'single', in a review"),
        (SearchOptions(level=3), "level: 3; allowed: none, in a review"),
    ],
)
def test_what_is_compared_in_the_same_worlds_is_searched_in_one_way_only(options: SearchOptions, says: str) -> None:
    with pytest.raises(ValueError, match=f"^{says}$"):
        review(played(2, 8), FEW, options)


def test_a_broken_record_is_refused_before_anything_is_searched() -> None:
    broken = replace(played(2, 8), actions=(RecordedAction("court nothing-1"),))
    with pytest.raises(InvalidRecord, match=r"actions\[0\]"):
        review(broken, FEW)
