"""The state before the first step."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from itertools import product

from polis_rules.diagnostics import RuleError, Span
from polis_rules.interpreter.evaluator.evaluate import Evaluator, NothingThereError, State
from polis_rules.interpreter.evaluator.stored_values import put_value
from polis_rules.interpreter.machine import ENDING, WINNER, YOU, Layout
from polis_rules.semantics import Start, Supply, TypedRules, Variable, every_variable, unpacked
from polis_rules.semantics.expressions import Call, Formula, Load, Possible, RouteQuestion
from polis_rules.source import spoken

INDIRECT = (Call, Formula, Possible, RouteQuestion)
"""Expressions that read more state than their own parts do."""


def first_state(rules: TypedRules, layout: Layout, evaluator: Evaluator | None = None) -> tuple[int, ...]:
    """The state before the first step: declared first values, then the scenario's, then what is left in reserves."""
    evaluator = evaluator or Evaluator(rules, layout)
    state = [0] * layout.size
    state[YOU], state[ENDING], state[WINNER] = -1, -1, -1
    for variable in every_variable(rules.symbols):
        base = layout.bases[variable.owner, variable.name]
        sizes = rules.symbols.sizes(variable)
        plain = variable.low if variable.type.base != "int" or variable.low > 0 or variable.high < 0 else 0
        for flat, indexes in enumerate(product(*map(range, sizes))):
            value = plain
            if variable.start_expr is not None:
                names = dict(zip(variable.names, indexes, strict=True))
                value = _start(variable, evaluator, state, names)
            put_value(rules.symbols, variable, state, base + flat * variable.width, value)
    return state_with(evaluator, state, rules.starts)


def state_with(
    evaluator: Evaluator, first: Iterable[int], starts: Sequence[Start], counted: bool = False
) -> tuple[int, ...]:
    """A first state in which some values are others, and the reserves are what that leaves in them.

    Where the reserves of `first` are `counted` already, only those are counted again that the new values can change.
    """
    first = list(first)
    state, rules, layout = first[:], evaluator.rules, evaluator.layout
    changed = {(start.owner, start.name) for start in starts}
    for start in starts:
        variable = rules.symbols.variable(start.owner, start.name)
        slot = layout.bases[start.owner, start.name] + start.index * variable.width
        put_value(rules.symbols, variable, state, slot, start.value)
    for supply in rules.supplies:
        if counted and not _reads(supply, changed):
            continue
        changed |= {(each.owner, each.name) for each in supply.reserve}
        owners = range(rules.symbols.count(supply.per)) if supply.per else range(1)
        for owner in owners:
            names = {"owner": owner} if supply.per else {}
            try:
                used = _used(supply, evaluator, state, names)
                total = evaluator.value(supply.total, state, names)
            except NothingThereError:
                raise RuleError("this supply cannot be counted: it reads through a none", supply.span) from None
            wrong = _does_not_fit(supply, rules, used, total)
            if wrong is None:
                for reserve in supply.reserve:
                    state[evaluator.slot(reserve, state, names)] = total - used
                continue
            placed: dict[Span | None, int] = {None: 0}
            for start in starts:
                width = rules.symbols.variable(start.owner, start.name).width
                slot = layout.bases[start.owner, start.name] + start.index * width
                after = slot + width
                without = [*state[:slot], *first[slot:after], *state[after:]]
                with suppress(NothingThereError):
                    placed[start.span] = used - _used(supply, evaluator, without, names)
            span = max(placed, key=placed.__getitem__)  # the entry that places most is the likeliest mistake
            related = (("the supply", supply.span),) if span is not None else ()
            raise RuleError(
                f"the set-up places {used} {spoken(supply.name)}{wrong}", span or supply.span, related=related
            )
    return tuple(state)


def _does_not_fit(supply: Supply, rules: TypedRules, used: int, total: int) -> str | None:
    """Why so many pieces of a supply cannot be placed, if they cannot."""
    left = total - used
    if left < 0:
        return f", but there are only {total}"
    if left and not supply.reserve:
        return f" of {total}, and there is no reserve for the others"
    for each in supply.reserve:
        reserve = rules.symbols.variable(each.owner, each.name)
        if not reserve.low <= left <= reserve.high:
            return f" of {total} and leaves {left}, but {spoken(reserve.name)} is {reserve.low}..{reserve.high}"
    return None


def _reads(supply: Supply, changed: set[tuple[str, str]]) -> bool:
    """Whether the count of a supply may read values that have changed, or its reserve is one of them."""
    parts = [part for tree in (*supply.reserve, supply.total, *supply.places.values()) for part in tree.walk()]
    return any(
        (part.owner, part.name) in changed if isinstance(part, Load) else isinstance(part, INDIRECT) for part in parts
    )


def _used(supply: Supply, evaluator: Evaluator, state: State, names: dict[str, int]) -> int:
    """How many pieces of a supply are placed."""
    return sum(evaluator.value(place, state, names) for place in supply.places.values())


def _start(variable: Variable, evaluator: Evaluator, state: State, indexes: dict[str, int]) -> int:
    """A declared first value."""
    assert variable.start_expr is not None and variable.start is not None
    try:
        value = evaluator.value(variable.start_expr, state, indexes)
    except NothingThereError:
        raise RuleError("this first value reads through a none", variable.start.span) from None
    if variable.type.base == "list":
        size = len(unpacked(value, evaluator.symbols.count(variable.type.kind)))
        if size > variable.at_most:
            message = f"{variable.name} would start with {size} members, and holds at most {variable.at_most}"
            raise RuleError(message, variable.start.span)
    if variable.type.base == "int" and not variable.low <= value <= variable.high:
        message = f"{variable.name} would start with {value}, outside of {variable.low}..{variable.high}"
        raise RuleError(message, variable.start.span)
    return value
