"""The referee: plays a game from a set-up and action texts, and says at every step what is legal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from . import setup, turn
from .lookahead import Decision, Duty, Play, Routine
from .public import public_fields
from .scoring import final_scores, winners
from .state import State
from .tables import Tables, load_tables

ALWAYS_ASKED = ("play_card", "discard_hand")
"""These depend on a hidden hand, so that they are asked even where there is only one answer."""


class IllegalText(ValueError):
    """An action text that is not legal now."""


class Referee:
    """One game. ``legal`` gives the texts of the legal actions, ``apply`` carries one out."""

    def __init__(self, record: dict[str, Any], tables: Tables | None = None) -> None:
        """From the JSON of a record: its set-up is dealt, its actions are applied."""
        self.tables = tables or load_tables()
        self.forced: list[str] = []
        """The steps that followed the last action by themselves."""
        state = setup.deal(self.tables, record)
        self._begin(state, setup.opening)
        self._settle()
        self.apply_all([action["text"] for action in record.get("actions", ())])

    # --- asking -------------------------------------------------------------------------------------------------

    @property
    def over(self) -> bool:
        return self.play.state.over

    @property
    def state(self) -> State:
        return self.play.state

    @property
    def kind(self) -> str:
        return self.decision.kind if self.decision else ""

    @property
    def seat(self) -> int:
        return self.decision.seat if self.decision else -1

    def legal(self) -> set[str]:
        """The texts of all legal actions; none when the game is over."""
        return set(self._legal)

    def apply(self, text: str) -> None:
        """Carries out an action and the steps that follow by themselves."""
        if text not in self._legal:
            raise IllegalText(f"{text!r} is not legal; allowed: {sorted(self._legal)}")
        self._answer(text)
        self._settle()

    def apply_all(self, texts: Sequence[str]) -> None:
        """Carries out the actions of a record, which may write down steps that follow by themselves.

        It is read as one that leaves them out, then as one that writes them all, then as a mixture.
        """
        problem: IllegalText | None = None
        for reading in (self._apply_written, self._apply_with_all_forced, self._apply_with_some_forced):
            twin = self.copy()
            try:
                reading(twin, texts)
            except IllegalText as error:
                problem = problem or error
            else:
                self.__dict__ = twin.__dict__
                return
        assert problem is not None
        raise problem

    @staticmethod
    def _apply_written(game: Referee, texts: Sequence[str]) -> None:
        for text in texts:
            game.apply(text)

    @staticmethod
    def _apply_with_all_forced(game: Referee, texts: Sequence[str]) -> None:
        forced: list[str] = []
        for text in texts:
            if not forced:
                game.apply(text)
                forced = list(game.forced)
            elif text != forced.pop(0):
                raise IllegalText(f"{text!r} is not what followed by itself")

    @staticmethod
    def _apply_with_some_forced(game: Referee, texts: Sequence[str]) -> None:
        forced: list[str] = []
        for text in texts:
            if text not in game.legal() and text in forced:
                forced = forced[forced.index(text) + 1 :]
            else:
                game.apply(text)
                forced = list(game.forced)

    def public(self) -> dict[str, Any]:
        """Every field that a spectator sees, and all hands."""
        return public_fields(self.play.state)

    def scores(self) -> list[dict[str, int]]:
        """Wigs by category for each seat, as the game would be scored now (or was, if it is over)."""
        return final_scores(self.play.state)

    def winners(self) -> list[int]:
        return winners(self.play.state)

    def copy(self) -> Referee:
        """A twin. Routines cannot be copied, so that the turn is played again from its start."""
        twin = Referee.__new__(Referee)
        twin.tables = self.tables
        twin._begin(self._start.copy(), self._routine)
        for text in self._answers:
            twin._answer(text)
        twin._legal = self._legal
        twin.forced = self.forced
        return twin

    # --- going on -----------------------------------------------------------------------------------------------

    def _begin(self, state: State, routine: Any) -> None:
        """Starts a routine (the opening, or a turn), keeping its start and its answers for copies."""
        self._start = state.copy()
        self._routine = routine
        self._answers: list[str] = []
        self.play = Play(state, self.tables)
        self.running: Routine = routine(self.play)
        self.decision: Decision | None = None
        self._advance(None)

    def _advance(self, value: Any) -> None:
        """On to the next decision; if the turn ends there, to the first one of the next turn."""
        try:
            self.decision = self.running.send(value)
        except StopIteration:
            self.decision = None

    def _answer(self, text: str) -> None:
        assert self.decision is not None
        self._answers.append(text)
        if self.play.duty is not None:
            self.play.duty.answers.append(text)
        self._advance(self.decision.options[text])

    def _settle(self) -> None:
        """Carries out what follows by itself, until somebody has to decide."""
        self.forced = []
        while True:
            if self.decision is None:
                if self.play.state.over:
                    self._legal: list[str] = []
                    return
                self._begin(self.play.state, turn.play_turn)
                continue
            self._legal = self._allowed(self.decision, self.play.duty)
            if len(self._legal) > 1 or self.decision.kind in ALWAYS_ASKED:
                return
            (text,) = self._legal
            self.forced.append(text)
            self._answer(text)

    def _allowed(self, decision: Decision, duty: Duty | None) -> list[str]:
        """The options from which the running duty can still be met; a single one needs no trying."""
        texts = list(decision.options)
        if duty is None or decision.surely is duty.routine or len(texts) == 1:
            return texts
        return [text for text in texts if duty.allows(self.tables, text)]
