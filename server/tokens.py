"""Who may call what: a file of tokens, each with a name and a role.

A line of the file is ``NAME ROLE sha256:HEX``; ``#`` begins a comment. Only the hash of a token stands there, and a
token is 256 random bits, so the file gives nothing away. With every call a client sends
``authorization: Bearer TOKEN``.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

__all__ = ["ADMIN", "ADVISE", "ROLES", "TokenError", "Tokens", "Who", "fresh_token"]

Role = Literal["advise", "admin"]
ADVISE: Final[Role] = "advise"
"""May call everything but what is for admins."""
ADMIN: Final[Role] = "admin"
"""May call everything."""
ROLES: Final = (ADVISE, ADMIN)
SCHEME: Final = "sha256:"
BYTES: Final = 32
_NAME: Final = re.compile(r"[A-Za-z0-9._@-]{1,64}")


class TokenError(ValueError):
    """A line of the file, or a name or role, that cannot be used. Never holds a token or its hash."""


@dataclass(frozen=True, slots=True)
class Who:
    """Whom a token belongs to."""

    name: str
    role: Role


def _who(name: str, role: str) -> Who:
    if not _NAME.fullmatch(name):
        raise TokenError(f"name: {name[:64]!r}; allowed: 1 to 64 letters, digits and . _ @ -")
    if role not in ROLES:
        raise TokenError(f"role: {role[:64]!r}; allowed: {', '.join(ROLES)}")
    return Who(name, role)


def fresh_token(name: str, role: str) -> tuple[str, str]:
    """A new random token, and its line for the file. Raises TokenError."""
    who = _who(name, role)
    token = secrets.token_urlsafe(BYTES)
    return token, f"{who.name} {who.role} {SCHEME}{_digest(token).hex()}"


def _digest(token: str) -> bytes:
    return hashlib.sha256(token.encode()).digest()


class Tokens:
    """The tokens of a file, as it was read."""

    def __init__(self, known: Mapping[bytes, Who]) -> None:
        self._known = dict(known)

    def __len__(self) -> int:
        return len(self._known)

    @classmethod
    def read(cls, path: Path) -> Tokens:
        """The tokens of this file. Raises OSError, or TokenError naming the line."""
        known: dict[bytes, Who] = {}
        names: set[str] = set()
        for number, line in enumerate(path.read_text(encoding="utf-8", errors="replace").splitlines(), start=1):
            parts = line.partition("#")[0].split()
            if not parts:
                continue
            try:
                if len(parts) != 3:
                    raise TokenError(f"{len(parts)} words; allowed: NAME ROLE {SCHEME}HEX")
                who = _who(parts[0], parts[1])
                if who.name in names:
                    raise TokenError(f"name: {who.name!r}, as another line has it; allowed: each name once")
                known[_hash(parts[2])] = who
            except TokenError as error:
                raise TokenError(f"line {number}: {error}") from None
            names.add(who.name)
        if not known:
            raise TokenError("no token; allowed: one or more lines NAME ROLE sha256:HEX")
        return cls(known)

    def owner(self, token: str) -> Who | None:
        """Whom this token belongs to. Takes equally long whichever it is, and for one that is none."""
        given = _digest(token)
        found: Who | None = None
        for digest, who in self._known.items():
            if hmac.compare_digest(digest, given):
                found = who
        return found


def _hash(word: str) -> bytes:
    hashed = re.fullmatch(SCHEME + "([0-9a-fA-F]{64})", word)
    if hashed is None:
        raise TokenError(f"hash; allowed: {SCHEME} and 64 hexadecimal digits")
    return bytes.fromhex(hashed[1])
