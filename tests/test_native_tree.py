"""Native code means the same as C, in WebAssembly, and read slowly in Python."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings, strategies as st

from polis_rules import cache
from polis_rules.interpreter.compiler.native.c_printer import c_source
from polis_rules.interpreter.compiler.native.tree import (
    Binary,
    Break,
    Call,
    CallTable,
    Const,
    Copy,
    Do,
    Either,
    Expr,
    Function,
    If,
    Let,
    Load,
    Local,
    Loop,
    Pool,
    Return,
    Statement,
    Store,
    Unary,
    Unit,
)
from polis_rules.interpreter.compiler.native.wasm_printer import wasm_text
from polis_rules.interpreter.runtime.native import Engine, Instance, Kind, NativeMissingError, TrappedError, open_engine
from tests.support.native_tree import EDGES, MIDDLE, NUMBERS, OPERATORS, STATE_WORDS, Evaluator, units

KINDS: tuple[Kind, ...] = ("c", "wasm")

S, A, B = Local("s"), Local("a"), Local("b")

TRIED = settings(database=None, suppress_health_check=list(HealthCheck), phases=[Phase.generate])
"""A C compiler is too slow for hypothesis to look for smaller examples."""
FEW = settings(TRIED, max_examples=12)
MANY = settings(TRIED, max_examples=60)


@pytest.fixture(autouse=True, scope="module")
def unkept() -> Iterator[None]:
    """Nothing is kept of what is tried here."""
    with cache.unused():
        yield


def engine(kind: Kind, unit: Unit) -> Engine:
    """The engine of a unit; the test is left out where there is none."""
    try:
        return open_engine(kind, "", lambda: unit)
    except NativeMissingError as error:
        if "cannot be imported" in error.reason or "there is no C compiler" in error.reason:
            pytest.skip(error.reason)
        raise


def unit_of(*bodies: tuple[Statement, ...], pool: list[int] | None = None, **tables: tuple[str, ...]) -> Unit:
    """A unit of the functions f0, f1 and so on, which take a state's address and two numbers."""
    functions = {f"f{at}": Function(f"f{at}", ("s", "a", "b"), body) for at, body in enumerate(bodies)}
    return Unit(functions, tables, pool or [], tuple(functions))


def valued(*exprs: Expr) -> Unit:
    """A unit of functions that answer expressions."""
    return unit_of(*((Return(expr),) for expr in exprs), pool=[10, 20, 30])


def outcome(instance: Instance | Evaluator, name: str, words: list[int], *args: int) -> Any:
    """What a function answers and leaves in memory, which it finds as given; or that it traps."""
    instance.words[:] = words  # type: ignore[call-overload]
    try:
        answer = instance.call(name, instance.base + 8 * MIDDLE, *args)
    except TrappedError:
        return "trap"
    return answer, list(instance.words)


def same(kind: Kind, unit: Unit, words: list[int], args: list[tuple[int, int]]) -> None:
    """A unit does the same natively as its tree says."""
    native, slow = engine(kind, unit).instance(STATE_WORDS), Evaluator(unit, STATE_WORDS)
    for name, (a, b) in product(unit.exports, args):
        assert outcome(native, name, words, a, b) == outcome(slow, name, words, a, b), (name, a, b)


MEMORY = st.lists(NUMBERS, min_size=STATE_WORDS, max_size=STATE_WORDS)
ARGS = st.lists(st.tuples(NUMBERS, NUMBERS), min_size=3, max_size=3)


@pytest.mark.parametrize("kind", KINDS)
@FEW
@given(unit=units(), words=MEMORY, args=ARGS)
def test_random_functions_do_what_their_tree_says(
    kind: Kind, unit: Unit, words: list[int], args: list[tuple[int, int]]
) -> None:
    same(kind, unit, words, args)


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
@MANY
@given(unit=units(), words=MEMORY, args=ARGS)
def test_many_random_functions_do_what_their_tree_says(
    kind: Kind, unit: Unit, words: list[int], args: list[tuple[int, int]]
) -> None:
    same(kind, unit, words, args)


def every_operation() -> Unit:
    """Each operation on two numbers, on one and a known one, and as a condition."""
    exprs: list[Expr] = [Unary(op, A) for op in ("not", "bits", "length", "lowest")]
    for op in OPERATORS:
        right = Binary("&", B, Const(63)) if op in ("<<", ">>") else B
        exprs.append(Binary(op, A, right))  # type: ignore[arg-type]
        known = (0, 5, 63) if op in ("<<", ">>") else (0, 1, -1, 7, -7, 8, 1 << 62, -(1 << 63))
        exprs += [Binary(op, A, Const(number)) for number in known]  # type: ignore[arg-type]
    tests = [Binary("<", A, B), Unary("not", A), Either(A, Binary("<=", A, B), Const(0)), Either(A, Const(1), B), A]
    exprs += [Either(test, Const(5), Load(S, Const(0))) for test in tests]
    exprs += [Unary("not", test) for test in tests]
    return valued(*exprs)


@pytest.mark.parametrize("kind", KINDS)
def test_operations_are_right_where_numbers_end(kind: Kind) -> None:
    """Sums wrap, quotients round down, -2**63 // -1 wraps, and a division by 0 traps."""
    unit = every_operation()
    native, slow = engine(kind, unit).instance(1), Evaluator(unit, 1)

    def answer(instance: Instance | Evaluator, name: str, a: int, b: int) -> int | str:
        try:
            return instance.call(name, instance.base, a, b)
        except TrappedError:
            return "trap"

    for name, a, b in product(unit.exports, EDGES, EDGES[:12]):
        assert answer(native, name, a, b) == answer(slow, name, a, b), (name, a, b)


@pytest.mark.parametrize("kind", KINDS)
def test_what_calls_do_is_done_from_the_left_to_the_right(kind: Kind) -> None:
    """A value that was read before a call is not that after it, in sums, arguments, addresses and tables."""
    count = (Store(S, Const(0), 0, Binary("+", Load(S, Const(0)), Const(1))), Return(Load(S, Const(0))))
    counted = Call("f0", (S, Const(0), Const(0)))
    here = Load(S, Const(0))
    unit = unit_of(
        count,
        (Return(Binary("-", here, Binary("*", counted, Const(10)))),),
        (Return(Binary("-", Binary("*", counted, Const(10)), here)),),
        (Return(Call("f4", (S, here, counted))),),
        (Return(Binary("-", Binary("*", A, Const(10)), B)),),
        (Return(CallTable("t", Binary("&", here, Const(1)), (S, here, counted))),),
        (Store(S, Binary("&", here, Const(3)), 1, counted),),
        (Copy(Binary("+", S, Const(8)), Pool(0), Binary("+", here, counted)),),
        pool=[1, 2, 3, 4],
        t=("f4", "f4"),
    )
    same(kind, unit, [0] * STATE_WORDS, [(0, 0)])
    same(kind, unit, [1] * STATE_WORDS, [(0, 0)])


@pytest.mark.parametrize("kind", KINDS)
def test_a_place_outside_of_a_table_and_an_empty_one_trap(kind: Kind) -> None:
    bodies = [(Return(CallTable(table, A, (S, A, B))),) for table in ("t", "none")]
    unit = unit_of((Return(B),), *bodies, *((Return(CallTable("t", Const(at), (S, A, B))),) for at in (-1, 0, 1, 2)))
    unit.tables |= {"t": ("f0", ""), "none": ()}
    native = engine(kind, unit).instance(STATE_WORDS)
    traps = [(name, at) for name in unit.exports[1:3] for at in (-1, 1, 2, 1 << 32, -(1 << 63))]
    for name, at in [*traps, ("f2", 0), ("f3", 0), ("f5", 0), ("f6", 0)]:
        with pytest.raises(TrappedError):
            native.call(name, native.base, at, 7)
    assert native.call("f1", native.base, 0, 7) == native.call("f4", native.base, 0, 7) == 7


@pytest.mark.parametrize("kind", KINDS)
def test_functions_that_call_themselves_for_ever_trap(kind: Kind) -> None:
    """And those that do so some hundred times do not."""
    deeper = Call("f0", (S, Binary("-", A, Const(1)), B))
    unit = unit_of((If(Unary("not", A), (Return(B),)), Return(Binary("+", deeper, Const(1)))))
    native = engine(kind, unit).instance(STATE_WORDS)
    assert native.call("f0", native.base, 300, 0) == 300
    with pytest.raises(TrappedError):
        native.call("f0", native.base, -1, 0)
    assert native.call("f0", native.base, 300, 0) == 300


@pytest.mark.parametrize("kind", KINDS)
def test_addresses_may_be_kept_in_memory_and_named(kind: Kind) -> None:
    """A state is another one after `s` has got another address; constants stand at addresses too."""
    unit = unit_of(
        (Store(S, Const(0), 0, Binary("+", S, Const(16))), Store(Load(S, Const(0)), A, 1, B), Return(Load(S, A, 3))),
        (Let("s", Binary("+", S, Const(8))), Store(S, Const(0), 0, B), Return(Load(S, Const(-1)))),
        (Let("x", Pool(1)), Return(Load(Local("x"), A))),
        (Copy(Binary("+", S, Binary("*", A, Const(8))), S, B), Return(Load(S, A))),
        pool=[10, 20, 30],
    )
    native = engine(kind, unit).instance(STATE_WORDS)
    native.words[:] = range(STATE_WORDS)  # type: ignore[call-overload]
    at = native.base + 8 * 4
    assert native.call("f0", at, 3, 77) == native.words[10] == 77
    assert native.call("f1", at, 0, 55) == at + 16
    assert native.words[5] == 55
    assert [native.call("f2", at, place, 0) for place in (-5, -2, -1, 0, 1)] == [0, 0, 10, 20, 30]
    native.words[:] = range(STATE_WORDS)  # type: ignore[call-overload]
    assert native.call("f3", at, 2, 6) == 4
    assert list(native.words[:16]) == [0, 1, 2, 3, 4, 5, 4, 5, 6, 7, 8, 9, 12, 13, 14, 15]


@pytest.mark.parametrize("kind", KINDS)
def test_a_table_may_hold_functions_with_and_without_a_state(kind: Kind) -> None:
    functions = {
        "f": Function("f", ("s", "a"), (Return(Load(S, A)),)),
        "g": Function("g", ("a", "b"), (Return(Binary("-", A, B)),)),
        "h": Function("h", ("s", "at", "a"), (Return(CallTable("t", Local("at"), (S, A))),)),
        "i": Function("i", (), (Let("x", Const(3)), Loop((If(Local("x"), (Break(),)),)), Do(Local("x")))),
    }
    native = engine(kind, Unit(functions, {"t": ("f", "g")}, [], ("g", "h", "i"))).instance(4)
    native.words[2] = 9
    assert native.call("h", native.base, 0, 2) == 9
    assert native.call("h", native.base, 1, 2) == native.base - 2
    assert native.call("i") == 0


@pytest.mark.skipif(os.name != "posix" or not shutil.which("cc"), reason="there is no C compiler")
def test_compilers_do_not_complain_about_the_c_code(tmp_path: Path) -> None:
    file = tmp_path / "rules.c"
    file.write_text(c_source(every_operation()), encoding="utf-8")
    options = ["-std=c11", "-O2", "-Wall", "-Wextra", "-Werror", "-fwrapv", "-c", "-o", os.devnull]
    for compiler in filter(shutil.which, ("gcc", "clang")):
        done = subprocess.run([compiler, *options, str(file)], capture_output=True, text=True, check=False)
        assert (done.returncode, done.stderr) == (0, ""), compiler


def test_a_module_imports_nothing() -> None:
    wasmtime = pytest.importorskip("wasmtime")
    module = wasmtime.Module(wasmtime.Engine(), wasm_text(every_operation()))
    assert len(module.imports) == 0
    assert {"memory", "heap", "f0"} <= {export.name for export in module.exports}


def test_a_comparison_in_a_condition_is_one_instruction() -> None:
    unit = unit_of((If(Binary("<", A, B), (Return(A),)), If(Unary("not", Binary("==", A, Const(0))), (Return(B),))))
    text = wasm_text(unit)
    assert "local.get 1 local.get 2 i64.lt_s if local.get 1 return end" in text
    assert "end local.get 1 i64.const 0 i64.ne if local.get 2 return end" in text


def test_known_places_of_a_state_are_part_of_the_instruction() -> None:
    text = wasm_text(valued(Load(S, Const(2), 3), Load(Binary("+", S, Const(8)), Binary("+", A, Const(1)), 1)))
    assert "local.get 0 i64.load offset=40" in text
    assert "local.get 0 local.get 1 i32.wrap_i64 i32.const 3 i32.shl i32.add i64.load offset=24" in text
