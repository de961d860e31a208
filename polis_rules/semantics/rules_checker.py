"""Typecheck a whole document: every expression gets a type, every rule becomes typed steps."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from functools import partial
from graphlib import CycleError, TopologicalSorter
from typing import TypeVar, TypeVarTuple

from polis_rules.diagnostics import Diagnostics, Span
from polis_rules.schema import Document, document as declared, steps as written
from polis_rules.semantics import ir
from polis_rules.semantics.check_actions import typed_action
from polis_rules.semantics.check_board import typed_board
from polis_rules.semantics.check_book import check_book
from polis_rules.semantics.check_changes import RuleContext
from polis_rules.semantics.check_expressions import ExpressionChecker
from polis_rules.semantics.check_routes import typed_route
from polis_rules.semantics.check_steps import StepChecker
from polis_rules.semantics.check_supplies import typed_supply
from polis_rules.semantics.check_targets import typed_at_the_end, typed_targets
from polis_rules.semantics.explanations import Name
from polis_rules.semantics.expressions import BOOL, INT, Expr, Scope, Type, fits, nodes as n, substitute
from polis_rules.semantics.initial_values import StartReader
from polis_rules.semantics.questions import Questions
from polis_rules.semantics.references import NOT_NOTED, References, note_params
from polis_rules.semantics.resolver import rows_of, value_of
from polis_rules.semantics.symbols import Attribute, KindSymbol, Params, Paying, Symbols, Term, Variable, every_variable
from polis_rules.semantics.told import told_of_choices, told_so
from polis_rules.semantics.traversal import PLAYER
from polis_rules.semantics.typed_rules import TypedRules, Worth
from polis_rules.semantics.units import WORD, Unit, Units, meanings
from polis_rules.semantics.well_formed import Derive, Shared, check_well_formed
from polis_rules.semantics.what_counts import check_units_of_terms
from polis_rules.semantics.write_sets import read_list, write_sets
from polis_rules.source import Mapping, Text, at, entry, spoken

T = TypeVar("T")
Given = TypeVarTuple("Given")

MOST_TERMS = 60
"""How many terms may be explained one by the other."""

LONGEST_BASE = 60
"""A term with more parts than this gets a name of its own before a row changes it."""


def typecheck(
    document: Document,
    symbols: Symbols,
    diagnostics: Diagnostics,
    references: References | None,
    units: Units | None,
    derive: Derive,
) -> TypedRules:
    """The typed rules of a document. What is wrong is reported and left out; what names mean goes to `references`.

    With `units`, only those rules are checked that no unit is known of, or that mean something else now. `derive`
    gives attributes that are worked out before play their values, as soon as their expressions are known to be right.
    """
    return RulesChecker(document, symbols, diagnostics, references or NOT_NOTED, units, derive).run()


class RulesChecker:
    """Walks the document section by section."""

    def __init__(
        self,
        document: Document,
        symbols: Symbols,
        diagnostics: Diagnostics,
        references: References,
        units: Units | None,
        derive: Derive,
    ) -> None:
        self.document = document
        self.symbols = symbols
        self.diagnostics = diagnostics
        self.expressions = ExpressionChecker(symbols, diagnostics, self.require_term)
        self.expressions.references = self.references = references
        endings = [str(name) for name in document.endings]
        self.questions = self.expressions.questions
        self.questions.changes = write_sets(document, units.changes if units is not None else read_list)
        self.steps = StepChecker(self.expressions, endings)
        self.rules = TypedRules(symbols)
        self.busy: list[str] = []
        self.known: set[str] = set()
        """the terms that have been checked"""
        self.too_deep = False
        self.bases = Counter[str]()
        """how many names terms have got for what they are without a change"""
        self.units = units
        self.derive = derive
        self.made, self.noted = self.expressions.made, self.references.found
        if units is not None:
            units.changes.begin()
            units.declare(meanings(document, symbols))

    def run(self) -> TypedRules:
        self.symbols.uncover()  # they may have been checked before, with other rules
        self.vocabulary()
        for name, item in {**self.document.procedures, **self.document.phases}.items():
            path = self.symbols.signatures[name][0]
            procedure = self.once(path, self.procedure, path, name, item, more=(name,))
            self.rules.procedures[path] = self.steps.beginning(procedure, name)
        for name, action in self.document.actions.items():
            path = f"actions.{name}"
            procedure, rule = self.once(path, self.action, path, name, action, more=(name,))
            self.rules.procedures[path] = procedure
            self.rules.actions.append(rule)
        self.last()
        if not self.diagnostics.has_errors:
            once = self.units.well_formed if self.units is not None else Shared()
            once.begin()
            found = self.expressions.made, self.expressions.bounded
            check_well_formed(self.rules, self.spans(), *found, self.diagnostics, once, self.derive)
        return self.rules

    def once(
        self, path: str, check: Callable[[*Given], T], *given: *Given, name: str = "", more: tuple[object, ...] = ()
    ) -> T:
        """What the check of one rule makes, or what it has made the last time if nothing that it asks is different.

        `path` leads to what it looks at, `name` tells apart what stands there together, and `more` are those of the
        things it is given that neither `path` nor the words there tell.
        """
        if self.units is None:
            with self.references.inside(path):
                return check(*given)
        unit, again = self.units.of(path, name, (self.references is NOT_NOTED, *more), self.same)
        if not again:
            findings = len(self.diagnostics.items)
            reader = self.expressions
            outer = reader.made, reader.bounded, reader.asked  # a term may be checked within a rule
            noted, self.references.found = self.references.found, unit.noted
            reader.made, reader.bounded, reader.asked = unit.made, unit.bounded, unit.asked
            try:
                with self.references.inside(path):
                    unit.value = check(*given)
            finally:
                reader.made, reader.bounded, reader.asked = outer
                self.references.found = noted
            if len(self.diagnostics.items) == findings:
                self.units.checked(path, name, unit)
        self.made += unit.made
        self.expressions.bounded += unit.bounded
        self.noted += unit.noted
        value: T = unit.value
        return value

    def same(self, unit: Unit) -> bool:
        """Whether everything that the check of a rule has asked for is still answered in the same way."""
        return all(question(self.questions, about) == answer for (question, about), answer in unit.asked.items())

    def vocabulary(self) -> None:
        """Everything that rules speak of: terms, routes, state, supplies, and what rows carry."""
        for name in self.terms_in_order():
            try:
                self.require_term(name)
            except RecursionError:  # long terms in a long circle
                self.busy.clear()
                message = "too many terms, which are long themselves, are explained one by the other"
                self.diagnostics.error("too-much-work", message, self.symbols.terms[name].text.span)
        check_units_of_terms(self.document, self.symbols, self.diagnostics)
        for name, kind in self.document.kinds.items():
            if kind.in_force is not None:
                scope = Scope().having(it=Type("ref", str(name)))
                path = f"kinds.{name}.in_force"
                self.symbols.kinds[name].in_force = self.once(path, self.expressions.check, kind.in_force, scope, BOOL)
        self.derived()
        self.changes()
        self.routes()
        self.variables()
        self.supplies()
        self.carried()

    def terms_in_order(self) -> list[str]:
        """The terms, those first that others name, so that none is checked deep within others; in a circle as written.

        The order on the page makes no difference then to how many may be explained one by the other.
        """
        terms = self.symbols.terms
        named = {name: terms.keys() & {*WORD.findall(term.text)} - {name} for name, term in terms.items()}
        with suppress(CycleError):
            return list(TopologicalSorter({name: sorted(words) for name, words in named.items()}).static_order())
        return list(terms)

    def declares(self, path: str, name: Text, of: dict[Text, Text]) -> None:
        """Note that a rule and its parameters stand here."""
        self.references.note(path, name.span, declares=True)
        note_params(path, of, {kind: f"kinds.{kind}" for kind in self.symbols.kinds}, self.references)

    def spans(self) -> dict[Name, Span]:
        """Where terms, routes, formulas and actions are written."""
        document = self.document
        spans: dict[Name, Span] = {("term", str(name)): name.span for name in document.terms}
        spans |= {("route", str(name)): name.span for name in document.routes}
        spans |= {("possible", str(name)): name.span for name in document.actions}
        for name, kind in document.kinds.items():
            spans |= {("formula", f"{name}.{attribute}"): attribute.span for attribute in kind.attributes}
        return spans

    # -- terms, routes, state ---------------------------------------------------------------------------------------

    def require_term(self, name: str) -> Type | None:
        """Check a term when it is first needed; its type, or None when it is wrong."""
        term = self.symbols.terms[name]
        if term.name in self.busy:
            shown = " -> ".join([*self.busy[self.busy.index(term.name) :], term.name])
            self.diagnostics.error("endless-term", f"`{term.name}` uses itself: {shown}", term.text.span)
            return None
        if term.name not in self.known:
            self.known.add(term.name)
            term.body = None
            if len(self.busy) >= MOST_TERMS:
                if not self.too_deep:
                    message = f"more than {MOST_TERMS} terms are explained one by the other"
                    self.diagnostics.error("too-much-work", message, term.text.span)
                self.too_deep = True
                return None
            self.busy.append(term.name)
            scope = Scope().having(**term.params).knowing(term.params.facts)
            term.body = self.once(f"terms.{term.name}", self.expressions.check, term.text, scope)
            self.busy.pop()
            if term.body is not None and term.body.type.base == "none":
                self.diagnostics.error("wrong-type", "none alone is of no kind, so it needs no term", term.text.span)
                term.body = None
        return None if term.body is None else term.body.type

    def derived(self) -> None:
        """What attributes are that no row gives."""
        for kind in self.symbols.kinds.values():
            for name, attribute in kind.attributes.items():
                if attribute.is_ is not None:
                    path = f"kinds.{kind.name}.attributes.{name}"
                    attribute.expr = self.once(path, self.derivation, attribute, attribute.is_)

    def derivation(self, attribute: Attribute, text: Text) -> Expr | None:
        """What an attribute is worked out of: its member is `it`."""
        scope = Scope().having(**{name: Type("ref", kind) for name, kind in attribute.per if name != kind})
        want = attribute.type
        assert want is not None
        tree = self.expressions.check_near(text, scope.having(it=Type("ref", attribute.owner)), want)
        if tree is None or fits(tree.type, want):
            return tree
        if tree.type.sure() == want:
            hint = f"write `type: {want} or none`, or choose what it is then"
            self.diagnostics.error("maybe-none", f"`{attribute.name}` would be none for some {want}", text.span, hint)
        else:
            self.diagnostics.error("wrong-type", f"expected {want}, found {tree.type}", text.span)
        return None

    def changes(self) -> None:
        """Wrap terms in what the members in force make of them.

        Every term that a row changes must exist, and its kind must say when its rows are in force.
        """
        for kind, attribute, number, member, row in self.cells("changes"):
            in_force = at(self.document.kinds, kind.name).in_force
            raw = value_of(row, attribute.name)
            for name, text in raw.entries.items() if isinstance(raw, Mapping) else ():
                term = self.symbols.terms.get(name)
                if term is None:
                    message = f"there is no term `{name}`"
                    self.diagnostics.unknown("unknown-name", message, name.span, name, self.symbols.terms)
                    continue
                self.references.note(f"terms.{name}", name.span)
                if in_force is None:
                    message = f"`{kind.name}` does not say when its members are in force"
                    self.diagnostics.error("never-in-force", message, name.span, hint="add in_force to the kind")
                elif isinstance(text, Text) and term.body is not None and kind.in_force is not None:
                    both, base = (term.body, kind.in_force), self._base(term, term.body)
                    path, what = f"tables.{kind.name}.{member}", f"{attribute.name}.{name}"
                    term.body = self.once(path, self.changed, term, base, kind, number, text, name=what, more=both)

    def changed(self, term: Term, base: Expr, kind: KindSymbol, number: int, text: Text) -> Expr:
        """What a term is with a change that a row makes while it is in force; where that is wrong, what it was."""
        with self.references.inside(f"terms.{term.name}"):
            change = self.expressions.check(text, Scope({**term.params}, term.params.facts, base), base.type)
        if change is None or kind.in_force is None:
            return base
        now = substitute(kind.in_force, {"it": n.Const(Type("ref", kind.name), number)})
        return n.IfElse(base.type, now, change, base)

    def cells(self, what: str) -> Iterator[tuple[KindSymbol, Attribute, int, Text, declared.Row]]:
        """Where rows give attributes of a type: the kind, the attribute, and the row with its member."""
        for kind in self.symbols.kinds.values():
            for attribute in kind.attributes.values():
                if attribute.spec.kind == what:
                    rows = enumerate(rows_of(self.document, kind.name).items())
                    yield from ((kind, attribute, number, member, row) for number, (member, row) in rows)

    def _base(self, term: Term, body: Expr) -> Expr:
        """A term without a change: the expression itself while it is short, so that changes of changes stay so."""
        if sum(1 for _ in body.walk()) <= LONGEST_BASE:
            return body
        self.bases[term.name] += 1
        name = f"{term.name}_BASE_{self.bases[term.name]}"  # ids of rulesets are lower case
        self.symbols.terms[name] = Term(name, term.params, term.text, body)
        return n.Call(body.type, name, tuple(n.Var(kind, param) for param, kind in term.params.items()))

    def routes(self) -> None:
        routes = self.symbols.routes
        for name, item in self.document.routes.items():
            routes[str(name)] = self.once(f"routes.{name}", typed_route, self.steps, item, routes[str(name)])

    def variables(self) -> None:
        for variable in every_variable(self.symbols):
            said = variable.start, variable.seen_by, variable.size_seen_by, variable.first, variable.bank
            if variable.instead or any(text is not None for text in said):
                owner = f"kinds.{variable.owner}." if variable.owner else ""
                path = f"{owner}state.{variable.name}"
                variable.start_expr, variable.seen_expr, variable.size_seen_expr, variable.paying = self.once(
                    path, self.variable, variable
                )

    def variable(self, variable: Variable) -> tuple[Expr | None, Expr | None, Expr | None, Paying]:
        """The first value of some state, who sees it and who sees how much there is of it, and how it is paid."""
        scope = Scope().having(**{name: Type("ref", kind) for name, kind in variable.per if name != kind})
        if variable.owner:
            scope = scope.having(it=Type("ref", variable.owner))
        known = {word: replace(self.symbols.memory[name].type, maybe=False) for word, name in variable.begun.items()}
        check, start, viewing = self.expressions.check, variable.start, scope.having(viewer=PLAYER, **known)
        first = check(start, scope, variable.type)
        if first is not None and start is not None and variable.width > 1:  # other bounds are looked at by the start
            self.steps.within(variable, first, start)
        seen, size_seen = (check(text, viewing, BOOL) for text in (variable.seen_by, variable.size_seen_by))
        paying = self.steps.paying(variable) if variable.owner == "player" and variable.spendable else Paying()
        return first, seen, size_seen, paying

    # -- rules ------------------------------------------------------------------------------------------------------

    def carried(self) -> None:
        """Formulas and effects that rows carry."""
        for kind, attribute, number, member, row in (*self.cells("formula"), *self.cells("condition")):
            raw = value_of(row, attribute.name) or attribute.default
            if isinstance(raw, Text):
                path, name = f"tables.{kind.name}.{member}", attribute.name
                rule = f"{path}.{name}"
                if raw is attribute.default:
                    path = rule = f"kinds.{kind.name}.attributes.{name}"
                    name = str(member)
                tree = self.once(path, self.formula, attribute, number, raw, rule, name=name)
                if tree is not None:
                    attribute.formulas[number] = tree
        for kind, attribute, number, member, row in self.cells("effects"):
            if attribute.name in row.effects:
                path, name = f"tables.{kind.name}.{member}", attribute.name
                effects = self.once(path, self.effects, kind, attribute, number, member, row, name=name, more=(member,))
                for flat, procedure in effects:
                    attribute.procedures[flat] = procedure.path
                    self.rules.procedures[procedure.path] = procedure

    def formula(self, attribute: Attribute, number: int, raw: Text, rule: str) -> Expr | None:
        """The formula of a row; in a default of all, `it` is the row's member as well."""
        scope = Scope().having(it=Type("ref", attribute.owner), **attribute.params).knowing(attribute.params.facts)
        owner = f"kinds.{attribute.owner}.attributes.{attribute.name}"
        with self.references.inside(rule, attribute.params, owner):
            tree = self.expressions.check(raw, scope, attribute.type)
        return tree and substitute(tree, {"it": n.Const(Type("ref", attribute.owner), number)})

    def effects(
        self, kind: KindSymbol, attribute: Attribute, number: int, member: Text, row: declared.Row
    ) -> list[tuple[int, ir.Procedure]]:
        """The lists of steps that a row carries, with the flat indexes of the members that they are for."""
        kinds = [self.symbols.kinds[name] for _, name in attribute.per]
        base, owner = f"tables.{kind.name}.{member}.{attribute.name}", f"kinds.{kind.name}.attributes.{attribute.name}"
        procedures = []
        for keys, steps in (entry(row.effects, attribute.name) or {}).items():
            if any(key not in inner.index for key, inner in zip(keys, kinds, strict=True)):
                continue  # the check of the table has said so
            flat, path = number, ".".join([base, *keys])
            for key, inner in zip(keys, kinds, strict=True):
                flat = flat * len(inner.members) + inner.index[key]
            with self.references.inside(base, attribute.params, owner):
                procedures.append((flat, self.steps_of(path, kind.titles[number], member, attribute.params, steps)))
        return procedures

    def procedure(self, path: str, name: Text, item: declared.Procedure) -> ir.Procedure:
        """A procedure or a phase."""
        self.declares(path, name, item.of)
        procedure = self.steps_of(path, str(item.title or ""), name, self.symbols.signatures[name][1], item.do)
        procedure.says = told_so(self.diagnostics, self.references, item.says, procedure)
        procedure.announce = item.title is not None and name in self.document.phases
        return procedure

    def steps_of(self, path: str, title: str, name: Text, params: Params, steps: list[written.Step]) -> ir.Procedure:
        """A procedure of some steps, for whoever acts."""
        context = self.begin(path, params)
        body = self.steps.check(steps, Scope().having(you=PLAYER, **params).knowing(params.facts))
        body = (*self.steps.unanswered(name.span), *body, *self.steps.forgotten())
        procedure = ir.Procedure(path, title, params, body, name.span, context.locals)
        told_of_choices(self.diagnostics, self.references, context.says, procedure)
        return procedure

    def begin(self, path: str, params: dict[str, Type]) -> RuleContext:
        """Go over to the steps of a procedure."""
        self.steps.rule = RuleContext(path, dict(params))
        return self.steps.rule

    def action(self, path: str, name: Text, action: declared.Action) -> tuple[ir.Procedure, ir.ActionRule]:
        """An action, and when it is possible."""
        self.declares(path, name, {})
        self.begin(path, {})
        return typed_action(self.steps, name, action)

    # -- supplies, end, score ---------------------------------------------------------------------------------------

    def last(self) -> None:
        document, rules = self.document, self.rules
        for name, text in document.invariants.items():
            test = self.once(f"invariants.{name}", self.of_score, text, Scope(), BOOL)
            if test is not None:
                rules.invariants.append(ir.Condition(str(name), test, str(text), text.span))
        rules.endings = {
            str(name): str(item.title or spoken(name).capitalize()) for name, item in document.endings.items()
        }
        scope = Scope().having(who=PLAYER)
        parts = (
            ("terms", document.score.terms, rules.score),
            ("tie_break", document.score.tie_break, rules.tie_break),
        )
        for part, section, values in parts:
            for name, text in section.items():
                rules.spans[str(name)] = text.span
                value = self.once(f"score.{part}.{name}", self.of_score, text, scope, INT)
                if value is not None:
                    values[str(name)] = value
        rules.shared = document.score.shared
        for name, advice in document.advice.items():
            rules.spans[f"advice.{name}"] = advice.counts.span
            value = self.once(f"advice.{name}", self.of_score, advice.counts, scope, INT)
            if value is not None:
                rules.advice[str(name)] = Worth(str(name), advice.points, value, str(advice.title or spoken(name)))
        if document.manifest.rounds is not None:
            rules.spans["rounds"] = document.manifest.rounds.span
            rules.rounds = self.once("manifest.rounds", self.of_score, document.manifest.rounds, Scope(), INT)
        reader = StartReader(self.expressions, partial(self.expressions.ask, Questions.is_reserve))
        rules.starts = self.once("scenario.start", reader.read, document.scenario.start)
        if document.board is not None:
            rules.board = typed_board(document.board, self.symbols, self.diagnostics, self.references, self.told)
        if document.book is not None:
            check_book(document.book, document, self.diagnostics, self.references)
        if document.targets is not None:
            rules.targets = typed_targets(document.targets, document, self.symbols, self.diagnostics, self.references)
            for name, looked_at in document.targets.at_the_end.items():
                path = f"targets.at_the_end.{name}"
                rules.spans[path] = looked_at.if_.span
                given = (name, looked_at, self.symbols, self.diagnostics, self.references, self.of_score)
                found = self.once(path, typed_at_the_end, *given)
                rules.at_the_end += [] if found is None else [found]
        if "game" not in document.phases:
            self.diagnostics.error("no-beginning", "play begins with the phase `game`, and there is none", None)

    def told(self, kind: str, text: Text) -> Expr | None:
        """A number that people are told of each member of a kind."""
        return self.of_score(text, Scope().having(it=Type("ref", kind)), INT)

    def of_score(self, text: Text, scope: Scope, want: Type) -> Expr | None:
        """An expression beside the rules; all of these together have their local names."""
        with self.references.inside("score"):
            return self.expressions.check(text, scope, want)

    def supplies(self) -> None:
        for name, item in self.document.supplies.items():
            supply = self.once(f"supplies.{name}", typed_supply, self.expressions, name, item, more=(name,))
            if supply is not None:
                self.rules.supplies.append(supply)
                for counted in supply.counted(self.symbols):
                    self.questions.counted[counted.owner, counted.name] = supply.name
                self.questions.reserves |= {(each.owner, each.name) for each in supply.reserve}
