"""What a request asks of a search: limits and options, checked against what the server allows, all faults at once."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any, Final

from lisboa.v1 import advisor_pb2
from lisboa_ai import notation, wire_options, wire_values
from lisboa_ai.analysis import SEARCHLESS, SearchLimits, SearchOptions
from lisboa_ai.analysis.advice import limited
from lisboa_ai.beliefs import History, history
from lisboa_ai.compare import MOST_COMPARED
from lisboa_ai.edition import UnknownId
from lisboa_ai.levels import HIGHEST, LOWEST
from lisboa_ai.position import Position
from lisboa_ai.record import GameRecord
from lisboa_ai.review import DEFAULT_ITERATIONS

from .errors import Fault, action_fault
from .settings import CONFIDENCES, Settings, is_confidence

__all__ = [
    "choices_seen",
    "compared_actions",
    "limits_in_force",
    "options_in_force",
    "plainly_searched",
    "priority_in_force",
    "review_in_force",
]

SMALLEST_MEMORY: Final = 1 << 20
"""Bytes a thread needs for its tree."""
LONGEST_CUT: Final = 1000
"""Turns after which a play-out may be cut short, at most."""
MOST_EXACT: Final = 1e15
"""Below it whole numbers that came as floating-point ones are written with all their digits."""

NAMED_OPTIONS: Final[tuple[tuple[str, Callable[[Any], str | None]], ...]] = (
    ("granularity", wire_options.granularity_name),
    ("playout", wire_options.playout_name),
    ("algorithm", wire_options.algorithm_name),
)
"""Options that are one of a few names, and what reads each; None is the default."""


@dataclass(slots=True)
class _Faults:
    """Collects faults; ``within`` checks a range."""

    found: list[Fault]

    def within(self, field: str, value: float, low: float, high: float, unit: str = "") -> bool:
        if math.isfinite(value) and low <= value <= high:
            return True
        space = f" {unit}" if unit else ""
        said = f"{as_written(value)}{space}; allowed: {as_written(low)} to {as_written(high)}{space}"
        self.found.append(Fault(field, said, "OUT_OF_RANGE"))
        return False


def as_written(value: float) -> str:
    """A number as a person writes it: every digit of a whole one, no zeros behind the point of another."""
    if isinstance(value, int) or (abs(value) < MOST_EXACT and value == int(value)):
        return str(int(value))
    return f"{value:g}"


def limits_in_force(
    message: advisor_pb2.SearchLimits, options: advisor_pb2.SearchOptions, settings: Settings
) -> tuple[SearchLimits | None, list[Fault]]:
    """The limits, the level's and the server's defaults filled in, or what is wrong with them."""
    most = settings.limits
    faults = _Faults([])
    time: float | None = None
    if message.HasField("time"):
        time = wire_values.seconds(message.time)
        faults.within("limits.time", time, 0.0, most.time, "seconds")
    iterations: int | None = None
    if message.HasField("iterations"):
        iterations = message.iterations
        faults.within("limits.iterations", iterations, 1, most.iterations)
    threads = message.threads if message.HasField("threads") else 1
    sound = faults.within("limits.threads", threads, 1, settings.most_threads)
    lowest = SMALLEST_MEMORY * threads if sound else SMALLEST_MEMORY
    memory = message.memory_bytes if message.HasField("memory_bytes") else max(settings.default_memory, lowest)
    faults.within("limits.memory_bytes", memory, lowest, most.memory, "bytes")
    confidence = message.confidence if message.HasField("confidence") else settings.default_confidence
    if not is_confidence(confidence):
        faults.found.append(Fault("limits.confidence", f"{confidence:g}; allowed: {CONFIDENCES}", "OUT_OF_RANGE"))
    if faults.found:
        return None, faults.found
    found = SearchLimits(time, iterations, memory, threads, seed=message.seed, decided=confidence)
    if LOWEST <= options.level <= HIGHEST:
        found = limited(found, options.level)
        if found.iterations is not None and found.iterations > most.iterations:
            taken = f"{options.level}, which takes {found.iterations} iterations"
            said = f"{taken}; allowed: one that takes {most.iterations} at most"
            return None, [Fault("options.level", said, "OUT_OF_RANGE")]
    if found.time is None and found.iterations is None:
        found = replace(found, time=settings.default_time)
    return found, []


def options_in_force(
    message: advisor_pb2.SearchOptions, position: Position, settings: Settings
) -> tuple[SearchOptions | None, list[Fault]]:
    """The options with the server's defaults filled in, or what is wrong with them."""
    faults = _Faults([])
    options = _options(message, settings, faults)
    only = _arguments("options.only", message.only, position, faults)
    exclude = _arguments("options.exclude", message.exclude, position, faults)
    allowed = [one for one in position.observation.legal() if (not only or one in only) and one not in exclude]
    if not faults.found and (only or exclude) and not allowed:
        faults.found.append(Fault("options.exclude", "leaves no action; allowed: to leave out some", "NOTHING_LEFT"))
    assumptions = _assumptions(message, position, faults)
    if options is None or faults.found:
        return None, faults.found
    return replace(options, only=only, exclude=exclude, assumptions=assumptions), []


def review_in_force(
    request: advisor_pb2.ReviewGameRequest, settings: Settings
) -> tuple[SearchLimits | None, SearchOptions | None, list[Fault]]:
    """Limits and options of a review with the server's defaults filled in, or what is wrong with them."""
    limits, found = limits_in_force(request.limits, request.options, settings)
    if limits is not None and not (request.limits.HasField("time") or request.limits.HasField("iterations")):
        limits = replace(limits, time=None, iterations=DEFAULT_ITERATIONS)
    faults = _Faults(found)
    if limits is not None and limits.memory is not None:
        lowest = SMALLEST_MEMORY * limits.threads * len(("played", "best"))
        if not request.limits.HasField("memory_bytes"):
            limits = replace(limits, memory=max(limits.memory, lowest))
        faults.within("limits.memory_bytes", limits.memory or 0, lowest, settings.limits.memory, "bytes")
    options = _options(request.options, settings, faults)
    for name in ("only", "exclude", "assumptions"):
        if count := len(getattr(request.options, name)):
            faults.found.append(Fault(f"options.{name}", f"{count}; allowed: none, in a review", "CONFLICT"))
    _restrict(request.options, faults, ("single",), "a review")
    _no_beliefs(request.options, faults, "not in a review")
    return limits, options, faults.found


def plainly_searched(message: advisor_pb2.SearchOptions) -> list[Fault]:
    """What is wrong with options for an evaluation, which says what the best play is worth."""
    faults = _Faults([])
    _restrict(
        message, faults, tuple(name for name in wire_options.ALGORITHMS if name not in SEARCHLESS), "an evaluation"
    )
    return faults.found


def _restrict(message: advisor_pb2.SearchOptions, faults: _Faults, algorithms: tuple[str, ...], where: str) -> None:
    """Only these algorithms, and no level: where something is worth what the best play makes of it."""
    if message.HasField("level"):
        faults.found.append(Fault("options.level", f"{message.level}; allowed: none, in {where}", "CONFLICT"))
    others = [number for name, number in wire_options.ALGORITHMS.items() if name not in algorithms]
    if message.algorithm in others:
        allowed = ", ".join(advisor_pb2.Algorithm.Name(wire_options.ALGORITHMS[name]) for name in algorithms)
        said = f"{advisor_pb2.Algorithm.Name(message.algorithm)}; allowed: {allowed}, in {where}"
        faults.found.append(Fault("options.algorithm", said, "CONFLICT"))


def _no_beliefs(message: advisor_pb2.SearchOptions, faults: _Faults, why: str) -> None:
    if message.beliefs:
        faults.found.append(Fault("options.beliefs", f"true; allowed: false, {why}", "CONFLICT"))


def choices_seen(request: Any, position: Position) -> tuple[History, list[Fault]]:
    """What the observer saw of rivals' choices, if beliefs are asked for; and what is wrong with asking."""
    if not request.options.beliefs:
        return (), []
    if request.WhichOneof("state") != "record":
        faults = _Faults([])
        _no_beliefs(request.options, faults, "or a record, on whose actions beliefs rest")
        return (), faults.found
    record = GameRecord.from_proto(request.record, (position.tables,))
    return history(record, position.observation.observer if record.observer is None else None), []


def _options(message: advisor_pb2.SearchOptions, settings: Settings, faults: _Faults) -> SearchOptions | None:
    """The options that depend on no position; None if something is wrong with them."""
    before = len(faults.found)
    base = SearchOptions()
    objective = message.objective if message.HasField("objective") else base.objective
    faults.within("options.objective", objective, 0.0, 1.0)
    candidates = message.candidates if message.HasField("candidates") else settings.default_candidates
    faults.within("options.candidates", candidates, 1, settings.limits.candidates)
    exploration = message.exploration if message.HasField("exploration") else base.exploration
    faults.within("options.exploration", exploration, 0.0, 100.0)
    cut = message.cut if message.HasField("cut") else base.cut
    faults.within("options.cut", cut, -1, LONGEST_CUT, "turns")
    priors = message.priors if message.HasField("priors") else base.priors
    beliefs = message.beliefs if message.HasField("beliefs") else base.beliefs
    level = message.level if message.HasField("level") else None
    if level is not None:
        faults.within("options.level", level, LOWEST, HIGHEST)
    named: dict[str, Any] = {}
    for name, read in NAMED_OPTIONS:
        try:
            value = read(getattr(message, name))
        except ValueError as error:
            faults.found.append(Fault(f"options.{name}", str(error), "UNKNOWN_VALUE"))
        else:
            named |= {} if value is None else {name: value}
    if named.get("algorithm") in SEARCHLESS and named.get("granularity") == "turn":
        said = "GRANULARITY_TURN; allowed: GRANULARITY_DECISION, as the algorithm decides without a search"
        faults.found.append(Fault("options.granularity", said, "CONFLICT"))
    if named.get("algorithm") == "pimc" and beliefs:
        said = "true; allowed: false, as the few worlds of ALGORITHM_PIMC are drawn once"
        faults.found.append(Fault("options.beliefs", said, "CONFLICT"))
    if len(faults.found) > before:
        return None
    return SearchOptions(
        objective=objective,
        candidates=candidates,
        exploration=exploration,
        cut=cut,
        priors=priors,
        beliefs=beliefs,
        level=level,
        **named,
    )


def priority_in_force(message: advisor_pb2.SearchOptions) -> tuple[wire_options.PriorityName, list[Fault]]:
    """The priority with the server's default filled in, and what is wrong with it."""
    try:
        return wire_options.priority_name(message.priority) or "normal", []
    except ValueError as error:
        return "normal", [Fault("options.priority", str(error), "UNKNOWN_VALUE")]


def compared_actions(
    request: advisor_pb2.CompareActionsRequest, position: Position, limits: SearchLimits | None
) -> tuple[tuple[int, ...], list[Fault]]:
    """The arguments of the actions to compare, and everything that is wrong with them or does not fit them."""
    faults = _Faults([])
    for name, texts in (("only", request.options.only), ("exclude", request.options.exclude)):
        if texts:
            said = f"{len(texts)} actions; allowed: none, in a comparison"
            faults.found.append(Fault(f"options.{name}", said, "CONFLICT"))
    _restrict(request.options, faults, ("single",), "a comparison")
    _no_beliefs(request.options, faults, "not in a comparison")
    if request.limits.confidence:
        said = f"{request.limits.confidence:g}; allowed: 0, in a comparison"
        faults.found.append(Fault("limits.confidence", said, "CONFLICT"))
    count = len(request.actions)
    if not 2 <= count <= MOST_COMPARED:
        said = f"{count}; allowed: 2 to {MOST_COMPARED}"
        faults.found.append(Fault("actions", said, "OUT_OF_RANGE"))
        return (), faults.found
    if limits is not None and limits.memory is not None:
        lowest = SMALLEST_MEMORY * limits.threads * count
        if limits.memory < lowest:
            said = f"{limits.memory} bytes; allowed: {lowest} or more for {count} actions on {limits.threads} threads"
            faults.found.append(Fault("limits.memory_bytes", said, "OUT_OF_RANGE"))
    actions = _arguments("actions", request.actions, position, faults)
    if len(actions) == count:
        for index, action in enumerate(actions):
            if action in actions[:index]:
                said = f"{request.actions[index]}, as before; allowed: actions that differ"
                faults.found.append(Fault(f"actions[{index}]", said, "DUPLICATE"))
    return actions, faults.found


def _arguments(field: str, texts: Iterable[str], position: Position, faults: _Faults) -> tuple[int, ...]:
    found = []
    for index, text in enumerate(texts):
        try:
            found.append(notation.parse_action(position.tables, position.observation, text))
        except notation.ActionError as error:
            faults.found.append(action_fault(f"{field}[{index}]", error))
    return tuple(found)


def _assumptions(
    message: advisor_pb2.SearchOptions, position: Position, faults: _Faults
) -> tuple[tuple[int, tuple[int, ...]], ...]:
    """Assumptions as numbers; each is tried on top of those before it, so that the fault names the right one."""
    observation = position.observation
    found = []
    for index, assumption in enumerate(message.assumptions):
        field = f"options.assumptions[{index}]"
        rivals = [seat for seat in range(observation.seats) if seat != observation.observer]
        if assumption.seat not in rivals:
            listed = ", ".join(map(str, rivals))
            faults.found.append(Fault(f"{field}.seat", f"{assumption.seat}; allowed: a rival: {listed}", "NOT_A_RIVAL"))
            continue
        cards = []
        for place, name in enumerate(assumption.cards):
            try:
                cards.append(position.tables.number("card", name))
            except UnknownId as error:
                faults.found.append(Fault(f"{field}.cards[{place}]", str(error), "UNKNOWN_ID"))
        if len(cards) < len(assumption.cards):
            continue
        try:
            observation = observation.assume(assumption.seat, cards)
        except ValueError as error:
            faults.found.append(Fault(f"{field}.cards", str(error), "CANNOT_HOLD"))
        found.append((assumption.seat, tuple(cards)))
    return tuple(found)
