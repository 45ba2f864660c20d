"""Whether a position holds just what lies in the box: each thing in one place, as many as there are and as fit.

The engine keeps the same laws (``core.LAWS``) but cannot say which field of a message breaks one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final

from engine_ext import core
from lisboa.v1 import position_pb2 as pb

from ._fields import bits
from .edition import EditionTables
from .editions.names import COLOURS, COPIES, GOODS, NOBLES, Quantity
from .errors import Violation

__all__ = ["repeated", "wrong_totals"]

CUBES_OF_A_COLOUR: Final = 21
CUBES_OF_ROW_E: Final = 7
"""Cubes that leave the game before it starts with 2 players (docs/rules.md A2)."""
MOST_CLERGY: Final = 4
SLOTS: Final = 6
START_WIGS: Final = 5
HAND: Final = 5
DECK_CARDS: Final = 20
"""Cards of the four decks of a period."""
MOST_TURNS: Final = 19
"""Turns after which three of four decks of five are empty at the latest."""
AT_THE_END: Final = frozenset(
    [
        "hulls",
        "gold_majority",
        "cloth_majority",
        "books_majority",
        "tools_majority",
        "money",
        "officials",
        "favors",
    ]
)
"""Categories in which wigs come with the final scoring only."""

Check = Callable[[EditionTables, dict[str, Any]], Iterator[Violation]]


# --- each in one place only -------------------------------------------------------------------------------------------


def repeated(m: pb.Position) -> Iterator[Violation]:
    """Every place that names something a second time. Asks nothing about what is named."""
    for places in _places(m):
        first: dict[object, str] = {}
        for field, value in places:
            if value == "":  # an unknown card, an empty space
                continue
            if value in first:
                yield Violation(field, repr(value), f"one place only; it is in {first[value]} too", "DUPLICATE")
            else:
                first[value] = field


def _listed(field: str, values: Iterable[object]) -> list[tuple[str, object]]:
    return [(f"{field}[{i}]", value) for i, value in enumerate(values)]


def _places(m: pb.Position) -> Iterator[list[tuple[str, object]]]:
    """Groups of fields, with their values, within which nothing may be named twice."""
    things = [("played", m.played), *_listed("church.tiles", m.church.tiles), *_listed("church.gone", m.church.gone)]
    things += [(f"decks[{i}].face_up", deck.face_up) for i, deck in enumerate(m.decks)]
    things += _listed("decrees", m.decrees) + _listed("decrees_removed", m.decrees_removed)
    things += _listed("cards_gone", m.cards_gone) + _listed("city.scoring_tiles", m.city.scoring_tiles)
    things += [(f"city.stores[{i}].land", store.land) for i, store in enumerate(m.city.stores)]
    for i, building in enumerate(m.city.buildings):
        things += [
            (f"city.buildings[{i}].site", building.site),
            (f"city.buildings[{i}].building", building.building),
        ]
    things += _listed("city.sites_opening", m.city.sites_opening)
    for i, plans in enumerate(m.plan_stacks):
        things += _listed(f"plan_stacks[{i}].plans", plans.plans)
    for i, stack in enumerate(m.building_stacks):
        things += _listed(f"building_stacks[{i}].buildings", stack.buildings)
    for i, board in enumerate(m.boards):
        field = f"boards[{i}]"
        things += [(f"{field}.docks[{j}].holds", dock.holds) for j, dock in enumerate(board.docks)]
        for name in ("hand", "office", "plans", "completed_plans", "clergy", "decrees", "drawn"):
            things += _listed(f"{field}.{name}", getattr(board, name))
        yield _listed(f"{field}.favors", board.favors)
    yield things
    yield [(f"city.sites[{i}].site", cubes.site) for i, cubes in enumerate(m.city.sites)]
    shown = [place for i, deck in enumerate(m.decks) for place in _listed(f"decks[{i}].taken", deck.taken)]
    yield shown + [(f"decks[{i}].face_up", deck.face_up) for i, deck in enumerate(m.decks)]
    yield [place for i, board in enumerate(m.boards) for place in _listed(f"boards[{i}].shown_blue", board.shown_blue)]
    packets = [(f"draft.packets[{i}].cards", packet.cards) for i, packet in enumerate(m.draft.packets)]
    yield [place for field, cards in packets for place in _listed(field, cards)]
    for name in ("banners", "markers_spent", "discarded"):
        yield _listed(name, getattr(m, name))
    yield _listed("city.tiles_on_display", m.city.tiles_on_display)


# --- as many as there are, and as fit ---------------------------------------------------------------------------------


class Sound:
    """Which fields of a message were read without a violation, so that others may be counted with them."""

    def __init__(self, violations: Iterable[Violation]) -> None:
        self._broken = {_without_numbers(violation.field) for violation in violations}

    @property
    def entirely(self) -> bool:
        return not self._broken

    def __call__(self, *fields: str) -> bool:
        return not any(
            broken.startswith(field) or field.startswith(broken)
            for field in ("players", "period", *fields)
            for broken in self._broken
        )


def _without_numbers(field: str) -> str:
    return "".join(char for char in field if not char.isdigit())


def wrong_totals(tables: EditionTables, f: dict[str, Any], observer: int, sound: Sound) -> Iterator[Violation]:
    """Every total that is not right, of those whose fields are sound by themselves."""
    if f["phase"] == 0 and sound("boards[].drawn", "boards[].clergy", "observer"):
        yield from _drawn(f, observer)
    for fields, check in _CHECKS.items():
        if sound(*fields):
            yield from check(tables, f)


def _cubes(_: EditionTables, f: dict[str, Any]) -> Iterator[Violation]:
    lines = [*f["row_cubes"], *f["column_cubes"], *f["site_cubes"], f["pile"], f["gone_cubes"]]
    lines += [player["cubes"] for player in f["players"][: f["seats"]]]
    for i, colour in enumerate(COLOURS):
        found = sum(line[i] for line in lines)
        if found != CUBES_OF_A_COLOUR:
            yield Violation(
                "city",
                f"{found} {colour} cubes in the city and on boards",
                f"{CUBES_OF_A_COLOUR} {colour} cubes in all, those in city.gone included",
                "WRONG_TOTAL",
            )
    if f["seats"] == 2 and sum(f["gone_cubes"]) < CUBES_OF_ROW_E:
        yield Violation(
            "city.gone",
            f"{sum(f['gone_cubes'])} cubes",
            f"{CUBES_OF_ROW_E} or more: those of row E are not in a game of 2 players",
            "WRONG_TOTAL",
        )


def _city_tiles(tables: EditionTables, f: dict[str, Any]) -> Iterator[Violation]:
    built = [tables.lands[land].size for land, business in enumerate(f["land_business"]) if business >= 0]
    shown = {"large": (f["city"] & 15).bit_count(), "small": f["city"] >> 4 & 1}
    for size, key, total in (
        ("large", "city_large", tables.board.city_large),
        ("small", "city_small", tables.board.city_small),
    ):
        stores = sum((land == "half") == (size == "small") for land in built)
        left = total - stores - shown[size]
        if f[key] != left:
            yield Violation(
                f"city.{size}_left",
                str(f[key]),
                f"{left}: of {total} tiles, {stores} are stores and {shown[size]} on display",
                "WRONG_TOTAL",
            )


def _houses(_: EditionTables, f: dict[str, Any]) -> Iterator[Violation]:
    for seat in range(f["seats"]):
        stores = f["land_owner"].count(seat)
        built = sum(f["players"][seat]["houses"])
        if built != stores:
            yield Violation(f"boards[{seat}].houses", str(built), f"{stores}, as many as stores", "WRONG_TOTAL")


def _plans(tables: EditionTables, f: dict[str, Any]) -> Iterator[Violation]:
    held = [player["plans"] | player["completed"] for player in f["players"][: f["seats"]]]
    for seat, plans in enumerate(held):
        starting = sum(tables.plans[number].starting for number in bits(plans))
        if starting != 1:
            yield Violation(
                f"boards[{seat}].plans", f"{starting} starting plans", "1, held or completed", "WRONG_TOTAL"
            )
    for stack, position in enumerate(f["plan_pos"]):
        for number in f["plan_stack"][stack][:position]:
            if not any(plans >> number & 1 for plans in held):
                yield Violation(
                    f"plan_stacks[{stack}].plans",
                    f"{tables.id('plan', number)} in no place",
                    "each plan of the stack in it or on a board",
                    "MISSING",
                )


def _clergy(_: EditionTables, f: dict[str, Any]) -> Iterator[Violation]:
    choosing = {frame["seat"] for frame in f["frames"][: f["depth"]] if core.KINDS[frame["kind"]] == "keep_clergy"}
    for seat in range(f["seats"]):
        held = f["players"][seat]["clergy"].bit_count()
        field = f"boards[{seat}].clergy"
        if held > MOST_CLERGY:
            yield Violation(field, f"{held} tiles", f"at most {MOST_CLERGY}", "TOO_MANY")
        elif f["phase"] == 0 and held != (seat not in choosing):
            yield Violation(
                field, f"{held} tiles", "1, or 0 before keep_clergy, while starting tiles are chosen", "WRONG_TOTAL"
            )


def _drawn(f: dict[str, Any], observer: int) -> Iterator[Violation]:
    """The observer sees both starting tiles drawn, and then the one that was not kept; nobody else's."""
    for seat, player in enumerate(f["players"][: f["seats"]]):
        seen = sum(tile != core.UNKNOWN for tile in f["drawn"][seat])
        wanted = 0 if seat != observer else 1 if player["clergy"] else 2
        if seen != wanted:
            yield Violation(
                f"boards[{seat}].drawn", f"{seen} tiles", f"{wanted}, as the observer sees it", "WRONG_TOTAL"
            )


def _decrees(tables: EditionTables, f: dict[str, Any]) -> Iterator[Violation]:
    """With 2 players just the restricted decrees are taken out (A9)."""
    in_play = {number: "decrees" for number in f["display"] if number != core.UNKNOWN}
    for seat, player in enumerate(f["players"][: f["seats"]]):
        in_play |= dict.fromkeys(bits(player["decrees"][0] | player["decrees"][1] << 64), f"boards[{seat}].decrees")
    for number in f["decree_deck"][: f["decree_pos"]]:
        restricted = tables.decrees[number].not_for_2 and f["seats"] == 2
        if restricted == (number in in_play):
            yield Violation(
                in_play.get(number, "decrees_removed"),
                repr(tables.id("decree", number)),
                "decrees that games of 2 players use" if restricted else "decrees that games of 2 players do without",
                "NOT_IN_PLAY",
            )


def _ships(tables: EditionTables, f: dict[str, Any]) -> Iterator[Violation]:
    """The stack is blue over red, then purple over brown; each colour has a ship less than there are players (A3)."""
    copies, period = f["seats"] - 1, f["period"]
    stack = [COPIES * (2 * p + colour) + copy for p in range(2) for colour in range(2) for copy in range(copies)]
    taken = stack[: 2 * copies * period + f["ship_pos"]]
    for seat, player in enumerate(f["players"][: f["seats"]]):
        for i, thing in enumerate(player["top"][: player["n_top"]]):
            if thing >= core.SHIP_BASE and thing - core.SHIP_BASE not in taken:
                yield Violation(
                    f"boards[{seat}].docks[{i}].holds",
                    repr(tables.id("ship", thing - core.SHIP_BASE)),
                    "ships taken so far: " + (", ".join(tables.id("ship", ship) for ship in taken) or "none"),
                    "NOT_IN_PLAY",
                )


def _portfolio(_: EditionTables, f: dict[str, Any]) -> Iterator[Violation]:
    """Two cards or ships, one more for each set and benefit, 6 at most (B11); more while some are being given up."""
    for seat, player in enumerate(f["players"][: f["seats"]]):
        limit = min(2 + player["sets"] + player["mods"][Quantity.PORTFOLIO], SLOTS)
        held = player["n_top"] + player["n_bottom"]
        frames = [core.KINDS[frame["kind"]] for frame in f["frames"][: f["depth"]] if frame["seat"] == seat]
        if held > limit and "shed" not in frames and "tuck" not in frames:
            yield Violation(
                f"boards[{seat}].docks", f"{held} cards and ships with those in office", f"at most {limit}", "TOO_MANY"
            )


def _warehouse(_: EditionTables, f: dict[str, Any]) -> Iterator[Violation]:
    for seat, player in enumerate(f["players"][: f["seats"]]):
        room = 2 + player["sets"] + player["mods"][Quantity.WAREHOUSE]
        for good, held in zip(GOODS, player["goods"], strict=True):
            if held > room:
                yield Violation(f"boards[{seat}].goods.{good}", str(held), f"0 to {room}", "TOO_MANY")


def _offices(tables: EditionTables, f: dict[str, Any]) -> Iterator[Violation]:
    for i, noble in enumerate(NOBLES):
        found = f["neutral"] + sum(player["offices"][i] for player in f["players"][: f["seats"]])
        if found > tables.board.office_spaces:
            yield Violation(
                f"boards[].offices.{noble}",
                f"{found} officials" + " with the neutral one" * f["neutral"],
                f"at most {tables.board.office_spaces} of all players",
                "TOO_MANY",
            )


def _wigs(_: EditionTables, f: dict[str, Any]) -> Iterator[Violation]:
    """5 at the start; what is paid is counted below 0; the rest is gained, some only when the game is over."""
    for seat, player in enumerate(f["players"][: f["seats"]]):
        for category, wigs in zip(core.CATEGORIES, player["ledger"], strict=True):
            field = f"boards[{seat}].wigs.{category}"
            if category == "start":
                allowed, holds = f"{START_WIGS}", wigs == START_WIGS
            elif category == "paid":
                allowed, holds = "0 or less", wigs <= 0
            elif category in AT_THE_END and f["phase"] != 2:
                allowed, holds = "0 before the game is over", wigs == 0
            else:
                allowed, holds = "0 or more", wigs >= 0
            if not holds:
                yield Violation(field, str(wigs), allowed, "OUT_OF_RANGE")
        if player["wigs"] < 0:
            yield Violation(f"boards[{seat}].wigs", str(player["wigs"]), "0 or more in all", "OUT_OF_RANGE")


def _kinds(f: dict[str, Any]) -> set[str]:
    return {core.KINDS[frame["kind"]] for frame in f["frames"][: f["depth"]]}


def _turns(_: EditionTables, f: dict[str, Any]) -> Iterator[Violation]:
    """Every turn takes a card while there is one (B16); 19 at most end a period, as the third empty deck does (K1)."""
    kinds, taken, seats = _kinds(f), sum(f["deck_pos"]), f["seats"]
    if f["phase"] == 0 or "dock_ships" in kinds:
        least = most = 0
    else:
        finished = 0 if "take_card" in kinds else 1  # this turn has taken its card, but does not count yet
        least = most = taken - finished
        if f["period"] == 1:
            least, most = taken + 1 - finished, taken + MOST_TURNS - finished
        if "new_period" in kinds:
            least, most = 0, MOST_TURNS - 1
        elif taken == DECK_CARDS:
            most = ((2 * MOST_TURNS - 1) // seats + 2) * seats - 1
    if not least <= f["turn"] <= most:
        allowed = f"{least}" if least == most else f"{least} to {most}"
        yield Violation("turn", str(f["turn"]), f"{allowed}, with {taken} cards taken from the decks", "OUT_OF_RANGE")


def _hands(_: EditionTables, f: dict[str, Any]) -> Iterator[Violation]:
    """Five cards, one less between playing one and taking another, down to three when the decks are empty (B17)."""
    kinds = _kinds(f)
    for seat, player in enumerate(f["players"][: f["seats"]]):
        least = most = HAND - (seat == f["active"] and "take_card" in kinds and "play_card" not in kinds)
        if "new_period" in kinds or ("dock_ships" in kinds and f["options"] & 2):
            least = 0
        elif f["period"] == 1 and sum(f["deck_pos"]) == DECK_CARDS:
            least = HAND - 2
        if not least <= player["n_hand"] <= most:
            allowed = f"{least}" if least == most else f"{least} to {most}"
            yield Violation(
                f"boards[{seat}].hand", f"{player['n_hand']} cards, known and hidden", allowed, "WRONG_TOTAL"
            )


_CHECKS: Final[Mapping[tuple[str, ...], Check]] = {
    # what is counted, by the fields that it takes
    ("city.rows", "city.columns", "city.sites[", "city.pile", "city.gone", "boards[].cubes"): _cubes,
    ("city.stores", "city.tiles_on_display", "city.large_left", "city.small_left"): _city_tiles,
    ("city.stores", "boards[].houses"): _houses,
    ("plan_stacks", "boards[].plans", "boards[].completed_plans"): _plans,
    ("boards[].clergy", "agenda", "setting_up"): _clergy,
    ("decrees", "decrees_removed", "boards[].decrees"): _decrees,
    ("ships_taken", "boards[].docks"): _ships,
    ("boards[].cubes", "boards[].docks", "boards[].office", "boards[].clergy", "agenda"): _portfolio,
    ("boards[].cubes", "boards[].goods", "boards[].office", "boards[].clergy"): _warehouse,
    ("boards[].offices",): _offices,
    ("boards[].wigs", "over"): _wigs,
    ("agenda", "decks", "turn"): _turns,
    ("agenda", "decks", "active", "boards[].hand", "boards[].hidden"): _hands,
}
