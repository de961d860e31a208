from .composition import shipped as shipped
from .diagnostics import (
    Diagnostic as Diagnostic,
    IllegalMove as IllegalMove,
    InvalidMove as InvalidMove,
    PolisError as PolisError,
    RuleError as RuleError,
    RulesetError as RulesetError,
)
from .interpreter.game import Decision as Decision, Game as Game, Option as Option, Refusal as Refusal, Result as Result
from .play import Transcript as Transcript, play_game as play_game, replay as replay
from .ruleset import Ruleset as Ruleset, load as load
