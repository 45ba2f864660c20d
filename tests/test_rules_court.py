"""Hand-worked tests of docs/rules.md D (visiting, following), E (trade, officials), F (ships, selling, producing)."""

from positions import (
    BOOKS,
    CLOTH,
    GOLD,
    KING,
    MAIA,
    MARQUIS,
    TOOLS,
    Table,
    apply,
    kind,
    me,
    number,
    play,
)

from engine_ext import core

RECRUIT, PLAN, SHIP, PRODUCE, CARDINAL, FAVOR = range(6)
NOBLE_ACTION = 6


# --- D. Visiting and following ---------------------------------------------------------------------------------------

def test_d1_cost_then_state_action_then_noble_action() -> None:
    # value 2, both rivals' official in the Marquis' office: 4 influence
    table = Table().hand(0, "blue-marquis-1", "blue-king-1").set(0, influence=4).store(0, "land-B1", GOLD)
    game = apply(table.game(), play(2, "blue-marquis-1"))
    assert me(game)["influence"] == 0
    assert (kind(game), game.legal()) == ("visit_state_action", [core.STOP, SHIP, PRODUCE])
    game.apply(core.STOP)
    assert kind(game) == "take_decree"


def test_d3_a_visits_state_action_needs_no_good() -> None:
    table = Table().hand(0, "blue-marquis-1", "blue-king-1").set(0, influence=4, goods=[0, 0, 0, 0])
    game = apply(table.store(0, "land-B1", GOLD).game(), play(2, "blue-marquis-1"))
    assert game.legal() == [core.STOP, PRODUCE]  # a ship's own good is still due
    game.apply(PRODUCE)
    assert me(game)["goods"] == [1, 0, 0, 0]


def test_d5_no_visit_without_the_noble_action() -> None:
    # no store can be paid for: 0 réis, and influence 2 goes into the visit (value 2, no rival there)
    table = Table().hand(0, "blue-maia-3", "blue-king-1").set(0, reis=0, influence=2).bottom(0)
    for row in "ABCDE":
        table.rubble(row, 3, 0, 0)
    for column in range(1, 6):
        table.column(column, 1, 1, 1)
    for site in ("west-A", "west-B", "west-C", "west-D", "west-E", "east-A", "east-B", "east-C", "east-D", "east-E",
                 "north-gold", "north-cloth", "north-books", "north-tools"):
        table.site(f"site-{site}", 0, 1, 1)
    table.state(pile=[0, 0, 0])
    # cheapest: 3 + 9 + 6 - 3 = 15 réis against 5 of the land's own
    assert play(2, "blue-maia-3") not in table.game().legal()


def test_d5_a_state_action_first_may_make_it_possible() -> None:
    # no official out, treasury value 3: a plan for 2 costs 6 réis to staff. clergy-28 beside the cardinal takes one
    # official off: 3 réis
    table = Table().hand(0, "blue-king-1", "blue-maia-3").officials(0).set(0, reis=1, influence=4)
    table.church("clergy-7", "clergy-28", "clergy-8", "clergy-10", "clergy-35", "clergy-34")
    table.officials(1).officials(2)
    for site in range(14):
        if site != number("site-west-C"):  # leave only a site whose reward cannot help
            table.fields["site_building"][site] = -3
    game = table.game()
    # cost 2: 2 influence left make 1 real: 2 réis in all against 2 x 3
    assert play(2, "blue-king-1") not in game.legal()
    table.set(0, reis=2)
    # with clergy-28 one official is needed: 3 réis = 2 + 1
    game = table.game()
    assert play(2, "blue-king-1") in game.legal()
    game.apply(play(2, "blue-king-1"))
    assert (kind(game), game.legal()) == ("meet_cardinal", [1, 2])  # both reach the tile; no other way on


def test_d6_d7_following_returns_the_favor_and_costs_what_it_costs_now() -> None:
    table = Table().hand(0, "blue-marquis-1", "blue-king-1").set(0, influence=4).favors(1, MARQUIS)
    table.set(1, influence=5)
    game = apply(table.game(), play(2, "blue-marquis-1"), core.STOP)
    game.apply(game.legal()[0])
    assert (kind(game), game.seat) == ("follow", 1)
    stock = game.fields()["favor_stock"][MARQUIS]
    game.apply(1)
    assert game.fields()["favor_stock"][MARQUIS] == stock + 1
    # value 2 + my official + seat 2's: 4
    assert me(game, 1)["influence"] == 1
    assert kind(game) == "follow_action"


def test_d7_my_new_ship_lowers_what_a_follower_pays() -> None:
    table = Table().treasury(3).hand(0, "blue-marquis-1", "blue-king-1").set(0, influence=4).favors(1, MARQUIS)
    game = apply(table.game(), play(2, "blue-marquis-1"), SHIP, 1 << GOLD)
    assert game.fields()["treasury"] == 3  # space 4: influence value 1
    assert game.visit_cost(1, MARQUIS) == 1 + 1 + 1


def test_d8_two_followers_may_pick_the_same_action() -> None:
    table = Table().hand(0, "blue-marquis-1", "blue-king-1").set(0, influence=4)
    table.favors(1, MARQUIS).favors(2, MARQUIS).set(1, influence=9).set(2, influence=9)
    game = apply(table.game(), play(2, "blue-marquis-1"), core.STOP)
    game.apply(game.legal()[0])
    for seat in (1, 2):
        assert game.seat == seat
        apply(game, 1, NOBLE_ACTION)
        game.apply(game.legal()[0])
    assert [bin(me(game, seat)["decrees"][0] | me(game, seat)["decrees"][1]).count("1") for seat in (1, 2)] == [1, 1]


def test_d9_the_kings_follower_may_take_back_the_favor_just_returned() -> None:
    table = Table().pending("follow_window", 0, KING, 1).favors(1, KING, MAIA, MARQUIS).set(1, influence=9)
    game = apply(table.game(), 1, FAVOR)
    assert me(game, 1)["favors"] == 7  # all three again: it was the only one he lacked


def test_d10_the_visitor_does_not_follow_himself() -> None:
    table = Table().hand(0, "blue-marquis-1", "blue-king-1").set(0, influence=9).favors(0, MARQUIS)
    game = apply(table.game(), play(2, "blue-marquis-1"), core.STOP)
    game.apply(game.legal()[0])
    assert kind(game) == "take_card"


def test_d11_a_used_display_space_stays_empty_within_the_turn() -> None:
    table = Table().set(0, reis=60).set(1, reis=60, influence=9).favors(1, MAIA)
    table.pending("follow_window", 0, MAIA, 1).pending("build_store", 0)
    game = table.game()
    game.apply(number("land-D2") * 4 + GOLD)
    while kind(game) != "follow":
        game.apply(game.legal()[0])
    apply(game, 1, NOBLE_ACTION)
    assert not any(argument & 3 == GOLD for argument in game.legal())
    assert any(argument & 3 == CLOTH for argument in game.legal())


def test_d12_followers_choose_from_the_decrees_left() -> None:
    table = Table().pending("follow_window", 0, MARQUIS, 1).pending("take_decree", 0).favors(1, MARQUIS)
    game = table.set(1, influence=9).game()
    first = game.legal()[0]
    apply(game, first, 1, NOBLE_ACTION)
    assert len(game.legal()) == 7
    assert first not in game.legal()


# --- E. Trade and officials --------------------------------------------------------------------------

def trade(table: Table) -> core.Game:
    return table.pending("trade").game()


def test_e1_two_goods_on_two_different_actions() -> None:
    game = apply(trade(Table()), PLAN)
    game.apply(TOOLS)
    game.apply(0)
    assert kind(game) == "trade"
    assert PLAN not in game.legal()
    assert core.STOP in game.legal()
    apply(game, RECRUIT, 0b001)  # gold is left for it
    assert kind(game) == "play_card"


def test_e2_a_good_just_produced_may_pay_the_second_action() -> None:
    table = Table().set(0, goods=[0, 0, 1, 0]).store(0, "land-B1", GOLD)
    game = trade(table)  # producing was the only thing the book could buy, and resolved itself
    assert me(game)["goods"] == [1, 0, 0, 0]
    assert RECRUIT in game.legal()


def test_e3_who_accepts_what() -> None:
    game = apply(trade(Table()), RECRUIT)
    assert (kind(game), game.legal()) == ("trade_good", [GOLD, TOOLS])
    game = apply(trade(Table()), SHIP)
    assert game.legal() == [GOLD, BOOKS]
    game = apply(trade(Table()), FAVOR)
    assert game.legal() == [GOLD, CLOTH]


def test_e4_producing_without_a_store_is_not_offered() -> None:
    assert PRODUCE not in trade(Table()).legal()


def test_e6_up_to_two_officials_in_different_offices() -> None:
    game = Table().pending("recruit", a=2).game()
    assert game.legal() == [0b001, 0b010, 0b011, 0b100, 0b101, 0b110]
    game.apply(0b101)
    assert (me(game)["offices"], me(game)["officials"]) == ([1, 1, 1], 5)


def test_e7_a_full_office_sends_one_of_each_tied_colour_to_the_plaza() -> None:
    # 2 + 2 of the rivals fill the Builder's four spaces
    table = Table().officials(1, (2, 0, 0)).officials(2, (2, 0, 0)).pending("recruit", a=1)
    game = apply(table.game(), 0b001)
    assert (me(game, 1)["offices"][0], me(game, 1)["plazas"][0]) == (1, 1)
    assert (me(game, 2)["offices"][0], me(game, 2)["plazas"][0]) == (1, 1)
    assert me(game, 0)["offices"][0] == 1


def test_e7_it_may_be_my_own_colour() -> None:
    table = Table().officials(0, (3, 0, 0)).officials(1, (1, 0, 0)).pending("recruit", a=1)
    game = apply(table.game(), 0b001)
    assert (me(game)["offices"][0], me(game)["plazas"][0]) == (3, 1)


def test_e8_neutral_officials_never_move() -> None:
    table = Table(2).officials(0, (1, 0, 0)).officials(1, (2, 0, 0)).pending("recruit", a=1)
    game = apply(table.game(), 0b001)
    assert (me(game, 1)["offices"][0], me(game, 1)["plazas"][0]) == (1, 1)
    assert game.fields()["neutral"] == 1


def test_e10_no_official_on_the_board_no_recruiting() -> None:
    assert RECRUIT not in trade(Table().officials(0, (2, 2, 2), (2, 0, 0))).legal()
    one = Table().officials(0, (2, 2, 2), (1, 0, 0)).pending("recruit", a=2).game()
    assert one.legal() == [0b001, 0b010, 0b100]


def test_e12_no_favor_beyond_the_three() -> None:
    assert FAVOR not in trade(Table().favors(0, MAIA, MARQUIS, KING)).legal()


def test_e13_four_clergy_tiles_keep_the_cardinal_away() -> None:
    table = Table().clergy(0, "clergy-1", "clergy-2", "clergy-3", "clergy-5")
    assert CARDINAL not in trade(table).legal()


# --- F. Ships, selling, producing ---------------------------------------------------------------------------

def test_f1_the_price_is_hull_many_different_goods() -> None:
    # the two blue ships are gone: red, hull 2
    table = Table().state(ship_pos=2).set(0, goods=[2, 1, 0, 0]).pending("build_ship")
    game = table.game()
    assert me(game)["goods"] == [1, 0, 0, 0]  # one gold and one cloth, the only way
    table = Table().state(ship_pos=2).set(0, goods=[2, 0, 0, 0])
    assert SHIP not in trade(table).legal()


def test_f2_discount_and_replacement_add_up() -> None:
    # brown (hull 4) for red (hull 2) with one middle house: 4 - 2 - 1 = 1
    table = Table().state(period=1, ship_pos=2).top(0, ("ship-red-1", 0, 0))
    table.store(0, "land-B1", GOLD).houses(0, 0, 1, 0)
    table.state(gone_cards=[sum(1 << n for n in range(21, 41)), 0], deck_pos=[0] * 4)
    table.set(0, goods=[0, 1, 0, 0]).pending("build_ship")
    table.fields["decks"][0] = [[0] * 5] * 4
    game = table.game()
    assert (me(game)["goods"], me(game)["top"][0]) == ([0, 0, 0, 0], number("ship-brown-1"))


def test_f3_the_third_middle_house_makes_ships_free() -> None:
    table = Table().set(0, goods=[0, 0, 0, 0]).pending("build_ship")
    for land in ("land-B1", "land-C1", "land-D1"):
        table.store(0, land, GOLD)
    game = table.houses(0, 0, 3, 0).game()
    assert me(game)["n_top"] == 1


def test_f4_treasury_up_then_influence_with_the_new_ship() -> None:
    # noble 2 + blue ship 1
    game = Table().top(0, "blue-maia-3").set(0, influence=1, goods=[1, 0, 0, 0]).pending("build_ship").game()
    assert game.fields()["treasury"] == 3
    assert me(game)["influence"] == 1 + 3


def test_f5_no_ship_left_no_building_one() -> None:
    assert SHIP not in trade(Table(2).state(ship_pos=2)).legal()


def test_f6_cargo_moves_to_the_new_ship() -> None:
    table = Table().state(ship_pos=2).top(0, ("ship-red-1", 1, 0)).set(0, goods=[0, 0, 0, 0])
    table.state(ship_pos=3).pending("place_ship", a=number("ship-red-1"))
    game = table.game()
    assert (me(game)["top"][0], me(game)["cargo"][0]) == (number("ship-red-2"), 1)


def test_f7_n32_crates_of_a_replaced_ship_stay_aboard_and_earn_nothing_again() -> None:
    # a blue ship at sea (one crate) replaced by red (hull 2): one space left; filling it earns one wig, not two
    table = Table().state(ship_pos=2).top(0, ("ship-blue-1", 0, 1)).pending("sell").pending(
        "place_ship", a=number("ship-blue-1"))
    game = table.set(0, influence=0).game()
    assert me(game)["packed"][0] == 1
    game.apply(GOLD * 16 + number("ship-red-1") - core.SHIP_BASE)
    assert me(game)["ledger"][1] == 1
    assert me(game)["packed"][0] == 2


def test_f8_selling_pays_price_plus_ship_modifier_and_the_owner_earns_the_hull() -> None:
    table = Table().top(1, ("ship-red-1", 1, 0)).set(0, goods=[1, 1, 0, 0]).pending("sell")
    game = apply(table.game(), GOLD * 16 + number("ship-red-1") - core.SHIP_BASE)
    assert me(game)["reis"] == 10 + 6 + 1  # gold 6, red ship +1
    assert me(game, 1)["wigs"] == 5 + 2
    assert game.fields()["price"] == [6, 4, 4, 5]  # F10


def test_f9_a_full_ship_is_closed_and_selling_goes_on_elsewhere() -> None:
    table = Table().top(1, ("ship-blue-1", 0, 0)).top(2, ("ship-red-1", 0, 0)).pending("sell")
    game = apply(table.game(), TOOLS * 16 + number("ship-blue-1") - core.SHIP_BASE)
    assert {argument & 15 for argument in game.legal() if argument != core.STOP} == {
        number("ship-red-1") - core.SHIP_BASE}


def test_f11_f12_a_price_falls_by_one_for_each_type_kept() -> None:
    table = Table().set(0, goods=[1, 1, 2, 1]).pending("produce")
    table.store(0, "land-B3", BOOKS).store(0, "land-B2", CLOTH).houses(0, 2, 0, 0)
    game = table.game()
    assert me(game)["goods"] == [1, 2, 2, 1]
    assert game.fields()["price"] == [6, 3, 4, 5]  # the full book row keeps its price


def test_f13_the_house_bonus_is_a_good_of_a_type_produced_now() -> None:
    table = Table().cubes(0, 1, 1, 1).set(0, goods=[1, 0, 0, 0]).pending("produce")
    table.store(0, "land-B2", CLOTH).store(0, "land-B1", GOLD).houses(0, 0, 0, 2)
    game = table.game()
    assert (kind(game), game.legal()) == ("produce_bonus", [GOLD, CLOTH])
    game.apply(CLOTH)
    assert me(game)["goods"] == [2, 2, 0, 0]


def test_f14_a_price_at_its_lowest_stays() -> None:
    table = Table().state(price=[3, 4, 4, 5]).store(0, "land-B1", GOLD).pending("produce")
    assert table.game().fields()["price"][GOLD] == 3
