"""Playing a match: in this process, or in several at the same time."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Callable, Iterator
from itertools import islice
from multiprocessing.connection import Connection, wait
from typing import Any

from .log import GameLog
from .match import GameResult, Match, play_game
from .tally import Tally

__all__ = ["play_match", "usable_cores"]

Task = tuple[int, int]


def usable_cores() -> int:
    """How many processes can run at the same time."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


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
    context = multiprocessing.get_context("spawn")
    workers: dict[Connection, Any] = {}
    busy: set[Connection] = set()
    try:
        for task in islice(tasks, jobs):
            ours, theirs = context.Pipe()
            process = context.Process(target=_work, args=(theirs, match), daemon=True)
            process.start()
            theirs.close()
            workers[ours] = process
            ours.send(task)
            busy.add(ours)
        while busy:
            for end in wait(list(busy)):
                assert isinstance(end, Connection)
                busy.discard(end)
                try:
                    answer = end.recv()
                except EOFError:
                    workers[end].join()
                    raise RuntimeError(
                        f"a process that played games ended by itself ({workers[end].exitcode})"
                    ) from None
                if isinstance(answer, str):
                    raise ValueError(answer)
                following = next(tasks, None)
                if following is not None:
                    end.send(following)
                    busy.add(end)
                yield answer
    finally:
        for end, process in workers.items():
            end.close()
            process.terminate()
        for process in workers.values():
            process.join()


def _work(tasks: Connection, match: Match) -> None:
    """Play the games that are asked for, until nobody asks any more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    while True:
        try:
            block, game = tasks.recv()
        except EOFError:
            return
        try:
            tasks.send(play_game(match, block, game))
        except ValueError as error:
            tasks.send(str(error))
