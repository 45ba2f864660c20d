"""Threads that let others go first."""

from __future__ import annotations

import os
import sys
import threading

__all__ = ["step_back"]


def step_back(by: int) -> None:
    """Let other threads go before this one, and those it starts, wherever both want a processor."""
    if by and sys.platform == "linux":  # elsewhere a thread has no priority of its own
        thread = threading.get_native_id()
        os.setpriority(os.PRIO_PROCESS, thread, os.getpriority(os.PRIO_PROCESS, thread) + by)
