"""`polis coverage`: what games meet of the rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Annotated

import typer

from polis_rules.diagnostics import some
from polis_rules.play import dump
from polis_rules.ruleset import load
from polis_rules.verification.coverage import Coverage, Covering, Found, told, write_pages

from .native import Native, NativeCode, played_in_python, wanted
from .options import BotNames, ChosenScenarios, OutputFormat, RulesetName, option
from .output import STOPPED, Format, answer, as_data, say
from .progress import progress, watched
from .table import table


class Command(ChosenScenarios):
    """Play bot games and list the rules they never used.

    Requirements, conditions, effects, terms, rows and endings are counted. Without --bot `random` and `greedy` play.
    Where not all bots choose at random, up to 60 % of the decisions, more in one game than in another, go to what
    leads to something that no game has met, or was taken least so far.

    With --seek 40 up to so many games more are played in each scenario for each thing that is then neither met nor
    explained; in these all seats together try to bring it about. What such games met is told, with the seed; --save
    writes the games, for `polis replay`.

    A condition counts as met when it came out both ways. A comment `# polis: unmet reason` beside a rule, or alone on
    the line before, explains why games do not meet it; one that stands elsewhere names the rule and the label first,
    `phases.harvest.it_must_be_ripe`. The exit status is 0 when everything is met or explained, and 1 when something
    is not. Ctrl-C ends early, with what was counted so far.

    \b
    Example:
      polis coverage mygame
      polis coverage mygame --games 10000 --html coverage
      polis coverage mygame --bot greedy --every
      polis coverage mygame --seek 40 --save found
    """

    ruleset: RulesetName
    games: Annotated[int, typer.Option(min=1)] = 500
    """How many games. Example: --games 10000"""
    bot: BotNames = None
    native: NativeCode = Native.auto
    every: bool = False
    """List what was met too, not only what was not. Example: --every"""
    seek: Annotated[int, typer.Option(min=0)] = 0
    """How many more games are played at most for each thing that is unmet, led to it. Example: --seek 40"""
    save: Annotated[Path | None, option("DIR")] = None
    """Write the games that met something in this way here, as transcripts. Example: --save found"""
    html: Annotated[Path | None, option("DIR")] = None
    """Write the rules as annotated pages here. Example: --html coverage"""
    format: OutputFormat = Format.text

    def run(self) -> None:
        if self.save is not None:
            self.save.mkdir(parents=True, exist_ok=True)  # what cannot be made is told before long work, not after it
        scenarios = self.scenario or load(self.ruleset, None, self.variants).scenarios
        at_random = self.games // len(scenarios) if {*(self.bot or ())} == {"random"} else 0
        kind = wanted(self.native, at_random)
        covering = Covering(self.ruleset, self.scenario or (), self.variants, kind, played_in_python)
        with progress(self.games, "games") as done:
            covering.play(self.games, self.bot or (), done)
        covering.seek(self.seek, lambda things: watched(things, "things that no game met are sought"))
        coverage = covering.coverage()
        names = _saved(coverage.found, self.save)
        counts = [as_data(each) | {"met": each.met} for each in coverage.counts]
        about = {"ruleset": coverage.ruleset, "games": coverage.games, "decisions": coverage.decisions}
        found = [_about(each, name) for each, name in zip(coverage.found, names, strict=True)]
        lines = chain(_lines(coverage, self.every), _sought(coverage, found))
        answer(self.format, about | {"sought": coverage.sought, "found": found, "counts": counts}, lines)
        if self.html is not None:
            say(f"Pages: {write_pages(coverage, self.html)}", err=self.format is Format.json)
        if status := STOPPED if coverage.stopped else int(bool(coverage.unmet or coverage.needless)):
            raise typer.Exit(status)


def _saved(found: Sequence[Found], folder: Path | None) -> list[str]:
    """Write the games that met what they were led to; the names of their files, which are empty without a folder."""
    if folder is None:
        return [""] * len(found)
    files = [folder / f"{each.count.rule}-{each.count.label}-{number}.jsonl" for number, each in enumerate(found, 1)]
    for each, file in zip(found, files, strict=True):
        file.write_text(dump(each.transcript()), encoding="utf-8")
    return [str(file) for file in files]


def _about(found: Found, name: str) -> dict[str, object]:
    """What there is to say of a game that met something."""
    count = found.count
    return {
        "what": count.what,
        "rule": count.rule,
        "label": count.label,
        "place": str(count.span),
        "before": count.met,
        "scenario": found.ruleset.scenario,
        "seed": found.seed,
        "taken": list(found.taken),
        "tries": found.tries,
        "transcript": name,
    }


def _sought(coverage: Coverage, found: Sequence[Mapping[str, object]]) -> Iterator[str]:
    """What games met that were led to it."""
    if not coverage.sought:
        return
    yield f"{some(coverage.sought, 'game')} more sought what these did not meet, and met {some(len(found), 'thing')}"
    for each in found:
        before = "always true" if each["before"] == "always" else each["before"]
        where = each["transcript"] or f"{each['scenario']}, seed {each['seed']}; --save DIR writes the game"
        yield f"  {each['place']}: {each['label']} ({each['rule']}), before {before}: game {each['tries']} ({where})"


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
    yield f"{coverage.ruleset}: {some(coverage.games, 'game')}, {some(coverage.decisions, 'decision')}"
