"""What a seat cannot know, from the documents alone: docs/rules.md, "Who sees what", and N2 for the draft.

Used to judge the engine's observations and samples, so nothing here asks the engine what is hidden: it reads the whole
state's fields, and works out for itself which of them a seat may know.
"""

from __future__ import annotations

import itertools
import math
import random
from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping
from typing import Any, NamedTuple

from engine_ext import core
from lisboa_ai import edition

TABLES = edition.load("house")
ENGINE = TABLES.engine
KIND = {name: number for number, name in enumerate(core.KINDS)}
UNKNOWN = core.UNKNOWN
DECK = [card.deck for card in TABLES.cards]
BLUE = frozenset(card for card, deck in enumerate(DECK) if deck == "blue")
PURPLE = frozenset(card for card, deck in enumerate(DECK) if deck == "purple")
SETUP, DRAFT = 0, 2  # a value of the field phase; a bit of the field options

FIRST = (0, 2, 3, 4)
"""Cards gone from every packet when a pass of the draft begins: 2 are kept in the first pass, then 1 in each (N2)."""
TAKERS = (0, 0, 1, 2, 3)
"""Who takes the cards of a packet, in the order of taking: seats to the left of the one it was dealt to (N2)."""

Fields = dict[str, Any]
Place = tuple[int, int]  # of a packet: packet, place in the order of taking
Packets = list[list[int]]


# --- random games ---------------------------------------------------------------------------------------------------


class Moment(NamedTuple):
    """A moment of a game: the truth, and the blue cards that were dealt to nobody."""

    game: core.Game
    undealt: frozenset[int]


def moments(
    seats: int, seed: int, *, queen: bool = False, draft: bool = False, chance: float = 1.0
) -> Iterator[Moment]:
    """A game played at random: every moment of its set-up and of the change of period, of the others each by chance."""
    rng = random.Random(seed)
    game = core.Game.deal(ENGINE, seats, seed, queen=queen, draft=draft)
    undealt = BLUE - {card for hand in game.setup()["hands"][:seats] for card in hand}
    always = {"keep_clergy", "draft_keep", "discard_hand", "discard_reward", "give_clergy"}
    while True:
        if game.over or rng.random() < chance or core.KINDS[game.kind] in always:
            yield Moment(game, undealt)
        if game.over:
            return
        game.apply(rng.choice(game.legal()))


# --- the hand draft -------------------------------------------------------------------------------------------------


def taker(fields: Fields, place: Place) -> int:
    """The seat that takes the card at a place of a packet."""
    packet, i = place
    return int((packet + TAKERS[i]) % fields["seats"])


class Stage(NamedTuple):
    """How far the draft has come: the pass (3: hands were taken up), and the choices of it that a seat has made."""

    pass_: int
    chosen: int


def stage(fields: Fields, seat: int) -> Stage:
    """How far the draft has come for a seat."""
    waiting = [frame for frame in fields["frames"][: fields["depth"]] if frame["kind"] == KIND["draft_keep"]]
    if not waiting:
        return Stage(3, 1)
    pass_ = min(frame["a"] for frame in waiting)
    mine = [frame["b"] for frame in waiting if frame["seat"] == seat and frame["a"] == pass_]
    return Stage(pass_, mine[0] if mine else FIRST[pass_ + 1] - FIRST[pass_])


class Sight(NamedTuple):
    """What a seat saw of the draft, as places of packets.

    ``unseen``: taken before the seat saw the packet, or not seen yet. ``groups``: places whose cards it saw, but not in
    which of them each card lay. ``own``: of the packet dealt to it, the two that it kept first.
    """

    unseen: list[Place]
    groups: list[list[Place]]
    own: list[Place]


def sight(fields: Fields, seat: int) -> Sight:
    """Each packet is seen whenever it comes by; what left between two looks was taken by the seats in between."""
    seats, (now, chosen) = fields["seats"], stage(fields, seat)
    unseen: list[Place] = []
    groups: list[list[Place]] = []
    own: list[Place] = []
    for packet in range(seats):
        looks = [pass_ for pass_ in range(now + 1) if (packet + pass_) % seats == seat]
        unseen += [(packet, i) for i in range(FIRST[looks[0]] if looks else 5)]
        for look, later in itertools.zip_longest(looks, looks[1:]):
            start = FIRST[look] + chosen if look == now else FIRST[look + 1]
            groups.append([(packet, i) for i in range(start, 5 if later is None else FIRST[later])])
            if look == 0:
                own = [(packet, i) for i in range(min(start, 2))]
    return Sight(unseen, groups, own)


def shown(fields: Fields) -> dict[Place, int]:
    """Cards of the packets that left a hand since, with the places where they lay; known to all as their taker's."""
    if stage(fields, 0).pass_ < 3:
        return {}
    places = {(p, i): fields["packets"][p][i] for p in range(fields["seats"]) for i in range(5)}
    return {place: card for place, card in places.items() if card not in hand(fields, taker(fields, place))}


def hand(fields: Fields, seat: int) -> list[int]:
    player = fields["players"][seat]
    return list(player["hand"][: player["n_hand"]])


def put_hand(fields: Fields, seat: int, cards: list[int]) -> None:
    fields["players"][seat].update(n_hand=len(cards), hand=(cards + [0] * 5)[:5])


def put_packets(fields: Fields, packets: Mapping[Place, int], was_shown: Mapping[Place, int]) -> None:
    """Lay cards into places of the packets; hands follow, once they were taken up."""
    for (packet, i), card in packets.items():
        fields["packets"][packet][i] = card
    if stage(fields, 0).pass_ < 3:
        return
    gone = set(was_shown.values())
    for seat in range(fields["seats"]):
        others = [card for card in hand(fields, seat) if card not in BLUE]
        places = [(p, i) for p in range(fields["seats"]) for i in range(5) if taker(fields, (p, i)) == seat]
        blue = [fields["packets"][p][i] for p, i in places]
        put_hand(fields, seat, [card for card in blue if card not in gone] + others)


def _shuffle_draft(fields: Fields, seat: int, undealt: frozenset[int], rng: random.Random) -> None:
    unseen, groups, own = sight(fields, seat)
    was_shown = shown(fields)
    at = {(p, i): card for p, packet in enumerate(fields["packets"]) for i, card in enumerate(packet)}
    hidden = [place for place in unseen if place not in was_shown]
    pool = [at[place] for place in hidden] + sorted(undealt)
    rng.shuffle(pool)
    at.update(zip(hidden, pool, strict=False))
    for other in range(fields["seats"]):  # from which packet a seat took its cards is hidden, too
        _permute(at, [place for place in unseen if taker(fields, place) == other], rng)
    for group in [*groups, own]:
        _permute(at, [place for place in group if place not in was_shown], rng)
    put_packets(fields, {place: card for place, card in at.items() if place[0] < fields["seats"]}, was_shown)


def _permute(at: dict[Place, int], places: list[Place], rng: random.Random) -> None:
    cards = [at[place] for place in places]
    rng.shuffle(cards)
    at.update(zip(places, cards, strict=True))


# --- everything hidden, shuffled ------------------------------------------------------------------------------------


def shuffled(moment: Moment, seat: int, rng: random.Random) -> core.Game:
    """Another truth that the seat cannot tell from this one."""
    fields = moment.game.fields()
    if fields["options"] & DRAFT:
        _shuffle_draft(fields, seat, moment.undealt, rng)
    else:
        _shuffle_hands(fields, seat, BLUE, list(moment.undealt), rng)
    fields["purple"][fields["purple_pos"] :] = _shuffle_hands(
        fields, seat, PURPLE, fields["purple"][fields["purple_pos"] :], rng
    )
    _shuffle_decks(fields, rng)
    _shuffle_clergy(fields, seat, rng)
    _shuffle_order(fields, rng)
    return core.Game.from_fields(ENGINE, fields)


def _shuffle_hands(fields: Fields, seat: int, dealt: frozenset[int], rest: list[int], rng: random.Random) -> list[int]:
    """Rivals' dealt cards, not yet played, among themselves and with what was dealt to nobody. Returns the new rest."""
    rivals = [other for other in range(fields["seats"]) if other != seat]
    pool = [card for other in rivals for card in hand(fields, other) if card in dealt] + sorted(rest)
    rng.shuffle(pool)
    for other in rivals:
        put_hand(fields, other, [pool.pop() if card in dealt else card for card in hand(fields, other)])
    return pool


def _shuffle_from(items: list[int], first: int, rng: random.Random) -> None:
    tail = items[first:]
    rng.shuffle(tail)
    items[first:] = tail


def _shuffle_decks(fields: Fields, rng: random.Random) -> None:
    period = fields["period"]
    for noble in range(4):
        seen = fields["deck_pos"][noble] + (fields["face_up"] >> noble & 1)
        _shuffle_from(fields["decks"][period][noble], seen, rng)
        if period == 0:
            rng.shuffle(fields["decks"][1][noble])
    _shuffle_from(fields["decree_deck"], fields["decree_pos"], rng)
    below = [(i, j) for i in range(2) for j in range(fields["building_pos"][i] + 2, 8)]
    tiles = [fields["buildings"][i][j] for i, j in below]
    rng.shuffle(tiles)
    for (i, j), tile in zip(below, tiles, strict=True):
        fields["buildings"][i][j] = tile


def _shuffle_clergy(fields: Fields, seat: int, rng: random.Random) -> None:
    """The bag; before the church is filled also rivals' drawn tiles that do not lie open, and where they go back."""
    if fields["phase"] != SETUP:
        _shuffle_from(fields["clergy_bag"], fields["clergy_pos"], rng)
        return
    seats = fields["seats"]
    drawn = [
        (other, i) for other in range(seats) if other != seat for i in range(2) if fields["drawn"][other][i] != UNKNOWN
    ]
    bag = fields["clergy_bag"][2 * seats :]
    pool = [fields["drawn"][other][i] for other, i in drawn] + bag
    rng.shuffle(pool)
    for other, i in drawn:
        fields["drawn"][other][i] = pool.pop()
    fields["clergy_bag"][2 * seats :] = pool
    for i in range(seats):
        fields["clergy_returns"][i] = rng.randint(0, len(bag) + i)


def _shuffle_order(fields: Fields, rng: random.Random) -> None:
    """Orders that mean nothing: of a hand, of the cards of a portfolio, of the decrees that lie open."""
    for player in fields["players"][: fields["seats"]]:
        for items, n in (("hand", "n_hand"), ("bottom", "n_bottom")):
            cards = player[items][: player[n]]
            rng.shuffle(cards)
            player[items][: player[n]] = cards
        docks = list(range(player["n_top"]))
        rng.shuffle(docks)
        for items in ("top", "cargo", "packed"):
            player[items][: player["n_top"]] = [player[items][i] for i in docks]
    rng.shuffle(fields["display"])


# --- counting -------------------------------------------------------------------------------------------------------


def census(fields: Fields) -> dict[str, list[Any]]:
    """What there is of everything hidden, whoever has it: the same in every world of one observation."""
    seats, period = fields["seats"], fields["period"]
    in_hand = [card for seat in range(seats) for card in hand(fields, seat)]
    counted: dict[str, list[Any]] = {
        "hands": [Counter(DECK[card] for card in hand(fields, seat)) for seat in range(seats)],
        "display cards in hands": sorted(card for card in in_hand if card not in BLUE | PURPLE),
        "purple": sorted([card for card in in_hand if card in PURPLE] + fields["purple"][fields["purple_pos"] :]),
        "decks": [sorted(deck) for deck in fields["decks"][period]],
        "later decks": [sorted(deck) for deck in fields["decks"][1]],
        "decrees": sorted(fields["decree_deck"]),
        "buildings": sorted(tile for stack in fields["buildings"] for tile in stack),
    }
    if fields["phase"] == SETUP:
        drawn = [tile for pair in fields["drawn"][:seats] for tile in pair if tile != UNKNOWN]
        counted["clergy"] = sorted(drawn + fields["clergy_bag"][2 * seats :])
    else:
        counted["clergy"] = sorted(fields["clergy_bag"])
    return counted


def contradictions(world: Fields, truth: Fields, seat: int) -> list[str]:
    """What in a world is not as its observer knows it to be, beyond what two equal observations say."""
    seats = truth["seats"]
    held = [card for other in range(seats) for card in hand(world, other)]
    elsewhere = {card for card in range(82) if truth["gone_cards"][card >> 6] >> (card & 63) & 1} | {truth["played"]}
    for player in truth["players"][:seats]:
        elsewhere |= {*player["top"][: player["n_top"]], *player["bottom"][: player["n_bottom"]]}
    said = []
    if census(world) != census(truth):
        said.append("there is not the same of everything")
    if hand(world, seat) != sorted(hand(truth, seat)):
        said.append("the own hand differs")
    if len(set(held)) < len(held) or set(held) & elsewhere:
        said.append("a card in a hand is somewhere else, too")
    if truth["options"] & DRAFT:
        said += _draft_contradictions(world, truth, seat)
    return said


def _draft_contradictions(world: Fields, truth: Fields, seat: int) -> list[str]:
    seats = truth["seats"]
    unseen, groups, own = sight(truth, seat)
    said = []
    cards = [card for packet in world["packets"][:seats] for card in packet]
    if len(set(cards)) < 5 * seats or not set(cards) <= BLUE:
        said.append("a packet holds what is not a card dealt to it")
    for group in groups:
        if {world["packets"][p][i] for p, i in group} != {truth["packets"][p][i] for p, i in group}:
            said.append(f"other cards passed at {group}")
    for place, card in shown(truth).items():
        at = [(p, i) for p in range(seats) for i in range(5) if world["packets"][p][i] == card]
        if [taker(truth, found) for found in at] != [taker(truth, place)]:
            said.append(f"card {card} was not kept by the seat that showed it")
        if place not in [*unseen, *own] and at != [place]:
            said.append(f"card {card} was seen in another packet")
    if stage(truth, seat).pass_ == 3:
        played = {*shown(truth).values()}
        for other in range(seats):
            kept = {world["packets"][p][i] for p in range(seats) for i in range(5) if taker(truth, (p, i)) == other}
            if kept - played != {card for card in hand(world, other) if card in BLUE}:
                said.append(f"seat {other} does not hold what it kept")
    return said


def chi_square(seen: Mapping[Any, int], expected: Mapping[Any, float]) -> float:
    """By how many standard deviations (of the chi-square distribution) counts differ from what was expected.

    ``expected`` holds weights of any total. Something seen that was not expected at all is infinitely far off.
    """
    if not set(seen) <= set(expected):
        return math.inf
    if len(expected) == 1:
        return 0.0
    scale = sum(seen.values()) / sum(expected.values())
    value = sum((seen.get(key, 0) - scale * weight) ** 2 / (scale * weight) for key, weight in expected.items())
    freedom = len(expected) - 1
    return (value - freedom) / math.sqrt(2 * freedom)


def sampled(observation: core.Observation, samples: int, outcome: Callable[[Fields], Hashable]) -> Counter[Any]:
    """How often each outcome occurs in the worlds of the seeds 0, 1, 2, ..."""
    return Counter(outcome(observation.sample_world(seed).fields()) for seed in range(samples))
