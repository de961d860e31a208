"""A ruleset opened for reading: its tree, its document and its typed rules side by side."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from pathlib import Path

from polis_rules.composition import Composed
from polis_rules.diagnostics import Diagnostics
from polis_rules.documentation.rulebook.english import lower_first, plural, upper_first
from polis_rules.incremental import Memory, build
from polis_rules.pipeline import Build, front, whole
from polis_rules.schema import Document
from polis_rules.semantics import ExpressionChecker, TypedRules, every_step, outside, value_of
from polis_rules.semantics.expressions import Expr, RouteQuestion, Scope, Type
from polis_rules.source import Mapping, Text, at, edited, spoken


def read(
    ruleset: str | Path,
    scenario: str | None = None,
    variants: Sequence[str | Path] = (),
    memory: Memory | None = None,
) -> Book:
    """Open a ruleset for reading. Raises RulesetError with every finding when it cannot be used.

    With a `memory`, what is known of rulesets that were opened with it before is not done again. Books that have one
    may share their symbols, so each is read before the next one is opened.
    """
    if memory is None:
        composed, rules, document = front(ruleset, scenario, variants)
    else:
        with edited({}, memory.trees):
            composed, rules, document = whole(build(Build(ruleset, scenario, variants), memory))
    return Book(composed, document, rules)


@dataclass
class Book:
    """Everything that words are made from."""

    composed: Composed
    document: Document
    rules: TypedRules

    def check(self, text: Text, scope: Scope, want: Type | None = None) -> Expr | None:
        """The typed tree of an expression that the type checker has accepted in this scope."""
        return self._checker.check(text, scope, want)

    @cached_property
    def _checker(self) -> ExpressionChecker:
        symbols = self.rules.symbols
        return ExpressionChecker(symbols, Diagnostics(), lambda term: symbols.terms[term].type)

    # -- what things are called -------------------------------------------------------------------------------------

    def kind(self, name: str) -> str:
        """A kind in a sentence, e.g. `red card`."""
        return lower_first(self.rules.symbols.kinds[name].title)

    def kinds(self, name: str) -> str:
        """The plural of a kind."""
        return lower_first(self.rules.symbols.kinds[name].plural) or plural(self.kind(name))

    def title(self, kind: str, member: int) -> str:
        """A member in a sentence; none is `nobody` or `nothing`. What is paid with is not written large."""
        if member < 0:
            return "nobody" if kind == "player" else "nothing"
        return self.rules.symbols.title_within(kind, member)

    def full_title(self, kind: str, member: str) -> str:
        """A member, by its id, where its title stands alone."""
        known = self.rules.symbols.kinds[kind]
        return known.titles[known.index[member]]

    def member(self, kind: str, member: str) -> str:
        """A member, by its id, in a sentence."""
        return self.title(kind, self.rules.symbols.kinds[kind].index[member])

    @cached_property
    def purse_kinds(self) -> dict[str, str]:
        """The kinds whose members are paid with, and the state that counts them."""
        return self.rules.symbols.purse_kinds

    def is_place(self, kind: str) -> bool:
        """Whether things are `in` a member of this kind: it stands in a graph."""
        return kind in self.rules.symbols.first_node and kind != "player"

    def rule(self, path: str) -> str:
        """What a procedure or phase is called: its title if that is short and its own, or else its id."""
        return self._rule_names.get(path, upper_first(spoken(path.rpartition(".")[2])))

    @cached_property
    def _rule_names(self) -> dict[str, str]:
        titles = {}
        for section, rules in (("procedures", self.document.procedures), ("phases", self.document.phases)):
            for name, rule in rules.items():
                short = rule.title is not None and len(rule.title.split()) <= 4
                titles[f"{section}.{name}"] = str(rule.title) if short else upper_first(spoken(name))
        often = Counter([*titles.values(), *self.rules.symbols.kinds["action"].titles])
        return {path: title for path, title in titles.items() if often[title] == 1}

    @cached_property
    def routes_asked_for(self) -> dict[str, set[tuple[str, str]]]:
        """For each route that the rules ask for, between which kinds they do."""
        asked: dict[str, set[tuple[str, str]]] = defaultdict(set)
        steps = (step for procedure in self.rules.procedures.values() for step in every_step(procedure.body))
        for tree in chain(*(step.expressions() for step in steps), *outside(self.rules).values()):
            for expr in tree.walk():
                if isinstance(expr, RouteQuestion):
                    asked[expr.route].add((expr.start.type.kind, expr.goal.type.kind))
        return dict(asked)

    def term(self, name: str) -> tuple[dict[str, Type], Expr | None]:
        """A term's parameters, and what it stands for before any card changes it."""
        term = self.rules.symbols.terms[name]
        return term.params, self.check(term.text, Scope().having(**term.params))

    def changed_terms(self, kind: str, member: str, attribute: str) -> dict[Text, Text]:
        """The terms that an attribute of a row changes, and what it says of them."""
        raw = value_of(at(at(self.document.tables, kind), member), attribute)
        entries = raw.entries.items() if isinstance(raw, Mapping) else ()
        return {term: text for term, text in entries if isinstance(text, Text)}
