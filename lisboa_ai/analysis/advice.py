"""Running searches: one tree for each thread, in slices, until a limit is met."""

from __future__ import annotations

import hashlib
import time as clock
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Final

from engine_ext.core import KINDS, Observation
from engine_ext.search.searcher import CancelFlag, Searcher

from .. import beliefs, values
from ..levels import LEVELS
from .choosing import picked, unsearched
from .options import SEARCHLESS, UNLIMITED, SearchLimits, SearchOptions
from .results import Analysis, Evaluation
from .statistics import Merged

__all__ = ["analyse", "evaluate", "limited", "supposing"]

SINGLE_ITERATIONS: Final = 256
"""Iterations spent on a decision with one legal action: enough to evaluate it."""
FIRST_LOOK: Final = 256
"""Iterations of each tree before it is first asked whether the search is decided; every look is after twice as many."""
LOOKS: Final = 16
"""Looks that the confidence is shared between; after the last one a search goes on to its other limits."""
SLICE: Final = 0.1
"""Seconds after which a running search looks up, so that an interrupt from the keyboard gets through."""


def analyse(
    observation: Observation,
    limits: SearchLimits | None = None,
    options: SearchOptions | None = None,
    *,
    history: beliefs.History = (),
    cancel: CancelFlag | None = None,
    on_progress: Callable[[Analysis], None] | None = None,
    progress_every: float = 0.25,
    deadline: float | None = None,
) -> Analysis:
    """Search for the best action, or turn, of the observer, who must be the one to decide.

    ``on_progress`` gets interim analyses about every ``progress_every`` seconds; the tree is kept. Setting ``cancel``
    ends the search at its next iteration, with what was found. ``history``: what rivals chose, for the option
    ``beliefs``. ``deadline``: the moment, by ``time.monotonic()``, when the answer is wanted, whatever the limits would
    still allow. Runs in the calling thread and ``threads - 1`` others, the GIL released. Raises ``ValueError`` naming
    the field, its value and what was allowed.
    """
    if observation.over:
        raise ValueError("position: the game is over; allowed: a position with a pending decision")
    if observation.seat != observation.observer:
        raise ValueError(f"seat: {observation.observer} is not to act; allowed: {observation.seat}")
    return _search(observation, limits, options, history, cancel, on_progress, progress_every, deadline)


def evaluate(
    observation: Observation,
    limits: SearchLimits | None = None,
    options: SearchOptions | None = None,
    *,
    history: beliefs.History = (),
    cancel: CancelFlag | None = None,
    on_progress: Callable[[Analysis], None] | None = None,
    progress_every: float = 0.25,
    deadline: float | None = None,
) -> Analysis:
    """Like ``analyse``, whoever decides; of a finished game too: then it is exact and has no candidates.

    Options that do without a search, or play worse than it says, have nothing to evaluate: ``ValueError``.
    """
    if options is not None:
        options.plain_search("an evaluation")
    if observation.over:
        return _finished(observation, (limits or SearchLimits()).effective())
    return _search(observation, limits, options, history, cancel, on_progress, progress_every, deadline)


# --- running --------------------------------------------------------------------------------------------------------


def _search(
    observation: Observation,
    limits: SearchLimits | None,
    options: SearchOptions | None,
    history: beliefs.History,
    cancel: CancelFlag | None,
    on_progress: Callable[[Analysis], None] | None,
    progress_every: float,
    deadline: float | None,
) -> Analysis:
    started = clock.monotonic()
    if deadline is not None and deadline != deadline:
        raise ValueError(f"deadline: {deadline}; allowed: a moment by time.monotonic()")
    options = options or SearchOptions()
    limits = limited(limits or SearchLimits(), options.level).effective()
    observation = supposing(observation, options)
    allowed = _allowed(observation, options)
    if options.algorithm in SEARCHLESS:
        return unsearched(observation, allowed, limits, options)
    note = values.doubt(observation.edition, options.weights) if options.cut >= 0 else None
    single = len(allowed) == 1 and options.granularity == "decision"
    most = min(limits.iterations or UNLIMITED, SINGLE_ITERATIONS if single else UNLIMITED)
    count = min(limits.threads, most)
    assert limits.memory is not None
    weighed = beliefs.views(observation, history, limits.seed) if options.beliefs else beliefs.NOTHING
    searchers = [
        Searcher(
            observation,
            seed=_derived(limits.seed, i),
            objective=options.objective,
            exploration=options.exploration,
            playout=options.playout,
            cut=options.cut,
            priors=options.priors,
            algorithm=options.algorithm,
            value=values.weights(observation.seats, options.weights),
            memory=limits.memory // limits.threads,
            by_turn=options.granularity == "turn",
            allowed=allowed if options.only or options.exclude else None,
            views=weighed.views,
        )
        for i in range(count)
    ]
    shares = [most // count + (i < most % count) for i in range(count)]

    def snapshot(reason: str) -> Analysis:
        found = Merged(observation, searchers, options, allowed)
        candidates, chosen = picked(found, options.level, limits.seed)
        return Analysis(
            candidates=candidates,
            evaluation=found.evaluation,
            iterations=sum(searcher.iterations for searcher in searchers),
            nodes=sum(searcher.nodes for searcher in searchers),
            elapsed=clock.monotonic() - started,
            stop_reason=reason,
            seed=limits.seed,
            limits=limits,
            seat=observation.seat,
            observer=observation.observer,
            kind=observation.kind,
            context=observation.context,
            memory_used=sum(searcher.memory_used for searcher in searchers),
            chosen=chosen,
            notes=() if note is None else (note,),
            effective_samples=weighed.effective_samples,
        )

    looks = [FIRST_LOOK << i for i in range(LOOKS)] if limits.decided and not single else []
    until = None if limits.time is None else started + limits.time
    out_of_time = "time"
    if deadline is not None and (until is None or deadline < until):
        until, out_of_time = deadline, "deadline"
    next_report = started + progress_every
    with ThreadPoolExecutor(max_workers=max(1, count - 1)) as pool:
        while True:
            left = SLICE if until is None else max(0.0, until - clock.monotonic())
            piece = min(SLICE, left)
            targets = [min(share, looks[0]) if looks else share for share in shares]
            others = [
                pool.submit(searcher.run, target, piece, cancel)
                for searcher, target in zip(searchers[1:], targets[1:], strict=True)
            ]
            reasons = [searchers[0].run(targets[0], piece, cancel), *(other.result() for other in others)]
            reason = _reason(reasons, out_of_time if until is not None and clock.monotonic() >= until else None)
            if looks and reason == "iterations":
                looks.pop(0)
                if Merged(observation, searchers, options, allowed).decided(limits.decided, LOOKS):
                    reason = "decided"
                elif targets != shares:
                    reason = None
            if reason is not None:
                break
            if on_progress is not None and clock.monotonic() >= next_report:
                on_progress(snapshot("running"))
                next_report = clock.monotonic() + progress_every
    if single and reason == "iterations" and most == SINGLE_ITERATIONS:
        reason = "single_action"
    return snapshot(reason)


def limited(limits: SearchLimits, level: int | None) -> SearchLimits:
    """The limits with a level's iterations, if it has any and the limits have not fewer."""
    most = None if level is None else LEVELS[level].iterations
    return limits if most is None else replace(limits, iterations=min(most, limits.iterations or most))


def supposing(observation: Observation, options: SearchOptions) -> Observation:
    """The observation with what the options assume about rivals' hands, each on top of those before it.

    Raises ``ValueError`` that names the assumption.
    """
    for i, (seat, cards) in enumerate(options.assumptions):
        if seat == observation.observer:
            raise ValueError(
                f"assumptions[{i}]: seat {seat} is the observer, whose hand is known; allowed: a rival's seat"
            )
        try:
            observation = observation.assume(seat, list(cards))
        except ValueError as error:
            why = str(error).removeprefix("assumptions: ")
            raise ValueError(f"assumptions[{i}]: {why}") from None
    return observation


def _reason(reasons: Sequence[str], out_of_time: str | None) -> str | None:
    """Which limit ended the search, or None if it goes on.

    A tree whose memory is full waits for the others, so that the answer does not depend on which was faster.
    """
    if "cancelled" in reasons:
        return "cancelled"
    if all(reason in ("iterations", "memory") for reason in reasons):
        return "memory" if "memory" in reasons else "iterations"
    return out_of_time


def _derived(seed: int, index: int) -> int:
    """The seed of one of several trees: unrelated seeds for related arguments."""
    return int.from_bytes(hashlib.blake2b(f"{seed}/{index}".encode(), digest_size=8).digest(), "little")


def _allowed(observation: Observation, options: SearchOptions) -> list[int]:
    """The arguments considered first. Raises ``ValueError`` for one that is not legal, or if none is left."""
    legal = observation.legal()
    listed = ", ".join(map(str, legal))
    for name, arguments in (("only", options.only), ("exclude", options.exclude)):
        for argument in arguments:
            if argument not in legal:
                raise ValueError(f"{name}: {argument} is not legal for {KINDS[observation.kind]}; allowed: {listed}")
    left = [
        argument
        for argument in legal
        if (not options.only or argument in options.only) and argument not in options.exclude
    ]
    if not left:
        raise ValueError(
            f"exclude: {', '.join(map(str, options.exclude))} leaves nothing; allowed: some but not all of {listed}"
        )
    return left


def _finished(observation: Observation, limits: SearchLimits) -> Analysis:
    """The exact evaluation of a game that is over."""
    game = observation.sample_world(0)
    seats = observation.seats
    winners = game.winners()
    wigs = [float(total) for total in game.wigs()]
    shares = tuple(1.0 / len(winners) if seat in winners else 0.0 for seat in range(seats))
    exact = Evaluation(
        seat=-1,
        visits=0,
        win_share=shares,
        win_share_error=(0.0,) * seats,
        wigs=tuple(wigs),
        wigs_error=(0.0,) * seats,
        rank_distribution=_final_ranks(wigs, winners),
        breakdown=tuple(tuple(map(float, row)) for row in game.ledger()),
    )
    return Analysis(
        candidates=(),
        evaluation=exact,
        iterations=0,
        nodes=0,
        elapsed=0.0,
        stop_reason="game_over",
        seed=limits.seed,
        limits=limits,
        seat=-1,
        observer=observation.observer,
        kind=-1,
        context=(0, 0),
        memory_used=0,
    )


def _final_ranks(wigs: Sequence[float], winners: Sequence[int]) -> tuple[tuple[float, ...], ...]:
    """[seat][place] of a finished game: the winners' places first, then by wigs, equals shared."""
    keys = [(seat in winners, wigs[seat]) for seat in range(len(wigs))]
    rows = []
    for key in keys:
        ahead = sum(other > key for other in keys)
        level = sum(other == key for other in keys)
        rows.append(tuple(1.0 / level if ahead <= place < ahead + level else 0.0 for place in range(len(keys))))
    return tuple(rows)
