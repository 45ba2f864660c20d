"""The review of a record: what is asked about each decision, and what the answers say."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from typing import Final

from engine_ext.core import KINDS, UNKNOWN, Game, Observation

from .. import notation, report, wire
from ..analysis import CancelFlag, Candidate, Evaluation, SearchLimits, SearchOptions, Step
from ..cluster import Parcel, in_order
from ..edition import EditionTables
from ..record import GameRecord, Moment
from .judging import Answer, Question, judge
from .model import BOUNDS, Choice, Decision, Loss, Luck, Option, SeatSummary, Shares, Verdict
from .summary import summaries

__all__ = ["DEFAULT_ITERATIONS", "review", "verdict_of"]

DEFAULT_ITERATIONS: Final = 2000
"""Iterations for a decision, if the limits name neither these nor a time."""

NO_LOSS: Final = Loss(0.0, 0.0, 0.0, 0.0)


def review(
    record: GameRecord,
    limits: SearchLimits | None = None,
    options: SearchOptions | None = None,
    *,
    executor: Executor | None = None,
    progress: Callable[[int, int], None] | None = None,
    cancel: CancelFlag | None = None,
    moments: Sequence[Moment] | None = None,
) -> Iterator[Decision | SeatSummary]:
    """Judge every decision of a record, in order, then sum up every seat. See the package for what is said and how.

    The limits are those of one decision; what a revelation was worth costs one and a half times as much again. options:
    those of the searches, without only, exclude, assumptions, level or another algorithm than "single", since what was
    played and what is best are compared in the same worlds. executor: where the searches run; None: here, one after
    the other, and only then does ``cancel`` stop one that is running. After ``cancel`` nothing more is yielded.
    progress: called with the decisions done and their number. moments: the record's, if somebody has them already.
    Raises ``InvalidRecord`` or ``ValueError`` before the first search.
    """
    limits = _limits(limits)
    options = options or SearchOptions()
    for name in ("only", "exclude", "assumptions"):
        if getattr(options, name):
            raise ValueError(f"{name}: {getattr(options, name)}; allowed: nothing, in a review")
    options.plain_search("a review")
    if options.algorithm != "single":
        raise ValueError(f"algorithm: {options.algorithm!r}; allowed: 'single', in a review")
    asked = [_Asked.of(record, moment) for moment in (record.moments() if moments is None else moments)]
    return _reviewed(record, asked, limits, options, executor, progress, cancel)


def _limits(limits: SearchLimits | None) -> SearchLimits:
    if limits is None:
        return SearchLimits(iterations=DEFAULT_ITERATIONS)
    if limits.iterations is None and limits.time is None:
        return replace(limits, iterations=DEFAULT_ITERATIONS)
    return limits


@dataclass(frozen=True, slots=True)
class _Asked:
    """A decision of the record with the judging seat's knowledge before and after it."""

    moment: Moment
    before: Observation
    after: Observation
    legal: int
    revealed: str
    own: bool
    """Whether the judging seat is the one that decided."""

    @classmethod
    def of(cls, record: GameRecord, moment: Moment) -> _Asked:
        played, before, after = moment
        if isinstance(before, Game) and isinstance(after, Game):
            seen = before.observe(played.seat)
            revealed = notation.revealed_text(record.tables, after.revealed(played.seat))
            return cls(moment, seen, after.observe(played.seat), len(seen.legal()), revealed, True)
        assert isinstance(before, Observation)
        assert isinstance(after, Observation)
        own = before.observer == played.seat
        return cls(moment, before, after, len(before.legal()), record.actions[played.ply].revealed, own)

    @property
    def forced(self) -> bool:
        return self.own and self.legal == 1

    def question(self, index: int, limits: SearchLimits, options: SearchOptions) -> Question | None:
        """What is to be searched; None if nothing is."""
        if self.forced and not self.revealed:
            return None
        argument = self.moment.played.argument
        return Question(
            index=index,
            before=Parcel.of(self.before),
            played=None if argument == UNKNOWN and not self.own else argument,
            judged=self.own and not self.forced,
            forced=self.forced,
            after=Parcel.of(self.after) if self.revealed else None,
            limits=limits,
            options=options,
        )


def _reviewed(
    record: GameRecord,
    asked: Sequence[_Asked],
    limits: SearchLimits,
    options: SearchOptions,
    executor: Executor | None,
    progress: Callable[[int, int], None] | None,
    cancel: CancelFlag | None,
) -> Iterator[Decision | SeatSummary]:
    questions = [one.question(index, limits, options) for index, one in enumerate(asked)]
    ends = _end_questions(record, asked, limits, options)
    tasks = [question for question in (*questions, *ends) if question is not None]
    ask = judge if executor is not None else functools.partial(judge, cancel=cancel)
    answers = in_order(ask, tasks, executor)

    def stopped() -> bool:
        return cancel is not None and cancel.is_set

    def answer() -> Answer | None:
        """The next answer; None after the review was cancelled."""
        try:
            found = None if stopped() else next(answers)
        except ValueError:
            if stopped():
                return None  # a search that was stopped before its first iteration
            raise
        return None if stopped() else found

    decisions: list[Decision] = []
    try:
        for index, (one, question) in enumerate(zip(asked, questions, strict=True)):
            found = None if question is None else answer()
            if stopped() or (question is not None and found is None):
                return
            decisions.append(_decision(record.tables, index, one, found))
            if progress is not None:
                progress(index + 1, len(asked))
            yield decisions[-1]
        finals: list[Shares] = []
        for _ in ends:
            found = answer()
            if found is None:
                return
            assert found.worth is not None
            finals.append(_shares(found.worth))
    finally:
        answers.close()
    yield from summaries(record, decisions, finals, over=_over(record, asked))


def _end_questions(
    record: GameRecord, asked: Sequence[_Asked], limits: SearchLimits, options: SearchOptions
) -> list[Question]:
    """What the last position is worth: to each seat by its own knowledge, or to the observer."""
    state = asked[-1].moment.after if asked else record.start()
    seen = [state] if isinstance(state, Observation) else [state.observe(seat) for seat in range(record.seats)]
    return [
        Question(len(asked) + i, Parcel.of(one), None, False, False, None, limits, options)
        for i, one in enumerate(seen)
    ]


def _over(record: GameRecord, asked: Sequence[_Asked]) -> bool:
    return bool(asked) and asked[-1].after.over


# --- what the answers say -------------------------------------------------------------------------------------------


def _decision(tables: EditionTables, index: int, asked: _Asked, found: Answer | None) -> Decision:
    played, before = asked.moment.played, asked.before

    def choice(argument: int) -> Choice:
        hidden = argument == UNKNOWN and not asked.own
        return Choice(
            None if hidden else argument,
            notation.action_text(tables, played.kind, played.context, argument),
            notation.describe(tables, played.kind, played.context, argument, played.seat),
        )

    verdict: Verdict = "forced" if asked.forced else "not_judged"
    best: Choice | None = None
    loss: Loss | None = None
    reasons: tuple[tuple[str, float], ...] = ()
    worth = None if found is None else found.worth
    worth_played = None if found is None else found.worth_played
    line: tuple[Step, ...] = () if found is None else found.line
    if found is not None and found.best is not None:
        assert worth is not None
        assert worth_played is not None
        loss = NO_LOSS if found.difference is None else _loss(found.difference, played.seat)
        verdict = verdict_of(loss, same=found.best == played.argument)
        best = choice(found.best)
        if verdict == "best":  # also where the comparison proved the search wrong
            best, loss, worth = choice(played.argument), NO_LOSS, worth_played
            line = line if found.best == played.argument else ()
        else:
            reasons = tuple(report.gains(worth, worth_played, played.seat))
    return Decision(
        index=index,
        ply=played.ply,
        turn=before.turn,
        period=before.period,
        seat=played.seat,
        observer=before.observer,
        kind=KINDS[played.kind],
        legal=asked.legal,
        verdict=verdict,
        played=choice(played.argument),
        best=best,
        loss=loss,
        reasons=reasons,
        line=tuple((step.seat, notation.action_text(tables, step.kind, step.context, step.action)) for step in line),
        options=()
        if found is None
        else tuple(_option(candidate, choice(candidate.actions[0]), played.seat) for candidate in found.candidates),
        worth=None if worth is None else _shares(worth),
        worth_played=None if worth_played is None else _shares(worth_played),
        difference=None if found is None or verdict == "best" else found.difference,
        luck=None if found is None else _luck(asked.revealed, found.expected, found.revealed),
        iterations=0 if found is None else found.iterations,
    )


def _shares(found: Evaluation) -> Shares:
    return Shares(found.win_share, found.win_share_error, found.wigs, found.wigs_error)


def _option(candidate: Candidate, choice: Choice, seat: int) -> Option:
    return Option(
        choice,
        candidate.visits,
        candidate.win_share[seat],
        candidate.win_share_error[seat],
        candidate.wigs[seat],
        candidate.wigs_error[seat],
    )


def _loss(difference: Shares, seat: int) -> Loss:
    return Loss(
        difference.win_share[seat], difference.win_share_error[seat], difference.wigs[seat], difference.wigs_error[seat]
    )


def verdict_of(loss: Loss, *, same: bool) -> Verdict:
    """What a loss is called; ``same``: what was played is what the search would have played."""
    if same:
        return "best"
    if abs(loss.win_share) <= wire.Z * loss.win_share_error:
        return "not_distinguishable"
    if loss.win_share < 0.0:
        return "best"
    return next((verdict for verdict, bound in BOUNDS if loss.win_share < bound), "blunder")


def _luck(revealed: str, expected: Shares | None, found: Shares | None) -> Luck | None:
    """The evaluation after a revelation less the one before it."""
    if expected is None or found is None:
        return None
    pairs = zip(found.win_share, expected.win_share, strict=True)
    errors = zip(found.win_share_error, expected.win_share_error, strict=True)
    return Luck(revealed, tuple(after - before for after, before in pairs), tuple(math.hypot(*pair) for pair in errors))
