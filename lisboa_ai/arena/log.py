"""The log of a match: one JSON object a line, the match itself first and then one for each game, in any order.

Every line carries the match's digest. A line that was cut off when the program was killed is taken off; nothing else
that is wrong is passed over.
"""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

from .match import GameResult, Match

__all__ = ["GameLog", "read_games"]


def read_games(path: Path) -> tuple[dict[str, Any], list[GameResult]]:
    """The settings of the match that a log belongs to, and its games. Raises ``ValueError``."""
    settings: dict[str, Any] = {}
    digest = ""
    games: dict[tuple[int, int], GameResult] = {}
    for number, line in enumerate(_whole(path).decode("utf-8").splitlines(), start=1):
        where = f"log: {path}, line {number}"
        try:
            found = json.loads(line)
            if number == 1:
                digest, settings = found["match"], found["settings"]
                continue
            if found.pop("match") != digest:
                raise ValueError(f"{where}: of another match; allowed: {digest}")
            result = _result(found)
        except (json.JSONDecodeError, KeyError, TypeError, AttributeError):
            raise ValueError(f"{where}: {line[:60]!r}; allowed: a line of an arena log") from None
        games[result.block, result.game] = result
    return settings, list(games.values())


def _whole(path: Path) -> bytes:
    """The complete lines of a file."""
    data = path.read_bytes()
    return data[: data.rfind(b"\n") + 1]


def _result(found: dict[str, Any]) -> GameResult:
    values: dict[str, Any] = {name: tuple(value) if isinstance(value, list) else value for name, value in found.items()}
    return GameResult(**values)


class GameLog:
    """A log being written: opening it reads the games that are there already. Raises ``ValueError``."""

    def __init__(self, path: Path, match: Match) -> None:
        self.path = path
        self.digest = match.digest()
        self.games: list[GameResult] = []
        whole = _whole(path) if path.exists() else b""
        if whole:
            settings, self.games = read_games(path)
            if settings != match.settings():
                raise ValueError(
                    f"log: {path} is of another match ({_difference(settings, match.settings())}); "
                    "allowed: a log of this match, or a new file"
                )
        self.file = path.open("ab")
        self.file.truncate(len(whole))
        if not whole:
            self._write({"match": self.digest, "settings": match.settings()})

    def add(self, result: GameResult) -> None:
        """Write a game down, at once."""
        self._write({"match": self.digest, **asdict(result)})

    def _write(self, line: dict[str, Any]) -> None:
        self.file.write(json.dumps(line, separators=(",", ":")).encode() + b"\n")
        self.file.flush()

    def close(self) -> None:
        self.file.close()


def _difference(found: dict[str, Any], wanted: dict[str, Any]) -> str:
    """The first setting in which two matches differ."""
    there, here = _flat(found), _flat(wanted)
    for name in (*here, *there):
        if there.get(name) != here.get(name):
            return f"{name}: {there.get(name)} there, {here.get(name)} here"
    return "its lines carry another digest"


def _flat(settings: dict[str, Any], prefix: str = "") -> dict[str, Any]:
    flat: dict[str, Any] = {}
    for name, value in settings.items():
        flat.update(_flat(value, f"{prefix}{name}.") if isinstance(value, dict) else {f"{prefix}{name}": value})
    return flat
