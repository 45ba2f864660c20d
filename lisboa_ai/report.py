"""Analyses for people to read: the candidates as a table, the best turn in words, and why, by category."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rich import box
from rich.table import Table

from . import notation, wire
from .analysis import Analysis, Candidate, Evaluation, Step
from .edition import EditionTables

__all__ = ["candidate_table", "gains", "reasons", "turn_in_words"]

WORTH_SAYING: Final = 0.25
"""Wigs below which a category's part in a difference is not named."""
MOST_REASONS: Final = 4


def candidate_table(tables: EditionTables, found: Analysis) -> Table:
    """The candidates, best first, with 95 % intervals for the seat that decides; without a search only their order."""
    seat = found.seat
    table = Table(box=box.SIMPLE_HEAD, title=f"Candidates for player {seat + 1}", title_justify="left")
    for name in ("", "action", "win share", "final wigs", "visits", "against the best"):
        table.add_column(name, justify="left" if name in ("action", "against the best") else "right")
    for rank, candidate in enumerate(found.candidates, start=1):
        table.add_row(
            str(rank),
            "; ".join(_text(tables, step) for step in candidate.steps),
            *(_numbers(candidate, found, rank, seat) if candidate.visits else ()),
        )
    return table


def _numbers(candidate: Candidate, found: Analysis, rank: int, seat: int) -> tuple[str, ...]:
    errors = wire.whole_error(candidate, seat)
    return (
        _share(candidate.win_share[seat], errors.win_share),
        f"{candidate.wigs[seat]:.1f} ± {wire.Z * errors.wigs:.1f}",
        f"{candidate.visits:,}",
        "" if rank == 1 else _against(candidate, found.best, seat),
    )


def turn_in_words(tables: EditionTables, candidate: Candidate) -> list[str]:
    """The seat's decisions of the turn, one plain sentence each; what rivals decide meanwhile in brackets."""
    seat = candidate.steps[0].seat
    lines = []
    for step in candidate.line:
        said = notation.describe(tables, step.kind, step.context, step.action, step.seat)
        text = _text(tables, step)
        lines.append(f"{said}  ({text})" if step.seat == seat else f"[{said}  ({text})]")
    return lines


def gains(better: Candidate | Evaluation, other: Candidate | Evaluation, seat: int) -> list[tuple[str, float]]:
    """By category, what one candidate is expected to bring the seat more than another; the largest parts first.

    Differences below a quarter of a wig are left out.
    """
    parts = [
        (name, mine - its)
        for name, mine, its in zip(wire.CATEGORIES, better.breakdown[seat], other.breakdown[seat], strict=True)
        if abs(mine - its) >= WORTH_SAYING
    ]
    return sorted(parts, key=lambda part: -abs(part[1]))


def reasons(tables: EditionTables, found: Analysis) -> list[str]:
    """Sentences of computed facts: how the best candidate compares with the next ones, and in which categories."""
    seat, best = found.seat, found.best
    if not best.visits:
        return ["It was chosen without a search, so nothing is known of what it is worth."]
    rivals = ", ".join(
        f"player {other + 1}: {best.wigs[other]:.1f}" for other in range(len(best.wigs)) if other != seat
    )
    lines = [
        f"It ends with {best.wigs[seat]:.1f} wigs on average against {rivals}, and wins "
        f"{best.win_share[seat]:.0%} of the games that it looked at."
    ]
    for other in found.candidates[1:3]:
        shares = 100 * (best.win_share[seat] - other.win_share[seat])
        difference = best.wigs[seat] - other.wigs[seat]
        errors = wire.lead_error(best, other, seat)
        parts = gains(best, other, seat)[:MOST_REASONS]
        lines.append(
            f"Against “{_text(tables, other.steps[0])}”: {difference:+.1f} ± {wire.Z * errors.wigs:.1f} wigs"
            + (f" ({_listed(parts)})" if parts else "")
            + f", win share {shares:+z.0f} ± {100 * wire.Z * errors.win_share:.0f} points."
        )
    if found.stop_reason == "single_action":
        lines.append("It is the only action there is to consider.")
    return lines


def _listed(parts: Sequence[tuple[str, float]]) -> str:
    return ", ".join(f"{name.replace('_', ' ')} {wigs:+.1f}" for name, wigs in parts)


def _text(tables: EditionTables, step: Step) -> str:
    return notation.action_text(tables, step.kind, step.context, step.action)


def _share(share: float, error: float) -> str:
    """A share with its 95 % half width: "<1" for less than half a point, at most 100."""
    half = min(100.0, 100 * wire.Z * error)
    return f"{100 * share:.0f} % ± {'<1' if 0 < half < 0.5 else f'{half:.0f}'}"


def _against(candidate: Candidate, best: Candidate, seat: int) -> str:
    """In what a candidate differs from the best by more than chance would hardly explain (95 %, one comparison)."""
    different = wire.differences(candidate, best, seat)
    return f"differs in {' and '.join(different)}" if different else "could be chance"
