"""Ways to spoil what people and programs send: the data of a JSON text, a line of text, the text of an action.

``pick`` chooses from a sequence: hypothesis' draw, or a random generator's choice.
"""

from __future__ import annotations

import copy
import random
from collections.abc import Callable, Sequence
from typing import Any

import positions

from engine_ext import core
from lisboa_ai import notation
from lisboa_ai.analysis import SearchLimits, evaluate
from lisboa_ai.position import Position
from lisboa_ai.record import GameRecord

Pick = Callable[[Sequence[Any]], Any]

TABLES = positions.TABLES
WORDS = [
    *(name for ids in TABLES.ids.values() for name in ids),
    *core.KINDS,
    *core.CATEGORIES,
    "gold",
    "green",
    "maia",
    "",
    " ",
    "nonsense",
    "Zé☃",
    "\ud800",
    "\0",
    "a" * 300,
]
NUMBERS = [
    *range(-2, 9),
    10,
    13,
    19,
    20,
    21,
    23,
    37,
    69,
    81,
    119,
    127,
    156,
    255,
    999,
    2**15,
    2**31 - 1,
    2**31,
    2**32,
    2**63,
    10**30,
    -(10**30),
    0.5,
    1e308,
    float("nan"),
    float("inf"),
    "3",
    "-1",
    "1e2",
]
GARBAGE: list[Any] = [None, True, False, [], {}, [[]], {"a": 1}, [1, 2], {"gold": {}}, [[[[{}]]]]]
KEYS = [
    *("gold", "brown", "owner", "trigger", "churchCaller", "lastTurn", "played", "hiddenBlue", "cargo"),
    *("a", "b", "seat", "markers", "queenOut", "observer", "players", "colour"),
]
WAYS = ("drop", "repeat", "swap", "garbage", *["change"] * 6)


def spots(tree: Any) -> list[tuple[Any, Any]]:
    """Every (dict or list, key or place) inside some JSON data."""
    found = []
    for key in tree if isinstance(tree, dict) else range(len(tree)) if isinstance(tree, list) else ():
        found.append((tree, key))
        found += spots(tree[key])
    return found


def spoil(tree: Any, pick: Pick) -> None:
    """Change one thing somewhere inside some JSON data."""
    places = spots(tree)
    if not places:
        return
    inside, key = pick(places)
    value = inside[key]
    way = pick(WAYS)
    if way == "drop":
        del inside[key]
    elif way == "repeat" and isinstance(inside, list):
        inside.insert(pick(range(len(inside) + 1)), copy.deepcopy(value))
    elif way == "swap":
        other, place = pick([spot for spot in places if type(spot[0][spot[1]]) is type(value)])
        inside[key], other[place] = copy.deepcopy(other[place]), copy.deepcopy(value)
    elif way == "garbage":
        inside[key] = copy.deepcopy(pick(GARBAGE))
    else:
        inside[key] = _changed(value, pick)


def _changed(value: Any, pick: Pick) -> Any:
    """Something of the same type, mostly."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int | float):
        return pick([value + 1, value - 1, pick(NUMBERS)])
    if isinstance(value, str):
        return pick(WORDS)
    if isinstance(value, dict):
        return {**value, pick(KEYS): pick(NUMBERS)}
    if isinstance(value, list) and value:
        drop = pick(range(len(value)))
        return value[:drop] + value[drop + 1 :]
    return pick(NUMBERS)


def spoil_text(text: str, pick: Pick) -> str:
    """Change one thing in a text: a letter, a piece, or its length."""
    if not text:
        return str(pick(WORDS))
    start = pick(range(len(text)))
    way = pick(("flip", "cut", "drop", "repeat", "insert", "word", "case"))
    if way == "flip":
        return text[:start] + chr(ord(text[start]) ^ (1 << pick(range(7)))) + text[start + 1 :]
    if way == "cut":
        return text[:start]
    if way == "drop":
        return text[:start] + text[start + 1 :]
    if way == "repeat":
        return text[:start] + text[start:] * 2
    if way == "insert":
        return text[:start] + str(pick("é☃ \t\n-+!;=.0Aa\0")) + text[start:]
    if way == "case":
        return text.swapcase()
    return f"{text.split(' ')[0]} {pick(WORDS)}"


def spoil_bytes(data: bytes, pick: Pick) -> bytes:
    """Change one bit, or drop or repeat a piece."""
    start = pick(range(len(data)))
    way = pick(("flip", "flip", "drop", "repeat"))
    if way == "flip":
        return data[:start] + bytes([data[start] ^ (1 << pick(range(8)))]) + data[start + 1 :]
    end = min(len(data), start + pick((1, 2, 8)))
    return data[:start] + data[end:] if way == "drop" else data[:end] + data[start:]


def game_after(seed: int, most: int = 420) -> core.Game:
    """A game of some number of players, with or without the variants, played at random for a while."""
    rng = random.Random(seed)
    game = core.Game.deal(positions.ENGINE, 2 + seed % 3, seed, queen=seed % 4 == 0, draft=seed % 5 == 1)
    for _ in range(rng.randrange(most)):
        if game.over:
            break
        game.apply(rng.choice(game.legal()))
    return game


def position_after(seed: int) -> Position:
    game = game_after(seed)
    return Position(TABLES, game.observe(seed % game.seats))


def record_after(seed: int, actions: int = 40) -> GameRecord:
    """The record of the first actions of a random game, as the truth or as some seat kept it."""
    rng = random.Random(seed)
    record = GameRecord.new(TABLES, 2 + seed % 3, seed, queen=seed % 4 == 0, draft=seed % 5 == 1)
    game = record.replay()
    texts = []
    for _ in range(rng.randrange(actions)):
        argument = rng.choice(game.legal())
        texts.append(notation.action_text(TABLES, game.kind, game.context, argument))
        game.apply(argument)
    record = record.extend(texts)
    return record.observe(seed % record.seats) if seed % 2 else record


def play_on(state: core.Game | core.Observation, seed: int) -> None:
    """Search a little, and play to the end; the checked build asks for every law after every action."""
    if isinstance(state, core.Observation):
        if not state.over:
            assert state.legal()
            evaluate(state, SearchLimits(iterations=6, seed=seed))
        state = state.sample_world(seed)
    rng = random.Random(seed)
    while not state.over:
        state.apply(rng.choice(state.legal()))
