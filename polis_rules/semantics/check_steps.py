"""Typecheck steps: each verb of the language becomes a typed step."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from math import prod
from typing import Any, NamedTuple

from polis_rules.diagnostics import Span
from polis_rules.schema import Condition, asked_of, steps as written
from polis_rules.semantics import ir
from polis_rules.semantics.check_chance import ChanceChecker
from polis_rules.semantics.check_changes import Checked
from polis_rules.semantics.check_expressions import ExpressionChecker, indexed
from polis_rules.semantics.expressions import BOOL, BROKEN, GROUPS, INT, Expr, Scope, Type, nodes as n
from polis_rules.semantics.expressions.lowered import members_of
from polis_rules.semantics.intervals import MOST_NUMBERS
from polis_rules.semantics.many_choices import how_many, looks_ahead, one_by_one
from polis_rules.semantics.questions import Questions
from polis_rules.semantics.related_choices import SHOWN, begin_different, different, lead, nothing_yet
from polis_rules.semantics.symbols import COVER, Attribute
from polis_rules.semantics.told import told_of_way
from polis_rules.semantics.traversal import PLAYER
from polis_rules.semantics.write_sets import changed_by
from polis_rules.source import Text, spoken

MOST_TIMES = 100_000
"""How often a repeat may be told to go round."""

MOST_LOOPS = 12
"""How many loops may stand inside one another."""


class OptionSource(NamedTuple):
    """What a choice goes over: the type of an option, then a set of members or the ends of some numbers."""

    kind: Type
    source: Expr | None
    low: Expr | None = None
    high: Expr | None = None

    @property
    def over(self) -> tuple[Expr | None, Expr | None, Expr | None]:
        """The source, the low and the high end, as a step has them."""
        return self.source, self.low, self.high


class Chosen(NamedTuple):
    """One name of a decision: its type, what it is chosen from (None where that is wrong), and what is asked of it."""

    name: Text
    kind: Type
    source: OptionSource | None
    conditions: tuple[ir.Condition, ...]


class StepChecker(ChanceChecker):
    """Checks lists of steps."""

    def __init__(self, expressions: ExpressionChecker, endings: list[str]) -> None:
        super().__init__(expressions)
        self.endings = endings
        self.verbs: dict[type, Callable[[Any, Scope], Checked]] = {
            written.Choose: self.choose, written.Either: self.either, written.Repeat: self.repeat,
            written.Each: self.each, written.If: self.if_, written.Pay: self.amounts, written.Gain: self.amounts,
            written.Lose: self.amounts, written.Move: self.move, written.SetStep: self.set, written.Let: self.let,
            written.Roll: self.roll, written.Draw: self.draw, written.Do: self.do, written.Perform: self.perform,
            written.As: self.as_, written.Stop: self.stop, written.End: self.end, written.Sort: self.sort,
            written.Shuffle: self.shuffle, written.Give: self.give, written.Together: self.together,
        }  # fmt: skip

    def check(self, items: list[written.Step], scope: Scope) -> tuple[ir.Step, ...]:
        """The typed steps of a list; a wrong one is reported and left out."""
        return self.following(items, scope)[0]

    def following(self, items: list[written.Step], scope: Scope) -> tuple[tuple[ir.Step, ...], Scope]:
        """The typed steps, and what is known after them."""
        checked: list[ir.Step] = []
        for item in items:
            when: Text | None = getattr(item, "when", None)
            steps, scope = self.done(item, scope) if when is None else self.guarded(item, when, scope)
            if not isinstance(item, written.SetStep):  # which says more exactly what it changes
                scope = scope.forgetting(self.changed([item]))
            checked += steps
        return tuple(lead(self, checked)), scope

    def done(self, item: written.Step, scope: Scope) -> Checked:
        """A step as it is done, and how that is told if it says so itself."""
        steps, after = self.verbs[type(item)](item, scope)
        if not isinstance(item, written.Told | written.Roll) or item.says is None:
            return steps, after
        at, is_roll = item.says.span, isinstance(item, written.Roll)
        tell = ir.Tell(at, str(item.says), self.told(item, item.says, steps, after if is_roll else scope), is_roll)
        end = ir.Tell(at, None, of_roll=is_roll)
        return [*steps, tell, end] if is_roll else [tell, *steps, end], after

    def told(
        self, item: written.Told | written.Roll, says: Text, steps: Iterable[ir.Step], scope: Scope
    ) -> tuple[tuple[str, Expr], ...]:
        """What stands in braces where a step says how it is told."""
        shown: list[tuple[str, Expr]] = []
        for part in ir.IN_BRACES.finditer(says):
            text = says.part(*part.span(1))
            if (
                text == "moved"
                and isinstance(item, written.Move)
                and any(isinstance(each, ir.MoveMembers) for each in steps)
            ):
                continue  # what that is, the report knows
            value = self.expr(text, scope, INT if part[2] else None)
            if value is not None and value.type.base == "list":
                self.expected("a member, a set, a number or a flag", value.type, text)
            elif value is not None:
                shown.append((part[0], value))
        return tuple(shown)

    def guarded(self, item: written.Step, when: Text, scope: Scope) -> Checked:
        """A step that is done only `when` something holds; what it finds out is not known after it."""
        test = self.expr(when, scope, BOOL)
        if isinstance(item, written.Do) and item.result is not None:
            message = "a step that need not be done cannot name its result for the steps after it"
            self.diagnostics.error("unfit-keys", message, item.result.span, hint="put it under an `if`")
        steps, _ = self.done(item, scope.after(test))
        if test is None:
            return [], scope
        after = scope.after(test, False) if isinstance(item, written.Stop | written.End) else scope
        return [ir.If(when.span, test, tuple(steps), ())], after.forgetting(self.changed([item]))

    def changed(self, steps: list[written.Step], but_of: str = "") -> frozenset[str]:
        """The names of the state that steps may change; what they set of a local name itself is left out."""
        return changed_by(steps, partial(self.expressions.ask, Questions.changed_by), but_of)

    # -- decisions --------------------------------------------------------------------------------------------------

    def choose(self, item: written.Choose, scope: Scope) -> Checked:
        if item.many is not None:
            return self.several(item, scope)
        title, shown = self.title(item.title, f"Choose {' and '.join(map(spoken, item.names))}", scope)
        path = self.rule.name(str(item.first))
        earlier = [self.rule.named.get(str(name)) for name in item.names]
        ways = self.ways(item.or_, scope)
        for name, was in zip(item.names, earlier, strict=True):
            again = self.rule.named.get(str(name))
            if again is not None and again != was:
                message = f"`{name}` is what is chosen here: it is none after a way, so no way may use the name"
                self.diagnostics.error("shadowing", message, again, hint="choose another name")
        who = self.expr(item.who, scope, PLAYER)
        chosen, inner = self.joint(item, scope)
        kinds = {each.name: each.kind for each in chosen}
        source, kind = chosen[0].source, chosen[0].kind
        another, noted = different(self, item, kind, inner)
        self.leading[path] = item.leads_to
        loops, self.rule.loops = self.rule.loops, 0  # what is done at once with the choice leaves no loop
        do, after = self.following(item.do, inner)
        self.rule.loops = loops
        leaving, _ = self.conditions(item.leaving, after)
        outer = inner
        if item.or_ or item.if_possible:
            outer = scope
            for name, each in kinds.items():
                outer = self.perhaps(name, each, outer)
            them = [n.Var(replace(each, maybe=True), str(name)) for name, each in kinds.items() if each.base == "ref"]
            joint = {(one.name, other) for one in them for other in them if one is not other}
            outer = replace(outer, joint=outer.joint | joint)
        if len(kinds) == 1:
            self.distinct(item, kind)
        parts = self.parts(chosen)
        if source is None or parts is None:
            return [], outer
        step = ir.Choose(
            item.span, path, title, item.first, who, *source.over, chosen[0].conditions, ways, do, leaving,
            item.if_possible, item.secret, shown=shown, parts=parts, says=self.said(item.says),
        )  # fmt: skip
        return [step.asking(another), *noted], outer

    def said(self, says: Text | None) -> str | None:
        """How a choice is told; what stands in braces is checked when all names of its rule are known."""
        if says is None:
            return None
        self.rule.says.append(says)
        return str(says)

    def several(self, item: written.Choose, scope: Scope) -> Checked:
        """A choice of a set of members, each of which is `it` in the conditions."""
        path = self.rule.name(str(item.first))
        who = self.expr(item.who, scope, PLAYER)
        (text,) = item.names.values()
        source = self.option_source(text, scope)
        if source is not None and source.source is None:
            self.diagnostics.error("wrong-type", "`many` is of members, not of numbers", text.span)
            source = None
        kind = source.kind.kind if source is not None else ""
        outer = self.local(item.first, Type("set", kind) if source is not None else BROKEN, scope)
        title, shown = self.title(item.title, f"Choose {spoken(item.first)}", outer)
        where = dict(item.where)
        for label, asked in item.where.items():
            test = asked_of(asked)
            if (read := re.search(rf"\b{item.first}(?=\.)", test)) is not None:
                message = f"`{item.first}` is the set of those chosen so far"
                hint = "the one that is asked about is `it`"
                self.diagnostics.error("wrong-type", message, test.part(*read.span()).span, hint)
                del where[label]
        conditions, _ = self.conditions(where, outer.having(it=Type("ref", kind) if source is not None else BROKEN))
        ends = how_many(self, item, kind) if source is not None else None
        if source is None or ends is None:
            return [], outer
        one = Text(f"ONE_OF_{item.first}".upper(), item.first.span)
        it: dict[str, Expr] = {"it": n.Var(source.kind, one)}
        tests = tuple(each.rebuilt(lambda tree: n.substitute(tree, it)) for each in conditions)
        choice = ir.Choose(
            item.span, path, title, one, who, *source.over, tests, if_possible=item.if_possible, secret=item.secret,
            shown=shown, says=self.said(item.says),
        )  # fmt: skip
        if looks_ahead(self, choice, str(item.first), ends[0]):
            message = "too many combinations have to be looked through to see that so many can be chosen"
            hint = f"let the conditions not speak of `{item.first}`, or ask for fewer"
            self.diagnostics.error("too-much-work", message, item.span, hint=hint)
            return [], outer
        return one_by_one(self, item, choice, ends), outer

    def joint(self, item: written.Choose, scope: Scope) -> tuple[list[Chosen], Scope]:
        """The names of a decision with what they are chosen from and the conditions that are asked of each.

        A condition is asked as soon as the names that it speaks of are known, and may rely on those asked before.
        """
        chosen: list[Chosen] = []
        names = list(item.names)
        for number, (name, text) in enumerate(item.names.items()):
            source = self.option_source(text, scope)
            if source is not None and source.source is None and len(names) > 1:
                message = "of several names each stands for a member, not for a number"
                self.diagnostics.error("wrong-type", message, text.span, hint="choose the number by itself")
                source = None
            kind = source.kind if source is not None else BROKEN
            scope = self.chosen(name, source, scope)
            where = {label: test for label, test in item.where.items() if _last(names, test) == number}
            hinted = scope.having(**dict.fromkeys(map(str, names[number + 1 :]), BROKEN))  # none of these is meant yet
            conditions, hinted = self.conditions(where, hinted)
            scope = replace(hinted, names=scope.names)
            chosen.append(Chosen(name, kind, source, conditions))
        return chosen, scope

    def chosen(self, name: Text, source: OptionSource | None, scope: Scope) -> Scope:
        """This scope with a name of what is chosen."""
        scope = self.local(name, source.kind if source is not None else BROKEN, scope)
        return scope.counting(name, source.low, source.high) if source is not None and source.low is not None else scope

    def parts(self, chosen: list[Chosen]) -> tuple[ir.Part, ...] | None:
        """The names of a decision after the first; None where one is wrong, or there are too many combinations."""
        made = []
        for each in chosen[1:]:
            if each.source is None or each.source.source is None:
                return None
            count = self.expressions.ask(Questions.count, each.kind.kind)
            made.append(ir.Part(each.name, each.source.source, each.conditions, count))
        if chosen[0].source is not None and chosen[0].kind.base == "ref":
            most = self.expressions.ask(Questions.count, chosen[0].kind.kind) * prod(part.count for part in made)
            if most > ir.MOST_TOGETHER:
                message = f"at most {ir.MOST_TOGETHER} combinations can be chosen from, here there are {most}"
                self.diagnostics.error("too-many-numbers", message, chosen[0].name.span, hint="make two choices of it")
                return None
        return tuple(made)

    def distinct(self, item: written.Choose, kind: Type) -> None:
        """Complain where a named way is called as one of the members that may be chosen."""
        members = self.symbols.kinds[kind.kind].index if kind.base == "ref" else {}
        for name in item.or_:
            if name in members:
                message = f"`{name}` is also a member of `{kind.kind}` that may be chosen here"
                self.diagnostics.error("shadowing", message, name.span, hint="choose another name")

    def option_source(self, text: Text, scope: Scope) -> OptionSource | None:
        """What a choice goes over: members (a set) or numbers from low to high."""
        low_text, dots, _ = text.partition("..")
        if not dots:
            read = self.expressions.check_group if text in self.symbols.kinds else self.expr
            source = read(text, scope)
            if source is None:
                return None
            if source.type.base not in GROUPS:
                self.expected("a kind, a set, a list or numbers like 0..3", source.type, text)
                return None
            source = members_of(source) if source.type.base == "list" else source
            return OptionSource(Type("ref", source.type.kind), source)
        low = self.expr(text.part(0, len(low_text)), scope, INT)
        high = self.expr(text.part(len(low_text) + 2, len(text)), scope, INT)
        if isinstance(low, n.Const) and isinstance(high, n.Const) and not 0 <= high.value - low.value < MOST_NUMBERS:
            message = f"a choice goes over 1 to {MOST_NUMBERS} numbers, the smaller first"
            self.diagnostics.error("too-many-numbers", message, text.span)
            return None
        return OptionSource(INT, None, low, high) if low is not None and high is not None else None

    def ways(self, ways: dict[Text, written.Way], scope: Scope) -> tuple[ir.Way, ...]:
        checked: list[ir.Way] = []
        for name, way in ways.items():
            if way.when is not None:  # with settings it is gone by now
                message = "the `when` of a way asks settings, and there are none"
                self.diagnostics.error("not-settled", message, way.when.span, "write `where`")
            bill = self.bill(way.cost, scope)
            conditions, inner = self.conditions(way.where, scope)
            inside = self.check(way.do, self.paid(bill, inner))
            title, shown = self.title(way.title, spoken(name).capitalize(), scope)
            says = told_of_way(self.diagnostics, way.says)
            plain = ir.Way(str(name), title, conditions, (), inside, name.span, shown, says)
            checked += self.paid_ways(plain, bill)
        for each in checked:
            if sum(each.id == other.id for other in checked) > 1:
                message = f"two ways are called `{each.id}`, what is paid with being part of the name"
                self.diagnostics.error("shadowing", message, each.span, hint="choose another name")
        return tuple(checked)

    def unasked(self) -> str:
        """What is asked where the rule does not say it: how an action is done."""
        actions, (section, _, name) = self.symbols.kinds["action"], self.rule.path.partition(".")
        known = section == "actions" and name in actions.index
        return f"{actions.titles[actions.index[name]]}: how?" if known else "What do you do?"

    def either(self, item: written.Either, scope: Scope) -> Checked:
        path = self.rule.name("either")
        who = self.expr(item.who, scope, PLAYER)
        title, shown = self.title(item.title, self.unasked(), scope)
        if not item.either:
            self.diagnostics.error("unfit-value", "a choice needs ways to choose from", item.span)
        ways = self.ways(item.either, scope)
        return [ir.Choose(item.span, path, title, "", who, ways=ways, secret=item.secret, shown=shown)], scope

    # -- loops and branches -----------------------------------------------------------------------------------------

    def repeat(self, item: written.Repeat, scope: Scope) -> Checked:
        body, inner = item.repeat, scope.forgetting(self.changed(item.repeat.do))
        test = self.expr(body.while_, inner, BOOL)
        earlier = begin_different(self, body) if body.different is not None else ""
        with self.loop(item.span):
            inside = self.check(body.do, inner if body.while_ is None else inner.after(test))
        begun = nothing_yet(self, body.different, earlier) if body.different is not None else []
        if body.while_ is not None:
            return [*begun, ir.While(item.span, test, inside)] if test else [], scope
        if body.times is not None:
            times = self.expr(body.times, inner, INT)
            if isinstance(times, n.Const) and not 0 <= times.value <= MOST_TIMES:
                message = f"a repeat may have 0 to {MOST_TIMES} rounds, not {body.times}"
                self.diagnostics.error("endless-loop", message, body.times.span)
            return [*begun, ir.Times(item.span, times, inside)] if times else [], scope
        at_least = self.expr(body.at_least, inner, INT) if body.at_least is not None else n.Const(INT, 0)
        if not isinstance(at_least, n.Const):
            if at_least is not None:
                self.diagnostics.error("wrong-type", "at_least is a plain number", (body.at_least or body.do[0]).span)
            return [], scope
        first = inside[0] if inside else None
        if body.finish is not None and isinstance(first, ir.Choose):
            self.free_finish(first, body.finish)
        return [*begun, ir.Choices(item.span, at_least.value, str(body.finish or ""), inside)], scope

    def free_finish(self, first: ir.Choose, finish: Text) -> None:
        """Complain where something that may be chosen is called `finish`, as finishing itself is."""
        source = first.source if not first.parts else None
        members = self.symbols.kinds[source.type.kind].members if source is not None else ()
        if "finish" in members or any(way.id == "finish" for way in first.ways):
            message = "finishing is called `finish` in transcripts, and so is something that may be chosen here"
            self.diagnostics.error("shadowing", message, finish.span, hint="give that another id")

    @contextmanager
    def loop(self, span: Span) -> Iterator[None]:
        """What is checked within it stands in one more loop."""
        self.rule.loops += 1
        if self.rule.loops == MOST_LOOPS + 1:
            message = f"at most {MOST_LOOPS} loops stand inside one another"
            self.diagnostics.error("nested-loops", message, span, hint="make a procedure of the inner ones")
        yield
        self.rule.loops -= 1

    def each(self, item: written.Each, scope: Scope) -> Checked:
        loop = self.members(item, item.each, item.starting, scope)
        return [loop] if loop is not None else [], scope

    def together(self, item: written.Together, scope: Scope) -> Checked:
        if item.together != "you":
            message = "players who act together are called `you`"
            self.diagnostics.error("wrong-type", message, item.together.span, hint="write `together: you`")
            return [], scope
        loops, known = self.rule.loops, set(self.rule.memory)
        self.rule.loops = -1  # nobody can stop what the others do
        loop = self.members(item, item.together, None, scope)
        self.rule.loops = loops
        if loop is None:
            return [], scope
        word = self.rule.name("together").removeprefix(f"{self.rule.path}.together_")
        path = f"{self.rule.path}.{word}.{COVER}" if word.isdigit() else f"{self.rule.path}.{COVER}"
        flag, yes, no = n.Load(BOOL, "", path, (), span=item.span), n.TRUE.at(item.span), n.FALSE.at(item.span)
        forgotten = [self.forget(each, at) for each, at in self.rule.memory.items() if each not in known]
        step = ir.Together(item.span, loop.var, loop.domain, loop.test, None, (*loop.body, *forgotten), path)
        return [ir.Cover(item.span, flag, yes), step, ir.Cover(item.span, flag, no)], scope

    def members(
        self, item: written.Each | written.Together, name: Text, start: Text | None, scope: Scope
    ) -> ir.Each | None:
        """A loop over members."""
        domain = self.expressions.check_group(item.in_, scope)
        kind = Type("ref", domain.type.kind) if domain is not None else BROKEN
        starting = self.expr(start, scope, kind)
        if name == "you":
            if kind not in (PLAYER, BROKEN):
                self.diagnostics.error(
                    "wrong-type",
                    f"`you` is a player, not {kind}",
                    item.in_.span if isinstance(item, written.Together) else name.span,
                )
            inner = scope.anew("you", PLAYER)
        else:
            inner = self.local(name, kind, scope)
        conditions, inner = self.conditions(item.where, inner)
        # Members are asked before the first round; in a later one that still holds if only others have changed.
        own = "" if domain is not None and domain.type.base == "list" else name  # which may come twice
        inner = inner.forgetting(self.changed(item.do, own))
        inner = inner.forgetting(self.changed(item.do), but_of=own)
        with self.loop(item.span):
            body = self.check(item.do, inner)
        if domain is None:
            return None
        test = n.conjunction([condition.test for condition in conditions])
        return ir.Each(item.span, name, domain, test, starting, body)

    def if_(self, item: written.If, scope: Scope) -> Checked:
        test = self.expr(item.if_, scope, BOOL)
        then = self.check(item.then, scope.after(test))
        other = self.check(item.else_, scope.after(test, False))
        if test is None:
            return [], scope.after(test)
        if then and isinstance(then[-1], (ir.Stop, ir.End)):
            scope = scope.after(test, False)
        return [ir.If(item.span, test, then, other)], scope

    def as_(self, item: written.As, scope: Scope) -> Checked:
        player = self.expr(item.as_, scope, PLAYER)
        body = self.check(item.do, scope.anew("you", PLAYER))
        return [ir.As(item.span, player, body)] if player is not None else [], scope

    def stop(self, item: written.Stop, scope: Scope) -> Checked:
        if not self.rule.loops:
            self.diagnostics.error("nothing-to-stop", "`stop` is only allowed inside `repeat` or `each`", item.span)
            return [], scope
        return [ir.Stop(item.span)], scope

    # -- calls ------------------------------------------------------------------------------------------------------

    def do(self, item: written.Do, scope: Scope) -> Checked:
        step = self.expressions.read(item.do, lambda tree: self.call(tree, item.span, scope))
        if item.result is not None:
            return self.answered(item.result, step, scope)
        return [step] if step is not None else [], scope

    def call(self, tree: ast.expr, span: Span, scope: Scope) -> ir.Step:
        """`take(target, you)`, `last_phase`, `card.now`, `card.own[you]` or `card.after(place)` as a typed step."""
        expressions = self.expressions
        target, indexes = indexed(tree.func if isinstance(tree, ast.Call) else tree)
        if isinstance(target, ast.Name) and not indexes:
            if target.id not in self.symbols.signatures:
                raise expressions.unknown("phase or procedure", target.id, list(self.symbols.signatures), target)
            path, params = self.symbols.signatures[target.id]
            expressions.note(path, target)
            return ir.Do(span, path, expressions.arguments(target.id, params, tree, scope))
        if not isinstance(target, ast.Attribute):
            raise expressions.fail("expression-word", "name a phase, a procedure or the effects of a member", target)
        effects, owner = expressions.property_of(target, scope)
        if not isinstance(effects, Attribute) or effects.spec.kind != "effects":
            message = f"`{target.attr}` is not an attribute of type effects"
            raise expressions.fail("wrong-type", message, expressions.last_word(target))
        more = expressions.indexes(effects, indexes, target, scope)
        args = expressions.arguments(effects.name, effects.params, tree, scope)
        return ir.DoEffects(span, effects.owner, effects.name, (owner, *more), args)

    def perform(self, item: written.Perform, scope: Scope) -> Checked:
        action = self.expr(item.perform, scope, Type("ref", "action"))
        return [ir.Perform(item.span, action)] if action is not None else [], scope

    def end(self, item: written.End, scope: Scope) -> Checked:
        if item.end not in self.endings:
            message = f"there is no ending `{item.end}`"
            self.diagnostics.unknown("unknown-name", message, item.end.span, item.end, self.endings)
            return [], scope
        self.note(f"endings.{item.end}", item.end)
        winner = None
        if item.winner is not None:
            winner = self.expressions.check_several(item.winner, scope, "player")
            winner = members_of(winner) if winner is not None and winner.type.base == "list" else winner
        return [ir.End(item.span, str(item.end), winner)], scope


def _last(names: list[Text], condition: Condition | Text) -> int:
    """The number of the last name that a condition speaks of; that of the first, if it speaks of none."""
    says = condition.says or "" if isinstance(condition, Condition) else ""
    text = f"{asked_of(condition)} {' '.join(SHOWN.findall(says))}"
    return max((number for number, name in enumerate(names) if re.search(rf"\b{name}\b", text)), default=0)
