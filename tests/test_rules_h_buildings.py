"""Hand-worked tests of docs/rules.md H: opening a public building."""

import pytest
from positions import (
    BOOKS,
    CATEGORY,
    CLOTH,
    GOLD,
    KING,
    TOOLS,
    Table,
    apply,
    base,
    kind,
    me,
    number,
)

from engine_ext import core

Triple = tuple[int, int, int]


def opener(
    site: str = "site-west-C", offices: Triple = (0, 0, 0), plazas: Triple = (0, 0, 0), cubes: Triple = (0, 0, 0)
) -> Table:
    """Seat 0 holds a green plan for two officials, and building-1 (gold and cloth) is on display at that architect.

    Without influence there is one way of paying. Columns score 2 3 3 4 (4); site west C gives 3 wigs, east D as well.
    """
    table = base().set(0, influence=0).officials(0, offices, plazas)
    return table.offer("building-1", 0).site(site, *cubes)


def opened(table: Table, site: str = "site-west-C") -> core.Game:
    return apply(table.pending("open_building").game(), number(site))


def wigs(game: core.Game) -> list[int]:
    return [player["wigs"] for player in game.fields()["players"][: game.seats]]


def test_h1_cubes_reward_plan_tile_officials_completed_stores_display() -> None:
    # site east B: a favor and 2 réis. A gold store in row B scores column 1's 2
    table = opener("site-east-B", offices=(2, 2, 0), cubes=(1, 0, 1)).plans(0, "plan-blue-1").store(0, "land-B1", GOLD)
    table.offer("building-2", 1)
    green, next_tile = number("plan-green-start-1"), table.fields["buildings"][0][1]
    game = opened(table, "site-east-B")
    site = number("site-east-B")
    assert (kind(game), me(game)["cubes"], me(game)["reis"]) == ("get_favor", [1, 0, 1], 10)
    game.apply(KING)
    assert (kind(game), me(game)["reis"]) == ("building_plan", 10 + 2)
    assert game.fields()["site_building"][site] == -2  # the site is taken, no tile lies there yet
    game.apply(green)
    assert game.fields()["site_building"][site] == 2 * number("building-1")
    assert (kind(game), me(game)["completed"], wigs(game)) == ("building_officials", 0, [5, 5, 5])
    game.apply(2)  # both from Maia's office
    assert (me(game)["offices"], me(game)["officials"]) == ([0, 2, 0], 4 + 2)
    assert (me(game)["completed"], me(game)["plans"]) == (1 << green, 1 << number("plan-blue-1"))
    assert wigs(game) == [5 + 2, 5, 5]
    shown = game.fields()["buildings"][0][game.fields()["building_pos"][0]]
    assert shown == next_tile


def test_h2_the_cubes_come_before_the_reward() -> None:
    # they complete a set: there is room for 3, and both gold fit beside the one already there
    game = opened(opener("site-north-gold", (2, 0, 0), cubes=(0, 1, 1)).cubes(0, 1, 0, 0), "site-north-gold")
    assert me(game)["sets"] == 1
    assert me(game)["goods"] == [1 + 2, 1, 1, 1]


def test_h3_reis_of_the_site_may_pay_for_hired_officials() -> None:
    # west E gives 6, and two officials cost 3 each; with the treasury on space 4 they cost 4 each
    table = opener("site-west-E").set(0, reis=0)
    game = opened(table, "site-west-E")
    assert (me(game)["reis"], me(game)["completed"]) == (6 - 2 * 3, 1 << number("plan-green-start-1"))
    table = opener("site-west-E").set(0, reis=1).treasury(4).pending("open_building")
    assert number("site-west-E") not in table.game().legal()


def test_h4_a_north_site_needs_its_streets_colour_and_the_others_take_any_tile() -> None:
    # the green tile shows gold and cloth; there is no blue plan
    legal = set(opener(offices=(2, 0, 0)).pending("open_building").game().legal())
    ends = {number(f"site-{side}-{row}") for side in ("west", "east") for row in "ABCDE"}
    assert legal == ends | {number("site-north-gold"), number("site-north-cloth")}


def test_h5_the_player_chooses_the_plan_and_its_architects_displayed_tile_comes_with_it() -> None:
    table = opener(offices=(2, 2, 0)).plans(0, "plan-green-3", "plan-blue-1").offer("building-2", 1)
    game = opened(table)
    plans = [number("plan-green-start-1"), number("plan-green-3"), number("plan-blue-1")]
    assert (kind(game), game.legal()) == ("building_plan", plans)
    green, blue = 2 * number("building-1"), 2 * number("building-2") + 1
    for plan, tile in zip(plans, (green, green, blue), strict=True):
        after = apply(game.copy(), plan)
        assert after.fields()["site_building"][number("site-west-C")] == tile
        after.apply(after.legal()[0])  # which officials
        assert me(after)["completed"] == 1 << plan


def test_h6_with_enough_officials_none_is_hired_and_the_player_chooses_who_goes_home() -> None:
    # a + 9b + 81c + 729p: two of one in Maia's office, one in the Marquis' and two in the plazas
    game = opened(opener(offices=(1, 1, 0), plazas=(1, 0, 1)))
    assert sorted(game.legal()) == [1 + 9, 1 + 729, 9 + 729, 2 * 729]
    game.apply(1 + 729)
    assert (me(game)["offices"], sum(me(game)["plazas"]), me(game)["officials"]) == ([0, 1, 0], 1, 4 + 2)
    assert me(game)["reis"] == 10


@pytest.mark.parametrize("out, hired", [((2, 0, 0), 0), ((1, 0, 0), 1), ((0, 0, 0), 2)])
@pytest.mark.parametrize("space", [1, 3, 5])
def test_h7_each_missing_official_costs_the_treasury_value(out: Triple, hired: int, space: int) -> None:
    game = opened(opener(offices=out).treasury(space))
    assert me(game)["reis"] == 10 - hired * space
    assert (me(game)["offices"], me(game)["officials"]) == ([0, 0, 0], 8)


def test_h7_with_too_few_all_of_them_go_home() -> None:
    # a plan for five; two in offices and one in a plaza: two are hired for 3 each
    table = opener(offices=(1, 0, 1), plazas=(0, 1, 0)).plans(0, "plan-green-8")
    game = apply(opened(table), number("plan-green-8"))
    assert (me(game)["offices"], me(game)["plazas"], me(game)["officials"]) == ([0, 0, 0], [0, 0, 0], 8)
    assert me(game)["reis"] == 10 - 2 * 3


def test_h7_benefits_on_hiring_and_on_officials_needed() -> None:
    # clergy-5, hire -2: 1 real each
    table = opener(offices=(1, 1, 0)).clergy(0, "clergy-5").plans(0, "plan-green-8")
    assert me(apply(opened(table), number("plan-green-8")))["reis"] == 10 - 3 * (3 - 2)
    # clergy-28, building officials -1: one is enough
    game = opened(opener(offices=(1, 0, 0)).clergy(0, "clergy-28"))
    assert me(game)["reis"] == 10
    assert game.score_now()[0][CATEGORY["officials"]] == 15


def test_h8_hired_officials_are_paid_for_and_leave_no_board() -> None:
    # one comes home to the seven, one is hired
    game = opened(opener(offices=(1, 0, 0)))
    assert (me(game)["reis"], me(game)["officials"]) == (10 - 3, 7 + 1)
    assert [me(game, seat)["officials"] for seat in (1, 2)] == [7, 7]


def with_stores() -> Table:
    """Stores of seats 1 and 2 around a building that shows gold and cloth; seat 0, who opens it, has none."""
    table = opener(offices=(2, 0, 0)).site("site-north-gold", 0, 0, 0).site("site-west-B", 0, 0, 0)
    table.store(1, "land-B1", GOLD).store(1, "land-B3", BOOKS).store(1, "land-B4", TOOLS)
    return table.store(2, "land-B2", CLOTH).store(2, "land-C1", GOLD).store(2, "land-C3", CLOTH)


@pytest.mark.parametrize("site", ["site-west-B", "site-east-B"])
def test_h9_a_west_or_east_building_scores_both_colours_in_its_row(site: str) -> None:
    # the row's reward is choices and favors: answer with the first
    game = opened(with_stores(), site)
    while kind(game) in ("good_any", "get_favor"):
        game.apply(game.legal()[0])
    assert wigs(game) == [5, 5 + 2, 5 + 3]  # B1 in column 1, B2 in column 2


def test_h10_a_north_building_scores_its_own_street_in_every_row() -> None:
    assert wigs(opened(with_stores(), "site-north-gold")) == [5, 5 + 2, 5 + 2]  # B1 and C1, both in column 1
    # cloth, its second colour, does not matter at the gold street's end, nor gold at the cloth street's
    assert wigs(opened(with_stores(), "site-north-cloth")) == [5, 5, 5 + 3 + 3]  # B2 and C3


def test_h11_a_building_may_be_opened_without_a_store_and_owners_score_whoever_opens() -> None:
    table = with_stores()
    assert number("site-west-B") in table.pending("open_building").game().legal()
    table.fields["depth"] -= 1
    # seat 1 opens it by its own green plan, and scores its own store as well as seat 2's
    table.officials(1, (2, 0, 0)).set(1, influence=0).pending("open_building", 1)
    game = apply(table.game(), number("site-east-B"))
    game.apply(game.legal()[0])  # the favor of the site
    assert wigs(game) == [5, 5 + 2, 5 + 3]


def test_h12_two_cubes_of_the_short_colour_complete_two_sets() -> None:
    game = opened(opener(offices=(2, 0, 0), cubes=(0, 0, 2)).cubes(0, 2, 2, 0))
    assert (me(game)["cubes"], me(game)["sets"], me(game)["markers"]) == ([2, 2, 2], 2, 2)
