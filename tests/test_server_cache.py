"""Finished analyses are kept: which ones, how many, and that an answer from the cache is the same answer."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import grpc
import pytest
from google.protobuf.duration_pb2 import Duration

from lisboa.v1 import advisor_pb2, advisor_pb2_grpc
from lisboa_ai import edition
from lisboa_ai.analysis import SearchLimits, SearchOptions
from lisboa_ai.record import GameRecord
from lisboa_ai.server.cache import Cache
from lisboa_ai.server.metrics import Metrics
from tests.serving import FakeSearch, canned, channel, in_loop, metrics, position, running, serving

LIMITS = SearchLimits(iterations=20, seed=1)
OPTIONS = SearchOptions()


def asked(iterations: int | None = 20, **more: Any) -> advisor_pb2.AdviseRequest:
    limits = advisor_pb2.SearchLimits(iterations=iterations, **more)
    return advisor_pb2.AdviseRequest(position=position().to_proto(), limits=limits)


def test_a_question_is_known_by_all_that_its_answer_depends_on() -> None:
    cache = Cache(10, Metrics(["house"]))
    other = GameRecord.new(edition.load("house"), 2, 2)
    questions = [
        (position(), LIMITS, OPTIONS, False),
        (position(), LIMITS, OPTIONS, True),
        (other.position(other.replay().seat), LIMITS, OPTIONS, False),
        (position(), replace(LIMITS, seed=2), OPTIONS, False),
        (position(), replace(LIMITS, iterations=21), OPTIONS, False),
        (position(), replace(LIMITS, threads=2), OPTIONS, False),
        (position(), replace(LIMITS, memory=1 << 24), OPTIONS, False),
        (position(), LIMITS, replace(OPTIONS, candidates=3), False),
    ]
    assert len({cache.key(*question) for question in questions}) == len(questions)


def test_a_time_limit_that_ended_nothing_makes_no_other_question() -> None:
    cache = Cache(10, Metrics(["house"]))
    assert cache.key(position(), replace(LIMITS, time=5.0), OPTIONS, False) == cache.key(
        position(), LIMITS, OPTIONS, False
    )
    assert cache.key(position(), SearchLimits(time=1.0), OPTIONS, False) is None  # no iterations: not reproducible


@pytest.mark.parametrize("reason", ["time", "memory", "cancelled"])
def test_what_something_else_than_its_iterations_ended_is_not_kept(reason: str) -> None:
    cache = Cache(10, Metrics(["house"]))
    key = cache.key(position(), LIMITS, OPTIONS, False)
    cache.put(key, replace(canned(), stop_reason=reason))
    assert cache.get(key) is None
    cache.put(key, canned())
    assert cache.get(key) == canned()


def test_what_was_not_asked_for_longest_goes_first() -> None:
    cache = Cache(2, Metrics(["house"]))
    first, second, third = (cache.key(position(), replace(LIMITS, seed=seed), OPTIONS, False) for seed in (1, 2, 3))
    cache.put(first, canned())
    cache.put(second, canned())
    assert cache.get(first) is not None
    cache.put(third, canned())
    assert len(cache) == 2
    assert cache.get(second) is None
    assert cache.get(first) is not None
    assert cache.get(third) is not None


def test_a_cache_of_none_keeps_nothing() -> None:
    cache = Cache(0, Metrics(["house"]))
    assert cache.key(position(), LIMITS, OPTIONS, False) is None
    cache.put(None, canned())
    assert cache.get(None) is None
    assert len(cache) == 0


@in_loop
async def test_a_question_asked_again_is_answered_without_a_worker_and_counted() -> None:
    fake = FakeSearch()
    async with serving(fake, cache=1) as server, channel(server) as opened:
        stub = advisor_pb2_grpc.AdvisorServiceStub(opened)
        first = await stub.Advise(asked())
        limited = await stub.Advise(asked(time=Duration(seconds=50)))
        assert fake.started == 1
        assert limited.advice.report.limits.time.seconds == 50  # as it was asked for
        assert limited.advice.candidates == first.advice.candidates
        await stub.Advise(asked(seed=7))  # takes the only place
        await stub.Advise(asked())
        assert fake.started == 3
        found = await metrics(server)
        assert found("lisboa_search_cache_events_total", event="hit") == 1
        assert found("lisboa_search_cache_events_total", event="miss") == 3
        assert found("lisboa_search_cache_events_total", event="eviction") == 2
        assert found("lisboa_search_cache_entries") == 1
        assert found("lisboa_search_iterations_total") == 3 * canned().iterations  # what is answered again is not work


@in_loop
async def test_a_stream_of_a_kept_answer_is_that_answer_alone() -> None:
    fake = FakeSearch()
    async with serving(fake) as server, channel(server) as opened:
        stub = advisor_pb2_grpc.AdvisorServiceStub(opened)
        await stub.Advise(asked())
        request = advisor_pb2.StreamAdviceRequest(position=asked().position, limits=asked().limits)
        replies = [reply async for reply in stub.StreamAdvice(request)]
        assert [reply.is_final for reply in replies] == [True]
        assert fake.started == 1


def test_the_engines_answer_is_the_same_from_the_cache_and_anew() -> None:
    def without_times(reply: advisor_pb2.AdviseResponse) -> advisor_pb2.Advice:
        for name in ("elapsed", "queued"):
            reply.advice.report.ClearField(name)
        return reply.advice

    with running(cache=10) as keeping, running(cache=0) as forgetful:
        answers = []
        for server in (keeping, keeping, forgetful):
            with grpc.insecure_channel(server.address) as opened:
                reply = advisor_pb2_grpc.AdvisorServiceStub(opened).Advise(asked(iterations=60, seed=3))
                answers.append(without_times(reply))
        assert len(keeping.searches.cache) == 1
        assert answers[0] == answers[1] == answers[2]
