"""``ServerService``, and the signature that says whether two servers search alike."""

from __future__ import annotations

import hashlib
import platform
from typing import Any, Final

import grpc.aio

from lisboa.v1 import position_pb2, server_pb2, server_pb2_grpc
from lisboa_ai import __version__, wire
from lisboa_ai.analysis import SearchLimits, SearchOptions, analyse
from lisboa_ai.edition import EditionTables
from lisboa_ai.record import GameRecord

from .settings import Settings
from .states import Editions

__all__ = ["Info", "bench_signature"]

SIGNATURE_GAMES: Final = ((2, 1), (3, 2), (4, 3))
"""Players and seed of the games whose first decision is searched for the signature."""
SIGNATURE_ITERATIONS: Final = 64
SIGNATURE_MEMORY: Final = 16 << 20


def bench_signature(tables: EditionTables) -> str:
    """A digest of a few fixed searches: equal on every machine that searches equally. Takes tens of milliseconds."""
    digest = hashlib.sha256()
    for seats, seed in SIGNATURE_GAMES:
        record = GameRecord.new(tables, seats, seed)
        found = analyse(
            record.position(record.replay().seat).observation,
            SearchLimits(iterations=SIGNATURE_ITERATIONS, memory=SIGNATURE_MEMORY, seed=seed),
            SearchOptions(candidates=3),
        )
        for one in found.candidates:
            digest.update(repr((one.actions, one.visits, [round(wigs, 6) for wigs in one.wigs])).encode())
    return digest.hexdigest()[:16]


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
            ),
            default_limits=wire.limits_to_proto(
                SearchLimits(time=settings.default_time, memory=settings.default_memory)
            ),
            default_options=wire.options_to_proto(
                SearchOptions(candidates=settings.default_candidates), editions.default, -1, (0, 0)
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
