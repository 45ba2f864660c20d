"""Every lasting benefit of docs/edition.md: what it changes and what not, two copies of it, its floors and its ends.

Everything that some benefit could change is measured in one set of small positions; for each benefit, all the
measures that differ are listed, so that whatever isn't listed is held to be as it was.
"""

from collections.abc import Callable
from typing import Any

import pytest
from positions import (
    BOOKS,
    BROWN,
    CATEGORY,
    CLOTH,
    COURT,
    GOLD,
    KING,
    MAIA,
    PORTFOLIO,
    RED,
    SELL,
    TOOLS,
    YES,
    Table,
    apply,
    base,
    frontage,
    kind,
    me,
    number,
    play,
    sale,
    source,
)
from vocabulary import documented, printed, spellings, unnumbered

from engine_ext import core
from lisboa_ai.editions import names
from lisboa_ai.editions.effects import BENEFIT_FORMS

TILES = ("clergy-1", "clergy-2")
CARD = "blue-treasury-1"
Make = Callable[[], Table]
Measures = dict[str, Any]


def stop_short(game: core.Game) -> core.Game:
    """Take the first answer to whatever is still asked before the next card is played."""
    while kind(game) != "play_card":
        game.apply(game.legal()[0])
    return game


# The measures, all of seat 0: 10 réis, influence 4, 5 wigs, a good of each type; treasury value 3, influence 2


def land(make: Make) -> Measures:
    table = make().rubble("B", 0, 0, 0).rubble("C", 2, 0, 0).rubble("D", 0, 2, 0).rubble("E", 0, 0, 2)
    game = table.column(3, 0, 0, 0).game()
    return {
        f"land with {cubes}": game.land_price(0, number(f"land-{row}3"))
        for row, cubes in zip("BCDE", ("nothing", *names.COLOURS), strict=True)
    }


def sold(make: Make) -> Measures:
    game = make().top(1, ("ship-red-1", 0, 0)).top(2, ("ship-red-2", 0, 0)).pending("sell").game()
    found: Measures = {}
    for good, name in enumerate(names.GOODS):
        before = me(game)["reis"]
        game.apply(sale(good, f"ship-red-{1 + good // 2}"))
        found[f"{name} sold"] = me(game)["reis"] - before
    return found | {"market after selling": game.fields()["price"]}


def audience(make: Make) -> Measures:
    """Both rivals have an official in every office."""
    found: Measures = {}
    for noble, name in enumerate(names.NOBLES):
        table = make().officials(1, (1, 1, 1)).officials(2, (1, 1, 1)).set(0, influence=9)
        found[f"visit {name}"] = 9 - me(table.pending("visit", a=noble).game())["influence"]
        table = make().officials(1, (1, 1, 1)).officials(2, (1, 1, 1)).set(0, influence=9).favors(0, noble)
        found[f"follow {name}"] = 9 - me(apply(table.pending("follow", a=noble).game(), 1))["influence"]
    return found


def sponsored(make: Make) -> Measures:
    game = apply(
        make().set(0, influence=0).hand(0, "blue-treasury-2", "blue-maia-1").game(), play(COURT, "blue-treasury-2")
    )
    assert kind(game) == "acquire_plan"
    return {"event": 10 - me(game)["reis"]}


def ship_built(make: Make) -> Measures:
    """A red one: hull 2, influence 1."""
    game = stop_short(make().state(ship_pos=2).pending("build_ship").game())
    return {"ship's goods": 4 - sum(me(game)["goods"]), "ship's influence": me(game)["influence"] - 4}


def produced(make: Make) -> Measures:
    """A store of each type, room for 3."""
    table = make().cubes(0, 1, 1, 1).set(0, goods=[0, 0, 0, 0])
    for column, business in enumerate((GOLD, CLOTH, BOOKS, TOOLS), start=1):
        table.store(0, f"land-B{column}", business)
    game = table.houses(0, 2, 2, 0).pending("produce").game()
    made = dict(zip((f"{good} produced" for good in names.GOODS), me(game)["goods"], strict=True))
    return made | {"market after producing": game.fields()["price"]}


def people(make: Make) -> Measures:
    recruits = make().pending("recruit", a=1).game().legal()
    return {
        "officials recruited": max(mask.bit_count() for mask in recruits),
        "cardinal's steps": make().pending("meet_cardinal", a=2).game().legal()[-1],
    }


def traded(make: Make) -> Measures:
    game = make().store(0, "land-B1", GOLD).pending("trade").game()
    assert game.legal() == list(range(6))
    goods = [apply(game.copy(), action).legal() for action in range(6)]
    assert goods[0::2] == goods[1::2]
    return {f"goods {noble} takes": goods[2 * place] for place, noble in enumerate(names.NOBLES)}


def opened(make: Make) -> Measures:
    """A plan for three officials on west C, which gives 3 wigs: with none out, then with three."""
    found: Measures = {}
    for out, name in ((0, "hiring three"), (3, "officials sent home")):
        table = make().plans(0, "plan-green-3").set(0, influence=0, reis=20).officials(0, (out, 0, 0))
        table.site("site-west-C", 0, 0, 0).offer("building-1", 0).pending("open_building")
        game = stop_short(apply(table.game(), number("site-west-C"), number("plan-green-3")))
        found[name] = out - me(game)["offices"][MAIA] if out else 20 - me(game)["reis"]
        found["wigs for a building and its site"] = me(game)["wigs"] - 5
    return found


def stores_built(make: Make) -> Measures:
    found: Measures = {}
    for business, name in enumerate(names.BUSINESSES):
        table = make().set(0, influence=0, reis=20).rubble("B", 0, 0, 0).column(business + 1, 0, 0, 0)
        game = apply(table.pending("build_store").game(), frontage(f"land-B{business + 1}", business), 0)
        found[f"wigs for a {name} store"] = me(game)["wigs"] - 5
    return found


def gained(make: Make) -> Measures:
    decree = apply(make().pending("take_decree").game(), 0)
    sailed = apply(make().top(0, ("ship-blue-1", 0, 0)).pending("sell").game(), sale(CLOTH, "ship-blue-1"))
    rewarded = make().top(0, "blue-maia-3").pending("effects", a=source("blue-king-4")).game()
    return {
        "wigs for a decree": me(decree)["wigs"] - 5,
        "wigs for a blue ship": me(sailed)["wigs"] - 5,
        "réis for a plan": me(apply(make().pending("acquire_plan").game(), 0))["reis"] - 10,
        "réis for a favor": me(apply(make().pending("get_favor").game(), MAIA))["reis"] - 10,
        "influence of a reward": me(rewarded)["influence"] - 4,
    }


def room(make: Make) -> Measures:
    return {"room": me(stop_short(make().pending("good_any", a=40).game()))["goods"]}


def portfolio(make: Make) -> Measures:
    """How many cards lie there when room has to be made for a noble card."""
    cards = 2
    while True:
        table = make().top(0, "blue-maia-3", "blue-maia-5").hand(0, "blue-king-4", "blue-maia-1")
        table.bottom(0, *("blue-treasury-2", "blue-treasury-3", "blue-treasury-4")[: cards - 2])
        if cards == 5 or kind(apply(table.game(), play(PORTFOLIO, "blue-king-4"))) == "make_room":
            return {"portfolio": cards}
        cards += 1


MOST = (land, sold, audience, sponsored, ship_built, produced, people, traded, opened, stores_built, gained, room)
PLAIN: Measures = {
    "land with nothing": 3, "land with brown": 3 + 2 * 3, "land with red": 3 + 2 * 2, "land with blue": 3 + 2 * 1,
    "gold sold": 6 + 1, "cloth sold": 4 + 1, "books sold": 4 + 1, "tools sold": 5 + 1,
    "market after selling": [6, 4, 4, 5],
    "visit maia": 2 + 2, "visit marquis": 2 + 2, "visit king": 2 + 2,
    "follow maia": 2 + 2, "follow marquis": 2 + 2, "follow king": 2 + 2,
    "event": 3,
    "ship's goods": 2, "ship's influence": 1,
    "gold produced": 1, "cloth produced": 1, "books produced": 1, "tools produced": 1,
    "market after producing": [5, 3, 3, 4],
    "officials recruited": 1, "cardinal's steps": 2,
    "goods maia takes": [GOLD, TOOLS], "goods marquis takes": [GOLD, BOOKS], "goods king takes": [GOLD, CLOTH],
    "hiring three": 3 * 3, "officials sent home": 3, "wigs for a building and its site": 0 + 3,
    "wigs for a gold store": 0, "wigs for a cloth store": 0, "wigs for a books store": 0, "wigs for a tools store": 0,
    "wigs for a decree": 0, "wigs for a blue ship": 1, "réis for a plan": 0, "réis for a favor": 0,
    "influence of a reward": 2, "room": [2, 2, 2, 2], "portfolio": 2,
}  # fmt: skip

# What is different with one tile that says so, and with two

CHANGES: dict[str, tuple[Measures, Measures]] = {
    "land -2": (
        {"land with nothing": 1, "land with brown": 7, "land with red": 5, "land with blue": 3},
        {"land with nothing": 0, "land with brown": 5, "land with red": 3, "land with blue": 1},  # 3 - 4: not below 0
    ),
    "land ignores brown": ({"land with brown": 3}, {"land with brown": 3}),
    "land ignores red": ({"land with red": 3}, {"land with red": 3}),
    "land ignores blue": ({"land with blue": 3}, {"land with blue": 3}),
    "hire -1": ({"hiring three": 3 * 2}, {"hiring three": 3 * 1}),
    "sponsor -1": ({"event": 2}, {"event": 1}),
    "sell gold +1": ({"gold sold": 8}, {"gold sold": 9}),
    "sell cloth +2": ({"cloth sold": 7}, {"cloth sold": 9}),
    "sell books +1": ({"books sold": 6}, {"books sold": 7}),
    "sell tools +1": ({"tools sold": 7}, {"tools sold": 8}),
    "sell all +1": (
        {"gold sold": 8, "cloth sold": 6, "books sold": 6, "tools sold": 7},
        {"gold sold": 9, "cloth sold": 7, "books sold": 7, "tools sold": 8},
    ),
    "visit maia -1": ({"visit maia": 3, "follow maia": 3}, {"visit maia": 2, "follow maia": 2}),
    "visit marquis -1": ({"visit marquis": 3, "follow marquis": 3}, {"visit marquis": 2, "follow marquis": 2}),
    "visit king -1": ({"visit king": 3, "follow king": 3}, {"visit king": 2, "follow king": 2}),
    "visit maia ignores officials": ({"visit maia": 2, "follow maia": 2}, {"visit maia": 2, "follow maia": 2}),
    "visit marquis ignores officials": (
        {"visit marquis": 2, "follow marquis": 2},
        {"visit marquis": 2, "follow marquis": 2},
    ),
    "visit king ignores officials": ({"visit king": 2, "follow king": 2}, {"visit king": 2, "follow king": 2}),
    "follow -1": (
        {"follow maia": 3, "follow marquis": 3, "follow king": 3},
        {"follow maia": 2, "follow marquis": 2, "follow king": 2},
    ),
    "ship goods -1": ({"ship's goods": 1}, {"ship's goods": 0}),
    "produce gold +1": ({"gold produced": 2}, {"gold produced": 3}),
    "produce cloth +1": ({"cloth produced": 2}, {"cloth produced": 3}),
    "produce books +1": ({"books produced": 2}, {"books produced": 3}),
    "produce tools +1": ({"tools produced": 2}, {"tools produced": 3}),
    "recruit +1": ({"officials recruited": 2}, {"officials recruited": 3}),
    "cardinal steps +1": ({"cardinal's steps": 3}, {"cardinal's steps": 4}),
    "trade gold accepted by all": ({}, {}),  # it is accepted anyway (E3)
    "trade cloth accepted by all": (
        {"goods maia takes": [GOLD, CLOTH, TOOLS], "goods marquis takes": [GOLD, CLOTH, BOOKS]},
        {"goods maia takes": [GOLD, CLOTH, TOOLS], "goods marquis takes": [GOLD, CLOTH, BOOKS]},
    ),
    "trade books accepted by all": (
        {"goods maia takes": [GOLD, BOOKS, TOOLS], "goods king takes": [GOLD, CLOTH, BOOKS]},
        {"goods maia takes": [GOLD, BOOKS, TOOLS], "goods king takes": [GOLD, CLOTH, BOOKS]},
    ),
    "trade tools accepted by all": (
        {"goods marquis takes": [GOLD, BOOKS, TOOLS], "goods king takes": [GOLD, CLOTH, TOOLS]},
        {"goods marquis takes": [GOLD, BOOKS, TOOLS], "goods king takes": [GOLD, CLOTH, TOOLS]},
    ),
    "building officials -1": (
        {"hiring three": 2 * 3, "officials sent home": 2},
        {"hiring three": 1 * 3, "officials sent home": 1},
    ),
    "influence gain +1": (
        {"ship's influence": 2, "influence of a reward": 3},
        {"ship's influence": 3, "influence of a reward": 4},
    ),
    "capacity warehouse +1": ({"room": [3, 3, 3, 3]}, {"room": [4, 4, 4, 4]}),
    "capacity portfolio +1": ({"portfolio": 3}, {"portfolio": 4}),
    "store wigs +1": (
        {f"wigs for a {business} store": 1 for business in names.BUSINESSES},
        {f"wigs for a {business} store": 2 for business in names.BUSINESSES},
    ),
    "store wigs +1 gold": ({"wigs for a gold store": 1}, {"wigs for a gold store": 2}),
    "store wigs +1 cloth": ({"wigs for a cloth store": 1}, {"wigs for a cloth store": 2}),
    "store wigs +1 books": ({"wigs for a books store": 1}, {"wigs for a books store": 2}),
    "store wigs +3 tools": ({"wigs for a tools store": 3}, {"wigs for a tools store": 6}),
    "building wigs +2": ({"wigs for a building and its site": 2 + 3}, {"wigs for a building and its site": 4 + 3}),
    "decree wigs +1": ({"wigs for a decree": 1}, {"wigs for a decree": 2}),
    "sail wigs +1": ({"wigs for a blue ship": 1 + 1}, {"wigs for a blue ship": 1 + 2}),
    "plan reis +2": ({"réis for a plan": 2}, {"réis for a plan": 4}),
    "favor reis +2": ({"réis for a favor": 2}, {"réis for a favor": 4}),
}


def saying(*texts: str) -> core.Edition:
    """Both tiles and the treasury card say this."""
    says = {"benefit": list(texts)}
    return printed({**dict.fromkeys(TILES, says), CARD: {"event": ["plan"], **says}})


def measured(make: Make, *ways: Callable[[Make], Measures]) -> Measures:
    return {name: value for way in ways for name, value in way(make).items()}


def test_the_measures_without_any_benefit() -> None:
    engine = saying("land -2")
    assert measured(lambda: base(engine=engine), *MOST, portfolio) == PLAIN


@pytest.mark.parametrize("text", CHANGES)
def test_a_benefit_changes_this_and_nothing_else_and_two_add_up(text: str) -> None:
    engine = saying(text)
    for tiles, expected in zip((TILES[:1], TILES), CHANGES[text], strict=True):
        assert measured(lambda held=tiles: base(engine=engine).clergy(0, *held), *MOST, portfolio) == PLAIN | expected


@pytest.mark.parametrize("text", CHANGES)
def test_a_benefit_is_the_same_on_a_treasury_card_and_its_owners_alone(text: str) -> None:
    engine = saying(text)
    mine, rivals = (measured(lambda seat=seat: base(engine=engine).bottom(seat, CARD), *MOST) for seat in (0, 1))
    plain = {name: value for name, value in PLAIN.items() if name != "portfolio"}
    assert rivals == plain
    assert mine == {name: CHANGES[text][0].get(name, value) for name, value in plain.items()}


def test_several_benefits_of_one_tile_all_hold() -> None:
    texts = ("sell all +1", "store wigs +1 gold", "land ignores red")
    engine = saying(*texts)
    found = measured(lambda: base(engine=engine).clergy(0, TILES[0]), *MOST, portfolio)
    assert found == PLAIN | CHANGES[texts[0]][0] | CHANGES[texts[1]][0] | CHANGES[texts[2]][0]


# Floors and ceilings


@pytest.mark.parametrize(
    "text, expected",
    [
        # the discount comes after the cubes (G5): 9 - 5, not 0 for the treasury and 6 for the cubes
        ("land -5", {"land with nothing": 0, "land with brown": 4, "land with red": 2, "land with blue": 0}),
        ("hire -9", {"hiring three": 0}),
        ("sponsor -9", {"event": 0}),
        ("visit king -9", {"visit king": 0, "follow king": 0}),
        ("follow -9", {"follow maia": 0, "follow marquis": 0, "follow king": 0}),
        ("ship goods -4", {"ship's goods": 0}),
        ("building officials -8", {"hiring three": 0, "officials sent home": 0}),
        ("recruit +2", {"officials recruited": 3}),
        ("cardinal steps +5", {"cardinal's steps": 2 + 5}),
        ("capacity warehouse +5", {"room": [7, 7, 7, 7]}),
    ],
)
def test_no_cost_falls_below_0_and_no_office_takes_two(text: str, expected: Measures) -> None:
    engine = saying(text)
    tiles = TILES if text == "recruit +2" else TILES[:1]  # 1 + 2 + 2 officials would be five for three offices
    assert measured(lambda: base(engine=engine).clergy(0, *tiles), *MOST, portfolio) == PLAIN | expected


def holding(*texts: str) -> Table:
    """Seat 0 with a tile that says this."""
    return base(engine=saying(*texts)).clergy(0, TILES[0])


def test_what_costs_nothing_can_be_had_by_who_has_nothing() -> None:
    bare = {"reis": 0, "influence": 0, "goods": [0, 0, 0, 0]}
    event = play(COURT, "blue-treasury-2")
    for table, possible in ((holding("sponsor -3"), True), (holding("sponsor -2"), False)):
        assert (event in table.set(0, **bare).hand(0, "blue-treasury-2", "blue-maia-1").game().legal()) == possible
    game = holding("ship goods -1").set(0, **bare).pending("build_ship").game()
    assert me(game)["n_top"] == 1


def test_discounts_add_up_with_the_rest_before_the_floor() -> None:
    # N22: 2 for the treasury, 2 rivals in every office
    for noble, cost in ((MAIA, 2 - 1 - 1), (KING, 2 + 2 - 1)):
        table = holding("visit maia -1", "visit maia ignores officials", "follow -1").favors(0, noble)
        table.officials(1, (1, 1, 1)).officials(2, (1, 1, 1)).set(0, influence=9).pending("follow", a=noble)
        assert me(apply(table.game(), YES))["influence"] == 9 - cost
    # the last treasury space shows -1: -1 + 2 rivals - 1
    assert holding("visit king -1").officials(1, (0, 0, 2)).treasury(8).game().visit_cost(0, KING) == 0


def test_recruiting_stays_within_the_officials_on_the_board() -> None:
    table = holding("recruit +2").officials(0, (3, 2, 0), (1, 0, 0)).pending("recruit", a=2)
    assert max(mask.bit_count() for mask in table.game().legal()) == 2
    assert holding("recruit +1").pending("recruit", a=2).game().legal() == list(range(1, 8))


def test_a_longer_walk_of_the_cardinal_meets_every_icon_on_the_way() -> None:
    # seven steps from gap 2: over 3 (treasury), 4, 5, 0 (influence), 1, 2 and onto 3 again
    game = apply(holding("cardinal steps +5").state(cardinal=2).pending("meet_cardinal", a=2).game(), 7)
    game.apply(game.legal()[0])
    assert (game.fields()["cardinal"], game.fields()["treasury"], game.fields()["church_caller"]) == (3, 4, 0)


def test_a_wider_portfolio_still_has_three_slots_a_side() -> None:
    office = ("blue-treasury-2", "blue-treasury-3", "blue-treasury-4")
    table = holding("capacity portfolio +4").bottom(0, *office).hand(0, "blue-king-4", "blue-maia-1")
    game = apply(table.top(0, "blue-maia-3", "blue-maia-5").game(), play(PORTFOLIO, "blue-king-4"))
    assert (me(game)["n_top"], me(game)["n_bottom"]) == (3, 3)
    docks = ("blue-maia-3", "blue-maia-5", "blue-maia-4")
    table = holding("capacity portfolio +4").top(0, *docks).hand(0, "blue-king-4", "blue-maia-1")
    game = apply(table.game(), play(PORTFOLIO, "blue-king-4"))
    assert (kind(game), game.legal()) == ("make_room", [number(card) for card in docks])


def test_an_influence_gain_is_higher_with_empty_docks_and_ends_at_10() -> None:
    def rewarded(influence: int) -> tuple[int, int]:
        table = holding("influence gain +1").set(0, influence=influence)
        game = table.pending("effects", a=source("blue-king-4")).game()
        return me(game)["influence"], me(game)["wigs"]

    assert [rewarded(4), rewarded(9), rewarded(10)] == [(5, 5), (10, 6), (10, 6)]


# What a benefit asks for


def test_an_ignored_colour_is_not_paid_for_and_taking_its_cube_saves_nothing() -> None:
    table = holding("land ignores brown").rubble("D", 1, 1, 0).column(3, 0, 0, 0).set(0, influence=0)
    game = apply(table.pending("build_store").game(), frontage("land-D3", BOOKS))
    assert game.legal() == [BROWN, RED]
    assert me(apply(game.copy(), BROWN))["reis"] == 10 - (3 + 2)
    assert me(apply(game.copy(), RED))["reis"] == 10 - 3


def test_selling_earns_more_on_any_ship_for_the_seller_only() -> None:
    for owner, ship, earned in ((0, "ship-blue-1", 4 + 2 + 1), (1, "ship-blue-1", 7), (2, "ship-red-1", 4 + 1 + 1)):
        game = holding("sell cloth +1").top(owner, (ship, 0, 0)).pending("sell").game()
        assert me(apply(game, sale(CLOTH, ship)))["reis"] == 10 + earned
    game = holding("sell cloth +1").top(0, ("ship-blue-1", 0, 0)).pending("sell", seat=1).game()
    assert me(apply(game, sale(CLOTH, "ship-blue-1")), 1)["reis"] == 10 + 4 + 2


def test_sailing_pays_for_my_own_ships_whoever_fills_them() -> None:
    for seller, owner, wigs in ((1, 0, (7, 5)), (0, 1, (5, 6))):
        game = holding("sail wigs +1").top(owner, ("ship-blue-1", 0, 0)).pending("sell", seat=seller).game()
        game.apply(sale(CLOTH, "ship-blue-1"))
        assert (me(game, 0)["wigs"], me(game, 1)["wigs"]) == wigs


def test_every_decree_pays_also_the_one_that_a_set_marker_buys() -> None:
    game = apply(holding("decree wigs +1").cubes(0, 1, 1, 1).pending("take_decree").game(), 0, YES, 1)
    assert me(game)["wigs"] == 5 + 1 + 1


def test_a_building_pays_its_opener_only() -> None:
    table = holding("building wigs +2").officials(1, (2, 0, 0)).site("site-west-C", 0, 0, 0).offer("building-1", 0)
    game = apply(table.pending("open_building", seat=1).game(), number("site-west-C"))
    assert (me(game, 0)["wigs"], me(game, 1)["wigs"]) == (5, 5 + 3)


def test_a_plan_counts_in_full_however_few_officials_it_took() -> None:
    # L9: both completed plans show 3, so the first two places are shared
    table = holding("building officials -2").plans(0, "plan-green-3").plans(1, completed=("plan-green-4",))
    table.officials(0, (1, 0, 0)).site("site-west-C", 0, 0, 0).offer("building-1", 0).pending("open_building")
    game = apply(table.game(), number("site-west-C"), number("plan-green-3"))
    assert (me(game)["officials"], me(game)["reis"]) == (8, 10)
    assert [row[CATEGORY["officials"]] for row in game.score_now()] == [(15 + 10) // 2, (15 + 10) // 2, 0]


@pytest.mark.parametrize(
    "business, gold, right, expected",
    [
        (BOOKS, 0, 0, 0),  # no store of that type
        (GOLD, 0, 0, 1 + 1),
        (GOLD, 2, 0, 3),  # the store's own good fills the row, so that the extra one is lost
        (GOLD, 3, 0, 3),  # nothing kept from the store: not produced (N13)
        (GOLD, 0, 1, 1 + 1 + 1),  # the house's good comes on top
    ],
)
def test_producing_more_needs_a_good_from_a_store_and_room(business: int, gold: int, right: int, expected: int) -> None:
    table = holding("produce gold +1").cubes(0, 1, 1, 1).set(0, goods=[gold, 0, 0, 0])
    table.store(0, "land-B3" if business == BOOKS else "land-B1", business).houses(0, 1 - right, 0, right)
    game = table.pending("produce").game()
    assert me(game)["goods"][GOLD] == expected
    assert game.fields()["price"][GOLD] == (5 if business == GOLD and gold < 3 else 6)


# How long a benefit lasts


def test_a_treasury_card_helps_from_the_moment_it_lies_in_the_office() -> None:
    table = base(engine=saying("sell all +1")).hand(0, CARD, "blue-maia-1").top(1, ("ship-red-1", 0, 0))
    game = apply(table.game(), play(PORTFOLIO, CARD), SELL, sale(GOLD, "ship-red-1"))
    assert me(game)["reis"] == 10 + 3 + (6 + 1 + 1)  # the subsidy, then the sale


def test_a_treasury_card_given_up_helps_no_more() -> None:
    # B15
    table = base(engine=saying("land -2")).bottom(0, CARD, "blue-treasury-3").hand(0, "blue-treasury-4", "blue-maia-1")
    table.rubble("B", 0, 0, 0).column(3, 0, 0, 0)
    assert table.game().land_price(0, number("land-B3")) == 3 - 2
    game = apply(table.game(), play(PORTFOLIO, "blue-treasury-4"), number(CARD))
    assert game.land_price(0, number("land-B3")) == 2  # the subsidy has moved the treasury to 2


def test_a_tile_helps_from_when_it_is_taken_until_it_is_given_up() -> None:
    table = base(engine=saying("land -2")).rubble("B", 0, 0, 0).column(3, 0, 0, 0)
    table.church(TILES[0], "clergy-8", "clergy-9", "clergy-10", "clergy-35", "clergy-34")
    table.state(church_caller=0).pending("church_scoring").pending("meet_cardinal", a=1)
    game = table.game()
    assert game.land_price(0, number("land-B3")) == 3
    game.apply(number(TILES[0]))
    assert (kind(game), game.land_price(0, number("land-B3"))) == ("give_clergy", 3 - 2)
    game.apply(number(TILES[0]))
    assert game.land_price(0, number("land-B3")) == 3


# Nothing is left out


def test_every_benefit_of_the_code_and_of_the_document_has_a_test_here() -> None:
    words = spellings(form.text for form in BENEFIT_FORMS)
    assert set(map(unnumbered, CHANGES)) == words
    assert spellings(text for row in documented("Lasting benefits") for text in row[0]) == words
