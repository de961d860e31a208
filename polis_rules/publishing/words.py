"""The words of a rulebook in parts, and the places that its links lead to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import NamedTuple, TypeVar

from polis_rules.documentation.rulebook import (
    MARKED,
    Chapter,
    Rulebook,
    Section,
    Sentence,
    Source,
)

Part = TypeVar("Part", Chapter, Section)


class Run(NamedTuple):
    """A part of a sentence."""

    text: str
    is_name: bool
    anchor: str
    """Where the section of this name is; empty where there is none."""


def runs(words: str, anchors: Mapping[str, str]) -> Iterator[Run]:
    """The parts of a sentence.

    >>> [run.text for run in runs("Then *Count* begins.", {"Count": "count"})]
    ['Then ', 'Count', ' begins.']
    """
    at = 0
    for match in MARKED.finditer(words):
        if match.start() > at:
            yield Run(words[at : match.start()], False, "")
        yield Run(match[1], True, anchors.get(match[1], ""))
        at = match.end()
    if at < len(words):
        yield Run(words[at:], False, "")


def example_title(title: str) -> str:
    """What an example is called where nothing else says that it is one.

    >>> example_title("a choice"), example_title("Example 1")
    ('Example: a choice', 'Example 1')
    """
    return title if title.startswith("Example") else f"Example: {title}"


def sourced_once(sentences: Iterable[Sentence], known: Source) -> Iterator[Sentence]:
    """The sentences; of those that follow each other and have the same source only the last one has it."""
    several = list(sentences)
    for sentence, following in zip(several, [*several[1:], None], strict=True):
        is_told_later = following is not None and following.source == sentence.source
        yield replace(sentence, source=known) if is_told_later else sentence


def with_places(book: Rulebook) -> Rulebook:
    """The rulebook with an anchor of its own for each chapter and section, and no link that leads elsewhere."""
    taken: set[str] = set()

    def placed(part: Part) -> Part:
        anchor, number = part.anchor, len(taken)
        while not anchor or anchor in taken:
            number += 1
            anchor = f"part-{number}"
        taken.add(anchor)
        return replace(part, anchor=anchor)

    chapters = tuple(
        replace(placed(chapter), sections=tuple(placed(section) for section in chapter.sections))
        for chapter in book.chapters
    )
    glossary = tuple(replace(word, anchor=word.anchor if word.anchor in taken else "") for word in book.glossary)
    kept = (replace(each, anchors=tuple(place for place in each.anchors if place in taken)) for each in book.index)
    index = tuple(entry for entry in kept if entry.anchors)
    return replace(book, chapters=chapters, glossary=glossary, index=index)
