"""Expressions over lists as Python: where a list is state its slots are read directly."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from typing import Any

from polis_rules.interpreter.compiler.python.module import Env
from polis_rules.interpreter.compiler.python.numbers import Code, Piece, interval_of, place
from polis_rules.interpreter.compiler.python.writer import Writer
from polis_rules.semantics import Interval, unpacked
from polis_rules.semantics.expressions import INT, Expr, Type, nodes as n

MEMBER = "MEMBER"
"""A local name where nobody has given one."""


class ListWriter(Writer):
    """Writes what makes lists and what asks them. In generated code a list is a list of Python."""

    @property
    def of_lists(self) -> dict[type[Expr], Callable[[Any, Env], Code]]:
        """What writes each sort of expression that is made for lists."""
        return {n.ListOf: self.list_of, n.Joined: self.joined, n.Item: self.item, n.Top: self.top}

    @abstractmethod
    def address(self, tree: n.Load, env: Env) -> Code:
        """The slot of a state value."""

    def list_load(self, tree: n.Load, env: Env) -> Code:
        """The members of a list that is state."""
        at = self.address(tree, env)
        if isinstance(at, int):
            return f"s[{at + 1}:{at + 1}+s[{at}]]"
        return f"listed(s, {at})"

    def list_attribute(self, values: tuple[int, ...], kind: str, where: Code) -> Code:
        """The members of a list that a row holds."""
        lists = tuple(tuple(unpacked(value, self.count(kind))) for value in values)
        if isinstance(where, int):
            return str([*lists[where]])
        return f"[*{self.module.constant('L', lists)}[{where}]]"

    def list_of(self, tree: n.ListOf, env: Env) -> Code:
        return f"[{', '.join(str(self.emit(item, env)) for item in tree.items)}]"

    def joined(self, tree: n.Joined, env: Env) -> Code:
        return f"joined({self.emit(tree.left, env)}, {self.emit(tree.right, env)})"

    def top(self, tree: n.Top, env: Env) -> Code:
        count = self.emit(tree.count, env)
        at = self.address(tree.group, env) if isinstance(tree.group, n.Load) else ""
        return f"s[{at + 1}:{at + 1}+{count}]" if isinstance(at, int) else f"{self.emit(tree.group, env)}[:{count}]"

    def item(self, tree: n.Item, env: Env) -> Code:
        """What stands at a place; beyond the last member state holds -1, which is none."""
        where, group = self.emit(tree.place, env), tree.group
        within = interval_of(where)
        if isinstance(group, n.Load) and within is not None:
            at_most = self.symbols.variable(group.owner, group.name).at_most
            at = self.address(group, env)
            if 0 <= within.low <= within.high < at_most:
                return f"s[{place(1, [(at, 1), (where, 1)])}]"
            if where == -1 and isinstance(at, int):
                return f"(s[{at}+s[{at}]] if s[{at}] else -1)"
        return f"item({self.emit(group, env)}, {where})"

    def list_size(self, tree: n.Size, env: Env) -> Code:
        """How many members a list has."""
        if not isinstance(tree.group, n.Load):
            every = n.Comp(INT, "count", MEMBER, tree.group, None, n.TRUE)
            if (count := self.over_walk(every, env)) is not None:
                return count
            return f"len({self.emit(tree.group, env)})"
        variable = self.symbols.variable(tree.group.owner, tree.group.name)
        return Piece(f"s[{self.address(tree.group, env)}]", Interval(0, variable.at_most))

    def over_list(self, tree: n.Comp, env: Env) -> Code | None:
        """A comprehension over a list, where there is something shorter than a loop of Python."""
        variable = n.Var(Type("ref", tree.domain.type.kind), tree.var)
        match tree.func, tree.test:
            case "set", None if tree.body == variable:
                return f"members_of({self.emit(tree.domain, env)})"
            case "count", n.Compare(_, "==", left, right) if variable in (left, right):
                other = right if left == variable else left
                if variable not in other.walk():
                    return f"{self.emit(tree.domain, env)}.count({self.emit(other, env)})"
        return None
