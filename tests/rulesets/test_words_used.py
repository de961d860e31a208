"""The rulesets that come with polis, its libraries and the shelf together use every word of the language."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from polis_rules.diagnostics.diagnostics import Diagnostics
from polis_rules.schema import CaseEntry, Document, Model, Place, file_sort, inside
from polis_rules.schema.files import CasesFile
from polis_rules.schema.key_order import model_at
from polis_rules.semantics.words import FUNCTIONS
from polis_rules.source import Mapping, Node, Sequence
from polis_rules.source.reader import read_text

HERE = Path(__file__).parent
FOLDERS = (HERE.parent.parent / "rulesets", HERE)

UNUSED = {
    ("LibraryFile", "phases"): "what a library does is called, and is no chapter of a game",
    ("LibraryFile", "uses"): "no shipped library builds on another; tests/test_libraries.py",
    ("LibraryFile", "why"): "a key of every file; variants have one",
    ("Need", "per"): "the libraries here need state of one thing at a time; tests/test_libraries.py",
}
"""What no ruleset here uses, and why; the tests of the words themselves do."""


def owner_of(model: type[Model], key: str) -> str:
    """The model that first has this key, of those that a model is built upon."""
    return [each for each in model.__mro__ if issubclass(each, Model) and key in each.written_keys()][-1].__name__


def used_in(node: Node, place: Place) -> Iterator[tuple[str, str]]:
    """Each key of the language that is written here, with the sort of rule or step that it belongs to."""
    if isinstance(node, Mapping):
        keys = [str(key) for key in node.entries]
        model = model_at(place, keys)
        for key, value in node.entries.items():
            if model is not None and key in model.written_keys():
                yield owner_of(model, str(key)), str(key)
            yield from used_in(value, inside(place, keys, str(key)))
    elif isinstance(node, Sequence):
        within = inside(place, (), None, any(isinstance(item, Mapping) for item in node.items))
        for item in node.items:
            yield from used_in(item, within)


def files() -> Iterator[tuple[str, Mapping, type[Model]]]:
    """The text, the tree and the sort of every rule file."""
    for folder in FOLDERS:
        for path in sorted(folder.rglob("*.yaml")):
            text = path.read_text(encoding="utf-8")
            tree = read_text(text, str(path), Diagnostics())
            sort = file_sort(map(str, tree.entries)) if isinstance(tree, Mapping) else None
            if isinstance(tree, Mapping) and sort is not None and sort is not CasesFile:
                yield text, tree, sort


def models(base: type[Model] = Model) -> Iterator[type[Model]]:
    """Everything that has fixed keys in rule files."""
    for model in base.__subclasses__():
        if model.__module__ != CaseEntry.__module__ and model not in (CasesFile, Document):
            yield model
            yield from models(model)


@pytest.mark.slow
def test_every_key_is_used_by_some_ruleset_or_library() -> None:
    """Those of steps, state, tables, sections, manifests, scenarios, variants and libraries."""
    used = {each for _, tree, sort in files() for each in used_in(tree, Place(sort))}
    known = {(owner_of(model, key), key) for model in models() for key in model.written_keys()}
    assert known - used == set(UNUSED)


def test_every_function_is_used_by_some_ruleset_or_library() -> None:
    called = {name for text, _, _ in files() for name in re.findall(r"\b([a-z_]+)\(", text)}
    assert {*FUNCTIONS} <= called
