"""A rulebook printed as Markdown or as plain text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from polis_rules.diagnostics import printable
from polis_rules.documentation.rulebook.structure import (
    MARKED,
    NOWHERE,
    Block,
    Example,
    Gone,
    Paragraph,
    Picture,
    Point,
    Points,
    Rulebook,
    Ruling,
    Section,
    Source,
    Table,
)


def markdown(book: Rulebook) -> str:
    """The rulebook as Markdown."""
    return "\n".join(map(_harmless, _page(book))).rstrip() + "\n"


def text(book: Rulebook) -> str:
    """The rulebook as plain text: without marks, and without where each rule comes from."""
    lines = (line for line in _page(book, sources=False) if not line.startswith("<sub>"))
    plain = (re.sub(r"^#+ |\*\*", "", re.sub(r" ?<sub>.*?</sub>", "", line)) for line in lines)
    plain = (MARKED.sub(r'"\1"', line) for line in plain)
    return re.sub(r"\n{3,}", "\n\n", "\n".join(map(printable, plain))).rstrip() + "\n"


def _harmless(line: str) -> str:
    """A line in which the words of a ruleset are text: no line of their own, no HTML, no links but the sources'."""
    line = printable(line.replace("\n", " "))
    if line.startswith("#"):
        line = line.replace("*", "\\*")
    return re.sub(r"<(?!/?sub>|https?://[^\s<>]+>)", "&lt;", line).replace("](", "]\\(")


def _page(book: Rulebook, sources: bool = True) -> Iterator[str]:
    yield from (f"# {book.title}", "", *_blocks(book.introduction))
    for chapter in book.chapters:
        yield from (f"## {chapter.title}", "", *_blocks(chapter.blocks, sources=sources))
        for section in chapter.sections:
            yield from _section(section, sources)
    if book.glossary:
        yield from ("## Glossary", "")
        for word in book.glossary:
            said = " ".join(each.words for each in word.meaning)
            yield f"- **{word.word}**: {said} {_small(word.meaning[0].source)}".rstrip()


def _section(section: Section, sources: bool) -> Iterator[str]:
    yield from (f"### {section.title}", "")
    if source := _small(section.source):
        yield from (source, "")
    yield from _blocks(section.blocks, section.source, sources)


def _small(source: Source, known: Source = NOWHERE) -> str:
    """Citation and grade in small letters; empty without both, and where they are known from the heading."""
    if (source.cite, source.grade) == (known.cite, known.grade):
        return ""
    shown = " · ".join(part for part in (source.cite, source.grade) if part)
    return f"<sub>{shown}</sub>" if shown else ""


def _blocks(blocks: Iterable[Block], known: Source = NOWHERE, sources: bool = True) -> Iterator[str]:
    for block in blocks:
        if not isinstance(block, Picture):
            yield from (*_block(block, known, sources), "")


def _block(block: Block, known: Source, sources: bool) -> Iterator[str]:
    match block:
        case Paragraph():
            yield " ".join(f"{each.words} {_small(each.source, known)}".rstrip() for each in block.sentences)
        case Points():
            yield from _points(block.points, block.numbered, known)
        case Table():
            yield from _table(block, sources)
        case Ruling():
            yield f"> Ruling: {block.sentence.words}"
        case Example():
            yield f"> Example: {block.title}."
            yield from (f"> - {each.words}" for each in block.sentences)
        case Gone():
            yield f"No longer: {' '.join(block.said)}"


def _table(table: Table, sources: bool) -> Iterator[str]:
    """A table, with a column for where its rows come from if any says so."""
    small = [_small(line.source) if sources else "" for line in table.lines]
    more = any(small)
    yield f"| {' | '.join((*table.heads, *(['source'] * more)))} |"
    yield "| --- " * (len(table.heads) + more) + "|"
    for line, source in zip(table.lines, small, strict=True):
        cells = (*line.cells, *([source] * more))
        yield f"| {' | '.join(cell.replace('|', '/') for cell in cells)} |"


def _points(points: Iterable[Point], numbered: bool, known: Source, depth: int = 0) -> Iterator[str]:
    for number, point in enumerate(points, 1):
        mark = f"{number}." if numbered else "-"
        yield f"{'   ' * depth}{mark} {point.sentence.words} {_small(point.sentence.source, known)}".rstrip()
        yield from _points(point.below, numbered, known, depth + 1)
