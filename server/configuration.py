"""Settings from a file, the environment and flags, each overruling the one before; the defaults come first.

    # lisboa.toml                       LISBOA_SERVE_PORT=50052            lisboa-ai serve --port 50053
    port = 50051                        LISBOA_SERVE_LIMITS_TIME=20        lisboa-ai serve --limits-time 10
    [limits]
    time = 30.0

Every setting has the same name everywhere, with dots, underscores or dashes. A name that is none of them is an error.
In a file, what may be missing is written ``"none"``; in the environment and in flags, lists are separated by commas.
"""

from __future__ import annotations

import dataclasses
import json
import tomllib
import types
import typing
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from .settings import Limits, Settings, SettingsError, Tls

__all__ = ["CONFIG_VARIABLE", "PREFIX", "SETTINGS", "Configured", "Setting", "configured"]

PREFIX: Final = "LISBOA_SERVE_"
CONFIG_VARIABLE: Final = PREFIX + "CONFIG"
"""The variable that names the file, if no flag does."""
NONE: Final = "none"
GROUPS: Final[Mapping[str, type]] = {"limits": Limits, "tls": Tls}
_TRUTH: Final = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}
_WORDS: Final = {
    bool: "true or false",
    int: "a whole number",
    float: "a number",
    str: "a text",
    tuple: "a list of texts",
}


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting: its name with a dot after the group, its type, whether it may be missing, and what it is for."""

    name: str
    kind: type
    optional: bool
    says: str

    @property
    def variable(self) -> str:
        """The environment variable."""
        return PREFIX + self.name.replace(".", "_").upper()

    @property
    def flag(self) -> str:
        """The flag of the command line."""
        return "--" + self.name.replace(".", "-").replace("_", "-")

    @property
    def allowed(self) -> str:
        """What may stand there, in words."""
        return _WORDS[self.kind] + (f", or {NONE}" if self.optional else "")

    def from_toml(self, value: object) -> Any:
        """The value in a file. Raises ValueError if it is of another type."""
        if self.optional and value == NONE:
            return None
        if self.kind is tuple and isinstance(value, list) and all(isinstance(one, str) for one in value):
            return tuple(value)
        if self.kind is float and type(value) is int:
            return float(value)
        if type(value) is self.kind and self.kind is not tuple:
            return value
        raise ValueError

    def from_text(self, text: str) -> Any:
        """The value in the environment or a flag. Raises ValueError if the text says something else."""
        if self.optional and text == NONE:
            return None
        if self.kind is bool:
            if text.lower() not in _TRUTH:
                raise ValueError
            return _TRUTH[text.lower()]
        if self.kind is tuple:
            return tuple(part.strip() for part in text.split(",") if part.strip())
        return self.kind(text)


def _settings(owner: type, prefix: str = "") -> Iterator[Setting]:
    hints = typing.get_type_hints(owner)
    for one in dataclasses.fields(owner):
        if one.name in GROUPS:
            yield from _settings(GROUPS[one.name], f"{one.name}.")
            continue
        hint = hints[one.name]
        optional = isinstance(hint, types.UnionType)
        if optional:
            hint = next(part for part in typing.get_args(hint) if part is not type(None))
        yield Setting(prefix + one.name, typing.get_origin(hint) or hint, optional, one.metadata["says"])


SETTINGS: Final[Mapping[str, Setting]] = {one.name: one for one in _settings(Settings)}
_BY_VARIABLE: Final = {one.variable: one for one in SETTINGS.values()}


@dataclass(frozen=True, slots=True)
class Configured:
    """The settings, and for each that is not a default, where it comes from."""

    settings: Settings
    sources: Mapping[str, str]

    def to_toml(self) -> str:
        """A configuration file that says the same, with a comment for each setting. Holds no secrets: only paths."""
        lines: list[str] = []
        group = ""
        for one in SETTINGS.values():
            head, _, last = one.name.rpartition(".")
            if head != group:
                lines += ["", f"[{head}]"]
                group = head
            owner = getattr(self.settings, head) if head else self.settings
            source = self.sources.get(one.name, "default")
            lines += [f"# {one.says}", f"{last} = {_toml(getattr(owner, last))}  # {source}"]
        return "\n".join(lines) + "\n"


def _toml(value: object) -> str:
    # JSON's texts, numbers, truth values and lists are TOML's too.
    return json.dumps(NONE if value is None else value, ensure_ascii=False).replace("\x7f", "\\u007f")


def configured(environment: Mapping[str, str], flags: Mapping[str, str], file: str | None = None) -> Configured:
    """The settings by file, environment and flags (by setting name, values as text).

    Raises SettingsError for a name that is none, a value of another type, or one that is not allowed.
    """
    values: dict[str, Any] = {}
    sources: dict[str, str] = {}

    def take(found: Iterator[tuple[Setting, Any, str]]) -> None:
        for one, value, source in found:
            values[one.name], sources[one.name] = value, source

    path = environment.get(CONFIG_VARIABLE) if file is None else file
    if path is not None:
        take(_from_file(path))
    take(_from_environment(environment))
    take((SETTINGS[name], _read(SETTINGS[name].flag, SETTINGS[name], text), "flag") for name, text in flags.items())
    groups = {name: kind(**_part(values, f"{name}.")) for name, kind in GROUPS.items()}
    return Configured(Settings(**_part(values, ""), **groups), sources)


def _part(values: Mapping[str, Any], prefix: str) -> dict[str, Any]:
    rest = {name.removeprefix(prefix): value for name, value in values.items() if name.startswith(prefix)}
    return {name: value for name, value in rest.items() if "." not in name}


def _read(where: str, one: Setting, text: str) -> Any:
    try:
        return one.from_text(text)
    except ValueError:
        raise SettingsError(f"{where}: {text!r}; allowed: {one.allowed}") from None


def _from_environment(environment: Mapping[str, str]) -> Iterator[tuple[Setting, Any, str]]:
    for variable, text in environment.items():
        if not variable.startswith(PREFIX) or variable == CONFIG_VARIABLE:
            continue
        if variable not in _BY_VARIABLE:
            raise SettingsError(f"{variable}: no such setting; allowed: {', '.join([CONFIG_VARIABLE, *_BY_VARIABLE])}")
        yield _BY_VARIABLE[variable], _read(variable, _BY_VARIABLE[variable], text), variable


def _from_file(path: str) -> Iterator[tuple[Setting, Any, str]]:
    try:
        table = tomllib.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise SettingsError(f"config: {path}: {error.strerror}; allowed: a TOML file") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SettingsError(f"config: {path}: {error}; allowed: a TOML file") from None
    for name, value in _flat(path, table):
        if name not in SETTINGS:
            beside = name.rpartition(".")[0]
            known = [known for known in SETTINGS if known.rpartition(".")[0] == beside]
            raise SettingsError(f"{path}: {name}: no such setting; allowed: {', '.join(known or SETTINGS)}")
        one = SETTINGS[name]
        try:
            yield one, one.from_toml(value), path
        except ValueError:
            raise SettingsError(f"{path}: {name}: {value!r}; allowed: {one.allowed}") from None


def _flat(path: str, table: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    for name, value in table.items():
        if name not in GROUPS:
            yield name, value
        elif isinstance(value, dict):
            yield from ((f"{name}.{inner}", one) for inner, one in value.items())
        else:
            raise SettingsError(f"{path}: {name}: {value!r}; allowed: a table [{name}]")
