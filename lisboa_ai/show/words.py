"""Short words, marks and colours of the display. A word or letter says what each colour says."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

from rich.text import Text

from ..edition import COLOURS, GOODS, NOBLES, EditionTables

UNKNOWN: Final = 255
UNKNOWN_CARDS: Final = {255: "?", 254: "blue-?", 253: "purple-?"}
NOBLE_NAMES: Final = ("Maia", "Marquis", "King")
HOUSES: Final = ("left", "middle", "right")
HOUSES_PER_GROUP: Final = (2, 3, 3)
SEAT_STYLES: Final = ("bold bright_cyan", "bold bright_magenta", "bold bright_green", "bold bright_yellow")
CUBE_STYLES: Final = ("orange3", "bright_red", "bright_blue")
CUBE_LETTERS: Final = ("n", "r", "b")
"""browN, Red, Blue."""
GOOD_STYLES: Final = ("yellow", "magenta", "green", "cyan")
QUESTIONS: Final = {
    "keep_clergy": "keep a clergy tile",
    "draft_keep": "keep a card of the packet",
    "play_card": "play a card",
    "take_card": "take a card",
    "discard_hand": "discard from the hand",
    "discard_reward": "choose the card that rewards",
    "make_room": "make room in the portfolio",
    "shed": "give up a thing of the portfolio",
    "sell_or_trade": "sell or trade",
    "sell": "sell a good",
    "trade": "trade for a state action",
    "trade_good": "choose the good to trade with",
    "visit_cost": "pay for the visit",
    "visit_state_action": "choose a state action",
    "noble_action": "choose the noble action",
    "follow": "follow or pass",
    "follow_action": "choose what to do as a follower",
    "recruit": "recruit officials",
    "acquire_plan": "acquire a plan",
    "build_ship": "dock the new ship",
    "ship_goods": "choose goods for the ship",
    "produce_bonus": "choose the good of the house bonus",
    "meet_cardinal": "move the cardinal",
    "clergy_tile": "take a clergy tile",
    "get_favor": "get a royal favor",
    "build_store": "build a store",
    "store_cube": "take a cube for the store",
    "store_house": "build a house",
    "open_building": "open a public building",
    "building_plan": "use a plan",
    "building_officials": "return officials",
    "take_decree": "take a decree",
    "spend_marker": "spend a set marker",
    "give_clergy": "give up clergy tiles",
    "rubble_cube": "take a rubble cube",
    "pay_reis": "pay",
    "choice": "choose an effect",
    "good_any": "choose a good",
    "pay_good": "choose a good to pay",
    "pay_official": "choose an official to recall",
}
"""What a seat is asked to do, by decision kind."""


def seat_mark(seat: int) -> Text:
    """``P1`` in the seat's colour."""
    return Text(f"P{seat + 1}", style=SEAT_STYLES[seat])


def seat_title(seat: int, names: Sequence[str] = ()) -> Text:
    """A seat as people count (from 1), with its number as programs count (from 0), and its name if there is one."""
    title = Text(f"Player {seat + 1}", style=SEAT_STYLES[seat])
    name = names[seat] if seat < len(names) else ""
    return title.append(f" {name} (seat {seat})" if name else f" (seat {seat})", style="not bold")


def cubes(counts: Sequence[int], *, blank: str = "-") -> Text:
    """One lettered square for each cube: browN, Red, Blue."""
    text = Text()
    for colour, n in enumerate(counts):
        for _ in range(n):
            text.append(f"■{CUBE_LETTERS[colour]}", style=CUBE_STYLES[colour])
    return text if text.plain else Text(blank, style="dim")


def counted(counts: Sequence[int], words: Sequence[str], styles: Sequence[str] = ()) -> Text:
    """``2 gold, 1 cloth``: what there is any of."""
    parts = [
        Text(f"{n} {word}", style=styles[i] if styles else "")
        for i, (n, word) in enumerate(zip(counts, words, strict=True))
        if n
    ]
    return Text(", ").join(parts) if parts else Text("none", style="dim")


def goods(counts: Sequence[int]) -> Text:
    """Goods by type."""
    return counted(counts, GOODS, GOOD_STYLES)


def good(business: int) -> Text:
    """The name of a good or business in its colour."""
    return Text(GOODS[business], style=GOOD_STYLES[business])


def cube_counts(counts: Sequence[int]) -> Text:
    """Cubes by colour."""
    return counted(counts, COLOURS, CUBE_STYLES)


def mask_ids(tables: EditionTables, thing: str, masks: int | Sequence[int]) -> list[str]:
    """The ids in a bit mask, or in several of 64 bits each."""
    whole = masks if isinstance(masks, int) else sum(int(part) << 64 * i for i, part in enumerate(masks))
    return [tables.id(thing, n) for n in range(whole.bit_length()) if whole >> n & 1]


def card(tables: EditionTables, number: int) -> str:
    """A card's id, or the back that shows."""
    return UNKNOWN_CARDS.get(number) or tables.id("card", number)


def effects(items: Iterable[Any], choices: Iterable[Any]) -> str:
    """Effects in few words: ``2 réis + plan``, ``1 any good or 2 wigs``."""
    both = [" + ".join(map(_short, items)), " or ".join(map(_short, choices))]
    return ", ".join(part for part in both if part) or "-"


def _short(effect: object) -> str:
    """``2 gold`` for the edition's ``good gold 2``, ``2 reis`` for ``reis 2``, ``decree`` as it is."""
    words = str(effect).removeprefix("good ").split()
    if words[-1].lstrip("-").isdigit():
        words = [words[-1], *words[:-1]]
    return " ".join(words).replace("any", "any good").replace("reis", "réis")


def nobles_of(mask: int) -> list[str]:
    """The nobles in a bit mask."""
    return [NOBLES[n] for n in range(3) if mask >> n & 1]
