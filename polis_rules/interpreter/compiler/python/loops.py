"""Comprehensions as functions that go from member to member, where written out they would be long."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable
from dataclasses import replace
from functools import partial

from polis_rules.interpreter.compiler.python.comprehensions import ComprehensionWriter
from polis_rules.interpreter.compiler.python.module import Env, Function
from polis_rules.interpreter.compiler.python.numbers import Code
from polis_rules.interpreter.compiler.python.pieces import join, negate
from polis_rules.interpreter.compiler.python.writer import Lines
from polis_rules.semantics.expressions import (
    TRUE,
    Attr,
    Bool,
    Call,
    Comp,
    Compare,
    Const,
    Everyone,
    Expr,
    Load,
    Not,
    Var,
    conjunction,
    free_names,
)

Known = tuple[tuple[str, int | None], ...]
"""Local names that an expression reads, with what they are if that is known."""

AFTER: dict[str, tuple[str, str]] = {
    "any": ("if {test}: return True", "False"), "all": ("if not {test}: return False", "True"),
    "count": ("if {test}: n += 1", "n"), "sum": ("n += {test}", "n"), "first": ("if {test}: return {member}", "-1"),
}  # fmt: skip
"""What is done with each member that is met, and what comes of it at the end."""

FEW = 8
"""A loop has a function for each of so few members that it may ask about; of more it is given the member."""


class LoopWriter(ComprehensionWriter):
    """Writes comprehensions as functions."""

    @abstractmethod
    def is_told(self, call: Call, at: int) -> bool:
        """Whether a term is given the member at this place of its arguments, too long to be written for each."""

    def over_members(self, tree: Comp, env: Env) -> Code | None:
        """The call of a function for a comprehension that asks long terms about each member of a set; None for others.

        There such a term is written once, and what does not depend on the member stands before the loop.
        """
        if tree.func not in AFTER or tree.domain.type.base != "set" or self.module.into.checks:
            return None
        if not any(self.asks_long_terms(part, tree.var) for part in (tree.body, tree.test) if part is not None):
            return None
        many = {
            part.name for part in tree.walk()
            if isinstance(part, Var) and part.type.base == "ref" and self.count(part.type.kind) > FEW
        }  # fmt: skip
        names = sorted(free_names(tree))
        known, given = given_names(names, env | {name: str(env[name]) for name in many & {*names}})
        function = self.module.function(("over", tree, known), "over")
        return f"{function}({', '.join(['s', *given])})"

    def asks_long_terms(self, tree: Expr, var: str) -> bool:
        """Whether an expression asks about a name what is too long to be written for each member."""
        return any(
            isinstance(part, Call) and any(
                isinstance(arg, Var) and arg.name == var and self.is_told(part, at) for at, arg in enumerate(part.args)
            )
            for part in tree.walk()
        )  # fmt: skip

    def over_body(self, tree: Comp, known: Known) -> Function:
        """The function of a comprehension, which is given what is not known."""
        env, params = named(known, "p")
        before, mask = self.ahead(lambda: self.emit(tree.domain, env))
        test = None if tree.test is None else self.opened(tree.test, tree.var)
        tree = replace(tree, test=test, body=self.opened(tree.body, tree.var))
        if tree.func == "any" and isinstance(tree.domain, Everyone):
            once, tree = told_once(tree)
            for each in once:
                hoisted, code = self.ahead(partial(self.emit, each, env))
                before += [*hoisted, f"if not {code}: return False"] if code != 1 else []
        member = self.module.name(f"v_{tree.var}")
        hoisted, asked = self.ahead(lambda: self.each_test(tree, {**env, tree.var: member}))
        over = f"for {member} in {self.among(mask, tree.domain.type.kind)}:"
        return params, [*before, *hoisted, *met(tree.func, [over], member, asked)]

    def each_test(self, tree: Comp, env: Env) -> Code:
        """What is asked of a member, or added for it."""
        test = self.emit(tree.test, env) if tree.test is not None else 1
        match tree.func:
            case "any":
                return join("and", [test, self.emit(tree.body, env)])
            case "all":
                return join("or", [negate(test), self.emit(tree.body, env)])
            case "sum":
                return either(test, self.emit(tree.body, env), 0)
        return test


def told_once(tree: Comp) -> tuple[list[Expr], Comp]:
    """The conditions of an `any` that do not depend on its member, and what it asks without them.

    Those that stand behind others are only told where asking them sooner costs little and does nothing else.
    """
    once: list[Expr] = []
    rest: list[Expr] = []
    for each in (each for part in (tree.test, tree.body) if part is not None for each in items(part)):
        is_once = tree.var not in free_names(each) and (not rest or all(map(is_plain, each.walk())))
        (once if is_once else rest).append(each)
    return once, replace(tree, test=None, body=conjunction(rest) or TRUE)


def is_plain(tree: Expr) -> bool:
    """Whether a part of a condition only compares, or reads where there is something even if the member is none."""
    if isinstance(tree, (Attr, Load)):
        return len(tree.args) < 2 and all(isinstance(arg, (Var, Const)) for arg in tree.args)
    return isinstance(tree, (Bool, Compare, Const, Not, Var))


def items(tree: Expr) -> list[Expr]:
    """The conditions that hold together where one holds."""
    if isinstance(tree, Bool) and tree.op == "and":
        return [each for item in tree.items for each in items(item)]
    return [tree]


def met(func: str, loop: Lines, member: str, test: Code) -> Lines:
    """The lines that do what is to be done with each member that a loop meets, and return what comes of it."""
    each, end = AFTER[func]
    return [*(["n = 0"] if end == "n" else []), *loop, f"    {each.format(test=test, member=member)}", f"return {end}"]


def either(test: Code, then: Code, other: Code) -> Code:
    """One thing where a condition holds, another where it does not."""
    if isinstance(test, int):
        return then if test else other
    return then if then == other else f"({then} if {test} else {other})"


def given_names(names: Iterable[str], env: Env) -> tuple[Known, list[str]]:
    """Some names with what is known of them, and the code of those of which nothing is."""
    codes = [(name, env[name]) for name in names]
    known = tuple((name, code if isinstance(code, int) else None) for name, code in codes)
    return known, [str(code) for _, code in codes if not isinstance(code, int)]


def named(known: Known, letter: str) -> tuple[Env, list[str]]:
    """What a function calls such names, and its parameters."""
    env: Env = {name: f"{letter}_{name}" if value is None else value for name, value in known}
    return env, [str(code) for code in env.values() if not isinstance(code, int)]
