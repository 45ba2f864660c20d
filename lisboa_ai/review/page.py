"""A review as one page of HTML that needs nothing else: no other file, no network, no script to be read.

The script that is there adds reading off the graph with mouse and arrow keys. A policy in the page forbids everything
that is not in it, and names of players are text, whatever they hold.
"""

from __future__ import annotations

import base64
import hashlib
import io
from collections.abc import Iterable, Sequence
from importlib import resources
from itertools import groupby
from typing import Final

from rich.console import Console

from engine_ext.core import Game

from .. import show, wire
from ..analysis import SearchLimits
from ..record import GameRecord, Moment
from .graph import graph, legend
from .html import Html, element, join
from .model import Decision, Review
from .words import (
    BALANCE,
    QUALITY,
    VERDICT_MEANINGS,
    balance_rows,
    cost_text,
    decision_title,
    luck_text,
    quality_rows,
    question,
    reasons_text,
    seat_name,
    verdict_name,
)

__all__ = ["page"]

BOARD_WIDTH: Final = 100
"""Columns in which the board fits without wrapping its words."""
COSTLIEST: Final = 15


def page(record: GameRecord, limits: SearchLimits, review: Review) -> str:
    """The whole page."""
    title = "Review of a game of Lisboa"
    script, style = _asset("page.js"), _asset("page.css")
    policy = f"default-src 'none'; style-src '{_hash(style)}'; script-src '{_hash(script)}'; base-uri 'none'"
    head = element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", http_equiv="Content-Security-Policy", content=policy),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", name="color-scheme", content="light dark"),
        element("title", title),
        element("style", Html(style)),
    )
    body = element(
        "body",
        element("header", element("h1", title), element("p", _what(record, limits))),
        element(
            "main",
            _course(record, review),
            _players(record, review),
            _costliest(record, review),
            _decisions(record, review),
            _explanation(record),
        ),
        element("script", Html(script)),
    )
    return f"<!DOCTYPE html>\n{element('html', head, body, lang='en')}\n"


def _asset(name: str) -> str:
    return (resources.files(__package__) / name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"


def _what(record: GameRecord, limits: SearchLimits) -> str:
    whose = "" if record.observer is None else f", as {seat_name(record, record.observer)} saw it"
    budget = f"{limits.iterations:,} iterations" if limits.iterations else f"{limits.time:g} s"
    players = ", ".join(seat_name(record, seat) for seat in range(record.seats))
    return f"{players}{whose}. Edition {record.tables.name}; {budget} for a decision, seed {limits.seed}."


# --- the course of the game -----------------------------------------------------------------------------------------


def _course(record: GameRecord, review: Review) -> Html:
    return element(
        "section",
        element("h2", "Win share"),
        legend(record),
        element(
            "div",
            graph(record, review),
            class_="scroll",
            role="region",
            aria_label="Graph of the win shares",
            tabindex=0,
        ),
        element("p", id="reading", class_="reading", aria_live="polite"),
        element(
            "p",
            "Each point is the evaluation by whoever was to decide, if the best action is played. Marks are the "
            "costliest decisions and lead to them.",
            class_="note",
        ),
    )


# --- players --------------------------------------------------------------------------------------------------------


def _players(record: GameRecord, review: Review) -> Html:
    titles = ["", *(seat_name(record, one.seat) for one in review.summaries)]
    return element(
        "section",
        element("h2", "Players"),
        _table(titles, quality_rows(record, review), QUALITY),
        _table(titles, balance_rows(record, review), BALANCE),
    )


def _table(titles: Sequence[str], rows: Iterable[tuple[str, Sequence[str]]], caption: str) -> Html:
    return element(
        "div",
        element(
            "table",
            element("caption", caption),
            element(
                "thead",
                element(
                    "tr", *(element("th" if title else "td", title, scope="col" if title else None) for title in titles)
                ),
            ),
            element(
                "tbody",
                *(
                    element("tr", element("th", name, scope="row"), *(element("td", cell) for cell in cells))
                    for name, cells in rows
                ),
            ),
        ),
        class_="scroll",
        role="region",
        aria_label=caption,
        tabindex=0,
    )


# --- decisions ------------------------------------------------------------------------------------------------------


def _costliest(record: GameRecord, review: Review) -> Html:
    lost = review.costliest(COSTLIEST)
    items = [
        element(
            "li",
            element("a", decision_title(record, one), href=f"#d{one.index}"),
            " ",
            _badge(one),
            element("br"),
            f"played {one.played.text}, best {one.best.text if one.best else ''}: {cost_text(one)}",
        )
        for one in lost
    ]
    return element(
        "section",
        element("h2", "Costliest decisions"),
        element("ol", *items, class_="costliest") if items else element("p", "None cost more than chance explains."),
    )


def _badge(one: Decision) -> Html:
    return element("span", verdict_name(one.verdict), class_=f"badge {one.verdict}")


def _decisions(record: GameRecord, review: Review) -> Html:
    moments = record.moments()
    turns = []
    for turn, together in groupby(review.decisions, key=lambda one: one.turn):
        inside = list(together)
        turns.append(
            element(
                "details",
                element("summary", _turn_title(record, turn, inside)),
                *(_decision(record, one, moments[one.index]) for one in inside),
                class_="turn",
            )
        )
    return element("section", element("h2", "All decisions"), *turns)


def _turn_title(record: GameRecord, turn: int, inside: Sequence[Decision]) -> Html:
    """The turn, whose it is, the card that was played, and what was lost."""
    first = next((one for one in inside if one.kind == "play_card"), inside[0])
    lost = [one for one in inside if one.verdict in ("good", "inaccuracy", "mistake", "blunder")]
    return join(
        [
            element("b", f"Turn {turn + 1}"),
            f" {seat_name(record, first.seat)}: {first.played.text}",
            *(join([" ", _badge(one)]) for one in lost),
        ]
    )


def _decision(record: GameRecord, one: Decision, moment: Moment) -> Html:
    # the anchor lies inside, so that following a link to it opens what is closed around it
    return element(
        "details",
        element("summary", seat_name(record, one.seat), ": ", element("b", one.played.text), " ", _badge(one)),
        element("div", *_said(record, one), *_numbers(one), _board(record, one, moment), id=f"d{one.index}"),
        class_="decision",
    )


def _said(record: GameRecord, one: Decision) -> Iterable[Html]:
    """What was played, what was best and why, in sentences."""
    yield element("p", f"Asked to {question(one)}, {one.legal} possible. {one.played.description}")
    if one.best is not None and one.verdict != "best":
        yield element("p", element("b", "Best: "), f"{one.best.description} ({one.best.text})")
        yield element(
            "p", element("b", "Cost: "), f"the played one {cost_text(one)} ({VERDICT_MEANINGS[one.verdict]})."
        )
    if one.reasons:
        why = "Difference, if any: " if one.verdict == "not_distinguishable" else "Why: "
        yield element("p", element("b", why), f"{reasons_text(one.reasons)} (wigs).")
    if one.line:
        line = "; ".join(text if seat == one.seat else f"[player {seat + 1}: {text}]" for seat, text in one.line)
        yield element("p", element("b", "Expected up to the end of the turn: "), line)
    if one.luck is not None:
        yield element("p", element("b", "Then turned up: "), f"{luck_text(one.luck, one.seat)} for this player.")
    if one.worth is not None:
        shares = ", ".join(
            f"{seat_name(record, seat)} {100 * share:.0f} %" for seat, share in enumerate(one.worth.win_share)
        )
        yield element("p", element("b", "Win shares: "), f"{shares}.")


def _numbers(one: Decision) -> Iterable[Html]:
    """The candidates as a table, and the categories as bars."""
    if one.reasons:
        yield _bars(one.reasons)
    if one.options:
        rows = [
            (
                option.choice.text + (" (played)" if option.choice.argument == one.played.argument else ""),
                [
                    f"{100 * option.win_share:.0f} ± {100 * wire.Z * option.win_share_error:.0f}",
                    f"{option.wigs:.1f} ± {wire.Z * option.wigs_error:.1f}",
                    f"{option.visits:,}",
                ],
            )
            for option in one.options
        ]
        yield _table(["candidate", "win share %", "final wigs", "visits"], rows, "The search for the best action")


def _bars(reasons: Sequence[tuple[str, float]]) -> Html:
    """Wigs by category, the best action less the played one."""
    most = max(abs(wigs) for _, wigs in reasons)
    rows = [
        element(
            "li",
            element("span", name.replace("_", " "), class_="category"),
            element(
                "svg",
                element(
                    "rect",
                    class_="more" if wigs > 0 else "less",
                    x=round(50 if wigs > 0 else 50 - 48 * abs(wigs) / most, 1),
                    y=1,
                    width=round(48 * abs(wigs) / most, 1),
                    height=8,
                ),
                element("line", class_="grid", x1=50, x2=50, y1=0, y2=10),
                viewBox="0 0 100 10",
                aria_hidden="true",
            ),
            element("span", f"{wigs:+.1f}".replace("-", "−"), class_="wigs"),
        )
        for name, wigs in reasons
    ]
    return element("ul", *rows, class_="bars", aria_label="Wigs by category, the best action less the played one")


def _board(record: GameRecord, one: Decision, moment: Moment) -> Html:
    """What the judging seat saw, as ``lisboa-ai show`` shows it."""
    before = moment.before
    seen = before.observe(one.observer) if isinstance(before, Game) else before
    out = io.StringIO()
    console = Console(file=out, width=BOARD_WIDTH, color_system=None, force_terminal=False, legacy_windows=False)
    console.print(show.render(seen, record.tables, names=record.names))
    text = "\n".join(line.rstrip() for line in out.getvalue().splitlines())
    return element(
        "details",
        element("summary", f"Board, as {seat_name(record, one.observer)} saw it"),
        element("pre", text, tabindex=0),
        class_="board",
    )


def _explanation(record: GameRecord) -> Html:
    verdicts = [
        join([element("dt", verdict_name(verdict)), element("dd", meaning)])
        for verdict, meaning in VERDICT_MEANINGS.items()
        if (verdict == "not_judged") <= (record.observer is not None)
    ]
    rivals = (
        "what rivals' losses gave."
        if record.observer is None
        else "nothing here, since rivals' decisions are not judged from outside."
    )
    return element(
        "section",
        element("h2", "What this means"),
        element("dl", *verdicts),
        element(
            "p",
            "Every decision is judged from what its player could know. Win share is the part of games that a player "
            "would win from there; the shares of all players add up to 100 %. After ± stands half of a 95 % interval, "
            "so of 40 decisions that cost nothing about one is called a loss all the same.",
        ),
        element(
            "p",
            "Accuracy is the mean over the judged decisions of 100 less ten for every point of win share lost, never "
            "below 0; a loss that may be chance counts as none.",
        ),
        element(
            "p",
            "Luck is the evaluation after something was revealed (cards, decrees, tiles turned up) less the mean "
            "evaluation of what could have been revealed instead; over all players it adds up to nothing. From rivals: "
            f"{rivals} Rest: rivals' hidden hands, and what the searches did not foresee.",
        ),
    )
