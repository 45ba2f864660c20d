"""Bad requests of every kind: the answer is OK or a status of the contract, never UNKNOWN or INTERNAL."""

from __future__ import annotations

import contextlib
import random
import socket
import struct
from collections.abc import Iterator
from typing import Any

import grpc
import grpc.aio
import pytest
from google.protobuf import message_factory
from google.protobuf.descriptor import Descriptor, FieldDescriptor, MethodDescriptor
from google.protobuf.message import Message
from grpc_health.v1 import health_pb2, health_pb2_grpc
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lisboa.v1 import advisor_pb2, position_pb2, rules_pb2, server_pb2
from lisboa_ai import edition
from lisboa_ai.bots import GreedyBot
from lisboa_ai.notation import action_text
from lisboa_ai.record import GameRecord
from lisboa_ai.server import Limits, Server
from lisboa_ai.server.app import OURS
from tests.serving import FakeSearch, channel, in_loop, position, running, serving, wait_until

EXPECTED = {
    grpc.StatusCode.OK,
    grpc.StatusCode.INVALID_ARGUMENT,
    grpc.StatusCode.FAILED_PRECONDITION,
    grpc.StatusCode.RESOURCE_EXHAUSTED,
}
TEXTS = ["", "x", "red-king-3", "court king-2", "house", "ship-blue-1", "card-\N{SNOWMAN}", "a" * 3000, "0", "done"]
NUMBERS = [0, 1, 2, 3, 4, 5, 8, 16, 100, 255, 256, 65536, 2**31 - 1]
WIDE = [*NUMBERS, 2**32, 2**62, 2**63 - 1]
FLOATS = [0.0, -1.0, 0.5, 2.0, 1e308, float("inf"), float("nan")]
CALLS = {
    "RulesService/NewGame": rules_pb2.NewGameRequest,
    "RulesService/ListLegalActions": rules_pb2.ListLegalActionsRequest,
    "RulesService/ApplyActions": rules_pb2.ApplyActionsRequest,
    "RulesService/AdvancePosition": rules_pb2.AdvancePositionRequest,
    "RulesService/Observe": rules_pb2.ObserveRequest,
    "RulesService/ValidatePosition": rules_pb2.ValidatePositionRequest,
    "RulesService/ScoreGame": rules_pb2.ScoreGameRequest,
    "AdvisorService/Advise": advisor_pb2.AdviseRequest,
    "AdvisorService/Evaluate": advisor_pb2.EvaluateRequest,
    "AdvisorService/CompareActions": advisor_pb2.CompareActionsRequest,
    "ServerService/GetServerInfo": server_pb2.GetServerInfoRequest,
}


def played(actions: int) -> GameRecord:
    """A game for three after some actions."""
    record = GameRecord.new(edition.load(), 3, 1)
    bot = GreedyBot(1)
    game = record.replay()
    texts = []
    for _ in range(actions):
        argument = bot.choose(game.observe(game.seat))
        texts.append(action_text(record.tables, game.kind, game.context, argument))
        game.apply(argument)
    return record.extend(texts)


def scalar(chance: random.Random, field: FieldDescriptor) -> Any:
    """Some value of the field's type."""
    kind = field.cpp_type
    if kind == FieldDescriptor.CPPTYPE_STRING:
        return chance.choice(TEXTS)
    if kind == FieldDescriptor.CPPTYPE_BOOL:
        return chance.random() < 0.5
    if kind in (FieldDescriptor.CPPTYPE_DOUBLE, FieldDescriptor.CPPTYPE_FLOAT):
        return chance.choice(FLOATS)
    if kind in (FieldDescriptor.CPPTYPE_INT32, FieldDescriptor.CPPTYPE_INT64):
        return chance.choice([-1, -100, *NUMBERS])
    if kind == FieldDescriptor.CPPTYPE_UINT64:
        return chance.choice(WIDE)
    return chance.choice(NUMBERS)


def is_map(field: FieldDescriptor) -> bool:
    """Whether the field is a map."""
    return bool(field.message_type.GetOptions().map_entry)


def damage(message: Message, chance: random.Random) -> None:
    """Change one thing somewhere inside: set, clear, add, drop or repeat."""
    fields = [one for one in message.DESCRIPTOR.fields if not (one.message_type and is_map(one))]
    if not fields:
        return
    field = chance.choice(fields)
    held = getattr(message, field.name)
    if field.is_repeated:
        if len(held) and chance.random() < 0.6 and field.message_type:
            damage(chance.choice(held), chance)
        elif len(held) and chance.random() < 0.5:
            del held[chance.randrange(len(held))]
        elif field.message_type:
            held.add()
        elif len(held) and chance.random() < 0.5:
            held[chance.randrange(len(held))] = scalar(chance, field)
        else:
            held.append(scalar(chance, field))
    elif field.message_type:
        if chance.random() < 0.05:
            message.ClearField(field.name)
        elif message.HasField(field.name) or chance.random() < 0.3:
            held.SetInParent()
            damage(held, chance)
    elif chance.random() < 0.2:
        message.ClearField(field.name)
    else:
        setattr(message, field.name, scalar(chance, field))


async def code_of(opened: grpc.aio.Channel, call: str, data: bytes) -> tuple[grpc.StatusCode, str, bytes]:
    """How a call with these bytes ends: code, message, details."""
    try:
        await opened.unary_unary(f"/lisboa.v1.{call}")(data)
    except grpc.aio.AioRpcError as error:
        trailers = dict(error.trailing_metadata() or ())
        details = trailers.get("grpc-status-details-bin", b"")
        assert isinstance(details, bytes)
        return error.code(), error.details() or "", details
    return grpc.StatusCode.OK, "", b""


@pytest.mark.parametrize("call", CALLS)
def test_damaged_requests_give_statuses_of_the_contract(call: str) -> None:
    chance = random.Random(call)
    game = played(40)
    pending = game.replay()
    seat = pending.seat
    legal = [action_text(game.tables, pending.kind, pending.context, one) for one in pending.legal()]
    seen = position_pb2.Position()
    seen.CopyFrom(game.position(seat).to_proto())

    def sound() -> Message:
        request = CALLS[call]()
        names = request.DESCRIPTOR.fields_by_name
        if "position" in names and chance.random() < 0.6:
            request.position.CopyFrom(seen)
        elif "record" in names:
            request.record.CopyFrom(game.to_proto() if chance.random() < 0.5 else game.observe(seat).to_proto())
            if "seat" in names and chance.random() < 0.8:
                request.seat = seat
        if "limits" in names:
            request.limits.iterations = 5
        if call == "AdvisorService/CompareActions":
            request.actions.extend(chance.choice([*legal, *TEXTS]) for _ in range(chance.choice((2, 2, 3, 17))))
        elif "actions" in names:
            request.actions.add(text=chance.choice(TEXTS))
        if "players" in names:
            request.players = 3
        if "setup" in names and chance.random() < 0.5:
            request.setup.CopyFrom(game.to_proto().setup)
        return request

    @in_loop
    async def run() -> None:
        async with serving(FakeSearch()) as server, channel(server) as opened:
            for _ in range(60):
                request = sound()
                for _ in range(chance.choice((1, 1, 2, 5))):
                    damage(request, chance)
                if call.startswith("AdvisorService") and not request.limits.HasField("iterations"):
                    request.limits.iterations = 5  # the fake search ends at once with them, a comparison soon
                code, message, details = await code_of(opened, call, request.SerializeToString())
                assert code in EXPECTED, f"{code} {message} for {request}"
                assert code is grpc.StatusCode.OK or details, f"{code} without details"
                assert len(details) < 8000
            assert server.gate.busy == 0

    run()


@in_loop
async def test_raw_bytes_give_statuses_of_the_contract() -> None:
    chance = random.Random(1)
    async with serving(FakeSearch()) as server, channel(server) as opened:
        for call, request in CALLS.items():
            sound = request().SerializeToString() or position().to_proto().SerializeToString()
            for data in (b"\xff", chance.randbytes(50), sound[: len(sound) // 2], b"\x0a\xff\xff\xff\xff\x0f"):
                code, message, _ = await code_of(opened, call, data)
                assert code in EXPECTED, f"{call}: {code} {message}"


@in_loop
async def test_a_request_that_is_too_large_is_refused() -> None:
    async with serving(FakeSearch()) as server, channel(server) as opened:
        code, _, _ = await code_of(opened, "AdvisorService/Advise", b"\0" * (server.settings.limits.message + 1))
        assert code is grpc.StatusCode.RESOURCE_EXHAUSTED


# --- any message at all, any bytes at all -----------------------------------------------------------------------------

METHODS: dict[str, MethodDescriptor] = {
    f"/{service.full_name}/{method.name}": method for service in OURS for method in service.methods
}
DEEPEST = 4
"""Messages inside messages; what goes deeper is left empty."""
BUGS = ("Internal", "Unknown")


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    """A server whose searches end by themselves after a moment."""
    with running(FakeSearch(), limits=Limits(time=0.02), default_time=0.02, metrics_port=0) as started:
        yield started


@pytest.fixture(scope="module")
def opened(server: Server) -> Iterator[grpc.Channel]:
    with grpc.insecure_channel(server.address, options=(("grpc.enable_retries", 0),)) as made:
        yield made


def sends(opened: grpc.Channel, path: str, requests: list[bytes]) -> grpc.StatusCode:
    """How a call of this method with these bytes ends, whatever kind of call it is."""
    method = METHODS[path]
    try:
        if method.client_streaming:
            list(opened.stream_stream(path)(iter(requests), timeout=60))
        elif method.server_streaming:
            list(opened.unary_stream(path)(requests[0], timeout=60))
        else:
            opened.unary_unary(path)(requests[0], timeout=60)
    except grpc.RpcError as error:
        return error.code()  # type: ignore[attr-defined,no-any-return]
    return grpc.StatusCode.OK


def bugs(server: Server) -> float:
    """Calls that ended as they must not, by the server's own count."""
    return sum(
        sample.value
        for family in server.metrics.handled.collect()
        for sample in family.samples
        if sample.name.endswith("_total") and sample.labels["grpc_code"] in BUGS
    )


def scalars(field: FieldDescriptor) -> st.SearchStrategy[Any]:
    """Any value that the field's type can hold, the telling ones more often."""
    kind = field.cpp_type
    if kind == FieldDescriptor.CPPTYPE_STRING:
        return st.sampled_from(TEXTS) | st.text(max_size=20)
    if kind == FieldDescriptor.CPPTYPE_BOOL:
        return st.booleans()
    if kind in (FieldDescriptor.CPPTYPE_DOUBLE, FieldDescriptor.CPPTYPE_FLOAT):
        return st.floats()
    if kind == FieldDescriptor.CPPTYPE_INT32 or kind == FieldDescriptor.CPPTYPE_ENUM:
        return st.integers(-3, 9) | st.integers(-(2**31), 2**31 - 1)
    if kind == FieldDescriptor.CPPTYPE_INT64:
        return st.integers(-3, 9) | st.integers(-(2**63), 2**63 - 1)
    return st.integers(0, 9) | st.integers(0, 2**32 - 1 if kind == FieldDescriptor.CPPTYPE_UINT32 else 2**64 - 1)


def fill(draw: Any, message: Message, depth: int = 0) -> None:
    """Set some of the fields to something."""
    fields = tuple(message.DESCRIPTOR.fields)
    for field in draw(st.lists(st.sampled_from(fields), unique_by=lambda one: one.name, max_size=6)) if fields else ():
        held = getattr(message, field.name)
        if field.message_type is None:
            if field.is_repeated:
                held.extend(draw(st.lists(scalars(field), max_size=3)))
            else:
                setattr(message, field.name, draw(scalars(field)))
        elif is_map(field):
            fill_map(draw, held, field.message_type, depth)
        elif depth < DEEPEST:
            for part in [held.add() for _ in range(draw(st.integers(1, 3)))] if field.is_repeated else [held]:
                part.SetInParent()
                fill(draw, part, depth + 1)


def fill_map(draw: Any, held: Any, entry: Descriptor, depth: int) -> None:
    """One entry of a map."""
    key, value = entry.fields_by_name["key"], entry.fields_by_name["value"]
    if value.message_type is None:
        held[draw(scalars(key))] = draw(scalars(value))
    elif depth < DEEPEST:
        fill(draw, held[draw(scalars(key))], depth + 1)


@st.composite
def calls(draw: Any) -> tuple[str, list[bytes]]:
    """A method and what is sent to it: messages made from nothing, sound ones damaged, or bytes."""
    path = draw(st.sampled_from(sorted(METHODS)))
    requests = []
    for _ in range(draw(st.integers(1, 3)) if METHODS[path].client_streaming else 1):
        how = draw(st.sampled_from(("made", "sound", "bytes", "cut")))
        message = message_factory.GetMessageClass(METHODS[path].input_type)()
        if how in ("sound", "cut") and "position" in message.DESCRIPTOR.fields_by_name:
            message.position.CopyFrom(position().to_proto())  # type: ignore[attr-defined]
            if draw(st.booleans()):
                damage(message, random.Random(draw(st.integers(0, 2**32))))
        if how == "bytes":
            requests.append(draw(st.binary(max_size=60)))
            continue
        if how == "made":
            fill(draw, message)
        data = message.SerializeToString()
        requests.append(data[: draw(st.integers(0, len(data)))] if how == "cut" else data)
    return path, requests


@settings(max_examples=150, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(call=calls())
def test_whatever_is_sent_to_any_method_is_answered_by_the_contract(
    server: Server, opened: grpc.Channel, call: tuple[str, list[bytes]]
) -> None:
    code = sends(opened, *call)
    assert code in EXPECTED, f"{code} for {call}"
    assert bugs(server) == 0


def frame(kind: int, flags: int, stream: int, payload: bytes) -> bytes:
    """A frame of HTTP/2."""
    return struct.pack(">I", len(payload))[1:] + bytes((kind, flags)) + struct.pack(">I", stream) + payload


def literal(name: str, value: str) -> bytes:
    """A header as HPACK writes it without any table."""
    return b"\0" + bytes((len(name),)) + name.encode() + bytes((len(value),)) + value.encode()


def grpc_message(length: int, data: bytes) -> bytes:
    """A message as gRPC writes it, of a length that it may not have."""
    return b"\0" + struct.pack(">I", length) + data


PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + frame(4, 0, 0, b"")
ADVISE = frame(
    1,
    4,
    1,
    b"".join(
        literal(name, value)
        for name, value in (
            (":method", "POST"),
            (":scheme", "http"),
            (":path", "/lisboa.v1.AdvisorService/Advise"),
            (":authority", "x"),
            ("te", "trailers"),
            ("content-type", "application/grpc"),
        )
    ),
)


@settings(max_examples=60, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(
    start=st.sampled_from((b"", PREFACE, PREFACE + ADVISE)),
    frames=st.lists(
        st.builds(
            frame,
            st.integers(0, 12),
            st.integers(0, 255),
            st.sampled_from((0, 1, 3, 2**31 - 1)),
            st.binary(max_size=40) | st.builds(grpc_message, st.integers(0, 50), st.binary(max_size=20)),
        )
        | st.binary(max_size=60),
        max_size=5,
    ),
)
def test_whatever_bytes_come_over_the_wire_the_server_serves_on(
    server: Server, opened: grpc.Channel, start: bytes, frames: list[bytes]
) -> None:
    address = (server.settings.host, server.port)
    # It may hang up in the middle, and should.
    with socket.create_connection(address, timeout=10) as wire, contextlib.suppress(OSError):
        wire.sendall(start + b"".join(frames))
    reply = health_pb2_grpc.HealthStub(opened).Check(health_pb2.HealthCheckRequest(service="liveness"), timeout=20)
    assert reply.status == health_pb2.HealthCheckResponse.SERVING
    assert bugs(server) == 0


def test_after_all_that_no_worker_is_missing(server: Server, opened: grpc.Channel) -> None:
    request = advisor_pb2.AdviseRequest(position=position().to_proto())
    for _ in range(2 * server.settings.workers):
        assert sends(opened, "/lisboa.v1.AdvisorService/Advise", [request.SerializeToString()]) is grpc.StatusCode.OK
    wait_until(lambda: (server.gate.busy, server.gate.waiting) == (0, 0))  # nothing of what raw bytes began is left
