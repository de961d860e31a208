"""Native code for a compiled ruleset where it can be had, or else why not."""

from __future__ import annotations

from contextlib import nullcontext
from importlib.util import find_spec
from typing import Literal, get_args

from polis_rules import cache
from polis_rules.interpreter.compiler.native import NotNativeError
from polis_rules.interpreter.machine import Compiled
from polis_rules.interpreter.runtime.native.engine import Kind, NativeMissingError
from polis_rules.interpreter.runtime.native.native import Native

Wanted = Literal["auto", "wasm", "c"]
"""`auto` takes what there is: WebAssembly, which is there at once, or else C, which is faster and takes longer to
make."""


def automatic() -> Kind:
    """What `auto` takes here, if anything."""
    return "wasm" if find_spec("wasmtime") is not None else "c"


def opened(compiled: Compiled, wanted: Wanted, key: str) -> tuple[Native | None, str]:
    """Native code of a kind, kept by a key of the rules unless that is empty, or why there is none.

    Raises NativeMissingError where `wanted` names a kind that cannot be had, ValueError where it names none.
    """
    if wanted not in get_args(Wanted):
        raise ValueError(f"native is {wanted!r}, which is none of {', '.join(map(repr, get_args(Wanted)))} and None")
    if compiled.trace or compiled.compact:
        return None, _refused("programs that tell what happens, and compact ones, are Python", wanted)
    kinds: tuple[Kind, ...] = ("wasm", "c") if wanted == "auto" else (wanted,)
    reasons = []
    for kind in kinds:
        try:
            with nullcontext() if key else cache.unused():
                return Native(compiled, kind, key), ""
        except NativeMissingError as error:
            if wanted != "auto":
                raise
            reasons.append(str(error))
        except NotNativeError as error:
            return None, _refused(f"these rules have no native form: {error}", wanted)
        except MemoryError as error:
            return None, _refused(str(error) or "there is not enough memory", wanted)
        except RecursionError:
            return None, _refused("these rules have no native form: they are nested too deeply", wanted)
    return None, "; ".join(reasons)


def _refused(reason: str, wanted: Wanted) -> str:
    """The reason. Raises it where native code is wanted in any case."""
    if wanted != "auto":
        raise NativeMissingError(reason, "`auto` plays in Python then")
    return reason
