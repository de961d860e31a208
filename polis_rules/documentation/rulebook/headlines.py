"""The few sentences that a player wants to hear first of two rulesets, made of what their rules are called."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from polis_rules.diagnostics import some
from polis_rules.documentation.rulebook.book import Book
from polis_rules.documentation.rulebook.english import end, listed, upper_first
from polis_rules.documentation.rulebook.rules import Rules
from polis_rules.documentation.tree_diff import BOOK, CITATIONS, NAMES, TARGETS, TITLES, UNITS, Change
from polis_rules.semantics import called_by, every_step
from polis_rules.source import Text, node_at, spoken

MOST = 10
"""How many sentences there are at most."""

FEW = 4
"""So many rows that are gone or new are named."""


class _Headline(NamedTuple):
    weight: int
    """The greater, the sooner it is told."""
    text: str


def headlines(first: Book, second: Book, changes: Iterable[Change]) -> tuple[str, ...]:
    """At most ten sentences on what makes the greatest difference, the greatest first; none where little differs."""
    silent = (BOOK, TARGETS, TITLES, UNITS, CITATIONS, NAMES)
    told = [change for change in changes if change.section not in silent and change.kind != "routes"]
    if len(told) <= MOST:
        return ()
    lines = [
        *_settings(first, second),
        *_kinds(first, second),
        *(line for change in told if (line := _headline(first, second, change))),
    ]
    lines.sort(key=lambda line: -line.weight)
    texts = dict.fromkeys(end(upper_first(line.text)) for line in lines)
    return tuple(texts)[:MOST]


def _settings(first: Book, second: Book) -> Iterator[_Headline]:
    """What both settle before play, where that is different."""
    before = first.composed.settings
    for name, setting in second.composed.settings.items():
        if name in before and before[name].value != setting.value:
            called = setting.title or spoken(name)
            yield _Headline(100, f"{called}: {setting.value} instead of {before[name].value}")


def _kinds(first: Book, second: Book) -> Iterator[_Headline]:
    """How many rows the tables of both have."""
    for name, kind in second.rules.symbols.kinds.items():
        before = first.rules.symbols.kinds.get(name)
        combined = node_at(second.composed.tree, "kinds", name, "for_each") is not None
        if before is None or name in ("player", "action") or combined:
            continue
        gone = [title for id, title in zip(before.members, before.titles, strict=True) if id not in kind.index]
        new = [title for id, title in zip(kind.members, kind.titles, strict=True) if id not in before.index]
        count, was = len(kind.members), len(before.members)
        named = 0 < len(gone) <= FEW and len(new) <= FEW and len(gone) < was
        if count != was:
            changed = [f"without {listed(gone)}"] * bool(gone) + [f"with {listed(new)}"] * bool(new)
            more = f": {', '.join(changed)}" if named else ""
            each = "different " if Rules(second).copied(kind) else ""
            text = f"{some(count, each + second.kind(name), each + second.kinds(name))} instead of {was}{more}"
            yield _Headline(90 if max(count, was) <= 12 else 66, text)
        elif gone:
            text = f"{listed(new)} instead of {listed(gone)}" if named else f"other {second.kinds(name)}"
            yield _Headline(45, text)


def _headline(first: Book, second: Book, change: Change) -> _Headline | None:
    """What one change of a rule comes to, where it is worth a sentence of its own."""
    parts, new, gone = change.path.split("."), change.kind == "added", change.kind == "removed"
    match parts:
        case ["actions", _] if new:
            return _Headline(85, f"new action: {change.subject}")
        case ["actions", _] if gone:
            part = listed(_now_part_of(first, second, change.path))
            return _Headline(85, f"{change.subject} is no longer an action{f', but part of {part}' if part else ''}")
        case ["kinds", kind, "state", name] if new:
            counted = second.rules.symbols.kinds[kind].state[name].title
            return _Headline(80, f"{second.kinds(kind)} have {counted}") if counted else None
        case ["kinds", kind, "state", name]:
            return _range(first, second, kind, name)
        case ["score", *_]:
            return _Headline(75, change.sentence)
        case ["endings", _] if new or gone:
            title = _title(second if new else first, *parts) or change.subject
            return _Headline(70, f"{'a new' if new else 'no longer an'} end of the game: {title}")
        case ["actions", _, "cost", *_]:
            return _Headline(65, change.sentence)
        case ["actions", _, *_, ("where" | "requires"), _] if new or gone:
            return _Headline(60, change.sentence)
        case ["procedures", _] if new and (title := _title(second, *parts)):
            return _Headline(55, title)
        case ["terms", id, "is"]:
            return _term(first, second, id)
    return None


def _now_part_of(first: Book, second: Book, action: str) -> list[str]:
    """The titles of the rules that now run what only an action ran before."""
    done = _called(first, action)
    callers = [path for path in second.rules.procedures if done & _called(second, path) - _called(first, path)]
    return [title for path in callers if (title := second.rules.procedures[path].title)]


def _called(book: Book, path: str) -> set[str]:
    """The procedures that a rule runs itself."""
    rule = book.rules.procedures.get(path)
    steps = every_step(rule.body) if rule else ()
    return {each for step in steps for each in called_by(step, book.rules.symbols)}


def _title(book: Book, *path: str) -> str:
    """The title of a rule; empty where it has none."""
    title = node_at(book.composed.tree, *path, "title")
    return str(title) if isinstance(title, Text) else ""


def _range(first: Book, second: Book, kind: str, name: str) -> _Headline | None:
    """Another greatest number of something that is counted."""
    before, now = (book.rules.symbols.kinds[kind].state.get(name) for book in (first, second))
    if before is None or now is None or not now.title or now.type.base != "int" or before.high == now.high:
        return None
    return _Headline(48, f"{second.kinds(kind)} have at most {now.high} {now.title}, instead of {before.high}")


def _term(first: Book, second: Book, id: str) -> _Headline | None:
    """What a term with a title is now; what is always the same in one of the rulesets is there to be changed."""
    before, now = (node_at(book.composed.tree, "terms", id) for book in (first, second))
    title, was = (node_at(node, "title") for node in (now, before))
    value, old = (node_at(node, "is") for node in (now, before))
    if not isinstance(title, Text) or not isinstance(value, Text) or not isinstance(old, Text):
        return None
    settled = [each.isdecimal() or each in ("true", "false") for each in (value, old)]
    if value in ("true", "false"):
        return _Headline(40, str(title)) if title != was else None
    if value.isdecimal() and old.isdecimal():
        return _Headline(62, f"{title}: {value} instead of {old}")
    if title != was:
        return _Headline(62 if any(settled) else 50, str(title))
    return None
