"""What is measured, under the names that stock dashboards and ``docs`` know, in one registry per server."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterable
from typing import Final

import grpc
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram
from prometheus_client.gc_collector import GCCollector
from prometheus_client.platform_collector import PlatformCollector
from prometheus_client.process_collector import ProcessCollector

from .build import build

__all__ = ["CANCEL_REASONS", "REJECT_REASONS", "Metrics", "watch_loop"]

CALL_BUCKETS: Final = (0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0)
SEARCH_BUCKETS: Final = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 30.0, 60.0)
WAIT_BUCKETS: Final = (0.0005, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0)
LAG_BUCKETS: Final = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)
NODE_BUCKETS: Final = (100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000)
REJECT_REASONS: Final = ("queue_full", "deadline", "rate", "draining")
CANCEL_REASONS: Final = ("client", "draining")
CACHE_EVENTS: Final = ("hit", "miss", "eviction")
RELOADED: Final = ("tokens", "certificates")
SEARCH_ENDS: Final = (
    "iterations",
    "time",
    "memory",
    "cancelled",
    "single_action",
    "game_over",
    "decided",
    "no_search",
    "deadline",
    "draining",
    "failed",
)
LAG_EVERY: Final = 0.1
"""Seconds between looks at the event loop."""


class Metrics:
    """All metrics of one server. Every label set that is known beforehand is there from the start, at zero."""

    def __init__(self, editions: Iterable[str]) -> None:
        self.registry = CollectorRegistry()
        ProcessCollector(registry=self.registry)
        PlatformCollector(registry=self.registry)
        GCCollector(registry=self.registry)
        r = self.registry
        call = ("grpc_type", "grpc_service", "grpc_method")
        self.started = Counter("grpc_server_started_total", "Calls begun.", call, registry=r)
        self.handled = Counter("grpc_server_handled_total", "Calls ended, by code.", (*call, "grpc_code"), registry=r)
        self.received = Counter("grpc_server_msg_received_total", "Messages received.", call, registry=r)
        self.sent = Counter("grpc_server_msg_sent_total", "Messages sent.", call, registry=r)
        self.handling = Histogram(
            "grpc_server_handling_seconds", "Time from start to end of a call.", call, buckets=CALL_BUCKETS, registry=r
        )
        self.in_flight = Gauge("lisboa_rpcs_in_flight", "Calls that have begun and not ended.", ("method",), registry=r)
        self.queue_depth = Gauge("lisboa_search_queue_depth", "Searches that wait.", registry=r)
        self.workers = Gauge("lisboa_search_workers", "Search threads, by state.", ("state",), registry=r)
        self.queue_wait = Histogram(
            "lisboa_search_queue_wait_seconds", "Time a search waited.", buckets=WAIT_BUCKETS, registry=r
        )
        self.duration = Histogram(
            "lisboa_search_duration_seconds",
            "Time a search ran, by why it ended.",
            ("stop_reason",),
            buckets=SEARCH_BUCKETS,
            registry=r,
        )
        self.first_result = Histogram(
            "lisboa_search_first_result_seconds",
            "Time from a call's start to its first answer.",
            buckets=SEARCH_BUCKETS,
            registry=r,
        )
        self.iterations = Counter("lisboa_search_iterations_total", "Iterations of all searches.", registry=r)
        self.nodes = Histogram(
            "lisboa_search_tree_nodes", "Nodes of a search's trees.", buckets=NODE_BUCKETS, registry=r
        )
        self.rejected = Counter("lisboa_search_rejected_total", "Searches refused.", ("reason",), registry=r)
        self.cache_events = Counter(
            "lisboa_search_cache_events_total",
            "Looks into the cache of analyses, and what left it.",
            ("event",),
            registry=r,
        )
        self.cache_entries = Gauge("lisboa_search_cache_entries", "Analyses in the cache.", registry=r)
        self.reloads = Counter(
            "lisboa_reloads_total", "Files read again because they had changed.", ("file", "result"), registry=r
        )
        self.cancelled = Counter("lisboa_search_cancelled_total", "Searches cancelled.", ("reason",), registry=r)
        self.cancel_latency = Histogram(
            "lisboa_cancel_latency_seconds",
            "Time from a cancellation until the worker was free.",
            ("reason",),
            buckets=LAG_BUCKETS,
            registry=r,
        )
        self.loop_lag = Histogram(
            "lisboa_event_loop_lag_seconds", "How late the event loop wakes up.", buckets=LAG_BUCKETS, registry=r
        )
        self.build_info = Gauge(
            "lisboa_build_info",
            "1; the labels say what is running.",
            ("version", "edition", "git", "cython", "python", "engine"),
            registry=r,
        )
        here = build()
        for edition in editions:
            self.build_info.labels(here.version, edition, here.git, here.cython, here.python, here.engine).set(1)
        for reason in REJECT_REASONS:
            self.rejected.labels(reason)
        for reason in CANCEL_REASONS:
            self.cancelled.labels(reason)
            self.cancel_latency.labels(reason)
        for end in SEARCH_ENDS:
            self.duration.labels(end)
        for event in CACHE_EVENTS:
            self.cache_events.labels(event)
        for file in RELOADED:
            for result in ("ok", "failed"):
                self.reloads.labels(file, result)
        for state in ("busy", "idle"):
            self.workers.labels(state)

    def know_method(self, grpc_type: str, service: str, method: str) -> None:
        """Put a method's metrics there at zero, for every code it may end with."""
        call = (grpc_type, service, method)
        for metric in (self.started, self.received, self.sent, self.handling):
            metric.labels(*call)
        for code in grpc.StatusCode:
            self.handled.labels(*call, code_name(code))
        self.in_flight.labels(f"{service}/{method}")


def code_name(code: grpc.StatusCode) -> str:
    """The code as go-grpc-prometheus writes it: ``InvalidArgument``, ``OK``."""
    return code.name if code is grpc.StatusCode.OK else code.name.title().replace("_", "")


async def watch_loop(metrics: Metrics) -> None:
    """Measure for ever how late the event loop wakes up: what holds the GIL shows here first."""
    while True:
        due = time.monotonic() + LAG_EVERY
        await asyncio.sleep(LAG_EVERY)
        metrics.loop_lag.observe(max(0.0, time.monotonic() - due))
