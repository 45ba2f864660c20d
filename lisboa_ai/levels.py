"""Levels of play from 1 to 10: how long each searches, and how freely it picks among what the search found good enough.

>>> from lisboa_ai import levels
>>> levels.pick([0.62, 0.60, 0.40], levels.Level(iterations=20, temperature=0.05, cap=0.1), seed=2)
1
>>> levels.pick([0.62, 0.60, 0.40], levels.LEVELS[10], seed=2)
0

A pick is drawn with weights exp(-loss / temperature), where the loss is what a candidate is worth less than the best
one, in the search's objective from 0 to 1. A candidate that loses more than the cap is never played.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

__all__ = ["HIGHEST", "LEVELS", "LOWEST", "Level", "losses", "pick"]


@dataclass(frozen=True, slots=True)
class Level:
    """iterations: most for a decision, None for as many as the limits allow. temperature: 0 always plays the best."""

    iterations: int | None
    temperature: float
    cap: float


LEVELS: Final[dict[int, Level]] = {
    1: Level(iterations=30, temperature=0.200, cap=0.20),
    2: Level(iterations=30, temperature=0.120, cap=0.19),
    3: Level(iterations=30, temperature=0.075, cap=0.15),
    4: Level(iterations=30, temperature=0.052, cap=0.12),
    5: Level(iterations=40, temperature=0.037, cap=0.10),
    6: Level(iterations=40, temperature=0.025, cap=0.08),
    7: Level(iterations=50, temperature=0.015, cap=0.06),
    8: Level(iterations=60, temperature=0.008, cap=0.04),
    9: Level(iterations=150, temperature=0.003, cap=0.02),
    10: Level(iterations=None, temperature=0.0, cap=0.0),
}
"""Each measured against its neighbours (``docs/strength.md``)."""
LOWEST: Final = min(LEVELS)
HIGHEST: Final = max(LEVELS)


def losses(values: Sequence[float]) -> list[float]:
    """What each candidate is worth less than the first one, which is the best; never below 0.

    The best one is what the search looked at most. A higher value of another is one of few visits: chance, mostly.
    """
    return [max(0.0, values[0] - value) for value in values]


def pick(values: Sequence[float], level: Level, seed: int) -> int:
    """The index of the candidate to play, of candidates with these values, best first. The same seed picks the same."""
    if level.temperature == 0.0:
        return 0
    weights = [math.exp(-loss / level.temperature) if loss <= level.cap else 0.0 for loss in losses(values)]
    return random.Random(seed).choices(range(len(values)), weights)[0]
