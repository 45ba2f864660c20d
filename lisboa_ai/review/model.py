"""What a review says: one ``Decision`` for each decision, one ``SeatSummary`` for each seat. Plain data."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Literal, get_args

__all__ = [
    "BOUNDS",
    "VERDICTS",
    "Choice",
    "Decision",
    "Loss",
    "Luck",
    "Option",
    "Review",
    "SeatSummary",
    "Shares",
    "Verdict",
    "collect",
]

Verdict = Literal["best", "good", "inaccuracy", "mistake", "blunder", "not_distinguishable", "forced", "not_judged"]
VERDICTS: Final[tuple[Verdict, ...]] = get_args(Verdict)
BOUNDS: Final[tuple[tuple[Verdict, float], ...]] = (("good", 0.02), ("inaccuracy", 0.05), ("mistake", 0.10))
"""A verdict and the loss of win share that it stays below; a blunder has no bound."""


@dataclass(frozen=True, slots=True)
class Choice:
    """An action: its argument, its text, and a sentence. argument: None if it was not shown to the observer."""

    argument: int | None
    text: str
    description: str


@dataclass(frozen=True, slots=True)
class Shares:
    """Win share and mean final wigs of every seat, with standard errors. Win shares add up to 1."""

    win_share: tuple[float, ...]
    win_share_error: tuple[float, ...]
    wigs: tuple[float, ...]
    wigs_error: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Loss:
    """By how much the best action beats the played one for the deciding seat; below 0 by chance only."""

    win_share: float
    win_share_error: float
    wigs: float
    wigs_error: float


@dataclass(frozen=True, slots=True)
class Luck:
    """What a revelation was worth to every seat, in win share; adds up to 0. revealed: the ids, as in a record."""

    revealed: str
    win_share: tuple[float, ...]
    win_share_error: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Option:
    """A candidate of the search, for the deciding seat."""

    choice: Choice
    visits: int
    win_share: float
    win_share_error: float
    wigs: float
    wigs_error: float


@dataclass(frozen=True, slots=True)
class Decision:
    """One decision and what is to be said about it.

    index: its number among the decisions; ply: its place among the record's actions; turn, period: from 0. observer:
    whose knowledge it is judged with. legal: how many actions there were, as far as that seat could tell. best: None if
    nothing was searched or judged; equal to ``played`` for the verdict ``best``. loss: all zero then; None if not
    judged. reasons: (scoring category, wigs) by which the best action brings the deciding seat more, or less, than the
    played one; the largest first, small ones left out. line: what the search expects after the best action up to the
    end of the turn, as texts with their seats. worth: the position if the best action is played; worth_played: if the
    played one is. difference: by how much the best is better, for every seat, with the errors of the difference; None
    if it is the same. options: the search's candidates. luck: None if nothing was revealed.
    """

    index: int
    ply: int
    turn: int
    period: int
    seat: int
    observer: int
    kind: str
    legal: int
    verdict: Verdict
    played: Choice
    best: Choice | None
    loss: Loss | None
    reasons: tuple[tuple[str, float], ...]
    line: tuple[tuple[int, str], ...]
    options: tuple[Option, ...]
    worth: Shares | None
    worth_played: Shares | None
    difference: Shares | None
    luck: Luck | None
    iterations: int


@dataclass(frozen=True, slots=True)
class SeatSummary:
    """A seat's game. Errors are standard errors; win shares are fractions of 1. See the package for what each means.

    judged: decisions with a verdict other than forced and not_judged; counts: decisions by verdict. accuracy, start,
    loss, loss_wigs: None if none was judged; so are given, luck and rest without a start.
    """

    seat: int
    name: str
    decisions: int
    judged: int
    counts: dict[Verdict, int]
    accuracy: float | None
    start: float | None
    start_error: float | None
    loss: float | None
    loss_error: float | None
    loss_wigs: float | None
    loss_wigs_error: float | None
    given: float | None
    given_error: float | None
    luck: float | None
    luck_error: float | None
    rest: float | None
    final: float
    final_error: float
    final_wigs: float
    over: bool


@dataclass(frozen=True, slots=True)
class Review:
    """All of a review."""

    decisions: tuple[Decision, ...]
    summaries: tuple[SeatSummary, ...]

    def costliest(self, most: int = 10) -> list[Decision]:
        """The decisions whose loss is more than chance, the largest loss of win share first."""
        lost = [one for one in self.decisions if one.verdict in ("good", "inaccuracy", "mistake", "blunder")]
        return sorted(lost, key=lambda one: (-(one.loss.win_share if one.loss else 0.0), one.index))[:most]


def collect(items: Iterable[Decision | SeatSummary]) -> Review:
    """Everything that a review yields, together."""
    decisions: list[Decision] = []
    summaries: list[SeatSummary] = []
    for item in items:
        if isinstance(item, Decision):
            decisions.append(item)
        else:
            summaries.append(item)
    return Review(tuple(decisions), tuple(summaries))
