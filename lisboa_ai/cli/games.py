"""``new``, ``show``, ``legal``, ``apply``, ``observe``: games and positions in files."""

from __future__ import annotations

import secrets

import click
from rich.console import Console

from engine_ext import core

from .. import notation
from ..position import Position
from ..record import GameRecord
from .files import (
    edition_option,
    json_option,
    load_edition,
    load_record,
    load_state,
    one_clear_error,
    position_of,
    print_json,
    seat_option,
    write_state,
)

FITTING = 100
"""Columns in which the board fits without wrapping its words."""

output_option = click.option("-o", "--output", type=click.Path(dir_okay=False, allow_dash=True), help="File to write.")
text_option = click.option("--text", "as_text", is_flag=True, help="One line of text instead of JSON.")


@click.command()
@click.option("--players", type=int, required=True, help="2 to 4.")
@click.option("--seed", type=int, help="Seed of the deal.  [default: a random one]")
@click.option("--queen", is_flag=True, help="Play the Queen variant.")
@click.option("--draft", is_flag=True, help="Draft the starting hands.")
@click.option("--name", "names", multiple=True, help="A player's name, in turn order; once for each player.")
@output_option
@text_option
@edition_option
@one_clear_error
def new(
    players: int,
    seed: int | None,
    queen: bool,
    draft: bool,
    names: tuple[str, ...],
    output: str | None,
    as_text: bool,
    edition_name: str,
) -> None:
    """Deal a new game and write its record: the truth, with everything that chance decides written out.

    Example: lisboa-ai new --players 3 --seed 1 -o game.json
    """
    dealt = secrets.randbits(63) if seed is None else seed
    record = GameRecord.new(load_edition(edition_name), players, dealt, queen=queen, draft=draft, names=names)
    write_state(record, output, as_text=as_text)


def console_of(width: int | None) -> Console:
    """The terminal, or a file or pipe as wide as the board needs."""
    console = Console(width=width)
    return console if width or console.is_terminal else Console(width=max(FITTING, console.width))


@click.command()
@click.argument("file")
@seat_option
@click.option("--truth", is_flag=True, help="Show everything, hidden hands included (records of the truth only).")
@click.option("--width", type=click.IntRange(60, 400), help="Columns.  [default: the terminal's]")
@json_option
@edition_option
@one_clear_error
def show(file: str, seat: int | None, truth: bool, width: int | None, as_json: bool, edition_name: str) -> None:
    """Show the board as one seat sees it.

    Example: lisboa-ai show game.json --seat 0
    """
    from ..show import render

    state = load_state(file, load_edition(edition_name))
    names = state.names if isinstance(state, GameRecord) else ()
    if truth:
        if not isinstance(state, GameRecord):
            raise ValueError("truth: a position holds only what its seat knows; allowed: a record of the truth")
        console_of(width).print(render(state.replay(), state.tables, names=names))
        return
    position = position_of(state, seat)
    if as_json:
        click.echo(position.to_json())
        return
    console_of(width).print(render(position.observation, position.tables, names=names))


@click.command()
@click.argument("file")
@seat_option
@json_option
@edition_option
@one_clear_error
def legal(file: str, seat: int | None, as_json: bool, edition_name: str) -> None:
    """List what the pending decision allows.

    Example: lisboa-ai legal game.json
    """
    position = position_of(load_state(file, load_edition(edition_name)), seat)
    o, tables = position.observation, position.tables
    actions = [] if o.over else o.legal()
    texts = [notation.action_text(tables, o.kind, o.context, argument) for argument in actions]
    if as_json:
        said = [notation.describe(tables, o.kind, o.context, argument, o.seat) for argument in actions]
        print_json(
            {
                "over": o.over,
                "seat": o.seat,
                "decision": None if o.over else core.KINDS[o.kind],
                "actions": [{"text": text, "description": what} for text, what in zip(texts, said, strict=True)],
            }
        )
    elif o.over:
        click.echo("The game is over.")
    else:
        click.echo(f"seat {o.seat}, {core.KINDS[o.kind].replace('_', ' ')}:")
        width = max(map(len, texts))
        for text, argument in zip(texts, actions, strict=True):
            click.echo(f"  {text:<{width}}  {notation.describe(tables, o.kind, o.context, argument, o.seat)}")


@click.command()
@click.argument("file")
@click.argument("actions", nargs=-1, required=True)
@click.option("--revealed", default="", help="Ids that the last action revealed (an observer's record or a position).")
@output_option
@text_option
@edition_option
@one_clear_error
def apply(
    file: str, actions: tuple[str, ...], revealed: str, output: str | None, as_text: bool, edition_name: str
) -> None:
    """Carry out actions (several, or one turn joined by "; ") and write what results; FILE itself stays as it is.

    In an observer's record or a position, what an action revealed stands after "!".

    Example: lisboa-ai apply mine.json "take king ! red-king-4"
    """
    state = load_state(file, load_edition(edition_name))
    texts = [part for action in actions for part in notation.split_turn(action)]
    plain = not revealed and not any("!" in text for text in texts)
    for i, given in enumerate(texts):
        text, _, beside = (part.strip() for part in given.partition("!"))
        shown = beside or (revealed if i == len(texts) - 1 else "")
        if isinstance(state, Position):
            state = state.advance(text, shown)
        elif plain and state.observer is None:
            state = state.extend(texts)
            break
        else:
            state = state.append(text, shown)
    write_state(state, output, as_text=as_text)


@click.command()
@click.argument("file")
@click.option("--seat", type=int, required=True, help="Seat, from 0 in turn order.")
@click.option("--ply", type=click.IntRange(0), help="After so many actions.  [default: all]")
@click.option("--record", "as_record", is_flag=True, help="That seat's record instead of its position.")
@output_option
@text_option
@edition_option
@one_clear_error
def observe(
    file: str, seat: int, ply: int | None, as_record: bool, output: str | None, as_text: bool, edition_name: str
) -> None:
    """Write what one seat may know of a game: its position, or the record it could have kept.

    Example: lisboa-ai observe game.json --seat 1 -o mine.json
    """
    record = load_record(file, load_edition(edition_name))
    if not 0 <= seat < record.seats:
        raise ValueError(f"seat: {seat}; allowed: 0 to {record.seats - 1}")
    write_state(record.observe(seat) if as_record else record.position(seat, ply), output, as_text=as_text)
