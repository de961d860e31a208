"""What has to be known of the functions of generated Python before they are lowered."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

MAKES_LISTS = {"list", "members", "sorted", "listed"}
"""What generated code calls that answers with a list, besides functions of the library."""


@dataclass(slots=True)
class Read:
    """One function."""

    node: ast.FunctionDef
    calls: set[str] = field(default_factory=set)
    """the names that it reads, among them those of the functions that it calls"""
    added: dict[str, int | None] = field(default_factory=dict)
    """the lists that it adds to, and how many members at most; None where a loop does"""
    copies: bool = False
    """whether it goes on with a copy of the state"""
    tries: bool = False
    """whether it puts back what it changed in the state instead"""
    changed: int = 0
    """how often a slot of the state gets a value by itself"""
    changes: bool = False
    """whether it changes slots of the state that it is given by itself"""
    makes: bool = False
    """whether it makes a list, a set or a copy of the state by itself"""
    answers: list[ast.expr] = field(default_factory=list)
    given: list[tuple[str, ast.expr]] = field(default_factory=list)
    """local names and what they are given"""

    @property
    def gives(self) -> str:
        """What a function of the library says that it answers with: `List`, `Room` for working memory, or nothing."""
        return self.node.returns.id if isinstance(self.node.returns, ast.Name) else ""


def read(function: ast.FunctionDef) -> Read:
    """Go through a function once."""
    found = Read(function)
    stored = _read_into(found, function.body, False)
    if stored:
        inside = {"s"}
        for name, value in found.given:
            if _is_inside(value, inside):
                inside.add(name)
        found.changes = found.changes or any(_is_inside(each, inside) for each in stored)
    return found


def _is_inside(address: ast.expr, names: set[str]) -> bool:
    """Whether an address is one in the state, as those are that some names stand for."""
    match address:
        case ast.Name(name):
            return name in names
        case ast.BinOp(left, ast.Add(), _):
            return _is_inside(left, names)
    return False


def _read_into(found: Read, nodes: Iterable[object], in_loop: bool) -> list[ast.expr]:
    """Note what stands in some nodes. The addresses to which functions of the library store something."""
    stored: list[ast.expr] = []
    left = [(node, in_loop) for node in nodes]
    for node, looped in left:  # which grows on the way
        if not isinstance(node, ast.AST):
            continue
        match node:
            case ast.Name(name):
                found.calls.add(name)
                found.makes = found.makes or name == "FEW"
                continue
            case ast.Constant():
                continue
            case ast.Call(ast.Attribute(ast.Name(name), "append")):
                before = found.added.get(name, 0)
                found.added[name] = None if looped or before is None else before + 1
            case ast.Call(ast.Name("store" | "copy"), [address, *_]):
                stored.append(address)
            case ast.Call(ast.Name("members" | "sorted" | "list")) | ast.List() | ast.ListComp():
                found.makes = True
            case ast.Set() | ast.Slice() | ast.Starred():
                found.makes = True
            case ast.Call(ast.Attribute(ast.Name("s"), "insert" | "pop")):
                found.changes = True
            case ast.Assign([ast.Subscript(ast.Name("s"))]) | ast.AugAssign(ast.Subscript(ast.Name("s"))):
                found.changes = True
                found.changed += 1
            case ast.Return(ast.expr() as value):
                found.answers.append(value)
            case ast.Assign([ast.Name(name)], value):
                found.given.append((name, value))
                found.copies = found.copies or name == "s"
        inside = looped or isinstance(node, (ast.For, ast.While))
        for each in node._fields:
            if each not in ("ctx", "op", "ops"):
                value = getattr(node, each)
                left += [(one, inside) for one in (value if isinstance(value, list) else (value,))]
    return stored


def chain(node: ast.BinOp) -> list[ast.expr]:
    """The values between which an operation stands again and again, from the left."""
    values: list[ast.expr] = []
    inner: ast.expr = node
    while isinstance(inner, ast.BinOp) and type(inner.op) is type(node.op):
        values.append(inner.right)
        inner = inner.left
    return [inner, *reversed(values)]


def takers(functions: Iterable[Read]) -> set[str]:
    """The functions that take working memory, by themselves or by what they call."""
    found = {"room"} | {each.node.name for each in functions if each.makes}
    return _spread(functions, found, lambda each, found: bool(each.calls & found))


def changers(functions: Iterable[Read], known: set[str]) -> set[str]:
    """The functions that change slots of the state that they are given, where some are known that do."""
    found = known | {each.node.name for each in functions if each.changes and not each.copies}
    return _spread(functions, found, lambda each, found: not each.copies and bool(each.calls & found))


def givers(functions: Iterable[Read], known: set[str], is_costs: Callable[[str], bool]) -> set[str]:
    """The functions that answer with a list; of some that is known."""

    def gives(each: Read, found: set[str]) -> bool:
        lists: set[str] = set()
        for name, value in each.given:
            if is_list(value, lists, found, is_costs):
                lists.add(name)
        return any(isinstance(value, ast.Tuple) or is_list(value, lists, found, is_costs) for value in each.answers)

    return _spread(functions, set(known), gives)


def _spread(functions: Iterable[Read], found: set[str], holds: Callable[[Read, set[str]], bool]) -> set[str]:
    """The functions of which something holds, where that may depend on which others it holds of."""
    while more := {each.node.name for each in functions if each.node.name not in found and holds(each, found)}:
        found |= more
    return found


def is_list(value: ast.expr, lists: set[str], givers: set[str], is_costs: Callable[[str], bool]) -> bool:
    """Whether an expression is a list: there are local names that are, and functions that answer with one."""
    match value:
        case ast.List() | ast.ListComp() | ast.Subscript(_, ast.Slice()) | ast.Subscript(ast.Name("FEW")):
            return True
        case ast.Subscript(ast.Subscript(ast.Name(id)), _):
            return is_costs(id)
        case ast.Name(id):
            return id in lists
        case ast.Call(ast.Name(id)):
            return id in MAKES_LISTS or id in givers
    return False
