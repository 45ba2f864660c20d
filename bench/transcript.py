"""A record told for people: every action as a sentence, what it changed for whom, the board now and then, the count.

``steps`` replays a record and keeps what stood before and after each action; ``transcript`` tells it.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from rich.console import Console

from engine_ext.core import CATEGORIES, KINDS, Game
from lisboa_ai import notation, show
from lisboa_ai.edition import COLOURS, GOODS, NOBLES, EditionTables
from lisboa_ai.record import GameRecord

WIDTH: Final = 140
"""Columns of a board, wide enough for things to stand side by side."""
Fields = dict[str, Any]


@dataclass(frozen=True)
class Act:
    """A decision taken, or a step that resolved itself: then nobody is named as having taken it."""

    kind: str
    context: tuple[int, int]
    argument: int
    seat: int | None = None

    def sentence(self, tables: EditionTables) -> str:
        """What was done, in words."""
        said = notation.describe(tables, KINDS.index(self.kind), self.context, self.argument, self.seat or 0)
        return said if self.seat is not None else f"By itself: {said.split(': ', 1)[1]}"

    def text(self, tables: EditionTables) -> str:
        """What was done, as it is typed."""
        return notation.action_text(tables, KINDS.index(self.kind), self.context, self.argument)


@dataclass(frozen=True)
class Step:
    """An action: what was done, the steps that followed by themselves, and the state before and after."""

    turn: int
    active: int
    act: Act
    forced: tuple[Act, ...]
    before: Fields
    after: Fields
    game: Game
    """The game after it; not to be changed."""

    @property
    def acts(self) -> tuple[Act, ...]:
        """The action and what followed by itself."""
        return (self.act, *self.forced)

    def players(self) -> Iterator[tuple[int, Fields, Fields]]:
        """Every seat with its board before and after."""
        for seat in range(self.after["seats"]):
            yield seat, self.before["players"][seat], self.after["players"][seat]


def steps(record: GameRecord) -> list[Step]:
    """The actions of a true record, replayed."""
    game = record.replay(0)
    found = []
    for action in record.actions:
        kind, context, seat, turn, active = game.kind, game.context, game.seat, game.turn, game.active
        argument = notation.parse_action(record.tables, game, action.text)
        before = game.fields()
        game.apply(argument)
        forced = tuple(Act(KINDS[kind], context, argument) for kind, context, argument in game.forced())
        act = Act(KINDS[kind], context, argument, seat)
        found.append(Step(turn, active, act, forced, before, game.fields(), game.copy()))
    return found


# --- what changed -----------------------------------------------------------------------------------------------------


def changes(step: Step) -> list[str]:
    """What an action and all that followed from it changed: the board's tracks, then player by player."""
    lines = []
    tracks = _moved("treasury space", step.before["treasury"] + 1, step.after["treasury"] + 1)
    for good, before, after in zip(GOODS, step.before["price"], step.after["price"], strict=True):
        tracks += _moved(f"price of {good}", before, after)
    tracks += _moved("cardinal on gap", step.before["cardinal"], step.after["cardinal"])
    if tracks:
        lines.append("board: " + ", ".join(tracks))
    for seat, before, after in step.players():
        parts = list(_player_changes(before, after))
        if parts:
            lines.append(f"player {seat + 1}: " + ", ".join(parts))
    return lines


def _player_changes(before: Fields, after: Fields) -> Iterator[str]:
    for part in _moved("wigs", before["wigs"], after["wigs"]):
        reasons = [
            f"{name.replace('_', ' ')} {now - then:+d}"
            for name, then, now in zip(CATEGORIES, before["ledger"], after["ledger"], strict=True)
            if now != then
        ]
        yield f"{part} ({', '.join(reasons)})"
    yield from _moved("réis", before["reis"], after["reis"])
    yield from _moved("influence", before["influence"], after["influence"])
    for name, field, words in (
        ("", "goods", GOODS),
        ("", "cubes", [f"{colour} cubes" for colour in COLOURS]),
        ("officials with ", "offices", NOBLES),
        ("officials in the plaza of ", "plazas", NOBLES),
    ):
        for word, then, now in zip(words, before[field], after[field], strict=True):
            yield from _moved(name + word, then, now)
    yield from _moved("sets", before["sets"], after["sets"])
    yield from _moved("set markers", before["markers"], after["markers"])
    for name, field in (("stores", "stores"), ("goods on ships", "cargo"), ("goods at sea", "packed")):
        yield from _moved(name, sum(before[field]), sum(after[field]))
    yield from _moved("plans completed", before["completed"].bit_count(), after["completed"].bit_count())
    yield from _moved("hand cards", before["n_hand"], after["n_hand"])


def _moved(name: str, before: int, after: int) -> list[str]:
    return [] if before == after else [f"{name} {before} > {after}"]


# --- the text ---------------------------------------------------------------------------------------------------------


def board(game: Game, tables: EditionTables, names: Sequence[str] = ()) -> list[str]:
    """The whole table as lines of plain text."""
    page = io.StringIO()
    Console(file=page, width=WIDTH, color_system=None).print(show.render(game, tables, names))
    return [line.rstrip() for line in page.getvalue().splitlines()]


def transcript(record: GameRecord, header: Sequence[str]) -> str:
    """The whole game as text, after some lines of header."""
    tables = record.tables
    taken = steps(record)
    lines = [*header, "", *_titled("Start"), *board(record.replay(0), tables), "", *_titled("Set-up")]
    snapshots = _snapshots(taken)
    opened: set[tuple[int, str]] = set()
    for number, step in enumerate(taken):
        if number in snapshots:
            lines += ["", *_titled(snapshots[number]), *board(taken[number - 1].game, tables)]
        if step.act.kind == "play_card":
            lines += ["", f"Turn {step.turn + 1}, period {step.before['period'] + 1}: player {step.active + 1}"]
        window = step.turn, _window(step)
        if window[1] and window not in opened:
            lines.append(f"  -- {window[1]} --")
            opened.add(window)
        lines += _told(step, tables)
    lines += ["", *_titled("Final scoring"), *final(taken[-1].game)]
    return "\n".join(lines) + "\n"


def _titled(title: str) -> list[str]:
    return [title, "=" * len(title)]


def _told(step: Step, tables: EditionTables) -> list[str]:
    lines = [f"  {act.sentence(tables)}  [{act.text(tables)}]" for act in step.acts]
    lines += [f"      {line}" for line in changes(step)]
    if step.before["period"] != step.after["period"]:
        lines.append("      The first period ends.")
    if step.before["queen"] != step.after["queen"]:
        lines.append("      The Queen is out.")
    if step.before["last_turn"] != step.after["last_turn"]:
        lines.append(f"      The end is triggered: turn {step.after['last_turn'] + 1} will be the last.")
    return lines


def _window(step: Step) -> str:
    """The part of a turn in which somebody else than the active player may decide, or all in turn."""
    kind, context = step.act.kind, step.act.context
    if kind == "follow":
        return f"who follows the visit to {notation.NOBLE_NAMES[context[0]]}?"
    if kind == "give_clergy":
        return "church scoring"
    if kind in ("discard_hand", "discard_reward"):
        return "end of the period: discards for rewards"
    if kind == "draft_keep":
        return f"hand draft, pass {step.before['draft_pass'] + 1}"
    return ""


def _snapshots(taken: Sequence[Step]) -> dict[int, str]:
    """Before which actions the board is shown, and under which title."""
    plays = [number for number, step in enumerate(taken) if step.act.kind == "play_card"]
    first = [number for number in plays if taken[number].before["period"] == 0]
    second = [number for number in plays if taken[number].before["period"] == 1]
    last_turn, seats = taken[-1].turn, taken[-1].after["seats"]
    last = next(number for number in plays if taken[number].turn == last_turn - seats + 1)
    return {
        first[len(first) // 2]: "The middle of the first period",
        second[0]: "The second period begins",
        last: "The last round begins",
    }


def final(game: Game) -> list[str]:
    """The final score by category, and who won."""
    ledger = game.ledger()
    width = max(map(len, CATEGORIES))
    lines = [" " * width + "".join(f"{f'player {seat + 1}':>10}" for seat in range(game.seats))]
    for number, name in enumerate(CATEGORIES):
        lines.append(f"{name.replace('_', ' '):<{width}}" + "".join(f"{row[number]:>10}" for row in ledger))
    lines.append(f"{'together':<{width}}" + "".join(f"{wigs:>10}" for wigs in game.wigs()))
    winners = " and ".join(f"player {seat + 1}" for seat in game.winners())
    lines.append(f"{winners[0].upper()}{winners[1:]} won.")
    return lines
