"""`polis list`: the rulesets that come with the package."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from polis_rules import load
from polis_rules.composition import ShippedRuleset, shipped, shipped_libraries
from polis_rules.diagnostics import PolisError

from .attested import attested
from .options import Options, OutputFormat
from .output import Format, answer
from .progress import watched


class Command(Options):
    """List the rulesets that come with polis.

    Each is shown with its title, how much of it is attested, its scenarios and its variants. Libraries for other
    rulesets come last.

    \b
    Example:
      polis list
      polis list --format json
    """

    format: OutputFormat = Format.text

    def run(self) -> None:
        rulesets = shipped()
        grades = {each.name: _grades(each) for each in watched(rulesets, "rulesets")}
        data = [
            {"ruleset": each.name, "title": each.title, "grades": grades[each.name]}
            | {"scenarios": dict(each.scenarios), "variants": dict(each.variants)}
            for each in rulesets
        ]
        libraries = shipped_libraries()
        answer(self.format, data, _lines(rulesets, grades, libraries))


def _grades(shipped: ShippedRuleset) -> dict[str, int]:
    """How many of its rules and values have each grade; none of one that cannot be loaded, as `validate` tells."""
    try:
        return load(shipped.path).grades
    except PolisError:
        return {}


def _lines(
    rulesets: list[ShippedRuleset], grades: Mapping[str, dict[str, int]], libraries: list[tuple[str, str]]
) -> Iterator[str]:
    if not rulesets:
        yield "No rulesets come with this installation. A folder with one of your own works as well:"
        yield "  polis validate FOLDER"
    for each in rulesets:
        yield f"{each.name}: {each.title}"
        if grades[each.name]:
            yield f"  {attested(grades[each.name])}"
        for name, titles in (("scenarios", each.scenarios), ("variants", each.variants)):
            yield from _listed(f"  {name}", titles)
    yield from _listed("libraries, for `uses`", libraries)


def _listed(head: str, titles: Sequence[tuple[str, str]]) -> Iterator[str]:
    if titles:
        yield head
    width = max((len(id) for id, _ in titles), default=0)
    yield from (f"    {id:<{width}}  {title}" for id, title in titles)
