"""Hand-worked tests of docs/rules.md G: building a store."""

import pytest
from positions import (
    BLUE,
    BOOKS,
    BROWN,
    CLOTH,
    COURT,
    GOLD,
    KING,
    RED,
    TOOLS,
    Table,
    apply,
    base,
    frontage,
    kind,
    me,
    number,
    play,
)

from engine_ext import core


def build(table: Table, land: str, business: int) -> core.Game:
    return apply(table.pending("build_store").game(), frontage(land, business))


def quiet() -> Table:
    """Seat 0 without influence, so that a price is paid in one way; no cube for lands B1 to B3, so 3 réis each."""
    table = base().set(0, influence=0).rubble("B", 0, 0, 0)
    for column in (1, 2, 3):
        table.column(column, 0, 0, 0)
    return table


def test_g1_tile_land_reward_cube_payment_house_wigs() -> None:
    # land C3 rewards a favor; its row has a brown and a red cube, its column a blue one. A gold and cloth building is
    # open in the row's west, and column 3 scores 3
    table = base().rubble("C", 1, 1, 0).column(3, 0, 0, 1).building(1, "site-west-C", "building-1", 0)
    game = build(table, "land-C3", CLOTH)
    land = number("land-C3")
    assert game.fields()["land_business"][land] == CLOTH
    assert game.fields()["city"] == 0b11111 & ~(1 << CLOTH)
    assert (kind(game), me(game)["cubes"], me(game)["reis"]) == ("get_favor", [0, 0, 0], 10)
    game.apply(KING)
    assert (kind(game), game.legal()) == ("store_cube", [BROWN, RED, 3 + BLUE])
    game.apply(BROWN)
    assert me(game)["cubes"] == [1, 0, 0]
    assert (kind(game), game.context[0]) == ("pay_reis", 3 + 2 + 1)
    game.apply(0)
    assert (kind(game), me(game)["reis"], me(game)["houses"]) == ("store_house", 10 - 6, [0, 0, 0])
    assert (game.fields()["land_owner"][land], me(game)["wigs"]) == (-1, 5)
    game.apply(2)
    assert (game.fields()["land_owner"][land], me(game)["houses"], me(game)["wigs"]) == (0, [0, 0, 1], 5 + 3)


def test_g2_a_land_that_gives_5_reis_may_be_paid_with_them() -> None:
    # B1 and C2 give 5. B1: 3 + 2 for the red cube, which is then taken; C2: 3. B4 and D4 give 5 as well, but column 4
    # has 2 brown and 1 red: 3 + 8 - 3 at least. The others cost 3 or more and give no réis
    table = quiet().set(0, reis=0).rubble("C", 0, 0, 0).column(1, 0, 1, 0).column(4, 2, 1, 0)
    legal = table.pending("build_store").game().legal()
    assert legal == [frontage("land-B1", GOLD), frontage("land-C2", GOLD), frontage("land-C2", CLOTH)]
    game = apply(table.game(), frontage("land-B1", GOLD))
    assert me(game)["reis"] == 0 + 5 - 3


def test_g3_a_good_without_room_is_lost_even_if_the_cube_completes_a_set() -> None:
    # B2 rewards a cloth; two lie there and the room is 2 until the blue cube makes it 3
    table = quiet().set(0, goods=[1, 2, 1, 1]).cubes(0, 1, 1, 0).rubble("B", 0, 0, 1)
    game = build(table, "land-B2", GOLD)
    assert (me(game)["goods"], me(game)["sets"]) == ([1, 2, 1, 1], 1)


def test_g4_the_cube_leaves_before_the_price_is_counted() -> None:
    # 3 + 3 + 2 + 1 with all cubes
    table = quiet().set(0, reis=20).rubble("B", 1, 1, 0).column(2, 0, 0, 1)
    assert table.game().land_price(0, number("land-B2")) == 9
    table.pending("build_store")
    for cube, worth in ((BROWN, 3), (RED, 2), (3 + BLUE, 1)):
        assert me(apply(table.game(), frontage("land-B2", GOLD), cube))["reis"] == 20 - (9 - worth)


@pytest.mark.parametrize(
    "row, column, price",
    [
        ((0, 0, 0), (0, 0, 0), 0),
        ((1, 0, 0), (0, 0, 0), 3),
        ((0, 1, 0), (0, 0, 0), 2),
        ((0, 0, 1), (0, 0, 0), 1),
        ((0, 0, 0), (1, 1, 1), 6),
        ((2, 1, 0), (1, 0, 2), 3 * 3 + 2 + 2 * 1),
    ],
)
def test_g5_treasury_value_and_cubes_of_row_and_column(
    row: tuple[int, int, int], column: tuple[int, int, int], price: int
) -> None:
    for space in (1, 3, 8):
        table = Table().treasury(space).rubble("B", *row).column(2, *column)
        table.rubble("A", 1, 1, 1).column(3, 1, 1, 1)  # other lines do not count
        assert table.game().land_price(0, number("land-B2")) == space + price


def test_g5_cubes_on_public_sites_never_count() -> None:
    prices = []
    for cubes in ((0, 0, 0), (2, 0, 0)):
        table = quiet()
        for site in ("site-west-B", "site-east-B", "site-north-gold", "site-north-cloth"):
            table.site(site, *cubes)
        prices.append(table.game().land_price(0, number("land-B2")))
    assert prices == [3, 3]


@pytest.mark.parametrize(
    "tiles, price",
    [
        (("clergy-1",), 14 - 2),  # land -2
        (("clergy-2",), 14 - 3),  # ignores brown
        (("clergy-3",), 14 - 3 * 2),  # ignores red
        (("clergy-4",), 14 - 2 * 1),  # ignores blue
        (("clergy-1", "clergy-2"), 14 - 2 - 3),
    ],
)
def test_g5_discounts_come_last(tiles: tuple[str, ...], price: int) -> None:
    # 3 + (3 + 2 + 1) + (2 + 2 + 1)
    table = quiet().clergy(0, *tiles).rubble("C", 1, 1, 1).column(3, 0, 2, 1)
    assert table.game().land_price(0, number("land-C3")) == price
    assert table.game().land_price(1, number("land-C3")) == 14  # the holder's only


def test_g5_the_price_is_never_below_0() -> None:
    # 1 - 2 - 1
    table = quiet().treasury(1).clergy(0, "clergy-1").bottom(0, "blue-treasury-2").set(0, reis=0)
    assert table.game().land_price(0, number("land-B2")) == 0
    assert me(build(table, "land-B2", GOLD))["reis"] == 0


def test_g6_with_no_cube_in_row_or_column_the_step_is_skipped() -> None:
    game = build(quiet(), "land-B2", GOLD)
    assert (kind(game), me(game)["cubes"], me(game)["reis"]) == ("store_house", [0, 0, 0], 10 - 3)
    # with one cube it is not
    assert me(build(quiet().column(2, 0, 1, 0), "land-B2", GOLD))["cubes"] == [0, 1, 0]


def test_g7_a_sixth_cube_of_a_colour_leaves_the_game_and_the_price_falls_all_the_same() -> None:
    table = quiet().cubes(0, 5, 0, 0).rubble("B", 1, 0, 0)
    gone = table.game().fields()["gone_cubes"][BROWN]
    game = build(table, "land-B2", GOLD)
    assert me(game)["cubes"] == [5, 0, 0]
    assert game.fields()["gone_cubes"][BROWN] == gone + 1
    assert me(game)["reis"] == 10 - 3  # 3 + 3 with the brown cube


def test_g8_a_store_by_event_costs_the_treasury_value_twice() -> None:
    table = quiet().hand(0, "red-treasury-1", "blue-king-1")
    game = apply(table.game(), play(COURT, "red-treasury-1"))
    assert (kind(game), me(game)["reis"]) == ("build_store", 10 - 3)
    assert me(apply(game, frontage("land-B2", GOLD)))["reis"] == 10 - 3 - 3


def test_g9_a_store_that_cannot_be_paid_for_may_not_be_built() -> None:
    # B2: 3 + 2 for a red cube, which is taken: 3. B3 the same with two red ones: 5
    table = quiet().column(2, 0, 1, 0).column(3, 0, 2, 0).pending("build_store")
    for reis, b2, b3 in ((2, False, False), (3, True, False), (4, True, False), (5, True, True)):
        legal = table.set(0, reis=reis).game().legal()
        assert (frontage("land-B2", GOLD) in legal, frontage("land-B3", CLOTH) in legal) == (b2, b3)


def stores(table: Table, seat: int, business: int, *lands: str) -> Table:
    for land in lands:
        table.store(seat, f"land-{land}", business)
    return table


def visit_maia(table: Table) -> bool:
    table.set(0, reis=99, influence=9).hand(0, "blue-maia-1", "blue-king-1")
    return play(COURT, "blue-maia-1") in table.game().legal()


def test_g10_no_store_with_all_eight_houses_out() -> None:
    seven = stores(stores(base(), 0, GOLD, "B1", "C1", "D1", "E1"), 0, CLOTH, "B2", "C2", "D2")
    assert visit_maia(seven)
    assert not visit_maia(stores(seven, 0, CLOTH, "E2"))


def test_g10_no_store_without_a_tile_and_a_land_that_fit() -> None:
    # only a gold tile is on display, and nine lands face the gold street
    table = stores(stores(base(), 1, GOLD, "B1", "C1", "D1", "E1", "A2", "B2", "C2"), 2, GOLD, "D2")
    table.fields["city_large"] += 3
    table.fields["city_small"] += 1
    table.state(city=1 << GOLD)
    assert table.set(0, reis=99).pending("build_store").game().fields()["land_business"][number("land-E2")] == GOLD
    table.fields["depth"] -= 1
    assert visit_maia(table)  # for land E2
    assert not visit_maia(stores(table, 2, GOLD, "E2"))


def test_g11_the_house_is_the_bottommost_of_a_group_with_one_left() -> None:
    table = stores(quiet(), 0, GOLD, "C1", "D1").houses(0, 2, 0, 0)  # the left group has two
    game = build(table, "land-B2", GOLD)
    assert (kind(game), game.legal()) == ("store_house", [1, 2])
    assert me(apply(game, 2))["houses"] == [2, 0, 1]
    table = stores(stores(quiet(), 0, GOLD, "C1", "D1", "E1"), 0, CLOTH, "C2", "D2", "E2").houses(0, 0, 3, 3)
    assert me(build(table, "land-B2", GOLD))["houses"] == [1, 3, 3]  # only the left group is left
    for seven in ([1, 3, 3], [2, 2, 3], [2, 3, 2]):  # one is left, in whatever group
        table = stores(quiet(), 0, GOLD, "C1", "D1", "E1")
        table = stores(stores(table, 0, CLOTH, "C2", "D2", "E2"), 0, BOOKS, "C3").houses(0, *seven)
        assert me(build(table, "land-B2", GOLD))["houses"] == [2, 3, 3]


@pytest.mark.parametrize("built, due", [(0, 3), (1, 3 - 1), (2, 3 - 1), (3, 0)])
def test_g11_an_ability_replaces_the_groups_former_one_and_a_house_without_leaves_it(built: int, due: int) -> None:
    # middle group: one good less for a ship, nothing, no goods at all. A purple ship has hull 3
    table = stores(base().second_period(), 0, GOLD, *("B1", "C1", "D1")[:built]).houses(0, 0, built, 0)
    game = table.pending("build_ship").game()
    if due:
        game.apply(game.legal()[0])
    assert sum(me(game)["goods"]) == 4 - due


def openings() -> Table:
    """West B and north cloth show gold and cloth, north gold gold and books, east B books and tools."""
    table = quiet().building(1, "site-west-B", "building-1", 0).building(1, "site-north-cloth", "building-7", 0)
    return table.building(1, "site-north-gold", "building-3", 0).building(1, "site-east-B", "building-2", 0)


@pytest.mark.parametrize(
    "land, business, matching, number_of_column",
    [
        ("land-B2", GOLD, 2, 3),  # west B, north gold
        ("land-B2", CLOTH, 2, 3),  # west B, north cloth
        ("land-B3", BOOKS, 1, 3),  # east B; north books is not open, and north gold is at another street's end
        ("land-B1", GOLD, 2, 2),
    ],
)
def test_g12_a_store_earns_its_columns_number_for_every_matching_building(
    land: str, business: int, matching: int, number_of_column: int
) -> None:
    assert me(apply(build(openings(), land, business), 0))["wigs"] == 5 + matching * number_of_column


def test_g12_no_time_and_three_times() -> None:
    assert me(apply(build(quiet(), "land-B2", GOLD), 0))["wigs"] == 5
    table = openings().building(2, "site-east-C", "building-9", 0).building(2, "site-west-C", "building-15", 0)
    table.rubble("C", 0, 0, 0)  # west C, east C and north gold all show gold and books
    assert me(apply(build(table, "land-C1", GOLD), 0))["wigs"] == 5 + 3 * 2


def test_g12_a_benefit_per_store_does_not_depend_on_buildings() -> None:
    # clergy-32: store wigs +1
    assert me(apply(build(openings().clergy(0, "clergy-32"), "land-B2", CLOTH), 0))["wigs"] == 5 + 2 * 3 + 1
    assert me(apply(build(quiet().clergy(0, "clergy-32"), "land-B2", CLOTH), 0))["wigs"] == 5 + 1


def test_g12_the_half_column_uses_the_fourth_columns_number() -> None:
    # its reward is a step of the cardinal with a tile; east B shows tools, column 4 scores 4
    game = build(openings().column(5, 0, 0, 0), "land-B5", TOOLS)
    apply(game, number("clergy-7"), 0)
    assert me(game)["wigs"] == 5 + 1 * 4


def test_g13_between_two_streets_the_tiles_display_space_decides() -> None:
    for business, other in ((CLOTH, BOOKS), (BOOKS, CLOTH)):
        game = apply(build(quiet(), "land-B3", business), 0)
        assert game.fields()["land_business"][number("land-B3")] == business
        assert me(game)["stores"][business] == 1
        assert [game.fields()["city"] >> space & 1 for space in (business, other)] == [0, 1]
    # and with it what scores: west B and north cloth for cloth, east B alone for books
    assert me(apply(build(openings(), "land-B3", CLOTH), 0))["wigs"] == 5 + 2 * 3
    assert me(apply(build(openings(), "land-B3", BOOKS), 0))["wigs"] == 5 + 1 * 3


def test_g14_small_tiles_only_on_the_half_column_and_large_ones_never_there() -> None:
    table = base().set(0, reis=99).pending("build_store")
    legal = {divmod(argument, 4) for argument in table.game().legal()}
    # column 1: 4 lands on one street (A1 takes no store), columns 2 to 4: 5 on two, column 5: 5 on the tools street
    assert len(legal) == 4 + 3 * 5 * 2 + 5
    spaces = [f"{row}{column}" for row in "ABCDE" for column in range(1, 6) if (row, column) != ("A", 1)]
    assert {land for land, _ in legal} == {number(f"land-{space}") for space in spaces}
    half = {(number(f"land-{row}5"), TOOLS) for row in "ABCDE"}
    assert half <= legal
    table.state(city=0b01111)  # no small tile
    table.fields["city_small"] += 1
    assert {divmod(argument, 4) for argument in table.game().legal()} == legal - half
    table.state(city=0b10000)  # nothing but a small tile
    table.fields["city_small"] -= 1
    table.fields["city_large"] += 4
    assert {divmod(argument, 4) for argument in table.game().legal()} == half
