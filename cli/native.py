"""The option `--native`: how commands that play many games play them."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from polis_rules.ruleset import Ruleset

from .output import say
from .progress import progress

if TYPE_CHECKING:
    from polis_rules.interpreter.runtime.native import Wanted

WASM: Wanted = "wasm"
C: Wanted = "c"

WORTH_IT = {WASM: 1000, C: 4000}
"""From so many games of one scenario on `auto` makes native code, which takes about as long as so many games in Python:
from 40 of long games to 3,600 of short ones as WebAssembly; a C compiler takes longer."""


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


def wanted(native: Native, games: int | None = None) -> Wanted | None:
    """What is to be tried where so many games of a scenario are to be played; without a number in any case."""
    if native is Native.auto:
        from polis_rules.interpreter.runtime.native import automatic

        return "auto" if games is None or games >= WORTH_IT[automatic()] else None
    return {Native.wasm: WASM, Native.c: C}.get(native)


def found(kind: Wanted | None, ruleset: Ruleset, checks: bool = False) -> Wanted | None:
    """The same, if there is native code for a ruleset; else it is told why there is none.

    Raises NativeMissingError where what is named cannot be had.
    """
    if kind is None:
        return None
    with progress(1, f"native code of {ruleset.name} {ruleset.scenario}"):
        reason = ruleset.program(checks=checks, native=kind).native_reason
    if reason:
        played_in_python(reason)
        return None
    return kind


def played_in_python(reason: str) -> None:
    """Say why games are played in Python."""
    say(f"played in Python: {reason}", err=True)
