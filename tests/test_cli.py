"""The command line: what it prints for people and for programs, and one clear line for everything that is wrong."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from importlib import resources
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from serving import running

from engine_ext import core
from lisboa_ai import beliefs, edition
from lisboa_ai.analysis import SearchLimits, SearchOptions, analyse
from lisboa_ai.cli import cli
from lisboa_ai.cli.advise import as_data
from lisboa_ai.position import Position
from lisboa_ai.record import GameRecord

DEMO = str(resources.files("lisboa_ai") / "data" / "demo.json")
DEMO_RECORD = str(resources.files("lisboa_ai") / "data" / "demo_record.json")


def run(*args: str, typed: str | None = None, code: int = 0) -> Result:
    result = CliRunner().invoke(cli, args, input=typed, prog_name="lisboa-ai")
    assert result.exit_code == code, result.output
    return result


def out(*args: str, typed: str | None = None) -> str:
    return run(*args, typed=typed).stdout


def data(*args: str, typed: str | None = None) -> Any:
    return json.loads(out(*args, typed=typed))


def complaint(*args: str, typed: str | None = None) -> str:
    """The one line that an error is."""
    result = run(*args, typed=typed, code=2)
    assert result.stderr.startswith("Error: ")
    assert result.stderr.count("\n") == 1
    assert "Traceback" not in result.output
    return result.stderr


@pytest.fixture
def game(tmp_path: Path) -> str:
    path = str(tmp_path / "game.json")
    run("new", "--players", "2", "--seed", "1", "-o", path)
    return path


# --- what it does -----------------------------------------------------------------------------------------------------


def test_version_says_which_build_is_loaded() -> None:
    assert out("--version").endswith(f"({'checked' if core.CHECKED else 'release'} engine)\n")


def test_every_command_is_there_with_an_example() -> None:
    names = ("new", "show", "legal", "apply", "observe", "advise", "play", "serve", "demo")
    groups = (("position", "template"), ("position", "check"), ("edition", "check"), ("edition", "export"))
    for command in (*((name,) for name in names), *groups):
        assert f"Example: lisboa-ai {command[0]}" in " ".join(out(*command, "--help").split())


def test_a_game_from_the_deal_on(game: str) -> None:
    """New, legal, apply and observe agree with the package's own answers."""
    record = GameRecord.new(edition.load("house"), 2, 1)
    assert GameRecord.from_json(Path(game).read_text()) == record
    legal = data("legal", game, "--json")
    assert (legal["seat"], legal["decision"]) == (0, "keep_clergy")
    first = legal["actions"][0]["text"]
    assert first in out("legal", game)
    after = out("apply", game, first)
    assert GameRecord.from_json(after) == record.append(first)
    seen = out("observe", "-", "--seat", "1", typed=after)
    assert Position.from_json(seen).observation == record.append(first).position(1).observation
    kept = out("observe", "-", "--seat", "1", "--record", typed=after)
    assert GameRecord.from_json(kept) == record.append(first).observe(1)


def test_files_are_told_apart_by_their_content(game: str) -> None:
    """JSON or one line, record or position, a file, standard input or the line itself."""
    position = Position.from_json(Path(DEMO).read_text(encoding="utf-8"))
    line = position.to_text()
    assert len({out("legal", DEMO), out("legal", "-", typed=line), out("legal", line), out("legal", DEMO_RECORD)}) == 1
    text = out("new", "--players", "2", "--seed", "1", "--text")
    assert text.startswith("lisboa-record-1:")
    assert out("legal", "-", typed=text) == out("legal", game)


def test_apply_takes_what_was_revealed_beside_the_action(game: str) -> None:
    """A seat's own record and position go on with what its player sees at the table."""
    record = GameRecord.from_json(Path(game).read_text())
    while record.replay().turn == 0:
        state = record.replay()
        seen = record.observe(1)
        action = json.loads(out("legal", "-", "--json", typed=record.to_json()))["actions"][0]["text"]
        record = record.append(action)
        written = str(record.observe(1).actions[-1])
        assert GameRecord.from_json(out("apply", "-", written, typed=seen.to_json())) == record.observe(1)
        assert not state.over
    assert " ! " in written  # the last action of a turn turns up a card


def test_show_has_names_and_whose_decision_it_is(tmp_path: Path) -> None:
    path = str(tmp_path / "g.json")
    run("new", "--players", "2", "--seed", "1", "--name", "Ana", "--name", "Zé", "-o", path)
    text = out("show", path, "--seat", "1")
    assert text.startswith("Period 1, turn 1: Player 1 Ana (seat 0) decides: keep a clergy tile ──")
    assert "5 blue-?" in text
    assert "5 blue-?" not in out("show", path, "--truth")
    assert data("show", path, "--seat", "1", "--json")["observer"] == 1


def test_advise_for_programs_is_the_packages_own_answer() -> None:
    position = Position.from_json(Path(DEMO).read_text(encoding="utf-8"))
    found = data("advise", DEMO, "--iterations", "40", "--seed", "3", "--candidates", "2", "--json")
    own = analyse(position.observation, SearchLimits(iterations=40, seed=3), SearchOptions(candidates=2))
    expected = json.loads(json.dumps(as_data(position.tables, own)))
    found.pop("elapsed_seconds")
    expected.pop("elapsed_seconds")
    assert found == expected
    assert len(found["candidates"]) == 2


def test_advise_by_a_server_is_the_same() -> None:
    args = ("advise", DEMO, "--iterations", "30", "--seed", "2", "--json")
    with running() as server:
        theirs = data(*args, "--server", server.address)
    ours = data(*args)
    for answer in (ours, theirs):
        answer.pop("elapsed_seconds")
    assert [c["actions"] for c in theirs["candidates"]] == [c["actions"] for c in ours["candidates"]]
    assert [c["wigs"] for c in theirs["candidates"]] == [c["wigs"] for c in ours["candidates"]]


def test_advise_for_people() -> None:
    text = out("advise", DEMO, "--iterations", "40", "--only", "court red-maia-2", "--only", "gold red-maia-2")
    assert "Candidates for player 3" in text
    assert "court red-maia-2" in text
    assert "portfolio" not in text.split("The best turn")[0]
    assert "stopped by: iterations" in text
    assert "Why" in text


def test_advise_says_what_a_level_plays() -> None:
    """With some seed level 1 plays another action than the best: its turn is told, and why the best one is better."""
    for seed in range(20):
        args = ("advise", DEMO, "--level", "1", "--seed", str(seed), "--candidates", "1")
        found = data(*args, "--json")
        if found["chosen"]:
            break
    assert (found["chosen"], len(found["candidates"]), found["notes"]) == (1, 2, [])
    text = " ".join(out(*args).split())
    played = found["candidates"][1]["actions"][0]
    assert f"({played})" in text.split("Level 1 plays 1. Player 3: ")[1].split(" 2. ")[0]
    assert "Why the first one is better" in text


def test_advise_without_a_search_claims_nothing() -> None:
    args = ("advise", DEMO, "--algorithm", "greedy")
    text = out(*args)
    assert "stopped by: no_search" in text
    assert "Chosen without a search" in text
    assert "It was chosen without a search, so nothing is known of what it is worth." in text
    assert "±" not in text
    found = data(*args, "--json")
    assert [found["evaluation"][name] for name in ("win_share", "wigs")] == [[], []]


def test_advise_by_what_rivals_played_needs_a_record_of_it() -> None:
    args = ("advise", DEMO_RECORD, "--iterations", "40", "--seed", "3", "--beliefs")
    record = GameRecord.from_json(Path(DEMO_RECORD).read_text(encoding="utf-8"))
    observation = record.position().observation
    options = SearchOptions(beliefs=True)
    own = analyse(observation, SearchLimits(iterations=40, seed=3), options, history=beliefs.history(record))
    found = data(*args, "--json")
    assert found["candidates"] == json.loads(json.dumps(as_data(record.tables, own)))["candidates"]
    assert 1.0 < found["effective_samples"] < 256.0
    assert "hands: weighed by what was played, as good as " in out(*args)
    assert "allowed: a record" in complaint("advise", DEMO, "--beliefs")
    assert "allowed: without --server" in complaint("advise", DEMO_RECORD, "--beliefs", "--server", "127.0.0.1:1")


def test_advise_stops_when_it_is_decided_if_it_may() -> None:
    position = Position.from_json(Path(DEMO).read_text(encoding="utf-8"))
    own = analyse(position.observation, SearchLimits(iterations=3000, seed=3, decided=0.5))
    found = data("advise", DEMO, "--iterations", "3000", "--seed", "3", "--decided", "0.5", "--json")
    assert (found["stop_reason"], found["iterations"]) == (own.stop_reason, own.iterations)
    assert "decided: 0.3; allowed: 0 (never), or 0.5 to 0.9999" in complaint("advise", DEMO, "--decided", "0.3")


def test_advise_names_weights_of_another_edition_once(tmp_path: Path) -> None:
    changed_edition(tmp_path)
    path = tmp_path / "game.json"
    run("new", "--players", "2", "--seed", "1", "--edition", str(tmp_path / "mine"), "-o", str(path))
    result = run("advise", str(path), "--edition", str(tmp_path / "mine"), "--iterations", "20")
    note = "Note: the value function was fitted to another edition: "
    assert result.stderr.count(note) == 1
    assert note not in result.stdout
    args = ("play", "--edition", str(tmp_path / "mine"), "--quiet", "-o", str(tmp_path / "played.json"))
    assert run(*args, "--seats", "search,random", "--level", "1").stderr.count(note) == 1
    assert note not in run(*args, "--seats", "greedy,random").stderr


def changed_edition(folder: Path) -> None:
    """The house edition in ``mine`` with one number changed."""
    run("edition", "export", str(folder / "mine"))
    table = folder / "mine" / "scoring.toml"
    text = table.read_text(encoding="utf-8")
    assert text.count("large = 4") == 1
    table.write_text(text.replace("large = 4", "large = 5"), encoding="utf-8")


def test_advise_turns_and_assumptions() -> None:
    found = data("advise", DEMO, "--iterations", "40", "--turns", "--assume", "0=blue-king-2,purple-king-1", "--json")
    assert all(len(candidate["actions"]) > 1 for candidate in found["candidates"])


def test_position_template_can_be_read_back() -> None:
    result = run("position", "template", "--players", "4", "--observer", "2", "--explain")
    position = Position.from_json(result.stdout)
    assert (position.observation.seats, position.observation.observer) == (4, 2)
    assert "observer: Seat whose knowledge this is." in result.stderr
    assert "sound" in out("position", "check", "-", typed=result.stdout)


def test_edition_check_and_export(tmp_path: Path) -> None:
    folder = str(tmp_path / "mine")
    run("edition", "export", folder)
    assert out("edition", "check", folder).startswith("No row breaks")
    ships = tmp_path / "mine" / "ships.toml"
    ships.write_text(ships.read_text(encoding="utf-8").replace("hull = 4", "hull = 3"), encoding="utf-8")
    record = data("new", "--players", "2", "--seed", "1", "--edition", folder)
    assert record["edition"]["digest"] != edition.load("house").digest
    assert out("legal", "-", "--edition", folder, typed=json.dumps(record)).startswith("seat 0, keep clergy")
    assert record["edition"]["digest"] in complaint("legal", "-", typed=json.dumps(record))


# --- play -------------------------------------------------------------------------------------------------------------


def test_bots_play_to_the_end_and_the_record_replays(tmp_path: Path) -> None:
    path = tmp_path / "played.json"
    text = out("play", "--seats", "random,greedy", "--seed", "4", "--quiet", "-o", str(path))
    game = GameRecord.from_json(path.read_text(encoding="utf-8")).replay()
    assert game.over
    for seat, kind in enumerate(("random", "greedy")):
        won = "  wins" if seat in game.winners() else ""
        assert f"player {seat + 1} ({kind}): {game.wigs()[seat]} wigs{won}\n" in text


def test_search_seats_play_at_a_level(tmp_path: Path) -> None:
    path = tmp_path / "played.json"
    args = ("play", "--seats", "search,random", "--seed", "4", "--quiet", "-o", str(path))
    text = out(*args, "--level", "1")
    assert "player 1 (search)" in text
    assert GameRecord.from_json(path.read_text(encoding="utf-8")).replay().over
    assert "level: 0; allowed: 1 to 10" in complaint(*args, "--level", "0")


def test_a_person_plays_undoes_asks_and_stops(tmp_path: Path) -> None:
    path = tmp_path / "mine.json"
    args = ("play", "--seats", "human,greedy", "--seed", "4", "--think", "0.1", "-o", str(path))
    text = out(*args, typed="?\nnonsense\nhint\n1\nundo\n2\nboard\nsave\nquit\n")
    assert "type an action or its number" in text
    assert "'nonsense' is not an action; allowed: keep clergy-" in text
    assert "Candidates for player 1" in text
    assert "taken back" in text
    assert "decides: play a card" in text
    record = GameRecord.from_json(path.read_text(encoding="utf-8"))
    second = json.loads(out("legal", "-", "--json", typed=GameRecord.new(record.tables, 2, 4).to_json()))
    assert record.actions[0].text == second["actions"][1]["text"]
    more = out("play", "--seats", "human,greedy", "--resume", str(path), "-o", str(path), typed="undo\n")
    assert "nothing to take back" in more
    assert GameRecord.from_json(path.read_text(encoding="utf-8")) == record


def test_a_rivals_secret_choice_stays_secret(tmp_path: Path) -> None:
    args = ("play", "--seats", "human,greedy", "--seed", "4", "--draft", "--quiet", "-o", str(tmp_path / "d.json"))
    text = out(*args, typed="1\n" * 4)
    assert "Player 2 keeps a card." in text
    assert "Player 2: keep blue" not in text


# --- what is wrong ----------------------------------------------------------------------------------------------------


def test_a_seat_that_is_not_to_act(game: str) -> None:
    assert complaint("advise", game, "--seat", "1") == "Error: seat: 1 is not to act; allowed: 0\n"
    assert complaint("advise", game, "--seat", "7") == "Error: seat: 7; allowed: 0 to 1\n"
    assert complaint("advise", DEMO, "--seat", "0") == "Error: seat: 0; allowed: 2, whose position this is\n"


def test_an_unknown_edition() -> None:
    broken = Path(DEMO).read_text(encoding="utf-8").replace(edition.load("house").digest, "0123456789abcdef")
    known = edition.load("house").digest
    assert complaint("advise", "-", typed=broken) == (
        f"Error: edition: house 0123456789abcdef; allowed: house {known}\n"
    )
    assert "'nowhere'" in complaint("new", "--players", "2", "--edition", "nowhere")


def test_a_broken_position() -> None:
    def broken(change: Any) -> str:
        found = json.loads(Path(DEMO).read_text(encoding="utf-8"))
        change(found)
        return complaint("advise", "-", typed=json.dumps(found))

    assert "period: 3; allowed: 1" in broken(lambda found: found.update(period=3))
    assert "boards" in broken(lambda found: found["boards"][0].update(reis=-5))
    assert "decrees[0]: 'decree-99'; allowed: decree-1 to decree-70" in broken(
        lambda found: found.update(decrees=["decree-99"])
    )
    assert "no field named" in broken(lambda found: found.update(nonsense=1))


@pytest.mark.parametrize("text", ["", "{", "[1]", "nonsense", "lisboa-position-1:abc.00000000", "{}", '{"actions": 3}'])
def test_a_file_that_is_neither(text: str) -> None:
    assert complaint("show", "-", typed=text)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    assert complaint("show", str(tmp_path / "no")) == f"Error: file: {tmp_path / 'no'}: No such file or directory\n"
    (tmp_path / "bytes").write_bytes(b"\xff\xfe\x00")
    assert "is not text" in complaint("show", str(tmp_path / "bytes"))
    assert "Is a directory" in complaint("show", str(tmp_path))


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("2=red-king-3", "assumptions[0]: seat 2 cannot hold red-king-3; allowed: hidden cards of a rival, from blue-"),
        ("0=red-king-3", "assumptions[0]: seat 0 cannot hold red-king-3; allowed: hidden cards of a rival, from blue-"),
        ("5=red-king-3", "assumptions[0]: '5=red-king-3'; allowed: SEAT=CARD with a seat from 0 to 2"),
        ("red-king-3", "assumptions[0]: 'red-king-3'; allowed: SEAT=CARD with a seat from 0 to 2"),
        ("1=", "assumptions[0]: '1='; allowed: SEAT=CARD with a seat from 0 to 2"),
        ("1=,", "assumptions[0]: '1=,'; allowed: SEAT=CARD with a seat from 0 to 2"),
        ("²=red-king-3", "assumptions[0]: '²=red-king-3'; allowed: SEAT=CARD with a seat from 0 to 2"),
        ("1=foo", "assumptions[0]: seat 1 cannot hold foo; allowed: hidden cards of a rival, from blue-"),
        ("0=king", "assumptions[0]: seat 0 cannot hold king; allowed: hidden cards of a rival, from blue-"),
    ],
)
def test_an_illegal_assumption(given: str, said: str) -> None:
    assert said in complaint("advise", DEMO, "--assume", given)


def test_assumptions_are_judged_together() -> None:
    """Both rivals may hold the King's card, but not both of them."""
    both = ("--assume", "0=blue-king-2", "--assume", "2=blue-king-2")
    assert "assumptions[1]: seat 2 cannot hold blue-king-2; allowed: " in complaint("advise", DEMO, *both)


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("--time", "-1"), "time: -1.0 seconds; allowed: 0 to 86400"),
        (("--time", "abc"), "'--time': 'abc' is not a valid float"),
        (("--iterations", "0"), "iterations: 0; allowed: 1 or more"),
        (("--memory", "0"), "memory: 0 bytes; allowed: "),
        (("--threads", "99"), "threads: 99; allowed: 1 to 64"),
        (("--candidates", "0"), "candidates: 0; allowed: 1 to 1000"),
        (("--objective", "2"), "objective: 2.0; allowed: 0 (win share) to 1 (margin in wigs)"),
        (("--only", "take treasury"), "'take treasury' is not legal now; allowed: gold "),
        (("--exclude", "fly"), "'fly' is not an action; allowed: gold "),
        (("--server", "localhost:1"), "server: localhost:1: "),
        (("--level", "11"), "level: 11; allowed: 1 to 10"),
        (("--level", "2", "--algorithm", "flat"), "level: 2 with algorithm 'flat'; allowed: one of the two"),
        (("--algorithm", "best"), "'best' is not one of 'single', "),
        (("--speed", "9"), "No such option '--speed'"),
    ],
)
def test_bad_limits_and_options(args: tuple[str, ...], said: str) -> None:
    assert said in complaint("advise", DEMO, *args)


def test_an_edition_that_is_not_there() -> None:
    allowed = "neither bundled (house) nor a folder with an edition's files"
    assert complaint("edition", "check", "nowhere") == f"Error: no edition 'nowhere': {allowed}\n"
    assert out("edition", "check", "house") == out("edition", "check")


def test_an_export_into_a_folder_that_holds_an_edition(tmp_path: Path) -> None:
    """The edition's eleven files: the first is named, the others are counted."""
    folder = str(tmp_path / "mine")
    assert len(out("edition", "export", folder).splitlines()) == 11
    assert complaint("edition", "export", folder) == (
        f"Error: folder: {folder} already holds cards.toml, and 10 more files of an edition; nothing was written; "
        "allowed: a folder without them\n"
    )


def test_other_things_that_are_wrong(game: str) -> None:
    assert "2 to 4" in complaint("new", "--players", "1")
    assert "'--players'" in complaint("new")
    assert "No such command 'fly'" in complaint("fly")
    assert "'xyz' is not an action; allowed: keep clergy-" in complaint("apply", game, "xyz")
    assert "seat: 2; allowed: 0 to 1" in complaint("observe", game, "--seat", "2")
    assert "seats[1]: 'cat'; allowed: human, random, greedy, search" in complaint("play", "--seats", "human,cat")
    assert "observer: 3; allowed: 0 to 2" in complaint("position", "template", "--observer", "3")
    assert "a record of the truth" in complaint("play", "--seats", "human,human,human", "--resume", DEMO_RECORD)


# --- as programs start it --------------------------------------------------------------------------------------------


def program(*args: str, typed: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", "from lisboa_ai.cli import main; main()", *args],
        input=typed, capture_output=True, text=True, env=os.environ, check=False, timeout=60,
    )  # fmt: skip


def test_a_real_process_is_quiet_on_success_and_says_one_line_on_failure() -> None:
    good = program("advise", DEMO, "--iterations", "20", "--json")
    assert (good.returncode, good.stderr) == (0, "")
    assert json.loads(good.stdout)["iterations"] == 20
    bad = program("advise", "-", typed='{"players": 3}')
    assert (bad.returncode, bad.stdout, bad.stderr.count("\n")) == (2, "", 1)


def test_a_reader_that_goes_away_is_no_error() -> None:
    with subprocess.Popen(
        [sys.executable, "-c", "from lisboa_ai.cli import main; main()", "show", DEMO],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=os.environ,
    ) as child:  # fmt: skip
        assert child.stdout is not None
        child.stdout.close()
        assert child.stderr is not None
        assert b"Traceback" not in child.stderr.read()
