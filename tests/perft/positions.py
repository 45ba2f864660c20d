"""The positions that are counted, each by what it has to show: which game, and which moment of it."""

from __future__ import annotations

import itertools
import textwrap
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from bench.make_golden import MixedBot
from engine_ext.core import KINDS, SHIP_BASE, STOP, UNKNOWN, Game
from lisboa_ai import edition, notation, show
from lisboa_ai.edition import EditionTables
from lisboa_ai.record import GameRecord, RecordedAction
from tests.perft import Counted, Perft, count

MOST_TO_COUNT = {"engine": 6_000, "referee": 100}
"""Actions carried out for the deepest count that the tests leave to each."""
MOST_BY_HAND = 40_000
COURT = 2
DUTIES = ("store", "building", "ship")


@dataclass(frozen=True)
class Wanted:
    """A position: what it shows, the game's players and options, and when it has come."""

    about: str
    seats: int
    kind: str
    when: Callable[[Game], bool] = lambda game: True
    queen: bool = False
    draft: bool = False


def _me(game: Game) -> dict[str, Any]:
    player: dict[str, Any] = game.fields()["players"][game.seat]
    return player


def _pending(game: Game) -> list[tuple[str, dict[str, int]]]:
    fields = game.fields()
    return [(KINDS[frame["kind"]], frame) for frame in fields["frames"][: fields["depth"]]]


def _favors(game: Game, noble: int) -> int:
    return sum(player["favors"] >> noble & 1 for player in game.fields()["players"][: game.seats])


def _church_by_several(game: Game) -> bool:
    first = game.context[1] == 0
    return first and sum(player["clergy"] > 0 for player in game.fields()["players"][: game.seats]) >= 3


def _builds_by_event(game: Game) -> bool:
    """Among the cards there is an event that builds, and money is so short that the duties decide."""
    me, tables = _me(game), edition.load("house")
    events = [
        argument & 127
        for argument in game.legal()
        if argument >> 7 == COURT and tables.cards[argument & 127].noble == "treasury"
    ]
    builds = [card for card in events if any(str(effect) in DUTIES for effect in tables.cards[card].reward)]
    return bool(builds) and me["reis"] <= 9 and me["influence"] >= 3


def _pays_for_a_building_event(game: Game) -> bool:
    """The event that is being paid for builds, which has to be paid for as well."""
    tables = edition.load("house")
    cards = [frame["a"] for kind, frame in _pending(game) if kind == "sponsor"]
    return any(str(effect) in DUTIES for card in cards for effect in tables.cards[card].reward)


def _selling(game: Game) -> bool:
    return sum(_me(game)["goods"]) >= 4 and len({argument & 15 for argument in game.legal() if argument != STOP}) >= 2


def _two_turns_left(game: Game) -> bool:
    return bool(game.fields()["last_turn"] - game.turn == 1)


WANTED = {
    "set-up": Wanted("Before the first decision: which of two clergy tiles to keep.", 3, "keep_clergy"),
    "first-turn": Wanted("The first turn of two players.", 2, "play_card"),
    "draft-start": Wanted("The hand draft begins: two cards are kept of five.", 4, "draft_keep", draft=True),
    "draft-second-pass": Wanted(
        "The second packet of the hand draft.",
        3,
        "draft_keep",
        lambda game: game.fields()["draft_pass"] == 2,
        draft=True,
    ),
    "mid-turn": Wanted(
        "In the middle of a visit: the state action, then the noble action.",
        3,
        "visit_state_action",
        lambda game: game.turn >= 9 and len(game.legal()) == 3,
    ),
    "trade": Wanted(
        "A treasury card was tucked and goods of three types are there: two state actions may be bought.",
        3,
        "trade",
        lambda game: game.turn >= 6 and sum(n > 0 for n in _me(game)["goods"]) >= 3 and len(game.legal()) >= 4,
    ),
    "sell-loop": Wanted("Four goods or more to sell to two ships or more.", 4, "sell", _selling),
    "follow-window": Wanted(
        "The first of several rivals who may follow a visit.",
        4,
        "follow",
        lambda game: _favors(game, game.context[0]) >= 3,
    ),
    "replace-ship": Wanted(
        "A new ship comes to a player with ships: a dock, one to replace, or a card to give up.",
        3,
        "build_ship",
        lambda game: sum(SHIP_BASE <= argument < STOP for argument in game.legal()) >= 2,
    ),
    "full-portfolio": Wanted(
        "A card is to be tucked into a full portfolio.", 2, "make_room", lambda game: len(game.legal()) >= 4
    ),
    "cardinal": Wanted(
        "The cardinal moves, with less than six tiles in the church.",
        4,
        "meet_cardinal",
        lambda game: UNKNOWN in game.fields()["church"],
    ),
    "church-scoring": Wanted("A church scoring of three players with tiles.", 3, "give_clergy", _church_by_several),
    "building-officials": Wanted(
        "A public building: which officials go home.", 4, "building_officials", lambda game: len(game.legal()) >= 3
    ),
    "tight-event": Wanted(
        "An event that builds, for a player who can hardly pay: what can be afforded later decides now.",
        3,
        "play_card",
        _builds_by_event,
    ),
    "event-payment": Wanted(
        "An event that builds is being paid for, with réis or influence; what it builds comes after.",
        4,
        "pay_reis",
        lambda game: len(game.legal()) >= 2 and _pays_for_a_building_event(game),
    ),
    "store": Wanted(
        "A store of the second period: land, cube, house and price.",
        2,
        "build_store",
        lambda game: game.period == 1 and len(game.legal()) >= 6,
    ),
    "period-change": Wanted("The first period ends: cards to discard for rewards.", 4, "discard_hand"),
    "queen": Wanted(
        "With the Queen out the Marquis' visitor builds a store or opens a building.", 3, "noble_action", queen=True
    ),
    "last-round": Wanted("The last turn but one of four players.", 4, "play_card", _two_turns_left),
    "last-round-of-two": Wanted(
        "The last turn of all.", 2, "play_card", lambda game: game.fields()["last_turn"] == game.turn
    ),
}


def make(name: str) -> Perft:
    """The position, from the first game that comes to it, with its counts."""
    wanted, tables = WANTED[name], edition.load("house")
    for seed in itertools.count(1):
        record = _played(tables, wanted, seed)
        if record is not None:
            text = record.to_text()
            return recounted(Perft(name, _about(tables, wanted, record, seed), text, ()))
    raise AssertionError("counting does not end")


def _played(tables: EditionTables, wanted: Wanted, seed: int) -> GameRecord | None:
    record = GameRecord.new(tables, wanted.seats, seed, queen=wanted.queen, draft=wanted.draft)
    game = record.replay()
    bot = MixedBot(seed)
    actions: list[RecordedAction] = []
    while not game.over:
        if KINDS[game.kind] == wanted.kind and wanted.when(game):
            return replace(record, actions=tuple(actions))
        argument = bot.choose(game.observe(game.seat))
        actions.append(RecordedAction(notation.action_text(tables, game.kind, game.context, argument)))
        game.apply(argument)
    return None


def _about(tables: EditionTables, wanted: Wanted, record: GameRecord, seed: int) -> tuple[str, ...]:
    """The comment: what it shows, whose decision it is, the turn so far."""
    game = record.replay()
    options = "".join(f", {name}" for name, on in (("Queen variant", record.queen), ("hand draft", record.draft)) if on)
    lines = [wanted.about, f"{record.seats} players{options}, seed {seed}. {show.headline(game).plain}."]
    if record.actions:
        lines += textwrap.wrap(
            f"So far in this turn: {'; '.join(_turn_so_far(record)) or 'nothing'}.", 110, break_on_hyphens=False
        )
    return tuple(lines)


def _turn_so_far(record: GameRecord) -> Iterator[str]:
    turn = record.replay().turn
    game = record.replay(0)
    for action in record.actions:
        if game.turn == turn:
            yield str(action)
        game.apply(notation.parse_action(record.tables, game, action.text))


def recounted(perft: Perft) -> Perft:
    """The same position counted anew, to the depths that are affordable."""
    game = perft.game_record().replay()
    counts: list[Counted] = []
    carried_out = 0
    while carried_out <= MOST_BY_HAND and (not counts or counts[-1].count):
        depth = len(counts) + 1
        by = tuple(who for who, most in MOST_TO_COUNT.items() if carried_out <= most)
        counts.append(Counted(depth, count(game, depth), by))
        carried_out += counts[-1].count
    return replace(perft, counts=tuple(counts))
