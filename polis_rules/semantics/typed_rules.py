"""All rules of a ruleset with a scenario, typed: the last thing the front of the compiler makes."""

from __future__ import annotations

from dataclasses import dataclass, field

from polis_rules.diagnostics import Span
from polis_rules.semantics import ir
from polis_rules.semantics.expressions import Expr, nodes as n
from polis_rules.semantics.symbols import Symbols
from polis_rules.semantics.typed_board import TypedBoard
from polis_rules.semantics.typed_targets import AtTheEnd, Wanted


@dataclass(frozen=True, slots=True)
class Start:
    """One first value: of a variable, at a flat index; a list is packed."""

    owner: str
    name: str
    index: int
    value: int
    span: Span | None = None
    """Where the value is written, if it is."""


@dataclass(slots=True)
class Supply:
    """A counted piece: `total` is the sum of `reserve`, where there is one, and `places`, for each member of `per`."""

    name: str
    per: str
    total: Expr
    reserve: tuple[n.Load, ...]
    """One or none."""
    places: dict[str, Expr]
    span: Span

    def counted(self, symbols: Symbols) -> list[n.Load]:
        """The state that it counts: only `move` may change it."""
        counts = {key: _counted(tree, symbols) for key, tree in self.places.items()}
        # a piece that only says whose something is has no counter to move to: then the reserve is set with it
        if all(counts[key] or isinstance(tree, n.Const) for key, tree in self.places.items()):
            counts["reserve"] = [*self.reserve]
        return [load for loads in counts.values() for load in loads]


def _counted(tree: Expr, symbols: Symbols) -> list[n.Load]:
    """The state whose pieces an amount counts, without what decides whose they are."""
    within: tuple[Expr | None, ...] = ()
    match tree:
        case n.Load():
            return [tree]
        case n.Arith():
            within = (tree.left, tree.right)
        case n.IfElse():
            within = (tree.then, tree.other)
        case n.MinMax():
            within = tree.items
        case n.Comp(func="sum" | "min" | "max"):
            within = (tree.body,)
        case n.Comp(func="count", domain=group) | n.Size(group=group) if group.type.base == "list":
            within = (group,)
        case n.Joined():
            within = (tree.left, tree.right)
        case n.Call():
            within = (symbols.terms[tree.term].body,)
    return [load for part in within if part is not None for load in _counted(part, symbols)]


@dataclass(frozen=True, slots=True)
class Worth:
    """Something that makes a position worth more to a player, or less."""

    name: str
    hundredths: int
    """what one of it is worth, in hundredths of a point"""
    counts: Expr
    """how many there are; `who` is the player"""
    title: str = ""
    """what people read of it"""


@dataclass(slots=True)
class TypedRules:
    """Nothing here refers to YAML any more, except for the places that messages name."""

    symbols: Symbols
    procedures: dict[str, ir.Procedure] = field(default_factory=dict)
    actions: list[ir.ActionRule] = field(default_factory=list)
    supplies: list[Supply] = field(default_factory=list)
    invariants: list[ir.Condition] = field(default_factory=list)
    endings: dict[str, str] = field(default_factory=dict)
    score: dict[str, Expr] = field(default_factory=dict)
    tie_break: dict[str, Expr] = field(default_factory=dict)
    shared: bool = False
    """whether all win together whose scores are equal and the highest"""
    rounds: Expr | None = None
    starts: list[Start] = field(default_factory=list)
    spans: dict[str, Span] = field(default_factory=dict)
    """where the parts of the score, the tie-breaks and `rounds` are written"""
    advice: dict[str, Worth] = field(default_factory=dict)
    """what is worth having beside the score"""
    targets: list[Wanted] = field(default_factory=list)
    """what games between bots should be like"""
    at_the_end: list[AtTheEnd] = field(default_factory=list)
    """what these look at when games are over"""
    board: TypedBoard | None = None
    """how the game looks, where the ruleset says so"""
