"""Searches from space to space, as ones that go from word to word of a set.

Generated Python keeps a list of the spaces that are still to be gone on from. Native code needs none: what is reached
and not asked about yet is an operation on two words.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from itertools import accumulate, chain

from polis_rules.interpreter.compiler.native.reading import Read, read
from polis_rules.interpreter.machine import Compiled

FORM = """
found = begun_search(ROWS, OPEN, m)
while True:
    again = 0
    for word in range(WIDE):
        while True:
            new = unasked(found, word)
            if not new:
                break
            again = 1
            while new:
                v_space = word * 64 | lowest(new)
                new &= new - 1
                if TEST:
                    reach_row(found, ROWS, v_space)
    if not again:
        return set_at(found)
"""


def by_words(functions: dict[str, Read], compiled: Compiled) -> dict[str, Read]:
    """All functions; searches in this form, unless it is counted how often something is asked."""
    if any("K" in each.calls for each in functions.values()):
        return functions
    searches = {name for key, name in compiled.names.items() if key[0] == "search"}
    return {name: read(_searched(each.node)) if name in searches else each for name, each in functions.items()}


def _searched(function: ast.FunctionDef) -> ast.FunctionDef:
    match function.body:
        case [
            ast.If() as none, *before, ast.Assign(_, ast.Subscript(ast.Name(beyond))), ast.Assign(), ast.Assign(),
            ast.For(_, _, [ast.For(_, ast.Subscript(ast.Name(beside)), [ast.If(ast.BoolOp(_, [_, *tests]))])]), _,
        ]:  # fmt: skip
            filled = _Filled(beyond, beside, tests[0] if len(tests) == 1 else ast.BoolOp(ast.And(), tests))
            body = [none, *before, *map(filled.visit, ast.parse(FORM).body)]
            return ast.FunctionDef(function.name, function.args, body, [], lineno=function.lineno)
    raise AssertionError


class _Filled(ast.NodeTransformer):
    def __init__(self, beyond: str, beside: str, test: ast.expr) -> None:
        self.names: dict[str, ast.expr] = {
            "ROWS": ast.Name(f"rows {beyond}"), "OPEN": ast.Name(f"open {beside}"), "TEST": test,
        }  # fmt: skip

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return self.names.get(node.id, node)


def made_of(name: str, compiled: Compiled, words: int) -> list[int]:
    """The words of what such a search goes by, which is made of a constant."""
    what, _, table = name.partition(" ")
    values = compiled.constants[table]
    assert isinstance(values, tuple)
    if what == "rows":
        return rows(values)
    spaces = sum(1 << space for space in {space for each in values for space in each})
    return words_of(spaces, words)


def rows(masks: Sequence[int]) -> list[int]:
    """Sets as `reach_row` of the library wants them."""
    found = [
        [
            part
            for place, word in enumerate(words_of(mask, mask.bit_length() // 64 + 1))
            if word
            for part in (place, word)
        ]
        for mask in masks
    ]
    starts = accumulate(map(len, found), initial=len(masks) + 2)
    return [len(masks), *starts, *chain.from_iterable(found)]


def words_of(mask: int, count: int) -> list[int]:
    """The words of a set, the lowest first."""
    return [mask >> 64 * at & (1 << 64) - 1 for at in range(count)]
