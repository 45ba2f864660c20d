"""The gate before the search workers: so many search, so many wait, one more is refused at once."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import NoReturn

from .metrics import Metrics

__all__ = ["Draining", "Gate", "OutOfTime", "QueueFull"]


class QueueFull(Exception):
    """As many searches wait as may wait. ``wait``: seconds after which another try makes sense."""

    def __init__(self, waiting: int, wait: float) -> None:
        super().__init__(f"{waiting} searches are waiting, which is the limit")
        self.waiting = waiting
        self.wait = wait


class Draining(Exception):
    """The server is stopping and takes no new searches."""


class OutOfTime(Exception):
    """The deadline leaves no time for a search."""


@dataclass(eq=False, slots=True)
class _Waiter:
    threads: int
    granted: asyncio.Future[None]


class Gate:
    """Shares out the workers among searches, first come, first served. Belongs to one event loop.

    A search that asks for several threads takes as many workers, and is not overtaken while it waits for them.
    """

    def __init__(self, workers: int, queue: int, metrics: Metrics) -> None:
        self.workers = workers
        self.queue = queue
        self.draining = False
        self._free = workers
        self._waiting: deque[_Waiter] = deque()
        self._metrics = metrics
        self._typical = 1.0  # seconds a search takes, averaged; only for the advice when to try again
        self._show()

    @property
    def busy(self) -> int:
        """Workers that search."""
        return self.workers - self._free

    @property
    def waiting(self) -> int:
        """Searches that wait."""
        return len(self._waiting)

    @asynccontextmanager
    async def admitted(self, threads: int, time_left: float | None) -> AsyncIterator[None]:
        """Hold so many workers inside the block; wait for them for at most ``time_left`` seconds (None: no end).

        Raises QueueFull or Draining at once, Draining also while it waits, and OutOfTime.
        """
        await self._enter(threads, time_left)
        loop = asyncio.get_running_loop()
        began = loop.time()
        try:
            yield
        finally:
            self._typical += 0.2 * (loop.time() - began - self._typical)
            self._free += threads
            self._grant()

    def look(self) -> None:
        """Raise QueueFull or Draining if any search would be refused now: before anything is spent on its request."""
        if self.draining:
            self._metrics.rejected.labels("draining").inc()
            raise Draining
        if len(self._waiting) >= self.queue and (self._waiting or not self._free):
            self._refuse()

    def _refuse(self) -> NoReturn:
        self._metrics.rejected.labels("queue_full").inc()
        raise QueueFull(len(self._waiting), max(0.05, self._typical * (len(self._waiting) + 1) / self.workers))

    async def _enter(self, threads: int, time_left: float | None) -> None:
        if not self.draining and not self._waiting and threads <= self._free:
            self._free -= threads
            self._show()
            return
        self.look()
        if not self.queue:
            self._refuse()
        waiter = _Waiter(threads, asyncio.get_running_loop().create_future())
        self._waiting.append(waiter)
        self._show()
        try:
            async with asyncio.timeout(time_left):
                await waiter.granted
        except BaseException as error:
            if waiter in self._waiting:
                self._waiting.remove(waiter)
            elif waiter.granted.done() and not waiter.granted.cancelled() and waiter.granted.exception() is None:
                self._free += threads  # granted in the very moment the caller left
            self._grant()
            if isinstance(error, TimeoutError):
                self._metrics.rejected.labels("deadline").inc()
                raise OutOfTime from None
            raise

    def drain(self) -> None:
        """Refuse new searches from now on, and those that wait."""
        self.draining = True
        while self._waiting:
            waiter = self._waiting.popleft()
            if not waiter.granted.done():
                self._metrics.rejected.labels("draining").inc()
                waiter.granted.set_exception(Draining())
        self._show()

    def _grant(self) -> None:
        while self._waiting and self._waiting[0].threads <= self._free:
            waiter = self._waiting.popleft()
            if not waiter.granted.done():  # done without a grant: its caller left, and is about to notice
                self._free -= waiter.threads
                waiter.granted.set_result(None)
        self._show()

    def _show(self) -> None:
        self._metrics.queue_depth.set(len(self._waiting))
        self._metrics.workers.labels("busy").set(self.busy)
        self._metrics.workers.labels("idle").set(self._free)
