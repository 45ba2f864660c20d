"""Hand-worked tests of docs/rules.md J: the cardinal and the church."""

import pytest
from positions import (
    CATEGORY,
    CLOTH,
    ENGINE,
    FOR_GOLD,
    PORTFOLIO,
    TOOLS,
    Table,
    apply,
    draw,
    frontage,
    kind,
    me,
    number,
    pass_turn,
    play,
    sale,
)

from engine_ext import core


def moved(cardinal: int, steps: int, seat: int = 0) -> core.Game:
    """The cardinal was moved so many steps from a gap in seat 0's turn, and the mover took the first tile on offer.

    The influence icon lies on gap 0, the treasury icon on gap 3; gap g lies before tile g.
    """
    game = Table().state(cardinal=cardinal).pending("meet_cardinal", seat, a=2).game()
    apply(game, steps)
    game.apply(game.legal()[0])
    return game


def test_j1_one_or_two_gaps_as_the_mover_likes() -> None:
    game = Table().pending("meet_cardinal", a=2).game()
    assert game.legal() == [1, 2]
    assert [apply(game.copy(), steps).fields()["cardinal"] for steps in (1, 2)] == [1, 2]


def test_j1_a_single_arrow_is_exactly_one() -> None:
    game = apply(Table().hand(0, "blue-king-2", "blue-king-1").game(), play(PORTFOLIO, "blue-king-2"))
    assert (kind(game), game.fields()["cardinal"]) == ("clergy_tile", 1)


def test_j2_one_of_the_two_neighbours_has_to_be_taken_and_works_from_now_on() -> None:
    # gap 1 lies between tiles 0 and 1; clergy-10: sell all +1
    table = Table().church("clergy-10", "clergy-8", "clergy-9", "clergy-7", "clergy-35", "clergy-34")
    table.top(1, "ship-blue-1").pending("sell").pending("meet_cardinal", a=1)
    game = table.game()
    assert game.legal() == [number("clergy-10"), number("clergy-8")]
    apply(game, number("clergy-10"), sale(CLOTH, "ship-blue-1"))
    assert me(game)["reis"] == 10 + 4 + 2 + 1


@pytest.mark.parametrize(
    "start, steps, space", [(2, 1, 3 + 1), (1, 2, 3 + 1), (2, 2, 3 + 1), (3, 1, 3), (3, 2, 3), (0, 2, 3)]
)
def test_j3_landing_on_the_treasury_icon_or_passing_it_raises_the_treasury(start: int, steps: int, space: int) -> None:
    assert moved(start, steps).fields()["treasury"] + 1 == space


@pytest.mark.parametrize(
    "start, steps, called", [(5, 1, True), (4, 2, True), (5, 2, True), (0, 1, False), (0, 2, False), (3, 2, False)]
)
def test_j4_landing_on_the_influence_icon_or_passing_it_calls_a_scoring(start: int, steps: int, called: bool) -> None:
    game = moved(start, steps)
    assert kind(game) == "play_card"  # it waits for the end of the turn
    pass_turn(game)
    assert kind(game) == ("give_clergy" if called else "play_card")


def test_j4_it_waits_for_the_end_of_the_active_players_turn() -> None:
    game = moved(5, 1, seat=1)  # a follower, say
    game.apply(play(FOR_GOLD, "blue-maia-1"))
    assert (kind(game), game.seat) == ("take_card", 0)
    assert kind(draw(game)) == "give_clergy"


def test_j4_the_cardinal_starts_on_the_influence_icon() -> None:
    assert core.Game.deal(ENGINE, 3, 1).fields()["cardinal"] == 0
    assert kind(pass_turn(Table().game())) == "play_card"


def test_j5_two_hits_in_a_turn_call_one_scoring() -> None:
    # four players move two gaps each from gap 5: over 0 to 1, to 3, to 5, over 0 to 1
    table = Table(4).state(cardinal=5)
    for seat in (3, 2, 1, 0):
        table.pending("meet_cardinal", seat, a=2)
    game = table.game()
    for _ in range(3):
        apply(game, 2)
        game.apply(game.legal()[0])
    game.apply(2)  # one of the two tiles there is left
    assert game.fields()["cardinal"] == 1
    assert all(me(game, seat)["clergy"] for seat in range(4))
    pass_turn(game)
    asked = []
    while kind(game) == "give_clergy":
        asked.append(game.seat)
        game.apply(core.STOP)
    assert asked == [0, 1, 2, 3]  # from the first who hit it
    assert (kind(game), game.active) == ("play_card", 1)


def test_j6_the_one_who_moved_him_is_asked_first() -> None:
    table = Table().clergy(0, "clergy-1").clergy(2, "clergy-3").state(cardinal=5).pending("meet_cardinal", 1, a=1)
    game = apply(table.game(), number("clergy-7"))
    pass_turn(game)
    asked = []
    while kind(game) == "give_clergy":
        asked.append(game.seat)
        game.apply(core.STOP)
    assert asked == [1, 2, 0]


def scoring(table: Table, caller: int = 0) -> core.Game:
    """The end of seat 0's turn, in which a seat moved the cardinal onto the influence icon."""
    return pass_turn(table.state(church_caller=caller).game())


def test_j7_wigs_for_every_tile_and_one_gain_of_influence() -> None:
    # backs: 2 and 3; the top row is worth 2
    table = Table().clergy(0, "clergy-3", "clergy-7").top(0, "blue-maia-3").set(0, influence=1)
    game = apply(scoring(table), number("clergy-3"), number("clergy-7"))
    assert me(game)["wigs"] == 5 + 2 + 3
    assert me(game)["ledger"][CATEGORY["church"]] == 2 + 3
    assert (me(game)["influence"], me(game)["clergy"]) == (1 + 2, 0)
    # one tile earns as much influence
    game = apply(scoring(table), number("clergy-3"), core.STOP)
    assert (me(game)["wigs"], me(game)["influence"]) == (5 + 2, 1 + 2)


def test_j8_giving_none_is_allowed_and_gains_nothing() -> None:
    table = Table().clergy(0, "clergy-3").top(0, "blue-maia-3").set(0, influence=1)
    game = scoring(table)
    assert game.legal() == [number("clergy-3"), core.STOP]
    game.apply(core.STOP)
    assert (me(game)["wigs"], me(game)["influence"]) == (5, 1)
    assert me(game)["clergy"] == 1 << number("clergy-3")


def test_j8_without_tiles_there_is_no_taking_part() -> None:
    table = Table().clergy(2, "clergy-3").top(0, "blue-maia-3").set(0, influence=1)
    game = scoring(table)
    assert (kind(game), game.seat) == ("give_clergy", 2)
    assert (me(game)["wigs"], me(game)["influence"]) == (5, 1)


def test_j9_a_tile_taken_in_this_turn_may_be_given_up() -> None:
    game = apply(Table().state(cardinal=5).pending("meet_cardinal", a=1).game(), number("clergy-7"))
    pass_turn(game)
    assert (kind(game), game.legal()) == ("give_clergy", [number("clergy-7"), core.STOP])
    game.apply(number("clergy-7"))
    assert me(game)["wigs"] == 5 + 3


def test_j10_the_games_end_calls_no_scoring() -> None:
    table = Table().second_period().state(turn=3, last_turn=5)
    game = table.clergy(0, "clergy-3").clergy(1, "clergy-2").clergy(2, "clergy-5").game()
    for seat in (0, 1, 2):
        assert (kind(game), game.seat) == ("play_card", seat)
        pass_turn(game)
    assert game.over


def test_j10_tiles_kept_are_worth_nothing() -> None:
    with_tiles = Table().clergy(0, "clergy-3", "clergy-7").game().score_now()[0]
    assert with_tiles == Table().game().score_now()[0]


def test_j11_with_four_tiles_a_reward_that_moves_the_cardinal_is_lost() -> None:
    four = ("clergy-1", "clergy-2", "clergy-3", "clergy-5")
    table = Table().clergy(0, *four).hand(0, "blue-king-2", "blue-king-1")
    game = apply(table.game(), play(PORTFOLIO, "blue-king-2"))
    assert (kind(game), game.fields()["cardinal"]) == ("trade", 0)
    # land B5 moves him, too
    table = Table().clergy(0, *four).set(0, reis=30).rubble("B", 0, 0, 0).column(5, 0, 0, 0).pending("build_store")
    game = apply(table.game(), frontage("land-B5", TOOLS))
    assert (kind(game), game.fields()["cardinal"]) == ("pay_reis", 0)
    assert me(game)["clergy"] == sum(1 << number(tile) for tile in four)


def test_j12_tiles_given_up_leave_the_game() -> None:
    game = apply(scoring(Table().clergy(0, "clergy-3")), number("clergy-3"))
    fields = game.fields()
    assert fields["gone_clergy"] == 1 << number("clergy-3")
    assert number("clergy-3") not in fields["clergy_bag"][fields["clergy_pos"] :] + fields["church"]


def test_j12_with_the_bag_empty_holes_stay() -> None:
    fields = Table().pending("meet_cardinal", a=1).game().fields()
    unseen = fields["clergy_bag"][fields["clergy_pos"] :]
    fields.update(clergy_pos=37, gone_clergy=sum(1 << tile for tile in unseen))  # as if all had been given up
    game = apply(core.Game.from_fields(ENGINE, fields), number("clergy-8"))
    assert [tile == core.UNKNOWN for tile in pass_turn(game).fields()["church"]] == [False, True, *[False] * 4]
