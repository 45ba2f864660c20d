"""``lisboa-ai serve`` and ``lisboa-ai demo``. Heavy imports wait until a command runs, so that help stays quick."""

from __future__ import annotations

import dataclasses
import os
import sys
from typing import Any, ClassVar

import click

__all__ = ["demo", "serve"]


class _Problem(click.ClickException):
    """One clear line, exit code 2."""

    exit_code: ClassVar[int] = 2


@click.command()
@click.option("--host", help="Address to listen at.  [default: 127.0.0.1]")
@click.option("--port", type=int, help="Port of the gRPC service; 0 takes a free one.  [default: 50051]")
@click.option("--metrics-port", type=int, help="Port of /metrics; 0 takes a free one.  [default: 9464]")
@click.option("--no-metrics", is_flag=True, help="No /metrics.")
@click.option("--allow-plaintext", is_flag=True, help="Listen beyond loopback although nothing is encrypted.")
@click.option("--workers", type=int, help="Threads that search at the same time.  [default: the usable cores]")
@click.option("--queue", type=int, help="Searches that may wait.  [default: as many as workers]")
@click.option("--default-time", type=float, help="Seconds of a search whose request names no limit.")
@click.option("--max-time", type=float, help="Longest search in seconds.")
@click.option("--max-memory", type=int, help="Most MiB for the trees of one search.")
@click.option("--drain-grace", type=float, help="Seconds between 'not serving' and stopping, for balancers.")
@click.option("--stop-grace", type=float, help="Seconds that answers on their way get when stopping.")
@click.option("--no-reflection", is_flag=True, help="The service does not describe itself.")
@click.option("--edition", "editions", multiple=True, help="A bundled edition or a folder; the first is the default.")
def serve(
    no_metrics: bool,
    no_reflection: bool,
    editions: tuple[str, ...],
    max_time: float | None,
    max_memory: int | None,
    **given: Any,
) -> None:
    """Run the gRPC service until SIGTERM or SIGINT; then running searches answer with the best they have.

    Logs are JSON lines on stderr; the first one says where it listens.

    Example: lisboa-ai serve --port 50051 --workers 4
    """
    # The gRPC library would put lines of its own between the JSON ones; what it says ends up in our errors too.
    os.environ.setdefault("GRPC_VERBOSITY", "NONE")
    from lisboa_ai.edition import EditionError

    from .app import run
    from .settings import Limits, Settings, SettingsError

    values = {name: value for name, value in given.items() if value is not None}
    if no_metrics:
        values["metrics_port"] = None
    if no_reflection:
        values["reflection"] = False
    if editions:
        values["editions"] = editions
    limits: dict[str, Any] = {}
    if max_time is not None:
        limits["time"] = max_time
    if max_memory is not None:
        limits["memory"] = max_memory << 20
    try:
        settings = Settings(limits=dataclasses.replace(Limits(), **limits), **values)
        code = run(settings)
    except (SettingsError, EditionError) as error:
        raise _Problem(str(error)) from None
    sys.exit(code)


@click.command()
@click.option("--time", "seconds", type=click.FloatRange(0.1, 60.0), default=2.0, show_default=True, help="Seconds.")
@click.option("--seed", type=int, default=1, show_default=True, help="Seed of the search.")
@click.option("--candidates", type=click.IntRange(1, 20), default=5, show_default=True, help="Candidates shown.")
def demo(seconds: float, seed: int, candidates: int) -> None:
    """Show it all at once: a mid-game position for three, the service, its advice and why.

    Example: lisboa-ai demo --time 5
    """
    from lisboa_ai.client import ServiceError

    from .demo import show_demo

    try:
        show_demo(seconds, seed, candidates)
    except ServiceError as error:
        raise _Problem(str(error)) from None
