"""Decisions, and the look-ahead that keeps players out of dead ends (B4, D5, G9, N7, N8, N11).

A play that must be completed is a routine run by ``must_complete``. Inside it an option is legal only if some
continuation reaches the routine's end; this is found out by trying, on a copy of the state. A routine that cannot go on
raises ``DeadEnd``.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from .state import State
from .tables import Tables

Routine = Generator["Decision", Any, Any]


class Decision(NamedTuple):
    """A question to a seat: the text of each answer, and what it stands for."""

    kind: str
    seat: int
    options: dict[str, Any]
    surely: Callable[..., Routine] | None = None
    """A routine that nothing can keep from its end whichever option is chosen, so that nothing need be tried for it."""


class DeadEnd(Exception):
    """The routine cannot be completed."""


@dataclass
class Duty:
    """A routine that must be completed: the state where it began, and the answers given since."""

    start: State
    routine: Callable[..., Routine]
    args: tuple[Any, ...]
    answers: list[str] = field(default_factory=list)

    def allows(self, tables: Tables, answer: str) -> bool:
        return can_complete(tables, self.start, self.routine, self.args, [*self.answers, answer])


class Play:
    """What the routines of the rules work on: the state, and the duty that is on."""

    looking_ahead = False

    def __init__(self, state: State, tables: Tables) -> None:
        self.state = state
        self.tables = tables
        self.duty: Duty | None = None


class Trial(Play):
    """A play on a copy of the state, which nobody will see."""

    looking_ahead = True


def must_complete(g: Play, routine: Callable[..., Routine], *args: Any) -> Routine:
    """Plays a routine, offering only options from which its end can be reached."""
    if g.looking_ahead or g.duty is not None:
        return (yield from routine(g, *args))
    g.duty = Duty(g.state.copy(), routine, args)
    result = yield from routine(g, *args)
    g.duty = None
    return result


def possible(g: Play, routine: Callable[..., Routine], *args: Any) -> bool:
    """Whether a routine could be completed from here."""
    return can_complete(g.tables, g.state, routine, args, [])


def can_complete(
    tables: Tables, start: State, routine: Callable[..., Routine], args: tuple[Any, ...], answers: list[str]
) -> bool:
    """Depth-first search over the answers that follow the given ones; the start is left as it is."""
    path = list(answers)
    untried: list[list[str]] = []
    while True:
        if _reaches_end(tables, start, routine, args, path, untried, len(answers)):
            return True
        while untried and not untried[-1]:
            untried.pop()
            path.pop()
        if not untried:
            return False
        path = path[: len(answers) + len(untried)]
        path[-1] = untried[-1].pop()


def _reaches_end(
    tables: Tables,
    start: State,
    routine: Callable[..., Routine],
    args: tuple[Any, ...],
    path: list[str],
    untried: list[list[str]],
    given: int,
) -> bool:
    """Runs the routine along a path; beyond it takes every first option, and notes the others as untried."""
    running = routine(Trial(start.copy(), tables), *args)
    try:
        decision = next(running)
        for answer in path:
            decision = running.send(decision.options[answer])
        while True:
            answer, *others = decision.options
            path.append(answer)
            untried.append(others)
            decision = running.send(decision.options[answer])
    except StopIteration:
        return True
    except DeadEnd:
        return False
