"""Players that are programs."""

from polis_rules.play.bots.by_name import BOTS, QUICK, Bot, UnknownBotError, check, chooser, make, seated
from polis_rules.play.bots.greedy import GreedyBot
from polis_rules.play.bots.mcts import MctsBot
from polis_rules.play.bots.seat import Budget, RandomBot, SeatBot
from polis_rules.play.bots.thoughts import Thought, thoughts
