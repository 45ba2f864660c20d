"""Find the best move: search an observation and say what every candidate is worth, with its errors.

>>> from lisboa_ai import analysis, edition
>>> from engine_ext.core import Game
>>> game = Game.deal(edition.load("house").engine, seats=3, seed=1)
>>> found = analysis.analyse(game.observe(0), analysis.SearchLimits(iterations=200, seed=1))
>>> found.stop_reason, found.iterations, found.best.actions[0] in game.legal()
('iterations', 200, True)

The search is single-observer information-set Monte Carlo tree search. It takes an ``Observation``, so it knows what
one seat may know and nothing else. With a seed, a number of iterations and a number of threads the answer is
reproducible: equal observations give equal analyses, elapsed times aside.
"""

from __future__ import annotations

import hashlib
import heapq
import math
import time as clock
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from typing import Any, Final, Literal

from engine_ext.core import KINDS, Observation
from engine_ext.search.searcher import MIN_MEMORY, PARTS, PLAYOUTS, CancelFlag, Searcher, finish_turn

__all__ = [
    "DEFAULT_MEMORY",
    "DEFAULT_TIME",
    "MAX_THREADS",
    "STOP_REASONS",
    "Analysis",
    "CancelFlag",
    "Candidate",
    "Evaluation",
    "SearchLimits",
    "SearchOptions",
    "Step",
    "analyse",
    "evaluate",
]

DEFAULT_TIME: Final = 1.0
"""Seconds a search takes when its limits name neither time nor iterations."""
DEFAULT_MEMORY: Final = 256 << 20
"""Bytes for the trees of a search when its limits do not say."""
MAX_THREADS: Final = 64
SINGLE_ITERATIONS: Final = 256
"""Iterations spent on a decision with one legal action: enough to evaluate it."""
STOP_REASONS: Final = ("iterations", "time", "memory", "cancelled", "single_action", "game_over")
SLICE: Final = 0.1
"""Seconds after which a running search looks up, so that an interrupt from the keyboard gets through."""
UNLIMITED: Final = 1 << 62
IGNORANCE_WIGS: Final = 625.0
"""Variance of a final score before anything was tried: final scores spread by about 25 wigs."""
IGNORANCE_WINS: Final = 0.25
"""Variance of winning before anything was tried: as likely as not."""


@dataclass(frozen=True, slots=True)
class SearchLimits:
    """When a search stops: whichever limit is met first. Raises ``ValueError`` naming field, value and what is allowed.

    time: seconds. iterations: passes in all, over all threads. With neither, ``DEFAULT_TIME`` holds.
    memory: bytes for the trees of all threads together; None is ``DEFAULT_MEMORY``.
    threads: independent trees searched at the same time and added up. seed: any integer.
    """

    time: float | None = None
    iterations: int | None = None
    memory: int | None = None
    threads: int = 1
    seed: int = 0

    def __post_init__(self) -> None:
        if self.time is not None and not 0.0 <= self.time <= 86400.0:
            raise ValueError(f"time: {self.time} seconds; allowed: 0 to 86400")
        if self.iterations is not None and not 1 <= self.iterations <= UNLIMITED:
            raise ValueError(f"iterations: {self.iterations}; allowed: 1 or more")
        if not 1 <= self.threads <= MAX_THREADS:
            raise ValueError(f"threads: {self.threads}; allowed: 1 to {MAX_THREADS}")
        if self.memory is not None and self.memory < MIN_MEMORY * self.threads:
            raise ValueError(f"memory: {self.memory} bytes; allowed: {MIN_MEMORY} or more for each thread")

    def effective(self) -> SearchLimits:
        """These limits with the defaults filled in."""
        unlimited = self.time is None and self.iterations is None
        memory = max(DEFAULT_MEMORY, MIN_MEMORY * self.threads) if self.memory is None else self.memory
        return replace(self, time=DEFAULT_TIME if unlimited else self.time, memory=memory)


@dataclass(frozen=True, slots=True)
class SearchOptions:
    """What a search goes for and what it answers. Raises ``ValueError`` naming field, value and what is allowed.

    objective: 0 win share to 1 margin in wigs over the best rival, or a blend. candidates: how many are reported.
    granularity: candidates are first decisions, or whole turns (all decisions of the seat up to the turn's end).
    only, exclude: arguments of the first decision to consider, or to leave out. assumptions: (seat, card ids) pairs:
    a rival is taken to hold these cards. exploration: constant of the upper confidence bound. playout: "sensible"
    (rules of thumb) or "uniform".
    """

    objective: float = 0.8
    candidates: int = 5
    granularity: Literal["decision", "turn"] = "decision"
    only: tuple[int, ...] = ()
    exclude: tuple[int, ...] = ()
    assumptions: tuple[tuple[int, tuple[int, ...]], ...] = ()
    exploration: float = 0.3
    playout: str = "sensible"

    def __post_init__(self) -> None:
        if not 0.0 <= self.objective <= 1.0:
            raise ValueError(f"objective: {self.objective}; allowed: 0 (win share) to 1 (margin in wigs)")
        if not 1 <= self.candidates <= 1000:
            raise ValueError(f"candidates: {self.candidates}; allowed: 1 to 1000")
        if self.granularity not in ("decision", "turn"):
            raise ValueError(f"granularity: {self.granularity!r}; allowed: decision, turn")
        if not 0.0 <= self.exploration <= 100.0:
            raise ValueError(f"exploration: {self.exploration}; allowed: 0 to 100")
        if self.playout not in PLAYOUTS:
            raise ValueError(f"playout: {self.playout!r}; allowed: {', '.join(PLAYOUTS)}")


@dataclass(frozen=True, slots=True)
class Step:
    """One decision of a line: its kind, seat and context (the frame's a and b), the action, and its visits.

    0 visits: beyond the tree, filled in by the cheap policy that playouts use.
    """

    kind: int
    seat: int
    context: tuple[int, int]
    action: int
    visits: int = 0

    @property
    def kind_name(self) -> str:
        """The kind's name, such as ``"play_card"``."""
        return KINDS[self.kind]


@dataclass(frozen=True, slots=True)
class Evaluation:
    """What a position is worth to each seat if the best candidate is played. Every tuple is by seat.

    win_share: adds up to 1 over the seats; ties that the rules do not break are shared. wigs: mean final score.
    rank_distribution: [seat][place], each row adds up to 1. breakdown: [seat][category] mean wigs, in the order of
    ``CATEGORIES``, which adds up to ``wigs``. Every iteration samples a new world, so the standard errors hold the
    spread of worlds as well as that of playouts. seat: whose decision it is; visits: iterations behind the numbers.
    """

    seat: int
    visits: int
    win_share: tuple[float, ...]
    win_share_error: tuple[float, ...]
    wigs: tuple[float, ...]
    wigs_error: tuple[float, ...]
    rank_distribution: tuple[tuple[float, ...], ...]
    breakdown: tuple[tuple[float, ...], ...]


@dataclass(frozen=True, slots=True)
class Candidate:
    """An action, or a whole turn, and what it is worth to each seat.

    actions: the arguments of the deciding seat, from the first decision on: one, or all of its turn. steps: the same
    as steps, which say what each answers. line: every seat's decisions from the first one to the end of the turn.
    visits: iterations that took it (of a turn: its part inside the tree). availability: iterations in whose worlds
    its first action was legal. value: mean objective by seat, 0 to 1. Everything else as in ``Evaluation``.
    """

    actions: tuple[int, ...]
    steps: tuple[Step, ...]
    line: tuple[Step, ...]
    visits: int
    availability: int
    value: tuple[float, ...]
    win_share: tuple[float, ...]
    win_share_error: tuple[float, ...]
    wigs: tuple[float, ...]
    wigs_error: tuple[float, ...]
    rank_distribution: tuple[tuple[float, ...], ...]
    breakdown: tuple[tuple[float, ...], ...]


@dataclass(frozen=True, slots=True)
class Analysis:
    """The answer of a search: candidates, best first, and how it was found.

    Candidates are ordered by visits, then by the deciding seat's value. stop_reason: one of ``STOP_REASONS``. seat: who
    decides; observer: whose knowledge was searched. kind, context: the decision. limits: as they were in force.
    elapsed: seconds. nodes, memory_used (bytes): of all trees together.
    """

    candidates: tuple[Candidate, ...]
    evaluation: Evaluation
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

    @property
    def best(self) -> Candidate:
        """The first candidate."""
        return self.candidates[0]


def analyse(
    observation: Observation,
    limits: SearchLimits | None = None,
    options: SearchOptions | None = None,
    *,
    cancel: CancelFlag | None = None,
    on_progress: Callable[[Analysis], None] | None = None,
    progress_every: float = 0.25,
) -> Analysis:
    """Search for the best action, or turn, of the observer, who must be the one to decide.

    ``on_progress`` gets interim analyses about every ``progress_every`` seconds; the tree is kept. Setting ``cancel``
    ends the search at its next iteration, with what was found. Runs in the calling thread and ``threads - 1`` others,
    the GIL released. Raises ``ValueError`` naming the field, its value and what was allowed.
    """
    if observation.over:
        raise ValueError("position: the game is over; allowed: a position with a pending decision")
    if observation.seat != observation.observer:
        raise ValueError(f"seat: {observation.observer} is not to act; allowed: {observation.seat}")
    return _search(observation, limits, options, cancel, on_progress, progress_every)


def evaluate(
    observation: Observation,
    limits: SearchLimits | None = None,
    options: SearchOptions | None = None,
    *,
    cancel: CancelFlag | None = None,
    on_progress: Callable[[Analysis], None] | None = None,
    progress_every: float = 0.25,
) -> Analysis:
    """Like ``analyse``, whoever decides; of a finished game too: then it is exact and has no candidates."""
    if observation.over:
        return _finished(observation, (limits or SearchLimits()).effective())
    return _search(observation, limits, options, cancel, on_progress, progress_every)


# --- running --------------------------------------------------------------------------------------------------------


def _search(
    observation: Observation,
    limits: SearchLimits | None,
    options: SearchOptions | None,
    cancel: CancelFlag | None,
    on_progress: Callable[[Analysis], None] | None,
    progress_every: float,
) -> Analysis:
    started = clock.monotonic()
    limits = (limits or SearchLimits()).effective()
    options = options or SearchOptions()
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
    allowed = _allowed(observation, options)
    single = len(allowed) == 1 and options.granularity == "decision"
    most = min(limits.iterations or UNLIMITED, SINGLE_ITERATIONS if single else UNLIMITED)
    count = min(limits.threads, most)
    assert limits.memory is not None
    searchers = [
        Searcher(
            observation,
            seed=_derived(limits.seed, i),
            objective=options.objective,
            exploration=options.exploration,
            playout=options.playout,
            memory=limits.memory // limits.threads,
            by_turn=options.granularity == "turn",
            allowed=allowed if options.only or options.exclude else None,
        )
        for i in range(count)
    ]
    shares = [most // count + (i < most % count) for i in range(count)]

    def snapshot(reason: str) -> Analysis:
        found = _Merged(observation, searchers, options)
        return Analysis(
            candidates=found.candidates,
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
        )

    until = None if limits.time is None else started + limits.time
    next_report = started + progress_every
    with ThreadPoolExecutor(max_workers=max(1, count - 1)) as pool:
        while True:
            left = SLICE if until is None else max(0.0, until - clock.monotonic())
            piece = min(SLICE, left)
            others = [
                pool.submit(searcher.run, share, piece, cancel)
                for searcher, share in zip(searchers[1:], shares[1:], strict=True)
            ]
            reasons = [searchers[0].run(shares[0], piece, cancel), *(other.result() for other in others)]
            reason = _reason(reasons, until is not None and clock.monotonic() >= until)
            if reason is not None:
                break
            if on_progress is not None and clock.monotonic() >= next_report:
                on_progress(snapshot("running"))
                next_report = clock.monotonic() + progress_every
    if single and reason == "iterations" and most == SINGLE_ITERATIONS:
        reason = "single_action"
    return snapshot(reason)


def _reason(reasons: Sequence[str], out_of_time: bool) -> str | None:
    """Which limit ended the search, or None if it goes on: all trees are done, or one has hit a hard limit."""
    for hard in ("cancelled", "memory"):
        if hard in reasons:
            return hard
    if all(reason == "iterations" for reason in reasons):
        return "iterations"
    return "time" if out_of_time else None


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


# --- reading the trees ----------------------------------------------------------------------------------------------


def _added(a: Any, b: Any) -> Any:
    """Two sums of outcomes added up: numbers, lists and dicts of the same shape."""
    if isinstance(a, dict):
        return {name: _added(a[name], b[name]) for name in a}
    if isinstance(a, list):
        return [_added(x, y) for x, y in zip(a, b, strict=True)]
    return a + b


def _total(found: Iterable[dict[str, Any] | None]) -> dict[str, Any] | None:
    """Sums over several trees, added up in their order; None if no tree has any."""
    total: dict[str, Any] | None = None
    for one in found:
        if one is not None and one["visits"]:
            total = one if total is None else _added(total, one)
    return total


class _Merged:
    """What several trees over one observation found, added up by candidate."""

    def __init__(self, observation: Observation, searchers: Sequence[Searcher], options: SearchOptions) -> None:
        self.observation = observation
        self.searchers = searchers
        self.decider = observation.seat
        self.first: dict[int, tuple[int, dict[str, Any]]] = {}
        for searcher in searchers:
            for step, available, sums in searcher.candidates():
                if step[4] in self.first:
                    before, total = self.first[step[4]]
                    self.first[step[4]] = before + available, _added(total, sums)
                else:
                    self.first[step[4]] = available, sums
        self.pooled = self._pooled()
        ranked = sorted(self.first, key=self._order)
        if not ranked:
            raise ValueError("only: not legal in any world that was sampled; allowed: an action the seat can take")
        self.evaluation = self._evaluation(self.first[ranked[0]][1])
        if options.granularity == "turn":
            self.candidates = tuple(self._turns(options.candidates))
        else:
            self.candidates = tuple(
                self._candidate(self._finished(self._most_visited((argument,))), 1)
                for argument in ranked[: options.candidates]
            )

    def _order(self, argument: int) -> tuple[int, float, int]:
        """Robust choice: visits first, then the deciding seat's value."""
        sums = self.first[argument][1]
        return -sums["visits"], -sums["rewards"][self.decider] / sums["visits"], argument

    def _pooled(self) -> dict[str, list[float]]:
        """Variance by seat over all iterations; it steadies the errors of candidates with few visits.

        Never less than what nothing is known would say, shrinking with visits: one playout has an error too.
        """
        total = _total(sums for _, sums in self.first.values())
        if total is None:
            return {}
        return {
            name: [
                max(_variance(total[name][seat], total[squares][seat], total["visits"]), ignorance / total["visits"])
                for seat in range(len(total["wigs"]))
            ]
            for name, squares, ignorance in (
                ("wigs", "wig_squares", IGNORANCE_WIGS),
                ("wins", "win_squares", IGNORANCE_WINS * PARTS * PARTS),
            )
        }

    # --- lines and turns

    def _look(self, arguments: Sequence[int]) -> tuple[tuple[int, int, int, int], int, dict[int, int]] | None:
        """The decision after these arguments, visits of all trees added up; the first to reach it says which it is."""
        decision: tuple[tuple[int, int, int, int], int] | None = None
        visits: dict[int, int] = {}
        for searcher in self.searchers:
            seen = searcher.look(arguments)
            if seen is None or (decision is not None and seen[:2] != decision):
                continue
            decision = seen[0], seen[1]
            for argument, number in seen[2].items():
                visits[argument] = visits.get(argument, 0) + number
        return None if decision is None else (*decision, visits)

    def _most_visited(self, arguments: tuple[int, ...]) -> list[Step]:
        """The line that begins with ``arguments``, inside the trees and up to the turn's end."""
        steps: list[Step] = []
        path: list[int] = []
        while (seen := self._look(path)) is not None and seen[1] == self.observation.turn and seen[2]:
            (kind, seat, a, b), _, visits = seen
            wanted = arguments[len(path)] if len(path) < len(arguments) else _most(visits)
            if wanted not in visits:
                break
            steps.append(Step(kind, seat, (a, b), wanted, visits[wanted]))
            path.append(wanted)
        return steps

    def _finished(self, steps: list[Step]) -> tuple[Step, ...]:
        """A line carried on to the end of the turn by the cheap policy, where the trees do not reach so far."""
        rest = finish_turn(self.observation, [step.action for step in steps])
        return (*steps, *(Step(kind, seat, (a, b), action) for kind, seat, a, b, action in rest[len(steps) :]))

    def _turns(self, most: int) -> Iterable[Candidate]:
        """Whole turns, best first: a turn's rank is the product of its decisions' visits relative to the best there.

        The first one takes the most visited action everywhere; the others differ from it where that costs least.
        Rivals' decisions on the way are the most visited ones.
        """
        heap: list[tuple[float, int, tuple[int, ...], list[Step]]] = [(0.0, 0, (), [])]
        found = 0
        looked = 0
        while heap and found < most:
            rank, _, path, steps = heapq.heappop(heap)
            seen = self._look(path) if looked < 50 * most else None
            looked += 1
            if seen is None or seen[1] != self.observation.turn or not seen[2]:
                found += 1
                yield self._candidate(self._finished(steps), MAX_OWN)
                continue
            (kind, seat, a, b), _, visits = seen
            best = _most(visits)
            for argument in sorted(visits) if seat == self.decider else [best]:
                step = Step(kind, seat, (a, b), argument, visits[argument])
                cost = rank + math.log(visits[best] / visits[argument])
                heapq.heappush(heap, (cost, len(heap) + looked * 1000, (*path, argument), [*steps, step]))

    # --- numbers

    def _candidate(self, line: tuple[Step, ...], most_own: int) -> Candidate:
        own = [step for step in line if step.seat == self.decider][:most_own]
        decisions = [(step.kind, step.action) for step in own]
        sums: dict[str, Any] | None = None
        depth = max(1, sum(step.visits > 0 for step in own))
        while sums is None:
            sums = _total(searcher.beginning(decisions[:depth]) for searcher in self.searchers)
            depth -= 1
        numbers = self._evaluation(sums)
        return Candidate(
            actions=tuple(step.action for step in own),
            steps=tuple(own),
            line=line,
            visits=numbers.visits,
            availability=self.first[own[0].action][0],
            value=tuple(reward / numbers.visits for reward in sums["rewards"]),
            win_share=numbers.win_share,
            win_share_error=numbers.win_share_error,
            wigs=numbers.wigs,
            wigs_error=numbers.wigs_error,
            rank_distribution=numbers.rank_distribution,
            breakdown=numbers.breakdown,
        )

    def _evaluation(self, sums: dict[str, Any]) -> Evaluation:
        visits = sums["visits"]
        return Evaluation(
            seat=self.decider,
            visits=visits,
            win_share=tuple(wins / (PARTS * visits) for wins in sums["wins"]),
            win_share_error=tuple(error / PARTS for error in self._errors(sums, "wins", "win_squares")),
            wigs=tuple(wigs / visits for wigs in sums["wigs"]),
            wigs_error=tuple(self._errors(sums, "wigs", "wig_squares")),
            rank_distribution=tuple(tuple(share / (PARTS * visits) for share in seat) for seat in sums["ranks"]),
            breakdown=tuple(tuple(wigs / visits for wigs in seat) for seat in sums["ledger"]),
        )

    def _errors(self, sums: dict[str, Any], name: str, squares: str) -> list[float]:
        """Standard errors of the means, by seat. Two visits' worth of the pooled variance keeps few visits honest."""
        n = sums["visits"]
        return [
            math.sqrt(((n - 1) * _variance(total, square, n) + 2 * pooled) / (n + 1) / n)
            for total, square, pooled in zip(sums[name], sums[squares], self.pooled[name], strict=True)
        ]


MAX_OWN: Final = 1000
"""More decisions than a seat has in a turn."""


def _most(visits: dict[int, int]) -> int:
    """The action with the most visits; of equals the one with the lowest argument."""
    return min(visits, key=lambda argument: (-visits[argument], argument))


def _variance(total: float, squares: float, n: int) -> float:
    """Of a sample, from its sum and the sum of its squares."""
    return max(0.0, (squares - total * total / n) / (n - 1)) if n > 1 else 0.0


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
