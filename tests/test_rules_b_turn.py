"""Hand-worked tests of docs/rules.md B: the turn, cards, the portfolio."""

import pytest
from positions import (
    BOOKS,
    CLOTH,
    COURT,
    FOR_GOLD,
    GOLD,
    KING,
    MAIA,
    MARQUIS,
    NO,
    PLAN,
    PORTFOLIO,
    RECRUIT,
    SELL,
    TOOLS,
    TRADE,
    Table,
    apply,
    base,
    draw,
    kind,
    me,
    number,
    pass_turn,
    play,
    sale,
)

from engine_ext import core

# --- the start of a turn ----------------------------------------------------------------------------------------------


def test_b1_own_ships_at_sea_come_back_empty_before_anything_else() -> None:
    # seat 1: a red ship (hull 2) full and at sea, another with one good; seat 2: a blue one (hull 1) at sea
    table = Table().top(1, ("ship-red-1", 0, 2), ("ship-red-2", 1, 0)).top(2, ("ship-blue-1", 0, 1))
    game = pass_turn(table.game())
    assert (kind(game), game.seat) == ("play_card", 1)
    assert me(game, 1)["packed"] == [0, 0, 0]
    assert me(game, 1)["cargo"] == [0, 1, 0]  # part-loaded: keeps its good
    assert me(game, 1)["goods"] == [1, 1, 1, 1]  # what was aboard went to the supply
    assert me(game, 2)["packed"] == [1, 0, 0]  # not this seat's turn


def test_b2_a_ship_that_filled_takes_goods_again_from_its_owners_next_turn_on() -> None:
    table = Table().top(1, "ship-blue-1").hand(0, "blue-maia-3", "blue-king-1").hand(1, "blue-marquis-2")
    game = apply(table.game(), play(PORTFOLIO, "blue-maia-3"), SELL, sale(TOOLS, "ship-blue-1"))
    assert me(game, 1)["packed"] == [1, 0, 0]
    assert kind(game) == "take_card"  # three goods are left to sell, but no ship takes them
    draw(game)
    apply(game, play(PORTFOLIO, "blue-marquis-2"), SELL)
    assert game.legal() == [sale(good, "ship-blue-1") for good in (GOLD, CLOTH, BOOKS, TOOLS)]


# --- gold for a card --------------------------------------------------------------------------------------------------


def test_b3_gold_for_a_card_and_nothing_else() -> None:
    # blue-maia-2 rewards a plan, blue-treasury-1 would pay the subsidy of 3 and lower the marker
    for card in ("blue-maia-2", "blue-treasury-1"):
        before = Table().hand(0, card, "blue-king-1").game()
        game = apply(before.copy(), play(FOR_GOLD, card))
        assert me(game)["goods"] == [1 + 1, 1, 1, 1]
        assert (me(game)["reis"], me(game)["plans"]) == (10, me(before)["plans"])
        assert game.fields()["treasury"] == 2
        assert game.fields()["gone_cards"][0] >> number(card) & 1
        assert (kind(game), me(game)["n_hand"]) == ("take_card", 1)
        assert me(draw(game))["n_hand"] == 2
        assert game.active == 1


def test_b3_gold_for_a_card_is_always_allowed() -> None:
    table = Table().set(0, goods=[0] * 4, reis=0, influence=0, wigs=0).hand(0, "blue-maia-1", "blue-treasury-1")
    assert table.game().legal() == [play(FOR_GOLD, "blue-maia-1"), play(FOR_GOLD, "blue-treasury-1")]


def test_b3_without_room_the_gold_is_lost() -> None:
    game = apply(Table().set(0, goods=[2, 0, 0, 0]).game(), play(FOR_GOLD, "blue-maia-1"))
    assert me(game)["goods"] == [2, 0, 0, 0]
    assert (kind(game), me(game)["n_hand"]) == ("take_card", 4)


# --- playing a card into the portfolio --------------------------------------------------------------------------------


def test_b4_at_least_one_good_has_to_be_sold_or_traded() -> None:
    table = Table().top(1, "ship-red-1").hand(0, "blue-maia-3", "blue-king-1")
    game = apply(table.game(), play(PORTFOLIO, "blue-maia-3"))
    assert (kind(game), game.legal()) == ("sell_or_trade", [SELL, TRADE])
    selling = apply(game.copy(), SELL)
    assert core.STOP not in selling.legal()
    assert core.STOP in apply(selling, sale(GOLD, "ship-red-1")).legal()
    trading = apply(game, TRADE)
    assert core.STOP not in trading.legal()
    apply(trading, RECRUIT, TOOLS, 0b001)
    assert core.STOP in trading.legal()


def test_b4_a_card_after_which_nothing_can_be_sold_or_traded_cannot_be_played_there() -> None:
    table = Table().set(0, goods=[0, 0, 0, 0]).hand(0, "blue-maia-1", "blue-treasury-1")
    legal = table.game().legal()
    assert play(PORTFOLIO, "blue-treasury-1") not in legal
    assert play(PORTFOLIO, "blue-maia-1") not in legal
    # "pay good any 1" takes the only good; "influence" leaves it
    table = base().set(0, goods=[1, 0, 0, 0]).hand(0, "blue-marquis-5", "blue-king-4")
    legal = table.game().legal()
    assert play(PORTFOLIO, "blue-marquis-5") not in legal
    assert play(PORTFOLIO, "blue-king-4") in legal


def test_b5_the_good_that_is_the_reward_may_be_the_one_sold_or_traded() -> None:
    game = Table().set(0, goods=[0, 0, 0, 0]).hand(0, "blue-maia-3", "blue-king-1").game()
    game.apply(play(PORTFOLIO, "blue-maia-3"))  # one tools, which Maia takes
    assert me(game)["goods"] == [0, 0, 0, 1]
    assert (kind(game), game.legal()) == ("trade", [RECRUIT, PLAN])


def test_b6_an_unpayable_penalty_does_not_forbid_the_card() -> None:
    # "pay reis 3" with nothing at all
    game = base().set(0, reis=0, influence=0).hand(0, "blue-maia-5", "blue-king-1").game()
    game.apply(play(PORTFOLIO, "blue-maia-5"))
    assert (me(game)["reis"], me(game)["n_top"]) == (0, 1)
    assert kind(game) == "trade"


def test_b7_a_penalty_is_paid_as_far_as_possible() -> None:
    # "pay reis 3" with 2 réis: cash only, influence stays
    game = Table().set(0, reis=2).hand(0, "blue-maia-5", "blue-king-1").game()
    game.apply(play(PORTFOLIO, "blue-maia-5"))
    assert (me(game)["reis"], me(game)["influence"]) == (0, 4)


def test_b8_the_influence_of_a_tucked_card_counts_the_row_before_the_tuck() -> None:
    # blue-king-4 (2) rewards influence. In the row: blue-maia-3 (2) and blue-king-5 (2), of which one will make room
    table = Table().top(0, "blue-maia-3", "blue-king-5").hand(0, "blue-king-4", "blue-king-1").set(0, influence=1)
    game = apply(table.game(), play(PORTFOLIO, "blue-king-4"))
    assert (kind(game), me(game)["influence"]) == ("make_room", 1 + 2 + 2)
    game.apply(number("blue-king-5"))
    assert (me(game)["influence"], me(game)["top_influence"]) == (5, 2 + 2)


@pytest.mark.parametrize("space", range(1, 9))
def test_b9_the_treasury_value_is_paid_before_the_marker_drops(space: int) -> None:
    # values 1 to 8; on space 1 the marker stays and 1 is paid all the same
    game = Table().treasury(space).hand(0, "blue-treasury-1", "blue-king-1").game()
    game.apply(play(PORTFOLIO, "blue-treasury-1"))
    assert me(game)["reis"] == 10 + space
    assert game.fields()["treasury"] + 1 == max(1, space - 1)


def test_b10_on_the_top_space_the_marker_stays() -> None:
    game = Table().treasury(8).set(0, goods=[1, 0, 0, 0]).pending("build_ship").game()
    assert (me(game)["n_top"], game.fields()["treasury"] + 1) == (1, 8)
    # the treasury icon is on gap 3
    game = Table().treasury(8).state(cardinal=2).pending("meet_cardinal", a=1).game()
    game.apply(game.legal()[0])
    assert (game.fields()["cardinal"], game.fields()["treasury"] + 1) == (3, 8)


@pytest.mark.parametrize(
    "sets, top, bottom, full",
    [
        (0, 1, 0, False),
        (0, 1, 1, True),
        (1, 1, 1, False),
        (1, 2, 1, True),
        (2, 2, 1, False),
        (2, 2, 2, True),
        (3, 2, 2, False),
        (3, 2, 3, True),
        (4, 2, 3, False),
        (4, 3, 3, True),
        (5, 2, 3, False),
        (5, 3, 3, True),
        (5, 3, 0, True),
    ],
)
def test_b11_two_cards_and_one_more_per_set_but_three_in_a_row(sets: int, top: int, bottom: int, full: bool) -> None:
    # limits 2, 3, 4, 5, 6, 6; the first card of the top row is a ship and counts like any other
    table = Table().cubes(0, sets, sets, sets).hand(0, "blue-king-4", "blue-king-1")
    table.top(0, *("ship-red-1", "blue-maia-1", "blue-maia-2")[:top])
    table.bottom(0, *("blue-treasury-1", "blue-treasury-2", "blue-treasury-3")[:bottom])
    game = apply(table.game(), play(PORTFOLIO, "blue-king-4"))
    assert kind(game) == ("make_room" if full else "sell_or_trade")


def test_b12_at_the_limit_any_card_may_make_room() -> None:
    # no set: 2 cards. One in each row, so both rows have free slots
    table = Table().top(0, ("ship-red-1", 1, 0)).bottom(0, "blue-treasury-1")
    table.hand(0, "blue-king-1", "blue-treasury-2")
    both = [number("ship-red-1"), number("blue-treasury-1")]
    game = apply(table.game(), play(PORTFOLIO, "blue-king-1"))
    assert (kind(game), game.legal()) == ("make_room", both)
    game = apply(table.game(), play(PORTFOLIO, "blue-treasury-2"))
    assert (kind(game), game.legal()) == ("make_room", both)
    assert me(game)["reis"] == 10 + 3  # the subsidy comes first


def test_b13_a_full_row_gives_up_one_of_its_own_three() -> None:
    # 3 sets: 5 cards, and only four lie there
    maia, treasury = ([f"blue-{deck}-{i}" for i in (1, 2, 3)] for deck in ("maia", "treasury"))
    table = Table().cubes(0, 3, 3, 3).top(0, *maia).bottom(0, "blue-treasury-1").hand(0, "blue-king-1", "blue-king-2")
    game = apply(table.game(), play(PORTFOLIO, "blue-king-1"))
    assert (kind(game), game.legal()) == ("make_room", [number(card) for card in maia])
    table = Table().cubes(0, 3, 3, 3).top(0, "blue-maia-1").bottom(0, *treasury).hand(0, "blue-treasury-4")
    game = apply(table.game(), play(PORTFOLIO, "blue-treasury-4"))
    assert (kind(game), game.legal()) == ("make_room", [number(card) for card in treasury])


def test_b14_goods_under_a_ship_given_up_go_to_the_supply() -> None:
    table = Table().top(0, ("ship-red-1", 1, 0), "blue-maia-1").hand(0, "blue-king-1", "blue-king-2")
    table.set(1, reis=14)  # who sold the good
    game = apply(table.game(), play(PORTFOLIO, "blue-king-1"), number("ship-red-1"))
    assert me(game)["top"][: me(game)["n_top"]] == [number("blue-maia-1"), number("blue-king-1")]
    assert (me(game)["cargo"], me(game)["packed"]) == ([0, 0, 0], [0, 0, 0])
    assert me(game)["goods"] == [1, 1 + 1, 1, 1]  # only the card's own cloth
    assert (me(game)["reis"], me(game, 1)["reis"], me(game, 1)["goods"]) == (10, 14, [1, 1, 1, 1])


def test_b15_a_treasury_card_given_up_stops_working() -> None:
    # blue-treasury-2: land -1
    table = Table().bottom(0, "blue-treasury-1", "blue-treasury-2").hand(0, "blue-king-1", "blue-king-2")
    game = table.game()
    before = game.land_price(0, number("land-C3"))
    apply(game, play(PORTFOLIO, "blue-king-1"), number("blue-treasury-2"))
    assert kind(game) == "trade"  # still the same turn
    assert game.land_price(0, number("land-C3")) == before + 1


# --- drawing ----------------------------------------------------------------------------------------------------------


def test_b16_one_card_of_any_deck_has_to_be_drawn() -> None:
    table = Table().state(deck_pos=[0, 4, 0, 0])  # one card is left of the Marquis'
    game = apply(table.game(), play(FOR_GOLD, "blue-maia-1"))
    decks = game.fields()["decks"][0]
    assert game.legal() == [decks[0][0], decks[1][4], decks[2][0], decks[3][0]]
    game.apply(decks[1][4])
    assert game.fields()["deck_pos"] == [0, 5, 0, 0]


def test_b17_without_a_card_left_there_is_no_draw_and_hands_never_fall_below_three() -> None:
    # Seat 0 empties the third deck and leaves one card. Five turns follow (L1): seat 1 takes that card, nobody any more
    table = Table().second_period().state(deck_pos=[5, 5, 4, 4], face_up=0b1100)
    game = apply(table.game(), play(FOR_GOLD, "blue-maia-1"), table.fields["decks"][1][KING][4])
    held = []
    while not game.over:
        pass_turn(game)
        held.append([player["n_hand"] for player in game.fields()["players"][:3]])
    assert held == [[5, 5, 5], [5, 5, 4], [4, 5, 4], [4, 4, 4], [4, 4, 3]]


# --- the royal court --------------------------------------------------------------------------------------------------


def test_b18_a_noble_card_visits_its_own_noble_in_court() -> None:
    cards = {MAIA: "blue-maia-1", MARQUIS: "blue-marquis-1", KING: "blue-king-1"}
    table = base().hand(0, *cards.values())
    for noble, card in cards.items():
        game = apply(table.game(), play(COURT, card))
        assert (kind(game), game.context[0]) == ("visit_state_action", noble)


def test_b18_in_the_portfolio_the_same_noble_may_lie_repeatedly() -> None:
    table = Table().cubes(0, 1, 1, 1).top(0, "blue-maia-1", "blue-maia-2").hand(0, "blue-maia-3", "blue-king-1")
    game = apply(table.game(), play(PORTFOLIO, "blue-maia-3"))
    assert me(game)["top"] == [number(f"blue-maia-{i}") for i in (1, 2, 3)]


def test_b19_nobody_follows_an_event() -> None:
    # red-treasury-3 takes a decree, which is the Marquis' noble action; both rivals hold his favor
    table = Table().favors(1, MARQUIS).favors(2, MARQUIS).set(1, influence=9).set(2, influence=9)
    game = apply(table.hand(0, "red-treasury-3", "blue-king-1").game(), play(COURT, "red-treasury-3"), NO)
    game.apply(game.legal()[0])
    assert sum(bin(half).count("1") for half in me(game)["decrees"]) == 1
    assert kind(game) == "take_card"


def test_b20_an_event_costs_the_treasury_value_before_its_effect() -> None:
    # blue-treasury-2: a plan. 10 réis and influence 4, good for 2 more
    game = apply(Table().hand(0, "blue-treasury-2", "blue-king-1").game(), play(COURT, "blue-treasury-2"))
    assert (kind(game), game.context[0], game.legal()) == ("pay_reis", 3, [0, 1, 2])
    game.apply(0)
    assert (kind(game), me(game)["reis"]) == ("acquire_plan", 10 - 3)
    assert game.fields()["treasury"] + 1 == 3  # the marker stays
    # clergy-36: 2 réis for each plan, which come too late to pay for it
    table = Table().hand(0, "blue-treasury-2", "blue-king-1").clergy(0, "clergy-36").set(0, influence=0, reis=2)
    assert play(COURT, "blue-treasury-2") not in table.game().legal()


def test_b20_wigs_do_not_pay_an_event() -> None:
    table = Table().hand(0, "blue-treasury-2", "blue-king-1").set(0, influence=0, reis=2, wigs=50)
    assert play(COURT, "blue-treasury-2") not in table.game().legal()
    assert play(COURT, "blue-treasury-2") in table.set(0, reis=3).game().legal()
