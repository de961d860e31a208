"""The rulebook of a ruleset, made from its rules: which chapters there are, and what stands in each."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping as Dict
from dataclasses import replace
from functools import cached_property

from polis_rules.documentation.citations import spoken_grade, spoken_grades
from polis_rules.documentation.rulebook.book import Book
from polis_rules.documentation.rulebook.english import PREPOSITIONS, end, listed, lower_first, upper_first
from polis_rules.documentation.rulebook.folding import Folding
from polis_rules.documentation.rulebook.items import Item
from polis_rules.documentation.rulebook.order import preparing, reached, told_inside
from polis_rules.documentation.rulebook.rules import Rules
from polis_rules.documentation.rulebook.saying import said_of, sayable
from polis_rules.documentation.rulebook.sentences import subject
from polis_rules.documentation.rulebook.structure import (
    MARKED,
    NOWHERE,
    Block,
    Chapter,
    Indexed,
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
    Word,
)
from polis_rules.schema import BookChapter, BookPlan, Row, Rule, Said
from polis_rules.semantics.expressions import Const
from polis_rules.source import Text, at, spoken

INTRODUCTION = (
    "This book is made from the rules that the program plays by, so it is true of every game. *Words like these* name "
    "other sections. 'You' is whoever acts."
)


SENTENCES = re.compile(r"(?<=[.?!]) (?=[A-Z*])")
"""Where a sentence that people wrote ends."""

FEW = 6
"""Of so many rows at most that have one ruling each is named."""

MANY_FLAGS = 3
"""So many columns of yes and no are one, which names what holds."""

TOLD = ("phases.", "procedures.")
"""How the paths of rules that are no actions begin."""


def rulebook(book: Book) -> Rulebook:
    """The whole rulebook.

    >>> from polis_rules.documentation.rulebook import read
    >>> [chapter.title for chapter in rulebook(read("yucata")).chapters][:3]
    ['The game', 'Components', 'Set-up']
    """
    return making(book).made()


def making(book: Book) -> Making:
    """What makes the rulebook of a ruleset, as that lays it out."""
    inside = _inside(book)
    said = {path: str(each.text) for path, each in _said(book, inside).items()}
    return Making(book, Folding(book), inside, said)


def proofs(book: Book) -> dict[str, Text]:
    """For each rule that is told in the ruleset's own words the case that proves these."""
    return {path: each.case for path, each in _said(book, _inside(book)).items()}


def own_words(book: Book, path: str) -> str | None:
    """What the ruleset itself says of a rule or row in its rulebook; None where the rulebook is made from the rule.

    Other rules that it names stand in quotation marks, as in sentences that are made from rules.

    >>> from polis_rules.documentation.rulebook import read
    >>> own_words(read("yucata"), "phases.pass_for_the_round")
    'You have passed and take no more turns this round.'
    """
    said = said_of(book, path, _inside(book))
    return MARKED.sub(r"'\1'", str(said.text)) if said is not None else None


def _inside(book: Book) -> frozenset[str]:
    """The rules that are told where they are carried out."""
    plan = book.document.book
    roots = [str(path) for chapter in plan.chapters.values() for path in chapter.rules] if plan is not None else []
    return told_inside(book, roots) | ({*map(str, plan.inside)} if plan is not None else set())


def _said(book: Book, inside: frozenset[str]) -> dict[str, Said]:
    """What the ruleset says itself, by the path of the rule."""
    return {path: said for path in sayable(book) if (said := said_of(book, path, inside)) is not None}


class Making(Rules):
    """Makes one rulebook."""

    @cached_property
    def plan(self) -> BookPlan | None:
        return self.book.document.book

    def made(self) -> Rulebook:
        introduction: list[Block] = [self._paragraph(INTRODUCTION)]
        if variants := self.book.composed.variant_titles:
            named = listed(variants)
            introduction.append(self._paragraph(f"{'Variants' if len(variants) > 1 else 'Variant'}: {named}"))
        chapters = tuple(self._chapters())
        glossary = tuple(self._glossary(chapters))
        title = str(self.book.document.manifest.title)
        return Rulebook(title, tuple(introduction), chapters, glossary, tuple(_index(chapters)))

    def _chapters(self) -> Iterator[Chapter]:
        planned = [*self._planned()]
        apart = [path for _, paths in planned for path in paths]
        course = [*self._reached(["phases.game"], apart)]
        before = preparing(self.book)
        starts = [f"actions.{name}" for name in self.book.document.actions]
        acted = [*self._reached(starts, [*course, *apart])]
        told = {path for root in ["phases.game", *starts, *apart] for path in reached(self.book, [root])}
        rest = [path for path in self.book.rules.procedures if path.startswith(TOLD) and path not in told]
        for title, blocks, sections in (
            ("The game", self._game(), ()),
            ("Settled before play", self._settings(), ()),
            ("Components", self._components(), ()),
            ("Set-up", (), (*self._start(), *self._procedures(before))),
            ("Course of the game", (), self._procedures(path for path in course if path not in before)),
            ("Actions", (), self._acts(acted)),
            *((str(chapter.title), self._opening(chapter), self._acts(paths)) for chapter, paths in planned),
            ("Further rules", (), self._procedures(rest)),
            ("End of the game", self._end(), ()),
            ("Tables", (), self._tables()),
            ("Routes", (), self._routes()),
            ("Connections", (), self._graphs()),
            ("Sources", self._sources(), ()),
        ):
            chapter = Chapter(title, _anchor(title), tuple(blocks), tuple(sections))
            if chapter.blocks or chapter.sections:
                yield chapter

    def _planned(self) -> Iterator[tuple[BookChapter, list[str]]]:
        """The chapters that the ruleset lays out itself, each with its rules."""
        chapters = [*self.plan.chapters.values()] if self.plan is not None else []
        taken = {str(path) for chapter in chapters for path in chapter.rules}
        for chapter in chapters:
            roots = [str(path) for path in chapter.rules]
            paths = [*self._reached(roots, taken - {*roots})]
            taken.update(paths)
            yield chapter, paths

    def _reached(self, roots: Iterable[str], apart: Iterable[str]) -> Iterator[str]:
        """Rules in the order in which they are told."""
        return reached(self.book, roots, apart)

    def _game(self) -> Iterator[Block]:
        """What the ruleset says of the game as a whole."""
        if self.plan is not None and self.plan.introduction is not None:
            yield self._text(str(self.plan.introduction), Source("book.introduction"))

    def _opening(self, chapter: BookChapter) -> Iterator[Block]:
        if chapter.text is not None:
            yield self._text(str(chapter.text), Source())

    def _text(self, text: str, source: Source) -> Paragraph:
        """Sentences that people wrote."""
        return Paragraph(tuple(Sentence(each, source) for each in SENTENCES.split(text.strip())))

    # -- parts ------------------------------------------------------------------------------------------------------

    def _paragraph(self, *sentences: str, source: Source = NOWHERE) -> Paragraph:
        return Paragraph(tuple(Sentence(end(upper_first(each)), source) for each in sentences))

    def _dashed(self, lines: Iterable[str], source: Source = NOWHERE) -> Iterator[Block]:
        if points := tuple(Point(Sentence(end(upper_first(line)), source)) for line in lines):
            yield Points(points)

    def _listed(self, items: Iterable[Item], source: Source = NOWHERE, numbered: bool = True) -> Points:
        return Points(_points(items, source), numbered)

    def _source(self, path: str, rule: Rule) -> Source:
        if not (rule.cite or rule.grade):
            return Source(path)
        return Source(path, str(rule.cite or "no citation"), spoken_grade(str(rule.grade or "")))

    def _section(self, called: str, path: str, rule: Rule, blocks: Iterable[Block]) -> Section:
        """A rule under its name: its title, what was ruled, and what it says."""
        source = self._source(path, rule)
        first: list[Block] = []
        if rule.title and str(rule.title) != called and path not in self.said:
            first.append(self._paragraph(str(rule.title), source=source))
        if rule.ruling:
            first.append(Ruling(Sentence(str(rule.ruling), source)))
        return Section(called, _anchor(path), (*first, *blocks), source)

    def _settings(self) -> Iterator[Block]:
        """What each setting is here, and what it may be."""
        yield from self._dashed(setting.told for setting in self.book.composed.settings.values())

    @cached_property
    def _words(self) -> set[str]:
        """The kinds whose members are the words of a setting, which are told where it is."""
        return {setting.kind for setting in self.book.composed.settings.values()}

    # -- rules ------------------------------------------------------------------------------------------------------

    def _procedures(self, paths: Iterable[str]) -> Iterator[Section]:
        """Procedures and phases, each under its name, but for those that are told where they are carried out."""
        for path in paths:
            if path in self.told_here:
                continue
            section, _, name = path.partition(".")
            rule = at(getattr(self.book.document, section), name)
            if told := self._told(path, rule):
                yield self._section(self.book.rule(path), path, rule, told)

    def _told(self, path: str, rule: Rule) -> list[Block]:
        """What a rule says: in the ruleset's own words, or as they are made from it."""
        source = self._source(path, rule)
        if path in self.said:
            return [self._text(self.said[path], source)]
        section, _, name = path.partition(".")
        items = self.action(name) if section == "actions" else self.steps(path)
        return [self._listed(items, source)] if items else []

    def _acts(self, paths: Iterable[str]) -> Iterator[Section]:
        """Actions, and after them what they carry out."""
        others = []
        for path in paths:
            section, _, name = path.partition(".")
            if section != "actions":
                others.append(path)
                continue
            action = at(self.book.document.actions, name)
            yield self._section(subject(self.book, ["actions", name]), path, action, self._told(path, action))
        yield from self._procedures(others)

    def _glossary(self, chapters: Iterable[Chapter]) -> list[Word]:
        """The terms that the chapters speak of, exactly; of others what people wrote, where their name is met."""
        settings, words = self.book.composed.settings, dict[str, Word]()
        asked = self.folding.asked if self.folding is not None else set(map(str, self.book.document.terms))
        names = [str(name) for name in self.book.document.terms if name not in settings and self._varies(str(name))]
        while waiting := [name for name in names if name in asked and name not in words]:
            for name in waiting:  # which may speak of others
                words[name] = self._word(name, [] if f"terms.{name}" in self.said else self.term(name))
        told = " ".join(each.text.lower() for each in Rulebook("", (), tuple(chapters)).sentences())
        for name in names:
            is_met = re.search(rf"\b{re.escape(spoken(name))}\b", told) is not None
            if name not in words and (is_met or f"terms.{name}" in self.said):
                words[name] = self._word(name, [])
        return [words[name] for name in names if name in words and words[name].meaning]

    def _varies(self, name: str) -> bool:
        """Whether a term is not always the same."""
        folding = self.folding
        return folding is None or name in folding.changed or folding.constant(name) is None

    def _word(self, name: str, exactly: list[str]) -> Word:
        term, path = at(self.book.document.terms, name), f"terms.{name}"
        source = self._source(path, term)
        said = [str(term.title)] if term.title else []
        if said and said[0].lower().removeprefix("is ") == spoken(name):
            said = []
        said = [self.said[path]] if path in self.said else [*said, *exactly]
        said += [f"ruling: {term.ruling}"] if term.ruling else []
        return Word(upper_first(spoken(name)), tuple(Sentence(end(upper_first(each)), source) for each in said))

    def _routes(self) -> Iterator[Section]:
        for name, route in self.book.document.routes.items():
            path = f"routes.{name}"
            source = self._source(path, route)
            said = [self._text(self.said[path], source)] if path in self.said else None
            yield self._section(
                upper_first(spoken(name)), path, route, said or self._dashed(self.route(name).values(), source)
            )

    def _end(self) -> Iterator[Block]:
        document = self.book.document
        endings = (
            Point(Sentence(end(self.book.rules.endings[name]), self._source(f"endings.{name}", ending)))
            for name, ending in document.endings.items()
        )
        yield Points(tuple(endings))
        if document.score.ruling:
            yield Ruling(Sentence(str(document.score.ruling), Source("score")))
        for section, head in (
            (
                "terms",
                "The score of a player is the sum of:" if len(document.score.terms) > 1 else "The score of a player:",
            ),
            ("tie_break", "A tie is broken, one after the other, by:"),
        ):
            if names := getattr(document.score, section):
                yield self._paragraph(head, source=self._source("score", document.score))
                yield from self._dashed((self.score(section, name) for name in names), Source(f"score.{section}"))
        if document.score.shared:
            yield self._paragraph("All who are still equal win together")

    # -- things -----------------------------------------------------------------------------------------------------

    def _start(self) -> Iterator[Section]:
        scenario = self.book.document.scenario
        source = self._source("scenario", scenario)
        known = Source("scenario", source.cite, source.grade)
        told: list[Block] = []
        for owner in dict.fromkeys(each.owner for each in self.book.rules.starts):
            if owner:
                heads, rows = self.start_of(owner)
            else:
                names = dict.fromkeys(each.name for each in self.book.rules.starts if not each.owner)
                parts = (self.start("", name, ()).partition(": ") for name in names)
                heads, rows = ("what", "at the beginning"), [(what, value) for what, _, value in parts]
            told.append(Table(heads, tuple(Line(cells, known) for cells in rows)))
        title = str(scenario.title or upper_first(spoken(scenario.scenario)))
        picture = [Picture("The board at the beginning")] if self.book.rules.board is not None else []
        yield self._section(title, "scenario", scenario, (*picture, *told))

    def _components(self) -> Iterator[Block]:
        """What there is and how many of it, what is paid how, and what not everybody sees."""
        lines = []
        for name, kind in self.book.document.kinds.items():
            if name in self._words or kind.numbers is not None or not (kind.attributes or kind.state):
                continue
            known = self.book.rules.symbols.kinds[name]
            copies = self.copied(known)
            number = sum(known.attributes[copies].values) if copies else len(known.members)
            named = "" if any(map(self._counts, kind.for_each.values())) else self.combination(name)
            if not kind.for_each and 1 < len(known.members) <= FEW:
                named = listed(map(self.book.full_title, [name] * number, known.members))
            cells = (str(number), upper_first(self.book.kinds(name) if number > 1 else self.book.kind(name)), named)
            lines.append(Line(cells, self._source(f"kinds.{name}", kind)))
        yield Table(("number", "what", "which"), tuple(lines))
        counted = (each for each in self.book.rules.supplies if isinstance(self.say.settled(each.total), Const))
        told = [f"{spoken(each.name)}: {self.pieces(each.name)}" for each in counted]
        told += [self.in_force(name) for name, kind in self.book.document.kinds.items() if kind.in_force is not None]
        secret = []
        for owner in ("", *map(str, self.book.document.kinds)):
            state = at(self.book.document.kinds, owner).state if owner else self.book.document.state
            for variable in (self.book.rules.symbols.variable(owner, name) for name in state):
                label = variable.label.partition(" (")[0]
                told += [f"{label}{paid}"] if (paid := self.paid(variable)) else []
                secret += [f"{self._whose(owner, label)}: {seen}" for seen in self.seen(variable)]
        yield from self._dashed(told)
        if secret:
            yield self._paragraph("Not everybody sees these:")
            yield from self._dashed(secret)

    def _counts(self, kind: str) -> bool:
        """Whether the members of a kind are mere numbers."""
        return at(self.book.document.kinds, kind).numbers is not None

    def _whose(self, owner: str, label: str) -> str:
        """State with the kind that has it: `strength of blocks`, `coin cards in hand`."""
        if owner in ("", "player"):
            return label
        first, last = label.split(" ")[0], label.split(" ")[-1]
        kinds = self.book.kinds(owner)
        return f"{kinds} {label}" if first in PREPOSITIONS or last in PREPOSITIONS else f"{label} of {kinds}"

    def _graphs(self) -> Iterator[Section]:
        for name, graph in self.book.document.graphs.items():
            path = f"graphs.{name}"
            source = self._source(path, graph)
            blocks: list[Block] = []
            if derived := self.derived(name):
                blocks.append(self._paragraph(f"Joins {derived}", source=source))
            joined = tuple(Line((place, listed(others)), source) for place, others in self.joined(name).items())
            blocks += [Table(("from", "to"), joined)] if joined else []
            one_way = (self.edge(name, edge) for edge, each in (graph.edges or {}).items() if each.one_way)
            yield self._section(upper_first(spoken(name)), path, graph, (*blocks, *self._dashed(one_way, source)))

    def _tables(self) -> Iterator[Section]:
        for kind, rows in self.book.document.tables.items():
            if kind in self._words or self.combination(str(kind)):
                continue
            shared = Counter(str(row.ruling) for row in rows.values() if row.ruling)
            carried = []
            for member, row in rows.items():
                ruling = (Item(f"ruling: {row.ruling}"),) if shared[str(row.ruling)] == 1 else ()
                path, title = f"tables.{kind}.{member}", self.book.full_title(kind, member)
                if said := self.said.get(path):
                    carried.append(Point(Sentence(f"{title}: {said}", Source(path)), _points(ruling, Source(path))))
                elif len(items := (*self.carried(kind, member), *ruling)) == 1 > len(ruling) and (
                    line := _in_one(items[0])
                ):
                    carried.append(Point(Sentence(f"{title}: {end(line)}", Source(path))))
                elif items:
                    carried.append(Point(Sentence(f"{title}:"), _points(items, Source(path))))
            often = tuple(self._shared_ruling(kind, rows, each) for each, times in shared.items() if times > 1)
            blocks = (self._members(kind, rows), *often, *([Points(tuple(carried))] if carried else ()))
            yield Section(upper_first(self.book.kinds(kind)), _anchor(f"tables.{kind}"), blocks)

    def _shared_ruling(self, kind: str, rows: Dict[Text, Row], ruling: str) -> Ruling:
        """A ruling that several rows have, once, after the rows that it is about."""
        about = [self.book.full_title(kind, member) for member, row in rows.items() if row.ruling == ruling]
        which = "all" if len(about) == len(rows) else f"{len(about)} of {len(rows)}"
        named = f"{listed(dict.fromkeys(about))}: " if len(about) <= FEW else f"({which} {self.book.kinds(kind)}) "
        return Ruling(Sentence(named + ruling, Source(f"tables.{kind}")))

    def _members(self, kind: str, rows: Dict[Text, Row]) -> Block:
        """The rows of a kind: a table, or just their names where there is no more to say of them."""
        table = self._table(kind, rows)
        sources = {(line.source.cite, line.source.grade) for line in table.lines}
        if len(table.heads) > 1 or len(sources) > 1:
            return table
        source = replace(table.lines[0].source, path=f"tables.{kind}") if table.lines else NOWHERE
        return self._paragraph(listed(line.cells[0] for line in table.lines), source=source)

    def _table(self, kind: str, rows: Dict[Text, Row]) -> Table:
        attributes = self.book.rules.symbols.kinds[kind].attributes
        columns = self.plain(kind)
        flags = [each for each in columns if attributes[each].spec.kind == "flag" and not attributes[each].per]
        if len(flags) < MANY_FLAGS:
            flags = []
        said = all(f"tables.{kind}.{member}" in self.said for member in rows)
        columns = [each for each in columns if each not in flags and not (said and attributes[each].is_formula)]
        titles = (attributes[each].heading for each in columns)
        heads = (self.book.rules.symbols.kinds[kind].title, *titles, *(["is"] if flags else []))
        lines = []
        for member, row in rows.items():
            source = Source(f"tables.{kind}.{member}", str(row.cite or "").replace("_", " "), spoken_grades(row))
            held = [attributes[each].label for each in flags if self.value(kind, member, each) == "yes"]
            cells = (self.book.full_title(kind, member), *(self.value(kind, member, each) for each in columns))
            lines.append(Line((*cells, *([", ".join(held)] if flags else [])), source))
        return Table(heads, tuple(lines))

    def _sources(self) -> Iterator[Block]:
        yield from self._dashed(
            f"{spoken(name)}: {end(str(source.title))}{f' <{source.url}>' if source.url else ''}"
            for name, source in self.book.document.manifest.sources.items()
        )


def _anchor(path: str) -> str:
    """What links lead to: `actions-dig` for the path `actions.dig`."""
    return re.sub(r"[^a-z0-9]+", "-", path.lower()).strip("-")


def _points(items: Iterable[Item], source: Source) -> tuple[Point, ...]:
    return tuple(
        Point(
            Sentence(f"{upper_first(item.text)}:" if item.below else end(upper_first(item.text)), source),
            _points(item.below, source),
        )
        for item in items
    )


def _index(chapters: Iterable[Chapter]) -> Iterator[Indexed]:
    """The titles of all sections in the order of letters, each with where it stands."""
    places: dict[str, list[str]] = {}
    for chapter in chapters:
        for section in chapter.sections:
            places.setdefault(section.title, []).append(section.anchor)
    for title in sorted(places, key=str.lower):
        yield Indexed(title, tuple(places[title]))


def _in_one(item: Item) -> str:
    """What is told in one line: an item with one below it at most, and nothing below that; else empty."""
    if not item.below:
        return item.text
    plain = len(item.below) == 1 and not item.below[0].below
    return f"{lower_first(item.text)}, {item.below[0].text}" if plain else ""
