"""Which place of a ruleset means what, noted while names are resolved and types are checked.

A symbol is called by its path in the composed ruleset, e.g. `actions.dig`, `tables.card.fox`, `kinds.card.state.owner`.
A local name is called by its rule and itself, e.g. `actions.dig#target`.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

from polis_rules.diagnostics import Span
from polis_rules.schema import Document
from polis_rules.semantics.expressions import Scope, Type
from polis_rules.semantics.symbols import Attribute, Symbols
from polis_rules.source import Mapping as Entries, Node, Sequence, Text

WORD = re.compile("[a-z][a-z0-9_]*")


@dataclass(frozen=True, slots=True)
class Reference:
    """One place where an id stands."""

    symbol: str
    span: Span
    declares: bool = False
    type: str = ""
    """What a local name is, in words; where it is declared."""


class References:
    """Collects references. One that does not stand in its file as it is read is left out by whoever shows it."""

    def __init__(self) -> None:
        self.found: list[Reference] = []
        self.rule = ""
        """The path of the rule that is looked at: local names are its own."""
        self.params: Mapping[str, str] = {}
        """Local names that another rule declares, with its path."""

    @contextmanager
    def inside(self, rule: str, params: Iterable[str] = (), of: str = "") -> Iterator[None]:
        """Look at another rule for a while; `of` is the rule that declares its parameters, if it does not do so."""
        outer = self.rule, self.params
        self.rule, self.params = rule, dict.fromkeys(params, of)
        try:
            yield
        finally:
            self.rule, self.params = outer

    def note(self, symbol: str, span: Span, declares: bool = False, type: str = "") -> None:
        """A symbol stands at a place."""
        self.found.append(Reference(symbol, span, declares, type))

    def local(self, name: str, span: Span, kind: Type | None = None, within: Span | None = None) -> None:
        """A local name stands at a place: with its type where it is declared, `within` the expression that it is of."""
        rule = self.params.get(name, self.rule) + (f"@{within}" if within is not None else "")
        self.note(f"{rule}#{name}", span, kind is not None, str(kind or ""))

    def words(self, text: Text, known: Mapping[str, str]) -> None:
        """Every word of a text on one line that names a symbol."""
        span = text.span
        # of an overlay's path the text is the end
        before = max(span.end_column - span.column - len(text), 0) if span.line == span.end_line else 0
        for word in WORD.finditer(text):
            if word[0] in known:
                self.note(known[word[0]], span.part(before + word.start(), before + word.end()))

    def missing(self, what: str, name: str, known: Collection[str], scope: Scope | None, want: Type | None) -> None:
        """There is no such name; these are known, and a value of this type is wanted. Here nobody cares."""


class _NotNoted(References):
    """Stands where nobody asks what places mean."""

    def note(self, symbol: str, span: Span, declares: bool = False, type: str = "") -> None:
        """Forget it."""


NOT_NOTED = _NotNoted()


def member(kind: str, name: str) -> str:
    """The symbol of a member; those of the kind `action` are the actions.

    >>> member("card", "fox"), member("action", "dig")
    ('tables.card.fox', 'actions.dig')
    """
    return f"actions.{name}" if kind == "action" else f"tables.{kind}.{name}"


def note_declarations(document: Document, symbols: Symbols, found: References) -> None:
    """Note what is declared, and what tables, types, graphs and routes name."""
    _Declarations(document, symbols, found).run()


class _Declarations:
    def __init__(self, document: Document, symbols: Symbols, found: References) -> None:
        self.document = document
        self.symbols = symbols
        self.found = found
        self.kinds = {name: f"kinds.{name}" for name in symbols.kinds}

    def run(self) -> None:
        document, declare = self.document, self.declare
        for section in ("kinds", "state", "graphs", "routes", "terms", "supplies", "endings"):
            declare(section, getattr(document, section))
        for name, kind in document.kinds.items():
            path = f"kinds.{name}"
            self.indexes(f"{path}.attributes.", kind.for_each)
            declare(f"{path}.attributes", kind.attributes)
            declare(f"{path}.state", kind.state)
            for inner, attribute in kind.attributes.items():
                self.typed(f"{path}.attributes.{inner}", attribute.type, attribute.per)
                note_params(f"{path}.attributes.{inner}", attribute.of, self.kinds, self.found)
            for inner, variable in kind.state.items():
                self.typed(f"{path}.state.{inner}", variable.type, variable.per)
        for name, variable in document.state.items():
            self.typed(f"state.{name}", variable.type, variable.per)
        for section in ("terms", "routes"):
            for name, rule in getattr(document, section).items():
                note_params(f"{section}.{name}", rule.of, self.kinds, self.found)
        for supply in document.supplies.values():
            self.names(filter(None, [supply.per]), self.kinds)
        self.tables()
        self.graphs()

    def declare(self, section: str, names: Iterable[Text]) -> None:
        for name in names:
            self.found.note(f"{section}.{name}", name.span, declares=True)

    def names(self, texts: Iterable[Text], known: Mapping[str, str]) -> None:
        for text in texts:
            self.found.words(text, known)

    def typed(self, path: str, type: Text, per: Mapping[Text, Text]) -> None:
        """The kinds that a type and its indexes name."""
        self.found.words(type, self.kinds)
        self.indexes(f"{path}#", per)

    def indexes(self, prefix: str, per: Mapping[Text, Text]) -> None:
        for name, kind in per.items():
            if name.span != kind.span:
                self.found.note(prefix + name, name.span, declares=True, type=str(kind))
        self.names(per.values(), self.kinds)

    def tables(self) -> None:
        for kind, rows in self.document.tables.items():
            self.names([kind], self.kinds)
            self.declare(f"tables.{kind}", rows)
            attributes = self.symbols.kinds[kind].attributes if kind in self.symbols.kinds else {}
            for row in rows.values():
                for key, value in row.values.items():
                    if key in attributes:
                        self.found.note(f"kinds.{kind}.attributes.{key}", key.span)
                        self.value(attributes[key], [each for _, each in attributes[key].per], value)

    def value(self, attribute: Attribute, per: list[str], node: Node) -> None:
        """The members that a value names, below as many levels of indexes as the attribute has."""
        if per and isinstance(node, Entries):
            for key, inner in node.entries.items():
                self.member(per[0], key)
                self.value(attribute, per[1:], inner)
        elif not per and attribute.spec.member_kind is not None:
            for text in node.items if isinstance(node, Sequence) else [node]:
                if isinstance(text, Text):
                    self.member(attribute.spec.member_kind, text)

    def member(self, kind: str, name: Text) -> None:
        if kind in self.symbols.kinds and name in self.symbols.kinds[kind].index:
            self.found.note(member(kind, name), name.span)

    def graphs(self) -> None:
        members = {name: member(kinds[0], name) for name, kinds in self.symbols.owners.items() if len(kinds) == 1}
        graphs = {str(name): f"graphs.{name}" for name in self.document.graphs}
        for graph in self.document.graphs.values():
            self.names(graph.edges or (), members)
            if graph.from_ is not None:
                kind, _, attribute = graph.from_.partition(".")
                self.names([graph.from_], {kind: f"kinds.{kind}", attribute: f"kinds.{kind}.attributes.{attribute}"})
        for route in self.document.routes.values():
            self.names([*route.over, *route.also], graphs)
            self.names([*route.through, *route.costs], self.kinds)


def note_params(path: str, of: Mapping[Text, Text], kinds: Mapping[str, str], found: References) -> None:
    """The parameters that a rule declares, and their types."""
    for name, text in of.items():
        found.note(f"{path}#{name}", name.span, declares=True, type=str(text))
        found.words(text, kinds)
