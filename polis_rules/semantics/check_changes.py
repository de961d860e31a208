"""Typecheck what steps change: payments, moves, new values; and who does it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from polis_rules.diagnostics import Span
from polis_rules.schema import steps as written
from polis_rules.semantics import ir
from polis_rules.semantics.check_expressions import ExpressionChecker
from polis_rules.semantics.expressions import INT, Expr, Scope, Type, nodes as n
from polis_rules.semantics.questions import Questions
from polis_rules.semantics.symbols import Variable
from polis_rules.semantics.traversal import PLAYER, YOU
from polis_rules.source import Text


@dataclass
class RuleContext:
    """Where steps are checked: the procedure they belong to, and how many decisions it has so far."""

    path: str
    locals: dict[str, Type] = field(default_factory=dict)
    named: dict[str, Span] = field(default_factory=dict)
    """where each local name was given last"""
    counted: dict[str, int] = field(default_factory=dict)
    memory: dict[str, Span] = field(default_factory=dict)
    """what the rule remembers, and where it begins to"""
    loops: int = 0
    says: list[Text] = field(default_factory=list)
    """how its choices are told"""

    def name(self, word: str) -> str:
        """A path for a decision inside: unique, and the same as long as the rule stays the same."""
        self.counted[word] = self.counted.get(word, 0) + 1
        count = self.counted[word]
        return f"{self.path}.{word}" if count == 1 else f"{self.path}.{word}_{count}"


Checked = tuple[Sequence[ir.Step], Scope]
"""The typed steps that a written one becomes (none where it is wrong), and what is known after it."""


class ChangeChecker:
    """Checks the steps that change state; the other half of a step checker builds on it."""

    def __init__(self, expressions: ExpressionChecker) -> None:
        self.symbols = expressions.symbols
        self.diagnostics = expressions.diagnostics
        self.expressions = expressions
        self.rule = RuleContext("")

    def expr(self, text: Text | None, scope: Scope, want: Type | None = None) -> Expr | None:
        return self.expressions.check(text, scope, want)

    def note(self, symbol: str, text: Text) -> None:
        """A whole text is a symbol."""
        self.expressions.references.note(symbol, text.span)

    def who(self, text: Text | None, scope: Scope, at: Span) -> Expr | None:
        if text is not None:
            return self.expr(text, scope, PLAYER)
        if "you" not in scope.names:
            self.diagnostics.error("nobody-acts", "nobody acts here", at, hint="say `who`")
            return None
        return YOU

    def resource(self, key: Text, who: Expr, scope: Scope) -> n.Load | None:
        """The spendable state that `pay`, `gain`, `lose` or `cost` names."""
        player = self.symbols.kinds["player"]
        direct = player.state.get(key)
        if direct is not None and direct.spendable and not direct.per:
            self.note(f"kinds.player.state.{key}", key)
            return n.Load(direct.type, "player", direct.name, (who,), span=key.span)
        broken = self.expressions.ask(Questions.broken, "player")
        if key in broken or (broken and direct is None):
            return None  # what is meant may be what is broken, which has been reported
        if direct is not None and not direct.spendable:
            self.diagnostics.error("unknown-resource", f"`{key}` is not spendable state", key.span)
            return None
        purses = self.expressions.ask(Questions.purses, "player")
        meant = {*scope.names, *self.symbols.owners, *self.symbols.terms, *self.symbols.state}
        if direct is None and key.isidentifier() and key not in meant:
            known = [name for name, variable in player.state.items() if variable.spendable and not variable.per]
            known += [member for kind in purses for member in self.symbols.kinds[kind].members] + list(scope.names)
            message = f"`{key}` is not spendable state"
            self.diagnostics.unknown("unknown-resource", message, key.span, key, known)
            return None
        want = Type("ref", next(iter(purses))) if len(purses) == 1 else None
        which = self.expr(key, scope, want)
        if which is None:
            return None
        if which.type.kind not in purses or which.type.maybe:
            self.diagnostics.error("unknown-resource", f"`{key}` is not spendable state", key.span)
            return None
        name, *others = purses[which.type.kind]
        if others:
            message = f"`{key}` is kept in more than one spendable state: {', '.join((name, *others))}"
            self.diagnostics.error("unknown-resource", message, key.span, "let only one be spendable; set the others")
            return None
        variable = player.state[name]
        return n.Load(variable.type, "player", variable.name, (who, which), span=key.span)

    def expected(self, what: object, found: Type, text: Text) -> None:
        """Complain about the type of a value."""
        self.diagnostics.error("wrong-type", f"expected {what}, found {found}", text.span)

    def not_negative(self, amount: Expr, text: Text) -> None:
        if isinstance(amount, n.Const) and amount.value < 0:
            self.diagnostics.error("negative-amount", f"an amount is never below 0, this one is {text}", text.span)

    def not_counted(self, target: n.Load, at: Span, by_bank: bool = False) -> None:
        """Complain where pieces that a supply counts would come from nowhere or go nowhere."""
        supply = self.expressions.ask(Questions.counted_by, (target.owner, target.name))
        bank = self.expressions.ask(Questions.paying, (target.owner, target.name)).bank if by_bank else None
        same = bank is not None and supply == self.expressions.ask(Questions.counted_by, (bank.owner, bank.name))
        if supply is not None and not same:
            message = f"`{target.name}` is counted by the supply `{supply}`: only `move` changes it"
            self.diagnostics.error("not-moved", message, at, hint="move: 1, with from and to")

    # -- changes ----------------------------------------------------------------------------------------------------

    def state(self, text: Text, scope: Scope) -> n.Load | None:
        """State that a step changes."""
        state = self.expr(text, scope)
        if state is not None and not isinstance(state, n.Load):
            hint = "move what is there, or set the whole list" if isinstance(state, n.Item) else None
            if isinstance(state, n.Var):
                written = {"int": "0..9", "bool": "flag"}.get(state.type.base, str(state.type))
                hint = f"where it gets its name, declare what it may be: let: {{{text}: {{type: {written}}}}}"
            self.diagnostics.error("not-state", f"`{text}` is not state: it cannot be changed", text.span, hint)
            return None
        return state

    def set(self, item: written.SetStep, scope: Scope) -> Checked:
        steps: list[ir.Step] = []
        for key, text in item.set.items():
            target = self.state(key, scope)
            if target is None:
                self.expr(text, scope)
                continue
            self.not_counted(target, key.span)
            variable = self.symbols.variable(target.owner, target.name)
            value = self.expr(text, scope, variable.type)
            if value is not None:
                self.within(variable, value, text)
                plain = replace(target, type=variable.type)
                steps.append(ir.Set(item.span, plain, value))
                scope = scope.forgetting(frozenset((target.name,)), target.owner)
                if variable.type.maybe and not value.type.maybe:
                    scope = scope.knowing(frozenset((plain,)))
        return steps, scope

    def within(self, variable: Variable, value: Expr, text: Text) -> None:
        """Complain about a value that state cannot have."""
        if variable.type == INT and isinstance(value, n.Const) and not variable.low <= value.value <= variable.high:
            message = f"{value.value} is outside of {variable.low}..{variable.high}"
            self.diagnostics.error("out-of-range", message, text.span)
        if isinstance(value, n.ListOf) and len(value.items) > variable.at_most > 0:
            message = f"these are {len(value.items)}, and the list holds at most {variable.at_most}"
            self.diagnostics.error("out-of-range", message, text.span)
