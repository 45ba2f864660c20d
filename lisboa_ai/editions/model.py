"""What an edition is once read: frozen rows, lookups between ids and numbers, a content hash, the engine's tables.

Nothing here checks values; :mod:`lisboa_ai.editions.check` does, and the loader calls it first.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from . import names
from .describe import describe_row
from .effects import Benefit, Effect
from .names import Feature
from .tables import engine_tables

if TYPE_CHECKING:
    from engine_ext.core import Edition

THINGS: Final = ("card", "land", "site", "clergy", "decree", "plan", "building", "ship", "scoring")
"""The kinds of thing that have ids; each numbers its ids from 0."""

_NOT_VALUES: Final = frozenset({"name", "title", "provenance"})
"""Fields of an edition that do not change how a game goes."""


class UnknownId(ValueError):
    """An id or number that the edition does not have."""


@dataclass(frozen=True, slots=True)
class Card:
    """A political card. Noble cards have a reward and an influence; treasury cards an event (held in ``reward``),
    lasting benefits and no influence."""

    id: str
    deck: str
    noble: str
    influence: int = 0
    reward: tuple[Effect, ...] = ()
    choice: tuple[Effect, ...] = ()
    benefit: tuple[Benefit, ...] = ()
    queen: bool = False


@dataclass(frozen=True, slots=True)
class Clergy:
    """A clergy tile: lasting benefits while held, a reward when taken, the wigs on its back."""

    id: str
    wigs: int
    benefit: tuple[Benefit, ...] = ()
    reward: tuple[Effect, ...] = ()


@dataclass(frozen=True, slots=True)
class Decree:
    """A decree: ``wigs`` for each counted thing up to ``at_most``, or once if ``at_least`` are counted. ``where`` holds
    (key, allowed values) pairs, all of which must hold. Unset limits are 0."""

    id: str
    wigs: int
    each: Feature
    where: tuple[tuple[str, tuple[str, ...]], ...] = ()
    at_least: int = 0
    at_most: int = 0
    not_for_2: bool = False


@dataclass(frozen=True, slots=True)
class Plan:
    """A plan: its architect, and the officials its building takes."""

    id: str
    architect: str
    officials: int
    starting: bool = False


@dataclass(frozen=True, slots=True)
class Building:
    """A public building tile: the two businesses each side draws customers to."""

    id: str
    green: tuple[str, ...]
    blue: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Ship:
    """A ship colour, of which the box holds three copies; ``price`` is added to every good sold to it."""

    colour: str
    period: int
    hull: int
    price: int
    influence: int


@dataclass(frozen=True, slots=True)
class Land:
    """A land space; ``column`` counts from 1 and ``faces`` are the streets its store may face."""

    id: str
    row: str
    column: int
    size: str
    faces: tuple[str, ...]
    reward: tuple[Effect, ...] = ()
    choice: tuple[Effect, ...] = ()


@dataclass(frozen=True, slots=True)
class Site:
    """A public building site: in a row at the west or east side, or at the north end of a street."""

    id: str
    side: str
    row: str | None = None
    street: str | None = None
    reward: tuple[Effect, ...] = ()
    choice: tuple[Effect, ...] = ()


@dataclass(frozen=True, slots=True)
class ScoringTile:
    """A scoring tile: ``large`` is the wigs a store scores per building; ``small`` is printed but unused."""

    id: str
    large: int
    small: int


@dataclass(frozen=True, slots=True)
class Board:
    """The numbers on the game board. ``treasury_start`` and ``column_uses`` count from 1, church gaps from 0."""

    treasury_start: int
    treasury_reis: tuple[int, ...]
    treasury_influence: tuple[int, ...]
    reis_spaces: tuple[int, ...]
    influence_start: tuple[int, ...]
    market_start: tuple[int, ...]
    market_lowest: tuple[int, ...]
    office_spaces: int
    church_start: int
    church_influence: int
    church_treasury: int
    city_large: int
    city_small: int
    column_uses: tuple[int, ...]

    def cash_value(self, influence: int) -> int:
        """How many réis an influence of 0 to 10 can make (``docs/rules.md`` C4)."""
        return sum(space < influence for space in self.reis_spaces)

    def next_reis_space(self, influence: int) -> int:
        """Where the marker lands after making one real from this influence; -1 if it cannot."""
        return max((space for space in self.reis_spaces if space < influence), default=-1)


@dataclass(frozen=True)
class EditionTables:
    """One edition, read-only. Every id is also a number: its row in its table (ships: three copies per colour, in the
    order blue, red, purple, brown). Safe to share between threads."""

    name: str
    title: str
    cards: tuple[Card, ...]
    lands: tuple[Land, ...]
    sites: tuple[Site, ...]
    clergy: tuple[Clergy, ...]
    decrees: tuple[Decree, ...]
    plans: tuple[Plan, ...]
    buildings: tuple[Building, ...]
    ships: tuple[Ship, ...]
    scoring: tuple[ScoringTile, ...]
    board: Board
    provenance: Mapping[str, Mapping[str, str]] = field(repr=False, compare=False, hash=False)
    """Source of each value, by row id (ships ``ship-blue``, board sections ``treasury``, ...) and field."""

    @cached_property
    def ids(self) -> Mapping[str, tuple[str, ...]]:
        """Ids by kind of thing (see THINGS), in the order of their numbers."""
        return MappingProxyType(
            {
                "card": tuple(row.id for row in self.cards),
                "land": tuple(row.id for row in self.lands),
                "site": tuple(row.id for row in self.sites),
                "clergy": tuple(row.id for row in self.clergy),
                "decree": tuple(row.id for row in self.decrees),
                "plan": tuple(row.id for row in self.plans),
                "building": tuple(row.id for row in self.buildings),
                "ship": tuple(f"ship-{row.colour}-{copy + 1}" for row in self.ships for copy in range(names.COPIES)),
                "scoring": tuple(row.id for row in self.scoring),
            }
        )

    @cached_property
    def _numbers(self) -> Mapping[str, tuple[str, int]]:
        return {thing_id: (thing, n) for thing, ids in self.ids.items() for n, thing_id in enumerate(ids)}

    def find(self, thing_id: str) -> tuple[str, int]:
        """The kind and number of an id: ``("land", 12)``; raises UnknownId."""
        try:
            return self._numbers[thing_id]
        except KeyError:
            raise UnknownId(f"edition {self.name!r} has no {thing_id!r}") from None

    def number(self, thing: str, thing_id: str) -> int:
        """The number of an id of this kind of thing; raises UnknownId, also if the id is another kind's."""
        found, n = self.find(thing_id)
        if found != thing:
            raise UnknownId(f"{thing_id!r} is a {found}, not a {thing}")
        return n

    def id(self, thing: str, number: int) -> str:
        """The id of a number; raises UnknownId."""
        ids = self.ids[thing]
        if not 0 <= number < len(ids):
            raise UnknownId(f"edition {self.name!r} has {thing} 0 to {len(ids) - 1}, not {number}")
        return ids[number]

    @cached_property
    def source_ids(self) -> tuple[str, ...]:
        """Ids of everything with effects, by the engine's source number: cards, lands, sites, clergy tiles."""
        return self.ids["card"] + self.ids["land"] + self.ids["site"] + self.ids["clergy"]

    def source_effects(self, source: int) -> tuple[tuple[Effect, ...], tuple[Effect, ...]]:
        """(rewards, choices) of an engine source number; raises UnknownId."""
        if not 0 <= source < names.N_SOURCES:
            raise UnknownId(f"sources are 0 to {names.N_SOURCES - 1}, not {source}")
        return self._sources[source]

    @cached_property
    def _sources(self) -> tuple[tuple[tuple[Effect, ...], tuple[Effect, ...]], ...]:
        with_choice: tuple[Card | Land | Site, ...] = (*self.cards, *self.lands, *self.sites)
        clergy = tuple((row.reward, ()) for row in self.clergy)
        return tuple((row.reward, row.choice) for row in with_choice) + clergy

    def describe(self, thing_id: str) -> str:
        """What a card, land, site, clergy tile, decree, plan, building, ship or scoring tile says, in plain English."""
        return describe_row(self, *self.find(thing_id))

    @cached_property
    def digest(self) -> str:
        """16 hexadecimal digits that name the values: equal for equal ids and values, whatever the name, the comments,
        the provenance and the order of keys."""
        values = {item.name: getattr(self, item.name) for item in fields(self) if item.name not in _NOT_VALUES}
        text = json.dumps(values, sort_keys=True, ensure_ascii=True, separators=(",", ":"), default=asdict)
        return hashlib.sha256(text.encode()).hexdigest()[:16]

    @cached_property
    def engine(self) -> "Edition":
        """The same edition as the rules engine wants it (needs the compiled extension)."""
        from engine_ext.core import Edition

        return Edition(self.name, self.digest, self.tables())

    def tables(self) -> dict[str, Any]:
        """The ``EditionC`` struct of ``engine_ext/types.pxd`` as nested dicts and full-length lists of integers."""
        return engine_tables(self)
