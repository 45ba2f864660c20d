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
from lisboa_ai.client import AsyncClient, Question
from lisboa_ai.notation import action_text
from lisboa_ai.record import GameRecord
from lisboa_ai.server.cache import Cache
from lisboa_ai.server.metrics import Metrics
from tests.serving import FakeSearch, canned, channel, in_loop, metrics, position, running, serving, until

LIMITS = SearchLimits(iterations=20, seed=1)
OPTIONS = SearchOptions()


def asked(iterations: int | None = 20, **more: Any) -> advisor_pb2.AdviseRequest:
    limits = advisor_pb2.SearchLimits(iterations=iterations, **more)
    return advisor_pb2.AdviseRequest(position=position().to_proto(), limits=limits)


def test_a_question_is_known_by_all_that_its_answer_depends_on() -> None:
    cache = Cache(10, Metrics(["house"]))
    other = GameRecord.new(edition.load("house"), 2, 2)
    questions = [
        (position(), LIMITS, OPTIONS, "advice"),
        (position(), LIMITS, OPTIONS, "evaluation"),
        (other.position(other.replay().seat), LIMITS, OPTIONS, "advice"),
        (position(), replace(LIMITS, seed=2), OPTIONS, "advice"),
        (position(), replace(LIMITS, iterations=21), OPTIONS, "advice"),
        (position(), replace(LIMITS, threads=2), OPTIONS, "advice"),
        (position(), replace(LIMITS, memory=1 << 24), OPTIONS, "advice"),
        (position(), replace(LIMITS, decided=0.95), OPTIONS, "advice"),
        (position(), LIMITS, replace(OPTIONS, candidates=3), "advice"),
        (position(), LIMITS, replace(OPTIONS, algorithm="multiple"), "advice"),
        (position(), LIMITS, OPTIONS, (0, 1)),
        (position(), LIMITS, OPTIONS, (1, 0)),
    ]
    assert len({cache.key(*question) for question in questions}) == len(questions)


def test_a_time_limit_that_ended_nothing_makes_no_other_question() -> None:
    cache = Cache(10, Metrics(["house"]))
    assert cache.key(position(), replace(LIMITS, time=5.0), OPTIONS, "advice") == cache.key(
        position(), LIMITS, OPTIONS, "advice"
    )
    assert cache.key(position(), SearchLimits(time=1.0), OPTIONS, "advice") is None  # no iterations: not reproducible


@pytest.mark.parametrize("reason", ["time", "memory", "cancelled"])
def test_what_something_else_than_its_iterations_ended_is_not_kept(reason: str) -> None:
    cache = Cache(10, Metrics(["house"]))
    key = cache.key(position(), LIMITS, OPTIONS, "advice")
    cache.put(key, replace(canned(), stop_reason=reason))
    assert cache.get(key) is None
    for reason in ("iterations", "decided", "single_action"):
        cache.put(key, replace(canned(), stop_reason=reason))
        assert cache.get(key) == replace(canned(), stop_reason=reason)


def test_what_was_not_asked_for_longest_goes_first() -> None:
    cache = Cache(2, Metrics(["house"]))
    first, second, third = (cache.key(position(), replace(LIMITS, seed=seed), OPTIONS, "advice") for seed in (1, 2, 3))
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
    assert cache.key(position(), LIMITS, OPTIONS, "advice") is None
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
        for name in ("elapsed", "queued", "cached"):
            reply.advice.report.ClearField(name)
        return reply.advice

    with running(cache=10) as keeping, running(cache=0) as forgetful:
        answers, cached = [], []
        for server in (keeping, keeping, forgetful):
            with grpc.insecure_channel(server.address) as opened:
                reply = advisor_pb2_grpc.AdvisorServiceStub(opened).Advise(asked(iterations=60, seed=3))
                cached.append(reply.advice.report.cached)
                answers.append(without_times(reply))
        assert cached == [False, True, False]
        assert len(keeping.searches.cache) == 1
        assert answers[0] == answers[1] == answers[2]


def test_a_comparison_asked_again_is_the_same_and_another_order_of_its_actions_is_another_one() -> None:
    seen = position().observation
    texts = [action_text(position().tables, seen.kind, seen.context, one) for one in seen.legal()[:2]]
    with running(cache=10) as server, grpc.insecure_channel(server.address) as opened:
        stub = advisor_pb2_grpc.AdvisorServiceStub(opened)

        def ask(actions: list[str]) -> tuple[bool, advisor_pb2.CompareActionsResponse]:
            call = stub.CompareActions.with_call(
                advisor_pb2.CompareActionsRequest(
                    position=asked().position, limits=asked(iterations=40).limits, actions=actions
                )
            )
            reply: advisor_pb2.CompareActionsResponse = call[0]
            cached = reply.report.cached
            assert (("lisboa-cache", "hit") in call[1].trailing_metadata()) == cached
            for name in ("elapsed", "queued", "cached"):
                reply.report.ClearField(name)  # type: ignore[arg-type]
            return cached, reply

        first, again, other = ask(texts), ask(texts), ask(texts[::-1])
    assert (first[0], again[0], other[0]) == (False, True, False)
    assert first[1] == again[1]
    assert [one.action.text for one in other[1].actions] == texts[::-1]


@in_loop
async def test_each_reply_of_a_batch_says_whether_it_was_kept() -> None:
    async with serving(FakeSearch(), workers=1) as server, AsyncClient(server.address) as connected:
        await connected.advise(position(), limits=LIMITS)
        async with connected.batch() as batch:
            await batch.ask(Question("kept", position(), limits=LIMITS))
            await batch.ask(Question("new", position(), limits=replace(LIMITS, seed=2)))
            await batch.close()
            answers = {one.name: one async for one in batch}
    assert {name: one.cached for name, one in answers.items()} == {"kept": True, "new": False}


@in_loop
async def test_a_full_queue_does_not_keep_back_what_is_known() -> None:
    fake = FakeSearch()
    async with serving(fake, workers=1, queue=1) as server, channel(server) as opened:
        stub = advisor_pb2_grpc.AdvisorServiceStub(opened)
        await stub.Advise(asked())
        long = asked(iterations=None, time=Duration(seconds=30))
        held = [stub.Advise(long) for _ in range(2)]
        await until(lambda: (server.gate.busy, server.gate.waiting) == (1, 1))
        assert (await stub.Advise(asked())).advice.report.cached
        for unknown in (asked(seed=2), long):
            with pytest.raises(grpc.aio.AioRpcError) as refused:
                await stub.Advise(unknown)
            assert refused.value.code() is grpc.StatusCode.RESOURCE_EXHAUSTED
        found = await metrics(server)
        assert found("lisboa_search_rejected_total", reason="queue_full") == 2
        assert found("lisboa_search_cache_events_total", event="hit") == 1
        for call in held:
            call.cancel()


@in_loop
async def test_a_full_queue_does_not_refuse_a_kept_answer_whose_iterations_are_a_level_s() -> None:
    fake = FakeSearch()
    question = advisor_pb2.AdviseRequest(position=position().to_proto(), options=advisor_pb2.SearchOptions(level=5))
    async with serving(fake, workers=1, queue=0) as server, channel(server) as opened:
        stub = advisor_pb2_grpc.AdvisorServiceStub(opened)
        await stub.Advise(question)
        long = stub.Advise(asked(iterations=None, time=Duration(seconds=50)))
        await until(lambda: fake.running == 1)
        assert (await stub.Advise(question)).advice.report.cached
        question.options.level = 10  # searches as long as the limits allow
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await stub.Advise(question)
        assert caught.value.code() is grpc.StatusCode.RESOURCE_EXHAUSTED
        long.cancel()
