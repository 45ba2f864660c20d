"""The state of a game: what lies on the board and before the players. Things are named by their ids.

Counts are dicts; collections that change rarely are tuples, replaced as a whole, so that a copy is cheap.
"""

from __future__ import annotations

from typing import NamedTuple, TypeVar

from .tables import COLOURS, GOODS, NOBLES, Tables

T = TypeVar("T")


class Dock(NamedTuple):
    """A top slot in use. ``cargo`` are goods face up, ``crates`` goods packed up (a full hold of these is at sea)."""

    holds: str
    cargo: int = 0
    crates: int = 0


class Store(NamedTuple):
    business: str
    owner: int | None
    """None while it is being built (N10)."""


class Building(NamedTuple):
    tile: str
    side: str
    owner: int


class Player:
    """What lies before one player."""

    def __init__(self, seat: int) -> None:
        self.seat = seat
        self.reis = 10
        self.influence = 0
        self.score = 0
        self.wigs: dict[str, int] = {}
        """Wigs by category; they add up to the score."""
        self.board = 7
        """Officials on the player board."""
        self.offices = dict.fromkeys(NOBLES, 0)
        self.plazas = dict.fromkeys(NOBLES, 0)
        self.goods = dict.fromkeys(GOODS, 1)
        self.cubes = dict.fromkeys(COLOURS, 0)
        self.markers = 0
        """Set markers on the Marquis' portrait."""
        self.houses = {"left": 0, "middle": 0, "right": 0}
        self.favors: tuple[str, ...] = ()
        self.hand: tuple[str, ...] = ()
        self.top: tuple[Dock, ...] = ()
        self.bottom: tuple[str, ...] = ()
        self.plans: tuple[str, ...] = ()
        self.completed: tuple[str, ...] = ()
        self.clergy: tuple[str, ...] = ()
        self.decrees: tuple[str, ...] = ()

    def copy(self) -> Player:
        twin = Player.__new__(Player)
        fields = twin.__dict__
        fields.update(self.__dict__)
        for name in ("wigs", "offices", "plazas", "goods", "cubes", "houses"):
            fields[name] = fields[name].copy()
        return twin

    @property
    def sets(self) -> int:
        """I1: complete sets of one cube of each colour; a colour holds 5."""
        return min(self.cubes.values())

    def earn(self, category: str, wigs: int) -> None:
        self.score += wigs
        self.wigs[category] = self.wigs.get(category, 0) + wigs


class State:
    """Everything on the table."""

    def __init__(self, tables: Tables, seats: int, *, queen: bool = False, draft: bool = False) -> None:
        self.tables = tables
        self.seats = seats
        self.queen_variant = queen
        self.hand_draft = draft
        self.setting_up = True
        """Whether starting clergy tiles are still being chosen."""
        self.over = False
        self.period = 1
        self.turn = 0
        self.last_turn: int | None = None
        self.active = 0
        self.trigger: int | None = None
        """Who first completed the set, or took the card, that ends the period or the game; only this turn."""
        self.church_caller: int | None = None
        """Who first moved the cardinal onto his influence icon this turn (J6)."""
        self.queen_out = False
        self.played: str | None = None
        """The card on its way into a portfolio."""
        self.discarded: tuple[str, ...] = ()
        self.banners: tuple[str, ...] = ()
        self.markers_spent: tuple[int, ...] = ()
        self.players = [Player(seat) for seat in range(seats)]
        self.neutral = 1 if seats == 2 else 0
        """Neutral officials in each office (A5)."""
        self.treasury = tables.treasury_start
        self.prices = dict(tables.price_start)
        self.cardinal = tables.start_gap
        self.church: tuple[str | None, ...] = (None,) * 6
        self.clergy_bag: tuple[str, ...] = ()
        self.clergy_gone: tuple[str, ...] = ()
        self.drawn: tuple[tuple[str, ...], ...] = ()
        self.favor_stock = dict.fromkeys(NOBLES, seats)
        self.row_cubes: dict[str, tuple[str, ...]] = {}
        self.column_cubes: dict[int, tuple[str, ...]] = {}
        self.site_cubes: dict[str, tuple[str, ...]] = {}
        self.pile: tuple[str, ...] = ()
        self.cubes_gone: tuple[str, ...] = ()
        self.stores: dict[str, Store] = {}
        self.buildings: dict[str, Building] = {}
        self.opening: tuple[str, ...] = ()
        self.scoring: tuple[str, ...] = ()
        self.display: frozenset[str] = frozenset()
        """City tile spaces with a tile: the businesses, and "small"."""
        self.large_left = tables.large_tiles
        self.small_left = tables.small_tiles
        self.decks: dict[str, tuple[str, ...]] = {}
        """The four decks of the display, top card first."""
        self.showing: frozenset[str] = frozenset()
        """Decks whose top card is face up."""
        self.brown: dict[str, tuple[str, ...]] = {}
        self.purple: tuple[str, ...] = ()
        self.cards_gone: tuple[str, ...] = ()
        self.decree_deck: tuple[str, ...] = ()
        self.decrees: tuple[str, ...] = ()
        self.decrees_removed: tuple[str, ...] = ()
        self.plan_stacks: dict[str, tuple[str, ...]] = {}
        self.building_stacks: dict[str, tuple[str, ...]] = {}
        """By architect; the first tile is the one on display."""
        self.shipyard: tuple[str, ...] = ()
        self.clergy_returns: tuple[int, ...] = ()
        self.packets: tuple[tuple[str, ...], ...] = ()
        """Hand draft: the packets as they are now, by the seat that holds them."""

    def copy(self) -> State:
        twin = State.__new__(State)
        fields = twin.__dict__
        fields.update(self.__dict__)
        for name in (
            "prices",
            "favor_stock",
            "row_cubes",
            "column_cubes",
            "site_cubes",
            "stores",
            "buildings",
            "decks",
            "plan_stacks",
            "building_stacks",
        ):
            fields[name] = fields[name].copy()
        fields["players"] = [player.copy() for player in self.players]
        return twin

    def clockwise(self, first: int) -> list[int]:
        """All seats, clockwise from one."""
        return [(first + i) % self.seats for i in range(self.seats)]


def without(items: tuple[T, ...], gone: T) -> tuple[T, ...]:
    """The tuple less one such item."""
    at = items.index(gone)
    return items[:at] + items[at + 1 :]
