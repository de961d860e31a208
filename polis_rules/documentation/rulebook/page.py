"""The whole rulebook as a page of Markdown."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from polis_rules.documentation.citations import spoken_grade
from polis_rules.documentation.rulebook.book import Book, at
from polis_rules.documentation.rulebook.english import end, upper_first
from polis_rules.documentation.rulebook.items import Item, in_list
from polis_rules.documentation.rulebook.rules import Rules
from polis_rules.documentation.rulebook.sentences import subject
from polis_rules.documentation.rulebook.steps import done_by
from polis_rules.documentation.rulebook.values import Values
from polis_rules.schema import Rule
from polis_rules.source import spoken

INTRODUCTION = (
    "This page is made from the rules that the program runs; only titles, citations and rulings are written by "
    "people. What a requirement asks for exactly stands in brackets after it. *Words in italics* are the names "
    "of rules on this page, words in 'quotes' those of terms, buttons or notes. 'You' is whoever acts."
)


def page(book: Book) -> str:
    """Everything about a ruleset, in the order of play: things, places, terms, set-up, course, actions, end."""
    return "\n".join(Page(book).lines()).rstrip() + "\n"


@dataclass(frozen=True)
class Page:
    """Writes one page."""

    book: Book

    def lines(self) -> Iterator[str]:
        """The lines of the page."""
        manifest = self.book.document.manifest
        yield from (f"# {manifest.title}", "", INTRODUCTION, "")
        if len(self.book.composed.layers) > 1:
            yield from (f"Made of: {', '.join(self.book.composed.layers)}.", "")
        for title, part in (
            ("Course of the game", self._phases()),
            ("Actions", self._actions()),
            ("Procedures", self._procedures()),
            ("Terms", self._terms()),
            ("Routes", self._routes()),
            ("End of the game", self._end()),
            ("Set-up", self._start()),
            ("Things", self._kinds()),
            ("Connections", self._graphs()),
            ("Tables", self._tables()),
            ("Pieces", self._supplies()),
            ("Sources", self._sources()),
        ):
            lines = list(part)
            if lines:
                yield from (f"## {title}", "", *lines)

    def _about(self, rule: Rule) -> Iterator[str]:
        """Citation, grade and ruling."""
        if rule.cite or rule.grade:
            parts = [str(rule.cite or "no citation"), spoken_grade(str(rule.grade or ""))]
            yield from (f"<sub>{' · '.join(part for part in parts if part)}</sub>", "")
        if rule.ruling:
            yield from (f"> Ruling: {rule.ruling}", "")

    # -- rules ------------------------------------------------------------------------------------------------------

    def _phases(self) -> Iterator[str]:
        for name in self._in_order():
            yield from self._steps("phases", name)

    def _in_order(self) -> list[str]:
        """The phases as play comes to them, and then any that it never comes to."""
        found: list[str] = []
        waiting = ["game"]
        while waiting:
            name = waiting.pop(0)
            if name in found:
                continue
            found.append(name)
            called = [step.procedure.partition(".") for step in done_by(self.book.rules.procedures[f"phases.{name}"])]
            waiting = [each for section, _, each in called if section == "phases"] + waiting
        return [*found, *(str(name) for name in self.book.document.phases if name not in found)]

    def _procedures(self) -> Iterator[str]:
        for name in self.book.document.procedures:
            yield from self._steps("procedures", str(name))

    def _steps(self, section: str, name: str) -> Iterator[str]:
        rules = {"phases": self.book.document.phases, "procedures": self.book.document.procedures}[section]
        rule = at(rules, name)
        assert rule is not None
        called = self.book.rule(f"{section}.{name}")
        yield from (f"### {called}", "")
        if rule.title and rule.title != called:
            yield from (end(str(rule.title)), "")
        yield from self._about(rule)
        if rule.of:
            yield from (end(f"Given {Rules(self.book).params(rule.of)}"), "")
        yield from (*(in_list(Rules(self.book).steps(f"{section}.{name}")) or ["Nothing."]), "")

    def _actions(self) -> Iterator[str]:
        for name, action in self.book.document.actions.items():
            yield from (f"### {subject(self.book, ['actions', str(name)])}", "")
            yield from self._about(action)
            yield from (*in_list(Rules(self.book).action(str(name))), "")

    def _terms(self) -> Iterator[str]:
        for name, term in self.book.document.terms.items():
            yield from (f"### {upper_first(spoken(name))}", "")
            if term.title:
                yield from (end(str(term.title)), "")
            yield from self._about(term)
            if term.of:
                yield from (end(f"Given {Rules(self.book).params(term.of)}"), "")
            lines = [Rules(self.book).term(str(name)), *Rules(self.book).modifiers(str(name))]
            yield from (*(f"- {end(upper_first(line))}" for line in lines), "")

    def _routes(self) -> Iterator[str]:
        for name, route in self.book.document.routes.items():
            yield from (f"### {upper_first(spoken(name))}", "")
            if route.title:
                yield from (end(str(route.title)), "")
            yield from self._about(route)
            if route.of:
                yield from (end(f"Given {Rules(self.book).params(route.of)}"), "")
            yield from (*(f"- {end(upper_first(line))}" for line in Rules(self.book).route(str(name))), "")

    def _end(self) -> Iterator[str]:
        document, rules = self.book.document, Rules(self.book)
        for name, ending in document.endings.items():
            cite = f" <sub>{ending.cite}</sub>" if ending.cite else ""
            yield f"- {end(self.book.rules.endings[str(name)])}{cite}"
        yield ""
        yield from self._about(document.score)
        yield from ("The score of a player is the sum of:", "")
        yield from (*(f"- {end(upper_first(rules.score('terms', str(name))))}" for name in document.score.terms), "")
        if document.score.tie_break:
            yield from ("A tie is broken, one after the other, by:", "")
            names = document.score.tie_break
            yield from (*(f"- {end(upper_first(rules.score('tie_break', str(name))))}" for name in names), "")

    # -- things -----------------------------------------------------------------------------------------------------

    def _start(self) -> Iterator[str]:
        scenario = self.book.document.scenario
        yield from (f"### {scenario.title or upper_first(spoken(scenario.scenario))}", "")
        yield from self._about(scenario)
        values = Values(self.book)
        yield from (*(f"- {end(values.start(str(key)))}" for key in scenario.start), "")

    def _kinds(self) -> Iterator[str]:
        rules = Rules(self.book)
        for name, kind in self.book.document.kinds.items():
            yield from (f"### {self.book.rules.symbols.kinds[name].title}", "")
            yield from self._about(kind)
            if kind.for_each:
                yield f"- {end(upper_first(rules.combination(str(name))))}"
            for key, each in kind.attributes.items():
                yield f"- {upper_first(spoken(key))}: {end(rules.declared(each.type, each.per, each.of))}"
            for key in kind.state:
                yield f"- In play: {end(rules.state(str(name), str(key)))}"
            if kind.in_force is not None:
                yield f"- {end(upper_first(rules.in_force(str(name))))}"
            yield ""
        if self.book.document.state:
            yield from ("### The game itself", "")
            yield from (*(f"- In play: {end(rules.state('', str(name)))}" for name in self.book.document.state), "")

    def _graphs(self) -> Iterator[str]:
        rules = Rules(self.book)
        for name, graph in self.book.document.graphs.items():
            yield from (f"### {upper_first(spoken(name))}", "")
            yield from self._about(graph)
            if graph.from_ is not None:
                kind, _, attribute = graph.from_.partition(".")
                yield from (f"Joins each {self.book.kind(kind)} with its {spoken(attribute)}.", "")
            for edge, written in (graph.edges or {}).items():
                cite = f" <sub>{written.cite}</sub>" if written.cite else ""
                yield f"- {end(upper_first(rules.edge(str(name), str(edge))))}{cite}"
            yield ""

    def _tables(self) -> Iterator[str]:
        for kind, rows in self.book.document.tables.items():
            if self.book.document.kinds[kind].for_each:
                continue
            yield from (f"### {upper_first(self.book.kinds(str(kind)))}", "")
            yield from self._table(str(kind), [str(member) for member in rows])
            for member, row in rows.items():
                items = Values(self.book).carried(str(kind), str(member))
                ruling = (Item(f"ruling: {row.ruling}"),) if row.ruling else ()
                if items or ruling:
                    title = Values(self.book).title(str(kind), str(member))
                    yield from (*in_list([Item(f"**{title}**", (*items, *ruling))], numbered=False), "")

    def _table(self, kind: str, members: list[str]) -> Iterator[str]:
        values = Values(self.book)
        columns = values.plain(kind)
        rows = at(self.book.document.tables, kind) or {}
        heads = [self.book.rules.symbols.kinds[kind].title, *(spoken(each) for each in columns), "source"]
        yield f"| {' | '.join(heads)} |"
        yield "| --- " * (len(columns) + 2) + "|"
        for member in members:
            row = at(rows, member)
            cells = [values.value(kind, member, each) for each in columns]
            about = [str(part).replace("_", " ") for part in (row.cite, row.grade) if part] if row is not None else []
            source = f"<sub>{' · '.join(about)}</sub>" if about else ""
            yield f"| {' | '.join(cell.replace('|', '/') for cell in [values.title(kind, member), *cells, source])} |"
        yield ""

    def _supplies(self) -> Iterator[str]:
        rules = Rules(self.book)
        for name, supply in self.book.document.supplies.items():
            yield from (f"### {supply.title or upper_first(spoken(name))}", "")
            yield from self._about(supply)
            yield from (*(f"- {end(upper_first(line))}" for line in rules.supply(str(name))), "")
        if self.book.document.invariants:
            yield from ("### What always holds", "")
            labels = self.book.document.invariants
            yield from (*(f"- {end(upper_first(rules.invariant(str(label))))}" for label in labels), "")

    def _sources(self) -> Iterator[str]:
        for name, source in self.book.document.manifest.sources.items():
            yield f"- {name}: {end(str(source.title))}{f' <{source.url}>' if source.url else ''}"
        yield ""
