"""A rulebook as PDF: with contents, page numbers and an index."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from polis_rules.documentation.rulebook import (
    NOWHERE,
    Block,
    Example,
    Gone,
    Line,
    Paragraph,
    Picture,
    Point,
    Points,
    Rulebook,
    Ruling,
    Sentence,
    Source,
    Table,
)
from polis_rules.publishing.comparison import Edition
from polis_rules.publishing.pictures import Drawing
from polis_rules.publishing.typesetting import Paper, typeset
from polis_rules.publishing.words import example_title, runs, sourced_once, with_places

TEMPLATE = Path(__file__).with_name("rulebook.typ")


def rulebook_pdf(
    book: Rulebook,
    pictures: Mapping[str, Drawing] | None = None,
    before: Edition | None = None,
    paper: Paper = Paper.a4,
) -> bytes:
    """A rulebook as PDF; see `rulebook_page` for the pictures and the edition before.

    Raises PolisError where typst is not installed.
    """
    drawn = {name: drawing.light for name, drawing in (pictures or {}).items()}
    files = {name: f"picture-{number}.svg" for number, name in enumerate(drawn)}
    data = _Data(with_places(book), files, before).whole()
    return typeset(TEMPLATE, data, paper, {files[name]: svg for name, svg in drawn.items()})


class _Data:
    """The rulebook as the template reads it."""

    def __init__(self, book: Rulebook, files: Mapping[str, str], before: Edition | None) -> None:
        self.book, self.files, self.before = book, files, before
        self.anchors: dict[str, str] = {}
        for section in book.sections:
            self.anchors.setdefault(section.title, section.anchor)

    def whole(self) -> dict[str, Any]:
        chapters = [
            {
                "title": chapter.title,
                "anchor": chapter.anchor,
                "blocks": self.blocks(chapter.blocks, NOWHERE),
                "sections": [
                    {
                        "title": section.title,
                        "anchor": section.anchor,
                        "source": _source(section.source, NOWHERE),
                        "blocks": self.blocks(section.blocks, section.source),
                    }
                    for section in chapter.sections
                ],
            }
            for chapter in self.book.chapters
        ]
        introduction = _Data(self.book, {}, None).blocks(self.book.introduction, NOWHERE)
        glossary = [
            {"word": word.word, "anchor": word.anchor, "meaning": self.sentences(word.meaning, NOWHERE)}
            for word in self.book.glossary
        ]
        index = [{"word": entry.word, "anchors": list(entry.anchors)} for entry in self.book.index]
        return {
            "title": self.book.title,
            "before": self.before.title if self.before is not None else "",
            "introduction": introduction,
            "chapters": chapters,
            "glossary": glossary,
            "index": index,
        }

    def blocks(self, blocks: Iterable[Block], known: Source) -> list[dict[str, Any]]:
        return [self.block(block, known) for block in blocks]

    def block(self, block: Block, known: Source) -> dict[str, Any]:
        match block:
            case Paragraph():
                return {"type": "paragraph", "sentences": self.sentences(block.sentences, known)}
            case Points():
                return {"type": "points", **self.points(block.points, block.numbered, known)}
            case Table():
                lines = [{"cells": list(line.cells), "new": self.is_new(line)} for line in block.lines]
                return {"type": "table", "heads": list(block.heads), "lines": lines}
            case Ruling():
                return {"type": "note", "label": "Ruling", "sentences": self.sentences([block.sentence], known)}
            case Example():
                told = self.sentences(block.sentences, known)
                picture = self.files.get(block.case, "")
                return {"type": "note", "label": example_title(block.title), "sentences": told, "picture": picture}
            case Gone():
                return {"type": "gone", "said": list(block.said)}
            case Picture():
                return {"type": "picture", "file": self.files.get("", ""), "caption": block.caption}

    def sentences(self, sentences: Iterable[Sentence], known: Source) -> list[dict[str, Any]]:
        return [self.sentence(each, known) for each in sourced_once(sentences, known)]

    def sentence(self, sentence: Sentence, known: Source) -> dict[str, Any]:
        parts = [
            {"text": text, "name": is_name, "anchor": at} for text, is_name, at in runs(sentence.words, self.anchors)
        ]
        return {"runs": parts, "new": self.is_new(sentence), "source": _source(sentence.source, known)}

    def points(self, points: Iterable[Point], numbered: bool, known: Source) -> dict[str, Any]:
        items = [
            {
                "sentence": self.sentence(point.sentence, known),
                "below": self.points(point.below, numbered, known) if point.below else None,
            }
            for point in points
        ]
        return {"numbered": numbered, "items": items}

    def is_new(self, part: Sentence | Line) -> bool:
        """Whether the edition before does not have it."""
        return self.before is not None and self.before.lacks(part)


def _source(source: Source, known: Source) -> str:
    """Citation and grade; empty where the heading says the same."""
    if (source.cite, source.grade) == (known.cite, known.grade):
        return ""
    return " · ".join(part for part in (source.cite, source.grade) if part)
