"""Hand-worked tests of docs/rules.md M: the Queen variant. When her card comes out is N24."""

import pytest
from positions import (
    COURT,
    MARQUIS,
    NO,
    NOBLE_ACTION,
    YES,
    Table,
    apply,
    base,
    kind,
    play,
    source,
)

from engine_ext import core


def visit(table: Table) -> core.Game:
    """Seat 0 visits the Marquis and does without a state action."""
    table.hand(0, "blue-marquis-1", "blue-king-1").set(0, influence=9, reis=40)
    return apply(table.game(), play(COURT, "blue-marquis-1"), core.STOP)


def queen() -> Table:
    """Her card has come up."""
    return base(queen=True).state(queen=1)


def test_m10_the_marquis_builds_a_store_or_opens_a_building() -> None:
    game = visit(queen())
    assert (kind(game), game.legal()) == ("noble_action", [0, 1])
    assert [kind(apply(game.copy(), choice)) for choice in (0, 1)] == ["build_store", "open_building"]


def test_m10_for_a_follower_as_well() -> None:
    table = queen().favors(1, MARQUIS).set(1, influence=9, reis=40).pending("follow_window", 0, MARQUIS, 1)
    game = apply(table.game(), YES, NOBLE_ACTION)
    assert (kind(game), game.legal()) == ("noble_action", [0, 1])


def test_m10_without_plan_and_officials_only_the_store_is_left() -> None:
    table = queen().set(0, plans=0, completed=1)  # the starting plan is used up
    assert kind(visit(table)) == "build_store"


def test_m10_nothing_lets_anybody_take_a_decree() -> None:
    # an event, a site's reward
    decree_event = play(COURT, "red-treasury-3")
    assert decree_event not in queen().hand(0, "red-treasury-3", "blue-king-1").game().legal()
    assert kind(queen().pending("effects", a=source("site-west-D")).game()) == "play_card"


@pytest.mark.parametrize("chosen", [False, True])
def test_m10_without_the_variant_or_before_her_card_decrees_are_taken(chosen: bool) -> None:
    table = base(queen=chosen)
    assert kind(visit(table)) == "take_decree"
    table.hand(0, "red-treasury-3", "blue-king-1")
    assert kind(apply(table.game(), play(COURT, "red-treasury-3"), NO)) == "take_decree"
    assert kind(table.pending("effects", a=source("site-west-D")).game()) == "take_decree"
