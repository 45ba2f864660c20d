"""``AdvisorService``: advice, streamed advice, evaluation."""

from __future__ import annotations

import contextlib
import time
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from typing import Any, Final

import grpc.aio

from lisboa.v1 import advisor_pb2, advisor_pb2_grpc
from lisboa_ai import wire
from lisboa_ai.analysis import SearchLimits, SearchOptions
from lisboa_ai.position import Position

from .calls import facts
from .errors import Fault, Invalid
from .light import Light
from .metrics import Metrics
from .requests import limits_in_force, options_in_force
from .searching import Searched, Searches
from .settings import Settings
from .states import Editions, observed

__all__ = ["Advisor"]

SHORTEST_INTERVAL: Final = 0.01
"""Seconds between interim answers, at least."""


@dataclass(frozen=True, slots=True)
class _Question:
    """A request, read and found sound."""

    position: Position
    limits: SearchLimits
    options: SearchOptions


class Advisor(advisor_pb2_grpc.AdvisorServiceServicer):
    """Serves advice. Requests are read and answers written on light threads, so that the event loop stays free."""

    def __init__(
        self, settings: Settings, editions: Editions, searches: Searches, light: Light, metrics: Metrics
    ) -> None:
        self._settings = settings
        self._editions = editions
        self._searches = searches
        self._light = light
        self._metrics = metrics

    async def Advise(
        self, request: advisor_pb2.AdviseRequest, context: grpc.aio.ServicerContext[Any, Any]
    ) -> advisor_pb2.AdviseResponse:
        """The best candidates, once."""
        left = _time_left(context)
        self._searches.look()
        asked = await self._light.run(self._read, request, False)
        found = await self._searches.final(asked.position, asked.limits, asked.options, left())
        advice = await self._light.run(self._advice, asked, found)
        self._first_result()
        return advisor_pb2.AdviseResponse(request_id=request.request_id, advice=advice)

    async def StreamAdvice(
        self, request: advisor_pb2.StreamAdviceRequest, context: grpc.aio.ServicerContext[Any, Any]
    ) -> AsyncIterator[advisor_pb2.StreamAdviceResponse]:
        """The best candidates so far, again and again, and the final ones."""
        left = _time_left(context)
        self._searches.look()
        asked = await self._light.run(self._read, request, False)
        interval = self._interval(request)
        sequence = 0
        answers = self._searches.stream(asked.position, asked.limits, asked.options, left(), interval)
        async with contextlib.aclosing(answers):
            async for found, is_final in answers:
                advice = await self._light.run(self._advice, asked, found)
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
        self._searches.look()
        asked = await self._light.run(self._read, request, True)
        found = await self._searches.final(asked.position, asked.limits, asked.options, left(), whoever=True)
        self._first_result()
        return advisor_pb2.EvaluateResponse(
            request_id=request.request_id,
            evaluation=wire.evaluation_to_proto(found.analysis.evaluation, found.analysis.observer),
            report=wire.report_to_proto(found.analysis, asked.position.tables, asked.options, queued=found.queued),
        )

    def _read(self, request: Any, whoever: bool) -> _Question:
        """Read a request; raise for everything that is wrong with it, at once where that makes sense."""
        seat = request.seat if request.HasField("seat") else None
        limits, faults = limits_in_force(request.limits, self._settings)
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
        options, more = options_in_force(request.options, position, self._settings)
        faults.extend(more)
        if faults or limits is None or options is None:
            raise Invalid(faults)
        return _Question(position, limits, options)

    def _advice(self, asked: _Question, found: Searched) -> advisor_pb2.Advice:
        return wire.advice_to_proto(found.analysis, asked.position.tables, asked.options, queued=found.queued)

    def _interval(self, request: advisor_pb2.StreamAdviceRequest) -> float:
        if not request.HasField("interval"):
            return self._settings.stream_interval
        interval, most = wire.seconds(request.interval), self._settings.limits.time
        if not SHORTEST_INTERVAL <= interval <= most:
            said = f"{interval:g} seconds; allowed: {SHORTEST_INTERVAL:g} to {most:g} seconds"
            raise Invalid([Fault("interval", said, "OUT_OF_RANGE")])
        return interval

    def _first_result(self) -> None:
        self._metrics.first_result.observe(time.monotonic() - facts().started)


def _time_left(context: grpc.aio.ServicerContext[Any, Any]) -> Callable[[], float | None]:
    """Seconds until the call's deadline, whenever asked; None without one."""
    left = context.time_remaining()
    if left is None:
        return lambda: None
    deadline = time.monotonic() + left
    return lambda: deadline - time.monotonic()
