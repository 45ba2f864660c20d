"""What the service promises, measured from another process on the release build, with all workers busy.

Whatever else runs on the machine can only make a time longer, so the best of three tries counts.
"""

from __future__ import annotations

import asyncio
import os

import pytest

from bench.load.checks import CHECKS, check
from bench.load.soak import Round, growth, soak
from bench.served import served

REQUESTS = int(os.environ.get("LISBOA_SOAK_REQUESTS", "24000"))
TRIES = 3
MIB = 1 << 20


@pytest.mark.parametrize("name", CHECKS)
def test_it_keeps_its_promise(name: str) -> None:
    found = check(name, tries=TRIES)
    print(found.line())
    assert found.passed, found.line()


@pytest.mark.timeout(3600)
def test_memory_and_descriptors_are_flat_over_many_requests() -> None:
    def told(one: Round) -> None:
        print(f"{one.requests:>6} requests: {one.memory / MIB:.1f} MiB, {one.descriptors} descriptors, {one.codes}")

    with served("--workers", "2", "--queue", "16") as server:
        rounds = asyncio.run(soak(server, REQUESTS, told=told))
        errors = [line for line in server.log if line["level"] == "error"]
    assert rounds[-1].requests == REQUESTS
    assert growth([one.memory for one in rounds]) < 4 * MIB
    assert growth([one.descriptors for one in rounds]) <= 2
    assert set().union(*(one.codes for one in rounds)) == {"OK", "CANCELLED", "INVALID_ARGUMENT"}
    assert not errors
