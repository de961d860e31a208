"""Kinds whose members nobody has to write: one for each of some numbers, or for each combination of other kinds."""

from __future__ import annotations

import re
from collections.abc import Iterable
from graphlib import CycleError, TopologicalSorter
from itertools import product
from math import prod

from polis_rules.diagnostics import Diagnostics, quote
from polis_rules.source import Mapping, Node, Sequence, Text, entries_at, node_at, spoken

MOST_COMBINED = 2000
"""How many combinations one kind may have."""

Rows = dict[Text, Node]

_RANGE = re.compile(r"([0-9]{1,9})\.\.([0-9]{1,9})")


def with_combinations(tree: Mapping, diagnostics: Diagnostics) -> Mapping:
    """The tree with the rows of kinds with `numbers` or `for_each`, and with the attributes that tell these apart.

    Reports `unfit-keys` for a kind that has a table of its own besides or is made of itself, and `too-large`. What is
    no range or list of kinds is left alone: the models say what is wrong with it.
    """
    kinds, tables = entries_at(tree, "kinds"), entries_at(tree, "tables")
    parts = {name: combined for name, kind in kinds.items() if (combined := indexes_at(kind, "for_each"))}
    numbers = {name: ends for name, kind in kinds.items() if (ends := _ends(kind)) and name not in parts}
    if not parts and not numbers:
        return tree
    complete: dict[Text, Node] = dict(tables)
    for name in (*numbers, *_in_order(parts, diagnostics)):
        kind = kinds[name]
        assert isinstance(kind, Mapping)
        own = Mapping(tables, tree.span).key(name)
        if own is not None:
            what, key = ("number", "numbers") if name in numbers else ("combination", "for_each")
            message = f"the kind {quote(name)} has one member for each {what}, so it has no table"
            diagnostics.error("unfit-keys", message, own.span, f"remove the table, or {key}")
        elif name in numbers:
            complete[name] = Mapping(_numbered(name, kind, numbers[name], diagnostics), name.span)
        else:
            complete[name] = Mapping(_rows(name, kind, parts[name], complete, diagnostics), name.span)
    made: dict[Text, dict[Text, Text]] = {
        name: {Text("number", at): Text(f"{ends[0]}..{ends[-1]}", at)}
        for name, ends in numbers.items()
        for at in [(node_at(kinds[name], "numbers") or name).span]
    }
    made |= parts
    declared = {
        name: _with_attributes(kind, made[name], diagnostics) if name in made else kind for name, kind in kinds.items()
    }
    return tree.section("kinds", declared).section("tables", complete)


def _ends(kind: Node) -> range | None:
    """The numbers of which a kind has a member each; None for any other kind."""
    written = node_at(kind, "numbers")
    match = _RANGE.fullmatch(written) if isinstance(written, Text) else None
    return range(int(match[1]), int(match[2]) + 1) if match else None


def _numbered(name: Text, kind: Mapping, numbers: range, diagnostics: Diagnostics) -> Rows:
    """One row for each number, called and titled after the kind."""
    if len(numbers) > MOST_COMBINED:
        message = f"the kind {quote(name)} would have {len(numbers)} members; at most {MOST_COMBINED}"
        diagnostics.error("too-large", message, name.span, "state of type `0..9999` holds a number without a member")
        return {}
    number, title = Text("number", name.span), Text("title", name.span)
    inherited, called = kind.only(("cite", "grade")).entries, _title(name, kind)
    return {
        Text(f"{name}_{each}", name.span): Mapping(
            {**inherited, title: Text(f"{called} {each}", name.span), number: Text(str(each), name.span)}, name.span
        )
        for each in numbers
    }


def indexes_at(declared: Node, key: str) -> dict[Text, Text]:
    """The kinds that stand under `per` or `for_each`, by their names: one, a list of them, or each with its name."""
    written = node_at(declared, key)
    pairs: Iterable[tuple[Node, Node]] = ()
    if isinstance(written, Text):
        pairs = [(written, written)]
    elif isinstance(written, Sequence):
        pairs = [(each, each) for each in written.items]
    elif isinstance(written, Mapping):
        pairs = written.entries.items()
    return {name: each for name, each in pairs if isinstance(name, Text) and isinstance(each, Text)}


def _in_order(parts: dict[Text, dict[Text, Text]], diagnostics: Diagnostics) -> list[Text]:
    """The kinds, each after those that it is made of."""
    order = TopologicalSorter(
        {name: [each for each in kinds.values() if each in parts] for name, kinds in parts.items()}
    )
    try:
        return [name for each in order.static_order() for name in parts if name == each]
    except CycleError as error:
        circle = error.args[1][::-1]
        message = f"a kind is made of itself: {' -> '.join(circle)}"
        diagnostics.error("unfit-keys", message, next(name.span for name in parts if name == circle[0]),
                          "for_each names other kinds")  # fmt: skip
        return []


def _rows(
    name: Text, kind: Mapping, parts: dict[Text, Text], tables: dict[Text, Node], diagnostics: Diagnostics
) -> Rows:
    """One row for each combination, called and titled after its parts."""
    groups = [entries_at(Mapping(tables, name.span), part) for part in parts.values()]
    number = prod(map(len, groups))
    if number > MOST_COMBINED:
        message = f"the kind {quote(name)} would have {number} members; at most {MOST_COMBINED}"
        hint = f"do without the kind: state is kept for each combination with `per: [{', '.join(parts.values())}]`"
        diagnostics.error("too-large", message, name.span, hint)
        return {}
    inherited = kind.only(("cite", "grade")).entries
    rows: Rows = {}
    for members in product(*(group.items() for group in groups)):
        row: Rows = dict(inherited)
        row[Text("title", name.span)] = Text(", ".join(_title(*member) for member in members), name.span)
        row |= zip(parts, (member for member, _ in members), strict=True)
        rows[Text("_".join(member for member, _ in members), name.span)] = Mapping(row, name.span)
    if len(rows) < number:
        message = f"two combinations of the kind {quote(name)} would have one name"
        diagnostics.error("unfit-keys", message, name.span, "members are named after their parts, joined by `_`")
    return rows


def _title(member: Text, row: Node) -> str:
    title = node_at(row, "title")
    return str(title) if isinstance(title, Text) else spoken(member).capitalize()


def _with_attributes(kind: Node, parts: dict[Text, Text], diagnostics: Diagnostics) -> Node:
    """The kind with its number, or an attribute for each of its parts, before those that it declares itself."""
    assert isinstance(kind, Mapping)
    own = entries_at(kind, "attributes")
    for name in own:
        if name in parts:
            maker = "numbers" if "numbers" in kind.entries else "for_each"
            message = f"{quote(name)} is an attribute already, {maker} makes it"
            diagnostics.error("unfit-keys", message, name.span, "choose another name")
    return kind.section("attributes", {**parts, **own})
