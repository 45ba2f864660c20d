"""Measuring errors: unbiased squares by hand, losses by hand, and short runs that say the same twice."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from positions import TABLES

from bench import beliefs as bench_beliefs
from bench import decided, suite, true_errors
from lisboa_ai.analysis.model_error import of_turns
from lisboa_ai.position import Position


def position(said: float, printed: float, came: list[tuple[float, float]]) -> dict[str, Any]:
    """A prediction of wigs, for one action and for what the other brings more, and how games of both ended."""
    numbers = {"wigs": said, "wigs_error": printed, "win_share": 0.5, "win_share_error": 0.0}
    return {
        "turns_left": 8.0,
        "said": [{"worth": numbers}, {"worth": numbers, "difference": numbers}],
        "came": [[(0.0, first), (0.0, second)] for first, second in came],
    }


def test_the_square_of_an_error_comes_from_pairs_of_games() -> None:
    """Said 10, came 13, 15 and 8: off by 3, 5 and -2, products 15, -6 and -10."""
    square, printed, off, own = true_errors.missed(position(10.0, 0.5, [(13, 0), (15, 0), (8, 0)]), "worth", "wigs")
    assert square == pytest.approx(-1 / 3)
    assert printed == 0.25
    assert off == 2.0
    assert own == pytest.approx(13 / 3)  # (1 + 9 + 16) / 2 over 3 games


def test_a_difference_is_taken_game_by_game() -> None:
    square, _, off, _ = true_errors.missed(position(1.0, 0.5, [(10, 13), (20, 20)]), "difference", "wigs")
    assert (square, off) == (-2.0, 0.5)  # off by 2 and by -1


def test_the_model_error_counted_is_that_of_the_phase() -> None:
    lead = of_turns(4.0).lead
    assert true_errors.modelled(position(0.0, 0.0, []), 2, "difference", "wigs") == lead.wigs**2
    assert true_errors.modelled(position(0.0, 0.0, []), 2, "worth", "win_share") == of_turns(4.0).win_share ** 2


def test_an_action_loses_what_the_best_by_value_has_more() -> None:
    lines = [
        {"chosen": {"0.2 30": 5}, "reference": 7, "worth": {"5": [0.4, 90.0, 0.3], "7": [0.5, 89.0, 0.5]}},
        {"chosen": {"0.2 30": 6}, "reference": 6, "worth": {"6": [0.0, 0.0, 0.0]}},
    ]
    assert suite.losses(lines, "0.2 30").tolist() == [[pytest.approx(0.1), -1.0, pytest.approx(0.2)], [0.0, 0.0, 0.0]]
    assert suite.losses(lines, "").tolist() == [[0.0, 0.0, 0.0], [0.0, 0.0, 0.0]]


def test_the_interval_of_a_share_is_wilsons() -> None:
    low, high = decided.wilson(0, 10)
    assert (low, high) == (0.0, pytest.approx(1.96**2 / (10 + 1.96**2)))
    assert decided.wilson(5, 10) == (pytest.approx(0.2366, abs=1e-4), pytest.approx(0.7634, abs=1e-4))


def test_the_suite_has_a_hundred_positions_of_all_numbers_of_players() -> None:
    lines = suite.FILE.read_text(encoding="ascii").splitlines()
    assert len(lines) == len(set(lines)) == suite.SIZE
    players = Counter(observation.seats for observation in suite.positions())
    assert min(players[seats] for seats in (2, 3, 4)) >= 30
    for observation, line in zip(suite.positions(), lines, strict=True):
        assert observation.seat == observation.observer
        assert len(observation.legal()) > 1
        assert Position(TABLES, observation).to_text() == line


@pytest.mark.parametrize(
    ("work", "settings"),
    [
        (true_errors.looked_at, {"each": 1, "worlds": 2, "play": 2, "search": 20, "cut": 0, "seed": 1, "weights": ""}),
        (decided.looked_at, {"each": 1, "play": 2, "most": 256, "longer": 2, "seed": 1}),
        (bench_beliefs.looked_at, {"play": 2, "pool": 8, "seed": 1}),
        (suite.looked_at, {"iterations": [5, 20], "exploration": [0.2], "reference": 40, "seed": 1}),
    ],
)
def test_a_line_of_a_log_follows_from_its_settings(work: Any, settings: dict[str, Any]) -> None:
    line = work(1, settings)
    assert line == work(1, settings)
    assert line["number"] == 1
    assert json.loads(json.dumps(line))["number"] == 1


def test_other_positions_are_another_measurement(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """So a log of the suite is not carried on after ``--make`` has written it anew."""
    asked: list[dict[str, Any]] = []

    def done(name: str, settings: dict[str, Any], *_: object) -> list[dict[str, Any]]:
        asked.append(settings)
        return []

    lines = suite.FILE.read_text(encoding="ascii").splitlines(keepends=True)
    monkeypatch.setattr(suite, "FILE", tmp_path / "suite.txt")
    monkeypatch.setattr(suite, "done", done)
    monkeypatch.setattr(suite, "report", lambda *_: "")
    for count in (2, 2, 3):
        suite.FILE.write_text("".join(lines[:count]), encoding="ascii")
        suite.main([])
    assert asked[0] == asked[1] != asked[2]
