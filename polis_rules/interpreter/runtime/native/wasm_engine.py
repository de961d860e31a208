"""Native code in wasmtime, which keeps it inside its own memory."""

from __future__ import annotations

import atexit
import ctypes
import struct
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from polis_rules.interpreter.compiler.native import PAGE, WORD, Shape, Unit, wasm_text
from polis_rules.interpreter.runtime.native.engine import Code, Instance, NativeMissingError, TrappedError

if TYPE_CHECKING:
    import wasmtime

INSTALL = "pip install 'polis-rules[native]'"

MOST_PAGES = 65536
"""How many pages a memory can have."""


@cache
def _wasmtime() -> Any:
    """The package."""
    try:
        import wasmtime
    except (ImportError, OSError, RuntimeError) as error:  # the latter two: not for this machine
        raise NativeMissingError(f"wasmtime cannot be imported: {error}", INSTALL) from None
    # objects that are there until the interpreter ends would call functions that are gone by then
    atexit.register(setattr, wasmtime.Engine.__mro__[1], "__del__", lambda _: None)
    return wasmtime


@cache
def _lasting(name: str) -> Any:
    """A class of wasmtime, but that its objects are not deleted while Python ends: wasmtime is gone by then."""
    kind = getattr(_wasmtime(), name)

    def delete(self: object, pointer: object, ended: Callable[[], bool] = sys.is_finalizing) -> None:
        if not ended():
            kind._delete(self, pointer)

    return type(name, (kind,), {"_delete": delete})


@cache
def _engine() -> wasmtime.Engine:
    """What makes and runs all modules."""
    config = _wasmtime().Config()
    config.cranelift_opt_level = "speed"
    engine: wasmtime.Engine = _lasting("Engine")(config)
    return engine


def runtime() -> str:
    """What code depends on besides its content. Raises NativeMissingError where there is no wasmtime."""
    file = Path(_wasmtime().__file__)
    return f"wasm {file} {file.stat().st_mtime_ns}"


def compiled(unit: Unit) -> Code:
    """A unit as a serialized module. Raises NativeMissingError where wasmtime refuses it."""
    package = _wasmtime()
    try:
        module = package.Module(_engine(), package.wat2wasm(wasm_text(unit)))
        binary = bytes(module.serialize())
    except package.WasmtimeError as error:
        raise NativeMissingError(f"wasmtime does not compile the rules: {error}", INSTALL) from None
    return Code(binary, {name: len(unit.functions[name].params) for name in unit.exports}, unit.shape)


def load(code: Code) -> WasmEngine:
    """The engine of a serialized module. Raises NativeMissingError where it is of another version of wasmtime."""
    package = _wasmtime()
    _unchecked()
    engine = _engine()
    try:
        return WasmEngine(engine, _lasting("Module").deserialize(engine, code.binary), code.exports, code.shape)
    except package.WasmtimeError as error:
        raise NativeMissingError(f"wasmtime does not take a compiled module: {error}", INSTALL) from None


@cache
def _unchecked() -> Any:
    """The call of wasmtime that neither looks at types nor makes objects: a hundred times as fast as its usual one."""
    try:
        from wasmtime import _ffi

        function = _ffi.dll["wasmtime_func_call_unchecked"]  # another object than wasmtime's own, which checks types
        function.restype = ctypes.c_void_p
        return function
    except (ImportError, AttributeError) as error:
        raise NativeMissingError(f"this version of wasmtime is not known: {error}", INSTALL) from None


class WasmEngine:
    """A compiled module, and what makes and runs it."""

    def __init__(self, engine: wasmtime.Engine, module: wasmtime.Module, exports: dict[str, int], shape: Shape) -> None:
        self.engine, self.module, self.exports, self.shape = engine, module, exports, shape

    def instance(self, words: int) -> WasmInstance:
        """A program with so many words of memory, all 0. Raises MemoryError."""
        return WasmInstance(_lasting("Store")(self.engine), self.module, self.exports, words)


class WasmInstance(Instance):
    """A module with its memory, which does not grow any more."""

    def __init__(self, store: Any, module: wasmtime.Module, exports: dict[str, int], words: int) -> None:
        package = _wasmtime()
        self.exports = exports
        self.store = store
        self.found = found = package.Instance(store, module, []).exports(store)
        memory = found["memory"]
        self.base: int = found["heap"].value(store)
        more = max(0, -(-(self.base + words * WORD) // PAGE) - memory.size(store))
        store.set_limits(memory_size=(memory.size(store) + more) * PAGE)
        try:
            memory.grow(store, min(more, MOST_PAGES))
        except package.WasmtimeError as error:
            raise MemoryError(f"no memory of {words} words for native code: {error}") from None
        start = ctypes.addressof(memory.data_ptr(store).contents)
        self.words = (ctypes.c_int64 * words).from_address(start + self.base)
        self.words.store = store  # type: ignore[attr-defined]  # the memory is there as long as its store
        super().__init__()

    def function(self, name: str) -> Callable[..., int]:
        count, store, function = self.exports[name], self.store, self.found[name]._func
        values = (ctypes.c_int64 * (2 * max(count, 1)))()  # 16 bytes each, of which the first ones count
        trap = ctypes.c_void_p()
        put, native = struct.Struct("<" + "q8x" * count).pack_into, _unchecked()
        context = ctypes.cast(store._context(), ctypes.c_void_p)
        addresses = [ctypes.c_void_p(ctypes.addressof(each)) for each in (function, values, trap)]
        given = (context, *addresses[:2], ctypes.c_size_t(max(count, 1)), addresses[2])
        alive = (store, function)

        def call(*args: int) -> int:
            try:
                put(values, 0, *args)
            except struct.error:
                if len(args) != count:
                    raise TypeError(f"{name} takes {count} values") from None
                put(values, 0, *(ctypes.c_int64(each).value for each in args))
            if error := native(*given) or trap.value:
                raise _trapped(name, error, trap, alive)
            result: int = values[0]
            return result

        self.functions[name] = call
        return call


def _trapped(name: str, error: int, trap: ctypes.c_void_p, alive: object) -> TrappedError:
    """The error for what wasmtime told, which is given back to it."""
    from wasmtime import _ffi

    if trap.value:
        told = _wasmtime().Trap._from_ptr(ctypes.cast(trap, ctypes.POINTER(_ffi.wasm_trap_t)))
        trap.value = None
    else:
        told = _wasmtime().WasmtimeError._from_ptr(ctypes.cast(error, ctypes.POINTER(_ffi.wasmtime_error_t)))
    return TrappedError(f"{name}: {told}")
