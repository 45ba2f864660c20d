"""Ridge regression from sums: nothing but sums over positions is kept, so any number of games fits into memory.

What decides a game is how the seats differ, so the weights are fitted to the differences of every seat from the mean
of its position; how much all seats still get counts a little too, so that final scores are not far off.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from engine_ext.core import CATEGORIES
from engine_ext.search.searcher import VALUE_FEATURES

__all__ = ["PHASES", "Fit", "Sums", "solve", "spread", "table_of"]

PHASES: Final = (2.0, 4.0, 6.0, 8.0, 10.0, 13.0, 17.0)
"""Turns left of each seat that part one phase of the game from the next."""
ALL_SEATS: Final = 0.05
"""How much it counts what all seats still get, against how they differ."""
LEAST_SPREAD: Final = 0.3
LEAST_POSITIONS: Final = 20
"""Positions that a phase needs to say anything about the spread."""
LOGISTIC: Final = math.sqrt(3.0) / math.pi
"""Scale of a logistic distribution whose standard deviation is 1."""
DIGITS: Final = 4

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Sums:
    """Sums over positions, by phase. x: features, y: wigs still to come.

    positions; freedom: seats less one; root_turns: root of the turns left of each seat. apart_xx, apart_xy: products of
    differences from the position's mean; apart_yy: squares of those of the total. all_xx, all_xy: products as they are.
    """

    positions: Floats
    freedom: Floats
    root_turns: Floats
    apart_xx: Floats
    apart_xy: Floats
    apart_yy: Floats
    all_xx: Floats
    all_xy: Floats

    @classmethod
    def zero(cls, features: int = len(VALUE_FEATURES), categories: int = len(CATEGORIES)) -> Sums:
        phases = len(PHASES) + 1
        square, wide = (phases, features, features), (phases, features, categories)
        shapes = ((phases,),) * 3 + (square, wide, (phases,), square, wide)
        return cls(*(np.zeros(shape) for shape in shapes))

    @classmethod
    def of(cls, x: Floats, y: Floats, turns: Floats) -> Sums:
        """Of features [position, seat, feature], wigs [position, seat, category] and turns left of all seats."""
        seats = x.shape[1]
        sums = cls.zero(x.shape[2], y.shape[2])
        phase = np.searchsorted(PHASES, turns / seats, side="right")
        apart_x, apart_y = (part - part.mean(axis=1, keepdims=True) for part in (x, y))
        for here in np.unique(phase):
            rows = phase == here
            sums.positions[here] = rows.sum()
            sums.freedom[here] = rows.sum() * (seats - 1)
            sums.root_turns[here] = np.sqrt(turns[rows] / seats).sum()
            for xx, xy, part_x, part_y in (
                (sums.apart_xx, sums.apart_xy, apart_x, apart_y),
                (sums.all_xx, sums.all_xy, x, y),
            ):
                flat = part_x[rows].reshape(-1, x.shape[2])
                xx[here] = flat.T @ flat
                xy[here] = flat.T @ part_y[rows].reshape(-1, y.shape[2])
            sums.apart_yy[here] = (apart_y[rows].sum(axis=2) ** 2).sum()
        return sums

    def __add__(self, other: Sums) -> Sums:
        return Sums(*(getattr(self, one.name) + getattr(other, one.name) for one in fields(self)))


def solve(sums: Sums, ridge: float) -> Floats:
    """Weights [feature, category]. ridge: how many positions' worth of zeros every weight is drawn to 0 by."""
    xx = (sums.apart_xx + ALL_SEATS * sums.all_xx).sum(axis=0)
    xy = (sums.apart_xy + ALL_SEATS * sums.all_xy).sum(axis=0)
    size = np.sqrt(np.diag(sums.all_xx.sum(axis=0)) / max(1.0, sums.positions.sum()))
    size[size == 0.0] = 1.0
    never = np.diag(xx) == 0.0
    scaled = xx / np.outer(size, size) + np.diag(ridge + 1.0 * never)
    found: Floats = np.linalg.solve(scaled, xy / size[:, None]) / size[:, None]
    return found


def left_over(sums: Sums, weights: Floats) -> Floats:
    """By phase, the sum of squares of what the weights do not say about the differences of totals."""
    total = weights.sum(axis=1)
    left: Floats = sums.apart_yy - 2.0 * sums.apart_xy.sum(axis=2) @ total + sums.apart_xx @ total @ total
    return left


def spread(sums: Sums, weights: Floats) -> tuple[float, float]:
    """Scale of the logistic distribution of two seats' difference: a constant, and for the root of a seat's turns."""
    told = sums.positions >= LEAST_POSITIONS
    if told.sum() < 2:
        raise ValueError(f"games: {int(sums.positions.sum())} positions are too few; allowed: more games")
    scale = LOGISTIC * np.sqrt(np.maximum(0.0, 2.0 * left_over(sums, weights)[told] / sums.freedom[told]))
    root = sums.root_turns[told] / sums.positions[told]
    weight = np.sqrt(sums.positions[told])
    columns = np.stack([np.ones_like(root), root], axis=1)
    found = np.linalg.lstsq(columns * weight[:, None], scale * weight, rcond=None)[0]
    return max(LEAST_SPREAD, float(found[0])), max(LEAST_SPREAD, float(found[1]))


@dataclass(frozen=True, slots=True)
class Fit:
    """What was found for one number of seats, and how well it does on games that were held out.

    explained: by phase, the part of the differences between seats that the weights explain, None without positions;
    error: by phase, root of the mean square of what is left, in wigs. The last of each is of all phases.
    """

    weights: Floats
    spread: tuple[float, float]
    positions: tuple[int, ...]
    explained: tuple[float | None, ...]
    error: tuple[float | None, ...]

    @classmethod
    def of(cls, fitted: Sums, held_out: Sums, ridge: float) -> Fit:
        weights = np.round(solve(fitted, ridge), DIGITS)
        low, high = spread(fitted, weights)
        return cls(weights, (round(low, 3), round(high, 3)), *judged(held_out, weights))


def judged(sums: Sums, weights: Floats) -> tuple[tuple[int, ...], tuple[float | None, ...], tuple[float | None, ...]]:
    """Positions, explained part and error of some weights by phase, then of all."""
    rest = left_over(sums, weights)
    explained: list[float | None] = []
    error: list[float | None] = []
    for left, squares, freedom in zip(*map(_with_total, (rest, sums.apart_yy, sums.freedom)), strict=True):
        explained.append(float(1.0 - left / squares) if squares else None)
        error.append(math.sqrt(max(0.0, left) / freedom) if freedom else None)
    return tuple(int(n) for n in _with_total(sums.positions)), tuple(explained), tuple(error)


def _with_total(values: Floats) -> list[float]:
    return [*map(float, values), float(values.sum())]


def table_of(digest: str, fits: Mapping[int, Fit], said: Mapping[str, Any]) -> dict[str, Any]:
    """The content of a file of weights. said: how they came to be."""
    return {
        "edition": digest,
        "fitted": dict(said),
        "features": list(VALUE_FEATURES),
        "categories": list(CATEGORIES),
        "seats": {
            str(seats): {"spread": list(fit.spread), "weights": _rows(fit.weights)} for seats, fit in fits.items()
        },
    }


def _rows(weights: Floats) -> Sequence[Sequence[float]]:
    rows: Sequence[Sequence[float]] = weights.T.tolist()
    return rows
