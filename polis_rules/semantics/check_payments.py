"""Typecheck what is paid, gained and lost: with what, in how many ways, and what a cost asks for."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from itertools import product

from polis_rules.diagnostics import Diagnostics, Span
from polis_rules.schema import steps as written
from polis_rules.semantics import ir
from polis_rules.semantics.bills import (
    Asking,
    Part,
    Purse,
    minus,
    payable,
    repeated,
    settle,
    slug,
    tangled,
    with_others,
)
from polis_rules.semantics.check_changes import ChangeChecker, Checked
from polis_rules.semantics.expressions import INT, Expr, Scope, Type, nodes as n, number, parse, substitute
from polis_rules.semantics.questions import Questions
from polis_rules.semantics.symbols import Paying, Variable
from polis_rules.semantics.traversal import PLAYER
from polis_rules.source import Text

Bill = tuple[Part, ...]


class PaymentChecker(ChangeChecker):
    """Checks costs and the steps that pay, gain and lose."""

    # -- what may be paid with --------------------------------------------------------------------------------------

    def paying(self, variable: Variable) -> Paying:
        """What spendable state says of how it is paid: `it` is the player, and its index may be named."""
        which = {name: Type("ref", kind) for name, kind in variable.per}
        scope = Scope().having(it=PLAYER, **{name: which[name] for name, kind in variable.per if name != kind})
        own = n.Load(
            variable.type,
            "player",
            variable.name,
            (n.Var(PLAYER, "it"), *(n.Var(kind, name) for name, kind in which.items())),
        )
        first = self.expr(variable.first, scope, INT)
        bank = self.state(variable.bank, scope) if variable.bank is not None else None
        if bank is not None and variable.bank is not None and (bank.type != INT or bank == own):
            self.expected("a number that is kept elsewhere", bank.type, variable.bank)
            bank = None
        instead = []
        for key, rate in variable.instead.items():
            load = self.resource(key, n.Var(PLAYER, "it"), scope)
            if load == own:
                self.diagnostics.error("unfit-value", f"`{key}` stands in for itself", key.span)
            elif load is not None:
                instead.append((load, rate, str(key)))
        return Paying(first, bank, tuple(instead))

    def paid_as(self, load: n.Load) -> Paying:
        """What is said of how some state is paid, for whom and what it is here."""
        known: Paying = self.expressions.ask(Questions.paying, (load.owner, load.name))
        per = self.symbols.variable(load.owner, load.name).per
        values = dict(zip(("it", *(name for name, _ in per)), load.args, strict=True))
        first = known.first and substitute(known.first, values)
        bank = None if known.bank is None else known.bank.rebuilt(lambda part: substitute(part, values))
        instead = [
            (each.rebuilt(lambda part: substitute(part, values)), rate, key) for each, rate, key in known.instead
        ]
        return Paying(first, bank, tuple(instead))

    def named(self, key: Text, verb: str = "pay") -> list[Text]:
        """The alternatives that a cost names: `coin or stone`."""
        tree = parse(key, Diagnostics()) if " or " in key or " and " in key else None
        if not isinstance(tree, ast.BoolOp):
            return [key]
        if isinstance(tree.op, ast.And):
            hint = "write `or` where one of them is enough, or each with an amount of its own"
            self.diagnostics.error("unknown-resource", "these cannot be counted together", key.span, hint)
            return []
        if verb != "pay":
            message = f"only what is paid may be one of several, and here they {verb}"
            self.diagnostics.error("unfit-keys", message, key.span, hint="ask with `either` which it is")
            return []
        return [key.part(each.col_offset, each.end_col_offset or len(key)) for each in tree.values]

    def part(self, key: Text, text: Text, who: Expr | None, scope: Scope) -> Part | None:
        """One entry of what is paid."""
        names = self.named(key)
        loads = [self.resource(name, who, scope) if who is not None else None for name in names]
        amount = self.expr(text, scope, INT)
        if amount is not None:
            self.not_negative(amount, text)
        purses: list[Purse] = []
        for name, load in zip(names, loads, strict=True):
            if load is not None and any(load == each.load for each in purses):
                self.diagnostics.error("said-twice", f"`{name}` is named twice here", name.span)
            elif load is not None:
                purses.append(Purse(load, 1, str(name)))
        if not purses or amount is None or None in loads:
            return None
        known = [self.paid_as(purse.load) for purse in purses]
        said = amount, len(purses)
        for each in known:
            if each.first is not None:
                amount = n.MinMax(INT, "max", (number(0), minus(amount, each.first)), span=text.span)
        stand_ins = [Purse(load.at(key.span), rate, word) for each in known for load, rate, word in each.instead]
        for purse in stand_ins:
            if all(purse.load != each.load for each in purses):
                purses.append(purse)
        for purse in purses:
            self.not_counted(purse.load, key.span, by_bank=True)
        return Part(key, text, amount, with_others(purses), said)

    # -- bills ------------------------------------------------------------------------------------------------------

    def bill(self, cost: dict[Text, Text], scope: Scope, who: Expr | None = None) -> Bill:
        """What has to be paid at once; parts that are wrong are reported and left out."""
        if not cost:
            return ()
        who = who or self.who(None, scope, next(iter(cost)).span)
        parts: Bill = ()
        for key, text in cost.items():
            part = self.part(key, text, who, scope)
            if part is not None:
                parts = (*parts, part)
                scope = self.paid((part,), scope)
        odd = tangled(parts) if any(part.open for part in parts) else None
        if odd is None:
            return parts
        message = "this may be paid with the same as other parts of this, in a way that cannot be told beforehand"
        self.diagnostics.error("unfit-value", message, odd.key.span, hint="pay one after the other")
        return ()

    def paid(self, bill: Bill, scope: Scope) -> Scope:
        """What is known after a bill is paid."""
        return self.spent([purse.load for part in bill for purse in part.purses], scope)

    def spent(self, loads: list[n.Load], scope: Scope) -> Scope:
        """What is known after some state was paid, gained or lost."""
        banks = [bank for load in loads if (bank := self.paid_as(load).bank) is not None]
        return scope.forgetting(frozenset(load.name for load in (*loads, *banks)))

    def opens(self, cost: dict[Text, Text]) -> bool:
        """Whether there may be more than one way to pay a cost."""
        purses: dict[str, list[str]] = self.expressions.ask(Questions.purses, "player")
        known = {name for names in purses.values() for name in names} | {*self.symbols.kinds["player"].state} & {*cost}
        paid = [self.expressions.ask(Questions.paying, ("player", name)) for name in sorted(known)]
        return any(each.instead for each in paid) or any(" or " in key for key in cost)

    def settled(self, bill: Bill, at: Span | None = None, who: Expr | None = None) -> tuple[ir.Payment, ...]:
        """The steps that pay a bill; where there is more than one way, what can be paid in one way is paid first."""
        steps: list[ir.Payment] = [self.amount_of(part, part.purses[0], at) for part in bill if not part.open]
        several = [part for part in bill if part.open]
        for number_, part in enumerate(several, 1):
            here, mark = at or part.key.span, len(self.rule.locals)
            ask = Asking(
                here, who, partial(self.rule.name, "payment"), partial(self.number_called, mark),
                partial(self.amount, here, "pay"), self.called,
            )  # fmt: skip
            body = settle(part, several[number_:], ask)
            alone = tuple(self.amount_of(part, purse, at) for purse in part.purses)
            amount, count = part.written
            named = tuple(replace(each, amount=amount) for each in alone[:count])
            steps.append(ir.AnyOf(here, body, alone, named))
        return tuple(steps)

    def number_called(self, mark: int, what: str) -> str:
        """A local name for a number that no author has named."""
        name = f"{what}_{mark}"
        self.rule.locals[name] = INT
        return name

    def called(self, purse: Purse) -> tuple[str, ir.Shown]:
        """What is paid with, as a title says it."""
        load, which = purse.load, purse.load.args[-1]
        if len(load.args) > 1 and not isinstance(which, n.Const):
            return f"{{{purse.key}}}", ((f"{{{purse.key}}}", which),)
        member = which.value if len(load.args) > 1 and isinstance(which, n.Const) else -1
        return self.expressions.ask(Questions.paid_with, (load.owner, load.name, member)), ()

    def amount_of(self, part: Part, purse: Purse, at: Span | None) -> ir.Amount:
        """What is paid if a part is paid with one purse alone."""
        return self.amount(at or part.key.span, "pay", purse.load, purse.price(part.amount))

    def amount(self, at: Span, verb: str, load: n.Load, amount: Expr) -> ir.Amount:
        bank = self.paid_as(load).bank
        if bank is None:
            return ir.Amount(at, verb, load, amount)
        return ir.Banked(at, verb, load, amount, bank.at(load.span))  # not where the bank is declared

    def amounts(self, item: written.Pay | written.Gain | written.Lose, scope: Scope) -> Checked:
        who = self.who(item.who, scope, item.span)
        if isinstance(item, written.Pay):
            payer = who if item.who is not None else None
            return self.settled(self.bill(item.pay, scope, who), item.span, payer), scope
        steps = []
        parts: dict[Text, Text] = getattr(item, item.verb)
        for key, text in parts.items():
            target = self.resource(key, who, scope) if who is not None and self.named(key, item.verb) else None
            amount = self.expr(text, scope, INT)
            if target is not None and amount is not None:
                self.not_negative(amount, text)
                self.not_counted(target, key.span, by_bank=True)
                steps.append(self.amount(item.span, item.verb, target, amount))
                scope = self.spent([target], scope)
        return steps, scope

    # -- ways -------------------------------------------------------------------------------------------------------

    def paid_ways(self, way: ir.Way, bill: Bill) -> list[ir.Way]:
        """A way with its cost; one for each of the alternatives where a single one of them is paid."""
        single = [part for part in bill if part.open and part.amount == number(1)]
        others = [part for part in bill if part not in single]
        ways = []
        for purses in product(*(part.purses for part in single)):
            pairs = list(zip(single, purses, strict=True))
            chosen = [replace(part, purses=(replace(purse, others=()),)) for part, purse in pairs]
            tests = [repeated(purse, part) for part, purse in pairs if purse.others]
            cost = self.settled((*(part for part in others if not part.open), *chosen))
            words, shown = self.words(purses)
            ways.append(
                replace(
                    way,
                    id="_".join([way.id, *(slug(purse.key) for purse in purses)]),
                    title=f"{way.title}, paid with {words}" if words else way.title,
                    conditions=(*way.conditions, *tests, *payable([*others, *chosen])),
                    cost=tuple(each for each in cost if isinstance(each, ir.Amount)),
                    do=(*self.settled(tuple(part for part in others if part.open)), *way.do),
                    shown=(*way.shown, *shown),
                )
            )
        return ways

    def words(self, purses: Sequence[Purse]) -> tuple[str, ir.Shown]:
        """Some of what is paid with, as a title says it."""
        called = [self.called(purse) for purse in purses]
        return " and ".join(name for name, _ in called), tuple(each for _, shown in called for each in shown)
