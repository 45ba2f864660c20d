"""What the engine and the search do is the number that stands in ``data/signature.json``, in both builds."""

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from bench import signature as command
from engine_ext.core import CHECKED
from lisboa_ai import edition, signature
from lisboa_ai.signature import PARTS, PROBES, Signature

ROOT = Path(__file__).resolve().parent.parent
WHAT_TO_DO = "if that is meant: python -m bench.signature --write, and say why in the commit"


def test_this_build_plays_samples_and_searches_as_expected() -> None:
    assert (os.environ.get("LISBOA_RELEASE", "0") != "1") == CHECKED
    changed = signature.changed(signature.compute(), signature.expected())
    assert not changed, f"changed first: {changed[0]} (of {', '.join(changed)}); {WHAT_TO_DO}"


def test_the_release_build_does_the_same() -> None:
    environment = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "PYTHONSAFEPATH")}
    ran = subprocess.run(
        [sys.executable, "-m", "bench.signature", "--parts"],
        cwd=ROOT,
        env=environment | {"LISBOA_RELEASE": "1"},
        capture_output=True,
        text=True,
        timeout=60,
    )
    wanted = signature.expected()
    assert ran.stdout.splitlines() == [
        "build: release",
        *(f"{part}: {getattr(wanted, part)}" for part in PARTS),
        f"signature: {wanted}",
    ], f"{ran.stderr}; {WHAT_TO_DO}"
    assert ran.returncode == 0


def test_the_quick_suite_is_as_expected() -> None:
    assert signature.compute(quick=True) == signature.expected(quick=True), WHAT_TO_DO


def test_a_change_is_told_by_its_part_and_exit_code(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    wanted = signature.expected(quick=True)
    monkeypatch.setattr(signature, "expected", lambda *, quick: replace(wanted, sampling="0" * 12))
    assert command.main(["--quick"]) == 1
    said = capsys.readouterr()
    assert said.out == f"signature: {wanted}\n"
    assert "changed first: sampling (of sampling)" in said.err


def test_the_number_follows_from_every_part() -> None:
    one = Signature(engine="a", sampling="b", search="c")
    others = [replace(one, engine="d"), replace(one, sampling="d"), replace(one, search="d")]
    assert len({str(each) for each in (one, *others)}) == 4
    assert [signature.changed(one, other) for other in others] == [("engine",), ("sampling",), ("search",)]


def test_another_search_changes_the_search_part_only(monkeypatch: pytest.MonkeyPatch) -> None:
    wanted = signature.expected(quick=True)
    monkeypatch.setattr(signature, "PROBES", (replace(PROBES[0], threads=2), PROBES[1]))
    assert signature.changed(signature.compute(quick=True), wanted) == ("search",)


def test_the_suite_has_every_number_of_players_phase_and_option() -> None:
    engine = edition.load("house").engine
    games = [signature._reached(engine, probe) for probe in PROBES]
    states = [game.fields() for game in games]
    assert len(PROBES) >= 12
    assert {game.seats for game in games} == {2, 3, 4}
    assert {game.period for game in games} == {0, 1}
    assert {probe.kind for probe in PROBES} >= {"keep_clergy", "draft_keep", "follow", "give_clergy", "discard_hand"}
    assert any(state["last_turn"] >= 0 for state in states), "the last round"
    assert any(state["queen"] for state in states), "the Queen is out"
    for option in ("playout", "granularity", "objective", "exploration"):
        assert len({getattr(probe.options, option) for probe in PROBES}) > 1, option
    assert {probe.threads for probe in PROBES} == {1, 2}
    assert {probe.rival for probe in PROBES} == {False, True}
