"""Servers on free loopback ports for tests: a real one in a thread, and one in the test's loop with a fake search."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import threading
import time
import urllib.request
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from dataclasses import replace
from typing import Any, ParamSpec

import grpc
import grpc.aio
from prometheus_client.parser import text_string_to_metric_families

from lisboa_ai import edition
from lisboa_ai.analysis import Analysis, CancelFlag, SearchLimits, SearchOptions, analyse
from lisboa_ai.position import Position
from lisboa_ai.record import GameRecord
from lisboa_ai.server.app import Server
from lisboa_ai.server.searching import Search, search
from lisboa_ai.server.settings import Settings

P = ParamSpec("P")


@contextlib.contextmanager
def running(search: Search = search, **settings: Any) -> Iterator[Server]:
    """A started server; stopped at the end. Settings as in ``Settings``, on free ports."""
    server = Server(Settings(**{"port": 0, "metrics_port": None, "workers": 2, **settings}), search)
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    try:
        asyncio.run_coroutine_threadsafe(server.start(), loop).result(30)
        yield server
    finally:
        asyncio.run_coroutine_threadsafe(server.stop(), loop).result(30)
        loop.call_soon_threadsafe(loop.stop)
        thread.join(30)
        loop.close()


# --- without engine time, in the loop of the test ---------------------------------------------------------------------


def in_loop(test: Callable[P, Coroutine[Any, Any, None]]) -> Callable[P, None]:
    """Runs an asynchronous test in a loop of its own."""

    @functools.wraps(test)
    def wrapped(*args: P.args, **kwargs: P.kwargs) -> None:
        asyncio.run(asyncio.wait_for(test(*args, **kwargs), 60))

    return wrapped


@functools.cache
def position() -> Position:
    """The first decision of a game for two, as the seat to act sees it."""
    game = GameRecord.new(edition.load("house"), 2, 1)
    return game.position(game.replay().seat)


@functools.cache
def canned() -> Analysis:
    """A real analysis of ``position()``, of 20 iterations."""
    return analyse(position().observation, SearchLimits(iterations=20))


class FakeSearch:
    """Answers with the canned analysis: at once with an iteration limit, else when its time is up or it is stopped.

    ``nodes`` of an interim answer is its number, from 1. started, running, reports: counts. limits: of every search.
    """

    def __init__(self) -> None:
        self.started = 0
        self.running = 0
        self.reports = 0
        self.limits: list[SearchLimits] = []
        self._lock = threading.Lock()

    def __call__(
        self,
        position: Position,
        limits: SearchLimits,
        options: SearchOptions,
        *,
        whoever: bool,
        cancel: CancelFlag,
        on_progress: Callable[[Analysis], None] | None,
        progress_every: float,
    ) -> Analysis:
        with self._lock:
            self.started += 1
            self.running += 1
            self.limits.append(limits)
        try:
            return self._run(limits, cancel, on_progress, progress_every)
        finally:
            with self._lock:
                self.running -= 1

    def _run(
        self,
        limits: SearchLimits,
        cancel: CancelFlag,
        on_progress: Callable[[Analysis], None] | None,
        progress_every: float,
    ) -> Analysis:
        answer = replace(canned(), limits=limits)
        if limits.iterations is not None:
            return replace(answer, stop_reason="iterations")
        assert limits.time is not None
        until = time.monotonic() + limits.time
        report = time.monotonic() + progress_every
        while time.monotonic() < until:
            if cancel.is_set:
                return replace(answer, stop_reason="cancelled")
            if on_progress is not None and time.monotonic() >= report:
                self.reports += 1
                on_progress(replace(answer, stop_reason="running", nodes=self.reports))
                report += progress_every
            time.sleep(0.001)
        return replace(answer, stop_reason="time")


class PacedSearch:
    """Reports once, and then, each time ``go`` is released, makes so many more reports, or ends.

    ``nodes`` of a report is its number, from 1. reports: how many there were. ended: whether it has come back.
    """

    def __init__(self, *more: int) -> None:
        self.reports = 0
        self.go = threading.Semaphore(0)
        self.ended = threading.Event()
        self._more = more

    def __call__(
        self, position: Position, limits: SearchLimits, *_: Any, on_progress: Callable[[Analysis], None], **__: Any
    ) -> Analysis:
        answer = replace(canned(), limits=limits)
        for count in (1, *self._more):
            for _report in range(count):
                on_progress(replace(answer, stop_reason="running", nodes=self.reports + 1))
                self.reports += 1
            assert self.go.acquire(timeout=40)
        self.ended.set()
        return replace(answer, stop_reason="time")


@contextlib.asynccontextmanager
async def serving(search: Any, **settings: Any) -> AsyncIterator[Server]:
    """A server in the test's own loop, with another search in place of the engine's."""
    server = Server(Settings(**{"port": 0, "metrics_port": 0, "workers": 2, "stop_grace": 0.2, **settings}), search)
    await server.start()
    try:
        yield server
    finally:
        await server.stop()


def channel(server: Server) -> grpc.aio.Channel:
    """A plain channel to a server: no retries."""
    return grpc.aio.insecure_channel(server.address, options=(("grpc.enable_retries", 0),))


async def until(condition: Callable[[], bool], seconds: float = 40.0) -> None:
    """Look every few milliseconds until it holds; fail after so many seconds."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "it did not come to hold"
        await asyncio.sleep(0.002)


def wait_until(condition: Callable[[], bool], seconds: float = 40.0) -> None:
    """``until`` for a test that is no part of the loop: the server runs in another thread or process."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "it did not come to hold"
        time.sleep(0.0005)


async def metrics(server: Server) -> Callable[..., float]:
    """What /metrics says now: a function from a sample's name and labels to its value."""
    url = f"http://{server.settings.host}:{server.metrics_port}/metrics"
    text = await asyncio.to_thread(lambda: urllib.request.urlopen(url).read().decode())
    samples = {
        (sample.name, frozenset(sample.labels.items())): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }
    return lambda name, **labels: samples[name, frozenset(labels.items())]
