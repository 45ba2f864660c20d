"""Long measurements in pieces: each finished piece is a line of a log, so that a run that was stopped goes on.

A log belongs to a measurement, its settings and the bench signature: after a change of the engine or the search a new
one is begun. It lies in ``build/NAME/``, and its first line says what it is of.
"""

from __future__ import annotations

import json
import multiprocessing
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import ExitStack
from functools import partial
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final

from bench.calibrate import open_log, read_log
from lisboa_ai import signature

__all__ = ["FOLDER", "done", "of_file"]

FOLDER: Final = Path(__file__).resolve().parent.parent / "build"

Work = Callable[[int, dict[str, Any]], dict[str, Any]]


def path_of(name: str, settings: dict[str, Any], folder: Path = FOLDER) -> Path:
    """Where the log of these settings lies."""
    key = json.dumps([settings, str(signature.expected())], sort_keys=True)
    return folder / name / f"{blake2b(key.encode(), digest_size=6).hexdigest()}.jsonl"


def of_file(path: str) -> dict[str, str]:
    """What settings say of a file that a measurement uses: another content is another measurement."""
    return {"content": blake2b(Path(path).read_bytes(), digest_size=6).hexdigest()} if path else {}


def done(
    name: str, settings: dict[str, Any], work: Work, numbers: Sequence[int], jobs: int = 1, folder: Path = FOLDER
) -> list[dict[str, Any]]:
    """What ``work(number, settings)`` found for every number, in their order; what the log lacks is done first.

    ``jobs``: processes. What they find must not depend on which of them does what.
    """
    path = path_of(name, settings, folder)
    found = {line["number"]: line for line in read_log(path)[1:]}
    missing = [number for number in numbers if number not in found]
    with ExitStack() as stack:
        log = stack.enter_context(open_log(path))
        if log.tell() == 0:
            log.write(json.dumps({"settings": settings, "signature": str(signature.expected())}).encode() + b"\n")
        if jobs == 1:
            results = map(partial(work, settings=settings), missing)
        else:
            pool = ProcessPoolExecutor(jobs, mp_context=multiprocessing.get_context("spawn"))
            stack.callback(pool.shutdown, cancel_futures=True)
            waiting = [pool.submit(work, number, settings) for number in missing]
            results = (one.result() for one in as_completed(waiting))
        for result in results:
            log.write(json.dumps(result, separators=(",", ":")).encode() + b"\n")
            log.flush()
            found[result["number"]] = result
    return [found[number] for number in numbers]
