"""Perft: the engine and the referee count the same sequences of decisions, from positions of every phase."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests import perft
from tests.perft import Counted, Perft, Spoken, count, first_difference, names, refereed
from tests.perft.__main__ import main
from tests.perft.positions import WANTED

PERFTS = [pytest.param(Perft.read(name), id=name) for name in names()]


@pytest.mark.parametrize("position", PERFTS)
def test_the_engine_counts_what_the_file_says(position: Perft) -> None:
    game = position.game_record().replay()
    counted = position.counted_by("engine")
    assert counted
    assert [count(game, each.depth) for each in counted] == [each.count for each in counted]


@pytest.mark.parametrize("position", PERFTS)
def test_the_referee_counts_what_the_file_says(position: Perft) -> None:
    record = position.game_record()
    for each in position.counted_by("referee"):
        if count(refereed(record), each.depth) != each.count:
            where = first_difference(Spoken(record.tables, record.replay()), refereed(record), each.depth)
            pytest.fail(f"depth {each.depth}: {where or 'nowhere, the file is old'}", pytrace=False)


# --- counts that can be worked out by hand --------------------------------------------------------------------------


def counts(name: str) -> list[int]:
    return [each.count for each in Perft.read(name).counts]


def test_n1_a6_three_players_keep_one_of_two_tiles_then_five_cards_have_three_uses() -> None:
    assert counts("set-up")[:4] == [2, 2 * 2, 2 * 2 * 2, 2 * 2 * 2 * 5 * 3]


def test_n2_of_five_cards_a_first_and_a_second_are_kept_by_each_player_in_turn() -> None:
    assert counts("draft-start")[:6] == [5, 5 * 4, 20 * 5, 20 * 5 * 4, 400 * 5, 400 * 5 * 4]


def test_n2_of_the_second_packet_of_three_one_card_is_kept_and_the_last_is_passed_by_itself() -> None:
    # seat 0 kept its first card of three before; two more seats have nothing left to choose but one of the last two
    assert counts("draft-second-pass")[:3] == [2, 4, 8]


def test_k2_a_hand_of_five_may_be_discarded_in_ascending_order_or_not_at_all() -> None:
    # stop, or one of five cards; after the i-th of them those behind it, or stop; after the first stop the next player
    after_a_card = sum(behind + 1 for behind in (4, 3, 2, 1, 0))
    assert counts("period-change")[:2] == [5 + 1, after_a_card + 6]


def test_l2_nothing_follows_the_last_turn_of_all() -> None:
    assert counts("last-round-of-two")[-1] == 0


# --- the counting itself ----------------------------------------------------------------------------------------------


class Tree:
    """A game of given moves: each is a name and what may follow."""

    def __init__(self, moves: dict[str, Any]) -> None:
        self.moves = moves

    def copy(self) -> Tree:
        return Tree(self.moves)

    def legal(self) -> list[str]:
        return list(self.moves)

    def apply(self, move: str, /) -> None:
        self.moves = self.moves[move]


def test_sequences_of_full_length_are_counted_and_the_game_stays_as_it_is() -> None:
    tree = Tree({"a": {"b": {}, "c": {"d": {}}}, "e": {}})
    assert [count(tree, depth) for depth in (1, 2, 3, 4)] == [2, 2, 1, 0]
    assert tree.legal() == ["a", "e"]


def test_the_first_difference_names_the_way_there_and_both_sides() -> None:
    one, other = Tree({"a": {"b": {}}, "c": {"d": {}}}), Tree({"a": {"b": {}}, "c": {"e": {}}})
    assert first_difference(one, other, 2) == "c; only engine: d; only referee: e"
    assert first_difference(one, other, 1) == ""


# --- the files --------------------------------------------------------------------------------------------------------


def test_every_position_has_its_file_and_every_file_its_position() -> None:
    assert set(names()) == set(WANTED)
    assert {wanted.seats for wanted in WANTED.values()} == {2, 3, 4}
    assert any(wanted.queen for wanted in WANTED.values())
    assert any(wanted.draft for wanted in WANTED.values())


@pytest.mark.parametrize("name", WANTED)
def test_the_position_is_what_it_is_said_to_be(name: str) -> None:
    game = Perft.read(name).game_record().replay()
    spoken = Spoken(Perft.read(name).game_record().tables, game)
    assert game.seats == WANTED[name].seats
    assert WANTED[name].when(game)
    assert len(spoken.legal()) == Perft.read(name).counts[0].count, "different actions have different texts"


def test_a_file_is_written_as_it_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    position = Perft.read("queen")
    text = (perft.FOLDER / "queen.txt").read_text(encoding="utf-8")
    monkeypatch.setattr(perft, "FOLDER", tmp_path)
    position.write()
    assert (tmp_path / "queen.txt").read_text(encoding="utf-8") == text


def test_a_line_that_is_none_of_a_file_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "odd.txt").write_text("# about\ndepth 1 count 2 nobody\n", encoding="utf-8")
    monkeypatch.setattr(perft, "FOLDER", tmp_path)
    with pytest.raises(ValueError, match=r"odd\.txt line 2: 'depth 1 count 2 nobody'; allowed: "):
        Perft.read("odd")


def test_a_wrong_count_is_reported_with_exit_code_1(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    right = Perft.read("set-up")
    counts = Counted(1, 2, ("engine",)), Counted(2, 5, ("engine", "referee"))
    wrong = Perft("set-up", right.about, right.record, counts)
    monkeypatch.setattr(perft, "FOLDER", tmp_path)
    wrong.write()
    assert main(["set-up"]) == 1
    assert "depth 2           4" in capsys.readouterr().out
    assert main(["set-up", "--referee"]) == 1
    assert "nowhere: the file is old" in capsys.readouterr().out
