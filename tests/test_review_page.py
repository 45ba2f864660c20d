"""``lisboa-ai review`` and its page: whole, self-contained, and safe whatever players are called."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from positions import TABLES

from lisboa_ai import notation
from lisboa_ai.analysis import SearchLimits
from lisboa_ai.bots import GreedyBot
from lisboa_ai.cli import cli
from lisboa_ai.record import GameRecord
from lisboa_ai.review import Review, collect, review
from lisboa_ai.review.data import to_data
from lisboa_ai.review.html import VOID, Html, element
from lisboa_ai.review.page import page

NAMES = ("<script>alert(1)</script>", 'Zoë & "Co" \'; [bold]')
LIMITS = SearchLimits(iterations=16, seed=3)


def record(names: tuple[str, ...] = NAMES) -> GameRecord:
    """The first 24 decisions of a game between greedy bots."""
    begun = GameRecord.new(TABLES, 2, 5, names=names)
    game, texts = begun.replay(), []
    bots = [GreedyBot(0), GreedyBot(1)]
    while len(texts) < 24:
        argument = bots[game.seat].choose(game.observe(game.seat))
        texts.append(notation.action_text(TABLES, game.kind, game.context, argument))
        game.apply(argument)
    return begun.extend(texts)


class Reader(HTMLParser):
    """Elements and text of a page; fails on one that is not closed or closed twice."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.text: list[tuple[str, str]] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag in VOID
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text.append((self.open[-1] if self.open else "", data))

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.elements if name == tag]

    def inside(self, tag: str) -> str:
        return "".join(text for where, text in self.text if where == tag)


@pytest.fixture(scope="module")
def found() -> Review:
    """With one decision made a blunder, so that every part of the page is there."""
    whole = collect(review(record(), LIMITS))
    judged = next(one for one in whole.decisions if one.verdict == "not_distinguishable")
    assert judged.loss is not None
    blunder = replace(judged, verdict="blunder", loss=replace(judged.loss, win_share=0.25, win_share_error=0.01))
    return Review(tuple(blunder if one is judged else one for one in whole.decisions), whole.summaries)


@pytest.fixture(scope="module")
def text(found: Review) -> str:
    return page(record(), LIMITS, found)


@pytest.fixture(scope="module")
def reader(text: str) -> Reader:
    return Reader(text)


def test_names_are_text_and_never_markup(reader: Reader) -> None:
    assert len(reader.all("script")) == 1
    assert "alert" not in reader.inside("script")
    assert any(NAMES[0] in text for where, text in reader.text if where != "script")
    assert any(NAMES[1] in text for _, text in reader.text)


def test_an_element_escapes_what_is_not_html() -> None:
    made = element("p", "<i>&", Html("<b>x</b>"), None, title='"<&', hidden=True, lang=None, data_x=1)
    assert made == '<p title="&quot;&lt;&amp;" hidden data-x="1">&lt;i&gt;&amp;<b>x</b></p>'
    assert element("line", x1=1) == '<line x1="1"/>'


def test_nothing_is_fetched_from_anywhere(text: str, reader: Reader) -> None:
    for _, attributes in reader.elements:
        assert not {"src", "srcset", "action", "xlink:href"} & set(attributes)
        assert not any(name.startswith("on") for name in attributes)
        assert (attributes.get("href") or "#").startswith("#")
    assert reader.all("link") == []
    assert "://" not in text
    assert "@import" not in text
    assert "url(" not in text


def test_the_policy_allows_this_script_and_this_style_only(reader: Reader) -> None:
    (policy,) = [one["content"] for one in reader.all("meta") if "http-equiv" in one]
    assert policy is not None
    for tag in ("script", "style"):
        digest = base64.b64encode(hashlib.sha256(reader.inside(tag).encode()).digest()).decode()
        assert f"{tag}-src 'sha256-{digest}'" in policy
    assert policy.startswith("default-src 'none';")
    assert not any("style" in attributes for _, attributes in reader.elements)


def test_every_link_leads_to_a_decision_and_every_decision_is_there(reader: Reader, found: Review) -> None:
    ids = [str(attributes["id"]) for _, attributes in reader.elements if "id" in attributes]
    assert len(ids) == len(set(ids))
    assert [one for one in ids if re.fullmatch(r"d\d+", one)] == [f"d{one.index}" for one in found.decisions]
    links = {str(one["href"])[1:] for one in reader.all("a")}
    assert links == {f"d{one.index}" for one in found.costliest()} != set()
    assert links <= set(ids)


def test_every_decision_shows_board_played_and_best(reader: Reader, found: Review) -> None:
    assert len(reader.all("pre")) == len(found.decisions)
    said = "".join(text for _, text in reader.text)
    for one in found.decisions:
        assert one.played.description in said
        if one.best is not None:
            assert one.best.description in said
    assert "turn 1: Player 1" in reader.inside("pre")


def test_the_graph_has_a_line_for_each_seat_through_every_point(reader: Reader, found: Review) -> None:
    (first, second) = [one["points"] for one in reader.all("polyline")]
    assert first is not None
    assert second is not None
    ups, downs = ([float(point.split(",")[1]) for point in line.split()] for line in (first, second))
    assert len(ups) == sum(one.worth is not None for one in found.decisions) + 1
    # two shares add up to 1, so the lines mirror each other; the last point is each seat's own evaluation
    top_and_bottom = 14 + (330 - 40)
    assert [up + down for up, down in zip(ups[:-1], downs[:-1], strict=True)] == pytest.approx(
        [top_and_bottom] * (len(ups) - 1), abs=0.11
    )
    (graph,) = [one for one in reader.all("svg") if one.get("id") == "graph"]
    points = json.loads(str(graph["data-points"]))
    assert [point[0] for point in points] == [
        *(one.index for one in found.decisions if one.worth is not None), len(found.decisions)
    ]  # fmt: skip


def test_it_is_fit_for_phones_keyboards_and_both_schemes(reader: Reader) -> None:
    metas = {one.get("name"): one.get("content") for one in reader.all("meta")}
    assert metas["viewport"] == "width=device-width, initial-scale=1"
    assert metas["color-scheme"] == "light dark"
    assert reader.all("html") == [{"lang": "en"}]
    for _, attributes in reader.elements:
        if attributes.get("class") == "scroll":
            assert attributes["tabindex"] == "0"
            assert attributes["aria-label"]
    assert len(reader.all("summary")) == len(reader.all("details"))


def test_a_page_of_an_observers_record_says_whose_it_is() -> None:
    own = record(("Ana", "Rui")).observe(1)
    text = page(own, LIMITS, collect(review(own, LIMITS)))
    assert "as player 2 (Rui) saw it" in text
    assert "rivals' decisions are not judged from outside" in text
    Reader(text)


def test_the_same_review_gives_the_same_data_and_page(text: str, found: Review) -> None:
    assert page(record(), LIMITS, found) == text
    data = json.loads(json.dumps(to_data(record(), LIMITS, found)))
    assert data["format"] == "lisboa-review-1"
    assert data["limits"] == {"iterations": 16, "time": None, "threads": 1, "seed": 3}
    assert [one["played"]["text"] for one in data["decisions"]] == [one.text for one in record().actions]
    assert [one["name"] for one in data["summaries"]] == list(NAMES)


# --- the command ------------------------------------------------------------------------------------------------------


def run(*args: str, code: int = 0) -> Result:
    result = CliRunner().invoke(cli, ("review", *args), prog_name="lisboa-ai")
    assert result.exit_code == code, result.output
    return result


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "game.json"
    path.write_text(replace(record(), actions=record().actions[:6]).to_json())
    return str(path)


def test_help_has_an_example() -> None:
    assert "Example: lisboa-ai review" in " ".join(run("--help").stdout.split())


def test_the_command_writes_a_summary_json_and_a_page(file: str, tmp_path: Path) -> None:
    out, html = tmp_path / "review.json", tmp_path / "review.html"
    said = run(file, "--iterations", "16", "--seed", "3", "--json", str(out), "--html", str(html))
    for text in ("How well each player decided", "accuracy", "own losses", "luck", "expected wigs", "[bold]"):
        assert text in said.stdout
    data = json.loads(out.read_text())
    assert [one["index"] for one in data["decisions"]] == list(range(6))
    assert data["limits"]["seed"] == 3
    again = run(file, "--iterations", "16", "--seed", "3", "--json", str(out), "--executor", "processes:1")
    assert again.stdout == said.stdout
    assert json.loads(out.read_text()) == data
    Reader(html.read_text())


@pytest.mark.parametrize(
    "args, message",
    [
        (("--iterations", "0"), "iterations: 0; allowed: 1 or more"),
        (("--time", "-1"), "time: -1.0 seconds; allowed: 0 to 86400"),
        (("--executor", "cloud"), "executor: 'cloud'; allowed: local, processes:N, dask://HOST:PORT"),
        (("--html", "nowhere/x.html"), "html: nowhere/x.html; allowed: a file in a folder that is there"),
        (("--json", "nowhere/x.json"), "json: nowhere/x.json; allowed: a file in a folder that is there"),
    ],
)
def test_one_clear_line_for_what_cannot_be(file: str, args: tuple[str, ...], message: str) -> None:
    assert run(file, *args, code=2).stderr == f"Error: {message}\n"


def test_a_position_has_no_decisions_to_review(tmp_path: Path) -> None:
    path = tmp_path / "position.json"
    path.write_text(record().position(0).to_json())
    assert "is a position; allowed: a record" in run(str(path), code=2).stderr
