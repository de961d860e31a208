"""What is printed to play with: cards, boards of players, the map over several pages, and a reference card, as data."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from math import ceil

from polis_rules.board import Board, Plan, draw
from polis_rules.documentation.rulebook import (
    MARKED,
    Book,
    Item,
    Paragraph,
    Point,
    Points,
    Rules,
    Section,
    end,
    making,
    plain,
    rulebook,
    upper_first,
)
from polis_rules.ruleset import Ruleset
from polis_rules.semantics import KindSymbol, Variable

WIDE, HIGH = 63, 88
"""Cards in millimetres, nine on a page of either paper."""
FLAT = 44
"""The height of cards that say little, eighteen on a page."""
LITTLE = 110
"""So many characters at most say little."""
MOST_STEPS = 31
"""A number has a place for each step of a track if there are no more of them; else an empty field to write in."""
MOST_ROWS = 14
"""So many rows at most has a table on the reference card."""
DEEPEST, WHOLE = 2, 99
"""How far the steps of phases are told on the reference card, and those of rules on other cards."""
SHORT = 800
"""A card tells a rule that it names in so many characters at most."""
MAP_WIDE, MAP_HIGH = 180, 250
"""What of the map is on one page, in millimetres."""
MAP_PAGES = 2
"""Over so many pages the map goes from left to right."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line of text, set in by its depth."""

    text: str
    depth: int = 0


@dataclass(frozen=True, slots=True)
class Track:
    """Fields for markers, one for each step; a single empty one to write or lay something in."""

    called: str
    steps: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Card:
    """A card or board."""

    title: str
    kind: str
    values: tuple[tuple[str, str], ...]
    lines: tuple[Line, ...]
    tracks: tuple[Track, ...]

    @property
    def length(self) -> int:
        """About how many characters it holds; a field counts as some."""
        words = [self.title, self.kind, *(part for pair in self.values for part in pair)]
        fields = sum(len(track.steps) + 3 for track in self.tracks)
        return sum(map(len, words)) + sum(len(line.text) + 12 for line in self.lines) + 9 * fields


@dataclass(frozen=True, slots=True)
class Cards:
    """Cards of one size, in millimetres, to be cut apart."""

    title: str
    width: int
    height: int
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class MapPages:
    """A picture, so many millimetres wide and high, over several pages."""

    title: str
    svg: str
    width: float
    height: float
    columns: int
    rows: int


@dataclass(frozen=True, slots=True)
class Group:
    """A part of the reference card: lines, and perhaps a table with its heads as the first row."""

    title: str
    lines: tuple[Line, ...]
    table: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Reference:
    """The reference card, of two pages."""

    title: str
    groups: tuple[Group, ...]

    @property
    def length(self) -> int:
        """About how many characters it holds."""
        cells = sum(len(cell) + 4 for group in self.groups for row in group.table for cell in row)
        return cells + sum(len(line.text) + 25 for group in self.groups for line in group.lines)


PAYS = re.compile(r"\b([Pp]ays?|[Cc]osts?)\b|^For \d")
"""What a sentence about a payment says."""

Sheet = Cards | MapPages | Reference


def sheets_of(book: Book, rules: Ruleset) -> dict[str, Sheet]:
    """Everything that can be printed of a game, by name: `reference`, `map`, `players`, and kinds with cards.

    >>> from polis_rules import load
    >>> from polis_rules.documentation.rulebook import read
    >>> list(sheets_of(read("yucata"), load("yucata")))[:3]
    ['reference', 'map', 'players']
    """
    told = making(book)
    sheets = _Making(book, told.folding, told.told_here, told.said)
    found: dict[str, Sheet] = {"reference": sheets.reference()}
    board = replace(Board.of(rules), facts=())
    if board.is_drawn:
        found["map"] = _map(f"{rules.title}: map", board)
    players = sheets.cards("player")
    found["players"] = replace(players, width=186, height=124)
    areas = {spot.kind for spot in board.spots.values() if spot.outline}
    for kind in book.rules.symbols.kinds.values():
        if kind.name not in areas and sheets.is_printed(kind):
            found[kind.name] = sheets.cards(kind.name)
    return found


def _map(title: str, board: Plan) -> MapPages:
    """The map over whole pages; it is made smaller where little of it would be left for a last row of pages."""
    width: float = MAP_WIDE * MAP_PAGES
    height = width * board.height / board.width
    rows, left = divmod(height, MAP_HIGH)
    if rows and left < 0.4 * MAP_HIGH:
        width, height = width * rows * MAP_HIGH / height, rows * MAP_HIGH
    return MapPages(title, draw(board, alone=True), width, height, MAP_PAGES, ceil(height / MAP_HIGH))


class _Making(Rules):
    """Makes the sheets of one book."""

    # -- cards ------------------------------------------------------------------------------------------------------

    def is_printed(self, kind: KindSymbol) -> bool:
        """Whether the members of a kind are things on the table: they have a table and do or keep something."""
        if kind.name in ("player", "action") or kind.name not in self.book.document.tables:
            return False
        acts = any(each.spec.kind in ("effects", "changes") for each in kind.attributes.values())
        return acts or bool(self.copied(kind)) or any(each.title for each in kind.state.values())

    def cards(self, kind: str) -> Cards:
        """A card for each member of a kind, as often as there are of it."""
        known = self.book.rules.symbols.kinds[kind]
        copied = self.copied(known)
        copies = known.attributes[copied].values if copied else (1,) * len(known.members)
        made = [self._card(known, member) for member in known.members]
        several = [card for card, many in zip(made, copies, strict=True) for _ in range(many)]
        is_little = all(card.length <= LITTLE for card in made)
        return Cards(upper_first(self.book.kinds(kind)), WIDE, FLAT if is_little else HIGH, tuple(several))

    def _card(self, kind: KindSymbol, member: str) -> Card:
        values = []
        for name in self.plain(kind.name):
            if name == self.copied(kind):
                continue
            words = plain(self.value(kind.name, member, name))
            attribute = kind.attributes[name]
            if attribute.spec.kind == "flag" and not attribute.per:
                values += [(upper_first(attribute.label), "")] if words == "yes" else []
            elif words not in ("none", "0", ""):
                called = attribute.heading if attribute.per else attribute.label
                values.append((upper_first(called), attribute.counted(words)))
        items = self.carried(kind.name, member)
        lines = (*_lines(items), *self._named(items))
        tracks = tuple(track for each in kind.state.values() if each.title for track in self._tracks(each))
        title = self.book.full_title(kind.name, member)
        return Card(title, upper_first(self.book.kind(kind.name)), tuple(values), lines, tracks)

    def _named(self, items: Iterable[Item]) -> Iterator[Line]:
        """What the rules do that a card names, where that is short."""
        for name in dict.fromkeys(_names(items)):
            section = self._sections.get(name)
            lines = [*_told(section, WHOLE)] if section is not None else []
            if lines and sum(len(line.text) for line in lines) <= SHORT:
                yield from (Line(f"{name}:"), *lines)

    def _tracks(self, variable: Variable) -> Iterator[Track]:
        """Fields for one state: for each member that it is kept for, if there are not too many of them."""
        symbols = self.book.rules.symbols
        steps = self._steps(variable)
        kinds = [symbols.kinds[kind] for _, kind in variable.per]
        called = upper_first(variable.title) + (f" ({variable.unit})" if variable.unit else "")
        if not kinds:
            yield Track(called, steps)
        elif len(kinds) == 1 and len(kinds[0].members) <= MOST_ROWS:
            yield from (Track(f"{called}: {title}", steps) for title in kinds[0].titles)

    def _steps(self, variable: Variable) -> tuple[str, ...]:
        if variable.type.base == "int" and variable.high - variable.low < MOST_STEPS:
            return tuple(map(str, range(variable.low, variable.high + 1)))
        if variable.type.base == "ref" and variable.type.kind == "player":
            return tuple(self.book.rules.symbols.kinds["player"].titles)
        return ("",)

    # -- the reference card -----------------------------------------------------------------------------------------

    def reference(self) -> Reference:
        """Actions with what they cost, the course of the game, its end and score, and short tables."""
        document = self.book.document
        groups = [
            Group("Actions", tuple(line for name in document.actions for line in self._action(str(name)))),
            Group("Course of the game", tuple(self._course())),
            Group("End of the game", tuple(Line(end(text)) for text in self.book.rules.endings.values())),
            Group("Score", tuple(Line(end(upper_first(self.score("terms", name)))) for name in document.score.terms)),
            *(group for kind in self.book.rules.symbols.kinds.values() if (group := self._short_table(kind))),
        ]
        return Reference(
            f"{document.manifest.title}: reference", tuple(each for each in groups if each.lines or each.table)
        )

    def _action(self, action: str) -> Iterator[Line]:
        """What an action is called, and each payment in it under what it is for."""
        rule = self.rule(action)
        known = self.book.rules.symbols.kinds["action"]
        yield Line(known.titles[known.index[action]])
        if (path := f"actions.{action}") in self.said:
            section = next(each for each in self._sections.values() if each.source.path == path)
            told = (text for block in section.blocks if isinstance(block, Paragraph) for text in block.sentences)
            yield from (Line(plain(each.text), 1) for each in told if PAYS.search(each.text))
            return
        paid = [plain(text) for text in _payments(self.action(action))]
        yield from (Line(end(upper_first(text)), 1) for text in dict.fromkeys(paid))
        if not paid and rule.cost:
            yield Line(end(upper_first(self.cost_of(action))), 1)

    def _course(self) -> Iterator[Line]:
        """What the rulebook says of each phase, but for what lies deep below."""
        for section in self._sections.values():
            if section.source.path.startswith("phases."):
                yield from (Line(section.title), *_told(section, DEEPEST))

    @cached_property
    def _sections(self) -> dict[str, Section]:
        """The sections of the rulebook by their titles."""
        return {section.title: section for section in rulebook(self.book).sections}

    def _short_table(self, kind: KindSymbol) -> Group | None:
        """The values of a kind, where they fit on the reference card; columns that say nothing are left out."""
        tables = {str(name): rows for name, rows in self.book.document.tables.items()}
        rows = tables.get(kind.name, {}) if kind.name != "player" else {}
        columns = [name for name in self.plain(kind.name) if kind.attributes[name].spec.kind not in ("text", "formula")]
        if not rows or len(rows) > MOST_ROWS:
            return None
        cells = {name: [plain(self.value(kind.name, str(row), name)) for row in rows] for name in columns}
        cells = {name: found for name, found in cells.items() if len({*found}) > 1 and max(map(len, found)) <= 40}
        if not cells or len(cells) > 6:
            return None
        titles = [self.book.full_title(kind.name, str(row)) for row in rows]
        heads = (upper_first(self.book.kind(kind.name)), *(kind.attributes[name].heading for name in cells))
        return Group(upper_first(self.book.kinds(kind.name)), (), (heads, *zip(titles, *cells.values(), strict=True)))


def _lines(items: Iterable[Item], depth: int = 0) -> Iterator[Line]:
    for item in items:
        text = MARKED.sub(r"\1", item.text)
        yield Line(f"{upper_first(text)}:" if item.below else end(upper_first(text)), depth)
        yield from _lines(item.below, depth + 1)


def _names(items: Iterable[Item]) -> Iterator[str]:
    """The names of rules among some items."""
    for item in items:
        yield from MARKED.findall(item.text)
        yield from _names(item.below)


def _told(section: Section, deepest: int) -> Iterator[Line]:
    """What a section says, but for rulings and what lies deeper."""
    for block in section.blocks:
        if isinstance(block, Paragraph):
            yield Line(" ".join(each.text for each in block.sentences), 1)
        elif isinstance(block, Points):
            yield from _pointed(block.points, 1, deepest)


def _pointed(points: Iterable[Point], depth: int, deepest: int) -> Iterator[Line]:
    """Points of a list; what lies below the deepest is told by three dots."""
    for point in points:
        is_cut = bool(point.below) and depth == deepest
        yield Line(f"{point.sentence.text.removesuffix(':')} …" if is_cut else point.sentence.text, depth)
        if not is_cut:
            yield from _pointed(point.below, depth + 1, deepest)


def _payments(items: Iterable[Item], of: str = "") -> Iterator[str]:
    """Every payment among some items, after the title of the choice that it belongs to."""
    for item in items:
        if item.text.startswith(("pay ", "it costs ")):
            yield f"{of}: {item.text}" if of else item.text
        is_title = item.text.startswith("'") and item.text.endswith("'")
        yield from _payments(item.below, item.text.strip("'") if is_title else of)
