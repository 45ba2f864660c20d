"""Unary calls from a second tool, which knows HTTP/2 and nothing of gRPC: what it sent is what the service counted."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest

from bench.load.calls import CALLS
from bench.served import Served, served
from lisboa_ai.analysis import SearchLimits
from tests.ops.running import handled, ran

HEADERS = ("content-type: application/grpc", "te: trailers")


def framed(message: bytes) -> bytes:
    """A message as gRPC sends it: not compressed, its length, itself."""
    return struct.pack(">BI", 0, len(message)) + message


def sent(server: Served, path: str, body: bytes, calls: int, tmp_path: Path) -> str:
    """Send so many calls over four connections, eight at a time on each; what the tool says."""
    (tmp_path / "body").write_bytes(body)
    headers = [part for header in HEADERS for part in ("-H", header)]
    load = ["-n", str(calls), "-c", "4", "-m", "8", "-d", str(tmp_path / "body")]
    said = ran("h2load", *load, *headers, f"http://{server.address}{path}")
    print(
        *(line for line in said.splitlines() if line.startswith(("finished", "requests", "time for request"))), sep="\n"
    )
    done = f"{calls} total, {calls} started, {calls} done, {calls} succeeded, 0 failed, 0 errored, 0 timeout"
    assert f"requests: {done}" in said
    return said


@pytest.mark.parametrize("name, calls", [("legal", 4000), ("new-game", 1000), ("health", 4000)])
def test_as_many_calls_are_counted_ok_as_were_sent(name: str, calls: int, tmp_path: Path) -> None:
    call = CALLS[name]
    with served("--workers", "2") as server:
        sent(server, call.path, framed(call.request(0, SearchLimits())), calls, tmp_path)
        assert handled(server, call.path.rpartition("/")[2]) == {"OK": calls}


def test_searches_beyond_the_queue_are_counted_as_refused_and_none_is_lost(tmp_path: Path) -> None:
    """The tool sees HTTP 200 for all of them; the codes are in the trailers, and on the metrics page."""
    call = CALLS["advise"]
    body = framed(call.request(0, SearchLimits(time=0.01, seed=1)))
    with served("--workers", "2", "--queue", "4") as server:
        sent(server, call.path, body, 2000, tmp_path)
        found = handled(server, "Advise")
        refused = server.sample('lisboa_search_rejected_total{reason="queue_full"}')
    assert found["OK"] + found["ResourceExhausted"] == found.total() == 2000
    assert found["ResourceExhausted"] == refused > 0


def test_bytes_that_are_no_message_are_bad_requests(tmp_path: Path) -> None:
    call = CALLS["legal"]
    with served() as server:
        sent(server, call.path, framed(b"\xff\xff\xff"), 500, tmp_path)
        assert handled(server, "ListLegalActions") == {"InvalidArgument": 500}
        assert not [line for line in server.log if line["level"] == "error"]
