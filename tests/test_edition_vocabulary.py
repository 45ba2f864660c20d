"""The words of effects and benefits: read, written back and said in plain English."""

import pytest

from lisboa_ai import edition


@pytest.mark.parametrize(
    "text, kind, what, n, words",
    [
        ("reis 1", 1, 0, 1, "gain 1 real"),
        ("wigs 3", 2, 0, 3, "gain 3 wigs"),
        ("good books 1", 3, 2, 1, "gain 1 book"),
        ("good any 2", 4, 0, 2, "gain 2 goods of your choice"),
        ("influence", 5, 0, 1, "gain the influence of your top row"),
        ("officials 2", 6, 0, 2, "place up to 2 officials in different offices"),
        ("plan", 7, 0, 1, "acquire a plan"),
        ("ship", 8, 0, 1, "build a ship at its cost"),
        ("produce", 9, 0, 1, "produce goods"),
        ("cardinal 2", 10, 0, 2, "move the cardinal 1 or 2 steps and take a clergy tile"),
        ("favor", 11, 0, 1, "get a royal favor"),
        ("rubble", 12, 0, 1, "take a rubble cube of your choice from the pile"),
        ("treasury +2", 13, 0, 2, "raise the treasury by 2"),
        ("treasury -2", 13, 0, -2, "lower the treasury by 2"),
        ("decree", 14, 0, 1, "take a decree"),
        ("store", 15, 0, 1, "build a store at its cost"),
        ("building", 16, 0, 1, "open a public building at its cost"),
        ("pay reis 3", 17, 0, 3, "pay 3 réis"),
        ("pay influence 2", 18, 0, 2, "pay 2 influence"),
        ("pay wigs 1", 19, 0, 1, "pay 1 wig"),
        ("pay good any 1", 20, 0, 1, "pay 1 good of your choice"),
        ("pay official 1", 21, 0, 1, "return 1 official from the offices to your board"),
    ],
)
def test_effects_both_ways(text: str, kind: int, what: int, n: int, words: str) -> None:
    effect = edition.parse_effect(text)
    assert effect == edition.Effect(edition.EffectKind(kind), what, n)
    assert str(effect) == text
    assert edition.describe_effect(effect) == words


@pytest.mark.parametrize(
    "text, modifiers, words",
    [
        ("land -2", [(0, 2)], "land costs you 2 réis less"),
        ("land ignores brown", [(1, 1)], "brown rubble does not raise your land price"),
        ("land ignores blue", [(3, 1)], "blue rubble does not raise your land price"),
        ("hire -1", [(4, 1)], "hiring costs you 1 real less"),
        ("sponsor -2", [(5, 2)], "sponsoring an event costs you 2 réis less"),
        ("sell cloth +2", [(7, 2)], "selling cloth earns 2 réis more each"),
        ("sell all +1", [(6, 1), (7, 1), (8, 1), (9, 1)], "selling any good earns 1 real more each"),
        ("visit marquis -1", [(11, 1)], "visiting or following the Marquis costs you 1 influence less"),
        ("visit maia ignores officials", [(13, 1)],
         "rival officials do not raise your cost of visiting or following Maia"),
        ("follow -2", [(16, 2)], "following a noble costs you 2 influence less"),
        ("ship goods -1", [(17, 1)], "ships cost you 1 good less"),
        ("produce gold +1", [(18, 1)], "whenever you produce gold, gain 1 more"),
        ("recruit +1", [(22, 1)], "place 1 more when you recruit"),
        ("cardinal steps +1", [(23, 1)], "move the cardinal up to 1 step further"),
        ("trade cloth accepted by all", [(25, 1)], "every noble accepts your cloth in a trade"),
        ("building officials -1", [(28, 1)], "opening a building takes 1 official fewer"),
        ("influence gain +1", [(29, 1)], "every influence gain of yours is 1 higher"),
        ("capacity warehouse +1", [(30, 1)], "your warehouse holds 1 more of each good"),
        ("capacity portfolio +1", [(31, 1)], "your portfolio holds 1 more card"),
        ("store wigs +1", [(32, 1), (33, 1), (34, 1), (35, 1)], "1 wig for every store you build"),
        ("store wigs +2 tools", [(35, 2)], "2 wigs for every tools store you build"),
        ("building wigs +2", [(36, 2)], "2 wigs for every public building you open"),
        ("decree wigs +1", [(37, 1)], "1 wig for every decree you take"),
        ("sail wigs +1", [(38, 1)], "1 wig more for every ship of yours that sails"),
        ("plan reis +2", [(39, 2)], "2 réis for every plan you acquire"),
        ("favor reis +2", [(40, 2)], "2 réis for every royal favor you get"),
    ],
)  # fmt: skip
def test_benefits_both_ways(text: str, modifiers: list[tuple[int, int]], words: str) -> None:
    benefit = edition.parse_benefit(text)
    assert list(benefit.modifiers) == modifiers
    assert str(benefit) == text
    assert edition.describe_benefit(benefit) == words


def test_spacing_and_the_printed_minus_are_read() -> None:
    assert str(edition.parse_effect("  treasury  \N{MINUS SIGN}2 ")) == "treasury -2"


@pytest.mark.parametrize(
    "text, allowed",
    [
        ("good silk 1", "good TYPE N, good any N (TYPE: gold, cloth, books, tools)"),
        ("good cloth", "good TYPE N, good any N (TYPE: gold, cloth, books, tools)"),
        ("treasury 2", "treasury ±N"),
        ("reis -1", "reis N"),
        ("reis 0", "reis N with N 1 to 50"),
        ("officials 4", "officials N with N 1 to 3"),
        ("plan 2", "plan"),
        ("pay rent 2", "pay reis N, pay influence N, pay wigs N, pay good any N, pay official N"),
    ],
)
def test_unknown_effects_say_what_would_be(text: str, allowed: str) -> None:
    with pytest.raises(edition.VocabularyError) as error:
        edition.parse_effect(text)
    assert error.value.allowed == allowed


@pytest.mark.parametrize(
    "text, allowed",
    [
        ("land +2", "land -N, land ignores COLOUR (COLOUR: brown, red, blue)"),
        ("visit pope -1", "visit NOBLE -N, visit NOBLE ignores officials (NOBLE: maia, marquis, king)"),
        ("store wigs +1 silk", "store wigs +N, store wigs +N TYPE (TYPE: gold, cloth, books, tools)"),
        ("recruit +3", "recruit +N with N 1 to 2"),
    ],
)
def test_unknown_benefits_say_what_would_be(text: str, allowed: str) -> None:
    with pytest.raises(edition.VocabularyError) as error:
        edition.parse_benefit(text)
    assert error.value.allowed == allowed


@pytest.mark.parametrize(
    "thing, words",
    [
        ("blue-maia-1", "influence 1; place 1 official in an office, then gain 1 real"),
        ("brown-marquis-3",
         "influence 2; choose one: gain 5 réis or build a ship at its cost or lower the treasury by 2"),
        ("red-treasury-5", "event: produce goods, then gain 1 wig; lasting: selling any good earns 1 real more each"),
        ("land-C5", "choose one: gain 1 good of your choice or gain 2 wigs"),
        ("site-east-A", "acquire a plan, then gain 2 réis"),
        ("clergy-6",
         "gain the influence of your top row; lasting: sponsoring an event costs you 2 réis less; "
         "2 wigs when given up"),
        ("decree-1", "3 wigs for each gold store, 3 at most"),
        ("decree-6", "6 wigs if you have at least 2 stores on the books street"),
        ("decree-18", "4 wigs for each public building of yours on the west side, 2 at most"),
        ("decree-23", "3 wigs for each public building of yours that draws customers for gold, 3 at most"),
        ("decree-40", "3 wigs for each Maia card in your portfolio, 2 at most"),
        ("decree-50", "2 wigs for each gold, 3 at most"),
        ("decree-51", "1 wig for each brown rubble cube, 5 at most"),
        ("decree-68", "4 wigs for each gold or cloth store in row E, 2 at most"),
        ("plan-green-6", "green architect, 4 officials"),
        ("building-1", "green side gold and cloth, blue side books and tools"),
        ("ship-purple-3", "hull 3, price +1, influence 2"),
        ("scoring-1", "2 wigs for each building that draws customers to a store"),
    ],
)  # fmt: skip
def test_things_in_plain_english(thing: str, words: str) -> None:
    assert edition.load("house").describe(thing) == words
