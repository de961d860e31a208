"""Only numbers have a unit, and members that are numbers: those of a kind with `numbers`."""

from __future__ import annotations

from polis_rules.diagnostics import Diagnostics
from polis_rules.schema import Document, Memory, TypeSpec, document as declared
from polis_rules.semantics.symbols import Symbols
from polis_rules.source import Text, entry

NUMBERS = ("range", "number", "formula")
"""The declared types of numbers."""


def check_unit(item: declared.Attribute | Memory, spec: TypeSpec, document: Document, diagnostics: Diagnostics) -> None:
    """Complain where an attribute or state that is no number has a unit."""
    if item.unit is not None and spec.kind not in NUMBERS and not _is_numbered(spec.member_kind or "", document):
        _refuse(item.unit, f"is {item.type}", "such as `type: 0..9`", diagnostics)


def check_units_of_terms(document: Document, symbols: Symbols, diagnostics: Diagnostics) -> None:
    """Complain where a term has a unit and stands for something that is no number."""
    for name, term in document.terms.items():
        kind = symbols.terms[name].type if term.unit is not None else None
        if term.unit is None or kind is None or kind.base == "int" or _is_numbered(kind.kind, document):
            continue
        words = {"bool": "holds or not"}.get(
            kind.base, f"is {'' if kind.base == 'ref' else f'a {kind.base} of '}{kind.kind}"
        )
        _refuse(term.unit, words, "such as `is: 8`", diagnostics)


def _is_numbered(kind: str, document: Document) -> bool:
    """Whether the members of a kind are numbers."""
    known = entry(document.kinds, kind)
    return known is not None and known.numbers is not None


def _refuse(unit: Text, it_is: str, example: str, diagnostics: Diagnostics) -> None:
    hint = f"leave it out, or let this be a number, {example}"
    diagnostics.error("unfit-keys", f"only a number has a `unit`, and this {it_is}", unit.span, hint)
