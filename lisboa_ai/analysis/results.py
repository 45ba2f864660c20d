"""The answer of a search as plain data: candidates, evaluations, lines."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from engine_ext.core import KINDS

from .model_error import EXACT, ModelError
from .options import SearchLimits

__all__ = ["STOP_REASONS", "Analysis", "Candidate", "Evaluation", "Step"]

STOP_REASONS: Final = (
    "iterations",
    "time",
    "deadline",
    "memory",
    "cancelled",
    "single_action",
    "game_over",
    "decided",
    "no_search",
)


@dataclass(frozen=True, slots=True)
class Step:
    """One decision of a line: its kind, seat and context (the frame's a and b), the action, and its visits.

    0 visits: beyond the tree, filled in by the cheap policy that playouts use.
    """

    kind: int
    seat: int
    context: tuple[int, int]
    action: int
    visits: int = 0

    @property
    def kind_name(self) -> str:
        """The kind's name, such as ``"play_card"``."""
        return KINDS[self.kind]


@dataclass(frozen=True, slots=True)
class Evaluation:
    """What a position is worth to each seat if the best candidate is played. Every tuple is by seat.

    win_share: adds up to 1 over the seats; ties that the rules do not break are shared. wigs: mean final score.
    rank_distribution: [seat][place], each row adds up to 1. breakdown: [seat][category] mean wigs, in the order of
    ``CATEGORIES``, which adds up to ``wigs``. Every iteration samples a new world, so the standard errors hold the
    spread of worlds as well as that of playouts. seat: whose decision it is; visits: iterations behind the numbers.
    model_error: what the numbers are off by besides.
    Without a search nothing is estimated: all tuples are empty.
    """

    seat: int
    visits: int
    win_share: tuple[float, ...]
    win_share_error: tuple[float, ...]
    wigs: tuple[float, ...]
    wigs_error: tuple[float, ...]
    rank_distribution: tuple[tuple[float, ...], ...]
    breakdown: tuple[tuple[float, ...], ...]
    model_error: ModelError = EXACT


@dataclass(frozen=True, slots=True)
class Candidate:
    """An action, or a whole turn, and what it is worth to each seat.

    actions: the arguments of the deciding seat, from the first decision on: one, or all of its turn. steps: the same
    as steps, which say what each answers. line: every seat's decisions from the first one to the end of the turn.
    beyond: those that the search expects after it, as far as it has visited them.
    visits: iterations that took it (of a turn: its part inside the tree). availability: iterations in whose worlds
    its first action was legal. value: mean objective by seat, 0 to 1. value_error: standard error of the deciding
    seat's. distinguishable: at 95 %, all candidates together and the model error counted, its value is not the first
    candidate's; of the first one that this is so of all others. prior: how much the cheap policy prefers its first
    action, as a part of 1 over all of them; None if the search did not go by it. Everything else as in ``Evaluation``;
    without a search ``value`` is empty as well.
    """

    actions: tuple[int, ...]
    steps: tuple[Step, ...]
    line: tuple[Step, ...]
    visits: int
    availability: int
    value: tuple[float, ...]
    win_share: tuple[float, ...]
    win_share_error: tuple[float, ...]
    wigs: tuple[float, ...]
    wigs_error: tuple[float, ...]
    rank_distribution: tuple[tuple[float, ...], ...]
    breakdown: tuple[tuple[float, ...], ...]
    value_error: float = 0.0
    distinguishable: bool = False
    model_error: ModelError = EXACT
    prior: float | None = None
    beyond: tuple[Step, ...] = ()


@dataclass(frozen=True, slots=True)
class Analysis:
    """The answer of a search: candidates, best first, and how it was found.

    Candidates are ordered by visits, then by the deciding seat's value; without a search the one to play comes first.
    stop_reason: one of ``STOP_REASONS``. seat: who decides; observer: whose knowledge was searched. kind, context: the
    decision. limits: as they were in force. elapsed: seconds. nodes, memory_used (bytes): of all trees together.
    chosen: the index of the candidate to play, which a level may pick; if it is not among as many as were asked for, it
    follows them. notes: what casts doubt on the answer, in sentences. effective_samples: with beliefs, how many equally
    likely deals of the hidden hands the weighed ones are worth; 0 without.
    """

    candidates: tuple[Candidate, ...]
    evaluation: Evaluation
    iterations: int
    nodes: int
    elapsed: float = field(compare=False)
    stop_reason: str
    seed: int
    limits: SearchLimits
    seat: int
    observer: int
    kind: int
    context: tuple[int, int]
    memory_used: int
    chosen: int = 0
    notes: tuple[str, ...] = ()
    effective_samples: float = 0.0

    @property
    def best(self) -> Candidate:
        """The first candidate."""
        return self.candidates[0]

    @property
    def choice(self) -> Candidate:
        """The candidate to play: the level's pick, or the best one without a level."""
        return self.candidates[self.chosen]
