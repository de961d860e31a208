"""How far a position is from one in which a condition comes out in a wanted way.

This is the branch distance of search-based testing (Korel, "Automated Software Test Data Generation", 1990; Tracey and
others, "An Automated Framework for Structural Test-Data Generation", 1998), written as an expression of the rules'
own language: 0 where the condition comes out so, else a number that is less the nearer the position comes to that.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from polis_rules.semantics import TypedRules, called_by, every_step, inside, ir
from polis_rules.semantics.expressions import BOOL, INT, OPPOSITE, Expr, Type, conjunction, free_names, nodes as n
from polis_rules.verification.coverage.reach import Key
from polis_rules.verification.rewriter import label_of

FAR = n.number(1000)
"""How far a position is from what never comes out so."""

NEAR, UNLIKE = n.number(0), n.number(10)
"""How far it is to what holds already, and to what holds or does not, without numbers that come nearer."""

DEPTH = 3
"""So deep one procedure is gone into from another."""

YOU, WHOEVER = "you", "whoever"

MOST = 20_000
"""A distance that takes more parts of expressions than so many to work out is left alone."""

MOST_NAMES = 50
"""So is a condition that reads more local names, each counted as often as it stands for others."""

NUMBERS = 10
"""So many numbers are thought to be in a range."""

ROUTE = 50
"""To look for a route takes as long as so many parts."""


Aim = tuple[Key, bool]
"""A condition, and how it should come out."""


class Bound(NamedTuple):
    """What a local name stands for: a value, or any member of a domain that meets some tests."""

    value: Expr | None = None
    domain: Expr | None = None
    tests: tuple[Expr, ...] = ()
    if_possible: bool = False


Bounds = Mapping[str, Bound]


@dataclass(frozen=True, slots=True)
class Asked:
    """A condition where it stands in the rules: those asked before it hold, and names stand for something."""

    key: Key
    test: Expr
    before: tuple[Expr, ...]
    bounds: Bounds


class Distances:
    """The distances for all conditions of some rules.

    `trees` holds them by what is asked and how it has to come out; each reads no local name. They may ask terms that
    the rules do not have: `symbols` of `rules` has those too.
    """

    def __init__(self, rules: TypedRules) -> None:
        self._terms = dict(rules.symbols.terms)
        self._given, self._count = rules.symbols.terms, rules.symbols.count
        self._costs: dict[str, int] = {}
        self._raised = _raised(rules)
        self.trees: dict[Aim, Expr] = {}
        for asked in _Walk(rules).all():
            for wanted in (False, True):
                tree = self._closed(asked, wanted)
                if tree is None:
                    continue
                key = asked.key, wanted
                known = self.trees.get(key)
                self.trees[key] = tree if known is None else n.MinMax(INT, "min", (known, tree))
        self.rules = replace(rules, symbols=replace(rules.symbols, terms=self._terms))

    def of(self, tree: Expr, wanted: bool) -> Expr:
        """How far it is to `tree` coming out as `wanted`, with the names that it reads."""
        match tree:
            case n.Const(value=value):
                return NEAR if bool(value) == wanted else FAR
            case n.Not(item=item):
                return self.of(item, not wanted)
            case n.Bool(op=op, items=items):
                return _together([self.of(item, wanted) for item in items], (op == "and") == wanted)
            case n.Compare(op=op, left=left, right=right) if left.type.base == "int":
                return _between(op if wanted else OPPOSITE[op], left, right)
            case n.Comp(func="any" | "all", test=test, body=body):
                out = (tree.func == "any") == wanted
                parts = [self.of(body, wanted)] + ([self.of(test, out)] if test is not None else [])
                inner = _together(parts, out)
                if out:
                    return n.Comp(INT, "min", tree.var, tree.domain, None, inner, FAR)
                return n.Comp(INT, "sum", tree.var, tree.domain, None, inner)
            case n.IfElse(test=test, then=then, other=other):
                ways = [(self.of(test, True), self.of(then, wanted)), (self.of(test, False), self.of(other, wanted))]
                return _together([_together(way, True) for way in ways], False)
            case n.Call(term=name, args=args):
                return n.Call(INT, self._term(name, wanted), args)
            case n.Load(args=(member,)) if wanted and (raised := self._raised.get((tree.owner, tree.name))) is not None:
                every = n.Const(Type("set", member.type.kind), sum(1 << each for each in raised))
                return n.IfElse(INT, tree, NEAR, n.IfElse(INT, n.Contains(BOOL, member, every), UNLIKE, FAR))
        return n.IfElse(INT, tree, NEAR if wanted else UNLIKE, UNLIKE if wanted else NEAR)

    def _term(self, name: str, wanted: bool) -> str:
        """The term that says how far it is to another one coming out as wanted."""
        own = f"{'to' if wanted else 'from'}_{name}"
        while own in self._given:
            own += "_"
        if own not in self._terms:
            term = self._given[name]
            assert term.body is not None
            self._terms[own] = replace(term, name=own, body=FAR)  # a term does not ask itself
            self._terms[own] = replace(term, name=own, body=self.of(term.body, wanted))
        return own

    def _closed(self, asked: Asked, wanted: bool) -> Expr | None:
        """The distance with all names bound: the least of all that they may stand for. None where that is not known."""
        trees = [_there(tree, asked.bounds) for tree in (asked.test, *asked.before)]
        if any(isinstance(part, n.Possible) for tree in trees for part in tree.walk()):
            return None
        types = _types(trees)
        tree = _together([self.of(each, wanted if not at else True) for at, each in enumerate(trees)], True)
        for _ in range(MOST_NAMES):
            names = free_names(tree)
            if not names:
                return tree
            # what stands for a value first, as that may read names that others stand for
            name = max(names, key=lambda each: (_bound(each, asked).value is not None, each != YOU, each))
            bound = _bound(name, asked)
            if bound.value is not None:
                value = _there(bound.value, asked.bounds)
                tree, types = n.substitute(tree, {name: value}), types | _types([value])
                continue
            kind = types.get(name)
            if kind is None or kind.base != "ref":
                return None
            domain = bound.domain or n.Everyone(Type("set", kind.kind))
            tests = [_there(each, asked.bounds) for each in bound.tests]
            types |= _types([domain, *tests])
            inner = _together([tree, *(self.of(each, True) for each in tests)], True)
            if name == YOU:  # which loops do not stand for
                inner = n.substitute(inner, {YOU: n.Var(kind, WHOEVER)})
            tree = n.Comp(INT, "min", WHOEVER if name == YOU else name, domain, None, inner, FAR)
            if self._cost(tree) > MOST:
                return None
        return None

    def _cost(self, tree: Expr) -> int:
        """About how many parts of expressions have to be worked out for one."""
        if isinstance(tree, n.Comp):
            inner = self._cost(tree.body) + (self._cost(tree.test) if tree.test is not None else 0)
            kind = tree.domain.type.kind
            return self._cost(tree.domain) + (self._count(kind) if kind else NUMBERS) * inner
        if isinstance(tree, n.Call) and tree.term not in self._costs:
            body = self._terms[tree.term].body
            assert body is not None
            self._costs[tree.term] = self._cost(body)
        own = self._costs[tree.term] if isinstance(tree, n.Call) else ROUTE if isinstance(tree, n.RouteQuestion) else 1
        return own + sum(map(self._cost, tree.children()))


def _raised(rules: TypedRules) -> dict[tuple[str, str], set[int]]:
    """Flags that are set for certain members only, by owner and name: nowhere else do they come to hold."""
    found: dict[tuple[str, str], set[int]] = {}
    elsewhere = {(start.owner, start.name) for start in rules.starts if start.value}
    for step in (step for procedure in rules.procedures.values() for step in every_step(procedure.body)):
        if isinstance(step, ir.Set) and step.target.type.base == "bool" and step.value != n.FALSE:
            key = step.target.owner, step.target.name
            match step.target.args:
                case (n.Const(value=member),):
                    found.setdefault(key, set()).add(member)
                case _:
                    elsewhere.add(key)
    held = {key for key in found if rules.symbols.variable(*key).start is not None}
    return {key: members for key, members in found.items() if key not in elsewhere | held}


def _bound(name: str, asked: Asked) -> Bound:
    """What a name stands for where a condition is asked."""
    return asked.bounds.get(name, Bound())


def _types(trees: Sequence[Expr]) -> dict[str, Type]:
    """The types of the local names that some expressions read."""
    return {part.name: part.type for tree in trees for part in tree.walk() if isinstance(part, n.Var)}


def _there(tree: Expr, bounds: Bounds) -> Expr:
    """The same, where it is asked whether a name that was to be chosen is none: whether nothing could be chosen."""
    match tree:
        case n.Compare(op="==" | "!=" as op, left=n.Var(name=name), right=n.Const(value=-1)) if (
            name in bounds and bounds[name].if_possible and bounds[name].domain is not None
        ):
            bound = bounds[name]
            assert bound.domain is not None
            some = n.Comp(BOOL, "any", name, bound.domain, None, conjunction(bound.tests) or n.TRUE)
            return n.Not(BOOL, some) if op == "==" else some
    return tree.rebuilt(lambda part: _there(part, bounds))


def _together(parts: Sequence[Expr], all_of_them: bool) -> Expr:
    """The distance of several conditions that all have to come out so, or one of them."""
    if len(parts) == 1:
        return parts[0]
    if not all_of_them:
        return n.MinMax(INT, "min", tuple(parts))
    total, *more = parts
    for part in more:
        total = n.Arith(INT, "+", total, part)
    return total


def _between(op: str, left: Expr, right: Expr) -> Expr:
    """How far two numbers are from a comparison that holds."""
    lead = n.Arith(INT, "-", left, right)
    match op:
        case "==":
            return n.Abs(INT, lead)
        case "!=":
            return n.IfElse(INT, n.Compare(BOOL, "==", left, right), n.number(1), NEAR)
        case ">" | ">=":
            lead = n.Arith(INT, "-", right, left)
    return n.MinMax(INT, "max", (NEAR, lead if op in ("<=", ">=") else n.Arith(INT, "+", lead, n.number(1))))


class _Walk:
    """Goes through rules, into procedures from where they are done: what their names stand for is known there."""

    def __init__(self, rules: TypedRules) -> None:
        self.rules = rules
        self.done: set[str] = set()
        """the procedures that are done with something"""
        self.within: list[str] = []
        """the procedures that are gone into"""

    def all(self) -> Iterator[Asked]:
        """All conditions, some of them several times."""
        rules = self.rules
        for term in rules.symbols.terms.values():
            if term.body is not None and term.body.type.base == "bool":
                yield Asked(("term", term.text.span, term.name), term.body, (), {})
        for action in rules.actions:
            yield from _conditions(action.conditions, (), {})
            yield from self.steps((action.first,) if action.first is not None else (), {})
        without = {path: each for path, each in rules.procedures.items() if not each.params}
        for procedure in without.values():
            yield from self.steps(procedure.body, {})
        for path in rules.procedures.keys() - without.keys() - self.done:
            yield from self.steps(rules.procedures[path].body, {})

    def into(self, path: str, args: Sequence[Expr], bounds: Bounds) -> Iterator[Asked]:
        """The conditions of a procedure that is done with something; none of one that is gone into already."""
        procedure = self.rules.procedures[path]
        if not procedure.params or path in self.within or len(self.within) == DEPTH:
            return
        self.done.add(path)
        self.within.append(path)
        outer = {_outer(name): _moved(bound) for name, bound in bounds.items()}
        params = zip(procedure.params, args, strict=True)
        yield from self.steps(procedure.body, outer | {name: Bound(_renamed(arg)) for name, arg in params})
        self.within.pop()

    def steps(self, steps: Sequence[ir.Step], bounds: Bounds) -> Iterator[Asked]:
        """The conditions in some steps."""
        here = dict(bounds)
        for step in steps:
            match step:
                case ir.Choose():
                    yield from self.choice(step, here)
                case ir.Draw():
                    here[step.var] = Bound(domain=step.source, if_possible=step.if_possible)
                    yield from _conditions(step.conditions, (), here)
                    here[step.var] = here[step.var]._replace(tests=tuple(each.test for each in step.conditions))
                case ir.Let():
                    here[step.var] = Bound(step.value)
                case ir.Do():
                    yield from self.into(step.procedure, step.args, here)
                case ir.DoEffects():
                    for path in called_by(step, self.rules.symbols):
                        yield from self.into(path, step.args, here)
                case ir.As():
                    yield from self.steps(step.body, here | {YOU: Bound(step.player)})
                case ir.Each():
                    tests = (step.test,) if step.test is not None else ()
                    yield from self.steps(step.body, here | {step.var: Bound(domain=step.domain, tests=tests)})
                case _:
                    if isinstance(step, ir.If | ir.While):
                        yield Asked(("condition", step.span, label_of(step)), step.test, (), here)
                    for inner in inside(step):
                        yield from self.steps(inner, here)

    def choice(self, step: ir.Choose, here: dict[str, Bound]) -> Iterator[Asked]:
        """The conditions of a decision, whose names are added to those here."""
        for way in step.ways:
            yield from _conditions(way.conditions, (), here)
            yield from self.steps(way.do, here)
        if not step.var:
            return
        here[step.var] = Bound(domain=step.source, if_possible=step.if_possible)
        yield from _conditions(step.conditions, (), here)
        tests = tuple(each.test for each in step.conditions)
        for part in step.parts:
            here[part.var] = Bound(domain=part.source)
            yield from _conditions(part.conditions, tests, here)
            tests += tuple(each.test for each in part.conditions)
        here[step.var] = here[step.var]._replace(tests=tests)
        yield from self.steps(step.do, here)


def _conditions(conditions: Sequence[ir.Condition], before: tuple[Expr, ...], bounds: Bounds) -> Iterator[Asked]:
    """Conditions that are asked one after the other."""
    for each in conditions:
        yield Asked(("requirement", each.span, each.label), each.test, before, dict(bounds))
        before += (each.test,)


def _outer(name: str) -> str:
    """The name inside a procedure for one of whoever does it. Authors write theirs in lower case."""
    return name if name == YOU else f"OF_{name}"


def _renamed(tree: Expr) -> Expr:
    """An expression of whoever does a procedure, as it is read inside it."""
    read = free_names(tree)
    names = (part for part in tree.walk() if isinstance(part, n.Var) and part.name in read)
    return n.substitute(tree, {part.name: replace(part, name=_outer(part.name)) for part in names})


def _moved(bound: Bound) -> Bound:
    """The same bound, as it is read inside a procedure."""
    value, domain = (None if each is None else _renamed(each) for each in (bound.value, bound.domain))
    return Bound(value, domain, tuple(map(_renamed, bound.tests)), bound.if_possible)
