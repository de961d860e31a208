"""Which sentences of a rulebook another edition does not have, and which only that one has."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from polis_rules.documentation.rulebook import (
    Block,
    Chapter,
    Example,
    Gone,
    Line,
    Paragraph,
    Point,
    Points,
    Rulebook,
    Ruling,
    Section,
    Sentence,
    Table,
)


@dataclass(frozen=True, slots=True)
class Edition:
    """What another edition says, by which it is seen what is new in a rulebook, and what is gone."""

    book: Rulebook
    words: frozenset[str]

    @staticmethod
    def of(book: Rulebook) -> Edition:
        """What a rulebook says."""
        return Edition(book, _said(book))

    @property
    def title(self) -> str:
        return self.book.title

    def lacks(self, part: Sentence | Line) -> bool:
        """Whether a sentence, or a row of a table, is not in this edition."""
        return _words(part) not in self.words


def with_gone(book: Rulebook, before: Edition) -> Rulebook:
    """The rulebook with what only the edition before says: in the section where that stood, or at the end."""
    still, named = _said(book), {_name(part) for part in _everything(book) if isinstance(part, Line)}

    def is_gone(part: Sentence | Line) -> bool:
        """Whether nothing is left of it; of a row whose values have changed, the new ones are marked."""
        return _name(part) not in named if isinstance(part, Line) else part.words not in still

    def gone(blocks: Iterable[Block]) -> tuple[Block, ...]:
        lost = [part for block in blocks for part in _parts(block) if is_gone(part)]
        said = (part.text if isinstance(part, Sentence) else _name(part) for part in lost)
        return (Gone(told),) if (told := tuple(dict.fromkeys(said))) else ()

    lost = {each.anchor: gone(each.blocks) for chapter in before.book.chapters for each in _places(chapter)}
    words = [f"{word.word}: {each.text}" for word in before.book.glossary for each in word.meaning if is_gone(each)]

    def section(each: Section) -> Section:
        return replace(each, blocks=(*each.blocks, *lost.pop(each.anchor, ())))

    def chapter(each: Chapter) -> Chapter:
        sections = tuple(map(section, each.sections))
        return replace(each, blocks=(*each.blocks, *lost.pop(each.anchor, ())), sections=sections)

    chapters = tuple(map(chapter, book.chapters))
    rest = [
        Section(each.title, f"gone-{each.anchor}", lost[each.anchor])
        for old in before.book.chapters
        for each in _places(old)
        if lost.get(each.anchor)
    ]
    if words:
        rest.append(Section("Glossary", "gone-glossary", (Gone(tuple(words)),)))
    last = (Chapter("What is no longer there", "gone", (), tuple(rest)),) if rest else ()
    return replace(book, chapters=(*chapters, *last))


def _words(part: Sentence | Line) -> str:
    return part.words if isinstance(part, Sentence) else "\t".join(part.cells)


def _name(line: Line) -> str:
    """What a row of a table is about: its first cell, or the one after a number."""
    return next((cell for cell in line.cells if not cell.isdecimal()), line.cells[0])


def _places(chapter: Chapter) -> Iterator[Chapter | Section]:
    yield chapter
    yield from chapter.sections


def _everything(book: Rulebook) -> Iterator[Sentence | Line]:
    """All that a rulebook says, but for titles."""
    blocks = [
        *book.introduction,
        *(block for each in book.chapters for place in _places(each) for block in place.blocks),
    ]
    yield from (part for block in blocks for part in _parts(block))
    yield from (sentence for word in book.glossary for sentence in word.meaning)


def _said(book: Rulebook) -> frozenset[str]:
    return frozenset(map(_words, _everything(book)))


def _parts(block: Block) -> list[Sentence | Line]:
    match block:
        case Paragraph() | Example():
            return [*block.sentences]
        case Points():
            return [sentence for point in block.points for sentence in _pointed(point)]
        case Table():
            return [*block.lines]
        case Ruling():
            return [block.sentence]
    return []


def _pointed(point: Point) -> list[Sentence]:
    return [point.sentence, *(sentence for below in point.below for sentence in _pointed(below))]
