"""What the checks of operation share: programs run to their end, and the service on the build that users run."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from bench.served import Served

ROOT = Path(__file__).resolve().parent.parent.parent
DEPLOY = ROOT / "deploy"
PACKAGES = {"promtool": "prometheus", "h2load": "nghttp2-client", "node": "nodejs", "npm": "npm"}


def program(name: str) -> str:
    """The path of a program of the system; the test fails if it is not there."""
    found = shutil.which(name)
    if found is None:
        pytest.fail(f"{name} is not there: apt-get install --no-install-recommends {PACKAGES.get(name, name)}")
    return found


def ran(*command: str, given: str | None = None, seconds: float = 120, where: Path = ROOT) -> str:
    """What a program wrote, both streams together; the test fails with it if the program does."""
    done = subprocess.run(
        [program(command[0]), *command[1:]],
        input=given,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=seconds,
        cwd=where,
    )
    assert done.returncode == 0, f"{' '.join(command)}\n{done.stdout}"
    return done.stdout


def handled(server: Served, method: str) -> Counter[str]:
    """Ended calls of a method by code, as the metrics page counts them; zeros left out."""
    found: Counter[str] = Counter()
    for labels, value in _samples(server.metrics(), "grpc_server_handled_total"):
        if labels["grpc_method"] == method and float(value):
            found[labels["grpc_code"]] += int(float(value))
    return found


def _samples(page: str, name: str) -> Iterator[tuple[dict[str, str], str]]:
    for labels, value in re.findall(rf"^{name}\{{(.*)\}} (\S+)$", page, re.MULTILINE):
        yield dict(re.findall(r'(\w+)="([^"]*)"', labels)), value
