"""Tracks, turns and agendas that no game can come to: each is refused with the field, the value and what is allowed."""

from __future__ import annotations

import pytest
from faults import Change, add, both, broken, changed, cleared, put, quiet, said, seen, third_round
from positions import MAIA, TABLES, Table, apply, number, play

from engine_ext import core
from lisboa.v1 import position_pb2 as pb
from lisboa_ai.position import UnknownEdition, validate

T = TABLES


# --- tracks and numbers -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("field", "value", "allowed"),
    [
        ("boards[1].reis", -1, "0 to 30000"),
        ("boards[1].reis", 2**31 - 1, "0 to 30000"),
        ("boards[1].influence", 11, "0 to 10"),
        ("boards[1].influence", 2**32 - 1, "0 to 10"),
        ("boards[1].goods.books", -1, "0 to 20"),
        ("boards[1].cubes.red", -1, "0 to 5"),
        ("boards[1].cubes.red", 6, "0 to 5"),
        ("boards[1].markers", 1, "0"),
        ("tracks.treasury", 0, "1 to 8"),
        ("tracks.treasury", 9, "1 to 8"),
        ("tracks.cardinal", 6, "0 to 5"),
        ("tracks.prices.gold", 2, "3 to 6"),
        ("tracks.prices.gold", 7, "3 to 6"),
        ("tracks.prices.cloth", 0, "1 to 4"),
        ("tracks.prices.cloth", 5, "1 to 4"),
        ("tracks.prices.books", 0, "1 to 4"),
        ("tracks.prices.books", -4, "1 to 4"),
        ("tracks.prices.tools", 1, "2 to 5"),
        ("tracks.prices.tools", 6, "2 to 5"),
        ("purple_dealt", 22, "0 to 21"),
        ("observer", 3, "0 to 2"),
        ("players", 1, "2 to 4"),
        ("period", 0, "1 to 2"),
    ],
)
def test_a_marker_off_its_track(field: str, value: int, allowed: str) -> None:
    """House: 8 treasury spaces; prices start at 6, 4, 4, 5 and fall to 3, 1, 1, 2."""
    found = broken(put(field, value))[field]
    assert (found.value, found.allowed, found.reason) == (str(value), allowed, "OUT_OF_RANGE")


@pytest.mark.parametrize(
    ("category", "wigs", "field", "allowed"),
    [
        ("start", 4, "boards[1].wigs.start", "5"),
        ("start", -5, "boards[1].wigs.start", "5"),
        ("sailed", -1, "boards[1].wigs.sailed", "0 or more"),
        ("paid", 1, "boards[1].wigs.paid", "0 or less"),
        ("paid", -6, "boards[1].wigs", "0 or more in all"),
        ("money", 1, "boards[1].wigs.money", "0 before the game is over"),
        ("books_majority", 9, "boards[1].wigs.books_majority", "0 before the game is over"),
        ("church", 1000, "boards[1].wigs.church", "-999 to 999"),
    ],
)
def test_wigs_that_cannot_be(category: str, wigs: int, field: str, allowed: str) -> None:
    """5 at the start (A4); only what is paid counts below 0, and never more than there is (C16)."""
    assert broken(lambda m: m.boards[1].wigs.update({category: wigs}))[field].allowed == allowed


def test_markers_follow_from_the_cubes() -> None:
    """A set is a cube of each colour (I1)."""
    message = seen(cleared(Table(3)).cubes(1, 3, 1, 2).game()).to_proto()
    assert said(put("boards[1].markers", 2), "boards[1].markers", message) == "boards[1].markers: 2; allowed: 0 to 1"


# --- turns ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("turn", [3, 6, 30, 99])
def test_a_turn_takes_a_card(turn: int) -> None:
    """B16: nothing was taken yet, so no turn can be over."""
    assert said(put("turn", turn), "turn") == f"turn: {turn}; allowed: 0, with 0 cards taken from the decks"


def test_six_cards_are_six_turns() -> None:
    message = seen(third_round().game()).to_proto()
    assert said(put("turn", 9), "turn", message) == "turn: 9; allowed: 6, with 6 cards taken from the decks"


def test_the_active_seat_follows_from_the_turn() -> None:
    message = seen(third_round().game()).to_proto()
    assert said(put("active", 1), "active", message) == "active: 1; allowed: 0, the remainder of turn by 3"


def in_period_2() -> pb.Position:
    """Some game for three at the first turn of period 2."""
    game = core.Game.deal(T.engine, 3, 2)
    while game.period == 0 or core.KINDS[game.kind] != "play_card":
        game.apply(game.legal()[0])
    return seen(game).to_proto()


def test_a_period_has_nineteen_turns_at_most() -> None:
    """Three empty decks of five end it (K1): 5 + 5 + 5 cards, and at most 4 of the fourth."""
    message = in_period_2()
    assert 1 <= message.turn <= 19
    assert said(put("turn", message.turn + 18 if message.turn % 3 else 21), "turn", message).endswith(
        "allowed: 1 to 19, with 0 cards taken from the decks"
    )
    assert "turn" in broken(put("turn", 0), in_period_2())


@pytest.mark.parametrize(("last", "allowed"), [(12, "at most 23"), (26, "at most 23"), (22, "at most 23")])
def test_the_last_turn_ends_a_round(last: int, allowed: str) -> None:
    """L1, L3: this round or the next at the latest; in turn 18 to 20 that is turn 20 or 23, the last of its round."""
    message = in_period_2()
    turn = message.turn
    end = (turn // 3 + 2) * 3 - 1
    value = {12: turn - 1, 26: end + 3, 22: end - 1}[last]
    found = broken(put("last_turn", value), message)["last_turn"]
    assert found.allowed == f"the end of this or a later round, at most {end}, in period 2"
    assert "last_turn" in broken(put("last_turn", 2))  # period 1


def test_a_game_is_over_after_its_last_turn() -> None:
    game = core.Game.deal(T.engine, 3, 2)
    game.play_out(2)
    message = seen(game).to_proto()
    assert message.last_turn == message.turn
    assert said(lambda m: m.ClearField("last_turn"), "last_turn", message) == (
        f"last_turn: none; allowed: {message.turn}, the turn after which the game was over"
    )


def test_the_queen_is_out_with_her_card() -> None:
    """M10, N24."""
    allowed = "queen_out: true; allowed: true just when the variant is played and her card was turned up"
    assert said(put("queen_out", True), "queen_out") == allowed
    assert said(put("queen_out", True), "queen_out", seen(Table(3, queen=True).game()).to_proto()) == allowed
    game = core.Game.deal(T.engine, 3, 2, queen=True)
    game.play_out(2)
    message = seen(game).to_proto()
    queen = next(card.id for card in T.cards if card.queen)
    shown = any(queen in (*deck.taken, deck.face_up) for deck in message.decks)
    assert message.queen_out == shown
    assert "queen_out" in broken(put("queen_out", not shown), message)


# --- the agenda -------------------------------------------------------------------------------------------------------


def frame(kind: str, seat: int = 0, a: int = 0, b: int = 0) -> pb.AgendaFrame:
    return pb.AgendaFrame(kind=kind, seat=seat, a=a, b=b)


def instead(*frames: pb.AgendaFrame) -> Change:
    """Frames on top of take_card, instead of play_card."""

    def change(message: pb.Position) -> None:
        del message.agenda[-1]
        message.agenda.extend(frames)
        if message.boards[0].hand:
            message.cards_gone.append(message.boards[0].hand.pop())

    return change


def test_a_frame_of_the_wrong_seat() -> None:
    assert said(put("agenda[3].seat", 1), "agenda[3].seat") == "agenda[3].seat: 1; allowed: 0, as in the frame below"


def test_a_frame_of_the_wrong_kind() -> None:
    found = broken(put("agenda[3].kind", "make_room"))["agenda[3].kind"]
    assert found.value == "'make_room'"
    assert found.allowed.startswith("on take_card: ")
    assert "play_card" in found.allowed


def test_frames_in_the_wrong_order() -> None:
    def change(message: pb.Position) -> None:
        message.agenda[2].kind, message.agenda[3].kind = "play_card", "take_card"

    found = broken(change)
    assert found["agenda[2].kind"].allowed == "on church_scoring: discard_rewards, take_card"
    assert found["agenda[3].kind"].allowed == "on play_card: nothing"


@pytest.mark.parametrize(
    ("one", "field", "allowed"),
    [
        (frame("recruit", a=4), "agenda[3].a", "1 to 3 for recruit"),
        (frame("meet_cardinal", a=0), "agenda[3].a", "1 to 5 for meet_cardinal"),
        (frame("choice", a=157), "agenda[3].a", "0 to 156 for choice"),
        (frame("choice", a=3, b=5), "agenda[3].b", "0 to 4, or 256 to 260"),
        (frame("good_any", a=-1), "agenda[3].a", "1 to 8 for good_any"),
        (frame("good_any", a=70000), "agenda[3].a", "-32768 to 32767"),
        (frame("take_decree", b=2), "agenda[3].b", "0 or 1"),
        (frame("spend_marker"), "agenda[3].seat", "a seat with a marker that has not spent one this turn"),
        (frame("store_house", a=number("land-C3")), "agenda[3].a", "a store without owner"),
        (frame("building_plan"), "agenda[3].a", "a site in city.sites_opening"),
        (frame("sell", a=41), "agenda[3].a", "0 to 40 for sell"),
    ],
    ids=lambda value: value.kind if isinstance(value, pb.AgendaFrame) else None,
)
def test_arguments_that_do_not_fit(one: pb.AgendaFrame, field: str, allowed: str) -> None:
    assert broken(instead(one))[field].allowed == allowed


def test_only_a_holder_of_the_favor_is_asked_to_follow() -> None:
    """D6."""
    window = [frame("follow_window", 0, MAIA, 2), frame("follow", 1, MAIA)]
    message = seen(Table(3).favors(1, MAIA).game()).to_proto()
    instead(*window)(message)
    assert validate(message) == []
    assert said(instead(*window), "agenda[4].seat") == "agenda[4].seat: 1; allowed: a seat with the favor of maia"


def test_only_who_can_pay_is_asked_to_follow() -> None:
    """N25. Treasury influence 2 and nothing to pay with."""
    message = seen(Table(3).favors(1, MAIA).game()).to_proto()
    instead(frame("follow_window", 0, MAIA, 2), frame("follow", 1, MAIA))(message)
    change = both(put("boards[1].influence", 1), lambda m: m.boards[1].wigs.update(paid=-5))
    assert broken(change, message)["agenda"].reason == "DEAD_END"


def test_the_window_asks_clockwise() -> None:
    window = [frame("follow_window", 0, MAIA, 3), frame("follow", 1, MAIA)]
    table = Table(3).favors(1, MAIA).favors(2, MAIA)
    found = broken(instead(*window), seen(table.game()).to_proto())
    assert found["agenda[4].seat"].allowed == "2, whose turn in the window it is"


def test_a_duty_that_cannot_be_met() -> None:
    """B4: after a tuck something is sold or traded; without goods neither can be."""
    game = apply(third_round().game(), play(1, "blue-marquis-1"))
    message = seen(game).to_proto()
    assert [one.kind for one in message.agenda[-3:]] == ["sell_or_trade", "tuck", "make_room"]
    found = broken(lambda m: m.boards[0].goods.Clear(), message)
    assert str(found["agenda[5]"]) == "agenda[5]: make_room; allowed: a decision with a legal action"


def test_a_tuck_without_its_card() -> None:
    game = apply(third_round().game(), play(1, "blue-marquis-1"))
    message = seen(game).to_proto()
    card = number("blue-marquis-1")
    found = broken(put("agenda[4].a", card + 1), message)
    assert found["agenda[4].a"].allowed == f"{card}, the card in played"


def test_starting_tiles_are_chosen_in_seat_order() -> None:
    message = seen(core.Game.deal(T.engine, 3, 1), 0).to_proto()
    assert [one.seat for one in message.agenda[-3:]] == [2, 1, 0]
    found = broken(both(put("agenda[3].seat", 2), put("agenda[2].seat", 1)), message)
    assert str(found["agenda"]) == "agenda: keep_clergy; allowed: seats in turn order, the first on top"


@pytest.mark.parametrize(("seat", "drawn", "allowed"), [(0, 1, "2"), (0, 0, "2"), (1, 1, "0")])
def test_an_observer_has_drawn_two_tiles(seat: int, drawn: int, allowed: str) -> None:
    """Nobody sees what others have drawn."""
    message = seen(core.Game.deal(T.engine, 2, 1), 0).to_proto()
    tiles = [f"clergy-{30 + i}" for i in range(drawn)]
    assert said(put(f"boards[{seat}].drawn", tiles), f"boards[{seat}].drawn", message) == (
        f"boards[{seat}].drawn: {drawn} tiles; allowed: {allowed}, as the observer sees it"
    )


def test_who_has_chosen_a_starting_tile_holds_one() -> None:
    game = core.Game.deal(T.engine, 3, 1)
    game.apply(game.legal()[0])
    message = seen(game, 1).to_proto()
    found = broken(put("boards[0].clergy", []), message)["boards[0].clergy"]
    assert found.allowed == "1, or 0 before keep_clergy, while starting tiles are chosen"
    spare = next(f"clergy-{i}" for i in range(1, 38) if f"clergy-{i}" not in message.boards[1].drawn)
    assert "boards[2].clergy" in broken(add("boards[2].clergy", spare), seen(game, 1).to_proto())


def test_clergy_is_given_up_clockwise() -> None:
    frames = [frame("upkeep"), frame("give_clergy", 0), frame("give_clergy", 2), frame("give_clergy", 1)]
    change: Change = lambda m: (m.ClearField("agenda"), m.agenda.extend(frames))  # noqa: E731
    message = seen(apply(Table(3).game(), number("blue-maia-1"))).to_proto()
    card = message.decks[0].face_up
    take: Change = both(
        add("boards[0].hand", card), put("decks[0].face_up", ""), add("decks[0].taken", card), change
    )  # seat 0 has taken a card, and a church scoring is on
    sound = changed(take, message)
    assert validate(sound) == []
    found = broken(both(put("agenda[2].seat", 1), put("agenda[3].seat", 2)), sound)
    assert str(found["agenda"]) == "agenda: give_clergy; allowed: seats clockwise, the first on top"


def test_an_agenda_that_ends_with_no_decision() -> None:
    def change(message: pb.Position) -> None:
        del message.agenda[-2:]

    assert broken(change)["agenda[1].kind"].reason == "NOT_A_DECISION"


def test_nothing_is_pending_when_the_game_is_over() -> None:
    assert broken(put("over", True))["agenda"].allowed == "none when the game is over"


# --- editions, and several at once ------------------------------------------------------------------------------------


@pytest.mark.parametrize(("field", "value"), [("name", "castle"), ("name", ""), ("digest", "0" * 16), ("digest", "é")])
def test_another_edition(field: str, value: str) -> None:
    message = quiet()
    put(f"edition.{field}", value)(message)
    with pytest.raises(UnknownEdition, match=f"allowed: house {T.digest}"):
        validate(message)


def test_independent_faults_are_named_together() -> None:
    """What can be read is counted, whatever is wrong elsewhere."""

    def change(message: pb.Position) -> None:
        message.decrees[7] = "decree-0"
        message.city.gone.red = 1
        message.city.large_left = 19
        message.boards[0].goods.gold = 3
        message.boards[1].decrees.append(quiet().decrees[0])
        message.tracks.prices.books = 0
        message.agenda[3].seat = 1
        message.boards[1].offices.marquis = 3

    found = {field: violation.reason for field, violation in broken(change).items()}
    assert found == {
        "tracks.prices.books": "OUT_OF_RANGE",
        "decrees[7]": "UNKNOWN_ID",
        "boards[1].decrees[0]": "DUPLICATE",
        "city": "WRONG_TOTAL",
        "city.large_left": "WRONG_TOTAL",
        "boards[0].goods.gold": "TOO_MANY",
        "boards[].offices.marquis": "TOO_MANY",
        "agenda[3].seat": "DOES_NOT_FIT",
    }


def test_what_cannot_be_read_is_not_counted() -> None:
    """An unknown colour of cubes leaves the totals open: one fault, not two."""
    assert list(broken(put("boards[2].cubes.red", 6))) == ["boards[2].cubes.red"]
