"""A position in lines: tables of what the players have and of what lies on the table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from polis_rules import play

from ..output import line_width, wrapped

if TYPE_CHECKING:
    from polis_rules.play import Session, Sheet

    from .details import Details

WIDEST = 36
"""A column is no wider than this; longer cells are told below the table."""


def overview(session: Session, details: Details) -> list[str]:
    """Both the score and what the players have."""
    now = play.Situation(session.shown, session.eyes)
    sheets = [now.players] if now.scores is None else [now.scores, now.players]
    return ["", *(line for sheet in sheets for line in told(sheet))]


def position(session: Session, details: Details) -> list[str]:
    """All that the person at the screen may see."""
    now = play.Situation(session.shown, session.eyes)
    lines = overview(session, details)
    lines += [f"{label}: {text}" for label, text in now.common]
    for kind, member in now.named:
        lines += details.effects(session.shown, kind, member)
    for sheet in now.things:
        lines += ["", *told(sheet)]
    return lines


def asked_for(session: Session) -> list[str]:
    """The decision that waits at the moment that is looked at."""
    return ["", play.Situation(session.shown, session.eyes).headline]


def told(sheet: Sheet) -> list[str]:
    """The lines of a table; what is too long for a cell stands below it."""
    if not sheet.rows:
        return []
    if len(sheet.head) == 2:
        return _in_lines(sheet)
    long = [
        (row[0], head, cell) for row in sheet.rows for head, cell in zip(sheet.head, row, strict=True) if _long(cell)
    ]
    rows = [[("below" if _long(cell) else cell) for cell in row] for row in sheet.rows]
    lines = _columns([[sheet.title.upper(), *sheet.head[1:]], *rows])
    for row, head, cell in long:
        lines += wrapped(f"{row}, {head}: {cell}", line_width(), "  ", "    ")
    return lines


def _long(cell: str) -> bool:
    return len(cell) > WIDEST


def _in_lines(sheet: Sheet) -> list[str]:
    """A table of one column: what has the same value together."""
    lines = [f"{sheet.title.upper()}: {sheet.head[1]}"]
    for titles, value in sheet.alike():
        lines += wrapped(f"{titles}: {value}", line_width(), "  ", "    ")
    return lines


def _columns(rows: Sequence[Sequence[str]]) -> list[str]:
    """Rows with their cells below each other; the head may have two lines."""
    widths = [max(len(row[place]) for row in rows) for place in range(len(rows[0]))]
    if sum(widths) + 2 * len(widths) > line_width():  # heads are longer than what stands below them
        widths = [max(len(row[place]) for row in rows[1:]) for place in range(len(rows[0]))]
        widths = [max(width, 4, *map(len, head.split())) for width, head in zip(widths, rows[0], strict=True)]
        head = [wrapped(cell, width, "", "") or [""] for cell, width in zip(rows[0], widths, strict=True)]
        deep = max(map(len, head))
        rows = [*([cell[line] if line < len(cell) else "" for cell in head] for line in range(deep)), *rows[1:]]
    return ["  ".join(f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
