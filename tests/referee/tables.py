"""What is printed on board, cards and tiles, read from the edition's TOML files."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

NOBLES = ("maia", "marquis", "king")
DECKS = ("maia", "marquis", "king", "treasury")
GOODS = ("gold", "cloth", "books", "tools")
COLOURS = ("brown", "red", "blue")
ROWS = ("A", "B", "C", "D", "E")
COLUMNS = (1, 2, 3, 4, 5)
ARCHITECTS = ("green", "blue")
HOUSES = {"left": 2, "middle": 3, "right": 3}
CUBE_PRICE = {"brown": 3, "red": 2, "blue": 1}
STATE_ACTIONS = {
    "maia": ("recruit", "plan"),
    "marquis": ("ship", "produce"),
    "king": ("cardinal", "favor"),
}
NOBLE_OF = {action: noble for noble, actions in STATE_ACTIONS.items() for action in actions}
GOOD_OF = {"maia": "tools", "marquis": "books", "king": "cloth"}
SHIP_ORDER = {1: ("blue", "red"), 2: ("purple", "brown")}
FOLDER = Path(__file__).resolve().parents[2] / "lisboa_ai" / "editions" / "house"


class Effect(NamedTuple):
    """One effect: ``good gold 2`` is what "good gold", amount 2."""

    text: str
    what: str
    amount: int


class Card(NamedTuple):
    id: str
    deck: str
    noble: str
    influence: int
    effects: tuple[Effect, ...]
    choice: tuple[Effect, ...]
    queen: bool


class Land(NamedTuple):
    id: str
    row: str
    column: int
    half: bool
    faces: tuple[str, ...]
    effects: tuple[Effect, ...]
    choice: tuple[Effect, ...]


class Site(NamedTuple):
    id: str
    side: str
    row: str | None
    street: str | None
    effects: tuple[Effect, ...]
    choice: tuple[Effect, ...]


class Tile(NamedTuple):
    """A clergy tile."""

    id: str
    wigs: int
    effects: tuple[Effect, ...]
    choice: tuple[Effect, ...]


class Ship(NamedTuple):
    id: str
    period: int
    hull: int
    price: int
    influence: int


class Plan(NamedTuple):
    id: str
    architect: str
    officials: int


class Decree(NamedTuple):
    id: str
    wigs: int
    each: str
    where: dict[str, tuple[Any, ...]]
    at_least: int | None
    at_most: int | None
    not_for_2: bool


@dataclass(frozen=True)
class Tables:
    cards: dict[str, Card]
    lands: dict[str, Land]
    sites: dict[str, Site]
    clergy: dict[str, Tile]
    ships: dict[str, Ship]
    plans: dict[str, Plan]
    decrees: dict[str, Decree]
    buildings: dict[str, dict[str, tuple[str, ...]]]
    large_number: dict[str, int]
    benefits: dict[str, dict[str, int]]
    """Lasting benefits of treasury cards and clergy tiles: id -> quantity -> amount. Discounts count upwards."""
    treasury_reis: tuple[int, ...]
    treasury_influence: tuple[int, ...]
    treasury_start: int
    influence_start: tuple[int, ...]
    reis_spaces: frozenset[int]
    influence_worth: tuple[int, ...]
    """Réis that can be made of an influence of 0 to 10."""
    price_start: dict[str, int]
    price_lowest: dict[str, int]
    office_spaces: int
    start_gap: int
    influence_gap: int
    treasury_gap: int
    large_tiles: int
    small_tiles: int
    column_uses: tuple[int, ...]


def read_effect(text: str) -> Effect:
    """``good any 2``, ``treasury -2``, ``influence``: words, then perhaps a number."""
    words = text.split()
    if words[-1].lstrip("+-").isdigit():
        return Effect(text, " ".join(words[:-1]), int(words[-1]))
    return Effect(text, text, 1)


def read_benefit(text: str) -> tuple[str, int]:
    """``visit king -1`` is ("visit king", 1); ``land ignores red`` is itself, 1; ``store wigs +1 gold`` names gold."""
    words = text.split()
    amounts = [abs(int(word)) for word in words if word.lstrip("+-").isdigit()]
    names = [word for word in words if not word.lstrip("+-").isdigit()]
    return " ".join(names), amounts[0] if amounts else 1


def _effects(row: dict[str, Any], field: str) -> tuple[Effect, ...]:
    return tuple(read_effect(text) for text in row.get(field, ()))


def _benefits(row: dict[str, Any]) -> dict[str, int]:
    found: dict[str, int] = {}
    for text in row.get("benefit", ()):
        quantity, amount = read_benefit(text)
        found[quantity] = found.get(quantity, 0) + amount
    return found


def _card(row: dict[str, Any]) -> Card:
    field = "event" if row["noble"] == "treasury" else "reward"
    return Card(
        row["id"],
        row["deck"],
        row["noble"],
        row.get("influence", 0),
        _effects(row, field),
        _effects(row, "choice"),
        row.get("queen", False),
    )


def _land(row: dict[str, Any]) -> Land:
    faces = tuple(row["faces"])
    effects, choice = _effects(row, "reward"), _effects(row, "choice")
    return Land(row["id"], row["row"], row["column"], row["size"] == "half", faces, effects, choice)


def _decree(row: dict[str, Any]) -> Decree:
    where = {key: tuple(value) if isinstance(value, list) else (value,) for key, value in row.get("where", {}).items()}
    return Decree(
        row["id"],
        row["wigs"],
        row["each"],
        where,
        row.get("at_least"),
        row.get("at_most"),
        row.get("not_for_2", False),
    )


def _ships(rows: list[dict[str, Any]]) -> dict[str, Ship]:
    ships = {}
    for row in rows:
        for copy in (1, 2, 3):
            name = f"ship-{row['colour']}-{copy}"
            ships[name] = Ship(name, row["period"], row["hull"], row["price"], row["influence"])
    return ships


@cache
def load_tables(folder: Path = FOLDER) -> Tables:
    """The edition in a folder."""

    def read(name: str) -> dict[str, Any]:
        return tomllib.loads((folder / f"{name}.toml").read_text(encoding="utf-8"))

    board = read("board")
    reis_spaces = frozenset(board["influence"]["reis_spaces"])
    cards, clergy = read("cards")["card"], read("clergy")["tile"]
    return Tables(
        cards={row["id"]: _card(row) for row in cards},
        lands={row["id"]: _land(row) for row in read("lands")["land"]},
        sites={
            row["id"]: Site(
                row["id"],
                row["side"],
                row.get("row"),
                row.get("street"),
                _effects(row, "reward"),
                _effects(row, "choice"),
            )
            for row in read("sites")["site"]
        },
        clergy={
            row["id"]: Tile(row["id"], row["wigs"], _effects(row, "reward"), _effects(row, "choice")) for row in clergy
        },
        ships=_ships(read("ships")["ship"]),
        plans={row["id"]: Plan(row["id"], row["architect"], row["officials"]) for row in read("plans")["plan"]},
        decrees={row["id"]: _decree(row) for row in read("decrees")["decree"]},
        buildings={row["id"]: {side: tuple(row[side]) for side in ARCHITECTS} for row in read("buildings")["building"]},
        large_number={row["id"]: row["large"] for row in read("scoring")["tile"]},
        benefits={row["id"]: _benefits(row) for row in (*cards, *clergy)},
        treasury_reis=tuple(board["treasury"]["reis"]),
        treasury_influence=tuple(board["treasury"]["influence"]),
        treasury_start=board["treasury"]["start"],
        influence_start=tuple(board["influence"]["start"]),
        reis_spaces=reis_spaces,
        influence_worth=tuple(sum(space < influence for space in reis_spaces) for influence in range(11)),
        price_start=board["market"]["start"],
        price_lowest=board["market"]["lowest"],
        office_spaces=board["offices"]["spaces"],
        start_gap=board["church"]["start_gap"],
        influence_gap=board["church"]["influence_gap"],
        treasury_gap=board["church"]["treasury_gap"],
        large_tiles=board["city_tiles"]["large"],
        small_tiles=board["city_tiles"]["small"],
        column_uses=tuple(board["scoring"]["column_uses"]),
    )
