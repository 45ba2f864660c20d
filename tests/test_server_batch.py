"""``AdviseBatch``: one reply for each question, by priority, as they finish; taking back; slow readers; faults."""

from __future__ import annotations

import asyncio
import functools
from collections.abc import AsyncIterator, Iterable

import grpc
import grpc.aio
import pytest

from lisboa.v1 import advisor_pb2, advisor_pb2_grpc
from lisboa_ai import client, wire_options
from lisboa_ai.analysis import SearchLimits, analyse
from lisboa_ai.client import AsyncClient, Client, Question
from lisboa_ai.server.admission import QueueFull
from lisboa_ai.server.batch import Batch
from lisboa_ai.server.running import Handle
from lisboa_ai.server.settings import Limits
from tests.serving import FakeSearch, channel, in_loop, metrics, position, running, serving, until

QUICK = SearchLimits(iterations=20)
LONG = SearchLimits(time=30.0)
Reply = advisor_pb2.AdviseBatchResponse


def ask(
    name: str, limits: SearchLimits = QUICK, priority: wire_options.PriorityName | None = None
) -> advisor_pb2.AdviseBatchRequest:
    return client.messages.ask_message(Question(name, position(), limits=limits, priority=priority))


def cancel(name: str) -> advisor_pb2.AdviseBatchRequest:
    return advisor_pb2.AdviseBatchRequest(cancel=name)


def call(opened: grpc.aio.Channel) -> grpc.aio.StreamStreamCall[advisor_pb2.AdviseBatchRequest, Reply]:
    return advisor_pb2_grpc.AdvisorServiceStub(opened).AdviseBatch()


async def the_rest(opened: grpc.aio.StreamStreamCall[advisor_pb2.AdviseBatchRequest, Reply]) -> dict[str, Reply]:
    """Every reply that still comes, by name; fails if a question gets two."""
    replies = []
    while isinstance(reply := await opened.read(), Reply):
        replies.append(reply)
    assert len({one.request_id for one in replies}) == len(replies)
    return {one.request_id: one for one in replies}


# --- the same answers, through the clients --------------------------------------------------------------------------


def test_a_batch_answers_as_calls_of_their_own_would_and_errors_are_the_question_s() -> None:
    limits = [SearchLimits(iterations=40, seed=seed) for seed in range(3)]
    with running() as server, Client(server.address) as connected, connected.batch() as batch:
        for seed, one in enumerate(limits):
            batch.ask(Question(f"seed {seed}", position(), limits=one))
        batch.ask(Question("wrong", position(), limits=SearchLimits(time=4000.0)))
        batch.close()
        answers = {one.name: one for one in batch}
    assert sorted(answers) == ["seed 0", "seed 1", "seed 2", "wrong"]
    for seed, one in enumerate(limits):
        assert answers[f"seed {seed}"].analysis == analyse(position().observation, one)
    error = answers["wrong"].error
    assert isinstance(error, client.InvalidRequest)
    assert [one.field for one in error.violations] == ["limits.time"]


@in_loop
async def test_the_asynchronous_client_batches_alike() -> None:
    fake = FakeSearch()
    async with (
        serving(fake, workers=2) as server,
        AsyncClient(server.address) as connected,
        connected.batch() as batch,
    ):
        await batch.ask(Question("long", position(), limits=LONG))
        await until(lambda: fake.running == 1)
        await batch.ask(Question("quick", position(), limits=QUICK))
        answers = aiter(batch)
        first = await anext(answers)
        assert (first.name, first.error) == ("quick", None)
        await batch.cancel("long")
        await batch.close()
        last = [one async for one in answers]
    assert [one.name for one in last] == ["long"]
    assert last[0].analysis is not None
    assert last[0].analysis.stop_reason == "cancelled"


# --- order and taking back ------------------------------------------------------------------------------------------


@in_loop
async def test_the_highest_priority_goes_next_and_equal_ones_in_their_order() -> None:
    async with serving(FakeSearch(), workers=1) as server, channel(server) as opened:
        batch = call(opened)
        await batch.write(ask("first", LONG))
        await until(lambda: server.gate.busy == 1)
        for name, priority in (("low", "low"), ("normal", None), ("again", "normal"), ("high", "high")):
            await batch.write(ask(name, QUICK, priority))  # type: ignore[arg-type]
        await batch.write(cancel("first"))
        await batch.done_writing()
        assert [one.request_id async for one in batch] == ["first", "high", "normal", "again", "low"]


@in_loop
async def test_every_ninth_question_is_of_a_lower_priority_that_waits() -> None:
    begun: list[str] = []

    async def answer(request: advisor_pb2.AdviseRequest, handle: Handle) -> advisor_pb2.Advice:
        begun.append(request.request_id)
        while len(begun) == 1 and read != [1] * 22:
            await asyncio.sleep(0)  # the first one holds the only place until all the others are there
        return advisor_pb2.Advice()

    read: list[int] = []
    names: list[tuple[str, wire_options.PriorityName]] = [("first", "high"), ("low 1", "low"), ("low 2", "low")]
    names += [(f"high {number}", "high") for number in range(19)]
    requests = [ask(name, QUICK, priority) for name, priority in names]
    assert len([one async for one in Batch(answer, most=30, at_once=1).replies(sent(requests, read))]) == 22
    assert begun[1:9] == [f"high {number}" for number in range(8)]
    assert begun[9:19] == ["low 1", *(f"high {number}" for number in range(8, 16)), "low 2"]


@in_loop
async def test_a_question_taken_back_answers_at_once_with_the_best_or_that_it_never_began() -> None:
    fake = FakeSearch()
    async with serving(fake, workers=1) as server, channel(server) as opened:
        batch = call(opened)
        await batch.write(ask("runs", LONG))
        await until(lambda: fake.running == 1)
        await batch.write(ask("waits", LONG))
        await batch.write(cancel("waits"))
        await batch.write(cancel("unheard of"))
        waiting = await batch.read()
        assert isinstance(waiting, Reply)
        assert (waiting.request_id, waiting.error.code) == ("waits", grpc.StatusCode.CANCELLED.value[0])
        await batch.write(cancel("runs"))
        await batch.done_writing()
        replies = await the_rest(batch)
        assert list(replies) == ["runs"]
        assert replies["runs"].advice.report.stop_reason == advisor_pb2.STOP_REASON_CANCELLED
        assert fake.started == 1


@in_loop
async def test_a_question_that_waits_at_the_gate_can_be_taken_back() -> None:
    fake = FakeSearch()
    async with serving(fake, workers=1, queue=2) as server, channel(server) as opened:
        other = advisor_pb2_grpc.AdvisorServiceStub(opened).Advise(ask("other", LONG).ask)
        await until(lambda: fake.running == 1)
        batch = call(opened)
        await batch.write(ask("waits", LONG))
        await until(lambda: server.gate.waiting == 1)
        await batch.write(cancel("waits"))
        await batch.done_writing()
        replies = await the_rest(batch)
        assert replies["waits"].error.code == grpc.StatusCode.CANCELLED.value[0]
        assert server.gate.waiting == 0
        other.cancel()


@in_loop
async def test_a_name_is_free_once_its_question_is_answered() -> None:
    async with serving(FakeSearch()) as server, channel(server) as opened:
        batch = call(opened)
        for _ in range(2):
            await batch.write(ask("same"))
            reply = await batch.read()
            assert isinstance(reply, Reply)
            assert reply.advice.candidates
        await batch.done_writing()
        assert not await the_rest(batch)


# --- limits ---------------------------------------------------------------------------------------------------------


@in_loop
async def test_a_batch_does_not_fill_the_queue_and_waits_while_others_do() -> None:
    fake = FakeSearch()
    async with serving(fake, workers=1, queue=1) as server, channel(server) as opened:
        others = [advisor_pb2_grpc.AdvisorServiceStub(opened).Advise(ask(name, LONG).ask) for name in "ab"]
        await until(lambda: (server.gate.busy, server.gate.waiting) == (1, 1))
        batch = call(opened)
        for number in range(5):
            await batch.write(ask(str(number)))
        await batch.done_writing()
        refused = functools.partial(
            server.metrics.registry.get_sample_value, "lisboa_search_rejected_total", {"reason": "queue_full"}
        )
        await until(lambda: bool(refused()))  # its first question found no place, and waits in the batch
        assert (server.gate.busy, server.gate.waiting) == (1, 1)
        for other in others:
            other.cancel()
        replies = await the_rest(batch)
        assert sorted(replies) == ["0", "1", "2", "3", "4"]
        assert all(one.HasField("advice") for one in replies.values())


@in_loop
async def test_more_open_questions_than_allowed_are_refused_each_with_the_limit() -> None:
    fake = FakeSearch()
    async with serving(fake, workers=1, limits=Limits(batch=2)) as server, channel(server) as opened:
        batch = call(opened)
        for name in ("runs", "waits", "too many"):
            await batch.write(ask(name, LONG))
        refused = await batch.read()
        assert isinstance(refused, Reply)
        assert (refused.request_id, refused.error.reason) == ("too many", "BATCH_FULL")
        assert refused.error.code == grpc.StatusCode.RESOURCE_EXHAUSTED.value[0]
        assert dict(refused.error.metadata) == {"limit": "2"}
        batch.cancel()
        await until(lambda: server.gate.busy == 0)


async def sent(
    requests: Iterable[advisor_pb2.AdviseBatchRequest], read: list[int]
) -> AsyncIterator[advisor_pb2.AdviseBatchRequest]:
    for request in requests:
        read.append(1)
        yield request


@in_loop
async def test_unread_answers_hold_no_worker_and_stop_the_reading_of_questions() -> None:
    running = 0

    async def answer(request: advisor_pb2.AdviseRequest, handle: Handle) -> advisor_pb2.Advice:
        nonlocal running
        running += 1
        await asyncio.sleep(0)
        running -= 1
        return advisor_pb2.Advice()

    async def turns(count: int) -> None:
        for _ in range(count):
            await asyncio.sleep(0)

    batch = Batch(answer, most=3, at_once=2)
    read: list[int] = []

    async def asked() -> AsyncIterator[advisor_pb2.AdviseBatchRequest]:
        for number in range(50):
            read.append(number)
            yield ask(str(number))
            await turns(5)  # enough for its answer

    replies = batch.replies(asked())
    first = await anext(replies)
    await turns(1000)  # nothing here takes any time: enough for all fifty, if nothing held them up
    assert running == 0
    assert len(read) < 10  # one that was read, three that wait to be, and what was on the way
    rest = [one.request_id async for one in replies]
    assert sorted(map(int, [first.request_id, *rest])) == list(range(50))


@in_loop
async def test_a_question_that_found_the_gate_full_is_asked_again() -> None:
    tries = 0

    async def answer(request: advisor_pb2.AdviseRequest, handle: Handle) -> advisor_pb2.Advice:
        nonlocal tries
        tries += 1
        if tries < 3:
            raise QueueFull(1, 0.01)
        return advisor_pb2.Advice()

    replies = [one async for one in Batch(answer, most=3, at_once=1).replies(sent([ask("a")], []))]
    assert [one.request_id for one in replies] == ["a"]
    assert tries == 3


@in_loop
async def test_a_question_taken_back_before_its_task_has_begun_gets_its_one_reply() -> None:
    async def answer(request: advisor_pb2.AdviseRequest, handle: Handle) -> advisor_pb2.Advice:
        return advisor_pb2.Advice()

    async def at_once() -> AsyncIterator[advisor_pb2.AdviseBatchRequest]:
        for request in (ask("a"), cancel("a"), ask("b")):
            yield request

    replies = {one.request_id: one async for one in Batch(answer, most=3, at_once=1).replies(at_once())}
    assert replies["a"].error.code == grpc.StatusCode.CANCELLED.value[0]
    assert replies["b"].WhichOneof("outcome") == "advice"


# --- ends -----------------------------------------------------------------------------------------------------------


@in_loop
async def test_a_client_that_leaves_frees_every_worker() -> None:
    fake = FakeSearch()
    async with serving(fake) as server, channel(server) as opened:
        batch = call(opened)
        for number in range(6):
            await batch.write(ask(str(number), LONG))
        await until(lambda: fake.running == 2)
        batch.cancel()
        await until(lambda: (fake.running, server.gate.busy, server.gate.waiting) == (0, 0, 0))
        assert fake.started == 2


@in_loop
async def test_draining_ends_running_questions_with_their_best_and_refuses_the_others() -> None:
    fake = FakeSearch()
    async with serving(fake, workers=1) as server, channel(server) as opened:
        batch = call(opened)
        for name in ("runs", "waits"):
            await batch.write(ask(name, LONG))
        await batch.done_writing()
        await until(lambda: fake.running == 1)
        await server.drain()
        replies = await the_rest(batch)
        assert replies["runs"].advice.report.stop_reason == advisor_pb2.STOP_REASON_DRAINING
        assert replies["waits"].error.code == grpc.StatusCode.UNAVAILABLE.value[0]
        assert replies["waits"].error.reason == "DRAINING"


@pytest.mark.parametrize(
    "requests, field",
    [
        ([advisor_pb2.AdviseBatchRequest()], "ask"),
        ([ask("")], "ask.request_id"),
        ([ask("twice", LONG), ask("twice")], "ask.request_id"),
    ],
)
def test_what_belongs_to_no_question_ends_the_call(requests: list[advisor_pb2.AdviseBatchRequest], field: str) -> None:
    @in_loop
    async def run() -> None:
        async with serving(FakeSearch()) as server, channel(server) as opened:
            batch = call(opened)
            for request in requests:
                await batch.write(request)
            with pytest.raises(grpc.aio.AioRpcError) as caught:
                await the_rest(batch)
            assert caught.value.code() is grpc.StatusCode.INVALID_ARGUMENT
            assert [one.field for one in client.errors.error_of(caught.value).violations] == [field]
            await until(lambda: server.gate.busy == 0)

    run()


@in_loop
async def test_bytes_that_are_no_message_end_the_call_and_messages_are_counted() -> None:
    async with serving(FakeSearch()) as server, channel(server) as opened:
        raw: grpc.aio.StreamStreamMultiCallable[bytes, bytes]
        raw = opened.stream_stream("/lisboa.v1.AdvisorService/AdviseBatch")
        batch = raw()
        await batch.write(ask("a").SerializeToString())
        reply = await batch.read()
        assert isinstance(reply, bytes)
        assert Reply.FromString(reply).request_id == "a"
        await batch.write(b"\xff\xff")
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await batch.read()
        assert caught.value.code() is grpc.StatusCode.INVALID_ARGUMENT
        value = await metrics(server)
        labels = {"grpc_type": "bidi_stream", "grpc_service": "lisboa.v1.AdvisorService", "grpc_method": "AdviseBatch"}
        assert value("grpc_server_msg_received_total", **labels) == 2
        assert value("grpc_server_msg_sent_total", **labels) == 1
        assert value("grpc_server_handled_total", **labels, grpc_code="InvalidArgument") == 1
