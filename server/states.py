"""From what a request holds to a position or a game, with every fault found on the way named by its field."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Protocol

from google.protobuf.message import Message

from lisboa.v1 import position_pb2, record_pb2, rules_pb2
from lisboa_ai import notation, wire_actions
from lisboa_ai.edition import EditionTables, UnknownId, load
from lisboa_ai.position import InvalidPosition, Position, UnknownEdition
from lisboa_ai.record import GameRecord, InvalidRecord

from .errors import Fault, Invalid, Refusal, action_fault, action_info, violation_faults

__all__ = [
    "Editions",
    "Holder",
    "blaming",
    "carry_out",
    "missing",
    "observed",
    "observer_of",
    "position_of",
    "record_of",
    "replayed",
    "stated",
]


class Editions:
    """The editions a server knows, by name; the first is the default."""

    def __init__(self, names: Sequence[str]) -> None:
        self._by_name: dict[str, EditionTables] = {}
        for name in names:
            tables = load(name)
            if tables.name in self._by_name:
                raise ValueError(f"editions: {name} is called {tables.name}, as another one is; allowed: one of a name")
            self._by_name[tables.name] = tables
        self.all = tuple(self._by_name.values())
        self.default = self.all[0]

    def find(self, name: str, digest: str) -> EditionTables:
        """The edition of that name and digest; an empty name is the default, an empty digest fits any.

        Raises UnknownEdition.
        """
        tables = self._by_name.get(name) if name else self.default
        if tables is None or digest not in ("", tables.digest):
            raise UnknownEdition(name, digest, [(known.name, known.digest) for known in self.all])
        return tables


class Holder(Protocol):
    """A request that holds a position or a record."""

    @property
    def position(self) -> position_pb2.Position: ...
    @property
    def record(self) -> record_pb2.GameRecord: ...


@contextmanager
def blaming(field: str) -> Iterator[None]:
    """Errors inside the block are the fault of what the request says in this field: they become Invalid.

    A state that nothing complained about while it was read may still turn out to be impossible while it is replayed.
    """
    try:
        yield
    except (InvalidPosition, InvalidRecord) as error:
        raise Invalid(violation_faults(error.violations, field)) from None
    except (Refusal, UnknownEdition):
        raise
    except (ValueError, OverflowError) as error:
        raise Invalid(
            [Fault(field or "setup", f"{error}; allowed: what can come about in a game", "IMPOSSIBLE")]
        ) from None


def missing(field: str, allowed: str) -> Fault:
    """The fault of a field that is needed and not there."""
    return Fault(field, f"missing; allowed: {allowed}", "REQUIRED")


def stated(request: Holder, editions: Editions) -> Position | GameRecord:
    """The state in a request. Raises Invalid with every fault, or UnknownEdition."""
    assert isinstance(request, Message)
    match request.WhichOneof("state"):
        case "position":
            return position_of(request.position, editions)
        case "record":
            return record_of(request.record, editions)
    raise Invalid([missing("position", "a position, or a record instead")])


def position_of(message: position_pb2.Position, editions: Editions) -> Position:
    """A position from its message. Raises Invalid with every fault, or UnknownEdition."""
    with blaming("position"):
        return Position.from_proto(message, editions.all)


def record_of(message: record_pb2.GameRecord, editions: Editions) -> GameRecord:
    """A record from its message. Raises Invalid with every fault, or UnknownEdition.

    Its actions are not checked yet: replaying does that.
    """
    with blaming("record"):
        return GameRecord.from_proto(message, editions.all)


def replayed(record: GameRecord) -> Any:
    """The game that the record replays to, or its observer's observation. Raises Invalid naming the action."""
    with blaming("record"):
        return record.replay() if record.observer is None else record.position().observation


def observed(request: Holder, seat: int | None, editions: Editions) -> Position:
    """What the seat knows in the state of a request: of the truth, any seat, which must be named.

    Raises Invalid for a seat that is missing or is not the observer.
    """
    state = stated(request, editions)
    if isinstance(state, Position):
        if seat not in (None, state.observation.observer):
            raise Invalid([_not_observer(seat, state.observation.observer)])
        return state
    observer = observer_of(state, seat)
    with blaming("record"):
        return state.position(observer)


def observer_of(record: GameRecord, seat: int | None) -> int:
    """The seat whose knowledge of a record is asked for. Raises Invalid if it is missing or is not the observer."""
    last = record.seats - 1
    if record.observer is not None:
        if seat not in (None, record.observer):
            raise Invalid([_not_observer(seat, record.observer)])
        return record.observer
    if seat is None:
        raise Invalid([missing("seat", f"0 to {last}; the record is the truth, and what is hidden must not count")])
    if seat > last:
        raise Invalid([Fault("seat", f"{seat}; allowed: 0 to {last}", "OUT_OF_RANGE")])
    return seat


def _not_observer(seat: int | None, observer: int) -> Fault:
    return Fault("seat", f"{seat}; allowed: {observer}, whose knowledge this is, or leave it out", "NOT_OBSERVER")


def carry_out(
    tables: EditionTables, state: Any, actions: Sequence[record_pb2.RecordedAction]
) -> list[rules_pb2.Action]:
    """Carry out actions in a game or an observation, which they change; return them described.

    A written step that had resolved itself is accepted and left out. Raises Invalid for the first action that fails,
    with its index and what was legal.
    """
    done = []
    for index, action in enumerate(actions):
        kind, seat, context = state.kind, state.seat, state.context
        try:
            argument = notation.parse_action(tables, state, action.text)
        except notation.ActionError as error:
            if action.text in {notation.action_text(tables, *step) for step in state.forced()}:
                continue
            raise Invalid([action_fault(f"actions[{index}].text", error)], action_info(error, index)) from None
        described = wire_actions.action_to_proto(tables, kind, seat, context, argument)
        try:
            if hasattr(state, "observer"):
                state.apply(argument, notation.read_revealed(tables, state, " ".join(action.revealed)))
            else:
                state.apply(argument)
        except (UnknownId, ValueError) as error:
            said = f"{', '.join(action.revealed) or 'nothing'}: {error}"
            raise Invalid([Fault(f"actions[{index}].revealed", said, "WRONG_REVELATION")]) from None
        done.append(described)
    return done
