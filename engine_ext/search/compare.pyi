"""Several searches on the same sampled worlds."""

from collections.abc import Sequence
from typing import Any, Final, final

from engine_ext.search.searcher import CancelFlag, Searcher

MOST_COMPARED: Final[int]

@final
class Paired:
    """Searchers that are led through the same worlds. Not to be shared between threads."""

    def __new__(cls, searchers: Sequence[Searcher], seed: int = 0) -> Paired: ...
    @property
    def worlds(self) -> int: ...
    @property
    def tried(self) -> int: ...
    def run(self, worlds: int, seconds: float | None = None, cancel: CancelFlag | None = None) -> str: ...
    def sums(self) -> list[tuple[dict[str, Any], dict[str, Any]]]: ...
