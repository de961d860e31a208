"""`polis list`: the rulesets that come with the package."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from polis_rules.composition import ShippedRuleset, shipped, shipped_libraries

from .options import Options, OutputFormat
from .output import Format, answer


class Command(Options):
    """List the rulesets that come with polis.

    Each is shown with its title, its scenarios and its variants. Libraries for other rulesets come last.

    \b
    Example:
      polis list
      polis list --format json
    """

    format: OutputFormat = Format.text

    def run(self) -> None:
        rulesets = shipped()
        data = [
            {"ruleset": each.name, "title": each.title}
            | {"scenarios": dict(each.scenarios), "variants": dict(each.variants)}
            for each in rulesets
        ]
        libraries = shipped_libraries()
        answer(self.format, data, _lines(rulesets, libraries))


def _lines(rulesets: list[ShippedRuleset], libraries: list[tuple[str, str]]) -> Iterator[str]:
    if not rulesets:
        yield "No rulesets come with this installation. A folder with one of your own works as well:"
        yield "  polis validate FOLDER"
    for each in rulesets:
        yield f"{each.name}: {each.title}"
        for name, titles in (("scenarios", each.scenarios), ("variants", each.variants)):
            yield from _listed(f"  {name}", titles)
    yield from _listed("libraries, for `uses`", libraries)


def _listed(head: str, titles: Sequence[tuple[str, str]]) -> Iterator[str]:
    if titles:
        yield head
    width = max((len(id) for id, _ in titles), default=0)
    yield from (f"    {id:<{width}}  {title}" for id, title in titles)
