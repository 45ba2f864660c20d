"""What the engine refuses by itself: set-ups and states that would lead outside a table, faces made by hand."""

import copy
from typing import Any

import pytest
from positions import ENGINE, KIND, Table

from engine_ext import core


def setup() -> dict[str, Any]:
    return copy.deepcopy(core.Game.deal(ENGINE, 3, 1).setup())


def test_a_card_in_another_deck_is_refused() -> None:
    wrong = setup()
    decks = wrong["decks"][0]
    decks[0][0], decks[2][0] = decks[2][0], decks[0][0]
    with pytest.raises(ValueError, match=r"setup.decks\[0\]\[0\]\[0\]: .*its own deck"):
        core.Game.from_setup(ENGINE, wrong)


def test_a_tile_drawn_twice_is_refused() -> None:
    wrong = setup()
    wrong["clergy"][5] = wrong["clergy"][4]
    with pytest.raises(ValueError, match=r"setup.clergy\[5\]: .*only once"):
        core.Game.from_setup(ENGINE, wrong)


def test_an_observer_knows_its_own_tiles_and_hand() -> None:
    wrong = setup()
    wrong["clergy"] = [core.UNKNOWN] * 37
    with pytest.raises(ValueError, match=r"setup.clergy\[0\]: 255"):
        core.Observation.start(ENGINE, wrong, 0)
    wrong = setup()
    wrong["hands"][1] = [core.UNKNOWN] * 5
    with pytest.raises(ValueError, match=r"setup.hands\[1\]\[0\]: 255"):
        core.Observation.start(ENGINE, wrong, 1)


def test_faces_are_not_made_by_hand() -> None:
    with pytest.raises(TypeError, match="deal, from_setup or from_fields"):
        core.Game()
    with pytest.raises(TypeError, match=r"Game.observe, start or from_fields"):
        core.Observation()


def test_a_ship_cannot_take_the_place_of_a_card_that_is_not_there() -> None:
    table = Table().pending("place_ship", a=17)
    with pytest.raises(core.BrokenState, match="something in the seat's portfolio"):
        table.game()


def test_no_more_ships_are_built_than_the_shipyard_has() -> None:
    table = Table()
    for _ in range(5):
        table.pending("place_ship", a=core.STOP)
    with pytest.raises(core.BrokenState, match="5 ships to be built"):
        table.game()


def test_an_agenda_deeper_than_play_reaches_is_refused() -> None:
    table = Table()
    for depth in range(table.fields["depth"], 31):
        table.fields["frames"][depth] = {"kind": KIND["play_card"], "seat": 0, "a": 0, "b": 0}
    table.fields["depth"] = 31
    with pytest.raises(core.BrokenState, match="depth: 31; allowed: 0 to 24"):
        table.game()


def test_nobody_takes_a_sixth_card() -> None:
    table = Table()
    table.fields["frames"][table.fields["depth"] - 1]["kind"] = KIND["take_card"]
    with pytest.raises(core.BrokenState, match="at most 4 when a card is to be taken"):
        table.game()


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"face_up": 16}, "face_up: 16; allowed: 0 to 15"),
        ({"deck_pos": [5, 0, 0, 0]}, r"deck_pos\[0\]: 5; allowed: 0 to 4"),
        ({"trigger": 3}, "trigger: 3; allowed: -1 to 2"),
        ({"church_caller": -2}, "church_caller: -2; allowed: -1 to 2"),
        ({"clergy_bag": [0] * 37}, "clergy: 37, each in one place"),
        ({"clergy_bag": [core.UNKNOWN] * 37}, "clergy: 37, each in one place"),
        ({"decree_deck": [0] * 70}, "decrees: each in one place"),
    ],
    ids=lambda value: next(iter(value)) if isinstance(value, dict) else None,
)
def test_a_state_that_would_lead_outside_a_table_is_refused(change: dict[str, Any], complaint: str) -> None:
    """Cards that show lie in their deck; what has left a bag or deck is known, and lies somewhere once."""
    fields = Table().game().fields()
    fields.update(change)
    with pytest.raises(core.BrokenState, match=complaint):
        core.Game.from_fields(ENGINE, fields)


@pytest.mark.parametrize(
    ("kind", "a", "b", "complaint"),
    [
        ("give_clergy", -1, 0, r"frames\[4\].a: -1; allowed: 0 to 37"),
        ("discard_hand", 83, 0, r"frames\[4\].a: 83; allowed: 0 to 82"),
        ("follow_window", 0, -1, r"frames\[4\].b: -1; allowed: 0 to 4"),
        ("draft_keep", 0, 2, r"frames\[4\].b: 2; allowed: 0 to 1"),
        ("period_end", 0, 0, "trigger: -1; allowed: 0 to 2, who ended the period"),
        ("opening", 1, 0, r"frames\[4\]: cards in hand; allowed: none while hands are drafted"),
    ],
)
def test_a_frame_that_would_lead_outside_a_table_is_refused(kind: str, a: int, b: int, complaint: str) -> None:
    with pytest.raises(core.BrokenState, match=complaint):
        Table().pending(kind, a=a, b=b).game()


def test_a_store_that_is_owned_has_a_tile() -> None:
    table = Table()
    table.fields["land_owner"][3] = 0
    with pytest.raises(core.BrokenState, match="houses: as many stores as houses"):
        table.game()


def test_who_looks_on_sees_somebody_decide() -> None:
    """An automatic frame on top has no actions; a game carries it out, an observation cannot."""
    fields = Table().game().observe(0).fields()
    fields["frames"][3]["kind"] = KIND["church_scoring"]
    with pytest.raises(core.BrokenState, match="a decision on top"):
        core.Observation.from_fields(ENGINE, fields, 0)


@pytest.mark.parametrize(
    ("seat", "drawn", "clergy"), [(0, [core.UNKNOWN] * 2, 0), (0, [3, core.UNKNOWN], 0), (1, [3, 4], 0), (1, None, 3)]
)
def test_an_observer_sees_two_starting_tiles_drawn(seat: int, drawn: list[int] | None, clergy: int) -> None:
    """And not what others drew (A6); nobody keeps two."""
    fields = core.Game.deal(ENGINE, 2, 1).observe(0).fields()
    if drawn is not None:
        fields["drawn"][seat] = drawn
    fields["players"][seat]["clergy"] = clergy
    with pytest.raises(core.BrokenState, match="clergy: 37, each in one place"):
        core.Observation.from_fields(ENGINE, fields, 0)


def test_sets_follow_from_the_cubes() -> None:
    table = Table().cubes(1, 1, 2, 3).set(1, sets=2)
    with pytest.raises(core.BrokenState, match="derived values: sets"):
        table.game()


@pytest.mark.parametrize(("seat", "land"), [(-1, 0), (3, 0), (0, 24)])
def test_a_seat_or_land_out_of_range_is_named(seat: int, land: int) -> None:
    game = Table().game()
    with pytest.raises(ValueError, match=r"is not a (seat|land); allowed: 0 to"):
        game.land_price(seat, land)


def test_an_illegal_argument_changes_nothing() -> None:
    game = Table().game()
    before = game.copy()
    with pytest.raises(core.IllegalAction, match="argument: 999 is not legal for play_card; allowed: "):
        game.apply(999)
    assert game == before
