"""Citations: sources that nobody declared, and rules that lack what all of their kind have.

Why: where a rule comes from and how sure it is can only be trusted where it is said everywhere.
Example: `cite: rulebok, page 4` where the source is called `rulebook`; `cite: rulebook, "8. Roads"` where the listed
sections of the source have a ninth of that name; one row of a table without a `grade`.
A ruleset that declares no sources is left alone, and so is a section where it is common to have no citation.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from polis_rules.diagnostics import Span, nearest
from polis_rules.schema import CITE, Row, Rule, Source
from polis_rules.source import Text
from polis_rules.validation.analysis import Subject

ENOUGH = 3
"""So many of a section must have one before another is said to lack it."""

EVERYWHERE = 30
"""So many rules and rows must have one, if all others are to have one too."""

RARE = 10
"""At most one in so many may lack it, or one alone."""

PASSAGE = re.compile(r"([a-z][a-z0-9_]*)([^;]*)")
"""One source of a citation, with what is said of the place in it."""

QUOTED = re.compile(r'"([^"]+)"')

MISSING = {"cite": "missing-cite", "grade": "missing-grade"}

Named = tuple[Text, Rule]


def check(subject: Subject) -> None:
    """Report `unknown-source`, `unknown-passage`, `missing-cite` and `missing-grade`."""
    sources = {str(name): source for name, source in subject.document.manifest.sources.items()}
    if not sources:
        return
    groups = list(sections(subject))
    every = [rule for _, entries in groups for _, rule in entries]
    cites = [*(rule.cite for rule in every), *(head.get("cite") for head in subject.variants.values())]
    for cite in {each.span: each for each in cites if isinstance(each, Text)}.values():
        _cited(cite, sources, subject)
    lacking = {key: {id(rule) for rule in every if _lacks(rule, key)} for key in MISSING}
    everywhere = [key for key in MISSING if rare([id(rule) in lacking[key] for rule in every], EVERYWHERE)]
    for what, entries in groups:
        here = [key for key in MISSING if rare([id(rule) in lacking[key] for _, rule in entries], ENOUGH)]
        for name, rule in entries:
            missing = [key for key in MISSING if key in (*everywhere, *here) and id(rule) in lacking[key]]
            if missing:
                message = f"`{name}` has no {' and no '.join(missing)}, though nearly all other {what} have"
                at = name.span if name.span.file == rule.span.file else rule.span
                subject.found.warning(MISSING[missing[0]], message, at, confidence="likely")


def _lacks(rule: Rule, key: str) -> bool:
    if key == "cite" and rule.grade == "house":  # which says that it comes from nowhere else
        return False
    if key == "grade" and isinstance(rule, Row) and rule.grades and not set(rule.values) - set(rule.grades.entries):
        return False
    return getattr(rule, key) is None


def rare(lacking: Sequence[bool], enough: int) -> bool:
    """Whether it is the exception that something has no title, cite or grade."""
    having = len(lacking) - sum(lacking)
    return having >= enough and sum(lacking) <= max(1, having // RARE)


def sections(subject: Subject) -> Iterator[tuple[str, list[Named]]]:
    """What can carry a citation, by section and table; a kind or graph that has one says it for its members."""
    document = subject.document
    yield "scenarios", [(document.scenario.scenario, document.scenario)]
    kinds = {str(name): kind for name, kind in document.kinds.items()}
    settings = subject.composed.settings  # of which nobody wants to know where they come from
    words = {each.kind for each in settings.values()}
    for name, rows in document.tables.items():
        if name in words:
            continue
        said = kinds[name].cite is not None if name in kinds else False
        yield f"members of {name}", [] if said else list(rows.items())
    for name, graph in document.graphs.items():
        if graph.cite is None or any(edge.cite is not None for edge in (graph.edges or {}).values()):
            yield f"edges of {name}", list((graph.edges or {}).items())
    yield "graphs", list(document.graphs.items())
    for what in ("routes", "terms", "supplies", "actions", "procedures", "phases", "endings"):
        yield what, [(name, rule) for name, rule in getattr(document, what).items() if name not in settings]


def _cited(cite: Text, sources: dict[str, Source], subject: Subject) -> None:
    """The first source must be declared; what is quoted may not be nearly one of its listed sections."""
    match = CITE.match(cite)
    if match is None or match[1] not in sources:
        word = match[1] if match else cite.partition(",")[0]
        at = _part(cite, 0, max(len(word), 1))
        hint = None if nearest(word, sources) else f"declared are {', '.join(sources)}"
        message = f"no source is called `{word}`"
        subject.found.warning("unknown-source", message, at, hint, suggestion=nearest(word, sources))
        return
    for passage in PASSAGE.finditer(cite):
        source, begin = sources.get(passage[1]), passage.start(2)
        for quoted in QUOTED.finditer(passage[2]) if source is not None and source.sections else ():
            listed = [str(section) for section in source.sections] if source is not None else []
            meant = None if any(quoted[1] in section for section in listed) else nearest(quoted[1], listed)
            if meant is not None:
                at = _part(cite, begin + quoted.start(1), begin + quoted.end(1))
                message = f"`{passage[1]}` has no section called `{quoted[1]}`"
                subject.found.warning("unknown-passage", message, at, confidence="likely", suggestion=meant)


def _part(text: Text, begin: int, end: int) -> Span:
    """The place of some characters of a text; all of it where it is not written as it reads."""
    span = text.span
    if span.end_column - span.column != len(text):
        return span
    return span.part(begin, end)
