"""The server itself: putting the parts together, starting, draining, stopping."""

from __future__ import annotations

import asyncio
import gc
import logging
import signal
import sys
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

import grpc
import grpc.aio
from google.protobuf.descriptor import ServiceDescriptor
from grpc_health.v1 import health, health_pb2, health_pb2_grpc
from grpc_health.v1.health import aio as health_aio
from grpc_reflection.v1alpha import reflection, reflection_pb2
from prometheus_client import disable_created_metrics, start_http_server

from lisboa.v1 import advisor_pb2, advisor_pb2_grpc, rules_pb2, rules_pb2_grpc, server_pb2, server_pb2_grpc
from lisboa_ai import __version__

from .advisor_service import Advisor
from .calls import Calls, JsonLines
from .door import Door
from .info_service import Info
from .light import Light
from .metrics import Metrics, watch_loop
from .reviewing import Reviews
from .rules_service import Rules
from .searching import Search, Searches, search
from .selftest import SelfTestFailed, bench_signature, self_test
from .settings import Settings, SettingsError
from .states import Editions
from .tls import credentials
from .tracing import Spans, exporting_provider

if TYPE_CHECKING:
    from opentelemetry.trace import TracerProvider

__all__ = ["SelfTestFailed", "Server", "run"]

log = logging.getLogger("lisboa_ai.server")
SERVING = health_pb2.HealthCheckResponse.SERVING
NOT_SERVING = health_pb2.HealthCheckResponse.NOT_SERVING
LIVENESS: Final = "liveness"
"""Health of the process itself: stays SERVING while it drains, and whatever the load is."""
READINESS: Final = "readiness"
"""Whether new calls are welcome."""
OURS: Final[tuple[ServiceDescriptor, ...]] = tuple(
    module.DESCRIPTOR.services_by_name[name]
    for module, name in (
        (rules_pb2, "RulesService"),
        (advisor_pb2, "AdvisorService"),
        (server_pb2, "ServerService"),
    )
)
BYTES_READ: Final = 4
"""Times the limit of a request that is read before it is refused."""
LARGEST_MESSAGE: Final = (1 << 31) - 1
"""Bytes that gRPC can be told."""
QUIET: Final = 0.05
"""Seconds without a call after which a server that stops closes its port."""
QUIET_TURNS: Final = 5
"""Turns of the event loop that this takes at least."""
LONGEST_REFUSING: Final = 1.0
"""Seconds after which it does so in any case."""
SWITCH_INTERVAL: Final = 0.001
"""Seconds after which a Python thread hands over the interpreter: short, so that the event loop is soon served."""


class Server:
    """One server in one event loop. ``start``, then ``stop``; ``run`` does both around a signal.

    search: what runs searches; tests put another one in its place. tracer_provider: of OpenTelemetry, for spans of the
    calls; without one, ``settings.tracing`` says whether there is one that exports. Raises SettingsError for files that
    cannot be used.
    """

    def __init__(
        self, settings: Settings, search: Search = search, tracer_provider: TracerProvider | None = None
    ) -> None:
        self.settings = settings
        self.editions = Editions(settings.editions)
        self.metrics = Metrics([tables.name for tables in self.editions.all])
        self._light = Light()
        self.searches = Searches(settings, self.metrics, self._light, search)
        self._reviews = Reviews(self.searches, settings.workers)
        self.gate = self.searches.gate
        self.port = 0
        self.metrics_port: int | None = None
        self._door = Door(settings.tokens, self.metrics)
        self._credentials = None if settings.tls.certificate is None else credentials(settings.tls, self.metrics)
        if tracer_provider is None and settings.tracing:
            tracer_provider = exporting_provider()
        self._spans = Spans(tracer_provider)
        self.health_port: int | None = None
        self._probes: grpc.aio.Server | None = None
        self._health = health_aio.HealthServicer()
        self._calls: Calls | None = None
        self._grpc: grpc.aio.Server | None = None
        self._lag: asyncio.Task[None] | None = None
        self._http: Any = None

    @property
    def address(self) -> str:
        """Where the service listens, as host:port."""
        return f"{self.settings.host}:{self.port}"

    async def start(self) -> None:
        """Check the engine, listen, and say so. Raises SettingsError for a port in use, and SelfTestFailed."""
        settings = self.settings
        signature = await asyncio.to_thread(bench_signature)
        if settings.self_test:
            await asyncio.to_thread(self_test, self.editions.all)
        calls = Calls(self.metrics, self._door, self._spans, settings.limits.message)
        server = grpc.aio.server(interceptors=[calls], options=_channel_options(settings))
        rules_pb2_grpc.add_RulesServiceServicer_to_server(Rules(settings, self.editions, self._light), server)
        advisor_pb2_grpc.add_AdvisorServiceServicer_to_server(
            Advisor(settings, self.editions, self.searches, self._reviews, self._light, self.metrics), server
        )
        server_pb2_grpc.add_ServerServiceServicer_to_server(Info(settings, self.editions, signature), server)
        health_pb2_grpc.add_HealthServicer_to_server(self._health, server)
        known = [*OURS, health_pb2.DESCRIPTOR.services_by_name["Health"]]
        if settings.reflection:
            names = [service.full_name for service in known]
            reflection.enable_server_reflection([*names, reflection.SERVICE_NAME], server)
            known.append(reflection_pb2.DESCRIPTOR.services_by_name["ServerReflection"])
        for service in known:
            calls.know(service.full_name, [(method.name, _grpc_type(method)) for method in service.methods])
        self.port = self._bind(server, "port", settings.port, self._credentials)
        if settings.health_port is not None:
            self._probes = grpc.aio.server(options=_channel_options(settings))
            health_pb2_grpc.add_HealthServicer_to_server(self._health, self._probes)
            self.health_port = self._bind(self._probes, "health_port", settings.health_port, None)
        if settings.metrics_port is not None:
            try:
                self._http, _ = start_http_server(settings.metrics_port, settings.host, self.metrics.registry)
            except OSError as error:
                raise SettingsError(
                    f"metrics_port: {settings.metrics_port} on {settings.host} is taken; allowed: a free one"
                ) from error
            self.metrics_port = self._http.server_port
        if self._probes is not None:
            await self._probes.start()
        await server.start()
        self._grpc = server
        self._lag = asyncio.create_task(watch_loop(self.metrics))
        for name in (*self._names(), LIVENESS):
            await self._health.set(name, SERVING)
        if settings.tokens is not None and self._credentials is None and settings.allow_plaintext:
            log.warning("tokens travel in plaintext: whatever stands before this server has to encrypt them")
        log.info(
            "serving",
            extra={
                "call": {
                    "address": self.address,
                    "metrics": None if self.metrics_port is None else f"{settings.host}:{self.metrics_port}/metrics",
                    "health": None if self.health_port is None else f"{settings.host}:{self.health_port}",
                    "tls": "none" if self._credentials is None else "mutual" if settings.tls.client_ca else "server",
                    "tokens": settings.tokens is not None,
                    "version": __version__,
                    "workers": settings.workers,
                    "bench_signature": signature,
                }
            },
        )

    async def drain(self) -> None:
        """Say NOT_SERVING, give balancers a moment, refuse new searches, and let running ones answer at once."""
        log.info("draining", extra={"call": {"busy": self.gate.busy, "waiting": self.gate.waiting}})
        for name in self._names():
            await self._health.set(name, NOT_SERVING)
        if self.settings.drain_grace:
            await asyncio.sleep(self.settings.drain_grace)
        self.searches.drain()

    async def stop(self) -> None:
        """Drain, wait for answers on their way, and let go of everything. Safe to call twice."""
        server, self._grpc = self._grpc, None
        if server is not None:
            await self.drain()
            await self._refused()
            await server.stop(self.settings.stop_grace)
        if self._probes is not None:
            probes, self._probes = self._probes, None
            await probes.stop(None)
        if self._lag is not None:
            self._lag.cancel()
        self.searches.close()
        self._reviews.close()
        self._light.close()
        if self._http is not None:
            http, self._http = self._http, None
            await asyncio.get_running_loop().run_in_executor(None, http.shutdown)
            http.server_close()
        await asyncio.to_thread(self._spans.close, self.settings.stop_grace)
        if server is not None:
            log.info("stopped")

    async def _refused(self) -> None:
        """Refuse calls until no more come, or for so long: those that have arrived and were not begun when gRPC closes
        would end with CANCELLED, which does not tell a client to try elsewhere."""
        until = time.monotonic() + min(self.settings.stop_grace, LONGEST_REFUSING)
        quiet = 0  # turns of the loop in a row without a call: time alone may pass while the loop is held up
        while self._calls is not None and quiet < QUIET_TURNS and time.monotonic() < until:
            taken = self._calls.taken
            await asyncio.sleep(QUIET / QUIET_TURNS)
            quiet = quiet + 1 if self._calls.taken == taken else 0

    def _bind(self, server: grpc.aio.Server, name: str, port: int, secure: grpc.ServerCredentials | None) -> int:
        address = f"{self.settings.host}:{port}"
        try:
            return server.add_insecure_port(address) if secure is None else server.add_secure_port(address, secure)
        except RuntimeError as error:
            raise SettingsError(f"{name}: {port} on {self.settings.host} is taken; allowed: a free one") from error

    def _names(self) -> tuple[str, ...]:
        return (health.OVERALL_HEALTH, READINESS, *(service.full_name for service in OURS))


def _grpc_type(method: Any) -> str:
    if method.client_streaming:
        return "bidi_stream" if method.server_streaming else "client_stream"
    return "server_stream" if method.server_streaming else "unary"


def _channel_options(settings: Settings) -> Sequence[tuple[str, int]]:
    age: tuple[tuple[str, int], ...] = ()
    if settings.connection_age is not None:
        grace = settings.limits.time + settings.stop_grace  # searches that are under way are answered first
        age = (
            ("grpc.max_connection_age_ms", round(settings.connection_age * 1000)),
            ("grpc.max_connection_age_grace_ms", round(grace * 1000)),
        )
    return (
        *age,
        # A client whose machine or network is gone is noticed, and its search stopped, within half a minute.
        ("grpc.keepalive_time_ms", 20_000),
        ("grpc.keepalive_timeout_ms", 10_000),
        # Otherwise a second server on a busy port starts without complaint and takes part of the calls.
        ("grpc.so_reuseport", 0),
        # What is over the limit is refused and counted by ourselves. What is far beyond it gRPC refuses before it has
        # all of it, and nobody counts that.
        ("grpc.max_receive_message_length", min(BYTES_READ * settings.limits.message, LARGEST_MESSAGE)),
        ("grpc.max_concurrent_streams", 1000),
        # Clients may ask every 10 seconds whether the connection is alive, also between calls.
        ("grpc.http2.min_ping_interval_without_data_ms", 10_000),
        ("grpc.keepalive_permit_without_calls", 1),
    )


def settle() -> None:
    """Leave out of every later garbage collection what is there for good: it would stop the loop for tens of
    milliseconds each time."""
    gc.collect()
    gc.freeze()


async def _serve(settings: Settings) -> None:
    server = Server(settings)
    stopping = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stopping.set)
    try:
        await server.start()
        settle()
        await stopping.wait()
    finally:
        await server.stop()


def run(settings: Settings) -> int:
    """Serve until SIGTERM or SIGINT, then drain; return the exit code. Logs JSON lines to standard error.

    Raises SettingsError for a port that is taken.
    """
    sys.setswitchinterval(SWITCH_INTERVAL)
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.WARNING)
    logging.getLogger("lisboa_ai").setLevel(logging.INFO)
    # They would be a second series for every counter and histogram, which nobody asks for.
    disable_created_metrics()  # type: ignore[no-untyped-call]
    asyncio.run(_serve(settings))
    return 0
