"""Look for the fewest decisions, and then the fewest lines of overlays, with which a game fails as it did."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import chain
from typing import TypeVar

from polis_rules.diagnostics import some
from polis_rules.interpreter.game import LogEntry
from polis_rules.interpreter.runtime import Program
from polis_rules.ruleset import Ruleset
from polis_rules.verification.shrink.log_replayer import Check, Failure, Played, play_log
from polis_rules.verification.shrink.overlay_files import OverlayFiles
from polis_rules.verification.shrink.overlay_lines import Line

T = TypeVar("T")


@dataclass(slots=True)
class Search:
    """The smallest failing game so far, and the lines of overlays that are left; `tell` hears of each step."""

    failure: Failure
    best: Played
    fails: Check | None
    overlays: OverlayFiles
    kept: list[Line]
    tell: Callable[[str], None]

    def run(self, ruleset: Ruleset) -> None:
        """First fewer decisions, then fewer lines, then what that makes possible."""
        self.fewer_decisions(ruleset)
        before = len(self.kept)
        leave_out_runs(lambda: self.kept, self.still_fails_with)
        if len(self.kept) < before and (rules := self.overlays.load(self.kept)) is not None:
            self.fewer_decisions(rules)

    def fewer_decisions(self, rules: Ruleset) -> None:
        """Leave out runs of decisions, then try the first or the last option (often to pass) and outcome in the place
        of each, until nothing helps any more."""
        program = rules.program(checks=True, trace=True)
        before = None
        while before != self.best.size:
            before = self.best.size
            leave_out_runs(
                lambda: _turns(self.best.log)[1:],
                lambda turns: self.is_smaller(program, (*_turns(self.best.log)[0], *chain(*turns))),
            )
            self.simplify(program)

    def simplify(self, program: Program) -> None:
        at = 0
        while at < len(self.best.log):
            log, possible = self.best.log, self.best.possible[at]
            kind, who, what = log[at]
            for other in (possible[0], possible[-1]):
                if other != what and self.is_smaller(program, (*log[:at], (kind, who, other), *log[at + 1 :])):
                    break
            at += 1

    def is_smaller(self, program: Program, log: tuple[LogEntry, ...]) -> bool:
        """Whether a log fails in the same way and is smaller; it is the best one then."""
        played = play_log(program, log, self.fails)
        if not self.failure.same(played.failure) or played.size >= self.best.size:
            return False
        before, self.best = self.best, played
        if played.decisions < before.decisions:
            self.tell(some(played.decisions, "decision"))
        return True

    def still_fails_with(self, kept: list[Line]) -> bool:
        """Whether the game still fails in the same way with these lines only; its log may get shorter by that."""
        if (rules := self.overlays.load(kept)) is None:
            return False
        played = play_log(rules.program(checks=True, trace=True), self.best.log, self.fails)
        if not self.failure.same(played.failure) or played.size > self.best.size:
            return False
        self.best, self.kept = played, kept
        self.tell(some(len(kept), "line of overlays", "lines of overlays"))
        return True


def leave_out_runs(items: Callable[[], list[T]], enough: Callable[[list[T]], bool]) -> None:
    """Leave out runs of items, longest first, until each one left is needed.

    `items` are those that are left, also where `enough`, which keeps them when they are, makes them fewer by itself.
    """
    size = len(items())
    while size:
        at, left_out = 0, False
        while at < len(items()):
            fewer = items()[:at] + items()[at + size :]
            if enough(fewer):
                left_out = True
            else:
                at += size
        size = size // 2 if size > 1 or not left_out else 1


def _turns(log: tuple[LogEntry, ...]) -> list[list[LogEntry]]:
    """What chance gives before the first decision, then each decision with what chance gives after it."""
    turns: list[list[LogEntry]] = [[]]
    for entry in log:
        if entry[0] == "decision":
            turns.append([])
        turns[-1].append(entry)
    return turns
