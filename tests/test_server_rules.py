"""``RulesService`` end to end: a game set up, played, observed, checked and scored over a real connection."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import grpc
import pytest
from google.rpc import error_details_pb2, status_pb2

from lisboa.v1 import position_pb2, record_pb2, rules_pb2, rules_pb2_grpc, server_pb2, server_pb2_grpc
from lisboa_ai import edition, notation
from lisboa_ai.client import Client, InvalidRequest
from lisboa_ai.record import GameRecord, RecordedAction
from tests.serving import running

HOUSE = edition.load("house")


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with running() as server:
        yield server.address


@pytest.fixture(scope="module")
def connected(address: str) -> Iterator[Client]:
    with Client(address) as opened:
        yield opened


@pytest.fixture(scope="module")
def rules(address: str) -> Iterator[rules_pb2_grpc.RulesServiceStub]:
    with grpc.insecure_channel(address) as channel:
        yield rules_pb2_grpc.RulesServiceStub(channel)


def finished(seats: int, seed: int) -> GameRecord:
    """The truth of a whole game in which everyone takes the first legal action."""
    record = GameRecord.new(HOUSE, seats, seed)
    game = record.replay()
    actions = []
    while not game.over:
        argument = game.legal()[0]
        actions.append(RecordedAction(notation.action_text(HOUSE, game.kind, game.context, argument)))
        game.apply(argument)
    return replace(record, actions=tuple(actions))


@pytest.fixture(scope="module")
def whole() -> GameRecord:
    return finished(3, 9)


def violations(error: grpc.RpcError) -> list[tuple[str, str]]:
    """(field, reason) of every violation in an error's details."""
    assert isinstance(error, grpc.Call)
    assert error.code() is grpc.StatusCode.INVALID_ARGUMENT
    for key, value in error.trailing_metadata() or ():
        if key == "grpc-status-details-bin":
            assert isinstance(value, bytes)
            for detail in status_pb2.Status.FromString(value).details:
                bad = error_details_pb2.BadRequest()
                if detail.Unpack(bad):
                    return [(one.field, one.reason) for one in bad.field_violations]
    raise AssertionError("no BadRequest in the status")


# --- new games ------------------------------------------------------------------------------------------------------


def test_a_seed_deals_the_same_game_here_and_there(connected: Client) -> None:
    assert connected.new_game(4, seed=3, queen=True) == GameRecord.new(HOUSE, 4, 3, queen=True)


def test_without_a_seed_the_server_picks_one_and_says_which(rules: rules_pb2_grpc.RulesServiceStub) -> None:
    first = rules.NewGame(rules_pb2.NewGameRequest(players=2, request_id="a"))
    again = rules.NewGame(rules_pb2.NewGameRequest(players=2, request_id="b", seed=first.seed))
    assert first.record == again.record
    assert (first.request_id, again.request_id) == ("a", "b")
    assert first.decision == rules_pb2.Decision(kind="keep_clergy", seat=0)


def test_an_explicit_set_up_is_used_as_it_is(rules: rules_pb2_grpc.RulesServiceStub) -> None:
    dealt = GameRecord.new(HOUSE, 3, 8).to_proto()
    reply = rules.NewGame(rules_pb2.NewGameRequest(players=3, setup=dealt.setup))
    assert reply.record == dealt
    assert not reply.HasField("seed")


@pytest.mark.parametrize("players", [1, 5, 1_000_000])
def test_only_two_to_four_can_play(rules: rules_pb2_grpc.RulesServiceStub, players: int) -> None:
    with pytest.raises(grpc.RpcError) as caught:
        rules.NewGame(rules_pb2.NewGameRequest(players=players, seed=1))
    assert [field for field, _ in violations(caught.value)] == ["players"]


# --- actions --------------------------------------------------------------------------------------------------------


def test_legal_actions_are_those_of_the_engine(connected: Client, whole: GameRecord) -> None:
    for ply in (0, 10, 40):
        game = whole.replay(ply)
        legal = connected.legal_actions(replace(whole, actions=whole.actions[:ply]))
        assert (legal.seat, legal.context) == (game.seat, game.context)
        assert [one.argument for one in legal.actions] == game.legal()
        assert all(one.description.startswith(f"Player {game.seat + 1}") for one in legal.actions)


def test_a_finished_game_has_no_legal_actions(connected: Client, whole: GameRecord) -> None:
    legal = connected.legal_actions(whole)
    assert (legal.over, legal.kind, legal.actions) == (True, "", ())


def test_a_whole_game_is_applied_in_one_call(connected: Client, whole: GameRecord) -> None:
    texts = [action.text for action in whole.actions]
    assert connected.apply(replace(whole, actions=()), *texts) == whole


def test_the_first_action_that_fails_is_named_with_what_was_legal(connected: Client, whole: GameRecord) -> None:
    good = whole.actions[0].text
    with pytest.raises(InvalidRequest) as caught:
        connected.apply(replace(whole, actions=()), good, "store C3 cloth", "fly")
    assert [(one.field, one.reason) for one in caught.value.violations] == [("actions[1].text", "ILLEGAL_ACTION_TEXT")]
    assert caught.value.metadata["index"] == "1"
    game = whole.replay(1)
    first = notation.action_text(HOUSE, game.kind, game.context, game.legal()[0])
    assert caught.value.metadata["legal"].split("; ")[0] == first


def test_an_unreadable_action_is_told_apart(connected: Client, whole: GameRecord) -> None:
    with pytest.raises(InvalidRequest) as caught:
        connected.apply(replace(whole, actions=()), "fly to the moon")
    assert [one.reason for one in caught.value.violations] == ["UNREADABLE_ACTION"]


def test_no_action_is_legal_once_the_game_is_over(connected: Client, whole: GameRecord) -> None:
    with pytest.raises(InvalidRequest) as caught:
        connected.apply(whole, whole.actions[-1].text)
    assert caught.value.violations[0].field.startswith("actions[0]")


# --- knowledge ------------------------------------------------------------------------------------------------------


def test_observing_gives_the_position_and_the_record_that_leads_there(connected: Client, whole: GameRecord) -> None:
    position, record = connected.observe(whole, 1, ply=30)
    assert bytes(position.observation) == bytes(whole.replay(30).observe(1))
    assert record.observer == 1
    assert bytes(record.position().observation) == bytes(position.observation)


def test_a_position_is_advanced_by_what_its_observer_saw(connected: Client, whole: GameRecord) -> None:
    seat = 2
    position, _ = connected.observe(whole, seat, ply=20)
    game = whole.replay(20)
    for action in whole.actions[20:26]:
        game.apply(notation.parse_action(HOUSE, game, action.text))
        revealed = notation.revealed_text(HOUSE, game.revealed(seat)).split()
        position = connected.advance(position, action.text, revealed=revealed)
    assert bytes(position.observation) == bytes(game.observe(seat))


def test_the_truth_needs_a_seat_that_is_there(rules: rules_pb2_grpc.RulesServiceStub, whole: GameRecord) -> None:
    for seat in (None, 3):
        with pytest.raises(grpc.RpcError) as caught:
            rules.Observe(rules_pb2.ObserveRequest(record=whole.to_proto(), seat=seat))
        assert [field for field, _ in violations(caught.value)] == ["seat"]


def test_a_sound_position_has_no_violations(connected: Client, whole: GameRecord) -> None:
    position, _ = connected.observe(whole, 0, ply=25)
    assert connected.validate(position.to_proto()) == ()


def test_every_violation_of_a_position_is_named_at_once(
    connected: Client, rules: rules_pb2_grpc.RulesServiceStub, whole: GameRecord
) -> None:
    message = connected.observe(whole, 0, ply=25)[0].to_proto()
    message.boards[0].hand[0] = "red-knave-1"
    message.decrees[0] = "decree-999"
    fields = ["position.boards[0].hand[0]", "position.decrees[0]"]
    assert {one.field for one in connected.validate(message)} >= set(fields)
    with pytest.raises(grpc.RpcError) as caught:
        rules.ListLegalActions(rules_pb2.ListLegalActionsRequest(position=message))
    assert {field for field, _ in violations(caught.value)} >= set(fields)


# --- scores and the server ------------------------------------------------------------------------------------------


def test_the_score_of_a_finished_game_is_final_and_adds_up(connected: Client, whole: GameRecord) -> None:
    game = whole.replay()
    score = connected.score(whole)
    assert score.over
    assert score.wigs == tuple(game.wigs()) == score.wigs_if_ended
    assert score.winners == tuple(game.winners())
    assert [sum(parts.values()) for parts in score.breakdown] == game.wigs()


def test_the_score_before_the_end_has_no_winners(connected: Client, whole: GameRecord) -> None:
    score = connected.score(replace(whole, actions=()))
    assert (score.over, score.winners, score.wigs) == (False, (), (5, 5, 5))
    assert score.breakdown[0] == {"start": 5.0}


def test_nothing_to_look_at_is_an_error_of_its_field(rules: rules_pb2_grpc.RulesServiceStub) -> None:
    for call, request in (
        (rules.ListLegalActions, rules_pb2.ListLegalActionsRequest()),
        (rules.ScoreGame, rules_pb2.ScoreGameRequest()),
    ):
        with pytest.raises(grpc.RpcError) as caught:
            call(request)  # type: ignore[operator]  # two calls, two requests
        assert [reason for _, reason in violations(caught.value)] == ["REQUIRED"]


def test_a_record_of_an_unknown_edition_is_a_failed_precondition(rules: rules_pb2_grpc.RulesServiceStub) -> None:
    record = record_pb2.GameRecord(edition=position_pb2.EditionRef(name="house", digest="0123456789abcdef"), players=2)
    with pytest.raises(grpc.RpcError) as caught:
        rules.ScoreGame(rules_pb2.ScoreGameRequest(record=record))
    assert isinstance(caught.value, grpc.Call)
    assert caught.value.code() is grpc.StatusCode.FAILED_PRECONDITION


def test_the_server_says_what_it_is(address: str) -> None:
    with grpc.insecure_channel(address) as channel:
        info = server_pb2_grpc.ServerServiceStub(channel).GetServerInfo(server_pb2.GetServerInfoRequest(request_id="x"))
    assert info.request_id == "x"
    assert [(one.name, one.digest) for one in info.editions] == [("house", HOUSE.digest)]
    assert info.engine_build in ("checked", "release")
    assert (info.limits.workers, info.limits.queue, info.default_options.candidates) == (2, 2, 5)
