"""How fast the search is: iterations a second from the demo position, one thread and two.

``python -m bench.search [--json] [--iterations N]``. The numbers of iterations are fixed, so the ``signature`` is the
same on every machine: it changes only when the search, the engine or the position does. One thread is measured in
processor time; two against one needs two cores that have nothing else to do.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import time
from importlib import resources
from typing import Any

from engine_ext.core import CHECKED, KINDS, Game, Observation
from engine_ext.search.searcher import Searcher
from lisboa_ai import edition
from lisboa_ai.analysis import SearchLimits, analyse
from lisboa_ai.bots import GreedyBot
from lisboa_ai.position import Position

SEED = 2026
TURN = 14


def position() -> Observation:
    """The demo position; without it, what the player to move knows in the middle of a fixed game of greedy bots."""
    demo = resources.files("lisboa_ai") / "data" / "demo.json"
    if demo.is_file():
        return Position.from_json(demo.read_text(encoding="utf-8")).observation
    game = Game.deal(edition.load("house").engine, 3, SEED)
    players = [GreedyBot(seat) for seat in range(3)]
    while game.turn < TURN or KINDS[game.kind] != "play_card":
        game.apply(players[game.seat].choose(game.observe(game.seat)))
    return game.observe(game.seat)


def playouts_per_second(observation: Observation, count: int) -> float:
    """Uniform playouts from sampled worlds, without a tree: what an iteration costs at least."""
    worlds = [observation.sample_world(seed) for seed in range(count)]
    began = time.process_time()
    for seed, world in enumerate(worlds):
        world.play_out(seed)
    return count / (time.process_time() - began)


def measure(observation: Observation, playout: str, iterations: int) -> dict[str, Any]:
    """One tree, one thread."""
    searcher = Searcher(observation, seed=1, playout=playout, objective=0.8, exploration=0.3)
    began = time.process_time()
    searcher.run(iterations)
    elapsed = time.process_time() - began
    return {
        "iterations_per_second": round(iterations / elapsed),
        "playout_decisions_per_second": round(searcher.playout_decisions / elapsed),
        "playout_decisions": round(searcher.playout_decisions / iterations, 1),
        "tree_decisions": round(searcher.tree_decisions / iterations, 1),
        "nodes": searcher.nodes,
        "bytes_per_iteration": round(searcher.memory_used / iterations),
        "visits": sorted((step[4], sums["visits"]) for step, _, sums in searcher.candidates()),
    }


def default_iterations_per_second(observation: Observation, iterations: int) -> float:
    """The search as it is by default: a cheap policy, playouts cut short, the value function."""
    began = time.process_time()
    analyse(observation, SearchLimits(iterations=iterations, seed=1))
    return iterations / (time.process_time() - began)


def threads_ratios(observation: Observation, iterations: int) -> tuple[float, float]:
    """Two threads against one, for as many iterations each: how fast, and the processor time of an iteration."""
    clock, processor = [], []
    for threads in (1, 2):
        began, begun = time.perf_counter(), time.process_time()
        analyse(observation, SearchLimits(iterations=iterations * threads, threads=threads, seed=1))
        clock.append(time.perf_counter() - began)
        processor.append(time.process_time() - begun)
    return 2 * clock[0] / clock[1], processor[1] / (2 * processor[0])


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m bench.search", description=__doc__)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--iterations", type=int, default=30_000, help="of each measurement (default: 30000)")
    arguments = parser.parse_args()
    observation = position()
    results: dict[str, Any] = {
        "build": "checked" if CHECKED else "release",
        "iterations": arguments.iterations,
        "sensible": measure(observation, "sensible", arguments.iterations),
        "uniform": measure(observation, "uniform", arguments.iterations),
        "uniform_playouts_per_second": round(playouts_per_second(observation, max(100, arguments.iterations // 10))),
        "default_iterations_per_second": round(default_iterations_per_second(observation, arguments.iterations)),
    }
    faster, processor = threads_ratios(observation, arguments.iterations)
    results["two_threads_against_one"] = round(faster, 2)
    results["processor_time_of_two_threads"] = round(processor, 2)
    visits = [results[playout].pop("visits") for playout in ("sensible", "uniform")]
    results["signature"] = hashlib.sha256(repr(visits).encode()).hexdigest()[:16]
    results["iterations_per_second"] = results["sensible"]["iterations_per_second"]
    if arguments.json:
        print(json.dumps(results))
        return
    for playout in ("sensible", "uniform"):
        found = results[playout]
        print(
            f"{playout:9} {found['iterations_per_second']:>8,} iterations/s  "
            f"{found['playout_decisions_per_second']:>10,} playout decisions/s  "
            f"{found['playout_decisions']:>6} + {found['tree_decisions']} decisions an iteration  "
            f"{found['bytes_per_iteration']} bytes an iteration"
        )
    print(f"uniform playouts without a tree: {results['uniform_playouts_per_second']:,} a second")
    print(f"the default search: {results['default_iterations_per_second']:,} iterations/s")
    print(
        f"two threads against one: {results['two_threads_against_one']} times as fast, "
        f"{results['processor_time_of_two_threads']} times the processor time an iteration"
    )
    print(f"signature after {arguments.iterations:,} iterations: {results['signature']} ({results['build']} build)")


if __name__ == "__main__":
    main()
