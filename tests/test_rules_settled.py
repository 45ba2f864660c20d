"""Hand-worked tests of docs/rules.md N (settled points) and of the decrees."""

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
CATS = {name: number for number, name in enumerate(core.CATEGORIES)}


def base(seats: int = 3, *, queen: bool = False) -> Table:
    """A table with scoring numbers 2 3 3 4 (4) and known starting plans of two officials each."""
    table = Table(seats, queen=queen).state(scoring=[0, 1, 2, 3])
    starting = ["plan-green-start-1", "plan-green-start-2", "plan-blue-start-1", "plan-blue-start-2"]
    for seat in range(seats):
        table.set(seat, plans=1 << number(starting[seat]))
    return table


def change(t: Table, trigger: int = 0) -> Table:
    """The change of period, called by a seat; the stack below it goes on with play_card afterwards."""
    return t.state(trigger=trigger).pending("period_end", seat=0)


def discard_nothing(g: core.Game) -> list[int]:
    seats = []
    while kind(g) == "discard_hand":
        seats.append(g.seat)
        g.apply(core.STOP)
    return seats


def test_n17_maia_before_marquis_before_king() -> None:
    t = change(base().hand(0, "blue-king-3", "blue-marquis-3", "blue-maia-4").state(pile=[1, 1, 0]))
    g = apply(t.game(), number("blue-maia-4"), number("blue-marquis-3"), number("blue-king-3"), core.STOP)
    seen = []
    while g.seat == 0:
        seen.append(kind(g))
        g.apply(g.legal()[0])
    assert seen == ["rubble_cube", "good_any", "get_favor"]


def test_n18_a_church_scoring_called_by_a_discard_comes_before_the_new_hands() -> None:
    t = change(base().hand(0, "blue-king-2").state(cardinal=5).top(0, "blue-maia-3"))
    g = apply(t.game(), number("blue-king-2"), core.STOP)  # one step: gap 0
    g.apply(number("clergy-7"))  # its reward: one of tiles 5 and 0
    assert discard_nothing(g) == [1, 2]
    assert (kind(g), g.seat) == ("give_clergy", 0)
    assert me(g)["n_hand"] == 0
    g.apply(number("clergy-7"))  # 3 wigs, influence 4 + 2
    assert (me(g)["wigs"], me(g)["influence"], me(g)["n_hand"]) == (8, 6, 5)


def final(t: Table) -> list[list[int]]:
    return t.game().score_now()


def test_n28_decrees_look_before_the_cashing() -> None:
    s = final(base().decrees(0, "decree-47", "decree-45", "decree-46").set(0, reis=10, influence=7))
    # 4 for 10 réis, 4 for influence 7, 1 a point up to 6; money (10 + 4) / 5
    assert (s[0][CATS["decrees"]], s[0][CATS["money"]]) == (14, 2)
    s = final(base().decrees(0, "decree-47").set(0, reis=9, influence=10))
    assert s[0][CATS["decrees"]] == 0  # cashed influence does not count


def test_decrees_of_each_sort() -> None:
    t = base().store(0, "land-B1", GOLD).store(0, "land-B2", CLOTH).store(0, "land-D5", TOOLS)
    t.decrees(0, "decree-1", "decree-5", "decree-8", "decree-15", "decree-16", "decree-11")
    # gold 1*3; cloth street 1 < 2: 0; row B 2*3; column 5 1*4; stores 3*1; rows A/B 2 < 3: 0
    assert final(t)[0][CATS["decrees"]] == 3 + 0 + 6 + 4 + 3 + 0
    t = base().building(0, "site-west-B", "building-1", 0).building(0, "site-north-books", "building-9", 1)
    t.decrees(0, "decree-18", "decree-19", "decree-21", "decree-22", "decree-23", "decree-27")
    # west 4, north 4, green 3, blue 3, gold (building-1 green) 3, three buildings 0
    assert final(t)[0][CATS["decrees"]] == 4 + 4 + 3 + 3 + 3 + 0


def queen() -> Table:
    return base(queen=True).state(queen=1)


def test_n3_no_discard_while_there_is_room() -> None:
    g = apply(base().top(0, "blue-maia-3").hand(0, "blue-king-4", "blue-maia-1").game(), play(1, "blue-king-4"))
    assert kind(g) == "trade"  # 2 of 2 slots: tucked without a question


def test_n7_possible_after_the_good_is_paid() -> None:
    # one gold alone: a blue ship costs one good, and none would be left
    t = base().set(0, goods=[1, 0, 0, 0]).hand(0, "blue-king-4", "blue-maia-1")
    g = apply(t.game(), play(1, "blue-king-4"))
    assert sorted(g.legal()) == [RECRUIT, PLAN, CARDINAL, FAVOR]
    # produce: full books make room by paying one of them
    t = base().store(0, "land-B3", BOOKS).set(0, goods=[0, 0, 2, 0]).hand(0, "blue-king-4", "blue-maia-1")
    g = apply(t.game(), play(1, "blue-king-4"))
    assert PRODUCE in g.legal()
    assert SHIP in g.legal()


def test_n8_an_event_needs_one_possible_effect_after_paying() -> None:
    t = base().favors(0, MAIA, MARQUIS, KING).hand(0, "blue-treasury-4", "blue-king-1")  # event: favor
    assert play(2, "blue-treasury-4") not in t.game().legal()
    t = base().set(0, goods=[0] * 4).hand(0, "blue-treasury-3", "blue-king-1")  # event: ship
    assert play(2, "blue-treasury-3") not in t.game().legal()


def test_n8_n22_the_price_of_an_event() -> None:
    t = (
        base()
        .bottom(0, "blue-treasury-5")
        .clergy(0, "clergy-6")
        .set(0, influence=0)
        .hand(0, "blue-treasury-2", "blue-king-1")
    )
    g = apply(t.game(), play(2, "blue-treasury-2"))  # 3 - 1 - 2 = 0
    assert (kind(g), me(g)["reis"]) == ("acquire_plan", 10)
    t = base().clergy(0, "clergy-6").treasury(1).set(0, influence=0, reis=0).hand(0, "blue-treasury-2", "blue-king-1")
    assert me(apply(t.game(), play(2, "blue-treasury-2")))["reis"] == 0  # 1 - 2: not below 0


def test_n9_effects_in_order_each_judged_in_its_turn() -> None:
    # purple-marquis-2 "produce, wigs 1": nothing to produce, the wig comes all the same
    g = base().pending("effects", a=number("purple-marquis-2")).game()
    assert (kind(g), me(g)["wigs"]) == ("play_card", 6)
    # purple-king-3 "favor, 2 réis" with three favors
    g = base().favors(0, MAIA, MARQUIS, KING).pending("effects", a=number("purple-king-3")).game()
    assert me(g)["reis"] == 12


def test_n27_any_goods_one_by_one_among_types_with_room() -> None:
    g = base().set(0, goods=[2, 2, 1, 1]).pending("good_any", a=2).game()
    assert g.legal() == [BOOKS, TOOLS]
    g.apply(BOOKS)  # then only tools: resolves itself
    assert me(g)["goods"] == [2, 2, 2, 2]
    assert (
        me(base().set(0, goods=[0, 2, 0, 0]).pending("effects", a=number("purple-king-1")).game())["goods"][CLOTH] == 2
    )


def test_n29_choices_offer_what_is_possible() -> None:
    # blue-marquis-4: books, treasury +2 or 2 réis: plain gains are always possible
    g = base().treasury(8).set(0, goods=[0, 0, 2, 0]).pending("effects", a=number("blue-marquis-4")).game()
    assert g.legal() == [0, 1, 2]
    # brown-marquis-3: 5 réis, ship, treasury -2; without goods no ship
    g = base().set(0, goods=[0] * 4).pending("effects", a=number("brown-marquis-3")).game()
    assert g.legal() == [0, 2]
    g.apply(2)
    assert g.fields()["treasury"] == 0


def test_n30_ignoring_officials_ignores_neutrals() -> None:
    assert base(2).clergy(0, "clergy-16").game().visit_cost(0, KING) == 2
    assert base(2).game().visit_cost(0, KING) == 3
    assert base().clergy(0, "clergy-15").game().visit_cost(0, MARQUIS) == 2
    assert base().clergy(0, "clergy-12").game().visit_cost(0, MARQUIS) == 3  # 2 + 2 - 1


def test_n31_a_tiles_reward_when_taken() -> None:
    t = base().church("clergy-6", "clergy-8", "clergy-9", "clergy-10", "clergy-35", "clergy-34").top(0, "blue-maia-3")
    g = apply(t.pending("meet_cardinal", a=1).game(), number("clergy-6"))
    assert me(g)["influence"] == 6  # 4 + 2


def test_n16_lost_room_costs_goods_and_cards() -> None:
    t = base().clergy(0, "clergy-30").set(0, goods=[3, 3, 0, 1]).state(church_caller=0).pending("church_scoring")
    g = apply(t.game(), number("clergy-30"))
    assert me(g)["goods"] == [2, 2, 0, 1]
    t = base().clergy(0, "clergy-31").top(0, "blue-maia-3", "blue-maia-5").bottom(0, "blue-treasury-1")
    g = apply(t.state(church_caller=0).pending("church_scoring").game(), number("clergy-31"))
    assert kind(g) == "shed"
    assert sorted(g.legal()) == sorted(number(c) for c in ("blue-maia-3", "blue-maia-5", "blue-treasury-1"))
    g.apply(number("blue-maia-5"))
    assert (me(g)["n_top"], me(g)["influence"]) == (1, 4 + 2)  # the gain comes after the card has gone


def test_n20_a_fourth_set_in_the_change_of_period() -> None:
    t = change(base().hand(0, "blue-maia-4").cubes(0, 4, 4, 3).state(pile=[0, 0, 1], turn=7))
    g = apply(t.game(), number("blue-maia-4"), core.STOP)
    discard_nothing(g)
    assert g.fields()["last_turn"] == 11
    assert me(g)["sets"] == 4


def test_n21_the_first_trigger_of_a_turn_decides() -> None:
    t = base().state(trigger=2, pile=[0, 0, 1]).cubes(0, 2, 2, 1).pending("rubble_cube")
    assert t.game().fields()["trigger"] == 2


def test_n23_n24_markers_after_a_decree_by_reward() -> None:
    t = base().cubes(0, 1, 1, 1).offer("building-1", 0).officials(0, (2, 0, 0)).site("site-west-D", 0, 0, 0)
    g = apply(t.pending("open_building").game(), number("site-west-D"))
    g.apply(g.legal()[0])
    assert kind(g) == "spend_marker"


def test_n32_a_replacement_full_at_once_sails() -> None:
    t = base().top(0, ("ship-red-1", 0, 2)).state(ship_pos=3).set(0, goods=[0] * 4).pending("build_ship")
    assert me(t.game())["wigs"] == 5  # two old crates, nothing newly packed
    t = base().clergy(0, "clergy-35").church("clergy-7", "clergy-8", "clergy-9", "clergy-10", "clergy-36", "clergy-34")
    t.top(0, ("ship-red-1", 0, 2)).state(ship_pos=3).set(0, goods=[0] * 4).pending("build_ship")
    assert me(t.game())["wigs"] == 6  # sail wigs +1


def test_n33_penalties_take_what_there_is() -> None:
    g = base().set(0, influence=1).pending("effects", a=number("blue-king-5")).game()  # pay influence 2
    assert me(g)["influence"] == 0
    g = base().set(0, wigs=1).pending("effects", a=number("brown-king-5")).game()  # pay wigs 3
    assert me(g)["wigs"] == 0
    g = base().officials(0, (0, 0, 0), (2, 0, 0)).pending("effects", a=number("red-maia-5")).game()  # from an office
    assert me(g)["plazas"] == [2, 0, 0]
    assert me(g)["officials"] == 6
    g = base().officials(0, (1, 0, 0)).pending("effects", a=number("red-maia-5")).game()
    assert (me(g)["offices"], me(g)["officials"]) == ([0, 0, 0], 8)
