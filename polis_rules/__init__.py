"""Write, check, run and vary the rules of a board game as data.

>>> import polis_rules
>>> game = polis_rules.load("yucata").start(seed=7)
>>> game.decision is not None
True
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from polis_rules.diagnostics import Diagnostic, IllegalMove, InvalidMove, PolisError, RuleError, RulesetError

if TYPE_CHECKING:
    from polis_rules.catalog import shipped
    from polis_rules.interpreter.decision import Decision, Option, Refusal, Result
    from polis_rules.interpreter.game import Game
    from polis_rules.playing import play
    from polis_rules.ruleset import Ruleset, load
    from polis_rules.transcript import Transcript, replay

__all__ = [
    "Decision", "Diagnostic", "Game", "IllegalMove", "InvalidMove", "Option", "PolisError", "Refusal", "Result",
    "RuleError", "Ruleset", "RulesetError", "Transcript", "load", "play", "replay", "shipped",
]  # fmt: skip

_HOMES = {
    "Decision": "interpreter.decision", "Option": "interpreter.decision", "Refusal": "interpreter.decision",
    "Result": "interpreter.decision", "Game": "interpreter.game", "Ruleset": "ruleset", "load": "ruleset",
    "play": "playing", "replay": "transcript", "Transcript": "transcript", "shipped": "catalog",
}  # fmt: skip


def __getattr__(name: str) -> object:
    """Import a public name when it is first used, so that `import polis_rules` costs next to nothing."""
    from importlib import import_module

    if name in _HOMES:
        return getattr(import_module(f"polis_rules.{_HOMES[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
