"""What /metrics says: every name, at zero before the first call, with few labels, and adding up to what clients saw."""

from __future__ import annotations

import asyncio
import math
import re
import urllib.request
from collections import Counter
from collections.abc import AsyncIterator, Iterable
from types import SimpleNamespace
from typing import Any

import grpc
import grpc.aio
import pytest
from google.protobuf.duration_pb2 import Duration
from prometheus_client import Metric
from prometheus_client.parser import text_string_to_metric_families

from lisboa.v1 import advisor_pb2, advisor_pb2_grpc, rules_pb2, rules_pb2_grpc
from lisboa_ai.server import Server
from lisboa_ai.server.app import OURS
from lisboa_ai.server.build import build
from lisboa_ai.server.calls import Calls
from lisboa_ai.server.door import Door
from lisboa_ai.server.metrics import Metrics
from lisboa_ai.server.tracing import Spans
from tests.serving import FakeSearch, channel, in_loop, position, serving, until

CALL = {"grpc_type", "grpc_service", "grpc_method"}
EXPECTED: dict[str, tuple[str, set[str]]] = {
    "grpc_server_started": ("counter", CALL),
    "grpc_server_handled": ("counter", CALL | {"grpc_code"}),
    "grpc_server_msg_received": ("counter", CALL),
    "grpc_server_msg_sent": ("counter", CALL),
    "grpc_server_handling_seconds": ("histogram", CALL),
    "lisboa_rpcs_in_flight": ("gauge", {"method"}),
    "lisboa_search_queue_depth": ("gauge", set()),
    "lisboa_search_workers": ("gauge", {"state"}),
    "lisboa_search_queue_wait_seconds": ("histogram", set()),
    "lisboa_search_duration_seconds": ("histogram", {"stop_reason"}),
    "lisboa_search_first_result_seconds": ("histogram", set()),
    "lisboa_search_iterations": ("counter", set()),
    "lisboa_search_tree_nodes": ("histogram", set()),
    "lisboa_search_rejected": ("counter", {"reason"}),
    "lisboa_search_cancelled": ("counter", {"reason"}),
    "lisboa_cancel_latency_seconds": ("histogram", {"reason"}),
    "lisboa_search_cache_events": ("counter", {"event"}),
    "lisboa_search_cache_entries": ("gauge", set()),
    "lisboa_reloads": ("counter", {"file", "result"}),
    "lisboa_event_loop_lag_seconds": ("histogram", set()),
    "lisboa_build_info": ("gauge", {"version", "edition", "git", "cython", "python", "engine"}),
}
MOST_SERIES = 2500
"""Series of one server with every method and code at zero: a bound on what a scrape costs."""


def scraped(server: Server) -> dict[str, Metric]:
    """The families on /metrics, as Prometheus' own parser reads them."""
    with urllib.request.urlopen(f"http://127.0.0.1:{server.metrics_port}/metrics") as reply:
        text = reply.read().decode()
    found = {family.name: family for family in text_string_to_metric_families(text)}
    # The times at which series began are switched off where the process is the server's own (``run``).
    return {name: family for name, family in found.items() if not name.endswith("_created")}


def labels_of(family: Metric) -> set[str]:
    return {name for sample in family.samples for name in sample.labels} - {"le"}


def handled(families: dict[str, Metric]) -> Counter[tuple[str, str]]:
    """Ended calls by method and code, the way a client names the codes; zeros left out."""
    found: Counter[tuple[str, str]] = Counter()
    for sample in families["grpc_server_handled"].samples:
        if sample.name.endswith("_total") and sample.value:
            code = re.sub(r"(?<!^)(?=[A-Z])", "_", sample.labels["grpc_code"]).upper()
            found[sample.labels["grpc_method"], "OK" if code == "O_K" else code] += int(sample.value)
    return found


@in_loop
async def test_every_metric_is_there_at_zero_before_the_first_call() -> None:
    async with serving(FakeSearch(), reflection=True) as server:
        families = await asyncio.to_thread(scraped, server)
        for name, (kind, labels) in EXPECTED.items():
            family = families[name]
            assert (family.type, labels_of(family)) == (kind, labels), name
            assert family.documentation
            told = name in ("lisboa_build_info", "lisboa_search_workers", "lisboa_event_loop_lag_seconds")
            assert told or all(sample.value == 0 for sample in family.samples), name
        assert {name for name in families if name.startswith(("lisboa_", "grpc_"))} == set(EXPECTED)
        methods = {f"{service.full_name}/{method.name}" for service in OURS for method in service.methods}
        known = {sample.labels["method"] for sample in families["lisboa_rpcs_in_flight"].samples}
        assert methods < known
        codes = {sample.labels["grpc_code"] for sample in families["grpc_server_handled"].samples}
        assert len(codes) == len(grpc.StatusCode)


@in_loop
async def test_names_units_and_buckets_are_as_prometheus_wants_them() -> None:
    async with serving(FakeSearch(), reflection=True) as server:
        families = await asyncio.to_thread(scraped, server)
        assert sum(len(family.samples) for family in families.values()) < MOST_SERIES
        for family in families.values():
            assert re.fullmatch("[a-z][a-z0-9_]*", family.name)
            assert not re.search("_(ms|us|minutes|kb|mb)(_|$)", family.name)
            for sample in family.samples:
                assert family.type != "counter" or sample.name.endswith("_total")
        for name, (kind, _) in EXPECTED.items():
            if kind == "histogram":
                edges = sorted({float(one.labels["le"]) for one in families[name].samples if "le" in one.labels})
                assert edges[-1] == math.inf
                # what takes longest is the search itself, and the last bucket that says something is no shorter
                assert edges[-2] >= 30 or "seconds" not in name or "lag" in name or "cancel" in name


@in_loop
async def test_the_build_is_told() -> None:
    here = build()
    assert re.fullmatch(r"3\.\d+\.\d+.*", here.cython)
    assert here.engine in ("checked", "release")
    async with serving(FakeSearch()) as server:
        (told,) = (await asyncio.to_thread(scraped, server))["lisboa_build_info"].samples
        assert told.value == 1
        assert told.labels == {
            "edition": "house",
            **{name: getattr(here, name) for name in ("version", "git", "cython", "python", "engine")},
        }


async def end_of(call: Any) -> str:
    """The code with which a call ends for its client."""
    try:
        if hasattr(call, "__aiter__"):
            async for _ in call:
                pass
        else:
            await call
    except grpc.aio.AioRpcError as error:
        return error.code().name
    except asyncio.CancelledError:
        return "CANCELLED"
    return "OK"


async def counted(seen: Counter[tuple[str, str]], method: str, ends: Iterable[Any]) -> None:
    for one in ends:
        seen[method, await end_of(one)] += 1


@in_loop
async def test_ended_calls_add_up_to_what_clients_saw_by_code() -> None:
    sound = position().to_proto()
    seen: Counter[tuple[str, str]] = Counter()
    long = advisor_pb2.SearchLimits(time=Duration(seconds=30))
    async with serving(FakeSearch(), workers=1, queue=1) as server, channel(server) as opened:
        advisor = advisor_pb2_grpc.AdvisorServiceStub(opened)
        rules = rules_pb2_grpc.RulesServiceStub(opened)
        fixed = advisor_pb2.SearchLimits(iterations=5)
        for _ in range(3):
            await counted(seen, "Advise", [advisor.Advise(advisor_pb2.AdviseRequest(position=sound, limits=fixed))])
        stream = advisor.StreamAdvice(advisor_pb2.StreamAdviceRequest(position=sound, limits=fixed))
        await counted(seen, "StreamAdvice", [stream])
        await counted(seen, "Evaluate", [advisor.Evaluate(advisor_pb2.EvaluateRequest())])
        await counted(seen, "Evaluate", [opened.unary_unary("/lisboa.v1.AdvisorService/Evaluate")(b"\xff")])
        unknown = rules_pb2.NewGameRequest(players=2)
        unknown.edition.name = "none"
        await counted(seen, "NewGame", [rules.NewGame(unknown), rules.NewGame(rules_pb2.NewGameRequest(players=2))])
        await counted(seen, "other", [opened.unary_unary("/made.up/Method")(b"")])
        held = [advisor.Advise(advisor_pb2.AdviseRequest(position=sound, limits=long)) for _ in range(2)]
        await until(lambda: (server.gate.busy, server.gate.waiting) == (1, 1))
        refused = [advisor.Advise(advisor_pb2.AdviseRequest(position=sound, limits=long)) for _ in range(4)]
        await counted(seen, "Advise", refused)
        held[1].cancel()
        await until(lambda: server.gate.waiting == 0)
        shed = advisor.Advise(advisor_pb2.AdviseRequest(position=sound, limits=long), timeout=15)
        await counted(seen, "Advise", [shed])
        held[0].cancel()
        await until(lambda: server.gate.busy == 0)
        await counted(seen, "Advise", held)
        families = await asyncio.to_thread(scraped, server)
        assert handled(families) == seen
        assert sum(seen.values()) == 16
        assert {code for _, code in seen} == {
            "OK",
            "INVALID_ARGUMENT",
            "FAILED_PRECONDITION",
            "UNIMPLEMENTED",
            "RESOURCE_EXHAUSTED",
            "DEADLINE_EXCEEDED",
            "CANCELLED",
        }
        assert all(sample.value == 0 for sample in families["lisboa_rpcs_in_flight"].samples)


class _Left:
    """The call of a client that leaves while it is written to."""

    def peer(self) -> str:
        return "ipv4:127.0.0.1:1"

    def auth_context(self) -> dict[str, object]:
        return {}

    def code(self) -> None:
        return None

    async def write(self, reply: object) -> None:
        raise grpc.aio.InternalError


@in_loop
async def test_a_client_that_leaves_while_it_is_written_to_has_cancelled_and_is_no_fault_of_ours() -> None:
    measured = Metrics(["house"])
    calls = Calls(measured, Door(None, measured), Spans(), 1024)
    calls.know("service", [("method", "server_stream")])

    async def replies(request: object, context: object) -> AsyncIterator[str]:
        yield "reply"

    async def continuation(details: object) -> Any:
        return grpc.unary_stream_rpc_method_handler(replies)

    about: Any = SimpleNamespace(method="/service/method", invocation_metadata=())
    handler = await calls.intercept_service(continuation, about)
    with pytest.raises(asyncio.CancelledError):
        await handler.unary_stream(None, _Left())
    ended = {
        code: measured.handled.labels("server_stream", "service", "method", code)._value.get()
        for code in ("Cancelled", "Internal", "OK")
    }
    assert ended == {"Cancelled": 1, "Internal": 0, "OK": 0}
