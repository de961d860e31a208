"""Native code as the text of a WebAssembly module that imports nothing.

Instructions stand one after another, not inside each other, and names are numbers: it is read by machines alone. A
parameter `s` that comes first is the address of a state: an i32 inside and from outside, so that no access has to make
it one. All other values are i64.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

from polis_rules.interpreter.compiler.native.tree import (
    WORD,
    Binary,
    Break,
    Call,
    CallTable,
    Const,
    Continue,
    Copy,
    Do,
    Either,
    Expr,
    Function,
    If,
    Let,
    Load,
    Local,
    Loop,
    Pool,
    Return,
    Statement,
    Store,
    Trap,
    Unary,
    Unit,
    is_small,
    local_names,
)
from polis_rules.interpreter.compiler.native.wasm_helpers import HELPERS
from polis_rules.interpreter.compiler.native.words import apart

PAGE = 65536
"""How many bytes memory grows by. The first page is left free, for places below 0 of what stands at its end."""

ARITHMETIC = {"+": "add", "-": "sub", "*": "mul", "&": "and", "|": "or", "^": "xor", "<<": "shl", ">>": "shr_u"}
NARROW = {"+", "-", "*", "&", "|", "^"}
"""What the lower halves of two values suffice for, to know the lower half of the result."""
COMPARED = {"<": "lt_s", "<=": "le_s", "==": "eq", "!=": "ne", "below": "lt_u"}
OPPOSITE = {"<": "ge_s", "<=": "gt_s", "==": "ne", "!=": "eq", "below": "ge_u"}
CALLED = {"//": "$floor_div", "%": "$floor_mod", "multiply_high": "$multiply_high"}


def wasm_text(unit: Unit) -> str:
    """A unit as the text of a module.

    It has a memory `memory`, as large as the pool needs, and a number `heap`, the address from which on it is free.
    """
    module = _Module(unit)
    end = PAGE + WORD * len(unit.pool)
    heap = (end + 63) // 64 * 64
    lines = [
        "(module",
        f'(memory (export "memory") {-(-heap // PAGE)})',
        f'(global (export "heap") i32 (i32.const {heap}))',
    ]
    if unit.pool:
        words = b"".join((word & (1 << 64) - 1).to_bytes(WORD, "little") for word in unit.pool)
        lines.append(f'(data (i32.const {PAGE}) "\\{words.hex(chr(92))}")')
    exported = set(unit.exports)
    functions = [_Function(module, function).text(function.name in exported) for function in unit.functions.values()]
    lines += [f"(type {name} (func {signature}))" for signature, name in module.types.items()]
    for name, number in module.tables.items():
        places = unit.tables[name]
        entries = " ".join(
            f"(item ref.func {module.numbers[each]})" if each else "(item ref.null func)" for each in places
        )
        lines.append(f"(table (;{number};) {len(places)} {len(places)} funcref)")
        if places:
            lines.append(f"(elem (table {number}) (i32.const 0) funcref {entries})")
    return "\n".join([*lines, *functions, HELPERS, ")"])


class _Module:
    """What the functions of a module share."""

    def __init__(self, unit: Unit) -> None:
        self.unit = unit
        self.numbers = {name: number for number, name in enumerate(unit.functions)}
        self.tables = {name: number for number, name in enumerate(unit.tables)}
        self.types: dict[str, str] = {}
        self.narrow = {name for name, function in unit.functions.items() if function.params[:1] == ("s",)}
        changed = True
        while changed:  # all functions of a table have one type
            mixed = [names & self.narrow for names in map(set, unit.tables.values()) if names - {""} - self.narrow]
            changed = any(mixed)
            self.narrow.difference_update(*mixed)

    def signature(self, count: int, narrow: bool) -> str:
        """The type of a function that takes so many values."""
        params = [*(["i32"] if narrow else []), *["i64"] * (count - narrow)]
        return f"{f'(param {chr(32).join(params)}) ' if params else ''}(result i64)"

    def type(self, table: str, count: int) -> tuple[str, bool]:
        """The name of the type of a table's functions, and whether their first value is narrow."""
        narrow = any(name in self.narrow for name in self.unit.tables[table])
        return self.types.setdefault(self.signature(count, narrow), f"$t{len(self.types)}"), narrow


class _Function:
    """Prints one function."""

    def __init__(self, module: _Module, function: Function) -> None:
        self.module, self.function = module, function
        self.narrow = function.name in module.narrow
        self.locals = {name: at for at, name in enumerate([*function.params, *local_names(function)])}
        self.named = len(self.locals)
        self.spare = 0
        self.out: list[str] = []
        self.depth = 0
        self.loops: list[int] = []

    def text(self, exported: bool) -> str:
        """The whole function."""
        function = self.function
        self.block(function.body)
        if not function.body or not isinstance(function.body[-1], (Return, Trap)):
            self.out.append("i64.const 0")
        made = ["i64"] * (self.named - len(function.params) + self.spare)
        export = f' (export "{function.name}")' if exported else ""
        signature = self.module.signature(len(function.params), self.narrow)
        locals_ = f" (local {' '.join(made)})" if made else ""
        return f"(func{export} {signature}{locals_}\n{' '.join(self.out)})"

    def put(self, *instructions: str) -> None:
        self.out.extend(instructions)

    def scratch(self) -> int:
        """A further local name."""
        self.spare += 1
        return self.named + self.spare - 1

    def is_state(self, expr: Expr) -> bool:
        """Whether a value is the state's address, which is an i32."""
        return self.narrow and isinstance(expr, Local) and expr.name == "s"

    # -- statements ----------------------------------------------------------------------------------------------------

    def block(self, body: tuple[Statement, ...]) -> None:
        for each in body:
            self.STATEMENTS[type(each)](self, each)

    def begin(self, what: str) -> int:
        """Begin a block, a loop or an `if`; how deep what jumps to it stands."""
        self.put(what)
        self.depth += 1
        return self.depth

    def end(self) -> None:
        self.put("end")
        self.depth -= 1

    def jump(self, how: str, target: int) -> None:
        self.put(f"{how} {self.depth - target}")

    def _let(self, statement: Let) -> None:
        if self.narrow and statement.name == "s":
            self.half(statement.value)
        else:
            self.value(statement.value)
        self.put(f"local.set {self.locals[statement.name]}")

    def _store(self, statement: Store) -> None:
        offset = self.address(statement.base, statement.index, statement.offset)
        self.value(statement.value)
        self.put(f"i64.store{offset}")

    def _copy(self, statement: Copy) -> None:
        self.half(statement.target)
        self.half(statement.source)
        self.half(statement.words)
        self.put("i32.const 3", "i32.shl", "memory.copy")

    def _if(self, statement: If) -> None:
        match statement:
            case If(test, (Break(),), other):
                self.branch(test, True, self.loops[-1])
                self.block(other)
            case If(test, (Continue(),), other):
                self.branch(test, True, self.loops[-1] + 1)
                self.block(other)
            case If(test, then, other) if not isinstance(test, Either):
                self.condition(test)
                self.begin("if")
                self.block(then)
                if other:
                    self.put("else")
                    self.block(other)
                self.end()
            case If(test, then, ()):
                after = self.begin("block")
                self.branch(test, False, after)
                self.block(then)
                self.end()
            case If(test, then, other):
                after = self.begin("block")
                instead = self.begin("block")
                self.branch(test, False, instead)
                self.block(then)
                self.jump("br", after)
                self.end()
                self.block(other)
                self.end()

    def _loop(self, statement: Loop) -> None:
        self.loops.append(self.begin("block"))
        again = self.begin("loop")
        self.block(statement.body)
        self.jump("br", again)
        self.end()
        self.end()
        self.loops.pop()

    def _return(self, statement: Return) -> None:
        self.value(statement.value)
        self.put("return")

    def _do(self, statement: Do) -> None:
        self.value(statement.value)
        self.put("drop")

    STATEMENTS: ClassVar[dict[type, Callable[[_Function, Any], None]]] = {
        Let: _let,
        Store: _store,
        Copy: _copy,
        If: _if,
        Loop: _loop,
        Return: _return,
        Do: _do,
        Break: lambda self, _: self.jump("br", self.loops[-1]),
        Continue: lambda self, _: self.jump("br", self.loops[-1] + 1),
        Trap: lambda self, _: self.put("unreachable"),
    }

    # -- values --------------------------------------------------------------------------------------------------------

    def value(self, expr: Expr) -> None:
        """A value as i64."""
        self.VALUES[type(expr)](self, expr)

    def _local(self, expr: Local) -> None:
        self.put(f"local.get {self.locals[expr.name]}")
        if self.is_state(expr):
            self.put("i64.extend_i32_u")

    def _load(self, expr: Load) -> None:
        self.put(f"i64.load{self.address(expr.base, expr.index, expr.offset)}")

    def _binary(self, expr: Binary) -> None:
        if expr.op in COMPARED:
            self.condition(expr)
            self.put("i64.extend_i32_u")
        elif expr.op in CALLED:
            self.divided(expr)
        else:
            self.value(expr.left)
            self.value(expr.right)
            self.put(f"i64.{ARITHMETIC[expr.op]}")

    def divided(self, expr: Binary) -> None:
        """A quotient or rest, by shifts and a division without checks where the divisor is known."""
        self.value(expr.left)
        divisor = expr.right.value if isinstance(expr.right, Const) and expr.op != "multiply_high" else 0
        if divisor <= 0:
            self.value(expr.right)
            self.put(f"call {CALLED[expr.op]}")
        elif divisor & (divisor - 1) == 0:
            by = (divisor.bit_length() - 1, "shr_s") if expr.op == "//" else (divisor - 1, "and")
            self.put(f"i64.const {by[0]}", f"i64.{by[1]}")
        elif expr.op == "//":
            number, sign = self.scratch(), self.scratch()
            self.put(
                f"local.tee {number} i64.const 63 i64.shr_s local.tee {sign} local.get {number} i64.xor "
                f"i64.const {divisor} i64.div_s local.get {sign} i64.xor"
            )
        else:
            rest = self.scratch()
            self.put(
                f"i64.const {divisor} i64.rem_s local.tee {rest} local.get {rest} i64.const 63 i64.shr_s "
                f"i64.const {divisor} i64.and i64.add"
            )

    def _unary(self, expr: Unary) -> None:
        match expr.op:
            case "not":
                self.condition(expr)
                self.put("i64.extend_i32_u")
            case "bits":
                self.value(expr.operand)
                self.put("i64.popcnt")
            case "lowest":
                self.value(expr.operand)
                self.put("i64.ctz")
            case "length":
                self.put("i64.const 64")
                self.value(expr.operand)
                self.put("i64.clz", "i64.sub")

    def _either(self, expr: Either) -> None:
        if self.is_truth(expr):
            self.condition(expr)
            self.put("i64.extend_i32_u")
        elif is_small(expr.then) and is_small(expr.other):
            self.value(expr.then)
            self.value(expr.other)
            self.condition(expr.test)
            self.put("select")
        else:
            self.condition(expr.test)
            self.begin("if (result i64)")
            self.value(expr.then)
            self.put("else")
            self.value(expr.other)
            self.end()

    def given(self, args: tuple[Expr, ...], narrow: bool) -> None:
        """What a function takes."""
        for at, each in enumerate(args):
            if narrow and not at:
                self.half(each)
            else:
                self.value(each)

    def _call(self, expr: Call) -> None:
        self.given(expr.args, expr.function in self.module.narrow)
        self.put(f"call {self.module.numbers[expr.function]}")

    def _call_table(self, expr: CallTable) -> None:
        name, narrow = self.module.type(expr.table, len(expr.args))
        number, count = self.module.tables[expr.table], len(self.module.unit.tables[expr.table])
        if isinstance(expr.index, Const):
            place = expr.index.value if 0 <= expr.index.value < count else count
            self.given(expr.args, narrow)
            self.put(f"i32.const {place}")
        else:
            at = self.scratch()
            self.value(expr.index)
            self.put(f"local.set {at}")
            self.given(expr.args, narrow)
            self.put(f"local.get {at} i64.const {count} i64.ge_u if unreachable end local.get {at} i32.wrap_i64")
        self.put(f"call_indirect {number} (type {name})")

    VALUES: ClassVar[dict[type, Callable[[_Function, Any], None]]] = {
        Const: lambda self, expr: self.put(f"i64.const {expr.value}"),
        Pool: lambda self, expr: self.put(f"i64.const {PAGE + WORD * expr.at}"),
        Local: _local,
        Load: _load,
        Binary: _binary,
        Unary: _unary,
        Either: _either,
        Call: _call,
        CallTable: _call_table,
    }

    # -- addresses -----------------------------------------------------------------------------------------------------

    def half(self, expr: Expr) -> None:
        """The lower half of a value, as i32."""
        match expr:
            case Const(value):
                self.put(f"i32.const {value & 0xFFFFFFFF}")
            case Pool(at):
                self.put(f"i32.const {PAGE + WORD * at}")
            case Local(name) if self.is_state(expr):
                self.put(f"local.get {self.locals[name]}")
            case Load(base, index, offset):
                self.put(f"i32.load{self.address(base, index, offset)}")
            case Binary(op, left, right) if op in NARROW:
                self.half(left)
                self.half(right)
                self.put(f"i32.{ARITHMETIC[op]}")
            case _ if self.is_truth(expr):
                self.condition(expr)
            case _:
                self.value(expr)
                self.put("i32.wrap_i64")

    def address(self, base: Expr, index: Expr, offset: int) -> str:
        """An address but for what is known of it; that as the end of the instruction that takes the address."""
        base, fixed = apart(base)
        index, places = apart(index)
        fixed += WORD * (places + offset)
        if isinstance(base, Pool):  # added, not told apart: it may stand for what lies beyond 0
            base, fixed = Const(PAGE + WORD * base.at + fixed), 0
        if isinstance(index, Const):
            self.half(base)
        else:
            self.half(base)
            self.half(index)
            self.put("i32.const 3", "i32.shl", "i32.add")
        if 0 <= fixed < 1 << 31:
            return f" offset={fixed}" if fixed else ""
        self.put(f"i32.const {fixed & 0xFFFFFFFF}", "i32.add")
        return ""

    # -- conditions ----------------------------------------------------------------------------------------------------

    def is_truth(self, expr: Expr) -> bool:
        """Whether a value is 0 or 1, and is known so from a comparison."""
        match expr:
            case Binary(op, left, right):
                return op in COMPARED or (op in "&|^" and self.is_truth(left) and self.is_truth(right))
            case Unary(op, _):
                return op == "not"
            case Either(_, then, other):
                sides = [each for each in (then, other) if each not in (Const(0), Const(1))]
                return all(self.is_truth(each) for each in sides)
        return False

    def condition(self, expr: Expr, holds: bool = True) -> None:
        """1 as i32 where a value is not 0 (or, where it need not hold, is 0), else 0."""
        match expr:
            case Const(value):
                self.put(f"i32.const {int((value != 0) == holds)}")
            case Binary("==" | "!=" as op, left, Const(0)):
                self.condition(left, holds == (op == "!="))
            case Binary(op, left, right) if op in COMPARED:
                self.value(left)
                self.value(right)
                self.put(f"i64.{(COMPARED if holds else OPPOSITE)[op]}")
            case Unary("not", operand):
                self.condition(operand, not holds)
            case Unary("bits" | "length", operand):
                self.condition(operand, holds)
            case Either(test, then, other):
                self.chosen(test, then, other, holds)
            case Binary(op, left, right) if self.is_truth(expr):
                self.condition(left)
                self.condition(right)
                self.put(f"i32.{ARITHMETIC[op]}", *([] if holds else ["i32.eqz"]))
            case _:
                self.value(expr)
                self.put("i64.const 0 i64.ne" if holds else "i64.eqz")

    def chosen(self, test: Expr, then: Expr, other: Expr, holds: bool) -> None:
        """A condition that is one of two."""
        if other == Const(0) and is_small(then):
            self.condition(test)
            self.condition(then)
            self.put("i32.and", *([] if holds else ["i32.eqz"]))
        elif then == Const(1) and is_small(other):
            self.condition(test)
            self.condition(other)
            self.put("i32.or", *([] if holds else ["i32.eqz"]))
        else:
            self.condition(test)
            self.begin("if (result i32)")
            self.condition(then, holds)
            self.put("else")
            self.condition(other, holds)
            self.end()

    def branch(self, test: Expr, holds: bool, target: int) -> None:
        """Jump where a condition holds (or does not)."""
        match test:
            case Unary("not", operand):
                self.branch(operand, not holds, target)
            case Either(first, then, Const(0)) if not is_small(then):
                self.both(first, then, holds, target, when=True)
            case Either(first, Const(1), other) if not is_small(other):
                self.both(first, other, holds, target, when=False)
            case _:
                self.condition(test, holds)
                self.jump("br_if", target)

    def both(self, first: Expr, second: Expr, holds: bool, target: int, when: bool) -> None:
        """The second one is asked `when` the first one holds, and not asked otherwise."""
        if holds == when:  # the first one alone cannot tell that the jump is made
            after = self.begin("block")
            self.branch(first, not when, after)
            self.branch(second, holds, target)
            self.end()
        else:
            self.branch(first, not when, target)
            self.branch(second, holds, target)
