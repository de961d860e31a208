"""Everything that can be said about a ruleset without a person playing it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from polis_rules.diagnostics import Diagnostic, Diagnostics, RuleError, RulesetError, silence
from polis_rules.validation.analysis import Subject
from polis_rules.validation.checks import checks
from polis_rules.validation.recovery import consequence, without_errors

if TYPE_CHECKING:
    from polis_rules.composition import Composed
    from polis_rules.schema import Document
    from polis_rules.semantics import Symbols, TypedRules
    from polis_rules.source import Mapping

Progress = Callable[[str], None]

MOST_CHOICES = 1000
"""With how many scenarios and choices of variants `full` looks at cases."""

GAMES = 200
"""How many games of each combination `full` plays at most."""


@dataclass(slots=True)
class Validation:
    """What was found, what was looked at, and what was skipped because of errors before it."""

    findings: list[Diagnostic] = field(default_factory=list)
    sources: dict[str, str] = field(default_factory=dict)
    checked: list[str] = field(default_factory=list)
    skipped: list[str] = field(default_factory=list)

    @property
    def errors(self) -> int:
        return sum(each.severity == "error" for each in self.findings)


def validate(
    ruleset: str | Path,
    scenario: str | None = None,
    variants: Sequence[str | Path] = (),
    full: bool = False,
    progress: Progress = lambda text: None,
) -> Validation:
    """Compile a ruleset, then run every check on it; with `full`, also build and play every scenario and variant.

    Never raises for what a ruleset says: every problem is a finding.

    >>> validate("yucata").errors
    0
    """
    from polis_rules.composition import MOST_VARIANTS

    found = Validation()
    stages = _Stages(ruleset, scenario, variants)
    diagnostics = stages.run(found)
    if stages.subject is None:
        found.skipped += [name for name, _ in checks()]
    else:
        for name, check in checks():
            progress(name)
            _isolated(name, check, stages.subject, diagnostics)
            found.checked.append(name)
    if stages.subject is not None and scenario is None and not variants:
        _inspect_cases(ruleset, full, diagnostics, found)
    if 1 < len(variants) <= MOST_VARIANTS:
        _combined(ruleset, scenario, variants, diagnostics)
    if full and stages.subject is not None and not diagnostics.has_errors:
        seen = play_all(ruleset, scenario, variants, diagnostics, found, progress)
        _never_seen(seen, stages.subject, diagnostics)
    elif full:
        found.skipped.append("games")
    found.sources = diagnostics.sources
    subject = stages.subject
    judged = subject.concerns if subject is not None else lambda span: False
    found.findings = silence(_once(diagnostics.items), diagnostics.sources, judged)
    return found


def _inspect_cases(ruleset: str | Path, full: bool, diagnostics: Diagnostics, found: Validation) -> None:
    """Look at the ruleset's cases too, without playing them: `polis test` does that."""
    from polis_rules.cases import inspect_cases

    if diagnostics.has_errors:
        found.skipped.append("cases")
        return
    looked_at, cases = inspect_cases(ruleset, diagnostics, others=MOST_CHOICES if full else 0)
    if cases:
        count = f"{cases}" if looked_at == cases else f"{looked_at} of {cases}"
        found.checked.append(f"{count} case{'' if cases == 1 else 's'}")


def _combined(
    ruleset: str | Path, scenario: str | None, variants: Sequence[str | Path], diagnostics: Diagnostics
) -> None:
    """Check each variant alone too; where all together fail, say which few of them already do."""
    from polis_rules.validation.combinations import fails, smallest_failing, told

    if diagnostics.has_errors:
        diagnostics.items.append(told(smallest_failing(ruleset, scenario, variants), variants))
    for variant in variants:
        error = fails(ruleset, scenario, (variant,))
        if error is not None and not all(each.code == "variant-requires" for each in error.diagnostics):
            diagnostics.items += error.diagnostics


def _once(findings: list[Diagnostic]) -> list[Diagnostic]:
    """Each finding once, in the order of the files' lines."""
    order = together(findings)

    def place(finding: Diagnostic) -> tuple[str, int, int]:
        span = finding.span
        return (span.file, span.line, span.column) if span is not None else ("", 0, 0)

    return sorted(order, key=place)


def together(findings: list[Diagnostic]) -> list[Diagnostic]:
    """One finding for each cause: errors of the same words in several places become one, with the others counted."""
    causes: dict[tuple[str, str], list[Diagnostic]] = {}
    for finding in findings:
        causes.setdefault((finding.code, finding.message), []).append(finding)
    merged = []
    for same in causes.values():
        first, *others = dict.fromkeys(same)
        places = [each.span for each in others if each.span is not None and each.span != first.span]
        if first.severity == "error" and places:
            count = f"and in {len(places)} other place{'' if len(places) == 1 else 's'}, such as this one"
            merged.append(replace(first, related=(*first.related, (count, places[0]))))
        else:
            merged += [first, *others]
    return merged


def _isolated(
    name: str, check: Callable[[Subject, Diagnostics], None], subject: Subject, diagnostics: Diagnostics
) -> None:
    """Run one check; a mistake of the check itself must not hide what the others find."""
    try:
        check(subject, diagnostics)
    except Exception as error:  # a broken check is a finding about this package
        message = f"the check {name} failed on this ruleset: {type(error).__name__}: {error}"
        diagnostics.note("broken-check", message, None, hint="please report this")


class _Stages:
    """The stages of the compiler, each as far as the ones before it went well."""

    def __init__(self, ruleset: str | Path, scenario: str | None, variants: Sequence[str | Path]) -> None:
        self.origin = (ruleset, scenario, tuple(variants))
        self.subject: Subject | None = None

    def run(self, found: Validation) -> Diagnostics:
        from polis_rules.composition import compose
        from polis_rules.schema import build

        try:
            composed = compose(*self.origin)
        except RulesetError as error:
            found.skipped += ["schema", "resolve", "typecheck"]
            return Diagnostics(list(error.diagnostics), error.sources)
        found.checked.append("compose")
        diagnostics = Diagnostics(sources=composed.sources)
        try:
            document = build(composed.tree, diagnostics)
            if document is None:
                found.skipped += ["resolve", "typecheck"]
                diagnostics.extend(_beyond(composed.tree, diagnostics.items))
                return diagnostics
            found.checked.append("schema")
            self._typed(composed, document, diagnostics)
            found.checked += ["resolve", "typecheck"]
        except RulesetError as error:  # there are too many errors
            diagnostics.items = list(dict.fromkeys([*diagnostics.items, *error.diagnostics]))
        return diagnostics

    def _typed(self, composed: Composed, document: Document, diagnostics: Diagnostics) -> None:
        from polis_rules.interpreter.evaluator import first_state
        from polis_rules.interpreter.machine import lay_out
        from polis_rules.schema import check_tables
        from polis_rules.semantics import resolve, typecheck

        check_tables(document, diagnostics)
        symbols: Symbols = resolve(document, diagnostics)
        rules: TypedRules = typecheck(document, symbols, diagnostics)
        if diagnostics.has_errors:
            return
        try:
            first_state(rules, lay_out(rules.symbols))
        except RuleError as error:
            diagnostics.error("unfit-start", error.message, error.span)
        else:
            self.subject = Subject(composed, document, symbols, rules)


def _beyond(tree: Mapping, errors: list[Diagnostic]) -> list[Diagnostic]:
    """What else is wrong with a tree that is wrong in shape, as far as the rest of it can be understood."""
    from polis_rules.schema import build, check_tables
    from polis_rules.semantics import resolve, typecheck

    left = without_errors(tree, errors)
    further = Diagnostics()
    document = build(left[0], further) if left is not None else None
    if left is None or document is None:
        return []
    check_tables(document, further)
    typecheck(document, resolve(document, further), further)
    return [each for each in further.items if not consequence(each, left[1])]


def play_all(
    ruleset: str | Path,
    scenario: str | None,
    variants: Sequence[str | Path],
    diagnostics: Diagnostics,
    found: Validation,
    progress: Progress,
) -> Counter[str]:
    """Build every scenario and every shipped variant of a ruleset, and play each until every ending came or a limit.

    The games by their ending, all together. What was played, and which endings did not come, is put down in `found`.
    """
    from polis_rules.composition import variants_of
    from polis_rules.ruleset import load

    base = load(ruleset, scenario, variants)
    tries: list[tuple[str | None, tuple[str | Path, ...]]] = [(scenario, tuple(variants))]
    if scenario is None:
        tries += [(name, tuple(variants)) for name in base.scenarios if name != base.scenario]
    if not variants:
        tries += [(scenario, (name,)) for name in variants_of(base.name)]
    every: Counter[str] = Counter()
    for number, (chosen, laid) in enumerate(tries, start=1):
        words = " + ".join([base.name, *([f"scenario {chosen}"] if chosen else []), *map(str, laid)])
        progress(f"games of {words} ({number} of {len(tries)})")
        try:
            seen = play_until(load(ruleset, chosen, laid).program(checks=True))
            every += seen
            told = ", ".join(f"{name} {count}" for name, count in seen.items() if count)
            never = " or ".join(name for name, count in seen.items() if not count)
            found.checked.append(f"games of {words}: {told}{f'; none ended with {never}' if never else ''}")
        except RulesetError as error:
            diagnostics.items += error.diagnostics
        except RuleError as error:
            diagnostics.error("rule-failed", f"{error.message} (in {words}, position {error.position})", error.span)
    return every


def _never_seen(seen: Counter[str], subject: Subject, diagnostics: Diagnostics) -> None:
    """Say which endings no game came to; random players miss what takes skill, so this proves nothing."""
    for name in subject.document.endings:
        if seen.total() and not seen[str(name)]:
            message = f"none of {seen.total()} random games ended with `{name}`"
            diagnostics.note("ending-not-seen", message, name.span, confidence="possible")


def play_until(program: Program, limit: int = GAMES) -> Counter[str]:
    """Play random games until every ending was seen, or `limit` games; every ending with how often it came."""
    from polis_rules.interpreter.machine import ENDING

    names = list(program.rules.endings)
    seen = Counter(dict.fromkeys(names, 0))
    for seed in range(limit):
        state = program.new_state(seed)
        program.playout(state, Random(seed))
        if state[ENDING] < 0:
            raise RuleError("the game stops without an ending", None, str(seed))
        name = names[state[ENDING]]
        seen[name] += 1
        if all(seen.values()) and seed >= 19:
            break
    return seen


if TYPE_CHECKING:
    from polis_rules.interpreter.runtime import Program
