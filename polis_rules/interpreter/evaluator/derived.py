"""Attributes whose `is` says what they are: worked out once, before play, and the edges of graphs that they state."""

from __future__ import annotations

from graphlib import CycleError, TopologicalSorter
from itertools import product

from polis_rules.diagnostics import Diagnostics
from polis_rules.interpreter.evaluator.evaluate import Evaluator, NothingThereError
from polis_rules.interpreter.machine import lay_out
from polis_rules.semantics import Attribute, TypedRules, every_part, stated_edges
from polis_rules.semantics.expressions import Attr

Name = tuple[str, str]


def derive(rules: TypedRules, diagnostics: Diagnostics) -> None:
    """Give derived attributes their values, each after those that it reads; what has values already keeps them.

    Errors: `endless-term`, `out-of-range`, `unfit-value`.
    """
    every = [attribute for kind in rules.symbols.kinds.values() for attribute in kind.attributes.values()]
    derived = {(each.owner, each.name): each for each in every if each.expr is not None}
    if all(attribute.values for attribute in derived.values()):
        return
    evaluator = Evaluator(rules, lay_out(rules.symbols))
    for attribute in _in_order(derived, rules, diagnostics):
        values = _values(attribute, evaluator, diagnostics)
        if values is None:
            return
        attribute.values = values
    stated_edges(rules.symbols)


def _in_order(derived: dict[Name, Attribute], rules: TypedRules, diagnostics: Diagnostics) -> list[Attribute]:
    """The attributes, those first that others read; none after saying that one reads itself."""
    reads: dict[Name, list[Name]] = {}
    for name, attribute in derived.items():
        parts = every_part([attribute.expr], rules) if attribute.expr is not None else ()
        reads[name] = [key for part in parts if isinstance(part, Attr) and (key := (part.owner, part.name)) in derived]
    try:
        return [derived[name] for name in TopologicalSorter(reads).static_order()]
    except CycleError as error:
        round_about = error.args[1][::-1]
        shown = " -> ".join(".".join(name) for name in round_about)
        attribute = derived[round_about[0]]
        assert attribute.is_ is not None
        diagnostics.error("endless-term", f"`{attribute.name}` is worked out of itself: {shown}", attribute.is_.span)
        return []


def _values(attribute: Attribute, evaluator: Evaluator, diagnostics: Diagnostics) -> tuple[int, ...] | None:
    """The values for each member and index; None after saying for which there is none."""
    assert attribute.expr is not None and attribute.is_ is not None
    symbols, spec, values = evaluator.symbols, attribute.spec, []
    for indexes in product(*map(range, symbols.sizes(attribute))):
        members = (symbols.kinds[kind].members[at] for kind, at in zip(attribute.kinds, indexes, strict=True))
        try:
            value = evaluator.value(attribute.expr, [], dict(zip(attribute.names, indexes, strict=True)))
        except NothingThereError:
            message = f"for {', '.join(members)} this reads through a none"
            diagnostics.error("unfit-value", message, attribute.is_.span)
            return None
        if spec.low is not None and spec.high is not None and not spec.low <= value <= spec.high:
            message = f"for {', '.join(members)} this is {value}, outside of {spec.low}..{spec.high}"
            diagnostics.error("out-of-range", message, attribute.is_.span)
            return None
        values.append(value)
    return tuple(values)
