"""`polis balance`: settings by which games are as the ruleset's targets want them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Annotated

import typer

from polis_rules.composition import SEATS, with_choices
from polis_rules.diagnostics import some
from polis_rules.lab import Balanced, Plan, Search, Tried, fast, settings_text, table_of, targets_of
from polis_rules.source import is_id

from .native import played_in_python
from .options import FirstSeed, Options, OutputFormat, RulesetName, ScenarioName, VariantNames, option
from .output import Format, Outcome, answer, check_folder, written
from .progress import progress
from .seats import bots_of
from .sweep import values_by_setting
from .targets import as_judged, judged_lines


class Command(Options):
    """Propose settings by which games meet the targets.

    The ruleset says by `targets` what games should be like, and --set which values its settings may have. Bots play
    --games games with some of the combinations, chosen by what came of those before (Bayesian search). With the one
    that came nearest --check new games are played, which tell how likely each target is met. The exit status is 1
    where one of them is missed. Ctrl-C tells the best that is known.

    \b
    Example:
      polis balance mygame --set dice=1..4 --set long_game=false,true
      polis balance mygame --variant costly --set dice=1..12 --tries 30 --out balanced.yaml
    """

    ruleset: RulesetName
    setting: Annotated[list[str], typer.Option("--set", metavar="NAME=VALUES")]
    """The values that a setting may have, from..to or with commas between them; may be repeated.
    Example: --set dice=4..8"""
    scenario: ScenarioName = None
    variant: VariantNames = None
    seats: Annotated[int | None, option("NUMBER", min=1)] = None
    """How many play, where the ruleset leaves that open. Example: --seats 4"""
    tries: Annotated[int, typer.Option(min=1)] = 20
    """How many combinations of values are tried at most. Example: --tries 50"""
    games: Annotated[int, typer.Option(min=1)] = 100
    """How many games each combination has, always with the same seeds. Example: --games 200"""
    check: Annotated[int, typer.Option(min=1)] = 400
    """How many new games the best combination has. Example: --check 1000"""
    seed: FirstSeed = 0
    seat: Annotated[list[str] | None, option("PLAYER=BOT")] = None
    """Which bot plays a player, in all games; mcts:300 where nobody is named. Example: --seat red=random"""
    jobs: Annotated[int | None, option("NUMBER", min=1)] = None
    """How many processes share the games; as many as the machine has processors without it. Example: --jobs 2"""
    out: Annotated[Path | None, option("FILE")] = None
    """Write the settings as a variant; a file that is there is replaced. Example: --out balanced.yaml"""
    format: OutputFormat = Format.text

    def run(self) -> None:
        if self.out is not None and not (self.out.suffix == ".yaml" and is_id(self.out.stem)):
            raise typer.BadParameter("the file is called like the variant, such as balanced.yaml", param_hint="--out")
        if self.out is not None and self.out.stem in {Path(each).stem for each in self.variant or ()}:
            raise typer.BadParameter(f"{self.out.stem} is a variant that it is laid over", param_hint="--out")
        check_folder(self.out)
        settings = values_by_setting(self.setting)
        variants = with_choices(self.variant or (), {} if self.seats is None else {SEATS: self.seats})
        plan = Plan(self.ruleset, self.scenario, variants, self.games, self.seed)
        plan = replace(plan, seats=bots_of(plan.loaded().players, self.seat)).settled()
        targets_of(table_of(plan))
        for name, value in ((name, each) for name, values in settings.items() for each in {values[0], values[-1]}):
            replace(plan, variants=with_choices(plan.variants, {name: value})).loaded()  # each end may be played
        with progress(1, "native code"):
            _, reason = fast(plan)
        if reason:
            played_in_python(reason)
        search = Search(plan, settings, self.tries, self.jobs or os.cpu_count() or 1)
        with progress(search.number * self.games + self.check, "games") as done:
            search.progress = done
            found = search.run(self.check)
        out = None if found.best is None else self.out
        is_written = found.best is None or written(out, self._text(plan.loaded().name, found.best))
        outcome = Outcome(found.stopped, found.lost, out, is_written)
        data = {
            "ruleset": self.ruleset, "variants": variants, "seats": plan.seats, "first_seed": self.seed,
            "stopped": found.stopped, "lost": found.lost, "tried": [_data(each) for each in found.tried],
            "best": None if found.best is None else found.best.values,
            "checked": None if found.checked is None else _data(found.checked),
        }  # fmt: skip
        missed = found.checked is not None and any(each.answer == "missed" for each in found.checked.seen)
        failed = any(each.failed for each in (*found.tried, found.checked) if each is not None)
        answer(self.format, data, chain(self._lines(found), outcome.lines()), outcome.status(missed or failed))

    def _text(self, ruleset: str, best: Tried) -> str:
        """The variant that settles what was found."""
        laid_over = [Path(each).stem for each in self.variant or ()]
        return settings_text("" if self.out is None else self.out.stem, ruleset, best, laid_over)

    def _lines(self, found: Balanced) -> Iterator[str]:
        for each in sorted(found.tried, key=lambda each: each.distance)[:10]:
            missed = sum(one.answer == "missed" for one in each.seen)
            inside = sum(not one.missed_by for one in each.seen)
            yield f"{_settled(each)}: {inside} of {some(len(each.seen), 'target')} met, {missed} surely missed"
            if each.failed:
                yield f"  FAILED: {some(each.failed, 'game')}, the first with the seed {each.first_failed}"
        if len(found.tried) > 10:
            yield f"{len(found.tried) - 10} more combinations were farther off"
        if found.best is None:
            yield "no combination of settings was played to the end"
            return
        yield ""
        yield f"nearest: {_settled(found.best)}"
        if found.checked is None:
            yield "not checked by new games"
        else:
            yield f"by {some(found.checked.games, 'new game')}:"
            yield from judged_lines(found.checked.seen, chances=True)


def _settled(each: Tried) -> str:
    return ", ".join(f"{name} {value}" for name, value in each.values.items())


def _data(each: Tried) -> dict[str, object]:
    return {
        "values": each.values, "games": each.games, "failed": each.failed, "distance": each.distance,
        "targets": [as_judged(one) for one in each.seen],
    }  # fmt: skip
