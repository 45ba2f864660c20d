"""Servers that stop and start under load: clients that share their calls out among two of them see no error."""

from __future__ import annotations

import asyncio
import contextlib
import json
import signal
import socket
import subprocess
import sys
import threading
import time
from collections import Counter
from dataclasses import dataclass, field

from bench.served import Served, served, wait_until
from lisboa_ai.analysis import SearchLimits
from lisboa_ai.client import AsyncClient, ServiceError
from lisboa_ai.server.demo import demo_position
from tests.ops.running import ROOT, handled

RATE = 40.0
TURNS = 2
"""How often each of the two servers is replaced."""


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as found:
        return int(found.getsockname()[1])


@dataclass
class Load:
    """Calls at a steady rate until it is told to end."""

    ends: Counter[str] = field(default_factory=Counter)
    ending: bool = False
    ended: threading.Event = field(default_factory=threading.Event)

    async def send(self, target: str) -> None:
        """A search every 1/RATE seconds, each with its own seed."""
        async with AsyncClient(target) as client:
            async with asyncio.TaskGroup() as group:
                began, number = time.monotonic(), 0
                while not self.ending:
                    await asyncio.sleep(max(0.0, began + number / RATE - time.monotonic()))
                    number += 1
                    group.create_task(self._one(client, number))
            self.ended.set()

    async def _one(self, client: AsyncClient, seed: int) -> None:
        try:
            await client.advise(demo_position(), limits=SearchLimits(iterations=20, seed=seed), timeout=20.0)
            self.ends["OK"] += 1
        except ServiceError as error:
            self.ends[error.code.name] += 1


def _answers(server: Served) -> int:
    return handled(server, "Advise")["OK"]


def _replace_each_in_turn(ports: tuple[int, int], load: Load) -> list[int]:
    """Start a server at each port, and replace them in turn; how many calls each of all servers answered."""
    options = ("--workers", "2", "--queue", "64", "--drain-grace", "1", "--cache", "0")
    answered = []
    with contextlib.ExitStack() as stack:

        def start(port: int) -> Served:
            return stack.enter_context(served("--port", str(port), *options))

        running = [start(port) for port in ports]
        try:
            wait_until(lambda: all(_answers(server) >= 10 for server in running), 60)
            for _ in range(TURNS):
                for place, port in enumerate(ports):
                    old = running[place]
                    answered.append(_answers(old))
                    old.started.send_signal(signal.SIGTERM)
                    assert old.started.wait(20) == 0
                    running[place] = start(port)
                    # Clients have found the new one before the other one stops.
                    wait_until(lambda now=running[place]: _answers(now) >= 10, 60)  # type: ignore[misc]
        finally:
            load.ending = True
        assert load.ended.wait(60)  # the last calls have their answers before both servers stop
        answered += [_answers(server) for server in running]
    return answered


def test_replacing_each_of_two_servers_in_turn_costs_no_call() -> None:
    ports = (free_port(), free_port())
    load = Load()

    async def run() -> list[int]:
        # The servers are there before the first call: until then nobody could answer it.
        replacing = asyncio.create_task(asyncio.to_thread(_replace_each_in_turn, ports, load))
        await asyncio.to_thread(wait_until, lambda: replacing.done() or all(map(_listens, ports)), 60)
        await load.send(f"ipv4:127.0.0.1:{ports[0]},127.0.0.1:{ports[1]}")
        return await replacing

    answered = asyncio.run(run())
    print(f"{load.ends.total()} calls, {dict(load.ends)}; answered by each server in turn: {answered}")
    assert len(answered) == 2 * TURNS + 2
    assert min(answered) >= 10
    assert set(load.ends) == {"OK"}


def _listens(port: int) -> bool:
    with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
        return True
    return False


def test_sigterm_under_load_answers_or_says_unavailable_and_exits_with_0_within_its_grace() -> None:
    """Calls at a steady rate by the load tool, in a process of its own; those after the end find nobody there."""
    with served("--workers", "2", "--queue", "64", "--drain-grace", "0.5", "--stop-grace", "5") as server:
        command = [sys.executable, "-m", "bench.load", "run", "--target", server.address, "--json"]
        command += ["--rate", "50", "--count", "300", "--arrivals", "poisson", "--iterations", "50"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT) as load:
            wait_until(lambda: _answers(server) >= 50, 60)
            asked = time.monotonic()
            server.started.send_signal(signal.SIGTERM)
            assert server.started.wait(20) == 0
            took = time.monotonic() - asked
            assert load.stdout is not None
            found = json.loads(load.stdout.read())
            assert load.wait(60) == 0
    print(f"stopped within {took:.2f} s; {found['codes']}")
    assert set(found["codes"]) == {"OK", "UNAVAILABLE"}
    assert sum(found["codes"].values()) == 300
    assert took < 0.5 + 5.0 + 1.0
    assert server.log[-1]["message"] == "stopped"
