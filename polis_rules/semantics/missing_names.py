"""Adds to errors about names that mean nothing the place where the name is likely misspelt, or was taken away."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import chain

from polis_rules.diagnostics import Diagnostics, Related, Span
from polis_rules.schema import Document
from polis_rules.source import Text


def explain_missing(document: Document, removed: Mapping[str, tuple[str, Span, str]], diagnostics: Diagnostics) -> None:
    """Add related places to the errors that have a `missing` name.

    `removed` are the ids that layers have taken away or that are left out, each with what is told of it, a place, and
    when it would be there. A declared name that
    looks like the missing one and that stands nowhere else is likely the one that is misspelt.
    """
    declared = {str(name): name for name in _declared(document)}
    for number, error in enumerate(diagnostics.items):
        related: Related = ()
        near = declared.get((error.suggestion or "").rpartition(".")[2])
        if error.missing is not None and error.missing in removed:
            told, place, when = removed[error.missing]
            related = ((told, place),)
            if when:
                error = replace(error, hint=f"it is there when {when}", suggestion=None)
        elif error.missing and near is not None and _stands_once(near, diagnostics.sources):
            related = (
                (f"`{near}`, which nothing uses, is declared here: is this the one that is misspelt?", near.span),
            )
        if related:
            diagnostics.items[number] = replace(error, related=(*error.related, *related))


def _declared(document: Document) -> Iterator[Text]:
    """The ids that rules name."""
    yield from chain(document.state, document.terms, document.routes, document.graphs, document.procedures)
    yield from chain(document.phases, document.actions, document.endings, document.kinds, *document.tables.values())
    for kind in document.kinds.values():
        yield from chain(kind.attributes, kind.state)


def _stands_once(name: Text, sources: Mapping[str, str]) -> bool:
    return sum(len(re.findall(rf"\b{name}\b", text)) for text in sources.values()) == 1
