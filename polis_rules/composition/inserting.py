"""`insert`: steps before or after a step that has a name, or at an end of a list."""

from __future__ import annotations

from collections.abc import Iterable

from polis_rules.composition.operations import Operation
from polis_rules.composition.paths import Keys, all_names, first_word, named, step_of
from polis_rules.diagnostics import Diagnostics, Related, listing, nearest, quote, some
from polis_rules.source import Node, Sequence, node_at


def anchor_of(rule: Node, insertion: Operation, diagnostics: Diagnostics, touches: Related = ()) -> Keys | None:
    """The keys that lead from a rule to the step, or at an end to the list, beside which something is inserted.

    None after saying why it is not clear; `touches` is where layers below have changed the rule.
    """
    if insertion.side == "at":
        return _list_of(rule, insertion, diagnostics)
    anchor = insertion.anchor
    assert anchor is not None
    places = [step_of(keys) for keys in named(rule, anchor)]
    if len(places) == 1:
        return places[0]
    if places:
        message = f"{quote(anchor)} stands {some(len(places), 'time')} in {quote(insertion.path)}"
        there = tuple(("it stands here", first_word(step)) for place in places if (step := node_at(rule, *place)))
        hint = "let the path lead into one of the lists, or name another step"
        diagnostics.error("anchor-not-clear", message, anchor.span, hint, there)
        return None
    known = all_names(rule)
    near = nearest(anchor, known)
    message = f"no step in {quote(insertion.path)} is called {quote(anchor)}"
    otherwise = listing(known) if known else "write `at: start` or `at: end`"
    diagnostics.error("anchor-not-found", message, anchor.span, None if near else otherwise, touches, suggestion=near)
    return None


def _list_of(rule: Node, insertion: Operation, diagnostics: Diagnostics) -> Keys | None:
    """The keys of the list that something is put at an end of."""
    for keys in ((), ("do",), ("repeat", "do")):
        if isinstance(node_at(rule, *keys), Sequence):
            return keys
    inner = [f"{insertion.path}.{key}" for key in ("then", "else") if node_at(rule, key) is not None]
    hint = f"name one of its lists: {' or '.join(inner)}" if inner else None
    message = f"{quote(insertion.path)} is not one list of steps"
    diagnostics.error("path-not-found", message, insertion.span, hint)
    return None


def with_steps(there: Sequence, at: int, insertion: Operation, earlier: Iterable[Operation]) -> Sequence:
    """A list with the steps of an insertion beside the step `at` a place, or at an end.

    What was inserted earlier at the same place comes first.
    """
    new = insertion.value
    assert isinstance(new, Sequence)
    before = insertion.side == "before" or (insertion.side == "at" and insertion.anchor == "start")
    if insertion.side == "at":
        at = 0 if insertion.anchor == "start" else len(there.items)
    elif not before:
        at += 1
    if insertion.side == "after" or insertion.anchor == "start":
        same = [each for each in earlier if (each.side, each.anchor) == (insertion.side, insertion.anchor)]
        spans = {step.span for each in same if isinstance(each.value, Sequence) for step in each.value.items}
        while at < len(there.items) and there.items[at].span in spans:
            at += 1
    return Sequence([*there.items[:at], *new.items, *there.items[at:]], there.span)
