"""What need not be worked out anew at every position of a game: what never changes, and what still holds."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from itertools import product
from math import prod

from polis_rules.interpreter.evaluator import (
    Answered,
    Evaluator,
    HiddenError,
    Names,
    NothingThereError,
    StateValue,
    Wording,
    reads_hidden,
)
from polis_rules.interpreter.runtime import Program, State
from polis_rules.semantics import KindSymbol
from polis_rules.semantics.expressions import Const, Expr


class Known:
    """What is known of all positions of one program, and of the last one that was asked about."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.symbols = program.rules.symbols
        self.wording = Wording(self.symbols)
        self._labels: dict[tuple[int, int], str] = {}
        self._printed: dict[tuple[str, int], dict[str, str]] = {}
        self._hidden: dict[int, bool] = {}
        self._numbers: dict[tuple[object, ...], Answered[str]] = {}

    # -- what never changes -----------------------------------------------------------------------------------------

    @cached_property
    def told(self) -> list[StateValue]:
        """The values that may be told: the board does not leave them out."""
        return [value for value in self.program.views.values if not self._left_out(value)]

    @cached_property
    def titled(self) -> list[StateValue]:
        """Those of them with a title, and those that not everybody sees; none where no state has a title."""
        if not any(value.variable.title for value in self.told):
            return []
        return [value for value in self.told if value.variable.title or not value.variable.open]

    @cached_property
    def titled_of(self) -> dict[str, list[StateValue]]:
        """The same by what they belong to."""
        found: dict[str, list[StateValue]] = {}
        for value in self.titled:
            found.setdefault(value.variable.owner, []).append(value)
        return found

    def _left_out(self, value: StateValue) -> bool:
        """Whether the board says that a value is not shown."""
        board, variable = self.program.rules.board, value.variable
        if board is None:
            return False
        key = variable.owner, variable.name
        but = board.hidden.get(key, ())
        return board.show.get(key) == "none" or bool(
            but and self.symbols.kinds[variable.owner].members[value.indexes[0]] in but
        )

    def label(self, value: StateValue, last: int) -> str:
        """What a value is called beside others: with the titles of so many of the last members that it belongs to."""
        key = value.slot, last
        if key not in self._labels:
            kinds, indexes = value.variable.kinds, value.indexes
            first = len(kinds) - last
            titles = [
                self.wording.title(kind, member) for kind, member in zip(kinds[first:], indexes[first:], strict=True)
            ]
            label = value.variable.label
            if titles:
                label = ", ".join(titles) if value.variable.spendable else f"{label} ({', '.join(titles)})"
            self._labels[key] = label
        return self._labels[key]

    def printed(self, kind: KindSymbol, member: int) -> dict[str, str]:
        """The numbers of a member that never change and are not 0, by what they are called."""
        key = kind.name, member
        if key not in self._printed:
            self._printed[key] = self._read(kind, member)
        return self._printed[key]

    def _read(self, kind: KindSymbol, member: int) -> dict[str, str]:
        found: dict[str, str] = {}
        for attribute in kind.attributes.values():
            if isinstance(formula := attribute.formulas.get(member), Const):
                found |= {attribute.label: str(formula.value)} if formula.value else {}
            if attribute.spec.kind not in ("range", "number") or not attribute.values:
                continue
            sizes = [len(self.symbols.kinds[each].titles) for each in attribute.kinds[1:]]
            of_one = prod(sizes)
            numbers = attribute.values[member * of_one : (member + 1) * of_one]
            within = self.symbols.title_within
            each_title = product(
                *([within(each, at) for at in range(self.symbols.count(each))] for each in attribute.kinds[1:])
            )
            paired = zip(numbers, each_title, strict=True)
            words = [" ".join([str(number), *titles]) for number, titles in paired if number]
            if words:
                found[attribute.label] = " + ".join(words)
        return found

    # -- what still holds -------------------------------------------------------------------------------------------

    def number(self, tree: Expr, names: Names, state: State, viewer: int | None, sight: Callable[[], Evaluator]) -> str:
        """A number as a player may know it; 0 where what it speaks of is not there, ? where it is hidden."""
        if id(tree) not in self._hidden:
            self._hidden[id(tree)] = reads_hidden(tree, self.program.rules)
        key = id(tree), self._hidden[id(tree)] and (viewer,), *names.items()
        known = self._numbers.get(key)
        if known is None or not known.holds(state):
            known = self._numbers[key] = Answered.about(state, lambda now: _number(sight(), tree, now, names))
        return known.answer


def _number(sight: Evaluator, tree: Expr, state: State, names: Names) -> str:
    try:
        return str(sight.value(tree, state, names))
    except HiddenError:
        return "?"
    except NothingThereError:
        return "0"
