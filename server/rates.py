"""How many searches a second each client may ask for: a bucket of tokens for each."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable
from typing import Final

from .admission import RateLimited

__all__ = ["Rates"]

MOST_CLIENTS: Final = 10_000
"""Clients that are remembered. The one that has not asked for longest is forgotten, and has a full bucket again."""


class Rates:
    """``burst`` searches at once, and ``rate`` more every second; None: any number."""

    def __init__(self, rate: float | None, burst: int, now: Callable[[], float] = time.monotonic) -> None:
        self._rate = rate
        self._burst = burst
        self._now = now
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()  # what was left, and when

    def spend(self, client: str) -> None:
        """Count one search. Raises RateLimited, which says when the next one is allowed."""
        if self._rate is None:
            return
        now = self._now()
        left, since = self._buckets.pop(client, (float(self._burst), now))
        left = min(self._burst, left + (now - since) * self._rate)
        allowed = left >= 1.0
        self._buckets[client] = (left - 1.0 if allowed else left, now)
        if len(self._buckets) > MOST_CLIENTS:
            self._buckets.popitem(last=False)
        if not allowed:
            raise RateLimited(self._rate, (1.0 - left) / self._rate)
