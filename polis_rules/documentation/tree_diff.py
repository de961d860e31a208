"""Where two rulesets differ: the places in their trees, and what is told of each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from polis_rules.composition import inline, plain
from polis_rules.diagnostics import some
from polis_rules.schema import LEVELS, ORDERED, RULE_KEYS, UNIT, holds_words
from polis_rules.source import Mapping, Node, Text, entries_at, mapping

ChangeKind = Literal["added", "removed", "changed", "moved", "routes"]

TITLES, UNITS, CITATIONS, NAMES = "Titles", "Units of numbers", "Citations, grades and rulings", "Names"
OTHERS = "Anything else"
SETTLED, BOARD = "Settled before play", "The board, which changes no rule"
ADVICE = "Advice for bots, which changes no rule"
BOOK = "The texts of the rulebook, which change no rule"
TARGETS = "What games should be like, which changes no rule"

SECTIONS = {
    SETTLED: (),
    "Course of the game": ("phases",),
    "Actions": ("actions",),
    "Procedures": ("procedures",),
    "Terms": ("terms",),
    "Map and routes": ("graphs", "routes"),
    "Tables": ("tables",),
    "End and score": ("endings", "score"),
    "Set-up": ("scenario",),
    "Things and state": ("kinds", "state"),
    "Pieces": ("supplies", "invariants"),
    ADVICE: ("advice",),
    BOARD: ("board",),
    BOOK: ("book",),
    TARGETS: ("targets",),
    TITLES: (),
    UNITS: (),
    CITATIONS: (),
    NAMES: (),
    OTHERS: ("manifest",),
}
"""The groups in which changes are told, in this order, with the sections whose rules each tells of."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A plain value of a row in words."""

    called: str
    before: str | None
    """None where the row has no such value."""
    after: str | None


@dataclass(frozen=True, slots=True)
class Change:
    """One difference."""

    path: str
    """Ids from a section on, joined by dots: `actions.dig.cost.coin`."""
    kind: ChangeKind
    """`moved` is another order of the same ids; `routes` follows from changed connections."""
    section: str
    """One of SECTIONS."""
    group: str
    """For rows, what their kind is called in the plural; otherwise empty."""
    subject: str
    """What it is about, e.g. a row's title."""
    before: str | None
    """The value as it is written in the first ruleset, on one line; None where it has none."""
    after: str | None
    """The same of the second."""
    sentence: str
    """What a player would be told."""
    lines: tuple[str, ...] = ()
    """For steps: the sentences that are gone (`- `) and new (`+ `); for routes: the connections that change."""
    cell: Cell | None = None
    """For a plain value of a row: both values in words."""

    @property
    def changes_nothing(self) -> bool:
        """Whether a value of a row is only written now that held without that too, or the other way around."""
        return self.kind in ("added", "removed") and self.cell is not None and self.cell.before == self.cell.after


@dataclass(frozen=True, slots=True)
class Difference:
    """All differences between two rulesets, by section and in page order."""

    first: str
    second: str
    same_hash: bool
    changes: tuple[Change, ...]
    headlines: tuple[str, ...] = ()
    """What makes the greatest difference to players, in at most ten sentences; none where little differs."""

    def section(self, name: str) -> list[Change]:
        """The changes of one section."""
        return [change for change in self.changes if change.section == name]

    @property
    def summary(self) -> str:
        """One line on how much differs."""
        written = [change for change in self.changes if change.kind != "routes" and change.section != NAMES]
        if not written:
            return f"{self.first} and {self.second} have the same rules."
        counts = Counter(change.kind for change in written)
        parts = [f"{counts[kind]} {kind}" for kind in ("added", "removed", "changed", "moved") if counts[kind]]
        silent = sum(change.section in (BOOK, TITLES, UNITS, CITATIONS) for change in written)
        of_these = f"; {silent} of these are titles, units, texts, citations, grades and rulings" if silent else ""
        places = some(len(written), "place")
        return f"{self.first} and {self.second} differ in {places}: {', '.join(parts)}{of_these}."


@dataclass(frozen=True, slots=True)
class Mismatch:
    """Where two trees differ: the keys that lead there, and what stands there in each."""

    keys: tuple[str, ...]
    kind: ChangeKind
    before: Node | None
    after: Node | None

    @property
    def is_about(self) -> bool:
        """Whether it is a title, unit, citation, grade or ruling."""
        if self.keys[-1] == UNIT:
            return holds_words(self.keys)
        outer = {"tables": 4, "score": 2, "scenario": 2}.get(self.keys[0], 3)
        is_id = self.keys[0] == "kinds" and len(self.keys) == _LEAF["kinds"]
        return self.keys[-1] in RULE_KEYS and len(self.keys) >= outer and self.keys[0] != "manifest" and not is_id

    def section(self, is_said: bool) -> str:
        """The group in which it is told; `is_said` is whether words can tell it."""
        if self.is_about:
            return {"title": TITLES, UNIT: UNITS}.get(self.keys[-1], CITATIONS)
        if self.keys[:2] in NAMING or (self.kind == "moved" and self.keys[0] == "scenario"):
            return NAMES
        return next(title for title, sections in SECTIONS.items() if self.keys[0] in sections) if is_said else OTHERS


IGNORED = frozenset((("manifest", "files"), ("manifest", "scenario")))
"""What the hash does not know of: how rules are spread over files, and which scenario is the usual one."""

NAMING = frozenset((*(("manifest", key) for key in ("ruleset", "title", "sources")), ("scenario", "scenario")))
"""What says only how a ruleset or scenario is called and what it cites."""

CONDITION = frozenset(("if", "says"))
"""The keys of a condition with a sentence of its own, which is told as a whole when it is added or removed."""

_WHOLE: dict[str, tuple[int, ...]] = {"tables": (3,), "kinds": (2, 4), "graphs": (2, 4), "scenario": (), "manifest": ()}
"""How many keys lead to what is told as a whole when it is added or removed; elsewhere a rule, of two keys."""

_LEAF = {"kinds": 4, "state": 2}
"""How many keys lead to what is compared as a whole."""


def differing(first: Mapping, second: Mapping) -> Iterator[Mismatch]:
    """Every place where two composed trees differ, in page order."""
    for name in first.entries | second.entries:
        yield from _places(first.get(name), second.get(name), (str(name),))


def _places(first: Node | None, second: Node | None, keys: tuple[str, ...]) -> Iterator[Mismatch]:
    """The differences below a path."""
    if keys in IGNORED or (first is not None and second is not None and _same(first, second, keys)):
        return
    mappings = [node for node in (first, second) if isinstance(node, Mapping)]
    if first is None or second is None:
        is_told_within = bool(mappings and {*mappings[0].entries} - CONDITION) and _is_spread(keys)
    else:
        is_told_within = len(mappings) == 2 and len(keys) < _LEAF.get(keys[0], 99) and keys[-1] != "grade"
    if first is not None and second is not None and len(keys) == _LEAF.get(keys[0]):
        is_told_within = _rule(first) == _rule(second)
        first, second = (_opened(node) if is_told_within else node for node in (first, second))
    if not is_told_within:
        yield Mismatch(keys, "added" if first is None else "removed" if second is None else "changed", first, second)
        return
    names, others = entries_at(first), entries_at(second)
    for name in names | others:
        yield from _places(names.get(name), others.get(name), (*keys, str(name)))
    order = [name for name in names if name in others]
    if not _is_unordered(keys) and order != [name for name in others if name in names]:
        yield Mismatch(keys, "moved", first, second)


def _rule(declared: Node) -> object:
    """What is declared without its title and its unit. What was short before it had a unit is so again."""
    if not isinstance(declared, Mapping):
        return plain(declared)
    without = declared.without(UNIT)
    is_short = UNIT in declared.entries and [*without.entries] == ["type"]
    return plain(*without.entries.values()) if is_short else plain(without.without("title"))


def _opened(declared: Node) -> Node:
    """What is declared, as a mapping."""
    return mapping(declared.span, type=declared) if isinstance(declared, Text) else declared


def _is_unordered(keys: tuple[str, ...]) -> bool:
    is_rule = len(keys) == LEVELS.get(keys[0], -1) + 1  # the order of whose fixed keys says nothing either
    return is_rule or (len(keys) == 1 and keys[0] not in ORDERED)


def _same(first: Node, second: Node, keys: tuple[str, ...]) -> bool:
    """Whether nothing differs, the order of ids included where it counts."""
    if _is_unordered(keys) and isinstance(first, Mapping) and isinstance(second, Mapping):
        one, other = ({key: repr(plain(value)) for key, value in entries_at(node).items()} for node in (first, second))
        return one == other
    return repr(plain(first)) == repr(plain(second))


def _is_spread(keys: tuple[str, ...]) -> bool:
    """Whether what is new or gone is told entry by entry, being no row, rule or other whole."""
    is_choice = keys[0] == "actions" and keys[2:3] == ("choose",) and len(keys) == 4
    return not is_choice and keys[-1] != "grade" and len(keys) not in _WHOLE.get(keys[0], (2,))


def shown(node: Node | None) -> str | None:
    """A value on one line."""
    return None if node is None else inline(node)
