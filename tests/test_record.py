"""Records: the truth and what a seat saw of it, as JSON and as one line, replayed to the same game."""

import random

import pytest

from engine_ext import core
from lisboa_ai import edition, notation
from lisboa_ai.errors import InvalidRecord, UnknownEdition
from lisboa_ai.record import GameRecord, RecordedAction

TABLES = edition.load()


def played(
    seed: int, *, seats: int = 3, queen: bool = False, draft: bool = False
) -> tuple[GameRecord, GameRecord, core.Game]:
    """A random game: its record, the same with every step that resolves itself written down, and its end."""
    rng = random.Random(seed)
    start = GameRecord.new(TABLES, seats, seed, queen=queen, draft=draft)
    game = start.replay()
    short: list[str] = []
    full: list[str] = []
    while not game.over:
        argument = rng.choice(game.legal())
        text = notation.action_text(TABLES, game.kind, game.context, argument)
        game.apply(argument)
        short.append(text)
        full += [text, *(notation.action_text(TABLES, *step) for step in game.forced())]
    return start.extend(short), start.extend(full), game


GAMES = [(0, 2, False, False), (1, 3, False, True), (2, 4, True, False), (3, 2, True, True), (4, 4, False, True)]


@pytest.mark.parametrize(("seed", "seats", "queen", "draft"), GAMES)
def test_a_record_replays_to_the_same_game_and_survives_json_and_text(
    seed: int, seats: int, queen: bool, draft: bool
) -> None:
    record, _, game = played(seed, seats=seats, queen=queen, draft=draft)
    assert record.replay() == game
    assert GameRecord.from_json(record.to_json()) == record
    line = record.to_text()
    assert "\n" not in line
    assert GameRecord.from_text(line) == record


@pytest.mark.parametrize(("seed", "seats", "queen", "draft"), GAMES)
def test_an_observers_record_replays_to_what_that_seat_knows(seed: int, seats: int, queen: bool, draft: bool) -> None:
    record, full, game = played(seed, seats=seats, queen=queen, draft=draft)
    for seat in range(seats):
        mine = record.observe(seat)
        assert bytes(mine.position().observation) == bytes(game.observe(seat))
        assert full.observe(seat) == mine, "steps that resolve themselves are left out"
        for ply in (0, 20, len(mine.actions) // 2):
            assert bytes(mine.position(ply=ply).observation) == bytes(record.position(seat, ply=ply).observation)


def test_steps_that_resolve_themselves_are_accepted_when_written() -> None:
    _, full, game = played(5)
    assert full.replay() == game


def test_an_observers_record_holds_nothing_hidden() -> None:
    record, _, _ = played(6)
    mine = GameRecord.new(TABLES, 3, 6).observe(1).setup
    assert mine["hands"][0] == [core.UNKNOWN] * 5
    assert mine["hands"][1] == record.setup["hands"][1]
    assert mine["purple"] == [core.UNKNOWN] * 21
    assert mine["clergy"][:6] == [255, 255, *record.setup["clergy"][2:4], 255, 255]
    assert all(deck[1:] == [core.UNKNOWN] * 4 for deck in mine["decks"][0])


def test_what_was_revealed_stands_beside_the_action() -> None:
    start = GameRecord.new(TABLES, 2, 1)
    first = start.replay()
    tile = notation.action_text(TABLES, first.kind, first.context, first.legal()[0])
    seen = start.append(tile).observe(1)
    assert seen.actions[0] == RecordedAction(tile, "")
    second = start.append(tile)
    game = second.replay()
    second = second.append(notation.action_text(TABLES, game.kind, game.context, game.legal()[0]))
    church = second.replay().fields()["church"]
    assert second.observe(0).actions[1].revealed == " ".join(TABLES.id("clergy", t) for t in church)


def test_the_first_illegal_action_is_named_with_its_index() -> None:
    record = GameRecord.new(TABLES, 2, 1)
    with pytest.raises(notation.UnreadableAction) as caught:
        record.extend([record_text(record), "frobnicate"])
    assert caught.value.index == 1
    broken = GameRecord(TABLES, 2, record.setup, (RecordedAction("keep clergy-99"),))
    with pytest.raises(InvalidRecord) as invalid:
        broken.replay()
    assert invalid.value.violations[0].field == "actions[0]"


def record_text(record: GameRecord) -> str:
    game = record.replay()
    return notation.action_text(TABLES, game.kind, game.context, game.legal()[0])


def test_too_little_revealed_is_named() -> None:
    record, _, _ = played(7)
    mine = record.observe(0)
    i = next(i for i, action in enumerate(mine.actions) if action.text.startswith("take "))
    actions = list(mine.actions)
    actions[i] = RecordedAction(actions[i].text)
    with pytest.raises(InvalidRecord, match=rf"actions\[{i}\].revealed"):
        GameRecord(TABLES, 3, mine.setup, tuple(actions), observer=0).position()


def test_one_player_and_unknown_editions_are_refused() -> None:
    message = GameRecord.new(TABLES, 2, 1).to_proto()
    message.players = 1
    with pytest.raises(InvalidRecord, match="solo rules"):
        GameRecord.from_proto(message)
    message = GameRecord.new(TABLES, 2, 1).to_proto()
    message.edition.digest = "0" * 16
    with pytest.raises(UnknownEdition, match=TABLES.digest):
        GameRecord.from_proto(message)


def test_everything_wrong_with_a_set_up_is_named_at_once() -> None:
    message = GameRecord.new(TABLES, 2, 1).to_proto()
    message.setup.purple[3] = "purple-duke-1"
    message.setup.decrees[5] = message.setup.decrees[4]
    del message.setup.pile_cubes[:]
    message.setup.pile_cubes.append("green")
    with pytest.raises(InvalidRecord) as caught:
        GameRecord.from_proto(message)
    fields = [violation.field for violation in caught.value.violations]
    assert fields == ["setup.pile_cubes[0]", "setup.pile_cubes", "setup.purple[3]", "setup.decrees[5]"]


def test_a_damaged_line_is_named_as_such() -> None:
    line = GameRecord.new(TABLES, 2, 1).to_text()
    for damaged in (line[:-1] + ("0" if line[-1] != "0" else "1"), line[:100], "lisboa-record-9:abc", ""):
        with pytest.raises(InvalidRecord, match="text"):
            GameRecord.from_text(damaged)
