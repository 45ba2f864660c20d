"""From the sums of several trees to candidates with their errors."""

from __future__ import annotations

import heapq
import math
from collections.abc import Iterable, Sequence
from statistics import NormalDist
from typing import Any, Final

from engine_ext.core import Observation
from engine_ext.search.searcher import PARTS, WIG_PARTS, Searcher, finish_turn

from .model_error import ModelError, model_error
from .options import SearchOptions
from .results import Candidate, Evaluation, Step

__all__ = ["DISTINGUISHED", "IGNORANCE_WIGS", "IGNORANCE_WINS", "Merged", "Z", "added", "quantile"]

Z: Final = 1.96
"""Standard errors on each side of a 95 % confidence interval."""

IGNORANCE_WIGS: Final = 625.0
"""Variance of a final score before anything was tried: final scores spread by about 25 wigs."""
IGNORANCE_WINS: Final = 0.25
"""Variance of winning before anything was tried: as likely as not."""


def added(a: Any, b: Any) -> Any:
    """Two sums of outcomes added up: numbers, sequences and dicts of the same shape."""
    if isinstance(a, dict):
        return {name: added(a[name], b[name]) for name in a}
    if isinstance(a, (list, tuple)):
        return [added(x, y) for x, y in zip(a, b, strict=True)]
    return a + b


def _total(found: Iterable[dict[str, Any] | None]) -> dict[str, Any] | None:
    """Sums over several trees, added up in their order; None if no tree has any."""
    total: dict[str, Any] | None = None
    for one in found:
        if one is not None and one["visits"]:
            total = one if total is None else added(total, one)
    return total


DISTINGUISHED: Final = 0.95
"""Confidence with which candidates are called distinguishable."""


class Merged:
    """What several trees over one observation found, added up by candidate."""

    def __init__(
        self,
        observation: Observation,
        searchers: Sequence[Searcher],
        options: SearchOptions,
        allowed: Sequence[int] = (),
    ) -> None:
        self.observation = observation
        self.searchers = searchers
        self.decider = observation.seat
        self.flat = options.algorithm == "flat"
        self.objective = options.objective
        self.model_error = model_error(observation)
        self.lead_error = self.model_error.lead.value(options.objective)
        self.most_own = MAX_OWN if options.granularity == "turn" else 1
        self.first: dict[int, tuple[int, dict[str, Any]]] = {}
        for searcher in searchers:
            for step, available, sums in searcher.candidates():
                if step[4] in self.first:
                    before, total = self.first[step[4]]
                    self.first[step[4]] = before + available, added(total, sums)
                else:
                    self.first[step[4]] = available, sums
        self.priors = _averaged([searcher.priors() for searcher in searchers])
        self.untried = any(argument not in self.first for argument in allowed)
        self.pooled = self._pooled()
        self.ranked = ranked = sorted(self.first, key=self._order)
        if not ranked:
            raise ValueError("only: not legal in any world that was sampled; allowed: an action the seat can take")
        self.evaluation = self._evaluation(self.first[ranked[0]][1])
        if options.granularity == "turn":
            self.candidates = tuple(self._turns(options.candidates))
        else:
            self.candidates = tuple(map(self.candidate, ranked[: options.candidates]))

    def value(self, argument: int) -> float:
        """What an action that was tried is worth to the deciding seat: the mean objective."""
        sums = self.first[argument][1]
        return float(sums["rewards"][self.decider] / sums["visits"])

    def candidate(self, argument: int) -> Candidate:
        """The best candidate that begins with an action that was tried."""
        return self._candidate(self._finished(self._most_visited(argument)), self.most_own)

    def _order(self, argument: int) -> tuple[int, float, int]:
        """Robust choice: visits first, then the deciding seat's value; the value alone where visits say nothing."""
        visits = 0 if self.flat else -self.first[argument][1]["visits"]
        return visits, -self.value(argument), argument

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
                ("wigs", "wig_squares", IGNORANCE_WIGS * WIG_PARTS * WIG_PARTS),
                ("wins", "win_squares", IGNORANCE_WINS * PARTS * PARTS),
                ("rewards", "reward_squares", IGNORANCE_WINS),
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

    def _most_visited(self, first: int) -> list[Step]:
        """The line that begins with ``first``, inside the trees and up to the turn's end."""
        observation = self.observation
        steps = [Step(observation.kind, observation.seat, observation.context, first, self.first[first][1]["visits"])]
        path = [first]
        while (seen := self._look(path)) is not None and seen[1] == observation.turn and seen[2]:
            (kind, seat, a, b), _, visits = seen
            path.append(_most(visits))
            steps.append(Step(kind, seat, (a, b), path[-1], visits[path[-1]]))
        return steps

    def _finished(self, steps: list[Step]) -> tuple[Step, ...]:
        """A line carried on to the end of the turn by the cheap policy, where the trees do not reach so far."""
        rest = finish_turn(self.observation, [step.action for step in steps])
        return (*steps, *(Step(kind, seat, (a, b), action) for kind, seat, a, b, action in rest[len(steps) :]))

    def _beyond(self, line: Sequence[Step]) -> tuple[Step, ...]:
        """What is most visited after a line, where the trees have reached its end."""
        steps: list[Step] = []
        path = [step.action for step in line]
        while line[-1].visits and len(steps) < FARTHEST and (seen := self._look(path)) is not None and seen[2]:
            (kind, seat, a, b), _, visits = seen
            path.append(_most(visits))
            steps.append(Step(kind, seat, (a, b), path[-1], visits[path[-1]]))
        return tuple(steps)

    def _turns(self, most: int) -> Iterable[Candidate]:
        """Whole turns, best first: a turn's rank is the product of its decisions' visits relative to the best there.

        The first one begins with the best first decision and takes the most visited action from there on; the others
        differ from it where that costs least, of equals those that begin better. Where visits say nothing, first
        decisions count in their order. Rivals' decisions on the way are the most visited ones.
        """
        places = {argument: place for place, argument in enumerate(self.ranked)}
        heap: list[tuple[float, int, int, tuple[int, ...], list[Step]]] = [(0.0, 0, 0, (), [])]
        found = 0
        looked = 0
        while heap and found < most:
            rank, place, _, path, steps = heapq.heappop(heap)
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
                begins = place if path else places[argument]
                lost = begins if self.flat and not path else math.log(visits[best] / visits[argument])
                heapq.heappush(
                    heap, (rank + lost, begins, len(heap) + looked * 1000, (*path, argument), [*steps, step])
                )

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
        best = self.first[self.ranked[0]][1]
        first = own[0].action == self.ranked[0]
        rivals = [self.first[other][1] for other in self.ranked[1:]] if first else [sums]
        needed = quantile(DISTINGUISHED, len(self.ranked) - 1)
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
            value_error=self._errors(sums, "rewards", "reward_squares")[self.decider],
            distinguishable=all(self._distance(best, rival) > needed for rival in rivals)
            and not (first and self.untried),
            model_error=self.model_error,
            prior=self.priors.get(own[0].action),
            beyond=self._beyond(line),
        )

    def _distance(self, one: dict[str, Any], other: dict[str, Any]) -> float:
        """How many standard errors two values of the deciding seat are apart, either way, the model's included."""
        return abs(self._lead(one, other, self.lead_error))

    def _lead(self, one: dict[str, Any], other: dict[str, Any], besides: float = 0.0) -> float:
        errors = [self._errors(sums, "rewards", "reward_squares")[self.decider] for sums in (one, other)]
        values = [sums["rewards"][self.decider] / sums["visits"] for sums in (one, other)]
        return float(values[0] - values[1]) / math.hypot(*errors, besides)

    def decided(self, confidence: float, looks: int) -> bool:
        """Whether a longer search would hardly find another action better than the first candidate.

        Its lead over each other is more than sampling explains, for all comparisons at all looks together, and more
        than leads are seen to move when a search goes on. What was never tried may be better.
        """
        if self.untried:
            return False
        needed = quantile(confidence, looks * (len(self.ranked) - 1))
        once = wide_quantile(confidence)
        best, *others = (self.first[argument][1] for argument in self.ranked)
        return all(
            self._lead(best, other) > needed and self._lead(best, other, drift(other["visits"], self.objective)) > once
            for other in others
        )

    def _evaluation(self, sums: dict[str, Any]) -> Evaluation:
        visits = sums["visits"]
        return Evaluation(
            seat=self.decider,
            visits=visits,
            win_share=tuple(wins / (PARTS * visits) for wins in sums["wins"]),
            win_share_error=tuple(error / PARTS for error in self._errors(sums, "wins", "win_squares")),
            wigs=tuple(wigs / (WIG_PARTS * visits) for wigs in sums["wigs"]),
            wigs_error=tuple(error / WIG_PARTS for error in self._errors(sums, "wigs", "wig_squares")),
            rank_distribution=tuple(tuple(share / (PARTS * visits) for share in seat) for seat in sums["ranks"]),
            breakdown=tuple(tuple(wigs / (WIG_PARTS * visits) for wigs in seat) for seat in sums["ledger"]),
            model_error=self.model_error,
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
FARTHEST: Final = 40
"""Decisions beyond the turn that are told at most."""


DRIFT: Final = ModelError(win_share=0.046, wigs=3.1)
"""How far a lead moves while the trees below grow, as seen in positions searched on; see ``drift``."""


def drift(visits: int, objective: float) -> float:
    """How far a lead over a candidate with so many visits still moves as a search goes on: a standard deviation.

    Below about twenty visits the tree is so small that what it says may turn out to be about something else. One visit
    counts as two, so that a won game is decided against what loses.
    """
    number = max(2, visits)
    return float(DRIFT.value(objective) * (number**-0.3 + 7.0 / number))


def quantile(confidence: float, comparisons: int) -> float:
    """How many standard errors a difference must exceed for so many comparisons to hold together (Bonferroni)."""
    return NormalDist().inv_cdf(1.0 - (1.0 - confidence) / (2 * max(1, comparisons)))


def wide_quantile(confidence: float) -> float:
    """The same for one comparison of what is now and then far off: Student's t with 4 degrees of freedom.

    Divided by its standard deviation, so that it is in standard deviations (in closed form, Shaw 2006).
    """
    tails = 4.0 * (0.5 + confidence / 2.0) * (0.5 - confidence / 2.0)
    root = math.sqrt(tails)
    return math.sqrt(2.0) * math.sqrt(math.cos(math.acos(root) / 3.0) / root - 1.0)


def _averaged(priors: Sequence[dict[int, float]]) -> dict[int, float]:
    """What several trees say of each action, each tree counting alike: they may have seen different worlds."""
    return {
        argument: sum(one.get(argument, 0.0) for one in priors) / len(priors)
        for argument in sorted({argument for one in priors for argument in one})
    }


def _most(visits: dict[int, int]) -> int:
    """The action with the most visits; of equals the one with the lowest argument."""
    return min(visits, key=lambda argument: (-visits[argument], argument))


def _variance(total: float, squares: float, n: int) -> float:
    """Of a sample, from its sum and the sum of its squares."""
    return max(0.0, (squares - total * total / n) / (n - 1)) if n > 1 else 0.0
