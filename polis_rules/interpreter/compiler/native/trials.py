"""Functions that try changes in a copy of the state, as ones that change the state itself and put it back.

That takes changes which are written out, each at most once: what a procedure changes is put in place of its call.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from copy import deepcopy
from typing import TypeVar

from polis_rules.interpreter.compiler.native.reading import Read, changers, read

Node = TypeVar("Node", bound=ast.AST)

MOST_CHANGES = 40
"""How many changes are put back; a copy of the state costs about as much as some more."""


def in_place(functions: dict[str, Read], known: set[str]) -> dict[str, Read]:
    """All functions, those written out that can be; of some it is known that they change slots of the state."""
    changing = changers(functions.values(), known)
    return {name: _tried(each, functions, changing) if each.copies else each for name, each in functions.items()}


def _tried(each: Read, functions: dict[str, Read], changing: set[str]) -> Read:
    """A function that needs no copy of the state, or the function as it is."""
    writer = _Writer(functions, changing)
    body = [statement for node in each.node.body if not _copies(node) for statement in writer.written(node, {})]
    *changes, last = body
    if not writer.possible or not isinstance(last, ast.Return) or any(map(_leaves, changes)):
        return each
    node = ast.FunctionDef(each.node.name, each.node.args, body, [], lineno=each.node.lineno)
    found = read(node)
    found.copies = found.tries = True
    return found if found.changed <= MOST_CHANGES and not found.calls & changing else each


def _copies(node: ast.stmt) -> bool:
    return isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and node.targets[0].id == "s"


def _leaves(node: ast.stmt) -> bool:
    """Whether a statement may be carried out more than once, leave the function, or move slots."""
    return any(
        isinstance(each, (ast.For, ast.While, ast.Return))
        or (isinstance(each, ast.Attribute) and isinstance(each.value, ast.Name) and each.value.id == "s")
        for each in ast.walk(node)
    )


class _Writer:
    """Writes the statements of procedures where they are called."""

    def __init__(self, functions: dict[str, Read], changing: set[str]) -> None:
        self.functions, self.changing = functions, changing
        self.possible = True
        self.written_out = 0

    def written(self, node: ast.stmt, names: dict[str, str]) -> Iterator[ast.stmt]:
        """A statement in which names have become others."""
        match node:
            case ast.Expr(ast.Call(ast.Name(called), args)) if called in self.changing & self.functions.keys():
                yield from self.procedure(self.functions[called].node, [_named(each, names) for each in args[1:]])
            case ast.If(test, body, orelse):
                yes, no = ([one for each in part for one in self.written(each, names)] for part in (body, orelse))
                yield ast.If(_named(test, names), yes, no)
            case _:
                yield _named(node, names)

    def procedure(self, called: ast.FunctionDef, args: list[ast.expr]) -> Iterator[ast.stmt]:
        """What a procedure does, with local names of its own."""
        self.written_out += 1
        if self.written_out > MOST_CHANGES:
            self.possible = False
            return
        params = [each.arg for each in called.args.args[1:]]
        local = {*params, *_given(called.body)}
        names = {name: f"{name}_in_{self.written_out}" for name in local}
        for name, value in zip(params, args, strict=True):
            yield ast.Assign([ast.Name(names[name], ast.Store())], value)
        for each in called.body:
            yield from self.written(each, names)


def _given(nodes: Iterable[ast.stmt]) -> Iterator[str]:
    """The local names that statements give values."""
    for each in nodes:
        for inner in ast.walk(each):
            if isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Store):
                yield inner.id


class _Renamed(ast.NodeTransformer):
    def __init__(self, names: dict[str, str]) -> None:
        self.names = names

    def visit_Name(self, node: ast.Name) -> ast.Name:
        return ast.Name(self.names.get(node.id, node.id), node.ctx)


def _named(node: Node, names: dict[str, str]) -> Node:
    """The same in which names have become others."""
    renamed: Node = _Renamed(names).visit(deepcopy(node)) if names else node
    return renamed
