"""Sheets as a page of HTML, to be printed at full size and cut."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from typing import TypeVar

from polis_rules.publishing.markup import Markup, element, markup, page, picture
from polis_rules.publishing.sheets import (
    MAP_HIGH,
    MAP_WIDE,
    WIDE,
    Card,
    Cards,
    Group,
    Line,
    MapPages,
    Reference,
    Sheet,
    fitting,
)

T = TypeVar("T")

PAGE_WIDE, PAGE_HIGH = 190, 264
"""What both papers have room for, in millimetres."""


def sheets_page(title: str, chosen: Iterable[Sheet]) -> str:
    """Sheets as HTML that loads nothing."""
    told = "Print this page at its full size (100 %, no margins of the printer's own) and cut along the lines."
    hint = element("p", told, class_="screen")
    return page(title, element("h1", title, class_="screen"), hint, *map(_sheet, chosen), sheet="sheets.css")


def _sheet(sheet: Sheet) -> Markup:
    match sheet:
        case Cards():
            pages = _cards(sheet)
        case MapPages():
            pages = _map(sheet)
        case Reference():
            pages = iter([_reference(sheet)])
    return element("section", element("h2", sheet.title, class_="screen"), *pages)


# -- cards ----------------------------------------------------------------------------------------------------------


def _cards(sheet: Cards) -> Iterator[Markup]:
    columns, rows = PAGE_WIDE // sheet.width, PAGE_HIGH // sheet.height
    grid = f"grid-template-columns: repeat({columns}, {sheet.width}mm); grid-auto-rows: {sheet.height}mm"
    for cards in _parts(sheet.cards, columns * rows):
        yield element("div", *(_card(each, sheet) for each in cards), class_="cards", style=grid)


def _card(card: Card, sheet: Cards) -> Markup:
    size = fitting(card.length, sheet.width - 8, sheet.height - 12, most=10 if sheet.width > WIDE else 9.5)
    values = [
        (element("dt", called), element("dd", words)) if words else element("dt", called, class_="alone")
        for called, words in card.values
    ]
    fields = [
        element("p", element("b", track.called), " ", *(element("i", step) for step in track.steps), class_="track")
        for track in sorted(card.tracks, key=lambda track: len(track.steps) > 1)
    ]
    single = sum(len(track.steps) == 1 for track in card.tracks)
    tracks = [element("div", *fields[:single], class_="single") if single else "", *fields[single:]]
    return element(
        "article",
        element("header", element("h3", card.title), element("span", card.kind)),
        element("dl", *values) if values else "",
        *_lines(card.lines),
        *tracks,
        class_="wide" if sheet.width > WIDE else None,
        style=f"font-size: {size}pt",
    )


def _lines(lines: Iterable[Line]) -> Iterator[Markup]:
    for line in lines:
        yield element("p", line.text, style=f"margin-left: {1.1 * line.depth:.1f}em" if line.depth else None)


# -- the map --------------------------------------------------------------------------------------------------------


def _map(sheet: MapPages) -> Iterator[Markup]:
    address = picture(sheet.svg)
    for row, column in product(range(sheet.rows), range(sheet.columns)):
        place = f"left: {-column * MAP_WIDE}mm; top: {-row * MAP_HIGH}mm"
        size = f"width: {sheet.width:.1f}mm; height: {sheet.height:.1f}mm"
        called = f"{sheet.title}, row {row + 1}, column {column + 1}"
        image = element("img", src=address, alt=called, style=f"{place}; {size}")
        part = element("div", image, element("p", called, class_="called"), class_="part")
        marks = [element("span", class_=f"mark {where}") for where in ("nw", "ne", "sw", "se")]
        yield element("div", part, *marks, class_="map")


# -- the reference card ---------------------------------------------------------------------------------------------


def _reference(sheet: Reference) -> Markup:
    size = fitting(sheet.length, 2 * PAGE_WIDE, PAGE_HIGH, least=5)
    return element("div", *map(_group, sheet.groups), class_="reference", style=f"font-size: {size}pt")


def _group(group: Group) -> Markup:
    is_nested = any(line.depth for line in group.lines)
    lines = [
        element(
            "p",
            line.text,
            class_="head" if is_nested and not line.depth else None,
            style=f"margin-left: {1.2 * line.depth:.1f}em",
        )
        for line in group.lines
    ]
    rows = group.table[1:]
    table: Markup = markup()
    if rows:
        head = element("tr", *(element("th", cell, scope="col") for cell in group.table[0]))
        body = [
            element("tr", element("th", row[0], scope="row"), *(element("td", cell) for cell in row[1:]))
            for row in rows
        ]
        table = element("table", element("thead", head), element("tbody", *body))
    return element("section", element("h3", group.title), *lines, table)


def _parts(items: Sequence[T], many: int) -> Iterator[Sequence[T]]:
    for start in range(0, len(items), many):
        yield items[start : start + many]
