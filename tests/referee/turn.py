"""A turn: dock the ships, play a card, take a card, church scoring, upkeep; then what has been triggered."""

from __future__ import annotations

from . import period_end
from .church import church_scoring, refill_church
from .court import can_sponsor, can_visit, sponsor, visit
from .decrees import refill_decrees
from .lookahead import Decision, Play, Routine
from .money import gain_goods, hull, note_trigger
from .portfolio import can_play_into_portfolio, play_into_portfolio
from .state import Player, State, without
from .tables import DECKS, GOODS


def play_turn(g: Play) -> Routine:
    """The turn of the active player, and what its end brings."""
    state = g.state
    seat = state.active
    dock_ships(state, state.players[seat])
    yield from play_card(g, seat)
    yield from take_card(g, seat)
    if state.church_caller is not None:
        yield from church_scoring(g)
    upkeep(state)
    yield from after_turn(g)


def dock_ships(state: State, player: Player) -> None:
    """B1: a ship at sea, full of crates, comes home and is emptied; a part-loaded ship keeps its goods."""
    player.top = tuple(
        dock._replace(crates=0) if hull(state, dock) and dock.crates == hull(state, dock) else dock
        for dock in player.top
    )


# --- the card -------------------------------------------------------------------------------------------------------


def play_card(g: Play, seat: int) -> Routine:
    """One card of the hand: for gold, into the portfolio, or to the court."""
    state = g.state
    player = state.players[seat]
    way, card = yield Decision("play_card", seat, ways_to_play(g, seat))
    player.hand = without(player.hand, card)
    noble = g.tables.cards[card].noble
    if way == "portfolio":
        yield from play_into_portfolio(g, seat, card)
        return
    state.cards_gone += (card,)
    if way == "gold":
        gain_goods(state, player, "gold", 1)  # B3: legal even when the gold row is full
    elif noble == "treasury":
        yield from sponsor(g, seat, card)
    else:
        yield from visit(g, seat, noble)


def ways_to_play(g: Play, seat: int) -> dict[str, tuple[str, str]]:
    """B3-B6, D5, N8: gold always, the others if the play can be completed. B18: at court a card visits its noble."""
    ways = {}
    welcome: dict[str, bool] = {}
    for card in g.state.players[seat].hand:
        noble = g.tables.cards[card].noble
        ways[f"gold {card}"] = ("gold", card)
        if can_play_into_portfolio(g, seat, card):
            ways[f"portfolio {card}"] = ("portfolio", card)
        if noble == "treasury":
            if can_sponsor(g, seat, card):
                ways[f"court {card}"] = ("court", card)
            continue
        if noble not in welcome:
            welcome[noble] = can_visit(g, seat, noble)
        if welcome[noble]:
            ways[f"court {card}"] = ("court", card)
    return ways


def take_card(g: Play, seat: int) -> Routine:
    """B16: a face-up card of any deck. B17: with an empty display nothing is taken. K4: the third empty deck."""
    state = g.state
    options = {f"take {state.decks[deck][0]}": deck for deck in DECKS if state.decks[deck]}
    if not options:
        return
    deck = yield Decision("take_card", seat, options)
    card, *rest = state.decks[deck]
    state.players[seat].hand += (card,)
    state.decks[deck] = tuple(rest)
    state.showing -= {deck}
    if not rest and decks_empty(state) == 3:
        note_trigger(state, seat)


def decks_empty(state: State) -> int:
    return sum(not deck for deck in state.decks.values())


# --- the end of a turn ----------------------------------------------------------------------------------------------


def upkeep(state: State) -> None:
    """N26: the new card shows only now; decrees, clergy and city tiles are refilled; banners are cleared (E5)."""
    reveal_cards(state)
    refill_decrees(state)
    refill_church(state)
    refill_city_tiles(state)
    state.banners = ()
    state.markers_spent = ()


def reveal_cards(state: State) -> None:
    """N24: the Queen is out as soon as her card is face up."""
    state.showing = frozenset(deck for deck in DECKS if state.decks[deck])
    if state.queen_variant and any(state.tables.cards[state.decks[deck][0]].queen for deck in state.showing):
        state.queen_out = True


def refill_city_tiles(state: State) -> None:
    """Empty spaces of the display are filled while there are tiles: large ones, and small ones for their space."""
    for space in GOODS:
        if space not in state.display and state.large_left:
            state.display |= {space}
            state.large_left -= 1
    if "small" not in state.display and state.small_left:
        state.display |= {"small"}
        state.small_left -= 1


def after_turn(g: Play) -> Routine:
    """K1: the second set or the third empty deck ends period 1. L1: the fourth set or the third deck ends the game."""
    state = g.state
    if state.period == 1:
        if decks_empty(state) >= 3 or any(player.sets >= 2 for player in state.players):
            yield from period_end.change_period(g)
            refill_decrees(state)
            refill_church(state)
            refill_city_tiles(state)
            reveal_cards(state)
        if any(player.sets >= 4 for player in state.players):  # N20
            end_is_near(state)
    elif state.last_turn is None and (decks_empty(state) >= 3 or any(player.sets >= 4 for player in state.players)):
        end_is_near(state)
    if state.turn == state.last_turn:
        state.over = True
        return
    state.turn += 1
    state.active = state.turn % state.seats
    state.trigger = None
    state.markers_spent = ()


def end_is_near(state: State) -> None:
    """L1-L3: this round is finished, and one full round more is played."""
    if state.last_turn is None:
        state.last_turn = (state.turn // state.seats + 2) * state.seats - 1
