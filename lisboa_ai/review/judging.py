"""One decision: the searches that judge it. What goes in and comes out is plain data, fit for another machine."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from statistics import fmean, stdev
from typing import Final

from engine_ext.core import Observation

from ..analysis import Analysis, CancelFlag, Candidate, Evaluation, SearchLimits, SearchOptions, Step, analyse, evaluate
from ..cluster import Parcel
from ..compare import compare_observed
from ..seeds import seed_of
from .model import Shares

__all__ = ["Answer", "Question", "average", "judge"]

FOR_SEARCH: Final = Fraction(1, 2)
"""Part of a decision's budget for the search for the best action."""
FOR_COMPARING: Final = Fraction(1, 2)
"""Part for comparing it with the played one."""
FOR_TREE: Final = Fraction(1, 8)
"""Part for each evaluation of a position after a revelation."""
TREES: Final = 4
"""Evaluations of what was revealed."""
WORLDS: Final = 8
"""Evaluations of what could have been revealed."""
TRIES: Final = 50
"""Worlds drawn for each of them, at most, to find one in which the action is legal."""


@dataclass(frozen=True, slots=True)
class Question:
    """What is to be found out about a decision.

    before: the position, as the judging seat knew it; after: the same seat's knowledge after the action, if something
    was revealed to it. played: None if it is not known. judged: whether best and played are compared; otherwise the
    position is evaluated, and not even that if it is forced.
    """

    index: int
    before: Parcel
    played: int | None
    judged: bool
    forced: bool
    after: Parcel | None
    limits: SearchLimits
    options: SearchOptions


@dataclass(frozen=True, slots=True)
class Answer:
    """What was found out; the numbers are those of ``Decision``.

    best: None if the decision was not judged. difference: None if best and played are the same.
    """

    best: int | None
    line: tuple[Step, ...]
    candidates: tuple[Candidate, ...]
    worth: Evaluation | None
    worth_played: Evaluation | None
    difference: Shares | None
    expected: Shares | None
    revealed: Shares | None
    iterations: int


def judge(question: Question, cancel: CancelFlag | None = None) -> Answer:
    """Search the position, compare what was played with what is best, and evaluate what was revealed."""
    return _Judge(question, cancel).answer()


class _Judge:
    def __init__(self, question: Question, cancel: CancelFlag | None) -> None:
        self.question = question
        self.cancel = cancel
        self.before = question.before.open()
        self.iterations = 0

    def answer(self) -> Answer:
        question = self.question
        worth: Evaluation | None = None
        worth_played: Evaluation | None = None
        difference: Shares | None = None
        best: int | None = None
        found: Analysis | None = None
        if question.judged:
            found = self._noted(
                analyse(
                    self.before,
                    self._limits(FOR_SEARCH, "search"),
                    replace(question.options, granularity="decision", only=(), exclude=()),
                    cancel=self.cancel,
                )
            )
            best, worth = found.best.actions[0], found.evaluation
            if best == question.played:
                worth_played = worth
            else:
                assert question.played is not None
                worth, worth_played, difference = self._compared(best, question.played)
        elif not question.forced:
            worth = self._evaluated(self.before, FOR_SEARCH, "search")
        expected = None if question.after is None else self._expected()
        revealed = None if question.after is None or expected is None else self._turned_up(question.after)
        return Answer(
            best=best,
            line=() if found is None else found.best.line,
            candidates=() if found is None else found.candidates,
            worth=worth,
            worth_played=worth_played,
            difference=difference,
            expected=expected,
            revealed=revealed,
            iterations=self.iterations,
        )

    def _compared(self, best: int, played: int) -> tuple[Evaluation, Evaluation, Shares]:
        """The worth of two actions, and by how much the first is better, on the same sampled worlds."""
        found = compare_observed(
            self.before,
            [played, best],
            self._limits(FOR_COMPARING, "compare"),
            replace(self.question.options, granularity="decision", only=(), exclude=()),
            cancel=self.cancel,
        )
        self.iterations += found.iterations
        first, second = found.actions
        less = second.difference
        assert less is not None
        win_share_error, wigs_error = second.sampling_errors()
        difference = Shares(less.win_share, win_share_error, less.wigs, wigs_error)
        return second.worth, first.worth, difference

    def _turned_up(self, after: Parcel) -> Shares:
        """The evaluation after the action and what it revealed."""
        seen = after.open()
        return average([self._evaluated(seen, FOR_TREE, f"revealed/{i}") for i in range(TREES)])

    def _expected(self) -> Shares | None:
        """The evaluation before the revelation: the mean over worlds drawn from what the seat knew then.

        In each the action is carried out and what the seat would have seen then is evaluated, as what it did see is.
        None if the action is legal in none of many worlds: too rare to say what it is worth.
        """
        found = []
        for i in range(WORLDS * TRIES):
            world = self.before.sample_world(self._seed(f"world/{i}"))
            legal = world.legal()
            played = legal[i % len(legal)] if self.question.played is None else self.question.played
            if played in legal:
                world.apply(played)
                seen = world.observe(self.before.observer)
                found.append(self._evaluated(seen, FOR_TREE, f"expected/{i}"))
            if len(found) == WORLDS:
                break
        return average(found) if len(found) > 1 else None

    def _evaluated(self, observation: Observation, part: Fraction, what: str) -> Evaluation:
        options = replace(self.question.options, granularity="decision", only=(), exclude=())
        return self._noted(evaluate(observation, self._limits(part, what), options, cancel=self.cancel)).evaluation

    def _limits(self, part: Fraction, what: str) -> SearchLimits:
        """A part of the budget, with a seed for this decision and this purpose."""
        limits = self.question.limits
        return replace(
            limits,
            iterations=None if limits.iterations is None else max(1, math.ceil(limits.iterations * part)),
            time=None if limits.time is None else limits.time * float(part),
            seed=self._seed(what),
        )

    def _seed(self, what: str) -> int:
        return seed_of(self.question.limits.seed, "review", self.question.index, what)

    def _noted(self, found: Analysis) -> Analysis:
        self.iterations += found.iterations
        return found


def average(found: Sequence[Evaluation]) -> Shares:
    """The mean of independent evaluations, by seat; its error is from their spread, or their own if that is more."""
    return Shares(
        *_means([one.win_share for one in found], [one.win_share_error for one in found]),
        *_means([one.wigs for one in found], [one.wigs_error for one in found]),
    )


def _means(
    values: Sequence[tuple[float, ...]], errors: Sequence[tuple[float, ...]]
) -> tuple[tuple[float, ...], tuple[float, ...]]:
    count = len(values)
    means = [fmean(column) for column in zip(*values, strict=True)]
    spreads = [stdev(column) / math.sqrt(count) for column in zip(*values, strict=True)]
    own = [math.hypot(*column) / count for column in zip(*errors, strict=True)]
    return tuple(means), tuple(map(max, spreads, own))
