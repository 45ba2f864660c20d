"""Hand-worked tests of docs/rules.md K: the end of period 1."""

import pytest
from positions import (
    CATEGORY,
    COURT,
    FOR_GOLD,
    GOLD,
    KING,
    MAIA,
    NO,
    NOBLE_ACTION,
    TABLES,
    YES,
    Table,
    apply,
    base,
    draw,
    frontage,
    kind,
    me,
    number,
    pass_turn,
    play,
)

from engine_ext import core


def nobody_discards(game: core.Game) -> list[int]:
    """Everybody keeps the whole hand; returns the seats in the order in which they were asked."""
    order = []
    while kind(game) == "discard_hand":
        order.append(game.seat)
        game.apply(core.STOP)
    return order


# --- what triggers it -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seat", [0, 1])
def test_k1_any_players_second_set_ends_the_period_after_the_turn(seat: int) -> None:
    # a cube of the pile in seat 0's turn
    table = Table().cubes(seat, 2, 2, 1).state(pile=[0, 0, 1]).pending("rubble_cube", seat)
    game = table.game()
    assert (game.period, kind(game)) == (0, "play_card")
    pass_turn(game)
    assert (game.period, kind(game), game.seat) == (1, "discard_hand", seat)


def test_k1_a_first_set_does_not() -> None:
    game = pass_turn(Table().cubes(0, 1, 1, 0).state(pile=[0, 0, 1]).pending("rubble_cube").game())
    assert (me(game)["sets"], game.period, kind(game)) == (1, 0, "play_card")


def test_k1_the_third_empty_deck_ends_the_period() -> None:
    for empty, period in ((2, 1), (1, 0)):
        decks = [5] * empty + [4] * (3 - empty) + [0]
        table = Table().state(deck_pos=decks, face_up=0b1111 >> empty << empty)
        game = apply(table.game(), play(FOR_GOLD, "blue-maia-1"), table.fields["decks"][0][KING][4])
        assert (game.period, kind(game)) == (period, "discard_hand" if period else "play_card")


def test_k1_the_turn_is_finished_first() -> None:
    # Maia's visit: the blue cube of land B2 completes the second set. A rival may follow, seat 0 has moved the cardinal
    table = base().cubes(0, 2, 2, 1).rubble("B", 0, 0, 1).column(2, 0, 0, 0).favors(1, MAIA).set(0, influence=2)
    table.hand(0, "blue-maia-1", "blue-king-1").clergy(0, "clergy-3").state(church_caller=0)
    game = apply(table.game(), play(COURT, "blue-maia-1"), core.STOP, frontage("land-B2", GOLD), 0)
    seen = []
    while kind(game) != "discard_hand":
        assert game.period == 0
        seen.append(kind(game))
        game.apply({"follow": NO, "take_card": game.legal()[0], "give_clergy": core.STOP}[kind(game)])
    assert seen == ["follow", "take_card", "give_clergy"]
    assert game.fields()["city"] == 0b11111  # upkeep: the gold tile's space is filled again


# --- what happens -----------------------------------------------------------------------------------------------------


def change(table: Table, trigger: int = 0) -> Table:
    """The change of period; afterwards seat 0 plays a card, as if its turn were still to come."""
    return table.state(trigger=trigger).pending("period_end")


def test_k2_sets_then_ships_then_discards_then_hands_then_brown_decks() -> None:
    table = Table().cubes(0, 1, 1, 1).cubes(1, 2, 2, 2).state(trigger=1)
    purple = table.fields["purple"][:1]
    game = pass_turn(table.game())
    fields = game.fields()
    assert (kind(game), game.seat) == ("discard_hand", 1)
    assert [player["ledger"][CATEGORY["sets"]] for player in fields["players"][:3]] == [3 * 1, 3 * 2, 0]
    assert (fields["period"], fields["ship_pos"], fields["face_up"]) == (1, 0, 0)  # no brown card lies there yet
    apply(game, number("blue-king-2"), core.STOP)  # its reward: one step of the cardinal, then a tile
    game.apply(game.legal()[0])
    assert me(game, 1)["n_hand"] == 4
    nobody_discards(game)
    assert [player["n_hand"] for player in game.fields()["players"][:3]] == [5, 5, 5]
    assert me(game, 1)["hand"][4:] == purple
    brown = TABLES.engine.tables()["deck_cards"][3][:20]
    assert game.fields()["face_up"] == 0b1111
    assert all(game.fields()["decks"][1][deck][0] in brown for deck in range(4))


def test_k3_a_set_completed_by_a_discard_is_too_late_for_this_periods_wigs() -> None:
    table = change(base().hand(0, "blue-maia-4").cubes(0, 1, 1, 0).state(pile=[0, 0, 1]))
    game = apply(table.game(), number("blue-maia-4"), core.STOP)  # a cube of the pile
    assert (me(game)["sets"], me(game)["ledger"][CATEGORY["sets"]]) == (1, 0)


def test_k4_the_player_who_triggered_it_discards_first_even_one_who_followed() -> None:
    # Maia's favor takes seat 1 along to a store whose blue cube completes its second set in seat 0's turn
    table = base().cubes(1, 2, 2, 1).rubble("B", 0, 0, 1).column(2, 0, 0, 0).favors(1, MAIA).set(1, influence=2)
    game = table.set(1, reis=30).pending("follow_window", 0, MAIA, 1).game()
    apply(game, YES, NOBLE_ACTION, frontage("land-B2", GOLD))
    while kind(game) != "play_card":
        game.apply(game.legal()[0])
    assert (game.active, me(game, 1)["sets"]) == (0, 2)
    assert nobody_discards(pass_turn(game)) == [1, 2, 0]


def test_k4_by_decks_it_is_the_player_who_took_the_last_card() -> None:
    table = Table().state(deck_pos=[5, 5, 4, 0], face_up=0b1100)
    game = apply(table.game(), play(FOR_GOLD, "blue-maia-1"), table.fields["decks"][0][KING][4])
    assert nobody_discards(game) == [0, 1, 2]


def test_k5_one_reward_for_each_noble_of_the_players_pick() -> None:
    # 4 réis for the Marquis; a cloth, or a penalty of 2 influence, for the King; a treasury card pays nothing
    cards = ("blue-marquis-2", "blue-king-1", "blue-king-5", "blue-treasury-1")
    game = change(base().hand(0, *cards).set(0, influence=9)).game()
    for card in sorted(map(number, cards)):
        game.apply(card)
    game.apply(core.STOP)
    kings = [number("blue-king-1"), number("blue-king-5")]
    assert (kind(game), game.legal()) == ("discard_reward", kings)
    assert me(game)["reis"] == 10 + 4  # nothing to pick there, and no 3 réis of the treasury either
    cloth = apply(game.copy(), kings[0])
    assert (me(cloth)["goods"], me(cloth)["influence"]) == ([1, 1 + 1, 1, 1], 9)
    ignored = apply(game, kings[1])
    assert (me(ignored)["goods"], me(ignored)["influence"]) == ([1, 1, 1, 1], 9)
    assert (kind(ignored), ignored.seat) == ("discard_hand", 1)  # three of a noble would not have paid more


def test_k6_play_goes_on_after_the_active_player() -> None:
    game = pass_turn(Table().state(trigger=2).game())
    assert nobody_discards(game) == [2, 0, 1]
    assert (kind(game), game.active, game.turn) == ("play_card", 1, 1)


# --- what stays, what goes --------------------------------------------------------------------------------------------

STAYS = """treasury price cardinal city city_large city_small land_business land_owner row_cubes column_cubes site_cubes
    site_building buildings building_pos plan_pos"""
PLAYERS_STAY = """reis influence officials offices plazas goods favors plans completed clergy decrees cubes houses
    n_top top cargo packed n_bottom bottom"""


def test_k7_boards_and_portfolios_stay_as_they_are() -> None:
    table = base().state(price=[5, 3, 4, 5], cardinal=4, trigger=0).treasury(6).top(1, ("ship-red-1", 1, 0))
    table.bottom(0, "blue-treasury-1").favors(2, KING).officials(2, (1, 1, 0), (0, 2, 0)).set(1, influence=9)
    table.store(0, "land-B1", GOLD).building(2, "site-west-B", "building-1", 0).clergy(1, "clergy-3")
    game = apply(table.game(), play(FOR_GOLD, "blue-maia-1"))
    before = game.fields()
    nobody_discards(draw(game))
    after = game.fields()
    assert {key: after[key] for key in STAYS.split()} == {key: before[key] for key in STAYS.split()}
    for seat in range(3):
        then, now = before["players"][seat], after["players"][seat]
        assert {key: now[key] for key in PLAYERS_STAY.split()} == {key: then[key] for key in PLAYERS_STAY.split()}


def test_k7_the_rest_of_red_decks_and_shipyard_goes() -> None:
    game = apply(Table().state(trigger=0, ship_pos=1).game(), play(FOR_GOLD, "blue-maia-1"))
    taken = game.legal()[0]
    game.apply(taken)
    nobody_discards(game)
    red = TABLES.engine.tables()["deck_cards"][1][:20]
    assert [card for card in red if not game.fields()["gone_cards"][0] >> card & 1] == [taken]
    # the next ship is the first of the second period's stack, though three of the first were left
    fields = game.fields()
    assert (fields["period"], fields["ship_pos"]) == (1, 0)
