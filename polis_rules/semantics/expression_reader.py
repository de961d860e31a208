"""What all that typechecks expressions builds on: reading a text, its parts with their places, errors, arguments."""

from __future__ import annotations

import ast
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

from polis_rules.diagnostics import Diagnostics, Span
from polis_rules.schema import parse_type
from polis_rules.semantics.expressions import nodes as n
from polis_rules.semantics.expressions.nodes import Expr
from polis_rules.semantics.expressions.parse import parse
from polis_rules.semantics.expressions.scope import Scope
from polis_rules.semantics.expressions.types import BOOL, GROUPS, NONE, Type, fits
from polis_rules.semantics.made import Bounded, Made
from polis_rules.semantics.questions import Asked, Questions
from polis_rules.semantics.references import NOT_NOTED, References
from polis_rules.semantics.symbols import Attribute, Params, Symbols, Variable, value_type
from polis_rules.semantics.words import BUILT_IN
from polis_rules.source import Renamed, Spliced, Text, span_of

T = TypeVar("T")
A = TypeVar("A")

EMPTY = "it can stand where the place tells its kind, as in `set: {x.near: {}}` or `x.near == {}`"
"""What to do about an empty set of nobody knows what."""


class FailedError(Exception):
    """An expression is wrong and the diagnostic is written; never leaves this package."""


class ExpressionReader(ABC):
    """Turns the syntax trees of expressions into something typed.

    `require_term` makes sure that a term has been checked before it is used and returns its type.
    """

    def __init__(self, symbols: Symbols, diagnostics: Diagnostics, require_term: Callable[[str], Type | None]) -> None:
        self.symbols = symbols
        self.diagnostics = diagnostics
        self.questions = Questions(symbols, require_term)
        self.asked: Asked = {}
        """what was asked besides the words of the texts"""
        self.text = Text("", Span("", 1, 1, 1, 1))
        self.made: list[Made] = []
        """every expression that is right"""
        self.bounded: list[Bounded] = []
        """what is divided by in the texts that are right"""
        self.bounding: dict[Span, Bounded] = {}
        """the same of the present text"""
        self.references: References = NOT_NOTED
        """what names mean is noted there, for whoever wants to know"""
        self.wanted: list[Type | None] = []
        """the types that the parts looked at should have, the innermost last"""
        self.loops: set[str] = set()
        """names that belong to this expression alone"""

    def ask(self, question: Callable[[Questions, A], T], about: A) -> T:
        """The answer to something that the words of a text do not say; what is checked depends on it."""
        answer = question(self.questions, about)
        self.asked[question, about] = answer
        return answer

    def check(self, text: Text | None, scope: Scope, want: Type | None = None) -> Expr | None:
        """The typed tree of one expression; None where there is none, or after a diagnostic.

        `want` is the type that the place needs; it also decides between members of the same name.
        """
        if text is None:
            return None
        if want is None and isinstance(text, Renamed):
            want = value_type(parse_type(text.wanted)) if text.wanted else None
        elif want is None and isinstance(text, Spliced):
            want = self._type_before(text, scope)

        def typed(tree: ast.expr) -> Expr:
            return self.known_kind(self.visit(tree, scope), tree) if want is None else self.typed(tree, scope, want)

        return self._made(text, self.read(text, typed))

    def _type_before(self, text: Spliced, scope: Scope) -> Type | None:
        """The type of an expression without what layers have made of it, where that is right."""
        kept = self.diagnostics, self.references, self.made, self.bounded
        self.diagnostics, self.references, self.made, self.bounded = Diagnostics(), NOT_NOTED, [], []
        try:
            before = self.check(text.holes[0].inner, scope)
        finally:
            self.diagnostics, self.references, self.made, self.bounded = kept
        if before is None or before.type.base == "none":
            return None
        return replace(before.type, maybe=before.type.base == "ref")

    def check_group(self, text: Text, scope: Scope) -> Expr | None:
        """The same of a kind, a set or a list to go over."""
        return self._made(text, self.read(text, lambda tree: self.group(tree, scope)))

    def check_several(self, text: Text, scope: Scope, kind: str) -> Expr | None:
        """The same of a member or none, or of a set or list of members."""
        one, several = Type("ref", kind, True), Type("set", kind)

        def typed(tree: ast.expr) -> Expr:
            value = self.visit(tree, scope, several if isinstance(tree, ast.Set | ast.List) else one)
            self.need(value, replace(several, base=value.type.base) if value.type.base in GROUPS else one, tree)
            return value

        return self._made(text, self.read(text, typed))

    def check_near(self, text: Text, scope: Scope, near: Type) -> Expr | None:
        """The same of what may have several types; `near` only decides between members of the same name."""
        return self._made(text, self.read(text, lambda tree: self.visit(tree, scope, near)))

    def _made(self, text: Text, tree: Expr | None) -> Expr | None:
        if tree is not None:
            self.made.append(Made(text.span, tree))
        return tree

    def read(self, text: Text, typed: Callable[[ast.expr], T]) -> T | None:
        """What is made of the syntax tree of a text, or None after a diagnostic."""
        tree = parse(text, self.diagnostics)
        if tree is None:
            return None
        outer, self.text, self.loops, self.bounding = (self.text, self.loops, self.bounding), text, set(), {}
        try:
            made = typed(tree)
            self.bounded += self.bounding.values()
            return made
        except FailedError:
            return None
        finally:
            self.text, self.loops, self.bounding = outer

    # -- parts ------------------------------------------------------------------------------------------------------

    def visit(self, node: ast.expr, scope: Scope, want: Type | None = None) -> Expr:
        """The typed tree of a part of the expression."""
        self.wanted.append(want)
        try:
            return self.made_of(node, scope, want).at(self.span(node))
        finally:
            self.wanted.pop()

    @abstractmethod
    def made_of(self, node: ast.expr, scope: Scope, want: Type | None) -> Expr:
        """The typed tree of a part, without its place."""

    def typed(self, node: ast.expr, scope: Scope, want: Type) -> Expr:
        """A part of the expression that must have a type."""
        tree = self.visit(node, scope, want)
        self.need(tree, want, node)
        return tree

    def group(self, node: ast.expr, scope: Scope) -> Expr:
        """A kind, a set or a list to go over; a kind also where a member has its name."""
        if isinstance(node, ast.Name) and node.id in self.symbols.kinds and scope.names.get(node.id, NONE).kind:
            self.note(f"kinds.{node.id}", node)
            return n.Everyone(Type("set", node.id)).at(self.span(node))
        tree = self.visit(node, scope)
        if tree.type.base not in GROUPS:
            raise self.fail("wrong-type", f"expected a kind, a set or a list, found {tree.type}", node)
        self.known_kind(tree, node)
        return tree

    def known_kind(self, tree: Expr, node: ast.expr) -> Expr:
        """The same; an error if it is an empty set or list of nobody knows what."""
        if tree.type.base in GROUPS and not tree.type.kind:
            raise self.fail("wrong-type", "nothing here tells of what kind this is empty", node, EMPTY)
        return tree

    def arguments(self, name: str, params: Params, node: ast.expr, scope: Scope) -> tuple[Expr, ...]:
        """The arguments of a term, formula, route or procedure, each of its parameter's type; none without a call."""
        args, keywords = (node.args, node.keywords) if isinstance(node, ast.Call) else ([], [])
        if keywords or len(args) != len(params):
            message = f"takes {len(params)} argument{'s' * (len(params) != 1)}, not {len(args)}"
            message = "takes its arguments in order, without names" if keywords else message
            hint = f"write {name}({', '.join(params)})" if params else f"write {name}"
            raise self.fail("wrong-arguments", f"`{name}` {message}", node, hint=hint)
        given = tuple(self.typed(part, scope, want) for part, want in zip(args, params.values(), strict=True))
        for part, tree, param in zip(args, given, params, strict=True):
            if param in params.ranges:
                at = self.span(part)
                self.bounding[at] = Bounded(tree, at, scope.facts, params.ranges[param], param)
        return given

    def indexes(
        self, named: Attribute | Variable, written: list[ast.expr], node: ast.expr, scope: Scope
    ) -> tuple[Expr, ...]:
        """The indexes of an attribute or of state, each of its kind."""
        if not written and named.per:
            message = f"`{named.name}` is kept per {', '.join(kind for _, kind in named.per)}"
            raise self.fail("missing-index", message, self.last_word(node), hint=f"write {named.name}[...]")
        if len(written) != len(named.per):
            raise self.fail("missing-index", f"`{named.name}` has {len(named.per)} indexes, not {len(written)}", node)
        wanted = [Type("ref", kind) for _, kind in named.per]
        return tuple(self.typed(part, scope, want) for part, want in zip(written, wanted, strict=True))

    # -- places, and what names mean --------------------------------------------------------------------------------

    def span(self, node: ast.AST) -> Span:
        """Where a part of the expression stands."""
        return span_of(self.text, node)

    def between(self, first: ast.AST, last: ast.AST) -> Span:
        """From the first character of one part of the expression to the last one of another."""
        return self.span(first).to(self.span(last))

    def last_word(self, node: ast.AST) -> ast.AST:
        """The `name` of `x.name`, as a place; anything else as it is."""
        if not isinstance(node, ast.Attribute):
            return node
        end = node.end_col_offset or node.col_offset
        return ast.Name(node.attr, lineno=1, col_offset=end - len(node.attr.encode()), end_col_offset=end)

    def note(self, symbol: str, node: ast.AST) -> None:
        """A symbol stands at a part of the expression."""
        self.references.note(symbol, self.span(node))

    def note_local(self, name: str, node: ast.AST, kind: Type | None = None) -> None:
        """A local name stands at a part of the expression; with its type, it is declared there for this expression."""
        if kind is not None:
            self.loops.add(name)
        if name not in BUILT_IN:
            within = self.text.span if name in self.loops else None
            self.references.local(name, self.span(node), kind, within)

    # -- errors -----------------------------------------------------------------------------------------------------

    def fail(
        self, code: str, message: str, node: ast.AST, hint: str | None = None, suggestion: str | None = None
    ) -> FailedError:
        """Write a diagnostic at a part of the expression; the caller raises what this returns."""
        at, whole = self.span(node), self.text.span
        is_far = isinstance(self.text, Spliced) and (at.file, at.line) != (whole.file, whole.line)
        related = (("what stands there is put in here", whole),) if is_far else ()
        self.diagnostics.error(code, message, at, hint, related, suggestion=suggestion)
        return FailedError()

    def written(self, node: ast.AST) -> str:
        """A part of the expression as it is written."""
        text = self.text
        if text.isascii() and "\n" not in text and isinstance(node, ast.expr):  # every comparison asks, most are so
            return text[node.col_offset : node.end_col_offset]
        return ast.get_source_segment(text, node) or ast.unparse(node)

    def need(self, tree: Expr, want: Type, node: ast.AST) -> None:
        """Fail unless a value fits."""
        if fits(tree.type, want):
            return
        if tree.type.sure() == want:
            shown = self.written(node)
            advice = f"check `{shown} is not none` before"
            if not isinstance(tree, (n.Var, n.Load, n.Attr, n.Item, n.Located)):
                advice = "give it a name with `let` and check that the name `is not none`"
            if shown.startswith(("most(", "least(")) and "tie=" not in shown:
                advice = "say which it is of several that are equal: `tie=`"
            raise self.fail("maybe-none", f"`{shown}` may be none here", node, advice)
        suggestion: str | None = None
        hint: str | None = None
        written = (ast.Set, ast.SetComp, ast.List, ast.ListComp)
        if want == BOOL and tree.type.maybe and isinstance(tree, (n.Var, n.Load, n.Attr)):
            suggestion = f"{self.written(node)} is not none"
        if {tree.type.base, want.base} == {*GROUPS} and isinstance(node, written):
            inside = ast.unparse(node)[1:-1]
            hint = f"write {{{inside}}}" if want.base == "set" else f"write [{inside}]"
        raise self.fail("wrong-type", f"expected {want}, found {tree.type}", node, hint, suggestion)

    def unknown(self, what: str, name: str, known: list[str], node: ast.AST, scope: Scope | None = None) -> FailedError:
        """The diagnostic for a name that does not exist."""
        self.references.missing(what, name, known, scope, self.wanted[-1] if self.wanted else None)
        message = f"there is no {what} `{name}`"
        self.diagnostics.unknown("unknown-name", message, self.span(self.last_word(node)), name, known)
        return FailedError()
