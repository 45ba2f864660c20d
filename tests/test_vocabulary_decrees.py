"""Every feature that a decree can count, everything that narrows it, and its limits, counted by hand on one estate."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from positions import (
    BOOKS,
    CATEGORY,
    CLOTH,
    GOLD,
    KING,
    MAIA,
    TOOLS,
    YES,
    Table,
    apply,
    base,
    number,
)
from vocabulary import documented, printed

from engine_ext import core
from lisboa_ai import edition
from lisboa_ai.editions import names

WIGS = 3
FEATURES = tuple(names.FEATURES)
PLAIN = printed({f"decree-{n}": {"wigs": 1, "each": feature} for n, feature in enumerate(FEATURES, start=1)})
"""One decree for each feature, a wig for each."""


def estate(engine: core.Edition = PLAIN) -> Table:
    """Seat 0 owns something of everything, seat 1 some stores and a building, seat 2 nothing at all."""
    table = base(engine=engine).set(0, reis=13, influence=7, goods=[2, 0, 3, 1]).cubes(0, 3, 2, 4).set(0, markers=1)
    table.officials(0, (2, 1, 1), (1, 0, 2)).officials(2, (0, 0, 0)).favors(0, MAIA, KING)
    table.top(0, "ship-red-1", "ship-blue-1", "blue-king-1").bottom(0, "blue-treasury-1")
    table.clergy(0, "clergy-11", "clergy-12", "clergy-13")
    for seat, land, business in (
        (0, "A3", BOOKS), (0, "B1", GOLD), (0, "B2", GOLD), (0, "C2", CLOTH), (0, "C5", TOOLS),
        (1, "B3", BOOKS), (1, "D1", GOLD), (1, "E5", TOOLS),
    ):  # fmt: skip
        table.store(seat, f"land-{land}", business)
    for seat, site, building, side in (
        (0, "west-B", 1, 0),  # green: gold, cloth
        (0, "west-D", 2, 0),  # green: books, tools
        (0, "east-C", 4, 0),  # green: cloth, tools
        (0, "north-books", 9, 1),  # blue: books, tools
        (1, "east-A", 5, 0),  # green: gold, tools
    ):
        table.building(seat, f"site-{site}", f"building-{building}", side)
    table.plans(0, "plan-green-1", completed=("plan-green-3", "plan-blue-1", "plan-blue-3"))
    starting = table.player(2)["plans"]
    table.player(0)["plans"] |= starting
    return table.set(2, plans=0, reis=0, influence=0, goods=[0, 0, 0, 0])


COUNTS = {
    "stores": 5, "buildings": 4, "plans completed": 3, "plans unused": 1 + 2, "officials on plans": 3 + 2 + 3,
    "officials in offices": 4, "officials in plazas": 3, "officials on board": 1, "ships": 2, "hull": 2 + 1,
    "noble cards": 1, "treasury cards": 1, "influence": 7, "reis": 13, "goods": 6, "different goods": 3, "cubes": 9,
    "sets": 2, "unpaired cubes": 9 - 2 * 3, "clergy": 3, "favors": 2, "houses": 5, "decrees": 1, "set markers": 1,
}  # fmt: skip


def scored(position: Table | core.Game, seat: int = 0) -> int:
    game = position.game() if isinstance(position, Table) else position
    return game.score_now()[seat][CATEGORY["decrees"]]


def counts(make: Callable[[], Table], seat: int = 0) -> dict[str, int]:
    """What each feature's decree alone is worth to a seat, at a wig for each."""
    return {feature: scored(make().decrees(seat, f"decree-{n}"), seat) for n, feature in enumerate(FEATURES, start=1)}


def test_what_each_feature_counts_on_the_estate() -> None:
    assert counts(estate) == COUNTS


def test_what_others_own_does_not_count() -> None:
    assert counts(estate, seat=2) == dict.fromkeys(COUNTS, 0) | {"officials on board": 8, "decrees": 1}


# Each change of the estate with all the counts that it changes

CHANGES: dict[str, tuple[Callable[[Table], Any], dict[str, int]]] = {
    "a real more": (lambda t: t.set(0, reis=14), {"reis": 14}),
    "influence 10, not cashed": (lambda t: t.set(0, influence=10), {"influence": 10}),
    "another good of a type": (lambda t: t.set(0, goods=[3, 0, 3, 1]), {"goods": 7}),
    "a good of a new type": (lambda t: t.set(0, goods=[2, 1, 3, 1]), {"goods": 7, "different goods": 4}),
    "an official to an office": (
        lambda t: t.officials(0, (2, 2, 1), (1, 0, 2)),
        {"officials in offices": 5, "officials on board": 0},
    ),
    "an official from an office to its plaza": (
        lambda t: t.officials(0, (1, 1, 1), (2, 0, 2)),
        {"officials in offices": 3, "officials in plazas": 4},
    ),
    "a cube that fits no set": (lambda t: t.cubes(0, 4, 2, 4).set(0, markers=1), {"cubes": 10, "unpaired cubes": 4}),
    "a cube that makes a set": (
        lambda t: t.cubes(0, 3, 3, 4).set(0, markers=2),
        {"cubes": 10, "unpaired cubes": 1, "sets": 3, "set markers": 2},
    ),
    "a marker spent": (lambda t: t.set(0, markers=0), {"set markers": 0}),
    "a favor used": (
        lambda t: t.set(0, favors=1 << MAIA).state(favor_stock=[2, 3, 3]),
        {"favors": 1},
    ),
    "a tile fewer": (lambda t: t.clergy(0, "clergy-11", "clergy-12"), {"clergy": 2}),
    "a plan acquired": (lambda t: t.plans(0, "plan-blue-2"), {"plans unused": 4}),
    "a plan of five completed": (
        lambda t: t.plans(0, completed=("plan-blue-8",)),
        {"plans completed": 4, "officials on plans": 8 + 5},
    ),
    "a store": (lambda t: t.store(0, "land-E1", GOLD), {"stores": 6, "houses": 6}),
    "a building": (lambda t: t.building(0, "site-east-E", "building-6", 1), {"buildings": 5}),
    "a noble card for the small ship": (
        lambda t: t.top(0, "ship-red-1", "blue-maia-1", "blue-king-1"),
        {"ships": 1, "hull": 2, "noble cards": 2},
    ),
    "a second treasury card for a noble card": (
        lambda t: t.top(0, "ship-red-1", "ship-blue-1").bottom(0, "blue-treasury-1", "blue-treasury-2"),
        {"noble cards": 0, "treasury cards": 2},
    ),
    "cargo and crates": (lambda t: t.top(0, ("ship-red-1", 1, 0), ("ship-blue-1", 0, 1), "blue-king-1"), {}),
    "what a rival gets": (
        lambda t: (
            t.store(1, "land-E1", GOLD)
            .building(1, "site-east-E", "building-6", 1)
            .set(1, reis=40)
            .plans(1, "plan-blue-2")
        ),
        {},
    ),
}


@pytest.mark.parametrize("name", CHANGES)
def test_a_change_of_the_estate_changes_these_counts_and_no_others(name: str) -> None:
    change, expected = CHANGES[name]

    def changed() -> Table:
        table = estate()
        change(table)
        return table

    assert counts(changed) == COUNTS | expected


def decree(feature: str) -> str:
    return f"decree-{FEATURES.index(feature) + 1}"


def test_decrees_count_each_other_and_a_marker_spent_for_a_second_one_leaves_the_set() -> None:
    # I3, I4; two sets, a marker, three decrees; then a decree for 1 official on the board and one for 3 plans unused
    owned = (decree("sets"), decree("set markers"), decree("decrees"))
    game = estate().decrees(0, *owned).pending("take_decree").game()
    assert scored(game) == 2 + 1 + 3
    apply(game, number(decree("officials on board")), YES, number(decree("plans unused")))
    assert scored(game) == 2 + 0 + 5 + 1 + 3


# What narrows a feature

Where = dict[str, Any]
NARROWED: list[tuple[str, Where, int]] = [
    *(("stores", {"business": business}, n) for business, n in zip(names.BUSINESSES, (2, 1, 1, 1), strict=True)),
    ("stores", {"business": ["gold", "tools"]}, 3),
    *(("stores", {"street": street}, n) for street, n in zip(names.BUSINESSES, (2, 1, 1, 1), strict=True)),
    ("stores", {"street": ["cloth", "books", "tools"]}, 3),
    *(("stores", {"row": row}, n) for row, n in zip(names.ROWS, (1, 2, 2, 0, 0), strict=True)),
    ("stores", {"row": ["A", "B"]}, 3),
    *(("stores", {"column": column}, n) for column, n in zip(names.COLUMNS, (1, 2, 1, 0, 1), strict=True)),
    ("stores", {"column": [1, 2, 4]}, 3),
    ("stores", {"row": "B", "business": "gold"}, 2),
    ("stores", {"row": "C", "business": "gold"}, 0),
    ("stores", {"row": ["B", "C"], "column": 2}, 2),
    ("stores", {"street": ["gold", "cloth"], "business": ["cloth", "books"]}, 1),
    ("stores", {"street": "gold", "business": "cloth"}, 0),
    ("stores", {"business": ["cloth", "tools"], "row": ["C", "E"], "column": [2, 3], "street": "cloth"}, 1),
    *(("buildings", {"side": side}, n) for side, n in zip(names.SIDES, (2, 1, 1), strict=True)),
    ("buildings", {"side": ["north", "east"]}, 2),
    ("buildings", {"architect": "green"}, 3),
    ("buildings", {"architect": "blue"}, 1),
    ("buildings", {"architect": ["green", "blue"]}, 4),
    *(("buildings", {"colour": colour}, n) for colour, n in zip(names.BUSINESSES, (1, 2, 2, 3), strict=True)),
    ("buildings", {"colour": ["books", "tools"]}, 3),  # a building with both colours counts once
    ("buildings", {"side": "west", "colour": "gold"}, 1),
    ("buildings", {"side": "north", "architect": "green"}, 0),
    ("buildings", {"side": ["west", "east"], "architect": "green", "colour": "tools"}, 2),
    *(("noble cards", {"noble": noble}, n) for noble, n in zip(names.NOBLES, (0, 0, 1), strict=True)),
    ("noble cards", {"noble": ["marquis", "king"]}, 1),
    *(("goods", {"type": good}, n) for good, n in zip(names.GOODS, (2, 0, 3, 1), strict=True)),
    ("goods", {"type": ["cloth", "books", "tools"]}, 4),
    *(("cubes", {"colour": colour}, n) for colour, n in zip(names.COLOURS, (3, 2, 4), strict=True)),
    ("cubes", {"colour": ["red", "blue"]}, 6),
]


def worth(each: str, where: Where, limits: list[dict[str, int]]) -> list[int]:
    """The wigs of one decree for the estate's owner, at three for each, under each of these limits."""
    narrowed = {"where": where} if where else {}
    rows = {f"decree-{n}": {"wigs": WIGS, "each": each, **narrowed, **limit} for n, limit in enumerate(limits, start=1)}
    engine = printed(rows)
    return [scored(estate(engine).decrees(0, row)) for row in rows]


@pytest.mark.parametrize("each, where, count", NARROWED + [(each, {}, count) for each, count in COUNTS.items()])
def test_a_decree_counts_what_its_where_lets_through_up_to_its_limits(each: str, where: Where, count: int) -> None:
    expected: list[tuple[dict[str, int], int]] = [
        ({}, WIGS * count),
        ({"at_most": count + 1}, WIGS * count),
        ({"at_least": count + 1}, 0),
    ]
    if count:
        expected += [({"at_most": count}, WIGS * count), ({"at_least": count}, WIGS)]
    if count > 1:
        expected += [({"at_most": 1}, WIGS), ({"at_most": count - 1}, WIGS * (count - 1)), ({"at_least": 1}, WIGS)]
    limits, wigs = zip(*expected, strict=True)
    assert worth(each, where, list(limits)) == list(wigs)


def test_noble_cards_are_told_apart_by_their_noble() -> None:
    def cards(noble: str | list[str]) -> int:
        engine = printed({"decree-1": {"wigs": WIGS, "each": "noble cards", "where": {"noble": noble}}})
        return scored(estate(engine).top(0, "blue-maia-3", "blue-maia-4", "blue-king-1").decrees(0, "decree-1"))

    assert [cards(noble) for noble in names.NOBLES] == [2 * WIGS, 0, WIGS]
    assert cards(["maia", "king"]) == 3 * WIGS


# Nothing is left out


def refused(folder: Path, key: str) -> dict[str, str]:
    """The features that a decree may not narrow by this key, with what the loader says is allowed."""
    values = {"row": "A", "column": 1, "side": "west", "architect": "green", "noble": "maia"}
    lines = ['source = "house"', "decree = ["]
    for n in range(1, names.N_DECREES + 1):
        each = FEATURES[n - 1] if n <= len(FEATURES) else "stores"
        value = values.get(key, "brown" if (each, key) == ("cubes", "colour") else "gold")
        where = f", where = {{ {key} = {value!r} }}" if n <= len(FEATURES) else ""
        lines.append(f'{{ id = "decree-{n}", wigs = 1, each = "{each}"{where} }},')
    (folder / "decrees.toml").write_text("\n".join([*lines, "]"]), encoding="utf-8")
    return {FEATURES[int(p.row.removeprefix("decree-")) - 1]: p.allowed for p in edition.check(folder)}


def test_every_feature_and_every_key_of_the_code_and_of_the_document_has_a_test_here(tmp_path: Path) -> None:
    edition.export(tmp_path / "mine")
    shown = {(each, key) for each, where, _ in NARROWED for key in where}
    (keys,) = set(refused(tmp_path / "mine", "size").values())
    assert {key for _, key in shown} == set(keys.removeprefix("one of ").split(", "))
    for key in {key for _, key in shown}:
        assert set(FEATURES) - refused(tmp_path / "mine", key).keys() == {each for each, by in shown if by == key}
    assert COUNTS.keys() == set(FEATURES)
    described = documented("Decrees")
    assert {each for row in described for each in row[0]} == set(FEATURES)
    assert {(each, key) for eaches, keys in described for each in eaches for key in keys} == shown


def test_the_rows_printed_here_are_what_an_owners_files_would_say(tmp_path: Path) -> None:
    copy = tmp_path / "mine"
    edition.export(copy)
    for file, old, new in (
        ("cards.toml", 'choice = ["influence", "good any 1"]', 'event = ["plan"], choice = ["wigs 1", "reis 2"]'),
        ("clergy.toml", '["land -2"]', '["sell all +2"], reward = ["reis 1"]'),
        ("decrees.toml", '{ row = "A" }, at_most = 3', '{ row = ["B", "A"], column = 2 }, at_least = 3'),
    ):  # fmt: skip
        text = (copy / file).read_text(encoding="utf-8")
        assert text.count(old) == 1
        (copy / file).write_text(text.replace(old, new), encoding="utf-8")
    engine = printed({
        "blue-treasury-6": {"event": ["plan"], "choice": ["wigs 1", "reis 2"], "benefit": ["sell cloth +1"]},
        "clergy-1": {"reward": ["reis 1"], "benefit": ["sell all +2"]},
        "decree-7": {"where": {"row": ["A", "B"], "column": 2}, "at_least": 3},
    })  # fmt: skip
    assert engine.tables() == edition.load(copy).engine.tables()
