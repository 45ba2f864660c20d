"""Hand-worked tests of docs/rules.md E: trading with the nobles, officials and the other state actions."""

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
    PLAN,
    PORTFOLIO,
    PRODUCE,
    RECRUIT,
    SHIP,
    TOOLS,
    YES,
    Table,
    apply,
    base,
    draw,
    kind,
    me,
    number,
    play,
)

from engine_ext import core


def trade(table: Table) -> core.Game:
    return table.pending("trade").game()


def test_e1_one_or_two_goods_one_after_the_other_on_different_actions() -> None:
    game = trade(Table())
    assert game.legal() == [RECRUIT, PLAN, SHIP, CARDINAL, FAVOR]  # at least one
    apply(game, PLAN, TOOLS, 0)
    assert game.legal() == [RECRUIT, SHIP, CARDINAL, FAVOR, core.STOP]
    apply(game, RECRUIT, 0b001)  # Maia's second one; gold is all that is left for it
    assert me(game)["goods"] == [0, 1, 1, 0]
    assert kind(game) == "play_card"  # there is no third


def test_e2_a_good_just_produced_may_pay_for_the_second_action() -> None:
    game = trade(Table().set(0, goods=[0, 0, 1, 0]).store(0, "land-B1", GOLD))
    # producing was the only thing that the books could buy, and resolved itself
    assert me(game)["goods"] == [1, 0, 0, 0]
    assert kind(game) == "trade"
    apply(game, RECRUIT, 0b001)
    assert me(game)["goods"] == [0, 0, 0, 0]


@pytest.mark.parametrize(
    "action, good",
    [(RECRUIT, TOOLS), (PLAN, TOOLS), (SHIP, BOOKS), (PRODUCE, BOOKS), (CARDINAL, CLOTH), (FAVOR, CLOTH)],
)
def test_e3_every_noble_takes_gold_and_one_more_good(action: int, good: int) -> None:
    game = apply(trade(Table().store(0, "land-B1", GOLD)), action)
    assert (kind(game), game.legal()) == ("trade_good", [GOLD, good])


def test_e4_a_state_action_that_can_do_nothing_may_not_be_chosen() -> None:
    # no store
    assert PRODUCE not in trade(Table()).legal()
    table = Table().hand(0, "blue-marquis-1", "blue-king-1").set(0, influence=4)
    assert PRODUCE not in apply(table.game(), play(COURT, "blue-marquis-1")).legal()
    # a store, but no room for its gold
    table.store(0, "land-B1", GOLD).set(0, goods=[2, 1, 1, 1])
    assert PRODUCE not in apply(table.game(), play(COURT, "blue-marquis-1")).legal()
    table.set(0, goods=[1, 1, 1, 1])
    assert PRODUCE in apply(table.game(), play(COURT, "blue-marquis-1")).legal()


def test_e5_traded_goods_block_their_action_for_this_turn_only() -> None:
    game = base().hand(0, "blue-king-4", "blue-maia-1").game()
    apply(game, play(PORTFOLIO, "blue-king-4"), PLAN, GOLD, 0)
    assert game.fields()["banners"] == 1 << PLAN
    assert PLAN not in game.legal()
    draw(apply(game, core.STOP))
    assert (game.active, game.fields()["banners"]) == (1, 0)
    assert me(game)["goods"] == [0, 1, 1, 1]  # the gold does not come back
    apply(game, play(PORTFOLIO, "blue-maia-3"))
    assert (kind(game), PLAN in game.legal()) == ("trade", True)


# --- recruiting -------------------------------------------------------------------------------------------------------


def test_e6_up_to_two_officials_in_different_offices() -> None:
    game = Table().pending("recruit", a=2).game()
    assert game.legal() == [0b001, 0b010, 0b011, 0b100, 0b101, 0b110]
    game.apply(0b101)
    assert (me(game)["offices"], me(game)["officials"]) == ([1, 1, 1], 7 - 2)


def recruited(table: Table) -> list[tuple[int, int]]:
    """What lies in Maia's office and her plaza, by seat, after seat 0 put an official there."""
    game = apply(table.pending("recruit", a=1).game(), 0b001)
    return [(player["offices"][MAIA], player["plazas"][MAIA]) for player in game.fields()["players"][: game.seats]]


def test_e7_before_an_official_enters_a_full_office_one_of_each_colour_tied_for_most_leaves() -> None:
    # four spaces
    assert recruited(Table().officials(1, (2, 0, 0)).officials(2, (2, 0, 0))) == [(1, 0), (1, 1), (1, 1)]
    assert recruited(Table().officials(1, (3, 0, 0)).officials(2, (1, 0, 0))) == [(1, 0), (2, 1), (1, 0)]
    four = Table(4).officials(0, (1, 0, 0)).officials(1, (1, 0, 0)).officials(2, (1, 0, 0)).officials(3, (1, 0, 0))
    assert recruited(four) == [(1, 1), (0, 1), (0, 1), (0, 1)]
    # three there: nobody has to leave
    assert recruited(Table().officials(1, (2, 0, 0)).officials(2, (1, 0, 0))) == [(1, 0), (2, 0), (1, 0)]


def test_e7_there_is_no_choice_and_it_may_be_the_own_colour() -> None:
    assert recruited(Table().officials(0, (3, 0, 0)).officials(1, (1, 0, 0))) == [(3, 1), (1, 0), (0, 0)]
    assert recruited(Table().officials(0, (2, 0, 0)).officials(1, (2, 0, 0))) == [(2, 1), (1, 1), (0, 0)]


def test_e8_neutral_officials_never_move() -> None:
    # a neutral one in each office: with three more it is full
    table = Table(2).officials(0, (1, 0, 0)).officials(1, (2, 0, 0))
    assert recruited(table) == [(2, 0), (1, 1)]
    assert table.game().fields()["neutral"] == 1
    assert recruited(Table(2).officials(0, (2, 0, 0)).officials(1, (1, 0, 0))) == [(2, 1), (1, 0)]


def test_e9_officials_in_a_plaza_staff_a_building_but_cost_visitors_nothing() -> None:
    table = base().officials(1, (0, 0, 0), (0, 0, 3)).officials(0, (0, 0, 0), (0, 2, 0)).offer("building-1", 0)
    game = table.site("site-west-C", 0, 0, 0).pending("open_building").game()
    assert game.visit_cost(0, KING) == 2  # the treasury's 2 and nothing for the three in his plaza
    game.apply(number("site-west-C"))  # the plan asks for two
    assert (me(game)["reis"], me(game)["plazas"], me(game)["officials"]) == (10, [0, 0, 0], 8)


def test_e10_without_officials_on_the_board_there_is_no_recruiting() -> None:
    assert RECRUIT not in trade(Table().officials(0, (2, 2, 2), (2, 0, 0))).legal()
    game = apply(trade(Table().officials(0, (2, 2, 2), (1, 0, 0))), RECRUIT, GOLD)
    assert (kind(game), game.legal()) == ("recruit", [0b001, 0b010, 0b100])  # the one may be placed


# --- plans, favors, the cardinal --------------------------------------------------------------------------------------

GREEN_PLANS, BLUE_PLANS = ([f"plan-{architect}-{i}" for i in range(1, 9)] for architect in ("green", "blue"))


def test_e11_a_plan_comes_from_the_top_of_either_stack() -> None:
    table = base()
    top = [stack[0] for stack in table.fields["plan_stack"]]
    game = table.pending("acquire_plan").game()
    assert game.legal() == [0, 1]
    for architect in (0, 1):
        assert me(apply(game.copy(), architect))["plans"] == 1 << number("plan-green-start-1") | 1 << top[architect]


def test_e11_without_a_plan_left_the_action_is_not_available() -> None:
    assert PLAN in trade(base().plans(1, *GREEN_PLANS, *BLUE_PLANS[:7])).legal()
    assert PLAN not in trade(base().plans(1, *GREEN_PLANS, *BLUE_PLANS)).legal()


def test_e12_whoever_holds_all_three_favors_gets_no_more() -> None:
    assert FAVOR not in trade(Table().favors(0, MAIA, MARQUIS, KING)).legal()
    assert FAVOR in trade(Table().favors(0, MAIA, MARQUIS)).legal()


def test_e12_a_missing_favor_is_in_stock_as_long_as_the_tiles_are_all_there() -> None:
    # n players and n tiles of each noble: both rivals hold all of theirs, and one of each is left
    table = Table().favors(1, MAIA, MARQUIS, KING).favors(2, MAIA, MARQUIS, KING)
    assert table.pending("get_favor").game().legal() == [MAIA, MARQUIS, KING]
    # so an empty stock for somebody who lacks the favor is a position that cannot be
    with pytest.raises(core.BrokenState, match="favors"):
        table.state(favor_stock=[0, 1, 1]).game()


def test_e13_four_clergy_tiles_keep_the_cardinal_away() -> None:
    three = ("clergy-1", "clergy-2", "clergy-3")
    assert CARDINAL in trade(Table().clergy(0, *three)).legal()
    assert CARDINAL not in trade(Table().clergy(0, *three, "clergy-5")).legal()
    # neither visiting nor following
    table = base().clergy(0, *three, "clergy-5").hand(0, "blue-king-1")
    assert apply(table.game(), play(COURT, "blue-king-1")).legal() == [core.STOP, FAVOR]
    table = base().clergy(1, *three, "clergy-5").favors(1, KING).pending("follow_window", 0, KING, 1)
    assert CARDINAL not in apply(table.game(), YES).legal()
