"""The position that ships with the package: a game of three in which the player to move has a real choice.

``python -m bench.make_demo`` plays a fixed game of greedy bots up to a fixed turn and writes ``lisboa_ai/data``:
``demo.json``, what the player to move knows, and ``demo_record.json``, the record that this player kept.
"""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path

from engine_ext.core import KINDS
from lisboa_ai import edition, notation
from lisboa_ai.bots import GreedyBot
from lisboa_ai.record import GameRecord, RecordedAction

DATA = Path(__file__).resolve().parent.parent / "lisboa_ai" / "data"
PLAYERS = 3
SEED = 11
TURN = 17
"""Turns played: early in the second period, where the hands have just been dealt anew."""


def played(seed: int, turn: int) -> GameRecord:
    """The record of a game of greedy bots up to the moment when somebody chooses a card in this turn."""
    tables = edition.load("house")
    record = GameRecord.new(tables, PLAYERS, seed)
    game = record.replay()
    players = [GreedyBot(seat) for seat in range(PLAYERS)]
    actions = []
    while game.turn < turn or KINDS[game.kind] != "play_card":
        argument = players[game.seat].choose(game.observe(game.seat))
        actions.append(RecordedAction(notation.action_text(tables, game.kind, game.context, argument)))
        game.apply(argument)
    return replace(record, actions=tuple(actions))


def main() -> None:
    """Write the two files."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--seed", type=int, default=SEED, help="seed of the game")
    parser.add_argument("--turn", type=int, default=TURN, help="turns played before the position")
    given = parser.parse_args()
    record = played(given.seed, given.turn)
    seat = record.replay().seat
    DATA.mkdir(exist_ok=True)
    (DATA / "demo.json").write_text(record.position(seat).to_json() + "\n", encoding="utf-8")
    (DATA / "demo_record.json").write_text(record.observe(seat).to_json() + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
