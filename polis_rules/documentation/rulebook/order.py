"""In which order rules are told, and which of them are told where they are carried out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import takewhile

from polis_rules.documentation.rulebook.book import Book
from polis_rules.semantics import every_step, ir

SHORT = 6
"""Of so many steps is a rule, at most, that is told where it is carried out, if that is one place only."""


def called(book: Book, path: str) -> list[str]:
    """The procedures and phases that a rule carries out, in the order of its steps."""
    found = (step.procedure for step in every_step(book.rules.procedures[path].body) if isinstance(step, ir.Do))
    return [name for name in found if name.startswith(("procedures.", "phases."))]


def reached(book: Book, roots: Iterable[str], apart: Iterable[str] = ()) -> Iterator[str]:
    """The rules that some begin with, each followed by those that it carries out; without what stands apart."""
    seen = set(apart)
    waiting = [root for root in roots if root not in seen]
    while waiting:
        path = waiting.pop(0)
        if path not in seen:
            seen.add(path)
            yield path
            waiting = [*called(book, path), *waiting]


def preparing(book: Book) -> list[str]:
    """What is carried out once, before anything else of the game that goes on or is done again."""
    often = Counter(name for path in book.rules.procedures for name in called(book, path))
    first = takewhile(lambda step: not isinstance(step, ir.While | ir.Choices | ir.Times), body_of_game(book))
    return [step.procedure for step in first if isinstance(step, ir.Do) and often[step.procedure] == 1]


def body_of_game(book: Book) -> tuple[ir.Step, ...]:
    """The steps that make the whole game."""
    return book.rules.procedures["phases.game"].body if "phases.game" in book.rules.procedures else ()


def told_inside(book: Book, apart: Iterable[str] = ()) -> frozenset[str]:
    """The rules that are told where they are carried out: short ones with one caller, and those of a single step."""
    often = Counter(name for path in book.rules.procedures for name in called(book, path))
    sizes = {path: sum(1 for _ in every_step(book.rules.procedures[path].body)) for path in often}
    short = {path for path, many in often.items() if sizes[path] <= (SHORT if many == 1 else 1)}
    return frozenset(short - set(apart))
