"""Many games between bots, kept as tables: what a change of rules does, with its uncertainty."""

from polis_rules.lab.balance import Balanced, Search, Tried, settings_text
from polis_rules.lab.columns import Column, columns
from polis_rules.lab.counterfactual import Counterfactual, FirstDifference, RuleLine, Written, counterfactual, written
from polis_rules.lab.ended import Ended
from polis_rules.lab.files import Engine, NotInstalledError, Simulated, file_of, metadata, simulate
from polis_rules.lab.games import BOT, LabError, Plan, Rows, Span, fast, play, played, spans, table_of
from polis_rules.lab.on_dask import on_dask
from polis_rules.lab.pairs import WITHIN, Comparison, Difference, Pairs, WinRate, compare, in_pairs
from polis_rules.lab.parts import Laid, Part, contributions, parts_of
from polis_rules.lab.report import curves_page, curves_picture, report
from polis_rules.lab.rows import Batch, DecisionRow, GameRow, RoundRow, Used, Uses
from polis_rules.lab.sequential import ERROR, Bounded, Unbounded, refuted
from polis_rules.lab.summary import PlayerSummary, Summary, interval, summary
from polis_rules.lab.sweep import Swept, Tally, combinations, laid, sweep, tallied
from polis_rules.lab.table import Table, Value
from polis_rules.lab.targets import Judged, Target, judged, kept_values, played_values, targets_of
