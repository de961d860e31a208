"""The tables of a ruleset as grids: a row for each member, a column for each attribute, with types and grades."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from polis_rules.schema import MOST_DIGITS
from polis_rules.source import Mapping, Node, Text, entries_at, node_at, spoken
from polis_rules.studio.workspace import MEND_FIRST, WorkspaceError

if TYPE_CHECKING:
    from polis_rules.authoring import Value
    from polis_rules.language_server import Analysis
    from polis_rules.semantics import Attribute, KindSymbol, Symbols

MOST_COLUMNS = 14
"""An attribute that says something of each member of a kind has a column for each, up to so many."""
EDITED = ("range", "number", "flag", "ref", "set", "list", "text", "formula", "condition")


@dataclass(frozen=True, slots=True)
class Column:
    """One attribute, or what it says of one member of another kind."""

    name: str
    """what follows the row in the path of a cell"""
    title: str
    type: str
    """what a cell may be, in words"""
    kind: str
    """`number`, `flag`, `one`, `several`, `text`, or `long` for what is written in the text only"""
    options: tuple[tuple[str, str], ...] = ()
    """the members that may stand here, with titles"""
    unit: str = ""
    """what its numbers count, where that is said"""

    @property
    def about(self) -> str:
        """What a cell may be, with what it counts: `1 to 9 tokens`, `formula (points)`."""
        unit = self.unit if self.kind == "number" and self.type != "number" else f"({self.unit})"
        return f"{self.type} {unit}" if self.unit else self.type


@dataclass(frozen=True, slots=True)
class Cell:
    """What one row says in one column."""

    text: str
    """as it is written, members by ids with commas between"""
    shown: str
    """as it is read, members by titles"""
    grade: str = ""
    cite: str = ""
    was: str | None = None
    """what the ruleset below says, where that is something else"""
    said: bool = True
    """whether the row says it; else it is what the kind says for all rows that say nothing"""
    place: tuple[str, int] = ("", 0)
    """the file and line where it stands"""

    @property
    def changed(self) -> bool:
        """Whether the ruleset below says something else."""
        return self.was is not None


@dataclass(frozen=True, slots=True)
class Grid:
    """A table."""

    kind: str
    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[str, str, tuple[Cell, ...]], ...]
    """of each member the id, the title and the cells"""


def kinds_of(analysis: Analysis) -> dict[str, str]:
    """The kinds that have a table, with their titles. Raises WorkspaceError where that is not known.

    >>> from polis_rules.composition import find
    >>> from polis_rules.language_server import Workbench
    >>> bench = Workbench()
    >>> analysis = bench.known(bench.target(find("yucata") / "ruleset.yaml"))
    >>> kinds_of(analysis)["polis"]
    'Polis'
    >>> [column.type for column in grid(analysis, "polis").columns][3]
    '1 to 9'
    """
    symbols, tables = analysis.symbols, entries_at(analysis.tree, "tables")
    if symbols is None:
        raise WorkspaceError(MEND_FIRST)
    return {str(kind): symbols.kinds[kind].title or spoken(kind) for kind in tables if kind in symbols.kinds}


def grid(analysis: Analysis, kind: str) -> Grid:
    """The table of a kind as it stands in the editor. Raises WorkspaceError where there is none now."""
    symbols = analysis.symbols
    if symbols is None or kind not in symbols.kinds:
        raise WorkspaceError(MEND_FIRST)
    known = symbols.kinds[kind]
    columns = (Column("title", "title", "a text", "text"), *_columns(known, symbols))
    rows = entries_at(analysis.tree, "tables", kind)
    below = entries_at(analysis.base.tree if analysis.base is not None else None, "tables", kind)
    told = tuple(
        (str(id), titled, tuple(_cell(row, below.get(id), column, known, symbols, analysis) for column in columns))
        for id, titled, row in ((id, _title(id, row), row) for id, row in rows.items())
    )
    return Grid(kind, known.title or spoken(kind), columns, told)


def _title(id: Text, row: Node) -> str:
    return str(node_at(row, "title") or spoken(id))


def _columns(kind: KindSymbol, symbols: Symbols) -> Iterator[Column]:
    for name, attribute in kind.attributes.items():
        if attribute.is_ is not None:  # worked out, not written
            continue
        spec = attribute.spec
        members = symbols.kinds[attribute.per[0][1]] if len(attribute.per) == 1 else None
        if not attribute.per:
            yield _column(name, attribute.label, attribute, symbols)
        elif members is not None and len(members.members) <= MOST_COLUMNS and spec.kind in EDITED:
            for member, title in zip(members.members, members.titles, strict=True):
                yield _column(f"{name}.{member}", f"{attribute.label}: {title}", attribute, symbols)
        else:
            each = f"one for each {members.title if members else 'of several'}"
            yield Column(name, attribute.heading, each, "long")


def _column(name: str, title: str, attribute: Attribute, symbols: Symbols) -> Column:
    spec, unit = attribute.spec, attribute.unit
    known = symbols.kinds.get(spec.member_kind or "")
    options = tuple(zip(known.members, known.titles, strict=True)) if known is not None else ()
    what = known.title or spoken(known.name) if known is not None else ""
    if spec.kind == "range":
        return Column(name, title, f"{spec.low} to {spec.high}", "number", unit=unit)
    if spec.kind == "ref":
        options = (*((("none", "none"),) if spec.maybe else ()), *options)
        return Column(name, title, f"{what} or none" if spec.maybe else what, "one", options, unit)
    if spec.kind in ("set", "list"):
        return Column(name, title, f"{spec.kind} of {what}", "several", options, unit)
    kinds = {"number": "number", "flag": "flag", "text": "text", "formula": "text", "condition": "text"}
    return Column(name, title, spec.kind, kinds.get(spec.kind, "long"), unit=unit)


def _cell(
    row: Node, below: Node | None, column: Column, kind: KindSymbol, symbols: Symbols, analysis: Analysis
) -> Cell:
    from polis_rules.documentation import spoken_grade  # which the first page does not need

    name, _, member = column.name.partition(".")
    keys = (name, member) if member else (name,)
    node = node_at(row, *keys)
    attribute = kind.attributes.get(name)
    value = node if node is not None else _default(attribute, member)
    text, before = _text(value), node_at(below, *keys)
    was = _text(before if before is not None else _default(attribute, member)) if below is not None else text
    file = analysis.files.get((node if node is not None else row).span.file)
    grades = node_at(row, "grade")
    grade = (node_at(grades, name) or node_at(grades, "default")) if isinstance(grades, Mapping) else grades
    return Cell(
        text, _shown(text, column), spoken_grade(str(grade)) if grade else "", str(node_at(row, "cite") or ""),
        _shown(was, column) if was != text else None, node is not None, (str(file or ""), (node or row).span.line),
    )  # fmt: skip


def _default(attribute: Attribute | None, member: str) -> Node | None:
    default = attribute.default if attribute is not None else None
    return node_at(default, member) if member and isinstance(default, Mapping) else default


def _text(node: Node | None) -> str:
    from polis_rules.composition import inline

    if node is None:
        return ""
    return str(node) if isinstance(node, Text) else inline(node).strip("[]") if not isinstance(node, Mapping) else "{}"


def _shown(text: str, column: Column) -> str:
    titles = dict(column.options)
    return ", ".join(titles.get(each, each) for each in text.split(", ")) if titles else text


def value_of(column: Column, text: str) -> Value:
    """What is written for what was put into a cell. Raises ValueError where that cannot stand there.

    >>> value_of(Column("a", "a", "set of B", "several", (("x", "X"), ("y", "Y"))), "x, y")
    ['x', 'y']
    """
    words, allowed = text.strip(), {id for id, _ in column.options}
    if column.kind == "number" and not (words.removeprefix("-").isdecimal() and words.isascii()):
        raise ValueError(f"{column.title} is a number: {column.about}")
    if column.kind == "number" and len(words.removeprefix("-")) > MOST_DIGITS:
        raise ValueError(f"{column.title} has at most {MOST_DIGITS} digits: {column.about}")
    if column.kind == "flag" and words not in ("true", "false"):
        raise ValueError(f"{column.title} is true or false")
    if column.kind == "one" and words not in allowed:
        raise ValueError(f"{column.title} is one of {column.type}")
    if column.kind == "several":
        items = [each.strip() for each in words.split(",") if each.strip()]
        if unknown := [each for each in items if each not in allowed]:
            raise ValueError(f"{', '.join(unknown)}: no such {column.type.rpartition(' ')[2]}")
        return [*items]
    if column.kind == "long" or "\n" in words or not words:
        raise ValueError(f"{column.title} is written in the text")
    return words
