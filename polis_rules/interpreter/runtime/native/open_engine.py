"""Engines by the content that they were made from, kept beside programs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from polis_rules import cache
from polis_rules.interpreter.compiler.native import Unit
from polis_rules.interpreter.runtime.native import c_engine, wasm_engine
from polis_rules.interpreter.runtime.native.engine import Code, Engine, Kind, NativeMissingError


class Backend(Protocol):
    """What a file of an engine has."""

    def runtime(self) -> str:
        """What code depends on besides its content."""

    def compiled(self, unit: Unit) -> Code:
        """The code of a unit."""

    def load(self, code: Code) -> Engine:
        """The engine of code."""


BACKENDS: dict[Kind, Backend] = {"c": c_engine, "wasm": wasm_engine}


def open_engine(kind: Kind, key: str, make: Callable[[], Unit]) -> Engine:
    """The engine of a unit, which is made where no code of this key (and kind, and version) is kept.

    What is kept and cannot be used is made anew. Raises NativeMissingError where there is no wasmtime or no compiler.
    """
    backend = BACKENDS[kind]
    name = f"native {backend.runtime()}"
    kept = cache.fetch(key, name)
    if isinstance(kept, Code):
        try:
            return backend.load(kept)
        except NativeMissingError:
            pass
    code = backend.compiled(make())
    engine = backend.load(code)
    cache.store(key, name, code)
    return engine
