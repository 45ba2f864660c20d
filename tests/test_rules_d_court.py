"""Hand-worked tests of docs/rules.md D: visiting a noble and following a visit."""

import pytest
from positions import (
    BOOKS,
    CARDINAL,
    CLOTH,
    COURT,
    FAVOR,
    GOLD,
    KING,
    MAIA,
    MARQUIS,
    NO,
    NOBLE_ACTION,
    PLAN,
    PRODUCE,
    RECRUIT,
    SHIP,
    TOOLS,
    YES,
    Table,
    apply,
    base,
    draw,
    frontage,
    kind,
    me,
    number,
    play,
)

from engine_ext import core


def marquis(table: Table) -> Table:
    """Seat 0 may visit the Marquis: value 2 and an official of each rival make 4, which is all its influence."""
    return table.hand(0, "blue-marquis-1", "blue-king-1").set(0, influence=4)


def decrees_held(game: core.Game, seat: int) -> int:
    return sum(bin(half).count("1") for half in me(game, seat)["decrees"])


# --- visiting ---------------------------------------------------------------------------------------------------------


def test_d1_cost_then_state_action_if_wanted_then_noble_action() -> None:
    game = apply(marquis(Table().store(0, "land-B1", GOLD)).game(), play(COURT, "blue-marquis-1"))
    assert me(game)["influence"] == 4 - 4
    assert (kind(game), game.legal()) == ("visit_state_action", [core.STOP, SHIP, PRODUCE])
    for action in (core.STOP, PRODUCE):
        after = apply(game.copy(), action)
        assert kind(after) == "take_decree"
        assert core.STOP not in after.legal()  # mandatory


def test_d2_influence_from_a_ship_comes_too_late_for_the_cost() -> None:
    # a blue ship would bring 1
    table = marquis(Table()).set(0, influence=3, wigs=0)
    assert play(COURT, "blue-marquis-1") not in table.game().legal()
    game = apply(marquis(Table()).game(), play(COURT, "blue-marquis-1"), SHIP, 1 << GOLD)
    assert (kind(game), me(game)["influence"]) == ("take_decree", 4 - 4 + 1)


def test_d2_it_may_pay_reis_later_in_the_turn() -> None:
    # The Queen is out: the Marquis builds a store. Land B2 with the treasury on space 4: 4 = 3 réis + the new influence
    table = marquis(base(queen=True).state(queen=1)).set(0, reis=3, wigs=0)
    table.rubble("B", 0, 0, 0).column(2, 0, 0, 0)
    game = apply(table.game(), play(COURT, "blue-marquis-1"), SHIP, 1 << TOOLS)
    apply(game, 0, frontage("land-B2", GOLD))
    assert (kind(game), me(game)["reis"], me(game)["influence"]) == ("store_house", 0, 0)


def test_d3_the_state_action_costs_no_good_but_a_ship_costs_its_own() -> None:
    game = apply(marquis(Table().store(0, "land-B1", GOLD)).set(0, goods=[0] * 4).game(), play(COURT, "blue-marquis-1"))
    assert game.legal() == [core.STOP, PRODUCE]
    assert me(apply(game, PRODUCE))["goods"] == [1, 0, 0, 0]
    game = apply(marquis(Table()).set(0, goods=[0, 0, 0, 1]).game(), play(COURT, "blue-marquis-1"))
    assert game.legal() == [core.STOP, SHIP]
    assert (me(apply(game, SHIP))["goods"], me(game)["n_top"]) == ([0, 0, 0, 0], 1)


def test_d4_recruits_change_only_what_followers_pay() -> None:
    table = base().hand(0, "blue-maia-1", "blue-king-1").favors(1, MAIA).rubble("B", 0, 0, 0).column(2, 0, 0, 0)
    game = apply(table.set(0, influence=2).game(), play(COURT, "blue-maia-1"), RECRUIT, 0b001)
    assert (me(game)["offices"], me(game)["influence"]) == ([1, 1, 0], 2 - 2)  # nobody was there when it was paid
    apply(game, frontage("land-B2", GOLD), 0)
    assert (kind(game), game.seat) == ("follow", 1)
    game.apply(YES)
    assert me(game, 1)["influence"] == 5 - (2 + 1)


def test_d5_no_visit_without_the_noble_action() -> None:
    table = base().hand(0, "blue-king-1", "blue-marquis-1")
    assert play(COURT, "blue-king-1") in table.game().legal()
    table.set(0, plans=0, completed=1 << number("plan-green-start-1"))  # no plan to open a building with
    assert play(COURT, "blue-king-1") not in table.game().legal()


def test_d5_a_state_action_that_makes_it_possible_makes_the_visit_legal_and_is_then_due() -> None:
    # No official is out and a plan for two costs 2 x 3 to staff. clergy-28, beside the cardinal, spares one: 3 réis.
    # The visit costs 2 of 4 influence; what is left makes 1 real
    table = base().hand(0, "blue-king-1", "blue-maia-3").officials(0).officials(1).officials(2)
    table.church("clergy-7", "clergy-28", "clergy-8", "clergy-10", "clergy-35", "clergy-34")
    for site in range(14):
        if site != number("site-west-C"):  # leave only a site whose reward cannot help
            table.fields["site_building"][site] = -3
    assert play(COURT, "blue-king-1") not in table.set(0, reis=1, influence=4).game().legal()
    game = apply(table.set(0, reis=2, influence=4).game(), play(COURT, "blue-king-1"))
    assert (kind(game), game.legal()) == ("meet_cardinal", [1, 2])  # both reach the tile; doing without is no way on
    game.apply(1)  # all the rest has one way on: that tile, the site, one official hired for 2 réis and the one made
    assert (kind(game), me(game)["clergy"]) == ("take_card", 1 << number("clergy-28"))
    assert (me(game)["reis"], me(game)["influence"]) == (2 + 1 - 3, 0)


# --- following --------------------------------------------------------------------------------------------------------


def test_d6_rivals_with_the_favor_are_asked_clockwise_when_the_visit_is_complete() -> None:
    table = marquis(Table(4)).favors(1, MAIA).favors(2, MARQUIS).favors(3, MARQUIS).set(0, influence=9)
    game = apply(table.game(), play(COURT, "blue-marquis-1"), core.STOP)
    assert kind(game) == "take_decree"
    game.apply(game.legal()[0])
    assert (kind(game), game.seat, game.legal()) == ("follow", 2, [NO, YES])
    game.apply(NO)
    assert (me(game, 2)["favors"], me(game, 2)["influence"]) == (1 << MARQUIS, 6)  # he keeps tile and influence
    assert (kind(game), game.seat) == ("follow", 3)
    # clockwise from the visitor: behind seat 1 come 2 and then 0
    table = Table().favors(0, MARQUIS).favors(2, MARQUIS).set(0, influence=9)
    game = table.pending("follow_window", 1, MARQUIS, 1).game()
    assert game.seat == 2
    assert apply(game, NO).seat == 0


def test_d6_a_follower_gives_the_tile_back_and_then_pays() -> None:
    # two left houses, so that how to pay is asked
    table = Table().favors(1, MARQUIS).store(1, "land-B1", GOLD).store(1, "land-C1", GOLD).houses(1, 2, 0, 0)
    game = apply(table.pending("follow_window", 0, MARQUIS, 1).game(), YES)
    assert (kind(game), game.context[0]) == ("visit_cost", 2 + 2)
    assert (me(game, 1)["favors"], game.fields()["favor_stock"]) == (0, [3, 3, 3])
    game.apply(0)
    assert (kind(game), me(game, 1)["influence"]) == ("follow_action", 5 - 4)


def test_d7_a_follower_pays_his_own_cost() -> None:
    # a ship lifts the marker from space 3 (2) to 4 (1); officials of seats 0 and 2 count against seat 1, not its own
    game = apply(marquis(Table().favors(1, MARQUIS)).game(), play(COURT, "blue-marquis-1"), SHIP, 1 << GOLD)
    apply(game, game.legal()[0], YES)
    assert game.fields()["treasury"] + 1 == 4
    assert me(game, 1)["influence"] == 5 - (1 + 1 + 1)
    # the cardinal on the treasury icon does the same: King, nobody in his office
    table = base().state(cardinal=2).favors(1, KING).pending("follow_window", 0, KING, 1)
    game = table.pending("meet_cardinal", a=1).game()
    apply(game, game.legal()[0], YES)
    assert me(game, 1)["influence"] == 5 - 1


def test_d8_exactly_one_of_three_actions_and_several_may_choose_the_same() -> None:
    table = base().favors(1, MAIA).favors(2, MAIA).set(1, reis=40).set(2, reis=40)
    game = table.pending("follow_window", 0, MAIA, 1).game()
    for seat in (1, 2):
        assert (kind(game), game.seat) == ("follow", seat)
        game.apply(YES)
        assert (kind(game), game.legal()) == ("follow_action", [RECRUIT, PLAN, NOBLE_ACTION])
        apply(game, RECRUIT, 0b100)
        assert me(game, seat)["offices"] == [0, 1, 1]
    assert kind(game) == "play_card"


def test_d8_several_may_take_the_noble_action_too() -> None:
    table = Table().favors(1, MARQUIS).favors(2, MARQUIS).set(1, influence=9).set(2, influence=9)
    game = table.pending("follow_window", 0, MARQUIS, 1).game()
    for _ in (1, 2):
        apply(game, YES, NOBLE_ACTION)
        game.apply(game.legal()[0])
    assert [decrees_held(game, seat) for seat in (0, 1, 2)] == [0, 1, 1]


def test_d9_the_kings_follower_may_take_back_the_favor_just_returned() -> None:
    table = Table().pending("follow_window", 0, KING, 1).favors(1, KING, MAIA, MARQUIS).set(1, influence=9)
    stock = table.fields["favor_stock"].copy()
    game = apply(table.game(), YES, FAVOR)
    assert me(game, 1)["favors"] == 1 << KING | 1 << MAIA | 1 << MARQUIS  # it was the only one he lacked
    assert game.fields()["favor_stock"] == stock
    assert me(game, 1)["influence"] == 9 - 2


def test_d10_the_visitor_cannot_follow_himself() -> None:
    table = marquis(Table().favors(0, MARQUIS)).set(0, influence=9)
    game = apply(table.game(), play(COURT, "blue-marquis-1"), core.STOP)
    game.apply(game.legal()[0])
    assert (kind(game), me(game)["favors"]) == ("take_card", 1 << MARQUIS)


def follower_of_a_store(land: str, business: int) -> set[tuple[int, int]]:
    """Land and business that a follower may build after the visitor's store."""
    table = base().set(0, reis=60, influence=0).set(1, reis=60, influence=9).favors(1, MAIA)
    game = table.pending("follow_window", 0, MAIA, 1).pending("build_store").game()
    game.apply(frontage(land, business))
    while kind(game) != "follow":
        game.apply(game.legal()[0])
    return {divmod(argument, 4) for argument in apply(game, YES, NOBLE_ACTION).legal()}


HALF_LANDS = {number(f"land-{row}5") for row in "ABCDE"}


def test_d11_a_tile_space_emptied_this_turn_is_closed_to_followers() -> None:
    businesses = {business for _, business in follower_of_a_store("land-D2", GOLD)}
    assert businesses == {CLOTH, BOOKS, TOOLS}


def test_d11_small_and_large_tools_are_two_spaces() -> None:
    left = follower_of_a_store("land-D4", TOOLS)
    assert {land for land, business in left if business == TOOLS} == HALF_LANDS
    left = follower_of_a_store("land-E5", TOOLS)
    assert {land for land, business in left if business == TOOLS} == {number(f"land-{row}4") for row in "ABCDE"}


def test_d12_followers_choose_from_the_decrees_left() -> None:
    table = Table().favors(1, MARQUIS).favors(2, MARQUIS).set(1, influence=9).set(2, influence=9)
    game = table.pending("follow_window", 0, MARQUIS, 1).pending("take_decree").game()
    apply(game, 3, YES, NOBLE_ACTION)  # decree-1 to decree-8 lie there
    assert game.legal() == [0, 1, 2, 4, 5, 6, 7]
    apply(game, 0, YES, NOBLE_ACTION)
    assert game.legal() == [1, 2, 4, 5, 6, 7]


def king_visit(table: Table) -> Table:
    """Seat 0 may open a building by the green starting plan, with two officials from Maia's office."""
    table.hand(0, "blue-king-1", "blue-maia-1").officials(0, (2, 0, 0)).set(0, influence=2)
    return table.offer("building-1", 0).site("site-west-C", 0, 0, 0)


def test_d13_the_architects_next_tile_is_there_for_the_follower() -> None:
    table = king_visit(base()).favors(1, KING).officials(1, (2, 0, 0)).set(1, influence=6)
    after = table.fields["buildings"][0][1]
    game = apply(table.game(), play(COURT, "blue-king-1"), core.STOP, number("site-west-C"))
    assert game.fields()["site_building"][number("site-west-C")] == 2 * number("building-1")
    apply(game, YES, NOBLE_ACTION, number("site-east-D"))  # by the other green starting plan
    assert game.fields()["site_building"][number("site-east-D")] == 2 * after


def test_d14_the_next_plan_is_there_at_once() -> None:
    table = base().favors(1, MAIA).hand(0, "blue-maia-1", "blue-king-1").rubble("B", 0, 0, 0).column(2, 0, 0, 0)
    first, second = table.fields["plan_stack"][0][:2]
    game = apply(table.set(0, influence=2).game(), play(COURT, "blue-maia-1"), PLAN, 0, frontage("land-B2", GOLD), 0)
    apply(game, YES, PLAN, 0)
    assert me(game, 0)["plans"] == 1 << number("plan-green-start-1") | 1 << first
    assert me(game, 1)["plans"] == 1 << number("plan-green-start-2") | 1 << second


def test_d14_the_next_ship_is_there_at_once() -> None:
    table = marquis(Table().favors(1, MARQUIS)).set(1, influence=9)
    game = apply(table.game(), play(COURT, "blue-marquis-1"), SHIP, 1 << GOLD)
    apply(game, game.legal()[0], YES, SHIP, 1 << TOOLS)
    assert [me(game, seat)["top"][0] for seat in (0, 1)] == [number("ship-blue-1"), number("ship-blue-2")]


def test_d15_tiles_taken_leave_holes_until_upkeep() -> None:
    table = king_visit(base()).favors(1, KING).set(1, influence=6)
    game = apply(table.game(), play(COURT, "blue-king-1"), CARDINAL, 1, number("clergy-8"), number("site-west-C"))
    apply(game, YES, CARDINAL, 1)  # gap 2, between the hole and clergy-9: one neighbour, taken without a question
    assert me(game, 1)["clergy"] == 1 << number("clergy-9")
    assert [tile == core.UNKNOWN for tile in game.fields()["church"]] == [False, True, True, False, False, False]
    assert core.UNKNOWN not in draw(game).fields()["church"]


def test_d15_steps_that_end_without_a_tile_are_illegal_while_others_do_not() -> None:
    # holes at tiles 1 to 3: gap 1 still has tile 0 beside it, gap 2 has nothing, gap 3 has nothing
    table = Table().church("clergy-7", None, None, None, "clergy-35", "clergy-34").pending("meet_cardinal", a=2)
    game = table.game()
    assert me(game)["clergy"] == 1 << number("clergy-7")
    assert game.fields()["cardinal"] == 1
    # from gap 1 it is the other way round: gap 2 has nothing, gap 3 has tile 3
    table = Table().church("clergy-7", None, None, "clergy-10", "clergy-35", "clergy-34").state(cardinal=1)
    game = table.pending("meet_cardinal", a=2).game()
    assert (game.fields()["cardinal"], me(game)["clergy"]) == (3, 1 << number("clergy-10"))


@pytest.mark.parametrize("period", [0, 1])
def test_d16_a_trigger_during_a_visit_does_not_cut_the_turn_short(period: int) -> None:
    # the blue cube of land B2 completes the second set in period 1, the fourth in period 2
    table = base().second_period() if period else base()
    table.cubes(0, *((4, 4, 3) if period else (2, 2, 1))).rubble("B", 0, 0, 1).column(2, 0, 0, 0)
    table.hand(0, "blue-maia-1", "blue-king-1").favors(1, MAIA).set(0, influence=2)
    game = apply(table.game(), play(COURT, "blue-maia-1"), core.STOP, frontage("land-B2", GOLD), 0)
    assert game.fields()["trigger"] == 0
    assert (kind(game), game.seat) == ("follow", 1)
    apply(game, YES, RECRUIT, 0b001)
    assert kind(game) == "take_card"
    assert (game.period, game.fields()["last_turn"]) == (period, -1)
    draw(game)
    if period:
        assert game.fields()["last_turn"] == 2 * 3 - 1  # the round of turn 0 and one more
    else:
        assert (game.period, kind(game)) == (1, "discard_hand")
