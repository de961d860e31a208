"""Native code made ready to be called: as a shared object that a C compiler made, or in wasmtime's sandbox."""

from polis_rules.interpreter.runtime.native.batch import Batch
from polis_rules.interpreter.runtime.native.engine import Code, Engine, Instance, Kind, NativeMissingError, TrappedError
from polis_rules.interpreter.runtime.native.native import Native, signed
from polis_rules.interpreter.runtime.native.open_engine import open_engine
from polis_rules.interpreter.runtime.native.opened import Wanted, automatic, opened
from polis_rules.interpreter.runtime.native.playouts import playouts
from polis_rules.interpreter.runtime.native.python_search import PythonSearch
from polis_rules.interpreter.runtime.native.search import Search, Searched, Secretive, Style, Trees
from polis_rules.interpreter.runtime.native.seats import INVARIANTS, NOTHING, RANGES, SeatedGame, Seats
from polis_rules.interpreter.runtime.native.steps import Steps
