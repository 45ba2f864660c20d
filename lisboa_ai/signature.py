"""What the engine, the sampling of worlds and the search do, as one number over a fixed suite.

>>> from lisboa_ai import signature
>>> found = signature.compute(quick=True)
>>> signature.changed(found, signature.expected(quick=True))
()

Whoever changes the rules, the edition or the search changes the number; whoever only tidies up does not. The number
that is expected stands in ``data/signature.json``, written by ``python -m bench.signature --write``, and the commit
that changes it says why.

Three parts, in the order in which they build on each other: ``engine`` (whole random games: every decision, its legal
actions, what followed by itself, the final scores), ``sampling`` (the hidden cards and tiles of sampled worlds),
``search`` (actions, visits and mean results of searches with fixed seeds and iterations). A change shows in its own
part and in those after it, so the first part that changed says where.

Everything hashed is an integer or a quotient of integers rounded to three places, so that it is the same on every
machine with IEEE arithmetic and in both builds. One thing is left to the platform: the search's bound uses the C
library's logarithm, which could tip a visit between two actions that are equal to the last bit.
"""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from importlib import resources
from typing import Final

from engine_ext.bench import play_games
from engine_ext.core import KINDS, Edition, Game

from . import edition
from .analysis import SearchLimits, SearchOptions, evaluate

__all__ = ["DATA", "PARTS", "Signature", "changed", "compute", "expected"]

DATA: Final = resources.files("lisboa_ai") / "data" / "signature.json"
PARTS: Final = ("engine", "sampling", "search")

GAMES: Final = tuple((seats, queen, draft) for seats in (2, 3, 4) for queen in (False, True) for draft in (False, True))
GAMES_EACH: Final = 2
FAST_GAMES: Final = 100
"""Games for each number of players in the engine's own loop, beside those whose every decision is hashed."""
WORLDS: Final = 5
ITERATIONS: Final = 48
QUICK_ITERATIONS: Final = 32
TRIES: Final = 1000
"""Games looked through for a position before giving up."""

_HIDDEN: Final = ("decks", "purple", "decree_deck", "clergy_bag", "buildings", "packets")
_COURT_OR_PORTFOLIO: Final = 128
"""Arguments of play_card from here on do more than discard for gold."""


@dataclass(frozen=True, slots=True)
class Signature:
    """The parts, each a short hash."""

    engine: str
    sampling: str
    search: str

    def __str__(self) -> str:
        return _short([self.engine, self.sampling, self.search])


@dataclass(frozen=True, slots=True)
class _Probe:
    """A position of the suite: a random game's first decision of a kind in a turn (counted from 0).

    With ``rival``, the seat after the decider looks on and searches for it.
    """

    kind: str
    turn: int
    seats: int
    seed: int
    queen: bool = False
    draft: bool = False
    rival: bool = False
    threads: int = 1
    options: SearchOptions = field(default_factory=SearchOptions)


PROBES: Final = (
    _Probe("play_card", 13, 3, 3),
    _Probe("follow", 3, 3, 10),
    _Probe("keep_clergy", 0, 2, 1),
    _Probe("draft_keep", 0, 4, 2, draft=True),
    _Probe("play_card", 0, 4, 4, draft=True),
    _Probe("sell", 4, 2, 5, options=SearchOptions(objective=0.0)),
    _Probe("build_store", 6, 4, 6, options=SearchOptions(playout="uniform")),
    _Probe("visit_state_action", 8, 2, 7, options=SearchOptions(granularity="turn")),
    _Probe("give_clergy", 11, 3, 8),
    _Probe("discard_hand", 16, 4, 9),
    _Probe("play_card", 20, 2, 11, rival=True),
    _Probe("open_building", 22, 2, 12, threads=2),
    _Probe("play_card", 25, 4, 13, queen=True, options=SearchOptions(granularity="turn", objective=1.0)),
    _Probe("follow_action", 28, 4, 14, queen=True),
    _Probe("take_decree", 31, 3, 15, options=SearchOptions(exploration=1.0)),
    _Probe("noble_action", 36, 3, 16, queen=True),
    _Probe("play_card", 35, 2, 17),
)
"""Players, phases and options of every sort; the first two are the quick suite."""


def compute(*, quick: bool = False) -> Signature:
    """Play, sample and search the suite. ``quick``: a part of it, fit for a self-test when a program starts."""
    engine = edition.load("house").engine
    probes = PROBES[:2] if quick else PROBES
    positions = [(probe, _reached(engine, probe)) for probe in probes]
    return Signature(
        engine=_short(_played(engine, quick)),
        sampling=_short(_sampled(positions)),
        search=_short(_searched(positions, QUICK_ITERATIONS if quick else ITERATIONS)),
    )


def expected(*, quick: bool = False) -> Signature:
    """The signature that this version has to have."""
    return Signature(**json.loads(DATA.read_text(encoding="utf-8"))["quick" if quick else "full"])


def changed(found: Signature, wanted: Signature) -> tuple[str, ...]:
    """The names of the parts in which two signatures differ."""
    return tuple(name for name in PARTS if asdict(found)[name] != asdict(wanted)[name])


def _short(things: Iterable[object]) -> str:
    digest = hashlib.blake2b(digest_size=6)
    for thing in things:
        digest.update(repr(thing).encode() + b"\n")
    return digest.hexdigest()


# --- the parts --------------------------------------------------------------------------------------------------------


def _played(engine: Edition, quick: bool) -> Iterable[object]:
    for number, (seats, queen, draft) in enumerate(GAMES):
        for seed in range(number, number + (1 if quick else GAMES_EACH)):
            yield from _game(Game.deal(engine, seats, seed, queen=queen, draft=draft), random.Random(seed))
    for seats in (2, 3, 4):
        yield play_games(engine, seats, seats, 1 if quick else FAST_GAMES)


def _game(game: Game, chooser: random.Random) -> Iterable[object]:
    yield sorted((game.setup() or {}).items())
    while not game.over:
        legal = game.legal()
        argument = _choice(game, legal, chooser)
        yield KINDS[game.kind], game.seat, game.context, legal, argument
        game.apply(argument)
        yield game.forced()
    yield game.ledger(), game.wigs(), game.winners()


def _sampled(positions: Iterable[tuple[_Probe, Game]]) -> Iterable[object]:
    for _, game in positions:
        for seat in range(game.seats):
            observation = game.observe(seat)
            for seed in range(WORLDS):
                world = observation.sample_world(seed).fields()
                yield [world[name] for name in _HIDDEN]
                yield [player["hand"][: player["n_hand"]] for player in world["players"][: game.seats]]


def _searched(positions: Iterable[tuple[_Probe, Game]], iterations: int) -> Iterable[object]:
    for probe, game in positions:
        observer = (game.seat + 1) % game.seats if probe.rival else game.seat
        limits = SearchLimits(iterations=iterations, seed=probe.seed, threads=probe.threads)
        found = evaluate(game.observe(observer), limits, probe.options)
        yield found.iterations, found.nodes, found.stop_reason
        for candidate in found.candidates:
            yield candidate.actions, candidate.visits, candidate.availability
            yield (
                _rounded(candidate.wigs),
                _rounded(candidate.win_share),
                [_rounded(row) for row in candidate.breakdown],
            )


def _rounded(values: Iterable[float]) -> list[str]:
    return [f"{value:.3f}" for value in values]


# --- the positions ----------------------------------------------------------------------------------------------------


def _choice(game: Game, legal: list[int], chooser: random.Random) -> int:
    """Any action, but no card for gold where something else can be done with one: such games go nowhere."""
    if KINDS[game.kind] == "play_card":
        legal = [argument for argument in legal if argument >= _COURT_OR_PORTFOLIO] or legal
    # of all of random.Random only random() is promised to be the same in every version of Python
    return legal[int(chooser.random() * len(legal))]


def _reached(engine: Edition, probe: _Probe) -> Game:
    """The position: of the first game, from the probe's seed on, that comes to such a decision."""
    for seed in range(probe.seed, probe.seed + TRIES):
        game = Game.deal(engine, probe.seats, seed, queen=probe.queen, draft=probe.draft)
        chooser = random.Random(seed)
        while not game.over and game.turn <= probe.turn:
            if game.turn == probe.turn and KINDS[game.kind] == probe.kind:
                return game
            game.apply(_choice(game, game.legal(), chooser))
    raise RuntimeError(f"signature: none of {TRIES} games comes to {probe.kind} in turn {probe.turn}")
