"""Measures a peer in the interpreter that has it: started by ``bench.peers``, needs nothing of this project.

Lines of JSON. The first line out says which peers can be imported: ``{"catanatron": "3.2.1", "open_spiel": null}``.
Then each line in, ``{"work": one of WORK, "seconds": at least so many, "seed": an integer}``, is answered by
``{"seconds": ...}`` and what was counted. Seconds are processor time of this process.
"""

from __future__ import annotations

import importlib
import json
import os
import random
import sys
import time
from collections.abc import Callable, Iterator
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from typing import Any

Counts = dict[str, float]

PEERS = {"catanatron": ("catanatron", "catanatron"), "open_spiel": ("pyspiel", "open-spiel")}
"""Module and distribution of each peer."""
GAMES_TO_COUNT = 400
PLAYOUTS_AT_ONCE = 100
SIMULATIONS_AT_ONCE = 1000
EXPLORATION = 5.0
"""What OpenSpiel's tests of its C++ search take."""


def version_of(module: str, distribution: str) -> str | None:
    """The version of a peer; None if it cannot be imported."""
    try:
        importlib.import_module(module)
        return version(distribution)
    except (ImportError, PackageNotFoundError):
        return None


def repeat(seconds: float, work: Callable[[], Counts]) -> Counts:
    """The sums of what repeated work counts, until it has taken so long, and how long that was."""
    total: Counts = {}
    began = time.process_time()
    while (elapsed := time.process_time() - began) < seconds or not total:
        for name, count in work().items():
            total[name] = total.get(name, 0) + count
    return {**total, "seconds": elapsed}


# --- catanatron ------------------------------------------------------------------------------------------------------


def catanatron_random(seconds: float, seed: int) -> Counts:
    """Whole games of four of its random players: every decision they are asked for, and those that leave a choice."""
    catanatron: Any = importlib.import_module("catanatron")
    counted = {"decisions": 0, "choices": 0}

    class Counting(catanatron.RandomPlayer):  # type: ignore[name-defined, misc]
        def decide(self, game: Any, playable_actions: Any) -> Any:
            counted["decisions"] += 1
            counted["choices"] += len(playable_actions) > 1
            return super().decide(game, playable_actions)

    seeds = random.Random(seed)

    def one_game() -> Counts:
        counted.update(decisions=0, choices=0)
        colours = [catanatron.Color.RED, catanatron.Color.BLUE, catanatron.Color.ORANGE, catanatron.Color.WHITE]
        catanatron.Game([Counting(colour) for colour in colours], seed=seeds.getrandbits(31) + 1).play()
        return {"games": 1, **counted}

    return repeat(seconds, one_game)


# --- OpenSpiel -------------------------------------------------------------------------------------------------------


def random_steps(state: Any, rng: random.Random) -> Iterator[int]:
    """Plays a state to its end at random; how many actions each player's decision had."""
    while not state.is_terminal():
        if state.is_chance_node():
            play_chance(state, rng)
        else:
            legal = state.legal_actions()
            yield len(legal)
            state.apply_action(rng.choice(legal))


def play_chance(state: Any, rng: random.Random) -> None:
    """One thing that chance decides."""
    outcomes, chances = zip(*state.chance_outcomes(), strict=True)
    state.apply_action(rng.choices(outcomes, chances)[0])


def dealt_gin_rummy(seed: int) -> Any:
    """Gin rummy at its first decision."""
    pyspiel: Any = importlib.import_module("pyspiel")
    state = pyspiel.load_game("gin_rummy").new_initial_state()
    rng = random.Random(seed)
    while state.is_chance_node():
        play_chance(state, rng)
    return state


@cache
def gin_rummy_length() -> tuple[float, float]:
    """Mean decisions of a random game, and of those that leave a choice: the loop in C++ does not count them."""
    rng = random.Random(0)
    sizes = [list(random_steps(dealt_gin_rummy(i), rng)) for i in range(GAMES_TO_COUNT)]
    decisions = sum(map(len, sizes))
    choices = sum(size > 1 for game in sizes for size in game)
    return decisions / GAMES_TO_COUNT, choices / GAMES_TO_COUNT


def gin_rummy_playouts(seconds: float, seed: int) -> Counts:
    """Random playouts by its C++ evaluator, in a loop in C++.

    Python cannot call the evaluator. A search of two simulations does little else than evaluate twice, so it is given
    an evaluator that plays many games for each.
    """
    pyspiel: Any = importlib.import_module("pyspiel")
    decisions, choices = gin_rummy_length()
    state = dealt_gin_rummy(seed)
    evaluator = pyspiel.RandomRolloutEvaluator(PLAYOUTS_AT_ONCE, seed)
    bot = pyspiel.ISMCTSBot(seed, evaluator, EXPLORATION, 2)

    def two_simulations() -> Counts:
        bot.step(state)
        games = 2 * PLAYOUTS_AT_ONCE
        return {"games": games, "decisions": games * decisions, "choices": games * choices}

    return repeat(seconds, two_simulations)


def gin_rummy_ismcts(seconds: float, seed: int) -> Counts:
    """Its C++ search with one random playout a simulation, at the first decision of a game."""
    pyspiel: Any = importlib.import_module("pyspiel")
    state = dealt_gin_rummy(seed)
    bot = pyspiel.ISMCTSBot(seed, pyspiel.RandomRolloutEvaluator(1, seed), EXPLORATION, SIMULATIONS_AT_ONCE)

    def one_search() -> Counts:
        bot.step(state)
        return {"simulations": SIMULATIONS_AT_ONCE}

    return repeat(seconds, one_search)


WORK: dict[str, Callable[[float, int], Counts]] = {
    "catanatron_random": catanatron_random,
    "gin_rummy_playouts": gin_rummy_playouts,
    "gin_rummy_ismcts": gin_rummy_ismcts,
}


def main() -> None:
    """Answer requests until the input ends. What a peer prints goes to the error stream."""
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    print(json.dumps({name: version_of(*where) for name, where in PEERS.items()}), file=answers, flush=True)
    for line in sys.stdin:
        request = json.loads(line)
        print(json.dumps(WORK[request["work"]](request["seconds"], request["seed"])), file=answers, flush=True)


if __name__ == "__main__":
    main()
