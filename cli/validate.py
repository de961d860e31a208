"""`polis validate`: check a ruleset."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import Annotated, Any

from polis_rules.composition import extended_by
from polis_rules.diagnostics import Diagnostic, baseline as baselines, render, sarif, some, version
from polis_rules.validation import Validation, validate

from .native import Native, NativeCode, played_in_python, wanted
from .options import Chosen, RulesetName, option
from .output import Format, answer, place, say
from .progress import tell


class Report(StrEnum):
    """How findings are printed."""

    text = "text"
    json = "json"
    sarif = "sarif"


class Command(Chosen):
    """Check a ruleset and print every finding.

    Without --scenario all scenarios are checked too, and without --variant also the variants beside the ruleset. A
    finding has its file, line and column. What passes here can be played. The exit status is 0 without errors and
    warnings, and 1 with any; notes do not count. A comment `# polis: ignore[code] reason` silences a warning on its
    line, or on the next one when it stands alone. The file of a variant is checked with the ruleset that it extends.

    \b
    Example:
      polis validate mygame
      polis validate rules/mine --scenario short --full
      polis validate rules/mine --format sarif > findings.sarif
    """

    ruleset: RulesetName
    full: bool = False
    """Also play games with every scenario and variant. Example: --full"""
    bot: str = "random"
    """Who plays these games: rules of late rounds are met by who plays well. Example: --bot greedy"""
    native: NativeCode = Native.auto
    format: Report = Report.text
    """Text for people, JSON or SARIF for programs. Example: --format sarif"""
    baseline: Annotated[Path | None, option("FILE")] = None
    """Leave out the warnings that this file lists. Example: --baseline known.json"""
    write_baseline: Annotated[Path | None, option("FILE")] = None
    """List today's warnings in a file. Example: --write-baseline known.json"""
    verbose: bool = False
    """Also list everything that was checked. Example: --verbose"""

    def run(self) -> None:
        if (ruleset := extended_by(self.ruleset)) is not None:
            replace(self, ruleset=ruleset, variant=[self.ruleset, *(self.variant or ())]).run()
            return
        known = baselines.read(self.baseline) if self.baseline is not None else None
        if self.write_baseline is not None:
            baselines.check_replaceable(self.write_baseline)  # before the work, not after it
        watched = partial(tell, "checking") if self.full else lambda text: None
        result = validate(
            self.ruleset, self.scenario, self.variants, self.full, watched, native=wanted(self.native), bot=self.bot
        )
        for reason in result.in_python:
            played_in_python(reason)
        if known is not None:
            result.findings = baselines.unknown(result.findings, known)
        if self.write_baseline is not None:
            count = baselines.write(self.write_baseline, result.findings)
            say(f"Wrote {self.write_baseline} with {some(count, 'finding')}.", err=True)
        if self.format is Report.sarif:
            answer(Format.json, sarif(result.findings, version()), (), int(not result.ok))
            return
        data = {"ruleset": self.ruleset, "ok": result.ok, "findings": [_as_data(each) for each in result.findings]}
        data |= {"checked": result.checked, "combinations": result.combinations, "skipped": result.skipped}
        answer(Format(self.format), data, self._lines(result), int(not result.ok))

    def _lines(self, result: Validation) -> Iterator[str]:
        yield from (render(finding, result.sources) + "\n" for finding in result.findings)
        if self.verbose:
            for what, names in (("Checked", result.checked + result.combinations), ("Not checked", result.skipped)):
                yield "\n  ".join([f"{what}:", *(names or ["nothing"])])
        count = some(len(result.findings), "finding") if result.findings else "no findings"
        others = ("other scenario", "other scenarios")
        if not self.variant:
            others = ("other scenario or variant", "other scenarios and variants")
        settled = len(result.choices) if result.combinations else 0
        layers = len(result.combinations) - settled
        also = f", also in {some(layers, *others)}" if layers else ""
        values = some(settled, "other value of a setting", "other values of settings")
        also += f"{' and' if layers else ', also'} with {values}" if settled else ""
        skipped = "; with these errors not everything could be checked" if result.skipped else ""
        yield f"{self.ruleset}: {count}{also}{skipped}"


def _as_data(finding: Diagnostic) -> dict[str, Any]:
    names = ("code", "severity", "confidence", "message", "suggestion")
    related = [{"message": message, **place(span)} for message, span in finding.related]
    about = {name: getattr(finding, name) for name in names} | place(finding.span)
    return about | {"hint": finding.advice, "related": related}
