"""Many games of a ruleset in all its scenarios, and what they meet."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from itertools import product
from pathlib import Path

from polis_rules.interpreter.runtime.native import Wanted
from polis_rules.play import bots
from polis_rules.ruleset import load
from polis_rules.verification.coverage.branches import Branches, aims_of, branch_off
from polis_rules.verification.coverage.coverage import Coverage, CoverageCounter, together
from polis_rules.verification.coverage.distance import Aim

BRANCHES = 8
"""After each game of the second half so many branches of games are played, as long as something is left to come to."""


def cover(
    ruleset: str | Path,
    games: int,
    scenarios: Sequence[str] = (),
    variants: Sequence[str | Path] = (),
    players: Sequence[str] = (),
    progress: Callable[[int], None] = lambda number: None,
    native: Wanted | None = None,
    refused: Callable[[str], None] = lambda reason: None,
) -> Coverage:
    """Play games with the seeds 0, 1, 2 ... and count what they meet. Ctrl-C ends early with what there is.

    The scenarios (without any, all there are) are played in turn; `players` are names of bots (without any, the
    quick ones), who take the seats in every combination in turn. Unless all choose at random, branches of games are
    played in the second half, to come to what is not met. Games between random ones are played by `native` code where
    that can be had; else `refused` is told why. Raises RulesetError, UnknownBotError, RuleError when a rule
    fails, and NativeMissingError.

    >>> cover("yucata", 2).games
    2
    """
    first = load(ruleset, scenarios[0] if scenarios else None, variants)
    others = scenarios[1:] if scenarios else [name for name in first.scenarios if name != first.scenario]
    rulesets = (first, *(load(ruleset, name, variants) for name in others))
    countings = [CoverageCounter(each, native) for each in rulesets]
    if reason := countings[0].native_reason:
        refused(reason)
    branches = [Branches(each) for each in countings]
    aims: list[Aim] | None = None if {*(players or bots.QUICK)} != {"random"} else []
    with suppress(KeyboardInterrupt):
        for seed in range(games):
            turn, counting = seed // len(countings), countings[seed % len(countings)]
            seats = list(product(players or bots.QUICK, repeat=len(counting.ruleset.players)))
            counting.play(seats[turn % len(seats)], seed)
            if aims is None and seed >= games // 2:
                aims = aims_of(together([each.coverage() for each in countings]))
            if aims:
                aims = branch_off(branches, aims, seats[turn % len(seats)], seed, BRANCHES)
            progress(seed + 1)
    return together([each.coverage() for each in countings])
