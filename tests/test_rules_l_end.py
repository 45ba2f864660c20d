"""Hand-worked tests of docs/rules.md L: the end of the game."""

import random
from typing import Any

import pytest
from positions import (
    BOOKS,
    CATEGORY,
    CLOTH,
    ENGINE,
    GOLD,
    KING,
    MAIA,
    TOOLS,
    Table,
    apply,
    base,
    kind,
    number,
    pass_turn,
)

from engine_ext import core

# --- when it ends -----------------------------------------------------------------------------------------------------


def turns_left(game: core.Game) -> list[int]:
    """The seats whose turns are still played, each taking a gold and the first card on offer."""
    seats = []
    while not game.over:
        seats.append(game.active)
        pass_turn(game)
    return seats


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_l1_the_fourth_set_of_any_player_ends_the_game_after_the_round_and_one_more(seat: int) -> None:
    # completed in seat 0's turn: this turn, two more of the round, and three of the last one
    table = Table().second_period().cubes(seat, 4, 4, 3).state(turn=3, pile=[0, 0, 1]).pending("rubble_cube", seat)
    assert turns_left(table.game()) == [0, 1, 2, 0, 1, 2]


def test_l1_a_third_set_does_not() -> None:
    table = Table().second_period().cubes(0, 3, 3, 2).state(turn=3, pile=[0, 0, 1]).pending("rubble_cube")
    game = pass_turn(table.game())
    assert (game.fields()["players"][0]["sets"], game.fields()["last_turn"]) == (3, -1)


def third_deck_emptied_by(seat: int) -> core.Game:
    """Two brown decks are empty, and everybody draws from the third: a seat takes its last card."""
    table = Table().second_period().state(turn=3, deck_pos=[5, 5, 5 - (seat + 1), 0], face_up=0b1100)
    game = table.game()
    for _ in range(seat + 1):
        assert game.fields()["last_turn"] == -1
        pass_turn(game)
    assert game.fields()["deck_pos"][KING] == 5
    return game


@pytest.mark.parametrize("seat, left", [(0, [1, 2, 0, 1, 2]), (1, [2, 0, 1, 2])])
def test_l1_the_third_empty_deck_ends_the_game_after_the_round_and_one_more(seat: int, left: list[int]) -> None:
    assert turns_left(third_deck_emptied_by(seat)) == left


def test_l2_triggered_by_the_rounds_last_player_it_leaves_n_turns() -> None:
    assert turns_left(third_deck_emptied_by(2)) == [0, 1, 2]


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("seed", [1, 2])
def test_l3_all_players_have_had_the_same_number_of_turns(seats: int, seed: int) -> None:
    draw = random.Random(seed)
    game = core.Game.deal(ENGINE, seats, seed)
    turns = [0] * seats
    while not game.over:
        if kind(game) == "play_card":
            turns[game.seat] += 1
        game.apply(draw.choice(game.legal()))
    assert turns == [turns[0]] * seats


# --- the final scoring ------------------------------------------------------------------------------------------------


def scores(table: Table, seat: int = 0) -> dict[str, int]:
    row = table.game().score_now()[seat]
    return {name: row[number] for name, number in CATEGORY.items()}


def test_l4_ships_score_their_hull_whatever_lies_on_them() -> None:
    empty = Table().cubes(0, 1, 1, 1).top(0, "ship-red-1", "ship-blue-1")
    loaded = Table().cubes(0, 1, 1, 1).top(0, ("ship-red-1", 1, 0), ("ship-blue-1", 0, 1))
    assert [scores(table)["hulls"] for table in (empty, loaded)] == [2 + 1, 2 + 1]


def test_l4_sets_score_3_each_also_those_paid_at_the_periods_end() -> None:
    table = base().cubes(0, 2, 2, 2).cubes(1, 1, 2, 4)
    assert scores(table)["sets"] == 2 * 3
    game = table.state(trigger=0).pending("period_end").game()  # each pays 3 wigs now
    assert [row[CATEGORY["sets"]] for row in game.score_now()] == [2 * 3 + 2 * 3, 3 + 3, 0]


@pytest.mark.parametrize(
    "reis, influence, wigs",
    [
        (11, 7, (11 + 4) // 5),
        (10, 7, (10 + 4) // 5),
        (4, 1, (4 + 1) // 5),  # rounded once: neither alone makes five
        (4, 10, (4 + 6) // 5),
        (24, 0, 24 // 5),
        (0, 10, 6 // 5),
    ],
)
def test_l5_influence_is_cashed_and_every_full_5_reis_are_a_wig(reis: int, influence: int, wigs: int) -> None:
    # influence 1 makes 1 real, 7 makes 4, 10 makes 6
    assert scores(Table().set(0, reis=reis, influence=influence))["money"] == wigs


LANDS = {
    GOLD: ["B1", "C1", "D1", "B2", "C2", "D2"],
    CLOTH: ["A2", "B2", "C2", "D2", "A3", "B3"],
    BOOKS: ["A3", "B3", "C3", "D3", "A4", "B4"],
    TOOLS: ["A4", "B4", "C4", "D4", "A5", "B5"],
}
NAMES = {GOLD: "gold", CLOTH: "cloth", BOOKS: "books", TOOLS: "tools"}


def majority(business: int, counts: list[int]) -> list[int]:
    """The wigs of each seat for so many stores of a type."""
    lands = iter(LANDS[business])
    table = Table(len(counts))
    for seat, count in enumerate(counts):
        for _ in range(count):
            table.store(seat, f"land-{next(lands)}", business)
    return [row[CATEGORY[f"{NAMES[business]}_majority"]] for row in table.game().score_now()]


@pytest.mark.parametrize(
    "business, places", [(GOLD, [3, 2, 1]), (CLOTH, [9, 6, 3]), (BOOKS, [9, 6, 3]), (TOOLS, [6, 3, 1])]
)
def test_l6_most_second_and_third(business: int, places: list[int]) -> None:
    assert majority(business, [3, 2, 1]) == places
    assert majority(business, [1, 3, 2]) == [places[2], places[0], places[1]]
    assert majority(business, [3, 2, 1, 0]) == [*places, 0]
    assert majority(business, [0, 1, 2, 3]) == [0, *reversed(places)]
    assert majority(business, [2, 1]) == [places[0], places[2]]  # with two players the second place is left out


@pytest.mark.parametrize("business, first", [(GOLD, 5 // 2), (CLOTH, 15 // 2), (BOOKS, 15 // 2), (TOOLS, 9 // 2)])
def test_l6_tied_players_share_the_places_they_occupy(business: int, first: int) -> None:
    third = {GOLD: 1, CLOTH: 3, BOOKS: 3, TOOLS: 1}[business]
    assert majority(business, [2, 2, 1]) == [first, first, third]


@pytest.mark.parametrize("business, each", [(GOLD, 4 // 2), (CLOTH, 12 // 2), (BOOKS, 12 // 2), (TOOLS, 7 // 2)])
def test_l6_two_players_tied_share_most_and_third(business: int, each: int) -> None:
    assert majority(business, [1, 1]) == [each, each]


def test_l7_no_store_scores_nothing_and_takes_no_place() -> None:
    assert majority(TOOLS, [1, 0, 2]) == [3, 0, 6]
    assert majority(BOOKS, [0, 0, 1]) == [0, 0, 9]
    assert majority(CLOTH, [0, 0, 0]) == [0, 0, 0]
    assert majority(GOLD, [0, 2]) == [0, 3]


def test_l8_places_beyond_the_third_are_worth_nothing_and_take_part_in_ties() -> None:
    assert majority(BOOKS, [2, 1, 1, 1]) == [9, *[(6 + 3 + 0) // 3] * 3]
    assert majority(BOOKS, [2, 2, 1, 1]) == [*[(9 + 6) // 2] * 2, *[(3 + 0) // 2] * 2]
    assert majority(BOOKS, [1, 1, 1, 1]) == [(9 + 6 + 3 + 0) // 4] * 4


def race(*completed: tuple[str, ...]) -> list[int]:
    table = base(len(completed))
    for seat, plans in enumerate(completed):
        table.plans(seat, completed=tuple(f"plan-{plan}" for plan in plans))
    return [row[CATEGORY["officials"]] for row in table.game().score_now()]


def test_l9_the_officials_printed_on_completed_plans() -> None:
    # green-1 2, green-3 3, green-6 4, green-8 5; blue the same
    assert race(("green-3",), ("blue-1", "blue-2"), ("green-8",)) == [5, 10, 15]  # 3, 2 + 2, 5
    assert race(("green-1",), ("green-3",), ("green-6",), ("green-8",)) == [0, 5, 10, 15]
    assert race(("green-3",), ("blue-1",)) == [15, 5]


def test_l9_ties_share_the_places() -> None:
    assert race(("green-3",), ("blue-3",), ("green-1",)) == [(15 + 10) // 2, (15 + 10) // 2, 5]
    assert race(("green-1",), ("blue-1",)) == [(15 + 5) // 2, (15 + 5) // 2]


def test_l9_without_a_completed_plan_there_is_no_place() -> None:
    assert race(("green-1",), (), ("green-3",)) == [10, 0, 15]
    assert race((), ("green-1",)) == [0, 15]


def test_l9_hired_officials_count() -> None:
    # no official is out: both of the plan are hired for 3 each. A rival's plan of two was staffed before
    table = base().officials(0).set(0, influence=0).plans(1, completed=("plan-blue-1",))
    game = apply(table.offer("building-1", 0).pending("open_building").game(), number("site-west-C"))
    assert [row[CATEGORY["officials"]] for row in game.score_now()] == [(15 + 10) // 2, (15 + 10) // 2, 0]  # 2 each


def test_l10_a_favor_left_is_worth_2_wigs() -> None:
    assert scores(Table().favors(0, MAIA, KING))["favors"] == 2 * 2


def test_l10_unused_plans_goods_and_hand_cards_are_worth_nothing() -> None:
    poor = base().set(0, goods=[0] * 4).hand(0).game().score_now()[0]
    rich = base().plans(0, "plan-green-1", "plan-green-8").set(0, goods=[2] * 4).hand(0, "blue-maia-1", "blue-king-1")
    assert rich.game().score_now()[0] == poor


# --- who wins ---------------------------------------------------------------------------------------------------------


def winners(*seats: dict[str, Any]) -> list[int]:
    """The winners of a finished game of three in which all have 20 wigs unless it is said otherwise."""
    table = base().state(phase=2, depth=0)
    for seat, has in enumerate(seats):
        table.set(seat, wigs=has.get("wigs", 20), reis=has.get("reis", 10), influence=has.get("influence", 0))
        table.cubes(seat, *[has.get("sets", 0)] * 3)
        for land in has.get("stores", ()):
            table.store(seat, f"land-{land}", GOLD)
        table.plans(seat, completed=has.get("plans", ()))
    return table.game().winners()


def test_l11_most_wigs_win() -> None:
    assert winners({}, {"wigs": 21}, {"sets": 2, "reis": 90}) == [1]


def test_l11_ties_are_broken_by_sets_then_stores_then_plans_then_money() -> None:
    everything = {"stores": ("B1", "C1"), "plans": ("plan-green-1", "plan-green-2"), "reis": 90}
    assert winners(everything, {"sets": 1}, {}) == [1]
    assert winners({"plans": ("plan-green-1",), "reis": 90}, {}, {"stores": ("B1",)}) == [2]
    assert winners({"reis": 90}, {"plans": ("plan-blue-8",)}, {}) == [1]
    assert winners({}, {}, {"reis": 11}) == [2]


def test_l11_money_is_what_is_in_hand_before_influence_is_cashed() -> None:
    assert winners({"influence": 10}, {"reis": 11}, {"reis": 9, "influence": 10}) == [1]


def test_l11_after_that_the_victory_is_shared() -> None:
    assert winners({}, {}, {"wigs": 19}) == [0, 1]
    assert winners({"influence": 3}, {"influence": 9}, {}) == [0, 1, 2]
