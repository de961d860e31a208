"""What packages export, imported when it is first asked for."""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib import import_module
from typing import Any


def exports(package: str, file: str) -> tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]:
    """The `__getattr__`, `__dir__` and `__all__` of a package whose `__init__.pyi` says which module has each name.

    Every name there stands in a line `from .module import name as name`, or in lines of its own between brackets.
    """
    homes = _homes(f"{file}i")

    def get(name: str) -> Any:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value = getattr(import_module(homes[name], package), name)
        setattr(sys.modules[package], name, value)
        return value

    return get, lambda: sorted(homes), list(homes)


def _homes(stub: str) -> dict[str, str]:
    """The module of each name that a stub imports."""
    with open(stub, encoding="utf-8") as file:  # noqa: PTH123  (pathlib takes longer to import than all of this)
        lines = file.read().splitlines()
    homes, module = {}, ""
    for line in lines:
        begin, _, names = line.partition(" import ") if line.startswith("from ") else ("", "", line)
        module = begin.removeprefix("from ") or module
        for each in names.split(","):
            if exported := each.partition(" as ")[2].strip():
                homes[exported] = module
    return homes
