"""Sound positions as messages, and ways to spoil them: what the tests of positions that cannot be have in common."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import positions
from positions import Table

from engine_ext import core
from lisboa.v1 import position_pb2 as pb
from lisboa_ai.position import Position, Violation, validate

Change = Callable[[Any], object]


def seen(game: core.Game, seat: int = 0) -> Position:
    return Position(positions.TABLES, game.observe(seat))


def quiet() -> pb.Position:
    """Seat 0's first turn with three players, as seat 0 sees it."""
    return seen(Table(3).game()).to_proto()


def third_round() -> Table:
    """Two rounds are over: seat 0 has tucked two noble cards, the others have played two cards each for gold.

    All took red cards, six in all, so that every hand has five again.
    """
    played = ("blue-marquis-3", "blue-king-3", "blue-maia-4", "blue-king-4")
    gone = sum(1 << positions.number(card) for card in played)
    table = Table(3).top(0, "blue-maia-1", "blue-king-1").state(turn=6, gone_cards=[gone, 0])
    table.hand(0, "blue-marquis-1", "blue-maia-2", "blue-marquis-2", "red-maia-1", "red-king-1")
    table.hand(1, "blue-king-2", "blue-maia-3", "blue-marquis-4", "red-maia-2", "red-king-2")
    return table.hand(2, "blue-maia-5", "blue-marquis-5", "blue-king-5", "red-marquis-1", "red-treasury-1")


def broken(change: Change, message: pb.Position | None = None) -> dict[str, Violation]:
    """The first violation of each field, of a sound position after a change."""
    message = message or quiet()
    assert validate(message) == []
    change(message)
    found: dict[str, Violation] = {}
    for violation in validate(message):
        found.setdefault(violation.field, violation)
    return found


def put(path: str, value: object) -> Change:
    """Sets a field by its path: ``boards[1].reis``; a list or message is replaced by what is given."""

    def change(message: Any) -> None:
        *steps, last = re.findall(r"\w+", path)
        for step in steps:
            message = message[int(step)] if step.isdigit() else getattr(message, step)
        if last.isdigit():
            message[int(last)] = value
        elif isinstance(value, list):
            del getattr(message, last)[:]
            getattr(message, last).extend(value)
        else:
            setattr(message, last, value)

    return change


def both(*changes: Change) -> Change:
    """Several changes, one after the other."""

    def change(message: Any) -> None:
        for one in changes:
            one(message)

    return change


def add(path: str, *values: str) -> Change:
    """Appends ids to a list: ``boards[1].clergy``."""
    return lambda m: at(m, path).extend(values)


def at(message: Any, path: str) -> Any:
    for step in path.replace("[", ".").replace("]", "").split("."):
        message = message[int(step)] if step.isdigit() else getattr(message, step)
    return message


def store(land: str, business: str, owner: int = 0) -> Change:
    return lambda m: m.city.stores.add(land=land, business=business, owner=owner)


def building(site: str, tile: str) -> Change:
    return lambda m: m.city.buildings.add(site=site, building=tile, side="green", owner=0)


def dock(seat: int, *things: str) -> Change:
    return lambda m: m.boards[seat].docks.extend([pb.Dock(holds=thing) for thing in things])


def said(change: Change, field: str, message: pb.Position | None = None) -> str:
    """What is said of a field after a change."""
    return str(broken(change, message)[field])


def changed(change: Change, message: pb.Position) -> pb.Position:
    change(message)
    return message


def cleared(table: Table) -> Table:
    """No cubes at the rows' ends: those that no board has are out of the game."""
    for row in "ABCDE":
        table.rubble(row, 0, 0, 0)
    return table
