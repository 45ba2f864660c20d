"""From what went wrong to the status a client gets: code, message and ``google.rpc`` details.

Details travel in HTTP/2 trailers, of which clients accept 8 KiB by default. So lists in them are cut at a stated size,
and say how much was left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final, NoReturn

import grpc
import grpc.aio
from google.protobuf.message import Message
from google.rpc import error_details_pb2, status_pb2

from lisboa_ai.errors import InvalidPosition, InvalidRecord, UnknownEdition, Violation
from lisboa_ai.notation import ActionError

from .admission import Draining, OutOfTime, QueueFull, RateLimited

__all__ = [
    "DOMAIN",
    "Fault",
    "Invalid",
    "Refusal",
    "action_fault",
    "action_info",
    "error_info",
    "refusal_of",
    "violation_faults",
    "within_trailers",
]

DOMAIN: Final = "lisboa-ai"
DETAIL_BYTES: Final = 5000
"""Bytes for all violations, or all legal actions, in one status."""
MESSAGE_BYTES: Final = 600
MAX_REQUEST_ID: Final = 200
LOGGED_FAULTS: Final = 5
_FOREIGN: Final = re.compile(r"[^\w.*\[\]]+|(?<=\[)[^\]]*[^\]\d][^\]]*(?=\])", re.ASCII)
"""In a field's path, what may come from the request: anything in brackets but an index, and odd characters."""
DETAILS_KEY: Final = "grpc-status-details-bin"
"""The trailer in which gRPC libraries of every language look for a google.rpc.Status."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that is wrong with a request: the field's path, what is wrong and allowed, and the kind of fault."""

    field: str
    description: str
    reason: str


class Refusal(Exception):
    """A call that ends with a status other than OK. Whatever raises it decides what the client reads."""

    def __init__(
        self,
        code: grpc.StatusCode,
        message: str,
        details: Sequence[Message] = (),
        metadata: Sequence[tuple[str, str]] = (),
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.details = tuple(details)
        self.metadata = tuple(metadata)

    @property
    def for_log(self) -> str:
        """What went wrong, without anything that was sent: states and tokens have no place in a log."""
        reasons = [detail.reason for detail in self.details if isinstance(detail, error_details_pb2.ErrorInfo)]
        return ", ".join(reasons) or self.code.name

    async def end(self, context: grpc.aio.ServicerContext[Any, Any], request_id: str) -> NoReturn:
        """End the call with this; the status echoes the request's id."""
        status = status_pb2.Status(code=self.code.value[0], message=_cut(self.message, MESSAGE_BYTES))
        details = list(self.details)
        if request_id:
            details.append(error_details_pb2.RequestInfo(request_id=request_id[:MAX_REQUEST_ID]))
        for detail in details:
            status.details.add().Pack(detail)
        await context.abort(self.code, status.message, ((DETAILS_KEY, status.SerializeToString()), *self.metadata))


def _cut(text: str, most: int) -> str:
    encoded = text.encode()
    return text if len(encoded) <= most else encoded[: most - 4].decode(errors="ignore") + " ..."


def within_trailers(texts: Iterable[str], separator: str = "; ", most: int = DETAIL_BYTES) -> str:
    """The texts joined, as many as fit; the end says how many more there are."""
    listed = list(texts)
    size = 0
    for count, text in enumerate(listed):
        size += len(text.encode()) + len(separator)
        if size > most:
            return separator.join([*listed[:count], f"... and {len(listed) - count} more"])
    return separator.join(listed)


class Invalid(Refusal):
    """INVALID_ARGUMENT with a field violation for every fault."""

    def __init__(self, faults: Sequence[Fault], *details: Message) -> None:
        bad = error_details_pb2.BadRequest()
        size = 0
        for count, fault in enumerate(faults):
            description = _cut(fault.description, 1500)
            size += len(fault.field.encode()) + len(description.encode()) + len(fault.reason) + 12
            if size > DETAIL_BYTES:
                left = f"{len(faults) - count} more faults are not listed"
                bad.field_violations.add(field="*", description=left, reason="MORE")
                break
            bad.field_violations.add(field=fault.field[:200], description=description, reason=fault.reason)
        more = f" (and {len(faults) - 1} more)" if len(faults) > 1 else ""
        message = f"{faults[0].field}: {faults[0].description}{more}"
        super().__init__(grpc.StatusCode.INVALID_ARGUMENT, message, [bad, *details])
        self.faults = tuple(faults)

    @property
    def for_log(self) -> str:
        named = [f"{_FOREIGN.sub('?', fault.field)[:100]} {fault.reason}" for fault in self.faults[:LOGGED_FAULTS]]
        more = len(self.faults) - len(named)
        return "; ".join([*named, f"{more} more"] if more else named)


def error_info(reason: str, **metadata: str) -> error_details_pb2.ErrorInfo:
    """For programs: why, in capitals, and what belongs to it."""
    return error_details_pb2.ErrorInfo(reason=reason, domain=DOMAIN, metadata=metadata)


def _retry(seconds: float) -> error_details_pb2.RetryInfo:
    info = error_details_pb2.RetryInfo()
    info.retry_delay.FromMilliseconds(round(seconds * 1000))
    return info


def refusal_of(error: Exception) -> Refusal | None:
    """The refusal for an error that is not the server's fault, or None for one that is."""
    match error:
        case Refusal():
            return error
        case UnknownEdition():
            known = ", ".join(name for name, _ in error.known)
            metadata = {"edition": error.name[:100], "digest": error.digest[:100], "known": known}
            return Refusal(grpc.StatusCode.FAILED_PRECONDITION, str(error), [error_info("UNKNOWN_EDITION", **metadata)])
        case InvalidPosition() | InvalidRecord():
            return Invalid(violation_faults(error.violations))
        case ActionError():
            return Invalid([action_fault("action", error)], action_info(error))
        case QueueFull():
            return _exhausted(error, error.wait, "searches", error_info("QUEUE_FULL", waiting=str(error.waiting)))
        case RateLimited():
            info = error_info("RATE_LIMITED", limit="rate", rate=f"{error.rate:g}")
            return _exhausted(error, error.wait, "searches of one client", info)
        case Draining():
            return Refusal(
                grpc.StatusCode.UNAVAILABLE,
                "the server is stopping; another one answers",
                [error_info("DRAINING"), _retry(0.0)],
            )
        case OutOfTime():
            wait = {} if error.wait is None else {"expected_wait_seconds": f"{error.wait:.3f}"}
            return Refusal(grpc.StatusCode.DEADLINE_EXCEEDED, str(error), [error_info("DEADLINE", **wait)])
    return None


def _exhausted(error: Exception, wait: float, subject: str, info: error_details_pb2.ErrorInfo) -> Refusal:
    """RESOURCE_EXHAUSTED that says when to try again: to people and to gRPC's own retries."""
    quota = error_details_pb2.QuotaFailure()
    quota.violations.add(subject=subject, description=str(error))
    pushback = [("grpc-retry-pushback-ms", str(round(wait * 1000)))]
    return Refusal(grpc.StatusCode.RESOURCE_EXHAUSTED, str(error), [info, _retry(wait), quota], pushback)


def _described(value: str, allowed: str) -> str:
    return f"{value}; allowed: {allowed}" if value else allowed


def violation_faults(violations: Iterable[Violation], prefix: str = "") -> list[Fault]:
    """The faults of a position or a record, whose field paths begin with this prefix."""
    return [
        Fault(".".join(part for part in (prefix, v.field) if part), _described(v.value, v.allowed), v.reason)
        for v in violations
    ]


def action_fault(field: str, error: ActionError) -> Fault:
    """The fault for an action's text that could not be used, naming what was legal."""
    return Fault(field, str(error).removeprefix("action: "), _screaming(type(error).__name__))


def action_info(error: ActionError, index: int = 0) -> error_details_pb2.ErrorInfo:
    """For programs: the index of the first action that failed, and the legal ones (as many as fit)."""
    return error_info(
        _screaming(type(error).__name__), index=str(index), legal=within_trailers(error.legal, most=DETAIL_BYTES // 3)
    )


def _screaming(name: str) -> str:
    """``IllegalActionText`` → ``ILLEGAL_ACTION_TEXT``."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).upper()
