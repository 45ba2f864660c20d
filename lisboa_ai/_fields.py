"""The engine's fields of an observation as the message ``Position``, both ways.

What follows from other fields (sets, benefits, stores owned, officials on the board, what a deck still hides) is
left out of the message and worked out on the way back.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

from engine_ext import core
from lisboa.v1 import position_pb2 as pb

from .edition import EditionTables, UnknownId
from .editions.names import ARCHITECTS, COLOURS, COPIES, GOODS, HOUSES, NOBLES, STATE_ACTIONS
from .errors import Violation

DISPLAY: Final = (*GOODS, "small")
SIDES: Final = ARCHITECTS  # a building's side shows its architect's colour
CATEGORIES: Final = core.CATEGORIES
UNKNOWN: Final = core.UNKNOWN
N_CLERGY, N_DECREES, N_DEALT = 37, 70, 21
NO_ROW_E: Final = "rows A to D with 2 players"


def bits(mask: int) -> list[int]:
    return [i for i in range(mask.bit_length()) if mask >> i & 1]


# --- to a message ----------------------------------------------------------------------------------------------------


def to_message(tables: EditionTables, fields: dict[str, Any], observer: int) -> pb.Position:
    """The message of an observation's fields."""

    def ids(thing: str, numbers: Iterable[int]) -> list[str]:
        return [tables.id(thing, n) for n in numbers]

    def maybe(thing: str, number: int) -> str:
        return "" if number == UNKNOWN else tables.id(thing, number)

    def cubes(counts: Sequence[int]) -> pb.Cubes:
        return pb.Cubes(brown=counts[0], red=counts[1], blue=counts[2])

    f = fields
    seats, period = f["seats"], f["period"]
    message = pb.Position(
        edition=pb.EditionRef(name=tables.name, digest=tables.digest),
        players=seats,
        queen_variant=bool(f["options"] & 1),
        hand_draft=bool(f["options"] & 2),
        observer=observer,
        period=period + 1,
        turn=f["turn"],
        active=f["active"],
        setting_up=f["phase"] == 0,
        over=f["phase"] == 2,
        queen_out=bool(f["queen"]),
        banners=[STATE_ACTIONS[i] for i in bits(f["banners"])],
        markers_spent=bits(f["markers_spent"]),
        played=maybe("card", f["played"]),
        discarded=ids("card", bits(f["discarded"][0] | f["discarded"][1] << 64)),
        tracks=pb.Tracks(
            treasury=f["treasury"] + 1,
            prices=pb.Goods(**dict(zip(GOODS, f["price"], strict=True))),
            cardinal=f["cardinal"],
        ),
        city=pb.City(
            rows=map(cubes, f["row_cubes"]),
            columns=map(cubes, f["column_cubes"]),
            pile=cubes(f["pile"]),
            gone=cubes(f["gone_cubes"]),
            sites=[
                pb.SiteCubes(site=tables.id("site", i), cubes=cubes(c)) for i, c in enumerate(f["site_cubes"]) if any(c)
            ],
            stores=[
                pb.Store(land=tables.id("land", i), business=GOODS[b], owner=None if owner < 0 else owner)
                for i, (b, owner) in enumerate(zip(f["land_business"], f["land_owner"], strict=True))
                if b >= 0
            ],
            buildings=[
                pb.PublicBuilding(
                    site=tables.id("site", i),
                    building=tables.id("building", tile >> 1),
                    side=SIDES[tile & 1],
                    owner=max(0, f["site_owner"][i]),
                )
                for i, tile in enumerate(f["site_building"])
                if tile >= 0
            ],
            sites_opening=[tables.id("site", i) for i, tile in enumerate(f["site_building"]) if tile == -2],
            scoring_tiles=ids("scoring", f["scoring"]),
            tiles_on_display=[DISPLAY[i] for i in bits(f["city"])],
            large_left=f["city_large"],
            small_left=f["city_small"],
        ),
        church=pb.Church(
            tiles=[maybe("clergy", tile) for tile in f["church"]], gone=ids("clergy", bits(f["gone_clergy"]))
        ),
        decks=[
            pb.Deck(
                taken=ids("card", f["decks"][period][d][: f["deck_pos"][d]]),
                face_up=tables.id("card", f["decks"][period][d][f["deck_pos"][d]]) if f["face_up"] >> d & 1 else "",
            )
            for d in range(4)
        ],
        decrees=ids("decree", (d for d in f["display"] if d != UNKNOWN)),
        plan_stacks=[pb.PlanStack(plans=ids("plan", f["plan_stack"][a][f["plan_pos"][a] :])) for a in range(2)],
        building_stacks=[
            pb.BuildingStack(
                buildings=ids("building", f["buildings"][a][f["building_pos"][a] : f["building_pos"][a] + 2])
            )
            for a in range(2)
        ],
        ships_taken=f["ship_pos"],
        purple_dealt=f["purple_pos"],
        cards_gone=ids("card", bits(f["gone_cards"][0] | f["gone_cards"][1] << 64)),
        agenda=[
            pb.AgendaFrame(kind=core.KINDS[frame["kind"]], seat=frame["seat"], a=frame["a"], b=frame["b"])
            for frame in f["frames"][: f["depth"]]
        ],
    )
    if f["last_turn"] >= 0:
        message.last_turn = f["last_turn"]
    if f["trigger"] >= 0:
        message.trigger = f["trigger"]
    if f["church_caller"] >= 0:
        message.church_caller = f["church_caller"]
    owned = set(message.decrees)
    for seat in range(seats):
        board = _board(tables, f["players"][seat])
        owned |= set(board.decrees)
        if f["phase"] == 0:
            board.drawn.extend(tables.id("clergy", t) for t in f["drawn"][seat] if t != UNKNOWN)
        if f["options"] & 2:
            blue = [n for n, card in enumerate(tables.cards) if card.deck == "blue"]
            board.shown_blue.extend(tables.id("card", blue[i]) for i in bits(f["shown_blue"][seat]))
        message.boards.append(board)
    seen = ids("decree", f["decree_deck"][: f["decree_pos"]])
    message.decrees_removed.extend(d for d in seen if d not in owned)
    if f["options"] & 2:
        message.draft.CopyFrom(
            pb.Draft(
                **{"pass": f["draft_pass"]},
                packets=[pb.Packet(cards=[maybe("card", c) for c in packet]) for packet in f["packets"][:seats]],
            )
        )
    return message


def _board(tables: EditionTables, p: dict[str, Any]) -> pb.PlayerBoard:
    hand = p["hand"][: p["n_hand"]]
    decrees = bits(p["decrees"][0] | p["decrees"][1] << 64)
    return pb.PlayerBoard(
        reis=p["reis"],
        influence=p["influence"],
        markers=p["markers"],
        offices=pb.Places(**dict(zip(NOBLES, p["offices"], strict=True))),
        plazas=pb.Places(**dict(zip(NOBLES, p["plazas"], strict=True))),
        goods=pb.Goods(**dict(zip(GOODS, p["goods"], strict=True))),
        cubes=pb.Cubes(**dict(zip(COLOURS, p["cubes"], strict=True))),
        houses=pb.Houses(**dict(zip(HOUSES, p["houses"], strict=True))),
        favors=[NOBLES[i] for i in bits(p["favors"])],
        hand=[tables.id("card", c) for c in hand if c < core.UNKNOWN_PURPLE],
        hidden_blue=hand.count(core.UNKNOWN_BLUE),
        hidden_purple=hand.count(core.UNKNOWN_PURPLE),
        docks=[
            pb.Dock(
                holds=tables.id("ship", thing - core.SHIP_BASE)
                if thing >= core.SHIP_BASE
                else tables.id("card", thing),
                cargo=p["cargo"][i],
                crates=p["packed"][i],
            )
            for i, thing in enumerate(p["top"][: p["n_top"]])
        ],
        office=[tables.id("card", c) for c in p["bottom"][: p["n_bottom"]]],
        plans=[tables.id("plan", n) for n in bits(p["plans"])],
        completed_plans=[tables.id("plan", n) for n in bits(p["completed"])],
        clergy=[tables.id("clergy", n) for n in bits(p["clergy"])],
        decrees=[tables.id("decree", n) for n in decrees],
        wigs={CATEGORIES[i]: n for i, n in enumerate(p["ledger"]) if n},
    )


# --- from a message --------------------------------------------------------------------------------------------------


class Reader:
    """Reads a message into the engine's fields and collects everything that is wrong on the way."""

    def __init__(self, tables: EditionTables) -> None:
        self.tables = tables
        self.violations: list[Violation] = []

    def bad(self, field: str, value: object, allowed: str, reason: str) -> None:
        self.violations.append(Violation(field, str(value), allowed, reason))

    def number(self, field: str, thing: str, identifier: str) -> int:
        """The number of an id, 0 (and a violation) for one the edition does not have."""
        try:
            return self.tables.number(thing, identifier)
        except UnknownId:
            ids = list(self.tables.ids[thing])
            self.bad(field, repr(identifier), f"{ids[0]} to {ids[-1]}", "UNKNOWN_ID")
            return 0

    def numbers(self, field: str, thing: str, identifiers: Iterable[str]) -> list[int]:
        return [self.number(f"{field}[{i}]", thing, identifier) for i, identifier in enumerate(identifiers)]

    def maybe(self, field: str, thing: str, identifier: str) -> int:
        return self.number(field, thing, identifier) if identifier else UNKNOWN

    def word(self, field: str, value: str, words: Sequence[str]) -> int:
        if value in words:
            return words.index(value)
        self.bad(field, repr(value), ", ".join(words), "UNKNOWN_WORD")
        return 0

    def within(self, field: str, value: int, least: int, most: int) -> int:
        if least <= value <= most:
            return value
        self.bad(field, value, f"{least} to {most}" if most > least else f"{least}", "OUT_OF_RANGE")
        return least

    def count(self, field: str, items: Sequence[Any], wanted: int) -> bool:
        if len(items) == wanted:
            return True
        self.bad(field, f"{len(items)} entries", f"{wanted}", "WRONG_LENGTH")
        return False

    def mask(self, field: str, thing: str, identifiers: Iterable[str]) -> int:
        bits = 0
        for n in self.numbers(field, thing, identifiers):
            bits |= 1 << n
        return bits

    def cubes(self, field: str, message: pb.Cubes, most: int) -> list[int]:
        counts = [self.within(f"{field}.{c}", getattr(message, c), 0, most) for c in COLOURS]
        if sum(counts) > most:
            self.bad(field, f"{sum(counts)} cubes", f"at most {most}", "TOO_MANY")
        return counts

    def by(self, field: str, message: Any, words: Sequence[str], most: int) -> list[int]:
        return [self.within(f"{field}.{w}", getattr(message, w), 0, most) for w in words]

    def padded(self, field: str, items: list[int], size: int, filler: int = 0) -> list[int]:
        if len(items) > size:
            self.bad(field, f"{len(items)} entries", f"at most {size}", "TOO_MANY")
        return (items + [filler] * size)[:size]

    def read(self, m: pb.Position, blank: dict[str, Any]) -> dict[str, Any]:
        """The fields of a message; ``blank`` is any state's fields, for its shape."""
        f = {key: _zeros(value) for key, value in blank.items()}
        seats = f["seats"] = self.within("players", m.players, 2, 4)
        period = f["period"] = self.within("period", m.period, 1, 2) - 1
        self.within("observer", m.observer, 0, seats - 1)
        f["options"] = m.queen_variant | m.hand_draft << 1
        f["phase"] = 0 if m.setting_up else 2 if m.over else 1
        f["active"] = self.within("active", m.active, 0, seats - 1)
        f["turn"] = self.within("turn", m.turn, 0, 100)
        for key in ("last_turn", "trigger", "church_caller"):
            most = 200 if key == "last_turn" else seats - 1
            f[key] = self.within(key, getattr(m, key), 0, most) if m.HasField(key) else -1
        f["queen"] = int(m.queen_out)
        f["played"] = self.maybe("played", "card", m.played)
        f["banners"] = sum({1 << self.word(f"banners[{i}]", b, STATE_ACTIONS) for i, b in enumerate(m.banners)})
        f["markers_spent"] = sum(
            {1 << self.within(f"markers_spent[{i}]", s, 0, seats - 1) for i, s in enumerate(m.markers_spent)}
        )
        discarded = self.mask("discarded", "card", m.discarded)
        f["discarded"] = [discarded & (1 << 64) - 1, discarded >> 64]
        board = self.tables.board
        f["treasury"] = self.within("tracks.treasury", m.tracks.treasury, 1, len(board.treasury_reis)) - 1
        f["price"] = [
            self.within(f"tracks.prices.{good}", getattr(m.tracks.prices, good), least, most)
            for good, least, most in zip(GOODS, board.market_lowest, board.market_start, strict=True)
        ]
        f["cardinal"] = self.within("tracks.cardinal", m.tracks.cardinal, 0, 5)
        f["neutral"] = int(seats == 2)
        f["ship_pos"] = self.within("ships_taken", m.ships_taken, 0, 2 * (seats - 1))
        f["purple_pos"] = self.within("purple_dealt", m.purple_dealt, 0, N_DEALT)
        gone = self.mask("cards_gone", "card", m.cards_gone)
        f["gone_cards"] = [gone & (1 << 64) - 1, gone >> 64]
        f["purple"] = [UNKNOWN] * N_DEALT
        self._city(m.city, f, seats)
        self._decks(m, f, period)
        self._stacks(m, f)
        if self.count("boards", m.boards, seats):
            for seat in range(seats):
                self._player(f"boards[{seat}]", m.boards[seat], f["players"][seat], seat, f)
        f["favor_stock"] = [seats - sum(p["favors"] >> n & 1 for p in f["players"][:seats]) for n in range(3)]
        self._tiles(m, f, seats)
        self._decrees(m, f)
        self._draft(m, f, seats)
        self._agenda(m, f, seats)
        return f

    def _city(self, city: pb.City, f: dict[str, Any], seats: int) -> None:
        two = seats == 2
        for field, key, lines, most in (
            ("city.rows", "row_cubes", city.rows, (3, 3, 3, 3, 0 if two else 3)),
            ("city.columns", "column_cubes", city.columns, (3, 3, 3, 3, 2)),
        ):
            if self.count(field, lines, 5):
                f[key] = [self.cubes(f"{field}[{i}]", line, most[i]) for i, line in enumerate(lines)]
        for i, site_cubes in enumerate(city.sites):
            site = self.number(f"city.sites[{i}].site", "site", site_cubes.site)
            dead = two and self.tables.sites[site].row == "E"
            f["site_cubes"][site] = self.cubes(f"city.sites[{i}].cubes", site_cubes.cubes, 0 if dead else 2)
        f["pile"] = self.cubes("city.pile", city.pile, 6)
        f["gone_cubes"] = self.cubes("city.gone", city.gone, 63)
        f["land_business"] = [-2 if two and land.row == "E" else -1 for land in self.tables.lands]
        f["land_owner"] = [-1] * len(self.tables.lands)
        f["site_building"] = [-3 if two and site.row == "E" else -1 for site in self.tables.sites]
        f["site_owner"] = [-1] * len(self.tables.sites)
        for i, store in enumerate(city.stores):
            field = f"city.stores[{i}]"
            land = self.number(f"{field}.land", "land", store.land)
            business = self.word(f"{field}.business", store.business, GOODS)
            faces = self.tables.lands[land].faces
            if f["land_business"][land] == -2:
                self.bad(f"{field}.land", repr(store.land), NO_ROW_E, "NOT_IN_PLAY")
            elif GOODS[business] not in faces:
                self.bad(f"{field}.business", repr(store.business), " or ".join(faces), "WRONG_STREET")
            f["land_business"][land] = business
            if store.HasField("owner"):
                f["land_owner"][land] = self.within(f"{field}.owner", store.owner, 0, seats - 1)
        for i, building in enumerate(city.buildings):
            field = f"city.buildings[{i}]"
            site = self.number(f"{field}.site", "site", building.site)
            tile = self.number(f"{field}.building", "building", building.building)
            if f["site_building"][site] == -3:
                self.bad(f"{field}.site", repr(building.site), NO_ROW_E, "NOT_IN_PLAY")
            f["site_building"][site] = tile * 2 + self.word(f"{field}.side", building.side, SIDES)
            f["site_owner"][site] = self.within(f"{field}.owner", building.owner, 0, seats - 1)
        for i, n in enumerate(self.numbers("city.sites_opening", "site", city.sites_opening)):
            if f["site_building"][n] == -3:
                self.bad(f"city.sites_opening[{i}]", repr(city.sites_opening[i]), NO_ROW_E, "NOT_IN_PLAY")
            f["site_building"][n] = -2
        if self.count("city.scoring_tiles", city.scoring_tiles, 4):
            f["scoring"] = self.numbers("city.scoring_tiles", "scoring", city.scoring_tiles)
        f["city"] = sum(
            {1 << self.word(f"city.tiles_on_display[{i}]", t, DISPLAY) for i, t in enumerate(city.tiles_on_display)}
        )
        f["city_large"] = self.within("city.large_left", city.large_left, 0, 22)
        f["city_small"] = self.within("city.small_left", city.small_left, 0, 5)

    def _decks(self, m: pb.Position, f: dict[str, Any], period: int) -> None:
        f["decks"] = [[[0 if period else UNKNOWN] * 5 for _ in range(4)], [[UNKNOWN] * 5 for _ in range(4)]]
        if not self.count("decks", m.decks, 4):
            return
        colour = ("red", "brown")[period]
        for d, deck in enumerate(m.decks):
            taken = sorted(self.numbers(f"decks[{d}].taken", "card", deck.taken))
            shown = list(taken)
            f["deck_pos"][d] = min(5, len(taken))
            if deck.face_up:
                shown.append(self.number(f"decks[{d}].face_up", "card", deck.face_up))
                f["face_up"] |= 1 << d
            for n in shown:
                card = self.tables.cards[n]
                if card.deck != colour or card.noble != (*NOBLES, "treasury")[d]:
                    self.bad(f"decks[{d}]", repr(card.id), f"{colour} {(*NOBLES, 'treasury')[d]} cards", "WRONG_DECK")
            f["decks"][period][d] = self.padded(f"decks[{d}]", shown, 5, UNKNOWN)

    def _stacks(self, m: pb.Position, f: dict[str, Any]) -> None:
        if self.count("plan_stacks", m.plan_stacks, 2):
            for a, stack in enumerate(m.plan_stacks):
                left = self.numbers(f"plan_stacks[{a}].plans", "plan", stack.plans)
                taken = [
                    n
                    for n, plan in enumerate(self.tables.plans)
                    if plan.architect == SIDES[a] and not plan.starting and n not in left
                ]
                if len(taken) + len(left) != 8:
                    self.bad(
                        f"plan_stacks[{a}].plans",
                        ", ".join(stack.plans),
                        f"plans of the {SIDES[a]} stack",
                        "WRONG_STACK",
                    )
                f["plan_stack"][a] = (taken + left + [0] * 8)[:8]
                f["plan_pos"][a] = min(8, len(taken))
        if self.count("building_stacks", m.building_stacks, 2):
            for a, showing in enumerate(m.building_stacks):
                shown = self.numbers(f"building_stacks[{a}].buildings", "building", showing.buildings)
                placed = sorted(tile >> 1 for tile in f["site_building"] if tile >= 0 and tile & 1 == a)
                wanted = min(2, max(0, 8 - len(placed)))
                if len(shown) != wanted:
                    self.bad(f"building_stacks[{a}].buildings", f"{len(shown)} entries", f"{wanted}", "WRONG_LENGTH")
                f["buildings"][a] = (placed + shown + [UNKNOWN] * 8)[:8]
                f["building_pos"][a] = min(8, len(placed))

    def _player(self, field: str, board: pb.PlayerBoard, p: dict[str, Any], seat: int, f: dict[str, Any]) -> None:
        tables = self.tables
        p["reis"] = self.within(f"{field}.reis", board.reis, 0, 30000)
        p["influence"] = self.within(f"{field}.influence", board.influence, 0, 10)
        p["offices"] = self.by(f"{field}.offices", board.offices, NOBLES, 8)
        p["plazas"] = self.by(f"{field}.plazas", board.plazas, NOBLES, 8)
        p["officials"] = 8 - sum(p["offices"]) - sum(p["plazas"])
        if p["officials"] < 0:
            self.bad(f"{field}.offices", sum(p["offices"]) + sum(p["plazas"]), "8 officials in all", "TOO_MANY")
            p["officials"] = 0
        p["goods"] = self.by(f"{field}.goods", board.goods, GOODS, 20)
        p["cubes"] = self.by(f"{field}.cubes", board.cubes, COLOURS, 5)
        p["sets"] = min(p["cubes"])
        p["markers"] = self.within(f"{field}.markers", board.markers, 0, p["sets"])
        p["houses"] = [
            self.within(f"{field}.houses.{h}", getattr(board.houses, h), 0, most)
            for h, most in zip(HOUSES, (2, 3, 3), strict=True)
        ]
        p["favors"] = sum({1 << self.word(f"{field}.favors[{i}]", n, NOBLES) for i, n in enumerate(board.favors)})
        hand = sorted(self.numbers(f"{field}.hand", "card", board.hand))
        hand += [core.UNKNOWN_PURPLE] * min(board.hidden_purple, 6) + [core.UNKNOWN_BLUE] * min(board.hidden_blue, 6)
        p["hand"] = self.padded(f"{field}.hand", hand, 5)
        p["n_hand"] = min(5, len(hand))
        top = []
        for i, dock in enumerate(board.docks):
            ship = dock.holds.startswith("ship-")
            n = self.number(f"{field}.docks[{i}].holds", "ship" if ship else "card", dock.holds)
            if not ship and tables.cards[n].noble == "treasury":
                self.bad(f"{field}.docks[{i}].holds", repr(dock.holds), "noble cards and ships", "WRONG_SLOT")
            hull = tables.ships[n // COPIES].hull if ship else 0
            self.within(f"{field}.docks[{i}].cargo", dock.cargo + dock.crates, 0, hull)
            top.append(core.SHIP_BASE + n if ship else n)
            p["top_influence"] += tables.ships[n // COPIES].influence if ship else tables.cards[n].influence
        p["top"] = self.padded(f"{field}.docks", top, 3)
        p["n_top"] = min(3, len(top))
        p["cargo"] = ([min(9, dock.cargo) for dock in board.docks] + [0] * 3)[:3]
        p["packed"] = ([min(9, dock.crates) for dock in board.docks] + [0] * 3)[:3]
        bottom = self.numbers(f"{field}.office", "card", board.office)
        for i, n in enumerate(bottom):
            if tables.cards[n].noble != "treasury":
                self.bad(f"{field}.office[{i}]", repr(board.office[i]), "treasury cards", "WRONG_SLOT")
        p["bottom"] = self.padded(f"{field}.office", bottom, 3)
        p["n_bottom"] = min(3, len(bottom))
        p["plans"] = self.mask(f"{field}.plans", "plan", board.plans)
        p["completed"] = self.mask(f"{field}.completed_plans", "plan", board.completed_plans)
        p["clergy"] = self.mask(f"{field}.clergy", "clergy", board.clergy)
        decrees = self.mask(f"{field}.decrees", "decree", board.decrees)
        p["decrees"] = [decrees & (1 << 64) - 1, decrees >> 64]
        holdings = [tables.cards[n] for n in bottom[:3]] + [tables.clergy[n] for n in bits(p["clergy"])]
        for quantity, n in (pair for thing in holdings for benefit in thing.benefit for pair in benefit.modifiers):
            p["mods"][quantity] += n
        for land, owner in enumerate(f["land_owner"]):
            if owner == seat:
                p["stores"][f["land_business"][land]] += 1
        for name, wigs in board.wigs.items():
            p["ledger"][self.word(f"{field}.wigs", name, CATEGORIES)] = self.within(
                f"{field}.wigs.{name}", wigs, -999, 999
            )
        p["wigs"] = sum(p["ledger"])

    def _tiles(self, m: pb.Position, f: dict[str, Any], seats: int) -> None:
        f["church"] = [UNKNOWN] * 6
        if self.count("church.tiles", m.church.tiles, 6):
            f["church"] = [self.maybe(f"church.tiles[{i}]", "clergy", t) for i, t in enumerate(m.church.tiles)]
        f["gone_clergy"] = self.mask("church.gone", "clergy", m.church.gone)
        held = 0
        for p in f["players"][:seats]:
            held |= p["clergy"]
        if f["phase"] == 0:
            f["clergy_bag"] = [UNKNOWN] * N_CLERGY
            f["clergy_pos"] = 2 * seats
            f["clergy_returns"] = [UNKNOWN if s < seats else 0 for s in range(4)]
            for seat in range(min(seats, len(m.boards))):
                drawn = sorted(self.numbers(f"boards[{seat}].drawn", "clergy", m.boards[seat].drawn))
                f["drawn"][seat] = self.padded(f"boards[{seat}].drawn", drawn, 2, UNKNOWN)
            return
        seen = sorted({*bits(held | f["gone_clergy"]), *(t for t in f["church"] if t != UNKNOWN)})
        f["clergy_bag"] = (seen + [UNKNOWN] * N_CLERGY)[:N_CLERGY]
        f["clergy_pos"] = len(seen)

    def _decrees(self, m: pb.Position, f: dict[str, Any]) -> None:
        display = sorted(self.numbers("decrees", "decree", m.decrees))
        f["display"] = self.padded("decrees", display, 8, UNKNOWN)
        seen = {*display, *self.numbers("decrees_removed", "decree", m.decrees_removed)}
        for p in f["players"]:
            seen |= set(bits(p["decrees"][0] | p["decrees"][1] << 64))
        f["decree_deck"] = (sorted(seen) + [UNKNOWN] * N_DECREES)[:N_DECREES]
        f["decree_pos"] = len(seen)

    def _draft(self, m: pb.Position, f: dict[str, Any], seats: int) -> None:
        f["packets"] = [[UNKNOWN] * 5 for _ in range(4)]
        if not m.hand_draft:
            return
        f["draft_pass"] = self.within("draft.pass", getattr(m.draft, "pass"), 0, 3)
        blue = [n for n, card in enumerate(self.tables.cards) if card.deck == "blue"]
        self.count("draft.packets", m.draft.packets, seats)
        for seat in range(min(seats, len(m.draft.packets))):
            field = f"draft.packets[{seat}].cards"
            if self.count(field, m.draft.packets[seat].cards, 5):
                f["packets"][seat] = [
                    self.maybe(f"{field}[{i}]", "card", c) for i, c in enumerate(m.draft.packets[seat].cards)
                ]
        for seat in range(min(seats, len(m.boards))):
            for n in self.numbers(f"boards[{seat}].shown_blue", "card", m.boards[seat].shown_blue):
                if n in blue:
                    f["shown_blue"][seat] |= 1 << blue.index(n)

    def _agenda(self, m: pb.Position, f: dict[str, Any], seats: int) -> None:
        if len(m.agenda) > 31 or (not m.agenda and not m.over):
            self.bad("agenda", f"{len(m.agenda)} entries", "1 to 31 (none when the game is over)", "WRONG_LENGTH")
            return
        f["depth"] = len(m.agenda)
        for i, frame in enumerate(m.agenda):
            kind = self.word(f"agenda[{i}].kind", frame.kind, core.KINDS)
            f["frames"][i] = {
                "kind": kind,
                "seat": self.within(f"agenda[{i}].seat", frame.seat, 0, seats - 1),
                "a": self.within(f"agenda[{i}].a", frame.a, -32768, 32767),
                "b": self.within(f"agenda[{i}].b", frame.b, -32768, 32767),
            }


def _zeros(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _zeros(item) for key, item in value.items()}
    return [_zeros(item) for item in value] if isinstance(value, list) else 0
