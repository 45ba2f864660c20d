"""Which tests hold which statement of docs/rules.md: ``python -m tests.coverage_rules`` (``make coverage-rules``).

A statement is a list item of docs/rules.md that begins with its number in bold. A test holds the statements that its
name begins with: ``test_g4_the_cube_leaves_first`` G4, ``test_a1_a2_cubes`` A1 and A2. Prints the table, and ends with
1 if a statement has no test or a test cites one that does not exist. Nothing is run: the names are read from the files.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path

TESTS = Path(__file__).resolve().parent
RULES = TESTS.parent / "docs" / "rules.md"
STATEMENT = re.compile(r"^\* \*\*([A-Z]\d+)\*\* ", re.MULTILINE)
CITED = re.compile(r"test((?:_[a-z]\d+)+)(?:_|$)")


def statements(rules: str) -> list[str]:
    """The numbers of all statements, in their order."""
    return STATEMENT.findall(rules)


def cited(test: str) -> list[str]:
    """The statements that the name of a test begins with."""
    found = CITED.match(test)
    return found[1].upper().split("_")[1:] if found else []


def tests_in(source: str) -> list[str]:
    """The names of the tests in the text of a Python file."""
    functions = (node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.FunctionDef))
    return [function.name for function in functions if function.name.startswith("test_")]


def coverage(wanted: Iterable[str], sources: Mapping[str, str]) -> tuple[dict[str, list[str]], list[str]]:
    """The tests of each statement, and what is wrong: statements without a test, tests that cite what is not there."""
    held: dict[str, list[str]] = {statement: [] for statement in wanted}
    wrong = []
    for file, source in sources.items():
        for test in tests_in(source):
            for statement in cited(test):
                if statement in held:
                    held[statement].append(f"{file}::{test}")
                else:
                    wrong.append(f"{file}::{test}: {statement} is not a statement of docs/rules.md")
    wrong += [f"{statement}: no test" for statement, tests in held.items() if not tests]
    return held, wrong


def read() -> tuple[list[str], dict[str, str]]:
    """The statements, and the texts of the files with rules tests by name."""
    files = sorted(TESTS.glob("test_rules_*.py"))
    return statements(RULES.read_text()), {file.name: file.read_text() for file in files}


def main() -> int:
    held, wrong = coverage(*read())
    for statement, tests in held.items():
        for first, test in zip([statement, *[""] * len(tests)], tests, strict=False):
            print(f"{first:4} {test}")
    print(f"{len(held)} statements, {sum(map(len, held.values()))} tests of them")
    for complaint in wrong:
        print(complaint, file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
