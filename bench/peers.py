"""How fast the engine and the search are beside their peers, measured in turn on the same machine.

``python -m bench.peers --python PATH``, where PATH is an interpreter that can import ``catanatron``, ``open_spiel`` or
both (``pip install catanatron open_spiel`` into an environment of its own: the project needs neither). Ours and theirs
take turns; every figure is counted per second of processor time, one thread each. The ratio is the median over the
rounds of ours to theirs in the same round, with the lowest and the highest beside it.

A decision of ours is one with two or more legal actions. Of a peer's, all are counted where it says ``decisions``, also
those without a choice, and only those with one where it says ``choices``.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median
from typing import Any, Final

from bench.search import position
from engine_ext.bench import play_games
from engine_ext.core import CHECKED, Edition, Observation
from engine_ext.search.searcher import Searcher
from lisboa_ai import edition

WORKER: Final = Path(__file__).with_name("peer_worker.py")
GAMES_AT_ONCE: Final = 200
ITERATIONS_AT_ONCE: Final = 1000
EXPLORATION: Final = 0.3

Rate = Callable[[float, int], float]
"""From seconds and a seed to what was done in a second."""


@dataclass(frozen=True)
class Line:
    """One comparison. work: the peer's; counted: what of it is compared; wanted: the ratio that is aimed at."""

    peer: str
    work: str
    counted: str
    what: str
    ours: str
    wanted: float


LINES: Final = (
    Line(
        "catanatron",
        "catanatron_random",
        "decisions",
        "random games of 4: decisions, ours with a choice",
        "random",
        150.0,
    ),
    Line(
        "catanatron", "catanatron_random", "choices", "the same: decisions with a choice on both sides", "random", 150.0
    ),
    Line(
        "open_spiel",
        "gin_rummy_playouts",
        "decisions",
        "random games, theirs gin rummy in C++: decisions",
        "random",
        30.0,
    ),
    Line("open_spiel", "gin_rummy_ismcts", "simulations", "search, theirs gin rummy in C++: iterations", "search", 5.0),
)


# --- ours ------------------------------------------------------------------------------------------------------------


def random_decisions(engine: Edition, seconds: float, seed: int) -> float:
    """Decisions with a choice a second, in whole random games of four players."""
    decisions = 0
    chunk = 0
    began = time.process_time()
    while (elapsed := time.process_time() - began) < seconds or not decisions:
        decisions += play_games(engine, 4, seed + chunk, GAMES_AT_ONCE)[0]
        chunk += 1
    return decisions / elapsed


def search_iterations(observation: Observation, seconds: float, seed: int) -> float:
    """Iterations a second of a search whose playouts are uniformly random and go on to the end."""
    searcher = Searcher(observation, seed=seed, playout="uniform", objective=0.8, exploration=EXPLORATION)
    began = time.process_time()
    while (elapsed := time.process_time() - began) < seconds or not searcher.iterations:
        searcher.run(searcher.iterations + ITERATIONS_AT_ONCE)
    return searcher.iterations / elapsed


# --- theirs ----------------------------------------------------------------------------------------------------------


class Peers:
    """The worker under the peers' interpreter. Raises ``ValueError`` if it cannot be started or ends by itself."""

    def __init__(self, python: str) -> None:
        self._python = python
        try:
            self._process = subprocess.Popen(
                [python, "-P", str(WORKER)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
            )
        except OSError as error:
            raise ValueError(f"--python: {python!r}: {error.strerror}; allowed: a Python interpreter") from None
        self.versions: dict[str, str | None] = self._answer()

    def __enter__(self) -> Peers:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.communicate()

    def measure(self, work: str, seconds: float, seed: int) -> dict[str, float]:
        """What the peer counted in one second."""
        assert self._process.stdin is not None
        print(json.dumps({"work": work, "seconds": seconds, "seed": seed}), file=self._process.stdin, flush=True)
        counts = self._answer()
        return {name: count / counts["seconds"] for name, count in counts.items() if name != "seconds"}

    def _answer(self) -> Any:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            self._process.communicate()
            ended = self._process.returncode
            raise ValueError(f"--python: {self._python!r} ended with {ended}; allowed: Python 3.11 or later")
        return json.loads(line)


# --- side by side ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Compared:
    """A line with what was measured in each round."""

    line: Line
    version: str
    ours: Sequence[float]
    theirs: Sequence[float]

    @property
    def ratios(self) -> list[float]:
        """Ours to theirs, round by round, lowest first."""
        return sorted(mine / other for mine, other in zip(self.ours, self.theirs, strict=True))

    def to_data(self) -> dict[str, Any]:
        """For JSON."""
        ratios = self.ratios
        return {
            **asdict(self.line),
            "version": self.version,
            "our_rate": {"median": round(median(self.ours)), "best": round(max(self.ours))},
            "their_rate": {"median": round(median(self.theirs)), "best": round(max(self.theirs))},
            "ratio": {"median": median(ratios), "lowest": ratios[0], "highest": ratios[-1]},
            "best_to_best": max(self.ours) / max(self.theirs),
        }


def compare(lines: Sequence[Line], peers: Peers, ours: dict[str, Rate], rounds: int, seconds: float) -> list[Compared]:
    """Round after round, each peer's work once and ours right before it."""
    mine: dict[str, list[float]] = {line.work: [] for line in lines}
    theirs: dict[str, list[dict[str, float]]] = {line.work: [] for line in lines}
    kinds = {line.work: line.ours for line in lines}
    for seed in range(1, rounds + 1):
        for work, kind in kinds.items():
            mine[work].append(ours[kind](seconds, seed))
            theirs[work].append(peers.measure(work, seconds, seed))
    return [
        Compared(
            line, str(peers.versions[line.peer]), mine[line.work], [rates[line.counted] for rates in theirs[line.work]]
        )
        for line in lines
    ]


def table(results: Sequence[Compared], missing: Sequence[str]) -> str:
    """The result for people."""
    rows = []
    for one in results:
        found = one.to_data()
        ratio = found["ratio"]
        rows += [
            f"{one.line.peer} {one.version}, {one.line.what}",
            f"    ours {found['our_rate']['median']:,}/s, theirs {found['their_rate']['median']:,}/s: "
            f"{ratio['median']:.1f} times ({ratio['lowest']:.1f} to {ratio['highest']:.1f}, "
            f"best to best {found['best_to_best']:.1f}), wanted {one.line.wanted:g}",
        ]
    return "\n".join([*rows, *(f"{peer} cannot be imported" for peer in missing)])


def measure(python: str, rounds: int, seconds: float) -> tuple[list[Compared], list[str]]:
    """Every line whose peer is there, and the peers that are not. Raises ``ValueError`` if none is."""
    engine = edition.load("house").engine
    observation = position()
    ours: dict[str, Rate] = {
        "random": lambda limit, seed: random_decisions(engine, limit, seed),
        "search": lambda limit, seed: search_iterations(observation, limit, seed),
    }
    with Peers(python) as peers:
        missing = [peer for peer, version in peers.versions.items() if version is None]
        lines = [line for line in LINES if line.peer not in missing]
        if not lines:
            raise ValueError(f"--python: {python!r} can import neither {' nor '.join(missing)}; allowed: one that can")
        return compare(lines, peers, ours, rounds, seconds), missing


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m bench.peers", description=__doc__)
    parser.add_argument("--python", required=True, metavar="PATH", help="the interpreter that can import the peers")
    parser.add_argument("--rounds", type=int, default=5, help="measurements of each (default: 5)")
    parser.add_argument("--seconds", type=float, default=1.0, help="of processor time a measurement (default: 1)")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    arguments = parser.parse_args()
    if arguments.rounds < 1 or not 0.0 < arguments.seconds <= 3600.0:
        parser.error("allowed: --rounds of 1 or more, --seconds above 0, to 3600")
    try:
        results, missing = measure(arguments.python, arguments.rounds, arguments.seconds)
    except ValueError as error:
        sys.exit(f"bench.peers: {error}")
    if arguments.json:
        build = "checked" if CHECKED else "release"
        print(json.dumps({"build": build, "lines": [one.to_data() for one in results], "missing": missing}))
        return
    print(table(results, missing))


if __name__ == "__main__":
    main()
