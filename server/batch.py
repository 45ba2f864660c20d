"""``AdviseBatch``: many questions in one call, answered as they finish, each of them exactly once.

Questions wait here, not at the gate: of one batch only as many are at the gate as there are workers, so that a batch
does not fill the queue, and when one of them is done the next one goes, by priority as at the gate. Answers that nobody
has read yet hold no worker; when there are as many of them as there may be open questions, no more requests are read.
"""

from __future__ import annotations

import asyncio
import functools
import heapq
import logging
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field
from typing import Final

import grpc
from google.rpc import error_details_pb2

from lisboa.v1 import advisor_pb2, rules_pb2

from .admission import Priority, QueueFull, RateLimited, Turns
from .errors import DOMAIN, Fault, Invalid, Refusal, refusal_of
from .requests import priority_in_force
from .running import Handle

__all__ = ["Answer", "Batch", "call_error"]

log = logging.getLogger("lisboa_ai.server")

Answer = Callable[[advisor_pb2.AdviseRequest, Handle], Awaitable[advisor_pb2.Advice]]
"""Answers one question; the handle ends its search early."""
LONGEST_PAUSE: Final = 1.0
"""Seconds after which a question that found the gate full tries again, at most."""


@dataclass(eq=False, slots=True)
class _Open:
    """A question without a reply."""

    request: advisor_pb2.AdviseRequest
    priority: Priority
    number: int
    handle: Handle = field(default_factory=Handle)
    task: asyncio.Task[None] | None = None
    taken_back: bool = False

    def __lt__(self, other: _Open) -> bool:
        return self.number < other.number


class Batch:
    """One call. most: questions without a reply, and replies that nobody has read; at_once: questions at the gate."""

    def __init__(self, answer: Answer, most: int, at_once: int) -> None:
        self._answer = answer
        self._most = most
        self._at_once = at_once
        self._open: dict[str, _Open] = {}
        self._waiting: dict[Priority, list[_Open]] = {priority: [] for priority in Priority}  # each a heap
        self._turns = Turns()
        self._tasks: set[asyncio.Task[None]] = set()
        self._replies: asyncio.Queue[advisor_pb2.AdviseBatchResponse | None] = asyncio.Queue()
        self._was_read = asyncio.Event()
        self._count = 0

    async def replies(
        self, requests: AsyncIterator[advisor_pb2.AdviseBatchRequest]
    ) -> AsyncGenerator[advisor_pb2.AdviseBatchResponse]:
        """The replies. Raises Invalid for a request that belongs to no question; then the others get none."""
        reading = asyncio.create_task(self._read(requests))
        reading.add_done_callback(lambda _: self._replies.put_nowait(None))
        try:
            while not self._done(reading):
                reply = await self._replies.get()
                if reply is not None:
                    self._was_read.set()
                    yield reply
        finally:
            for line in self._waiting.values():
                line.clear()
            reading.cancel()
            for task in self._tasks:
                task.cancel()
            await asyncio.wait([reading, *self._tasks])

    def _done(self, reading: asyncio.Task[None]) -> bool:
        """Whether nothing can come any more. Raises what ended the reading."""
        if not reading.done():
            return False
        reading.result()
        return not self._open and self._replies.empty()

    # --- requests

    async def _read(self, requests: AsyncIterator[advisor_pb2.AdviseBatchRequest]) -> None:
        async for request in requests:
            match request.WhichOneof("kind"):
                case "ask":
                    self._ask(request.ask)
                case "cancel":
                    self._take_back(request.cancel)
                case _:
                    raise Invalid([Fault("ask", "missing; allowed: a question, or cancel instead", "REQUIRED")])
            while self._replies.qsize() >= self._most:
                self._was_read.clear()
                await self._was_read.wait()

    def _ask(self, request: advisor_pb2.AdviseRequest) -> None:
        name = request.request_id
        if not name:
            said = "missing; allowed: a text that no other open question of the batch has"
            raise Invalid([Fault("ask.request_id", said, "REQUIRED")])
        if name in self._open:
            said = f"{name[:100]}, which is open already; allowed: a text that no other open question of the batch has"
            raise Invalid([Fault("ask.request_id", said, "DUPLICATE")])
        if len(self._open) >= self._most:
            self._reply(name, error=call_error(_too_many(self._most)))
            return
        self._count += 1
        one = _Open(request, Priority[priority_in_force(request.options)[0].upper()], self._count)
        self._open[name] = one
        heapq.heappush(self._waiting[one.priority], one)
        self._go_on()

    def _take_back(self, name: str) -> None:
        one = self._open.get(name)
        if one is None:
            return
        one.taken_back = True
        if one.task is None:
            line = self._waiting[one.priority]
            line.remove(one)
            heapq.heapify(line)
            self._close(one, error=call_error(_cancelled()))
        elif not one.handle.stop():
            one.task.cancel()

    # --- answers

    def _go_on(self) -> None:
        """Send questions to the gate, as many as may be there."""
        while len(self._tasks) < self._at_once and (one := self._next()) is not None:
            one.task = asyncio.create_task(self._settle(one))
            self._tasks.add(one.task)
            one.task.add_done_callback(functools.partial(self._settled, one))

    def _next(self) -> _Open | None:
        """Take out the question whose turn it is; None if none waits."""
        order = self._turns.order(self._with_questions())
        if not order:
            return None
        one = heapq.heappop(self._waiting[order[0]])
        self._turns.began(one.priority, self._with_questions())
        return one

    def _with_questions(self) -> list[Priority]:
        return [priority for priority, line in self._waiting.items() if line]

    def _settled(self, one: _Open, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if task.cancelled() and one.taken_back and self._open.get(one.request.request_id) is one:
            self._close(one, error=call_error(_cancelled()))  # taken back before the task had its first step
        self._go_on()

    async def _settle(self, one: _Open) -> None:
        """Answer a question, or let it wait again if the gate was full."""
        try:
            self._close(one, advice=await self._answer(one.request, one.handle))
        except (QueueFull, RateLimited) as busy:
            await self._pause(one, busy.wait)
        except asyncio.CancelledError:
            if not one.taken_back:
                raise
            self._close(one, error=call_error(_cancelled()))
        except Exception as error:
            refusal = refusal_of(error)
            if refusal is None:
                about = {"method": "AdviseBatch", "request_id": one.request.request_id[:200]}
                log.exception("a question failed", extra={"call": about})
                refusal = Refusal(grpc.StatusCode.INTERNAL, "an error in the server; its log says more")
            self._close(one, error=call_error(refusal))

    async def _pause(self, one: _Open, wait: float) -> None:
        try:
            await asyncio.sleep(min(wait, LONGEST_PAUSE))
        except asyncio.CancelledError:
            if not one.taken_back:
                raise
            self._close(one, error=call_error(_cancelled()))
            return
        one.task = None
        heapq.heappush(self._waiting[one.priority], one)

    def _close(
        self, one: _Open, *, advice: advisor_pb2.Advice | None = None, error: advisor_pb2.CallError | None = None
    ) -> None:
        name = one.request.request_id
        del self._open[name]
        self._reply(name, advice=advice, error=error)

    def _reply(
        self, name: str, *, advice: advisor_pb2.Advice | None = None, error: advisor_pb2.CallError | None = None
    ) -> None:
        self._replies.put_nowait(advisor_pb2.AdviseBatchResponse(request_id=name, advice=advice, error=error))


def _cancelled() -> Refusal:
    return Refusal(grpc.StatusCode.CANCELLED, "taken back before its search began")


def _too_many(most: int) -> Refusal:
    info = error_details_pb2.ErrorInfo(reason="BATCH_FULL", domain=DOMAIN, metadata={"limit": str(most)})
    said = f"{most} questions of the batch are open, which is the limit"
    return Refusal(grpc.StatusCode.RESOURCE_EXHAUSTED, said, [info])


def call_error(refusal: Refusal) -> advisor_pb2.CallError:
    """What a refusal says, as a message."""
    message = advisor_pb2.CallError(code=refusal.code.value[0], message=refusal.message)
    for detail in refusal.details:
        match detail:
            case error_details_pb2.BadRequest():
                message.violations.extend(
                    rules_pb2.FieldViolation(field=one.field, description=one.description, reason=one.reason)
                    for one in detail.field_violations
                )
            case error_details_pb2.ErrorInfo():
                message.reason = detail.reason
                message.metadata.update(detail.metadata)
            case error_details_pb2.RetryInfo():
                message.retry_after.CopyFrom(detail.retry_delay)
    return message
