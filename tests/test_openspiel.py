"""OpenSpiel's search as a player: what it is told of a position, without OpenSpiel being there."""

from __future__ import annotations

import sys
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
from positions import ENGINE

from bench import openspiel
from bench.openspiel import OpenSpielBot, State, Variety
from engine_ext.core import KINDS, Game, Observation

SEEDS = range(4)
"""So many random games have either winner."""
VARIETY = Variety("sequential", "imperfect")


def position(seed: int = 3) -> Observation:
    """What the first to play a card knows, with two players."""
    game = Game.deal(ENGINE, 2, seed)
    while KINDS[game.kind] != "play_card":
        game.apply(game.legal()[0])
    return game.observe(game.seat)


class FakeBot:
    """Asks of a game what ``ISMCTSBot`` asks of it: a world for each simulation, an evaluation of some action in it."""

    made: FakeBot

    def __init__(self, game: Any, evaluator: Any, uct_c: float, max_simulations: int, random_state: Any = None) -> None:
        assert game.get_type().dynamics == "sequential"
        assert game.get_type().information == "imperfect"
        self.evaluator = evaluator
        self.simulations = max_simulations
        self.worlds: list[str] = []
        FakeBot.made = self

    def set_resampler(self, resampler: Any) -> None:
        self.resampler = resampler

    def step(self, state: Any) -> int:
        self._root_node: dict[int, int] = {}
        assert not state.is_terminal()
        assert not state.is_chance_node()
        for simulation in range(self.simulations):
            world = self.resampler(state, state.current_player())
            assert world.information_state_string() == state.information_state_string()
            assert sorted(world.legal_actions()) == sorted(state.legal_actions())
            self.worlds.append(repr(world._seen.fields()))
            prior = self.evaluator.prior(world)
            assert sum(chance for _, chance in prior) == pytest.approx(1.0)
            action = prior[simulation % len(prior)][0]
            world.apply_action(action)
            if simulation < 2:
                assert sorted(self.evaluator.evaluate(world)) == [-1.0, 1.0]
            self._root_node[action] = self._root_node.get(action, 0) + 1
        return max(self._root_node, key=lambda action: self._root_node[action])

    def get_final_policy(self, state: Any, node: dict[int, int]) -> list[tuple[int, float]]:
        return [(action, visits / sum(node.values())) for action, visits in node.items()]


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> None:
    """Puts something in OpenSpiel's place."""
    kinds = SimpleNamespace(
        Dynamics=SimpleNamespace(SEQUENTIAL="sequential"),
        Information=SimpleNamespace(IMPERFECT_INFORMATION="imperfect"),
    )
    for name in ("pyspiel", "open_spiel", "open_spiel.python", "open_spiel.python.algorithms"):
        monkeypatch.setitem(sys.modules, name, ModuleType(name))
    monkeypatch.setattr(sys.modules["pyspiel"], "GameType", kinds, raising=False)
    search = ModuleType("open_spiel.python.algorithms.ismcts")
    search.ISMCTSBot = FakeBot  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, search.__name__, search)


@pytest.mark.usefixtures("fake")
def test_it_gets_a_hundred_worlds_that_its_seat_cannot_tell_from_the_truth() -> None:
    observation = position()
    bot = openspiel.by_simulations(1)
    assert bot.choose(observation) in observation.legal()
    assert len(FakeBot.made.worlds) == 100
    assert len(set(FakeBot.made.worlds)) == 100  # decks of some forty cards: none comes twice


@pytest.mark.usefixtures("fake")
def test_the_same_seed_draws_the_same_worlds() -> None:
    found = []
    for seed in (1, 1, 2):
        choice = OpenSpielBot(seed, simulations=5).choose(position())
        found.append((choice, FakeBot.made.worlds))
    assert found[0] == found[1]
    assert found[0][1] != found[2][1]


@pytest.mark.usefixtures("fake")
@pytest.mark.parametrize("seconds, worlds", [(0.0, 2), (1.0, 2), (3.5, 5)])
def test_its_time_ends_before_the_next_world_but_not_before_an_action_was_tried(
    monkeypatch: pytest.MonkeyPatch, seconds: float, worlds: int
) -> None:
    """By a clock that goes on by a second each time it is read: at first, and before each world from the third on."""
    ticks = iter(range(1000))
    monkeypatch.setattr(openspiel, "time", SimpleNamespace(perf_counter=lambda: float(next(ticks))))
    observation = position()
    assert OpenSpielBot(1, seconds=seconds).choose(observation) in observation.legal()
    assert len(FakeBot.made.worlds) == worlds


@pytest.mark.usefixtures("fake")
def test_a_decision_with_one_action_is_not_searched() -> None:
    game = Game.deal(ENGINE, 2, 3)
    while len(game.legal()) != 1:
        game.apply(game.legal()[0])
    bot = OpenSpielBot(1, simulations=5)
    assert bot.choose(game.observe(game.seat)) == game.legal()[0]
    assert FakeBot.made.worlds == []


def test_without_openspiel_there_is_one_clear_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    with pytest.raises(ImportError, match=r"open_spiel: .*pyspiel.*; allowed: an interpreter that can import it"):
        openspiel.by_simulations(1)


def test_an_action_changes_the_key_and_the_legal_actions() -> None:
    world = position().sample_world(1)
    state = State(VARIETY, world)
    key, legal = state.information_state_string(), state.legal_actions()
    state.apply_action(legal[0])
    assert state.information_state_string() != key
    assert state.information_state_string() == bytes(world.observe(world.seat))
    assert state.legal_actions() == world.legal() != legal


def test_the_winner_gets_1_and_the_loser_minus_1() -> None:
    seen = set()
    for seed in SEEDS:
        world = position().sample_world(seed)
        returns = State(VARIETY, world).roll_out(seed)
        assert world.over
        assert returns == [1.0 if world.winners() == [seat] else -1.0 for seat in range(2)]
        seen.add(tuple(returns))
    assert seen == {(1.0, -1.0), (-1.0, 1.0)}
