"""Which trace a call belongs to: read from its ``traceparent``, logged, and with OpenTelemetry continued by a span.

Without the extra ``otel`` the trace's id is in the log line and nothing else happens. With it and ``tracing = true``
every call is a span whose parent is the caller's, exported as the standard OTEL_... variables say.
"""

from __future__ import annotations

import contextlib
import re
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import grpc

from .settings import SettingsError

if TYPE_CHECKING:
    from opentelemetry.trace import TracerProvider

__all__ = ["Spans", "Trace", "exporting_provider", "read_traceparent"]

_FORM: Final = re.compile(r"([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?", re.ASCII)
_OURS_TO_MEND: Final = (
    grpc.StatusCode.UNKNOWN,
    grpc.StatusCode.DEADLINE_EXCEEDED,
    grpc.StatusCode.UNIMPLEMENTED,
    grpc.StatusCode.INTERNAL,
    grpc.StatusCode.UNAVAILABLE,
    grpc.StatusCode.DATA_LOSS,
)
"""Codes that make a server's span an error, by OpenTelemetry's conventions."""
Metadata = Sequence[tuple[str, str | bytes]]


@dataclass(frozen=True, slots=True)
class Trace:
    """The trace a call belongs to, and the span in it: ours, or without OpenTelemetry the caller's."""

    trace_id: str
    span_id: str


def read_traceparent(metadata: Metadata) -> Trace | None:
    """What the caller says, if it says it in the form of W3C Trace Context; None for anything else."""
    given = [value for name, value in metadata if name == "traceparent"]
    if len(given) != 1 or not isinstance(given[0], str):
        return None
    found = _FORM.fullmatch(given[0].strip())
    if found is None:
        return None
    version, trace_id, span_id, _, more = found.groups()
    if version == "ff" or (version == "00" and more) or not int(trace_id, 16) or not int(span_id, 16):
        return None
    return Trace(trace_id, span_id)


def exporting_provider() -> TracerProvider:
    """A provider that exports spans by OTLP over HTTP. Raises SettingsError if the extra is not installed."""
    try:
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
        from opentelemetry.sdk.resources import Resource
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import BatchSpanProcessor
    except ImportError:
        raise SettingsError(
            "tracing: true, but OpenTelemetry is not installed; allowed: false, or pip install 'lisboa-ai[otel]'"
        ) from None
    provider = TracerProvider(resource=Resource.create({"service.name": "lisboa-ai"}), shutdown_on_exit=False)
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    return provider


class Spans:
    """Makes a span of every call; without a provider, only reads what the caller says."""

    def __init__(self, provider: TracerProvider | None = None) -> None:
        self._provider = provider
        self._tracer = None if provider is None else provider.get_tracer("lisboa_ai.server")

    @contextlib.contextmanager
    def around(self, method: str, metadata: Metadata) -> Iterator[_Span]:
        """A span of the call ``package.Service/Method``, current inside the block."""
        if self._tracer is None:
            yield _Span(read_traceparent(metadata), None)
            return
        from opentelemetry.trace import SpanKind, format_span_id, format_trace_id
        from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

        carrier = {name: value for name, value in metadata if name in ("traceparent", "tracestate")}
        if read_traceparent(metadata) is None:
            carrier = {}
        with self._tracer.start_as_current_span(
            method,
            context=TraceContextTextMapPropagator().extract(carrier),
            kind=SpanKind.SERVER,
            attributes={"rpc.system.name": "grpc", "rpc.method": method},
            record_exception=False,  # its text may hold what is in the request
            set_status_on_exception=False,
        ) as span:
            ids = span.get_span_context()
            yield _Span(Trace(format_trace_id(ids.trace_id), format_span_id(ids.span_id)), span)

    def close(self, most: float) -> None:
        """Export what is left, for at most so many seconds: whoever collects it may be gone."""
        shutdown = getattr(self._provider, "shutdown", None)
        if shutdown is not None:
            thread = threading.Thread(target=shutdown, name="spans", daemon=True)
            thread.start()
            thread.join(most)


@dataclass(frozen=True, slots=True)
class _Span:
    """What is known of a call's span, and how to end it."""

    trace: Trace | None
    _span: Any

    def ended(self, code: grpc.StatusCode) -> None:
        """Say how the call ended."""
        if self._span is None:
            return
        from opentelemetry.trace import Status, StatusCode

        self._span.set_attribute("rpc.response.status_code", code.name)
        if code in _OURS_TO_MEND:
            self._span.set_attribute("error.type", code.name)
            self._span.set_status(Status(StatusCode.ERROR))
