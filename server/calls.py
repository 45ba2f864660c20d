"""Around every call: errors become statuses, metrics are counted, and one line is logged."""

from __future__ import annotations

import asyncio
import contextlib
import inspect
import json
import logging
import time
import traceback
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any, Final

import grpc
import grpc.aio
from google.protobuf.message import DecodeError

from .door import ANYONE, Door, client_of
from .errors import Fault, Invalid, Refusal, error_info, refusal_of
from .metrics import Metrics, code_name
from .tokens import Who
from .tracing import Spans, Trace

__all__ = ["CACHE_TRAILER", "CallFacts", "Calls", "JsonLines", "facts"]

log = logging.getLogger("lisboa_ai.server")
call_log = logging.getLogger("lisboa_ai.server.calls")
Context = grpc.aio.ServicerContext[Any, Any]
QUIET_SERVICES: Final = ("grpc.health.v1.Health",)
"""Services whose calls are no spans, and are logged at debug level unless they fail: probes come every few seconds."""


CACHE_TRAILER: Final = ("lisboa-cache", "hit")
"""Trailing metadata of an answer that was kept from before."""
OWN_LOGGERS: Final = "lisboa_ai"


@dataclass(slots=True)
class CallFacts:
    """What a call's log line says beyond method, code and duration. Handlers fill it in."""

    request_id: str = ""
    client: str = ""
    role: str = ANYONE
    trace: Trace | None = None
    started: float = field(default_factory=time.monotonic)
    queued: float | None = None
    iterations: int | None = None
    stop_reason: str | None = None
    cached: bool = False


_facts: ContextVar[CallFacts] = ContextVar("facts")


def facts() -> CallFacts:
    """The facts of the call that is being served."""
    try:
        return _facts.get()
    except LookupError:
        return CallFacts()


@dataclass(frozen=True, slots=True)
class _Unfit:
    """Stands for a request that is too large or no message; a deserializer that raises would give INTERNAL."""

    refusal: Refusal


@dataclass(frozen=True, slots=True)
class _Caller:
    """Who calls: let in (whose token, None where none is asked for), or refused; and what was sent along."""

    who: Who | None
    refusal: Refusal | None
    metadata: Sequence[tuple[str, str | bytes]]


class Calls(grpc.aio.ServerInterceptor):
    """The outermost interceptor. Nothing that a handler raises leaves it except as a status of the contract."""

    def __init__(self, metrics: Metrics, door: Door, spans: Spans, most_bytes: int) -> None:
        self._metrics = metrics
        self._door = door
        self._most_bytes = most_bytes
        self._spans = spans
        self._known: dict[str, _Call] = {}
        self.taken = 0
        """Calls that gRPC has handed over so far."""

    def know(self, service: str, methods: list[tuple[str, str]]) -> None:
        """Announce a service's methods as (name, grpc_type), so that their metrics are there at zero."""
        for method, grpc_type in methods:
            self._metrics.know_method(grpc_type, service, method)
            self._known[f"/{service}/{method}"] = _Call(self._metrics, self._spans, grpc_type, service, method)

    async def intercept_service(
        self,
        continuation: Callable[[grpc.HandlerCallDetails], Awaitable[Any]],
        handler_call_details: grpc.HandlerCallDetails,
    ) -> Any:
        self.taken += 1
        handler = await continuation(handler_call_details)
        call = self._known.get(handler_call_details.method)
        if handler is None or call is None:
            # Names that clients make up must not become labels.
            other = ("unary", "other", "other")
            self._metrics.started.labels(*other).inc()
            if handler is None:
                self._metrics.handled.labels(*other, code_name(grpc.StatusCode.UNIMPLEMENTED)).inc()
            return handler
        caller = self._caller(call.service, tuple(handler_call_details.invocation_metadata or ()))
        # What somebody sends who may not call is not even read.
        decode = _forgiving(handler.request_deserializer, self._most_bytes) if caller.refusal is None else _unread
        encode = handler.response_serializer
        if handler.request_streaming and handler.response_streaming:
            readable = call.readable(handler.stream_stream)
            return grpc.stream_stream_rpc_method_handler(call.streaming(readable, caller), decode, encode)
        if handler.response_streaming:
            return grpc.unary_stream_rpc_method_handler(call.streaming(handler.unary_stream, caller), decode, encode)
        return grpc.unary_unary_rpc_method_handler(call.unary(handler.unary_unary, caller), decode, encode)

    def _caller(self, service: str, metadata: Sequence[tuple[str, str | bytes]]) -> _Caller:
        try:
            return _Caller(self._door.admit(service, metadata), None, metadata)
        except Refusal as refusal:
            return _Caller(None, refusal, metadata)


def _unread(data: bytes) -> None:
    return None


def _forgiving(decode: Callable[[bytes], Any], most_bytes: int) -> Callable[[bytes], Any]:
    def decoded(data: bytes) -> Any:
        if len(data) > most_bytes:
            return _Unfit(_too_large(len(data), most_bytes))
        try:
            return decode(data)
        except DecodeError as error:
            return _Unfit(Invalid([Fault("request", f"no protobuf message of this call: {error}", "UNREADABLE")]))

    return decoded


class _Call:
    """Wraps the handlers of one method."""

    def __init__(self, metrics: Metrics, spans: Spans, grpc_type: str, service: str, method: str) -> None:
        labels = (grpc_type, service, method)
        self.service = service
        self.path = f"{service}/{method}"
        self.quiet = service in QUIET_SERVICES
        self.spans = Spans() if self.quiet else spans
        self.started = metrics.started.labels(*labels)
        self.received = metrics.received.labels(*labels)
        self.sent = metrics.sent.labels(*labels)
        self.handling = metrics.handling.labels(*labels)
        self.in_flight = metrics.in_flight.labels(self.path)
        self.handled = {code: metrics.handled.labels(*labels, code_name(code)) for code in grpc.StatusCode}

    def unary(
        self, handler: Callable[[Any, Context], Awaitable[Any]], caller: _Caller
    ) -> Callable[[Any, Context], Awaitable[Any]]:
        """Around a handler that returns one reply."""

        async def served(request: Any, context: Context) -> Any:
            async with self._around(request, context, caller):
                reply = await handler(request, context)
                self.sent.inc()
                return reply

        return served

    def streaming(
        self, handler: Callable[[Any, Context], Any], caller: _Caller
    ) -> Callable[[Any, Context], Awaitable[None]]:
        """Around a handler that yields replies, or writes them itself."""

        async def served(request: Any, context: Context) -> None:
            async with self._around(request, context, caller):
                replies = handler(request, context)
                if inspect.isawaitable(replies):
                    await replies
                    return
                # Closed here and now when the client leaves; otherwise the handler would end whenever the loop
                # gets round to finalising it.
                async with contextlib.aclosing(replies):
                    async for reply in replies:
                        await _written(reply, context)
                        self.sent.inc()

        return served

    def readable(self, handler: Callable[[Any, Context], Any]) -> Callable[[Any, Context], Any]:
        """Around a handler of many requests: each is counted, and refused if its bytes are no message."""

        async def read(requests: AsyncIterator[Any]) -> AsyncIterator[Any]:
            async for request in requests:
                self.received.inc()
                _refuse_unfit(request)
                yield request

        return lambda requests, context: handler(read(requests), context)

    @contextlib.asynccontextmanager
    async def _around(self, request: Any, context: Context, caller: _Caller) -> AsyncIterator[None]:
        about = CallFacts(request_id=getattr(request, "request_id", ""), client=client_of(caller.who, context))
        if caller.who is not None:
            about.role = caller.who.role
        _facts.set(about)
        self.started.inc()
        if not hasattr(request, "__aiter__"):
            self.received.inc()
        self.in_flight.inc()
        code = grpc.StatusCode.OK
        refusal: Refusal | None = None
        with self.spans.around(self.path, caller.metadata) as span:
            about.trace = span.trace
            try:
                if caller.refusal is not None:
                    raise caller.refusal
                _refuse_unfit(request)
                yield
                code = _named(context.code()) or code
                if about.cached:
                    context.set_trailing_metadata((CACHE_TRAILER,))
            except asyncio.CancelledError:
                code = grpc.StatusCode.CANCELLED
                raise
            except grpc.aio.AbortError:
                code = _named(context.code()) or grpc.StatusCode.UNKNOWN
                raise
            except Exception as error:
                refusal = refusal_of(error)
                if refusal is None:
                    log.exception("a call failed", extra={"call": {"method": self.path, **_identity(about)}})
                    refusal = Refusal(grpc.StatusCode.INTERNAL, "an error in the server; its log says more")
                code = refusal.code
            finally:
                took = time.monotonic() - about.started
                self.in_flight.dec()
                self.handled[code].inc()
                self.handling.observe(took)
                span.ended(code)
                self._log(about, code, took, None if refusal is None else refusal.for_log)
        if refusal is not None:  # whoever hears of it finds it counted
            await refusal.end(context, about.request_id)

    def _log(self, about: CallFacts, code: grpc.StatusCode, took: float, problem: str | None) -> None:
        bug = code in (grpc.StatusCode.INTERNAL, grpc.StatusCode.UNKNOWN)
        fine = code in (grpc.StatusCode.OK, grpc.StatusCode.CANCELLED)  # a watch ends when its client leaves
        level = logging.ERROR if bug else logging.DEBUG if self.quiet and fine else logging.INFO
        if not call_log.isEnabledFor(level):
            return
        line: dict[str, Any] = {"method": self.path, "code": code.name, "duration_s": round(took, 6)}
        line |= _identity(about)
        if about.queued is not None:
            line["queue_s"] = round(about.queued, 6)
        if about.iterations is not None:
            line["iterations"] = about.iterations
        if about.stop_reason is not None:
            line["stop_reason"] = about.stop_reason
        if about.cached:
            line["cached"] = True
        if problem is not None:
            line["problem"] = problem
        call_log.log(level, "call", extra={"call": line})


async def _written(reply: Any, context: Context) -> None:
    """Send a reply of a stream. Whom it cannot be sent to has left, which this call may hear of only later."""
    try:
        await context.write(reply)
    except grpc.aio.InternalError:
        raise asyncio.CancelledError from None


def _refuse_unfit(request: Any) -> None:
    if isinstance(request, _Unfit):
        raise request.refusal


def _too_large(size: int, most: int) -> Refusal:
    said = f"a request of {size} bytes; allowed: {most} bytes at most"
    info = error_info("MESSAGE_TOO_LARGE", limit="limits.message", bytes=str(size), allowed=str(most))
    return Refusal(grpc.StatusCode.RESOURCE_EXHAUSTED, said, [info])


def _identity(about: CallFacts) -> dict[str, str]:
    """Whose call it is, for its log lines."""
    found = {"role": about.role}
    if about.request_id:
        found["request_id"] = about.request_id[:200]
    if about.trace is not None:
        found |= {"trace_id": about.trace.trace_id, "span_id": about.trace.span_id}
    return found


def _named(code: Any) -> grpc.StatusCode | None:
    """The code as the enum: the context holds a number once a call was aborted, and 0 or None before."""
    if isinstance(code, grpc.StatusCode):
        return code
    return next((known for known in grpc.StatusCode if known.value[0] == code), None)


class JsonLines(logging.Formatter):
    """One JSON object a line: ``ts`` (seconds), ``level``, ``logger``, ``message``, and what the record carries.

    Of an exception its type and where it came from are written, but not its text, and of what other libraries say only
    the first line: the rest may hold what was in a request.
    """

    def format(self, record: logging.LogRecord) -> str:
        message = record.getMessage()
        line: dict[str, Any] = {
            "ts": round(record.created, 6),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": message if record.name.startswith(OWN_LOGGERS) else message.partition("\n")[0][:300],
        }
        line.update(getattr(record, "call", {}))
        if record.exc_info and record.exc_info[0] is not None:
            line["error"] = record.exc_info[0].__qualname__
            frames = traceback.extract_tb(record.exc_info[2])
            line["at"] = [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in frames]
        return json.dumps(line, ensure_ascii=False)
