"""Hand-worked tests of docs/rules.md I: rubble sets and decrees."""

import pytest
from positions import (
    BLUE,
    CATEGORY,
    CLOTH,
    COURT,
    FOR_GOLD,
    GOLD,
    MARQUIS,
    NOBLE_ACTION,
    PORTFOLIO,
    RED,
    TOOLS,
    YES,
    Table,
    apply,
    base,
    draw,
    kind,
    me,
    pass_turn,
    play,
)

from engine_ext import core


def one_blue(brown: int, red: int, blue: int) -> core.Game:
    """Seat 0 with these cubes has just taken a blue one from the pile: the only one there, so nothing is asked."""
    return Table().cubes(0, brown, red, blue).state(pile=[0, 0, 1]).pending("rubble_cube").game()


@pytest.mark.parametrize(
    "brown, red, blue, sets",
    [(0, 0, 0, 0), (1, 1, 0, 1), (3, 2, 1, 2), (5, 3, 1, 2), (2, 2, 2, 2), (4, 5, 3, 4), (5, 5, 4, 5), (5, 5, 5, 5)],
)
def test_i1_sets_are_the_smallest_of_three_counts_and_five_at_most(brown: int, red: int, blue: int, sets: int) -> None:
    game = one_blue(brown, red, blue)
    assert me(game)["cubes"] == [brown, red, min(5, blue + 1)]
    assert me(game)["sets"] == sets


def test_i2_a_completed_set_raises_limit_and_room_and_sends_its_marker_at_once() -> None:
    # two cards are the limit without a set; blue-maia-4 rewards a cube of the pile, a blue one
    table = base().cubes(0, 1, 1, 0).state(pile=[0, 0, 1]).top(0, "blue-maia-3", "blue-king-5")
    game = table.hand(0, "blue-maia-4", "blue-king-1").game()
    game.apply(play(PORTFOLIO, "blue-maia-4"))
    assert (kind(game), me(game)["n_top"]) == ("trade", 3)  # no card had to make room
    assert (me(game)["sets"], me(game)["markers"]) == (1, 1)
    # the third gold fits now
    table = Table().cubes(0, 1, 1, 0).set(0, goods=[2, 2, 2, 2]).state(pile=[0, 0, 1]).pending("rubble_cube")
    assert me(apply(table.game(), play(FOR_GOLD, "blue-maia-1")))["goods"] == [3, 2, 2, 2]


def test_i3_a_spent_marker_leaves_sets_room_and_wigs_as_they_are() -> None:
    table = Table().cubes(0, 1, 1, 1).set(0, goods=[2, 0, 0, 0]).pending("good_any", a=1).pending("take_decree")
    game = apply(table.game(), 0, YES, 1)
    assert (me(game)["markers"], me(game)["sets"]) == (0, 1)
    assert GOLD in game.legal()  # room for 3
    assert game.score_now()[0][CATEGORY["sets"]] == 3


def test_i4_one_marker_for_each_player_and_turn() -> None:
    game = Table().cubes(0, 2, 2, 2).pending("take_decree").pending("take_decree").game()
    apply(game, 0)
    assert kind(game) == "spend_marker"
    apply(game, YES, 1)
    assert kind(game) == "take_decree"  # the second one of the turn
    game.apply(2)
    assert (kind(game), me(game)["markers"]) == ("play_card", 1)  # nothing is asked, though a marker is left


def test_i4_a_follower_has_his_own() -> None:
    table = Table().cubes(0, 1, 1, 1).cubes(1, 1, 1, 1).favors(1, MARQUIS).set(1, influence=9)
    game = table.pending("follow_window", 0, MARQUIS, 1).pending("take_decree").game()
    apply(game, 0, YES, 1)
    apply(game, YES, NOBLE_ACTION, 2)
    assert (kind(game), game.seat) == ("spend_marker", 1)
    apply(game, YES, 3)
    assert [me(game, seat)["markers"] for seat in (0, 1)] == [0, 0]


def test_i4_an_event_allows_it_too_and_the_next_turn_allows_another() -> None:
    # red-treasury-3: a decree. Seat 0 spends one of two markers, then another when its turn comes again
    table = base().cubes(0, 2, 2, 2).hand(0, "red-treasury-3", "blue-maia-1", "blue-marquis-1")
    game = apply(table.set(0, influence=9).game(), play(COURT, "red-treasury-3"), 0, 0)
    assert kind(game) == "spend_marker"
    apply(game, YES, 1)
    pass_turn(pass_turn(draw(game)))
    assert (kind(game), game.seat) == ("play_card", 0)
    apply(game, play(COURT, "blue-marquis-1"), core.STOP)
    game.apply(game.legal()[0])
    assert (kind(game), me(game)["markers"]) == ("spend_marker", 1)


def test_i5_decrees_are_public_and_unlimited() -> None:
    many = [f"decree-{i}" for i in range(1, 21)]
    game = Table().decrees(0, *many).pending("take_decree").game()
    game.apply(game.legal()[0])
    held = me(game)["decrees"]
    assert sum(bin(half).count("1") for half in held) == 21
    for observer in range(3):
        assert game.observe(observer).fields()["players"][0]["decrees"] == held


def test_i5_decrees_score_at_the_end_only_and_for_their_owner_only() -> None:
    # decree-54: 2 for each set, at most 4; decree-60: 1 for each decree, at most 6. All have two sets
    table = Table().decrees(0, "decree-60", "decree-54")
    for seat in range(3):
        table.cubes(seat, 2, 2, 2)
    game = table.game()
    assert [player["wigs"] for player in game.fields()["players"][:3]] == [5, 5, 5]
    assert [row[CATEGORY["decrees"]] for row in game.score_now()] == [2 + 2 * 2, 0, 0]


def test_i5_decrees_score_what_they_name() -> None:
    table = base().store(0, "land-B1", GOLD).store(0, "land-B2", CLOTH).store(0, "land-D5", TOOLS)
    table.decrees(0, "decree-1", "decree-5", "decree-8", "decree-15", "decree-16", "decree-11")
    # gold 1 x 3; cloth street 1 of 2; row B 2 x 3; column 5 1 x 4; stores 3 x 1; rows A and B 2 of 3
    assert table.game().score_now()[0][CATEGORY["decrees"]] == 3 + 0 + 6 + 4 + 3 + 0
    table = base().building(0, "site-west-B", "building-1", 0).building(0, "site-north-books", "building-9", 1)
    table.decrees(0, "decree-18", "decree-19", "decree-21", "decree-22", "decree-23", "decree-27")
    # west 1 x 4, north 1 x 4, green 1 x 3, blue 1 x 3, gold 1 x 3, buildings 2 of 3
    assert table.game().score_now()[0][CATEGORY["decrees"]] == 4 + 4 + 3 + 3 + 3 + 0


def test_i5_decrees_never_score_negatively() -> None:
    # decree-17: 6 for five stores; decree-36: 3 for each ship; decree-55: 2 for each unpaired cube. There are none
    scores = Table().decrees(0, "decree-17", "decree-36", "decree-55").game().score_now()
    assert scores[0][CATEGORY["decrees"]] == 0


def test_i6_a_rubble_reward_takes_a_cube_of_choice_from_the_pile() -> None:
    game = Table().state(pile=[0, 1, 2]).pending("rubble_cube").game()
    assert game.legal() == [RED, BLUE]
    game.apply(RED)
    assert (me(game)["cubes"], game.fields()["pile"]) == ([0, 1, 0], [0, 0, 2])


def test_i6_from_an_empty_pile_it_gives_nothing() -> None:
    table = Table().state(pile=[0, 0, 0]).hand(0, "blue-maia-4", "blue-king-1")
    game = apply(table.game(), play(PORTFOLIO, "blue-maia-4"))
    assert (kind(game), me(game)["cubes"]) == ("trade", [0, 0, 0])
