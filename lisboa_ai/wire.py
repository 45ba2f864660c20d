"""Searches and their answers as messages of ``lisboa.v1``, both ways. The server and the client use the same functions.

A reply holds all of an analysis: ``analysis_from_proto`` turns what ``advice_to_proto`` wrote into the same analysis
again, times to the nanosecond.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Final, cast

from engine_ext.core import CATEGORIES, CHECKED, KINDS
from lisboa.v1 import advisor_pb2, rules_pb2

from . import notation
from .analysis import Analysis, Candidate, Evaluation, SearchOptions, Step
from .analysis.model_error import EXACT, ModelError
from .analysis.statistics import Z
from .compare import Comparison
from .edition import EditionTables
from .wire_actions import action_to_proto, decision_to_proto
from .wire_options import PriorityName, limits_from_proto, limits_to_proto, options_to_proto
from .wire_values import duration, seconds

__all__ = [
    "CATEGORIES",
    "ENGINE_BUILD",
    "Z",
    "advice_to_proto",
    "analysis_from_proto",
    "breakdown_to_proto",
    "category_index",
    "category_to_proto",
    "differences",
    "estimates",
    "evaluation_from_proto",
    "evaluation_to_proto",
    "interval",
    "lead_error",
    "report_to_proto",
    "stop_reason_name",
    "stop_reason_to_proto",
    "whole_error",
]

ENGINE_BUILD: Final = "checked" if CHECKED else "release"
"""Which build of the engine is loaded."""


# --- small values ---------------------------------------------------------------------------------------------------


def stop_reason_name(value: advisor_pb2.StopReason) -> str:
    """The reason as an analysis says it: ``"iterations"``."""
    return advisor_pb2.StopReason.Name(value).removeprefix("STOP_REASON_").lower()


def stop_reason_to_proto(name: str) -> advisor_pb2.StopReason:
    """The reason that an analysis says, as a message says it."""
    return cast(advisor_pb2.StopReason, advisor_pb2.StopReason.Value(f"STOP_REASON_{name.upper()}"))


def breakdown_to_proto(wigs: Sequence[float]) -> list[rules_pb2.CategoryWigs]:
    """Wigs by category, in the order of ``CATEGORIES``, as messages; zeros are left out."""
    return [
        rules_pb2.CategoryWigs(category=category_to_proto(index), wigs=value)
        for index, value in enumerate(wigs)
        if value != 0
    ]


def category_to_proto(index: int) -> rules_pb2.ScoringCategory:
    """The category at this place of ``CATEGORIES``."""
    return cast(
        rules_pb2.ScoringCategory, rules_pb2.ScoringCategory.Value(f"SCORING_CATEGORY_{CATEGORIES[index].upper()}")
    )


def _breakdown(parts: Iterable[rules_pb2.CategoryWigs]) -> tuple[float, ...]:
    row = [0.0] * len(CATEGORIES)
    for part in parts:
        row[category_index(part.category)] = part.wigs
    return tuple(row)


def category_index(category: rules_pb2.ScoringCategory) -> int:
    """Its place in ``CATEGORIES``. Raises ``ValueError`` for a number that means nothing."""
    return CATEGORIES.index(rules_pb2.ScoringCategory.Name(category).removeprefix("SCORING_CATEGORY_").lower())


# --- steps ------------------------------------------------------------------------------------------------------------


def _step_to_proto(tables: EditionTables, step: Step) -> advisor_pb2.LineStep:
    action = action_to_proto(tables, step.kind, step.seat, step.context, step.action)
    return advisor_pb2.LineStep(action=action, visits=step.visits)


def _step(message: advisor_pb2.LineStep) -> Step:
    decision = message.action.decision
    return Step(
        kind=KINDS.index(decision.kind),
        seat=decision.seat,
        context=(decision.a, decision.b),
        action=message.action.argument,
        visits=message.visits,
    )


# --- answers --------------------------------------------------------------------------------------------------------


def interval(mean: float, error: float) -> advisor_pb2.Interval:
    """The 95 % confidence interval around a mean."""
    return advisor_pb2.Interval(low=mean - Z * error, high=mean + Z * error)


def estimates(found: Evaluation | Candidate, values: Sequence[float] = ()) -> list[advisor_pb2.SeatEstimate]:
    """What something is worth, by seat; with the means of the objective if there are any."""
    return [
        advisor_pb2.SeatEstimate(
            seat=seat,
            value=values[seat] if values else None,
            win_share=found.win_share[seat],
            win_share_error=found.win_share_error[seat],
            win_share_interval=interval(found.win_share[seat], whole.win_share),
            win_share_model_error=found.model_error.win_share,
            wigs=found.wigs[seat],
            wigs_error=found.wigs_error[seat],
            wigs_interval=interval(found.wigs[seat], whole.wigs),
            wigs_model_error=found.model_error.wigs,
            rank_distribution=found.rank_distribution[seat],
            breakdown=breakdown_to_proto(found.breakdown[seat]),
        )
        for seat, whole in enumerate(whole_error(found, seat) for seat in range(len(found.wigs)))
    ]


def whole_error(found: Evaluation | Candidate, seat: int) -> ModelError:
    """Standard errors of what something is worth to a seat, that of the model counted."""
    return ModelError(
        math.hypot(found.win_share_error[seat], found.model_error.win_share),
        math.hypot(found.wigs_error[seat], found.model_error.wigs),
    )


def differences(candidate: Candidate, best: Candidate, seat: int) -> list[str]:
    """In what two candidates differ by more than chance would hardly explain: the seat's "win share", its "wigs".

    A difference is held against 1.96 standard errors of it, see ``lead_error``.
    """
    errors = lead_error(candidate, best, seat)
    return [
        name
        for name, mine, its, error in (
            ("win share", candidate.win_share, best.win_share, errors.win_share),
            ("wigs", candidate.wigs, best.wigs, errors.wigs),
        )
        if abs(mine[seat] - its[seat]) > Z * error
    ]


def lead_error(one: Candidate, other: Candidate, seat: int) -> ModelError:
    """Standard errors of a seat's difference between two candidates of a search, that of the model counted.

    The two estimates are taken as independent.
    """
    model = one.model_error.lead
    return ModelError(
        math.hypot(one.win_share_error[seat], other.win_share_error[seat], model.win_share),
        math.hypot(one.wigs_error[seat], other.wigs_error[seat], model.wigs),
    )


def evaluation_to_proto(evaluation: Evaluation, observer: int) -> advisor_pb2.Evaluation:
    """An evaluation, with whose knowledge it rests on."""
    return advisor_pb2.Evaluation(observer=observer, visits=evaluation.visits, seats=estimates(evaluation))


def report_to_proto(
    analysis: Analysis | Comparison,
    tables: EditionTables,
    options: SearchOptions,
    *,
    queued: float = 0.0,
    priority: PriorityName | None = None,
    cached: bool = False,
) -> advisor_pb2.SearchReport:
    """How an answer was found. queued: in seconds. cached: it was kept from an earlier search."""
    return advisor_pb2.SearchReport(
        stop_reason=stop_reason_to_proto(analysis.stop_reason),
        iterations=analysis.iterations,
        nodes=analysis.nodes,
        memory_used_bytes=analysis.memory_used,
        elapsed=duration(analysis.elapsed),
        queued=duration(queued),
        limits=limits_to_proto(analysis.limits),
        options=options_to_proto(options, tables, analysis.kind, analysis.context, priority),
        decision=decision_to_proto(analysis.kind, analysis.seat, analysis.context),
        observer=analysis.observer,
        cached=cached,
        notes=analysis.notes if isinstance(analysis, Analysis) else (),
        effective_samples=analysis.effective_samples if isinstance(analysis, Analysis) else 0.0,
    )


def advice_to_proto(
    analysis: Analysis,
    tables: EditionTables,
    options: SearchOptions,
    *,
    queued: float = 0.0,
    priority: PriorityName | None = None,
    cached: bool = False,
) -> advisor_pb2.Advice:
    """An analysis as a message. queued: in seconds. cached: it was kept from an earlier search."""
    return advisor_pb2.Advice(
        candidates=[
            advisor_pb2.Candidate(
                text="; ".join(
                    notation.action_text(tables, step.kind, step.context, step.action) for step in candidate.steps
                ),
                actions=[_step_to_proto(tables, step) for step in candidate.steps],
                line=[_step_to_proto(tables, step) for step in candidate.line],
                beyond=[_step_to_proto(tables, step) for step in candidate.beyond],
                visits=candidate.visits,
                availability=candidate.availability,
                seats=estimates(candidate, candidate.value),
                distinguishable=candidate.distinguishable,
                value_error=candidate.value_error,
                prior=candidate.prior,
            )
            for candidate in analysis.candidates
        ],
        evaluation=evaluation_to_proto(analysis.evaluation, analysis.observer),
        report=report_to_proto(analysis, tables, options, queued=queued, priority=priority, cached=cached),
        choice=analysis.chosen,
    )


def evaluation_from_proto(seats: Sequence[advisor_pb2.SeatEstimate], seat: int, visits: int) -> Evaluation:
    """What ``estimates`` wrote, for the seat that decides."""
    return Evaluation(
        seat=seat,
        visits=visits,
        win_share=tuple(one.win_share for one in seats),
        win_share_error=tuple(one.win_share_error for one in seats),
        wigs=tuple(one.wigs for one in seats),
        wigs_error=tuple(one.wigs_error for one in seats),
        rank_distribution=tuple(tuple(one.rank_distribution) for one in seats),
        breakdown=tuple(_breakdown(one.breakdown) for one in seats),
        model_error=_model_error(seats),
    )


def _model_error(seats: Sequence[advisor_pb2.SeatEstimate]) -> ModelError:
    return ModelError(seats[0].win_share_model_error, seats[0].wigs_model_error) if seats else EXACT


def _candidate(message: advisor_pb2.Candidate) -> Candidate:
    steps = tuple(_step(one) for one in message.actions)
    return Candidate(
        actions=tuple(step.action for step in steps),
        steps=steps,
        line=tuple(_step(one) for one in message.line),
        beyond=tuple(_step(one) for one in message.beyond),
        visits=message.visits,
        availability=message.availability,
        value=tuple(one.value for one in message.seats),
        win_share=tuple(one.win_share for one in message.seats),
        win_share_error=tuple(one.win_share_error for one in message.seats),
        wigs=tuple(one.wigs for one in message.seats),
        wigs_error=tuple(one.wigs_error for one in message.seats),
        rank_distribution=tuple(tuple(one.rank_distribution) for one in message.seats),
        breakdown=tuple(_breakdown(one.breakdown) for one in message.seats),
        value_error=message.value_error,
        distinguishable=message.distinguishable,
        model_error=_model_error(message.seats),
        prior=message.prior if message.HasField("prior") else None,
    )


def analysis_from_proto(
    evaluation: advisor_pb2.Evaluation,
    report: advisor_pb2.SearchReport,
    candidates: Sequence[advisor_pb2.Candidate] = (),
    choice: int = 0,
) -> Analysis:
    """An analysis from the parts of a reply, as the search in the server made it.

    Raises ``ValueError`` for kinds, categories or reasons that this version does not know.
    """
    over = not report.decision.kind
    seat = -1 if over else report.decision.seat
    return Analysis(
        candidates=tuple(_candidate(one) for one in candidates),
        evaluation=evaluation_from_proto(evaluation.seats, seat, evaluation.visits),
        iterations=report.iterations,
        nodes=report.nodes,
        elapsed=seconds(report.elapsed),
        stop_reason=stop_reason_name(report.stop_reason),
        seed=report.limits.seed,
        limits=limits_from_proto(report.limits),
        seat=seat,
        observer=report.observer,
        kind=-1 if over else KINDS.index(report.decision.kind),
        context=(report.decision.a, report.decision.b),
        memory_used=report.memory_used_bytes,
        chosen=choice,
        notes=tuple(report.notes),
        effective_samples=report.effective_samples,
    )
