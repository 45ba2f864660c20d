"""Matches: who sits where, what counts, what a log keeps; and that search beats the greedy bot."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from engine_ext.core import Game, Observation
from lisboa_ai import edition
from lisboa_ai.analysis import SearchLimits
from lisboa_ai.arena import GameLog, GameResult, Match, Sprt, Summary, Tally, parse_player, play_game, play_match
from lisboa_ai.arena import players as arena_players
from lisboa_ai.arena.ratings import rate_logs
from lisboa_ai.levels import LEVELS

ENGINE = edition.load("house").engine


def match_of(*players: str, lineup: str = "AB", seed: int = 1) -> Match:
    return Match(tuple(parse_player(text) for text in players), lineup, seed)


def result(block: int, game: int, order: str, wigs: tuple[int, ...], winners: tuple[int, ...]) -> GameResult:
    """A game that was never played, each seat with 10 decisions of 2 seconds in all."""
    return GameResult(block, game, order, 0, wigs, winners, (10,) * len(order), (2.0,) * len(order))


def timeless(summary: Summary) -> Summary:
    return replace(summary, standings=tuple(replace(one, seconds=0.0) for one in summary.standings))


def played(match: Match, blocks: int, jobs: int = 1, log: GameLog | None = None, sprt: Sprt | None = None) -> Summary:
    tally = Tally(match, sprt, max_blocks=blocks)
    play_match(tally, jobs=jobs, log=log)
    return timeless(tally.summary())


# --- who sits where ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("lineup", "orders"),
    [
        ("AB", ["AB", "BA"]),
        ("ABB", ["ABB", "BAB", "BBA"]),
        ("BABB", ["ABBB", "BABB", "BBAB", "BBBA"]),
        ("AABB", ["AABB", "ABAB", "ABBA", "BAAB", "BABA", "BBAA"]),
        ("CAB", ["ABC", "ACB", "BAC", "BCA", "CAB", "CBA"]),
    ],
)
def test_a_block_is_every_distinct_order_once(lineup: str, orders: list[str]) -> None:
    assert match_of(*["random"] * len(set(lineup)), lineup=lineup).orders == orders


def test_four_players_sit_in_24_orders_each_six_times_at_every_seat() -> None:
    orders = match_of(*["random"] * 4, lineup="ABCD").orders
    assert len(set(orders)) == 24
    for label in "ABCD":
        assert [sum(order[seat] == label for order in orders) for seat in range(4)] == [6, 6, 6, 6]


def test_games_of_a_block_share_the_deal_and_blocks_do_not() -> None:
    match = match_of("random", "greedy")
    games = [play_game(match, block, game) for block in range(2) for game in range(2)]
    assert [game.order for game in games] == ["AB", "BA"] * 2
    assert games[0].deal == games[1].deal != games[2].deal == games[3].deal


@pytest.mark.parametrize("lineup", ["AB", "ABB", "AABB"])
def test_a_player_against_itself_scores_its_expected_share_in_every_block(lineup: str) -> None:
    """Bots have their seat's seed whoever they are, so the games of such a block are one and the same game."""
    tally = Tally(match_of("greedy", "greedy", lineup=lineup), max_blocks=3)
    play_match(tally)
    expected = lineup.count("A") / len(lineup)
    assert tally.scores["A"] == pytest.approx([expected] * 3)
    for block in tally.counted:
        assert len({game.wigs for game in block}) == 1


def test_greedy_beats_random_clearly() -> None:
    best, worst = played(match_of("greedy", "random", "random", lineup="ABC"), blocks=2).standings[:2]
    assert best.share.mean > 0.9
    assert best.wigs > worst.wigs + 20


# --- what counts ------------------------------------------------------------------------------------------------------


def test_what_is_won_is_shared_by_tied_winners_and_added_up_over_seats() -> None:
    game = result(0, 0, "ABAC", (90, 80, 90, 90), (0, 2, 3))
    assert [game.share(label) for label in "ABC"] == pytest.approx([2 / 3, 0.0, 1 / 3])


def test_a_summary_adds_up() -> None:
    """A scores 1 and 1/2 in its first block, 0 and 0 in its second."""
    tally = Tally(match_of("random", "greedy"), max_blocks=2)
    for one in (
        result(0, 0, "AB", (100, 80), (0,)),
        result(0, 1, "BA", (90, 90), (0, 1)),
        result(1, 0, "AB", (60, 70), (1,)),
        result(1, 1, "BA", (75, 70), (0,)),
    ):
        tally.add(one)
    found = tally.summary()
    a, b = found.standings
    assert (found.games, found.blocks) == (4, 2)
    assert (a.share.mean, b.share.mean) == (0.375, 0.625)
    assert a.share.variance == pytest.approx((2 * 0.375**2 + 2 * 0.125) / 3)
    assert (a.wigs, a.margin) == (80.0, (20 + 0 - 10 - 5) / 4)
    assert (b.wigs, b.margin) == (78.75, (-20 + 0 + 10 + 5) / 4)
    assert (a.decisions, a.seconds) == (40, 0.2)


def test_margins_are_over_the_best_rival_seat() -> None:
    tally = Tally(match_of("random", "greedy", lineup="ABB"), max_blocks=1)
    for game, order in enumerate(("ABB", "BAB", "BBA")):
        tally.add(result(0, game, order, (50, 70, 100), (2,)))
    a, b = tally.summary().standings
    assert a.margin == pytest.approx((-50 - 30 + 30) / 3)
    assert b.margin == pytest.approx((2 * -50 + 2 * -30 + 2 * 30) / 6)


def test_blocks_count_in_their_order_and_only_whole_ones() -> None:
    tally = Tally(match_of("random", "greedy"), max_blocks=3)
    games = [result(block, game, order, (1, 0), (0,)) for block in range(3) for game, order in enumerate(("AB", "BA"))]
    counted = []
    for i in (2, 3, 0, 5, 1, 4):
        tally.add(games[i])
        counted.append(len(tally.counted))
    assert counted == [0, 0, 0, 0, 2, 3]
    assert tally.decided
    assert [block[0].block for block in tally.counted] == [0, 1, 2]


def test_a_sequential_test_ends_at_the_same_block_in_any_order() -> None:
    """A wins all: n blocks of score 1 have the variance v = 2/8 / (n + 1); the shares expected are 0.5 and 0.75975.

    n/2 ln((v + 0.25) / (v + 0.05772)) is 2.69 for 5 blocks and 3.35 for 6, and 2.944 is enough.
    """
    sprt = Sprt(0, 200)
    games = [
        result(block, game, order, (1, 0), (order.index("A"),))
        for block in range(40)
        for game, order in enumerate(("AB", "BA"))
    ]
    found = []
    for order in (games, games[::-1], games[1::2] + games[::2]):
        tally = Tally(match_of("random", "greedy"), sprt)
        for game in order:
            tally.add(game)
        found.append((len(tally.counted), tally.verdict, tally.summary().llr))
    assert found[0] == found[1] == found[2]
    blocks, verdict, llr = found[0]
    assert (blocks, verdict) == (6, "H1")
    assert llr is not None
    assert llr >= sprt.bounds[1] > tally.llrs[-2]


def test_results_do_not_depend_on_jobs() -> None:
    match = match_of("greedy", "random", lineup="ABB")
    assert played(match, 3) == played(match, 3, jobs=2)


def test_a_sequential_test_does_not_depend_on_jobs() -> None:
    match = match_of("greedy", "random")
    alone, together = (played(match, 100, jobs=jobs, sprt=Sprt(0, 300)) for jobs in (1, 2))
    assert alone == together
    assert alone.verdict == "H1"
    assert alone.blocks < 20


# --- logs -------------------------------------------------------------------------------------------------------------


def test_a_killed_match_goes_on_where_it_was(tmp_path: Path) -> None:
    """Three games and half a line are left of the log: the others are played, and the result is that of one go."""
    match = match_of("greedy", "random")
    path = tmp_path / "log.jsonl"
    whole = played(match, 4, log=GameLog(path, match))
    lines = path.read_bytes().splitlines(keepends=True)
    assert len(lines) == 1 + 8
    path.write_bytes(b"".join(lines[:4]) + lines[4][:30])
    log = GameLog(path, match)
    assert [(game.block, game.game) for game in log.games] == [(0, 0), (0, 1), (1, 0)]
    assert played(match, 4, log=log) == whole
    again = path.read_bytes().splitlines(keepends=True)
    assert again[:4] == lines[:4]
    assert [json.loads(line)["wigs"] for line in again[1:]] == [json.loads(line)["wigs"] for line in lines[1:]]


def test_a_finished_match_is_not_played_again_and_can_be_made_longer(tmp_path: Path) -> None:
    match = match_of("greedy", "random")
    path = tmp_path / "log.jsonl"
    played(match, 1, log=GameLog(path, match))
    before = path.read_bytes()
    played(match, 1, log=GameLog(path, match))
    assert path.read_bytes() == before
    assert played(match, 2, log=GameLog(path, match)) == played(match, 2)
    assert path.read_bytes().startswith(before)


@pytest.mark.parametrize(
    ("other", "difference"),
    [
        (match_of("greedy", "random", seed=2), "seed: 1 there, 2 here"),
        (match_of("random", "random"), "players.A.name: greedy there, random here"),
        (match_of("greedy", "random", lineup="ABB"), "lineup: AB there, ABB here"),
        (replace(match_of("greedy", "random"), queen=True), "queen: False there, True here"),
    ],
)
def test_a_log_of_another_match_is_refused(tmp_path: Path, other: Match, difference: str) -> None:
    path = tmp_path / "log.jsonl"
    GameLog(path, match_of("greedy", "random")).close()
    before = path.read_bytes()
    with pytest.raises(ValueError) as caught:
        GameLog(path, other)
    assert f"({difference}); allowed: a log of this match, or a new file" in str(caught.value)
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    ("line", "named"),
    [
        ("what?", "line 2: 'what?'; allowed: a line of an arena log"),
        ('{"match":"DIGEST","block":0}', "allowed: a line of an arena log"),
        ('{"match":"0123"}', "line 2: of another match"),
    ],
)
def test_a_damaged_log_is_refused(tmp_path: Path, line: str, named: str) -> None:
    path = tmp_path / "log.jsonl"
    match = match_of("greedy", "random")
    GameLog(path, match).close()
    path.write_text(path.read_text() + line.replace("DIGEST", match.digest()) + "\n")
    with pytest.raises(ValueError) as caught:
        GameLog(path, match)
    assert named in str(caught.value)


def test_ratings_come_from_whole_blocks_of_all_logs(tmp_path: Path) -> None:
    paths = [tmp_path / "1.jsonl", tmp_path / "2.jsonl"]
    for path, match in zip(paths, (match_of("greedy", "random"), match_of("random", "greedy", seed=2)), strict=True):
        played(match, 2, log=GameLog(path, match))
    with paths[1].open("r+b") as file:
        file.truncate(len(b"".join(file.read().splitlines(keepends=True)[:4])))
    found = rate_logs(paths, anchor="random")
    assert [(one.player, one.games) for one in found] == [("greedy", 6), ("random", 6)]
    assert found[0].elo > 0


# --- players ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "shortest"),
    [
        ("greedy", "greedy"),
        ("search", "search"),
        ("search:iterations=200,playout=uniform", "search:iterations=200,playout=uniform"),
        ("search: playout=uniform, iterations=200", "search:iterations=200,playout=uniform"),
        ("search:ms=100", "search:time=0.1"),
        ("search:time=100ms", "search:time=0.1"),
        ("search:turn=1s,threads=2", "search:threads=2,turn=1.0"),
        ("search:granularity=turn,threads=1", "search:granularity=turn"),
        ("level:3", "level:3"),
        ("level: 3, ms=50", "level:3,time=0.05"),
        ("search:time=0.05,level=3", "level:3,time=0.05"),
    ],
)
def test_a_player_has_one_shortest_text(text: str, shortest: str) -> None:
    player = parse_player(text)
    assert player.text == shortest
    assert parse_player(shortest) == player


def test_every_option_that_text_can_set_reaches_the_search() -> None:
    settings = parse_player(
        "search:iterations=7,objective=0.25,exploration=1.5,playout=uniform,memory=50000000"
    ).settings
    wanted = {"iterations": 7, "objective": 0.25, "exploration": 1.5, "playout": "uniform", "memory": 50_000_000}
    assert {name: settings[name] for name in wanted} == wanted


def test_what_a_level_is_made_of_is_in_its_settings() -> None:
    """So a log of a level that has been changed since is not gone on with."""
    level = LEVELS[3]
    assert parse_player("level:3").settings["level"] == {
        "number": 3,
        "iterations": level.iterations,
        "temperature": level.temperature,
        "cap": level.cap,
    }
    assert parse_player("search").settings["level"] is None


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("gredy", "player: 'gredy'; allowed: random, greedy, search, level:N or module:callable"),
        ("greedy:seed=1", "player: 'greedy:seed=1'; allowed: greedy without options"),
        ("search:itertions=5", "player: 'itertions' is no option of search; allowed: "),
        ("search:seed=5", "player: 'seed' is no option of search"),
        ("search:only=5", "player: 'only' is no option of search"),
        ("search:iterations", "player: 'iterations'; allowed: iterations=VALUE"),
        ("search:iterations=many", "player.iterations: 'many'; allowed: a whole number"),
        ("search:iterations=0", "player.iterations: 0; allowed: 1 or more"),
        ("search:exploration=nan", "player.exploration: 'nan'; allowed: a number"),
        ("search:objective=2", "player.objective: 2.0; allowed: 0 (win share) to 1"),
        ("search:granularity=all", "player.granularity: 'all'; allowed: decision, turn"),
        ("search:playout=wild", "player.playout: 'wild'; allowed: "),
        ("search:turn=soon", "player.turn: 'soon'; allowed: seconds, such as 0.5, 500ms or 2s"),
        ("search:turn=0", "player.turn: 0.0 seconds; allowed: more than 0"),
        ("search:ms=5,time=1", "player: time is given twice"),
        ("nowhere.to.be.found:bot", "player: 'nowhere.to.be.found:bot': No module named 'nowhere'"),
        ("json:nothing", "player: 'json:nothing' is no callable"),
        ("level:", "player: 'level:'; allowed: level:N with a level N from 1 to 10"),
        ("level:max", "player: 'level:max'; allowed: level:N with a level N from 1 to 10"),
        ("level:0", "player.level: 0; allowed: 1 to 10"),
        ("level:3,algorithm=flat", "player.level: 3 with algorithm 'flat'; allowed: one of the two"),
        ("level:3,level=4", "player: level is given twice"),
        ("a b:c", "player: 'a b:c'; allowed: random, greedy, search, level:N or module:callable"),
    ],
)
def test_a_player_that_cannot_be_is_refused(text: str, named: str) -> None:
    with pytest.raises(ValueError) as caught:
        parse_player(text)
    assert str(caught.value).startswith(named)


def test_unknown_options_are_told_what_there_is() -> None:
    with pytest.raises(ValueError) as caught:
        parse_player("search:x=1")
    allowed = str(caught.value).partition("allowed: ")[2].split(", ")
    assert {"exploration", "iterations", "ms", "objective", "playout", "threads", "time", "turn"} <= set(allowed)
    assert allowed == sorted(allowed)


class Recorder:
    """In the place of a search bot: what it was told, every decision taking a quarter of a second."""

    def __init__(self, limits: SearchLimits, *_: object) -> None:
        self.limits = limits
        self.last: Any = None
        told.append(self)
        self.seen: list[SearchLimits] = []

    def choose(self, observation: Observation) -> int:
        if len(observation.legal()) > 1:
            self.seen.append(self.limits)
            self.last = type("Last", (), {"elapsed": 0.25})
        return observation.legal()[0]


told: list[Recorder] = []


def test_a_turn_has_one_budget_and_every_decision_a_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Half of what is left each time: of 1 s 0.5, of 0.75 s 0.375, of 0.5 s 0.25, ... and all of it anew next turn."""
    monkeypatch.setattr(arena_players, "SearchBot", Recorder)
    told.clear()
    bot = parse_player("search:turn=1s").bot(5)
    game = Game.deal(ENGINE, 2, 1)
    turns: list[int] = []
    while not game.over:
        observation = game.observe(game.seat)
        argument = bot.choose(observation)
        if len(observation.legal()) > 1:
            turns.append(game.turn)
        game.apply(argument)
    budgets: dict[int, list[float | None]] = {}
    for turn, limits in zip(turns, told[0].seen, strict=True):
        budgets.setdefault(turn, []).append(limits.time)
    longest = max(budgets.values(), key=len)
    assert len(longest) >= 5
    assert longest[:5] == [0.5, 0.375, 0.25, 0.125, 0.0]
    assert all(budget[0] == 0.5 for budget in budgets.values())
    seeds = [limits.seed for limits in told[0].seen]
    assert len(set(seeds)) == len(seeds)


BOTS = """
import os

class First:
    def __init__(self, seed):
        self.seed = seed
    def choose(self, observation):
        return observation.legal()[0]

class Wrong(First):
    def choose(self, observation):
        return 9999

class Gone(First):
    def choose(self, observation):
        os._exit(3)
"""


@pytest.fixture
def own_bots(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    (tmp_path / "own_bots.py").write_text(BOTS)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", sys.path[:])
    monkeypatch.delitem(sys.modules, "own_bots", raising=False)
    return "own_bots"


def test_a_bot_of_ones_own_plays_from_the_current_folder(own_bots: str) -> None:
    match = match_of("greedy", f"{own_bots}:First")
    assert played(match, 1) == played(match, 1, jobs=2)


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_player_that_fails_is_named(own_bots: str, jobs: int) -> None:
    with pytest.raises(
        ValueError, match=r"player B \(own_bots:Wrong\): IllegalAction: .*9999.*block 0, game \d, turn "
    ):
        played(match_of("greedy", f"{own_bots}:Wrong"), 1, jobs=jobs)


def test_a_process_that_ends_by_itself_is_noticed(own_bots: str) -> None:
    with pytest.raises(ValueError, match="a process that played games ended by itself, exit code 3"):
        played(match_of("greedy", f"{own_bots}:Gone"), 1, jobs=2)


# --- strength ---------------------------------------------------------------------------------------------------------


def test_a_hundred_iterations_beat_greedy() -> None:
    """A smoke match with fixed seeds, on the release build: as a program, as it is used, on all cores."""
    environment = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "PYTHONSAFEPATH")}
    command = "from lisboa_ai.cli import main; main()"
    arguments = ("arena", "search:iterations=100", "greedy", "--games", "20", "--seed", "7", "--json")
    done = subprocess.run(
        [sys.executable, "-c", command, *arguments],
        cwd=Path(__file__).parent.parent,
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    found = json.loads(done.stdout)
    searching, greedy = found["players"]
    assert (found["games"], found["blocks"]) == (20, 10)
    assert searching["share"] >= 0.6
    assert searching["wigs"] > greedy["wigs"]
