"""Whatever people and programs send: what is accepted can be searched and played, what is not is refused in words.

LISBOA_FUZZ_EXAMPLES sets the number of examples of each test: 120 here; thousands are for a run by hand, as in
``LISBOA_FUZZ_EXAMPLES=5000 pytest --timeout=0 tests/test_position_fuzz.py``. tests/fuzz holds a fuzzer for longer runs.
"""

from __future__ import annotations

import functools
import json
import os
from collections.abc import Callable
from typing import Any, TypeVar

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from spoil import (
    TABLES,
    WORDS,
    game_after,
    play_on,
    position_after,
    record_after,
    spoil,
    spoil_bytes,
    spoil_text,
)

from engine_ext import core
from lisboa_ai import notation
from lisboa_ai._text import pack
from lisboa_ai.edition import UnknownId
from lisboa_ai.position import TEXT_PREFIX, InvalidPosition, Position, UnknownEdition, Violation, validate
from lisboa_ai.record import TEXT_PREFIX as RECORD_PREFIX
from lisboa_ai.record import GameRecord, InvalidRecord

R = TypeVar("R")
BASES = 24
fuzz = settings(
    max_examples=int(os.environ.get("LISBOA_FUZZ_EXAMPLES", "120")),
    derandomize=True,
    database=None,
    deadline=None,
    phases=[Phase.generate, Phase.shrink],
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


@functools.cache
def position(seed: int) -> Position:
    return position_after(seed)


@functools.cache
def record(seed: int) -> GameRecord:
    return record_after(seed)


def picker(data: st.DataObject) -> Callable[[Any], Any]:
    return lambda items: data.draw(st.sampled_from(items))


def spoilt(data: st.DataObject, text: str) -> str:
    """A JSON text with one to four things changed."""
    tree = json.loads(text)
    for _ in range(data.draw(st.integers(1, 4))):
        spoil(tree, picker(data))
    return json.dumps(tree)


def attempt(read: Callable[[], R], *errors: type[Exception]) -> tuple[R | None, Exception | None]:
    """What was read, or which of the errors that may be came of it."""
    try:
        return read(), None
    except errors as error:
        return None, error


def in_words(error: Exception | None) -> list[Violation]:
    """The violations: each has a field, what is allowed, and a reason. An unknown edition has none."""
    if isinstance(error, UnknownEdition):
        return []
    assert isinstance(error, InvalidPosition | InvalidRecord)
    assert error.violations
    assert all(found.field and found.allowed and found.reason.isupper() for found in error.violations)
    return list(error.violations)


def replayed(kept: GameRecord) -> core.Game | core.Observation:
    return kept.replay() if kept.is_truth else kept.position().observation


@fuzz
@given(st.integers(0, BASES - 1), st.data())
def test_positions(seed: int, data: st.DataObject) -> None:
    text = spoilt(data, position(seed).to_json())
    found, error = attempt(lambda: Position.from_json(text), InvalidPosition, UnknownEdition)
    if found is None:
        wrong = in_words(error)
        assert isinstance(error, UnknownEdition) or validate(text) == wrong
    else:
        assert bytes(Position.from_json(found.to_json()).observation) == bytes(found.observation)
        play_on(found.observation, seed)


@fuzz
@given(st.integers(0, BASES - 1), st.data())
def test_records(seed: int, data: st.DataObject) -> None:
    text = spoilt(data, record(seed).to_json())
    state, error = attempt(lambda: replayed(GameRecord.from_json(text)), InvalidRecord, UnknownEdition)
    if state is None:
        in_words(error)
    else:
        found = GameRecord.from_json(text)
        assert GameRecord.from_json(found.to_json()) == found
        play_on(state, seed)


@fuzz
@given(st.integers(0, BASES - 1), st.booleans(), st.data())
def test_lines_of_text(seed: int, of_position: bool, data: st.DataObject) -> None:
    """A damaged line, or a sound line of damaged bytes."""
    sound: Position | GameRecord = position(seed) if of_position else record(seed)
    if data.draw(st.booleans()):
        line = spoil_text(sound.to_text(), picker(data))
    else:
        message = sound.to_proto().SerializeToString(deterministic=True)
        line = pack(TEXT_PREFIX if of_position else RECORD_PREFIX, spoil_bytes(message, picker(data)))

    def read() -> core.Game | core.Observation:
        return Position.from_text(line).observation if of_position else replayed(GameRecord.from_text(line))

    state, error = attempt(read, InvalidPosition, InvalidRecord, UnknownEdition)
    if state is None:
        in_words(error)
    else:
        play_on(state, seed)


@fuzz
@given(st.integers(0, BASES - 1), st.data())
def test_texts_of_actions(seed: int, data: st.DataObject) -> None:
    """A text is one of the legal actions, or an error that says what they are."""
    game = game_after(seed)
    texts = [notation.action_text(TABLES, game.kind, game.context, argument) for argument in game.legal()]
    text = data.draw(st.sampled_from(texts or ["none"]))
    for _ in range(data.draw(st.integers(1, 3))):
        text = spoil_text(text, picker(data))
    argument, error = attempt(lambda: notation.parse_action(TABLES, game, text), notation.ActionError)
    if argument is None:
        assert isinstance(error, notation.ActionError)
        assert error.text == text
        assert set(error.legal) <= set(texts)
    else:
        assert argument in game.legal()


@fuzz
@given(st.integers(0, BASES - 1), st.data())
def test_ids_of_what_was_revealed(seed: int, data: st.DataObject) -> None:
    text = " ".join(data.draw(st.lists(st.sampled_from(WORDS), max_size=4)))
    found, error = attempt(lambda: notation.read_revealed(TABLES, game_after(seed), text), ValueError)
    if found is None:
        assert isinstance(error, UnknownId) or str(error).startswith("revealed: ")
    else:
        assert len(found) == len(text.split())


@fuzz
@given(st.integers(0, BASES - 1), st.data())
def test_what_was_revealed_in_a_record(seed: int, data: st.DataObject) -> None:
    """An observer's record whose actions were changed is refused, or goes on with what was said."""
    tree = json.loads(record(seed | 1).to_json())
    spoil(tree.get("actions", []), picker(data))
    state, error = attempt(lambda: replayed(GameRecord.from_json(json.dumps(tree))), InvalidRecord)
    if state is None:
        in_words(error)
    else:
        assert not state.broken()
        play_on(state, seed)


@pytest.mark.parametrize("seed", range(BASES))
def test_the_unspoilt_ones_are_sound(seed: int) -> None:
    assert validate(position(seed).to_proto()) == []
    state = replayed(record(seed))
    assert not state.broken()
    assert isinstance(state, core.Observation) == bool(seed % 2)
