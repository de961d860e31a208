"""What compiled code and whoever runs it agree on: slots, points, signals, chance, route tables."""

from polis_rules.interpreter.machine.chance import below, draw64, pick, salt
from polis_rules.interpreter.machine.compiled import Compiled
from polis_rules.interpreter.machine.layout import ENDING, PC, SCORE, SEED, WINNER, YOU, Layout, lay_out
from polis_rules.interpreter.machine.points import Announce, AnyPoint, ChancePoint, DecisionPoint, Event
from polis_rules.interpreter.machine.protocol import (
    FINISH,
    LEAVE,
    LONGEST_GAME,
    MARK,
    MOST_AT_ONCE,
    MOST_BLOCKS,
    RULES,
    WAY,
)
from polis_rules.interpreter.machine.routes import CostTable, ReachTable, RouteMap, build_route_maps, route_graph
