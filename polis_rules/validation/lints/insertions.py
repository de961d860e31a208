"""Insertions of two variants at one place that touch the same state.

Why: they are done in the order of the variants' ids, which nobody has chosen.
Example: one variant inserts `after: harvest` a toll on coins, another one there a coin for whoever has most of them.
"""

from __future__ import annotations

from itertools import combinations
from typing import NamedTuple

from polis_rules.composition import Origin
from polis_rules.diagnostics import Span
from polis_rules.semantics import called_by
from polis_rules.source import Mapping, Sequence, Text, node_at
from polis_rules.validation.analysis import Key, Subject

VARIANT = "variant "


class _Touched(NamedTuple):
    reads: frozenset[Key]
    writes: frozenset[Key]


def check(subject: Subject) -> None:
    """Report `order-matters`."""
    beside: dict[tuple[str, str, str], list[Origin]] = {}
    for path, origins in subject.composed.origins.items():
        for each in origins:
            if each.by is not None and each.by.kind == "insert" and each.layer.startswith(VARIANT):
                beside.setdefault((path, each.by.side, str(each.by.anchor)), []).append(each)
    for several in beside.values():
        for one, other in combinations(several, 2):
            if one.layer == other.layer or _is_settled(one, other, subject):
                continue
            first, second = _touched(one, subject), _touched(other, subject)
            both = first.writes & (second.reads | second.writes) | second.writes & first.reads
            if both:
                names = ", ".join(sorted(f"`{name}`" for _, name in both))
                message = f"{one.layer} inserts steps at this place too, and both touch {names}"
                hint = f"say which come first: `after: [{one.layer.removeprefix(VARIANT)}]`"
                there = (("the other ones", one.span),)
                subject.found.warning("order-matters", message, other.span, hint, there, confidence="possible")


def _is_settled(one: Origin, other: Origin, subject: Subject) -> bool:
    """Whether one of two variants says that it comes after the other."""
    for each, before in ((one, other), (other, one)):
        head = subject.variants.get(each.span.file)
        for key in ("after", "requires"):
            said = node_at(head, key)
            names = said.items if isinstance(said, Sequence) else [said]
            if before.layer.removeprefix(VARIANT) in names:
                return True
    return False


def _touched(origin: Origin, subject: Subject) -> _Touched:
    """What state the steps of an insertion read and write, with all that they call."""
    written = origin.by.value if origin.by is not None else None
    places = [_whole(item) for item in written.items] if isinstance(written, Sequence) else []
    steps = tuple(step for step in subject.steps if any(place.holds(step.span) for place in places))
    effects = subject.effects
    called = effects.from_there([name for step in steps for name in called_by(step, subject.symbols)])
    reads = (effects.reads(tree) for step in steps for tree in step.expressions())
    return _Touched(frozenset().union(*reads, *map(effects.reads_in, called)), effects.list_writes(steps))


def _whole(item: Text | Mapping | Sequence) -> Span:
    """From the first to the last character of a step."""
    if isinstance(item, Text):
        return item.span
    inner = [*item.entries, *item.entries.values()] if isinstance(item, Mapping) else item.items
    spans = [item.span, *map(_whole, inner)]
    last = max(spans, key=lambda span: (span.end_line, span.end_column))
    return min(spans, key=lambda span: (span.line, span.column)).to(last)
