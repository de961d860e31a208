"""What playouts know of slots: what was just put there is not looked up again, nor is it asked whether it is none."""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable, Sequence
from functools import reduce

from polis_rules.interpreter.compiler.python.writer import Lines
from polis_rules.interpreter.machine import FIRST

Known = dict[str, str]
"""By slot, or by a place that depends on what was chosen, the number or the name of what was put there; SOME where it
is only known that it is not none."""

PUT = re.compile(r"s\[(\d+)\] = (.*)")
PLACED = re.compile(r"s\[(o\+\d+)\] = (.*)")
COUNTED = re.compile(r"s\[(\d+)\] \S= .*")
NAMED = re.compile(r"(\w+) = (.*)")
NUMBER = re.compile(r"-?\d+")
PURE = re.compile(r"(?:go|t|f|along|walk|can|leaving)_\w*\(s\b")
"""A call that changes nothing."""
CALL = re.compile(r"\w+\(s\b|\bs\.\w+\(")
TESTED = re.compile(r"(if|elif) (.*): (.*)")

HOLDS: dict[type[ast.cmpop], Callable[[int, int], bool]] = {
    ast.Eq: operator.eq, ast.NotEq: operator.ne, ast.Lt: operator.lt, ast.LtE: operator.le, ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}  # fmt: skip

SOME = ""
CHOSEN = "o"
"""The name of what was chosen or drawn, which is never none."""


def known(lines: Sequence[str]) -> Lines:
    """The same lines, in which what is known is not looked up.

    >>> known(["s[7] = o", "s[1] = 1", "if ((s[7] != -1) and (s[7] < s[8])):", "    s[9] = s[7]", "s[1] = 1"])
    ['s[7] = o', 's[1] = 1', 'if o < s[8]:', '    s[9] = o']
    """
    return _Reader(lines).block(0, len(lines), {})[0]


class _Reader:
    """Goes through code once, block by block."""

    def __init__(self, lines: Sequence[str]) -> None:
        self.lines = lines
        self.depths = [len(line) - len(line.lstrip()) for line in lines]

    def block(self, at: int, end: int, facts: Known) -> tuple[Lines, Known | None]:
        """The lines from one number up to another, all at one depth or below it, and what is known after them.

        None after what never leads there.
        """
        done: Lines = []
        now: Known | None = facts
        while at < end:
            inside = self.inside(at)
            line = self.lines[at]
            if now is None:
                break
            if line.lstrip().startswith("if "):
                branches, at = self.branches(at, end)
                lines, now = self.chosen(branches, now)
                done += lines
            elif inside > at + 1:  # a loop
                now = {}
                done += [line, *self.block(at + 1, inside, {})[0]]
                at = inside
            else:
                done += self.statement(line, now)
                if line.lstrip().startswith(("return", "continue", "break")):
                    now = None
                at += 1
        return done, now

    def inside(self, at: int) -> int:
        """The number of the first line that is no longer inside of what a line begins."""
        end = at + 1
        while end < len(self.lines) and self.depths[end] > self.depths[at]:
            end += 1
        return end

    def branches(self, at: int, end: int) -> tuple[list[tuple[int, int]], int]:
        """The lines of `if` and of each `elif` and `else` that belongs to it, and the number of the line after them."""
        found = [(at, self.inside(at))]
        at = found[-1][1]
        while at < end and self.lines[at].lstrip().startswith(("elif ", "else:")):
            found.append((at, self.inside(at)))
            at = found[-1][1]
        return found, at

    def chosen(self, branches: list[tuple[int, int]], facts: Known) -> tuple[Lines, Known | None]:
        """The lines of branches, without those that are never taken, and what is known after them."""
        done: Lines = []
        after: list[Known] = []
        open_end = True
        for at, end in branches:
            line, indent = self.lines[at], " " * self.depths[at]
            word, _, rest = line.lstrip().partition(" ")
            test, short = "", ""
            if word in ("if", "elif"):
                if end == at + 1:
                    match = TESTED.fullmatch(line.lstrip())
                    if match is None:
                        return [self.lines[n] for each in branches for n in range(*each)], {}
                    test, short = match[2], match[3]
                else:
                    test = rest.removesuffix(":")
                test = folded(test, facts)
            else:
                short = line.lstrip().removeprefix("else:").strip()
            if test == "False":
                continue
            if end == at + 1:
                lines, now = self.one_line(short, dict(facts))
                lines = [indent + "    " + each for each in lines]
            else:
                lines, now = self.block(at + 1, end, dict(facts))
            if now is not None:
                after.append(now)
            always = word == "else:" or test == "True"
            if always and not done:
                drop = 4
                done = [each[drop:] for each in lines]
            elif lines or always:
                head = "else:" if always else f"{'elif' if done else 'if'} {test}:"
                done += [indent + head, *(lines or [indent + "    pass"])]
            else:
                done += [f"{indent}{'elif' if done else 'if'} {test}: pass"]
            if always:
                open_end = False
                break
        if open_end:
            after.append(facts)
        if not after:
            return done, None
        return done, reduce(common, after)

    def one_line(self, code: str, facts: Known) -> tuple[Lines, Known | None]:
        """What stands after a test in the same line."""
        done: Lines = []
        for each in code.split("; "):
            done += self.statement(each, facts)
        return done, None if code.startswith(("return", "continue", "break")) else facts

    def statement(self, line: str, facts: Known) -> Lines:
        """A line that leads to the next one; what is known changes with it."""
        code = line.lstrip()
        indent = line[: len(line) - len(code)]
        if "; " in code:
            facts.clear()
            return [line]
        if put := PUT.fullmatch(code):
            value = folded(put[2], facts)
            old = facts.get(put[1])
            if NUMBER.fullmatch(value) and old == value:
                return []
            forget(facts, put[1])
            if NUMBER.fullmatch(value) or value == CHOSEN:
                facts[put[1]] = value
            return [f"{indent}s[{put[1]}] = {value}"]
        if (named := NAMED.fullmatch(code)) and not CALL.search(PURE.sub("", code)):
            value = folded(named[2], facts)
            if named[1] == CHOSEN:
                forget(facts)
                facts.update({slot: SOME for slot, there in facts.items() if there == CHOSEN})
            return [f"{indent}{named[1]} = {value}"]
        if counted := COUNTED.fullmatch(code):
            forget(facts, counted[1])
        elif "=" in code and code.startswith("s[") and not CALL.search(PURE.sub("", code)):
            value = folded(placed[2], facts) if (placed := PLACED.fullmatch(code)) else ""
            forget(facts, *(slot for slot in facts if slot.isdigit() and int(slot) >= FIRST))  # no others are so found
            if placed and not NUMBER.fullmatch(value):
                facts[placed[1]] = "put"
                return [f"{indent}put = {value}", f"{indent}s[{placed[1]}] = put"]
        elif " = " in code or CALL.search(PURE.sub("", code)):
            facts.clear()
        return [line]


def common(one: Known, other: Known) -> Known:
    """What is known both ways.

    >>> common({"7": "o", "8": "1", "9": "2"}, {"7": "", "8": "1", "9": "-1"})
    {'7': '', '8': '1'}
    """
    same = {slot: value for slot, value in one.items() if other.get(slot) == value}
    some = {slot: SOME for slot, value in one.items() if {value, other.get(slot)} <= {SOME, CHOSEN}}
    return some | same


def forget(facts: Known, *slots: str) -> None:
    """No longer know what is in these slots, and in those that depend on what was chosen, which may be the same."""
    for slot in {*slots, *(slot for slot in facts if not slot.isdigit())}:
        facts.pop(slot, None)


def folded(code: str, facts: Known) -> str:
    """An expression in which known slots are replaced, and what is then known is worked out."""
    if not any(f"s[{slot}]" in code for slot in facts):
        return code
    tree = _Folder(facts).visit(ast.parse(code, mode="eval"))
    return ast.unparse(tree)


class _Folder(ast.NodeTransformer):
    """Works out comparisons of what is known, and conditions of these."""

    def __init__(self, facts: Known) -> None:
        self.facts = facts

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        self.generic_visit(node)
        there = self.facts.get(_slot(node), SOME)
        return ast.parse(there, mode="eval").body if there else node

    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        is_some = self.facts.get(_slot(node.left)) in (SOME, CHOSEN)
        self.generic_visit(node)
        left, right = _number(node.left), _number(node.comparators[0])
        if left is not None and right is not None and len(node.ops) == 1:
            holds = HOLDS.get(type(node.ops[0]))
            return node if holds is None else ast.Constant(holds(left, right))
        if right == -1 and is_some and isinstance(node.ops[0], (ast.Eq, ast.NotEq)):
            return ast.Constant(isinstance(node.ops[0], ast.NotEq))
        return node

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.expr:
        self.generic_visit(node)
        decides = isinstance(node.op, ast.Or)
        values: list[ast.expr] = []
        for each in node.values:
            if isinstance(each, ast.Constant) and isinstance(each.value, bool):
                if each.value == decides:
                    return each
            else:
                values.append(each)
        if not values:
            return ast.Constant(not decides)
        node.values = values
        return values[0] if len(values) == 1 else node

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.expr:
        self.generic_visit(node)
        if isinstance(node.op, ast.Not) and isinstance(node.operand, ast.Constant):
            return ast.Constant(not node.operand.value)
        return node

    def visit_IfExp(self, node: ast.IfExp) -> ast.expr:
        self.generic_visit(node)
        if isinstance(node.test, ast.Constant):
            return node.body if node.test.value else node.orelse
        return node

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        self.generic_visit(node)
        left, right = _number(node.left), _number(node.right)
        if left is not None and right is not None and isinstance(node.op, (ast.Add, ast.Sub)):
            return ast.Constant(left + right if isinstance(node.op, ast.Add) else left - right)
        return node


def _slot(node: ast.expr) -> str:
    """The slot that an expression looks up."""
    match node:
        case ast.Subscript(ast.Name("s"), place):
            return ast.unparse(place).replace(" ", "")
    return "none"


def _number(node: ast.expr) -> int | None:
    """The number that an expression is."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) and isinstance(node.operand, ast.Constant):
        return -node.operand.value if isinstance(node.operand.value, int) else None
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, int) else None
