"""`polis sources`: how sure the values of a ruleset are, and where they come from."""

from __future__ import annotations

from collections.abc import Iterator

from polis_rules.documentation import Citations, Cited, citations, spoken_grade
from polis_rules.pipeline import documented

from .options import Chosen, OutputFormat, RulesetName
from .output import Format, answer

UNSURE = ("inferred", "reconstructed", "house")


class Command(Chosen):
    """Count rules and values by grade, list the uncertain ones.

    Each value that a row of a table gives counts by itself. Listed are the rules that are inferred or reconstructed,
    and the sections of sources that no rule cites.

    \b
    Example:
      polis sources mygame
      polis sources mygame --format json
    """

    ruleset: RulesetName
    format: OutputFormat = Format.text

    def run(self) -> None:
        _, document = documented(self.ruleset, self.scenario, self.variants)
        cited = citations(document)
        counts = cited.count()
        data = {"counts": counts, "uncited_sections": cited.uncited}
        answer(self.format, data | {grade: cited.graded(grade) for grade in UNSURE}, _lines(cited, counts))


def _lines(cited: Citations, counts: dict[str, int]) -> Iterator[str]:
    told = ", ".join(f"{n} {spoken_grade(grade)}" for grade, n in counts.items())
    yield f"{sum(counts.values())} rules and values: {told}"
    for grade in UNSURE:
        yield f"\n{spoken_grade(grade).capitalize()}:"
        yield from (line for each in cited.graded(grade) for line in _told(each))
        if not counts[grade]:
            yield "  nothing"
    if counts["none"]:
        yield "\nWithout a grade:"
        yield from (f"  {each.path}" for each in cited.graded(""))
    for source, sections in cited.uncited.items():
        yield f"\nSections of {source} that no rule cites:"
        yield from (f"  {section}" for section in sections)


def _told(each: Cited) -> Iterator[str]:
    yield f"  {each.title} ({each.path}), {each.cite or 'no source'} [{each.span.file}:{each.span.line}]"
    if each.ruling:
        yield f"      {each.ruling}"
