"""Are predicted win shares true? Positions out of games of the search against itself, and how those games went on.

``python -m bench.win_shares [--positions N] [--plot FILE] [--fit] ...`` plays games with ``--play`` iterations for
each decision, takes ``--each`` decisions out of each game, one from every part of it, evaluates them anew with
``--search`` iterations from what the deciding seat knows, and compares with how the game ended. It prints tables as
Markdown. Everything follows from ``--seed``; the log in ``build/win_shares`` goes on where it was stopped.

``--fit`` writes weights like those that were used, with another level and another spread for each number of players
(``bench.reliability.recalibrated``). To check them, use another seed.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import numpy as np

from bench.reliability import OWN_TURNS, plot, recalibrated, report
from bench.selfplay import SEATS, played, spread_out, winning
from bench.worklog import done, of_file
from engine_ext.core import CATEGORIES, Game
from engine_ext.search.searcher import VALUE_FEATURES, expected_turns, features
from lisboa_ai import values
from lisboa_ai.analysis import SearchLimits, SearchOptions, evaluate
from lisboa_ai.seeds import seed_of


def value_share(game: Game, weights: str = "") -> list[float]:
    """Win shares by the value function alone: in proportion to e to the power of a seat's final wigs by a scale."""
    flat = values.weights(game.seats, weights)
    table = np.array(flat[:-2]).reshape(len(VALUE_FEATURES), len(CATEGORIES))
    wigs = [sum(now) + (np.array(features(game, seat)) @ table).sum() for seat, now in enumerate(game.score_now())]
    scale = flat[-2] + flat[-1] * (expected_turns(game) / game.seats) ** 0.5
    strength = np.exp((np.array(wigs) - max(wigs)) / scale)
    return [round(float(one), 5) for one in strength / strength.sum()]


def looked_at(number: int, settings: dict[str, Any]) -> dict[str, Any]:
    """A line of the log: a game's positions, what was predicted there, and what came of it."""
    seed, weights = settings["seed"], settings["weights"]
    game = played(number, seed, settings["play"], weights)
    positions = []
    for place in spread_out(len(game.moments), settings["each"], seed_of(seed, "place", number)):
        then = game.moments[place]
        limits = SearchLimits(iterations=settings["search"], seed=seed_of(seed, "search", number, place))
        found = evaluate(then.observe(then.seat), limits, SearchOptions(candidates=1, weights=weights)).evaluation
        positions.append(
            {
                "decision": place,
                "turn": then.turn,
                "seat": then.seat,
                "turns_left": expected_turns(then),
                "own_turns": [features(then, seat)[OWN_TURNS] for seat in range(then.seats)],
                "win_share": found.win_share,
                "win_share_error": found.win_share_error,
                "wigs": found.wigs,
                "wigs_error": found.wigs_error,
                "breakdown": found.breakdown,
                "value_share": value_share(then, weights),
            }
        )
    return {
        "number": number,
        "seats": game.end.seats,
        "positions": positions,
        "won": winning(game.end),
        "ledger": game.end.ledger(),
        "turns": game.end.turn,
    }


def main(arguments: list[str] | None = None) -> None:
    """Play and evaluate what is missing, then print."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.win_shares", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--positions", type=int, default=2000, help="about so many, in whole games (default: 2000)")
    parser.add_argument("--each", type=int, default=4, help="positions out of each game (default: 4)")
    parser.add_argument("--play", type=int, default=100, help="iterations of each decision played (default: 100)")
    parser.add_argument("--search", type=int, default=1000, help="iterations of each evaluation (default: 1000)")
    parser.add_argument("--seed", type=int, default=1, help="of everything (default: 1)")
    parser.add_argument("--jobs", type=int, default=1, help="processes (default: 1)")
    parser.add_argument("--weights", default="", help="a file of weights instead of the bundled ones")
    parser.add_argument("--plot", type=Path, help="write a picture, .svg")
    parser.add_argument("--fit", type=Path, help="write the weights that these positions ask for")
    given = parser.parse_args(arguments)
    for name in ("positions", "each", "play", "search", "jobs"):
        if getattr(given, name) < 1:
            parser.error(f"--{name}: {getattr(given, name)}; allowed: 1 or more")
    settings = {name: getattr(given, name) for name in ("each", "play", "search", "seed", "weights")}
    settings.update(of_file(given.weights))
    games = -(-given.positions // given.each)
    games += -games % len(SEATS)
    found = done("win_shares", settings, looked_at, range(games), given.jobs)
    print(report(found))
    if given.fit:
        table = recalibrated(found, values.table(given.weights))
        given.fit.write_text(json.dumps(table, separators=(", ", ": ")) + "\n", encoding="utf-8")
    if given.plot:
        plot(found, given.plot)


if __name__ == "__main__":
    main()
