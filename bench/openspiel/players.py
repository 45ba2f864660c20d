"""OpenSpiel's Python ``ISMCTSBot`` as players of the arena, as it is and with its usual parameters.

``lisboa-ai arena search:iterations=100 bench.openspiel.players:simulations_100`` in an environment that has both
``lisboa_ai`` and ``open_spiel``. Single-observer tree, the bonus of the upper confidence bound, the child with the most
visits in the end. The constant of the bonus is √2 times the range of results, as in the program among OpenSpiel's
examples that makes this bot for any game.
"""

from __future__ import annotations

import math
import random
import time
from types import SimpleNamespace
from typing import Any, Final

from engine_ext.core import Observation

from .game import LisboaGame, LisboaState, NativeRollouts

try:
    import numpy as np
    import pyspiel
    from open_spiel.python.algorithms.ismcts import ISMCTSBot, ISMCTSFinalPolicyType
except ImportError as error:
    raise ImportError(f"open_spiel cannot be imported ({error}); it is a peer: pip install open_spiel") from error

__all__ = ["OpenSpielBot", "milliseconds_100", "simulations_100"]

UNLIMITED: Final = 1 << 60
LEAST: Final = 2
"""Simulations that even no time allows: the first one only opens the root, the second one tries an action."""


class OutOfTime(Exception):
    """Ends a search whose time is over."""


class OpenSpielBot:
    """Decides with a fresh tree each time, after a number of simulations or so many seconds of wall-clock time.

    ``ISMCTSBot`` counts simulations only. It asks its resampler for a world at the start of each, so the resampler ends
    a search whose time is over, and the tree is read out as the bot itself does it.
    """

    def __init__(self, seed: int, *, simulations: int = UNLIMITED, seconds: float | None = None) -> None:
        self._sampler = random.Random(seed).random
        self._seconds = seconds
        self._deadline = math.inf
        self._begun = 0
        information = pyspiel.GameType.Information.IMPERFECT_INFORMATION
        self._game = LisboaGame(SimpleNamespace(dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL, information=information))
        self._choices = np.random.RandomState(seed & 0xFFFFFFFF)
        self._bot = ISMCTSBot(
            game=self._game,
            evaluator=NativeRollouts(self._sampler),
            uct_c=math.sqrt(2.0) * (self._game.max_utility() - self._game.min_utility()),
            max_simulations=simulations,
            random_state=self._choices,
            final_policy_type=ISMCTSFinalPolicyType.MAX_VISIT_COUNT,
        )
        self._bot.set_resampler(self._resample)

    def choose(self, observation: Observation) -> int:
        """A legal argument of the pending decision."""
        legal = observation.legal()
        if len(legal) == 1:
            return legal[0]
        if self._seconds is not None:
            self._deadline = time.perf_counter() + self._seconds
        self._begun = 0
        state = self._game.state_for(observation, self._sampler)
        try:
            policy = self._bot.run_search(state)
        except OutOfTime:
            policy = self._bot.get_final_policy(state, self._bot._root_node)
        actions, chances = zip(*policy, strict=True)
        return int(self._choices.choice(actions, p=chances))

    def _resample(self, state: LisboaState, player: int) -> LisboaState:
        if self._begun >= LEAST and time.perf_counter() >= self._deadline:
            raise OutOfTime
        self._begun += 1
        return state.resample_from_infostate(player, self._sampler)


def simulations_100(seed: int) -> Any:
    """100 simulations a decision."""
    return OpenSpielBot(seed, simulations=100)


def milliseconds_100(seed: int) -> Any:
    """100 ms a decision."""
    return OpenSpielBot(seed, seconds=0.1)
