"""``RulesService``: setting up, what is legal, carrying out, observing, validating, scoring."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeVar

import grpc.aio

from lisboa.v1 import record_pb2, rules_pb2, rules_pb2_grpc
from lisboa_ai import wire, wire_actions
from lisboa_ai.edition import EditionTables
from lisboa_ai.position import Position
from lisboa_ai.record import GameRecord, RecordedAction

from .errors import Fault, Invalid
from .light import Light
from .settings import Settings
from .states import Editions, blaming, carry_out, missing, observer_of, position_of, record_of, replayed, stated

__all__ = ["Rules"]

Context = grpc.aio.ServicerContext[Any, Any]
Request = TypeVar("Request")
Reply = TypeVar("Reply")
SEED_BITS = 63


class Rules(rules_pb2_grpc.RulesServiceServicer):
    """Serves the rules. All work is done on light threads; nothing is kept between calls."""

    def __init__(self, settings: Settings, editions: Editions, light: Light) -> None:
        self._settings = settings
        self._editions = editions
        self._light = light

    async def _do(self, work: Callable[[Request], Reply], request: Request) -> Reply:
        return await self._light.run(work, request)

    async def NewGame(self, request: rules_pb2.NewGameRequest, context: Context) -> rules_pb2.NewGameResponse:
        """Deal a game."""
        return await self._do(self._new_game, request)

    async def ListLegalActions(
        self, request: rules_pb2.ListLegalActionsRequest, context: Context
    ) -> rules_pb2.ListLegalActionsResponse:
        """The pending decision and what may be chosen."""
        return await self._do(self._legal, request)

    async def ApplyActions(
        self, request: rules_pb2.ApplyActionsRequest, context: Context
    ) -> rules_pb2.ApplyActionsResponse:
        """A longer record."""
        return await self._do(self._apply, request)

    async def AdvancePosition(
        self, request: rules_pb2.AdvancePositionRequest, context: Context
    ) -> rules_pb2.AdvancePositionResponse:
        """A later position."""
        return await self._do(self._advance, request)

    async def Observe(self, request: rules_pb2.ObserveRequest, context: Context) -> rules_pb2.ObserveResponse:
        """What one seat knows."""
        return await self._do(self._observe, request)

    async def ValidatePosition(
        self, request: rules_pb2.ValidatePositionRequest, context: Context
    ) -> rules_pb2.ValidatePositionResponse:
        """Everything that is wrong with a position."""
        return await self._do(self._validate, request)

    async def ScoreGame(self, request: rules_pb2.ScoreGameRequest, context: Context) -> rules_pb2.ScoreGameResponse:
        """Wigs by seat and category."""
        return await self._do(self._score, request)

    # --- the work itself --------------------------------------------------------------------------------------------

    def _new_game(self, request: rules_pb2.NewGameRequest) -> rules_pb2.NewGameResponse:
        tables = self._editions.find(request.edition.name, request.edition.digest)
        seats = request.players or len(request.names)
        faults = []
        if request.HasField("setup") and request.HasField("seed"):
            faults.append(Fault("seed", "given beside a set-up; allowed: one of the two", "CONFLICT"))
        if not 2 <= seats <= 4:
            why = " (the rule texts do not hold the solo rules)" if seats == 1 else ""
            faults.append(Fault("players", f"{seats}; allowed: 2 to 4{why}", "OUT_OF_RANGE"))
        elif request.names and len(request.names) != seats:
            said = f"{len(request.names)} names; allowed: none, or {seats}, one for each player"
            faults.append(Fault("names", said, "WRONG_LENGTH"))
        if faults:
            raise Invalid(faults)
        if request.HasField("setup"):
            seed = None
            record = self._from_setup(request, tables, seats)
        else:
            seed = request.seed if request.HasField("seed") else secrets.randbits(SEED_BITS)
            record = GameRecord.new(
                tables, seats, seed, queen=request.queen_variant, draft=request.hand_draft, names=request.names
            )
        return rules_pb2.NewGameResponse(
            request_id=request.request_id, record=record.to_proto(), decision=_decision(record.replay()), seed=seed
        )

    def _from_setup(self, request: rules_pb2.NewGameRequest, tables: EditionTables, seats: int) -> GameRecord:
        message = record_pb2.GameRecord(
            players=seats,
            names=request.names,
            queen_variant=request.queen_variant,
            hand_draft=request.hand_draft,
            setup=request.setup,
        )
        message.edition.name, message.edition.digest = tables.name, tables.digest
        with blaming(""):  # its paths begin with setup already
            record = GameRecord.from_proto(message, self._editions.all)
            record.replay()
        return record

    def _legal(self, request: rules_pb2.ListLegalActionsRequest) -> rules_pb2.ListLegalActionsResponse:
        tables, state = self._state(request)
        return rules_pb2.ListLegalActionsResponse(
            request_id=request.request_id,
            decision=_decision(state),
            actions=[]
            if state.over
            else [
                wire_actions.action_to_proto(tables, state.kind, state.seat, state.context, argument)
                for argument in state.legal()
            ],
            game_over=state.over,
        )

    def _apply(self, request: rules_pb2.ApplyActionsRequest) -> rules_pb2.ApplyActionsResponse:
        if not request.HasField("record"):
            raise Invalid([missing("record", "the game so far")])
        self._few(request.actions)
        record = record_of(request.record, self._editions)
        state = replayed(record)
        done = carry_out(record.tables, state, request.actions)
        truth = record.observer is None
        added = tuple(
            RecordedAction(action.text, "" if truth else " ".join(action.revealed)) for action in request.actions
        )
        return rules_pb2.ApplyActionsResponse(
            request_id=request.request_id,
            record=replace(record, actions=(*record.actions, *added)).to_proto(),
            actions=done,
            decision=_decision(state),
            game_over=state.over,
        )

    def _advance(self, request: rules_pb2.AdvancePositionRequest) -> rules_pb2.AdvancePositionResponse:
        if not request.HasField("position"):
            raise Invalid([missing("position", "where to start")])
        self._few(request.actions)
        position = position_of(request.position, self._editions)
        state = position.observation.copy()
        done = carry_out(position.tables, state, request.actions)
        return rules_pb2.AdvancePositionResponse(
            request_id=request.request_id,
            position=Position(position.tables, state).to_proto(),
            actions=done,
            decision=_decision(state),
            game_over=state.over,
        )

    def _observe(self, request: rules_pb2.ObserveRequest) -> rules_pb2.ObserveResponse:
        if not request.HasField("record"):
            raise Invalid([missing("record", "the truth, or an observer's record")])
        record = record_of(request.record, self._editions)
        seat = observer_of(record, request.seat if request.HasField("seat") else None)
        if request.HasField("ply"):
            if request.ply > len(record.actions):
                said = f"{request.ply}; allowed: 0 to {len(record.actions)}, the actions of the record"
                raise Invalid([Fault("ply", said, "OUT_OF_RANGE")])
            record = replace(record, actions=record.actions[: request.ply])
        with blaming("record"):
            position = record.position(seat)
            seen = record.observe(seat) if record.observer is None else record
        return rules_pb2.ObserveResponse(
            request_id=request.request_id, position=position.to_proto(), record=seen.to_proto()
        )

    def _validate(self, request: rules_pb2.ValidatePositionRequest) -> rules_pb2.ValidatePositionResponse:
        faults: tuple[Fault, ...] = ()
        if not request.HasField("position"):
            raise Invalid([missing("position", "the position to look at")])
        try:
            position_of(request.position, self._editions)
        except Invalid as error:
            faults = error.faults
        return rules_pb2.ValidatePositionResponse(
            request_id=request.request_id,
            violations=[
                rules_pb2.FieldViolation(field=one.field, description=one.description, reason=one.reason)
                for one in faults
            ],
        )

    def _score(self, request: rules_pb2.ScoreGameRequest) -> rules_pb2.ScoreGameResponse:
        _, state = self._state(request)
        wigs, ledger, ended = state.wigs(), state.ledger(), state.score_now()
        winners: list[int] = []
        if state.over:
            # Everything is known at the end, so any world is the real one.
            winners = (state if hasattr(state, "winners") else state.sample_world(0)).winners()
        return rules_pb2.ScoreGameResponse(
            request_id=request.request_id,
            seats=[
                rules_pb2.SeatScore(
                    seat=seat,
                    wigs=wigs[seat],
                    breakdown=wire.breakdown_to_proto(ledger[seat]),
                    wigs_if_ended=sum(ended[seat]),
                    breakdown_if_ended=wire.breakdown_to_proto(ended[seat]),
                )
                for seat in range(state.seats)
            ],
            game_over=state.over,
            winners=winners,
        )

    def _state(self, request: Any) -> tuple[EditionTables, Any]:
        """The edition and the game or observation in a request."""
        state = stated(request, self._editions)
        return state.tables, state.observation if isinstance(state, Position) else replayed(state)

    def _few(self, actions: Any) -> None:
        most = self._settings.limits.actions
        if len(actions) > most:
            raise Invalid([Fault("actions", f"{len(actions)} actions; allowed: at most {most}", "TOO_MANY")])


def _decision(state: Any) -> rules_pb2.Decision:
    return rules_pb2.Decision() if state.over else wire_actions.decision_to_proto(state.kind, state.seat, state.context)
