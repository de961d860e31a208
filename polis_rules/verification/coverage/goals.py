"""How far a position is from meeting what no game has met, as an expression: the branch distance of search-based
testing (Korel 1990), to which games are led that look for it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import prod

from polis_rules.semantics import TypedRules, Worth, every_step, inside, ir
from polis_rules.semantics.expressions import BOOL, INT, Expr, Type, conjunction, nodes as n, number, substitute
from polis_rules.verification.coverage.instrument import Count
from polis_rules.verification.coverage.reach import Key
from polis_rules.verification.rewriter import label_of

FAR = 99
"""How far it is where nobody is there of whom something could hold."""
DEEP = 4
"""So deep terms are taken apart; of deeper ones it is only asked whether they hold."""
WIDE = 4000
"""Over so many combinations of members a distance is worked out at most."""
CALLS = 24
"""A procedure that is called at more places is looked at without what they hand over."""


def distance(tree: Expr, rules: TypedRules, wanted: bool = True, depth: int = 0) -> Expr:
    """How far a condition is from holding, or from not holding: 0 where it is as wanted.

    Of comparisons of numbers it is what is lacking, of several conditions the sum, of alternatives the least.

    >>> low = n.Compare(BOOL, "<", n.Var(INT, "a"), n.Var(INT, "b"))
    >>> distance(low, TypedRules(None)).op
    'max'
    """

    def of(part: Expr, wanted: bool = wanted) -> Expr:
        return distance(part, rules, wanted, depth)

    match tree:
        case n.Not():
            return of(tree.item, not wanted)
        case n.Bool():
            parts = tuple(map(of, tree.items))
            return _sum(parts) if (tree.op == "and") == wanted else n.MinMax(INT, "min", parts)
        case n.Compare(op="!=" | "==", left=n.Comp(func="first") as first, right=n.Const(value=-1)):
            there = n.Comp(BOOL, "any", first.var, first.domain, None, n.TRUE if first.test is None else first.test)
            return of(there, wanted == (tree.op == "!="))
        case n.Compare() if tree.left.type == INT:
            return _lacking(tree.op if wanted else n.OPPOSITE[tree.op], tree.left, tree.right)
        case n.IfElse():
            return n.IfElse(INT, tree.test, of(tree.then), of(tree.other))
        case n.Comp(func="any" | "all"):
            if (tree.func == "any") == wanted:
                body = of(tree.body) if tree.test is None else _sum((of(tree.test, True), of(tree.body)))
                return n.Comp(INT, "min", tree.var, tree.domain, None, body, number(FAR))
            return n.Comp(INT, "sum", tree.var, tree.domain, tree.test, of(tree.body))
        case n.Call() if depth < DEEP:
            term = rules.symbols.terms[tree.term]
            if term.body is not None:
                body = substitute(term.body, dict(zip(term.params, tree.args, strict=True)))
                return distance(body, rules, wanted, depth + 1)
    return n.IfElse(INT, tree, number(int(not wanted)), number(int(wanted)))


def _sum(parts: Sequence[Expr]) -> Expr:
    total, *rest = parts
    for part in rest:
        total = n.Arith(INT, "+", total, part)
    return total


def _lacking(op: str, left: Expr, right: Expr) -> Expr:
    """How far a comparison of numbers is from holding."""
    if op in (">", ">="):
        return _lacking(n.TURNED[op], right, left)
    apart = n.Arith(INT, "-", left, right)
    if op in ("==", "!="):
        here = n.Compare(BOOL, "==", left, right)
        return n.Abs(INT, apart) if op == "==" else n.IfElse(INT, here, number(1), number(0))
    return n.MinMax(INT, "max", (number(0), apart if op == "<=" else n.Arith(INT, "+", apart, number(1))))


@dataclass(frozen=True, slots=True)
class Place:
    """A place where something stands: what has to hold before it is asked or done, and the condition that it is."""

    before: tuple[Expr, ...]
    test: Expr | None


@dataclass
class Goals:
    """Goes through rules; `places` are those of each thing that coverage counts."""

    rules: TypedRules
    places: dict[Key, list[Place]] = field(default_factory=lambda: defaultdict(list))

    def __post_init__(self) -> None:
        rules = self.rules
        for name, term in rules.symbols.terms.items():
            self.places["term", term.text.span, name].append(Place((), term.body))
        calls: dict[str, dict[tuple[Expr, ...], None]] = defaultdict(dict)
        for procedure in rules.procedures.values():
            for step in every_step(procedure.body):
                if isinstance(step, ir.Do):
                    calls[step.procedure][step.args] = None
        begun = {action.procedure: self._tests((), action.conditions, {}) for action in rules.actions}
        for path, procedure in rules.procedures.items():
            handed = [*calls[path]] if 0 < len(calls[path]) <= CALLS else []
            for args in handed or [()]:
                self._steps(procedure.body, begun.get(path, ()), dict(zip(procedure.params, args, strict=False)))

    def _tests(
        self, before: tuple[Expr, ...], conditions: Iterable[ir.Condition], names: Mapping[str, Expr]
    ) -> tuple[Expr, ...]:
        """Note conditions that are asked one after the other; what holds after them."""
        for each in conditions:
            test = substitute(each.test, {**names})
            self.places["requirement", each.span, each.label].append(Place(before, test))
            before = (*before, test)
        return before

    def _steps(self, steps: tuple[ir.Step, ...], before: tuple[Expr, ...], names: dict[str, Expr]) -> None:
        names = {**names}
        for step in steps:
            self.places["effect", step.span, label_of(step)].append(Place(before, None))
            match step:
                case ir.Let():
                    names[step.var] = substitute(step.value, names)
                case ir.If() | ir.While():
                    test = substitute(step.test, names)
                    self.places["condition", step.span, label_of(step)].append(Place(before, test))
                    self._steps(step.then if isinstance(step, ir.If) else step.body, (*before, test), names)
                    if isinstance(step, ir.If):
                        self._steps(step.other, (*before, n.Not(BOOL, test)), names)
                case ir.Choose():
                    for way in step.ways:
                        self._steps(way.do, self._tests(before, way.conditions, names), names)
                    among = tuple(
                        n.Contains(BOOL, n.Var(Type("ref", source.type.kind), name), substitute(source, names))
                        for name, source in step.chosen
                        if source is not None and not isinstance(source, n.Everyone)
                    )
                    chosen = self._tests((*before, *among), step.tests, names)
                    self._steps(step.do, chosen, names)
                    self._tests(chosen, step.leaving, names)
                    if not step.if_possible and not step.ways:
                        before = chosen
                    elif step.if_possible and step.source is not None and not step.parts:
                        first = conjunction([substitute(each.test, names) for each in step.tests])
                        source, kind = substitute(step.source, names), Type("ref", step.source.type.kind)
                        var = n.Var(kind, step.var)
                        names[step.var] = n.Comp(kind, "first", step.var, source, first, var)
                case ir.Draw():
                    self._tests(before, step.conditions, names)
                case ir.Several():
                    self._tests(before, step.choice.tests, names)
                case ir.Each():
                    more = () if step.test is None else (substitute(step.test, names),)
                    self._steps(step.body, (*before, *more), names)
                case ir.As():
                    self._steps(step.body, before, {**names, "you": substitute(step.player, names)})
                case _:
                    for each in inside(step):
                        self._steps(each, before, names)

    def goal(self, count: Count) -> Expr | None:
        """How far positions are from meeting a thing, at the nearest of its places; None where nothing tells."""
        found = (self._far(each, count) for each in self.places.get((count.what, count.span, count.label), ()))
        ways = tuple(dict.fromkeys(each for each in found if each is not None))
        return None if not ways else ways[0] if len(ways) == 1 else n.MinMax(INT, "min", ways)

    def _far(self, place: Place, count: Count) -> Expr | None:
        """The distance at one place, for those members for which it is least."""
        tests = [*place.before]
        if place.test is not None and count.yes_no and count.met != "never":
            tests.append(place.test if count.met == "never true" else n.Not(BOOL, place.test))
        kept: list[Expr] = []
        free: dict[str, Type] = {}
        for test in reversed(tests):  # what is asked last tells most
            names = {each.name: each.type for each in _free(test)}
            together = {**free, **names}
            sizes = [self.rules.symbols.count(each.kind) for each in together.values() if each.base == "ref"]
            if len(sizes) < len(together) or prod(sizes) > WIDE or any(isinstance(p, n.Possible) for p in test.walk()):
                continue
            kept.append(test)
            free = together
        if (whole := conjunction(kept)) is None:
            return None
        other = {name: n.Var(type_.sure(), f"any_{name}") for name, type_ in free.items()}
        tree = distance(substitute(whole, {**other}), self.rules)
        for name, type_ in free.items():
            everyone = n.Everyone(Type("set", type_.kind))
            tree = n.Comp(INT, "min", f"any_{name}", everyone, None, tree, number(FAR))
        return tree


def _free(tree: Expr) -> list[n.Var]:
    """The local names from outside that an expression reads."""
    names = n.free_names(tree)
    return [part for part in tree.walk() if isinstance(part, n.Var) and part.name in names]


def towards(rules: TypedRules, goal: Expr) -> TypedRules:
    """Rules by which a position is worth the less the farther it is from a goal."""
    return replace(rules, score={}, advice={"goal": Worth("goal", -1, goal)})
