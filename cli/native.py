"""The option `--native`: how commands that play many games play them."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from polis_rules.ruleset import Ruleset

from .output import say

if TYPE_CHECKING:
    from polis_rules.interpreter.runtime.native import Wanted

WORTH_IT = 100
"""From so many games on `auto` makes native code, which takes as long as some games."""

WASM: Wanted = "wasm"
C: Wanted = "c"


class Native(StrEnum):
    """What plays."""

    auto = "auto"
    wasm = "wasm"
    c = "c"
    none = "none"


NativeCode = Annotated[
    Native,
    typer.Option(
        "--native",
        help="What plays: native code where there is some and it pays (auto), as WebAssembly or by a C compiler, or "
        "Python (none). The games are the same. Example: --native wasm",
    ),
]


def wanted(native: Native, games: int = WORTH_IT) -> Wanted | None:
    """What is to be tried where so many games are to be played."""
    if native is Native.auto:
        return "auto" if games >= WORTH_IT else None
    return {Native.wasm: WASM, Native.c: C}.get(native)


def found(native: Native, games: int, ruleset: Ruleset, checks: bool) -> Wanted | None:
    """The same, if there is native code for a ruleset; else it is told why there is none.

    Raises NativeMissingError where what is named cannot be had.
    """
    kind = wanted(native, games)
    if kind is not None and (reason := ruleset.program(checks=checks, native=kind).native_reason):
        played_in_python(reason)
        return None
    return kind


def played_in_python(reason: str) -> None:
    """Say why games are played in Python."""
    say(f"played in Python: {reason}", err=True)
