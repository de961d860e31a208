"""A ruleset with a scenario and variants, and which variants do not go together: the fewest that still fail."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, combinations, islice
from pathlib import Path
from typing import NamedTuple

from polis_rules.composition import split_choices, told_choices, variant_name
from polis_rules.diagnostics import Diagnostic, RulesetError


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
