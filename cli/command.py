"""A command is a dataclass: what it does, its options, each with its help below it, and `run`."""

from __future__ import annotations

import ast
import inspect
import sys
from collections.abc import Callable, Iterator
from copy import copy
from dataclasses import MISSING, fields
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Any, get_args, get_origin, get_type_hints

import typer


def as_function(command: Any) -> Callable[..., None]:
    """A command as typer knows it: a function with a parameter for each field."""
    kinds, said = get_type_hints(command, include_extras=True), dict(_said_below(command))
    parameters = []
    for each in fields(command):
        needed, kind = each.default is MISSING, kinds[each.name]
        if get_origin(kind) is Annotated:
            kind, info = get_args(kind)
        elif kind is bool:
            info = typer.Option(f"--{each.name.replace('_', '-')}")
        else:
            info = typer.Argument() if needed else typer.Option()
        info = copy(info)
        info.help = said.get(each.name, info.help)
        default = inspect.Parameter.empty if needed else each.default
        parameter = inspect.Parameter(each.name, inspect.Parameter.KEYWORD_ONLY, default=default)
        parameters.append(parameter.replace(annotation=Annotated[kind, info]))

    def run(**given: Any) -> None:
        command(**given).run()

    run.__doc__, run.__annotations__ = command.__doc__, {each.name: each.annotation for each in parameters}
    run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]  # which `inspect` looks for
    return run


def _said_below(command: type) -> Iterator[tuple[str, str]]:
    """The names of fields with what stands below them."""
    for each in reversed(command.__mro__[:-1]):
        for field, below in pairwise(_bodies(each.__module__).get(each.__name__, ())):
            match field, below:
                case ast.AnnAssign(target=ast.Name(id=name)), ast.Expr(value=ast.Constant(value=str(text))):
                    yield name, " ".join(text.split())


@cache
def _bodies(module: str) -> dict[str, list[ast.stmt]]:
    """What stands in each class of a module; quicker than asking `inspect` for one class after the other."""
    tree = ast.parse(Path(sys.modules[module].__file__ or "").read_text("utf-8"))
    return {each.name: each.body for each in tree.body if isinstance(each, ast.ClassDef)}
