"""Decisions and actions as messages of ``lisboa.v1``: in words, and as the ids and numbers that these are made of."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from engine_ext.core import KINDS, SHIP_BASE, STOP, UNKNOWN
from lisboa.v1 import rules_pb2

from . import notation
from .edition import EditionTables
from .editions.names import ARCHITECTS, COLOURS, GOODS, HOUSES, NOBLES
from .notation import ACTIONS, MODES

__all__ = ["action_to_proto", "arguments_of", "decision_to_proto"]

Arguments = list[tuple[str, str | int]]
"""Named parts of an action: ids or words, and numbers."""


def decision_to_proto(kind: int, seat: int, context: tuple[int, int]) -> rules_pb2.Decision:
    """A pending decision; a kind below 0, of a game that is over, gives an empty one."""
    if kind < 0:
        return rules_pb2.Decision()
    return rules_pb2.Decision(kind=KINDS[kind], seat=seat, a=context[0], b=context[1])


def action_to_proto(
    tables: EditionTables, kind: int, seat: int, context: tuple[int, int], argument: int
) -> rules_pb2.Action:
    """An action with its text, its sentence, what these are about, and the decision it answers."""
    return rules_pb2.Action(
        text=notation.action_text(tables, kind, context, argument),
        description=notation.describe(tables, kind, context, argument, seat),
        decision=decision_to_proto(kind, seat, context),
        argument=argument,
        arguments=[
            rules_pb2.ActionArgument(name=name, number=value)
            if isinstance(value, int)
            else rules_pb2.ActionArgument(name=name, id=value)
            for name, value in arguments_of(tables, kind, context, argument)
        ],
    )


# --- what an action is about ----------------------------------------------------------------------------------------


def arguments_of(tables: EditionTables, kind: int, context: tuple[int, int], argument: int) -> Arguments:
    """The parts of an action in the order of its text; none where it stops, or its card is not known."""
    name = KINDS[kind]
    if argument == STOP or (argument == UNKNOWN and name == "draft_keep"):
        return []
    if name in _THINGS:
        return [(_THINGS[name], tables.id(_THINGS[name], argument))]
    if name in _WORDS:
        what, words = _WORDS[name]
        return [(what, words[argument])]
    if name in _SETS:
        what, words = _SETS[name]
        return [(what, word) for place, word in enumerate(words) if argument >> place & 1]
    return _OTHERS[name](tables, context, argument)


# Kinds whose argument is the number of a thing.
_THINGS: Final[Mapping[str, str]] = {
    "keep_clergy": "clergy",
    "draft_keep": "card",
    "take_card": "card",
    "discard_hand": "card",
    "discard_reward": "card",
    "clergy_tile": "clergy",
    "give_clergy": "clergy",
    "open_building": "site",
    "building_plan": "plan",
    "take_decree": "decree",
}
# Kinds whose argument is the place of a word.
_WORDS: Final[Mapping[str, tuple[str, tuple[str, ...]]]] = {
    "sell_or_trade": ("what", ("sell", "trade")),
    "trade": ("state_action", ACTIONS),
    "trade_good": ("good", GOODS),
    "visit_state_action": ("state_action", ACTIONS),
    "follow_action": ("state_action", ACTIONS),
    "noble_action": ("noble_action", ("store", "building", "decree")),
    "follow": ("follow", ("no", "yes")),
    "acquire_plan": ("architect", ARCHITECTS),
    "produce_bonus": ("good", GOODS),
    "get_favor": ("noble", NOBLES),
    "store_house": ("house", HOUSES),
    "spend_marker": ("spend", ("no", "yes")),
    "rubble_cube": ("colour", COLOURS),
    "good_any": ("good", GOODS),
    "pay_good": ("good", GOODS),
    "pay_official": ("noble", NOBLES),
}
# Kinds whose argument has a bit for each of some words.
_SETS: Final[Mapping[str, tuple[str, tuple[str, ...]]]] = {
    "recruit": ("noble", NOBLES),
    "ship_goods": ("good", GOODS),
}


def _holding(tables: EditionTables, _: tuple[int, int], argument: int) -> Arguments:
    if argument >= SHIP_BASE:
        return [("ship", tables.id("ship", argument - SHIP_BASE))]
    return [("card", tables.id("card", argument))]


def _visit_cost(_: EditionTables, context: tuple[int, int], argument: int) -> Arguments:
    reis, wigs = divmod(argument, 32)
    return [("influence", context[0] - reis - wigs), ("reis", reis), ("wigs", wigs)]


def _choice(tables: EditionTables, context: tuple[int, int], argument: int) -> Arguments:
    return [("effect", str(tables.source_effects(context[0])[1][argument]))]


def _officials(_: EditionTables, __: tuple[int, int], argument: int) -> Arguments:
    return [(place, argument // 9**power % 9) for power, place in enumerate((*NOBLES, "plaza"))]


_OTHERS: Final[Mapping[str, Callable[[EditionTables, tuple[int, int], int], Arguments]]] = {
    "play_card": lambda tables, _, n: [("mode", MODES[n >> 7]), ("card", tables.id("card", n & 127))],
    "make_room": _holding,
    "shed": _holding,
    "build_ship": _holding,
    "sell": lambda tables, _, n: [("good", GOODS[n >> 4]), ("ship", tables.id("ship", n & 15))],
    "visit_cost": _visit_cost,
    "pay_reis": lambda _, context, n: [("influence", n), ("reis", context[0] - n)],
    "meet_cardinal": lambda _, __, n: [("spaces", n)],
    "build_store": lambda tables, _, n: [("land", tables.id("land", n >> 2)), ("good", GOODS[n & 3])],
    "store_cube": lambda _, __, n: [("from", "column" if n >= 3 else "row"), ("colour", COLOURS[n % 3])],
    "building_officials": _officials,
    "choice": _choice,
}
