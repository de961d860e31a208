"""Where typed steps and expressions are written, down to the comparison inside an expression."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from polis_rules.diagnostics import Diagnostics, Span
from polis_rules.schema import Action, ActionChoice, Document
from polis_rules.schema import steps as written
from polis_rules.semantics import Symbols, TypedRules, children, ir, rows_of, value_of
from polis_rules.semantics.expressions import (
    Abs,
    Arith,
    Bool,
    Call,
    Comp,
    Compare,
    Expr,
    IfElse,
    MinMax,
    Not,
    Size,
    parse,
    place,
)
from polis_rules.source import Mapping, Text

Nodes = tuple[ast.AST, ast.AST]
"""The first and the last node of what is meant: one and the same but for a part of `a < b < c`."""


@dataclass(frozen=True)
class Saying:
    """A typed expression with its text."""

    tree: Expr
    text: Text

    @cached_property
    def parts(self) -> dict[int, Nodes]:
        """What each part of the expression was made of, by the part's `id`; parts without a place are missing."""
        found: dict[int, Nodes] = {}
        if len(self.text) == self.text.span.end_column - self.text.span.column:
            written = parse(self.text, Diagnostics())
            if written is not None:
                _note(self.tree, written, found)
        return found


Written = written.Step | ActionChoice


class Places:
    """Joins typed steps to the written ones, which know their places."""

    def __init__(self, document: Document, rules: TypedRules) -> None:
        self.document = document
        self.rules = rules
        self.steps: dict[int, tuple[Written, int]] = {}
        """typed step by `id` -> the written step, and which of its entries it is"""
        self.keys: dict[str, Text] = {}
        """path of a procedure -> its id as written"""
        for name, item in (*document.procedures.items(), *document.phases.items()):
            path = f"phases.{name}" if name in document.phases else f"procedures.{name}"
            self.keys[path] = name
            self._join(item.do, rules.procedures[path].body)
        for name, action in document.actions.items():
            self._action(name, action)
        for kind, rows in document.tables.items():
            for member, row in rows.items():
                for attribute, lists in row.effects.items():
                    for keys, steps in lists.items():
                        path = ".".join(["tables", kind, member, attribute, *keys])
                        if path in rules.procedures:
                            self.keys[path] = keys[-1] if keys else attribute
                            self._join(steps, rules.procedures[path].body)

    def _action(self, name: Text, action: Action) -> None:
        path = f"actions.{name}"
        self.keys[path] = name
        body = self.rules.procedures[path].body
        own = sum(_entries(step) for step in action.do)
        self._join(action.do, body[len(body) - own :])
        choices = {str(key): choice for key, choice in action.choose.items()}
        for step in body[: len(body) - own]:
            if isinstance(step, ir.Choose):
                self.steps[id(step)] = (choices[step.var], 0)

    def _join(self, items: list[written.Step], body: tuple[ir.Step, ...]) -> None:
        typed = iter(body)
        for item in items:
            for number in range(_entries(item)):
                step = next(typed)
                self.steps[id(step)] = (item, number)
                for inner, steps in zip(_lists(item), children(step), strict=False):
                    self._join(inner, steps)
                if isinstance(step, ir.Choose):
                    self._join(getattr(item, "do", []), step.do)
                    for way in step.ways:
                        self._join(_ways(item)[way.id].do, way.do)

    def written(self, step: ir.Step) -> Written | None:
        """The step as written; None for what a cost stands for."""
        found = self.steps.get(id(step))
        return found[0] if found else None

    def sayings(self, step: ir.Step) -> Iterator[Saying]:
        """The expressions of a step itself with their texts, in the order written; conditions are not among them."""
        item, number = self.steps.get(id(step), (None, 0))
        if item is None:
            return
        for name, key in _FIELDS.get(type(step), ()):
            tree = getattr(step, name)
            text = getattr(item.repeat if isinstance(item, written.Repeat) else item, key, None)
            if isinstance(tree, Expr) and isinstance(text, Text):
                yield Saying(tree, text)
        if isinstance(step, (ir.Set, ir.Amount, ir.Let)) and isinstance(
            item, (written.SetStep, written.Pay, written.Gain, written.Lose, written.Let)
        ):
            key, text = list(getattr(item, item.verb).items())[number]
            if not isinstance(step, ir.Let):
                yield Saying(step.target, key)
            yield Saying(step.amount if isinstance(step, ir.Amount) else step.value, text)

    def key(self, step: ir.Step) -> Span:
        """Where the name is that a step gives or changes; otherwise its verb."""
        item, number = self.steps.get(id(step), (None, 0))
        if isinstance(item, (written.Choose, written.Draw, written.Roll, written.Each)):
            name: Text = getattr(item, item.verb)
            return name.span
        if isinstance(item, (written.SetStep, written.Let, written.Pay, written.Gain, written.Lose)):
            keys: list[Text] = list(getattr(item, item.verb))
            return keys[number].span
        return step.span

    def conditions(self) -> Iterator[Saying]:
        """Every condition and quantity that stands outside of steps, with its text."""
        document, symbols = self.document, self.rules.symbols
        for name, term in document.terms.items():
            body = self.unchanged(str(name))
            if body is not None:
                yield Saying(body, term.is_)
        for action in self.rules.actions:
            yield from (saying(condition) for condition in action.conditions)
        for name, kind in document.kinds.items():
            found = symbols.kinds[name]
            if kind.in_force is not None and found.in_force is not None:
                yield Saying(found.in_force, kind.in_force)
        for name, route in document.routes.items():
            typed = symbols.routes[name]
            for written_part, part in (
                (route.through, typed.through),
                (route.costs, typed.costs),
                (route.also, typed.also),
            ):
                yield from (Saying(part[key], text) for key, text in written_part.items() if key in part)
        for invariant in self.rules.invariants:
            yield saying(invariant)
        for section, trees in (
            (document.score.terms, self.rules.score),
            (document.score.tie_break, self.rules.tie_break),
        ):
            yield from (Saying(trees[key], text) for key, text in section.items() if key in trees)
        yield from self.formulas()

    def unchanged(self, name: str) -> Expr | None:
        """A term as it is written, without what rows in force make of it."""
        symbols = self.rules.symbols
        body = symbols.terms[name].body
        if body is None:
            return None
        for _ in range(self._changing[name]):
            body = _shortened(symbols, body)
            body = body.other if isinstance(body, IfElse) else body
        return _shortened(symbols, body)

    @cached_property
    def _changing(self) -> Counter[str]:
        """By term, how many rows make something else of it while they are in force."""
        found: Counter[str] = Counter()
        for kind in self.rules.symbols.kinds.values():
            changing = [each for each in kind.attributes.values() if each.spec.kind == "changes"]
            for attribute in changing if kind.in_force is not None else ():
                for row in rows_of(self.document, kind.name).values():
                    changes = value_of(row, attribute.name)
                    if isinstance(changes, Mapping):
                        found.update(str(name) for name in changes.entries)
        return found

    def formulas(self) -> Iterator[Saying]:
        """The formulas that rows carry."""
        for kind, rows in self.document.tables.items():
            for name, attribute in self.rules.symbols.kinds[kind].attributes.items():
                for number, row in enumerate(rows.values()):
                    text = Mapping(row.values, row.span).get(name)
                    if number in attribute.formulas and isinstance(text, Text):
                        yield Saying(attribute.formulas[number], text)


def saying(condition: ir.Condition) -> Saying:
    """A condition with its text. The cost of something has the place of what is paid."""
    return Saying(condition.test, Text(condition.text, condition.span))


def within(said: Saying, part: Expr) -> Span:
    """The place of a part of an expression; the whole where the part has no place of its own."""
    text = said.text
    found = None if part is said.tree else said.parts.get(id(part))
    return text.span if found is None else _joined(place(text, found[0]), place(text, found[1]))


def _joined(first: Span, last: Span) -> Span:
    return Span(first.file, first.line, first.column, last.end_line, last.end_column)


def _note(tree: Expr, node: ast.AST, found: dict[int, Nodes]) -> None:
    """Go down a typed tree and the tree that it was made of; a part that stands in several places has the first."""
    found.setdefault(id(tree), (node, node))
    if isinstance(tree, Bool) and isinstance(node, ast.Compare):
        for item, (left, right) in zip(tree.items, pairwise([node.left, *node.comparators]), strict=True):
            found.setdefault(id(item), (left, right))
        return
    for inner, below in _pairs(tree, node):
        _note(inner, below, found)


def _pairs(tree: Expr, node: ast.AST) -> Iterator[tuple[Expr, ast.AST]]:
    """The parts of a typed tree, each with what it was made of."""
    match tree, node:
        case Bool(), ast.BoolOp():
            yield from zip(tree.items, node.values, strict=True)
        case Not(), ast.UnaryOp():
            yield tree.item, node.operand
        case Not(), ast.Compare():
            yield tree.item, node
        case IfElse(), ast.IfExp():
            yield from ((tree.test, node.test), (tree.then, node.body), (tree.other, node.orelse))
        case ((Compare() | Arith()), ast.Compare(left, _, [right]) | ast.BinOp(left, _, right)):
            swapped = isinstance(tree, Compare) and tree.left_text != ast.unparse(left)
            yield from zip((tree.left, tree.right), (right, left) if swapped else (left, right), strict=True)
        case Comp(), ast.Call(_, [ast.GeneratorExp() as inside, *_]):
            yield from _loops(tree, inside.generators, inside.elt)
        case Comp(), ast.SetComp():
            yield from _loops(tree, node.generators, node.elt)
        case ((Call() | MinMax()), ast.Call()):
            yield from zip(tree.args if isinstance(tree, Call) else tree.items, node.args, strict=True)
        case ((Abs() | Size()), ast.Call(_, [inner])):
            yield (tree.item if isinstance(tree, Abs) else tree.group), inner


def _loops(tree: Comp, generators: list[ast.comprehension], last: ast.AST) -> Iterator[tuple[Expr, ast.AST]]:
    """The conditions and the body of a loop, of one `for` after the other."""
    first, *rest = generators
    if tree.test is not None and len(first.ifs) == 1:
        yield tree.test, first.ifs[0]
    elif isinstance(tree.test, Bool):
        yield from zip(tree.test.items, first.ifs, strict=True)
    if not rest:
        yield tree.body, last
    elif isinstance(tree.body, Comp):
        yield from _loops(tree.body, rest, last)


def _shortened(symbols: Symbols, body: Expr) -> Expr:
    """A long term has a name of its own where rows change it: what that stands for."""
    if isinstance(body, Call) and "_BASE_" in body.term:
        return symbols.terms[body.term].body or body
    return body


_FIELDS: dict[type[ir.Step], tuple[tuple[str, str], ...]] = {
    ir.If: (("test", "if_"),),
    ir.While: (("test", "while_"),),
    ir.Times: (("times", "times"),),
    ir.Each: (("domain", "in_"), ("starting", "starting")),
    ir.Move: (("amount", "move"), ("source", "from_"), ("target", "to")),
    ir.Choose: (("source", "from_"), ("who", "who")),
    ir.Draw: (("source", "from_"), ("weight", "weight")),
    ir.As: (("player", "as_"),),
    ir.End: (("winner", "winner"),),
    ir.Perform: (("action", "perform"),),
}
"""Fields of typed steps, and what they are called in the written ones."""


def _entries(item: written.Step) -> int:
    """How many typed steps a written one becomes."""
    if isinstance(item, (written.SetStep, written.Pay, written.Gain, written.Lose, written.Let)):
        return len(getattr(item, item.verb))
    return 1


def _lists(item: written.Step) -> tuple[list[written.Step], ...]:
    """The lists of steps inside a written step, as `children` gives those of the typed one."""
    if isinstance(item, written.Repeat):
        return (item.repeat.do,)
    if isinstance(item, written.If):
        return (item.then, item.else_)
    return (item.do,) if isinstance(item, (written.Each, written.As)) else ()


def _ways(item: Written) -> dict[str, written.Way]:
    if isinstance(item, written.Either):
        return {str(key): way for key, way in item.either.items()}
    return {str(key): way for key, way in item.or_.items()} if isinstance(item, written.Choose) else {}
