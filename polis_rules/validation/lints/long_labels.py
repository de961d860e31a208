"""Labels of conditions that are long sentences.

Why: cases and overlays name a condition by its label, and a short one with a sentence beside it is easier to write.
Example: `you_must_have_as_many_pieces_there_as_it_has_doors: ...` of more than 40 characters, which could `say` that.
"""

from __future__ import annotations

from collections.abc import Iterator

from polis_rules.schema import Choose, Either
from polis_rules.semantics import written_steps
from polis_rules.source import Text
from polis_rules.validation.analysis import Subject

LONGEST = 40
"""How long a label may be."""


def check(subject: Subject) -> None:
    """Report `long-label`."""
    for label in _labels(subject):
        if len(label) > LONGEST:
            says = label.replace("_", " ")
            hint = f"write a shorter label with {{if: ..., says: {says}}}"
            subject.found.warning("long-label", f"this label is longer than {LONGEST} characters", label.span, hint)


def _labels(subject: Subject) -> Iterator[Text]:
    """The labels of all conditions."""
    for action in subject.document.actions.values():
        yield from action.requires
        for choice in action.choose.values():
            yield from choice.where
    for step in written_steps(subject.document):
        yield from getattr(step, "where", None) or ()
        yield from getattr(step, "leaving", ())
        if isinstance(step, Choose | Either):
            for way in (step.or_ if isinstance(step, Choose) else step.either).values():
                yield from way.where
