"""``ServerService``: what is running."""

from __future__ import annotations

import platform
from typing import Any

import grpc.aio

from lisboa.v1 import position_pb2, server_pb2, server_pb2_grpc
from lisboa_ai import __version__, wire
from lisboa_ai.analysis import SearchLimits, SearchOptions
from lisboa_ai.compare import MOST_COMPARED

from .settings import Settings
from .states import Editions

__all__ = ["Info"]


class Info(server_pb2_grpc.ServerServiceServicer):
    """Says what is running."""

    def __init__(self, settings: Settings, editions: Editions, signature: str) -> None:
        most = settings.limits
        self._reply = server_pb2.GetServerInfoResponse(
            version=__version__,
            python_version=platform.python_version(),
            engine_build=wire.ENGINE_BUILD,
            editions=[position_pb2.EditionRef(name=known.name, digest=known.digest) for known in editions.all],
            limits=server_pb2.ServerLimits(
                time=wire.duration(most.time),
                iterations=most.iterations,
                memory_bytes=most.memory,
                threads=settings.most_threads,
                candidates=most.candidates,
                message_bytes=most.message,
                actions=most.actions,
                workers=settings.workers,
                queue=settings.queue_length,
                batch=most.batch,
                compared_actions=MOST_COMPARED,
            ),
            default_limits=wire.limits_to_proto(
                SearchLimits(
                    time=settings.default_time,
                    memory=settings.default_memory,
                    decided=settings.default_confidence,
                )
            ),
            default_options=wire.options_to_proto(
                SearchOptions(candidates=settings.default_candidates), editions.default, -1, (0, 0), "normal"
            ),
            bench_signature=signature,
        )

    async def GetServerInfo(
        self, request: server_pb2.GetServerInfoRequest, context: grpc.aio.ServicerContext[Any, Any]
    ) -> server_pb2.GetServerInfoResponse:
        """Versions, editions, limits and defaults."""
        reply = server_pb2.GetServerInfoResponse()
        reply.CopyFrom(self._reply)
        reply.request_id = request.request_id
        return reply
