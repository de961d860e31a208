"""A game with words: decisions, refusals, report, undo."""

from polis_rules.interpreter.game.decision import Chance, Decision, LogEntry, Option, Refusal, Result, decisions
from polis_rules.interpreter.game.game import MOST_ANSWERS, Game, ReplayError
from polis_rules.interpreter.game.options import Options, known_names
from polis_rules.interpreter.game.scoring import result_of, worked_out
from polis_rules.interpreter.game.secrecy import Secrecy
