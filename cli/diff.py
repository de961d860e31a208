"""`polis diff`: what differs between two rulesets, in sentences."""

from __future__ import annotations

import textwrap
from pathlib import Path
from typing import Annotated

import typer

from polis_rules.documentation import SECTIONS, Change, Difference, diff
from polis_rules.documentation.rulebook import read

from .options import OutputFormat
from .output import Format, print_json

WIDTH = 110


def command(
    first: Annotated[
        str,
        typer.Argument(
            metavar="A", help="A ruleset's name or folder, with +VARIANT for each variant. Example: mygame+quick"
        ),
    ],
    second: Annotated[
        str | None,
        typer.Argument(metavar="B", help="What to compare it with; without it, A again. Example: othergame"),
    ] = None,
    scenario_a: Annotated[
        str | None,
        typer.Option("--scenario-a", metavar="SCENARIO", help="A's scenario. Example: --scenario-a short"),
    ] = None,
    scenario_b: Annotated[
        str | None,
        typer.Option("--scenario-b", metavar="SCENARIO", help="B's scenario. Example: --scenario-b long"),
    ] = None,
    variant_a: Annotated[
        list[str] | None,
        typer.Option("--variant-a", metavar="VARIANT", help="A variant of A; may be repeated. Example: --variant-a x"),
    ] = None,
    variant_b: Annotated[
        list[str] | None,
        typer.Option("--variant-b", metavar="VARIANT", help="A variant of B; may be repeated. Example: --variant-b x"),
    ] = None,
    format: OutputFormat = Format.text,
) -> None:
    """Say in sentences what differs between two rulesets.

    Everything that makes the rules different is told, grouped and in a stable order. In lists of steps, a line
    with - is gone and a line with + is new.

    \b
    Example:
      polis diff mygame othergame
      polis diff mygame mygame+quick
      polis diff mygame --scenario-b short --format json
    """
    name_a, variants_a = _parts(first)
    name_b, variants_b = _parts(second if second is not None else first)
    one = read(name_a, scenario_a, (*variants_a, *(variant_a or ())))
    other = read(name_b, scenario_b, (*variants_b, *(variant_b or ())))
    found = diff(one, other)
    if format is Format.json:
        print_json(_as_data(found))
        return
    _print(found)


def _parts(text: str) -> tuple[str, list[str]]:
    """A ruleset and its variants; a path that holds a plus sign itself is taken as it is."""
    if "+" not in text or Path(text).exists():
        return text, []
    name, *variants = text.split("+")
    return name, [each for each in variants if each]


def _print(found: Difference) -> None:
    typer.echo(found.summary)
    for section in SECTIONS:
        changes = found.section(section)
        if not changes:
            continue
        typer.echo(f"\n{section}")
        group = ""
        for change in changes:
            if change.group != group:
                typer.echo(f" {change.group}")
                group = change.group
            for line in _lines(change):
                typer.echo(line)


def _lines(change: Change) -> list[str]:
    lines = _wrapped(change.sentence, "  * ", "    ")
    for each in change.lines:
        text = each[2:] if (marked := each[:2] in ("- ", "+ ")) else each
        depth = " " * (len(text) - len(text.lstrip()))
        lines += _wrapped(text.strip(), f"    {each[0] if marked else '~'} {depth}", f"        {depth}")
    return lines


def _wrapped(text: str, first: str, rest: str) -> list[str]:
    return textwrap.wrap(
        text, WIDTH, initial_indent=first, subsequent_indent=rest, break_long_words=False, break_on_hyphens=False
    )


def _as_data(found: Difference) -> dict[str, object]:
    return {
        "first": found.first,
        "second": found.second,
        "same_hash": found.same_hash,
        "summary": found.summary,
        "changes": [_change_as_data(each) for each in found.changes],
    }


def _change_as_data(change: Change) -> dict[str, object]:
    return {
        "path": change.path,
        "kind": change.kind,
        "section": change.section,
        "group": change.group,
        "subject": change.subject,
        "before": change.before,
        "after": change.after,
        "sentence": change.sentence,
        "lines": list(change.lines),
    }
