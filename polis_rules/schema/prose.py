"""Where words for people and names are written, and never an expression: the models say so."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from types import NoneType
from typing import Annotated, Any, get_args, get_origin, get_type_hints

from typing_extensions import TypeAliasType

from polis_rules.schema.base import Model
from polis_rules.schema.export import FILES
from polis_rules.schema.values import Grade, Name, Prose, Scalar

WORDS = frozenset(each for sort in (Grade, Name, Prose) for each in get_args(sort) if isinstance(each, Scalar))
"""What is told or named, and not worked out."""


@cache
def prose_keys() -> frozenset[str]:
    """The keys that hold words for people or names, in whatever stands around them.

    >>> sorted({"title", "cite", "says", "if", "cost"} & prose_keys())
    ['cite', 'says', 'title']
    """
    held: defaultdict[str, set[object]] = defaultdict(set)
    for model in _models(Model):
        for key, hint in _hints(model).items():
            held[key] |= {each for each in _values(hint) if not _is_model(each)}
    return frozenset(key for key, values in held.items() if values and values <= WORDS)


@cache
def prose_sections() -> frozenset[str]:
    """The keys at the top of a file below which nothing else is written at all.

    >>> "book" in prose_sections(), "actions" in prose_sections()
    (True, False)
    """
    held: defaultdict[str, set[object]] = defaultdict(set)
    for model, _ in FILES.values():
        for key, hint in _hints(model).items():
            held[key] |= set(_deep(hint, set()))
    return frozenset(key for key, values in held.items() if values <= WORDS)


def _models(model: type[Model]) -> Iterator[type[Model]]:
    for each in model.__subclasses__():
        yield each
        yield from _models(each)


def _hints(model: type[Model]) -> dict[str, Any]:
    hints = get_type_hints(model, include_extras=True)
    return {key: hints[name] for key, name in model.written_keys().items()}


def _values(hint: Any) -> Iterator[Any]:
    """What a field holds: models, single values, or what is read later; of mappings and lists what is in them."""
    if isinstance(hint, TypeAliasType):
        yield from _values(hint.__value__)
        return
    origin, inner = get_origin(hint), get_args(hint)
    single = [each for each in inner if isinstance(each, Scalar)] if origin is Annotated else []
    if single or not inner:
        yield from single or ([] if hint is NoneType else [hint])
        return
    for each in inner[:1] if origin is Annotated else inner[1:] if origin is dict else inner:
        yield from _values(each)


def _deep(hint: Any, known: set[Any]) -> Iterator[Any]:
    """The same, with what is in models instead of these; `known` are those that were looked into before."""
    for each in _values(hint):
        if not _is_model(each):
            yield each
        elif each not in known:
            known.add(each)
            for inner in _hints(each).values():
                yield from _deep(inner, known)


def _is_model(hint: Any) -> bool:
    return isinstance(hint, type) and issubclass(hint, Model)
