"""The client for asyncio. It belongs to the event loop it was made in."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from types import TracebackType
from typing import TypeVar

import grpc
import grpc.aio

from lisboa.v1 import (
    advisor_pb2,
    advisor_pb2_grpc,
    position_pb2,
    rules_pb2,
    rules_pb2_grpc,
    server_pb2,
    server_pb2_grpc,
)

from ..analysis import Analysis, SearchLimits, SearchOptions
from ..compare import Comparison
from ..edition import EditionTables
from ..position import Position
from ..record import GameRecord
from ..review import Decision, SeatSummary
from ..wire_options import PriorityName
from . import messages
from .blocking import recorded_actions
from .errors import FieldViolation, error_of
from .messages import RULES_TIMEOUT, Answer, Legal, Question, Score, State

__all__ = ["AsyncBatch", "AsyncClient"]

T = TypeVar("T")


class AsyncClient:
    """A connection to the service at ``target``, such as ``"127.0.0.1:50051"``; an asynchronous context manager.

    Every call takes a timeout in seconds, or has a sensible one, and raises ``ServiceError`` when it fails.
    ``editions`` are those that replies may name; none means the bundled ones.
    """

    def __init__(
        self,
        target: str,
        *,
        credentials: grpc.ChannelCredentials | None = None,
        editions: Sequence[EditionTables] = (),
    ) -> None:
        self.target = target
        self._editions = editions
        self._channel = (
            grpc.aio.insecure_channel(target, options=messages.CHANNEL_OPTIONS)
            if credentials is None
            else grpc.aio.secure_channel(target, credentials, options=messages.CHANNEL_OPTIONS)
        )
        self._rules = rules_pb2_grpc.RulesServiceStub(self._channel)
        self._advisor = advisor_pb2_grpc.AdvisorServiceStub(self._channel)
        self._server = server_pb2_grpc.ServerServiceStub(self._channel)

    async def __aenter__(self) -> AsyncClient:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """End the connection, and what still runs on it."""
        await self._channel.close()

    # --- rules

    async def new_game(
        self,
        seats: int,
        *,
        seed: int | None = None,
        queen: bool = False,
        draft: bool = False,
        players: Sequence[str] = (),
        edition: str = "",
        digest: str = "",
        timeout: float = RULES_TIMEOUT,
    ) -> GameRecord:
        """A new game's record: the truth. Without a seed the server picks one; without an edition its default."""
        request = messages.new_game_request(seats, seed, queen, draft, players, edition, digest)
        return GameRecord.from_proto((await _call(self._rules.NewGame, request, timeout)).record, self._editions)

    async def legal_actions(self, state: State, *, timeout: float = RULES_TIMEOUT) -> Legal:
        """The pending decision and what is legal."""
        return messages.legal_of(await _call(self._rules.ListLegalActions, messages.legal_request(state), timeout))

    async def apply(
        self, record: GameRecord, *actions: str, revealed: Sequence[str] = (), timeout: float = RULES_TIMEOUT
    ) -> GameRecord:
        """The record after these actions. In an observer's record, ``revealed`` belongs to the last action."""
        request = rules_pb2.ApplyActionsRequest(
            request_id=messages.request_id(), record=record.to_proto(), actions=recorded_actions(actions, revealed)
        )
        return GameRecord.from_proto((await _call(self._rules.ApplyActions, request, timeout)).record, self._editions)

    async def advance(
        self, position: Position, *actions: str, revealed: Sequence[str] = (), timeout: float = RULES_TIMEOUT
    ) -> Position:
        """The position after these actions; ``revealed`` is what the last of them showed."""
        request = rules_pb2.AdvancePositionRequest(
            request_id=messages.request_id(), position=position.to_proto(), actions=recorded_actions(actions, revealed)
        )
        return Position.from_proto(
            (await _call(self._rules.AdvancePosition, request, timeout)).position, self._editions
        )

    async def observe(
        self, record: GameRecord, seat: int | None = None, *, ply: int | None = None, timeout: float = RULES_TIMEOUT
    ) -> tuple[Position, GameRecord]:
        """What a seat may know after ``ply`` actions (None: all): the position, and that seat's own record."""
        request = rules_pb2.ObserveRequest(
            request_id=messages.request_id(), record=record.to_proto(), seat=seat, ply=ply
        )
        reply = await _call(self._rules.Observe, request, timeout)
        return Position.from_proto(reply.position, self._editions), GameRecord.from_proto(reply.record, self._editions)

    async def validate(
        self, position: position_pb2.Position, *, timeout: float = RULES_TIMEOUT
    ) -> tuple[FieldViolation, ...]:
        """Everything that is wrong with a position, which comes as a message because it may be broken."""
        request = rules_pb2.ValidatePositionRequest(request_id=messages.request_id(), position=position)
        return messages.violations_of(await _call(self._rules.ValidatePosition, request, timeout))

    async def score(self, state: State, *, timeout: float = RULES_TIMEOUT) -> Score:
        """Wigs by seat and category, so far and if the game ended now."""
        return messages.score_of(await _call(self._rules.ScoreGame, messages.score_request(state), timeout))

    # --- advice

    async def advise(
        self,
        state: State,
        seat: int | None = None,
        limits: SearchLimits | None = None,
        options: SearchOptions | None = None,
        *,
        priority: PriorityName | None = None,
        timeout: float | None = None,
    ) -> Analysis:
        """The best actions of the seat to act. A record that is the truth needs the seat."""
        limits = limits or SearchLimits()
        request = messages.advise_request(state, seat, limits, options or SearchOptions(), priority)
        reply = await _call(self._advisor.Advise, request, messages.search_timeout(limits, timeout))
        return messages.analysis_of(reply.advice)

    async def stream_advice(
        self,
        state: State,
        seat: int | None = None,
        limits: SearchLimits | None = None,
        options: SearchOptions | None = None,
        *,
        priority: PriorityName | None = None,
        interval: float | None = None,
        timeout: float | None = None,
    ) -> AsyncIterator[Analysis]:
        """Advice as it grows, about every ``interval`` seconds; the last one is final. Closing it ends the search."""
        limits = limits or SearchLimits()
        request = messages.stream_request(state, seat, limits, options or SearchOptions(), priority, interval)
        replies = self._advisor.StreamAdvice(
            request, timeout=messages.search_timeout(limits, timeout), wait_for_ready=False
        )
        try:
            async for reply in replies:
                yield messages.analysis_of(reply.advice)
        except grpc.RpcError as error:
            raise error_of(error) from None
        finally:
            replies.cancel()

    async def evaluate(
        self,
        state: State,
        seat: int | None = None,
        limits: SearchLimits | None = None,
        options: SearchOptions | None = None,
        *,
        priority: PriorityName | None = None,
        timeout: float | None = None,
    ) -> Analysis:
        """What the position is worth to each seat, whoever is to act: an analysis without candidates."""
        limits = limits or SearchLimits()
        request = messages.evaluate_request(state, seat, limits, options or SearchOptions(), priority)
        reply = await _call(self._advisor.Evaluate, request, messages.search_timeout(limits, timeout))
        return messages.evaluation_of(reply)

    async def compare(
        self,
        state: State,
        actions: Sequence[str],
        seat: int | None = None,
        limits: SearchLimits | None = None,
        options: SearchOptions | None = None,
        *,
        priority: PriorityName | None = None,
        timeout: float | None = None,
    ) -> Comparison:
        """By how much, in what and how surely some actions (texts) differ from the first of them."""
        limits = limits or SearchLimits()
        request = messages.compare_request(state, actions, seat, limits, options or SearchOptions(), priority)
        reply = await _call(self._advisor.CompareActions, request, messages.search_timeout(limits, timeout))
        return messages.comparison_of(reply)

    async def review(
        self,
        record: GameRecord,
        limits: SearchLimits | None = None,
        options: SearchOptions | None = None,
        *,
        progress: Callable[[int, int], None] | None = None,
        priority: PriorityName | None = None,
        timeout: float | None = None,
    ) -> AsyncIterator[Decision | SeatSummary]:
        """Every decision of a record judged, then a summary of each seat, as ``lisboa_ai.review`` says it.

        The limits are those of one decision. progress: called with the decisions done and their number. There is no
        deadline unless ``timeout`` gives one. Closing it ends the review.
        """
        request = messages.review_request(record, limits or SearchLimits(), options or SearchOptions(), priority)
        replies = self._advisor.ReviewGame(request, timeout=timeout)
        total = 0
        try:
            async for reply in replies:
                part = messages.review_part_of(reply)
                if isinstance(part, int):
                    total = part
                    continue
                if progress is not None and isinstance(part, Decision):
                    progress(part.index + 1, total)
                yield part
        except grpc.RpcError as error:
            raise error_of(error) from None
        finally:
            replies.cancel()

    def batch(self, *, timeout: float | None = None) -> AsyncBatch:
        """A batch of questions in one call, which has no deadline unless ``timeout`` gives it one."""
        return AsyncBatch(self._advisor, timeout)

    # --- the server

    async def server_info(self, *, timeout: float = RULES_TIMEOUT) -> server_pb2.GetServerInfoResponse:
        """Versions, editions, limits and defaults of the server."""
        request = server_pb2.GetServerInfoRequest(request_id=messages.request_id())
        return await _call(self._server.GetServerInfo, request, timeout)


class AsyncBatch:
    """Questions in one call, and their answers as they come; an asynchronous context manager.

    Its end ends what still runs. The iteration ends when every question is answered, once ``close`` was called.
    """

    def __init__(self, advisor: advisor_pb2_grpc.AdvisorServiceAsyncStub, timeout: float | None) -> None:
        self._replies = advisor.AdviseBatch(timeout=timeout)

    async def __aenter__(self) -> AsyncBatch:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._replies.cancel()

    async def ask(self, question: Question) -> None:
        """Add a question; waits while the server reads no more of them."""
        await self._send(messages.ask_message(question))

    async def cancel(self, name: str) -> None:
        """Take a question back. Its answer still comes: the best so far if its search has begun, else an error."""
        await self._send(messages.cancel_message(name))

    async def close(self) -> None:
        """Say that there are no more questions."""
        await self._replies.done_writing()

    async def __aiter__(self) -> AsyncIterator[Answer]:
        """The answers as they come. Raises ``ServiceError`` if the call as a whole fails."""
        try:
            while isinstance(reply := await self._replies.read(), advisor_pb2.AdviseBatchResponse):
                yield messages.answer_of(reply)
        except grpc.RpcError as error:
            raise error_of(error) from None

    async def _send(self, message: advisor_pb2.AdviseBatchRequest) -> None:
        try:
            await self._replies.write(message)
        except grpc.RpcError as error:
            raise error_of(error) from None


async def _call(method: Callable[..., Awaitable[T]], request: object, timeout: float) -> T:
    try:
        return await method(request, timeout=timeout)
    except grpc.RpcError as error:
        raise error_of(error) from None
