"""The last chapter of a rulebook: the other scenarios and the variants, and what each changes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from polis_rules.composition import variants_beside
from polis_rules.diagnostics import RulesetError
from polis_rules.documentation import COUNTED, Change
from polis_rules.documentation.rulebook import (
    NOWHERE,
    Block,
    Book,
    Chapter,
    Paragraph,
    Picture,
    Point,
    Points,
    Rulebook,
    Section,
    Sentence,
    Source,
    diff,
    end,
    read,
    rulebook,
)
from polis_rules.incremental import Memory
from polis_rules.ruleset import load


def with_others(book: Rulebook, opened: Book, ruleset: str | Path) -> Rulebook:
    """The rulebook with a section for each other scenario and for each variant beside the ruleset.

    It is of the ruleset as it is played without any of them; a book of a chosen variant has no such chapter. What
    cannot be read or composed is left out; `validate` tells of it.
    """
    if opened.composed.variants:
        return book
    memory = Memory()
    chapters = (
        Chapter("Scenarios", "other-scenarios", (), tuple(_scenarios(opened, ruleset, memory))),
        Chapter("Variants", "variants", (), tuple(_variants(opened, ruleset, memory))),
    )
    return replace(book, chapters=(*book.chapters, *(each for each in chapters if each.sections)))


def _scenarios(opened: Book, ruleset: str | Path, memory: Memory) -> Iterator[Section]:
    for name in load(ruleset).scenarios:
        if name != opened.composed.scenario:
            with suppress(RulesetError):
                yield _scenario(opened, read(ruleset, name, (), memory))


def _scenario(opened: Book, other: Book) -> Section:
    """What a scenario changes, and its own set-up."""
    start = next(each for each in rulebook(other).sections if each.anchor == "scenario")
    told = tuple(each for each in start.blocks if not isinstance(each, Picture))
    changed = _changed(opened, other, but="Set-up")
    return replace(start, anchor=f"scenario-{other.composed.scenario}", blocks=(*changed, *told))


def _variants(opened: Book, ruleset: str | Path, memory: Memory) -> Iterator[Section]:
    for files in variants_beside(ruleset):
        with suppress(RulesetError):
            yield _variant(opened, read(ruleset, opened.composed.scenario, files, memory))


def _variant(opened: Book, other: Book) -> Section:
    """What a variant changes, after its reason."""
    name = other.composed.variants[-1]
    touched = (each for origins in other.composed.origins.values() for each in origins)
    reasons = dict.fromkeys(each.why for each in touched if each.why and each.layer == f"variant {name}")
    why = (Paragraph(tuple(Sentence(end(each)) for each in reasons)),) if reasons else ()
    return Section(other.composed.variant_titles[-1], f"variant-{name}", (*why, *_changed(opened, other)))


def _changed(opened: Book, other: Book, but: str = "") -> Iterator[Block]:
    changes = (each for each in diff(opened, other).changes if each.section not in (*COUNTED, but))
    points = tuple(_told(each) for each in changes if not each.changes_nothing)
    if points:
        yield Points(points)


def _told(change: Change) -> Point:
    return Point(Sentence(end(change.sentence), Source(change.path)), tuple(_steps(change.lines)))


def _steps(lines: Iterable[str]) -> Iterator[Point]:
    for line in lines:
        word = {"- ": "Gone", "+ ": "New"}.get(line[:2])
        yield Point(Sentence(f"{word}: {line[2:].strip()}" if word else line, NOWHERE))
