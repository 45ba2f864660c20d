"""Times as messages, both ways."""

from __future__ import annotations

import math
from typing import Final

from google.protobuf.duration_pb2 import Duration

__all__ = ["duration", "seconds"]

NANOS: Final = 1_000_000_000


def duration(value: float) -> Duration:
    """Seconds as a message, to the nanosecond."""
    whole = math.floor(value)
    nanos = round((value - whole) * NANOS)
    return Duration(seconds=whole + nanos // NANOS, nanos=nanos % NANOS)


def seconds(message: Duration) -> float:
    """A message as seconds."""
    return message.seconds + message.nanos / NANOS
