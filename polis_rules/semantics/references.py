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
from polis_rules.semantics.expressions import Scope, Type
from polis_rules.source import Folded, Spliced, Text

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
                begin, end = before + word.start(), before + word.end()
                place = text.place(*word.span()) if isinstance(text, Spliced | Folded) else span.part(begin, end)
                self.note(known[word[0]], place)

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


def note_params(path: str, of: Mapping[Text, Text], kinds: Mapping[str, str], references: References) -> None:
    """The parameters that a rule declares, and their types."""
    for name, text in of.items():
        references.note(f"{path}#{name}", name.span, declares=True, type=str(text))
        references.words(text, kinds)
