"""Search trees in Python: the functions of native code's library, on states and words that are lists of Python."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from polis_rules.diagnostics import RuleError
from polis_rules.interpreter.compiler.native import in_python
from polis_rules.interpreter.machine import LEAVE, LONGEST_GAME, PC, Compiled, draw64
from polis_rules.interpreter.runtime.native.search import Secretive, State, Trees


class Playing(Protocol):
    """What a program does for a search."""

    compiled: Compiled
    finished: int
    is_chance: list[bool]

    def options(self, state: State) -> list[int]: ...
    def outcome(self, state: State) -> int: ...
    def apply(self, state: State, option: int) -> object: ...
    def decider(self, state: State) -> int: ...
    def rank(self, state: State, player: int, place: int) -> int: ...
    def worth(self, state: State, player: int) -> int: ...
    def may_be_empty(self, state: State) -> bool: ...
    def dead_end(self, state: State) -> RuleError: ...
    def too_long(self, state: State, count: int) -> RuleError: ...


class PythonSearch(Trees):
    """Trees that are made in Python: the same ones, in more time.

    An address is eight times the place of a word in a list, or, that of a state, the state itself.
    """

    def __init__(self, program: Playing, nodes: int = 1 << 15) -> None:
        super().__init__(Secretive.of(program.compiled), nodes)
        self.program = program
        self.words, self.first, self.base = [0] * (1 + self.size), 1, 0
        self._begin()
        self.state: State = []
        space = {
            "load": self._load, "store": self._store, "copy": _copy, "draw64": draw64, "fresh": _nothing,
            "settled": self._settled, "apply": program.apply, "call_table": self._asked,
        }  # fmt: skip
        compiled = program.compiled
        self.functions = in_python(space, compiled.layout.size, program.finished, compiled.players, 1 + compiled.ties)

    def _load(self, address: Any, place: int) -> Any:
        return self.words[(address >> 3) + place] if isinstance(address, int) else address[place]

    def _store(self, address: Any, place: int, value: Any) -> None:
        if isinstance(address, int):
            self.words[(address >> 3) + place] = value
        else:
            address[place] = value

    def _settled(self, state: State) -> list[int]:
        """The options at the next decision, after how many they are."""
        program = self.program
        for _ in range(LONGEST_GAME):
            counter = state[PC]
            if counter == program.finished:
                return [0]
            if program.is_chance[counter]:
                option = program.outcome(state)
            elif options := program.options(state):
                return [len(options), *options]
            elif program.may_be_empty(state):
                option = LEAVE
            else:
                raise program.dead_end(state)
            program.apply(state, option)
        raise program.too_long(state, LONGEST_GAME)

    def _asked(self, table: str, place: int, state: State, who: int = -1) -> int:
        program = self.program
        if table == "who":
            return program.decider(state)
        return program.worth(state, who) if table == "worth" else program.rank(state, who, place)

    def _root(self, roots: Sequence[State]) -> None:
        self.state = [*roots[0]]
        self.words[0] = [*roots]
        self._put("ROOTS", self.words[0])
        self._put("MANY", len(roots))

    def _fade(self, keeps: int) -> None:
        self.functions["faded"](self.record, keeps)

    def _lead(self, who: int) -> int:
        found: int = self.functions["lead"](self.state, who)
        return found

    def go_on(self, tries: int) -> None:
        self.functions["search"](self.state, self.record, tries)


def _copy(target: State, source: State, words: int) -> None:
    target[:] = source


def _nothing(_: State) -> None:
    """Python needs no words set free."""
