"""What a change does to games, found out beside the page: pairs of games of bots, to be stopped and gone on with."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from threading import Event
from typing import TYPE_CHECKING

from polis_rules.diagnostics import PolisError

if TYPE_CHECKING:
    from polis_rules.lab import Comparison, Plan

MOST = 2000
"""So many pairs are played at most, unless it is known before."""


class Comparing:
    """One comparison of two plans; `latest` is what is known so far."""

    def __init__(self, before: Plan, now: Plan) -> None:
        """Raises RulesetError and LabError where games cannot be played by both."""
        from polis_rules.lab import Pairs, fast, table_of

        self.before, self.now = (fast(each.settled())[0] for each in (before, now))
        self.pairs = Pairs(table_of(self.before), table_of(self.now))
        self.latest: Comparison | None = None
        self.trouble = ""
        self.running = False
        self.listeners: list[Callable[[], None]] = []
        """told whenever more is known, and when it stops"""
        self._stopped = Event()

    @property
    def done(self) -> int:
        """How many pairs have been played."""
        return self.pairs.pairs + len(self.pairs.failed)

    @property
    def over(self) -> bool:
        """Whether nothing more is played: the answer is known, or all pairs are played."""
        return self.pairs.known or self.done >= self.now.games

    @property
    def stopping(self) -> bool:
        """Whether the pairs that are being played are the last ones before it stops."""
        return self.running and self._stopped.is_set()

    def stop(self) -> None:
        """Play no further than the pairs that are being played; what is known is kept."""
        self._stopped.set()

    def _tell(self) -> None:
        for listener in list(self.listeners):
            listener()

    async def go_on(self, jobs: int = 1) -> None:
        """Play on until the answer is known, all pairs are played, or it is stopped.

        Listeners are told at once and after each portion.
        """
        self._stopped.clear()
        self.running, self.trouble = True, ""
        loop = asyncio.get_running_loop()

        def tell() -> None:
            loop.call_soon_threadsafe(self._tell)

        try:
            self._tell()
            await asyncio.to_thread(self._play, tell, jobs)
        except PolisError as error:
            self.trouble = str(error)
        finally:
            self.running = False
            self._tell()

    def _play(self, told: Callable[[], None], jobs: int) -> None:
        from polis_rules.lab import in_pairs

        plans = [
            replace(each, seed=each.seed + self.done, games=each.games - self.done) for each in (self.before, self.now)
        ]
        with closing(in_pairs(plans[0], plans[1], jobs)) as portions:
            for portion in portions:
                for one, other in portion:
                    self.pairs.add(one, other)
                self.latest = self.pairs.comparison(self._stopped.is_set())
                told()
                if self.pairs.known or self._stopped.is_set():
                    return
