"""Where the rules and values of a ruleset come from, and how sure they are."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from polis_rules.diagnostics import Span
from polis_rules.schema import GRADES, Document, Rule

CITE = re.compile(r"([a-z][a-z0-9_]*)\s*(?:,\s*(.*))?")


def spoken_grade(grade: str) -> str:
    """A grade in words for people.

    >>> spoken_grade("print_and_play"), spoken_grade("house")
    ('print and play', 'ours')
    """
    return "ours" if grade == "house" else grade.replace("_", " ")


@dataclass(frozen=True, slots=True)
class Cited:
    """One rule or row: its path, what it is called, its grade, citation and ruling (empty where it has none)."""

    path: str
    title: str
    grade: str
    cite: str
    ruling: str
    span: Span

    @property
    def source(self) -> str:
        """The id of the source that the citation begins with."""
        found = CITE.match(self.cite)
        return found[1] if found else ""


@dataclass(slots=True)
class Citations:
    """All rules and rows of a ruleset, and the sections of its sources that none of them cites."""

    rules: list[Cited] = field(default_factory=list)
    uncited: dict[str, list[str]] = field(default_factory=dict)
    """source id -> section titles"""

    def count(self) -> dict[str, int]:
        """How many have each grade; `none` counts those without any."""
        found = dict.fromkeys((*GRADES, "none"), 0)
        for each in self.rules:
            found[each.grade or "none"] += 1
        return found

    def graded(self, grade: str) -> list[Cited]:
        """Those of one grade, in page order."""
        return [each for each in self.rules if each.grade == grade]


def every_rule(document: Document) -> Iterator[tuple[str, str, Rule]]:
    """Path, name and rule of everything that can carry a citation, in the order of the sections."""
    yield "scenario", str(document.scenario.scenario), document.scenario
    for kind, rows in document.tables.items():
        if kind in document.kinds and document.kinds[kind].for_each:  # made rows, which say nothing of their own
            continue
        for name, row in rows.items():
            yield f"tables.{kind}.{name}", str(name), row
    for graph, item in document.graphs.items():
        for name, edge in (item.edges or {}).items():
            yield f"graphs.{graph}.edges.{name}", str(name), edge
    sections: dict[str, dict[str, Rule]] = {
        "routes": {str(k): v for k, v in document.routes.items()},
        "terms": {str(k): v for k, v in document.terms.items()},
        "supplies": {str(k): v for k, v in document.supplies.items()},
        "actions": {str(k): v for k, v in document.actions.items()},
        "procedures": {str(k): v for k, v in document.procedures.items()},
        "phases": {str(k): v for k, v in document.phases.items()},
        "endings": {str(k): v for k, v in document.endings.items()},
    }
    for section, rules in sections.items():
        yield from ((f"{section}.{id}", id, rule) for id, rule in rules.items())


def citations(document: Document) -> Citations:
    """The citations of a document."""
    found = Citations()
    for path, name, rule in every_rule(document):
        title = str(rule.title or name.replace("_", " "))
        found.rules.append(
            Cited(path, title, str(rule.grade or ""), str(rule.cite or ""), str(rule.ruling or ""), rule.span)
        )
    for id, source in document.manifest.sources.items():
        places = [each.cite for each in found.rules if each.source == id]
        missing = [str(section) for section in source.sections if not any(section in place for place in places)]
        if missing:
            found.uncited[str(id)] = missing
    return found
