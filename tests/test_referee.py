"""The engine against the referee, a second and independent author of the rules (docs/referee.md)."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from pathlib import Path

import pytest

from lisboa_ai import notation
from lisboa_ai.record import GameRecord
from tests.referee import Referee, city, public_buildings, scoring
from tests.referee.compare import TABLES, GamePlan, compare_game, differences, referee_of
from tests.referee.lookahead import Decision, Duty

ROOT = Path(__file__).resolve().parent.parent
GAMES_PER_CHUNK = 10
CHUNKS = range(10)
FIRST_SEED = 1_000_000
"""Beyond the seeds of ``make referee``, so that the two do not play the same games."""


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("chunk", CHUNKS)
def test_engine_and_referee_agree(players: int, chunk: int, tmp_path: Path) -> None:
    first = FIRST_SEED + chunk * GAMES_PER_CHUNK
    for seed in range(first, first + GAMES_PER_CHUNK):
        # A search takes its time in the checked build: one game in nine has it, which meets every pair of options.
        found = compare_game(GamePlan(players, seed), iterations=4 if seed % 9 == 0 else 0)
        assert found is None, f"{found}\n  record: {found.write(tmp_path)}"


def random_game(players: int, seed: int, actions: int | None = None) -> tuple[GameRecord, list[str], list[str]]:
    """The record of a random game before its first action, the actions, and the actions with all forced steps."""
    rng = random.Random(seed)
    record = GameRecord.new(TABLES, players, seed)
    game = record.replay()
    written: list[str] = []
    complete: list[str] = []
    while not game.over and (actions is None or len(written) < actions):
        argument = rng.choice(game.legal())
        written.append(notation.action_text(TABLES, game.kind, game.context, argument))
        game.apply(argument)
        complete += [written[-1], *(notation.action_text(TABLES, *step) for step in game.forced())]
    return record, written, complete


def test_the_referee_imports_neither_the_engine_nor_the_package() -> None:
    check = (
        "import sys, tests.referee; "
        "print(*{name.split('.')[0] for name in sys.modules} & {'engine_ext', 'lisboa_ai', 'lisboa', 'numpy'})"
    )
    done = subprocess.run([sys.executable, "-c", check], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""


def test_every_module_of_the_referee_is_imported_by_it() -> None:
    """So that the check of its imports sees them all; only the comparison and its programs stand outside."""
    outside = {"__main__", "compare", "speed"}
    modules = {path.stem for path in (ROOT / "tests" / "referee").glob("*.py")} - outside - {"__init__"}
    assert modules == {name.rpartition(".")[2] for name in sys.modules if name.startswith("tests.referee.")} - outside


def allowed_by_trying(referee: Referee, decision: Decision, duty: Duty | None) -> list[str]:
    """What ``Referee`` finds out, with nothing taken for granted."""
    return [text for text in decision.options if duty is None or duty.allows(referee.tables, text)]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_shortcuts_of_the_look_ahead_change_nothing(players: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """With every shortcut off, each option is tried to its end; the legal actions are the same."""
    record, texts, _ = random_game(players, seed=7)
    quick = referee_of(record)
    legal = []
    for text in texts:
        legal.append(quick.legal())
        quick.apply(text)

    monkeypatch.setattr(city.Means, "cover", lambda means, spot: None)
    monkeypatch.setattr(public_buildings, "HARMLESS", frozenset())
    monkeypatch.setattr(Referee, "_allowed", allowed_by_trying)
    slow = referee_of(record)
    for text, expected in zip(texts, legal, strict=True):
        assert slow.legal() == expected
        slow.apply(text)


def test_a_copy_goes_its_own_way() -> None:
    record, texts, _ = random_game(3, seed=11)
    rng = random.Random(0)
    referee = referee_of(record)
    for text in texts:
        before = json.dumps(referee.public())
        twin = referee.copy()
        assert twin.legal() == referee.legal()
        twin.apply(rng.choice(sorted(twin.legal())))
        assert json.dumps(referee.public()) == before
        referee.apply(text)
    assert referee.over


@pytest.mark.parametrize("played", [0, 30, 100, None])
def test_a_record_is_read_with_and_without_its_forced_steps(played: int | None) -> None:
    record, written, complete = random_game(4, seed=3, actions=played)
    assert played == 0 or len(complete) > len(written)
    plain, full = (referee_of(record.extend(texts)) for texts in (written, complete))
    engine = record.extend(written).replay()
    assert differences(engine, plain) == []
    assert differences(engine, full) == []


def test_an_action_that_is_not_legal_is_refused() -> None:
    record, _, _ = random_game(2, seed=1, actions=0)
    referee = referee_of(record)
    with pytest.raises(ValueError, match=r"'pay 3r' is not legal; allowed: \['keep clergy-"):
        referee.apply("pay 3r")


def test_a_disagreement_says_where_it_is_and_leaves_its_record(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A referee that counts a favor as 3 wigs differs at the first turn, where both seats have their first favor."""
    monkeypatch.setattr(scoring, "FAVOR_WIGS", 3)
    found = compare_game(GamePlan(2, 4), iterations=0)
    assert found is not None
    assert found.action == 2  # both have kept a clergy tile
    assert str(found).startswith(
        "players 2, seed 4, queen False, draft False: after 2 actions, at play_card of seat 0\n"
    )
    assert [line.split(":")[0] for line in found.differences] == ["seat 0 scored now", "seat 1 scored now"]
    record = GameRecord.from_json(found.write(tmp_path).read_text(encoding="utf-8"))
    assert [action.text.split()[0] for action in record.actions] == ["keep", "keep"]
