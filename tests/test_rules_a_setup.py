"""Hand-worked tests of docs/rules.md A: set-up."""

from typing import Any

import pytest
from positions import (
    ENGINE,
    GOLD,
    KING,
    MAIA,
    MARQUIS,
    PORTFOLIO,
    SELL,
    TRADE,
    Table,
    apply,
    kind,
    me,
    number,
    pass_turn,
    play,
)

from engine_ext import core


def dealt(**changes: Any) -> core.Game:
    """A game of three from a set-up in which some things are arranged by hand."""
    return core.Game.from_setup(ENGINE, core.Game.deal(ENGINE, 3, 1).setup() | changes)


def lines(fields: dict[str, Any]) -> list[list[int]]:
    return fields["row_cubes"] + fields["column_cubes"] + fields["site_cubes"] + [fields["pile"]]


@pytest.mark.parametrize("seats", [3, 4])
def test_a1_all_63_cubes_are_laid_out(seats: int) -> None:
    fields = core.Game.deal(ENGINE, seats, 1).fields()
    assert [sum(row) for row in fields["row_cubes"]] == [3, 3, 3, 3, 3]
    assert [sum(column) for column in fields["column_cubes"]] == [3, 3, 3, 3, 2]
    sites = {site: sum(fields["site_cubes"][number(site)]) for site in site_names()}
    assert list(sites.values()) == [2] * (5 + 4 + 5)
    assert sum(fields["pile"]) == 6
    # 15 + 12 + 2 + 28 + 6 = 63, 21 of each colour: nothing is left for the bag
    assert [sum(line[colour] for line in lines(fields)) for colour in range(3)] == [21, 21, 21]
    assert fields["gone_cubes"] == [0, 0, 0]


def site_names() -> list[str]:
    west, east = ([f"site-{side}-{row}" for row in "ABCDE"] for side in ("west", "east"))
    return west + [f"site-north-{street}" for street in ("gold", "cloth", "books", "tools")] + east


def test_a2_two_players_leave_row_e_out() -> None:
    fields = core.Game.deal(ENGINE, 2, 1).fields()
    assert sum(fields["row_cubes"][4]) == 0
    assert [sum(fields["site_cubes"][number(f"site-{side}-E")]) for side in ("west", "east")] == [0, 0]
    assert sum(map(sum, lines(fields))) == 63 - 3 - 2 * 2 == 56
    assert sum(fields["gone_cubes"]) == 7


def test_a2_two_players_neither_build_nor_open_in_row_e() -> None:
    row_e = {number(f"land-E{column}") for column in range(1, 6)}
    lands = {argument // 4 for argument in Table(2).set(0, reis=99).pending("build_store").game().legal()}
    assert lands == set(range(24)) - row_e
    assert {argument // 4 for argument in Table(3).set(0, reis=99).pending("build_store").game().legal()} >= row_e
    sites = Table(2).set(0, reis=99).pending("open_building").game().legal()
    assert not {number("site-west-E"), number("site-east-E")} & set(sites)
    assert {number("site-west-D"), number("site-east-D")} <= set(sites)


def shipyard(seats: int, second_period: bool, seed: int) -> list[int]:
    """The ships of a period in the order in which they are built."""
    ships = []
    for taken in range(2 * (seats - 1)):
        table = Table(seats, seed=seed)
        if second_period:
            table.second_period()
        for land in ("land-B1", "land-C1", "land-D1"):
            table.store(0, land, GOLD)
        # the third house of the middle group: ships are free, so that building one resolves itself
        table.houses(0, 0, 3, 0).state(ship_pos=taken).pending("build_ship")
        ships.append(me(table.game())["top"][0])
    return ships


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a3_one_ship_of_each_colour_less_than_players_in_a_known_order(seats: int) -> None:
    def stack(*colours: str) -> list[int]:
        return [number(f"ship-{colour}-{copy}") for colour in colours for copy in range(1, seats)]

    for seed in (1, 2):  # whatever is shuffled, the stacks are not: their order is public
        assert shipyard(seats, False, seed) == stack("blue", "red")
        assert shipyard(seats, True, seed) == stack("purple", "brown")


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a4_what_each_player_starts_with(seats: int) -> None:
    players = core.Game.deal(ENGINE, seats, 3).fields()["players"][:seats]
    for player in players:
        assert (player["reis"], player["wigs"]) == (10, 5)
        assert player["goods"] == [1, 1, 1, 1]
        assert (player["officials"], player["offices"], player["plazas"]) == (7, [0, 1, 0], [0, 0, 0])
    assert [player["influence"] for player in players] == [4, 5, 6, 7][:seats]


def test_a5_with_two_players_a_neutral_official_in_each_office_counts_as_an_opponents() -> None:
    game = Table(2).game()
    # treasury on space 3: 2. One neutral in each office; the rival's official is in the Marquis' office
    assert [game.visit_cost(0, noble) for noble in (MAIA, MARQUIS, KING)] == [2 + 1, 2 + 1 + 1, 2 + 1]
    game = Table(3).game()
    assert [game.visit_cost(0, noble) for noble in (MAIA, MARQUIS, KING)] == [2, 2 + 1 + 1, 2]


def test_a5_neutral_officials_stay_for_the_whole_game() -> None:
    game = core.Game.deal(ENGINE, 2, 1)
    game.play_out(1)
    assert game.over
    assert game.fields()["neutral"] == 1


def starting_tiles(returns: list[int]) -> core.Game:
    """Seats 0, 1, 2 draw clergy tiles 0 1, 2 3, 4 5 and keep the even ones; 6 to 36 stay in the bag."""
    game = dealt(clergy=list(range(37)), clergy_returns=[*returns, core.UNKNOWN])
    return apply(game, 0, 2, 4)


def test_a6_a_rejected_tile_is_in_the_bag_before_the_church_draws() -> None:
    # each goes to the very top of the bag, the last one above the others
    game = starting_tiles([0, 0, 0])
    assert game.fields()["church"] == [5, 3, 1, 6, 7, 8]
    # and with other places in the bag it does not turn up
    assert starting_tiles([31, 32, 33]).fields()["church"] == [6, 7, 8, 9, 10, 11]


def test_a6_one_tile_is_kept_face_up() -> None:
    game = dealt(clergy=list(range(37)))
    assert game.legal() == [0, 1]
    game.apply(1)
    for observer in range(3):
        assert game.observe(observer).fields()["players"][0]["clergy"] == 1 << 1


def test_a7_the_first_favor_and_plan_are_dealt_and_chosen_by_nobody() -> None:
    favors, plans = set(), set()
    for seed in range(40):
        game = core.Game.deal(ENGINE, 4, seed)
        players = game.fields()["players"]
        assert all(player["favors"] in (1, 2, 4) for player in players)
        assert sorted(player["plans"] for player in players) == [1 << plan for plan in range(4)]  # the starting plans
        favors.add(players[0]["favors"])
        plans.add(players[0]["plans"])
        for _ in range(4):
            assert kind(game) == "keep_clergy"  # the only choice before the first turn
            game.apply(game.legal()[0])
        assert kind(game) == "play_card"
    assert favors == {1, 2, 4}
    assert plans == {1, 2, 4, 8}


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a8_as_many_favors_of_each_noble_as_players(seats: int) -> None:
    fields = core.Game.deal(ENGINE, seats, 2).fields()
    held = [sum(player["favors"] >> noble & 1 for player in fields["players"][:seats]) for noble in range(3)]
    assert [stock + out for stock, out in zip(fields["favor_stock"], held, strict=True)] == [seats] * 3


def test_a8_while_all_favors_of_a_noble_are_held_none_can_be_taken() -> None:
    table = Table().favors(0, MAIA).favors(1, MAIA).favors(2, MAIA)
    assert table.fields["favor_stock"] == [0, 3, 3]
    assert table.pending("get_favor").game().legal() == [MARQUIS, KING]


RESTRICTED = list(range(62, 70))  # decree-63 to decree-70


def test_a9_restricted_decrees_are_replaced_in_set_up_with_two_players() -> None:
    decrees = RESTRICTED + list(range(62))
    two = core.Game.from_setup(ENGINE, core.Game.deal(ENGINE, 2, 1).setup() | {"decrees": decrees}).fields()
    assert two["display"] == [0, 1, 2, 3, 4, 5, 6, 7]
    assert two["decree_pos"] == 8 + 8  # the eight restricted ones are out of the deck
    assert dealt(decrees=decrees).fields()["display"] == RESTRICTED


def test_a9_a_restricted_decree_is_replaced_in_a_refill_with_two_players() -> None:
    fields = Table(2).pending("take_decree").game().fields()
    deck = fields["decree_deck"]
    assert (fields["display"], deck[8], deck[62]) == ([0, 1, 2, 3, 4, 5, 6, 7], 8, 62)
    deck[8], deck[62] = deck[62], deck[8]  # a restricted one is next
    game = pass_turn(apply(core.Game.from_fields(ENGINE, fields), 0))
    assert game.fields()["display"] == [9, 1, 2, 3, 4, 5, 6, 7]
    assert game.fields()["decree_pos"] == 8 + 2


def test_a10_without_ships_a_card_in_the_portfolio_leads_to_a_trade() -> None:
    table = Table().hand(0, "blue-maia-3", "blue-king-1")
    assert kind(apply(table.game(), play(PORTFOLIO, "blue-maia-3"))) == "trade"  # the only way on resolved itself
    game = apply(table.top(2, "ship-blue-1").game(), play(PORTFOLIO, "blue-maia-3"))
    assert (kind(game), game.legal()) == ("sell_or_trade", [SELL, TRADE])


def test_one_player_is_refused_with_the_reason() -> None:
    with pytest.raises(ValueError, match="solo rules"):
        core.Game.deal(ENGINE, 1, 1)
