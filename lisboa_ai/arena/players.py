"""Players as text: ``random``, ``greedy``, ``level:3``, ``search:iterations=200,playout=uniform``, ``module:callable``.

>>> from lisboa_ai.arena.players import parse_player
>>> parse_player("search:playout=uniform,ms=100").text
'search:playout=uniform,time=0.1'
>>> parse_player("level:3,ms=50").text
'level:3,time=0.05'
"""

from __future__ import annotations

import importlib
import math
import os
import sys
import types
from collections.abc import Callable, Mapping
from dataclasses import MISSING, asdict, dataclass, field, fields, replace
from typing import Any, Final, Literal, Union, get_args, get_origin, get_type_hints

from engine_ext.core import Observation

from ..analysis import SearchLimits, SearchOptions
from ..bots import GREEDY_VERSION, Bot, GreedyBot, RandomBot, SearchBot
from ..levels import HIGHEST, LEVELS, LOWEST
from ..seeds import seed_of

__all__ = ["Player", "parse_player"]

SEARCH: Final = "search"
LEVEL: Final = "level"
OURS: Final = ("seed", "candidates")
"""Fields of a search that the arena sets itself: seeds come from the match, and a player needs one candidate only."""
TURN_SHARE: Final = 0.5
"""Part of what is left of a turn's time that each decision gets: the first ones matter most, and no turn runs dry."""


@dataclass(frozen=True)
class Player:
    """Who plays. text: in its shortest form; settings: all that decides how it plays; bot: makes one from a seed."""

    text: str
    settings: Mapping[str, Any]
    bot: Callable[[int], Bot] = field(compare=False)

    def __reduce__(self) -> tuple[Any, ...]:
        """Another process makes the player anew from its text."""
        return parse_player, (self.text,)


def parse_player(text: str, where: str = "player") -> Player:
    """The player that a text means. Raises ``ValueError`` naming what was given and what is allowed."""
    name, colon, rest = text.strip().partition(":")
    if name == SEARCH:
        return _search_player(rest, where)
    if name == LEVEL:
        number, _, options = rest.partition(",")
        if not number.strip().isdecimal():
            raise ValueError(f"{where}: {text!r}; allowed: {LEVEL}:N with a level N from {LOWEST} to {HIGHEST}")
        return _search_player(f"level={number},{options}", where)
    if name in PLAIN:
        if colon:
            raise ValueError(f"{where}: {text!r}; allowed: {name} without options")
        make, version = PLAIN[name]
        return Player(name, {"name": name, "version": version}, make)
    if colon:
        return _entry(text.strip(), name, rest, where)
    raise ValueError(f"{where}: {text!r}; allowed: {KNOWN}")


PLAIN: Final[dict[str, tuple[Callable[[int], Bot], int]]] = {
    "random": (RandomBot, 1),
    "greedy": (GreedyBot, GREEDY_VERSION),
}
"""Players without options: how they are made, and the version of how they choose."""
KNOWN: Final = f"{', '.join((*PLAIN, SEARCH))}, {LEVEL}:N or module:callable"


# --- searches -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Option:
    """A field of a search that text can set."""

    owner: type[SearchLimits] | type[SearchOptions]
    read: Callable[[str], Any]
    allowed: str
    default: Any


def _search_options() -> dict[str, _Option]:
    """What a search's text may set: every field of its two dataclasses that holds one word or number."""
    found: dict[str, _Option] = {}
    for owner in (SearchLimits, SearchOptions):
        hints = get_type_hints(owner)
        for one in fields(owner):
            reader = _reader(hints[one.name])
            if reader is not None and one.name not in OURS and one.default is not MISSING:
                found[one.name] = _Option(owner, *reader, one.default)
    found["time"] = replace(found["time"], read=_seconds, allowed=SECONDS)
    return found


SECONDS: Final = "seconds, such as 0.5, 500ms or 2s"


def _reader(hint: Any) -> tuple[Callable[[str], Any], str] | None:
    """How a value of this type is read from text, and what is allowed; None for what one word cannot say."""
    if get_origin(hint) in (Union, types.UnionType):
        one = [part for part in get_args(hint) if part is not type(None)]
        return _reader(one[0]) if len(one) == 1 else None
    if get_origin(hint) is Literal:
        words = {str(word): word for word in get_args(hint)}
        return words.__getitem__, ", ".join(words)
    return READERS.get(hint)


def _flag(text: str) -> bool:
    return {"true": True, "false": False, "yes": True, "no": False, "1": True, "0": False}[text.lower()]


def _number(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError
    return number


def _seconds(text: str) -> float:
    for unit, size in (("ms", 0.001), ("s", 1.0)):
        if text.endswith(unit):
            return _number(text.removesuffix(unit)) * size
    return _number(text)


READERS: Final[dict[Any, tuple[Callable[[str], Any], str]]] = {
    bool: (_flag, "yes or no"),
    int: (int, "a whole number"),
    float: (_number, "a number"),
    str: (str, "a word"),
}


def _search_player(text: str, where: str) -> Player:
    options = _search_options()
    given: dict[str, Any] = {}
    turn: float | None = None
    for part in filter(None, (part.strip() for part in text.split(","))):
        name, equals, value = (piece.strip() for piece in part.partition("="))
        if name not in options and name not in ("ms", "turn"):
            known = ", ".join(sorted({*options, "ms", "turn"}))
            raise ValueError(f"{where}: {name!r} is no option of {SEARCH}; allowed: {known}")
        if not equals or not value:
            raise ValueError(f"{where}: {part!r}; allowed: {name}=VALUE")
        field_name = "time" if name == "ms" else name
        if field_name in given or (name == "turn" and turn is not None):
            raise ValueError(f"{where}: {field_name} is given twice; allowed: once (ms is time in milliseconds)")
        if name == "turn":
            turn = _value(_seconds, value, f"{where}.{name}", SECONDS)
            if not 0.0 < turn <= 86400.0:
                raise ValueError(f"{where}.turn: {turn} seconds; allowed: more than 0, to 86400")
        elif name == "ms":
            given["time"] = _value(_number, value, f"{where}.{name}", "a number of milliseconds") / 1000.0
        else:
            given[name] = _value(options[name].read, value, f"{where}.{name}", options[name].allowed)
    try:
        limits = SearchLimits(**_of(SearchLimits, options, given))
        search = SearchOptions(**_of(SearchOptions, options, given), candidates=1)
    except ValueError as error:
        raise ValueError(f"{where}.{error}") from None
    settings = {name: getattr(limits if one.owner is SearchLimits else search, name) for name, one in options.items()}
    changed = {name: value for name, value in settings.items() if value != options[name].default}
    if turn is not None:
        settings["turn"] = changed["turn"] = turn
    if search.level is not None:
        settings["level"] = {"number": search.level, **asdict(LEVELS[search.level])}
    return Player(
        _shortest(changed),
        {"name": SEARCH, **settings},
        lambda seed: (_Watching if search.beliefs else _Searching)(limits, search, turn, seed),
    )


def _shortest(changed: dict[str, Any]) -> str:
    """The text of a search with these options, a level first."""
    level = changed.pop("level", None)
    words = [f"{name}={_text(value)}" for name, value in sorted(changed.items())]
    name, words = (SEARCH, words) if level is None else (LEVEL, [str(level), *words])
    return f"{name}:{','.join(words)}" if words else name


def _of(owner: type, options: Mapping[str, _Option], given: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in given.items() if options[name].owner is owner}


def _value(read: Callable[[str], Any], text: str, where: str, allowed: str) -> Any:
    try:
        return read(text)
    except (ValueError, KeyError):
        raise ValueError(f"{where}: {text!r}; allowed: {allowed}") from None


def _text(value: Any) -> str:
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)


class _Searching:
    """A search bot with a seed of its own for every decision and, if wanted, one time budget for each turn."""

    def __init__(self, limits: SearchLimits, options: SearchOptions, turn_seconds: float | None, seed: int) -> None:
        self._limits = limits
        self._search = SearchBot(limits, options)
        self._seed = seed
        self._decisions = 0
        self._turn_seconds = turn_seconds
        self._turn = -1
        self._left = 0.0

    def choose(self, observation: Observation) -> int:
        """A legal argument of the pending decision."""
        if len(observation.legal()) == 1:
            return self._search.choose(observation)
        self._decisions += 1
        self._search.limits = replace(
            self._limits, seed=seed_of(self._seed, self._decisions), time=self._seconds(observation.turn)
        )
        choice = self._search.choose(observation)
        if self._search.last is not None:
            self._left -= self._search.last.elapsed
        return choice

    def _seconds(self, turn: int) -> float | None:
        """The time limit of the next decision."""
        if self._turn_seconds is None:
            return self._limits.time
        if turn != self._turn:
            self._turn, self._left = turn, self._turn_seconds
        share = max(0.0, self._left * TURN_SHARE)
        return share if self._limits.time is None else min(share, self._limits.time)


class _Watching(_Searching):
    """The same, with a memory of what rivals chose."""

    def watch(self, observation: Observation, argument: int) -> None:
        self._search.history.append((observation, argument))


# --- players from elsewhere -----------------------------------------------------------------------------------------


def _entry(text: str, module: str, name: str, where: str) -> Player:
    """A factory ``module:callable`` that takes a seed; modules of the current folder are found too."""
    if not all(part.isidentifier() for part in (*module.split("."), *name.split("."))):
        raise ValueError(f"{where}: {text!r}; allowed: {KNOWN}")
    here = os.getcwd()
    if here not in sys.path:
        sys.path.append(here)
    try:
        found: Any = importlib.import_module(module)
    except ImportError as error:
        raise ValueError(f"{where}: {text!r}: {error}; allowed: a module that can be imported") from None
    for part in name.split("."):
        found = getattr(found, part, None)
    if not callable(found):
        raise ValueError(f"{where}: {text!r} is no callable; allowed: one that takes a seed and returns a bot")
    return Player(text, {"name": text}, found)
