"""Checks beyond types: what a sound ruleset could still have wrong.

One file each in `lints/`, with a function `check`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib import import_module
from pkgutil import iter_modules

from polis_rules.diagnostics import Diagnostics
from polis_rules.validation import lints
from polis_rules.validation.analysis import Subject

Check = Callable[[Subject, Diagnostics], None]

__all__ = ["Check", "checks"]


def checks() -> Iterator[tuple[str, Check]]:
    """Every check by the name of its file, in the order of the names."""
    for found in sorted(iter_modules(lints.__path__), key=lambda module: module.name):
        check = getattr(import_module(f"{lints.__name__}.{found.name}"), "check", None)
        if check is not None:
            yield found.name, check
