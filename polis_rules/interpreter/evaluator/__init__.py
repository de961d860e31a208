"""The typed rules evaluated without generated code, and put into words."""

from polis_rules.interpreter.evaluator.derived import derive
from polis_rules.interpreter.evaluator.evaluate import Crossing, Evaluator, Names, NothingThereError, State
from polis_rules.interpreter.evaluator.initial_state import first_state, state_with
from polis_rules.interpreter.evaluator.stored_values import put_value, value_at
from polis_rules.interpreter.evaluator.view import (
    Answered,
    HiddenError,
    SeenBy,
    StateValue,
    Views,
    may_count,
    may_see,
    names_told,
    only_counting,
    reads_hidden,
    state_values,
    tells_hidden,
    unseen_by,
    untold_to,
)
from polis_rules.interpreter.evaluator.wording import Wording, sides
