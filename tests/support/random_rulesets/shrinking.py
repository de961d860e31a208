"""Makes a ruleset that shows something wrong as small as it still shows it."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from copy import deepcopy
from typing import Any

from support.random_rulesets.changes import Tree

Path = tuple[str | int, ...]


def shrink(tree: Tree, fails: Callable[[Tree], bool], most: int = 600) -> Tree:
    """Leave out and simplify what can be, one thing at a time. `most` trials are made."""
    trials, changed = 0, True
    while changed:
        changed = False
        for smaller in _smaller(tree):
            trials += 1
            if trials > most:
                return tree
            if fails(smaller):
                tree, changed = smaller, True
                break
    return tree


def _smaller(tree: Tree) -> Iterator[Tree]:
    """The tree with one thing less, large things first."""
    places = sorted(_places(tree, ()), key=len)
    for place in places:
        yield _with(tree, place, None)
    for place in places:
        value = _at(tree, place)
        if isinstance(value, str):
            for text in _simpler(value):
                yield _with(tree, place, text)
        elif isinstance(place[-1], int) and isinstance(value, dict):
            for inner in value.values():
                if isinstance(inner, list):
                    yield _with(tree, place, inner)


def _places(tree: Any, path: Path) -> Iterator[Path]:
    parts = tree.items() if isinstance(tree, dict) else enumerate(tree) if isinstance(tree, list) else ()
    for key, value in parts:
        yield (*path, key)
        yield from _places(value, (*path, key))


def _at(tree: Any, path: Path) -> Any:
    for key in path:
        tree = tree[key]
    return tree


def _with(tree: Tree, path: Path, value: Any) -> Tree:
    """The tree with another value at a place: none there, a text, or several steps instead of one."""
    made = deepcopy(tree)
    parent = _at(made, path[:-1])
    if value is None:
        del parent[path[-1]]
    elif isinstance(value, list):
        parent[path[-1] : path[-1] + 1] = deepcopy(value)
    else:
        parent[path[-1]] = value
    return made


def _simpler(text: str) -> Iterator[str]:
    """Simpler expressions that may stand instead of one: constants, and the same with a part instead of the whole."""
    try:
        whole = ast.parse(text, mode="eval").body
    except SyntaxError:
        return
    if isinstance(whole, ast.Constant | ast.Name):
        return
    yield from ("0", "1", "true", "false")
    for node in ast.walk(whole):
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.expr):
                old, new = ast.unparse(node), ast.unparse(child)
                if old != new and old in (plain := ast.unparse(whole)):
                    yield plain.replace(old, new, 1)
