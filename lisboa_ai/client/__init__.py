"""Clients of the service: ``Client`` for ordinary code, ``AsyncClient`` for asyncio.

Both answer with the same types that the package uses in-process, so that advice from a server and advice from a search
of one's own can be handled alike::

    from lisboa_ai.client import Client
    from lisboa_ai.analysis import SearchLimits

    with Client("127.0.0.1:50051") as client:
        record = client.new_game(seats=3, seed=1)
        legal = client.legal_actions(record)
        found = client.advise(record, seat=legal.seat, limits=SearchLimits(time=1.0))
        print(found.best.win_share[legal.seat])

Calls retry by themselves while no server can be reached or its queue is full. What fails for good is a
``ServiceError``, whose text is one line for each thing that is wrong.
"""

from .asynchronous import AsyncClient
from .blocking import Client
from .errors import (
    DeadlineExceeded,
    FieldViolation,
    InvalidRequest,
    Overloaded,
    ServiceError,
    Unavailable,
    UnknownEditionError,
)
from .messages import Legal, LegalAction, Score

__all__ = [
    "AsyncClient",
    "Client",
    "DeadlineExceeded",
    "FieldViolation",
    "InvalidRequest",
    "Legal",
    "LegalAction",
    "Overloaded",
    "Score",
    "ServiceError",
    "Unavailable",
    "UnknownEditionError",
]
