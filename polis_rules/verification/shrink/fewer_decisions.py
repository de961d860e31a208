"""The fewest and simplest decisions that still make a game fail as it did."""

from __future__ import annotations

from collections.abc import Callable

from polis_rules.interpreter.game import LogEntry
from polis_rules.verification.shrink.log_replayer import Failure, LogReplayer, Played


def fewer_decisions(replayer: LogReplayer, best: Played, found: Callable[[Played], None]) -> Played:
    """Leave out spans of decisions, longest first, then try the first or the last option (often to pass) and outcome
    in the place of each, until nothing helps any more.

    `found` hears of each smaller game.
    """
    assert best.failure is not None
    search = _Search(replayer, best.failure, best, found)
    before = None
    while before != search.best.size:
        before = search.best.size
        search.leave_out()
        search.simplify()
    return search.best


class _Search:
    def __init__(self, replayer: LogReplayer, failure: Failure, best: Played, found: Callable[[Played], None]) -> None:
        self.replayer = replayer
        self.failure = failure
        self.best = best
        self.found = found

    def leave_out(self) -> None:
        size = max(1, self.best.decisions // 2)
        while size:
            at = 0
            while at < self.best.decisions:
                turns = _turns(self.best.log)
                kept = turns[: at + 1] + turns[at + 1 + size :]  # turns[0] is what chance gives at the beginning
                if not self.smaller(tuple(entry for turn in kept for entry in turn)):
                    at += size
            size //= 2

    def simplify(self) -> None:
        at = 0
        while at < len(self.best.log):
            kind, who, what = self.best.log[at]
            for other in self.best.ends[at]:
                if other != what and self.smaller((*self.best.log[:at], (kind, who, other), *self.best.log[at + 1 :])):
                    break
            at += 1

    def smaller(self, log: tuple[LogEntry, ...]) -> bool:
        """Whether a log fails in the same way and is smaller; it is the best one then."""
        played = self.replayer.play(log)
        if not self.failure.same(played.failure) or played.size >= self.best.size:
            return False
        self.best = played
        self.found(played)
        return True


def _turns(log: tuple[LogEntry, ...]) -> list[list[LogEntry]]:
    """What chance gives before the first decision, then each decision with what chance gives after it."""
    turns: list[list[LogEntry]] = [[]]
    for entry in log:
        if entry[0] == "decision":
            turns.append([])
        turns[-1].append(entry)
    return turns
