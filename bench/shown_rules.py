"""Which rules a game shows: for each statement of docs/rules.md listed here, a look at an action and its turn."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from bench.transcript import Act, Step
from engine_ext.core import CATEGORIES, SHIP_BASE, STOP
from lisboa_ai import edition

GOLD_MODE, PORTFOLIO, COURT = 0, 1, 2
MARQUIS: Final = 1
TREASURY_CARDS: Final = frozenset(
    number for number, card in enumerate(edition.load("house").cards) if card.noble == "treasury"
)
OFFICIALS: Final = tuple(plan.officials for plan in edition.load("house").plans)


@dataclass(frozen=True)
class Told:
    """An action and the actions of its turn up to it, itself included."""

    step: Step
    turn: Sequence[Step]

    def acts(self, kind: str) -> list[Act]:
        """What was done of a kind in this action, steps that resolved themselves included."""
        return [act for act in self.step.acts if act.kind == kind]

    def turn_acts(self, kind: str) -> list[Act]:
        """The same of the whole turn so far."""
        return [act for step in self.turn for act in step.acts if act.kind == kind]

    def played(self, mode: int) -> bool:
        """The turn's card was played in this way."""
        return any(act.argument >> 7 == mode for act in self.turn_acts("play_card"))

    def treasury_card(self, mode: int) -> bool:
        """The turn's card is a treasury card and was played in this way: in court as an event."""
        return self.played(mode) and any(act.argument & 127 in TREASURY_CARDS for act in self.turn_acts("play_card"))

    def gained(self, category: str) -> list[int]:
        """Wigs of a category gained in this action, by seat."""
        number = CATEGORIES.index(category)
        return [after["ledger"][number] - before["ledger"][number] for _, before, after in self.step.players()]

    def rose(self, field: str) -> list[int]:
        """By how much a number, or a sum of numbers, on the players' boards rose, by seat."""
        return [_total(after[field]) - _total(before[field]) for _, before, after in self.step.players()]

    def sold(self) -> bool:
        """A good was sold."""
        return any(act.argument != STOP for act in self.acts("sell"))

    def period_changed(self) -> bool:
        """The first period ended in this action."""
        return bool(self.step.before["period"] != self.step.after["period"])

    def end_triggered(self) -> bool:
        """The end of the game was triggered in this action."""
        return bool(self.step.before["last_turn"] != self.step.after["last_turn"])

    def most_sets(self) -> int:
        """Sets of the player who has most, after this action."""
        return max(int(after["sets"]) for _, _, after in self.step.players())

    def in_church(self) -> bool:
        """Tiles may be given up in this action."""
        return self.step.act.kind == "give_clergy" and self.step.act.argument != STOP

    def finished(self) -> bool:
        """The game is over."""
        return self.step.game.over


def _total(value: int | list[int]) -> int:
    return value if isinstance(value, int) else sum(value)


def _hired(told: Told) -> bool:
    """More officials are printed on the plan than came home."""
    for _, before, after in told.step.players():
        new = after["completed"] & ~before["completed"]
        if new and OFFICIALS[new.bit_length() - 1] > after["officials"] - before["officials"]:
            return bool(after["reis"] < before["reis"])
    return False


def _docked_again(told: Told) -> bool:
    """The active player's ship came home with the turn."""
    seat = told.step.after["active"]
    before, after = told.step.before["players"][seat], told.step.after["players"][seat]
    return bool(told.step.after["turn"] != told.step.turn) and sum(before["packed"]) > 0 == sum(after["packed"])


def _queens_visitor(told: Told) -> bool:
    return bool(told.step.before["queen"]) and any(act.context[0] == MARQUIS for act in told.acts("noble_action"))


def _tied_majority(told: Told) -> bool:
    if not told.finished():
        return False
    boards = [after for _, _, after in told.step.players()]
    for business in range(4):
        counts = sorted((board["stores"][business] for board in boards), reverse=True)
        if counts[0] and counts[0] == counts[1]:
            return True
    return False


def _cardinal_at_treasury(told: Told) -> bool:
    board = edition.load("house").board
    steps_taken = [act.argument for act in told.acts("meet_cardinal") if act.argument != STOP]
    start = told.step.before["cardinal"]
    return any(board.church_treasury in [(start + n) % 6 for n in range(1, steps + 1)] for steps in steps_taken)


@dataclass(frozen=True)
class Rule:
    """What a statement is about, and whether an action shows it."""

    words: str
    shows: Callable[[Told], bool]


RULES: Final = {
    "B1": Rule("a ship comes home at the start of its owner's turn", _docked_again),
    "B3": Rule("a card is discarded for a gold", lambda told: told.played(GOLD_MODE)),
    "B4": Rule("goods are sold after a card was tucked", lambda told: told.played(PORTFOLIO) and told.sold()),
    "B9": Rule(
        "a treasury card is tucked and the treasury falls",
        lambda told: told.treasury_card(PORTFOLIO) and told.step.after["treasury"] < told.step.before["treasury"],
    ),
    "B12": Rule("a full portfolio: something is given up", lambda told: bool(told.acts("make_room"))),
    "B20": Rule("an event is sponsored", lambda told: told.treasury_card(COURT)),
    "C1": Rule("a gain of influence that ends on 10 earns a wig", lambda told: max(told.gained("influence")) > 0),
    "C4": Rule(
        "influence is turned into réis for a payment", lambda told: any(a.argument > 0 for a in told.acts("pay_reis"))
    ),
    "C7": Rule(
        "wigs fill the gap in a visit's cost", lambda told: any(a.argument % 32 > 0 for a in told.acts("visit_cost"))
    ),
    "C11": Rule(
        "réis pay for a visit, with the left group's second house",
        lambda told: any(a.argument >= 32 for a in told.acts("visit_cost")),
    ),
    "D6": Rule("a visit is followed", lambda told: any(a.argument == 1 for a in told.acts("follow"))),
    "D8": Rule(
        "several follow the same visit",
        lambda told: bool(told.acts("follow")) and sum(a.argument == 1 for a in told.turn_acts("follow")) >= 2,
    ),
    "D9": Rule(
        "a follower of the King gets a royal favor",
        lambda told: any(a.argument == 5 for a in told.acts("follow_action")),
    ),
    "E1": Rule(
        "two goods are traded in one turn",
        lambda told: sum(a.argument != STOP for a in told.turn_acts("trade")) >= 2,
    ),
    "E7": Rule("a full office: officials move to the plaza", lambda told: max(told.rose("plazas")) > 0),
    "F2": Rule(
        "a ship is replaced by a new one",
        lambda told: any(SHIP_BASE <= a.argument < STOP for a in told.acts("build_ship")),
    ),
    "F8": Rule(
        "a ship sails in a rival's turn",
        lambda told: any(wigs > 0 and seat != told.step.active for seat, wigs in enumerate(told.gained("sailed"))),
    ),
    "F11": Rule(
        "production lets prices fall",
        lambda told: told.step.after["price"] != told.step.before["price"],
    ),
    "F13": Rule("the right house group's extra good", lambda told: bool(told.acts("produce_bonus"))),
    "G1": Rule("a store is built", lambda told: bool(told.acts("build_store"))),
    "G8": Rule(
        "a store is built by an event", lambda told: bool(told.acts("build_store")) and told.treasury_card(COURT)
    ),
    "G12": Rule(
        "a new store scores for open buildings",
        lambda told: max(told.gained("stores")) > 0,
    ),
    "H7": Rule("a building with hired officials", _hired),
    "H9": Rule(
        "a building scores for stores of others than its builder, too",
        lambda told: sum(wigs > 0 for wigs in told.gained("buildings")) >= 2,
    ),
    "I2": Rule("a rubble set is completed", lambda told: max(told.rose("sets")) > 0),
    "I3": Rule(
        "a set marker buys a second decree", lambda told: any(a.argument == 1 for a in told.acts("spend_marker"))
    ),
    "I6": Rule("a cube from the pile", lambda told: bool(told.acts("rubble_cube"))),
    "J3": Rule("the cardinal reaches the treasury icon", _cardinal_at_treasury),
    "J6": Rule(
        "a church scoring called by a follower",
        lambda told: told.in_church() and told.step.before["church_caller"] not in (-1, told.step.active),
    ),
    "J7": Rule("clergy tiles are given up in a church scoring", Told.in_church),
    "K1": Rule("the first period ends by rubble sets", lambda told: told.period_changed() and told.most_sets() >= 2),
    "K4": Rule("the first period ends by the decks", lambda told: told.period_changed() and told.most_sets() < 2),
    "K5": Rule(
        "cards discarded at the period's end bring their rewards",
        lambda told: bool(told.acts("discard_reward")),
    ),
    "L1": Rule("the end is triggered by rubble sets", lambda told: told.end_triggered() and told.most_sets() >= 4),
    "L3": Rule("the end is triggered by the decks", lambda told: told.end_triggered() and told.most_sets() < 4),
    "L6": Rule("a majority of stores is shared", _tied_majority),
    "L10": Rule("favors left count at the end", lambda told: told.finished() and max(told.gained("favors")) > 0),
    "M10": Rule("the Queen is out, and the Marquis' visitor builds", _queens_visitor),
    "N2": Rule("hands are drafted", lambda told: bool(told.acts("draft_keep"))),
    "N16": Rule("the portfolio's limit falls, and a card is given up", lambda told: bool(told.acts("shed"))),
    "N27": Rule("any good, of a type with room", lambda told: bool(told.acts("good_any"))),
    "N33": Rule("a penalty is paid", lambda told: bool(told.acts("pay_good") or told.acts("pay_official"))),
}
"""Statements in the order of docs/rules.md."""


def _stories(steps: Sequence[Step]) -> Iterator[Told]:
    turn: list[Step] = []
    for step in steps:
        if turn and turn[0].turn != step.turn:
            turn = []
        turn.append(step)
        yield Told(step, tuple(turn))


def shown(steps: Sequence[Step]) -> dict[str, int]:
    """The statements that a game shows, each with the turn (from 0) that shows it first, in the order of ``RULES``."""
    first: dict[str, int] = {}
    for told in _stories(steps):
        for statement, rule in RULES.items():
            if statement not in first and rule.shows(told):
                first[statement] = told.step.turn
    return {statement: first[statement] for statement in RULES if statement in first}
