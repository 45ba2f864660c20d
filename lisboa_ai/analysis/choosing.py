"""What is played: a level's pick of what a search found, or a choice without any search."""

from __future__ import annotations

import random
import time as clock
from collections.abc import Sequence

from engine_ext.core import Observation

from ..greedy import ranked
from ..levels import LEVELS, pick
from ..seeds import seed_of
from .options import SearchLimits, SearchOptions
from .results import Analysis, Candidate, Evaluation, Step
from .statistics import Merged

__all__ = ["picked", "unsearched"]


def picked(found: Merged, level: int | None, seed: int) -> tuple[tuple[Candidate, ...], int]:
    """The candidates to report, and the index of the one to play, which follows them if it is not among them."""
    if level is None:
        return found.candidates, 0
    values = [found.value(argument) for argument in found.ranked]
    argument = found.ranked[pick(values, LEVELS[level], _seed(found.observation, found.ranked, seed))]
    for index, candidate in enumerate(found.candidates):
        if candidate.actions[0] == argument:
            return found.candidates, index
    return (*found.candidates, found.candidate(argument)), len(found.candidates)


def unsearched(
    observation: Observation, arguments: Sequence[int], limits: SearchLimits, options: SearchOptions
) -> Analysis:
    """The greedy bot's order of these arguments, or a random one; nothing is estimated."""
    began = clock.monotonic()
    draw = random.Random(_seed(observation, arguments, limits.seed))
    if options.algorithm == "greedy":
        order = ranked(observation, arguments, draw)
    else:
        order = draw.sample(arguments, len(arguments))
    steps = [Step(observation.kind, observation.seat, observation.context, argument) for argument in order]
    return Analysis(
        candidates=tuple(_unestimated(step) for step in steps[: options.candidates]),
        evaluation=Evaluation(observation.seat, 0, (), (), (), (), (), ()),
        iterations=0,
        nodes=0,
        elapsed=clock.monotonic() - began,
        stop_reason="no_search",
        seed=limits.seed,
        limits=limits,
        seat=observation.seat,
        observer=observation.observer,
        kind=observation.kind,
        context=observation.context,
        memory_used=0,
    )


def _unestimated(step: Step) -> Candidate:
    return Candidate((step.action,), (step,), (step,), 0, 0, (), (), (), (), (), (), ())


def _seed(observation: Observation, arguments: Sequence[int], seed: int) -> int:
    """Another draw for every decision, so that one seed for a whole game does not always draw the same way."""
    return seed_of(seed, "choice", observation.turn, observation.kind, *observation.context, *arguments)
