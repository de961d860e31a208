"""`polis sources`: how sure the values of a ruleset are, and where they come from."""

from __future__ import annotations

from typing import Any

import typer

from polis_rules.documentation import Citations, Cited, citations
from polis_rules.pipeline import documented

from .options import OutputFormat, RulesetName, ScenarioName, VariantNames
from .output import Format, print_json

UNSURE = ("inferred", "reconstructed", "house")


def command(
    ruleset: RulesetName,
    scenario: ScenarioName = None,
    variant: VariantNames = None,
    format: OutputFormat = Format.text,
) -> None:
    """Count how sure the rules and values are.

    What is inferred or reconstructed is listed, and what no rule cites.

    \b
    Example:
      polis sources mygame
      polis sources mygame --format json
    """
    _, document = documented(ruleset, scenario, tuple(variant or ()))
    found = citations(document)
    if format is Format.json:
        print_json(_as_data(found))
    else:
        typer.echo("\n".join(_as_text(found)))


def _as_data(found: Citations) -> dict[str, Any]:
    names = ("path", "title", "grade", "cite", "ruling")
    listed = {
        grade: [
            {name: getattr(each, name) for name in names} | {"place": str(each.span)} for each in found.graded(grade)
        ]
        for grade in UNSURE
    }
    return {"counts": found.count(), **listed, "uncited_sections": found.uncited}


def _as_text(found: Citations) -> list[str]:
    from polis_rules.documentation import spoken_grade

    counts = found.count()
    lines = [
        f"{sum(counts.values())} rules and rows: "
        + ", ".join(f"{n} {spoken_grade(grade)}" for grade, n in counts.items())
    ]
    for grade in UNSURE:
        lines += ["", f"{spoken_grade(grade).capitalize()}:"]
        lines += [line for each in found.graded(grade) for line in _told(each)] or ["  nothing"]
    if counts["none"]:
        lines += ["", "Without a grade:", *(f"  {each.path}" for each in found.graded(""))]
    for source, sections in found.uncited.items():
        lines += ["", f"Sections of {source} that no rule cites:", *(f"  {section}" for section in sections)]
    return lines


def _told(each: Cited) -> list[str]:
    line = f"  {each.title} ({each.path}), {each.cite or 'no source'} [{each.span.file}:{each.span.line}]"
    return [line, f"      {each.ruling}"] if each.ruling else [line]
