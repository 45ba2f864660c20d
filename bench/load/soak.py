"""Many requests of all kinds, well-formed, broken and abandoned; after each round, what the service still holds."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass
from typing import Any, Final

import grpc
import grpc.aio

from bench.served import Served
from lisboa_ai.analysis import SearchLimits

from .calls import CALLS, HEALTH
from .generator import opened

__all__ = ["ROUNDS", "Round", "growth", "soak"]

ROUNDS: Final = 12
OPEN: Final = 8
"""Callers at the same time, each with its next call when the last one has ended."""
SMALL: Final = SearchLimits(iterations=20, seed=1)
LONG: Final = SearchLimits(time=20.0, seed=1)
MIX: Final = {
    "legal": 25,
    "new-game": 10,
    "advise": 25,
    "again": 10,
    "stream": 5,
    "evaluate": 5,
    "leave": 5,
    "broken": 5,
    HEALTH: 10,
}
"""What is sent, in parts of a hundred. again: a question that was answered before; leave: a long search whose caller
leaves; broken: bytes that are no message."""


@dataclass(frozen=True, slots=True)
class Round:
    """After so many requests, when no connection is open any more: bytes in memory, open descriptors, ends by code."""

    requests: int
    memory: int
    descriptors: int
    codes: dict[str, int]


async def soak(
    server: Served, requests: int, seed: int = 1, told: Callable[[Round], None] = lambda _: None
) -> list[Round]:
    """Send so many requests in rounds, each over a connection of its own."""
    rng = random.Random(seed)
    rounds: list[Round] = []
    sent = 0
    for number in range(1, ROUNDS + 1):
        size = requests * number // ROUNDS - sent
        kinds = rng.choices(list(MIX), list(MIX.values()), k=size)
        codes: Counter[str] = Counter()
        async with opened(server.address) as channel:
            line = iter(list(enumerate(kinds, start=sent)))
            await asyncio.gather(*(_caller(channel, line, codes) for _ in range(OPEN)))
        sent += size
        await asyncio.to_thread(server.wait_for_busy, 0)
        rounds.append(
            Round(
                sent,
                int(server.sample("process_resident_memory_bytes")),
                int(server.sample("process_open_fds")),
                dict(sorted(codes.items())),
            )
        )
        told(rounds[-1])
    return rounds


def growth(values: Sequence[int]) -> int:
    """How much higher the highest of the last third is than the highest of the middle third; the first warms up."""
    third = len(values) // 3
    return max(values[-third:]) - max(values[third:-third])


async def _caller(channel: grpc.aio.Channel, line: Any, codes: Counter[str]) -> None:
    for number, kind in line:
        send: Callable[[grpc.aio.Channel, int, str], Coroutine[Any, Any, None]] = _SENT.get(kind, _whole)
        try:
            await send(channel, number, kind)
            codes["OK"] += 1
        except grpc.aio.AioRpcError as error:
            codes[error.code().name] += 1
        except asyncio.CancelledError:
            codes["CANCELLED"] += 1


async def _whole(channel: grpc.aio.Channel, number: int, kind: str) -> None:
    call = CALLS[kind]
    request = call.request(number, SMALL)
    if not call.streams:
        unary: Any = channel.unary_unary(call.path)
        await unary(request, timeout=60)
        return
    stream: Any = channel.unary_stream(call.path)
    async for _ in stream(request, timeout=60):
        pass


async def _again(channel: grpc.aio.Channel, number: int, kind: str) -> None:
    await _whole(channel, 0, "advise")


async def _leave(channel: grpc.aio.Channel, number: int, kind: str) -> None:
    call = CALLS["stream"]
    stream: Any = channel.unary_stream(call.path)
    answers = stream(call.request(number, LONG), timeout=60)
    async for _ in answers:
        answers.cancel()


async def _broken(channel: grpc.aio.Channel, number: int, kind: str) -> None:
    unary: Any = channel.unary_unary(CALLS["advise"].path)
    await unary(b"\xff" * (1 + number % 100), timeout=60)


_SENT: Final = {"again": _again, "leave": _leave, "broken": _broken}
