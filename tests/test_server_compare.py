"""``CompareActions``: the same answer over the wire as in-process, through the gate, and every fault at once."""

from __future__ import annotations

import asyncio
import functools
from collections.abc import Iterator

import grpc
import grpc.aio
import pytest

from engine_ext.core import KINDS
from lisboa.v1 import advisor_pb2, advisor_pb2_grpc
from lisboa_ai import client, edition, notation, wire
from lisboa_ai.analysis import SearchLimits, SearchOptions
from lisboa_ai.client import AsyncClient, Client
from lisboa_ai.compare import Comparison, compare
from lisboa_ai.position import Position
from lisboa_ai.record import GameRecord
from lisboa_ai.server.app import Server
from lisboa_ai.server.searching import search
from tests.serving import in_loop, running, serving, until

FIXED = SearchLimits(iterations=60, seed=11)
HOUSE = edition.load("house")


@functools.cache
def truth() -> GameRecord:
    """A game for three in which a card has to be played."""
    record = GameRecord.new(HOUSE, 3, 5)
    game = record.replay()
    while KINDS[game.kind] != "play_card":
        record = record.append(notation.action_text(HOUSE, game.kind, game.context, game.legal()[0]))
        game = record.replay()
    return record


@functools.cache
def seen() -> Position:
    return truth().position(truth().replay().seat)


def texts(count: int) -> list[str]:
    pending = seen().observation
    return [notation.action_text(HOUSE, pending.kind, pending.context, one) for one in pending.legal()[:count]]


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with running() as started:
        yield started


@pytest.fixture(scope="module")
def connected(server: Server) -> Iterator[Client]:
    with Client(server.address) as opened:
        yield opened


def test_a_comparison_over_the_wire_equals_one_in_process(connected: Client) -> None:
    options = SearchOptions(objective=0.0, exploration=0.5)
    expected = compare(seen(), seen().observation.legal()[:3], FIXED, options)
    assert connected.compare(seen(), texts(3), limits=FIXED, options=options) == expected
    assert connected.compare(truth(), texts(3), seen().observation.seat, FIXED, options) == expected


def test_the_asynchronous_client_compares_alike(server: Server) -> None:
    async def ask() -> Comparison:
        async with AsyncClient(server.address) as opened:
            return await opened.compare(seen(), texts(2), limits=FIXED, priority="high")

    assert asyncio.run(ask()) == compare(seen(), seen().observation.legal()[:2], FIXED)


def test_a_reply_echoes_what_was_in_force_and_names_every_number(server: Server) -> None:
    request = advisor_pb2.CompareActionsRequest(
        request_id="mine",
        position=seen().to_proto(),
        actions=texts(2),
        limits=wire.limits_to_proto(FIXED),
        options=advisor_pb2.SearchOptions(priority=advisor_pb2.PRIORITY_LOW),
    )
    with grpc.insecure_channel(server.address) as opened:
        reply = advisor_pb2_grpc.AdvisorServiceStub(opened).CompareActions(request)
    assert reply.request_id == "mine"
    assert reply.report.options.priority == advisor_pb2.PRIORITY_LOW
    assert reply.report.options.objective == SearchOptions().objective
    assert (reply.worlds, reply.report.iterations) == (30, 60)
    assert [one.action.text for one in reply.actions] == texts(2)
    first, other = reply.actions
    assert not first.differences
    assert not first.sentence
    assert texts(2)[1] in other.sentence
    difference = other.differences[1]
    assert difference.seat == 1
    assert sum(part.wigs for part in difference.breakdown) == pytest.approx(difference.wigs)
    assert difference.wigs_interval.high == pytest.approx(difference.wigs + 1.96 * difference.wigs_error)
    assert difference.win_share_interval.low == pytest.approx(difference.win_share - 1.96 * difference.win_share_error)


def faults(connected: Client, *actions: str, limits: SearchLimits = FIXED, **options: tuple[int, ...]) -> list[str]:
    with pytest.raises(client.InvalidRequest) as caught:
        connected.compare(seen(), actions, limits=limits, options=SearchOptions(**options))  # type: ignore[arg-type]
    return [one.field for one in caught.value.violations]


def test_everything_wrong_with_a_comparison_is_said_at_once(connected: Client) -> None:
    assert faults(connected, texts(1)[0]) == ["actions"]
    assert faults(connected, *texts(1) * 17) == ["actions"]
    assert faults(connected, texts(1)[0], "fly", texts(1)[0] + " and on") == ["actions[1]", "actions[2]"]
    assert faults(connected, *texts(2), texts(1)[0]) == ["actions[2]"]
    small = SearchLimits(iterations=6, memory=2 << 20)
    assert faults(connected, *texts(3), limits=small) == ["limits.memory_bytes"]
    only = tuple(seen().observation.legal()[:1])
    assert faults(connected, *texts(2), only=only, exclude=()) == ["options.only"]


def test_an_unknown_priority_is_a_fault_like_others(server: Server) -> None:
    request = advisor_pb2.AdviseRequest(position=seen().to_proto(), options=advisor_pb2.SearchOptions(objective=2.0))
    request.options.priority = 77  # type: ignore[assignment]
    with grpc.insecure_channel(server.address) as opened, pytest.raises(grpc.RpcError) as caught:
        advisor_pb2_grpc.AdvisorServiceStub(opened).Advise(request)
    violations = client.errors.error_of(caught.value).violations
    assert {one.field for one in violations} == {"options.priority", "options.objective"}


@in_loop
async def test_a_comparison_whose_deadline_comes_answers_with_what_it_has() -> None:
    actions = seen().observation.legal()[:2]
    async with serving(search, workers=1) as server:
        found = await server.searches.compared(seen(), actions, SearchLimits(time=50.0), SearchOptions(), 0.4)
    assert found.analysis.stop_reason == "deadline"
    assert found.analysis.limits.time == 50.0


def test_a_caller_that_leaves_frees_the_worker(server: Server) -> None:
    request = advisor_pb2.CompareActionsRequest(
        position=seen().to_proto(), actions=texts(2), limits=wire.limits_to_proto(SearchLimits(time=50.0))
    )

    async def leave() -> None:
        async with grpc.aio.insecure_channel(server.address) as opened:
            call = advisor_pb2_grpc.AdvisorServiceStub(opened).CompareActions(request)
            waiting = asyncio.ensure_future(call)
            await until(lambda: server.gate.busy == 1)
            call.cancel()
            with pytest.raises(asyncio.CancelledError):
                await waiting
            await until(lambda: server.gate.busy == 0)

    asyncio.run(leave())
