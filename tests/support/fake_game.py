"""A tiny game in plain Python with the public face of a real one, for tests of what surrounds the engine.

Two players dig for coins, which only they see, and buy tokens for 2 coins; a token counts 3 at the end.
"""

from __future__ import annotations

import hashlib
from copy import deepcopy
from dataclasses import dataclass, field
from random import Random
from typing import Any

from polis_rules.diagnostics.errors import IllegalMove, InvalidMove, RuleError
from polis_rules.diagnostics.span import Span
from polis_rules.interpreter.game import Game
from polis_rules.interpreter.game.decision import Chance, Decision, LogEntry, Option, Refusal, Result

OPTIONS = {
    "dig": Option("dig", "Dig", "", None, 0),
    "buy": Option("buy", "Buy a token", "2 coins", None, 1),
    "pass": Option("pass", "Pass", "", None, 2),
}


@dataclass
class FakeRuleset:
    name: str = "demo"
    title: str = "A demo"
    hash: str = "aaaa"
    scenario: str = "standard"
    variants: tuple[str, ...] = ()
    chosen: dict[str, str] = field(default_factory=dict)
    layers: tuple[str, ...] = ("demo", "standard")
    players: tuple[str, ...] = ("red", "blue")
    titles: dict[str, str] = field(default_factory=lambda: {"red": "Red", "blue": "Blue"})
    counts: dict[str, int] = field(default_factory=lambda: {"kinds": 2, "actions": 3})
    grades: dict[str, int] = field(default_factory=lambda: {"quoted": 3, "house": 1})
    fails_at: int | None = None
    """The number of turns after which a rule of this ruleset fails."""

    @property
    def origin(self) -> tuple[str, str, tuple[str, ...]]:
        return self.name, self.scenario, self.variants

    def start(self, seed: int = 0, chance: str = "auto") -> FakeGame:
        return FakeGame(self, seed, chance == "auto")


def fake_ruleset(**given: Any) -> Any:
    """A FakeRuleset, typed as Any because it stands in for a real one."""
    return FakeRuleset(**given)


class FakeGame:
    acting = None
    replay, _replay = Game.replay, Game._replay

    def __init__(self, ruleset: FakeRuleset, seed: int, automatic: bool) -> None:
        self.ruleset, self.seed, self.automatic = ruleset, seed, automatic
        self.program, self.state = None, []  # a bot that only chooses among options asks neither
        self.coins = dict.fromkeys(ruleset.players, 0)
        self.tokens = dict.fromkeys(ruleset.players, 0)
        self.turn = 0
        self.made: list[LogEntry] = []
        self.lines: list[tuple[str | None, str]] = [(None, "Round 1 begins")]
        self.chance: Chance | None = None
        self.past: list[dict[str, Any]] = []

    @property
    def _log(self) -> list[tuple[LogEntry, int]]:
        return [(entry, 0) for entry in self.made]

    @property
    def log(self) -> tuple[LogEntry, ...]:
        return tuple(self.made)

    @property
    def finished(self) -> bool:
        return self.turn == 6

    @property
    def round(self) -> int:
        return min(self.turn // 2 + 1, 3)

    @property
    def rounds(self) -> int:
        return self.round

    @property
    def player(self) -> str:
        return self.ruleset.players[self.turn % 2]

    @property
    def decision(self) -> Decision | None:
        if self.finished or self.chance:
            return None
        options = [OPTIONS[each] for each in ("dig", "buy", "pass") if each != "buy" or self.coins[self.player] >= 2]
        title = self.ruleset.titles[self.player]
        return Decision(self.player, title, "What do you do?", "phases.turn", tuple(options))

    @property
    def report(self) -> list[str]:
        return [line for _, line in self.lines]

    def report_for(self, player: str) -> list[str]:
        return [line for seen_by, line in self.lines if seen_by in (None, player)]

    def way(self, option: Option) -> str:
        return ""

    def view(self, player: str) -> dict[str, Any]:
        return {
            "game": {"round": self.round},
            "player": {
                each: {"tokens": count} | ({"coins": self.coins[each]} if each == player else {})
                for each, count in self.tokens.items()
            },
        }

    def why_not(self, name: str) -> list[Refusal]:
        if name != "buy":
            raise InvalidMove(f"nothing is called '{name}'")
        if self.coins[self.player] >= 2:
            return []
        values = {"you.coins": str(self.coins[self.player])}
        span = Span("demo/actions.yaml", 12, 5, 12, 9)
        return [Refusal("enough coins", "you.coins >= 2", values, span)]

    def apply(self, option: Option | str) -> None:
        name = option if isinstance(option, str) else option.id
        if name not in OPTIONS:
            raise InvalidMove(f"nothing is called '{name}'")
        decision = self.decision
        if decision is None or name not in [each.id for each in decision.options]:
            raise IllegalMove(f"{name} is not allowed now")
        if self.turn == self.ruleset.fails_at:  # which leaves the game as it was
            raise RuleError("a token is below zero", Span("demo/actions.yaml", 3, 1, 3, 4), self.hash())
        self.past.append({k: deepcopy(v) for k, v in self.__dict__.items() if k not in ("past", "ruleset")})
        self.made.append(("decision", self.player, name))
        self.lines.append((None, f"{self.ruleset.titles[self.player]}: {OPTIONS[name].title}"))
        if name == "dig":
            self.chance = Chance("dig", ("1", "2", "3"), ("1", "2", "3"), "dig")
            if self.automatic:
                self.answer(str(Random(f"{self.seed} {self.turn}").randint(1, 3)))
            return
        if name == "buy":
            self.coins[self.player] -= 2
            self.tokens[self.player] += 1
        self.turn += 1

    def answer(self, outcome: str) -> None:
        assert self.chance is not None
        if outcome not in self.chance.outcomes:
            raise InvalidMove(f"{self.chance.stream} cannot come out as {outcome}")
        self.made.append(("chance", self.chance.stream, outcome))
        self.chance = None
        self.coins[self.player] += int(outcome)
        self.lines.append((self.player, f"{self.ruleset.titles[self.player]} finds {outcome} coins"))
        self.turn += 1

    def undo(self) -> bool:
        if not self.past:
            return False
        self.__dict__.update(self.past.pop())
        return True

    def copy(self) -> FakeGame:
        again = FakeGame(self.ruleset, self.seed, self.automatic)
        again.__dict__.update({k: deepcopy(v) for k, v in self.__dict__.items() if k != "ruleset"})
        return again

    def hash(self) -> str:
        state = (self.coins, self.tokens, self.turn, self.chance)
        return hashlib.sha256(repr(state).encode()).hexdigest()[:12]

    @property
    def result(self) -> Result | None:
        if not self.finished:
            return None
        scores = {
            player: {"total": 3 * self.tokens[player] + self.coins[player]}
            | {"tokens": 3 * self.tokens[player], "coins": self.coins[player]}
            for player in self.ruleset.players
        }
        red, blue = (scores[player]["total"] for player in self.ruleset.players)
        winner = None if red == blue else self.ruleset.players[red < blue]
        return Result("three_rounds", "Three rounds are played", winner, scores)
