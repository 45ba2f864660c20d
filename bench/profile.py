"""Where the time goes, in instructions of the release build: a table by what they are spent on.

``python -m bench.profile WORK [--count N] [--functions K]`` runs WORK under callgrind (Debian: valgrind). Instructions
do not depend on what else the machine does, and the games and searches are fixed by seeds, so the figures can be
compared between two builds. WORK is one of

* ``games``: random games of four players;
* ``uniform``: a search from the demo position whose playouts are uniformly random and go on to the end;
* ``default``: a search from the demo position as it is by default.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from bench.search import position
from engine_ext.bench import play_games
from lisboa_ai import edition
from lisboa_ai.analysis import SearchLimits, SearchOptions, analyse

SEED: Final = 2026
COUNTS: Final = {"games": 300, "uniform": 1500, "default": 5000}
SEARCHES: Final = {
    "uniform": SearchOptions(cut=-1, playout="uniform", priors=False, exploration=0.3),
    "default": SearchOptions(),
}
MEASURED: Final = {
    "games": "__pyx_pf_10engine_ext_5bench_play_games*",
    "uniform": "__pyx_f_10engine_ext_6search_6ismcts_run",
    "default": "__pyx_f_10engine_ext_6search_6ismcts_run",
}
"""Only what happens inside of this function is counted."""


def run(work: str, count: int) -> None:
    """What is measured."""
    if work == "games":
        play_games(edition.load("house").engine, 4, SEED, count)
    else:
        analyse(position(), SearchLimits(iterations=count, seed=SEED), SEARCHES[work])


# --- reading callgrind -----------------------------------------------------------------------------------------------


@dataclass
class Profile:
    """Instructions of each function itself, and of calls: (caller, callee), with all that the callee does."""

    own: Counter[str] = field(default_factory=Counter)
    calls: Counter[tuple[str, str]] = field(default_factory=Counter)

    @property
    def total(self) -> int:
        return sum(self.own.values())

    def within(self, *functions: str, callers: Iterable[str] = ()) -> int:
        """Instructions of functions and all that they call; ``callers``: only when called by one of these."""
        wanted = set(callers)
        return sum(
            cost
            for (caller, callee), cost in self.calls.items()
            if callee in functions and (caller in wanted if wanted else caller not in functions)
        )


def plain_name(symbol: str) -> str:
    """``rules.court.can_visit`` for what Cython and the compiler made of it. A call inside of itself keeps its ``'2``.

    >>> plain_name("__pyx_f_10engine_ext_5rules_5court_can_visit.part.0")
    'rules.court.can_visit'
    """
    found = re.match(r"__pyx_p?f_10engine_ext_(.*)", symbol)
    if not found:
        return symbol
    rest, again, level = found.group(1).partition("'")
    rest = re.sub(r"\.(part|cold|constprop|isra)(\.\d+)?", "", rest)
    modules = []
    while (length := re.match(r"\d+", rest)) is not None:
        start, end = length.end(), length.end() + int(length.group())
        modules.append(rest[start:end])
        rest = rest[end:].removeprefix("_")
    return ".".join([*modules, rest]) + again + level


def read(lines: Iterable[str]) -> Profile:
    """A profile from callgrind's file, written without compressed names and places."""
    profile = Profile()
    function = callee = ""
    called = False
    for line in lines:
        key, equals, value = line.rstrip().partition("=")
        if key == "fn":
            function = plain_name(value)
        elif key == "cfn":
            callee = plain_name(value)
        elif key == "calls":
            called = True
        elif not equals and line[:1].isdigit():
            cost = int(line.split()[1])
            if called:
                profile.calls[function, callee] += cost
            else:
                profile.own[function] += cost
            called = False
    return profile


# --- what they are spent on ------------------------------------------------------------------------------------------

STEP: Final = "agenda.step"
LEGAL: Final = "agenda.legal_actions"
DEAD_ENDS: Final = "agenda.can_meet"
ITERATE: Final = "search.ismcts.iterate"
PLAY_OUT: Final = "search.policy.play_out"


def engine_groups(profile: Profile) -> dict[str, int]:
    """The engine's own work. Tests for dead ends are part of finding the legal actions."""
    legal = profile.within(LEGAL)
    dead_ends = profile.within(DEAD_ENDS)
    dispatch = profile.own[STEP] + profile.own[LEGAL]
    return {
        "legal actions: rules": legal - dead_ends - profile.own[LEGAL],
        "legal actions: search for dead ends": dead_ends,
        "carrying out": profile.within(STEP) - profile.within(LEGAL, callers=[STEP]) - profile.own[STEP],
        "stack of decisions": dispatch,
    }


def search_groups(profile: Profile) -> dict[str, int]:
    """An iteration's parts; the engine's work is in the playouts and in the tree."""
    engine = profile.within(STEP, LEGAL, callers=[ITERATE])
    playouts = profile.within(PLAY_OUT)
    choosing = profile.within("search.policy.choose", callers=[PLAY_OUT]) + profile.own[PLAY_OUT]
    value = profile.within("search.value.estimate")
    judging = profile.within("search.outcome.judge")
    sampling = profile.within("knowledge.sample_world")
    return {
        "sampling a world": sampling,
        "tree: rules": engine,
        "tree: choice, nodes, statistics": profile.total - sampling - engine - playouts - judging - value,
        "playouts: rules": playouts - choosing,
        "playouts: policy": choosing,
        "result of finished games": judging,
        "value function": value,
    }


def overhead(groups: dict[str, int]) -> float:
    """Sampling and tree against playouts and what they are judged by."""
    above = sum(cost for name, cost in groups.items() if name.startswith(("sampling", "tree")))
    return above / (sum(groups.values()) - above)


def table(profile: Profile, work: str, functions: int) -> str:
    """The result for people."""
    total = profile.total

    def row(name: str, cost: int) -> str:
        return f"    {name:40} {cost / total:6.1%}"

    lines = []
    if work == "games":
        groups = engine_groups(profile)
        groups["dealing, choosing at random"] = total - sum(groups.values())
        lines += [row(*group) for group in groups.items()]
    else:
        groups = search_groups(profile)
        lines += [row(*group) for group in groups.items()]
        lines += [f"sampling and tree against the rest: {overhead(groups):.1%}", "the engine's part of it all:"]
        lines += [row(*group) for group in engine_groups(profile).items()]
    lines += ["functions, without what they call:"]
    own: Counter[str] = Counter()
    for name, cost in profile.own.items():
        own[name.partition("'")[0]] += cost
    lines += [row(*one) for one in own.most_common(functions)]
    return "\n".join(lines)


def measure(work: str, count: int) -> Profile:
    """Run the work under callgrind. Raises ``ValueError`` if that cannot be done."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "callgrind.out"
        command = [
            *("valgrind", "--quiet", "--tool=callgrind", "--compress-strings=no", "--compress-pos=no"),
            *(f"--callgrind-out-file={out}", f"--toggle-collect={MEASURED[work]}"),
            *(sys.executable, "-m", "bench.profile", work, "--count", str(count), "--run"),
        ]
        try:
            ended = subprocess.run(command, check=False).returncode
        except FileNotFoundError:
            raise ValueError("valgrind is not there; allowed: a machine with it (Debian: valgrind)") from None
        if ended:
            raise ValueError(f"valgrind ended with {ended}")
        with out.open(encoding="utf-8") as lines:
            return read(lines)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m bench.profile", description=__doc__)
    parser.add_argument("work", choices=COUNTS, help="what is measured")
    parser.add_argument("--count", type=int, help="games or iterations (default: 300, 1500, 5000)")
    parser.add_argument("--functions", type=int, default=10, help="how many functions are named (default: 10)")
    parser.add_argument("--run", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    count = arguments.count or COUNTS[arguments.work]
    if arguments.run:
        run(arguments.work, count)
        return
    try:
        profile = measure(arguments.work, count)
    except ValueError as error:
        sys.exit(f"bench.profile: {error}")
    unit = "game" if arguments.work == "games" else "iteration"
    print(f"{arguments.work}: {profile.total / count:,.0f} instructions a {unit}, {count:,} of them")
    print(table(profile, arguments.work, arguments.functions))


if __name__ == "__main__":
    main()
