"""What native code asks less often, and puts back instead of copying, comes out the same."""

from __future__ import annotations

import ast
from functools import reduce
from importlib.util import find_spec
from pathlib import Path

import pytest
from hypothesis import given, settings, strategies as st
from support.native_tree import Evaluator
from support.small_ruleset import THINGS, small

from polis_rules import load
from polis_rules.interpreter.compiler.native import Lowering
from polis_rules.interpreter.compiler.native.conditions import shortened
from polis_rules.interpreter.compiler.native.reading import read
from polis_rules.interpreter.compiler.native.straight import straightened
from polis_rules.interpreter.compiler.native.tree import (
    WORD,
    Binary,
    Call,
    Const,
    Either,
    Expr,
    Function,
    If,
    Let,
    Load,
    Local,
    Return,
    Store,
    Trap,
    Unary,
    Unit,
)
from polis_rules.interpreter.runtime.native import TrappedError

S, OPTIONS, COUNT, ZERO, ONE = Local("s"), Local("o"), Local("n"), Const(0), Const(1)
SLOTS = 5
ASKED = [
    *(Binary("==", Load(S, ZERO, slot), ZERO) for slot in range(SLOTS)),
    Binary("<", ZERO, Load(S, ZERO, 1)),
    Load(S, ZERO, 2),
    Call("asked", (S,)),
]
PARTS = st.lists(st.sampled_from(ASKED), min_size=1, max_size=4)
TESTS = st.lists(PARTS, min_size=1, max_size=7)
FAILS_AT = 3
"""What is called fails where this slot is not 0."""


def all_of(parts: list[Expr]) -> Expr:
    return reduce(lambda rest, part: Either(part, rest, ZERO), reversed(parts))


def any_of(parts: list[Expr]) -> Expr:
    return reduce(lambda rest, part: Either(part, ONE, rest), reversed(parts))


def listed(tests: list[list[Expr]]) -> Function:
    """Lists which of some conditions hold, after how many they are; and whether any does."""
    held = [
        If(all_of(each), (Store(OPTIONS, COUNT, 1, Const(at)), Let("n", Binary("+", COUNT, ONE))))
        for at, each in enumerate(tests)
    ]
    found = any_of([all_of(each) for each in tests])
    end = (Store(OPTIONS, ZERO, 0, COUNT), Return(Either(found, Const(7), Const(8))))
    return Function("f", ("s", "o"), (Let("n", ZERO), *held, *end))


@settings(max_examples=150, deadline=None)
@given(TESTS, st.lists(st.integers(0, 1), min_size=SLOTS, max_size=SLOTS))
def test_what_is_asked_once_is_asked_of_all(tests: list[list[Expr]], slots: list[int]) -> None:
    """Options are the same, and so is what fails: nothing that fails is asked sooner than before."""
    fails = Function("asked", ("s",), (If(Load(S, ZERO, FAILS_AT), (Trap(),)), Return(Load(S, ZERO, 4))))
    told = []
    for function in (listed(tests), shortened(listed(tests))):
        instance = Evaluator(Unit({"f": function, "asked": fails}), SLOTS + len(tests) + 1)
        instance.words[:SLOTS] = slots
        try:
            answer = instance.call("f", instance.base, instance.base + WORD * SLOTS)
            count = instance.words[SLOTS]
            told.append((answer, instance.words[: SLOTS + 1 + count]))
        except TrappedError:
            told.append("trap")
    assert told[0] == told[1]


def test_a_condition_of_many_options_is_asked_once() -> None:
    """What options ask besides, and in how many jumps, is told by how long the function is."""
    common = ASKED[0]
    function = shortened(listed([[ASKED[5], common, ASKED[at % 3 + 1]] for at in range(5)]))
    assert str(function).count(str(common)) == 2, "once for the options, once for whether there is any"
    assert str(shortened(Function("f", ("s",), (Return(all_of(ASKED[:4])),)))).count("==") == 1


@settings(max_examples=100, deadline=None)
@given(st.lists(st.integers(0, 1), min_size=SLOTS - 1, max_size=SLOTS - 1), st.sampled_from([0, 1, -1, 1 << 40, -9]))
def test_options_that_are_listed_without_a_jump_are_the_same(slots: list[int], moved: int) -> None:
    """What stands at a place is read before the condition in front of it holds, also where that keeps it off a place
    outside the state."""
    where = Load(S, ZERO, SLOTS - 1)
    tests: list[list[Expr]] = [
        [Binary("<", ZERO, Load(S, ZERO, at)), Unary("not", Binary("==", Load(S, where, 1 + at % 2), ONE))]
        for at in range(SLOTS - 1)
    ]
    slots = [*(slots if moved in (-1, 0, 1) else [0] * len(slots)), moved]
    straight = straightened(listed(tests), SLOTS)
    assert not any(isinstance(each, If) for each in straight.body)
    told = []
    for function in (listed(tests), straight):
        instance = Evaluator(Unit({"f": function}), SLOTS + len(tests) + 1)
        instance.words[:SLOTS] = slots
        answer = instance.call("f", instance.base, instance.base + WORD * SLOTS)
        told.append((answer, instance.words[: SLOTS + 1 + instance.words[SLOTS]]))
    assert told[0] == told[1]


CAMPS = THINGS.replace("      near:", "      camps: {per: player, type: 0..60}\n      near:")
TRIED = """
- repeat:
    times: 6
    do:
      - choose: target
        from: region
        if_possible: true
        do:
          - do: march(target, you)
          - do: march(favourite, you)
        leaving:
          enough: sum(r.camps[you] * r.camps[you] for r in region) != 4 and target.camps[you] < 7
"""
MARCH = """
procedures:
  march:
    of: {goal: region, mover: player}
    do:
      - if: goal.camps[mover] > 1
        then:
          - set:
              goal.camps[mover]: goal.camps[mover] - 1
          - set:
              favourite.camps[mover]: favourite.camps[mover] + 2
              favourite: goal
        else:
          - let:
              before: goal.camps[mover]
          - set:
              goal.camps[mover]: before + 1
              goal.owner: mover
"""


@pytest.mark.skipif(find_spec("wasmtime") is None, reason="wasmtime is not installed")
def test_what_is_tried_is_put_back(tmp_path: Path) -> None:
    """Slots are changed in some cases only, several times, and known only in play: no copy of the state is needed."""
    ruleset = load(small(tmp_path, TRIED, MARCH, CAMPS))
    python, native = ruleset.program(), ruleset.program(native="wasm")
    unit = Lowering(python.compiled).unit()
    tried = [function for name, function in unit.functions.items() if name.startswith("leaving")]
    assert tried and "copied" not in str(tried)
    assert list(native.playouts(1, 30)) == list(python.playouts(1, 30))
    for seed in range(8):
        state, other = python.new_state(seed), python.new_state(seed)
        python.playout(state)
        assert native.native is not None and native.native.playout_of(other) is not None
        assert other == state


LIBRARY = """
def stores(s, at): store(s, at, 1)
def copies(s, at):
    here = s + 8 * at
    end = here + 8
    copy(end, s, 1)
def makes(s):
    new = room(s, 1)
    store(new, 0, load(s, 0))
def tells(s): store(load(s, -1), 0, 1)
def sorts(members): store(members, 0, 1)
"""


def test_what_the_library_changes_of_a_state_is_told_by_where_it_stores() -> None:
    """An address in the state it is given, and no other."""
    functions = [each for each in ast.parse(LIBRARY).body if isinstance(each, ast.FunctionDef)]
    assert {each.name for each in functions if read(each).changes} == {"stores", "copies"}
