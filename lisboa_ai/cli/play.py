"""``play``: a game at the terminal between people and bots, saved as a record."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import click
from rich.console import Console
from rich.markup import escape
from rich.status import Status
from rich.table import Table

from engine_ext import core

from .. import notation, report, values
from ..analysis import SearchLimits, SearchOptions, analyse
from ..bots import Bot, GreedyBot, RandomBot, SearchBot
from ..edition import EditionTables
from ..record import GameRecord, RecordedAction
from .files import edition_option, load_edition, load_record, one_clear_error, print_note

KINDS_OF_SEAT = ("human", "random", "greedy", "search")
HELP = "type an action or its number, or: ? (list), hint, board, undo, save, quit"
SECRET = ("draft_keep",)
"""Decisions whose answer rivals do not see."""


@click.command()
@click.option("--seats", default="human,greedy", show_default=True, help="human, random, greedy or search, by comma.")
@click.option("--seed", type=int, help="Seed of deal and bots.  [default: a random one]")
@click.option("--think", type=float, default=1.0, show_default=True, help="Seconds a search seat or a hint thinks.")
@click.option("--level", type=int, help="Level of the search seats, 1 to 10.  [default: all they find]")
@click.option("--queen", is_flag=True, help="Play the Queen variant.")
@click.option("--draft", is_flag=True, help="Draft the starting hands.")
@click.option("--resume", type=click.Path(exists=True), help="Go on with a saved record.")
@click.option("-o", "--output", default="played.json", show_default=True, help="Where the record is saved.")
@click.option("--quiet", is_flag=True, help="No boards, only actions and the result.")
@edition_option
@one_clear_error
def play(
    seats: str,
    seed: int | None,
    think: float,
    level: int | None,
    queen: bool,
    draft: bool,
    resume: str | None,
    output: str,
    quiet: bool,
    edition_name: str,
) -> None:
    """Play a game: any mix of people and bots. The record is saved at the end and whenever you stop.

    Example: lisboa-ai play --seats human,search,greedy --level 4
    """
    tables = load_edition(edition_name)
    kinds = [kind.strip() for kind in seats.split(",")]
    for i, kind in enumerate(kinds):
        if kind not in KINDS_OF_SEAT:
            raise ValueError(f"seats[{i}]: {kind!r}; allowed: {', '.join(KINDS_OF_SEAT)}")
    dealt = secrets.randbits(63) if seed is None else seed
    if resume:
        record = load_record(resume, tables)
    else:
        record = GameRecord.new(tables, len(kinds), dealt, queen=queen, draft=draft)
    if record.seats != len(kinds):
        raise ValueError(f"seats: {len(kinds)} named; allowed: {record.seats}, as many as the record has players")
    if not record.is_truth:
        raise ValueError("resume: an observer's record; allowed: a record of the truth")
    options = SearchOptions(level=level)
    if "search" in kinds:
        print_note(values.doubt(record.tables.engine))
    Match(record, kinds, dealt, think, options, Path(output), quiet=quiet).run()


class Match:
    """A running game: the truth, the actions so far, and who sits where."""

    def __init__(
        self,
        record: GameRecord,
        kinds: Sequence[str],
        seed: int,
        think: float,
        options: SearchOptions,
        output: Path,
        *,
        quiet: bool,
    ) -> None:
        self.record = record
        self.game = record.replay()
        self.kinds = list(kinds)
        self.limits = SearchLimits(time=think, seed=seed)
        self.options = options
        self.bots: list[Bot | None] = [self._bot(kind, seed + i) for i, kind in enumerate(kinds)]
        self.past: list[core.Game] = []
        self.output = output
        self.quiet = quiet
        self.console = Console()

    @property
    def tables(self) -> EditionTables:
        return self.record.tables

    def _bot(self, kind: str, seed: int) -> Bot | None:
        if kind == "random":
            return RandomBot(seed)
        if kind == "greedy":
            return GreedyBot(seed)
        return SearchBot(replace(self.limits, seed=seed), self.options) if kind == "search" else None

    def run(self) -> None:
        try:
            while not self.game.over:
                bot = self.bots[self.game.seat]
                if bot is None:
                    if not self._human():
                        break
                elif isinstance(bot, SearchBot) and self.limits.time and self.limits.time > 1:
                    with self._thinking(f"player {self.game.seat + 1} thinks"):
                        argument = bot.choose(self.game.observe(self.game.seat))
                    self._do(argument)
                else:
                    self._do(bot.choose(self.game.observe(self.game.seat)))
        except (KeyboardInterrupt, EOFError, click.Abort):
            self.console.print("\nstopped")
        self._save()
        if self.game.over:
            self._result()

    def _do(self, argument: int) -> None:
        kind, context, seat = self.game.kind, self.game.context, self.game.seat
        text = notation.action_text(self.tables, kind, context, argument)
        if core.KINDS[kind] in SECRET and self.kinds[seat] != "human" and "human" in self.kinds:
            self.console.print(f"Player {seat + 1} keeps a card.", highlight=False)
        else:
            said = notation.describe(self.tables, kind, context, argument, seat)
            self.console.print(f"{escape(said)}  [dim]({escape(text)})[/dim]", highlight=False)
        self.past.append(self.game.copy())
        self.game.apply(argument)
        self.record = replace(self.record, actions=(*self.record.actions, RecordedAction(text)))

    def _board(self) -> None:
        from ..show import render

        self.console.print(render(self.game.observe(self.game.seat), self.tables, names=self.record.names))

    def _human(self) -> bool:
        """One decision of a person; False to stop."""
        seat = self.game.seat
        if not self.quiet and core.KINDS[self.game.kind] in ("play_card", "keep_clergy"):
            self._board()
        name = core.KINDS[self.game.kind].replace("_", " ")
        typed = click.prompt(f"player {seat + 1}, {name} (? for help)", prompt_suffix="> ").strip()
        if typed == "?":
            self.console.print(HELP)
            self._list()
        elif typed == "hint":
            with self._thinking("thinking about a hint"):
                found = analyse(self.game.observe(seat), self.limits)
            self.console.print(report.candidate_table(self.tables, found))
        elif typed == "board":
            self._board()
        elif typed == "undo":
            self._undo()
        elif typed == "save":
            self._save()
        elif typed in ("quit", "exit"):
            return False
        else:
            try:
                legal = self._legal()
                numbered = typed.isdecimal() and 1 <= int(typed) <= len(legal)
                self._do(legal[int(typed) - 1] if numbered else notation.parse_action(self.tables, self.game, typed))
            except notation.ActionError as error:
                self.console.print(str(error), markup=False, highlight=False)
        return True

    def _legal(self) -> list[int]:
        """What is legal, in the order in which every command lists it."""
        return self.game.observe(self.game.seat).legal()

    def _list(self) -> None:
        """The legal actions, numbered, each with what it means."""
        kind, context, seat = self.game.kind, self.game.context, self.game.seat
        table = Table(box=None, padding=(0, 1))
        for number, argument in enumerate(self._legal(), start=1):
            text = notation.action_text(self.tables, kind, context, argument)
            said = notation.describe(self.tables, kind, context, argument, seat)
            table.add_row(str(number), escape(text), f"[dim]{escape(said)}[/dim]")
        self.console.print(table)

    def _thinking(self, why: str) -> Status:
        return Console(stderr=True).status(why)

    def _undo(self) -> None:
        """Back to the last decision of a person."""
        while self.past:
            self.game = self.past.pop()
            self.record = replace(self.record, actions=self.record.actions[:-1])
            if self.kinds[self.game.seat] == "human":
                self.console.print("taken back")
                return
        self.console.print("nothing to take back")

    def _save(self) -> None:
        self.output.write_text(self.record.to_json() + "\n", encoding="utf-8")
        self.console.print(f"record saved: {self.output}", markup=False, highlight=False)

    def _result(self) -> None:
        for seat, wigs in enumerate(self.game.wigs()):
            won = "  wins" if seat in self.game.winners() else ""
            self.console.print(f"player {seat + 1} ({self.kinds[seat]}): {wigs} wigs{won}", highlight=False)
