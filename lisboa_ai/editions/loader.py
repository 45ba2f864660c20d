"""Loading editions, by the name of a bundled one or from a folder, and exporting a bundled one as a starting point."""

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

from . import names
from .check import examine
from .model import Board, Building, Card, Clergy, Decree, EditionTables, Land, Plan, ScoringTile, Ship, Site
from .reading import LAYOUT, Problem, Reading, Row

_BUNDLED = Path(__file__).parent


class EditionError(ValueError):
    """An edition that cannot be loaded or exported; ``problems`` names every broken value, if that is why."""

    def __init__(self, message: str, problems: Sequence[Problem] = ()) -> None:
        super().__init__("\n".join([message, *(f"  {problem}" for problem in problems)]))
        self.problems = tuple(problems)


def bundled() -> tuple[str, ...]:
    """Names of the editions that come with the package."""
    return tuple(sorted(file.parent.name for file in _BUNDLED.glob("*/edition.toml")))


def folder_of(name_or_dir: str | Path) -> Path:
    """The folder of a bundled edition (a plain name) or the given folder; raises EditionError if there is none."""
    if isinstance(name_or_dir, str) and name_or_dir in bundled():
        return _BUNDLED / name_or_dir
    folder = Path(name_or_dir)
    if not folder.is_dir():
        known = ", ".join(bundled())
        raise EditionError(
            f"no edition {str(name_or_dir)!r}: neither bundled ({known}) nor a folder with an edition's files"
        )
    return folder


def load(name_or_dir: str | Path = "house") -> EditionTables:
    """The edition with this bundled name or in this folder; raises EditionError naming every broken value.

    Bundled editions are read once and shared; a folder is read anew each time, because its files may have changed.
    """
    if isinstance(name_or_dir, str) and name_or_dir in bundled():
        return _load_bundled(name_or_dir)
    return _load(folder_of(name_or_dir))


@cache
def _load_bundled(name: str) -> EditionTables:
    return _load(_BUNDLED / name)


def _load(folder: Path) -> EditionTables:
    reading = examine(folder)
    if reading.problems:
        raise EditionError(f"the edition in {folder} cannot be used:", reading.problems)

    def values(file: str, table: str) -> list[dict[str, Any]]:
        return [row.values for row in reading.rows[file, table]]

    return EditionTables(
        name=reading.header["name"],
        title=reading.header["title"],
        cards=tuple(_card(row) for row in values("cards.toml", "card")),
        lands=tuple(Land(**row) for row in values("lands.toml", "land")),
        sites=tuple(Site(**row) for row in values("sites.toml", "site")),
        clergy=tuple(Clergy(**row) for row in values("clergy.toml", "tile")),
        decrees=tuple(Decree(**row) for row in values("decrees.toml", "decree")),
        plans=tuple(Plan(**row) for row in values("plans.toml", "plan")),
        buildings=tuple(Building(**row) for row in values("buildings.toml", "building")),
        ships=tuple(sorted((Ship(**row) for row in values("ships.toml", "ship")), key=_ship_order)),
        scoring=tuple(ScoringTile(**row) for row in values("scoring.toml", "tile")),
        board=_board(reading),
        provenance=MappingProxyType(
            {_key(row): MappingProxyType(dict(row.sources)) for rows in reading.rows.values() for row in rows}
        ),
    )


def _card(values: dict[str, Any]) -> Card:
    event = values.pop("event", None)
    return Card(**values) if event is None else Card(reward=event, **values)


def _ship_order(ship: Ship) -> int:
    return names.DECKS.index(ship.colour)


def _key(row: Row) -> str:
    return f"ship-{row.name}" if row.table == "ship" else row.name


def _board(reading: Reading) -> Board:
    section = {table: rows[0].values for (file, table), rows in reading.rows.items() if file == "board.toml"}
    return Board(
        treasury_start=section["treasury"]["start"],
        treasury_reis=section["treasury"]["reis"],
        treasury_influence=section["treasury"]["influence"],
        reis_spaces=tuple(sorted(section["influence"]["reis_spaces"], reverse=True)),
        influence_start=section["influence"]["start"],
        market_start=section["market"]["start"],
        market_lowest=section["market"]["lowest"],
        office_spaces=section["offices"]["spaces"],
        church_start=section["church"]["start_gap"],
        church_influence=section["church"]["influence_gap"],
        church_treasury=section["church"]["treasury_gap"],
        city_large=section["city_tiles"]["large"],
        city_small=section["city_tiles"]["small"],
        column_uses=section["scoring"]["column_uses"],
    )


def export(folder: str | Path, name: str = "house") -> list[Path]:
    """Write a bundled edition's files into a folder (made if needed) and return their paths.

    Raises EditionError, before anything is written, if there is no such edition or a file is there already.
    """
    if name not in bundled():
        raise EditionError(f"no bundled edition {name!r}; there are {', '.join(bundled())}")
    target = Path(folder)
    if target.exists() and not target.is_dir():
        raise EditionError(f"{target} is not a folder")
    existing = [file for file in LAYOUT if (target / file).exists()]
    if existing:
        more = f", and {len(existing) - 1} more files of an edition" if len(existing) > 1 else ""
        raise EditionError(
            f"folder: {target} already holds {existing[0]}{more}; nothing was written; allowed: a folder without them"
        )
    target.mkdir(parents=True, exist_ok=True)
    for file in LAYOUT:
        (target / file).write_bytes((_BUNDLED / name / file).read_bytes())
    return [target / file for file in LAYOUT]
