"""Many compared games on all cores: ``python -m tests.referee --games 5000`` (``make referee GAMES=5000``).

Finished games are noted in a log under ``build/``, and a further run goes on where the last one stopped. The log's name
holds a digest of engine, referee and edition, so that a change of any of them starts anew. Do not build meanwhile.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path
from typing import Any

from engine_ext import core

from .compare import TABLES, GamePlan, compare_game

BUILD = Path(__file__).resolve().parents[2] / "build"
RECORDS = BUILD / "referee"
ITERATIONS = 10
"""Of each search; enough for sensible games, and few enough for many."""
PROGRESS_EVERY = 10.0


def digest() -> str:
    """Of what is compared: the engine's binary, the referee's sources, the edition."""
    found = hashlib.sha256(TABLES.digest.encode())
    for path in (Path(core.__file__), *sorted(Path(__file__).parent.glob("*.py"))):
        found.update(path.read_bytes())
    return found.hexdigest()[:12]


def finished(log: Path) -> dict[GamePlan, dict[str, Any]]:
    """What the log says; a line that was cut off by an interruption does not count."""
    games = {}
    if log.exists():
        for line in log.read_text(encoding="utf-8").splitlines():
            try:
                entry = json.loads(line)
            except ValueError:
                continue
            games[GamePlan(entry["players"], entry["seed"])] = entry
    return games


def play(game: GamePlan) -> dict[str, Any]:
    """One compared game as a line of the log. An exception on either side is a disagreement too."""
    entry: dict[str, Any] = {"players": game.players, "seed": game.seed}
    try:
        disagreement = compare_game(game, ITERATIONS)
    except Exception as error:
        return {**entry, "problem": f"{game}: {type(error).__name__}: {error}"}
    if disagreement is None:
        return entry
    return {**entry, "problem": f"{disagreement}\n  record: {disagreement.write(RECORDS)}"}


def run(games: list[GamePlan], processes: int) -> Iterator[dict[str, Any]]:
    """The games' lines as they are finished. A process that dies ends the run with an error."""
    with ProcessPoolExecutor(processes) as pool:
        try:
            for finished_game in as_completed([pool.submit(play, game) for game in games]):
                yield finished_game.result()
        finally:
            pool.shutdown(cancel_futures=True)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.referee", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--games", type=int, default=5000, help="games per player count (default: 5000)")
    parser.add_argument("--players", type=int, nargs="+", choices=(2, 3, 4), default=[2, 3, 4], help="player counts")
    parser.add_argument("--processes", type=int, default=os.cpu_count(), help="default: one per core")
    options = parser.parse_args()
    if options.games < 1:
        parser.error(f"--games: {options.games}; allowed: 1 or more")

    log = BUILD / f"referee-{digest()}.jsonl"
    log.parent.mkdir(exist_ok=True)
    wanted = [GamePlan(players, seed) for seed in range(options.games) for players in options.players]
    known = finished(log)
    entries = [known[game] for game in wanted if game in known]
    problems = [entry["problem"] for entry in entries if "problem" in entry]
    print(f"{len(wanted)} games, {len(entries)} of them in {log}", file=sys.stderr)

    began = shown = time.monotonic()
    with log.open("a", encoding="utf-8") as lines:
        for done, entry in enumerate(run([game for game in wanted if game not in known], options.processes), start=1):
            print(json.dumps(entry), file=lines, flush=True)
            if "problem" in entry:
                problems.append(entry["problem"])
            now = time.monotonic()
            if now - shown >= PROGRESS_EVERY:
                shown = now
                rate = done / (now - began)
                left = len(wanted) - len(entries) - done
                print(
                    f"{len(entries) + done} of {len(wanted)} games, {rate:.1f} a second, "
                    f"{left / rate / 60:.0f} minutes left, {len(problems)} disagreements",
                    file=sys.stderr,
                )
    for problem in problems:
        print(problem)
    print(f"{len(wanted)} games compared, {len(problems)} disagreements")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
