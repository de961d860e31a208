"""The past of a game: every move, and some of the states on the way, so that long games take little memory."""

from __future__ import annotations

from polis_rules.interpreter.runtime import Program, State

MOST_STATES = 64
"""How many states are kept; those between them are reached again by making the moves after the one before."""


class History:
    """All moves since a state, and how it stood after any number of them."""

    def __init__(self, state: State) -> None:
        self.moves: list[int] = []
        self._states: list[tuple[int, State]] = [(0, state[:])]
        """after how many moves, and the state there"""
        self._stride = 1

    def add(self, move: int) -> None:
        """A move has been made."""
        self.moves.append(move)

    def keep(self, state: State) -> None:
        """Somebody may come back to this state, which is the one after all moves."""
        if len(self.moves) - self._states[-1][0] < self._stride:
            return
        self._states.append((len(self.moves), state[:]))
        if len(self._states) > MOST_STATES:
            del self._states[1::2]
            self._stride *= 2

    def back(self, program: Program, count: int) -> State:
        """The state after the first `count` moves; those after them are forgotten."""
        del self.moves[count:]
        while self._states[-1][0] > count:
            self._states.pop()
        begin, kept = self._states[-1]
        state = kept[:]
        for move in self.moves[begin:]:
            program.apply(state, move)
        return state
