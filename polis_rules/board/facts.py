"""What is fixed about members, in words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby

from polis_rules.board.model import Facts, Key
from polis_rules.semantics import Attribute, KindSymbol, Symbols, members_in
from polis_rules.semantics.expressions import INT, Const

MOST_TOLD = 200
"""Of how many members of a kind it is told what is fixed about them."""


def about(kind: KindSymbol, symbols: Symbols) -> Iterator[tuple[Key, str]]:
    """What is fixed about each member: whatever is no plain text, no list and no flag that is not set."""
    if len(kind.members) > MOST_TOLD or kind.name == "action":
        return
    for number, member in enumerate(kind.members):
        words = (_phrase(attribute, number, symbols) for attribute in kind.attributes.values())
        told = ", ".join(word for word in words if word)
        yield (kind.name, member), told if told.casefold() != kind.titles[number].casefold() else ""


def facts(symbols: Symbols, asked: Iterable[Key]) -> tuple[Facts, ...]:
    """Tables of attributes, a kind after the other; members of which they say nothing are left out."""
    tables = []
    for name, keys in groupby(sorted(asked, key=lambda key: list(symbols.kinds).index(key[0])), lambda key: key[0]):
        kind = symbols.kinds[name]
        attributes = [kind.attributes[attribute] for _, attribute in keys]
        rows = [
            (title, *(_text(each, number, symbols) for each in attributes)) for number, title in enumerate(kind.titles)
        ]
        told = tuple(row for row in rows if any(row[1:]))
        tables.append(Facts(kind.plural or kind.title, tuple(each.heading for each in attributes), told[:MOST_TOLD]))
    return tuple(tables)


def _phrase(attribute: Attribute, number: int, symbols: Symbols) -> str:
    """One attribute of a member, with its name where the value does not tell it."""
    kind = attribute.type
    if not attribute.is_formula and (kind is None or kind.base not in ("int", "ref", "bool")):
        return ""
    text = _text(attribute, number, symbols)
    if not text or (text.isdecimal() and symbols.kinds[attribute.owner].titles[number].endswith(f" {text}")):
        return ""  # the title says it, as in Column 3
    if kind is not None and kind.base != "int" and not attribute.is_formula:
        return text
    return f"{attribute.heading}: {text}" if attribute.per else f"{attribute.label} {attribute.counted(text)}"


def _text(attribute: Attribute, number: int, symbols: Symbols) -> str:
    """The value of an attribute of a member; nothing where it is none, empty, or not to be told in a word or two."""
    if attribute.is_formula:
        formula = attribute.formulas.get(number)
        return str(formula.value) if isinstance(formula, Const) else ""
    kind = attribute.type
    if kind is None:
        return attribute.texts[number] if number < len(attribute.texts) else ""
    if attribute.per:
        return _counts(attribute, number, symbols)
    if number >= len(attribute.values):
        return ""
    value = attribute.values[number]
    if kind.base == "int":
        return str(value)
    if kind.base == "bool":
        return attribute.label if value else ""
    titles = symbols.kinds[kind.kind].titles
    return ", ".join(titles[each] for each in sorted(members_in(kind.base, value, len(titles))))


def _counts(attribute: Attribute, number: int, symbols: Symbols) -> str:
    """The numbers above 0 that an attribute has for the members of another kind."""
    if len(attribute.per) > 1 or attribute.type != INT:
        return ""
    each = symbols.sizes(attribute)[1]
    titles = symbols.kinds[attribute.per[0][1]].titles
    values = attribute.values[number * each : (number + 1) * each]
    return ", ".join(f"{value} {title.lower()}" for value, title in zip(values, titles, strict=True) if value)
