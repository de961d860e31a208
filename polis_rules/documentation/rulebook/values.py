"""Rows and set-ups in words: the values of members, one after the other."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby, product

from polis_rules.documentation.rulebook.book import Book, at
from polis_rules.documentation.rulebook.clauses import Clauses
from polis_rules.documentation.rulebook.english import a, listed, upper_first
from polis_rules.documentation.rulebook.items import Item, in_line
from polis_rules.documentation.rulebook.steps import Teller
from polis_rules.schema import Row, parse_type
from polis_rules.semantics import Attribute
from polis_rules.semantics.expressions import INT, Expr, Scope, Type
from polis_rules.source import Mapping, Node, Text, spoken


def type_words(book: Book, text: str) -> str:
    """A declared type in words: `0 to 5`, `a space or none`."""
    spec = parse_type(text)
    if spec.kind == "range":
        return f"{spec.low} to {spec.high}"
    if spec.kind == "ref" and spec.member_kind:
        return a(book.kind(spec.member_kind)) + (" or none" if spec.maybe else "")
    if spec.kind == "set" and spec.member_kind:
        return f"any {book.kinds(spec.member_kind)}"
    return {"flag": "yes or no", "number": "a number", "formula": "a number", "text": "words"}.get(
        spec.kind, {"effects": "what happens", "changes": "changed terms"}.get(spec.kind, spec.kind)
    )


@dataclass(frozen=True)
class Values:
    """Says what the rows of tables and the start of a scenario hold."""

    book: Book

    # -- rows -------------------------------------------------------------------------------------------------------

    def row(self, kind: str, member: str) -> str:
        """`North (space): size 3; it is wet; neighbours East and West.`"""
        parts = [text for name in self.plain(kind) if (text := self._cell(kind, member, name))]
        title = self.title(kind, member)
        whole = f"{title} ({self.book.kind(kind)})" + (f": {'; '.join(parts)}." if parts else ".")
        return " ".join([whole, *(in_line([item]) for item in self.carried(kind, member))])

    def _cell(self, kind: str, member: str, name: str) -> str:
        attribute = self.book.rules.symbols.kinds[kind].attributes[name]
        words = self.value(kind, member, name)
        if attribute.spec.kind == "flag" and not attribute.per:
            return spoken(name) if words == "yes" else ""
        return f"{spoken(name)} {words}"

    def title(self, kind: str, member: str) -> str:
        """What a member is called."""
        known = self.book.rules.symbols.kinds[kind]
        return known.titles[known.index[member]]

    def plain(self, kind: str) -> list[str]:
        """The attributes that are values: no steps, no changed terms."""
        attributes = self.book.rules.symbols.kinds[kind].attributes
        return [name for name, each in attributes.items() if each.spec.kind not in ("effects", "changes")]

    def value(self, kind: str, member: str, name: str, path: tuple[str, ...] = ()) -> str:
        """The value of an attribute; with `path`, only what it is for those members."""
        attribute = self.book.rules.symbols.kinds[kind].attributes[name]
        if attribute.spec.kind == "formula":
            return self._formula(kind, member, attribute)
        single, several = [], list(self._slots(attribute, kind, member))
        for keys, words, shown in several:
            if keys[: len(path)] != path or (not shown and len(several) > 1 and keys != path):
                continue
            rest = keys[len(path) :]
            titles = [self._lower(attribute.per[number + len(path)][1], key) for number, key in enumerate(rest)]
            single.append(f"{words} {' '.join(titles)}".strip())
        return ", ".join(single) or "none"

    def _lower(self, kind: str, member: str) -> str:
        known = self.book.rules.symbols.kinds[kind]
        return self.book.title(kind, known.index[member])

    def _slots(self, attribute: Attribute, kind: str, member: str) -> Iterator[tuple[tuple[str, ...], str, bool]]:
        """Each value with the members that it is for, and whether it is worth saying."""
        symbols = self.book.rules.symbols
        groups = [symbols.kinds[each].members for _, each in attribute.per]
        flat = symbols.kinds[kind].index[member]
        for group in groups:
            flat *= len(group)
        for number, keys in enumerate(product(*groups)):
            if attribute.spec.kind == "text":
                text = attribute.texts[flat + number]
                yield keys, text, bool(text)
            elif attribute.type is not None:
                value = attribute.values[flat + number]
                yield keys, self.words(attribute.type, value), bool(value)

    def words(self, kind: Type, value: int) -> str:
        """A value of a type as it stands in a table."""
        if kind.base == "bool":
            return "yes" if value else "no"
        if kind.base == "ref":
            return self.book.title(kind.kind, value) if value >= 0 else "none"
        if kind.base == "set":
            count = len(self.book.rules.symbols.kinds[kind.kind].members)
            return listed(self.book.title(kind.kind, n) for n in range(count) if value >> n & 1) or "none"
        return str(value)

    def _formula(self, kind: str, member: str, attribute: Attribute) -> str:
        found: Expr | None = attribute.formulas.get(self.book.rules.symbols.kinds[kind].index[member])
        return Clauses(self.book).text(found) if found is not None else "none"

    # -- what rows carry --------------------------------------------------------------------------------------------

    def carried(self, kind: str, member: str) -> list[Item]:
        """The steps and the changed terms of a row, each under the name of its attribute."""
        found = []
        for name, each in self.book.rules.symbols.kinds[kind].attributes.items():
            if each.spec.kind == "effects":
                found += self.effects(kind, member, name)
            elif each.spec.kind == "changes":
                found += self.changes(kind, member, name)
        return found

    def effects(self, kind: str, member: str, name: str) -> list[Item]:
        """The steps of one attribute of a row; with `per`, one item for each list."""
        path = f"tables.{kind}.{member}.{name}"
        known = self.book.rules.symbols.kinds[kind].attributes[name]
        found = []
        for key, procedure in self.book.rules.procedures.items():
            if key != path and not key.startswith(f"{path}."):
                continue
            members = key[len(path) + 1 :].split(".") if key != path else []
            titles = [self._lower(each, who) for (_, each), who in zip(known.per, members, strict=True)]
            words = upper_first(spoken(name)) + (f" ({listed(titles)})" if titles else "")
            found.append(Item(words, Teller(self.book).tell(procedure.body)))
        return found

    def changes(self, kind: str, member: str, name: str) -> list[Item]:
        """What terms are while the row is in force."""
        row = self._row(kind, member)
        raw: Node | None = at(row.values, name) if row is not None else None
        found = []
        for term, text in raw.entries.items() if isinstance(raw, Mapping) else ():
            if isinstance(text, Text):
                found.append(Item(f"while it is in force, {self.changed(str(term), text)}"))
        return found

    def changed(self, term: str, text: Text) -> str:
        """`'price' is the usual value plus 1`: a term as a card changes it."""
        params, body = self.book.term(term)
        base = self.book.base(term)
        found = self.book.check(text, Scope({**params}, base=base), body.type if body is not None else None)
        if found is None:
            return f"{spoken(term)}: {text}"
        say = Clauses(self.book)
        if found.type.base == "bool":
            clause = say.clause(found)
            return f"'{spoken(term)}' {f'{clause} holds' if clause in ('always', 'never') else f'holds if {clause}'}"
        return f"'{spoken(term)}' is {say.text(found)}"

    def _row(self, kind: str, member: str) -> Row | None:
        rows = at(self.book.document.tables, kind)
        return at(rows, member) if rows is not None else None

    # -- the start --------------------------------------------------------------------------------------------------

    def start(self, key: str, path: tuple[str, ...] = ()) -> str:
        """`North: owner Red, East: owner Blue`: what a scenario sets, perhaps for some members only."""
        raw = at(self.book.document.scenario.start, key)
        owner, _, name = key.rpartition(".")
        variable = self.book.rules.symbols.variable(owner, name)
        kinds = ([owner] if owner else []) + [kind for _, kind in variable.per]
        label = variable.title or spoken(name)
        for part in path:
            raw = raw.get(part) if isinstance(raw, Mapping) else None
        values = list(self._leaves(raw, path, kinds, variable.type))
        if not kinds:
            return f"{upper_first(label)}: {values[0][1] if values else 'none'}"
        shown = [self._shared(kinds, list(group)) for _, group in groupby(values, key=lambda each: each[0][:-1])]
        of_what = "" if owner == "player" else f" of {self.book.kinds(owner)}" if owner else ""
        return f"{upper_first(label)}{of_what}: {'; '.join(shown) or 'none'}"

    def _shared(self, kinds: list[str], values: list[tuple[tuple[str, ...], str]]) -> str:
        """`Red: coins 3, tokens 2`: values of one member together."""
        first = [self._lower(kind, key) for kind, key in zip(kinds, values[0][0][:-1], strict=False)]
        each = [f"{self._lower(kinds[len(keys) - 1], keys[-1])} {words}" for keys, words in values]
        return ": ".join([", ".join(first), ", ".join(each)] if first else [", ".join(each)])

    def _leaves(
        self, raw: Node | None, keys: tuple[str, ...], kinds: list[str], kind: Type
    ) -> Iterator[tuple[tuple[str, ...], str]]:
        if isinstance(raw, Mapping) and len(keys) < len(kinds):
            for key, inner in raw.entries.items():
                yield from self._leaves(inner, (*keys, str(key)), kinds, kind)
        elif isinstance(raw, Text):
            found = self.book.check(raw, Scope(), kind if kind.base != "int" else INT)
            yield keys, Clauses(self.book).text(found) if found is not None else str(raw)
        elif raw is not None and not isinstance(raw, Mapping):
            texts = [each for each in raw.items if isinstance(each, Text)]
            members = [self.book.check(each, Scope(), Type("ref", kind.kind)) for each in texts]
            yield keys, listed(Clauses(self.book).text(each) for each in members if each is not None) or "none"
