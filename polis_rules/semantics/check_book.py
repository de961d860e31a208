"""Check how the rulebook is laid out: the rules that it names are there."""

from __future__ import annotations

from polis_rules.diagnostics import Diagnostics
from polis_rules.schema import BookPlan, Document
from polis_rules.semantics.references import References
from polis_rules.source import Text

TOLD = ("phases", "procedures", "actions")
"""The sections whose rules a chapter may tell."""
ASKED = ("terms", "routes", "supplies", "score")
"""Sections of which the book may say something besides; it may also say what a row does, under the name of its kind."""


def check_book(plan: BookPlan, document: Document, diagnostics: Diagnostics, references: References) -> None:
    """Report each name of a rule that there is not, and two chapters that begin with one rule."""
    ids = {section: [str(name) for name in getattr(document, section)] for section in TOLD}
    paths = [f"{section}.{name}" for section in TOLD for name in ids[section]]

    def known(path: Text) -> None:
        if path in paths:
            references.words(path, {path.partition(".")[2]: str(path)})
        else:
            diagnostics.unknown("unknown-name", f"there is no rule `{path}`", path.span, path, paths)

    taken: set[str] = set()
    for chapter in plan.chapters.values():
        for path in chapter.rules:
            known(path)
            if path in taken:
                diagnostics.error("unfit-value", f"`{path}` stands in two chapters", path.span)
            taken.add(str(path))
    for path in plan.inside:
        known(path)
    ids |= {section: [str(name) for name in getattr(document, section)] for section in ("terms", "routes", "supplies")}
    ids["score"] = [str(name) for name in document.score.terms]
    ids |= {str(kind): [str(name) for name in rows] for kind, rows in document.tables.items()}
    for section, rules in plan.says.items():
        if section not in ids:
            diagnostics.unknown("unknown-name", f"the book says nothing of `{section}`", section.span, section, ids)
            continue
        table = "" if section in (*TOLD, *ASKED) else "tables."
        for name in rules:
            if name not in ids[section]:
                message = f"there is no {'row' if table else 'rule'} `{table}{section}.{name}`"
                diagnostics.unknown("unknown-name", message, name.span, name, ids[section])
            else:
                references.note(f"{table}{section}.{name}", name.span)
