"""Comparisons as messages of ``lisboa.v1``, both ways: what comes back equals what was sent."""

from __future__ import annotations

from engine_ext.core import CATEGORIES, KINDS
from lisboa.v1 import advisor_pb2

from .analysis import SearchOptions
from .compare import Compared, Comparison, Difference
from .edition import EditionTables
from .wire import (
    PriorityName,
    category_index,
    category_to_proto,
    estimates,
    evaluation_from_proto,
    interval,
    limits_from_proto,
    report_to_proto,
    seconds,
    stop_reason_name,
)
from .wire_actions import action_to_proto

__all__ = ["comparison_from_proto", "comparison_to_proto"]


def comparison_to_proto(
    found: Comparison,
    tables: EditionTables,
    options: SearchOptions,
    *,
    queued: float = 0.0,
    priority: PriorityName | None = None,
    cached: bool = False,
) -> advisor_pb2.CompareActionsResponse:
    """A comparison as a reply, whose request_id is still empty. queued, cached: as in ``report_to_proto``."""
    return advisor_pb2.CompareActionsResponse(
        actions=[
            advisor_pb2.ComparedAction(
                action=action_to_proto(tables, found.kind, found.seat, found.context, one.action),
                seats=estimates(one.worth, one.value),
                differences=_differences(one.difference),
                distinguishable=one.difference is not None and one.difference.distinguishable,
                sentence=sentence,
            )
            for one, sentence in zip(found.actions, ("", *found.sentences), strict=True)
        ],
        worlds=found.worlds,
        report=report_to_proto(found, tables, options, queued=queued, priority=priority, cached=cached),
    )


def _differences(found: Difference | None) -> list[advisor_pb2.SeatDifference]:
    if found is None:
        return []
    return [
        advisor_pb2.SeatDifference(
            seat=seat,
            win_share=found.win_share[seat],
            win_share_error=found.win_share_error[seat],
            win_share_interval=interval(found.win_share[seat], found.win_share_error[seat]),
            wigs=found.wigs[seat],
            wigs_error=found.wigs_error[seat],
            wigs_interval=interval(found.wigs[seat], found.wigs_error[seat]),
            breakdown=[
                advisor_pb2.CategoryDifference(category=category_to_proto(index), wigs=wigs, wigs_error=error)
                for index, (wigs, error) in enumerate(
                    zip(found.breakdown[seat], found.breakdown_error[seat], strict=True)
                )
                if wigs != 0 or error != 0
            ],
        )
        for seat in range(len(found.wigs))
    ]


def comparison_from_proto(reply: advisor_pb2.CompareActionsResponse) -> Comparison:
    """The comparison in a reply, as the server made it.

    Raises ``ValueError`` for kinds, categories or reasons that this version does not know.
    """
    report = reply.report
    seat = report.decision.seat
    return Comparison(
        actions=tuple(
            Compared(
                action=one.action.argument,
                worth=evaluation_from_proto(one.seats, seat, reply.worlds),
                value=tuple(estimate.value for estimate in one.seats),
                difference=_difference(one) if one.differences else None,
            )
            for one in reply.actions
        ),
        sentences=tuple(one.sentence for one in reply.actions[1:]),
        worlds=reply.worlds,
        iterations=report.iterations,
        nodes=report.nodes,
        elapsed=seconds(report.elapsed),
        stop_reason=stop_reason_name(report.stop_reason),
        seed=report.limits.seed,
        limits=limits_from_proto(report.limits),
        seat=seat,
        observer=report.observer,
        kind=KINDS.index(report.decision.kind),
        context=(report.decision.a, report.decision.b),
        memory_used=report.memory_used_bytes,
    )


def _difference(message: advisor_pb2.ComparedAction) -> Difference:
    rows, errors = [], []
    for one in message.differences:
        row, error = [0.0] * len(CATEGORIES), [0.0] * len(CATEGORIES)
        for part in one.breakdown:
            row[category_index(part.category)], error[category_index(part.category)] = part.wigs, part.wigs_error
        rows.append(tuple(row))
        errors.append(tuple(error))
    return Difference(
        win_share=tuple(one.win_share for one in message.differences),
        win_share_error=tuple(one.win_share_error for one in message.differences),
        wigs=tuple(one.wigs for one in message.differences),
        wigs_error=tuple(one.wigs_error for one in message.differences),
        breakdown=tuple(rows),
        breakdown_error=tuple(errors),
        distinguishable=message.distinguishable,
    )
