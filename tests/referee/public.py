"""The state of a game as a plain dict, for reading and comparing."""

from __future__ import annotations

from typing import Any

from .money import cube_counts
from .scoring import final_scores
from .state import Player, State


def public_fields(state: State) -> dict[str, Any]:
    """Every field a spectator sees, and all hands. Collections without an order are sorted."""
    return {
        "period": state.period,
        "turn": state.turn,
        "last_turn": state.last_turn,
        "active": state.active,
        "setting_up": state.setting_up,
        "over": state.over,
        "queen_out": state.queen_out,
        "trigger": state.trigger,
        "church_caller": state.church_caller,
        "banners": sorted(state.banners),
        "markers_spent": sorted(state.markers_spent),
        "played": state.played,
        "discarded": sorted(state.discarded),
        "treasury": state.treasury,
        "prices": state.prices,
        "cardinal": state.cardinal,
        "church": list(state.church),
        "clergy_bag": list(state.clergy_bag),
        "clergy_gone": sorted(state.clergy_gone),
        "favor_stock": state.favor_stock,
        "row_cubes": {row: cube_counts(cubes) for row, cubes in state.row_cubes.items()},
        "column_cubes": {column: cube_counts(cubes) for column, cubes in state.column_cubes.items()},
        "site_cubes": {site: cube_counts(cubes) for site, cubes in state.site_cubes.items()},
        "pile": cube_counts(state.pile),
        "cubes_gone": cube_counts(state.cubes_gone),
        "stores": {land: (store.business, store.owner) for land, store in state.stores.items()},
        "buildings": {site: tuple(building) for site, building in state.buildings.items()},
        "sites_opening": sorted(state.opening),
        "scoring_tiles": list(state.scoring),
        "tiles_on_display": sorted(state.display),
        "large_left": state.large_left,
        "small_left": state.small_left,
        "decks": {deck: list(cards) for deck, cards in state.decks.items()},
        "face_up": sorted(state.decks[deck][0] for deck in state.showing),
        "cards_gone": sorted(state.cards_gone),
        "decrees": sorted(state.decrees),
        "decrees_left": len(state.decree_deck),
        "plan_stacks": {architect: list(plans) for architect, plans in state.plan_stacks.items()},
        "building_stacks": {architect: list(tiles) for architect, tiles in state.building_stacks.items()},
        "shipyard": list(state.shipyard),
        "purple_left": len(state.purple),
        "players": [_player(player, wigs) for player, wigs in zip(state.players, _wigs(state), strict=True)],
    }


def _wigs(state: State) -> list[dict[str, int]]:
    """Wigs by category so far; once the game is over, with the final scoring."""
    return final_scores(state) if state.over else [player.wigs for player in state.players]


def _player(player: Player, wigs: dict[str, int]) -> dict[str, Any]:
    return {
        "reis": player.reis,
        "influence": player.influence,
        "score": sum(wigs.values()),
        "wigs": {category: amount for category, amount in wigs.items() if amount},
        "board": player.board,
        "offices": player.offices,
        "plazas": player.plazas,
        "goods": player.goods,
        "cubes": player.cubes,
        "sets": player.sets,
        "markers": player.markers,
        "houses": player.houses,
        "favors": sorted(player.favors),
        "hand": sorted(player.hand),
        "top": sorted(tuple(dock) for dock in player.top),
        "bottom": sorted(player.bottom),
        "plans": sorted(player.plans),
        "completed": sorted(player.completed),
        "clergy": sorted(player.clergy),
        "decrees": sorted(player.decrees),
    }
