"""Bad requests of every kind: the answer is OK or a status of the contract, never UNKNOWN or INTERNAL."""

from __future__ import annotations

import random
from typing import Any

import grpc
import grpc.aio
import pytest
from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message

from lisboa.v1 import advisor_pb2, position_pb2, rules_pb2, server_pb2
from lisboa_ai import edition
from lisboa_ai.bots import GreedyBot
from lisboa_ai.notation import action_text
from lisboa_ai.record import GameRecord
from tests.serving import FakeSearch, channel, in_loop, position, serving

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
    seat = game.replay().seat
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
        if "actions" in names:
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
                    request.limits.iterations = 5  # the fake search ends at once with them
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
