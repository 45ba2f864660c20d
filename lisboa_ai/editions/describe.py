"""What a thing of an edition says, in plain English, for the board display and for action descriptions."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from .effects import NOBLE_NAMES, Benefit, Effect, count, describe_benefits, describe_effects, wigs
from .names import COPIES, NOBLES, Feature

if TYPE_CHECKING:
    from .model import Card, Decree, EditionTables

_COUNTED: Final[Mapping[Feature, tuple[str, str, str]]] = MappingProxyType(
    {
        Feature.STORES: ("store", "stores", ""),
        Feature.BUILDINGS: ("public building", "public buildings", " of yours"),
        Feature.PLANS_COMPLETED: ("completed plan", "completed plans", ""),
        Feature.PLANS_UNUSED: ("unused plan", "unused plans", ""),
        Feature.OFFICIALS_ON_PLANS: ("official", "officials", " on your completed plans"),
        Feature.OFFICIALS_IN_OFFICES: ("official", "officials", " in the offices"),
        Feature.OFFICIALS_IN_PLAZAS: ("official", "officials", " in the plazas"),
        Feature.OFFICIALS_ON_BOARD: ("official", "officials", " on your board"),
        Feature.SHIPS: ("ship", "ships", ""),
        Feature.HULL: ("hull space", "hull spaces", " of your ships"),
        Feature.NOBLE_CARDS: ("card", "cards", " in your portfolio"),
        Feature.TREASURY_CARDS: ("treasury card", "treasury cards", " in your portfolio"),
        Feature.INFLUENCE: ("influence", "influence", ""),
        Feature.REIS: ("real", "réis", ""),
        Feature.GOODS: ("good", "goods", ""),
        Feature.DIFFERENT_GOODS: ("different good", "different goods", ""),
        Feature.CUBES: ("rubble cube", "rubble cubes", ""),
        Feature.SETS: ("rubble set", "rubble sets", ""),
        Feature.UNPAIRED_CUBES: ("rubble cube", "rubble cubes", " outside your sets"),
        Feature.CLERGY: ("clergy tile", "clergy tiles", ""),
        Feature.FAVORS: ("royal favor", "royal favors", ""),
        Feature.HOUSES: ("house", "houses", " you built"),
        Feature.DECREES: ("decree", "decrees", ""),
        Feature.SET_MARKERS: ("unspent set marker", "unspent set markers", ""),
    }
)


def _counted(decree: "Decree", n: int) -> str:
    """The counted thing with everything that narrows it: ``gold store in row A or B``."""
    one, many, place = _COUNTED[decree.each]
    noun = one if n == 1 else many
    where = {key: " or ".join(values) for key, values in decree.where}
    if decree.each == Feature.NOBLE_CARDS:
        nobles = [NOBLE_NAMES[NOBLES.index(noble)].removeprefix("the ") for key, vs in decree.where for noble in vs]
        before = " or ".join(nobles) or "noble"
    elif decree.each == Feature.GOODS and "type" in where:
        before, noun = "", where["type"] if n == 1 else f"goods of {where['type']}"
    elif decree.each == Feature.CUBES:
        before = where.get("colour", "")
    else:
        before = where.get("business", "")
    text = f"{before} {noun}".strip()
    if "row" in where:
        text += f" in row {where['row']}"
    if "column" in where:
        text += f" in column {where['column']}"
    if "street" in where:
        text += f" on the {where['street']} street"
    text += place
    if "side" in where:
        text += f" on the {where['side']} side"
    if "architect" in where:
        text += f" for the {where['architect']} architect"
    if decree.each == Feature.BUILDINGS and "colour" in where:
        verb = "draws" if n == 1 else "draw"
        text += f" that {verb} customers for {where['colour']}"
    return text


def describe_reward(rewards: Sequence[Effect], choices: Sequence[Effect], benefits: Sequence[Benefit] = ()) -> str:
    """Effects and benefits of one thing in one line: ``gain 2 réis; lasting: land costs you 1 real less``."""
    parts = [describe_effects(rewards, choices)] if rewards or choices else []
    if benefits:
        parts.append("lasting: " + describe_benefits(benefits))
    return "; ".join(parts) or "nothing"


def describe_decree(decree: "Decree") -> str:
    """A decree in plain English: ``3 wigs for each gold store, 3 at most``."""
    if decree.at_least:
        return f"{wigs(decree.wigs)} if you have at least {decree.at_least} {_counted(decree, decree.at_least)}"
    cap = f", {decree.at_most} at most" if decree.at_most else ""
    return f"{wigs(decree.wigs)} for each {_counted(decree, 1)}{cap}"


def _card(card: "Card") -> str:
    says = describe_reward(card.reward, card.choice)
    if card.noble == "treasury":
        return f"event: {says}; lasting: {describe_benefits(card.benefit)}"
    return f"influence {card.influence}; {says}"


def describe_row(edition: "EditionTables", thing: str, number: int) -> str:
    """What the thing with this number says, in one line."""
    match thing:
        case "card":
            return _card(edition.cards[number])
        case "land":
            land = edition.lands[number]
            return describe_reward(land.reward, land.choice)
        case "site":
            site = edition.sites[number]
            return describe_reward(site.reward, site.choice)
        case "clergy":
            tile = edition.clergy[number]
            return f"{describe_reward(tile.reward, (), tile.benefit)}; {wigs(tile.wigs)} when given up"
        case "decree":
            return describe_decree(edition.decrees[number])
        case "plan":
            plan = edition.plans[number]
            return f"{plan.architect} architect, {count(plan.officials, 'official', 'officials')}"
        case "building":
            building = edition.buildings[number]
            return f"green side {' and '.join(building.green)}, blue side {' and '.join(building.blue)}"
        case "ship":
            ship = edition.ships[number // COPIES]
            return f"hull {ship.hull}, price {ship.price:+d}, influence {ship.influence}"
        case _:
            tile_scored = edition.scoring[number]
            return f"{wigs(tile_scored.large)} for each building that draws customers to a store"
