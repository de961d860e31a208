"""Citations: sources that nobody declared, and rules that lack what all of their kind have.

Why: where a rule comes from and how sure it is can only be trusted where it is said everywhere.
Example: `cite: rulebok, page 4` where the source is called `rulebook`; one row of a table without a `grade`.
A ruleset that declares no sources is left alone, and so is a section where it is common to have no citation.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from polis_rules.diagnostics import Diagnostics, Span, listing, nearest
from polis_rules.documentation import CITE
from polis_rules.schema import Rule
from polis_rules.source import Text
from polis_rules.validation.analysis import Subject

ENOUGH = 3
"""So many of a section must have one before another is said to lack it."""

EVERYWHERE = 30
"""So many rules and rows must have one, if all others are to have one too."""

RARE = 10
"""At most one in so many may lack it, or one alone."""

Entry = tuple[Text, Rule]


def check(subject: Subject, diagnostics: Diagnostics) -> None:
    """Report `unknown-source`, `missing-cite` and `missing-grade`."""
    known = [str(name) for name in subject.document.manifest.sources]
    if not known:
        return
    groups = list(sections(subject))
    for _, entries in groups:
        for _, rule in entries:
            if rule.cite is not None:
                _source(rule.cite, known, diagnostics)
    for key, code in (("cite", "missing-cite"), ("grade", "missing-grade")):
        everywhere = rare([rule for _, entries in groups for _, rule in entries], key, EVERYWHERE)
        for what, entries in groups:
            if everywhere or rare([rule for _, rule in entries], key, ENOUGH):
                for name, rule in entries:
                    if getattr(rule, key) is None:
                        message = f"`{name}` has no {key}, as nearly all {what} have"
                        diagnostics.warning(code, message, name.span, confidence="likely")


def rare(rules: Sequence[object], key: str, enough: int) -> bool:
    """Whether it is the exception that something has no title, cite or grade."""
    lacking = sum(getattr(rule, key) is None for rule in rules)
    having = len(rules) - lacking
    return having >= enough and lacking <= max(1, having // RARE)


def sections(subject: Subject) -> Iterator[tuple[str, list[Entry]]]:
    """What can carry a citation, by section and table; a kind or graph that has one says it for its members."""
    document = subject.document
    yield "scenarios", [(document.scenario.scenario, document.scenario)]
    kinds = {str(name): kind for name, kind in document.kinds.items()}
    for name, rows in document.tables.items():
        said = kinds[name].cite is not None if name in kinds else False
        yield f"members of {name}", [] if said else list(rows.items())
    for name, graph in document.graphs.items():
        if graph.cite is None or any(edge.cite is not None for edge in (graph.edges or {}).values()):
            yield f"edges of {name}", list((graph.edges or {}).items())
    yield "graphs", list(document.graphs.items())
    for what in ("routes", "terms", "supplies", "actions", "procedures", "phases", "endings"):
        yield what, list(getattr(document, what).items())


def _source(cite: Text, known: list[str], diagnostics: Diagnostics) -> None:
    found = CITE.match(cite)
    source = found[1] if found else ""
    if source in known:
        return
    word = source or cite.partition(",")[0]
    span = cite.span
    at = Span(span.file, span.line, span.column, span.line, span.column + max(len(word), 1))
    near = nearest(word, known)
    hint = None if near else listing(known)
    diagnostics.warning("unknown-source", f"no source is called `{word}`", at, hint, suggestion=near)
