"""``ReviewGame``: the review of ``lisboa_ai.review``, whose searches pass the gate one decision at a time.

Each review has a thread of its own, which waits most of the time; what takes time runs on the search workers. Of one
review only as many decisions are at the gate as there are workers, so that it does not fill the queue.
"""

from __future__ import annotations

import asyncio
import functools
from collections.abc import AsyncGenerator, Callable
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from typing import Any, Final

from lisboa_ai.analysis import SearchLimits, SearchOptions
from lisboa_ai.record import GameRecord
from lisboa_ai.review import Decision, SeatSummary, review

from .admission import Priority, QueueFull, RateLimited
from .searching import Searches
from .states import blaming

__all__ = ["AT_ONCE", "Reviews"]

AT_ONCE: Final = 8
"""Reviews that one server makes at the same time; one more is refused."""
TRY_AGAIN: Final = 1.0
"""Seconds after which a decision that found the gate full tries again, at most; and a refused review, at least."""


class _ThroughTheGate(Executor):
    """Runs questions of one review on the search workers, a few at a time, in their order."""

    def __init__(
        self, searches: Searches, at_once: int, threads: int, left: Callable[[], float | None], priority: Priority
    ) -> None:
        self._searches = searches
        self._threads = threads
        self._left = left
        self._priority = priority
        self._turns = asyncio.Semaphore(at_once)
        self._loop = asyncio.get_running_loop()
        self._tasks: set[asyncio.Task[Any]] = set()
        self._stopped = False

    def submit(self, work: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Called from the review's thread. The work is told by ``cancel`` when nobody waits for it any more."""
        return asyncio.run_coroutine_threadsafe(self._run(functools.partial(work, *args, **kwargs)), self._loop)

    async def _run(self, work: Callable[..., Any]) -> Any:
        task = asyncio.current_task()
        assert task is not None
        if self._stopped:
            raise asyncio.CancelledError
        self._tasks.add(task)
        try:
            async with self._turns:
                while True:
                    try:
                        return await self._searches.judged(work, self._left(), self._threads, priority=self._priority)
                    except (QueueFull, RateLimited) as busy:
                        await asyncio.sleep(min(busy.wait, TRY_AGAIN))
        finally:
            self._tasks.discard(task)

    async def stop(self) -> None:
        """End everything that runs or waits; come back when it has ended."""
        self._stopped = True
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)


class Reviews:
    """All reviews of one server. Belongs to one event loop."""

    def __init__(self, searches: Searches, at_once: int) -> None:
        self._searches = searches
        self._at_once = at_once
        self._threads = ThreadPoolExecutor(AT_ONCE, thread_name_prefix="review")
        self._count = 0

    async def parts(
        self,
        record: GameRecord,
        limits: SearchLimits,
        options: SearchOptions,
        left: Callable[[], float | None],
        priority: Priority,
    ) -> AsyncGenerator[int | Decision | SeatSummary]:
        """The number of decisions, then what the review says. Raises as a search does, and Invalid for the record."""
        if self._count >= AT_ONCE:
            raise QueueFull(self._count, TRY_AGAIN, "reviews are made")
        self._count += 1
        loop = asyncio.get_running_loop()
        gate = _ThroughTheGate(self._searches, self._at_once, limits.threads, left, priority)
        try:
            count, found = await loop.run_in_executor(self._threads, _begun, record, limits, options, gate)
            yield count
            while True:
                coming = loop.run_in_executor(self._threads, next, found, None)
                coming.add_done_callback(_noticed)
                part = await asyncio.shield(coming)
                if part is None:
                    return
                yield part
        finally:
            self._count -= 1
            await gate.stop()

    def close(self) -> None:
        """Let go of the threads."""
        self._threads.shutdown(wait=False, cancel_futures=True)


def _noticed(coming: asyncio.Future[Any]) -> None:
    """Whatever it ended with, nobody may be there any more to be told."""
    if not coming.cancelled():
        coming.exception()


def _begun(record: GameRecord, limits: SearchLimits, options: SearchOptions, executor: Executor) -> tuple[int, Any]:
    with blaming("record"):
        moments = record.moments()
        return len(moments), review(record, limits, options, executor=executor, moments=moments)
