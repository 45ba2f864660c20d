"""What a match proves: every number here is worked out by hand or read from printed tables."""

from __future__ import annotations

import math
import random

import pytest

from lisboa_ai.arena import Share, Sprt, elo_of_share, share_of_elo, student_quantile
from lisboa_ai.arena.ratings import rate


@pytest.mark.parametrize(
    ("probability", "freedom", "printed"),
    [
        (0.975, 1, 12.706),
        (0.975, 2, 4.303),
        (0.95, 3, 2.353),
        (0.975, 4, 2.776),
        (0.995, 5, 4.032),
        (0.975, 10, 2.228),
        (0.975, 30, 2.042),
        (0.975, 120, 1.980),
        (0.975, 100_000, 1.960),
    ],
)
def test_quantiles_of_student_are_those_of_the_printed_tables(probability: float, freedom: int, printed: float) -> None:
    assert student_quantile(probability, freedom) == pytest.approx(printed, abs=0.0006)


@pytest.mark.parametrize(
    ("share", "own", "seats", "elo"),
    [
        (0.5, 1, 2, 0.0),
        (10 / 11, 1, 2, 400.0),  # odds of 10
        (0.75, 1, 2, 400 * math.log10(3)),
        (1 / 3, 1, 3, 0.0),
        (0.4, 1, 4, 400 * math.log10(2)),  # 0.4 * 3 / 0.6 = 2
        (0.75, 3, 4, 0.0),
        (0.9, 3, 4, 400 * math.log10(3)),  # 0.9 * 1 / (0.1 * 3) = 3
        (0.1, 1, 4, -400 * math.log10(3)),  # the same match from the other side
    ],
)
def test_elo_is_the_ratio_of_strengths_a_seat(share: float, own: int, seats: int, elo: float) -> None:
    assert elo_of_share(share, own, seats) == pytest.approx(elo, abs=1e-9)
    assert share_of_elo(elo, own, seats) == pytest.approx(share)


def test_winning_all_or_nothing_is_an_infinite_elo() -> None:
    assert elo_of_share(1.0, 1, 2) == math.inf
    assert elo_of_share(0.0, 1, 4) == -math.inf


def test_a_share_with_its_error_and_interval() -> None:
    """Scores 1, 1/2, 1/2, 0: squares add up to 1/2; between equals a block of two games has variance 1/4 / 2 = 1/8.

    (1/2 + 2/8) / (4 - 1 + 2) = 0.15; error sqrt(0.15 / 4) = 0.193649; 5 degrees of freedom: 2.5706 of them.
    """
    share = Share.of([1.0, 0.5, 0.5, 0.0], expected=0.5, games=2)
    assert (share.mean, share.blocks) == (0.5, 4)
    assert share.variance == pytest.approx(0.15)
    assert share.error == pytest.approx(0.193649, abs=1e-6)
    assert share.interval(0.95) == pytest.approx((0.5 - 0.49780, 0.5 + 0.49780), abs=1e-4)


def test_few_blocks_without_any_spread_are_not_certain() -> None:
    """Two blocks of four games, all won by A: variance 2 (3/16 / 4) / (1 + 2) = 1/32, error 1/8; t(3) = 3.182."""
    share = Share.of([1.0, 1.0], expected=0.25, games=4)
    assert share.variance == pytest.approx(1 / 32)
    assert share.interval(0.95) == (pytest.approx(1 - 3.1824 / 8, abs=1e-4), 1.0)


def test_nothing_played_says_nothing() -> None:
    share = Share.of([], expected=0.5, games=2)
    assert (share.mean, share.interval(0.95)) == (0.5, (0.0, 1.0))
    assert Sprt(0, 10).llr(share, 1, 2) == 0.0


ELO_OF_60_PERCENT = 400 * math.log10(1.5)


def test_bounds_are_those_of_wald() -> None:
    """ln(0.05 / 0.95) and its opposite; ln(0.1 / 0.99) and ln(0.9 / 0.01)."""
    assert Sprt(0, 10).bounds == pytest.approx((-2.944439, 2.944439), abs=1e-6)
    assert Sprt(0, 10, alpha=0.01, beta=0.1).bounds == pytest.approx((-2.292535, 4.499810), abs=1e-6)


@pytest.mark.parametrize(
    ("mean", "llr", "verdict"),
    [
        (0.60, 50 * math.log(0.10 / 0.09), "H1"),  # (0.09 + 0.1^2) over (0.09 + 0)
        (0.55, 0.0, None),  # as far from both
        (0.50, -50 * math.log(0.10 / 0.09), "H0"),
        (0.56, 50 * math.log((0.09 + 0.06**2) / (0.09 + 0.04**2)), None),
    ],
)
def test_likelihood_ratio_of_a_hundred_blocks(mean: float, llr: float, verdict: str | None) -> None:
    """Expected shares 0.5 and 0.6, variance of the block scores 0.09; 50 ln(10/9) = 5.268."""
    sprt = Sprt(0.0, ELO_OF_60_PERCENT)
    found = sprt.llr(Share(mean, 0.09, 100), 1, 2)
    assert found == pytest.approx(llr, abs=1e-9)
    assert sprt.verdict(found) == verdict


def test_the_test_errs_about_as_rarely_as_it_promises() -> None:
    """Blocks of two games between equals, and between players as far apart as H1 says; 300 matches each."""
    sprt = Sprt(0.0, 150.0, alpha=0.05, beta=0.05)
    generator = random.Random(1)
    wrong = {"H0": 0, "H1": 0}
    for elo, mistake in ((0.0, "H1"), (150.0, "H0")):
        p = share_of_elo(elo, 1, 2)
        for _ in range(300):
            scores: list[float] = []
            verdict = None
            while verdict is None:
                scores.append(((generator.random() < p) + (generator.random() < p)) / 2)
                verdict = sprt.verdict(sprt.llr(Share.of(scores, 0.5, 2), 1, 2))
            wrong[mistake] += verdict == mistake
    assert max(wrong.values()) <= 27  # 15 are promised; 27 is over three standard deviations more
    assert min(wrong.values()) >= 3


@pytest.mark.parametrize(
    ("values", "named"),
    [
        ((10, 10), "sprt: 10,10; allowed: ELO0,ELO1 with ELO0 below ELO1"),
        ((0, math.inf), "sprt: 0,inf"),
        ((0, 10, 0.0), "alpha: 0.0; allowed: above 0, below 0.5"),
        ((0, 10, 0.05, 0.5), "beta: 0.5"),
    ],
)
def test_a_test_that_cannot_be_is_refused(values: tuple[float, ...], named: str) -> None:
    with pytest.raises(ValueError) as caught:
        Sprt(*values)
    assert str(caught.value).startswith(named)


# --- ratings ----------------------------------------------------------------------------------------------------------

Block = list[tuple[tuple[str, ...], tuple[int, ...]]]


def won_by(first: str, others: tuple[str, ...], won: int, lost: int) -> list[Block]:
    """Blocks of one game: ``first`` wins some; of the rest the second seat does."""
    seats = (first, *others)
    return [[(seats, (0,))]] * won + [[(seats, (1,))]] * lost


def test_ratings_of_two_players_are_their_odds() -> None:
    """750 to 250 are odds of 3, 190.85 Elo; the drawn game for each changes that by less than a tenth."""
    best, worst = rate(won_by("a", ("b",), 750, 250), anchor="b")
    assert (best.player, worst.player, worst.elo) == ("a", "b", 0.0)
    assert best.elo == pytest.approx(190.85, abs=0.5)
    assert (best.games, best.wins) == (1000, 750.0)
    # a rate of 0.75 has an error of sqrt(0.1875 / 1000) = 0.0137: 0.7232 to 0.7768 are odds of 2.612 to 3.481
    assert best.interval == pytest.approx((400 * math.log10(2.612), 400 * math.log10(3.481)), abs=6)


def test_ratings_add_up_along_a_chain() -> None:
    found = {r.player: r.elo for r in rate([*won_by("a", ("b",), 750, 250), *won_by("b", ("c",), 750, 250)], "c")}
    assert found["a"] == pytest.approx(2 * 190.85, abs=1.5)
    assert found["b"] == pytest.approx(190.85, abs=1.0)


def test_ratings_of_a_seat_among_three_others() -> None:
    """One of four that wins 40 % has twice the strength of each other: 120.41 Elo."""
    games: list[Block] = [[(("a", "b", "b", "b"), (0,))]] * 400 + [[(("b", "b", "a", "b"), (3,))]] * 600
    assert rate(games, anchor="b")[0].elo == pytest.approx(400 * math.log10(2), abs=0.5)


def test_tied_games_are_shared_and_the_mean_rating_is_zero() -> None:
    a, b = rate([[(("a", "b"), (0, 1))]] * 10)
    assert (a.wins, b.wins) == (5.0, 5.0)
    assert a.elo == pytest.approx(0.0, abs=1e-6)
    assert b.elo == pytest.approx(0.0, abs=1e-6)


def test_who_won_everything_has_a_finite_rating() -> None:
    """With the drawn games strengths x and 1/x solve 10.5 / (10 / (x + 1/x) + 1 / (x + 1)) = x.

    At 5.3: 10.5 / (10 / 5.4887 + 1 / 6.3) = 10.5 / 1.9807 = 5.301.
    """
    best, worst = rate(won_by("a", ("b",), 10, 0))
    assert best.elo == pytest.approx(-worst.elo)
    assert 10 ** (best.elo / 400) == pytest.approx(5.3, abs=0.02)


def test_ratings_refuse_an_unknown_anchor_and_no_games() -> None:
    with pytest.raises(ValueError, match="anchor: 'c'; allowed: a, b"):
        rate(won_by("a", ("b",), 1, 1), anchor="c")
    with pytest.raises(ValueError, match="log: no whole block"):
        rate([])
