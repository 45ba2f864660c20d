"""A real server on a free loopback port, in a thread with its own event loop, for tests that call it."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Iterator
from typing import Any

from lisboa_ai.server.app import Server
from lisboa_ai.server.settings import Settings


@contextlib.contextmanager
def running(**settings: Any) -> Iterator[Server]:
    """A started server; stopped at the end. Settings as in ``Settings``, on free ports."""
    server = Server(Settings(**{"port": 0, "metrics_port": None, "workers": 2, **settings}))
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    try:
        asyncio.run_coroutine_threadsafe(server.start(), loop).result(30)
        yield server
    finally:
        asyncio.run_coroutine_threadsafe(server.stop(), loop).result(30)
        loop.call_soon_threadsafe(loop.stop)
        thread.join(30)
        loop.close()
