"""Hand-worked tests of docs/rules.md C: influence, wigs, réis."""

import pytest
from positions import (
    COURT,
    GOLD,
    KING,
    MAIA,
    MARQUIS,
    PORTFOLIO,
    Table,
    apply,
    base,
    frontage,
    kind,
    me,
    number,
    play,
    source,
)

GAIN = source("blue-king-4")  # rewards a gain of influence


# --- gains of influence -----------------------------------------------------------------------------------------------


def test_c1_a_gain_beyond_10_stops_there_and_earns_exactly_one_wig() -> None:
    # top row 2 + 2 + 1
    table = Table().cubes(0, 1, 1, 1).top(0, "blue-maia-3", "blue-king-5", "blue-maia-1").set(0, influence=9)
    game = table.pending("effects", a=GAIN).game()
    assert (me(game)["influence"], me(game)["wigs"]) == (10, 5 + 1)
    # ending on 9 earns nothing
    game = table.set(0, influence=4).game()
    assert (me(game)["influence"], me(game)["wigs"]) == (4 + 5, 5)


def test_c2_a_gain_of_at_least_one_on_10_earns_the_wig_too() -> None:
    game = Table().top(0, "blue-maia-1").set(0, influence=10).pending("effects", a=GAIN).game()
    assert (me(game)["influence"], me(game)["wigs"]) == (10, 5 + 1)


def test_c3_a_gain_of_nothing_earns_no_wig() -> None:
    game = Table().set(0, influence=10).pending("effects", a=GAIN).game()
    assert (me(game)["influence"], me(game)["wigs"]) == (10, 5)


# --- influence as réis ------------------------------------------------------------------------------------------------


def test_c4_each_real_moves_the_marker_to_the_next_space_that_shows_one() -> None:
    # such spaces: 9 8 6 4 2 0. From 7: 6 (1), 4 (2), 2 (3), 0 (4)
    table = Table().set(0, influence=7, reis=10).pending("pay_reis", a=4)
    assert table.game().legal() == [0, 1, 2, 3, 4]  # any part
    for by_influence, marker in enumerate([7, 6, 4, 2, 0]):
        game = apply(table.game(), by_influence)
        assert (me(game)["influence"], me(game)["reis"]) == (marker, 10 - (4 - by_influence))


@pytest.mark.parametrize("influence, worth", list(enumerate([0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 6])))
def test_c4_steps_to_spare_are_lost_and_at_0_there_is_nothing(influence: int, worth: int) -> None:
    # 5 makes three réis (4, 2, 0), 6 no more (4, 2, 0), 3 as many as 4 (2, 0)
    game = Table().set(0, influence=influence, reis=1).pending("pay_reis", a=1 + worth).game()
    assert (me(game)["influence"], me(game)["reis"]) == (0, 0)  # the only way to pay resolved itself
    poorer = Table().set(0, influence=influence, reis=worth + 1).pending("pay_reis", a=worth + 1).game()
    assert poorer.legal() == list(range(worth + 1)) if worth else kind(poorer) == "play_card"


def test_c5_influence_10_makes_at_most_6_reis() -> None:
    game = Table().set(0, influence=10, reis=20).pending("pay_reis", a=9).game()
    assert game.legal() == [0, 1, 2, 3, 4, 5, 6]
    game.apply(6)
    assert (me(game)["influence"], me(game)["reis"]) == (0, 20 - 3)


def test_c6_influence_becomes_reis_only_for_what_is_due() -> None:
    # 10 could make six réis, but two are due; and none of them stays in hand
    game = Table().set(0, influence=10, reis=3).pending("pay_reis", a=2).game()
    assert game.legal() == [0, 1, 2]
    game.apply(2)
    assert (me(game)["influence"], me(game)["reis"]) == (8, 3)
    # a land that costs nothing (treasury 1, land -2) does not ask for réis at all
    table = Table().treasury(1).clergy(0, "clergy-1").rubble("B", 0, 0, 0).column(2, 0, 0, 0)
    game = apply(table.pending("build_store").game(), frontage("land-B2", GOLD))
    assert (kind(game), me(game)["influence"], me(game)["reis"]) == ("store_house", 4, 10)
    # nor does a penalty in réis, which takes what is in hand
    game = apply(Table().set(0, reis=0).hand(0, "blue-maia-5", "blue-king-1").game(), play(PORTFOLIO, "blue-maia-5"))
    assert (me(game)["influence"], me(game)["reis"]) == (4, 0)


# --- the cost of a visit ----------------------------------------------------------------------------------------------


def test_c7_wigs_fill_the_gap_when_influence_runs_out() -> None:
    game = Table().set(0, influence=2, wigs=4).pending("visit_cost", a=5, b=KING).game()
    assert (me(game)["influence"], me(game)["wigs"]) == (0, 4 - 3)  # the only way to pay resolved itself


def test_c8_no_wig_while_influence_suffices() -> None:
    game = Table().set(0, influence=6).pending("visit_cost", a=5, b=KING).game()
    assert (me(game)["influence"], me(game)["wigs"]) == (6 - 5, 5)


def two_left_houses(table: Table, seat: int = 0) -> Table:
    return table.store(seat, "land-B1", GOLD).store(seat, "land-C1", GOLD).houses(seat, 2, 0, 0)


def test_c9_a_visit_that_influence_and_wigs_cannot_pay_is_not_allowed() -> None:
    # King: value 2 and four rivals
    table = base().set(0, influence=0, wigs=5).officials(1, (0, 0, 4)).hand(0, "blue-marquis-1", "blue-king-1")
    assert table.game().visit_cost(0, KING) == 2 + 4
    assert play(COURT, "blue-king-1") not in table.game().legal()
    assert play(COURT, "blue-king-1") in table.set(0, wigs=6).game().legal()
    # with the second house of the left group a real may stand in (C11)
    assert play(COURT, "blue-king-1") in two_left_houses(table.set(0, wigs=5)).game().legal()


def test_c9_a_favor_holder_who_cannot_pay_may_not_follow() -> None:
    # Marquis: value 2 + the officials of seats 0 and 2
    table = Table().favors(1, MARQUIS).set(1, influence=1, wigs=2).pending("follow_window", 0, MARQUIS, 1)
    assert kind(table.game()) == "play_card"
    assert kind(table.set(1, wigs=3).game()) == "follow"
    assert kind(two_left_houses(table.set(1, wigs=2), 1).game()) == "follow"


def test_c10_wigs_pay_neither_land_nor_an_event_nor_hired_officials() -> None:
    rich = {"wigs": 50, "influence": 0}
    # B2 costs 3, and gives a cloth: 2 réis do not do
    table = Table().set(0, reis=2, **rich).rubble("B", 0, 0, 0).column(2, 0, 0, 0).pending("build_store")
    assert frontage("land-B2", GOLD) not in table.game().legal()
    assert frontage("land-B2", GOLD) in table.set(0, reis=3).game().legal()
    # an event costs 3
    table = Table().set(0, reis=2, **rich).hand(0, "blue-treasury-2", "blue-king-1")
    assert play(COURT, "blue-treasury-2") not in table.game().legal()
    assert play(COURT, "blue-treasury-2") in table.set(0, reis=3).game().legal()
    # two officials to hire at 3; site west C gives wigs only
    table = base().set(0, reis=5, **rich).officials(0).pending("open_building")
    assert number("site-west-C") not in table.game().legal()
    assert number("site-west-C") in table.set(0, reis=6).game().legal()


def test_c11_with_the_second_left_house_a_real_may_stand_for_each_point() -> None:
    # answers are 32 x réis + wigs, the rest is influence. Cost 3, influence 3
    table = Table().store(0, "land-B1", GOLD).houses(0, 1, 0, 0).set(0, influence=3).pending("visit_cost", a=3, b=KING)
    assert me(table.game())["influence"] == 0  # one house: influence only
    table = two_left_houses(Table()).set(0, influence=3).pending("visit_cost", a=3, b=KING)
    assert table.game().legal() == [0, 32, 64, 96]
    game = apply(table.game(), 64)
    assert (me(game)["influence"], me(game)["reis"], me(game)["wigs"]) == (3 - 1, 10 - 2, 5)


def test_c11_it_holds_for_following_too() -> None:
    # value 2 + the officials of seats 0 and 2 in the Marquis' office: 4
    table = two_left_houses(Table().favors(1, MARQUIS), 1).pending("follow_window", 0, MARQUIS, 1)
    game = apply(table.set(1, influence=9).game(), 1)
    assert (kind(game), game.seat) == ("visit_cost", 1)
    assert game.legal() == [0, 32, 64, 96, 128]


def test_c12_wigs_or_reis_are_the_players_choice_once_influence_is_spent() -> None:
    table = two_left_houses(Table()).set(0, influence=1).pending("visit_cost", a=3, b=KING)
    # 1 influence + 2 wigs, 1 + 1 real + 1 wig, 1 + 2 réis, 3 réis
    assert table.game().legal() == [2, 32 + 1, 64, 96]
    game = apply(table.game(), 2)
    assert (me(game)["influence"], me(game)["reis"], me(game)["wigs"]) == (0, 10, 5 - 2)


def test_c13_influence_is_not_changed_into_reis_to_pay_an_influence_cost() -> None:
    # influence 4 could make two réis, but only the one in hand counts
    table = two_left_houses(Table()).set(0, influence=4, reis=1).pending("visit_cost", a=3, b=KING)
    assert table.game().legal() == [0, 32]
    # cost 6, influence 4, one wig and no real: not payable
    table = two_left_houses(base()).set(0, influence=4, reis=0, wigs=1).officials(1, (4, 0, 0))
    game = table.hand(0, "blue-maia-1", "blue-king-1").game()
    assert game.visit_cost(0, MAIA) == 2 + 4
    assert play(COURT, "blue-maia-1") not in game.legal()


@pytest.mark.parametrize("space, value", list(enumerate([3, 2, 2, 1, 1, 0, 0, -1], 1)))
def test_c14_a_visit_never_costs_less_than_nothing(space: int, value: int) -> None:
    game = Table().treasury(space).game()
    assert game.visit_cost(0, KING) == max(0, value)  # nobody there
    assert game.visit_cost(0, MARQUIS) == value + 2  # an official of each rival
    assert Table().treasury(space).officials(1).game().visit_cost(0, MARQUIS) == value + 1


def test_c15_only_rivals_inside_the_office_add_to_the_cost() -> None:
    # three own officials there, one rival's inside, two of his in the plaza
    table = Table().officials(0, (0, 3, 0)).officials(1, (0, 1, 0), (0, 2, 0)).officials(2)
    assert table.game().visit_cost(0, MARQUIS) == 2 + 1
    assert Table(2).officials(1).game().visit_cost(0, MARQUIS) == 2 + 1  # the neutral one


def test_c16_wigs_may_go_below_the_first_five_but_not_below_0() -> None:
    game = Table().set(0, influence=0, wigs=5).pending("visit_cost", a=5, b=KING).game()
    assert me(game)["wigs"] == 0
    # a penalty of 3 wigs takes the two there are
    game = Table().set(0, wigs=2).pending("effects", a=source("brown-king-5")).game()
    assert me(game)["wigs"] == 0
    # and a cost of 6 is not payable with five
    table = base().set(0, influence=0, wigs=5).officials(1, (0, 0, 4)).hand(0, "blue-king-1")
    assert play(COURT, "blue-king-1") not in table.game().legal()
