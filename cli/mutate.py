"""`polis mutate`: which small changes of the rules nothing notices."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Annotated, Any

import typer

from polis_rules.diagnostics import some
from polis_rules.play import Transcript, read
from polis_rules.verification.mutation import Mutant, MutationTest, Verdict, judge_all

from .options import Options, OutputFormat, RulesetName, option
from .output import STOPPED, Format, answer, place
from .progress import progress

SORTS = {
    "case": "by a case", "transcript": "by a transcript", "playout": "by random games only", "nothing": "unnoticed",
}  # fmt: skip
"""What may notice a change, in words."""


class Command(Options):
    """List small changes of the rules that no case notices.

    One number, comparison, requirement or effect is changed at a time.

    A change is noticed by a case that then fails, by a transcript that then differs, or by random games
    (playouts). Cases that name variants are left out. The mutation score is the percentage of changes that cases and
    transcripts notice; the exit status is 1 when it is less than --at-least. Ctrl-C ends early, with what is known so
    far.

    \b
    Example:
      polis mutate mygame
      polis mutate mygame --rule actions.dig --jobs 1
      polis mutate mygame --transcripts games --sample 100
    """

    ruleset: RulesetName
    rule: Annotated[str | None, option("TEXT")] = None
    """Only changes of rules with this in their path. Example: --rule tables.event"""
    case: Annotated[str | None, option("PATTERN")] = None
    """Only these cases may notice, as in polis test. Example: --case dice"""
    transcripts: Annotated[Path | None, option("DIR")] = None
    """A folder with transcripts that may notice. Example: --transcripts games"""
    games: Annotated[int, typer.Option(min=0)] = 20
    """How many random games may notice. Example: --games 100"""
    sample: Annotated[int | None, typer.Option(min=1)] = None
    """Only so many changes, picked at random. Example: --sample 100"""
    seed: int = 0
    """The seed that --sample picks by. Example: --seed 7"""
    jobs: Annotated[int | None, typer.Option(min=1)] = None
    """How many processes; without it one a processor. Example: --jobs 1"""
    at_least: Annotated[float, option("PERCENT", min=0, max=100)] = 90
    """The mutation score needed for exit status 0. Example: --at-least 95"""
    format: OutputFormat = Format.text

    def run(self) -> None:
        tests = MutationTest(self.ruleset, _recorded(self.transcripts), self.games, self.case, self.rule or "")
        mutants = self._wanted(tests)
        with progress(len(mutants), "changes") as done:
            verdicts = judge_all(tests, mutants, self.jobs or os.cpu_count() or 1, done)
        count: Counter[str] = Counter(each.sort for each in verdicts)
        share = 100 * (count["case"] + count["transcript"]) / max(len(verdicts), 1)
        data = {"ruleset": self.ruleset, "share": round(share, 1), "changes": [_as_data(each) for each in verdicts]}
        status = STOPPED if len(verdicts) < len(mutants) else int(share < self.at_least)
        answer(self.format, data, self._lines(tests, verdicts, count, share), status)

    def _lines(self, tests: MutationTest, verdicts: list[Verdict], count: Counter[str], share: float) -> Iterator[str]:
        if not verdicts:
            yield f"{self.ruleset}: no change was tried"
            return
        for sort, words in (("playout", "Only random games notice"), ("nothing", "Nothing notices")):
            if count[sort]:
                yield f"{words}:"
            for each in verdicts:
                if each.sort == sort:
                    yield f"  {each.mutant.span}: {each.mutant.change}  ({each.mutant.rule})"
        cases = sum(len(table.cases) for table in tests.tables.values())
        games = sum(len(table.transcripts) for table in tests.tables.values())
        left_out = f", {tests.left_out} left out" if tests.left_out else ""
        played = f"{some(cases, 'case')}{left_out}, {some(games, 'transcript')}"
        yield f"{self.ruleset}: {some(len(verdicts), 'change')}, {played}"
        yield ", ".join(f"{count[sort]} {words}" for sort, words in SORTS.items())
        yield f"Mutation score: cases and transcripts notice {share:.1f} %."

    def _wanted(self, tests: MutationTest) -> list[Mutant]:
        mutants = tests.mutants()
        if not mutants:
            raise typer.BadParameter(f"no rule that can be changed has {tests.rule!r} in its path", param_hint="--rule")
        if self.sample is None or self.sample >= len(mutants):
            return mutants
        picked = sorted(Random(self.seed).sample(range(len(mutants)), self.sample))
        return [mutants[number] for number in picked]


def _recorded(folder: Path | None) -> list[tuple[str, Transcript]]:
    if folder is None:
        return []
    if not folder.is_dir():
        raise typer.BadParameter(f"there is no folder {folder}", param_hint="--transcripts")
    return [(path.name, read(path)) for path in sorted(folder.glob("*.jsonl"))]


def _as_data(verdict: Verdict) -> dict[str, Any]:
    mutant = verdict.mutant
    about = {"what": mutant.what, "rule": mutant.rule, "change": mutant.change}
    return about | place(mutant.span) | {"noticed": verdict.sort, "by": verdict.by}
