"""Sends the calls of a load, each at its time, whatever became of those before it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, Final

import grpc
import grpc.aio

from lisboa_ai.analysis import SearchLimits

from .arrivals import arrivals
from .calls import CALLS, Call

__all__ = ["UNSENT", "End", "Load", "opened", "send"]

UNSENT: Final = "UNSENT"
"""Stands for the code of a call that was not sent because too many were open."""
CONNECT: Final = 20.0
"""Seconds in which a service has to take a connection."""
Sender = Callable[[bytes], Coroutine[Any, Any, float | None]]


@dataclass(frozen=True, slots=True)
class Load:
    """What is sent. Ends after ``count`` calls or ``seconds``. timeout: of each call, in seconds. most_open: calls that
    may be open at the same time; those that come while as many are, are not sent, and counted."""

    call: str
    rate: float
    arrivals: str = "fixed"
    seed: int = 1
    count: int | None = None
    seconds: float | None = None
    timeout: float = 60.0
    most_open: int = 5000
    limits: SearchLimits = field(default_factory=lambda: SearchLimits(iterations=100, seed=1))


@dataclass(frozen=True, slots=True)
class End:
    """How a call ended. Seconds from the beginning of the load: meant to start, sent, first answer of a stream (None:
    it is none, or there was none), ended."""

    code: str
    meant: float
    sent: float
    first: float | None
    ended: float


@asynccontextmanager
async def opened(target: str) -> AsyncIterator[grpc.aio.Channel]:
    """A channel without retries, connected. Raises ConnectionError if nobody answers."""
    options = (("grpc.enable_retries", 0), ("grpc.max_receive_message_length", 16 << 20))
    async with grpc.aio.insecure_channel(target, options=options) as channel:
        try:
            await asyncio.wait_for(channel.channel_ready(), CONNECT)
        except TimeoutError:
            raise ConnectionError(f"{target}: nobody answers; allowed: a service that runs") from None
        yield channel


async def send(channel: grpc.aio.Channel, load: Load) -> list[End]:
    """Send the whole load, wait until every call has ended, and return how, in the order of their starts."""
    call = CALLS[load.call]
    sender = _sender(channel, call, load.timeout)
    running: set[asyncio.Task[End]] = set()
    all_of_them: list[asyncio.Task[End] | End] = []
    began = time.monotonic()
    for number, meant in enumerate(arrivals(load.arrivals, load.rate, load.seed, load.count, load.seconds)):
        request = call.request(number, load.limits)
        wait = began + meant - time.monotonic()
        if wait > 0 or not number % 100:  # a tool that is behind still has to let answers in
            await asyncio.sleep(max(0.0, wait))
        if len(running) >= load.most_open:
            now = time.monotonic() - began
            all_of_them.append(End(UNSENT, meant, now, None, now))
            continue
        task = asyncio.create_task(_one(sender, request, meant, began))
        running.add(task)
        task.add_done_callback(running.discard)
        all_of_them.append(task)
    return [one if isinstance(one, End) else await one for one in all_of_them]


async def _one(sender: Sender, request: bytes, meant: float, began: float) -> End:
    sent = time.monotonic() - began
    first: float | None = None
    try:
        at = await sender(request)
        first = None if at is None else at - began
        code = grpc.StatusCode.OK
    except grpc.aio.AioRpcError as error:
        code = error.code()
    return End(code.name, meant, sent, first, time.monotonic() - began)


def _sender(channel: grpc.aio.Channel, call: Call, timeout: float) -> Sender:
    """A function that sends one request, waits for its end, and returns when a stream's first answer came."""
    if not call.streams:
        unary: Any = channel.unary_unary(call.path)

        async def ask(request: bytes) -> float | None:
            await unary(request, timeout=timeout)
            return None

        return ask
    streaming: Any = channel.unary_stream(call.path)

    async def follow(request: bytes) -> float | None:
        first: float | None = None
        async for _ in streaming(request, timeout=timeout):
            first = first or time.monotonic()
        return first

    return follow
