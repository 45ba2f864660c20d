"""The weights of the value function: data that the search multiplies the features of a cut game with.

>>> from lisboa_ai import edition, values
>>> house = edition.load("house").engine
>>> values.fitted_for(house), len(values.weights(2)) == values.VALUE_SIZE
(True, True)

They stand in ``data/value.json``, one set for each number of players: ``[category][feature]``, the wigs of a scoring
category that are still to come for each unit of a feature, and two numbers that say how widely final scores spread.
"""

from __future__ import annotations

import json
from array import array
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any, Final

from engine_ext.core import CATEGORIES, Edition
from engine_ext.search.searcher import VALUE_FEATURES, VALUE_SIZE

__all__ = ["VALUE_SIZE", "doubt", "fitted_for", "flat", "read", "table", "weights"]

DATA: Final = resources.files("lisboa_ai") / "data" / "value.json"

PARTS: Final = ("edition", "features", "categories", "seats")
"""What a file of weights has to say."""


def read(content: dict[str, Any], where: str = "value") -> dict[int, array[float]]:
    """The flat weights by number of players. Raises ``ValueError`` for a table made for other features."""
    for name, known in (("features", VALUE_FEATURES), ("categories", CATEGORIES)):
        if tuple(content[name]) != known:
            raise ValueError(f"{where}.{name}: {content[name]}; allowed: {list(known)}")
    return {int(seats): flat(one["weights"], one["spread"]) for seats, one in content["seats"].items()}


def flat(rows: list[list[float]], spread: list[float]) -> array[float]:
    """``[category][feature]`` and the spread in the order that ``Searcher`` wants: by feature, then by category."""
    numbers = array("d", (row[i] for i in range(len(VALUE_FEATURES)) for row in rows))
    numbers.extend(spread)
    if len(numbers) != VALUE_SIZE or len(rows) != len(CATEGORIES):
        raise ValueError(f"weights: {len(rows)} rows, {len(numbers)} numbers; allowed: {len(CATEGORIES)}, {VALUE_SIZE}")
    return numbers


@cache
def table(file: str = "") -> dict[str, Any]:
    """The whole file: edition, features, categories, and for each number of players weights and spread.

    Raises ``ValueError`` for a file that is none of weights, ``OSError`` for one that cannot be read.
    """
    try:
        found: dict[str, Any] = json.loads((Path(file) if file else DATA).read_text(encoding="utf-8"))
    except ValueError as error:
        raise ValueError(f"weights: {file}: {error}; allowed: a file of lisboa_ai.train") from None
    missing = [name for name in PARTS if not isinstance(found, dict) or name not in found]
    if missing:
        raise ValueError(f"weights: {file} has no {', '.join(missing)}; allowed: a file of lisboa_ai.train")
    return found


@cache
def _weights(file: str) -> dict[int, array[float]]:
    return read(table(file), file or "value")


def fitted_for(edition: Edition, file: str = "") -> bool:
    """Whether the weights were fitted to games of this edition; with another one they are only a guess."""
    return bool(table(file)["edition"] == edition.digest)


def doubt(edition: Edition, file: str = "") -> str | None:
    """A sentence if the weights were not fitted to games of this edition."""
    if fitted_for(edition, file):
        return None
    return (
        f"the value function was fitted to another edition: {table(file)['edition']}, not {edition.digest} "
        f"({edition.name}); its estimates are a guess"
    )


def weights(seats: int, file: str = "") -> array[float]:
    """The weights for so many players, of a file like ``data/value.json`` instead of that one if it is given."""
    found = _weights(file)
    if seats not in found:
        raise ValueError(f"weights: {file or 'value'} has none for {seats} players; allowed: {sorted(found)}")
    return found[seats]
