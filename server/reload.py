"""Files that may change while the server runs: read again when they do, kept as they were when the new ones are bad."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Generic, TypeVar

from .metrics import Metrics

__all__ = ["Watched"]

log = logging.getLogger("lisboa_ai.server")
T = TypeVar("T")
_State = tuple[tuple[int, int, int], ...]


class Watched(Generic[T]):
    """What some files say. May be asked from any thread; asking costs a look at the files' times and sizes."""

    def __init__(self, what: str, paths: Sequence[Path], read: Callable[[], T], metrics: Metrics) -> None:
        """Reads for the first time, and raises what ``read`` raises. what: a file of ``metrics.RELOADED``."""
        self._what = what
        self._paths = tuple(paths)
        self._read = read
        self._metrics = metrics
        self._lock = threading.Lock()
        self._state = self._look()
        self._value = read()

    def now(self) -> T:
        """What the files say now; what they said before if the new ones cannot be used, or are not there."""
        with self._lock:
            try:
                state = self._look()
                if state != self._state:
                    # Remembered first: files that are bad are tried again when they change, not at every call.
                    self._state = state
                    self._value = self._read()
                    self._metrics.reloads.labels(self._what, "ok").inc()
                    log.info("read again", extra={"call": {"file": self._what}})
            except (OSError, ValueError) as error:
                if self._state != ():
                    self._metrics.reloads.labels(self._what, "failed").inc()
                    log.error("cannot read again", extra={"call": {"file": self._what, "problem": str(error)[:300]}})
                if isinstance(error, OSError):
                    self._state = ()
            return self._value

    def _look(self) -> _State:
        found = [path.stat() for path in self._paths]
        return tuple((one.st_mtime_ns, one.st_size, one.st_ino) for one in found)
