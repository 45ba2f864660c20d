"""Three whole games told step by step: what the engine makes of recorded actions, and how it is put into words."""

import difflib
import re

import pytest

from bench.make_golden import FOLDER, GAMES, Golden
from bench.shown_rules import RULES, shown
from bench.transcript import steps

GOLDEN = {name: Golden.read(name) for name in GAMES}
ACROSS_TURNS = ("B1", "D8", "F8", "F13", "G8", "H7", "I3", "J7", "K1", "K4", "L1", "L3", "M10", "N2", "N16")


@pytest.mark.parametrize("name", GAMES)
def test_the_game_goes_as_it_is_told(name: str) -> None:
    stored = (FOLDER / f"{name}.txt").read_text(encoding="utf-8")
    now = GOLDEN[name].told()
    if now != stored:
        names = f"{name}.txt as stored", f"{name} as played now"
        difference = difflib.unified_diff(stored.splitlines(), now.splitlines(), *names, n=4, lineterm="")
        meant = "if this is meant: python -m bench.make_golden, and look at the difference"
        pytest.fail("\n".join([meant, *difference]), pytrace=False)


def test_together_they_show_the_rules_that_need_a_whole_game() -> None:
    seen = {rule for golden in GOLDEN.values() for rule in shown(steps(golden.record))}
    assert set(ACROSS_TURNS) <= seen
    assert seen <= set(RULES)
    assert len(seen) >= 35


def test_the_games_differ_in_players_and_options() -> None:
    for name, kind in GAMES.items():
        record = GOLDEN[name].record
        assert (record.seats, record.queen, record.draft) == (kind.seats, kind.queen, kind.draft)
    assert {kind.seats for kind in GAMES.values()} == {2, 3, 4}


@pytest.mark.parametrize("name", GAMES)
def test_the_told_numbers_follow_from_one_another(name: str) -> None:
    """Every ``wigs 5 > 7`` goes on from where that player stood; the final table is where the last one got to."""
    lines = (FOLDER / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    stands = dict.fromkeys(range(1, GOLDEN[name].record.seats + 1), 5)  # A4
    for line in lines:
        told = re.match(r" +player (\d): .*?wigs (-?\d+) > (-?\d+) \((.*?)\)", line)
        if told:
            seat, before, after = int(told[1]), int(told[2]), int(told[3])
            assert before == stands[seat], line
            assert after - before == sum(map(int, re.findall(r"[+-]\d+", told[4]))), line
            stands[seat] = after
    together = next(line for line in lines if line.startswith("together"))
    assert list(map(int, together.split()[1:])) == list(stands.values())
