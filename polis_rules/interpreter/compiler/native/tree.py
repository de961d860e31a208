"""The tree of native code: functions over one flat memory of 64-bit words.

Every value is a signed integer of 64 bits whose arithmetic wraps. Addresses are values too: of bytes, each word takes
eight. What may be done is what both C and WebAssembly have; how it is written is for the printers.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

WORD = 8
"""How many bytes a word has."""

Operator = Literal[
    "+", "-", "*", "&", "|", "^", "<<", ">>", "<", "<=", "==", "!=", "//", "%", "below", "multiply_high"
]  # fmt: skip
"""`>>` fills with zeros; `<`, `<=` compare signed numbers and `below` unsigned ones, with 1 for true and 0 for false;
`//` and `%` round down as Python's and trap where the divisor is 0; `multiply_high` is the upper half of the unsigned
product of 128 bits. Shifts are by 0 to 63."""

LONGER = {"//", "%", "multiply_high"}
"""Those that take longer than the others, or may trap."""


@dataclass(slots=True)
class Const:
    """A number from -2**63 to 2**63 - 1."""

    value: int


@dataclass(slots=True)
class Local:
    """A parameter or local name of the function."""

    name: str


@dataclass(slots=True)
class Load:
    """The word at `base` + 8 * (`index` + `offset`)."""

    base: Expr
    index: Expr
    offset: int = 0


@dataclass(slots=True)
class Pool:
    """The address of the constant word at a place of the unit's pool."""

    at: int


@dataclass(slots=True)
class Binary:
    """An operation on two values, both of which are worked out."""

    op: Operator
    left: Expr
    right: Expr


@dataclass(slots=True)
class Unary:
    """`not` (1 for 0, else 0), `bits` (how many are set), `length` (the place above the highest set bit, 0 for 0) or
    `lowest` (the place of the lowest set bit, 64 for 0)."""

    op: Literal["not", "bits", "length", "lowest"]
    operand: Expr


@dataclass(slots=True)
class Either:
    """`then` where `test` is not 0, otherwise `other`; only one of the two is worked out."""

    test: Expr
    then: Expr
    other: Expr


@dataclass(slots=True)
class Call:
    """What a function of the unit answers."""

    function: str
    args: tuple[Expr, ...]


@dataclass(slots=True)
class CallTable:
    """What the function at a place of one of the unit's tables answers; a place outside of it traps."""

    table: str
    index: Expr
    args: tuple[Expr, ...]


Expr = Const | Local | Load | Pool | Binary | Unary | Either | Call | CallTable


@dataclass(slots=True)
class Let:
    """A local name gets a value."""

    name: str
    value: Expr


@dataclass(slots=True)
class Store:
    """The word at `base` + 8 * (`index` + `offset`) gets a value."""

    base: Expr
    index: Expr
    offset: int
    value: Expr


@dataclass(slots=True)
class Copy:
    """So many words are copied, as if through a buffer of their own."""

    target: Expr
    source: Expr
    words: Expr


@dataclass(slots=True)
class If:
    """Either statements."""

    test: Expr
    then: tuple[Statement, ...]
    other: tuple[Statement, ...] = ()


@dataclass(slots=True)
class Loop:
    """Statements again and again, until one of them leaves."""

    body: tuple[Statement, ...]


@dataclass(slots=True)
class Break:
    """Leaves the innermost loop."""


@dataclass(slots=True)
class Continue:
    """Begins the innermost loop's statements again."""


@dataclass(slots=True)
class Return:
    """Leaves the function with its answer."""

    value: Expr


@dataclass(slots=True)
class Do:
    """A value is worked out for what that does, and forgotten."""

    value: Expr


@dataclass(slots=True)
class Trap:
    """The program ends with an error."""


Statement = Let | Store | Copy | If | Loop | Break | Continue | Return | Do | Trap


@dataclass(slots=True)
class Function:
    """A function. Its answer is 0 where it ends without one."""

    name: str
    params: tuple[str, ...]
    body: tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class Shape:
    """What a state looks like in native code."""

    size: int = 0
    """how many words it has"""
    words: int = 1
    """how many words a set has that does not fit one"""
    wide: tuple[tuple[int, int], ...] = ()
    """the slots that hold such sets, and where the lowest of their words stands instead"""


@dataclass(slots=True)
class Unit:
    """A whole program: functions, tables of functions, constant words, and what may be called from outside.

    It knows of no memory but the pool and the addresses that it is given.
    """

    functions: dict[str, Function] = field(default_factory=dict)
    tables: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """names of functions that take equally many values; an empty name traps"""
    pool: list[int] = field(default_factory=list)
    exports: tuple[str, ...] = ()
    inlined: frozenset[str] = frozenset()
    """functions that are best put where they are called"""
    shape: Shape = field(default_factory=Shape)


def statements(body: tuple[Statement, ...]) -> Iterator[Statement]:
    """Every statement, outer ones before those inside."""
    for each in body:
        yield each
        if isinstance(each, If):
            yield from statements(each.then)
            yield from statements(each.other)
        elif isinstance(each, Loop):
            yield from statements(each.body)


def local_names(function: Function) -> list[str]:
    """The names that are made inside a function, each once, in the order in which they are met."""
    made = dict.fromkeys(each.name for each in statements(function.body) if isinstance(each, Let))
    return [name for name in made if name not in function.params]


def is_small(expr: Expr, most: int = 3) -> bool:
    """Whether a value costs next to nothing and does nothing else, not even trap."""
    match expr:
        case Const() | Local() | Pool():
            return True
        case Load(base, Const(), offset):
            return isinstance(base, Local) and base.name == "s" and offset >= 0
        case Unary(_, operand):
            return most > 0 and is_small(operand, most - 1)
        case Binary(op, left, right):
            return most > 0 and op not in LONGER and is_small(left, most - 1) and is_small(right, most - 1)
    return False


def is_straight(expr: Expr) -> bool:
    """Whether a value is small, or one of two that are, as a third one tells: no jump is needed."""
    if isinstance(expr, Either):
        return is_small(expr.test) and is_small(expr.then) and is_small(expr.other)
    return is_small(expr)
