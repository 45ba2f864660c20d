"""Searches behind the service: the gate, deadlines, cancellation, streams, draining. No engine time is needed."""

from __future__ import annotations

import asyncio
import time
from dataclasses import replace

import grpc
import grpc.aio
import pytest
from google.protobuf.duration_pb2 import Duration
from google.rpc import error_details_pb2
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_status import rpc_status

from lisboa.v1 import advisor_pb2, advisor_pb2_grpc
from lisboa_ai.analysis import Analysis, SearchLimits, SearchOptions
from lisboa_ai.server import Server, Settings, SettingsError
from lisboa_ai.server.admission import Draining, Gate, OutOfTime, QueueFull
from lisboa_ai.server.metrics import Metrics
from tests.serving import FakeSearch, PacedSearch, canned, channel, in_loop, metrics, position, serving, until


def asked(**limits: object) -> advisor_pb2.AdviseRequest:
    return advisor_pb2.AdviseRequest(
        request_id="mine", position=position().to_proto(), limits=advisor_pb2.SearchLimits(**limits)
    )


def seconds(value: float) -> Duration:
    return Duration(nanos=round(value * 1e9)) if value < 1 else Duration(seconds=round(value))


LONG_SEARCH = seconds(30)


# --- the gate -------------------------------------------------------------------------------------------------------


@in_loop
async def test_gate_admits_as_many_as_there_are_workers_then_queues_then_refuses() -> None:
    gate = Gate(workers=2, queue=1, metrics=Metrics(["house"]))
    async with gate.admitted(1, None):
        async with gate.admitted(1, None):
            assert (gate.busy, gate.waiting) == (2, 0)

            async def wait() -> int:
                async with gate.admitted(1, None):
                    return gate.busy

            waiting = asyncio.create_task(wait())
            await asyncio.sleep(0)
            assert gate.waiting == 1
            with pytest.raises(QueueFull) as refused:
                async with gate.admitted(1, None):
                    pass
            assert refused.value.waiting == 1
            assert refused.value.wait > 0
        assert await waiting == 2
    assert (gate.busy, gate.waiting) == (0, 0)


@in_loop
async def test_gate_gives_a_search_as_many_workers_as_it_has_threads_and_nobody_overtakes() -> None:
    gate = Gate(workers=2, queue=5, metrics=Metrics(["house"]))
    order = []

    async def enter(name: str, threads: int) -> None:
        async with gate.admitted(threads, None):
            order.append(name)
            await asyncio.sleep(0)

    async with gate.admitted(1, None):
        tasks = [asyncio.create_task(enter("wide", 2)), asyncio.create_task(enter("narrow", 1))]
        await asyncio.sleep(0)
        assert order == []  # one worker is free, but the wide search is first in line
    await asyncio.gather(*tasks)
    assert order == ["wide", "narrow"]
    assert gate.busy == 0


@in_loop
async def test_gate_forgets_who_leaves_while_waiting_and_frees_what_was_granted_too_late() -> None:
    gate = Gate(workers=1, queue=5, metrics=Metrics(["house"]))

    async def enter() -> None:
        async with gate.admitted(1, None):
            await asyncio.sleep(0)

    inside = gate.admitted(1, None)
    await inside.__aenter__()
    leaving, staying = asyncio.create_task(enter()), asyncio.create_task(enter())
    await asyncio.sleep(0)
    leaving.cancel()
    await asyncio.wait([leaving])
    assert gate.waiting == 1
    late = asyncio.create_task(enter())
    await asyncio.sleep(0)
    staying.cancel()
    await inside.__aexit__(None, None, None)  # granted to one that is being cancelled in the same moment
    await asyncio.wait([staying, late])
    assert staying.cancelled()
    assert not late.cancelled()
    assert (gate.busy, gate.waiting) == (0, 0)


@in_loop
async def test_gate_sends_the_queue_away_when_draining_and_when_time_is_up() -> None:
    gate = Gate(workers=1, queue=5, metrics=Metrics(["house"]))
    async with gate.admitted(1, None):
        with pytest.raises(OutOfTime):
            async with gate.admitted(1, 0.01):
                pass
        assert gate.waiting == 0

        async def enter() -> None:
            async with gate.admitted(1, None):
                pass

        waiting = asyncio.create_task(enter())
        await asyncio.sleep(0)
        gate.drain()
        with pytest.raises(Draining):
            await waiting
    with pytest.raises(Draining):
        async with gate.admitted(1, None):
            pass
    assert gate.busy == 0


# --- through the service --------------------------------------------------------------------------------------------


@in_loop
async def test_a_full_queue_refuses_at_once_and_says_when_to_try_again() -> None:
    fake = FakeSearch()
    async with serving(fake, workers=1, queue=1) as server, channel(server) as opened:
        stub = advisor_pb2_grpc.AdvisorServiceStub(opened)
        running = stub.Advise(asked(time=LONG_SEARCH))
        await until(lambda: server.gate.busy == 1)
        waiting = stub.Advise(asked(time=LONG_SEARCH))
        await until(lambda: server.gate.waiting == 1)
        began = time.monotonic()
        with pytest.raises(grpc.aio.AioRpcError) as refused:
            await stub.Advise(asked(time=LONG_SEARCH))
        assert time.monotonic() - began < 5  # not the 30 s of the searches before it
        assert refused.value.code() is grpc.StatusCode.RESOURCE_EXHAUSTED
        details = {one.TypeName(): one for one in rpc_status.from_call(refused.value).details}
        retry = error_details_pb2.RetryInfo()
        assert details["google.rpc.RetryInfo"].Unpack(retry)
        assert retry.retry_delay.ToMilliseconds() > 0
        info = error_details_pb2.ErrorInfo()
        assert details["google.rpc.ErrorInfo"].Unpack(info)
        assert info.reason == "QUEUE_FULL"
        request_info = error_details_pb2.RequestInfo()
        assert details["google.rpc.RequestInfo"].Unpack(request_info)
        assert request_info.request_id == "mine"
        assert "google.rpc.QuotaFailure" in details
        assert "grpc-retry-pushback-ms" in dict(refused.value.trailing_metadata())
        found = await metrics(server)
        assert found("lisboa_search_rejected_total", reason="queue_full") == 1
        assert found("lisboa_search_queue_depth") == 1
        assert found("lisboa_search_workers", state="busy") == 1
        waiting.cancel()
        await until(lambda: server.gate.waiting == 0)
        running.cancel()
        await until(lambda: server.gate.busy == 0)
        assert fake.started == 1  # the one that waited was dropped before it started


@in_loop
async def test_a_deadline_gets_the_best_answer_before_it_passes() -> None:
    given: list[float] = []

    def search(_: object, limits: SearchLimits, *__: object, **___: object) -> Analysis:
        """Ends at once, as if its time were up."""
        assert limits.time is not None
        given.append(limits.time)
        return replace(canned(), limits=limits, stop_reason="time")

    async with serving(search, reply_margin=2.0) as server, channel(server) as opened:
        stub = advisor_pb2_grpc.AdvisorServiceStub(opened)
        reply = await stub.Advise(asked(time=LONG_SEARCH), timeout=20)
        assert reply.advice.report.stop_reason == advisor_pb2.STOP_REASON_DEADLINE
        assert reply.advice.report.limits.time == LONG_SEARCH  # as it was asked for
        reply = await stub.Advise(asked(time=seconds(0.01)), timeout=20)
        assert reply.advice.report.stop_reason == advisor_pb2.STOP_REASON_TIME
        assert 0.0 < given[0] <= 18.3  # gRPC rounds a timeout up on its way, by a hundredth or so
        assert given[1] == 0.01
        found = await server.searches.final(position(), SearchLimits(time=30.0), SearchOptions(), 0.5)
        assert found.analysis.stop_reason == "deadline"
        assert given[2] <= 0.5 - 0.125  # of a short deadline a quarter is kept back, not all of the margin


@in_loop
async def test_a_search_without_time_limit_gets_the_servers_longest_time_and_defaults_are_echoed() -> None:
    fake = FakeSearch()
    async with serving(fake, default_time=0.01, default_candidates=3) as server, channel(server) as opened:
        stub = advisor_pb2_grpc.AdvisorServiceStub(opened)
        reply = await stub.Advise(asked(iterations=50))
        assert fake.limits[-1].time == server.settings.limits.time
        assert not reply.advice.report.limits.HasField("time")
        assert reply.advice.report.limits.iterations == 50
        reply = await stub.Advise(asked())
        assert reply.request_id == "mine"
        assert reply.advice.report.limits.time == seconds(0.01)
        assert reply.advice.report.limits.threads == 1
        assert reply.advice.report.limits.memory_bytes == server.settings.default_memory
        assert reply.advice.report.options.candidates == 3
        assert reply.advice.report.options.granularity == advisor_pb2.GRANULARITY_DECISION


@in_loop
async def test_a_deadline_that_passes_in_the_queue_ends_the_wait() -> None:
    fake = FakeSearch()
    async with serving(fake, workers=1) as server, channel(server) as opened:
        stub = advisor_pb2_grpc.AdvisorServiceStub(opened)
        first = stub.Advise(asked(time=LONG_SEARCH))
        await until(lambda: server.gate.busy == 1)
        with pytest.raises(grpc.aio.AioRpcError) as refused:
            await stub.Advise(asked(time=LONG_SEARCH), timeout=0.5)
        assert refused.value.code() is grpc.StatusCode.DEADLINE_EXCEEDED
        await until(lambda: server.gate.waiting == 0)
        first.cancel()
        await until(lambda: server.gate.busy == 0)
        assert fake.started == 1


@in_loop
async def test_a_client_that_leaves_frees_its_worker() -> None:
    fake = FakeSearch()
    async with serving(fake) as server, channel(server) as opened:
        stub = advisor_pb2_grpc.AdvisorServiceStub(opened)
        call = stub.Advise(asked(time=LONG_SEARCH))
        stream = stub.StreamAdvice(
            advisor_pb2.StreamAdviceRequest(
                position=position().to_proto(),
                limits=advisor_pb2.SearchLimits(time=LONG_SEARCH),
                interval=seconds(0.02),
            )
        )
        assert not (await anext(aiter(stream))).is_final
        await until(lambda: server.gate.busy == 2)
        call.cancel()
        stream.cancel()
        await until(lambda: server.gate.busy == 0)
        assert fake.running == 0  # the gate opens only when the thread has come back
        found = await metrics(server)
        assert found("lisboa_search_cancelled_total", reason="client") == 2
        assert found("lisboa_cancel_latency_seconds_count", reason="client") == 2
        assert found("lisboa_search_workers", state="idle") == 2


@in_loop
async def test_a_stream_rises_and_has_one_final_answer() -> None:
    paced = PacedSearch(1)
    async with serving(paced) as server, channel(server) as opened:
        stub = advisor_pb2_grpc.AdvisorServiceStub(opened)
        request = advisor_pb2.StreamAdviceRequest(
            request_id="stream",
            position=position().to_proto(),
            limits=advisor_pb2.SearchLimits(time=seconds(30)),
            interval=seconds(0.02),
        )
        replies = []
        async for reply in stub.StreamAdvice(request):
            replies.append(reply)
            paced.go.release()
        assert len(replies) == 3
        sequence = [reply.sequence for reply in replies]
        assert sequence == sorted(set(sequence))
        assert [reply.is_final for reply in replies] == [False] * (len(replies) - 1) + [True]
        assert {reply.advice.report.stop_reason for reply in replies[:-1]} == {advisor_pb2.STOP_REASON_RUNNING}
        assert replies[-1].advice.report.stop_reason == advisor_pb2.STOP_REASON_TIME
        assert {reply.request_id for reply in replies} == {"stream"}


@in_loop
async def test_a_slow_reader_gets_the_latest_answer_and_holds_no_worker() -> None:
    paced = PacedSearch(3, 3)
    async with serving(paced) as server:
        answers = server.searches.stream(position(), SearchLimits(time=30.0), SearchOptions(), None, 0.01)
        first, is_final = await anext(answers)
        assert (first.analysis.nodes, is_final) == (1, False)
        paced.go.release()
        await until(lambda: paced.reports == 4)
        await asyncio.sleep(0)
        second, is_final = await anext(answers)
        assert (second.analysis.nodes, is_final) == (4, False)  # the latest; those in between were dropped
        for _ in range(2):
            paced.go.release()
        await until(paced.ended.is_set)  # the reader does nothing, and the search ends all the same
        await until(lambda: server.gate.busy == 0)
        rest = [one async for one in answers]
        assert [final for _, final in rest] == [True]


@in_loop
async def test_draining_lets_running_searches_answer_and_refuses_others() -> None:
    fake = FakeSearch()
    async with serving(fake, workers=1, queue=1) as server, channel(server) as opened:
        stub = advisor_pb2_grpc.AdvisorServiceStub(opened)
        health = health_pb2_grpc.HealthStub(opened)
        running = stub.Advise(asked(time=LONG_SEARCH))
        await until(lambda: server.gate.busy == 1)
        waiting = stub.Advise(asked(time=LONG_SEARCH))
        await until(lambda: server.gate.waiting == 1)
        await server.drain()
        assert (await running).advice.report.stop_reason == advisor_pb2.STOP_REASON_DRAINING
        for call in (waiting, stub.Advise(asked(time=LONG_SEARCH))):
            with pytest.raises(grpc.aio.AioRpcError) as refused:
                await call
            assert refused.value.code() is grpc.StatusCode.UNAVAILABLE
            info = error_details_pb2.RetryInfo()
            assert any(one.Unpack(info) for one in rpc_status.from_call(refused.value).details)
            assert info.retry_delay.ToMilliseconds() == 0
        for service, status in (
            ("", health_pb2.HealthCheckResponse.NOT_SERVING),
            ("readiness", health_pb2.HealthCheckResponse.NOT_SERVING),
            ("lisboa.v1.AdvisorService", health_pb2.HealthCheckResponse.NOT_SERVING),
            ("liveness", health_pb2.HealthCheckResponse.SERVING),
        ):
            assert (await health.Check(health_pb2.HealthCheckRequest(service=service))).status == status
        found = await metrics(server)
        assert found("lisboa_search_rejected_total", reason="draining") == 2
        assert found("lisboa_search_cancelled_total", reason="draining") == 1


@in_loop
async def test_a_search_that_fails_is_an_internal_error_without_its_text() -> None:
    def broken(*_: object, **__: object) -> None:
        raise RuntimeError("secret")

    async with serving(broken) as server, channel(server) as opened:
        with pytest.raises(grpc.aio.AioRpcError) as failed:
            await advisor_pb2_grpc.AdvisorServiceStub(opened).Advise(asked(iterations=1))
        assert failed.value.code() is grpc.StatusCode.INTERNAL
        assert "secret" not in (failed.value.details() or "")
        assert server.gate.busy == 0
        found = await metrics(server)
        assert found("lisboa_search_duration_seconds_count", stop_reason="failed") == 1


@in_loop
async def test_a_port_in_use_is_refused() -> None:
    async with serving(FakeSearch()) as server:
        with pytest.raises(SettingsError, match=f"port: {server.port} "):
            await Server(Settings(port=server.port, metrics_port=None)).start()
        with pytest.raises(SettingsError, match=f"metrics_port: {server.metrics_port} "):
            await Server(Settings(port=0, metrics_port=server.metrics_port)).start()


@pytest.mark.parametrize(
    "given, says",
    [
        ({"host": "0.0.0.0"}, "host: 0.0.0.0 "),
        ({"host": "example.org"}, "host: example.org "),
        ({"workers": 0}, "workers: 0; allowed: 1 to 64"),
        ({"port": 70000}, "port: 70000; allowed: 0 to 65535"),
        ({"default_time": 100.0}, "default_time: 100.0; allowed: 0.01 to 60.0"),
        ({"editions": ()}, "editions: none"),
    ],
)
def test_settings_name_field_value_and_what_is_allowed(given: dict[str, object], says: str) -> None:
    with pytest.raises(SettingsError) as refused:
        Settings(**given)
    assert str(refused.value).startswith(says)


def test_plaintext_beyond_loopback_can_be_asked_for() -> None:
    assert Settings(host="0.0.0.0", allow_plaintext=True).host == "0.0.0.0"
    for loopback in ("127.0.0.1", "127.1.2.3", "localhost", "[::1]"):
        assert Settings(host=loopback).host == loopback


@in_loop
async def test_metrics_are_there_before_the_first_call_and_add_up_after() -> None:
    async with serving(FakeSearch(), cache=0) as server, channel(server) as opened:
        found = await metrics(server)
        method = {
            "grpc_type": "unary",
            "grpc_service": "lisboa.v1.AdvisorService",
            "grpc_method": "Advise",
        }
        assert found("grpc_server_handled_total", **method, grpc_code="OK") == 0
        assert found("grpc_server_handled_total", **method, grpc_code="InvalidArgument") == 0
        assert found("lisboa_search_workers", state="idle") == 2
        for reason in ("queue_full", "deadline", "rate", "draining"):
            assert found("lisboa_search_rejected_total", reason=reason) == 0
        stub = advisor_pb2_grpc.AdvisorServiceStub(opened)
        for _ in range(3):
            await stub.Advise(asked(iterations=1))
        with pytest.raises(grpc.aio.AioRpcError):
            await stub.Advise(advisor_pb2.AdviseRequest())
        with pytest.raises(grpc.aio.AioRpcError):
            await opened.unary_unary("/made.up/Name")(b"")
        found = await metrics(server)
        assert found("grpc_server_started_total", **method) == 4
        assert found("grpc_server_msg_received_total", **method) == 4
        assert found("grpc_server_msg_sent_total", **method) == 3
        assert found("grpc_server_handled_total", **method, grpc_code="OK") == 3
        assert found("grpc_server_handled_total", **method, grpc_code="InvalidArgument") == 1
        assert found("grpc_server_handling_seconds_count", **method) == 4
        assert found("lisboa_rpcs_in_flight", method="lisboa.v1.AdvisorService/Advise") == 0
        other = {"grpc_type": "unary", "grpc_service": "other", "grpc_method": "other"}
        assert found("grpc_server_handled_total", **other, grpc_code="Unimplemented") == 1
        assert found("lisboa_search_iterations_total") == 60  # three times the 20 of the canned analysis
        assert found("lisboa_search_duration_seconds_count", stop_reason="iterations") == 3
        assert found("lisboa_search_queue_wait_seconds_count") == 3
