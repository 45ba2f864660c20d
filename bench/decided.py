"""Does a search that stops because it is decided stop at the right action?

``python -m bench.decided [--positions N] [--most N] ...`` takes decisions out of games of the search against itself and
searches each with every confidence of ``SearchLimits.decided``, ``--most`` iterations at most. A search that stopped
is compared with one of ``--longer`` times as many iterations and another seed: it was wrong if that one prefers
another action and can tell the two apart, by sampling alone or with the model error counted. Everything follows from
``--seed``; the log in ``build/decided`` goes on where it was stopped.
"""

from __future__ import annotations

import argparse
import math
from typing import Any, Final

from bench.reliability import table
from bench.selfplay import SEATS, played, spread_out
from bench.worklog import done
from lisboa_ai.analysis import SearchLimits, SearchOptions, analyse
from lisboa_ai.analysis.statistics import DISTINGUISHED, quantile
from lisboa_ai.seeds import seed_of

CONFIDENCES: Final = (0.95, 0.98, 0.99)
ALL: Final = SearchOptions(candidates=1000)
Z: Final = 1.96


def looked_at(number: int, settings: dict[str, Any]) -> dict[str, Any]:
    """A line of the log: a game's positions, when each confidence stopped and what a longer search says of it."""
    seed = settings["seed"]
    game = played(number, seed, settings["play"])
    positions = []
    for place in spread_out(len(game.moments), settings["each"], seed_of(seed, "place", number)):
        then = game.moments[place]
        observation = then.observe(then.seat)
        longer: dict[int, Any] = {}
        stops = []
        for confidence in CONFIDENCES:
            limits = SearchLimits(
                iterations=settings["most"], decided=confidence, seed=seed_of(seed, "short", number, place)
            )
            found = analyse(observation, limits, SearchOptions(candidates=1))
            stop: dict[str, Any] = {"iterations": found.iterations, "decided": found.stop_reason == "decided"}
            if stop["decided"]:
                iterations = found.iterations * settings["longer"]
                if iterations not in longer:
                    fresh = SearchLimits(iterations=iterations, seed=seed_of(seed, "long", number, place))
                    longer[iterations] = analyse(observation, fresh, ALL)
                best, *others = longer[iterations].candidates
                stop["same"] = best.actions == found.best.actions
                chosen = next(one for one in (best, *others) if one.actions == found.best.actions)
                stop["wrong"] = not stop["same"] and chosen.distinguishable
                stop["loss"] = best.value[then.seat] - chosen.value[then.seat]
                needed = quantile(DISTINGUISHED, len(others)) * math.hypot(best.value_error, chosen.value_error)
                stop["by_sampling"] = not stop["same"] and stop["loss"] > needed
            stops.append(stop)
        positions.append(stops)
    return {"number": number, "seats": game.end.seats, "positions": positions}


def wilson(hits: int, tries: int) -> tuple[float, float]:
    """95 % interval of a share (Wilson)."""
    middle = (hits + Z * Z / 2) / (tries + Z * Z)
    half = Z / (tries + Z * Z) * (hits * (tries - hits) / tries + Z * Z / 4) ** 0.5
    return max(0.0, middle - half), min(1.0, middle + half)


def report(games: list[dict[str, Any]], most: int) -> str:
    """How often each confidence stopped, where, and how often wrongly."""
    rows = []
    for place, confidence in enumerate(CONFIDENCES):
        stops = [position[place] for game in games for position in game["positions"]]
        ended = [stop for stop in stops if stop["decided"]]
        if not ended:
            continue
        wrong = sum(stop["wrong"] for stop in ended)
        other = sum(not stop["same"] for stop in ended)
        sampled = sum(stop["by_sampling"] for stop in ended)
        low, high = wilson(wrong, len(ended))
        used = sum(stop["iterations"] for stop in stops) / len(stops)
        rows.append(
            (f"{100 * confidence:g} %", len(stops), len(ended), f"{100 * (1 - used / most):.0f} %", other,
             sampled, wrong, f"{100 * wrong / len(ended):.1f} % ({100 * low:.1f} to {100 * high:.1f})",
             f"{sum(stop['loss'] for stop in ended) / len(ended):.5f}")
        )  # fmt: skip
    head = (
        "confidence",
        "positions",
        "decided",
        "iterations saved",
        "another best",
        "wrong by sampling",
        "wrong",
        "of the decided",
        "mean loss",
    )
    return table(head, rows)


def main(arguments: list[str] | None = None) -> None:
    """Search what is missing, then print."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.decided", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    for name, default, what in (
        ("positions", 300, "about so many, in whole games"),
        ("each", 4, "positions out of each game"),
        ("play", 60, "iterations of each decision played"),
        ("most", 4096, "iterations of a search at most"),
        ("longer", 25, "times as many iterations for the reference"),
        ("seed", 1, "of everything"),
        ("jobs", 1, "processes"),
    ):
        parser.add_argument(f"--{name}", type=int, default=default, help=f"{what} (default: {default})")
    given = parser.parse_args(arguments)
    for name in ("positions", "each", "play", "most", "longer", "jobs"):
        if getattr(given, name) < 1:
            parser.error(f"--{name}: {getattr(given, name)}; allowed: 1 or more")
    settings = {name: getattr(given, name) for name in ("each", "play", "most", "longer", "seed")}
    games = -(-given.positions // given.each)
    games += -games % len(SEATS)
    print(report(done("decided", settings, looked_at, range(games), given.jobs), given.most))


if __name__ == "__main__":
    main()
