"""What an action is about, as ids and numbers: every kind of decision says it, and legal actions differ in it."""

from __future__ import annotations

import random

import pytest

from engine_ext.core import KINDS, STOP, UNKNOWN
from lisboa_ai import edition, notation, wire_actions
from lisboa_ai.record import GameRecord
from lisboa_ai.wire_actions import action_to_proto, arguments_of

HOUSE = edition.load("house")
KIND = {name: number for number, name in enumerate(KINDS)}


@pytest.mark.parametrize(
    "kind, context, argument, expected",
    [
        ("build_store", (0, 0), 4 * HOUSE.number("land", "land-C3") + 1, [("land", "land-C3"), ("good", "cloth")]),
        ("play_card", (0, 0), 128 * 2 + 7, [("mode", "court"), ("card", HOUSE.id("card", 7))]),
        ("visit_cost", (9, 0), 32 * 2 + 3, [("influence", 4), ("reis", 2), ("wigs", 3)]),
        ("pay_reis", (5, 0), 2, [("influence", 2), ("reis", 3)]),
        ("recruit", (0, 0), 0b101, [("noble", "maia"), ("noble", "king")]),
        ("ship_goods", (0, 0), 0, []),
        ("building_officials", (3, 0), 729 + 2, [("maia", 2), ("marquis", 0), ("king", 0), ("plaza", 1)]),
        ("store_cube", (0, 0), 4, [("from", "column"), ("colour", "red")]),
        ("draft_keep", (0, 0), UNKNOWN, []),
        ("discard_hand", (0, 0), STOP, []),
    ],
)
def test_an_action_says_what_it_is_about(
    kind: str, context: tuple[int, int], argument: int, expected: list[tuple[str, str | int]]
) -> None:
    assert arguments_of(HOUSE, KIND[kind], context, argument) == expected


@pytest.mark.parametrize("seed", range(6))
def test_in_a_whole_game_legal_actions_differ_in_what_they_are_about_and_its_ids_are_the_edition_s(seed: int) -> None:
    chance = random.Random(seed)
    game = GameRecord.new(HOUSE, 2 + seed % 3, seed, draft=seed % 2 == 1).replay()
    while not game.over:
        legal = game.legal()
        told = [arguments_of(HOUSE, game.kind, game.context, one) for one in legal]
        assert len({tuple(one) for one in told}) == len(legal), KINDS[game.kind]
        for name, value in (part for one in told for part in one):
            if name in ("card", "ship", "clergy", "land", "site", "plan", "decree"):
                assert HOUSE.find(str(value))[0] == name
            elif isinstance(value, int):
                assert value >= 0
        game.apply(chance.choice(legal))


def test_every_kind_of_decision_that_is_asked_is_known() -> None:
    for name, kind in KIND.items():
        try:
            notation.action_text(HOUSE, kind, (0, 0), 0)
        except ValueError:
            continue  # automatic: nobody is asked
        except IndexError:
            pass  # what is chosen from depends on the context
        tables = (wire_actions._THINGS, wire_actions._WORDS, wire_actions._SETS, wire_actions._OTHERS)
        assert sum(name in table for table in tables) == 1, name


def test_the_message_has_ids_as_texts_and_amounts_as_numbers() -> None:
    land = HOUSE.number("land", "land-C3")
    store = action_to_proto(HOUSE, KIND["build_store"], 1, (0, 0), 4 * land + 1)
    assert (store.text, store.decision.kind, store.decision.seat) == ("store C3 cloth", "build_store", 1)
    assert [(one.name, one.id) for one in store.arguments] == [("land", "land-C3"), ("good", "cloth")]
    paid = action_to_proto(HOUSE, KIND["pay_reis"], 0, (5, 0), 2)
    assert [(one.name, one.WhichOneof("value"), one.number) for one in paid.arguments] == [
        ("influence", "number", 2),
        ("reis", "number", 3),
    ]
