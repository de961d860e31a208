"""What diagnostics say, how they look, and that none is without an explanation."""

from __future__ import annotations

import ast
import pickle
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

import polis_rules
from polis_rules.diagnostics.codes import explanations
from polis_rules.diagnostics.diagnostic import Diagnostic
from polis_rules.diagnostics.diagnostics import Diagnostics
from polis_rules.diagnostics.errors import IllegalMove, InvalidMove, PolisError, RuleError, RulesetError
from polis_rules.diagnostics.rendering import render
from polis_rules.diagnostics.span import Span
from polis_rules.diagnostics.text import nearest, quote

PACKAGE = Path(polis_rules.__file__).parent


def test_rendering_shows_place_message_line_caret_and_hint() -> None:
    error = Diagnostic("unknown-name", "nothing is called 'coinn'", Span("a.yaml", 2, 9, 2, 14), "coin?")
    assert render(error, {"a.yaml": "cost:\n  price: coinn\n  count: 3\n"}) == (
        "a.yaml:2:9: error[unknown-name]: nothing is called 'coinn'\n"
        "  1 | cost:\n"
        "  2 |   price: coinn\n"
        "    |         ^^^^^\n"
        "  3 |   count: 3\n"
        "  hint: coin?"
    )


def test_lines_beside_it_that_are_blank_or_not_there_are_left_out() -> None:
    error = Diagnostic("unknown-name", "nothing is called 'coinn'", Span("a.yaml", 10, 2, 10, 3))
    assert render(error, {"a.yaml": "\n" * 9 + " x"}).split("\n")[1:3] == ["  10 |  x", "     |  ^"]
    assert render(error, {"a.yaml": "\n" * 8 + "y\n x\n \n"}).split("\n")[1:4] == ["   9 | y", "  10 |  x", "     |  ^"]


def test_rendering_shows_related_places() -> None:
    there = (("the first", Span("a.yaml", 1, 1, 1, 2)),)
    error = Diagnostic("duplicate-key", "again", Span("a.yaml", 2, 1, 2, 2), related=there)
    assert "  a.yaml:1:1: the first\n  1 | a: 1\n    | ^" in render(error, {"a.yaml": "a: 1\na: 2\n"})


def test_a_finding_without_a_place_quotes_nothing() -> None:
    error = Diagnostic("unknown-ruleset", "there is none", None, severity="warning")
    assert render(error) == "warning[unknown-ruleset]: there is none"


def test_a_long_line_is_cut_around_the_caret() -> None:
    text = "x" * 5000 + "HERE" + "y" * 5000
    shown = render(Diagnostic("wrong-type", "m", Span("a", 1, 5001, 1, 5005)), {"a": text})
    _, line, marks = shown.split("\n")
    assert len(line) < 130
    assert line[marks.index("^") : marks.rindex("^") + 1] == "HERE"


def test_what_a_terminal_would_obey_is_not_printed() -> None:
    shown = render(Diagnostic("wrong-type", "m", Span("a", 1, 1, 1, 2)), {"a": "\x1b[31mred\u202e"})
    assert "\x1b" not in shown
    assert "\u202e" not in shown
    assert "\x1b" not in quote("\x1b[31m")
    assert quote("a" * 40 + "b" * 40) == f"'{'a' * 27}...{'b' * 30}'"
    assert len(quote("a" * 1000)) == len(quote("a b" * 30)) == 62


@given(
    st.text(),
    st.integers(1, 50),
    st.integers(1, 50),
    st.integers(1, 50),
    st.integers(1, 50),
)
def test_any_span_over_any_text_renders(text: str, line: int, column: int, end: int, last: int) -> None:
    error = Diagnostic("wrong-type", "m", Span("a", line, column, end, last))
    assert render(error, {"a": text}).startswith(f"a:{line}:{column}: error[wrong-type]: m")


def test_only_errors_are_raised_and_all_findings_come_along() -> None:
    findings = Diagnostics()
    findings.warning("shadowing", "good to know", None, severity="note")
    findings.warning("shadowing", "odd", None)
    findings.raise_if_errors()
    assert not findings.has_errors
    findings.error("wrong-type", "bad", Span("a.yaml", 1, 1, 1, 2))
    with pytest.raises(RulesetError) as raised:
        findings.raise_if_errors()
    assert [each.severity for each in raised.value.diagnostics] == ["note", "warning", "error"]
    assert "a.yaml:1:1: error[wrong-type]: bad" in str(raised.value)


def test_errors_survive_pickling() -> None:
    error = RulesetError([Diagnostic("wrong-type", "bad", Span("a", 1, 1, 1, 2))], {"a": "x"})
    assert str(pickle.loads(pickle.dumps(error))) == str(error)
    failure = RuleError("no range", Span("a", 1, 1, 1, 2), "abc")
    assert str(pickle.loads(pickle.dumps(failure))) == "a:1:1: no range (position abc)"


@pytest.mark.parametrize("kind", [IllegalMove, InvalidMove, RuleError, RulesetError])
def test_every_exception_is_a_polis_error(kind: type[Exception]) -> None:
    assert issubclass(kind, PolisError)


def test_the_nearest_name_is_the_one_that_was_meant() -> None:
    assert nearest("tokn", ["coin", "token"]) == "token"
    assert nearest("zzzz", ["coin", "token"]) is None


def codes_used() -> dict[str, str]:
    """Every code that the package reports literally, with a file that does."""
    found = {}
    for path in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call) or not node.args or not isinstance(node.args[0], ast.Constant):
                continue
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            value = node.args[0].value
            reports = name in {
                "error",
                "warning",
                "note",
                "fail",
                "unknown",
                "_error",
                "_refuse",
                "_unknown",
                "Diagnostic",
            }
            if reports and isinstance(value, str) and "-" in value and " " not in value:
                found[value] = path.name
    return found


@pytest.mark.slow
def test_every_code_that_is_reported_is_explained() -> None:
    unexplained = {code: file for code, file in codes_used().items() if code not in explanations()}
    assert not unexplained


def test_every_explained_code_is_reported_somewhere() -> None:
    elsewhere = "".join(path.read_text(encoding="utf-8") for path in PACKAGE.rglob("*.py"))
    assert not [code for code in explanations() if f'"{code}"' not in elsewhere]


def test_explanations_are_one_line() -> None:
    assert all(each.meaning.endswith(".") for each in explanations().values())


def test_a_code_is_explained_offline_with_an_example() -> None:
    """The entry of docs/errors.md is found by its code, and no web address is printed while there is none."""
    assert str(explanations()["unknown-name"]).startswith(
        "unknown-name: A name stands for nothing here.\nFor example: "
    )
    assert "http" not in render(Diagnostic("unknown-name", "m", Span("a", 1, 1, 1, 2)), {"a": "x"})


def test_a_suggestion_is_data_and_printed_as_a_question() -> None:
    """What should stand at a place instead is a field of its own, and the hint asks for it."""
    findings = Diagnostics()
    findings.unknown("unknown-name", "nothing is called 'tokn'", Span("a.yaml", 1, 4, 1, 8), "tokn", ["coin", "token"])
    findings.unknown("unknown-name", "nothing is called 'zzzz'", Span("a.yaml", 1, 4, 1, 8), "zzzz", ["coin", "token"])
    assert [(each.suggestion, each.missing) for each in findings.items] == [("token", "tokn"), (None, "zzzz")]
    assert [each.advice for each in findings.items] == ["did you mean 'token'?", "known: coin, token"]
    assert render(findings.items[0], {"a.yaml": "a: tokn"}).endswith("\n  hint: did you mean 'token'?")
