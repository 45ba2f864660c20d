"""Finished analyses and comparisons, kept to answer the same question again.

Only what is reproducible is kept: a search that was limited by its iterations and ended because of them (or because it
was decided before, or there was nothing to search). With the same knowledge, seed, iterations, threads, memory and
options it would come to the same answer again, elapsed time aside; a search that time, memory, a deadline or a
cancellation ended would not.
"""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from dataclasses import replace
from typing import Final

from lisboa_ai.analysis import Analysis, SearchLimits, SearchOptions
from lisboa_ai.compare import Comparison
from lisboa_ai.position import Position

from .metrics import Metrics

__all__ = ["ADVICE", "EVALUATION", "Cache", "Key"]

Kind = str | tuple[int, ...]
"""What is asked: advice, an evaluation, or how these actions compare."""
Key = tuple[bytes, SearchLimits, SearchOptions, Kind]
ADVICE: Final = "advice"
EVALUATION: Final = "evaluation"
REPRODUCIBLE: Final = ("iterations", "decided", "single_action", "game_over", "no_search")
"""Ends of a search that come about in the same way every time."""


class Cache:
    """At most ``most`` answers; the one that was not asked for longest goes first. 0: it keeps none."""

    def __init__(self, most: int, metrics: Metrics) -> None:
        self._most = most
        self._metrics = metrics
        self._kept: OrderedDict[Key, Analysis | Comparison] = OrderedDict()

    def __len__(self) -> int:
        return len(self._kept)

    def key(self, position: Position, limits: SearchLimits, options: SearchOptions, kind: Kind) -> Key | None:
        """What the question is known by; None if its answer is not reproducible, or nothing is kept.

        Takes a millisecond or so, and no lock: made for a thread beside the event loop.
        """
        if not self._most or limits.iterations is None:
            return None
        # The time limit matters only to a search that it ends, and such a one is not kept.
        written = position.to_proto().SerializeToString(deterministic=True)
        return hashlib.sha256(written).digest(), replace(limits, time=None), options, kind

    def get(self, key: Key | None) -> Analysis | Comparison | None:
        """The answer, if it is known."""
        if key is None:
            return None
        found = self._kept.get(key)
        self._metrics.cache_events.labels("miss" if found is None else "hit").inc()
        if found is not None:
            self._kept.move_to_end(key)
        return found

    def put(self, key: Key | None, found: Analysis | Comparison) -> None:
        """Keep an answer, if it is reproducible."""
        if key is None or found.stop_reason not in REPRODUCIBLE:
            return
        self._kept[key] = found
        self._kept.move_to_end(key)
        while len(self._kept) > self._most:
            self._kept.popitem(last=False)
            self._metrics.cache_events.labels("eviction").inc()
        self._metrics.cache_entries.set(len(self._kept))
