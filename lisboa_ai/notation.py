"""Actions as text that a person reads and types, both ways, and as plain sentences.

``store C3 cloth``, ``court king-2``, ``pay 2i+1r``: the first word says what is done, the rest which thing. Text is
parsed by matching it against the legal actions, so it is either one of them or one of three errors. A turn is its
actions joined by ``; ``. What an action revealed to an observer stands after ``!`` (design: records).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, Protocol

from engine_ext import core

from .edition import EditionTables, UnknownId
from .editions.names import ARCHITECTS, COLOURS, GOODS, HOUSES, NOBLES, STATE_ACTIONS

__all__ = [
    "ActionError",
    "AmbiguousAction",
    "IllegalActionText",
    "Pending",
    "UnreadableAction",
    "action_text",
    "describe",
    "parse_action",
    "parse_revealed",
    "read_revealed",
    "revealed_text",
    "split_turn",
]

ACTIONS: Final = (*STATE_ACTIONS, "noble")
MODES: Final = ("gold", "portfolio", "court")
NOBLE_NAMES: Final = ("the Builder (Maia)", "the Marquis", "the King")
STATE_ACTION_NAMES: Final = (
    "recruit officials",
    "acquire a plan",
    "build a ship",
    "produce goods",
    "meet the cardinal",
    "get a royal favor",
    "take the noble action",
)
NOBLE_ACTION_NAMES: Final = ("build a store", "open a public building")
UNKNOWN_CARD: Final = "?"


class Pending(Protocol):
    """A game or an observation: something with a pending decision."""

    @property
    def kind(self) -> int: ...
    @property
    def seat(self) -> int: ...
    @property
    def context(self) -> tuple[int, int]: ...
    def legal(self) -> list[int]: ...


class ActionError(ValueError):
    """Action text that cannot be carried out. ``text`` is what was given, ``legal`` the texts that were allowed."""

    def __init__(self, problem: str, text: str, legal: Sequence[str]) -> None:
        shown = ", ".join(legal[:40]) + (f" and {len(legal) - 40} more" if len(legal) > 40 else "")
        super().__init__(f"action: {text!r} {problem}; allowed: {shown or 'nothing, the game is over'}")
        self.text = text
        self.legal = tuple(legal)
        self.index: int | None = None
        """Which of several actions this is about, where several were given."""


class UnreadableAction(ActionError):
    """Not an action of any kind."""


class IllegalActionText(ActionError):
    """An action, but not a legal one now."""


class AmbiguousAction(ActionError):
    """Fits several legal actions; ``legal`` lists those it fits."""


# --- text ---------------------------------------------------------------------------------------------------------


def _short(tables: EditionTables, thing: str, argument: int) -> str:
    """An id without its first word: ``C3`` for land-C3, ``west-B`` for site-west-B."""
    return tables.id(thing, argument).split("-", 1)[1]


def _holding(tables: EditionTables, argument: int) -> str:
    if argument >= core.SHIP_BASE:
        return tables.id("ship", argument - core.SHIP_BASE)
    return tables.id("card", argument)


def _mask(argument: int, names: Sequence[str]) -> str:
    return "+".join(name for i, name in enumerate(names) if argument >> i & 1)


def _visit_cost(cost: int, argument: int) -> str:
    reis, wigs = divmod(argument, 32)
    parts = [f"{n}{unit}" for n, unit in ((cost - reis - wigs, "i"), (reis, "r"), (wigs, "w")) if n]
    return "pay " + ("+".join(parts) or "0")


def _pay_reis(amount: int, argument: int) -> str:
    parts = [f"{n}{unit}" for n, unit in ((argument, "i"), (amount - argument, "r")) if n]
    return "pay " + ("+".join(parts) or "0")


def _returned(argument: int) -> list[tuple[int, str]]:
    counts = [argument % 9, argument // 9 % 9, argument // 81 % 9, argument // 729]
    return [(n, name) for n, name in zip(counts, (*NOBLES, "plaza"), strict=True) if n]


def action_text(tables: EditionTables, kind: int, context: tuple[int, int], argument: int) -> str:
    """The text of an action. ``kind`` indexes ``core.KINDS``, ``context`` is the pending frame's (a, b)."""
    name = core.KINDS[kind]
    if argument == core.STOP:
        return {"sell": "stop", "trade": "stop", "visit_state_action": "none", "build_ship": "dock empty"}.get(
            name, "done"
        )
    match name:
        case "keep_clergy":
            return f"keep {tables.id('clergy', argument)}"
        case "draft_keep":
            return "keep " + (UNKNOWN_CARD if argument == core.UNKNOWN else tables.id("card", argument))
        case "play_card":
            return f"{MODES[argument >> 7]} {tables.id('card', argument & 127)}"
        case "take_card":
            return f"take {tables.id('card', argument)}"
        case "discard_hand":
            return f"discard {tables.id('card', argument)}"
        case "discard_reward":
            return f"reward {tables.id('card', argument)}"
        case "make_room" | "shed":
            return f"shed {_holding(tables, argument)}"
        case "sell_or_trade":
            return "trade goods" if argument else "sell goods"
        case "sell":
            return f"sell {GOODS[argument >> 4]} {tables.id('ship', argument & 15)}"
        case "trade":
            return f"trade {ACTIONS[argument]}"
        case "trade_good":
            return f"with {GOODS[argument]}"
        case "visit_cost":
            return _visit_cost(context[0], argument)
        case "visit_state_action" | "follow_action":
            return f"do {ACTIONS[argument]}"
        case "noble_action":
            return ("do store", "do building", "do decree")[argument]
        case "follow":
            return "follow" if argument else "pass"
        case "recruit":
            return f"recruit {_mask(argument, NOBLES)}"
        case "acquire_plan":
            return f"plan {ARCHITECTS[argument]}"
        case "build_ship":
            return f"dock {_holding(tables, argument)}"
        case "ship_goods":
            return f"goods {_mask(argument, GOODS) or 'none'}"
        case "produce_bonus":
            return f"bonus {GOODS[argument]}"
        case "meet_cardinal":
            return f"cardinal {argument}"
        case "clergy_tile":
            return f"tile {tables.id('clergy', argument)}"
        case "get_favor":
            return f"favor {NOBLES[argument]}"
        case "build_store":
            return f"store {_short(tables, 'land', argument >> 2)} {GOODS[argument & 3]}"
        case "store_cube":
            return f"cube {'column' if argument >= 3 else 'row'} {COLOURS[argument % 3]}"
        case "store_house":
            return f"house {HOUSES[argument]}"
        case "open_building":
            return f"open {_short(tables, 'site', argument)}"
        case "building_plan":
            return f"use {tables.id('plan', argument)}"
        case "building_officials":
            return "return " + (" + ".join(f"{n} {place}" for n, place in _returned(argument)) or "none")
        case "take_decree":
            return f"decree {tables.id('decree', argument)}"
        case "spend_marker":
            return "marker spend" if argument else "marker keep"
        case "give_clergy":
            return f"give {tables.id('clergy', argument)}"
        case "rubble_cube":
            return f"rubble {COLOURS[argument]}"
        case "pay_reis":
            return _pay_reis(context[0], argument)
        case "choice":
            _, choices = tables.source_effects(context[0])
            return f"choose {str(choices[argument]).replace(' ', '-')}"
        case "good_any":
            return f"gain {GOODS[argument]}"
        case "pay_good":
            return f"lose {GOODS[argument]}"
        case "pay_official":
            return f"recall {NOBLES[argument]}"
    raise ValueError(f"kind: {name} is automatic and has no actions")


VERBS: Final = frozenset(
    [
        "keep",
        "gold",
        "portfolio",
        "court",
        "take",
        "discard",
        "reward",
        "shed",
        "sell",
        "trade",
        "with",
        "pay",
        "do",
        "follow",
        "pass",
        "recruit",
        "plan",
        "dock",
        "goods",
        "bonus",
        "cardinal",
        "tile",
        "favor",
        "store",
        "cube",
        "house",
        "open",
        "use",
        "return",
        "decree",
        "marker",
        "give",
        "rubble",
        "choose",
        "gain",
        "lose",
        "recall",
        "stop",
        "none",
        "done",
    ]
)


# --- parsing --------------------------------------------------------------------------------------------------------


def _normal(text: str) -> str:
    return " ".join(text.strip().lower().replace("+ ", "+").replace(" +", "+").split())


def _aliases(tables: EditionTables, kind: int, argument: int, text: str) -> Iterable[str]:
    """Shorter ways to say an action: the id alone, its last parts, a deck's name."""
    words = text.split(" ", 1)
    yield text
    if len(words) == 2:
        verb, rest = words
        yield rest
        if "-" in rest and " " not in rest:
            tail = rest.split("-", 1)[1]
            yield f"{verb} {tail}"
        if core.KINDS[kind] == "take_card":
            yield f"take {tables.id('card', argument).split('-')[1]}"


def parse_action(tables: EditionTables, state: Pending, text: str) -> int:
    """The argument of the legal action that a text names.

    Accepts the text of ``action_text`` and clear shorter forms: ``take treasury``, ``court king-2``, ``C3 cloth``.
    Raises ``UnreadableAction``, ``IllegalActionText`` or ``AmbiguousAction``.
    """
    legal = state.legal()
    if not legal:
        raise IllegalActionText("is not legal", text, [])
    kind, context = state.kind, state.context
    texts = {argument: action_text(tables, kind, context, argument) for argument in legal}
    wanted = _normal(text)
    for argument, known in texts.items():
        if _normal(known) == wanted:
            return argument
    fits = [a for a, known in texts.items() if wanted in map(_normal, _aliases(tables, kind, a, known))]
    if len(fits) == 1:
        return fits[0]
    if fits:
        raise AmbiguousAction("fits several actions", text, [texts[argument] for argument in fits])
    if not wanted or wanted.split(" ", 1)[0] not in VERBS:
        raise UnreadableAction("is not an action", text, list(texts.values()))
    raise IllegalActionText("is not legal now", text, list(texts.values()))


def split_turn(text: str) -> list[str]:
    """The actions of a turn written as one line."""
    return [part.strip() for part in text.split(";") if part.strip()]


# --- what was revealed ------------------------------------------------------------------------------------------------


def revealed_text(tables: EditionTables, revealed: Sequence[tuple[str, int]]) -> str:
    """Revealed things as ids: ``red-king-4 decree-17 building-3-green``."""
    return " ".join(
        f"{tables.id('building', n >> 1)}-{ARCHITECTS[n & 1]}" if thing == "building" else tables.id(thing, n)
        for thing, n in revealed
    )


def parse_revealed(tables: EditionTables, text: str) -> list[tuple[str, int]]:
    """The reverse of ``revealed_text``. Raises ``UnknownId`` for any word but a card, decree, clergy tile, building."""
    found = []
    for word in text.replace(",", " ").split():
        building, _, side = word.rpartition("-")
        if word.startswith("building-") and side in ARCHITECTS:
            found.append(("building", tables.number("building", building) * 2 + ARCHITECTS.index(side)))
            continue
        thing, n = tables.find(word)
        if thing not in ("card", "decree", "clergy"):
            raise UnknownId(f"revealed: {word!r}; allowed: cards, decrees, clergy tiles, buildings with their side")
        found.append((thing, n))
    return found


def read_revealed(tables: EditionTables, state: Pending, text: str) -> list[tuple[str, int]]:
    """``parse_revealed``, and that dealt cards are of the deck that the pending decision deals from.

    Raises ``UnknownId``, or ``ValueError`` for a card given twice or of a deck that is not being dealt.
    """
    revealed = parse_revealed(tables, text)
    drafting = state.kind >= 0 and core.KINDS[state.kind] == "draft_keep"
    for thing, number in revealed:
        if revealed.count((thing, number)) > 1:
            raise ValueError(f"revealed: {revealed_text(tables, [(thing, number)])}; allowed: each only once")
        if thing == "card" and (tables.cards[number].deck == "blue") != drafting:
            allowed = "blue cards" if drafting else "cards turned up or dealt now, which are not blue"
            raise ValueError(f"revealed: {tables.id('card', number)}; allowed: {allowed}")
    return revealed


# --- plain sentences ------------------------------------------------------------------------------------------------


def _and(parts: Sequence[str]) -> str:
    return parts[0] if len(parts) == 1 else ", ".join(parts[:-1]) + " and " + parts[-1] if parts else "nothing"


def _payment(influence: int, reis: int, wigs: int, *, worth: bool) -> str:
    parts = []
    if influence:
        unit = "influence" if not worth else "real from influence" if influence == 1 else "réis from influence"
        parts.append(f"{influence} {unit}")
    if reis:
        parts.append(f"{reis} {'real' if reis == 1 else 'réis'}")
    if wigs:
        parts.append(f"{wigs} {'wig' if wigs == 1 else 'wigs'}")
    return "pay " + _and(parts)


def describe(tables: EditionTables, kind: int, context: tuple[int, int], argument: int, seat: int) -> str:
    """One plain English sentence about an action; ``seat`` is counted from 0 and shown from 1."""
    return f"Player {seat + 1}: {_what(tables, kind, context, argument)}."


def _what(tables: EditionTables, kind: int, context: tuple[int, int], argument: int) -> str:
    name = core.KINDS[kind]
    if argument == core.STOP:
        stops: dict[str, str] = {
            "sell": "sell nothing more",
            "trade": "trade no second good",
            "visit_state_action": "take no state action",
            "build_ship": "put the new ship in an empty dock",
            "discard_hand": "discard no more cards",
            "give_clergy": "give up no more clergy tiles",
        }
        return stops.get(name, "stop here")
    match name:
        case "keep_clergy":
            return f"keep {tables.id('clergy', argument)} ({tables.describe(tables.id('clergy', argument))})"
        case "play_card":
            card = tables.id("card", argument & 127)
            if argument >> 7 == 0:
                return f"discard {card} for 1 gold"
            if argument >> 7 == 1:
                return f"play {card} into the portfolio"
            noble = tables.cards[argument & 127].noble
            if noble in NOBLES:
                return f"visit {NOBLE_NAMES[NOBLES.index(noble)]} with {card}"
            return f"sponsor the event of {card} ({tables.describe(card)})"
        case "take_card":
            return f"take {tables.id('card', argument)} into the hand"
        case "visit_cost":
            reis, wigs = divmod(argument, 32)
            return _payment(context[0] - reis - wigs, reis, wigs, worth=False) + f" for {NOBLE_NAMES[context[1]]}"
        case "pay_reis":
            return _payment(argument, context[0] - argument, 0, worth=True)
        case "sell":
            return f"sell {GOODS[argument >> 4]} to {tables.id('ship', argument & 15)}"
        case "trade":
            return f"trade with the nobles to {STATE_ACTION_NAMES[argument]}"
        case "trade_good":
            return f"pay {GOODS[argument]} for it"
        case "visit_state_action" | "follow_action":
            return STATE_ACTION_NAMES[argument]
        case "noble_action":
            return ("build a store", "open a public building", "take a decree")[argument]
        case "follow":
            return f"{'follow' if argument else 'do not follow'} the visit to {NOBLE_NAMES[context[0]]}"
        case "recruit":
            return f"place officials with {_and([n for i, n in enumerate(NOBLE_NAMES) if argument >> i & 1])}"
        case "build_store":
            land = tables.lands[argument >> 2]
            return f"build a {GOODS[argument & 3]} store on {land.id} ({tables.describe(land.id)})"
        case "store_cube":
            return f"take the {COLOURS[argument % 3]} cube of the {'column' if argument >= 3 else 'row'}"
        case "store_house":
            return f"build a house of the {HOUSES[argument]} group"
        case "open_building":
            site = tables.id("site", argument)
            return f"open a public building at {site} ({tables.describe(site)})"
        case "building_officials":
            returned = [f"{n} from {'the plazas' if place == 'plaza' else place}" for n, place in _returned(argument)]
            return f"send home officials: {_and(returned)}"
        case "take_decree":
            decree = tables.id("decree", argument)
            return f"take {decree} ({tables.describe(decree)})"
        case "clergy_tile" | "give_clergy":
            tile = tables.id("clergy", argument)
            return f"{'take' if name == 'clergy_tile' else 'give up'} {tile} ({tables.describe(tile)})"
        case "get_favor":
            return f"get the favor of {NOBLE_NAMES[argument]}"
        case "meet_cardinal":
            return f"move the cardinal {argument} {'space' if argument == 1 else 'spaces'}"
        case "spend_marker":
            return "spend a set marker for a second decree" if argument else "keep the set markers"
        case "draft_keep":
            known = argument != core.UNKNOWN
            return f"keep {tables.id('card', argument) if known else 'a card nobody else sees'} and pass the rest on"
        case "discard_hand":
            return f"discard {tables.id('card', argument)} from the hand"
        case "discard_reward":
            return f"take the reward of {tables.id('card', argument)} ({tables.describe(tables.id('card', argument))})"
        case "make_room" | "shed":
            return f"give up {_holding(tables, argument)} from the portfolio"
        case "sell_or_trade":
            return "trade with the nobles" if argument else "sell goods"
        case "acquire_plan":
            return f"take the top plan of the {ARCHITECTS[argument]} stack"
        case "build_ship":
            given = _holding(tables, argument)
            ship = argument >= core.SHIP_BASE
            return f"replace {given} by the new ship" if ship else f"give up {given} for the new ship"
        case "ship_goods":
            return f"pay {_and([good for i, good in enumerate(GOODS) if argument >> i & 1])} for the ship"
        case "produce_bonus":
            return f"take one more {GOODS[argument]}"
        case "building_plan":
            plan = tables.id("plan", argument)
            return f"use {plan} ({tables.describe(plan)})"
        case "rubble_cube":
            return f"take a {COLOURS[argument]} cube from the rubble pile"
        case "choice":
            return f"choose: {tables.source_effects(context[0])[1][argument]}"
        case "good_any":
            return f"take 1 {GOODS[argument]}"
        case "pay_good":
            return f"give up 1 {GOODS[argument]}"
        case "pay_official":
            return f"take an official back from {NOBLE_NAMES[argument]}"
    return action_text(tables, kind, context, argument)
