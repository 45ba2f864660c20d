"""How many processors there are to use."""

from __future__ import annotations

import math
import os
from pathlib import Path
from typing import Final

__all__ = ["usable_cores"]

CPU_QUOTA: Final = Path("/sys/fs/cgroup/cpu.max")
"""Where Linux says how much of the processors a container may use: microseconds and the period they are of."""


def usable_cores(quota: Path = CPU_QUOTA) -> int:
    """Cores this process may run on: by its affinity, and by the share that its container has."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    try:
        share, period = quota.read_text(encoding="ascii").split()
        return cores if share == "max" else max(1, min(cores, math.ceil(int(share) / int(period))))
    except (OSError, ValueError):
        return cores
