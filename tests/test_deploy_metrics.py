"""Dashboard, rules and autoscaler ask for nothing but series that a server exports, and every alert is tested."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml
from prometheus_client import generate_latest
from prometheus_client.parser import text_string_to_metric_families

from tests.serving import FakeSearch, serving

ROOT = Path(__file__).resolve().parent.parent
DEPLOY = ROOT / "deploy"
OF_TARGETS = {"job", "instance", "namespace", "pod"}
"""Labels that Prometheus itself adds to what it scrapes."""
OF_PROMETHEUS = {"up"}
FREE = {"engine"}
"""Labels whose values depend on how the package was built."""
WORDS = {"and", "or", "unless", "bool", "offset", "group_left", "group_right"}
GROUPING = re.compile(r"\b(?:by|without|on|ignoring)\s*\(([^)]*)\)")
SELECTOR = re.compile(r"(?<![\w.:$])([a-zA-Z_:][\w:]*)\b(?!\s*\()(?:\{([^}]*)\})?")
MATCHER = re.compile(r'(\w+)\s*(=~|!~|!=|=)\s*"([^"]*)"')


def read(path: str) -> Any:
    return yaml.safe_load((DEPLOY / path).read_text(encoding="utf-8"))


@cache
def exported() -> dict[str, list[dict[str, str]]]:
    """The labels of every series of a fresh server, by the series' name."""

    async def page() -> str:
        async with serving(FakeSearch(), reflection=True, metrics_port=None) as server:
            return generate_latest(server.metrics.registry).decode()

    found: dict[str, list[dict[str, str]]] = {}
    for family in text_string_to_metric_families(asyncio.run(page())):
        for sample in family.samples:
            if sample.name.endswith("_created"):
                continue  # switched off where the process is the server's own
            found.setdefault(sample.name, []).append(sample.labels)
    return found


def recorded() -> dict[str, str]:
    """The expressions of the series that rules record, by name."""
    return {rule["record"]: rule["expr"] for group in read("prometheus/rules.yml")["groups"] for rule in group["rules"]}


def expressions() -> Iterator[tuple[str, str]]:
    """Every expression with where it stands."""
    yield from recorded().items()
    for group in read("prometheus/alerts.yml")["groups"]:
        for rule in group["rules"]:
            yield rule["alert"], rule["expr"]
    for panel in dashboard()["panels"]:
        for target in panel.get("targets", ()):
            yield f"panel {panel['title']}", target["expr"]


def dashboard() -> Any:
    return json.loads((DEPLOY / "grafana" / "lisboa-ai.json").read_text(encoding="utf-8"))


def problems(text: str) -> list[str]:
    """What an expression asks for and no server has: names, labels, values of labels, labels it groups by."""
    found = []
    selected: set[str] = set(OF_TARGETS)
    bare = re.sub(r"\[[^\]]*\]", "", GROUPING.sub("", text))
    for name, matchers in SELECTOR.findall(bare):
        if name in WORDS or name in OF_PROMETHEUS or name in recorded():
            continue
        series = exported().get(name)
        if series is None:
            found.append(f"{name}: no such series")
            continue
        selected |= {label for labels in series for label in labels}
        if not any(_matches(labels, matchers) for labels in series):
            found.append(f"{name}{{{matchers}}}: selects nothing")
    for listed in GROUPING.findall(text):
        unknown = {label.strip() for label in listed.split(",")} - selected
        found += [f"{label}: no such label" for label in sorted(unknown)]
    return found


def _matches(labels: dict[str, str], matchers: str) -> bool:
    for label, how, value in MATCHER.findall(matchers):
        if label in OF_TARGETS or (label in FREE and label in labels):
            continue
        if label not in labels:
            return False
        same = labels[label] == value if how in ("=", "!=") else re.fullmatch(value, labels[label]) is not None
        if same != (how in ("=", "=~")):
            return False
    return True


@pytest.mark.parametrize("where, text", list(expressions()))
def test_an_expression_asks_for_series_that_a_server_exports(where: str, text: str) -> None:
    assert problems(text) == []


@pytest.mark.parametrize(
    "text, says",
    [
        ("rate(lisboa_searches_total[5m])", "lisboa_searches_total: no such series"),
        (
            'lisboa_search_rejected_total{reason="full"}',
            'lisboa_search_rejected_total{reason="full"}: selects nothing',
        ),
        (
            'lisboa_search_rejected_total{cause=~".*"}',
            'lisboa_search_rejected_total{cause=~".*"}: selects nothing',
        ),
        ("sum by (job, method) (rate(lisboa_search_rejected_total[5m]))", "method: no such label"),
    ],
)
def test_an_expression_that_asks_for_something_else_would_be_noticed(text: str, says: str) -> None:
    assert problems(text) == [says]


def test_every_alternative_of_a_matcher_is_a_value_that_there_is() -> None:
    """A regular expression such as a|b would select something although b is misspelt."""
    for where, text in expressions():
        for name, matchers in SELECTOR.findall(text):
            for label, how, value in MATCHER.findall(matchers):
                if how == "=~" and label not in OF_TARGETS:
                    for one in value.split("|"):
                        there = {labels[label] for labels in exported()[name]}
                        assert any(re.fullmatch(one, known) for known in there), (where, label, one)


def test_every_series_of_our_own_is_on_the_dashboard() -> None:
    shown = " ".join(target["expr"] for panel in dashboard()["panels"] for target in panel.get("targets", ()))
    ours = {re.sub("_(total|bucket|sum|count)$", "", name) for name in exported() if name.startswith("lisboa_")}
    assert [name for name in sorted(ours) if not re.search(rf"\b{name}(_total|_bucket|_sum|_count)?\b", shown)] == []


def test_panels_say_what_they_show_and_do_not_lie_on_each_other() -> None:
    panels = dashboard()["panels"]
    assert len({panel["id"] for panel in panels}) == len(panels)
    taken: set[tuple[int, int]] = set()
    for panel in panels:
        place = panel["gridPos"]
        cells = {(place["x"] + x, place["y"] + y) for x in range(place["w"]) for y in range(place["h"])}
        assert not cells & taken, panel["title"]
        assert max(x for x, _ in cells) < 24
        taken |= cells
        if panel["type"] != "row":
            assert panel["description"]
            assert panel["fieldConfig"]["defaults"]["unit"]


def test_every_alert_is_seen_firing_and_has_a_page_to_read() -> None:
    headings = re.findall("^#+ (.*)$", (ROOT / "docs" / "operations.md").read_text(encoding="utf-8"), re.MULTILINE)
    anchors = {heading.lower().replace(" ", "-") for heading in headings}
    tests = [one for case in read("prometheus/alerts_test.yml")["tests"] for one in case.get("alert_rule_test", ())]
    for rule in read("prometheus/alerts.yml")["groups"][0]["rules"]:
        expected = [bool(one["exp_alerts"]) for one in tests if one["alertname"] == rule["alert"]]
        assert any(expected), rule["alert"]
        page, _, anchor = rule["annotations"]["runbook"].partition("#")
        assert (page, anchor in anchors) == ("docs/operations.md", True), rule["alert"]
        assert rule["labels"]["severity"] in ("page", "ticket")


def test_the_autoscaler_asks_for_figures_that_rules_record_and_the_adapter_offers() -> None:
    offered = {}
    for rule in read("prometheus/adapter.yml")["rules"]:
        offered[rule["name"]["as"]] = rule["seriesQuery"].partition("{")[0]
    scaler = read("kubernetes/autoscaler.yaml")
    asked = [metric["pods"]["metric"]["name"] for metric in scaler["spec"]["metrics"]]
    assert set(asked) == set(offered)
    assert set(offered.values()) <= set(recorded())


def test_scraped_pods_have_the_labels_that_rules_and_autoscaler_group_by() -> None:
    (job,) = read("prometheus/scrape_pods.yml")["scrape_configs"]
    assert job["job_name"] == "lisboa-ai"
    added = {rule["target_label"] for rule in job["relabel_configs"] if "target_label" in rule}
    assert added | {"job", "instance"} == OF_TARGETS
