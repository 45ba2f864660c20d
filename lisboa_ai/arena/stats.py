"""What a match proves: win shares with intervals, Elo, and the sequential probability ratio test.

Everything is computed over blocks (``match``): a block's score is the mean win share of a player over the block's
games. Games of a block share a deal, so they are not independent; blocks are. For two players this is the pentanomial
model of chess engine testing, with any number of outcomes.

**Elo** is defined for any number of seats by the model of Bradley, Terry and Luce: a seat with strength g wins with
probability g / (sum of all seats' strengths), and Elo is 400 log10 of the ratio of strengths. A player with ``own`` of
``seats`` seats that wins the share s of all games has

    elo = 400 log10( s (seats - own) / ((1 - s) own) )

over the rest: 0 at s = own / seats, the usual logistic Elo for one seat of two, 400 log10( s (n-1) / (1-s) ) for one
seat of n.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from statistics import NormalDist
from typing import Final, Literal

__all__ = ["Share", "Sprt", "elo_of_share", "expected_share", "share_of_elo", "student_quantile"]

PRIOR_BLOCKS: Final = 2
"""How many blocks' worth of the variance between equals is mixed in, so that few blocks never look certain."""
NORMAL_FROM: Final = 1000
"""Degrees of freedom from which Student's distribution is as good as normal."""


def expected_share(own: int, seats: int) -> float:
    """What a player with ``own`` seats wins among equals."""
    return own / seats


def share_of_elo(elo: float, own: int, seats: int) -> float:
    """The win share that a difference in Elo leads to."""
    strength = own * math.pow(10.0, elo / 400.0)
    return strength / (strength + seats - own)


def elo_of_share(share: float, own: int, seats: int) -> float:
    """The Elo over the rest that a win share shows; infinite for 0 and 1."""
    if share <= 0.0:
        return -math.inf
    if share >= 1.0:
        return math.inf
    return 400.0 * math.log10(share * (seats - own) / ((1.0 - share) * own))


@lru_cache(maxsize=4096)
def student_quantile(probability: float, freedom: int) -> float:
    """The quantile of Student's distribution for a probability above 1/2, by bisection of its exact integral."""
    if freedom >= NORMAL_FROM:
        return NormalDist().inv_cdf(probability)
    low, high = 0.0, 1.0
    while _within(high, freedom) < 2.0 * probability - 1.0:
        high *= 2.0
    for _ in range(60):
        middle = (low + high) / 2.0
        if _within(middle, freedom) < 2.0 * probability - 1.0:
            low = middle
        else:
            high = middle
    return high


def _within(t: float, freedom: int) -> float:
    """P(|T| < t): Abramowitz and Stegun, Handbook of Mathematical Functions, 26.7.3 and 26.7.4."""
    angle = math.atan(t / math.sqrt(freedom))
    sine, cosine = math.sin(angle), math.cos(angle)
    odd = freedom % 2
    term = cosine if odd else 1.0
    total = 0.0
    for k in range(1 + odd, freedom, 2):
        total += term
        term *= cosine * cosine * k / (k + 1)
    return 2.0 / math.pi * (angle + sine * total) if odd else sine * total


@dataclass(frozen=True, slots=True)
class Share:
    """A player's win share over ``blocks`` blocks.

    variance: of a block's score, steadied by ``PRIOR_BLOCKS`` blocks' worth of what independent games between equals
    would show: ((n - 1) s^2 + 2 p) / (n + 1). This is the posterior under a scaled inverse chi-squared prior, so the
    interval is Student's with n + 1 degrees of freedom.
    """

    mean: float
    variance: float
    blocks: int

    @classmethod
    def of(cls, scores: Sequence[float], expected: float, games: int) -> Share:
        """From the scores of blocks of ``games`` games, where ``expected`` is what equals would win."""
        n = len(scores)
        if n == 0:
            return cls(expected, expected * (1.0 - expected) / games, 0)
        mean = math.fsum(scores) / n
        squares = math.fsum((score - mean) ** 2 for score in scores)
        prior = expected * (1.0 - expected) / games
        return cls(mean, (squares + PRIOR_BLOCKS * prior) / (n - 1 + PRIOR_BLOCKS), n)

    @property
    def error(self) -> float:
        """Standard error of the mean."""
        return math.sqrt(self.variance / self.blocks) if self.blocks else math.inf

    def interval(self, confidence: float) -> tuple[float, float]:
        """Where the true share lies with this confidence."""
        if not self.blocks:
            return 0.0, 1.0
        reach = student_quantile(0.5 + confidence / 2.0, self.blocks + 1) * self.error
        return max(0.0, self.mean - reach), min(1.0, self.mean + reach)


@dataclass(frozen=True, slots=True)
class Sprt:
    """Generalised sequential probability ratio test of H0: elo = ``elo0`` against H1: elo = ``elo1``.

    alpha: chance to accept H1 although H0 holds; beta: the other way round (Wald's bounds). Raises ``ValueError``.
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        if not (math.isfinite(self.elo0) and math.isfinite(self.elo1) and self.elo0 < self.elo1):
            raise ValueError(f"sprt: {self.elo0:g},{self.elo1:g}; allowed: ELO0,ELO1 with ELO0 below ELO1")
        for name, value in (("alpha", self.alpha), ("beta", self.beta)):
            if not 0.0 < value < 0.5:
                raise ValueError(f"{name}: {value}; allowed: above 0, below 0.5")

    @property
    def bounds(self) -> tuple[float, float]:
        """H0 is accepted at or below the first, H1 at or above the second (A. Wald, Sequential Analysis, 1947)."""
        return math.log(self.beta / (1.0 - self.alpha)), math.log((1.0 - self.beta) / self.alpha)

    def llr(self, share: Share, own: int, seats: int) -> float:
        """The logarithm of the generalised likelihood ratio after ``share.blocks`` blocks.

        n/2 log( (v + (m - s0)^2) / (v + (m - s1)^2) ) with mean m and variance v of the block scores and s0, s1 the
        shares that the two hypotheses expect: both variances are the maximum likelihood ones under their hypothesis.
        M. Van den Bergh, "A practical introduction to the GSPRT" and "Comments on normalized Elo"; fishtest computes it
        as ``LLR_alt2`` in its ``LLRcalc``.
        """
        s0, s1 = (share_of_elo(elo, own, seats) for elo in (self.elo0, self.elo1))
        v, m = share.variance, share.mean
        return share.blocks / 2.0 * math.log((v + (m - s0) ** 2) / (v + (m - s1) ** 2))

    def verdict(self, llr: float) -> Literal["H0", "H1"] | None:
        """Which hypothesis is accepted, None while neither is."""
        low, high = self.bounds
        return "H0" if llr <= low else "H1" if llr >= high else None
