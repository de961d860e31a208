"""Adds to errors about names that mean nothing the place where the name is likely misspelt, or was taken away."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import chain

from polis_rules.diagnostics import Diagnostics, Related, Span
from polis_rules.schema import Document
from polis_rules.source import Text

VERBS = "choose|each|roll|draw|result"
"""The keys whose values are names that steps make."""


def explain_missing(document: Document, removed: Mapping[str, tuple[str, Span, str]], diagnostics: Diagnostics) -> None:
    """Add related places to the errors that have a `missing` name.

    `removed` are the ids that layers have taken away or that are left out, each with what is told of it, a place, and
    when it would be there. A name that is declared, also one that a rule has for itself, that looks like the missing
    one and stands nowhere else is likely the one that is misspelt.
    """
    declared = {str(name): name for name in _declared(document)}
    for number, error in enumerate(diagnostics.items):
        related: Related = ()
        near = (error.suggestion or "").rpartition(".")[2]
        if error.missing is not None and error.missing in removed:
            told, place, when = removed[error.missing]
            related = ((told, place),)
            if when:
                error = replace(error, hint=f"it is there when {when}", suggestion=None)
        elif error.missing and near and (at := _only_place(near, declared.get(near), diagnostics.sources)):
            related = ((f"`{near}`, which nothing uses, is declared here: is this the one that is misspelt?", at),)
        if related:
            diagnostics.items[number] = replace(error, related=(*error.related, *related))


def _declared(document: Document) -> Iterator[Text]:
    """The ids that rules name."""
    yield from chain(document.state, document.terms, document.routes, document.graphs, document.procedures)
    yield from chain(document.phases, document.actions, document.endings, document.kinds, *document.tables.values())
    for kind in document.kinds.values():
        yield from chain(kind.attributes, kind.state)


def _only_place(name: str, declared: Text | None, sources: Mapping[str, str]) -> Span | None:
    """Where a name is declared that stands nowhere else; one that a rule has for itself, before or after a colon."""
    lines = [(file, at) for file, text in sources.items() for at in enumerate(text.split("\n"), 1)]
    found = [(file, number, line, each) for file, (number, line) in lines for each in re.finditer(rf"\b{name}\b", line)]
    if len(found) != 1:
        return None
    file, number, line, word = found[0]
    if declared is None and not re.search(rf"\b({VERBS}): *{name}\b|\b{name} *:", line):
        return None
    place = Span(file, number, word.start() + 1, number, word.end() + 1)
    return place if declared is None or declared.span.line == number else None
