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
from ._fields import UNKNOWN
from ._setup import SetupReader, mask_setup, setup_message
from ._text import pack, read_json, read_text
from .edition import EditionTables
from .errors import InvalidRecord, Violation
from .position import Position, find_edition

__all__ = ["GameRecord", "InvalidRecord", "Moment", "Played", "RecordedAction"]

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
    """A decision that was taken: its kind, the frame's (a, b), who decided, the argument, its place in the record."""

    kind: int
    context: tuple[int, int]
    seat: int
    argument: int
    ply: int


class Moment(NamedTuple):
    """A decision that was asked for, with the game, or the observer's view of it, before and after it."""

    played: Played
    before: State
    after: State


class Written(enum.Enum):
    """Which of the steps that resolve themselves a record writes down."""

    NONE = "none"
    ALL = "all"
    SOME = "some"


class _Stuck(Exception):
    def __init__(self, index: int, error: ValueError) -> None:
        super().__init__(str(error))
        self.index = index
        self.error = error


@dataclass(frozen=True)
class GameRecord:
    """See the module. ``setup`` has the fields of the engine's set-up, UNKNOWN where the observer is blind."""

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
        cls,
        tables: EditionTables,
        seats: int,
        seed: int,
        *,
        queen: bool = False,
        draft: bool = False,
        names: Sequence[str] = (),
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
        self,
        state: State,
        actions: Sequence[RecordedAction],
        seen: Callable[[Played, State], None] | None,
        written: Written,
    ) -> State:
        forced: list[str] = []
        for i, action in enumerate(actions):
            if forced and written is Written.ALL:
                expected = forced.pop(0)
                if action.text != expected:
                    raise _Stuck(
                        i, notation.IllegalActionText("is not what followed by itself", action.text, [expected])
                    )
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
                    state.apply(argument, notation.read_revealed(self.tables, state, action.revealed))
            except ValueError as error:
                raise _Stuck(i, error) from error
            forced = [notation.action_text(self.tables, *step) for step in state.forced()]
            if seen is not None:
                seen(Played(kind, context, decider, argument, i), state)
        return state

    def _replayed(self, ply: int | None, seen: Callable[[Played, State], None] | None = None) -> State:
        try:
            return self._play(self.start(), self.actions[:ply], seen)
        except _Stuck as stuck:
            action, error = self.actions[stuck.index], stuck.error
            field = f"actions[{stuck.index}]"
            if isinstance(error, notation.ActionError):
                violation = Violation(field, repr(action.text), ", ".join(error.legal[:40]), _reason(error))
            else:
                violation = Violation(f"{field}.revealed", repr(action.revealed), str(error), "WRONG_REVELATION")
            raise InvalidRecord([violation]) from error

    def replay(self, ply: int | None = None) -> core.Game:
        """The game after the first ``ply`` actions (default: all). Raises ``InvalidRecord``, also without the truth."""
        state = self._replayed(ply)
        if not isinstance(state, core.Game):
            raise InvalidRecord([Violation("observer", str(self.observer), "a record of the truth", "NOT_THE_TRUTH")])
        return state

    def position(self, seat: int | None = None, ply: int | None = None) -> Position:
        """What a seat knows after the first ``ply`` actions. An observer's record knows its own seat only."""
        state = self._replayed(ply)
        if isinstance(state, core.Observation):
            if seat not in (None, self.observer):
                raise InvalidRecord(
                    [Violation("seat", str(seat), f"{self.observer}, whose record this is", "NOT_OBSERVED")]
                )
            return Position(self.tables, state)
        if seat is None:
            raise InvalidRecord(
                [Violation("seat", "", f"0 to {self.seats - 1}: a record of the truth needs one", "SEAT_MISSING")]
            )
        return Position(self.tables, state.observe(seat))

    def moments(self) -> list[Moment]:
        """Every decision that was asked for, in order, without what resolved itself. Raises ``InvalidRecord``."""
        found: list[Moment] = []
        start = self.start()

        def note(step: Played, state: State) -> None:
            found.append(Moment(step, found[-1].after if found else start, state.copy()))

        self._replayed(None, note)
        return found

    def append(self, text: str, revealed: str = "") -> GameRecord:
        """The record with one more action. Raises an ``ActionError``, or ``ValueError`` about what was revealed."""
        return self._with([RecordedAction(text, revealed)])

    def extend(self, texts: Iterable[str]) -> GameRecord:
        """The record with more actions, all or none. An ``ActionError``'s ``index`` says which one failed."""
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

        self._replayed(None, note)
        return replace(hidden, actions=tuple(actions))

    # --- messages and text ------------------------------------------------------------------------------------------

    def to_proto(self) -> record_pb2.GameRecord:
        message = record_pb2.GameRecord(
            edition=position_pb2.EditionRef(name=self.tables.name, digest=self.tables.digest),
            players=self.seats,
            names=self.names,
            queen_variant=self.queen,
            hand_draft=self.draft,
            setup=setup_message(self.tables, self.setup),
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
        if len(message.names) not in (0, message.players):
            violations.append(
                Violation("names", f"{len(message.names)} entries", f"none, or {message.players}", "WRONG_LENGTH")
            )
        setup = SetupReader(tables, violations).read(message)
        if violations:
            raise InvalidRecord(violations)
        return cls(
            tables,
            message.players,
            setup,
            tuple(RecordedAction(a.text, " ".join(a.revealed)) for a in message.actions),
            message.queen_variant,
            message.hand_draft,
            observer,
            tuple(message.names),
        )

    def to_json(self) -> str:
        return json_format.MessageToJson(self.to_proto(), indent=1, ensure_ascii=False)

    @classmethod
    def from_json(cls, text: str, editions: Sequence[EditionTables] = ()) -> GameRecord:
        try:
            message = read_json(text, record_pb2.GameRecord())
        except ValueError as error:
            raise InvalidRecord([Violation("json", str(error), "the JSON of a record", "UNREADABLE")]) from error
        return cls.from_proto(message, editions)

    def to_text(self) -> str:
        return pack(TEXT_PREFIX, self.to_proto().SerializeToString(deterministic=True))

    @classmethod
    def from_text(cls, text: str, editions: Sequence[EditionTables] = ()) -> GameRecord:
        try:
            message = read_text(TEXT_PREFIX, text, record_pb2.GameRecord())
        except ValueError as error:
            raise InvalidRecord([Violation("text", repr(text[:40]), str(error), "UNREADABLE")]) from error
        return cls.from_proto(message, editions)


def _reason(error: notation.ActionError) -> str:
    if isinstance(error, notation.UnreadableAction):
        return "UNREADABLE_ACTION"
    return "AMBIGUOUS_ACTION" if isinstance(error, notation.AmbiguousAction) else "ILLEGAL_ACTION"
