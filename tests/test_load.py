"""The load tool: arrivals that do not wait for answers, latency from the intended start, codes, and what it refuses."""

from __future__ import annotations

import asyncio
import itertools
import math
import statistics
import sys
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from bench.load import End, Load, arrivals, generator, percentile, report_of, send
from bench.load import __main__ as command
from bench.load.calls import CALLS
from bench.load.generator import UNSENT, opened
from bench.load.soak import growth
from lisboa_ai.analysis import SearchLimits
from tests.serving import FakeSearch, in_loop, metrics, serving, until


def test_fixed_arrivals_come_at_equal_intervals_until_either_bound() -> None:
    assert list(arrivals("fixed", 4.0, 1, 5, None)) == [0.0, 0.25, 0.5, 0.75, 1.0]
    assert list(arrivals("fixed", 4.0, 1, None, 0.75)) == [0.0, 0.25, 0.5]
    assert list(arrivals("fixed", 4.0, 1, 2, 100.0)) == [0.0, 0.25]


def test_random_arrivals_follow_their_seed_and_their_rate() -> None:
    times = list(arrivals("poisson", 50.0, 7, 20_000, None))
    assert times == list(arrivals("poisson", 50.0, 7, 20_000, None))
    assert times[:100] != list(arrivals("poisson", 50.0, 8, 100, None))
    gaps = [later - earlier for earlier, later in itertools.pairwise(times)]
    # Exponential: mean and standard deviation are both 1/50 s; with 20,000 of them, within 3 %.
    assert statistics.fmean(gaps) == pytest.approx(0.02, rel=0.03)
    assert statistics.stdev(gaps) == pytest.approx(0.02, rel=0.03)


@pytest.mark.parametrize(
    "kind, rate, count, says",
    [
        ("bursts", 1.0, 1, "arrivals: 'bursts'; allowed: fixed, poisson"),
        ("fixed", 0.0, 1, "rate: 0; allowed: more than 0 calls a second"),
        ("fixed", math.inf, 1, "rate: inf; allowed: more than 0 calls a second"),
        ("fixed", 1.0, None, "count: none and seconds: none; allowed: one of them, or both"),
    ],
)
def test_a_load_without_end_or_rate_is_refused(kind: str, rate: float, count: int | None, says: str) -> None:
    with pytest.raises(ValueError) as caught:
        arrivals(kind, rate, 1, count, None)
    assert str(caught.value) == says


def test_a_percentile_is_the_smallest_value_that_so_many_do_not_exceed() -> None:
    values = [float(value) for value in range(1, 201)]
    assert [percentile(values, part) for part in (50.0, 90.0, 99.0, 99.9, 100.0)] == [100, 180, 198, 200, 200]
    assert percentile([5.0], 50.0) == 5.0


def test_latency_counts_from_the_intended_start_and_codes_are_apart() -> None:
    """The second call was sent 0.9 s late, because the tool was held up: its latency says so."""
    ends = [
        End("OK", meant=0.0, sent=0.0, first=None, ended=1.0),
        End("OK", meant=0.1, sent=1.0, first=None, ended=1.2),
        End("RESOURCE_EXHAUSTED", meant=0.2, sent=1.0, first=None, ended=1.201),
        End(UNSENT, meant=0.3, sent=2.0, first=None, ended=2.0),
    ]
    found = report_of(ends)
    assert found.codes == {"OK": 2, "RESOURCE_EXHAUSTED": 1, "UNSENT": 1}
    assert (found.latency_ms["OK"]["p50"], found.latency_ms["OK"]["max"]) == (1000.0, 1100.0)
    assert found.latency_ms["RESOURCE_EXHAUSTED"]["max"] == 1001.0
    assert found.late_ms == {"p50": 800.0, "p90": 900.0, "p99": 900.0, "p99.9": 900.0, "max": 900.0}
    assert (found.calls, found.seconds, found.rate) == (4, 2.0, 1.0)


def test_first_answers_are_told_of_streams_only() -> None:
    streamed = End("OK", meant=1.0, sent=1.0, first=1.25, ended=2.0)
    assert report_of([streamed]).first_ms["p50"] == 250.0
    assert report_of([End("OK", 1.0, 1.0, None, 2.0)]).first_ms == {}


class _Blocked(FakeSearch):
    """Answers when it is let go."""

    def __init__(self) -> None:
        super().__init__()
        self.go = threading.Event()

    def __call__(self, position: Any, limits: SearchLimits, options: Any, **more: Any) -> Any:
        assert self.go.wait(30)
        return super().__call__(position, limits, options, **more)


@in_loop
async def test_calls_arrive_whether_or_not_those_before_them_were_answered() -> None:
    search = _Blocked()
    async with serving(search, workers=1, queue=2) as server, opened(server.address) as channel:
        load = Load("advise", rate=200.0, count=6, limits=SearchLimits(iterations=5, seed=3))
        sending = asyncio.create_task(send(channel, load))
        refused = await metrics(server)
        while refused("lisboa_search_rejected_total", reason="queue_full") < 3:
            refused = await metrics(server)
        assert not sending.done()
        search.go.set()
        ends = await sending
        await until(lambda: server.gate.busy == 0)
    assert sorted(end.code for end in ends) == ["OK"] * 3 + ["RESOURCE_EXHAUSTED"] * 3
    assert [end.meant for end in ends] == [0.0, 0.005, 0.01, 0.015, 0.02, 0.025]
    assert all(end.meant <= end.sent <= end.ended for end in ends)


@in_loop
async def test_a_stream_is_read_to_its_end_and_its_first_answer_noted() -> None:
    async with serving(FakeSearch(), workers=1) as server, opened(server.address) as channel:
        (end,) = await send(channel, Load("stream", rate=10.0, count=1))
    assert end.code == "OK"
    assert end.first is not None
    assert end.sent < end.first < end.ended


class _Waiting:
    """A channel whose calls end when the event is set."""

    def __init__(self, go: asyncio.Event) -> None:
        self._go = go

    def unary_unary(self, path: str) -> Any:
        async def call(request: bytes, timeout: float) -> None:
            await self._go.wait()

        return call


@in_loop
async def test_no_more_calls_are_open_than_allowed_and_the_others_are_counted() -> None:
    go = asyncio.Event()

    def three_at_once(*bounds: Any) -> Iterator[float]:
        yield from (0.0, 0.0, 0.0)
        go.set()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(generator, "arrivals", three_at_once)
        ends = await send(_Waiting(go), Load("legal", rate=1.0, count=3, most_open=1))
    assert [end.code for end in ends] == ["OK", UNSENT, UNSENT]


def test_searches_of_a_load_differ_in_their_seed() -> None:
    limits = SearchLimits(iterations=5, seed=3)
    made = [CALLS["advise"].request(number, limits) for number in range(3)]
    assert len(set(made)) == 3
    assert made[0] == CALLS["advise"].request(0, limits)


@pytest.mark.parametrize(
    "arguments, says",
    [
        (["--target", "192.0.2.1:50051"], "--target: 192.0.2.1:50051; allowed: this machine"),
        (["--target", "lisboa.example:50051"], "--target: lisboa.example:50051; allowed: this machine"),
        (["--rate", "0"], "--rate: 0.0; allowed: more than 0"),
        (["--seconds", "inf"], "--seconds: inf; allowed: more than 0"),
        (["--count", "-1"], "--count: -1; allowed: more than 0"),
    ],
)
def test_the_command_refuses_what_has_no_end_or_is_far_away(
    arguments: list[str], says: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["load", "run", *arguments])
    with pytest.raises(SystemExit) as caught:
        command.main()
    assert caught.value.code == 2
    assert says in capsys.readouterr().err


def test_a_service_that_is_not_there_is_one_clear_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(generator, "CONNECT", 0.2)
    monkeypatch.setattr(sys, "argv", ["load", "run", "--target", "127.0.0.1:1"])
    with pytest.raises(SystemExit) as caught:
        command.main()
    assert caught.value.code == 2
    said = capsys.readouterr().err.splitlines()[-1]
    assert said.endswith("--target: 127.0.0.1:1: nobody answers; allowed: a service that runs")


@pytest.mark.parametrize("target", ["127.0.0.1:1", "[::1]:1", "localhost:1", "127.8.9.1:1"])
def test_this_machine_has_many_names(target: str) -> None:
    assert command._is_loopback(target)


def test_growth_is_that_of_the_last_third_over_the_middle_one() -> None:
    assert growth([1, 90, 5, 4, 5, 6, 6, 4, 5]) == 0
    assert growth([1, 2, 3, 4, 5, 6, 7, 8, 9]) == 3
