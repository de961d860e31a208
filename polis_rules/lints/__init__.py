"""Checks beyond types: what a sound ruleset could still have wrong.

One file each, with a function `check`; the other files here are what several checks need.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib import import_module
from pkgutil import iter_modules

from polis_rules.diagnostics import Diagnostics
from polis_rules.lints.subject import Subject

Check = Callable[[Subject, Diagnostics], None]

__all__ = ["Check", "Subject", "checks"]


def checks() -> Iterator[tuple[str, Check]]:
    """Every check by the name of its file, in the order of the names."""
    for found in sorted(iter_modules(__path__), key=lambda module: module.name):
        check = getattr(import_module(f"{__name__}.{found.name}"), "check", None)
        if check is not None:
            yield found.name, check
