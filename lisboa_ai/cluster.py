"""Searches spread over other processes or machines: anything with the interface of ``concurrent.futures.Executor``.

>>> from concurrent.futures import ThreadPoolExecutor
>>> from engine_ext.core import Game
>>> from lisboa_ai import cluster, edition
>>> from lisboa_ai.analysis import SearchLimits
>>> seen = Game.deal(edition.load("house").engine, seats=2, seed=1).observe(0)
>>> with ThreadPoolExecutor(2) as pool:
...     found = cluster.analyse_spread(seen, SearchLimits(iterations=200, seed=1), executor=pool, parts=2)
>>> found.iterations, found.best.actions[0] in seen.legal()
(200, True)

What is sent is a ``Parcel``: an observation, the printed numbers of its edition included, as plain data. So a worker
needs this package and nothing else, and knows what the observer knows and nothing else.
"""

from __future__ import annotations

import importlib
import json
import math
import multiprocessing
import time as clock
import zlib
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import CancelledError, Executor, Future, ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Final, TypeVar

from engine_ext.core import Edition, Observation

from .analysis import Analysis, Candidate, Evaluation, SearchLimits, SearchOptions, analyse
from .analysis.statistics import DISTINGUISHED, quantile
from .seeds import seed_of

__all__ = ["EXECUTORS", "MAX_PARTS", "Parcel", "analyse_spread", "in_order", "merged", "open_executor"]

EXECUTORS: Final = "local, processes:N, dask://HOST:PORT"
"""What ``open_executor`` understands."""
MAX_PARTS: Final = 4096
MAX_PROCESSES: Final = 1024
ALL: Final = 1000
"""Candidates asked of each part: more than any decision has."""

T = TypeVar("T")
R = TypeVar("R")


# --- what travels ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Parcel:
    """An observation as plain data, to be pickled."""

    edition: bytes
    fields: dict[str, Any]
    observer: int

    @classmethod
    def of(cls, observation: Observation) -> Parcel:
        return cls(_packed(observation.edition), observation.fields(), observation.observer)

    def open(self) -> Observation:
        """The observation again, equal to the one that was packed."""
        return Observation.from_fields(_unpacked(self.edition), self.fields, self.observer)


@lru_cache(maxsize=8)
def _packed(edition: Edition) -> bytes:
    return zlib.compress(json.dumps([edition.name, edition.digest, edition.tables()]).encode())


@lru_cache(maxsize=8)
def _unpacked(packed: bytes) -> Edition:
    name, digest, tables = json.loads(zlib.decompress(packed))
    return Edition(name, digest, tables)


# --- executors ------------------------------------------------------------------------------------------------------


@contextmanager
def open_executor(text: str) -> Iterator[Executor | None]:
    """The executor that a text names, closed at the end; None for ``local``, this process.

    ``processes:4``: four processes of this machine. ``dask://host:8786``: the workers of a Dask scheduler, which needs
    the extra ``cluster`` (``pip install 'lisboa-ai[cluster]'``). Raises ``ValueError``.
    """
    kind, _, rest = text.partition(":")
    if text == "local":
        yield None
    elif kind == "processes":
        if not rest.isdecimal() or not 1 <= int(rest) <= MAX_PROCESSES:
            raise ValueError(f"executor: {text!r}; allowed: processes:N with N from 1 to {MAX_PROCESSES}")
        pool = ProcessPoolExecutor(int(rest), mp_context=multiprocessing.get_context("spawn"))
        try:
            yield pool
        finally:
            pool.shutdown(cancel_futures=True)
    elif kind == "dask":
        with _dask(text) as executor:
            yield executor
    else:
        raise ValueError(f"executor: {text!r}; allowed: {EXECUTORS}")


@contextmanager
def _dask(text: str) -> Iterator[Executor]:
    host, _, port = text.removeprefix("dask://").rpartition(":")
    if not text.startswith("dask://") or not host or not port.isdecimal() or not 1 <= int(port) <= 65535:
        raise ValueError(f"executor: {text!r}; allowed: dask://HOST:PORT of a Dask scheduler")
    try:
        distributed = importlib.import_module("distributed")
    except ImportError:
        raise ValueError("executor: dask is not installed; allowed: after pip install 'lisboa-ai[cluster]'") from None
    try:
        client = distributed.Client(f"tcp://{host}:{port}", timeout=10, set_as_default=False)
    except OSError as error:
        raise ValueError(f"executor: {text}: {error}; allowed: a Dask scheduler that is running") from None
    try:
        with client.get_executor(pure=False) as executor:
            yield executor
    finally:
        client.close()


def in_order(function: Callable[[T], R], tasks: Sequence[T], executor: Executor | None) -> Generator[R, None, None]:
    """The results of a function for some tasks, in their order, each as soon as it is there.

    Without an executor each is computed when it is asked for. Closing the iterator cancels what has not begun.
    """
    if executor is None:
        yield from map(function, tasks)
        return
    futures: list[Future[R]] = [executor.submit(function, task) for task in tasks]
    try:
        for future in futures:
            try:
                yield future.result()
            except CancelledError:
                raise ValueError("executor: gave up a task; allowed: one that runs what it is given") from None
    finally:
        for future in futures:
            future.cancel()


# --- one search in parts --------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Part:
    """One of several searches of the same position."""

    parcel: Parcel
    limits: SearchLimits
    options: SearchOptions


def _searched(part: _Part) -> Analysis:
    return analyse(part.parcel.open(), part.limits, part.options)


def analyse_spread(
    observation: Observation,
    limits: SearchLimits | None = None,
    options: SearchOptions | None = None,
    *,
    executor: Executor | None = None,
    parts: int = 2,
) -> Analysis:
    """Like ``analyse``, in several parts that know nothing of each other, wherever the executor runs them.

    Each part gets its share of the iterations (or all of the time), all of the memory and a seed of its own, derived
    from the limits' seed and its number, and their candidates are added up by visits. So the answer depends on the
    limits, the options and ``parts``, never on the executor or its workers. It is not the answer of one search with
    as many threads, whose trees are also read together. Candidates are first decisions. Raises ``ValueError``.
    """
    limits = (limits or SearchLimits()).effective()
    options = options or SearchOptions()
    if not 1 <= parts <= MAX_PARTS:
        raise ValueError(f"parts: {parts}; allowed: 1 to {MAX_PARTS}")
    if options.granularity != "decision":
        raise ValueError(f"granularity: {options.granularity!r}; allowed: decision, in a search in parts")
    options.plain_search("a search in parts")
    if observation.over or observation.seat != observation.observer:
        return analyse(observation, limits, options)  # which says what is wrong
    started = clock.monotonic()
    total = limits.iterations
    count = parts if total is None else min(parts, total)
    parcel = Parcel.of(observation)
    tasks = [
        _Part(
            parcel,
            replace(
                limits,
                iterations=None if total is None else total // count + (i < total % count),
                seed=seed_of(limits.seed, "part", i),
            ),
            replace(options, candidates=ALL),
        )
        for i in range(count)
    ]
    found = merged(list(in_order(_searched, tasks, executor)), options.objective)
    return replace(
        found,
        candidates=found.candidates[: options.candidates],
        elapsed=clock.monotonic() - started,
        seed=limits.seed,
        limits=limits,
    )


def merged(analyses: Sequence[Analysis], objective: float = SearchOptions().objective) -> Analysis:
    """Several analyses of one decision, made independently of each other, as one: numbers weighted by visits.

    A candidate's line is that of the part which visited it most. Standard errors are those of the weighted means; what
    the model is off by is the same in all parts. ``objective``: as in the options of the searches.
    """
    first = analyses[0]
    by_action: dict[tuple[int, ...], list[Candidate]] = {}
    for one in analyses:
        for candidate in one.candidates:
            by_action.setdefault(candidate.actions, []).append(candidate)
    candidates = _told_apart(
        sorted(
            map(_merged_candidate, by_action.values()),
            key=lambda found: (-found.visits, -found.value[first.seat], found.actions),
        ),
        first.seat,
        objective,
    )
    best = candidates[0]
    return replace(
        first,
        candidates=candidates,
        evaluation=Evaluation(
            first.seat,
            best.visits,
            best.win_share,
            best.win_share_error,
            best.wigs,
            best.wigs_error,
            best.rank_distribution,
            best.breakdown,
            best.model_error,
        ),
        iterations=sum(one.iterations for one in analyses),
        nodes=sum(one.nodes for one in analyses),
        memory_used=sum(one.memory_used for one in analyses),
        stop_reason=next((one.stop_reason for one in analyses if one.stop_reason == "memory"), first.stop_reason),
    )


def _merged_candidate(parts: Sequence[Candidate]) -> Candidate:
    visits = [part.visits for part in parts]
    most = parts[visits.index(max(visits))]
    return replace(
        most,
        visits=sum(visits),
        availability=sum(part.availability for part in parts),
        value=_means(visits, [part.value for part in parts]),
        win_share=_means(visits, [part.win_share for part in parts]),
        win_share_error=_errors(visits, [part.win_share_error for part in parts]),
        wigs=_means(visits, [part.wigs for part in parts]),
        wigs_error=_errors(visits, [part.wigs_error for part in parts]),
        rank_distribution=_rows(visits, [part.rank_distribution for part in parts]),
        breakdown=_rows(visits, [part.breakdown for part in parts]),
        value_error=_errors(visits, [(part.value_error,) for part in parts])[0],
    )


def _told_apart(candidates: Sequence[Candidate], seat: int, objective: float) -> tuple[Candidate, ...]:
    """Candidates, best first, each with whether its value is not the best one's, as one search says it."""
    best, *others = candidates
    needed = quantile(DISTINGUISHED, len(others))
    besides = best.model_error.lead.value(objective)
    apart = [
        abs(best.value[seat] - other.value[seat]) > needed * math.hypot(best.value_error, other.value_error, besides)
        for other in others
    ]
    return tuple(
        replace(one, distinguishable=found) for one, found in zip(candidates, (all(apart), *apart), strict=True)
    )


def _means(weights: Sequence[int], values: Iterable[tuple[float, ...]]) -> tuple[float, ...]:
    total = sum(weights)
    return tuple(
        sum(weight * value for weight, value in zip(weights, column, strict=True)) / total
        for column in zip(*values, strict=True)
    )


def _errors(weights: Sequence[int], errors: Iterable[tuple[float, ...]]) -> tuple[float, ...]:
    """Standard errors of weighted means of independent estimates."""
    total = sum(weights)
    return tuple(
        math.hypot(*(weight * error for weight, error in zip(weights, column, strict=True))) / total
        for column in zip(*errors, strict=True)
    )


def _rows(weights: Sequence[int], tables: Sequence[tuple[tuple[float, ...], ...]]) -> tuple[tuple[float, ...], ...]:
    return tuple(_means(weights, rows) for rows in zip(*tables, strict=True))
