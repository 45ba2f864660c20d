"""The greedy choice: one decision ahead, ties by rules of thumb. Fixed, since strength is measured against it."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any, ClassVar, Final

from engine_ext.core import KINDS, SHIP_BASE, STOP, Edition, Observation

__all__ = ["GREEDY_VERSION", "ranked"]

GREEDY_VERSION: Final = 1
"""Any change to the order that ``ranked`` gives makes a new version."""

GOLD, PORTFOLIO, COURT = 0, 1, 2
TREASURY: Final = 3
NOBLE_ACTION: Final = 6
SCORING_EFFECTS: Final = (14, 15, 16)
"""Effect kinds that lead to wigs: decree, store, building."""


def ranked(observation: Observation, arguments: Sequence[int], draw: random.Random) -> list[int]:
    """Legal arguments of the pending decision, best first, each tried in the same world, which ``draw`` samples."""
    world = observation.sample_world(draw.getrandbits(64))
    seat = observation.seat
    before = world.wigs()
    thumb = _Thumb(observation)
    keys: dict[int, tuple[float, float, float]] = {}
    for argument in arguments:
        after = world.copy()
        after.apply(argument)
        change = [now - then for now, then in zip(after.wigs(), before, strict=True)]
        # the final count is no doing of this action alone, but it is what the last action leads to
        gain = change[seat] - (sum(change) - change[seat]) / (len(change) - 1)
        keys[argument] = (gain, thumb.worth(argument), draw.random())
    return sorted(keys, key=keys.__getitem__, reverse=True)


class _Printed:
    """What the rules of thumb need of an edition's tables, looked up once."""

    _known: ClassVar[dict[str, _Printed]] = {}

    def __init__(self, edition: Edition) -> None:
        self.tables = edition.tables()
        self.scoring_cards = {
            card
            for card in range(82)
            if any(
                effect["kind"] in SCORING_EFFECTS
                for effect in (*self.tables["sources"][card]["rewards"], *self.tables["sources"][card]["choices"])
            )
        }

    @classmethod
    def of(cls, edition: Edition) -> _Printed:
        if edition.digest not in cls._known:
            cls._known[edition.digest] = cls(edition)
        return cls._known[edition.digest]


class _Thumb:
    """The rules of thumb for one decision: ``worth(argument)``, higher is better, comparable within the decision."""

    def __init__(self, observation: Observation) -> None:
        self.observation = observation
        self.printed = _Printed.of(observation.edition)
        self.tables: dict[str, Any] = self.printed.tables
        self.state = observation.fields()
        self.seat = observation.seat
        self.me: dict[str, Any] = self.state["players"][self.seat]
        self.context = observation.context
        rule: Callable[[int], float] | None = getattr(self, f"_{KINDS[observation.kind]}", None)
        self.worth: Callable[[int], float] = rule or (lambda argument: 0.0)

    # --- the turn and the court

    def _play_card(self, argument: int) -> float:
        mode, card = divmod(argument, 128)
        noble = int(self.tables["card_noble"][card])
        influence = int(self.me["influence"])
        if mode == GOLD:
            return -10.0
        if mode == PORTFOLIO:
            if noble == TREASURY:
                return 2.0 + 0.3 * int(self.tables["treasury_reis"][self.state["treasury"]])
            room = self.me["n_top"] < 3
            return (3.0 if influence < 5 else 1.5) + 0.2 * int(self.tables["card_influence"][card]) - (0 if room else 2)
        if noble == TREASURY:
            return 5.2 if card in self.printed.scoring_cards else 2.2
        cost = self.observation.visit_cost(self.seat, noble)
        return (6.0, 4.0, 5.0)[noble] - 0.2 * min(cost, influence)

    def _take_card(self, argument: int) -> float:
        if self.tables["card_noble"][argument] == TREASURY:
            return 2.5 if argument in self.printed.scoring_cards else 1.5
        return float(self.tables["card_influence"][argument])

    def _discard_hand(self, argument: int) -> float:
        return 0.0 if argument == STOP else 1.0

    def _visit_cost(self, argument: int) -> float:
        reis, wigs = divmod(argument, 32)
        return -2.0 * wigs - 0.4 * reis

    def _visit_state_action(self, argument: int) -> float:
        return self._state_action(argument)

    def _follow(self, argument: int) -> float:
        cost = self.observation.visit_cost(self.seat, self.context[0])
        return float(argument) if cost <= self.me["influence"] else -float(argument)

    def _follow_action(self, argument: int) -> float:
        return 5.0 if argument == NOBLE_ACTION else self._state_action(argument)

    def _state_action(self, action: int) -> float:
        """Recruit, plan, ship, produce, cardinal, favor."""
        if action == STOP:
            return -1.0
        return (2.0, 2.0, 4.0, 3.0, 4.2, 1.0)[action]

    # --- the portfolio

    def _make_room(self, argument: int) -> float:
        return -5.0 if argument >= SHIP_BASE else -float(self.tables["card_influence"][argument])

    def _shed(self, argument: int) -> float:
        return self._make_room(argument)

    def _sell_or_trade(self, argument: int) -> float:
        held = sum(self.me["goods"])
        return 1.0 if (argument == 0) == (held >= 3 and self._own_hold() > 0) else 0.0

    def _own_hold(self) -> int:
        """Free spaces of own docked ships."""
        hulls = self.tables["ship_hull"]
        return sum(
            hulls[(thing - SHIP_BASE) // 3] - self.me["cargo"][i] - self.me["packed"][i]
            for i, thing in enumerate(self.me["top"][: self.me["n_top"]])
            if thing >= SHIP_BASE
        )

    def _sell(self, argument: int) -> float:
        if argument == STOP:
            return 0.5
        good, ship = divmod(argument, 16)
        own = SHIP_BASE + ship in self.me["top"][: self.me["n_top"]]
        return float(self.state["price"][good]) + (10.0 if own else -3.0)

    def _trade(self, argument: int) -> float:
        return self._state_action(argument)

    def _trade_good(self, argument: int) -> float:
        return float(self.me["goods"][argument]) - 0.5 * float(self.state["price"][argument])

    def _pay_good(self, argument: int) -> float:
        return self._trade_good(argument)

    def _good_any(self, argument: int) -> float:
        return -float(self.me["goods"][argument])

    def _produce_bonus(self, argument: int) -> float:
        return float(self.state["price"][argument])

    def _recruit(self, argument: int) -> float:
        return float(argument.bit_count())

    def _build_ship(self, argument: int) -> float:
        if argument == STOP:
            return 1.0
        return 0.0 if argument < SHIP_BASE else -float(self.tables["ship_hull"][(argument - SHIP_BASE) // 3])

    def _ship_goods(self, argument: int) -> float:
        return -float(sum(self.state["price"][good] for good in range(4) if argument >> good & 1))

    def _get_favor(self, argument: int) -> float:
        nobles = [self.tables["card_noble"][card] for card in self.me["hand"][: self.me["n_hand"]] if card < 82]
        return -float(nobles.count(argument))

    # --- stores and buildings

    def _column_wigs(self, land: int) -> int:
        column = self.tables["column_uses"][self.tables["land_column"][land]]
        return int(self.tables["scoring_large"][self.state["scoring"][column]])

    def _build_store(self, argument: int) -> float:
        """Most immediate wigs, then a column and a business that pay again, then the price."""
        land, business = divmod(argument, 4)
        matching = 0
        for site, tile in enumerate(self.state["site_building"]):
            if tile >= 0 and self.tables["building_colours"][tile >> 1][tile & 1] >> business & 1:
                same_row = self.tables["site_row"][site] == self.tables["land_row"][land]
                matching += same_row or self.tables["site_street"][site] == business
        worth = self._column_wigs(land)
        price = self.observation.land_price(self.seat, land)
        return matching * worth + 0.5 * worth + (1.0, 2.0, 2.0, 1.5)[business] - 0.25 * price

    def _store_cube(self, argument: int) -> float:
        return self._cube(argument % 3)

    def _rubble_cube(self, argument: int) -> float:
        return self._cube(argument)

    def _cube(self, colour: int) -> float:
        held = self.me["cubes"][colour]
        return -1.0 if held >= 5 else 10.0 - 2.0 * (held - self.me["sets"]) - 0.1 * colour

    def _opening(self, site: int, architect: int) -> float:
        """Own wigs minus the mean rival's for the tile that an architect offers (H9, H10)."""
        place = self.state["building_pos"][architect]
        if place >= 8:
            return -100.0
        colours = self.tables["building_colours"][self.state["buildings"][architect][place]][architect]
        total = 0.0
        for land, owner in enumerate(self.state["land_owner"]):
            business = self.state["land_business"][land]
            if owner >= 0 and (
                self.tables["site_street"][site] == business
                or (self.tables["site_row"][site] == self.tables["land_row"][land] and colours >> business & 1)
            ):
                total += self._column_wigs(land) * (1.0 if owner == self.seat else -1.0 / (self.observation.seats - 1))
        return total

    def _open_building(self, argument: int) -> float:
        held = [plan for plan in range(20) if self.me["plans"] >> plan & 1]
        architects = {self.tables["plan_architect"][plan] for plan in held}
        best = max((self._opening(argument, architect) for architect in architects), default=0.0)
        cubes = self.state["site_cubes"][argument]
        return best + sum(0.1 * self._cube(colour) for colour in range(3) for _ in range(cubes[colour]))

    def _building_plan(self, argument: int) -> float:
        site = self.context[0]
        return self._opening(site, self.tables["plan_architect"][argument]) + float(
            self.tables["plan_officials"][argument]
        )

    def _building_officials(self, argument: int) -> float:
        return float(argument // 729)

    # --- decrees and the church

    def _take_decree(self, argument: int) -> float:
        """What it pays in a final count made now, else its printed worth in part."""
        world = self.observation.sample_world(0)
        before = sum(world.score_now()[self.seat])
        world.apply(argument)
        decree = self.tables["decrees"][argument]
        return sum(world.score_now()[self.seat]) - before + 0.1 * float(decree["wigs"])

    def _spend_marker(self, argument: int) -> float:
        return float(argument)

    def _give_clergy(self, argument: int) -> float:
        """One tile, the one with the highest back, for the gain; all of them near the end (J7, J10)."""
        late = self.state["last_turn"] >= 0
        if argument == STOP:
            return 0.0 if late else 10.0 if self.context[1] else 0.5
        return float(self.tables["clergy_wigs"][argument])

    def _pay_reis(self, argument: int) -> float:
        return -float(argument)
