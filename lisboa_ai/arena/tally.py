"""What the games of a match add up to: shares, Elo, wigs, time, and whether the match is decided."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from .match import GameResult, Match
from .stats import Share, Sprt, elo_of_share, expected_share

__all__ = ["MEASURED", "Standing", "Summary", "Tally"]

MEASURED: Final = "A"
"""The player that the sequential test is about: the first one, against all others together."""


@dataclass(frozen=True, slots=True)
class Standing:
    """How a player did. margin: own wigs less the best rival seat's; seconds: for each decision with a choice.

    Without games wigs and margin are not numbers.
    """

    label: str
    text: str
    expected: float
    share: Share
    own: int
    seats: int
    wigs: float
    margin: float
    decisions: int
    seconds: float

    @property
    def elo(self) -> float:
        return elo_of_share(self.share.mean, self.own, self.seats)

    def elo_interval(self, confidence: float) -> tuple[float, float]:
        low, high = self.share.interval(confidence)
        return elo_of_share(low, self.own, self.seats), elo_of_share(high, self.own, self.seats)


@dataclass(frozen=True, slots=True)
class Summary:
    """The result of a match so far. verdict: the accepted hypothesis of the sequential test, if there was one."""

    standings: tuple[Standing, ...]
    games: int
    blocks: int
    llr: float | None
    verdict: Literal["H0", "H1"] | None

    def to_data(self, match: Match, sprt: Sprt | None, confidence: float) -> dict[str, Any]:
        """Plain data for JSON; null is an infinite Elo, or what needs games to be known."""
        return {
            "match": match.digest(),
            "lineup": list(match.orders[0]),
            "seed": match.seed,
            "games": self.games,
            "blocks": self.blocks,
            "games_in_a_block": len(match.orders),
            "confidence": confidence,
            "players": [
                {
                    "label": one.label,
                    "player": one.text,
                    "seats": one.own,
                    "expected_share": one.expected,
                    "share": one.share.mean,
                    "share_error": one.share.error if one.share.blocks else None,
                    "share_interval": one.share.interval(confidence),
                    "elo": _finite(one.elo),
                    "elo_interval": [_finite(elo) for elo in one.elo_interval(confidence)],
                    "wigs": _finite(one.wigs),
                    "margin": _finite(one.margin),
                    "decisions": one.decisions,
                    "seconds_per_decision": one.seconds,
                }
                for one in self.standings
            ],
            "sprt": None
            if sprt is None
            else {
                "elo0": sprt.elo0,
                "elo1": sprt.elo1,
                "alpha": sprt.alpha,
                "beta": sprt.beta,
                "bounds": sprt.bounds,
                "llr": self.llr,
                "accepted": self.verdict,
            },
        }


def _finite(number: float) -> float | None:
    return number if math.isfinite(number) else None


@dataclass
class Tally:
    """Takes games in any order, counts whole blocks in their order: the result is the same however they were played.

    With a sequential test the first block after which it is decided is the last one that counts. scores: each player's
    mean share of every counted block.
    """

    match: Match
    sprt: Sprt | None = None
    max_blocks: int | None = None
    counted: list[tuple[GameResult, ...]] = field(default_factory=list)
    scores: dict[str, list[float]] = field(default_factory=dict)
    llrs: list[float] = field(default_factory=list)
    verdict: Literal["H0", "H1"] | None = None
    _waiting: dict[int, dict[int, GameResult]] = field(default_factory=dict)

    def add(self, result: GameResult) -> None:
        """Take a game; it counts once its block and all earlier ones are whole."""
        self._waiting.setdefault(result.block, {})[result.game] = result
        size = len(self.match.orders)
        while not self.decided and len(self._waiting.get(len(self.counted), {})) == size:
            block = self._waiting.pop(len(self.counted))
            self._count(tuple(block[game] for game in range(size)))

    @property
    def played(self) -> int:
        """All games that were taken, those of blocks that are not whole yet included."""
        return len(self.counted) * len(self.match.orders) + sum(map(len, self._waiting.values()))

    def _count(self, block: tuple[GameResult, ...]) -> None:
        self.counted.append(block)
        for label in self.match.labels:
            score = math.fsum(game.share(label) for game in block) / len(block)
            self.scores.setdefault(label, []).append(score)
        if self.sprt is not None:
            self.llrs.append(self.sprt.llr(self.share(MEASURED), self.match.own(MEASURED), self.match.seats))
            self.verdict = self.sprt.verdict(self.llrs[-1])

    @property
    def decided(self) -> bool:
        """Whether no further block counts."""
        return self.verdict is not None or len(self.counted) == self.max_blocks

    def share(self, label: str, blocks: int | None = None) -> Share:
        """The player's share over the first blocks, by default all."""
        expected = expected_share(self.match.own(label), self.match.seats)
        return Share.of(self.scores.get(label, [])[:blocks], expected, len(self.match.orders))

    def summary(self) -> Summary:
        """What has been counted so far."""
        games = [game for block in self.counted for game in block]
        return Summary(
            standings=tuple(self._standing(label, games) for label in self.match.labels),
            games=len(games),
            blocks=len(self.counted),
            llr=self.llrs[-1] if self.llrs else None,
            verdict=self.verdict,
        )

    def _standing(self, label: str, games: Sequence[GameResult]) -> Standing:
        own, seats = self.match.own(label), self.match.seats
        at = [(game, seat) for game in games for seat in game.seats_of(label)]
        decisions = sum(game.decisions[seat] for game, seat in at)
        return Standing(
            label=label,
            text=self.match.player(label).text,
            expected=expected_share(own, seats),
            share=self.share(label),
            own=own,
            seats=seats,
            wigs=_mean([float(game.wigs[seat]) for game, seat in at]),
            margin=_mean([float(_margin(game.wigs, seat)) for game, seat in at]),
            decisions=decisions,
            seconds=math.fsum(game.seconds[seat] for game, seat in at) / max(1, decisions),
        )


def _margin(wigs: Sequence[int], seat: int) -> int:
    return wigs[seat] - max(other for i, other in enumerate(wigs) if i != seat)


def _mean(numbers: Sequence[float]) -> float:
    return math.fsum(numbers) / len(numbers) if numbers else math.nan
