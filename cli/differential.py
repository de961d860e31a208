"""`polis differential`: play the same games with two engines, or three."""

from __future__ import annotations

from time import perf_counter
from typing import Annotated

import typer

from polis_rules.composition import shipped
from polis_rules.diagnostics import some
from polis_rules.ruleset import load
from polis_rules.verification.differential import compare

from .native import Native, NativeCode, found, wanted
from .options import ChosenScenarios, FirstSeed, Jobs, OutputFormat, argument
from .output import STOPPED, Format, answer, as_data, say
from .progress import progress


class Command(ChosenScenarios):
    """Differential test: play the same games with all engines.

    At every decision and chance the options, the player who decides, the outcome and the whole state must be the same,
    at the end the ending, the winner and the scores. Native code also plays each game by one call, where there
    is some. The exit status is 1 when anything differs. Ctrl-C ends early, with what was compared so far.

    \b
    Example:
      polis differential mygame --games 10000 --jobs 2
      polis differential
    """

    rulesets: Annotated[list[str] | None, argument("[RULESET]...", show_default=False)] = None
    """Shipped rulesets' names or folders; without any all shipped ones. Example: mygame rules/mine"""
    games: Annotated[int, typer.Option(min=1)] = 100
    """How many games of each scenario. Example: --games 10000"""
    seed: FirstSeed = 0
    jobs: Jobs = 1
    native: NativeCode = Native.auto
    format: OutputFormat = Format.text

    def run(self) -> None:
        names = self.rulesets or [each.name for each in shipped()]
        played = [
            (name, which) for name in names for which in self.scenario or load(name, None, self.variants).scenarios
        ]
        rows, status = [], 0
        for name, which in played:
            kind = found(wanted(self.native), load(name, which, self.variants))
            begun = perf_counter()
            with progress(self.games, f"games of {name} {which}") as done:
                result = compare((name, which, self.variants), self.games, self.seed, self.jobs, done, kind)
            seconds = round(perf_counter() - begun, 1)
            status = 1 if result.difference is not None else status
            rows.append({"ruleset": name, "scenario": which, "seconds": seconds} | as_data(result))
            if self.format is Format.text:
                told = result.difference or ("no difference" if result.games else "nothing was played")
                told = (
                    f"{told}; stopped before the end" if result.games < self.games and not result.difference else told
                )
                points = f"{some(result.games, 'game')}, {some(result.points, 'point')}"
                say(f"{name} {which}: {points}, {seconds} s: {told}")
            if result.games < self.games and result.difference is None:
                status = STOPPED
                break
        answer(self.format, rows, (), status)
