"""Amounts that are worked out, as a rulebook says them: with signs, with limits after them, and as tables."""

from __future__ import annotations

from pathlib import Path

import pytest

from polis_rules.diagnostics import Span
from polis_rules.documentation.rulebook import Book, read
from polis_rules.documentation.rulebook.clauses import Clauses
from polis_rules.documentation.rulebook.folding import Folding
from polis_rules.documentation.rulebook.formulas import limited, tables
from polis_rules.semantics.expressions import Expr, Scope, Type
from polis_rules.source import Text

TIMES, MINUS = "\N{MULTIPLICATION SIGN}", "\N{MINUS SIGN}"
ISLES = read(Path(__file__).parent / "rulesets" / "random_isles")


def typed(book: Book, text: str) -> Expr:
    names = {"n": Type("int"), "m": Type("int"), "you": Type("ref", "player"), "place": Type("ref", "cell")}
    found = book.check(Text(text, Span("test", 1, 1, 1, len(text) + 1)), Scope().having(**names))
    assert found is not None, text
    return found


def say() -> Clauses:
    return Clauses(ISLES, folding=Folding(ISLES))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("n - 3", "n minus 3"),
        ("2 * n + m", f"2 {TIMES} n + m"),
        ("2 * (n + m)", f"2 {TIMES} (n + m)"),
        ("n - (m - 1)", f"n {MINUS} (m {MINUS} 1)"),
        ("(n + 1) // 5", "(n + 1) ÷ 5, rounded down"),
        ("n + (m // 6)", "n + (m ÷ 6, rounded down)"),
        ("max(n - 3, 0)", "n minus 3, but at least 0"),
        ("min(max(n - 3, 0), m)", "n minus 3, but at least 0 and at most m"),
        ("max(n, m)", "the higher of n and m"),
    ],
)
def test_more_than_one_operation_is_told_with_signs_and_limits_come_last(text: str, words: str) -> None:
    """A limit of a plain number is none: then both are told alike."""
    assert limited(say(), typed(ISLES, text)) == words


def test_a_name_that_stands_for_a_sum_is_put_in_brackets() -> None:
    """What is handed to a rule that is told in place takes the place of its name."""
    book = ISLES
    summed = say().noun(typed(book, "m + 1"))
    assert say().naming(n=summed).text(typed(book, "2 * n")) == "2 times (m plus 1)"


def test_a_table_has_every_value_of_a_formula_over_one_number() -> None:
    """It is made where the number has a small range and the formula is more than one sum."""
    expr = typed(ISLES, "(n + 1) // 5")
    assert tables(say(), expr, {"n": (0, 11)}) == [
        "(n + 1) ÷ 5, rounded down, in numbers: 0 for 0 to 3, 1 for 4 to 8 and 2 for 9 to 11"
    ]
    assert tables(say(), expr, {}) == tables(say(), typed(ISLES, "n + 1"), {"n": (0, 9)}) == []
