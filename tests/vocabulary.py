"""Help for the tests of the vocabulary: editions whose cards and tiles say what a test needs, and exact comparisons.

``printed`` is the bundled edition with some rows saying something else, ``changes`` what differs between two positions.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any, Final, TypeVar

from engine_ext import core
from lisboa_ai import edition
from lisboa_ai.editions import names
from lisboa_ai.editions.reading import LAYOUT

Test = TypeVar("Test", bound=Callable[..., None])

_TABLES: Final = {"card": "cards", "land": "lands", "site": "sites", "clergy": "clergy", "decree": "decrees"}
_UNSAID: Final = {"reward": (), "choice": (), "benefit": (), "where": (), "at_least": 0, "at_most": 0}
_WORDS: Final = {
    "TYPE": names.GOODS,
    "COLOUR": names.COLOURS,
    "NOBLE": names.NOBLES,
    "±N": ("+N", "-N"),
}
_DOCUMENT: Final = Path(__file__).resolve().parent.parent / "docs" / "edition.md"


# Editions


def printed(rows: Mapping[str, Mapping[str, Any]]) -> core.Edition:
    """The bundled edition, but these rows say this: by id, the fields as an edition's file has them.

    Each row loses the effects, benefits and conditions that it had. What ``edition.check`` holds rows to beyond their
    own fields isn't looked at.
    """
    house = edition.load()
    tables = {table: list(getattr(house, table)) for table in _TABLES.values()}
    for row_id, says in rows.items():
        thing, place = house.find(row_id)
        row = tables[_TABLES[thing]][place]
        unsaid = {key: nothing for key, nothing in _UNSAID.items() if hasattr(row, key)}
        tables[_TABLES[thing]][place] = replace(row, **unsaid | _read(f"{_TABLES[thing]}.toml", says))
    changed = replace(house, **{table: tuple(read) for table, read in tables.items()})
    return core.Edition("printed", "", changed.tables())


def _read(file: str, says: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a row as the loader reads them; an event is kept as a reward."""
    values = {key: LAYOUT[file][0].fields[key].parse(value) for key, value in says.items()}
    return {"reward" if key == "event" else key: value for key, value in values.items()}


# Comparisons


def changes(before: core.Game, after: core.Game) -> dict[str, tuple[Any, Any]]:
    """All that differs, as (before, after): ``0 reis`` is seat 0's, ``0 wigs from effects`` a line of its ledger."""
    old, new = _named(before), _named(after)
    return {name: (old[name], new[name]) for name in old if old[name] != new[name]}


def _named(game: core.Game) -> dict[str, Any]:
    """A position's fields by name, without what only the search reads and what lies above the top of the agenda."""
    fields = game.fields()
    players = fields.pop("players")[: fields["seats"]]
    fields["frames"] = fields["frames"][: fields["depth"]]
    del fields["seen"]
    for seat, player in enumerate(players):
        ledger = zip(core.CATEGORIES, player.pop("ledger"), strict=True)
        fields |= {f"{seat} wigs from {category}": wigs for category, wigs in ledger}
        fields |= {f"{seat} {name}": value for name, value in player.items()}
    return fields


# Which words there are, and which have a test


class Shown:
    """The words whose meaning a file's tests show: ``shows`` marks the tests that do."""

    def __init__(self, *words: str) -> None:
        self.words = set(words)

    def shows(self, *words: str) -> Callable[[Test], Test]:
        def mark(test: Test) -> Test:
            if not test.__name__.startswith("test_"):
                raise ValueError(f"shows: {test.__name__} is not a test")
            self.words.update(words)
            return test

        return mark


def spellings(texts: Iterable[str]) -> set[str]:
    """Every way to write these forms but for the number: ``good TYPE N`` is ``good gold N``, ``good cloth N``, ..."""
    return {
        " ".join(words) for text in texts for words in product(*(_WORDS.get(part, (part,)) for part in text.split()))
    }


def unnumbered(text: str) -> str:
    """``treasury +2`` as ``treasury +N``."""
    return re.sub(r"\d+", "N", text)


def documented(heading: str) -> list[tuple[list[str], list[str]]]:
    """The table under a heading of docs/edition.md: the words in the first two columns of each row."""
    after = _DOCUMENT.read_text(encoding="utf-8").split(f"**{heading}**")[1]
    table = after.split("|---|---|\n")[1].split("\n\n")[0]
    cells = [line.split("|") for line in table.splitlines()]
    return [(re.findall("`([^`]+)`", row[1]), re.findall("`([^`]+)`", row[2])) for row in cells]
