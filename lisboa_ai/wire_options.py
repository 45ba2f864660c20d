"""Limits and options of a search as messages of ``lisboa.v1``, both ways, and the names that options have."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final, Literal, TypeVar

from lisboa.v1 import advisor_pb2

from . import notation
from .analysis import SearchLimits, SearchOptions
from .edition import EditionTables
from .wire_values import duration, seconds

__all__ = [
    "ALGORITHMS",
    "PRIORITIES",
    "PriorityName",
    "algorithm_name",
    "granularity_name",
    "limits_from_proto",
    "limits_to_proto",
    "options_to_proto",
    "playout_name",
    "priority_name",
]

Name = TypeVar("Name", bound=str)
PriorityName = Literal["low", "normal", "high"]

# What an option may be, by the name that it has in this package. The proto declares what is in these tables.
_GRANULARITIES: Final[dict[Literal["decision", "turn"], advisor_pb2.Granularity]] = {
    "decision": advisor_pb2.GRANULARITY_DECISION,
    "turn": advisor_pb2.GRANULARITY_TURN,
}
_PLAYOUTS: Final[dict[str, advisor_pb2.Playout]] = {
    "sensible": advisor_pb2.PLAYOUT_SENSIBLE,
    "uniform": advisor_pb2.PLAYOUT_UNIFORM,
    "sharp": advisor_pb2.PLAYOUT_SHARP,
}
ALGORITHMS: Final[dict[str, advisor_pb2.Algorithm]] = {
    "single": advisor_pb2.ALGORITHM_ISMCTS,
    "multiple": advisor_pb2.ALGORITHM_MO_ISMCTS,
    "redeterminizing": advisor_pb2.ALGORITHM_REDETERMINIZING,
    "pimc": advisor_pb2.ALGORITHM_PIMC,
    "flat": advisor_pb2.ALGORITHM_FLAT,
    "greedy": advisor_pb2.ALGORITHM_GREEDY,
    "random": advisor_pb2.ALGORITHM_RANDOM,
}
PRIORITIES: Final[dict[PriorityName, advisor_pb2.Priority]] = {
    "low": advisor_pb2.PRIORITY_LOW,
    "normal": advisor_pb2.PRIORITY_NORMAL,
    "high": advisor_pb2.PRIORITY_HIGH,
}


def limits_to_proto(limits: SearchLimits) -> advisor_pb2.SearchLimits:
    """Limits as a message; what is None is left out."""
    return advisor_pb2.SearchLimits(
        time=None if limits.time is None else duration(limits.time),
        iterations=limits.iterations,
        memory_bytes=limits.memory,
        threads=limits.threads,
        seed=limits.seed,
        confidence=limits.decided,
    )


def limits_from_proto(message: advisor_pb2.SearchLimits) -> SearchLimits:
    """Limits from a message; what is left out is None, one thread, seed 0.

    Raises ``ValueError`` naming the field, its value and what is allowed.
    """
    return SearchLimits(
        time=seconds(message.time) if message.HasField("time") else None,
        iterations=message.iterations if message.HasField("iterations") else None,
        memory=message.memory_bytes if message.HasField("memory_bytes") else None,
        threads=message.threads if message.HasField("threads") else 1,
        seed=message.seed,
        decided=message.confidence,
    )


def options_to_proto(
    options: SearchOptions,
    tables: EditionTables,
    kind: int,
    context: tuple[int, int],
    priority: PriorityName | None = None,
) -> advisor_pb2.SearchOptions:
    """Options as a message; ``only`` and ``exclude`` become texts of actions of the given decision.

    priority: before whom a search at a server goes, which only the message says; None leaves it out. Raises
    ``ValueError`` for weights of one's own: a message names no files.
    """
    if options.weights:
        raise ValueError(f"weights: {options.weights}; allowed: none over the wire, a server has its own")

    def texts(arguments: Iterable[int]) -> list[str]:
        return [notation.action_text(tables, kind, context, argument) for argument in arguments]

    return advisor_pb2.SearchOptions(
        objective=options.objective,
        candidates=options.candidates,
        granularity=_GRANULARITIES[options.granularity],
        only=texts(options.only),
        exclude=texts(options.exclude),
        assumptions=[
            advisor_pb2.Assumption(seat=seat, cards=[tables.id("card", card) for card in cards])
            for seat, cards in options.assumptions
        ],
        exploration=options.exploration,
        playout=_PLAYOUTS[options.playout],
        priority=None if priority is None else PRIORITIES[priority],
        algorithm=None if options.level is not None else ALGORITHMS[options.algorithm],
        level=options.level,
        cut=options.cut,
        priors=options.priors,
        beliefs=options.beliefs,
    )


def granularity_name(value: advisor_pb2.Granularity) -> Literal["decision", "turn"] | None:
    """The granularity's name; None for the default. Raises ``ValueError`` for a number that means nothing."""
    return _name(_GRANULARITIES, advisor_pb2.Granularity, value)


def playout_name(value: advisor_pb2.Playout) -> str | None:
    """The playout policy's name; None for the default. Raises ``ValueError`` for a number that means nothing."""
    return _name(_PLAYOUTS, advisor_pb2.Playout, value)


def algorithm_name(value: advisor_pb2.Algorithm) -> str | None:
    """The algorithm's name; None for the default. Raises ``ValueError`` for a number that means nothing."""
    return _name(ALGORITHMS, advisor_pb2.Algorithm, value)


def priority_name(value: advisor_pb2.Priority) -> PriorityName | None:
    """The priority's name; None for the default. Raises ``ValueError`` for a number that means nothing."""
    return _name(PRIORITIES, advisor_pb2.Priority, value)


def _name(table: Mapping[Name, int], enum: Any, value: int) -> Name | None:
    """The name that a table has for a number of its enum; None for 0, the default."""
    if value == 0:
        return None
    for name, number in table.items():
        if number == value:
            return name
    raise ValueError(f"{value}; allowed: {', '.join(enum.Name(number) for number in table.values())}")
