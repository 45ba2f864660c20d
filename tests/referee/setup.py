"""Set-up: what a record says chance decided, and the choices before the first turn."""

from __future__ import annotations

from typing import Any

from .church import refill_church
from .decrees import refill_decrees
from .lookahead import Decision, Play, Routine
from .state import State, without
from .tables import ARCHITECTS, COLUMNS, DECKS, GOODS, ROWS, SHIP_ORDER, Tables

CARDS_KEPT = (2, 1, 1)
"""N2: how many cards of the packet are kept before it is passed on; the last card is not chosen."""


def deal(tables: Tables, record: dict[str, Any]) -> State:
    """The table before the first decision, from the JSON of a record."""
    seats = record["players"]
    setup = record["setup"]
    state = State(tables, seats, queen=record.get("queenVariant", False), draft=record.get("handDraft", False))

    def lists(field: str) -> list[tuple[str, ...]]:
        return [tuple(entry.get("ids", ())) for entry in setup[field]]

    state.row_cubes = dict(zip(ROWS, lists("rowCubes"), strict=True))
    state.column_cubes = dict(zip(COLUMNS, lists("columnCubes"), strict=True))
    state.site_cubes = dict(zip(tables.sites, lists("siteCubes"), strict=True))
    state.pile = tuple(setup["pileCubes"])
    state.cubes_gone = cubes_left_over(state)
    state.scoring = tuple(setup["scoringTiles"])
    state.building_stacks = dict(zip(ARCHITECTS, lists("buildings"), strict=True))
    state.plan_stacks = dict(zip(ARCHITECTS, lists("plans"), strict=True))
    state.decks = dict(zip(DECKS, lists("redDecks"), strict=True))
    state.showing = frozenset(DECKS)
    state.brown = dict(zip(DECKS, lists("brownDecks"), strict=True))
    state.purple = tuple(setup["purple"])
    state.decree_deck = tuple(setup["decrees"])
    state.display = frozenset((*GOODS, "small"))
    state.large_left -= len(GOODS)
    state.small_left -= 1
    state.shipyard = ships_of_period(state, 1)
    state.clergy_returns = tuple(setup["clergyReturns"])
    clergy = tuple(setup["clergy"])
    state.drawn = tuple(clergy[2 * seat : 2 * seat + 2] for seat in range(seats))  # N1
    state.clergy_bag = clergy[2 * seats :]
    hands = lists("hands")
    state.packets = tuple(hands)
    for player, plan, favor, hand in zip(state.players, setup["startingPlans"], setup["favors"], hands, strict=True):
        player.plans = (plan,)
        player.favors = (favor,)  # A7: dealt, not chosen
        state.favor_stock[favor] -= 1
        player.influence = tables.influence_start[player.seat]
        player.offices["marquis"] = 1  # A4
        player.earn("start", 5)
        if not state.hand_draft:
            player.hand = hand
    refill_decrees(state)
    return state


def cubes_left_over(state: State) -> tuple[str, ...]:
    """A2: with 2 players what is not placed leaves the game; of each colour there are 21."""
    placed = [*state.row_cubes.values(), *state.column_cubes.values(), *state.site_cubes.values(), state.pile]
    used = [colour for cubes in placed for colour in cubes]
    return tuple(colour for colour in ("brown", "red", "blue") for _ in range(21 - used.count(colour)))


def ships_of_period(state: State, period: int) -> tuple[str, ...]:
    """A3: one copy less than players of each colour; the first colour lies on top."""
    return tuple(f"ship-{colour}-{copy}" for colour in SHIP_ORDER[period] for copy in range(1, state.seats))


def opening(g: Play) -> Routine:
    """The choices before the first turn: starting clergy tiles, then the draft if it is played."""
    yield from keep_clergy(g)
    refill_church(g.state)
    g.state.setting_up = False
    if g.state.hand_draft:
        yield from draft_hands(g)


def keep_clergy(g: Play) -> Routine:
    """A6, N1: one of two is kept; the rejected ones go back into the bag in seat order, where the set-up says."""
    state = g.state
    rejected = []
    for seat, drawn in enumerate(state.drawn):
        tile = yield Decision("keep_clergy", seat, {f"keep {tile}": tile for tile in drawn})
        state.players[seat].clergy = (tile,)
        rejected += without(drawn, tile)
    bag = list(state.clergy_bag)
    for tile, place in zip(rejected, state.clergy_returns, strict=True):
        bag.insert(place, tile)
    state.clergy_bag = tuple(bag)
    state.drawn = ()


def draft_hands(g: Play) -> Routine:
    """N2: keep 2, pass 3 to the left; keep 1, pass 2; keep 1, pass the last. All packets pass together."""
    state = g.state
    for number in CARDS_KEPT:
        for seat in range(state.seats):
            for _ in range(number):
                packet = state.packets[seat]
                card = yield Decision("draft_keep", seat, {f"keep {card}": card for card in packet})
                left = without(packet, card)
                state.packets = (*state.packets[:seat], left, *state.packets[seat + 1 :])
                state.players[seat].hand += (card,)
        state.packets = (state.packets[-1], *state.packets[:-1])
    for player, packet in zip(state.players, state.packets, strict=True):
        player.hand += packet
    state.packets = ()
