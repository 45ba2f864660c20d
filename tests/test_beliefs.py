"""What rivals' choices say about their hands: scores by hand, worlds drawn by weight, and no change where it is off."""

from __future__ import annotations

from dataclasses import replace

import pytest
from positions import ENGINE, KIND, TABLES

from engine_ext.core import UNKNOWN_BLUE, Game, Observation
from engine_ext.search.searcher import Searcher, card_weights, sample_hands
from lisboa_ai import beliefs, notation
from lisboa_ai.analysis import SearchLimits, SearchOptions, analyse
from lisboa_ai.arena import Match, parse_player, play_game
from lisboa_ai.arena.players import Player
from lisboa_ai.beliefs import Beliefs, Choice
from lisboa_ai.bots import RandomBot
from lisboa_ai.record import GameRecord

HIDDEN = range(82, 256)


def after_cards(seats: int, cards: int, seed: int = 1) -> tuple[Game, list[tuple[Observation, int]]]:
    """A game of first legal actions up to seat 0's turn after so many cards of the others, and what seat 0 saw."""
    game = Game.deal(ENGINE, seats, seed)
    history: list[tuple[Observation, int]] = []
    while len(history) < cards or game.seat != 0 or game.kind != KIND["play_card"]:
        argument = game.legal()[-1]
        if game.seat != 0 and game.kind == KIND["play_card"]:
            history.append((game.observe(0), argument))
        game.apply(argument)
    return game, history


def blanks(observation: Observation, seat: int) -> int:
    player = observation.fields()["players"][seat]
    return sum(card in HIDDEN for card in player["hand"][: player["n_hand"]])


# --- what a choice says -----------------------------------------------------------------------------------------------


def test_a_hand_weighs_by_what_the_card_played_was_of_all_it_could_play() -> None:
    """So much of 20 against so much of 40."""
    observation = Game.deal(ENGINE, 2, 1).observe(0)
    found = Beliefs(observation, (Choice(1, shown=10.0, hidden=1, scores={5: 10.0, 6: 30.0}),))
    ratio = found.log_weight([[], [5]]) - found.log_weight([[], [6]])
    assert ratio == pytest.approx(0.6931471805599453)


def test_a_choice_says_nothing_about_a_hand_of_other_cards() -> None:
    observation = Game.deal(ENGINE, 2, 1).observe(0)
    found = Beliefs(observation, (Choice(1, shown=10.0, hidden=1, scores={5: 10.0, 6: 30.0}),))
    assert found.log_weight([[], [7]]) == 0.0


def test_the_weights_of_a_hand_are_those_of_its_cards_whoever_looks_at_it() -> None:
    game, _ = after_cards(3, 0)
    player = game.fields()["players"][0]
    hand = list(player["hand"][: player["n_hand"]])
    own = card_weights(game.observe(0), hand)
    assert card_weights(game.observe(1), hand) == own
    assert all(weight > 0 for weight in own)


def test_a_card_that_cannot_be_in_a_hand_known_in_full_is_refused() -> None:
    game, _ = after_cards(2, 0)
    other = game.observe(0).pool(0)[0]
    with pytest.raises(ValueError, match=f"cards: {other} is not in a hand of which all is known; allowed"):
        card_weights(game.observe(0), [other])


def test_only_a_card_to_be_played_has_such_weights() -> None:
    game = Game.deal(ENGINE, 2, 1)
    while game.kind == KIND["play_card"]:
        game.apply(game.legal()[-1])
    with pytest.raises(ValueError, match="view: no card is to be played; allowed"):
        card_weights(game.observe(0), [1])


def test_what_was_hidden_and_is_known_by_now_counts_as_shown() -> None:
    """After each of his cards the rival has one blank less, and every choice is about the blanks that are left."""
    game, history = after_cards(2, 3)
    observation = game.observe(0)
    found = beliefs.read(observation, history).choices
    assert len(found) == 3
    assert {choice.seat for choice in found} == {1}
    assert {choice.hidden for choice in found} == {blanks(observation, 1)}
    for choice, (view, argument) in zip(found, history, strict=True):
        assert choice.shown >= card_weights(view, [argument % 128])[0] > 0
        assert set(choice.scores) == set(observation.pool(0))
    assert [blanks(view, 1) for view, _ in history] == sorted((blanks(view, 1) for view, _ in history), reverse=True)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_draft_hides_cards_in_hands_that_were_passed_on(seats: int) -> None:
    """The pool lacks cards that seat 0 saw in packets, yet rivals hold some: a choice weighs those as well."""
    for seed in range(6):
        game = Game.deal(ENGINE, seats, seed, draft=True)
        history: list[tuple[Observation, int]] = []
        while len(history) < 2 * (seats - 1) or game.seat != 0 or game.kind != KIND["play_card"]:
            argument = game.legal()[-1]
            if game.seat != 0 and game.kind == KIND["play_card"]:
                history.append((game.observe(0), argument))
            game.apply(argument)
        observation = game.observe(0)
        found = beliefs.read(observation, history).choices
        assert {choice.seat for choice in found} == set(range(1, seats))
        for choice in found:
            for hands in sample_hands(observation, seed, 20):
                assert len(set(hands[choice.seat]) & set(choice.scores)) == choice.hidden


def test_own_choices_and_other_decisions_say_nothing() -> None:
    game, history = after_cards(2, 2)
    observation = game.observe(0)
    own = (observation, observation.legal()[0])
    assert beliefs.read(observation, [*history, own]) == beliefs.read(observation, history)
    assert beliefs.views(observation, [own], seed=1) == beliefs.NOTHING


def test_a_record_holds_the_history_of_its_observer_and_the_truth_that_of_every_seat() -> None:
    record = GameRecord.new(TABLES, 2, seed=1)
    game, texts = record.replay(), []
    while game.turn < 4:
        texts.append(notation.action_text(TABLES, game.kind, game.context, game.legal()[-1]))
        game.apply(game.legal()[-1])
    truth = record.extend(texts)
    seen = beliefs.history(truth, 0)
    assert seen
    assert all(view.observer == 0 != view.seat and view.kind == KIND["play_card"] for view, _ in seen)
    assert beliefs.history(truth.observe(0)) == seen
    with pytest.raises(ValueError, match="seat: none; allowed: a seat, for a record of the truth"):
        beliefs.history(truth)


# --- worlds -----------------------------------------------------------------------------------------------------------


def test_sampled_hands_fill_the_blanks_from_the_pool() -> None:
    game, _ = after_cards(3, 2)
    observation = game.observe(0)
    pool = set(observation.pool(0))
    for hands in sample_hands(observation, 7, 20):
        dealt = [card for hand in hands for card in hand]
        assert [len(hand) for hand in hands] == [blanks(observation, seat) for seat in range(3)]
        assert len(set(dealt)) == len(dealt)
        assert set(dealt) <= pool
    assert sample_hands(observation, 7, 3) == sample_hands(observation, 7, 3)


def test_views_are_drawn_in_proportion_to_their_weight(monkeypatch: pytest.MonkeyPatch) -> None:
    """With a card that all but rules the choice out in a hand without it, every view has it in that hand."""
    game, history = after_cards(2, 1)
    observation = game.observe(0)
    wanted = observation.pool(0)[0]
    scores = {card: 0.0 if card == wanted else 1e9 for card in observation.pool(0)}
    number = blanks(observation, 1)
    sure = Beliefs(observation, (Choice(1, 1.0, number, {**scores, wanted: -1e9 * (number - 1)}),))
    monkeypatch.setattr(beliefs, "read", lambda seen, history: sure)
    found = beliefs.views(observation, history, seed=1)
    held = sum(wanted in hands[1] for hands in sample_hands(observation, beliefs.seed_of(1, "beliefs"), beliefs.POOL))
    assert len(found.views) == beliefs.DRAWN
    for view in found.views:
        player = view.fields()["players"][1]
        assert wanted in player["hand"][: player["n_hand"]]
        assert UNKNOWN_BLUE not in player["hand"][: player["n_hand"]]
    assert found.effective_samples == pytest.approx(held)


def test_worlds_of_a_search_come_from_its_views() -> None:
    """What is assumed in the only view is found in the search; perfect-information search has worlds of its own."""
    game, _ = after_cards(2, 4)
    observation = game.observe(0)
    with pytest.raises(ValueError, match="views: 1 with 'pimc'; allowed: none"):
        Searcher(observation, views=[observation], algorithm="pimc")
    with pytest.raises(ValueError, match="beliefs: True with 'pimc'; allowed: False"):
        SearchOptions(beliefs=True, algorithm="pimc")
    plain = Searcher(observation, seed=1)
    viewed = Searcher(observation, seed=1, views=[observation.assume(1, observation.pool(0)[:1])])
    plain.run(200)
    viewed.run(200)
    assert plain.candidates() != viewed.candidates()


@pytest.mark.parametrize("algorithm", ["single", "multiple", "redeterminizing", "flat"])
def test_a_search_that_weighs_worlds_is_reproducible(algorithm: str) -> None:
    game, history = after_cards(3, 4)
    observation = game.observe(0)
    limits = SearchLimits(iterations=60, seed=1)
    options = SearchOptions(beliefs=True, algorithm=algorithm)  # type: ignore[arg-type]
    found = analyse(observation, limits, options, history=history)
    assert found == analyse(observation, limits, options, history=history)
    assert 1.0 <= found.effective_samples <= beliefs.POOL


def test_without_beliefs_a_history_changes_nothing() -> None:
    game, history = after_cards(3, 4)
    observation = game.observe(0)
    limits = SearchLimits(iterations=60, seed=1)
    off = SearchOptions(beliefs=False)
    assert analyse(observation, limits, off, history=history) == analyse(observation, limits, off)
    on = analyse(observation, limits, replace(off, beliefs=True))
    assert on == analyse(observation, limits, off)  # nothing was seen
    assert on.effective_samples == 0.0


# --- bots that watch --------------------------------------------------------------------------------------------------


class Watcher(RandomBot):
    """Keeps what it is shown."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.shown: list[tuple[Observation, int]] = []

    def watch(self, observation: Observation, argument: int) -> None:
        self.shown.append((observation, argument))


def test_a_bot_that_watches_is_shown_what_the_others_choose_as_it_sees_it() -> None:
    made: list[Watcher] = []

    def make(seed: int) -> Watcher:
        made.append(Watcher(seed))
        return made[-1]

    watcher = Player("watcher", {}, make)
    play_game(Match((watcher, parse_player("random")), "AB", seed=3, draft=True), 0, 0)
    assert len(made) == 1
    assert made[0].shown
    for observation, argument in made[0].shown:
        assert observation.observer != observation.seat
        assert observation.kind != KIND["draft_keep"]
        assert argument in observation.legal()


def test_a_search_with_beliefs_plays_in_the_arena() -> None:
    match = Match((parse_player("search:iterations=2,beliefs=yes"), parse_player("random")), "AB", seed=1)
    one, other = play_game(match, 0, 0), play_game(match, 0, 0)
    assert replace(one, seconds=()) == replace(other, seconds=())
