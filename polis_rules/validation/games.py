"""Games of a ruleset between bots, in which everything that must hold is asked for after every decision."""

from __future__ import annotations

import re
import shlex
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from time import process_time
from typing import TYPE_CHECKING

from polis_rules.diagnostics import Diagnostic, RuleError, RulesetError, Span, some
from polis_rules.interpreter.machine import ENDING, LONGEST_GAME
from polis_rules.interpreter.runtime import Program
from polis_rules.pipeline import documented
from polis_rules.play import bots
from polis_rules.ruleset import Ruleset, load
from polis_rules.validation.checks import Progress
from polis_rules.validation.combinations import Combination

if TYPE_CHECKING:
    from polis_rules.interpreter.runtime.native import Seats, Wanted

RANDOM = "random"
"""The bot that plays where no other is asked for."""

GAMES = 200
"""How many games of each combination are played at most."""

FEWEST = 20
"""How many are played even when every ending has come before."""

MOST_FAILED = 5
"""After so many games in which a rule failed no more are played: endless rules take long in each."""

MAKING = {"wasm": 6e-6, "c": 20e-6}
"""How many seconds of processor time it takes about to make native code of a character of generated Python."""


@dataclass(slots=True)
class Games:
    """What came of games between bots."""

    findings: list[Diagnostic] = field(default_factory=list)
    sources: dict[str, str] = field(default_factory=dict)
    played: list[str] = field(default_factory=list)
    """What was played, with the endings that came, in words."""
    in_python: dict[str, None] = field(default_factory=dict)
    """Why there was no native code although some was wanted."""


_NUMBER = re.compile("[0-9]+")
"""What may differ where one mistake shows in several games."""


@dataclass(slots=True)
class _Failure:
    """A rule that failed, in which games of the first combination where it did, and in how many of others."""

    error: RuleError
    first: Combination
    bot: str
    seeds: list[int] = field(default_factory=list)
    others: int = 0

    def note(self, combination: Combination, seed: int) -> None:
        """It failed in one game more."""
        if combination == self.first:
            self.seeds.append(seed)
        else:
            self.others += 1

    def finding(self) -> Diagnostic:
        """The rule, and how to play the first game again in which it failed."""
        with_what = f" with {self.first.words}" if self.first.words else ""
        also = f"; also in {some(self.others, 'game')} of other scenarios or variants" if self.others else ""
        games = f"in the {_named(self.bot)}{with_what} of seed {', '.join(map(str, self.seeds))}{also}"
        seats = () if self.bot == RANDOM else [f"--seat={player}={self.bot}" for player in load(*self.first).players]
        command = shlex.join(["polis", "run", *self.first.options, "--seed", str(self.seeds[0]), *seats])
        hint = f"`{command}` plays the first of them"
        return Diagnostic("rule-failed", f"{self.error.message} ({games})", self.error.span, hint)


def _named(bot: str) -> str:
    return "random games" if bot == RANDOM else f"games of {bot} bots"


def play_combinations(
    combinations: Sequence[Combination], progress: Progress, native: Wanted | None = None, bot: str = RANDOM
) -> Games:
    """Play each combination until every ending came or a limit, with the bot in all seats.

    Random games are played in native code of a kind if that is wanted. Raises NativeMissingError.
    """
    games, every = Games(), Counter[str]()
    failures: dict[tuple[str, Span | None], _Failure] = {}
    for number, each in enumerate(combinations, start=1):
        try:
            ruleset = load(*each)
        except RulesetError as error:
            games.findings += error.diagnostics
            games.sources |= error.sources
            continue
        words = f"{ruleset.name} with {each.words}" if each.words else ruleset.name
        progress(f"games of {words} ({number} of {len(combinations)})")
        seen, failed = _Table(ruleset, native if bot == RANDOM else None, bot, games.in_python).play()
        every += seen
        for failure, seed in failed:
            cause = _NUMBER.sub("0", failure.message), failure.span
            failures.setdefault(cause, _Failure(failure, each, bot)).note(each, seed)
        if failed:
            games.sources |= documented(*each)[0].sources
        came = ", ".join(f"{name} {count}" for name, count in seen.items() if count)
        never = " or ".join(name for name, count in seen.items() if not count)
        games.played.append(f"games of {words}: {came}{f'; none ended with {never}' if never else ''}")
    games.findings += [each.finding() for each in failures.values()]
    for name in documented(*combinations[0])[1].endings:
        if every.total() and not every[str(name)]:  # bots miss what takes skill, so this proves nothing
            message = f"none of {every.total()} {_named(bot)} ended with `{name}`"
            note = Diagnostic("ending-not-seen", message, name.span, severity="note", confidence="possible")
            games.findings.append(note)
    return games


class _Table:
    """Plays one combination; with `auto` in native code where that takes less time than it takes to make it."""

    def __init__(self, ruleset: Ruleset, wanted: Wanted | None, bot: str, in_python: dict[str, None]) -> None:
        self.ruleset, self.wanted, self.bot, self.in_python = ruleset, wanted, bot, in_python
        self.program = ruleset.program(checks=True)
        self.native: Seats | None = None
        if wanted is not None and wanted != "auto":
            self.open()

    def play(self) -> tuple[Counter[str], list[tuple[RuleError, int]]]:
        """The games by their ending, and what failed in others with their seeds."""
        names = list(self.program.rules.endings)
        seen = Counter(dict.fromkeys(names, 0))
        failed: list[tuple[RuleError, int]] = []
        begun = process_time()
        for seed in range(GAMES):
            try:
                seen[names[self.ending(seed)]] += 1
            except RuleError as error:
                failed.append((error, seed))
            if len(failed) >= MOST_FAILED or (seed + 1 >= FEWEST and all(seen.values())):
                break
            if seed + 1 == FEWEST and self.wanted == "auto":
                left = (process_time() - begun) * (GAMES / FEWEST - 1)
                if left > self.making():
                    self.open()
        return seen, failed

    def making(self) -> float:
        """About how many seconds it takes to make native code."""
        from polis_rules.interpreter.runtime.native import automatic

        return MAKING[automatic()] * sum(part.length for part in self.program.compiled.parts)

    def open(self) -> None:
        """From now on native code plays, or else it is noted why there is none."""
        from polis_rules.interpreter.runtime.native import Seats

        found = self.ruleset.program(checks=True, native=self.wanted)
        self.native = Seats(found.native) if found.native is not None else None
        if self.native is None:
            self.in_python[found.native_reason] = None

    def ending(self, seed: int) -> int:
        """The number of the ending of a game. Raises RuleError."""
        if self.native is not None:
            from polis_rules.interpreter.runtime.native import INVARIANTS

            game = self.native.play(seed, INVARIANTS, LONGEST_GAME)
            if game is not None and game.state[ENDING] >= 0:
                return game.state[ENDING]
        return _play(self.program, seed, self.bot)


def _play(program: Program, seed: int, bot: str) -> int:
    """Play the game that `polis run --seed` plays with this bot in all seats; the number of its ending."""
    state = program.new_state(seed)
    players = [bot] * program.rules.symbols.count("player")
    for _ in program.steps(state, bots.chooser(program, players, seed), LONGEST_GAME):
        program.check(state)
    program.check(state)
    if state[ENDING] < 0:
        raise RuleError("the game stops without an ending", None, str(seed))
    return state[ENDING]
