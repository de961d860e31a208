"""The whole rulebook as a page of Markdown."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping as Dict
from functools import cached_property
from typing import TypeVar

from polis_rules.diagnostics import printable
from polis_rules.documentation.citations import spoken_grade, spoken_grades
from polis_rules.documentation.rulebook.book import Book
from polis_rules.documentation.rulebook.english import end, upper_first
from polis_rules.documentation.rulebook.items import Item, in_list
from polis_rules.documentation.rulebook.rules import Rules
from polis_rules.documentation.rulebook.sentences import subject
from polis_rules.schema import Graph, Kind, Row, Rule, Term
from polis_rules.semantics import every_step, ir
from polis_rules.source import Text, spoken

R = TypeVar("R", bound=Rule)

INTRODUCTION = (
    "This page is made from the rules that the program runs; only titles, citations and rulings are written by "
    "people. What a requirement asks for exactly stands in brackets after it. *Words in italics* are the names "
    "of rules on this page, words in 'quotes' those of terms, buttons or notes. 'You' is whoever acts."
)


def rulebook(book: Book) -> str:
    """The whole rulebook as Markdown: course, actions, procedures, terms, routes, end, set-up, things, tables, sources.

    >>> from polis_rules.documentation.rulebook import read
    >>> rulebook(read("yucata")).startswith("# ")
    True
    """
    return "\n".join(map(_harmless, Page(book).lines())).rstrip() + "\n"


def _harmless(line: str) -> str:
    """A line in which the words of a ruleset are text: no line of their own, no HTML, no links but the sources'."""
    line = printable(line.replace("\n", " "))
    if line.startswith("#"):
        line = line.replace("*", "\\*")
    return re.sub(r"<(?!/?sub>|https?://[^\s<>]+>)", "&lt;", line).replace("](", "]\\(")


def _dashed(lines: Iterable[str]) -> Iterator[str]:
    yield from (f"- {end(upper_first(line))}" for line in lines)


def _source(*parts: object) -> str:
    """Citation and grade in small letters; empty without both."""
    shown = " · ".join(str(part) for part in parts if part)
    return f"<sub>{shown}</sub>" if shown else ""


class Page(Rules):
    """Writes one page."""

    def lines(self) -> Iterator[str]:
        """The lines of the page."""
        yield from (f"# {self.book.document.manifest.title}", "", INTRODUCTION, "")
        if len(self.book.composed.layers) > 1:
            yield from (f"Made of: {', '.join(self.book.composed.layers)}.", "")
        document = self.book.document
        for title, part in (
            ("Settled before play", self._settings()),
            ("Course of the game", self._procedures("phases", self._in_order())),
            ("Actions", self._actions()),
            ("Procedures", self._procedures("procedures", document.procedures)),
            ("Terms", self._named(self._terms(), self.term)),
            ("Routes", self._named(document.routes, lambda name: self.route(name).values())),
            ("End of the game", self._end()),
            ("Set-up", self._start()),
            ("Things", self._kinds()),
            ("Connections", self._graphs()),
            ("Tables", self._tables()),
            ("Pieces", self._supplies()),
            ("Sources", self._sources()),
        ):
            if lines := list(part):
                yield from (f"## {title}", "", *lines)

    def _entry(self, called: str, rule: Rule, lines: Iterable[str]) -> Iterator[str]:
        """What a rule is called, its citation, grade and ruling, and what it says."""
        yield from (f"### {called}", "")
        if rule.title and str(rule.title) != called:
            yield from (end(str(rule.title)), "")
        yield from self._about(rule)
        if of := getattr(rule, "of", None):
            yield from (end(f"Given {self.params(of)}"), "")
        yield from (*lines, "")

    def _about(self, rule: Rule) -> Iterator[str]:
        """Citation, grade and ruling."""
        if rule.cite or rule.grade:
            yield from (_source(rule.cite or "no citation", spoken_grade(str(rule.grade or ""))), "")
        if rule.ruling:
            yield from (f"> Ruling: {rule.ruling}", "")

    def _settings(self) -> Iterator[str]:
        """What each setting is here, and what it may be."""
        for setting in self.book.composed.settings.values():
            yield f"- {upper_first(setting.told)}."
        if self.book.composed.settings:
            yield ""

    @cached_property
    def _words(self) -> set[str]:
        """The kinds whose members are the words of a setting, which are told where it is."""
        return {setting.kind for setting in self.book.composed.settings.values()}

    # -- rules ------------------------------------------------------------------------------------------------------

    def _in_order(self) -> list[str]:
        """The phases as play comes to them, and then any that it never comes to."""
        names: list[str] = []
        waiting = ["game"]
        while waiting:
            name = waiting.pop(0)
            if name in names:
                continue
            names.append(name)
            steps = every_step(self.book.rules.procedures[f"phases.{name}"].body)
            called = [step.procedure.partition(".") for step in steps if isinstance(step, ir.Do)]
            waiting = [each for section, _, each in called if section == "phases"] + waiting
        return [*names, *(name for name in self.book.document.phases if name not in names)]

    def _procedures(self, section: str, names: Iterable[str]) -> Iterator[str]:
        for name in names:
            path = f"{section}.{name}"
            told = in_list(self.steps(path)) or ["Nothing."]
            yield from self._entry(self.book.rule(path), getattr(self.book.document, section)[name], told)

    def _actions(self) -> Iterator[str]:
        for name, action in self.book.document.actions.items():
            yield from self._entry(subject(self.book, ["actions", name]), action, in_list(self.action(name)))

    def _terms(self) -> dict[Text, Term]:
        """The terms that are no settings."""
        settings = self.book.composed.settings
        return {name: term for name, term in self.book.document.terms.items() if name not in settings}

    def _named(self, rules: Dict[Text, R], told: Callable[[str], Iterable[str]]) -> Iterator[str]:
        for name, rule in rules.items():
            yield from self._entry(upper_first(spoken(name)), rule, _dashed(told(name)))

    def _end(self) -> Iterator[str]:
        document = self.book.document
        for name, ending in document.endings.items():
            yield f"- {end(self.book.rules.endings[name])} {_source(ending.cite)}".rstrip()
        yield ""
        yield from self._about(document.score)
        for section, head in (
            ("terms", "The score of a player is the sum of:"),
            ("tie_break", "A tie is broken, one after the other, by:"),
        ):
            if names := getattr(document.score, section):
                yield from (head, "", *_dashed(self.score(section, name) for name in names), "")
        if document.score.shared:
            yield from ("All who are still equal win together.", "")

    # -- things -----------------------------------------------------------------------------------------------------

    def _start(self) -> Iterator[str]:
        scenario = self.book.document.scenario
        told = _dashed(self.starts())
        yield from self._entry(str(scenario.title or upper_first(spoken(scenario.scenario))), scenario, told)

    def _kinds(self) -> Iterator[str]:
        for name, kind in self.book.document.kinds.items():
            if name in self._words:
                continue
            yield from self._entry(self.book.rules.symbols.kinds[name].title, kind, self._kind(name, kind))
        if state := self.book.document.state:
            yield from ("### The game itself", "")
            yield from (*(f"- In play: {end(self.state('', name))}" for name in state), "")

    def _kind(self, name: str, kind: Kind) -> Iterator[str]:
        if kind.for_each or kind.numbers:
            yield from _dashed([self.combination(name)])
        yield from _dashed(self.attributes(name))
        yield from (f"- In play: {end(self.state(name, key))}" for key in kind.state)
        if kind.in_force is not None:
            yield from _dashed([self.in_force(name)])

    def _graphs(self) -> Iterator[str]:
        for name, graph in self.book.document.graphs.items():
            yield from self._entry(upper_first(spoken(name)), graph, self._graph(name, graph))

    def _graph(self, name: str, graph: Graph) -> Iterator[str]:
        if derived := self.derived(name):
            yield from (f"Joins {derived}.", "")
        for edge, written in (graph.edges or {}).items():
            yield f"- {end(upper_first(self.edge(name, edge)))} {_source(written.cite)}".rstrip()

    def _tables(self) -> Iterator[str]:
        for kind, rows in self.book.document.tables.items():
            if kind in self._words or self.combination(str(kind)):
                continue
            yield from (f"### {upper_first(self.book.kinds(kind))}", "")
            yield from self._table(kind, rows)
            for member, row in rows.items():
                ruling = (Item(f"ruling: {row.ruling}"),) if row.ruling else ()
                if items := (*self.carried(kind, member), *ruling):
                    title = self.book.full_title(kind, member)
                    yield from (*in_list([Item(f"**{title}**", items)], numbered=False), "")

    def _table(self, kind: str, rows: Dict[Text, Row]) -> Iterator[str]:
        columns = self.plain(kind)
        heads = [self.book.rules.symbols.kinds[kind].title, *(spoken(each) for each in columns), "source"]
        yield f"| {' | '.join(heads)} |"
        yield "| --- " * (len(columns) + 2) + "|"
        for member, row in rows.items():
            source = _source(str(row.cite or "").replace("_", " "), spoken_grades(row))
            cells = [self.book.full_title(kind, member), *(self.value(kind, member, each) for each in columns), source]
            yield f"| {' | '.join(cell.replace('|', '/') for cell in cells)} |"
        yield ""

    def _supplies(self) -> Iterator[str]:
        for name, supply in self.book.document.supplies.items():
            called = str(supply.title or upper_first(spoken(name)))
            yield from self._entry(called, supply, _dashed(self.supply(name).values()))
        if invariants := self.book.document.invariants:
            yield from ("### What always holds", "")
            yield from (*_dashed(self.invariant(label) for label in invariants), "")

    def _sources(self) -> Iterator[str]:
        for name, source in self.book.document.manifest.sources.items():
            yield f"- {name}: {end(str(source.title))}{f' <{source.url}>' if source.url else ''}"
        if self.book.document.manifest.sources:
            yield ""
