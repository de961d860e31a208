"""`polis diff`: what differs between two rulesets, in sentences."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from typing import Annotated

import typer

from polis_rules.documentation import COUNTED, SECTIONS, Change, Difference, condensed, diff
from polis_rules.documentation.rulebook import read

from .options import Options, ScenarioName, VariantNames, argument, laid_over, option
from .output import Format, answer, wrapped

WIDTH = 110


class DiffFormat(StrEnum):
    """How differences are told."""

    text = "text"
    """Sentences, for a terminal."""
    json = "json"
    """For programs: one JSON document on standard output."""
    html = "html"
    """A page: what is new in the second ruleset."""


class Command(Options):
    """Say in sentences what differs between two rulesets.

    What a player wants to know comes first, then everything that makes the rules different, grouped and in a stable
    order; rows that change alike are told together, and titles and citations are counted. In lists of steps, a line
    with - is gone and a line with + is new. Scenarios and variants are options of either side, as in other commands.

    \b
    Example:
      polis diff mygame othergame
      polis diff mygame --variant-b quick
      polis diff mygame --scenario-b short --format json
      polis diff mygame othergame --format html > new.html
    """

    first: Annotated[str, argument("A")]
    """A ruleset's name or folder. Example: mygame"""
    second: Annotated[str | None, argument("B")] = None
    """What to compare it with; without it, A again. Example: othergame"""
    scenario_a: ScenarioName = None
    scenario_b: ScenarioName = None
    variant_a: VariantNames = None
    variant_b: VariantNames = None
    set_a: Annotated[list[str] | None, option("NAME=VALUE")] = None
    """A setting of A. Example: --set-a seats=3"""
    set_b: Annotated[list[str] | None, option("NAME=VALUE")] = None
    """A setting of B. Example: --set-b seats=4"""
    everything: Annotated[bool, typer.Option("--all")] = False
    """Each changed row, title and citation by itself. Example: --all"""
    format: DiffFormat = DiffFormat.text
    """Text for people, JSON for programs, or HTML: a page that loads nothing. Example: --format html"""

    def run(self) -> None:
        second = self.first if self.second is None else self.second
        one = read(self.first, self.scenario_a, laid_over(self.variant_a, self.set_a))
        other = read(second, self.scenario_b, laid_over(self.variant_b, self.set_b))
        if self.format is DiffFormat.html:
            from polis_rules.publishing import changes_page

            typer.echo(changes_page(one, other), nl=False)
            return
        delta = diff(one, other)
        about = {"first": delta.first, "second": delta.second, "same_hash": delta.same_hash, "summary": delta.summary}
        about |= {"headlines": delta.headlines, "changes": delta.changes}
        answer(Format(self.format), about, _lines(delta, self.everything))


def _lines(delta: Difference, everything: bool) -> Iterator[str]:
    yield delta.summary
    if delta.headlines:
        yield "\nIn short"
        for each in delta.headlines:
            yield from wrapped(each, WIDTH, "  * ", "    ")
    told = delta.changes if everything else condensed(delta.changes)
    for section in SECTIONS if everything else [each for each in SECTIONS if each not in COUNTED]:
        changes = [change for change in told if change.section == section]
        if changes:
            yield f"\n{section}"
        group = ""
        for change in changes:
            if change.group != group:
                yield f" {change.group}"
                group = change.group
            yield from _told(change)

    counts = [change.sentence for change in told if not everything and change.section in COUNTED]
    if counts:
        yield "\nBesides"
        yield from wrapped(f"{', '.join(counts)}; --all tells them.", WIDTH, "  * ", "    ")


def _told(change: Change) -> Iterator[str]:
    yield from wrapped(change.sentence, WIDTH, "  * ", "    ")
    for each in change.lines:
        text = each[2:] if (marked := each[:2] in ("- ", "+ ")) else each
        depth = " " * (len(text) - len(text.lstrip()))
        yield from wrapped(text.strip(), WIDTH, f"    {each[0] if marked else '~'} {depth}", f"        {depth}")
