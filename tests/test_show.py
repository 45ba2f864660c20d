"""The board in a terminal: what is where, at the widths people use, and nothing that a seat may not know."""

from __future__ import annotations

import io
import re
from importlib import resources
from typing import Any

import pytest
from rich.console import Console

from engine_ext import core
from lisboa_ai import edition, show
from lisboa_ai.position import Position

TABLES = edition.load("house")


def shown(state: core.Game | core.Observation, width: int = 140, **extra: Any) -> str:
    page = io.StringIO()
    Console(file=page, width=width, color_system=None).print(show.render(state, TABLES, **extra))
    return page.getvalue()


def line(text: str, start: str) -> str:
    return next(one.strip(" │") for one in text.splitlines() if one.strip(" │").startswith(start))


@pytest.fixture(scope="module")
def demo() -> core.Observation:
    text = (resources.files("lisboa_ai") / "data" / "demo.json").read_text(encoding="utf-8")
    return Position.from_json(text).observation


def test_the_start_of_a_game() -> None:
    game = core.Game.deal(TABLES.engine, 3, 1)
    text = shown(game, 100)
    assert text.startswith("Period 1, turn 1: Player 1 (seat 0) decides: keep a clergy tile (2 legal)")
    assert line(text, "Treasury").split("réis")[0].split() == ["Treasury", "1", "2", "[3]", "4", "5", "6", "7", "8"]
    assert "gold 6 (≥3)" in text
    assert "4rP1 5P2 6rP3" in line(text, "Influence")  # A4: 4, 5, 6 by turn order; spaces 4 and 6 show a real
    assert "stacks: 18 large, 4 small" in " ".join(text.split())  # 22 and 5, less four and one on display
    assert "2 blue (hull 1, price +2, influence 1), then 2 red" in " ".join(text.split())


@pytest.mark.parametrize("width", [80, 100, 140, 200])
def test_every_line_fits(demo: core.Observation, width: int) -> None:
    assert max(map(len, shown(demo, width).splitlines())) <= width


def test_side_by_side_where_there_is_room(demo: core.Observation) -> None:
    assert not any(one.count("╭") == 2 for one in shown(demo, 100).splitlines())
    assert sum(one.count("╭") == 2 for one in shown(demo, 140).splitlines()) == 1


def test_stores_buildings_and_free_lands(demo: core.Observation) -> None:
    text = shown(demo, 140)
    fields = show.fields_of(demo)
    built = [n for n, owner in enumerate(fields["land_owner"]) if owner >= 0]
    assert built
    for n, land in enumerate(TABLES.lands):
        name = f"{land.row}{land.column}"
        if n in built:
            assert f"{name} P{fields['land_owner'][n] + 1}" in text
        else:
            assert f"{name} {demo.land_price(demo.seat, n)} réis" in text
    for n, owner in enumerate(fields["site_owner"]):
        if owner >= 0:
            site = TABLES.sites[n]
            assert f"{site.side[0].upper()}-{site.row or site.street} P{owner + 1} ▲" in text


def test_cubes_of_a_row_end_are_drawn() -> None:
    game = core.Game.deal(TABLES.engine, 2, 3)
    rows = game.fields()["row_cubes"]
    lines = [one for one in shown(game).splitlines() if re.search(r"│[WE]-[A-E]", one)]
    for counts, one in zip(rows, lines, strict=True):
        assert one.rstrip("│ ").endswith("■n" * counts[0] + "■r" * counts[1] + "■b" * counts[2])


def test_a_rivals_hidden_cards_are_backs() -> None:
    """Cards of the deal are hidden from rivals: five backs, and no id of theirs."""
    game = core.Game.deal(TABLES.engine, 2, 3)
    text = shown(game.observe(0))
    assert text.count("5 blue-?") == 1
    hands = [[TABLES.id("card", n) for n in player["hand"]] for player in game.fields()["players"][:2]]
    assert all(f"{card}:" in text for card in hands[0])
    assert not any(card in text for card in hands[1])
    assert "blue-?" not in shown(game)


def test_names_of_the_players() -> None:
    game = core.Game.deal(TABLES.engine, 2, 3)
    assert "Player 2 Ana (seat 1)" in shown(game, names=("Zé", "Ana"))


def test_a_finished_game_names_its_winner() -> None:
    game = core.Game.deal(TABLES.engine, 2, 3)
    game.play_out(1)
    winner = game.winners()[0]
    text = shown(game)
    assert f"the game is over; Player {winner + 1} (seat {winner}) won" in text
    for wigs in game.wigs():
        assert f"{wigs} wigs" in text


def test_every_moment_of_a_game_can_be_shown() -> None:
    game = core.Game.deal(TABLES.engine, 4, 2, queen=True)
    step = 0
    while not game.over:
        if step % 40 == 0:
            assert shown(game.observe(step % 4), 100)
        legal = game.legal()
        game.apply(legal[step * 7 % len(legal)])
        step += 1


def test_every_pending_decision_has_a_question() -> None:
    automatic = {"opening", "dock_ships", "upkeep", "period_end", "discard_rewards", "new_period", "next_turn", "tuck"}
    automatic |= {"visit", "follow_window", "sponsor", "place_ship", "produce", "cardinal_icons", "land_price"}
    automatic |= {"building_scored", "church_scoring", "effects", "game_end"}
    assert set(core.KINDS) - automatic == set(show.QUESTIONS)
