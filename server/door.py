"""Who may come in: by token, certificate or address, and to which calls."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import grpc
import grpc.aio

from .errors import Refusal, error_info
from .metrics import Metrics
from .reload import Watched
from .settings import SettingsError
from .tokens import ADMIN, ADVISE, TokenError, Tokens, Who

__all__ = ["ANYONE", "Door", "client_of"]

ANYONE: Final = "anyone"
"""The role of a caller where no tokens are asked for."""
FREE: Final = ("grpc.health.v1.Health",)
"""Services that need no token: probes have none."""
FOR_ADMINS: Final = ("grpc.reflection.v1alpha.ServerReflection", "grpc.reflection.v1.ServerReflection")
"""Services that need the admin's role where tokens are asked for."""


@dataclass(frozen=True, slots=True)
class _Refused:
    """Stands for a token that is missing or unknown."""

    reason: str
    says: str


class Door:
    """Looks at the token of every call. Without a file of tokens, everybody may call everything."""

    def __init__(self, file: str | None, metrics: Metrics) -> None:
        """Raises SettingsError for a file that cannot be used."""
        self._tokens: Watched[Tokens] | None = None
        if file is None:
            return
        path = Path(file)
        try:
            self._tokens = Watched("tokens", [path], lambda: Tokens.read(path), metrics)
        except OSError as error:
            raise SettingsError(f"tokens: {file}: {error.strerror}; allowed: a file that can be read") from None
        except TokenError as error:
            raise SettingsError(f"tokens: {file}: {error}") from None

    def admit(self, service: str, metadata: Sequence[tuple[str, str | bytes]]) -> Who | None:
        """Whom the call's token belongs to; None where no token is asked for. Raises Refusal."""
        if self._tokens is None or service in FREE:
            return None
        found = _owner(self._tokens.now(), metadata)
        if isinstance(found, _Refused):
            raise Refusal(grpc.StatusCode.UNAUTHENTICATED, found.says, [error_info(found.reason)])
        if service in FOR_ADMINS and found.role != ADMIN:
            raise Refusal(
                grpc.StatusCode.PERMISSION_DENIED,
                f"the role {ADVISE} may not call {service}; allowed: {ADMIN}",
                [error_info("ROLE", role=found.role, allowed=ADMIN)],
            )
        return found


def _owner(tokens: Tokens, metadata: Sequence[tuple[str, str | bytes]]) -> Who | _Refused:
    given = [value for name, value in metadata if name == "authorization"]
    if len(given) != 1:
        return _Refused("TOKEN_MISSING", "no token; allowed: one header authorization: Bearer TOKEN")
    value = given[0] if isinstance(given[0], str) else given[0].decode(errors="replace")
    scheme, _, token = value.partition(" ")
    if scheme.lower() != "bearer" or not token.strip():
        return _Refused("TOKEN_MISSING", "authorization without a token; allowed: Bearer TOKEN")
    return tokens.owner(token.strip()) or _Refused("TOKEN_UNKNOWN", "this token may not call")


def client_of(who: Who | None, context: grpc.aio.ServicerContext[Any, Any]) -> str:
    """Among whose calls fairness is: the token's owner, the certificate's, or the machine that calls."""
    if who is not None:
        return f"token:{who.name}"
    shown = context.auth_context()
    names = shown.get("x509_common_name") or shown.get("x509_subject_alternative_name")
    if names:
        return "certificate:" + bytes(next(iter(names))).decode(errors="replace")[:200]
    # ipv4:127.0.0.1:40312: without the port, since one machine may open many connections
    return context.peer().rpartition(":")[0]
