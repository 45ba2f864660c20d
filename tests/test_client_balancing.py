"""One client and two servers: calls are shared, and a server that stops gets no more of them, without an error."""

from __future__ import annotations

from collections import Counter

from lisboa_ai.analysis import SearchLimits
from lisboa_ai.client import AsyncClient
from tests.serving import FakeSearch, in_loop, position, serving

QUICK = SearchLimits(iterations=1)


@in_loop
async def test_two_servers_share_the_calls_and_one_that_drains_gets_no_more() -> None:
    one, other = FakeSearch(), FakeSearch()
    async with serving(one, cache=0) as first, serving(other, cache=0) as second:
        target = f"ipv4:{first.address},{second.address}"
        async with AsyncClient(target) as opened:

            async def ask() -> None:
                await opened.advise(position(), limits=QUICK, timeout=20.0)

            await ask()
            # Both connections are up sooner or later; from then on calls go round.
            while not (one.started and other.started):
                await ask()
            before = Counter(one=one.started, other=other.started)
            for _ in range(10):
                await ask()
            assert (one.started - before["one"], other.started - before["other"]) == (5, 5)
            await first.drain()
            after = one.started
            for _ in range(10):
                await ask()
            # What was on its way when the news came is refused, and retried at the other server.
            assert one.started == after
            assert other.started == before["other"] + 15
