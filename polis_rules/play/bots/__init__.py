"""Players that are programs."""

from polis_rules.play.bots.by_name import BOTS, Bot, UnknownBotError, chooser, make, seated
from polis_rules.play.bots.greedy import GreedyBot
from polis_rules.play.bots.seat import RandomBot, SeatBot
