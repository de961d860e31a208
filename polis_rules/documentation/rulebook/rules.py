"""Rules in words: actions, terms, routes, supplies, procedures, the end and the score."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from polis_rules.documentation.rulebook.book import Book, at
from polis_rules.documentation.rulebook.choices import amounts, condition, conditions, opening
from polis_rules.documentation.rulebook.clauses import Clauses
from polis_rules.documentation.rulebook.english import a, agreeing, listed
from polis_rules.documentation.rulebook.items import Item
from polis_rules.documentation.rulebook.phrases import Phrases
from polis_rules.documentation.rulebook.steps import Teller
from polis_rules.documentation.rulebook.values import Values, type_words
from polis_rules.semantics import ir
from polis_rules.semantics.expressions import Expr
from polis_rules.source import Mapping, Text, spoken


@dataclass(frozen=True)
class Rules:
    """Says the rules of one book, whole or part by part."""

    book: Book

    @property
    def say(self) -> Phrases:
        """Phrases without any local name."""
        return Clauses(self.book)

    # -- actions ----------------------------------------------------------------------------------------------------

    def rule(self, action: str) -> ir.ActionRule:
        """The typed rule of an action."""
        return next(rule for rule in self.book.rules.actions if rule.id == action)

    def action(self, action: str) -> list[Item]:
        """What an action costs, asks for, lets choose and does, in the order of play."""
        needs = conditions(self.rule(action).conditions, self.say)
        found = [Item(self.cost(action))] if self.rule(action).cost else []
        found += [Item("you may do this only if", needs)] if needs else []
        found += [self.choice(action, name) for name in self.choices(action)]
        return [*found, *self.effects(action)]

    def cost(self, action: str) -> str:
        """`pay 1 coin`: what is paid before anything is chosen."""
        return f"pay {amounts(self.say, self.rule(action).cost)}"

    def cost_of(self, action: str, what: str) -> str:
        """One entry of a cost."""
        steps = [*self.rule(action).cost, *(part for each in self.choices(action).values() for part in each.cost)]
        names = list(self.choices(action))
        rule = at(self.book.document.actions, action)
        key = next(key.span for key in rule.cost if key == what) if rule is not None else None
        say = self.say.about(names[0]) if len(names) == 1 else self.say
        return f"costs {amounts(say, [step for step in steps if step.span == key])}"

    def requirement(self, action: str, label: str) -> str:
        """One requirement, by its label."""
        return self._labelled(self.rule(action).conditions, label, self.say)

    def _labelled(self, parts: Sequence[ir.Condition], label: str, say: Phrases) -> str:
        return condition(next(part for part in parts if part.label == label), say)

    def choices(self, action: str) -> dict[str, ir.Choose]:
        """The choices written beside `do`, by the name of what is chosen."""
        written = at(self.book.document.actions, action)
        path = self.rule(action).procedure
        body = self.book.rules.procedures[path].body
        names = [str(name) for name in written.choose] if written is not None else []
        found = {step.path: step for step in body if isinstance(step, ir.Choose)}
        return {name: found[f"{path}.{name}"] for name in names if f"{path}.{name}" in found}

    def choice(self, action: str, name: str) -> Item:
        """One choice with all that it asks for."""
        return Teller(self.book).tell((self.choices(action)[name],))[0]

    def choice_opening(self, action: str, name: str) -> str:
        """A choice without its conditions."""
        return opening(self.choices(action)[name], self.say)

    def choice_condition(self, action: str, name: str, label: str) -> str:
        """One condition of a choice."""
        step = self.choices(action)[name]
        return self._labelled(step.conditions, label, self.say.about(name))

    def effects(self, action: str) -> tuple[Item, ...]:
        """What happens after cost and choices."""
        rule = self.rule(action)
        body = self.book.rules.procedures[rule.procedure].body
        chosen = self.choices(action).values()
        skip = {id(step) for step in chosen} | {id(part) for step in chosen for part in step.cost}
        first = [step for step in body[len(rule.cost) :] if id(step) not in skip]
        return Teller(self.book).tell(first)

    # -- procedures and phases --------------------------------------------------------------------------------------

    def steps(self, path: str) -> tuple[Item, ...]:
        """What happens in a procedure or phase."""
        return Teller(self.book).tell(self.book.rules.procedures[path].body)

    def params(self, of: dict[Text, Text]) -> str:
        """`who: a player; place: a space`."""
        return "; ".join(f"{spoken(name)}: {type_words(self.book, text)}" for name, text in of.items())

    # -- terms ------------------------------------------------------------------------------------------------------

    def term(self, name: str) -> str:
        """What a term stands for: `the price is 2`, `'controls' holds if ...`."""
        params, body = self.book.term(name)
        if body is None:
            return spoken(name)
        label = f"'{spoken(name)}'" + (f" ({listed(spoken(each) for each in params)})" if params else "")
        if body.type.base == "bool":
            text = self.say.clause(body)
            return f"{label} {text} holds" if text in ("always", "never") else f"{label} holds if {text}"
        return f"{label} is {self.say.text(body)}"

    def modifiers(self, name: str) -> list[str]:
        """The rows that change a term, and how."""
        values, found = Values(self.book), []
        for kind, known in self.book.rules.symbols.kinds.items():
            for attribute, each in known.attributes.items():
                if each.spec.kind != "changes":
                    continue
                for member, row in (at(self.book.document.tables, kind) or {}).items():
                    raw = at(row.values, attribute)
                    text = raw.get(name) if isinstance(raw, Mapping) else None
                    if isinstance(text, Text):
                        found.append(
                            f"while {values.title(kind, str(member))} is in force, {values.changed(name, text)}"
                        )
        return found

    def combination(self, kind: str) -> str:
        """The kinds of which each combination is a member of another kind."""
        found = at(self.book.document.kinds, kind)
        parts = [a(self.book.kind(str(each))) for each in found.for_each.values()] if found is not None else []
        return f"one for each combination of {listed(parts)}"

    # -- routes, supplies -------------------------------------------------------------------------------------------

    def over(self, route: str) -> str:
        """The graphs that a route goes over."""
        written = at(self.book.document.routes, route)
        return f"goes over {listed(spoken(name) for name in written.over)}" if written is not None else ""

    def through(self, route: str, kind: str) -> str:
        """Which members of a kind a route may cross."""
        test = self.book.rules.symbols.routes[route].through[kind]
        text = self.say.about("space").clause(test)
        if text == "always":
            return f"may cross every {self.book.kind(kind)}"
        return f"may cross {a(self.book.kind(kind))} only if {text}"

    def toll(self, route: str, kind: str) -> str:
        """What a route pays for crossing a member of a kind."""
        text = self.say.about("space").text(self.book.rules.symbols.routes[route].costs[kind])
        return f"pays for each {self.book.kind(kind)} that it crosses: {text}"

    def also(self, route: str, graph: str) -> str:
        """When the edges of a further graph are open."""
        text = self.say.clause(self.book.rules.symbols.routes[route].also[graph])
        return f"also goes over {spoken(graph)} while {text}"

    def route(self, route: str) -> list[str]:
        """Everything about a route."""
        known = self.book.rules.symbols.routes[route]
        found = [self.over(route)]
        found += [self.through(route, kind) for kind in known.through]
        found += [self.toll(route, kind) for kind in known.costs]
        return [*found, *(self.also(route, graph) for graph in known.also)]

    def supply(self, name: str) -> list[str]:
        """How many pieces there are, and where."""
        written = at(self.book.document.supplies, name)
        found = next((each for each in self.book.rules.supplies if each.name == name), None)
        if written is None or found is None:
            return []
        whose = f"each {self.book.kind(found.per)} has" if found.per else "there are"
        lines = [f"{whose} {self.say.text(found.total)}", f"in reserve: {self.say.text(found.reserve)}"]
        return [*lines, *(self.place(name, place) for place in found.places)]

    def place(self, supply: str, place: str) -> str:
        """Where pieces of a supply can be, and how many are there."""
        found = next(each for each in self.book.rules.supplies if each.name == supply)
        return f"{spoken(place)}: {self.say.text(found.places[place])}"

    # -- end and score ----------------------------------------------------------------------------------------------

    def score(self, section: str, name: str) -> str:
        """One term of the score or of the tie-break."""
        found = {"terms": self.book.rules.score, "tie_break": self.book.rules.tie_break}[section][name]
        return f"{spoken(name)}: {self.say.text(found)}"

    def invariant(self, label: str) -> str:
        """What must always hold."""
        found = next(each for each in self.book.rules.invariants if each.label == label)
        return f"{spoken(label)}: {self.say.clause(found.test)}"

    # -- kinds and state --------------------------------------------------------------------------------------------

    def declared(self, type_: str, per: dict[Text, Text], of: dict[Text, Text] | None = None) -> str:
        """The type of an attribute or of state."""
        words = type_words(self.book, type_)
        each = f" for each {' and '.join(self.book.kind(str(kind)) for kind in per.values())}" if per else ""
        return words + each + (f" (given {self.params(of)})" if of else "")

    def state(self, owner: str, name: str) -> str:
        """A state variable: what it may be, how it begins, who sees it."""
        variable = self.book.rules.symbols.variable(owner, name)
        entries = at(self.book.document.kinds, owner).state if owner else self.book.document.state  # type: ignore[union-attr]
        written = at(entries, name)
        assert written is not None
        say = self.say.about("it")
        label = f"{variable.title} ({spoken(name)})" if variable.title not in ("", spoken(name)) else spoken(name)
        found = f"{label}: {self.declared(written.type, written.per)}"
        found += f", at first {say.text(variable.start_expr)}" if variable.start_expr is not None else ""
        if variable.seen_expr is not None:
            found += f"; {self._seen(say, variable.seen_expr)}"
        return found + ("; can be paid with" if variable.spendable else "")

    def _seen(self, say: Phrases, test: Expr) -> str:
        text = say.clause(test)
        return "seen by nobody" if text == "never" else f"seen only if {text}"

    def in_force(self, kind: str) -> str:
        """When the members of a kind change terms."""
        test = self.book.rules.symbols.kinds[kind].in_force
        text = self.say.about("it").clause(test) if test is not None else "never"
        return f"{a(self.book.kind(kind))} is in force while {text}"

    def rounds(self) -> str:
        """How rounds are counted."""
        found = self.book.rules.rounds
        return f"the number of the round: {self.say.text(found)}" if found is not None else "rounds are not counted"

    def edge(self, graph: str, edge: str) -> str:
        """`North and South are joined`."""
        ends = self._ends(edge)
        written = at(self.book.document.graphs, graph)
        found = at(written.edges, edge) if written is not None and written.edges is not None else None
        if found is not None and found.one_way:
            return f"{spoken(graph)} {agreeing(spoken(graph), 'leads')} from {ends[0]} to {ends[-1]}, not back"
        return f"{spoken(graph)} {agreeing(spoken(graph), 'joins')} {listed(ends)}"

    def edge_name(self, edge: str) -> str:
        """Both ends of an edge."""
        return listed(self._ends(edge))

    def _ends(self, edge: str) -> list[str]:
        return [self._member(name) for name in edge.split("-")]

    def _member(self, name: str) -> str:
        members = self.book.rules.symbols.members_called(name)
        return Values(self.book).title(*members[0]) if members else spoken(name)
