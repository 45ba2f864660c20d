"""Hand-worked tests of docs/rules.md N, the settled points: N1 (set-up) to N16 (lost capacity)."""

from typing import Any

from positions import (
    BOOKS,
    CARDINAL,
    CATEGORY,
    CLOTH,
    COURT,
    ENGINE,
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
    Table,
    apply,
    base,
    edition_with,
    frontage,
    kind,
    me,
    number,
    pass_turn,
    play,
    source,
)

from engine_ext import core


def rewards_with(**swapped: str) -> core.Edition:
    """The bundled edition in which some things (land_B2 for land-B2) reward what others do."""
    rows = list(ENGINE.tables()["sources"])
    for thing, like in swapped.items():
        rows[source(thing.replace("_", "-"))] = rows[source(like)]
    return edition_with(sources=rows)


# --- N1, N2: set-up ---------------------------------------------------------------------------------------------------


def dealt(draft: bool = False, **changes: Any) -> core.Game:
    return core.Game.from_setup(ENGINE, core.Game.deal(ENGINE, 3, 1, draft=draft).setup() | changes)


def test_n1_all_draw_before_anyone_chooses() -> None:
    game = dealt(clergy=list(range(37)))
    assert [game.fields()["drawn"][seat] for seat in range(3)] == [[0, 1], [2, 3], [4, 5]]
    for seat in range(3):
        assert (kind(game), game.seat, game.legal()) == ("keep_clergy", seat, [2 * seat, 2 * seat + 1])
        game.apply(2 * seat)


def test_n1_rejected_tiles_go_back_in_seat_order_to_places_the_set_up_fixed() -> None:
    # the bag is 6 7 8 ...: 1 to place 0, then 3 to place 1, then 5 to place 2. In another order 6 would come between
    game = dealt(clergy=list(range(37)), clergy_returns=[0, 1, 2, core.UNKNOWN])
    assert apply(game, 0, 2, 4).fields()["church"] == [1, 3, 5, 6, 7, 8]


def test_n2_the_draft_keeps_two_and_passes_three_then_one_and_two_then_one_and_one() -> None:
    hands = [[0, 1, 2, 3, 4], [5, 6, 7, 8, 9], [10, 11, 12, 13, 14], [core.UNKNOWN] * 5]
    game = dealt(draft=True, hands=hands)
    for _ in range(3):
        game.apply(game.legal()[0])  # the clergy choice comes before it
    packets = [  # seat, what is offered, what is kept; the left neighbour is the next seat
        (0, [0, 1, 2, 3, 4], 0), (0, [1, 2, 3, 4], 1),
        (1, [5, 6, 7, 8, 9], 5), (1, [6, 7, 8, 9], 6),
        (2, [10, 11, 12, 13, 14], 10), (2, [11, 12, 13, 14], 11),
        (0, [12, 13, 14], 12), (1, [2, 3, 4], 2), (2, [7, 8, 9], 7),
        (0, [8, 9], 8), (1, [13, 14], 13), (2, [3, 4], 3),
    ]  # fmt: skip
    for seat, offered, kept in packets:
        assert (kind(game), game.seat, game.legal()) == ("draft_keep", seat, offered)
        game.apply(kept)
    assert kind(game) == "play_card"
    held = [sorted(player["hand"]) for player in game.fields()["players"][:3]]
    assert held == [[0, 1, 4, 8, 12], [2, 5, 6, 9, 13], [3, 7, 10, 11, 14]]


# --- N3 to N6: docks and ships ----------------------------------------------------------------------------------------


def test_n3_a_card_makes_room_only_if_it_is_needed() -> None:
    table = base().hand(0, "blue-king-4", "blue-maia-1")
    assert kind(apply(table.top(0, "blue-maia-3").game(), play(PORTFOLIO, "blue-king-4"))) == "trade"
    table.top(0, "blue-maia-3", "blue-king-5")
    assert kind(apply(table.game(), play(PORTFOLIO, "blue-king-4"))) == "make_room"


def test_n3_a_new_ship_may_always_replace_an_old_one() -> None:
    # one of two slots is taken: an empty dock, or the old ship's; no card may be given up
    table = Table().top(0, "ship-blue-1").pending("build_ship")
    assert table.game().legal() == [core.STOP, number("ship-blue-1")]
    assert Table().top(0, "blue-maia-3").pending("build_ship").game().legal() == [1, 2, 4, 8]  # the good is asked for


def test_n4_any_ship_given_up_for_a_ship_counts_as_replaced() -> None:
    # at the limit of two something has to go: for the noble card two goods are due, for the red ship 2 - 2
    table = Table().top(0, ("ship-red-1", 1, 0), "blue-maia-3").state(ship_pos=3).pending("build_ship")
    game = table.game()
    assert game.legal() == [number("ship-red-1"), number("blue-maia-3")]
    instead = apply(game.copy(), number("blue-maia-3"))
    assert (kind(instead), instead.context[0]) == ("ship_goods", 2)
    game.apply(number("ship-red-1"))
    assert me(game)["goods"] == [1, 1, 1, 1]
    assert me(game)["top"][:2] == [number("blue-maia-3"), number("ship-red-2")]
    assert me(game)["cargo"] == [0, 1, 0]


def test_n5_dock_goods_card_ship_treasury_influence() -> None:
    # two nobles of 2 fill the portfolio; one goes for a red ship (hull 2, influence 1)
    table = Table().top(0, "blue-maia-3", "blue-king-5").state(ship_pos=2).set(0, influence=1).pending("build_ship")
    game = table.game()
    assert (kind(game), game.legal()) == ("build_ship", [number("blue-maia-3"), number("blue-king-5")])
    game.apply(number("blue-king-5"))
    assert (kind(game), me(game)["n_top"], game.fields()["treasury"] + 1) == ("ship_goods", 2, 3)
    game.apply(1 << GOLD | 1 << TOOLS)
    assert me(game)["goods"] == [0, 1, 1, 0]
    assert me(game)["top"][:2] == [number("blue-maia-3"), number("ship-red-1")]
    assert game.fields()["treasury"] + 1 == 3 + 1
    assert me(game)["influence"] == 1 + 2 + 1  # without the card that went, with the ship


def test_n6_moved_cargo_that_fills_the_new_hull_sails_and_the_rest_goes_to_the_supply() -> None:
    # an edition in which blue hulls hold 3 and red ones 1: two goods move, one fits
    table = Table(engine=edition_with(ship_hull=[3, 1, 3, 4])).top(0, ("ship-blue-1", 2, 0)).state(ship_pos=2)
    game = apply(table.pending("build_ship").game(), number("ship-blue-1"))
    assert me(game)["top"][0] == number("ship-red-1")
    assert (me(game)["cargo"][0], me(game)["packed"][0]) == (0, 1)
    assert me(game)["ledger"][CATEGORY["sailed"]] == 1
    assert me(game)["goods"] == [1, 1, 1, 1]


# --- N7 to N9: what is possible ---------------------------------------------------------------------------------------


def test_n7_a_traded_action_has_to_be_possible_after_its_good_was_paid() -> None:
    # one gold: a blue ship costs one good, and none would be left for it
    table = base().set(0, goods=[1, 0, 0, 0]).pending("trade")
    assert table.game().legal() == [RECRUIT, PLAN, CARDINAL, FAVOR]
    # two: one for the Marquis, one for the ship
    assert SHIP in table.set(0, goods=[2, 0, 0, 0]).game().legal()
    # books are full, but paying one of them makes room to produce; paying gold does not
    table = base().store(0, "land-B3", BOOKS).set(0, goods=[1, 0, 2, 0]).pending("trade")
    game = apply(table.game(), PRODUCE)  # books pay, without a question
    assert me(game)["goods"] == [1, 0, 2 - 1 + 1, 0]


def test_n8_an_event_needs_an_effect_that_is_possible_after_the_payment() -> None:
    def sponsor(table: Table, card: str) -> bool:
        return play(COURT, card) in table.hand(0, card, "blue-king-1").game().legal()

    assert sponsor(base(), "blue-treasury-4")
    assert not sponsor(base().favors(0, MAIA, MARQUIS, KING), "blue-treasury-4")  # a favor
    assert sponsor(base(), "blue-treasury-3")
    assert not sponsor(base().set(0, goods=[0] * 4), "blue-treasury-3")  # a ship
    assert sponsor(base(), "red-treasury-5")  # nothing to produce, but a wig: one of two effects will do
    # A store: 3 for the event, then 3 for land B2 without a cube. Lands that give 5 réis cost 3 + 3 x 3 - 3 = 9 or more
    table = base().set(0, influence=0, reis=5).rubble("B", 0, 0, 0).column(2, 0, 0, 0)
    table.rubble("C", 3, 0, 0).column(1, 3, 0, 0).column(4, 3, 0, 0)
    assert not sponsor(table, "red-treasury-1")
    assert sponsor(table.set(0, reis=6), "red-treasury-1")


def test_n8_splits_that_would_leave_nothing_possible_are_not_offered() -> None:
    # Event: a store. 3 réis and influence 10 (6 réis), 3 are due. Only land A2 is free; it costs 3 + 6 + 2 - 3 = 8, and
    # first gives a gain of 4. By influence 0: 10, 0 réis, stays 10: 6. By 1: 9 -> 10, 1 + 6. By 2: 8 -> 10, 2 + 6 = 8.
    # By 3: 6 -> 10, 3 + 6
    table = base().top(0, "blue-maia-3", "blue-king-5").set(0, influence=10, reis=3).rubble("A", 2, 0, 0)
    table.column(2, 0, 1, 0).hand(0, "red-treasury-1", "blue-king-1")
    for land in range(24):
        if land != number("land-A2"):
            table.fields["land_business"][land] = -2  # as row E with two players
    game = apply(table.game(), play(COURT, "red-treasury-1"))
    assert (kind(game), game.legal()) == ("pay_reis", [2, 3])


def test_n9_each_effect_is_judged_when_its_turn_comes() -> None:
    # "produce, wigs 1" without a store: the first is lost, the second comes all the same
    game = base().pending("effects", a=source("purple-marquis-2")).game()
    assert (kind(game), me(game)["wigs"]) == ("play_card", 5 + 1)
    # "good gold 1, ship" without a good: the gold pays for the ship
    rows = list(ENGINE.tables()["sources"])
    ship, gold = rows[source("purple-marquis-4")], rows[source("land-C1")]
    rows[source("blue-maia-1")] = ship | {"n_rewards": 2, "rewards": [*gold["rewards"][:1], *ship["rewards"][:3]]}
    table = base(engine=edition_with(sources=rows)).set(0, goods=[0] * 4)
    game = table.pending("effects", a=source("blue-maia-1")).game()
    assert (me(game)["goods"], me(game)["top"][0]) == ([0] * 4, number("ship-blue-1"))


def test_n9_a_whole_ship_store_or_building_is_carried_out_or_lost() -> None:
    for card, decision in (
        ("purple-marquis-4", "ship_goods"),
        ("red-treasury-1", "build_store"),
        ("red-treasury-4", "open_building"),
    ):
        table = base().pending("effects", a=source(card))
        assert kind(table.game()) == decision
        table.set(0, goods=[0] * 4, reis=0, influence=0, plans=0, completed=1 << number("plan-green-start-1"))
        for row in "ABCDE":  # no land pays for itself
            table.rubble(row, 2, 0, 0)
        assert kind(table.game()) == "play_card"


# --- N10 to N13: stores, buildings, producing -------------------------------------------------------------------------


def test_n10_neither_tile_nor_land_is_free_while_the_reward_resolves() -> None:
    # an edition in which land D2 rewards another store
    table = base(engine=rewards_with(land_D2="red-treasury-1")).set(0, reis=60).pending("build_store")
    game = table.game()
    before = {divmod(argument, 4) for argument in game.legal()}
    game.apply(frontage("land-D2", GOLD))
    assert kind(game) == "build_store"
    now = {divmod(argument, 4) for argument in game.legal()}
    assert now == {(land, business) for land, business in before if land != number("land-D2") and business != GOLD}


def test_n10_the_store_is_its_builders_from_the_house_step_on() -> None:
    # an edition in which land B2 rewards producing: without another store there is nothing to produce yet
    table = base(engine=rewards_with(land_B2="red-marquis-2")).set(0, influence=0).rubble("B", 0, 0, 0)
    game = apply(table.column(2, 0, 0, 0).pending("build_store").game(), frontage("land-B2", GOLD))
    assert (kind(game), me(game)["goods"], me(game)["stores"]) == ("store_house", [1, 1, 1, 1], [0, 0, 0, 0])
    assert game.fields()["land_owner"][number("land-B2")] == -1
    game.apply(0)
    assert (me(game)["stores"], game.fields()["land_owner"][number("land-B2")]) == ([1, 0, 0, 0], 0)
    # with another one, that one alone produces
    table.store(0, "land-C1", GOLD).set(0, goods=[0] * 4)
    assert me(apply(table.game(), frontage("land-B2", CLOTH)))["goods"] == [1, 0, 0, 0]


def test_n11_a_site_needs_a_plan_held_by_then_whose_tile_fits() -> None:
    # site east A gives a plan, which would come too late
    table = base().officials(0, (2, 2, 0)).hand(0, "blue-king-1", "blue-maia-1")
    assert play(COURT, "blue-king-1") in table.game().legal()
    table.set(0, plans=0, completed=1 << number("plan-green-start-1"))
    assert play(COURT, "blue-king-1") not in table.game().legal()
    # at the books street's end only the blue architect's tile fits: gold and cloth against books and tools
    table = base().officials(0, (2, 2, 0)).offer("building-1", 0).offer("building-9", 1).pending("open_building")
    assert number("site-north-books") not in table.game().legal()
    assert number("site-north-books") in table.plans(0, "plan-blue-1").game().legal()


def test_n11_the_opening_has_to_be_possible_after_cubes_and_reward() -> None:
    # Two officials are needed, 3 each to hire, and there is no real. West A rewards officials 2, west E 6 réis; nothing
    # else does: east E 5 réis, east A, east B and north cloth 2, the rest none
    table = base().officials(0).set(0, reis=0, influence=0).offer("building-1", 0).pending("open_building")
    game = table.game()
    assert game.legal() == [number("site-west-A"), number("site-west-E")]
    game.apply(number("site-west-E"))
    assert (me(game)["reis"], me(game)["completed"]) == (6 - 6, 1 << number("plan-green-start-1"))


def test_n11_a_plan_that_the_site_rewards_does_not_make_the_site_eligible() -> None:
    # The plan held asks for five; two officials are out, and three more would cost 8 each. A plan that site east A may
    # bring asks for two, but it is not held by then
    held = number("plan-blue-8")
    table = base().officials(0, (2, 0, 0)).set(0, reis=0, influence=0, completed=1 << number("plan-green-start-1"))
    table.set(0, plans=0).plans(0, "plan-blue-8").treasury(8).hand(0, "blue-king-1", "blue-maia-1").officials(1)
    assert me(table.game())["plans"] == 1 << held
    assert play(COURT, "blue-king-1") not in table.game().legal()
    # with one of them in hand the site can be chosen
    table.plans(0, "plan-green-1").pending("open_building")
    assert number("site-east-A") in table.game().legal()


def test_n11_a_plan_just_won_may_be_the_one_shown() -> None:
    table = base().officials(0, (2, 2, 0)).offer("building-1", 0).offer("building-2", 1).pending("open_building")
    won = table.fields["plan_stack"][1][0]
    game = apply(table.game(), number("site-east-A"), 1)  # from the blue stack
    assert game.fields()["site_building"][number("site-east-A")] == -2  # no tile before the plan is shown
    assert (kind(game), game.legal()) == ("building_plan", [number("plan-green-start-1"), won])
    game.apply(won)
    assert game.fields()["site_building"][number("site-east-A")] == 2 * number("building-2") + 1


def test_n12_officials_in_plazas_are_one_pool() -> None:
    # answers are a + 9b + 81c + 729p: one from Maia's office and one of a plaza, or two of the plazas
    for plazas in ((2, 0, 0), (0, 1, 1), (1, 0, 1)):
        table = base().officials(0, (1, 0, 0), plazas).offer("building-1", 0).site("site-west-C", 0, 0, 0)
        game = apply(table.pending("open_building").game(), number("site-west-C"))
        assert (kind(game), sorted(game.legal())) == ("building_officials", [1 + 729, 2 * 729])
        assert sum(me(apply(game, 1 + 729))["plazas"]) == 1


def producer() -> Table:
    """Two cloth stores and a books store, an empty warehouse with room for 3 of each, the first house on the right."""
    table = base().cubes(0, 1, 1, 1).set(0, goods=[0] * 4).store(0, "land-B2", CLOTH).store(0, "land-C2", CLOTH)
    return table.store(0, "land-B3", BOOKS).houses(0, 2, 0, 1).pending("produce")


def test_n13_stores_then_benefits_then_the_house_then_prices() -> None:
    game = producer().game()
    assert (kind(game), game.legal(), me(game)["goods"]) == ("produce_bonus", [CLOTH, BOOKS], [0, 2, 1, 0])
    assert game.fields()["price"] == [6, 4, 4, 5]  # not yet
    assert apply(game, CLOTH).fields()["price"] == [6, 4 - 1, 4 - 1, 5]
    # clergy-20, produce cloth +1, fills the row before the house's good is chosen: books are all that is left
    game = producer().clergy(0, "clergy-20").game()
    assert me(game)["goods"] == [0, 2 + 1, 1 + 1, 0]
    assert game.fields()["price"] == [6, 4 - 1, 4 - 1, 5]


def test_n13_a_type_is_produced_if_a_good_of_a_store_was_kept() -> None:
    # clergy-21, produce books +1. Books are full: not produced, no benefit, no bonus, and the price stays
    game = producer().clergy(0, "clergy-21").set(0, goods=[0, 0, 3, 0]).game()
    assert me(game)["goods"] == [0, 2 + 1, 3, 0]
    assert game.fields()["price"] == [6, 4 - 1, 4, 5]
    # room for one: it is the store's, so books count as produced though the benefit is lost
    game = producer().clergy(0, "clergy-21").set(0, goods=[0, 0, 2, 0]).game()
    assert me(game)["goods"] == [0, 2 + 1, 3, 0]
    assert game.fields()["price"] == [6, 4 - 1, 4 - 1, 5]


# --- N14 to N16: the church -------------------------------------------------------------------------------------------


def test_n14_without_a_tile_in_reach_the_cardinal_is_not_available_and_a_reward_is_lost() -> None:
    # from gap 0 one step reaches tiles 0 and 1, two steps 1 and 2
    table = Table().church(None, None, None, "clergy-10", "clergy-35", "clergy-34")
    assert CARDINAL in Table().church(None, None, "clergy-9", "clergy-10", None, None).pending("trade").game().legal()
    game = apply(table.hand(0, "blue-king-2", "blue-maia-1").game(), play(PORTFOLIO, "blue-king-2"))
    assert (kind(game), game.fields()["cardinal"]) == ("trade", 0)
    assert CARDINAL not in game.legal()


def scoring(table: Table) -> core.Game:
    """The church scoring at the end of seat 0's turn, called by that seat."""
    return pass_turn(table.state(church_caller=0).game())


def test_n15_a_tile_given_up_no_longer_helps_that_scorings_gain() -> None:
    # clergy-29: influence gain +1. The top row is worth 2
    table = Table().clergy(0, "clergy-29", "clergy-3").top(0, "blue-maia-3").set(0, influence=1)
    assert me(apply(scoring(table), number("clergy-29")))["influence"] == 1 + 2
    assert me(apply(scoring(table), number("clergy-3"), core.STOP))["influence"] == 1 + 2 + 1


def test_n16_goods_over_a_lost_limit_leave_at_once() -> None:
    # clergy-30: warehouse +1
    table = Table().clergy(0, "clergy-30", "clergy-36").set(0, goods=[1, 3, 3, 2])
    game = apply(scoring(table), number("clergy-30"))
    # a gold came for the turn's card; the second tile is still to be decided on
    assert (kind(game), me(game)["goods"]) == ("give_clergy", [1 + 1, 2, 2, 2])


def test_n16_cards_over_a_lost_limit_are_given_up_at_once_by_choice() -> None:
    # clergy-31: portfolio +1
    table = base().clergy(0, "clergy-31").top(0, "blue-maia-3", "blue-king-5").bottom(0, "blue-treasury-1")
    game = apply(scoring(table.set(0, influence=1)), number("clergy-31"))
    three = [number(card) for card in ("blue-maia-3", "blue-king-5", "blue-treasury-1")]
    assert (kind(game), game.legal()) == ("shed", three)
    game.apply(number("blue-king-5"))
    assert (me(game)["n_top"], me(game)["n_bottom"]) == (1, 1)
    assert me(game)["influence"] == 1 + 2  # the scoring's gain comes after the card has gone
