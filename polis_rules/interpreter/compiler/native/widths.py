"""Which sets of generated code do not fit a word: those of a kind, or of the nodes of routes, of over 63 members.

What is not known to fit does not: that `1 << x` might be any member is worked out again and again until nothing
changes. Of numbers it does no harm, as only their lowest word is used.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from math import prod

from polis_rules.interpreter.compiler.native.reading import chain
from polis_rules.interpreter.compiler.native.words import NotNativeError
from polis_rules.interpreter.machine import Compiled, ReachTable
from polis_rules.semantics import every_variable

MOST_MEMBERS = 63
"""A kind with more members has sets that do not fit a word."""


class Widths:
    """Tells of each expression whether its value is a set that may need several words."""

    def __init__(self, compiled: Compiled, functions: Iterable[ast.FunctionDef]) -> None:
        symbols = compiled.rules.symbols
        self.members = max([*(len(kind.members) for kind in symbols.kinds.values()), symbols.nodes])
        self.words = self.members // 64 + 1
        self.compiled = compiled
        self.function = ""
        self.functions = {each.name: each for each in functions}
        """generated functions; those of the library know of no sets that do not fit a word"""
        self.runs: list[tuple[int, int, bool]] = []
        """the slots of each state variable, and whether they hold such sets"""
        for variable in every_variable(symbols):
            base = compiled.layout.bases[variable.owner, variable.name]
            end = base + prod(symbols.sizes(variable)) * variable.width
            wide = variable.type.base == "set" and symbols.count(variable.type.kind) > MOST_MEMBERS
            self.runs.append((base, end, wide))
        self.slots: set[int] = set()
        """the slots besides these that hold such sets"""
        self.places: dict[int, ast.expr] = {}
        """what local names were given that stand for places, by the identity of where they stand"""
        if self.words > 1:
            for each in self.functions.values():
                self._find_places(each, {})
        self.names: set[tuple[str, str]] = set()
        """the local names that stand for them, by function"""
        self.answers: set[str] = set()
        """the functions that answer with them"""
        while self.words > 1 and self._again():
            pass

    def wide(self, node: ast.expr) -> bool:
        """Whether the value of an expression of the present function may need several words."""
        if self.words == 1 or self.function not in self.functions:
            return False
        match node:
            case ast.Constant(int() as value):
                return value >> 63 > 0
            case ast.Name(id):
                return (self.function, id) in self.names
            case ast.UnaryOp(ast.Invert()):  # all other members, also of what fits
                return True
            case ast.BinOp(left, ast.BitAnd(), ast.UnaryOp(ast.USub(), right)) if ast.dump(left) == ast.dump(right):
                return self.wide(left)
            case ast.BinOp(left, ast.BitAnd(), right):
                return self.reaches_up(left) and self.reaches_up(right)
            case ast.BinOp(_, ast.BitOr() | ast.BitXor(), _):
                return any(map(self.reaches_up, chain(node)))
            case ast.BinOp(ast.Constant(), ast.LShift(), ast.Constant(int() as places)):
                return places >= MOST_MEMBERS
            case ast.BinOp(left, ast.LShift(), _):  # of a bit, or of players who take turns
                return isinstance(left, ast.Constant) or self.wide(left)
            case ast.BinOp(left, ast.RShift(), _):
                return self.wide(left)
            case ast.IfExp(_, body, orelse):
                return self.wide(body) or self.wide(orelse)
            case ast.Subscript(ast.Name("s"), place):
                return self.holds(place)
            case ast.Subscript(ast.Name(id), _):
                return self.is_wide_table(id)
            case ast.Subscript(ast.Subscript(ast.Name(id)), _):
                tables = self.compiled.constants.get(id)
                return isinstance(tables, list) and isinstance(tables[0], ReachTable)
            case ast.Call(ast.Name("members_of" | "set_at")) | ast.Call(ast.Name("sum"), [ast.SetComp()]):
                return True
            case ast.Call(ast.Name(id)):
                return id in self.answers
        return False

    def reaches_up(self, node: ast.expr) -> bool:
        """Whether a set that others are joined to may have bits beyond a word: a known number below 0, too, which is
        all but some members."""
        match node:
            case ast.UnaryOp(ast.USub(), ast.Constant()):
                return self.words > 1 and self.function in self.functions
            case ast.IfExp(_, body, orelse):
                return self.reaches_up(body) or self.reaches_up(orelse)
        return self.wide(node)

    def is_wide_table(self, name: str) -> bool:
        """Whether a constant holds sets that need several words."""
        values = self.compiled.constants.get(name)
        return isinstance(values, tuple) and any(isinstance(each, int) and each >> 63 > 0 for each in values)

    def holds(self, place: ast.expr) -> bool:
        """Whether slots hold such sets."""
        return self.run_of(place) is not None

    def run_of(self, place: ast.expr) -> int | None:
        """The first slot of those that hold such sets to which a place belongs; None for other slots."""
        place = self.places.get(id(place), place)
        if isinstance(place, ast.Name):
            raise NotNativeError(f"a slot whose place is not known: {place.id}")
        known = known_part(place)
        if known in self.slots:
            return known
        return next((base for base, end, wide in self.runs if base <= known < end and wide), None)

    def _find_places(self, node: ast.AST, given: dict[str, ast.expr]) -> None:
        """Find places in the order in which code stands."""
        for child in ast.iter_child_nodes(node):
            self._find_places(child, given)
        match node:
            case ast.Assign([ast.Name(name)], value):
                given[name] = given.get(value.id, value) if isinstance(value, ast.Name) else value
            case ast.Subscript(ast.Name("s"), ast.Name(name) as place) if name in given:
                self.places[id(place)] = given[name]

    def _again(self) -> bool:
        """Go through all functions once more; whether anything new was found."""
        before = len(self.slots) + len(self.names) + len(self.answers)
        for name, function in self.functions.items():
            self.function = name
            for node in ast.walk(function):
                match node:
                    case ast.Assign([target], value) | ast.AugAssign(target, ast.BitOr() | ast.BitXor(), value):
                        self._given(target, value)
                    case ast.Return(ast.expr() as value) if self.wide(value):
                        self.answers.add(self.function)
                    case ast.Call(ast.Name(id), args) if id in self.functions:
                        params = self.functions[id].args.args
                        found = [param.arg for param, arg in zip(params, args, strict=False) if self.wide(arg)]
                        self.names |= {(id, each) for each in found}
        return before < len(self.slots) + len(self.names) + len(self.answers)

    def _given(self, target: ast.expr, value: ast.expr) -> None:
        match target, value:
            case ast.Tuple(targets), ast.Tuple(values):
                for each, given in zip(targets, values, strict=True):
                    self._given(each, given)
            case ast.Name(name), _ if self.wide(value):
                self.names.add((self.function, name))
            case ast.Subscript(ast.Name("s"), ast.Constant(int() as slot)), _:
                if not any(base <= slot < end for base, end, _ in self.runs) and self.wide(value):
                    self.slots.add(slot)


def known_part(place: ast.expr) -> int:
    """The sum of the known parts of a place."""
    match place:
        case ast.Constant(int() as value):
            return value
        case ast.BinOp(left, ast.Add(), right):
            return known_part(left) + known_part(right)
        case ast.BinOp(left, ast.Sub(), right):
            return known_part(left) - known_part(right)
    return 0
