"""What the log says of each call, and what it never says; and which trace a call belongs to."""

from __future__ import annotations

import contextlib
import io
import json
import logging
import re
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import grpc
import grpc.aio
import pytest
from google.protobuf import json_format
from google.protobuf.duration_pb2 import Duration
from grpc_health.v1 import health_pb2, health_pb2_grpc
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import SpanKind, StatusCode

from lisboa.v1 import advisor_pb2, advisor_pb2_grpc
from lisboa_ai.server import Server, Settings
from lisboa_ai.server.calls import JsonLines
from lisboa_ai.server.errors import Fault, Invalid
from lisboa_ai.server.tokens import fresh_token
from lisboa_ai.server.tracing import Trace, read_traceparent
from tests.serving import FakeSearch, canned, channel, in_loop, position, serving, until

TRACE = "0af7651916cd43dd8448eb211c80319c"
PARENT = "b7ad6b7169203331"
TRACEPARENT = f"00-{TRACE}-{PARENT}-01"
METHOD = "lisboa.v1.AdvisorService/Advise"


@contextlib.contextmanager
def logged() -> Iterator[list[dict[str, Any]]]:
    """The lines that the server logs meanwhile, as ``run`` would write them; read when the block ends."""
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(JsonLines())
    root, own = logging.getLogger(), logging.getLogger("lisboa_ai")
    before = own.level
    root.addHandler(handler)
    own.setLevel(logging.DEBUG)
    lines: list[dict[str, Any]] = []
    try:
        yield lines
    finally:
        root.removeHandler(handler)
        own.setLevel(before)
        lines += [json.loads(line) for line in stream.getvalue().splitlines()]


def asked(**limits: Any) -> advisor_pb2.AdviseRequest:
    return advisor_pb2.AdviseRequest(
        request_id="mine", position=position().to_proto(), limits=advisor_pb2.SearchLimits(**limits)
    )


def calls(lines: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [line for line in lines if line["message"] == "call" and line["method"] == METHOD]


@in_loop
async def test_one_line_a_call_says_how_it_went() -> None:
    with logged() as lines:
        async with serving(FakeSearch()) as server, channel(server) as opened:
            stub = advisor_pb2_grpc.AdvisorServiceStub(opened)
            await stub.Advise(asked(iterations=20), metadata=(("traceparent", TRACEPARENT),))
            kept = stub.Advise(asked(iterations=20))
            await kept
            assert ("lisboa-cache", "hit") in tuple(await kept.trailing_metadata())
            with pytest.raises(grpc.aio.AioRpcError):
                await stub.Advise(asked(iterations=0))
            leaving = stub.Advise(asked(time=Duration(seconds=30)))
            await until(lambda: server.gate.busy == 1)
            leaving.cancel()
            await until(lambda: server.gate.busy == 0)
    first, again, bad, left = calls(lines)
    assert set(first) == {
        *("ts", "level", "logger", "message", "method", "code", "duration_s", "role", "request_id"),
        *("trace_id", "span_id", "queue_s", "iterations", "stop_reason"),
    }
    assert (first["level"], first["code"], first["role"], first["request_id"]) == ("info", "OK", "anyone", "mine")
    assert (first["trace_id"], first["span_id"]) == (TRACE, PARENT)
    assert (first["iterations"], first["stop_reason"]) == (canned().iterations, "iterations")
    assert first["duration_s"] >= first["queue_s"] >= 0
    assert again["cached"] is True
    assert "trace_id" not in again
    assert (bad["code"], bad["problem"]) == ("INVALID_ARGUMENT", "limits.iterations OUT_OF_RANGE")
    assert left["code"] == "CANCELLED"


def texts(message: Any) -> Iterator[str]:
    """Every text in a message's JSON, names of fields left out."""
    match message:
        case str():
            yield message
        case dict():
            for value in message.values():
                yield from texts(value)
        case list():
            for value in message:
                yield from texts(value)


@in_loop
async def test_no_log_line_holds_states_or_tokens(tmp_path: Path) -> None:
    token, line = fresh_token("club", "advise")
    path = tmp_path / "tokens"
    path.write_text(line)
    state = position().to_proto()
    secrets = {text for text in texts(json_format.MessageToDict(state)) if re.search("-.*-", text)}
    assert len(secrets) > 10  # ids such as blue-ship-1
    card = next(iter(secrets))

    def broken(*_: object, **__: object) -> None:
        raise RuntimeError(f"cannot search {state}")

    with logged() as lines:
        async with serving(broken, tokens=str(path)) as server, channel(server) as opened:
            stub = advisor_pb2_grpc.AdvisorServiceStub(opened)
            for given, change in ((token, {}), ("tooken", {}), (token, {"only": [card]}), (token, {"exclude": [card]})):
                request = asked(iterations=20)
                request.options.MergeFrom(advisor_pb2.SearchOptions(**change))
                with pytest.raises(grpc.aio.AioRpcError):
                    await stub.Advise(request, metadata=(("authorization", f"Bearer {given}"),))
            request = asked(iterations=20)
            request.position.boards[0].hand.append("red-ship-nowhere")
            with pytest.raises(grpc.aio.AioRpcError):
                await stub.Advise(request, metadata=(("authorization", f"Bearer {token}"),))
            with pytest.raises(grpc.aio.AioRpcError):
                await opened.unary_unary(f"/{METHOD}")(
                    b"\xff" + card.encode(), metadata=(("authorization", f"Bearer {token}"),)
                )
    assert [one["code"] for one in calls(lines)] == [
        "INTERNAL",
        "UNAUTHENTICATED",
        *["INVALID_ARGUMENT"] * 4,
    ]
    failed = next(one for one in lines if one["message"] == "a call failed")
    assert failed["error"].endswith("RuntimeError")
    assert any("broken" in frame for frame in failed["at"])
    assert calls(lines)[0]["role"] == "advise"
    everything = json.dumps(lines)
    for secret in (token, "tooken", "red-ship-nowhere", line.split()[-1], *secrets):
        assert secret not in everything


def test_a_field_that_a_request_named_itself_is_not_logged() -> None:
    faults = [Fault("position.hands[2].cards[0]", "x", "A"), Fault("position.stock[red-king-3].n", "x", "B")]
    assert Invalid(faults).for_log == "position.hands[2].cards[0] A; position.stock[?].n B"
    many = Invalid([Fault(f"f[{number}]", "x", "C") for number in range(9)])
    assert many.for_log == "f[0] C; f[1] C; f[2] C; f[3] C; f[4] C; 4 more"


def test_other_libraries_are_logged_with_their_first_line_only() -> None:
    record = logging.LogRecord("asyncio", logging.ERROR, "f", 1, "never retrieved\nfuture: blue-ship-1", (), None)
    assert json.loads(JsonLines().format(record))["message"] == "never retrieved"


# --- traces ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text, known",
    [
        (TRACEPARENT, True),
        (f"00-{TRACE}-{PARENT}-00", True),
        (f"cc-{TRACE}-{PARENT}-01-what-later-versions-add", True),
        (f"00-{TRACE}-{PARENT}-01-more", False),
        (f"ff-{TRACE}-{PARENT}-01", False),
        (f"00-{TRACE.upper()}-{PARENT}-01", False),
        (f"00-{'0' * 32}-{PARENT}-01", False),
        (f"00-{TRACE}-{'0' * 16}-01", False),
        (f"00-{TRACE[1:]}-{PARENT}-01", False),
        ("", False),
        ("x", False),
    ],
)
def test_a_traceparent_is_read_as_the_standard_says(text: str, known: bool) -> None:
    assert read_traceparent([("traceparent", text)]) == (Trace(TRACE, PARENT) if known else None)


def test_two_traceparents_are_none() -> None:
    assert read_traceparent([("traceparent", TRACEPARENT)] * 2) is None


@in_loop
async def test_with_opentelemetry_every_call_is_a_span_of_the_callers_trace() -> None:
    exporter = InMemorySpanExporter()
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    with logged() as lines:
        server = Server(Settings(port=0, metrics_port=None, workers=1), FakeSearch(), provider)
        await server.start()
        async with channel(server) as opened:
            stub = advisor_pb2_grpc.AdvisorServiceStub(opened)
            await stub.Advise(asked(iterations=20), metadata=(("traceparent", TRACEPARENT), ("tracestate", "a=b")))
            with pytest.raises(grpc.aio.AioRpcError):
                await stub.Advise(asked(iterations=0), metadata=(("traceparent", "nonsense"),))
        await server.stop()
    followed, own = exporter.get_finished_spans()
    assert (followed.name, followed.kind) == (METHOD, SpanKind.SERVER)
    assert followed.parent is not None
    assert followed.context is not None
    assert (f"{followed.context.trace_id:032x}", f"{followed.parent.span_id:016x}") == (TRACE, PARENT)
    assert followed.context.trace_state.get("a") == "b"
    assert dict(followed.attributes or {}) == {
        "rpc.system.name": "grpc",
        "rpc.method": METHOD,
        "rpc.response.status_code": "OK",
    }
    assert own.parent is None
    assert (own.attributes or {})["rpc.response.status_code"] == "INVALID_ARGUMENT"
    assert own.status.status_code is StatusCode.UNSET  # the client's fault is no error of the server
    first, second = calls(lines)
    assert (first["trace_id"], first["span_id"]) == (TRACE, f"{followed.context.span_id:016x}")
    assert first["span_id"] != PARENT
    assert second["trace_id"] == f"{own.context.trace_id:032x}"


@in_loop
async def test_a_collector_that_does_not_answer_holds_the_end_up_no_longer_than_the_grace() -> None:
    class Stuck(TracerProvider):
        def shutdown(self) -> None:
            time.sleep(20)

    server = Server(Settings(port=0, metrics_port=None, stop_grace=0.1), FakeSearch(), Stuck(shutdown_on_exit=False))
    await server.start()
    began = time.monotonic()
    await server.stop()
    assert time.monotonic() - began < 10


@in_loop
async def test_a_probe_is_no_span_and_no_line_unless_it_fails() -> None:
    exporter = InMemorySpanExporter()
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    server = Server(Settings(port=0, metrics_port=None), FakeSearch(), provider)
    with logged() as lines:
        await server.start()
        async with channel(server) as opened:
            stub = health_pb2_grpc.HealthStub(opened)
            await stub.Check(health_pb2.HealthCheckRequest())
            with pytest.raises(grpc.aio.AioRpcError):
                await stub.Check(health_pb2.HealthCheckRequest(service="none"))
        await server.stop()
    assert exporter.get_finished_spans() == ()
    checks = [line for line in lines if line["message"] == "call"]
    assert [(line["level"], line["code"]) for line in checks] == [("debug", "OK"), ("info", "NOT_FOUND")]


@in_loop
async def test_a_bug_is_an_error_of_the_span_without_its_text() -> None:
    def broken(*_: object, **__: object) -> None:
        raise RuntimeError("secret")

    exporter = InMemorySpanExporter()
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    server = Server(Settings(port=0, metrics_port=None), broken, provider)
    await server.start()
    async with channel(server) as opened:
        with pytest.raises(grpc.aio.AioRpcError):
            await advisor_pb2_grpc.AdvisorServiceStub(opened).Advise(asked(iterations=20))
    await server.stop()
    (span,) = exporter.get_finished_spans()
    assert span.status.status_code is StatusCode.ERROR
    assert "secret" not in span.to_json()
