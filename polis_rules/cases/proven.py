"""Check the cases that a rulebook names: those that prove its sentences, and its worked examples."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from polis_rules.cases.reading import named_cases
from polis_rules.composition import find
from polis_rules.diagnostics import Diagnostics
from polis_rules.schema import BookPlan
from polis_rules.source import Text


def check_proven(ruleset: str | Path, plan: BookPlan, diagnostics: Diagnostics) -> None:
    """Report each name that a ruleset itself writes of a case that neither it nor one that it extends has."""
    folder = find(ruleset).name
    known = {case.id for case in named_cases(ruleset, inherited=True)}
    for name in _named(plan):
        if name not in known and name.span.file.startswith(f"{folder}/"):
            diagnostics.unknown("unknown-name", f"there is no case `{name}`", name.span, name, known)


def _named(plan: BookPlan) -> Iterator[Text]:
    for chapter in plan.chapters.values():
        yield from chapter.examples
    for rules in plan.says.values():
        yield from (said.case for said in rules.values())
