"""Short work off the event loop: reading requests, replaying records, writing answers."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Final, ParamSpec, TypeVar

from .admission import QueueFull

__all__ = ["Light"]

THREADS: Final = 2
MOST: Final = 64
"""Pieces of work that may run or wait; one more is refused, as at the gate of the searches."""
WAIT: Final = 0.2
"""Seconds after which a refused caller may try again."""
P = ParamSpec("P")
R = TypeVar("R")


class Light:
    """A few threads for work of milliseconds. They hold the GIL, but hand it over every few milliseconds, so that
    health checks and cancellations get through between."""

    def __init__(self) -> None:
        self._pool = ThreadPoolExecutor(THREADS, thread_name_prefix="light")
        self._count = 0

    async def run(self, work: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs) -> R:
        """What the work returns or raises. Raises QueueFull at once if too much is waiting."""
        if self._count >= MOST:
            raise QueueFull(self._count, WAIT)
        self._count += 1
        try:
            loop = asyncio.get_running_loop()
            return await loop.run_in_executor(self._pool, lambda: work(*args, **kwargs))
        finally:
            self._count -= 1

    def close(self) -> None:
        """Let go of the threads."""
        self._pool.shutdown(wait=False, cancel_futures=True)
