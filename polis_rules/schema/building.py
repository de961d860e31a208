"""Turns a composed tree into a Document, and whatever pydantic objects to into diagnostics."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from pydantic import ValidationError

from polis_rules.diagnostics import Diagnostics, Span
from polis_rules.schema.base import Reading
from polis_rules.schema.combined import with_combinations
from polis_rules.schema.document import Document
from polis_rules.schema.shape_errors import by_place, report
from polis_rules.source import Mapping, Node, Sequence, Text, entries_at, node_at

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails


def build(tree: Mapping, diagnostics: Diagnostics) -> Document | None:
    """The document, or None after reporting what is wrong with its shape.

    A game that has no beginning, endings or score yet is reported and read as if these were there and empty.
    """
    gaps = list(_gaps(tree))
    for section, message, hint in gaps:
        key = tree.key(section)
        diagnostics.error("missing-section", message, key.span if key else _place_of_manifest(tree), hint)
    tree = with_combinations(_filled(_with_scenario(tree)), diagnostics)
    reading = Reading(effects=_effects(tree))
    try:
        document = Document.model_validate(tree, context=reading)
    except ValidationError as error:
        found = Diagnostics(sources=diagnostics.sources)
        for each in error.errors(include_url=False, include_input=False):
            if not _is_gap(each):
                report(each, tree, reading, found)
        diagnostics.extend(by_place(found))
        return None
    return document if node_at(tree, "kinds", "player") is not None else None


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
        yield "score", "the ruleset has no score", "write score: terms: and what counts at the end"


def _filled(tree: Mapping) -> Mapping:
    """The tree with something in place of a beginning, endings and a score that are not there yet."""
    at = _place_of_manifest(tree)

    def text(word: str) -> Text:
        return Text(word, at)

    entries = dict(tree.entries)
    if node_at(tree, "phases", "game") is None and isinstance(tree.get("phases"), Mapping | None):
        entries[text("phases")] = Mapping({**entries_at(tree, "phases"), text("game"): Sequence([], at)}, at)
    if not entries_at(tree, "endings") and isinstance(tree.get("endings"), Mapping | None):
        entries[text("endings")] = Mapping({name: Mapping({}, name.span) for name in _named_endings(tree)}, at)
    if node_at(tree, "score") is None:
        entries[text("score")] = Mapping({text("terms"): Mapping({}, at)}, at)
    return Mapping(entries, tree.span)


def _named_endings(node: Node) -> Iterator[Text]:
    """The endings that steps name."""
    if isinstance(node, Sequence):
        for item in node.items:
            yield from _named_endings(item)
    elif isinstance(node, Mapping):
        for key, value in node.entries.items():
            if key == "end" and isinstance(value, Text):
                yield value
            else:
                yield from _named_endings(value)


def _is_gap(error: ErrorDetails) -> bool:
    """Whether `_gaps` has reported it."""
    return error["type"] == "missing" and len(error["loc"]) == 1


def _place_of_manifest(tree: Mapping) -> Span:
    manifest = node_at(tree, "manifest")
    name = node_at(tree, "manifest", "ruleset")
    return (name or manifest or tree).span


def _with_scenario(tree: Mapping) -> Mapping:
    """A ruleset may do without a scenario: then every value starts as its declaration says."""
    if node_at(tree, "scenario") is not None:
        return tree
    at = _place_of_manifest(tree)
    name = node_at(tree, "manifest", "scenario")
    scenario = Mapping({Text("scenario", at): name or Text("none", at)}, at)
    return Mapping({**tree.entries, Text("scenario", at): scenario}, tree.span)


def _effects(tree: Mapping) -> dict[int, dict[Text, int]]:
    """For each row, by the id of its mapping, its lists of steps: see `Reading.effects`."""
    found = {}
    for kind in entries_at(tree, "kinds"):
        attributes = entries_at(tree, "kinds", kind, "attributes")
        depths = {name: _levels(each) for name, each in attributes.items() if _is_effects(each)}
        if depths:
            for row in entries_at(tree, "tables", kind).values():
                found[id(row)] = depths
    return found


def _is_effects(attribute: Node) -> bool:
    return (node_at(attribute, "type") or attribute) == "effects"


def _levels(attribute: Node) -> int:
    per = node_at(attribute, "per")
    if per is None or isinstance(per, Text):
        return 0 if per is None else 1
    return len(per.entries if isinstance(per, Mapping) else per.items)
