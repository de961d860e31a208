"""`polis compare`: what a change of rules does, with its uncertainty."""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated

import typer

from polis_rules.composition import SEATS, with_choices
from polis_rules.diagnostics import some
from polis_rules.lab import (
    ERROR,
    WITHIN,
    Comparison,
    Difference,
    Ended,
    Laid,
    Part,
    Plan,
    WinRate,
    compare,
    contributions,
    fast,
    parts_of,
)

from .native import played_in_python
from .options import Chosen, FirstSeed, OutputFormat, RulesetName, option
from .output import Format, Outcome, answer, as_data, as_json, check_folder, written
from .progress import progress
from .seats import bots_of

SHOWN = 12
"""How many differences are told of those that stand, and of the others; `--out` has all."""


class Command(Chosen):
    """Tell what a change of rules does to games of bots.

    Bots play games in pairs: both of a pair have the same seed and the same bots in the same seats, one by the rules
    with the variants and settings, one without them (or with those of --against). It stops as soon as it is known who
    wins more often, or that the difference is smaller than --within; however often it looks meanwhile, a difference
    that is none is told with the probability --error at most. What else is different is told by the size of its effect;
    at most the part --error of that is chance. Ctrl-C tells what is known so far.

    \b
    Example:
      polis compare mygame --variant costly
      polis compare mygame --set long_game=true --seat red=greedy --seat blue=greedy --out table.csv
    """

    ruleset: RulesetName
    games: Annotated[int, typer.Option(min=1)] = 2000
    """How many pairs of games at most. Example: --games 500"""
    against: Annotated[list[str] | None, option("VARIANT")] = None
    """A variant, or the value of a setting, of the other rules; may be repeated. Example: --against costly"""
    error: Annotated[float, option("SHARE", min=0.0001, max=0.5)] = ERROR
    """The probability of telling a difference that is none. Example: --error 0.01"""
    within: Annotated[float, option("SHARE", min=0.001, max=1)] = WITHIN
    """A difference of win rates that is smaller does not matter. Example: --within 0.02"""
    seed: FirstSeed = 0
    seat: Annotated[list[str] | None, option("PLAYER=BOT")] = None
    """Which bot plays a player, in all games; mcts:300 where nobody is named. Example: --seat red=random"""
    jobs: Annotated[int | None, option("NUMBER", min=1)] = None
    """How many processes share the games; as many as the machine has processors without it. Example: --jobs 2"""
    parts: bool = False
    """Tell too what each part of the change contributes, alone and beside all others: each variant and setting of
    several, or each operation of one variant. It takes games of its own for each. Example: --parts"""
    out: Annotated[Path | None, option("FILE")] = None
    """Keep all of it as a table, .csv or .json; a file that is there is replaced. Example: --out table.csv"""
    format: OutputFormat = Format.text

    def run(self) -> None:
        if self.out is not None and self.out.suffix not in (".csv", ".json"):
            raise typer.BadParameter("the file ends in .csv or .json", param_hint="--out")
        check_folder(self.out)
        against = with_choices(self.against or (), {} if self.seats is None else {SEATS: self.seats})
        if self.variants == against:
            raise typer.BadParameter("a variant or a setting is needed", param_hint="--variant")
        plans = []
        for variants in (against, self.variants):
            plan = Plan(self.ruleset, self.scenario, variants, self.games, self.seed)
            plan = replace(plan, seats=bots_of(plan.loaded().players, self.seat)).settled()
            with progress(1, "native code"):
                plan, reason = fast(plan)
            if reason:
                played_in_python(reason)
            plans.append(plan)
        before, now = plans
        jobs = self.jobs or os.cpu_count() or 1
        with TemporaryDirectory() as folder:
            laid = parts_of(before, now, Path(folder)) if self.parts else []
            with progress(self.games, "pairs of games") as done:
                found = compare(before, now, self.error, self.within, jobs, done)
            if found.lost or found.stopped:
                laid = []
            parts, ended = self._parts(replace(before, games=found.pairs), replace(now, games=found.pairs), laid, jobs)
        found = replace(found, stopped=found.stopped or ended.stopped, lost=found.lost or ended.lost)
        data = {
            "ruleset": self.ruleset, "scenario": now.scenario, "variants": now.variants, "against": before.variants,
            "seats": now.seats, "first_seed": self.seed, "wanted": self.games, **as_data(found),
            "parts": parts,
        }  # fmt: skip
        as_table = self.out is not None and self.out.suffix == ".csv"
        out = self.out if found.pairs else None  # what an earlier command has found is worth more than nothing
        is_written = out is None or written(out, _csv(found, parts) if as_table else as_json(data) + "\n")
        outcome = Outcome(found.stopped, found.lost, out, is_written)
        lines = chain(self._lines(now, found, parts), outcome.lines())
        answer(self.format, data, lines, outcome.status(bool(found.failed)))

    def _parts(
        self, before: Plan, now: Plan, laid: Sequence[tuple[str, Laid, Laid]], jobs: int
    ) -> tuple[list[Part], Ended]:
        """What each part contributes, and what ended that before all were played."""
        found: list[Part] = []
        ended = Ended()
        if laid and now.games:
            with progress(2 * len(laid) * now.games, "pairs of games for the parts") as done, ended:
                found.extend(contributions(before, now, laid, self.error, jobs, done))
        return found, ended

    def _lines(self, plan: Plan, found: Comparison, parts: Sequence[Part]) -> Iterator[str]:
        ruleset = plan.loaded()
        yield f"{ruleset.name}: {some(found.pairs, 'pair')} of games between {' and '.join(dict.fromkeys(plan.seats))}"
        yield from map(self._rate, found.rates)
        if parts:
            yield ""
            yield "What each part adds to the wins, alone and beside all others:"
        for part in parts:
            yield f"  {part.name}"
            for rates, where in ((part.alone, "alone"), (part.in_all, "beside the others")):
                yield f"    {where}: " + ("it cannot be played" if rates is None else "; ".join(map(_points, rates)))
        stand = [each for each in found.differences if each.stands]
        others = [each for each in found.differences if not each.stands and each.interval is not None]
        titles = ruleset.titles
        for title, several in (("Different:", stand), ("Perhaps chance, the largest effects:", others)):
            if several:
                yield ""
                yield title
                yield from (f"  {_told(each, titles)}" for each in several[:SHOWN])
        if len(stand) > SHOWN:
            yield f"  {len(stand) - SHOWN} more are different; --out has them."
        yield ""
        chance = f"of those that are different {100 * found.error:g} % may be chance"
        yield f"{found.looked_at} other numbers were looked at; {chance}."
        yield from (f"FAILED: seed {seed}: {why}" for seed, why in found.failed[:SHOWN])

    def _rate(self, each: WinRate) -> str:
        verdict = {
            "more": "more often with it",
            "less": "less often with it",
            "same": f"the difference is smaller than {100 * self.within:g} points",
            "open": "not known yet who gains",
        }[each.verdict]
        now = f"{100 * each.now:.0f} % ({_percent(each.now_interval)}) with it"
        before = f"{100 * each.before:.0f} % ({_percent(each.before_interval)}) without"
        return f"  {each.title} wins {now}, {before}: {_points(each).removeprefix(each.title).strip()}; {verdict}"


def _points(each: WinRate) -> str:
    return f"{each.title} {100 * each.difference:+z.1f} points ({_percent(each.interval, '+z.1f')})"


def _percent(interval: tuple[float, float], form: str = ".0f") -> str:
    low, high = interval
    return f"{100 * low:{form}} to {100 * high:{form}}"


def _told(each: Difference, titles: Mapping[str, str]) -> str:
    who = titles.get(each.player, "")
    name = {
        "lead": f"{who}'s points ahead of the best other player",
        "ending": f"ends: {each.title}",
        "uses": f"{who} takes {each.title}",
        "drawn": f"{each.title} is drawn",
    }.get(each.what, each.title)
    low, high = each.interval or (0.0, 0.0)
    change = f"{each.difference:+.2f} ({low:+.2f} to {high:+.2f})"
    within = "" if each.effect_interval is None else " ({:+.2f} to {:+.2f})".format(*each.effect_interval)
    return f"{name}: {each.now:.2f}, before {each.before:.2f}: {change}, effect {each.effect:+.2f}{within}"


def _csv(found: Comparison, parts: Sequence[Part]) -> str:
    """All differences, those of win rates first, then those that parts make."""
    file = io.StringIO()
    table = csv.writer(file, lineterminator="\n")
    table.writerow(
        (
            "what",
            "player",
            "kind",
            "name",
            "title",
            *("before", "now", "difference", "low", "high"),
            *("effect", "effect_low", "effect_high"),
            "verdict",
            "pairs",
        )
    )
    sides = [("win_rate", "", found.rates)]
    for part in parts:
        sides += [("part_alone", part.name, part.alone or ()), ("part_beside_others", part.name, part.in_all or ())]
    for what, name, rates in sides:
        for rate in rates:
            told = (rate.before, rate.now, rate.difference, *rate.interval)
            table.writerow((what, rate.player, "", name, rate.title, *told, "", "", "", rate.verdict, found.pairs))
    for each in found.differences:
        verdict = ("stands" if each.stands else "open", found.pairs)
        told = (each.before, each.now, each.difference, *(each.interval or ("", "")))
        sized = (each.effect, *(each.effect_interval or ("", "")))
        table.writerow((each.what, each.player, each.kind, each.name, each.title, *told, *sized, *verdict))
    return file.getvalue()
