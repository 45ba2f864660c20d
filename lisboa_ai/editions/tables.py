"""An edition as the engine's struct: names become numbers, lists become arrays of fixed length.

Keys and nesting follow ``cdef struct EditionC`` in ``engine_ext/types.pxd`` exactly, less the fields that
``engine_ext.core.Edition`` derives. Treasury spaces, church gaps, columns and periods count from 0 there.
"""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from . import names
from .effects import Benefit, Effect
from .names import Feature

if TYPE_CHECKING:
    from .model import Decree, EditionTables


def _mask(values: Iterable[object], order: Sequence[object]) -> int:
    return sum(1 << order.index(value) for value in set(values))


def _padded(values: Sequence[int], length: int) -> list[int]:
    return [*values, *[0] * (length - len(values))]


def _effects(effects: Sequence[Effect]) -> list[dict[str, int]]:
    rows = [{"kind": int(effect.kind), "what": effect.what, "n": effect.n} for effect in effects]
    return rows + [{"kind": 0, "what": 0, "n": 0} for _ in range(names.MAX_EFFECTS - len(rows))]


def _source(rewards: Sequence[Effect], choices: Sequence[Effect]) -> dict[str, Any]:
    return {
        "n_rewards": len(rewards),
        "n_choices": len(choices),
        "rewards": _effects(rewards),
        "choices": _effects(choices),
    }


def _benefit(benefits: Sequence[Benefit]) -> dict[str, Any]:
    pairs = [pair for benefit in benefits for pair in benefit.modifiers]
    modifiers = [{"quantity": quantity, "n": n} for quantity, n in pairs]
    empty = [{"quantity": 0, "n": 0} for _ in range(names.MAX_MODIFIERS - len(pairs))]
    return {"n": len(pairs), "modifiers": modifiers + empty}


def _decree(decree: "Decree") -> dict[str, int]:
    where = dict(decree.where)

    def narrowed(key: str, order: Sequence[str]) -> int:
        return _mask(where.get(key, order), order)

    colours = names.COLOURS if decree.each == Feature.CUBES else names.BUSINESSES
    return {
        "wigs": decree.wigs,
        "feature": int(decree.each),
        "at_least": decree.at_least,
        "at_most": decree.at_most,
        "not_for_2": int(decree.not_for_2),
        "businesses": narrowed("business", names.BUSINESSES) & narrowed("street", names.BUSINESSES),
        "rows": narrowed("row", names.ROWS),
        "columns": narrowed("column", [str(column) for column in names.COLUMNS]),
        "sides": narrowed("side", names.SIDES),
        "architects": narrowed("architect", names.ARCHITECTS),
        "colours": narrowed("colour", colours),
        "nobles": narrowed("noble", names.NOBLES),
        "goods": narrowed("type", names.GOODS),
    }


def engine_tables(edition: "EditionTables") -> dict[str, Any]:
    """The ``EditionC`` struct's fields, every array full length; trusts that the edition passes its check."""
    board = edition.board
    cards = edition.cards
    influences = range(names.MAX_INFLUENCE + 1)
    ships = {ship.colour: ship for ship in edition.ships}
    in_order = [ships[colour] for colour in names.DECKS]
    by_deck = [[n for n, card in enumerate(cards) if card.deck == deck] for deck in names.DECKS]
    return {
        "card_deck": [names.DECKS.index(card.deck) for card in cards],
        "card_noble": [names.CARD_NOBLES.index(card.noble) for card in cards],
        "card_influence": [card.influence for card in cards],
        "card_queen": [int(card.queen) for card in cards],
        "deck_cards": [_padded(deck, 21) for deck in by_deck],
        "sources": [_source(*edition.source_effects(n)) for n in range(names.N_SOURCES)],
        "benefits": [_benefit(card.benefit) for card in cards] + [_benefit(tile.benefit) for tile in edition.clergy],
        "clergy_wigs": [tile.wigs for tile in edition.clergy],
        "decrees": [_decree(decree) for decree in edition.decrees],
        "plan_architect": [names.ARCHITECTS.index(plan.architect) for plan in edition.plans],
        "plan_officials": [plan.officials for plan in edition.plans],
        "plan_starting": [int(plan.starting) for plan in edition.plans],
        "building_colours": [
            [_mask(tile.green, names.BUSINESSES), _mask(tile.blue, names.BUSINESSES)] for tile in edition.buildings
        ],
        "ship_period": [ship.period - 1 for ship in in_order],
        "ship_hull": [ship.hull for ship in in_order],
        "ship_price": [ship.price for ship in in_order],
        "ship_influence": [ship.influence for ship in in_order],
        "land_row": [names.ROWS.index(land.row) for land in edition.lands],
        "land_column": [names.COLUMNS.index(land.column) for land in edition.lands],
        "land_half": [int(land.size == "half") for land in edition.lands],
        "land_faces": [_mask(land.faces, names.BUSINESSES) for land in edition.lands],
        "site_side": [names.SIDES.index(site.side) for site in edition.sites],
        "site_row": [-1 if site.row is None else names.ROWS.index(site.row) for site in edition.sites],
        "site_street": [-1 if site.street is None else names.BUSINESSES.index(site.street) for site in edition.sites],
        "scoring_large": [tile.large for tile in edition.scoring],
        "scoring_small": [tile.small for tile in edition.scoring],
        "column_uses": [column - 1 for column in board.column_uses],
        "treasury_spaces": len(board.treasury_reis),
        "treasury_start": board.treasury_start - 1,
        "treasury_reis": _padded(board.treasury_reis, names.MAX_TREASURY),
        "treasury_influence": _padded(board.treasury_influence, names.MAX_TREASURY),
        "cash_value": [board.cash_value(influence) for influence in influences],
        "next_reis_space": [board.next_reis_space(influence) for influence in influences],
        "influence_start": list(board.influence_start),
        "market_start": list(board.market_start),
        "market_lowest": list(board.market_lowest),
        "office_spaces": board.office_spaces,
        "church_start": board.church_start,
        "church_influence": board.church_influence,
        "church_treasury": board.church_treasury,
        "city_large": board.city_large,
        "city_small": board.city_small,
    }
