"""The gate before the search workers: so many search, so many wait, one more is refused at once.

Who waits is served by priority, and among those of one priority client by client, so that whoever asks for much at once
waits behind himself and not before others. The places in the queue are shared out alike: when it is full, a newcomer
takes the place of the last of a lower priority, or of a client that holds at least two places more than he does.

No priority starves: one that wants a worker, and has seen ``PATIENCE`` searches in a row begin before it, is owed the
next turn. It wants one as long as one of its searches waits, or was refused or sent away since the last one began.
"""

from __future__ import annotations

import asyncio
import heapq
import time
from collections import OrderedDict, deque
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from enum import IntEnum
from typing import Final, NoReturn

from .metrics import Metrics

__all__ = ["PATIENCE", "Draining", "Gate", "OutOfTime", "Priority", "QueueFull", "RateLimited", "Turns"]

SHORTEST_WAIT: Final = 0.05
LONGEST_WAIT: Final = 60.0
"""Bounds of the seconds after which a refused client is told to try again."""
PATIENCE: Final = 8
"""Searches in a row that may begin before a priority that wants a worker."""
WEIGHT_OF_NEWEST: Final = 0.2
"""In the averages of how long searches take."""


class Priority(IntEnum):
    """Whoever waits with a higher one goes first, but for what ``Turns`` owes to the lower ones."""

    LOW = 0
    NORMAL = 1
    HIGH = 2


class QueueFull(Exception):
    """As many searches wait as may wait, or as many of something else are made as may be.

    wait: seconds after which another try makes sense.
    """

    def __init__(self, waiting: int, wait: float, what: str = "searches are waiting") -> None:
        super().__init__(f"{waiting} {what}, which is the limit")
        self.waiting = waiting
        self.wait = wait


class RateLimited(Exception):
    """The client asks for more searches a second than it may. ``wait``: seconds until the next one is allowed."""

    def __init__(self, rate: float, wait: float) -> None:
        super().__init__(f"more than {rate:g} searches a second, which is the limit for one client")
        self.rate = rate
        self.wait = wait


class Draining(Exception):
    """The server is stopping and takes no new searches."""


class OutOfTime(Exception):
    """The deadline leaves no time for a search. ``wait``: seconds that it would have to wait, if that is why."""

    def __init__(self, wait: float | None = None) -> None:
        super().__init__("the deadline leaves no time for a search")
        self.wait = wait


class Turns:
    """Whose turn it is among the priorities: the highest one's, unless a lower one is owed it."""

    def __init__(self) -> None:
        self._passed = dict.fromkeys(Priority, 0)  # searches in a row that began before it while it wanted a worker
        self._refused: set[Priority] = set()

    def order(self, waiting: Iterable[Priority]) -> list[Priority]:
        """Those that wait, in the order in which they are served."""
        return sorted(waiting, key=lambda one: (-self._passed[one] if self.owed(one) else 0, -one))

    def owed(self, priority: Priority) -> bool:
        """Whether the next turn is this priority's, whatever else waits."""
        return self._passed[priority] >= PATIENCE

    def refused(self, priority: Priority) -> None:
        """A search of this priority found no place, or lost it."""
        self._refused.add(priority)

    def began(self, priority: Priority, waiting: Iterable[Priority]) -> None:
        """A search of this priority begins while others wait."""
        self._passed[priority] = 0
        self._refused.discard(priority)
        wanting = {*waiting, *self._refused}
        for other in Priority:
            if other < priority:
                self._passed[other] = self._passed[other] + 1 if other in wanting else 0


@dataclass(eq=False, slots=True)
class _Search:
    """A search that waits or runs. ``granted`` tells one that waits. expected: seconds it will probably take.
    until: when it ends at the latest, by the gate's clock."""

    client: str
    priority: Priority
    threads: int
    expected: float
    until: float | None
    granted: asyncio.Future[None]
    tries_again: bool = False
    began: float = 0.0

    def ends(self, begins: float) -> float:
        """When it probably ends if it begins then."""
        end = begins + self.expected
        return end if self.until is None else max(begins, min(end, self.until))


class _Line:
    """Those who wait, in the order in which they are served: by priority, and within it client after client."""

    def __init__(self) -> None:
        self._turns = Turns()
        # Of each priority, the clients in the order of their turns, each with its searches in the order of arrival.
        self._classes: dict[Priority, OrderedDict[str, deque[_Search]]] = {
            priority: OrderedDict() for priority in sorted(Priority, reverse=True)
        }
        self._count = 0

    def __len__(self) -> int:
        return self._count

    def append(self, one: _Search) -> None:
        self._classes[one.priority].setdefault(one.client, deque()).append(one)
        self._count += 1

    def first(self) -> _Search | None:
        for priority in self._turns.order(self._waiting()):
            for line in self._classes[priority].values():
                return line[0]
        return None

    def began(self, priority: Priority) -> None:
        """A search begins, whether it has waited here or not."""
        self._turns.began(priority, self._waiting())

    def refused(self, priority: Priority) -> None:
        """A search was refused a place, or has to give up the one it had."""
        self._turns.refused(priority)

    def _waiting(self) -> list[Priority]:
        return [priority for priority, clients in self._classes.items() if clients]

    def take(self, one: _Search) -> None:
        """Take out the first: it is the next client's turn then."""
        self.remove(one)
        clients = self._classes[one.priority]
        if one.client in clients:
            clients.move_to_end(one.client)

    def remove(self, one: _Search) -> bool:
        """Take out anyone; False if he is not here."""
        clients = self._classes[one.priority]
        line = clients.get(one.client)
        if line is None or one not in line:
            return False
        line.remove(one)
        if not line:
            del clients[one.client]
        self._count -= 1
        return True

    def would_yield(self, client: str, priority: Priority) -> _Search | None:
        """Who gives up his place to such a newcomer when all places are taken; None if nobody has to."""
        owed = self._owed_to_newcomer(priority)
        for lower in sorted(self._waiting()):
            clients = self._classes[lower]
            longest = max(reversed(clients.values()), key=len)  # of equal ones, whose turn comes last
            if lower > priority and not owed:
                return None
            if lower != priority:
                if self._turns.owed(lower) and len(clients) == len(longest) == 1:
                    continue  # the only one to take the turn that is owed to them
                return longest[-1]
            if len(longest) >= len(clients.get(client, ())) + 2:
                return longest[-1]
            return None
        return None

    def _owed_to_newcomer(self, priority: Priority) -> bool:
        """Whether the next turn is owed to this priority, and nobody is here to take it."""
        return self._turns.owed(priority) and not self._classes[priority]

    def ahead_of(self, client: str, priority: Priority) -> Iterator[_Search]:
        """Who would be served before such a newcomer."""
        if self._owed_to_newcomer(priority):
            return
        for higher, clients in self._classes.items():
            if higher < priority and self._turns.owed(higher) and clients:
                yield next(iter(clients.values()))[0]
            own = len(clients.get(client, ()))
            for line in clients.values():
                if higher > priority:
                    yield from line
                elif higher == priority:
                    # By the time the newcomer's turn comes, everybody else has had at most one turn more than he had.
                    yield from list(line)[: own + 1] if line[0].client != client else line


class Gate:
    """Shares out the workers among searches. Belongs to one event loop.

    A search that asks for several threads takes as many workers, and whoever is behind it does not overtake it while
    it waits for them. clock: seconds from some moment on.
    """

    def __init__(self, workers: int, queue: int, metrics: Metrics, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self.workers = workers
        self.queue = queue
        self.draining = False
        self._free = workers
        self._line = _Line()
        self._running: set[_Search] = set()
        self._metrics = metrics
        self._typical = 0.0  # seconds that searches of unknown length take, averaged
        self._pace = 1.0  # the part of what was expected that searches take, averaged: they may end early
        self._show()

    @property
    def busy(self) -> int:
        """Workers that search."""
        return self.workers - self._free

    @property
    def waiting(self) -> int:
        """Searches that wait."""
        return len(self._line)

    @asynccontextmanager
    async def admitted(
        self,
        threads: int,
        time_left: float | None,
        *,
        client: str = "",
        priority: Priority = Priority.NORMAL,
        expected: float | None = None,
        tries_again: bool = False,
    ) -> AsyncIterator[None]:
        """Hold so many workers inside the block; wait for them for at most ``time_left`` seconds (None: no end).

        client: among whose searches fairness is. expected: seconds the search will take at most, None if unknown.
        tries_again: whoever asks does so until there is room, so that a full queue is no refusal to be counted.
        Raises QueueFull, Draining, or OutOfTime for a wait that would be too long, at once; the first two also while it
        waits, when somebody else has more right to the place; OutOfTime when the time is up.
        """
        guess = self._typical if expected is None else expected * self._pace
        until = None if time_left is None else self._clock() + time_left
        granted: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        one = _Search(client, priority, threads, guess, until, granted, tries_again)
        await self._enter(one, time_left)
        try:
            yield
        finally:
            self._learn(self._clock() - one.began, expected)
            self._running.discard(one)
            self._free += threads
            self._grant()

    def look(self, client: str = "", priority: Priority = Priority.NORMAL, *, tries_again: bool = False) -> None:
        """Raise QueueFull or Draining if such a search would be refused now: before anything is spent on it."""
        if self.draining:
            self._metrics.rejected.labels("draining").inc()
            raise Draining
        full = self.waiting >= self.queue and (self.waiting or not self._free)
        if full and self._line.would_yield(client, priority) is None:
            self._refuse(priority, tries_again)

    def expected_wait(self, client: str = "", priority: Priority = Priority.NORMAL, threads: int = 1) -> float:
        """Seconds that such a newcomer would probably wait, by what the running and waiting searches asked for."""
        begins = self._clock()
        now, ends = begins, self._ends(begins)
        heapq.heapify(ends)
        for one in self._line.ahead_of(client, priority):
            begins = max([begins, *(heapq.heappop(ends) for _ in range(min(one.threads, len(ends))))])
            for _ in range(min(one.threads, self.workers)):
                heapq.heappush(ends, one.ends(begins))
        return max([begins, *heapq.nsmallest(min(threads, len(ends)), ends)]) - now

    def _learn(self, took: float, expected: float | None) -> None:
        if expected is None:
            self._typical += (WEIGHT_OF_NEWEST if self._typical else 1.0) * (took - self._typical)
        elif expected > 0.0:
            self._pace += WEIGHT_OF_NEWEST * (min(1.0, took / expected) - self._pace)

    def _refuse(self, priority: Priority, tries_again: bool) -> NoReturn:
        self._line.refused(priority)
        if not tries_again:
            self._metrics.rejected.labels("queue_full").inc()
        raise self._full()

    def _full(self) -> QueueFull:
        now = self._clock()
        soonest = min(self._ends(now)) - now  # until the queue moves on
        return QueueFull(self.waiting, min(max(SHORTEST_WAIT, soonest), LONGEST_WAIT))

    def _ends(self, now: float) -> list[float]:
        """For each worker, when it will probably be free."""
        ends = [now] * self._free
        for one in self._running:
            ends += [max(now, one.ends(one.began))] * one.threads
        return ends

    async def _enter(self, one: _Search, time_left: float | None) -> None:
        if not self.draining and not self.waiting and one.threads <= self._free:
            self._start(one)
            self._show()
            return
        self.look(one.client, one.priority, tries_again=one.tries_again)
        if not self.queue:
            self._refuse(one.priority, one.tries_again)
        if time_left is not None:
            wait = self.expected_wait(one.client, one.priority, one.threads)
            if wait > time_left:
                self._metrics.rejected.labels("deadline").inc()
                raise OutOfTime(wait)
        self._make_room(one)
        self._line.append(one)
        self._show()
        try:
            async with asyncio.timeout(time_left):
                await one.granted
        except BaseException as error:
            if one.granted.done() and not one.granted.cancelled():
                one.granted.exception()  # whatever it is, nobody waits for it any more
            if not self._line.remove(one) and one in self._running:
                self._running.discard(one)
                self._free += one.threads  # granted in the very moment the caller left
            self._grant()
            if isinstance(error, TimeoutError):
                self._metrics.rejected.labels("deadline").inc()
                raise OutOfTime from None
            raise

    def _make_room(self, newcomer: _Search) -> None:
        if self.waiting < self.queue:
            return
        leaving = self._line.would_yield(newcomer.client, newcomer.priority)
        if leaving is not None:
            self._line.refused(leaving.priority)
            self._send_away(leaving, self._full(), "queue_full")

    def _send_away(self, one: _Search, error: Exception, reason: str) -> None:
        self._line.remove(one)
        if not one.granted.done():  # done without a grant: its caller left, and is about to notice
            if not (one.tries_again and isinstance(error, QueueFull)):
                self._metrics.rejected.labels(reason).inc()
            one.granted.set_exception(error)

    def drain(self) -> None:
        """Refuse new searches from now on, and those that wait."""
        self.draining = True
        while (one := self._line.first()) is not None:
            self._send_away(one, Draining(), "draining")
        self._show()

    def _start(self, one: _Search) -> None:
        self._free -= one.threads
        one.began = self._clock()
        self._running.add(one)
        self._line.began(one.priority)

    def _grant(self) -> None:
        while (one := self._line.first()) is not None and one.threads <= self._free:
            self._line.take(one)
            if not one.granted.done():  # done without a grant: its caller left, and is about to notice
                self._start(one)
                one.granted.set_result(None)
        self._show()

    def _show(self) -> None:
        self._metrics.queue_depth.set(self.waiting)
        self._metrics.workers.labels("busy").set(self.busy)
        self._metrics.workers.labels("idle").set(self._free)
