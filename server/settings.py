"""What a server is told: where it listens, what it allows, how it stops. One validated, immutable object.

Every setting says here what it is for and what is allowed; the configuration file, the environment, the flags of
``lisboa-ai serve`` and ``--print-config`` are made from that (``configuration.py``).
"""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass, field, fields
from typing import Any, Final, TypeVar

from lisboa_ai.analysis import DEFAULT_MEMORY, DEFAULT_TIME
from lisboa_ai.cores import usable_cores

__all__ = ["CONFIDENCES", "Limits", "Settings", "SettingsError", "Tls", "is_confidence"]

MIB: Final = 1 << 20
SECONDS_PER_DAY: Final = 86_400.0
CONFIDENCES: Final = "0, or 0.5 to 0.9999"
"""What ``is_confidence`` takes, in words."""
T = TypeVar("T")


class SettingsError(ValueError):
    """Settings that cannot be used. Names the field, its value and what is allowed."""


def _setting(default: T, says: str, low: float | None = None, high: float | None = None) -> T:
    return field(default=default, metadata={"says": says, "low": low, "high": high})


def _check_ranges(settings: Any, prefix: str = "") -> None:
    for one in fields(settings):
        value, low = getattr(settings, one.name), one.metadata.get("low")
        if value is not None and low is not None:
            _within(prefix + one.name, value, low, one.metadata["high"])


def _within(name: str, value: float, low: float, high: float) -> None:
    if not low <= value <= high:
        raise SettingsError(f"{name}: {value}; allowed: {low} to {high}")


@dataclass(frozen=True, slots=True)
class Limits:
    """The most that one request may ask for; asking for more is an error that names the limit."""

    time: float = _setting(
        60.0, "Seconds of one search, also of one that only limits its iterations.", 0.01, SECONDS_PER_DAY
    )
    iterations: int = _setting(100_000_000, "Iterations of one search.", 1, 1 << 62)
    memory: int = _setting(1024 * MIB, "Bytes for all trees of one search.", MIB, 1 << 50)
    threads: int | None = _setting(None, "Threads of one search; none: as many as there are workers.", 1, 64)
    candidates: int = _setting(100, "Candidates in one answer.", 1, 1000)
    message: int = _setting(256 * 1024, "Bytes of one request.", 1024, 1 << 30)
    actions: int = _setting(5000, "Actions in one request that carries actions out.", 1, 1_000_000)
    batch: int = _setting(256, "Positions of one batch that are not answered yet.", 1, 100_000)

    def __post_init__(self) -> None:
        _check_ranges(self, "limits.")


@dataclass(frozen=True, slots=True)
class Tls:
    """Encryption of the service's port. The files are read again when they change, without a restart."""

    certificate: str | None = _setting(None, "File of the certificate chain, PEM; none: plaintext.")
    key: str | None = _setting(None, "File of the certificate's private key, PEM.")
    client_ca: str | None = _setting(
        None, "File of the authorities, PEM, one of which has to have signed a client's certificate; none: any client."
    )

    def __post_init__(self) -> None:
        for one, other in (("certificate", "key"), ("key", "certificate"), ("client_ca", "certificate")):
            if getattr(self, one) is not None and getattr(self, other) is None:
                raise SettingsError(f"tls.{other}: none; allowed: a file, since tls.{one} is set")


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything a server is told."""

    host: str = _setting("127.0.0.1", "Address to listen at.")
    port: int = _setting(50051, "Port of the gRPC service; 0 takes a free one.", 0, 65535)
    metrics_port: int | None = _setting(
        9464, "Port of /metrics on the same address; 0 takes a free one, none switches it off.", 0, 65535
    )
    health_port: int | None = _setting(
        None, "Port that serves health checks only, always plaintext: for probes that know no TLS.", 0, 65535
    )
    allow_plaintext: bool = _setting(False, "Listen beyond loopback although nothing is encrypted.")
    workers: int = field(
        default_factory=usable_cores,
        metadata={"says": "Threads that search at the same time; left out: the usable cores.", "low": 1, "high": 64},
    )
    queue: int | None = _setting(
        None, "Searches that may wait; none: as many as workers, so that a balancer soon tries elsewhere.", 0, 10_000
    )
    search_nice: int = _setting(
        5,
        "Niceness of search threads above that of the others, so that calls are served first (Linux); 0: none.",
        0,
        19,
    )
    rate: float | None = _setting(None, "Searches a second that one client may ask for; none: any.", 0.001, 1e6)
    burst: int = _setting(10, "Searches that a client may ask for at once before its rate counts.", 1, 1_000_000)
    cache: int = _setting(256, "Finished reproducible analyses that are kept to answer again; 0: none.", 0, 1_000_000)
    default_time: float = _setting(
        DEFAULT_TIME, "Seconds of a search whose request names neither time nor iterations.", 0.01, SECONDS_PER_DAY
    )
    default_memory: int = _setting(
        DEFAULT_MEMORY, "Bytes for the trees of a search whose request names none.", MIB, 1 << 50
    )
    default_confidence: float = _setting(
        0.0,
        "Confidence in the best candidate at which a search stops, if its request names none; 0: it goes on.",
        0.0,
        0.9999,
    )
    default_candidates: int = _setting(5, "Candidates in an answer whose request names no number.", 1, 1000)
    stream_interval: float = _setting(0.25, "Seconds between interim answers.", 0.01, SECONDS_PER_DAY)
    reply_margin: float = _setting(0.1, "Seconds kept back from a deadline for the answer's way.", 0.0, 60.0)
    drain_grace: float = _setting(0.0, "Seconds between 'not serving' and stopping, for balancers.", 0.0, 3600.0)
    stop_grace: float = _setting(5.0, "Seconds that answers on their way get when stopping.", 0.0, 3600.0)
    self_test: bool = _setting(True, "Check at the start that the engine plays and searches as this version has to.")
    connection_age: float | None = _setting(
        None,
        "Seconds after which a client has to connect anew, so that load moves to new replicas; none: never.",
        1,
        1e6,
    )
    reflection: bool = _setting(False, "The service describes itself; with tokens, to admins.")
    tokens: str | None = _setting(None, "File of the tokens that may call; none: everybody may.")
    tracing: bool = _setting(False, "Export a span of every call by OpenTelemetry (extra otel, OTEL_... variables).")
    editions: tuple[str, ...] = _setting(("house",), "Bundled editions or folders; the first is the default.")
    limits: Limits = field(default_factory=Limits)
    tls: Tls = field(default_factory=Tls)

    def __post_init__(self) -> None:
        _check_ranges(self)
        _within("default_time", self.default_time, 0.01, self.limits.time)
        _within("default_memory", self.default_memory, MIB, self.limits.memory)
        if not is_confidence(self.default_confidence):
            raise SettingsError(f"default_confidence: {self.default_confidence}; allowed: {CONFIDENCES}")
        _within("default_candidates", self.default_candidates, 1, self.limits.candidates)
        if not self.editions:
            raise SettingsError("editions: none; allowed: one or more names of bundled editions or folders")
        if self.tls.certificate is None and not self.allow_plaintext and not _is_loopback(self.host):
            raise SettingsError(
                f"host: {self.host} can be reached from other machines, and nothing is encrypted; "
                "allowed: a loopback address such as 127.0.0.1, unless there is a certificate or plaintext is allowed "
                "explicitly"
            )

    @property
    def queue_length(self) -> int:
        """Searches that may wait: as set, or as many as there are workers, so that a balancer soon tries elsewhere."""
        return self.workers if self.queue is None else self.queue

    @property
    def most_threads(self) -> int:
        """Threads one search may have."""
        return min(self.workers, self.limits.threads or self.workers)


def is_confidence(value: float) -> bool:
    """Whether a search can be asked to stop at this confidence."""
    return value == 0.0 or 0.5 <= value <= 0.9999


def _is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False
