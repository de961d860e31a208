"""Choices of several members at once: asked one by one in table order, so that their order makes no difference."""

from __future__ import annotations

import re
from dataclasses import replace

from polis_rules.schema import steps as written
from polis_rules.semantics import ir
from polis_rules.semantics.check_memory import MemoryChecker
from polis_rules.semantics.expressions import BOOL, INT, TRUE, Expr, Type, conjunction, nodes as n, number, substitute
from polis_rules.semantics.questions import Questions
from polis_rules.source import Text

MOST_AHEAD = 1_000_000
"""How many combinations may be looked through to see that the least number can still be reached."""

_MANY = re.compile(r"([0-9]{1,4})(\.\.([0-9]{1,4})?)?")


def how_many(checker: MemoryChecker, item: written.Choose, kind: str) -> tuple[int, int] | None:
    """The least and the greatest number of members that may be chosen; None after saying what is wrong with them."""
    text = item.many
    assert text is not None
    count = checker.expressions.ask(Questions.count, kind)
    match = _MANY.fullmatch(text)
    if match is None:
        hint = "write `many: 2`, `many: 1..3` or `many: 0..`"
        checker.diagnostics.error("wrong-type", f"how many is a plain number or range, not `{text}`", text.span, hint)
        return None
    least = int(match[1])
    most = least if match[2] is None else int(match[3]) if match[3] else count
    if not least <= most or most == 0 or least > count:
        told = f"there are only {count}" if least > count else "the smaller number stands first, the other is not 0"
        checker.diagnostics.error("out-of-range", f"`{text}` members of `{kind}` cannot be chosen: {told}", text.span)
        return None
    return least, min(most, count)


def one_by_one(
    checker: MemoryChecker, item: written.Choose, choice: ir.Choose, ends: tuple[int, int]
) -> tuple[ir.Step, ...]:
    """The steps that choose a set. `choice` is that of one member, and has what the author asks of each."""
    assert item.many is not None
    (least, most), at, name = ends, choice.span, str(item.first)
    later, last = _Later(choice, name), f"LAST_OF_{name}".upper()
    chosen, one = n.Var(later.every, name, span=at), n.Var(later.kind, choice.var)
    checker.rule.locals |= {name: later.every, choice.var: later.kind, last: INT}

    def asked(test: Expr, label: str) -> ir.Condition:
        return ir.Implied(label, test.at(at), f"many: {item.many}", text.span)

    text: Text = item.many
    order = asked(n.Compare(BOOL, ">", n.Order(INT, one), n.Var(INT, last)), "members_are_chosen_in_table_order")
    note = (ir.Let(at, name, later.joined(chosen, one)), ir.Let(at, last, n.Order(INT, one)))
    steps: list[ir.Step] = [ir.Let(at, name, later.nobody), ir.Let(at, last, number(-1))]
    asking: list[ir.Step] = []
    if least > 0:
        missing = n.Arith(INT, "-", number(least - 1), n.Size(INT, n.Var(later.every, name)))
        enough = later.enough(missing, least - 1, one, later.joined(n.Var(later.every, name), one))
        reach = (asked(enough, "enough_others_must_be_left"),) if least > 1 else ()
        step = replace(choice, if_possible=False, conditions=(order, *choice.conditions, *reach))
        asking.append(ir.While(at, _fewer(chosen, least), (step, *note)))
    if most > least:
        left = (asked(_fewer(chosen, most), "there_are_enough"),)
        step = replace(choice, if_possible=False, conditions=(order, *left, *choice.conditions))
        asking.append(ir.Choices(at, 0, str(item.finish or ""), (step, *note)))
    if item.if_possible and least > 0:
        asking = [ir.If(at, later.enough(number(least), least, None, later.nobody), tuple(asking), ())]
    return (ir.Several(at, (*steps, *asking), name, least, most, str(item.finish or ""), choice),)


def _fewer(chosen: Expr, than: int) -> Expr:
    return n.Compare(BOOL, "<", n.Size(INT, chosen), number(than))


def looks_ahead(checker: MemoryChecker, choice: ir.Choose, name: str, least: int) -> bool:
    """Whether too many combinations would have to be looked through: conditions may speak of those chosen so far."""
    later = _Later(choice, name)
    count, source = checker.expressions.ask(Questions.count, later.kind.kind), later.source
    if isinstance(source, n.Comp) and isinstance(source.domain, n.Load) and source.domain.type.base == "list":
        count = min(count, checker.symbols.variable(source.domain.owner, source.domain.name).at_most)
    return least > 1 and count**least > MOST_AHEAD and later.reads_chosen


class _Later:
    """Whether enough members can be chosen after some of them, in table order."""

    def __init__(self, choice: ir.Choose, name: str) -> None:
        assert choice.source is not None
        self.source, self.one, self.name = choice.source, choice.var, name
        self.kind, self.every = Type("ref", choice.source.type.kind), Type("set", choice.source.type.kind)
        self.nobody = n.SetOf(self.every, ())
        self.test = conjunction([each.test for each in choice.conditions]) or TRUE
        self.reads_chosen = any(isinstance(part, n.Var) and part.name == name for part in self.test.walk())

    def enough(self, missing: Expr, most: int, after: Expr | None, chosen: Expr) -> Expr:
        """Whether the members that are missing, at most so many, can be chosen `after` one of them."""
        if self.reads_chosen:
            return self.ahead(after, chosen, missing, 1, most)
        return n.Compare(BOOL, ">=", self.over("count", after, "AFTER_1", chosen, TRUE), missing)

    def ahead(self, after: Expr | None, chosen: Expr, missing: Expr, deep: int, deepest: int) -> Expr:
        """Whether members can be chosen one after the other until none is missing; at most so many are."""
        enough: Expr = n.Compare(BOOL, "<", missing, number(deep))
        if deep > deepest:
            return enough
        next_one = n.Var(self.kind, f"AFTER_{deep}")
        rest = self.ahead(next_one, self.joined(chosen, next_one), missing, deep + 1, deepest)
        return n.Bool(BOOL, "or", (enough, self.over("any", after, next_one.name, chosen, rest)))

    def over(self, func: str, after: Expr | None, name: str, chosen: Expr, rest: Expr) -> Expr:
        """A comprehension over the members, after one of them, that meet the conditions with those chosen so far."""
        member = n.Var(self.kind, name)
        values: dict[str, Expr] = {self.one: member, **({self.name: chosen} if self.reads_chosen else {})}
        tests = [substitute(self.test, values), rest]
        if after is not None:
            tests.insert(0, n.Compare(BOOL, ">", n.Order(INT, member), n.Order(INT, after)))
        test = conjunction([each for each in tests if each != TRUE]) or TRUE
        if func == "count":
            return n.Comp(INT, "count", name, self.source, test, TRUE)
        return n.Comp(BOOL, "any", name, self.source, None, test)

    def joined(self, chosen: Expr, member: Expr) -> Expr:
        return n.SetOp(self.every, "|", chosen, n.SetOf(self.every, (member,)))
