"""The state before the first step."""

from __future__ import annotations

from polis_rules.diagnostics import RuleError
from polis_rules.interpreter.evaluator.evaluate import Evaluator, NothingThereError, State
from polis_rules.interpreter.machine import ENDING, WINNER, YOU, Layout
from polis_rules.semantics import TypedRules, Variable, every_variable


def first_state(rules: TypedRules, layout: Layout, evaluator: Evaluator | None = None) -> tuple[int, ...]:
    """The state before the first step: declared starts, then the scenario's, then the reserves of the supplies."""
    evaluator = evaluator or Evaluator(rules, layout)
    state = [0] * layout.size
    state[YOU], state[ENDING], state[WINNER] = -1, -1, -1
    for variable in every_variable(rules.symbols):
        base = layout.bases[variable.owner, variable.name]
        sizes = rules.symbols.sizes(variable.owner, variable.per)
        names = (["it"] if variable.owner else []) + [name for name, _ in variable.per]
        plain = variable.low if variable.type.base != "int" or variable.low > 0 or variable.high < 0 else 0
        for flat in range(variable.size):
            value, rest, indexes = plain, flat, {}
            for name, size in zip(reversed(names), reversed(sizes), strict=True):
                indexes[name], rest = rest % size, rest // size
            if variable.start_expr is not None:
                value = _start(variable, evaluator, state, indexes)
            state[base + flat] = value
    for start in rules.starts:
        state[layout.bases[start.owner, start.name] + start.index] = start.value
    for supply in rules.supplies:
        owners = range(len(rules.symbols.kinds[supply.per].members)) if supply.per else range(1)
        for owner in owners:
            given = {"owner": owner} if supply.per else {}
            try:
                used = sum(evaluator.value(place, state, given) for place in supply.places.values())
                left = evaluator.value(supply.total, state, given) - used
            except NothingThereError:
                raise RuleError("this supply cannot be counted: it reads through a none", supply.span) from None
            if left < 0:
                raise RuleError(f"the start uses {-left} more of {supply.name} than there are", supply.span)
            reserve = rules.symbols.variable(supply.reserve.owner, supply.reserve.name)
            if not reserve.low <= left <= reserve.high:
                message = f"{left} of {supply.name} are left over, but {reserve.name} is {reserve.low}..{reserve.high}"
                raise RuleError(message, supply.span)
            state[evaluator.slot(supply.reserve, state, given)] = left
    return tuple(state)


def _start(variable: Variable, evaluator: Evaluator, state: State, indexes: dict[str, int]) -> int:
    """A declared first value."""
    assert variable.start_expr is not None and variable.start is not None
    try:
        value = evaluator.value(variable.start_expr, state, indexes)
    except NothingThereError:
        raise RuleError("this first value reads through a none", variable.start.span) from None
    if variable.type.base == "int" and not variable.low <= value <= variable.high:
        message = f"{variable.name} would start with {value}, outside of {variable.low}..{variable.high}"
        raise RuleError(message, variable.start.span)
    return value
