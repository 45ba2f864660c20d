"""Ask a running service for advice: start one with ``make serve``, then run ``python examples/client.py``."""

from __future__ import annotations

import math
import sys

from lisboa_ai.analysis import SearchLimits
from lisboa_ai.client import Client, ServiceError


def main(target: str = "127.0.0.1:50051") -> None:
    """Set up a game for three, and print what the first seat to decide should do."""
    with Client(target) as client:
        record = client.new_game(seats=3, seed=7)
        decision = client.legal_actions(record)
        found = client.advise(record, seat=decision.seat, limits=SearchLimits(time=1.0, seed=1))
        texts = {action.argument: action.description for action in decision.actions}
        for candidate in found.candidates:
            share = candidate.win_share[found.seat]
            # what sampling leaves open, and what the search is off by besides (docs/honesty.md)
            error = math.hypot(candidate.win_share_error[found.seat], candidate.model_error.win_share)
            print(f"{share:.0%} ± {2 * error:.0%}  {texts[candidate.actions[0]]}")


if __name__ == "__main__":
    try:
        main(*sys.argv[1:2])
    except ServiceError as problem:
        sys.exit(f"{problem} (start a service with: make serve)")
