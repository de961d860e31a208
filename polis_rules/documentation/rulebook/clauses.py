"""Conditions in words: an expression becomes a clause such as `it is not red`."""

from __future__ import annotations

from polis_rules.documentation.rulebook.english import (
    PREPOSITIONS,
    Noun,
    a,
    be,
    has_plural_look,
    have,
    is_adjective,
    is_past,
    listed,
    predicate,
)
from polis_rules.documentation.rulebook.phrases import Phrases, parts_of
from polis_rules.semantics.expressions import (
    Attr,
    Bool,
    Call,
    Comp,
    Compare,
    Const,
    Contains,
    Expr,
    IfElse,
    Load,
    Not,
    Order,
    Possible,
    RouteExists,
    SetOf,
    Size,
    Var,
)
from polis_rules.source import spoken

OPPOSITE = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
MEASURES = {">": "more than", ">=": "at least", "<": "less than", "<=": "at most", "==": "", "!=": "not"}
COUNTS = {">": "more than", ">=": "at least", "<": "fewer than", "<=": "at most", "==": "exactly"}


class Clauses(Phrases):
    """Says amounts and conditions."""

    def clause(self, expr: Expr, negative: bool = False) -> str:
        match expr:
            case Not():
                return self.clause(expr.item, not negative)
            case Bool():
                return _joined(self, expr, negative)
            case Compare():
                return _compared(self, expr, OPPOSITE[expr.op] if negative else expr.op)
            case Contains():
                return _contained(self, expr, negative)
            case Call():
                return _called(self, expr, negative)
            case Comp():
                return _quantified(self, expr, negative)
            case RouteExists():
                return _routed(self, expr, negative)
            case Possible():
                action = self.noun(expr.action)
                return f"{action.text} {be(action, negative)} possible"
            case Load() | Attr():
                return _flagged(self, expr, negative)
            case Var(name="base"):
                return f"it {'does not hold otherwise' if negative else 'holds otherwise'}"
            case Const():
                return "always" if bool(expr.value) != negative else "never"
            case IfElse():
                then, other = (self.clause(part, negative) for part in (expr.then, expr.other))
                return f"{then} if {self.clause(expr.test)}, otherwise {other}"
        found = self.noun(expr)
        return f"{found.text} {be(found, negative)} so"


def _joined(say: Phrases, expr: Bool, negative: bool) -> str:
    op = expr.op if not negative else {"and": "or", "or": "and"}[expr.op]
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
    while isinstance(item, Not):
        item, negative = item.item, not negative
    if not isinstance(item, Bool):
        return ""
    return item.op if not negative else {"and": "or", "or": "and"}[item.op]


# -- comparisons ----------------------------------------------------------------------------------------------------


def _compared(say: Phrases, expr: Compare, op: str) -> str:
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
    if first.owner is not None and first.head.split(" ")[-1] in PREPOSITIONS:
        return f"{predicate(first.owner, f'is {first.head}', op == '!=')} {second.text}"
    if isinstance(right, Var) and right.name == "you" and not isinstance(left, Var):
        left, right = right, left
        first, second = second, first
    if isinstance(left, Const) and not isinstance(right, Const):
        first, second = second, first
    return f"{first.text} {be(first, op == '!=')} {second.text}"


def _nothing(say: Phrases, value: Expr, absent: bool) -> str:
    """`it has no owner`, `there is a card`."""
    if isinstance(value, Var) and value.name in say.verbs:
        word = spoken(value.name)
        if word.endswith(("ed", "wn", "ten", "ken", "aid")) and not word.endswith("eed"):  # a participle, no thing
            word = say.book.kind(value.type.kind)
        some = f"no {word}" if absent else a(word)
        return f"{some} was {say.verbs[value.name]}"
    noun = say.noun(value)
    if noun.owner is not None:
        if noun.head.split(" ")[-1] in PREPOSITIONS:
            nothing = "nobody" if value.type.kind == "player" else "nothing"
            return f"{predicate(noun.owner, f'is {noun.head}', not absent)} {nothing}"
        return f"{noun.owner.text} {have(noun.owner)} {'no ' + noun.head if absent else a(noun.head)}"
    if noun.text.startswith("whoever "):
        return f"{'nobody' if absent else 'somebody'} {noun.text.removeprefix('whoever ')}"
    words = noun.text.removeprefix("the ").removeprefix("that ")
    return f"there is {'no ' + words if absent else a(words)}"


def _some(words: str) -> str:
    return "some" if has_plural_look(words) else a(words).split(" ")[0]


def _measured(say: Phrases, left: Expr, op: str, right: Expr) -> str:
    if isinstance(left, Const) and not isinstance(right, Const):
        flipped = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}.get(op, op)
        return _measured(say, right, flipped, left)
    if isinstance(left, Order) and isinstance(right, Order):
        after = {">": "after", "<": "before", ">=": "not before", "<=": "not after", "==": "where", "!=": "not where"}
        same = " does" if op in ("==", "!=") else ""
        return f"{say.text(left.item)} comes {after[op]} {say.text(right.item)}{same} in the list"
    noun = say.noun(left)
    counted = isinstance(right, Const) and noun.owner is not None and _is_counted(say, left, noun)
    if counted and isinstance(right, Const) and noun.owner is not None:
        amount = _count(op, right.value)
        if amount:
            where = f" {noun.where}" if noun.where else ""
            some = "" if amount == "some" and has_plural_look(noun.head) else f"{amount} "
            return f"{noun.owner.text} {have(noun.owner)} {some}{noun.head}{where}"
    words = MEASURES[op]
    return f"{noun.text} {be(noun)} {words + ' ' if words else ''}{say.text(right)}"


def _is_counted(say: Phrases, expr: Expr, noun: Noun) -> bool:
    """Whether one has so and so many of it, rather than it being so and so much."""
    if isinstance(expr, Size):
        return True
    if isinstance(expr, Load):
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


def _contained(say: Phrases, expr: Contains, negative: bool) -> str:
    item = say.noun(expr.item)
    if isinstance(expr.group, SetOf):
        among = listed((say.text(each) for each in expr.group.items), "nor" if negative else "or")
        if len(expr.group.items) > 1:
            return f"{item.text} {be(item)} {'neither' if negative else 'either'} {among}"
        return f"{item.text} {be(item, negative)} {among}"
    return f"{item.text} {be(item, negative)} among {say.text(expr.group)}"


def _flagged(say: Phrases, expr: Load | Attr, negative: bool) -> str:
    symbols = say.book.rules.symbols
    label = (symbols.variable(expr.owner, expr.name).title if isinstance(expr, Load) else "") or spoken(expr.name)
    label = spoken(expr.name) if spoken(expr.name).startswith(("is ", "has ", "can ", "may ", "must ")) else label
    if not expr.owner:
        return _plain_flag(spoken(expr.name), negative)
    subject = say.noun(expr.args[0])
    words = label if label.split(" ")[0] in ("is", "has", "can", "may", "must") else ""
    if not words:
        person = expr.owner == "player" and label.endswith("ed") and " " not in label
        words = f"{'has' if person else 'is'} {label}"
    found = predicate(subject, words, negative, noun_like=isinstance(expr, Attr) and words == label)
    rest = [say.text(each) for each in expr.args[1:]]
    return f"{found} for {listed(rest)}" if rest else found


def _plain_flag(words: str, negative: bool) -> str:
    """A flag of the game itself: `the contest is over`, `the door stands`."""
    for verb in ("is", "are", "has", "have"):
        if f" {verb} " in words:
            return words.replace(f" {verb} ", f" {verb} not " if negative else f" {verb} ", 1)
    *first, last = words.split(" ")
    if any(is_past(word) for word in first[1:]):
        return f"{'it is not so that ' if negative else ''}the {words}"
    subject = Noun("the " + " ".join(first), has_plural_look(" ".join(first)))
    if first and (is_adjective(last) or last in ("done", "gone", "off", "on", "over", "up")):
        return predicate(subject, f"is {last}", negative)
    if first and has_plural_look(last):
        return predicate(subject, last, negative)
    return f"'{words}' {'does not hold' if negative else 'holds'}"


def _called(say: Phrases, expr: Call, negative: bool) -> str:
    words = spoken(expr.term)
    if not expr.args:
        return _plain_term(words, negative)
    subject, *rest = expr.args
    verb, *more = words.split(" ")
    ends_open = bool(more) and more[-1] in PREPOSITIONS and len(rest) > 0
    direct = ends_open or (len(rest) > 0 and (not more or verb in ("can", "may", "cannot", "must")))
    direct = (direct and verb not in ("is", "are")) or ends_open
    found = predicate(say.noun(subject), words, negative, noun_like=True)
    if direct:
        found += f" {say.text(rest[0])}"
        rest = rest[1:]
    tail = say.beside(rest, "with")
    return f"{found} {tail}" if tail else found


def _plain_term(words: str, negative: bool) -> str:
    """A condition that is nobody's: `tokens in play` as it stands."""
    if words.split(" ")[0] in ("is", "are", "has", "have"):
        return predicate(Noun("it"), words, negative)
    for verb in (" is ", " are ", " has ", " have "):
        if verb in f" {words} ":
            return words.replace(verb.strip(), f"{verb.strip()} not", 1) if negative else words
    if has_plural_look(words):
        return f"there are {'no ' if negative else ''}{words}"
    return f"there is {'no ' if negative else ''}{words}"


def _routed(say: Phrases, expr: RouteExists, negative: bool) -> str:
    ends = f"from {say.text(expr.start)} to {say.text(expr.goal)}"
    word = spoken(expr.route)
    if not expr.args:
        return f"there is {'no' if negative else _some(word)} {word} route {ends}"
    owner = say.noun(expr.args[0])
    return f"{owner.text} {have(owner)} {'no' if negative else _some(word)} {word} route {ends}"


# -- for some, for every --------------------------------------------------------------------------------------------


def _quantified(say: Phrases, expr: Comp, negative: bool) -> str:
    if expr.func == "any":
        described = say.member(expr, parts_of(expr.body))
        return f"there is {'no ' + described if negative else a(described)}"
    if expr.func != "all":
        found = say.noun(expr)
        return f"{found.text} {be(found, negative)} so"
    if negative:
        return f"there is {a(say.member(expr, (_not(expr.body),)))}"
    inner = say._inside(expr)
    described = say.member(expr)
    text = inner.clause(expr.body)
    pronoun = inner.text(Var(expr.type, expr.var)) if say.kind_of(expr) == "player" else "it"
    if text.startswith(f"{pronoun} "):
        return f"every {described} {text[len(pronoun) + 1 :]}"
    return f"for every {described}, {text}"


def _not(expr: Expr) -> Expr:
    return Not(expr.type, expr)
