"""Running searches: on worker threads, behind the gate, within deadlines, and stopped when nobody waits for them."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import time
from collections.abc import AsyncGenerator, Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Final, Generic, Protocol, TypeVar

from lisboa_ai.analysis import SEARCHLESS, Analysis, CancelFlag, SearchLimits, SearchOptions, analyse, evaluate
from lisboa_ai.beliefs import History
from lisboa_ai.compare import Comparison, compare
from lisboa_ai.position import Position
from lisboa_ai.review.judging import Answer

from .admission import Draining, Gate, OutOfTime, Priority, RateLimited
from .cache import ADVICE, EVALUATION, Cache, Key
from .calls import facts
from .light import Light
from .metrics import Metrics
from .niceness import step_back
from .rates import Rates
from .running import Handle, Running
from .settings import Settings

__all__ = ["Search", "Searched", "Searches", "search"]

A = TypeVar("A", Analysis, Comparison)
W = TypeVar("W", Analysis, Comparison, Answer)

SHORTEST: Final = 0.005
"""Seconds below which a search is not worth starting."""
SHARE_OF_DEADLINE: Final = 0.25
"""The reply margin never takes more than this part of what is left, so that short deadlines get an answer too."""


class Search(Protocol):
    """What runs a search; tests put another one in its place."""

    def __call__(
        self,
        position: Position,
        limits: SearchLimits,
        options: SearchOptions,
        *,
        whoever: bool,
        history: History,
        cancel: CancelFlag,
        on_progress: Callable[[Analysis], None] | None,
        progress_every: float,
    ) -> Analysis: ...


def search(
    position: Position,
    limits: SearchLimits,
    options: SearchOptions,
    *,
    whoever: bool,
    history: History,
    cancel: CancelFlag,
    on_progress: Callable[[Analysis], None] | None,
    progress_every: float,
) -> Analysis:
    """The real one: advice for the observer, or with ``whoever`` an evaluation, whoever is to act."""
    run = evaluate if whoever else analyse
    return run(
        position.observation,
        limits,
        options,
        history=history,
        cancel=cancel,
        on_progress=on_progress,
        progress_every=progress_every,
    )


@dataclass(frozen=True, slots=True)
class Searched(Generic[A]):
    """An answer, interim or final, the seconds its search waited, and whether it was kept from an earlier search."""

    analysis: A
    queued: float
    cached: bool = False


class Searches:
    """All searches of one server. Belongs to one event loop; the searches themselves run without the GIL."""

    def __init__(self, settings: Settings, metrics: Metrics, light: Light, run: Search = search) -> None:
        self.gate = Gate(settings.workers, settings.queue_length, metrics)
        self.cache = Cache(settings.cache, metrics)
        self._light = light
        self._rates = Rates(settings.rate, settings.burst)
        self._settings = settings
        self._metrics = metrics
        self._run = run
        self._workers = ThreadPoolExecutor(
            settings.workers, thread_name_prefix="search", initializer=step_back, initargs=(settings.search_nice,)
        )
        self._running: set[Running] = set()

    def look(self, priority: Priority = Priority.NORMAL, *, may_be_known: bool = False) -> None:
        """Raise what the caller's search would be refused with now: before anything is spent on its request.

        may_be_known: the answer may be in the cache, so that a full queue need not matter; the gate sees to that.
        """
        client = facts().client
        if not (may_be_known and len(self.cache)) or self.gate.draining:
            self.gate.look(client, priority)
        try:
            self._rates.spend(client)
        except RateLimited:
            self._metrics.rejected.labels("rate").inc()
            raise

    async def final(
        self,
        position: Position,
        limits: SearchLimits,
        options: SearchOptions,
        time_left: float | None,
        *,
        whoever: bool = False,
        history: History = (),
        on_progress: Callable[[Searched[Analysis]], None] | None = None,
        progress_every: float = 1.0,
        priority: Priority = Priority.NORMAL,
        handle: Handle | None = None,
    ) -> Searched[Analysis]:
        """Wait for a worker, search, and return the answer, before ``time_left`` seconds (None: no end) have passed.

        If the waiting task is cancelled, the search is stopped and its worker free before this raises. Raises as
        ``Gate.admitted`` does; OutOfTime also if too little time is left for a search. An answer that is kept needs no
        worker. handle: of a question of a batch, which is asked again until there is room.
        """
        deadline = None if time_left is None else time.monotonic() + self._budget(time_left)
        key = await self._key(position, limits, options, EVALUATION if whoever else ADVICE)
        if (kept := self._kept(key, limits, Analysis)) is not None:
            return kept

        def work(within: SearchLimits, cancel: CancelFlag, queued: float) -> Analysis:
            return self._run(
                position,
                within,
                options,
                whoever=whoever,
                history=history,
                cancel=cancel,
                on_progress=None if on_progress is None else self._reporter(on_progress, queued, limits),
                progress_every=progress_every,
            )

        expected = 0.0 if options.algorithm in SEARCHLESS else self._expected(limits, deadline)
        found = await self._on_worker(work, limits, deadline, priority, handle, expected)
        self.cache.put(key, found.analysis)
        return found

    async def compared(
        self,
        position: Position,
        actions: Sequence[int],
        limits: SearchLimits,
        options: SearchOptions,
        time_left: float | None,
        *,
        priority: Priority = Priority.NORMAL,
    ) -> Searched[Comparison]:
        """Compare actions, as ``final`` searches."""

        deadline = None if time_left is None else time.monotonic() + self._budget(time_left)
        key = await self._key(position, limits, options, tuple(actions))
        if (kept := self._kept(key, limits, Comparison)) is not None:
            return kept

        def work(within: SearchLimits, cancel: CancelFlag, _: float) -> Comparison:
            return compare(position, actions, within, options, cancel=cancel)

        found = await self._on_worker(work, limits, deadline, priority, None, self._expected(limits, deadline))
        self.cache.put(key, found.analysis)
        return found

    async def judged(
        self, work: Callable[..., Answer], time_left: float | None, threads: int, *, priority: Priority = Priority.LOW
    ) -> Answer:
        """Judge a decision of a review. ``work`` gets the flag that ends it as ``cancel``. Raises as ``final`` does.

        Reviews ask again until there is room.

        Also Draining when the server stops meanwhile, because half an answer would be wrong.
        """
        if time_left is not None:
            self._budget(time_left)
        began = time.monotonic()
        async with self.gate.admitted(threads, time_left, client=facts().client, priority=priority, tries_again=True):
            self._metrics.queue_wait.observe(time.monotonic() - began)
            searching = time.monotonic()
            with self._one() as running:
                future = asyncio.get_running_loop().run_in_executor(
                    self._workers, functools.partial(work, cancel=running.cancel)
                )
                try:
                    found = await self._finish(future, running)
                except ValueError:
                    if running.reason != "draining":
                        raise
                    raise Draining from None  # a search that was stopped before its first iteration
                if running.reason == "draining":
                    raise Draining
            self._metrics.duration.labels("iterations").observe(time.monotonic() - searching)
            self._count(found)
            return found

    async def _on_worker(
        self,
        work: Callable[[SearchLimits, CancelFlag, float], A],
        limits: SearchLimits,
        deadline: float | None,
        priority: Priority,
        handle: Handle | None,
        expected: float | None,
    ) -> Searched[A]:
        """Wait for a worker, do the work there within the limits and the deadline, and say why it ended."""
        began = time.monotonic()
        left = None if deadline is None else deadline - began
        async with self.gate.admitted(
            limits.threads,
            left,
            client=facts().client,
            priority=priority,
            expected=expected,
            tries_again=handle is not None,
        ):
            queued = time.monotonic() - began
            self._metrics.queue_wait.observe(queued)
            facts().queued = queued
            budget, cut = self._time(limits, deadline)
            with self._one() as running, (handle or Handle()).on(running):
                future = asyncio.get_running_loop().run_in_executor(
                    self._workers, work, replace(limits, time=budget), running.cancel, queued
                )
                found = await self._finish(future, running)
            reason = found.stop_reason
            if reason == "time" and cut:
                reason = "deadline"
            elif reason == "cancelled" and running.reason == "draining":
                reason = "draining"
            self._metrics.duration.labels(reason).observe(found.elapsed)
            self._count(found)
            return self._answer(found, limits, reason, queued)

    async def stream(
        self,
        position: Position,
        limits: SearchLimits,
        options: SearchOptions,
        time_left: float | None,
        interval: float,
        *,
        history: History = (),
        priority: Priority = Priority.NORMAL,
    ) -> AsyncGenerator[tuple[Searched[Analysis], bool]]:
        """Interim answers about every ``interval`` seconds, then the final one, each with whether it is the final one.

        Whoever is slow to ask for the next answer gets the latest; those in between are dropped.
        """
        latest: list[Searched[Analysis]] = []
        news = asyncio.Event()
        loop = asyncio.get_running_loop()

        def put(answer: Searched[Analysis]) -> None:
            latest[:] = [answer]
            news.set()

        task = asyncio.create_task(
            self.final(
                position,
                limits,
                options,
                time_left,
                history=history,
                on_progress=lambda answer: _tell(loop, put, answer),
                progress_every=interval,
                priority=priority,
            )
        )
        task.add_done_callback(lambda _: news.set())
        try:
            while not task.done():
                await news.wait()
                news.clear()
                if latest and not task.done():
                    yield latest.pop(), False
            yield task.result(), True
        finally:
            if not task.done():
                task.cancel()
                await asyncio.wait([task])

    def drain(self) -> None:
        """Refuse new searches and those that wait; let running ones answer at once with the best they have."""
        self.gate.drain()
        for running in list(self._running):
            running.stop("draining")

    def close(self) -> None:
        """Let go of the threads."""
        self._workers.shutdown(wait=False, cancel_futures=True)

    def _budget(self, time_left: float) -> float:
        budget = time_left - min(self._settings.reply_margin, SHARE_OF_DEADLINE * time_left)
        if budget < SHORTEST:
            self._metrics.rejected.labels("deadline").inc()
            raise OutOfTime
        return budget

    async def _key(
        self, position: Position, limits: SearchLimits, options: SearchOptions, kind: str | tuple[int, ...]
    ) -> Key | None:
        if limits.iterations is None or not self._settings.cache or options.beliefs:
            return None  # beliefs rest on more than the position
        return await self._light.run(self.cache.key, position, limits, options, kind)

    def _kept(self, key: Key | None, limits: SearchLimits, kind: type[A]) -> Searched[A] | None:
        """The answer from an earlier search, if there is one. A server that stops says so instead."""
        found = None if self.gate.draining else self.cache.get(key)
        if not isinstance(found, kind):
            return None
        return replace(self._answer(found, limits, found.stop_reason, 0.0), cached=True)

    def _answer(self, found: A, limits: SearchLimits, reason: str, queued: float) -> Searched[A]:
        facts().iterations = found.iterations
        facts().stop_reason = reason
        # What the client asked for was in force, though a deadline may have come first: that is the stop reason.
        return Searched(replace(found, stop_reason=reason, limits=replace(found.limits, time=limits.time)), queued)

    def _expected(self, limits: SearchLimits, deadline: float | None) -> float | None:
        """Seconds a search takes if its time limit or its deadline ends it; None if its iterations probably will."""
        if limits.iterations is not None:
            return None
        wanted = self._settings.default_time if limits.time is None else limits.time
        return wanted if deadline is None else min(wanted, deadline - time.monotonic())

    def _time(self, limits: SearchLimits, deadline: float | None) -> tuple[float, bool]:
        """The time a search gets, and whether the deadline cut it short."""
        wanted = self._settings.limits.time if limits.time is None else limits.time
        if deadline is None:
            return wanted, False
        left = max(SHORTEST, deadline - time.monotonic())
        return (left, True) if left < wanted else (wanted, False)

    @contextlib.contextmanager
    def _one(self) -> Iterator[Running]:
        running = Running()
        began = time.monotonic()
        self._running.add(running)
        if self.gate.draining:
            running.stop("draining")
        try:
            yield running
        except asyncio.CancelledError:
            self._metrics.duration.labels("cancelled").observe(time.monotonic() - began)
            raise
        except Exception:
            self._metrics.duration.labels("failed").observe(time.monotonic() - began)
            raise
        finally:
            self._running.discard(running)
            if running.reason is not None:
                self._metrics.cancelled.labels(running.reason).inc()
                self._metrics.cancel_latency.labels(running.reason).observe(time.monotonic() - running.since)

    async def _finish(self, work: asyncio.Future[W], running: Running) -> W:
        try:
            return await asyncio.shield(work)
        except asyncio.CancelledError:
            running.stop("client")
            # The worker counts as busy until its thread has really come back, however often the task is cancelled.
            while not work.done():
                with contextlib.suppress(asyncio.CancelledError):
                    await asyncio.wait([work])
            if not work.cancelled() and work.exception() is None:
                self._count(work.result())
            raise

    def _count(self, found: Analysis | Comparison | Answer) -> None:
        self._metrics.iterations.inc(found.iterations)
        if not isinstance(found, Answer):
            self._metrics.nodes.observe(found.nodes)

    def _reporter(
        self, on_progress: Callable[[Searched[Analysis]], None], queued: float, limits: SearchLimits
    ) -> Callable[[Analysis], None]:
        def report(found: Analysis) -> None:
            on_progress(Searched(replace(found, limits=replace(found.limits, time=limits.time)), queued))

        return report


def _tell(
    loop: asyncio.AbstractEventLoop, put: Callable[[Searched[Analysis]], None], answer: Searched[Analysis]
) -> None:
    """Hand an answer to the loop from a worker; a loop that has closed meanwhile needs none."""
    with contextlib.suppress(RuntimeError):
        loop.call_soon_threadsafe(put, answer)
