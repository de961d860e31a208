"""Words for people: options that cannot be told apart, and titles that are missing among others.

Why: a player who reads two options alike cannot choose between them.
Example: two rows titled `Red token` in a table from which players choose; one action of ten without a title.
"""

from __future__ import annotations

from collections.abc import Iterable

from polis_rules.diagnostics import Diagnostics
from polis_rules.schema import steps as written
from polis_rules.semantics import ir
from polis_rules.semantics.expressions import Expr
from polis_rules.source import Text
from polis_rules.validation.analysis import Subject, walking
from polis_rules.validation.lints.sources import ENOUGH, rare

Entry = tuple[Text, object]
"""Something that may have a title, with its name."""


def check(subject: Subject, diagnostics: Diagnostics) -> None:
    """Report `same-title` and `missing-title`."""
    _members(subject, diagnostics)
    _ways(subject, diagnostics)
    _missing(subject, diagnostics)


def _members(subject: Subject, diagnostics: Diagnostics) -> None:
    chosen = {
        step.source.type.kind
        for _, step in walking.steps(subject.rules)
        if isinstance(step, ir.Choose) and isinstance(step.source, Expr)
    }
    document = subject.document
    tables = {str(kind): {name: row.title for name, row in rows.items()} for kind, rows in document.tables.items()}
    tables["action"] = {name: action.title for name, action in document.actions.items()}
    for kind in sorted(chosen & set(tables)):
        _alike(tables[kind].values(), f"players cannot tell this {kind} from another", diagnostics)


def _ways(subject: Subject, diagnostics: Diagnostics) -> None:
    for _, step in walking.steps(subject.rules):
        item = subject.places.written(step)
        ways = item.either if isinstance(item, written.Either) else item.or_ if isinstance(item, written.Choose) else {}
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
    choices: list[Entry] = []
    for _, step in walking.steps(subject.rules):
        item = subject.places.written(step)
        if isinstance(item, written.Choose):
            choices.append((item.choose, item))
    for action in document.actions.values():
        choices += action.choose.items()
    groups: list[tuple[str, list[Entry]]] = [
        ("actions", list(document.actions.items())),
        ("endings", list(document.endings.items())),
        ("choices", choices),
    ]
    groups += [(f"members of {kind}", list(rows.items())) for kind, rows in document.tables.items()]
    for what, entries in groups:
        if rare([item for _, item in entries], "title", ENOUGH):
            for name, thing in entries:
                if getattr(thing, "title", None) is None:
                    message = f"`{name}` has no title, as nearly all {what} have"
                    diagnostics.warning("missing-title", message, name.span, confidence="likely")
