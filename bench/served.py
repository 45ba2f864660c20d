"""The service as a process of its own, on free loopback ports: for the load tool and for tests."""

from __future__ import annotations

import contextlib
import json
import re
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

__all__ = ["Served", "served", "wait_until"]

SERVE: Final = "from lisboa_ai.server.commands import serve; serve()"
START: Final = 60.0
STOP: Final = 30.0


@dataclass
class Served:
    """A started service: where it listens, and what it logged."""

    started: subprocess.Popen[str]
    address: str
    metrics_url: str
    log: list[dict[str, Any]] = field(default_factory=list)

    def metrics(self) -> str:
        """The metrics page."""
        with urllib.request.urlopen(self.metrics_url, timeout=10) as reply:
            return str(reply.read().decode())

    def sample(self, begins: str) -> float:
        """The value of the sample that begins so on the metrics page, labels included. Raises LookupError."""
        found = re.search(rf"^{re.escape(begins)} (\S+)$", self.metrics(), re.MULTILINE)
        if found is None:
            raise LookupError(f"no sample {begins}")
        return float(found[1])

    def wait_for(self, begins: str, value: float) -> None:
        """Until a sample has this value."""
        wait_until(lambda: self.sample(begins) == value)

    def wait_for_busy(self, workers: int) -> None:
        """Until so many workers search."""
        self.wait_for('lisboa_search_workers{state="busy"}', workers)


def wait_until(holds: Any, seconds: float = 20.0) -> None:
    """Look every few milliseconds until it holds. Raises TimeoutError after so many seconds."""
    deadline = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > deadline:
            raise TimeoutError(f"it did not come to hold within {seconds:g} seconds")
        time.sleep(0.01)


@contextlib.contextmanager
def served(*options: str) -> Iterator[Served]:
    """``lisboa-ai serve`` with these options on free ports; ended by SIGTERM, or killed if that takes too long.

    Raises RuntimeError with what it wrote if it does not come to serve.
    """
    command: Sequence[str] = (sys.executable, "-c", SERVE, "--port", "0", "--metrics-port", "0", *options)
    started = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    assert started.stderr is not None
    try:
        first = started.stderr.readline()
        if not first.startswith("{") or json.loads(first).get("message") != "serving":
            raise RuntimeError(f"the service does not start: {first}{started.stderr.read()}")
        said = json.loads(first)
        process = Served(started, said["address"], f"http://{said['metrics']}", [said])
        reader = threading.Thread(target=_read, args=(process,), daemon=True)
        reader.start()
        yield process
        started.terminate()
        started.wait(STOP)
        reader.join(STOP)
    finally:
        started.kill()
        started.wait()
        started.stderr.close()


def _read(process: Served) -> None:
    assert process.started.stderr is not None
    for line in process.started.stderr:
        process.log.append(json.loads(line))
