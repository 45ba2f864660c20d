"""The end of the game: final scoring and who wins."""

from __future__ import annotations

from collections.abc import Sequence

from .decrees import decree_wigs, officials_on_plans
from .money import hull, worth_of_influence
from .state import Player, State
from .tables import GOODS

STORE_PLACES = {"gold": (3, 2, 1), "tools": (6, 3, 1), "books": (9, 6, 3), "cloth": (9, 6, 3)}
OFFICIAL_PLACES = {2: (15, 5), 3: (15, 10, 5), 4: (15, 10, 5)}
FAVOR_WIGS = 2


def final_scores(state: State) -> list[dict[str, int]]:
    """Wigs by category for each seat: those earned in the game and those of the final scoring."""
    scores = [dict(player.wigs) for player in state.players]

    def add(category: str, wigs: Sequence[int]) -> None:
        for score, amount in zip(scores, wigs, strict=True):
            score[category] = score.get(category, 0) + amount

    players = state.players
    add("hulls", [sum(hull(state, dock) for dock in player.top) for player in players])  # L4
    add("sets", [3 * player.sets for player in players])
    for business in GOODS:
        first, second, third = STORE_PLACES[business]
        places = (first, third) if state.seats == 2 else (first, second, third)
        counts = [stores_of(state, player, business) for player in players]
        add(f"{business}_majority", majority(counts, places))
    add("money", [(player.reis + worth_of_influence(state, player.influence)) // 5 for player in players])  # L5
    add("decrees", [decrees_total(state, player) for player in players])
    add("officials", majority([officials_on_plans(state, player) for player in players], OFFICIAL_PLACES[state.seats]))
    add("favors", [FAVOR_WIGS * len(player.favors) for player in players])  # L10
    return scores


def majority(counts: Sequence[int], places: Sequence[int]) -> list[int]:
    """L6-L9: tied players share the places they take, rounded down; nothing for none; beyond the places nothing."""
    wigs = []
    for count in counts:
        ahead = sum(other > count for other in counts)
        tied = list(counts).count(count)
        wigs.append(sum(places[ahead : ahead + tied]) // tied if count else 0)
    return wigs


def stores_of(state: State, player: Player, business: str) -> int:
    return sum(store.owner == player.seat and store.business == business for store in state.stores.values())


def decrees_total(state: State, player: Player) -> int:
    return sum(decree_wigs(state, player, state.tables.decrees[decree]) for decree in player.decrees)


def winners(state: State) -> list[int]:
    """L11: most wigs; ties by sets, stores, completed plans, réis in hand before influence is cashed; then shared."""
    totals = [sum(score.values()) for score in final_scores(state)]

    def rank(player: Player) -> tuple[int, ...]:
        stores = sum(store.owner == player.seat for store in state.stores.values())
        return (totals[player.seat], player.sets, stores, len(player.completed), player.reis)

    best = max(rank(player) for player in state.players)
    return [player.seat for player in state.players if rank(player) == best]
