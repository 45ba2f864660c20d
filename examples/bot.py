"""A bot that plays in another program, knowing no more than a player at the table.

The other program here is ``Table``: it alone holds the truth. The bot is told the set-up as its seat sees it, then
every action as text together with what that action revealed to its seat, and answers with text when it is its turn.
From that it keeps an observer's record, which it can save, and a position, which it can search::

    python examples/bot.py --seed 3 --iterations 200
"""

from __future__ import annotations

import argparse
from dataclasses import replace

from engine_ext.core import Game
from lisboa_ai import edition, notation
from lisboa_ai.analysis import SearchLimits
from lisboa_ai.bots import Bot, RandomBot, SearchBot
from lisboa_ai.position import Position
from lisboa_ai.record import GameRecord, RecordedAction


class Player:
    """Keeps an observer's record from what it is told, and decides from nothing else."""

    def __init__(self, bot: Bot) -> None:
        self.bot = bot
        self.record: GameRecord | None = None
        self.position: Position | None = None

    def begin(self, record: str) -> None:
        """The game begins: the observer's record, with no action yet, as a line of text."""
        self.record = GameRecord.from_text(record)
        self.position = self.record.position()

    def told(self, action: str, revealed: str) -> None:
        """Somebody did this, perhaps this player itself, and it showed that."""
        assert self.record is not None
        assert self.position is not None
        self.position = self.position.advance(action, revealed)
        self.record = replace(self.record, actions=(*self.record.actions, RecordedAction(action, revealed)))

    def decide(self) -> str:
        """It is this player's decision: the action as text."""
        assert self.position is not None
        seen = self.position.observation
        argument = self.bot.choose(seen)
        return notation.action_text(self.position.tables, seen.kind, seen.context, argument)


class Table:
    """The other program: deals, asks, carries out, and tells every player what that player may know."""

    def __init__(self, seed: int, players: list[Player]) -> None:
        self.tables = edition.load("house")
        self.players = players
        truth = GameRecord.new(self.tables, len(players), seed)
        self.game: Game = truth.replay()
        for seat, player in enumerate(players):
            player.begin(truth.observe(seat).to_text())

    def play(self) -> None:
        """Play to the end."""
        while not self.game.over:
            action = self.players[self.game.seat].decide()
            self.game.apply(notation.parse_action(self.tables, self.game, action))
            for seat, player in enumerate(self.players):
                player.told(action, notation.revealed_text(self.tables, self.game.revealed(seat)))


def main() -> None:
    """Play one game of a searching bot against a random one and print the score."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--seed", type=int, default=1, help="seed of the game")
    parser.add_argument("--iterations", type=int, default=100, help="iterations of the search for each decision")
    given = parser.parse_args()
    searching = Player(SearchBot(SearchLimits(iterations=given.iterations, seed=given.seed)))
    table = Table(given.seed, [searching, Player(RandomBot(given.seed))])
    table.play()
    assert searching.record is not None
    print(f"search {table.game.wigs()[0]}, random {table.game.wigs()[1]}; winner: seat {table.game.winners()[0]}")
    print(f"{len(searching.record.actions)} actions in the bot's record; it ends: {searching.record.actions[-1].text}")


if __name__ == "__main__":
    main()
