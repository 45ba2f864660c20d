"""Lisboa for two players with the interface that ``open_spiel.python.algorithms.ismcts`` asks of a game and its states.

The objects are plain: OpenSpiel's bot calls a few methods and asks for no class of OpenSpiel's. There are no chance
nodes, since everything that chance decides is drawn when a game is dealt; what a seat cannot see of it is drawn anew
by ``resample_from_infostate``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from engine_ext.core import Game, Observation

__all__ = ["LisboaGame", "LisboaState", "NativeRollouts"]

TERMINAL: Final = -4
"""OpenSpiel's number of the player to move when a game is over."""
SEED_RANGE: Final = 1 << 53
"""A double between 0 and 1 holds so many different seeds."""

Sampler = Callable[[], float]
"""Gives a number from 0 to below 1, as OpenSpiel's probability samplers do."""


class LisboaGame:
    """What OpenSpiel wants to know of the game itself. game_type: what ``get_type`` answers."""

    def __init__(self, game_type: Any) -> None:
        self._type = game_type

    def get_type(self) -> Any:
        """Whether players move in turn, and whether they see everything."""
        return self._type

    def num_players(self) -> int:
        """The adapter is for duels."""
        return 2

    def min_utility(self) -> float:
        """A lost game."""
        return -1.0

    def max_utility(self) -> float:
        """A won game."""
        return 1.0

    def state_for(self, observation: Observation, sampler: Sampler) -> LisboaState:
        """A state that the observer cannot tell from the truth. The truth itself is never seen here."""
        if observation.seats != self.num_players():
            raise ValueError(f"observation: {observation.seats} seats; allowed: {self.num_players()}")
        return LisboaState(self, observation.sample_world(seed_from(sampler)))


class LisboaState:
    """A complete state of the game, changed by ``apply_action``."""

    __slots__ = ("_game", "_legal", "_seen", "world")

    def __init__(self, game: LisboaGame, world: Game) -> None:
        self.world = world
        self._game = game
        self._legal: list[int] | None = None
        self._seen: tuple[int, Observation, bytes] | None = None

    def get_game(self) -> LisboaGame:
        """The game this is a state of."""
        return self._game

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self.world.over

    def is_chance_node(self) -> bool:
        """Never: see the module."""
        return False

    def current_player(self) -> int:
        """The seat that decides."""
        return TERMINAL if self.world.over else self.world.seat

    def legal_actions(self, player: int | None = None) -> list[int]:
        """The legal arguments in the engine's order; none for a seat that does not decide. Not to be changed."""
        if player is not None and player != self.current_player():
            return []
        if self._legal is None:
            self._legal = self.world.legal()
        return self._legal

    def apply_action(self, action: int) -> None:
        """Carry out a legal action and everything that follows from it."""
        self.world.apply(int(action))
        self._legal = self._seen = None

    def information_state_string(self, player: int | None = None) -> bytes:
        """What a seat may know, as the bytes of its observation: equal for states that the seat cannot tell apart.

        Bytes and no text, since the bot only looks them up. They say what is known now and not how it came to be known,
        so that moves in another order meet in one node.
        """
        return self._observed(player)[2]

    def resample_from_infostate(self, player: int, sampler: Sampler) -> LisboaState:
        """Another state with the same information state of a seat, uniform over all there are."""
        return LisboaState(self._game, self._observed(player)[1].sample_world(seed_from(sampler)))

    def returns(self) -> list[float]:
        """1 for a win, -1 for a loss, 0 each for a win that the rules leave tied or a game that goes on."""
        winners = self.world.winners() if self.world.over else []
        if len(winners) != 1:
            return [0.0, 0.0]
        return [1.0 if seat in winners else -1.0 for seat in range(2)]

    def clone(self) -> LisboaState:
        """An independent copy."""
        return LisboaState(self._game, self.world.copy())

    def _observed(self, player: int | None) -> tuple[int, Observation, bytes]:
        """A seat's observation and its bytes, kept until the next action: the bot asks up to three times."""
        seat = self.current_player() if player is None else player
        if self._seen is None or self._seen[0] != seat:
            observation = self.world.observe(seat)
            self._seen = (seat, observation, bytes(observation))
        return self._seen


class NativeRollouts:
    """OpenSpiel's usual evaluator, one random game to the end, played by the engine: the same, only faster."""

    def __init__(self, sampler: Sampler) -> None:
        self._sampler = sampler

    def evaluate(self, state: LisboaState) -> list[float]:
        """Every seat's result of a random game from here."""
        ended = state.clone()
        ended.world.play_out(seed_from(self._sampler))
        return ended.returns()

    def prior(self, state: LisboaState) -> list[tuple[int, float]]:
        """Every legal action equally."""
        legal = state.legal_actions()
        return [(action, 1.0 / len(legal)) for action in legal]


def seed_from(sampler: Sampler) -> int:
    """A seed of the engine from one draw."""
    return int(sampler() * SEED_RANGE)
