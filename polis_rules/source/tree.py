"""A tree of YAML in which every key and every value knows its place in the file."""

from __future__ import annotations

from dataclasses import dataclass

from polis_rules.diagnostics import Span


class Text(str):
    """A key or a value as it is written, with its place. Nothing is interpreted: `yes` and `1` are texts too.

    >>> Text("coin", Span("a.yaml", 2, 7, 2, 11)).upper()
    'COIN'
    """

    __slots__ = ("quoted", "span")

    span: Span
    """From the first character of the content (not the quote) to after the last."""
    quoted: bool
    """Whether it stands between quotes."""

    def __new__(cls, text: str, span: Span, quoted: bool = False) -> Text:
        self = super().__new__(cls, text)
        self.span = span
        self.quoted = quoted
        return self

    def __reduce__(self) -> tuple[type[Text], tuple[str, Span, bool]]:
        return Text, (str(self), self.span, self.quoted)


@dataclass(frozen=True, slots=True)
class Mapping:
    """Keys and values, in the order written."""

    entries: dict[Text, Node]
    span: Span

    def get(self, name: str) -> Node | None:
        """The value of a key, or None."""
        return self.entries.get(name)  # type: ignore[call-overload, no-any-return]

    def key(self, name: str) -> Text | None:
        """The key of that name as it is written, with its place."""
        return next((key for key in self.entries if key == name), None)


@dataclass(frozen=True, slots=True)
class Sequence:
    """A list of values."""

    items: list[Node]
    span: Span


Node = Text | Mapping | Sequence
