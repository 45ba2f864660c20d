"""More hand-worked tests of docs/rules.md A to I: values along the tracks, and what the chapters leave open."""

from typing import Any

from positions import (
    BOOKS,
    CLOTH,
    ENGINE,
    GOLD,
    KING,
    MAIA,
    MARQUIS,
    TOOLS,
    Table,
    apply,
    frontage,
    kind,
    me,
    number,
    play,
)

from engine_ext import core

RECRUIT, PLAN, SHIP, PRODUCE, CARDINAL, FAVOR = range(6)
CATS = {name: number for number, name in enumerate(core.CATEGORIES)}
B1, B2, R1, R2 = (f"ship-{ship}" for ship in ("blue-1", "blue-2", "red-1", "red-2"))


def base(seats: int = 3, *, queen: bool = False) -> Table:
    """A table with scoring numbers 2 3 3 4 (4) and known starting plans of two officials each."""
    table = Table(seats, queen=queen).state(scoring=[0, 1, 2, 3])
    starting = ["plan-green-start-1", "plan-green-start-2", "plan-blue-start-1", "plan-blue-start-2"]
    for seat in range(seats):
        table.set(seat, plans=1 << number(starting[seat]))
    return table


def deal(seats: int, seed: int = 1, **kw: Any) -> core.Game:
    return core.Game.deal(ENGINE, seats, seed, **kw)


def test_a3_ship_stacks() -> None:
    # copies = players - 1, blue over red; the third blue does not exist with 3 players
    for seats, order in ((2, ["blue-1", "red-1"]), (3, ["blue-1", "blue-2", "red-1", "red-2"])):
        for taken, ship in enumerate(order):
            g = base(seats).state(ship_pos=taken).set(0, goods=[2, 1, 0, 0]).pending("build_ship").game()
            if kind(g) == "ship_goods":
                g.apply(g.legal()[0])
            assert me(g)["top"][0] == number(f"ship-{ship}")
    # period 2: purple over brown, free with the third middle house
    for taken, ship in enumerate(["purple-1", "purple-2", "brown-1", "brown-2"]):
        t = base().state(period=1, ship_pos=taken, deck_pos=[0] * 4, face_up=15).set(0, goods=[0] * 4)
        for land in ("B1", "C1", "D1"):
            t.store(0, f"land-{land}", GOLD)
        g = t.houses(0, 0, 3, 0).pending("build_ship").game()
        assert me(g)["top"][0] == number(f"ship-{ship}")


def test_a7_a8_first_favor_and_plan_are_dealt() -> None:
    for seed in range(10):
        f = deal(4, seed).fields()
        assert all(p["favors"] in (1, 2, 4) for p in f["players"])
        assert sorted(p["plans"] for p in f["players"]) == [1, 2, 4, 8]  # the four starting plans
        assert [f["favor_stock"][n] + sum(p["favors"] >> n & 1 for p in f["players"]) for n in range(3)] == [4, 4, 4]


def test_a9_a_refill_replaces_a_restricted_decree() -> None:
    t = base(2).hand(0, "blue-marquis-1", "blue-king-1").set(0, goods=[0] * 4)
    t._arrange_tiles()  # then change the deck's order behind the display
    g = t.game()
    f = g.fields()
    f["decree_deck"][8], f["decree_deck"][-1] = f["decree_deck"][-1], f["decree_deck"][8]
    restricted, after = f["decree_deck"][8], f["decree_deck"][9]
    g = core.Game.from_fields(ENGINE, f)
    apply(g, play(2, "blue-marquis-1"))
    g.apply(g.legal()[0])
    while kind(g) != "take_card":
        g.apply(0)
    g.apply(g.legal()[0])
    assert restricted >= 62
    assert restricted not in g.fields()["display"]
    assert after in g.fields()["display"]
    assert g.fields()["decree_pos"] == 10


def test_b6_an_unpayable_penalty_does_not_forbid_the_card() -> None:
    g = base().set(0, reis=0, influence=0).hand(0, "blue-maia-5", "blue-king-1").game()
    assert play(1, "blue-maia-5") in g.legal()
    g.apply(play(1, "blue-maia-5"))
    assert (me(g)["reis"], me(g)["top_influence"]) == (0, 2)
    # "pay reis" takes cash only: influence stays
    g = apply(base().set(0, reis=1).hand(0, "blue-maia-5", "blue-king-1").game(), play(1, "blue-maia-5"))
    assert (me(g)["reis"], me(g)["influence"]) == (0, 4)


def test_b4_a_penalty_good_may_leave_nothing() -> None:
    # "pay good any 1" with one good: nothing left to sell or trade
    t = base().set(0, goods=[1, 0, 0, 0]).hand(0, "blue-marquis-5", "blue-king-4")
    assert play(1, "blue-marquis-5") not in t.game().legal()
    assert play(1, "blue-king-4") in t.game().legal()


def test_b11_limit_and_slots() -> None:
    for sets, things, asked in ((0, 1, False), (0, 2, True), (1, 2, False), (1, 3, True)):
        cards = ["blue-maia-1", "blue-maia-2", "blue-maia-3"][:things]
        t = base().cubes(0, sets, sets, sets).top(0, *cards).hand(0, "blue-king-4", "blue-maia-4")
        g = apply(t.game(), play(1, "blue-king-4"))
        assert (kind(g) == "make_room") == asked, (sets, things)


def test_b9_subsidies_along_the_track() -> None:
    for space in range(1, 9):
        g = apply(base().treasury(space).hand(0, "blue-treasury-2", "blue-king-1").game(), play(1, "blue-treasury-2"))
        assert me(g)["reis"] == 10 + space
        assert g.fields()["treasury"] == max(0, space - 2)


def test_b12_a_ship_may_make_room_for_a_treasury_card() -> None:
    t = base().top(0, ("ship-red-1", 1, 0), "blue-maia-3").hand(0, "blue-treasury-2", "blue-king-1")
    g = apply(t.game(), play(1, "blue-treasury-2"))
    assert me(g)["reis"] == 13  # the subsidy comes before the discard
    assert sorted(g.legal()) == sorted([number("ship-red-1"), number("blue-maia-3")])


def test_c4_every_start_of_the_track() -> None:
    # réis that influence 0..10 can make: spaces 9 8 6 4 2 0
    for influence, worth in enumerate([0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 6]):
        g = base().set(0, influence=influence, reis=20).pending("pay_reis", a=7).game()
        assert (g.legal() if kind(g) == "pay_reis" else [0]) == list(range(worth + 1))


def test_c11_c13_reis_in_hand_only() -> None:
    # cost 4, no influence, 1 real, 5 wigs, two left houses
    t = base().store(0, "land-B1", GOLD).store(0, "land-C1", GOLD).houses(0, 2, 0, 0).set(0, influence=0, reis=1)
    g = t.pending("visit_cost", a=4, b=KING).game()
    assert g.legal() == [4, 32 + 3]
    # influence can't become réis for it: cost 6, influence 4, 0 réis, 1 wig is not payable
    t = (
        base()
        .store(0, "land-B1", GOLD)
        .store(0, "land-C1", GOLD)
        .houses(0, 2, 0, 0)
        .set(0, influence=4, reis=0, wigs=1)
    )
    t.officials(1, (4, 0, 0)).hand(0, "blue-maia-1", "blue-king-1").favors(0, KING)
    assert t.game().visit_cost(0, MAIA) == 6
    assert play(2, "blue-maia-1") not in t.game().legal()


def test_c14_c15_costs_along_the_track() -> None:
    for space, value in enumerate([3, 2, 2, 1, 1, 0, 0, -1], 1):
        g = base().treasury(space).game()
        assert g.visit_cost(0, KING) == max(0, value)
        assert g.visit_cost(0, MARQUIS) == value + 2


def test_d2_influence_from_the_ship_comes_after_the_cost() -> None:
    g = apply(base().hand(0, "blue-marquis-1", "blue-king-1").game(), play(2, "blue-marquis-1"), SHIP, 1 << GOLD)
    assert kind(g) == "take_decree"  # dock: only the empty slot, resolved itself
    assert (me(g)["influence"], me(g)["goods"], g.fields()["treasury"]) == (1, [0, 1, 1, 1], 3)


def test_d4_d7_recruits_do_not_change_the_visitors_cost_but_the_followers() -> None:
    t = base().hand(0, "blue-maia-1", "blue-king-1").favors(1, MAIA).rubble("B", 0, 0, 0).column(1, 0, 0, 0)
    g = apply(t.game(), play(2, "blue-maia-1"))  # cost 2, nobody in Maia's office: 4 -> 2
    assert me(g)["influence"] == 2
    apply(g, RECRUIT, 1)  # one official into Maia's office
    apply(g, frontage("land-B1", GOLD))  # +5 réis, no cube, price 3
    assert kind(g) == "pay_reis"
    assert g.legal() == [0, 1]
    apply(g, 0, 0)  # cash, left house
    assert me(g)["reis"] == 12
    assert (kind(g), g.seat) == ("follow", 1)
    g.apply(1)  # follower: 2 + seat 0's official = 3; 5 -> 2
    assert me(g, 1)["influence"] == 2
    assert me(g, 1)["favors"] == 0
    assert kind(g) == "follow_action"
    assert sorted(g.legal()) == [RECRUIT, PLAN, 6]


def king_visit(t: Table) -> core.Game:
    """Seat 0 opens west-C (3 wigs) with the green starting plan: 2 officials from Maia's office."""
    t.hand(0, "blue-king-1", "blue-maia-1").officials(0, (2, 0, 0)).offer("building-1", 0).site("site-west-C", 0, 0, 0)
    return apply(t.game(), play(2, "blue-king-1"), core.STOP, number("site-west-C"))


def test_d13_the_next_tile_is_there_for_the_follower() -> None:
    t = base().favors(1, KING).officials(1, (2, 0, 0)).set(1, influence=6)
    g = king_visit(t)
    before = g.fields()["building_pos"]
    assert before[0] == 1
    apply(g, 1, 6)
    assert kind(g) == "open_building"


def test_d15_steps_that_leave_no_tile_are_illegal_while_others_do() -> None:
    # holes at tiles 1-3: gap 1 still has tile 0 before it, gap 2 has nothing
    g = base().church("clergy-7", None, None, None, "clergy-35", "clergy-34").pending("meet_cardinal", a=2).game()
    assert me(g)["clergy"] == 1 << number("clergy-7")
    assert g.fields()["cardinal"] == 1


def test_e5_banners_are_cleared_at_the_end_of_the_turn() -> None:
    g = apply(base().hand(0, "blue-king-4", "blue-maia-1").game(), play(1, "blue-king-4"), PLAN, GOLD, 0)
    assert g.fields()["banners"] == 1 << PLAN
    apply(g, core.STOP)
    g.apply(g.legal()[0])
    assert g.fields()["banners"] == 0
    assert g.active == 1


def test_e9_plaza_officials_staff_but_cost_nothing() -> None:
    t = base().officials(1, (0, 0, 0), (0, 0, 3)).officials(0, (0, 0, 0), (0, 2, 0)).offer("building-1", 0)
    g = t.site("site-west-C", 0, 0, 0).pending("open_building").game()
    assert g.visit_cost(0, KING) == 2
    g.apply(number("site-west-C"))
    assert me(g)["reis"] == 10
    assert me(g)["plazas"] == [0, 0, 0]
    assert me(g)["officials"] == 8


def test_e11_e12_e13_unavailable_actions() -> None:
    t = base().clergy(0, "clergy-1", "clergy-2", "clergy-3", "clergy-4").favors(0, MAIA, MARQUIS, KING)
    t.hand(0, "blue-king-4", "blue-maia-1").state(ship_pos=4)
    g = apply(t.game(), play(1, "blue-king-4"))
    assert sorted(g.legal()) == [RECRUIT, PLAN]  # four tiles, three favors, no ship left, no store
    t = base().favors(0, MAIA).favors(1, MARQUIS).favors(2, MARQUIS).hand(0, "blue-king-4", "blue-maia-1")
    t.fields["favor_stock"][MARQUIS] = 1
    g = t.pending("get_favor").game()
    assert g.legal() == [MARQUIS, KING]


def sale(good: int, ship: str) -> int:
    return good * 16 + number(ship) - core.SHIP_BASE


def test_f8_benefits_of_the_seller_and_of_the_owner() -> None:
    # blue-treasury-6 sell cloth +1 (seat 0); clergy-35 sail wigs +1 (seat 1, the owner)
    t = (
        base()
        .bottom(0, "blue-treasury-6")
        .clergy(1, "clergy-35")
        .top(1, (B1, 0, 0))
        .hand(0, "blue-king-4", "blue-maia-1")
    )
    t.church("clergy-7", "clergy-8", "clergy-9", "clergy-10", "clergy-11", "clergy-34")
    g = apply(t.game(), play(1, "blue-king-4"), 0, sale(CLOTH, B1))
    assert (me(g)["reis"], me(g, 1)["wigs"]) == (10 + 4 + 2 + 1, 5 + 1 + 1)


def producer() -> Table:
    """Three books stores and a cloth store, an empty warehouse with room for 3 of each, no house of the right group."""
    table = base().cubes(0, 1, 1, 1).set(0, goods=[0] * 4)
    for land, business in (("B3", BOOKS), ("C3", BOOKS), ("D3", BOOKS), ("B2", CLOTH)):
        table.store(0, f"land-{land}", business)
    return table.houses(0, 2, 2, 0)


def test_f13_a_full_type_gets_no_bonus_from_a_benefit_n13() -> None:
    # clergy-21 produce books +1, books full: not produced, so no benefit either
    t = producer().clergy(0, "clergy-21").set(0, goods=[0, 0, 3, 0]).pending("produce")
    assert me(t.game())["goods"] == [0, 1, 3, 0]
    assert me(producer().clergy(0, "clergy-20").pending("produce").game())["goods"] == [0, 2, 3, 0]


def quiet(**kw: Any) -> Table:
    """Seat 0 without influence, so that a price has one way of being paid."""
    return base(**kw).set(0, influence=0)


def build(t: Table, land: str, business: int) -> core.Game:
    return apply(t.pending("build_store").game(), frontage(land, business))


def test_g5_benefits_come_last_and_never_below_zero() -> None:
    for tiles, price in (
        (("clergy-1",), 12),
        (("clergy-2",), 11),
        (("clergy-3",), 8),
        (("clergy-4",), 12),
        (("clergy-1", "clergy-2"), 9),
    ):
        t = quiet().clergy(0, *tiles).rubble("C", 1, 1, 1).column(3, 0, 2, 1)
        assert t.game().land_price(0, number("land-C3")) == price
    t = quiet().clergy(0, "clergy-1").treasury(1).rubble("C", 0, 0, 0).column(3, 0, 0, 0)
    assert t.game().land_price(0, number("land-C3")) == 0  # 1 - 2


def test_g8_an_event_pays_the_treasury_value_twice() -> None:
    t = quiet().hand(0, "red-treasury-1", "blue-king-1").rubble("B", 0, 0, 0).column(1, 0, 0, 0)
    g = apply(t.game(), play(2, "red-treasury-1"))
    assert me(g)["reis"] == 7
    g.apply(frontage("land-B1", GOLD))
    assert me(g)["reis"] == 7 + 5 - 3


def eight() -> Table:
    t = base()
    for land, business in (
        ("land-B1", 0),
        ("land-C1", 0),
        ("land-D1", 0),
        ("land-B2", 1),
        ("land-C2", 1),
        ("land-D2", 1),
        ("land-B3", 2),
        ("land-C3", 2),
    ):
        t.store(0, land, business)
    return t


def test_g10_no_ninth_house() -> None:
    g = eight().set(0, reis=99).hand(0, "blue-maia-1", "blue-king-1").game()
    assert play(2, "blue-maia-1") not in g.legal()
    assert eight().set(1, reis=99).game().fields()["players"][0]["houses"] == [2, 3, 3]


def openings() -> Table:
    """West-B gold+cloth, north-cloth gold+books (its street alone counts), east-B books+tools."""
    return (
        quiet()
        .building(1, "site-west-B", "building-1", 0)
        .building(1, "site-north-cloth", "building-7", 0)
        .building(1, "site-east-B", "building-2", 0)
        .rubble("B", 0, 0, 0)
        .column(2, 0, 0, 0)
        .column(3, 0, 0, 0)
    )


def test_g12_g13_the_street_decides_what_scores() -> None:
    # as cloth: west-B and north-cloth match (building-7 green is gold+cloth), column 2's number is 3
    g = apply(build(openings(), "land-B2", CLOTH), 0)
    assert me(g)["wigs"] == 5 + 2 * 3
    # as gold: only west-B; the north building is at the end of another street
    g = apply(build(openings(), "land-B2", GOLD), 0)
    assert me(g)["wigs"] == 5 + 1 * 3
    # as books on B3: only east-B; column 3's number is 3
    g = apply(build(openings(), "land-B3", BOOKS), 0)
    assert me(g)["wigs"] == 5 + 1 * 3


def test_g12_half_column_uses_the_fourth_number() -> None:
    t = openings().rubble("B", 0, 0, 0).column(5, 0, 0, 0)
    g = build(t, "land-B5", TOOLS)  # its reward: one step of the cardinal, then a tile
    assert kind(g) == "clergy_tile"
    assert g.legal() == [number("clergy-7"), number("clergy-8")]
    apply(g, number("clergy-7"), 0)
    assert me(g)["wigs"] == 5 + 1 * 4  # east-B: books+tools


def test_g12_store_wigs_benefit_is_flat() -> None:
    g = apply(build(openings().clergy(0, "clergy-32"), "land-B2", CLOTH), 0)
    assert me(g)["wigs"] == 5 + 2 * 3 + 1


def opener(
    site: str = "site-west-C",
    offices: tuple[int, ...] = (2, 0, 0),
    plazas: tuple[int, ...] = (0, 0, 0),
    cubes: tuple[int, ...] = (0, 0, 0),
    **kw: Any,
) -> Table:
    return base(**kw).set(0, influence=0).officials(0, offices, plazas).offer("building-1", 0).site(site, *cubes)


def opened(t: Table, site: str = "site-west-C") -> core.Game:
    return apply(t.pending("open_building").game(), number(site))


def test_h7_hire_benefits_and_fewer_officials() -> None:
    # plan-green-8 asks for 5; clergy-5 hire -2: 1 real each at treasury 3; 2 officials out: 3 hired
    t = opener(offices=(1, 1, 0)).clergy(0, "clergy-5").set(0, plans=0).plans(0, "plan-green-8")
    t.set(0, completed=1 << number("plan-green-start-1"))
    assert me(opened(t))["reis"] == 10 - 3
    # clergy-28 building officials -1: plan of 2 needs 1
    t = opener(offices=(1, 0, 0)).clergy(0, "clergy-28")
    g = opened(t)
    assert me(g)["reis"] == 10
    assert g.score_now()[0][CATS["officials"]] == 15


def test_h5_the_plan_is_the_players_choice_and_brings_its_architects_tile() -> None:
    t = (
        opener(offices=(2, 2, 0))
        .officials(1, (0, 0, 0))
        .officials(2, (0, 0, 0))
        .plans(0, "plan-green-3", "plan-blue-1")
    )
    t.offer("building-2", 1)
    g = opened(t)
    assert kind(g) == "building_plan"
    assert g.legal() == [number("plan-green-start-1"), number("plan-green-3"), number("plan-blue-1")]
    g.apply(number("plan-green-3"))  # 3 of 4 officials: (2,1) or (1,2)
    assert kind(g) == "building_officials"
    assert sorted(g.legal()) == [2 + 9 * 1, 1 + 9 * 2]
    g.apply(19)
    assert me(g)["offices"] == [1, 0, 0]
    assert me(g)["officials"] == 7


def test_h6_n12_officials_from_offices_and_the_pooled_plazas() -> None:
    t = opener(offices=(1, 1, 0), plazas=(1, 0, 1))
    t.pending("open_building")
    g = apply(t.game(), number("site-west-C"))
    # a + 9b + 81c + 729p with a, b <= 1, p <= 2, sum 2
    assert sorted(g.legal()) == sorted([1 + 9, 1 + 729, 9 + 729, 2 * 729])
    g.apply(1 + 729)
    assert (me(g)["offices"], sum(me(g)["plazas"]), me(g)["officials"]) == ([0, 1, 0], 1, 6)


def test_i1_i2_sets_and_what_they_raise() -> None:
    t = base().cubes(0, 1, 1, 0).state(pile=[0, 0, 1]).pending("rubble_cube").set(0, goods=[2, 2, 2, 2])
    g = t.game()  # one colour left: resolves itself
    assert (me(g)["sets"], me(g)["markers"]) == (1, 1)
    t = base().cubes(0, 1, 1, 1).set(0, goods=[2, 0, 0, 0]).pending("effects", a=number("site-north-gold") + 106)
    assert me(t.game())["goods"][GOLD] == 3  # room 3 with one set: one of two gold fits


def decree_turn(markers: int = 1) -> Table:
    return base().cubes(0, markers, markers, markers).hand(0, "blue-marquis-1", "blue-king-1").set(0, goods=[0] * 4)


def test_i4_one_marker_a_turn() -> None:
    t = decree_turn(2)
    t.pending("take_decree").pending("take_decree")
    g = t.game()
    apply(g, g.legal()[0], 1)
    apply(g, g.legal()[0])  # the marker's decree
    assert kind(g) == "take_decree"  # the second duty
    g.apply(g.legal()[0])
    assert kind(g) == "play_card"
    assert me(g)["markers"] == 1
