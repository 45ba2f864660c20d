"""The command line ``lisboa-ai``. Sub-commands are found by the entry-point group ``lisboa_ai.commands``.

So commands that need the service (``serve``, ``demo``) live above this package, which never imports upwards.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import metadata
from typing import Any

import click

from .. import __version__
from .advise import advise
from .arena import arena
from .compare import compare_command
from .editions import edition_group, position_group
from .games import apply, legal, new, observe, show
from .play import play
from .review import review_command

__all__ = ["main"]

GROUP = "lisboa_ai.commands"


class _Commands(click.Group):
    """The package's own commands, and those that installed packages bring along."""

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        **extra: Any,
    ) -> Any:
        """Like click's own, but a problem with the command line is one line as well."""

        def run() -> Any:
            return super(_Commands, self).main(args, prog_name, complete_var, False, **extra)

        if not standalone_mode:
            return run()
        try:
            code = run()
            sys.exit(code if isinstance(code, int) else 0)
        except click.exceptions.NoArgsIsHelpError as error:
            click.echo(error.format_message(), err=True)
        except click.UsageError as error:
            where = f" (see {error.ctx.command_path} --help)" if error.ctx else ""
            click.echo(f"Error: {' '.join(error.format_message().split())}{where}", err=True)
        except click.ClickException as error:
            error.show()
        except click.Abort:
            click.echo("stopped", err=True)
            sys.exit(130)
        sys.exit(2)

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted({*super().list_commands(ctx), *(point.name for point in metadata.entry_points(group=GROUP))})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        own = super().get_command(ctx, cmd_name)
        if own is not None:
            return own
        for point in metadata.entry_points(group=GROUP):
            if point.name == cmd_name:
                found: click.Command = point.load()
                return found
        return None


def _version() -> str:
    from engine_ext import core

    return f"{__version__} ({'checked' if core.CHECKED else 'release'} engine)"


def _show_version(ctx: click.Context, _param: click.Parameter, value: bool) -> None:
    if value:
        click.echo(f"lisboa-ai {_version()}")
        ctx.exit()


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110})
@click.option(
    "--version", is_flag=True, is_eager=True, expose_value=False, callback=_show_version, help="Version, build."
)
def cli() -> None:
    """Play, analyse and record games of Lisboa.

    Files hold a game's record or a position, as JSON or as one line of text; "-" is standard input.

    Example: lisboa-ai new --players 3 --seed 1 -o game.json && lisboa-ai show game.json --seat 0
    """


for command in (
    new,
    show,
    legal,
    apply,
    observe,
    advise,
    compare_command,
    play,
    arena,
    review_command,
    edition_group,
    position_group,
):
    cli.add_command(command)


def main(**extra: Any) -> None:
    """Run the command line. Every problem with input is one line on stderr and exit code 2."""
    try:
        cli(**extra)
    except BrokenPipeError:
        sys.exit(0)
