"""Perft: in how many ways can the next decisions be taken? Small numbers that hold all the rules to account.

The count to depth d of a position is the number of different sequences of d asked decisions that can follow it. A
decision that resolves itself is none (docs/rules.md, "The decisions"); a game that ends sooner has no such sequence.
Each file here holds a position, as a record, and its counts::

    # what it shows, whose decision it is, how it came about
    record lisboa-record-1:...
    depth 1 count 12 engine referee
    depth 2 count 97 engine
    depth 3 count 801

The words after a count say who counts it in the tests: the engine, and the rules written a second time in plain Python
(tests/referee). What is left is counted by hand: ``python -m tests.perft --help``.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, Self

from google.protobuf import json_format

from lisboa_ai import notation
from lisboa_ai.edition import EditionTables
from lisboa_ai.record import GameRecord
from tests.referee import Referee

FOLDER = Path(__file__).resolve().parent
COUNTERS = ("engine", "referee")


class Rules(Protocol):
    """What counting asks of a game: the actions may be numbers or texts."""

    def copy(self) -> Self: ...
    def legal(self) -> Collection[Any]: ...
    def apply(self, action: Any, /) -> None: ...


def count(game: Rules, depth: int) -> int:
    """The number of sequences of ``depth`` decisions; the game is left as it is."""
    legal = game.legal()
    if depth == 1:
        return len(legal)
    total = 0
    for action in legal:
        after = game.copy()
        after.apply(action)
        total += count(after, depth - 1)
    return total


class Spoken:
    """The engine's game with its actions as texts, as the referee has them."""

    def __init__(self, tables: EditionTables, game: Any) -> None:
        self.tables = tables
        self.game = game

    def copy(self) -> Spoken:
        return Spoken(self.tables, self.game.copy())

    def legal(self) -> set[str]:
        return {notation.action_text(self.tables, self.game.kind, self.game.context, a) for a in self.game.legal()}

    def apply(self, action: str, /) -> None:
        self.game.apply(notation.parse_action(self.tables, self.game, action))


def refereed(record: GameRecord) -> Referee:
    """The referee's game of a record."""
    return Referee(json_format.MessageToDict(record.to_proto()))


def first_difference(one: Rules, other: Rules, depth: int, names: tuple[str, str] = COUNTERS) -> str:
    """Where two games with actions as texts first allow different things; empty if nowhere to this depth."""
    ours, theirs = set(one.legal()), set(other.legal())
    if ours != theirs:
        return (
            f"only {names[0]}: {', '.join(sorted(ours - theirs)) or 'nothing'}; "
            f"only {names[1]}: {', '.join(sorted(theirs - ours)) or 'nothing'}"
        )
    for action in sorted(ours) if depth > 1 else ():
        after, its = one.copy(), other.copy()
        after.apply(action)
        its.apply(action)
        found = first_difference(after, its, depth - 1, names)
        if found:
            return f"{action}; {found}"
    return ""


@dataclass(frozen=True)
class Counted:
    """A depth, its count, and who counts it in the tests."""

    depth: int
    count: int
    by: tuple[str, ...] = ()

    def __str__(self) -> str:
        return " ".join(["depth", str(self.depth), "count", str(self.count), *self.by])


@dataclass(frozen=True)
class Perft:
    """One file: its name, the comment, the record's text, the counts."""

    name: str
    about: tuple[str, ...]
    record: str
    counts: tuple[Counted, ...]

    @classmethod
    def read(cls, name: str) -> Perft:
        """Raises ``ValueError`` naming the file and line that is none of the three kinds."""
        about, record, counts = [], "", []
        for number, line in enumerate((FOLDER / f"{name}.txt").read_text(encoding="utf-8").splitlines(), start=1):
            match line.split():
                case ["#", *_]:
                    about.append(line[2:])
                case ["record", text]:
                    record = text
                case ["depth", depth, "count", ways, *by] if set(by) <= set(COUNTERS):
                    counts.append(Counted(int(depth), int(ways), tuple(by)))
                case _:
                    raise ValueError(f"{name}.txt line {number}: {line!r}; allowed: # ..., record ..., depth N count N")
        return cls(name, tuple(about), record, tuple(counts))

    def write(self) -> None:
        """Write the file."""
        lines = [*(f"# {line}" for line in self.about), f"record {self.record}", *map(str, self.counts)]
        (FOLDER / f"{self.name}.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")

    def game_record(self) -> GameRecord:
        """The record of the game up to the position."""
        return GameRecord.from_text(self.record)

    def counted_by(self, who: str) -> list[Counted]:
        """The counts that somebody counts in the tests."""
        return [each for each in self.counts if who in each.by]


def names() -> list[str]:
    """The positions that have a file."""
    return sorted(path.stem for path in FOLDER.glob("*.txt"))
