"""What a server is told: where it listens, what it allows, how it stops. One validated, immutable object."""

from __future__ import annotations

import ipaddress
import os
from dataclasses import dataclass, field
from typing import Final

from lisboa_ai.analysis import DEFAULT_MEMORY, DEFAULT_TIME

__all__ = ["Limits", "Settings", "SettingsError", "usable_cores"]

MIB: Final = 1 << 20
SECONDS_PER_DAY: Final = 86_400.0


class SettingsError(ValueError):
    """Settings that cannot be used. Names the field, its value and what is allowed."""


def usable_cores() -> int:
    """Cores this process may run on."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _within(name: str, value: float, low: float, high: float) -> None:
    if not low <= value <= high:
        raise SettingsError(f"{name}: {value}; allowed: {low} to {high}")


@dataclass(frozen=True, slots=True)
class Limits:
    """The most that one request may ask for; asking for more is an error that names the limit.

    time: seconds of search, also of a search that only limits its iterations. iterations; memory: bytes for all trees
    of a search; threads: of one search, None as many as there are workers; candidates; message: bytes of a request;
    actions: in one request that carries actions out.
    """

    time: float = 60.0
    iterations: int = 100_000_000
    memory: int = 1024 * MIB
    threads: int | None = None
    candidates: int = 100
    message: int = 256 * 1024
    actions: int = 5000

    def __post_init__(self) -> None:
        _within("limits.time", self.time, 0.01, SECONDS_PER_DAY)
        _within("limits.iterations", self.iterations, 1, 1 << 62)
        _within("limits.memory", self.memory, MIB, 1 << 50)
        _within("limits.threads", 1 if self.threads is None else self.threads, 1, 64)
        _within("limits.candidates", self.candidates, 1, 1000)
        _within("limits.message", self.message, 1024, 1 << 30)
        _within("limits.actions", self.actions, 1, 1_000_000)


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything a server is told.

    host, port: of the gRPC service; port 0 takes a free one. metrics_port: of ``/metrics`` on the same host, 0 a free
    one, None none. allow_plaintext: listen beyond loopback although nothing is encrypted. workers: threads searching
    at the same time. queue: searches that may wait. Times in seconds: default_time of a search that names neither
    time nor iterations; reply_margin kept back from a deadline for the answer's way; drain_grace for balancers to
    notice; stop_grace for answers on their way. reflection: whether the service describes itself. editions: names of
    bundled editions or folders, the first is the default.
    """

    host: str = "127.0.0.1"
    port: int = 50051
    metrics_port: int | None = 9464
    allow_plaintext: bool = False
    workers: int = field(default_factory=usable_cores)
    queue: int | None = None
    default_time: float = DEFAULT_TIME
    default_memory: int = DEFAULT_MEMORY
    default_candidates: int = 5
    stream_interval: float = 0.25
    reply_margin: float = 0.1
    drain_grace: float = 0.0
    stop_grace: float = 5.0
    reflection: bool = True
    editions: tuple[str, ...] = ("house",)
    limits: Limits = field(default_factory=Limits)

    def __post_init__(self) -> None:
        _within("port", self.port, 0, 65535)
        if self.metrics_port is not None:
            _within("metrics_port", self.metrics_port, 0, 65535)
        _within("workers", self.workers, 1, 64)
        if self.queue is not None:
            _within("queue", self.queue, 0, 10_000)
        _within("default_time", self.default_time, 0.01, self.limits.time)
        _within("default_memory", self.default_memory, MIB, self.limits.memory)
        _within("default_candidates", self.default_candidates, 1, self.limits.candidates)
        _within("stream_interval", self.stream_interval, 0.01, SECONDS_PER_DAY)
        _within("reply_margin", self.reply_margin, 0.0, 60.0)
        _within("drain_grace", self.drain_grace, 0.0, 3600.0)
        _within("stop_grace", self.stop_grace, 0.0, 3600.0)
        if not self.editions:
            raise SettingsError("editions: none; allowed: one or more names of bundled editions or folders")
        if not self.allow_plaintext and not _is_loopback(self.host):
            raise SettingsError(
                f"host: {self.host} can be reached from other machines, and nothing is encrypted; "
                "allowed: a loopback address such as 127.0.0.1, unless plaintext is allowed explicitly"
            )

    @property
    def queue_length(self) -> int:
        """Searches that may wait: as set, or as many as there are workers, so that a balancer soon tries elsewhere."""
        return self.workers if self.queue is None else self.queue

    @property
    def most_threads(self) -> int:
        """Threads one search may have."""
        return min(self.workers, self.limits.threads or self.workers)


def _is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False
