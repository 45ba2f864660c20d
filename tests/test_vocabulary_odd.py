"""Editions whose lands, sites and tiles say what the bundled ones never say: the fast tests must still be right.

A fast test that is wrong shows only in the release build, as an action that is missing or that leads nowhere; the
checked build searches as well and counts where the two differ.
"""

import random
from collections.abc import Callable

import pytest
from positions import (
    BOOKS,
    CLOTH,
    COURT,
    GOLD,
    MAIA,
    MARQUIS,
    RECRUIT,
    Table,
    apply,
    base,
    frontage,
    kind,
    number,
    play,
)
from vocabulary import printed, spellings

from engine_ext import core
from lisboa_ai import edition
from lisboa_ai.editions.effects import BENEFIT_FORMS, EFFECT_FORMS

WEST_C = number("site-west-C")


def lone(rows: dict[str, dict[str, list[str]]], reis: int) -> Table:
    """Land B2 costs the treasury value of 3; nothing else can be paid with 3 réis. Seat 0 has no influence."""
    table = base(engine=printed(rows)).set(0, influence=0, reis=reis).store(1, "land-B1", GOLD)
    table.store(1, "land-B4", BOOKS)  # the two that give 5 réis and are as near
    for row in "ABCDE":
        table.rubble(row, 0 if row == "B" else 3, 0, 0)
    for column in range(1, 6):
        table.column(column, 0 if column == 2 else 2, 0, 0)
    return table


def twice(word: str) -> core.Game:
    """The land gives a favor or plan twice, one is left, and its 2 réis come once: 2 of 3 réis."""
    table = lone({"land-B2": {"reward": [word, word]}, "clergy-1": {"benefit": [f"{word} reis +2"]}}, reis=0)
    plans = [f"plan-{architect}-{place}" for architect in ("green", "blue") for place in range(1, 9)]
    table.clergy(0, "clergy-1").favors(0, MAIA, MARQUIS).plans(1, *plans[:-1])
    game = table.pending("build_store").game()
    assert frontage("land-B2", GOLD) not in game.legal()
    return game


def long_walk() -> core.Game:
    """Seven steps from gap 2 pass the treasury icon twice: the land costs 5, and there are 4 réis."""
    table = lone({"land-B2": {"reward": ["cardinal 2"]}, "clergy-1": {"benefit": ["cardinal steps +5"]}}, reis=4)
    table.clergy(0, "clergy-1").state(cardinal=2).pending("build_store")
    game = apply(table.game(), frontage("land-B2", GOLD))
    assert game.legal() == [1, 2, 3, 4, 5, 6]
    return game


def two_walks() -> core.Game:
    """After a full circle from gap 2 even one step more meets the icon again."""
    table = lone({"land-B2": {"reward": ["cardinal 6", "cardinal 6"]}}, reis=4).state(cardinal=2)
    game = apply(table.pending("build_store").game(), frontage("land-B2", GOLD))
    assert game.legal() == [1, 2, 3, 4, 5]
    return game


def store_in_store() -> core.Game:
    """Inner and outer land cost 3 + brown 3 + blue 1 and lose a cube first; 9 réis do for 4 + 4, not for 6 + 4."""
    table = base(engine=printed({"land-B2": {"reward": ["store"]}})).set(0, influence=0, reis=9)
    for row in "ABCDE":
        table.rubble(row, *((1, 0, 1) if row in "AB" else (0, 0, 0)))
    for column in range(1, 6):
        table.column(column, 0, 0, 0)
    game = apply(table.pending("build_store").game(), frontage("land-B2", GOLD), frontage("land-A2", CLOTH))
    assert kind(game) == "store_house"  # the brown cube was the only one that would do
    return game


def store_takes_officials() -> core.Game:
    """The only land the site's store can go to sends both officials home, and then two have to be hired for 6 réis."""
    table = lone({"site-west-C": {"reward": ["store"]}, "land-B2": {"reward": ["pay official 2"]}}, reis=3)
    table.officials(0, (2, 0, 0)).site("site-west-C", 0, 0, 0).offer("building-1", 0).pending("open_building")
    game = table.game()
    assert WEST_C not in game.legal()
    return game


def recruiting_helps() -> core.Game:
    """D5: with two officials recruited the land's building opens at west E, whose 6 réis pay for the land."""
    table = lone({"land-B2": {"reward": ["building"]}}, reis=0).set(0, influence=2).officials(0)
    game = table.hand(0, "blue-maia-1", "blue-king-1").offer("building-1", 0).game()
    assert play(COURT, "blue-maia-1") in game.legal()
    return game


def recruiting_hurts() -> core.Game:
    """With one official the land's building is possible for 3 réis, which the land then lacks; with two it is free."""
    table = lone({"land-B2": {"reward": ["building"]}}, reis=3).set(0, influence=2).officials(0)
    table.hand(0, "blue-maia-1", "blue-king-1").offer("building-1", 0).site("site-west-C", 0, 0, 0)
    for site in range(14):
        if site != WEST_C:
            table.fields["site_building"][site] = -3
    game = apply(table.game(), play(COURT, "blue-maia-1"), RECRUIT)
    assert game.legal() == [0b011, 0b101, 0b110]
    return game


@pytest.mark.parametrize(
    "position",
    [lambda: twice("favor"), lambda: twice("plan"), long_walk, two_walks, store_in_store, store_takes_officials,
     recruiting_helps, recruiting_hurts],
    ids=["favor twice", "plan twice", "long walk", "two walks", "store in store", "store takes officials",
         "recruiting helps", "recruiting hurts"],
)  # fmt: skip
def test_a_fast_test_is_right_about_an_unusual_edition(position: Callable[[], core.Game]) -> None:
    before = core.duty_disagreements()
    position()
    assert core.duty_disagreements() == before


# Any words on any thing

EFFECTS = sorted(spellings(form.text for form in EFFECT_FORMS))
BENEFITS = sorted(spellings(form.text for form in BENEFIT_FORMS))


def odd_edition(chance: random.Random, share: float, things: tuple[str, ...]) -> core.Edition:
    """The bundled edition with a share of these things saying anything."""

    def some(words: list[str], most: int, low: int = 1) -> list[str]:
        return [
            word.replace("N", str(chance.randint(1, 2))) for word in chance.choices(words, k=chance.randint(low, most))
        ]

    house, rows = edition.load(), {}
    for thing in things:
        for row_id in house.ids[thing]:
            if chance.random() >= share:
                continue
            event = "-treasury-" in row_id
            row = {"event" if event else "reward": some(EFFECTS, 3)}
            if thing != "clergy" and chance.random() < 0.4:
                row["choice"] = some(EFFECTS, 3, 2)
            if thing == "clergy" or event:
                row["benefit"] = some(BENEFITS, 2)
            rows[row_id] = row
    return printed(rows)


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("things, share", [("card", 1.0), ("land", 0.1), ("site", 0.1), ("clergy", 0.6)])
def test_games_by_odd_editions_end_and_no_fast_test_is_wrong(things: str, share: float, seats: int) -> None:
    before = core.duty_disagreements()
    for seed in range(3):
        chance = random.Random(f"{things} {seats} {seed}")
        game = core.Game.deal(odd_edition(chance, share, (things,)), seats, seed)
        while not game.over:
            game.apply(chance.choice(game.legal()))
    assert core.duty_disagreements() == before
