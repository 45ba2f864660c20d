"""Assumptions of the caller about a rival's hand: they hold in every sample, and what cannot be is refused.

That the rest stays uniform under them is with the other counts: test_knowledge_uniform.py, test_knowledge_draft.py.
"""

from __future__ import annotations

import itertools
import json
import random
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from hidden import BLUE, KIND, PURPLE, Moment, contradictions, hand, moments, sight, taker
from positions import TABLES, Table, number

from engine_ext import core
from lisboa_ai.analysis import SearchLimits, SearchOptions, analyse, evaluate
from lisboa_ai.cli import cli
from lisboa_ai.cli.advise import as_data
from lisboa_ai.position import Position


def assumed_at_random(moment: Moment, seat: int, rng: random.Random) -> dict[int, list[int]]:
    """For each rival some of the dealt cards that it holds in truth, and so can hold for all that the seat knows."""
    fields = moment.game.fields()
    dealt = {s: [c for c in hand(fields, s) if c in BLUE | PURPLE] for s in range(fields["seats"]) if s != seat}
    return {rival: rng.sample(cards, rng.randint(0, len(cards))) for rival, cards in dealt.items()}


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_an_assumption_holds_in_every_sample(seats: int) -> None:
    """Also of purple cards in period 2; and the worlds are no worse for it."""
    rng = random.Random(seats)
    purple = 0
    for moment in moments(seats, 70 + seats, chance=0.15):
        seat = rng.randrange(seats)
        observation = moment.game.observe(seat)
        assumed = assumed_at_random(moment, seat, rng)
        supposed = observation
        for rival, cards in assumed.items():
            supposed = supposed.assume(rival, cards)
        for seed in range(12):
            world = supposed.sample_world(seed)
            for rival, cards in assumed.items():
                assert set(cards) <= set(hand(world.fields(), rival))
                purple += bool(PURPLE & set(cards))
            assert bytes(world.observe(seat)) == bytes(observation), "what is assumed was not seen"
            assert world.broken() == []
            assert contradictions(world.fields(), moment.game.fields(), seat) == []
    assert purple > 20


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_an_assumption_about_drafted_hands_holds_in_every_sample(seats: int) -> None:
    """One card of one rival: seen passing, or never seen."""
    rng = random.Random(10 + seats)
    for moment in moments(seats, 80 + seats, draft=True, chance=0.2):
        seat = rng.randrange(seats)
        observation = moment.game.observe(seat)
        rival = (seat + rng.randrange(1, seats)) % seats
        mine = [card for card in hand(moment.game.fields(), rival) if card in BLUE]
        for card in mine:
            for seed in range(4):
                world = observation.assume(rival, [card]).sample_world(seed)
                assert card in hand(world.fields(), rival)
                assert bytes(world.observe(seat)) == bytes(observation)
                assert world.broken() == []
                assert contradictions(world.fields(), moment.game.fields(), seat) == []


def test_with_all_of_a_hand_assumed_only_those_cards_are_played() -> None:
    """Seat 1's whole hand is assumed while it is to act: the search offers the plays of these five and no others."""
    game = Table(2).pending("play_card", seat=1).game()
    observation = game.observe(0)
    cards = tuple(number(f"blue-treasury-{i}") for i in (1, 2, 3, 4, 5))
    limits, options = SearchLimits(iterations=150, seed=1), SearchOptions(candidates=1000, assumptions=((1, cards),))
    found = evaluate(observation, limits, options)
    assert {candidate.actions[0] & 127 for candidate in found.candidates} == set(cards)
    free = evaluate(observation, limits, SearchOptions(candidates=1000))
    assert len({candidate.actions[0] & 127 for candidate in free.candidates}) > 10


def test_what_is_known_may_be_assumed_again() -> None:
    """A card that was taken openly is known to be there; to assume it changes nothing."""
    for moment in moments(2, 5, chance=0.3):
        known = [card for card in hand(moment.game.fields(), 1) if card not in BLUE | PURPLE]
        if known:
            observation = moment.game.observe(0)
            assert observation.assume(1, known) == observation
            return
    raise AssertionError("no such moment")


def test_assumptions_leave_the_observation_as_it_was() -> None:
    observation = Table(3).game().observe(0)
    before = bytes(observation)
    observation.assume(1, observation.pool(0)[:5])
    assert bytes(observation) == before


# --- what cannot be ---------------------------------------------------------------------------------------------------


def supposing(*assumptions: tuple[int, list[str]]) -> core.Observation:
    """Three players, seat 0 to move. Seat 0 holds blue-maia-1; seat 2 played blue-treasury-6 and holds four cards."""
    table = Table(3).hand(2, "blue-treasury-1", "blue-treasury-2", "blue-treasury-3", "blue-treasury-4")
    observation = table.bottom(2, "blue-treasury-6").game().observe(0)
    for seat, cards in assumptions:
        observation = observation.assume(seat, [number(card) for card in cards])
    return observation


@pytest.mark.parametrize(
    ("seat", "card", "hidden"),
    [
        (1, "blue-maia-1", True),  # the observer holds it
        (1, "blue-treasury-6", True),  # lies open in a portfolio
        (2, "red-king-3", False),  # of a display deck: whoever takes it is seen to
        (1, "brown-king-3", False),
    ],
)
def test_a_card_that_is_known_to_be_elsewhere_is_refused_by_name(seat: int, card: str, hidden: bool) -> None:
    said = rf"card: {number(card)} cannot be in seat {seat}'s hand; allowed: "
    with pytest.raises(ValueError, match=said) as refused:
        supposing((seat, [card]))
    allowed = str(refused.value).partition("allowed: ")[2]
    assert allowed == (", ".join(map(str, supposing().pool(0))) if hidden else "none"), "what may be in that hand"


def test_a_card_assumed_in_one_hand_is_refused_in_another() -> None:
    with pytest.raises(ValueError, match=rf"card: {number('blue-king-4')} cannot be in seat 2's hand; allowed: "):
        supposing((1, ["blue-king-4"]), (2, ["blue-king-4"]))


def test_more_cards_than_are_hidden_in_a_hand_are_refused() -> None:
    pool = [TABLES.id("card", card) for card in supposing().pool(0)]
    supposing((1, pool[:5]))
    with pytest.raises(ValueError, match=r"seat 1\b"):
        supposing((1, pool[:6]))
    with pytest.raises(ValueError, match=r"seat 2\b"):
        supposing((2, ["purple-king-1"]))


@pytest.mark.parametrize(
    ("seat", "cards", "said"),
    [
        (3, [0], "seat: 3 is not a seat; allowed: 0 to 2"),
        (-1, [0], "seat: -1 is not a seat; allowed: 0 to 2"),
        (1, [82], "assumptions: 82 is not a card; allowed: 0 to 81"),
        (1, [-1], "assumptions: -1 is not a card; allowed: 0 to 81"),
    ],
)
def test_what_is_no_seat_or_no_card_is_refused(seat: int, cards: list[int], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        supposing().assume(seat, cards)


def test_the_search_names_the_assumption_that_cannot_be() -> None:
    def search(*assumptions: tuple[int, tuple[int, ...]]) -> None:
        analyse(supposing(), SearchLimits(iterations=1), SearchOptions(assumptions=assumptions))

    king, own = number("blue-king-4"), number("blue-maia-1")
    search((1, (king,)))
    with pytest.raises(ValueError, match=rf"assumptions\[1\]: card: {own} cannot be in seat 2's hand; allowed: "):
        search((1, (king,)), (2, (own,)))
    with pytest.raises(
        ValueError, match=r"assumptions\[0\]: seat 0 is the observer, whose hand is known; allowed: a r"
    ):
        search((0, (own,)))


# --- on the command line ----------------------------------------------------------------------------------------------


def advise(tmp_path: Path, *assumptions: str) -> Result:
    path = tmp_path / "position.json"
    path.write_text(Position(TABLES, Table(3).game().observe(0)).to_json(), encoding="utf-8")
    args = [arg for text in assumptions for arg in ("--assume", text)]
    return CliRunner().invoke(cli, ["advise", str(path), "--iterations", "30", "--seed", "4", "--json", *args])


def test_assume_on_the_command_line_is_the_assumption_of_the_search(tmp_path: Path) -> None:
    result = advise(tmp_path, "1=blue-king-4,blue-king-5", "2=blue-treasury-1")
    assert result.exit_code == 0
    supposed = Table(3).game().observe(0).assume(1, [number("blue-king-4"), number("blue-king-5")])
    supposed = supposed.assume(2, [number("blue-treasury-1")])
    expected = json.loads(json.dumps(as_data(TABLES, analyse(supposed, SearchLimits(iterations=30, seed=4)))))
    found = json.loads(result.stdout)
    free = json.loads(advise(tmp_path).stdout)
    for answer in (expected, found, free):
        answer.pop("elapsed", None)
    assert found["candidates"] == expected["candidates"] != free["candidates"]


@pytest.mark.parametrize(
    ("assumptions", "said"),
    [
        (
            ["1=blue-maia-1"],
            "assumptions[0]: seat 1 cannot hold blue-maia-1; allowed: hidden cards of",
        ),
        (
            ["1=blue-king-4", "2=red-king-3"],
            "assumptions[1]: seat 2 cannot hold red-king-3; allowed: hidden cards of",
        ),
        (["0=blue-maia-1"], "assumptions[0]: seat 0 is the observer, whose hand is known; allowed: a rival's seat"),
        (["3=blue-maia-1"], "assumptions[0]: '3=blue-maia-1'; allowed: SEAT=CARD with a seat from 0 to 2"),
        (["1=blue-maia-9"], "blue-maia-9"),
    ],
)
def test_assume_on_the_command_line_refuses_what_cannot_be(tmp_path: Path, assumptions: list[str], said: str) -> None:
    result = advise(tmp_path, *assumptions)
    assert result.exit_code == 2
    assert said in result.stderr
    assert result.stderr.count("\n") == 1


def test_a_truth_always_agrees_with_what_it_is_assumed_to_be() -> None:
    """All of all rivals' hands assumed at once as they are: every sample has them."""
    for moment in moments(4, 9, chance=0.1):
        supposed = moment.game.observe(2)
        fields = moment.game.fields()
        for rival in (0, 1, 3):
            supposed = supposed.assume(rival, hand(fields, rival))
        for seed in range(3):
            world = supposed.sample_world(seed).fields()
            assert [sorted(hand(world, seat)) for seat in range(4)] == [sorted(hand(fields, seat)) for seat in range(4)]


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_what_the_draft_rules_out_is_refused(seats: int) -> None:
    """N2: who watched the packets knows who cannot hold a card; nobody holds more unseen cards than it took."""
    moment = next(m for m in moments(seats, 60, draft=True) if m.game.kind == KIND["play_card"])
    fields, observation = moment.game.fields(), moment.game.observe(0)
    unseen, groups, _ = sight(fields, 0)
    for rival in range(1, seats):
        for group in groups:
            mine = [place for place in group if taker(fields, place) == rival]
            cards = [fields["packets"][packet][i] for packet, i in group]
            for card in cards if not mine else ():
                with pytest.raises(ValueError, match=rf"card: {card} cannot be in seat {rival}'s hand"):
                    observation.assume(rival, [card])
            if mine and len(cards) > 1:
                with pytest.raises(ValueError, match=rf"card: {cards[1]} cannot be in seat {rival}'s hand"):
                    observation.assume(rival, cards[:2])
        room = sum(taker(fields, place) == rival for place in unseen)
        pool = observation.pool(0)
        observation.assume(rival, pool[:room])
        with pytest.raises(ValueError, match=rf"card: {pool[room]} cannot be in seat {rival}'s hand"):
            observation.assume(rival, pool[: room + 1])


def test_two_assumptions_about_the_three_cards_passed_on_settle_the_third() -> None:
    """N2 with four: of the three cards that seat 0 passed on, seats 1, 2 and 3 kept one each."""
    game = next(m.game for m in moments(4, 1, draft=True) if m.game.kind == KIND["play_card"])
    cards = sorted(game.fields()["packets"][0][2:])
    for order in itertools.permutations(cards):
        for known in itertools.combinations((0, 1, 2), 2):
            supposed = game.observe(0)
            for i in known:
                supposed = supposed.assume(i + 1, [order[i]])
            for seed in range(20):
                world = supposed.sample_world(seed)
                assert world.broken() == []
                assert all(order[i] in hand(world.fields(), i + 1) for i in range(3))


def test_an_assumption_too_many_names_seat_and_card() -> None:
    """A hand of five has no room for a sixth."""
    observation = Table(3).game().observe(0)
    pool = observation.pool(0)
    with pytest.raises(ValueError, match=rf"card: {pool[5]} cannot be in seat 1's hand; allowed: none"):
        observation.assume(1, pool[:6])


def test_a_drafted_card_that_lies_in_a_portfolio_is_in_no_hand() -> None:
    """N2, K7: a card that was seen passing and was tucked since is where everybody sees it."""
    for moment in moments(3, 61, draft=True):
        fields = moment.game.fields()
        tucked = [
            (seat, card)
            for seat in (1, 2)
            for card in fields["players"][seat]["top"][: fields["players"][seat]["n_top"]]
            if card in BLUE and any(card in packet for packet in moment.game.observe(0).fields()["packets"])
        ]
        if tucked and core.KINDS[moment.game.kind] == "play_card":
            for seat, card in tucked:
                with pytest.raises(ValueError, match=rf"card: {card} cannot be in seat {seat}'s hand"):
                    moment.game.observe(0).assume(seat, [card])
            return
    raise AssertionError("no such moment")
