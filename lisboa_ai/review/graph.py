"""The win shares of all seats over a game, as a picture."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Final

from ..record import GameRecord
from .html import Html, element, join
from .model import Decision, Review
from .words import decision_title, seat_name, verdict_name

__all__ = ["graph", "legend"]

WIDTH: Final = 960
HEIGHT: Final = 330
LEFT: Final = 48
RIGHT: Final = 14
TOP: Final = 14
BOTTOM: Final = 40
MARKED: Final = 30
"""Decisions with a mark of their own, at most."""
LABELS: Final = 12
"""Turns named below the graph, about."""

Point = tuple[int, Sequence[float]]
Across = Callable[[float], float]


def graph(record: GameRecord, review: Review) -> Html:
    """The picture: a line for each seat, marks that lead to the costliest decisions, and the points for the script."""
    points = _points(review)
    last = max(len(review.decisions), 1)

    def x(index: float) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * index / last

    return element(
        "svg",
        element("title", "Win share of every player after every decision"),
        _grid(),
        _turns(review.decisions, x),
        *(_line(points, seat, x) for seat in range(record.seats)),
        element("line", class_="cursor", x1=LEFT, x2=LEFT, y1=TOP, y2=HEIGHT - BOTTOM, visibility="hidden"),
        *(_mark(record, one, x) for one in review.costliest(MARKED)),
        id="graph",
        viewBox=f"0 0 {WIDTH} {HEIGHT}",
        role="group",
        aria_label="Win share of every player after every decision",
        data_points=json.dumps([[index, *(round(100 * share) for share in shares)] for index, shares in points]),
        data_last=last,
        data_area=f"{LEFT} {WIDTH - RIGHT}",
    )


def legend(record: GameRecord) -> Html:
    """Which line is whose."""
    return element(
        "ul",
        *(
            element(
                "li",
                element(
                    "svg",
                    element("line", class_=f"share seat{seat}", x1=1, x2=35, y1=6, y2=6),
                    viewBox="0 0 36 12",
                    aria_hidden="true",
                ),
                " ",
                seat_name(record, seat),
            )
            for seat in range(record.seats)
        ),
        class_="legend",
    )


def _points(review: Review) -> list[Point]:
    """The win shares at every decision that was searched, and at the end (of an unfinished game by each itself)."""
    points: list[Point] = [(one.index, one.worth.win_share) for one in review.decisions if one.worth is not None]
    return [*points, (len(review.decisions), [one.final for one in review.summaries])]


def _y(share: float) -> float:
    return TOP + (HEIGHT - TOP - BOTTOM) * (1.0 - share)


def _grid() -> Html:
    rows = []
    for percent in (0, 25, 50, 75, 100):
        y = round(_y(percent / 100), 1)
        rows.append(element("line", class_="grid", x1=LEFT, x2=WIDTH - RIGHT, y1=y, y2=y))
        rows.append(element("text", f"{percent} %", x=LEFT - 6, y=y + 4, text_anchor="end"))
    return join(rows)


def _turns(decisions: Sequence[Decision], x: Across) -> Html:
    """Where turns begin, every few of them, and where the second period does."""
    firsts: dict[int, Decision] = {}
    for one in decisions:
        firsts.setdefault(one.turn, one)
    step = max(1, -(-len(firsts) // LABELS))
    marks = []
    for turn, one in firsts.items():
        at = round(x(one.index), 1)
        if turn % step == 0:
            marks.append(element("text", turn + 1, x=at, y=HEIGHT - BOTTOM + 16, text_anchor="middle"))
        if one.period and not firsts.get(turn - 1, one).period:
            marks.append(element("line", class_="period", x1=at, x2=at, y1=TOP, y2=HEIGHT - BOTTOM))
            marks.append(element("text", "period 2", x=at, y=HEIGHT - 6, text_anchor="middle"))
    marks.append(element("text", "turn", x=LEFT, y=HEIGHT - 6, text_anchor="middle"))
    return join(marks)


def _line(points: Sequence[Point], seat: int, x: Across) -> Html:
    return element(
        "polyline",
        class_=f"share seat{seat}",
        points=" ".join(f"{x(index):.1f},{_y(shares[seat]):.1f}" for index, shares in points),
    )


def _mark(record: GameRecord, decision: Decision, x: Across) -> Html:
    """A link to a costly decision, on the line of the seat that took it."""
    assert decision.worth is not None
    said = f"{decision_title(record, decision)}: {verdict_name(decision.verdict)}"
    return element(
        "a",
        element(
            "circle",
            element("title", said),
            class_=f"mark {decision.verdict}",
            cx=round(x(decision.index), 1),
            cy=round(_y(decision.worth.win_share[decision.seat]), 1),
            r=5,
        ),
        href=f"#d{decision.index}",
        aria_label=said,
    )
