"""Are the printed errors true? Predictions against the same positions played to their end several times.

``python -m bench.true_errors [--positions N] [--worlds N] ...`` takes decisions out of games of the search against
itself, compares the best action with another candidate by ``lisboa_ai.compare`` (``--search`` iterations each), and
plays both on to the end in ``--worlds`` sampled worlds, every decision by a search of ``--play`` iterations. Two
games of one position miss its true mean independently of each other, so the product of what both miss the prediction
by is, on average, the square of the prediction's own error: few games for each position tell how large that is.
What the printed error does not explain of it is the value function's. Everything follows from ``--seed``; the log
in ``build/true_errors`` goes on where it was stopped.
"""

from __future__ import annotations

import argparse
import random
from itertools import combinations
from typing import Any, Final

import numpy as np

from bench.reliability import PHASES, Z, mean, table
from bench.selfplay import SEATS, play_to_end, played, spread_out, winning
from bench.worklog import done, of_file
from engine_ext.core import Game
from engine_ext.search.searcher import expected_turns
from lisboa_ai.analysis import SearchLimits, SearchOptions, analyse
from lisboa_ai.analysis.model_error import EXACT, of_turns
from lisboa_ai.compare import Compared, compare_observed
from lisboa_ai.seeds import seed_of


def pair(then: Game, seed: int, iterations: int, options: SearchOptions) -> list[int]:
    """The best action of a search and another one that it looked at; if it looked at none, any."""
    observation = then.observe(then.seat)
    found = analyse(observation, SearchLimits(iterations=iterations, seed=seed), options)
    best = found.best.actions[0]
    others = [one.actions[0] for one in found.candidates[1:]] or [one for one in then.legal() if one != best]
    return [best, random.Random(seed).choice(others)]


def numbers(found: Compared, seat: int) -> dict[str, Any]:
    """What was said about an action, and about its difference from the first one, with the errors of sampling only."""
    said: dict[str, Any] = {}
    for name, of, besides in (
        ("worth", found.worth, EXACT),
        ("difference", found.difference, found.worth.model_error.lead),
    ):
        if of is not None:
            said[name] = {
                "win_share": of.win_share[seat],
                "win_share_error": max(0.0, of.win_share_error[seat] ** 2 - besides.win_share**2) ** 0.5,
                "wigs": of.wigs[seat],
                "wigs_error": max(0.0, of.wigs_error[seat] ** 2 - besides.wigs**2) ** 0.5,
            }
    return said


def looked_at(number: int, settings: dict[str, Any]) -> dict[str, Any]:
    """A line of the log: a game's positions, what was said of two actions there, and how they turned out."""
    seed = settings["seed"]
    game = played(number, seed, settings["play"], settings["weights"])
    options = SearchOptions(weights=settings["weights"], cut=settings["cut"])
    play = SearchOptions(weights=settings["weights"], candidates=1)
    positions = []
    for place in spread_out(len(game.moments), settings["each"], seed_of(seed, "place", number)):
        then = game.moments[place]
        observation = then.observe(then.seat)
        actions = pair(then, seed_of(seed, "pair", number, place), settings["search"], options)
        limits = SearchLimits(iterations=2 * settings["search"], seed=seed_of(seed, "compare", number, place))
        found = compare_observed(observation, actions, limits, options)
        came = []
        for world in range(settings["worlds"]):
            ends = []
            for action in actions:
                start = observation.sample_world(seed_of(seed, "world", number, place, world))
                if action in start.legal():
                    start.apply(action)
                    end = play_to_end(start, seed_of(seed, "end", number, place, world), settings["play"], play)
                    ends.append((winning(end)[then.seat], end.wigs()[then.seat]))
            if len(ends) == len(actions):
                came.append(ends)
        positions.append(
            {
                "turns_left": expected_turns(then),
                "said": [numbers(one, then.seat) for one in found.actions],
                "came": came,
            }
        )
    return {"number": number, "seats": game.end.seats, "positions": positions}


# --- what it says ----------------------------------------------------------------------------------------------------

COLUMNS: Final = {"win_share": 0, "wigs": 1}


def missed(position: dict[str, Any], what: str, field: str) -> tuple[float, float, float, float]:
    """Of one prediction: its unbiased square error, the square of its printed error, how far the games' mean is off,
    and the square of that mean's own error."""
    column = COLUMNS[field]
    said = position["said"][1 if what == "difference" else 0][what]
    came = [
        (second[column] - first[column] if what == "difference" else first[column])
        for first, second in position["came"]
    ]
    off = [one - said[field] for one in came]
    square = float(np.mean([one * other for one, other in combinations(off, 2)]))
    return square, said[field + "_error"] ** 2, float(np.mean(off)), float(np.var(off, ddof=1)) / len(off)


def report(games: list[dict[str, Any]]) -> str:
    """By prediction and phase: its errors as printed and as found, and how often the games agree with it."""
    rows = []
    for what in ("worth", "difference"):
        for field, unit in (("win_share", 100.0), ("wigs", 1.0)):
            for low, high in (*PHASES, (0.0, 99.0)):
                some = [
                    (game["number"], *missed(position, what, field), modelled(position, game["seats"], what, field))
                    for game in games
                    for position in game["positions"]
                    if len(position["came"]) > 1 and low <= position["turns_left"] / game["seats"] < high
                ]
                if len(some) < 10:
                    continue
                number, square, sampled, off, own, model = (np.array(column) for column in zip(*some, strict=True))
                true, error = mean(square, number)
                without = np.abs(off) <= Z * np.sqrt(sampled + own)
                counted = np.abs(off) <= Z * np.sqrt(sampled + model + own)
                rows.append(
                    (what, field.replace("_", " "), f"{low:g} to {high:g}", len(some),
                     f"{unit * np.sqrt(sampled.mean()):.1f}",
                     f"{unit * max(0.0, true) ** 0.5:.1f} ({unit * max(0.0, true - Z * error) ** 0.5:.1f} to "
                     f"{unit * max(0.0, true + Z * error) ** 0.5:.1f})",
                     f"{unit * np.sqrt((sampled + model).mean()):.1f}",
                     f"{100 * without.mean():.0f} %", f"{100 * counted.mean():.0f} %")
                )  # fmt: skip
    head = (
        "prediction", "of", "turns of a seat left", "positions", "error of sampling", "true error, 95 %",
        "printed error", "agree by sampling", "agree by the printed error",
    )  # fmt: skip
    return table(head, rows)


def modelled(position: dict[str, Any], seats: int, what: str, field: str) -> float:
    """The square of the model error that is counted for a prediction."""
    model = of_turns(position["turns_left"] / seats)
    return float(getattr(model.lead if what == "difference" else model, field) ** 2)


def main(arguments: list[str] | None = None) -> None:
    """Play what is missing, then print."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.true_errors", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--positions", type=int, default=600, help="about so many, in whole games (default: 600)")
    parser.add_argument("--each", type=int, default=4, help="positions out of each game (default: 4)")
    parser.add_argument("--worlds", type=int, default=4, help="games of each action, 2 or more (default: 4)")
    parser.add_argument("--play", type=int, default=60, help="iterations of each decision played (default: 60)")
    parser.add_argument("--search", type=int, default=1000, help="iterations for each action (default: 1000)")
    parser.add_argument("--cut", type=int, default=0, help="of the comparison; -1: playouts to the end (default: 0)")
    parser.add_argument("--seed", type=int, default=1, help="of everything (default: 1)")
    parser.add_argument("--jobs", type=int, default=1, help="processes (default: 1)")
    parser.add_argument("--weights", default="", help="a file of weights instead of the bundled ones")
    given = parser.parse_args(arguments)
    for name, least in (("positions", 1), ("each", 1), ("worlds", 2), ("play", 1), ("search", 1), ("jobs", 1)):
        if getattr(given, name) < least:
            parser.error(f"--{name}: {getattr(given, name)}; allowed: {least} or more")
    names = ("each", "worlds", "play", "search", "cut", "seed", "weights")
    settings = {name: getattr(given, name) for name in names}
    settings.update(of_file(given.weights))
    games = -(-given.positions // given.each)
    games += -games % len(SEATS)
    print(report(done("true_errors", settings, looked_at, range(games), given.jobs)))


if __name__ == "__main__":
    main()
