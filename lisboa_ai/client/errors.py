"""Statuses of the service as Python exceptions, with everything that the status says."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

import grpc
import grpc.aio
from google.rpc import error_details_pb2, status_pb2

from lisboa.v1 import advisor_pb2

__all__ = [
    "DeadlineExceeded",
    "FieldViolation",
    "InvalidRequest",
    "Overloaded",
    "ServiceError",
    "Unavailable",
    "UnknownEditionError",
    "error_of",
    "error_of_message",
]

DETAILS_KEY: Final = "grpc-status-details-bin"


@dataclass(frozen=True, slots=True)
class FieldViolation:
    """One thing that is wrong with a request: the field's path, value and what is allowed, and the kind of fault."""

    field: str
    description: str
    reason: str = ""

    def __str__(self) -> str:
        return f"{self.field}: {self.description}"


@dataclass(eq=False)
class ServiceError(Exception):
    """A call that failed. Its text is one clear line for each thing that is wrong.

    code: the gRPC status code. violations: what is wrong with the request, field by field. reason: machine-readable,
    such as ``"QUEUE_FULL"``. metadata: what belongs to the reason. retry_after: seconds, if another try makes sense.
    """

    message: str
    code: grpc.StatusCode
    violations: tuple[FieldViolation, ...] = ()
    reason: str = ""
    metadata: dict[str, str] = field(default_factory=dict)
    retry_after: float | None = None

    def __str__(self) -> str:
        return "\n".join(map(str, self.violations)) or self.message


class InvalidRequest(ServiceError, ValueError):
    """Something in the request cannot be used, an illegal action included."""


class UnknownEditionError(ServiceError, ValueError):
    """The server does not know the edition, or has other values under its name. ``metadata`` says what it knows."""


class Overloaded(ServiceError):
    """As many searches wait as may wait, or the request is too large. ``retry_after`` says when to try again."""


class DeadlineExceeded(ServiceError):
    """No answer within the call's timeout."""


class Unavailable(ServiceError):
    """No server there, or it is stopping."""


_CLASSES: Final[dict[grpc.StatusCode, type[ServiceError]]] = {
    grpc.StatusCode.INVALID_ARGUMENT: InvalidRequest,
    grpc.StatusCode.FAILED_PRECONDITION: UnknownEditionError,
    grpc.StatusCode.RESOURCE_EXHAUSTED: Overloaded,
    grpc.StatusCode.DEADLINE_EXCEEDED: DeadlineExceeded,
    grpc.StatusCode.UNAVAILABLE: Unavailable,
}


def error_of(error: grpc.RpcError) -> ServiceError:
    """The exception for an error of the gRPC library, its ``google.rpc`` details read."""
    # What calls raise is a Call as well, but only at run time.
    code = error.code() if isinstance(error, (grpc.Call, grpc.aio.AioRpcError)) else grpc.StatusCode.UNKNOWN
    message = error.details() if isinstance(error, (grpc.Call, grpc.aio.AioRpcError)) else str(error)
    found = _CLASSES.get(code, ServiceError)(message or code.name, code)
    trailers = error.trailing_metadata() if isinstance(error, (grpc.Call, grpc.aio.AioRpcError)) else None
    for key, value in trailers or ():
        if key == DETAILS_KEY and isinstance(value, bytes):
            _read(found, status_pb2.Status.FromString(value))
    return found


def _read(found: ServiceError, status: status_pb2.Status) -> None:
    for detail in status.details:
        if detail.Is(error_details_pb2.BadRequest.DESCRIPTOR):
            bad = error_details_pb2.BadRequest()
            detail.Unpack(bad)
            found.violations += tuple(
                FieldViolation(one.field, one.description, one.reason) for one in bad.field_violations
            )
        elif detail.Is(error_details_pb2.ErrorInfo.DESCRIPTOR):
            info = error_details_pb2.ErrorInfo()
            detail.Unpack(info)
            found.reason = info.reason
            found.metadata = dict(info.metadata)
        elif detail.Is(error_details_pb2.RetryInfo.DESCRIPTOR):
            retry = error_details_pb2.RetryInfo()
            detail.Unpack(retry)
            found.retry_after = retry.retry_delay.ToTimedelta().total_seconds()


def error_of_message(error: advisor_pb2.CallError) -> ServiceError:
    """The exception for one question of a batch that failed."""
    code = next((known for known in grpc.StatusCode if known.value[0] == error.code), grpc.StatusCode.UNKNOWN)
    return _CLASSES.get(code, ServiceError)(
        message=error.message or code.name,
        code=code,
        violations=tuple(FieldViolation(one.field, one.description, one.reason) for one in error.violations),
        reason=error.reason,
        metadata=dict(error.metadata),
        retry_after=error.retry_after.ToTimedelta().total_seconds() if error.HasField("retry_after") else None,
    )
