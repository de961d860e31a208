"""What an overlay's file says: its operations, one after the other."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from polis_rules.diagnostics import Diagnostics, Span, nearest, quote
from polis_rules.source import DEEPEST, Mapping, Node, Sequence, Text, before_missing_colon

OperationKind = Literal["remove", "replace", "change", "extend", "insert", "add"]

OPERATIONS: tuple[OperationKind, ...] = ("remove", "replace", "change", "extend", "insert", "add")
"""The operations, in the order in which those of one layer are done."""

_OF_A_CHANGE = ("was", "to", "why")
_SIDES = ("before", "after", "at")
_ENDS = ("start", "end")
_OF_AN_INSERTION = (*_SIDES, "do", "why")
_PLACE = "write `before: name`, `after: name`, `at: start` or `at: end`"


@dataclass(frozen=True, slots=True)
class Operation:
    """One entry of an overlay."""

    kind: OperationKind
    path: str
    """Ids from a section's name on, joined by dots: `actions.dig.cost.coin`."""
    span: Span
    """Where the path is written."""
    value: Node | None = None
    """What is put there; None for remove."""
    was: Node | None = None
    """What is expected there; only for change."""
    why: str | None = None
    side: str = ""
    """Where something is inserted: `before` or `after` the anchor, or `at` an end."""
    anchor: Text | None = None
    """The name of the step beside which something is inserted; of an end, `start` or `end`."""


def read_operations(overlay: Mapping, diagnostics: Diagnostics) -> list[Operation]:
    """The operations written in a file, in the order in which they are done.

    `why` beside an operation explains it; the overlay's own `why` stands for those without.
    """
    general = overlay.get("why")
    operations: list[Operation] = []
    for kind in OPERATIONS:
        body = overlay.get(kind)
        if isinstance(body, Mapping):
            operations += _read(kind, body, "", str(general) if isinstance(general, Text) else None, diagnostics)
        elif body is not None:
            message = f"{quote(kind)} holds a mapping of paths"
            diagnostics.error("not-a-mapping", message, body.span, hint="write `section.id.key: value`")
    return operations


def _read(
    kind: OperationKind, body: Mapping, prefix: str, why: str | None, diagnostics: Diagnostics
) -> Iterator[Operation]:
    for key, value in body.entries.items():
        path = prefix + key
        if path.count(".") >= DEEPEST:
            diagnostics.error("too-deep", f"a path has at most {DEEPEST} parts", key.span)
        elif kind in ("add", "replace"):
            yield Operation(kind, path, key.span, value=value, why=why)
        elif kind == "insert":
            yield from _read_insertions(path, key, value, why, diagnostics)
        elif isinstance(value, Mapping) and value.entries and not _is_change(value):
            yield from _read(kind, value, f"{path}.", why, diagnostics)
        elif kind == "extend" and isinstance(value, Text) and value:
            yield Operation(kind, path, key.span, value=value, why=why)
        elif kind == "extend":
            hint = "use `change` for {was: ..., to: ...}" if isinstance(value, Mapping) and value.entries else None
            message = f"{quote(path)} is extended by one expression, in which `base` is the present one"
            diagnostics.error("not-an-extension", message, key.span, hint)
        elif kind == "remove" and isinstance(value, Text):
            yield Operation(kind, path, key.span, why=str(value) or why)
        elif kind == "remove":
            diagnostics.error("not-text", "after the path to remove stands only why", value.span)
        elif (change := _read_change(path, key, value, why, diagnostics)) is not None:
            yield change


def _is_change(value: Mapping) -> bool:
    return "was" in value.entries or "to" in value.entries


def _read_change(path: str, key: Text, value: Node, why: str | None, diagnostics: Diagnostics) -> Operation | None:
    if not isinstance(value, Mapping):
        hint = "write {was: the value now, to: the new one}"
        diagnostics.error("not-a-change", f"a change of {quote(path)} needs `was` and `to`", key.span, hint=hint)
        return None
    lacking = [each for each in ("was", "to") if each not in value.entries]
    misspelt = _misspelt(value, _OF_A_CHANGE, lacking, "not-a-change", "a change", diagnostics)
    was, to, own = map(value.get, _OF_A_CHANGE)
    if to is None or (was is None and "was" in misspelt):
        if to is None and "to" not in misspelt:
            diagnostics.error("not-a-change", f"the change of {quote(path)} lacks `to`", key.span)
        return None
    return Operation("change", path, key.span, value=to, was=was, why=_reason(own, why))


def _misspelt(
    value: Mapping, known: tuple[str, ...], lacking: list[str], code: str, what: str, diagnostics: Diagnostics
) -> set[str | None]:
    """What the keys of an entry that mean nothing were probably meant to be, after saying so."""
    misspelt: set[str | None] = set()
    for name in value.entries:
        if (cut := before_missing_colon(name)) in known:
            misspelt.add(cut)
            diagnostics.error(code, f"a colon is missing after {quote(str(cut))}", name.span)
        elif name not in known:
            meant = nearest(name, known) or (lacking[0] if len(lacking) == 1 else None)
            misspelt.add(meant)
            advice = None if meant else f"{what} holds {', '.join(known[:-1])} and {known[-1]}"
            message = f"{quote(name)} means nothing in {what}"
            diagnostics.error("unknown-key", message, name.span, advice, suggestion=meant)
    return misspelt


def _reason(own: Node | None, general: str | None) -> str | None:
    return str(own) if isinstance(own, Text) and own else general


def _read_insertions(
    path: str, key: Text, value: Node, why: str | None, diagnostics: Diagnostics
) -> Iterator[Operation]:
    """One or several insertions into one rule."""
    for entry in value.items if isinstance(value, Sequence) else [value]:
        if not isinstance(entry, Mapping):
            message = f"an insertion into {quote(path)} needs a place and `do`"
            diagnostics.error("not-an-insertion", message, key.span, _PLACE)
        elif (insertion := _read_insertion(path, key, entry, why, diagnostics)) is not None:
            yield insertion


def _read_insertion(
    path: str, key: Text, entry: Mapping, why: str | None, diagnostics: Diagnostics
) -> Operation | None:
    sides = [name for name in entry.entries if name in _SIDES]
    steps, do = entry.get("do"), entry.key("do")
    lacking = ["`do`"] if do is None else []
    lacking += [] if sides else ["a place"]
    meant = ["do"] if do is None else ["after"]
    if _misspelt(entry, _OF_AN_INSERTION, meant[: len(lacking)], "not-an-insertion", "an insertion", diagnostics):
        return None
    anchor = entry.get(sides[0]) if sides else None
    message, at, hint, suggestion = "", key.span, None, None
    if lacking:
        message, hint = f"the insertion into {quote(path)} lacks {' and '.join(lacking)}", None if sides else _PLACE
    elif len(sides) > 1:
        message, at = f"an insertion has `{sides[0]}` or `{sides[1]}`, not both", sides[1].span
    elif not isinstance(steps, Sequence) or not steps.items:
        message, at = "`do` holds the list of steps that are inserted", do.span if do else at
    elif not isinstance(anchor, Text) or not anchor:
        message, at = f"after `{sides[0]}` stands one name", sides[0].span
    elif sides[0] == "at" and anchor not in _ENDS:
        message, at, suggestion = "after `at` stands start or end", anchor.span, nearest(anchor, _ENDS)
        hint = None if suggestion else f"write `before: {anchor}` or `after: {anchor}`"
    if message:
        diagnostics.error("not-an-insertion", message, at, hint, suggestion=suggestion)
        return None
    assert isinstance(anchor, Text)
    reason = _reason(entry.get("why"), why)
    return Operation("insert", path, key.span, steps, why=reason, side=str(sides[0]), anchor=anchor)
