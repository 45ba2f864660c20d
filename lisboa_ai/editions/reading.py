"""Reading an edition's TOML files row by row, noting every broken value instead of stopping at the first.

``LAYOUT`` says which file holds which table, and which fields a row has with what values; everything else (totals,
geometry, values that must agree) is :mod:`lisboa_ai.editions.check`'s.
"""

import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from . import names
from .effects import VocabularyError, parse_benefit, parse_effect


@dataclass(frozen=True, slots=True)
class Problem:
    """One broken value: the file, the row (its id, or the section; empty for the whole file), the field, what stands
    there and what would be allowed."""

    file: str
    row: str
    field: str
    value: str
    allowed: str

    def __str__(self) -> str:
        where = ": ".join(part for part in (self.file, self.row, self.field) if part)
        return f"{where}: {self.value}; allowed: {self.allowed}"


class Broken(ValueError):
    """A value that a field does not take; ``allowed`` says what it takes, ``part`` which element is meant."""

    def __init__(self, value: object, allowed: str, part: str = "") -> None:
        super().__init__(allowed)
        self.value = value
        self.allowed = allowed
        self.part = part


Parser = Callable[[object], object]


def _integer(low: int, high: int) -> Parser:
    def parse(value: object) -> int:
        if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
            raise Broken(value, f"a whole number from {low} to {high}")
        return value

    return parse


def _word(*words: str) -> Parser:
    def parse(value: object) -> str:
        if not isinstance(value, str) or value not in words:
            raise Broken(value, "one of " + ", ".join(words))
        return value

    return parse


def _flag(value: object) -> bool:
    if not isinstance(value, bool):
        raise Broken(value, "true or false")
    return value


def _pattern(pattern: str, meaning: str) -> Parser:
    def parse(value: object) -> str:
        if not isinstance(value, str) or not re.fullmatch(pattern, value):
            raise Broken(value, meaning)
        return value

    return parse


def _list(item: Parser, low: int, high: int) -> Parser:
    size = str(low) if low == high else f"{low} to {high}"

    def parse(value: object) -> tuple[object, ...]:
        if not isinstance(value, list) or not low <= len(value) <= high:
            raise Broken(value, f"a list of {size} values")
        parsed = []
        for place, element in enumerate(value):
            try:
                parsed.append(item(element))
            except Broken as broken:
                raise Broken(broken.value, broken.allowed, f"[{place}]") from None
        return tuple(parsed)

    return parse


def _set(words: Sequence[str], low: int, high: int) -> Parser:
    """Different words in any order, kept in the order of ``words``."""
    listed = _list(_word(*words), low, high)

    def parse(value: object) -> tuple[str, ...]:
        found = listed(value)
        assert isinstance(found, tuple)
        if len(set(found)) != len(found):
            raise Broken(value, "different values")
        return tuple(word for word in words if word in found)

    return parse


def _per_good(low: int, high: int) -> Parser:
    number = _integer(low, high)

    def parse(value: object) -> tuple[object, ...]:
        if not isinstance(value, dict) or set(value) != set(names.GOODS):
            raise Broken(value, "a number for each of " + ", ".join(names.GOODS))
        return tuple(number(value[good]) for good in names.GOODS)

    return parse


def _vocabulary(parse_one: Callable[[str], object], low: int = 1) -> Parser:
    def item(value: object) -> object:
        if not isinstance(value, str):
            raise Broken(value, "a text")
        try:
            return parse_one(value)
        except VocabularyError as error:
            raise Broken(value, error.allowed) from None

    return _list(item, low, names.MAX_EFFECTS)


def _feature(value: object) -> names.Feature:
    if not isinstance(value, str) or value not in names.FEATURES:
        raise Broken(value, "one of " + ", ".join(names.FEATURES))
    return names.FEATURES[value]


_WHERE: Final[Mapping[str, tuple[object, ...]]] = MappingProxyType(
    {
        "business": names.BUSINESSES,
        "row": names.ROWS,
        "column": names.COLUMNS,
        "street": names.BUSINESSES,
        "side": names.SIDES,
        "architect": names.ARCHITECTS,
        "colour": (*names.BUSINESSES, *names.COLOURS),
        "noble": names.NOBLES,
        "type": names.GOODS,
    }
)


def _where(value: object) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """A decree's ``where`` as sorted (key, values) pairs; which keys and colours a feature takes is checked later."""
    if not isinstance(value, dict) or not value:
        raise Broken(value, 'keys with values, such as { row = "A" }')
    pairs = []
    for key, given in sorted(value.items()):
        if key not in _WHERE:
            raise Broken(key, "one of " + ", ".join(_WHERE))
        values = given if isinstance(given, list) else [given]
        wrong = [element for element in values if isinstance(element, bool) or element not in _WHERE[key]]
        if wrong or not values or len(values) != len(set(values)):
            raise Broken(given, "different values of " + ", ".join(map(str, _WHERE[key])), f".{key}")
        pairs.append((key, tuple(str(word) for word in _WHERE[key] if word in values)))
    return tuple(pairs)


@dataclass(frozen=True, slots=True)
class Field:
    """One field of a row: how its value is read, and what stands for it when it is left out (if it may be)."""

    parse: Parser
    required: bool = False


@dataclass(frozen=True, slots=True)
class Layout:
    """One table: the key it stands under, whether it is a list of rows or one section, its fields, and the field that
    names a row."""

    key: str
    fields: Mapping[str, Field]
    rows: bool = True
    named_by: str = "id"


def _must(parse: Parser) -> Field:
    return Field(parse, required=True)


def _id(prefix: str) -> Field:
    return _must(_pattern(rf"{prefix}[a-zA-Z0-9]+(-[a-zA-Z0-9]+)*", f"a name that starts with {prefix or 'a letter'}"))


_EFFECTS: Final = Field(_vocabulary(parse_effect))
_BENEFITS: Final = Field(_vocabulary(parse_benefit))

LAYOUT: Final[Mapping[str, tuple[Layout, ...]]] = MappingProxyType(
    {
        "cards.toml": (
            Layout(
                "card",
                {
                    "id": _id(""),
                    "deck": _must(_word(*names.DECKS)),
                    "noble": _must(_word(*names.CARD_NOBLES)),
                    "influence": Field(_integer(0, 9)),
                    "reward": _EFFECTS,
                    "event": _EFFECTS,
                    "choice": Field(_vocabulary(parse_effect, 2)),
                    "benefit": _BENEFITS,
                    "queen": Field(_flag),
                },
            ),
        ),
        "clergy.toml": (
            Layout(
                "tile",
                {"id": _id("clergy-"), "benefit": _BENEFITS, "reward": _EFFECTS, "wigs": _must(_integer(0, 20))},
            ),
        ),
        "decrees.toml": (
            Layout(
                "decree",
                {
                    "id": _id("decree-"),
                    "wigs": _must(_integer(1, 30)),
                    "each": _must(_feature),
                    "where": Field(_where),
                    "at_least": Field(_integer(1, 60)),
                    "at_most": Field(_integer(1, 60)),
                    "not_for_2": Field(_flag),
                },
            ),
        ),
        "plans.toml": (
            Layout(
                "plan",
                {
                    "id": _id("plan-"),
                    "architect": _must(_word(*names.ARCHITECTS)),
                    "officials": _must(_integer(1, 8)),
                    "starting": Field(_flag),
                },
            ),
        ),
        "buildings.toml": (
            Layout(
                "building",
                {
                    "id": _id("building-"),
                    "green": _must(_set(names.BUSINESSES, 2, 2)),
                    "blue": _must(_set(names.BUSINESSES, 2, 2)),
                },
            ),
        ),
        "ships.toml": (
            Layout(
                "ship",
                {
                    "colour": _must(_word(*names.DECKS)),
                    "period": _must(_integer(1, 2)),
                    "hull": _must(_integer(1, 4)),
                    "price": _must(_integer(-5, 9)),
                    "influence": _must(_integer(0, 9)),
                },
                named_by="colour",
            ),
        ),
        "lands.toml": (
            Layout(
                "land",
                {
                    "id": _id("land-"),
                    "row": _must(_word(*names.ROWS)),
                    "column": _must(_integer(1, 5)),
                    "size": _must(_word("wide", "half")),
                    "faces": _must(_set(names.BUSINESSES, 1, 2)),
                    "reward": _EFFECTS,
                    "choice": Field(_vocabulary(parse_effect, 2)),
                },
            ),
        ),
        "sites.toml": (
            Layout(
                "site",
                {
                    "id": _id("site-"),
                    "side": _must(_word(*names.SIDES)),
                    "row": Field(_word(*names.ROWS)),
                    "street": Field(_word(*names.BUSINESSES)),
                    "reward": _EFFECTS,
                    "choice": Field(_vocabulary(parse_effect, 2)),
                },
            ),
        ),
        "scoring.toml": (
            Layout("tile", {"id": _id("scoring-"), "large": _must(_integer(1, 20)), "small": _must(_integer(0, 20))}),
        ),
        "board.toml": (
            Layout(
                "treasury",
                {
                    "start": _must(_integer(1, names.MAX_TREASURY)),
                    "reis": _must(_list(_integer(0, 20), 2, names.MAX_TREASURY)),
                    "influence": _must(_list(_integer(-9, 9), 2, names.MAX_TREASURY)),
                },
                rows=False,
            ),
            Layout(
                "influence",
                {
                    "reis_spaces": _must(_list(_integer(0, names.MAX_INFLUENCE - 1), 1, names.MAX_INFLUENCE)),
                    "start": _must(_list(_integer(0, names.MAX_INFLUENCE), 4, 4)),
                },
                rows=False,
            ),
            Layout("market", {"start": _must(_per_good(0, 20)), "lowest": _must(_per_good(0, 20))}, rows=False),
            Layout("offices", {"spaces": _must(_integer(1, 20))}, rows=False),
            Layout(
                "church",
                {
                    "start_gap": _must(_integer(0, names.N_CHURCH - 1)),
                    "influence_gap": _must(_integer(0, names.N_CHURCH - 1)),
                    "treasury_gap": _must(_integer(0, names.N_CHURCH - 1)),
                },
                rows=False,
            ),
            Layout("city_tiles", {"large": _must(_integer(0, 99)), "small": _must(_integer(0, 99))}, rows=False),
            Layout("scoring", {"column_uses": _must(_list(_integer(1, 4), 5, 5))}, rows=False),
        ),
        "edition.toml": (),
    }
)

_NAME: Final = _pattern(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", "lower-case letters, digits and single hyphens, such as house")
_TITLE: Final = _pattern(r"[^\n]+", "one line of text")


@dataclass(slots=True)
class Row:
    """One row or section as read: the values that could be read, the names of those that stood there, their sources."""

    file: str
    table: str
    name: str
    values: dict[str, Any] = field(default_factory=dict)
    given: set[str] = field(default_factory=set)
    sources: dict[str, str] = field(default_factory=dict)


@dataclass(slots=True)
class Reading:
    """Everything read from one folder: rows by (file, table), header values of ``edition.toml``, problems so far."""

    rows: dict[tuple[str, str], list[Row]] = field(default_factory=dict)
    header: dict[str, str] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)

    def problem(self, file: str, row: str, field_name: str, value: object, allowed: str) -> None:
        self.problems.append(Problem(file, row, field_name, _shown(value), allowed))


def _shown(value: object) -> str:
    return value if isinstance(value, str) and value.startswith("(") else repr(value)


def _source(reading: Reading, file: str, row: str, given: object) -> str | None:
    if given in names.SOURCES:
        return str(given)
    reading.problem(file, row, "source", "(missing)" if given is None else given, "one of " + ", ".join(names.SOURCES))
    return None


def _sources(reading: Reading, file: str, row: str, given: object, fields: Mapping[str, Field]) -> dict[str, str]:
    """A ``sources`` table: where single fields differ from their row."""
    if not isinstance(given, dict):
        reading.problem(file, row, "sources", given, "fields with their sources")
        return {}
    for key in given.keys() - fields.keys():
        reading.problem(file, row, f"sources.{key}", given[key], "one of the fields " + ", ".join(fields))
    found = {}
    for key in given.keys() & fields.keys():
        if given[key] in names.SOURCES:
            found[key] = str(given[key])
        else:
            reading.problem(file, row, f"sources.{key}", given[key], "one of " + ", ".join(names.SOURCES))
    return found


def _row(reading: Reading, file: str, layout: Layout, name: str, given: dict[str, Any], table: dict[str, str]) -> Row:
    """Read one row; ``table`` is the table's provenance: field → source, with the rest under an empty name."""
    row = Row(file, layout.key, name)
    for key in given.keys() - layout.fields.keys() - {"source", "sources"}:
        reading.problem(file, name, key, given[key], "one of the fields " + ", ".join(layout.fields))
    for key, spec in layout.fields.items():
        if key not in given:
            if spec.required:
                reading.problem(file, name, key, "(missing)", "a value")
            continue
        row.given.add(key)
        try:
            row.values[key] = spec.parse(given[key])
        except Broken as broken:
            reading.problem(file, name, key + broken.part, broken.value, broken.allowed)
    own = _source(reading, file, name, given["source"]) if "source" in given else None
    exact = _sources(reading, file, name, given["sources"], layout.fields) if "sources" in given else {}
    for key in layout.fields:
        if key in given and key != layout.named_by:
            row.sources[key] = exact.get(key) or own or table.get(key) or table.get("", "")
    return row


def _provenance(reading: Reading, file: str, name: str, given: dict[str, Any], layout: Layout) -> dict[str, str]:
    table = _sources(reading, file, name, given["sources"], layout.fields) if "sources" in given else {}
    return table | {"": _source(reading, file, name, given.get("source")) or ""}


def _rows(reading: Reading, file: str, layout: Layout, document: dict[str, Any]) -> list[Row]:
    table = _provenance(reading, file, "", document, layout)
    listed = document.get(layout.key)
    if not isinstance(listed, list) or not all(isinstance(row, dict) for row in listed):
        reading.problem(file, "", layout.key, "(missing)" if listed is None else listed, "a list of rows")
        return []
    rows = []
    for place, given in enumerate(listed, start=1):
        named = given.get(layout.named_by)
        rows.append(_row(reading, file, layout, named if isinstance(named, str) else f"row {place}", given, table))
    return rows


def _document(reading: Reading, folder: Path, file: str) -> dict[str, Any] | None:
    try:
        return tomllib.loads((folder / file).read_text(encoding="utf-8"))
    except FileNotFoundError:
        reading.problem(file, "", "", "(missing file)", "a readable TOML file")
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        reading.problem(file, "", "", f"(unreadable: {error})", "a readable TOML file")
    return None


def _header(reading: Reading, file: str, document: dict[str, Any]) -> None:
    for key, parse in {"name": _NAME, "title": _TITLE}.items():
        try:
            reading.header[key] = str(parse(document.get(key)))
        except Broken as broken:
            reading.problem(file, "", key, "(missing)" if broken.value is None else broken.value, broken.allowed)
    for key in document.keys() - {"name", "title"}:
        reading.problem(file, "", key, document[key], "one of the fields name, title")


def read(folder: Path) -> Reading:
    """Read every table in a folder; never raises for what the files hold."""
    reading = Reading()
    for file, layouts in LAYOUT.items():
        document = _document(reading, folder, file)
        if document is None:
            continue
        if file == "edition.toml":
            _header(reading, file, document)
            continue
        known = {layout.key for layout in layouts} | ({"source", "sources"} if layouts[0].rows else set())
        for key in document.keys() - known:
            reading.problem(file, "", key, document[key], "one of " + ", ".join(sorted(known)))
        for layout in layouts:
            if layout.rows:
                reading.rows[file, layout.key] = _rows(reading, file, layout, document)
                continue
            section = document.get(layout.key)
            if not isinstance(section, dict):
                reading.problem(file, layout.key, "", "(missing)" if section is None else section, "a section")
                continue
            table = {"": _source(reading, file, layout.key, section.get("source")) or ""}
            row_given = {key: value for key, value in section.items() if key != "source"}
            reading.rows[file, layout.key] = [_row(reading, file, layout, layout.key, row_given, table)]
    return reading
