"""Games to learn from: positions on the way, and what every seat got after them, by scoring category."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine_ext.core import CATEGORIES, Edition, Game
from engine_ext.search.searcher import VALUE_FEATURES, expected_turns, features, play_on

from .. import edition
from ..arena import parse_player
from ..seeds import seed_of
from .fit import Sums

__all__ = ["PLAYOUT", "Batch", "Rows", "play", "summed"]

PLAYOUT: Final = "playout"
"""Games by the policy that playouts use, instead of a player of the arena."""
EVERY: Final = 4
"""Turns from one look at a game to the next, on average."""
HELD_OUT: Final = 10
"""One game of so many is not fitted to, but says how good the fit is."""

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Rows:
    """Positions: features [position, seat, feature], wigs still to come [position, seat, category], turns left."""

    features: Floats
    coming: Floats
    turns: Floats


@dataclass(frozen=True, slots=True)
class Batch:
    """So many games from the given one on, of one number of seats. edition: a name or a folder."""

    edition: str
    seats: int
    by: str
    seed: int
    first: int
    games: int


def summed(batch: Batch) -> tuple[Sums, Sums]:
    """Play a batch: what is fitted to, and what is held out."""
    engine = edition.load(batch.edition).engine
    fitted: list[Rows] = []
    held_out: list[Rows] = []
    for number in range(batch.first, batch.first + batch.games):
        rows = play(engine, batch.seats, batch.by, seed_of(batch.seed, "train", batch.seats, number))
        (fitted if number % HELD_OUT else held_out).append(rows)
    return _summed(fitted), _summed(held_out)


def _summed(games: Sequence[Rows]) -> Sums:
    if not games:
        return Sums.zero()
    return Sums.of(*(np.concatenate([getattr(rows, one.name) for rows in games]) for one in fields(Rows)))


def play(engine: Edition, seats: int, by: str, seed: int) -> Rows:
    """A game to its end, looked at where turns begin."""
    draw = random.Random(seed)
    game = Game.deal(engine, seats, draw.getrandbits(63))
    advance = _advance(by, seats, draw)
    described: list[list[list[float]]] = []
    scored: list[list[list[int]]] = []
    turns: list[float] = []
    advance(game, draw.randrange(EVERY))
    while not game.over:
        described.append([features(game, seat) for seat in range(seats)])
        scored.append(game.score_now())
        turns.append(expected_turns(game))
        advance(game, game.turn + draw.randrange(2 * EVERY - 1))
    shape = (len(turns), seats)
    return Rows(
        np.array(described, dtype=np.float64).reshape(*shape, len(VALUE_FEATURES)),
        np.array(game.ledger(), dtype=np.float64) - np.array(scored, dtype=np.float64).reshape(*shape, len(CATEGORIES)),
        np.array(turns, dtype=np.float64),
    )


def _advance(by: str, seats: int, draw: random.Random) -> Callable[[Game, int], None]:
    """Something that plays a game on to the end of a turn."""
    if by == PLAYOUT:
        return lambda game, turn: _discard(play_on(game, turn, draw.getrandbits(64), "sharp"))
    bots = [parse_player(by, "by").bot(draw.getrandbits(63)) for _ in range(seats)]

    def decide(game: Game, turn: int) -> None:
        while not game.over and game.turn <= turn:
            game.apply(bots[game.seat].choose(game.observe(game.seat)))

    return decide


def _discard(_: object) -> None:
    """For a call whose answer is of no use."""
