"""Puts the checked build of the engine first on the path, for the tests and for the programs that they start."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
CHECKED = ROOT / "build" / "checked"


def _use_checked_build() -> None:
    if not (CHECKED / "engine_ext" / "__init__.py").is_file():
        raise pytest.UsageError("the checked build is not there: run `make checked`, or set LISBOA_RELEASE=1")
    if "engine_ext" in sys.modules:
        raise pytest.UsageError("engine_ext was imported before the checked build was put on the path")
    sys.path.insert(0, str(CHECKED))
    # A started python looks in its working folder before PYTHONPATH, and would find the release build there.
    os.environ["PYTHONPATH"] = os.pathsep.join([str(CHECKED), str(ROOT)])
    os.environ["PYTHONSAFEPATH"] = "1"


if os.environ.get("LISBOA_RELEASE", "0") != "1":
    _use_checked_build()
