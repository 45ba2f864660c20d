"""Positions: round trips that lose nothing, every violation named at once by its field, advancing, damaged text."""

from __future__ import annotations

import json
import random
import re
from typing import Any

import positions
import pytest
from faults import broken, put, quiet, seen
from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message
from positions import MAIA, Table

from engine_ext import core
from lisboa.v1 import position_pb2 as pb
from lisboa_ai import edition, notation
from lisboa_ai._agenda import DECISIONS, MAX_DEPTH
from lisboa_ai._text import pack
from lisboa_ai.edition import UnknownId
from lisboa_ai.notation import IllegalActionText
from lisboa_ai.position import (
    TEXT_PREFIX,
    InvalidPosition,
    Position,
    UnknownEdition,
    Violation,
    meanings,
    template,
    validate,
)

T = positions.TABLES
n = positions.number


def random_position(seed: int) -> Position:
    rng = random.Random(seed)
    seats = 2 + seed % 3
    game = core.Game.deal(positions.ENGINE, seats, seed, queen=seed % 4 == 0, draft=seed % 5 == 1)
    for _ in range(rng.randrange(320)):
        if game.over:
            break
        game.apply(rng.choice(game.legal()))
    return seen(game, rng.randrange(seats))


# --- round trips ------------------------------------------------------------------------------------------------------


def test_every_observation_of_a_game_comes_back_byte_for_byte() -> None:
    for seed in range(4):
        rng = random.Random(seed)
        seats = 2 + seed % 3
        game = core.Game.deal(positions.ENGINE, seats, seed, queen=seed == 0, draft=seed % 2 == 1)
        while not game.over:
            if rng.random() < 0.1:
                position = seen(game, rng.randrange(seats))
                as_json, as_text = position.to_json(), position.to_text()
                assert bytes(Position.from_json(as_json).observation) == bytes(position.observation)
                assert bytes(Position.from_text(as_text).observation) == bytes(position.observation)
                assert Position.from_text(as_text).to_text() == as_text
            game.apply(rng.choice(game.legal()))
        last = seen(game)
        assert bytes(Position.from_json(last.to_json()).observation) == bytes(last.observation)


def test_text_is_one_url_safe_line_with_a_version() -> None:
    line = seen(Table(3).game()).to_text()
    assert re.fullmatch(r"lisboa-position-1:[A-Za-z0-9_-]+\.[0-9a-f]{8}", line)


def test_json_is_what_a_person_would_write() -> None:
    written = json.loads(Position.from_proto(quiet()).to_json())
    assert written["edition"] == {"name": "house", "digest": T.digest}
    hand = ["blue-maia-1", "blue-maia-2", "blue-marquis-1", "blue-marquis-2", "blue-king-1"]
    assert written["boards"][0]["hand"] == hand
    assert written["boards"][1]["hiddenBlue"] == 5
    assert "hand" not in written["boards"][1]
    assert written["boards"][0]["goods"] == {"gold": 1, "cloth": 1, "books": 1, "tools": 1}
    assert written["boards"][0]["wigs"] == {"start": 5}
    assert written["agenda"][-1] == {"kind": "play_card"}
    assert written["tracks"]["treasury"] == 3


def test_order_that_means_nothing_does_not_matter() -> None:
    message = quiet()
    before = bytes(Position.from_proto(message).observation)
    for items in (message.boards[0].hand, message.decrees, message.city.tiles_on_display):
        backwards = list(items)[::-1]
        del items[:]
        items.extend(backwards)
    assert bytes(Position.from_proto(message).observation) == before


# --- violations -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "value", "reason"),
    [
        ("players", 5, "OUT_OF_RANGE"),
        ("observer", 3, "OUT_OF_RANGE"),
        ("period", 3, "OUT_OF_RANGE"),
        ("active", 1, "DOES_NOT_FIT"),
        ("turn", 101, "OUT_OF_RANGE"),
        ("last_turn", 5, "OUT_OF_RANGE"),
        ("trigger", 3, "OUT_OF_RANGE"),
        ("purple_dealt", 3, "OUT_OF_RANGE"),
        ("setting_up", True, "DOES_NOT_FIT"),
        ("played", "blue-king-9", "UNKNOWN_ID"),
        ("played", "blue-marquis-5", "DOES_NOT_FIT"),
        ("tracks.treasury", 9, "OUT_OF_RANGE"),
        ("tracks.cardinal", 6, "OUT_OF_RANGE"),
        ("boards[1].influence", 11, "OUT_OF_RANGE"),
        ("boards[1].markers", 1, "OUT_OF_RANGE"),
        ("decrees[2]", "decree-71", "UNKNOWN_ID"),
        ("church.tiles[0]", "clergy-38", "UNKNOWN_ID"),
        ("church.tiles[0]", "", "MISSING"),
        ("agenda[0].kind", "knitting", "UNKNOWN_WORD"),
        ("agenda[3].seat", 1, "DOES_NOT_FIT"),
        ("agenda[3].kind", "take_card", "DOES_NOT_FIT"),
        ("decks[1].face_up", "", "MISSING"),
        ("city.scoring_tiles[0]", "scoring-9", "UNKNOWN_ID"),
    ],
)
def test_one_broken_value_is_named_by_its_field(path: str, value: object, reason: str) -> None:
    found = broken(put(path, value))
    field = {"church.tiles[0]": "church.tiles"}.get(path, path) if reason == "MISSING" else path
    assert found[field].reason == reason
    assert found[field].allowed


def test_all_violations_come_at_once() -> None:
    def change(message: Any) -> None:
        message.boards[0].influence = 12
        message.boards[2].cubes.red = 6
        message.city.pile.blue = 22
        message.decrees[7] = "decree-0"
        message.tracks.treasury = 0

    assert list(broken(change)) == [
        "tracks.treasury", "city.pile.blue", "boards[0].influence", "boards[2].cubes.red", "decrees[7]",
    ]  # fmt: skip


def test_a_violation_says_field_value_and_what_is_allowed() -> None:
    assert (
        str(broken(put("boards[0].influence", 11))["boards[0].influence"])
        == "boards[0].influence: 11; allowed: 0 to 10"
    )


def test_the_observer_knows_the_own_hand() -> None:
    def change(message: Any) -> None:
        del message.boards[0].hand[0]
        message.boards[0].hidden_blue = 1

    assert broken(change)["boards[0].hidden_blue"].allowed == "0: the observer sees this hand"


def test_a_store_needs_an_owner_or_a_house_to_come() -> None:
    found = broken(lambda m: m.city.stores.add(land="land-C3", business="cloth"))
    assert found["city.stores"].value == "land-C3"


def test_an_edition_that_is_handed_over_is_known() -> None:
    assert Position.from_proto(quiet(), [edition.load()]).tables is edition.load()


# --- the agenda -------------------------------------------------------------------------------------------------------


def test_an_empty_agenda() -> None:
    assert broken(lambda m: m.ClearField("agenda"))["agenda"].reason == "WRONG_LENGTH"


def test_an_agenda_without_a_decision_on_top() -> None:
    def change(message: Any) -> None:
        del message.agenda[-1]
        message.agenda.add(kind="follow_window", seat=0, a=MAIA, b=1)

    assert broken(change)["agenda[3].kind"].reason == "NOT_A_DECISION"


def test_an_agenda_deeper_than_games_go() -> None:
    found = broken(lambda m: m.agenda.extend([m.agenda[-1]] * MAX_DEPTH))
    assert found["agenda"].allowed == f"1 to {MAX_DEPTH}"


def test_a_decision_without_a_legal_action() -> None:
    def change(message: Any) -> None:
        message.agenda[-1].kind = "rubble_cube"
        message.agenda[-1].a = 1
        message.city.gone.brown += message.city.pile.brown
        message.city.gone.red += message.city.pile.red
        message.city.gone.blue += message.city.pile.blue
        message.city.pile.Clear()
        message.cards_gone.append(message.boards[0].hand.pop())

    assert broken(change)["agenda[3]"].reason == "NO_LEGAL_ACTION"


def test_the_store_under_way_is_the_agendas() -> None:
    game = positions.apply(Table(3).set(0, reis=30).game(), 256 + n("blue-maia-1"))
    positions.apply(game, core.STOP, positions.frontage("land-C3", 1))
    while core.KINDS[game.kind] != "store_cube":
        game.apply(game.legal()[0])
    message = seen(game).to_proto()
    frame = len(message.agenda) - 1
    assert [f.kind for f in message.agenda[frame - 2 :]] == ["store_house", "land_price", "store_cube"]
    found = broken(put(f"agenda[{frame}].a", n("land-B1")), message)
    assert found[f"agenda[{frame}].a"].allowed == f"{n('land-C3')}, as in the frame below"


def test_decisions_are_the_kinds_that_have_answers() -> None:
    assert set(core.KINDS) >= DECISIONS
    assert len(DECISIONS) == 40


# --- whatever a person types ------------------------------------------------------------------------------------------


def _spots(message: Message, out: list[tuple[Message, FieldDescriptor]]) -> list[tuple[Message, FieldDescriptor]]:
    for field in message.DESCRIPTOR.fields:
        out.append((message, field))
        if field.message_type is None or field.message_type.GetOptions().map_entry:
            continue
        value = getattr(message, field.name)
        for part in value if field.is_repeated else [value] if message.HasField(field.name) else []:
            _spots(part, out)
    return out


WORDS = [*(name for ids in T.ids.values() for name in ids), *core.KINDS, "gold", "green", "", "nonsense"]
NUMBERS = [0, 1, 2, 3, 4, 5, 7, 13, 37, 81, 119, 255, 999, 2**31 - 1]


def _spoil(message: pb.Position, rng: random.Random) -> None:
    part, field = rng.choice(_spots(message, []))
    value = getattr(part, field.name)
    if field.message_type is not None and field.message_type.GetOptions().map_entry:
        value[rng.choice(core.CATEGORIES)] = rng.choice(NUMBERS)
    elif field.is_repeated:
        if len(value) and rng.random() < 0.7:
            i = rng.randrange(len(value))
            if field.message_type is not None:
                if rng.random() < 0.5:
                    del value[i]
                else:
                    value.add().CopyFrom(value[i])
            else:
                value[i] = rng.choice(WORDS if field.type == field.TYPE_STRING else NUMBERS[:5])
        elif field.message_type is not None:
            value.add()
        else:
            value.append(rng.choice(WORDS if field.type == field.TYPE_STRING else NUMBERS[:5]))
    elif field.message_type is not None:
        part.ClearField(field.name)
    elif field.type == field.TYPE_STRING:
        setattr(part, field.name, rng.choice(WORDS))
    elif field.type == field.TYPE_BOOL:
        setattr(part, field.name, not value)
    else:
        setattr(part, field.name, max(0, rng.choice([value + 1, value - 1, *NUMBERS])))


def test_whatever_validates_can_be_played_and_whatever_does_not_says_why() -> None:
    valid = 0
    refused: list[Violation] = []
    for seed in range(60):
        sound = random_position(seed).to_proto()
        for k in range(12):
            message = pb.Position()
            message.CopyFrom(sound)
            rng = random.Random(1000 * seed + k)
            for _ in range(rng.choice([1, 1, 2])):
                _spoil(message, rng)
            try:
                position = Position.from_proto(message)
            except InvalidPosition as error:
                refused += error.violations
                continue
            except UnknownEdition:
                continue
            valid += 1
            if not position.observation.over:
                assert position.observation.legal()
                world = position.observation.sample_world(5)
                world.play_out(5)
                assert world.over
    assert valid > 60
    assert all(violation.field and violation.allowed and violation.reason for violation in refused)


# --- advancing, template, damaged text --------------------------------------------------------------------------------


def test_advance_follows_the_game() -> None:
    game = core.Game.deal(positions.ENGINE, 3, 11)
    rng = random.Random(11)
    position = seen(game, 1)
    for _ in range(150):
        argument = rng.choice(game.legal())
        text = notation.action_text(T, game.kind, game.context, argument)
        game.apply(argument)
        position = position.advance(text, notation.revealed_text(T, game.revealed(1)))
        assert bytes(position.observation) == bytes(game.observe(1))


def test_advance_refuses_and_changes_nothing() -> None:
    position = Position.from_proto(quiet())
    before = bytes(position.observation)
    with pytest.raises(IllegalActionText):
        position.advance("court red-king-2")
    with pytest.raises(UnknownId):
        position.advance("gold blue-maia-1", "red-king-77")
    with pytest.raises(ValueError, match="revealed"):
        position.advance("gold blue-maia-1", quiet().decrees[0])
    assert bytes(position.observation) == before


@pytest.mark.parametrize("players", [2, 3, 4])
def test_template_is_a_sound_position_at_the_first_turn(players: int) -> None:
    for observer in range(players):
        position = template(T, players, observer)
        assert validate(position.to_proto()) == []
        assert core.KINDS[position.observation.kind] == "play_card"
        assert position.observation.observer == observer


def test_meanings_cover_every_field() -> None:
    told = meanings()
    assert told["boards[].docks[].cargo"] == "Goods under the ship."
    assert told["tracks.treasury"] == "Space of the treasury marker, from 1."
    assert all(told.values())

    def paths(value: object, prefix: str = "") -> set[str]:
        if isinstance(value, dict) and not prefix.endswith("wigs"):
            return {p for key, part in value.items() for p in paths(part, f"{prefix}.{key}" if prefix else key)} | {
                prefix
            }
        if isinstance(value, list):
            return {p for part in value for p in paths(part, f"{prefix}[]")} | {f"{prefix}[]"}
        return {prefix}

    written = {p for seed in range(20) for p in paths(json.loads(random_position(seed).to_json())) if p}
    assert written <= set(told)


@pytest.mark.parametrize(
    "line",
    [
        "",
        "lisboa-position-2:abc.00000000",
        "lisboa-position-1:",
        "lisboa-position-1:é.00000000",
        "lisboa-position-1:AAAA.00000000",
        pack(TEXT_PREFIX, b"\xff\xff"),
        template(T, 2).to_text()[:-1] + "x",
        template(T, 2).to_text()[:-40],
    ],
)
def test_damaged_text_is_a_violation(line: str) -> None:
    with pytest.raises(InvalidPosition) as caught:
        Position.from_text(line)
    assert [violation.field for violation in caught.value.violations] == ["text"]


@pytest.mark.parametrize(
    "text", ["", "nope", '{"players": "many"}', '{"colour": 1}', "[" * 100_000, '{"played": "\\ud800"}']
)
def test_unreadable_json_is_a_violation(text: str) -> None:
    assert [violation.field for violation in validate(text)] == ["json"]
