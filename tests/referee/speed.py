"""How many random games the referee alone plays in a second: ``python -m tests.referee.speed RECORD.json [GAMES]``.

A record is needed for its set-up, since the referee does not deal.
"""

from __future__ import annotations

import json
import random
import sys
import time
from pathlib import Path

from .game import Referee


def play(record: dict[str, object], seed: int) -> int:
    """Plays a random game to its end and returns the number of decisions."""
    rng = random.Random(seed)
    referee = Referee({**record, "actions": []})
    decisions = 0
    while not referee.over:
        referee.apply(rng.choice(sorted(referee.legal())))
        decisions += 1
    return decisions


def main() -> None:
    record = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    games = int(sys.argv[2]) if len(sys.argv) > 2 else 20
    began = time.perf_counter()
    decisions = sum(play(record, seed) for seed in range(games))
    seconds = time.perf_counter() - began
    print(f"{games} games, {decisions} decisions, {seconds:.1f} s: {games / seconds:.1f} games/s")


if __name__ == "__main__":
    main()
