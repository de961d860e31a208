"""Typecheck expressions: names become symbols, every operation gets its type, nothing is read through a none."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from typing import Any, Literal

from polis_rules.diagnostics import Diagnostics
from polis_rules.semantics.builtins import BuiltinChecker
from polis_rules.semantics.expression_reader import FailedError
from polis_rules.semantics.expressions import nodes as n
from polis_rules.semantics.expressions.nodes import FALSE, TRUE, Expr, number
from polis_rules.semantics.expressions.scope import Scope
from polis_rules.semantics.expressions.types import BOOL, BROKEN, GROUPS, INT, NONE, Type
from polis_rules.semantics.intervals import ENDLESS
from polis_rules.semantics.made import Bounded
from polis_rules.semantics.questions import Questions
from polis_rules.semantics.references import member
from polis_rules.semantics.symbols import Attribute, Symbols, Variable
from polis_rules.semantics.words import ELSEWHERE

ARITHMETIC = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.FloorDiv: "//", ast.Mod: "%"}
SETS = {ast.BitOr: "|", ast.BitAnd: "&", ast.Sub: "-"}
COMPARISONS = {
    ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Is: "==",
    ast.IsNot: "!=",
}  # fmt: skip


VALUES = {"none": n.Const(NONE, -1), "true": TRUE, "false": FALSE}

CHECKED = (n.Var, n.Load, n.Attr, n.Item, n.Located)
"""What is known not to be none after a check."""

MOST_REPEATED = 999
"""How often an entry of a list may stand for its member."""

LENGTH, TOP, BOTTOM = ("size", "length", "len", "count"), ("top", "first"), ("bottom", "last")
"""What lists are asked elsewhere with a word after a dot."""


class ExpressionChecker(BuiltinChecker):
    """Turns expression texts into typed trees."""

    def __init__(self, symbols: Symbols, diagnostics: Diagnostics, require_term: Callable[[str], Type | None]) -> None:
        super().__init__(symbols, diagnostics, require_term)
        self.nodes: dict[type[ast.expr], Callable[[Any, Scope, Type | None], Expr]] = {
            ast.Constant: lambda node, scope, want: number(node.value),
            ast.Name: lambda node, scope, want: self.sure(self.name(node, scope, want), scope),
            ast.Attribute: lambda node, scope, want: self.sure(self.attribute(node, scope), scope),
            ast.Subscript: lambda node, scope, want: self.sure(self.subscript(node, scope), scope),
            ast.UnaryOp: lambda node, scope, want: self.unary(node, scope),
            ast.BoolOp: lambda node, scope, want: self.boolean(node, scope),
            ast.Compare: lambda node, scope, want: self.compare(node, scope),
            ast.SetComp: lambda node, scope, want: self.comprehension(node, scope),
            ast.ListComp: lambda node, scope, want: self.comprehension(node, scope),
            ast.Call: lambda node, scope, want: self.call(node, scope),
            ast.BinOp: self.binary, ast.IfExp: self.if_else, ast.Set: self.display, ast.List: self.display,
            ast.Dict: self.display,
        }  # fmt: skip

    def made_of(self, node: ast.expr, scope: Scope, want: Type | None) -> Expr:
        if type(node) not in self.nodes:
            raise self.fail("expression-word", "this cannot stand here", node)
        return self.nodes[type(node)](node, scope, want)

    def sure(self, tree: Expr, scope: Scope) -> Expr:
        """The same expression, known not to be none where the scope says so."""
        if not tree.type.maybe or not (scope.unclear or tree in scope.facts):
            return tree
        return replace(tree, type=tree.type.sure()) if isinstance(tree, CHECKED) else tree

    # -- names ------------------------------------------------------------------------------------------------------

    def name(self, node: ast.Name, scope: Scope, want: Type | None) -> Expr:
        word = node.id
        if word in scope.names:
            if scope.names[word] == BROKEN:
                raise FailedError
            self.note_local(word, node)
            if word in scope.memory:
                return self.value_of(self.symbols.memory[scope.memory[word]], (), [], node, scope)
            return n.Var(scope.names[word], word)
        if word in VALUES:
            return VALUES[word]
        if word == "base" and scope.base is not None:
            return scope.base
        if word in self.symbols.state:
            return self.value_of(self.game_state(node), (), [], node, scope)
        if word in self.symbols.terms:
            return self.term(word, node, scope)
        if word in self.symbols.kinds:
            self.note(f"kinds.{word}", node)
            return n.Everyone(Type("set", word))
        if word in self.symbols.owners:
            return self.member(word, want, node)
        if word == "you":
            players = [f"`{name}`" for name, kind in scope.names.items() if kind == Type("ref", "player")]
            hint = f"the player here is {' or '.join(players)}" if players else None
            raise self.fail("nobody-acts", "nobody acts here, so there is no `you`", node, hint)
        if word in self.symbols.routes:
            raise self.fail("wrong-type", f"`{word}` is a route: ask route_exists or cheapest_route", node)
        if word in scope.lapsed:
            message = f"`{word}` is known only inside its choice, as something else may be chosen instead of a number"
            raise self.fail("unknown-name", message, node, hint="use it in the `do` of the choice")
        if word in ELSEWHERE:
            raise self.fail("unknown-name", f"`{word}` means something only {ELSEWHERE[word]}", node)
        if owned := self.owned(word, scope):
            hint = f"or {' or '.join(owned[1:])}" if owned[1:] else None
            raise self.fail("unknown-name", f"there is no name `{word}`", node, hint, owned[0])
        if word in ("owner", "who") and "it" in scope.names:  # as supplies and the score call a player
            raise self.fail("unknown-name", f"there is no name `{word}` here", node, None, "it")
        raise self.unknown("name", word, self.values(scope), node, scope)

    def owned(self, word: str, scope: Scope) -> list[str]:
        """What a bare word would mean with its owner before it: `x.word` for each local name x that has one."""
        kinds = self.symbols.kinds
        having = [kind.name for kind in kinds.values() if word in kind.attributes or word in kind.state]
        return [f"{name}.{word}" for name, kind in scope.names.items() if kind.base == "ref" and kind.kind in having]

    def values(self, scope: Scope) -> list[str]:
        """Every name that is a value here, for suggestions."""
        known = self.symbols
        return [*scope.names, *known.kinds, *known.state, *known.terms, *known.owners, *VALUES]

    def member(self, word: str, want: Type | None, node: ast.AST) -> Expr:
        """A member by its bare name."""
        kinds = self.symbols.owners[word]
        if len(kinds) > 1 and want is not None and want.kind in kinds:
            kinds = [want.kind]
        if len(kinds) > 1:
            ways = " or ".join(f"{kind}.{word}" for kind in kinds)
            raise self.fail("unclear-member", f"`{word}` is more than one thing", node, hint=f"write {ways}")
        kind = self.symbols.kinds[kinds[0]]
        self.note(member(kind.name, word), node)
        return n.Const(Type("ref", kind.name), kind.index[word])

    def attribute(self, node: ast.Attribute, scope: Scope) -> Expr:
        """`x.name`: an attribute or state of a member, or `kind.member`."""
        word = node.value.id if isinstance(node.value, ast.Name) else ""
        if word in self.symbols.kinds and word not in scope.names:
            kind = self.symbols.kinds[word]
            self.note(f"kinds.{kind.name}", node.value)
            if node.attr not in kind.index and (node.attr in kind.attributes or node.attr in kind.state):
                message = f"`{word}` is all of them: `.{node.attr}` is asked of one"
                raise self.fail("wrong-type", message, node, suggestion=self.one_of(word, node.attr, scope))
            if node.attr not in kind.index:
                raise self.unknown(kind.name, node.attr, list(kind.members), node)
            self.note(member(kind.name, node.attr), self.last_word(node))
            return n.Const(Type("ref", kind.name), kind.index[node.attr])
        named, owner = self.property_of(node, scope)
        return self.value_of(named, (owner,), [], node, scope)

    def one_of(self, kind: str, attribute: str, scope: Scope) -> str | None:
        """`x.kind.attribute` for a local name x that has such an attribute, or `x.attribute` for one of the kind."""
        having = [name for name, known in scope.names.items() if known.base == "ref"]
        ways = [f"{name}.{kind}" for name in having if kind in self.symbols.kinds[scope.names[name].kind].attributes]
        ways += [name for name in having if scope.names[name].kind == kind]
        return f"{ways[0]}.{attribute}" if ways else None

    def property_of(self, node: ast.Attribute, scope: Scope) -> tuple[Attribute | Variable, Expr]:
        """The attribute or variable that `x.name` means, and x."""
        if isinstance(node.value, ast.Name):
            self.no_dot(node, node.value.id, scope)
        owner = self.visit(node.value, scope)
        if owner.type.base != "ref":
            raise self.fail("wrong-type", f"{owner.type} has no `.{node.attr}`", node.value, self.of_list(node, owner))
        if owner.type.maybe:
            self.need(owner, owner.type.sure(), node.value)
        kind = self.symbols.kinds[owner.type.kind]
        named: Attribute | Variable | None = kind.attributes.get(node.attr) or kind.state.get(node.attr)
        if (kind.name, node.attr) in self.symbols.broken:
            raise FailedError
        if named is None:
            known = [*kind.attributes, *kind.state]
            raise self.unknown(f"{kind.name} attribute or state", node.attr, known, node)
        group = "state" if isinstance(named, Variable) else "attributes"
        self.note(f"kinds.{kind.name}.{group}.{named.name}", self.last_word(node))
        return named, owner

    def no_dot(self, node: ast.Attribute, word: str, scope: Scope) -> None:
        """Refuse a name of a library that is written with a dot."""
        joined, known = f"{word}_{node.attr}", (self.symbols.terms, self.symbols.state, self.symbols.signatures)
        if any(joined in names for names in known) and word not in self.values(scope):
            raise self.fail("unknown-name", f"there is no name `{word}`", node, suggestion=joined)

    def of_list(self, node: ast.Attribute, owner: Expr) -> str | None:
        """How that is asked of a list which `.name` was meant to ask."""
        name, ways = ast.unparse(node.value), {"len": LENGTH, "0": TOP, "-1": BOTTOM}
        if owner.type.base not in GROUPS or (owner.type.base == "set" and node.attr not in LENGTH):
            return None
        meant = next((way for way, words in ways.items() if node.attr in words), "")
        return meant and (f"write len({name})" if meant == "len" else f"write {name}[{meant}]")

    def subscript(self, node: ast.Subscript, scope: Scope) -> Expr:
        """`x.name[index]`, or `name[index]` for the game's own state; `list[place]`, `kind[place]`."""
        inner, indexes = indexed(node)
        named: Attribute | Variable
        owner: tuple[Expr, ...] = ()
        if isinstance(inner, ast.Name) and inner.id in self.symbols.state and inner.id not in scope.names:
            named = self.game_state(inner)
        elif isinstance(inner, ast.Name) and inner.id in scope.memory:
            self.note_local(inner.id, inner)
            named = self.symbols.memory[scope.memory[inner.id]]
        elif isinstance(inner, ast.Attribute):
            named, member = self.property_of(inner, scope)
            owner = (member,)
        elif isinstance(inner, ast.Name) and inner.id in self.symbols.kinds and inner.id not in scope.names:
            return self.located(inner.id, indexes, node, scope)
        else:
            return self.item(self.visit(node.value, scope), node.slice, node, scope)
        if named.type is None or named.type.base != "list" or len(indexes) != len(named.per) + 1:
            return self.value_of(named, owner, indexes, node, scope)
        group = self.value_of(named, owner, indexes[:-1], node, scope).at(self.span(node.value))
        return self.item(group, indexes[-1], node, scope)

    def item(self, group: Expr, place: ast.expr, node: ast.expr, scope: Scope) -> Expr:
        """What stands at a place of a list."""
        if group.type.base != "list":
            raise self.fail("wrong-type", "only attributes, state and lists have an index", node)
        return n.Item(Type("ref", group.type.kind, True), group, self.typed(place, scope, INT))

    def game_state(self, node: ast.Name) -> Variable:
        """The game's own state that a name means."""
        if ("", node.id) in self.symbols.broken:
            raise FailedError
        self.note(f"state.{node.id}", node)
        return self.symbols.state[node.id]

    def value_of(
        self,
        named: Attribute | Variable,
        owner: tuple[Expr, ...],
        indexes: list[ast.expr],
        node: ast.expr,
        scope: Scope,
    ) -> Expr:
        """The value of an attribute or of state, of a member (none for the game's own) and of what its indexes are."""
        args = (*owner, *self.indexes(named, indexes, node, scope))
        if isinstance(named, Variable):
            return n.Load(named.type, named.owner, named.name, args)
        if named.is_formula and named.params:
            hint = f"write {named.name}({', '.join(named.params)})"
            raise self.fail("wrong-arguments", f"`{named.name}` is a {named.spec.kind}", node, hint=hint)
        if named.is_formula:
            return n.Formula(named.type or INT, named.owner, named.name, args)
        if named.type is None:
            raise self.fail("wrong-type", f"`{named.name}` is not a value", node)
        return n.Attr(named.type, named.owner, named.name, args)

    # -- operators --------------------------------------------------------------------------------------------------

    def binary(self, node: ast.BinOp, scope: Scope, want: Type | None) -> Expr:
        if want is None and _is_empty(node.left):
            want = self.visit(node.right, scope).type
        left = self.visit(node.left, scope, want)
        self.known_kind(left, node.left)
        if left.type.base == "set":
            if type(node.op) not in SETS:
                raise self.fail("wrong-type", "sets know |, & and - only", node)
            return n.SetOp(left.type, SETS[type(node.op)], left, self.typed(node.right, scope, left.type))
        if left.type.base == "list":
            if not isinstance(node.op, ast.Add):
                raise self.fail("wrong-type", "lists know + only", node, hint="`a + b` is one after the other")
            return n.Joined(left.type, left, self.typed(node.right, scope, left.type))
        self.need(left, INT, node.left)
        if type(node.op) not in ARITHMETIC:
            raise self.fail("wrong-type", "numbers know + - * // % only", node)
        op = ARITHMETIC[type(node.op)]
        right = self.typed(node.right, scope, INT)
        if op in ("//", "%"):
            if isinstance(right, n.Const) and right.value <= 0:
                raise self.fail("division", "numbers are divided by what is above 0", node.right)
            at = self.span(node.right)
            self.bounding[at] = Bounded(right, at, scope.facts, (1, ENDLESS))
        return n.Arith(INT, op, left, right)

    def unary(self, node: ast.UnaryOp, scope: Scope) -> Expr:
        if isinstance(node.op, ast.Not):
            return n.Not(BOOL, self.typed(node.operand, scope, BOOL))
        inner = self.typed(node.operand, scope, INT)
        return number(-inner.value) if isinstance(inner, n.Const) else n.Arith(INT, "-", number(0), inner)

    def boolean(self, node: ast.BoolOp, scope: Scope) -> Expr:
        op = "and" if isinstance(node.op, ast.And) else "or"
        items = []
        for part in node.values:
            item = self.typed(part, scope, BOOL)
            items.append(item)
            scope = scope.after(item, op == "and")
        return n.Bool(BOOL, op, tuple(items))

    def compare(self, node: ast.Compare, scope: Scope) -> Expr:
        parts = [node.left, *node.comparators]
        tests = [
            self.comparison(left, op, right, scope).at(self.between(left, right))
            for (left, right), op in zip(pairwise(parts), node.ops, strict=True)
        ]
        return tests[0] if len(tests) == 1 else n.Bool(BOOL, "and", tuple(tests))

    def comparison(self, left: ast.expr, op: ast.cmpop, right: ast.expr, scope: Scope) -> Expr:
        if isinstance(op, (ast.In, ast.NotIn)):
            inside = self.membership(left, right, scope)
            return inside if isinstance(op, ast.In) else n.Not(BOOL, inside.at(self.between(left, right)))
        if isinstance(op, (ast.Is, ast.IsNot)) and not (isinstance(right, ast.Name) and right.id == "none"):
            self.visit(left, scope)
            raise self.fail(
                "wrong-type", "`is` only compares with `none`", right, "write == before it, or none after `is`"
            )
        first, second = self.pair(left, right, scope)
        sign = COMPARISONS[type(op)]
        if sign not in ("==", "!="):
            self.need(first, INT, left)
            self.need(second, INT, right)
        self.known_kind(first, left)
        both_refs = first.type.base in ("ref", "none") and second.type.base in ("ref", "none")
        if not both_refs or (first.type.kind != second.type.kind and NONE not in (first.type, second.type)):
            self.need(second, first.type, right)
        if first.type.base == "none":
            first, second, left, right = second, first, right, left
        return n.Compare(BOOL, sign, first, second, self.written(left), self.written(right))

    def pair(self, left: ast.expr, right: ast.expr, scope: Scope) -> tuple[Expr, Expr]:
        """Both sides of a comparison; a bare name that is unclear takes its kind from the other side."""
        if self._unclear(left, scope) or _is_empty(left):
            second = self.visit(right, scope)
            return self.visit(left, scope, second.type), second
        first = self.visit(left, scope)
        return first, self.visit(right, scope, first.type)

    def _unclear(self, node: ast.expr, scope: Scope) -> bool:
        if not isinstance(node, ast.Name) or node.id in scope.names or node.id in self.symbols.state:
            return False
        return len(self.symbols.owners.get(node.id, ())) > 1

    def if_else(self, node: ast.IfExp, scope: Scope, want: Type | None) -> Expr:
        test = self.typed(node.test, scope, BOOL)
        inside, beside = scope.after(test), scope.after(test, False)
        if want is None and _is_empty(node.body):
            want = self.visit(node.orelse, beside).type
        then = self.visit(node.body, inside, want)
        other = self.visit(node.orelse, beside, want or then.type)
        kind = self.known_kind(then, node.body).type
        if NONE in (then.type, other.type) or then.type.maybe != other.type.maybe:
            real = other.type if then.type == NONE else then.type
            kind = Type(real.base, real.kind, True) if real.base == "ref" else real
        self.need(then, kind, node.body)
        self.need(other, kind, node.orelse)
        return n.IfElse(kind, test, then, other)

    def display(self, node: ast.Set | ast.List | ast.Dict, scope: Scope, want: Type | None) -> Expr:
        """A set or a list, member by member; where it is empty the place tells of what it is, and which of the two."""
        what: Literal["set", "list"] = "list" if isinstance(node, ast.List) else "set"
        elements = [] if isinstance(node, ast.Dict) else node.elts
        if not elements and want is not None and want.base in GROUPS:
            what = "set" if want.base == "set" else "list"
        inner = Type("ref", want.kind) if want is not None and want.base in GROUPS and want.kind else None
        items = []
        for element in elements:
            part, times = repeated(element) if what == "list" else (element, 1)
            item = self.visit(part, scope, inner)
            inner = inner or item.type
            if inner.base != "ref":
                raise self.fail("wrong-type", f"a {what} holds members of a kind", part)
            self.need(item, inner.sure(), part)
            items += [item] * times
        kind = Type(what, inner.kind if inner is not None else "")
        return n.SetOf(kind, tuple(items)) if what == "set" else n.ListOf(kind, tuple(items))

    # -- calls ------------------------------------------------------------------------------------------------------

    def call(self, node: ast.Call, scope: Scope) -> Expr:
        if isinstance(node.func, ast.Attribute):
            formula, owner = self.property_of(node.func, scope)
            if not isinstance(formula, Attribute) or not formula.is_formula:
                raise self.fail("wrong-arguments", f"`{node.func.attr}` takes no arguments", node)
            args = (owner, *self.arguments(formula.name, formula.params, node, scope))
            return n.Formula(formula.type or INT, formula.owner, formula.name, args)
        if not isinstance(node.func, ast.Name):
            raise self.fail("expression-word", "this cannot be called", node)
        word = node.func.id
        if word not in self.symbols.terms:
            return self.function(word, node, scope)
        if not self.symbols.terms[word].params and not node.args and not node.keywords:
            raise self.fail("wrong-arguments", f"`{word}` takes nothing", node, hint=f"write {word}")
        return self.term(word, node, scope)

    def term(self, word: str, node: ast.expr, scope: Scope) -> Expr:
        self.note(f"terms.{word}", node.func if isinstance(node, ast.Call) else node)
        args = self.arguments(word, self.symbols.terms[word].params, node, scope)
        result = self.ask(Questions.type_of_term, word)
        if result is None:
            raise FailedError
        return n.Call(result, word, args)


def indexed(node: ast.expr) -> tuple[ast.expr, list[ast.expr]]:
    """What stands before the brackets of `x.name[a, b]` or `x.name[a][b]`, and the indexes in them."""
    if not isinstance(node, ast.Subscript):
        return node, []
    inner, indexes = indexed(node.value)
    return inner, [*indexes, *(node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice])]


def repeated(element: ast.expr) -> tuple[ast.expr, int]:
    """What stands in a list, and how often: `penny * 3` stands for three."""
    match element:
        case ast.BinOp(left=part, op=ast.Mult(), right=ast.Constant(value=int(times))) if 0 < times <= MOST_REPEATED:
            return part, times
    return element, 1


def _is_empty(node: ast.expr) -> bool:
    """Whether this is `{}` or `[]`, which is of the kind of what stands beside it."""
    return (isinstance(node, ast.List) and not node.elts) or (isinstance(node, ast.Dict) and not node.keys)
