"""What is running: versions, and what it was built from."""

from __future__ import annotations

import json
import platform
from dataclasses import dataclass
from importlib import metadata

from engine_ext.bench import play_games
from lisboa_ai import __version__
from lisboa_ai.wire import ENGINE_BUILD

__all__ = ["Build", "build"]


@dataclass(frozen=True, slots=True)
class Build:
    """Versions of the package, of Python, and of the Cython that translated the engine; the engine's build, release or
    checked; the commit, if the package was installed from a repository, else ``unknown``."""

    version: str
    python: str
    cython: str
    engine: str
    git: str


def build() -> Build:
    """What is running."""
    return Build(__version__, platform.python_version(), _cython(), ENGINE_BUILD, _commit())


def _cython() -> str:
    # Functions that Cython compiled are of a type in a module named after its version: _cython_3_3_1.
    module = type(play_games).__module__
    return module.removeprefix("_cython_").replace("_", ".") if module.startswith("_cython_") else "unknown"


def _commit() -> str:
    """What pip noted down when it installed from a repository (PEP 610)."""
    try:
        noted = metadata.distribution("lisboa-ai").read_text("direct_url.json")
    except metadata.PackageNotFoundError:
        return "unknown"
    commit = json.loads(noted or "{}").get("vcs_info", {}).get("commit_id", "unknown")
    return str(commit)
