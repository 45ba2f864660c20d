"""Do more iterations find better actions? The mean loss of the chosen action over 100 positions, by iterations.

``python -m bench.suite [--iterations 30,100,...] [--exploration 0.2,...] ...`` searches every position of
``bench/suite.txt`` with each number of iterations and each exploration, and judges all actions that any of them chose
on shared worlds (``lisboa_ai.compare``), together with the choice of a search of ``--reference`` iterations; each
action gets as many there. An action's loss is what it is worth less than the best of them.
The log in ``build/suite`` goes on where it was stopped.

``--make`` writes the positions anew: out of games of the search against itself, from every phase, 2 to 4 players.
"""

from __future__ import annotations

import argparse
from functools import cache
from pathlib import Path
from typing import Any, Final

import numpy as np

from bench.reliability import table
from bench.selfplay import played, spread_out, tables_of
from bench.worklog import done, of_file
from engine_ext.core import Observation
from lisboa_ai.analysis import SearchLimits, SearchOptions, analyse
from lisboa_ai.compare import MOST_COMPARED, compare_observed
from lisboa_ai.position import Position
from lisboa_ai.seeds import seed_of

FILE: Final = Path(__file__).with_name("suite.txt")
SIZE: Final = 100
PHASES: Final = 5
MAKING: Final = 300
"""Iterations of each decision of the games that the positions are taken from."""


@cache
def positions() -> list[Observation]:
    """The suite, one position a line."""
    return [Position.from_text(line).observation for line in FILE.read_text(encoding="ascii").splitlines()]


def make(seed: int) -> None:
    """Write the suite anew: one decision out of every phase of some games."""
    lines: list[str] = []
    number = 0
    while len(lines) < SIZE:
        game = played(number, seed, MAKING)
        for place in spread_out(len(game.moments), PHASES, seed_of(seed, "place", number)):
            then = game.moments[place]
            lines.append(Position(tables_of("house"), then.observe(then.seat)).to_text())
        number += 1
    FILE.write_text("\n".join(lines[:SIZE]) + "\n", encoding="ascii")


def looked_at(number: int, settings: dict[str, Any]) -> dict[str, Any]:
    """A line of the log: what was chosen in a position, and what each action chosen is worth."""
    observation = positions()[number]
    chosen = {
        f"{exploration} {iterations}": analyse(
            observation,
            SearchLimits(iterations=iterations, seed=seed_of(settings["seed"], number)),
            SearchOptions(candidates=1, exploration=exploration),
        ).best.actions[0]
        for exploration in settings["exploration"]
        for iterations in settings["iterations"]
    }
    most = settings["reference"]
    fresh = SearchLimits(iterations=most, seed=seed_of(settings["seed"], "reference", number))
    reference = analyse(observation, fresh, SearchOptions(candidates=1)).best.actions[0]
    actions = sorted({*chosen.values(), reference})[:MOST_COMPARED]
    worth = {actions[0]: (0.0, 0.0, 0.0)}
    if len(actions) > 1:
        limits = SearchLimits(iterations=most * len(actions), seed=seed_of(settings["seed"], "judge", number))
        seat = observation.seat
        worth = {
            one.action: (one.value[seat], one.worth.wigs[seat], one.worth.win_share[seat])
            for one in compare_observed(observation, actions, limits).actions
        }
    return {"number": number, "chosen": chosen, "reference": reference, "worth": worth}


def losses(found: list[dict[str, Any]], which: str) -> np.ndarray[Any, np.dtype[np.float64]]:
    """What the choices of one setting lose in each position: value, wigs, win share, against the best by value."""
    rows = []
    for line in found:
        worth = {int(action): np.array(numbers) for action, numbers in line["worth"].items()}
        best = max(worth.values(), key=lambda numbers: numbers[0])
        rows.append(best - worth[line["chosen"][which] if which else line["reference"]])
    return np.array(rows)


def report(found: list[dict[str, Any]], settings: dict[str, Any]) -> str:
    """Mean losses, and whether each number of iterations loses more than the one before it."""
    rows = []
    for exploration in settings["exploration"]:
        before = None
        for iterations in settings["iterations"]:
            loss = losses(found, f"{exploration} {iterations}")
            rows.append((exploration, f"{iterations:,}", *_cells(loss, before)))
            before = loss
    most = settings["reference"]
    rows.append(("default", f"{most:,}", *_cells(losses(found, ""), None)))
    head = (
        "exploration",
        "iterations",
        "loss of value",
        "wigs",
        "win share",
        "other than the best",
        "more than before",
    )
    return table(head, rows)


def _cells(loss: Any, before: Any) -> list[str]:
    mean, error = loss.mean(axis=0), loss.std(axis=0, ddof=1) / len(loss) ** 0.5
    more = ""
    if before is not None:
        rise = loss[:, 0] - before[:, 0]
        more = f"{rise.mean():+.5f} ± {rise.std(ddof=1) / len(rise) ** 0.5:.5f}"
    return [
        f"{mean[0]:.5f} ± {error[0]:.5f}", f"{mean[1]:.2f} ± {error[1]:.2f}",
        f"{100 * mean[2]:.2f} ± {100 * error[2]:.2f} %", f"{(loss[:, 0] > 0).sum()}", more,
    ]  # fmt: skip


def main(arguments: list[str] | None = None) -> None:
    """Search what is missing, then print."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.suite", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--iterations", default="30,100,300,1000,3000", help="(default: 30,100,300,1000,3000)")
    parser.add_argument("--exploration", default="0.2", help="(default: 0.2)")
    parser.add_argument("--reference", type=int, default=150_000, help="iterations that judge (default: 150000)")
    parser.add_argument("--seed", type=int, default=1, help="of everything (default: 1)")
    parser.add_argument("--jobs", type=int, default=1, help="processes (default: 1)")
    parser.add_argument("--make", action="store_true", help="write the positions anew")
    given = parser.parse_args(arguments)
    if given.make:
        make(given.seed)
        return
    settings = {
        "iterations": [int(one) for one in given.iterations.split(",")],
        "exploration": [float(one) for one in given.exploration.split(",")],
        "reference": given.reference,
        "seed": given.seed,
        **of_file(str(FILE)),
    }
    print(report(done("suite", settings, looked_at, range(len(positions())), given.jobs), settings))


if __name__ == "__main__":
    main()
