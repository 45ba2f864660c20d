"""Positions that no game can come to: each is refused with the field, what stands there and what is allowed."""

from __future__ import annotations

import pytest
from faults import (
    Change,
    add,
    at,
    both,
    broken,
    building,
    changed,
    cleared,
    dock,
    put,
    quiet,
    said,
    seen,
    store,
    third_round,
)
from positions import BLUE, BROWN, KING, RED, TABLES, Table, apply, number

from lisboa.v1 import position_pb2 as pb
from lisboa_ai.edition import COLOURS
from lisboa_ai.position import validate

T = TABLES


# --- cubes ------------------------------------------------------------------------------------------------------------

ROW_A = "city.rows[0]"


def one_of_each() -> pb.Position:
    """The first turn, with a cube of each colour at the end of row A."""
    return seen(Table(3).rubble("A", 1, 1, 1).game()).to_proto()


@pytest.mark.parametrize("colour", COLOURS)
def test_a_cube_too_many(colour: str) -> None:
    """21 of each colour are in the box (A1); one lies on a board though none has left the city."""
    assert said(put(f"boards[1].cubes.{colour}", 1), "city") == (
        f"city: 22 {colour} cubes in the city and on boards; "
        f"allowed: 21 {colour} cubes in all, those in city.gone included"
    )


@pytest.mark.parametrize("colour", COLOURS)
def test_a_cube_too_few(colour: str) -> None:
    assert said(put(f"{ROW_A}.{colour}", 0), "city", one_of_each()).startswith(f"city: 20 {colour} cubes in the city")


def test_a_cube_of_another_colour() -> None:
    """One brown cube more and one red less are two faults."""
    found = validate(changed(both(put(f"{ROW_A}.brown", 2), put(f"{ROW_A}.red", 0)), one_of_each()))
    assert [violation.value[:8] for violation in found] == ["22 brown", "20 red c"]


@pytest.mark.parametrize(
    ("field", "most"),
    [(ROW_A, 3), ("city.columns[3]", 3), ("city.columns[4]", 2), ("city.sites[2].cubes", 2), ("city.pile", 6)],
)
def test_more_cubes_than_a_place_is_given(field: str, most: int) -> None:
    """3 at a row's end and below a wide column, 2 below the half column and on a site, 6 in the pile (A1)."""
    assert said(both(put(f"{field}.red", most), put(f"{field}.blue", 1), put(f"{field}.brown", 0)), field) == (
        f"{field}: {most + 1} cubes; allowed: at most {most}"
    )


def test_row_e_has_no_cubes_with_two_players() -> None:
    message = seen(Table(2).game()).to_proto()
    assert said(put("city.rows[4].red", 1), "city.rows[4].red", message) == "city.rows[4].red: 1; allowed: 0"
    message = seen(Table(2).game()).to_proto()
    change: Change = lambda m: m.city.sites.add(site="site-east-E", cubes=pb.Cubes(blue=2))  # noqa: E731
    last = len(message.city.sites)
    assert f"city.sites[{last}].cubes.blue" in broken(change, message)


def test_seven_cubes_leave_a_game_of_two_players() -> None:
    """A2; here 2 brown, 2 red and 3 blue ones do, and one of them is put into the pile instead."""
    table = Table(2)
    table.fields["pile"] = [2, 2, 2]
    gone = table.game().fields()["gone_cubes"]
    colour = next(i for i in (BROWN, RED, BLUE) if gone[i])
    other = COLOURS[colour]
    message = seen(table.game()).to_proto()
    assert sum(gone) == 7
    change = both(put(f"city.gone.{other}", gone[colour] - 1), put(f"boards[0].cubes.{other}", 1))
    assert said(change, "city.gone", message) == (
        "city.gone: 6 cubes; allowed: 7 or more: those of row E are not in a game of 2 players"
    )


# --- in two places ----------------------------------------------------------------------------------------------------

CHURCH = quiet().church.tiles
DECREES = quiet().decrees
GREEN_PLANS = quiet().plan_stacks[0].plans
PLAN = quiet().boards[0].plans[0]
TILE = quiet().building_stacks[0].buildings[0]
FACE_UP = quiet().decks[1].face_up
BOTH_PLACES = [
    ("a clergy tile: church and board", add("boards[1].clergy", CHURCH[0]), "boards[1].clergy[0]", "church.tiles[0]"),
    ("a clergy tile: church and gone", add("church.gone", CHURCH[2]), "church.gone[0]", "church.tiles[2]"),
    ("a clergy tile: church twice", put("church.tiles[4]", CHURCH[1]), "church.tiles[4]", "church.tiles[1]"),
    (
        "a clergy tile: two boards",
        both(add("boards[0].clergy", "clergy-30"), add("boards[2].clergy", "clergy-30")),
        "boards[2].clergy[0]",
        "boards[0].clergy[0]",
    ),
    (
        "a clergy tile: one board twice",
        add("boards[1].clergy", "clergy-30", "clergy-30"),
        "boards[1].clergy[1]",
        "boards[1].clergy[0]",
    ),
    ("a decree: display and board", add("boards[2].decrees", DECREES[3]), "boards[2].decrees[0]", "decrees[3]"),
    ("a decree: display twice", put("decrees[6]", DECREES[5]), "decrees[6]", "decrees[5]"),
    ("a decree: removed and displayed", add("decrees_removed", DECREES[0]), "decrees_removed[0]", "decrees[0]"),
    (
        "a decree: two boards",
        both(add("boards[0].decrees", "decree-60"), add("boards[1].decrees", "decree-60")),
        "boards[1].decrees[0]",
        "boards[0].decrees[0]",
    ),
    (
        "a plan: stack and board",
        add("boards[0].plans", GREEN_PLANS[3]),
        "boards[0].plans[1]",
        "plan_stacks[0].plans[3]",
    ),
    (
        "a plan: stack twice",
        add("plan_stacks[0].plans", GREEN_PLANS[3]),
        "plan_stacks[0].plans[8]",
        "plan_stacks[0].plans[3]",
    ),
    ("a plan: two boards", add("boards[1].plans", PLAN), "boards[1].plans[1]", "boards[0].plans[0]"),
    (
        "a plan: held and completed",
        add("boards[0].completed_plans", PLAN),
        "boards[0].completed_plans[0]",
        "boards[0].plans[0]",
    ),
    ("a favor twice", add("boards[1].favors", "maia", "maia"), "boards[1].favors[1]", "boards[1].favors[0]"),
    (
        "a building: site and stack",
        building("site-west-A", TILE),
        "building_stacks[0].buildings[0]",
        "city.buildings[0].building",
    ),
    (
        "a building: both stacks",
        put("building_stacks[1].buildings[1]", TILE),
        "building_stacks[1].buildings[1]",
        "building_stacks[0].buildings[0]",
    ),
    (
        "a building: two sites",
        both(building("site-west-A", "building-16"), building("site-east-B", "building-16")),
        "city.buildings[1].building",
        "city.buildings[0].building",
    ),
    (
        "two buildings on one site",
        both(building("site-west-A", "building-16"), building("site-west-A", "building-15")),
        "city.buildings[1].site",
        "city.buildings[0].site",
    ),
    (
        "a building on a site being opened",
        both(building("site-west-A", "building-16"), add("city.sites_opening", "site-west-A")),
        "city.sites_opening[0]",
        "city.buildings[0].site",
    ),
    (
        "two stores on one land",
        both(store("land-C3", "books"), store("land-C3", "cloth", 1)),
        "city.stores[1].land",
        "city.stores[0].land",
    ),
    (
        "a ship: two docks",
        both(put("ships_taken", 1), dock(0, "ship-blue-1"), dock(2, "ship-blue-1")),
        "boards[2].docks[0].holds",
        "boards[0].docks[0].holds",
    ),
    (
        "a city tile: display twice",
        add("city.tiles_on_display", "gold"),
        "city.tiles_on_display[5]",
        "city.tiles_on_display[0]",
    ),
    (
        "a scoring tile twice",
        put("city.scoring_tiles[3]", quiet().city.scoring_tiles[0]),
        "city.scoring_tiles[3]",
        "city.scoring_tiles[0]",
    ),
    (
        "cubes of a site twice",
        lambda m: m.city.sites.add(site="site-west-A"),
        "city.sites[14].site",
        "city.sites[0].site",
    ),
    ("a card: hand twice", put("boards[0].hand[3]", "blue-maia-1"), "boards[0].hand[3]", "boards[0].hand[0]"),
    ("a card: hand and gone", add("cards_gone", "blue-maia-2"), "boards[0].hand[1]", "cards_gone[0]"),
    ("a card: hand and portfolio", dock(0, "blue-maia-2"), "boards[0].hand[1]", "boards[0].docks[0].holds"),
    ("a card: hand and being tucked", put("played", "blue-maia-1"), "boards[0].hand[0]", "played"),
    ("a card: two hands", add("boards[1].hand", "blue-maia-1"), "boards[1].hand[0]", "boards[0].hand[0]"),
    ("a card: hand and face up", put("boards[0].hand[0]", FACE_UP), "boards[0].hand[0]", "decks[1].face_up"),
    ("a card: taken and face up", add("decks[1].taken", FACE_UP), "decks[1].face_up", "decks[1].taken[0]"),
    (
        "a card: office and gone",
        both(add("boards[1].office", "blue-treasury-1"), add("cards_gone", "blue-treasury-1")),
        "boards[1].office[0]",
        "cards_gone[0]",
    ),
    ("a state action covered twice", add("banners", "plan", "plan"), "banners[1]", "banners[0]"),
]


@pytest.mark.parametrize(("name", "change", "field", "other"), BOTH_PLACES, ids=[name for name, *_ in BOTH_PLACES])
def test_in_two_places(name: str, change: Change, field: str, other: str) -> None:
    found = broken(change)[field]
    assert found.reason == "DUPLICATE"
    assert found.allowed == f"one place only; it is in {other} too"
    assert found.value == repr(at(changed(change, quiet()), field))


def test_a_seat_spends_its_marker_once_a_turn() -> None:
    assert said(put("markers_spent", [1, 1]), "markers_spent[1]") == (
        "markers_spent[1]: 1; allowed: one place only; it is in markers_spent[0] too"
    )


def test_a_plan_in_no_place() -> None:
    assert said(lambda m: m.plan_stacks[0].plans.pop(), "plan_stacks[0].plans") == (
        f"plan_stacks[0].plans: {GREEN_PLANS[7]} in no place; allowed: each plan of the stack in it or on a board"
    )


def test_a_plan_in_the_other_architects_stack() -> None:
    change = both(lambda m: m.plan_stacks[0].plans.pop(), add("plan_stacks[0].plans", "plan-blue-1"))
    assert broken(change)["plan_stacks[0].plans"].reason == "WRONG_STACK"


def test_every_player_has_one_starting_plan() -> None:
    """A7: three of the four are dealt to three players."""
    assert said(put("boards[1].plans", []), "boards[1].plans") == (
        "boards[1].plans: 0 starting plans; allowed: 1, held or completed"
    )
    spare = ({"plan-green-start-1", "plan-green-start-2", "plan-blue-start-1", "plan-blue-start-2"}
             - {board.plans[0] for board in quiet().boards}).pop()  # fmt: skip
    assert said(add("boards[2].plans", spare), "boards[2].plans").startswith("boards[2].plans: 2 starting plans")


def test_a_restricted_decree_is_out_of_a_game_of_two_players() -> None:
    """A9. The edition marks the restricted ones."""
    restricted = next(decree.id for decree in T.decrees if decree.not_for_2)
    message = seen(Table(2).game()).to_proto()
    assert said(put("decrees[0]", restricted), "decrees", message) == (
        f"decrees: {restricted!r}; allowed: decrees that games of 2 players use"
    )
    message = seen(Table(2).game()).to_proto()
    assert "boards[1].decrees" in broken(add("boards[1].decrees", restricted), message)


def test_no_decree_is_taken_out_of_a_game_of_three_players() -> None:
    assert said(add("decrees_removed", "decree-60"), "decrees_removed") == (
        "decrees_removed: 'decree-60'; allowed: decrees that games of 2 players do without"
    )


@pytest.mark.parametrize(
    ("size", "left", "right"), [("large", 17, 18), ("large", 19, 18), ("small", 5, 4), ("small", 3, 4)]
)
def test_city_tiles_add_up(size: str, left: int, right: int) -> None:
    """22 large tiles less 4 on display, 5 small ones less 1."""
    total, shown = (22, 4) if size == "large" else (5, 1)
    assert said(put(f"city.{size}_left", left), f"city.{size}_left") == (
        f"city.{size}_left: {left}; allowed: {right}: of {total} tiles, 0 are stores and {shown} on display"
    )


def test_a_store_uses_a_tile() -> None:
    change = both(store("land-C3", "books"), put("boards[0].houses.left", 1))
    assert said(change, "city.large_left") == (
        "city.large_left: 18; allowed: 17: of 22 tiles, 1 are stores and 4 on display"
    )


# --- what fits --------------------------------------------------------------------------------------------------------


def test_more_cards_than_a_portfolio_without_sets_holds() -> None:
    """Two; a third with one set (B11)."""
    third = both(add("boards[0].office", "blue-treasury-1"), lambda m: m.cards_gone.remove("blue-king-4"))
    message = seen(third_round().game()).to_proto()
    assert said(third, "boards[0].docks", message) == (
        "boards[0].docks: 3 cards and ships with those in office; allowed: at most 2"
    )
    message = seen(cleared(third_round()).cubes(0, 1, 1, 1).game()).to_proto()
    assert validate(changed(third, message)) == []


def test_a_fourth_card_on_one_side() -> None:
    things = ("blue-treasury-1", "blue-treasury-2", "blue-treasury-3", "blue-treasury-4")
    found = broken(add("boards[2].office", *things))
    assert str(found["boards[2].office"]) == "boards[2].office: 4 entries; allowed: at most 3"
    found = broken(dock(2, "blue-maia-3", "blue-maia-4", "blue-maia-5", "blue-king-5"))
    assert str(found["boards[2].docks"]) == "boards[2].docks: 4 entries; allowed: at most 3"


def test_more_ships_than_docks() -> None:
    change = both(put("ships_taken", 4), dock(0, "ship-blue-1", "ship-blue-2", "ship-red-1", "ship-red-2"))
    assert said(change, "boards[0].docks") == "boards[0].docks: 4 entries; allowed: at most 3"


@pytest.mark.parametrize(
    ("taken", "ship", "allowed"),
    [
        (0, "ship-blue-1", "none"),
        (1, "ship-blue-2", "ship-blue-1"),
        (3, "ship-red-2", "ship-blue-1, ship-blue-2, ship-red-1"),
        (4, "ship-blue-3", "ship-blue-1, ship-blue-2, ship-red-1, ship-red-2"),
        (4, "ship-purple-1", "ship-blue-1, ship-blue-2, ship-red-1, ship-red-2"),
    ],
)
def test_a_ship_that_nobody_can_have_taken(taken: int, ship: str, allowed: str) -> None:
    """With three players two blue ships lie over two red ones (A3); purple ones come in period 2."""
    assert said(both(put("ships_taken", taken), dock(1, ship)), "boards[1].docks[0].holds") == (
        f"boards[1].docks[0].holds: {ship!r}; allowed: ships taken so far: {allowed}"
    )


def test_more_ships_taken_than_there_are() -> None:
    assert said(put("ships_taken", 5), "ships_taken") == "ships_taken: 5; allowed: 0 to 4"


@pytest.mark.parametrize(("ship", "hull"), [("ship-blue-1", 1), ("ship-red-1", 2)])
def test_more_cargo_than_the_hull_holds(ship: str, hull: int) -> None:
    def change(message: pb.Position) -> None:
        message.ships_taken = 3
        message.boards[0].docks.add(holds=ship, cargo=hull, crates=1)

    assert said(change, "boards[0].docks[0].cargo") == f"boards[0].docks[0].cargo: {hull + 1}; allowed: 0 to {hull}"


def test_cargo_under_a_card() -> None:
    message = seen(third_round().game()).to_proto()
    assert said(put("boards[0].docks[0].cargo", 1), "boards[0].docks[0].cargo", message) == (
        "boards[0].docks[0].cargo: 1; allowed: 0"
    )


@pytest.mark.parametrize("good", ["gold", "cloth", "books", "tools"])
def test_more_goods_than_the_warehouse_holds(good: str) -> None:
    """Two of a type without sets."""
    assert said(put(f"boards[1].goods.{good}", 3), f"boards[1].goods.{good}") == (
        f"boards[1].goods.{good}: 3; allowed: 0 to 2"
    )
    with_a_set = seen(cleared(Table(3)).cubes(1, 1, 2, 1).game()).to_proto()
    put(f"boards[1].goods.{good}", 3)(with_a_set)
    assert validate(with_a_set) == []


def test_a_fifth_clergy_tile() -> None:
    tiles = ("clergy-26", "clergy-27", "clergy-28", "clergy-29", "clergy-30")
    assert said(add("boards[0].clergy", *tiles), "boards[0].clergy") == "boards[0].clergy: 5 tiles; allowed: at most 4"


def test_a_ninth_official() -> None:
    """7 and 1 (A4): 8 with the Builder and the one at the Marquis' from the start are 9."""
    assert said(put("boards[0].plazas.maia", 8), "boards[0].offices") == (
        "boards[0].offices: 9; allowed: 8 officials in all"
    )


def test_more_officials_than_an_office_has_spaces() -> None:
    """Four (E7). Three players have one each at the Marquis' from the start."""
    assert said(put("boards[1].offices.marquis", 3), "boards[].offices.marquis") == (
        "boards[].offices.marquis: 5 officials; allowed: at most 4 of all players"
    )
    two = seen(Table(2).game()).to_proto()  # and here one neutral official stands there too (A5)
    assert said(put("boards[1].offices.marquis", 3), "boards[].offices.marquis", two) == (
        "boards[].offices.marquis: 5 officials with the neutral one; allowed: at most 4 of all players"
    )


# --- ids --------------------------------------------------------------------------------------------------------------

UNKNOWN = [
    ("boards[0].hand[0]", "blue-maia-9", "UNKNOWN_ID"),
    ("boards[0].hand[1]", "decree-1", "UNKNOWN_ID"),
    ("decks[0].face_up", "red-maia-6", "UNKNOWN_ID"),
    ("played", "card", "UNKNOWN_ID"),
    ("decrees[7]", "decree-0", "UNKNOWN_ID"),
    ("church.tiles[3]", "clergy-38", "UNKNOWN_ID"),
    ("plan_stacks[1].plans[0]", "plan-red-1", "UNKNOWN_ID"),
    ("boards[2].plans[0]", "plan", "UNKNOWN_ID"),
    ("building_stacks[0].buildings[1]", "building-17", "UNKNOWN_ID"),
    ("city.sites[0].site", "site-south-A", "UNKNOWN_ID"),
    ("city.scoring_tiles[2]", "scoring-5", "UNKNOWN_ID"),
    ("agenda[1].kind", "knitting", "UNKNOWN_WORD"),
]
ADDED = [
    ("cards_gone", "blue-king-9", "UNKNOWN_ID"),
    ("discarded", "x", "UNKNOWN_ID"),
    ("decks[3].taken", "red-treasury-0", "UNKNOWN_ID"),
    ("boards[0].office", "green-treasury-1", "UNKNOWN_ID"),
    ("boards[0].completed_plans", "plan-green-9", "UNKNOWN_ID"),
    ("boards[0].clergy", "clergy-0", "UNKNOWN_ID"),
    ("boards[0].decrees", "decree-71", "UNKNOWN_ID"),
    ("church.gone", "clergy-", "UNKNOWN_ID"),
    ("decrees_removed", "decree", "UNKNOWN_ID"),
    ("city.sites_opening", "land-A2", "UNKNOWN_ID"),
    ("boards[0].favors", "treasury", "UNKNOWN_WORD"),
    ("banners", "visit", "UNKNOWN_WORD"),
    ("city.tiles_on_display", "large", "UNKNOWN_WORD"),
]


@pytest.mark.parametrize(("field", "value", "reason"), UNKNOWN)
def test_an_unknown_id(field: str, value: str, reason: str) -> None:
    found = broken(put(field, value))[field]
    assert (found.value, found.reason) == (repr(value), reason)
    assert found.allowed


@pytest.mark.parametrize(("field", "value", "reason"), ADDED)
def test_an_unknown_id_in_a_list(field: str, value: str, reason: str) -> None:
    last = len(at(quiet(), field))
    found = broken(add(field, value))[f"{field}[{last}]"]
    assert (found.value, found.reason) == (repr(value), reason)
    assert found.allowed


def test_what_is_allowed_for_an_id_are_those_of_its_kind() -> None:
    assert said(put("decrees[7]", "decree-0"), "decrees[7]") == "decrees[7]: 'decree-0'; allowed: decree-1 to decree-70"
    assert said(dock(0, "ship-green-1"), "boards[0].docks[0].holds") == (
        "boards[0].docks[0].holds: 'ship-green-1'; allowed: ship-blue-1 to ship-brown-3"
    )


def test_an_unknown_id_of_a_store_or_building() -> None:
    assert broken(store("land-F1", "gold"))["city.stores[0].land"].reason == "UNKNOWN_ID"
    assert broken(store("land-C3", "silver"))["city.stores[0].business"].reason == "UNKNOWN_WORD"
    assert broken(building("site-west-F", "building-1"))["city.buildings[0].site"].reason == "UNKNOWN_ID"
    assert broken(building("site-west-A", "building-0"))["city.buildings[0].building"].reason == "UNKNOWN_ID"
    blue_and_green = broken(lambda m: m.city.buildings.add(site="site-west-A", building="building-16", side="red"))
    assert blue_and_green["city.buildings[0].side"].allowed == "green, blue"
    assert broken(lambda m: m.boards[0].wigs.update(luck=3))["boards[0].wigs"].reason == "UNKNOWN_WORD"


@pytest.mark.parametrize(
    ("field", "card", "reason"),
    [
        ("boards[0].office", "blue-maia-1", "WRONG_SLOT"),
        ("decks[0].taken", "red-king-1", "WRONG_DECK"),
        ("decks[0].taken", "brown-maia-1", "WRONG_DECK"),
    ],
)
def test_a_card_where_its_kind_cannot_lie(field: str, card: str, reason: str) -> None:
    found = broken(add(field, card))
    assert reason in {violation.reason for violation in found.values()}


def test_a_treasury_card_in_a_dock() -> None:
    assert said(dock(0, "blue-treasury-1"), "boards[0].docks[0].holds") == (
        "boards[0].docks[0].holds: 'blue-treasury-1'; allowed: noble cards and ships"
    )


# --- stores and buildings ---------------------------------------------------------------------------------------------


def test_no_store_on_the_historic_square() -> None:
    assert broken(store("land-A1", "gold"))["city.stores[0].land"].reason == "UNKNOWN_ID"


@pytest.mark.parametrize("land", ["land-E1", "land-E5"])
def test_no_store_in_row_e_with_two_players(land: str) -> None:
    message = seen(Table(2).game()).to_proto()
    assert said(store(land, "tools" if land == "land-E5" else "gold"), "city.stores[0].land", message) == (
        f"city.stores[0].land: {land!r}; allowed: rows A to D with 2 players"
    )


def test_no_building_in_row_e_with_two_players() -> None:
    message = seen(Table(2).game()).to_proto()
    assert broken(building("site-west-E", "building-16"), message)["city.buildings[0].site"].reason == "NOT_IN_PLAY"
    message = seen(Table(2).game()).to_proto()
    found = broken(add("city.sites_opening", "site-east-E"), message)
    assert found["city.sites_opening[0]"].reason == "NOT_IN_PLAY"


@pytest.mark.parametrize(
    ("land", "business", "allowed"),
    [
        ("land-B1", "cloth", "gold"),
        ("land-C3", "gold", "cloth or books"),
        ("land-C3", "tools", "cloth or books"),
        ("land-A2", "books", "gold or cloth"),
        ("land-D5", "books", "tools"),
    ],
)
def test_a_store_faces_a_street_that_its_land_touches(land: str, business: str, allowed: str) -> None:
    """Columns 1 to 4 lie between the streets of gold, cloth, books and tools; column 5 on that of tools (G14)."""
    assert said(store(land, business), "city.stores[0].business") == (
        f"city.stores[0].business: {business!r}; allowed: {allowed}"
    )


def test_a_small_store_uses_a_small_tile() -> None:
    change = both(store("land-D5", "tools"), put("boards[0].houses.left", 1), put("city.large_left", 17))
    found = broken(change)
    assert found["city.small_left"].allowed.startswith("3: of 5 tiles, 1 are stores")
    assert found["city.large_left"].allowed.startswith("18: of 22 tiles, 0 are stores")


@pytest.mark.parametrize(("group", "built", "most"), [("left", 3, 2), ("middle", 4, 3), ("right", 4, 3)])
def test_more_houses_than_a_group_has(group: str, built: int, most: int) -> None:
    assert said(put(f"boards[0].houses.{group}", built), f"boards[0].houses.{group}") == (
        f"boards[0].houses.{group}: {built}; allowed: 0 to {most}"
    )


def test_a_house_for_each_store() -> None:
    assert said(put("boards[2].houses.middle", 1), "boards[2].houses") == (
        "boards[2].houses: 1; allowed: 0, as many as stores"
    )
    change = both(store("land-C3", "books", 1), put("city.large_left", 17))
    assert said(change, "boards[1].houses") == "boards[1].houses: 0; allowed: 1, as many as stores"


# --- hands ------------------------------------------------------------------------------------------------------------


def test_a_hand_of_another_size() -> None:
    """Five at every turn's start (B17)."""
    assert said(put("boards[1].hidden_blue", 6), "boards[1].hand") == "boards[1].hand: 6 entries; allowed: at most 5"
    change = both(put("boards[1].hidden_blue", 4), add("cards_gone", "blue-marquis-5"))
    assert said(change, "boards[1].hand") == "boards[1].hand: 4 cards, known and hidden; allowed: 5"


def test_the_active_hand_is_one_short_before_a_card_is_taken() -> None:
    message = seen(apply(Table(3).game(), number("blue-maia-1")).copy()).to_proto()
    assert [frame.kind for frame in message.agenda][-1] == "take_card"
    assert len(message.boards[0].hand) == 4
    change = both(add("boards[0].hand", "blue-maia-1"), lambda m: m.cards_gone.remove("blue-maia-1"))
    assert said(change, "boards[0].hand", message) == "boards[0].hand: 5 cards, known and hidden; allowed: 4"


def test_more_hidden_cards_than_the_pool_holds() -> None:
    """15 blue cards were dealt to three players; a sixteenth would be known and hidden at once."""
    change = both(add("cards_gone", "blue-marquis-5"))
    assert said(change, "boards.hand") == (
        "boards.hand: 16 blue cards, known and hidden, in all places; allowed: 15, as many as were dealt"
    )


def test_purple_cards_in_period_1() -> None:
    change = both(put("boards[1].hidden_blue", 4), put("boards[1].hidden_purple", 1), add("cards_gone", "blue-maia-5"))
    assert said(change, "boards.hand") == (
        "boards.hand: 1 purple cards, known and hidden, in all places; allowed: 0, as many as were dealt"
    )
    assert said(put("purple_dealt", 1), "purple_dealt") == "purple_dealt: 1; allowed: 0 in period 1"


def test_a_card_in_hand_that_nobody_took_from_its_deck() -> None:
    card = "red-king-4" if quiet().decks[KING].face_up != "red-king-4" else "red-king-5"
    found = broken(put("boards[0].hand[0]", card))
    assert str(found["decks[2].taken"]) == (
        f"decks[2].taken: {card} in boards[0].hand; allowed: just the cards of this deck that are in a hand, "
        "a portfolio or gone"
    )


def test_a_dealt_card_in_a_rivals_hand_was_not_seen() -> None:
    change = both(put("boards[1].hand", ["blue-maia-5"]), put("boards[1].hidden_blue", 4))
    assert said(change, "boards[1].hand") == (
        "boards[1].hand: 'blue-maia-5'; allowed: cards taken from the display; one that was dealt is one of hidden_blue"
    )


def test_a_card_taken_that_is_nowhere() -> None:
    message = seen(third_round().game()).to_proto()
    found = broken(both(put("boards[1].hand", ["red-maia-2"]), put("boards[1].hidden_blue", 4)), message)
    assert "red-king-2 in no other place" in found["decks[2].taken"].value
