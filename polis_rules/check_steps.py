"""Typecheck steps: each verb of the language becomes a typed step."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from polis_rules.diagnostics import Diagnostics, nearest
from polis_rules.expressions.check import ExpressionChecker
from polis_rules.expressions.nodes import Call, Compare, Const, Expr, Load, Var
from polis_rules.expressions.scope import Scope, when_false, when_true
from polis_rules.expressions.types import BOOL, INT, Type
from polis_rules.interpreter import ir
from polis_rules.resolve import spoken
from polis_rules.schema import steps as written
from polis_rules.source import Span, Text
from polis_rules.symbols import Symbols, Variable

PLAYER = Type("ref", "player")
YOU = Var(PLAYER, "you")
SHOWN = re.compile(r"\{([^{}]+)\}")
"""Part of a title that stands for a value."""

DICE = re.compile(r"([1-9]\d?)d([1-9]\d{0,2})")


@dataclass
class Place:
    """Where steps are checked: the procedure they belong to, and how many decisions it has so far."""

    path: str
    locals: dict[str, Type] = field(default_factory=dict)
    counted: dict[str, int] = field(default_factory=dict)
    loops: int = 0

    def name(self, word: str) -> str:
        """A path for a decision inside: unique, and the same as long as the rule stays the same."""
        self.counted[word] = self.counted.get(word, 0) + 1
        count = self.counted[word]
        return f"{self.path}.{word}" if count == 1 else f"{self.path}.{word}_{count}"


class StepChecker:
    """Checks lists of steps. `signatures` are the parameters of all procedures and phases by name."""

    def __init__(
        self,
        symbols: Symbols,
        diagnostics: Diagnostics,
        expressions: ExpressionChecker,
        signatures: dict[str, tuple[str, dict[str, Type]]],
        endings: set[str],
    ) -> None:
        self.symbols = symbols
        self.diagnostics = diagnostics
        self.expressions = expressions
        self.signatures = signatures
        self.endings = endings
        self.verbs: dict[type, Callable[..., tuple[ir.Step | None, Scope]]] = {
            written.Choose: self.choose, written.Either: self.either, written.Repeat: self.repeat,
            written.Each: self.each, written.If: self.if_, written.Pay: self.amounts, written.Gain: self.amounts,
            written.Lose: self.amounts, written.Move: self.move, written.SetStep: self.set, written.Let: self.let,
            written.Roll: self.roll, written.Draw: self.draw, written.Do: self.do, written.Perform: self.perform,
            written.As: self.as_, written.Stop: self.stop, written.End: self.end,
        }  # fmt: skip
        self.several: list[ir.Step] = []

    def check(self, items: list[written.Step], scope: Scope, place: Place) -> tuple[ir.Step, ...]:
        """The typed steps of a list; a wrong one is reported and left out."""
        return self.following(items, scope, place)[0]

    def following(self, items: list[written.Step], scope: Scope, place: Place) -> tuple[tuple[ir.Step, ...], Scope]:
        """The typed steps, and what is known after them."""
        found: list[ir.Step] = []
        for item in items:
            self.several = []
            step, scope = self.verbs[type(item)](item, scope, place)
            found.extend(self.several)
            self.several = []
            if step is not None:
                found.append(step)
        return tuple(found), scope

    # -- small parts ------------------------------------------------------------------------------------------------

    def expr(self, text: Text, scope: Scope, want: Type | None = None) -> Expr | None:
        return self.expressions.check(text, scope, want)

    def conditions(self, where: dict[Text, Text], scope: Scope) -> tuple[tuple[ir.Condition, ...], Scope]:
        """Labelled conditions; each may rely on those before it."""
        found = []
        for label, text in where.items():
            test = self.expr(text, scope, BOOL)
            if test is not None:
                found.append(ir.Condition(str(label), test, str(text), text.span))
                scope = scope.knowing(when_true(test))
        return tuple(found), scope

    def local(self, name: Text, kind: Type, scope: Scope, place: Place) -> Scope:
        """Give a local name a type; it may not already mean something."""
        if name in self.symbols.known():
            self.diagnostics.error(
                "shadowing", f"`{name}` already means something", name.span, hint="choose another name"
            )
        earlier = place.locals.get(str(name))
        if earlier is not None and earlier.sure() != kind.sure():
            self.diagnostics.error("shadowing", f"`{name}` is {earlier} elsewhere in this rule, here {kind}", name.span)
        place.locals[str(name)] = kind
        forgotten = frozenset(fact for fact in scope.facts if not _mentions(fact, str(name)))
        return Scope({**scope.names, str(name): kind}, forgotten, scope.base)

    def who(self, text: Text | None, scope: Scope, at: Span) -> Expr | None:
        if text is not None:
            return self.expr(text, scope, PLAYER)
        if "you" not in scope.names:
            self.diagnostics.error("unknown-name", "nobody acts here", at, hint="say `who`")
            return None
        return YOU

    def resource(self, key: Text, who: Expr, scope: Scope) -> Load | None:
        """The spendable state that `pay`, `gain`, `lose` or `cost` names."""
        player = self.symbols.kinds["player"]
        direct = player.state.get(key)
        if direct is not None and direct.spendable and not direct.per:
            return Load(direct.type, "player", direct.name, (who,))
        purses = {
            variable.per[0][1]: variable
            for variable in player.state.values()
            if variable.spendable and len(variable.per) == 1
        }
        if direct is None and key.isidentifier() and key not in scope.names and key not in self.symbols.owners:
            known = [name for name, variable in player.state.items() if variable.spendable and not variable.per]
            known += [member for kind in purses for member in self.symbols.kinds[kind].members] + list(scope.names)
            close = nearest(key, known)
            hint = f"did you mean `{close}`?" if close else None
            self.diagnostics.error(
                "unknown-resource", f"nothing that can be paid is called `{key}`", key.span, hint=hint
            )
            return None
        want = Type("ref", next(iter(purses))) if len(purses) == 1 else None
        which = self.expr(key, scope, want)
        if which is None:
            return None
        if which.type.kind not in purses or which.type.maybe:
            self.diagnostics.error("unknown-resource", f"`{key}` is not spendable", key.span)
            return None
        variable = purses[which.type.kind]
        return Load(variable.type, "player", variable.name, (who, which))

    def costs(self, cost: dict[Text, Text], scope: Scope) -> tuple[ir.Amount, ...]:
        found = []
        for key, text in cost.items():
            who = self.who(None, scope, key.span)
            target = self.resource(key, who, scope) if who is not None else None
            amount = self.expr(text, scope, INT)
            if target is not None and amount is not None:
                found.append(ir.Amount(key.span, "pay", target, amount))
        return tuple(found)

    def affordable(self, cost: tuple[ir.Amount, ...], texts: dict[Text, Text]) -> tuple[ir.Condition, ...]:
        """The requirements that a cost brings with it."""
        spans = {key.span: (key, text) for key, text in texts.items()}
        found = []
        for part in cost:
            key, text = spans[part.span]
            test = Compare(BOOL, ">=", part.target, part.amount, f"your {key}", str(text))
            found.append(ir.Condition("cost", test, f"{key} >= {text}", key.span))
        return tuple(found)

    # -- decisions --------------------------------------------------------------------------------------------------

    def choose(self, item: written.Choose, scope: Scope, place: Place) -> tuple[ir.Step | None, Scope]:
        title, shown = self.title(item.title, f"Choose {spoken(item.choose)}", scope)
        path = place.name(str(item.choose))
        ways = self.ways(item.or_, scope, place)
        made = self.option_source(item.from_, scope)
        who = self.expr(item.who, scope, PLAYER) if item.who is not None else None
        if made is None:
            return None, scope
        source, low, high, kind = made
        inner = self.local(item.choose, kind, scope, place)
        conditions, inner = self.conditions(item.where, inner)
        do, after = self.following(item.do, inner, place)
        leaving, _ = self.conditions(item.leaving, after)
        if not item.or_ and not item.if_possible:
            outer = inner
        elif kind.base == "ref":
            outer = self.local(item.choose, Type("ref", kind.kind, True), scope, place)
        else:
            outer = scope
        step = ir.Choose(
            item.span,
            path,
            title,
            str(item.choose),
            who,
            source,
            low,
            high,
            conditions,
            ways,
            do,
            leaving,
            item.if_possible,
            item.secret,
            (),
            shown,
        )
        return step, outer

    def option_source(self, text: Text, scope: Scope) -> tuple[Expr | None, Expr | None, Expr | None, Type] | None:
        """What a choice goes over: members (a set) or numbers from low to high."""
        low_text, dots, high_text = text.partition("..")
        if dots:
            start = text.span
            cut = len(low_text) + 2
            low_span = Span(start.file, start.line, start.column, start.line, start.column + len(low_text))
            high_span = Span(start.file, start.line, start.column + cut, start.line, start.end_column)
            low = self.expr(Text(low_text, low_span), scope, INT)
            high = self.expr(Text(high_text, high_span), scope, INT)
            return (None, low, high, INT) if low is not None and high is not None else None
        source = self.expr(text, scope)
        if source is None:
            return None
        if source.type.base != "set":
            message = f"expected a kind, a set or numbers like 0..3, found {source.type}"
            self.diagnostics.error("wrong-type", message, text.span)
            return None
        return source, None, None, Type("ref", source.type.kind)

    def title(self, text: Text | None, default: str, scope: Scope) -> tuple[str, ir.Shown]:
        """A title, and the expressions that stand in braces in it."""
        if text is None:
            return default, ()
        found = []
        for part in SHOWN.finditer(text):
            start = text.span
            column = start.column + part.start(1)
            place = Span(start.file, start.line, column, start.line, column + len(part[1]))
            value = self.expr(Text(part[1], place), scope)
            if value is not None:
                found.append((part[0], value))
        return str(text), tuple(found)

    def ways(self, ways: dict[Text, written.Way], scope: Scope, place: Place) -> tuple[ir.Way, ...]:
        found = []
        for name, way in ways.items():
            cost = self.costs(way.cost, scope)
            conditions, inner = self.conditions(way.where, scope)
            inside = self.check(way.do, inner, place)
            title, shown = self.title(way.title, spoken(name).capitalize(), scope)
            found.append(
                ir.Way(str(name), title, conditions + self.affordable(cost, way.cost), cost, inside, name.span, shown)
            )
        return tuple(found)

    def either(self, item: written.Either, scope: Scope, place: Place) -> tuple[ir.Step | None, Scope]:
        path = place.name("either")
        who = self.expr(item.who, scope, PLAYER) if item.who is not None else None
        title, shown = self.title(item.title, "Choose", scope)
        ways = self.ways(item.either, scope, place)
        step = ir.Choose(
            item.span, path, title, "", who, None, None, None, (), ways, (), (), False, item.secret, (), shown
        )
        return step, scope

    # -- loops and branches -----------------------------------------------------------------------------------------

    def repeat(self, item: written.Repeat, scope: Scope, place: Place) -> tuple[ir.Step | None, Scope]:
        body = item.repeat
        place.loops += 1
        try:
            if body.while_ is not None:
                test = self.expr(body.while_, scope, BOOL)
                inside = self.check(body.do, scope.knowing(when_true(test)) if test else scope, place)
                return (ir.While(item.span, test, inside) if test else None), scope
            inside = self.check(body.do, scope, place)
            if body.times is not None:
                times = self.expr(body.times, scope, INT)
                return (ir.Times(item.span, times, inside) if times else None), scope
        finally:
            place.loops -= 1
        at_least = self.expr(body.at_least, scope, INT) if body.at_least is not None else Const(INT, 0)
        if not isinstance(at_least, Const):
            self.diagnostics.error("wrong-type", "at_least is a plain number", (body.at_least or body.do[0]).span)
            return None, scope
        return ir.Choices(item.span, at_least.value, str(body.finish or ""), inside), scope

    def each(self, item: written.Each, scope: Scope, place: Place) -> tuple[ir.Step | None, Scope]:
        domain = self.expr(item.in_, scope)
        if domain is None:
            return None, scope
        if domain.type.base != "set":
            self.diagnostics.error("wrong-type", f"expected a kind or a set, found {domain.type}", item.in_.span)
            return None, scope
        kind = Type("ref", domain.type.kind)
        if item.each == "you":
            if kind != PLAYER:
                self.diagnostics.error("wrong-type", f"`you` is a player, not {kind}", item.each.span)
            inner = scope.having(you=PLAYER)
        else:
            inner = self.local(item.each, kind, scope, place)
        conditions, inner = self.conditions(item.where, inner)
        starting = self.expr(item.starting, scope, kind) if item.starting is not None else None
        place.loops += 1
        body = self.check(item.do, inner, place)
        place.loops -= 1
        return ir.Each(item.span, str(item.each), domain, both(conditions), starting, body), scope

    def if_(self, item: written.If, scope: Scope, place: Place) -> tuple[ir.Step | None, Scope]:
        test = self.expr(item.if_, scope, BOOL)
        if test is None:
            return None, scope
        then = self.check(item.then, scope.knowing(when_true(test)), place)
        other = self.check(item.else_, scope.knowing(when_false(test)), place)
        if then and isinstance(then[-1], (ir.Stop, ir.End)):
            scope = scope.knowing(when_false(test))
        return ir.If(item.span, test, then, other), scope

    def as_(self, item: written.As, scope: Scope, place: Place) -> tuple[ir.Step | None, Scope]:
        player = self.expr(item.as_, scope, PLAYER)
        body = self.check(item.do, scope.having(you=PLAYER), place)
        return (ir.As(item.span, player, body) if player is not None else None), scope

    def stop(self, item: written.Stop, scope: Scope, place: Place) -> tuple[ir.Step | None, Scope]:
        if not place.loops:
            self.diagnostics.error(
                "nothing-to-stop", "`stop` leaves a repeat or an each, and stands in none", item.span
            )
        return ir.Stop(item.span), scope

    # -- changes ----------------------------------------------------------------------------------------------------

    def amounts(
        self, item: written.Pay | written.Gain | written.Lose, scope: Scope, place: Place
    ) -> tuple[ir.Step | None, Scope]:
        parts = getattr(item, item.verb)
        who = self.who(item.who, scope, item.span)
        for key, text in parts.items():
            target = self.resource(key, who, scope) if who is not None else None
            amount = self.expr(text, scope, INT)
            if target is not None and amount is not None:
                self.several.append(ir.Amount(item.span, item.verb, target, amount))
        return None, scope

    def state(self, text: Text, scope: Scope) -> Load | None:
        """State that a step changes."""
        found = self.expr(text, scope)
        if found is not None and not isinstance(found, Load):
            self.diagnostics.error("not-state", f"`{text}` is not state: it cannot be changed", text.span)
            return None
        return found

    def move(self, item: written.Move, scope: Scope, place: Place) -> tuple[ir.Step | None, Scope]:
        amount = self.expr(item.move, scope, INT)
        source, target = self.state(item.from_, scope), self.state(item.to, scope)
        for found, text in ((source, item.from_), (target, item.to)):
            if found is not None and found.type != INT:
                self.diagnostics.error("wrong-type", f"expected a number of pieces, found {found.type}", text.span)
                return None, scope
        if amount is None or source is None or target is None:
            return None, scope
        return ir.Move(item.span, amount, source, target), scope

    def set(self, item: written.SetStep, scope: Scope, place: Place) -> tuple[ir.Step | None, Scope]:
        for key, text in item.set.items():
            target = self.state(key, scope)
            if target is None:
                self.expr(text, scope)
                continue
            variable = self.variable(target)
            value = self.expr(text, scope, variable.type)
            if value is not None:
                plain = Load(variable.type, target.owner, target.name, target.args)
                self.several.append(ir.Set(item.span, plain, value))
                scope = Scope(scope.names, frozenset(f for f in scope.facts if not _reads(f, target)), scope.base)
                if variable.type.maybe and not value.type.maybe:
                    scope = scope.knowing(frozenset((plain,)))
        return None, scope

    def variable(self, target: Load) -> Variable:
        return self.symbols.variable(target.owner, target.name)

    def let(self, item: written.Let, scope: Scope, place: Place) -> tuple[ir.Step | None, Scope]:
        for name, text in item.let.items():
            value = self.expr(text, scope)
            if value is not None:
                scope = self.local(name, value.type, scope, place)
                self.several.append(ir.Let(item.span, str(name), value))
        return None, scope

    # -- chance -----------------------------------------------------------------------------------------------------

    def roll(self, item: written.Roll, scope: Scope, place: Place) -> tuple[ir.Step | None, Scope]:
        path = place.name(str(item.roll))
        dice = DICE.fullmatch(item.dice)
        if dice is None:
            self.diagnostics.error("wrong-dice", f"dice are written like 2d6, not `{item.dice}`", item.dice.span)
            return None, scope
        scope = self.local(item.roll, INT, scope, place)
        return ir.Roll(
            item.span, path, str(item.roll), int(dice[1]), int(dice[2]), str(item.stream or place.path)
        ), scope

    def draw(self, item: written.Draw, scope: Scope, place: Place) -> tuple[ir.Step | None, Scope]:
        path = place.name(str(item.draw))
        source = self.expr(item.from_, scope)
        if source is None:
            return None, scope
        if source.type.base != "set":
            self.diagnostics.error("wrong-type", f"expected a kind or a set, found {source.type}", item.from_.span)
            return None, scope
        inner = self.local(item.draw, Type("ref", source.type.kind), scope, place)
        conditions, inner = self.conditions(item.where, inner)
        weight = self.expr(item.weight, inner, INT) if item.weight is not None else None
        stream = str(item.stream or place.path)
        perhaps = Type("ref", source.type.kind, True)
        scope = self.local(item.draw, perhaps, scope, place) if item.if_possible else inner
        return ir.Draw(item.span, path, str(item.draw), source, conditions, weight, stream, item.if_possible), scope

    # -- calls ------------------------------------------------------------------------------------------------------

    def do(self, item: written.Do, scope: Scope, place: Place) -> tuple[ir.Step | None, Scope]:
        return call_step(self, item.do, item.span, scope), scope

    def perform(self, item: written.Perform, scope: Scope, place: Place) -> tuple[ir.Step | None, Scope]:
        action = self.expr(item.perform, scope, Type("ref", "action"))
        return (ir.Perform(item.span, action) if action is not None else None), scope

    def end(self, item: written.End, scope: Scope, place: Place) -> tuple[ir.Step | None, Scope]:
        if item.end not in self.endings:
            close = nearest(item.end, self.endings)
            hint = f"did you mean `{close}`?" if close else "declare it under `endings`"
            self.diagnostics.error("unknown-name", f"there is no ending `{item.end}`", item.end.span, hint=hint)
            return None, scope
        winner = None
        if item.winner is not None:
            winner = self.expr(item.winner, scope, Type("ref", "player", True))
        return ir.End(item.span, str(item.end), winner), scope


def both(conditions: tuple[ir.Condition, ...]) -> Expr | None:
    """One test for several conditions; None where there are none."""
    from polis_rules.expressions.nodes import Bool

    tests = tuple(condition.test for condition in conditions)
    if not tests:
        return None
    return tests[0] if len(tests) == 1 else Bool(BOOL, "and", tests)


def _mentions(fact: Expr, name: str) -> bool:
    return any(isinstance(part, Var) and part.name == name for part in fact.walk())


def _reads(fact: Expr, target: Load) -> bool:
    """Whether a fact may change when this state does."""
    return any(
        isinstance(part, Call) or (isinstance(part, Load) and (part.owner, part.name) == (target.owner, target.name))
        for part in fact.walk()
    )


from polis_rules.check_calls import call_step  # noqa: E402  (calls are a page of their own)
