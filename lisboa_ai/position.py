"""A position: what one seat knows at one moment, as an object, as JSON and as one line of text.

The JSON form is the protobuf JSON of ``lisboa.v1.Position``; the text form is one URL-safe line with a version and a
checksum, for pasting into a message. ``validate`` names everything that is wrong at once.
"""

from __future__ import annotations

import functools
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib import resources
from typing import Any, Final

from google.protobuf import json_format

from engine_ext import core
from lisboa.v1 import position_pb2 as pb

from . import edition, notation
from ._agenda import unfit
from ._fields import Reader, to_message
from ._text import pack, read_json, read_text
from ._totals import Sound, repeated, wrong_totals
from .edition import EditionTables
from .errors import InvalidPosition, UnknownEdition, Violation

__all__ = [
    "InvalidPosition",
    "Position",
    "UnknownEdition",
    "Violation",
    "find_edition",
    "meanings",
    "template",
    "validate",
]

TEXT_PREFIX: Final = "lisboa-position-1:"
SAMPLES: Final = 2
"""Worlds in which a position from outside is tried out before it is accepted."""


@functools.cache
def _blank(name: str) -> dict[str, Any]:
    """The fields of some state: the shape that a message is read into."""
    return core.Game.deal(edition.load(name).engine, 2, 0).fields()


def find_edition(name: str, digest: str, editions: Sequence[EditionTables] = ()) -> EditionTables:
    """The edition of this name and hash among some, or the bundled ones; an empty hash fits any.

    Raises ``UnknownEdition``.
    """
    known = list(editions) or [edition.load(bundled) for bundled in edition.bundled()]
    for tables in known:
        if tables.name == name and digest in ("", tables.digest):
            return tables
    raise UnknownEdition(name, digest, [(tables.name, tables.digest) for tables in known])


def _unplayable(observation: core.Observation) -> Violation | None:
    """Why a position that breaks no rule by itself cannot be played on from: no deal agrees with it, or a dead end."""
    if observation.over:
        return None
    kind = core.KINDS[observation.kind]
    if not observation.legal():
        return Violation(
            f"agenda[{observation.fields()['depth'] - 1}]", kind, "a decision with a legal action", "NO_LEGAL_ACTION"
        )
    for seed in range(SAMPLES):
        world = observation.sample_world(seed)
        if world.broken() or world.observe(observation.observer) != observation:
            drafted = observation.fields()["options"] & 2
            where = ("draft.packets", "the packets") if drafted else ("boards", "hands and decks")
            return Violation(*where, "what some deal of the cards agrees with", "NO_DEAL_FITS")
        try:
            for argument in world.legal():
                after = world.copy()
                after.apply(argument)
                if not after.over and not after.legal():
                    raise core.BrokenState(f"dead end at {core.KINDS[after.kind]}")
            world.play_out(seed)
        except core.BrokenState as error:
            return Violation("agenda", str(error), "a position that can be played to the end", "DEAD_END")
    return None


@dataclass(frozen=True)
class Position:
    """What one seat knows. ``observation`` is the engine's form; treat it as read-only."""

    tables: EditionTables
    observation: core.Observation

    @classmethod
    def from_proto(cls, message: pb.Position, editions: Sequence[EditionTables] = ()) -> Position:
        """Raises ``UnknownEdition``, or ``InvalidPosition`` with everything that is wrong."""
        tables = find_edition(message.edition.name, message.edition.digest, editions)
        reader = Reader(tables)
        fields = reader.read(message, _blank("house"))
        violations = [*reader.violations, *repeated(message)]
        sound = Sound(violations)
        violations += wrong_totals(tables, fields, message.observer, sound)
        violations += unfit(tables, fields, message.observer, sound)
        if violations:
            raise InvalidPosition(violations)
        try:
            observation = core.Observation.from_fields(tables.engine, fields, message.observer)
        except core.BrokenState as error:
            raise InvalidPosition(_engine_violations(str(error))) from error
        if dead := _unplayable(observation):
            raise InvalidPosition([dead])
        return cls(tables, observation)

    def to_proto(self) -> pb.Position:
        return to_message(self.tables, self.observation.fields(), self.observation.observer)

    @classmethod
    def from_json(cls, text: str, editions: Sequence[EditionTables] = ()) -> Position:
        """Raises ``InvalidPosition`` also for text that is not the JSON of a position."""
        return cls.from_proto(parse_json(text), editions)

    def to_json(self) -> str:
        """The protobuf JSON; maps, which have no order of their own, are sorted so that equal positions look alike."""
        fields = json_format.MessageToDict(self.to_proto())
        for board in fields.get("boards", ()):
            if "wigs" in board:
                board["wigs"] = dict(sorted(board["wigs"].items()))
        return json.dumps(fields, indent=1, ensure_ascii=False)

    @classmethod
    def from_text(cls, text: str, editions: Sequence[EditionTables] = ()) -> Position:
        """Raises ``InvalidPosition`` also for a line that is damaged or of another version."""
        try:
            message = read_text(TEXT_PREFIX, text, pb.Position())
        except ValueError as error:
            raise InvalidPosition([Violation("text", repr(text[:40]), str(error), "UNREADABLE")]) from error
        return cls.from_proto(message, editions)

    def to_text(self) -> str:
        return pack(TEXT_PREFIX, self.to_proto().SerializeToString(deterministic=True))

    def advance(self, text: str, revealed: str = "") -> Position:
        """The position after an action seen at the table and what it revealed (ids).

        Raises an ``notation.ActionError``, ``UnknownId``, or ``ValueError`` for too little or too much revealed.
        """
        after = self.observation.copy()
        argument = notation.parse_action(self.tables, after, text)
        after.apply(argument, notation.read_revealed(self.tables, after, revealed))
        return Position(self.tables, after)


def parse_json(text: str) -> pb.Position:
    """The message in a JSON text. Raises ``InvalidPosition`` naming the field that cannot be read."""
    try:
        return read_json(text, pb.Position())
    except ValueError as error:
        raise InvalidPosition([Violation("json", str(error), "the JSON of a position", "UNREADABLE")]) from error


def _engine_violations(message: str) -> Iterator[Violation]:
    """What the engine itself refuses, should nothing before have named it: a law broken, or a field out of range."""
    for part in re.split(r"; (?!allowed)", message):
        field, _, rest = part.partition(": ")
        value, _, allowed = rest.partition("; allowed: ")
        field = field.replace("players[", "boards[").replace("frames[", "agenda[")
        yield Violation(field, value, allowed or rest, "BROKEN_STATE")


def validate(position: pb.Position | str, editions: Sequence[EditionTables] = ()) -> list[Violation]:
    """Everything that is wrong with a position, each with its field path; empty for one that can be.

    Takes a message or its JSON. Raises ``UnknownEdition``: without its edition nothing can be said.
    """
    try:
        message = parse_json(position) if isinstance(position, str) else position
        Position.from_proto(message, editions)
    except InvalidPosition as error:
        return list(error.violations)
    return []


def template(tables: EditionTables, players: int, observer: int = 0) -> Position:
    """A position to change by hand: the start of the first turn of some game, as one seat sees it."""
    game = core.Game.deal(tables.engine, players, 1)
    while core.KINDS[game.kind] == "keep_clergy":
        game.apply(game.legal()[0])
    return Position(tables, game.observe(observer))


@functools.cache
def meanings() -> dict[str, str]:
    """What each field of a position means, by path (``boards[].docks[].cargo``), as the contract's comments say it."""
    source = (resources.files("lisboa.v1") / "position.proto").read_text(encoding="utf-8")
    said: dict[tuple[str, str], str] = {}
    message, comment = "", []
    for line in map(str.strip, source.splitlines()):
        if line.startswith("//"):
            comment.append(line[2:].strip())
            continue
        if found := re.match(r"message (\w+)", line):
            message = found[1]
        elif found := re.match(r"(?:[\w<>, ]+) (\w+) = \d+;", line):
            said[message, found[1]] = " ".join(comment)
        comment = []
    paths: dict[str, str] = {}

    def walk(prefix: str, descriptor: Any) -> None:  # of one of two classes, by protobuf backend
        for field in descriptor.fields:
            entry = field.message_type is not None and field.message_type.GetOptions().map_entry
            path = f"{prefix}{field.json_name}" + ("[]" if field.is_repeated and not entry else "")
            paths[path] = said[descriptor.name, field.name]
            if field.message_type is not None and not entry:
                walk(f"{path}.", field.message_type)

    walk("", pb.Position.DESCRIPTOR)
    return paths
