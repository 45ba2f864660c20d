"""The comparison with peers: rounds taken in turn, ratios, what is counted of a peer, clear errors."""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from bench import peer_worker, peers
from bench.peers import Compared, Line, compare, table
from engine_ext.bench import play_games
from lisboa_ai import edition

PLAYOUTS = Line("open_spiel", "gin_rummy_playouts", "decisions", "playouts", "random", 30.0)
GAMES = Line("catanatron", "catanatron_random", "decisions", "all decisions", "random", 150.0)
CHOICES = Line("catanatron", "catanatron_random", "choices", "decisions with a choice", "random", 150.0)


def test_the_ratio_is_the_median_over_rounds_of_ours_to_theirs_in_the_same_round() -> None:
    found = Compared(PLAYOUTS, "2.0.2", ours=[10.0, 60.0, 20.0], theirs=[5.0, 10.0, 4.0]).to_data()
    assert found["ratio"] == {"median": 5.0, "lowest": 2.0, "highest": 6.0}
    assert found["our_rate"] == {"median": 20, "best": 60}
    assert found["their_rate"] == {"median": 5, "best": 10}
    assert found["best_to_best"] == 6.0


class FakePeers:
    """Answers 1 and 2 decisions a second in its first round, twice as many in each round after."""

    def __init__(self, calls: list[str]) -> None:
        self.calls = calls
        self.versions = {"catanatron": "1.0", "open_spiel": "2.0"}

    def measure(self, work: str, seconds: float, seed: int) -> dict[str, float]:
        self.calls.append(f"{work} {seed}")
        return {"decisions": 2.0**seed, "choices": 2.0 ** (seed - 1)}


def test_ours_and_theirs_take_turns_and_work_that_two_lines_share_is_done_once() -> None:
    calls: list[str] = []

    def ours(seconds: float, seed: int) -> float:
        calls.append(f"ours {seed}")
        return 8.0

    found = compare([GAMES, CHOICES, PLAYOUTS], FakePeers(calls), {"random": ours}, rounds=2, seconds=1.0)  # type: ignore[arg-type]
    assert calls == [
        *("ours 1", "catanatron_random 1", "ours 1", "gin_rummy_playouts 1"),
        *("ours 2", "catanatron_random 2", "ours 2", "gin_rummy_playouts 2"),
    ]
    assert [one.ratios for one in found] == [[2.0, 4.0], [4.0, 8.0], [2.0, 4.0]]
    assert [one.version for one in found] == ["1.0", "1.0", "2.0"]


def test_the_table_names_the_ratio_what_is_wanted_and_who_is_missing() -> None:
    text = table([Compared(PLAYOUTS, "2.0.2", ours=[9000.0], theirs=[200.0])], ["catanatron"])
    assert text.splitlines() == [
        "open_spiel 2.0.2, playouts",
        "    ours 9,000/s, theirs 200/s: 45.0 times (45.0 to 45.0, best to best 45.0), wanted 30",
        "catanatron cannot be imported",
    ]


def test_our_own_rates_count_decisions_with_a_choice_and_iterations(monkeypatch: pytest.MonkeyPatch) -> None:
    """By a clock that goes on by a second each time it is read: asked a third time, three seconds have passed."""
    monkeypatch.setattr(peers, "GAMES_AT_ONCE", 1)
    monkeypatch.setattr(peers, "ITERATIONS_AT_ONCE", 3)
    engine = edition.load("house").engine
    decisions = sum(play_games(engine, 4, seed, 1)[0] for seed in (7, 8))
    for rate, expected in (
        (lambda: peers.random_decisions(engine, 3.0, 7), decisions / 3.0),
        (lambda: peers.search_iterations(peers.position(), 3.0, 7), 6 / 3.0),
    ):
        ticks = iter(range(100))
        monkeypatch.setattr(peers, "time", SimpleNamespace(process_time=lambda ticks=ticks: float(next(ticks))))
        assert rate() == expected


# --- the worker ------------------------------------------------------------------------------------------------------


def test_work_is_repeated_until_its_time_is_over_and_its_counts_are_summed(monkeypatch: pytest.MonkeyPatch) -> None:
    ticks = iter(range(100))
    monkeypatch.setattr(peer_worker, "time", SimpleNamespace(process_time=lambda: float(next(ticks))))
    # begun at 0, asked before each piece of work at 1, 2, 3 and then 4
    assert peer_worker.repeat(4.0, lambda: {"games": 1, "decisions": 5}) == {
        "games": 3,
        "decisions": 15,
        "seconds": 4.0,
    }


def test_of_catanatron_every_decision_is_counted_and_apart_those_with_a_choice(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class RandomPlayer:
        def __init__(self, colour: str) -> None:
            self.colour = colour

        def decide(self, game: Any, playable_actions: list[str]) -> str:
            return playable_actions[0]

    class Game:
        def __init__(self, players: list[Any], seed: int) -> None:
            assert [player.colour for player in players] == ["red", "blue", "orange", "white"]
            assert seed > 0
            self.players = players

        def play(self) -> None:
            for player in self.players:
                assert player.decide(self, ["roll"]) == "roll"
                assert player.decide(self, ["build", "end"]) == "build"
            self.players[0].decide(self, ["end"])

    catanatron = ModuleType("catanatron")
    colours = SimpleNamespace(RED="red", BLUE="blue", ORANGE="orange", WHITE="white")
    vars(catanatron).update(RandomPlayer=RandomPlayer, Game=Game, Color=colours)
    monkeypatch.setitem(sys.modules, "catanatron", catanatron)
    counts = peer_worker.catanatron_random(0.0, 1)
    assert (counts["games"], counts["decisions"], counts["choices"]) == (1, 9, 4)


class GinRummy:
    """A game of two things that chance decides and then three decisions, one of them without a choice."""

    SIZES = (2, 1, 4)

    def __init__(self) -> None:
        self.dealt = 0
        self.played: list[int] = []

    def is_chance_node(self) -> bool:
        return self.dealt < 2

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return [(0, 0.5), (1, 0.5)]

    def is_terminal(self) -> bool:
        return len(self.played) == 3

    def legal_actions(self) -> list[int]:
        return list(range(self.SIZES[len(self.played)]))

    def apply_action(self, action: int) -> None:
        if self.is_chance_node():
            self.dealt += 1
        else:
            assert action in self.legal_actions()
            self.played.append(action)


@pytest.fixture
def searches(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, int]]:
    """Puts a small game in OpenSpiel's place; rollouts and simulations of each search that is asked for."""
    asked: list[tuple[int, int]] = []

    def bot(seed: int, evaluator: int, exploration: float, simulations: int) -> Any:
        def step(state: GinRummy) -> int:
            assert not state.is_chance_node()
            asked.append((evaluator, simulations))
            return 0

        return SimpleNamespace(step=step)

    pyspiel = ModuleType("pyspiel")
    vars(pyspiel).update(
        load_game=lambda name: SimpleNamespace(new_initial_state=GinRummy),
        RandomRolloutEvaluator=lambda rollouts, seed: rollouts,
        ISMCTSBot=bot,
    )
    monkeypatch.setitem(sys.modules, "pyspiel", pyspiel)
    peer_worker.gin_rummy_length.cache_clear()
    return asked


def test_a_playout_of_gin_rummy_counts_as_many_decisions_as_a_game_has(searches: list[tuple[int, int]]) -> None:
    counts = peer_worker.gin_rummy_playouts(0.0, 1)
    assert searches == [(100, 2)]  # two simulations, each worth 100 playouts
    assert (counts["games"], counts["decisions"], counts["choices"]) == (200, 600.0, 400.0)


def test_a_search_of_gin_rummy_counts_its_simulations_with_one_playout_each(searches: list[tuple[int, int]]) -> None:
    counts = peer_worker.gin_rummy_ismcts(0.0, 1)
    assert searches == [(1, 1000)]
    assert counts["simulations"] == 1000


# --- errors ----------------------------------------------------------------------------------------------------------


def test_an_interpreter_with_neither_peer_is_refused(tmp_path: Path) -> None:
    bare = tmp_path / "python"
    bare.write_text(f'#!/bin/sh\nexec "{sys.executable}" -S "$@"\n')
    bare.chmod(0o755)
    with pytest.raises(ValueError, match="can import neither catanatron nor open_spiel; allowed: one that can"):
        peers.measure(str(bare), 1, 0.1)


def test_what_is_no_interpreter_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"--python: '.*none': No such file or directory; allowed: a Python interpret"):
        peers.Peers(str(tmp_path / "none"))
    broken = tmp_path / "broken"
    broken.write_text("#!/bin/sh\nexit 3\n")
    broken.chmod(0o755)
    with pytest.raises(ValueError, match=r"--python: '.*broken' ended with 3; allowed: Python 3.11 or later"):
        peers.Peers(str(broken))
