"""Rows and set-ups in words: the values of members, one after the other."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import groupby, product

from polis_rules.documentation.rulebook.book import Book
from polis_rules.documentation.rulebook.clauses import Clauses
from polis_rules.documentation.rulebook.english import a, listed, upper_first
from polis_rules.documentation.rulebook.folding import Folding
from polis_rules.documentation.rulebook.items import Item, in_line
from polis_rules.documentation.rulebook.phrases import Phrases
from polis_rules.documentation.rulebook.steps import tell
from polis_rules.schema import parse_type
from polis_rules.semantics import KindSymbol
from polis_rules.semantics.expressions import Attr, Const, Expr, IfElse, Scope, Type, Var
from polis_rules.source import Text, spoken

TYPES = {
    "flag": "yes or no", "number": "a number", "formula": "a number", "condition": "yes or no", "text": "words",
    "effects": "what happens", "changes": "changed terms",
}  # fmt: skip
"""Declared types that name no kind and no range."""

CARRIED = ("effects", "changes")
"""Types of attributes that are no values: what rows do."""


@dataclass(frozen=True)
class Values:
    """Says what the rows of tables and the start of a scenario hold."""

    book: Book

    folding: Folding | None = None
    """In a rulebook; see `Phrases`."""
    told_here: frozenset[str] = frozenset()
    said: Mapping[str, str] = field(default_factory=dict)

    @property
    def say(self) -> Phrases:
        """Phrases without any local name."""
        return Clauses(self.book, folding=self.folding, told_here=self.told_here, said=self.said)

    def type_words(self, text: str, unit: str = "") -> str:
        """A declared type: `0 to 5`, `0 to 5 coins`, `a space or none`."""
        spec = parse_type(text)
        if unit:
            of_it = "" if spec.kind == "range" else f" ({unit})" if spec.member_kind else f" of {unit}"
            return self.type_words(text) + (of_it or f" {unit}")
        if spec.kind == "range":
            return f"{spec.low} to {spec.high}"
        if spec.kind == "ref" and spec.member_kind:
            return a(self.book.kind(spec.member_kind)) + (" or none" if spec.maybe else "")
        if spec.kind == "set" and spec.member_kind:
            return f"any {self.book.kinds(spec.member_kind)}"
        if spec.kind == "list" and spec.member_kind:
            return f"a list of {self.book.kinds(spec.member_kind)}"
        return TYPES.get(spec.kind, spec.kind)

    # -- rows -------------------------------------------------------------------------------------------------------

    def row(self, kind: str, member: str) -> str:
        """`North (space): size 3; it is wet; neighbours East and West.`"""
        parts = [text for name in self.plain(kind) if (text := self._cell(kind, member, name))]
        whole = f"{self.book.full_title(kind, member)} ({self.book.kind(kind)})"
        whole += f": {'; '.join(parts)}." if parts else "."
        return " ".join([whole, *(in_line([item]) for item in self.carried(kind, member))])

    def _cell(self, kind: str, member: str, name: str) -> str:
        attribute = self.book.rules.symbols.kinds[kind].attributes[name]
        words = self.value(kind, member, name)
        if attribute.spec.kind == "flag" and not attribute.per:
            return attribute.label if words == "yes" else ""
        return attribute.told(words)

    def plain(self, kind: str) -> list[str]:
        """The attributes that are values: no steps, no changed terms."""
        attributes = self.book.rules.symbols.kinds[kind].attributes
        return [name for name, each in attributes.items() if each.spec.kind not in CARRIED]

    def value(self, kind: str, member: str, name: str, path: tuple[str, ...] = ()) -> str:
        """The value of an attribute; with `path`, only what it is for those members."""
        symbols = self.book.rules.symbols
        attribute, number = symbols.kinds[kind].attributes[name], symbols.kinds[kind].index[member]
        if attribute.is_formula:
            formula = attribute.formulas.get(number)
            told = self.say.clause if attribute.spec.kind == "condition" else self.say.text
            return told(formula) if formula is not None else "none"
        kinds = attribute.kinds[1:]
        indexes = list(product(*(symbols.kinds[each].members for each in kinds)))
        stored: tuple[str | int, ...] = attribute.texts if attribute.spec.kind == "text" else attribute.values
        parts = []
        for value, index in zip(stored[number * len(indexes) :], indexes, strict=False):
            if index[: len(path)] == path and (value or len(indexes) == 1 or index == path):
                titles = map(self.book.member, kinds[len(path) :], index[len(path) :])
                parts.append(" ".join([self.words(attribute.type, value), *titles]).strip())
        return ", ".join(parts) or "none"

    def words(self, kind: Type | None, value: int | str) -> str:
        """A value of a type, or a text, as it stands in a table."""
        if kind is None or isinstance(value, str):
            return str(value)
        is_none = (kind.base == "ref" and value < 0) or (kind.base in ("set", "list") and not value)
        return "none" if is_none else self.say.text(Const(kind, value))

    def copied(self, kind: KindSymbol) -> str:
        """The attribute that says how many there are of each member: state begins with it; empty if none does."""
        starts = (each.start_expr for each in kind.state.values() if each.type.base == "int" and not each.per)
        names = [start.name for start in starts if isinstance(start, Attr) and start.owner == kind.name]
        return names[0] if names and kind.attributes[names[0]].values else ""

    # -- what rows carry --------------------------------------------------------------------------------------------

    def carried(self, kind: str, member: str) -> list[Item]:
        """The steps and the changed terms of a row, each under the name of its attribute; or what is said of it."""
        if (path := f"tables.{kind}.{member}") in self.said:
            return [Item(self.said[path])]
        attributes = self.book.rules.symbols.kinds[kind].attributes
        return [item for name in attributes for item in self.carried_in(kind, member, name)]

    def carried_in(self, kind: str, member: str, name: str) -> list[Item]:
        """What one attribute of a row carries: steps, with `per` an item for each list, or what terms are meanwhile."""
        attribute = self.book.rules.symbols.kinds[kind].attributes[name]
        if attribute.spec.kind == "changes":
            changes = self.book.changed_terms(kind, member, name)
            return [Item(f"while it is in force, {self.changed(*each)}") for each in changes.items()]
        items, path = [], f"tables.{kind}.{member}.{name}"
        for key in attribute.procedures.values():
            if f"{key}.".startswith(f"{path}."):
                titles = map(self.book.member, attribute.kinds[1:], key[len(path) + 1 :].split("."))
                words = upper_first(attribute.label) + (f" ({listed(titles)})" if attribute.per else "")
                items.append(Item(words, tell(self.book.rules.procedures[key].body, self.say)))
        return items

    def changed(self, term: str, text: Text) -> str:
        """`'price' is the usual value plus 1`: a term as a card changes it."""
        params, body = self.book.term(term)
        if body is None:
            return f"{spoken(term)}: {text}"
        tree = self.book.check(text, Scope({**params}, base=Var(body.type, "base")), body.type)
        return f"{spoken(term)}: {text}" if tree is None else self.named(f"'{spoken(term)}'", tree)

    def named(self, name: str, meaning: Expr) -> str:
        """What a named condition or amount stands for."""
        if isinstance(meaning, IfElse) and meaning.other == Var(meaning.type, "base"):
            return f"{self.named(name, meaning.then)} if {self.say.clause(meaning.test)}"
        if meaning.type.base != "bool":
            return f"{name} is {self.say.text(meaning)}"
        text = self.say.clause(meaning)
        return f"{name} {text} holds" if text in ("always", "never") else f"{name} holds if {text}"

    # -- the start --------------------------------------------------------------------------------------------------

    def starts(self, first: str = "", *path: str) -> list[str]:
        """What a scenario sets, state by state; of a path, what lies below it."""
        said = []
        for owner, name in dict.fromkeys((each.owner, each.name) for each in self.book.rules.starts):
            ids, named = ((*path[:1], *path[2:]), path[1:2]) if owner else (path, ())
            if first in ("", owner or name) and named in ((), (name,)):
                said.append(self.start(owner, name, ids))
        return said

    def start_of(self, owner: str) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
        """What a scenario sets for the members of a kind: heads, and a row for each member that has any of it."""
        symbols = self.book.rules.symbols
        names = [*dict.fromkeys(each.name for each in self.book.rules.starts if each.owner == owner)]
        found: dict[str, dict[str, list[str]]] = {member: {} for member in symbols.kinds[owner].members}
        for each in self.book.rules.starts:
            if each.owner == owner:
                variable = symbols.variable(owner, each.name)
                member, *path = [*product(*(symbols.kinds[kind].members for kind in variable.kinds))][each.index]
                titles = map(self.book.member, variable.kinds[1:], path)
                words = [*titles, self.words(variable.type, each.value)]
                found[member].setdefault(each.name, []).append(" ".join(words))
        heads = [symbols.variable(owner, name).heading for name in names]
        rows = [
            (self.book.full_title(owner, member), *(", ".join(values.get(name, ())) for name in names))
            for member, values in found.items()
            if values
        ]
        return (symbols.kinds[owner].title, *heads), rows

    def start(self, owner: str, name: str, path: tuple[str, ...]) -> str:
        """`North: owner Red, East: owner Blue`: what a scenario sets, perhaps for some members only."""
        symbols = self.book.rules.symbols
        variable = symbols.variable(owner, name)
        kinds = variable.kinds
        indexes = list(product(*(symbols.kinds[kind].members for kind in kinds)))
        values = [
            (indexes[start.index], self.words(variable.type, start.value))
            for start in self.book.rules.starts
            if (start.owner, start.name) == (owner, name) and indexes[start.index][: len(path)] == path
        ]
        label = upper_first(variable.title or spoken(name)) + (f" ({variable.unit})" if variable.unit else "")
        if not kinds:
            return f"{label}: {values[0][1] if values else 'none'}"
        shown = [self._shared(kinds, list(group)) for _, group in groupby(values, key=lambda each: each[0][:-1])]
        of_what = "" if owner == "player" else f" of {self.book.kinds(owner)}" if owner else ""
        return f"{label}{of_what}: {'; '.join(shown) or 'none'}"

    def _shared(self, kinds: tuple[str, ...], values: list[tuple[tuple[str, ...], str]]) -> str:
        """`Red: coins 3, tokens 2`: values of one member together."""
        first = ", ".join(map(self.book.member, kinds, values[0][0][:-1]))
        each = ", ".join(f"{self.book.member(kinds[-1], index[-1])} {words}" for index, words in values)
        return f"{first}: {each}" if first else each
