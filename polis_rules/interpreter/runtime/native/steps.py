"""One game in native code, decision by decision."""

from __future__ import annotations

from polis_rules.interpreter.machine import PC
from polis_rules.interpreter.runtime.native.native import Native, Playing, native_of


class Steps:
    """Plays one game: chance, and points where nobody has a choice, are passed by one call with what was decided.

    Options are told as a list after each step, as those of a program are, without another call; none where the game is
    over. An option that is not among them is not found out. Raises TrappedError where a rule fails.
    """

    def __init__(self, program: Playing | Native) -> None:
        self.native = native = native_of(program).another()
        self._step, self._begin = native.instance.function("step"), native.instance.function("begun")
        self._settled = native.instance.function("settled")
        self._words, self._state, self._base = native.words, native.state, native.instance.base

    def begin(self, seed: int) -> list[int]:
        """The options at the first decision of a new game."""
        return self.native.members(self._begin(self._state, seed))

    def load(self, state: list[int]) -> list[int]:
        """Take over a state; the options at the first decision from there on."""
        self.native.load(state)
        return self.native.members(self._settled(self._state))

    def step(self, option: int) -> list[int]:
        """Carry out an option; those of the next decision."""
        at = (self._step(self._state, option) - self._base >> 3) + 1
        words = self._words
        return words[at : at + words[at - 1]]

    @property
    def state(self) -> list[int]:
        """The state as it is now."""
        return self.native.read()

    @property
    def point(self) -> int:
        """The number of the present waiting point."""
        return self.native.words[self.native.first + PC]

    @property
    def decider(self) -> int:
        """Who decides now."""
        return self.native.call("decider", self._state)
