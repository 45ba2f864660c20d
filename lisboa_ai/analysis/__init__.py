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

from engine_ext.search.searcher import CancelFlag

from .advice import analyse, evaluate
from .options import ALGORITHMS, DEFAULT_MEMORY, DEFAULT_TIME, MAX_THREADS, SEARCHLESS, SearchLimits, SearchOptions
from .results import STOP_REASONS, Analysis, Candidate, Evaluation, Step

__all__ = [
    "ALGORITHMS",
    "DEFAULT_MEMORY",
    "DEFAULT_TIME",
    "MAX_THREADS",
    "SEARCHLESS",
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
