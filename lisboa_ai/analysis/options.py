"""What a search may take and what it goes for: limits and options, checked when they are made."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final, Literal

from engine_ext.search.searcher import ALGORITHMS, MIN_MEMORY, PLAYOUTS

from ..levels import HIGHEST, LEVELS

__all__ = ["CHOOSERS", "DEFAULT_MEMORY", "DEFAULT_TIME", "MAX_THREADS", "UNLIMITED", "SearchLimits", "SearchOptions"]

DEFAULT_TIME: Final = 1.0
"""Seconds a search takes when its limits name neither time nor iterations."""
DEFAULT_MEMORY: Final = 256 << 20
"""Bytes for the trees of a search when its limits do not say."""
MAX_THREADS: Final = 64
CHOOSERS: Final = ("greedy", "random")
"""Algorithms that choose without a search, which then only says what their choice is worth."""
UNLIMITED: Final = 1 << 62


@dataclass(frozen=True, slots=True)
class SearchLimits:
    """When a search stops: whichever limit is met first. Raises ``ValueError`` naming field, value and what is allowed.

    time: seconds. iterations: passes in all, over all threads. With neither, ``DEFAULT_TIME`` holds.
    memory: bytes for the trees of all threads together; None is ``DEFAULT_MEMORY``.
    threads: independent trees searched at the same time and added up. seed: any integer. decided: stop as soon as the
    best candidate is that with this confidence, such as 0.95; 0: never. It is asked at fixed numbers of iterations, and
    the confidence holds for all candidates and all these looks together.
    """

    time: float | None = None
    iterations: int | None = None
    memory: int | None = None
    threads: int = 1
    seed: int = 0
    decided: float = 0.0

    def __post_init__(self) -> None:
        if self.time is not None and not 0.0 <= self.time <= 86400.0:
            raise ValueError(f"time: {self.time} seconds; allowed: 0 to 86400")
        if self.iterations is not None and not 1 <= self.iterations <= UNLIMITED:
            raise ValueError(f"iterations: {self.iterations}; allowed: 1 or more")
        if not 1 <= self.threads <= MAX_THREADS:
            raise ValueError(f"threads: {self.threads}; allowed: 1 to {MAX_THREADS}")
        if self.memory is not None and self.memory < MIN_MEMORY * self.threads:
            raise ValueError(f"memory: {self.memory} bytes; allowed: {MIN_MEMORY} or more for each thread")

        if self.decided != 0.0 and not 0.5 <= self.decided <= 0.9999:
            raise ValueError(f"decided: {self.decided}; allowed: 0 (never), or 0.5 to 0.9999")

    def effective(self) -> SearchLimits:
        """These limits with the defaults filled in."""
        unlimited = self.time is None and self.iterations is None
        memory = max(DEFAULT_MEMORY, MIN_MEMORY * self.threads) if self.memory is None else self.memory
        return replace(self, time=DEFAULT_TIME if unlimited else self.time, memory=memory)


@dataclass(frozen=True, slots=True)
class SearchOptions:
    """What a search goes for and what it answers. Raises ``ValueError`` naming field, value and what is allowed.

    objective: 0 win share to 1 margin in wigs over the best rival, or a blend. candidates: how many are reported.
    granularity: candidates are first decisions, or whole turns (all decisions of the seat up to the turn's end).
    only, exclude: arguments of the first decision to consider, or to leave out. assumptions: (seat, card ids) pairs:
    a rival is taken to hold these cards. exploration: constant of the bonus for what was seldom tried. priors: that
    bonus goes by the cheap policy's weights; without them everything is tried once, and the bonus is that of the upper
    confidence bound. playout: "sharp" (rules of thumb), "sensible" (the same, more loosely) or "uniform". cut: how many
    turns after the current one a playout ends, and the value function says what the game is worth
    (``lisboa_ai.values``), later by whole rounds where the tree reaches further; -1: playouts go on to the end.
    weights: a file of weights instead of the bundled ones.
    algorithm: "single" (one tree of what the observer sees), "multiple" (a tree for each seat), "redeterminizing"
    (the same, a rival's searched in worlds that agree with what the rival knows); "pimc" and "flat" are baselines: a
    tree for each of 16 open worlds, and no tree at all. "greedy" and "random" choose without a search; one candidate
    is reported, theirs. level: 1 to 10 instead of an algorithm (``lisboa_ai.levels``): so many iterations at most, and
    a choice among the candidates; None plays the best one.
    """

    objective: float = 0.8
    candidates: int = 5
    granularity: Literal["decision", "turn"] = "decision"
    only: tuple[int, ...] = ()
    exclude: tuple[int, ...] = ()
    assumptions: tuple[tuple[int, tuple[int, ...]], ...] = ()
    exploration: float = 0.2
    playout: str = "sharp"
    cut: int = 0
    priors: bool = True
    algorithm: Literal["single", "multiple", "redeterminizing", "pimc", "flat", "greedy", "random"] = "single"
    weights: str = ""
    level: int | None = None

    def __post_init__(self) -> None:
        if not 0.0 <= self.objective <= 1.0:
            raise ValueError(f"objective: {self.objective}; allowed: 0 (win share) to 1 (margin in wigs)")
        if not 1 <= self.candidates <= 1000:
            raise ValueError(f"candidates: {self.candidates}; allowed: 1 to 1000")
        if self.granularity not in ("decision", "turn"):
            raise ValueError(f"granularity: {self.granularity!r}; allowed: decision, turn")
        if self.algorithm not in ALGORITHMS and self.algorithm not in CHOOSERS:
            raise ValueError(f"algorithm: {self.algorithm!r}; allowed: {', '.join((*ALGORITHMS, *CHOOSERS))}")
        if self.level is not None and self.level not in LEVELS:
            raise ValueError(f"level: {self.level}; allowed: 1 to {HIGHEST}")
        if self.level is not None and self.algorithm != "single":
            raise ValueError(f"level: {self.level} with algorithm {self.algorithm}; allowed: one of the two")
        if not 0.0 <= self.exploration <= 100.0:
            raise ValueError(f"exploration: {self.exploration}; allowed: 0 to 100")
        if self.playout not in PLAYOUTS:
            raise ValueError(f"playout: {self.playout!r}; allowed: {', '.join(PLAYOUTS)}")
        if not -1 <= self.cut <= 1000:
            raise ValueError(f"cut: {self.cut}; allowed: -1 (to the end) to 1000 turns")
