"""The rules of a library in the words of the ruleset that uses it."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Mapping as Dict
from dataclasses import dataclass, field

from polis_rules.schema import VERBS, holds_words
from polis_rules.source import Hole, Mapping, Node, Renamed, Sequence, Text, walk

LONGEST = 4000
"""How many characters a text may have; no expression has so many."""

_WORD = re.compile(r"\b[a-z]\w*")
_DOTTED_OR_NOT = re.compile(r"(?:(?<!\.)\.)?\b([a-z]\w*)")
_SHOWN = re.compile(r"\{[^{}:]+")
_BRACKET_OR_LOOP = re.compile(r"[][(){}]|\bfor\b")
_LOOP = re.compile(r"\bfor\s+([a-z]\w*)\s+in\b")
_NAMING = frozenset(key for verb in VERBS.values() for key in verb.makes) - {"do", "perform"} | {"result"}
"""After which stands the name of a value that a step makes."""
_NAMES = ("of", "let", "per", "choose")
"""The keys of what stands there are such names, too."""
_AMOUNTS = ("pay", "gain", "lose", "cost")
"""What holds amounts of state that players have."""


@dataclass(frozen=True, slots=True)
class Renaming:
    """What stands in place of the names that a library knows."""

    names: Dict[str, str]
    """For its own names and those that it needs: an id, or an expression."""
    states: Dict[str, str]
    """For state that it needs, which stands after a dot or among amounts."""
    too_long: list[Text] = field(default_factory=list)
    """Texts that are left alone, as with what stands in place of names they would be longer than any expression."""

    def of(self, node: Node, path: tuple[str, ...]) -> Node:
        """A part of the library, to which these keys lead; the names of local values are left empty."""
        key = path[-1]
        if isinstance(node, Sequence):
            of_item = (*path[:-1], "" if key in _NAMING else key)
            return Sequence([self.of(item, of_item) for item in node.items], node.span)
        if isinstance(node, Mapping):
            coded = key == "set" or key in _AMOUNTS
            entries = {
                self.text(name, key in _AMOUNTS) if coded else name: self.of(
                    value, (*path, "" if key in _NAMES else name)
                )
                for name, value in node.entries.items()
            }
            return Mapping(entries, node.span)
        if holds_words(path):
            return self.text(node, within=[match.span() for match in _SHOWN.finditer(node)])
        return node if key in _NAMING else self.text(node)

    def text(self, text: Text, amount: bool = False, within: list[tuple[int, int]] | None = None) -> Text:
        """An expression, a type or a name; or only the parts of a text that lie `within` some of its places."""
        holes = []
        for match in _WORD.finditer(text):
            begin, end = match.span()
            if within is not None and not any(first <= begin < last for first, last in within):
                continue
            dotted = text[:begin].endswith(".") and not text[:begin].endswith("..")
            new = (self.states if dotted or (amount and match[0] in self.states) else self.names).get(match[0])
            if new is not None and not _goes_over(text[end:]):
                inner = new if isinstance(new, Text) else Text(new, text.place(begin, end))
                if new.isdecimal() and text[max(begin - 2, 0) : begin] == "d(" and text[end : end + 1] == ")":
                    begin, end = begin - 1, end + 1  # dice
                holes.append(Hole(begin, end, inner, not re.fullmatch(r"\w+", new)))
        if len(text) + sum(len(hole.inner) for hole in holes) > LONGEST:
            self.too_long.append(text)
            return text
        wanted = self.words(text.wanted) if isinstance(text, Renamed) else ""
        whole = len(holes) == 1 and holes[0][:2] == (0, len(text)) and not (wanted or holes[0].bracketed)
        if whole:
            return holes[0].inner
        return Renamed(text, tuple(holes), wanted) if holes or wanted else text

    def words(self, type: str) -> str:
        """A type that is no text of a file."""
        return _WORD.sub(lambda match: self.names.get(match[0], match[0]), type)


def _goes_over(text: str) -> bool:
    """Whether a text begins with brackets over members, before which `most` and `least` are words of the language."""
    depth = 0
    for match in _BRACKET_OR_LOOP.finditer(text) if text.startswith("(") else ():
        if depth == 1 and match[0] == "for":
            return True
        depth += 1 if match[0] in "([{" else -1 if match[0] in ")]}" else 0
        if not depth:
            break
    return False


def uses_of(names: Container[str], rules: Node) -> Iterator[Text]:
    """Where expressions of rules use one of these names; those that stand after a dot are given with it."""
    for path, node in walk(rules):
        key = path[-1] if path else ""
        if isinstance(node, Mapping):
            texts = [*node.entries] if key == "set" or key in _AMOUNTS else []
        elif not isinstance(node, Text) or key in (*_NAMING, "stream"):
            texts = []
        else:
            shown = [node.part(*match.span()) for match in _SHOWN.finditer(node)]
            texts = shown if holds_words(path) else [node]
        for text in texts:
            words = _DOTTED_OR_NOT.finditer(text)
            yield from (text.part(*match.span(1)) for match in words if match[0] in names)


def local_names(rules: Node) -> Iterator[Text]:
    """The names that rules give to values: of their parameters, their steps and their loops."""
    for path, node in walk(rules):
        key = path[-1] if path else ""
        if isinstance(node, Text):
            yield from (node.part(*match.span(1)) for match in _LOOP.finditer(node) if not holds_words(path))
            if key in _NAMING:
                yield node
        elif isinstance(node, Mapping) and key in _NAMES:
            yield from node.entries
