"""The command line of the load tool."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import ipaddress
import json
import shlex
import sys
from typing import Any

from bench.served import served
from lisboa_ai.analysis import SearchLimits

from . import __doc__ as about
from .arrivals import KINDS
from .calls import CALLS
from .checks import CHECKS, check, probe
from .generator import Load, opened, send
from .report import Report, report_of

TARGET = "127.0.0.1:50051"


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m bench.load", description=about)
    commands = parser.add_subparsers(dest="command", required=True)
    run = commands.add_parser("run", help="send calls at a rate, and say what became of them")
    where = run.add_mutually_exclusive_group()
    where.add_argument("--target", default=TARGET, help=f"service to call (default: {TARGET})")
    where.add_argument(
        "--serve", nargs="?", const="", metavar="OPTIONS", help='start one with these options, as "--workers 2"'
    )
    run.add_argument("--beyond-loopback", action="store_true", help="allow a target on another machine")
    run.add_argument("--call", choices=CALLS, default="advise", help="what is called (default: advise)")
    run.add_argument("--rate", type=float, default=20.0, help="calls a second (default: 20)")
    run.add_argument("--arrivals", choices=KINDS, default="fixed", help="at fixed or random intervals (default: fixed)")
    run.add_argument("--seed", type=int, default=1, help="of random intervals and of searches (default: 1)")
    run.add_argument("--count", type=int, help="calls (default: 200, unless --seconds is given)")
    run.add_argument("--seconds", type=float, help="no calls start after so many seconds")
    run.add_argument("--iterations", type=int, help="of each search (default: 100, unless --time is given)")
    run.add_argument("--time", type=float, help="seconds of each search")
    run.add_argument("--timeout", type=float, default=60.0, help="deadline of each call in seconds (default: 60)")
    run.add_argument("--most-open", type=int, default=5000, help="calls open at the same time (default: 5000)")
    run.add_argument("--probe", type=float, metavar="RATE", help="so many health checks a second beside the load")
    run.add_argument("--json", action="store_true", help="print one JSON object")
    checks = commands.add_parser("checks", help="measure what the service promises; exit code 1 if it misses any")
    checks.add_argument("names", nargs="*", metavar="NAME", help=f"which: {', '.join(CHECKS)} (default: all)")
    checks.add_argument("--workers", type=int, help="of the service (default: the usable cores)")
    checks.add_argument("--tries", type=int, default=1, help="the first that passes counts (default: 1)")
    checks.add_argument("--json", action="store_true", help="print one JSON object a line")
    return parser


def _load(parser: argparse.ArgumentParser, given: argparse.Namespace) -> Load:
    """The load that was asked for."""
    for name in ("rate", "count", "seconds", "iterations", "time", "timeout", "most_open", "probe"):
        value = getattr(given, name)
        if value is not None and not 0 < value < float("inf"):
            parser.error(f"--{name.replace('_', '-')}: {value}; allowed: more than 0")
    return Load(
        call=given.call,
        rate=given.rate,
        arrivals=given.arrivals,
        seed=given.seed,
        count=200 if given.count is None and given.seconds is None else given.count,
        seconds=given.seconds,
        timeout=given.timeout,
        most_open=given.most_open,
        limits=SearchLimits(
            time=given.time,
            iterations=100 if given.iterations is None and given.time is None else given.iterations,
            seed=given.seed,
        ),
    )


def _is_loopback(target: str) -> bool:
    host = target.rpartition(":")[0].strip("[]")
    with contextlib.suppress(ValueError):
        return ipaddress.ip_address(host).is_loopback
    return host == "localhost"


async def _sent(target: str, load: Load, probe_rate: float | None) -> tuple[Report, dict[str, Any] | None]:
    """The report of the load, and of health checks beside it."""
    async with opened(target) as channel:
        if probe_rate is None:
            return report_of(await send(channel, load)), None
        seconds = min(load.seconds or float("inf"), (load.count or float("inf")) / load.rate)
        beside = asyncio.to_thread(probe, target, probe_rate, max(1, round(seconds * probe_rate)))
        ends, health = await asyncio.gather(send(channel, load), beside)
        return report_of(ends), health


def _run(parser: argparse.ArgumentParser, given: argparse.Namespace) -> int:
    load = _load(parser, given)
    if given.serve is None and not (given.beyond_loopback or _is_loopback(given.target)):
        parser.error(f"--target: {given.target}; allowed: this machine, such as {TARGET}, without --beyond-loopback")
    with contextlib.ExitStack() as stack:
        target = given.target
        if given.serve is not None:
            target = stack.enter_context(served(*shlex.split(given.serve))).address
        try:
            report, health = asyncio.run(_sent(target, load, given.probe))
        except ConnectionError as error:
            parser.error(f"--target: {error}")
    if given.json:
        print(json.dumps({**report.to_json(), **({} if health is None else {"health": health})}))
        return 0
    print(*report.lines(), sep="\n")
    if health is not None:
        print("health checks beside it:", *Report(**health).lines(), sep="\n  ")
    return 0


def _checks(parser: argparse.ArgumentParser, given: argparse.Namespace) -> int:
    names = given.names or list(CHECKS)
    for name in names:
        if name not in CHECKS:
            parser.error(f"NAME: {name}; allowed: {', '.join(CHECKS)}")
    for name in ("workers", "tries"):
        value = getattr(given, name)
        if value is not None and value < 1:
            parser.error(f"--{name}: {value}; allowed: 1 or more")
    missed = 0
    for name in names:
        found = check(name, given.workers, given.tries)
        print(json.dumps(found.to_json()) if given.json else found.line(), flush=True)
        missed += not found.passed
    return 1 if missed else 0


def main() -> int:
    """Parse, run, print."""
    parser = _parser()
    given = parser.parse_args()
    return _run(parser, given) if given.command == "run" else _checks(parser, given)


if __name__ == "__main__":
    sys.exit(main())
