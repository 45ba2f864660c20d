"""Whether what a position says hangs together: agenda and boards, cards and their places, the draft and hands.

The engine's own laws (``Observation.broken``) count totals. What is asked here makes sure that a position typed in
by a person is one that a game can be played on from, so that nothing in the engine is ever indexed by nonsense.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any, Final

from engine_ext import core

from ._fields import bits
from ._totals import Sound
from .edition import EditionTables
from .errors import Violation

__all__ = ["DECISIONS", "unfit"]

MAX_DEPTH: Final = 24
"""Frames a typed agenda may hold; games reach fewer, and the engine's stack needs room for what follows."""
DECKS: Final = ("maia", "marquis", "king", "treasury")

_STATE_ACTION: Final = frozenset(
    [
        "recruit",
        "acquire_plan",
        "build_ship",
        "place_ship",
        "produce_bonus",
        "meet_cardinal",
        "cardinal_icons",
        "get_favor",
    ]
)
_EFFECT: Final = _STATE_ACTION | frozenset(
    [
        "effects",
        "choice",
        "good_any",
        "pay_good",
        "pay_official",
        "rubble_cube",
        "shed",
        "build_store",
        "store_house",
        "open_building",
        "building_plan",
        "building_scored",
        "take_decree",
        "spend_marker",
    ]
)
_ABOVE: Final[Mapping[str, frozenset[str]]] = {
    # what may lie directly on what; "" is the bottom, and a kind that is missing has nothing on it
    "": frozenset(("dock_ships", "upkeep", "next_turn")),
    "dock_ships": frozenset(("opening",)),
    "opening": frozenset(("draft_keep", "keep_clergy")),
    "draft_keep": frozenset(("draft_keep", "opening")),
    "keep_clergy": frozenset(("keep_clergy",)),
    "upkeep": frozenset(("church_scoring", "give_clergy")),
    "church_scoring": frozenset(("take_card", "discard_rewards")),
    "take_card": _EFFECT | {"play_card", "sell_or_trade", "sell", "trade", "trade_good", "follow_window", "sponsor"},
    "sell_or_trade": frozenset(("tuck",)),
    "tuck": _EFFECT | {"make_room"},
    "trade": _EFFECT | {"trade_good"},
    "follow_window": _EFFECT | {"noble_action", "follow", "follow_action"},
    "noble_action": _EFFECT | {"visit_state_action"},
    "visit_state_action": frozenset(("visit_cost",)),
    "follow_action": frozenset(("visit_cost",)),
    "sponsor": frozenset(("pay_reis",)),
    "next_turn": frozenset(("new_period",)),
    "new_period": frozenset(("church_scoring", "give_clergy")),
    "discard_rewards": _EFFECT | {"discard_hand", "discard_reward"},
    "discard_hand": frozenset(("discard_rewards",)),
    "give_clergy": frozenset(("give_clergy", "shed")),
    "effects": _EFFECT,
    "store_house": frozenset(("land_price", "pay_reis")),
    "land_price": frozenset(("store_cube",)),
    "store_cube": _EFFECT,
    "building_plan": _EFFECT,
    "building_scored": frozenset(("building_officials", "pay_reis")),
    "place_ship": frozenset(("ship_goods",)),
    "cardinal_icons": _EFFECT | {"clergy_tile"},
}
_OTHER_SEAT: Final = frozenset(
    [
        "dock_ships",
        "opening",
        "draft_keep",
        "keep_clergy",
        "upkeep",
        "church_scoring",
        "follow_window",
        "next_turn",
        "new_period",
        "discard_hand",
    ]
)
"""Kinds on which a frame of another seat may lie."""
_SAME_SEAT: Final = frozenset(("church_scoring", "take_card"))
"""Kinds that are of the same seat as the frame below, whatever that is."""
DECISIONS: Final = frozenset(
    [
        "keep_clergy",
        "draft_keep",
        "play_card",
        "take_card",
        "discard_hand",
        "discard_reward",
        "make_room",
        "shed",
        "sell_or_trade",
        "sell",
        "trade",
        "trade_good",
        "visit_cost",
        "visit_state_action",
        "noble_action",
        "follow",
        "follow_action",
        "recruit",
        "acquire_plan",
        "build_ship",
        "ship_goods",
        "produce_bonus",
        "meet_cardinal",
        "clergy_tile",
        "get_favor",
        "build_store",
        "store_cube",
        "store_house",
        "open_building",
        "building_plan",
        "building_officials",
        "take_decree",
        "spend_marker",
        "give_clergy",
        "rubble_cube",
        "pay_reis",
        "choice",
        "good_any",
        "pay_good",
        "pay_official",
    ]
)
"""Kinds that wait for an answer; the others resolve themselves and are never on top."""
_LIMITS: Final[Mapping[str, tuple[int, int]]] = {
    "opening": (0, 1),
    "draft_keep": (0, 2),
    "tuck": (0, 81),
    "make_room": (0, 81),
    "sell_or_trade": (0, 81),
    "sponsor": (0, 81),
    "sell": (0, 40),
    "trade": (0, 1),
    "trade_good": (0, 5),
    "visit_cost": (0, 31),
    "visit_state_action": (0, 2),
    "noble_action": (0, 2),
    "follow_window": (0, 2),
    "follow": (0, 2),
    "follow_action": (0, 2),
    "recruit": (1, 3),
    "ship_goods": (1, 4),
    "produce_bonus": (1, 15),
    "meet_cardinal": (1, 5),
    "cardinal_icons": (0, 5),
    "store_house": (0, 23),
    "land_price": (0, 23),
    "store_cube": (0, 23),
    "building_plan": (0, 13),
    "building_scored": (0, 13),
    "building_officials": (0, 13),
    "give_clergy": (0, 37),
    "discard_hand": (0, 82),
    "discard_rewards": (0, 3),
    "discard_reward": (0, 2),
    "pay_reis": (1, 200),
    "effects": (0, 156),
    "choice": (0, 156),
    "good_any": (1, 8),
    "pay_good": (1, 8),
    "pay_official": (1, 8),
}
"""What a frame's first number may be."""


def unfit(tables: EditionTables, f: dict[str, Any], observer: int, sound: Sound) -> Iterator[Violation]:
    """Everything in an observation's fields that does not fit together.

    The agenda's shape is judged by itself; whatever compares it with boards and decks needs all fields to be sound.
    """
    if not sound("agenda", "active", "turn", "over"):
        return
    agenda = _Agenda(tables, f)
    yield from agenda.shape()
    if agenda.sound and sound.entirely:
        yield from agenda.numbers()
        yield from agenda.turn()
        yield from _cards(tables, f, observer, agenda)
        if f["options"] & 2:
            yield from _draft(tables, f, observer, agenda)


class _Agenda:
    """The frames by name, bottom first."""

    def __init__(self, tables: EditionTables, f: dict[str, Any]) -> None:
        self.tables = tables
        self.f = f
        self.seats: int = f["seats"]
        self.frames = [(core.KINDS[x["kind"]], x["seat"], x["a"], x["b"]) for x in f["frames"][: f["depth"]]]
        self.kinds = [frame[0] for frame in self.frames]
        self.sound = True

    def has(self, kind: str) -> bool:
        return kind in self.kinds

    @property
    def top(self) -> str:
        return self.kinds[-1] if self.kinds else ""

    def shape(self) -> Iterator[Violation]:
        """Each frame lies on one that it can lie on, with a seat that can have it; a decision is on top."""
        on_turn = self.f["turn"] % self.seats
        if self.f["active"] != on_turn:
            yield Violation(
                "active", str(self.f["active"]), f"{on_turn}, the remainder of turn by {self.seats}", "DOES_NOT_FIT"
            )
        if self.f["phase"] == 2:
            if self.frames:
                self.sound = False
                yield Violation("agenda", f"{len(self.frames)} entries", "none when the game is over", "WRONG_LENGTH")
            return
        if not 0 < len(self.frames) <= MAX_DEPTH:
            self.sound = False
            yield Violation("agenda", f"{len(self.frames)} entries", f"1 to {MAX_DEPTH}", "WRONG_LENGTH")
            return
        below, owner = "", 0 if self.kinds[0] == "dock_ships" else self.f["active"]
        for i, (kind, seat, a, _) in enumerate(self.frames):
            allowed = _ABOVE.get(below, frozenset())
            if kind not in allowed:
                self.sound = False
                where = f"on {below}" if below else "at the bottom"
                yield Violation(f"agenda[{i}].kind", repr(kind), f"{where}: {_listed(allowed)}", "DOES_NOT_FIT")
            elif (
                seat != owner
                and (below not in _OTHER_SEAT or kind in _SAME_SEAT)
                and (below, kind) != ("give_clergy", "give_clergy")
            ):
                self.sound = False
                yield Violation(f"agenda[{i}].seat", str(seat), f"{owner}, as in the frame below", "DOES_NOT_FIT")
            low, high = _LIMITS.get(kind, (-32768, 32767))
            if not low <= a <= high:
                self.sound = False
                yield Violation(f"agenda[{i}].a", str(a), f"{low} to {high} for {kind}", "OUT_OF_RANGE")
            below, owner = kind, seat
        if self.top not in DECISIONS:
            self.sound = False
            yield Violation(
                f"agenda[{len(self.frames) - 1}].kind",
                repr(self.top),
                "a decision on top: " + _listed(DECISIONS),
                "NOT_A_DECISION",
            )

    def numbers(self) -> Iterator[Violation]:
        """The frames' numbers agree with each other and with the boards."""
        f = self.f
        for i, (kind, seat, a, b) in enumerate(self.frames):
            player = f["players"][seat]
            below = self.frames[i - 1] if i else ("", 0, 0, 0)
            wanted: list[
                tuple[bool, str, int, str]
            ] = []  # what must hold, and else: the field, its value, what is allowed
            match kind:
                case "follow_window":
                    wanted.append((1 <= b <= self.seats, "b", b, f"1 to {self.seats}"))
                case "sponsor":
                    wanted.append((self.tables.cards[a].noble == "treasury", "a", a, "a treasury card"))
                    wanted.append((b == 1, "b", b, "1"))
                case "tuck":
                    wanted.append((a == f["played"], "a", a, f"{f['played']}, the card in played"))
                    wanted.append((b in (0, 1), "b", b, "0 or 1"))
                case "make_room" | "visit_state_action" | "land_price" | "store_cube":
                    wanted.append((a == below[2], "a", a, f"{below[2]}, as in the frame below"))
                case "building_officials":
                    wanted.append((a == below[2], "a", a, f"{below[2]}, as in the frame below"))
                    wanted.append((b == below[3], "b", b, f"{below[3]}, as in the frame below"))
                case "visit_cost":
                    wanted.append((b == below[2], "b", b, f"{below[2]}, as in the frame below"))
                case "place_ship":
                    wanted += self._place_ship(player, a)
                case "cardinal_icons":
                    wanted.append((1 <= b <= 8, "b", b, "1 to 8"))
                    wanted.append(((a + b) % 6 == f["cardinal"], "b", b, "the steps from gap a to the cardinal"))
                case "follow":
                    wanted.append(
                        (bool(player["favors"] >> a & 1), "seat", seat, f"a seat with the favor of {DECKS[a]}")
                    )
                case "store_house":
                    wanted.append(
                        (f["land_business"][a] >= 0 and f["land_owner"][a] < 0, "a", a, "a store without owner")
                    )
                case "building_plan":
                    wanted.append((f["site_building"][a] == -2, "a", a, "a site in city.sites_opening"))
                case "building_scored":
                    wanted.append(
                        (
                            f["site_building"][a] >= 0 and f["site_owner"][a] == seat,
                            "a",
                            a,
                            f"a site with a building of seat {seat}",
                        )
                    )
                    wanted.append(
                        (0 <= b < 20 and bool(player["plans"] >> b & 1), "b", b, f"a plan that seat {seat} holds")
                    )
                case "effects" | "choice":
                    wanted.append((b & 255 <= 4 and b >> 8 in (0, 1), "b", b, "0 to 4, or 256 to 260"))
                case "take_decree" | "draft_keep":
                    wanted.append((b in (0, 1), "b", b, "0 or 1"))
                case "spend_marker":
                    able = player["markers"] > 0 and not f["markers_spent"] >> seat & 1
                    wanted.append((able, "seat", seat, "a seat with a marker that has not spent one this turn"))
                case "clergy_tile" | "meet_cardinal":
                    wanted.append(
                        (player["clergy"].bit_count() < 4, "seat", seat, "a seat with fewer than 4 clergy tiles")
                    )
                case "give_clergy":
                    wanted.append((0 <= b <= 4, "b", b, "0 to 4"))
                case "opening":
                    draft = int(below[0] == "dock_ships" and bool(f["options"] & 2))
                    wanted.append((a == draft, "a", a, str(draft)))
            if below[0] == "follow_window" and kind != "follow_window":
                turn_of = (below[1] + below[3] - 1) % self.seats
                wanted.append((seat == turn_of, "seat", seat, f"{turn_of}, whose turn in the window it is"))
                if kind in ("noble_action", "follow", "follow_action"):
                    wanted.append((a == below[2], "a", a, f"{below[2]}, the noble of the window"))
            for holds, field, value, allowed in wanted:
                if not holds:
                    self.sound = False
                    yield Violation(f"agenda[{i}].{field}", str(value), allowed, "DOES_NOT_FIT")
        yield from self._under_way()
        yield from self._series()

    def _place_ship(self, player: dict[str, Any], a: int) -> list[tuple[bool, str, int, str]]:
        top, bottom = player["top"][: player["n_top"]], player["bottom"][: player["n_bottom"]]
        room = player["n_top"] - (a in top) < 3
        left = self.f["ship_pos"] < 2 * (self.seats - 1)
        return [
            (a == core.STOP or a in top or a in bottom, "a", a, f"{core.STOP}, or a thing in the portfolio"),
            (room, "a", a, "a dock: the top row is full"),
            (left, "kind", a, "no ship is left to be placed"),
        ]

    def _under_way(self) -> Iterator[Violation]:
        """Stores and buildings that are not finished have a frame that finishes them, and only one."""
        f = self.f
        finished = Counter(a for kind, _, a, _ in self.frames if kind == "store_house")
        for land, business in enumerate(f["land_business"]):
            if business >= 0 and (f["land_owner"][land] < 0) != (finished[land] == 1):
                yield Violation(
                    "city.stores",
                    self.tables.id("land", land),
                    "an owner, or one store_house in the agenda that builds its house",
                    "DOES_NOT_FIT",
                )
        opening = Counter(a for kind, _, a, _ in self.frames if kind == "building_plan")
        for site, building in enumerate(f["site_building"]):
            if (building == -2) != (opening[site] == 1):
                yield Violation(
                    "city.sites_opening",
                    self.tables.id("site", site),
                    "one building_plan in the agenda for each site being opened",
                    "DOES_NOT_FIT",
                )
        for seat in range(self.seats):
            player = f["players"][seat]
            building = sum(kind == "store_house" and owner == seat for kind, owner, _, _ in self.frames)
            if sum(player["houses"]) + building > 8:
                yield Violation(
                    f"boards[{seat}].houses",
                    str(sum(player["houses"])),
                    "a house left for the store being built",
                    "TOO_MANY",
                )
            scored = [b for kind, owner, _, b in self.frames if kind == "building_scored" and owner == seat]
            if len(scored) != len(set(scored)):
                yield Violation("agenda", "building_scored", "each plan once", "DUPLICATE")

    def _series(self) -> Iterator[Violation]:
        """Frames that ask seat after seat come in the order that the rules ask in."""
        n, f = self.seats, self.f
        for kind, full in (
            ("keep_clergy", [(seat, 0) for seat in range(n - 1, -1, -1)]),
            ("draft_keep", [(seat, pass_) for pass_ in (2, 1, 0) for seat in range(n - 1, -1, -1)]),
        ):
            asked = [(seat, a) for k, seat, a, _ in self.frames if k == kind]
            if asked != full[: len(asked)]:
                yield Violation("agenda", kind, "seats in turn order, the first on top", "WRONG_ORDER")
        for kind in ("give_clergy", "discard_hand"):
            seats = [seat for k, seat, _, _ in self.frames if k == kind]
            if len(seats) > len(set(seats)) or any((below - above) % n != 1 for below, above in pairwise(seats)):
                yield Violation("agenda", kind, "seats clockwise, the first on top", "WRONG_ORDER")
        if (self.top == "keep_clergy") != (f["phase"] == 0):
            yield Violation(
                "setting_up", str(f["phase"] == 0).lower(), "true just while clergy tiles are chosen", "DOES_NOT_FIT"
            )

    def turn(self) -> Iterator[Violation]:
        """Turn, period, what was triggered, the displays."""
        f, n = self.f, self.seats
        if self.has("new_period") and f["period"] == 0:
            yield Violation("period", "1", "2, where the period is changing", "DOES_NOT_FIT")
        if f["phase"] == 2 and f["last_turn"] != f["turn"]:
            last = str(f["last_turn"]) if f["last_turn"] >= 0 else "none"
            yield Violation("last_turn", last, f"{f['turn']}, the turn after which the game was over", "DOES_NOT_FIT")
        yield from self._queen()
        if f["last_turn"] >= 0:
            latest = (f["turn"] // n + 2) * n - 1
            if f["period"] == 0 or f["last_turn"] % n != n - 1 or not f["turn"] <= f["last_turn"] <= latest:
                yield Violation(
                    "last_turn",
                    str(f["last_turn"]),
                    f"the end of this or a later round, at most {latest}, in period 2",
                    "OUT_OF_RANGE",
                )
        elif sum(taken >= 5 for taken in f["deck_pos"]) >= 3 and f["trigger"] < 0 and f["phase"] == 1:
            yield Violation("trigger", "none", "the seat that emptied the third deck", "MISSING")
        if f["played"] != core.UNKNOWN and not self.has("tuck"):
            yield Violation(
                "played", self.tables.id("card", f["played"]), "empty unless a card is being tucked", "DOES_NOT_FIT"
            )
        if any(f["discarded"]) and not self.has("discard_rewards"):
            yield Violation("discarded", "cards", "none outside the period's discards", "DOES_NOT_FIT")
        elif any(d & ~gone for d, gone in zip(f["discarded"], f["gone_cards"], strict=True)):
            yield Violation("discarded", "other cards", "cards that are in cards_gone too", "DOES_NOT_FIT")
        if self.has("take_card") or self.has("dock_ships"):
            for d in range(4):
                if f["deck_pos"][d] < 5 and not f["face_up"] >> d & 1:
                    yield Violation(f"decks[{d}].face_up", "''", "a card: the deck is not empty", "MISSING")
        if self.top == "play_card":
            if core.UNKNOWN in f["church"] and f["clergy_pos"] < len(self.tables.clergy):
                yield Violation("church.tiles", "an empty space", "six tiles while the bag is not empty", "MISSING")
            if core.UNKNOWN in f["display"] and f["decree_pos"] < len(self.tables.decrees):
                yield Violation("decrees", "fewer than 8", "8 decrees while the deck is not empty", "WRONG_LENGTH")
        for d in range(4):
            if f["deck_pos"][d] >= 5 and f["face_up"] >> d & 1:
                yield Violation(f"decks[{d}].face_up", "a card", "none: all five are taken", "TOO_MANY")

    def _queen(self) -> Iterator[Violation]:
        """In the variant she is out as soon as her card shows (N24)."""
        f = self.f
        shown = [card for d in range(4) for card in f["decks"][1][d][: f["deck_pos"][d] + (f["face_up"] >> d & 1)]]
        out = f["period"] == 1 and f["options"] & 1 and any(self.tables.cards[card].queen for card in shown)
        if bool(f["queen"]) != bool(out):
            yield Violation(
                "queen_out",
                str(bool(f["queen"])).lower(),
                "true just when the variant is played and her card was turned up",
                "DOES_NOT_FIT",
            )


def _cards(tables: EditionTables, f: dict[str, Any], observer: int, agenda: _Agenda) -> Iterator[Violation]:
    """Political cards lie where cards of their deck can lie, and as many of each deck as were dealt or taken."""
    seats, period = f["seats"], f["period"]
    places = dict.fromkeys(bits(f["gone_cards"][0] | f["gone_cards"][1] << 64), "cards_gone")
    hidden = {"blue": 0, "purple": 0}
    for seat, player in enumerate(f["players"][:seats]):
        for card in player["hand"][: player["n_hand"]]:
            if card < core.UNKNOWN_PURPLE:
                places[card] = f"boards[{seat}].hand"
                deck = tables.cards[card].deck
                if seat != observer and deck in hidden:
                    yield Violation(
                        f"boards[{seat}].hand",
                        repr(tables.id("card", card)),
                        f"cards taken from the display; one that was dealt is one of hidden_{deck}",
                        "NOT_SEEN",
                    )
            else:
                hidden["blue" if card == core.UNKNOWN_BLUE else "purple"] += 1
        places |= dict.fromkeys(player["top"][: player["n_top"]], f"boards[{seat}].docks")
        places |= dict.fromkeys(player["bottom"][: player["n_bottom"]], f"boards[{seat}].office")
    places = {thing: field for thing, field in places.items() if thing < core.SHIP_BASE}
    if f["played"] != core.UNKNOWN:
        places[f["played"]] = "played"
    own = f["players"][observer]["hand"][: f["players"][observer]["n_hand"]]
    for colour, card in (("blue", core.UNKNOWN_BLUE), ("purple", core.UNKNOWN_PURPLE)):
        if card in own:
            yield Violation(
                f"boards[{observer}].hidden_{colour}",
                str(own.count(card)),
                "0: the observer sees this hand",
                "TOO_MANY",
            )
    by_deck = Counter(tables.cards[card].deck for card in places)
    drafting = bool(f["options"] & 2) and agenda.has("dock_ships")
    dealt = {"blue": 0 if drafting else 5 * seats, "purple": f["purple_pos"]}
    for colour, wanted in dealt.items():
        if by_deck[colour] + hidden[colour] != wanted:
            yield Violation(
                "boards.hand",
                f"{by_deck[colour] + hidden[colour]} {colour} cards, known and hidden, in all places",
                f"{wanted}, as many as were dealt",
                "WRONG_TOTAL",
            )
    if period == 0 and f["purple_pos"]:
        yield Violation("purple_dealt", str(f["purple_pos"]), "0 in period 1", "OUT_OF_RANGE")
    if period == 1 and by_deck["red"] != 20:
        yield Violation(
            "cards_gone", f"{by_deck['red']} red cards in all places", "20: what was not taken is gone", "WRONG_TOTAL"
        )
    colour = ("red", "brown")[period]
    for d in range(4):
        taken = f["decks"][period][d][: f["deck_pos"][d]]
        for card, known in enumerate(tables.cards):
            if known.deck == colour and known.noble == DECKS[d] and (card in taken) != (card in places):
                where = places.get(card, "no other place")
                yield Violation(
                    f"decks[{d}].taken",
                    f"{known.id} in {where}",
                    "just the cards of this deck that are in a hand, a portfolio or gone",
                    "DOES_NOT_FIT",
                )
    if period == 0 and by_deck["brown"]:
        yield Violation("boards", f"{by_deck['brown']} brown cards", "none in period 1", "DOES_NOT_FIT")


def _draft(tables: EditionTables, f: dict[str, Any], observer: int, agenda: _Agenda) -> Iterator[Violation]:
    """What a drafted hand must agree with: packets, cards shown since, cards still hidden."""
    seats = f["seats"]
    keeping = [a for kind, _, a, _ in agenda.frames if kind == "draft_keep"]
    wanted = (0 if agenda.top == "keep_clergy" else min(keeping)) if agenda.has("dock_ships") else 3
    if f["draft_pass"] != wanted:
        yield Violation("draft.pass", str(f["draft_pass"]), str(wanted), "DOES_NOT_FIT")
        return
    packets = f["packets"][:seats]
    known = [card for packet in packets for card in packet if card != core.UNKNOWN]
    for card in known:
        if tables.cards[card].deck != "blue":
            yield Violation("draft.packets", repr(tables.id("card", card)), "blue cards", "WRONG_DECK")
            return
    blue = [number for number, card in enumerate(tables.cards) if card.deck == "blue"]
    own = {seat: [packets[(seat - max(0, place - 1)) % seats][place] for place in range(5)] for seat in range(seats)}
    for seat in range(seats):
        shown = {blue[i] for i in bits(f["shown_blue"][seat])}
        held = {c for c in f["players"][seat]["hand"][: f["players"][seat]["n_hand"]] if c in blue}
        hidden = f["players"][seat]["hand"][: f["players"][seat]["n_hand"]].count(core.UNKNOWN_BLUE)
        if agenda.has("dock_ships"):
            if shown or f["players"][seat]["n_hand"]:
                yield Violation(f"boards[{seat}].hand", "cards", "none before the draft is over", "TOO_MANY")
            continue
        if len(shown | held) + hidden != 5 or shown & held:
            yield Violation(
                f"boards[{seat}].shown_blue",
                f"{len(shown)} shown, {len(held)} known in hand, {hidden} hidden",
                "5 drafted cards in all, each shown or in hand",
                "WRONG_TOTAL",
            )
        elsewhere = [card for card in shown | held if card in known and card not in own[seat]]
        unplaced = sum(card not in known for card in shown | held)
        if elsewhere or unplaced > own[seat].count(core.UNKNOWN):
            yield Violation(
                "draft.packets",
                f"cards of seat {seat}",
                "cards of packets that this seat took one from",
                "DOES_NOT_FIT",
            )
    if not agenda.has("dock_ships") and core.UNKNOWN in own[observer]:
        yield Violation("draft.packets", "''", "every card that the observer took", "MISSING")


def _listed(kinds: frozenset[str]) -> str:
    return ", ".join(sorted(kinds)) or "nothing"
