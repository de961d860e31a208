"""Typecheck a whole document: every expression gets a type, every rule becomes typed steps."""

from __future__ import annotations

import re
from collections.abc import Iterator

from polis_rules.diagnostics import Diagnostics, Span
from polis_rules.schema import Action, Document, Procedure, Route as WrittenRoute, Row, steps as written
from polis_rules.semantics import ir
from polis_rules.semantics.check_changes import RuleContext
from polis_rules.semantics.check_expressions import ExpressionChecker
from polis_rules.semantics.check_steps import OptionSource, StepChecker
from polis_rules.semantics.expressions import BOOL, BROKEN, INT, Expr, Scope, Type, nodes as n, substitute
from polis_rules.semantics.initial_values import StartReader
from polis_rules.semantics.references import NOT_NOTED, References, note_params
from polis_rules.semantics.resolver import rows_of, value_of
from polis_rules.semantics.symbols import Attribute, Kind, Route, Symbols, Term, Variable
from polis_rules.semantics.traversal import PLAYER
from polis_rules.semantics.typed_rules import Supply, TypedRules
from polis_rules.semantics.well_formed import Name, check_well_formed
from polis_rules.semantics.write_sets import WriteSets
from polis_rules.source import Mapping, Text, spoken

MOST_TERMS = 60
"""How many terms may be explained one by the other."""

LONGEST_BASE = 60
"""A term with more parts than this gets a name of its own before a row changes it."""


def typecheck(
    document: Document, symbols: Symbols, diagnostics: Diagnostics, references: References | None = None
) -> TypedRules:
    """The typed rules of a document. What is wrong is reported and left out; what names mean goes to `references`."""
    return RulesChecker(document, symbols, diagnostics, references).run()


class RulesChecker:
    """Walks the document section by section."""

    def __init__(
        self, document: Document, symbols: Symbols, diagnostics: Diagnostics, references: References | None = None
    ) -> None:
        self.document = document
        self.symbols = symbols
        self.diagnostics = diagnostics
        self.expressions = ExpressionChecker(symbols, diagnostics, self.require_term)
        self.expressions.references = self.references = references or NOT_NOTED
        endings = [str(name) for name in document.endings]
        self.steps = StepChecker(self.expressions, endings, WriteSets(document))
        self.rules = TypedRules(symbols)
        self.busy: list[str] = []
        self.too_deep = False

    def run(self) -> TypedRules:
        self.meanings()
        for name, item in {**self.document.procedures, **self.document.phases}.items():
            self.procedure(self.symbols.signatures[name][0], name, item)
        for name, action in self.document.actions.items():
            self.action(f"actions.{name}", name, action)
        with self.references.inside("score"):
            self.last()
        if not self.diagnostics.has_errors:
            check_well_formed(self.rules, self.spans(), self.expressions.made, self.diagnostics)
        return self.rules

    def meanings(self) -> None:
        """Everything that rules speak of: terms, routes, state, supplies, and what rows carry."""
        self.in_force()
        for name in list(self.symbols.terms):
            self.require_term(name)
        for name in self.document.terms:
            self.modify(self.symbols.terms[name])
        self.routes()
        self.variables()
        for name in self.document.supplies:
            with self.references.inside(f"supplies.{name}"):
                self.supply(name)
        self.carried()

    def declares(self, path: str, name: Text, of: dict[Text, Text]) -> None:
        """Note that a rule and its parameters stand here."""
        self.references.note(path, name.span, declares=True)
        note_params(path, of, {kind: f"kinds.{kind}" for kind in self.symbols.kinds}, self.references)

    def spans(self) -> dict[Name, Span]:
        """Where terms, routes, formulas and actions are written."""
        document = self.document
        found: dict[Name, Span] = {("term", str(name)): name.span for name in document.terms}
        found |= {("route", str(name)): name.span for name in document.routes}
        found |= {("possible", str(name)): name.span for name in document.actions}
        for name, kind in document.kinds.items():
            found |= {("formula", f"{name}.{attribute}"): attribute.span for attribute in kind.attributes}
        return found

    # -- terms, routes, state ---------------------------------------------------------------------------------------

    def in_force(self) -> None:
        for name, kind in self.document.kinds.items():
            if kind.in_force is not None:
                scope = Scope().having(it=Type("ref", str(name)))
                with self.references.inside(f"kinds.{name}.in_force"):
                    self.symbols.kinds[name].in_force = self.expressions.check(kind.in_force, scope, BOOL)

    def require_term(self, name: str) -> Type | None:
        """Check a term when it is first needed; its type, or None when it is wrong."""
        term = self.symbols.terms[name]
        if term.busy:
            shown = " -> ".join([*self.busy[self.busy.index(name) :], name])
            self.diagnostics.error("endless-term", f"`{name}` is explained by itself: {shown}", term.text.span)
            term.broken = True
            return None
        if term.body is None and not term.broken:
            if len(self.busy) >= MOST_TERMS:
                if not self.too_deep:
                    message = f"more than {MOST_TERMS} terms are explained one by the other"
                    self.diagnostics.error("too-much-work", message, term.text.span)
                term.broken = self.too_deep = True
                return None
            term.busy = True
            self.busy.append(name)
            with self.references.inside(f"terms.{name}"):
                term.body = self.expressions.check(term.text, Scope().having(**term.params))
            self.busy.pop()
            term.busy = False
            term.broken = term.broken or term.body is None
            if term.body is not None and term.body.type.base == "none":
                self.diagnostics.error("wrong-type", "none alone is of no kind, so it needs no term", term.text.span)
                term.broken, term.body = True, None
        return None if term.body is None else term.body.type

    def modify(self, term: Term) -> None:
        """Wrap a term in what the members in force make of it."""
        for kind, attribute in self.attributes("changes"):
            for number, row in enumerate(rows_of(self.document, kind.name).values()):
                raw = value_of(row, attribute.name)
                text = raw.get(term.name) if isinstance(raw, Mapping) else None
                if isinstance(text, Text) and term.body is not None and kind.in_force is not None:
                    base = self._base(term, term.body)
                    with self.references.inside(f"terms.{term.name}"):
                        change = self.expressions.check(text, Scope({**term.params}, base=base), term.body.type)
                    if change is not None:
                        now = substitute(kind.in_force, {"it": n.Const(Type("ref", kind.name), number)})
                        term.body = n.IfElse(term.body.type, now, change, base)

    def attributes(self, what: str) -> Iterator[tuple[Kind, Attribute]]:
        """All attributes of a type, with their kinds."""
        for kind in self.symbols.kinds.values():
            yield from ((kind, attribute) for attribute in kind.attributes.values() if attribute.spec.kind == what)

    def _base(self, term: Term, body: Expr) -> Expr:
        """A term without a change: the expression itself while it is short, so that changes of changes stay so."""
        if sum(1 for _ in body.walk()) <= LONGEST_BASE:
            return body
        name = f"{term.name}_BASE_{len(self.symbols.terms)}"  # ids of rulesets are lower case
        self.symbols.terms[name] = Term(name, term.params, term.text, body)
        return n.Call(body.type, name, tuple(n.Var(kind, param) for param, kind in term.params.items()))

    def routes(self) -> None:
        for name, item in self.document.routes.items():
            with self.references.inside(f"routes.{name}"):
                self.route(item, self.symbols.routes[name])

    def route(self, item: WrittenRoute, route: Route) -> None:
        scope = Scope().having(**route.params)
        for graph in (*item.over, *item.also):
            if graph not in self.symbols.graphs:
                message = f"there is no graph `{graph}`"
                self.diagnostics.unknown("unknown-name", message, graph.span, graph, self.symbols.graphs)
            self.references.words(graph, {graph: f"graphs.{graph}"})
        for section, want, found in ((item.through, BOOL, route.through), (item.costs, INT, route.costs)):
            for kind, text in section.items():
                if kind not in self.symbols.first_node:
                    message = f"no `{kind}` stands in a graph"
                    self.diagnostics.unknown("unknown-name", message, kind.span, kind, self.symbols.first_node)
                    continue
                self.references.words(kind, {kind: f"kinds.{kind}"})
                inner = scope.having(space=Type("ref", str(kind)))
                test = self.expressions.check(text, inner, want)
                if test is not None:
                    found[str(kind)] = test
                    if want is INT:
                        self.steps.not_negative(test, text)
        for graph, text in item.also.items():
            test = self.expressions.check(text, scope, BOOL)
            if test is not None:
                route.also[str(graph)] = test

    def variables(self) -> None:
        every = [variable for kind in self.symbols.kinds.values() for variable in kind.state.values()]
        for variable in [*every, *self.symbols.state.values()]:
            owner = f"kinds.{variable.owner}." if variable.owner else ""
            with self.references.inside(f"{owner}state.{variable.name}"):
                self.variable(variable)

    def variable(self, variable: Variable) -> None:
        scope = Scope().having(**{name: Type("ref", kind) for name, kind in variable.per if name != kind})
        if variable.owner:
            scope = scope.having(it=Type("ref", variable.owner))
        if variable.start is not None:
            variable.start_expr = self.expressions.check(variable.start, scope, variable.type)
        if variable.seen_by is not None:
            variable.seen_expr = self.expressions.check(variable.seen_by, scope.having(viewer=PLAYER), BOOL)

    # -- rules ------------------------------------------------------------------------------------------------------

    def carried(self) -> None:
        """Formulas, changes of terms and effects that rows carry."""
        for what, check in (("formula", self.formula), ("changes", self.changes), ("effects", self.effects)):
            for kind, attribute in self.attributes(what):
                for number, (member, row) in enumerate(rows_of(self.document, kind.name).items()):
                    check(kind, attribute, number, member, row)

    def formula(self, kind: Kind, attribute: Attribute, number: int, member: Text, row: Row) -> None:
        raw = value_of(row, attribute.name) or attribute.default
        if isinstance(raw, Text):
            scope = Scope().having(it=Type("ref", kind.name), **attribute.params)
            owner = f"kinds.{kind.name}.attributes.{attribute.name}"
            path = owner if raw is attribute.default else f"tables.{kind.name}.{member}.{attribute.name}"
            with self.references.inside(path, attribute.params, owner):
                found = self.expressions.check(raw, scope, INT)
            if found is not None:
                attribute.formulas[number] = substitute(found, {"it": n.Const(Type("ref", kind.name), number)})

    def changes(self, kind: Kind, attribute: Attribute, number: int, member: Text, row: Row) -> None:
        """Every term that a row changes must exist, and its kind must say when its rows are in force."""
        raw = value_of(row, attribute.name)
        for name in raw.entries if isinstance(raw, Mapping) else ():
            if name not in self.symbols.terms:
                message = f"there is no term `{name}`"
                self.diagnostics.unknown("unknown-name", message, name.span, name, self.symbols.terms)
                continue
            self.references.note(f"terms.{name}", name.span)
            if all(item.in_force is None for each, item in self.document.kinds.items() if each == kind.name):
                message = f"`{kind.name}` does not say when its members are in force"
                self.diagnostics.error("never-in-force", message, name.span, hint="add in_force to the kind")

    def effects(self, kind: Kind, attribute: Attribute, number: int, member: Text, row: Row) -> None:
        kinds = [self.symbols.kinds[name] for _, name in attribute.per]
        base, owner = f"tables.{kind.name}.{member}.{attribute.name}", f"kinds.{kind.name}.attributes.{attribute.name}"
        for keys, steps in next((lists for name, lists in row.effects.items() if name == attribute.name), {}).items():
            if any(key not in inner.index for key, inner in zip(keys, kinds, strict=True)):
                continue  # the check of the table has said so
            flat, path = number, ".".join([base, *keys])
            for key, inner in zip(keys, kinds, strict=True):
                flat = flat * len(inner.members) + inner.index[key]
            with self.references.inside(base, attribute.params, owner):
                self.steps_of(path, kind.titles[number], member, attribute.params, steps)
            attribute.procedures[flat] = path

    def procedure(self, path: str, name: Text, item: Procedure) -> None:
        self.declares(path, name, item.of)
        with self.references.inside(path):
            found = self.steps_of(path, str(item.title or ""), name, self.symbols.signatures[name][1], item.do)
        found.announce = item.title is not None and name in self.document.phases

    def steps_of(
        self, path: str, title: str, name: Text, params: dict[str, Type], steps: list[written.Step]
    ) -> ir.Procedure:
        """A procedure of some steps, for whoever acts."""
        context = self.begin(path, params)
        body = self.steps.check(steps, Scope().having(you=PLAYER, **params))
        self.rules.procedures[path] = ir.Procedure(path, title, params, body, name.span, context.locals)
        return self.rules.procedures[path]

    def begin(self, path: str, params: dict[str, Type]) -> RuleContext:
        """Go over to the steps of a procedure."""
        self.steps.rule = RuleContext(path, dict(params))
        return self.steps.rule

    def action(self, path: str, name: Text, action: Action) -> None:
        """An action as a procedure: pay, choose, pay what depends on a choice, do."""
        self.declares(path, name, {})
        with self.references.inside(path):
            self.action_steps(path, name, action)

    def action_steps(self, path: str, name: Text, action: Action) -> None:
        context = self.begin(path, {})
        scope = Scope().having(you=PLAYER)
        required, scope = self.steps.conditions(action.requires, scope)
        words = [str(word) for word in action.choose]
        late = {key: text for key, text in action.cost.items() if self._needs(key, text, words)}
        now = {key: text for key, text in action.cost.items() if key not in late}
        upfront = self.steps.costs(now, scope)
        required += self.steps.affordable(upfront, now)
        body: list[ir.Step] = list(upfront)
        for number, (variable, choice) in enumerate(action.choose.items(), 1):
            outer = scope
            made = self.steps.option_source(choice.from_, scope) or OptionSource(BROKEN, None)
            scope = self.steps.local(variable, made.kind, scope)
            conditions, scope = self.steps.conditions(choice.where, scope)
            now = {key: text for key, text in late.items() if not self._needs(key, text, words[number:])}
            late = {key: text for key, text in late.items() if key not in now}
            cost = self.steps.costs(now, scope)
            title, shown = self.steps.title(choice.title, f"Choose {spoken(variable)}", outer)
            conditions += self.steps.affordable(cost, now)
            at = f"{path}.{variable}"
            step = ir.Choose(variable.span, at, title, variable, None, *made.over, conditions, cost=cost, shown=shown)
            body += [step, *cost]
        body += self.steps.check(action.do, scope)
        first = next((step for step in body if isinstance(step, ir.Choose)), None) if words else None
        title = self.symbols.kinds["action"].titles[self.symbols.kinds["action"].index[name]]
        self.rules.procedures[path] = ir.Procedure(path, title, {}, tuple(body), name.span, context.locals)
        self.rules.actions.append(ir.ActionRule(str(name), title, required, upfront, first, path, name.span))

    def _needs(self, key: Text, text: Text, words: list[str]) -> bool:
        """Whether a cost names one of the choices."""
        return any(re.search(rf"\b{word}\b", f"{key} {text}") for word in words)

    # -- supplies, end, score ---------------------------------------------------------------------------------------

    def last(self) -> None:
        document, rules = self.document, self.rules
        for name, text in document.invariants.items():
            test = self.expressions.check(text, Scope(), BOOL)
            if test is not None:
                rules.invariants.append(ir.Condition(str(name), test, str(text), text.span))
        rules.endings = {
            str(name): str(item.title or spoken(name).capitalize()) for name, item in document.endings.items()
        }
        scope = Scope().having(who=PLAYER)
        for section, found in ((document.score.terms, rules.score), (document.score.tie_break, rules.tie_break)):
            for name, text in section.items():
                rules.spans[str(name)] = text.span
                value = self.expressions.check(text, scope, INT)
                if value is not None:
                    found[str(name)] = value
        if document.manifest.rounds is not None:
            rules.spans["rounds"] = document.manifest.rounds.span
            rules.rounds = self.expressions.check(document.manifest.rounds, Scope(), INT)
        reserves = {(supply.reserve.owner, supply.reserve.name) for supply in rules.supplies}
        reader = StartReader(self.expressions, reserves)
        rules.starts = reader.read(document.scenario.start)
        if "game" not in document.phases:
            self.diagnostics.error("no-beginning", "play begins with the phase `game`, and there is none", None)

    def supply(self, name: Text) -> None:
        item = self.document.supplies[name]
        scope = Scope()
        per = str(item.per or "")
        if per and per not in self.symbols.kinds:
            at = item.per.span if item.per is not None else name.span
            self.diagnostics.unknown("unknown-name", f"there is no kind `{per}`", at, per, self.symbols.kinds)
            return
        if per:
            self.references.words(item.per or name, {per: f"kinds.{per}"})
            scope = scope.having(owner=Type("ref", per))
        total = self.expressions.check(item.total, scope, INT)
        reserve = self.expressions.check(item.reserve, scope, INT)
        places = {str(key): self.expressions.check(text, scope, INT) for key, text in item.places.items()}
        known = {key: value for key, value in places.items() if value is not None}
        if reserve is not None and not isinstance(reserve, n.Load):
            self.diagnostics.error("not-state", f"`{item.reserve}` is not state", item.reserve.span)
        elif reserve is not None and total is not None and len(known) == len(places):
            self.rules.supplies.append(Supply(str(name), per, total, reserve, known, name.span))
            counts = {key: self._counted(tree) for key, tree in known.items()}
            # a piece that only says whose something is has no counter to move to: then the reserve is set with it
            if all(counts[key] or isinstance(known[key], n.Const) for key in known):
                counts["reserve"] = [reserve]
            for counted in (load for loads in counts.values() for load in loads):
                self.steps.counted[counted.owner, counted.name] = str(name)

    def _counted(self, tree: Expr) -> list[n.Load]:
        """The state whose pieces a place of a supply counts, without what decides whose they are."""
        match tree:
            case n.Load():
                return [tree]
            case n.Arith():
                return [*self._counted(tree.left), *self._counted(tree.right)]
            case n.IfElse():
                return [*self._counted(tree.then), *self._counted(tree.other)]
            case n.MinMax():
                return [found for item in tree.items for found in self._counted(item)]
            case n.Comp(func="sum" | "min" | "max"):
                return self._counted(tree.body)
            case n.Call():
                body = self.symbols.terms[tree.term].body
                return self._counted(body) if body is not None else []
        return []
