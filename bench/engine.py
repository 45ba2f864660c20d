"""How fast the rules engine is: uniform random play on one core, copies of a state, sampled worlds.

``python -m bench.engine [--players N] [--games N] [--json]``. Only decisions with two or more legal actions are
counted, and listing the legal actions is part of the time. The games are fixed by the seed, so ``signature`` is the
same on every machine: it changes only when the rules, the edition or the generator do. Each figure is the best of
``REPEATS`` measurements in processor time, which leaves out what else the machine was doing.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable
from typing import Any, TypeVar

from engine_ext.bench import copy_states, play_games, sample_worlds, state_bytes
from engine_ext.core import CHECKED, KINDS, Game
from lisboa_ai import edition

T = TypeVar("T")

SEED = 2026
TURN = 12
REPEATS = 3
COPIES = 2_000_000
WORLDS = 200_000


def best_time(work: Callable[[], T]) -> tuple[float, T]:
    """The shortest of several runs in seconds of processor time, and what the work returned."""
    shortest = float("inf")
    for _ in range(REPEATS):
        began = time.process_time()
        found = work()
        shortest = min(shortest, time.process_time() - began)
    return shortest, found


def measure(players: int, games: int) -> dict[str, Any]:
    """All figures. What is copied and sampled is a position in the middle of a game."""
    engine = edition.load("house").engine
    seconds, (decisions, _, checksum) = best_time(lambda: play_games(engine, players, SEED, games))
    game = Game.deal(engine, players, SEED)
    while not game.over and (game.turn < TURN or KINDS[game.kind] != "play_card"):
        game.apply(game.legal()[0])
    observation = game.observe(game.seat)
    copying, _ = best_time(lambda: copy_states(game, COPIES))
    sampling, _ = best_time(lambda: sample_worlds(observation, SEED, WORLDS))
    return {
        "build": "checked" if CHECKED else "release",
        "players": players,
        "games": games,
        "decisions_per_second": round(decisions / seconds),
        "games_per_second": round(games / seconds),
        "decisions_per_game": round(decisions / games, 1),
        "copy_ns": round(copying / COPIES * 1e9, 1),
        "sample_world_ns": round(sampling / WORLDS * 1e9, 1),
        "state_bytes": state_bytes(),
        "signature": f"{decisions}-{checksum}",
    }


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m bench.engine", description=__doc__)
    parser.add_argument("--players", type=int, default=4, choices=(2, 3, 4), help="seats (default: 4)")
    parser.add_argument("--games", type=int, default=10_000, help="games a measurement (default: 10000)")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    arguments = parser.parse_args()
    if arguments.games < 1:
        parser.error("--games: at least 1")
    found = measure(arguments.players, arguments.games)
    if arguments.json:
        print(json.dumps(found))
        return
    print(f"{found['decisions_per_second']:,} decisions/s, {found['games_per_second']:,} games/s")
    print(f"{found['decisions_per_game']} decisions a game with {found['players']} players")
    print(f"copying a state of {found['state_bytes']} bytes: {found['copy_ns']} ns")
    print(f"sampling a world: {found['sample_world_ns']} ns")
    print(f"signature of {found['games']:,} games: {found['signature']} ({found['build']} build)")


if __name__ == "__main__":
    main()
