"""Settings with which games come nearest to the targets of a ruleset."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib import import_module
from math import inf, log, prod
from typing import Any

from polis_rules.composition import with_choices
from polis_rules.lab.ended import Ended
from polis_rules.lab.files import NotInstalledError
from polis_rules.lab.games import Plan, fast, play, table_of
from polis_rules.lab.sequential import ERROR
from polis_rules.lab.sweep import combinations
from polis_rules.lab.targets import Judged, Values, judged, played_values, targets_of

FARTHEST = 1e6
"""What the sampler is told of values by which no game comes to an end."""

LEAST = 1e-6
"""What is less likely than that counts as likely as that, so that its logarithm is a number."""


@dataclass(frozen=True, slots=True)
class Tried:
    """What games with some values of settings say about the targets."""

    values: Mapping[str, str]
    seen: tuple[Judged, ...]
    games: int
    failed: int = 0
    """games without an end"""
    first_failed: int = 0
    """the seed of the first of them"""

    @property
    def distance(self) -> float:
        """How far it is from the targets: the less, the likelier all are met; farther means count more.

        The negative logarithm of the chance of each, and by what part of what is wanted its mean misses.
        """
        if not self.games:
            return inf  # all games failed
        return sum(-log(max(each.chance, LEAST)) + _part_missed(each) for each in self.seen)


@dataclass(frozen=True, slots=True)
class Balanced:
    """What a search has found."""

    tried: tuple[Tried, ...]
    """in the order in which they were played"""
    best: Tried | None
    """the likeliest of these to meet the targets; none if the search was stopped before the first"""
    checked: Tried | None
    """new games with the same values: what they say was not what the values were chosen for"""
    stopped: bool
    lost: str = ""
    """why no more could be played, where games end the processes that play them"""


@dataclass(slots=True)
class Search:
    """Plays games with values that a sampler proposes, and remembers what came of them."""

    plan: Plan
    settings: Mapping[str, Sequence[str]]
    """the values that each setting may have"""
    tries: int
    jobs: int = 1
    error: float = ERROR
    progress: Callable[[int], None] = lambda number: None
    """is told how many games have been played in all"""
    tried: list[Tried] = field(default_factory=list)
    games: int = 0

    def run(self, check: int) -> Balanced:
        """Try values, then play `check` games with the best of them, with other seeds. Ctrl-C tells what is known.

        So do games that end the processes that play them. Raises RulesetError, and NotInstalledError where optuna is
        missing.
        """
        checked = None
        with Ended() as ended:
            for values in self.proposed():
                self.tried.append(self.play(values, self.plan))
            if (best := self.best) is not None:
                again = replace(self.plan, seed=self.plan.seed + self.plan.games, games=check)
                checked = self.play(best.values, again)
        return Balanced(tuple(self.tried), self.best, checked, ended.stopped, ended.lost)

    @property
    def best(self) -> Tried | None:
        """What came nearest so far, of what was played to an end."""
        return min((each for each in self.tried if each.games), key=lambda each: each.distance, default=None)

    @property
    def number(self) -> int:
        """How many combinations of values are tried: all, if they are no more than `tries`."""
        return min(self.tries, prod(map(len, self.settings.values())))

    def proposed(self) -> Iterator[dict[str, str]]:
        """Values worth trying, each combination once: all of few, of many those that optuna's sampler picks (TPE)."""
        if self.tries >= prod(map(len, self.settings.values())):
            yield from combinations(self.settings)
            return
        optuna = _optuna()
        optuna.logging.set_verbosity(optuna.logging.WARNING)
        study = optuna.create_study(sampler=optuna.samplers.TPESampler(seed=0))
        known: dict[tuple[str, ...], float] = {}
        asked = 0
        while len(known) < self.number and asked < 20 * self.tries:
            asked += 1
            trial = study.ask()
            values = {name: _suggested(trial, name, among) for name, among in self.settings.items()}
            key = tuple(values.values())
            if key not in known:
                yield values
                known[key] = self.tried[-1].distance
            study.tell(trial, min(known[key], FARTHEST))

    def play(self, values: Mapping[str, str], plan: Plan) -> Tried:
        """What the games of a plan say with these values."""
        laid = replace(plan, variants=with_choices(plan.variants, values))
        laid, _ = fast(laid.settled())
        table = table_of(laid)
        targets = targets_of(table)
        rows: list[Values] = []
        failed = list[int]()
        for batch in play(laid, jobs=self.jobs):
            rows += played_values(table, batch.games, targets)
            failed += [row.seed for row in batch.games if row.failed]
            self.games += len(batch.games)
            self.progress(self.games)
        seen = tuple(judged(targets, rows, self.error))
        return Tried(dict(values), seen, len(rows), len(failed), next(iter(failed), 0))


def settings_text(name: str, ruleset: str, found: Tried, after: Sequence[str]) -> str:
    """The text of a variant that settles the values that were found."""
    settings = ", ".join(f"{each}: {value}" for each, value in found.values.items())
    lines = [f"variant: {name}", "title: Settings by which games come near the targets", f"extends: {ruleset}"]
    lines += [f"requires: [{', '.join(after)}]", f"after: [{', '.join(after)}]"] if after else []
    return "\n".join([*lines, f"settings: {{{settings}}}"]) + "\n"


def _part_missed(each: Judged) -> float:
    """By what part of the end that it misses the mean lies outside of what is wanted."""
    low, high = each.ends
    return each.missed_by / max(low if each.mean < low else high, 1.0) if each.missed_by else 0.0


def _suggested(trial: Any, name: str, among: Sequence[str]) -> str:
    """The value that a trial has for a setting: near numbers are likely to do alike."""
    if len(among) > 1 and all(each.removeprefix("-").isdecimal() for each in among):
        numbers = sorted(map(int, among))
        if numbers == [*range(numbers[0], numbers[-1] + 1)]:
            return str(trial.suggest_int(name, numbers[0], numbers[-1]))
    return str(trial.suggest_categorical(name, [*among]))


def _optuna() -> Any:
    """The library that proposes what to try. Raises NotInstalledError."""
    try:
        return import_module("optuna")
    except ImportError:
        message = "searching settings needs optuna; install it with: pip install 'polis-rules[balance]'"
        raise NotInstalledError(message) from None
