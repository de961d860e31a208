"""Resolve names: the document's kinds, tables, state, graphs, routes and terms become symbols."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product

from polis_rules.diagnostics import Diagnostics, nearest
from polis_rules.expressions.types import Type
from polis_rules.resolve_graphs import resolve_graphs
from polis_rules.schema import Document
from polis_rules.schema import kinds as declared
from polis_rules.schema.types import TypeSpec, parse_type
from polis_rules.source import Mapping, Node, Sequence, Text
from polis_rules.symbols import BUILT_IN, Attribute, Kind, Route, Symbols, Term, Variable, value_type

WIDEST = 10**9
"""The bound of a `number`: whole numbers within plus and minus this."""

MOST_SLOTS = 20_000
"""How many values one state variable may keep."""


def resolve(document: Document, diagnostics: Diagnostics) -> Symbols:
    """The symbol table of a document. Errors: `unknown-name`, `unknown-type`, `shadowing`, `unknown-edge`."""
    return Resolver(document, diagnostics).run()


def spoken(name: str) -> str:
    """An id as words: `no_money` becomes `no money`."""
    return name.replace("_", " ")


def rows_of(document: Document, kind: str) -> dict[Text, declared.Row]:
    """The rows of a kind's table, by member; empty where there is no table."""
    tables: dict[str, dict[Text, declared.Row]] = {str(name): rows for name, rows in document.tables.items()}
    return tables.get(kind, {})


def value_of(row: declared.Row, attribute: str) -> Node | None:
    """What a row says about an attribute, as it is written; None where it says nothing."""
    values: Mapping = Mapping(row.values, row.span)
    return values.get(attribute)


class Resolver:
    """Builds the symbol table of one document."""

    def __init__(self, document: Document, diagnostics: Diagnostics) -> None:
        self.document = document
        self.diagnostics = diagnostics
        self.symbols = Symbols()

    def run(self) -> Symbols:
        document, symbols = self.document, self.symbols
        for name, kind in document.kinds.items():
            rows = document.tables.get(name, {})
            titles = tuple(str(row.title or spoken(member).capitalize()) for member, row in rows.items())
            symbols.kinds[str(name)] = Kind(
                str(name), str(kind.title or spoken(name)), tuple(str(member) for member in rows), titles
            )
        titles = tuple(str(action.title or spoken(name).capitalize()) for name, action in document.actions.items())
        symbols.kinds["action"] = Kind("action", "action", tuple(str(name) for name in document.actions), titles)
        for made in symbols.kinds.values():
            for member in made.members:
                symbols.owners.setdefault(member, []).append(made.name)
        for name, kind in document.kinds.items():
            self.attributes(symbols.kinds[name], kind)
            for variable, found in kind.state.items():
                symbols.kinds[name].state[str(variable)] = self.variable(str(name), variable, found)
        for variable, found in document.state.items():
            symbols.state[str(variable)] = self.variable("", variable, found)
        for name, term in document.terms.items():
            symbols.terms[str(name)] = Term(str(name), self.params(term.of), term.is_)
        resolve_graphs(document, symbols, self.diagnostics)
        for name, route in document.routes.items():
            over = tuple(str(graph) for graph in route.over)
            symbols.routes[str(name)] = Route(str(name), self.params(route.of), over)
        self.clashes()
        return symbols

    # -- types ------------------------------------------------------------------------------------------------------

    def spec(self, text: Text) -> TypeSpec:
        """A declared type; `number` after a diagnostic when it is no type or names no kind."""
        try:
            spec = parse_type(text)
        except ValueError as error:
            self.diagnostics.error("unknown-type", str(error), text.span)
            return TypeSpec("number")
        if spec.member_kind is not None and not self.kind_exists(spec.member_kind, text):
            return TypeSpec("number")
        return spec

    def kind_exists(self, name: str, at: Text) -> bool:
        if name in self.symbols.kinds:
            return True
        close = nearest(name, self.symbols.kinds)
        self.diagnostics.error(
            "unknown-name", f"there is no kind `{name}`", at.span, hint=f"did you mean `{close}`?" if close else None
        )
        return False

    def params(self, of: dict[Text, Text]) -> dict[str, Type]:
        found: dict[str, Type] = {}
        for name, text in of.items():
            kind = value_type(self.spec(text))
            if kind is None:
                self.diagnostics.error("unknown-type", f"a parameter cannot be {text}", text.span)
                continue
            found[str(name)] = kind
            self.free(name)
        return found

    def free(self, name: Text) -> None:
        """Complain where a local name already means something."""
        if name in self.symbols.kinds or name in self.symbols.owners or name in self.document.terms or name in BUILT_IN:
            self.diagnostics.error(
                "shadowing", f"`{name}` already means something", name.span, hint="choose another name"
            )

    def per(self, per: dict[Text, Text]) -> tuple[tuple[str, str], ...]:
        return tuple((str(name), str(kind)) for name, kind in per.items() if self.kind_exists(kind, kind))

    # -- attributes -------------------------------------------------------------------------------------------------

    def attributes(self, kind: Kind, found: declared.Kind) -> None:
        for name, item in found.attributes.items():
            attribute = Attribute(
                kind.name, str(name), self.spec(item.type), self.per(item.per or {}), self.params(item.of)
            )  # fmt: skip
            kind.attributes[str(name)] = attribute
            if attribute.spec.kind == "text":
                attribute.texts = tuple(str(raw) for _, raw in self.raw_values(attribute, item))
            elif attribute.type is not None and attribute.spec.kind != "formula":
                attribute.values = tuple(
                    self.constant(raw, attribute.spec) for _, raw in self.raw_values(attribute, item)
                )

    def raw_values(self, attribute: Attribute, item: declared.Attribute) -> Iterable[tuple[int, Node]]:
        """The written (or default) value at each flat index of an attribute."""
        default: Node = item.default if item.default is not None else Text("", item.span)
        rows = rows_of(self.document, attribute.owner)
        kinds = [self.symbols.kinds[name].members for _, name in attribute.per]
        flat = 0
        for row in rows.values():
            written = value_of(row, attribute.name)
            for indexes in product(*kinds):
                value: Node | None = written
                for index in indexes:
                    value = value.get(index) if isinstance(value, Mapping) else None
                yield flat, default if value is None else value
                flat += 1

    def constant(self, raw: Node, spec: TypeSpec) -> int:
        """A table's value as a number; what is wrong has been reported by the table schema."""
        if spec.kind == "set":
            index = self.symbols.kinds[spec.member_kind or ""].index
            items = raw.items if isinstance(raw, Sequence) else []
            return sum(1 << index[item] for item in items if isinstance(item, Text) and item in index)
        if not isinstance(raw, Text):
            return -1 if spec.kind == "ref" else 0
        if spec.kind == "ref":
            return self.symbols.kinds[spec.member_kind or ""].index.get(raw, -1)
        if spec.kind == "flag":
            return int(raw == "true")
        try:
            return int(raw)
        except ValueError:
            return 0

    # -- state ------------------------------------------------------------------------------------------------------

    def variable(self, owner: str, name: Text, item: declared.Variable) -> Variable:
        spec = self.spec(item.type)
        kind = value_type(spec)
        if kind is None:
            self.diagnostics.error("unknown-type", f"state cannot be {item.type}", item.type.span)
            kind, spec = value_type(TypeSpec("number")), TypeSpec("number")
            assert kind is not None
        low, high = self.bounds(spec)
        per = self.per(item.per)
        size = 1
        for members in self.symbols.sizes(owner, per):
            size *= members
        if size > MOST_SLOTS:
            self.diagnostics.error("too-large", f"`{name}` would keep {size} values; at most {MOST_SLOTS}", name.span)
            size, per = 0, ()
        return Variable(
            owner, str(name), kind, low, high, per, item.start, item.spendable, str(item.title or ""), item.seen_by,
            name.span, size, bounded=spec.kind != "number",
        )  # fmt: skip

    def bounds(self, spec: TypeSpec) -> tuple[int, int]:
        if spec.kind == "range":
            return spec.low or 0, spec.high or 0
        if spec.kind == "flag":
            return 0, 1
        if spec.kind == "ref":
            return -1 if spec.maybe else 0, len(self.symbols.kinds[spec.member_kind or ""].members) - 1
        if spec.kind == "set":
            return 0, (1 << len(self.symbols.kinds[spec.member_kind or ""].members)) - 1
        return -WIDEST, WIDEST

    # -- clashes ----------------------------------------------------------------------------------------------------

    def clashes(self) -> None:
        """Nothing may have the name of something else; members of different kinds may share one."""
        document = self.document
        seen: dict[str, Text] = {}
        for section in (document.kinds, document.state, document.terms, document.routes):
            for name in section:
                self._taken(name, seen)
                seen[str(name)] = name
        for rows in document.tables.values():
            for name in rows:
                self._taken(name, seen)

    def _taken(self, name: Text, seen: dict[str, Text]) -> None:
        if name in BUILT_IN:
            self.diagnostics.error(
                "shadowing", f"`{name}` is a word of the language", name.span, hint="choose another name"
            )
        elif name in seen:
            self.diagnostics.error(
                "shadowing",
                f"`{name}` already means something",
                name.span,
                related=(("first meaning", seen[name].span),),
            )
