"""A game with words: decisions, refusals, report, undo."""

from polis_rules.interpreter.game.decision import Chance, Decision, Option, Refusal, Result
from polis_rules.interpreter.game.game import Game, LogEntry
from polis_rules.interpreter.game.options import Offer
