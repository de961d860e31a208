"""Changes of terms that leave them as they are.

Why: a card that says a term means something else, and then says the same, was meant to say another value.
Example: `terms: {limit: {is: 8}}`, and in a row `changes: {limit: 8}` or `changes: {limit: base}`.
"""

from __future__ import annotations

from polis_rules.semantics import value_of
from polis_rules.source import Mapping, Text
from polis_rules.validation.analysis import Subject


def check(subject: Subject) -> None:
    """Report `no-effect`."""
    terms = {str(name): term for name, term in subject.document.terms.items()}
    for kind, rows in subject.document.tables.items():
        attributes = subject.symbols.kinds[kind].attributes
        changing = [name for name, attribute in attributes.items() if attribute.spec.kind == "changes"]
        for row in rows.values():
            for name in changing:
                changes = value_of(row, name)
                for term, text in changes.entries.items() if isinstance(changes, Mapping) else ():
                    same = isinstance(text, Text) and text in ("base", terms[term].is_)
                    if same and subject.concerns(text.span):
                        related = (("the term", terms[term].is_.span),)
                        message = f"`{term}` means that already, so the row changes nothing"
                        subject.found.warning("no-effect", message, text.span, related=related)
