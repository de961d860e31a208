"""Many games between bots, kept as tables: what a change of rules does, with its uncertainty."""

from polis_rules.lab.games import BOT, LabError, Plan, Rows, Span, play, played, spans
from polis_rules.lab.rows import Batch, DecisionRow, GameRow, RoundRow, Used, Uses
from polis_rules.lab.table import Table, Value
