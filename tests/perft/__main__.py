"""Count by hand. Exit code 1 if a count is another than the one in its file.

python -m tests.perft                       all files as the engine counts them, to their full depth
python -m tests.perft NAME ...              some of them
python -m tests.perft --referee [--deep]    by the referee: what it counts in the tests, or to the full depth
python -m tests.perft NAME --divide N       the count to depth N for each first action
python -m tests.perft --regenerate NAME     count NAME anew and write its file, after a change of the rules
python -m tests.perft --regenerate --new    the same from new games, after a change of the edition
"""

from __future__ import annotations

import argparse
import sys
import time

from tests.perft import Counted, Perft, Rules, Spoken, count, first_difference, names, refereed
from tests.perft.positions import WANTED, make, recounted


def main(arguments: list[str] | None = None) -> int:
    """What the command line asks for; returns the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.perft", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"one of {', '.join(WANTED)}")
    parser.add_argument("--referee", action="store_true", help="count with the referee instead of the engine")
    parser.add_argument("--deep", action="store_true", help="let the referee, too, count to the full depth")
    parser.add_argument("--divide", type=int, metavar="N", help="counts by first action, to depth N")
    parser.add_argument("--regenerate", action="store_true", help="write the files of these names anew")
    parser.add_argument("--new", action="store_true", help="with --regenerate: from the first game that comes to it")
    given = parser.parse_args(arguments)
    unknown = sorted(set(given.names) - set(WANTED))
    if unknown:
        parser.error(f"NAME: {', '.join(unknown)}; allowed: {', '.join(WANTED)}")
    if given.divide is not None and given.divide < 1:
        parser.error(f"--divide: {given.divide}; allowed: 1 or more")
    if given.regenerate:
        for name in given.names or WANTED:
            found = make(name) if given.new else recounted(Perft.read(name))
            found.write()
            print(f"{name}: {', '.join(str(each.count) for each in found.counts)}")
        return 0
    who = "referee" if given.referee else "engine"
    right = True
    for perft in map(Perft.read, given.names or names()):
        if given.divide is not None:
            divide(perft, who, given.divide)
        else:
            wanted = perft.counts if given.deep or not given.referee else perft.counted_by(who)
            right &= compare(perft, who, wanted)
    return 0 if right else 1


def game_of(perft: Perft, who: str) -> Rules:
    """The position as the engine or the referee has it, its actions as texts."""
    record = perft.game_record()
    return Spoken(record.tables, record.replay()) if who == "engine" else refereed(record)


def compare(perft: Perft, who: str, wanted: tuple[Counted, ...] | list[Counted]) -> bool:
    """Count and print, one line for each depth; whether all are as in the file."""
    game: Rules = perft.game_record().replay() if who == "engine" else game_of(perft, who)
    right = True
    for each in wanted:
        began = time.perf_counter()
        found = count(game, each.depth)
        seconds = time.perf_counter() - began
        verdict = "" if found == each.count else f"  expected {each.count}"
        print(f"{perft.name:20} depth {each.depth}  {found:>10,}  {seconds:7.2f} s{verdict}", flush=True)
        if verdict and who == "referee":
            where = first_difference(game_of(perft, "engine"), game_of(perft, "referee"), each.depth)
            print(f"{'':20} engine and referee differ: {where or 'nowhere: the file is old'}")
        right &= not verdict
    return right


def divide(perft: Perft, who: str, depth: int) -> None:
    """Print the count to a depth for each first action, for comparing by eye."""
    game = game_of(perft, who)
    for action in sorted(game.legal()):
        after = game.copy()
        after.apply(action)
        print(f"{count(after, depth - 1) if depth > 1 else 1:>10,}  {action}")


if __name__ == "__main__":
    sys.exit(main())
