"""The type checker with an ear: it notes what every name in every expression means."""

from __future__ import annotations

import ast
from collections.abc import Callable

from polis_rules.diagnostics import Diagnostics, Span
from polis_rules.language_server.index import Index
from polis_rules.schema import Document
from polis_rules.semantics import (
    BUILT_IN,
    FUNCTIONS,
    Attribute,
    ExpressionChecker,
    FailedError,
    Place,
    RulesChecker,
    Symbols,
    Variable,
    Words,
)
from polis_rules.semantics.expressions import Const, Everyone, Expr, Load, Scope, Type, Var, place
from polis_rules.source import Text

__all__ = ["PROBE", "Offered", "RecordingRules"]

PROBE = "zz_here"
"""A name that stands for what somebody is about to type."""

Offered = dict[str, str]
"""What could stand in the place of the probe: names, and what each is."""


class RecordingRules(RulesChecker):
    """Typechecks a document and fills an index; `offered` is what the checker would have taken for the probe."""

    def __init__(self, document: Document, symbols: Symbols, diagnostics: Diagnostics, index: Index, owners: Owners):
        super().__init__(document, symbols, diagnostics)
        self.offered: Offered = {}
        self.expressions = RecordingExpressions(self, diagnostics, index, owners)
        self.expressions.using_you = self.steps.used
        self.steps.expressions = self.expressions
        self.steps.local = self._local(self.steps.local, index, owners)  # type: ignore[method-assign, assignment]

    def _local(self, local: Local, index: Index, owners: Owners) -> Local:
        def noted(name: Text, kind: Type, scope: Scope, where: Place) -> Scope:
            symbol = owners(name.span, str(name))
            index.add(symbol, name.span, declares=True)
            index.types[symbol] = str(kind)
            return local(name, kind, scope, where)

        return noted


Local = Callable[[Text, Type, Scope, Place], Scope]
Owners = Callable[[Span, str], str]
"""The symbol of a local name that is used at a place."""


class RecordingExpressions(ExpressionChecker):
    """Typechecks expressions and notes what their names mean."""

    def __init__(self, rules: RecordingRules, diagnostics: Diagnostics, index: Index, owners: Owners) -> None:
        super().__init__(rules.symbols, diagnostics, rules.require_term)
        self.rules = rules
        self.index = index
        self.owners = owners
        self.looped: set[tuple[Span, str]] = set()
        """Names that belong to one expression only, with the place of the expression."""

    def note(self, symbol: str, node: ast.AST, declares: bool = False) -> None:
        """A symbol stands at a part of the expression."""
        self.index.add(symbol, place(self.text, node), declares)

    def note_local(self, name: str, node: ast.AST, kind: Type | None = None) -> None:
        """A local name stands at a part of the expression; its type is given where it is declared."""
        span = self.text.span
        symbol = self.owners(span, name)
        if kind is not None:
            self.looped.add((span, name))
        if (span, name) in self.looped:
            symbol = symbol.replace("#", f"@{span.line}:{span.column}#")
        self.note(symbol, node, declares=kind is not None)
        if kind is not None:
            self.index.types[symbol] = str(kind)

    @property
    def words(self) -> Words:
        return RecordingWords(self)

    def unknown(self, what: str, name: str, known: list[str], node: ast.AST) -> FailedError:
        if name == PROBE:
            self.rules.offered |= {each: self._described(each, what) for each in known}
            if what == "name":
                self.rules.offered |= dict.fromkeys((*FUNCTIONS, "range", "reachable"), "function")
                self.rules.offered |= dict.fromkeys(self.symbols.routes, "route")
        return super().unknown(what, name, known, node)

    def _described(self, name: str, what: str) -> str:
        symbols = self.symbols
        if what != "name":
            return what
        for kind, names in (("kind", symbols.kinds), ("state", symbols.state), ("term", symbols.terms)):
            if name in names:
                return kind
        return " or ".join(symbols.owners[name]) if name in symbols.owners else "name"

    def name(self, node: ast.Name, scope: Scope, want: Type | None) -> Expr:
        found = super().name(node, scope, want)
        word = node.id
        match found:
            case _ if word in BUILT_IN:
                pass
            case Var() if word in scope.names:
                self.note_local(word, node)
            case Load():
                self.note(f"state.{word}", node)
            case Everyone():
                self.note(f"kinds.{word}", node)
            case Const() if found.type.base == "ref" and word in self.symbols.owners:
                self.note(member(found.type.kind, word), node)
        return found

    def attribute(self, node: ast.Attribute, scope: Scope) -> Expr:
        found = super().attribute(node, scope)
        if isinstance(node.value, ast.Name) and self._is_kind(node.value.id, scope):
            self.note(f"kinds.{node.value.id}", node.value)
            self.note(member(node.value.id, node.attr), self.last_word(node))
        return found

    def property_of(self, node: ast.Attribute, scope: Scope) -> tuple[Attribute | Variable, Expr]:
        found, owner = super().property_of(node, scope)
        group = "state" if isinstance(found, Variable) else "attributes"
        self.note(f"kinds.{found.owner}.{group}.{found.name}", self.last_word(node))
        return found, owner

    def subscript(self, node: ast.Subscript, scope: Scope) -> Expr:
        inner: ast.expr = node
        while isinstance(inner, ast.Subscript):
            inner = inner.value
        if isinstance(inner, ast.Name) and inner.id in self.symbols.state and inner.id not in scope.names:
            self.note(f"state.{inner.id}", inner)
        return super().subscript(node, scope)

    def term(self, word: str, parts: list[ast.expr], node: ast.expr, scope: Scope) -> Expr:
        self.note(f"terms.{word}", node.func if isinstance(node, ast.Call) else node)
        return super().term(word, parts, node, scope)


class RecordingWords(Words):
    """Notes routes, and the names that go over members."""

    checker: RecordingExpressions

    def loop(self, loop: ast.comprehension, scope: Scope) -> tuple[str, Expr, Expr | None, Scope]:
        if isinstance(loop.target, ast.Name):
            self.checker.looped.add((self.checker.text.span, loop.target.id))
        found = super().loop(loop, scope)
        self.checker.note_local(found[0], loop.target, found[3].names[found[0]])
        return found

    def _travel(self, word: str, parts: list[ast.expr], node: ast.Call, scope: Scope) -> Expr:
        first = parts[0].func if isinstance(parts[0], ast.Call) else parts[0]
        if isinstance(first, ast.Name) and first.id in self.checker.symbols.routes:
            self.checker.note(f"routes.{first.id}", first)
        return super()._travel(word, parts, node, scope)


def member(kind: str, name: str) -> str:
    """The symbol of a member; those of the kind `action` are the actions.

    >>> member("card", "fox"), member("action", "dig")
    ('tables.card.fox', 'actions.dig')
    """
    return f"actions.{name}" if kind == "action" else f"tables.{kind}.{name}"
