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

Many questions go best as a ``batch``, in one call. Every call has a deadline, but for batches and reviews, which have
one if it is asked for. Calls retry by themselves, a few times, while no server can be reached; a target that stands for
several servers, such as ``dns:///lisboa:50051`` or ``ipv4:10.0.0.1:50051,10.0.0.2:50051``, shares the calls out among
those that are healthy. What fails for good is a ``ServiceError``, whose text is one line for each thing that is wrong.
A server that is full says so at once: ``Overloaded``, whose ``retry_after`` says when another try makes sense.
"""

from .asynchronous import AsyncBatch, AsyncClient
from .blocking import Batch, Client
from .errors import (
    DeadlineExceeded,
    FieldViolation,
    InvalidRequest,
    Overloaded,
    ServiceError,
    Unavailable,
    UnknownEditionError,
)
from .messages import Answer, Legal, LegalAction, Question, Score

__all__ = [
    "Answer",
    "AsyncBatch",
    "AsyncClient",
    "Batch",
    "Client",
    "DeadlineExceeded",
    "FieldViolation",
    "InvalidRequest",
    "Legal",
    "LegalAction",
    "Overloaded",
    "Question",
    "Score",
    "ServiceError",
    "Unavailable",
    "UnknownEditionError",
]
