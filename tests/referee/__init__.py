"""The referee: the rules of Lisboa written a second time, in plain and slow Python.

Nothing here knows the engine. The rules are taken from the texts, the printed values from the edition's TOML files, and
the wording of actions from the list of decisions in ``docs/rules.md``. ``docs/referee.md`` says what it is for.

A routine of the rules is a generator: it yields a ``Decision``, is sent the chosen option, and goes on.
"""

from .game import Referee
from .tables import load_tables

__all__ = ["Referee", "load_tables"]
