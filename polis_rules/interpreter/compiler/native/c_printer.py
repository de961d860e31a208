"""Native code as C11 for gcc and clang on machines of 64 bits.

`NAME` of the unit's exports becomes `int export_NAME(int64_t *values)`: it takes its values from there and writes its
answer over the first one, or returns 1 where the program traps. What was written to memory before that stays.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from graphlib import CycleError, TopologicalSorter
from typing import Any, ClassVar

from polis_rules.interpreter.compiler.native.tree import (
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
    is_straight,
    local_names,
)

PADDING = 16
"""How many words of 0 stand before the pool, for places below 0."""

LONGEST_COPIED = 2000
"""How many characters a function may have, with all that may be put into it, that is put into several others."""

PURE, READS, ACTS = range(3)
"""What else an expression does: nothing, it depends on memory or may trap, it may change memory."""

Printed = tuple[str, int]

COMPARED = {"<", "<=", "==", "!=", "below"}

HEAD = """\
#define _DEFAULT_SOURCE 1
#include <setjmp.h>
#include <stdint.h>
#include <string.h>
#ifdef __clang__
#pragma GCC diagnostic ignored "-Wunknown-warning-option"
#pragma GCC diagnostic ignored "-Wself-assign"
#endif
#pragma GCC diagnostic ignored "-Wpragmas"
#pragma GCC diagnostic ignored "-Wunused-parameter"
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wunused-variable"
#pragma GCC diagnostic ignored "-Wunused-but-set-variable"
#pragma GCC diagnostic ignored "-Wunused-const-variable"
#pragma GCC diagnostic ignored "-Wtautological-compare"
#pragma GCC diagnostic ignored "-Wtype-limits"
#pragma GCC diagnostic ignored "-Winfinite-recursion"
#pragma GCC diagnostic ignored "-Warray-bounds"
#pragma GCC diagnostic ignored "-Wclobbered"
typedef int64_t I;
typedef uint64_t U;
__extension__ typedef unsigned __int128 U2;
#define W(address) ((I *)(address))
#ifdef _WIN32
#define EXPORT __declspec(dllexport)
#define SAVE setjmp
#define BACK longjmp
#else
#define EXPORT __attribute__((visibility("default")))
#define SAVE _setjmp
#define BACK _longjmp
#endif
#define APART __attribute__((noinline)) static
#define INLINED __attribute__((always_inline)) static inline
#define STACK 262144
static _Thread_local jmp_buf outside;
static _Thread_local char *outermost;
__attribute__((noreturn, cold, noinline)) static void trap(void) { BACK(outside, 1); }
static inline I floor_div(I a, I b) {
  if (b == 0) trap();
  if (b == -1) return 0 - a;
  return a / b - ((a % b != 0) & ((a ^ b) < 0));
}
static inline I floor_mod(I a, I b) {
  if (b == 0) trap();
  if (b == -1) return 0;
  I rest = a % b;
  return rest != 0 && (rest ^ b) < 0 ? rest + b : rest;
}
static inline I multiply_high(I a, I b) { return (I)((U2)(U)a * (U)b >> 64); }
static inline I length(I a) { return a ? 64 - __builtin_clzll((U)a) : 0; }
static inline I lowest(I a) { return a ? __builtin_ctzll((U)a) : 64; }
static inline I bits(I a) {
#if defined(__POPCNT__) || defined(__aarch64__)
  return __builtin_popcountll((U)a);
#else
  U x = (U)a;
  x -= x >> 1 & 0x5555555555555555u;
  x = (x & 0x3333333333333333u) + (x >> 2 & 0x3333333333333333u);
  x = (x + (x >> 4)) & 0x0f0f0f0f0f0f0f0fu;
  return (I)(x * 0x0101010101010101u >> 56);
#endif
}
"""


def c_source(unit: Unit) -> str:
    """A unit as the text of one C file."""
    printers = [_Printer(unit, function) for function in unit.functions.values()]
    bodies = [printer.lines() for printer in printers]
    called = {each.function.name: each.called for each in printers}
    deep = _may_call_itself({each.function.name: {*each.called, *each.pointed} for each in printers})
    texts = {name: sum(map(len, body)) for name, body in zip(called, bodies, strict=True)}
    apart = {*unit.exports, *_too_long_to_copy(texts, called, deep)}
    lines = [HEAD, f"static const I pool[] = {{{', '.join(map(_number, [0] * PADDING + unit.pool))}}};"]
    lines += [f"{_signature(unit, function, apart)};" for function in unit.functions.values()]
    for arity in sorted({_arity(unit, table) for table in unit.tables}):
        params = ", ".join(f"I a{number}" for number in range(arity)) or "void"
        lines.append(f"static I nothing_{arity}({params}) {{ trap(); }}")
    for name, functions in unit.tables.items():
        arity = _arity(unit, name)
        entries = ", ".join(f"f_{each}" if each else f"nothing_{arity}" for each in functions or ("",))
        lines.append(f"static I (*const t_{name}[])({_types(arity)}) = {{{entries}}};")
    for function, body in zip(unit.functions.values(), bodies, strict=True):
        lines.append(f"{_signature(unit, function, apart)} {{")
        if function.name in deep:
            lines.append("  if (outermost - (char *)__builtin_frame_address(0) > STACK) trap();")
        lines += [*body, "}"]
    for name in unit.exports:
        lines += _export(unit.functions[name])
    return "\n".join(lines) + "\n"


def _export(function: Function) -> list[str]:
    """What calls a function from outside. It has no local names, which would not outlast the jump."""
    values = ", ".join(f"values[{number}]" for number in range(len(function.params)))
    return [
        f"EXPORT int export_{function.name}(I *values) {{",
        "  outermost = (char *)__builtin_frame_address(0);",
        "  if (SAVE(outside)) return 1;",
        f"  values[0] = f_{function.name}({values});",
        "  return 0;",
        "}",
    ]


def _may_call_itself(called: dict[str, set[str]]) -> set[str]:
    """The functions that may come back to themselves, and those that call them."""
    sorter = TopologicalSorter(called)
    try:
        sorter.prepare()
    except CycleError:
        left = set(called)
        while ready := sorter.get_ready():
            left.difference_update(ready)
            sorter.done(*ready)
        return left
    return set()


def _too_long_to_copy(texts: dict[str, int], called: dict[str, Counter[str]], deep: set[str]) -> set[str]:
    """The functions whose text would grow out of bounds: each is put into others together with what it calls."""
    callers = sum(called.values(), Counter())
    whole: dict[str, int] = {}
    for name in TopologicalSorter({name: called[name].keys() - deep for name in called.keys() - deep}).static_order():
        whole[name] = texts[name] + sum(times * whole[each] for each, times in called[name].items())
        if whole[name] > LONGEST_COPIED and callers[name] > 1:
            whole[name] = 0
    return {name for name, length in whole.items() if not length}


def _signature(unit: Unit, function: Function, apart: set[str]) -> str:
    params = ", ".join(f"I {name}_" for name in function.params) or "void"
    kind = "APART" if function.name in apart else "INLINED" if function.name in unit.inlined else "static"
    return f"{kind} I f_{function.name}({params})"


def _arity(unit: Unit, table: str) -> int:
    """How many values the functions of a table take; 0 where there are none."""
    return next((len(unit.functions[name].params) for name in unit.tables[table] if name), 0)


def _types(arity: int) -> str:
    return ", ".join(["I"] * arity) or "void"


def _number(value: int) -> str:
    return f"{value}LL" if value > -(1 << 63) else "(-9223372036854775807LL - 1)"


class _Printer:
    """Prints one function."""

    def __init__(self, unit: Unit, function: Function) -> None:
        self.unit, self.function = unit, function
        self.called: Counter[str] = Counter()
        """how often it calls others by name"""
        self.pointed: set[str] = set()
        """what it calls by a place in a table"""
        self.out: list[str] = []
        self.kept = 0

    def lines(self) -> list[str]:
        """The inside of the function."""
        names = local_names(self.function)
        if names:
            self.out.append(f"  I {', '.join(f'{name}_ = 0' for name in names)};")
        self.block(self.function.body, "  ")
        if not self.function.body or not isinstance(self.function.body[-1], (Return, Trap)):
            self.out.append("  return 0;")
        return self.out

    # -- statements ----------------------------------------------------------------------------------------------------

    def block(self, body: tuple[Statement, ...], margin: str) -> None:
        for each in body:
            self.STATEMENTS[type(each)](self, each, margin)

    def _if(self, statement: If, margin: str) -> None:
        self.out.append(f"{margin}if ({self.condition(statement.test)[0]}) {{")
        self.block(statement.then, margin + "  ")
        if statement.other:
            self.out.append(f"{margin}}} else {{")
            self.block(statement.other, margin + "  ")
        self.out.append(f"{margin}}}")

    def _loop(self, statement: Loop, margin: str) -> None:
        self.out.append(f"{margin}for (;;) {{")
        self.block(statement.body, margin + "  ")
        self.out.append(f"{margin}}}")

    def _let(self, statement: Let, margin: str) -> None:
        self.out.append(f"{margin}{statement.name}_ = {self.expr(statement.value)[0]};")

    def _store(self, statement: Store, margin: str) -> None:
        def said(base: str, index: str, value: str) -> str:
            return f"{_word(base, index, statement.offset)} = {value}"

        self.out.append(f"{margin}{self.ordered(said, statement.base, statement.index, statement.value)[0]};")

    def _copy(self, statement: Copy, margin: str) -> None:
        def said(target: str, source: str, words: str) -> str:
            return f"memmove(W({target}), W({source}), (size_t)(8 * {words}))"

        self.out.append(f"{margin}{self.ordered(said, statement.target, statement.source, statement.words)[0]};")

    def _return(self, statement: Return, margin: str) -> None:
        self.out.append(f"{margin}return {self.expr(statement.value)[0]};")

    def _do(self, statement: Do, margin: str) -> None:
        self.out.append(f"{margin}(void)({self.expr(statement.value)[0]});")

    STATEMENTS: ClassVar[dict[type, Callable[[_Printer, Any, str], None]]] = {
        Let: _let,
        Store: _store,
        Copy: _copy,
        If: _if,
        Loop: _loop,
        Return: _return,
        Do: _do,
        Break: lambda self, _, margin: self.out.append(f"{margin}break;"),
        Continue: lambda self, _, margin: self.out.append(f"{margin}continue;"),
        Trap: lambda self, _, margin: self.out.append(f"{margin}trap();"),
    }

    # -- expressions ---------------------------------------------------------------------------------------------------

    def ordered(self, said: Callable[..., str], *parts: Expr) -> Printed:
        """Values put together, worked out from the left to the right where that matters."""
        printed = [self.expr(part) for part in parts]
        effect = max((each for _, each in printed), default=PURE)
        if effect < ACTS or sum(each > PURE for _, each in printed) < 2:
            return said(*(text for text, _ in printed)), effect
        before, names = [], []
        for text, each in printed:
            if each > PURE:
                self.kept += 1
                before.append(f"I k{self.kept} = {text}; ")
                text = f"k{self.kept}"
            names.append(text)
        return f"__extension__ ({{ {''.join(before)}{said(*names)}; }})", effect

    def expr(self, expr: Expr) -> Printed:
        """A value of 64 bits."""
        return self.EXPRESSIONS[type(expr)](self, expr)

    def condition(self, expr: Expr) -> Printed:
        """What C takes as true where the value is not 0."""
        if isinstance(expr, Binary) and expr.op in COMPARED:
            return self.ordered(_comparison(expr.op), expr.left, expr.right)
        if isinstance(expr, Unary) and expr.op == "not":
            text, effect = self.condition(expr.operand)
            return f"!({text})", effect
        if isinstance(expr, Either):
            return self._chosen(expr, self.condition)
        text, effect = self.expr(expr)
        return f"{text} != 0", effect

    def _chosen(self, expr: Either, side: Callable[[Expr], Printed]) -> Printed:
        (test, first), (then, second), (other, third) = self.condition(expr.test), side(expr.then), side(expr.other)
        if side == self.condition and expr.other == Const(0):
            text = f"(({test}) {'&' if is_straight(expr) else '&&'} ({then}))"
        elif side == self.condition and expr.then == Const(1):
            text = f"(({test}) {'|' if is_straight(expr) else '||'} ({other}))"
        else:
            text = f"(({test}) ? {then} : {other})"
        return text, max(first, second, third)

    def _either(self, expr: Either) -> Printed:
        return self._chosen(expr, self.expr)

    def _load(self, expr: Load) -> Printed:
        if isinstance(expr.base, Pool):
            at = PADDING + expr.base.at + expr.offset
            index, effect = self.expr(expr.index)
            return (f"pool[{at}]" if index == "0LL" else f"pool[{index} + {at}]"), max(effect, PURE)
        text, effect = self.ordered(lambda base, index: _word(base, index, expr.offset), expr.base, expr.index)
        return text, max(effect, READS)

    def _binary(self, expr: Binary) -> Printed:
        if expr.op in COMPARED:
            text, effect = self.condition(expr)
            return f"(I)({text})", effect
        if expr.op in ("//", "%"):
            return self._divided(expr)
        if expr.op == "multiply_high":
            return self.ordered(lambda left, right: f"multiply_high({left}, {right})", expr.left, expr.right)
        if expr.op in ("<<", ">>"):
            places = expr.right
            known = f"{places.value & 63}" if isinstance(places, Const) else None
            return self.ordered(
                lambda left, right: f"(I)((U){left} {expr.op} {known or f'({right} & 63)'})", expr.left, expr.right
            )
        return self.ordered(lambda left, right: f"({left} {expr.op} {right})", expr.left, expr.right)

    def _divided(self, expr: Binary) -> Printed:
        divisor = expr.right.value if isinstance(expr.right, Const) else 0
        if divisor > 0 and divisor & (divisor - 1) == 0:
            text, effect = self.expr(expr.left)
            return (
                f"({text} >> {divisor.bit_length() - 1})" if expr.op == "//" else f"({text} & {divisor - 1}LL)"
            ), effect
        name = "floor_div" if expr.op == "//" else "floor_mod"
        text, effect = self.ordered(lambda left, right: f"{name}({left}, {right})", expr.left, expr.right)
        return text, effect if divisor else max(effect, READS)

    def _unary(self, expr: Unary) -> Printed:
        if expr.op == "not":
            text, effect = self.condition(expr)
            return f"(I)({text})", effect
        text, effect = self.expr(expr.operand)
        return f"{expr.op}({text})", effect

    def _call(self, expr: Call) -> Printed:
        self.called[expr.function] += 1
        return self.ordered(lambda *args: f"f_{expr.function}({', '.join(args)})", *expr.args)[0], ACTS

    def _call_table(self, expr: CallTable) -> Printed:
        functions = self.unit.tables[expr.table]
        self.pointed.update(name for name in functions if name)
        if _arity(self.unit, expr.table) != len(expr.args):  # only where the table has no function
            return "__extension__ ({ trap(); 0LL; })", ACTS

        def said(index: str, *args: str) -> str:
            self.kept += 1
            place = f"p{self.kept}"
            return (
                f"__extension__ ({{ U {place} = (U){index}; if ({place} >= {len(functions)}u) trap(); "
                f"t_{expr.table}[{place}]({', '.join(args)}); }})"
            )

        return self.ordered(said, expr.index, *expr.args)[0], ACTS

    EXPRESSIONS: ClassVar[dict[type, Callable[[_Printer, Any], Printed]]] = {
        Const: lambda self, expr: (_number(expr.value), PURE),
        Local: lambda self, expr: (f"{expr.name}_", PURE),
        Pool: lambda self, expr: (f"(I)(pool + {PADDING + expr.at})", PURE),
        Load: _load,
        Binary: _binary,
        Unary: _unary,
        Either: _either,
        Call: _call,
        CallTable: _call_table,
    }


def _word(base: str, index: str, offset: int) -> str:
    """The word at base + 8 * (index + offset)."""
    if index == "0LL":
        index, offset = str(offset), 0
    return f"W({base})[{index}{f' + {offset}' if offset > 0 else f' - {-offset}' if offset else ''}]"


def _comparison(op: str) -> Callable[[str, str], str]:
    if op == "below":
        return lambda left, right: f"(U){left} < (U){right}"
    return lambda left, right: f"{left} {op} {right}"
