"""Searches and their answers as messages of ``lisboa.v1``, both ways. The server and the client use the same functions.

A reply holds all of an analysis: ``analysis_from_proto`` turns what ``advice_to_proto`` wrote into the same analysis
again, times to the nanosecond.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, Literal, TypeVar, cast

from google.protobuf.duration_pb2 import Duration

from engine_ext.core import CATEGORIES, CHECKED, KINDS
from lisboa.v1 import advisor_pb2, rules_pb2

from . import notation
from .analysis import Analysis, Candidate, Evaluation, SearchLimits, SearchOptions, Step
from .analysis.model_error import EXACT, ModelError
from .analysis.statistics import Z
from .compare import Comparison
from .edition import EditionTables
from .wire_actions import action_to_proto, decision_to_proto

__all__ = [
    "ALGORITHMS",
    "CATEGORIES",
    "ENGINE_BUILD",
    "PRIORITIES",
    "PriorityName",
    "Z",
    "advice_to_proto",
    "algorithm_name",
    "analysis_from_proto",
    "breakdown_to_proto",
    "category_index",
    "category_to_proto",
    "differences",
    "duration",
    "estimates",
    "evaluation_from_proto",
    "evaluation_to_proto",
    "granularity_name",
    "interval",
    "limits_from_proto",
    "limits_to_proto",
    "options_to_proto",
    "playout_name",
    "priority_name",
    "report_to_proto",
    "seconds",
    "stop_reason_name",
    "stop_reason_to_proto",
]

ENGINE_BUILD: Final = "checked" if CHECKED else "release"
"""Which build of the engine is loaded."""
NANOS: Final = 1_000_000_000

Name = TypeVar("Name", bound=str)
PriorityName = Literal["low", "normal", "high"]

# What an option may be, by the name that it has in this package. The proto declares what is in these tables.
_GRANULARITIES: Final[dict[Literal["decision", "turn"], advisor_pb2.Granularity]] = {
    "decision": advisor_pb2.GRANULARITY_DECISION,
    "turn": advisor_pb2.GRANULARITY_TURN,
}
_PLAYOUTS: Final[dict[str, advisor_pb2.Playout]] = {
    "sensible": advisor_pb2.PLAYOUT_SENSIBLE,
    "uniform": advisor_pb2.PLAYOUT_UNIFORM,
    "sharp": advisor_pb2.PLAYOUT_SHARP,
}
ALGORITHMS: Final[dict[str, advisor_pb2.Algorithm]] = {
    "single": advisor_pb2.ALGORITHM_ISMCTS,
    "multiple": advisor_pb2.ALGORITHM_MO_ISMCTS,
    "redeterminizing": advisor_pb2.ALGORITHM_REDETERMINIZING,
    "pimc": advisor_pb2.ALGORITHM_PIMC,
    "flat": advisor_pb2.ALGORITHM_FLAT,
    "greedy": advisor_pb2.ALGORITHM_GREEDY,
    "random": advisor_pb2.ALGORITHM_RANDOM,
}
PRIORITIES: Final[dict[PriorityName, advisor_pb2.Priority]] = {
    "low": advisor_pb2.PRIORITY_LOW,
    "normal": advisor_pb2.PRIORITY_NORMAL,
    "high": advisor_pb2.PRIORITY_HIGH,
}


# --- small values ---------------------------------------------------------------------------------------------------


def duration(value: float) -> Duration:
    """Seconds as a message, to the nanosecond."""
    whole = math.floor(value)
    nanos = round((value - whole) * NANOS)
    return Duration(seconds=whole + nanos // NANOS, nanos=nanos % NANOS)


def seconds(message: Duration) -> float:
    """A message as seconds."""
    return message.seconds + message.nanos / NANOS


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


# --- limits and options ---------------------------------------------------------------------------------------------


def limits_to_proto(limits: SearchLimits) -> advisor_pb2.SearchLimits:
    """Limits as a message; what is None is left out."""
    return advisor_pb2.SearchLimits(
        time=None if limits.time is None else duration(limits.time),
        iterations=limits.iterations,
        memory_bytes=limits.memory,
        threads=limits.threads,
        seed=limits.seed,
        confidence=limits.decided,
    )


def limits_from_proto(message: advisor_pb2.SearchLimits) -> SearchLimits:
    """Limits from a message; what is left out is None, one thread, seed 0.

    Raises ``ValueError`` naming the field, its value and what is allowed.
    """
    return SearchLimits(
        time=seconds(message.time) if message.HasField("time") else None,
        iterations=message.iterations if message.HasField("iterations") else None,
        memory=message.memory_bytes if message.HasField("memory_bytes") else None,
        threads=message.threads if message.HasField("threads") else 1,
        seed=message.seed,
        decided=message.confidence,
    )


def options_to_proto(
    options: SearchOptions,
    tables: EditionTables,
    kind: int,
    context: tuple[int, int],
    priority: PriorityName | None = None,
) -> advisor_pb2.SearchOptions:
    """Options as a message; ``only`` and ``exclude`` become texts of actions of the given decision.

    priority: before whom a search at a server goes, which only the message says; None leaves it out.
    """

    def texts(arguments: Iterable[int]) -> list[str]:
        return [notation.action_text(tables, kind, context, argument) for argument in arguments]

    return advisor_pb2.SearchOptions(
        objective=options.objective,
        candidates=options.candidates,
        granularity=_GRANULARITIES[options.granularity],
        only=texts(options.only),
        exclude=texts(options.exclude),
        assumptions=[
            advisor_pb2.Assumption(seat=seat, cards=[tables.id("card", card) for card in cards])
            for seat, cards in options.assumptions
        ],
        exploration=options.exploration,
        playout=_PLAYOUTS[options.playout],
        priority=None if priority is None else PRIORITIES[priority],
        algorithm=None if options.level is not None else ALGORITHMS[options.algorithm],
        level=options.level,
        cut=options.cut,
        priors=options.priors,
    )


def granularity_name(value: advisor_pb2.Granularity) -> Literal["decision", "turn"] | None:
    """The granularity's name; None for the default. Raises ``ValueError`` for a number that means nothing."""
    return _name(_GRANULARITIES, advisor_pb2.Granularity, value)


def playout_name(value: advisor_pb2.Playout) -> str | None:
    """The playout policy's name; None for the default. Raises ``ValueError`` for a number that means nothing."""
    return _name(_PLAYOUTS, advisor_pb2.Playout, value)


def algorithm_name(value: advisor_pb2.Algorithm) -> str | None:
    """The algorithm's name; None for the default. Raises ``ValueError`` for a number that means nothing."""
    return _name(ALGORITHMS, advisor_pb2.Algorithm, value)


def priority_name(value: advisor_pb2.Priority) -> PriorityName | None:
    """The priority's name; None for the default. Raises ``ValueError`` for a number that means nothing."""
    return _name(PRIORITIES, advisor_pb2.Priority, value)


def _name(table: Mapping[Name, int], enum: Any, value: int) -> Name | None:
    """The name that a table has for a number of its enum; None for 0, the default."""
    if value == 0:
        return None
    for name, number in table.items():
        if number == value:
            return name
    raise ValueError(f"{value}; allowed: {', '.join(enum.Name(number) for number in table.values())}")


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
            win_share_interval=interval(
                found.win_share[seat], math.hypot(found.win_share_error[seat], found.model_error.win_share)
            ),
            win_share_model_error=found.model_error.win_share,
            wigs=found.wigs[seat],
            wigs_error=found.wigs_error[seat],
            wigs_interval=interval(found.wigs[seat], math.hypot(found.wigs_error[seat], found.model_error.wigs)),
            wigs_model_error=found.model_error.wigs,
            rank_distribution=found.rank_distribution[seat],
            breakdown=breakdown_to_proto(found.breakdown[seat]),
        )
        for seat in range(len(found.wigs))
    ]


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
    )
