"""Games of a ruleset in all its scenarios, first of bots and then such as are led to what these did not meet."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import product
from pathlib import Path

from polis_rules.interpreter.runtime.native import Wanted
from polis_rules.play import bots
from polis_rules.ruleset import load
from polis_rules.verification.coverage.coverage import Coverage, CoverageCounter, together
from polis_rules.verification.coverage.found import Found
from polis_rules.verification.coverage.instrument import Count
from polis_rules.verification.coverage.seek import Seeker


class Covering:
    """Counts what games meet: `play` some, then `seek` what they left unmet. Ctrl-C ends either with what there is.

    The scenarios (without any, all there are) are played in turn. Games between random bots are played by `native`
    code where that can be had; else `refused` is told why. Raises RulesetError and NativeMissingError.

    >>> covering = Covering("politeia", ["standard"])
    >>> covering.play(2, ["random"])
    >>> covering.seek(1, lambda things: things[:1])
    >>> covering.coverage().games >= 2
    True
    """

    def __init__(
        self,
        ruleset: str | Path,
        scenarios: Sequence[str] = (),
        variants: Sequence[str | Path] = (),
        native: Wanted | None = None,
        refused: Callable[[str], None] = lambda reason: None,
    ) -> None:
        first = load(ruleset, scenarios[0] if scenarios else None, variants)
        others = scenarios[1:] if scenarios else [name for name in first.scenarios if name != first.scenario]
        rulesets = (first, *(load(ruleset, name, variants) for name in others))
        self.countings = [CoverageCounter(each, native) for each in rulesets]
        if reason := self.countings[0].native_reason:
            refused(reason)
        self.sought = 0
        self.found: list[Found] = []
        self.stopped = False

    def play(
        self, games: int, players: Sequence[str] = (), progress: Callable[[int], None] = lambda number: None
    ) -> None:
        """Play games with the seeds 0, 1, 2 ...

        `players` are names of bots (without any, the quick ones), who take the seats in every combination in turn.
        Raises UnknownBotError, and RuleError when a rule fails.
        """
        try:
            for seed in range(games):
                turn, counting = seed // len(self.countings), self.countings[seed % len(self.countings)]
                seats = list(product(players or bots.QUICK, repeat=len(counting.ruleset.players)))
                counting.play(seats[turn % len(seats)], seed)
                progress(seed + 1)
        except KeyboardInterrupt:
            self.stopped = True

    def seek(self, games: int, watched: Callable[[Sequence[Count]], Iterable[Count]] = lambda things: things) -> None:
        """Play up to so many games for each thing that is unmet and not explained, in each scenario.

        `watched` hands the things on, one by one, to whom shows how far it is. Raises RuleError when a rule fails.
        """
        if self.stopped or not games:
            return
        try:
            for thing in watched(self.coverage().unmet):
                while any(self._sought(counting, thing, games) for counting in self.countings):
                    pass
        except KeyboardInterrupt:
            self.stopped = True

    def _sought(self, counting: CoverageCounter, thing: Count, games: int) -> bool:
        """Whether something that a thing still lacks was met by games that are led to it."""
        count = together([Coverage("", counts=each.so_far(thing)) for each in self.countings]).counts
        if not count or count[0].standing != "unmet" or not counting.so_far(thing):
            return False
        seeker = Seeker(counting, count[0])
        found = seeker.seek(games)
        self.sought += seeker.games
        if found is not None:
            self.found.append(found)
        return found is not None

    def coverage(self) -> Coverage:
        """What the games so far met."""
        coverage = together([each.coverage() for each in self.countings])
        coverage.sought, coverage.found, coverage.stopped = self.sought, self.found, self.stopped
        return coverage


def cover(
    ruleset: str | Path,
    games: int,
    scenarios: Sequence[str] = (),
    variants: Sequence[str | Path] = (),
    players: Sequence[str] = (),
    seek: int = 0,
) -> Coverage:
    """Play games and count what they meet, then up to so many more for each thing that they did not: see `Covering`.

    >>> cover("yucata", 2).games
    2
    """
    covering = Covering(ruleset, scenarios, variants)
    covering.play(games, players)
    covering.seek(seek)
    return covering.coverage()
