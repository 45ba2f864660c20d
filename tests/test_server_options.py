"""Limits and options of a search: what is asked for is what the engine gets, and what was in force is told."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import grpc
import pytest

from engine_ext.core import KINDS
from lisboa.v1 import advisor_pb2, advisor_pb2_grpc, server_pb2, server_pb2_grpc
from lisboa_ai import beliefs, client, edition, wire_options
from lisboa_ai.analysis import SearchLimits, SearchOptions, analyse
from lisboa_ai.client import Client
from lisboa_ai.levels import LEVELS
from lisboa_ai.notation import action_text
from lisboa_ai.position import Position
from lisboa_ai.record import GameRecord
from lisboa_ai.server import Limits, Server, Settings, SettingsError
from lisboa_ai.server.requests import as_written
from tests.serving import FakeSearch, running

FIXED = SearchLimits(iterations=60, seed=11)
HOUSE = edition.load("house")
ALGORITHMS = {
    "single": advisor_pb2.ALGORITHM_ISMCTS,
    "multiple": advisor_pb2.ALGORITHM_MO_ISMCTS,
    "redeterminizing": advisor_pb2.ALGORITHM_REDETERMINIZING,
    "pimc": advisor_pb2.ALGORITHM_PIMC,
    "flat": advisor_pb2.ALGORITHM_FLAT,
    "greedy": advisor_pb2.ALGORITHM_GREEDY,
    "random": advisor_pb2.ALGORITHM_RANDOM,
}


@functools.cache
def seen() -> Position:
    """A choice between two clergy tiles, one of which is soon found to be better."""
    truth = GameRecord.new(HOUSE, 2, 7)
    return truth.position(truth.replay().seat)


@functools.cache
def wide() -> Position:
    """A decision with many legal actions."""
    truth = GameRecord.new(HOUSE, 2, 7)
    while len(truth.replay().legal()) < 10:
        pending = truth.replay()
        truth = truth.append(action_text(HOUSE, pending.kind, pending.context, pending.legal()[0]))
    return truth.position(truth.replay().seat)


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with running(limits=Limits(time=4000.0), default_confidence=0.9) as started:
        yield started


@pytest.fixture(scope="module")
def connected(server: Server) -> Iterator[Client]:
    with Client(server.address) as opened:
        yield opened


@pytest.fixture(scope="module")
def stub(server: Server) -> Iterator[advisor_pb2_grpc.AdvisorServiceStub]:
    with grpc.insecure_channel(server.address) as opened:
        yield advisor_pb2_grpc.AdvisorServiceStub(opened)


def faults(call: Any, request: Any) -> dict[str, str]:
    """What is wrong with a request, by field."""
    with pytest.raises(grpc.RpcError) as caught:
        call(request)
    return {one.field: one.description for one in client.errors.error_of(caught.value).violations}


def asked(**options: Any) -> advisor_pb2.AdviseRequest:
    return advisor_pb2.AdviseRequest(
        position=seen().to_proto(),
        limits=wire_options.limits_to_proto(FIXED),
        options=advisor_pb2.SearchOptions(**options),
    )


# --- the same search ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ALGORITHMS)
def test_every_algorithm_can_be_asked_for_and_is_told(
    connected: Client, stub: advisor_pb2_grpc.AdvisorServiceStub, name: Any
) -> None:
    options = SearchOptions(algorithm=name)
    assert connected.advise(seen(), limits=FIXED, options=options) == analyse(seen().observation, FIXED, options)
    reply = stub.Advise(asked(algorithm=ALGORITHMS[name]))
    assert reply.advice.report.options.algorithm == ALGORITHMS[name]


@pytest.mark.parametrize("given", [{"cut": -1}, {"cut": 2}, {"priors": False}])
def test_how_games_are_cut_and_what_is_preferred_travel_too(
    connected: Client, stub: advisor_pb2_grpc.AdvisorServiceStub, given: dict[str, Any]
) -> None:
    options = replace(SearchOptions(), **given)
    found = connected.advise(seen(), limits=FIXED, options=options)
    assert found == analyse(seen().observation, FIXED, options)
    assert found != analyse(seen().observation, FIXED)
    told = stub.Advise(asked(**given)).advice.report.options
    assert {name: getattr(told, name) for name in given} == given


def test_weights_of_one_s_own_are_not_dropped_without_a_word(connected: Client) -> None:
    with pytest.raises(ValueError, match=r"^weights: mine\.json; allowed: none over the wire"):
        connected.advise(wide(), options=SearchOptions(weights="mine.json"))


def test_what_is_left_out_is_the_default_and_told(stub: advisor_pb2_grpc.AdvisorServiceStub) -> None:
    told = stub.Advise(asked()).advice.report.options
    usual = SearchOptions()
    assert (told.algorithm, told.cut, told.priors) == (ALGORITHMS[usual.algorithm], usual.cut, usual.priors)
    assert told.HasField("cut")
    assert told.HasField("priors")


# --- levels -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("level", [1, 4, 9, 10])
def test_a_level_searches_and_chooses_as_in_process(
    connected: Client, stub: advisor_pb2_grpc.AdvisorServiceStub, level: int
) -> None:
    limits = SearchLimits(iterations=60 if level == 10 else None, seed=2)
    expected = analyse(wide().observation, limits, SearchOptions(level=level, candidates=3))
    assert connected.advise(wide(), limits=limits, options=SearchOptions(level=level, candidates=3)) == expected
    request = asked(level=level, candidates=3)
    request.position.CopyFrom(wide().to_proto())
    request.limits.CopyFrom(wire_options.limits_to_proto(limits))
    advice = stub.Advise(request).advice
    assert advice.choice == expected.chosen
    assert advice.report.limits.iterations == (LEVELS[level].iterations or 60)
    assert not advice.report.limits.HasField("time")
    assert (advice.report.options.WhichOneof("strategy"), advice.report.options.level) == ("level", level)


def test_what_a_level_draws_is_among_the_candidates_and_need_not_be_the_best(connected: Client) -> None:
    options = SearchOptions(level=1, candidates=2)
    found = [connected.advise(wide(), limits=SearchLimits(seed=seed), options=options) for seed in range(40)]
    assert len({one.choice.actions for one in found}) > 1
    for one in found:
        assert one.choice == one.candidates[one.chosen]
        assert len(one.candidates) == (3 if one.chosen == 2 else 2)  # it follows them if it is none of them
    assert {one.chosen for one in found} >= {0, 2}


def test_a_level_is_refused_with_what_is_allowed(stub: advisor_pb2_grpc.AdvisorServiceStub) -> None:
    for wrong in (0, 11, 2**32 - 1):
        assert faults(stub.Advise, asked(level=wrong)) == {"options.level": f"{wrong}; allowed: 1 to 10"}
    with running(FakeSearch(), limits=Limits(iterations=100)) as small, grpc.insecure_channel(small.address) as opened:
        request = asked(level=9)
        request.ClearField("limits")
        assert faults(advisor_pb2_grpc.AdvisorServiceStub(opened).Advise, request) == {
            "options.level": f"9, which takes {LEVELS[9].iterations} iterations; allowed: one that takes 100 at most"
        }


# --- until it is decided ----------------------------------------------------------------------------------------------


def test_a_search_stops_when_it_is_decided_and_says_so(
    connected: Client, stub: advisor_pb2_grpc.AdvisorServiceStub
) -> None:
    limits = SearchLimits(iterations=30_000, seed=1, decided=0.75)
    expected = analyse(seen().observation, limits)
    assert expected.stop_reason == "decided"
    assert expected.iterations < 30_000
    assert connected.advise(seen(), limits=limits) == expected
    request = asked()
    request.limits.CopyFrom(wire_options.limits_to_proto(limits))
    report = stub.Advise(request).advice.report
    assert report.stop_reason == advisor_pb2.STOP_REASON_DECIDED
    assert report.limits.confidence == 0.75
    assert (
        report.cached
    )  # kept from the call before: a decided search is as reproducible as one that used up its iterations


def test_the_server_s_confidence_holds_where_none_is_asked_for(
    server: Server, stub: advisor_pb2_grpc.AdvisorServiceStub
) -> None:
    request = asked()
    request.limits.ClearField("confidence")
    assert stub.Advise(request).advice.report.limits.confidence == 0.9
    request.limits.confidence = 0.0
    report = stub.Advise(request).advice.report
    assert report.limits.HasField("confidence")
    assert report.limits.confidence == 0.0
    with grpc.insecure_channel(server.address) as opened:
        info = server_pb2_grpc.ServerServiceStub(opened).GetServerInfo(server_pb2.GetServerInfoRequest())
    assert info.default_limits.confidence == 0.9
    assert Settings().default_confidence == 0.0


@pytest.mark.parametrize("wrong", [0.3, 1.0, -1.0, float("nan")])
def test_a_confidence_that_is_none_is_refused(stub: advisor_pb2_grpc.AdvisorServiceStub, wrong: float) -> None:
    request = asked()
    request.limits.confidence = wrong
    assert faults(stub.Advise, request) == {"limits.confidence": f"{wrong:g}; allowed: 0, or 0.5 to 0.9999"}
    with pytest.raises(SettingsError, match=r"^default_confidence: "):
        Settings(default_confidence=wrong)


# --- beliefs ----------------------------------------------------------------------------------------------------------


@functools.cache
def later() -> GameRecord:
    """A game for two in which each player has played cards, and one is to play another."""
    record = GameRecord.new(HOUSE, 2, 7)
    game = record.replay()
    texts = []
    while game.turn < 6 or KINDS[game.kind] != "play_card":
        texts.append(action_text(HOUSE, game.kind, game.context, game.legal()[0]))
        game.apply(game.legal()[0])
    return record.extend(texts)


def test_beliefs_rest_on_the_record_that_is_sent(
    server: Server, connected: Client, stub: advisor_pb2_grpc.AdvisorServiceStub
) -> None:
    seat = later().replay().seat
    options = SearchOptions(beliefs=True)
    observed = later().replay().observe(seat)
    expected = analyse(observed, FIXED, options, history=beliefs.history(later(), seat))
    assert expected.effective_samples > 1.0
    for record, asked_seat in ((later(), seat), (later().observe(seat), None)):
        assert connected.advise(record, asked_seat, FIXED, options) == expected
    worth = connected.evaluate(later(), seat, FIXED, options)
    assert worth.effective_samples == expected.effective_samples
    request = advisor_pb2.AdviseRequest(
        record=later().to_proto(),
        seat=seat,
        limits=wire_options.limits_to_proto(FIXED),
        options=asked(beliefs=True).options,
    )
    for _ in range(2):
        report = stub.Advise(request).advice.report
        assert report.options.beliefs
        assert not report.cached  # the cache goes by positions


def test_beliefs_are_refused_where_nothing_says_what_rivals_chose(stub: advisor_pb2_grpc.AdvisorServiceStub) -> None:
    said = "true; allowed: false, or a record, on whose actions beliefs rest"
    assert faults(stub.Advise, asked(beliefs=True)) == {"options.beliefs": said}
    said = "true; allowed: false, as the few worlds of ALGORITHM_PIMC are drawn once"
    assert faults(stub.Advise, asked(beliefs=True, algorithm=advisor_pb2.ALGORITHM_PIMC)) == {"options.beliefs": said}
    record, options = later().to_proto(), asked(beliefs=True).options
    review = advisor_pb2.ReviewGameRequest(record=record, options=options)
    said = "true; allowed: false, not in a review"
    assert faults(lambda request: list(stub.ReviewGame(request)), review) == {"options.beliefs": said}
    compared = advisor_pb2.CompareActionsRequest(record=record, seat=later().replay().seat, options=options)
    pending = later().replay()
    compared.actions.extend(action_text(HOUSE, pending.kind, pending.context, one) for one in pending.legal()[:2])
    said = "true; allowed: false, not in a comparison"
    assert faults(stub.CompareActions, compared) == {"options.beliefs": said}


# --- without a search -------------------------------------------------------------------------------------------------


def test_without_a_search_there_is_an_order_and_no_estimate(stub: advisor_pb2_grpc.AdvisorServiceStub) -> None:
    advice = stub.Advise(asked(algorithm=advisor_pb2.ALGORITHM_GREEDY)).advice
    assert advice.report.stop_reason == advisor_pb2.STOP_REASON_NO_SEARCH
    assert (advice.report.iterations, advice.evaluation.visits, advice.choice) == (0, 0, 0)
    assert len(advice.candidates) == 2
    assert not any(one.seats or one.HasField("prior") for one in advice.candidates)
    assert not advice.evaluation.seats


def test_an_evaluation_needs_a_search_that_plays_its_best(stub: advisor_pb2_grpc.AdvisorServiceStub) -> None:
    request = advisor_pb2.EvaluateRequest(position=asked().position, limits=asked().limits)
    request.options.algorithm = advisor_pb2.ALGORITHM_RANDOM
    searches = ", ".join(map(advisor_pb2.Algorithm.Name, list(ALGORITHMS.values())[:5]))
    assert faults(stub.Evaluate, request) == {
        "options.algorithm": f"ALGORITHM_RANDOM; allowed: {searches}, in an evaluation"
    }
    request.options.level = 2
    assert faults(stub.Evaluate, request) == {"options.level": "2; allowed: none, in an evaluation"}
    request.options.algorithm = advisor_pb2.ALGORITHM_PIMC
    assert stub.Evaluate(request).report.iterations == FIXED.iterations


def test_whole_turns_need_a_search(stub: advisor_pb2_grpc.AdvisorServiceStub) -> None:
    request = asked(algorithm=advisor_pb2.ALGORITHM_GREEDY, granularity=advisor_pb2.GRANULARITY_TURN)
    said = "GRANULARITY_TURN; allowed: GRANULARITY_DECISION, as the algorithm decides without a search"
    assert faults(stub.Advise, request) == {"options.granularity": said}


# --- faults ---------------------------------------------------------------------------------------------------------


def test_options_that_mean_nothing_are_refused_with_what_is_allowed(
    stub: advisor_pb2_grpc.AdvisorServiceStub,
) -> None:
    request = asked(cut=-2)
    request.options.algorithm = 77  # type: ignore[assignment]
    assert faults(stub.Advise, request) == {
        "options.cut": "-2 turns; allowed: -1 to 1000 turns",
        "options.algorithm": f"77; allowed: {', '.join(map(advisor_pb2.Algorithm.Name, ALGORITHMS.values()))}",
    }


def test_comparisons_and_reviews_take_one_algorithm_and_comparisons_no_confidence(
    stub: advisor_pb2_grpc.AdvisorServiceStub,
) -> None:
    options = advisor_pb2.SearchOptions(algorithm=advisor_pb2.ALGORITHM_FLAT)
    level = advisor_pb2.SearchOptions(level=3)
    legal = seen().observation.legal()
    compared = advisor_pb2.CompareActionsRequest(
        position=asked().position,
        actions=[f"keep {seen().tables.id('clergy', one)}" for one in legal],
        limits=wire_options.limits_to_proto(replace(FIXED, decided=0.9)),
        options=options,
    )
    assert faults(stub.CompareActions, compared) == {
        "options.algorithm": "ALGORITHM_FLAT; allowed: ALGORITHM_ISMCTS, in a comparison",
        "limits.confidence": "0.9; allowed: 0, in a comparison",
    }
    compared.ClearField("options")
    compared.limits.ClearField("confidence")
    assert stub.CompareActions(compared).report.limits.confidence == 0.0  # whatever the server's default is
    review = advisor_pb2.ReviewGameRequest(
        record=GameRecord.new(HOUSE, 2, 7).to_proto(),
        limits=wire_options.limits_to_proto(FIXED),
        options=options,
    )
    assert faults(lambda request: list(stub.ReviewGame(request)), review) == {
        "options.algorithm": "ALGORITHM_FLAT; allowed: ALGORITHM_ISMCTS, in a review"
    }
    for call, request, where in (
        (stub.CompareActions, compared, "a comparison"),
        (lambda request: list(stub.ReviewGame(request)), review, "a review"),
    ):
        request.options.CopyFrom(level)
        assert faults(call, request) == {"options.level": f"3; allowed: none, in {where}"}


@pytest.mark.parametrize(
    "value, text",
    [
        (67108864, "67108864"),
        (1 << 62, "4611686018427387904"),
        (86400.0, "86400"),
        (0.0, "0"),
        (0.5, "0.5"),
        (1e300, "1e+300"),
        (float("inf"), "inf"),
        (float("nan"), "nan"),
    ],
)
def test_numbers_are_written_as_people_write_them(value: float, text: str) -> None:
    assert as_written(value) == text
