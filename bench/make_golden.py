"""Golden games: three whole games told step by step in ``tests/golden``, which a test compares line by line.

``python -m bench.make_golden`` replays the recorded actions and writes the texts anew: after a change of wording or of
the board. Look at the difference before you commit it. ``--new`` plays new games and keeps, for every number of
players, the one that shows most rules which the others do not: after a change of rules or edition that makes the old
actions illegal.

Beside each text lies what it was made from, ``NAME.json``: the seed, who played, and the record.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from bench.shown_rules import RULES, shown
from bench.transcript import steps, transcript
from engine_ext.core import Observation
from lisboa_ai import edition, notation
from lisboa_ai.bots import GREEDY_VERSION, GreedyBot
from lisboa_ai.record import GameRecord, RecordedAction

FOLDER: Final = Path(__file__).resolve().parent.parent / "tests" / "golden"
SEEDS: Final = 400
"""Games that ``--new`` tries for each number of players."""
ODDS: Final = 4


@dataclass(frozen=True)
class Kind:
    """The players and options of a golden game."""

    seats: int
    queen: bool = False
    draft: bool = False


GAMES: Final = {
    "two-players": Kind(2),
    "three-players-draft": Kind(3, draft=True),
    "four-players-queen": Kind(4, queen=True),
}


class MixedBot:
    """The greedy bot, but one decision in ``ODDS`` at random: such games show more rules."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        self._greedy = GreedyBot(seed)

    def choose(self, observation: Observation) -> int:
        """A legal argument of the pending decision."""
        legal = observation.legal()
        if self._random.random() < 1 / ODDS:
            return legal[int(self._random.random() * len(legal))]
        return self._greedy.choose(observation)


@dataclass(frozen=True)
class Golden:
    """A recorded game and where it comes from."""

    name: str
    seed: int
    played_by: str
    record: GameRecord

    @classmethod
    def read(cls, name: str) -> Golden:
        """The game of a file; of another edition's values, it is taken to be of today's."""
        found: dict[str, Any] = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
        found["record"]["edition"]["digest"] = edition.load("house").digest
        return cls(name, found["seed"], found["played_by"], GameRecord.from_json(json.dumps(found["record"])))

    def write(self) -> None:
        """Write the game and its text."""
        found = {"seed": self.seed, "played_by": self.played_by, "record": json.loads(self.record.to_json())}
        text = json.dumps(found, indent=1, ensure_ascii=False)
        (FOLDER / f"{self.name}.json").write_text(text + "\n", encoding="utf-8")
        (FOLDER / f"{self.name}.txt").write_text(self.told(), encoding="utf-8")

    def told(self) -> str:
        """The text of the game."""
        record = self.record
        options = [name for name, on in (("the Queen variant", record.queen), ("the hand draft", record.draft)) if on]
        title = f"A game of {record.seats} players"
        header = [
            title,
            "=" * len(title),
            f"Edition {record.tables.name} ({record.tables.digest}), seed {self.seed}, played by {self.played_by}.",
            f"Options: {' and '.join(options) or 'none'}.",
            "",
            "It shows (docs/rules.md; the first turn that shows it):",
            *(f"  {rule} {RULES[rule].words} (turn {turn + 1})" for rule, turn in shown(steps(record)).items()),
        ]
        return transcript(record, header)


def played(kind: Kind, seed: int) -> GameRecord:
    """A whole game of mixed bots."""
    tables = edition.load("house")
    record = GameRecord.new(tables, kind.seats, seed, queen=kind.queen, draft=kind.draft)
    game = record.replay()
    bot = MixedBot(seed)
    actions = []
    while not game.over:
        argument = bot.choose(game.observe(game.seat))
        actions.append(RecordedAction(notation.action_text(tables, game.kind, game.context, argument)))
        game.apply(argument)
    return replace(record, actions=tuple(actions))


def new_games() -> list[Golden]:
    """For each kind of game, in turn, the one that adds most rules to those that the earlier ones show."""
    known: set[str] = set()
    games = []
    for name, kind in GAMES.items():
        best: tuple[int, int] | None = None
        for seed in range(1, SEEDS + 1):
            rules = set(shown(steps(played(kind, seed))))
            best = max(best or (-1, 0), (len(rules - known) * 100 + len(rules), -seed))
        assert best is not None
        seed = -best[1]
        by = f"mixed bots (greedy bot {GREEDY_VERSION}, one decision in {ODDS} at random)"
        games.append(Golden(name, seed, by, played(kind, seed)))
        known |= set(shown(steps(games[-1].record)))
        print(f"{name}: seed {seed}", file=sys.stderr)
    missing = sorted(set(RULES) - known)
    print(f"shown by none: {', '.join(missing) or 'nothing'}", file=sys.stderr)
    return games


def main(arguments: Sequence[str] | None = None) -> None:
    """Write the files."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.make_golden", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--new", action="store_true", help="play new games instead of replaying the recorded actions")
    given = parser.parse_args(arguments)
    FOLDER.mkdir(exist_ok=True)
    for golden in new_games() if given.new else map(Golden.read, GAMES):
        golden.write()


if __name__ == "__main__":
    main()
