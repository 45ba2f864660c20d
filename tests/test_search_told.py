"""What a search tells of its candidates beyond their worth: what the cheap policy prefers, and how it goes on."""

from __future__ import annotations

import functools

import pytest

from engine_ext.core import KINDS, Observation
from engine_ext.search.searcher import Searcher
from lisboa_ai import edition
from lisboa_ai.analysis import Analysis, SearchLimits, SearchOptions, analyse
from lisboa_ai.record import GameRecord


@functools.cache
def seen() -> Observation:
    """A decision about which card to play, in a game for two, after a turn of the other player."""
    game = GameRecord.new(edition.load("house"), 2, 5).replay()
    while game.turn < 1 or KINDS[game.kind] != "play_card":
        game.apply(game.legal()[0])
    return game.observe(game.seat)


@functools.cache
def found(threads: int = 1, granularity: str = "decision") -> Analysis:
    options = SearchOptions(candidates=1000, granularity=granularity)  # type: ignore[arg-type]
    return analyse(seen(), SearchLimits(iterations=2000, seed=1, threads=threads), options)


# --- priors ---------------------------------------------------------------------------------------------------------


def test_priors_are_parts_of_one_over_every_legal_action() -> None:
    searcher = Searcher(seen(), priors=True, cut=-1)
    searcher.run(1)
    priors = searcher.priors()
    assert sorted(priors) == sorted(seen().legal())
    assert sum(priors.values()) == pytest.approx(1.0)
    assert min(priors.values()) > 0.0


def test_the_first_iteration_takes_what_the_cheap_policy_likes_best() -> None:
    searcher = Searcher(seen(), priors=True, cut=-1)
    searcher.run(1)
    priors = searcher.priors()
    (only,) = analyse(seen(), SearchLimits(iterations=1), SearchOptions(cut=-1)).candidates
    assert only.prior == max(priors.values())
    assert only.prior == priors[only.actions[0]]
    assert len(set(priors.values())) > 1


def test_candidates_tell_their_priors_whatever_the_number_of_trees() -> None:
    one, two = (
        {candidate.actions[0]: candidate.prior for candidate in found(threads).candidates} for threads in (1, 2)
    )
    assert sum(prior or 0.0 for prior in one.values()) <= 1.0 + 1e-9
    for argument in one.keys() & two.keys():
        assert one[argument] == pytest.approx(two[argument])


def test_a_turn_has_the_prior_of_its_first_action() -> None:
    by_action = {candidate.actions[0]: candidate.prior for candidate in found().candidates}
    turns = [one for one in found(1, "turn").candidates if one.actions[0] in by_action]
    assert turns
    assert all(one.prior == by_action[one.actions[0]] for one in turns)


@pytest.mark.parametrize("options", [SearchOptions(priors=False), SearchOptions(algorithm="flat")])
def test_a_search_that_does_not_go_by_priors_tells_none(options: SearchOptions) -> None:
    result = analyse(seen(), SearchLimits(iterations=50), options)
    assert {candidate.prior for candidate in result.candidates} == {None}


# --- how it goes on ---------------------------------------------------------------------------------------------------


def test_a_line_goes_on_beyond_the_turn_as_far_as_it_was_visited() -> None:
    longer = [candidate for candidate in found().candidates if candidate.beyond]
    assert longer
    for candidate in longer:
        visits = [step.visits for step in (*candidate.line, *candidate.beyond)]
        assert visits == sorted(visits, reverse=True)
        assert visits[-1] > 0
        assert candidate.beyond[0].seat != seen().seat  # the next turn is the other player's


def test_nothing_is_told_beyond_a_line_that_the_play_outs_filled_in() -> None:
    filled_in = [candidate for candidate in found().candidates if not candidate.line[-1].visits]
    assert filled_in
    assert not any(candidate.beyond for candidate in filled_in)
