"""The rules as they are once everything is settled: what is left out is gone, and settings are constants."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterator
from functools import partial
from typing import NamedTuple

from polis_rules.composition.choices import SEATS
from polis_rules.composition.settings import Setting
from polis_rules.composition.settled_expressions import Settled
from polis_rules.diagnostics import Diagnostics, Span, quote
from polis_rules.schema import LEVELS, UNIT, TypeSpec, indexes_at, parse_type
from polis_rules.source import Mapping, Node, Sequence, Text, entries_at, mapping, node_at, spoken

Removed = dict[str, tuple[str, Span, str]]
"""Ids of rules and rows that are not there: what is to be told of it, where that is said, and when they are there."""

Edit = Callable[[Node], Node]

_RANGE = re.compile(r"\s*(.+?)\s*\.\.\s*(.+?)\s*")
_DICE = re.compile(r"\s*(?:\((.+?)\)|([0-9]+))d(?:\((.+?)\)|([0-9]+))\s*")
_PLAIN_DICE = re.compile(r"[1-9][0-9]{0,2}d[1-9][0-9]{0,2}")
_PLAIN = re.compile(r"-?[0-9]+")
_NUMBERS = ("range", "number", "flag")
_WITH_STEPS = ("actions", "procedures", "phases", "tables")


class Outcome(NamedTuple):
    """The rules as they are settled."""

    tree: Mapping
    removed: Removed
    """What is left out."""
    gone: dict[str, set[str]]
    """The members of each kind among them."""
    named: list[tuple[str, Span]]
    """Where settings are named that are plain values in the tree: the paths of their terms, and the places."""


def settled(tree: Mapping, settings: dict[str, Setting], diagnostics: Diagnostics) -> Outcome:
    """The tree with what is settled put in, and what is left out of it.

    Rows, edges and rules whose `when` does not hold are gone, and the members among them also from sets and maps.
    Settings are terms, and plain numbers in ranges, dice and tables. Errors: those of `Settled.value`, `shadowing`.
    """
    work = _Settling(tree, settings, diagnostics)
    tree = work.without_left_out(tree)
    if not settings:
        return Outcome(tree, work.removed, work.gone, [])
    tree = work.seated(tree)
    for section in _WITH_STEPS:
        tree = _over(tree, (section,), work.steps)
    tree = work.with_types(tree)
    tree = work.with_values(tree)
    return Outcome(work.with_terms(tree), work.removed, work.gone, work.values.named)


class _Settling:
    """What is known while the rules are settled."""

    def __init__(self, tree: Mapping, settings: dict[str, Setting], diagnostics: Diagnostics) -> None:
        self.settings, self.diagnostics = settings, diagnostics
        words = {name: each.words for name, each in settings.items() if each.kind}
        values = {name: each.settled for name, each in settings.items()}
        self.values = Settled(values, words, set(_names(tree)))
        self.removed: Removed = {}
        self.gone: dict[str, set[str]] = {}
        """the members of each kind that are left out"""

    # -- what is left out -------------------------------------------------------------------------------------------

    def without_left_out(self, tree: Mapping) -> Mapping:
        """The tree without the rules, rows and edges whose `when` does not hold."""
        before = [name for name, node in tree.entries.items() if not entries_at(node)]
        for section, levels in LEVELS.items():
            if levels and section in tree.entries:
                tree = _over(tree, (section,), partial(self.present, path=(section,), levels=levels))
        tree = _over(tree, ("graphs", "*", "edges"), partial(self.present, path=("edges",), levels=1))
        emptied = [name for name, node in tree.entries.items() if name in LEVELS and not entries_at(node)]
        tree = tree.without(*(name for name in emptied if name not in before))
        tables, kinds = tree.get("tables"), entries_at(tree, "kinds")
        lost = [name for name in entries_at(tables) if name in self.removed and name not in kinds]
        return tree.having("tables", tables.without(*lost)) if lost and isinstance(tables, Mapping) else tree

    def present(self, node: Node, path: tuple[str, ...], levels: int) -> Node:
        """What a mapping of names holds, `levels` of them above each rule, without what is left out."""
        if not isinstance(node, Mapping):
            return node
        entries: dict[Text, Node] = {}
        for name, each in node.entries.items():
            if levels > 1:
                entries[name] = self.present(each, (*path, name), levels - 1)
                continue
            there, rest = self.asked(each)
            if there:
                entries[name] = rest
                continue
            condition = node_at(each, "when")
            assert isinstance(condition, Text)
            self.removed[str(name)] = self.why(name, condition)
            if path[0] == "tables":
                self.gone.setdefault(path[1], set()).add(str(name))
        return _same(node, entries)

    def asked(self, node: Node) -> tuple[bool, Node]:
        """Whether something is there, and what it says without its `when`."""
        when = node.get("when") if isinstance(node, Mapping) else None
        if when is None or not isinstance(node, Mapping):
            return True, node
        rest = node.without("when")
        if not isinstance(when, Text):
            self.diagnostics.error("not-text", "`when` holds a condition on settings", when.span)
            return True, rest
        return self.values.holds(when, self.diagnostics) is not False, rest

    def why(self, name: Text, condition: Text) -> tuple[str, Span, str]:
        """Why what has this `when` is not there, and where that is said."""
        named = [name for name in self.settings if re.search(rf"\b{name}\b", condition)]
        told = " and ".join(f"{name} is {self.settings[name].value}" for name in named)
        return f"`{name}` is left out here, as {told or 'this never holds'}", condition.span, str(condition)

    def seated(self, tree: Mapping) -> Mapping:
        """The tree with those players that sit, in the order in which `players` names them."""
        seats = self.settings.get(SEATS)
        who = node_at(tree, "players", str(seats.value)) if seats is not None else None
        if not isinstance(who, Sequence) or seats is None:
            return tree

        def rows(node: Node) -> Node:
            assert isinstance(node, Mapping)
            sitting = {item: row for item in who.items for name, row in node.entries.items() if name == item}
            keys = {str(name): name for name in node.entries}
            for name in node.entries:
                if name not in who.items:
                    told = f"`{name}` does not sit here, as seats is {seats.value}"
                    self.removed[str(name)] = told, who.span, "more play"
                    self.gone.setdefault("player", set()).add(str(name))
            return Mapping({keys[str(item)]: row for item, row in sitting.items()}, node.span)

        return _over(tree, ("tables", "player"), rows)

    # -- steps ------------------------------------------------------------------------------------------------------

    def steps(self, node: Node) -> Node:
        """What holds steps, without those steps and ways that are left out."""
        if isinstance(node, Sequence):
            items = [self.steps(rest) for item in node.items for there, rest in [self.step(item)] if there]
            same = len(items) == len(node.items) and all(map(operator.is_, items, node.items))
            return node if same else Sequence(items, node.span)
        if not isinstance(node, Mapping):
            return node
        entries: dict[Text, Node] = {}
        for key, value in node.entries.items():
            if key in ("either", "or") and isinstance(value, Mapping):
                asked = {name: self.asked(way) for name, way in value.entries.items()}
                value = _same(value, {name: rest for name, (there, rest) in asked.items() if there})
            if key == "let" and isinstance(value, Mapping):
                kept: dict[Text, Node] = {
                    name: each for name, each in value.entries.items() if isinstance(each, Mapping)
                }
                shaped = self.declarations(Mapping(kept, value.span))
                value = _same(value, {name: node_at(shaped, name) or each for name, each in value.entries.items()})
            if isinstance(value, Text) and (
                (key == "many" and "choose" in node.entries) or (key == "at_least" and "do" in node.entries)
            ):
                value = self.declared(value) if ".." in value else self.plain_number(value)
            is_dice = key == "dice" and isinstance(value, Text) and "roll" in node.entries
            entries[key] = self.dice(value) if is_dice and isinstance(value, Text) else self.steps(value)
        return _same(node, entries)

    def step(self, node: Node) -> tuple[bool, Node]:
        """Whether a step is there; one whose `when` asks more than settings is."""
        when = node_at(node, "when")
        return self.asked(node) if isinstance(when, Text) and self.values.asks_settings_only(when) else (True, node)

    def dice(self, text: Text) -> Text:
        """Dice such as `1d(sides)` as plain ones."""
        match = _DICE.fullmatch(text)
        if match is None or (match[2] and match[4]):
            return text
        parts = (text.part(*match.span(at)) for at in (1, 3) if match[at])
        if not all(map(self.values.asks_settings_only, parts)):
            return text  # it is worked out in play
        many = match[2] or self.number(text.part(*match.span(1)))
        sides = match[4] or self.number(text.part(*match.span(3)))
        dice = f"{many}d{sides}"
        # what is no plain dice, such as none at all, is left for the check of expressions
        return Text(dice, text.span) if _PLAIN_DICE.fullmatch(dice) else text

    # -- types and plain values -------------------------------------------------------------------------------------

    def with_types(self, tree: Mapping) -> Mapping:
        """The tree in which the ends of ranges, and how much lists hold, are plain numbers."""
        for path in (("kinds", "*", "attributes"), ("kinds", "*", "state"), ("state",)):
            tree = _over(tree, path, self.declarations)
        tree = _over(tree, ("kinds", "*", "numbers"), self.declared)
        for section in ("terms", "routes", "procedures", "phases"):
            tree = _over(tree, (section, "*", "of", "*"), self.declared)
            tree = _over(tree, (section, "*", "gives"), self.declared)
        return tree

    def declarations(self, node: Node) -> Node:
        """Attributes, state or local memory by name, with plain numbers in their types."""
        if not isinstance(node, Mapping):
            return node
        for path, edit in ((("*", "type"), self.declared), (("*", "at_most"), self.plain_number)):
            node = _over(node, path, edit)
        return _over(_over(node, ("*", "of", "*"), self.declared), ("*",), self.declared)

    def declared(self, node: Node) -> Node:
        """A type whose ends are plain numbers."""
        match = _RANGE.fullmatch(node) if isinstance(node, Text) else None
        if match is None or not isinstance(node, Text):
            return node
        ends = [match[at] if _PLAIN.fullmatch(match[at]) else self.number(node.part(*match.span(at))) for at in (1, 2)]
        same = ends == [match[1], match[2]] or None in ends
        return node if same else Text(f"{ends[0]}..{ends[1]}", node.span, node.quoted)

    def number(self, text: Text) -> str | None:
        """A number that settings make, as text; None, after saying why, where they do not."""
        value = self.values.number(text, self.diagnostics)
        return None if value is None else str(value)

    def plain_number(self, node: Node) -> Node:
        """An expression over settings as its value; anything else as it is."""
        if not isinstance(node, Text) or not self.values.asks_settings_only(node):
            return node
        value = self.values.value(node, Diagnostics())
        return Text(str(value).lower(), node.span)

    def with_values(self, tree: Mapping) -> Mapping:
        """The tree in whose tables and first values members that are left out have no place, and settings are plain."""
        for kind, what in entries_at(tree, "kinds").items():
            for name, attribute in entries_at(what, "attributes").items():
                per, spec = _shape(attribute)
                edit = self.value_edit(per, spec)
                tree = _over(tree, ("tables", str(kind), "*", str(name)), edit)
                tree = _over(tree, ("kinds", str(kind), "attributes", str(name), "default"), self.value_edit([], spec))
            tree = _over(tree, ("scenario", "start", str(kind)), self.value_edit([kind], None))
            tree = self.first_values(tree, entries_at(what, "state"), str(kind), "*")
        tree = self.first_values(tree, entries_at(tree, "state"))
        ends = {name for some in self.gone.values() for name in some} - self.members(tree)
        for owner, gone in self.gone.items():
            tree = _over(tree, ("board", "places", owner), partial(_without_names, gone=gone))
        if ends:
            tree = _over(tree, ("graphs", "*", "edges"), lambda node: _without_ends(node, ends))
        return tree

    def first_values(self, tree: Mapping, state: dict[Text, Node], *path: str) -> Mapping:
        """The same of the first values of some state, which stand at a path of the scenario's `start`."""
        for name, declared in state.items():
            tree = _over(tree, ("scenario", "start", *path, str(name)), self.value_edit(*_shape(declared)))
        return tree

    def members(self, tree: Mapping) -> set[str]:
        return {str(row) for rows in entries_at(tree, "tables").values() for row in entries_at(rows)}

    def value_edit(self, per: list[str], spec: TypeSpec | None) -> Edit:
        """What is done to a value that stands below the members of some kinds."""

        def edit(node: Node, levels: list[str]) -> Node:
            if levels and isinstance(node, Mapping):
                gone = self.gone.get(levels[0], set())
                entries = {key: edit(value, levels[1:]) for key, value in node.entries.items() if key not in gone}
                return _same(node, entries)
            if levels or spec is None:
                return node
            if isinstance(node, Sequence):
                gone = self.gone.get(spec.member_kind or "", set())
                items = [item for item in node.items if not isinstance(item, Text) or item not in gone]
                return node if len(items) == len(node.items) else Sequence(items, node.span)
            return self.plain_number(node) if spec.kind in _NUMBERS else node

        return lambda node: edit(node, per)

    # -- settings as terms ------------------------------------------------------------------------------------------

    def with_terms(self, tree: Mapping) -> Mapping:
        """The tree in which each setting is a term, and the words of one with `one_of` are members of a kind."""
        sections = {name: dict(entries_at(tree, name)) for name in ("terms", "kinds", "tables")}
        for name, setting in self.settings.items():
            key, place, value = setting.name, setting.value.span, str(setting.value)
            title = Text(setting.title or spoken(name).capitalize(), key.span)
            if setting.kind:
                value = f"{setting.kind}.{value}"
                self.declare(sections["kinds"], Text(setting.kind, key.span), mapping(key.span, title=title))
                rows = Mapping({word: Mapping({}, word.span) for word in setting.written}, key.span)
                sections["tables"][Text(setting.kind, key.span)] = rows
            told = {"title": title, **({UNIT: Text(setting.unit, key.span)} if setting.unit else {})}
            term = mapping(key.span, **{"is": Text(value, place)}, **told).entries | setting.about
            self.declare(sections["terms"], key, Mapping(term, key.span))
        for section, entries in sections.items():
            tree = tree.section(section, entries) if entries else tree
        scenario = tree.get("scenario")
        tree = tree.having("scenario", scenario.without("settings")) if isinstance(scenario, Mapping) else tree
        return tree.without("settings", "players")

    def declare(self, section: dict[Text, Node], key: Text, node: Node) -> None:
        """Put something new into a section; an error where there is something of that name."""
        if there := next((each for each in section if each == key), None):
            related = ((f"the other {quote(key)}", there.span),)
            self.diagnostics.error("shadowing", f"{quote(key)} exists already", key.span, None, related)
        section[key] = node


def _shape(declared: Node) -> tuple[list[str], TypeSpec | None]:
    """The kinds that an attribute or state is kept for, and its type."""
    text = declared if isinstance(declared, Text) else node_at(declared, "type")
    kinds = [str(kind) for kind in indexes_at(declared, "per").values()]
    try:
        return kinds, parse_type(text) if isinstance(text, Text) else None
    except ValueError:
        return kinds, None


def _names(tree: Mapping) -> Iterator[str]:
    """What rules can name, for messages."""
    yield from ("you", "it", "viewer", "owner", "who", "none")
    for section in ("kinds", "state", "terms", "routes", "graphs", "actions", "procedures", "phases"):
        yield from map(str, entries_at(tree, section))
    for rows in entries_at(tree, "tables").values():
        yield from map(str, entries_at(rows))
    for kind in entries_at(tree, "kinds").values():
        yield from map(str, [*entries_at(kind, "attributes"), *entries_at(kind, "state")])


def _over(tree: Mapping, path: tuple[str, ...], edit: Edit) -> Mapping:
    """A tree in which what stands at a path is edited; `*` is every key. What stays the same is the same node."""
    if path[0] != "*" and path[0] not in tree.entries:
        return tree
    entries: dict[Text, Node] = {}
    for key, value in tree.entries.items():
        if path[0] not in ("*", key):
            entries[key] = value
        elif len(path) == 1:
            entries[key] = edit(value)
        else:
            entries[key] = _over(value, path[1:], edit) if isinstance(value, Mapping) else value
    return _same(tree, entries)


def _same(node: Mapping, entries: dict[Text, Node]) -> Mapping:
    """A mapping with these entries; the very same where they are those that it has."""
    unchanged = len(entries) == len(node.entries) and all(map(operator.is_, entries.values(), node.entries.values()))
    return node if unchanged else Mapping(entries, node.span)


def _without_names(node: Node, gone: set[str]) -> Node:
    """A mapping without these keys."""
    if not isinstance(node, Mapping):
        return node
    return _same(node, {key: value for key, value in node.entries.items() if key not in gone})


def _without_ends(node: Node, gone: set[str]) -> Node:
    """The edges of a graph without those that begin or end at one of these."""
    if not isinstance(node, Mapping):
        return node
    ends = {key: {end.rpartition(".")[2].strip() for end in key.split("-")} for key in node.entries}
    return _same(node, {key: value for key, value in node.entries.items() if not ends[key] & gone})
