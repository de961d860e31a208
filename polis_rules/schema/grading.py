"""How sure the rules, rows and values of a document are, each by its grade."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from polis_rules.schema.base import Rule
from polis_rules.schema.document import Document, Row
from polis_rules.source import entries_at


def grades_of(rule: Rule) -> dict[str, str]:
    """The grades that single values of a row have of their own, by attribute."""
    every = entries_at(rule.grades) if isinstance(rule, Row) else {}
    return {str(name): str(grade) for name, grade in every.items() if name != "default"}


_SECTIONS = ("routes", "terms", "supplies", "actions", "procedures", "phases", "endings")


def every_rule(document: Document) -> Iterator[tuple[str, str, Rule, Rule | None]]:
    """Path, name and rule of everything that can carry a citation, in the order of the sections; a row's kind too."""
    yield "scenario", str(document.scenario.scenario), document.scenario, None
    for kind, rows in document.tables.items():
        known = document.kinds.get(kind)
        if known is None or not (known.for_each or known.numbers):  # made rows say nothing of their own
            yield from ((f"tables.{kind}.{name}", str(name), row, known) for name, row in rows.items())
    for graph, item in document.graphs.items():
        for name, edge in (item.edges or {}).items():
            yield f"graphs.{graph}.edges.{name}", str(name), edge, None
    for section in _SECTIONS:
        rules: dict[str, Rule] = getattr(document, section)
        yield from ((f"{section}.{id}", str(id), rule, None) for id, rule in rules.items())


def values_of(rule: Rule) -> int:
    """How many values a rule or row is as sure of as its grade says: one for a rule, and for a row as many as it writes
    that have no grade of their own."""
    single = grades_of(rule)
    return max(1, sum(str(name) not in single for name in rule.values)) if isinstance(rule, Row) else 1


def graded(document: Document) -> dict[str, int]:
    """How many rules and values of rows have each grade; those without any under `none`."""
    counts: Counter[str] = Counter()
    for _, _, rule, kind in every_rule(document):
        grade, single = str(rule.grade or getattr(kind, "grade", None) or ""), grades_of(rule)
        if grade or not single:
            counts[grade or "none"] += values_of(rule)
        counts.update(single.values())
    return dict(counts)
