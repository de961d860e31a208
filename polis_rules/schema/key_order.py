"""In which order the fixed keys of the language are written, and where in a file they stand: the models say both.

Names that authors choose (ids, labels, what is paid) have an order of their own, which means something and is never
touched: options are offered and conditions are checked in it. The order of fixed keys means nothing to the rules.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from types import NoneType, UnionType
from typing import Annotated, Any, NamedTuple, Union, get_args, get_origin, get_type_hints

from typing_extensions import TypeAliasType

from polis_rules.schema.base import REST, RULE_KEYS, Model
from polis_rules.schema.document import SECTIONS, Action, Document, Procedure, Row
from polis_rules.schema.files import (
    CasesFile,
    Insertion,
    LibraryFile,
    ManifestFile,
    Overlay,
    ScenarioFile,
    SectionsFile,
    VariantFile,
)
from polis_rules.schema.steps import VERBS, RepeatBody, Step, Steps, Told, Way
from polis_rules.source import Mapping, Node, Sequence as List

Plain = str | list["Plain"] | dict[str, "Plain"]

VALUE = "value"
"""The sort of what a row gives for an attribute, which may be steps."""


class Place(NamedTuple):
    """Where in the language one is."""

    sort: Any = None
    """A model; `dict[K, V]` or `list[V]` for names that the author chooses and for lists; `Step`; `VALUE`; None where
    no fixed keys are known."""
    keys: str = ""
    """Within an overlay: `path` where keys are paths, `change` where they lead to `was` and `to`."""


@cache
def step_lists() -> frozenset[str]:
    """The keys of rules, ways and steps that hold lists of steps.

    >>> sorted(step_lists())
    ['do', 'else', 'then']
    """
    models = (Action, Procedure, RepeatBody, Way, *VERBS.values())
    return frozenset(key for model in models for key, sort in _parts(model).items() if sort == _sort(Steps))


def file_sort(keys: Iterable[str]) -> type[Model] | None:
    """Which sort of file has these keys at its top; None for one that is no part of a ruleset.

    >>> file_sort(["variant", "change"]).__name__, file_sort(["services"])
    ('VariantFile', None)
    """
    written = set(keys)
    for model, marks in (
        (LibraryFile, ("library",)),
        (ManifestFile, ("ruleset", "format")),
        (VariantFile, ("variant",)),
        (ScenarioFile, ("scenario",)),
        (CasesFile, ("cases", "inherited")),
        (SectionsFile, {*SECTIONS, *Overlay.written_keys()} - {"why"}),
    ):
        if written & set(marks):
            return model
    return None


def model_at(place: Place, keys: Iterable[str]) -> type[Model] | None:
    """What a mapping with these keys is, if its keys are fixed ones."""
    if place.keys:
        return None
    if place.sort is Step:
        verbs = [key for key in keys if key in VERBS]
        return VERBS[min(verbs, key="do".__eq__)] if verbs else None  # `do` is one only where there is no other
    return place.sort if isinstance(place.sort, type) and issubclass(place.sort, Model) else None


@cache
def _parts(model: type[Model]) -> dict[str, Any]:
    """The keys of a model as they are written, with the sort of what stands under each."""
    hints = get_type_hints(model, include_extras=True)
    return {key: _sort(hints[name]) for key, name in model.written_keys().items()}


def _sort(hint: Any) -> Any:
    """What holds fixed keys, of all that a field admits."""
    if hint is Step:
        return hint
    if isinstance(hint, TypeAliasType):
        return _sort(hint.__value__)
    origin, inner = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return _sort(inner[0])
    if origin in (Union, UnionType):
        return next((sort for each in inner if each is not NoneType and (sort := _sort(each)) is not None), None)
    return hint if origin in (dict, list) or (isinstance(hint, type) and issubclass(hint, Model)) else None


def order_of(model: type[Model]) -> tuple[str, ...]:
    """The keys of a model in the order in which they are written."""
    first, last = ("when", getattr(model, "verb", None)), ("says", "do") if issubclass(model, Told) else ()  # of a step

    def rank(key: str) -> int:
        return first.index(key) if key in first else 3 + last.index(key) if key in last else 2

    return model.order or tuple(sorted(model.written_keys(), key=rank))


def in_order(place: Place, keys: Sequence[str]) -> list[int]:
    """The positions of a mapping's keys in the order in which they should stand.

    >>> from polis_rules.schema.document import Term
    >>> in_order(Place(Term), ["title", "is"])
    [1, 0]
    """
    positions = list(range(len(keys)))
    model = model_at(place, keys)
    if _is_change(place, keys):
        order: tuple[str, ...] = ("was", "to", "why")
    elif model is None:
        return positions
    else:
        order = ("title",) if model is Row else order_of(model)
    rest = order.index(REST) if REST in order else len(order)
    ranks = {key: rank for rank, key in enumerate(order)}
    positions.sort(key=lambda at: ranks.get(keys[at], rest))
    if model is Row:  # the attributes stand where the author has put them, and the other keys among them
        slots = [slot for slot, at in enumerate(positions) if keys[at] in RULE_KEYS]
        sorted_keys = sorted((positions[slot] for slot in slots), key=lambda at: RULE_KEYS.index(keys[at]))
        for slot, at in zip(slots, sorted_keys, strict=True):
            positions[slot] = at
    return positions


def inside(place: Place, keys: Sequence[str], key: str | None, holds_mappings: bool = False) -> Place:
    """The place of what stands under a key of a mapping with these keys, or in a list when `key` is None.

    `holds_mappings` says whether that list holds mappings; only those of a row's value are steps.
    """
    if place.keys and key is not None:
        return _along(place, keys, key)
    sort = place.sort if not place.keys else None
    model = model_at(place, keys)
    if key is None and (sort is Procedure or (sort is VALUE and holds_mappings)):
        sort = _sort(Steps)
    if key is None and sort is Insertion:
        return Place(Insertion)
    if get_origin(sort) in (dict, list):
        return Place(_sort(get_args(sort)[-1]))
    if key is None or model is None:
        return Place(VALUE if sort is VALUE and key is not None else None)
    if issubclass(model, Overlay) and key in ("add", "replace", "change"):
        return Place(Document, "change" if key == "change" else "path")
    return Place(_parts(model).get(key, VALUE if model is Row else None))


def meaning(node: Node, place: Place, telling: bool = True) -> Plain:
    """A node without places, and alike for files that differ only in the order of their fixed keys; or also in
    keys that are not `telling` more than how something is told: what need not be a mapping without these is none.

    >>> from polis_rules.diagnostics.diagnostics import Diagnostics
    >>> from polis_rules.schema.document import Term
    >>> from polis_rules.source.reader import read_text
    >>> one, other = (read_text(text, "a.yaml", Diagnostics()) for text in ("{title: A, is: 1}", "{is: 1, title: A}"))
    >>> list(meaning(one, Place(Term))) == list(meaning(other, Place(Term)))
    True
    """
    if isinstance(node, Mapping):
        keys = [str(key) for key in node.entries]
        model = model_at(place, keys)
        left = frozenset(model.telling if model is not None and not telling else ())
        kept = [key for key in node.entries if key not in left]
        meanings = {key: meaning(node.entries[key], inside(place, keys, key), telling) for key in kept}
        if model is not None and len(kept) < len(keys) and kept == [model.alone]:
            return meanings[kept[0]]  # a mapping that has never said more is another one: games were recorded so
        fixed = model is not None or _is_change(place, keys)
        return {key: meanings[key] for key in (sorted(meanings) if fixed else meanings)}
    if isinstance(node, List):
        within = inside(place, (), None, any(isinstance(item, Mapping) for item in node.items))
        return [meaning(item, within, telling) for item in node.items]
    return str(node)


def _is_change(place: Place, keys: Iterable[str]) -> bool:
    return place.keys == "change" and not {"was", "to"}.isdisjoint(keys)


def _along(place: Place, keys: Sequence[str], key: str) -> Place:
    """One key of an overlay further: a path, or what was and will be at its end."""
    if _is_change(place, keys):
        return Place(place.sort)
    there = Place(place.sort)
    for part in key.split("."):
        there = inside(there, (), part)
    return Place(there.sort, "change" if place.keys == "change" else "")
