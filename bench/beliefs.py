"""Do rivals' choices say what they hold? How much likelier the true hidden cards become when worlds are weighed.

``python -m bench.beliefs [--games N] [--play N] ...`` plays games of the search against itself. Whenever seat 0 plays a
card, the cards that its rivals truly hold are compared with ``--pool`` deals that agree with what it sees: the gain is
the logarithm of the true deal's weight over the mean weight, in nats; 0 is knowing no more than the rules say, and
more is better. The errors are over games. The log in ``build/beliefs`` goes on where it was stopped.
"""

from __future__ import annotations

import argparse
from typing import Any, Final

import numpy as np

from bench.reliability import Z, mean, table
from bench.selfplay import played
from bench.worklog import done
from engine_ext.core import KINDS, Game, Observation
from engine_ext.search.searcher import sample_hands
from lisboa_ai import beliefs
from lisboa_ai.seeds import seed_of

PLAY_CARD: Final = KINDS.index("play_card")
POWERS: Final = (0.5, 1.0, 2.0)
"""Of the weights: how boldly the choices are read; the search takes them as they are."""


def hidden(game: Game, observation: Observation) -> list[list[int]]:
    """Of every seat, the cards that the observer cannot name."""
    found = []
    full, seen = game.fields()["players"], observation.fields()["players"]
    for seat in range(game.seats):
        cards = [players[seat]["hand"][: players[seat]["n_hand"]] for players in (full, seen)]
        found.append([card for card in cards[0] if card not in cards[1]])
    return found


def looked_at(number: int, settings: dict[str, Any]) -> dict[str, Any]:
    """A line of the log: a game's gains, [period, for each power (gain, effective deals)]."""
    game = played(number, settings["seed"], settings["play"])
    history: list[tuple[Observation, int]] = []
    rows = []
    for then, argument in zip(game.moments, game.chosen, strict=True):
        if then.kind != PLAY_CARD:
            continue
        observation = then.observe(0)
        if then.seat != 0:
            history.append((observation, argument))
            continue
        found = beliefs.read(observation, history)
        truth = found.log_weight(hidden(then, observation))
        deals = sample_hands(observation, seed_of(settings["seed"], "deal", number, len(rows)), settings["pool"])
        logs = np.array([found.log_weight(hands) for hands in deals])
        row = []
        for power in POWERS:
            weights = np.exp(power * (logs - logs.max()))
            gain = power * (truth - logs.max()) - np.log(weights.mean())
            row.append((float(gain), float(weights.sum() ** 2 / (weights**2).sum())))
        rows.append([then.period, row])
    return {"number": number, "seats": game.end.seats, "moments": rows}


def report(games: list[dict[str, Any]], pool: int) -> str:
    """Gains by period and power."""
    rows = []
    for period in (0, 1):
        for place, power in enumerate(POWERS):
            some = [(game["number"], *row[place]) for game in games for when, row in game["moments"] if when == period]
            number, gain, effective = (np.array(column) for column in zip(*some, strict=True))
            middle, error = mean(gain, number)
            rows.append(
                (period + 1, f"{power:g}", len(some), f"{middle:+.3f} ± {Z * error:.3f}",
                 f"{effective.mean():.0f} of {pool}")
            )  # fmt: skip
    return table(("period", "power of the likelihood", "moments", "gain in nats, 95 %", "effective deals"), rows)


def main(arguments: list[str] | None = None) -> None:
    """Play what is missing, then print."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.beliefs", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    for name, default, what in (
        ("games", 60, "so many"),
        ("play", 60, "iterations of each decision played"),
        ("pool", 256, "deals compared with"),
        ("seed", 1, "of everything"),
        ("jobs", 1, "processes"),
    ):
        parser.add_argument(f"--{name}", type=int, default=default, help=f"{what} (default: {default})")
    given = parser.parse_args(arguments)
    for name in ("games", "play", "pool", "jobs"):
        if getattr(given, name) < 1:
            parser.error(f"--{name}: {getattr(given, name)}; allowed: 1 or more")
    settings = {name: getattr(given, name) for name in ("play", "pool", "seed")}
    print(report(done("beliefs", settings, looked_at, range(given.games), given.jobs), given.pool))


if __name__ == "__main__":
    main()
