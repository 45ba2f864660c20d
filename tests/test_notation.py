"""Action text: both ways for every kind of decision, shorter forms, the three errors, sentences, what was revealed."""

from __future__ import annotations

import random

import positions
import pytest
from positions import GOLD, KING, MAIA, Table

from engine_ext import core
from lisboa_ai import notation
from lisboa_ai.edition import UnknownId
from lisboa_ai.notation import AmbiguousAction, IllegalActionText, UnreadableAction

T = positions.TABLES
n = positions.number


def text(kind: str, argument: int, a: int = 0, b: int = 0) -> str:
    return notation.action_text(T, positions.KIND[kind], (a, b), argument)


def sentence(kind: str, argument: int, a: int = 0, b: int = 0, seat: int = 0) -> str:
    return notation.describe(T, positions.KIND[kind], (a, b), argument, seat)


TEXTS = [
    ("keep_clergy", n("clergy-7"), 0, 0, "keep clergy-7"),
    ("draft_keep", n("blue-king-2"), 0, 0, "keep blue-king-2"),
    ("draft_keep", core.UNKNOWN, 0, 0, "keep ?"),
    ("play_card", n("blue-maia-1"), 0, 0, "gold blue-maia-1"),
    ("play_card", 128 + n("red-treasury-2"), 0, 0, "portfolio red-treasury-2"),
    ("play_card", 256 + n("red-king-2"), 0, 0, "court red-king-2"),
    ("take_card", n("red-king-3"), 0, 0, "take red-king-3"),
    ("discard_hand", n("blue-king-1"), 0, 0, "discard blue-king-1"),
    ("discard_hand", core.STOP, 0, 0, "done"),
    ("make_room", n("ship-red-1"), 0, 0, "shed ship-red-1"),
    ("shed", n("blue-treasury-1"), 0, 0, "shed blue-treasury-1"),
    ("sell_or_trade", 0, 0, 0, "sell goods"),
    ("sell_or_trade", 1, 0, 0, "trade goods"),
    ("sell", 2 * 16 + 4, 0, 0, "sell books ship-red-2"),
    ("sell", core.STOP, 1, 0, "stop"),
    ("trade", 4, 0, 0, "trade cardinal"),
    ("trade_good", GOLD, 4, 0, "with gold"),
    ("visit_cost", 0, 3, MAIA, "pay 3i"),
    ("visit_cost", 1 * 32 + 1, 4, MAIA, "pay 2i+1r+1w"),
    ("visit_cost", 2, 2, KING, "pay 2w"),
    ("visit_cost", 0, 0, KING, "pay 0"),
    ("visit_state_action", core.STOP, 0, 0, "none"),
    ("visit_state_action", 1, 0, 0, "do plan"),
    ("noble_action", 1, 1, 0, "do building"),
    ("follow", 0, 2, 0, "pass"),
    ("follow", 1, 2, 0, "follow"),
    ("follow_action", 6, 2, 0, "do noble"),
    ("recruit", 0b101, 2, 0, "recruit maia+king"),
    ("acquire_plan", 0, 1, 0, "plan green"),
    ("build_ship", core.STOP, 1, 0, "dock empty"),
    ("build_ship", n("ship-blue-1"), 1, 0, "dock ship-blue-1"),
    ("ship_goods", 0b0011, 2, 0, "goods gold+cloth"),
    ("produce_bonus", 3, 8, 0, "bonus tools"),
    ("meet_cardinal", 2, 2, 0, "cardinal 2"),
    ("clergy_tile", n("clergy-17"), 0, 0, "tile clergy-17"),
    ("get_favor", 1, 1, 0, "favor marquis"),
    ("build_store", n("land-C3") * 4 + 1, 0, 0, "store C3 cloth"),
    ("store_cube", 1, 0, 0, "cube row red"),
    ("store_cube", 5, 0, 0, "cube column blue"),
    ("store_house", 2, 0, 0, "house right"),
    ("open_building", n("site-west-B"), 0, 0, "open west-B"),
    ("building_plan", n("plan-green-4"), 1, 0, "use plan-green-4"),
    ("building_officials", 1 + 729, 1, 7, "return 1 maia + 1 plaza"),
    ("building_officials", 2 * 9 + 81, 1, 7, "return 2 marquis + 1 king"),
    ("take_decree", n("decree-42"), 0, 0, "decree decree-42"),
    ("spend_marker", 1, 0, 0, "marker spend"),
    ("spend_marker", 0, 0, 0, "marker keep"),
    ("give_clergy", n("clergy-7"), 0, 0, "give clergy-7"),
    ("give_clergy", core.STOP, 0, 0, "done"),
    ("rubble_cube", 0, 1, 0, "rubble brown"),
    ("pay_reis", 2, 3, 0, "pay 2i+1r"),
    ("pay_reis", 0, 3, 0, "pay 3r"),
    ("choice", 1, n("blue-marquis-4"), 0, "choose treasury-+2"),
    ("good_any", 2, 1, 0, "gain books"),
    ("pay_good", 1, 1, 0, "lose cloth"),
    ("pay_official", 2, 1, 0, "recall king"),
]


@pytest.mark.parametrize(("kind", "argument", "a", "b", "wanted"), TEXTS)
def test_text(kind: str, argument: int, a: int, b: int, wanted: str) -> None:
    assert text(kind, argument, a, b) == wanted


def test_automatic_kinds_have_no_text() -> None:
    with pytest.raises(ValueError, match="upkeep is automatic"):
        text("upkeep", 0)


def test_every_decision_kind_has_text_and_a_sentence() -> None:
    automatic = set(core.KINDS) - {row[0] for row in TEXTS}
    assert automatic == {
        "opening", "dock_ships", "upkeep", "period_end", "discard_rewards", "discard_reward", "new_period", "next_turn",
        "tuck", "visit", "follow_window", "sponsor", "place_ship", "produce", "cardinal_icons", "land_price",
        "building_scored", "church_scoring", "effects", "game_end",
    }  # fmt: skip
    assert text("discard_reward", n("blue-king-1"), KING) == "reward blue-king-1"
    for kind, argument, a, b, _ in TEXTS:
        said = sentence(kind, argument, a, b, seat=1)
        assert said.startswith("Player 2: ")
        assert said.endswith(".")


def test_sentences() -> None:
    assert sentence("play_card", 256 + n("blue-king-1")) == "Player 1: visit the King with blue-king-1."
    assert sentence("visit_cost", 1 * 32 + 1, 4, MAIA, seat=2) == (
        "Player 3: pay 2 influence, 1 real and 1 wig for the Builder (Maia)."
    )
    assert sentence("recruit", 0b101, 2) == "Player 1: place officials with the Builder (Maia) and the King."
    assert sentence("build_store", n("land-B1") * 4 + GOLD) == "Player 1: build a gold store on land-B1 (gain 5 réis)."


def test_every_legal_action_reads_back_as_itself() -> None:
    rng = random.Random(7)
    for seed in range(6):
        game = core.Game.deal(positions.ENGINE, 2 + seed % 3, seed, queen=seed == 3, draft=seed % 2 == 1)
        while not game.over:
            legal = game.legal()
            texts = [notation.action_text(T, game.kind, game.context, argument) for argument in legal]
            assert len(set(texts)) == len(legal), core.KINDS[game.kind]
            assert [notation.parse_action(T, game, known) for known in texts] == legal
            game.apply(rng.choice(legal))


# --- what people type -------------------------------------------------------------------------------------------------


def start() -> core.Game:
    return Table(3).hand(0, "blue-king-2", "red-king-2", "blue-maia-1", "blue-treasury-1", "blue-marquis-1").game()


def test_spaces_and_capitals_do_not_matter() -> None:
    assert notation.parse_action(T, start(), "  COURT   Blue-King-2 ") == 256 + n("blue-king-2")
    game = positions.apply(start(), 256 + n("blue-maia-1"))
    assert core.KINDS[game.kind] == "visit_state_action"
    game.apply(0)
    assert (
        notation.parse_action(T, game, "recruit maia + king")
        == notation.parse_action(T, game, "recruit maia+king")
        == 5
    )


def test_take_by_deck() -> None:
    game = positions.apply(start(), n("blue-maia-1"))
    face_up = [game.fields()["decks"][0][deck][game.fields()["deck_pos"][deck]] for deck in range(4)]
    assert notation.parse_action(T, game, "take king") == face_up[KING]
    assert notation.parse_action(T, game, "take treasury") == face_up[3]


def test_shorter_forms_when_only_one_action_fits() -> None:
    assert notation.parse_action(T, start(), "court maia-1") == 256 + n("blue-maia-1")
    assert notation.parse_action(T, start(), "gold treasury-1") == n("blue-treasury-1")


def test_ambiguous_names_what_it_fits() -> None:
    with pytest.raises(AmbiguousAction) as caught:
        notation.parse_action(T, start(), "court king-2")
    assert sorted(caught.value.legal) == ["court blue-king-2", "court red-king-2"]


def test_illegal_names_what_was_legal() -> None:
    with pytest.raises(
        IllegalActionText, match=r"'court blue-king-5' is not legal now; allowed: .*court blue-king-2"
    ) as caught:
        notation.parse_action(T, start(), "court blue-king-5")
    assert "gold blue-king-2" in caught.value.legal
    assert caught.value.text == "court blue-king-5"


@pytest.mark.parametrize("typed", ["", "   ", "jump", "?", "kourt blue-king-2", "courtblue-king-2"])
def test_unreadable_names_what_was_legal(typed: str) -> None:
    with pytest.raises(UnreadableAction) as caught:
        notation.parse_action(T, start(), typed)
    assert "court blue-king-2" in caught.value.legal


def test_nothing_is_legal_when_the_game_is_over() -> None:
    game = core.Game.deal(positions.ENGINE, 2, 1)
    game.play_out(1)
    with pytest.raises(IllegalActionText, match="the game is over"):
        notation.parse_action(T, game, "take king")


def test_a_turn_is_its_actions_joined() -> None:
    assert notation.split_turn("court red-king-2; pay 3i ;none;; open west-B") == [
        "court red-king-2", "pay 3i", "none", "open west-B",
    ]  # fmt: skip


# --- what was revealed ---


def test_revealed_both_ways() -> None:
    revealed = [("card", n("red-king-4")), ("decree", n("decree-17")), ("clergy", n("clergy-2")),
                ("building", n("building-3") * 2), ("building", n("building-4") * 2 + 1)]  # fmt: skip
    line = "red-king-4 decree-17 clergy-2 building-3-green building-4-blue"
    assert notation.revealed_text(T, revealed) == line
    assert notation.parse_revealed(T, line) == revealed
    assert notation.parse_revealed(T, "red-king-4, decree-17") == revealed[:2]
    assert notation.parse_revealed(T, "") == []


@pytest.mark.parametrize("word", ["red-king-9", "land-C3", "building-3", "building-99-green", "nonsense"])
def test_revealed_refuses_what_cannot_be_revealed(word: str) -> None:
    with pytest.raises(UnknownId):
        notation.parse_revealed(T, f"red-king-4 {word}")


def test_revealed_cards_are_of_the_deck_being_dealt() -> None:
    game = start()
    turned_up = [("card", n("red-king-4"))]
    assert notation.read_revealed(T, game, "red-king-4") == turned_up
    with pytest.raises(ValueError, match="blue-king-1; allowed: cards turned up or dealt now"):
        notation.read_revealed(T, game, "blue-king-1")
    with pytest.raises(ValueError, match="decree-17; allowed: each only once"):
        notation.read_revealed(T, game, "decree-17 decree-17")
    draft = core.Game.deal(positions.ENGINE, 2, 1, draft=True)
    while core.KINDS[draft.kind] == "keep_clergy":
        draft.apply(draft.legal()[0])
    assert notation.read_revealed(T, draft, "blue-king-1") == [("card", n("blue-king-1"))]
    with pytest.raises(ValueError, match="purple-king-1; allowed: blue cards"):
        notation.read_revealed(T, draft, "purple-king-1")
