"""`polis sweep`: what settings do, as a table and as curves."""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Annotated

import typer

from polis_rules.composition import SEATS, with_choices
from polis_rules.diagnostics import quote, some
from polis_rules.lab import ERROR, Ended, Plan, Swept, combinations, curves_page, curves_picture, fast, laid, sweep
from polis_rules.source import is_id

from .native import played_in_python
from .options import FirstSeed, Options, OutputFormat, RulesetName, ScenarioName, VariantNames, option
from .output import Format, Outcome, answer, check_folder, written
from .progress import progress
from .seats import bots_of

SUFFIXES = (".csv", ".html", ".svg")

MOST = 1000
"""So many values a range has at most."""


LONGEST = 20
"""A number of this length or more is no end of a range."""


class Command(Options):
    """Tell what settings do to games of bots.

    The same seeds are played with every combination of the values; who wins how often, and how long games take, is
    told with intervals. All intervals of win rates hold at once with the probability 1 - --error. Ctrl-C tells what is
    known.

    \b
    Example:
      polis sweep mygame --set dice=1..4 --out curves.html
      polis sweep mygame --variant costly --set dice=1..4 --set long_game=false,true --games 500
    """

    ruleset: RulesetName
    setting: Annotated[list[str], typer.Option("--set", metavar="NAME=VALUES")]
    """The values of a setting, from..to or with commas between them; may be repeated. Example: --set dice=4..8"""
    scenario: ScenarioName = None
    variant: VariantNames = None
    seats: Annotated[int | None, option("NUMBER", min=1)] = None
    """How many play, where the ruleset leaves that open. Example: --seats 4"""
    games: Annotated[int, typer.Option(min=1)] = 200
    """How many games each combination has. Example: --games 500"""
    error: Annotated[float, option("SHARE", min=0.0001, max=0.5)] = ERROR
    """The probability that any of the intervals misses. Example: --error 0.01"""
    seed: FirstSeed = 0
    seat: Annotated[list[str] | None, option("PLAYER=BOT")] = None
    """Which bot plays a player, in all games; mcts:300 where nobody is named. Example: --seat red=random"""
    jobs: Annotated[int | None, option("NUMBER", min=1)] = None
    """How many processes share the games; as many as the machine has processors without it. Example: --jobs 2"""
    out: Annotated[Path | None, option("FILE")] = None
    """A table (.csv), curves (.svg), or a page with both (.html); a file that is there is replaced.
    Example: --out curves.html"""
    format: OutputFormat = Format.text

    def run(self) -> None:
        if self.out is not None and self.out.suffix not in SUFFIXES:
            raise typer.BadParameter(f"the file ends in {', '.join(SUFFIXES)}", param_hint="--out")
        check_folder(self.out)
        settings = values_by_setting(self.setting)
        variants = with_choices(self.variant or (), {} if self.seats is None else {SEATS: self.seats})
        plans = laid(Plan(self.ruleset, self.scenario, variants, self.games, self.seed), settings)
        with progress(len(plans), "settings") as done:
            for at, plan in enumerate(plans):
                seats = bots_of(plan.loaded().players, self.seat)
                plans[at], reason = fast(replace(plan, seats=seats).settled())
                done(at)
        if reason:
            played_in_python(reason)
        ruleset = plans[0].loaded()
        titles = ruleset.titles
        found: list[Swept] = []
        with progress(self.games * len(plans), "games") as done, Ended() as ended:
            found.extend(sweep(plans, settings, self.error, self.jobs or os.cpu_count() or 1, done))
        found = [each for each in found if each.games]
        out = self.out if found else None  # what an earlier command has found is worth more than nothing
        is_written = out is None or written(out, self._text(out, found, ruleset.title, titles))
        outcome = Outcome(ended.stopped, ended.lost, out, is_written)
        data = {
            "ruleset": self.ruleset, "variants": variants, "seats": plans[0].seats, "first_seed": self.seed,
            "wanted": self.games, "combinations": combinations(settings), "error": self.error, "stopped": ended.stopped,
            "lost": ended.lost, "found": found,
        }  # fmt: skip
        lines = chain(self._lines(found, titles), outcome.lines())
        answer(self.format, data, lines, outcome.status(any(each.failed for each in found)))

    def _text(self, out: Path, found: Sequence[Swept], title: str, titles: Mapping[str, str]) -> str:
        """What the file holds."""
        games = sorted({each.games for each in found})
        number = some(games[-1], "game") if len(games) == 1 else f"{games[0]:,} to {some(games[-1], 'game')}"
        told = f"{number} for each combination; all bands of wins hold at once ({1 - self.error:.0%})."
        if out.suffix == ".csv":
            return _csv(found)
        if out.suffix == ".svg":
            return curves_picture(title, found, titles)
        return curves_page(f"{title}: {', '.join(found[0].values)}", told, found, titles)

    def _lines(self, found: Sequence[Swept], titles: Mapping[str, str]) -> Iterator[str]:
        for each in found:
            yield f"{', '.join(f'{name} {value}' for name, value in each.values.items())}: {some(each.games, 'game')}"
            for player, (share, (low, high)) in each.rates.items():
                yield f"  {titles[player]} wins {100 * share:.0f} % ({100 * low:.0f} to {100 * high:.0f})"
            for name, (mean, within) in each.lengths.items():
                yield f"  {mean:.1f} {name}" + (f" ({within[0]:.1f} to {within[1]:.1f})" if within else "")
            yield from (f"FAILED: seed {seed}: {why}" for seed, why in each.failed[:10])


def values_by_setting(texts: Sequence[str]) -> dict[str, list[str]]:
    """The values of all settings."""
    found: dict[str, list[str]] = {}
    for name, values in map(values_of, texts):
        if name in found:
            raise typer.BadParameter(
                f"{quote(name)} is given twice; values stand behind each other: 4,6", param_hint="--set"
            )
        found[name] = values
    return found


def values_of(text: str) -> tuple[str, list[str]]:
    """A setting and its values.

    >>> values_of("dice=2..4"), values_of("long_game=false,true")
    (('dice', ['2', '3', '4']), ('long_game', ['false', 'true']))
    """
    name, equals, written = text.partition("=")
    first, dots, last = written.partition("..")
    if not dots:
        values = list(dict.fromkeys(each.strip() for each in written.split(",")))
    elif _whole(first) and _whole(last):
        values = [str(number) for number in range(int(first), min(int(last), int(first) + MOST) + 1)]
        if not values:
            raise typer.BadParameter(f"{quote(text)} ends before it begins", param_hint="--set")
        if len(values) > MOST:
            raise typer.BadParameter(f"{quote(text)} has more than {MOST} values", param_hint="--set")
    else:
        values = []
    if not equals or not is_id(name) or not all(values) or not values:
        message = f"{quote(text)} is not of the form NAME=VALUES, such as dice=4..8 or long_game=false,true"
        raise typer.BadParameter(message, param_hint="--set")
    return name, values


def _whole(text: str) -> bool:
    return text.removeprefix("-").isdecimal() and len(text) < LONGEST


def _csv(found: Sequence[Swept]) -> str:
    """One row for each number of each combination."""
    file = io.StringIO()
    table = csv.writer(file, lineterminator="\n")
    names = list(found[0].values)
    table.writerow((*names, "games", "what", "value", "low", "high"))
    for each in found:
        several = {f"win_rate__{player}": of for player, of in each.rates.items()} | dict(each.lengths)
        for what, (value, within) in several.items():
            table.writerow((*each.values.values(), each.games, what, value, *(within or ("", ""))))
    return file.getvalue()
