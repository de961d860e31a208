"""Which sentences of a rulebook another edition does not have."""

from __future__ import annotations

from dataclasses import dataclass

from polis_rules.documentation.rulebook import (
    Block,
    Example,
    Line,
    Paragraph,
    Point,
    Points,
    Rulebook,
    Ruling,
    Sentence,
    Table,
)


@dataclass(frozen=True, slots=True)
class Edition:
    """What another edition says, by which it is seen what is new in a rulebook."""

    title: str
    words: frozenset[str]

    @staticmethod
    def of(book: Rulebook) -> Edition:
        """What a rulebook says."""
        return Edition(book.title, frozenset(_said(book)))

    def lacks(self, part: Sentence | Line) -> bool:
        """Whether a sentence, or a row of a table, is not in this edition."""
        return _words(part) not in self.words


def _words(part: Sentence | Line) -> str:
    return part.words if isinstance(part, Sentence) else "\t".join(part.cells)


def _said(book: Rulebook) -> list[str]:
    blocks = [*book.introduction]
    for chapter in book.chapters:
        blocks += chapter.blocks
        for section in chapter.sections:
            blocks += section.blocks
    meanings = (sentence for word in book.glossary for sentence in word.meaning)
    return [_words(part) for block in blocks for part in _parts(block)] + [_words(each) for each in meanings]


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
