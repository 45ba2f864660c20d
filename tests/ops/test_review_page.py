"""The page of a review in a real browser: Chromium without a window, on the page's own script, style and policy."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from PIL import Image

from lisboa_ai import edition, notation
from lisboa_ai.analysis import SearchLimits
from lisboa_ai.bots import GreedyBot
from lisboa_ai.record import GameRecord
from lisboa_ai.review import collect, review
from lisboa_ai.review.page import page

NAMES = ("<script>document.title='broken'</script>", "<img src=x onerror=\"document.title='broken'\">")
TITLE = "Review of a game of Lisboa"
PROBE = """
const region = document.querySelector('.scroll'), reading = document.getElementById('reading');
region.focus();
const press = (key) => region.dispatchEvent(new KeyboardEvent('keydown', {key, cancelable: true}));
for (let i = 0; i < 3; i++) press('ArrowRight');
const read = reading.textContent;
press('Enter');
const opened = document.querySelector('details.decision[open] > summary');
document.title = JSON.stringify({
  read, opened: opened && opened.textContent, focused: document.activeElement === opened,
  overflow: document.documentElement.scrollWidth - innerWidth,
});
"""
"""Reads off the graph with the keyboard, opens what was found, and says how much wider than the window the page is."""

Browser = Callable[..., str]


@pytest.fixture(scope="module")
def chromium() -> str:
    found = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if found is None:
        pytest.fail("chromium is not there: apt-get install --no-install-recommends chromium")
    return found


@pytest.fixture(scope="module")
def text() -> str:
    """The page of the first 30 decisions of a game."""
    begun = GameRecord.new(edition.load("house"), 2, 5, names=NAMES)
    game, texts = begun.replay(), []
    bots = [GreedyBot(0), GreedyBot(1)]
    while len(texts) < 30:
        argument = bots[game.seat].choose(game.observe(game.seat))
        texts.append(notation.action_text(begun.tables, game.kind, game.context, argument))
        game.apply(argument)
    record, limits = begun.extend(texts), SearchLimits(iterations=40, seed=1)
    return page(record, limits, collect(review(record, limits)))


@pytest.fixture
def browse(chromium: str, tmp_path: Path) -> Browser:
    """Open a file of ``tmp_path`` and return the document as the browser then has it; its console stays empty."""

    def run(where: str, *options: str) -> str:
        sandbox = ["--no-sandbox"] if os.geteuid() == 0 else []
        done = subprocess.run(
            [
                chromium,
                "--headless",
                "--disable-gpu",
                "--hide-scrollbars",
                "--enable-logging=stderr",
                f"--user-data-dir={tmp_path / 'profile'}",
                *sandbox,
                *(options or ("--dump-dom",)),
                f"file://{tmp_path}/{where}",
            ],
            capture_output=True,
            text=True,
            timeout=120,
            check=True,
        )
        assert not [line for line in done.stderr.splitlines() if "CONSOLE" in line]
        return done.stdout

    return run


def title(document: str) -> str:
    found = re.search(r"<title>(.*?)</title>", document, re.DOTALL)
    assert found is not None
    return found[1]


def test_its_own_script_and_style_run_and_names_do_not(text: str, browse: Browser, tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text(text, encoding="utf-8")
    document = browse("page.html")
    assert title(document) == TITLE
    assert "arrow keys read it off" in document
    assert not re.search(r"<details[^>]*open", document)


def test_a_link_to_a_decision_opens_it(text: str, browse: Browser, tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text(text, encoding="utf-8")
    document = browse("page.html#d7")
    assert len(re.findall(r'<details class="turn" open="">', document)) == 1
    assert re.search(
        r'<details class="decision" open=""><summary>(?:(?!</?details).)*<div id="d7">', document, re.DOTALL
    )


def probed(text: str) -> str:
    """The page with a probe in it, which its policy would forbid."""
    without = re.sub(r'<meta http-equiv="Content-Security-Policy"[^>]*>', "", text)
    assert without != text
    return without.replace("</body>", f"<script>{PROBE}</script></body>")


@pytest.mark.parametrize("width", [360, 1200])
def test_keys_read_the_graph_and_no_width_is_exceeded(text: str, browse: Browser, tmp_path: Path, width: int) -> None:
    (tmp_path / "page.html").write_text(probed(text), encoding="utf-8")
    frame = f'<iframe src="page.html" style="width:{width}px;height:800px"></iframe>'
    script = "onload = () => { document.title = frames[0].document.title; }"
    (tmp_path / "frame.html").write_text(f"<title></title>{frame}<script>{script}</script>", encoding="utf-8")
    said = title(browse("frame.html", "--allow-file-access-from-files", "--dump-dom"))
    assert '"overflow":0' in said
    assert '"focused":true' in said
    assert re.search(r'"read":"player 1 .* \d+ %, player 2 .* \d+ % – player \d', said)


@pytest.mark.parametrize("scheme, dark", [("1", False), ("0", True)])
def test_it_is_drawn_in_light_and_dark(text: str, browse: Browser, tmp_path: Path, scheme: str, dark: bool) -> None:
    """The ground takes the scheme's colour, and the lines of both players are on it."""
    (tmp_path / "page.html").write_text(text, encoding="utf-8")
    shot = tmp_path / "shot.png"
    browse(
        "page.html", f"--blink-settings=preferredColorScheme={scheme}", "--window-size=1000,800", f"--screenshot={shot}"
    )
    with Image.open(shot) as picture:
        colours = {colour for _, colour in picture.convert("RGB").getcolors(1 << 24)}
        ground = picture.convert("RGB").getpixel((2, 2))
    lines = {(0x4F, 0xD0, 0xE0), (0xF0, 0x8B, 0xDC)} if dark else {(0x0A, 0x76, 0x85), (0xA8, 0x28, 0x8F)}
    assert ground == ((0x18, 0x17, 0x14) if dark else (0xFD, 0xFC, 0xF9))
    assert lines <= colours
