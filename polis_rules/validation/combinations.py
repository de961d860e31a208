"""A ruleset with a scenario and variants, and which variants do not go together: the fewest that still fail."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import chain, combinations, islice
from pathlib import Path
from typing import NamedTuple

from polis_rules.composition import split_choices, told_choices, variant_name
from polis_rules.diagnostics import Diagnostic, RulesetError, Span


class Combination(NamedTuple):
    """A ruleset with a scenario and variants, and values of settings among these."""

    ruleset: str | Path
    scenario: str | None = None
    variants: tuple[str | Path, ...] = ()

    @property
    def words(self) -> str:
        """What is laid over the ruleset."""
        scenario = [f"scenario {self.scenario}"] if self.scenario is not None else []
        files, chosen = split_choices(self.variants)
        variants = [f"variant {variant_name(Path(each))}" for each in files]
        return " and ".join([*scenario, *variants, *(f"{name} {value}" for name, value in chosen.items())])

    @property
    def options(self) -> list[str]:
        """The ruleset and what is laid over it as arguments of a command."""
        scenario = ["--scenario", self.scenario] if self.scenario is not None else []
        return [str(self.ruleset), *scenario, *told_choices(self.variants)]


def found_only_with(each: Combination, findings: Iterable[Diagnostic], known: Iterable[Diagnostic]) -> list[Diagnostic]:
    """What the compiler finds in a combination besides what is known already, and with what it does.

    Findings in the combination's own files need not say with what.
    """
    before = {_cause(finding) for finding in known}
    files = split_choices(each.variants)[0]
    own = f"/{each.scenario}.yaml" if each.scenario else Path(files[-1]).name if files else "no file of its own"
    found = []
    for finding in findings:
        if finding.code == "unused-ignore" or _cause(finding) in before:  # what it silences no check has looked for
            continue
        elsewhere = finding.span is None or not f"/{finding.span.file}".endswith(own)
        found.append(replace(finding, message=f"{finding.message} (with {each.words})") if elsewhere else finding)
    return found


def _cause(finding: Diagnostic) -> tuple[str, Span | None, str]:
    """What makes a finding the same one in several combinations."""
    return finding.code, finding.span, finding.message


MOST_TRIES = 60
"""How many combinations are tried at most; with more, what was found so far is told."""


def fails(asked: Combination) -> RulesetError | None:
    """The error of a combination; None when it compiles, or only lacks variants that some of these require."""
    from polis_rules.pipeline import front

    try:
        front(*asked)
    except RulesetError as error:
        return None if all(each.code == "variant-requires" for each in error.diagnostics) else error
    return None


def smallest_failing(asked: Combination) -> tuple[str | Path, ...]:
    """The fewest of some variants that still make a ruleset fail; all of them when no fewer do.

    A variant that says which others it requires is tried with them: a missing one is no clash.
    """
    sizes = range(1, len(asked.variants))
    fewer = chain.from_iterable(combinations(asked.variants, size) for size in sizes)
    tried = islice(fewer, MOST_TRIES)
    return next((some for some in tried if fails(asked._replace(variants=some)) is not None), asked.variants)


def told(some: Sequence[str | Path], variants: Sequence[str | Path]) -> Diagnostic:
    """The finding that names the fewest variants which fail."""
    names = " and ".join(str(each) for each in some)
    if len(some) == 1:
        message = f"the variant {names} fails by itself"
    elif len(some) == len(variants):
        message = f"these variants fail only together: {names}"
    else:
        message = f"already these variants fail together: {names}"
    return Diagnostic("smallest-combination", message, None, severity="note")
