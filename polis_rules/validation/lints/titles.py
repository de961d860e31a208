"""Words for people: options that cannot be told apart, and titles that are missing among others.

Why: a player who reads two options alike cannot choose between them.
Example: two rows titled `Red token` in a table from which players choose; one action of ten without a title.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

from polis_rules.schema import Action, Choose, Either, Row
from polis_rules.semantics import ir, written_steps
from polis_rules.source import Text
from polis_rules.validation.analysis import Subject
from polis_rules.validation.lints.sources import ENOUGH, rare


class Titled(Protocol):
    """Something that may have a title."""

    @property
    def title(self) -> Text | None: ...


Labelled = tuple[Text, Titled]
"""Something that may have a title, with its name."""


def check(subject: Subject) -> None:
    """Report `same-title` and `missing-title`."""
    document = subject.document
    members: dict[str, dict[Text, Row] | dict[Text, Action]] = {"action": document.actions}
    members |= {str(kind): rows for kind, rows in document.tables.items()}
    sources = (source for step in subject.steps if isinstance(step, ir.Choose) for _, source in step.chosen)
    for kind in sorted({source.type.kind for source in sources if source is not None} & set(members)):
        _alike(members[kind].values(), kind, subject)
    steps = list(written_steps(document))
    for step in steps:
        if isinstance(step, (Choose, Either)):
            _alike((step.either if isinstance(step, Either) else step.or_).values(), "way", subject)
    choices: list[Labelled] = [(step.first, step) for step in steps if isinstance(step, Choose)]
    choices += [entry for action in document.actions.values() for entry in action.choose.items()]
    _missing("actions", list(document.actions.items()), subject)
    _missing("endings", list(document.endings.items()), subject)
    _missing("choices", choices, subject)
    for name, rows in document.tables.items():
        _missing(f"members of {name}", list(rows.items()), subject)


def _alike(things: Iterable[Titled], what: str, subject: Subject) -> None:
    """Of several options each that reads like one before it."""
    first: dict[str, Text] = {}
    for title in (each.title for each in things if each.title is not None):
        if first.setdefault(title, title) is not title:
            related = (("it has the same title", first[title].span),)
            message = f"players cannot tell this {what} from another"
            subject.found.warning("same-title", message, title.span, related=related)


def _missing(what: str, entries: Sequence[Labelled], subject: Subject) -> None:
    """Titles that players read, where nearly all others have one."""
    if rare([thing.title is None for _, thing in entries], ENOUGH):
        for name in (name for name, thing in entries if thing.title is None):
            message = f"`{name}` has no title, though nearly all other {what} have"
            subject.found.warning("missing-title", message, name.span, confidence="likely")
