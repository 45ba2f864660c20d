"""Whole random games on the checked build: no dead end, every law after every action, bounded length, exact replay.

LISBOA_SOAK_GAMES sets the number of games per player count: 200 here, 10,000 in ``make soak``.
"""

import os
import random

import pytest

from engine_ext import core
from lisboa_ai import edition

GAMES = int(os.environ.get("LISBOA_SOAK_GAMES", "200"))
CHUNKS = 8  # so that both cores have something to do

# docs/rules.md, length: a period's decks last at most 19 turns; then the round is finished and one more played
MOST_TURNS = {2: 40, 3: 42, 4: 44}
MOST_TURNS_WITHOUT_CARD = {2: 2, 3: 4, 4: 6}


def play_one(seats: int, seed: int) -> None:
    rng = random.Random(seed)
    game = core.Game.deal(edition.load().engine, seats, seed, queen=seed % 4 == 3, draft=seed % 8 >= 6)
    start = game.copy()
    actions = []
    period_turns = [0, 0]
    turn, hands, without_card = -1, 0, 0
    while not game.over:
        legal = game.legal()
        assert legal, f"dead end: {game}"
        assert len(set(legal)) == len(legal)
        if game.turn != turn:
            fields = game.fields()
            held = sum(player["n_hand"] for player in fields["players"])
            without_card += turn >= 0 and held < hands
            turn, hands = game.turn, held
            if fields["last_turn"] < 0:
                period_turns[game.period] += 1
        argument = rng.choice(legal)
        actions.append(argument)
        game.apply(argument)  # the checked build verifies every law here
    assert max(period_turns) <= 19
    assert without_card < MOST_TURNS_WITHOUT_CARD[seats]
    assert game.turn + 1 <= MOST_TURNS[seats]
    assert (game.turn + 1) % seats == 0, "all players have had equally many turns (L3)"
    assert [sum(row) for row in game.ledger()] == game.wigs()
    for argument in actions:
        start.apply(argument)
    assert start == game, "replaying the record gives the identical final state"


@pytest.mark.parametrize("chunk", range(CHUNKS))
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_random_games_reach_their_end_with_every_law_held(seats: int, chunk: int) -> None:
    for seed in range(chunk, GAMES, CHUNKS):
        play_one(seats, seed)
    assert core.duty_disagreements() == {}, "a fast test and the exhaustive search disagree"
