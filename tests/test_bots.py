"""The bots: legal play, what greedy goes for, and that searching beats it."""

import pytest

from engine_ext.core import KINDS, STOP, Game
from lisboa_ai import edition
from lisboa_ai.analysis import SearchLimits, SearchOptions
from lisboa_ai.bots import GREEDY_VERSION, Bot, GreedyBot, RandomBot, SearchBot

ENGINE = edition.load("house").engine


def play(players: list[Bot], seed: int, *, draft: bool = False, queen: bool = False) -> Game:
    game = Game.deal(ENGINE, len(players), seed, draft=draft, queen=queen)
    while not game.over:
        game.apply(players[game.seat].choose(game.observe(game.seat)))
    return game


@pytest.mark.parametrize("seats, draft, queen", [(2, False, False), (3, True, False), (4, False, True)])
def test_bots_of_every_sort_finish_a_game(seats: int, draft: bool, queen: bool) -> None:
    players: list[Bot] = [GreedyBot(1), RandomBot(2), SearchBot(SearchLimits(iterations=3)), GreedyBot(4)]
    game = play(players[:seats], 5, draft=draft, queen=queen)
    assert game.over
    assert [sum(row) for row in game.ledger()] == game.wigs()


def test_the_same_seeds_play_the_same_game() -> None:
    assert play([GreedyBot(1), RandomBot(2)], 7) == play([GreedyBot(1), RandomBot(2)], 7)
    assert play([GreedyBot(1), RandomBot(2)], 7) != play([GreedyBot(1), RandomBot(3)], 7)


def test_greedy_beats_random_play_by_far() -> None:
    scores = [play([GreedyBot(seed), RandomBot(seed)], seed).wigs() for seed in range(6)]
    greedy, rival = (sum(column) for column in zip(*scores, strict=True))
    assert greedy > rival * 1.5


def decisions_of(kind: str, seats: int = 3, limit: int = 6) -> list[Game]:
    """The first decisions of a kind in games between greedy bots."""
    found: list[Game] = []
    for seed in range(20):
        game = Game.deal(ENGINE, seats, seed)
        bots = [GreedyBot(seat) for seat in range(seats)]
        while not game.over and len(found) < limit:
            if KINDS[game.kind] == kind:
                found.append(game.copy())
            game.apply(bots[game.seat].choose(game.observe(game.seat)))
    return found


def test_greedy_takes_the_best_immediate_change_of_wigs() -> None:
    """Own change minus the mean rival's, whatever the rules of thumb say about the rest."""
    asked = 0
    for game in [*decisions_of("give_clergy"), *decisions_of("sell"), *decisions_of("visit_cost")]:
        gains = {}
        for argument in game.legal():
            after = game.copy()
            after.apply(argument)
            change = [now - then for now, then in zip(after.wigs(), game.wigs(), strict=True)]
            gains[argument] = change[game.seat] - (sum(change) - change[game.seat]) / (game.seats - 1)
        asked += len(set(gains.values())) > 1
        assert gains[GreedyBot(0).choose(game.observe(game.seat))] == max(gains.values())
    assert asked > 0


def test_greedy_takes_a_lone_gold_only_when_nothing_else_is_legal() -> None:
    for game in decisions_of("play_card", limit=30):
        gold_only = all(argument < 128 for argument in game.legal())
        assert (GreedyBot(0).choose(game.observe(game.seat)) < 128) == gold_only


def test_greedy_gives_up_one_clergy_tile_with_the_highest_back() -> None:
    wigs = ENGINE.tables()["clergy_wigs"]
    games = [game for game in decisions_of("give_clergy") if game.fields()["last_turn"] < 0 and not game.context[1]]
    assert games
    for game in games:
        tiles = [tile for tile in game.legal() if tile != STOP]
        assert wigs[GreedyBot(0).choose(game.observe(game.seat))] == max(wigs[tile] for tile in tiles)


def test_a_little_search_beats_greedy() -> None:
    """80 iterations a decision are enough, by a margin that is far from close."""
    game = play([GreedyBot(1), SearchBot(SearchLimits(iterations=80, seed=1), SearchOptions(candidates=1))], 3)
    greedy, searching = game.wigs()
    assert searching > greedy + 10


def test_search_bot_keeps_its_last_analysis_and_skips_single_actions() -> None:
    game = Game.deal(ENGINE, 2, 1)
    bot = SearchBot(SearchLimits(iterations=20))
    choice = bot.choose(game.observe(game.seat))
    assert bot.last is not None
    assert bot.last.best.actions == (choice,)
    assert choice in game.legal()


def test_greedy_is_version_1() -> None:
    """Whoever changes how it chooses makes a new version: strength is measured against it."""
    assert GREEDY_VERSION == 1
