"""Conditions asked of all members at once: those for which they hold, as bits."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from polis_rules.interpreter.compiler.python.module import Env, simple
from polis_rules.interpreter.compiler.python.numbers import Code, interval_of, place
from polis_rules.interpreter.compiler.python.pieces import join, union
from polis_rules.interpreter.compiler.python.writer import Writer
from polis_rules.semantics.expressions import Expr, free_names, nodes as n, substitute

MOST_MEMBERS = 200
"""Of more members than this nobody asks beforehand for which of them something holds."""

MOST_VALUES = 64
"""For more values than this no table is made of the members that go with each."""

FIXED = (n.Const, n.Var, n.Attr, n.Order, n.Next, n.Compare, n.Bool, n.Not, n.Contains, n.Arith, n.IfElse)
"""What is known before play where it speaks of known members alone."""

SOUND = (n.Const, n.Var, n.Attr, n.Load, n.Order, n.Compare, n.Bool, n.Not, n.IfElse, n.SetOp, n.Everyone, n.Comp)
"""What can be worked out before the check that would keep it from being asked."""


class MaskWriter(Writer):
    """Writes conditions as sets of the members for which they hold."""

    def members_with(self, test: Expr, var: str, kind: str, env: Env) -> Code | None:
        """The members `var` of a kind for which a condition holds, as bits, perhaps with bits beyond these.

        None where it has to be asked of each of them.
        """
        key = id(test), var
        if key not in self.opened_tests:
            opened = self.opened(test, var)
            is_fixed = self.count(kind) <= MOST_MEMBERS and self.is_fixed(opened, var)
            self.opened_tests[key] = test, opened if is_fixed else None
        _, fixed = self.opened_tests[key]
        return None if fixed is None else self.bits(fixed, var, kind, env)

    def opened(self, test: Expr, var: str) -> Expr:
        """A condition with what the terms stand for that are asked about `var`."""
        if isinstance(test, n.Call) and var in free_names(test):
            term = self.symbols.terms[test.term]
            assert term.body is not None
            bound = {part.var for part in term.body.walk() if isinstance(part, n.Comp)}
            if bound & free_names(test):
                return test
            return self.opened(substitute(term.body, dict(zip(term.params, test.args, strict=True))), var)
        return test.rebuilt(lambda part: self.opened(part, var)) if isinstance(test, (n.Bool, n.Not)) else test

    def is_fixed(self, test: Expr, var: str) -> bool:
        """Whether a condition asks only what is fixed about `var`, and of all else what is sound."""
        if var not in free_names(test):
            return self.is_sound(test)
        return isinstance(test, FIXED) and all(self.is_fixed(part, var) for part in test.children())

    def bits(self, test: Expr, var: str, kind: str, env: Env) -> Code | None:
        """The same for a condition of which this is known."""
        if var not in free_names(test):
            return _either(self.emit(test, env), -1, 0)  # everybody, or nobody
        match test:
            case n.Bool(_, op, items):
                once = join(op, [self.emit(item, env) for item in items if var not in free_names(item)])
                masks = [self.bits(item, var, kind, env) for item in items if var in free_names(item)]
                known = [mask for mask in masks if mask is not None]
                if len(known) < len(masks):
                    return None
                if op == "or":
                    return _either(once, -1, union(known))
                return _either(once, intersection(known), 0)
            case n.Not(_, item):
                mask = self.bits(item, var, kind, env)
                return None if mask is None else inverted(mask)
            case n.Contains(_, n.Var(name=name), group) if name == var and group.type.base == "set":
                return None if var in free_names(group) else self.emit(group, env)
            case n.Contains(_, item, group) if group.type.base == "set":
                return self.compared("in", item, group, var, kind, env)
            case n.Compare(_, op, left, right):
                return self.compared(op, left, right, var, kind, env)
        values = self.values(test, var, kind, env)
        return None if values is None else _bits(values)

    def compared(self, op: str, left: Expr, right: Expr, var: str, kind: str, env: Env) -> Code | None:
        """The same for a comparison: where one side is the same for all members, by a table of what it may be."""
        other = right if var in free_names(left) else left
        mine = left if other is right else right
        values = self.values(mine, var, kind, env)
        if values is None:
            return None
        if var in free_names(other):
            others = self.values(other, var, kind, env)
            return None if others is None else _bits(map(HOLDS[op], values, others))
        code = self.emit(other, env)
        item = other.item if isinstance(other, n.Order) else other
        within = interval_of(code)
        if not isinstance(code, int) and item.type.base == "ref":
            choices = [*range(self.count(item.type.kind)), -1]  # none is the last entry
        elif within is not None and within.high - within.low < MOST_VALUES:
            choices = [*range(within.low, within.high + 1)]
        else:
            return None
        holds = HOLDS[op] if mine is left else lambda each, there: HOLDS[op](there, each)
        table = tuple(_bits(holds(each, there) for each in values) for there in choices)
        if len({*table}) == 1:
            return table[0]
        if self.may_hoist and not simple(code) and "v_" not in str(code):
            code = self.hoist(str(code))
        return f"{self.module.constant('B', table)}[{place(-choices[0], [(code, 1)])}]"

    def values(self, tree: Expr, var: str, kind: str, env: Env) -> list[int] | None:
        """What something fixed is for each member; None where that is not known."""
        values = []
        for member in range(self.count(kind)):
            value = self.emit(tree, {**env, var: member})
            if not isinstance(value, int):
                return None
            values.append(value)
        return values

    def is_sound(self, tree: Expr) -> bool:
        """Whether something may be worked out before a check that there is what it speaks of."""
        for part in tree.walk():
            match part:
                case n.Call(_, term):
                    body = self.symbols.terms[term].body
                    if body is None or not self.is_sound(body):
                        return False
                case n.Contains(_, n.Const(), group) | n.Size(_, group) if group.type.base == "set":
                    continue
                case n.Load() | n.Attr() if part.type.base == "list":
                    return False
                case _ if not isinstance(part, SOUND):
                    return False
        return True


HOLDS: dict[str, Callable[[int, int], bool]] = {
    **n.COMPARISONS,
    "in": lambda member, group: member >= 0 and bool(group >> member & 1),
}


def _bits(holds: Iterable[object]) -> int:
    """The bits of those members for which something holds."""
    return sum(1 << member for member, each in enumerate(holds) if each)


def _either(test: Code, then: Code, other: Code) -> Code:
    """Some members where a condition holds, others where it does not."""
    if isinstance(test, int):
        return then if test else other
    return f"({then} if {test} else {other})"


def inverted(mask: Code) -> Code:
    """All other members."""
    return ~mask if isinstance(mask, int) else f"~{mask}"


def intersection(items: list[Code]) -> Code:
    """Bits that all of several pieces have."""
    known, unknown = -1, [item for item in items if isinstance(item, str)]
    for item in items:
        known &= item if isinstance(item, int) else -1
    if not unknown or not known:
        return known
    parts = [*unknown, str(known)] if known != -1 else unknown
    return parts[0] if len(parts) == 1 else f"({' & '.join(parts)})"
