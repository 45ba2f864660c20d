"""Predictions against what happened: tables, scores, a picture. See ``bench.win_shares``.

Positions of one game share its end. So every error here is one over games: the deviations of a game are added up
before they are squared.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from engine_ext.search.searcher import VALUE_FEATURES

__all__ = [
    "OWN_TURNS",
    "PHASES",
    "Said",
    "Z",
    "brier",
    "mean",
    "plot",
    "recalibrated",
    "report",
    "said",
    "table",
    "temperature",
]

Numbers = NDArray[np.float64]
Z: Final = 1.96
BINS: Final = (0.0, 0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.98, 1.0)
GROUPS: Final = 20
"""Parts of the games that are left out one after the other for an error."""
PHASES: Final = ((12.0, 99.0), (8.0, 12.0), (4.0, 8.0), (1.5, 4.0), (0.0, 1.5))
"""Turns of each seat that are still expected."""
LEAST: Final = 1e-4
"""Shares below are taken for this: the log of a share is asked for."""


@dataclass(frozen=True)
class Said:
    """Shares predicted for the seats of some positions, and those that came; a row for each position.

    Seats that do not play have no share of either. game: which game a position is of.
    """

    predicted: Numbers
    came: Numbers
    seats: NDArray[np.int64]
    game: NDArray[np.int64]
    left: Numbers

    def of(self, kept: NDArray[np.bool_]) -> Said:
        return Said(self.predicted[kept], self.came[kept], self.seats[kept], self.game[kept], self.left[kept])

    @property
    def playing(self) -> NDArray[np.bool_]:
        return np.arange(4)[None, :] < self.seats[:, None]


def _padded(rows: Sequence[Sequence[float]]) -> Numbers:
    return np.array([list(row) + [0.0] * (4 - len(row)) for row in rows])


def by_search(position: dict[str, Any]) -> list[float]:
    return list(position["win_share"])


def by_value(position: dict[str, Any]) -> list[float]:
    return list(position["value_share"])


def sum_of(ledger: Sequence[Sequence[float]]) -> list[float]:
    return [sum(row) for row in ledger]


def evenly(position: dict[str, Any]) -> list[float]:
    return [1.0 / len(position["win_share"])] * len(position["win_share"])


def said(games: Sequence[dict[str, Any]], predict: Callable[[dict[str, Any]], list[float]] = by_search) -> Said:
    """All positions of some games."""
    pairs = [(game, position) for game in games for position in game["positions"]]
    return Said(
        _padded([predict(position) for _, position in pairs]),
        _padded([game["won"] for game, _ in pairs]),
        np.array([game["seats"] for game, _ in pairs]),
        np.array([game["number"] for game, _ in pairs]),
        np.array([position["turns_left"] / game["seats"] for game, position in pairs]),
    )


# --- scores ----------------------------------------------------------------------------------------------------------


def mean(x: Numbers, game: NDArray[np.int64]) -> tuple[float, float]:
    """Of some numbers, with the standard error over games."""
    middle = float(x.mean())
    _, place = np.unique(game, return_inverse=True)
    sums = np.bincount(place, weights=x - middle)
    count = len(sums)
    correction = count / (count - 1) if count > 1 else 1.0
    return middle, float(np.sqrt(correction * (sums**2).sum())) / len(x)


def brier(of: Said) -> tuple[float, float]:
    """Mean square of what was predicted for a seat less what it got, and its error."""
    squares = ((of.predicted - of.came) ** 2).sum(axis=1) / of.seats
    return mean(squares, of.game)


def decomposed(of: Said) -> tuple[float, float, float]:
    """Reliability, resolution, uncertainty (Murphy): Brier score = first - second + third, but for bins' width."""
    p, o = of.predicted[of.playing], of.came[of.playing]
    overall = o.mean()
    which = np.digitize(p, BINS[1:-1])
    reliability = resolution = 0.0
    for place in range(len(BINS) - 1):
        inside = which == place
        if inside.any():
            reliability += inside.mean() * (p[inside].mean() - o[inside].mean()) ** 2
            resolution += inside.mean() * (o[inside].mean() - overall) ** 2
    return float(reliability), float(resolution), float(((o - overall) ** 2).mean())


def log_loss(of: Said) -> float:
    p = np.maximum(of.predicted, LEAST)
    return float(-(of.came * np.log(p) * of.playing).sum(axis=1).mean())


def _flattest(of: Said) -> float:
    """The exponent's inverse that makes shares to its power, made to add up again, fit best; by golden section."""
    logs = np.where(of.playing, np.log(np.maximum(of.predicted, LEAST)), -np.inf)

    def loss(temperature: float) -> float:
        powers = np.exp((logs - logs.max(axis=1, keepdims=True)) / temperature)
        shares = powers / powers.sum(axis=1, keepdims=True)
        return log_loss(Said(shares, of.came, of.seats, of.game, of.left))

    low, high = 0.1, 10.0
    ratio = (5**0.5 - 1) / 2
    for _ in range(40):
        left = high * (low / high) ** ratio
        right = low * (high / low) ** ratio
        if loss(left) < loss(right):
            high = right
        else:
            low = left
    return float((low * high) ** 0.5)


def temperature(of: Said) -> tuple[float, float]:
    """By how much odds are too bold (above 1) or too timid (below 1), and its error by leaving out games in turn."""
    games = np.unique(of.game)
    count = min(GROUPS, len(games))
    parts = [_flattest(of.of(~np.isin(of.game, games[i::count]))) for i in range(count)] if count > 1 else []
    error = float(np.sqrt((count - 1) / count * ((np.array(parts) - np.mean(parts)) ** 2).sum())) if parts else 0.0
    return _flattest(of), error


# --- recalibrating ---------------------------------------------------------------------------------------------------

OWN_TURNS: Final = VALUE_FEATURES.index("one_by_turns")
"""The feature that is a tenth of a seat's turns left; the feature ``one`` is the first."""


def recalibrated(games: Sequence[dict[str, Any]], table: dict[str, Any]) -> dict[str, Any]:
    """Weights like ``table``, with the level and the spread that the search's own predictions ask for.

    Level: what a category brings more than was said, by least squares on 1 and a seat's turns left. Spread: times the
    boldness of the predictions. Both for each number of players.
    """
    found = copy.deepcopy(table)
    for seats, one in found["seats"].items():
        some = [game for game in games if game["seats"] == int(seats)]
        rows = [
            (position["own_turns"][seat], *np.subtract(game["ledger"][seat], position["breakdown"][seat]))
            for game in some
            for position in game["positions"]
            for seat in range(int(seats))
        ]
        if not rows:
            continue
        numbers = np.array(rows)
        x = np.column_stack([np.ones(len(numbers)), numbers[:, 0]])
        levels = np.linalg.lstsq(x, numbers[:, 1:], rcond=None)[0]
        for category, (constant, by_turns) in enumerate(levels.T):
            one["weights"][category][0] = round(one["weights"][category][0] + float(constant), 4)
            one["weights"][category][OWN_TURNS] = round(one["weights"][category][OWN_TURNS] + float(by_turns), 4)
        bold = temperature(said(some))[0]
        one["spread"] = [round(bold * number, 3) for number in one["spread"]]
    return found


# --- tables ----------------------------------------------------------------------------------------------------------


def _row(cells: Sequence[object]) -> str:
    return "| " + " | ".join(map(str, cells)) + " |"


def table(head: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    return "\n".join([_row(head), _row(["---"] * len(head)), *map(_row, rows)])


def reliability(of: Said) -> list[tuple[float, float, float, int]]:
    """For each class of predicted shares with any: mean predicted, mean that came, its error, how many."""
    p, o = of.predicted[of.playing], of.came[of.playing]
    game = np.repeat(of.game, of.seats)
    which = np.digitize(p, BINS[1:-1])
    found = []
    for place in range(len(BINS) - 1):
        inside = which == place
        if inside.any():
            came, error = mean(o[inside], game[inside])
            # a class where all went alike still has the error of one more game that went the other way
            error = max(error, (inside.sum() + 2.0) ** -1)
            found.append((float(p[inside].mean()), came, error, int(inside.sum())))
    return found


def report(games: Sequence[dict[str, Any]]) -> str:
    """All tables, as Markdown."""
    everything = said(games)
    parts = [f"{len(everything.seats)} positions of {len(games)} games\n", _scores(games), "", _reliability(everything)]
    return "\n".join([*parts, "", _phases(games), "", _wigs(games)])


def _bold(of: Said) -> str:
    found, error = temperature(of)
    return f"{found:.2f} ± {Z * error:.2f}"


def _scores(games: Sequence[dict[str, Any]]) -> str:
    rows = []
    for seats in (2, 3, 4, None):
        some = [game for game in games if seats in (None, game["seats"])]
        if not some:
            continue
        for name, predict in (("search", by_search), ("value function alone", by_value), ("1/n", evenly)):
            of = said(some, predict)
            score, error = brier(of)
            rel, res, unc = decomposed(of)
            bold = "" if predict is evenly else _bold(of)
            rows.append(
                (seats or "all", name, f"{score:.4f} ± {Z * error:.4f}", f"{rel:.4f}", f"{res:.4f}", f"{unc:.4f}",
                 f"{log_loss(of):.4f}", bold)
            )  # fmt: skip
    head = ("players", "shares by", "Brier score", "reliability", "resolution", "uncertainty", "log loss", "boldness")
    return table(head, rows)


def _reliability(of: Said) -> str:
    rows = [
        (f"{100 * said:.1f} %", f"{100 * came:.1f} ± {100 * Z * error:.1f} %", f"{(came - said) / error:+.1f}", count)
        for said, came, error, count in reliability(of)
    ]
    return table(("predicted", "came, 95 %", "standard errors apart", "seats"), rows)


def _phases(games: Sequence[dict[str, Any]]) -> str:
    rows = []
    for low, high in PHASES:
        row: list[object] = [f"{low:g} to {high:g}"]
        for predict in (by_search, by_value):
            of = said(games, predict)
            part = of.of((of.left >= low) & (of.left < high))
            if len(part.seats) < 2 * GROUPS:
                break
            row += [len(part.seats)] if predict is by_search else []
            row.append(f"{brier(part)[0]:.4f} ± {Z * brier(part)[1]:.4f}, boldness {_bold(part)}")
        if len(row) > 1:
            rows.append(row)
    return table(("turns of a seat left", "positions", "search: Brier score", "value function alone"), rows)


def _wigs(games: Sequence[dict[str, Any]]) -> str:
    """What was predicted less what came, by players and phase: mean, and spread of the leader's margin."""
    rows = []
    for seats in (2, 3, 4):
        for low, high in PHASES:
            errors, margins, number = [], [], []
            for game in games:
                for position in game["positions"]:
                    if game["seats"] == seats and low <= position["turns_left"] / seats < high:
                        off = np.array(position["wigs"]) - np.array(sum_of(game["ledger"]))
                        errors.append(off.mean())
                        margins.append(off[position["seat"]] - np.delete(off, position["seat"]).mean())
                        number.append(game["number"])
            if len(errors) < 2:
                continue
            of = np.array(number)
            bias, error = mean(np.array(errors), of)
            own, own_error = mean(np.array(margins), of)
            rows.append(
                (seats, f"{low:g} to {high:g}", len(errors), f"{bias:+.1f} ± {Z * error:.1f}",
                 f"{own:+.1f} ± {Z * own_error:.1f}", f"{np.std(margins):.1f}")
            )  # fmt: skip
    head = ("players", "turns left", "positions", "mean of all seats", "decider's lead", "its spread")
    return "Wigs predicted less wigs that came:\n\n" + table(head, rows)


# --- picture ---------------------------------------------------------------------------------------------------------


def plot(games: Sequence[dict[str, Any]], path: Path) -> None:
    """Reliability of win shares and of wigs."""
    import matplotlib as mpl
    from matplotlib.figure import Figure

    with mpl.rc_context({"svg.fonttype": "none", "svg.hashsalt": "reliability"}):
        figure = Figure(figsize=(9, 4.2), layout="constrained")
        shares, wigs = figure.subplots(1, 2)
        rows = reliability(said(games))
        shares.plot([0, 1], [0, 1], color="black", linewidth=0.8, linestyle="--")
        shares.errorbar(
            [row[0] for row in rows],
            [row[1] for row in rows],
            [Z * row[2] for row in rows],
            fmt="o",
            markersize=4,
            capsize=2,
        )
        shares.set_xlabel("predicted win share")
        shares.set_ylabel("share of wins that came, 95 %")
        shares.set_xlim(-0.02, 1.02)
        shares.set_ylim(-0.02, 1.02)
        for seats, marker in ((2, "o"), (3, "s"), (4, "^")):
            points = [
                (said, came, game["number"])
                for game in games
                if game["seats"] == seats
                for position in game["positions"]
                for said, came in zip(position["wigs"], sum_of(game["ledger"]), strict=True)
            ]
            if points:
                x, y, number = (np.array(column) for column in zip(*points, strict=True))
                bounds = np.quantile(x, np.linspace(0, 1, 9))
                which = np.digitize(x, bounds[1:-1])
                found = [(x[which == i].mean(), *mean(y[which == i], number[which == i])) for i in range(8)]
                wigs.errorbar(
                    [row[0] for row in found], [row[1] for row in found], [Z * row[2] for row in found],
                    fmt=marker, markersize=4, capsize=2, label=f"{seats} players",
                )  # fmt: skip
        ends = wigs.get_xlim()
        wigs.plot(ends, ends, color="black", linewidth=0.8, linestyle="--")
        wigs.set_xlabel("predicted wigs of a seat, eighths")
        wigs.set_ylabel("mean final wigs, 95 %")
        wigs.legend(fontsize="small")
        figure.savefig(path, metadata={"Date": None} if path.suffix == ".svg" else None)
