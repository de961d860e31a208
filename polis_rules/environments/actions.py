"""Numbers for all that players may ever choose: the same through every game of a ruleset."""

from __future__ import annotations

from collections.abc import Iterator
from math import prod

from polis_rules.diagnostics import PolisError
from polis_rules.interpreter.machine import FINISH, WAY, DecisionPoint
from polis_rules.interpreter.runtime import Program
from polis_rules.semantics import Ranges, every_variable, ir

Kinds = tuple[str, ...]
"""The kinds of which a member each is chosen."""

MOST = 1_000_000
"""How many actions a ruleset may have."""


class EncodingError(PolisError):
    """What rules offer cannot be told by numbers."""


class Actions:
    """The actions of one ruleset. What is chosen counts, not who asks: a member is one action wherever it is chosen.

    First comes finishing a choice that may go on, then the named ways by the paths of their rules, then numbers from
    the least to the greatest, then the members of each kind from which one is chosen, by the kinds' names and in the
    order of the tables, then combinations of members that are chosen together, the last kind running fastest.

    >>> from polis_rules import load
    >>> actions = Actions(load("yucata").program())
    >>> actions.name(0)
    'finish'
    """

    def __init__(self, program: Program) -> None:
        self.program = program
        kinds = program.rules.symbols.kinds
        points = {point.step.path: point.step for point in program.points if isinstance(point, DecisionPoint)}
        self.steps = {path: points[path] for path in sorted(points)}
        self.kinds = {path: _kinds(step) for path, step in self.steps.items()}
        self._spans: dict[object, range] = {}
        self.count = 1
        for path, step in self.steps.items():
            self._add(path, len(step.ways))
        self.low, high = self._numbers()
        self._add(int, high - self.low + 1)
        for each in sorted(dict.fromkeys(self.kinds.values()), key=lambda each: (len(each), each)):
            self._add(each, prod(len(kinds[kind].members) for kind in each) if each else 0)
        if self.count > MOST:
            raise EncodingError(f"these rules have {self.count:,} actions; {MOST:,} can be told apart")

    def _add(self, what: object, count: int) -> None:
        self._spans[what] = range(self.count, self.count + count)
        self.count += count

    def _numbers(self) -> tuple[int, int]:
        """The least and the greatest number that may be chosen: where rules do not limit it, that state may be."""
        symbols = self.program.rules.symbols
        ends = [(each.low, each.high) for each in self.steps.values() if each.low is not None and each.high is not None]
        if not ends:
            return 0, -1
        limits = [each.high for each in every_variable(symbols) if each.type.base == "int" and each.bounded]
        most, ranges = max(limits, default=0), Ranges(symbols)
        lows, highs = (
            [number for number in (ranges.number(tree, {})[end] for tree in trees) if abs(number) < MOST]
            for end, trees in enumerate(zip(*ends, strict=True))
        )
        if len(highs) < len(ends):
            highs.append(most)
        return min([0, *lows]), max([0, *highs])

    def of(self, path: str, option: int) -> int:
        """The action that an option of a rule is. Raises EncodingError where it is a number beyond all limits."""
        if option == FINISH:
            return 0
        if option >= WAY:
            return self._spans[path][option - WAY]
        if kinds := self.kinds[path]:
            return self._spans[kinds][option]
        action = self._spans[int].start + option - self.low
        if action not in self._spans[int]:
            raise EncodingError(f"{path} offers the number {option:,}, which is more than any state may be")
        return action

    def name(self, action: int) -> str:
        """What an action chooses: ids of members, a number, or the path of a rule with the id of a way."""
        if action == 0:
            return "finish"
        what, number = next((what, action - span.start) for what, span in self._spans.items() if action in span)
        if what is int:
            return str(number + self.low)
        if isinstance(what, str):
            return f"{what} {self.steps[what].ways[number].id}"
        assert isinstance(what, tuple)
        return " ".join(reversed([*self._members(what, number)]))

    def _members(self, kinds: Kinds, number: int) -> Iterator[str]:
        for kind in reversed(kinds):
            members = self.program.rules.symbols.kinds[kind].members
            number, member = divmod(number, len(members))
            yield members[member]


def _kinds(step: ir.Choose) -> Kinds:
    return tuple(source.type.kind for _, source in step.chosen if source is not None)
