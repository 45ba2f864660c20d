"""Levels of play, 1 to 10: how long each searches, and how freely it chooses among what it found.

A level below the highest searches for a number of iterations and draws its choice from the candidates by how good the
search believes them to be. It never draws one that loses more than its cap, so even level 1 makes no move that it
thinks absurd. Level 10 is the search itself: its limits are the caller's, and it plays the best candidate.
``docs/strength.md`` has how they fare against each other.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

__all__ = ["HIGHEST", "LEVELS", "Level", "pick"]


@dataclass(frozen=True, slots=True)
class Level:
    """iterations: of each decision; None: as many as the limits allow. temperature, cap: in the objective's units."""

    iterations: int | None
    temperature: float
    cap: float


LEVELS: Final[dict[int, Level]] = {
    1: Level(20, 1.0, 0.30),
    2: Level(20, 0.10, 0.30),
    3: Level(20, 0.05, 0.20),
    4: Level(20, 0.03, 0.15),
    5: Level(20, 0.02, 0.10),
    6: Level(40, 0.01, 0.06),
    7: Level(100, 0.006, 0.04),
    8: Level(400, 0.003, 0.02),
    9: Level(2000, 0.0, 0.0),
    10: Level(None, 0.0, 0.0),
}
HIGHEST: Final = max(LEVELS)


def pick(values: Sequence[float], level: Level, seed: int) -> int:
    """The index of what a level plays, of candidates worth so much to the deciding seat; the first one is the best.

    Drawn with weights exp(-loss / temperature) from those that lose at most the cap against the first; one that seems
    worth more than the first, on fewer visits, counts as its equal. Temperature 0 is the first.
    """
    if level.temperature == 0.0:
        return 0
    losses = [max(0.0, values[0] - value) for value in values]
    weights = [math.exp(-loss / level.temperature) if loss <= level.cap else 0.0 for loss in losses]
    return random.Random(seed).choices(range(len(values)), weights)[0]
