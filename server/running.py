"""Searches that run, and how they are ended early."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterator

from lisboa_ai.analysis import CancelFlag

__all__ = ["Handle", "Running"]


class Running:
    """A search on a worker. Its flag is set once; the first reason counts."""

    def __init__(self) -> None:
        self.cancel = CancelFlag()
        self.reason: str | None = None
        self.since = 0.0

    def stop(self, reason: str) -> None:
        """End it with the best it has."""
        if self.reason is None:
            self.reason = reason
            self.since = time.monotonic()
            self.cancel.set()


class Handle:
    """Ends one search early, from the loop: once it runs it answers at once with the best it has."""

    def __init__(self) -> None:
        self._running: Running | None = None

    def stop(self) -> bool:
        """Ask for the answer now. False if the search does not run, so that there is none."""
        if self._running is None:
            return False
        self._running.stop("client")
        return True

    @contextlib.contextmanager
    def on(self, running: Running) -> Iterator[None]:
        """Be about this search inside the block."""
        self._running = running
        try:
            yield
        finally:
            self._running = None
