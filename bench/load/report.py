"""What became of a load: codes, and percentiles of the latency from when calls were meant to start."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final

from .generator import UNSENT, End

__all__ = ["PERCENTILES", "Report", "percentile", "percentiles", "report_of"]

PERCENTILES: Final = (50.0, 90.0, 99.0, 99.9, 100.0)


def percentile(values: Sequence[float], part: float) -> float:
    """The smallest of these sorted values that at least ``part`` per cent of them do not exceed."""
    return values[max(0, math.ceil(part / 100 * len(values)) - 1)]


def percentiles(values: Iterable[float]) -> dict[str, float]:
    """Percentiles by name, in milliseconds, of seconds; empty without values."""
    found = sorted(values)
    return {_name(part): round(1000 * percentile(found, part), 3) for part in PERCENTILES} if found else {}


def _name(part: float) -> str:
    return "max" if part == 100.0 else f"p{part:g}"


@dataclass(frozen=True, slots=True)
class Report:
    """calls: meant to be sent. rate: calls that were answered with OK, a second. codes: ends by code. Latencies by
    percentile in milliseconds: of each code from the intended start, of first answers, and of how late the tool was."""

    calls: int
    seconds: float
    rate: float
    codes: dict[str, int]
    latency_ms: dict[str, dict[str, float]]
    first_ms: dict[str, float]
    late_ms: dict[str, float]

    def to_json(self) -> dict[str, Any]:
        """As plain data."""
        return asdict(self)

    def lines(self) -> list[str]:
        """For a person to read."""
        found = [f"{self.calls} calls in {self.seconds:.2f} s, {self.rate:.1f} a second answered"]
        found += [f"{code:20} {self.codes[code]:>7}  {_told(times)}" for code, times in self.latency_ms.items()]
        if self.first_ms:
            found.append(f"{'first answers':20} {'':>7}  {_told(self.first_ms)}")
        if self.late_ms:
            found.append(f"{'sent late by':20} {'':>7}  {_told(self.late_ms)}")
        return found


def _told(times: dict[str, float]) -> str:
    return "  ".join(f"{name} {value:.1f} ms" for name, value in times.items())


def report_of(ends: Sequence[End]) -> Report:
    """The report of a load."""
    codes = Counter(end.code for end in ends)
    seconds = max((end.ended for end in ends), default=0.0)
    return Report(
        calls=len(ends),
        seconds=round(seconds, 6),
        rate=round(codes["OK"] / seconds, 3) if seconds else 0.0,
        codes=dict(sorted(codes.items())),
        latency_ms={
            code: percentiles(end.ended - end.meant for end in ends if end.code == code) for code in sorted(codes)
        },
        first_ms=percentiles(end.first - end.meant for end in ends if end.first is not None),
        late_ms=percentiles(end.sent - end.meant for end in ends if end.code != UNSENT),
    )
