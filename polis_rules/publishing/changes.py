"""What differs between two rulesets as a page: what is new in an edition, by chapters, with reasons and citations."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby

from polis_rules.documentation import (
    COUNTED,
    SECTIONS,
    Change,
    Difference,
    Explanation,
    UnknownPathError,
    condensed,
    diff,
    explained,
    spoken_grade,
)
from polis_rules.documentation.rulebook import Book, Retelling, Retold, upper_first
from polis_rules.publishing.markup import Markup, anchor, element, markup, page
from polis_rules.schema import RULE_KEYS


def changes_page(first: Book, second: Book) -> str:
    """The differences between two rulesets as one page of HTML that loads nothing.

    >>> from polis_rules.documentation.rulebook import read
    >>> changes_page(read("yucata"), read("devir"))[:15]
    '<!DOCTYPE html>'
    """
    return _Changes(first, second, diff(first, second)).page()


CALLED = {"Procedures": "What actions and phases carry out", "Terms": "Words", "Things and state": "Components"}
"""Chapters that people know by another name."""


class _Changes:
    def __init__(self, first: Book, second: Book, found: Difference) -> None:
        self.first, self.second, self.found = first, second, found
        self.retelling = Retelling(first, second)
        self.retold = {each.path: each for each in self.retelling.changes()}

    def page(self) -> str:
        title = f"What is new in {self._called(self.second)}"
        chapters = [section for section in SECTIONS if section not in COUNTED and any(self._parts(section))]
        silent = [each for each in condensed(self.found.changes) if each.section in COUNTED]
        more = bool(silent or any(map(self._is_detail, self.found.changes)))
        named = [*(["In short"] if self.found.headlines else []), *chapters, *(["Besides"] if more else [])]
        return page(
            title,
            element("a", "To the changes", class_="skip", href="#changes"),
            element("header", element("h1", title), self._about()),
            self._contents(named),
            element("main", self._short(), *map(self._chapter, chapters), self._besides(silent), id="changes"),
            sheet="changes.css",
        )

    # -- head -------------------------------------------------------------------------------------------------------

    @staticmethod
    def _called(book: Book) -> str:
        """The title of a ruleset, with what is laid over it."""
        more = list(book.composed.variant_titles)
        more += [f"{name} {value}" for name, value in book.composed.chosen.items()]
        return f"{book.document.manifest.title}{', with ' * bool(more)}{', '.join(more)}"

    def _about(self) -> Markup:
        scenarios = [str(each.document.scenario.title or each.composed.scenario) for each in (self.first, self.second)]
        played = f" Scenarios: {scenarios[0]}, and now {scenarios[1]}." if scenarios[0] != scenarios[1] else ""
        compared = f"Compared with {self._called(self.first)}.{played}"
        return markup(element("p", compared), *([element("p", self.found.summary)] if self.found.same_hash else []))

    @staticmethod
    def _contents(named: list[str]) -> Markup:
        items = [element("li", element("a", CALLED.get(each, each), href=f"#{anchor(each)}")) for each in named]
        return element("nav", element("ol", *items), aria_label="Contents") if len(items) > 1 else markup()

    def _short(self) -> Markup:
        items = [element("li", each) for each in self.found.headlines]
        heading = element("h2", "In short", id=anchor("In short"))
        return element("section", heading, element("ul", *items)) if items else markup()

    # -- chapters ---------------------------------------------------------------------------------------------------

    def _chapter(self, section: str) -> Markup:
        return element(
            "section", element("h2", CALLED.get(section, section), id=anchor(section)), *self._parts(section)
        )

    def _parts(self, section: str) -> Iterator[Markup]:
        """What is said otherwise in a section, and after it what else is different there."""
        retold: dict[str, list[Retold]] = {}
        for each in self.retold.values():
            if _section(each.path) == section:
                retold.setdefault(self._group(each.path), []).append(each)
        yield from map(self._retold, retold.pop("", ()))
        found = self.found.section(section)
        changes = (each for each in found if not each.changes_nothing and not self._is_detail(each))
        for group, inside in groupby(changes, key=lambda change: change.group):
            several = list(inside)
            yield from [element("h3", group)] if group else []
            cells = [each for each in several if each.cell is not None and each.cell.before != each.cell.after]
            yield from (self._change(each) for each in condensed(each for each in several if each not in cells))
            yield from [self._values(cells, group or section)] if cells else []
            yield from map(self._retold, retold.pop(group, ()))
        for group, rest in retold.items():
            yield from (element("h3", group), *map(self._retold, rest))

    def _group(self, path: str) -> str:
        """What the kind of a row is called; empty for anything else."""
        return upper_first(self.second.kinds(path.split(".")[1])) if path.startswith("tables.") else ""

    def _is_detail(self, change: Change) -> bool:
        """Whether a difference is told in the ruleset's own words, or by what it carries out."""
        return change.section not in COUNTED and change.cell is None and self.retelling.tells(change.path)

    def _retold(self, told: Retold) -> Markup:
        """What is said of a rule now, the new sentences marked, and what was said before instead."""
        is_whole = all(is_new for _, is_new in told.now) and not told.before
        now = [element("ins", each) if is_new and not is_whole else each for each, is_new in told.now]
        badge = [element("span", "New", class_="badge new"), " "] if is_whole else []
        lines = [element("p", *badge, element("strong", told.title), ". ", *_spaced(now))]
        lines += [element("p", "Before: ", " ".join(told.before), class_="before")] if told.before else []
        return element("div", *lines, *self._source_of(told.path), class_="change")

    def _change(self, change: Change) -> Markup:
        """One change: what holds now, what held before, and its source."""
        now, before = change.sentence, ""
        if change.kind == "changed" and not change.lines:
            now, _, before = change.sentence.partition(" Before: ")
        parts = [
            element("p", *_led(now, change.subject)),
            *([element("p", "Before: ", before, class_="before")] if before else []),
        ]
        parts += [element("ul", *map(self._line, change.lines), class_="steps")] if change.lines else []
        return element("div", *parts, *self._source(change), class_="change")

    @staticmethod
    def _line(line: str) -> Markup:
        """A step that is gone or new, set in as far as it belongs to those above."""
        mark, text = (line[0], line[2:]) if line[:2] in ("- ", "+ ") else ("", line)
        depth = min((len(text) - len(text.lstrip())) // 3, 9)
        sign = element("span", "\N{MINUS SIGN}" if mark == "-" else mark, class_="mark", aria_hidden="true")
        tag = {"-": "del", "+": "ins"}.get(mark, "span")
        return element("li", element(tag, sign, text.strip()), style=f"margin-left: {1.2 * depth:.1f}rem")

    def _values(self, changes: list[Change], of: str) -> Markup:
        """The changed values of rows, the row named once for all of its values; rows that change alike in one line."""
        rows: dict[str, list[Change]] = {}
        for change in changes:
            rows.setdefault(".".join(change.path.split(".")[:3]), []).append(change)
        alike: dict[tuple[object, ...], list[list[Change]]] = {}
        for inside in rows.values():
            alike.setdefault(tuple(each.cell for each in inside), []).append(inside)
        groups: list[Markup] = []
        for same in alike.values():
            names = dict.fromkeys(inside[0].subject for inside in same)
            lines: list[Markup] = []
            for number, change in enumerate(same[0]):
                head = element("th", ", ".join(names), *self._source(change), scope="rowgroup", rowspan=len(same[0]))
                cell = change.cell
                assert cell is not None
                values = (cell.called, cell.after or "gone", cell.before or "\N{EN DASH}")
                lines.append(element("tr", *([] if number else [head]), *(element("td", each) for each in values)))
            groups.append(element("tbody", *lines))
        heads = [element("th", each, scope="col") for each in (of, "Value", "Now", "Before")]
        table = element("table", element("thead", element("tr", *heads)), *groups)
        return element("div", table, class_="scroll")

    # -- sources ----------------------------------------------------------------------------------------------------

    def _source(self, change: Change) -> Iterator[Markup]:
        """The reason of a change in view; its path, citation and grade on request."""
        return self._source_of(change.path)

    def _source_of(self, path: str) -> Iterator[Markup]:
        known = self._known(path)
        layers = known.layers if known is not None else ()
        reasons = dict.fromkeys(each.why for each in layers if each.why and not _is_about(each.path))
        for reason in reasons:
            yield element("p", reason, class_="reason")
        cited = [known.cite, spoken_grade(known.grade or "")] if known is not None else []
        told = [element("code", path), *(each for each in cited if each)]
        yield element("details", element("summary", "Source"), element("div", *_apart(told), class_="small"))

    def _known(self, path: str) -> Explanation | None:
        """What is known of a rule or row: in the second ruleset, or in the first where it is gone."""
        for book in (self.second, self.first):
            try:
                return explained(book, path)
            except UnknownPathError:
                continue
        return None

    def _besides(self, counted: list[Change]) -> Markup:
        """How the rules that are told above are written now; other titles, citations and names: on request."""
        details = [each for each in self.found.changes if self._is_detail(each)]
        if not counted and not details:
            return markup()
        parts = [element("p", self.found.summary, class_="small")]
        if details:
            told = map(self._change, condensed(details))
            parts.append(element("details", element("summary", "Step by step, as the rules are written"), *told))
        for count in counted:
            items = [element("li", each.sentence) for each in self.found.section(count.section)]
            parts.append(element("details", element("summary", count.sentence), element("ul", *items, class_="small")))
        return element("section", element("h2", "Besides", id=anchor("Besides")), *parts)


def _section(path: str) -> str:
    """The section of the page to which a rule, row, term or route belongs."""
    return next(name for name, sections in SECTIONS.items() if path.split(".")[0] in sections)


def _spaced(parts: Iterable[Markup | str]) -> Iterator[Markup | str]:
    for number, each in enumerate(parts):
        yield from (" ", each) if number else (each,)


def _is_about(path: str) -> bool:
    """Whether a path leads to a title, citation, grade or ruling."""
    return path.rpartition(".")[2] in RULE_KEYS


def _led(sentence: str, subject: str) -> Iterator[Markup | str]:
    """A sentence with what it is about in bold, after whether that is new or gone."""
    for word in ("New", "Gone"):
        if sentence.startswith(f"{word}: "):
            yield from (element("span", word, class_=f"badge {word.lower()}"), " ")
            sentence = sentence.removeprefix(f"{word}: ")
    if sentence.startswith(f"{subject}: "):
        yield from (element("strong", subject), ". ")
        sentence = upper_first(sentence.removeprefix(f"{subject}: "))
    yield sentence


def _apart(parts: Iterable[str]) -> Iterator[str]:
    for number, each in enumerate(parts):
        yield from (" · ", each) if number else (each,)
