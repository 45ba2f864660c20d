"""Set-ups of records: what a seat's record hides and must hold, what is refused, damaged input."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable

import positions
import pytest

from engine_ext import core
from lisboa.v1 import record_pb2 as pb
from lisboa_ai import notation
from lisboa_ai.record import GameRecord, InvalidRecord, RecordedAction

T = positions.TABLES


def played(seats: int, seed: int, *, queen: bool = False, draft: bool = False, most: int = 10_000) -> GameRecord:
    """A game played at random, to its end or for so many actions."""
    record = GameRecord.new(T, seats, seed, queen=queen, draft=draft)
    rng = random.Random(seed)
    game = record.replay()
    texts: list[str] = []
    while not game.over and len(texts) < most:
        argument = rng.choice(game.legal())
        texts.append(notation.action_text(T, game.kind, game.context, argument))
        game.apply(argument)
    record = record.extend(texts)
    assert record.replay() == game
    return record


def test_what_a_seat_cannot_see_is_not_in_its_record() -> None:
    record = played(3, 6, draft=True, most=30)
    text = record.observe(1).to_json()
    hidden = {T.id("card", card) for seat in (0, 2) for card in record.setup["hands"][seat]}
    setup = json.loads(text)["setup"]
    assert setup["hands"][0] == setup["hands"][2] == {"ids": [""] * 5}
    assert setup["hands"][1]["ids"] == [T.id("card", card) for card in record.setup["hands"][1]]
    assert not hidden & {card for deck in setup["redDecks"] for card in deck["ids"]}
    assert setup["purple"] == [""] * 21
    assert setup["clergy"][:2] == setup["clergy"][4:6] == ["", ""]
    assert "" not in setup["clergy"][2:4]
    assert setup["clergyReturns"] == [-1, -1, -1]
    assert [deck["ids"][0] != "" for deck in setup["redDecks"]] == [True] * 4
    assert all(set(deck["ids"][1:]) == {""} for deck in setup["redDecks"])
    kept = [action for action in record.observe(1).actions if action.text == "keep ?"]
    assert len(kept) == 2 * 4  # two rivals, four choices each (N2)


def test_two_games_alike_for_a_seat_give_it_the_same_record() -> None:
    record = GameRecord.new(T, 2, 9)
    other = dict(record.setup, purple=record.setup["purple"][::-1], hands=[list(h) for h in record.setup["hands"]])
    other["hands"][1] = [card for card in range(21) if card not in record.setup["hands"][0]][:5]
    assert GameRecord(T, 2, other).observe(0) == record.observe(0)
    assert GameRecord(T, 2, other).observe(1) != record.observe(1)


def test_an_observer_keeps_a_record_action_by_action() -> None:
    record = played(2, 12, most=60)
    whole = record.observe(1)
    kept = record.observe(1)
    kept = GameRecord(T, 2, kept.setup, observer=1)
    for action in whole.actions:
        kept = kept.append(action.text, action.revealed)
    assert kept == whole


def test_the_seed_is_only_a_way_to_make_a_set_up() -> None:
    record = GameRecord.new(T, 2, 123_456_789)
    assert "123456789" not in record.to_json()
    assert GameRecord.new(T, 2, 123_456_789) == record
    assert GameRecord.new(T, 2, 5) != record
    assert set(json.loads(record.to_json())) == {"edition", "players", "setup"}


def test_text_is_one_url_safe_line() -> None:
    assert re.fullmatch(r"lisboa-record-1:[A-Za-z0-9_-]+\.[0-9a-f]{8}", GameRecord.new(T, 4, 1).to_text())


# --- what is refused --------------------------------------------------------------------------------------------------


def test_players_and_names() -> None:
    with pytest.raises(ValueError, match="1 player is not supported"):
        GameRecord.new(T, 1, 0)
    with pytest.raises(ValueError, match="2 names; allowed: 3"):
        GameRecord.new(T, 3, 0, names=("Ann", "Bo"))
    assert GameRecord.new(T, 2, 0, names=("Ann", "Bo")).names == ("Ann", "Bo")


def refused(change: Callable[[pb.GameRecord], object], record: GameRecord | None = None) -> dict[str, str]:
    """Reasons by field for which a record is refused, when it is read or replayed."""
    message = (record or GameRecord.new(T, 3, 1)).to_proto()
    change(message)
    with pytest.raises(InvalidRecord) as caught:
        GameRecord.from_proto(message).position(None if message.HasField("observer") else 0)
    return {violation.field: violation.reason for violation in caught.value.violations}


def _set(items: list[str], index: int, value: str) -> None:
    items[index] = value


def test_broken_set_ups_are_named_by_field() -> None:
    assert refused(lambda m: setattr(m, "players", 1))["players"] == "OUT_OF_RANGE"
    assert refused(lambda m: setattr(m, "observer", 3)) == {"observer": "OUT_OF_RANGE"}
    assert refused(lambda m: m.names.append("Ann")) == {"names": "WRONG_LENGTH"}
    assert refused(lambda m: _set(m.setup.decrees, 4, "decree-99")) == {"setup.decrees[4]": "UNKNOWN_ID"}
    assert refused(lambda m: _set(m.setup.decrees, 4, m.setup.decrees[0])) == {"setup.decrees[4]": "DUPLICATE"}
    assert refused(lambda m: m.setup.clergy.pop()) == {"setup.clergy": "WRONG_LENGTH"}
    assert refused(lambda m: _set(m.setup.pile_cubes, 0, "green")) == {"setup.pile_cubes[0]": "UNKNOWN_WORD"}
    assert refused(lambda m: m.setup.hands[0].ids.__setitem__(0, m.setup.hands[1].ids[0])) == {
        "setup.hands": "DUPLICATE"
    }
    assert refused(lambda m: _set(m.setup.purple, 0, "blue-king-1")) == {"setup.purple": "WRONG_DECK"}
    assert refused(lambda m: _set(m.setup.starting_plans, 0, "plan-blue-1")) == {"setup.starting_plans": "WRONG_STACK"}
    assert refused(lambda m: _set(m.setup.purple, 0, "")) == {"setup": "BROKEN_SETUP"}


@pytest.mark.parametrize(
    ("field", "size"),
    [("row_cubes[0]", 3), ("column_cubes[3]", 3), ("column_cubes[4]", 2), ("site_cubes[13]", 2), ("pile_cubes", 6)],
)
def test_cubes_are_laid_out_in_threes_and_twos(field: str, size: int) -> None:
    """A1. A cube missing from the pile once came back from a record as a crash."""
    lists = {
        "row_cubes[0]": lambda m: m.setup.row_cubes[0].ids,
        "column_cubes[3]": lambda m: m.setup.column_cubes[3].ids,
        "column_cubes[4]": lambda m: m.setup.column_cubes[4].ids,
        "site_cubes[13]": lambda m: m.setup.site_cubes[13].ids,
        "pile_cubes": lambda m: m.setup.pile_cubes,
    }
    assert len(lists[field](GameRecord.new(T, 3, 1).to_proto())) == size
    assert refused(lambda m: lists[field](m).pop())[f"setup.{field}"] == "WRONG_LENGTH"
    assert refused(lambda m: lists[field](m).append("red"))[f"setup.{field}"] == "WRONG_LENGTH"


def test_row_e_has_no_cubes_with_two_players() -> None:
    """A2."""
    two = GameRecord.new(T, 2, 1)
    assert len(two.to_proto().setup.row_cubes[4].ids) == 0
    assert refused(lambda m: m.setup.row_cubes[4].ids.extend(["red"] * 3), two)["setup.row_cubes[4]"] == "WRONG_LENGTH"
    assert (
        refused(lambda m: m.setup.site_cubes[4].ids.extend(["red"] * 2), two)["setup.site_cubes[4]"] == "WRONG_LENGTH"
    )


def test_a_cube_of_a_colour_too_many_is_laid_out() -> None:
    """With three players all 63 are, so that any other colour is one of 22."""
    record = GameRecord.new(T, 3, 1)
    other = "red" if record.to_proto().setup.pile_cubes[0] != "red" else "blue"
    with pytest.raises(InvalidRecord, match=f"setup: 22 {other} cubes; allowed: at most 21"):
        _read_with(record, lambda m: _set(m.setup.pile_cubes, 0, other))


def _read_with(record: GameRecord, change: Callable[[pb.GameRecord], object]) -> GameRecord:
    message = record.to_proto()
    change(message)
    return GameRecord.from_proto(message)


def test_an_observer_must_know_what_lies_open() -> None:
    watched = GameRecord.new(T, 3, 1).observe(1)
    assert refused(lambda m: _set(m.setup.clergy, 2, ""), watched) == {"setup.clergy[2]": "MISSING"}
    assert refused(lambda m: m.setup.red_decks[3].ids.__setitem__(0, ""), watched) == {
        "setup.red_decks[3].ids[0]": "MISSING"
    }


def test_actions_that_cannot_be_are_named_by_their_place() -> None:
    record = played(3, 1, most=5)
    spoilt = GameRecord(T, 3, record.setup, (*record.actions, RecordedAction("jump")))
    with pytest.raises(InvalidRecord) as caught:
        spoilt.replay()
    assert [(v.field, v.reason) for v in caught.value.violations] == [("actions[5]", "UNREADABLE_ACTION")]
    watched = record.observe(0)
    told = next(i for i, action in enumerate(watched.actions) if action.revealed)
    actions = [*watched.actions]
    actions[told] = RecordedAction(actions[told].text)
    with pytest.raises(InvalidRecord) as caught:
        GameRecord(T, 3, watched.setup, tuple(actions), observer=0).position()
    assert [(v.field, v.reason) for v in caught.value.violations] == [(f"actions[{told}].revealed", "WRONG_REVELATION")]


def test_append_refuses_and_extend_says_which() -> None:
    record = GameRecord.new(T, 3, 1)
    with pytest.raises(notation.IllegalActionText):
        record.append("take red-king-1")
    first = notation.action_text(T, record.replay().kind, (0, 0), record.replay().legal()[0])
    with pytest.raises(notation.UnreadableAction) as caught:
        record.extend([first, "jump"])
    assert caught.value.index == 1


def test_only_the_truth_replays_to_a_game() -> None:
    record = GameRecord.new(T, 3, 1)
    with pytest.raises(InvalidRecord, match="a record of the truth"):
        record.observe(1).replay()
    with pytest.raises(InvalidRecord, match="seat"):
        record.position()
    with pytest.raises(InvalidRecord, match="1, whose record this is"):
        record.observe(1).position(2)


@pytest.mark.parametrize("text", ["", "nope", "[" * 100_000, '{"players": "many"}'])
def test_unreadable_json_is_a_violation(text: str) -> None:
    with pytest.raises(InvalidRecord) as caught:
        GameRecord.from_json(text)
    assert [violation.field for violation in caught.value.violations] == ["json"]


@pytest.mark.parametrize("cut", [slice(0, -1), slice(1, None), slice(0, 40)])
def test_damaged_text_is_a_violation(cut: slice) -> None:
    with pytest.raises(InvalidRecord) as caught:
        GameRecord.from_text(GameRecord.new(T, 2, 1).to_text()[cut])
    assert [violation.field for violation in caught.value.violations] == ["text"]


def test_spoilt_set_ups_never_crash() -> None:
    rng = random.Random(3)
    words = [name for ids in T.ids.values() for name in ids] + ["", "gold", "brown"]
    sound = 0
    for seed in range(8):
        record = played(2 + seed % 3, seed, draft=seed % 3 == 1, most=12)
        source = record.observe(seed % 2).to_proto() if seed % 2 else record.to_proto()
        for _ in range(40):
            message = pb.GameRecord()
            message.CopyFrom(source)
            lists = [message.setup.decrees, message.setup.clergy, message.setup.purple, message.setup.starting_plans,
                     message.setup.scoring_tiles, message.setup.favors, message.setup.pile_cubes]  # fmt: skip
            for rows in (message.setup.hands, message.setup.plans, message.setup.buildings, message.setup.red_decks,
                         message.setup.brown_decks, message.setup.site_cubes, message.setup.row_cubes):  # fmt: skip
                lists += [row.ids for row in rows]
            items = rng.choice([found for found in lists if len(found)])
            items[rng.randrange(len(items))] = rng.choice(words)
            try:
                state = GameRecord.from_proto(message).start()
            except InvalidRecord as error:
                assert all(violation.field for violation in error.violations)  # noqa: PT017  the reason, not the error
                continue
            world = state if isinstance(state, core.Game) else state.sample_world(1)
            world.play_out(1)
            assert world.over
            sound += 1
    assert sound
