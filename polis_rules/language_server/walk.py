"""Notes what stands outside of expressions: declarations, and keys and words that name something."""

from __future__ import annotations

import re
from collections.abc import Iterator

from polis_rules.diagnostics import Span
from polis_rules.language_server.index import Index
from polis_rules.language_server.recording import member
from polis_rules.semantics import Attribute, Symbols, Variable
from polis_rules.source import Mapping, Node, Sequence, Text

__all__ = ["Walk", "entries"]

DECLARING = ("kinds", "state", "graphs", "routes", "terms", "supplies", "actions", "procedures", "phases", "endings")
WORD = re.compile("[a-z][a-z0-9_]*")


def entries(node: Node | None, *path: str) -> dict[Text, Node]:
    """What the mapping at a path holds; nothing where there is none."""
    for key in path:
        node = node.get(key) if isinstance(node, Mapping) else None
    return node.entries if isinstance(node, Mapping) else {}


class Walk:
    """Walks a composed tree and fills an index. The symbols may be those of a ruleset with errors."""

    def __init__(self, tree: Mapping, symbols: Symbols, index: Index) -> None:
        self.tree = tree
        self.symbols = symbols
        self.index = index

    def run(self) -> None:
        """Note everything."""
        for section in DECLARING:
            for name in entries(self.tree, section):
                self.index.add(f"{section}.{name}", name.span, declares=True)
        for name in entries(self.tree, "manifest", "sources"):
            self.index.add(f"manifest.sources.{name}", name.span, declares=True)
        self.kinds()
        self.state("state", entries(self.tree, "state"))
        self.tables()
        self.graphs()
        for section in ("terms", "routes", "procedures", "phases"):
            for name, rule in entries(self.tree, section).items():
                self.params(f"{section}.{name}", rule)
        for rule in entries(self.tree, "supplies").values():
            self.kind(rule.get("per") if isinstance(rule, Mapping) else None)
        for section in ("actions", "procedures", "phases"):
            for rule in entries(self.tree, section).values():
                self.steps(rule)
        for key, node in entries(self.tree, "scenario", "start").items():
            self.start(key, node)
        for text in cited(self.tree):
            self.word(text, {word: f"manifest.sources.{word}" for word in entries(self.tree, "manifest", "sources")})

    # -- declarations -----------------------------------------------------------------------------------------------

    def kinds(self) -> None:
        for kind, declared in entries(self.tree, "kinds").items():
            self.parts(f"kinds.{kind}.attributes", declared)
            for name, attribute in entries(declared, "attributes").items():
                path = f"kinds.{kind}.attributes.{name}"
                self.index.add(path, name.span, declares=True)
                self.typed(attribute)
                self.params(path, attribute)
                self.per(path, attribute)
            self.state(f"kinds.{kind}.state", entries(declared, "state"))

    def parts(self, prefix: str, declared: Node) -> None:
        """The kinds that one combines."""
        node = declared.get("for_each") if isinstance(declared, Mapping) else None
        if isinstance(node, Mapping):
            for name, kind in node.entries.items():
                self.index.add(f"{prefix}.{name}", name.span, declares=True)
                self.kind(kind)
        for each in node.items if isinstance(node, Sequence) else [node]:
            self.kind(each)

    def state(self, prefix: str, section: dict[Text, Node]) -> None:
        for name, variable in section.items():
            self.index.add(f"{prefix}.{name}", name.span, declares=True)
            self.typed(variable)
            self.per(f"{prefix}.{name}", variable)

    def typed(self, declared: Node) -> None:
        """The kind that a type names."""
        text = declared.get("type") if isinstance(declared, Mapping) else declared
        if isinstance(text, Text):
            self.words(text, {kind: f"kinds.{kind}" for kind in self.symbols.kinds})

    def params(self, path: str, rule: Node) -> None:
        for name, text in entries(rule, "of").items():
            self.index.add(f"{path}#{name}", name.span, declares=True)
            self.index.types[f"{path}#{name}"] = str(text)
            self.typed(text)

    def per(self, path: str, declared: Node) -> None:
        node = declared.get("per") if isinstance(declared, Mapping) else None
        if isinstance(node, Mapping):
            for name, kind in node.entries.items():
                self.index.add(f"{path}#{name}", name.span, declares=True)
                self.index.types[f"{path}#{name}"] = str(kind)
                self.kind(kind)
        for each in node.items if isinstance(node, Sequence) else [node]:
            self.kind(each)

    def kind(self, text: Node | None) -> None:
        if isinstance(text, Text) and text in self.symbols.kinds:
            self.index.add(f"kinds.{text}", text.span)

    # -- tables and first values ------------------------------------------------------------------------------------

    def tables(self) -> None:
        for kind, rows in entries(self.tree, "tables").items():
            self.kind(kind)
            attributes = self.symbols.kinds[kind].attributes if kind in self.symbols.kinds else {}
            for name, row in entries(rows).items():
                self.index.add(f"tables.{kind}.{name}", name.span, declares=True)
                for key, value in entries(row).items():
                    if key in attributes:
                        self.index.add(f"kinds.{kind}.attributes.{key}", key.span)
                        self.attribute(attributes[key], value)

    def attribute(self, attribute: Attribute, value: Node) -> None:
        for inner in self.indexed([kind for _, kind in attribute.per], value):
            if attribute.spec.kind == "changes":
                for key in entries(inner):
                    if key in self.symbols.terms:
                        self.index.add(f"terms.{key}", key.span)
            elif attribute.spec.kind == "effects":
                self.steps(inner)
            else:
                self.members(attribute.spec.member_kind or "", inner)

    def start(self, key: Text, node: Node) -> None:
        owner, dot, name = key.rpartition(".")
        kind = self.symbols.kinds.get(owner)
        found: Variable | None = (kind.state if kind else {}).get(name) if dot else self.symbols.state.get(name)
        if found is None:
            return
        self.index.add(f"kinds.{owner}.state.{name}" if dot else f"state.{name}", key.span)
        self.words(key, {owner: f"kinds.{owner}"} if dot else {})
        for value in self.indexed(([owner] if dot else []) + [each for _, each in found.per], node):
            self.members(found.type.kind, value)

    def indexed(self, kinds: list[str], node: Node) -> Iterator[Node]:
        """The values below as many levels of members as there are kinds; the members are noted."""
        if not kinds:
            yield node
            return
        index = self.symbols.kinds[kinds[0]].index if kinds[0] in self.symbols.kinds else {}
        for key, inner in entries(node).items():
            if key in index:
                self.index.add(member(kinds[0], key), key.span)
            yield from self.indexed(kinds[1:], inner)

    def members(self, name: str, value: Node) -> None:
        """The members of a kind that a value names."""
        kind = self.symbols.kinds.get(name)
        for text in value.items if isinstance(value, Sequence) else [value]:
            if kind is not None and isinstance(text, Text) and text in kind.index:
                self.index.add(member(kind.name, text), text.span)

    # -- graphs and steps -------------------------------------------------------------------------------------------

    def graphs(self) -> None:
        nodes = {name: owners for name, owners in self.symbols.owners.items() if len(owners) == 1}
        for graph in entries(self.tree, "graphs").values():
            for edge in entries(graph, "edges"):
                self.words(edge, {name: member(owners[0], name) for name, owners in nodes.items()})
            source = graph.get("from") if isinstance(graph, Mapping) else None
            if isinstance(source, Text):
                kind, _, attribute = source.partition(".")
                self.words(source, {kind: f"kinds.{kind}", attribute: f"kinds.{kind}.attributes.{attribute}"})
        graphs = {str(name): f"graphs.{name}" for name in entries(self.tree, "graphs")}
        for route in entries(self.tree, "routes").values():
            over = route.get("over") if isinstance(route, Mapping) else None
            for text in [*(over.items if isinstance(over, Sequence) else []), *entries(route, "also")]:
                if isinstance(text, Text):
                    self.words(text, graphs)
            for kind in (*entries(route, "through"), *entries(route, "costs")):
                self.kind(kind)

    def steps(self, node: Node) -> None:
        """Procedures, phases and endings that steps name, and what is paid, anywhere below a node."""
        if isinstance(node, Sequence):
            for item in node.items:
                if isinstance(item, Text):
                    self.call(item)
                self.steps(item)
        elif isinstance(node, Mapping):
            for key, value in node.entries.items():
                if key == "do" and isinstance(value, Text):
                    self.call(value)
                elif key == "end" and isinstance(value, Text):
                    self.word(value, {str(name): f"endings.{name}" for name in entries(self.tree, "endings")})
                elif key in ("pay", "gain", "lose", "cost"):
                    self.purse(value)
                self.steps(value)

    def call(self, text: Text) -> None:
        sections = ("procedures", "phases")
        self.word(
            text, {str(name): f"{section}.{name}" for section in sections for name in entries(self.tree, section)}
        )

    def purse(self, amounts: Node) -> None:
        player = self.symbols.kinds.get("player")
        for key in entries(amounts):
            if player is not None and key in player.state:
                self.index.add(f"kinds.player.state.{key}", key.span)

    # -- words ------------------------------------------------------------------------------------------------------

    def word(self, text: Text, known: dict[str, str]) -> None:
        """The word that a text begins with."""
        found = WORD.match(text)
        if found is not None and found[0] in known:
            self.index.add(known[found[0]], part(text, found.start(), found.end()))

    def words(self, text: Text, known: dict[str, str]) -> None:
        """Every word of a text."""
        for found in WORD.finditer(text):
            if found[0] in known:
                self.index.add(known[found[0]], part(text, found.start(), found.end()))


def part(text: Text, start: int, end: int) -> Span:
    """The place of a part of a text on one line."""
    span = text.span
    if len(text) < span.end_column - span.column and span.line == span.end_line:  # the end of an overlay's path
        start, end = (at + span.end_column - span.column - len(text) for at in (start, end))
    return Span(span.file, span.line, span.column + start, span.line, span.column + end)


def cited(node: Node) -> Iterator[Text]:
    """Every `cite` below a node."""
    if isinstance(node, Mapping):
        for key, value in node.entries.items():
            if key == "cite" and isinstance(value, Text):
                yield value
            else:
                yield from cited(value)
    elif isinstance(node, Sequence):
        for item in node.items:
            yield from cited(item)
