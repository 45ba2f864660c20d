"""A game as it was played: edition, players, options, the explicit set-up, the actions.

Without an observer a record is the truth and replays to a ``Game``. With one it is what that seat saw: unknown ids
are blank, what was revealed stands beside the action that revealed it, and it replays to a ``Position``. So a bot in
another program, or a person at a table, keeps a record without knowing what they cannot know.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, NamedTuple

from google.protobuf import json_format

from engine_ext import core
from lisboa.v1 import position_pb2, record_pb2

from . import notation
from ._fields import COLOURS, NOBLES, UNKNOWN
from ._text import pack, unpack
from .edition import EditionTables, UnknownId
from .errors import InvalidRecord, Violation
from .position import Position, find_edition

__all__ = ["GameRecord", "InvalidRecord", "RecordedAction"]

TEXT_PREFIX: Final = "lisboa-record-1:"
State = core.Game | core.Observation


@dataclass(frozen=True, slots=True)
class RecordedAction:
    """An action as text, and the ids it revealed to the observer (always empty in the truth)."""

    text: str
    revealed: str = ""

    def __str__(self) -> str:
        return f"{self.text} ! {self.revealed}" if self.revealed else self.text


class Played(NamedTuple):
    """A decision that was taken: its kind, the frame's (a, b), who decided, the argument."""

    kind: int
    context: tuple[int, int]
    seat: int
    argument: int


class Written(enum.Enum):
    """Which of the steps that resolve themselves a record writes down."""

    NONE = "none"
    ALL = "all"
    SOME = "some"


class _Stuck(Exception):  # noqa: N818  a signal within this module
    def __init__(self, index: int, error: ValueError) -> None:
        super().__init__(str(error))
        self.index = index
        self.error = error


@dataclass(frozen=True)
class GameRecord:
    """See the module. ``setup`` has the fields of the engine's set-up, by number, UNKNOWN where the observer does not know."""

    tables: EditionTables
    seats: int
    setup: dict[str, Any]
    actions: tuple[RecordedAction, ...] = ()
    queen: bool = False
    draft: bool = False
    observer: int | None = None
    names: tuple[str, ...] = ()

    # --- making and extending ------------------------------------------------------------------------------------

    @classmethod
    def new(
        cls, tables: EditionTables, seats: int, seed: int, *, queen: bool = False, draft: bool = False, names: Sequence[str] = ()
    ) -> GameRecord:
        """The record of a new game, dealt from a seed; the set-up is written out, the seed is not kept.

        Raises ``ValueError`` for a number of players that cannot play, or of names that is not theirs.
        """
        game = core.Game.deal(tables.engine, seats, seed, queen=queen, draft=draft)
        if names and len(names) != seats:
            raise ValueError(f"names: {len(names)} names; allowed: {seats}, one for each player")
        return cls(tables, seats, game.setup(), queen=queen, draft=draft, names=tuple(names))

    @property
    def is_truth(self) -> bool:
        return self.observer is None

    def start(self) -> State:
        """The game, or the observer's view of it, before the first action."""
        try:
            if self.observer is None:
                return core.Game.from_setup(self.tables.engine, self.setup)
            return core.Observation.start(self.tables.engine, self.setup, self.observer)
        except (ValueError, OverflowError) as error:
            raise InvalidRecord([Violation("setup", "", str(error), "BROKEN_SETUP")]) from error

    def _play(
        self, start: State, actions: Sequence[RecordedAction], seen: Callable[[Played, State], None] | None = None
    ) -> State:
        """The state after some actions. Raises ``_Stuck`` at the first that cannot be.

        A step with one legal action resolves itself and need not be written: a record is read as one that leaves such
        steps out, then as one that writes them all, then as a mixture; the first reading that gets to the end holds.
        """
        stuck: _Stuck | None = None
        for written in Written:
            try:
                end = self._play_as(start.copy(), actions, None, written)
            except _Stuck as error:
                stuck = stuck or error
                continue
            return end if seen is None else self._play_as(start, actions, seen, written)
        assert stuck is not None
        raise stuck

    def _play_as(
        self, state: State, actions: Sequence[RecordedAction], seen: Callable[[Played, State], None] | None, written: Written
    ) -> State:
        forced: list[str] = []
        for i, action in enumerate(actions):
            if forced and written is Written.ALL:
                expected = forced.pop(0)
                if action.text != expected:
                    raise _Stuck(i, notation.IllegalActionText("is not what followed by itself", action.text, [expected]))
                continue
            kind, context, decider = state.kind, state.context, state.seat
            try:
                argument = notation.parse_action(self.tables, state, action.text)
            except notation.ActionError as error:
                if written is Written.SOME and action.text in forced:
                    forced = forced[forced.index(action.text) + 1 :]
                    continue
                raise _Stuck(i, error) from error
            try:
                if isinstance(state, core.Game):
                    state.apply(argument)
                else:
                    state.apply(argument, notation.parse_revealed(self.tables, action.revealed))
            except ValueError as error:
                raise _Stuck(i, error) from error
            forced = [notation.action_text(self.tables, *step) for step in state.forced()]
            if seen is not None:
                seen(Played(kind, context, decider, argument), state)
        return state

    def _replayed(self, ply: int | None) -> State:
        try:
            return self._play(self.start(), self.actions[:ply])
        except _Stuck as stuck:
            action, error = self.actions[stuck.index], stuck.error
            field = f"actions[{stuck.index}]"
            if isinstance(error, notation.ActionError):
                violation = Violation(field, repr(action.text), ", ".join(error.legal[:40]), _reason(error))
            else:
                violation = Violation(f"{field}.revealed", repr(action.revealed), str(error), "WRONG_REVELATION")
            raise InvalidRecord([violation]) from error

    def replay(self, ply: int | None = None) -> core.Game:
        """The game after the first ``ply`` actions (all by default). Raises ``InvalidRecord``; not for an observer's record."""
        state = self._replayed(ply)
        if not isinstance(state, core.Game):
            raise InvalidRecord([Violation("observer", str(self.observer), "a record of the truth", "NOT_THE_TRUTH")])
        return state

    def position(self, seat: int | None = None, ply: int | None = None) -> Position:
        """What a seat knows after the first ``ply`` actions. An observer's record knows only its own seat's position."""
        state = self._replayed(ply)
        if isinstance(state, core.Observation):
            if seat not in (None, self.observer):
                raise InvalidRecord([Violation("seat", str(seat), f"{self.observer}, whose record this is", "NOT_OBSERVED")])
            return Position(self.tables, state)
        if seat is None:
            raise InvalidRecord([Violation("seat", "", f"0 to {self.seats - 1}: a record of the truth needs one",
                                           "SEAT_MISSING")])
        return Position(self.tables, state.observe(seat))

    def append(self, text: str, revealed: str = "") -> GameRecord:
        """The record with one more action. Raises an ``ActionError``, or ``ValueError`` about what was revealed."""
        return self._with([RecordedAction(text, revealed)])

    def extend(self, texts: Iterable[str]) -> GameRecord:
        """The record with more actions of the truth, all or none. An ``ActionError``'s ``index`` says which one failed."""
        return self._with([RecordedAction(text) for text in texts])

    def _with(self, actions: list[RecordedAction]) -> GameRecord:
        try:
            self._play(self._replayed(None), actions)
        except _Stuck as stuck:
            if isinstance(stuck.error, notation.ActionError):
                stuck.error.index = stuck.index
            raise stuck.error from None
        return replace(self, actions=(*self.actions, *actions))

    def observe(self, seat: int) -> GameRecord:
        """The record that a seat could have kept of this game: the truth with everything hidden left blank."""
        game = self.replay(0)
        hidden = replace(self, setup=mask_setup(self.setup, game, seat), observer=seat, actions=())
        actions: list[RecordedAction] = []

        def note(step: Played, game: State) -> None:
            assert isinstance(game, core.Game)
            secret = core.KINDS[step.kind] == "draft_keep" and step.seat != seat
            text = notation.action_text(self.tables, step.kind, step.context, UNKNOWN if secret else step.argument)
            actions.append(RecordedAction(text, notation.revealed_text(self.tables, game.revealed(seat))))

        self._replayed(None)  # says what is wrong with the record, if anything
        self._play(game, self.actions, note)
        return replace(hidden, actions=tuple(actions))

    # --- messages and text ------------------------------------------------------------------------------------------

    def to_proto(self) -> record_pb2.GameRecord:
        message = record_pb2.GameRecord(
            edition=position_pb2.EditionRef(name=self.tables.name, digest=self.tables.digest),
            players=self.seats, names=self.names, queen_variant=self.queen, hand_draft=self.draft,
            setup=_setup_message(self.tables, self.setup),
            actions=[record_pb2.RecordedAction(text=a.text, revealed=a.revealed.split()) for a in self.actions],
        )
        if self.observer is not None:
            message.observer = self.observer
        return message

    @classmethod
    def from_proto(cls, message: record_pb2.GameRecord, editions: Sequence[EditionTables] = ()) -> GameRecord:
        """Raises ``UnknownEdition`` or ``InvalidRecord``. The actions are checked when the record is replayed."""
        tables = find_edition(message.edition.name, message.edition.digest, editions)
        observer = message.observer if message.HasField("observer") else None
        violations: list[Violation] = []
        if not 2 <= message.players <= 4:
            why = " (the rule texts do not hold the solo rules)" if message.players == 1 else ""
            violations.append(Violation("players", str(message.players), f"2 to 4{why}", "OUT_OF_RANGE"))
        elif observer is not None and observer >= message.players:
            violations.append(Violation("observer", str(observer), f"0 to {message.players - 1}", "OUT_OF_RANGE"))
        setup = _SetupReader(tables, violations).read(message)
        if violations:
            raise InvalidRecord(violations)
        return cls(
            tables, message.players, setup, tuple(RecordedAction(a.text, " ".join(a.revealed)) for a in message.actions),
            message.queen_variant, message.hand_draft, observer, tuple(message.names),
        )

    def to_json(self) -> str:
        return json_format.MessageToJson(self.to_proto(), indent=1, ensure_ascii=False)

    @classmethod
    def from_json(cls, text: str, editions: Sequence[EditionTables] = ()) -> GameRecord:
        try:
            message = json_format.Parse(text, record_pb2.GameRecord())
        except json_format.ParseError as error:
            raise InvalidRecord([Violation("json", "", " ".join(str(error).split()), "UNREADABLE")]) from error
        return cls.from_proto(message, editions)

    def to_text(self) -> str:
        return pack(TEXT_PREFIX, self.to_proto().SerializeToString(deterministic=True))

    @classmethod
    def from_text(cls, text: str, editions: Sequence[EditionTables] = ()) -> GameRecord:
        try:
            message = record_pb2.GameRecord.FromString(unpack(TEXT_PREFIX, text))
        except ValueError as error:
            raise InvalidRecord([Violation("text", repr(text[:40]), str(error), "UNREADABLE")]) from error
        return cls.from_proto(message, editions)


def _reason(error: notation.ActionError) -> str:
    if isinstance(error, notation.UnreadableAction):
        return "UNREADABLE_ACTION"
    return "AMBIGUOUS_ACTION" if isinstance(error, notation.AmbiguousAction) else "ILLEGAL_ACTION"


# --- set-ups ------------------------------------------------------------------------------------------------------------


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
    masked["decks"] = [[[card if k == 0 and i == 0 else UNKNOWN for i, card in enumerate(deck)] for deck in decks]
                       for k, decks in enumerate(setup["decks"])]
    masked["decrees"] = [d if i < decrees_seen else UNKNOWN for i, d in enumerate(setup["decrees"])]
    masked["buildings"] = [[b if i < 2 else UNKNOWN for i, b in enumerate(stack)] for stack in setup["buildings"]]
    return masked


def _setup_message(tables: EditionTables, s: dict[str, Any]) -> record_pb2.GameSetup:
    seats = s["seats"]

    def ids(thing: str, numbers: Sequence[int]) -> list[str]:
        return ["" if n == UNKNOWN else tables.id(thing, n) for n in numbers]

    def lists(thing: str, rows: Sequence[Sequence[int]]) -> list[record_pb2.IdList]:
        return [record_pb2.IdList(ids=ids(thing, row)) for row in rows]

    def cubes(rows: Sequence[Sequence[int]]) -> list[record_pb2.IdList]:
        return [record_pb2.IdList(ids=[COLOURS[c] for c in row if c != UNKNOWN]) for row in rows]

    return record_pb2.GameSetup(
        row_cubes=cubes(s["row_cubes"]), column_cubes=cubes(s["column_cubes"]), site_cubes=cubes(s["site_cubes"]),
        pile_cubes=[COLOURS[c] for c in s["pile_cubes"]], scoring_tiles=ids("scoring", s["scoring"]),
        buildings=lists("building", s["buildings"]), plans=lists("plan", s["plans"]),
        starting_plans=ids("plan", s["starting_plans"][:seats]), favors=[NOBLES[n] for n in s["favors"][:seats]],
        clergy=ids("clergy", s["clergy"]),
        clergy_returns=[-1 if n == UNKNOWN else n for n in s["clergy_returns"][:seats]],
        hands=lists("card", s["hands"][:seats]), purple=ids("card", s["purple"]),
        red_decks=lists("card", s["decks"][0]), brown_decks=lists("card", s["decks"][1]),
        decrees=ids("decree", s["decrees"]),
    )


class _SetupReader:
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

    def words(self, field: str, words: Sequence[str], items: Sequence[str], pad: int) -> list[int]:
        numbers = []
        for i, item in enumerate(items):
            if item not in words:
                self.bad(f"{field}[{i}]", repr(item), ", ".join(words), "UNKNOWN_WORD")
            numbers.append(words.index(item) if item in words else 0)
        if len(numbers) > pad:
            self.bad(field, f"{len(numbers)} entries", f"at most {pad}", "WRONG_LENGTH")
        return (numbers + [UNKNOWN] * pad)[:pad]

    def rows(self, field: str, rows: Sequence[record_pb2.IdList], size: int) -> list[Sequence[str]]:
        if len(rows) != size:
            self.bad(field, f"{len(rows)} entries", str(size), "WRONG_LENGTH")
        return [list(row.ids) for row in rows[:size]] + [[] for _ in range(size - len(rows))]

    def read(self, message: record_pb2.GameRecord) -> dict[str, Any]:
        m = message.setup
        seats = min(4, max(2, message.players))

        def lists(field: str, thing: str, rows: Sequence[record_pb2.IdList], count: int, size: int) -> list[list[int]]:
            return [self.ids(f"{field}[{i}]", thing, row, size) for i, row in enumerate(self.rows(field, rows, count))]

        def cubes(field: str, rows: Sequence[record_pb2.IdList], count: int, pad: int) -> list[list[int]]:
            return [self.words(f"{field}[{i}]", COLOURS, row, pad) for i, row in enumerate(self.rows(field, rows, count))]

        returns = [UNKNOWN if n < 0 else min(n, UNKNOWN) for n in m.clergy_returns]
        favors = self.words("favors", NOBLES, m.favors, 4)
        if len(m.favors) != seats or len(returns) != seats:
            self.bad("favors", f"{len(m.favors)} favors, {len(returns)} clergy_returns", f"{seats} of each", "WRONG_LENGTH")
        return {
            "seats": message.players, "options": message.queen_variant | message.hand_draft << 1,
            "row_cubes": cubes("row_cubes", m.row_cubes, 5, 3), "column_cubes": cubes("column_cubes", m.column_cubes, 5, 3),
            "site_cubes": cubes("site_cubes", m.site_cubes, 14, 2), "pile_cubes": self.words("pile_cubes", COLOURS, m.pile_cubes, 6),
            "scoring": self.ids("scoring_tiles", "scoring", m.scoring_tiles, 4),
            "buildings": lists("buildings", "building", m.buildings, 2, 8), "plans": lists("plans", "plan", m.plans, 2, 8),
            "starting_plans": self.ids("starting_plans", "plan", m.starting_plans, seats, 4), "favors": favors,
            "clergy": self.ids("clergy", "clergy", m.clergy, 37), "clergy_returns": (returns + [UNKNOWN] * 4)[:4],
            "hands": lists("hands", "card", m.hands, seats, 5) + [[UNKNOWN] * 5 for _ in range(4 - seats)],
            "purple": self.ids("purple", "card", m.purple, 21),
            "decks": [lists("red_decks", "card", m.red_decks, 4, 5), lists("brown_decks", "card", m.brown_decks, 4, 5)],
            "decrees": self.ids("decrees", "decree", m.decrees, 70),
        }
