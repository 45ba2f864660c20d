"""A seat's game in numbers: what its decisions cost, what rivals gave, what luck brought."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from ..record import GameRecord
from .model import BOUNDS, VERDICTS, Decision, SeatSummary, Shares

__all__ = ["accuracy_of", "summaries"]

NOTHING_LEFT = BOUNDS[-1][1]
"""Loss of win share from which on a decision is worth no accuracy."""


def accuracy_of(decision: Decision) -> float | None:
    """What a decision counts in the accuracy, 0 to 100; None if it does not count."""
    if decision.loss is None:
        return None
    if decision.verdict in ("best", "not_distinguishable"):
        return 100.0
    return 100.0 * max(0.0, 1.0 - decision.loss.win_share / NOTHING_LEFT)


def summaries(
    record: GameRecord, decisions: Sequence[Decision], finals: Sequence[Shares], *, over: bool
) -> Iterator[SeatSummary]:
    """Every seat's summary. finals: the last position by each seat's knowledge, or by the observer's alone."""
    for seat in range(record.seats):
        yield _summary(record, seat, decisions, finals[seat if len(finals) > 1 else 0], over)


def _summary(record: GameRecord, seat: int, decisions: Sequence[Decision], final: Shares, over: bool) -> SeatSummary:
    own = [one for one in decisions if one.seat == seat]
    judged = [one for one in own if one.loss is not None]
    accuracies = [value for one in judged if (value := accuracy_of(one)) is not None]
    losses = [one.loss for one in judged if one.loss is not None]
    first = judged[0] if judged else None
    start = None if first is None or first.worth is None else first.worth
    since = [] if first is None else [one for one in decisions if one.index >= first.index]
    gifts = [_gift(one, seat) for one in since if one.seat != seat and one.loss is not None]
    lucks = [one.luck for one in since if one.luck is not None]
    loss = sum(one.win_share for one in losses)
    given = sum(value for value, _ in gifts)
    luck = sum(one.win_share[seat] for one in lucks)
    return SeatSummary(
        seat=seat,
        name=record.names[seat] if record.names else "",
        decisions=len(own),
        judged=len(judged),
        counts={verdict: sum(one.verdict == verdict for one in own) for verdict in VERDICTS},
        accuracy=sum(accuracies) / len(accuracies) if accuracies else None,
        start=None if start is None else start.win_share[seat],
        start_error=None if start is None else start.win_share_error[seat],
        loss=loss if judged else None,
        loss_error=math.hypot(*(one.win_share_error for one in losses)) if judged else None,
        loss_wigs=sum(one.wigs for one in losses) if judged else None,
        loss_wigs_error=math.hypot(*(one.wigs_error for one in losses)) if judged else None,
        given=None if start is None else given,
        given_error=None if start is None else math.hypot(*(error for _, error in gifts)),
        luck=None if start is None else luck,
        luck_error=None if start is None else math.hypot(*(one.win_share_error[seat] for one in lucks)),
        rest=None if start is None else final.win_share[seat] - start.win_share[seat] + loss - given - luck,
        final=final.win_share[seat],
        final_error=final.win_share_error[seat],
        final_wigs=final.wigs[seat],
        over=over,
    )


def _gift(decision: Decision, seat: int) -> tuple[float, float]:
    """What a rival's decision brought a seat compared with the rival's best, and its standard error."""
    if decision.difference is None:
        return 0.0, 0.0
    return -decision.difference.win_share[seat], decision.difference.win_share_error[seat]
