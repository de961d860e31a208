"""State that a player may not see, but could tell from the options or reads in a title.

Why: whoever is offered some options and not others learns what the state must be.
Example: `held: {per: {owner: player}, type: 0..5, seen_by: viewer == owner}`, and a choice of `you` with
`where: card.held[next(you)] > 0`, `from: 0..card.held[next(you)]` or `title: Beat {card.held[next(you)]}`.
"""

from __future__ import annotations

from collections.abc import Iterator

from polis_rules.semantics import Sources, ir
from polis_rules.semantics.expressions import Call, Compare, Expr, Load, Size, Type, Var, substitute
from polis_rules.validation.analysis import DEEPEST, Facts, Rule, Seen, Subject, explained, walking

YOU = Var(Type("ref", "player"), "you")


def check(subject: Subject) -> None:
    """Report `hidden-state`."""
    subject.report(_look)
    subject.report(_kept_open)


def _kept_open(subject: Subject, rule: Rule) -> None:
    """Complain where everybody sees memory that is made of what not everybody may see, or may see come out."""
    secret = {step.var for step in rule.steps if isinstance(step, ir.Roll | ir.Draw) and step.seen_by is not None}
    for step in rule.steps:
        if type(step) is not ir.Set or step.target.name not in subject.symbols.memory:
            continue
        label = step.target.name.rpartition(".")[2]
        read = {part.name for part in step.value.walk() if isinstance(part, Var)} & secret
        counted = [part.group for part in step.value.walk() if isinstance(part, Size) and isinstance(part.group, Load)]
        known = {id(load) for load in counted if subject.symbols.variable(load.owner, load.name).size_seen_expr is None}
        read |= {
            part.name
            for part in step.value.walk()
            if isinstance(part, Load)
            and id(part) not in known
            and part.name != step.target.name
            and subject.symbols.variable(part.owner, part.name).seen_expr is not None
        }
        memory = subject.symbols.memory[step.target.name]
        if read and memory.open:
            message = f"everybody sees `{label}`, which is made of `{min(read)}`, and that not all may see"
            hint = "let its `seen_by` say who sees it"
            subject.found.warning("hidden-state", message, memory.span, hint, confidence="likely")


def _look(subject: Subject, rule: Rule) -> None:
    variables = (subject.symbols.variable(*key) for key in subject.effects.reads_in(rule.path))
    if all(variable.seen_expr is None for variable in variables):
        return
    made = Sources({rule.path: rule.procedure} if rule.procedure is not None else {}, subject.symbols)
    for seen in subject.seen(rule):
        how = _learnt(seen)
        hidden = _Hidden(subject, seen.step)
        trees = [seen.tree, *_made_of(seen, made)] if how else []
        load = next((load for tree in trees if (load := hidden.first(tree, seen.facts)) is not None), None)
        if load is not None:
            variable = subject.symbols.variable(load.owner, load.name)
            message = f"whoever is asked here may not see `{load.name}`, but {how}"
            related = (("who sees it", variable.seen_by.span if variable.seen_by is not None else variable.span),)
            at = walking.place(seen.tree)
            subject.found.warning("hidden-state", message, at, related=related, confidence="likely")


def _learnt(seen: Seen) -> str:
    """How a player learns the value of an expression; "" where it decides neither what is offered nor what is read."""
    if seen.what == "title":
        return "is to read it in a title, which says `hidden` instead"
    offered = isinstance(seen.step, ir.Choose) and seen.tree is not seen.step.who
    required = seen.step is None and seen.what in ("condition", "cost")
    return "could tell it from the options" if offered or required else ""


def _made_of(seen: Seen, made: Sources) -> Iterator[Expr]:
    """What the local names in an expression are made of; where somebody else was `you`, that is nobody known."""
    if seen.step is None:
        return
    for name in {part.name for part in seen.tree.walk() if isinstance(part, Var)}:
        for source in made.of(seen.step, name)[1]:
            yield source.tree if source.same_you else substitute(source.tree, {"you": Var(YOU.type, "(you)")})


class _Hidden:
    """What the player who is asked may not see."""

    def __init__(self, subject: Subject, step: ir.Step | None) -> None:
        self.symbols = subject.symbols
        self.chooser: Expr = getattr(step, "who", None) or YOU

    def first(self, tree: Expr, facts: Facts, deep: int = DEEPEST) -> Load | None:
        """State that the chooser may not see, and that an expression reads, terms followed."""
        parts = list(facts.parts(tree))
        match tree:
            case Call():
                body = explained(tree, self.symbols) if deep else None
                parts += [(body, facts)] if body is not None else []
                deep -= 1
            case Compare():  # whether one sees something is no secret
                parts = [
                    (part, facts)
                    for side in (tree.left, tree.right)
                    for part in (side.children() if self.tells(tree, side) else (side,))
                ]
            case Size(group=Load() as group) if group.type.base == "list":
                return None if self.counts(group, facts) else group
            case Load() if not self.sees(tree, facts):
                return tree
        return next((load for part, known in parts if (load := self.first(part, known, deep)) is not None), None)

    def counts(self, load: Load, facts: Facts) -> bool:
        """Whether the chooser certainly knows how many members a list holds."""
        sight = self.bound(load, self.symbols.variable(load.owner, load.name).size_seen_expr)
        return sight is None or self.sees(load, facts) or facts.verdict(sight) is True

    def sight(self, load: Load) -> Expr | None:
        """The condition under which the chooser sees a value; None where everybody does."""
        return self.bound(load, self.symbols.variable(load.owner, load.name).seen_expr)

    def bound(self, load: Load, seen: Expr | None) -> Expr | None:
        """Who sees something, for the chooser and for the members that some state is of."""
        variable = self.symbols.variable(load.owner, load.name)
        names = (["it"] if variable.owner else []) + [name for name, _ in variable.per]
        bound = {**dict(zip(names, load.args, strict=True)), "viewer": self.chooser}
        return substitute(seen, bound) if seen is not None else None

    def sees(self, load: Load, facts: Facts) -> bool:
        """Whether the chooser certainly sees a value."""
        sight = self.sight(load)
        return sight is None or facts.verdict(sight) is True

    def tells(self, tree: Compare, side: Expr) -> bool:
        """Whether a comparison asks of a value just what decides whether the chooser sees it."""
        sight = self.sight(side) if isinstance(side, Load) else None
        same = isinstance(sight, Compare) and {sight.op, tree.op} <= {"==", "!="}
        return same and isinstance(sight, Compare) and {sight.left, sight.right} == {tree.left, tree.right}
