"""Rules in words: actions, terms, routes, supplies, procedures, the end and the score."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import partial

from polis_rules.diagnostics import amount
from polis_rules.documentation.rulebook.apart import clause_or_parts, sentences
from polis_rules.documentation.rulebook.asking import conditions
from polis_rules.documentation.rulebook.english import a, agreeing, listed, lower_first
from polis_rules.documentation.rulebook.formulas import Range, tables
from polis_rules.documentation.rulebook.items import Item
from polis_rules.documentation.rulebook.steps import amounts, tell
from polis_rules.documentation.rulebook.values import Values
from polis_rules.schema import Memory, document as declared
from polis_rules.semantics import Variable, ir
from polis_rules.semantics.expressions import Const, Expr
from polis_rules.source import Text, at, entry, spoken


class Rules(Values):
    """Says the rules of one book, whole or part by part."""

    # -- actions ----------------------------------------------------------------------------------------------------

    def rule(self, action: str) -> ir.ActionRule:
        """The typed rule of an action."""
        return next(rule for rule in self.book.rules.actions if rule.id == action)

    def action(self, action: str) -> list[Item]:
        """What an action costs, asks for, lets choose and does, in the order of play."""
        rule = self.rule(action)
        needs = conditions(rule.conditions, self.say)
        items = [Item(f"pay {amounts(self.say, rule.cost)}")] if rule.cost else []
        items += [Item("you may do this only if", needs)] if needs else []
        items += [self.choice(action, name) for name in self.choices(action)]
        return [*items, *self.effects(action)]

    def cost_of(self, action: str, what: str | None = None) -> str:
        """A cost, or one entry of it."""
        choices = self.choices(action)
        steps: list[ir.Payment] = [*self.rule(action).cost, *(part for each in choices.values() for part in each.cost)]
        places = [key.span for key in at(self.book.document.actions, action).cost if what in (None, key)]
        say = self.say.about(next(iter(choices))) if len(choices) == 1 else self.say
        return f"costs {amounts(say, [step for step in steps if step.span in places])}"

    def choices(self, action: str) -> dict[str, ir.Choose]:
        """The choices written beside `do`, by the name of what is chosen."""
        path = self.rule(action).procedure
        by_path = {step.path: step for step in self.book.rules.procedures[path].body if isinstance(step, ir.Choose)}
        written = at(self.book.document.actions, action).choose
        return {str(name): by_path[f"{path}.{name}"] for name in written if f"{path}.{name}" in by_path}

    def choice(self, action: str, name: str) -> Item:
        """One choice with all that it asks for."""
        return tell((self.choices(action)[name],), self.say)[0]

    def effects(self, action: str) -> tuple[Item, ...]:
        """What happens after cost and choices."""
        rule = self.rule(action)
        chosen = self.choices(action).values()
        skip = {id(step) for step in chosen} | {id(part) for step in chosen for part in step.cost}
        body = self.book.rules.procedures[rule.procedure].body[len(rule.cost) :]
        return tell([step for step in body if id(step) not in skip], self.say)

    # -- procedures, phases, and what rows carry ----------------------------------------------------------------------

    def steps(self, path: str) -> tuple[Item, ...]:
        """What happens in a procedure, in a phase, or by a row."""
        return tell(self.book.rules.procedures[path].body, self.say)

    def steps_at(self, keys: list[str]) -> tuple[Item, ...] | None:
        """What happens by the list of steps at a path; None where there is no such list."""
        match keys:
            case ["actions", action, "do"] if any(rule.id == action for rule in self.book.rules.actions):
                return self.effects(action)
            case ["procedures" | "phases", _] | ["procedures" | "phases", _, "do"]:
                keys = keys[:2]
            case ["actions", *_]:
                return None
        path = ".".join(keys)
        return self.steps(path) if path in self.book.rules.procedures else None

    def params(self, of: dict[Text, Text]) -> str:
        """`who: a player; place: a space`."""
        return "; ".join(f"{spoken(name)}: {self.type_words(text)}" for name, text in of.items())

    # -- terms ------------------------------------------------------------------------------------------------------

    def term(self, name: str) -> list[str]:
        """What a term stands for (`the price is 2`, `'controls' holds if ...`), and the rows that change it."""
        params, body = self.book.term(name)
        ranges = self.book.rules.symbols.terms[name].params.ranges
        label = f"'{spoken(name)}'" + (f" ({listed(map(spoken, params))})" if params else "")
        lines = [spoken(name)] if body is None else self._meaning(label, body, ranges)
        lines += dict.fromkeys(self._changes(name))
        unit = at(self.book.document.terms, name).unit
        return [*lines, f"counted in {unit}"] if unit else lines

    def _changes(self, name: str) -> Iterator[str]:
        """What a term is while rows are in force."""
        for kind, known in self.book.rules.symbols.kinds.items():
            for attribute, each in known.attributes.items():
                for member in known.members if each.spec.kind == "changes" else ():
                    text = entry(self.book.changed_terms(kind, member, attribute), name)
                    if text is not None:
                        title = self.book.full_title(kind, member)
                        yield f"while {title} is in force, {self.changed(name, text)}"

    def _meaning(self, label: str, body: Expr, ranges: Mapping[str, Range]) -> list[str]:
        """What a term stands for; in a glossary its name stands before that, and each part of a long formula alone."""
        if self.folding is None:
            return [self.named(label, body)]
        body = self.folding.fold(body)
        return [*sentences(self.say, body), *tables(self.say, body, ranges)]

    # -- routes, supplies -------------------------------------------------------------------------------------------

    def route(self, route: str) -> dict[tuple[str, ...], str]:
        """Everything about a route, each part by the keys that lead to it."""
        known, space = self.book.rules.symbols.routes[route], self.say.about("space")
        lines: dict[tuple[str, ...], str] = {
            ("over",): f"goes over {listed(map(spoken, at(self.book.document.routes, route).over))}"
        }
        for kind, test in known.through.items():
            name, text = self.book.kind(kind), space.clause(test)
            which = f"every {name}" if text == "always" else f"{a(name)} only if {text}"
            lines["through", kind] = f"may cross {which}"
        for kind, cost in known.costs.items():
            lines["costs", kind] = f"pays for each {self.book.kind(kind)} that it crosses: {space.text(cost)}"
        for graph, test in known.also.items():
            lines["also", graph] = f"also goes over {spoken(graph)} while {self.say.clause(test)}"
        return lines

    def supply(self, name: str) -> dict[tuple[str, ...], str]:
        """How many pieces there are, and where, each part by the keys that lead to it."""
        known = next(each for each in self.book.rules.supplies if each.name == name)
        whose = f"each {self.book.kind(known.per)} has" if known.per else "there are"
        lines: dict[tuple[str, ...], str] = {("total",): f"{whose} {self.say.text(known.total)}"}
        for reserve in known.reserve:
            lines["reserve",] = f"in reserve: {self.say.text(reserve)}"
        for place, count in known.places.items():
            lines["places", place] = f"{spoken(place)}: {self.say.text(count)}"
        return lines

    def pieces(self, name: str) -> str:
        """How many pieces of a supply there are, and how many of them are always in one place."""
        if f"supplies.{name}" in self.said:
            return lower_first(self.said[f"supplies.{name}"])
        known = next(each for each in self.book.rules.supplies if each.name == name)
        fixed = [(place, self.say.settled(count)) for place, count in known.places.items()]
        told = [f"{count.value} of them {spoken(place)}" for place, count in fixed if isinstance(count, Const)]
        return ", ".join([self.supply(name)["total",], *told])

    # -- end and score ----------------------------------------------------------------------------------------------

    def score(self, section: str, name: str) -> str:
        """One term of the score or of the tie-break."""
        if section == "terms" and f"score.{name}" in self.said:
            return f"{spoken(name)}: {lower_first(self.said[f'score.{name}'])}"
        tree = {"terms": self.book.rules.score, "tie_break": self.book.rules.tie_break}[section][name]
        return f"{spoken(name)}: {self.say.text(tree)}"

    def advice(self, name: str) -> str:
        """What bots take a position for, beside the score."""
        worth = self.book.rules.advice[name]
        points = f"{worth.hundredths / 100:g} point{'' if abs(worth.hundredths) == 100 else 's'}"
        return f"bots give a position {points} for each of '{worth.title}', counted as {self.say.text(worth.counts)}"

    def invariant(self, label: str) -> str:
        """What must always hold."""
        invariant = next(each for each in self.book.rules.invariants if each.label == label)
        told = self.say.clause if self.folding is None else partial(clause_or_parts, self.say)
        return f"{spoken(label)}: {told(invariant.test)}"

    # -- kinds and state --------------------------------------------------------------------------------------------

    def combination(self, kind: str) -> str:
        """Which members a kind has that has no table."""
        declared = at(self.book.document.kinds, kind)
        if declared.numbers is not None:
            return f"one for each number from {declared.numbers.replace('..', ' to ')}"
        parts = declared.for_each.values()
        return f"one for each combination of {listed(a(self.book.kind(each)) for each in parts)}" if parts else ""

    def declared(self, item: declared.Attribute | Memory) -> str:
        """The type of an attribute or of state."""
        each = f" for each {' and '.join(map(self.book.kind, item.per.values()))}" if item.per else ""
        given = f" (given {self.params(item.of)})" if isinstance(item, declared.Attribute) and item.of else ""
        return self.type_words(item.type, str(item.unit or "")) + each + given

    def attributes(self, kind: str) -> list[str]:
        """The fixed attributes of a kind, with their types."""
        known = at(self.book.document.kinds, kind).attributes.items()
        return [f"{spoken(name)}: {self.declared(each)}{self.worked_out(kind, name)}" for name, each in known]

    def worked_out(self, kind: str, attribute: str) -> str:
        """What an attribute is that no row gives."""
        expr = self.book.rules.symbols.kinds[kind].attributes[attribute].expr
        return "" if expr is None else f", namely {self.say.about('it').text(expr)}"

    def state(self, owner: str, name: str) -> str:
        """A state variable: what it may be, how it begins, who sees it."""
        variable, document = self.book.rules.symbols.variable(owner, name), self.book.document
        written = at(at(document.kinds, owner).state if owner else document.state, name)
        say = self.say.about("it")
        label = f"{variable.title} ({spoken(name)})" if variable.title not in ("", spoken(name)) else spoken(name)
        told = f"{label}: {self.declared(written)}"
        told += f", at most {variable.at_most}" if variable.at_most else ""
        told += f", at first {say.text(variable.start_expr)}" if variable.start_expr is not None else ""
        told += f", set back whenever {spoken(variable.lasts)} begins" if variable.lasts is not None else ""
        told += "".join(f"; {seen}" for seen in self.seen(variable))
        return told + ("; can be paid with" if variable.spendable else "") + self.paid(variable)

    def seen(self, variable: Variable) -> Iterator[str]:
        """Who sees state, if not all do."""
        say = self.say.about("it")
        for what, test in (("", variable.seen_expr), ("their number ", variable.size_seen_expr)):
            if test is None:
                continue
            text = say.clause(test)
            if match := re.fullmatch(r"(?:the viewer is ([^,]*?)|it is the viewer)(?: or (.*))?", text):
                owner = "that player" if match[1] in (None, "the holder") else match[1]
                text = f"only by {owner}" + (f", and by all if {match[2]}" if match[2] else "")
            else:
                text = "by nobody" if text == "never" else f"only if {text}"
            yield f"{what}seen {text}"

    def paid(self, variable: Variable) -> str:
        """What is said of how spendable state is paid."""
        say, told, paying = self.say.about("it"), "", variable.paying
        if paying.instead:
            others = " or ".join(amount(rate, say.paid_with(load)) for load, rate, _ in paying.instead)
            told += f"; {others} may stand in for one"
        told += f"; of each payment {say.text(paying.first)} need not be paid" if paying.first is not None else ""
        return told + (f"; it comes from and goes to {say.text(paying.bank)}" if paying.bank is not None else "")

    def in_force(self, kind: str) -> str:
        """When the members of a kind change terms."""
        test = self.book.rules.symbols.kinds[kind].in_force
        text = self.say.about("it").clause(test) if test is not None else "never"
        return f"{a(self.book.kind(kind))} is in force while {text}"

    def rounds(self) -> str:
        """How rounds are counted."""
        rounds = self.book.rules.rounds
        return f"the number of the round: {self.say.text(rounds)}" if rounds is not None else "rounds are not counted"

    # -- connections ------------------------------------------------------------------------------------------------

    def derived(self, graph: str) -> str:
        """Which attributes make the connections of a graph; empty where they are written."""
        sources = [source.partition(".") for source in at(self.book.document.graphs, graph).from_]
        named = {kind: [spoken(name) for owner, _, name in sources if owner == kind] for kind, _, _ in sources}
        return listed(f"each {self.book.kind(kind)} with its {listed(names)}" for kind, names in named.items())

    def edge(self, graph: str, edge: str) -> str:
        """`North and South are joined`."""
        name, ends = spoken(graph), self._ends(edge)
        if at(at(self.book.document.graphs, graph).edges or {}, edge).one_way:
            return f"{name} {agreeing(name, 'leads')} from {ends[0]} to {ends[-1]}, not back"
        return f"{name} {agreeing(name, 'joins')} {listed(ends)}"

    def joined(self, graph: str) -> dict[str, list[str]]:
        """With which others each place is joined by the written edges of a graph, both ways."""
        found: dict[str, list[str]] = {}
        for edge, written in (at(self.book.document.graphs, graph).edges or {}).items():
            if not written.one_way:
                first, second = self._ends(edge)
                found.setdefault(first, []).append(second)
                found.setdefault(second, []).append(first)
        return found

    def edge_name(self, edge: str) -> str:
        """Both ends of an edge."""
        return listed(self._ends(edge))

    def _ends(self, edge: str) -> list[str]:
        members = (self.book.rules.symbols.members_called(name) or name for name in edge.split("-"))
        return [spoken(each) if isinstance(each, str) else self.book.full_title(*each[0]) for each in members]
