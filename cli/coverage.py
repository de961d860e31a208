"""`polis coverage`: what games meet of the rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from polis_rules.diagnostics import some
from polis_rules.ruleset import load
from polis_rules.verification.coverage import Coverage, cover, told, write_pages

from .native import Native, NativeCode, played_in_python, wanted
from .options import BotNames, ChosenScenarios, OutputFormat, RulesetName, option
from .output import STOPPED, Format, answer, as_data, say
from .progress import progress
from .table import table


class Command(ChosenScenarios):
    """Play bot games and list the rules they never used.

    Requirements, conditions, effects, terms, rows and endings are counted. Without --bot `random` and `greedy` play.
    Where not all bots choose at random, up to 60 % of the decisions, more in one game than in another, go to what
    leads to something that no game has met, or was taken least so far; and in the second half branches of games are
    played, from the positions that come nearest to what is not met.

    A condition counts as met when it came out both ways. A comment `# polis: unmet reason` beside a rule, or alone on
    the line before, explains why games do not meet it; one that stands elsewhere names the rule and the label first,
    `phases.harvest.it_must_be_ripe`. The exit status is 0 when everything is met or explained, and 1 when something
    is not. Ctrl-C ends early, with what was counted so far.

    \b
    Example:
      polis coverage mygame
      polis coverage mygame --games 10000 --html coverage
      polis coverage mygame --bot greedy --every
    """

    ruleset: RulesetName
    games: Annotated[int, typer.Option(min=1)] = 500
    """How many games. Example: --games 10000"""
    bot: BotNames = None
    native: NativeCode = Native.auto
    every: bool = False
    """List what was met too, not only what was not. Example: --every"""
    html: Annotated[Path | None, option("DIR")] = None
    """Write the rules as annotated pages here. Example: --html coverage"""
    format: OutputFormat = Format.text

    def run(self) -> None:
        scenarios = self.scenario or load(self.ruleset, None, self.variants).scenarios
        at_random = self.games // len(scenarios) if {*(self.bot or ())} == {"random"} else 0
        kind = wanted(self.native, at_random)
        with progress(self.games, "games") as done:
            played = self.ruleset, self.games, self.scenario or (), self.variants, self.bot or ()
            coverage = cover(*played, done, kind, played_in_python)
        counts = [as_data(each) | {"met": each.met} for each in coverage.counts]
        about = {name: getattr(coverage, name) for name in ("ruleset", "games", "branches", "decisions")}
        answer(self.format, about | {"counts": counts}, _lines(coverage, self.every))
        if self.html is not None:
            say(f"Pages: {write_pages(coverage, self.html)}", err=self.format is Format.json)
        if status := STOPPED if coverage.games < self.games else int(bool(coverage.unmet or coverage.needless)):
            raise typer.Exit(status)


def _lines(coverage: Coverage, every: bool) -> Iterator[str]:
    """Everything that asks for a look, then the sums."""
    if not coverage.games:
        yield f"{coverage.ruleset}: nothing was played"
        return
    place = ""
    for each in coverage.counts if every else coverage.unmet:
        if each.span.file != place:
            place = each.span.file
            yield place
        reason = "constants rule it out" if each.ruled_out else each.reason
        because = f"  because: {reason}" if reason else ""
        met = "always true" if each.met == "always" else each.met
        yield f"  {each.span.line:>4}  {met:<12} {each.what:<12} {told(each)}  ({each.rule}){because}"
    for each in coverage.needless:
        yield f"{each.span}: games meet this, or constants rule it out: the comment can go: {each.label}"
    yield ""
    rows = []
    for what in dict.fromkeys(each.what for each in coverage.counts):
        of = Counter(each.standing for each in coverage.counts if each.what == what)
        rows.append([f"{what}s", of.total(), of["met"], of["explained"], of["unmet"]])
    yield from table(["", "all", "met", "explained", "unmet"], rows)
    branches = f" and {some(coverage.branches, 'branch', 'branches')} of them" if coverage.branches else ""
    yield f"{coverage.ruleset}: {some(coverage.games, 'game')}{branches}, {some(coverage.decisions, 'decision')}"
