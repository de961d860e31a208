"""`polis explain`: what a value means, where it comes from, and how sure it is."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

from polis_rules.composition import shipped
from polis_rules.diagnostics import PolisError, explanations, one_of, quote
from polis_rules.documentation import Explanation, explain, spoken_grade, told_layer

from .options import Chosen, OutputFormat, argument
from .output import Format, answer, wrapped

WIDTH = 100


class Command(Chosen):
    """Explain a value or rule, or the code of a finding.

    Printed are its value, what a player would read, where it stands, every layer that touched it and why, and
    its citation. The exit status is 1 when nothing stands at the path; the nearest known path is named then.

    \b
    Example:
      polis explain mygame actions.dig
      polis explain mygame tables.space.north.size --variant quick --format json
      polis explain unknown-name
    """

    ruleset: Annotated[str, argument("RULESET")]
    """A ruleset's name or folder, or the code of a finding. Example: mygame"""
    path: Annotated[str | None, argument("PATH")] = None
    """Ids from a section on, joined by dots. Example: actions.dig.cost.coin"""
    format: OutputFormat = Format.text

    def run(self) -> None:
        if self.path is None:
            code = explanations().get(self.ruleset)
            if code is None:
                raise PolisError(self._nothing_to_explain())
            answer(self.format, code, [str(code)])
            return
        explained = explain(self.ruleset, self.path, self.scenario, self.variants)
        answer(self.format, explained, _lines(explained))

    def _nothing_to_explain(self) -> str:
        names = [each.name for each in shipped()]
        if self.ruleset in names or Path(self.ruleset).is_dir():
            return f"say what of {quote(self.ruleset)} is to be explained, such as `score` or `actions.NAME`"
        return f"{quote(self.ruleset)} is not the code of a finding; {one_of(self.ruleset, explanations())}"


def _lines(explained: Explanation) -> Iterator[str]:
    value = "taken away" if explained.value is None else explained.value
    short = f"{explained.path} = {value}"
    yield short if len(short) <= WIDTH or "\n" in value else explained.path
    yield from _wrapped(explained.sentence)
    if explained.by_default:
        yield "  No row says so: it is the default."
    if explained.span is not None:
        yield f"  {explained.span}"
    if explained.cite or explained.grade:
        source = f" [{explained.source}]" if explained.source else ""
        cite = explained.cite or ("no source" if explained.grade == "house" else "no citation")
        yield from _wrapped(f"{spoken_grade(explained.grade or 'not graded')}: {cite}{source}")
        if explained.cited_before is not None:
            yield from _wrapped(f"(that is the source of what it was before {explained.cited_before})")
    if explained.ruling:
        yield from _wrapped(f"ruling: {explained.ruling}")
    if explained.layers:
        yield "Layers:"
    for each in explained.layers:
        yield from _wrapped(told_layer(each, explained.path))
        if each.why:
            yield from _wrapped(f"why: {each.why}", "    ")


def _wrapped(text: str, indent: str = "  ") -> list[str]:
    return wrapped(text, WIDTH, indent, f"{indent}  ")
