"""A review as plain data, for JSON."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any, Final

from ..analysis import SearchLimits
from ..record import GameRecord
from .model import Review

__all__ = ["FORMAT", "to_data"]

FORMAT: Final = "lisboa-review-1"


def to_data(record: GameRecord, limits: SearchLimits, review: Review) -> dict[str, Any]:
    """Everything a review says, and what it was made from. Wall times are left out: equal reviews give equal data."""
    return {
        "format": FORMAT,
        "edition": {"name": record.tables.name, "digest": record.tables.digest},
        "players": record.seats,
        "names": list(record.names),
        "observer": record.observer,
        "limits": {
            "iterations": limits.iterations,
            "time": limits.time,
            "threads": limits.threads,
            "seed": limits.seed,
        },
        "decisions": [asdict(one) for one in review.decisions],
        "summaries": [asdict(one) for one in review.summaries],
    }
