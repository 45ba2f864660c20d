"""Fitting the value function: what the sums are, that known weights are found again, and a fit from game to file."""

from __future__ import annotations

import json
import math
from dataclasses import fields
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

from engine_ext.search.searcher import VALUE_FEATURES
from lisboa_ai import edition, values
from lisboa_ai.train.__main__ import train
from lisboa_ai.train.fit import LOGISTIC, Fit, Sums, judged, left_over, solve, spread
from lisboa_ai.train.generate import play

ENGINE = edition.load("house").engine


def sums_of(x: Any, y: Any, turns: Any) -> Sums:
    return Sums.of(np.array(x, dtype=float), np.array(y, dtype=float), np.array(turns, dtype=float))


def one_position() -> Sums:
    """Two seats with one feature, 1 and 3, and 2 and 8 wigs to come: 1 and 3 either side of the mean."""
    return sums_of([[[1], [3]]], [[[2], [8]]], [4])


# --- sums and solutions -----------------------------------------------------------------------------------------------


def test_known_weights_are_found_again_exactly() -> None:
    draw = np.random.default_rng(1)
    weights = draw.integers(-9, 10, size=(6, 3)) / 4
    x = draw.integers(0, 12, size=(50, 3, 6)).astype(float)
    sums = Sums.of(x, x @ weights, draw.integers(3, 60, size=50).astype(float))
    assert solve(sums, ridge=0.0) == pytest.approx(weights, abs=1e-9)
    assert left_over(sums, weights) == pytest.approx(np.zeros(8), abs=1e-6)


def test_sums_of_parts_add_up_to_those_of_all() -> None:
    """Two seats and whole numbers, so that means and products are exact."""
    draw = np.random.default_rng(2)
    x = draw.integers(0, 9, size=(30, 2, 4)).astype(float)
    y = draw.integers(0, 9, size=(30, 2, 3)).astype(float)
    turns = 2.0 * draw.integers(1, 5, size=30).astype(float) ** 2
    parts = Sums.of(x[:11], y[:11], turns[:11]) + Sums.of(x[11:], y[11:], turns[11:])
    whole = Sums.of(x, y, turns)
    for one in fields(Sums):
        assert np.array_equal(getattr(parts, one.name), getattr(whole, one.name)), one.name


def test_a_phase_begins_with_its_least_turns() -> None:
    """3.9 turns of two seats are 1.95 for each, under 2; 4 are 2, of the second phase; 34 are 17, of the last."""
    sums = sums_of([[[1], [3]]] * 3, [[[2], [8]]] * 3, [3.9, 4, 34])
    assert sums.positions.tolist() == [1, 1, 0, 0, 0, 0, 0, 1]
    assert sums.root_turns[[1, 7]].tolist() == [math.sqrt(2), math.sqrt(17)]


def test_the_ridge_draws_a_weight_to_zero() -> None:
    """Products apart 2 and 6, all 10 and 26 at 0.05: 2.5 w = 7.3. The feature's square is 10, so 0.25 of it is 2.5."""
    assert solve(one_position(), ridge=0.0) == pytest.approx(np.array([[2.92]]))
    assert solve(one_position(), ridge=0.25) == pytest.approx(np.array([[1.46]]))


def test_a_feature_that_never_occurs_gets_no_weight() -> None:
    sums = sums_of([[[1, 0], [3, 0]]], [[[2], [8]]], [4])
    assert solve(sums, ridge=0.0) == pytest.approx(np.array([[2.92], [0.0]]))


def test_what_is_explained_and_what_is_left() -> None:
    """A weight of 2 says 2 either side of the mean, where 3 came: 1 + 1 of 9 + 9 are left, one free seat."""
    positions, explained, error = judged(one_position(), np.array([[2.0]]))
    assert positions == (0, 1, 0, 0, 0, 0, 0, 0, 1)
    assert (explained[0], error[0]) == (None, None)
    assert (explained[1], error[1]) == (pytest.approx(1 - 2 / 18), pytest.approx(math.sqrt(2)))
    assert (explained[8], error[8]) == (explained[1], error[1])


def test_the_spread_is_that_of_the_differences_by_phase() -> None:
    """Scales of 5, 7 and 9 where the roots of the turns left are 1, 2 and 3: 3 and 2 for each root."""
    sums = Sums.zero(1, 1)
    for phase, (root, scale) in enumerate([(1.0, 5.0), (2.0, 7.0), (3.0, 9.0)]):
        sums.positions[phase] = sums.freedom[phase] = 40
        sums.root_turns[phase] = 40 * root
        sums.apart_yy[phase] = 40 * (scale / LOGISTIC) ** 2 / 2
    assert spread(sums, np.zeros((1, 1))) == pytest.approx((3.0, 2.0))


def test_too_few_positions_are_refused() -> None:
    with pytest.raises(ValueError) as caught:
        Fit.of(one_position(), one_position(), 1.0)
    assert str(caught.value) == "games: 1 positions are too few; allowed: more games"


# --- games ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("by", ["playout", "greedy"])
def test_a_game_is_looked_at_on_its_way(by: str) -> None:
    rows = play(ENGINE, 3, by, 5)
    again = play(ENGINE, 3, by, 5)
    count = len(rows.turns)
    assert count > 4
    assert rows.features.shape == (count, 3, len(VALUE_FEATURES))
    assert (rows.features[:, :, 0] == 1.0).all()
    assert (rows.turns > 0).all()
    assert rows.turns[0] > rows.turns[-1]
    assert all(np.array_equal(getattr(rows, one.name), getattr(again, one.name)) for one in fields(rows))
    assert not np.array_equal(rows.turns, play(ENGINE, 3, by, 6).turns)


def run(*args: object, code: int = 0) -> str:
    result = CliRunner().invoke(train, [str(arg) for arg in args], prog_name="train")
    assert result.exit_code == code, result.output
    return result.stdout if code == 0 else result.stderr


def test_from_games_to_a_file_that_is_read(tmp_path: Path) -> None:
    """In one go, and in two with the sums kept between them: the same weights."""
    whole, halves, sums = (tmp_path / name for name in ("whole.json", "halves.json", "sums.npz"))
    args = ("--seats", "2", "--seed", "4", "--jobs", "1")
    said = run(*args, "--games", "40", "-o", whole)
    run(*args, "--games", "20", "--sums", sums, "-o", halves)
    run(*args, "--games", "40", "--sums", sums, "-o", halves)
    assert halves.read_text(encoding="utf-8") == whole.read_text(encoding="utf-8")
    assert "2 players, 40 games" in said
    assert f"{whole}: {whole.stat().st_size:,} bytes" in said.replace("\n", "")
    assert whole.stat().st_size < 1 << 20
    content = json.loads(whole.read_text(encoding="utf-8"))
    assert content["fitted"] == {"by": "playout", "seed": 4, "batch": 50, "ridge": 30.0, "games": {"2": 40}}
    assert list(values.read(content)) == [2]
    assert values.fitted_for(ENGINE, str(whole))
    assert len(values.weights(2, str(whole))) == values.VALUE_SIZE
    with pytest.raises(ValueError, match=r"has none for 3 players; allowed: \[2\]"):
        values.weights(3, str(whole))


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("--seats", "2,5"), "seats: '2,5'; allowed: some of 2,3,4, each once"),
        (("--seats", "2,2"), "seats: '2,2'; allowed: some of 2,3,4, each once"),
        (("--ridge", "-1"), "ridge: -1.0; allowed: 0 or more"),
        (("--by", "nobody"), "by: 'nobody'; allowed: random, greedy, search, level:N or module:callable"),
        (("--edition", "nowhere"), "no edition 'nowhere'"),
        (("--sums", "/nowhere/sums.npz"), "output: /nowhere/sums.npz; allowed: a file in a folder that is there"),
    ],
)
def test_a_fit_that_cannot_be_is_refused(tmp_path: Path, args: tuple[str, ...], said: str) -> None:
    assert said in run(*args, "-o", tmp_path / "weights.json", code=2)


def test_sums_of_something_else_are_refused(tmp_path: Path) -> None:
    sums, weights = tmp_path / "sums.npz", tmp_path / "weights.json"
    run("--seats", "2", "--games", "30", "--jobs", "1", "--sums", sums, "-o", weights)
    assert "allowed: {'edition': " in run("--seats", "2", "--seed", "9", "--sums", sums, "-o", weights, code=2)


def npz(**parts: Any) -> bytes:
    with BytesIO() as file:
        np.savez(file, **{name: np.array(part) for name, part in parts.items()})
        return file.getvalue()


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"nothing",
        b"PK\x03\x04 and no more",
        npz(other="{}"),
        npz(settings="[1]"),
        npz(settings="{}"),
        npz(settings='{"settings": {}, "played": {"2": 30}}'),
    ],
)
def test_a_file_without_sums_is_refused(tmp_path: Path, content: bytes) -> None:
    sums = tmp_path / "sums.npz"
    sums.write_bytes(content)
    said = run("--seats", "2", "--sums", sums, "-o", tmp_path / "weights.json", code=2)
    assert f"sums: {sums} is no file of sums; allowed: one that this command wrote" in said.replace("\n", "")
