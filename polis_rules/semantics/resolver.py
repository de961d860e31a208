"""Resolve names: the document's kinds, tables, state, graphs, routes and terms become symbols."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable
from dataclasses import replace
from itertools import chain, product
from math import prod

from polis_rules.diagnostics import Diagnostics, nearest
from polis_rules.schema import FORMULAS, Document, Memory, TypeSpec, document as declared, parse_type
from polis_rules.semantics.expressions import BROKEN, GROUPS, Type
from polis_rules.semantics.graphs import resolve_graphs
from polis_rules.semantics.memory import memories
from polis_rules.semantics.packed_lists import packed
from polis_rules.semantics.references import NOT_NOTED, References, member, note_params
from polis_rules.semantics.symbols import (
    ANSWER,
    BEGUN,
    Attribute,
    KindSymbol,
    Params,
    Route,
    Symbols,
    Term,
    Variable,
    value_type,
)
from polis_rules.semantics.told import told_of_state
from polis_rules.semantics.traversal import PLAYER
from polis_rules.semantics.what_counts import check_unit
from polis_rules.source import Mapping, Node, Sequence, Text, entries_at, entry, spoken

BROKEN_SPEC = TypeSpec("number")
"""Stands for a type that is none, which has been reported."""

WIDEST = 10**9
"""The bound of a `number`: whole numbers within plus and minus this."""

MOST_SLOTS = 20_000
"""How many values one state variable may keep."""

MOST_VALUES = 100_000
"""How many values one attribute may have."""


def resolve(
    document: Document,
    diagnostics: Diagnostics,
    references: References | None = None,
    settings: Container[str] = (),
) -> Symbols:
    """The symbol table of a document; what its places mean is noted in `references`. Some terms are `settings`.

    Errors: `unknown-name`, `unknown-type`, `shadowing`, `unknown-edge`.
    """
    return Resolver(document, diagnostics, references or NOT_NOTED, settings).run()


def rows_of(document: Document, kind: str) -> dict[Text, declared.Row]:
    """The rows of a kind's table, by member; empty where there is no table."""
    return entry(document.tables, kind) or {}


def value_of(row: declared.Row, attribute: str) -> Node | None:
    """What a row says about an attribute, as it is written; None where it says nothing."""
    return entry(row.values, attribute)


class Resolver:
    """Builds the symbol table of one document."""

    def __init__(
        self, document: Document, diagnostics: Diagnostics, references: References, settings: Container[str]
    ) -> None:
        self.document = document
        self.settings = settings
        self.diagnostics = diagnostics
        self.references = references
        self.symbols = Symbols()
        self.local_names: list[tuple[Text, str]] = []
        """parameters, each with its kind, and the indexes of state"""

    def run(self) -> Symbols:
        document, symbols = self.document, self.symbols
        self.players()
        for name, kind in document.kinds.items():
            rows = document.tables.get(name, {})
            titles = tuple(str(row.title or spoken(member).capitalize()) for member, row in rows.items())
            title, plural = str(kind.title or spoken(name)), str(kind.plural or "")
            made = KindSymbol(str(name), title, tuple(map(str, rows)), titles, plural=plural)
            made.parts = tuple(map(str, kind.for_each.values()))
            made.first = int(kind.numbers.partition("..")[0]) if kind.numbers is not None else 0
            symbols.kinds[str(name)] = made
        titles = tuple(str(action.title or spoken(name).capitalize()) for name, action in document.actions.items())
        symbols.kinds["action"] = KindSymbol("action", "action", tuple(map(str, document.actions)), titles)
        for symbol in symbols.kinds.values():
            for one in symbol.members:
                symbols.owners.setdefault(one, []).append(symbol.name)
        self.kinds = {name: f"kinds.{name}" for name in symbols.kinds}
        for section in ("kinds", "graphs", "routes", "terms", "supplies", "endings"):
            self.declare(section, getattr(document, section))
        for name, kind in document.kinds.items():
            self.attributes(symbols.kinds[name], kind)
            symbols.kinds[name].state = self.variables(str(name), f"kinds.{name}.state", kind.state)
        symbols.state = self.variables("", "state", document.state)
        for name, term in document.terms.items():
            symbols.terms[str(name)] = Term(str(name), self.params(term.of, f"terms.{name}", lists=True), term.is_)
        resolve_graphs(document, symbols, self.diagnostics)
        for name, route in document.routes.items():
            over = tuple(str(graph) for graph in route.over)
            symbols.routes[str(name)] = Route(str(name), self.params(route.of, f"routes.{name}"), over)
        self.note_tables()
        self.note_graphs()
        for name, procedure in {**document.procedures, **document.phases}.items():
            if name in document.phases and name in document.procedures:
                self.diagnostics.error("shadowing", f"`{name}` is a phase and a procedure", name.span)
            path = f"{'phases' if name in document.phases else 'procedures'}.{name}"
            symbols.signatures[str(name)] = path, self.params(procedure.of)
        self.memory()
        self.clashes()
        return symbols

    def players(self) -> None:
        """Complain where there are no seats, or where the kind `action` is declared."""
        for name in self.document.kinds:
            if name == "action":
                message = "the kind `action` exists by itself: its members are the actions"
                self.diagnostics.error("shadowing", message, name.span, hint="choose another name")
            if name == "player" and not rows_of(self.document, "player"):
                hint = "give each seat a row under tables: player"
                message = "the kind `player` has no rows: nobody plays"
                self.diagnostics.error("empty-kind", message, name.span, hint=hint)
        if "player" not in self.document.kinds:
            message = "there is no kind `player`: its rows are the seats"
            self.diagnostics.error("missing-section", message, None, hint="declare player under kinds")
            self.symbols.kinds["player"] = KindSymbol("player", "player")

    # -- types ------------------------------------------------------------------------------------------------------

    def spec(self, text: Text) -> TypeSpec:
        """A declared type; BROKEN_SPEC after a diagnostic when it is no type or names no kind."""
        try:
            spec = parse_type(text)
        except ValueError as error:
            meant = nearest(text.lower(), self.symbols.kinds) if text.isalpha() else None
            self.diagnostics.error("unknown-type", str(error), text.span, suggestion=meant)
            return BROKEN_SPEC
        kind = spec.member_kind
        if kind is not None and not self.kind_exists(kind, self.word(text, kind), ("number", "flag")):
            return BROKEN_SPEC
        return spec

    def word(self, text: Text, word: str) -> Text:
        """One word of a type, with its place."""
        at = text.find(word)
        return text.part(at, at + len(word)) if at >= 0 else text

    def kind_exists(self, name: str, at: Text, words: Iterable[str] = ()) -> bool:
        """Whether there is such a kind; `words` might have been meant, too."""
        if name in self.symbols.kinds:
            return True
        known = [*self.symbols.kinds, *words]
        self.diagnostics.unknown("unknown-name", f"there is no kind `{name}`", at.span, name, known)
        return False

    def params(self, of: dict[Text, Text], path: str = "", lists: bool = False) -> Params:
        """The parameters of a rule; what they mean is noted where its path is given.

        Those of expressions may be `lists`; what steps are given is kept while the game waits, in one place each.
        """
        if path:
            note_params(path, of, self.kinds, self.references)
        types: dict[str, Type] = {}
        ranges: dict[str, tuple[int, int]] = {}
        for name, text in of.items():
            spec = self.spec(text)
            if spec.low is not None and spec.high is not None:
                ranges[str(name)] = spec.low, spec.high
            kind = value_type(spec)
            if kind is None:
                self.diagnostics.error("unknown-type", f"a parameter cannot be {text}", text.span)
            elif kind.base == "list" and not lists:
                hint = "give it whose list it is, or a member"
                self.diagnostics.error("unknown-type", "only terms and formulas can be given a list", text.span, hint)
                kind = None
            types[str(name)] = kind if kind is not None and spec is not BROKEN_SPEC else BROKEN
            self.local_names.append((name, types[str(name)].kind))
        return Params(types, ranges)

    def typed(self, path: str, item: declared.Attribute | Memory) -> tuple[TypeSpec, tuple[tuple[str, str], ...]]:
        """The type and the indexes of an attribute or of state."""
        self.references.words(item.type, self.kinds)
        self.indexes(f"{path}#", item.per)
        spec = self.spec(item.type)
        if spec is not BROKEN_SPEC:
            check_unit(item, spec, self.document, self.diagnostics)
        return spec, tuple((str(name), str(kind)) for name, kind in item.per.items() if self.kind_exists(kind, kind))

    # -- what places mean -------------------------------------------------------------------------------------------

    def declare(self, section: str, names: Iterable[Text]) -> None:
        for name in names:
            self.references.note(f"{section}.{name}", name.span, declares=True)

    def indexes(self, prefix: str, per: dict[Text, Text]) -> None:
        """Note the names of indexes, where they have any of their own, and their kinds."""
        for name, kind in per.items():
            if name.span != kind.span:
                self.references.note(prefix + name, name.span, declares=True, type=str(kind))
            self.references.words(kind, self.kinds)

    def note_tables(self) -> None:
        for kind, rows in self.document.tables.items():
            self.references.words(kind, self.kinds)
            self.declare(f"tables.{kind}", rows)
            attributes = self.symbols.kinds[kind].attributes if kind in self.symbols.kinds else {}
            for row in rows.values():
                for key in (*row.values, *entries_at(row.grades)):
                    if key in attributes:
                        self.references.note(f"kinds.{kind}.attributes.{key}", key.span)
                for key, value in row.values.items():
                    if key in attributes:
                        self.note_value(attributes[key], [each for _, each in attributes[key].per], value)

    def note_value(self, attribute: Attribute, per: list[str], node: Node) -> None:
        """The members that a value names, below as many levels of indexes as the attribute has."""
        if per and isinstance(node, Mapping):
            for key, inner in node.entries.items():
                self.note_member(per[0], key)
                self.note_value(attribute, per[1:], inner)
        elif not per and attribute.spec.member_kind is not None:
            for text in node.items if isinstance(node, Sequence) else [node]:
                if isinstance(text, Text):
                    self.note_member(attribute.spec.member_kind, text)

    def note_member(self, kind: str, name: Text) -> None:
        if kind in self.symbols.kinds and name in self.symbols.kinds[kind].index:
            self.references.note(member(kind, name), name.span)

    def note_graphs(self) -> None:
        members = {name: member(kinds[0], name) for name, kinds in self.symbols.owners.items() if len(kinds) == 1}
        for graph in self.document.graphs.values():
            for edge in graph.edges or ():
                self.references.words(edge, members)
            for source in graph.from_:
                kind, _, attribute = source.partition(".")
                known = {kind: f"kinds.{kind}", attribute: f"kinds.{kind}.attributes.{attribute}"}
                self.references.words(source, known)

    # -- attributes -------------------------------------------------------------------------------------------------

    def attributes(self, kind: KindSymbol, written: declared.Kind) -> None:
        section = f"kinds.{kind.name}.attributes"
        self.declare(section, written.attributes)
        self.indexes(f"{section}.", written.for_each)
        for name, item in written.attributes.items():
            path = f"{section}.{name}"
            spec, per = self.typed(path, item)
            attribute = Attribute(
                kind.name, str(name), per, spec, self.params(item.of, path, lists=spec.kind in FORMULAS), item.default,
                item.is_, title=str(item.title or ""), unit=str(item.unit or ""),
            )  # fmt: skip
            kind.attributes[str(name)] = attribute
            size = prod(self.symbols.sizes(attribute))
            if size > MOST_VALUES:
                self.too_large(name, size, MOST_VALUES)
            if attribute.spec is BROKEN_SPEC or len(per) < len(item.per) or size > MOST_VALUES:
                del kind.attributes[str(name)]
                self.symbols.broken.add((kind.name, str(name)))
                continue
            if attribute.spec.kind == "text":
                attribute.texts = tuple(map(str, self.raw_values(attribute, item)))
            elif attribute.type is not None and not attribute.is_formula and attribute.is_ is None:
                attribute.values = tuple(self.constant(raw, spec) for raw in self.raw_values(attribute, item))

    def raw_values(self, attribute: Attribute, item: declared.Attribute) -> Iterable[Node]:
        """The written (or default) values of an attribute, in the order of their flat indexes."""
        default: Node = item.default if item.default is not None else Text("", item.span)
        rows = rows_of(self.document, attribute.owner)
        kinds = [self.symbols.kinds[name].members for _, name in attribute.per]
        for row in rows.values():
            written = value_of(row, attribute.name)
            for indexes in product(*kinds):
                value: Node | None = written
                for index in indexes:
                    value = value.get(index) if isinstance(value, Mapping) else None
                yield default if value is None else value

    def constant(self, raw: Node, spec: TypeSpec) -> int:
        """A table's value as a number; what is wrong has been reported by the table schema."""
        if spec.kind in GROUPS:
            index = self.symbols.kinds[spec.member_kind or ""].index
            items = raw.items if isinstance(raw, Sequence) else []
            members = [index[item] for item in items if isinstance(item, Text) and item in index]
            return sum(1 << each for each in members) if spec.kind == "set" else packed(members, len(index))
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

    def variables(self, owner: str, section: str, items: dict[Text, declared.Variable]) -> dict[str, Variable]:
        """State of a kind, or of the game itself."""
        self.declare(section, items)
        return {str(name): self.variable(owner, name, item, f"{section}.{name}") for name, item in items.items()}

    def variable(self, owner: str, name: Text, item: declared.Variable, path: str) -> Variable:
        spec, per = self.typed(path, item)
        kind = value_type(spec)
        if spec is BROKEN_SPEC or kind is None:
            self.symbols.broken.add((owner, str(name)))
        if kind is None:
            self.diagnostics.error("unknown-type", f"state cannot be {item.type}", item.type.span)
            kind, spec = value_type(TypeSpec("number")), TypeSpec("number")
            assert kind is not None
        if item.spendable and kind.base != "int" and spec is not BROKEN_SPEC:
            message = f"only numbers can be spendable, and this is {item.type}"
            self.diagnostics.error("unknown-resource", message, item.type.span)
        low, high = self.bounds(spec)
        if high < low and spec.kind == "ref":
            message = f"the kind `{spec.member_kind}` has no members, so this has no value"
            hint = f"write `{spec.member_kind} or none`"
            self.diagnostics.error("empty-kind", message, item.type.span, hint=hint)
        if len(per) < len(item.per):
            self.symbols.broken.add((owner, str(name)))
        for index, its_kind in item.per.items():
            if index != its_kind:
                self.local_names.append((index, ""))
        variable = Variable(
            owner, str(name), per, kind, low, high, item.start, item.spendable, str(item.title or ""), item.seen_by,
            name.span, bounded=spec.kind != "number", at_most=self.limit(name, item, spec),
            size_seen_by=item.size_seen_by, lasts=self.lasting(item.lasts), instead=item.instead, first=item.first,
            bank=item.bank,
        )  # fmt: skip
        variable.unit = str(item.unit or "")
        variable.says = told_of_state(self.diagnostics, item.says, variable)
        self.paid(owner, item)
        variable.size = prod(self.symbols.sizes(variable)) * variable.width
        if variable.size > MOST_SLOTS:
            self.too_large(name, variable.size, MOST_SLOTS)
            variable.size, variable.per = 0, ()
            self.symbols.broken.add((owner, str(name)))
        return variable

    def paid(self, owner: str, item: declared.Variable) -> None:
        """Complain where it is said how something is paid that nobody pays."""
        said = (*item.instead, *(text for text in (item.first, item.bank) if text is not None))
        if said and not (item.spendable and owner == "player"):
            message = "this is about what players pay with, and here nobody does"
            self.diagnostics.error("unfit-keys", message, said[0].span, hint="spendable: true")

    def memory(self) -> None:
        """What rules remember, and the answers of procedures."""
        for path, name, item in memories(self.document):
            self.remembered(path, name, item)
        for section, rules in (("procedures", self.document.procedures), ("phases", self.document.phases)):
            for name, rule in rules.items():
                if rule.gives is not None:
                    plain = Memory.model_construct(type=rule.gives, span=name.span)
                    self.remembered(f"{section}.{name}", Text(ANSWER, rule.gives.span), plain)

    def remembered(self, rule: str, name: Text, item: Memory) -> None:
        """One thing that a rule remembers. What it declares twice under one name, it declares alike."""
        path = f"{rule}.{name}"
        plain = self.variable("", name, declared.Variable.model_construct(**dict(item)), path)
        variable = replace(plain, name=path, start=None)
        if ("", str(name)) in self.symbols.broken:
            self.symbols.broken.discard(("", str(name)))
            self.symbols.broken.add(("", path))
        for word, kind in self.known_in(rule).items():
            if re.search(rf"\b{word}\b", item.seen_by or "") and word not in variable.names:
                variable.begun[word] = inner = f"{path}.{word}.{BEGUN}"
                most = self.symbols.count(kind.kind) - 1
                self.symbols.memory[inner] = Variable(
                    "", inner, (), replace(kind, maybe=True), -1, most, None, False, "", None, name.span
                )
        before = self.symbols.memory.setdefault(path, variable)
        if any(
            getattr(before, key) != getattr(variable, key)
            for key in ("type", "per", "low", "high", "at_most", "seen_by")
        ):
            message = f"`{name}` is declared otherwise elsewhere in this rule"
            self.diagnostics.error("shadowing", message, name.span, "choose another name", (("there", before.span),))

    def known_in(self, rule: str) -> dict[str, Type]:
        """The names that stand for members all through a rule: `you`, and parameters."""
        path, params = self.symbols.signatures.get(rule.partition(".")[2], ("", {}))
        given = {word: kind for word, kind in params.items() if kind.base == "ref"} if path == rule else {}
        return {"you": PLAYER, **given}

    def lasting(self, rule: Text | None) -> Text | None:
        """The phase or procedure for which state lasts, if there is such a one."""
        if rule is None:
            return None
        for section, rules in (("phases", self.document.phases), ("procedures", self.document.procedures)):
            if rule in rules:
                self.references.note(f"{section}.{rule}", rule.span)
                return rule
        known = [*self.document.phases, *self.document.procedures]
        self.diagnostics.unknown("unknown-name", f"there is no phase or procedure `{rule}`", rule.span, rule, known)
        return None

    def too_large(self, name: Text, size: int, most: int) -> None:
        self.diagnostics.error("too-large", f"`{name}` would have {size} values; at most {most}", name.span)

    def limit(self, name: Text, item: declared.Variable, spec: TypeSpec) -> int:
        """How many members a list may hold; 0 for anything else."""
        if spec.kind == "list" and item.at_most is None:
            message, hint = "a list needs a limit: how many members can be in it", "add `at_most`, e.g. `at_most: 20`"
            if name == ANSWER:
                message, hint = "an answer is no list", "give a set, or keep the list in state"
            self.diagnostics.error("unknown-type", message, item.type.span, hint=hint)
        elif spec.kind == "list" and item.at_most is not None:
            if item.at_most.isdecimal() and int(item.at_most[:18]) > 0:
                return int(item.at_most[:18])
            message = f"`at_most` is a plain number above 0, not {item.at_most}"
            self.diagnostics.error("wrong-type", message, item.at_most.span)
        if spec.kind != "list" and spec is not BROKEN_SPEC:
            for key, text in (("at_most", item.at_most), ("size_seen_by", item.size_seen_by)):
                if text is not None:
                    message = f"only a list has `{key}`, and this is {item.type}"
                    hint = "write `list of KIND`, or leave it out"
                    self.diagnostics.error("unfit-keys", message, text.span, hint=hint)
        return 0

    def bounds(self, spec: TypeSpec) -> tuple[int, int]:
        if spec.kind == "range":
            return spec.low or 0, spec.high or 0
        if spec.kind == "flag":
            return 0, 1
        if spec.kind == "ref":
            return -1 if spec.maybe else 0, self.symbols.count(spec.member_kind or "") - 1
        if spec.kind == "list":
            return 0, 0
        if spec.kind == "set":
            return 0, (1 << self.symbols.count(spec.member_kind or "")) - 1
        return -WIDEST, WIDEST

    # -- clashes ----------------------------------------------------------------------------------------------------

    def clashes(self) -> None:
        """Nothing may have the name of something else; members of different kinds may share one."""
        document = self.document
        declared = self.symbols.declared
        for what, section in (
            ("a kind", document.kinds),
            ("state", document.state),
            ("a term", document.terms),
            ("a route", document.routes),
        ):
            for name in section:
                self.symbols.check_name(name, name.span, self.diagnostics)
                declared[str(name)] = ("a setting" if what == "a term" and name in self.settings else what, name.span)
        for name in chain(*document.tables.values(), document.actions):
            self.symbols.check_name(name, name.span, self.diagnostics)
        for name, its_kind in self.local_names:
            self.symbols.check_local(name, name.span, self.diagnostics, its_kind)
        for kind in document.kinds.values():
            for name in kind.state:
                first = next((known for known in kind.attributes if known == name), None)
                if first is not None:
                    message = f"`{name}` is an attribute already"
                    self.diagnostics.error(
                        "shadowing", message, name.span, hint="choose another name",
                        related=(("the attribute", first.span),),
                    )  # fmt: skip
