"""`polis explain`: what a value means, where it comes from, and how sure it is."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

from polis_rules.diagnostics import PolisError, explanations, one_of, quote
from polis_rules.documentation import Explanation, Touch, explain, spoken_grade

from .options import OutputFormat, ScenarioName, VariantNames, argument
from .output import Format, answer, wrapped

WIDTH = 100


def command(
    ruleset: Annotated[
        str, argument("RULESET", "A ruleset's name or folder, or the code of a finding. Example: mygame")
    ],
    path: Annotated[
        str | None, argument("PATH", "Ids from a section on, joined by dots. Example: actions.dig.cost.coin")
    ] = None,
    scenario: ScenarioName = None,
    variant: VariantNames = None,
    format: OutputFormat = Format.text,
) -> None:
    """Explain a value or rule, or the code of a finding.

    Printed are its value, what a player would read, where it stands, every layer that touched it and why, and
    its citation. The exit status is 1 when nothing stands at the path; the nearest known path is named then.

    \b
    Example:
      polis explain mygame actions.dig
      polis explain mygame tables.space.north.size --variant quick --format json
      polis explain unknown-name
    """
    if path is None:
        code = explanations().get(ruleset)
        if code is None:
            raise PolisError(f"{quote(ruleset)} is not the code of a finding; {one_of(ruleset, explanations())}")
        answer(format, code, [str(code)])
        return
    found = explain(ruleset, path, scenario, tuple(variant or ()))
    answer(format, found, _lines(found))


def _lines(found: Explanation) -> Iterator[str]:
    value = "taken away" if found.value is None else found.value
    short = f"{found.path} = {value}"
    yield short if len(short) <= WIDTH or "\n" in value else found.path
    yield from _wrapped(found.sentence)
    if found.by_default:
        yield "  No row says so: it is the default."
    if found.span is not None:
        yield f"  {found.span}"
    if found.cite or found.grade:
        source = f" [{found.source}]" if found.source else ""
        cite = found.cite or ("no source" if found.grade == "house" else "no citation")
        yield from _wrapped(f"{spoken_grade(found.grade or 'not graded')}: {cite}{source}")
        if found.cited_before is not None:
            yield from _wrapped(f"(that is the source of what it was before {found.cited_before})")
    if found.ruling:
        yield from _wrapped(f"ruling: {found.ruling}")
    yield "Layers:"
    for each in found.layers:
        yield from _wrapped(_touch(each, found.path))
        if each.why:
            yield from _wrapped(f"why: {each.why}", "    ")


def _touch(touch: Touch, path: str) -> str:
    what = "" if touch.path == path else f" {touch.path}"
    new, old = (None if text is None else _short(text) for text in (touch.new, touch.old))
    if touch.kind == "write":
        line = f"{touch.layer} has{what} {new}" if new is not None and new[:1] != "{" else f"{touch.layer} has it"
    elif touch.kind == "remove":
        line = f"{touch.layer} removes{what or ' it'}{f', which was {old}' if old else ''}"
    elif new is None and old is None:
        line = f"{touch.layer} {touch.kind}s{what or ' it'}"
    elif old is None:
        line = f"{touch.layer} adds{what} {new}"
    else:
        line = f"{touch.layer} {touch.kind}s{what} from {old} to {new if new is not None else 'nothing'}"
    return line if touch.span is None else f"{line} ({touch.span})"


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 160 else f"{line[:157]}..."


def _wrapped(text: str, indent: str = "  ") -> list[str]:
    return wrapped(text, WIDTH, indent, f"{indent}  ")
