"""Fuzzes everything that reads what people and programs send, with atheris (libFuzzer for Python).

atheris is no dependency of the project; give it a virtual environment that also has the project's:

    python -m pip install atheris
    PYTHONPATH=build/checked:.:tests PYTHONSAFEPATH=1 python tests/fuzz/parsers.py position -max_total_time=120

The target is one of position, record, action, edition; what follows goes to libFuzzer. Seeds are made in
build/fuzz/TARGET, and what was found interesting is added there. Whatever is accepted is searched and played to the
end; whatever is not must be refused with the package's own errors. Anything else ends the run, and the input that did
it is left in a file crash-*, for which ``parsers.py TARGET crash-*`` runs just that input.
"""

from __future__ import annotations

import contextlib
import functools
import json
import os
import random
import re
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["lisboa_ai"]):
    from lisboa_ai import edition, notation
    from lisboa_ai._text import pack
    from lisboa_ai.position import TEXT_PREFIX, InvalidPosition, Position, UnknownEdition
    from lisboa_ai.record import TEXT_PREFIX as RECORD_PREFIX
    from lisboa_ai.record import GameRecord, InvalidRecord

from spoil import TABLES, game_after, play_on, position_after, record_after, spoil, spoil_bytes

from engine_ext import core

SEEDS = 12
JSON, TEXT, LINE = b"jtl"
"""The first byte of an input: JSON, a line of text as it is, or bytes to be packed into a sound line."""
REFUSED = (InvalidPosition, InvalidRecord, UnknownEdition)


def read_position(data: bytes) -> None:
    _read(data, Position.from_json, Position.from_text, TEXT_PREFIX)


def read_record(data: bytes) -> None:
    _read(data, GameRecord.from_json, GameRecord.from_text, RECORD_PREFIX)


def _read(
    data: bytes,
    from_json: Callable[[str], Position | GameRecord],
    from_text: Callable[[str], Position | GameRecord],
    prefix: str,
) -> None:
    how, rest = data[:1] or b"t", data[1:]
    with contextlib.suppress(*REFUSED):
        if how[0] == LINE:
            found = from_text(pack(prefix, rest))
        else:
            text = rest.decode("utf-8", "surrogateescape")
            found = from_json(text) if how[0] == JSON else from_text(text)
        play_on(_state(found), len(data))


def _state(found: Position | GameRecord) -> core.Game | core.Observation:
    if isinstance(found, Position):
        return found.observation
    return found.replay() if found.is_truth else found.position().observation


@functools.cache
def _game(seed: int) -> core.Game:
    return game_after(seed)


def read_action(data: bytes) -> None:
    """A text for the pending decision of one of some games, then what it revealed."""
    game = _game(data[0] % SEEDS if data else 0)
    text, _, revealed = data[1:].decode("utf-8", "surrogateescape").partition("!")
    with contextlib.suppress(notation.ActionError):
        assert notation.parse_action(TABLES, game, text) in game.legal()
    seen = game.observe(max(0, game.seat))
    with contextlib.suppress(notation.ActionError, ValueError):
        argument = notation.parse_action(TABLES, seen, text)
        seen.apply(argument, notation.read_revealed(TABLES, seen, revealed))
        assert not seen.broken()


@functools.cache
def _edition() -> Path:
    folder = Path(tempfile.mkdtemp(prefix="lisboa-fuzz-"))
    edition.export(folder)
    return folder


def read_edition(data: bytes) -> None:
    """One file of an edition, by the first byte; the others are the bundled ones."""
    folder = _edition()
    files = sorted(path.name for path in folder.iterdir())
    file = folder / files[data[0] % len(files) if data else 0]
    sound = file.read_bytes()
    file.write_bytes(data[1:])
    try:
        problems = edition.check(folder)
        tables = None if problems else edition.load(folder)
    finally:
        file.write_bytes(sound)
    if tables is None:
        assert all(str(problem) for problem in problems)
        return
    play_on(core.Game.deal(tables.engine, 2 + len(data) % 3, 1), len(data))


TARGETS = {"position": read_position, "record": read_record, "action": read_action, "edition": read_edition}


def seeds(target: str) -> list[bytes]:
    """Sound inputs to start from."""
    found = []
    if target == "edition":
        files = sorted(edition.folder_of("house").glob("*.toml"))
        return [bytes([i]) + file.read_bytes() for i, file in enumerate(files)]
    for seed in range(SEEDS):
        if target == "action":
            game = _game(seed)
            texts = [notation.action_text(TABLES, game.kind, game.context, argument) for argument in game.legal()]
            found += [bytes([seed]) + text.encode() + b"!red-king-3 decree-4" for text in texts[:3]]
            continue
        sound: Position | GameRecord = position_after(seed) if target == "position" else record_after(seed)
        found.append(b"j" + sound.to_json().encode())
        found.append(b"t" + sound.to_text().encode())
        found.append(b"l" + sound.to_proto().SerializeToString(deterministic=True))
    return found


def exchanged(data: bytes, rng: random.Random) -> bytes:
    """A TOML file with a few of its words, numbers and signs replaced by others of its own."""
    parts = re.findall(rb"\w+|\W", data[1:])
    for _ in range(rng.choice((1, 1, 2, 3))):
        i = rng.randrange(len(parts))
        parts[i] = rng.choice([part for part in parts if part[:1].isalnum() == parts[i][:1].isalnum()])
    return data[:1] + b"".join(parts)


def mutate(data: bytes, max_size: int, seed: int) -> bytes:
    """Mostly a change that keeps to the form of the input, which random bytes would seldom get past the reader."""
    rng = random.Random(seed)
    if sys.argv[1] == "edition" and len(data) > 1 and rng.random() < 0.8:
        return exchanged(data, rng)[:max_size]
    if data[:1] == b"j" and rng.random() < 0.8:
        with contextlib.suppress(ValueError, RecursionError):
            tree = json.loads(data[1:])
            for _ in range(rng.choice((1, 1, 2, 3))):
                spoil(tree, rng.choice)
            changed = b"j" + json.dumps(tree).encode()
            if len(changed) <= max_size:
                return changed
    if data[:1] == b"l" and len(data) > 2 and rng.random() < 0.5:
        return b"l" + spoil_bytes(data[1:], rng.choice)
    return bytes(atheris.Mutate(data, max_size))


def main() -> None:
    target, options = sys.argv[1], sys.argv[2:]
    folder = Path("build") / "fuzz" / target
    if not any(Path(option).is_file() for option in options):
        folder.mkdir(parents=True, exist_ok=True)
        for i, data in enumerate(seeds(target)):
            (folder / f"seed-{i:02}").write_bytes(data)
        options.append(os.fspath(folder))
    arguments = [
        sys.argv[0],
        "-max_len=32768",
        "-timeout=60",
        "-keep_seed=1",
        "-reduce_inputs=0",
        "-len_control=0",
        *options,
    ]
    atheris.Setup(arguments, TARGETS[target], custom_mutator=mutate)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
