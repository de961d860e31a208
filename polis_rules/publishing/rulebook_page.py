"""A rulebook as one page of HTML: contents, search, links, pictures, and where each rule comes from on request."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from polis_rules.diagnostics import some
from polis_rules.documentation.rulebook import (
    NOWHERE,
    Block,
    Chapter,
    Example,
    Gone,
    Line,
    Paragraph,
    Picture,
    Point,
    Points,
    Rulebook,
    Ruling,
    Section,
    Sentence,
    Source,
    Table,
)
from polis_rules.publishing.comparison import Edition
from polis_rules.publishing.markup import Markup, element, markup, page, picture
from polis_rules.publishing.pictures import Drawing
from polis_rules.publishing.words import example_title, runs, sourced_once, with_places


def rulebook_page(book: Rulebook, pictures: Mapping[str, Drawing] | None = None, before: Edition | None = None) -> str:
    """A rulebook as HTML that loads nothing.

    `pictures` are those of examples by the id of their case, and that of the set-up by an empty id. What an edition
    `before` does not say is marked.

    >>> from polis_rules.documentation.rulebook import read, rulebook
    >>> rulebook_page(rulebook(read("yucata")))[:15]
    '<!DOCTYPE html>'
    """
    return _Page(with_places(book), pictures or {}, before).page()


class _Page:
    def __init__(self, book: Rulebook, pictures: Mapping[str, Drawing], before: Edition | None) -> None:
        self.book, self.pictures, self.before = book, pictures, before
        self.anchors: dict[str, str] = {}
        for section in book.sections:
            self.anchors.setdefault(section.title, section.anchor)
        self.titles = {each.anchor: each.title for each in book.sections}
        self.titles |= {each.anchor: each.title for each in book.chapters}

    def page(self) -> str:
        main = [self.chapter(each) for each in self.book.chapters]
        return page(
            self.book.title,
            element("a", "To the rules", class_="skip", href="#Rules"),
            element("header", element("h1", self.book.title), *self.introduction(), *self.tools()),
            self.contents(),
            element("main", *main, self.glossary(), self.index(), id="Rules"),
            sheet="rulebook.css",
            script="rulebook.js",
        )

    # -- head -------------------------------------------------------------------------------------------------------

    def introduction(self) -> Iterator[Markup]:
        yield from _Page(self.book, {}, None).blocks(self.book.introduction, NOWHERE)
        if self.before is not None:
            mark = element("span", "new", class_="new-mark")
            yield element("p", "What ", element("cite", self.before.title), " does not say is marked ", mark, ".")
            yield element("p", "What it says and this one does not is ", element("del", "crossed out"), ".")

    def tools(self) -> Iterator[Markup]:
        """The search, and the switch that shows where each rule comes from."""
        search = element("input", type="search", id="Search", autocomplete="off", aria_controls="Rules")
        switch = element("input", type="checkbox", id="Sources")
        yield element(
            "div",
            element("label", "Search ", search),
            element("span", id="Found", class_="small", role="status"),
            element("label", switch, " Paths, citations and grades"),
            class_="tools screen",
        )

    def contents(self) -> Markup:
        items = []
        for chapter in self.book.chapters:
            inner = [self.link(section.anchor) for section in chapter.sections]
            below = element("details", element("summary", some(len(inner), "section")), element("ul", *_items(inner)))
            items.append([self.link(chapter.anchor), *([below] if inner else [])])
        more = [("Glossary", self.book.glossary), ("Index", self.book.index)]
        items += [[element("a", name, href=f"#{name}")] for name, entries in more if entries]
        return element("nav", element("h2", "Contents"), element("ol", *_items(items)), aria_label="Contents")

    def link(self, anchor: str) -> Markup:
        return element("a", self.titles[anchor], href=f"#{anchor}")

    # -- chapters ---------------------------------------------------------------------------------------------------

    def chapter(self, chapter: Chapter) -> Markup:
        inner = [self.section(each) for each in chapter.sections]
        heading = element("h2", chapter.title, id=chapter.anchor)
        return element("section", heading, *self.blocks(chapter.blocks, NOWHERE), *inner, class_="chapter")

    def section(self, section: Section) -> Markup:
        heading = element("h3", section.title, self.source(section.source), id=section.anchor)
        return element("section", heading, *self.blocks(section.blocks, section.source), class_="rule")

    def source(self, source: Source, known: Source = NOWHERE) -> Markup:
        """Path, citation and grade, shown on request; nothing where the heading says the same."""
        parts = [element("code", source.path)] if source.path and source.path != known.path else []
        if (source.cite, source.grade) != (known.cite, known.grade):
            parts += [markup(each) for each in (source.cite, source.grade) if each]
        between = [[" · " if number else " ", part] for number, part in enumerate(parts)]
        return element("span", *between, class_="source small") if parts else markup()

    # -- blocks -----------------------------------------------------------------------------------------------------

    def blocks(self, blocks: Iterable[Block], known: Source) -> Iterator[Markup]:
        for block in blocks:
            yield self.block(block, known)

    def block(self, block: Block, known: Source) -> Markup:
        match block:
            case Paragraph():
                return element("p", *self.sentences(block.sentences, known))
            case Points():
                return self.points(block.points, block.numbered, known)
            case Table():
                return self.table(block)
            case Ruling():
                return element("p", element("strong", "Ruling: "), self.sentence(block.sentence, known), class_="note")
            case Example():
                return self.example(block, known)
            case Gone():
                told = [element("li", element("del", each)) for each in block.said]
                return element("div", element("p", "No longer:"), element("ul", *told), class_="note gone")
            case Picture():
                return self.figure("", block.caption)

    def sentences(self, sentences: Iterable[Sentence], known: Source) -> Iterator[Markup]:
        for number, each in enumerate(sourced_once(sentences, known)):
            yield markup(" " if number else "", self.sentence(each, known))

    def sentence(self, sentence: Sentence, known: Source) -> Markup:
        """A sentence with its links; marked where the edition before does not have it."""
        inner = [
            element("a", text, href=f"#{place}") if place else element("em", text) if is_name else markup(text)
            for text, is_name, place in runs(sentence.words, self.anchors)
        ]
        if self.before is not None and self.before.lacks(sentence):
            inner = [element("span", "new", class_="new-mark"), markup(" "), element("mark", *inner)]
        return markup(*inner, self.source(sentence.source, known))

    def points(self, points: Iterable[Point], numbered: bool, known: Source) -> Markup:
        items = [
            element(
                "li",
                self.sentence(point.sentence, known),
                *([self.points(point.below, numbered, known)] if point.below else []),
            )
            for point in points
        ]
        return element("ol" if numbered else "ul", *items)

    def table(self, table: Table) -> Markup:
        is_sourced = any(line.source != NOWHERE for line in table.lines)
        heads = [element("th", each, scope="col") for each in table.heads]
        heads += [element("th", "Source", scope="col", class_="source")] if is_sourced else []
        lines = [self.line(line, is_sourced) for line in table.lines]
        return element(
            "div",
            element("table", element("thead", element("tr", *heads)), element("tbody", *lines)),
            class_="scroll", tabindex="0", role="region", aria_label=table.heads[0] if table.heads else "Table",
        )  # fmt: skip

    def line(self, line: Line, is_sourced: bool) -> Markup:
        is_new = self.before is not None and self.before.lacks(line)
        mark = [element("span", "new", class_="new-mark"), " "] if is_new else []
        cells = [element("th", *mark, *line.cells[:1], scope="row"), *(element("td", each) for each in line.cells[1:])]
        cells += [element("td", self.source(line.source), class_="source")] if is_sourced else []
        return element("tr", *cells, class_="new" if is_new else None)

    def example(self, example: Example, known: Source) -> Markup:
        told = element(
            "p", element("strong", f"{example_title(example.title)}. "), *self.sentences(example.sentences, known)
        )
        return element(
            "div",
            told,
            self.figure(example.case, "The position at the beginning of the example"),
            class_="example",
            role="note",
        )

    def figure(self, name: str, caption: str) -> Markup:
        """A picture, dark on dark screens; nothing where there is none."""
        drawing = self.pictures.get(name)
        if drawing is None:
            return markup()
        image = element("img", src=picture(drawing.light), alt=caption)
        dark = element("source", srcset=picture(drawing.dark), media="screen and (prefers-color-scheme: dark)")
        return element("figure", element("picture", dark, image), element("figcaption", caption))

    # -- end --------------------------------------------------------------------------------------------------------

    def glossary(self) -> Markup:
        entries = [
            (
                element("dt", element("a", word.word, href=f"#{word.anchor}") if word.anchor else word.word),
                element("dd", *self.sentences(word.meaning, NOWHERE)),
            )
            for word in self.book.glossary
        ]
        heading = element("h2", "Glossary", id="Glossary")
        return element("section", heading, element("dl", *entries), class_="chapter") if entries else markup()

    def index(self) -> Markup:
        entries = []
        for entry in self.book.index:
            places = [[", " if number else " ", self.link(each)] for number, each in enumerate(entry.anchors)]
            is_itself = [self.titles[each] for each in entry.anchors] == [entry.word]
            entries.append(self.link(entry.anchors[0]) if is_itself else markup(entry.word, ":", *places))
        heading = element("h2", "Index", id="Index")
        listed = element("ul", *_items(entries), class_="index")
        return element("section", heading, listed, class_="chapter") if entries else markup()


def _items(items: Iterable[str | list[Markup]]) -> list[Markup]:
    return [element("li", each) for each in items]
