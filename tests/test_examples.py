"""The examples and the demonstration do what they say."""

from __future__ import annotations

import importlib.util
import io
from pathlib import Path
from types import ModuleType

import pytest
from rich.console import Console

from lisboa_ai.analysis import SearchLimits
from lisboa_ai.bots import RandomBot, SearchBot
from lisboa_ai.server.demo import demo_position, show_demo
from tests.serving import running

EXAMPLES = Path(__file__).resolve().parent.parent / "examples"


def example(name: str) -> ModuleType:
    """The module of an example, which is no package."""
    spec = importlib.util.spec_from_file_location(f"example_{name}", EXAMPLES / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_bot_plays_a_whole_game_from_what_its_seat_is_told() -> None:
    bot = example("bot")
    players = [bot.Player(SearchBot(SearchLimits(iterations=5))), bot.Player(RandomBot(1))]
    table = bot.Table(2, players)
    table.play()
    assert table.game.over
    for seat, player in enumerate(players):
        assert bytes(player.position.observation) == bytes(table.game.observe(seat))
        assert bytes(player.record.position().observation) == bytes(table.game.observe(seat))
        assert player.record.observer == seat


def test_the_client_prints_what_the_first_seat_should_do(capsys: pytest.CaptureFixture[str]) -> None:
    with running() as server:
        example("client").main(server.address)
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 2  # which of two clergy tiles to keep
    assert all("Player 1: keep clergy-" in line for line in lines)


def test_the_demonstration_prints_board_candidates_turn_and_reasons() -> None:
    printed = io.StringIO()
    show_demo(0.5, 1, 3, Console(width=120, file=printed))
    text = printed.getvalue()
    seat = demo_position().observation.seat
    for part in (
        f"Candidates for player {seat + 1}",
        "win share",
        f"The best turn for player {seat + 1}",
        "  1. ",
        "Why",
    ):
        assert part in text
