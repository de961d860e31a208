"""What the interval analysis says of an expression is true of every value that it can have."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, strategies as st
from support.small_ruleset import small

from polis_rules.interpreter.evaluator import Evaluator
from polis_rules.interpreter.machine import lay_out
from polis_rules.pipeline import front
from polis_rules.semantics import Interval, Ranges, TypedRules, every_variable
from polis_rules.semantics.expressions import (
    BOOL,
    INT,
    Abs,
    Arith,
    Attr,
    Bool,
    Comp,
    Compare,
    Const,
    Everyone,
    Expr,
    IfElse,
    Load,
    MinMax,
    Next,
    Not,
    Numbers,
    Order,
    Size,
    Type,
    Var,
    number,
)

REGION = Type("ref", "region")
REGIONS = Everyone(Type("set", "region"))


@cache
def rules() -> TypedRules:
    with TemporaryDirectory() as folder:
        return front(small(Path(folder)), None, ())[1]


@pytest.fixture(scope="module", autouse=True)
def _compiled() -> None:
    """Compile the rules before the first expression is made of them."""
    rules()


def members(names: tuple[str, ...]) -> st.SearchStrategy[Expr]:
    """A region: by its table, by a name around it, or the one after such a one."""
    plain = st.one_of(st.integers(0, 2).map(lambda at: Const(REGION, at)), *(st.just(Var(REGION, n)) for n in names))
    return plain | plain.map(lambda tree: Next(REGION, tree)) | st.just(Load(REGION, "", "favourite", ()))


def numbers(deep: int, names: tuple[str, ...] = ()) -> st.SearchStrategy[Expr]:
    """Numbers of all sorts, with members that stand under some names."""
    leaves = st.one_of(
        st.integers(-9, 9).map(number),
        st.just(Load(INT, "", "round", ())),
        st.integers(0, 1).map(lambda at: Load(INT, "player", "coins", (Const(Type("ref", "player"), at),))),
        members(names).map(lambda tree: Attr(INT, "region", "size", (tree,))),
        members(names).map(lambda tree: Order(INT, tree)),
        members(names).map(lambda tree: Size(INT, Attr(Type("set", "region"), "region", "ports", (tree,)))),
    )
    if not deep:
        return leaves
    inner, test = numbers(deep - 1, names), conditions(deep - 1, names)
    name = f"n{deep}"
    looped, asked = numbers(deep - 1, (*names, name)), conditions(deep - 1, (*names, name))
    divisor = st.integers(1, 5).map(number)
    return st.one_of(
        leaves,
        st.builds(Arith, st.just(INT), st.sampled_from("+-*"), inner, inner),
        st.builds(Arith, st.just(INT), st.sampled_from(["//", "%"]), inner, divisor),
        st.builds(MinMax, st.just(INT), st.sampled_from(["min", "max"]), st.tuples(inner, inner)),
        st.builds(Abs, st.just(INT), inner),
        st.builds(IfElse, st.just(INT), test, inner, inner),
        st.builds(
            Comp, st.just(INT), st.sampled_from(["sum", "min", "max"]), st.just(name), st.just(REGIONS),
            st.none() | asked, looped, inner,
        ),
        st.builds(Comp, st.just(INT), st.just("count"), st.just(name), st.just(REGIONS), asked, st.just(number(1))),
    )  # fmt: skip


def conditions(deep: int, names: tuple[str, ...] = ()) -> st.SearchStrategy[Expr]:
    """Conditions of all sorts."""
    inner = numbers(max(deep - 1, 0), names)
    compared = st.sampled_from(["<", "<=", ">", ">=", "==", "!="])
    leaves = st.builds(Compare, st.just(BOOL), compared, inner, inner, st.just(""), st.just(""))
    leaves |= st.builds(
        Compare, st.just(BOOL), st.sampled_from(["==", "!="]), members(names), members(names), st.just(""), st.just("")
    )
    if not deep:
        return leaves
    test = conditions(deep - 1, names)
    name = f"c{deep}"
    asked = conditions(deep - 1, (*names, name))
    return st.one_of(
        leaves,
        st.builds(Not, st.just(BOOL), test),
        st.builds(Bool, st.just(BOOL), st.sampled_from(["and", "or"]), st.tuples(test, test)),
        st.builds(
            Comp, st.just(BOOL), st.sampled_from(["any", "all"]), st.just(name), st.just(REGIONS),
            st.none() | asked, asked,
        ),
        st.builds(
            Comp, st.just(BOOL), st.just("any"), st.just("i"), st.builds(Numbers, st.just(INT), inner, inner),
            st.none(), test,
        ),
    )  # fmt: skip


@st.composite
def states(draw: st.DrawFn) -> list[int]:
    """A state with every variable within its declared range."""
    layout = lay_out(rules().symbols)
    state = [0] * layout.size
    for variable in every_variable(rules().symbols):
        base = layout.bases[variable.owner, variable.name]
        for at in range(base, base + variable.size):
            state[at] = draw(st.integers(variable.low, variable.high))
    return state


@pytest.mark.slow
@given(numbers(3) | conditions(3), states())
def test_the_value_of_a_random_expression_lies_in_its_interval(tree: Expr, state: list[int]) -> None:
    """Whatever an expression is worth in some state within the declared ranges lies where the analysis says."""
    value = Evaluator(rules(), lay_out(rules().symbols)).value(tree, state, {})
    interval = Ranges(rules().symbols).of(tree, {})
    assert isinstance(interval, Interval) and interval.low <= value <= interval.high
