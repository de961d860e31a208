"""`polis tune`: weights of advice that are learned from games."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from polis_rules.diagnostics import some
from polis_rules.ruleset import load
from polis_rules.source import is_id, write_whole
from polis_rules.tuning import Plan, Tuned, tune, variant_text

from .native import Native, NativeCode, found, wanted
from .options import Chosen, FirstSeed, OutputFormat, RulesetName, option
from .output import STOPPED, Format, answer, as_data, say
from .progress import progress
from .table import table


class Command(Chosen):
    """Set the weights of advice by games of bots.

    Greedy bots play, some of their decisions at random. What positions of the winners have more of gets more weight
    (logistic regression), and new weights are kept if they win against those before. Without advice in a ruleset
    everything that a player may spend gets a weight. At the end the new weights play against the old ones in games with
    exchanged seats. Ctrl-C ends early, with the best weights so far.

    \b
    Example:
      polis tune mygame
      polis tune mygame --games 5000 --jobs 2 --out rules/mygame/variants/tuned.yaml
    """

    ruleset: RulesetName
    games: Annotated[int, typer.Option(min=10)] = 1000
    """How many games in all. Example: --games 5000"""
    seed: FirstSeed = 0
    jobs: Annotated[int, typer.Option(min=1)] = 1
    """How many threads share the games. Example: --jobs 2"""
    native: NativeCode = Native.auto
    out: Annotated[Path | None, option("FILE")] = None
    """Write a variant with the new weights; its id is the name of the file. Example: --out tuned.yaml"""
    format: OutputFormat = Format.text

    def run(self) -> None:
        if self.out is not None and not is_id(self.out.stem):
            raise typer.BadParameter(f"{self.out.stem} is no id, such as tuned", param_hint="--out")
        if self.out is not None and not self.out.parent.is_dir():
            raise typer.BadParameter(f"there is no folder {self.out.parent}", param_hint="--out")
        rules = load(self.ruleset, self.scenario, self.variants)
        native = found(wanted(self.native), rules)
        plan = Plan(self.ruleset, self.scenario, self.variants, self.games, self.seed, self.jobs, native)
        with progress(self.games, "games") as done:
            tuned = tune(plan, done)
        text = variant_text(rules, tuned, self.out.stem if self.out is not None else "tuned")
        rate, low, high = tuned.rate
        data = as_data(tuned) | {
            "terms": [as_data(each) for each in tuned.terms], "match": as_data(tuned.match),
            "rate": {"won": rate, "low": low, "high": high} if tuned.match.games else None, "variant": text,
        }  # fmt: skip
        answer(self.format, {"ruleset": self.ruleset} | data, _lines(tuned, text))
        if self.out is not None:
            if tuned.better:
                write_whole(self.out, text)
            say(f"{'Written' if tuned.better else 'Not written'}: {self.out}", err=self.format is Format.json)
        if tuned.stopped:
            raise typer.Exit(STOPPED)


def _lines(tuned: Tuned, text: str) -> Iterator[str]:
    rows = []
    for each in tuned.terms:
        within = "" if each.low is None else f"{each.low:.2f} to {each.high:.2f}"
        rows.append([each.name, f"{each.before:.2f}", f"{each.after:.2f}", within])
    yield from table(["", "before", "after", "95 % within"], rows)
    yield ""
    rate, low, high = tuned.rate
    learned = f"{some(tuned.learned, 'game')} to learn from, {tuned.games:,} in all"
    yield learned + ("; stopped before the end" if tuned.stopped else "")
    if not tuned.better:
        yield "no better weights were found"
        return
    if tuned.match.games:
        rates = f"{100 * rate:.0f} % ({100 * low:.0f} to {100 * high:.0f} %)"
        yield f"the new weights win {rates} of {some(tuned.match.games, 'game')} against the old"
    else:
        yield "the new weights have not been compared with the old"
    yield ""
    yield from text.splitlines()
