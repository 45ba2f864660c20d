"""A client in another language, made from the contract alone, gets the answers that a search in this process gives."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import google.rpc
import pytest

from bench.served import Served, served
from lisboa_ai import __version__, edition, notation
from lisboa_ai.analysis import SearchLimits, analyse
from lisboa_ai.record import GameRecord
from tests.ops.running import ROOT, ran

JS = Path(__file__).resolve().parent / "js"
PROTOS = (ROOT / "proto", Path(next(iter(google.rpc.__path__))).parent.parent)
LIMITS = SearchLimits(iterations=500, seed=7, threads=1)

Found = dict[str, Any]


@pytest.fixture(scope="module")
def server() -> Any:
    with served("--workers", "2") as process:
        yield process


@pytest.fixture(scope="module")
def found(server: Served) -> Found:
    """What the client printed."""
    if not (JS / "node_modules").is_dir():
        ran("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", where=JS, seconds=300)
    printed: Found = json.loads(ran("node", "client.js", server.address, *map(str, PROTOS), where=JS))
    return printed


def test_it_reads_what_is_running(found: Found) -> None:
    said = found["server"]
    assert (said["request_id"], said["version"], said["limits"]["workers"]) == ("from node", __version__, 2)


def test_its_advice_is_that_of_a_search_in_this_process(found: Found) -> None:
    tables = edition.load("house")
    record = GameRecord.new(tables, 3, 1)
    observation = record.position(record.replay().seat).observation
    here = analyse(observation, LIMITS)
    texts = [
        notation.action_text(tables, observation.kind, observation.context, argument)
        for argument in observation.legal()
    ]
    assert sorted(found["legal"]) == sorted(texts)
    there = found["advise"]["advice"]
    assert [(one["text"], one["visits"]) for one in there["candidates"]] == [
        (
            "; ".join(notation.action_text(tables, step.kind, step.context, step.action) for step in one.steps),
            one.visits,
        )
        for one in here.candidates
    ]
    assert [seat["win_share"] for seat in there["candidates"][0]["seats"]] == list(here.best.win_share)
    assert found["advise"]["request_id"] == "first"
    assert (there["report"]["stop_reason"], there["report"]["iterations"]) == ("STOP_REASON_ITERATIONS", 500)


def test_a_stream_rises_and_has_one_final_answer(found: Found) -> None:
    replies, code = found["stream"]["replies"], found["stream"]["code"]
    assert code == "OK"
    assert len(replies) > 2
    numbers = [reply["sequence"] for reply in replies]
    assert numbers == sorted(set(numbers))
    assert [reply["is_final"] for reply in replies] == [False] * (len(replies) - 1) + [True]
    made = [reply["advice"]["report"]["iterations"] for reply in replies]
    assert made == sorted(made)
    assert replies[-1]["advice"]["report"]["stop_reason"] == "STOP_REASON_TIME"


def test_leaving_a_stream_frees_its_worker(found: Found, server: Served) -> None:
    assert found["left"]["code"] == "CANCELLED"
    server.wait_for_busy(0)
    assert server.sample('lisboa_search_cancelled_total{reason="client"}') == 1


def test_errors_carry_details_that_it_can_read(found: Found) -> None:
    missing, illegal = found["missing"]["error"], found["illegal"]["error"]
    assert missing["code"] == illegal["code"] == "INVALID_ARGUMENT"
    (violation,) = missing["details"]["BadRequest"]["field_violations"]
    assert (violation["field"], violation["reason"]) == ("seat", "REQUIRED")
    assert missing["details"]["RequestInfo"]["request_id"] == "no seat"
    (violation,) = illegal["details"]["BadRequest"]["field_violations"]
    assert violation["field"] == "actions[0].text"
    assert illegal["details"]["ErrorInfo"]["metadata"]["index"] == "0"
    assert found["legal"][0] in illegal["details"]["ErrorInfo"]["metadata"]["legal"]


def test_an_answer_comes_before_its_deadline(found: Found) -> None:
    assert found["late"]["advice"]["report"]["stop_reason"] == "STOP_REASON_DEADLINE"
