"""Hand-worked tests of docs/rules.md G (stores), H (public buildings), I (rubble sets, decrees)."""

from positions import BLUE, BOOKS, BROWN, CLOTH, GOLD, RED, TOOLS, Table, apply, frontage, kind, me, number, play

from engine_ext import core


def test_g1_g4_g5_cube_is_taken_before_paying() -> None:
    # land C3: row C has brown + red, column 3 blue: 3 + 2 + 1 on top of treasury value 3 = 9; the brown cube goes first
    table = Table().rubble("C", 1, 1, 0).column(3, 0, 0, 1).set(0, influence=0, reis=20).favors(0, 0, 1)
    table.pending("build_store")
    game = table.game()
    assert game.land_price(0, number("land-C3")) == 9
    game.apply(frontage("land-C3", CLOTH))  # the favor, the King's, resolved itself
    assert kind(game) == "store_cube"
    assert game.legal() == [BROWN, RED, 3 + BLUE]
    game.apply(BROWN)
    assert me(game)["reis"] == 20 - 6
    assert me(game)["cubes"] == [1, 0, 0]
    assert kind(game) == "store_house"


def test_g2_the_lands_own_reward_may_pay_for_it() -> None:
    # land B1: 5 réis; row B empty, column 1 one red: 3 + 2 = 5, and the red cube is taken: 3
    table = Table().rubble("B", 0, 0, 0).column(1, 0, 1, 0).set(0, influence=0, reis=0).pending("build_store")
    game = table.game()  # the only land that pays for itself: the choice resolved itself
    assert me(game)["reis"] == 5 - 3


def test_g3_a_good_without_room_is_lost_even_if_the_cube_completes_a_set() -> None:
    table = Table().set(0, goods=[1, 2, 1, 1], reis=30).cubes(0, 1, 1, 0).rubble("B", 0, 0, 1).column(2, 0, 0, 0)
    game = apply(table.set(0, influence=0).pending("build_store").game(), frontage("land-B2", GOLD))
    assert me(game)["goods"] == [1, 2, 1, 1]
    assert me(game)["sets"] == 1


def test_g5_discounts_come_last_and_the_floor_is_0() -> None:
    # land -1 (blue-treasury-2), -2 (clergy-1): treasury 1 + nothing - 3
    table = Table().treasury(1).bottom(0, "blue-treasury-2").clergy(0, "clergy-1")
    table.rubble("B", 0, 0, 0).column(2, 0, 0, 0)
    assert table.game().land_price(0, number("land-B2")) == 0


def test_g5_an_ignored_colour_costs_nothing() -> None:
    table = Table().clergy(0, "clergy-2").rubble("B", 2, 1, 0).column(2, 1, 0, 1)  # clergy-2: land ignores brown
    assert table.game().land_price(0, number("land-B2")) == 3 + 2 + 1
    assert table.game().land_price(1, number("land-B2")) == 3 + 9 + 2 + 1


def test_g6_no_cube_left_no_cube_taken() -> None:
    table = Table().rubble("B", 0, 0, 0).column(2, 0, 0, 0).set(0, influence=0).pending("build_store")
    game = apply(table.game(), frontage("land-B2", GOLD))
    assert me(game)["cubes"] == [0, 0, 0]
    assert me(game)["reis"] == 10 - 3


def test_g7_a_sixth_cube_leaves_the_game_and_the_price_still_falls() -> None:
    table = Table().cubes(0, 5, 0, 0).rubble("B", 1, 0, 0).column(2, 0, 0, 0).set(0, influence=0, reis=10)
    table.pending("build_store")
    gone = table.game().fields()["gone_cubes"][BROWN]
    game = apply(table.game(), frontage("land-B2", GOLD))
    assert me(game)["cubes"][BROWN] == 5
    assert game.fields()["gone_cubes"][BROWN] == gone + 1
    assert me(game)["reis"] == 10 - 3


def test_g8_a_store_by_event_costs_the_treasury_value_twice() -> None:
    table = Table().hand(0, "red-treasury-1", "blue-king-1").set(0, influence=0, reis=10)
    table.rubble("B", 0, 0, 0).column(2, 0, 0, 0)
    game = apply(table.game(), play(2, "red-treasury-1"), frontage("land-B2", GOLD))
    assert me(game)["reis"] == 10 - 3 - 3


def test_g9_a_land_that_cannot_be_paid_is_not_offered() -> None:
    # B2 costs 3 + 2 (the red cube must be taken, it is the only one): 3
    table = Table().rubble("B", 0, 1, 0).column(2, 0, 0, 0).column(1, 3, 0, 0).set(0, influence=0, reis=2)
    assert frontage("land-B2", GOLD) not in table.pending("build_store").game().legal()
    table = Table().rubble("B", 0, 1, 0).column(2, 0, 0, 0).set(0, influence=0, reis=3)
    assert frontage("land-B2", GOLD) in table.pending("build_store").game().legal()


def test_g11_houses_and_what_they_allow() -> None:
    table = Table().store(0, "land-B1", GOLD).store(0, "land-C1", GOLD).houses(0, 2, 0, 0)
    game = table.pending("store_house", a=number("land-D1"))
    game.fields["land_business"][number("land-D1")] = GOLD
    game.fields["city_large"] -= 1
    position = game.game()
    assert position.legal() == [1, 2]  # the left group has only two houses
    position.apply(2)
    assert me(position)["houses"] == [2, 0, 1]


def test_g12_a_store_scores_its_column_for_each_matching_building() -> None:
    # gold store on B2; west B shows gold + cloth, north gold shows gold + books, east B books + tools
    table = Table().building(1, "site-west-B", "building-1", 0).building(1, "site-north-gold", "building-3", 0)
    table.building(1, "site-east-B", "building-2", 0).rubble("B", 0, 0, 0).column(2, 0, 0, 0)
    table.state(scoring=[3, 2, 0, 1])  # column 2: scoring-3, worth 3
    game = apply(table.set(0, influence=0).pending("build_store").game(), frontage("land-B2", GOLD), 0)
    assert me(game)["wigs"] == 5 + 2 * 3


def test_g13_g14_tiles_streets_and_small_lands() -> None:
    table = Table().set(0, reis=90).pending("build_store")
    legal = table.game().legal()
    assert frontage("land-C3", CLOTH) in legal
    assert frontage("land-C3", BOOKS) in legal
    assert frontage("land-C3", GOLD) not in legal
    assert len(legal) == 39  # every frontage of the map
    table.fields["city"] = 0b01111  # no small tile
    table.fields["city_small"] += 1
    assert not any(core_land.startswith("land") and frontage(core_land, TOOLS) in table.game().legal()
                   for core_land in ("land-A5", "land-B5", "land-C5", "land-D5", "land-E5"))


# --- H. Public buildings --------------------------------------------------------------------------------------

def king(reis: int = 40, **player: object) -> Table:
    return Table().plans(0, "plan-green-1").set(0, reis=reis, influence=0, **player)


def test_h1_h2_cubes_come_before_the_reward() -> None:
    # the site's cubes complete a set: 3 spaces a good, so both gold fit beside the one already there
    table = king().cubes(0, 1, 0, 0).site("site-north-gold", 0, 1, 1).offer("building-1", 0)
    game = apply(table.pending("open_building").game(), number("site-north-gold"))
    assert me(game)["goods"][GOLD] == 3
    assert me(game)["cubes"] == [1, 1, 1]


def test_h3_reis_of_the_site_may_pay_for_hiring() -> None:
    # plan-green-1 asks for 2; none out: 2 x 3 = 6 réis, which is just what site west E gives
    table = king(reis=0).officials(0).offer("building-1", 0)
    table.fields["players"][0]["plans"] = 1 << number("plan-green-1") | table.player(0)["plans"]
    game = apply(table.pending("open_building").game(), number("site-west-E"))
    while kind(game) == "building_plan":
        game.apply(number("plan-green-1"))
    assert me(game)["reis"] == 0
    assert me(game)["completed"] == 1 << number("plan-green-1")


def test_h4_a_north_site_needs_its_streets_colour() -> None:
    table = king().offer("building-1", 0).offer("building-1", 0)  # green shows gold + cloth
    table.player(0)["plans"] = 1 << number("plan-green-1")
    held = {seat: table.player(seat)["plans"] for seat in (1, 2)}
    free = next(n for n in range(4) if all(not mask >> n & 1 for mask in held.values()))
    table.player(0)["completed"] = 1 << free  # the starting plan is used up
    legal = table.pending("open_building").game().legal()
    assert number("site-north-gold") in legal
    assert number("site-north-cloth") in legal
    assert number("site-north-books") not in legal
    assert number("site-west-A") in legal


def test_h6_enough_officials_go_home_by_choice() -> None:
    table = king().officials(0, (1, 1, 0), (1, 0, 0)).offer("building-1", 0).pending(
        "building_plan", a=number("site-west-C"))
    table.fields["site_building"][number("site-west-C")] = -2
    game = table.game()
    if kind(game) == "building_plan":
        game.apply(number("plan-green-1"))
    # 2 of: one at Maia's, one at the Marquis', one in the plazas
    assert sorted(game.legal()) == [1 + 9, 1 + 729, 9 + 729]
    game.apply(1 + 729)
    assert (me(game)["offices"], me(game)["plazas"], me(game)["officials"]) == ([0, 1, 0], [0, 0, 0], 7)
    assert me(game)["reis"] == 40


def test_h7_missing_officials_are_hired_at_the_treasury_value() -> None:
    table = king().officials(0, (1, 0, 0)).offer("building-1", 0).pending("building_plan", a=number("site-west-C"))
    table.fields["site_building"][number("site-west-C")] = -2
    game = table.game()
    if kind(game) == "building_plan":
        game.apply(number("plan-green-1"))
    assert me(game)["reis"] == 40 - 3
    assert me(game)["officials"] == 8


def test_h9_h10_h11_owners_score_whoever_opens() -> None:
    # building-1 green: gold + cloth. West B: row B only. The opener owns none of the stores
    table = king().store(1, "land-B1", GOLD).store(1, "land-B3", BOOKS).store(2, "land-B2", CLOTH)
    table.store(2, "land-C1", GOLD).state(scoring=[0, 1, 2, 3])  # columns 1-4 worth 2 3 3 4
    table.offer("building-1", 0).officials(0, (2, 0, 0)).pending("building_plan", a=number("site-west-B"))
    table.fields["site_building"][number("site-west-B")] = -2
    game = table.game()
    if kind(game) == "building_plan":
        game.apply(number("plan-green-1"))
    assert [p["wigs"] for p in game.fields()["players"][:3]] == [5, 5 + 2, 5 + 3]


def test_h10_a_north_building_scores_its_street_in_every_row() -> None:
    table = king().store(1, "land-B1", GOLD).store(1, "land-E2", GOLD).store(2, "land-B2", CLOTH)
    table.state(scoring=[0, 1, 2, 3]).offer("building-1", 0).officials(0, (2, 0, 0))
    table.pending("building_plan", a=number("site-north-gold"))
    table.fields["site_building"][number("site-north-gold")] = -2
    game = table.game()
    if kind(game) == "building_plan":
        game.apply(number("plan-green-1"))
    assert [p["wigs"] for p in game.fields()["players"][:3]] == [5, 5 + 2 + 3, 5]


def test_h12_two_cubes_of_the_short_colour_complete_two_sets() -> None:
    table = king().cubes(0, 2, 2, 0).site("site-west-C", 0, 0, 2).pending("open_building")
    game = apply(table.game(), number("site-west-C"))
    assert (me(game)["sets"], me(game)["markers"]) == (2, 2)


# --- I. Rubble sets, decrees -----------------------------------------------------------------------------------

def test_i2_a_set_widens_portfolio_and_warehouse_at_once() -> None:
    table = Table().cubes(0, 1, 1, 0).state(pile=[2, 2, 2]).set(0, goods=[2, 2, 2, 2])
    game = apply(table.pending("rubble_cube").game(), BLUE)
    assert (me(game)["sets"], me(game)["markers"]) == (1, 1)
    assert me(game)["goods"] == [2, 2, 2, 2]
    game.apply(play(0, "blue-maia-1"))
    assert me(game)["goods"][GOLD] == 3


def test_i3_i4_a_marker_buys_a_second_decree_once_a_turn() -> None:
    table = Table().cubes(0, 2, 2, 2).pending("take_decree").pending("take_decree")
    game = table.game()
    game.apply(game.legal()[0])
    assert kind(game) == "spend_marker"
    game.apply(1)
    game.apply(game.legal()[0])
    assert kind(game) == "take_decree"  # the second decree action of the turn
    game.apply(game.legal()[0])
    assert kind(game) == "play_card"  # no second marker, though one is left
    assert (me(game)["markers"], me(game)["sets"]) == (1, 2)


def test_i5_decrees_score_at_the_end_only() -> None:
    # decree-60: 1 wig for each decree, at most 6; decree-54: 2 for each set, at most 4
    table = Table().cubes(0, 2, 2, 2).decrees(0, "decree-60", "decree-54")
    game = table.game()
    assert me(game)["wigs"] == 5
    assert game.score_now()[0][core.CATEGORIES.index("decrees")] == 2 + 4


def test_i6_a_rubble_reward_takes_a_cube_of_choice_from_the_pile() -> None:
    game = Table().state(pile=[0, 1, 2]).pending("rubble_cube").game()
    assert game.legal() == [RED, BLUE]
    game.apply(RED)
    assert game.fields()["pile"] == [0, 0, 2]


def test_i6_an_empty_pile_gives_nothing() -> None:
    table = Table().state(pile=[0, 0, 0]).hand(0, "blue-maia-4", "blue-king-1")
    game = apply(table.game(), play(1, "blue-maia-4"))
    assert me(game)["cubes"] == [0, 0, 0]
    assert kind(game) == "trade"
