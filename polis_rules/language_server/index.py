"""Which place of a file means what: every id where it is declared and wherever it is used.

A symbol is called by its path in the composed ruleset, e.g. `actions.dig`, `tables.card.fox`, `kinds.card.state.owner`.
A local name is called by its rule and itself, e.g. `actions.dig#target`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from polis_rules.diagnostics import Span

__all__ = ["Index", "Occurrence", "is_local", "name_of"]


@dataclass(frozen=True, slots=True)
class Occurrence:
    """One place where an id stands."""

    symbol: str
    span: Span
    declares: bool = False


@dataclass(slots=True)
class Index:
    """The occurrences of one analysis. Only places are kept where the file really holds the id."""

    sources: dict[str, str]
    found: dict[tuple[str, int], list[Occurrence]] = field(default_factory=dict)
    by_symbol: dict[str, list[Occurrence]] = field(default_factory=dict)
    types: dict[str, str] = field(default_factory=dict)
    """What a local name is, in words."""
    _lines: dict[str, list[str]] = field(default_factory=dict)

    def line(self, file: str, number: int) -> str:
        """A line of a file, counted from 1; empty where there is none."""
        if file not in self._lines:
            self._lines[file] = self.sources.get(file, "").split("\n")
        lines = self._lines[file]
        return lines[number - 1] if 0 < number <= len(lines) else ""

    def add(self, symbol: str, span: Span, declares: bool = False) -> None:
        """Note that a symbol stands somewhere. Of a longer place, such as an overlay's path, it is the end."""
        name = name_of(symbol)
        text = self.line(span.file, span.line)[span.column - 1 : span.end_column - 1]
        if text != name and text.endswith("." + name):
            span = Span(span.file, span.line, span.end_column - len(name), span.line, span.end_column)
        elif text != name:
            return
        occurrence = Occurrence(symbol, span, declares)
        there = self.found.setdefault((span.file, span.line), [])
        known = next((each for each in there if each.span == span), None)
        if known is None:
            there.append(occurrence)
            self.by_symbol.setdefault(symbol, []).append(occurrence)
        elif declares and known.symbol == symbol and not known.declares:
            there[there.index(known)] = occurrence
            same = self.by_symbol[symbol]
            same[same.index(known)] = occurrence

    def at(self, file: str, line: int, column: int) -> Occurrence | None:
        """What stands at a place; the place right after an id still belongs to it."""
        for each in self.found.get((file, line), ()):
            if each.span.column <= column <= each.span.end_column:
                return each
        return None

    def of(self, symbol: str) -> list[Occurrence]:
        """Every place of a symbol, in the order of the files' lines."""
        return sorted(
            self.by_symbol.get(symbol, ()), key=lambda each: (each.span.file, each.span.line, each.span.column)
        )

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
