"""Hand-worked tests of docs/rules.md N, the settled points: N17 (rewards at the period's end) to N33 (penalties)."""

import pytest
from positions import (
    BOOKS,
    CATEGORY,
    CLOTH,
    COURT,
    ENGINE,
    FOR_GOLD,
    GOLD,
    KING,
    MAIA,
    MARQUIS,
    TOOLS,
    YES,
    Table,
    apply,
    base,
    edition_with,
    kind,
    me,
    number,
    pass_turn,
    play,
    source,
)

from engine_ext import core

# --- N17 to N21: the change of period ---------------------------------------------------------------------------------


def change(table: Table, trigger: int = 0) -> Table:
    """The change of period, called by a seat; afterwards seat 0 plays a card, as if its turn were still to come."""
    return table.state(trigger=trigger).pending("period_end")


def nobody_discards(game: core.Game) -> list[int]:
    order = []
    while kind(game) == "discard_hand":
        order.append(game.seat)
        game.apply(core.STOP)
    return order


def test_n17_rewards_come_in_the_order_maia_marquis_king() -> None:
    # a cube of the pile, any good, a favor: each asks something
    table = change(base().hand(0, "blue-king-3", "blue-marquis-3", "blue-maia-4").state(pile=[1, 1, 0]))
    game = apply(table.game(), *(number(card) for card in ("blue-maia-4", "blue-marquis-3", "blue-king-3")), core.STOP)
    seen = []
    while game.seat == 0:
        seen.append(kind(game))
        game.apply(game.legal()[0])
    assert seen == ["rubble_cube", "good_any", "get_favor"]


def test_n17_of_several_cards_of_a_noble_one_has_to_be_picked() -> None:
    # a penalty of 3 réis, which would be ignored, and a tools
    table = change(base().hand(0, "blue-maia-3", "blue-maia-5"))
    game = apply(table.game(), number("blue-maia-3"), number("blue-maia-5"), core.STOP)
    assert (kind(game), game.legal()) == ("discard_reward", [number("blue-maia-3"), number("blue-maia-5")])


def test_n18_a_church_scoring_called_by_a_discard_comes_after_all_discards_and_before_the_new_hands() -> None:
    # blue-king-2: one step, from gap 5 onto the influence icon at 0, then one of tiles 5 and 0
    table = change(base().hand(0, "blue-king-2").state(cardinal=5).top(0, "blue-maia-3"))
    game = apply(table.game(), number("blue-king-2"), core.STOP, number("clergy-7"))
    assert nobody_discards(game) == [1, 2]
    assert (kind(game), game.seat, me(game)["n_hand"]) == ("give_clergy", 0, 0)
    game.apply(number("clergy-7"))
    assert (me(game)["wigs"], me(game)["influence"], me(game)["n_hand"]) == (5 + 3, 4 + 2, 5)


def test_n19_purple_cards_are_dealt_clockwise_from_the_player_who_triggered_the_change() -> None:
    four = ("blue-king-1", "blue-king-2", "blue-king-3", "blue-king-4")
    table = change(base().hand(0, *four).hand(1, "blue-maia-1", "blue-maia-2", "blue-maia-3", "blue-maia-4"), trigger=2)
    table.hand(2, "blue-marquis-1", "blue-marquis-2", "blue-marquis-3")
    purple = table.fields["purple"][:4]
    game = table.game()
    assert nobody_discards(game) == [2, 0, 1]
    dealt = [me(game, seat)["hand"][kept:] for seat, kept in ((2, 3), (0, 4), (1, 4))]
    assert dealt == [purple[:2], purple[2:3], purple[3:4]]


def test_n20_a_fourth_set_in_the_change_of_period_counts_for_the_turn_just_finished() -> None:
    # turn 7 is in the third round of three: that round ends with turn 8, one more with turn 11
    table = change(base().hand(0, "blue-maia-4").cubes(0, 4, 4, 3).state(pile=[0, 0, 1], turn=7))
    game = apply(table.game(), number("blue-maia-4"), core.STOP)
    nobody_discards(game)
    assert (me(game)["sets"], game.fields()["last_turn"]) == (4, 11)


def test_n21_of_two_triggers_in_a_turn_the_earlier_one_decides_who_discards_first() -> None:
    # seat 1's second set comes in seat 0's turn, before seat 0 takes the last card of the third deck
    table = Table().state(deck_pos=[5, 5, 4, 0], face_up=0b1100, pile=[0, 0, 1])
    last = table.fields["decks"][0][KING][4]
    game = table.cubes(1, 2, 2, 1).pending("rubble_cube", 1).game()
    assert nobody_discards(apply(game, play(FOR_GOLD, "blue-maia-1"), last)) == [1, 2, 0]
    # without that set it is seat 0
    table.fields["depth"] -= 1
    assert nobody_discards(apply(table.game(), play(FOR_GOLD, "blue-maia-1"), last)) == [0, 1, 2]


def test_n21_of_two_sets_the_earlier_one_decides() -> None:
    # the pile's two blue cubes go to seat 2 and then to seat 1, a second set for each
    table = Table().state(pile=[0, 0, 2]).cubes(1, 2, 2, 1).cubes(2, 2, 2, 1)
    game = table.pending("rubble_cube", 1).pending("rubble_cube", 2).game()
    assert [me(game, seat)["sets"] for seat in (1, 2)] == [2, 2]
    assert nobody_discards(pass_turn(game)) == [2, 0, 1]


# --- N22: discounts ---------------------------------------------------------------------------------------------------


def test_n22_discounts_on_land_add_up_and_the_price_is_held_at_0_once() -> None:
    # treasury 1, a red cube 2, and 2 + 1 off: 0. Held at 0 before the cube it would be 2
    table = Table().treasury(1).clergy(0, "clergy-1").bottom(0, "blue-treasury-2")
    table.rubble("B", 0, 0, 0).column(2, 0, 1, 0)
    assert table.game().land_price(0, number("land-B2")) == 0
    assert table.column(2, 1, 0, 0).game().land_price(0, number("land-B2")) == 1 + 3 - 3


def test_n22_discounts_on_a_visit_add_up_and_the_cost_is_held_at_0_once() -> None:
    # treasury -1, clergy-12 1 off, an official of each rival 2: 0. Held at 0 before the officials it would be 2
    assert Table().treasury(8).clergy(0, "clergy-12").game().visit_cost(0, MARQUIS) == 0
    # following: 2 + 2 - 1 and 2 more off by clergy-17
    assert Table().clergy(1, "clergy-12", "clergy-17").game().visit_cost(1, MARQUIS) == 2 + 2 - 1 - 2


def test_n22_discounts_on_an_event_add_up_and_the_price_is_not_below_0() -> None:
    # sponsor -1 and -2
    for space, price in ((5, 5 - 3), (3, 0), (2, 0)):
        table = base().treasury(space).bottom(0, "blue-treasury-5").clergy(0, "clergy-6").set(0, influence=0)
        game = apply(table.hand(0, "blue-treasury-2", "blue-king-1").game(), play(COURT, "blue-treasury-2"))
        assert (kind(game), me(game)["reis"]) == ("acquire_plan", 10 - price)


def test_n22_discounts_on_hiring_add_up_and_an_official_costs_nothing_less_than_0() -> None:
    # hire -1 and -2: two officials at 5 - 3 each, or for nothing
    for space, price in ((5, 2 * (5 - 3)), (3, 0), (2, 0)):
        table = base().treasury(space).bottom(0, "blue-treasury-4").clergy(0, "clergy-5").officials(0)
        table.set(0, influence=0).offer("building-1", 0).pending("open_building")
        assert me(apply(table.game(), number("site-west-C")))["reis"] == 10 - price


# --- N23, N24: decrees and the Queen ----------------------------------------------------------------------------------


def test_n23_a_marker_may_be_spent_after_a_decree_of_a_reward_but_one_a_turn() -> None:
    # site west D rewards a decree, and another comes later in the turn
    table = base().cubes(0, 2, 2, 2).officials(0, (2, 0, 0)).site("site-west-D", 0, 0, 0).offer("building-1", 0)
    game = apply(table.pending("take_decree").pending("open_building").game(), number("site-west-D"))
    assert kind(game) == "take_decree"
    game.apply(0)
    assert kind(game) == "spend_marker"
    apply(game, YES, 1)
    assert (kind(game), me(game)["markers"]) == ("take_decree", 1)
    game.apply(2)
    assert kind(game) == "play_card"


QUEEN = "brown-marquis-5"


@pytest.mark.parametrize("variant", [True, False])
def test_n24_the_queen_is_out_when_her_card_is_turned_up_in_upkeep(variant: bool) -> None:
    table = base(queen=variant).second_period()
    deck = table.fields["decks"][1][MARQUIS]
    deck.remove(number(QUEEN))
    deck.insert(1, number(QUEEN))  # below the first card of the Marquis' deck
    game = apply(table.game(), play(FOR_GOLD, "blue-maia-1"))
    assert game.fields()["queen"] == 0
    game.apply(deck[0])
    assert game.fields()["queen"] == variant


@pytest.mark.parametrize("variant", [True, False])
@pytest.mark.parametrize("place", [0, 1])
def test_n24_the_queen_is_out_when_the_brown_decks_are_laid_out(variant: bool, place: int) -> None:
    table = change(base(queen=variant))
    deck = table.fields["decks"][1][MARQUIS]
    deck.remove(number(QUEEN))
    deck.insert(place, number(QUEEN))
    game = table.game()
    assert game.fields()["queen"] == 0
    nobody_discards(game)
    assert game.fields()["queen"] == (variant and place == 0)


def test_n24_from_then_on_decree_rewards_are_lost_and_decree_events_cannot_be_sponsored() -> None:
    table = base(queen=True).state(queen=1).hand(0, "red-treasury-3", "blue-king-1")
    assert play(COURT, "red-treasury-3") not in table.game().legal()
    assert kind(table.pending("effects", a=source("site-west-D")).game()) == "play_card"
    before = base(queen=True).hand(0, "red-treasury-3", "blue-king-1")
    assert play(COURT, "red-treasury-3") in before.game().legal()
    assert kind(before.pending("effects", a=source("site-west-D")).game()) == "take_decree"


# --- N25, N26 ---------------------------------------------------------------------------------------------------------


def test_n25_a_favor_holder_who_could_do_none_of_the_three_actions_is_not_asked() -> None:
    # Maia: all eight officials are in plazas, all sixteen plans are taken, all eight houses are built
    table = base().favors(1, MAIA).set(1, reis=99, influence=9)
    for land, business in [(f"{row}1", GOLD) for row in "BCDE"] + [(f"{row}3", BOOKS) for row in "BCDE"]:
        table.store(1, f"land-{land}", business)
    plans = [f"plan-{architect}-{i}" for architect in ("green", "blue") for i in range(1, 9)]
    table.plans(2, *plans).officials(1, (0, 0, 0), (8, 0, 0)).pending("follow_window", 0, MAIA, 1)
    assert kind(table.game()) == "play_card"
    # one official on the board is enough to be asked
    assert kind(table.officials(1, (0, 0, 0), (7, 0, 0)).game()) == "follow"


def test_n26_the_card_below_is_turned_up_in_upkeep_and_not_before() -> None:
    table = Table().state(church_caller=0).clergy(0, "clergy-1")
    game = apply(table.game(), play(FOR_GOLD, "blue-maia-1"))
    first, second = game.fields()["decks"][0][MAIA][:2]
    game.apply(first)
    assert (kind(game), game.fields()["face_up"]) == ("give_clergy", 0b1110)  # the church scoring comes first
    assert game.observe(0).fields()["decks"][0][MAIA][1] == core.UNKNOWN
    game.apply(core.STOP)
    assert game.fields()["face_up"] == 0b1111
    assert game.observe(0).fields()["decks"][0][MAIA][1] == second


# --- N27 to N29: goods, decrees, what is possible ---------------------------------------------------------------------


@pytest.mark.parametrize(
    "reward, good", [("purple-king-1", CLOTH), ("purple-maia-3", TOOLS), ("site-north-gold", GOLD)]
)
def test_n27_goods_beyond_the_room_are_lost_whatever_gave_them(reward: str, good: int) -> None:
    # two of a type, room for two: none lie there, one does, both do
    for lying in (0, 1, 2):
        goods = [0] * 4
        goods[good] = lying
        game = base().set(0, goods=goods).pending("effects", a=source(reward)).game()
        assert me(game)["goods"][good] == 2


def test_n27_any_goods_are_single_choices_among_types_with_room() -> None:
    game = base().set(0, goods=[2, 2, 1, 1]).pending("good_any", a=2).game()
    assert (kind(game), game.legal()) == ("good_any", [BOOKS, TOOLS])
    assert apply(game.copy(), BOOKS).fields()["players"][0]["goods"] == [2, 2, 2, 2]  # tools are left
    assert me(base().set(0, goods=[2, 2, 2, 1]).pending("good_any", a=2).game())["goods"] == [2, 2, 2, 2]
    twice = base().set(0, goods=[0] * 4).pending("good_any", a=2).game()
    assert me(apply(twice, CLOTH, CLOTH))["goods"] == [0, 2, 0, 0]


@pytest.mark.parametrize(
    "decree, reis, influence, wigs",
    [
        ("decree-47", 10, 0, 4),  # 4 for 10 réis
        ("decree-47", 9, 10, 0),  # with the six of influence it would be 15
        ("decree-45", 0, 7, 4),  # 4 for influence 7, which cashing would take to 0
        ("decree-45", 99, 6, 0),
        ("decree-46", 0, 5, 5),  # 1 for each point, at most 6
        ("decree-46", 0, 9, 6),
    ],
)
def test_n28_decrees_look_at_reis_and_influence_before_the_cashing(
    decree: str, reis: int, influence: int, wigs: int
) -> None:
    row = base().decrees(0, decree).set(0, reis=reis, influence=influence).game().score_now()[0]
    assert row[CATEGORY["decrees"]] == wigs


def test_n29_plain_gains_are_always_possible_and_others_only_with_something_to_do() -> None:
    # blue-marquis-4: books, treasury +2 or 2 réis. Books are full and the marker is on top: all the same
    table = base().treasury(8).set(0, goods=[0, 0, 2, 0]).pending("effects", a=source("blue-marquis-4"))
    assert table.game().legal() == [0, 1, 2]
    # brown-marquis-3: 5 réis, a ship, treasury -2. Without a good there is no ship to pay for
    table = base().set(0, goods=[0] * 4).pending("effects", a=source("brown-marquis-3"))
    assert table.game().legal() == [0, 2]
    assert table.set(0, goods=[1, 0, 0, 0]).game().legal() == [0, 1, 2]


def test_n29_an_event_of_a_plain_gain_may_be_sponsored_even_if_it_changes_nothing() -> None:
    # blue-treasury-6: influence or any good. The top row is empty and the warehouse full
    table = base().set(0, goods=[2] * 4).hand(0, "blue-treasury-6", "blue-king-1")
    assert play(COURT, "blue-treasury-6") in table.game().legal()


# --- N30, N31: officials ignored, refills, a tile's reward ------------------------------------------------------------


def test_n30_ignoring_officials_ignores_neutral_ones_too() -> None:
    assert base(2).game().visit_cost(0, KING) == 2 + 1
    assert base(2).clergy(0, "clergy-16").game().visit_cost(0, KING) == 2
    assert base().game().visit_cost(0, MARQUIS) == 2 + 2
    assert base().clergy(0, "clergy-15").game().visit_cost(0, MARQUIS) == 2


def test_n30_church_spaces_are_refilled_clockwise_from_the_first() -> None:
    game = Table().church("clergy-7", None, "clergy-9", "clergy-10", None, "clergy-34").game()
    fields = game.fields()
    first, second = fields["clergy_bag"][fields["clergy_pos"] :][:2]
    church = pass_turn(game).fields()["church"]
    assert church == [*fields["church"][:1], first, *fields["church"][2:4], second, *fields["church"][5:]]


def test_n30_decrees_are_refilled_in_deck_order() -> None:
    # decree-1 to decree-8 lie there, then decree-9 and decree-10 come
    game = apply(Table().pending("take_decree").pending("take_decree").game(), 5, 2)
    assert pass_turn(game).fields()["display"] == [0, 1, 8, 3, 4, 9, 6, 7]


def test_n30_city_tiles_are_refilled_in_every_upkeep_and_at_the_change_of_period() -> None:
    table = base().state(city=0b00110)
    table.fields["city_large"] += 2
    table.fields["city_small"] += 1
    stacks = (table.fields["city_large"] - 2, table.fields["city_small"] - 1)
    game = pass_turn(table.game())
    assert (game.fields()["city"], game.fields()["city_large"], game.fields()["city_small"]) == (0b11111, *stacks)
    game = change(table).game()
    nobody_discards(game)
    assert (game.fields()["city"], game.fields()["city_large"], game.fields()["city_small"]) == (0b11111, *stacks)
    # a stack that is used up fills nothing
    table = base().state(city=0b01111, city_small=0)
    for row in "ABCDE":
        table.fields["land_business"][number(f"land-{row}5")] = TOOLS
        table.fields["land_owner"][number(f"land-{row}5")] = 2
    table.fields["players"][2].update(stores=[0, 0, 0, 5], houses=[0, 2, 3])
    assert pass_turn(table.game()).fields()["city"] == 0b01111


def test_n31_a_tiles_reward_comes_when_it_is_taken_from_the_church_and_not_at_set_up() -> None:
    # an edition in which clergy-6 rewards 2 wigs, as land D2 does
    rows = list(ENGINE.tables()["sources"])
    rows[source("clergy-6")] = rows[source("land-D2")]
    engine = edition_with(sources=rows)
    tile = number("clergy-6")
    rest = [other for other in range(37) if other != tile]
    game = core.Game.from_setup(engine, core.Game.deal(engine, 3, 1).setup() | {"clergy": [tile, *rest]})
    apply(game, tile, *rest[1:4:2])
    assert (me(game)["clergy"], me(game)["wigs"]) == (1 << tile, 5)
    table = base(engine=engine).church("clergy-6", "clergy-8", "clergy-9", "clergy-10", "clergy-35", "clergy-34")
    game = apply(table.pending("meet_cardinal", a=1).game(), tile)
    assert (me(game)["clergy"], me(game)["wigs"]) == (1 << tile, 5 + 2)


# --- N32, N33: replaced ships, penalties ------------------------------------------------------------------------------


def test_n32_a_replacement_full_at_once_sails_even_by_old_crates_alone() -> None:
    # two crates move onto another hull of 2: no wig for them, but the benefit per sailing counts (clergy-35: 1)
    table = base().top(0, ("ship-red-1", 0, 2)).state(ship_pos=3).pending("build_ship")
    game = apply(table.game(), number("ship-red-1"))
    assert (me(game)["packed"][0], me(game)["ledger"][CATEGORY["sailed"]]) == (2, 0)
    game = apply(table.clergy(0, "clergy-35").game(), number("ship-red-1"))
    assert me(game)["ledger"][CATEGORY["sailed"]] == 1


def test_n32_if_the_cargo_is_too_much_old_crates_stay_first() -> None:
    # an edition in which blue hulls hold 4 and red ones 2: old crates take the two spaces, then goods, at a wig each
    engine = edition_with(ship_hull=[4, 2, 3, 4])
    for cargo, packed, kept, wigs in ((1, 2, 2, 0), (2, 1, 2, 1), (3, 0, 2, 2)):
        table = base(engine=engine).top(0, ("ship-blue-1", cargo, packed)).state(ship_pos=2).pending("build_ship")
        game = apply(table.game(), number("ship-blue-1"))
        assert me(game)["top"][0] == number("ship-red-1")
        assert (me(game)["cargo"][0], me(game)["packed"][0]) == (0, kept)
        assert me(game)["ledger"][CATEGORY["sailed"]] == wigs


def test_n33_a_penalty_takes_what_there_is() -> None:
    def after(card: str, table: Table) -> dict[str, object]:
        return me(table.pending("effects", a=source(card)).game())

    assert after("blue-king-5", base().set(0, influence=1))["influence"] == 0  # pay influence 2
    assert after("brown-king-5", base().set(0, wigs=1))["wigs"] == 0  # pay wigs 3
    assert after("red-marquis-5", base().set(0, reis=3))["reis"] == 0  # pay reis 4
    assert after("blue-marquis-5", base().set(0, goods=[0, 1, 0, 0]))["goods"] == [0, 0, 0, 0]  # pay good any 1
    # pay official 1: from an office, not from a plaza
    assert after("red-maia-5", base().officials(0, (0, 1, 0), (2, 0, 0)))["officials"] == 5 + 1
    assert after("red-maia-5", base().officials(0, (0, 0, 0), (2, 0, 0)))["plazas"] == [2, 0, 0]


def test_n33_a_penalty_is_possible_only_with_something_to_take() -> None:
    # an edition in which blue-maia-1 lets choose between "pay reis 3" and "wigs 2"
    rows = list(ENGINE.tables()["sources"])
    penalty, wigs = rows[source("blue-maia-5")]["rewards"][0], rows[source("land-D2")]["rewards"][0]
    choice = rows[source("blue-marquis-4")]
    rows[source("blue-maia-1")] = choice | {"n_choices": 2, "choices": [penalty, wigs, *choice["choices"][2:]]}
    table = base(engine=edition_with(sources=rows)).pending("effects", a=source("blue-maia-1"))
    assert me(table.set(0, reis=0).game())["wigs"] == 5 + 2  # the only choice
    game = table.set(0, reis=1).game()
    assert (kind(game), game.legal()) == ("choice", [0, 1])
    assert me(apply(game, 0))["reis"] == 0
