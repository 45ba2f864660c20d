"""``AdvisorService``: advice, streamed advice, evaluation, comparison, batches, reviews."""

from __future__ import annotations

import contextlib
import time
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, replace
from typing import Any, Final

import grpc.aio

from lisboa.v1 import advisor_pb2, advisor_pb2_grpc
from lisboa_ai import wire, wire_compare, wire_options, wire_review, wire_values
from lisboa_ai.analysis import Analysis, SearchLimits, SearchOptions
from lisboa_ai.beliefs import History
from lisboa_ai.levels import LEVELS
from lisboa_ai.position import Position
from lisboa_ai.record import GameRecord
from lisboa_ai.review import Decision, SeatSummary

from .admission import Priority
from .batch import Batch
from .calls import facts
from .errors import Fault, Invalid
from .light import Light
from .metrics import Metrics
from .requests import (
    choices_seen,
    compared_actions,
    limits_in_force,
    options_in_force,
    plainly_searched,
    priority_in_force,
    review_in_force,
)
from .reviewing import Reviews
from .running import Handle
from .searching import Searched, Searches
from .settings import Settings
from .states import Editions, missing, observed, record_of

__all__ = ["Advisor"]

SHORTEST_INTERVAL: Final = 0.01
"""Seconds between interim answers, at least."""


@dataclass(frozen=True, slots=True)
class _Question:
    """A request, read and found sound."""

    position: Position
    limits: SearchLimits
    options: SearchOptions
    priority: wire_options.PriorityName
    history: History

    @property
    def rank(self) -> Priority:
        """The priority as the gate knows it."""
        return Priority[self.priority.upper()]


@dataclass(frozen=True, slots=True)
class _Game:
    """A request to review, read and found sound."""

    record: GameRecord
    limits: SearchLimits
    options: SearchOptions
    priority: wire_options.PriorityName


class Advisor(advisor_pb2_grpc.AdvisorServiceServicer):
    """Serves advice. Requests are read and answers written on light threads, so that the event loop stays free."""

    def __init__(
        self,
        settings: Settings,
        editions: Editions,
        searches: Searches,
        reviews: Reviews,
        light: Light,
        metrics: Metrics,
    ) -> None:
        self._settings = settings
        self._editions = editions
        self._searches = searches
        self._light = light
        self._metrics = metrics
        self._reviews = reviews

    async def Advise(
        self, request: advisor_pb2.AdviseRequest, context: grpc.aio.ServicerContext[Any, Any]
    ) -> advisor_pb2.AdviseResponse:
        """The best candidates, once."""
        left = _time_left(context)
        self._look(request)
        asked = await self._light.run(self._read, request, False)
        found = await self._searches.final(
            asked.position, asked.limits, asked.options, left(), history=asked.history, priority=asked.rank
        )
        facts().cached = found.cached
        advice = await self._light.run(_advice, asked, found)
        self._first_result()
        return advisor_pb2.AdviseResponse(request_id=request.request_id, advice=advice)

    async def StreamAdvice(
        self, request: advisor_pb2.StreamAdviceRequest, context: grpc.aio.ServicerContext[Any, Any]
    ) -> AsyncIterator[advisor_pb2.StreamAdviceResponse]:
        """The best candidates so far, again and again, and the final ones."""
        left = _time_left(context)
        self._look(request)
        asked = await self._light.run(self._read, request, False)
        interval = self._interval(request)
        sequence = 0
        answers = self._searches.stream(
            asked.position, asked.limits, asked.options, left(), interval, history=asked.history, priority=asked.rank
        )
        async with contextlib.aclosing(answers):
            async for found, is_final in answers:
                facts().cached = found.cached
                advice = await self._light.run(_advice, asked, found)
                sequence += 1
                if sequence == 1:
                    self._first_result()
                yield advisor_pb2.StreamAdviceResponse(
                    request_id=request.request_id, sequence=sequence, is_final=is_final, advice=advice
                )

    async def Evaluate(
        self, request: advisor_pb2.EvaluateRequest, context: grpc.aio.ServicerContext[Any, Any]
    ) -> advisor_pb2.EvaluateResponse:
        """What the position is worth to each seat."""
        left = _time_left(context)
        self._look(request)
        asked = await self._light.run(self._read, request, True)
        found = await self._searches.final(
            asked.position,
            asked.limits,
            asked.options,
            left(),
            whoever=True,
            history=asked.history,
            priority=asked.rank,
        )
        facts().cached = found.cached
        self._first_result()
        return advisor_pb2.EvaluateResponse(
            request_id=request.request_id,
            evaluation=wire.evaluation_to_proto(found.analysis.evaluation, found.analysis.observer),
            report=wire.report_to_proto(
                found.analysis,
                asked.position.tables,
                asked.options,
                queued=found.queued,
                priority=asked.priority,
                cached=found.cached,
            ),
        )

    async def CompareActions(
        self, request: advisor_pb2.CompareActionsRequest, context: grpc.aio.ServicerContext[Any, Any]
    ) -> advisor_pb2.CompareActionsResponse:
        """What actions are worth against each other."""
        left = _time_left(context)
        self._look(request)
        asked, actions = await self._light.run(self._read_comparison, request)
        found = await self._searches.compared(
            asked.position, actions, asked.limits, asked.options, left(), priority=asked.rank
        )
        facts().cached = found.cached
        reply = await self._light.run(
            wire_compare.comparison_to_proto,
            found.analysis,
            asked.position.tables,
            asked.options,
            queued=found.queued,
            priority=asked.priority,
            cached=found.cached,
        )
        reply.request_id = request.request_id
        self._first_result()
        return reply

    async def AdviseBatch(
        self,
        request_iterator: AsyncIterator[advisor_pb2.AdviseBatchRequest],
        context: grpc.aio.ServicerContext[Any, Any],
    ) -> AsyncIterator[advisor_pb2.AdviseBatchResponse]:
        """A reply to every question, as soon as it is there."""
        left = _time_left(context)

        async def answer(request: advisor_pb2.AdviseRequest, handle: Handle) -> advisor_pb2.Advice:
            self._look(request)
            asked = await self._light.run(self._read, request, False)
            found = await self._searches.final(
                asked.position,
                asked.limits,
                asked.options,
                left(),
                history=asked.history,
                priority=asked.rank,
                handle=handle,
            )
            return await self._light.run(_advice, asked, found)

        batch = Batch(answer, self._settings.limits.batch, self._settings.workers)
        async with contextlib.aclosing(batch.replies(request_iterator)) as replies:
            async for reply in replies:
                yield reply

    async def ReviewGame(
        self, request: advisor_pb2.ReviewGameRequest, context: grpc.aio.ServicerContext[Any, Any]
    ) -> AsyncIterator[advisor_pb2.ReviewGameResponse]:
        """What a review will do, every decision as soon as it is judged, and a summary of each seat."""
        left = _time_left(context)
        self._look(request, kept=False)
        asked = await self._light.run(self._read_review, request)
        rank = Priority[asked.priority.upper()]
        # A search that only limits its iterations ends at the server's longest time too.
        longest = self._settings.limits.time
        limits = replace(asked.limits, time=longest if asked.limits.time is None else asked.limits.time)
        async with contextlib.aclosing(self._reviews.parts(asked.record, limits, asked.options, left, rank)) as parts:
            async for part in parts:
                reply = await self._light.run(_review_part, asked, part)
                reply.request_id = request.request_id
                yield reply

    def _read_review(self, request: advisor_pb2.ReviewGameRequest) -> _Game:
        """Read a request to review; raise as ``_read`` does. Whether the record can be replayed is seen later."""
        limits, options, faults = review_in_force(request, self._settings)
        priority, wrong = priority_in_force(request.options)
        faults.extend(wrong)
        if not request.HasField("record"):
            raise Invalid([missing("record", "the game to review"), *faults])
        try:
            record = record_of(request.record, self._editions)
        except Invalid as error:
            raise Invalid([*error.faults, *faults]) from None
        if faults or limits is None or options is None:
            raise Invalid(faults)
        return _Game(record, limits, options, priority)

    def _look(self, request: Any, kept: bool = True) -> None:
        """Refuse a search that has no chance before anything is spent on its request. kept: its answer may be so."""
        priority = Priority[priority_in_force(request.options)[0].upper()]
        level = LEVELS.get(request.options.level)
        limited = request.limits.HasField("iterations") or (level is not None and level.iterations is not None)
        self._searches.look(priority, may_be_known=kept and limited)

    def _read(self, request: Any, whoever: bool) -> _Question:
        """Read a request; raise for everything that is wrong with it, at once where that makes sense."""
        return self._sound(request, whoever, lambda *_: plainly_searched(request.options) if whoever else [])

    def _read_comparison(self, request: advisor_pb2.CompareActionsRequest) -> tuple[_Question, tuple[int, ...]]:
        """Read a request to compare; raise as ``_read`` does."""
        actions: tuple[int, ...] = ()

        def look_through(position: Position, limits: SearchLimits | None) -> list[Fault]:
            nonlocal actions
            actions, faults = compared_actions(request, position, limits)
            return faults

        asked = self._sound(request, False, look_through)
        return replace(asked, limits=replace(asked.limits, decided=0.0)), actions

    def _sound(
        self, request: Any, whoever: bool, more: Callable[[Position, SearchLimits | None], list[Fault]]
    ) -> _Question:
        """What a request asks. Raises Invalid with every fault, those that ``more`` finds included."""
        seat = request.seat if request.HasField("seat") else None
        limits, faults = limits_in_force(request.limits, request.options, self._settings)
        priority, wrong = priority_in_force(request.options)
        faults.extend(wrong)
        try:
            position = observed(request, seat, self._editions)
        except Invalid as error:
            raise Invalid([*error.faults, *faults]) from None
        observation = position.observation
        if not whoever and observation.over:
            faults.append(Fault("position", "the game is over; allowed: a pending decision", "GAME_OVER"))
        elif not whoever and observation.seat != observation.observer:
            said = f"{observation.observer} is not to act; allowed: {observation.seat}"
            faults.append(Fault("seat", said, "NOT_TO_ACT"))
        options, wrong = options_in_force(request.options, position, self._settings)
        faults.extend(wrong)
        faults.extend(more(position, limits))
        seen, wrong = choices_seen(request, position) if not faults else ((), [])
        faults.extend(wrong)
        if faults or limits is None or options is None:
            raise Invalid(faults)
        return _Question(position, limits, options, priority, seen)

    def _interval(self, request: advisor_pb2.StreamAdviceRequest) -> float:
        if not request.HasField("interval"):
            return self._settings.stream_interval
        interval, most = wire_values.seconds(request.interval), self._settings.limits.time
        if not SHORTEST_INTERVAL <= interval <= most:
            said = f"{interval:g} seconds; allowed: {SHORTEST_INTERVAL:g} to {most:g} seconds"
            raise Invalid([Fault("interval", said, "OUT_OF_RANGE")])
        return interval

    def _first_result(self) -> None:
        self._metrics.first_result.observe(time.monotonic() - facts().started)


def _advice(asked: _Question, found: Searched[Analysis]) -> advisor_pb2.Advice:
    return wire.advice_to_proto(
        found.analysis,
        asked.position.tables,
        asked.options,
        queued=found.queued,
        priority=asked.priority,
        cached=found.cached,
    )


def _review_part(asked: _Game, part: int | Decision | SeatSummary) -> advisor_pb2.ReviewGameResponse:
    match part:
        case Decision():
            return advisor_pb2.ReviewGameResponse(decision=wire_review.decision_to_proto(part))
        case SeatSummary():
            return advisor_pb2.ReviewGameResponse(summary=wire_review.summary_to_proto(part))
    plan = advisor_pb2.ReviewPlan(
        decisions=part,
        limits=wire_options.limits_to_proto(asked.limits),
        options=wire_options.options_to_proto(asked.options, asked.record.tables, -1, (0, 0), asked.priority),
    )
    return advisor_pb2.ReviewGameResponse(plan=plan)


def _time_left(context: grpc.aio.ServicerContext[Any, Any]) -> Callable[[], float | None]:
    """Seconds until the call's deadline, whenever asked; None without one."""
    left = context.time_remaining()
    if left is None:
        return lambda: None
    deadline = time.monotonic() + left
    return lambda: deadline - time.monotonic()
