"""Which cases depend on a value or a rule: all are played once, and what they carry out is kept as long as it holds."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from polis_rules.diagnostics import PolisError
from polis_rules.studio.streams import Stream
from polis_rules.studio.trials import Spot, Trials, Variants, made_beside

if TYPE_CHECKING:
    from polis_rules.cases import Case

About = tuple[str | Path, str | None, Variants]
OFTEN = 0.3
"""Every so many seconds it is told how many cases have been played."""
CHANGED = "The rules or the cases were changed meanwhile: ask again."


@dataclass(frozen=True, slots=True)
class Carried:
    """What all cases carry out."""

    key: str
    """what rules, cases and variants these were"""
    rules: dict[str, frozenset[str]]
    """the paths of the rules that each case carries out"""


@dataclass(frozen=True, slots=True)
class Progress:
    """How many cases have been played, and in the end what they carry out."""

    done: int
    of: int
    found: Carried | None = None


class Depending:
    """Answers which cases depend on something; for the first rule that is asked about all cases are played."""

    def __init__(self, trials: Trials) -> None:
        self._trials = trials
        self._known: Carried | None = None
        self._playing = asyncio.Lock()
        self._stream: Stream[Progress] | None = None
        self._told: list[Callable[[int, int], None]] = []

    async def cases(self, about: About, path: str, told: Callable[[int, int], None]) -> tuple[Spot, ...]:
        """The cases that depend on what stands at a path; `told` hears how many of how many have been played, if any
        have to be. Raises RulesetError."""
        self._told.append(told)
        try:
            found = await self._trials.do(dependent, *about, path, self._known)
            if found is None:
                async with self._playing:  # where another page asks too, they are played once
                    found = await self._trials.do(dependent, *about, path, self._known)
                    if found is None:
                        await self._play(about)
                        found = await self._trials.do(dependent, *about, path, self._known)
        finally:
            self._told.remove(told)
        if found is None:
            raise PolisError(CHANGED)
        return found

    async def _play(self, about: About) -> None:
        self._stream = Stream(played, *about)
        async for each in self._stream:
            self._known = each.found or self._known
            for told in list(self._told):
                told(each.done, each.of)

    def close(self) -> None:
        """Play no further."""
        if self._stream is not None:
            self._stream.stop()


def dependent(
    ruleset: str | Path, scenario: str | None, variants: Variants, path: str, known: Carried | None
) -> tuple[Spot, ...] | None:
    """The cases that depend on what stands at a path; None where that is not known of these rules and cases.

    Raises RulesetError.
    """
    from polis_rules.verification import naming, rule_of

    cases = _cases(ruleset, variants)
    rule = rule_of(path, ruleset, scenario, variants)
    if not rule:
        found = naming(path, cases)
    elif known is not None and known.key == _key(ruleset, scenario, variants, cases):
        found = [each for each in cases if rule in known.rules.get(each.key, ())]
    else:
        return None
    return tuple(Spot(each.title or each.id, str(each.path.resolve()), each.span.line) for each in found)


def played(ruleset: str | Path, scenario: str | None, variants: Variants) -> Iterator[Progress]:
    """What all cases carry out, told while they are played. Raises RulesetError."""
    from polis_rules.verification import carried

    cases = _cases(ruleset, variants)
    key, rules = _key(ruleset, scenario, variants, cases), dict[str, frozenset[str]]()
    spoken = 0.0
    for number, (case, met) in enumerate(zip(cases, carried(cases, ruleset, scenario, variants), strict=True)):
        rules[case.key] = met
        if time.monotonic() - spoken > OFTEN:
            yield Progress(number + 1, len(cases))
            spoken = time.monotonic()
    yield Progress(len(cases), len(cases), Carried(key, rules))


def _cases(ruleset: str | Path, variants: Variants) -> list[Case]:
    """The cases of a ruleset that its variants do not leave out, and those that were made here."""
    from polis_rules.cases import read_case_file, read_cases, with_variants

    made = [case for each in made_beside(variants) for case in read_case_file(each)]
    return [*made, *with_variants(read_cases(ruleset), ruleset, variants)]


def _key(ruleset: str | Path, scenario: str | None, variants: Variants, cases: list[Case]) -> str:
    """What all this depends on: the rules, the files of cases, and those of variants that cases may ask for."""
    from polis_rules.composition import variants_beside
    from polis_rules.ruleset import load

    beside = (each for several in variants_beside(ruleset) for each in several if isinstance(each, Path))
    files = sorted({*(each.path for each in cases), *beside})
    found = sha256(load(ruleset, scenario, variants).hash.encode())
    for file in files:
        found.update(file.read_bytes())
    return found.hexdigest()
