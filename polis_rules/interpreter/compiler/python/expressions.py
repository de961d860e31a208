"""Typed expressions to Python: what is known while compiling is worked out now, loops over members are written out."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from math import prod
from typing import Any

from polis_rules.interpreter.compiler.blocks import Slot
from polis_rules.interpreter.compiler.python.lists import ListWriter
from polis_rules.interpreter.compiler.python.module import Env, Function, Module, simple, unknown
from polis_rules.interpreter.compiler.python.numbers import (
    Code,
    Piece,
    calculate,
    cheap,
    compare,
    interval_of,
    known_of,
    place,
)
from polis_rules.interpreter.compiler.python.pieces import join, negate, shift, union
from polis_rules.interpreter.compiler.python.routes import RouteWriter
from polis_rules.interpreter.compiler.python.walks import MOST_WRITTEN, WalkWriter
from polis_rules.interpreter.compiler.trials import changed_by_trials
from polis_rules.interpreter.machine import Key, Layout
from polis_rules.semantics import ANY, ENDLESS, Attribute, Interval, TypedRules
from polis_rules.semantics.expressions import Expr, Type, nodes as n

SHORT = 200
"""A term's code up to this length is written where it is used; a longer one becomes a function."""

MOST_VERSIONS = 160
"""How many versions of one term, each for other known arguments, are made before a general one serves."""

LONGEST_VERSIONS = 40_000
"""A term whose versions for all members would be longer than this together, in characters, is given the member."""

SHORT_SUM = re.compile(r"(?!.*\w\()[\w\[\] +*()-]{1,60}")
"""Code of a number without a call, which may be written twice."""

Version = tuple[int | Interval | None, ...]
"""What a version of a function knows of its arguments: each itself, or its range, or nothing."""

LOOK_UP = re.compile(r"s\[(?:s\[\d+\]|p_\w+|y|[A-Z]_\d+\[s\[\d+\]\]|\d+|[-+*])+\]")
"""A value of the state at a place that the state tells."""


class Emitter(ListWriter, WalkWriter, RouteWriter):
    """Writes expressions as Python over the state list `s`."""

    def __init__(self, rules: TypedRules, layout: Layout, module: Module, checks: bool) -> None:
        super().__init__(rules.symbols, module, checks)
        self.layout = layout
        self.possible: Callable[[int, Code], str] = lambda action, you: "False"
        self.row_of = cache(self._row_of)
        module.writers["term"] = self.term_body
        module.writers["formula"] = self.formula_body
        module.writers |= {"walk": self.walk_body, "along": self.along_body, "over": self.over_body}
        self.unbounded = changed_by_trials(rules)
        """state whose range nothing may be concluded from"""
        self.versions: dict[Key, int] = {}
        self.inlined: dict[tuple[object, ...], Code] = {}
        self.too_long: set[tuple[object, ...]] = set()
        self.length = cache(self._length)
        self.members_told = cache(self._members_told)
        self.kinds: dict[type[Expr], Callable[[Any, Env], Code]] = {
            n.Const: lambda tree, env: tree.value,
            n.Var: lambda tree, env: env[tree.name],
            Slot: lambda tree, env: f"s[{tree.slot}]",
            n.Load: self.load, n.Attr: self.attribute, n.Formula: self.formula, n.Call: self.call,
            n.Possible: self.possible_code, n.RouteExists: self.route, n.RouteCost: self.route,
            n.Compare: lambda tree, env: compare(tree.op, self.emit(tree.left, env), self.emit(tree.right, env)),
            n.Bool: lambda tree, env: join(tree.op, [self.emit(item, env) for item in tree.items]),
            n.Not: lambda tree, env: negate(self.emit(tree.item, env)),
            n.Arith: self.arithmetic, n.IfElse: self.if_else, n.MinMax: self.min_max, n.Abs: self.absolute,
            n.Everyone: lambda tree, env: (1 << self.count(tree.type.kind)) - 1,
            n.SetOf: lambda tree, env: union([shift(self.emit(item, env)) for item in tree.items]),
            n.SetOp: self.set_op, n.Size: self.size, n.Contains: self.contains, n.Comp: self.comprehension,
            n.Order: lambda tree, env: self.emit(tree.item, env),
            n.Next: self.next, n.Nth: self.nth, n.Located: self.located,
            n.Counted: self.counted, n.Switched: self.switched,
            **self.of_lists,
        }  # fmt: skip

    def emit(self, tree: Expr, env: Env) -> Code:
        """The code of an expression; a number when it is known."""
        return self.kinds[type(tree)](tree, env)

    @contextmanager
    def trying(self) -> Iterator[Callable[[], None]]:
        """What is written inside counts for nothing unless the function that this yields is called."""
        kept: list[bool] = []
        tables: list[dict[Any, Any]] = [
            self.module.into.names, self.module.into.pending, self.versions, self.inlined, self.hoisted,
        ]  # fmt: skip
        before, hoists = [dict(table) for table in tables], len(self.hoists)
        yield lambda: kept.append(True)
        if not kept:
            for table, was in zip(tables, before, strict=True):
                table.clear()
                table.update(was)
            del self.hoists[hoists:]

    # -- state and tables -------------------------------------------------------------------------------------------

    def address(self, tree: n.Load, env: Env) -> Code:
        """The slot of a state value."""
        key = tree.owner, tree.name
        return self.offset(self.layout.bases[key], tree.args, self.layout.strides[key], env)

    def offset(self, base: int, args: tuple[Expr, ...], strides: tuple[int, ...], env: Env) -> Code:
        """base + the sum of args times strides."""
        return place(base, [(self.emit(arg, env), stride) for arg, stride in zip(args, strides, strict=True)])

    def load(self, tree: n.Load, env: Env) -> Code:
        if tree.type.base == "list":
            return self.list_load(tree, env)
        code = f"s[{self.address(tree, env)}]"
        variable = self.symbols.variable(tree.owner, tree.name)
        if variable.type.maybe:
            return self.perhaps(code, variable.type)
        if tree.type.base != "int" or not variable.bounded or (tree.owner, tree.name) in self.unbounded:
            return code
        if "nth(" in code:  # it fails where there is no such place, which what is known of its range must not spare
            return code
        return Piece(code, Interval(variable.low, variable.high))

    def _row_of(self, owner: str, name: str) -> tuple[Attribute, tuple[int, ...]]:
        """An attribute, and how far apart the values of each index are."""
        attribute = self.symbols.kinds[owner].attributes[name]
        return attribute, self.symbols.strides(attribute)

    def attribute(self, tree: n.Attr, env: Env) -> Code:
        attribute, strides = self.row_of(tree.owner, tree.name)
        first, count = attribute.values[0] if attribute.values else 0, len(attribute.values)
        if strides == (1,) and tree.type.base != "list" and attribute.values == (*range(first, first + count),):
            return calculate("+", self.emit(tree.args[0], env), first)
        where = self.offset(0, tree.args, strides, env)
        if tree.type.base == "list":
            return self.list_attribute(attribute.values, tree.type.kind, where)
        if isinstance(where, int):  # that of a none lies outside: a check keeps it from being asked
            return attribute.values[where] if 0 <= where < count else 0
        if len(set(attribute.values)) == 1 and "nth(" not in where:
            return attribute.values[0]
        return f"{self.module.constant('A', attribute.values)}[{where}]"

    def formula(self, tree: n.Formula, env: Env) -> Code:
        attribute = self.symbols.kinds[tree.owner].attributes[tree.name]
        member, *args = (self.emit(arg, env) for arg in tree.args)
        if member == -1:  # none: a check keeps it from being asked
            return 0
        if isinstance(member, int):
            return self.emit(attribute.formulas[member], dict(zip(attribute.params, args, strict=True)))
        constants = tuple(f.value if isinstance(f, n.Const) else None for f in attribute.formulas.values())
        if None not in constants:
            return f"{self.module.constant('F', constants)}[{member}]"
        name = self.module.function(("formula", tree.owner, tree.name), "formula")
        return f"{name}({', '.join(['s', str(member), *map(str, args)])})"

    def formula_body(self, owner: str, name: str) -> Function:
        """The function of an attribute that is worked out for each member."""
        attribute = self.symbols.kinds[owner].attributes[name]
        inner: Env = {name: self.perhaps(f"p_{name}", kind) for name, kind in attribute.params.items()}
        lines = []
        for number, formula in attribute.formulas.items():
            lines += [f"if m == {number}:", *(f"    {line}" for line in self.returned(formula, inner))]
        return ["m", *unknown(inner)], lines or ["return 0"]

    def nth(self, tree: n.Nth, env: Env) -> Code:
        """The member at a place, which has to be one of the table."""
        where, count = self.emit(tree.place, env), self.count(tree.type.kind)
        within = interval_of(where)
        if within and 0 <= within.low <= within.high < count:
            return where
        asked = f"nth({where}, {count})"
        return f"({where} if 0 <= {where} < {count} else {asked})" if SHORT_SUM.fullmatch(str(where)) else asked

    def located(self, tree: n.Located, env: Env) -> Code:
        """The member at a place or of some parts, none where one of them lies outside."""
        if (found := self.flat_place(tree, env)) is not None:
            flat, test = found
            return flat if test == 1 else -1 if test == 0 else f"({flat} if {test} else -1)"
        parts = [(self.emit(part, env), self.count(part.type.kind or tree.type.kind)) for part in tree.parts]
        return f"located({', '.join(f'({code}, {count})' for code, count in parts)})"

    def flat_place(self, tree: n.Located, env: Env) -> tuple[Code, Code] | None:
        """The place of a member in its table, and whether there is one; None where that takes more than short sums."""
        counts = [self.count(part.type.kind or tree.type.kind) for part in tree.parts]
        items, tests = [], []
        for at, (part, count) in enumerate(zip(tree.parts, counts, strict=True)):
            if isinstance(part, n.Located):
                if (found := self.flat_place(part, env)) is None:
                    return None
                code, test = found
            else:
                code = self.emit(part, env)
                test = _within(code, count, part.type.base == "ref", part.type.maybe)
            if isinstance(code, str) and not SHORT_SUM.fullmatch(code):
                return None
            items.append((code, prod(counts[at + 1 :])))
            tests.append(test)
        return place(0, items), join("and", tests)

    def arithmetic(self, tree: n.Arith, env: Env) -> Code:
        """A number. A product that may be too large is held against the limit: squares of squares outgrow memory."""
        left, right = self.emit(tree.left, env), self.emit(tree.right, env)
        if tree.op == "*" and not isinstance(left, int) and not isinstance(right, int):
            one, other = interval_of(left) or ANY, interval_of(right) or ANY
            if max(abs(a * b) for a in one for b in other) > ENDLESS:
                return f"product({left}, {right})"
        return calculate(tree.op, left, right)

    def absolute(self, tree: n.Abs, env: Env) -> Code:
        item = self.emit(tree.item, env)
        return abs(item) if isinstance(item, int) else f"abs({item})"

    def next(self, tree: n.Next, env: Env) -> Code:
        item, count = self.emit(tree.item, env), self.count(tree.item.type.kind)
        return (item + 1) % count if isinstance(item, int) else f"(({item} + 1) % {count})"

    # -- logic ------------------------------------------------------------------------------------------------------

    def if_else(self, tree: n.IfElse, env: Env) -> Code:
        test = self.emit(tree.test, env)
        if isinstance(test, int):
            return self.emit(tree.then if test else tree.other, env)
        then, other = self.emit(tree.then, env), self.emit(tree.other, env)
        return then if then == other else f"({then} if {test} else {other})"

    def min_max(self, tree: n.MinMax, env: Env) -> Code:
        items = self.extremes(tree.op, [self.emit(item, env) for item in tree.items])
        if len(items) == 1:
            return items[0]
        if len(items) == 2 and all(simple(item) for item in items):
            sign = "<" if tree.op == "min" else ">"
            return f"({items[0]} if {items[0]} {sign} {items[1]} else {items[1]})"
        return f"{tree.op}({', '.join(map(str, items))})"

    def extremes(self, op: str, items: list[Code]) -> list[Code]:
        """Those of some numbers that can be the least (or the most) of them."""
        kept: list[Code] = []
        before = "<=" if op == "min" else ">="
        for at, item in enumerate(items):
            others = [*kept, *items[at + 1 :]]
            if not any(compare(before, other, item) == 1 for other in others):
                kept.append(item)
        return kept

    def counted(self, tree: n.Counted, env: Env) -> Code:
        return f"K({tree.site}, {self.emit(tree.item, env)})"

    def switched(self, tree: n.Switched, env: Env) -> Code:
        switch = self.module.constant("X", tree.switch)
        return f"({self.emit(tree.other, env)} if {switch}.on == {tree.number} else {self.emit(tree.item, env)})"

    # -- sets -------------------------------------------------------------------------------------------------------

    def set_op(self, tree: n.SetOp, env: Env) -> Code:
        left, right = self.emit(tree.left, env), self.emit(tree.right, env)
        if isinstance(left, int) and isinstance(right, int):
            return left | right if tree.op == "|" else left & right if tree.op == "&" else left & ~right
        return f"({left} & ~{right})" if tree.op == "-" else f"({left} {tree.op} {right})"

    def size(self, tree: n.Size, env: Env) -> Code:
        if tree.group.type.base == "list":
            return self.list_size(tree, env)
        group = self.emit(tree.group, env)
        return group.bit_count() if isinstance(group, int) else f"({group}).bit_count()"

    def contains(self, tree: n.Contains, env: Env) -> Code:
        item, group = self.emit(tree.item, env), self.emit(tree.group, env)
        if tree.group.type.base == "list":
            return f"({item} in {group})"
        if isinstance(item, int):
            if item < 0 or group == 0:
                return 0
            return group >> item & 1 if isinstance(group, int) else f"({group} >> {item} & 1)"
        inside = f"({group} >> {item} & 1)"
        return f"({item} >= 0 and {inside})" if tree.item.type.maybe else inside

    # -- terms ------------------------------------------------------------------------------------------------------

    def call(self, tree: n.Call, env: Env) -> Code:
        term = self.symbols.terms[tree.term]
        assert term.body is not None
        args = [self.looked_up(self.emit(arg, env)) for arg in tree.args]
        key = (tree.term, *map(known_of, args))
        if key in self.inlined:
            return self.inlined[key]
        if all(cheap(arg) for arg in args) and key not in self.too_long and self.told(tree.term, args) == args:
            code = self.emit(term.body, dict(zip(term.params, args, strict=True)))
            if not isinstance(code, int) and self.hoists_used(code):
                return code
            if isinstance(code, int) or len(code) <= SHORT:
                self.inlined[key] = code
                return code
            self.too_long.add(key)
        return self.term_function(tree.term, args)

    def looked_up(self, code: Code) -> Code:
        """The same, found once before the statement if it is a look-up in the state, which cannot fail."""
        if not self.may_hoist or cheap(code) or LOOK_UP.fullmatch(str(code)) is None:
            return code
        return Piece(self.hoist(str(code)), interval_of(code))

    def hoists_used(self, code: str) -> bool:
        """Whether code relies on lines before the present statement, and so cannot move into a function."""
        return any(name in code for name in self.hoisted.values())

    def term_function(self, name: str, args: list[Code]) -> str:
        known, given = self.version(("term", name), self.told(name, args))
        function = self.module.function(("term", name, known), f"t_{name}")
        return f"{function}({', '.join(['s', *given])})"

    def told(self, name: str, args: list[Code]) -> list[Code]:
        """The arguments of a term, in which members that it is given instead of having a version for each are code."""
        for at in self.members_told(name, tuple(isinstance(arg, int) for arg in args)):
            count = self.count([*self.symbols.terms[name].params.values()][at].kind)
            args = [*args[:at], Piece(str(args[at]), Interval(-1, count - 1)), *args[at + 1 :]]
        return args

    def is_told(self, call: n.Call, at: int) -> bool:
        return bool(self.members_told(call.term, tuple(each == at for each in range(len(call.args)))))

    def _members_told(self, name: str, known: tuple[bool, ...]) -> list[int]:
        """The places of those known members among the arguments of a term for which it has no versions."""
        counts = {
            at: self.count(kind.kind) for at, kind in enumerate(self.symbols.terms[name].params.values())
            if kind.base == "ref" and known[at]
        }  # fmt: skip
        told = []
        while counts and self.length(name) * prod(counts.values()) > LONGEST_VERSIONS:
            told.append(max(counts, key=counts.__getitem__))
            del counts[told[-1]]
        return told

    def by_member(self, name: str, known: Version) -> str | None:
        """The name of a new table with the functions of a term, one for each member that it may be asked of.

        None unless it asks whether walks from this member meet enough others.
        """
        conditions = self.of_each_member(name, known) if sum(not isinstance(each, int) for each in known) == 1 else None
        if conditions is None:
            return None
        table = self.module.name("A")
        functions = [f"{table}_{at}" for at in range(len(conditions))]
        for function, condition in zip(functions, conditions, strict=True):
            self.module.define(function, [], [f"return {condition}"])
        self.module.functions.append(f"{table} = [{', '.join(functions)}]")
        return table

    def of_each_member(self, name: str, known: Version) -> list[Code] | None:
        """The condition that a term is for each member."""
        term = self.symbols.terms[name]
        asked, of = next(
            (param, of) for (param, of), each in zip(term.params.items(), known, strict=True)
            if not isinstance(each, int)
        )  # fmt: skip
        if term.body is None or of.base != "ref" or of.maybe or self.count(of.kind) > MOST_WRITTEN:
            return None
        inner, conditions = self.parameters(term.params, known), list[Code]()
        for member in range(self.count(of.kind)):
            condition = self.enough_met(term.body, {**inner, asked: member})
            if condition is None:
                return None
            conditions.append(condition)
        return conditions

    def _length(self, name: str) -> int:
        """How long the code of a term is of which no argument is known, in characters."""
        with self.trying():
            _, lines = self.term_body(name, tuple(None for _ in self.symbols.terms[name].params))
        return sum(map(len, lines))

    def term_body(self, name: str, known: Version) -> Function:
        """The function of a term."""
        term = self.symbols.terms[name]
        assert term.body is not None
        inner = self.parameters(term.params, known)
        return unknown(inner), self.returned(term.body, inner)

    def parameters(self, params: Mapping[str, Type], known: Version) -> Env:
        """What a version of a function calls its arguments."""
        return {
            name: each if isinstance(each, int) else self.perhaps(Piece(f"p_{name}", each), kind)
            for (name, kind), each in zip(params.items(), known, strict=True)
        }

    def version(self, what: Key, args: list[Code]) -> tuple[Version, list[str]]:
        """Which version of a function serves these arguments, and those of them that it is given.

        Arguments that are known are written into it, and so are the ranges of others; beyond MOST_VERSIONS a general
        one serves.
        """
        known = tuple(arg if isinstance(arg, int) else interval_of(arg) for arg in args)
        if (*what, known) not in self.module.into.names:
            self.versions[what] = self.versions.get(what, 0) + 1
            if self.versions[what] > MOST_VERSIONS:
                known = tuple(None for _ in args)
        given = [str(arg) for arg, each in zip(args, known, strict=True) if not isinstance(each, int)]
        return known, given

    def possible_code(self, tree: n.Possible, env: Env) -> Code:
        action, you = self.emit(tree.action, env), env["you"]
        if isinstance(action, int):
            return self.possible(action, you)
        count = self.count("action")
        cases = [f"({action} == {number} and {self.possible(number, you)})" for number in range(count)]
        return f"({' or '.join(cases)})"


def _within(code: Code, count: int, is_member: bool, maybe: bool) -> Code:
    """Whether a number is a place among so many; a member is, unless it is none."""
    if is_member:
        return compare(">=", code, 0) if maybe else 1
    return join("and", [compare("<=", 0, code), compare("<", code, count)])
