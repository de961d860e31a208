"""Steps in words: what happens becomes a list of sentences, some of them with further ones below."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Any

from polis_rules.diagnostics import amount
from polis_rules.documentation.rulebook.apart import is_long
from polis_rules.documentation.rulebook.asking import conditions, exactly, titled
from polis_rules.documentation.rulebook.english import Noun, a, has_plural_look, listed, upper_first
from polis_rules.documentation.rulebook.formulas import limited
from polis_rules.documentation.rulebook.items import Item
from polis_rules.documentation.rulebook.phrases import YOU, Phrases, called
from polis_rules.semantics import ANSWER, expressions as n, ir
from polis_rules.semantics.expressions import Expr
from polis_rules.source import spoken


def tell(steps: Sequence[ir.Step], say: Phrases) -> tuple[Item, ...]:
    """One item for each step; steps that are written together stay together.

    Names that a step introduces are known to the steps after it.
    """
    items: list[Item] = []
    told = {id(part) for step in steps if isinstance(step, ir.Choose) for part in step.cost}
    steps = [step for step in steps if id(step) not in told and not _is_left_out(step, say)]
    for (_, sort), group in groupby(steps, key=lambda step: (step.span, type(step))):
        if issubclass(sort, ir.Amount):
            items.append(_amounts(list(group), say))  # type: ignore[arg-type]
            continue
        for step in group:
            if isinstance(step, ir.If):
                items += _if(step, say)
                continue
            if isinstance(step, ir.Do) and step.procedure in say.told_here:
                items += _inside(step, say)
                continue
            items.append(TELLERS[sort](step, say))
            if isinstance(step, ir.Draw):
                say = say.coming(step.var, "drawn")
            elif isinstance(step, ir.Choose):
                for name in step.split(0):
                    say = say.coming(name, "chosen")
    return tuple(items)


def _is_left_out(step: ir.Step, say: Phrases) -> bool:
    """Whether a step is bookkeeping that nobody reads."""
    if isinstance(step, ir.Forget | ir.Note | ir.Cover | ir.Tell):
        return True
    if say.folding is None:
        return False
    if isinstance(step, ir.Restore):
        return True
    if isinstance(step, ir.DoEffects):
        attribute = say.book.rules.symbols.kinds[step.owner].attributes[step.name]
        return not any(say.book.rules.procedures[key].body for key in attribute.procedures.values())
    if isinstance(step, ir.Do):
        silent, path = say.folding.silent, step.procedure
        if path not in silent:
            silent[path] = path not in say.said and not tell(say.book.rules.procedures[path].body, say)
        return silent[path]
    if isinstance(step, ir.Choices):
        first = step.body[0]
        return isinstance(first, ir.Choose) and not first.ways and any(_never(say, each.test) for each in first.tests)
    return isinstance(step, ir.While) and _never(say, step.test)


def _never(say: Phrases, test: Expr) -> bool:
    """Whether a condition cannot hold."""
    found = say.settled(test)
    return isinstance(found, n.Const) and not found.value


# -- changes --------------------------------------------------------------------------------------------------------


def _amounts(steps: list[ir.Amount], say: Phrases) -> Item:
    who, verb = say.noun(steps[0].target.args[0]), steps[0].verb
    return Item(f"{verb if who.is_you else f'{who.text} {verb}s'} {amounts(say, steps)}")


def amounts(say: Phrases, payments: Iterable[ir.Payment]) -> str:
    """What is paid or gained: `2 coins and 1 token or stone`."""
    words = []
    for payment in payments:
        parts = payment.named if isinstance(payment, ir.AnyOf) else (payment,)
        fixed = all(len(part.target.args) < 2 or isinstance(part.target.args[1], n.Const) for part in parts)
        what = " or ".join(say.paid_with(part.target) for part in parts)
        words.append((_amount if fixed else _amount_of)(say, parts[0].amount, what))
    return listed(words)


def _any_of(step: ir.AnyOf, say: Phrases) -> Item:
    who = say.noun(step.parts[0].target.args[0])
    more = ", or partly in each way" if len(step.named) > 1 and step.named[0].amount != n.number(1) else ""
    return Item(f"{'pay' if who.is_you else f'{who.text} pays'} {amounts(say, [step])}{more}")


def _amount(say: Phrases, expr: Expr, what: str) -> str:
    expr = say.settled(expr)
    if isinstance(expr, n.Const):
        return amount(expr.value, what) if expr.value else f"no {what}"
    if isinstance(expr, n.IfElse):
        then, other = (_amount(say, part, what) for part in (expr.then, expr.other))
        return f"{then} if {say.clause(expr.test)}, otherwise {other}"
    text = say.text(expr)
    if text.isdecimal():
        return amount(int(text), what) if text != "0" else f"no {what}"
    plain = isinstance(expr, n.Var) and text.startswith(("the ", "that "))
    return f"{text} in {what}" if plain else f"{what} equal to {text}"


def _amount_of(say: Phrases, expr: Expr, what: str) -> str:
    """An amount of something that is only known in play."""
    if isinstance(expr, n.Const | n.Var):
        return f"{say.text(expr)} of {what}"
    return f"as much of {what} as {say.text(expr)}"


def _move(step: ir.Move, say: Phrases) -> Item:
    number = "all" if isinstance(step.amount, n.Load) else say.text(step.amount)
    return Item(f"move {number} from {say.text(step.source)} to {say.text(step.target)}")


def _move_members(step: ir.MoveMembers, say: Phrases) -> Item:
    source, amount = say.text(step.source), step.amount
    target = f"{'under ' if step.under else ''}{say.text(step.target)}"
    if amount.type.base == "ref":
        return Item(f"move {say.text(amount)} from {source} to {target}")
    if isinstance(amount, n.Size) and amount.group == step.source:
        return Item(f"move all of {source} to {target}")
    return Item(f"move {say.text(amount)} from the top of {source} to {target}")


def _sort(step: ir.Sort, say: Phrases) -> Item:
    kind, by, order = say.book.kind(step.target.type.kind), step.by, "lowest"
    if isinstance(by, n.Arith) and by.op == "-" and by.left == n.Const(n.INT, 0):
        by, order = by.right, "highest"
    key = say.naming(it=Noun(f"each {kind}")).text(by)
    return Item(f"put {say.text(step.target)} in order of {key}, the {order} first; equal ones stay as they were")


def _shuffle(step: ir.Shuffle, say: Phrases) -> Item:
    return Item(f"shuffle {say.text(step.target)}")


def _restore(step: ir.Restore, say: Phrases) -> Item:
    variable = say.book.rules.symbols.variable(step.owner, step.name)
    kinds = dict.fromkeys(map(say.book.kind, variable.kinds))
    return Item(f"'{spoken(step.name)}' begins anew" + (f" for each {' and '.join(kinds)}" if kinds else ""))


def _remember(step: ir.Remember, say: Phrases) -> Item:
    value: ir.Step = step
    while not isinstance(value, ir.Set):
        value = next(value.children())[0]
    variable = say.book.rules.symbols.variable("", step.name)
    each = f" for each {' and '.join(map(say.book.kind, variable.kinds))}" if variable.per else ""
    told = f"let {called(step.var, '')} be {say.text(value.value)}{each}, which may change"
    return Item(told + _seen(variable.seen_expr, say))


def _give(step: ir.Give, say: Phrases) -> Item:
    return Item(f"the answer is {limited(say, step.value)}")


def _set(step: ir.Set, say: Phrases) -> Item:
    target, value, noun = step.target, step.value, say.noun(step.target)
    is_flag = target.type.base == "bool"
    if is_flag and isinstance(value, n.Const):
        return Item(f"from now on, {say.clause(target, not value.value)}")
    if isinstance(value, n.Arith) and value.left == target and value.op in "+-":
        return Item(f"{'raise' if value.op == '+' else 'lower'} {noun.text} by {say.text(value.right)}")
    if isinstance(value, n.SetOp) and value.left == target and isinstance(value.right, n.SetOf) and value.op in "|-":
        verb, word = ("add", "to") if value.op == "|" else ("take", "from")
        return Item(f"{verb} {say.text(value.right)} {word} {noun.text}")
    if _is_empty(value):
        return Item(f"{noun.text} {'are' if noun.plural else 'is'} emptied")
    if (bounded := _bounded(step, say)) is not None:
        return bounded
    if value.type.base == "none" or (isinstance(value, n.Const) and value.value < 0 and value.type.base == "ref"):
        return Item(_taken_away(noun, target.type.kind))
    if is_flag:
        return Item(f"from now on, {say.clause(target)} exactly if {exactly(value, say)}")
    if noun.ends_open and target.type.base == "ref":
        return Item(f"from now on, {noun.ended(say.text(value))}")
    return Item(f"{noun.text} {'become' if noun.plural else 'becomes'} {limited(say, value)}")


def _taken_away(noun: Noun, kind: str) -> str:
    """That there is none from now on."""
    if noun.ends_open:
        return f"from now on, {noun.ended('nobody' if kind == 'player' else 'nothing')}"
    if noun.text.startswith("whoever "):
        return f"for now nobody {noun.text.removeprefix('whoever ')}"
    if noun.owner is not None:
        return f"{noun.owner.text} now {'have' if noun.owner.is_you else 'has'} no {noun.head}"
    return f"there is now no {noun.text.removeprefix('the ')}"


def _is_empty(value: Expr) -> bool:
    """Whether a set or a list has no members."""
    empty = isinstance(value, n.SetOf | n.ListOf) and not value.items
    return empty or (isinstance(value, n.Const) and value.type.base in ("set", "list") and not value.value)


def _bounded(step: ir.Set, say: Phrases) -> Item | None:
    """`raise it by 2, to 9 at most and 0 at least`: a change that stops at the ends of a range."""
    words, value = [], step.value
    while isinstance(value, n.MinMax) and len(value.items) == 2:
        ends = [item for item in value.items if isinstance(item, n.Const)]
        if len(ends) != 1:
            return None
        words.append(f"{ends[0].value} at {'most' if value.op == 'min' else 'least'}")
        value = next(item for item in value.items if item is not ends[0])
    if not (words and isinstance(value, n.Arith) and value.op in "+-" and value.left == step.target):
        return None
    verb = "raise" if value.op == "+" else "lower"
    return Item(f"{verb} {say.text(step.target)} by {say.text(value.right)}, to {listed(words)}")


def _let(step: ir.Let, say: Phrases) -> Item:
    if isinstance(step.value, n.Load) and step.value.name.endswith(f".{ANSWER}"):
        return Item(f"let {called(step.var, '')} be the answer")
    if step.value.type.base == "bool":
        return Item(f"note whether {say.clause(step.value)} ({spoken(step.var)})")
    kind = say.book.kind(step.value.type.kind) if step.value.type.base == "ref" and step.value.type.kind else ""
    name, value = called(step.var, kind), limited(say, step.value)
    if say.folding is not None:
        return Item(f"{Noun(name, not kind and has_plural_look(name)).be()} {value}")
    return Item(f"let {name} be {value}")


# -- decisions ------------------------------------------------------------------------------------------------------


def _chooses(step: ir.Choose, say: Phrases) -> str:
    who = say.noun(step.who) if step.who is not None else YOU
    return ("choose" if who.is_you else f"{who.text} chooses") + " in secret" * step.secret


def opening(step: ir.Choose, say: Phrases) -> str:
    """The first words of a decision: `choose a space as the target ('Which space?')`, `choose one of these`."""
    verb = _chooses(step, say)
    plain = f"Choose {' and '.join(map(spoken, step.split(0)))}".rstrip()
    title = "" if step.title == plain else f" ('{titled(step.title, step.shown, say)}')"
    if say.folding is not None and step.source is not None:
        title = ""
    if not step.var:
        return f"{verb} one of these{title}"
    if step.source is None:
        low, high = (say.text(each) if each is not None else "" for each in (step.low, step.high))
        numbers = f"{verb} {called(step.var, 'number')}, a number from {low} to {high}"
        return numbers if say.folding is not None and is_long(numbers + title) else numbers + title
    if_any = f", if there {'are such' if step.parts else 'is one'}" if step.if_possible else ""
    chosen = [_chosen(name, source, say) for name, source in step.chosen if source is not None]
    return f"{verb} {'together ' if step.parts else ''}{listed(chosen)}{if_any}{title}"


def _chosen(var: str, source: Expr, say: Phrases) -> str:
    """What is chosen under a name: `a space from your spaces as the target`."""
    kind = say.book.kind(source.type.kind)
    among = say.among(source, "among" if isinstance(source, n.Const) else "from")
    name = called(var, kind)
    return f"{a(kind)}{among}" + ("" if name == f"that {kind}" else f" as {name}")


def _choose(step: ir.Choose, say: Phrases) -> Item:
    """A whole decision."""
    ways = tuple(_way(way, say) for way in step.ways if not any(_never(say, each.test) for each in way.conditions))
    if not step.var:
        return Item(opening(step, say), ways)
    inner = say.about(step.var) if not step.parts else say
    below = conditions(step.tests, inner)
    if step.cost:
        below += (Item(f"it costs {amounts(inner, step.cost)}, paid at once"),)
    if step.do:
        below += (Item("at once", tell(step.do, say)),)
    if step.leaving:
        below += (Item("after that this must hold", conditions(step.leaving, say)),)
    if ways:
        below += (Item("or instead", ways),)
    return Item(opening(step, say), below)


def _several(step: ir.Several, say: Phrases) -> Item:
    """A choice of a set of members."""
    choice = step.choice
    assert choice.source is not None
    of, kind = choice.source.type.kind, say.book.kind(choice.source.type.kind)
    many = f"{step.least}" if step.least == step.most else f"{step.least} to {step.most}"
    if step.most >= say.book.rules.symbols.count(of) and step.least < 2:
        many = "at least one" if step.least else "any number"
    every = isinstance(choice.source, n.Everyone)
    among = f"of all {say.book.kinds(of)}" if every else f"of {say.text(choice.source)}"
    if_any = ", if there are so many" if choice.if_possible else ""
    title = "" if choice.title == f"Choose {spoken(step.var)}" else f" ('{titled(choice.title, choice.shown, say)}')"
    inner = say.naming(**{choice.var: Noun(f"that {kind}")}).about(choice.var)
    return Item(
        f"{_chooses(choice, say)} {many} {among} as {called(step.var, kind)}{if_any}{title}",
        conditions(choice.conditions, inner),
    )


def _way(way: ir.Way, say: Phrases) -> Item:
    paid = (Item(f"pay {amounts(say, way.cost)}"),) if way.cost else ()
    return Item(
        f"'{upper_first(titled(way.title, way.shown, say))}'",
        (*conditions(way.conditions, say), *paid, *tell(way.do, say)),
    )


# -- chance ---------------------------------------------------------------------------------------------------------


def _roll(step: ir.Roll, say: Phrases) -> Item:
    if isinstance(step.dice, int) and isinstance(step.sides, int):
        dice = f"roll {step.dice}d{step.sides}"
    else:
        many = f"{step.dice} dice" if isinstance(step.dice, int) else f"as many dice as {say.text(step.dice)}"
        sides = f"{step.sides} sides" if isinstance(step.sides, int) else f"as many sides as {say.text(step.sides)}"
        dice = f"roll {many}, each with {sides}"
    die = say.naming(die=Noun("the die"))
    name, seen = called(step.var, "result"), _seen(step.seen_by, say)
    if step.test is not None:
        return Item(f"{dice}. {upper_first(name)} is the number of dice for which {die.clause(step.test)}{seen}")
    return Item(f"{dice}: the result is {name}{seen}")


def _seen(seen_by: Expr | None, say: Phrases) -> str:
    """Who sees what comes out, if not all do."""
    if seen_by is None:
        return ""
    text = say.clause(seen_by)
    return ", which nobody sees" if text == "never" else f", seen by a viewer only if {text}"


def _draw(step: ir.Draw, say: Phrases) -> Item:
    kind, inner = say.book.kind(step.source.type.kind), say.about(step.var)
    such = inner.such(condition.test for condition in step.conditions)
    name = "" if spoken(step.var) == kind else f", {called(step.var, kind)},"
    weight = f", each as likely as {inner.text(step.weight)}" if step.weight is not None else ""
    if_any = ", if there is one" if step.if_possible else ""
    return Item(
        f"draw at random {a(kind)}{say.among(step.source)}{name}{such}{weight}{if_any}".rstrip(",")
        + _seen(step.seen_by, say)
    )


# -- loops and branches ---------------------------------------------------------------------------------------------


def _if(step: ir.If, say: Phrases) -> Iterator[Item]:
    if say.folding is not None and isinstance(test := say.settled(step.test), n.Const):
        yield from tell(step.then if test.value else step.other, say)
        return
    if below := tell(step.then, say):
        yield Item(f"if {say.clause(step.test)}", below)
    elif step.other and (below := tell(step.other, say)):
        yield Item(f"if {say.clause(step.test, True)}", below)
        return
    other = step.other
    while len(other) == 1 and isinstance(other[0], ir.If):
        yield Item(f"otherwise, if {say.clause(other[0].test)}", tell(other[0].then, say))
        other = other[0].other
    if other and (below := tell(other, say)):
        yield Item("otherwise", below)


def _while(step: ir.While, say: Phrases) -> Item:
    test = say.clause(step.test)
    return Item("do this again and again" if test == "always" else f"as long as {test}, repeat", tell(step.body, say))


def _times(step: ir.Times, say: Phrases) -> Item:
    times = say.settled(step.times)
    if isinstance(times, n.Const):
        number = times.value
        return Item(f"do this {({1: 'once', 2: 'twice'}).get(number, f'{number} times')}", tell(step.body, say))
    many = say.text(step.times)
    often = f"{many} times" if many.isdecimal() else f"as many times as {many}"
    return Item(f"do this {often}", tell(step.body, say))


def _choices(step: ir.Choices, say: Phrases) -> Item:
    often = {0: "as often as you like", 1: "once or more often"}.get(step.at_least, f"{step.at_least} times or more")
    until = often if say.folding is not None else f"{often} (until '{step.finish}')"
    always = "again and again, as long as there is something to choose"
    return Item(f"do this {until if step.finish else always}", tell(step.body, say))


def _each(step: ir.Each, say: Phrases) -> Item:
    kind, among = say.book.kind(step.domain.type.kind), say.among(step.domain, "of")
    start = f", beginning with {say.text(step.starting)}" if step.starting is not None else ""
    if step.var == "you":
        such = say.such([step.test], "you", person=kind == "player")
        for old, new in (("who have ", "who has "), ("who are ", "who is "), ("who do ", "who does ")):
            such = such.replace(old, new)
        such = re.sub(r"\byour\b", f"that {kind}'s", re.sub(r"\byou\b", f"that {kind}", such))
        if isinstance(step, ir.Together):
            how = "at the same time, and sees what the others do only after all have finished"
            return Item(f"each {kind}{among}{such} does this as 'you', {how}", tell(step.body, say))
        if say.folding is not None:
            return Item(f"each {kind}{among}{such} in turn{start}", tell(step.body, say))
        return Item(f"each {kind}{among}{such} in turn is 'you'{start}", tell(step.body, say))
    name = called(step.var, kind)
    calling = "" if name == f"that {kind}" else f" ({name})"
    such = say.about(step.var).such([step.test], person=kind == "player")
    return Item(f"for each {kind}{among}{calling}{such}{start}", tell(step.body, say.naming(**{step.var: Noun(name)})))


# -- calls ----------------------------------------------------------------------------------------------------------


def _inside(step: ir.Do, say: Phrases) -> tuple[Item, ...]:
    """What a rule says where it is carried out: under its name if there is much of it."""
    if step.procedure in say.said:
        return (Item(say.said[step.procedure]),)
    rule = say.book.rules.procedures[step.procedure]
    args = (replace(say.noun(arg), owner=None, head="", where="") for arg in step.args)
    told = tell(rule.body, say.entering(dict(zip(rule.params, args, strict=True))))
    return told if len(told) < 3 else (Item(say.book.rule(step.procedure), told),)


def _do(step: ir.Do, say: Phrases) -> Item:
    params = say.book.rules.procedures[step.procedure].params
    name = f"*{say.book.rule(step.procedure)}*"
    if say.folding is not None:
        given = [(_given(param, arg, say), say.text(arg)) for param, arg in zip(params, step.args, strict=True)]
        parts = [f"{text} as {name}" for name, text in given if name != text]
        return Item(f"{name}, with {listed(parts)}" if parts else name)
    parts = [f"{spoken(name)}: {say.text(arg)}" for name, arg in zip(params, step.args, strict=True)]
    args = f" ({'; '.join(parts)})" if parts else ""
    return Item(f"{name}{args}")


def _given(param: str, arg: Expr, say: Phrases) -> str:
    """What a rule calls that which it is given."""
    kind = say.book.kind(arg.type.kind) if arg.type.base == "ref" and arg.type.kind else ""
    name = called(param, kind)
    return f"the {name.removeprefix('that ')}" if name.startswith("that ") else name


def _effects(step: ir.DoEffects, say: Phrases) -> Item:
    owner, *rest = step.index
    using = f" ({', '.join(map(say.text, step.args))})" if step.args else ""
    return Item(f"do what {say.text(owner)} says under '{spoken(step.name)}'{say.texts(rest, 'for')}{using}")


def _perform(step: ir.Perform, say: Phrases) -> Item:
    return Item(f"perform {say.text(step.action)}: pay its cost, choose, and do what it says")


def _as(step: ir.As, say: Phrases) -> Item:
    if say.folding is not None:
        return Item(f"for {say.text(step.player)}, who is 'you' here", tell(step.body, say))
    return Item(f"{say.noun(step.player).be()} 'you' for this", tell(step.body, say))


def _stop(step: ir.Stop, say: Phrases) -> Item:
    return Item("stop repeating this")


def _end(step: ir.End, say: Phrases) -> Item:
    winner = say.text(step.winner) if step.winner is not None else ""
    several = step.winner is not None and step.winner.type.base == "set"
    wins = f"{upper_first(winner)} {'win together' if several else 'win' if winner == 'you' else 'wins'}"
    who = {"": "The score decides", "nothing": "Nobody wins", "nobody": "Nobody wins"}
    return Item(f"the game ends: {say.book.rules.endings[step.ending]}. {who.get(winner, wins)}")


TELLERS: dict[type[ir.Step], Callable[[Any, Phrases], Item]] = {
    ir.Move: _move, ir.Set: _set, ir.Let: _let, ir.Choose: _choose, ir.Roll: _roll, ir.Draw: _draw, ir.While: _while,
    ir.Times: _times, ir.Choices: _choices, ir.Each: _each, ir.Do: _do, ir.DoEffects: _effects,
    ir.Perform: _perform, ir.As: _as, ir.Stop: _stop, ir.End: _end, ir.MoveMembers: _move_members, ir.Sort: _sort,
    ir.AnyOf: _any_of, ir.Shuffle: _shuffle, ir.Restore: _restore, ir.Remember: _remember, ir.Give: _give,
    ir.Together: _each, ir.Several: _several,
}  # fmt: skip
