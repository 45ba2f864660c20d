"""Prometheus' own tool on what the service exports, and on the rules that are made from it."""

from __future__ import annotations

from pathlib import Path

import grpc
import pytest
import yaml

from bench.load.calls import CALLS
from bench.served import served
from lisboa_ai.analysis import SearchLimits
from tests.ops.running import DEPLOY, ran

RULES = DEPLOY / "prometheus"


def test_the_metrics_page_of_a_server_that_answered_calls_has_no_complaints() -> None:
    limits = SearchLimits(iterations=20, seed=1)
    with served("--workers", "2", "--reflection") as server:
        with grpc.insecure_channel(server.address) as channel:
            for name in ("advise", "evaluate", "legal", "health"):
                channel.unary_unary(CALLS[name].path)(CALLS[name].request(0, limits), timeout=30)
            with pytest.raises(grpc.RpcError):
                channel.unary_unary(CALLS["advise"].path)(b"\xff", timeout=30)
        page = server.metrics()
    assert 'grpc_code="InvalidArgument"' in page
    assert ran("promtool", "check", "metrics", given=page) == ""


def test_the_rules_are_sound_and_an_example_configuration_loads_them() -> None:
    assert "SUCCESS: 11 rules found" in ran("promtool", "check", "rules", "--lint=all", str(RULES / "alerts.yml"))
    assert "SUCCESS: 3 rules found" in ran("promtool", "check", "rules", "--lint=all", str(RULES / "rules.yml"))
    ran("promtool", "check", "config", str(RULES / "prometheus.yml"))


def test_every_alert_fires_when_it_should_and_only_then() -> None:
    assert "SUCCESS" in ran("promtool", "test", "rules", str(RULES / "alerts_test.yml"))


def test_the_tests_notice_an_alert_that_has_fallen_silent(tmp_path: Path) -> None:
    alerts = yaml.safe_load((RULES / "alerts.yml").read_text(encoding="utf-8"))
    for name in ("rules.yml", "alerts_test.yml"):
        (tmp_path / name).write_text((RULES / name).read_text(encoding="utf-8"), encoding="utf-8")
    for rule in alerts["groups"][0]["rules"]:
        before, rule["expr"] = rule["expr"], "vector(1) > 2"
        (tmp_path / "alerts.yml").write_text(yaml.safe_dump(alerts), encoding="utf-8")
        with pytest.raises(AssertionError, match=rule["alert"]):
            ran("promtool", "test", "rules", str(tmp_path / "alerts_test.yml"))
        rule["expr"] = before
