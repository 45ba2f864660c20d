"""What the service promises, measured from outside, in a process of its own: each check is one figure and its limit."""

from __future__ import annotations

import asyncio
import json
import operator
import os
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass, replace
from typing import Any, Final

import grpc
import grpc.aio

from bench.served import Served, served
from lisboa_ai.analysis import Analysis, SearchLimits, SearchOptions, analyse
from lisboa_ai.client import AsyncClient
from lisboa_ai.cluster import Parcel, in_order, open_executor
from lisboa_ai.cores import usable_cores
from lisboa_ai.server.demo import demo_position

from .calls import CALLS, HEALTH
from .generator import opened
from .report import percentiles

__all__ = ["CHECKS", "Outcome", "check"]

LONG: Final = SearchLimits(time=55.0, seed=1)
"""Of searches that hold a worker until they are cancelled."""
MOMENT: Final = SearchLimits(iterations=1, seed=1)
FIXED: Final = SearchLimits(iterations=2000, seed=7)
REFUSALS: Final = 200
CANCELLATIONS: Final = 30
PROBE_RATE: Final = 50.0
PROBES: Final = 500


@dataclass(frozen=True, slots=True)
class Outcome:
    """What was measured. passed: whether it is within the limit, which ``wanted`` says in words."""

    name: str
    passed: bool
    wanted: str
    measured: dict[str, Any]

    def to_json(self) -> dict[str, Any]:
        """As plain data."""
        return asdict(self)

    def line(self) -> str:
        """For a person to read."""
        told = ", ".join(f"{name} {value}" for name, value in self.measured.items())
        return f"{'passed' if self.passed else 'MISSED':7} {self.name:10} {told}  (wanted: {self.wanted})"


class _Held:
    """Searches that hold workers or wait, and are cancelled at the end."""

    def __init__(self, channel: grpc.aio.Channel) -> None:
        self._advise: Any = channel.unary_unary(CALLS["advise"].path)
        self.calls: list[Any] = []

    def ask(self, limits: SearchLimits) -> Any:
        """A search that is on its way; cancelling it ends it."""
        call = self._advise(CALLS["advise"].request(len(self.calls), limits))
        self.calls.append(call)
        return call

    def release(self) -> None:
        """End them all."""
        for call in self.calls:
            call.cancel()


@asynccontextmanager
async def _all_busy(server: Served, workers: int, waiting: int = 0) -> AsyncIterator[_Held]:
    """All workers search, and so many searches wait, inside the block."""
    async with opened(server.address) as channel:
        held = _Held(channel)
        try:
            for _ in range(workers):
                held.ask(LONG)
            await asyncio.to_thread(server.wait_for_busy, workers)
            for _ in range(waiting):
                held.ask(LONG)
            await asyncio.to_thread(server.wait_for, "lisboa_search_queue_depth", waiting)
            yield held
        finally:
            held.release()
            await asyncio.to_thread(server.wait_for_busy, 0)


def probe(target: str, rate: float, count: int) -> dict[str, Any]:
    """Health checks sent by a process of their own; its report as plain data."""
    command = [sys.executable, "-m", "bench.load", "run", "--target", target, "--call", HEALTH, "--json"]
    command += ["--rate", str(rate), "--count", str(count)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60 + count / rate)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


async def health(server: Served, workers: int) -> Outcome:
    """How long health checks take while all workers search."""
    async with _all_busy(server, workers):
        found = await asyncio.to_thread(probe, server.address, PROBE_RATE, PROBES)
    times = found["latency_ms"].get("OK", {})
    sound = found["codes"] == {"OK": PROBES} and times["p99"] < 50.0
    return Outcome("health", sound, f"{PROBES} checks, all answered, p99 < 50 ms", {**found["codes"], **_ms(times)})


async def refusal(server: Served, workers: int) -> Outcome:
    """How long it takes until a search is refused because the queue is full."""
    times = []
    wrong = 0
    async with _all_busy(server, workers, workers) as held, opened(server.address) as channel:
        advise: Any = channel.unary_unary(CALLS["advise"].path)
        for number in range(REFUSALS):
            request = CALLS["advise"].request(number, LONG)
            began = time.monotonic()
            try:
                await advise(request, timeout=10)
                wrong += 1
            except grpc.aio.AioRpcError as error:
                times.append(time.monotonic() - began)
                wrong += error.code() is not grpc.StatusCode.RESOURCE_EXHAUSTED
        wrong += sum(call.done() for call in held.calls)
    found = percentiles(times)
    measured = {"refused": len(times), "otherwise": wrong, **_ms(found)}
    return Outcome("refusal", not wrong and found["p90"] < 5.0, "all RESOURCE_EXHAUSTED, p90 < 5 ms", measured)


async def cancel(server: Served, workers: int) -> Outcome:
    """How long it takes from cancelling a search until the one that waited for its worker has its answer.

    That one is a single iteration, so that its answer's way is all that is counted too much.
    """
    times = []
    for _ in range(CANCELLATIONS):
        async with _all_busy(server, workers) as held:
            waiting = held.ask(MOMENT)
            await asyncio.to_thread(server.wait_for, "lisboa_search_queue_depth", 1)
            began = time.monotonic()
            held.calls[0].cancel()
            await waiting
            times.append(time.monotonic() - began)
    found = percentiles(times)
    total = server.sample('lisboa_cancel_latency_seconds_sum{reason="client"}')
    count = server.sample('lisboa_cancel_latency_seconds_count{reason="client"}')
    within = server.sample('lisboa_cancel_latency_seconds_bucket{le="0.025",reason="client"}')
    measured = {
        **_ms(found),
        "mean inside": f"{1000 * total / count:.2f} ms",
        "within 25 ms": f"{within:.0f} of {count:.0f}",
    }
    return Outcome("cancel", found["p90"] < 20.0, "p90 from cancel to the next answer < 20 ms", measured)


async def equality(server: Served, workers: int) -> Outcome:
    """Whether advice is the same by a search in this process, over RPC and on a cluster of two processes.

    With the same seed, iterations and threads, and everything that it says, times aside.
    """
    position = demo_position()
    questions = [
        (replace(FIXED, threads=threads), SearchOptions(granularity=granularity, candidates=10))
        for threads in range(1, workers + 1)
        for granularity in ("decision", "turn")
    ]
    here = [_told(analyse(position.observation, limits, options)) for limits, options in questions]
    async with AsyncClient(server.address) as client:
        there = [_told(await client.advise(position, limits=limits, options=options)) for limits, options in questions]
    parcel = Parcel.of(position.observation)
    with open_executor("processes:2") as executor:
        asked = [(parcel, limits, options) for limits, options in questions]
        spread = await asyncio.to_thread(lambda: list(in_order(_searched, asked, executor)))
    measured = {
        "questions": len(here),
        "same over RPC": sum(map(operator.eq, here, there)),
        "same on the cluster": sum(map(operator.eq, here, spread)),
    }
    return Outcome("equality", here == there == spread, "every answer the same", measured)


def _searched(asked: tuple[Parcel, SearchLimits, SearchOptions]) -> Analysis:
    parcel, limits, options = asked
    return _told(analyse(parcel.open(), limits, options))


def _told(found: Analysis) -> Analysis:
    """Everything an analysis says, times aside."""
    return replace(found, elapsed=0.0)


CHECKS: Final[dict[str, Callable[[Served, int], Coroutine[Any, Any, Outcome]]]] = {
    "health": health,
    "refusal": refusal,
    "cancel": cancel,
    "equality": equality,
}


def check(name: str, workers: int | None = None, tries: int = 1) -> Outcome:
    """Run a check against a fresh service with as many workers as usable cores, or so many.

    Of several tries the first that passes counts: whatever else runs on the machine can only make a time longer.
    """
    count = workers or usable_cores()
    for number in range(1, tries + 1):
        with served("--workers", str(count), "--queue", str(count), "--cache", "0") as server:
            found = asyncio.run(CHECKS[name](server, count))
        found.measured["try"] = number
        found.measured["load average"] = f"{os.getloadavg()[0]:.1f} on {usable_cores()} cores"
        if found.passed:
            break
    return found


def _ms(times: dict[str, float]) -> dict[str, str]:
    return {name: f"{value:.1f} ms" for name, value in times.items()}
