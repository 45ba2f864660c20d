"""What a search may take and what it goes for: limits and options, checked when they are made."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final, Literal

from engine_ext.search.searcher import ALGORITHMS as SEARCHES
from engine_ext.search.searcher import MIN_MEMORY, PLAYOUTS

from ..levels import HIGHEST, LOWEST

__all__ = [
    "ALGORITHMS",
    "DEFAULT_MEMORY",
    "DEFAULT_TIME",
    "MAX_THREADS",
    "SEARCHLESS",
    "UNLIMITED",
    "SearchLimits",
    "SearchOptions",
]

DEFAULT_TIME: Final = 1.0
"""Seconds a search takes when its limits name neither time nor iterations."""
DEFAULT_MEMORY: Final = 256 << 20
"""Bytes for the trees of a search when its limits do not say."""
MAX_THREADS: Final = 64
UNLIMITED: Final = 1 << 62
SEARCHLESS: Final = ("greedy", "random")
"""Algorithms that choose without a search, and so estimate nothing."""
ALGORITHMS: Final[tuple[str, ...]] = (*SEARCHES, *SEARCHLESS)
DEFAULT_ALGORITHM: Final = "single"


@dataclass(frozen=True, slots=True)
class SearchLimits:
    """When a search stops: whichever limit is met first. Raises ``ValueError`` naming field, value and what is allowed.

    time: seconds. iterations: passes in all, over all threads. With neither, ``DEFAULT_TIME`` holds.
    memory: bytes for the trees of all threads together; None is ``DEFAULT_MEMORY``.
    threads: independent trees searched at the same time and added up. seed: any integer. decided: stop as soon as the
    best candidate is that with this confidence, such as 0.95; 0: never. It is asked at fixed numbers of iterations, and
    the confidence holds for all candidates and all these looks together: that a longer search would say the same.
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
    weights: a file of weights instead of the bundled ones. beliefs: worlds are weighed by what a history of rivals'
    choices says about their hands, where one is given (``lisboa_ai.beliefs``).
    algorithm: "single" (one tree of what the observer sees), "multiple" (a tree for each seat), "redeterminizing"
    (the same, a rival's searched in worlds that agree with what the rival knows); "pimc" and "flat" are baselines: a
    tree for each of 16 open worlds, and no tree at all. "greedy" and "random" search nothing: they choose as the bots
    of these names do. level: 1 to 10, weaker play than the search's best (``lisboa_ai.levels``); it says how long to
    search at most and what to play of what was found, so it goes with the default algorithm only.
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
    beliefs: bool = False
    level: int | None = None

    def __post_init__(self) -> None:
        if not 0.0 <= self.objective <= 1.0:
            raise ValueError(f"objective: {self.objective}; allowed: 0 (win share) to 1 (margin in wigs)")
        if not 1 <= self.candidates <= 1000:
            raise ValueError(f"candidates: {self.candidates}; allowed: 1 to 1000")
        if self.granularity not in ("decision", "turn"):
            raise ValueError(f"granularity: {self.granularity!r}; allowed: decision, turn")
        if self.algorithm not in ALGORITHMS:
            raise ValueError(f"algorithm: {self.algorithm!r}; allowed: {', '.join(ALGORITHMS)}")
        if self.algorithm in SEARCHLESS and self.granularity == "turn":
            raise ValueError(f"granularity: 'turn'; allowed: decision, as {self.algorithm} decides without a search")
        if self.level is not None:
            if type(self.level) is not int or not LOWEST <= self.level <= HIGHEST:
                raise ValueError(f"level: {self.level!r}; allowed: {LOWEST} to {HIGHEST}")
            if self.algorithm != DEFAULT_ALGORITHM:
                raise ValueError(f"level: {self.level} with algorithm {self.algorithm!r}; allowed: one of the two")
        if self.beliefs and self.algorithm in SEARCHLESS:
            raise ValueError(f"beliefs: True with {self.algorithm!r}; allowed: False, as nothing is searched")
        if self.beliefs and self.algorithm == "pimc":
            raise ValueError("beliefs: True with 'pimc'; allowed: False, its few worlds are drawn once")
        if not 0.0 <= self.exploration <= 100.0:
            raise ValueError(f"exploration: {self.exploration}; allowed: 0 to 100")
        if self.playout not in PLAYOUTS:
            raise ValueError(f"playout: {self.playout!r}; allowed: {', '.join(PLAYOUTS)}")
        if not -1 <= self.cut <= 1000:
            raise ValueError(f"cut: {self.cut}; allowed: -1 (to the end) to 1000 turns")

    def plain_search(self, where: str) -> None:
        """Raises ``ValueError`` unless these are options of a search that plays its best."""
        if self.algorithm in SEARCHLESS:
            raise ValueError(f"algorithm: {self.algorithm!r}; allowed: {', '.join(SEARCHES)}, in {where}")
        if self.level is not None:
            raise ValueError(f"level: {self.level}; allowed: none, in {where}")
