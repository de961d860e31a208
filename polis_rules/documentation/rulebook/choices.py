"""Decisions in words: what is chosen, from what, under which conditions, and the other ways to go on."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from polis_rules.documentation.rulebook.english import a, listed, upper_first
from polis_rules.documentation.rulebook.items import Item
from polis_rules.documentation.rulebook.phrases import Phrases, called
from polis_rules.semantics import ir
from polis_rules.semantics.expressions import Const, Everyone, Expr, IfElse, Load, Var
from polis_rules.source import spoken

UNNAMED = ("where", "leaving", "requires", "cost")
"""Labels of conditions that say no more than the key under which the condition stands."""

Tell = Callable[[tuple[ir.Step, ...], Phrases], tuple[Item, ...]]
"""Tells the steps that follow from a choice."""


def amounts(say: Phrases, parts: Iterable[ir.Amount]) -> str:
    """What is paid or gained: `2 coins and 1 token`."""
    found = []
    for part in parts:
        fixed = len(part.target.args) < 2 or isinstance(part.target.args[1], Const)
        say_part = _amount if fixed else _amount_of
        found.append(say_part(say, part.amount, _resource(say, part.target)))
    return listed(found)


def _amount(say: Phrases, expr: Expr, what: str) -> str:
    if isinstance(expr, Const):
        return f"{expr.value or 'no'} {what}"
    if isinstance(expr, IfElse):
        then, other = (_amount(say, part, what) for part in (expr.then, expr.other))
        return f"{then} if {say.clause(expr.test)}, otherwise {other}"
    text = say.text(expr)
    plain = isinstance(expr, Var) and text.startswith(("the ", "that "))
    return f"{text} in {what}" if plain else f"{what} equal to {text}"


def _amount_of(say: Phrases, expr: Expr, what: str) -> str:
    """An amount of something that is only known in play."""
    if isinstance(expr, Const):
        return f"{expr.value} of {what}"
    if isinstance(expr, Var):
        return f"{say.text(expr)} of {what}"
    return f"as much of {what} as {say.text(expr)}"


def _resource(say: Phrases, target: Load) -> str:
    if len(target.args) < 2:
        variable = say.book.rules.symbols.variable(target.owner, target.name)
        return variable.title or spoken(target.name)
    return say.text(target.args[1])


def condition(part: ir.Condition, say: Phrases) -> str:
    """A requirement: its label, which players hear when it does not hold, and exactly what is asked in brackets."""
    exact = say.clause(part.test)
    return exact if part.label in UNNAMED else f"{spoken(part.label)} ({exact})"


def conditions(parts: Iterable[ir.Condition], say: Phrases) -> tuple[Item, ...]:
    """The requirements of a choice. What a cost asks for is told with the cost."""
    return tuple(Item(condition(part, say)) for part in parts if part.label != "cost")


def filled(title: str) -> str:
    """A title in which the names between braces are words.

    >>> filled("Which card answers {first_card}?")
    'Which card answers the first card?'
    """

    def word(found: re.Match[str]) -> str:
        name = found[2].replace(".", " ")
        return f"{found[1] or ''}{spoken(name) if found[1] or ' ' in name else called(name, '')}"

    return re.sub(r"((?:many|much|more|fewer) )?\{([^{}]*)\}", word, title)


def opening(step: ir.Choose, say: Phrases) -> str:
    """The first words of a decision about members or numbers: `choose a space as the target ('Which space?')`."""
    who = say.noun(step.who) if step.who is not None else None
    verb = "choose" if who is None or who.is_you else f"{who.text} chooses"
    secret = " in secret" if step.secret else ""
    title = "" if step.title == f"Choose {spoken(step.var)}" else f" ('{filled(step.title)}')"
    if_any = ", if there is one" if step.if_possible else ""
    if step.source is None:
        low, high = (say.text(each) if each is not None else "" for each in (step.low, step.high))
        number = called(step.var, "number")
        return f"{verb}{secret} {number}, a number from {low} to {high}{title}"
    kind = say.book.kind(step.source.type.kind)
    if isinstance(step.source, Everyone):
        among = ""
    elif isinstance(step.source, Const):
        among = f" among {say.text(step.source)}"
    else:
        among = f" from {say.text(step.source)}"
    name = called(step.var, kind)
    calling = "" if name == f"that {kind}" else f" as {name}"
    return f"{verb}{secret} {a(kind)}{among}{calling}{if_any}{title}"


def chosen(tell: Tell, step: ir.Choose, say: Phrases) -> Item:
    """A whole decision."""
    ways = tuple(_way(tell, way, say) for way in step.ways)
    if not step.var:
        who = say.noun(step.who) if step.who is not None else None
        verb = "choose" if who is None or who.is_you else f"{who.text} chooses"
        secret = " in secret" if step.secret else ""
        title = "" if step.title == "Choose" else f" ('{filled(step.title)}')"
        return Item(f"{verb}{secret} one of these{title}", ways)
    inner = say.about(step.var)
    below = conditions(step.conditions, inner)
    if step.cost:
        below += (Item(f"it costs {amounts(inner, step.cost)}, paid at once"),)
    if step.do:
        below += (Item("at once", tell(step.do, say)),)
    if step.leaving:
        below += (Item("after that this must hold", conditions(step.leaving, say)),)
    if ways:
        below += (Item("or instead", ways),)
    return Item(opening(step, say), below)


def _way(tell: Tell, way: ir.Way, say: Phrases) -> Item:
    below = conditions(way.conditions, say)
    if way.cost:
        below += (Item(f"pay {amounts(say, way.cost)}"),)
    below += tell(way.do, say)
    return Item(f"'{upper_first(filled(way.title))}'", below)
