"""Hand-worked tests of docs/rules.md A (set-up), B (turn, cards, portfolio), C (influence, wigs, réis)."""

import pytest
from positions import (
    ENGINE,
    GOLD,
    KING,
    MARQUIS,
    Table,
    apply,
    kind,
    me,
    number,
    play,
)

from engine_ext import core

# --- A. Set-up ------------------------------------------------------------------------------------------------

def placed(fields: dict) -> int:
    lines = fields["row_cubes"] + fields["column_cubes"] + fields["site_cubes"] + [fields["pile"]]
    return sum(sum(line) for line in lines)


@pytest.mark.parametrize("seats", [3, 4])
def test_a1_all_63_cubes_are_placed(seats: int) -> None:
    fields = core.Game.deal(ENGINE, seats, 1).fields()
    assert [sum(row) for row in fields["row_cubes"]] == [3, 3, 3, 3, 3]
    assert [sum(column) for column in fields["column_cubes"]] == [3, 3, 3, 3, 2]
    assert [sum(site) for site in fields["site_cubes"]] == [2] * 14
    assert sum(fields["pile"]) == 6
    assert placed(fields) == 63


def test_a2_two_players_leave_row_e_out() -> None:
    fields = core.Game.deal(ENGINE, 2, 1).fields()
    assert sum(fields["row_cubes"][4]) == 0
    assert placed(fields) == 56
    assert sum(fields["gone_cubes"]) == 7
    row_e = [number(f"land-E{column}") for column in range(1, 6)]
    assert [fields["land_business"][land] for land in row_e] == [-2] * 5
    assert all(fields["site_building"][number(site)] == -3 for site in ("site-west-E", "site-east-E"))


def test_a4_what_each_player_starts_with() -> None:
    fields = core.Game.deal(ENGINE, 4, 3).fields()
    assert [p["reis"] for p in fields["players"]] == [10] * 4
    assert [p["goods"] for p in fields["players"]] == [[1, 1, 1, 1]] * 4
    assert [p["wigs"] for p in fields["players"]] == [5] * 4
    assert [p["officials"] for p in fields["players"]] == [7] * 4
    assert [p["offices"] for p in fields["players"]] == [[0, 1, 0]] * 4
    assert [p["influence"] for p in fields["players"]] == [4, 5, 6, 7]


def test_a5_neutral_officials_count_as_opponents_with_two_players() -> None:
    game = Table(2).game()
    # space 3: influence value 2; rival's official and the neutral one in the Marquis' office
    assert game.visit_cost(0, MARQUIS) == 2 + 1 + 1
    assert game.visit_cost(0, KING) == 2 + 1


def test_a6_rejected_tiles_can_turn_up_in_the_church() -> None:
    turned_up = 0
    for seed in range(40):
        game = core.Game.deal(ENGINE, 4, seed)
        drawn = {tile for pair in game.fields()["drawn"] for tile in pair}
        while core.KINDS[game.kind] == "keep_clergy":
            game.apply(game.legal()[0])
        turned_up += bool(drawn & set(game.fields()["church"]))
        assert len(set(game.fields()["clergy_bag"])) == 37
    assert turned_up > 5


def test_a8_one_favor_per_noble_and_player() -> None:
    fields = core.Game.deal(ENGINE, 3, 2).fields()
    for noble in range(3):
        assert fields["favor_stock"][noble] + sum(p["favors"] >> noble & 1 for p in fields["players"]) == 3


def test_a9_restricted_decrees_never_show_with_two_players() -> None:
    restricted = range(62, 70)  # decree-63 to decree-70
    for seed in range(30):
        game = core.Game.deal(ENGINE, 2, seed)
        assert not set(game.fields()["display"]) & set(restricted)


def test_a10_without_ships_a_tucked_card_leads_to_trade() -> None:
    game = apply(Table().hand(0, "blue-maia-3", "blue-king-1").game(), play(1, "blue-maia-3"))
    assert kind(game) == "trade"  # sell or trade resolved itself: nobody owns a ship


def test_one_player_is_refused_with_the_reason() -> None:
    with pytest.raises(ValueError, match="solo rules"):
        core.Game.deal(ENGINE, 1, 1)


# --- B. Turn, cards, portfolio ---------------------------------------------------------------------------------------

def test_b1_a_ship_at_sea_comes_back_empty_at_its_owners_turn() -> None:
    table = Table().top(0, ("ship-red-1", 0, 2)).top(1, ("ship-red-2", 1, 0))
    table.fields["frames"][table.fields["depth"] - 1]["kind"] = core.KINDS.index("dock_ships")
    game = table.game()
    assert me(game, 0)["packed"][0] == 0
    assert me(game, 1)["cargo"][0] == 1  # part-loaded: keeps its goods


def test_b2_a_ship_that_filled_cannot_be_loaded() -> None:
    # the rival's red ship is at sea: hull 2, two crates; only the blue one (hull 1) is docked
    table = Table().top(1, ("ship-red-1", 0, 2)).top(2, ("ship-blue-1", 0, 0))
    game = table.hand(0, "blue-maia-3", "blue-king-1").game()
    apply(game, play(1, "blue-maia-3"), 0)
    assert {argument & 15 for argument in game.legal()} == {number("ship-blue-1") - core.SHIP_BASE}


def test_b3_gold_for_a_card_is_legal_with_a_full_row() -> None:
    game = Table().set(0, goods=[2, 0, 0, 0]).game()
    game.apply(play(0, "blue-maia-1"))
    assert me(game)["goods"] == [2, 0, 0, 0]  # the gold goes back
    assert me(game)["n_hand"] == 4
    assert kind(game) == "take_card"


def test_b4_a_card_that_leaves_nothing_to_sell_or_trade_cannot_be_tucked() -> None:
    game = Table().set(0, goods=[0, 0, 0, 0]).hand(0, "blue-maia-1", "blue-treasury-1").game()
    assert game.legal() == sorted(game.legal())[:1] + game.legal()[1:]
    assert play(1, "blue-treasury-1") not in game.legal()
    assert play(1, "blue-maia-1") not in game.legal()


def test_b5_a_reward_that_is_a_good_makes_the_play_legal() -> None:
    game = Table().set(0, goods=[0, 0, 0, 0]).hand(0, "blue-maia-3", "blue-king-1").game()
    assert play(1, "blue-maia-3") in game.legal()  # one tools: the Builder takes it


def test_b7_a_penalty_is_paid_as_far_as_possible() -> None:
    # "pay reis 3" with 2 réis
    game = Table().set(0, reis=2).hand(0, "blue-maia-5", "blue-king-1").game()
    game.apply(play(1, "blue-maia-5"))
    assert me(game)["reis"] == 0


def test_b8_the_tucked_card_does_not_count_for_its_own_influence() -> None:
    # blue-king-4 (influence 2) rewards influence; the docks hold blue-maia-3 (influence 2)
    game = Table().set(0, influence=1).hand(0, "blue-king-4", "blue-king-1").top(0, "blue-maia-3").game()
    game.apply(play(1, "blue-king-4"))
    assert me(game)["influence"] == 3
    assert me(game)["top_influence"] == 4


def test_b9_the_subsidy_is_paid_before_the_marker_drops() -> None:
    game = Table().hand(0, "blue-treasury-1", "blue-king-1").game()
    game.apply(play(1, "blue-treasury-1"))
    assert me(game)["reis"] == 10 + 3
    assert game.fields()["treasury"] == 1


def test_b9_at_the_bottom_the_marker_stays_and_the_subsidy_is_paid() -> None:
    game = Table().treasury(1).hand(0, "blue-treasury-1", "blue-king-1").game()
    game.apply(play(1, "blue-treasury-1"))
    assert me(game)["reis"] == 10 + 1
    assert game.fields()["treasury"] == 0


def test_b10_at_the_top_the_marker_stays_when_a_ship_is_built() -> None:
    game = Table().treasury(8).pending("build_ship").game()
    game.apply(1 << GOLD)  # the blue ship costs one good
    assert game.fields()["treasury"] == 7


def test_b12_at_capacity_any_card_may_make_room() -> None:
    # 0 sets: 2 cards at most; one noble above, one treasury card below
    table = Table().top(0, "blue-maia-3").bottom(0, "blue-treasury-1").hand(0, "blue-king-1", "blue-king-2")
    game = apply(table.game(), play(1, "blue-king-1"))
    assert kind(game) == "make_room"
    assert sorted(game.legal()) == sorted([number("blue-maia-3"), number("blue-treasury-1")])


def test_b13_a_full_side_gives_up_one_of_its_own_three() -> None:
    # 3 sets: 5 cards; three docks taken, one office slot
    table = Table().cubes(0, 3, 3, 3).top(0, "blue-maia-1", "blue-maia-2", "blue-maia-3")
    table.bottom(0, "blue-treasury-1").hand(0, "blue-king-1", "blue-king-2")
    game = apply(table.game(), play(1, "blue-king-1"))
    assert sorted(game.legal()) == sorted(number(f"blue-maia-{i}") for i in (1, 2, 3))


def test_b14_goods_under_a_discarded_ship_go_to_the_supply() -> None:
    table = Table().top(0, ("ship-red-1", 1, 0), "blue-maia-1").hand(0, "blue-king-1", "blue-king-2")
    game = apply(table.game(), play(1, "blue-king-1"), number("ship-red-1"))
    assert me(game)["cargo"] == [0, 0, 0]
    assert me(game)["n_top"] == 2
    assert me(game)["goods"] == [1, 2, 1, 1]  # only the card's cloth


def test_b15_a_discarded_treasury_card_stops_working() -> None:
    # blue-treasury-2: land -1
    table = Table().bottom(0, "blue-treasury-1", "blue-treasury-2").hand(0, "blue-king-1", "blue-king-2")
    game = table.game()
    before = game.land_price(0, number("land-C3"))
    apply(game, play(1, "blue-king-1"), number("blue-treasury-2"))
    assert game.land_price(0, number("land-C3")) == before + 1


def test_b16_any_face_up_card_may_be_taken() -> None:
    game = apply(Table().game(), play(0, "blue-maia-1"))
    fields = game.fields()
    assert sorted(game.legal()) == sorted(fields["decks"][0][deck][fields["deck_pos"][deck]] for deck in range(4))


def test_b17_no_card_left_no_draw() -> None:
    table = Table().state(deck_pos=[5, 5, 5, 5], face_up=0, last_turn=5, period=1, turn=3)
    table.fields["decks"][0] = [[0] * 5] * 4
    table.fields["gone_cards"] = [sum(1 << n for n in range(21, 41)), 0]
    game = table.game()
    game.apply(play(0, "blue-maia-1"))
    assert me(game, 0)["n_hand"] == 4
    assert game.active == 1


def test_b18_in_court_a_card_visits_its_own_noble() -> None:
    game = apply(Table().hand(0, "blue-marquis-1", "blue-king-1").game(), play(2, "blue-marquis-1"))
    assert kind(game) == "visit_state_action"
    assert game.context[0] == MARQUIS


def test_b19_nobody_follows_an_event() -> None:
    # red-treasury-3 sponsors a decree, which is the Marquis' action; the rivals hold his favor
    table = Table().favors(1, MARQUIS).favors(2, MARQUIS).hand(0, "red-treasury-3", "blue-king-1")
    game = apply(table.game(), play(2, "red-treasury-3"), 0)
    game.apply(game.legal()[0])
    assert kind(game) == "take_card"


def test_b20_an_event_costs_the_treasury_value_and_leaves_the_marker() -> None:
    table = Table().hand(0, "blue-treasury-2", "blue-king-1").set(0, influence=0)
    game = apply(table.game(), play(2, "blue-treasury-2"))
    assert me(game)["reis"] == 10 - 3
    assert game.fields()["treasury"] == 2


# --- C. Influence, wigs, réis --------------------------------------------------------------------------------------

def test_c1_a_gain_beyond_10_stops_at_10_and_earns_one_wig() -> None:
    # top row 2 + 2 + 2 = 6 with 3 docks; influence 9
    table = Table().cubes(0, 1, 1, 1).top(0, "blue-maia-3", "blue-maia-5", "blue-king-4").set(0, influence=9)
    game = table.pending("effects", a=number("blue-king-4")).game()
    assert me(game)["influence"] == 10
    assert me(game)["wigs"] == 6


def test_c2_a_gain_at_10_still_earns_a_wig() -> None:
    game = Table().top(0, "blue-maia-1").set(0, influence=10).pending("effects", a=number("blue-king-4")).game()
    assert (me(game)["influence"], me(game)["wigs"]) == (10, 6)


def test_c3_a_gain_of_nothing_earns_no_wig() -> None:
    game = Table().set(0, influence=10).pending("effects", a=number("blue-king-4")).game()
    assert (me(game)["influence"], me(game)["wigs"]) == (10, 5)


def test_c4_each_real_moves_the_marker_to_the_next_space_with_one() -> None:
    # spaces with a real: 9 8 6 4 2 0. From 7: 6 (1), 4 (2), 2 (3), 0 (4)
    game = Table().set(0, influence=7, reis=1).pending("pay_reis", a=4).game()
    assert game.legal() == [3, 4]
    game.apply(3)
    assert (me(game)["influence"], me(game)["reis"]) == (2, 0)


def test_c5_influence_10_makes_at_most_6() -> None:
    game = Table().set(0, influence=10, reis=20).pending("pay_reis", a=9).game()
    assert game.legal() == [0, 1, 2, 3, 4, 5, 6]
    game.apply(6)
    assert (me(game)["influence"], me(game)["reis"]) == (0, 17)


def test_c7_wigs_make_up_what_influence_lacks() -> None:
    game = Table().set(0, influence=2, wigs=4).pending("visit_cost", a=5, b=KING).game()
    assert (me(game)["influence"], me(game)["wigs"]) == (0, 1)  # the only way to pay resolved itself


def test_c8_no_wig_while_influence_reaches() -> None:
    game = Table().set(0, influence=6).pending("visit_cost", a=5, b=KING).game()
    assert (me(game)["influence"], me(game)["wigs"]) == (1, 5)


def test_c9_a_visit_nobody_can_pay_is_illegal() -> None:
    # King: value 2 + officials of both rivals in his office (4 + 0) = 6; influence 0 and 5 wigs
    table = Table().set(0, influence=0).officials(1, (0, 0, 4)).hand(0, "blue-marquis-1", "blue-king-1")
    table.plans(0, "plan-green-1")
    game = table.game()
    assert game.visit_cost(0, KING) == 6
    assert play(2, "blue-king-1") not in game.legal()


def test_c10_wigs_never_pay_an_event() -> None:
    game = Table().set(0, reis=2, influence=0, wigs=50).hand(0, "blue-treasury-2", "blue-king-1").game()
    assert play(2, "blue-treasury-2") not in game.legal()


def test_c11_c12_the_second_left_house_lets_reis_stand_for_influence() -> None:
    table = Table().store(0, "land-B1", GOLD).store(0, "land-C1", GOLD).houses(0, 2, 0, 0)
    game = table.set(0, influence=1, reis=10).pending("visit_cost", a=3, b=KING).game()
    # r * 32 + w: 0r+2w (1 influence), 1r+1w, 2r+0w, 3r+0w
    assert game.legal() == [2, 33, 64, 96]
    game.apply(33)
    assert (me(game)["influence"], me(game)["reis"], me(game)["wigs"]) == (0, 9, 4)


def test_c14_a_cost_below_zero_is_zero() -> None:
    game = Table().treasury(8).officials(1, (0, 0, 0)).officials(2, (0, 0, 0)).game()
    assert game.visit_cost(0, KING) == 0


def test_c15_only_rivals_inside_the_office_cost() -> None:
    table = Table().officials(0, (0, 3, 0)).officials(1, (0, 1, 0), (0, 2, 0)).officials(2, (0, 0, 0))
    assert table.game().visit_cost(0, MARQUIS) == 2 + 1


def test_c16_wigs_may_drop_below_the_starting_five() -> None:
    game = Table().set(0, influence=0, wigs=5).pending("visit_cost", a=4, b=KING).game()
    assert me(game)["wigs"] == 1


