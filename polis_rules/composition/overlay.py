"""What the operations of scenarios, variants and editions do to a ruleset.

Each says what it expects to find, so a change that no longer fits is an error and never a silent new key.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import reduce

from polis_rules.composition.extending import extended
from polis_rules.composition.inserting import anchor_of, with_steps
from polis_rules.composition.operations import Operation, OperationKind
from polis_rules.composition.paths import Keys, Reached, first_word, reach, step_of, steps, to_list, ways_into
from polis_rules.diagnostics import Diagnostics, Related, Span, did_you_mean, listing, nearest, quote
from polis_rules.schema import SECTIONS, Place, Plain, holds_words, meaning
from polis_rules.source import DEEPEST, Mapping, Node, Sequence, Text, node_at, walk


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
    by: Operation | None = None
    """The operation that says so; None for what stands in a section of an edition."""


Origins = dict[str, list[Origin]]
"""For the path of each value that a layer above the first has touched: those layers, in order."""


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
        fitted = _fit(tree, operation, sections, origins, diagnostics)
        if fitted is None:
            continue
        keys, value = fitted
        inside = walk(value) if value is not None else ()
        if any(len(keys) + len(path) + (not isinstance(node, Text)) > DEEPEST for path, node in inside):
            message = f"with this, the ruleset is nested more than {DEEPEST} deep"
            diagnostics.error("too-deep", message, operation.span)
            continue
        outer = to_list(keys)
        old = node_at(tree, *outer)
        tree = _edited(tree, keys, value, operation.span, copies)
        _note(origins, operation, layer, ".".join(map(str, outer)), old, node_at(tree, *outer))
    return tree


LONGEST_SHOWN = 60
"""A present value of more characters is not shown to whoever forgot it."""

Fitted = tuple[Keys, Node | None]
"""The keys that lead to a place, and what is to stand there; None is nothing."""


def _fit(
    tree: Mapping, operation: Operation, sections: Iterable[str], origins: Origins, diagnostics: Diagnostics
) -> Fitted | None:
    """What an operation puts where, or None after saying why it does not fit."""
    reached = reach(tree, operation.path)
    if operation.kind == "add":
        return _fit_addition(operation, reached, sections, diagnostics)
    if reached.rest:
        _not_found(operation, reached, diagnostics, _touches(operation, origins))
    elif operation.kind == "insert":
        return _fit_insertion(operation, reached, origins, diagnostics)
    elif operation.kind == "extend":
        return _fit_extension(operation, reached, diagnostics)
    elif operation.kind == "change" and operation.was is None:
        now = inline(reached.value)
        hint = f"write {{was: {now}, to: ...}}" if len(now) <= LONGEST_SHOWN else "`was` is the present value"
        diagnostics.error("not-a-change", f"the change of {quote(operation.path)} lacks `was`", operation.span, hint)
    elif operation.was is not None and plain(reached.value) != plain(operation.was):
        value = reached.value
        message = f"{quote(operation.path)} is {quote(inline(value))}, not {quote(inline(operation.was))}"
        there = (("the value that it has", value.span),)
        inner = _meant(value, operation.was)
        near = did_you_mean(f"{operation.path}.{inner}") if inner else None
        diagnostics.error("was-differs", message, operation.was.span, near, there)
    elif operation.value is None:
        return _emptied(tree, reached.keys), None
    else:
        return reached.keys, operation.value
    return None


def _fit_addition(
    operation: Operation, reached: Reached, sections: Iterable[str], diagnostics: Diagnostics
) -> Fitted | None:
    keys, rest, value = reached.keys, reached.rest, reached.value
    if not rest:
        message, hint = f"{quote(operation.path)} exists already", "use `change` or `replace`"
        diagnostics.error("path-taken", message, operation.span, hint, (("it is written here", value.span),))
        return None
    if not isinstance(value, Mapping) or len(rest) > 1 or not rest[0]:
        _not_found(operation, reached, diagnostics)
    elif keys or rest[0] in sections:
        return (*keys, rest[0]), operation.value
    else:
        message = f"there is no section {quote(rest[0])}"
        diagnostics.unknown("unknown-section", message, operation.span, rest[0], sections)
    return None


def _fit_extension(operation: Operation, reached: Reached, diagnostics: Diagnostics) -> Fitted | None:
    old, new = reached.value, operation.value
    assert isinstance(new, Text)
    if isinstance(old, Text) and holds_words(reached.keys):
        message = f"{quote(operation.path)} is words, not an expression"
        diagnostics.error("not-an-extension", message, new.span, "use `change`")
        return None
    if isinstance(old, Text):
        value = extended(old, new, diagnostics)
        return None if value is None else (reached.keys, value)
    message = f"{quote(operation.path)} is not one expression"
    if isinstance(old, Mapping) and "is" in old.entries:
        diagnostics.error("path-not-found", message, operation.span, did_you_mean(f"{operation.path}.is"))
    else:
        hint = f"let the path go on: {listing(old.entries)}" if isinstance(old, Mapping) else "use `insert`"
        diagnostics.error("path-not-found", message, operation.span, hint)
    return None


def _fit_insertion(operation: Operation, reached: Reached, origins: Origins, diagnostics: Diagnostics) -> Fitted | None:
    anchor = anchor_of(reached.value, operation, diagnostics, _touches(operation, origins))
    if anchor is None:
        return None
    at, where = (-1, anchor) if operation.side == "at" else (anchor[-1], anchor[:-1])
    there = node_at(reached.value, *where)
    assert isinstance(there, Sequence) and isinstance(at, int)
    keys = (*reached.keys, *where)
    noted = origins.get(".".join(map(str, to_list(keys))), ())
    earlier = [origin.by for origin in noted if origin.by is not None]
    return keys, with_steps(there, at, operation, earlier)


def _emptied(tree: Mapping, keys: Keys) -> Keys:
    """What goes when the node at some keys goes: of a step that makes only this name, the step."""
    around = node_at(tree, *keys[:-1])
    alone = keys[-2:-1] == ("let",) and isinstance(around, Mapping) and len(around.entries) == 1
    return step_of(keys) if alone and to_list(keys) != keys else keys


def _meant(value: Node, was: Node) -> str | None:
    """The key of a mapping whose value was meant, where a change expects a single value in the mapping's place."""
    if not isinstance(value, Mapping) or not isinstance(was, Text):
        return None
    equal = [str(key) for key, inner in value.entries.items() if plain(inner) == plain(was)]
    return "is" if "is" in value.entries else next(iter(equal), None)


def _touches(operation: Operation, origins: Origins) -> Related:
    """Which layer below was the last to change what an operation is about, and where."""
    path = f"{operation.path}."
    near = (each for at, each in origins.items() if path.startswith(f"{at}.") or at.startswith(path))
    layers = [touch for touches in near for touch in touches]
    return tuple((f"{each.layer} changes it here", each.span) for each in layers[-1:])


def _not_found(operation: Operation, reached: Reached, diagnostics: Diagnostics, touches: Related = ()) -> None:
    parts, rest, place = operation.path.split("."), reached.rest, reached.value
    done = parts[: len(parts) - len(rest)]
    where = f"in {quote('.'.join(done))}" if done else "at the top"
    if reached.several:
        message = f"{quote(rest[0])} stands {len(reached.several)} times {where}"
        found = [node_at(place, *step_of(keys)) for keys in reached.several]
        there = tuple(("it stands here", first_word(each)) for each in found if each is not None)
        hint = "let the path lead into one of the lists around them, or name a step in another way"
        diagnostics.error("path-not-clear", message, operation.span, hint, there)
        return
    if operation.kind == "add" and not done and rest[0] in SECTIONS:
        whole = reduce(lambda inner, key: f"{key}: {{{inner}}}", reversed(rest[:-1]), f"{rest[-1] or 'id'}: ...")
        message, hint = f"the section {quote(rest[0])} has no entries yet", f"add it with its first one: `{whole}`"
        diagnostics.error("path-not-found", message, operation.span, hint)
        return
    message, suggestion = f"there is no {quote(rest[0])} {where}", ""
    known = ways_into(place)
    hint = listing(known) if known else "that is a single value" if isinstance(place, Text) else "it is empty"
    joined = "_".join(rest[:2])  # as rules of a library are called
    near, left = (joined, rest[2:]) if joined in known else (nearest(rest[0], known), rest[1:])
    meant = ".".join([*done, near, *left]) if near else _through_a_list(place, done, rest)
    if near or meant:
        hint = did_you_mean(near or meant)
        span = operation.span
        around = operation.path[: len(operation.path) - (span.end_column - span.column)]  # written further out
        if meant.startswith(around):
            hint, suggestion = "", meant.removeprefix(around)
    diagnostics.error("path-not-found", message, operation.span, hint or None, touches, suggestion=suggestion or None)


def _through_a_list(place: Node, done: list[str], rest: list[str]) -> str:
    """The path that was meant where it forgets the list in which a name stands; empty where none was."""
    lists = {".".join(map(str, to_list(keys))) for keys, _ in steps(place)} if isinstance(place, Mapping) else ()
    fitting = [each for each in lists if not reach(place, ".".join([each, *rest])).rest]
    return ".".join([*done, fitting[0], *rest]) if len(fitting) == 1 and fitting[0] else ""


def _edited(node: Mapping, keys: Keys, value: Node | None, span: Span, copies: dict[int, Mapping]) -> Mapping:
    """A copy in which the entry at the end of `keys` is edited; a key that stays keeps its place.

    What is in `copies` was made for an earlier edit; it is nobody else's, and is edited without a copy.
    """
    copy = copies.get(id(node)) or Mapping(dict(node.entries), node.span)
    copies[id(copy)] = copy
    key = str(keys[0])
    inner = node.get(key)
    if len(keys) > 1 and isinstance(inner, Mapping):
        copy.entries[Text(key, node.span)] = _edited(inner, keys[1:], value, span, copies)
    elif len(keys) > 1 and isinstance(inner, Sequence):
        copy.entries[Text(key, node.span)] = _edited_list(inner, keys[1:], value, span)
    elif value is None:
        del copy.entries[key]  # type: ignore[arg-type]
    else:
        copy.entries[Text(key, span)] = value
    return copy


def _edited_list(node: Sequence, keys: Keys, value: Node | None, span: Span) -> Sequence:
    """The same of a list. Nothing in it is edited without a copy, as layers keep lists as they were before."""
    at, inner = keys[0], keys[1:]
    assert isinstance(at, int)
    items, item = list(node.items), node.items[at]
    if inner and isinstance(item, Mapping):
        items[at] = _edited(item, inner, value, span, {})
    elif value is None:
        del items[at]
    else:
        items[at] = value
    return Sequence(items, node.span)


def _note(origins: Origins, operation: Operation, layer: str, path: str, old: Node | None, new: Node | None) -> None:
    before = dict(leaves(old, path)) if old is not None else {}
    after = dict(leaves(new, path)) if new is not None else {}
    for each in before | after:
        origin = Origin(
            layer, operation.kind, operation.span, before.get(each), after.get(each), operation.why, operation
        )
        origins.setdefault(each, []).append(origin)


def leaves(node: Node, path: str) -> Iterator[tuple[str, Node]]:
    """The values below a path that hold no further names: texts, lists, empty mappings."""
    if isinstance(node, Mapping) and node.entries:
        for key, inner in node.entries.items():
            yield from leaves(inner, f"{path}.{key}" if path else str(key))
    else:
        yield path, node


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
