"""Hand-worked tests of docs/rules.md J (church), K (period), L (end of the game), M10 (Queen), N (settled points)."""

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

CATEGORY = {name: i for i, name in enumerate(core.CATEGORIES)}


# --- J. Cardinal and church ----------------------------------------------------------------------------------------

def test_j1_one_or_two_steps_but_single_arrows_exactly_one() -> None:
    assert Table().pending("meet_cardinal", a=2).game().legal() == [1, 2]
    game = Table().pending("meet_cardinal", a=1).game()
    assert kind(game) == "clergy_tile"  # the single step resolved itself


def test_j2_one_of_the_two_neighbours_and_it_works_at_once() -> None:
    # gap 1 lies between tile 0 and tile 1; clergy-10: sell all +1
    table = Table().church("clergy-10", "clergy-8", "clergy-9", "clergy-7", "clergy-35", "clergy-34")
    table.top(1, ("ship-blue-1", 0, 0)).pending("sell").pending("meet_cardinal", a=1)
    game = table.game()
    assert game.legal() == [number("clergy-10"), number("clergy-8")]
    game.apply(number("clergy-10"))
    game.apply(CLOTH * 16 + number("ship-blue-1") - core.SHIP_BASE)
    assert me(game)["reis"] == 10 + 4 + 2 + 1


def test_j3_landing_on_or_passing_the_treasury_icon_raises_it() -> None:
    # the icon lies on gap 3
    for start, steps in ((1, 2), (2, 2)):
        table = Table().state(cardinal=start).pending("meet_cardinal", a=2)
        game = apply(table.game(), steps)
        game.apply(game.legal()[0])
        assert game.fields()["treasury"] == 3


def test_j3_starting_on_an_icon_does_not_count() -> None:
    game = apply(Table().state(cardinal=3).pending("meet_cardinal", a=2).game(), 1)
    game.apply(game.legal()[0])
    assert game.fields()["treasury"] == 2


def church_at_end_of_turn(caller: int, **held: tuple[str, ...]) -> Table:
    table = Table().state(church_caller=caller)
    for seat, tiles in held.items():
        table.clergy(int(seat[1:]), *tiles)
    return table


def to_church(table: Table) -> core.Game:
    game = table.game()
    game.apply(play(0, "blue-maia-1"))
    game.apply(game.legal()[0])
    return game


def test_j4_j6_scoring_at_the_end_of_the_turn_from_who_moved_him() -> None:
    game = to_church(church_at_end_of_turn(1, s0=("clergy-1",), s1=("clergy-2",), s2=("clergy-3",)))
    assert (kind(game), game.seat) == ("give_clergy", 1)
    order = []
    while kind(game) == "give_clergy":
        order.append(game.seat)
        game.apply(core.STOP)
    assert order == [1, 2, 0]


def test_j7_several_tiles_one_gain_of_influence() -> None:
    table = church_at_end_of_turn(0, s0=("clergy-3", "clergy-7")).top(0, "blue-maia-3").set(0, influence=1)
    game = apply(to_church(table), number("clergy-3"), number("clergy-7"))
    assert me(game)["wigs"] == 5 + 2 + 3
    assert me(game)["influence"] == 1 + 2
    assert me(game)["clergy"] == 0


def test_j8_giving_nothing_gains_nothing() -> None:
    table = church_at_end_of_turn(0, s0=("clergy-3",)).top(0, "blue-maia-3").set(0, influence=1)
    game = apply(to_church(table), core.STOP)
    assert (me(game)["wigs"], me(game)["influence"]) == (5, 1)


def test_j10_tiles_are_worth_nothing_at_the_end() -> None:
    with_tiles = Table().clergy(0, "clergy-3", "clergy-7").game().score_now()[0]
    assert sum(with_tiles) == sum(Table().game().score_now()[0])


def test_j11_with_four_tiles_a_cardinal_reward_is_lost() -> None:
    table = Table().clergy(0, "clergy-1", "clergy-2", "clergy-3", "clergy-5").hand(0, "blue-king-2", "blue-king-1")
    game = apply(table.game(), play(1, "blue-king-2"))
    assert game.fields()["cardinal"] == 0
    assert bin(me(game)["clergy"]).count("1") == 4


# --- K. End of period 1 ---------------------------------------------------------------------------------------------

def until(game: core.Game, wanted: str) -> core.Game:
    while kind(game) != wanted:
        game.apply(game.legal()[-1])
    return game


def test_k1_the_second_set_ends_the_period_after_this_turn() -> None:
    table = Table().cubes(1, 2, 2, 1).state(pile=[2, 2, 2]).pending("rubble_cube", 1)
    game = apply(table.game(), 2)
    assert game.period == 0
    apply(game, play(0, "blue-maia-1"))
    game.apply(game.legal()[0])
    assert (game.period, kind(game), game.seat) == (1, "discard_hand", 1)  # K4: the trigger discards first


def test_k2_k3_three_wigs_a_set_before_anything_else() -> None:
    table = Table().cubes(0, 1, 1, 1).cubes(1, 2, 2, 2).state(trigger=1)
    game = apply(table.game(), play(0, "blue-maia-1"))
    game.apply(game.legal()[0])
    assert [p["ledger"][CATEGORY["sets"]] for p in game.fields()["players"][:3]] == [3, 6, 0]


def test_k4_by_decks_it_is_the_player_who_took_the_last_card() -> None:
    table = Table().state(deck_pos=[5, 5, 4, 0], face_up=0b1100)
    game = apply(table.game(), play(0, "blue-maia-1"))
    game.apply(game.fields()["decks"][0][KING][4])
    assert (kind(game), game.seat) == ("discard_hand", 0)


def test_k5_n17_one_reward_a_noble_and_no_penalties() -> None:
    table = Table().hand(0, "blue-king-1", "blue-king-5", "blue-marquis-2", "blue-treasury-1", "blue-maia-1")
    table.state(trigger=0).set(0, influence=9)
    game = apply(table.game(), play(0, "blue-maia-1"))
    game.apply(game.legal()[0])
    for card in sorted(("blue-king-1", "blue-king-5", "blue-marquis-2", "blue-treasury-1"), key=number):
        game.apply(number(card))
    game.apply(core.STOP)
    # the Marquis' 4 réis resolved themselves; of the King's cards one must be picked
    assert me(game)["reis"] == 10 + 4
    assert (kind(game), game.legal()) == ("discard_reward", [number("blue-king-1"), number("blue-king-5")])
    game.apply(number("blue-king-5"))
    assert me(game)["influence"] == 9  # "pay influence 2" is ignored


def test_k2_k6_n19_hands_to_five_and_play_goes_on_after_the_active_player() -> None:
    game = apply(Table().state(trigger=2).game(), play(0, "blue-maia-1"))
    game.apply(game.legal()[0])
    order = []
    while kind(game) == "discard_hand":
        order.append(game.seat)
        game.apply(core.STOP)
    assert order == [2, 0, 1]
    assert (kind(game), game.active) == ("play_card", 1)
    assert [p["n_hand"] for p in game.fields()["players"][:3]] == [5, 5, 5]


def test_k7_prices_treasury_and_cargo_persist_ships_and_red_cards_go() -> None:
    table = Table().top(1, ("ship-red-1", 1, 0)).state(trigger=0, price=[5, 3, 4, 5]).treasury(6)
    game = apply(table.game(), play(0, "blue-maia-1"))
    game.apply(game.legal()[0])
    until(game, "play_card")
    fields = game.fields()
    assert (fields["treasury"], fields["price"]) == (5, [5, 3, 4, 5])
    assert me(game, 1)["cargo"][0] == 1
    assert fields["ship_pos"] == 0
    assert all(fields["decks"][1][d][0] >= 62 for d in range(4))  # brown cards


# --- L. End of the game -----------------------------------------------------------------------------------------------

def test_l1_l2_the_round_is_finished_and_one_more_played() -> None:
    # the fourth set in the first turn of a round of three: turns 0-2, then 3-5
    for turn, last in ((0, 5), (1, 5), (2, 5), (3, 8)):
        table = Table().state(turn=turn, trigger=0, period=1, deck_pos=[1, 1, 1, 1], face_up=15)
        brown = ENGINE.tables()["deck_cards"][3]
        table.fields["decks"] = [[[0] * 5] * 4, [[brown[5 * d + i] for i in range(5)] for d in range(4)]]
        table.state(gone_cards=[sum(1 << n for n in range(21, 41)), 0])
        game = table.cubes(0, 4, 4, 4).game()
        apply(game, play(0, "blue-maia-1"))
        game.apply(game.legal()[0])
        assert game.fields()["last_turn"] == last


def score(table: Table, seat: int = 0) -> dict[str, int]:
    row = table.game().score_now()[seat]
    return {name: row[i] for name, i in CATEGORY.items()}


def test_l4_hulls_and_sets() -> None:
    table = Table().cubes(0, 2, 2, 2).top(0, ("ship-red-1", 1, 0), ("ship-blue-1", 0, 0))
    assert score(table)["hulls"] == 2 + 1
    assert score(table)["sets"] == 6


def test_l5_influence_is_cashed_with_the_money_and_rounded_once() -> None:
    # influence 7 makes 4: 11 + 4 = 15 réis
    assert score(Table().set(0, reis=11, influence=7))["money"] == 3
    assert score(Table().set(0, reis=10, influence=7))["money"] == 2


def majority(seats: int, business: int, counts: list[int]) -> list[int]:
    lands = {GOLD: ["B1", "C1", "D1", "E1", "B2", "C2"], CLOTH: ["A2", "B2", "C2", "D2", "E2", "A3"],
             BOOKS: ["A3", "B3", "C3", "D3", "E3", "A4"], TOOLS: ["A4", "B4", "C4", "D4", "E4", "A5"]}[business]
    if seats == 2:
        lands = [land for land in lands if land[0] != "E"]
    table = Table(seats)
    for seat, n in enumerate(counts):
        for _ in range(n):
            table.store(seat, f"land-{lands.pop(0)}", business)
    name = f"{('gold', 'cloth', 'books', 'tools')[business]}_majority"
    return [row[CATEGORY[name]] for row in table.game().score_now()[:seats]]


def test_l6_ties_add_the_places_and_share_them() -> None:
    assert majority(3, BOOKS, [2, 2, 1]) == [7, 7, 3]
    assert majority(2, GOLD, [1, 1]) == [2, 2]
    assert majority(2, TOOLS, [1, 1]) == [3, 3]
    assert majority(2, BOOKS, [1, 1]) == [6, 6]
    assert majority(2, CLOTH, [2, 1]) == [9, 3]  # two players: the most and the third-most place


def test_l7_no_store_no_place() -> None:
    assert majority(3, TOOLS, [1, 0, 2]) == [3, 0, 6]


def test_l8_places_past_the_third_are_worth_nothing() -> None:
    assert majority(4, BOOKS, [2, 1, 1, 1]) == [9, 3, 3, 3]


def test_l9_officials_printed_on_completed_plans() -> None:
    table = Table().plans(0, completed=("plan-green-3",)).plans(1, completed=("plan-blue-1",))
    rows = table.game().score_now()
    assert [row[CATEGORY["officials"]] for row in rows] == [15, 10, 0]
    two = Table(2).plans(0, completed=("plan-green-1",)).plans(1, completed=("plan-blue-1",)).game().score_now()
    assert [row[CATEGORY["officials"]] for row in two] == [10, 10]


def test_l10_unspent_favors_are_worth_two() -> None:
    assert score(Table().favors(0, MAIA, KING))["favors"] == 4


def finished(**second: Any) -> core.Game:
    table = Table().state(phase=2, depth=0)
    table.set(0, wigs=20).set(1, wigs=20).set(2, wigs=19)
    return table.set(1, **second).game()


def test_l11_ties_go_to_sets_stores_plans_money_then_are_shared() -> None:
    assert finished().winners() == [0, 1]
    assert finished(reis=11).winners() == [1]
    table = Table().state(phase=2, depth=0).set(0, wigs=20, reis=50).set(1, wigs=20).cubes(1, 1, 1, 1)
    assert table.game().winners() == [1]


# --- M10. The Queen --------------------------------------------------------------------------------------------

def test_m10_with_the_queen_out_the_marquis_builds_or_opens() -> None:
    table = Table(queen=True).state(queen=1).hand(0, "blue-marquis-1", "blue-king-1").set(0, influence=9, reis=40)
    game = apply(table.game(), play(2, "blue-marquis-1"), core.STOP)
    assert (kind(game), game.legal()) == ("noble_action", [0, 1])


def test_m10_n24_decree_rewards_are_lost_and_decree_events_cannot_be_sponsored() -> None:
    table = Table(queen=True).state(queen=1).hand(0, "red-treasury-3", "blue-king-1")
    game = table.game()
    assert play(2, "red-treasury-3") not in game.legal()
    assert play(2, "red-treasury-3") in Table().hand(0, "red-treasury-3", "blue-king-1").game().legal()


# --- N. Settled points -----------------------------------------------------------------------------------------------

def test_n1_everyone_draws_before_anyone_chooses() -> None:
    game = core.Game.deal(ENGINE, 3, 4)
    drawn = game.fields()["drawn"]
    game.apply(game.legal()[0])
    assert game.fields()["drawn"][1] == drawn[1]
    assert game.fields()["drawn"][2] == drawn[2]


def test_n2_the_draft_keeps_two_then_one_then_one_then_the_last() -> None:
    game = core.Game.deal(ENGINE, 3, 4, draft=True)
    while kind(game) == "keep_clergy":
        game.apply(game.legal()[0])
    seen = []
    while kind(game) == "draft_keep":
        seen.append((game.seat, len(game.legal())))
        game.apply(game.legal()[0])
    assert seen == [(0, 5), (0, 4), (1, 5), (1, 4), (2, 5), (2, 4), (0, 3), (1, 3), (2, 3), (0, 2), (1, 2), (2, 2)]
    assert [p["n_hand"] for p in game.fields()["players"][:3]] == [5, 5, 5]


def test_n3_a_discard_with_room_left_is_not_offered_but_a_ship_may_replace_a_ship() -> None:
    table = Table().top(0, ("ship-blue-1", 0, 0)).pending("build_ship")
    assert table.game().legal() == [core.STOP, number("ship-blue-1")]


def test_n6_cargo_that_does_not_fit_goes_to_the_supply() -> None:
    # red (hull 2) with two crates replaced by a blue one (hull 1): one crate stays and the hold is full
    table = Table().top(0, ("ship-red-1", 0, 2)).state(ship_pos=0).pending("place_ship", a=number("ship-red-1"))
    table.state(ship_pos=1)
    table.fields["period"] = 0
    table.fields["ship_pos"] = 3
    game = table.game()
    assert me(game)["top"][0] == number("ship-red-2")
    assert me(game)["packed"][0] == 2
    assert me(game)["ledger"][CATEGORY["sailed"]] == 0  # N32: packed crates alone earn no wigs


def test_n7_the_state_action_must_be_possible_after_its_good_is_paid() -> None:
    # one book: it cannot buy the ship action, since the ship itself costs a good
    table = Table().set(0, goods=[0, 0, 1, 0]).store(0, "land-B1", GOLD).pending("trade")
    assert me(table.game())["goods"] == [1, 0, 0, 0]  # producing was the only thing left to buy


def test_n8_an_event_needs_something_to_do() -> None:
    # blue-treasury-2: a plan; both stacks are empty
    table = Table().hand(0, "blue-treasury-2", "blue-king-1")
    plans = [f"plan-{c}-{i}" for c in ("green", "blue") for i in range(1, 9)]
    table.plans(1, *plans)
    assert play(2, "blue-treasury-2") not in table.game().legal()


def test_n10_the_land_is_taken_before_its_reward() -> None:
    table = Table().set(0, reis=40).pending("build_store")
    game = apply(table.game(), frontage("land-C5", TOOLS))
    assert kind(game) == "choice"
    assert game.fields()["land_business"][number("land-C5")] == TOOLS
    assert game.fields()["land_owner"][number("land-C5")] == -1


def test_n15_a_tile_given_up_no_longer_helps() -> None:
    # clergy-29: influence gain +1
    table = church_at_end_of_turn(0, s0=("clergy-29",)).top(0, "blue-maia-3").set(0, influence=1)
    game = apply(to_church(table), number("clergy-29"))
    assert me(game)["influence"] == 1 + 2


def test_n16_lost_capacity_sheds_goods_and_cards() -> None:
    # clergy-30: warehouse +1; clergy-31: portfolio +1
    table = church_at_end_of_turn(0, s0=("clergy-30", "clergy-31")).set(0, goods=[1, 3, 3, 3])
    table.top(0, "blue-maia-3", "blue-maia-4", "blue-maia-5")
    game = apply(to_church(table), number("clergy-30"))
    assert me(game)["goods"] == [2, 2, 2, 2]
    game.apply(number("clergy-31"))
    assert kind(game) == "shed"
    assert len(game.legal()) == 3


def test_n23_a_reward_decree_may_spend_a_marker_too() -> None:
    table = Table().cubes(0, 1, 1, 1).pending("effects", a=106 + number("site-west-D"))
    game = table.game()
    game.apply(game.legal()[0])
    assert kind(game) == "spend_marker"


def test_n25_a_favor_holder_who_cannot_act_is_skipped() -> None:
    table = Table().favors(1, MARQUIS).set(1, influence=0, wigs=0).pending("follow_window", 0, MARQUIS, 1)
    assert kind(table.game()) == "play_card"


def test_n26_the_next_card_shows_in_upkeep_only() -> None:
    table = church_at_end_of_turn(0, s0=("clergy-1",))
    game = apply(table.game(), play(0, "blue-maia-1"))
    card = game.legal()[0]
    game.apply(card)
    assert kind(game) == "give_clergy"
    assert bin(game.fields()["face_up"]).count("1") == 3
    game.apply(core.STOP)
    assert bin(game.fields()["face_up"]).count("1") == 4


def test_n27_goods_beyond_the_warehouse_are_lost() -> None:
    table = Table().set(0, goods=[2, 2, 2, 1]).pending("good_any", a=2)
    assert me(table.game())["goods"] == [2, 2, 2, 2]  # one had room, the second was lost


def test_n28_decrees_count_reis_before_influence_is_cashed() -> None:
    # decree-47: 4 wigs for at least 10 réis; decree-45: 4 for at least 7 influence
    assert score(Table().decrees(0, "decree-47").set(0, reis=9, influence=10))["decrees"] == 0
    assert score(Table().decrees(0, "decree-45").set(0, reis=9, influence=7))["decrees"] == 4


def test_n31_a_tiles_own_reward_comes_when_it_is_taken() -> None:
    # clergy-6 rewards influence
    table = Table().church("clergy-6", "clergy-8", "clergy-9", "clergy-10", "clergy-35", "clergy-34")
    table.top(0, "blue-maia-3").set(0, influence=1).pending("clergy_tile", 0).state(cardinal=1)
    game = apply(table.game(), number("clergy-6"))
    assert me(game)["influence"] == 3
