"""What players do together must not depend on who is asked first, and none may see it before all have finished.

So each changes only what is its own: state that is kept for each player, at `you`. And nobody reads there what another
one may have changed by then. Both are followed through terms, routes, procedures and actions.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from polis_rules.diagnostics import Diagnostics, Span
from polis_rules.semantics import ir
from polis_rules.semantics.explanations import Name, called, explained
from polis_rules.semantics.expressions import BOOL, Bool, Compare, Expr, Load, Not, Type, Var, nodes as n
from polis_rules.semantics.symbols import ANSWER, Variable
from polis_rules.semantics.traversal import PLAYER, YOU, called_by, every_step, inside
from polis_rules.semantics.typed_rules import TypedRules

CODE = "not-apart"
HINT = "keep here what they choose in state of `you`, and do the rest after all have finished"
VIEWER = Var(PLAYER, "viewer")

Steps = dict[str, list[ir.Step]]
Mine = frozenset[str]
"""The names that stand for whoever acts: `you`, and parameters that were given it."""


def act_apart(rules: TypedRules, steps: Steps, findings: Diagnostics) -> None:
    """Check what players do together, add a flag for each such step, and have state seen accordingly.

    `steps` are all of each procedure, by its path.
    """
    for path, every in steps.items():
        for step in every:
            if isinstance(step, ir.Together):
                span = step.span
                flag = Variable("", step.path, (), BOOL, 0, 1, None, False, "", None, span)
                rules.symbols.memory[step.path] = flag
                rules.symbols.together.append(step.path)
                _Apart(rules, explained(rules), path, findings).check(step)


@dataclass(slots=True)
class _Apart:
    """Looks into one step."""

    rules: TypedRules
    explanations: dict[Name, list[Expr]]
    path: str
    findings: Diagnostics
    places: dict[tuple[str, str], set[int]] = field(default_factory=dict)
    """the state that is changed, and which of its indexes are the player's own"""
    reads: list[tuple[Load, Mine, Span]] = field(default_factory=list)
    remembered: set[str] = field(default_factory=set)
    """what the steps themselves remember"""
    followed: set[tuple[object, Mine]] = field(default_factory=set)

    def check(self, step: ir.Together) -> None:
        """Complain about what depends on an order; otherwise note who sees what meanwhile."""
        before = len(self.findings.items)
        self.remembered = {each.name for each in every_step(step.body) if isinstance(each, ir.Remember)}
        self.steps(step.body, frozenset({"you"}))
        if len(self.findings.items) > before:
            return
        for load, mine, at in self.reads:
            own = self.places.get((load.owner, load.name))
            if own and not any(_is_own(load.args[place], mine) for place in own):
                message = f"this reads `{load.name}` of others, who may or may not have changed it by then"
                self.findings.error(CODE, message, at, hint=HINT)
                return
        open_again = Not(BOOL, Load(BOOL, "", step.path, ()))
        for key, own in self.places.items():
            variable = self.rules.symbols.variable(*key)
            players = [Var(PLAYER, variable.names[min(own)])] if own else [] if _is_answer(key) else [YOU]
            sees = [Compare(BOOL, "==", VIEWER, player) for player in players]
            variable.apart = (*variable.apart, Bool(BOOL, "or", (open_again, *sees)))

    # -- steps --------------------------------------------------------------------------------------------------------

    def steps(self, steps: tuple[ir.Step, ...], mine: Mine) -> None:
        for step in steps:
            if problem := _unfit(step, mine):
                self.findings.error(CODE, problem, step.span, hint=HINT)
                continue
            targets = step.targets()
            for load in targets:
                self.write(load, mine, step.span)
            for tree in step.expressions():
                self.read(tree, mine, step.span)
            self.calls(step, mine)
            for inner in inside(step):
                self.steps(inner, mine)

    def calls(self, step: ir.Step, mine: Mine) -> None:
        args = step.args if isinstance(step, ir.Do | ir.DoEffects) else ()
        for path in called_by(step, self.rules.symbols):
            procedure = self.rules.procedures[path]
            inner = _given(procedure.params, args, mine) | {"you"}
            if self.first((path, inner)):
                self.steps(procedure.body, inner)

    def first(self, what: tuple[object, Mine]) -> bool:
        """Whether this is looked at for the first time."""
        if what in self.followed:
            return False
        self.followed.add(what)
        return True

    def write(self, load: Load, mine: Mine, at: Span) -> None:
        """Note that a place is changed, and complain where another player might change it, too."""
        key = load.owner, load.name
        if key in self.places and not self.places[key]:
            return
        if not key[0] and key[1] in self.rules.symbols.memory and self.is_inner(key[1]):
            self.places[key] = set()  # forgotten before the next one acts
            return
        own = {place for place, arg in enumerate(load.args) if _is_own(arg, mine)} & self.places.get(key, set(range(9)))
        if not own:
            label = load.name.rpartition(".")[2]
            message = f"players who act together change only what is their own, and this `{label}` is not that of `you`"
            self.findings.error(CODE, message, load.span or at, hint=HINT)
        self.places[key] = own or set(range(9))

    def is_inner(self, name: str) -> bool:
        """Whether a rule that is carried out inside remembers something for itself."""
        return name.rpartition(".")[0] != self.path or name in self.remembered

    # -- expressions --------------------------------------------------------------------------------------------------

    def read(self, tree: Expr, mine: Mine, at: Span, written: bool = True) -> None:
        """Note the state that an expression reads, through everything that it calls.

        What is not `written` in a step stands where the step calls it.
        """
        for part in tree.walk():
            here = (part.span if written else None) or at
            if isinstance(part, Load):
                self.reads.append((part, mine, here))
            for name, inner in self.called(part, mine):
                if self.first((name, inner)):
                    for each in self.explanations[name]:
                        self.read(each, inner, here, written=False)

    def called(self, part: Expr, mine: Mine) -> Iterator[tuple[Name, Mine]]:
        """What a part of an expression calls, and what stands there for whoever acts."""
        symbols, name = self.rules.symbols, called(part)
        if isinstance(part, n.Possible):
            yield from ((each, frozenset({"you"})) for each in self.explanations if each[0] == "possible")
        elif isinstance(part, n.Call) and name:
            yield name, _given(symbols.terms[part.term].params, part.args, mine)
        elif isinstance(part, n.Formula) and name:
            yield name, _given(symbols.kinds[part.owner].attributes[part.name].params, part.args[1:], mine)
        elif isinstance(part, n.RouteQuestion) and name:
            yield name, _given(symbols.routes[part.route].params, part.args, mine)


def _unfit(step: ir.Step, mine: Mine) -> str:
    """Why something cannot be done by several players together; empty where it can."""
    match step:
        case ir.Roll() | ir.Draw() | ir.Shuffle():
            return "chance decides before or after what players do together, as they take no turns"
        case ir.End():
            return "the game cannot end before all players who act together have finished"
        case ir.Together():
            return "players who act together already cannot do so once more"
        case ir.As() if not _is_own(step.player, mine):
            return "players who act together act for themselves alone"
        case ir.Each(var="you"):
            return "players who act together take no turns"
        case ir.Choose() if step.who is not None and not _is_own(step.who, mine):
            return "players who act together decide for themselves"
    return ""


def _is_own(arg: Expr, mine: Mine) -> bool:
    return isinstance(arg, Var) and arg.name in mine


def _given(params: dict[str, Type], args: tuple[Expr, ...], mine: Mine) -> Mine:
    """The parameters that are given whoever acts."""
    return frozenset(param for param, arg in zip(params, args, strict=True) if _is_own(arg, mine))


def _is_answer(key: tuple[str, str]) -> bool:
    return key[1].rpartition(".")[2] == ANSWER
