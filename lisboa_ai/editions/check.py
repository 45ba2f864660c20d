"""What must hold between the rows of an edition: totals printed in the rulebook, the board's geometry, unique ids."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Final

from . import names
from .names import EffectKind, Feature
from .reading import Problem, Reading, Row, read

_TOTALS: Final = MappingProxyType(
    {
        ("cards.toml", "card"): names.N_CARDS,
        ("clergy.toml", "tile"): names.N_CLERGY,
        ("decrees.toml", "decree"): names.N_DECREES,
        ("plans.toml", "plan"): names.N_PLANS,
        ("buildings.toml", "building"): names.N_BUILDINGS,
        ("ships.toml", "ship"): len(names.DECKS),
        ("lands.toml", "land"): names.N_LANDS,
        ("sites.toml", "site"): names.N_SITES,
        ("scoring.toml", "tile"): names.N_SCORING,
    }
)
_DEALT: Final = 21
_DISPLAYED: Final = 5
_STACK: Final = 8
_STARTING_PLANS: Final = 4
_CHAINS: Final = 3
"""Lands, sites and tiles in all whose rewards may build a store or open a building (docs/edition.md)."""
_CITY_TILES: Final = MappingProxyType({"large": 22, "small": 5})

_NARROWED_BY: Final = MappingProxyType(
    {
        Feature.STORES: {"business", "row", "column", "street"},
        Feature.BUILDINGS: {"side", "architect", "colour"},
        Feature.NOBLE_CARDS: {"noble"},
        Feature.GOODS: {"type"},
        Feature.CUBES: {"colour"},
    }
)


def streets_of(column: int) -> tuple[str, ...]:
    """The streets beside a land column: the one to its west and the one to its east."""
    return names.BUSINESSES[max(column - 2, 0) : column]


def _total(reading: Reading, file: str, what: str, found: int, wanted: int, kind: str = "rows") -> None:
    if found != wanted:
        reading.problem(file, "", what, f"({found} {kind})", f"{wanted} {kind}")


def _unique(reading: Reading) -> None:
    ships = [f"ship-{colour}-{n + 1}" for colour in names.DECKS for n in range(names.COPIES)]
    seen: dict[str, str] = dict.fromkeys(ships, "ships.toml")
    for rows in reading.rows.values():
        for row in rows:
            key = row.values.get("id") or row.values.get("colour")
            if key is None:
                continue
            if key in seen:
                field = "id" if "id" in row.values else "colour"
                reading.problem(row.file, row.name, field, key, f"a name used once; {seen[key]} has it already")
            seen[key] = row.file


def _cards(reading: Reading, rows: list[Row]) -> None:
    decks = Counter(row.values.get("deck") for row in rows)
    displayed = Counter((row.values.get("deck"), row.values.get("noble")) for row in rows)
    for deck in ("blue", "purple"):
        _total(reading, "cards.toml", f"deck {deck}", decks[deck], _DEALT, "cards")
    for deck in ("red", "brown"):
        for noble in names.CARD_NOBLES:
            _total(reading, "cards.toml", f"deck {deck}, {noble}", displayed[deck, noble], _DISPLAYED, "cards")
    for row in rows:
        _card(reading, row)
    queens = [row for row in rows if row.values.get("queen")]
    _total(reading, "cards.toml", "queen", len(queens), 1, "cards with queen = true")
    for row in queens:
        if row.values.get("deck") not in (None, "brown"):
            reading.problem(row.file, row.name, "queen", True, "a card of the brown deck")


def _card(reading: Reading, row: Row) -> None:
    deck, noble, card_id = (row.values.get(key) for key in ("deck", "noble", "id"))
    if deck is None or noble is None:
        return
    if card_id is not None and not card_id.startswith(f"{deck}-{noble}-"):
        reading.problem(row.file, row.name, "id", card_id, f"a name that starts with {deck}-{noble}-")
    treasury = noble == "treasury"
    for key in ("influence", "reward", "queen") if treasury else ("event", "benefit"):
        if key in row.given:
            reading.problem(row.file, row.name, key, "(given)", f"not on a {noble} card")
    for key in ("benefit",) if treasury else ("influence",):
        if key not in row.given:
            reading.problem(row.file, row.name, key, "(missing)", "a value")
    _says_something(reading, row, ("event" if treasury else "reward", "choice"))


def _says_something(reading: Reading, row: Row, fields: tuple[str, ...]) -> None:
    if not row.given.intersection(fields):
        reading.problem(row.file, row.name, fields[0], "(missing)", "at least one of " + ", ".join(fields))


def _modifiers(reading: Reading, row: Row) -> None:
    n = sum(len(benefit.modifiers) for benefit in row.values.get("benefit", ()))
    if n > names.MAX_MODIFIERS:
        reading.problem(row.file, row.name, "benefit", f"({n} changes)", f"{names.MAX_MODIFIERS} changes at most")


def _decree(reading: Reading, row: Row) -> None:
    if {"at_least", "at_most"} <= row.given:
        reading.problem(row.file, row.name, "at_most", row.values.get("at_most"), "not together with at_least")
    feature = row.values.get("each")
    if feature is None:
        return
    keys = _NARROWED_BY.get(feature, set())
    for key, values in row.values.get("where", ()):
        if key not in keys:
            allowed = "one of " + ", ".join(sorted(keys)) if keys else "no where for this feature"
            reading.problem(row.file, row.name, f"where.{key}", values, allowed)
        elif key == "colour":
            colours = names.COLOURS if feature == Feature.CUBES else names.BUSINESSES
            if not set(values) <= set(colours):
                reading.problem(row.file, row.name, "where.colour", values, "values of " + ", ".join(colours))


def _plans(reading: Reading, rows: list[Row]) -> None:
    starting = sum(bool(row.values.get("starting")) for row in rows)
    _total(reading, "plans.toml", "starting", starting, _STARTING_PLANS, "plans with starting = true")
    stacks = Counter(row.values.get("architect") for row in rows if not row.values.get("starting"))
    for architect in names.ARCHITECTS:
        _total(
            reading,
            "plans.toml",
            f"architect {architect}",
            stacks[architect],
            _STACK,
            "plans besides the starting ones",
        )


def _building(reading: Reading, row: Row) -> None:
    green, blue = row.values.get("green"), row.values.get("blue")
    if green is not None and green == blue:
        reading.problem(row.file, row.name, "blue", list(blue), "two businesses other than the green side's pair")


def _ship(reading: Reading, row: Row) -> None:
    wanted = {"blue": 1, "red": 1, "purple": 2, "brown": 2}.get(row.values.get("colour", ""))
    period = row.values.get("period")
    if wanted is not None and period is not None and period != wanted:
        reading.problem(row.file, row.name, "period", period, str(wanted))


def _lands(reading: Reading, rows: list[Row]) -> None:
    places = {(row, column) for row in names.ROWS for column in names.COLUMNS} - {("A", 1)}
    found = Counter((row.values.get("row"), row.values.get("column")) for row in rows)
    for row_name, column in sorted(places - found.keys()):
        reading.problem("lands.toml", "", f"land {row_name}{column}", "(missing)", "one land space")
    for row in rows:
        place = row.values.get("row"), row.values.get("column")
        if None in place:
            continue
        if place not in places:
            reading.problem(row.file, row.name, "column", place[1], "2 to 5 in row A (A1 is the historic square)")
        elif found[place] > 1:
            reading.problem(row.file, row.name, "column", place[1], f"one land space at {place[0]}{place[1]}")
        _equal(reading, row, "id", f"land-{place[0]}{place[1]}")
        column = int(row.values["column"])
        _equal(reading, row, "size", "half" if column == names.COLUMNS[-1] else "wide")
        _equal(reading, row, "faces", streets_of(column))


def _equal(reading: Reading, row: Row, key: str, wanted: str | tuple[str, ...]) -> None:
    value = row.values.get(key, wanted)
    if value != wanted:
        shown = wanted if isinstance(wanted, str) else " and ".join(wanted)
        reading.problem(row.file, row.name, key, value if isinstance(value, str) else list(value), shown)


def _sites(reading: Reading, rows: list[Row]) -> None:
    wanted = {("west", row) for row in names.ROWS} | {("east", row) for row in names.ROWS}
    wanted |= {("north", street) for street in names.BUSINESSES}
    found: Counter[tuple[str, str]] = Counter()
    for row in rows:
        side = row.values.get("side")
        if side is None:
            continue
        key, other = ("street", "row") if side == "north" else ("row", "street")
        if other in row.given:
            reading.problem(row.file, row.name, other, "(given)", f"nothing: sites on the {side} side have a {key}")
        if key not in row.given:
            reading.problem(row.file, row.name, key, "(missing)", "a value")
        if key not in row.values:
            continue
        place = (side, row.values[key])
        found[place] += 1
        if found[place] > 1:
            reading.problem(row.file, row.name, key, place[1], f"one {side} site there")
        _equal(reading, row, "id", f"site-{side}-{place[1]}")
    for side, place_name in sorted(wanted - found.keys()):
        reading.problem("sites.toml", "", f"site {side} {place_name}", "(missing)", "one site")


def _scoring(reading: Reading, row: Row) -> None:
    if row.values.get("small", 0) > row.values.get("large", 99):
        reading.problem(row.file, row.name, "small", row.values["small"], "at most the large number")


def _board(reading: Reading) -> None:
    def section(key: str) -> Row:
        return next(iter(reading.rows.get(("board.toml", key), ())), Row("board.toml", key, key))

    treasury = section("treasury")
    reis, influence = treasury.values.get("reis"), treasury.values.get("influence")
    if reis is not None and influence is not None and len(reis) != len(influence):
        reading.problem(
            "board.toml", "treasury", "influence", list(influence), f"{len(reis)} values, one a space as in reis"
        )
    if reis is not None and treasury.values.get("start", 1) > len(reis):
        reading.problem("board.toml", "treasury", "start", treasury.values["start"], f"1 to {len(reis)}")
    spaces = section("influence").values.get("reis_spaces", ())
    if len(set(spaces)) != len(spaces):
        reading.problem("board.toml", "influence", "reis_spaces", list(spaces), "different spaces")
    market = section("market")
    if {"start", "lowest"} <= market.values.keys():
        pairs = zip(names.GOODS, market.values["start"], market.values["lowest"], strict=True)
        for good, start, lowest in pairs:
            if lowest > start:
                reading.problem(
                    "board.toml", "market", f"lowest.{good}", lowest, f"0 to {start}, where the price starts"
                )
    church = section("church").values
    if "treasury_gap" in church and church["treasury_gap"] == church.get("influence_gap"):
        reading.problem(
            "board.toml", "church", "treasury_gap", church["treasury_gap"], "another gap than influence_gap"
        )
    for size, wanted in _CITY_TILES.items():
        n = section("city_tiles").values.get(size, wanted)
        if n != wanted:
            reading.problem("board.toml", "city_tiles", size, n, str(wanted))


def _chains(reading: Reading) -> None:
    """Few lands, sites and tiles may build or open: each one multiplies what has to be tried to find a legal action."""
    found = 0
    for file, table in (("lands.toml", "land"), ("sites.toml", "site"), ("clergy.toml", "tile")):
        for row in reading.rows.get((file, table), []):
            for key in ("reward", "choice"):
                kinds = {effect.kind for effect in row.values.get(key, ())}
                if kinds & {EffectKind.STORE, EffectKind.BUILDING}:
                    found += 1
                    if found > _CHAINS:
                        reading.problem(
                            file, row.name, key, "(store or building)", f"{_CHAINS} such lands, sites and tiles in all"
                        )


def examine(folder: Path) -> Reading:
    """Read a folder and note everything that is wrong with it in the reading's problems."""
    reading = read(folder)
    _unique(reading)
    for (file, table), wanted in _TOTALS.items():
        if (file, table) in reading.rows:
            _total(reading, file, table, len(reading.rows[file, table]), wanted)

    def rows(file: str, table: str) -> list[Row]:
        return reading.rows.get((file, table), [])

    if rows("cards.toml", "card"):
        _cards(reading, rows("cards.toml", "card"))
    if rows("plans.toml", "plan"):
        _plans(reading, rows("plans.toml", "plan"))
    if rows("lands.toml", "land"):
        _lands(reading, rows("lands.toml", "land"))
    if rows("sites.toml", "site"):
        _sites(reading, rows("sites.toml", "site"))
    for row in rows("clergy.toml", "tile"):
        _says_something(reading, row, ("benefit", "reward"))
    for row in [*rows("clergy.toml", "tile"), *rows("cards.toml", "card")]:
        _modifiers(reading, row)
    for row in rows("decrees.toml", "decree"):
        _decree(reading, row)
    for row in rows("buildings.toml", "building"):
        _building(reading, row)
    for row in rows("ships.toml", "ship"):
        _ship(reading, row)
    for row in rows("scoring.toml", "tile"):
        _scoring(reading, row)
    _chains(reading)
    _board(reading)
    reading.problems.sort(key=_place(reading.rows.values()))
    return reading


def _place(tables: Iterable[list[Row]]) -> "_Order":
    """Order problems as a reader meets them: whole files first, then rows in file order."""
    return _Order({(row.file, row.name): n for rows in tables for n, row in enumerate(rows)})


@dataclass(frozen=True, slots=True)
class _Order:
    places: dict[tuple[str, str], int]

    def __call__(self, problem: Problem) -> tuple[str, int]:
        return problem.file, self.places.get((problem.file, problem.row), -1)


def check(folder: str | Path) -> list[Problem]:
    """Every broken value of the edition in a folder, all at once; an empty list if it can be played with."""
    return examine(Path(folder)).problems


@dataclass(frozen=True, slots=True)
class HouseRow:
    """A row whose printed values are (partly) unknown: the fields whose values were made up."""

    file: str
    row: str
    fields: tuple[str, ...]


def house_rows(folder: str | Path) -> list[HouseRow]:
    """What in a folder is still ``house``, row by row in file order."""
    tables = read(Path(folder)).rows.values()
    found = [
        HouseRow(row.file, row.name, tuple(key for key, source in row.sources.items() if source == "house"))
        for rows in tables
        for row in rows
    ]
    return [row for row in found if row.fields]
