"""The calls that can be sent: the path of each, and its requests as bytes, made beforehand as far as possible."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from grpc_health.v1 import health_pb2

from lisboa.v1 import advisor_pb2, rules_pb2
from lisboa_ai import wire_options, wire_values
from lisboa_ai.analysis import SearchLimits
from lisboa_ai.server.demo import demo_position

__all__ = ["CALLS", "HEALTH", "Call"]


@dataclass(frozen=True, slots=True)
class Call:
    """A call. request: the bytes of the so-many-th request of a load, whose searches have these limits."""

    path: str
    streams: bool
    request: Callable[[int, SearchLimits], bytes]


def _searching(kind: type[Any], **more: Any) -> Callable[[int, SearchLimits], bytes]:
    """Requests that differ in their seed, so that none is answered from those that are kept."""
    made: list[Any] = []

    def request(number: int, limits: SearchLimits) -> bytes:
        if not made:
            made.append(kind(position=demo_position().to_proto(), **more))
        message = made[0]
        message.limits.CopyFrom(wire_options.limits_to_proto(limits))
        message.limits.seed = limits.seed + number
        return bytes(message.SerializeToString())

    return request


def _always(message: Callable[[], Any]) -> Callable[[int, SearchLimits], bytes]:
    made: list[bytes] = []

    def request(number: int, limits: SearchLimits) -> bytes:
        if not made:
            made.append(message().SerializeToString())
        return made[0]

    return request


HEALTH: Final = "health"
INTERVAL: Final = 0.02
"""Seconds between interim answers of a stream."""
CALLS: Final[dict[str, Call]] = {
    "advise": Call("/lisboa.v1.AdvisorService/Advise", False, _searching(advisor_pb2.AdviseRequest)),
    "stream": Call(
        "/lisboa.v1.AdvisorService/StreamAdvice",
        True,
        _searching(advisor_pb2.StreamAdviceRequest, interval=wire_values.duration(INTERVAL)),
    ),
    "evaluate": Call("/lisboa.v1.AdvisorService/Evaluate", False, _searching(advisor_pb2.EvaluateRequest)),
    "legal": Call(
        "/lisboa.v1.RulesService/ListLegalActions",
        False,
        _always(lambda: rules_pb2.ListLegalActionsRequest(position=demo_position().to_proto())),
    ),
    "new-game": Call(
        "/lisboa.v1.RulesService/NewGame", False, _always(lambda: rules_pb2.NewGameRequest(players=3, seed=1))
    ),
    HEALTH: Call("/grpc.health.v1.Health/Check", False, _always(health_pb2.HealthCheckRequest)),
}
