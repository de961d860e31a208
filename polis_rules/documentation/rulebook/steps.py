"""Steps in words: what happens becomes a list of sentences, some of them with further ones below."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import groupby

from polis_rules.documentation.rulebook.book import Book
from polis_rules.documentation.rulebook.choices import amounts, chosen
from polis_rules.documentation.rulebook.clauses import Clauses
from polis_rules.documentation.rulebook.english import Noun, a, be, contracted, listed, relative, upper_first
from polis_rules.documentation.rulebook.items import Item
from polis_rules.documentation.rulebook.phrases import Phrases, called, parts_of
from polis_rules.semantics import ir
from polis_rules.semantics.expressions import Arith, Const, Everyone, Expr, Load, SetOf, SetOp
from polis_rules.source import spoken


@dataclass(frozen=True)
class Teller:
    """Tells lists of steps. Names that a step introduces are known to the steps after it."""

    book: Book

    def tell(self, steps: Sequence[ir.Step], say: Phrases | None = None) -> tuple[Item, ...]:
        """One item for each step; steps that are written together stay together."""
        say = say or Clauses(self.book)
        found: list[Item] = []
        told = {id(part) for step in steps if isinstance(step, ir.Choose) for part in step.cost}
        steps = [step for step in steps if id(step) not in told]
        for _, group in groupby(steps, key=lambda step: (step.span, type(step))):
            together = list(group)
            items, say = self._told(together, say)
            found += items
        return tuple(found)

    def _told(self, steps: list[ir.Step], say: Phrases) -> tuple[list[Item], Phrases]:
        first = steps[0]
        if isinstance(first, ir.Amount):
            return [self._amounts([step for step in steps if isinstance(step, ir.Amount)], say)], say
        items = []
        for step in steps:
            told, say = self._one(step, say)
            items += told
        return items, say

    def _one(self, step: ir.Step, say: Phrases) -> tuple[list[Item], Phrases]:
        match step:
            case ir.Choose():
                return [chosen(self.tell, step, say)], say.coming(step.var, "chosen") if step.var else say
            case ir.If():
                return self._if(step, say), say
            case ir.Draw():
                return [self._draw(step, say)], say.coming(step.var, "drawn")
        tellers: dict[type[ir.Step], Callable[..., Item]] = {
            ir.Move: self._move, ir.Set: self._set, ir.Let: self._let, ir.Roll: self._roll, ir.While: self._while,
            ir.Times: self._times, ir.Choices: self._choices, ir.Each: self._each, ir.Do: self._do,
            ir.DoEffects: self._effects, ir.Perform: self._perform, ir.As: self._as, ir.Stop: self._stop,
            ir.End: self._end,
        }  # fmt: skip
        return [tellers[type(step)](step, say)], say

    # -- changes ----------------------------------------------------------------------------------------------------

    def _amounts(self, steps: list[ir.Amount], say: Phrases) -> Item:
        who = say.noun(steps[0].target.args[0])
        verb = steps[0].verb
        verb = verb if who.is_you else f"{verb}s"
        subject = "" if who.is_you else f"{who.text} "
        return Item(f"{subject}{verb} {amounts(say, steps)}")

    def _move(self, step: ir.Move, say: Phrases) -> Item:
        return Item(f"move {self._number(step.amount, say)} from {say.text(step.source)} to {say.text(step.target)}")

    def _number(self, expr: Expr, say: Phrases) -> str:
        return "all" if isinstance(expr, Load) else say.text(expr)

    def _set(self, step: ir.Set, say: Phrases) -> Item:
        target, value = step.target, step.value
        variable = self.book.rules.symbols.variable(target.owner, target.name)
        noun = say.noun(target)
        if variable.type.base == "bool" and isinstance(value, Const):
            return Item(f"from now on, {say.clause(target, not value.value)}")
        if isinstance(value, Arith) and value.left == target and value.op in "+-":
            verb = {"+": "raise", "-": "lower"}[value.op]
            return Item(f"{verb} {noun.text} by {say.text(value.right)}")
        if isinstance(value, SetOp) and value.left == target and isinstance(value.right, SetOf):
            verb, word = {"|": ("add", "to"), "-": ("take", "from")}.get(value.op, ("", ""))
            if verb:
                return Item(f"{verb} {say.text(value.right)} {word} {noun.text}")
        if value.type.base == "none" or (isinstance(value, Const) and value.value < 0 and value.type.base == "ref"):
            if noun.text.startswith("whoever "):
                return Item(f"for now nobody {noun.text.removeprefix('whoever ')}")
            if noun.owner is not None:
                return Item(f"{noun.owner.text} now {'have' if noun.owner.is_you else 'has'} no {noun.head}")
            return Item(f"there is now no {noun.text.removeprefix('the ')}")
        if variable.type.base == "bool":
            return Item(f"from now on, {say.clause(target)} exactly if {say.clause(value)}")
        return Item(f"{noun.text} {'become' if noun.plural else 'becomes'} {say.text(value)}")

    def _let(self, step: ir.Let, say: Phrases) -> Item:
        name = called(step.var, "")
        if step.value.type.base == "bool":
            return Item(f"note whether {say.clause(step.value)} ({spoken(step.var)})")
        return Item(f"let {name} be {say.text(step.value)}")

    # -- chance -----------------------------------------------------------------------------------------------------

    def _roll(self, step: ir.Roll, say: Phrases) -> Item:
        return Item(f"roll {step.dice}d{step.sides}: the result is {called(step.var, 'result')}")

    def _draw(self, step: ir.Draw, say: Phrases) -> Item:
        kind = self.book.kind(step.source.type.kind)
        tests = [part for condition in step.conditions for part in parts_of(condition.test)]
        inner = say.about(step.var)
        such = f" {relative([inner.clause(test) for test in tests])}" if tests else ""
        among = "" if isinstance(step.source, Everyone) else f" among {say.text(step.source)}"
        name = "" if spoken(step.var) == kind else f", {called(step.var, kind)},"
        weight = f", each as likely as {inner.text(step.weight)}" if step.weight is not None else ""
        if_any = ", if there is one" if step.if_possible else ""
        return Item(f"draw at random {a(kind)}{among}{name}{such}{weight}{if_any}".rstrip(","))

    # -- loops and branches -----------------------------------------------------------------------------------------

    def _if(self, step: ir.If, say: Phrases) -> list[Item]:
        found = [Item(f"if {say.clause(step.test)}", self.tell(step.then, say))]
        other = step.other
        while len(other) == 1 and isinstance(other[0], ir.If):
            found.append(Item(f"otherwise, if {say.clause(other[0].test)}", self.tell(other[0].then, say)))
            other = other[0].other
        return [*found, Item("otherwise", self.tell(other, say))] if other else found

    def _while(self, step: ir.While, say: Phrases) -> Item:
        return Item(f"as long as {say.clause(step.test)}, repeat", self.tell(step.body, say))

    def _times(self, step: ir.Times, say: Phrases) -> Item:
        if isinstance(step.times, Const):
            return Item(f"do this {contracted(f'{step.times.value} times')}", self.tell(step.body, say))
        return Item(f"do this as many times as {say.text(step.times)}", self.tell(step.body, say))

    def _choices(self, step: ir.Choices, say: Phrases) -> Item:
        body = self.tell(step.body, say)
        if not step.finish:
            return Item("do this again and again, as long as there is something to choose", body)
        often = {0: "as often as you like", 1: "once or more often"}.get(
            step.at_least, f"{step.at_least} times or more"
        )
        return Item(f"do this {often} (until '{step.finish}')", body)

    def _each(self, step: ir.Each, say: Phrases) -> Item:
        kind = self.book.kind(step.domain.type.kind)
        name = "you" if step.var == "you" else called(step.var, kind)
        tests = list(parts_of(step.test)) if step.test is not None else []
        start = f", beginning with {say.text(step.starting)}" if step.starting is not None else ""
        inner, pronoun = (say, "you") if step.var == "you" else (say.about(step.var), "it")
        such = relative([inner.clause(test) for test in tests], (pronoun,), person=kind == "player") if tests else ""
        among = "" if isinstance(step.domain, Everyone) else f" of {say.text(step.domain)}"
        if step.var == "you":
            for old, new in (("who have ", "who has "), ("who are ", "who is "), ("who do ", "who does ")):
                such = such.replace(old, new)
            such = re.sub(r"\byour\b", f"that {kind}'s", re.sub(r"\byou\b", f"that {kind}", such))
            return Item(f"each {kind}{among} {such}".rstrip() + f" in turn is 'you'{start}", self.tell(step.body, say))
        calling = "" if name == f"that {kind}" else f" ({name})"
        body = say.naming(**{step.var: Noun(name)})
        return Item(f"for each {kind}{among}{calling} {such}".rstrip() + start, self.tell(step.body, body))

    # -- calls ------------------------------------------------------------------------------------------------------

    def _do(self, step: ir.Do, say: Phrases) -> Item:
        return Item(f"*{self.book.rule(step.procedure)}*{self._arguments(step.procedure, step.args, say)}")

    def _arguments(self, procedure: str, args: tuple[Expr, ...], say: Phrases) -> str:
        params = self.book.rules.procedures[procedure].params if procedure in self.book.rules.procedures else {}
        parts = [f"{spoken(name)}: {say.text(arg)}" for name, arg in zip(params, args, strict=True)]
        return f" ({'; '.join(parts)})" if parts else ""

    def _effects(self, step: ir.DoEffects, say: Phrases) -> Item:
        owner = say.text(step.index[0])
        rest = [say.text(each) for each in step.index[1:]]
        of_whom = f" for {listed(rest)}" if rest else ""
        using = f" ({', '.join(say.text(each) for each in step.args)})" if step.args else ""
        return Item(f"do what {owner} says under '{spoken(step.name)}'{of_whom}{using}")

    def _perform(self, step: ir.Perform, say: Phrases) -> Item:
        return Item(f"perform {say.text(step.action)}: pay its cost, choose, and do what it says")

    def _as(self, step: ir.As, say: Phrases) -> Item:
        player = say.noun(step.player)
        return Item(f"{player.text} {be(player)} 'you' for this", self.tell(step.body, say))

    def _stop(self, step: ir.Stop, say: Phrases) -> Item:
        return Item("stop repeating this")

    def _end(self, step: ir.End, say: Phrases) -> Item:
        title = self.book.rules.endings[step.ending]
        if step.winner is None:
            return Item(f"the game ends: {title}. The score decides")
        winner = say.text(step.winner)
        nobody = winner in ("nothing", "nobody")
        return Item(f"the game ends: {title}. {'Nobody wins' if nobody else upper_first(winner) + ' wins'}")
