"""``lisboa-ai serve`` and ``lisboa-ai demo``. Heavy imports wait until a command runs, so that help stays quick."""

from __future__ import annotations

import os
import sys
from typing import Any, ClassVar, Final

import click

from .configuration import CONFIG_VARIABLE, SETTINGS, configured
from .settings import SettingsError

__all__ = ["demo", "serve"]

_METAVARS: Final = {int: "NUMBER", float: "NUMBER", str: "TEXT", tuple: "TEXT"}


class _Problem(click.ClickException):
    """One clear line, exit code 2."""

    exit_code: ClassVar[int] = 2


def _flags(command: click.Command) -> click.Command:
    """Give the command a flag for every setting; truth values are a pair of flags, all others texts."""
    for one in SETTINGS.values():
        names = [one.flag] if one.kind is not bool else [f"{one.flag}/--no-{one.flag[2:]}"]
        if one.name == "editions":
            names.append("--edition")
        command.params.append(
            click.Option(
                [*names, one.variable.lower()],
                default=None,
                multiple=one.kind is tuple,
                metavar=None if one.kind is bool else _METAVARS[one.kind],
                help=one.says,
            )
        )
    return command


@_flags
@click.command()
@click.option("--config", metavar="FILE", help=f"Settings in TOML.  [default: what {CONFIG_VARIABLE} says, or none]")
@click.option("--print-config", is_flag=True, help="Print the settings in force as such a file, and stop.")
@click.option("--no-metrics", is_flag=True, help="The same as --metrics-port none.")
@click.option(
    "--new-token", metavar="NAME:ROLE", help="Print a fresh token (role advise or admin) and its line for the file."
)
def serve(config: str | None, print_config: bool, no_metrics: bool, new_token: str | None, **given: Any) -> None:
    """Run the gRPC service until SIGTERM or SIGINT; then running searches answer with the best they have.

    Every flag is also a line of the file and a variable LISBOA_SERVE_...: flags overrule variables, and those the
    file. Logs are JSON lines on stderr; the one that says "serving" says where it listens.

    Example: lisboa-ai serve --port 50051 --workers 4
    """
    # The gRPC library would put lines of its own between the JSON ones; what it says ends up in our errors too.
    os.environ.setdefault("GRPC_VERBOSITY", "NONE")
    if new_token is not None:
        _print_token(new_token)
        return
    flags = {} if not no_metrics else {"metrics_port": "none"}
    for one in SETTINGS.values():
        value = given[one.variable.lower()]
        if value not in (None, ()):
            flags[one.name] = ",".join(value) if isinstance(value, tuple) else str(value)
    from lisboa_ai.edition import EditionError

    from .app import SelfTestFailed, run

    try:
        found = configured(os.environ, flags, config)
        if print_config:
            click.echo(found.to_toml(), nl=False)
            return
        code = run(found.settings)
    except (SettingsError, EditionError) as error:
        raise _Problem(str(error)) from None
    except SelfTestFailed as error:
        raise click.ClickException(str(error)) from None
    sys.exit(code)


def _print_token(asked: str) -> None:
    from .tokens import TokenError, fresh_token

    try:
        token, line = fresh_token(*asked.partition(":")[::2])
    except TokenError as error:
        raise _Problem(f"new-token: {error}") from None
    click.echo(f"token (shown only now): {token}\nline for the file:      {line}")


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
