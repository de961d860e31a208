"""What many games of bots tell of rules: which lines they meet, and what the values of a setting do."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING

from polis_rules.composition import with_choices
from polis_rules.play.bots import QUICK
from polis_rules.ruleset import load
from polis_rules.studio.alike import alike
from polis_rules.studio.trials import Variants, knobs

if TYPE_CHECKING:
    from polis_rules.lab import Swept, Tally
    from polis_rules.verification.coverage import CoverageCounter

OFTEN = 0.7
"""Every so many seconds it is told what was met, or how far a sweep has come."""
STANDINGS = ("met", "explained", "unmet")
"""From good to bad."""


@dataclass(frozen=True, slots=True)
class Line:
    """What games made of a line of a file."""

    standing: str
    """`met`, `explained` or `unmet`: the worst of all that stands there"""
    words: str


@dataclass(frozen=True, slots=True)
class Met:
    """What so many games met."""

    games: int
    lines: dict[str, dict[int, Line]]
    """of each file, as messages name it, by number"""
    sources: dict[str, str]
    """the texts of these files"""
    counts: dict[str, int]
    """how many things were met, were not for a reason that is given, and were not"""


def covered(ruleset: str | Path, scenario: str | None, variants: Variants, games: int) -> Iterator[Met]:
    """Games of quick bots, and now and then what all of them have met. Raises RulesetError and RuleError.

    >>> [found.games for found in covered("politeia", None, (), 1)]
    [1]
    """
    from polis_rules.verification.coverage import CoverageCounter  # which the page itself does not need

    counting = CoverageCounter(load(ruleset, scenario, variants))
    seats = list(product(QUICK, repeat=len(counting.ruleset.players)))
    spoken = time.monotonic()
    for seed in range(games):
        counting.play(seats[seed % len(seats)], seed)
        if time.monotonic() - spoken > OFTEN or seed == games - 1:
            yield _met(counting)
            spoken = time.monotonic()


def _met(counting: CoverageCounter) -> Met:
    from polis_rules.verification.coverage import told

    coverage = counting.coverage()
    lines: dict[str, dict[int, Line]] = {}
    counts = dict.fromkeys(STANDINGS, 0)
    for each in coverage.counts:
        counts[each.standing] += 1
        here = lines.setdefault(each.span.file, {})
        before = here.get(each.span.line)
        worst = max(each.standing, before.standing if before else "met", key=STANDINGS.index)
        reason = each.reason or ("constants rule it out" if each.ruled_out else "")
        words = told(each) + (f" ({reason})" if reason and each.standing == "explained" else "")
        here[each.span.line] = Line(worst, f"{before.words}; {words}" if before else words)
    return Met(coverage.games, lines, {file: coverage.sources.get(file, "") for file in lines}, counts)


def lines_in(lines: dict[int, Line], before: str, now: str) -> dict[int, Line]:
    """What is told of lines of a text, by their numbers in what has become of it; what is no more there is left out.

    >>> list(lines_in({1: Line("met", ""), 2: Line("unmet", "")}, "a\\nb", "new\\na\\nc"))
    [2]
    """
    if before == now:
        return lines
    found: dict[int, Line] = {}
    for was, is_now, size in alike(before.split("\n"), now.split("\n")):
        for number in range(size):
            if (line := lines.get(was + number + 1)) is not None:
                found[is_now + number + 1] = line
    return found


@dataclass(frozen=True, slots=True)
class Step:
    """How far a sweep has come."""

    settings: Mapping[str, Sequence[str]]
    """the values that are played, by the names of their settings"""
    games: int
    """how many games are played for each combination"""
    found: tuple[Swept, ...]
    """the combinations that are done"""
    part: Tally | None
    """what is known of the combination that is being played, if any is"""
    of: int
    """how many there are"""
    picture: str
    """curves of what is done, as SVG"""
    rows: tuple[tuple[str, ...], ...]
    """the same as a table: a head, and a row for each combination"""
    rules: str
    """the hash of the rules, with the first combination"""
    anew: str = ""
    """why it has begun anew, where it was to be gone on with"""

    @property
    def played(self) -> int:
        """How many games are played."""
        return len(self.found) * self.games + (self.part.games if self.part is not None else 0)


def swept_rules(
    ruleset: str | Path, scenario: str | None, variants: Variants, settings: Mapping[str, Sequence[str]]
) -> str:
    """The hash of the rules of now, with the first combination of the values of settings. Raises RulesetError."""
    return load(ruleset, scenario, with_choices(variants, {name: each[0] for name, each in settings.items()})).hash


def swept(
    ruleset: str | Path,
    scenario: str | None,
    variants: Variants,
    settings: dict[str, Sequence[str]],
    games: int,
    seats: tuple[str, ...] = (),
    earlier: Step | None = None,
) -> Iterator[Step]:
    """The same games for every combination of the values of settings, one after the other: from where `earlier` has
    come to on, if its games were as many and played by the same rules.

    Raises RulesetError and LabError, also where the rules are changed meanwhile.
    """
    from polis_rules.lab import ERROR, LabError, Plan, Tally, combinations, curves_picture, fast, tallied

    def now() -> str:
        return swept_rules(ruleset, scenario, variants, settings)

    wanted, rules, anew = combinations(settings), now(), ""
    if earlier is not None and earlier.rules != rules:
        anew = "the rules are others now"
    elif earlier is not None and earlier.games != games:
        anew = "other games are asked for"
    before = None if anew else earlier
    found = [] if before is None else list(before.found)
    titles = load(ruleset, scenario, variants).titles
    called = {knob.name: knob.title for knob in knobs(ruleset, scenario, variants)}

    def drawn() -> tuple[str, tuple[tuple[str, ...], ...]]:
        told = [replace(each, values={called[name]: value for name, value in each.values.items()}) for each in found]
        return (curves_picture(str(ruleset), told, titles), tuple(_rows(told, titles))) if told else ("", ())

    shown, part = drawn(), None if before is None else deepcopy(before.part)
    spoken = time.monotonic()
    for values in wanted[len(found) :]:
        plan = fast(Plan(ruleset, scenario, with_choices(variants, values), games, seats=seats).settled())[0]
        part = Tally(plan, values, ERROR / len(wanted)) if part is None else part
        for _ in tallied(plan, part, at_once=0 if plan.is_quick else 1):
            if time.monotonic() - spoken > OFTEN and part.games < games:
                yield Step(settings, games, tuple(found), deepcopy(part), len(wanted), *shown, rules, anew)
                spoken = time.monotonic()
        found.append(part.swept())
        if now() != rules:
            raise LabError("the rules were changed while these games were played: go on to play all of them anew")
        shown, part = drawn(), None
        yield Step(settings, games, tuple(found), None, len(wanted), *shown, rules, anew)


def _rows(found: Sequence[Swept], titles: Mapping[str, str]) -> Iterator[tuple[str, ...]]:
    one = found[0]
    yield *one.values, *(f"{titles[player]} wins" for player in one.rates), *(f"{name} a game" for name in one.lengths)
    for each in found:
        rates = (f"{share:.0%} ({low:.0%} to {high:.0%})" for share, (low, high) in each.rates.values())
        yield *each.values.values(), *rates, *(f"{mean:.1f}" for mean, _ in each.lengths.values())
