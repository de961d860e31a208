"""Walks as Python: written out where it is known where they lead, otherwise a function that goes along each."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from polis_rules.interpreter.compiler.python.comprehensions import LONGEST
from polis_rules.interpreter.compiler.python.loops import AFTER, Known, LoopWriter, either, given_names, met, named
from polis_rules.interpreter.compiler.python.module import Env, Function, simple
from polis_rules.interpreter.compiler.python.numbers import Code, Piece, calculate, cheap, compare, place, total
from polis_rules.interpreter.compiler.python.pieces import join, negate, shift, union
from polis_rules.interpreter.compiler.python.writer import Lines
from polis_rules.semantics import Interval, lines_of
from polis_rules.semantics.expressions import NONE, Arith, Attr, Call, Comp, Compare, Const, Expr, Size, free_names

NOWHERE = Const(NONE, -1)
"""Stands for where a walk begins, which makes no difference to its function."""

LONGEST_LINE = 20
"""Along a line of more members a walk is not written out: each member stands inside the one before."""

SHORTEST = 60
"""A condition of a line's first member is written beside the call only if it has at most so many characters."""

MOST_WRITTEN = 64
"""A condition of what walks from a member meet is written for each member where there are at most so many."""

MOST_NEEDED = 5
"""Where walks need to meet more members than this, they are gone along."""

FEWEST = {">=": 0, ">": 1}
"""How many more than a number are needed."""


class WalkWriter(LoopWriter):
    """Writes walks, and what goes over the members that they meet."""

    def walk(self, tree: Comp, env: Env) -> Code:
        """The call of the function that lists the members a walk meets."""
        start = self.emit(tree.domain, env)
        if start == -1:  # none: a check keeps it from being asked
            return "[]"
        known, given = given_names(_inside(tree), env)
        name = self.module.function(("walk", replace(tree, domain=NOWHERE), known), "walk")
        return f"{name}({', '.join(['s', str(start), *given])})"

    def walk_body(self, tree: Comp, known: Known) -> Function:
        """The function of a walk, which is given where it begins and what is not known."""
        env, params = named(known, "p")
        member = self.module.name("v_walk")
        with self.hoisting() as before:
            loop = self.along(tree, member, env)
        return ["m", *params], [*before, "o = []", *loop, f"    o.append({member})", "return o"]

    def along(self, tree: Comp, member: str, env: Env) -> Lines:
        """The lines that begin a loop over the members that a walk meets, from `m` on."""
        holds = self.emit(tree.test, {**env, tree.var: member}) if tree.test is not None else 1
        stop = [] if holds == 1 else [f"    if not {holds}: break"]
        if (lines := lines_of(tree, self.symbols)) is not None:
            return [f"for {member} in {self.module.constant('W', lines)}[{self.at(tree, 'm', env)}]:", *stop]
        step = self.emit(tree.body, {**env, tree.var: member})
        again = f"    if {member} < 0 or {member} in b: break"
        return [
            f"b = {{m}}; {member} = m",
            "while True:",
            f"    {member} = {step}",
            again,
            f"    b.add({member})",
            *stop,
        ]

    def at(self, tree: Comp, start: Code, env: Env) -> Code:
        """Which of its lines a walk goes along."""
        assert isinstance(tree.body, Attr)
        own, *strides = self.symbols.strides(self.symbols.kinds[tree.body.owner].attributes[tree.body.name])
        codes = [self.emit(arg, env) for arg in tree.body.args[1:]]
        return place(0, [(start, own), *zip(codes, strides, strict=True)])

    # -- what goes over a walk --------------------------------------------------------------------------------------

    def over_walk(self, tree: Comp, env: Env) -> Code | None:
        """A comprehension over the members that a walk meets; None where it goes over something else."""
        walk, inner = self.walked(tree.domain, env)
        if walk is None or not all(cheap(code) for code in inner.values()):
            return None
        start = self.emit(walk.domain, inner)
        lines = lines_of(walk, self.symbols)
        at = self.at(walk, start, inner) if lines is not None and start != -1 else ""
        if lines is not None and isinstance(at, int) and not self.module.into.compact:
            code = self.followed(tree, walk, lines[at], env, inner) if len(lines[at]) <= LONGEST_LINE else None
            if isinstance(code, int) or (code is not None and len(code) <= LONGEST):
                return code
        if tree.func not in AFTER or start == -1:
            return None
        known, given = given_names(_inside(walk), inner)
        outer, more = given_names(_inside(tree), env)
        key = ("along", replace(tree, domain=NOWHERE), replace(walk, domain=NOWHERE), known, outer)
        call = f"{self.module.function(key, 'along')}({', '.join(['s', str(start), *given, *more])})"
        if lines is None or walk.test is None or self.module.into.compact:
            return call
        # most lines end where they begin, which is asked without a call; where there is no line, of any member
        begins = self.module.constant("W", tuple(line[0] if line else 0 for line in lines))
        on = self.emit(walk.test, {**inner, walk.var: f"{begins}[{at}]"})
        if isinstance(on, int) or len(on) > SHORTEST:
            return call
        end = AFTER[tree.func][1]
        return f"({call} if {on} else {0 if end == 'n' else end})"

    # -- one walk after the other -----------------------------------------------------------------------------------

    def returned(self, tree: Expr, env: Env) -> Lines:
        """The lines that return a value. Whether any sum of walks is long enough is asked of one after the other."""
        match tree:
            case Comp(_, "any", var, domain, None, Compare(_, op, left, right)) if domain.type.base == "set":
                if self.module.into.checks or self.module.into.compact:
                    return super().returned(tree, env)
            case _:
                return super().returned(tree, env)
        before, members = self.ahead(lambda: self.members(domain, env))
        if (
            before
            or members is None
            or any(inside != 1 for _, inside in members)
            or not any(self.line(part, {**env, var: 0}) for part in added(left))
        ):
            return super().returned(tree, env)
        lines: Lines = []
        for member, _ in members:
            inner = {**env, var: member}
            with self.hoisting() as before:
                test = compare(op, self.counted_before(left, inner), self.emit(right, inner))
            lines += [*before, f"if {test}: return True"]
        return [*lines, "return False"]

    def enough_met(self, tree: Expr, env: Env) -> Code | None:
        """Whether for any member of a set the walks of a sum meet enough others; None where something else is asked."""
        match tree:
            case Comp(_, "any", var, domain, None, Compare(_, op, left, Const(value=needed))) if op in FEWEST:
                if self.module.into.checks or self.module.into.compact or domain.type.base != "set":
                    return None
            case _:
                return None
        before, members = self.ahead(lambda: self.members(domain, env))
        if members is None or before:
            return None
        written: list[Code] = []
        for member, inside in members:
            code = self.long_enough(left, needed + FEWEST[op], {**env, var: member})
            if code is None:
                return None
            written.append(join("and", [inside, code]))
        return join("or", written)

    def long_enough(self, tree: Expr, fewest: int, env: Env) -> Code | None:
        """Whether walks from known members meet so many together; None where something else is added or asked."""
        tests: list[list[Code]] = []
        for part in added(tree):
            line = self.line(part, env)
            start = None if line is None else self.emit(line[0].domain, line[1])
            if line is None or not isinstance(start, int):
                return None
            (walk, inner), lines = line, lines_of(line[0], self.symbols)
            assert lines is not None and walk.test is not None
            at = self.at(walk, start, inner)
            if not isinstance(at, int):
                return None
            before, met = self.ahead(
                lambda walk=walk, inner=inner, line=lines[at]: [  # type: ignore[misc]
                    self.emit(walk.test, {**inner, walk.var: member}) for member in line
                ]
            )
            if before or fewest > MOST_NEEDED:
                return None
            tests.append(met)
        return so_many_first(tests, fewest)

    def line(self, tree: Expr, env: Env) -> tuple[Comp, Env] | None:
        """The walk along a line of which an expression says how many members it meets."""
        if isinstance(tree, Size) and tree.group.type.base == "list":
            walk, inner = self.walked(tree.group, env)
            if walk is not None and lines_of(walk, self.symbols) is not None and walk.test is not None:
                return walk, inner
        return None

    def counted_before(self, tree: Expr, env: Env) -> Code:
        """The code of a sum; how many members walks meet is counted together in lines before."""
        counter, most, rest = self.module.name("h"), 0, []
        lines: Lines = []
        for part in added(tree):
            line = self.line(part, env)
            along = None if line is None else self.counted_along(*line, counter)
            if along is None:
                rest.append((self.emit(part, env), 1))
            else:
                lines += along[0]
                most += along[1]
        if not lines:
            return total(rest)
        self.hoists += [f"{counter} = 0", *lines]
        return total([(Piece(counter, Interval(0, most)), 1), *rest])

    def counted_along(self, walk: Comp, env: Env, counter: str) -> tuple[Lines, int] | None:
        """Lines that count the members which a walk along a line meets, and how many these may be.

        None where it is not known which line begins at a member, or what stops the walk is not short.
        """
        lines, start = lines_of(walk, self.symbols), self.emit(walk.domain, env)
        assert lines is not None and walk.test is not None and isinstance(walk.body, Attr)
        own, *strides = self.symbols.strides(self.symbols.kinds[walk.body.owner].attributes[walk.body.name])
        which = place(0, [(self.emit(arg, env), step) for arg, step in zip(walk.body.args[1:], strides, strict=True)])
        member = self.module.name("v_walk")
        with self.hoisting() as before:
            holds = self.emit(walk.test, {**env, walk.var: member})
        if before or isinstance(holds, int) or len(holds) > SHORTEST:
            return None
        if isinstance(which, str) or isinstance(start, int) or not simple(start):
            return None
        first, slots = 0, re.findall(rf"s\[{member}\+(\d+)\]", holds)
        if len(slots) == holds.count(member) and len({*slots}) == 1:  # only slots are asked: these stand in the table
            first, holds = int(slots[0]), holds.replace(f"s[{member}+{slots[0]}]", f"s[{member}]")
        mine = tuple(tuple(first + each for each in line) for line in lines[which::own])
        begins = self.module.constant("W", tuple(line[0] if line else first for line in mine))
        # most lines end where they begin; where there is no line, any member is asked
        return [
            f"if {holds.replace(member, f'{begins}[{start}]')}:",
            f"    for {member} in {self.module.constant('W', mine)}[{start}]:",
            f"        if not {holds}: break", f"        {counter} += 1",
        ], max(map(len, mine))  # fmt: skip

    def walked(self, domain: Expr, env: Env) -> tuple[Comp | None, Env]:
        """The walk that something goes over, also one that terms stand for, with what its names are."""
        while isinstance(domain, Call):
            term = self.symbols.terms[domain.term]
            assert term.body is not None
            env = dict(zip(term.params, [self.emit(arg, env) for arg in domain.args], strict=True))
            domain = term.body
        return (domain, env) if isinstance(domain, Comp) and domain.func == "walk" else (None, env)

    def followed(self, tree: Comp, walk: Comp, line: Iterable[int], env: Env, inner: Env) -> Code | None:
        """The same along a known line: what holds of its first member, and then of its second, and so on."""
        if tree.func not in AFTER and tree.func != "set":
            return None
        code: Code = {"all": 1, "first": -1}.get(tree.func, 0)
        for member in reversed([*line]):
            here, mine = {**env, tree.var: member}, {**inner, walk.var: member}
            on = self.emit(walk.test, mine) if walk.test is not None else 1
            test = self.emit(tree.test, here) if tree.test is not None else 1
            body: Code = 1 if tree.func in ("count", "first") else self.emit(tree.body, here)
            match tree.func:
                case "any":
                    code = join("and", [on, join("or", [join("and", [test, body]), code])])
                case "all":
                    code = join("or", [negate(on), join("and", [join("or", [negate(test), body]), code])])
                case "count" | "sum":
                    code = either(on, calculate("+", either(test, body, 0), code), 0)
                case "set":
                    code = either(on, union([either(test, shift(body), 0), code]), 0)
                case "first":
                    code = either(on, either(test, member, code), -1)
        return code

    def along_body(self, tree: Comp, walk: Comp, known: Known, outer: Known) -> Function:
        """The function of a comprehension over a walk, which is given where it begins and what is not known."""
        inner, params = named(known, "p")
        env, more = named(outer, "q")
        member = self.module.name("v_walk")
        with self.hoisting() as before:
            loop = self.along(walk, member, inner)
            test = self.each_test(tree, {**env, tree.var: member})
        return ["m", *params, *more], [*before, *met(tree.func, loop, member, test)]


def so_many_first(tests: list[list[Code]], fewest: int) -> Code:
    """Whether so many tests hold, counting in each list those before the first that does not.

    >>> so_many_first([["a", "b"], ["c"]], 2)
    '(a and (b or c))'
    """
    if fewest <= 0:
        return 1
    if sum(map(len, tests)) < fewest:
        return 0
    first, *others = tests
    without = so_many_first(others, fewest) if others else 0
    if not first:
        return without
    test, then = first[0], so_many_first([first[1:], *others], fewest - 1)
    if without == 0:
        return join("and", [test, then])
    return join("or", [test, without]) if then == 1 else either(test, then, without)


def added(tree: Expr) -> list[Expr]:
    """The parts of a sum."""
    if isinstance(tree, Arith) and tree.op == "+":
        return [*added(tree.left), *added(tree.right)]
    return [tree]


def _inside(tree: Comp) -> list[str]:
    """The local names from outside that each round of a comprehension reads."""
    return sorted((free_names(tree.body) | (free_names(tree.test) if tree.test is not None else set())) - {tree.var})
