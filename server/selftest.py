"""The test a server puts itself to before it serves: does its engine play and search as this version has to?"""

from __future__ import annotations

import functools
from collections.abc import Iterable

from lisboa_ai import signature
from lisboa_ai.analysis import SearchLimits, SearchOptions, analyse
from lisboa_ai.edition import EditionTables
from lisboa_ai.record import GameRecord

__all__ = ["SelfTestFailed", "bench_signature", "self_test"]

ITERATIONS = 16
"""Of the search that is tried with each edition."""


class SelfTestFailed(Exception):
    """The engine does not do what this version has to do. Its text says what to do about that."""


@functools.cache
def _found() -> signature.Signature:
    return signature.compute(quick=True)


def bench_signature() -> str:
    """The quick signature, as GetServerInfo tells it: equal on servers that play and search alike."""
    return str(_found())


def self_test(editions: Iterable[EditionTables]) -> None:
    """Compare the quick signature with the expected one, and search once with each edition. Takes part of a second.

    Raises SelfTestFailed.
    """
    wanted = signature.expected(quick=True)
    if changed := signature.changed(_found(), wanted):
        raise SelfTestFailed(
            f"self-test: signature {_found()}, expected {wanted}, changed first: {changed[0]}; the engine is not built "
            "from this version, or this processor calculates differently (then self_test = false serves all the same)"
        )
    for tables in editions:
        record = GameRecord.new(tables, 2, 1)
        observation = record.position(record.replay().seat).observation
        found = analyse(observation, SearchLimits(iterations=ITERATIONS, seed=1), SearchOptions(candidates=1))
        if found.best.actions[0] not in observation.legal():
            raise SelfTestFailed(f"self-test: a search with the edition {tables.name} recommends an illegal action")
