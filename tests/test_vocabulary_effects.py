"""Every effect of docs/edition.md: what it changes and what not, its limits, the order of a row, what may be chosen."""

from collections.abc import Sequence
from typing import Any

import pytest
from positions import (
    BOOKS,
    CLOTH,
    COURT,
    GOLD,
    KIND,
    KING,
    MAIA,
    MARQUIS,
    PORTFOLIO,
    RED,
    TOOLS,
    Table,
    apply,
    base,
    frontage,
    kind,
    me,
    number,
    play,
    source,
)
from vocabulary import Shown, changes, documented, printed, spellings, unnumbered

from engine_ext import core
from lisboa_ai.editions.effects import EFFECT_FORMS

CARD = "blue-king-1"
EVENT = "blue-treasury-1"
GREEN, GREEN_START = number("plan-green-1"), number("plan-green-start-1")
ALL_PLANS = tuple(f"plan-{architect}-{place}" for architect in ("green", "blue") for place in range(1, 9))
Changes = dict[str, tuple[Any, Any]]


def says(**lists: Sequence[str]) -> dict[str, list[str]]:
    """Lists of effects as an edition's row has them; an empty one is left out."""
    return {key: list(texts) for key, texts in lists.items() if texts}


def saying(*rewards: str, choice: tuple[str, ...] = (), top: tuple[str, ...] = ("blue-maia-3",)) -> Table:
    """A position where the card to be resolved says this. Seat 0: 10 réis, a good of each type, 5 wigs, influence 4, an
    official with the Marquis, and 2 influence in the docks."""
    return base(engine=printed({CARD: says(reward=rewards, choice=choice)})).top(0, *top)


def resolved(position: Table | core.Game, *answers: int) -> core.Game:
    """The card's effects, carried out for seat 0 in this position."""
    game = position.game() if isinstance(position, Table) else position
    fields = game.fields()
    fields["frames"][fields["depth"]] = {"kind": KIND["effects"], "seat": 0, "a": source(CARD), "b": 0}
    fields["depth"] += 1
    return apply(core.Game.from_fields(game.edition, fields), *answers)


def effect(position: Table | core.Game, *answers: int) -> Changes:
    """What the card changes; the turn then goes on with playing a card."""
    before = position.game() if isinstance(position, Table) else position
    after = resolved(before, *answers)
    assert kind(after) == "play_card"
    return changes(before, after)


# Gains and penalties that ask nothing

PLAIN: dict[str, Changes] = {
    "reis 3": {"0 reis": (10, 13)},
    "wigs 3": {"0 wigs": (5, 8), "0 wigs from effects": (0, 3)},
    "good gold 1": {"0 goods": ([1, 1, 1, 1], [2, 1, 1, 1])},
    "good cloth 1": {"0 goods": ([1, 1, 1, 1], [1, 2, 1, 1])},
    "good books 1": {"0 goods": ([1, 1, 1, 1], [1, 1, 2, 1])},
    "good tools 1": {"0 goods": ([1, 1, 1, 1], [1, 1, 1, 2])},
    "influence": {"0 influence": (4, 4 + 2)},
    "treasury +2": {"treasury": (2, 2 + 2)},
    "treasury -2": {"treasury": (2, 2 - 2)},
    "pay reis 3": {"0 reis": (10, 7)},
    "pay influence 3": {"0 influence": (4, 1)},
    "pay wigs 3": {"0 wigs": (5, 2), "0 wigs from paid": (0, -3)},
}
shown = Shown(*map(unnumbered, PLAIN))


@pytest.mark.parametrize("text, expected", PLAIN.items(), ids=PLAIN)
def test_a_plain_effect_changes_this_and_nothing_else(text: str, expected: Changes) -> None:
    assert effect(saying(text)) == expected


@pytest.mark.parametrize(
    "text, player, expected",
    [
        # the warehouse holds 2 of a type: the rest is lost (N27)
        ("good books 3", {}, {"0 goods": ([1, 1, 1, 1], [1, 1, 2, 1])}),
        ("good books 1", {"goods": [0, 0, 2, 0]}, {}),
        # the track ends at 10, and ending there earns a wig, from 10 as well (C1, C2)
        ("influence", {"influence": 9}, {"0 influence": (9, 10), "0 wigs": (5, 6), "0 wigs from influence": (0, 1)}),
        ("influence", {"influence": 10}, {"0 wigs": (5, 6), "0 wigs from influence": (0, 1)}),
        # penalties take what there is (B7, N33); réis only from the hand, influence does not stand in for them
        ("pay reis 3", {"reis": 1}, {"0 reis": (1, 0)}),
        ("pay reis 3", {"reis": 0}, {}),
        ("pay influence 3", {"influence": 1}, {"0 influence": (1, 0)}),
        ("pay influence 3", {"influence": 0}, {}),
        ("pay wigs 3", {"wigs": 2}, {"0 wigs": (2, 0), "0 wigs from paid": (0, -2)}),
        ("pay wigs 3", {"wigs": 0}, {}),
    ],
)
def test_a_plain_effect_at_its_limits(text: str, player: dict[str, Any], expected: Changes) -> None:
    assert effect(saying(text).set(0, **player)) == expected


def test_influence_from_an_empty_top_row_is_nothing_not_even_a_wig() -> None:
    assert effect(saying("influence", top=()).set(0, influence=10)) == {}


@pytest.mark.parametrize(
    "text, space, expected",
    [("treasury +9", 7, {"treasury": (6, 7)}), ("treasury +1", 8, {}),
     ("treasury -9", 2, {"treasury": (1, 0)}), ("treasury -1", 1, {})],
)  # fmt: skip
def test_the_treasury_marker_stays_on_its_track(text: str, space: int, expected: Changes) -> None:
    assert effect(saying(text).treasury(space)) == expected


# Gains and penalties with a choice of their own


@shown.shows("good any N")
def test_good_any_is_so_many_single_choices_among_types_with_room() -> None:
    game = resolved(saying("good any 2").set(0, goods=[2, 1, 0, 2]))
    assert (kind(game), game.legal()) == ("good_any", [CLOTH, BOOKS])
    game.apply(CLOTH)  # cloth is full now, and one type left is no choice
    assert me(game)["goods"] == [2, 2, 1, 2]
    assert effect(saying("good any 2"), GOLD, TOOLS) == {"0 goods": ([1, 1, 1, 1], [2, 1, 1, 2])}
    assert effect(saying("good any 3").set(0, goods=[2, 2, 2, 1])) == {"0 goods": ([2, 2, 2, 1], [2, 2, 2, 2])}
    assert effect(saying("good any 1").set(0, goods=[2, 2, 2, 2])) == {}


@shown.shows("pay good any N")
def test_pay_good_any_takes_goods_of_the_payers_choice_while_there_are_any() -> None:
    game = resolved(saying("pay good any 2").set(0, goods=[1, 0, 2, 0]))
    assert (kind(game), game.legal()) == ("pay_good", [GOLD, BOOKS])
    game.apply(BOOKS)
    assert game.legal() == [GOLD, BOOKS]
    assert effect(saying("pay good any 2"), BOOKS, CLOTH) == {"0 goods": ([1, 1, 1, 1], [1, 0, 0, 1])}
    assert effect(saying("pay good any 2").set(0, goods=[0, 1, 0, 0])) == {"0 goods": ([0, 1, 0, 0], [0, 0, 0, 0])}
    assert effect(saying("pay good any 2").set(0, goods=[0, 0, 0, 0])) == {}


@shown.shows("pay official N")
def test_pay_official_takes_from_offices_of_the_payers_choice_never_from_plazas() -> None:
    table = saying("pay official 2").officials(0, (2, 0, 1), (0, 3, 0))
    game = resolved(table)
    assert (kind(game), game.legal()) == ("pay_official", [MAIA, KING])
    assert effect(saying("pay official 2").officials(0, (2, 0, 1), (0, 3, 0)), MAIA, KING) == {
        "0 offices": ([2, 0, 1], [1, 0, 0]), "0 officials": (2, 4),
    }  # fmt: skip
    assert effect(saying("pay official 2")) == {"0 offices": ([0, 1, 0], [0, 0, 0]), "0 officials": (7, 8)}
    assert effect(saying("pay official 2").officials(0, (0, 0, 0), (0, 3, 0))) == {}


# Effects that take, place or do something


@shown.shows("officials N")
@pytest.mark.parametrize(
    "text, on_board, offered",
    [
        ("officials 1", 7, [0b001, 0b010, 0b100]),
        ("officials 2", 7, [0b001, 0b010, 0b011, 0b100, 0b101, 0b110]),
        ("officials 3", 7, [0b001, 0b010, 0b011, 0b100, 0b101, 0b110, 0b111]),
        ("officials 3", 1, [0b001, 0b010, 0b100]),
    ],
)
def test_officials_go_one_to_an_office_as_many_as_there_are(text: str, on_board: int, offered: list[int]) -> None:
    game = resolved(saying(text).officials(0, (0, 1, 0), (7 - on_board, 0, 0)))
    assert (kind(game), game.legal()) == ("recruit", offered)


def test_officials_leave_the_board_for_offices_and_nothing_else() -> None:
    assert effect(saying("officials 2"), 0b110) == {"0 offices": ([0, 1, 0], [0, 2, 1]), "0 officials": (7, 5)}


@shown.shows("plan")
def test_plan_takes_the_top_of_either_stack() -> None:
    game = resolved(saying("plan"))
    assert (kind(game), game.legal()) == ("acquire_plan", [0, 1])
    assert effect(saying("plan"), 0) == {
        "0 plans": (1 << GREEN_START, 1 << GREEN_START | 1 << GREEN), "plan_pos": ([0, 0], [1, 0]),
    }  # fmt: skip
    # one stack used up: nothing to choose
    assert effect(saying("plan").plans(1, *ALL_PLANS[8:]))["plan_pos"] == ([0, 8], [1, 8])


@shown.shows("favor")
def test_favor_takes_one_that_is_lacking_and_in_stock() -> None:
    game = resolved(saying("favor").favors(0, MARQUIS))
    assert (kind(game), game.legal()) == ("get_favor", [MAIA, KING])
    assert effect(saying("favor"), KING) == {"0 favors": (0, 1 << KING), "favor_stock": ([3, 3, 3], [3, 3, 2])}


@shown.shows("decree")
def test_decree_takes_one_of_the_display_and_does_not_score_it() -> None:
    game = resolved(saying("decree"))
    assert (kind(game), game.legal()) == ("take_decree", list(range(8)))
    assert effect(saying("decree"), 2) == {
        "0 decrees": ([0, 0], [1 << 2, 0]), "display": (list(range(8)), [0, 1, core.UNKNOWN, 3, 4, 5, 6, 7]),
    }  # fmt: skip
    assert effect(saying("decree").state(queen=1, options=1)) == {}  # N24


@shown.shows("rubble")
def test_rubble_takes_a_cube_of_choice_from_the_pile() -> None:
    game = resolved(saying("rubble").state(pile=[1, 2, 0]))
    assert (kind(game), game.legal()) == ("rubble_cube", [0, RED])
    assert effect(saying("rubble").state(pile=[1, 2, 0]), RED) == {
        "0 cubes": ([0, 0, 0], [0, 1, 0]), "pile": ([1, 2, 0], [1, 1, 0]),
    }  # fmt: skip


@shown.shows("cardinal N")
@pytest.mark.parametrize("steps", [1, 2, 3, 6])
def test_cardinal_moves_one_step_up_to_so_many(steps: int) -> None:
    game = resolved(saying(f"cardinal {steps}"))
    if steps == 1:  # no choice: he has moved
        assert (kind(game), game.fields()["cardinal"]) == ("clergy_tile", 1)
    else:
        assert (kind(game), game.legal()) == ("meet_cardinal", list(range(1, steps + 1)))


def test_cardinal_ends_with_a_tile_beside_him() -> None:
    game = resolved(saying("cardinal 2"), 2)
    assert game.legal() == [number("clergy-8"), number("clergy-9")]
    found = effect(saying("cardinal 2"), 2, number("clergy-9"))
    assert found.keys() == {"0 clergy", "0 mods", "cardinal", "church"}
    assert found["0 clergy"] == (0, 1 << number("clergy-9"))
    assert found["cardinal"] == (0, 2)


def test_a_full_circle_of_the_cardinal_meets_both_icons() -> None:
    # treasury icon on gap 3, influence icon on gap 0, where he started and where he lands
    found = effect(saying("cardinal 6"), 6, number("clergy-7"))
    assert found["treasury"] == (2, 3)
    assert found["church_caller"] == (-1, 0)


@shown.shows("produce")
def test_produce_brings_a_good_a_store_and_lowers_its_price() -> None:
    table = saying("produce").store(0, "land-B3", BOOKS).store(1, "land-B1", GOLD)
    assert effect(table) == {"0 goods": ([1, 1, 1, 1], [1, 1, 2, 1]), "price": ([6, 4, 4, 5], [6, 4, 3, 5])}


@shown.shows("ship")
def test_ship_is_built_at_its_full_price_with_all_that_follows() -> None:
    game = resolved(saying("ship"))
    assert (kind(game), game.legal()) == ("ship_goods", [0b0001, 0b0010, 0b0100, 0b1000])  # blue, hull 1
    found = effect(saying("ship"), 0b0010)
    assert found.keys() == {"0 goods", "0 n_top", "0 top", "0 top_influence", "0 influence", "treasury", "ship_pos"}
    assert found["0 goods"] == ([1, 1, 1, 1], [1, 0, 1, 1])
    assert found["0 influence"] == (4, 4 + 2 + 1)
    assert found["treasury"] == (2, 3)


@shown.shows("store")
def test_store_is_built_at_its_full_price_with_all_that_follows() -> None:
    # B2: treasury 3, no rubble; its own cloth; the left group's house
    table = saying("store").set(0, influence=0).rubble("B", 0, 0, 0).column(2, 0, 0, 0)
    found = effect(table, frontage("land-B2", GOLD), 0)
    assert found.keys() == {"0 reis", "0 goods", "0 houses", "0 stores", "city", "land_business", "land_owner"}
    assert found["0 reis"] == (10, 10 - 3)
    assert found["0 goods"] == ([1, 1, 1, 1], [1, 2, 1, 1])
    assert found["0 stores"] == ([0, 0, 0, 0], [1, 0, 0, 0])


@shown.shows("building")
def test_building_is_opened_at_its_full_price_with_all_that_follows() -> None:
    # west C gives 3 wigs; the starting plan asks for 2 officials, one is out: one is hired for 3
    table = saying("building").set(0, influence=0).site("site-west-C", 0, 0, 0)
    found = effect(table, number("site-west-C"))
    assert found.keys() == {
        "0 reis", "0 wigs", "0 wigs from effects", "0 offices", "0 officials", "0 plans", "0 completed",
        "site_building", "site_owner", "building_pos",
    }  # fmt: skip
    assert found["0 reis"] == (10, 10 - 3)
    assert found["0 wigs"] == (5, 8)
    assert found["0 completed"] == (0, 1 << GREEN_START)


# What is possible (N29, N33): the words, and whether they need something to take, place or do

ALWAYS = ("reis 2", "wigs 2", "good gold 2", "good cloth 2", "good books 2", "good tools 2", "good any 2", "influence",
          "treasury +2", "treasury -2")  # fmt: skip
NEEDY = ("officials 1", "plan", "ship", "produce", "cardinal 6", "favor", "rubble", "decree", "store", "building",
         "pay reis 1", "pay influence 1", "pay wigs 1", "pay good any 1", "pay official 1")  # fmt: skip


def poor(table: Table, reis: int = 0) -> core.Game:
    """Seat 0 has nothing, nothing is left to take, and land costs 8 or more: more than the 5 réis some of it gives."""
    table.set(0, reis=reis, influence=0, wigs=0, goods=[0, 0, 0, 0], plans=0, completed=1 << GREEN_START)
    table.officials(0, (0, 0, 0), (8, 0, 0)).clergy(0, "clergy-11", "clergy-12", "clergy-13", "clergy-14")
    table.favors(0, MAIA, MARQUIS, KING).plans(1, *ALL_PLANS).state(pile=[0, 0, 0], ship_pos=4).treasury(8)
    fields = table.game().fields()
    fields["decree_pos"], fields["display"] = 0, [core.UNKNOWN] * 8
    return core.Game.from_fields(table.engine, fields)


def rich(table: Table) -> core.Game:
    """Seat 0 has the means for everything, and everything is there."""
    table.set(0, reis=40).store(0, "land-B3", BOOKS).officials(0, (0, 2, 0)).state(pile=[1, 1, 1])
    return table.game()


@pytest.mark.parametrize("text", ALWAYS + NEEDY)
def test_a_choice_offers_what_is_possible(text: str) -> None:
    enough = resolved(rich(saying(choice=(text, "wigs 1"))))
    assert (kind(enough), enough.legal()) == ("choice", [0, 1])
    nothing = resolved(poor(saying(choice=(text, "wigs 1"), top=())))
    if text in ALWAYS:
        assert (kind(nothing), nothing.legal()) == ("choice", [0, 1])
    else:
        assert (kind(nothing), me(nothing)["wigs"]) == ("play_card", 1)  # no choice: the wig


@pytest.mark.parametrize("text", NEEDY)
def test_what_is_not_possible_is_lost_and_the_row_goes_on(text: str) -> None:
    assert effect(poor(saying(text, "reis 1", top=()))) == {"0 reis": (0, 1)}


@pytest.mark.parametrize("text", ALWAYS + NEEDY)
def test_an_event_needs_one_possible_effect_after_it_is_paid(text: str) -> None:
    # N8: the treasury value is 8, and those are all the réis
    rows = {EVENT: says(event=["favor", text])}
    legal = poor(base(engine=printed(rows)).hand(0, EVENT, "blue-maia-1"), reis=8).legal()
    assert (play(COURT, EVENT) in legal) == (text in ALWAYS)


@pytest.mark.parametrize("text, splits", [("wigs 1", [0, 1]), ("pay influence 2", [0])])
def test_an_event_is_not_paid_in_a_way_that_leaves_it_nothing_to_do(text: str, splits: list[int]) -> None:
    # N8: of 3 réis one could come from the only influence, and then there is none to pay with
    table = base(engine=printed({EVENT: says(event=[text])})).set(0, reis=3, influence=1).hand(0, EVENT, "blue-maia-1")
    game = apply(table.game(), play(COURT, EVENT))
    assert (game.legal() if kind(game) == "pay_reis" else [0]) == splits


# A row of effects (N9) and the choice after it


@pytest.mark.parametrize(
    "rewards, reis",
    [
        (("reis 2", "pay reis 20"), 0),  # 10 + 2, all paid
        (("pay reis 20", "reis 2"), 2),  # 10 paid, then 2
        (("reis 1", "pay reis 4", "reis 2", "pay reis 3"), 10 + 1 - 4 + 2 - 3),
    ],
)
def test_effects_come_in_the_order_of_the_row(rewards: tuple[str, ...], reis: int) -> None:
    assert effect(saying(*rewards)) == {"0 reis": (10, reis)}


def test_an_effect_may_make_the_next_one_possible_but_not_the_one_before() -> None:
    # a blue ship costs one good, and only the card brings one
    after = resolved(saying("good cloth 1", "ship").set(0, goods=[0, 0, 0, 0]))
    assert (me(after)["goods"], me(after)["n_top"]) == ([0, 0, 0, 0], 2)
    assert effect(saying("ship", "good cloth 1").set(0, goods=[0, 0, 0, 0])) == {
        "0 goods": ([0, 0, 0, 0], [0, 1, 0, 0])
    }


def test_an_effect_may_make_the_next_one_impossible() -> None:
    assert effect(saying("pay good any 4", "ship").set(0, goods=[0, 1, 0, 0])) == {
        "0 goods": ([0, 1, 0, 0], [0, 0, 0, 0])
    }


def test_the_influence_of_a_ship_counts_in_the_gain_after_it_not_before_it() -> None:
    # docks 2, a blue ship 1: the gain of the ship itself is 3
    assert me(resolved(saying("ship", "influence").set(0, influence=1), GOLD + 1))["influence"] == 1 + 3 + 3
    assert me(resolved(saying("influence", "ship").set(0, influence=1), GOLD + 1))["influence"] == 1 + 2 + 3


def test_an_effect_with_a_decision_is_finished_before_the_next_one() -> None:
    game = resolved(saying("plan", "favor", "reis 2"))
    assert (kind(game), me(game)["reis"]) == ("acquire_plan", 10)
    game.apply(0)
    assert (kind(game), me(game)["reis"]) == ("get_favor", 10)
    game.apply(KING)
    assert (kind(game), me(game)["reis"]) == ("play_card", 12)


def test_the_choice_comes_after_the_row_and_is_judged_then() -> None:
    bare = {"goods": [0, 0, 0, 0]}
    game = resolved(saying("good cloth 1", choice=("ship", "wigs 2")).set(0, **bare))
    assert (kind(game), game.legal()) == ("choice", [0, 1])
    assert me(game)["goods"] == [0, 1, 0, 0]
    assert effect(saying(choice=("ship", "wigs 2")).set(0, **bare)) == {
        "0 wigs": (5, 7), "0 wigs from effects": (0, 2),
    }  # fmt: skip


def test_exactly_one_of_the_choices_is_carried_out() -> None:
    texts = ("reis 1", "wigs 2", "good gold 1", "pay influence 1")
    found = [effect(saying("treasury +1", choice=texts), option) for option in range(4)]
    assert [row.pop("treasury") for row in found] == [(2, 3)] * 4
    assert found == [
        {"0 reis": (10, 11)},
        {"0 wigs": (5, 7), "0 wigs from effects": (0, 2)},
        {"0 goods": ([1, 1, 1, 1], [2, 1, 1, 1])},
        {"0 influence": (4, 3)},
    ]


def test_a_choice_of_nothing_possible_is_lost() -> None:
    assert effect(poor(saying("reis 1", choice=("plan", "favor", "pay wigs 1"), top=()))) == {"0 reis": (0, 1)}


def test_a_store_built_by_a_lands_reward_finds_tile_and_land_of_the_first_taken() -> None:
    # N10
    table = base(engine=printed({"land-B2": says(reward=["store"])})).set(0, reis=60)
    game = apply(table.pending("build_store").game(), frontage("land-B2", GOLD))
    assert kind(game) == "build_store"
    assert not {land for land in game.legal() if land % 4 == GOLD or land // 4 == number("land-B2")}
    assert frontage("land-C2", CLOTH) in game.legal()


# A word means the same wherever it stands


def tucked() -> core.Game:
    return apply(saying("wigs 2").hand(0, CARD, "blue-maia-1").game(), play(PORTFOLIO, CARD))


def sponsored() -> core.Game:
    table = base(engine=printed({EVENT: says(event=["wigs 2"])})).set(0, influence=0)
    return apply(table.hand(0, EVENT, "blue-maia-1").game(), play(COURT, EVENT))


def built() -> core.Game:
    table = base(engine=printed({"land-B2": says(reward=["wigs 2"])})).rubble("B", 0, 0, 0).column(2, 0, 0, 0)
    return apply(table.set(0, influence=0).pending("build_store").game(), frontage("land-B2", GOLD))


def opened() -> core.Game:
    table = base(engine=printed({"site-west-C": says(reward=["wigs 2"])})).officials(0, (2, 0, 0))
    return apply(table.pending("open_building").game(), number("site-west-C"))


def taken() -> core.Game:
    table = base(engine=printed({"clergy-7": says(reward=["wigs 2"])}))
    return apply(table.pending("meet_cardinal", a=1).game(), number("clergy-7"))


def discarded() -> core.Game:
    table = saying("wigs 2").hand(0, CARD, "blue-maia-1").state(trigger=0).pending("period_end")
    return apply(table.game(), number(CARD), core.STOP)


@pytest.mark.parametrize("way", [tucked, sponsored, built, opened, taken, discarded])
def test_two_wigs_are_two_wigs_on_every_thing(way: Any) -> None:
    ledger = dict(zip(core.CATEGORIES, me(way())["ledger"], strict=True))
    assert {category: wigs for category, wigs in ledger.items() if wigs} == {"start": 5, "effects": 2}


PENALTIES = {"pay reis 1": "0 reis", "pay influence 1": "0 influence", "pay wigs 1": "0 wigs",
             "pay good any 4": "0 goods", "pay official 1": "0 officials"}  # fmt: skip


@pytest.mark.parametrize("text, field", PENALTIES.items())
def test_a_card_discarded_at_the_periods_end_gives_rewards_and_no_penalties(text: str, field: str) -> None:
    # K5; where a penalty and a move of the treasury may be chosen, only the move is left
    assert field in effect(saying(text).set(0, goods=[0, 0, 0, 2]))
    for table in (saying(text, "treasury +1"), saying(choice=(text, "treasury +1"))):
        game = table.hand(0, CARD, "blue-maia-1").state(trigger=0).pending("period_end").game()
        found = changes(game, apply(game.copy(), number(CARD), core.STOP))
        assert field not in found
        assert found["treasury"] == (2, 3)


# Nothing is left out


def test_every_effect_of_the_code_and_of_the_document_has_a_test_here() -> None:
    words = spellings(form.text for form in EFFECT_FORMS)
    assert shown.words == words
    assert {unnumbered(text) for text in ALWAYS + NEEDY} == words
    assert spellings(text for row in documented("Effects") for text in row[0]) == words
    assert set(map(unnumbered, PENALTIES)) == {word for word in words if word.startswith("pay ")}
