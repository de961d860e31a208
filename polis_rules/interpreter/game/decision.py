"""What a player, a bot, a test or a replay sees of a game: decisions, options, chance, refusals, results."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal

from polis_rules.diagnostics import Span
from polis_rules.interpreter.game.later import Later

LogEntry = tuple[Literal["decision", "chance"], str, str]
"""One thing that happened: a player's decision and its option, or a stream of chance and its outcome."""


def decisions(log: Iterable[LogEntry]) -> int:
    """How many decisions a log has."""
    return sum(kind == "decision" for kind, _, _ in log)


@dataclass(frozen=True, slots=True)
class Option(Later):
    """One of the things that may be chosen.

    `id` is unique within its decision and stays the same from version to version; `refers_to` names what is
    chosen as (kind, member), and is None for numbers, named ways and several members, whose ids then stand in `id` one
    after the other; `value` is the engine's number for it.

    >>> Option("pay_coins", "Pay with coins", "2 coins", None, 0).cost
    '2 coins'
    """

    id: str
    title: str
    cost: str
    refers_to: tuple[str, str] | None
    value: int


@dataclass(frozen=True, slots=True)
class Decision(Later):
    """A player has to choose: `player` is an id, `rule` the path of the rule that asks.

    >>> from polis_rules import load
    >>> decision = load("yucata").start(seed=7).decision
    >>> len(decision.options) > 1
    True
    >>> decision.rule.split(".")[0]
    'phases'
    """

    player: str
    player_title: str
    prompt: str
    rule: str
    options: tuple[Option, ...]
    secret: bool = False
    """whether the other players do not see what is chosen"""


@dataclass(frozen=True, slots=True)
class Chance:
    """Dice or a draw wait for an answer: one of `outcomes`."""

    stream: str
    outcomes: tuple[str, ...]
    titles: tuple[str, ...] = ()
    """what players call the outcomes"""
    what: str = ""
    """what comes out, in words: what the dice are rolled for, or the kind of what is drawn"""


@dataclass(frozen=True, slots=True)
class Refusal:
    """One requirement that does not hold: what a player reads, the expression, both sides' values, the place.

    >>> refusal = Refusal("enough coins", "you.coins >= 3", {"your coins": "2"}, Span("mine/play.yaml", 4, 9, 4, 23))
    >>> refusal.text
    'enough coins (your coins is 2) [mine/play.yaml:4]'
    """

    label: str
    expression: str
    values: dict[str, str]
    span: Span
    ids: tuple[str, ...] = ()
    """the labels of the conditions as they are written"""

    @property
    def text(self) -> str:
        """The refusal as one line."""
        known = ", ".join(f"{name} is {value}" for name, value in self.values.items())
        return f"{self.label}" + (f" ({known})" if known else "") + f" [{self.span.file}:{self.span.line}]"


@dataclass(frozen=True, slots=True)
class Result:
    """How a game ended: the ending, the winner's id (None on a tie), and every player's total and score terms.

    Where several players win together, these are `shared` and there is no single `winner`. Among three players or more,
    `places` says who has come first, second and so on; equal players share a place.

    >>> result = Result("last_round", "The last round is over", "red", {"red": {"total": 3, "coins": 3}})
    >>> result.scores[result.winner]["coins"]
    3
    """

    ended_by: str
    ended_by_title: str
    winner: str | None
    scores: dict[str, dict[str, int]]
    shared: tuple[str, ...] = ()
    places: dict[str, int] = field(default_factory=dict)

    @property
    def winners(self) -> tuple[str, ...]:
        """All who have won: one, several or none."""
        return self.shared or ((self.winner,) if self.winner is not None else ())
