"""What both clients share: requests made of the package's types, and the package's types made of replies."""

from __future__ import annotations

import json
import uuid
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from engine_ext.core import CATEGORIES
from lisboa.v1 import advisor_pb2, position_pb2, record_pb2, rules_pb2

from .. import notation, wire, wire_compare, wire_review
from ..analysis import Analysis, SearchLimits, SearchOptions
from ..compare import Comparison
from ..position import Position
from ..record import GameRecord
from ..review import Decision, SeatSummary
from .errors import FieldViolation, ServiceError, error_of_message

__all__ = [
    "CHANNEL_OPTIONS",
    "RULES_TIMEOUT",
    "Answer",
    "Legal",
    "LegalAction",
    "Question",
    "Score",
    "State",
    "advise_request",
    "analysis_of",
    "answer_of",
    "ask_message",
    "cancel_message",
    "compare_request",
    "comparison_of",
    "evaluate_request",
    "evaluation_of",
    "legal_of",
    "legal_request",
    "new_game_request",
    "recorded",
    "request_id",
    "review_part_of",
    "review_request",
    "score_of",
    "score_request",
    "search_timeout",
    "stream_request",
    "violations_of",
]

State: TypeAlias = Position | GameRecord
"""A state of a game: what one seat knows, or a record, the truth or an observer's."""

RULES_TIMEOUT: Final = 10.0
"""Seconds for a call that does not search."""
SEARCH_TIMEOUT: Final = 120.0
"""Seconds for a search without a time limit."""
QUEUE_SLACK: Final = 30.0
"""Seconds beyond its time limit that a search may take: in the queue and on the way."""

_SERVICE_CONFIG: Final = {
    # Several addresses behind one name share the calls; one that is stopping says so, and gets no more of them.
    "loadBalancingConfig": [{"round_robin": {}}],
    "healthCheckConfig": {"serviceName": ""},
    "methodConfig": [
        {
            "name": [{}],
            "retryPolicy": {
                "maxAttempts": 4,
                "initialBackoff": "0.1s",
                "maxBackoff": "2s",
                "backoffMultiplier": 2,
                # Not RESOURCE_EXHAUSTED: that a server is full is news for the caller, who knows what to do about it.
                "retryableStatusCodes": ["UNAVAILABLE"],
            },
        }
    ],
}
CHANNEL_OPTIONS: Final[tuple[tuple[str, str | int], ...]] = (
    ("grpc.service_config", json.dumps(_SERVICE_CONFIG)),
    ("grpc.enable_retries", 1),
    ("grpc.max_receive_message_length", 16 << 20),
)


# --- questions of a batch -------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Question:
    """A question of a batch. name: tells it from the others that are open. Everything else as in ``advise``."""

    name: str
    state: State
    seat: int | None = None
    limits: SearchLimits = field(default_factory=SearchLimits)
    options: SearchOptions = field(default_factory=SearchOptions)
    priority: wire.PriorityName | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """The one answer to a question of a batch: an analysis, or the error that a call of its own would have raised.

    cached: the server kept the analysis from an earlier search.
    """

    name: str
    analysis: Analysis | None
    error: ServiceError | None
    cached: bool = False


def ask_message(question: Question) -> advisor_pb2.AdviseBatchRequest:
    """A question as a message."""
    asked = advise_request(question.state, question.seat, question.limits, question.options, question.priority)
    asked.request_id = question.name
    return advisor_pb2.AdviseBatchRequest(ask=asked)


def cancel_message(name: str) -> advisor_pb2.AdviseBatchRequest:
    """Taking back a question, as a message."""
    return advisor_pb2.AdviseBatchRequest(cancel=name)


def answer_of(reply: advisor_pb2.AdviseBatchResponse) -> Answer:
    """The answer in a reply."""
    if reply.WhichOneof("outcome") == "advice":
        return Answer(reply.request_id, analysis_of(reply.advice), None, reply.advice.report.cached)
    return Answer(reply.request_id, None, error_of_message(reply.error))


# --- what replies become --------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class LegalAction:
    """An action as text to read and type, as one plain sentence, and as the engine's argument."""

    text: str
    description: str
    argument: int


@dataclass(frozen=True, slots=True)
class Legal:
    """The pending decision and what is legal. ``over``: the game has ended; then kind is empty and nothing is legal."""

    kind: str
    seat: int
    context: tuple[int, int]
    actions: tuple[LegalAction, ...]
    over: bool


@dataclass(frozen=True, slots=True)
class Score:
    """Wigs by seat: so far and if the game ended now, each also by category (zeros left out)."""

    wigs: tuple[int, ...]
    breakdown: tuple[dict[str, float], ...]
    wigs_if_ended: tuple[int, ...]
    breakdown_if_ended: tuple[dict[str, float], ...]
    over: bool
    winners: tuple[int, ...]


def analysis_of(advice: advisor_pb2.Advice) -> Analysis:
    """The analysis in an advice."""
    return wire.analysis_from_proto(advice.evaluation, advice.report, advice.candidates, advice.choice)


def evaluation_of(reply: advisor_pb2.EvaluateResponse) -> Analysis:
    """The analysis, without candidates, in the reply to Evaluate."""
    return wire.analysis_from_proto(reply.evaluation, reply.report)


def comparison_of(reply: advisor_pb2.CompareActionsResponse) -> Comparison:
    """The comparison in the reply to CompareActions."""
    return wire_compare.comparison_from_proto(reply)


def review_part_of(reply: advisor_pb2.ReviewGameResponse) -> int | Decision | SeatSummary:
    """What a part of a review says: first the number of decisions, then decisions and summaries."""
    match reply.WhichOneof("part"):
        case "decision":
            return wire_review.decision_from_proto(reply.decision)
        case "summary":
            return wire_review.summary_from_proto(reply.summary)
    return reply.plan.decisions


def legal_of(reply: rules_pb2.ListLegalActionsResponse) -> Legal:
    """The pending decision and what is legal."""
    return Legal(
        kind=reply.decision.kind,
        seat=reply.decision.seat,
        context=(reply.decision.a, reply.decision.b),
        actions=tuple(LegalAction(one.text, one.description, one.argument) for one in reply.actions),
        over=reply.game_over,
    )


def _by_category(parts: Sequence[rules_pb2.CategoryWigs]) -> dict[str, float]:
    names = {rules_pb2.ScoringCategory.Value(f"SCORING_CATEGORY_{name.upper()}"): name for name in CATEGORIES}
    return {names[part.category]: part.wigs for part in parts if part.category in names}


def score_of(reply: rules_pb2.ScoreGameResponse) -> Score:
    """The score of every seat."""
    return Score(
        wigs=tuple(one.wigs for one in reply.seats),
        breakdown=tuple(_by_category(one.breakdown) for one in reply.seats),
        wigs_if_ended=tuple(one.wigs_if_ended for one in reply.seats),
        breakdown_if_ended=tuple(_by_category(one.breakdown_if_ended) for one in reply.seats),
        over=reply.game_over,
        winners=tuple(reply.winners),
    )


def violations_of(reply: rules_pb2.ValidatePositionResponse) -> tuple[FieldViolation, ...]:
    """Everything that is wrong with a position."""
    return tuple(FieldViolation(one.field, one.description, one.reason) for one in reply.violations)


# --- what requests are made of --------------------------------------------------------------------------------------


def request_id() -> str:
    """A new id, so that a call can be found in the server's log."""
    return uuid.uuid4().hex[:16]


def search_timeout(limits: SearchLimits, timeout: float | None) -> float:
    """Seconds that a searching call may take: as asked for, or what its limits suggest."""
    if timeout is not None:
        return timeout
    return (SEARCH_TIMEOUT if limits.time is None else limits.time) + QUEUE_SLACK


def recorded(text: str, revealed: Sequence[str]) -> record_pb2.RecordedAction:
    """An action, or a turn, and the ids of what it revealed."""
    return record_pb2.RecordedAction(text=text, revealed=revealed)


def new_game_request(
    seats: int, seed: int | None, queen: bool, draft: bool, players: Sequence[str], name: str, digest: str
) -> rules_pb2.NewGameRequest:
    """A request for a game."""
    return rules_pb2.NewGameRequest(
        request_id=request_id(),
        edition=position_pb2.EditionRef(name=name, digest=digest),
        players=seats,
        names=players,
        queen_variant=queen,
        hand_draft=draft,
        seed=seed,
    )


def _position(state: State) -> position_pb2.Position | None:
    return state.to_proto() if isinstance(state, Position) else None


def _record(state: State) -> record_pb2.GameRecord | None:
    return state.to_proto() if isinstance(state, GameRecord) else None


def legal_request(state: State) -> rules_pb2.ListLegalActionsRequest:
    """A request for what is legal."""
    return rules_pb2.ListLegalActionsRequest(request_id=request_id(), position=_position(state), record=_record(state))


def score_request(state: State) -> rules_pb2.ScoreGameRequest:
    """A request for the score."""
    return rules_pb2.ScoreGameRequest(request_id=request_id(), position=_position(state), record=_record(state))


def advise_request(
    state: State,
    seat: int | None,
    limits: SearchLimits,
    options: SearchOptions,
    priority: wire.PriorityName | None,
) -> advisor_pb2.AdviseRequest:
    """A request for advice."""
    return advisor_pb2.AdviseRequest(
        request_id=request_id(),
        position=_position(state),
        record=_record(state),
        seat=seat,
        limits=wire.limits_to_proto(limits),
        options=_options(state, options, priority),
    )


def stream_request(
    state: State,
    seat: int | None,
    limits: SearchLimits,
    options: SearchOptions,
    priority: wire.PriorityName | None,
    interval: float | None,
) -> advisor_pb2.StreamAdviceRequest:
    """A request for advice as it grows."""
    return advisor_pb2.StreamAdviceRequest(
        request_id=request_id(),
        position=_position(state),
        record=_record(state),
        seat=seat,
        limits=wire.limits_to_proto(limits),
        options=_options(state, options, priority),
        interval=None if interval is None else wire.duration(interval),
    )


def evaluate_request(
    state: State,
    seat: int | None,
    limits: SearchLimits,
    options: SearchOptions,
    priority: wire.PriorityName | None,
) -> advisor_pb2.EvaluateRequest:
    """A request for what a position is worth."""
    return advisor_pb2.EvaluateRequest(
        request_id=request_id(),
        position=_position(state),
        record=_record(state),
        seat=seat,
        limits=wire.limits_to_proto(limits),
        options=_options(state, options, priority),
    )


def compare_request(
    state: State,
    actions: Sequence[str],
    seat: int | None,
    limits: SearchLimits,
    options: SearchOptions,
    priority: wire.PriorityName | None,
) -> advisor_pb2.CompareActionsRequest:
    """A request to compare actions, which are texts."""
    return advisor_pb2.CompareActionsRequest(
        request_id=request_id(),
        position=_position(state),
        record=_record(state),
        seat=seat,
        limits=wire.limits_to_proto(limits),
        options=_options(state, options, priority),
        actions=actions,
    )


def review_request(
    record: GameRecord, limits: SearchLimits, options: SearchOptions, priority: wire.PriorityName | None
) -> advisor_pb2.ReviewGameRequest:
    """A request for a review."""
    return advisor_pb2.ReviewGameRequest(
        request_id=request_id(),
        record=record.to_proto(),
        limits=wire.limits_to_proto(limits),
        options=_options(record, options, priority),
    )


def _options(state: State, options: SearchOptions, priority: wire.PriorityName | None) -> advisor_pb2.SearchOptions:
    """Options as a message: arguments become texts, for which the pending decision has to be known."""
    if not (options.only or options.exclude):
        return wire.options_to_proto(options, state.tables, 0, (0, 0), priority)
    pending = _pending(state)
    return wire.options_to_proto(options, state.tables, pending.kind, pending.context, priority)


def _pending(state: State) -> notation.Pending:
    if isinstance(state, Position):
        return state.observation
    return state.replay() if state.observer is None else state.position().observation
