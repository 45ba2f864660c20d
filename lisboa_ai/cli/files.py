"""What every command shares: editions, files with a record or a position, and input errors as one clear line."""

from __future__ import annotations

import errno
import json
import sys
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any, ClassVar, ParamSpec, TypeVar

import click

from .. import edition, position, record
from ..edition import EditionTables
from ..position import Position
from ..record import GameRecord

P = ParamSpec("P")
R = TypeVar("R")
State = GameRecord | Position


class Problem(click.ClickException):
    """A problem with what was given: one line that names field, value and what was allowed; exit code 2."""

    exit_code: ClassVar[int] = 2

    def format_message(self) -> str:
        return " ".join(self.message.split())


def one_clear_error(function: Callable[P, R]) -> Callable[P, R]:
    """Turn every ``ValueError`` and file error of a command into a ``Problem``."""

    @wraps(function)
    def wrapped(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return function(*args, **kwargs)
        except OSError as error:
            if error.errno == errno.EPIPE:
                raise
            raise Problem(f"file: {error.filename}: {error.strerror}") from None
        except ValueError as error:
            raise Problem(str(error)) from None

    return wrapped


edition_option = click.option(
    "--edition",
    "edition_name",
    metavar="NAME|DIR",
    default="house",
    show_default=True,
    help="Edition to use: a bundled one, or a folder of corrected tables.",
)
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON for a program to read.")
seat_option = click.option("--seat", type=int, help="Seat, from 0 in turn order.  [default: whoever is to act]")


def print_note(note: str | None) -> None:
    """Say on stderr what casts doubt on an answer, if anything does."""
    if note:
        click.echo(f"Note: {note}", err=True)


def load_edition(name: str) -> EditionTables:
    return edition.load(name)


def editions(tables: EditionTables) -> list[EditionTables]:
    """The chosen edition and the bundled ones: what a file may refer to."""
    bundled = [edition.load(name) for name in edition.bundled()]
    return [tables, *(other for other in bundled if other.digest != tables.digest)]


def read_text(path: str) -> str:
    """A file's text, or standard input's for "-"; a pasted line that is itself a record or position stands for it."""
    if path.startswith((record.TEXT_PREFIX, position.TEXT_PREFIX)):
        return path
    try:
        if path == "-":
            return sys.stdin.read()
        return Path(path).read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise Problem(f"file: {path} is not text; allowed: a record or position as JSON or as one line") from None


def load_state(path: str, tables: EditionTables) -> State:
    """The record or position in a file, JSON or text, found out by its content."""
    text = read_text(path).strip()
    known = editions(tables)
    if text.startswith(record.TEXT_PREFIX):
        return GameRecord.from_text(text, known)
    if text.startswith(position.TEXT_PREFIX):
        return Position.from_text(text, known)
    try:
        found = json.loads(text)
    except json.JSONDecodeError as error:
        raise Problem(
            f"file: {path} is neither JSON (line {error.lineno}: {error.msg}) nor a line that starts with "
            f"{record.TEXT_PREFIX} or {position.TEXT_PREFIX}"
        ) from None
    if not isinstance(found, dict):
        raise Problem(f"file: {path} holds {type(found).__name__}; allowed: the JSON object of a record or position")
    if "setup" in found or "actions" in found:
        return GameRecord.from_json(text, known)
    return Position.from_json(text, known)


def check_seat(seat: int, seats: int) -> int:
    if not 0 <= seat < seats:
        raise Problem(f"seat: {seat}; allowed: 0 to {seats - 1}")
    return seat


def position_of(state: State, seat: int | None) -> Position:
    """What a seat knows, by default the seat to act."""
    if isinstance(state, Position):
        if seat is not None and seat != state.observation.observer:
            raise Problem(f"seat: {seat}; allowed: {state.observation.observer}, whose position this is")
        return state
    if state.observer is not None:
        return state.position(seat)
    if seat is None:
        game = state.replay()
        seat = max(0, game.seat)
    return state.position(check_seat(seat, state.seats))


def load_record(path: str, tables: EditionTables) -> GameRecord:
    state = load_state(path, tables)
    if not isinstance(state, GameRecord):
        raise Problem(f"file: {path} is a position; allowed: a record (lisboa-ai new makes one)")
    return state


def write_state(state: State, path: str | None, *, as_text: bool) -> None:
    """Write a record or position to a file or to standard output."""
    text = state.to_text() if as_text else state.to_json()
    if path is None or path == "-":
        click.echo(text)
    else:
        Path(path).write_text(text + "\n", encoding="utf-8")


def print_json(value: Any) -> None:
    click.echo(json.dumps(value, ensure_ascii=False, indent=1))
