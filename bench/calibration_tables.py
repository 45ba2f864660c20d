"""The tables of a calibration, as Markdown: scores, seats, length, and how often and to what end each thing was used.

Everything is counted from the lines of the log (``bench/game_facts.py``). The rules that call something an outlier are
the constants below.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from statistics import fmean, pstdev, quantiles
from typing import Any, Final, NamedTuple

from engine_ext.core import CATEGORIES
from lisboa_ai.arena.stats import Share
from lisboa_ai.edition import ARCHITECTS, BUSINESSES, DECKS, SIDES, EditionTables
from lisboa_ai.editions.names import HOUSES, STATE_ACTIONS

from .game_facts import MODES

__all__ = ["outliers", "report", "win_share"]

CONFIDENCE: Final = 0.95
SEAT_POINTS: Final = 5.0
"""A seat stands out if the 95 % interval of its win share is farther than this from 1/n."""
RARE, FREQUENT = 0.25, 4.0
"""A thing stands out if it is used less or more than this many times as often as its kind is on average."""
LEAST_WIGS, MOST_WIGS = 1.0, 8.0
"""A decree stands out if the wigs that it realises lie outside, on average."""
LEAST_SHARE, MOST_SHARE = 0.02, 0.98
"""A card stands out if the share of its plays into the portfolio, or to the court, lies outside."""

NOTES: Final = {
    "Scores": "The lead is the winner's over the next. In brackets: standard deviations, here and below.",
    "What a player does": "Means for each seat and game.",
    "Outliers": f"Rules: a seat's 95 % interval lies more than {SEAT_POINTS:.0f} points off its fair share; a thing is "
    f"used less than {RARE} or more than {FREQUENT:.0f} times as often as its kind; a decree realises less than "
    f"{LEAST_WIGS:.0f} or more than {MOST_WIGS:.0f} wigs on average; a card's plays into the portfolio, or to the "
    f"court, are less than {100 * LEAST_SHARE:.0f} or more than {100 * MOST_SHARE:.0f} % of its plays.",
    "Cards": "What became of a card each time somebody held it; left: in hand at the game's end. Gain: by how many "
    "wigs the turn in which it was played changed what its player would score if the game ended then (all of the "
    "turn, not the card alone).",
    "Decrees": "Of expected: how often it was taken when it was on display, against the mean of all. Wigs: realised "
    "at the game's end, in all games and by number of players; nothing: how often it realised none.",
    "Clergy tiles": "Kept at set-up, of expected: against the mean of all tiles. Given up: of those held.",
    "Lands": "Of expected: against the mean of all lands that are in the game.",
    "Sites": "Of expected: against the mean of all sites that are in the game.",
}
"""What a reader of a table has to know."""

Game = Mapping[str, Any]
Games = Sequence[Game]


def _percent(part: float, whole: float) -> str:
    return f"{100 * part / whole:.0f} %" if whole else "–"


def _spread(values: Sequence[float]) -> str:
    return f"{fmean(values):.1f} ({pstdev(values):.1f})"


def _mean(values: Sequence[float]) -> str:
    return f"{fmean(values):.1f}" if values else "–"


def _table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Columns of words to the left, of numbers to the right."""
    body = [[str(cell) for cell in row] for row in rows]
    rule = ["---" if i == 0 else "---:" for i in range(len(head))]
    return "\n".join(f"| {' | '.join(line)} |" for line in (head, rule, *body))


def _by_seats(games: Games) -> dict[int, list[Game]]:
    found: dict[int, list[Game]] = defaultdict(list)
    for game in games:
        found[game["seats"]].append(game)
    return dict(sorted(found.items()))


def _each(games: Games, key: str) -> list[list[Any]]:
    """The entries of a list that every game has."""
    return [entry for game in games for entry in game[key]]


# --- scores, seats, length -------------------------------------------------------------------------------------------


def win_share(games: Games, seat: int) -> Share:
    """Of games with the same number of players; a shared victory counts in parts."""
    won = [(seat in game["winners"]) / len(game["winners"]) for game in games]
    return Share.of(won, expected=1 / games[0]["seats"], games=1)


def _interval(share: Share) -> str:
    low, high = share.interval(CONFIDENCE)
    return f"{100 * share.mean:.1f} % ({100 * low:.1f}–{100 * high:.1f})"


def _scores(games: Games) -> str:
    rows = []
    for seats, some in _by_seats(games).items():
        best = [max(game["wigs"]) for game in some]
        cuts = quantiles(best, n=20) if len(best) > 1 else [best[0]] * 19
        everybody = [wigs for game in some for wigs in game["wigs"]]
        lead = [max(game["wigs"]) - sorted(game["wigs"])[-2] for game in some]
        rows.append(
            [
                seats,
                len(some),
                _spread(best),
                f"{cuts[0]:.0f}–{cuts[-1]:.0f}",
                max(best),
                _spread(everybody),
                _mean(lead),
            ]
        )
    head = ["players", "games", "winner's wigs (sd)", "90 % of winners", "highest", "everybody's wigs (sd)", "lead"]
    return _table(head, rows)


def _seats(games: Games) -> str:
    rows = [
        [
            seats,
            seat + 1,
            _spread([game["wigs"][seat] for game in some]),
            _interval(win_share(some, seat)),
            f"{100 / seats:.1f} %",
        ]
        for seats, some in _by_seats(games).items()
        for seat in range(seats)
    ]
    return _table(["players", "seat", "wigs (sd)", "win share (95 %)", "fair"], rows)


def _categories(games: Games) -> str:
    places = [(some, seat) for seats, some in _by_seats(games).items() for seat in range(seats)]
    rows = [
        [name.replace("_", " "), *(_spread([game["ledger"][seat][i] for game in some]) for some, seat in places)]
        for i, name in enumerate(CATEGORIES)
    ]
    head = ["category", *(f"{some[0]['seats']}p seat {seat + 1}" for some, seat in places)]
    return _table(head, rows)


def _length(games: Games) -> str:
    rows = []
    for seats, some in _by_seats(games).items():
        turns = [game["turns"] for game in some]
        by_sets = [sum(game["ended"][period] == "sets" for game in some) for period in range(2)]
        rows.append(
            [
                seats,
                _spread([game["period_turns"][0] for game in some]),
                _spread(turns),
                f"{min(turns)}–{max(turns)}",
                _mean([turns / seats for turns in turns]),
                *(_percent(count, len(some)) for count in by_sets),
            ]
        )
    head = ["players", "turns in period 1 (sd)", "turns (sd)", "range", "turns each"]
    return _table([*head, "period 1 ended by sets", "game ended by sets"], rows)


# --- what a seat does in a game -------------------------------------------------------------------------------------


def _habits(games: Games) -> str:
    """Means for each seat and game."""
    counted = _by_seats(games)

    def row(name: str, count: Any) -> list[str]:
        return [name, *(f"{fmean([count(game) for game in some]) / seats:.2f}" for seats, some in counted.items())]

    def entries(key: str, place: int, value: str) -> Any:
        return lambda game: sum(entry[place] == value for entry in game[key])

    def total(key: str) -> Any:
        return lambda game: sum(game[key])

    rows = [row(f"cards: {mode}", entries("cards", 2, mode)) for mode in MODES]
    rows += [row("cards: discarded at the period's end", lambda game: len(game["discarded"]))]
    rows += [row(f"stores: {name}", entries("stores", 2, name)) for name in BUSINESSES]
    rows += [
        row(f"houses: {name}", lambda game, i=i: sum(h[i] for h in game["houses"])) for i, name in enumerate(HOUSES)
    ]
    rows += [row(f"public buildings: {name} architect", entries("buildings", 3, name)) for name in ARCHITECTS]
    rows += [
        row(
            f"public buildings: {side}",
            lambda game, side=side: sum(e[1].startswith(f"site-{side}") for e in game["buildings"]),
        )
        for side in SIDES
    ]
    rows += [row(f"ships built: {name}", entries("ships", 1, name)) for name in DECKS]
    rows += [
        row("goods sold to own ships", total("sold_own")),
        row("goods sold to rivals' ships", total("sold_to_rivals")),
        row("plans left unused", lambda game: len(game["plans_unused"])),
        row("rubble sets", total("sets")),
        row("decrees", lambda game: len(game["decrees"])),
        row("clergy tiles taken", lambda game: len(game["clergy_taken"])),
        row("clergy tiles given up", lambda game: len(game["clergy_given"])),
        row("favors taken", total("favors_taken")),
        row("asked whether to follow", total("follow_asked")),
        row("followed", total("favors_used")),
        row("followed for the noble action", lambda game: game["follower_actions"][-1]),
    ]
    rows += [
        row(f"state action: {name}", lambda game, i=i: game["state_actions"][i]) for i, name in enumerate(STATE_ACTIONS)
    ]
    return _table(["for each seat and game", *(f"{seats}p" for seats in counted)], rows)


# --- things ----------------------------------------------------------------------------------------------------------


class _Use(NamedTuple):
    """How often a thing was used, and how often it would have been if everything of its kind were used alike."""

    used: int
    expected: float

    @property
    def ratio(self) -> float:
        return self.used / self.expected if self.expected else math.nan


def _uses(ids: Sequence[str], used: Mapping[str, int], offered: Mapping[str, float]) -> dict[str, _Use]:
    rate = sum(used.values()) / sum(offered.values())
    return {name: _Use(used.get(name, 0), rate * offered.get(name, 0)) for name in ids}


def _decree_uses(tables: EditionTables, games: Games) -> dict[str, _Use]:
    shown = Counter(name for game in games for name in game["decrees_shown"])
    return _uses(tables.ids["decree"], Counter(entry[1] for entry in _each(games, "decrees")), shown)


def _clergy_uses(tables: EditionTables, games: Games) -> dict[str, _Use]:
    shown = Counter(name for game in games for name in game["clergy_shown"])
    return _uses(tables.ids["clergy"], Counter(entry[1] for entry in _each(games, "clergy_taken")), shown)


def _clergy_keeps(tables: EditionTables, games: Games) -> dict[str, _Use]:
    everywhere = dict.fromkeys(tables.ids["clergy"], 1.0)
    return _uses(tables.ids["clergy"], Counter(entry[1] for entry in _each(games, "clergy_kept")), everywhere)


def _place_uses(ids: Sequence[str], games: Games, key: str, row_e: set[str]) -> dict[str, _Use]:
    """Lands or sites: row E is not there with two players (A2)."""
    offered = Counter({name: sum(game["seats"] > 2 or name not in row_e for game in games) for name in ids})
    return _uses(ids, Counter(entry[1] for entry in _each(games, key)), offered)


def _land_uses(tables: EditionTables, games: Games) -> dict[str, _Use]:
    return _place_uses(tables.ids["land"], games, "stores", {land.id for land in tables.lands if land.row == "E"})


def _site_uses(tables: EditionTables, games: Games) -> dict[str, _Use]:
    return _place_uses(tables.ids["site"], games, "buildings", {site.id for site in tables.sites if site.row == "E"})


def _realised(games: Games) -> dict[str, list[int]]:
    found: dict[str, list[int]] = defaultdict(list)
    for _, name, wigs in _each(games, "decrees"):
        found[name].append(wigs)
    return found


def _decrees(tables: EditionTables, games: Games) -> str:
    uses, realised = _decree_uses(tables, games), _realised(games)
    by_seats = [_realised(some) for some in _by_seats(games).values()]
    rows = [
        [
            name,
            tables.describe(name),
            uses[name].used,
            f"{uses[name].ratio:.2f}",
            _mean(realised[name]),
            _percent(realised[name].count(0), len(realised[name])),
            *(_mean(some[name]) for some in by_seats),
        ]
        for name in tables.ids["decree"]
    ]
    head = ["decree", "", "taken", "of expected", "wigs", "nothing", *(f"{seats}p" for seats in _by_seats(games))]
    return _table(head, rows)


class _Plays(NamedTuple):
    """What became of a card whenever somebody held it."""

    modes: Counter[str]
    gains: dict[str, list[int]]
    discarded: int
    left: int

    def share(self, *modes: str) -> float:
        """Of the times it was played."""
        total = sum(self.modes.values())
        return sum(self.modes[mode] for mode in modes) / total if total else math.nan


def _plays(tables: EditionTables, games: Games) -> dict[str, _Plays]:
    found = {name: _Plays(Counter(), defaultdict(list), 0, 0) for name in tables.ids["card"]}
    for _, name, mode, gain in _each(games, "cards"):
        found[name].modes[mode] += 1
        found[name].gains[mode].append(gain)
    discarded = Counter(entry[1] for entry in _each(games, "discarded"))
    left = Counter(entry[1] for entry in _each(games, "left"))
    return {name: plays._replace(discarded=discarded[name], left=left[name]) for name, plays in found.items()}


def _cards(tables: EditionTables, games: Games) -> str:
    rows = []
    for name, plays in _plays(tables, games).items():
        held = sum(plays.modes.values()) + plays.discarded + plays.left
        court = plays.modes["visit"] + plays.modes["event"]
        counts = [plays.modes["gold"], plays.modes["portfolio"], court, plays.discarded, plays.left]
        gains = [plays.gains["portfolio"], plays.gains["visit"] + plays.gains["event"]]
        rows.append([name, tables.describe(name), held, *(_percent(n, held) for n in counts), *map(_mean, gains)])
    head = ["card", "", "held", "gold", "portfolio", "court", "discarded", "left", "gain: portfolio", "gain: court"]
    return _table(head, rows)


def _clergy(tables: EditionTables, games: Games) -> str:
    uses, keeps = _clergy_uses(tables, games), _clergy_keeps(tables, games)
    given = Counter(entry[1] for entry in _each(games, "clergy_given"))
    rows = [
        [
            name,
            tables.describe(name),
            f"{keeps[name].ratio:.2f}",
            uses[name].used,
            f"{uses[name].ratio:.2f}",
            _percent(given[name], uses[name].used + keeps[name].used),
        ]
        for name in tables.ids["clergy"]
    ]
    return _table(["clergy tile", "", "kept at set-up", "taken", "of expected", "given up"], rows)


def _places(tables: EditionTables, uses: Mapping[str, _Use], what: str) -> str:
    rows = [[name, tables.describe(name), use.used, f"{use.ratio:.2f}"] for name, use in uses.items()]
    return _table([what, "", "used", "of expected"], rows)


def _plans(tables: EditionTables, games: Games) -> str:
    done = Counter(entry[1] for entry in _each(games, "plans"))
    unused = Counter(entry[1] for entry in _each(games, "plans_unused"))
    rows = [
        [name, tables.describe(name), done[name] + unused[name], _percent(done[name], done[name] + unused[name])]
        for name in tables.ids["plan"]
    ]
    return _table(["plan", "", "held", "completed"], rows)


# --- outliers -------------------------------------------------------------------------------------------------------


def _seat_outliers(games: Games) -> Iterable[str]:
    for seats, some in _by_seats(games).items():
        for seat in range(seats):
            share = win_share(some, seat)
            low, high = share.interval(CONFIDENCE)
            if 100 * max(low - 1 / seats, 1 / seats - high) > SEAT_POINTS:
                yield f"{seats} players: seat {seat + 1} wins {_interval(share)} instead of {100 / seats:.1f} %"


def _use_outliers(what: str, uses: Mapping[str, _Use]) -> Iterable[str]:
    for name, use in uses.items():
        if use.expected and not RARE <= use.ratio <= FREQUENT:
            yield f"{name}: {what} {use.ratio:.2f} times as often as its kind ({use.used} times)"


def _worth_outliers(games: Games) -> Iterable[str]:
    for name, wigs in sorted(_realised(games).items(), key=lambda entry: int(entry[0].split("-")[1])):
        if not LEAST_WIGS <= fmean(wigs) <= MOST_WIGS:
            yield f"{name}: {fmean(wigs):.1f} wigs on average ({len(wigs)} times)"


def _card_outliers(tables: EditionTables, games: Games) -> Iterable[str]:
    for name, plays in _plays(tables, games).items():
        for what, share in (("portfolio", plays.share("portfolio")), ("court", plays.share("visit", "event"))):
            if not LEAST_SHARE <= share <= MOST_SHARE:
                yield f"{name}: {what} in {100 * share:.1f} % of {sum(plays.modes.values())} plays"


def outliers(tables: EditionTables, games: Games) -> list[str]:
    """What the rules above call an outlier, one line each."""
    return [
        *_seat_outliers(games),
        *_use_outliers("taken", _decree_uses(tables, games)),
        *_worth_outliers(games),
        *_card_outliers(tables, games),
        *_use_outliers("taken", _clergy_uses(tables, games)),
        *_use_outliers("kept", _clergy_keeps(tables, games)),
        *_use_outliers("built on", _land_uses(tables, games)),
        *_use_outliers("opened", _site_uses(tables, games)),
    ]


def report(tables: EditionTables, games: Games, iterations: int) -> str:
    """All tables of these games, as Markdown."""
    counts = ", ".join(f"{len(some):,} with {seats}" for seats, some in _by_seats(games).items())
    found = outliers(tables, games)
    sections = {
        "Scores": _scores(games),
        "Seats": _seats(games),
        "Length": _length(games),
        "Wigs by category: mean (sd)": _categories(games),
        "What a player does": _habits(games),
        "Outliers": "\n".join(f"* {line}" for line in found) or "None.",
        "Cards": _cards(tables, games),
        "Decrees": _decrees(tables, games),
        "Clergy tiles": _clergy(tables, games),
        "Lands": _places(tables, _land_uses(tables, games), "land"),
        "Sites": _places(tables, _site_uses(tables, games), "site"),
        "Plans": _plans(tables, games),
    }
    head = (
        f"Edition {tables.name} {tables.digest}; games between equal searches of {iterations} iterations for each "
        f"legal action: {counts} players."
    )
    parts = [head]
    for name, text in sections.items():
        parts += [part for part in (f"## {name}", NOTES.get(name), text) if part]
    return "\n\n".join(["# Calibration", *parts])
