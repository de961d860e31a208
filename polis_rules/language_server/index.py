"""Which place of a file means what: the references that resolver and checker have noted, by place and by symbol."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from polis_rules.diagnostics import Span
from polis_rules.semantics import Reference
from polis_rules.source import Node, Text, walk

ATTRIBUTE = re.compile(r"kinds\.\w+\.attributes\.\w+")


class Index:
    """The references of one analysis. Only places are kept where the file really holds the id."""

    def __init__(
        self,
        sources: dict[str, str],
        word: str | None = None,
        references: Iterable[Reference] = (),
        libraries: Iterable[tuple[str, str]] = (),
    ) -> None:
        self.word = word
        """The only id whose places are kept, if there is one."""
        self.libraries: dict[str, list[str]] = {}
        """Files in which ids may lack what they begin with in the ruleset: what that may be."""
        for file, prefix in libraries:
            self.libraries.setdefault(file, []).append(prefix)
        self.by_symbol: dict[str, dict[Span, Reference]] = {}
        self.types: dict[str, str] = {}
        """What a local name is, in words."""
        self.named_after: dict[str, str] = {}
        """Attributes that have their name of a kind, as `for_each` gives it without another: that kind."""
        self._found: dict[tuple[str, int], dict[Span, Reference]] = {}
        self._lines = {file: text.split("\n") for file, text in sources.items()}
        for each in references:
            self.add(each)

    def add(self, reference: Reference) -> None:
        """Note that a symbol stands somewhere. Of a longer place, such as an overlay's path, it is the end."""
        span, name = reference.span, name_of(reference.symbol)
        if self.word not in (None, name):
            return
        lines = self._lines.get(span.file, [])
        text = lines[span.line - 1][span.column - 1 : span.end_column - 1] if span.line <= len(lines) else ""
        if any(name == prefix + text for prefix in self.libraries.get(span.file, ())):
            self.by_symbol.setdefault(reference.symbol, {})[span] = reference
        elif text != name:
            if not text.endswith("." + name):
                return
            span = replace(span, column=span.end_column - len(name))
            reference = replace(reference, span=span)
        there = self._found.setdefault((span.file, span.line), {})
        known = there.get(span)
        if known is None or (reference.declares and not known.declares and known.symbol == reference.symbol):
            there[span] = reference
            self.by_symbol.setdefault(reference.symbol, {})[span] = reference
            if reference.type:
                self.types[reference.symbol] = reference.type
        elif known.declares and ATTRIBUTE.fullmatch(known.symbol) and reference.symbol == f"kinds.{name}":
            self.by_symbol.setdefault(reference.symbol, {})[span] = reference
            self.named_after[known.symbol] = reference.symbol

    def with_its_name(self, symbol: str) -> list[str]:
        """A symbol with all that have their name of the same kind."""
        kind = self.named_after.get(symbol, symbol)
        after = [each for each, named in self.named_after.items() if named == kind]
        return [kind, *after] if after else [symbol]

    def at(self, file: str, line: int, column: int) -> Reference | None:
        """What stands at a place; the place right after an id still belongs to it."""
        here = (each for each in self.on(file, line) if each.span.column <= column <= each.span.end_column)
        return next(here, None)

    def on(self, file: str, line: int) -> Iterable[Reference]:
        """What stands on a line."""
        return self._found.get((file, line), {}).values()

    def of(self, symbol: str) -> list[Reference]:
        """Every place of a symbol, in the order of the files' lines."""
        known = self.by_symbol.get(symbol, {}).values()
        return sorted(known, key=lambda each: (each.span.file, each.span.line, each.span.column))

    def declarations(self, symbol: str) -> Iterator[Span]:
        """Where a symbol is declared."""
        return (each.span for each in self.of(symbol) if each.declares)


def name_of(symbol: str) -> str:
    """The id that a file holds.

    >>> name_of("tables.card.fox"), name_of("actions.dig#target")
    ('fox', 'target')
    """
    return symbol.replace("#", ".").rpartition(".")[2]


def is_local(symbol: str) -> bool:
    """Whether it is a name of one rule only."""
    return "#" in symbol


def texts(node: Node, below: str | None = None) -> Iterator[Text]:
    """Every key and value of a tree; with `below`, only the values under keys of that name."""
    for path, each in walk(node):
        key = path[-1] if path else None
        if below is None and isinstance(key, Text):
            yield key
        if isinstance(each, Text) and below in (None, key):
            yield each
