"""Turns a composed tree into a Document, and whatever pydantic objects to into diagnostics."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

from polis_rules.diagnostics import Diagnostic, Diagnostics, Span
from polis_rules.schema.base import Effects, Model
from polis_rules.schema.combined import indexes_at, with_combinations
from polis_rules.schema.document import LEVELS, Document
from polis_rules.schema.shape_errors import read_as
from polis_rules.source import Mapping, Node, Sequence, Text, entries_at, mapping, node_at, walk

Known = dict[int, tuple[Node, object, Model]]
"""By the ids of nodes that hold an entry of a section: the node, its effects (see `Reading`), what was made of it."""

VERSIONS = 4
"""So many times as many entries are remembered as a document has; what was not met for longest is forgotten."""


def build(tree: Mapping, diagnostics: Diagnostics, known: Known | None = None) -> Document | None:
    """The document, or None after reporting what is wrong with its shape.

    Entries that are `known` from other documents are not read again; those of this one are added to them.
    A game that has no beginning, endings or score yet is reported and read as if these were there and empty.
    """
    for section, message, hint in _gaps(tree):
        key = tree.key(section)
        place, missing = key.span if key else _place_of_manifest(tree), "game" if section == "phases" else None
        diagnostics.extend([Diagnostic("missing-section", message, place, hint, missing=missing)])
    tree = with_combinations(_filled(tree), diagnostics)
    effects = _effects(tree)
    partly_read = _with_models(tree, known, effects) if known else None
    document = read_as(Document, tree, diagnostics, effects, partly_read)
    if document is not None and known is not None:
        _remember(known, {id(node): (node, effects.get(id(node)), made) for node, made in _entries(tree, document)})
    return document if node_at(tree, "kinds", "player") is not None else None


def _remember(known: Known, entries: Known) -> None:
    """Know the entries of a document, as those that were met last."""
    for number in entries:
        known.pop(number, None)
    known |= entries
    for number in list(islice(known, max(0, len(known) - VERSIONS * len(entries)))):
        del known[number]


def _with_models(tree: Mapping, known: Known, effects: Effects) -> Mapping:
    """The tree with models in place of the entries that they were made of."""

    def of(node: Node, levels: int) -> Any:
        if levels and isinstance(node, Mapping):
            return Mapping({key: of(inner, levels - 1) for key, inner in node.entries.items()}, node.span)
        before, beside, made = known.get(id(node), (None, None, node))
        return made if before is node and beside == effects.get(id(node)) else node

    sections = {key: of(node, LEVELS.get(key, 0)) for key, node in tree.entries.items()}
    return Mapping(sections, tree.span)


def _entries(tree: Mapping, document: Document) -> Iterator[tuple[Node, Model]]:
    """The entries of all sections, with the nodes that they were made of."""
    for section in LEVELS:
        pairs: list[tuple[Node | None, object]] = [(tree.get(section), getattr(document, section))]
        for node, made in pairs:
            if isinstance(made, dict):
                pairs += [(node_at(node, key), inner) for key, inner in made.items()]
            elif node is not None and isinstance(made, Model):
                yield node, made


def _gaps(tree: Mapping) -> Iterator[tuple[str, str, str]]:
    """What every ruleset needs and this one has not, with the section where it would stand."""
    if node_at(tree, "manifest") is None:
        yield "", "the ruleset has no manifest", "ruleset.yaml says what it is called and which files it has"
    if node_at(tree, "kinds", "player") is None:
        yield "kinds", "the ruleset has no kind 'player'", "write kinds: player: ...; its rows are the seats"
    if node_at(tree, "phases", "game") is None:
        yield "phases", "the ruleset has no phase 'game'", "write phases: game: ...; play begins there"
    if not entries_at(tree, "endings"):
        yield "endings", "the ruleset has no endings", "write endings: and at least one reason for the game to end"
    if node_at(tree, "score") is None:
        yield (
            "score",
            "the ruleset has no score",
            "write score: terms: and what counts at the end, or `score: {terms: {}}` where every `end` names a winner",
        )


def _filled(tree: Mapping) -> Mapping:
    """The tree with something in place of a beginning, endings, a score and a scenario that are not there.

    A ruleset may do without a scenario: then every value starts as its declaration says.
    """
    at = _place_of_manifest(tree)
    sections: dict[str, Node] = {}
    if node_at(tree, "phases", "game") is None and isinstance(tree.get("phases"), Mapping | None):
        sections["phases"] = Mapping({**entries_at(tree, "phases"), Text("game", at): Sequence([], at)}, at)
    if not entries_at(tree, "endings") and isinstance(tree.get("endings"), Mapping | None):
        named = [end for path, end in walk(tree) if path and path[-1] == "end" and isinstance(end, Text)]
        sections["endings"] = Mapping({end: Mapping({}, end.span) for end in named}, at)
    if node_at(tree, "score") is None:
        sections["score"] = mapping(at, terms=mapping(at))
    if node_at(tree, "scenario") is None:
        sections["scenario"] = mapping(at, scenario=node_at(tree, "manifest", "scenario") or Text("none", at))
    return Mapping({**tree.entries, **mapping(at, **sections).entries}, tree.span)


def _place_of_manifest(tree: Mapping) -> Span:
    manifest = node_at(tree, "manifest")
    name = node_at(tree, "manifest", "ruleset")
    return (name or manifest or tree).span


def _effects(tree: Mapping) -> Effects:
    """For each row, by the id of its mapping, its lists of steps: see `Reading.effects`."""
    by_row = {}
    for kind in entries_at(tree, "kinds"):
        attributes = entries_at(tree, "kinds", kind, "attributes")
        carried = {name: each for name, each in attributes.items() if (node_at(each, "type") or each) == "effects"}
        depths = {name: len(indexes_at(each, "per")) for name, each in carried.items()}
        if depths:
            for row in entries_at(tree, "tables", kind).values():
                by_row[id(row)] = depths
    return by_row
