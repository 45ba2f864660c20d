"""One number for what the engine and the search do: the same on every machine and in both builds.

``python -m bench.signature`` prints it and compares it with the expected one (``lisboa_ai/data/signature.json``): exit
code 1 and the parts that changed if it is another. ``--parts`` prints the parts, ``--quick`` the small suite that a
program can run when it starts, ``--write`` makes what was found the expected one.

A commit that changes how the program plays runs ``--write`` and says in its message why the number changed, and which
part changed first: engine, sampling or search (``lisboa_ai/signature.py`` says what they are). Any other commit leaves
the number alone, and the tests hold it to that.
"""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import asdict
from pathlib import Path

from lisboa_ai import signature, wire


def main(arguments: list[str] | None = None) -> int:
    """Compute, print, and compare or write; returns the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.signature", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--parts", action="store_true", help="print the parts, and which build was used")
    parser.add_argument("--quick", action="store_true", help="the small suite only")
    parser.add_argument("--write", action="store_true", help="make what was found the expected signature")
    given = parser.parse_args(arguments)
    found = signature.compute(quick=given.quick)
    if given.parts:
        print(f"build: {wire.ENGINE_BUILD}")
        for name, part in asdict(found).items():
            print(f"{name}: {part}")
    print(f"signature: {found}")
    if given.write:
        write()
        return 0
    changed = signature.changed(found, signature.expected(quick=given.quick))
    if changed:
        wanted = signature.expected(quick=given.quick)
        print(f"signature: expected {wanted}; changed first: {changed[0]} (of {', '.join(changed)})", file=sys.stderr)
    return 1 if changed else 0


def write() -> None:
    """Write the signatures of both suites as the expected ones."""
    suites = {name: asdict(signature.compute(quick=name == "quick")) for name in ("full", "quick")}
    Path(str(signature.DATA)).write_text(json.dumps(suites, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
