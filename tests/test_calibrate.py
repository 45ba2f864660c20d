"""The calibration: a game's facts are what happened, its log goes on where it stopped, outliers follow their rules."""

from __future__ import annotations

import json
import random
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from positions import BOOKS, CATEGORY, CLOTH, ENGINE, TABLES, Table, number

from bench import calibrate
from bench.calibration_tables import outliers, report, win_share
from bench.game_facts import decree_wigs, told
from engine_ext import core

GREEN_SIDE = 0


def at_random(game: core.Game, seed: int, iterations: int = 0) -> list[int]:
    """Plays a game of chance to its end."""
    rng = random.Random(seed)
    choices = []
    while not game.over:
        choices.append(rng.choice(game.legal()))
        game.apply(choices[-1])
    return choices


@cache
def random_game(seats: int, seed: int) -> dict[str, Any]:
    """The facts of a game of chance."""
    return told(TABLES, seats, seed, at_random(core.Game.deal(ENGINE, seats, seed), seed))


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_facts_of_a_game_agree_with_each_other(seats: int) -> None:
    for seed in range(5):
        facts = random_game(seats, seed)
        assert [sum(row) for row in facts["ledger"]] == facts["wigs"]
        assert sum(facts["period_turns"]) == facts["turns"] == len(facts["cards"])
        assert len(facts["ended"]) == 2
        assert [sum(houses) for houses in facts["houses"]] == [
            sum(entry[0] == seat for entry in facts["stores"]) for seat in range(seats)
        ]
        assert len(facts["plans"]) == len(facts["buildings"])  # every building completes a plan (H1)
        assert sum(facts["favors_used"]) == sum(facts["follower_actions"])  # every follower acts (D8)
        # a tile given up leaves the game (J12), so no seat gives up more than it got
        assert len(facts["clergy_given"]) <= len(facts["clergy_kept"]) + len(facts["clergy_taken"])
        assert {name for _, name in facts["clergy_taken"]} <= set(facts["clergy_shown"])
        assert {name for _, name, _ in facts["decrees"]} <= set(facts["decrees_shown"])
        for row, sets in zip(facts["ledger"], facts["sets"], strict=True):
            assert 3 * sets <= row[CATEGORY["sets"]] <= 6 * sets  # 3 at the end, 3 more at the period's (K2, L4)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_decrees_counted_here_give_what_the_engine_wrote_into_the_ledger(seats: int) -> None:
    """Seats that never held a tile with a benefit for taking decrees have nothing else in that category."""
    generous = {tile.id for tile in TABLES.clergy if any("decree" in str(benefit) for benefit in tile.benefit)}
    compared = 0
    for seed in range(20):
        facts = random_game(seats, seed)
        for seat, row in enumerate(facts["ledger"]):
            if not generous & {name for who, name in facts["clergy_kept"] + facts["clergy_taken"] if who == seat}:
                assert row[CATEGORY["decrees"]] == sum(wigs for who, _, wigs in facts["decrees"] if who == seat)
                compared += sum(who == seat for who, _, _ in facts["decrees"])
    assert generous
    assert compared > 50


def test_a_decree_counts_what_it_says() -> None:
    table = Table().store(0, "land-A2", CLOTH).store(0, "land-B2", CLOTH).store(0, "land-B3", BOOKS)
    table.store(1, "land-C2", CLOTH).building(0, "site-west-A", "building-1", GREEN_SIDE).cubes(0, 2, 1, 4)
    table.plans(0, completed=("plan-green-1", "plan-green-3")).top(0, ("ship-red-1", 0, 0), "blue-king-1")
    state = table.set(0, reis=12, influence=7, goods=[2, 0, 1, 1]).decrees(0, "decree-60", "decree-1").game().fields()
    expected = {
        "decree-2": 6,  # 3 for each cloth store: two of seat 0's, not seat 1's
        "decree-3": 3,  # 3 for each books store
        "decree-5": 6,  # 6 for two stores on the cloth street
        "decree-8": 6,  # 3 for each store in row B
        "decree-11": 6,  # 6 for three stores in rows A and B
        "decree-12": 0,  # none in rows C and D
        "decree-17": 0,  # five stores are asked for
        "decree-18": 4,  # 4 for each building on the west side
        "decree-19": 0,
        "decree-21": 3,  # 3 for each of the green architect's
        "decree-28": 4,  # 2 for each completed plan: two
        "decree-31": 0,  # 2 + 3 officials on them, 6 are asked for
        "decree-36": 3,  # one ship
        "decree-38": 2,  # of hull 2
        "decree-42": 3,  # one King card
        "decree-45": 4,  # 7 influence
        "decree-46": 6,  # 1 for each influence, 6 at most
        "decree-47": 4,  # 10 réis
        "decree-48": 4,  # four goods
        "decree-49": 0,  # of three types
        "decree-50": 4,  # 2 for each of two gold
        "decree-53": 4,  # 1 for each blue cube
        "decree-54": 2,  # one set
        "decree-55": 6,  # 7 cubes less 3: four outside, three count
        "decree-59": 3,  # three houses
        "decree-60": 2,  # two decrees
        "decree-62": 3,  # one unspent marker
    }
    tables = ENGINE.tables()
    assert {name: decree_wigs(tables, state, 0, number(name)) for name in expected} == expected


def line(**changes: Any) -> dict[str, Any]:
    """A line of the log of a game of two in which nothing happened."""
    empty = {name: [] for name, value in random_game(2, 0).items() if isinstance(value, list)}
    return {**empty, "seats": 2, "seed": 0, "wigs": [5, 5], "winners": [0, 1], "turns": 38, **changes}


def test_a_shared_victory_counts_in_parts() -> None:
    games = [line(winners=winners) for winners in ([0], [0], [0, 1], [1])]
    assert win_share(games, 0).mean == (1 + 1 + 0.5 + 0) / 4
    assert win_share(games, 1).mean == (0 + 0 + 0.5 + 1) / 4


def test_the_interval_of_a_fair_share_holds_it() -> None:
    games = [line(winners=[n % 2]) for n in range(100)]
    low, high = win_share(games, 0).interval(0.95)
    # standard error of a share of 1/2 in 100 games: 0.05; 1.96 of these, a little more for so few games
    assert 0.395 < low < 0.5 - 0.0975
    assert 0.5 + 0.0975 < high < 0.605


def outliers_of(*games: dict[str, Any]) -> list[str]:
    return [text for text in outliers(TABLES, games) if not text.startswith(("clergy", "land", "site"))]


def one_of_everything(wigs: int = 5) -> dict[str, Any]:
    """A game in which every decree is shown and taken, every card is played in both ways, and so on."""
    decrees, cards, clergy = TABLES.ids["decree"], TABLES.ids["card"], TABLES.ids["clergy"]
    return line(
        decrees_shown=list(decrees),
        decrees=[[0, name, wigs] for name in decrees],
        cards=[[seat, name, mode, 3] for name in cards for seat, mode in enumerate(("portfolio", "visit"))],
        clergy_shown=list(clergy),
        clergy_taken=[[0, name] for name in clergy],
        clergy_kept=[[0, name] for name in clergy],
        stores=[[0, name, "gold"] for name in TABLES.ids["land"]],
        buildings=[[0, name, "building-1", "green"] for name in TABLES.ids["site"]],
    )


def test_where_all_is_used_alike_nothing_stands_out() -> None:
    assert outliers(TABLES, [one_of_everything()]) == []


def test_a_decree_stands_out_by_its_wigs() -> None:
    assert all(
        "0.5 wigs on average (2 times)" in text for text in outliers_of(one_of_everything(0), one_of_everything(1))
    )
    assert len(outliers_of(one_of_everything(0), one_of_everything(1))) == 70
    assert outliers_of(one_of_everything(1)) == []
    assert outliers_of(one_of_everything(8)) == []
    assert len(outliers_of(one_of_everything(9))) == 70


def test_a_decree_stands_out_if_it_is_hardly_taken() -> None:
    games = [one_of_everything() for _ in range(8)]
    for game in games[1:]:
        game["decrees"].remove([0, "decree-3", 5])
    # taken once where it is expected 8 times 553/560: 0.127 times as often
    assert outliers_of(*games) == ["decree-3: taken 0.13 times as often as its kind (1 times)"]


def test_a_card_stands_out_if_it_is_played_in_one_way_only() -> None:
    game = one_of_everything()
    game["cards"].remove([1, "red-king-3", "visit", 3])
    assert outliers_of(game) == [
        "red-king-3: portfolio in 100.0 % of 1 plays",
        "red-king-3: court in 0.0 % of 1 plays",
    ]


def test_a_seat_stands_out_if_its_interval_is_five_points_from_fair() -> None:
    games = [{**one_of_everything(), "winners": [0]} for _ in range(50)]
    assert [text[:17] for text in outliers_of(*games)] == ["2 players: seat 1", "2 players: seat 2"]
    assert outliers_of(*games[:25], *({**game, "winners": [1]} for game in games[25:])) == []


def test_a_run_that_was_stopped_goes_on_where_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(calibrate, "choices", at_random)
    path = tmp_path / "log.jsonl"
    calibrate.play_on(path, games=2, iterations=1, jobs=1)
    whole = path.read_text(encoding="utf-8").splitlines(keepends=True)
    seats_and_seeds = [(game["seats"], game["seed"]) for game in map(json.loads, whole)]
    assert seats_and_seeds == [(2, 0), (3, 0), (4, 0), (2, 1), (3, 1), (4, 1)]
    path.write_text("".join(whole[:5]) + whole[5][:100], encoding="utf-8")
    calibrate.play_on(path, games=2, iterations=1, jobs=1)
    assert path.read_text(encoding="utf-8").splitlines(keepends=True) == whole, "the same game again"
    calibrate.play_on(path, games=2, iterations=1, jobs=1)
    assert path.read_text(encoding="utf-8").splitlines(keepends=True) == whole, "nothing was left to play"


def test_a_game_between_searches_is_the_same_every_time() -> None:
    first, again = (calibrate.played((2, 3), iterations=1) for _ in range(2))
    assert first == again
    assert {name: first[name] for name in ("seats", "seed")} == {"seats": 2, "seed": 3}
    assert {name: first[name] for name in random_game(2, 3)} == told(TABLES, 2, 3, first["choices"])


def test_the_report_has_a_row_for_every_thing() -> None:
    games = [{"seats": seats, "seed": 0, **random_game(seats, 0)} for seats in (2, 3, 4)]
    text = report(TABLES, games, 1)
    for thing in ("card", "decree", "clergy", "land", "site", "plan"):
        for name in TABLES.ids[thing]:
            assert f"| {name} |" in text
    for category in core.CATEGORIES:
        assert f"| {category.replace('_', ' ')} |" in text
