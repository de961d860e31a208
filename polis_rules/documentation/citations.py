"""Where the rules and values of a ruleset come from, and how sure they are."""

from __future__ import annotations

from dataclasses import dataclass, field

from polis_rules.diagnostics import Span
from polis_rules.schema import CITE, GRADES, HEAD_KEYS, Document, Rule, every_rule, grades_of, values_of
from polis_rules.source import spoken


def spoken_grade(grade: str) -> str:
    """A grade in words for people.

    >>> spoken_grade("print_and_play"), spoken_grade("house")
    ('print and play', 'ours')
    """
    return "ours" if grade == "house" else grade.replace("_", " ")


def spoken_grades(rule: Rule) -> str:
    """The grade of a rule, and those of single values of a row: `quoted; price reconstructed`."""
    alike: dict[str, list[str]] = {}
    for name, grade in grades_of(rule).items():
        alike.setdefault(grade, []).append(spoken(name))
    single = (f"{', '.join(names)} {spoken_grade(grade)}" for grade, names in alike.items())
    return "; ".join([*([spoken_grade(rule.grade)] if rule.grade else []), *single])


@dataclass(frozen=True, slots=True)
class Cited:
    """One rule, row, or value with a grade of its own: its path, what it is called, its grade, citation and ruling
    (empty where it has none), and how many values this is said of."""

    path: str
    title: str
    grade: str
    cite: str
    ruling: str
    span: Span
    values: int = 1

    @property
    def source(self) -> str:
        """The id of the source that the citation begins with."""
        match = CITE.match(self.cite)
        return match[1] if match else ""


@dataclass(slots=True)
class Citations:
    """All rules, rows and values with a grade of their own, and the sections of sources that none of them cites."""

    rules: list[Cited] = field(default_factory=list)
    uncited: dict[str, list[str]] = field(default_factory=dict)
    """source id -> section titles"""

    def count(self) -> dict[str, int]:
        """How many rules and values of rows have each grade; `none` counts those without any."""
        counts = dict.fromkeys((*GRADES, "none"), 0)
        for each in self.rules:
            counts[each.grade or "none"] += each.values
        return counts

    def graded(self, grade: str) -> list[Cited]:
        """Those of one grade, in page order."""
        return [each for each in self.rules if each.grade == grade]


def citations(document: Document) -> Citations:
    """The citations of a document; a row without one has that of its kind, and so with grade and ruling."""
    cited = Citations()
    for path, name, rule, kind in every_rule(document):
        cite, grade, ruling = (str(getattr(rule, key) or getattr(kind, key, None) or "") for key in HEAD_KEYS)
        title = str(rule.title or spoken(name))
        single = grades_of(rule)
        if grade or not single:
            cited.rules.append(Cited(path, title, grade, cite, ruling, rule.span, values_of(rule)))
        for value, its in single.items():
            cited.rules.append(Cited(f"{path}.{value}", f"{title}: {spoken(value)}", its, cite, ruling, rule.span))
    for id, source in document.manifest.sources.items():
        places = [each.cite for each in cited.rules if each.source == id]
        missing = [str(section) for section in source.sections if not any(section in place for place in places)]
        if missing:
            cited.uncited[str(id)] = missing
    return cited
