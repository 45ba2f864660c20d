"""Playing a match: in this process, or in several at the same time."""

from __future__ import annotations

import multiprocessing
import signal
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import islice
from multiprocessing.connection import Connection, wait
from typing import Any

from .log import GameLog
from .match import GameResult, Match, play_game
from .tally import Tally

__all__ = ["play_match"]

Task = tuple[int, int]


def play_match(
    tally: Tally,
    *,
    jobs: int = 1,
    log: GameLog | None = None,
    on_game: Callable[[Tally], None] | None = None,
) -> None:
    """Play until the tally is decided; games that the log holds are not played again.

    What counts does not depend on ``jobs``. Stopped by an exception, the tally and the log hold what was finished.
    Raises ``ValueError`` if a player fails.
    """
    if tally.sprt is None and tally.max_blocks is None:
        raise ValueError("max_blocks: none; allowed: a number, as there is no sequential test")
    done: set[Task] = set()
    for result in log.games if log else ():
        done.add((result.block, result.game))
        tally.add(result)
    if tally.decided:
        return
    played = (
        _in_processes(tally.match, _tasks(tally, done), jobs) if jobs > 1 else _here(tally.match, _tasks(tally, done))
    )
    for result in played:
        if log is not None:
            log.add(result)
        tally.add(result)
        if on_game is not None:
            on_game(tally)
        if tally.decided:
            break


def _tasks(tally: Tally, done: set[Task]) -> Iterator[Task]:
    """The games that are still to be played, in their order."""
    block = 0
    while tally.max_blocks is None or block < tally.max_blocks:
        for game in range(len(tally.match.orders)):
            if (block, game) not in done:
                yield block, game
        block += 1


def _here(match: Match, tasks: Iterator[Task]) -> Iterator[GameResult]:
    for block, game in tasks:
        yield play_game(match, block, game)


def _in_processes(match: Match, tasks: Iterator[Task], jobs: int) -> Iterator[GameResult]:
    """Games as they are finished, each process playing one after the other. Closing the iterator ends the processes.

    Every process has a pipe of its own, so that the end of either side is noticed by the other.
    """
    workers = _Workers(match)
    try:
        for task in islice(tasks, jobs):
            workers.give(workers.start(), task)
        while workers.busy:
            for end in wait(list(workers.busy)):
                assert isinstance(end, Connection)
                answer = workers.answer(end)
                following = next(tasks, None)
                if following is not None:
                    workers.give(end, following)
                yield answer
    finally:
        workers.end()


class _Workers:
    """Processes that play games, each known by our end of its pipe; busy are those that owe an answer."""

    def __init__(self, match: Match) -> None:
        self.match = match
        self.context = multiprocessing.get_context("spawn")
        self.processes: dict[Connection, Any] = {}
        self.busy: set[Connection] = set()

    def start(self) -> Connection:
        ours, theirs = self.context.Pipe()
        process = self.context.Process(target=_work, args=(theirs, self.match), daemon=True)
        process.start()
        theirs.close()
        self.processes[ours] = process
        return ours

    def give(self, end: Connection, task: Task) -> None:
        """Ask a process for a game."""
        try:
            end.send(task)
        except BrokenPipeError:
            raise self._gone(end) from None
        self.busy.add(end)

    def answer(self, end: Connection) -> GameResult:
        """A game that a process has played."""
        self.busy.discard(end)
        try:
            answer = end.recv()
        except (EOFError, ConnectionResetError):
            raise self._gone(end) from None
        if isinstance(answer, str):
            raise ValueError(answer)
        assert isinstance(answer, GameResult)
        return answer

    def _gone(self, end: Connection) -> ValueError:
        self.processes[end].join()
        return ValueError(
            f"players: a process that played games ended by itself, exit code {self.processes[end].exitcode}; "
            "allowed: players that do not end it, and memory for as many games as jobs"
        )

    def end(self) -> None:
        for end, process in self.processes.items():
            end.close()
            process.terminate()
        for process in self.processes.values():
            process.join()


def _work(tasks: Connection, match: Match) -> None:
    """Play the games that are asked for, until nobody asks any more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with suppress(EOFError, BrokenPipeError):
        while True:
            block, game = tasks.recv()
            try:
                tasks.send(play_game(match, block, game))
            except ValueError as error:
                tasks.send(str(error))
