"""Small positions for the rules tests: a quiet base position, and words to change it that keep every total right.

``Table(seats)`` is the start of seat 0's first turn with nothing on anybody's board but what A4 gives: no clergy
tiles, no favors, hands of given blue cards, treasury on 3 (value 3, influence 2), empty church icons to come.
It plays by the bundled edition unless ``engine`` is another one with the same ids.
"""

from functools import lru_cache
from typing import Any

from engine_ext import core
from lisboa_ai import edition

TABLES = edition.load()
ENGINE = TABLES.engine
KIND = {name: number for number, name in enumerate(core.KINDS)}
GOLD, CLOTH, BOOKS, TOOLS = range(4)
BROWN, RED, BLUE = range(3)
MAIA, MARQUIS, KING = range(3)
WEST_ROW = "ABCDE"
FOR_GOLD, PORTFOLIO, COURT = range(3)  # the modes of play_card
SELL, TRADE = range(2)
RECRUIT, PLAN, SHIP, PRODUCE, CARDINAL, FAVOR, NOBLE_ACTION = range(7)  # state actions; a follower's seventh choice
NO, YES = range(2)
CATEGORY = {name: number for number, name in enumerate(core.CATEGORIES)}
FIRST_SOURCE = {"card": 0, "land": 82, "site": 106, "clergy": 120}  # rows of the table of rewards
Triple = tuple[int, int, int]


def number(identifier: str) -> int:
    """The engine's number of a thing; a ship's is its portfolio number."""
    thing, found = TABLES.find(identifier)
    return core.SHIP_BASE + found if thing == "ship" else found


def source(identifier: str) -> int:
    """The row of a card, land, site or clergy tile in the table of rewards."""
    thing, found = TABLES.find(identifier)
    return FIRST_SOURCE[thing] + found


def edition_with(**tables: Any) -> core.Edition:
    """The bundled edition with some of the engine's tables replaced."""
    return core.Edition("changed", ENGINE.digest, ENGINE.tables() | tables)


@lru_cache(maxsize=4)
def rows_of(engine: core.Edition) -> dict[str, Any]:
    """An edition's tables, kept because turning them into lists takes longer than all the rest of a position."""
    return engine.tables()


class Table:
    """A position under construction; ``game()`` checks it and hands it over."""

    def __init__(self, seats: int = 3, *, queen: bool = False, seed: int = 5, engine: core.Edition = ENGINE) -> None:
        self.engine = engine
        game = core.Game.deal(engine, seats, seed, queen=queen)
        while core.KINDS[game.kind] == "keep_clergy":
            game.apply(game.legal()[0])
        self.fields: dict[str, Any] = game.fields()
        self.seats = seats
        blue = [f"blue-{noble}-{i}" for i in (1, 2, 3, 4, 5) for noble in ("maia", "marquis", "king")]
        for seat in range(seats):
            player = self.player(seat)
            player["mods"] = [0] * 41
            player["clergy"] = 0
            player["favors"] = 0
        self.fields["favor_stock"] = [seats] * 3
        for seat in range(seats):
            self.hand(
                seat,
                *blue[5 * seat % 15 : 5 * seat % 15 + 5]
                if seat < 3
                else ["blue-treasury-1", "blue-treasury-2", "blue-treasury-3", "blue-treasury-4", "blue-treasury-5"],
            )
        self.held: dict[int, list[str]] = {seat: [] for seat in range(seats)}
        self.church_tiles: list[str | None] = [f"clergy-{i}" for i in (7, 8, 9, 10, 35, 34)]
        self.owned: dict[int, list[str]] = {seat: [] for seat in range(seats)}

    def player(self, seat: int) -> dict[str, Any]:
        return self.fields["players"][seat]

    def set(self, seat: int, **values: Any) -> "Table":
        """Réis, influence, goods, officials' places ... of a seat, by field name."""
        self.player(seat).update(values)
        return self

    def hand(self, seat: int, *cards: str) -> "Table":
        for card in cards:
            self._taken(number(card))
        self._put_hand(seat, [number(card) for card in cards])
        return self

    def _put_hand(self, seat: int, cards: list[int]) -> None:
        self.player(seat).update(n_hand=len(cards), hand=(cards + [0] * 5)[:5])

    def top(self, seat: int, *things: str | tuple[str, int, int]) -> "Table":
        """Noble cards and ships in the docks; a ship with cargo as (id, cargo, packed)."""
        full = [thing if isinstance(thing, tuple) else (thing, 0, 0) for thing in things]
        pad = [0] * (3 - len(full))
        self.player(seat).update(
            n_top=len(full),
            top=[number(t) for t, _, _ in full] + pad,
            cargo=[c for _, c, _ in full] + pad,
            packed=[p for _, _, p in full] + pad,
        )
        for thing, _, _ in full:
            if thing.startswith("ship"):
                ship = number(thing) - core.SHIP_BASE
                place = ship // 3 % 2 * (self.seats - 1) + ship % 3
                if ship // 6 == self.fields["period"]:
                    self.fields["ship_pos"] = max(self.fields["ship_pos"], place + 1)
            else:
                self._taken(number(thing))
        return self

    def bottom(self, seat: int, *cards: str) -> "Table":
        self.player(seat).update(n_bottom=len(cards), bottom=[number(c) for c in cards] + [0] * (3 - len(cards)))
        for card in cards:
            self._taken(number(card))
        return self

    def _taken(self, card: int) -> None:
        """A card used in one place is no longer in a hand or deck."""
        for seat in range(self.seats):
            held = self.player(seat)["hand"][: self.player(seat)["n_hand"]]
            if card in held:
                self._put_hand(seat, [other for other in held if other != card])
        for noble in range(4):
            deck = self.fields["decks"][self.fields["period"]][noble]
            if card in deck:
                deck.remove(card)
                deck.insert(0, card)
                self.fields["deck_pos"][noble] += 1

    def clergy(self, seat: int, *tiles: str) -> "Table":
        self.held[seat] = list(tiles)
        spare = iter(("clergy-18", "clergy-19", "clergy-20", "clergy-21"))
        self.church_tiles = [next(spare) if tile in tiles else tile for tile in self.church_tiles]
        return self

    def church(self, *tiles: str | None) -> "Table":
        self.church_tiles = list(tiles)
        return self

    def decrees(self, seat: int, *decrees: str) -> "Table":
        self.owned[seat] = list(decrees)
        return self

    def favors(self, seat: int, *nobles: int) -> "Table":
        for noble in nobles:
            self.player(seat)["favors"] |= 1 << noble
            self.fields["favor_stock"][noble] -= 1
        return self

    def plans(self, seat: int, *plans: str, completed: tuple[str, ...] = ()) -> "Table":
        """Held and completed plans beside the starting plan, taken from the stacks."""
        player = self.player(seat)
        for plan, field in [(p, "plans") for p in plans] + [(p, "completed") for p in completed]:
            n = number(plan)
            for architect in range(2):
                stack = self.fields["plan_stack"][architect]
                if n in stack:
                    stack.remove(n)
                    stack.insert(0, n)
                    self.fields["plan_pos"][architect] += 1
            player[field] |= 1 << n
        return self

    def officials(self, seat: int, offices: Triple = (0, 0, 0), plazas: Triple = (0, 0, 0)) -> "Table":
        return self.set(seat, offices=list(offices), plazas=list(plazas), officials=8 - sum(offices) - sum(plazas))

    def cubes(self, seat: int, brown: int, red: int, blue: int) -> "Table":
        return self.set(seat, cubes=[brown, red, blue], sets=min(brown, red, blue), markers=min(brown, red, blue))

    def rubble(self, row: str, brown: int, red: int, blue: int) -> "Table":
        self.fields["row_cubes"][WEST_ROW.index(row)] = [brown, red, blue]
        return self

    def column(self, column: int, brown: int, red: int, blue: int) -> "Table":
        self.fields["column_cubes"][column - 1] = [brown, red, blue]
        return self

    def site(self, site: str, brown: int, red: int, blue: int) -> "Table":
        self.fields["site_cubes"][number(site)] = [brown, red, blue]
        return self

    def store(self, seat: int, land: str, business: int) -> "Table":
        n = number(land)
        self.fields["land_business"][n] = business
        self.fields["land_owner"][n] = seat
        player = self.player(seat)
        player["stores"][business] += 1
        group = next(g for g, most in enumerate((2, 3, 3)) if player["houses"][g] < most)
        player["houses"][group] += 1
        self.fields["city_small" if land.endswith("5") else "city_large"] -= 1
        return self

    def houses(self, seat: int, left: int, middle: int, right: int) -> "Table":
        """Which houses were built: as many as there are stores."""
        return self.set(seat, houses=[left, middle, right])

    def building(self, seat: int, site: str, building: str, side: int) -> "Table":
        n = number(building)
        stacks = self.fields["buildings"]
        if n not in stacks[side]:
            other = stacks[1 - side]
            i, j = other.index(n), 7
            other[i], stacks[side][j] = stacks[side][j], other[i]
        stacks[side].remove(n)
        stacks[side].insert(0, n)
        self.fields["building_pos"][side] += 1
        self.fields["site_building"][number(site)] = 2 * n + side
        self.fields["site_owner"][number(site)] = seat
        self.fields["site_cubes"][number(site)] = [0, 0, 0]
        return self

    def offer(self, building: str, side: int) -> "Table":
        """Put a building on display at an architect (0 green, 1 blue)."""
        n = number(building)
        stacks = self.fields["buildings"]
        place = self.fields["building_pos"][side]
        for s in range(2):
            if n in stacks[s]:
                i = stacks[s].index(n)
                stacks[s][i], stacks[side][place] = stacks[side][place], n
                return self
        return self

    def treasury(self, space: int) -> "Table":
        """The treasury marker's space, counted from 1."""
        self.fields["treasury"] = space - 1
        return self

    def second_period(self) -> "Table":
        """The brown decks are out, in the order of ids; the red cards and the first period's ships are gone."""
        cards = self.engine.tables()["deck_cards"]
        self.fields["decks"][1] = [cards[3][5 * deck : 5 * deck + 5] for deck in range(4)]
        gone = [sum(1 << card for card in cards[1][:20]), 0]
        return self.state(period=1, ship_pos=0, deck_pos=[0] * 4, face_up=15, gone_cards=gone)

    def state(self, **values: Any) -> "Table":
        self.fields.update(values)
        return self

    def pending(self, kind: str, seat: int = 0, a: int = 0, b: int = 0) -> "Table":
        """Put a decision on top of the agenda, to be dealt with before the turn's own steps."""
        self.fields["frames"][self.fields["depth"]] = {"kind": KIND[kind], "seat": seat, "a": a, "b": b}
        self.fields["depth"] += 1
        return self

    def _arrange_tiles(self) -> None:
        held = [number(t) for tiles in self.held.values() for t in tiles]
        church = [core.UNKNOWN if t is None else number(t) for t in self.church_tiles]
        seen = held + [t for t in church if t != core.UNKNOWN]
        self.fields["church"] = church
        self.fields["clergy_bag"] = seen + [t for t in range(37) if t not in seen]
        self.fields["clergy_pos"] = len(seen)
        self.fields["gone_clergy"] = 0
        owned = [number(d) for decrees in self.owned.values() for d in decrees]
        deck = [d for d in range(70) if d not in owned]
        if self.seats == 2:
            rows = rows_of(self.engine)["decrees"]
            deck = [d for d in deck if not rows[d]["not_for_2"]] + [d for d in deck if rows[d]["not_for_2"]]
        self.fields["decree_deck"] = owned + deck
        self.fields["decree_pos"] = len(owned) + 8
        self.fields["display"] = deck[:8]
        for seat in range(self.seats):
            self.player(seat)["clergy"] = sum(1 << number(t) for t in self.held[seat])
            bits = sum(1 << number(d) for d in self.owned[seat])
            self.player(seat)["decrees"] = [bits & (1 << 64) - 1, bits >> 64]

    def _derive(self) -> None:
        tables = rows_of(self.engine)
        for seat in range(self.seats):
            player = self.player(seat)
            things = player["top"][: player["n_top"]]
            ships = [t - core.SHIP_BASE for t in things if t >= core.SHIP_BASE]
            player["top_influence"] = sum(tables["ship_influence"][ship // 3] for ship in ships) + sum(
                tables["card_influence"][t] for t in things if t < core.SHIP_BASE
            )
            mods = [0] * 41
            for holding in player["bottom"][: player["n_bottom"]] + [82 + number(t) for t in self.held[seat]]:
                benefit = tables["benefits"][holding]
                for modifier in benefit["modifiers"][: benefit["n"]]:
                    mods[modifier["quantity"]] += modifier["n"]
            player["mods"] = mods
            player["ledger"] = [player["wigs"]] + [0] * 17
        f = self.fields
        for colour in range(3):
            lines = f["row_cubes"] + f["column_cubes"] + f["site_cubes"] + [f["pile"]]
            used = sum(line[colour] for line in lines)
            used += sum(self.player(seat)["cubes"][colour] for seat in range(self.seats))
            f["gone_cubes"][colour] = 21 - used

    def game(self) -> core.Game:
        self._arrange_tiles()
        self._derive()
        return core.Game.from_fields(self.engine, self.fields)


def base(seats: int = 3, *, queen: bool = False, engine: core.Edition = ENGINE) -> Table:
    """A table with scoring numbers 2 3 3 4 (4) and starting plans of two officials: green, green, blue, blue."""
    table = Table(seats, queen=queen, engine=engine).state(scoring=[0, 1, 2, 3])
    starting = ["plan-green-start-1", "plan-green-start-2", "plan-blue-start-1", "plan-blue-start-2"]
    for seat in range(seats):
        table.set(seat, plans=1 << number(starting[seat]))
    return table


def apply(game: core.Game, *arguments: int) -> core.Game:
    for argument in arguments:
        game.apply(argument)
    return game


def me(game: core.Game, seat: int = 0) -> dict[str, Any]:
    return game.fields()["players"][seat]


def kind(game: core.Game) -> str:
    return core.KINDS[game.kind]


def pass_turn(game: core.Game) -> core.Game:
    """A seat takes a gold for the first card of its hand and draws the first card on offer."""
    game.apply(game.legal()[0])
    return draw(game)


def draw(game: core.Game) -> core.Game:
    """Take the first card on offer; a single one has been taken already."""
    if kind(game) == "take_card":
        game.apply(game.legal()[0])
    return game


def play(mode: int, card: str) -> int:
    """Argument of play_card."""
    return mode * 128 + number(card)


def frontage(land: str, business: int) -> int:
    return number(land) * 4 + business


def sale(good: int, ship: str) -> int:
    """Argument of sell."""
    return good * 16 + number(ship) - core.SHIP_BASE
