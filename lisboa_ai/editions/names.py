"""The words of an edition and their numbers in the engine.

Words are what TOML files, records and people use; numbers are what ``engine_ext/types.pxd`` uses. The enums repeat
that file's on purpose, so that reading an edition needs no compiled engine; a test holds the two together.
"""

from enum import IntEnum
from typing import Final

NOBLES: Final = ("maia", "marquis", "king")
OFFICES: Final = NOBLES
"""Offices carry their noble's name."""
CARD_NOBLES: Final = (*NOBLES, "treasury")
"""The four display decks: one per noble, and the treasury cards."""
GOODS: Final = ("gold", "cloth", "books", "tools")
BUSINESSES: Final = GOODS
"""Businesses, streets (west to east) and building colours share the goods' names and numbers."""
COLOURS: Final = ("brown", "red", "blue")
"""Rubble colours, dearest first."""
DECKS: Final = ("blue", "red", "purple", "brown")
"""Card backs and ship colours."""
SIDES: Final = ("west", "north", "east")
ARCHITECTS: Final = ("green", "blue")
HOUSES: Final = ("left", "middle", "right")
STATE_ACTIONS: Final = ("recruit", "plan", "ship", "produce", "cardinal", "favor")
ROWS: Final = ("A", "B", "C", "D", "E")
COLUMNS: Final = (1, 2, 3, 4, 5)
SOURCES: Final = ("rulebook", "public", "inferred", "house")
"""Where a value is from, surest first; ``house`` values were made up for this project."""

N_CARDS: Final = 82
N_LANDS: Final = 24
N_SITES: Final = 14
N_CLERGY: Final = 37
N_DECREES: Final = 70
N_PLANS: Final = 20
N_BUILDINGS: Final = 16
N_SCORING: Final = 4
COPIES: Final = 3
"""Ships of each colour in the box."""
MAX_TREASURY: Final = 16
MAX_INFLUENCE: Final = 10
MAX_EFFECTS: Final = 4
MAX_MODIFIERS: Final = 8
N_CHURCH: Final = 6
LAND_SOURCE: Final = N_CARDS
SITE_SOURCE: Final = LAND_SOURCE + N_LANDS
CLERGY_SOURCE: Final = SITE_SOURCE + N_SITES
N_SOURCES: Final = CLERGY_SOURCE + N_CLERGY
CLERGY_HOLDING: Final = N_CARDS


class EffectKind(IntEnum):
    """What one effect does."""

    NONE = 0
    REIS = 1
    WIGS = 2
    GOOD = 3
    GOOD_ANY = 4
    INFLUENCE = 5
    OFFICIALS = 6
    PLAN = 7
    SHIP = 8
    PRODUCE = 9
    CARDINAL = 10
    FAVOR = 11
    RUBBLE = 12
    TREASURY = 13
    DECREE = 14
    STORE = 15
    BUILDING = 16
    PAY_REIS = 17
    PAY_INFLUENCE = 18
    PAY_WIGS = 19
    PAY_GOOD = 20
    PAY_OFFICIAL = 21


class Quantity(IntEnum):
    """What a lasting benefit changes; where a benefit names a colour, good or noble, its number is added."""

    LAND = 0
    LAND_IGNORES = 1
    HIRE = 4
    SPONSOR = 5
    SELL = 6
    VISIT = 10
    VISIT_IGNORES = 13
    FOLLOW = 16
    SHIP_GOODS = 17
    PRODUCE = 18
    RECRUIT = 22
    CARDINAL_STEPS = 23
    TRADE_ACCEPTED = 24
    BUILDING_OFFICIALS = 28
    INFLUENCE_GAIN = 29
    WAREHOUSE = 30
    PORTFOLIO = 31
    STORE_WIGS = 32
    BUILDING_WIGS = 36
    DECREE_WIGS = 37
    SAIL_WIGS = 38
    PLAN_REIS = 39
    FAVOR_REIS = 40


class Feature(IntEnum):
    """What a decree counts."""

    STORES = 0
    BUILDINGS = 1
    PLANS_COMPLETED = 2
    PLANS_UNUSED = 3
    OFFICIALS_ON_PLANS = 4
    OFFICIALS_IN_OFFICES = 5
    OFFICIALS_IN_PLAZAS = 6
    OFFICIALS_ON_BOARD = 7
    SHIPS = 8
    HULL = 9
    NOBLE_CARDS = 10
    TREASURY_CARDS = 11
    INFLUENCE = 12
    REIS = 13
    GOODS = 14
    DIFFERENT_GOODS = 15
    CUBES = 16
    SETS = 17
    UNPAIRED_CUBES = 18
    CLERGY = 19
    FAVORS = 20
    HOUSES = 21
    DECREES = 22
    SET_MARKERS = 23


FEATURES: Final = {feature.name.lower().replace("_", " "): feature for feature in Feature}
"""The word a decree uses for each feature: ``plans completed``, ``officials in offices``, ..."""
