"""Ratings of players from the games of several logs together.

The model is that of R. D. Luce (Bradley and Terry's for two): a seat of strength g wins with probability g / (sum of
all seats' strengths). Strengths are the maximum of the likelihood, found by the minorise-maximise steps of D. R.
Hunter, "MM algorithms for generalized Bradley-Terry models", Annals of Statistics 32 (2004): new g = wins / sum over
games of (own seats / sum of strengths). As in R. Coulom's bayeselo a drawn game against an average player is added to
each, so that players who won or lost everything have a finite rating. Intervals come from resampling blocks (B.
Efron's bootstrap), since games of a block depend on each other.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from .log import read_games
from .match import orders_of

__all__ = ["Rating", "rate", "rate_logs", "strengths"]

Block = Sequence[tuple[tuple[str, ...], tuple[int, ...]]]
"""The games of a block: who sat at each seat, and which seats won."""

Numbers = npt.NDArray[Any]

RESAMPLES: Final = 200
PRECISION: Final = 1e-6
"""Relative change of a strength below which the iteration ends: far below a thousandth of an Elo."""
MOST_STEPS: Final = 10_000


@dataclass(frozen=True, slots=True)
class Rating:
    """A player's Elo, where it lies with the confidence asked for, and what it rests on."""

    player: str
    elo: float
    interval: tuple[float, float]
    games: int
    wins: float


def rate_logs(paths: Sequence[Path], anchor: str | None = None, confidence: float = 0.95) -> list[Rating]:
    """The ratings of the players of some logs, best first, from whole blocks. Equal texts are one player."""
    blocks: list[Block] = []
    for path in paths:
        settings, games = read_games(path)
        found: dict[int, list[tuple[tuple[str, ...], tuple[int, ...]]]] = defaultdict(list)
        for game in games:
            found[game.block].append((tuple(settings["texts"][label] for label in game.order), game.winners))
        size = len(orders_of(settings["lineup"]))
        blocks += (block for block in found.values() if len(block) == size)
    return rate(blocks, anchor, confidence)


def rate(blocks: Sequence[Block], anchor: str | None = None, confidence: float = 0.95) -> list[Rating]:
    """Ratings from blocks of games. The anchor has Elo 0; without one, the mean of all players has.

    Raises ``ValueError``: no games, or an unknown anchor.
    """
    names = sorted({name for block in blocks for players, _ in block for name in players})
    if not names:
        raise ValueError("log: no whole block; allowed: logs with games in all orders of a lineup")
    if anchor is not None and anchor not in names:
        raise ValueError(f"anchor: {anchor!r}; allowed: {', '.join(names)}")
    companies = sorted({tuple(sorted(players)) for block in blocks for players, _ in block})
    seats = np.array([[company.count(name) for name in names] for company in companies], dtype=float)
    played, won = _by_block(blocks, names, companies)

    def elos(times: Numbers, start: Numbers) -> Numbers:
        """Ratings if each block had happened so many times."""
        found = 400.0 * np.log10(strengths(seats, times @ played, times @ won, start))
        zero = found.mean() if anchor is None else found[names.index(anchor)]
        return np.asarray(found - zero)

    once = np.ones(len(blocks))
    middle = strengths(seats, once @ played, once @ won)
    best = elos(once, middle)
    generator = np.random.default_rng(0)
    even = once / len(blocks)
    samples = np.array([elos(generator.multinomial(len(blocks), even), middle) for _ in range(RESAMPLES)])
    tails = [(1.0 - confidence) / 2.0, (1.0 + confidence) / 2.0]
    low, high = np.quantile(samples, tails, axis=0)
    games = played.sum(axis=0) @ (seats > 0)
    ratings = [
        Rating(name, float(best[i]), (float(low[i]), float(high[i])), int(games[i]), float(won[:, i].sum()))
        for i, name in enumerate(names)
    ]
    return sorted(ratings, key=lambda rating: (-rating.elo, rating.player))


def _by_block(
    blocks: Sequence[Block], names: Sequence[str], companies: Sequence[tuple[str, ...]]
) -> tuple[Numbers, Numbers]:
    """[block][company] games that were played, and [block][player] what was won, ties shared."""
    played = np.zeros((len(blocks), len(companies)))
    won = np.zeros((len(blocks), len(names)))
    company_of = {company: i for i, company in enumerate(companies)}
    number_of = {name: i for i, name in enumerate(names)}
    for row, block in enumerate(blocks):
        for players, winners in block:
            played[row, company_of[tuple(sorted(players))]] += 1.0
            for seat in winners:
                won[row, number_of[players[seat]]] += 1.0 / len(winners)
    return played, won


def strengths(seats: Numbers, played: Numbers, won: Numbers, start: Numbers | None = None) -> Numbers:
    """The most likely strengths, with a drawn game against a player of strength 1 for each.

    seats: [company][player] how many seats a player has in it; played: games of each company; won: by each player.
    """
    found = np.ones(len(won)) if start is None else start
    for _ in range(MOST_STEPS):
        new = (won + 0.5) / ((played / (seats @ found)) @ seats + 1.0 / (found + 1.0))
        new = new * _scale(new)
        change = np.abs(new / found - 1.0).max()
        found = new
        if change < PRECISION:
            break
    return np.asarray(found)


def _scale(found: Numbers) -> Numbers:
    """What to multiply strengths by so that together they win half of their games against strength 1.

    The most likely strengths do; games between players say nothing about it, so single steps would get there slowly.
    """
    logarithm = -np.log(found).mean()
    for _ in range(3):
        expected = found / (found + np.exp(-logarithm))
        logarithm -= (expected - 0.5).sum() / (expected * (1.0 - expected)).sum()
    return np.asarray(np.exp(logarithm))
