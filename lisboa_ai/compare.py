"""Compare actions on the same sampled worlds: which one is better, by how much, in what, and how sure is that.

>>> from lisboa_ai import compare, edition
>>> from lisboa_ai.analysis import SearchLimits
>>> from lisboa_ai.record import GameRecord
>>> record = GameRecord.new(edition.load("house"), 2, seed=1)
>>> position = record.position(record.replay().seat)
>>> first, second = position.observation.legal()[:2]
>>> found = compare.compare(position, [first, second], SearchLimits(iterations=200, seed=1))
>>> found.worlds, [one.action for one in found.actions] == [first, second], found.actions[0].difference
(100, True, None)

Every action gets a search tree of its own. World after world is sampled, and every tree makes one iteration in it with
the same random numbers, so that luck which all actions share cancels out of their differences. A difference's standard
error comes from the differences world by world: how much the worlds have in common shows in it. With a seed, a
number of iterations and a number of threads the comparison is reproducible.
"""

from __future__ import annotations

import math
import time as clock
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from typing import Any, Final

from engine_ext.core import CATEGORIES, KINDS, Observation
from engine_ext.search.compare import MOST_COMPARED, Paired
from engine_ext.search.searcher import MIN_MEMORY, PARTS, WIG_PARTS, CancelFlag, Searcher

from . import notation, values
from .analysis import Evaluation, SearchLimits, SearchOptions
from .analysis.advice import supposing
from .analysis.model_error import ModelError, model_error
from .analysis.statistics import IGNORANCE_WIGS, IGNORANCE_WINS, Z, added
from .edition import EditionTables
from .position import Position
from .seeds import seed_of

__all__ = ["MOST_COMPARED", "Compared", "Comparison", "Difference", "compare", "compare_observed", "sentence"]

SLICE: Final = 0.1
"""Seconds after which a running comparison looks up."""
UNLIMITED: Final = 1 << 62
WORTH_SAYING: Final = 0.25
"""Wigs below which a category's part in a difference is not named."""
MOST_REASONS: Final = 4


@dataclass(frozen=True, slots=True)
class Difference:
    """What an action brings more than the first one, below 0 less. Every tuple is by seat.

    breakdown: [seat][category] wigs, in the order of ``CATEGORIES``, which adds up to ``wigs``. Errors are standard
    errors of the mean of the differences, world by world; those of win share and wigs hold the model error of a
    difference too (``lisboa_ai.analysis.model_error``). distinguishable: whether win share or wigs of the deciding seat
    differ by more than 1.96 of them.
    """

    win_share: tuple[float, ...]
    win_share_error: tuple[float, ...]
    wigs: tuple[float, ...]
    wigs_error: tuple[float, ...]
    breakdown: tuple[tuple[float, ...], ...]
    breakdown_error: tuple[tuple[float, ...], ...]
    distinguishable: bool


@dataclass(frozen=True, slots=True)
class Compared:
    """One action: what it is worth, the mean objective by seat, and its difference from the first, which has none."""

    action: int
    worth: Evaluation
    value: tuple[float, ...]
    difference: Difference | None

    def sampling_errors(self) -> tuple[tuple[float, ...], tuple[float, ...]]:
        """The errors of the difference in win share and in wigs without the model error: what sampling leaves open.

        They say how far the same search would change its mind in other worlds, not how far it is from the truth.
        """
        assert self.difference is not None
        model = self.worth.model_error.lead
        return (
            _without(self.difference.win_share_error, model.win_share),
            _without(self.difference.wigs_error, model.wigs),
        )


@dataclass(frozen=True, slots=True)
class Comparison:
    """The answer: the actions in the order in which they were given, and how it was found.

    worlds: how many were sampled and counted; every number rests on all of them. iterations: passes of all trees.
    sentences: for each action but the first, computed facts about its difference. Everything else as in ``Analysis``.
    """

    actions: tuple[Compared, ...]
    sentences: tuple[str, ...]
    worlds: int
    iterations: int
    nodes: int
    elapsed: float = field(compare=False)
    stop_reason: str
    seed: int
    limits: SearchLimits
    seat: int
    observer: int
    kind: int
    context: tuple[int, int]
    memory_used: int


def compare(
    position: Position,
    actions: Sequence[int],
    limits: SearchLimits | None = None,
    options: SearchOptions | None = None,
    *,
    cancel: CancelFlag | None = None,
) -> Comparison:
    """Compare two or more actions of the observer, who must be the one to decide, with the first of them.

    The limits are those of the whole comparison: its iterations are shared out evenly, one for each action in each
    world. options: as in a search, without only and exclude; number and granularity of candidates do not matter.
    Setting ``cancel`` ends it after the current world. Raises ``ValueError`` naming field, value and what is allowed.
    """
    found = compare_observed(position.observation, actions, limits, options, cancel=cancel)
    first, *others = found.actions
    said = tuple(sentence(position.tables, position.observation, first, other) for other in others)
    return replace(found, sentences=said)


def compare_observed(
    observation: Observation,
    actions: Sequence[int],
    limits: SearchLimits | None = None,
    options: SearchOptions | None = None,
    *,
    cancel: CancelFlag | None = None,
) -> Comparison:
    """``compare`` for those who have the engine's observation only: without sentences, which name things."""
    started = clock.monotonic()
    limits = (limits or SearchLimits()).effective()
    options = options or SearchOptions()
    observation = _checked(observation, actions, options)
    memory = limits.memory or 0
    if memory // (limits.threads * len(actions)) < MIN_MEMORY:
        raise ValueError(f"memory: {memory} bytes; allowed: {MIN_MEMORY} or more for each action and thread")
    most = UNLIMITED if limits.iterations is None else max(1, limits.iterations // len(actions))
    count = min(limits.threads, most)
    searchers = [
        [
            Searcher(
                observation,
                objective=options.objective,
                exploration=options.exploration,
                playout=options.playout,
                cut=options.cut,
                priors=options.priors,
                value=values.weights(observation.seats, options.weights),
                memory=memory // (limits.threads * len(actions)),
                allowed=[action],
            )
            for action in actions
        ]
        for _ in range(count)
    ]
    pairs = [Paired(trees, seed_of(limits.seed, "compare", thread)) for thread, trees in enumerate(searchers)]
    reason = _run(pairs, most, None if limits.time is None else started + limits.time, cancel)
    compared = _compared(observation, actions, pairs, model_error(observation))
    return Comparison(
        actions=compared,
        sentences=(),
        worlds=sum(pair.worlds for pair in pairs),
        iterations=sum(tree.iterations for trees in searchers for tree in trees),
        nodes=sum(tree.nodes for trees in searchers for tree in trees),
        elapsed=clock.monotonic() - started,
        stop_reason=reason,
        seed=limits.seed,
        limits=limits,
        seat=observation.seat,
        observer=observation.observer,
        kind=observation.kind,
        context=observation.context,
        memory_used=sum(tree.memory_used for trees in searchers for tree in trees),
    )


def sentence(tables: EditionTables, pending: notation.Pending, first: Compared, other: Compared) -> str:
    """Computed facts about one action and the first one, for the seat that decides, with 95 % intervals."""
    found = other.difference
    assert found is not None
    seat = pending.seat
    texts = [notation.action_text(tables, pending.kind, pending.context, one.action) for one in (first, other)]
    parts = sorted(
        (
            (name, wigs)
            for name, wigs in zip(CATEGORIES, found.breakdown[seat], strict=True)
            if abs(wigs) >= WORTH_SAYING
        ),
        key=lambda part: -abs(part[1]),
    )[:MOST_REASONS]
    listed = ", ".join(f"{name.replace('_', ' ')} {wigs:+.1f}" for name, wigs in parts)
    why = f" ({listed})" if parts else ""
    verdict = "more than chance would hardly explain" if found.distinguishable else "which could be chance"
    return (
        f"“{texts[1]}” brings {found.wigs[seat]:+.1f} ± {Z * found.wigs_error[seat]:.1f} wigs{why} and "
        f"{100 * found.win_share[seat]:+.1f} ± {100 * Z * found.win_share_error[seat]:.1f} points of win share against "
        f"“{texts[0]}” in the same {other.worth.visits:,} worlds: {verdict}."
    )


def _checked(observation: Observation, actions: Sequence[int], options: SearchOptions) -> Observation:
    """The observation to search, with what is assumed. Raises ``ValueError`` for the first thing that is wrong."""
    if observation.over:
        raise ValueError("position: the game is over; allowed: a position with a pending decision")
    if observation.seat != observation.observer:
        raise ValueError(f"seat: {observation.observer} is not to act; allowed: {observation.seat}")
    for name in ("only", "exclude"):
        if getattr(options, name):
            raise ValueError(f"{name}: {getattr(options, name)}; allowed: nothing, in a comparison")
    options.plain_search("a comparison")
    if options.algorithm != "single":
        raise ValueError(f"algorithm: {options.algorithm!r}; allowed: 'single', in a comparison")
    if not 2 <= len(actions) <= MOST_COMPARED:
        raise ValueError(f"actions: {len(actions)}; allowed: 2 to {MOST_COMPARED}")
    legal = observation.legal()
    for index, action in enumerate(actions):
        if action not in legal:
            listed = ", ".join(map(str, legal))
            raise ValueError(
                f"actions[{index}]: {action} is not legal for {KINDS[observation.kind]}; allowed: {listed}"
            )
        if action in actions[:index]:
            raise ValueError(f"actions[{index}]: {action}, as before; allowed: actions that differ")
    return supposing(observation, options)


def _run(pairs: Sequence[Paired], worlds: int, until: float | None, cancel: CancelFlag | None) -> str:
    shares = [worlds // len(pairs) + (i < worlds % len(pairs)) for i in range(len(pairs))]
    with ThreadPoolExecutor(max_workers=max(1, len(pairs) - 1)) as pool:
        while True:
            piece = SLICE if until is None else min(SLICE, max(0.0, until - clock.monotonic()))
            others = [
                pool.submit(pair.run, share, piece, cancel) for pair, share in zip(pairs[1:], shares[1:], strict=True)
            ]
            reasons = [pairs[0].run(shares[0], piece, cancel), *(other.result() for other in others)]
            for hard in ("cancelled", "memory"):
                if hard in reasons:
                    return hard
            if all(reason == "iterations" for reason in reasons):
                return "iterations"
            if until is not None and clock.monotonic() >= until:
                return "time"


# --- numbers --------------------------------------------------------------------------------------------------------


def _compared(
    observation: Observation, actions: Sequence[int], pairs: Sequence[Paired], model: ModelError
) -> tuple[Compared, ...]:
    worlds = sum(pair.worlds for pair in pairs)
    if not worlds:
        raise ValueError("actions: in no sampled world all of them were legal; allowed: actions the seat can take")
    per_action = pairs[0].sums()
    for pair in pairs[1:]:
        per_action = added(per_action, pair.sums())
    return tuple(
        Compared(
            action=action,
            worth=_worth(own, observation.seat, worlds, model),
            value=tuple(total / worlds for total in own["rewards"]),
            difference=_difference(less, observation.seat, worlds, model.lead) if index else None,
        )
        for index, (action, (own, less)) in enumerate(zip(actions, per_action, strict=True))
    )


def _worth(sums: dict[str, Any], seat: int, worlds: int, model: ModelError) -> Evaluation:
    return Evaluation(
        seat=seat,
        visits=worlds,
        win_share=_means(sums["wins"], worlds, PARTS),
        win_share_error=_errors(sums["wins"], sums["wins_squares"], worlds, PARTS, IGNORANCE_WINS),
        wigs=_means(sums["wigs"], worlds, WIG_PARTS),
        wigs_error=_errors(sums["wigs"], sums["wigs_squares"], worlds, WIG_PARTS, IGNORANCE_WIGS),
        rank_distribution=tuple(_means(row, worlds, PARTS) for row in sums["ranks"]),
        breakdown=tuple(_means(row, worlds, WIG_PARTS) for row in sums["ledger"]),
        model_error=model,
    )


def _difference(sums: dict[str, Any], seat: int, worlds: int, model: ModelError) -> Difference:
    win_share = _means(sums["wins"], worlds, PARTS)
    sampled = _errors(sums["wins"], sums["wins_squares"], worlds, PARTS, 2 * IGNORANCE_WINS)
    win_share_error = tuple(math.hypot(error, model.win_share) for error in sampled)
    wigs = _means(sums["wigs"], worlds, WIG_PARTS)
    sampled = _errors(sums["wigs"], sums["wigs_squares"], worlds, WIG_PARTS, 2 * IGNORANCE_WIGS)
    wigs_error = tuple(math.hypot(error, model.wigs) for error in sampled)
    return Difference(
        win_share=win_share,
        win_share_error=win_share_error,
        wigs=wigs,
        wigs_error=wigs_error,
        breakdown=tuple(_means(row, worlds, WIG_PARTS) for row in sums["ledger"]),
        breakdown_error=tuple(
            _errors(row, squares, worlds, WIG_PARTS, 0.0)
            for row, squares in zip(sums["ledger"], sums["ledger_squares"], strict=True)
        ),
        distinguishable=abs(wigs[seat]) > Z * wigs_error[seat] or abs(win_share[seat]) > Z * win_share_error[seat],
    )


def _without(errors: Sequence[float], part: float) -> tuple[float, ...]:
    """Standard errors less an independent part of them."""
    return tuple(math.sqrt(max(0.0, error * error - part * part)) for error in errors)


def _means(totals: Sequence[float], worlds: int, parts: int = 1) -> tuple[float, ...]:
    return tuple(total / (parts * worlds) for total in totals)


def _errors(
    totals: Sequence[float], squares: Sequence[float], n: int, parts: int, ignorance: float
) -> tuple[float, ...]:
    """Standard errors of means over n worlds. Two worlds' worth of what is known without any keeps few worlds honest.

    ignorance: the variance before anything was tried; it shrinks with the worlds.
    """
    found = []
    for total, square in zip(totals, squares, strict=True):
        variance = max(0.0, (square - total * total / n) / (n - 1)) / (parts * parts) if n > 1 else 0.0
        prior = max(variance, ignorance / n)
        found.append(math.sqrt(((n - 1) * variance + 2 * prior) / (n + 1) / n))
    return tuple(found)
