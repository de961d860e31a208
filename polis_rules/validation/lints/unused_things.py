"""Kinds, attributes and members that no rule looks at.

Why: a value that nothing reads is one that its author believes to matter.
Example: an attribute `weight` in every row of a table, and no expression with `.weight`; a member of a kind of names
(`season: {spring: {}, summer: {}}`) that no rule, row or scenario ever names.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from polis_rules.diagnostics import Diagnostics
from polis_rules.semantics import Attribute, every_variable, rows_of, value_of
from polis_rules.semantics.expressions import Attr, Const, Everyone, Expr, Formula, Next, Nth, Type
from polis_rules.validation.analysis import Rule, Subject

Member = tuple[str, int]


def check(subject: Subject, diagnostics: Diagnostics) -> None:
    """Report `unused-kind`, `unused-attribute`, `always-default` and `unused-member`."""
    uses = _Uses()
    for each in subject.in_each_rule(_used_in):
        uses.add(each)
    uses.declared(subject)
    document, symbols = subject.document, subject.symbols
    for name, kind in document.kinds.items():
        if not subject.concerns(name.span):
            continue
        if name not in uses.kinds and name != "player":
            diagnostics.warning("unused-kind", f"nothing uses the kind `{name}`", name.span)
            continue
        for key in (key for key in kind.attributes if key not in kind.for_each):  # which make the members in any case
            attribute = symbols.kinds[name].attributes[key]
            if not uses.attribute(attribute):
                of_rows = attribute.spec.kind == "effects"
                message = f"no row has the effects `{name}.{key}`" if of_rows else f"no rule reads `{name}.{key}`"
                diagnostics.warning("unused-attribute", message, key.span)
            elif kind.attributes[key].default is not None and not _given(subject, attribute):
                message = f"every {name} has the default of `{key}`, which makes no difference between them"
                diagnostics.warning("always-default", message, key.span, confidence="likely")
    for name, rows in document.tables.items():
        if name in uses.kinds and name not in uses.whole and name != "player":
            for number, member in enumerate(rows):
                if (str(name), number) not in uses.members and subject.concerns(member.span):
                    message = f"no rule, row or scenario names the {name} `{member}`"
                    diagnostics.warning("unused-member", message, member.span, confidence="likely")


def _given(subject: Subject, attribute: Attribute) -> bool:
    """Whether any row says something of its own; lists of effects and changes are there for those who want them."""
    rows = rows_of(subject.document, attribute.owner).values()
    plain = attribute.spec.kind not in ("text", "effects", "changes")
    return not plain or len(rows) < 2 or any(value_of(row, attribute.name) is not None for row in rows)


def _used_in(subject: Subject, rule: Rule) -> _Uses:
    uses = _Uses()
    for part in rule.parts:
        uses.part(part)
    return uses


@dataclass
class _Uses:
    """Which kinds, attributes and members anything uses."""

    kinds: set[str] = field(default_factory=set)
    whole: set[str] = field(default_factory=set)
    """kinds whose members are gone through, so that each of them is used"""
    members: set[Member] = field(default_factory=set)
    read: set[tuple[str, str]] = field(default_factory=set)

    def add(self, other: _Uses) -> None:
        """Join what something else uses."""
        self.kinds |= other.kinds
        self.whole |= other.whole
        self.members |= other.members
        self.read |= other.read

    def attribute(self, attribute: Attribute) -> bool:
        """Whether anything reads an attribute; texts are for people, changes are in force by themselves."""
        if attribute.spec.kind in ("text", "changes"):
            return True
        if attribute.spec.kind == "effects":  # of those that rows carry, another check says whether they are ever done
            return bool(attribute.procedures)
        return (attribute.owner, attribute.name) in self.read

    def part(self, part: Expr) -> None:
        """Note what a part of an expression uses."""
        self.kinds.add(part.type.kind)
        match part:
            case Const():
                self._value(part.type, part.value)
            case Everyone() | Next() | Nth():
                self.whole.add(part.type.kind)
            case Attr() | Formula():
                self.read.add((part.owner, part.name))

    def declared(self, subject: Subject) -> None:
        """Note what declarations, rows, graphs, supplies and first values use."""
        document, symbols, rules = subject.document, subject.symbols, subject.rules
        gone_through = {*(supply.per for supply in rules.supplies), *symbols.first_node}
        self.kinds |= gone_through
        self.whole |= gone_through
        for graph in document.graphs.values():
            if graph.from_ is not None:
                owner, _, name = graph.from_.partition(".")
                self.read.add((owner, name))
        for variable in every_variable(symbols):
            self.kinds |= {variable.type.kind, *(kind for _, kind in variable.per)}
            if variable.start is None:
                self._value(variable.type, variable.low)
        for start in rules.starts:
            self._value(symbols.variable(start.owner, start.name).type, start.value)
        for kind in symbols.kinds.values():
            for attribute in kind.attributes.values():
                if attribute.spec.kind in ("effects", "changes"):
                    self.whole.add(kind.name)
                self.kinds |= {kind for _, kind in attribute.per}
                if attribute.type is not None:
                    self.kinds.add(attribute.type.kind)
                    for value in attribute.values:
                        self._value(attribute.type, value)

    def _value(self, kind: Type, value: int) -> None:
        if kind.base == "ref":
            self.members.add((kind.kind, value))
        elif kind.base == "set":
            self.members.update((kind.kind, at) for at in range(value.bit_length()) if value >> at & 1)
