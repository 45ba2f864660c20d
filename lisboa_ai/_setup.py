"""The set-up of a record as the message ``GameSetup``, both ways, and what one seat sees of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine_ext import core
from lisboa.v1 import record_pb2

from ._fields import UNKNOWN
from ._totals import CUBES_OF_A_COLOUR
from .edition import ARCHITECTS, CARD_NOBLES, EditionTables, UnknownId
from .editions.names import COLOURS, NOBLES
from .errors import Violation


def mask_setup(setup: dict[str, Any], start: core.Game, seat: int) -> dict[str, Any]:
    """A set-up with everything blank that a seat does not see before the first action."""
    seats = setup["seats"]
    decrees_seen = start.fields()["decree_pos"]

    def only(known: bool, items: Sequence[int]) -> list[int]:
        return list(items) if known else [UNKNOWN] * len(items)

    masked = dict(setup)
    masked["clergy"] = [t if i // 2 == seat and i < 2 * seats else UNKNOWN for i, t in enumerate(setup["clergy"])]
    masked["clergy_returns"] = [UNKNOWN] * 4
    masked["hands"] = [only(s == seat, hand) for s, hand in enumerate(setup["hands"])]
    masked["purple"] = [UNKNOWN] * len(setup["purple"])
    masked["decks"] = [
        [[card if k == 0 and i == 0 else UNKNOWN for i, card in enumerate(deck)] for deck in decks]
        for k, decks in enumerate(setup["decks"])
    ]
    masked["decrees"] = [d if i < decrees_seen else UNKNOWN for i, d in enumerate(setup["decrees"])]
    masked["buildings"] = [[b if i < 2 else UNKNOWN for i, b in enumerate(stack)] for stack in setup["buildings"]]
    return masked


def setup_message(tables: EditionTables, s: dict[str, Any]) -> record_pb2.GameSetup:
    seats = s["seats"]

    def ids(thing: str, numbers: Sequence[int]) -> list[str]:
        return ["" if n == UNKNOWN else tables.id(thing, n) for n in numbers]

    def lists(thing: str, rows: Sequence[Sequence[int]]) -> list[record_pb2.IdList]:
        return [record_pb2.IdList(ids=ids(thing, row)) for row in rows]

    def cubes(rows: Sequence[Sequence[int]]) -> list[record_pb2.IdList]:
        return [record_pb2.IdList(ids=[COLOURS[c] for c in row if c != UNKNOWN]) for row in rows]

    return record_pb2.GameSetup(
        row_cubes=cubes(s["row_cubes"]),
        column_cubes=cubes(s["column_cubes"]),
        site_cubes=cubes(s["site_cubes"]),
        pile_cubes=[COLOURS[c] for c in s["pile_cubes"]],
        scoring_tiles=ids("scoring", s["scoring"]),
        buildings=lists("building", s["buildings"]),
        plans=lists("plan", s["plans"]),
        starting_plans=ids("plan", s["starting_plans"][:seats]),
        favors=[NOBLES[n] for n in s["favors"][:seats]],
        clergy=ids("clergy", s["clergy"]),
        clergy_returns=[-1 if n == UNKNOWN else n for n in s["clergy_returns"][:seats]],
        hands=lists("card", s["hands"][:seats]),
        purple=ids("card", s["purple"]),
        red_decks=lists("card", s["decks"][0]),
        brown_decks=lists("card", s["decks"][1]),
        decrees=ids("decree", s["decrees"]),
    )


class SetupReader:
    """Reads a set-up message into the engine's fields and collects what is wrong."""

    def __init__(self, tables: EditionTables, violations: list[Violation]) -> None:
        self.tables = tables
        self.violations = violations

    def bad(self, field: str, value: str, allowed: str, reason: str) -> None:
        self.violations.append(Violation(f"setup.{field}", value, allowed, reason))

    def ids(self, field: str, thing: str, items: Sequence[str], size: int, pad: int | None = None) -> list[int]:
        """Numbers of a list of ids with no duplicates, of just this size, then padded."""
        numbers = []
        for i, item in enumerate(items):
            if not item:
                numbers.append(UNKNOWN)
                continue
            try:
                n = self.tables.number(thing, item)
            except UnknownId:
                ids = list(self.tables.ids[thing])
                self.bad(f"{field}[{i}]", repr(item), f"{ids[0]} to {ids[-1]}", "UNKNOWN_ID")
                n = UNKNOWN
            if n != UNKNOWN and n in numbers:
                self.bad(f"{field}[{i}]", repr(item), "each only once", "DUPLICATE")
            numbers.append(n)
        if len(items) != size:
            self.bad(field, f"{len(items)} entries", str(size), "WRONG_LENGTH")
        return (numbers + [UNKNOWN] * (pad or size))[: pad or size]

    def words(self, field: str, words: Sequence[str], items: Sequence[str], size: int, pad: int) -> list[int]:
        """Numbers of a list of words, of just this size, then padded."""
        numbers = []
        for i, item in enumerate(items):
            if item not in words:
                self.bad(f"{field}[{i}]", repr(item), ", ".join(words), "UNKNOWN_WORD")
            numbers.append(words.index(item) if item in words else UNKNOWN)
        if len(numbers) != size:
            self.bad(field, f"{len(numbers)} entries", str(size), "WRONG_LENGTH")
        return (numbers + [UNKNOWN] * pad)[:pad]

    def rows(self, field: str, rows: Sequence[record_pb2.IdList], size: int) -> list[list[str]]:
        if len(rows) != size:
            self.bad(field, f"{len(rows)} entries", str(size), "WRONG_LENGTH")
        return [list(row.ids) for row in rows[:size]] + [[] for _ in range(size - len(rows))]

    def read(self, message: record_pb2.GameRecord) -> dict[str, Any]:
        m = message.setup
        seats = min(4, max(2, message.players))

        def lists(field: str, thing: str, rows: Sequence[record_pb2.IdList], count: int, size: int) -> list[list[int]]:
            return [self.ids(f"{field}[{i}]", thing, row, size) for i, row in enumerate(self.rows(field, rows, count))]

        def cubes(field: str, rows: Sequence[record_pb2.IdList], sizes: Sequence[int]) -> list[list[int]]:
            found = self.rows(field, rows, len(sizes))
            return [
                self.words(f"{field}[{i}]", COLOURS, row, size, max(sizes))
                for i, (row, size) in enumerate(zip(found, sizes, strict=True))
            ]

        row_e = 0 if seats == 2 else 1  # with 2 players it has no cubes (A2)
        sites = [2 * row_e if site.row == "E" else 2 for site in self.tables.sites]
        returns = [UNKNOWN if n < 0 else min(n, UNKNOWN) for n in m.clergy_returns]
        if len(returns) != seats:
            self.bad("clergy_returns", f"{len(returns)} entries", str(seats), "WRONG_LENGTH")
        setup: dict[str, Any] = {
            "seats": message.players,
            "options": message.queen_variant | message.hand_draft << 1,
            "row_cubes": cubes("row_cubes", m.row_cubes, (3, 3, 3, 3, 3 * row_e)),
            "column_cubes": cubes("column_cubes", m.column_cubes, (3, 3, 3, 3, 2)),
            "site_cubes": cubes("site_cubes", m.site_cubes, sites),
            "pile_cubes": self.words("pile_cubes", COLOURS, m.pile_cubes, 6, 6),
            "scoring": self.ids("scoring_tiles", "scoring", m.scoring_tiles, 4),
            "buildings": lists("buildings", "building", m.buildings, 2, 8),
            "plans": lists("plans", "plan", m.plans, 2, 8),
            "starting_plans": self.ids("starting_plans", "plan", m.starting_plans, seats, 4),
            "favors": self.words("favors", NOBLES, m.favors, seats, 4),
            "clergy": self.ids("clergy", "clergy", m.clergy, 37),
            "clergy_returns": (returns + [UNKNOWN] * 4)[:4],
            "hands": lists("hands", "card", m.hands, seats, 5) + [[UNKNOWN] * 5 for _ in range(4 - seats)],
            "purple": self.ids("purple", "card", m.purple, 21),
            "decks": [lists("red_decks", "card", m.red_decks, 4, 5), lists("brown_decks", "card", m.brown_decks, 4, 5)],
            "decrees": self.ids("decrees", "decree", m.decrees, 70),
        }
        self._cubes(setup)
        self._decks(setup)
        if message.HasField("observer") and message.observer < seats:
            self._seen(setup, message.observer)
        return setup

    def _cubes(self, setup: dict[str, Any]) -> None:
        """21 of each colour are in the box (A1); all of them are laid out, except with 2 players."""
        lines = [*setup["row_cubes"], *setup["column_cubes"], *setup["site_cubes"], setup["pile_cubes"]]
        laid_out = [number for line in lines for number in line if number != UNKNOWN]
        for number, colour in enumerate(COLOURS):
            found = laid_out.count(number)
            if found > CUBES_OF_A_COLOUR:
                self.violations.append(
                    Violation("setup", f"{found} {colour} cubes", f"at most {CUBES_OF_A_COLOUR}", "WRONG_TOTAL")
                )

    def _decks(self, setup: dict[str, Any]) -> None:
        """Every card, plan and building lies in a deck or stack of its own kind, and in one only."""
        cards, plans = self.tables.cards, self.tables.plans
        decks = [(f"hands[{i}]", hand, "blue", "") for i, hand in enumerate(setup["hands"])]
        decks.append(("purple", setup["purple"], "purple", ""))
        for field, colour, period in (("red_decks", "red", 0), ("brown_decks", "brown", 1)):
            for noble, deck in zip(CARD_NOBLES, setup["decks"][period], strict=True):
                decks.append((f"{field}[{CARD_NOBLES.index(noble)}]", deck, colour, noble))
        for field, numbers, colour, noble in decks:
            for number in numbers:
                if number != UNKNOWN and (cards[number].deck != colour or noble not in ("", cards[number].noble)):
                    self.bad(field, repr(cards[number].id), f"{colour} {noble} cards".replace("  ", " "), "WRONG_DECK")
        for i, architect in enumerate(ARCHITECTS):
            for number in setup["plans"][i]:
                if number != UNKNOWN and (plans[number].architect != architect or plans[number].starting):
                    self.bad(f"plans[{i}]", repr(plans[number].id), f"plans of the {architect} stack", "WRONG_STACK")
        for number in setup["starting_plans"]:
            if number != UNKNOWN and not plans[number].starting:
                self.bad("starting_plans", repr(plans[number].id), "starting plans", "WRONG_STACK")
        for field, rows, thing in (("hands", setup["hands"], "card"), ("buildings", setup["buildings"], "building")):
            known = [number for row in rows for number in row if number != UNKNOWN]
            for number in sorted({number for number in known if known.count(number) > 1}):
                self.bad(field, repr(self.tables.id(thing, number)), "each only once", "DUPLICATE")

    def _seen(self, setup: dict[str, Any], seat: int) -> None:
        """What lies open before the first action, and what the observer was dealt, is there."""
        places = [(f"clergy[{i}]", setup["clergy"][i]) for i in (2 * seat, 2 * seat + 1)]
        places += [(f"hands[{seat}].ids[{i}]", card) for i, card in enumerate(setup["hands"][seat])]
        places += [(f"red_decks[{i}].ids[0]", deck[0]) for i, deck in enumerate(setup["decks"][0])]
        places += [(f"buildings[{i}].ids[{j}]", setup["buildings"][i][j]) for i in range(2) for j in range(2)]
        places += [(f"decrees[{i}]", decree) for i, decree in enumerate(setup["decrees"][:8])]
        for field, number in places:
            if number == UNKNOWN:
                self.bad(field, "''", "an id: the observer sees it", "MISSING")
