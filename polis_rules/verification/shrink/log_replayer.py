"""Play a log as far as it goes, and say how the game fails on the way."""

from __future__ import annotations

import re
from collections import defaultdict, deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from polis_rules.diagnostics import RuleError, Span
from polis_rules.interpreter.game import Game, LogEntry, decisions
from polis_rules.interpreter.runtime import Program

Check = Callable[[Game], str | None]
"""What is wrong with a game as it stands, or None."""

MOST_FORCED = 1_000
"""How many decisions without a choice are made in one game that the log does not have."""


@dataclass(frozen=True, slots=True)
class Failure:
    """How a game failed: the message of a rule with its place, or what a check said."""

    message: str
    place: Span | None

    def same(self, other: Failure | None) -> bool:
        """Whether another failure is of the same rule and kind; its numbers may be others."""
        return other is not None and self._key() == other._key()

    def _key(self) -> tuple[str, str, int, int]:
        words = re.sub("-?[0-9]+", "#", self.message)
        at = self.place
        return (words, Path(at.file).name, at.line, at.column) if at is not None else (words, "", 0, 0)

    def seen_from(self, folder: Path) -> Failure:
        """The same with the file of its place as seen from a folder, where it is in it."""
        if self.place is None or not Path(self.place.file).is_relative_to(folder.as_posix()):
            return self
        file = Path(self.place.file).relative_to(folder.as_posix()).as_posix()
        return Failure(self.message, replace(self.place, file=file))

    def __str__(self) -> str:
        return f"{self.place}: {self.message}" if self.place is not None else self.message


@dataclass(frozen=True, slots=True)
class Played:
    """What was played, what could have been decided or come out at each entry, and how it failed."""

    log: tuple[LogEntry, ...]
    possible: tuple[tuple[str, ...], ...]
    failure: Failure | None

    @property
    def decisions(self) -> int:
        return decisions(self.log)

    @property
    def size(self) -> tuple[int, int, int]:
        """What shrinking makes smaller: decisions, then entries, then those that are not the first possible ones."""
        others = sum(what != possible[0] for (_, _, what), possible in zip(self.log, self.possible, strict=True))
        return self.decisions, len(self.log), others


def play_log(
    program: Program, log: Iterable[LogEntry], check: Check | None = None, seed: int = 0, by_seed: bool = False
) -> Played:
    """Play a log up to the first failure; the program should check and tell changes.

    Each player takes the next of that player's decisions that fits, and each stream of chance its next outcome;
    those that do not fit are passed over. Where nothing fits and there is no choice, the only option is taken.
    What chance is not told comes out as the first that is possible, or with `by_seed` as the seed says.
    """
    left = _Left(log)
    played: list[tuple[LogEntry, tuple[str, ...]]] = []
    failure = None
    try:
        game = Game(program, seed, "manual")
        failure = _checked(game, check)
        while failure is None and not game.finished and (entry := left.take(game, by_seed)) is not None:
            played.append(entry)
            (kind, _, what), _ = entry
            (game.answer if kind == "chance" else game.apply)(what)
            failure = _checked(game, check)
    except RuleError as error:
        failure = Failure(error.message, error.span)
    return Played(tuple(entry for entry, _ in played), tuple(possible for _, possible in played), failure)


def _checked(game: Game, check: Check | None) -> Failure | None:
    said = check(game) if check is not None else None
    return None if said is None else Failure(said, None)


class _Left:
    """What is left of a log, for each player and stream."""

    def __init__(self, log: Iterable[LogEntry]) -> None:
        self.waiting: defaultdict[tuple[str, str], deque[str]] = defaultdict(deque)
        for kind, who, what in log:
            self.waiting[kind, who].append(what)
        self.forced = 0

    def take(self, game: Game, by_seed: bool) -> tuple[LogEntry, tuple[str, ...]] | None:
        """The next entry, and what is possible in its place; None where there is none left."""
        if (chance := game.chance) is not None:
            outcome = self.fitting("chance", chance.stream, chance.outcomes)
            if outcome is None:
                outcome = game.rolled_by_seed() if by_seed else chance.outcomes[0]
            return ("chance", chance.stream, outcome), chance.outcomes
        decision = game.decision
        assert decision is not None
        options = tuple(option.id for option in decision.options)
        what = self.fitting("decision", decision.player, options)
        if what is None:
            if len(options) > 1 or self.forced == MOST_FORCED or not any(self.waiting.values()):
                return None
            self.forced += 1
            what = options[0]
        return ("decision", decision.player, what), options

    def fitting(self, kind: str, who: str, possible: tuple[str, ...]) -> str | None:
        """The next waiting decision of a player, or outcome of a stream, that is possible."""
        waiting = self.waiting[kind, who]
        while waiting:
            if (what := waiting.popleft()) in possible:
                return what
        return None
