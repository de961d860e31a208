"""Entries of a ruleset that are read once for several documents."""

from __future__ import annotations

from polis_rules.diagnostics import Diagnostics
from polis_rules.pipeline import Build, compose, run
from polis_rules.schema import Known, build
from polis_rules.source import Mapping, Text, node_at


def tree_of(ruleset: str) -> Mapping:
    composed = run(Build(ruleset), [compose]).composed
    assert composed is not None
    return composed.tree


def test_what_is_known_is_not_read_again_and_makes_the_same_document() -> None:
    """The second document of a tree is equal to the first, and shares its rules and rows."""
    tree, known, findings = tree_of("yucata"), Known(), Diagnostics()
    first, second, fresh = build(tree, findings, known), build(tree, findings, known), build(tree, findings)
    assert first is not None and second is not None and fresh is not None
    assert first == second == fresh
    for section in ("kinds", "graphs", "routes", "terms", "supplies", "actions", "procedures", "phases"):
        pairs = zip(getattr(first, section).values(), getattr(second, section).values(), strict=True)
        assert all(one is other for one, other in pairs), section
    assert all(first.tables[kind][row] is item for kind, rows in second.tables.items() for row, item in rows.items())


def test_a_row_is_read_again_where_its_kind_gives_its_keys_another_meaning() -> None:
    """The same row has no steps any more once its attribute is text instead of effects."""
    tree, known, findings = tree_of("yucata"), Known(), Diagnostics()
    first = build(tree, findings, known)
    assert first is not None
    kind, name = next(
        (kind, key) for kind, rows in first.tables.items() for row in rows.values() for key in row.effects
    )
    attribute = node_at(tree, "kinds", kind, "attributes", name)
    assert attribute is not None
    owner = node_at(tree, "kinds", kind)
    kinds, attributes = node_at(tree, "kinds"), node_at(owner, "attributes")
    assert isinstance(owner, Mapping) and isinstance(kinds, Mapping) and isinstance(attributes, Mapping)
    plain = Mapping({**attributes.entries, name: Text("text", attribute.span)}, attributes.span)
    changed = Mapping({**owner.entries, Text("attributes", owner.span): plain}, owner.span)
    now = Mapping({**kinds.entries, kind: changed}, kinds.span)
    second = build(Mapping({**tree.entries, Text("kinds", kinds.span): now}, tree.span), findings, known)
    assert second is not None and not any(name in row.effects for row in second.tables[kind].values())
