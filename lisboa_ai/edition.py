"""The printed numbers of the game: loading, checking and exporting editions (``docs/edition.md``).

>>> from lisboa_ai import edition
>>> tables = edition.load("house")
>>> tables.number("card", "red-king-3")
33
>>> tables.id("land", 11)
'land-C3'
>>> tables.describe("clergy-1")
'lasting: land costs you 2 réis less; 2 wigs when given up'
"""

from .editions.check import HouseRow, check, house_rows
from .editions.describe import describe_decree, describe_reward
from .editions.effects import (
    Benefit,
    Effect,
    VocabularyError,
    describe_benefit,
    describe_benefits,
    describe_effect,
    describe_effects,
    parse_benefit,
    parse_effect,
)
from .editions.loader import EditionError, bundled, export, folder_of, load
from .editions.model import (
    THINGS,
    Board,
    Building,
    Card,
    Clergy,
    Decree,
    EditionTables,
    Land,
    Plan,
    ScoringTile,
    Ship,
    Site,
    UnknownId,
)
from .editions.names import (
    ARCHITECTS,
    BUSINESSES,
    CARD_NOBLES,
    COLOURS,
    COLUMNS,
    DECKS,
    GOODS,
    NOBLES,
    OFFICES,
    ROWS,
    SIDES,
    SOURCES,
    EffectKind,
    Feature,
    Quantity,
)
from .editions.reading import Problem

__all__ = [
    "ARCHITECTS",
    "BUSINESSES",
    "CARD_NOBLES",
    "COLOURS",
    "COLUMNS",
    "DECKS",
    "GOODS",
    "NOBLES",
    "OFFICES",
    "ROWS",
    "SIDES",
    "SOURCES",
    "THINGS",
    "Benefit",
    "Board",
    "Building",
    "Card",
    "Clergy",
    "Decree",
    "EditionError",
    "EditionTables",
    "Effect",
    "EffectKind",
    "Feature",
    "HouseRow",
    "Land",
    "Plan",
    "Problem",
    "Quantity",
    "ScoringTile",
    "Ship",
    "Site",
    "UnknownId",
    "VocabularyError",
    "bundled",
    "check",
    "describe_benefit",
    "describe_benefits",
    "describe_decree",
    "describe_effect",
    "describe_effects",
    "describe_reward",
    "export",
    "folder_of",
    "house_rows",
    "load",
    "parse_benefit",
    "parse_effect",
]
