"""Play a log as far as it goes, and say how the game fails on the way."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from polis_rules.diagnostics import RuleError, Span
from polis_rules.interpreter.game import Game, LogEntry
from polis_rules.ruleset import Ruleset

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
    """What was played: each entry, which of the options or outcomes it was, and the ids of the first and last one."""

    log: tuple[LogEntry, ...]
    places: tuple[int, ...]
    ends: tuple[tuple[str, str], ...]
    failure: Failure | None

    @property
    def decisions(self) -> int:
        return sum(kind == "decision" for kind, _, _ in self.log)

    @property
    def size(self) -> tuple[int, int, int]:
        """What shrinking makes smaller: decisions, then entries, then those that are not the first possible ones."""
        return self.decisions, len(self.log), sum(place > 0 for place in self.places)


class LogReplayer:
    """Plays logs of one ruleset, which is compiled once."""

    def __init__(self, ruleset: Ruleset, check: Check | None, seed: int = 0) -> None:
        self.ruleset = ruleset
        self.check = check
        self.seed = seed
        self.program = ruleset.program(checks=True, trace=True)

    def play(self, log: Iterable[LogEntry], by_seed: bool = False) -> Played:
        """Play a log up to the first failure.

        Each player takes the next of that player's decisions that fits, and each stream of chance its next outcome;
        those that do not fit are passed over. Where nothing fits and there is no choice, the only option is taken.
        What chance is not told comes out as the first that is possible, or with `by_seed` as the seed says.
        """
        return _Run(self, log, by_seed).run()


class _Run:
    def __init__(self, replayer: LogReplayer, log: Iterable[LogEntry], by_seed: bool) -> None:
        self.replayer = replayer
        self.waiting: dict[tuple[str, str], deque[str]] = {}
        for kind, who, what in log:
            self.waiting.setdefault((kind, who), deque()).append(what)
        self.by_seed = by_seed
        self.log: list[LogEntry] = []
        self.places: list[int] = []
        self.ends: list[tuple[str, str]] = []
        self.failure: Failure | None = None
        self.forced = 0

    def run(self) -> Played:
        try:
            game = Game(self.replayer.program, self.replayer.seed, "manual")
            self.look(game)
            while self.failure is None and not game.finished and self.step(game):
                self.look(game)
        except RuleError as error:
            self.failure = Failure(error.message, error.span)
        return Played(tuple(self.log), tuple(self.places), tuple(self.ends), self.failure)

    def look(self, game: Game) -> None:
        said = self.replayer.check(game) if self.replayer.check is not None else None
        if said is not None:
            self.failure = Failure(said, None)

    def step(self, game: Game) -> bool:
        """Play one entry; False when there is none left."""
        if (chance := game.chance) is not None:
            outcome = self.next("chance", chance.stream, chance.outcomes)
            if outcome is None:
                outcome = game.rolled_by_seed() if self.by_seed else chance.outcomes[0]
            self.note(("chance", chance.stream, outcome), chance.outcomes)
            game.answer(outcome)
            return True
        decision = game.decision
        assert decision is not None
        options = tuple(option.id for option in decision.options)
        what = self.next("decision", decision.player, options)
        if what is None:
            if len(options) > 1 or self.forced == MOST_FORCED or not any(self.waiting.values()):
                return False
            self.forced += 1
            what = options[0]
        self.note(("decision", decision.player, what), options)
        game.apply(what)
        return True

    def next(self, kind: str, who: str, possible: tuple[str, ...]) -> str | None:
        """The next waiting decision of a player, or outcome of a stream, that is possible."""
        waiting = self.waiting.get((kind, who), deque())
        while waiting:
            what = waiting.popleft()
            if what in possible:
                return what
        return None

    def note(self, entry: LogEntry, possible: tuple[str, ...]) -> None:
        self.log.append(entry)
        self.places.append(possible.index(entry[2]))
        self.ends.append((possible[0], possible[-1]))
