"""Sheets as a page of HTML, to be printed at full size and cut."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from math import ceil, sqrt
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
    sizes = [half / 2 for half in range(20 if sheet.width > WIDE else 22, 7, -1)]
    size = next((each for each in sizes if _height(card, sheet, each) <= sheet.height - 7), 3.5)
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


def _height(card: Card, sheet: Cards, size: float) -> float:
    """About how high the contents of a card are in this size, in millimetres; rather too high."""
    em = size * 0.353
    width = (sheet.width - 7) / em
    is_wide = sheet.width > WIDE
    high = 1.4 * _rows(card.title, width / 1.3) + 1.1 + 2.5 / em
    called = max((len(name) for name, _ in card.values), default=0) * 0.58 + 0.8
    high += sum(1.25 * _rows(words, width - called) + 0.15 for _, words in card.values) + 0.5
    high += sum(1.25 * _rows(line.text, width - 1.1 * line.depth) + 0.25 for line in card.lines)
    single = sum(len(track.steps) == 1 for track in card.tracks)
    high += ceil(single / (4 if is_wide else 2)) * (2.4 + (8 if is_wide else 6) / em)
    for track in card.tracks:
        if len(track.steps) > 1:
            fields = sum(max(1.9, 0.55 * len(step) + 0.6) * 0.85 + 0.35 for step in track.steps)
            high += 1.8 + 1.5 * ceil(fields / (width - 2))
    return high * em


def _rows(text: str, width: float) -> int:
    """Over how many lines a text goes, of which each has room for so many widths of an m."""
    return ceil(len(text) * 0.5 / max(width - 1.5, 4)) or 1


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
    size = max(5.0, min(9.5, sqrt(2 * PAGE_WIDE * PAGE_HIGH / (0.1 * max(sheet.length, 1)))))
    return element("div", *map(_group, sheet.groups), class_="reference", style=f"font-size: {size:.1f}pt")


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
