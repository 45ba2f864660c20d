"""``review``: a game judged decision by decision, for people and programs."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import click
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from .. import values
from ..analysis import SearchLimits
from ..cluster import EXECUTORS, open_executor
from ..record import GameRecord
from ..review import DEFAULT_ITERATIONS, Review, collect, review
from ..review.data import to_data
from ..review.page import page
from ..review.words import (
    BALANCE,
    QUALITY,
    balance_rows,
    cost_text,
    decision_title,
    quality_rows,
    reasons_text,
    seat_name,
    verdict_name,
)
from .files import edition_option, load_edition, load_record, one_clear_error, print_note

path_type = click.Path(dir_okay=False, path_type=Path)


@click.command("review")
@click.argument("record_file", metavar="RECORD")
@click.option("--iterations", type=int, help=f"Iterations for a decision.  [default: {DEFAULT_ITERATIONS}]")
@click.option("--time", "seconds", type=float, help="Seconds for a decision, instead of iterations.")
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of the searches.")
@click.option("--costliest", type=click.IntRange(0), default=8, show_default=True, help="Decisions to list.")
@click.option("--json", "json_path", type=path_type, help="Write everything as JSON.")
@click.option("--html", "html_path", type=path_type, help="Write one page to read in a browser.")
@click.option("--executor", "executor_text", default="local", show_default=True, help=f"Where to search: {EXECUTORS}.")
@edition_option
@one_clear_error
def review_command(
    record_file: str,
    iterations: int | None,
    seconds: float | None,
    seed: int,
    costliest: int,
    json_path: Path | None,
    html_path: Path | None,
    executor_text: str,
    edition_name: str,
) -> None:
    """Judge every decision of a game: what was played, what was best, what it cost, and what luck brought.

    With iterations the result depends on the record, the iterations and the seed, not on where the searches run.

    Example: lisboa-ai review game.json --html review.html --executor processes:2
    """
    for name, path in (("json", json_path), ("html", html_path)):
        if path is not None and not path.absolute().parent.is_dir():
            raise ValueError(f"{name}: {path}; allowed: a file in a folder that is there")
    record = load_record(record_file, load_edition(edition_name))
    if iterations is None and seconds is None:
        iterations = DEFAULT_ITERATIONS
    limits = SearchLimits(time=seconds, iterations=iterations, seed=seed)
    print_note(values.doubt(record.tables.engine))
    found = reviewed(record, limits, executor_text)
    if json_path is not None:
        text = json.dumps(to_data(record, limits, found), ensure_ascii=False, indent=1)
        json_path.write_text(text + "\n", encoding="utf-8")
    if html_path is not None:
        html_path.write_text(page(record, limits, found), encoding="utf-8")
    show(record, found, costliest)


def reviewed(record: GameRecord, limits: SearchLimits, executor_text: str) -> Review:
    """The review, with a bar of progress on stderr."""
    length = len(record.moments())
    with (
        open_executor(executor_text) as executor,
        click.progressbar(length=length, label="reviewing", file=sys.stderr) as bar,
    ):

        def progress(done: int, _: int) -> None:
            bar.update(done - bar.pos)

        return collect(review(record, limits, executor=executor, progress=progress))


def show(record: GameRecord, found: Review, costliest: int) -> None:
    """The summary for people: every seat, then the costliest decisions."""
    console = Console(highlight=False)
    for title, rows in ((QUALITY, quality_rows(record, found)), (BALANCE, balance_rows(record, found))):
        console.print(title, style="bold")
        table = Table(box=None, padding=(0, 1))
        table.add_column("", no_wrap=True)
        for one in found.summaries:
            table.add_column(escape(seat_name(record, one.seat)), justify="right")
        for name, cells in rows:
            table.add_row(name, *cells)
        console.print(table)
        console.print()
    lost = found.costliest(costliest)
    if lost:
        console.print("[bold]The costliest decisions[/bold]")
    for decision in lost:
        for line in (
            f"{decision_title(record, decision)}: {verdict_name(decision.verdict)}, {cost_text(decision)}",
            f"  played {decision.played.text}, best {decision.best.text if decision.best else ''}",
            *([f"  {reasons_text(decision.reasons)}"] if decision.reasons else []),
        ):
            console.print(line, markup=False, soft_wrap=True)
