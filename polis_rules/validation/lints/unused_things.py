"""Kinds, attributes and members that no rule looks at.

Why: a value that nothing reads is one that its author believes to matter.
Example: an attribute `weight` in every row of a table, and no expression with `.weight`; a member of a kind of names
(`season: {spring: {}, summer: {}}`) that no rule, row or scenario ever names.
"""

from __future__ import annotations

from polis_rules.semantics import Attribute, Symbols, every_variable, members_in, rows_of, value_of
from polis_rules.semantics.expressions import GROUPS, Attr, Const, Everyone, Formula, Located, Next, Nth, Type
from polis_rules.validation.analysis import Rule, Subject

Use = tuple[str | int, ...]
"""What is used: a kind, all its members ("whole"), one by its number, or (as it is "read") an attribute."""


def check(subject: Subject) -> None:
    """Report `unused-kind`, `unused-attribute`, `always-default` and `unused-member`."""
    uses = _all_uses(subject)
    document, symbols = subject.document, subject.symbols
    for name, kind in document.kinds.items():
        if not subject.concerns(name.span):
            continue
        if ("kind", name) not in uses and name != "player":
            subject.found.warning("unused-kind", f"nothing uses the kind `{name}`", name.span)
            continue
        made = [*kind.for_each, *(["number"] if kind.numbers is not None else [])]
        for key in (key for key in kind.attributes if key not in made):  # which make the members in any case
            attribute = symbols.kinds[name].attributes[key]
            if not _matters(attribute, uses):
                of_rows = attribute.spec.kind == "effects"
                message = f"no row has the effects `{name}.{key}`" if of_rows else f"no rule reads `{name}.{key}`"
                subject.found.warning("unused-attribute", message, key.span)
            elif kind.attributes[key].default is not None and not _given(subject, attribute):
                message = f"every {name} has the default of `{key}`, which makes no difference between them"
                subject.found.warning("always-default", message, key.span, confidence="likely")
    for name, rows in document.tables.items():
        if any(name == setting.kind for setting in subject.composed.settings.values()):
            continue  # whoever plays may choose each of its words
        if name in document.kinds and document.kinds[name].numbers is not None:
            continue
        if ("kind", name) in uses and ("whole", name) not in uses and name != "player":
            for number, member in enumerate(rows):
                if ("member", name, number) not in uses and subject.concerns(member.span):
                    message = f"no rule, row or scenario names the {name} `{member}`"
                    subject.found.warning("unused-member", message, member.span, confidence="likely")


def _matters(attribute: Attribute, uses: set[Use]) -> bool:
    """Whether anything reads an attribute; texts are for people, changes are in force by themselves."""
    if attribute.spec.kind in ("text", "changes"):
        return True
    if attribute.spec.kind == "effects":  # of those that rows carry, another check says whether they are ever done
        return bool(attribute.procedures)
    return ("read", attribute.owner, attribute.name) in uses


def _given(subject: Subject, attribute: Attribute) -> bool:
    """Whether any row says something of its own; lists of effects and changes are there for those who want them."""
    rows = rows_of(subject.document, attribute.owner).values()
    plain = attribute.spec.kind not in ("text", "effects", "changes")
    return not plain or len(rows) < 2 or any(value_of(row, attribute.name) is not None for row in rows)


def _all_uses(subject: Subject) -> set[Use]:
    """What rules, declarations, rows, graphs, supplies and first values use."""
    document, symbols, rules = subject.document, subject.symbols, subject.rules
    uses = set[Use]().union(*subject.in_each_rule(_used_in))
    for kind in (*(supply.per for supply in rules.supplies), *symbols.first_node):
        uses |= {("kind", kind), ("whole", kind)}
    for graph in document.graphs.values():
        for source in graph.from_:
            owner, _, name = source.partition(".")
            uses.add(("read", owner, name))
    for variable in every_variable(symbols):
        uses |= {("kind", each) for each in (variable.type.kind, *variable.kinds[bool(variable.owner) :])}
        if variable.start is None:
            uses |= _values(variable.type, variable.low, symbols)
    for start in rules.starts:
        uses |= _values(symbols.variable(start.owner, start.name).type, start.value, symbols)
    for attribute in (each for kind in symbols.kinds.values() for each in kind.attributes.values()):
        if attribute.spec.kind in ("effects", "changes"):
            uses.add(("whole", attribute.owner))
        uses |= {("kind", each) for _, each in attribute.per}
        if attribute.is_ is not None:  # which is worked out for each of them
            uses |= {("whole", each) for _, each in attribute.per}
        if attribute.type is not None:
            uses.add(("kind", attribute.type.kind))
            uses = uses.union(*(_values(attribute.type, value, symbols) for value in {*attribute.values}))
    return uses


def _used_in(subject: Subject, rule: Rule) -> set[Use]:
    uses: set[Use] = {("kind", part.type.kind) for part in rule.parts}
    for part in rule.parts:
        match part:
            case Const():
                uses |= _values(part.type, part.value, subject.symbols)
            case Everyone() | Next() | Nth() | Located():
                uses.add(("whole", part.type.kind))
            case Attr() | Formula():
                uses.add(("read", part.owner, part.name))
    return uses


def _values(kind: Type, value: int, symbols: Symbols) -> set[Use]:
    """The members that a value names."""
    if kind.base != "ref" and (kind.base not in GROUPS or not kind.kind):
        return set()
    count = symbols.count(kind.kind)
    return {("member", kind.kind, member) for member in members_in(kind.base, value, count)}
