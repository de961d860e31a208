"""Conditions in words: an expression becomes a clause such as `it is not red`."""

from __future__ import annotations

from polis_rules.documentation.rulebook.english import (
    MODALS,
    PREPOSITIONS,
    Noun,
    a,
    has_plural_look,
    is_adjective,
    is_past,
    is_verb,
    listed,
)
from polis_rules.documentation.rulebook.phrases import Phrases, parts_of
from polis_rules.semantics import expressions as n
from polis_rules.semantics.expressions import Expr
from polis_rules.source import spoken

JOINED_OPPOSITE = {"and": "or", "or": "and"}
MEASURES = {">": "more than ", ">=": "at least ", "<": "less than ", "<=": "at most ", "==": "", "!=": "not "}
FLAG_VERBS = ("is", "has", "can", "may", "must")
MIDDLE_VERBS = ("is", "are", "has", "have")
COUNTS = {">": "more than", ">=": "at least", "<": "fewer than", "<=": "at most", "==": "exactly"}


class Clauses(Phrases):
    """Says amounts and conditions."""

    def clause(self, expr: Expr, negative: bool = False) -> str:
        expr = self.settled(expr)
        match expr:
            case n.Not():
                return self.clause(expr.item, not negative)
            case n.Bool():
                return _joined(self, expr, negative)
            case n.Compare():
                return _compared(self, expr, n.OPPOSITE[expr.op] if negative else expr.op)
            case n.Contains():
                return _contained(self, expr, negative)
            case n.Call():
                return _called(self, expr, negative)
            case n.Comp():
                return _quantified(self, expr, negative)
            case n.RouteExists():
                return _routed(self, expr, negative)
            case n.Possible():
                return f"{self.noun(expr.action).be(negative)} possible"
            case n.Load() | n.Attr() | n.Formula():
                return _flagged(self, expr, negative)
            case n.Var(name="base"):
                return f"it {'does not hold otherwise' if negative else 'holds otherwise'}"
            case n.Const():
                return "always" if bool(expr.value) != negative else "never"
            case n.IfElse():
                then, other = (self.clause(part, negative) for part in (expr.then, expr.other))
                return f"{then} if {self.clause(expr.test)}, otherwise {other}"
        return f"{self.noun(expr).be(negative)} so"


def _joined(say: Phrases, expr: n.Bool, negative: bool) -> str:
    op = JOINED_OPPOSITE[expr.op] if negative else expr.op
    parts = []
    for item in expr.items:
        text = say.clause(item, negative)
        inner = _connective(item, negative)
        if inner == "or" and op == "and":
            text = f"either {text}" if not text.startswith("either ") else text
        parts.append((text, bool(inner)))
    other = " and " if op == "or" else " or "
    if any(nested or other in text for text, nested in parts):
        return f", {op} ".join(text for text, _ in parts)
    return listed((text for text, _ in parts), op)


def _connective(item: Expr, negative: bool) -> str:
    """By which word the parts of a condition are joined; empty where it has none."""
    while isinstance(item, n.Not):
        item, negative = item.item, not negative
    if not isinstance(item, n.Bool):
        return ""
    return JOINED_OPPOSITE[item.op] if negative else item.op


# -- comparisons ----------------------------------------------------------------------------------------------------


def _compared(say: Phrases, expr: n.Compare, op: str) -> str:
    left, right = expr.left, expr.right
    if right.type.base == "none":
        return _nothing(say, left, op == "==")
    if left.type.base == "none":
        return _nothing(say, right, op == "==")
    if left.type.base == "int":
        return _measured(say, left, op, right)
    if left.type.base == "bool":
        return f"{say.clause(left)} {'exactly' if op == '==' else 'only'} when {say.clause(right, op == '!=')}"
    first, second = say.noun(left), say.noun(right)
    if first.ends_open:
        return first.ended(second.text, op == "!=")
    you_last = isinstance(right, n.Var) and right.name == "you" and not isinstance(left, n.Var)
    if you_last or second.text == "it" or (isinstance(left, n.Const) and not isinstance(right, n.Const)):
        first, second = second, first
    return f"{first.be(op == '!=')} {second.text}"


def _nothing(say: Phrases, value: Expr, absent: bool) -> str:
    """`it has no owner`, `there is a card`."""
    if isinstance(value, n.Var) and value.name in say.verbs:
        word = spoken(value.name.rpartition(".")[2])
        if word.endswith(("ed", "wn", "ten", "ken", "aid")) and not word.endswith("eed"):  # a participle, no thing
            word = say.book.kind(value.type.kind)
        some = f"no {word}" if absent else a(word)
        return f"{some} was {say.verbs[value.name]}"
    noun = say.noun(value)
    if noun.ends_open:
        some = "no" if absent else "some"
        return noun.ended(f"{some}{'body' if value.type.kind == 'player' else 'thing'}")
    if noun.owner is not None:
        return f"{noun.owner.have()} {'no ' + noun.head if absent else a(noun.head)}"
    if noun.text.startswith("whoever "):
        return f"{'nobody' if absent else 'somebody'} {noun.text.removeprefix('whoever ')}"
    words = noun.text.removeprefix("the ").removeprefix("that ")
    return f"there is {'no ' + words if absent else a(words)}"


def _measured(say: Phrases, left: Expr, op: str, right: Expr) -> str:
    if isinstance(left, n.Const) and not isinstance(right, n.Const):
        return _measured(say, right, n.TURNED[op], left)
    if isinstance(left, n.Order) and isinstance(right, n.Order):
        after = {">": "after", "<": "before", ">=": "not before", "<=": "not after", "==": "where", "!=": "not where"}
        same = " does" if op in ("==", "!=") else ""
        return f"{say.text(left.item)} comes {after[op]} {say.text(right.item)}{same} in the list"
    noun = say.noun(left)
    if isinstance(left, n.Size) and left.group.type.base == "list" and isinstance(right, n.Const):
        amount = _count(op, right.value)
        if amount in ("some", "no"):
            return _filled(say, left.group, amount)
    if isinstance(right, n.Const) and noun.owner is not None and _is_counted(say, left, noun):
        amount = _count(op, right.value)
        if amount:
            some = "" if amount == "some" and has_plural_look(noun.head) else f"{amount} "
            return f"{noun.owner.have()} {some}{noun.head} {noun.where}".rstrip()
    return f"{noun.be()} {MEASURES[op]}{say.text(right)}"


def _filled(say: Phrases, group: Expr, amount: str) -> str:
    """Whether a list has members: `you have coins in hand`, `the box is not empty`."""
    noun = say.noun(group)
    if noun.owner is not None and noun.head.startswith(say.book.kinds(group.type.kind)):
        return f"{noun.owner.have()} {'no ' if amount == 'no' else ''}{noun.head}"
    return f"{noun.be(amount == 'some')} empty"


def _is_counted(say: Phrases, expr: Expr, noun: Noun) -> bool:
    """Whether one has so and so many of it, rather than it being so and so much."""
    if isinstance(expr, n.Size):
        return True
    if isinstance(expr, n.Load):
        variable = say.book.rules.symbols.variable(expr.owner, expr.name)
        return variable.spendable or has_plural_look(noun.head) or bool(noun.where)
    return False


def _count(op: str, value: int) -> str:
    if (op, value) in ((">", 0), (">=", 1), ("!=", 0)):
        return "some"
    if (op, value) in (("==", 0), ("<", 1), ("<=", 0)):
        return "no"
    return f"{COUNTS[op]} {value}" if op in COUNTS else ""


# -- membership, flags, terms, routes -------------------------------------------------------------------------------


def _contained(say: Phrases, expr: n.Contains, negative: bool) -> str:
    item = say.noun(expr.item)
    if isinstance(expr.group, n.SetOf):
        among = listed(map(say.text, expr.group.items), "nor" if negative else "or")
        if len(expr.group.items) > 1:
            return f"{item.be()} {'neither' if negative else 'either'} {among}"
        return f"{item.be(negative)} {among}"
    return f"{item.be(negative)} among {say.text(expr.group)}"


def _flagged(say: Phrases, expr: n.Load | n.Attr | n.Formula, negative: bool) -> str:
    symbols = say.book.rules.symbols
    name = spoken(expr.name.rpartition(".")[2])
    if not expr.owner:
        return _plain_flag(name, negative)
    label = (symbols.variable(expr.owner, expr.name).title if isinstance(expr, n.Load) else "") or name
    words = next((each for each in (name, label) if each.split(" ")[0] in FLAG_VERBS), "")
    if label.startswith("as "):
        return f"'{label}' {'does not hold' if negative else 'holds'} for {say.texts(expr.args)}"
    if not words:
        person = expr.owner == "player" and label.endswith("ed") and " " not in label
        words = label if is_verb(label) else f"{'has' if person else 'is'} {label}"
    subject = say.noun(expr.args[0])
    clause = subject.does(words, negative, noun_like=not isinstance(expr, n.Load) and words in (name, label))
    return clause + say.texts(expr.args[1:], "for")


def _plain_flag(words: str, negative: bool) -> str:
    """A flag of the game itself: `the contest is over`, `the door stands`."""
    for verb in MIDDLE_VERBS:
        if f" {verb} " in words:
            return words.replace(f" {verb} ", f" {verb} not " if negative else f" {verb} ", 1)
    *first, last = words.split(" ")
    if words.split(" ")[0] in PREPOSITIONS:
        return f"'{words}' {'does not hold' if negative else 'holds'}"
    if any(is_past(word) for word in first[1:]):
        return f"{'it is not so that ' if negative else ''}the {words}"
    subject = Noun("the " + " ".join(first), has_plural_look(" ".join(first)))
    if first and (is_adjective(last) or last in ("done", "gone", "off", "on", "over", "up")):
        return subject.does(f"is {last}", negative)
    if first and has_plural_look(last):
        return subject.does(last, negative)
    return f"'{words}' {'does not hold' if negative else 'holds'}"


def _called(say: Phrases, expr: n.Call, negative: bool) -> str:
    words = say.asking(expr)
    if not expr.args:
        return _plain_term(words, negative)
    subject, *rest = expr.args
    verb, *more = words.split(" ")
    if any(each in MIDDLE_VERBS for each in more) and verb not in (*MODALS, *MIDDLE_VERBS):
        return f"{_plain_term(words, negative)} for {say.text(subject)} {say.beside(rest, 'with')}".rstrip()
    ends_open = bool(more) and more[-1] in PREPOSITIONS
    takes_object = (
        verb not in ("is", "are") and not verb.endswith("ed") and (not more or verb in ("can", "may", "cannot", "must"))
    )
    clause = say.noun(subject).does(words, negative, noun_like=True)
    if rest and (ends_open or takes_object):
        clause += f" {say.text(rest[0])}"
        rest = rest[1:]
    word = "for" if verb.endswith("ed") else "with"
    return f"{clause} {say.beside(rest, word)}".rstrip()


def _plain_term(words: str, negative: bool) -> str:
    """A condition that is nobody's: `tokens in play` as it stands."""
    if words.split(" ")[0] in MIDDLE_VERBS:
        return Noun("it").does(words, negative)
    for verb in (*MIDDLE_VERBS, *sorted(MODALS)):
        if f" {verb} " in f" {words} ":
            opposite = "cannot" if verb == "can" else f"{verb} not"
            return f" {words} ".replace(f" {verb} ", f" {opposite} ", 1).strip() if negative else words
    if words.startswith("no ") or words.split(" ")[0] in PREPOSITIONS:
        return f"'{words}' {'does not hold' if negative else 'holds'}"
    return f"there {'are' if has_plural_look(words) else 'is'} {'no ' if negative else ''}{words}"


def _routed(say: Phrases, expr: n.RouteExists, negative: bool) -> str:
    word = spoken(expr.route)
    there = say.noun(expr.args[0]).have() if expr.args else "there is"
    some = "no" if negative else "some" if has_plural_look(word) else a(word).split(" ")[0]
    return f"{there} {some} {word} route from {say.text(expr.start)} to {say.text(expr.goal)}"


# -- for some, for every --------------------------------------------------------------------------------------------


def _quantified(say: Phrases, expr: n.Comp, negative: bool) -> str:
    if expr.func == "any":
        described = say.member(expr, parts_of(expr.body))
        return f"there is {'no ' + described if negative else a(described)}"
    if expr.func != "all":
        return f"{say.noun(expr).be(negative)} so"
    if negative:
        return f"there is {a(say.member(expr, (n.Not(expr.body.type, expr.body),)))}"
    inner = say.inside(expr)
    described, text = say.member(expr), inner.clause(expr.body)
    pronoun = inner.text(n.Var(expr.type, expr.var)) if say.kind_of(expr) == "player" else "it"
    if text.startswith(f"{pronoun} "):
        return f"every {described} {text.removeprefix(f'{pronoun} ')}"
    return f"for every {described}, {text}"
