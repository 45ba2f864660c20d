"""``edition check|export`` and ``position template``."""

from __future__ import annotations

import click

from .. import edition, position
from .files import Problem, edition_option, json_option, load_edition, one_clear_error, print_json, read_text


@click.group("position")
def position_group() -> None:
    """Positions typed in by hand."""


@position_group.command("template")
@click.option("--players", type=int, default=3, show_default=True, help="2 to 4.")
@click.option("--observer", type=int, default=0, show_default=True, help="Seat whose knowledge it is.")
@click.option("--explain", is_flag=True, help="Say on stderr what each field means.")
@edition_option
@one_clear_error
def template(players: int, observer: int, explain: bool, edition_name: str) -> None:
    """Print an example position to fill in: the start of a first turn.

    Example: lisboa-ai position template --players 4 --explain > mine.json
    """
    if not 0 <= observer < players:
        raise ValueError(f"observer: {observer}; allowed: 0 to {players - 1}")
    click.echo(position.template(load_edition(edition_name), players, observer).to_json())
    if explain:
        for field, meaning in position.meanings().items():
            click.echo(f"{field}: {meaning}", err=True)


@position_group.command("check")
@click.argument("file")
@json_option
@edition_option
@one_clear_error
def check_position(file: str, as_json: bool, edition_name: str) -> None:
    """Name everything that is wrong with a position's JSON, at once.

    Example: lisboa-ai position check mine.json
    """
    violations = position.validate(read_text(file), [load_edition(edition_name)])
    if as_json:
        print_json([{"field": v.field, "value": v.value, "allowed": v.allowed, "reason": v.reason} for v in violations])
    else:
        for violation in violations:
            click.echo(str(violation))
    if violations:
        raise Problem(f"position: {len(violations)} of its fields are wrong; allowed: see above")
    if not as_json:
        click.echo("The position is sound.")


@click.group("edition")
def edition_group() -> None:
    """The printed values of the game: check and correct them."""


@edition_group.command("check")
@click.argument("folder", required=False)
@click.option("--list-house", is_flag=True, help="List every row that still holds invented values.")
@json_option
@one_clear_error
def check_edition(folder: str | None, list_house: bool, as_json: bool) -> None:
    """Name every row that breaks a total or a range, and count what is still invented ("house").

    Example: lisboa-ai edition check my-edition
    """
    where = edition.folder_of(folder or "house")
    problems = edition.check(where)
    house = edition.house_rows(where) if not problems else []
    if as_json:
        print_json(
            {
                "problems": [
                    {"file": p.file, "row": p.row, "field": p.field, "value": str(p.value), "allowed": p.allowed}
                    for p in problems
                ],
                "house": [{"file": h.file, "row": h.row, "fields": list(h.fields)} for h in house],
            }
        )
    else:
        for problem in problems:
            click.echo(f"{problem.file}: {problem.row}: {problem.field}: {problem.value}; allowed: {problem.allowed}")
        if not problems:
            click.echo(f"No row breaks a total or a range. Rows with house values: {len(house)}.")
        for row in house if list_house else []:
            click.echo(f"  {row.file}: {row.row}: {', '.join(row.fields)}")
    if problems:
        raise Problem(f"edition: {len(problems)} problems; allowed: none (see above)")


@edition_group.command("export")
@click.argument("folder")
@click.option("--from", "name", default="house", show_default=True, help="Bundled edition to start from.")
@one_clear_error
def export(folder: str, name: str) -> None:
    """Write the bundled edition's tables to a folder, to be corrected from a copy of the game.

    Example: lisboa-ai edition export my-edition
    """
    for path in edition.export(folder, name):
        click.echo(str(path))
