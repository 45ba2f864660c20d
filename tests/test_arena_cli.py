"""``lisboa-ai arena``: what it prints, and one clear line for what cannot be."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from lisboa_ai import arena
from lisboa_ai.cli import cli


def run(*args: str, code: int = 0) -> Result:
    result = CliRunner().invoke(cli, ("arena", *args), prog_name="lisboa-ai")
    assert result.exit_code == code, result.output
    return result


def data(*args: str) -> Any:
    return json.loads(run(*args, "--jobs", "1", "--json").stdout)


def complaint(*args: str) -> str:
    """The one line that an error is."""
    result = run(*args, code=2)
    assert result.stderr.startswith("Error: ")
    assert result.stderr.count("\n") == 1
    assert "Traceback" not in result.output
    return result.stderr


def test_help_has_an_example() -> None:
    assert "Example: lisboa-ai arena" in " ".join(run("--help").stdout.split())


def test_games_are_rounded_up_to_whole_blocks() -> None:
    found = data("greedy", "random", "--lineup", "A,B,B", "--games", "4")
    assert (found["games"], found["blocks"], found["games_in_a_block"]) == (6, 2, 3)
    assert found["lineup"] == ["A", "B", "B"]


def test_the_result_as_data() -> None:
    found = data("greedy", "random", "--games", "6", "--seed", "3", "--confidence", "0.9")
    best, worst = found["players"]
    assert (best["label"], best["player"], best["seats"], best["expected_share"]) == ("A", "greedy", 1, 0.5)
    assert best["share"] + worst["share"] == pytest.approx(1.0)
    low, high = best["share_interval"]
    assert low < best["share"] <= high
    assert best["margin"] == -worst["margin"] > 0
    assert best["decisions"] > 0
    assert found["sprt"] is None


def test_winning_everything_is_no_number_in_json() -> None:
    best = data("greedy", "random", "--games", "6")["players"][0]
    assert (best["share"], best["elo"]) == (1.0, None)
    assert best["elo_interval"][1] is None


def test_a_sequential_test_in_data_and_in_words() -> None:
    args = ("greedy", "random", "--sprt", "0,300", "--max-games", "60")
    found = data(*args)
    assert found["sprt"]["accepted"] == "H1"
    assert found["sprt"]["llr"] >= found["sprt"]["bounds"][1]
    assert found["games"] < 60
    said = run(*args, "--jobs", "1").stdout
    assert f"{found['games']} games, {found['blocks']} blocks of 2, seed 0" in said
    assert "SPRT of 0 against 300: Elo 300 accepted, LLR" in said


def test_the_most_games_end_a_sequential_test_undecided() -> None:
    found = data("greedy", "greedy", "--sprt", "-1,1", "--max-games", "4")
    assert found["games"] == 4
    assert found["sprt"]["accepted"] is None
    assert found["sprt"]["llr"] == pytest.approx(0.0, abs=1e-12)


def test_a_match_goes_on_from_its_log_and_is_rated(tmp_path: Path) -> None:
    log = str(tmp_path / "log.jsonl")
    first = data("greedy", "random", "--games", "2", "--log", log)
    second = data("greedy", "random", "--games", "6", "--log", log)
    assert (first["games"], second["games"]) == (2, 6)
    assert len(Path(log).read_text().splitlines()) == 1 + 6
    rated = json.loads(run("--elo", log, "--anchor", "random", "--json").stdout)["ratings"]
    assert [(one["player"], one["games"]) for one in rated] == [("greedy", 6), ("random", 6)]
    assert rated[1]["elo"] == 0.0
    said = run("--elo", log).stdout.splitlines()
    assert said[1].split()[-1] == "greedy"
    assert said[2].split()[-1] == "random"


def test_an_interrupted_match_says_how_far_it_came(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    played = 0

    def interrupted(*args: Any) -> Any:
        nonlocal played
        played += 1
        if played == 4:
            raise KeyboardInterrupt
        return arena.play_game(*args)

    monkeypatch.setattr("lisboa_ai.arena.run.play_game", interrupted)
    log = tmp_path / "log.jsonl"
    result = run("greedy", "random", "--jobs", "1", "--log", str(log), code=130)
    assert "2 games, 1 block of 2" in result.stdout
    assert result.stderr == "stopped\n"
    assert len(log.read_text().splitlines()) == 1 + 3


@pytest.mark.parametrize("name", ["match.svg", "match.png"])
def test_a_picture_is_drawn(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    run("greedy", "random", "--sprt", "0,300", "--jobs", "1", "--plot", str(path))
    head = path.read_bytes()[:400]
    assert (b"<svg" in head) if name.endswith("svg") else head.startswith(b"\x89PNG")


def test_pictures_without_matplotlib_are_refused_before_a_game_is_played(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    log = tmp_path / "log.jsonl"
    said = complaint("greedy", "random", "--plot", str(tmp_path / "match.svg"), "--log", str(log))
    assert "plot: matplotlib is not installed; allowed: after pip install 'lisboa-ai[plot]'" in said
    assert not log.exists()


@pytest.mark.parametrize(
    ("args", "named"),
    [
        (("greedy",), "players: 1; allowed: 2 to 4"),
        (("greedy",) * 5, "players: 5; allowed: 2 to 4"),
        (("greedy", "rndom"), "players[1]: 'rndom'; allowed: random, greedy, search, level:N or module:callable"),
        (("greedy", "search:x=1"), "players[1]: 'x' is no option of search; allowed: "),
        (("greedy", "random", "--lineup", "A,B,B,B,B"), "lineup: 5 seats; allowed: 2 to 4"),
        (("greedy", "random", "--lineup", "A,C"), "lineup: 'C'; allowed: A, B"),
        (("greedy", "random", "--lineup", "A,A"), "lineup: A,A has no B; allowed: every player at least once"),
        (("greedy", "random", "--games", "0"), "--games"),
        (("greedy", "random", "--jobs", "0"), "--jobs"),
        (("greedy", "random", "--confidence", "95"), "confidence: 95.0; allowed: above 0, below 1"),
        (("greedy", "random", "--sprt", "5"), "sprt: '5'; allowed: ELO0,ELO1, two numbers such as 0,50"),
        (("greedy", "random", "--sprt", "5,0"), "sprt: 5,0; allowed: ELO0,ELO1 with ELO0 below ELO1"),
        (("greedy", "random", "--sprt", "0,5", "--alpha", "0.7"), "alpha: 0.7; allowed: above 0, below 0.5"),
        (("greedy", "random", "--sprt", "0,5", "--games", "5"), "games: a sequential test ends by itself"),
        (("greedy", "random", "--max-games", "5"), "max_games: there is no sequential test"),
        (("greedy", "random", "--anchor", "greedy"), "anchor: nothing is rated; allowed: with --elo"),
        (("greedy", "random", "--plot", "match.gif"), "plot: match.gif; allowed: a file that ends in .svg, .png, .pdf"),
        (("greedy", "random", "--plot", "nowhere/match.svg"), "allowed: a file in a folder that is there"),
        (("greedy", "random", "--log", "nowhere/log"), "file: nowhere/log: No such file or directory"),
        (("greedy", "random", "--edition", "none"), "edition"),
        (("--elo", "nowhere.jsonl"), "file: nowhere.jsonl: No such file or directory"),
    ],
)
def test_what_cannot_be_played_is_refused(args: tuple[str, ...], named: str) -> None:
    assert named in complaint(*args)


def test_an_unknown_anchor_is_told_who_there_is(tmp_path: Path) -> None:
    log = str(tmp_path / "log.jsonl")
    run("greedy", "random", "--games", "2", "--jobs", "1", "--log", log)
    assert "anchor: 'search'; allowed: greedy, random" in complaint("--elo", log, "--anchor", "search")
