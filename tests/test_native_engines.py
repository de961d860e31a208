"""Native code is kept, loaded and called without trust in what is kept, and its absence is told."""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy
import pytest

from polis_rules import cache
from polis_rules.interpreter.compiler.native.tree import (
    Binary,
    Break,
    Const,
    Function,
    If,
    Let,
    Load,
    Local,
    Loop,
    Return,
    Store,
    Trap,
    Unit,
)
from polis_rules.interpreter.runtime.native import (
    Code,
    Engine,
    Kind,
    NativeMissingError,
    TrappedError,
    c_engine,
    open_engine,
    wasm_engine,
)

KINDS: tuple[Kind, ...] = ("c", "wasm")
S, A = Local("s"), Local("a")


def small() -> Unit:
    """Counts at an address, adds, traps."""
    count = Store(S, Const(0), 0, Binary("+", Load(S, Const(0)), A))
    step = Let("i", Binary("+", Local("i"), Const(1)))
    counted = Loop((If(Binary("<=", A, Local("i")), (Break(),)), count, step))
    functions = {
        "count": Function("count", ("s", "a"), (Let("i", Const(0)), counted, Return(Load(S, Const(0))))),
        "same": Function("same", ("a",), (Return(A),)),
        "fail": Function("fail", ("s",), (Store(S, Const(0), 0, Const(1)), Trap())),
    }
    return Unit(functions, {}, [], tuple(functions))


def opened(kind: Kind, key: str = "small") -> Engine:
    """The engine of the small unit; the test is left out where there is none."""
    try:
        return open_engine(kind, key, small)
    except NativeMissingError as error:
        if "cannot be imported" in error.reason or "there is no C compiler" in error.reason:
            pytest.skip(error.reason)
        raise


def refuse(*_: object) -> Any:
    raise AssertionError("nothing is compiled here")


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("POLIS_CACHE_DIR", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def forgotten() -> Iterator[None]:
    """What is known of wasmtime is forgotten before and after."""
    known = (wasm_engine._wasmtime, wasm_engine._lasting, wasm_engine._engine, wasm_engine._unchecked)
    for each in known:
        each.cache_clear()
    yield
    for each in known:
        each.cache_clear()


# -- memory and calls --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_each_instance_has_words_of_its_own(kind: Kind) -> None:
    """They are 0 in the beginning, seen by numpy without copies, and last as long as anybody looks at them."""
    engine = opened(kind)
    one, other = engine.instance(100_000), engine.instance(3)
    seen = numpy.frombuffer(one.words, dtype=numpy.int64)
    assert one.base % 64 == 0
    assert (len(one.words), len(other.words), int(seen.sum())) == (100_000, 3, 0)
    assert one.call("count", one.base + 8 * 99_999, 3) == 9 == seen[-1]
    assert list(other.words) == [0, 0, 0]
    del one
    seen[0] = 4
    assert seen[[0, -1]].tolist() == [4, 9]


@pytest.mark.parametrize("kind", KINDS)
def test_numbers_from_outside_are_taken_as_64_bits(kind: Kind) -> None:
    same = opened(kind).instance(1).function("same")
    assert [same(number) for number in (-1, 1 << 63, (1 << 64) + 5, -(1 << 63))] == [-1, -(1 << 63), 5, -(1 << 63)]
    for args in ((), (1, 2)):
        with pytest.raises(TypeError):
            same(*args)


@pytest.mark.parametrize("kind", KINDS)
def test_a_trap_ends_the_call_and_nothing_else(kind: Kind) -> None:
    instance = opened(kind).instance(1)
    for _ in range(3):
        with pytest.raises(TrappedError, match="fail"):
            instance.call("fail", instance.base)
        assert instance.words[0] == 1
        assert instance.call("same", 7) == 7


@pytest.mark.parametrize("kind", KINDS)
def test_memory_that_cannot_be_had_is_an_error(kind: Kind) -> None:
    with pytest.raises(MemoryError):
        opened(kind).instance(1 << 58)


@pytest.mark.parametrize("kind", KINDS)
def test_threads_play_on_instances_of_one_engine(kind: Kind) -> None:
    engine = opened(kind)

    def played(number: int) -> int:
        instance = engine.instance(1)
        for _ in range(200):
            instance.call("count", instance.base, number)
        with pytest.raises(TrappedError):
            instance.call("fail", instance.base)
        return instance.call("count", instance.base, number)

    with ThreadPoolExecutor(4) as threads:
        assert list(threads.map(played, range(20))) == [1 + number * number for number in range(20)]


def test_wasm_memory_is_no_larger_than_asked_for() -> None:
    engine = opened("wasm")
    instance: Any = engine.instance(1)
    with pytest.raises(Exception, match="memory"):
        instance.found["memory"].grow(instance.store, 1)


# -- what is kept ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_what_was_compiled_is_kept_by_its_key(kind: Kind, monkeypatch: pytest.MonkeyPatch) -> None:
    opened(kind)
    monkeypatch.setattr(c_engine, "compiled", refuse)
    monkeypatch.setattr(wasm_engine, "compiled", refuse)
    assert opened(kind).instance(1).call("same", 3) == 3
    with pytest.raises(AssertionError):
        opened(kind, "another key")


@pytest.mark.parametrize("kind", KINDS)
def test_a_damaged_entry_is_made_anew(kind: Kind, home: Path) -> None:
    opened(kind)
    (entry,) = home.glob("*.pickle")
    whole = bytearray(entry.read_bytes())
    whole[len(whole) // 2] ^= 1
    entry.write_bytes(whole)
    assert opened(kind).instance(1).call("same", 3) == 3


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("binary", [b"", b"of another version"])
def test_code_that_cannot_be_loaded_is_made_anew(kind: Kind, binary: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    opened(kind)
    monkeypatch.setattr(cache, "fetch", lambda *_: Code(binary, {"same": 1}))
    assert opened(kind).instance(1).call("same", 3) == 3


def test_a_shared_object_without_an_export_is_refused() -> None:
    opened("c")
    code = c_engine.compiled(small())
    with pytest.raises(NativeMissingError, match="cannot be loaded"):
        c_engine.load(Code(code.binary, {"other": 1}))


# -- what is not there -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("command", "reason"),
    [
        ("no-such-compiler -m64", "there is no C compiler no-such-compiler"),
        ("false", "the C compiler false failed: it ended with 1"),
        ("sh -c 'echo no room left >&2; exit 3'", "the C compiler sh failed: no room left"),
        ("true", "the C compiler true failed: it ended with 0"),
        ("gcc '", "CC cannot be read"),
    ],
)
def test_without_a_compiler_that_works_c_is_missing(command: str, reason: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CC", command)
    with pytest.raises(NativeMissingError, match=reason) as missing:
        open_engine("c", "small", small)
    assert missing.value.what_to_install == c_engine.INSTALL


@pytest.mark.skipif(sys.platform == "win32", reason="asks for a shell")
def test_a_compiler_that_hangs_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    """With what it began."""
    monkeypatch.setenv("CC", "sh -c 'tail -f /dev/null & wait'")
    monkeypatch.setattr(c_engine, "LONGEST", 0.05)
    with pytest.raises(NativeMissingError, match="took more than"):
        open_engine("c", "small", small)


def test_without_room_for_temporary_files_c_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    """To make it, and to load what was made."""
    opened("c")
    made = c_engine.compiled(small())

    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_text", full)
    monkeypatch.setattr(Path, "write_bytes", full)
    for step in (lambda: c_engine.compiled(small()), lambda: c_engine.load(made)):
        with pytest.raises(NativeMissingError, match="No space left on device"):
            step()


def test_options_of_the_compiler_are_not_read_by_a_shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CC", f"true ; touch {tmp_path}/made")
    with pytest.raises(NativeMissingError):
        open_engine("c", "small", small)
    assert not (tmp_path / "made").exists()


@pytest.mark.usefixtures("forgotten")
def test_without_wasmtime_wasm_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "wasmtime", None)
    with pytest.raises(NativeMissingError, match="wasmtime cannot be imported") as missing:
        open_engine("wasm", "small", small)
    assert "polis-rules[native]" in missing.value.what_to_install


@pytest.mark.skipif(sys.platform == "win32", reason="asks for the library of the process itself")
@pytest.mark.usefixtures("forgotten")
def test_a_wasmtime_without_what_is_called_is_as_good_as_none(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its quick call is no part of what it promises."""
    opened("wasm")
    from wasmtime import _ffi

    wasm_engine._unchecked.cache_clear()
    monkeypatch.setattr(_ffi, "dll", ctypes.CDLL(None))
    with pytest.raises(NativeMissingError, match="not known"):
        opened("wasm")
