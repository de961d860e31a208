"""The operations by which scenarios, variants and editions alter a ruleset: change, add, remove, replace.

Each says what it expects to find, so a change that no longer fits is an error and never a silent new key.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import reduce
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import Literal

from polis_rules.composition.catalog import variant_ids
from polis_rules.diagnostics import Diagnostics, Span, did_you_mean, listing, nearest, quote
from polis_rules.schema import Place, Plain, meaning
from polis_rules.source import DEEPEST, Mapping, Node, Sequence, Text, before_missing_colon, follow, node_at, walk

OperationKind = Literal["remove", "replace", "change", "add"]

_OF_A_CHANGE = ("was", "to", "why")

OPERATIONS: tuple[OperationKind, ...] = ("remove", "replace", "change", "add")
"""The operations, in the order in which those of one layer are done."""


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


@dataclass(frozen=True, slots=True)
class Origin:
    """One layer's touch on a value."""

    layer: str
    kind: OperationKind
    span: Span
    """Where the layer says so."""
    old: Node | None
    """What the value was before; None when there was none."""
    new: Node | None
    """What it is with this layer; None when the layer takes it away."""
    why: str | None


Origins = dict[str, list[Origin]]
"""For the path of each value that a layer above the first has touched: those layers, in order."""


@dataclass(frozen=True, slots=True)
class Variant:
    """A chosen variant: its operations, and what it says about others."""

    id: str
    place: Span
    """Where it states its id."""
    operations: list[Operation] = field(default_factory=list)
    requires: list[Text] = field(default_factory=list)
    conflicts: list[Text] = field(default_factory=list)
    after: list[Text] = field(default_factory=list)
    sources: Node | None = None

    @property
    def layer(self) -> str:
        return f"variant {self.id}"

    @property
    def follows(self) -> set[str]:
        """The variants that this one comes after, if they are chosen."""
        return {str(each) for each in (*self.after, *self.requires)}


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
        elif isinstance(value, Mapping) and value.entries and not (kind == "change" and _is_change(value)):
            yield from _read(kind, value, f"{path}.", why, diagnostics)
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
    misspelt: set[str | None] = set()
    lacking = [each for each in ("was", "to") if each not in value.entries]
    for name in value.entries:
        if (cut := before_missing_colon(name)) in _OF_A_CHANGE:
            misspelt.add(cut)
            diagnostics.error("not-a-change", f"a colon is missing after {quote(str(cut))}", name.span)
        elif name not in _OF_A_CHANGE:
            meant = nearest(name, _OF_A_CHANGE) or (lacking[0] if len(lacking) == 1 else None)
            misspelt.add(meant)
            message = f"{quote(name)} means nothing in a change"
            advice = None if meant else "a change holds was, to and why"
            diagnostics.error("unknown-key", message, name.span, advice, suggestion=meant)
    was, to, own = map(value.get, _OF_A_CHANGE)
    if was is None or to is None:
        lacks = "was" if was is None else "to"
        if lacks not in misspelt:
            diagnostics.error("not-a-change", f"the change of {quote(path)} lacks `{lacks}`", key.span)
        return None
    reason = str(own) if isinstance(own, Text) and own else why
    return Operation("change", path, key.span, value=to, was=was, why=reason)


def in_order(overlays: list[Variant], diagnostics: Diagnostics) -> list[Variant]:
    """The variants in the order in which they are applied, after checking that they go together."""
    chosen = {each.id for each in overlays}
    for number, one in enumerate(overlays):
        for name in one.requires:
            if name not in chosen:
                message = f"the variant {quote(one.id)} needs the variant {quote(name)}"
                known = [*variant_ids(), *variant_ids(Path(one.place.file).parent)]
                if name not in known and nearest(name, known):
                    diagnostics.unknown("unknown-variant", message, name.span, name, known)
                else:
                    diagnostics.error("variant-requires", message, name.span, hint="choose both")
        for name in one.conflicts:
            if name in chosen:
                message = f"the variants {quote(one.id)} and {quote(name)} exclude each other"
                diagnostics.error("variant-conflict", message, name.span)
        for other in overlays[number + 1 :]:
            _check_pair(one, other, diagnostics)
    left = sorted(overlays, key=lambda each: each.id)
    try:
        TopologicalSorter({each.id: sorted(each.follows & chosen) for each in left}).prepare()
    except CycleError as error:
        circle = error.args[1][::-1]
        place = next(each.place for each in left if each.id == circle[0])
        diagnostics.error("variant-order", f"variants come after each other: {' -> '.join(circle)}", place)
        return left
    ordered: list[Variant] = []
    while left:
        waiting = {each.id for each in left}
        ordered.append(next(each for each in left if not each.follows & waiting))
        left.remove(ordered[-1])
    return ordered


def _check_pair(one: Variant, other: Variant, diagnostics: Diagnostics) -> None:
    if one.id == other.id:
        message = f"the variant {quote(one.id)} is chosen twice"
        diagnostics.error("variant-conflict", message, other.place, related=(("the other one", one.place),))
        return
    if other.id in one.follows or one.id in other.follows:
        return
    for first, second in _overlaps(one.operations, other.operations):
        message = f"{quote(one.id)} and {quote(other.id)} both touch {quote(second.path)}"
        hint = f"choose one of them, or say in one of the files which goes on top: `after: [{one.id}]`"
        there = ((f"{one.layer} touches it here", first.span),)
        diagnostics.error("variant-conflict", message, second.span, hint=hint, related=there)


def apply(
    tree: Mapping,
    operations: Iterable[Operation],
    layer: str,
    sections: Iterable[str],
    origins: Origins,
    diagnostics: Diagnostics,
) -> Mapping:
    """The tree after a layer's operations; one that does not fit is an error and left out.

    `sections` are the names that may be added at the top. What is touched is noted in `origins`.
    """
    copies: dict[int, Mapping] = {}
    for operation in operations:
        keys = _locate(tree, operation, sections, diagnostics)
        if keys is None:
            continue
        inside = walk(operation.value) if operation.value is not None else ()
        if any(len(keys) + len(path) + (not isinstance(node, Text)) > DEEPEST for path, node in inside):
            message = f"with this, the ruleset is nested more than {DEEPEST} deep"
            diagnostics.error("too-deep", message, operation.span)
            continue
        _note(origins, operation, layer, node_at(tree, *keys))
        tree = _edited(tree, keys, operation, copies)
    return tree


def _locate(tree: Mapping, operation: Operation, sections: Iterable[str], diagnostics: Diagnostics) -> list[str] | None:
    """The keys that lead to the operation's place, or None after saying why it does not fit."""
    way, rest = follow(tree, operation.path.split("."))
    keys, value = [str(key) for key, _ in way], way[-1][1] if way else tree
    if operation.kind == "add" and rest:
        # The keys of a scenario's start are themselves a kind and its state, with a dot between.
        fits = len(rest) == 1 or (len(rest) == 2 and keys == ["scenario", "start"])
        if not isinstance(value, Mapping) or not fits or not all(rest):
            _not_found(operation, keys, rest, value, diagnostics, sections)
        elif keys or rest[0] in sections:
            return [*keys, ".".join(rest)]
        else:
            message = f"there is no section {quote(rest[0])}"
            diagnostics.unknown("unknown-section", message, operation.span, rest[0], sections)
    elif operation.kind == "add":
        message, hint = f"{quote(operation.path)} exists already", "use `change` or `replace`"
        diagnostics.error("path-taken", message, operation.span, hint, (("it is written here", value.span),))
    elif rest:
        _not_found(operation, keys, rest, value, diagnostics)
    elif operation.was is not None and plain(value) != plain(operation.was):
        message = f"{quote(operation.path)} is {quote(inline(value))}, not {quote(inline(operation.was))}"
        there = (("the value that it has", value.span),)
        inner = _meant(value, operation.was)
        near = did_you_mean(f"{operation.path}.{inner}") if inner else None
        diagnostics.error("was-differs", message, operation.was.span, near, there)
    else:
        return keys
    return None


def _meant(value: Node, was: Node) -> str | None:
    """The key of a mapping whose value was meant, where a change expects a single value in the mapping's place."""
    if not isinstance(value, Mapping) or not isinstance(was, Text):
        return None
    equal = [str(key) for key, inner in value.entries.items() if plain(inner) == plain(was)]
    return "is" if "is" in value.entries else next(iter(equal), None)


def _not_found(
    operation: Operation,
    keys: list[str],
    rest: list[str],
    place: Node,
    diagnostics: Diagnostics,
    empty: Iterable[str] = (),
) -> None:
    """Say what an operation's path lacks; `empty` are sections to which an `add` may give a first entry as a whole."""
    where = f"in {quote('.'.join(keys))}" if keys else "at the top"
    message = f"there is no {quote(rest[0])} {where}"
    suggestion: str | None = None
    hint: str | None = "that is a single value"
    if isinstance(place, Sequence):
        hint = "the entries of a list have no names; change or replace the whole list"
    elif not keys and rest[0] in empty:
        whole = reduce(lambda inner, key: f"{key}: {{{inner}}}", reversed(rest[:-1]), f"{rest[-1] or 'id'}: ...")
        message = f"the section {quote(rest[0])} has no entries yet"
        hint = f"add it with its first one: `{whole}`"
    elif isinstance(place, Mapping):
        near = nearest(rest[0], place.entries)
        hint = did_you_mean(near) if near else listing(place.entries)
        span = operation.span
        around = operation.path[: len(operation.path) - (span.end_column - span.column)]  # written further out
        meant = ".".join([*keys, near, *rest[1:]]) if near else ""
        if meant.startswith(around) and meant:
            hint, suggestion = None, meant.removeprefix(around)
    diagnostics.error("path-not-found", message, operation.span, hint, suggestion=suggestion)


def _edited(node: Mapping, keys: list[str], operation: Operation, copies: dict[int, Mapping]) -> Mapping:
    """A copy in which the entry at the end of `keys` is edited; a key that stays keeps its place.

    What is in `copies` was made for an earlier edit; it is nobody else's, and is edited without a copy.
    """
    copy = copies.get(id(node)) or Mapping(dict(node.entries), node.span)
    copies[id(copy)] = copy
    inner = node.get(keys[0]) if len(keys) > 1 else None
    if isinstance(inner, Mapping):
        copy.entries[Text(keys[0], node.span)] = _edited(inner, keys[1:], operation, copies)
    elif operation.value is None:
        del copy.entries[keys[0]]  # type: ignore[arg-type]
    else:
        copy.entries[Text(keys[0], operation.span)] = operation.value
    return copy


def _note(origins: Origins, operation: Operation, layer: str, old: Node | None) -> None:
    before = dict(leaves(old, operation.path)) if old is not None else {}
    after = dict(leaves(operation.value, operation.path)) if operation.value is not None else {}
    for path in before | after:
        origin = Origin(layer, operation.kind, operation.span, before.get(path), after.get(path), operation.why)
        origins.setdefault(path, []).append(origin)


def leaves(node: Node, path: str) -> Iterator[tuple[str, Node]]:
    """The values below a path that hold no further names: texts, lists, empty mappings."""
    if isinstance(node, Mapping) and node.entries:
        for key, inner in node.entries.items():
            yield from leaves(inner, f"{path}.{key}" if path else str(key))
    else:
        yield path, node


def _overlaps(first: Iterable[Operation], second: Iterable[Operation]) -> Iterator[tuple[Operation, Operation]]:
    """Pairs of operations where one touches what the other touches, or something in it."""
    by_path = {operation.path: operation for operation in first}
    inside: dict[str, Operation] = {}
    for operation in by_path.values():
        for above in _above(operation.path):
            inside.setdefault(above, operation)
    for operation in second:
        exact_or_above = (by_path.get(path) for path in (operation.path, *_above(operation.path)))
        other = next((each for each in exact_or_above if each), None) or inside.get(operation.path)
        if other:
            yield other, operation


def _above(path: str) -> Iterator[str]:
    while "." in path:
        path = path.rpartition(".")[0]
        yield path


def plain(node: Node) -> Plain:
    """A node without places, with all keys in the order written: strings, lists and dicts."""
    return meaning(node, Place())


def inline(node: Node) -> str:
    """A node on one line, for messages.

    >>> from polis_rules.source.reader import read_text
    >>> inline(read_text("coin: [1, 2]", "a.yaml", Diagnostics()))
    '{coin: [1, 2]}'
    """
    if isinstance(node, Mapping):
        return "{" + ", ".join(f"{key}: {inline(value)}" for key, value in node.entries.items()) + "}"
    if isinstance(node, Sequence):
        return "[" + ", ".join(inline(item) for item in node.items) + "]"
    return str(node)
