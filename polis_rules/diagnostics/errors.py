"""What this package raises on purpose."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from polis_rules.diagnostics.diagnostic import Diagnostic, Related
    from polis_rules.diagnostics.span import Span


class PolisError(Exception):
    """Whatever this package raises on purpose.

    >>> issubclass(RulesetError, PolisError) and issubclass(IllegalMove, PolisError)
    True
    """


class RulesetError(PolisError):
    """A ruleset that cannot be used; `diagnostics` holds every finding, `str()` renders them all.

    >>> from polis_rules import load
    >>> try:
    ...     load("no_such_ruleset")
    ... except RulesetError as error:
    ...     print(error.diagnostics[0].code)
    unknown-ruleset
    """

    def __init__(self, diagnostics: Iterable[Diagnostic], sources: Mapping[str, str] | None = None) -> None:
        self.diagnostics = tuple(diagnostics)
        self.sources = dict(sources or {})
        super().__init__(self.diagnostics, self.sources)

    def __str__(self) -> str:
        from polis_rules.diagnostics.rendering import render

        return "\n\n".join(render(each, self.sources) for each in self.diagnostics)


class IllegalMove(PolisError):  # noqa: N818  (a refusal, not a fault)
    """A move that is understood but not allowed now. Its text gives the reasons; the game is as it was before.

    >>> from polis_rules import load
    >>> game = load("yucata").start(seed=7)
    >>> while game.decision is not None:
    ...     game.apply(game.decision.options[0])
    >>> try:
    ...     game.apply("anything")
    ... except IllegalMove as error:
    ...     print(error)
    the game is over
    """


class InvalidMove(PolisError):  # noqa: N818
    """A move that is not understood: nothing that could be chosen here has that name.

    >>> from polis_rules import load
    >>> game = load("yucata").start(seed=7)
    >>> try:
    ...     game.apply("no_such_option")
    ... except InvalidMove as error:
    ...     print(error)
    nothing here is called no_such_option
    """


class RuleError(PolisError):
    """A rule failed while a game was running: the ruleset has a mistake that no check could find before.

    >>> from polis_rules.diagnostics import Span
    >>> print(RuleError("this payment is more than there is", Span("mine/play.yaml", 4, 9, 4, 12), "90ab"))
    mine/play.yaml:4:9: this payment is more than there is (position 90ab)
    """

    def __init__(self, message: str, span: Span | None = None, position: str = "", related: Related = ()) -> None:
        self.message = message
        self.span = span
        self.position = position
        self.related = related
        super().__init__(message, span, position, related)

    def __str__(self) -> str:
        place = f"{self.span}: " if self.span else ""
        at = f" (position {self.position})" if self.position else ""
        return f"{place}{self.message}{at}"
