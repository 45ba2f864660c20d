"""Search against search, many games for each number of players, and what they say about the edition.

``python -m bench.calibrate [--games N] [--iterations N] [--jobs N] [--edition FOLDER] [--report]``. Every decision is
searched with ``--iterations`` for each of its legal actions. Each finished game is one line of JSON in
``build/calibration/<edition digest>-<iterations>.jsonl``, so a run that was stopped goes on where it was; delete
the file after a change of the engine. ``--report`` prints the tables of what is there, as Markdown.
"""

from __future__ import annotations

import argparse
import json
from contextlib import ExitStack
from functools import cache, partial
from multiprocessing import Pool
from pathlib import Path
from typing import IO, Any, Final

from bench.calibration_tables import report
from bench.game_facts import told
from engine_ext.core import Game
from lisboa_ai import edition
from lisboa_ai.analysis import SearchLimits, SearchOptions
from lisboa_ai.bots import SearchBot
from lisboa_ai.seeds import seed_of

FOLDER: Final = Path(__file__).resolve().parent.parent / "build" / "calibration"
SEATS: Final = (2, 3, 4)

tables_of = cache(edition.load)
"""An edition by name or folder, read once."""


def choices(game: Game, seed: int, iterations: int) -> list[int]:
    """Plays a game to its end: every seat searches, and sees no more than it may."""
    chosen: list[int] = []
    while not game.over:
        limits = SearchLimits(iterations=iterations * len(game.legal()), seed=seed_of(seed, len(chosen)))
        chosen.append(SearchBot(limits, SearchOptions(candidates=1)).choose(game.observe(game.seat)))
        game.apply(chosen[-1])
    return chosen


def played(deal: tuple[int, int], iterations: int, values: str = "house") -> dict[str, Any]:
    """A line of the log: the game dealt to so many seats from a seed with an edition, its choices and its facts."""
    seats, seed = deal
    tables = tables_of(values)
    made = choices(Game.deal(tables.engine, seats, seed), seed, iterations)
    return {"seats": seats, "seed": seed, **told(tables, seats, seed, made), "choices": made}


def read_log(path: Path) -> list[dict[str, Any]]:
    """The games of a log, without a last line that was cut off."""
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    return [json.loads(line) for line in text[: text.rfind("\n") + 1].splitlines()]


def open_log(path: Path) -> IO[bytes]:
    """The log, to be carried on after its last whole line."""
    path.parent.mkdir(parents=True, exist_ok=True)
    log = path.open("ab")
    log.truncate(path.read_bytes().rfind(b"\n") + 1)
    return log


def play_on(path: Path, games: int, iterations: int, jobs: int, values: str = "house") -> None:
    """Play whatever the log lacks of so many games for each number of seats."""
    done = {(game["seats"], game["seed"]) for game in read_log(path)}
    deals = [(seats, seed) for seed in range(games) for seats in SEATS if (seats, seed) not in done]
    play = partial(played, iterations=iterations, values=values)
    with ExitStack() as stack:
        log = stack.enter_context(open_log(path))
        found = map(play, deals) if jobs == 1 else stack.enter_context(Pool(jobs)).imap_unordered(play, deals)
        for game in found:
            log.write(json.dumps(game, separators=(",", ":")).encode() + b"\n")
            log.flush()


def main() -> None:
    """Play what is missing, then print the tables."""
    parser = argparse.ArgumentParser(prog="python -m bench.calibrate", description=__doc__)
    parser.add_argument("--games", type=int, default=1000, help="for each number of players (default: 1000)")
    parser.add_argument("--iterations", type=int, default=10, help="for each legal action (default: 10)")
    parser.add_argument("--jobs", type=int, default=1, help="processes (default: 1)")
    parser.add_argument("--edition", default="house", help="name or folder (default: house)")
    parser.add_argument("--report", action="store_true", help="print the tables of what was played so far")
    given = parser.parse_args()
    for name in ("games", "iterations", "jobs"):
        if getattr(given, name) < 1:
            parser.error(f"--{name}: {getattr(given, name)}; allowed: 1 or more")
    try:
        tables = tables_of(given.edition)
    except edition.EditionError as error:
        parser.error(f"--edition: {error}")
    path = FOLDER / f"{tables.digest}-{given.iterations}.jsonl"
    if not given.report:
        play_on(path, given.games, given.iterations, given.jobs, given.edition)
    games = [game for game in read_log(path) if game["seed"] < given.games]
    if not games:
        parser.error(f"--report: nothing was played with {given.iterations} iterations and this edition yet")
    print(report(tables, games, given.iterations))


if __name__ == "__main__":
    main()
