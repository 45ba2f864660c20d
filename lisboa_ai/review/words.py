"""Short texts about a review, the same on the terminal and on the page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from .. import show, wire
from ..record import GameRecord
from .model import VERDICTS, Decision, Luck, Review, Verdict

__all__ = [
    "BALANCE",
    "QUALITY",
    "VERDICT_MEANINGS",
    "balance_rows",
    "cost_text",
    "decision_title",
    "luck_text",
    "percent",
    "plus_minus",
    "quality_rows",
    "question",
    "reasons_text",
    "seat_name",
    "signed",
    "verdict_name",
]

QUALITY: Final = "How well each player decided"
BALANCE: Final = "From the first win share to the last, in points of percent"
VERDICT_MEANINGS: Final[dict[Verdict, str]] = {
    "best": "what the search would have played, or better",
    "good": "cost under 2 % of win share",
    "inaccuracy": "cost 2 to 5 %",
    "mistake": "cost 5 to 10 %",
    "blunder": "cost 10 % or more",
    "not_distinguishable": "no difference from the best that could not be chance",
    "forced": "there was one legal action",
    "not_judged": "a rival's decision, whose reasons the observer could not see",
}


def verdict_name(verdict: Verdict) -> str:
    return verdict.replace("_", " ")


def seat_name(record: GameRecord, seat: int) -> str:
    """``player 2``, or with a name ``player 2 (Ana)``."""
    name = record.names[seat] if record.names else ""
    return f"player {seat + 1}" + (f" ({name})" if name else "")


def quality_rows(record: GameRecord, review: Review) -> list[tuple[str, list[str]]]:
    """How well each seat decided: names of figures, each with a cell for every seat."""
    found = review.summaries
    shown = [verdict for verdict in VERDICTS if any(one.counts[verdict] for one in found)]
    return [
        ("accuracy", ["–" if one.accuracy is None else f"{one.accuracy:.1f}" for one in found]),
        ("decisions judged", [str(one.judged) for one in found]),
        *((verdict_name(verdict), [str(one.counts[verdict]) for one in found]) for verdict in shown),
    ]


def balance_rows(record: GameRecord, review: Review) -> list[tuple[str, list[str]]]:
    """From each seat's first win share to its last: names of parts, each with a cell for every seat."""
    found = review.summaries
    over = any(one.over for one in found)
    rows: list[tuple[str, list[str]]] = [
        ("win share at the start", [percent(one.start) for one in found]),
        ("own losses", [plus_minus(None if one.loss is None else -one.loss, one.loss_error) for one in found]),
    ]
    if record.is_truth:
        rows.append(("from rivals' losses", [plus_minus(one.given, one.given_error) for one in found]))
    return [
        *rows,
        ("luck", [plus_minus(one.luck, one.luck_error) for one in found]),
        ("rest", [signed(one.rest) for one in found]),
        ("win share at the end", [percent(one.final) for one in found]),
        ("final wigs" if over else "expected wigs", [f"{one.final_wigs:.{0 if over else 1}f}" for one in found]),
    ]


def decision_title(record: GameRecord, decision: Decision) -> str:
    """Turn, player and what was asked."""
    return f"Turn {decision.turn + 1}, {seat_name(record, decision.seat)}: {question(decision)}"


def question(decision: Decision) -> str:
    return show.QUESTIONS[decision.kind]


def percent(share: float | None) -> str:
    return "–" if share is None else f"{100 * share:.0f}"


def signed(share: float | None) -> str:
    """A difference of win shares in points of percent."""
    return "–" if share is None else _plain(f"{100 * share:+.1f}")


def plus_minus(share: float | None, error: float | None) -> str:
    """A difference of win shares in points of percent, with the half width of its 95 % interval."""
    if share is None or error is None:
        return "–"
    return f"{signed(share)} ± {100 * wire.Z * error:.1f}"


def cost_text(decision: Decision) -> str:
    """``cost 6.1 ± 2.0 points of win share and 3.2 ± 0.9 wigs``."""
    loss = decision.loss
    if loss is None:
        return ""
    shares = f"{100 * loss.win_share:.1f} ± {100 * wire.Z * loss.win_share_error:.1f}"
    wigs = f"{loss.wigs:.1f} ± {wire.Z * loss.wigs_error:.1f}"
    return f"cost {_plain(shares)} points of win share and {_plain(wigs)} wigs"


def reasons_text(reasons: Sequence[tuple[str, float]], most: int = 5) -> str:
    """``more from stores +3.2, buildings +1.0; less from money -0.8``, in wigs."""
    parts = reasons[:most]
    more = ", ".join(f"{name.replace('_', ' ')} {wigs:+.1f}" for name, wigs in parts if wigs > 0)
    less = ", ".join(f"{name.replace('_', ' ')} {_plain(f'{wigs:+.1f}')}" for name, wigs in parts if wigs < 0)
    return "; ".join(
        text
        for text in (f"the best one brings more from {more}" if more else "", f"less from {less}" if less else "")
        if text
    )


def luck_text(luck: Luck, seat: int) -> str:
    """What turned up and what it was worth to a seat."""
    return f"{luck.revealed}: {plus_minus(luck.win_share[seat], luck.win_share_error[seat])} points of win share"


def _plain(number: str) -> str:
    """A number with the minus sign of print, and no minus before nothing."""
    head, _, tail = number.partition(" ")
    if not any(digit in head for digit in "123456789"):
        head = head.lstrip("+-")
    return head.replace("-", "−") + (f" {tail}" if tail else "")
