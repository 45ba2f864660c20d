"""The client and what travels: the same answers over the wire as in-process, statuses as exceptions, conversions."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Iterator
from dataclasses import replace

import grpc
import pytest

from lisboa_ai import client, edition, notation, wire
from lisboa_ai.analysis import Analysis, Candidate, SearchLimits, SearchOptions, analyse, evaluate
from lisboa_ai.analysis.model_error import LEAD, ModelError
from lisboa_ai.client import AsyncClient, Client
from lisboa_ai.position import Position
from lisboa_ai.record import GameRecord
from lisboa_ai.server.app import Server
from tests.serving import FakeSearch, in_loop, metrics, running, serving, until, wait_until
from tests.serving import position as waiting_position

FIXED = SearchLimits(iterations=60, seed=11)
HOUSE = edition.load("house")


def played(seats: int, seed: int, actions: int) -> GameRecord:
    """The truth of a game after some actions, each the first legal one."""
    record = GameRecord.new(HOUSE, seats, seed)
    game = record.replay()
    for _ in range(actions):
        record = record.append(notation.action_text(HOUSE, game.kind, game.context, game.legal()[0]))
        game = record.replay()
    return record


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with running() as started:
        yield started


@pytest.fixture(scope="module")
def connected(server: Server) -> Iterator[Client]:
    with Client(server.address) as opened:
        yield opened


@pytest.fixture(scope="module")
def truth() -> GameRecord:
    return played(3, 5, 20)


@pytest.fixture(scope="module")
def seen(truth: GameRecord) -> Position:
    return truth.position(truth.replay().seat)


# --- the same answers -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("granularity", ["decision", "turn"])
def test_advice_over_the_wire_equals_advice_in_process(connected: Client, seen: Position, granularity: str) -> None:
    options = SearchOptions(granularity=granularity, candidates=3)  # type: ignore[arg-type]
    assert connected.advise(seen, limits=FIXED, options=options) == analyse(seen.observation, FIXED, options)


def test_advice_for_a_seat_of_the_truth_is_advice_for_its_observer(
    connected: Client, truth: GameRecord, seen: Position
) -> None:
    seat = seen.observation.observer
    expected = analyse(seen.observation, FIXED)
    assert connected.advise(truth, seat, FIXED) == expected
    assert connected.advise(truth.observe(seat), limits=FIXED) == expected


def test_only_and_exclude_travel_as_texts(connected: Client, seen: Position, truth: GameRecord) -> None:
    legal = seen.observation.legal()
    assert len(legal) > 2
    only = SearchOptions(only=(legal[1],))
    assert [one.actions for one in connected.advise(seen, limits=FIXED, options=only).candidates] == [(legal[1],)]
    exclude = SearchOptions(exclude=(legal[0],), candidates=100)
    found = connected.advise(truth, seen.observation.observer, FIXED, exclude)
    assert legal[0] not in {one.actions[0] for one in found.candidates}


def test_an_evaluation_over_the_wire_equals_one_in_process(connected: Client, truth: GameRecord) -> None:
    game = truth.replay()
    other = (game.seat + 1) % 3
    expected = evaluate(game.observe(other), FIXED)
    assert connected.evaluate(truth, other, FIXED) == replace(expected, candidates=())


def test_the_last_answer_of_a_stream_equals_the_single_one(connected: Client, seen: Position) -> None:
    limits = SearchLimits(iterations=300, seed=2)
    answers = list(connected.stream_advice(seen, limits=limits, interval=0.01))
    assert answers[-1] == analyse(seen.observation, limits)
    assert {one.stop_reason for one in answers[:-1]} <= {"running"}
    assert [one.iterations for one in answers] == sorted(one.iterations for one in answers)


def test_leaving_a_stream_frees_the_worker(server: Server, connected: Client, seen: Position) -> None:
    answers = connected.stream_advice(seen, limits=SearchLimits(time=30.0), interval=0.02)
    assert next(answers).stop_reason == "running"
    assert server.gate.busy == 1
    answers.close()  # type: ignore[attr-defined]  # a generator
    wait_until(lambda: server.gate.busy == 0)


def test_the_asynchronous_client_answers_alike(server: Server, seen: Position, truth: GameRecord) -> None:
    async def ask() -> tuple[Analysis, Analysis, client.Legal, GameRecord]:
        async with AsyncClient(server.address) as opened:
            advice = await opened.advise(seen, limits=FIXED)
            last = [one async for one in opened.stream_advice(seen, limits=FIXED)][-1]
            legal = await opened.legal_actions(seen)
            longer = await opened.apply(truth, legal.actions[0].text)
            with pytest.raises(client.InvalidRequest):
                await opened.apply(truth, "fly")
            return advice, last, legal, longer

    advice, last, legal, longer = asyncio.run(ask())
    assert advice == last == analyse(seen.observation, FIXED)
    assert [one.argument for one in legal.actions] == seen.observation.legal()
    assert longer == truth.append(legal.actions[0].text)


# --- errors ---------------------------------------------------------------------------------------------------------


def test_everything_wrong_with_a_request_is_in_the_exception(connected: Client, seen: Position) -> None:
    limits = SearchLimits(time=4000.0, threads=64)
    with pytest.raises(client.InvalidRequest) as caught:
        connected.advise(seen, limits=limits, options=SearchOptions(candidates=1000))
    assert caught.value.code is grpc.StatusCode.INVALID_ARGUMENT
    assert [one.field for one in caught.value.violations] == ["limits.time", "limits.threads", "options.candidates"]
    assert str(caught.value).splitlines()[0].startswith("limits.time: 4000 seconds; allowed: 0 to 60")


def test_a_truth_without_a_seat_is_refused(connected: Client, truth: GameRecord) -> None:
    with pytest.raises(client.InvalidRequest) as caught:
        connected.advise(truth, limits=FIXED)
    assert [one.field for one in caught.value.violations] == ["seat"]


def test_a_seat_that_is_not_to_act_is_refused(connected: Client, truth: GameRecord) -> None:
    with pytest.raises(client.InvalidRequest) as caught:
        connected.advise(truth, (truth.replay().seat + 1) % 3, FIXED)
    assert [one.field for one in caught.value.violations] == ["seat"]


def test_an_unknown_edition_names_what_is_known(connected: Client) -> None:
    with pytest.raises(client.UnknownEditionError) as caught:
        connected.new_game(2, edition="mansion")
    assert caught.value.reason == "UNKNOWN_EDITION"
    assert caught.value.metadata["known"] == "house"
    assert HOUSE.digest in str(caught.value)


def test_no_server_is_unavailable() -> None:
    with Client("127.0.0.1:1") as nobody, pytest.raises(client.Unavailable):
        nobody.server_info(timeout=40.0)


@in_loop
async def test_a_full_server_says_so_at_once_and_is_asked_once() -> None:
    fake = FakeSearch()
    async with serving(fake, workers=1, queue=0) as server, AsyncClient(server.address) as opened:
        busy = asyncio.create_task(opened.advise(waiting_position(), limits=SearchLimits(time=30.0)))
        await until(lambda: fake.running == 1)
        with pytest.raises(client.Overloaded) as caught:
            await opened.advise(waiting_position(), limits=SearchLimits(time=30.0))
        assert caught.value.reason == "QUEUE_FULL"
        assert caught.value.retry_after is not None
        value = await metrics(server)
        method = {"grpc_type": "unary", "grpc_service": "lisboa.v1.AdvisorService", "grpc_method": "Advise"}
        assert value("grpc_server_handled_total", **method, grpc_code="ResourceExhausted") == 1
        busy.cancel()


# --- conversions ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "seconds, whole, nanos", [(0.0, 0, 0), (0.1, 0, 100_000_000), (1.25, 1, 250_000_000), (0.9999999999, 1, 0)]
)
def test_durations_are_written_to_the_nanosecond(seconds: float, whole: int, nanos: int) -> None:
    message = wire.duration(seconds)
    assert (message.seconds, message.nanos) == (whole, nanos)


def test_an_analysis_survives_the_wire_whole(seen: Position) -> None:
    found = replace(analyse(seen.observation, FIXED, SearchOptions(granularity="turn")), notes=("doubtful",))
    advice = wire.advice_to_proto(found, HOUSE, SearchOptions(granularity="turn"))
    assert wire.analysis_from_proto(advice.evaluation, advice.report, advice.candidates) == found


def test_intervals_are_196_standard_errors_wide(seen: Position) -> None:
    found = analyse(seen.observation, FIXED)
    first = wire.advice_to_proto(found, HOUSE, SearchOptions()).candidates[0].seats[1]
    wigs = math.hypot(first.wigs_error, first.wigs_model_error)
    share = math.hypot(first.win_share_error, first.win_share_model_error)
    assert first.wigs_interval.low == pytest.approx(first.wigs - 1.96 * wigs)
    assert first.win_share_interval.high == pytest.approx(first.win_share + 1.96 * share)
    assert sum(part.wigs for part in first.breakdown) == pytest.approx(first.wigs)


def test_candidates_differ_beyond_chance_or_not(seen: Position) -> None:
    best = analyse(seen.observation, FIXED).best
    zeros = (0.0, 0.0, 0.0)

    def worth(share: float, wigs: float) -> Candidate:
        return replace(
            best,
            win_share=(share, 0.0, 0.0),
            win_share_error=(0.03, *zeros[1:]),
            wigs=(wigs, 0.0, 0.0),
            wigs_error=(3.0, *zeros[1:]),
            model_error=ModelError(0.04 / LEAD, 4.0 / LEAD),
        )

    # The error of a difference of wigs is √(3² + 3² + 4²) = 5.831; 1.96 of it are 11.429.
    assert wire.differences(worth(0.5, 61.4), worth(0.5, 50.0), 0) == []
    assert wire.differences(worth(0.5, 61.5), worth(0.5, 50.0), 0) == ["wigs"]
    # For win shares: 0.11429.
    assert wire.differences(worth(0.614, 50.0), worth(0.5, 50.0), 0) == []
    assert wire.differences(worth(0.615, 50.0), worth(0.5, 50.0), 0) == ["win share"]
