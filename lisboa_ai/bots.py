"""Players that decide from an observation: random, greedy, and by search.

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

import random
from typing import Protocol

from engine_ext.core import Observation

from .analysis import Analysis, CancelFlag, SearchLimits, SearchOptions, analyse
from .greedy import GREEDY_VERSION, ranked

__all__ = ["GREEDY_VERSION", "Bot", "GreedyBot", "RandomBot", "SearchBot"]


class Bot(Protocol):
    """Anything that decides. ``choose`` gets what the deciding seat knows and returns a legal argument."""

    def choose(self, observation: Observation) -> int: ...


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

    def choose(self, observation: Observation) -> int:
        """The first action of the candidate to play; a decision with one action is not searched."""
        legal = observation.legal()
        if len(legal) == 1:
            return legal[0]
        self.last = analyse(observation, self.limits, self.options, cancel=self.cancel)
        return self.last.choice.actions[0]


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
