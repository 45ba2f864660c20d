"""Players that decide from an observation: random, greedy, by search, and at a level.

>>> from lisboa_ai import bots, edition
>>> from engine_ext.core import Game
>>> game = Game.deal(edition.load("house").engine, seats=2, seed=1)
>>> players = [bots.GreedyBot(seed=0), bots.RandomBot(seed=0)]
>>> while not game.over:
...     game.apply(players[game.seat].choose(game.observe(game.seat)))
>>> game.winners()
[0]

A bot of another program is a level, with a time for each decision if it may not take longer:

>>> game = Game.deal(edition.load("house").engine, seats=3, seed=1)
>>> bot = bots.LevelBot(4, time=0.05, seed=7)
>>> bot.choose(game.observe(game.seat)) in game.legal()
True
"""

from __future__ import annotations

import random
from typing import Protocol, runtime_checkable

from engine_ext.core import Observation

from .analysis import Analysis, CancelFlag, SearchLimits, SearchOptions, analyse
from .greedy import GREEDY_VERSION, ranked
from .seeds import seed_of

__all__ = ["GREEDY_VERSION", "Bot", "GreedyBot", "LevelBot", "RandomBot", "SearchBot", "WatchingBot"]


class Bot(Protocol):
    """Anything that decides. ``choose`` gets what the deciding seat knows and returns a legal argument."""

    def choose(self, observation: Observation) -> int: ...


@runtime_checkable
class WatchingBot(Bot, Protocol):
    """A bot that is shown what the others choose: its view before a choice, and the argument chosen."""

    def watch(self, observation: Observation, argument: int) -> None: ...


class RandomBot:
    """Every legal action equally. The same seed and the same observations give the same choices."""

    def __init__(self, seed: int = 0) -> None:
        self._random = random.Random(seed)

    def choose(self, observation: Observation) -> int:
        """A legal argument of the pending decision."""
        return self._random.choice(observation.legal())


class SearchBot:
    """Plays what a search says is to be played. ``last`` is the analysis behind the last choice."""

    def __init__(
        self,
        limits: SearchLimits | None = None,
        options: SearchOptions | None = None,
        cancel: CancelFlag | None = None,
    ) -> None:
        self.limits = limits or SearchLimits()
        self.options = options or SearchOptions()
        self.cancel = cancel
        self.last: Analysis | None = None
        self.history: list[tuple[Observation, int]] = []
        """What was seen of rivals' choices in this game; only the option ``beliefs`` makes use of it."""

    def choose(self, observation: Observation) -> int:
        """The first action of the candidate to play; a decision with one action is not searched."""
        legal = observation.legal()
        if len(legal) == 1:
            return legal[0]
        self.last = analyse(observation, self.limits, self.options, history=self.history, cancel=self.cancel)
        return self.last.choice.actions[0]


class LevelBot:
    """Plays at a level from 1 to 10 (``lisboa_ai.levels``). The same seed and the same observations give the same
    choices, unless a time is what ends a search.

    time: most seconds for a decision; None: as long as the level's iterations take, and 1 second at level 10. ``last``
    is the analysis behind the last choice. Raises ``ValueError`` naming level or time and what is allowed.
    """

    def __init__(self, level: int, time: float | None = None, seed: int = 0) -> None:
        self._search = SearchBot(SearchLimits(time=time), SearchOptions(level=level, candidates=1))
        self._time = time
        self._seed = seed
        self._decisions = 0

    @property
    def last(self) -> Analysis | None:
        return self._search.last

    def choose(self, observation: Observation) -> int:
        """A legal argument of the pending decision."""
        self._decisions += 1
        self._search.limits = SearchLimits(time=self._time, seed=seed_of(self._seed, self._decisions))
        return self._search.choose(observation)


class GreedyBot:
    """Looks one decision ahead: the best change of own wigs minus the mean rival's, ties by rules of thumb.

    Each action is tried in one sampled world that agrees with the observation. The rules of thumb (``docs/rules.md``,
    hints) are a fixed list; the seed only draws the world and settles what even they leave equal. Fixed as version
    ``GREEDY_VERSION``.
    """

    def __init__(self, seed: int = 0) -> None:
        self._random = random.Random(seed)

    def choose(self, observation: Observation) -> int:
        """A legal argument of the pending decision."""
        legal = observation.legal()
        if len(legal) == 1:
            return legal[0]
        return ranked(observation, legal, self._random)[0]
