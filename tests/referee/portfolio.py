"""Playing into the portfolio: tucking a card, then selling goods or trading with the nobles."""

from __future__ import annotations

from collections.abc import Iterator

from . import effects, state_actions
from .lookahead import DeadEnd, Decision, Play, Routine, must_complete, possible
from .money import benefit, is_docked, make_room, move_treasury, set_sail, treasury_reis
from .state import Dock, Player, State
from .tables import GOOD_OF, GOODS, NOBLE_OF


def play_into_portfolio(g: Play, seat: int, card: str) -> Routine:
    """B4: after tucking the card, sell at least one good or trade at least one."""
    yield from must_complete(g, tuck, seat, card)
    ways = {}
    if sales(g.state, seat):
        ways["sell goods"] = sell_goods
    if trades(g.state, seat):
        ways["trade goods"] = trade_goods
    way = yield Decision("sell_or_trade", seat, ways)
    yield from way(g, seat)


def tuck(g: Play, seat: int, card: str) -> Routine:
    """Reward or penalty, then room, then the card. B5: goods are looked for only after the reward."""
    state = g.state
    player = state.players[seat]
    printed = g.tables.cards[card]
    state.played = card
    if printed.noble == "treasury":
        player.reis += treasury_reis(state)  # B9: paid first, then the marker goes down
        move_treasury(state, -1)
        yield from make_room(g, seat, "bottom")
        player.bottom += (card,)
    else:
        yield from effects.resolve(g, seat, printed.effects, printed.choice)  # B8: the card itself does not count yet
        yield from make_room(g, seat, "top")
        player.top += (Dock(card),)
    state.played = None
    if not sales(state, seat) and not trades(state, seat):
        raise DeadEnd


def can_play_into_portfolio(g: Play, seat: int, card: str) -> bool:
    return possible(g, tuck, seat, card)


# --- selling --------------------------------------------------------------------------------------------------------


def docked_ships(state: State) -> Iterator[tuple[Player, int]]:
    """F8, F9, B2: ships of anybody's with space for a good, as (owner, place in the top row)."""
    for owner in state.players:
        for place, dock in enumerate(owner.top):
            if is_docked(state, dock):
                yield owner, place


def sales(state: State, seat: int) -> dict[str, tuple[str, Player, int]]:
    """A10: nothing to sell to without a ship."""
    player = state.players[seat]
    return {
        f"sell {good} {owner.top[place].holds}": (good, owner, place)
        for good in GOODS
        if player.goods[good]
        for owner, place in docked_ships(state)
    }


def sell_goods(g: Play, seat: int) -> Routine:
    """B4: at least one; F9: a ship that fills is closed, others are open."""
    sell(g.state, seat, *(yield Decision("sell", seat, sales(g.state, seat))))
    while sale := (yield Decision("sell", seat, {**sales(g.state, seat), "stop": None})):
        sell(g.state, seat, *sale)


def sell(state: State, seat: int, good: str, owner: Player, place: int) -> None:
    """F8: market price, the ship's modifier and the seller's benefits; a ship that is full sails. F10: prices stay."""
    player = state.players[seat]
    dock = owner.top[place]
    player.goods[good] -= 1
    player.reis += (
        state.prices[good]
        + state.tables.ships[dock.holds].price
        + benefit(state, player, f"sell {good}")
        + benefit(state, player, "sell all")
    )
    dock = dock._replace(cargo=dock.cargo + 1)
    if not is_docked(state, dock):
        dock = set_sail(state, owner, dock)
    owner.top = (*owner.top[:place], dock, *owner.top[place + 1 :])


# --- trading --------------------------------------------------------------------------------------------------------


def goods_for(state: State, seat: int, action: str) -> list[str]:
    """E3: the noble's own good, gold, or what a benefit makes everybody accept; N7: the action must remain possible."""
    player = state.players[seat]
    wanted = ("gold", GOOD_OF[NOBLE_OF[action]])
    found = []
    for good in GOODS:
        accepted = good in wanted or benefit(state, player, f"trade {good} accepted by all")
        if not accepted or not player.goods[good]:
            continue
        player.goods[good] -= 1
        if state_actions.can_do(state, seat, action):
            found.append(good)
        player.goods[good] += 1
    return found


def trades(state: State, seat: int) -> list[str]:
    """E1, E4: state actions not covered this turn that can be paid for and done."""
    return [action for action in NOBLE_OF if action not in state.banners and goods_for(state, seat, action)]


def trade_goods(g: Play, seat: int) -> Routine:
    """E1, E2: one or two goods, one after the other, for different state actions."""
    state = g.state
    player = state.players[seat]
    for number in (1, 2):
        options: dict[str, str | None] = {f"trade {action}": action for action in trades(state, seat)}
        if number == 2:
            options["stop"] = None
        action = yield Decision("trade", seat, options)
        if action is None:
            return
        goods = {f"with {good}": good for good in goods_for(state, seat, action)}
        player.goods[(yield Decision("trade_good", seat, goods))] -= 1
        state.banners += (action,)
        yield from state_actions.do(g, seat, action)
