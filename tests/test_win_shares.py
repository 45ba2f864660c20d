"""Measuring predictions: scores by hand, logs that go on, positions out of reproducible games."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bench import reliability, win_shares, worklog
from bench.selfplay import play_to_end, played, spread_out, winning
from engine_ext.core import CATEGORIES
from engine_ext.search.searcher import VALUE_FEATURES
from lisboa_ai import values


def said(*rows: tuple[list[float], list[float], int]) -> reliability.Said:
    """Two players: (predicted, came, game)."""
    games = [
        {
            "number": game,
            "seats": 2,
            "won": came,
            "positions": [{"win_share": predicted, "turns_left": 4.0}],
        }
        for predicted, came, game in rows
    ]
    return reliability.said(games)


# --- scores -----------------------------------------------------------------------------------------------------------


def test_the_brier_score_is_the_mean_square_for_each_seat() -> None:
    of = said(([0.8, 0.2], [1.0, 0.0], 0), ([0.6, 0.4], [0.5, 0.5], 1))
    assert reliability.brier(of)[0] == pytest.approx((0.04 + 0.01) / 2)


def test_positions_of_one_game_count_as_one_for_the_error() -> None:
    x = np.array([1.0, 1.0, 0.0, 0.0])
    assert reliability.mean(x, np.array([0, 0, 1, 1])) == (0.5, 0.5)
    assert reliability.mean(x, np.array([0, 1, 2, 3])) == (0.5, pytest.approx((1 / 12) ** 0.5))


def test_reliability_less_resolution_and_uncertainty_make_up_the_brier_score() -> None:
    won, lost = [1.0, 0.0], [0.0, 1.0]
    rows = [([0.75, 0.25], won, 0), ([0.75, 0.25], won, 1), ([0.75, 0.25], lost, 2), ([0.5, 0.5], lost, 3)]
    of = said(*rows)
    first, second, third = reliability.decomposed(of)
    assert first - second + third == pytest.approx(reliability.brier(of)[0])
    assert third == 0.25
    assert first == pytest.approx((6 * (0.75 - 2 / 3) ** 2 + 2 * 0.0) / 8)


def test_shares_that_are_too_bold_have_a_boldness_above_one() -> None:
    """80 % said and 70 % came: odds of 4 should have been odds of 7/3."""
    rows = [([0.8, 0.2], [1.0, 0.0] if game % 10 < 7 else [0.0, 1.0], game) for game in range(100)]
    found, error = reliability.temperature(said(*rows))
    assert found == pytest.approx(np.log(4) / np.log(7 / 3), abs=1e-3)
    assert 0.1 < error < 1.0


def test_recalibrating_adds_what_was_missing_and_widens_the_spread() -> None:
    table = json.loads(json.dumps(values.table()))
    before = table["seats"]["2"]
    sets, other = CATEGORIES.index("sets"), CATEGORIES.index("start")
    games = []
    for number in range(100):
        said = [[0.0] * len(CATEGORIES) for _ in range(2)]
        came = [row[:] for row in said]
        turns = 1.0 + number % 3
        for row in came:
            row[sets] = 2.0 + 3.0 * turns
        position = {"breakdown": said, "own_turns": [turns, turns], "win_share": [0.8, 0.2], "turns_left": 8.0}
        won = [1.0, 0.0] if number % 10 < 7 else [0.0, 1.0]
        games.append({"number": number, "seats": 2, "won": won, "ledger": came, "positions": [position]})
    after = reliability.recalibrated(games, table)["seats"]["2"]
    by_turns = VALUE_FEATURES.index("one_by_turns")
    assert after["weights"][sets][0] - before["weights"][sets][0] == pytest.approx(2.0, abs=2e-4)
    assert after["weights"][sets][by_turns] - before["weights"][sets][by_turns] == pytest.approx(3.0, abs=2e-4)
    assert after["weights"][other] == before["weights"][other]
    assert after["spread"] == pytest.approx([1.636 * number for number in before["spread"]], rel=2e-3)
    assert table == values.table()  # the original stays as it was


# --- logs -------------------------------------------------------------------------------------------------------------


def test_a_log_goes_on_after_its_last_whole_line(tmp_path: Path) -> None:
    asked = []

    def work(number: int, settings: dict[str, Any]) -> dict[str, Any]:
        asked.append(number)
        return {"number": number, "found": number * settings["factor"]}

    settings = {"factor": 3}
    assert [line["found"] for line in worklog.done("x", settings, work, [0, 1], folder=tmp_path)] == [0, 3]
    path = worklog.path_of("x", settings, tmp_path)
    path.write_bytes(path.read_bytes()[:-5])
    assert [line["found"] for line in worklog.done("x", settings, work, [2, 1, 0], folder=tmp_path)] == [6, 3, 0]
    assert asked == [0, 1, 2, 1]
    assert worklog.path_of("x", {"factor": 4}, tmp_path) != path


def test_another_content_of_a_file_is_another_measurement(tmp_path: Path) -> None:
    file = tmp_path / "weights.json"
    found = []
    for text in ("one", "two", "one"):
        file.write_text(text, encoding="utf-8")
        found.append(worklog.of_file(str(file)))
    assert found[0] == found[2] != found[1]
    assert worklog.of_file("") == {}


# --- positions --------------------------------------------------------------------------------------------------------


def test_one_position_comes_out_of_each_part_of_a_game() -> None:
    for seed in range(20):
        assert [place // 25 for place in spread_out(100, 4, seed)] == [0, 1, 2, 3]
    assert spread_out(100, 4, 1) != spread_out(100, 4, 2)


def test_a_line_of_the_log_is_reproducible_and_its_shares_add_up() -> None:
    settings = {"each": 2, "play": 2, "search": 20, "seed": 5, "weights": ""}
    line = win_shares.looked_at(1, settings)
    assert line == win_shares.looked_at(1, settings)
    assert line["seats"] == 3
    assert sum(line["won"]) == 1.0
    for position in line["positions"]:
        assert sum(position["win_share"]) == pytest.approx(1.0)
        assert sum(position["value_share"]) == pytest.approx(1.0, abs=1e-4)
        assert [sum(row) for row in position["breakdown"]] == pytest.approx(position["wigs"])
    assert "boldness" in reliability.report([line, dict(line, number=2)])


def test_playing_on_leaves_the_game_as_it_was() -> None:
    game = played(0, 1, 2).moments[-1]
    before = game.fields()
    end = play_to_end(game, 3, 2)
    assert end.over
    assert not game.over
    assert game.fields() == before
    assert sum(winning(end)) == 1.0
