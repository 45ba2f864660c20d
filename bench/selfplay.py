"""Games of the search against itself, and positions out of them."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Final

from engine_ext.core import Game
from lisboa_ai import edition
from lisboa_ai.analysis import SearchLimits, SearchOptions, analyse
from lisboa_ai.seeds import seed_of

__all__ = ["SEATS", "Played", "play_to_end", "played", "spread_out", "winning"]

SEATS: Final = (2, 3, 4)

tables_of = cache(edition.load)


@dataclass(frozen=True, slots=True)
class Played:
    """A game: as it was at every decision with two or more legal actions, what was chosen there, and how it ended."""

    moments: tuple[Game, ...]
    chosen: tuple[int, ...]
    end: Game


def choices(game: Game, seed: int, iterations: int, options: SearchOptions) -> Iterator[tuple[Game, int]]:
    """Plays a game to its end, every decision by a search of its own; yields the real ones before they are made."""
    number = 0
    while not game.over:
        legal = game.legal()
        argument = legal[0]
        if len(legal) > 1:
            limits = SearchLimits(iterations=iterations, seed=seed_of(seed, number), memory=32 << 20)
            argument = analyse(game.observe(game.seat), limits, options).best.actions[0]
            yield game, argument
            number += 1
        game.apply(argument)


def played(number: int, seed: int, iterations: int, weights: str = "") -> Played:
    """A game of search against search; the number of players goes round with its number."""
    seats = SEATS[number % len(SEATS)]
    game = Game.deal(tables_of("house").engine, seats, seed_of(seed, "deal", number))
    options = SearchOptions(candidates=1, weights=weights)
    found = [
        (then.copy(), choice) for then, choice in choices(game, seed_of(seed, "play", number), iterations, options)
    ]
    return Played(tuple(then for then, _ in found), tuple(choice for _, choice in found), game)


def play_to_end(game: Game, seed: int, iterations: int, options: SearchOptions | None = None) -> Game:
    """A copy of the game, played to its end by searches."""
    end = game.copy()
    for _ in choices(end, seed, iterations, options or SearchOptions(candidates=1)):
        pass
    return end


def spread_out(length: int, count: int, seed: int) -> list[int]:
    """One place out of each of ``count`` equal parts of a sequence, drawn by chance: every phase of a game."""
    chooser = random.Random(seed)
    return [int((part + chooser.random()) * length / count) for part in range(count)]


def winning(end: Game) -> list[float]:
    """The part of the win that each seat has of a finished game."""
    winners = end.winners()
    return [1.0 / len(winners) if seat in winners else 0.0 for seat in range(end.seats)]
