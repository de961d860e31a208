"""What is done at one go, without anybody deciding, comes to an end, and numbers stay within what a word can hold."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.little_ruleset import little, totals

import polis_rules
from polis_rules.cases import run_cases
from polis_rules.diagnostics import RuleError, RulesetError


def refused(folder: Path, checks: bool) -> RuleError:
    """The error of a game that is played at random."""
    with pytest.raises(RuleError) as caught:
        totals(folder, checks)
    return caught.value


@pytest.mark.parametrize("checks", [False, True])
def test_squares_of_squares_are_refused(tmp_path: Path, checks: bool) -> None:
    """A chain of `let` cannot make numbers that fill the memory."""
    chain = "".join(f"    - let: {{v{n + 1}: v{n} * v{n}}}\n" for n in range(22))
    rules = f"score: {{terms: {{a: 0}}}}\nphases:\n  game:\n    - let: {{v0: 1000000000}}\n{chain}    - end: over\n"
    finding = refused(little(tmp_path, rules), checks)
    assert finding.message == "this product is too large: numbers go up to 2 to the power of 63"


@pytest.mark.parametrize("checks", [False, True])
def test_state_that_squares_itself_stops_at_its_range(tmp_path: Path, checks: bool) -> None:
    """A product that leaves the range of its state is an error in code without checks, too."""
    rules = """
score: {terms: {a: 0}}
phases:
  game:
    - set: {turn: 9}
    - repeat: {times: 1000, do: [{set: {turn: turn * turn}}]}
    - end: over
"""
    assert refused(little(tmp_path, rules), checks).message == "turn would be 81, outside of 0..60"


@pytest.mark.parametrize("checks", [False, True])
def test_loops_inside_loops_come_to_an_end(tmp_path: Path, checks: bool) -> None:
    """What is done without anybody deciding is counted in every mode, and too much of it has its place."""
    rules = """
score: {terms: {a: 0}}
phases:
  game:
    - repeat:
        times: 100000
        do:
          - repeat: {times: 100000, do: [{set: {turn: (turn + 1) % 10}}]}
    - end: over
"""
    finding = refused(little(tmp_path, rules), checks)
    assert finding.message == "this is done more than 300000 times without anybody deciding"
    assert finding.span is not None and finding.span.file.endswith("all.yaml")


DOUBLING = "".join(f"  p{n}: {{do: [{{do: p{n - 1}}}, {{do: p{n - 1}}}]}}\n" for n in range(1, 50))
CALLS = f"""
score: {{terms: {{a: 0}}}}
procedures:
  p0: {{do: [{{set: {{turn: 1}}}}]}}
{DOUBLING}phases:
  game:
    - do: p49
    - end: over
"""
BUSY = """
score: {terms: {a: 0}}
terms: {busy: {is: 'sum(1 for a in player for b in player for n in range(0, 1000) if n > turn)'}}
phases:
  game:
    - repeat: {times: 100000, do: [{set: {turn: 'min(9, busy)'}}]}
    - end: over
"""


@pytest.mark.parametrize("native", ["c", *(pytest.param(each, marks=pytest.mark.slow) for each in (None, "wasm"))])
@pytest.mark.parametrize("rules", [CALLS, pytest.param(BUSY, marks=pytest.mark.slow)], ids=["calls", "expressions"])
def test_calls_and_long_expressions_are_counted_like_loops(tmp_path: Path, rules: str, native: str | None) -> None:
    """Code without checks ends in a second or two where procedures double, and where each round works out much."""
    program = polis_rules.load(little(tmp_path, rules)).program(native=native)
    with pytest.raises(RuleError, match="more than 300000 times"):
        next(iter(program.playouts(seed=0)))


def test_a_product_that_its_ranges_let_grow_too_large_is_a_finding(tmp_path: Path) -> None:
    """What the declared ranges show is said while compiling, at the very product."""
    rules = """
score: {terms: {a: 0}}
phases:
  game:
    - let: {big: 1000000000 * 1000000000 * (1 + turn)}
    - end: over
"""
    with pytest.raises(RulesetError) as caught:
        polis_rules.load(little(tmp_path, rules))
    finding = caught.value.diagnostics[0]
    assert (finding.code, finding.span.column if finding.span else 0) == ("out-of-range", 18)


@pytest.mark.parametrize(
    "product",
    [
        "some // 2 * 10",
        "max(0, some // 2 * 10)",
        "max(0, some - 7) * 10",
        "min(0, 3 - some) * 10",
        "abs(some // -(-3)) * 10",
        "sum(some for n in range(0, 9)) * 10",
        "count(n for n in range(0 - some, some)) * 10",
        "max((n for n in range(0, some)), default=0) * 10",
    ],
)
def test_a_product_of_what_has_no_limit_is_no_finding(tmp_path: Path, product: str) -> None:
    """A number without a limit has none either when it is divided, summed or made larger or smaller."""
    rules = f"""
score: {{terms: {{a: 0}}}}
terms: {{made: {{of: {{some: number}}, is: "{product}"}}}}
phases:
  game:
    - let: {{big: made(turn)}}
    - end: over
"""
    polis_rules.load(little(tmp_path, rules))


def test_a_case_of_a_game_that_rolls_forever_fails(tmp_path: Path) -> None:
    """Nobody decides, so the case cannot wait for somebody who does."""
    rules = """
score: {terms: {a: 0}}
phases:
  game:
    - repeat: {while: turn < 9, do: [{roll: die, dice: 1d6}]}
    - end: over
"""
    folder = little(tmp_path, rules)
    (folder / "cases").mkdir()
    (folder / "cases" / "all.yaml").write_text("cases: {endless: {then: {turn: 0}}}\n", "utf-8")
    (result,) = run_cases(folder)
    assert "more than 10000 times without anybody deciding" in result.failures[0]
