"""Amounts and members in words: an expression becomes a noun phrase."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace

from polis_rules.documentation.rulebook.book import Book
from polis_rules.documentation.rulebook.english import (
    PREPOSITIONS,
    Noun,
    has_plural_look,
    in_order,
    is_adjective,
    is_verb,
    listed,
    possessive,
    relative,
)
from polis_rules.documentation.rulebook.folding import Folding
from polis_rules.documentation.rulebook.formulas import formula, is_formula, is_sum_of
from polis_rules.semantics import expressions as n, members_in, unpacked
from polis_rules.semantics.expressions import Expr, foremost
from polis_rules.source import spoken

YOU = Noun("you")
NO_ROUTE = 9999
"""What the cheapest route costs where there is none."""
BINARY = {"+": "plus", "-": "minus", "*": "times"}
_PRONOUNS = frozenset(("who", "whom", "it", "owner"))
_VAGUE = frozenset(("place", "there", "here", "which", "what"))
"""Names that say less than the kind of what they stand for."""


def called(name: str, kind: str) -> str:
    """How a text speaks of a local name: `the target`; a bare letter or a pronoun is called by its kind, if it has one.

    >>> called("target", "space"), called("p", "player"), called("who", "player"), called("n", "")
    ('the target', 'that player', 'the player', 'n')
    """
    if name in _PRONOUNS and kind:
        return f"the {kind}"
    if len(name) < 3 or spoken(name) == kind or (name in _VAGUE and kind):
        return f"that {kind}" if kind else name
    return f"'{spoken(name)}'" if spoken(name).split(" ")[0] in PREPOSITIONS else f"the {spoken(name)}"


@dataclass(frozen=True)
class Phrases(ABC):
    """Says expressions. `names` are local names that have a phrase of their own; `topic` is the one called `it`."""

    book: Book
    names: Mapping[str, Noun] = field(default_factory=dict)
    topic: str = ""
    verbs: Mapping[str, str] = field(default_factory=dict)
    """For names that may be none: how they come about, `chosen` or `drawn`."""
    folding: Folding | None = None
    """In a rulebook: what is settled anyway is left out, and what a label says is not said again."""
    told_here: frozenset[str] = frozenset()
    """The rules that are told where they are carried out."""
    said: Mapping[str, str] = field(default_factory=dict)
    """What the ruleset itself says of rules."""

    def about(self, topic: str) -> Phrases:
        """The same, with `it` for a local name."""
        return replace(self, topic=topic)

    def naming(self, **names: Noun) -> Phrases:
        """The same, with other phrases for local names."""
        topic = "" if self.topic in names else self.topic
        return replace(self, names={**self.names, **names}, topic=topic)

    def entering(self, names: Mapping[str, Noun]) -> Phrases:
        """The same for a rule that is told where it is carried out, whose parameters are called so."""
        return replace(self, names=names, topic="", verbs={})

    def settled(self, expr: Expr) -> Expr:
        """The expression without what is settled anyway; as it is outside a rulebook."""
        return expr if self.folding is None else self.folding.fold(expr)

    def coming(self, name: str, verb: str) -> Phrases:
        """The same, knowing that a name was chosen or drawn."""
        return replace(self, verbs={**self.verbs, name: verb})

    # -- noun phrases -----------------------------------------------------------------------------------------------

    def text(self, expr: Expr) -> str:
        """A value in words."""
        return self.noun(expr).text

    def texts(self, exprs: Iterable[Expr], word: str = "") -> str:
        """Several values in a row, after a word that goes before them; nothing for none."""
        text = listed(map(self.text, exprs))
        return f" {word} {text}" if word and text else text

    def paid_with(self, load: n.Load) -> str:
        """What is paid or gained, without how much of it."""
        variable = self.book.rules.symbols.variable(load.owner, load.name)
        return self.text(load.args[1]) if len(load.args) > 1 else variable.title or spoken(load.name)

    def among(self, group: Expr, word: str = "among") -> str:
        """From what something is taken; nothing where it is taken from all there are."""
        return "" if isinstance(group, n.Everyone) else f" {word} {self.text(group)}"

    def noun(self, expr: Expr) -> Noun:
        """A value in words, with what a verb must know of it."""
        expr = self.settled(expr)
        noun = self._said(expr)
        return replace(noun, plural=False) if expr.type.base == "ref" and noun.plural and not self._many(expr) else noun

    def _many(self, expr: Expr) -> bool:
        """Whether a name stands for all members at once."""
        return any(
            isinstance(part, n.Var) and part.name in self.names and self.names[part.name].plural for part in expr.walk()
        )

    def _said(self, expr: Expr) -> Noun:
        say: dict[type[Expr], Callable[..., Noun]] = {
            n.Const: self._const, n.Var: self._var, n.Load: self._load, n.Attr: self._attr, n.Formula: self._formula,
            n.Arith: self._arith, n.IfElse: self._if_else, n.MinMax: self._min_max, n.Abs: self._abs,
            n.SetOf: self._set_of, n.SetOp: self._set_op, n.Size: self._size, n.Everyone: self._everyone,
            n.Numbers: self._numbers, n.Comp: self._comp, n.Next: self._next, n.Order: self._order, n.Nth: self._nth,
            n.Call: self._call, n.RouteCost: self._route_cost, n.ListOf: self._list_of, n.Joined: self._joined,
            n.Item: self._item, n.Located: self._located,
        }  # fmt: skip
        speaker = say.get(type(expr))
        return speaker(expr) if speaker is not None else Noun(f"whether {self.clause(expr)}")

    @abstractmethod
    def clause(self, expr: Expr, negative: bool = False) -> str:
        """A condition as a clause; `negative` says its opposite."""

    def _const(self, expr: n.Const) -> Noun:
        kind = expr.type
        if kind.base == "bool":
            return Noun("yes" if expr.value else "no")
        if kind.base == "none":
            return Noun("nothing")
        if kind.base == "ref":
            return Noun(self.book.title(kind.kind, expr.value))
        if kind.base in ("set", "list"):
            count = self.book.rules.symbols.count(kind.kind) if kind.kind else 0
            is_list = kind.base == "list"
            members = unpacked(expr.value, count) if is_list else sorted(members_in("set", expr.value, count))
            titles = [self.book.title(kind.kind, at) for at in members]
            return Noun((in_order(titles) if is_list else listed(titles)) or "nothing")
        return Noun(str(expr.value))

    def _var(self, expr: n.Var) -> Noun:
        if expr.name in self.names:
            return self.names[expr.name]
        if expr.name == self.topic:
            return Noun("it")
        if expr.name == "you":
            return YOU
        if expr.name == "base":
            return Noun("the usual value")
        kind = self.book.kind(expr.type.kind) if expr.type.base == "ref" else ""
        name = called(expr.name, kind)
        return Noun(name, expr.type.base != "ref" and has_plural_look(name))

    def _load(self, expr: n.Load) -> Noun:
        variable = self.book.rules.symbols.variable(expr.owner, expr.name)
        label = variable.label if self.folding is None else variable.label.partition(" (")[0]
        if expr.owner == "player" and variable.spendable and len(variable.per) == 1:
            which = expr.args[1]
            head = self.text(which) if isinstance(which, n.Const) else f"{label} of {self.text(which)}"
            return self.noun(expr.args[0]).of(head)
        if expr.owner and expr.type.base == "int" and label.split(" ")[0] in PREPOSITIONS:
            return Noun(f"the number of {self.text(expr.args[0])} {label}{self.texts(expr.args[1:], 'of')}")
        return self._property(expr, label, expr.type.kind if expr.type.base == "ref" else "")

    def _attr(self, expr: n.Attr) -> Noun:
        name = self.book.rules.symbols.kinds[expr.owner].attributes[expr.name].label
        is_number_for = name.split(" ")[0] in PREPOSITIONS and expr.type.base == "int"
        return self._property(expr, f"number {name}" if is_number_for else name)

    def _property(self, expr: n.Load | n.Attr, label: str, kind: str = "") -> Noun:
        """`your pieces on the space`: what players have somewhere is theirs; anything else belongs to its member."""
        if not expr.owner:
            label += f" {self.book.kind(kind)}" if kind and is_adjective(label) else ""
            if kind == "player" and is_verb(label):
                return Noun(f"whoever {label}")
            if len(expr.args) == 1 and label.split(" ")[-1] in PREPOSITIONS:
                return self.noun(expr.args[0]).of(label)
            return Noun(f"the {label}{self.texts(expr.args, 'of')}", has_plural_look(label))
        member, *rest = expr.args
        holder = next((each for each in rest if each.type.kind == "player"), None)
        if holder is None or expr.owner == "player":
            return self.noun(member).of(label + self.texts(rest, "of"))
        rest.remove(holder)
        word = "in" if self.book.is_place(expr.owner) else "on"
        return self.noun(holder).of(label + self.texts(rest, "of"), f"{word} {self.text(member)}")

    def _formula(self, expr: n.Formula) -> Noun:
        return self.noun(expr.args[0]).of(spoken(expr.name) + self.texts(expr.args[1:], "for"))

    def _arith(self, expr: n.Arith) -> Noun:
        if self.folding is not None and is_formula(self, expr):
            return Noun(formula(self, expr))
        left, right = self._operand(expr.left, expr.op), self._operand(expr.right, expr.op)
        if expr.op == "//":
            if isinstance(expr.right, n.Const) and expr.right.value == 2:
                return Noun(f"half of {left}, rounded down")
            return Noun(f"{left} divided by {right}, rounded down")
        if expr.op == "%":
            return Noun(f"what remains of {left} divided by {right}")
        if expr.op == "-" and isinstance(expr.left, n.Const) and expr.left.value == 0:
            return Noun(f"minus {right}")
        return Noun(f"{left} {BINARY[expr.op]} {right}", expr.op != "*" and self.noun(expr.left).plural)

    def _operand(self, expr: Expr, op: str) -> str:
        text = self.text(expr)
        same = isinstance(expr, n.Arith) and expr.op == op and op in "+*"
        simple = not isinstance(expr, n.Arith | n.IfElse | n.MinMax | n.Abs) or same
        simple = simple and not (op not in ("+", "at") and is_sum_of(expr, text))
        return text if simple and ", " not in text else f"({text})"

    def _if_else(self, expr: n.IfElse) -> Noun:
        """`2 if it is red, 3 if it is blue, otherwise 4`."""
        if (found := foremost(expr)) is not None:
            end, tied = found
            best = {"max": "highest", "min": "lowest"}[end.func]
            several = f", or {self.text(tied)} if there are several such" if tied.type.base != "none" else ""
            value = self.inside(end).text(end.body)
            of_it = re.match(r"(its|that [^,']+'s) ", value)
            which = f"whose {value[of_it.end() :]}" if of_it else f"for which {value}"
            return Noun(f"the {self.member(end)} {which} is {best}{several}")
        if self._has_no_route(expr):
            return self.noun(expr.other)
        parts = []
        other: Expr = expr
        while isinstance(other, n.IfElse) and foremost(other) is None:
            parts.append(f"{self._one(expr, other.then)} if {self.clause(other.test)}")
            other = other.other
        return Noun(f"{', '.join(parts)}, otherwise {self._one(expr, other)}")

    def _one(self, expr: Expr, part: Expr) -> str:
        """One of the values that an expression may have."""
        return "nobody" if part.type.base == "none" and expr.type.kind == "player" else self.text(part)

    def _has_no_route(self, expr: n.IfElse) -> bool:
        """Whether it is what a route costs, and only says besides that there may be none."""
        return isinstance(expr.then, n.Const) and expr.then.value >= NO_ROUTE and self.folding is not None

    def is_one(self, expr: n.IfElse) -> bool:
        """Whether it is one value in words, for all its conditions."""
        return foremost(expr) is not None or self._has_no_route(expr)

    def _min_max(self, expr: n.MinMax) -> Noun:
        word = {"min": ("lower", "lowest"), "max": ("higher", "highest")}[expr.op][len(expr.items) > 2]
        items = sorted(expr.items, key=lambda each: isinstance(each, n.Const))
        return Noun(f"the {word} of {self.texts(items)}")

    def _abs(self, expr: n.Abs) -> Noun:
        if isinstance(expr.item, n.Arith) and expr.item.op == "-":
            return Noun(f"the difference between {self.texts((expr.item.left, expr.item.right))}")
        return Noun(f"{self.text(expr.item)} without its sign")

    # -- sets -------------------------------------------------------------------------------------------------------

    def _set_of(self, expr: n.SetOf) -> Noun:
        return Noun(self.texts(expr.items) or "nothing", len(expr.items) > 1)

    def _set_op(self, expr: n.SetOp) -> Noun:
        if expr.op == "-" and expr.left == expr.right:
            return Noun("nothing")
        left, right = self.text(expr.left), self.text(expr.right)
        word = {"|": "together with", "-": "without"}.get(expr.op)
        return Noun(f"{left} {word} {right}" if word else f"what is in both {left} and {right}", True)

    def _list_of(self, expr: n.ListOf) -> Noun:
        text = in_order(map(self.text, expr.items)) or "nothing"
        return Noun(f"{text} in this order" if len({*expr.items}) > 1 else text, len(expr.items) > 1)

    def _joined(self, expr: n.Joined) -> Noun:
        return Noun(f"{self.text(expr.left)}, followed by {self.text(expr.right)}", True)

    def _item(self, expr: n.Item) -> Noun:
        group, place = self.text(expr.group), expr.place
        ends = {0: "the top", -1: "the bottom"}
        if isinstance(place, n.Const) and place.value in ends:
            return Noun(f"{ends[place.value]} of {group}")
        kind = self.book.kind(expr.type.kind)
        return Noun(f"the {kind} of {group} with {self._operand(place, 'at')} before it")

    def _size(self, expr: n.Size) -> Noun:
        group = self.noun(expr.group)
        if expr.group.type.base == "list":
            kinds = self.book.kinds(expr.group.type.kind)
            if not re.search(rf"\b{kinds}\b", group.text):
                return Noun(f"the number of {kinds} in {group.text}")
            return Noun(f"the number of {group.text if group.owner is not None else group.text.removeprefix('the ')}")
        return Noun(f"the number of {group.text}", False, group.owner, group.head, group.where)

    def _everyone(self, expr: n.Everyone) -> Noun:
        return Noun(f"all {self.book.kinds(expr.type.kind)}", True)

    def _numbers(self, expr: n.Numbers) -> Noun:
        low, high = expr.low, expr.high
        upper = str(high.value - 1) if isinstance(high, n.Const) else f"below {self.text(high)}"
        return Noun(f"the numbers from {self.text(low)} to {upper}", True)

    def _next(self, expr: n.Next) -> Noun:
        return Noun(f"the {self.book.kind(expr.type.kind)} after {self.text(expr.item)}")

    def _order(self, expr: n.Order) -> Noun:
        return Noun(f"the number of {self.book.kinds(expr.item.type.kind)} before {self.text(expr.item)}")

    def _nth(self, expr: n.Nth) -> Noun:
        return self._placed(self.book.kind(expr.type.kind), expr.place)

    def _placed(self, kind: str, place: Expr) -> Noun:
        """`the row 2 after it`, `the row with 3 others before it`: a member by its place in the table."""
        if isinstance(place, n.Arith) and place.op in "+-" and isinstance(place.left, n.Order):
            word = {"+": "after", "-": "before"}[place.op]
            return Noun(f"the {kind} that comes {self._operand(place.right, 'at')} {word} {self.text(place.left.item)}")
        return Noun(f"the {kind} with {self._operand(place, 'at')} others before it")

    def _located(self, expr: n.Located) -> Noun:
        """`the row with the number 3`, `the square of the column and the row`."""
        kind, place = self.book.kind(expr.type.kind), expr.parts[0]
        if place.type.base == "ref":
            return Noun(f"the {kind} of {self.texts(expr.parts)}")
        first = self.book.rules.symbols.kinds[expr.type.kind].first
        if "number" not in self.book.rules.symbols.kinds[expr.type.kind].attributes:
            return self._placed(kind, place)
        shown = place.left if isinstance(place, n.Arith) and first else place
        return Noun(f"the {kind} with the number {self._operand(shown, 'at')}")

    # -- terms and routes -------------------------------------------------------------------------------------------

    def asking(self, expr: n.Call) -> str:
        """What a term is called; a rulebook explains it in its glossary."""
        if self.folding is not None:
            self.folding.asked.add(expr.term)
        return spoken(expr.term)

    def _call(self, expr: n.Call) -> Noun:
        label = self.asking(expr).removesuffix(" of")
        if expr.type.base == "bool":
            return Noun(f"whether {self.clause(expr)}")
        if not expr.args and expr.type.kind == "player" and is_verb(label):
            return Noun(f"whoever {label}")
        if not expr.args:
            usual = self.folding.constant(expr.term) if self.folding is not None else None
            value = f" ({self.text(usual)})" if usual is not None else ""
            return Noun(f"the {label}{value}", has_plural_look(label))
        owner, *rest = expr.args
        if label.split(" ")[-1] in PREPOSITIONS:
            return Noun(f"the {label} {self.text(owner)} {self.beside(rest)}".rstrip(), has_plural_look(label))
        return self.noun(owner).of(label, self.beside(rest))

    def beside(self, args: list[Expr], word: str = "for") -> str:
        """The further arguments of a term: `in the space`, `for the card`."""
        places = [each for each in args if each.type.base == "ref" and self.book.is_place(each.type.kind)]
        others = [each for each in args if each not in places]
        return f"{self.texts(others, word)}{self.texts(places, 'in')}".strip()

    def _route_cost(self, expr: n.RouteCost) -> Noun:
        ends = f"from {self.text(expr.start)} to {self.text(expr.goal)}"
        head = f"cheapest {spoken(expr.route)} route {ends}"
        owner = f"{possessive(self.text(expr.args[0]))} {head}" if expr.args else f"the {head}"
        return Noun(f"the cost of {owner}")

    # -- counting ---------------------------------------------------------------------------------------------------

    def _comp(self, expr: n.Comp) -> Noun:
        if expr.func == "walk":
            inner = self.inside(expr)
            until = f" as long as {inner.clause(expr.test)}" if expr.test is not None else ""
            kinds, start = self.book.kinds(expr.type.kind), self.text(expr.domain)
            return Noun(f"the {kinds} met from {start} on, going each time to {inner.text(expr.body)}{until}", True)
        many = self.member(expr, many=True)
        match expr.func:
            case "count":
                return Noun(f"the number of {many}")
            case "first":
                return Noun(f"the first {self.member(expr)}")
            case "set" if expr.test is None and expr.domain.type.base == "list" and isinstance(expr.body, n.Var):
                return self.noun(expr.domain)
            case "place":
                return Noun(f"the number before the first {self.member(expr)}")
            case "set" | "list" if isinstance(expr.body, n.Var):
                return Noun(f"the {many}", True)
            case "list" if expr.body.type.base == "list":
                return Noun(f"{self.inside(expr).text(expr.body)}, for {many} in turn", True)
            case "set" | "list":
                return Noun(f"every value of {self.inside(expr).text(expr.body)} for {many}", True)
            case "sum":
                return self._sum(expr, many)
            case "min" | "max":
                word = {"min": "lowest", "max": "highest"}[expr.func]
                none = f" ({self.text(expr.default)} if there is none)" if expr.default is not None else ""
                return Noun(f"the {word} value of {self.inside(expr).text(expr.body)} among all {many}{none}")
        return Noun(f"whether {self.clause(expr)}")

    def _sum(self, expr: n.Comp, many: str) -> Noun:
        """The sum of something over members; where it is a plain property, `your pieces on all spaces`."""

        def is_member(part: Expr) -> bool:
            return isinstance(part, n.Var) and part.name == expr.var

        direct = isinstance(expr.body, n.Load | n.Attr) and any(map(is_member, expr.body.args))
        if direct and sum(map(is_member, expr.body.walk())) == 1:
            every = self.naming(**{expr.var: Noun(f"all {many}", True)})
            noun = every.noun(expr.body)
            owner = noun.owner
            if owner is not None and owner.text == f"all {many}":
                return Noun(f"the {noun.head} of all {many} {noun.where}".rstrip(), has_plural_look(noun.head))
            return noun
        if isinstance(expr.body, n.Const):
            return Noun(f"{expr.body.value} for each of the {many}")
        return Noun(f"the sum of {self.inside(expr).text(expr.body)} over all {many}")

    def inside(self, expr: n.Comp) -> Phrases:
        """How the inside of a comprehension speaks of its member."""
        if self.kind_of(expr) == "player":
            name = f"that {self.book.kind('player')}"
            taken = any(each.text == name for each in self.names.values())
            return self.naming(**{expr.var: Noun(f"that {spoken(expr.var)}" if taken else name)})
        return replace(self, names={k: v for k, v in self.names.items() if k != expr.var}, topic=expr.var)

    def kind_of(self, expr: n.Comp) -> str:
        """The kind whose members a comprehension goes over; empty for numbers."""
        return expr.domain.type.kind if expr.domain.type.base in n.GROUPS else ""

    def member(self, expr: n.Comp, tests: tuple[Expr, ...] = (), many: bool = False) -> str:
        """`red card that is not yours`: what a comprehension goes over; with `many`, in the plural."""
        kind = self.kind_of(expr)
        noun = "numbers" if many else "number"
        if kind:
            noun = self.book.kinds(kind) if many else self.book.kind(kind)
        if isinstance(expr.domain, n.Numbers):
            noun += self.text(expr.domain).removeprefix("the numbers")
        else:
            noun += self.among(expr.domain)
        inner = self.inside(expr)
        pronoun = inner.text(n.Var(n.Type("ref", kind or "player"), expr.var))
        return noun + inner.such((expr.test, *tests), pronoun, many, kind == "player")

    def such(self, tests: Iterable[Expr | None], pronoun: str = "it", many: bool = False, person: bool = False) -> str:
        """` that are red and whose owner is you`: conditions, where there are any, as what follows a noun."""
        asked = (part for test in tests if test is not None for part in parts_of(self.settled(test)))
        clauses = [self.clause(part) for part in asked if not (self.folding is not None and isinstance(part, n.Const))]
        return f" {relative(clauses, pronoun, many, person)}" if clauses else ""


def parts_of(test: Expr) -> tuple[Expr, ...]:
    """The conditions that a condition joins by `and`."""
    return test.items if isinstance(test, n.Bool) and test.op == "and" else (test,)
