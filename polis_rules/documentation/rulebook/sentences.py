"""The sentence that a player would read for any path of a ruleset."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from polis_rules.composition import inline
from polis_rules.documentation.rulebook.book import Book, at
from polis_rules.documentation.rulebook.english import agreeing, end, upper_first
from polis_rules.documentation.rulebook.items import in_line, plain
from polis_rules.documentation.rulebook.rules import Rules
from polis_rules.documentation.rulebook.values import Values
from polis_rules.source import Mapping, Node, spoken

ABOUT = ("title", "cite", "grade", "ruling")


def locate(tree: Mapping, path: str) -> list[str] | None:
    """The keys that a path of ids joined by dots leads along, or None. A key may hold a dot itself.

    >>> from polis_rules.diagnostics.diagnostics import Diagnostics
    >>> from polis_rules.source.reader import read_text
    >>> locate(read_text("start: {space.owner: {north: red}}", "a.yaml", Diagnostics()), "start.space.owner.north")
    ['start', 'space.owner', 'north']
    """
    return _follow(tree, path.split("."))


def _follow(node: Node, parts: list[str]) -> list[str] | None:
    if not parts:
        return []
    for width in (1, 2):
        key = ".".join(parts[:width])
        inner = node.get(key) if isinstance(node, Mapping) and len(parts) >= width else None
        if inner is not None and (rest := _follow(inner, parts[width:])) is not None:
            return [key, *rest]
    return None


def subject(book: Book, keys: list[str]) -> str:
    """What a path is about, in a word or two: the row, the action, the term."""
    section, *rest = keys
    if section == "tables" and len(rest) > 1:
        return Values(book).title(rest[0], rest[1])
    if section == "actions" and rest:
        rule = at(book.document.actions, rest[0])
        return str(rule.title) if rule is not None and rule.title else upper_first(spoken(rest[0]))
    if section in ("procedures", "phases") and rest:
        return book.rule(f"{section}.{rest[0]}")
    if section == "endings" and rest:
        return book.rules.endings[rest[0]]
    if section == "kinds" and rest:
        return book.rules.symbols.kinds[rest[0]].title
    named = rest and section not in ("scenario", "manifest") and rest[0] not in ABOUT
    return upper_first(spoken(rest[0] if named else section))


@dataclass(frozen=True)
class Sentences:
    """Says every part of one book. Where a part has no words of its own, its value is said as it is written."""

    book: Book

    def sentence(self, keys: list[str]) -> str:
        """The sentence for the keys that a path leads along: see `locate`."""
        if len(keys) > 1 and keys[-1] in ABOUT and keys[-2] not in ("attributes", "state", "terms", "tie_break"):
            return self._as_written(keys)
        section, *rest = keys
        rules = Rules(self.book)
        say: dict[str, Callable[[list[str]], str | None]] = {
            "tables": self._table, "kinds": self._kind, "graphs": self._graph, "routes": self._route,
            "terms": self._term, "supplies": self._supply, "actions": self._action, "endings": self._ending,
            "procedures": self._procedure, "phases": partial(self._procedure, section="phases"),
            "score": self._score, "scenario": self._scenario,
            "state": lambda keys: f"changing in play: {rules.state('', keys[0])}",
            "invariants": lambda keys: rules.invariant(keys[0]),
            "manifest": lambda keys: rules.rounds() if keys == ["rounds"] else None,
        }  # fmt: skip
        found = say[section](rest) if section in say and (rest or section == "scenario") else None
        return end(upper_first(plain(found))) if found is not None else self._as_written(keys)

    def _as_written(self, keys: list[str]) -> str:
        node: Node | None = self.book.composed.tree
        for key in keys:
            node = node.get(key) if isinstance(node, Mapping) else None
        if isinstance(node, Mapping):
            names = ", ".join(spoken(str(key)) for key in node.entries)
            return end(f"{self._named(keys)}: {names or 'nothing'}")
        return end(f"{self._named(keys)}: {inline(node) if node is not None else 'nothing'}")

    def _named(self, keys: list[str]) -> str:
        depth = 3 if keys[0] == "tables" else 2
        about = subject(self.book, keys)
        rest = keys[min(depth, len(keys)) if keys[0] not in ("scenario", "manifest") else 1 :]
        return ", ".join([about, *(spoken(key) for key in rest)])

    # -- what there is ----------------------------------------------------------------------------------------------

    def _table(self, keys: list[str]) -> str | None:
        values = Values(self.book)
        if len(keys) < 2:
            return None
        kind, member, *rest = keys
        if not rest:
            return values.row(kind, member)
        name, *path = rest
        attribute = self.book.rules.symbols.kinds[kind].attributes[name]
        about = values.title(kind, member)
        if attribute.spec.kind == "effects":
            items = values.effects(kind, member, name)
            path_of_list = ".".join(["tables", *keys])
            if path and path_of_list in self.book.rules.procedures:
                told = in_line(Rules(self.book).steps(path_of_list))
                return f"{about}, {', '.join(spoken(each) for each in rest)}: {told}"
            return f"{about}. {in_line(items)}"
        if attribute.spec.kind == "changes":
            row = at(at(self.book.document.tables, kind) or {}, member)
            raw = at(row.values, name) if row is not None else None
            text = raw.get(path[0]) if path and isinstance(raw, Mapping) else None
            if text is not None and path:
                return f"while {about} is in force, {values.changed(path[0], text)}"  # type: ignore[arg-type]
            return f"{about}. {in_line(values.changes(kind, member, name))}"
        return f"{about}: {spoken(name)} {values.value(kind, member, name, tuple(path))}"

    def _kind(self, keys: list[str]) -> str | None:
        kind = at(self.book.document.kinds, keys[0])
        rules = Rules(self.book)
        if kind is None:
            return None
        about = self.book.rules.symbols.kinds[keys[0]].title
        match keys[1:]:
            case []:
                made = [rules.combination(keys[0])] if kind.for_each else []
                fixed = (
                    f"{spoken(key)}: {rules.declared(each.type, each.per, each.of)}"
                    for key, each in kind.attributes.items()
                )
                parts = [*made, *fixed, *(rules.state(keys[0], str(name)) for name in kind.state)]
                return f"{about}: {'; '.join(parts) or 'nothing more is said of it'}"
            case ["in_force"]:
                return rules.in_force(keys[0])
            case ["attributes", name, *_]:
                found = at(kind.attributes, name)
                words = rules.declared(found.type, found.per, found.of) if found is not None else ""
                usual = (
                    f", unless said {inline(found.default)}" if found is not None and found.default is not None else ""
                )
                return f"each {self.book.kind(keys[0])} has {spoken(name)}: {words}{usual}"
            case ["state", name, *_]:
                return f"each {self.book.kind(keys[0])} has, changing in play, {rules.state(keys[0], name)}"
        return None

    # -- where one goes ---------------------------------------------------------------------------------------------

    def _graph(self, keys: list[str]) -> str | None:
        graph = at(self.book.document.graphs, keys[0])
        if graph is None or (len(keys) == 2 and graph.from_ is None):
            return None
        if len(keys) > 2:
            return Rules(self.book).edge(keys[0], keys[2])
        if graph.from_ is not None:
            kind, _, attribute = graph.from_.partition(".")
            verb = agreeing(spoken(keys[0]), "joins")
            return f"{spoken(keys[0])} {verb} each {self.book.kind(kind)} with its {spoken(attribute)}"
        edges = graph.edges or {}
        return f"{spoken(keys[0])}: {'; '.join(Rules(self.book).edge(keys[0], str(edge)) for edge in edges)}"

    def _route(self, keys: list[str]) -> str | None:
        rules = Rules(self.book)
        about = f"'{spoken(keys[0])}'"
        match keys[1:]:
            case []:
                return f"{about} {'; '.join(rules.route(keys[0]))}"
            case ["over"]:
                return f"{about} {rules.over(keys[0])}"
            case ["through", kind]:
                return f"{about} {rules.through(keys[0], kind)}"
            case ["costs", kind]:
                return f"{about} {rules.toll(keys[0], kind)}"
            case ["also", graph]:
                return f"{about} {rules.also(keys[0], graph)}"
        return None

    # -- rules ------------------------------------------------------------------------------------------------------

    def _term(self, keys: list[str]) -> str | None:
        rules = Rules(self.book)
        if keys[1:2] == ["of"]:
            return None
        return "; ".join([rules.term(keys[0]), *rules.modifiers(keys[0])])

    def _supply(self, keys: list[str]) -> str | None:
        rules = Rules(self.book)
        about = subject(self.book, ["supplies", keys[0]])
        if keys[1:2] == ["places"] and len(keys) == 3:
            return f"{about}, {rules.place(keys[0], keys[2])}"
        return f"{about}: {'; '.join(rules.supply(keys[0]))}" if len(keys) == 1 else None

    def _action(self, keys: list[str]) -> str | None:
        action, rules = keys[0], Rules(self.book)
        about = subject(self.book, ["actions", action])
        match keys[1:]:
            case []:
                return f"{about}. {in_line(rules.action(action))}"
            case ["cost", what]:
                return f"{about} {rules.cost_of(action, what)}"
            case ["requires", label]:
                return f"{about} requires: {rules.requirement(action, label)}"
            case ["requires"] if any(part.label == "requires" for part in rules.rule(action).conditions):
                return f"{about} requires: {rules.requirement(action, 'requires')}"
            case ["choose", name]:
                return f"{about}: {in_line([rules.choice(action, name)])}"
            case ["choose", name, "from" | "title"]:
                return f"{about}: {rules.choice_opening(action, name)}"
            case ["choose", name, "where"] if any(
                part.label == "where" for part in rules.choices(action)[name].conditions
            ):
                return f"{about}, {spoken(name)}: {rules.choice_condition(action, name, 'where')}"
            case ["choose", name, "where", label]:
                return f"{about}, {spoken(name)}: {rules.choice_condition(action, name, label)}"
            case ["do"]:
                return f"{about}: {in_line(rules.effects(action))}"
        return None

    def _procedure(self, keys: list[str], section: str = "procedures") -> str | None:
        if keys[1:] not in ([], ["do"]):
            return None
        told = in_line(Rules(self.book).steps(f"{section}.{keys[0]}"))
        return f"{subject(self.book, [section, keys[0]])}: {told}"

    # -- the end and the beginning ----------------------------------------------------------------------------------

    def _ending(self, keys: list[str]) -> str | None:
        return f"the game can end like this: {self.book.rules.endings[keys[0]]}" if len(keys) == 1 else None

    def _score(self, keys: list[str]) -> str | None:
        if len(keys) != 2 or keys[0] not in ("terms", "tie_break"):
            return None
        what = "the score counts" if keys[0] == "terms" else "a tie is broken by"
        return f"{what} {Rules(self.book).score(keys[0], keys[1])}"

    def _scenario(self, keys: list[str]) -> str | None:
        values = Values(self.book)
        if not keys:
            title = self.book.document.scenario.title or spoken(self.book.composed.scenario)
            starts = [values.start(str(key)) for key in self.book.document.scenario.start]
            return f"{title}. {'. '.join(starts)}"
        if keys[0] != "start":
            return None
        if len(keys) == 1:
            return ". ".join(values.start(str(key)) for key in self.book.document.scenario.start) or "nothing is set"
        said = values.start(keys[1], tuple(keys[2:]))
        return f"at the start, {said[:1].lower()}{said[1:]}"
