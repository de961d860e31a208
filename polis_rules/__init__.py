"""Write, check, run and vary the rules of a board game as data.

>>> import polis_rules
>>> game = polis_rules.load("yucata").start(seed=7)
>>> game.decision is not None
True

Begin with `load`, which gives a `Ruleset`; its `start` gives a `Game`. `help(polis_rules.Game)` and so on say more.

- rulesets: load, Ruleset, shipped
- games: Game, Decision, Option, Refusal, Result, play_game
- records of games: Transcript, replay
- errors: PolisError, RulesetError with its Diagnostic findings, RuleError, IllegalMove, InvalidMove
"""

from polis_rules.exports import exports

# without __all__, help() shows this page instead of every class in full
__getattr__, __dir__, _ = exports(__name__, __file__)
