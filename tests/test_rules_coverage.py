"""Every statement of docs/rules.md has a test named after it, and no test cites one that is not there."""

from collections import Counter

import coverage_rules
import pytest

RULES = """
Not a statement: **A9** in running text, or
* **Words** of a list.

* **A1** One thing. *rulebook*
* **A2** Another
  one, which mentions **A3**. *ours*
* **B10** A third. *follows*
"""
TESTS = """
def test_a1_b10_two_at_once(): ...
def test_a1_again(): ...
class TestMore:
    def test_b10(self): ...
def test_anything_a2_that_names_it_elsewhere(): ...
def help_a2(): ...
"""


def test_every_statement_has_a_test_and_every_citation_a_statement() -> None:
    _, wrong = coverage_rules.coverage(*coverage_rules.read())
    assert wrong == []


def test_all_statements_are_read() -> None:
    wanted, _ = coverage_rules.read()
    assert len(set(wanted)) == len(wanted)
    assert Counter(statement[0] for statement in wanted) == {
        "A": 10, "B": 20, "C": 16, "D": 16, "E": 13, "F": 15, "G": 14, "H": 12, "I": 6, "J": 12, "K": 7, "L": 11,
        "M": 1, "N": 33,
    }  # fmt: skip


def test_statements_are_list_items_with_a_number() -> None:
    assert coverage_rules.statements(RULES) == ["A1", "A2", "B10"]


def test_a_statement_without_a_test_is_reported() -> None:
    held, wrong = coverage_rules.coverage(["A1", "A2", "B10"], {"test_made_up.py": TESTS})
    assert held == {
        "A1": ["test_made_up.py::test_a1_b10_two_at_once", "test_made_up.py::test_a1_again"],
        "A2": [],
        "B10": ["test_made_up.py::test_a1_b10_two_at_once", "test_made_up.py::test_b10"],
    }
    assert wrong == ["A2: no test"]


def test_a_test_that_cites_an_unknown_statement_is_reported() -> None:
    _, wrong = coverage_rules.coverage(["A1"], {"test_made_up.py": "def test_a1_x(): ...\ndef test_a1_a2_y(): ..."})
    assert wrong == ["test_made_up.py::test_a1_a2_y: A2 is not a statement of docs/rules.md"]


@pytest.mark.parametrize("source, code", [("def test_a1_x(): ...", 0), ("def test_a2_x(): ...", 1)])
def test_the_command_prints_the_table_and_fails_by_name(
    source: str, code: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(coverage_rules, "read", lambda: (["A1"], {"test_made_up.py": source}))
    assert coverage_rules.main() == code
    out, err = capsys.readouterr()
    assert ("A1   test_made_up.py::test_a1_x" in out.splitlines()) == (code == 0)
    assert ("A1: no test" in err.splitlines()) == (code == 1)
