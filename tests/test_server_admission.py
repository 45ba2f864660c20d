"""Who goes first at the gate, who is sent away, and what a refusal says. No engine time is needed."""

from __future__ import annotations

import asyncio
import math
import time
from pathlib import Path
from typing import Any

import grpc
import grpc.aio
import pytest
from google.protobuf.duration_pb2 import Duration
from google.rpc import error_details_pb2
from grpc_status import rpc_status

from lisboa.v1 import advisor_pb2, advisor_pb2_grpc, record_pb2, rules_pb2, rules_pb2_grpc
from lisboa_ai.server import Limits
from lisboa_ai.server.admission import Gate, OutOfTime, Priority, QueueFull, RateLimited
from lisboa_ai.server.metrics import Metrics
from lisboa_ai.server.rates import MOST_CLIENTS, Rates
from lisboa_ai.server.tokens import fresh_token
from tests.serving import FakeSearch, channel, in_loop, metrics, position, serving, until

LOW, NORMAL, HIGH = Priority.LOW, Priority.NORMAL, Priority.HIGH
LONG = Duration(seconds=30)


def standing_gate(workers: int = 1, queue: int = 10) -> Gate:
    """A gate whose clock stands still, so that every wait is as long as what was asked for."""
    return Gate(workers, queue, Metrics(["house"]), clock=lambda: 100.0)


class Queue:
    """A gate whose only worker is taken, and those who wait before it: names in the order of being served.

    Its clock stands still: the holder of the worker has 10 seconds to go.
    """

    def __init__(self, queue: int = 10) -> None:
        self.gate = standing_gate(queue=queue)
        self.served: list[str] = []
        self.tasks: dict[str, asyncio.Task[None]] = {}
        self._holder = self.gate.admitted(1, None, expected=10.0)
        self._turn: asyncio.Event | None = None  # set when whoever has the worker since ``next`` is to give it back

    async def __aenter__(self) -> Queue:
        await self._holder.__aenter__()
        return self

    async def __aexit__(self, *_: object) -> None:
        """Free the worker, and let everybody have a turn."""
        last, self._turn = self._turn, None
        if last is None:
            await self._holder.__aexit__(None, None, None)
        else:
            last.set()
        await asyncio.gather(*self.tasks.values(), return_exceptions=True)
        assert (self.gate.busy, self.gate.waiting) == (0, 0)

    async def wait(self, name: str, priority: Priority = NORMAL, **more: Any) -> None:
        """Somebody comes: the client is the name's first letter."""

        async def enter() -> None:
            async with self.gate.admitted(1, None, client=name[0], priority=priority, **more):
                self.served.append(name)
                if self._turn is not None:
                    await self._turn.wait()

        self.tasks[name] = asyncio.create_task(enter())
        await self._settled()

    async def next(self) -> None:
        """Whoever has the worker gives it to the next one, who keeps it until this is called again, or the end."""
        held, self._turn = self._turn, asyncio.Event()
        if held is None:
            await self._holder.__aexit__(None, None, None)
        else:
            held.set()
        await self._settled()

    async def _settled(self) -> None:
        for _ in range(5):  # whoever is sent away for somebody hears of it, too
            await asyncio.sleep(0)

    def refused(self) -> list[str]:
        """Who was sent away as the queue was full."""
        return [name for name, task in self.tasks.items() if task.done() and isinstance(task.exception(), QueueFull)]


@in_loop
async def test_clients_take_turns_however_much_one_of_them_asks_for() -> None:
    async with Queue() as queue:
        for name in ("a1", "a2", "a3", "b1", "b2", "c1"):
            await queue.wait(name)
    assert queue.served == ["a1", "b1", "c1", "a2", "b2", "a3"]


@in_loop
async def test_a_higher_priority_goes_first_and_clients_take_turns_within_it() -> None:
    async with Queue() as queue:
        for name, priority in (("a1", LOW), ("a2", NORMAL), ("a3", NORMAL), ("b1", NORMAL), ("b2", HIGH), ("c1", HIGH)):
            await queue.wait(name, priority)
    assert queue.served == ["b2", "c1", "a2", "b1", "a3", "a1"]


@in_loop
async def test_every_ninth_turn_is_a_lower_priority_s() -> None:
    async with Queue(queue=50) as queue:
        for name, priority, count in (("h", HIGH, 20), ("n", NORMAL, 3), ("l", LOW, 3)):
            for number in range(count):
                await queue.wait(f"{name}{number}", priority)
    # Eight of the highest have begun before both others; then it is the turn of each of them, the higher first.
    assert "".join(name[0] for name in queue.served) == "h" * 8 + "nl" + "h" * 8 + "nl" + "h" * 4 + "nl"


@in_loop
async def test_a_priority_that_was_refused_long_enough_gets_a_place_in_a_full_queue_and_keeps_it() -> None:
    async with Queue(queue=2) as queue:
        gate = queue.gate
        await queue.wait("a0")
        await queue.wait("b0")
        with pytest.raises(QueueFull):
            gate.look("c", LOW)
        for number in range(1, 9):  # eight of the others begin, and the queue is full again each time
            await queue.next()
            await queue.wait(f"{'ba'[number % 2]}{number}")
            assert gate.waiting == 2
        gate.look("c", LOW)
        await queue.wait("c1", LOW)
        assert len(queue.refused()) == 1
        assert queue.refused() != ["c1"]
        await queue.wait("d1", HIGH)  # takes the other place, not the one that is owed
        assert not queue.tasks["c1"].done()
    assert queue.served[-2:] == ["c1", "d1"]


@in_loop
async def test_who_leaves_the_queue_is_not_missed() -> None:
    async with Queue() as queue:
        for name in ("a1", "a2", "b1"):
            await queue.wait(name)
        queue.tasks["a1"].cancel()
        await asyncio.wait([queue.tasks["a1"]])
    assert queue.served == ["a2", "b1"]


@in_loop
async def test_a_full_queue_shares_its_places_out_among_clients() -> None:
    async with Queue(queue=3) as queue:
        for name in ("a1", "a2", "a3", "b1", "b2", "c1", "a4"):
            await queue.wait(name)
        # b1 takes the place of a3; then a holds two and b one, so b2 has no more right to one; c1 takes that of a2.
        assert queue.refused() == ["a2", "a3", "b2", "a4"]
    assert queue.served == ["a1", "b1", "c1"]


@in_loop
async def test_a_full_queue_gives_a_place_of_a_lower_priority_to_a_higher_one() -> None:
    async with Queue(queue=2) as queue:
        for name, priority in (("a1", LOW), ("b1", NORMAL), ("c1", NORMAL), ("d1", NORMAL), ("e1", LOW), ("b2", HIGH)):
            await queue.wait(name, priority)
        assert queue.refused() == ["a1", "c1", "d1", "e1"]
    assert queue.served == ["b2", "b1"]


@in_loop
async def test_a_look_refuses_whom_the_queue_would_refuse_and_nobody_else() -> None:
    async with Queue(queue=2) as queue:
        queue.gate.look("a", LOW)
        await queue.wait("a1")
        await queue.wait("a2")
        queue.gate.look("b", NORMAL)
        queue.gate.look("a", HIGH)
        for client, priority in (("a", NORMAL), ("b", LOW)):
            with pytest.raises(QueueFull):
                queue.gate.look(client, priority)


@in_loop
async def test_the_expected_wait_counts_who_runs_and_who_goes_before() -> None:
    async with Queue() as queue:
        assert queue.gate.expected_wait("a") == 10.0
        await queue.wait("a1", expected=4.0)
        await queue.wait("a2", expected=2.0)
        await queue.wait("b1", LOW, expected=1.0)
        assert queue.gate.expected_wait("a") == 16.0  # behind both of its own
        assert queue.gate.expected_wait("c") == 14.0  # behind one of a's
        assert queue.gate.expected_wait("c", HIGH) == 10.0
        assert queue.gate.expected_wait("c", LOW) == 17.0


@in_loop
async def test_who_waits_is_expected_to_end_by_his_deadline() -> None:
    async with Queue() as queue:
        task = asyncio.create_task(queue.gate.admitted(1, 12.0, client="a", expected=12.0).__aenter__())
        await asyncio.sleep(0)
        # It begins after 10 seconds, and its deadline leaves it two.
        assert queue.gate.expected_wait("b") == 12.0
        task.cancel()
        await asyncio.wait([task])


@in_loop
async def test_two_workers_halve_the_wait() -> None:
    gate = standing_gate(workers=2)
    async with gate.admitted(1, None, expected=3.0), gate.admitted(1, None, expected=5.0):
        assert gate.expected_wait() == 3.0
        assert gate.expected_wait(threads=2) == 5.0


@in_loop
async def test_searches_that_end_early_shorten_the_expected_wait() -> None:
    gate = standing_gate()
    for _ in range(30):
        async with gate.admitted(1, None, expected=100.0):
            pass
    async with gate.admitted(1, None, expected=100.0):
        # Of what is expected a fifth of the difference is learned each time: 100 seconds less 20 % thirty times.
        assert gate.expected_wait() == pytest.approx(100.0 * 0.8**30)


@in_loop
async def test_a_wait_beyond_the_deadline_is_refused_at_once_and_a_shorter_one_is_not() -> None:
    async with Queue() as queue:
        with pytest.raises(OutOfTime) as refused:  # at once: the clock stands still, and 9 seconds would be long
            async with queue.gate.admitted(1, 9.0):
                pass
        assert refused.value.wait == 10.0
        assert queue.gate.waiting == 0
        task = asyncio.create_task(queue.gate.admitted(1, 20.0).__aenter__())
        await asyncio.sleep(0)
        assert queue.gate.waiting == 1
        task.cancel()
        await asyncio.wait([task])


@in_loop
async def test_who_tries_again_until_there_is_room_is_not_counted_as_refused() -> None:
    counts = Metrics(["house"])
    gate = Gate(1, 1, counts, clock=lambda: 100.0)
    refused = counts.rejected.labels("queue_full")
    async with gate.admitted(1, None, expected=10.0):
        waits = asyncio.create_task(gate.admitted(1, None, client="a", priority=LOW, tries_again=True).__aenter__())
        await asyncio.sleep(0)
        with pytest.raises(QueueFull):
            await gate.admitted(1, None, client="b", priority=LOW, tries_again=True).__aenter__()
        above = asyncio.create_task(gate.admitted(1, None, client="c", priority=HIGH).__aenter__())
        await asyncio.wait([waits])
        assert isinstance(waits.exception(), QueueFull)  # its place is the higher one's
        assert refused._value.get() == 0
        with pytest.raises(QueueFull):
            gate.look("d", LOW)
        assert refused._value.get() == 1
        above.cancel()
        await asyncio.wait([above])


@in_loop
async def test_a_refusal_names_the_time_until_the_first_worker_is_free() -> None:
    async with Queue(queue=0) as queue:
        with pytest.raises(QueueFull) as refused:
            queue.gate.look("a")
        assert refused.value.wait == 10.0


def test_a_rate_lets_a_burst_through_and_then_so_many_a_second() -> None:
    now = [0.0]
    rates = Rates(2.0, 3, lambda: now[0])
    for _ in range(3):
        rates.spend("a")
    with pytest.raises(RateLimited) as refused:
        rates.spend("a")
    assert refused.value.wait == pytest.approx(0.5)
    rates.spend("b")  # another client has a bucket of its own
    now[0] = 0.5
    rates.spend("a")
    with pytest.raises(RateLimited):
        rates.spend("a")
    now[0] = 1000.0  # no more than a burst is saved up
    for _ in range(3):
        rates.spend("a")
    with pytest.raises(RateLimited):
        rates.spend("a")


def test_rates_remember_a_bounded_number_of_clients() -> None:
    rates = Rates(1.0, 1, lambda: 0.0)
    rates.spend("first")
    for number in range(MOST_CLIENTS):
        rates.spend(str(number))
    rates.spend("first")  # forgotten meanwhile
    with pytest.raises(RateLimited):
        rates.spend(str(MOST_CLIENTS - 1))


# --- through the service --------------------------------------------------------------------------------------------


def asked(**limits: Any) -> advisor_pb2.AdviseRequest:
    return advisor_pb2.AdviseRequest(position=position().to_proto(), limits=advisor_pb2.SearchLimits(**limits))


def detail(error: grpc.aio.AioRpcError, kind: Any) -> Any:
    found = kind()
    status = rpc_status.from_call(error)
    assert any(one.Unpack(found) for one in status.details)
    return found


@in_loop
async def test_a_deadline_before_its_turn_is_told_at_once() -> None:
    async with serving(FakeSearch(), workers=1) as server, channel(server) as opened:
        stub = advisor_pb2_grpc.AdvisorServiceStub(opened)
        first = stub.Advise(asked(time=LONG))
        await until(lambda: server.gate.busy == 1)
        began = time.monotonic()
        with pytest.raises(grpc.aio.AioRpcError) as refused:
            await stub.Advise(asked(time=LONG), timeout=15)
        assert time.monotonic() - began < 14  # not its own 15 seconds, nor the 30 of the search before it
        assert refused.value.code() is grpc.StatusCode.DEADLINE_EXCEEDED
        info = detail(refused.value, error_details_pb2.ErrorInfo)
        assert info.reason == "DEADLINE"
        assert float(info.metadata["expected_wait_seconds"]) == pytest.approx(30, abs=14)
        assert (await metrics(server))("lisboa_search_rejected_total", reason="deadline") == 1
        first.cancel()


@in_loop
async def test_a_client_beyond_its_rate_is_refused_with_the_limit_and_when_to_try_again() -> None:
    async with serving(FakeSearch(), rate=0.01, burst=2) as server, channel(server) as opened:
        stub = advisor_pb2_grpc.AdvisorServiceStub(opened)
        for _ in range(2):
            await stub.Advise(asked(iterations=1))
        with pytest.raises(grpc.aio.AioRpcError) as refused:
            await stub.Advise(asked(iterations=1))
        assert refused.value.code() is grpc.StatusCode.RESOURCE_EXHAUSTED
        info = detail(refused.value, error_details_pb2.ErrorInfo)
        assert (info.reason, dict(info.metadata)) == ("RATE_LIMITED", {"limit": "rate", "rate": "0.01"})
        retry = detail(refused.value, error_details_pb2.RetryInfo).retry_delay.ToSeconds()
        assert 90 < retry <= 100
        trailers = dict(refused.value.trailing_metadata() or ())
        assert 90_000 < int(trailers["grpc-retry-pushback-ms"]) <= 100_000
        assert (await metrics(server))("lisboa_search_rejected_total", reason="rate") == 1


SMALL = Limits(time=2.0, iterations=100, memory=1 << 26, threads=1, candidates=3, message=20_000, actions=2)


@pytest.mark.parametrize(
    "field, says, limits, options",
    [
        ("limits.time", "3 seconds; allowed: 0 to 2 seconds", {"time": Duration(seconds=3)}, {}),
        ("limits.iterations", "101; allowed: 1 to 100", {"iterations": 101}, {}),
        ("limits.threads", "2; allowed: 1 to 1", {"threads": 2}, {}),
        ("limits.memory_bytes", " bytes; allowed: ", {"memory_bytes": 1 << 27}, {}),
        ("options.candidates", "4; allowed: 1 to 3", {}, {"candidates": 4}),
    ],
)
def test_a_search_beyond_a_limit_is_refused_by_its_name(
    field: str, says: str, limits: dict[str, Any], options: dict[str, Any]
) -> None:
    @in_loop
    async def run() -> None:
        given = {"limits": SMALL, "default_memory": 1 << 24, "default_candidates": 3}
        async with serving(FakeSearch(), **given) as server, channel(server) as opened:
            request = asked(**limits)
            request.options.MergeFrom(advisor_pb2.SearchOptions(**options))
            with pytest.raises(grpc.aio.AioRpcError) as refused:
                await advisor_pb2_grpc.AdvisorServiceStub(opened).Advise(request)
            assert refused.value.code() is grpc.StatusCode.INVALID_ARGUMENT
            (fault,) = detail(refused.value, error_details_pb2.BadRequest).field_violations
            assert (fault.field, fault.reason) == (field, "OUT_OF_RANGE")
            assert says in fault.description

    run()


@in_loop
async def test_too_many_actions_and_too_large_a_request_are_refused_with_the_limit() -> None:
    given = {"limits": SMALL, "default_memory": 1 << 24, "default_candidates": 3}
    async with serving(FakeSearch(), **given) as server, channel(server) as opened:
        rules = rules_pb2_grpc.RulesServiceStub(opened)
        actions = [record_pb2.RecordedAction(text="done")] * 3
        request = rules_pb2.AdvancePositionRequest(position=position().to_proto(), actions=actions)
        with pytest.raises(grpc.aio.AioRpcError) as refused:
            await rules.AdvancePosition(request)
        (fault,) = detail(refused.value, error_details_pb2.BadRequest).field_violations
        assert (fault.field, fault.description.partition(";")[2]) == ("actions", " allowed: at most 2")
        with pytest.raises(grpc.aio.AioRpcError) as large:
            await opened.unary_unary("/lisboa.v1.RulesService/NewGame")(b"\0" * 20_001)
        assert large.value.code() is grpc.StatusCode.RESOURCE_EXHAUSTED
        assert large.value.details() == "a request of 20001 bytes; allowed: 20000 bytes at most"
        info = detail(large.value, error_details_pb2.ErrorInfo)
        assert (info.reason, info.metadata["limit"], info.metadata["allowed"]) == (
            "MESSAGE_TOO_LARGE",
            "limits.message",
            "20000",
        )
        method = {"grpc_service": "lisboa.v1.RulesService", "grpc_method": "NewGame", "grpc_type": "unary"}
        refused_ones = {**method, "grpc_code": "ResourceExhausted"}
        assert (await metrics(server))("grpc_server_handled_total", **refused_ones) == 1
        with pytest.raises(grpc.aio.AioRpcError) as huge:  # by gRPC itself, which nobody counts
            await opened.unary_unary("/lisboa.v1.RulesService/NewGame")(b"\0" * 80_001)
        assert huge.value.code() is grpc.StatusCode.RESOURCE_EXHAUSTED
        assert (await metrics(server))("grpc_server_handled_total", **refused_ones) == 1


@in_loop
async def test_a_client_that_floods_the_queue_makes_room_for_another_one(tmp_path: Path) -> None:
    made = {name: fresh_token(name, "advise") for name in ("flood", "other")}
    path = tmp_path / "tokens"
    path.write_text("".join(f"{line}\n" for _, line in made.values()))
    async with serving(FakeSearch(), workers=1, queue=3, tokens=str(path)) as server, channel(server) as opened:
        stub = advisor_pb2_grpc.AdvisorServiceStub(opened)

        def ask(name: str) -> Any:
            return stub.Advise(asked(time=LONG), metadata=(("authorization", f"Bearer {made[name][0]}"),))

        floods = [ask("flood") for _ in range(4)]
        await until(lambda: (server.gate.busy, server.gate.waiting) == (1, 3))
        other = ask("other")
        done, _ = await asyncio.wait(
            [asyncio.ensure_future(call.code()) for call in floods], return_when="FIRST_COMPLETED"
        )
        assert [one.result() for one in done] == [grpc.StatusCode.RESOURCE_EXHAUSTED]
        assert not other.done()
        assert server.gate.waiting == 3
        for call in (*floods, other):
            call.cancel()


@in_loop
async def test_refusals_of_a_full_queue_take_milliseconds() -> None:
    async with serving(FakeSearch(), workers=1, queue=1) as server, channel(server) as opened:
        stub = advisor_pb2_grpc.AdvisorServiceStub(opened)
        calls = [stub.Advise(asked(time=LONG)) for _ in range(2)]
        await until(lambda: (server.gate.busy, server.gate.waiting) == (1, 1))
        took = [math.inf]
        while took[-1] > 0.005:  # the fastest of many: the machine may be busy with something else
            assert len(took) < 1000
            began = time.monotonic()
            with pytest.raises(grpc.aio.AioRpcError):
                await stub.Advise(asked(time=LONG))
            took.append(time.monotonic() - began)
        for call in calls:
            call.cancel()
