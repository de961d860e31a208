"""Numbers that no word holds: native code traps before one comes out wrong, and Python plays the game."""

from __future__ import annotations

from contextlib import suppress
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from shutil import which

import pytest
from hypothesis import given, settings, strategies as st
from support.native_tree import Evaluator
from support.small_ruleset import small
from test_rule_errors import CHOICE, NUMBERS

from polis_rules import RuleError, load
from polis_rules.interpreter.compiler.native import Lowering
from polis_rules.interpreter.compiler.native.guards import FITS, guarded
from polis_rules.interpreter.compiler.native.tree import (
    Binary,
    Break,
    Const,
    Expr,
    Function,
    If,
    Let,
    Local,
    Loop,
    Return,
    Statement,
    Unit,
    statements,
)
from polis_rules.interpreter.runtime.native import Kind, TrappedError

X, COUNT = Local("x"), Local("i")
VALUES = st.integers(-9, 9) | st.sampled_from([1 << FITS, -(1 << FITS), 1 << 40, -(1 << 31), 1 << 53])
LEAVES = st.sampled_from([Local("a"), Local("b"), X]) | st.builds(Const, VALUES)
SUMS = st.recursive(LEAVES, lambda inner: st.builds(Binary, st.sampled_from("+-*"), inner, inner), max_leaves=9)


@cache
def library() -> dict[str, Function]:
    unit = Lowering(load(Path(__file__).parent / "rulesets" / "leduc").program().compiled).unit()
    return {name: unit.functions[name] for name in ("fits", "factor")}


def exact(expr: Expr, names: dict[str, int]) -> int:
    """What an expression is worth where numbers have no end."""
    match expr:
        case Const(value):
            return value
        case Local(name):
            return names[name]
        case Binary(op, left, right):
            first, second = exact(left, names), exact(right, names)
            return first + second if op == "+" else first - second if op == "-" else first * second
    raise TypeError(expr)


@settings(max_examples=150, deadline=None)
@given(SUMS, SUMS, SUMS, VALUES, VALUES, st.integers(0, 70))
def test_what_is_calculated_is_right_or_traps(
    first: Expr, again: Expr, last: Expr, a: int, b: int, rounds: int
) -> None:
    """Sums, differences and products of what a function is given, of local names, and of what grows in a loop."""
    more = Let("i", Binary("+", COUNT, Const(1)))
    body: tuple[Statement, ...] = (
        Let("x", Const(0)), Let("x", first), Let("i", Const(0)),
        Loop((If(Binary("<=", Const(rounds), COUNT), (Break(),)), Let("x", again), more)), Return(last),
    )  # fmt: skip
    unit = Unit({"f": guarded(Function("f", ("a", "b"), body)), **library()})
    names = {"a": a, "b": b, "x": 0}
    names["x"] = exact(first, names)
    for _ in range(rounds):
        names["x"] = exact(again, names)
        if abs(names["x"]) > 1 << 2000:
            break
    with suppress(TrappedError):
        assert Evaluator(unit, 0).call("f", a, b) == exact(last, names)


def test_small_numbers_and_steps_are_not_asked() -> None:
    """What is counted, and what is worked out of few numbers, costs nothing more."""
    counted = Loop((If(Binary("<=", Local("a"), COUNT), (Break(),)), Let("i", Binary("+", COUNT, Const(1)))))
    total = Binary("+", Binary("*", Const(6), Binary("<", COUNT, X)), Binary("-", COUNT, Const(3)))
    function = Function("f", ("a", "x"), (Let("i", Const(0)), counted, Return(total)))
    assert guarded(function) == function
    assert [*statements(guarded(function).body)] == [*statements(function.body)]


LARGE = "- set: {round: 1000000000}\n"
GROWING = {
    "a number that doubles": "- repeat:\n    times: 70\n    do:\n      - set: {round: round + round + 1}",
    "a number that falls": "- repeat:\n    times: 70\n    do:\n      - set: {round: round + round - 1}",
    "a sum of products": f"{LARGE}- set: {{round: {' + '.join(['round * round'] * 10)}}}",
    "a difference": f"{LARGE}- set: {{round: 0 - {' - '.join(['round * round'] * 10)}}}",
    "a sum over members": f"{LARGE}- set: {{round: sum(4 * round * round for r in region)}}",
    "a comparison": f"{LARGE}- if: {' + '.join(['round * round'] * 10)} > round\n  then:\n    - set: {{round: 1}}",
}


@pytest.mark.parametrize("kind", ["wasm", "c"])
@pytest.mark.parametrize("name", GROWING)
def test_numbers_that_grow_are_those_of_python(name: str, kind: Kind, tmp_path: Path) -> None:
    """The same states, whoever has worked them out, and the same errors."""
    if (find_spec("wasmtime") if kind == "wasm" else which("cc")) is None:
        pytest.skip(f"there is no {kind}")
    ruleset = load(small(tmp_path, CHOICE + GROWING[name], things=NUMBERS))
    told: list[object] = []
    for native in (kind, None):
        program = ruleset.program(native=native)  # type: ignore[arg-type]
        state = program.new_state(seed=1)
        try:
            told.append((program.playout(state), state))
        except RuleError as error:
            told.append(str(error))
    assert told[0] == told[1]
