"""What came of a case; games, decisions and errors in the words of a failure."""

from __future__ import annotations

from dataclasses import dataclass

from polis_rules.cases.reading import Case
from polis_rules.diagnostics import Diagnostic, InvalidMove, RuleError, Span, quote
from polis_rules.interpreter.game import Decision, Game
from polis_rules.source import spoken


class CaseFailed(Exception):  # noqa: N818  (an outcome, not a fault)
    """A case cannot go on; the text says why, in game words. Never leaves this package."""


@dataclass(frozen=True, slots=True)
class CaseResult:
    """What came of a case: why it failed, one text (of one line or more) for each reason; none when it passed.

    `notes` say what the runner decided by itself, `report` is the report of the game, `findings` are the failures of a
    case that could not be played.
    """

    case: Case
    failures: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    report: tuple[str, ...] = ()
    findings: tuple[Diagnostic, ...] = ()

    @property
    def passed(self) -> bool:
        """Whether everything came out as the case says."""
        return not self.failures

    def __str__(self) -> str:
        """The whole result in words."""
        place = f"{self.case.span}: {self.case.title}"
        if self.passed:
            return f"passed {place}"
        details = [line for failure in self.failures for line in failure.split("\n")]
        return "\n".join([f"FAILED {place}", *(f"  {line}" for line in (*details, *self.notes))])


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


def refused(game: Game, name: str) -> list[str]:
    """Why an option may not be chosen now."""
    try:
        return [f"refused: {each.text}" for each in game.why_not(name)]
    except InvalidMove as error:
        return [f"refused: {error}"]


def place(span: Span | None) -> str:
    """A line of the case's own file."""
    assert span is not None  # everything in a case is written somewhere
    return f"line {span.line}"


def told(error: Exception) -> str:
    """An error in words."""
    if not isinstance(error, RuleError):
        return str(error)
    at = f" [{error.span.file}:{error.span.line}]" if error.span else ""
    return f"a rule failed: {error.message}{at}"
