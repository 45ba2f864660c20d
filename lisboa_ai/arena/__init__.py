"""Players against each other: matches in blocks, their statistics, logs and ratings (``docs/strength.md``).

>>> from lisboa_ai.arena import Match, Tally, parse_player, play_match
>>> match = Match((parse_player("greedy"), parse_player("random")), lineup="AB", seed=1)
>>> tally = Tally(match, max_blocks=3)
>>> play_match(tally)
>>> tally.summary().games, tally.summary().standings[0].share.mean > 0.5
(6, True)

Ratings from logs are in ``lisboa_ai.arena.ratings``, apart because they alone need numpy.
"""

from .log import GameLog, read_games
from .match import LABELS, GameResult, Match, play_game
from .players import Player, parse_player
from .plot import check_plot, plot_match
from .run import play_match
from .stats import Share, Sprt, elo_of_share, share_of_elo, student_quantile
from .tally import Standing, Summary, Tally

__all__ = [
    "LABELS",
    "GameLog",
    "GameResult",
    "Match",
    "Player",
    "Share",
    "Sprt",
    "Standing",
    "Summary",
    "Tally",
    "check_plot",
    "elo_of_share",
    "parse_player",
    "play_game",
    "play_match",
    "plot_match",
    "read_games",
    "share_of_elo",
    "student_quantile",
]
