"""How far games can come by what is constant: a term that only says `false` closes the branches that ask for it."""

from __future__ import annotations

from collections.abc import Iterable

from polis_rules.diagnostics import Span
from polis_rules.semantics import RowRanges, TypedRules, called_by, inside, ir, outside
from polis_rules.semantics.expressions import Call, Expr
from polis_rules.verification.rewriter import label_of

Key = tuple[str, Span, str]
"""What something is (requirement, condition, term or effect), where it stands, and its label, verb or id."""


class Reach:
    """Goes through rules from where play begins; `keys` are the things that games may come to."""

    def __init__(self, rules: TypedRules) -> None:
        self.rules = rules
        self.ranges = RowRanges(rules.symbols, switches=True)
        self.keys: set[Key] = set()
        self._begun: set[str] = set()
        for word, trees in outside(rules).items():
            if not word.startswith("term "):
                self._asked(trees)
        self._possible = {each.procedure for each in rules.actions if self._begins(each)}
        self._procedure("phases.game")

    def verdict(self, tree: Expr) -> bool | None:
        """Whether a condition comes out one way only."""
        return self.ranges.verdict(tree, {})

    def _asked(self, trees: Iterable[Expr]) -> None:
        """Note the terms that some expressions ask, and those that these ask."""
        for part in (part for tree in trees for part in tree.walk()):
            if isinstance(part, Call) and part.term not in self._begun:
                self._begun.add(part.term)
                term = self.rules.symbols.terms[part.term]
                self.keys.add(("term", term.text.span, term.name))
                self._asked((term.body,) if term.body is not None else ())

    def _begins(self, action: ir.ActionRule) -> bool:
        """Whether an action may be possible."""
        return self._hold(action.conditions) and (action.first is None or self._step(action.first))

    def _procedure(self, path: str) -> None:
        section = path.partition(".")[0]
        if path not in self._begun and (section != "actions" or path in self._possible):
            self._begun.add(path)
            self._steps(self.rules.procedures[path].body)

    def _hold(self, conditions: tuple[ir.Condition, ...]) -> bool:
        """Whether conditions that are asked one after the other may all hold."""
        for each in conditions:
            self.keys.add(("requirement", each.span, each.label))
            if self.verdict(each.test) is False:
                return False
        return True

    def _steps(self, steps: tuple[ir.Step, ...]) -> bool:
        """Whether games may come to the end of a list."""
        for step in steps:
            self.keys.add(("effect", step.span, label_of(step)))
            if not self._step(step):
                return False
        return True

    def _step(self, step: ir.Step) -> bool:
        """Whether games that come to a step may come to the one after it."""
        if isinstance(step, ir.If | ir.While):
            self.keys.add(("condition", step.span, label_of(step)))
        self._asked(step.expressions())
        for path in called_by(step, self.rules.symbols):
            self._procedure(path)
        match step:
            case ir.Choose():
                ways = [self._steps(way.do) for way in step.ways if self._hold(way.conditions)]
                chosen = bool(step.var) and self._hold(step.tests) and self._steps(step.do) and self._hold(step.leaving)
                return chosen or any(ways) or step.if_possible
            case ir.Draw():
                return self._hold(step.conditions) or step.if_possible
            case ir.If():
                verdict = self.verdict(step.test)
                then = verdict is not False and self._steps(step.then)
                return (verdict is not True and self._steps(step.other)) or then
            case ir.Several():
                self._hold(step.choice.tests)
            case ir.Choices(body=(first, *_)):  # which begins only if its first choice has an option
                if self._step(first):
                    self._steps(step.body)
            case ir.While(test=test) | ir.Each(test=test) if test is not None and self.verdict(test) is False:
                pass
            case _:
                for steps in inside(step):
                    self._steps(steps)
        return True
