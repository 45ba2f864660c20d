"""Linters on the image and on the Kubernetes objects, and what they would say of a mistake."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.ops.running import DEPLOY

OBJECTS = sorted(path for path in (DEPLOY / "kubernetes").glob("*.yaml") if path.name != "kustomization.yaml")


def linted(name: str, *arguments: str) -> tuple[int, str]:
    """Exit code and words of a linter of the virtual environment."""
    linter = Path(sys.executable).parent / name
    if not linter.exists():
        pytest.fail(f"{name} is not there: pip install 'lisboa-ai[ops]'")
    done = subprocess.run(
        [linter, *arguments], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=120
    )
    return done.returncode, done.stdout


def test_hadolint_has_no_complaints_about_the_image() -> None:
    assert linted("hadolint", "--no-color", str(DEPLOY / "Dockerfile")) == (0, "")


def test_hadolint_would_notice_a_root_user_and_the_shell_form(tmp_path: Path) -> None:
    text = (DEPLOY / "Dockerfile").read_text(encoding="utf-8")
    spoilt = text.replace("USER 10001:10001", "USER root").replace('["lisboa-ai", "serve"]', "lisboa-ai serve")
    (tmp_path / "Dockerfile").write_text(spoilt, encoding="utf-8")
    code, said = linted("hadolint", "--no-color", str(tmp_path / "Dockerfile"))
    assert code == 1
    assert "DL3002" in said
    assert "DL3025" in said


@pytest.mark.parametrize("path", OBJECTS, ids=lambda path: path.stem)
def test_an_object_is_what_kubernetes_knows(path: Path) -> None:
    """By the schemas of Kubernetes 1.37, unknown fields being errors."""
    code, said = linted("kubernetes-validate", "--strict", "--kubernetes-version", "1.37.0", str(path))
    assert (code, "passed" in said) == (0, True), said


def test_a_misspelt_field_would_be_noticed(tmp_path: Path) -> None:
    text = (DEPLOY / "kubernetes" / "deployment.yaml").read_text(encoding="utf-8")
    (tmp_path / "deployment.yaml").write_text(text.replace("readOnlyRootFilesystem", "readOnlyRoot"), encoding="utf-8")
    code, said = linted("kubernetes-validate", "--strict", str(tmp_path / "deployment.yaml"))
    assert code == 1
    assert "'readOnlyRoot' was unexpected" in said
