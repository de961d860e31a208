"""What a ruleset says about the cases of the one that it extends: other words, and which of them do not hold here."""

from __future__ import annotations

from collections.abc import Sequence as Several
from fnmatch import fnmatchcase

from polis_rules.diagnostics import Diagnostics, nearest, quote
from polis_rules.schema import InheritedEntry
from polis_rules.source import Mapping, Node, Sequence, Text, entries_at, walk

CHANCE = ("drawn", "rolled")
KEPT = ("title", "cite", "grade", "ruling", "variants", "settings")
"""What a case says about itself is not put into other words."""


class Inherited:
    """Puts cases of another ruleset into the words of this one, and knows which are left out.

    >>> Inherited(None).leaves_out("mine/cases/dice.yaml::a_high_roll_wins", "a_high_roll_wins")
    False
    """

    def __init__(self, entry: InheritedEntry | None) -> None:
        self.words = dict(entry.words) if entry else {}
        self.absent = set(entry.absent) if entry else set()
        self.undrawn = entry.undrawn if entry else {}
        self.reasons = entry.leaves_out if entry else {}
        self.used: set[str] = set()
        self.met: set[str] = set()
        """Every word of the cases, those that are left out too."""
        self.streams: set[str] = set()
        """Every stream of chance in them."""

    def meet(self, case: Node) -> None:
        """Remember which words and streams of chance a case of the other ruleset has."""
        for path, node in walk(case):
            self.met |= {each for each in (*path[-1:], node) if isinstance(each, Text)}
            if len(path) > 1 and path[-2] in CHANCE:
                self.streams.add(str(path[-1]))

    def leaves_out(self, key: str, id: str) -> bool:
        """Whether a case (its key and its id) does not hold here."""
        names = [name for name in self.reasons if is_called(key, id, name)]
        self.used.update(names)
        return bool(names)

    def unused(self, ids: Several[str], diagnostics: Diagnostics) -> None:
        """Report what is said in vain, when all cases have been read; `ids` are those of all inherited cases."""
        for what, names, used, known in (
            ("is called", self.reasons, self.used, ids),
            ("has the word", (*self.words, *self.absent), self.met, sorted(self.met)),
            ("is drawn from", self.undrawn, self.streams, sorted(self.streams)),
        ):
            for name in names:
                if name not in used:
                    message = f"no inherited case {what} {quote(name)}"
                    diagnostics.error("unknown-name", message, name.span, suggestion=nearest(name, known))

    def adapted(self, case: Node) -> Node:
        """The case as it is to be read here."""
        if not isinstance(case, Mapping):
            return case
        read: dict[Text, Node] = {
            key: value if key in KEPT else self._read(value, prune=key != "do") for key, value in case.entries.items()
        }
        adapted = Mapping(read, case.span)
        asked = {stream for key in CHANCE for stream in entries_at(adapted, key)}
        given = Text("given", case.span)
        for stream, values in self.undrawn.items():
            if stream not in asked:
                read[given] = laid_over(Mapping(dict(values), case.span), read.get(given))
        return Mapping(read, case.span).without(*(key for key, value in read.items() if _empty(value)))

    def _read(self, node: Node, prune: bool) -> Node:
        if isinstance(node, Text):
            return self._word(node)
        if isinstance(node, Sequence):
            items = [self._read(item, prune) for item in node.items if not (prune and self._is_absent(item))]
            return Sequence(items, node.span)
        entries = {
            self._word(key): self._read(value, prune)
            for key, value in node.entries.items()
            if not (prune and (self._is_absent(key) or self._is_absent(value)))
        }
        return Mapping({key: value for key, value in entries.items() if not (prune and _empty(value))}, node.span)

    def _word(self, text: Text) -> Text:
        return Text(word, text.span, text.quoted) if (word := self.words.get(text)) is not None else text

    def _is_absent(self, node: Node) -> bool:
        return isinstance(node, Text) and node in self.absent


def is_called(key: str, id: str, name: str) -> bool:
    """Whether the case with this key and id is meant by a name, in which `*` and `?` stand for letters."""
    return id == name or fnmatchcase(id, name) or fnmatchcase(key, name)


def _empty(node: Node) -> bool:
    return isinstance(node, Mapping) and not node.entries


def laid_over(below: Node, above: Node | None) -> Node:
    """Two trees as one; where both say something, `above` holds."""
    if above is None:
        return below
    if not isinstance(below, Mapping) or not isinstance(above, Mapping):
        return above
    merged = dict(below.entries)
    for key, value in above.entries.items():
        merged[key] = laid_over(merged[key], value) if key in merged else value
    return Mapping(merged, above.span)
