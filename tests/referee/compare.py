"""Plays games on the engine and replays each action on the referee; both must agree after each of them."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from google.protobuf import json_format

from engine_ext import core
from lisboa_ai import edition, notation
from lisboa_ai.analysis import SearchLimits
from lisboa_ai.bots import Bot, GreedyBot, RandomBot, SearchBot
from lisboa_ai.record import GameRecord, RecordedAction

from .game import Referee
from .setup import CARDS_KEPT
from .tables import ARCHITECTS, COLOURS, COLUMNS, DECKS, GOODS, HOUSES, NOBLE_OF, NOBLES, ROWS

TABLES = edition.load("house")
NOTHING = 255
FREE, BEING_BUILT = -1, -2


@dataclass(frozen=True)
class GamePlan:
    """What fixes a compared game. Options alternate with the seed, so that all four combinations come up."""

    players: int
    seed: int

    @property
    def queen(self) -> bool:
        return self.seed % 2 == 1

    @property
    def draft(self) -> bool:
        return self.seed // 2 % 2 == 1

    def __str__(self) -> str:
        return f"players {self.players}, seed {self.seed}, queen {self.queen}, draft {self.draft}"


@dataclass(frozen=True)
class Disagreement:
    """Where engine and referee part: after how many actions, at which decision, and what differs."""

    game: GamePlan
    action: int
    decision: str
    differences: tuple[str, ...]
    record: GameRecord

    def __str__(self) -> str:
        lines = [f"{self.game}: after {self.action} actions, at {self.decision}", *self.differences]
        return "\n  ".join(lines)

    def write(self, folder: Path) -> Path:
        """The record up to the disagreement, for ``lisboa-ai show``."""
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"disagreement-{self.game.players}-{self.game.seed}.json"
        path.write_text(self.record.to_json(), encoding="utf-8")
        return path


def compare_game(game: GamePlan, iterations: int) -> Disagreement | None:
    """Plays a game, each action chosen by chance or with sense, at equal odds, and compares throughout.

    With sense means by a search of so many iterations; with none, by the greedy bot.
    """
    rng = random.Random(game.seed * 4 + game.players)
    seeds = rng.getrandbits(32), rng.getrandbits(32)
    sensible = SearchBot(SearchLimits(iterations=iterations, seed=seeds[1])) if iterations else GreedyBot(seeds[1])
    bots: Sequence[Bot] = (RandomBot(seeds[0]), sensible)
    record = GameRecord.new(TABLES, game.players, game.seed, queen=game.queen, draft=game.draft)
    engine = record.replay()
    texts: list[str] = []
    referee = referee_of(record)
    while True:
        found = differences(engine, referee)
        if found:
            actions = tuple(RecordedAction(text) for text in texts)
            played = GameRecord(TABLES, game.players, record.setup, actions, game.queen, game.draft)
            return Disagreement(game, len(texts), _decision(engine), tuple(found), played)
        if engine.over:
            return None
        argument = rng.choice(bots).choose(engine.observe(engine.seat))
        texts.append(notation.action_text(TABLES, engine.kind, engine.context, argument))
        engine.apply(argument)
        referee.apply(texts[-1])


def referee_of(record: GameRecord) -> Referee:
    """The referee's game of a record: its set-up, and its actions so far."""
    return Referee(json_format.MessageToDict(record.to_proto()))


def _decision(engine: core.Game) -> str:
    return "the end" if engine.over else f"{core.KINDS[engine.kind]} of seat {engine.seat}"


# --- comparing ------------------------------------------------------------------------------------------------------


def differences(engine: core.Game, referee: Referee) -> list[str]:
    """What the two see differently, one line each."""
    found: list[str] = []
    ours = ("", -1) if engine.over else (core.KINDS[engine.kind], engine.seat)
    _note(found, "decision", ours, (referee.kind, referee.seat))
    legal = {notation.action_text(TABLES, engine.kind, engine.context, argument) for argument in engine.legal()}
    if legal != referee.legal():
        _note(found, "legal", sorted(legal - referee.legal()), sorted(referee.legal() - legal))
    forced = [notation.action_text(TABLES, *step) for step in engine.forced()]
    _note(found, "steps that followed by themselves", forced, referee.forced)
    theirs = referee.public()
    for name, value in engine_public(engine).items():
        if name == "players":
            for seat, fields in enumerate(value):
                for field, number in fields.items():
                    _note(found, f"seat {seat} {field}", number, theirs["players"][seat][field])
        else:
            _note(found, name, value, theirs[name])
    if referee.kind == "play_card" or engine.over:
        found += _score_differences(engine, referee)
    return found


def _score_differences(engine: core.Game, referee: Referee) -> list[str]:
    """Wigs by category as if the game were scored now; at the end, who wins."""
    found: list[str] = []
    ledgers = engine.ledger() if engine.over else engine.score_now()
    for seat, (ledger, score) in enumerate(zip(ledgers, referee.scores(), strict=True)):
        ours = {category: wigs for category, wigs in zip(core.CATEGORIES, ledger, strict=True) if wigs}
        _note(found, f"seat {seat} scored now", ours, {category: wigs for category, wigs in score.items() if wigs})
    if engine.over:
        _note(found, "winners", list(engine.winners()), referee.winners())
    return found


def _note(found: list[str], name: str, engine: Any, referee: Any) -> None:
    if engine != referee:
        found.append(f"{name}: engine {engine!r}, referee {referee!r}")


# --- the engine's fields, named as the referee names them ------------------------------------------------------------

IDS = {thing: list(ids) for thing, ids in TABLES.ids.items()}


def _named(thing: str, numbers: Sequence[int]) -> list[str]:
    ids = IDS[thing]
    return [ids[number] for number in numbers]


@lru_cache(maxsize=10_000)
def _bits(thing: str, *words: int) -> list[str]:
    """The ids of a set written as bits, 64 to a word."""
    bits = sum(word << 64 * i for i, word in enumerate(words))
    return sorted(name for i, name in enumerate(IDS[thing]) if bits >> i & 1)


@lru_cache(maxsize=1000)
def _words(names: Sequence[str], bits: int) -> list[str]:
    return sorted(name for i, name in enumerate(names) if bits >> i & 1)


def _seat(number: int) -> int | None:
    return None if number < 0 else number


def engine_public(engine: core.Game) -> dict[str, Any]:
    """The fields of ``Referee.public`` from the engine's game."""
    f = engine.fields()
    period = f["period"]
    changing = period == 1 and not f["face_up"] and not any(f["deck_pos"])
    decks = {
        deck: [] if changing else _named("card", cards[taken:])
        for deck, cards, taken in zip(DECKS, f["decks"][period], f["deck_pos"], strict=True)
    }
    stores = {
        IDS["land"][i]: (GOODS[business], _seat(owner))
        for i, (business, owner) in enumerate(zip(f["land_business"], f["land_owner"], strict=True))
        if business >= 0
    }
    buildings = {
        IDS["site"][i]: (IDS["building"][number >> 1], ARCHITECTS[number & 1], owner)
        for i, (number, owner) in enumerate(zip(f["site_building"], f["site_owner"], strict=True))
        if number >= 0
    }
    return {
        "period": period + 1,
        "turn": f["turn"],
        "last_turn": _seat(f["last_turn"]),
        "active": f["active"],
        "setting_up": f["phase"] == 0,
        "over": engine.over,
        "queen_out": bool(f["queen"]),
        "trigger": _seat(f["trigger"]),
        "church_caller": _seat(f["church_caller"]),
        "banners": _words(tuple(NOBLE_OF), f["banners"]),
        "markers_spent": [seat for seat in range(f["seats"]) if f["markers_spent"] >> seat & 1],
        "played": None if f["played"] == NOTHING else IDS["card"][f["played"]],
        "discarded": _bits("card", *f["discarded"]),
        "treasury": f["treasury"] + 1,
        "prices": dict(zip(GOODS, f["price"], strict=True)),
        "cardinal": f["cardinal"],
        "church": [None if tile == NOTHING else IDS["clergy"][tile] for tile in f["church"]],
        "clergy_gone": _bits("clergy", f["gone_clergy"]),
        "favor_stock": dict(zip(NOBLES, f["favor_stock"], strict=True)),
        "row_cubes": dict(zip(ROWS, f["row_cubes"], strict=True)),
        "column_cubes": dict(zip(COLUMNS, f["column_cubes"], strict=True)),
        "site_cubes": dict(zip(IDS["site"], f["site_cubes"], strict=True)),
        "pile": f["pile"],
        "cubes_gone": f["gone_cubes"],
        "stores": stores,
        "buildings": buildings,
        "scoring_tiles": _named("scoring", f["scoring"]),
        "tiles_on_display": _words((*GOODS, "small"), f["city"]),
        "large_left": f["city_large"],
        "small_left": f["city_small"],
        "decks": decks,
        "face_up": sorted(cards[0] for i, cards in enumerate(decks.values()) if f["face_up"] >> i & 1),
        "cards_gone": _bits("card", *f["gone_cards"]),
        "decrees": sorted(_named("decree", [number for number in f["display"] if number != NOTHING])),
        "decrees_left": len(f["decree_deck"]) - f["decree_pos"],
        "plan_stacks": {
            architect: _named("plan", stack[taken:])
            for architect, stack, taken in zip(ARCHITECTS, f["plan_stack"], f["plan_pos"], strict=True)
        },
        "building_stacks": {
            architect: _named("building", stack[taken:])
            for architect, stack, taken in zip(ARCHITECTS, f["buildings"], f["building_pos"], strict=True)
        },
        "purple_left": len(f["purple"]) - f["purple_pos"],
        "players": [
            _player(fields, drafted) for fields, drafted in zip(f["players"], _drafted(engine, f), strict=False)
        ],
    }


def _drafted(engine: core.Game, f: dict[str, Any]) -> list[list[str]]:
    """During the draft: the cards each seat has kept. Packets lie by the seat they were dealt to, kept cards first."""
    seats = f["seats"]
    kept: list[list[str]] = [[] for _ in range(seats)]
    if engine.over or core.KINDS[engine.kind] != "draft_keep":
        return kept
    number, taken = engine.context
    for dealt_to, packet in enumerate(f["packets"][:seats]):
        at = 0
        for earlier in range(number + 1):
            holder = (dealt_to + earlier) % seats
            done = earlier < number or holder < engine.seat
            count = CARDS_KEPT[earlier] if done else taken if holder == engine.seat else 0
            kept[holder] += _named("card", packet[at : at + count])
            at += count
    return kept


def _player(f: dict[str, Any], drafted: list[str]) -> dict[str, Any]:
    holdings = [
        IDS["ship"][number - core.SHIP_BASE] if number >= core.SHIP_BASE else IDS["card"][number]
        for number in f["top"][: f["n_top"]]
    ]
    return {
        "reis": f["reis"],
        "influence": f["influence"],
        "score": f["wigs"],
        "wigs": {name: wigs for name, wigs in zip(core.CATEGORIES, f["ledger"], strict=True) if wigs},
        "board": f["officials"],
        "offices": dict(zip(NOBLES, f["offices"], strict=True)),
        "plazas": dict(zip(NOBLES, f["plazas"], strict=True)),
        "goods": dict(zip(GOODS, f["goods"], strict=True)),
        "cubes": dict(zip(COLOURS, f["cubes"], strict=True)),
        "sets": f["sets"],
        "markers": f["markers"],
        "houses": dict(zip(HOUSES, f["houses"], strict=True)),
        "favors": _words(NOBLES, f["favors"]),
        "hand": sorted([*drafted, *_named("card", f["hand"][: f["n_hand"]])]),
        "top": sorted(zip(holdings, f["cargo"], f["packed"], strict=False)),
        "bottom": sorted(_named("card", f["bottom"][: f["n_bottom"]])),
        "plans": _bits("plan", f["plans"]),
        "completed": _bits("plan", f["completed"]),
        "clergy": _bits("clergy", f["clergy"]),
        "decrees": _bits("decree", *f["decrees"]),
    }
