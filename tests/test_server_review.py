"""``ReviewGame``: the same review over the wire as in-process, through the gate, and every fault at once."""

from __future__ import annotations

import asyncio
import functools
from collections.abc import Iterator
from typing import Any

import grpc
import grpc.aio
import pytest

from lisboa.v1 import advisor_pb2, advisor_pb2_grpc
from lisboa_ai import client, edition, notation, wire_options
from lisboa_ai.analysis import SearchLimits, SearchOptions
from lisboa_ai.client import AsyncClient, Client
from lisboa_ai.record import GameRecord
from lisboa_ai.review import DEFAULT_ITERATIONS, Review, collect, review
from lisboa_ai.server.app import Server
from lisboa_ai.server.searching import search
from tests.serving import channel, in_loop, running, serving, until

HOUSE = edition.load("house")
FIXED = SearchLimits(iterations=16, seed=3)
LONG = SearchLimits(time=20.0)


@functools.cache
def truth() -> GameRecord:
    """The first decisions of a game for two, with a revelation, a choice and, mostly, something forced."""
    record = GameRecord.new(HOUSE, 2, 7, names=["Ana", "Rui"])
    game = record.replay()
    for _ in range(7):
        record = record.append(notation.action_text(HOUSE, game.kind, game.context, game.legal()[-1]))
        game = record.replay()
    return record


@functools.cache
def expected(observer: int | None) -> Review:
    return collect(review(truth() if observer is None else truth().observe(observer), FIXED))


def asked(limits: SearchLimits = FIXED, **options: object) -> advisor_pb2.ReviewGameRequest:
    return advisor_pb2.ReviewGameRequest(
        request_id="mine",
        record=truth().to_proto(),
        limits=wire_options.limits_to_proto(limits),
        options=advisor_pb2.SearchOptions(**options),  # type: ignore[arg-type]
    )


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with running() as started:
        yield started


@pytest.fixture(scope="module")
def connected(server: Server) -> Iterator[Client]:
    with Client(server.address) as opened:
        yield opened


@pytest.mark.parametrize("observer", [None, 1])
def test_a_review_over_the_wire_equals_one_in_process(connected: Client, observer: int | None) -> None:
    record = truth() if observer is None else truth().observe(observer)
    done: list[tuple[int, int]] = []
    found = collect(connected.review(record, FIXED, progress=lambda *numbers: done.append(numbers)))
    assert found == expected(observer)
    count = len(record.moments())
    assert done == [(number, count) for number in range(1, count + 1)]


def test_the_asynchronous_client_reviews_alike(server: Server) -> None:
    async def ask() -> Review:
        async with AsyncClient(server.address) as opened:
            return collect([one async for one in opened.review(truth(), FIXED, priority="low")])

    assert asyncio.run(ask()) == expected(None)


def test_the_plan_comes_first_and_says_what_is_in_force(server: Server) -> None:
    request = asked()
    request.ClearField("limits")
    with grpc.insecure_channel(server.address) as opened:
        replies = advisor_pb2_grpc.AdvisorServiceStub(opened).ReviewGame(request)
        first = next(replies)
        replies.cancel()
    assert first.request_id == "mine"
    assert first.plan.decisions == len(truth().moments())
    assert first.plan.limits.iterations == DEFAULT_ITERATIONS
    assert not first.plan.limits.HasField("time")
    assert first.plan.options.objective == SearchOptions().objective
    assert first.plan.options.priority == advisor_pb2.PRIORITY_NORMAL


def test_a_record_is_replayed_once(connected: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    replayed: list[int] = []
    real = GameRecord._replayed

    def counting(self: GameRecord, *given: Any) -> Any:
        replayed.append(1)
        return real(self, *given)

    record = truth()
    monkeypatch.setattr(GameRecord, "_replayed", counting)
    assert collect(connected.review(record, FIXED)).decisions
    assert len(replayed) == 1


# --- faults ---------------------------------------------------------------------------------------------------------


def faults(server: Server, request: advisor_pb2.ReviewGameRequest) -> list[str]:
    with grpc.insecure_channel(server.address) as opened, pytest.raises(grpc.RpcError) as caught:
        list(advisor_pb2_grpc.AdvisorServiceStub(opened).ReviewGame(request))
    error = client.errors.error_of(caught.value)
    assert error.code is grpc.StatusCode.INVALID_ARGUMENT
    return [one.field for one in error.violations]


def test_everything_wrong_with_a_review_is_said_at_once(server: Server) -> None:
    request = asked(SearchLimits(time=4000.0), objective=2.0, only=["fly"], exclude=["fly"], priority=77)
    request.ClearField("record")
    assert faults(server, request) == [
        "record",
        "limits.time",
        "options.objective",
        "options.only",
        "options.exclude",
        "options.priority",
    ]


def test_a_review_has_memory_for_the_two_actions_that_it_compares(server: Server) -> None:
    assert faults(server, asked(SearchLimits(iterations=16, memory=1 << 20))) == ["limits.memory_bytes"]
    assert faults(server, asked(SearchLimits(iterations=16, memory=2 << 20, threads=2))) == ["limits.memory_bytes"]
    enough = asked(SearchLimits(iterations=16, memory=4 << 20, threads=2))
    with grpc.insecure_channel(server.address) as opened:
        assert len(list(advisor_pb2_grpc.AdvisorServiceStub(opened).ReviewGame(enough))) > len(truth().moments())


def test_no_time_at_all_is_a_limit_as_well(server: Server) -> None:
    with grpc.insecure_channel(server.address) as opened:
        replies = list(
            advisor_pb2_grpc.AdvisorServiceStub(opened).ReviewGame(asked(SearchLimits(time=0.0)), timeout=30)
        )
    assert replies[-1].WhichOneof("part") == "summary"


def test_a_record_that_cannot_be_replayed_is_refused_with_its_action(server: Server) -> None:
    request = asked()
    request.record.actions[2].text = "fly"
    assert faults(server, request) == ["record.actions[2]"]


# --- ends -----------------------------------------------------------------------------------------------------------


async def the_rest(
    replies: grpc.aio.UnaryStreamCall[advisor_pb2.ReviewGameRequest, advisor_pb2.ReviewGameResponse],
) -> list[str | None]:
    """Which parts still come."""
    parts = []
    while isinstance(reply := await replies.read(), advisor_pb2.ReviewGameResponse):
        parts.append(reply.WhichOneof("part"))
    return parts


@in_loop
async def test_a_client_that_leaves_frees_every_worker_and_nothing_waits() -> None:
    async with serving(search) as server, channel(server) as opened:
        replies = advisor_pb2_grpc.AdvisorServiceStub(opened).ReviewGame(asked(LONG))
        assert isinstance(await replies.read(), advisor_pb2.ReviewGameResponse)
        await until(lambda: server.gate.busy == 2)
        replies.cancel()
        await until(lambda: (server.gate.busy, server.gate.waiting) == (0, 0))


@in_loop
async def test_draining_ends_a_review_because_half_an_answer_would_be_wrong() -> None:
    async with serving(search) as server, channel(server) as opened:
        replies = advisor_pb2_grpc.AdvisorServiceStub(opened).ReviewGame(asked(LONG))
        assert isinstance(await replies.read(), advisor_pb2.ReviewGameResponse)
        await until(lambda: server.gate.busy == 2)
        await server.drain()
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await the_rest(replies)
        assert caught.value.code() is grpc.StatusCode.UNAVAILABLE
        assert server.gate.busy == 0


@in_loop
async def test_a_review_needs_one_place_in_the_queue_however_many_decisions_it_has() -> None:
    async with serving(search, workers=1, queue=1) as server, channel(server) as opened:
        stub = advisor_pb2_grpc.AdvisorServiceStub(opened)
        position = truth().position(truth().replay().seat).to_proto()
        other = stub.Advise(advisor_pb2.AdviseRequest(position=position, limits=wire_options.limits_to_proto(LONG)))
        await until(lambda: server.gate.busy == 1)
        replies = stub.ReviewGame(asked())
        await until(lambda: server.gate.waiting == 1)
        other.cancel()
        parts = await the_rest(replies)
        assert parts == ["plan", *["decision"] * len(truth().moments()), "summary", "summary"]
