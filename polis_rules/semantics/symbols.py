"""What the names of a ruleset mean: kinds with their members, attributes and state; terms, routes, graphs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from math import prod

from polis_rules.diagnostics import Diagnostics, Span, amount
from polis_rules.schema import FORMULAS, TypeSpec
from polis_rules.semantics.expressions import BOOL, INT, Compare, Expr, Load, Type, Var, number
from polis_rules.semantics.words import BUILT_IN
from polis_rules.source import Node, Text, spoken

ANSWER = "gives"
"""What the answer of a procedure is called among what it remembers."""

COVER = "together()"
"""How the names of flags end that are set while players act together; no name of a ruleset does."""

BEGUN = "begun()"
"""What memory is called that keeps what a name stood for as other memory was begun, after that and the name."""

Edge = tuple[int, int, bool, str]
"""An edge of a graph: the nodes at its ends, whether it is one way, and its id."""


def value_type(spec: TypeSpec) -> Type | None:
    """The expression type of a declared type; None for texts, effects and the like."""
    if spec.kind in ("range", "number"):
        return INT
    if spec.kind == "flag":
        return BOOL
    if spec.kind == "ref":
        return Type("ref", spec.member_kind or "", spec.maybe)
    if spec.kind == "set" or spec.kind == "list":
        return Type(spec.kind, spec.member_kind or "")
    return None


class Params(dict[str, Type]):
    """The parameters of a rule with their types; in `ranges` those numbers that have limits."""

    def __init__(self, types: Mapping[str, Type], ranges: Mapping[str, tuple[int, int]]) -> None:
        super().__init__(types)
        self.ranges = dict(ranges)

    @property
    def facts(self) -> frozenset[Expr]:
        """What holds of them wherever the rule begins."""
        ends = (
            (Var(INT, name), op, end)
            for name, ends in self.ranges.items()
            for op, end in zip((">=", "<="), ends, strict=True)
        )
        return frozenset(Compare(BOOL, op, param, number(end)) for param, op, end in ends)


@dataclass(slots=True, eq=False)
class Indexed:
    """What is kept for each member of a kind (`owner`, "" for the game itself), and for each of further kinds."""

    owner: str
    name: str
    per: tuple[tuple[str, str], ...]
    """names of the further indexes, with their kinds"""

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kind of each index, the owner first."""
        return (*([self.owner] if self.owner else []), *(kind for _, kind in self.per))

    @property
    def names(self) -> tuple[str, ...]:
        """What its own expressions call each index: the owner's member is `it`."""
        return (*(["it"] if self.owner else []), *(name for name, _ in self.per))

    @property
    def spoken_names(self) -> tuple[str, ...]:
        """What a sentence calls each index: the owner's member by its kind."""
        return (*([self.owner] if self.owner else []), *(name for name, _ in self.per))


@dataclass(slots=True, eq=False)
class Attribute(Indexed):
    """A fixed attribute: its values are one flat tuple, indexed by member and then by the `per` members."""

    spec: TypeSpec
    params: Params
    default: Node | None = None
    is_: Text | None = None
    """what it is, where that is worked out before play"""
    expr: Expr | None = None
    """the same, once it has been checked"""
    values: tuple[int, ...] = ()
    texts: tuple[str, ...] = ()
    formulas: dict[int, Expr] = field(default_factory=dict)
    procedures: dict[int, str] = field(default_factory=dict)
    title: str = ""
    unit: str = ""
    """what its numbers count, where that is said"""

    @property
    def label(self) -> str:
        """What players call it: its title, or its name in words."""
        return self.title or spoken(self.name)

    @property
    def heading(self) -> str:
        """What stands above its values: what it is called, and what they count."""
        return f"{self.label} ({self.unit})" if self.unit else self.label

    def counted(self, value: str) -> str:
        """A value in words with what it counts, `5 tokens`; what is no single number stays as it is."""
        is_number = bool(self.unit) and value.removeprefix("-").isdecimal()
        return amount(int(value), self.unit) if is_number else value

    def told(self, value: str) -> str:
        """What it is called and a value of it, for a sentence."""
        return f"{self.heading if self.per else self.label} {self.counted(value)}"

    @property
    def type(self) -> Type | None:
        alone = {"formula": INT, "condition": BOOL}
        return alone.get(self.spec.kind) or value_type(self.spec)

    @property
    def is_formula(self) -> bool:
        """Whether each row says by an expression of its own what it is."""
        return self.spec.kind in FORMULAS


@dataclass(frozen=True, slots=True)
class Paying:
    """How spendable state is paid: what need not be, where it goes, and what may stand in, with rates and names.

    `it` is the player, and an index has its name.
    """

    first: Expr | None = None
    bank: Load | None = None
    instead: tuple[tuple[Load, int, str], ...] = ()


@dataclass(slots=True, eq=False)
class Variable(Indexed):
    """A state variable of a kind, or of the game itself."""

    type: Type
    low: int
    high: int
    start: Text | None
    spendable: bool
    title: str
    seen_by: Text | None
    span: Span
    size: int = 1
    bounded: bool = True
    start_expr: Expr | None = None
    seen_expr: Expr | None = None
    at_most: int = 0
    """how many members a list may hold"""
    size_seen_by: Text | None = None
    size_seen_expr: Expr | None = None
    begun: dict[str, str] = field(default_factory=dict)
    """the names of its rule that `seen_by` reads, each with the memory of what it stood for as this was begun"""
    apart: tuple[Expr, ...] = ()
    """what must hold besides for a player to see it, as it is set by players who act together"""
    lasts: Text | None = None
    """the phase or procedure at whose beginning it is set back to its first value"""
    instead: dict[Text, int] = field(default_factory=dict)
    first: Text | None = None
    bank: Text | None = None
    paying: Paying = field(default_factory=Paying)
    says: str | None = None
    """how it is told that it has another value, with names in braces; without it that is made of titles"""
    unit: str = ""
    """what its numbers count, where that is said"""

    @property
    def label(self) -> str:
        """What players call it: its title, or else its name, before which stands no rule that remembers it."""
        return self.title or spoken(self.name.rpartition(".")[2])

    @property
    def heading(self) -> str:
        """What stands above its values: what it is called, and what they count instead of what a title explains."""
        called = self.label.partition(" (")[0]
        return f"{called} ({self.unit})" if self.unit else called

    @property
    def open(self) -> bool:
        """Whether everybody sees it at any time."""
        return self.seen_expr is None and not self.apart

    @property
    def width(self) -> int:
        """How many slots one value takes: a list's length, then its members."""
        return 1 + self.at_most if self.type.base == "list" else 1


@dataclass
class KindSymbol:
    """A kind and its members, in table order."""

    name: str
    title: str
    members: tuple[str, ...] = ()
    titles: tuple[str, ...] = ()
    attributes: dict[str, Attribute] = field(default_factory=dict)
    state: dict[str, Variable] = field(default_factory=dict)
    in_force: Expr | None = None
    plural: str = ""
    """What several are called, where the ruleset says so."""
    parts: tuple[str, ...] = ()
    """The kinds of which it has a member for each combination."""
    first: int = 0
    """By which number its first member is found: `row[1]` in a kind with the numbers from 1 on."""

    @cached_property
    def index(self) -> dict[str, int]:
        """member id -> its place in the table"""
        return {name: number for number, name in enumerate(self.members)}


@dataclass(slots=True)
class Term:
    """A named predicate or quantity. `body` is set once it has been checked."""

    name: str
    params: Params
    text: Text
    body: Expr | None = None

    @property
    def type(self) -> Type | None:
        """What it yields, once it has been checked."""
        return self.body.type if self.body is not None else None


@dataclass(slots=True)
class Route:
    """Over which graphs one travels, what may be crossed and what it costs."""

    name: str
    params: Params
    over: tuple[str, ...]
    through: dict[str, Expr] = field(default_factory=dict)
    costs: dict[str, Expr] = field(default_factory=dict)
    also: dict[str, Expr] = field(default_factory=dict)


@dataclass(slots=True)
class Symbols:
    """Everything that a name can mean."""

    kinds: dict[str, KindSymbol] = field(default_factory=dict)
    state: dict[str, Variable] = field(default_factory=dict)
    memory: dict[str, Variable] = field(default_factory=dict)
    """what rules remember while they are carried out, by the path of the rule and the name: `actions.dig.found`"""
    together: list[str] = field(default_factory=list)
    """the flags among it that are set while players act together"""
    terms: dict[str, Term] = field(default_factory=dict)
    graphs: dict[str, list[Edge]] = field(default_factory=dict)
    sources: dict[str, list[tuple[str, str]]] = field(default_factory=dict)
    """the kinds and names of the attributes that state the edges of a graph, where these are not written one by one"""
    routes: dict[str, Route] = field(default_factory=dict)
    signatures: dict[str, tuple[str, Params]] = field(default_factory=dict)
    """the path and the parameters of each procedure and phase"""
    owners: dict[str, list[str]] = field(default_factory=dict)
    """member id -> the kinds that have such a member"""
    first_node: dict[str, int] = field(default_factory=dict)
    """kind -> number of its first member among the nodes of all graphs"""
    nodes: int = 0
    declared: dict[str, tuple[str, Span]] = field(default_factory=dict)
    """what each kind, state of the game, term and route is, in words, and where it is declared"""
    broken: set[tuple[str, str]] = field(default_factory=set)
    """kind ("" for the game) and name of attributes and state whose declaration is wrong"""

    def variable(self, owner: str, name: str) -> Variable:
        """A state variable by its kind ("" for the game) and name."""
        if owner:
            return self.kinds[owner].state[name]
        return self.state.get(name) or self.memory[name]

    @property
    def purse_kinds(self) -> dict[str, str]:
        """The kinds whose members players pay with, and the state that counts them."""
        player = self.kinds["player"].state.values()
        return {each.per[0][1]: each.name for each in player if each.spendable and len(each.per) == 1}

    def title_within(self, kind: str, member: int) -> str:
        """A member's title within a sentence: what is paid with is not written large, `2 coin`."""
        title = self.kinds[kind].titles[member]
        single = " " not in title and title[1:].islower()
        return title.lower() if single and kind in self.purse_kinds else title

    def count(self, kind: str) -> int:
        """How many members a kind has."""
        return len(self.kinds[kind].members)

    def sizes(self, item: Indexed) -> tuple[int, ...]:
        """How many members each index has."""
        return tuple(map(self.count, item.kinds))

    def strides(self, item: Indexed) -> tuple[int, ...]:
        """How far apart the values of each index are in a flat table."""
        sizes = self.sizes(item)
        width = item.width if isinstance(item, Variable) else 1
        return tuple(prod(sizes[at + 1 :]) * width for at in range(len(sizes)))

    def known(self) -> list[str]:
        """Every name an expression may use, for suggestions."""
        return [*self.kinds, *self.state, *self.terms, *self.routes, *self.owners, *BUILT_IN]

    def members_called(self, name: str) -> list[tuple[str, str]]:
        """The members, by kind and id, that `member` or `kind.member` may mean, but no actions."""
        kind, _, member = name.rpartition(".")
        kinds = [kind] if kind else [each for each in self.owners.get(name, ()) if each != "action"]
        return [(each, member) for each in kinds if each in self.kinds and member in self.kinds[each].index]

    def check_name(self, name: str, span: Span, diagnostics: Diagnostics) -> None:
        """Refuse a word of the language as a name, or one that is declared already."""
        if name in self.declared and name not in BUILT_IN:
            what, place = self.declared[name]
            diagnostics.error("shadowing", f"`{name}` is {what} already", span, related=((f"{what} `{name}`", place),))
        else:
            self.check_local(name, span, diagnostics)

    def check_local(self, name: str, span: Span, diagnostics: Diagnostics, kind: str = "") -> None:
        """Refuse a word of the language as a local name, and warn where it hides something that is declared.

        A member may be called as its own `kind` is: that is still meant wherever members are gone over.

        A local name wins over everything else: whoever adds a row, a term or state does not see the local names of
        the rules that are there. Members give way without a word, as most rulesets have hundreds of them.
        """
        if name in BUILT_IN:
            message = f"`{name}` is a word of the language"
            diagnostics.error("shadowing", message, span, hint="choose another name")
        elif name in self.declared and name != kind:
            what, place = self.declared[name]
            message = f"`{name}` is also {what}; from here on the local name is meant"
            diagnostics.warning("shadowing", message, span, "choose another name", ((f"{what} `{name}`", place),))

    def uncover(self) -> None:
        """Forget what was found out about players who act together."""
        for flag in self.together:
            del self.memory[flag]
        self.together.clear()
        for variable in every_variable(self):
            variable.apart = ()

    def names(self) -> set[str]:
        """Every id that is declared."""
        inner = [name for kind in self.kinds.values() for name in (*kind.attributes, *kind.state)]
        return {*self.kinds, *self.state, *self.terms, *self.routes, *self.graphs, *self.owners, *inner}


def every_variable(symbols: Symbols) -> list[Variable]:
    """All state variables: the game's own and what rules remember, then kind by kind.

    They come by name, not as written: the order on the page is no part of the rules, so it must not reach the state.
    """
    owned = [variable for kind in symbols.kinds.values() for variable in kind.state.values()]
    every = [*symbols.state.values(), *symbols.memory.values(), *owned]
    return sorted(every, key=lambda variable: (variable.owner, variable.name))
