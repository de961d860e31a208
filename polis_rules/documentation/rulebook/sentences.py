"""The sentence that a player would read for any path of a ruleset."""

from __future__ import annotations

from polis_rules.composition import inline
from polis_rules.documentation.rulebook.asking import condition
from polis_rules.documentation.rulebook.book import Book
from polis_rules.documentation.rulebook.english import agreeing, end, upper_first
from polis_rules.documentation.rulebook.items import in_line, plain
from polis_rules.documentation.rulebook.rules import Rules
from polis_rules.documentation.rulebook.steps import opening
from polis_rules.documentation.rulebook.values import CARRIED
from polis_rules.schema import RULE_KEYS
from polis_rules.semantics import ir
from polis_rules.source import Mapping, at, found_at, spoken


def sentence(book: Book, path: str) -> str:
    """What a player would read for one path, e.g. `actions.dig.cost.coin`.

    Raises KeyError when nothing stands at the path.
    """
    way = found_at(book.composed.tree, path)
    if not way:
        raise KeyError(path)
    return Sentences(book).sentence([key for key, _ in way])


def subject(book: Book, keys: list[str]) -> str:
    """What a path is about, in a word or two: the row, the action, the term."""
    match keys:
        case ["tables", kind, member, *_]:
            return book.full_title(kind, member)
        case ["actions", action, *_]:
            return str(at(book.document.actions, action).title or upper_first(spoken(action)))
        case ["procedures" | "phases" as section, name, *_]:
            return book.rule(f"{section}.{name}")
        case ["endings", ending, *_]:
            return book.rules.endings[ending]
        case ["kinds", kind, *_]:
            return book.rules.symbols.kinds[kind].title
        case [section, name, *_] if section not in ("scenario", "manifest") and name not in RULE_KEYS:
            return upper_first(spoken(name))
    return upper_first(spoken(keys[0]))


class Sentences(Rules):
    """Says every part of one book. Where a part has no words of its own, its value is said as it is written."""

    def sentence(self, keys: list[str]) -> str:
        """The sentence for the keys that a path leads along: see `found_at`."""
        is_about = (
            len(keys) > 1 and keys[-1] in RULE_KEYS and keys[-2] not in ("attributes", "state", "terms", "tie_break")
        )
        is_about = is_about or (keys[0] == "tables" and keys[3:4] == ["grade"])
        words = None if is_about else self._said(keys)
        return end(upper_first(plain(words))) if words is not None else self._as_written(keys)

    def _said(self, keys: list[str]) -> str | None:
        match keys:
            case ["tables", kind, member, *rest]:
                return self._row(kind, member, rest)
            case ["kinds", kind, *rest]:
                return self._kind(kind, rest)
            case ["graphs", graph, *rest]:
                return self._graph(graph, rest)
            case ["routes", route, *rest]:
                parts = self.route(route)
                said = parts.get(tuple(rest)) if rest else "; ".join(parts.values())
                return f"'{spoken(route)}' {said}" if said else None
            case ["actions", action, *rest]:
                return self._action(action, rest)
            case ["scenario", *rest]:
                return self._scenario(rest)
            case ["score", "terms" | "tie_break" as section, name]:
                what = "the score counts" if section == "terms" else "a tie is broken by"
                return f"{what} {self.score(section, name)}"
        return self._rule(keys)

    def _rule(self, keys: list[str]) -> str | None:
        """The parts of sections in which an id is told as a whole, or nearly so."""
        match keys:
            case ["procedures" | "phases", _] | ["procedures" | "phases", _, "do"]:
                return f"{subject(self.book, keys)}: {in_line(self.steps_at(keys) or ())}"
            case ["terms", name, *_] if name in self.book.composed.settings:
                return self.book.composed.settings[name].told
            case ["terms", name, *rest] if rest[:1] != ["of"]:
                return "; ".join(self.term(name))
            case ["supplies", name]:
                return f"{subject(self.book, keys)}: {'; '.join(self.supply(name).values())}"
            case ["supplies", name, "places", place]:
                return f"{subject(self.book, keys)}, {self.supply(name)['places', place]}"
            case ["endings", ending]:
                return f"the game can end like this: {self.book.rules.endings[ending]}"
            case ["state", name, *_]:
                return f"changing in play: {self.state('', name)}"
            case ["invariants", label, *_]:
                return self.invariant(label)
            case ["advice", name, *rest] if rest[:1] != ["title"]:
                return self.advice(name)
            case ["manifest", "rounds"]:
                return self.rounds()
        return None

    def _as_written(self, keys: list[str]) -> str:
        node = found_at(self.book.composed.tree, ".".join(keys))[-1][1]
        depth = {"tables": 3, "scenario": 1, "manifest": 1}.get(keys[0], 2)
        name = ", ".join([subject(self.book, keys), *map(spoken, keys[depth:])])
        value = ", ".join(map(spoken, node.entries)) if isinstance(node, Mapping) else inline(node)
        return end(f"{name}: {value or 'nothing'}")

    # -- what there is ----------------------------------------------------------------------------------------------

    def _row(self, kind: str, member: str, keys: list[str]) -> str:
        if not keys:
            return self.row(kind, member)
        name, *path = keys
        about = self.book.full_title(kind, member)
        attribute = self.book.rules.symbols.kinds[kind].attributes[name]
        if attribute.spec.kind not in CARRIED:
            return f"{about}: {attribute.told(self.value(kind, member, name, tuple(path)))}"
        if path and (told := self.steps_at(["tables", kind, member, *keys])) is not None:
            return f"{about}, {', '.join(map(spoken, keys))}: {in_line(told)}"
        for term, text in self.book.changed_terms(kind, member, name).items() if path else ():
            if term == path[0]:
                return f"while {about} is in force, {self.changed(term, text)}"
        return f"{about}. {in_line(self.carried_in(kind, member, name))}"

    def _kind(self, name: str, keys: list[str]) -> str | None:
        kind = at(self.book.document.kinds, name)
        match keys:
            case []:
                combination = self.combination(name)
                parts = [
                    *([combination] if combination else []),
                    *self.attributes(name),
                    *(self.state(name, each) for each in kind.state),
                ]
                return f"{subject(self.book, ['kinds', name])}: {'; '.join(parts) or 'nothing more is said of it'}"
            case ["in_force"]:
                return self.in_force(name)
            case ["numbers" | "for_each", *_]:
                return f"of {self.book.kinds(name)} there is {self.combination(name)}"
            case ["attributes", attribute, *_]:
                declared = at(kind.attributes, attribute)
                usual = f", unless said {inline(declared.default)}" if declared.default is not None else ""
                words = self.declared(declared) + self.worked_out(name, attribute)
                return f"each {self.book.kind(name)} has {spoken(attribute)}: {words}{usual}"
            case ["state", state, *_]:
                return f"each {self.book.kind(name)} has, changing in play, {self.state(name, state)}"
        return None

    # -- where one goes ---------------------------------------------------------------------------------------------

    def _graph(self, name: str, keys: list[str]) -> str | None:
        if len(keys) > 1:
            return self.edge(name, keys[1])
        if derived := self.derived(name):
            return f"{spoken(name)} {agreeing(spoken(name), 'joins')} {derived}"
        edges = at(self.book.document.graphs, name).edges or {}
        return None if keys else f"{spoken(name)}: {'; '.join(self.edge(name, edge) for edge in edges)}"

    # -- rules ------------------------------------------------------------------------------------------------------

    def _action(self, action: str, keys: list[str]) -> str | None:
        about = subject(self.book, ["actions", action])
        match keys:
            case []:
                return f"{about}. {in_line(self.action(action))}"
            case ["cost", *what]:
                return f"{about} {self.cost_of(action, *what)}"
            case ["requires", *labels]:
                return self._condition(f"{about} requires: ", self.rule(action).conditions, labels or ["requires"])
            case ["choose", name]:
                return f"{about}: {in_line([self.choice(action, name)])}"
            case ["choose", name, "from" | "title"]:
                return f"{about}: {opening(self.choices(action)[name], self.say)}"
            case ["choose", name, "where", *labels]:
                tests = self.choices(action)[name].conditions
                return self._condition(f"{about}, {spoken(name)}: ", tests, labels or ["where"], name)
            case ["do"]:
                return f"{about}: {in_line(self.effects(action))}"
        return None

    def _condition(self, about: str, tests: tuple[ir.Condition, ...], labels: list[str], topic: str = "") -> str | None:
        """One requirement; None where there is none of this label, as each stands under one of its own."""
        known = [part for part in tests if part.label == labels[0]]
        return about + condition(known[0], self.say.about(topic)) if known else None

    # -- the beginning ----------------------------------------------------------------------------------------------

    def _scenario(self, keys: list[str]) -> str | None:
        scenario = self.book.document.scenario
        match keys:
            case []:
                return f"{scenario.title or spoken(self.book.composed.scenario)}. {'. '.join(self.starts())}"
            case ["start", *path]:
                said = ". ".join(self.starts(*path)) or "nothing is set"
                return f"at the start, {said[:1].lower()}{said[1:]}" if path else said
        return None
