"""How far off a search's numbers are beyond what more iterations would mend.

A playout that is cut short ends in a guess, and the tree's rivals are not those at the table. So the means of a search
come close to something that is not quite the truth, and their standard errors, which hold the spread of worlds and
playouts, say nothing of that. How much it is was measured by playing positions to their end many times
(``bench.true_errors``, ``docs/honesty.md``).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from engine_ext.core import Observation
from engine_ext.search.searcher import expected_turns

__all__ = ["EXACT", "ModelError", "model_error", "of_turns"]

WIN_SHARE: Final = 0.163
WIGS: Final = 6.7
"""Standard errors of a seat's win share and final wigs, as long as ``FULL`` turns of every seat or more are to come."""
FULL: Final = 2.0
"""With fewer turns to come they are smaller in proportion."""
LEAD: Final = 0.5
"""Part of these that differences between actions of one decision have: most of what is wrong is so for all of them."""
MARGIN: Final = 120.0
"""Wigs from the worst margin to the best that an objective tells apart (``engine_ext/search/outcome.pyx``)."""


@dataclass(frozen=True, slots=True)
class ModelError:
    """Standard errors, the same for every seat: of a win share from 0 to 1, and of wigs."""

    win_share: float
    wigs: float

    @property
    def lead(self) -> ModelError:
        """Those of a difference between two actions of the same decision."""
        return ModelError(LEAD * self.win_share, LEAD * self.wigs)

    def value(self, objective: float) -> float:
        """That of the mean objective."""
        return (1.0 - objective) * self.win_share + objective * self.wigs / MARGIN


EXACT: Final = ModelError(0.0, 0.0)
"""Of a game that is over."""


def of_turns(turns: float) -> ModelError:
    """What a search is off by with so many turns of every seat to come."""
    part = min(1.0, turns / FULL)
    return ModelError(part * WIN_SHARE, part * WIGS)


def model_error(observation: Observation) -> ModelError:
    """What a search of this position is off by, however its playouts end."""
    return of_turns(expected_turns(observation.sample_world(0)) / observation.seats)
