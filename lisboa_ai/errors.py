"""Errors of input that people and programs send: each names the field, the value and what was allowed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

__all__ = ["InvalidPosition", "InvalidRecord", "UnknownEdition", "Violation"]


@dataclass(frozen=True, slots=True)
class Violation:
    """One thing that is wrong: where, what stands there, what was allowed, and a reason in UPPER_SNAKE."""

    field: str
    value: str
    allowed: str
    reason: str

    def __str__(self) -> str:
        value = f" {self.value}" if self.value else ""
        return f"{self.field}:{value}; allowed: {self.allowed}"


class _Invalid(ValueError):
    def __init__(self, violations: Iterable[Violation]) -> None:
        self.violations: tuple[Violation, ...] = tuple(violations)
        super().__init__("; ".join(map(str, self.violations)))


class InvalidPosition(_Invalid):
    """A position that cannot be; ``violations`` holds everything that is wrong with it."""


class InvalidRecord(_Invalid):
    """A record that cannot be; ``violations`` holds what is wrong with it."""


class UnknownEdition(ValueError):
    """An edition name or hash that is not at hand."""

    def __init__(self, name: str, digest: str, known: Sequence[tuple[str, str]]) -> None:
        allowed = ", ".join(f"{n} {d}" for n, d in known)
        super().__init__(f"edition: {name or '(no name)'} {digest or '(no hash)'}; allowed: {allowed}")
        self.name = name
        self.digest = digest
        self.known = tuple(known)
