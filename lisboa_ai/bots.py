"""Players that decide from an observation: random, greedy, by search, and at a level.

>>> from lisboa_ai import bots, edition
>>> from engine_ext.core import Game
>>> game = Game.deal(edition.load("house").engine, seats=2, seed=1)
>>> players = [bots.GreedyBot(seed=0), bots.RandomBot(seed=0)]
>>> while not game.over:
...     game.apply(players[game.seat].choose(game.observe(game.seat)))
>>> game.winners()
[0]
"""

from __future__ import annotations

from dataclasses import replace
from typing import Protocol

from engine_ext.core import Observation

from .analysis import Analysis, CancelFlag, SearchLimits, SearchOptions, analyse
from .greedy import GREEDY_VERSION, GreedyBot, RandomBot
from .seeds import seed_of

__all__ = ["GREEDY_VERSION", "Bot", "GreedyBot", "LevelBot", "RandomBot", "SearchBot"]


class Bot(Protocol):
    """Anything that decides. ``choose`` gets what the deciding seat knows and returns a legal argument."""

    def choose(self, observation: Observation) -> int: ...


class SearchBot:
    """Plays what a search chooses: its best candidate, or that of a level. ``last``: the analysis behind it."""

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

    def choose(self, observation: Observation) -> int:
        """The first action of the choice; a decision with one action is not searched."""
        legal = observation.legal()
        if len(legal) == 1:
            return legal[0]
        self.last = analyse(observation, self.limits, self.options, cancel=self.cancel)
        return self.last.choice.actions[0]


class LevelBot(SearchBot):
    """Plays at a level, 1 to 10 (``lisboa_ai.levels``): what other programs offer people to play against.

    time: most seconds for a decision, if the level's own iterations take longer; level 10 has no iterations of its own
    and takes ``DEFAULT_TIME`` unless it is given. seed: any integer; every decision gets a seed of its own from it.

    >>> from lisboa_ai import edition
    >>> from engine_ext.core import Game
    >>> game = Game.deal(edition.load("house").engine, seats=2, seed=1)
    >>> LevelBot(3, seed=1).choose(game.observe(0)) in game.legal()
    True
    """

    def __init__(self, level: int, time: float | None = None, seed: int = 0) -> None:
        super().__init__(SearchLimits(time=time), SearchOptions(level=level, candidates=1))
        self._seed = seed
        self._decisions = 0

    def choose(self, observation: Observation) -> int:
        """The first action of what the level plays."""
        self._decisions += 1
        self.limits = replace(self.limits, seed=seed_of(self._seed, self._decisions))
        return super().choose(observation)
