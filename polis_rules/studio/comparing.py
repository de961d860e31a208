"""What a change does to games, found out beside the page: pairs of games of bots, to be stopped and gone on with."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from typing import TYPE_CHECKING

from polis_rules.diagnostics import PolisError
from polis_rules.studio.streams import Stream

if TYPE_CHECKING:
    from polis_rules.lab import Comparison, GameRow, Plan

MOST = 2000
"""So many pairs are played at most, unless it is known before."""
Portion = list[tuple["GameRow", "GameRow"]]


class Comparing:
    """One comparison of two plans; `latest` is what is known so far."""

    def __init__(self, before: Plan, now: Plan) -> None:
        """Raises RulesetError and LabError where games cannot be played by both."""
        from polis_rules.lab import Pairs, Table

        self.before, self.now = before.settled(), now.settled()
        rules = self.before.loaded(), self.now.loaded()
        self.hashes = rules[0].hash, rules[1].hash
        self.pairs = Pairs(Table(rules[0], self.before.seats), Table(rules[1], self.now.seats))
        self.latest: Comparison | None = None
        self.trouble = ""
        self.listeners: list[Callable[[], None]] = []
        """told whenever more is known, and when it stops"""
        self._stream: Stream[Portion] | None = None

    @property
    def done(self) -> int:
        """How many pairs have been played."""
        return self.pairs.pairs + len(self.pairs.failed)

    @property
    def running(self) -> bool:
        """Whether more pairs are being played."""
        return self._stream is not None

    @property
    def over(self) -> bool:
        """Whether nothing more is played: the answer is known, or all pairs are played."""
        return self.pairs.known or self.done >= self.now.games

    def stop(self) -> None:
        """Play no further; what is known is kept, without the pair that is being played."""
        if self._stream is not None:
            self._stream.stop()

    def _tell(self) -> None:
        for listener in list(self.listeners):
            listener()

    async def go_on(self, jobs: int = 1) -> None:
        """Play on until the answer is known, all pairs are played, or it is stopped.

        Listeners are told at once and after each portion.
        """
        plans = [
            replace(each, seed=each.seed + self.done, games=each.games - self.done) for each in (self.before, self.now)
        ]
        self._stream, self.trouble = Stream(paired, plans[0], plans[1], self.hashes, jobs), ""
        try:
            self._tell()
            async for portion in self._stream:
                for one, other in portion:
                    self.pairs.add(one, other)
                self.latest = self.pairs.comparison()
                if self.over:
                    self.stop()
                else:
                    self._tell()
        except PolisError as error:
            self.trouble = str(error)
        finally:
            self._stream = None
            self._tell()


def paired(before: Plan, now: Plan, hashes: tuple[str, str], jobs: int) -> Iterator[Portion]:
    """The games of two settled plans by pairs, in portions, played by the fastest native code.

    Raises RulesetError, and LabError where the rules have other hashes now.
    """
    from polis_rules.lab import LabError, fast, in_pairs

    if (before.loaded().hash, now.loaded().hash) != hashes:
        raise LabError("the rules are others now: compare anew")
    with closing(in_pairs(fast(before)[0], fast(now)[0], jobs)) as portions:
        yield from portions
