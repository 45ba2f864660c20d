"""The parts of a review as messages of ``lisboa.v1``, both ways: what comes back equals what was sent."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from engine_ext.core import CATEGORIES
from lisboa.v1 import advisor_pb2, rules_pb2

from .review.model import VERDICTS, Choice, Decision, Loss, Luck, Option, SeatSummary, Shares, Verdict
from .wire import category_index, category_to_proto

__all__ = ["decision_from_proto", "decision_to_proto", "summary_from_proto", "summary_to_proto"]


def _verdict(name: Verdict) -> advisor_pb2.Verdict:
    return cast(advisor_pb2.Verdict, advisor_pb2.Verdict.Value(f"VERDICT_{name.upper()}"))


def _verdict_name(value: advisor_pb2.Verdict) -> Verdict:
    name = advisor_pb2.Verdict.Name(value).removeprefix("VERDICT_").lower()
    return VERDICTS[VERDICTS.index(cast(Verdict, name))]


# --- to messages ----------------------------------------------------------------------------------------------------


def decision_to_proto(found: Decision) -> advisor_pb2.ReviewedDecision:
    """A decision as a message."""
    return advisor_pb2.ReviewedDecision(
        index=found.index,
        ply=found.ply,
        turn=found.turn,
        period=found.period,
        seat=found.seat,
        observer=found.observer,
        kind=found.kind,
        legal=found.legal,
        verdict=_verdict(found.verdict),
        played=_action(found.played),
        best=None if found.best is None else _action(found.best),
        loss=None if found.loss is None else _loss(found.loss),
        reasons=[
            rules_pb2.CategoryWigs(category=category_to_proto(CATEGORIES.index(name)), wigs=wigs)
            for name, wigs in found.reasons
        ],
        line=[advisor_pb2.ReviewedLine(seat=seat, text=text) for seat, text in found.line],
        options=[
            advisor_pb2.ReviewedOption(
                action=_action(one.choice),
                visits=one.visits,
                worth=advisor_pb2.SeatShare(
                    win_share=one.win_share,
                    win_share_error=one.win_share_error,
                    wigs=one.wigs,
                    wigs_error=one.wigs_error,
                ),
            )
            for one in found.options
        ],
        worth=_shares(found.worth),
        worth_played=_shares(found.worth_played),
        difference=_shares(found.difference),
        luck=None
        if found.luck is None
        else advisor_pb2.DecisionLuck(
            revealed=found.luck.revealed,
            win_share=found.luck.win_share,
            win_share_error=found.luck.win_share_error,
        ),
        iterations=found.iterations,
    )


def _action(choice: Choice) -> advisor_pb2.ReviewedAction:
    return advisor_pb2.ReviewedAction(argument=choice.argument, text=choice.text, description=choice.description)


def _loss(found: Loss) -> advisor_pb2.DecisionLoss:
    return advisor_pb2.DecisionLoss(
        win_share=found.win_share,
        win_share_error=found.win_share_error,
        wigs=found.wigs,
        wigs_error=found.wigs_error,
    )


def _shares(found: Shares | None) -> list[advisor_pb2.SeatShare]:
    if found is None:
        return []
    return [
        advisor_pb2.SeatShare(win_share=share, win_share_error=share_error, wigs=wigs, wigs_error=wigs_error)
        for share, share_error, wigs, wigs_error in zip(
            found.win_share, found.win_share_error, found.wigs, found.wigs_error, strict=True
        )
    ]


def summary_to_proto(found: SeatSummary) -> advisor_pb2.SeatSummary:
    """A seat's summary as a message."""
    return advisor_pb2.SeatSummary(
        seat=found.seat,
        name=found.name,
        decisions=found.decisions,
        judged=found.judged,
        counts=[
            advisor_pb2.VerdictCount(verdict=_verdict(verdict), decisions=count)
            for verdict, count in found.counts.items()
        ],
        accuracy=found.accuracy,
        start=found.start,
        start_error=found.start_error,
        loss=found.loss,
        loss_error=found.loss_error,
        loss_wigs=found.loss_wigs,
        loss_wigs_error=found.loss_wigs_error,
        given=found.given,
        given_error=found.given_error,
        luck=found.luck,
        luck_error=found.luck_error,
        rest=found.rest,
        final=found.final,
        final_error=found.final_error,
        final_wigs=found.final_wigs,
        over=found.over,
    )


# --- from messages --------------------------------------------------------------------------------------------------


def decision_from_proto(message: advisor_pb2.ReviewedDecision) -> Decision:
    """The decision in a message. Raises ``ValueError`` for verdicts or categories that this version does not know."""
    return Decision(
        index=message.index,
        ply=message.ply,
        turn=message.turn,
        period=message.period,
        seat=message.seat,
        observer=message.observer,
        kind=message.kind,
        legal=message.legal,
        verdict=_verdict_name(message.verdict),
        played=_choice(message.played),
        best=_choice(message.best) if message.HasField("best") else None,
        loss=Loss(message.loss.win_share, message.loss.win_share_error, message.loss.wigs, message.loss.wigs_error)
        if message.HasField("loss")
        else None,
        reasons=tuple((CATEGORIES[category_index(part.category)], part.wigs) for part in message.reasons),
        line=tuple((step.seat, step.text) for step in message.line),
        options=tuple(
            Option(
                _choice(one.action),
                one.visits,
                one.worth.win_share,
                one.worth.win_share_error,
                one.worth.wigs,
                one.worth.wigs_error,
            )
            for one in message.options
        ),
        worth=_worth(message.worth),
        worth_played=_worth(message.worth_played),
        difference=_worth(message.difference),
        luck=Luck(message.luck.revealed, tuple(message.luck.win_share), tuple(message.luck.win_share_error))
        if message.HasField("luck")
        else None,
        iterations=message.iterations,
    )


def _choice(message: advisor_pb2.ReviewedAction) -> Choice:
    argument = message.argument if message.HasField("argument") else None
    return Choice(argument, message.text, message.description)


def _worth(seats: Sequence[advisor_pb2.SeatShare]) -> Shares | None:
    if not seats:
        return None
    return Shares(
        tuple(one.win_share for one in seats),
        tuple(one.win_share_error for one in seats),
        tuple(one.wigs for one in seats),
        tuple(one.wigs_error for one in seats),
    )


def summary_from_proto(message: advisor_pb2.SeatSummary) -> SeatSummary:
    """The summary in a message. Raises ``ValueError`` for a verdict that this version does not know."""

    def told(name: str, value: float) -> float | None:
        return value if message.HasField(name) else None

    return SeatSummary(
        seat=message.seat,
        name=message.name,
        decisions=message.decisions,
        judged=message.judged,
        counts={_verdict_name(one.verdict): one.decisions for one in message.counts},
        accuracy=told("accuracy", message.accuracy),
        start=told("start", message.start),
        start_error=told("start_error", message.start_error),
        loss=told("loss", message.loss),
        loss_error=told("loss_error", message.loss_error),
        loss_wigs=told("loss_wigs", message.loss_wigs),
        loss_wigs_error=told("loss_wigs_error", message.loss_wigs_error),
        given=told("given", message.given),
        given_error=told("given_error", message.given_error),
        luck=told("luck", message.luck),
        luck_error=told("luck_error", message.luck_error),
        rest=told("rest", message.rest),
        final=message.final,
        final_error=message.final_error,
        final_wigs=message.final_wigs,
        over=message.over,
    )
