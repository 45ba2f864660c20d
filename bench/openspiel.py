"""OpenSpiel's own information-set search as players of the arena, to measure ours against.

    lisboa-ai arena search:iterations=100 bench.openspiel:by_simulations --games 200
    lisboa-ai arena search:ms=100 bench.openspiel:by_time --games 200

run in this folder by an interpreter that can import ``open_spiel`` (``pip install open_spiel``); the project itself
does not need it. The class is OpenSpiel's ``ISMCTSBot`` as it is, with its usual choice of the most visited action.
What it asks of a game is answered here: information sets are keyed by the bytes of what the player to move may know,
and root states are resampled by ``Observation.sample_world``, so that it knows no more than our search does. Its random
roll-outs are carried out by the engine, which only makes it faster: a roll-out in Python takes a hundred times as long.
"""

from __future__ import annotations

import random
import time
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

from engine_ext.core import Game, Observation

if TYPE_CHECKING:
    from lisboa_ai.bots import Bot

__all__ = ["OpenSpielBot", "State", "Variety", "by_simulations", "by_time"]

EXPLORATION: Final = 1.0
"""Constant of its upper confidence bound, results being -1 to 1; 0.25, 0.5 and 2 are no stronger (docs/strength.md)."""
SIMULATIONS: Final = 100
SECONDS: Final = 0.1
UNLIMITED: Final = 1_000_000_000


class TimeUp(Exception):
    """Raised where the next world is asked for, to end a search after its time."""


@dataclass(frozen=True)
class Variety:
    """What ``ISMCTSBot`` asks of a game: that it is sequential and of imperfect information."""

    dynamics: Any
    information: Any

    def get_type(self) -> Variety:
        return self


class State:
    """A position with OpenSpiel's interface: a sampled world, or at the root only what the deciding seat knows."""

    def __init__(self, variety: Variety, seen: Game | Observation) -> None:
        self._variety = variety
        self._seen = seen

    def get_game(self) -> Variety:
        return self._variety

    def current_player(self) -> int:
        return self._seen.seat

    def is_terminal(self) -> bool:
        return self._seen.over

    def is_chance_node(self) -> bool:
        """Never: what chance decides lies in a world's decks."""
        return False

    def legal_actions(self) -> list[int]:
        return list(self._legal)

    @cached_property
    def _legal(self) -> list[int]:
        return self._seen.legal()

    def information_state_string(self) -> bytes:
        """What the player to move knows; bytes do as a key."""
        return self._key

    @cached_property
    def _key(self) -> bytes:
        seen = self._seen
        return bytes(seen.observe(seen.seat) if isinstance(seen, Game) else seen)

    def apply_action(self, action: int) -> None:
        """Carry out an action in a world."""
        assert isinstance(self._seen, Game), "the root is never played on, only its worlds are"
        self._seen.apply(action)
        for known in ("_legal", "_key"):
            self.__dict__.pop(known, None)

    def returns(self) -> list[float]:
        """1 for the winner, -1 for the others; all 0 if everybody is tied."""
        assert isinstance(self._seen, Game)
        winners = self._seen.winners()
        if len(winners) == self._seen.seats:
            return [0.0] * len(winners)
        return [1.0 if seat in winners else -1.0 for seat in range(self._seen.seats)]

    def roll_out(self, seed: int) -> list[float]:
        """The returns after uniformly random play to the end. The world is used up."""
        assert isinstance(self._seen, Game)
        self._seen.play_out(seed)
        return self.returns()


class RollOuts:
    """An OpenSpiel ``Evaluator``: one random roll-out, equal priors."""

    def __init__(self, source: random.Random) -> None:
        self._random = source

    def evaluate(self, state: State) -> list[float]:
        return state.roll_out(self._random.getrandbits(64))

    def prior(self, state: State) -> list[tuple[int, float]]:
        legal = state.legal_actions()
        return [(action, 1.0 / len(legal)) for action in legal]


class OpenSpielBot:
    """A bot that plays what OpenSpiel's ``ISMCTSBot`` chooses. Raises ``ImportError`` if OpenSpiel is not there.

    seed: any integer. simulations: of each decision. seconds: of each decision instead, at least one simulation.
    exploration: constant of its upper confidence bound.
    """

    def __init__(
        self,
        seed: int,
        simulations: int = UNLIMITED,
        seconds: float | None = None,
        exploration: float = EXPLORATION,
    ) -> None:
        try:
            import numpy as np
            import pyspiel
            from open_spiel.python.algorithms.ismcts import ISMCTSBot
        except ImportError as error:
            raise ImportError(f"open_spiel: {error}; allowed: an interpreter that can import it") from None
        self._random = random.Random(seed)
        kinds = pyspiel.GameType
        self._variety = Variety(kinds.Dynamics.SEQUENTIAL, kinds.Information.IMPERFECT_INFORMATION)
        self._bot = ISMCTSBot(
            self._variety,
            RollOuts(self._random),
            exploration,
            simulations,
            random_state=np.random.RandomState(self._random.getrandbits(32)),
        )
        self._bot.set_resampler(self._world)
        self._seconds = seconds
        self._end = float("inf")
        self._worlds = 0

    def choose(self, observation: Observation) -> int:
        """A legal argument of the pending decision."""
        root = State(self._variety, observation)
        legal = root.legal_actions()
        if len(legal) == 1:
            return legal[0]
        self._worlds = 0
        if self._seconds is not None:
            self._end = time.perf_counter() + self._seconds
        try:
            return int(self._bot.step(root))
        except TimeUp:
            policy = self._bot.get_final_policy(root, self._bot._root_node)
        best = max(chance for _, chance in policy)
        return int(self._random.choice([action for action, chance in policy if chance == best]))

    def _world(self, root: State, player: int) -> State:
        """A world that agrees with what the root's player knows."""
        # the first simulation only opens the root, so it takes two to have visited an action
        if self._worlds >= 2 and time.perf_counter() >= self._end:
            raise TimeUp
        self._worlds += 1
        assert isinstance(root._seen, Observation)
        assert root.current_player() == player
        return State(self._variety, root._seen.sample_world(self._random.getrandbits(64)))


def by_simulations(seed: int) -> Bot:
    """OpenSpiel's search with 100 simulations for each decision."""
    return OpenSpielBot(seed, simulations=SIMULATIONS)


def by_time(seed: int) -> Bot:
    """OpenSpiel's search with 100 ms for each decision."""
    return OpenSpielBot(seed, seconds=SECONDS)
