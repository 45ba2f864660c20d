"""A server's day: the self-test before it serves, health while all workers are busy, workers freed, and the end."""

from __future__ import annotations

import json
import math
import os
import signal
import statistics
import subprocess
import sys
import threading
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import grpc
import grpc.aio
import pytest
from google.protobuf.duration_pb2 import Duration
from grpc_health.v1 import health_pb2, health_pb2_grpc

from lisboa.v1 import advisor_pb2, advisor_pb2_grpc, server_pb2, server_pb2_grpc
from lisboa_ai import edition, signature
from lisboa_ai.server import Server, Settings, SettingsError
from lisboa_ai.server.selftest import SelfTestFailed, bench_signature, self_test
from lisboa_ai.server.tracing import exporting_provider
from tests.serving import FakeSearch, channel, in_loop, position, running, serving, until, wait_until

LONG = advisor_pb2.SearchLimits(time=Duration(seconds=50))
SERVING = health_pb2.HealthCheckResponse.SERVING


def asked() -> advisor_pb2.AdviseRequest:
    return advisor_pb2.AdviseRequest(position=position().to_proto(), limits=LONG)


# --- the start ------------------------------------------------------------------------------------------------------


def test_the_engine_passes_the_self_test() -> None:
    self_test([edition.load("house")])
    assert bench_signature() == str(signature.expected(quick=True))


@in_loop
async def test_an_engine_that_plays_otherwise_does_not_serve_unless_it_is_told_to(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    wanted = replace(signature.expected(quick=True), sampling="other")
    monkeypatch.setattr(signature, "expected", lambda *, quick: wanted)
    server = Server(Settings(port=0, metrics_port=None), FakeSearch())
    with pytest.raises(SelfTestFailed, match="changed first: sampling; "):
        await server.start()
    assert server.port == 0
    await server.stop()
    async with serving(FakeSearch(), self_test=False) as serves, channel(serves) as opened:
        reply = await server_pb2_grpc.ServerServiceStub(opened).GetServerInfo(server_pb2.GetServerInfoRequest())
        assert reply.bench_signature == bench_signature()


def test_tracing_without_opentelemetry_is_refused_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "opentelemetry.sdk.trace", None)
    with pytest.raises(SettingsError, match=r"^tracing: true, but OpenTelemetry is not installed; allowed: false, or "):
        exporting_provider()


def test_a_server_by_its_configuration_file_says_what_it_is_and_ends_with_exit_code_0(tmp_path: Path) -> None:
    config = tmp_path / "lisboa.toml"
    config.write_text('port = 0\nmetrics_port = "none"\nhealth_port = 0\nworkers = 1\n')
    command = [sys.executable, "-c", "from lisboa_ai.server.commands import serve; serve()", "--config", str(config)]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as started:
        assert started.stderr is not None
        first = json.loads(started.stderr.readline())
        assert (first["message"], first["workers"], first["tls"], first["tokens"]) == ("serving", 1, "none", False)
        assert first["metrics"] is None
        with grpc.insecure_channel(first["health"]) as opened:
            check = health_pb2.HealthCheckRequest(service="readiness")
            assert health_pb2_grpc.HealthStub(opened).Check(check, timeout=20).status == SERVING
        started.send_signal(signal.SIGTERM)
        rest = [json.loads(line) for line in started.stderr]
        assert started.wait(30) == 0
    assert [line["message"] for line in rest if line["message"] != "call"] == ["draining", "stopped"]


# --- under load -----------------------------------------------------------------------------------------------------


def test_health_is_answered_while_all_workers_search() -> None:
    with running(workers=2) as server, grpc.insecure_channel(server.address) as opened:
        stub = advisor_pb2_grpc.AdvisorServiceStub(opened)
        searches = [stub.Advise.future(asked()) for _ in range(2)]
        wait_until(lambda: server.gate.busy == 2)
        health = health_pb2_grpc.HealthStub(opened)
        took = []
        for name in ("liveness", "readiness") * 30:
            began = time.monotonic()
            assert health.Check(health_pb2.HealthCheckRequest(service=name)).status == SERVING
            took.append(time.monotonic() - began)
        assert server.gate.busy == 2
        # The fastest tenth: the machine may be busy with much else. A search that kept the interpreter to itself would
        # hold every one of them up. The percentiles of a quiet machine are for a benchmark to measure.
        assert statistics.quantiles(took, n=10)[0] < 0.05
        for search in searches:
            search.cancel()


def test_a_cancelled_search_frees_its_worker_within_milliseconds() -> None:
    with running(workers=1) as server, grpc.insecure_channel(server.address) as opened:
        stub = advisor_pb2_grpc.AdvisorServiceStub(opened)
        took = [math.inf]
        while took[-1] >= 0.02:  # the fastest of many: the machine may be busy with something else
            assert len(took) < 100
            search = stub.Advise.future(asked())
            wait_until(lambda: server.gate.busy == 1)
            began = time.monotonic()
            search.cancel()
            wait_until(lambda: server.gate.busy == 0)
            took.append(time.monotonic() - began)


@in_loop
async def test_whoever_left_while_waiting_is_dropped_before_it_starts() -> None:
    fake = FakeSearch()
    async with serving(fake, workers=1, queue=5) as server, channel(server) as opened:
        stub = advisor_pb2_grpc.AdvisorServiceStub(opened)
        running_one = stub.Advise(asked())
        await until(lambda: server.gate.busy == 1)
        waiting = [stub.Advise(asked()) for _ in range(5)]
        await until(lambda: server.gate.waiting == 5)
        for call in waiting:
            call.cancel()
        await until(lambda: server.gate.waiting == 0)
        running_one.cancel()
        await until(lambda: server.gate.busy == 0)
        assert fake.started == 1


@in_loop
async def test_liveness_outlives_readiness() -> None:
    async with serving(FakeSearch()) as server, channel(server) as opened:
        health = health_pb2_grpc.HealthStub(opened)

        async def status(name: str) -> int:
            return int((await health.Check(health_pb2.HealthCheckRequest(service=name))).status)

        assert [await status(name) for name in ("liveness", "readiness", "")] == [SERVING] * 3
        await server.drain()
        assert await status("liveness") == SERVING
        assert [await status(name) for name in ("readiness", "")] == [health_pb2.HealthCheckResponse.NOT_SERVING] * 2


@pytest.mark.skipif(sys.platform != "linux", reason="threads have a priority of their own on Linux only")
@pytest.mark.parametrize("nice", [0, 3])
@in_loop
async def test_search_threads_let_the_others_go_first(nice: int) -> None:
    seen: list[int] = []
    fake = FakeSearch()

    def looking(*given: Any, **more: Any) -> Any:
        seen.append(os.getpriority(os.PRIO_PROCESS, threading.get_native_id()))
        return fake(*given, **more)

    others = os.getpriority(os.PRIO_PROCESS, threading.get_native_id())
    async with serving(looking, search_nice=nice) as server, channel(server) as opened:
        limits = advisor_pb2.SearchLimits(iterations=5)
        request = advisor_pb2.AdviseRequest(position=position().to_proto(), limits=limits)
        await advisor_pb2_grpc.AdvisorServiceStub(opened).Advise(request)
    assert seen == [min(19, others + nice)]
