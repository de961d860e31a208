"""From a ruleset's files to typed rules: the stages, in order. Read this first.

The stages that follow are `compile_rules` (typed rules to slots, blocks and code) and `Game` (code to a game).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from polis_rules.diagnostics import Diagnostic, Diagnostics, RuleError, RulesetError, merged

if TYPE_CHECKING:
    from polis_rules.composition import Composed
    from polis_rules.schema import Document, Known
    from polis_rules.semantics import References, Symbols, TypedRules, Units


@dataclass(slots=True)
class Build:
    """What the stages have made of a ruleset, and what they found; what errors hide is None."""

    ruleset: str | Path
    scenario: str | None = None
    variants: Sequence[str | Path] = ()
    references: References | None = None
    """Where resolver and checker note what each place means, for those who want to know that."""
    diagnostics: Diagnostics = field(default_factory=Diagnostics)
    composed: Composed | None = None
    document: Document | None = None
    symbols: Symbols | None = None
    rules: TypedRules | None = None
    """Only when nothing was wrong up to the type check."""
    gone: frozenset[str] | None = None
    """The ids of entries that were left out because their shape is wrong; None when everything is there."""

    entries: Known | None = None
    """What is known of entries that were read before."""
    units: Units | None = None
    """What is known of rules that were checked before."""
    done: list[Stage] = field(default_factory=list)
    """The stages that have run."""

    @property
    def findings(self) -> list[Diagnostic]:
        """What was found, in the order of the files' lines, each cause once."""
        from polis_rules.composition import without_prefixes

        return merged(without_prefixes(self.diagnostics.items, self.composed.uses if self.composed is not None else ()))

    def raise_if_errors(self) -> None:
        """Raise RulesetError with every finding if one of them is an error."""
        if self.diagnostics.has_errors:
            raise RulesetError(self.findings, self.diagnostics.sources)


def compose(build: Build) -> None:
    """Manifest, editions, scenario and variants to one tree."""
    from polis_rules.composition import compose

    build.composed = compose(build.ruleset, build.scenario, build.variants)
    build.diagnostics.sources = build.composed.sources
    build.diagnostics.extend(build.composed.warnings)
    if build.references is not None:
        for symbol, span in build.composed.named:
            build.references.note(symbol, span)
        for use in build.composed.uses:
            build.references.note(f"libraries.{use.library}", use.place)
            build.references.note(f"libraries.{use.library}", use.declared, declares=True)


def read_shape(build: Build) -> None:
    """Tree to typed document; entries that are wrong in shape are left out, so that the others are still checked."""
    from polis_rules.schema import build as read, without_errors

    assert build.composed is not None
    build.document = read(build.composed.tree, build.diagnostics, build.entries)
    if build.document is None:
        left = without_errors(build.composed.tree, build.diagnostics.items)
        build.document = read(left[0], Diagnostics()) if left is not None else None
        if left is None or build.document is None:
            build.raise_if_errors()
        else:
            build.gone = frozenset(left[1])
    if build.document is not None:
        build.document.leave_out(build.composed.members_left_out)


def check_tables(build: Build) -> None:
    """Rows against the schemas that their kinds make."""
    from polis_rules.schema import check_tables

    assert build.document is not None
    check_tables(build.document, build.diagnostics)


def resolve(build: Build) -> None:
    """Names to symbols."""
    from polis_rules.semantics import resolve

    assert build.document is not None and build.composed is not None
    build.symbols = resolve(build.document, build.diagnostics, build.references, build.composed.settings)


def typecheck(build: Build) -> None:
    """Expressions and steps to typed trees, kept where nothing is wrong; who took away names that are missing."""
    from polis_rules.interpreter.evaluator import derive
    from polis_rules.semantics import explain_missing, typecheck

    assert build.document is not None and build.symbols is not None
    rules = typecheck(build.document, build.symbols, build.diagnostics, build.references, build.units, derive)
    if not build.diagnostics.has_errors:
        build.rules = rules
    elif build.composed is not None:
        explain_missing(build.document, build.composed.removed, build.diagnostics)


def set_up(build: Build) -> None:
    """The first values into the state, to see that they fit."""
    from polis_rules.interpreter.evaluator import first_state
    from polis_rules.interpreter.machine import lay_out

    if build.rules is None:
        return
    try:
        first_state(build.rules, lay_out(build.rules.symbols))
    except RuleError as error:
        build.diagnostics.error("unfit-start", error.message, error.span, related=error.related)


Stage = Callable[[Build], None]

STAGES: tuple[Stage, ...] = (compose, read_shape, check_tables, resolve, typecheck, set_up)
"""What is done to a ruleset, one after the other. A stage raises RulesetError when none after it could run."""


def run(build: Build, stages: Iterable[Stage] = STAGES) -> Build:
    """Run the stages as far as they can go. Never raises for what files say: `build.diagnostics` has all findings."""
    items = build.diagnostics.items
    try:
        for stage in stages:
            known = len(items)
            stage(build)
            build.done.append(stage)
            if build.gone:  # what only says that one of these is missing follows from what is wrong with its shape
                items[known:] = [each for each in items[known:] if each.missing not in build.gone]
    except RulesetError as error:
        items[:] = dict.fromkeys([*items, *error.diagnostics])
        build.diagnostics.sources = build.diagnostics.sources or error.sources
    return build


class Front(NamedTuple):
    """A sound ruleset, as those who read or compile rules need it."""

    composed: Composed
    rules: TypedRules
    document: Document


def front(ruleset: str | Path, scenario: str | None = None, variants: Sequence[str | Path] = ()) -> Front:
    """Everything up to typed rules. Raises RulesetError with all that `run` finds."""
    return whole(run(Build(ruleset, scenario, variants)))


def whole(build: Build) -> Front:
    """What all stages have made. Raises RulesetError with everything that they found, if one of that is an error."""
    build.raise_if_errors()
    assert build.composed is not None and build.document is not None and build.rules is not None
    return Front(build.composed, build.rules, build.document)


def documented(
    ruleset: str | Path, scenario: str | None = None, variants: Sequence[str | Path] = ()
) -> tuple[Composed, Document]:
    """Everything up to the typed document, for those who read rules instead of running them. Raises RulesetError."""
    build = run(Build(ruleset, scenario, variants), (compose, read_shape))
    build.raise_if_errors()
    assert build.composed is not None and build.document is not None
    return build.composed, build.document
