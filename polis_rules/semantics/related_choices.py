"""Choices that belong together: each unlike those before in its repeat, or only if another choice can follow."""

from __future__ import annotations

import re
from collections.abc import Sequence

from polis_rules.schema import Condition, Conditions, asked_of, steps as written
from polis_rules.semantics import ir
from polis_rules.semantics.check_expressions import ExpressionChecker
from polis_rules.semantics.check_memory import MemoryChecker
from polis_rules.semantics.expressions import BOOL, INT, NONE, Expr, Scope, Type, conjunction, nodes as n, number
from polis_rules.source import Text

SHOWN = re.compile(r"\{([^{}]+)\}")
"""Part of a title that stands for a value."""

EARLIER = "EARLIER_"
"""How the local names begin that note what was chosen before; no author can have given them."""


class ChoiceChecker(MemoryChecker):
    """Checks what is asked of choices, and knows which have to do with others; that of all steps builds on it."""

    def __init__(self, expressions: ExpressionChecker) -> None:
        super().__init__(expressions)
        self.different: dict[int, tuple[Text, str]] = {}
        """by the identity of a choice: what has to differ from earlier ones, and the local name that notes these"""
        self.leading: dict[str, dict[Text, Text]] = {}
        """by the path of a choice: the choices that it has to lead to, by label"""

    def conditions(self, where: Conditions, scope: Scope) -> tuple[tuple[ir.Condition, ...], Scope]:
        """Labelled conditions; each may rely on those before it. What one says does not rely on it: it fails then."""
        tests = []
        for label, asked in where.items():
            text, says = asked_of(asked), asked.says if isinstance(asked, Condition) else None
            test = self.expr(text, scope, BOOL)
            said, shown = self.title(says, "", scope)
            if test is not None:
                tests.append(ir.Condition(str(label), test, str(text), text.span, said, shown))
            scope = scope.after(test)
        return tuple(tests), scope

    def title(self, text: Text | None, default: str, scope: Scope) -> tuple[str, ir.Shown]:
        """A title, and the expressions that stand in braces in it."""
        if text is None:
            return default, ()
        values = [(part[0], self.expr(text.part(*part.span(1)), scope)) for part in SHOWN.finditer(text)]
        return str(text), tuple((shown, value) for shown, value in values if value is not None)


# -- each unlike those before -----------------------------------------------------------------------------------------


def begin_different(checker: ChoiceChecker, body: written.RepeatBody) -> str:
    """Have the first choice of a repeat differ from those before it; the local name that notes these."""
    assert body.different is not None
    first = next((step for step in body.do if isinstance(step, written.Choose)), None)
    if first is None:
        message = "this repeat has no choice of its own that could be different each time"
        checker.diagnostics.error("unfit-keys", message, body.different.span, hint="put a `choose` into its `do`")
        return ""
    name = f"{EARLIER}{first.first}S".upper()
    checker.different[id(first)] = body.different, name
    return name


def nothing_yet(checker: ChoiceChecker, text: Text, name: str) -> list[ir.Step]:
    """The step by which a repeat begins whose choices differ."""
    kind = checker.rule.locals.get(name)
    return [ir.Note(text.span, (ir.Let(text.span, name, n.SetOf(kind, ())),))] if kind is not None else []


def different(
    checker: ChoiceChecker, item: written.Choose, kind: Type, inner: Scope
) -> tuple[tuple[ir.Condition, ...], list[ir.Step]]:
    """That a choice differs from those before it in its repeat, if it has to; and the step that notes it."""
    text, name = checker.different.pop(id(item), (None, ""))
    value = checker.expr(text, inner)
    if text is None or value is None:
        return (), []
    if value.type.base != "ref" or value.type.maybe or kind.base != "ref":
        message = f"what is to be different each time is a member, not {value.type}"
        checker.diagnostics.error("wrong-type", message, text.span)
        return (), []
    every = Type("set", value.type.kind)
    checker.rule.locals[name] = every
    before = n.Var(every, name, span=text.span)
    condition = ir.Condition(
        f"it_must_be_another_{value.type.kind}", n.Not(BOOL, n.Contains(BOOL, value, before)), str(text), text.span
    )
    after: Expr = n.SetOp(every, "|", before, n.SetOf(every, (value,)))
    if item.or_ or item.if_possible:
        chosen = n.Var(Type("ref", kind.kind, True), str(item.first), span=text.span)
        after = n.IfElse(every, n.Compare(BOOL, "==", chosen, n.Const(NONE, -1)), before, after)
    return (condition,), [ir.Note(text.span, (ir.Let(text.span, name, after),))]


# -- only if another one can follow -----------------------------------------------------------------------------------


def lead(checker: ChoiceChecker, steps: Sequence[ir.Step]) -> list[ir.Step]:
    """The same steps, in which choices that have to lead to others ask whether these have an option."""
    made = list(steps)
    for at in reversed(range(len(made))):  # what leads to a choice that leads on has its condition, too
        step = made[at]
        if not isinstance(step, ir.Choose):
            continue
        wanted = checker.leading.get(step.path, {})
        made[at] = step.asking(tuple(_leading(checker, step, wanted, made[at + 1 :])))
    return made


def _leading(
    checker: ChoiceChecker, step: ir.Choose, wanted: dict[Text, Text], after: list[ir.Step]
) -> list[ir.Condition]:
    """The conditions by which a choice leads to others."""
    made = []
    for label, name in wanted.items():
        target, between = _next_choice(after, name)
        if target is None:
            message = f"no choice of `{name}` comes after this one in the same list, or first in a repeat there"
            names = [each.var for each in after if isinstance(each, ir.Choose)]
            loops = [each.body[0] for each in after if isinstance(each, ir.Choices)]
            names += [each.var for each in loops if isinstance(each, ir.Choose)]
            checker.diagnostics.unknown("unknown-name", message, name.span, name, map(str, names))
        elif between is None or step.do or step.cost:
            message = f"something may change before `{name}` is chosen, so it is not known now whether it can be"
            checker.diagnostics.error("changed-between", message, name.span, hint="ask for it in `where`")
        else:
            values = {each.var: each.value for each in between}
            known = [each.test for each in step.tests]
            test = _some_option(target, known)
            for var, value in reversed(values.items()):
                test = n.substitute(test, {str(var): value})
            said = f"{name}_must_then_be_possible" if label == name else str(label)
            made.append(ir.Condition(said, test.at(name.span), f"leads to {name}", name.span))
    return made


def _next_choice(steps: Sequence[ir.Step], name: str) -> tuple[ir.Choose | None, list[ir.Let] | None]:
    """The choice of a name among some steps, with the values named before it; None where something else is done."""
    values: list[ir.Let] | None = []
    for step in steps:
        inside: Sequence[ir.Step] = ()
        if isinstance(step, ir.Choose) and name in dict(step.chosen):
            return step, values
        if isinstance(step, (ir.While, ir.Times, ir.Choices)):
            inside = step.body
            first = next((each for each in inside if not isinstance(each, ir.Note)), None)
            if isinstance(first, ir.Choose) and name in dict(first.chosen):
                return first, values
        if isinstance(step, ir.Let) and values is not None:
            values.append(step)
        elif not isinstance(step, ir.Note):
            values = None
    return None, values


def _some_option(step: ir.Choose, known: list[Expr]) -> Expr:
    """Whether a choice has an option, its named ways among them; what differs from earlier ones is not asked.

    Neither is what is known; and what does not speak of the option is asked once.
    """
    ways = [conjunction([each.test for each in way.conditions]) or n.TRUE for way in step.ways]
    domain = step.source
    if step.low is not None and step.high is not None:
        domain = n.Numbers(INT, step.low, n.Arith(INT, "+", step.high, number(1)))
    assert domain is not None
    some: Expr | None = None
    for var, source, conditions in [
        *((part.var, part.source, part.conditions) for part in reversed(step.parts)),
        (step.var, domain, step.conditions),
    ]:
        every = [each.test for each in conditions if each.test not in known]
        every = [test for test in every if not any(map(_is_earlier, test.walk()))]
        tests = [test for test in every if any(isinstance(part, n.Var) and part.name == var for part in test.walk())]
        once = [test for test in every if test not in tests]
        inside = conjunction([*tests, *([some] if some is not None else [])]) or n.TRUE
        some = conjunction([*once, n.Comp(BOOL, "any", var, source, None, inside)]) or n.TRUE
    assert some is not None
    return n.Bool(BOOL, "or", (some, *ways)) if ways else some


def _is_earlier(part: Expr) -> bool:
    return isinstance(part, n.Var) and part.name.startswith(EARLIER)
