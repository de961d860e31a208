"""A difference in fewer lines: rows that change alike are told together, other sources and names are counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace

from polis_rules.diagnostics import some
from polis_rules.documentation.tree_diff import BOOK, CITATIONS, NAMES, SECTIONS, TITLES, UNITS, Change

FEW = 3
"""So many rows that are gone or new in a table are told with all that they say."""

COUNTED = {
    BOOK: "other text", TITLES: "other title", UNITS: "other unit", NAMES: "other name", CITATIONS: "other source",
}  # fmt: skip
"""Sections of which only is told how much differs, and what each difference is called."""


def condensed(changes: Iterable[Change]) -> list[Change]:
    """The changes, of which those of rows that change alike are told together, and those of the rulebook's own texts,
    of titles, units, citations and names are counted. What is only written, and held before, is left out."""
    listed = [each for each in changes if not each.changes_nothing]
    short: list[Change] = []
    for section in SECTIONS:
        inside = [each for each in listed if each.section == section]
        if section in COUNTED and inside:
            told = _counted(section, inside)
            short.append(replace(inside[0], path="", group="", subject="", sentence=told, lines=()))
            continue
        groups: dict[str, list[Change]] = {}
        for each in inside:
            groups.setdefault(each.group, []).append(each)
        for group in groups.values():
            short += _rows(group) if group[0].group else group
    return short


def _counted(section: str, changes: list[Change]) -> str:
    if section != CITATIONS:
        return some(len(changes), COUNTED[section])
    what = Counter(each.path.rpartition(".")[2] for each in changes)
    words = {"cite": "other citation", "grade": "other grade", "ruling": "other ruling"}
    return ", ".join(some(what[key], word) for key, word in words.items() if what[key])


def _rows(changes: list[Change]) -> Iterator[Change]:
    """The changes of the rows of one kind: a row on one line, and rows that change alike on the same one."""
    for kind, word in (("removed", "Gone"), ("added", "New")):
        whole = [each for each in changes if each.kind == kind and each.path.count(".") == 2]
        if len(whole) > FEW:
            names = Counter(each.subject for each in whole)
            told = _series(f"{name} ({count})" if count > 1 else name for name, count in names.items())
            yield replace(whole[0], sentence=f"{word}: {told}.")
        else:
            yield from whole
    alike: dict[str, dict[str, Change]] = {}
    said: dict[str, list[str]] = {}
    rows: dict[str, Change] = {}
    for each in changes:
        row = ".".join(each.path.split(".")[:3])
        if each.path.count(".") == 2:
            continue
        if each.lines or not each.sentence.startswith(f"{each.subject}: "):
            yield each
            continue
        rows.setdefault(row, each)
        said.setdefault(row, []).append(each.sentence.removeprefix(f"{each.subject}: ").removesuffix("."))
    for row, parts in said.items():
        alike.setdefault("; ".join(parts), {})[row] = rows[row]
    for text, same in alike.items():
        subjects = _series(dict.fromkeys(each.subject for each in same.values()))
        yield replace(next(iter(same.values())), sentence=f"{subjects}: {text}.")


def _series(names: Iterable[str]) -> str:
    """Names one after the other."""
    several = list(names)
    return ("; " if any("," in name for name in several) else ", ").join(several)
