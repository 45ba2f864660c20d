"""What happened in a game, retold from its choices: who played, took, built and sold what, and what it was worth.

``told`` plays the choices again and keeps facts only, by id, in a form that JSON can hold. The wigs of each decree are
counted here once more from the final state, so that a slip in the engine's own count would come to light.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

from engine_ext.core import CATEGORIES, KINDS, SHIP_BASE, STOP, UNKNOWN, Game
from lisboa_ai.edition import ARCHITECTS, BUSINESSES, EditionTables, Feature

__all__ = ["MODES", "decree_wigs", "told"]

MODES: Final = ("gold", "portfolio", "visit", "event")
"""What a card is played for; a visit is a noble card at the court, an event a treasury card there."""

GOLD, PORTFOLIO = 0, 1
TREASURY: Final = 3
NOBLE_ACTION: Final = 6
COPIES: Final = 3
DECKS_OF_A_PERIOD: Final = 3
"""So many empty decks end a period."""
SETS_THAT_END: Final = (2, 4)

Fields = Mapping[str, Any]


# --- decrees ---------------------------------------------------------------------------------------------------------


def _bits(mask: int) -> list[int]:
    return [i for i in range(mask.bit_length()) if mask >> i & 1]


def _decrees_of(player: Fields) -> list[int]:
    return _bits(player["decrees"][0] | player["decrees"][1] << 64)


def _stores(e: Fields, s: Fields, seat: int, d: Fields) -> int:
    return sum(
        owner == seat
        and d["businesses"] >> s["land_business"][land] & d["rows"] >> e["land_row"][land]
        & d["columns"] >> e["land_column"][land] & 1
        for land, owner in enumerate(s["land_owner"])
    )  # fmt: skip


def _buildings(e: Fields, s: Fields, seat: int, d: Fields) -> int:
    found = 0
    for site, owner in enumerate(s["site_owner"]):
        tile, side = divmod(s["site_building"][site], 2)
        if owner == seat and tile >= 0:
            shown = d["sides"] >> e["site_side"][site] & d["architects"] >> side & 1
            found += bool(shown and d["colours"] & e["building_colours"][tile][side])
    return found


def _top(player: Fields) -> list[int]:
    return list(player["top"][: player["n_top"]])


def _hulls(e: Fields, player: Fields) -> list[int]:
    return [e["ship_hull"][(thing - SHIP_BASE) // COPIES] for thing in _top(player) if thing >= SHIP_BASE]


def _masked(amounts: Sequence[int], mask: int) -> int:
    return sum(amount for i, amount in enumerate(amounts) if mask >> i & 1)


_OF_PLAYER: Final[Mapping[int, Callable[[Fields, Fields, Fields], int]]] = {
    Feature.PLANS_COMPLETED: lambda e, p, d: p["completed"].bit_count(),
    Feature.PLANS_UNUSED: lambda e, p, d: p["plans"].bit_count(),
    Feature.OFFICIALS_ON_PLANS: lambda e, p, d: sum(e["plan_officials"][plan] for plan in _bits(p["completed"])),
    Feature.OFFICIALS_IN_OFFICES: lambda e, p, d: sum(p["offices"]),
    Feature.OFFICIALS_IN_PLAZAS: lambda e, p, d: sum(p["plazas"]),
    Feature.OFFICIALS_ON_BOARD: lambda e, p, d: p["officials"],
    Feature.SHIPS: lambda e, p, d: len(_hulls(e, p)),
    Feature.HULL: lambda e, p, d: sum(_hulls(e, p)),
    Feature.NOBLE_CARDS: lambda e, p, d: sum(
        card < SHIP_BASE and d["nobles"] >> e["card_noble"][card] & 1 for card in _top(p)
    ),
    Feature.TREASURY_CARDS: lambda e, p, d: p["n_bottom"],
    Feature.INFLUENCE: lambda e, p, d: p["influence"],
    Feature.REIS: lambda e, p, d: p["reis"],
    Feature.GOODS: lambda e, p, d: _masked(p["goods"], d["goods"]),
    Feature.DIFFERENT_GOODS: lambda e, p, d: sum(amount > 0 for amount in p["goods"]),
    Feature.CUBES: lambda e, p, d: _masked(p["cubes"], d["colours"]),
    Feature.SETS: lambda e, p, d: min(p["cubes"]),
    Feature.UNPAIRED_CUBES: lambda e, p, d: sum(p["cubes"]) - 3 * min(p["cubes"]),
    Feature.CLERGY: lambda e, p, d: p["clergy"].bit_count(),
    Feature.FAVORS: lambda e, p, d: p["favors"].bit_count(),
    Feature.HOUSES: lambda e, p, d: sum(p["houses"]),
    Feature.DECREES: lambda e, p, d: len(_decrees_of(p)),
    Feature.SET_MARKERS: lambda e, p, d: p["markers"],
}


def decree_wigs(e: Fields, s: Fields, seat: int, decree: int) -> int:
    """What a decree is worth to its owner in a final state: ``e`` is the engine's tables, ``s`` the state's fields."""
    d = e["decrees"][decree]
    if d["feature"] == Feature.STORES:
        count = _stores(e, s, seat, d)
    elif d["feature"] == Feature.BUILDINGS:
        count = _buildings(e, s, seat, d)
    else:
        count = _OF_PLAYER[d["feature"]](e, s["players"][seat], d)
    if d["at_least"]:
        return int(d["wigs"]) if count >= d["at_least"] else 0
    return int(d["wigs"]) * (min(count, d["at_most"]) if d["at_most"] else count)


# --- the game --------------------------------------------------------------------------------------------------------


class _Teller:
    """Applies the choices one by one and notes what each of them changed."""

    def __init__(self, tables: EditionTables, game: Game) -> None:
        self.tables = tables
        self.engine = tables.engine.tables()
        self.game = game
        self.seats = game.seats
        self.ended: list[str] = []
        self.period_turns: list[int] = []
        self.cards: list[list[Any]] = []
        self.discarded: list[list[Any]] = []
        self.kept: list[list[Any]] = []
        self.taken: list[list[Any]] = []
        self.given: list[list[Any]] = []
        self.ships: list[list[Any]] = []
        self.church: set[int] = set()
        self.displayed: set[int] = set()
        self.sold_own = [0] * self.seats
        self.sold_to_rivals = [0] * self.seats
        self.favors_taken = [0] * self.seats
        self.asked = [0] * self.seats
        self.followed = [0] * self.seats
        self.state_actions = [0] * NOBLE_ACTION
        self.follower_actions = [0] * (NOBLE_ACTION + 1)
        self.playing: tuple[int, int, int, int] | None = None  # seat, card, mode, wigs in a count made before

    def _count(self, seat: int) -> int:
        return sum(self.game.score_now()[seat])

    def step(self, argument: int) -> None:
        """One choice and whatever followed from it by itself."""
        game = self.game
        kind, seat, turn, active = KINDS[game.kind], game.seat, game.turn, game.active
        before = game.fields()
        if kind == "take_card":
            self._close()
        if kind == "play_card":
            mode, card = divmod(argument, 128)
            at_court = mode not in (GOLD, PORTFOLIO) and self.engine["card_noble"][card] == TREASURY
            self.playing = (seat, card, mode + at_court, self._count(seat))
        elif kind == "discard_hand" and argument != STOP:
            self.discarded.append([seat, self.tables.id("card", argument)])
        elif kind == "follow":
            self.asked[seat] += 1
            self.followed[seat] += argument
        game.apply(argument)
        for name, answer in ((kind, argument), *((KINDS[step[0]], step[2]) for step in game.forced())):
            self._note(name, answer, active, before)
        after = game.fields()
        if game.over or game.turn != turn:
            self._close()
        self._compare(kind, before, after)

    def _close(self) -> None:
        """The card of the turn has had its effect: what a final count made now gives more than one made before."""
        if self.playing is not None:
            seat, card, mode, earlier = self.playing
            self.cards.append([seat, self.tables.id("card", card), MODES[mode], self._count(seat) - earlier])
            self.playing = None

    def _note(self, kind: str, answer: int, active: int, before: Fields) -> None:
        """Steps that leave no trace of their own in the state."""
        if answer == STOP:
            return
        if kind == "sell":
            own = SHIP_BASE + answer % 16 in _top(before["players"][active])
            (self.sold_own if own else self.sold_to_rivals)[active] += 1
        elif kind == "follow_action":
            self.follower_actions[answer] += 1
        if kind in ("trade", "visit_state_action", "follow_action") and answer < NOBLE_ACTION:
            self.state_actions[answer] += 1

    def _compare(self, kind: str, before: Fields, after: Fields) -> None:
        """Changes that the state shows."""
        self.church.update(tile for tile in after["church"] if tile != UNKNOWN)
        self.displayed.update(decree for decree in after["display"] if decree != UNKNOWN)
        for seat in range(self.seats):
            old, new = before["players"][seat], after["players"][seat]
            for tile in _bits(new["clergy"] & ~old["clergy"]):
                (self.kept if kind == "keep_clergy" else self.taken).append([seat, self.tables.id("clergy", tile)])
            for tile in _bits(old["clergy"] & ~new["clergy"]):
                self.given.append([seat, self.tables.id("clergy", tile)])
            for thing in set(_top(new)) - set(_top(old)):
                if thing >= SHIP_BASE:
                    colour = self.tables.ships[(thing - SHIP_BASE) // COPIES].colour
                    self.ships.append([seat, colour])
            self.favors_taken[seat] += (new["favors"] & ~old["favors"]).bit_count()
        if after["period"] != before["period"]:
            self._ended(before, 0)
            self.period_turns.append(before["turn"] + 1)
        if after["last_turn"] >= 0 and before["last_turn"] < 0:
            self._ended(after, 1)

    def _ended(self, state: Fields, period: int) -> None:
        """Sets end a period before decks do, if both happen in a turn: they complete before the draw (K1, L1)."""
        most = max(player["sets"] for player in state["players"])
        self.ended.append("sets" if most >= SETS_THAT_END[period] else "decks")

    def facts(self) -> dict[str, Any]:
        """Everything noted, and what the final state shows."""
        if not self.game.over:
            raise ValueError("choices: they end before the game does")
        final, ids = self.game.fields(), self.tables.id
        players = final["players"][: self.seats]
        self.period_turns.append(self.game.turn + 1 - self.period_turns[0])
        return {
            "wigs": self.game.wigs(),
            "ledger": self.game.ledger(),
            "winners": self.game.winners(),
            "turns": self.game.turn + 1,
            "period_turns": self.period_turns,
            "ended": self.ended,
            "cards": self.cards,
            "discarded": self.discarded,
            "left": [[seat, ids("card", card)] for seat, card in _hands(players)],
            "clergy_kept": self.kept,
            "clergy_shown": [ids("clergy", tile) for tile in sorted(self.church)],
            "clergy_taken": self.taken,
            "clergy_given": self.given,
            "decrees_shown": [ids("decree", decree) for decree in sorted(self.displayed)],
            "decrees": self._decrees(final),
            "plans_unused": [[seat, ids("plan", n)] for seat, p in enumerate(players) for n in _bits(p["plans"])],
            "plans": [[seat, ids("plan", n)] for seat, p in enumerate(players) for n in _bits(p["completed"])],
            "stores": [
                [owner, ids("land", land), BUSINESSES[final["land_business"][land]]]
                for land, owner in enumerate(final["land_owner"])
                if owner >= 0
            ],
            "buildings": [
                [owner, ids("site", site), ids("building", building // 2), ARCHITECTS[building % 2]]
                for site, (owner, building) in enumerate(
                    zip(final["site_owner"], final["site_building"], strict=True)
                )
                if owner >= 0
            ],
            "houses": [p["houses"] for p in players],
            "sets": [p["sets"] for p in players],
            "ships": self.ships,
            "sold_own": self.sold_own,
            "sold_to_rivals": self.sold_to_rivals,
            "favors_taken": self.favors_taken,
            "favors_used": self.followed,
            "follow_asked": self.asked,
            "follower_actions": self.follower_actions,
            "state_actions": self.state_actions,
        }  # fmt: skip

    def _decrees(self, final: Fields) -> list[list[Any]]:
        """Seat, decree and its wigs; a seat's sum must be its ledger's, less what benefits gave on taking them."""
        found: list[list[Any]] = []
        for seat, ledger in enumerate(self.game.ledger()):
            owned = _decrees_of(final["players"][seat])
            worth = [decree_wigs(self.engine, final, seat, decree) for decree in owned]
            if sum(worth) > ledger[CATEGORIES.index("decrees")]:
                raise ValueError(f"decrees: seat {seat} has more wigs of them here than in the engine's ledger")
            found += [[seat, self.tables.id("decree", n), wigs] for n, wigs in zip(owned, worth, strict=True)]
        return found


def _hands(players: Sequence[Fields]) -> Iterator[tuple[int, int]]:
    for seat, player in enumerate(players):
        for card in player["hand"][: player["n_hand"]]:
            yield seat, card


def told(tables: EditionTables, seats: int, seed: int, choices: Sequence[int]) -> dict[str, Any]:
    """The facts of the game dealt from a seed in which these choices were made."""
    teller = _Teller(tables, Game.deal(tables.engine, seats, seed))
    for argument in choices:
        teller.step(argument)
    return teller.facts()
