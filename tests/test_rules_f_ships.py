"""Hand-worked tests of docs/rules.md F: ships, selling and producing."""

import pytest
from positions import (
    BOOKS,
    CATEGORY,
    CLOTH,
    GOLD,
    PORTFOLIO,
    SELL,
    SHIP,
    TOOLS,
    Table,
    apply,
    base,
    kind,
    me,
    number,
    play,
    sale,
)

from engine_ext import core


def can_build(table: Table) -> bool:
    return SHIP in table.pending("trade").game().legal()


# --- building ships ---------------------------------------------------------------------------------------------------


def test_f1_a_ship_costs_as_many_different_goods_as_its_hull() -> None:
    # both blue ships are gone: red, hull 2
    game = Table().state(ship_pos=2).set(0, goods=[2, 1, 0, 1]).pending("build_ship").game()
    assert (kind(game), game.legal()) == ("ship_goods", [1 << a | 1 << b for a, b in [(0, 1), (0, 3), (1, 3)]])
    assert me(apply(game, 1 << GOLD | 1 << TOOLS))["goods"] == [1, 1, 0, 0]


def test_f1_gold_is_one_of_the_types_and_no_joker() -> None:
    # two goods are due, and one buys the state action: three gold are one type
    assert not can_build(Table().state(ship_pos=2).set(0, goods=[2, 0, 0, 0]))
    assert can_build(Table().state(ship_pos=2).set(0, goods=[2, 1, 0, 0]))


@pytest.mark.parametrize(
    "period, place, houses, tile, due",
    [
        (0, 3, 0, None, 2 - 2),  # red for red
        (0, 3, 1, None, 0),  # 2 - 2 - 1: not below 0
        (1, 0, 0, None, 3 - 2),  # purple
        (1, 0, 1, None, 3 - 2 - 1),
        (1, 2, 0, None, 4 - 2),  # brown
        (1, 2, 1, None, 4 - 2 - 1),
        (1, 2, 1, "clergy-18", 4 - 2 - 1 - 1),
    ],
)
def test_f2_a_replaced_hull_and_discounts_count_and_the_price_is_never_below_0(
    period: int, place: int, houses: int, tile: str | None, due: int
) -> None:
    # a red ship (hull 2) is replaced; one house of the middle group and clergy-18 save a good each
    table = base().second_period() if period else base()
    table.top(0, "ship-red-1").state(ship_pos=place)
    if houses:
        table.store(0, "land-B1", GOLD).houses(0, 0, 1, 0)
    if tile:
        table.clergy(0, tile)
    game = apply(table.pending("build_ship").game(), number("ship-red-1"))
    if due:
        assert kind(game) == "ship_goods"
        game.apply(game.legal()[0])
    assert sum(me(game)["goods"]) == 4 - due
    assert (me(game)["n_top"], me(game)["top"][0]) == (1, core.SHIP_BASE + 3 * (2 * period + (place > 1)) + place % 2)


def test_f3_the_third_middle_house_makes_ships_free() -> None:
    table = Table().set(0, goods=[0, 0, 0, 0]).state(ship_pos=2)
    for land in ("land-B1", "land-C1", "land-D1"):
        table.store(0, land, GOLD)
    assert me(table.houses(0, 0, 3, 0).pending("build_ship").game())["top"][0] == number("ship-red-1")


def test_f4_treasury_up_then_influence_with_the_new_ship() -> None:
    # a noble of 2 and the blue ship of 1
    game = Table().top(0, "blue-maia-3").set(0, influence=1, goods=[1, 0, 0, 0]).pending("build_ship").game()
    assert game.fields()["treasury"] + 1 == 3 + 1
    assert me(game)["influence"] == 1 + (2 + 1)


@pytest.mark.parametrize("period", [0, 1])
@pytest.mark.parametrize("taken, left", [(0, True), (1, True), (2, False)])
def test_f5_with_no_ship_left_none_can_be_built(period: int, taken: int, left: bool) -> None:
    # two players: a ship of each colour, so two a period. With clergy-18 brown (hull 4) costs 3, and 1 buys the action
    table = Table(2).second_period() if period else Table(2)
    assert can_build(table.state(ship_pos=taken).clergy(0, "clergy-18").set(0, goods=[2, 1, 1, 1])) == left


def test_f6_the_cargo_of_a_replaced_ship_moves_onto_the_new_one() -> None:
    table = Table().top(0, ("ship-red-1", 1, 0)).state(ship_pos=3).pending("build_ship")
    game = apply(table.game(), number("ship-red-1"))
    assert (me(game)["top"][0], me(game)["cargo"], me(game)["packed"]) == (number("ship-red-2"), [1, 0, 0], [0, 0, 0])
    assert me(game)["goods"] == [1, 1, 1, 1]


def test_f7_crates_of_a_ship_at_sea_stay_aboard_and_earn_nothing_again() -> None:
    # a blue ship at sea (one crate) is replaced by a red one (hull 2) for one good: one space is left
    table = Table().state(ship_pos=2).top(0, ("ship-blue-1", 0, 1)).pending("sell").pending("build_ship")
    game = apply(table.game(), number("ship-blue-1"), 1 << BOOKS)
    assert (me(game)["top"][0], me(game)["cargo"][0], me(game)["packed"][0]) == (number("ship-red-1"), 0, 1)
    game.apply(sale(GOLD, "ship-red-1"))
    assert me(game)["packed"][0] == 2  # at sea
    assert me(game)["ledger"][CATEGORY["sailed"]] == 1  # one wig, for the crate just packed


# --- selling ----------------------------------------------------------------------------------------------------------


def test_f8_a_sale_pays_price_and_ship_modifier_and_the_owner_earns_the_crates() -> None:
    table = Table().top(1, ("ship-red-1", 1, 0)).pending("sell")
    game = apply(table.game(), sale(GOLD, "ship-red-1"))
    assert me(game)["reis"] == 10 + 6 + 1  # gold 6, red ship +1
    assert me(game)["goods"] == [0, 1, 1, 1]
    assert me(game, 1)["wigs"] == 5 + 2  # full with the second crate: it sails at once
    assert (me(game, 1)["cargo"][0], me(game, 1)["packed"][0]) == (0, 2)


def test_f8_goods_go_to_any_docked_ship_the_own_one_included() -> None:
    table = Table().top(0, "ship-blue-1").top(1, "ship-red-1").top(2, ("ship-blue-2", 0, 1)).pending("sell")
    game = table.game()
    docked = ("ship-blue-1", "ship-red-1")  # blue-2 is at sea
    assert sorted(game.legal()) == sorted(sale(good, ship) for good in range(4) for ship in docked)
    game.apply(sale(CLOTH, "ship-blue-1"))
    assert (me(game)["reis"], me(game)["wigs"]) == (10 + 4 + 2, 5 + 1)  # cloth 4, blue ship +2


def test_f8_benefits_of_the_seller_and_of_the_owner() -> None:
    # blue-treasury-6: sell cloth +1; clergy-35: sail wigs +1
    table = base().bottom(0, "blue-treasury-6").clergy(1, "clergy-35").top(1, "ship-blue-1")
    game = table.hand(0, "blue-king-4", "blue-maia-1").game()
    apply(game, play(PORTFOLIO, "blue-king-4"), SELL, sale(CLOTH, "ship-blue-1"))
    assert (me(game)["reis"], me(game, 1)["wigs"]) == (10 + 4 + 2 + 1, 5 + 1 + 1)


def test_f9_a_ship_that_fills_is_closed_and_selling_goes_on_elsewhere() -> None:
    game = Table().top(1, "ship-blue-1").top(2, "ship-red-1").pending("sell").game()
    game.apply(sale(TOOLS, "ship-blue-1"))
    assert sorted(game.legal()) == sorted([core.STOP, *(sale(good, "ship-red-1") for good in (GOLD, CLOTH, BOOKS))])


def test_f10_selling_does_not_move_prices() -> None:
    game = Table().set(0, goods=[2, 1, 1, 1]).top(1, "ship-red-1").top(2, "ship-blue-1").pending("sell").game()
    before = game.fields()["price"]
    assert before == [6, 4, 4, 5]
    apply(game, sale(GOLD, "ship-red-1"), sale(GOLD, "ship-red-1"), sale(BOOKS, "ship-blue-1"))
    assert me(game)["reis"] == 10 + (6 + 1) + (6 + 1) + (4 + 2)
    assert game.fields()["price"] == before


# --- producing --------------------------------------------------------------------------------------------------------


def producer(right_houses: int = 0) -> Table:
    """Three books stores and a cloth store, an empty warehouse with room for 3 of each."""
    table = base().cubes(0, 1, 1, 1).set(0, goods=[0] * 4)
    for land, business in (("B3", BOOKS), ("C3", BOOKS), ("D3", BOOKS), ("B2", CLOTH)):
        table.store(0, f"land-{land}", business)
    return table.houses(0, 1, 3 - right_houses, right_houses).pending("produce")


def test_f11_a_price_falls_by_one_however_many_were_produced() -> None:
    game = producer().game()
    assert me(game)["goods"] == [0, 1, 3, 0]
    assert game.fields()["price"] == [6, 4 - 1, 4 - 1, 5]


def test_f12_a_type_of_which_nothing_could_be_kept_keeps_its_price() -> None:
    game = producer().set(0, goods=[0, 0, 3, 0]).game()
    assert me(game)["goods"] == [0, 1, 3, 0]
    assert game.fields()["price"] == [6, 4 - 1, 4, 5]
    # one kept of three is produced
    game = producer().set(0, goods=[0, 0, 2, 0]).game()
    assert me(game)["goods"] == [0, 1, 3, 0]
    assert game.fields()["price"] == [6, 4 - 1, 4 - 1, 5]


@pytest.mark.parametrize("houses", [1, 2])
def test_f13_the_first_and_second_right_house_give_one_good_of_one_type_produced(houses: int) -> None:
    table = Table().cubes(0, 1, 1, 1).set(0, goods=[0, 0, 1, 1]).pending("produce")
    table.store(0, "land-B2", CLOTH).store(0, "land-B1", GOLD).houses(0, 0, 2 - houses, houses)
    game = table.game()
    assert (kind(game), game.legal()) == ("produce_bonus", [GOLD, CLOTH])
    assert me(apply(game, CLOTH))["goods"] == [1, 2, 1, 1]
    assert kind(game) == "play_card"


def test_f13_only_if_it_fits() -> None:
    # books are full after producing: cloth is the only choice
    assert me(producer(1).game())["goods"] == [0, 1 + 1, 3, 0]
    # cloth was full before, so it was not produced, and books are full now: nothing
    assert me(producer(1).set(0, goods=[0, 3, 0, 0]).game())["goods"] == [0, 3, 3, 0]


def test_f13_the_third_right_house_gives_one_of_every_type_produced() -> None:
    assert me(producer(3).game())["goods"] == [0, 1 + 1, 3, 0]  # the fourth books find no room
    table = producer(3).set(0, goods=[0, 3, 0, 1])
    assert me(table.game())["goods"] == [0, 3, 3, 1]  # cloth was full


def test_f14_a_price_at_its_lowest_step_stays_there() -> None:
    # lowest: 3, 1, 1, 2
    table = Table().state(price=[3, 1, 1, 3]).set(0, goods=[0] * 4).pending("produce")
    for land, business in (("B1", GOLD), ("B2", CLOTH), ("B3", BOOKS), ("B4", TOOLS)):
        table.store(0, f"land-{land}", business)
    game = table.houses(0, 1, 3, 0).game()
    assert me(game)["goods"] == [1, 1, 1, 1]
    assert game.fields()["price"] == [3, 1, 1, 3 - 1]


def test_f15_goods_and_coins_never_run_out() -> None:
    # four warehouses with room for 5 of each, full but for one gold: 79 goods and 4,000 réis are out
    table = Table(4).hand(0, "blue-treasury-1", "blue-maia-1").treasury(8)
    for seat in range(4):
        table.cubes(seat, 3, 3, 3).set(seat, goods=[5, 5, 5, 5], reis=1000)
    table.set(0, goods=[4, 5, 5, 5])
    assert me(table.pending("good_any", a=1).game())["goods"] == [5, 5, 5, 5]
    table.fields["depth"] -= 1
    assert me(apply(table.game(), play(PORTFOLIO, "blue-treasury-1")))["reis"] == 1000 + 8
