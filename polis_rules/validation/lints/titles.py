"""Words for people: options that cannot be told apart, and titles that are missing among others.

Why: a player who reads two options alike cannot choose between them.
Example: two rows titled `Red token` in a table from which players choose; one action of ten without a title.
"""

from __future__ import annotations

from collections.abc import Iterable

from polis_rules.diagnostics import Diagnostics
from polis_rules.schema import Choose, Either
from polis_rules.semantics import ir, written_steps
from polis_rules.source import Text
from polis_rules.validation.analysis import Subject
from polis_rules.validation.lints.sources import ENOUGH, rare

Entry = tuple[Text, object]
"""Something that may have a title, with its name."""


def check(subject: Subject, diagnostics: Diagnostics) -> None:
    """Report `same-title` and `missing-title`."""
    _members(subject, diagnostics)
    _ways(subject, diagnostics)
    _missing(subject, diagnostics)


def _members(subject: Subject, diagnostics: Diagnostics) -> None:
    steps = (step for step in subject.steps if isinstance(step, ir.Choose))
    chosen = {step.source.type.kind for step in steps if step.source is not None}
    document = subject.document
    tables = {str(kind): {name: row.title for name, row in rows.items()} for kind, rows in document.tables.items()}
    tables["action"] = {name: action.title for name, action in document.actions.items()}
    for kind in sorted(chosen & set(tables)):
        _alike(tables[kind].values(), f"players cannot tell this {kind} from another", diagnostics)


def _ways(subject: Subject, diagnostics: Diagnostics) -> None:
    for step in written_steps(subject.document):
        ways = step.either if isinstance(step, Either) else step.or_ if isinstance(step, Choose) else {}
        _alike((way.title for way in ways.values()), "players cannot tell this way from another", diagnostics)


def _alike(titles: Iterable[Text | None], message: str, diagnostics: Diagnostics) -> None:
    first: dict[str, Text] = {}
    for title in titles:
        if title is None:
            continue
        if title in first:
            related = (("it has the same title", first[title].span),)
            diagnostics.warning("same-title", message, title.span, related=related)
        first.setdefault(str(title), title)


def _missing(subject: Subject, diagnostics: Diagnostics) -> None:
    """Titles that players read, where nearly all others have one."""
    document = subject.document
    steps = (step for step in written_steps(document) if isinstance(step, Choose))
    choices: list[Entry] = [(step.choose, step) for step in steps]
    for action in document.actions.values():
        choices += action.choose.items()
    groups: list[tuple[str, list[Entry]]] = [
        ("actions", list(document.actions.items())),
        ("endings", list(document.endings.items())),
        ("choices", choices),
    ]
    groups += [(f"members of {kind}", list(rows.items())) for kind, rows in document.tables.items()]
    for what, entries in groups:
        if rare([getattr(item, "title", None) is None for _, item in entries], ENOUGH):
            for name, thing in entries:
                if getattr(thing, "title", None) is None:
                    message = f"`{name}` has no title, as nearly all {what} have"
                    diagnostics.warning("missing-title", message, name.span, confidence="likely")
