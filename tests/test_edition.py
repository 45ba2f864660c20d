"""The edition: totals, provenance, broken editions, the engine's tables."""

import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from lisboa_ai import edition
from lisboa_ai.editions import names

TYPES = Path(__file__).resolve().parent.parent / "engine_ext" / "types.pxd"


@pytest.fixture(scope="module")
def house() -> edition.EditionTables:
    return edition.load("house")


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    edition.export(tmp_path / "mine")
    return tmp_path / "mine"


def change(folder: Path, file: str, old: str, new: str) -> None:
    text = (folder / file).read_text(encoding="utf-8")
    assert text.count(old) == 1, f"{file} holds {old!r} {text.count(old)} times"
    (folder / file).write_text(text.replace(old, new), encoding="utf-8")


def problems(folder: Path) -> list[tuple[str, str, str, str, str]]:
    return [(p.file, p.row, p.field, p.value, p.allowed) for p in edition.check(folder)]


# The bundled edition


def test_house_has_nothing_to_complain_about() -> None:
    assert edition.bundled() == ("house",)
    assert edition.check(edition.folder_of("house")) == []


def test_cards_by_deck_and_noble(house: edition.EditionTables) -> None:
    assert Counter((card.deck, card.noble) for card in house.cards) == {
        ("blue", "maia"): 5, ("blue", "marquis"): 5, ("blue", "king"): 5, ("blue", "treasury"): 6,
        ("red", "maia"): 5, ("red", "marquis"): 5, ("red", "king"): 5, ("red", "treasury"): 5,
        ("purple", "maia"): 5, ("purple", "marquis"): 5, ("purple", "king"): 5, ("purple", "treasury"): 6,
        ("brown", "maia"): 5, ("brown", "marquis"): 5, ("brown", "king"): 5, ("brown", "treasury"): 5,
    }  # fmt: skip
    assert [card.id for card in house.cards if card.queen] == ["brown-marquis-5"]


def test_numbers_of_things(house: edition.EditionTables) -> None:
    assert {thing: len(ids) for thing, ids in house.ids.items()} == {
        "card": 82, "land": 24, "site": 14, "clergy": 37, "decree": 70, "plan": 20, "building": 16, "ship": 12,
        "scoring": 4,
    }  # fmt: skip
    assert Counter(land.size for land in house.lands) == {"wide": 19, "half": 5}
    assert sum(len(land.faces) for land in house.lands) == 39
    assert sum(len(land.faces) for land in house.lands if land.row != "E") == 31
    assert Counter(site.side for site in house.sites) == {"west": 5, "north": 4, "east": 5}
    assert Counter((plan.architect, plan.starting) for plan in house.plans) == {
        ("green", True): 2, ("green", False): 8, ("blue", True): 2, ("blue", False): 8,
    }  # fmt: skip
    assert (house.board.city_large, house.board.city_small) == (22, 5)
    assert sum(decree.not_for_2 for decree in house.decrees) == 8


@pytest.mark.parametrize("architect", ["green", "blue"])
def test_plan_stacks_rise(house: edition.EditionTables, architect: str) -> None:
    stack = [plan.officials for plan in house.plans if plan.architect == architect and not plan.starting]
    assert stack == [2, 2, 3, 3, 3, 4, 4, 5]


@pytest.mark.parametrize("side", ["green", "blue"])
def test_building_pairs_are_spread(house: edition.EditionTables, side: str) -> None:
    pairs = Counter(getattr(building, side) for building in house.buildings)
    assert len(pairs) == 6
    assert set(pairs.values()) <= {2, 3}
    businesses = Counter(business for pair in pairs.elements() for business in pair)
    assert all(7 <= n <= 9 for n in businesses.values())


def test_every_word_of_the_vocabulary_is_used(house: edition.EditionTables) -> None:
    sources = [house.source_effects(n) for n in range(names.N_SOURCES)]
    kinds = {effect.kind for rewards, choices in sources for effect in (*rewards, *choices)}
    assert kinds == set(edition.EffectKind) - {edition.EffectKind.NONE}
    assert {b.quantity for tile in house.clergy for b in tile.benefit} == set(edition.Quantity)
    assert {decree.each for decree in house.decrees} == set(edition.Feature)


# Lookups


def test_ids_and_numbers(house: edition.EditionTables) -> None:
    assert house.number("card", "red-king-3") == 33
    assert house.number("land", "land-C3") == 11
    assert house.number("site", "site-north-gold") == 5
    assert house.number("ship", "ship-purple-2") == 7
    assert house.find("clergy-17") == ("clergy", 16)
    assert house.id("ship", 0) == "ship-blue-1"
    assert house.id("decree", 69) == "decree-70"
    assert house.source_ids[82] == "land-A2"
    assert house.source_ids[106] == "site-west-A"
    assert house.source_ids[156] == "clergy-37"


def test_unknown_ids_say_so(house: edition.EditionTables) -> None:
    with pytest.raises(edition.UnknownId, match="edition 'house' has no 'land-A1'"):
        house.find("land-A1")
    with pytest.raises(edition.UnknownId, match="'land-C3' is a land, not a card"):
        house.number("card", "land-C3")
    with pytest.raises(edition.UnknownId, match="edition 'house' has plan 0 to 19, not 20"):
        house.id("plan", 20)
    with pytest.raises(edition.UnknownId, match="edition 'house' has plan 0 to 19, not -1"):
        house.id("plan", -1)


# Provenance


def test_provenance_of_known_values(house: edition.EditionTables) -> None:
    assert house.provenance["ship-purple"] == {
        "period": "rulebook", "hull": "rulebook", "price": "house", "influence": "house",
    }  # fmt: skip
    assert house.provenance["ship-brown"]["hull"] == "rulebook"
    assert house.provenance["ship-blue"]["hull"] == "inferred"
    assert house.provenance["treasury"] == {"start": "rulebook", "reis": "house", "influence": "house"}
    assert house.provenance["city_tiles"] == {"large": "rulebook", "small": "rulebook"}
    assert house.provenance["land-B1"] == {
        "row": "public", "column": "public", "size": "public", "faces": "inferred", "reward": "public",
    }  # fmt: skip
    assert house.provenance["land-B2"]["reward"] == "house"
    public = [land.id for land in house.lands if house.provenance[land.id].get("reward") == "public"]
    assert public == ["land-B1", "land-B4", "land-C2", "land-D4"]
    assert {str(effect) for land in public for effect in house.lands[house.number("land", land)].reward} == {"reis 5"}


def test_house_rows_shrink_as_rows_are_corrected(copy: Path) -> None:
    before = edition.house_rows(copy)
    assert edition.HouseRow("ships.toml", "purple", ("price", "influence")) in before
    assert not [row for row in before if row.row in ("city_tiles", "land-B1")]
    change(copy, "clergy.toml", 'benefit = ["land -2"] }', 'benefit = ["land -3"], source = "rulebook" }')
    assert edition.check(copy) == []
    assert [row for row in before if row not in edition.house_rows(copy)] == [
        edition.HouseRow("clergy.toml", "clergy-1", ("benefit", "wigs"))
    ]
    assert edition.load(copy).provenance["clergy-1"] == {"benefit": "rulebook", "wigs": "rulebook"}


# Name and digest


def test_an_exported_edition_is_the_same_edition(house: edition.EditionTables, copy: Path) -> None:
    loaded = edition.load(copy)
    assert loaded.name == "house"
    assert re.fullmatch("[0-9a-f]{16}", loaded.digest)
    assert loaded.digest == house.digest
    assert loaded.tables() == house.tables()
    assert loaded == house


def test_digest_ignores_what_is_not_a_value(house: edition.EditionTables, copy: Path) -> None:
    change(copy, "edition.toml", '"house"', '"mine"')
    change(
        copy,
        "buildings.toml",
        '{ id = "building-1",  green = ["gold", "cloth"],  blue = ["books", "tools"] }',
        '{ source = "rulebook", blue = ["tools", "books"], green = ["cloth","gold"],id="building-1" }',
    )
    change(copy, "buildings.toml", "\nbuilding = [", "# seen\n\n\nbuilding=[")
    change(copy, "board.toml", "[9, 8, 6, 4, 2, 0]", "[0, 2, 4, 6, 8, 9]")
    change(copy, "decrees.toml", '{ row = ["A", "B"] }', '{ row = ["B", "A"] }')
    change(copy, "sites.toml", '["good any 2"] }', '["good  any 2"] }')
    loaded = edition.load(copy)
    assert loaded.name == "mine"
    assert loaded.digest == house.digest


@pytest.mark.parametrize(
    "file, old, new",
    [
        ("ships.toml", "price = 2", "price = 3"),
        ("sites.toml", '["good any 2"] }', '["good any 1"] }'),
        ("decrees.toml", '{ row = ["A", "B"] }, at_least = 3', '{ row = ["A", "B"] }, at_least = 2'),
        ("board.toml", "spaces = 4", "spaces = 5"),
        ("clergy.toml", '"clergy-37"', '"clergy-38"'),
    ],
)
def test_digest_follows_every_value(house: edition.EditionTables, copy: Path, file: str, old: str, new: str) -> None:
    change(copy, file, old, new)
    assert edition.load(copy).digest != house.digest


def test_several_editions_at_once(house: edition.EditionTables, copy: Path) -> None:
    change(copy, "ships.toml", "price = 2", "price = 3")
    other = edition.load(copy)
    assert (house.tables()["ship_price"], other.tables()["ship_price"]) == ([2, 1, 1, 0], [3, 1, 1, 0])
    assert edition.load("house") is house


# Broken editions


def test_all_broken_rows_are_named_at_once(copy: Path) -> None:
    change(copy, "ships.toml", 'colour = "purple", period = 2, hull = 3', 'colour = "purple", period = 1, hull = 5')
    change(copy, "clergy.toml", '["sell all +1"]', '["sell everything +1"]')
    change(copy, "clergy.toml", '"clergy-12"', '"clergy-11"')
    change(copy, "plans.toml", 'id = "plan-blue-8",        architect = "blue",  officials = 5', 'id = "plan-blue-8"')
    change(copy, "lands.toml", 'faces = ["tools"],          reward = ["favor"]', 'faces = ["gold"], reward = ["luck"]')
    change(copy, "board.toml", "large  = 22", "large  = 21")
    assert problems(copy) == [
        ("board.toml", "city_tiles", "large", "21", "22"),
        ("clergy.toml", "clergy-10", "benefit[0]", "'sell everything +1'",
         "sell TYPE +N, sell all +N (TYPE: gold, cloth, books, tools)"),
        ("clergy.toml", "clergy-11", "id", "'clergy-11'", "a name used once; clergy.toml has it already"),
        ("lands.toml", "land-D5", "reward[0]", "'luck'",
         "reis N, wigs N, good TYPE N, good any N, influence, officials N, plan, ship, produce, cardinal N, favor, "
         "rubble, treasury ±N, decree, store, building, pay reis N, pay influence N, pay wigs N, pay good any N, "
         "pay official N (TYPE: gold, cloth, books, tools)"),
        ("lands.toml", "land-D5", "faces", "['gold']", "tools"),
        ("plans.toml", "", "architect blue",
         "(7 plans besides the starting ones)", "8 plans besides the starting ones"),
        ("plans.toml", "plan-blue-8", "architect", "(missing)", "a value"),
        ("plans.toml", "plan-blue-8", "officials", "(missing)", "a value"),
        ("ships.toml", "purple", "hull", "5", "a whole number from 1 to 4"),
        ("ships.toml", "purple", "period", "1", "2"),
    ]  # fmt: skip
    with pytest.raises(edition.EditionError) as error:
        edition.load(copy)
    assert len(error.value.problems) == 10
    assert "ships.toml: purple: hull: 5; allowed: a whole number from 1 to 4" in str(error.value)


def test_missing_and_unreadable_files_are_problems(copy: Path) -> None:
    (copy / "plans.toml").unlink()
    (copy / "ships.toml").write_text("ship = [", encoding="utf-8")
    (copy / "sites.toml").write_bytes(b"\xff")
    found = problems(copy)
    assert [(file, row, field, allowed) for file, row, field, _, allowed in found] == [
        ("plans.toml", "", "", "a readable TOML file"),
        ("ships.toml", "", "", "a readable TOML file"),
        ("sites.toml", "", "", "a readable TOML file"),
    ]
    assert found[0][3] == "(missing file)"
    assert found[1][3].startswith("(unreadable: ")


def test_at_most_three_lands_and_sites_build_or_open(copy: Path) -> None:
    """Each one multiplies what has to be tried to tell whether something can be completed."""
    lands = copy / "lands.toml"
    text = lands.read_text(encoding="utf-8")
    for old, new in (
        ('reward = ["good cloth 1"] },', 'reward = ["store"] },'),
        ('reward = ["good gold 1"] },', 'reward = ["building"] },'),
    ):
        assert text.count(old) == 2
        text = text.replace(old, new)
    lands.write_text(text, encoding="utf-8")
    assert problems(copy) == [
        ("lands.toml", "land-E2", "reward", "(store or building)", "3 such lands, sites and tiles in all")
    ]


def test_an_empty_folder_lacks_every_file(tmp_path: Path) -> None:
    assert [problem.file for problem in edition.check(tmp_path)] == [
        "board.toml", "buildings.toml", "cards.toml", "clergy.toml", "decrees.toml", "edition.toml", "lands.toml",
        "plans.toml", "scoring.toml", "ships.toml", "sites.toml",
    ]  # fmt: skip


SOURCES = "one of rulebook, public, inferred, house"
CARD = '{ id = "red-treasury-5",    deck = "red",    noble = "treasury",'
LAST_CARD = '{ id = "brown-treasury-5",  deck = "brown",'


@pytest.mark.parametrize(
    "file, old, new, expected",
    [
        ("cards.toml", LAST_CARD, LAST_CARD.replace('"brown",', '"red",'), [
            ("cards.toml", "", "deck red, treasury", "(6 cards)", "5 cards"),
            ("cards.toml", "", "deck brown, treasury", "(4 cards)", "5 cards"),
            ("cards.toml", "brown-treasury-5", "id", "'brown-treasury-5'", "a name that starts with red-treasury-"),
        ]),
        ("cards.toml", "queen = true", "queen = false", [
            ("cards.toml", "", "queen", "(0 cards with queen = true)", "1 cards with queen = true"),
        ]),
        ("cards.toml", CARD, CARD + " influence = 2,", [
            ("cards.toml", "red-treasury-5", "influence", "(given)", "not on a treasury card"),
        ]),
        ("cards.toml", '["good any 2"], queen', '["good any 2"], benefit = ["store wigs +1"], queen', [
            ("cards.toml", "brown-marquis-5", "benefit", "(given)", "not on a marquis card"),
        ]),
        ("buildings.toml", 'blue = ["books", "tools"] },\n]', 'blue = ["tools", "cloth"] },\n]', [
            ("buildings.toml", "building-16", "blue", "['cloth', 'tools']",
             "two businesses other than the green side's pair"),
        ]),
        ("buildings.toml", 'blue = ["books", "tools"] },\n]', 'blue = ["tools", "tools"] },\n]', [
            ("buildings.toml", "building-16", "blue", "['tools', 'tools']", "different values"),
        ]),
        ("scoring.toml", "large = 4, small = 2", "large = 4, small = true", [
            ("scoring.toml", "scoring-4", "small", "True", "a whole number from 0 to 20"),
        ]),
        ("scoring.toml", 'source = "house"\n', "", [("scoring.toml", "", "source", "(missing)", SOURCES)]),
        ("board.toml", '[offices]\nsource = "house"', '[offices]\nsource = "hearsay"', [
            ("board.toml", "offices", "source", "'hearsay'", SOURCES),
        ]),
        ("ships.toml", 'influence = 3, sources = { hull =', 'influence = 3, sources = { hall =', [
            ("ships.toml", "brown", "sources.hall", "'rulebook'",
             "one of the fields colour, period, hull, price, influence"),
        ]),
        ("board.toml", "influence = [3, 2, 2, 1, 1, 0, 0, -1]", "influence = [3, 2, 2]", [
            ("board.toml", "treasury", "influence", "[3, 2, 2]", "8 values, one a space as in reis"),
        ]),
        ("board.toml", "lowest = { gold = 3,", "lowest = { gold = 7,", [
            ("board.toml", "market", "lowest.gold", "7", "0 to 6, where the price starts"),
        ]),
        ("decrees.toml", "where = { column = 5 }, at_most = 2", "where = { column = 6 }, at_most = 2", [
            ("decrees.toml", "decree-15", "where.column", "6", "different values of 1, 2, 3, 4, 5"),
        ]),
        ("decrees.toml", 'each = "sets",                 at_most = 4', 'each = "sets", at_most = 4, at_least = 1', [
            ("decrees.toml", "decree-54", "at_most", "4", "not together with at_least"),
        ]),
        ("decrees.toml", 'each = "sets",                 at_most = 4', 'each = "sets", where = { row = "A" }', [
            ("decrees.toml", "decree-54", "where.row", "('A',)", "no where for this feature"),
        ]),
        ("decrees.toml", 'where = { colour = "red" }', 'where = { colour = "gold" }', [
            ("decrees.toml", "decree-52", "where.colour", "('gold',)", "values of brown, red, blue"),
        ]),
        ("decrees.toml", 'where = { type = "gold" }', 'wear = { type = "gold" }', [
            ("decrees.toml", "decree-50", "wear", "{'type': 'gold'}",
             "one of the fields id, wigs, each, where, at_least, at_most, not_for_2"),
        ]),
        ("lands.toml", 'row = "A", column = 2', 'row = "A", column = 1', [
            ("lands.toml", "", "land A2", "(missing)", "one land space"),
            ("lands.toml", "land-A2", "column", "1", "2 to 5 in row A (A1 is the historic square)"),
            ("lands.toml", "land-A2", "id", "'land-A2'", "land-A1"),
            ("lands.toml", "land-A2", "faces", "['gold', 'cloth']", "gold"),
        ]),
        ("sites.toml", 'side = "north", street = "tools"', 'side = "east", street = "tools"', [
            ("sites.toml", "", "site north tools", "(missing)", "one site"),
            ("sites.toml", "site-north-tools", "street", "(given)", "nothing: sites on the east side have a row"),
            ("sites.toml", "site-north-tools", "row", "(missing)", "a value"),
        ]),
        ("clergy.toml", '"store wigs +1"', '"sell all +1", "store wigs +1", "land -1"', [
            ("clergy.toml", "clergy-32", "benefit", "(9 changes)", "8 changes at most"),
        ]),
        ("edition.toml", '"house"', '"My house"', [
            ("edition.toml", "", "name", "'My house'", "lower-case letters, digits and single hyphens, such as house"),
        ]),
    ],
)  # fmt: skip
def test_each_broken_value_is_named(
    copy: Path, file: str, old: str, new: str, expected: list[tuple[str, str, str, str, str]]
) -> None:
    change(copy, file, old, new)
    assert problems(copy) == expected


def test_a_missing_row_breaks_its_total(copy: Path) -> None:
    change(copy, "clergy.toml", '  { id = "clergy-37", wigs = 4, benefit = ["favor reis +2"] },\n', "")
    assert problems(copy) == [("clergy.toml", "", "tile", "(36 rows)", "37 rows")]


def test_unknown_editions_say_what_there_is(tmp_path: Path) -> None:
    with pytest.raises(edition.EditionError, match=r"no edition 'atlantis': neither bundled \(house\) nor a folder"):
        edition.load("atlantis")
    with pytest.raises(edition.EditionError, match="no bundled edition 'atlantis'; there are house"):
        edition.export(tmp_path, "atlantis")


def test_export_never_overwrites(copy: Path, tmp_path: Path) -> None:
    (copy / "cards.toml").write_text("mine", encoding="utf-8")
    with pytest.raises(edition.EditionError, match=r"already holds cards\.toml, .*nothing was written"):
        edition.export(copy)
    assert (copy / "cards.toml").read_text(encoding="utf-8") == "mine"
    with pytest.raises(edition.EditionError, match="is not a folder"):
        edition.export(copy / "cards.toml")
    partly = tmp_path / "partly"
    partly.mkdir()
    (partly / "ships.toml").touch()
    with pytest.raises(edition.EditionError, match=r"already holds ships\.toml; nothing was written"):
        edition.export(partly)
    assert [path.name for path in partly.iterdir()] == ["ships.toml"]


# The engine's tables


def constants() -> dict[str, int]:
    """Every numbered enum value of types.pxd."""
    lines = TYPES.read_text(encoding="utf-8").splitlines()
    found = (re.match(r"    ([A-Z]\w*) = (\d+)\b", line) for line in lines)
    return {match[1]: int(match[2]) for match in found if match}


def struct(name: str) -> dict[str, tuple[str, list[int]]]:
    """The fields of a struct of types.pxd that are given to it: type and array lengths."""
    text = TYPES.read_text(encoding="utf-8")
    body = re.search(rf"^cdef struct {name}C?:.*\n((?:    .*\n|\n)+)", text, re.MULTILINE)
    assert body is not None
    given, _, _ = body[1].partition("# derived by core.Edition")
    fields = re.findall(r"^    (\w+) (\w+)((?:\[\d+\])*)", given, re.MULTILINE)
    return {field: (kind, [int(n) for n in re.findall(r"\d+", sizes)]) for kind, field, sizes in fields}


def assert_shape(value: Any, kind: str, sizes: list[int], where: str) -> None:
    if sizes:
        assert isinstance(value, list), where
        assert len(value) == sizes[0], where
        for element in value:
            assert_shape(element, kind, sizes[1:], where)
    elif kind[0].isupper():
        inner = struct(kind)
        assert value.keys() == inner.keys(), where
        for field, (inner_kind, inner_sizes) in inner.items():
            assert_shape(value[field], inner_kind, inner_sizes, f"{where}.{field}")
    else:
        low, high = {"uint8_t": (0, 255), "int8_t": (-128, 127)}[kind]
        assert type(value) is int, where
        assert low <= value <= high, where


def test_numbers_agree_with_the_engine() -> None:
    pxd = constants()
    assert {kind.name: kind for kind in names.EffectKind} == {
        key[2:]: n for key, n in pxd.items() if key.startswith("E_")
    }
    assert {quantity.name: quantity for quantity in names.Quantity} == {
        key[2:]: n for key, n in pxd.items() if key.startswith("Q_")
    }
    assert {feature.name: feature for feature in names.Feature} == {
        key[2:]: n for key, n in pxd.items() if key.startswith("F_")
    }
    for words in (names.CARD_NOBLES, names.GOODS, names.SIDES):
        assert [pxd[word.upper()] for word in words] == list(range(len(words)))
    assert [pxd[colour.upper()] for colour in names.COLOURS] == [0, 1, 2]
    assert [pxd[f"DECK_{deck.upper()}"] for deck in names.DECKS] == [0, 1, 2, 3]
    assert [pxd[f"{architect.upper()}_ARCHITECT"] for architect in names.ARCHITECTS] == [0, 1]
    sizes = {
        "N_CARDS", "N_LANDS", "N_SITES", "N_CLERGY", "N_DECREES", "N_PLANS", "N_BUILDINGS", "N_CHURCH", "N_SOURCES",
        "LAND_SOURCE", "SITE_SOURCE", "CLERGY_SOURCE", "CLERGY_HOLDING", "MAX_TREASURY", "MAX_INFLUENCE", "MAX_EFFECTS",
        "MAX_MODIFIERS",
    }  # fmt: skip
    assert {size: getattr(names, size) for size in sizes} == {size: pxd[size] for size in sizes}


def test_tables_have_the_shape_of_the_struct(house: edition.EditionTables) -> None:
    assert list(house.tables()) == list(struct("Edition"))
    assert_shape(house.tables(), "Edition", [], "")


def test_tables_of_cards(house: edition.EditionTables) -> None:
    tables = house.tables()
    none = {"kind": 0, "what": 0, "n": 0}
    assert tables["card_deck"] == [0] * 21 + [1] * 20 + [2] * 21 + [3] * 20
    assert tables["card_noble"][:21] == [0] * 5 + [1] * 5 + [2] * 5 + [3] * 6
    assert tables["deck_cards"][0] == list(range(21))
    assert tables["deck_cards"][1] == [*range(21, 41), 0]
    assert tables["deck_cards"][2] == list(range(41, 62))
    assert tables["deck_cards"][3] == [*range(62, 82), 0]
    assert [n for n, queen in enumerate(tables["card_queen"]) if queen] == [71]
    assert tables["card_influence"][15:22] == [0, 0, 0, 0, 0, 0, 2]
    assert tables["sources"][0] == {
        "n_rewards": 2,
        "n_choices": 0,
        "rewards": [{"kind": 6, "what": 0, "n": 1}, {"kind": 1, "what": 0, "n": 1}, none, none],
        "choices": [none] * 4,
    }
    # blue-treasury-6: an event that is only a choice.
    assert tables["sources"][20] == {
        "n_rewards": 0,
        "n_choices": 2,
        "rewards": [none] * 4,
        "choices": [{"kind": 5, "what": 0, "n": 1}, {"kind": 4, "what": 0, "n": 1}, none, none],
    }
    # red-treasury-5: sell all +1.
    assert tables["benefits"][40] == {
        "n": 4,
        "modifiers": [{"quantity": q, "n": 1} for q in (6, 7, 8, 9)] + [{"quantity": 0, "n": 0}] * 4,
    }
    # clergy-4: land ignores blue; clergy-6 and its reward.
    assert tables["benefits"][82 + 3]["modifiers"][0] == {"quantity": 3, "n": 1}
    assert tables["sources"][120 + 5]["rewards"][0] == {"kind": 5, "what": 0, "n": 1}


ANY = {
    "at_least": 0, "at_most": 0, "not_for_2": 0, "businesses": 15, "rows": 31, "columns": 31, "sides": 7,
    "architects": 3, "colours": 15, "nobles": 7, "goods": 15,
}  # fmt: skip


@pytest.mark.parametrize(
    "decree, expected",
    [
        (1, {"wigs": 3, "feature": 0, "at_most": 3, "businesses": 0b0001}),
        (5, {"wigs": 6, "feature": 0, "at_least": 2, "businesses": 0b0010}),
        (12, {"wigs": 6, "feature": 0, "at_least": 3, "rows": 0b01100}),
        (15, {"wigs": 4, "feature": 0, "at_most": 2, "columns": 0b10000}),
        (19, {"wigs": 4, "feature": 1, "at_most": 2, "sides": 0b010}),
        (22, {"wigs": 3, "feature": 1, "at_most": 3, "architects": 0b10}),
        (25, {"wigs": 3, "feature": 1, "at_most": 3, "colours": 0b0100}),
        (42, {"wigs": 3, "feature": 10, "at_most": 2, "nobles": 0b100}),
        (50, {"wigs": 2, "feature": 14, "at_most": 3, "goods": 0b0001}),
        (52, {"wigs": 1, "feature": 16, "at_most": 5, "colours": 0b010}),
        (69, {"wigs": 4, "feature": 0, "at_most": 2, "rows": 0b10000, "businesses": 0b1100, "not_for_2": 1}),
    ],
)
def test_tables_of_decrees(house: edition.EditionTables, decree: int, expected: dict[str, int]) -> None:
    assert house.tables()["decrees"][decree - 1] == ANY | expected


def test_a_decree_on_street_and_business_needs_both(copy: Path) -> None:
    change(copy, "decrees.toml", '{ row = "A" }', '{ street = ["gold", "cloth"], business = ["cloth", "books"] }')
    assert edition.load(copy).tables()["decrees"][6]["businesses"] == 0b0010


def test_tables_of_the_board(house: edition.EditionTables) -> None:
    tables = house.tables()
    assert tables["cash_value"] == [0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 6]
    assert tables["next_reis_space"] == [-1, 0, 0, 2, 2, 4, 4, 6, 6, 8, 9]
    assert (tables["treasury_spaces"], tables["treasury_start"]) == (8, 2)
    assert tables["treasury_reis"] == [1, 2, 3, 4, 5, 6, 7, 8, 0, 0, 0, 0, 0, 0, 0, 0]
    assert tables["treasury_influence"] == [3, 2, 2, 1, 1, 0, 0, -1, 0, 0, 0, 0, 0, 0, 0, 0]
    assert tables["influence_start"] == [4, 5, 6, 7]
    assert (tables["market_start"], tables["market_lowest"]) == ([6, 4, 4, 5], [3, 1, 1, 2])
    assert tables["office_spaces"] == 4
    assert (tables["church_start"], tables["church_influence"], tables["church_treasury"]) == (0, 0, 3)
    assert (tables["city_large"], tables["city_small"]) == (22, 5)
    assert tables["column_uses"] == [0, 1, 2, 3, 3]
    assert (tables["scoring_large"], tables["scoring_small"]) == ([2, 3, 3, 4], [1, 1, 2, 2])
    assert tables["ship_period"] == [0, 0, 1, 1]
    assert tables["ship_hull"] == [1, 2, 3, 4]
    assert tables["ship_price"] == [2, 1, 1, 0]
    assert tables["ship_influence"] == [1, 1, 2, 3]
    assert tables["land_row"] == [0] * 4 + [1] * 5 + [2] * 5 + [3] * 5 + [4] * 5
    assert tables["land_column"] == [1, 2, 3, 4] + [0, 1, 2, 3, 4] * 4
    assert tables["land_faces"] == [3, 6, 12, 8] + [1, 3, 6, 12, 8] * 4
    assert tables["land_half"] == [0, 0, 0, 1] + [0, 0, 0, 0, 1] * 4
    assert tables["site_side"] == [0] * 5 + [1] * 4 + [2] * 5
    assert tables["site_row"] == [0, 1, 2, 3, 4, -1, -1, -1, -1, 0, 1, 2, 3, 4]
    assert tables["site_street"] == [-1] * 5 + [0, 1, 2, 3] + [-1] * 5
    assert tables["building_colours"][:2] == [[0b0011, 0b1100], [0b1100, 0b0011]]
    assert tables["plan_architect"][:6] == [0, 0, 1, 1, 0, 0]
    assert tables["plan_starting"] == [1] * 4 + [0] * 16
    assert tables["clergy_wigs"][:4] == [2, 1, 2, 3]


def test_the_engine_holds_the_same_tables(house: edition.EditionTables) -> None:
    assert (house.engine.name, house.engine.digest) == (house.name, house.digest)
    tables = house.engine.tables()
    assert {key: tables[key] for key in house.tables()} == house.tables()
    assert house.engine is house.engine
