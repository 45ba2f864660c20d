"""When calls start: at fixed intervals, or at random as if many people called who know nothing of each other."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Final

__all__ = ["KINDS", "arrivals"]

KINDS: Final = ("fixed", "poisson")


def arrivals(kind: str, rate: float, seed: int, count: int | None, seconds: float | None) -> Iterator[float]:
    """Seconds from the beginning at which calls start: ``count`` of them, or those before ``seconds``, or both bounds.

    Raises ValueError for what has no end, and for an unknown kind.
    """
    if kind not in KINDS:
        raise ValueError(f"arrivals: {kind!r}; allowed: {', '.join(KINDS)}")
    if not 0 < rate < float("inf"):
        raise ValueError(f"rate: {rate:g}; allowed: more than 0 calls a second")
    if count is None and seconds is None:
        raise ValueError("count: none and seconds: none; allowed: one of them, or both")
    return _times(kind, rate, random.Random(seed), count, seconds)


def _times(kind: str, rate: float, rng: random.Random, count: int | None, seconds: float | None) -> Iterator[float]:
    number, at = 0, 0.0
    while (count is None or number < count) and (seconds is None or at < seconds):
        yield at
        number += 1
        at = number / rate if kind == "fixed" else at + rng.expovariate(rate)
