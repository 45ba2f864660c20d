"""The Python face of the search: one tree, run in slices with the GIL released, read out as plain numbers."""

from collections.abc import Sequence
from typing import Any, Final, final

from engine_ext.core import Game, Observation

ALGORITHMS: Final[tuple[str, ...]]
PLAYOUTS: Final[tuple[str, ...]]
MIN_MEMORY: Final[int]
PARTS: Final[int]
WIG_PARTS: Final[int]
VALUE_SIZE: Final[int]
VALUE_FEATURES: Final[tuple[str, ...]]

@final
class CancelFlag:
    """Stops searches at their next iteration, from any thread. Once set it stays set."""

    def __new__(cls) -> CancelFlag: ...
    def set(self) -> None: ...
    @property
    def is_set(self) -> bool: ...

@final
class Searcher:
    """One search tree over an observation. Not to be shared between threads; several may run in as many threads."""

    def __new__(
        cls,
        observation: Observation,
        *,
        seed: int = 0,
        objective: float = 0.5,
        exploration: float = 0.6,
        playout: str = "sharp",
        memory: int = ...,
        by_turn: bool = False,
        allowed: Sequence[int] | None = None,
        cut: int = -1,
        value: Any = None,
        priors: bool = False,
        algorithm: str = "single",
        views: Sequence[Observation] = (),
    ) -> Searcher: ...
    @property
    def observation(self) -> Observation: ...
    @property
    def iterations(self) -> int: ...
    @property
    def nodes(self) -> int: ...
    @property
    def memory_used(self) -> int: ...
    @property
    def playout_decisions(self) -> int: ...
    @property
    def tree_decisions(self) -> int: ...
    def run(self, iterations: int, seconds: float | None = None, cancel: CancelFlag | None = None) -> str: ...
    def candidates(self) -> list[tuple[tuple[int, int, int, int, int], int, dict[str, Any]]]: ...
    def priors(self) -> dict[int, float]: ...
    def beginning(self, decisions: Sequence[tuple[int, int]]) -> dict[str, Any] | None: ...
    def look(self, arguments: Sequence[int]) -> tuple[tuple[int, int, int, int], int, dict[int, int]] | None: ...

def finish_turn(
    observation: Observation, arguments: Sequence[int], seed: int = 0
) -> list[tuple[int, int, int, int, int]]: ...
def features(game: Game, seat: int) -> list[float]: ...
def card_weights(view: Observation, cards: Sequence[int]) -> list[int]: ...
def sample_hands(observation: Observation, seed: int, count: int) -> list[list[list[int]]]: ...
def expected_turns(game: Game) -> float: ...
def play_on(game: Game, last_turn: int, seed: int, playout: str = "sensible") -> int: ...
