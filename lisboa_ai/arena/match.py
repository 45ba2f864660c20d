"""A match: players, who sits where, and single games of it.

The unit is the *block*: one deal, played once in every distinct order of the lineup. All its games share the deal's
seed, and a seat's bot has the same seed whoever sits there. So a player against itself scores exactly its expected
share in every block, and what two players have in common cancels out. Games of a block depend on each other;
blocks do not, and everything that is said about the precision of a result is computed over blocks.
"""

from __future__ import annotations

import hashlib
import json
import time
from dataclasses import dataclass
from functools import cache
from itertools import permutations
from typing import Any, Final

from engine_ext.core import KINDS, Game

from .. import __version__, edition
from ..bots import Bot, WatchingBot
from ..seeds import seed_of
from .players import Player

__all__ = ["LABELS", "GameResult", "Match", "orders_of", "play_game"]

LABELS: Final = "ABCD"

tables_of = cache(edition.load)
"""An edition by name or folder, read once."""


def orders_of(lineup: str) -> list[str]:
    """Every distinct order of a lineup, once."""
    return sorted({"".join(order) for order in permutations(lineup)})


@dataclass(frozen=True)
class GameResult:
    """One game. Tuples are by seat. order: which player sat there; seconds: spent on all ``decisions`` together.

    Decisions with one legal action are not counted, nor their time.
    """

    block: int
    game: int
    order: str
    deal: int
    wigs: tuple[int, ...]
    winners: tuple[int, ...]
    decisions: tuple[int, ...]
    seconds: tuple[float, ...]

    def share(self, label: str) -> float:
        """What a player won of this game, over all of its seats: wins that the rules leave tied are shared."""
        return sum(self.order[seat] == label for seat in self.winners) / len(self.winners)

    def seats_of(self, label: str) -> list[int]:
        return [seat for seat, one in enumerate(self.order) if one == label]


@dataclass(frozen=True)
class Match:
    """Who plays whom, on which deals. lineup: a label (``A`` is the first player) for each seat, in any order."""

    players: tuple[Player, ...]
    lineup: str
    seed: int = 0
    edition: str = "house"
    queen: bool = False
    draft: bool = False

    def __post_init__(self) -> None:
        if not 2 <= len(self.players) <= len(LABELS):
            raise ValueError(f"players: {len(self.players)}; allowed: 2 to {len(LABELS)}")
        if not 2 <= len(self.lineup) <= 4:
            raise ValueError(f"lineup: {len(self.lineup)} seats; allowed: 2 to 4")
        for label in self.lineup:
            if label not in self.labels:
                raise ValueError(f"lineup: {label!r}; allowed: {', '.join(self.labels)}")
        for label in self.labels:
            if label not in self.lineup:
                raise ValueError(f"lineup: {','.join(self.lineup)} has no {label}; allowed: every player at least once")

    @property
    def labels(self) -> str:
        """One letter for each player."""
        return LABELS[: len(self.players)]

    @property
    def seats(self) -> int:
        return len(self.lineup)

    @property
    def orders(self) -> list[str]:
        """The games of a block: who sits where."""
        return orders_of(self.lineup)

    def own(self, label: str) -> int:
        """How many seats a player has."""
        return self.lineup.count(label)

    def player(self, label: str) -> Player:
        return self.players[LABELS.index(label)]

    def settings(self) -> dict[str, Any]:
        """All that decides how the games go: what a log of this match belongs to."""
        return {
            "version": __version__,
            "players": {label: dict(self.player(label).settings) for label in self.labels},
            "texts": {label: self.player(label).text for label in self.labels},
            "lineup": self.orders[0],
            "seed": self.seed,
            "edition": tables_of(self.edition).digest,
            "queen": self.queen,
            "draft": self.draft,
        }

    def digest(self) -> str:
        """A short name of ``settings``."""
        return hashlib.sha256(json.dumps(self.settings(), sort_keys=True).encode()).hexdigest()[:16]


def play_game(match: Match, block: int, game: int) -> GameResult:
    """Play one game of a block. Raises ``ValueError`` naming the player that failed, and where."""
    deal = seed_of(match.seed, "deal", block)
    order = match.orders[game]
    state = Game.deal(tables_of(match.edition).engine, match.seats, deal, queen=match.queen, draft=match.draft)
    decisions = [0] * match.seats
    seconds = [0.0] * match.seats
    seat = 0
    try:
        bots: list[Bot] = []
        for seat, label in enumerate(order):
            bots.append(match.player(label).bot(seed_of(match.seed, "bot", block, seat)))
        watching = [(place, bot) for place, bot in enumerate(bots) if isinstance(bot, WatchingBot)]
        while not state.over:
            seat = state.seat
            choices = len(state.legal())
            observation = state.observe(seat)
            began = time.perf_counter()
            argument = bots[seat].choose(observation)
            if choices > 1:
                seconds[seat] += time.perf_counter() - began
                decisions[seat] += 1
            for place, watcher in watching:
                if place != seat and KINDS[state.kind] != "draft_keep":  # which card is kept is not shown
                    watcher.watch(state.observe(place), argument)
            state.apply(argument)
    except Exception as error:
        who = f"player {order[seat]} ({match.player(order[seat]).text})"
        where = f"block {block}, game {game}, turn {state.turn}"
        raise ValueError(f"{who}: {type(error).__name__}: {error} ({where})") from error
    return GameResult(
        block=block,
        game=game,
        order=order,
        deal=deal,
        wigs=tuple(state.wigs()),
        winners=tuple(state.winners()),
        decisions=tuple(decisions),
        seconds=tuple(seconds),
    )
