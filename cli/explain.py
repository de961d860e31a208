"""`polis explain`: what a value means, where it comes from, and how sure it is."""

from __future__ import annotations

import textwrap
from typing import Annotated, Any

import typer

from polis_rules.diagnostics import Span
from polis_rules.documentation import Explanation, Touch, explain

from .options import OutputFormat, ScenarioName
from .output import Format, print_json

WIDTH = 100


def command(
    ruleset: Annotated[
        str,
        typer.Argument(metavar="RULESET", help="A shipped ruleset's name or a folder. Example: mygame or rules/mine"),
    ],
    path: Annotated[
        str,
        typer.Argument(metavar="PATH", help="Ids from a section on, joined by dots. Example: actions.dig.cost.coin"),
    ],
    scenario: ScenarioName = None,
    variant: Annotated[
        list[str] | None,
        typer.Option(
            metavar="VARIANT",
            help="A variant to lay over it, a name or a file; may be repeated. Example: --variant quick",
        ),
    ] = None,
    format: OutputFormat = Format.text,
) -> None:
    """Explain one value or rule of a ruleset.

    Printed are its value, what a player would read, where it stands, every layer that touched it and why, and
    its citation. The exit status is 1 when nothing stands at the path; the nearest known path is named then.

    \b
    Example:
      polis explain mygame actions.dig
      polis explain mygame tables.space.north.size --variant quick --format json
    """
    found = explain(ruleset, path, scenario, tuple(variant or ()))
    if format is Format.json:
        print_json(_as_data(found))
        return
    for line in _lines(found):
        typer.echo(line)


def _lines(found: Explanation) -> list[str]:
    value = "taken away" if found.value is None else found.value
    short = f"{found.path} = {value}"
    lines = [short if len(short) <= WIDTH or "\n" in value else found.path]
    lines += _wrapped(found.sentence)
    if found.by_default:
        lines.append("  No row says so: it is the default.")
    if found.span is not None:
        lines.append(f"  {found.span}")
    lines += _citation(found)
    lines.append("Layers:")
    for touch in found.touches:
        lines += _touch(touch, found.path)
    return lines


def _citation(found: Explanation) -> list[str]:
    from polis_rules.documentation import spoken_grade

    lines = []
    if found.cite or found.grade:
        source = f" [{found.source}]" if found.source else ""
        cite = found.cite or ("no source" if found.grade == "house" else "no citation")
        lines += _wrapped(f"{spoken_grade(found.grade or 'not graded')}: {cite}{source}")
        if found.before is not None:
            lines += _wrapped(f"(that is the source of what it was before {found.before})")
    return lines + (_wrapped(f"ruling: {found.ruling}") if found.ruling else [])


def _touch(touch: Touch, path: str) -> list[str]:
    place = f" ({touch.span})" if touch.span is not None else ""
    what = "" if touch.path == path else f" {touch.path}"
    new, old = (None if text is None else _short(text) for text in (touch.new, touch.old))
    if touch.kind == "write":
        line = f"{touch.layer} has{what} {new}" if new is not None and new[:1] != "{" else f"{touch.layer} has it"
    elif new is None and old is None and touch.kind != "remove":
        line = f"{touch.layer} {touch.kind}s {what.strip() or 'it'}"
    elif touch.kind == "remove":
        line = f"{touch.layer} removes{what or ' it'}{f', which was {old}' if old else ''}"
    elif old is None:
        line = f"{touch.layer} adds{what} {new}"
    else:
        line = f"{touch.layer} {touch.kind}s{what} from {old} to {new if new is not None else 'nothing'}"
    lines = _wrapped(f"{line}{place}")
    return lines + (_wrapped(f"why: {touch.why}", "    ") if touch.why else [])


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 160 else f"{line[:157]}..."


def _wrapped(text: str, indent: str = "  ") -> list[str]:
    return textwrap.wrap(
        text, WIDTH, initial_indent=indent, subsequent_indent=f"{indent}  ", break_long_words=False,
        break_on_hyphens=False,
    )  # fmt: skip


def _as_data(found: Explanation) -> dict[str, Any]:
    return {
        "path": found.path,
        "value": found.value,
        "sentence": found.sentence,
        **_place(found.span),
        "by_default": found.by_default,
        "cite": found.cite,
        "source": found.source,
        "grade": found.grade,
        "cited_before": found.before,
        "ruling": found.ruling,
        "layers": [
            {"layer": each.layer, "kind": each.kind, "path": each.path, "old": each.old, "new": each.new}
            | {"why": each.why, **_place(each.span)}
            for each in found.touches
        ],
    }


def _place(span: Span | None) -> dict[str, Any]:
    return {name: None if span is None else getattr(span, name) for name in ("file", "line", "column")}
