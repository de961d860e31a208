"""Amounts and members in words: an expression becomes a noun phrase."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from polis_rules.documentation.rulebook.book import Book
from polis_rules.documentation.rulebook.english import (
    PREPOSITIONS,
    Noun,
    has_plural_look,
    is_adjective,
    listed,
    of,
    possessive,
    relative,
)
from polis_rules.semantics.expressions import (
    Abs,
    Arith,
    Attr,
    Bool,
    Call,
    Comp,
    Const,
    Everyone,
    Expr,
    Formula,
    IfElse,
    Load,
    MinMax,
    Next,
    Nth,
    Numbers,
    Order,
    RouteCost,
    SetOf,
    SetOp,
    Size,
    Type,
    Var,
)
from polis_rules.source import spoken

YOU = Noun("you")
BINARY = {"+": "plus", "-": "minus", "*": "times"}
_PRONOUNS = frozenset(("who", "whom", "it", "owner"))


def called(name: str, kind: str) -> str:
    """How a text speaks of a local name: `the target`; a bare letter or a pronoun is called by its kind.

    >>> called("target", "space"), called("p", "player"), called("who", "player")
    ('the target', 'that player', 'the player')
    """
    if name in _PRONOUNS:
        return f"the {kind}"
    if len(name) < 3 or spoken(name) == kind:
        return f"that {kind}"
    return f"'{spoken(name)}'" if spoken(name).split(" ")[0] in PREPOSITIONS else f"the {spoken(name)}"


@dataclass(frozen=True)
class Phrases(ABC):
    """Says expressions. `names` are local names that have a phrase of their own; `topic` is the one called `it`."""

    book: Book
    names: Mapping[str, Noun] = field(default_factory=dict)
    topic: str = ""
    verbs: Mapping[str, str] = field(default_factory=dict)
    """For names that may be none: how they come about, `chosen` or `drawn`."""

    def about(self, topic: str) -> Phrases:
        """The same, with `it` for a local name."""
        return replace(self, topic=topic)

    def naming(self, **names: Noun) -> Phrases:
        """The same, with other phrases for local names."""
        topic = "" if self.topic in names else self.topic
        return replace(self, names={**self.names, **names}, topic=topic)

    def coming(self, name: str, verb: str) -> Phrases:
        """The same, knowing that a name was chosen or drawn."""
        return replace(self, verbs={**self.verbs, name: verb})

    # -- noun phrases -----------------------------------------------------------------------------------------------

    def text(self, expr: Expr) -> str:
        """A value in words."""
        return self.noun(expr).text

    def noun(self, expr: Expr) -> Noun:
        """A value in words, with what a verb must know of it."""
        found = self._said(expr)
        return (
            replace(found, plural=False) if expr.type.base == "ref" and found.plural and not self._many(expr) else found
        )

    def _many(self, expr: Expr) -> bool:
        """Whether a name stands for all members at once."""
        return any(
            isinstance(part, Var) and part.name in self.names and self.names[part.name].plural for part in expr.walk()
        )

    def _said(self, expr: Expr) -> Noun:
        say: dict[type[Expr], Callable[..., Noun]] = {
            Const: self._const, Var: self._var, Load: self._load, Attr: self._attr, Formula: self._formula,
            Arith: self._arith, IfElse: self._if_else, MinMax: self._min_max, Abs: self._abs, SetOf: self._set_of,
            SetOp: self._set_op, Size: self._size, Everyone: self._everyone, Numbers: self._numbers, Comp: self._comp,
            Next: self._next, Order: self._order, Nth: self._nth, Call: self._call, RouteCost: self._route_cost,
        }  # fmt: skip
        found = say.get(type(expr))
        return found(expr) if found is not None else Noun(f"whether {self.clause(expr)}")

    @abstractmethod
    def clause(self, expr: Expr, negative: bool = False) -> str:
        """A condition as a clause; `negative` says its opposite."""

    def _const(self, expr: Const) -> Noun:
        kind = expr.type
        if kind.base == "bool":
            return Noun("yes" if expr.value else "no")
        if kind.base == "none":
            return Noun("nothing")
        if kind.base == "ref":
            return Noun(self.book.title(kind.kind, expr.value))
        if kind.base == "set":
            members = range(len(self.book.rules.symbols.kinds[kind.kind].members)) if kind.kind else ()
            return Noun(listed(self.book.title(kind.kind, at) for at in members if expr.value >> at & 1) or "nothing")
        return Noun(str(expr.value))

    def _var(self, expr: Var) -> Noun:
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

    def _load(self, expr: Load) -> Noun:
        variable = self.book.rules.symbols.variable(expr.owner, expr.name)
        label = variable.title or spoken(expr.name)
        if expr.owner == "player" and variable.spendable and len(variable.per) == 1:
            which = expr.args[1]
            head = self.text(which) if isinstance(which, Const) else f"{label} of {self.text(which)}"
            return of(self.noun(expr.args[0]), head)
        if expr.owner and expr.type.base == "int" and label.split(" ")[0] in PREPOSITIONS:
            return self._counter(label, expr.args)
        return self._property(expr.owner, label, expr.args, expr.type.kind if expr.type.base == "ref" else "")

    def _counter(self, label: str, args: tuple[Expr, ...]) -> Noun:
        """What is called by where it is: the number of the card in the pile."""
        extra = f" of {listed(self.text(each) for each in args[1:])}" if len(args) > 1 else ""
        return Noun(f"the number of {self.text(args[0])} {label}{extra}")

    def _attr(self, expr: Attr) -> Noun:
        return self._property(expr.owner, spoken(expr.name), expr.args)

    def _property(self, owner: str, label: str, args: tuple[Expr, ...], kind: str = "") -> Noun:
        """`your pieces on the space`: what players have somewhere is theirs; anything else belongs to its member."""
        rest = list(args[1:] if owner else args)
        if not owner:
            extra = f" of {listed(self.text(each) for each in rest)}" if rest else ""
            if kind and is_adjective(label):
                label += f" {self.book.kind(kind)}"
            if kind == "player" and _is_verb(label):
                return Noun(f"whoever {label}")
            return Noun(f"the {label}{extra}", has_plural_look(label))
        holder = next((each for each in rest if each.type.kind == "player"), None)
        if holder is not None and owner != "player":
            rest.remove(holder)
            word = "in" if self.book.is_place(owner) else "on"
            extra = f" of {listed(self.text(each) for each in rest)}" if rest else ""
            return of(self.noun(holder), label + extra, f"{word} {self.text(args[0])}")
        extra = f" of {listed(self.text(each) for each in rest)}" if rest else ""
        return of(self.noun(args[0]), label + extra)

    def _formula(self, expr: Formula) -> Noun:
        extra = f" for {listed(self.text(each) for each in expr.args[1:])}" if len(expr.args) > 1 else ""
        return of(self.noun(expr.args[0]), spoken(expr.name) + extra)

    def _arith(self, expr: Arith) -> Noun:
        left, right = self._operand(expr.left, expr.op), self._operand(expr.right, expr.op)
        if expr.op == "//":
            if isinstance(expr.right, Const) and expr.right.value == 2:
                return Noun(f"half of {left}, rounded down")
            return Noun(f"{left} divided by {right}, rounded down")
        if expr.op == "%":
            return Noun(f"what remains of {left} divided by {right}")
        if expr.op == "-" and isinstance(expr.left, Const) and expr.left.value == 0:
            return Noun(f"minus {right}")
        return Noun(f"{left} {BINARY[expr.op]} {right}", expr.op != "*" and self.noun(expr.left).plural)

    def _operand(self, expr: Expr, op: str) -> str:
        text = self.text(expr)
        same = isinstance(expr, Arith) and expr.op == op and op in "+*"
        simple = not isinstance(expr, Arith | IfElse | MinMax | Abs) or same
        return text if simple and ", " not in text else f"({text})"

    def _if_else(self, expr: IfElse) -> Noun:
        """`2 if it is red, 3 if it is blue, otherwise 4`."""
        parts = []
        other: Expr = expr
        while isinstance(other, IfElse):
            parts.append(f"{self.text(other.then)} if {self.clause(other.test)}")
            other = other.other
        return Noun(f"{', '.join(parts)}, otherwise {self.text(other)}")

    def _min_max(self, expr: MinMax) -> Noun:
        word = {"min": ("lower", "lowest"), "max": ("higher", "highest")}[expr.op][len(expr.items) > 2]
        items = sorted(expr.items, key=lambda each: isinstance(each, Const))
        return Noun(f"the {word} of {listed(self.text(each) for each in items)}")

    def _abs(self, expr: Abs) -> Noun:
        if isinstance(expr.item, Arith) and expr.item.op == "-":
            sides = listed([self.text(expr.item.left), self.text(expr.item.right)])
            return Noun(f"the difference between {sides}")
        return Noun(f"{self.text(expr.item)} without its sign")

    # -- sets -------------------------------------------------------------------------------------------------------

    def _set_of(self, expr: SetOf) -> Noun:
        return Noun(listed(self.text(each) for each in expr.items) or "nothing", len(expr.items) > 1)

    def _set_op(self, expr: SetOp) -> Noun:
        if expr.op == "-" and expr.left == expr.right:
            return Noun("nothing")
        left, right = self.text(expr.left), self.text(expr.right)
        word = {"|": "together with", "-": "without"}.get(expr.op)
        return Noun(f"{left} {word} {right}" if word else f"what is in both {left} and {right}", True)

    def _size(self, expr: Size) -> Noun:
        group = self.noun(expr.group)
        return Noun(f"the number of {group.text}", False, group.owner, group.head, group.where)

    def _everyone(self, expr: Everyone) -> Noun:
        return Noun(f"all {self.book.kinds(expr.type.kind)}", True)

    def _numbers(self, expr: Numbers) -> Noun:
        low, high = expr.low, expr.high
        last = Const(high.type, high.value - 1) if isinstance(high, Const) else None
        upper = self.text(last) if last is not None else f"below {self.text(high)}"
        return Noun(f"the numbers from {self.text(low)} to {upper}", True)

    def _next(self, expr: Next) -> Noun:
        return Noun(f"the {self.book.kind(expr.type.kind)} after {self.text(expr.item)}")

    def _order(self, expr: Order) -> Noun:
        return Noun(f"the place of {self.text(expr.item)} (from 0)")

    def _nth(self, expr: Nth) -> Noun:
        kind = self.book.kind(expr.type.kind)
        return Noun(f"the {kind} at place {self._operand(expr.place, 'at')} (from 0)")

    # -- terms and routes -------------------------------------------------------------------------------------------

    def _call(self, expr: Call) -> Noun:
        label = spoken(expr.term).removesuffix(" of")
        if expr.type.base == "bool":
            return Noun(f"whether {self.clause(expr)}")
        if not expr.args and expr.type.kind == "player" and _is_verb(label):
            return Noun(f"whoever {label}")
        if not expr.args:
            return Noun(f"the {label}", has_plural_look(label))
        owner, *rest = expr.args
        if label.split(" ")[-1] in PREPOSITIONS:
            tail = f" {self.beside(rest)}" if rest else ""
            return Noun(f"the {label} {self.text(owner)}{tail}", has_plural_look(label))
        return of(self.noun(owner), label, self.beside(rest))

    def beside(self, args: list[Expr], word: str = "for") -> str:
        """The further arguments of a term: `in the space`, `for the card`."""
        places = [self.text(each) for each in args if self._is_place(each.type)]
        others = [self.text(each) for each in args if not self._is_place(each.type)]
        parts = [f"{word} {listed(others)}"] if others else []
        return " ".join([*parts, f"in {listed(places)}"] if places else parts)

    def _is_place(self, kind: Type) -> bool:
        return kind.base == "ref" and self.book.is_place(kind.kind)

    def _route_cost(self, expr: RouteCost) -> Noun:
        ends = f"from {self.text(expr.start)} to {self.text(expr.goal)}"
        head = f"cheapest {spoken(expr.route)} route {ends}"
        owner = f"{possessive(self.text(expr.args[0]))} {head}" if expr.args else f"the {head}"
        return Noun(f"the cost of {owner}")

    # -- counting ---------------------------------------------------------------------------------------------------

    def _comp(self, expr: Comp) -> Noun:
        many = self.members(expr)
        if expr.func == "count":
            return Noun(f"the number of {many}")
        if expr.func == "first":
            return Noun(f"the first {self.member(expr)}")
        if expr.func == "set":
            if isinstance(expr.body, Var):
                return Noun(f"the {many}", True)
            return Noun(f"every value of {self._inside(expr).text(expr.body)} for {many}", True)
        if expr.func == "sum":
            return self._sum(expr, many)
        if expr.func in ("min", "max"):
            word = {"min": "lowest", "max": "highest"}[expr.func]
            none = f" ({self.text(expr.default)} if there is none)" if expr.default is not None else ""
            return Noun(f"the {word} value of {self._inside(expr).text(expr.body)} among all {many}{none}")
        return Noun(f"whether {self.clause(expr)}")

    def _sum(self, expr: Comp, many: str) -> Noun:
        """The sum of something over members; where it is a plain property, `your pieces on all spaces`."""
        uses = sum(isinstance(part, Var) and part.name == expr.var for part in expr.body.walk())
        direct = isinstance(expr.body, Load | Attr) and any(
            isinstance(part, Var) and part.name == expr.var for part in expr.body.args
        )
        if isinstance(expr.body, Load | Attr) and direct and uses == 1:
            every = self.naming(**{expr.var: Noun(f"all {many}", True)})
            found = every.noun(expr.body)
            owner = found.owner
            if owner is not None and owner.text == f"all {many}":
                return Noun(f"the {found.head} of all {many} {found.where}".rstrip(), has_plural_look(found.head))
            return found
        if isinstance(expr.body, Const):
            return Noun(f"{expr.body.value} for each of the {many}")
        return Noun(f"the sum of {self._inside(expr).text(expr.body)} over all {many}")

    def _inside(self, expr: Comp) -> Phrases:
        """How the inside of a comprehension speaks of its member."""
        kind = self.kind_of(expr)
        if kind == "player":
            return self.naming(**{expr.var: Noun(self._fresh(f"that {self.book.kind(kind)}", expr))})
        outer = self.naming() if not self.topic else replace(self, topic="")
        return replace(outer, names={k: v for k, v in outer.names.items() if k != expr.var}, topic=expr.var)

    def _fresh(self, name: str, expr: Comp) -> str:
        """A name that no other member in the sentence goes by."""
        return f"that {spoken(expr.var)}" if any(each.text == name for each in self.names.values()) else name

    def kind_of(self, expr: Comp) -> str:
        """The kind whose members a comprehension goes over; empty for numbers."""
        return expr.domain.type.kind if expr.domain.type.base == "set" else ""

    def members(self, expr: Comp, tests: tuple[Expr, ...] = ()) -> str:
        """`red cards that are not yours`: what a comprehension goes over."""
        return self._described(expr, tests, True)

    def member(self, expr: Comp, tests: tuple[Expr, ...] = ()) -> str:
        """The same in the singular."""
        return self._described(expr, tests, False)

    def _described(self, expr: Comp, tests: tuple[Expr, ...], many: bool) -> str:
        kind = self.kind_of(expr)
        noun = "numbers" if many else "number"
        if kind:
            noun = self.book.kinds(kind) if many else self.book.kind(kind)
        if isinstance(expr.domain, Numbers):
            noun += self.text(expr.domain).removeprefix("the numbers").removeprefix("the number")
        elif not isinstance(expr.domain, Everyone):
            noun += f" among {self.text(expr.domain)}"
        found = [*([expr.test] if expr.test is not None else []), *tests]
        return f"{noun} {self.restricted(expr, found, many)}" if found else noun

    def restricted(self, expr: Comp, tests: list[Expr], many: bool) -> str:
        """`that are red and whose owner is you`: conditions as what follows a noun."""
        inner = self._inside(expr)
        clauses = [inner.clause(part) for test in tests for part in parts_of(test)]
        pronoun = inner.text(Var(Type("ref", self.kind_of(expr) or "player"), expr.var))
        return relative(clauses, (pronoun,), many, self.kind_of(expr) == "player")


def parts_of(test: Expr) -> tuple[Expr, ...]:
    """The conditions that a condition joins by `and`."""
    return test.items if isinstance(test, Bool) and test.op == "and" else (test,)


def _is_verb(words: str) -> bool:
    """Whether a name says what somebody does: `leads the dance`."""
    first = words.split(" ")[0]
    return first.endswith("s") and not first.endswith(("ss", "us", "is"))
