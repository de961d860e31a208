"""Programs over lists of integers."""

from polis_rules.interpreter.runtime.fingerprint import fingerprint
from polis_rules.interpreter.runtime.played import Played, Playout
from polis_rules.interpreter.runtime.program import Program
from polis_rules.interpreter.runtime.running import State
from polis_rules.interpreter.runtime.runtime_errors import LimitError
