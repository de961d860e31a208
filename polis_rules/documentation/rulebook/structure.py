"""A rulebook as data, before it is printed: chapters, sections, sentences that know where they come from."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

MARKED = re.compile(r"(?<![\w*])\*(?=[^\s*])([^*\n]+)(?<=\S)\*(?![\w*])")
"""What is marked as the name of a rule; a star within or behind words is one of a title."""


@dataclass(frozen=True, slots=True)
class Source:
    """Where something comes from: its path in the ruleset, its citation and its grade, each perhaps empty."""

    path: str = ""
    cite: str = ""
    grade: str = ""


NOWHERE = Source()


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence, or the words of a cell or heading. Between stars stands the name of a section, which is a link."""

    words: str
    source: Source = NOWHERE

    @property
    def text(self) -> str:
        """The words without marks."""
        return MARKED.sub(r"\1", self.words)


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Sentences that follow each other."""

    sentences: tuple[Sentence, ...]


@dataclass(frozen=True, slots=True)
class Point:
    """An entry of a list, with what belongs below it."""

    sentence: Sentence
    below: tuple[Point, ...] = ()


@dataclass(frozen=True, slots=True)
class Points:
    """A list; numbered where its points follow each other in play."""

    points: tuple[Point, ...]
    numbered: bool = False


@dataclass(frozen=True, slots=True)
class Line:
    """A row of a table: its cells, and where it comes from in small letters."""

    cells: tuple[str, ...]
    source: Source = NOWHERE


@dataclass(frozen=True, slots=True)
class Table:
    """Values in columns, each with a head."""

    heads: tuple[str, ...]
    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class Ruling:
    """What was decided where the text is unclear, and why."""

    sentence: Sentence


@dataclass(frozen=True, slots=True)
class Example:
    """A worked example, told from a case of the ruleset."""

    case: str
    """its id; the picture of its position comes from there"""
    title: str
    sentences: tuple[Sentence, ...]


@dataclass(frozen=True, slots=True)
class Gone:
    """What another edition says here, and this one no longer does."""

    said: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Picture:
    """The board as the scenario sets it up."""

    caption: str


Block = Paragraph | Points | Table | Ruling | Example | Gone | Picture


@dataclass(frozen=True, slots=True)
class Section:
    """A rule, or rules, under one heading."""

    title: str
    anchor: str
    blocks: tuple[Block, ...]
    source: Source = NOWHERE


@dataclass(frozen=True, slots=True)
class Chapter:
    """Sections under one heading, perhaps with words before the first."""

    title: str
    anchor: str
    blocks: tuple[Block, ...]
    sections: tuple[Section, ...] = ()


@dataclass(frozen=True, slots=True)
class Word:
    """An entry of the glossary: a word, what it means, and the anchor of the section that explains it, if any does."""

    word: str
    meaning: tuple[Sentence, ...]
    anchor: str = ""


@dataclass(frozen=True, slots=True)
class Indexed:
    """An entry of the index: a word, and the anchors of the sections that are about it."""

    word: str
    anchors: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Rulebook:
    """A whole rulebook."""

    title: str
    introduction: tuple[Block, ...]
    chapters: tuple[Chapter, ...]
    glossary: tuple[Word, ...] = ()
    index: tuple[Indexed, ...] = ()

    @property
    def sections(self) -> Iterator[Section]:
        """All sections in order."""
        for chapter in self.chapters:
            yield from chapter.sections

    def anchor_of(self, title: str) -> str:
        """The anchor of the first section with this title; empty where there is none."""
        return next((section.anchor for section in self.sections if section.title == title), "")

    def sentences(self) -> Iterator[Sentence]:
        """Every sentence in the order of the page, without the cells of tables."""
        yield from _sentences(self.introduction)
        for chapter in self.chapters:
            yield from _sentences(chapter.blocks)
            for section in chapter.sections:
                yield from _sentences(section.blocks)
        for word in self.glossary:
            yield from word.meaning


def _sentences(blocks: Iterable[Block]) -> Iterator[Sentence]:
    for block in blocks:
        match block:
            case Paragraph() | Example():
                yield from block.sentences
            case Points():
                yield from _pointed(block.points)
            case Ruling():
                yield block.sentence


def _pointed(points: Iterable[Point]) -> Iterator[Sentence]:
    for point in points:
        yield point.sentence
        yield from _pointed(point.below)
