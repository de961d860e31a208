"""Games, decisions and errors in the words of a failure."""

from __future__ import annotations

from polis_rules.diagnostics import RuleError, Span, quote
from polis_rules.interpreter.game import Decision, Game
from polis_rules.source import spoken


def over(game: Game) -> str:
    """That nobody decides any more, and why."""
    result = game.result
    return f"the game is over: {result.ended_by_title}" if result is not None else "nothing is to be decided"


def asked(decision: Decision) -> str:
    """The question of a decision."""
    return quote(decision.prompt)


def offered(decision: Decision) -> str:
    """The options of a decision: ids, with the titles that say more."""
    parts = []
    for option in decision.options:
        plain = spoken(option.id).lower() == option.title.lower()
        parts.append(option.id if plain else f"{option.id} ({option.title})")
    return ", ".join(parts)


def place(span: Span) -> str:
    """A line of the case's own file."""
    return f"line {span.line}"


def told(error: Exception) -> str:
    """An error in words."""
    if not isinstance(error, RuleError):
        return str(error)
    at = f" [{error.span.file}:{error.span.line}]" if error.span else ""
    return f"a rule failed: {error.message}{at}"
