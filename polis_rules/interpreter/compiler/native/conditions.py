"""Conditions that ask less: what many that follow each other need is asked once, and several numbers are 0 at once.

What comes earlier than before is what can neither fail nor change anything, and it only passes by what is so too.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeVar

from polis_rules.interpreter.compiler.native import tree as t
from polis_rules.interpreter.compiler.native.words import ONE, ZERO, conjuncts

What = TypeVar("What")

TOGETHER = 4
"""From so many on, what conditions have in common is asked once."""
AT_ONCE = 4
"""How many numbers are asked at once whether they are 0."""


def shortened(function: t.Function) -> t.Function:
    """The same function, where no condition changes the state."""
    return t.Function(function.name, function.params, _block(function.body))


def _block(body: tuple[t.Statement, ...]) -> tuple[t.Statement, ...]:
    made: list[t.Statement] = []
    for common, held in _runs([(each, _offered(each)) for each in body]):
        if common and len(held) >= TOGETHER:
            inner = [t.If(_all(_without(each.test, common)), each.then) for each in held if isinstance(each, t.If)]
            made.append(t.If(_all(common), tuple(map(_statement, inner))))
        else:
            made += map(_statement, held)
    return tuple(made)


def _offered(each: t.Statement) -> list[t.Expr]:
    """What has to hold for an option to be listed, where a statement does only that."""
    match each:
        case t.If(test, (t.Store(t.Local(), t.Local(count), 1, t.Const()), t.Let(counted)), ()) if counted == count:
            return conjuncts(test)
    return []


def _statement(each: t.Statement) -> t.Statement:
    match each:
        case t.If(test, then, other):
            return t.If(_shorter(test), _block(then), _block(other))
        case t.Loop(body):
            return t.Loop(_block(body))
        case t.Return(value):
            return t.Return(_shorter(value))
        case t.Let(name, value):
            return t.Let(name, _shorter(value))
    return each


def _shorter(test: t.Expr) -> t.Expr:
    """The same value."""
    match test:
        case t.Either(_, then, _) if then == ONE:
            found: list[t.Expr] = []
            for common, held in _runs([(each, conjuncts(each)) for each in _alternatives(test)]):
                if common and len(held) >= TOGETHER:
                    found.append(_all([*common, _any([_shorter(_all(_without(each, common))) for each in held])]))
                else:
                    found += map(_shorter, held)
            return _any(found)
        case t.Either(_, _, other) if other == ZERO:
            return _all(_at_once([_shorter(each) for each in conjuncts(test)]))
        case t.Either(asked, then, other):
            return t.Either(_shorter(asked), _shorter(then), _shorter(other))
    return test


def _alternatives(test: t.Expr) -> list[t.Expr]:
    """One of which has to hold for a condition."""
    found: list[t.Expr] = []
    while isinstance(test, t.Either) and test.then == ONE:
        found += _alternatives(test.test)
        test = test.other
    return [*found, test]


def _all(tests: list[t.Expr]) -> t.Expr:
    *before, last = tests or [ONE]
    for each in reversed(before):
        last = t.Either(each, last, ZERO)
    return last


def _any(tests: list[t.Expr]) -> t.Expr:
    *before, last = tests
    for each in reversed(before):
        last = t.Either(each, ONE, last)
    return last


def _without(test: t.Expr, known: list[t.Expr]) -> list[t.Expr]:
    return [each for each in conjuncts(test) if each not in known]


def _runs(asked: list[tuple[What, list[t.Expr]]]) -> Iterator[tuple[list[t.Expr], list[What]]]:
    """What follows each other and has something in common that may come first."""
    held: list[What] = []
    common: list[t.Expr] = []
    for each, parts in asked:
        first = _first(parts)
        if still := [part for part in common if part in first]:
            held.append(each)
            common = still
            continue
        if held:
            yield common, held
        held, common = [each], first
    if held:
        yield common, held


def _first(parts: list[t.Expr]) -> list[t.Expr]:
    """Those parts of a condition that may be asked before all others."""
    found: list[t.Expr] = []
    for each in parts:
        if not _harmless(each):
            break
        if t.is_small(each):
            found.append(each)
    return found


def _harmless(expr: t.Expr) -> bool:
    """Whether an expression neither fails nor changes anything."""
    match expr:
        case t.Const() | t.Local() | t.Pool():
            return True
        case t.Load(base, index, _):
            return _harmless(base) and _harmless(index)
        case t.Unary(_, operand):
            return _harmless(operand)
        case t.Binary(op, left, right):
            return op not in t.LONGER and _harmless(left) and _harmless(right)
        case t.Either(test, then, other):
            return _harmless(test) and _harmless(then) and _harmless(other)
    return False


def _at_once(tests: list[t.Expr]) -> list[t.Expr]:
    """Conditions one after another, in which numbers of the state that are to be 0 are asked together."""
    found: list[t.Expr] = []
    run = 0
    for each in tests:
        match each:
            case t.Binary("==", t.Load() as place, right) if right == ZERO and t.is_small(place):
                together = 0 < run < AT_ONCE
                run = run + 1 if together else 1
                before = found.pop() if together else None
                if isinstance(before, t.Binary):
                    each = t.Binary("==", t.Binary("|", before.left, place), ZERO)
            case _:
                run = 0
        found.append(each)
    return found
