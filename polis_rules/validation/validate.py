"""Everything that can be said about a ruleset without a person playing it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from polis_rules.composition import MOST_VARIANTS
from polis_rules.diagnostics import Diagnostic, Diagnostics, RuleError, RulesetError
from polis_rules.pipeline import STAGES, Build, run
from polis_rules.validation.checks import Progress, checks, judged, lint
from polis_rules.validation.combinations import fails, smallest_failing, told

if TYPE_CHECKING:
    from polis_rules.interpreter.runtime import Program

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
    found = Validation()
    build = run(Build(ruleset, scenario, variants))
    diagnostics = build.diagnostics
    sound = not diagnostics.has_errors
    for stage in STAGES:
        (found.checked if stage in build.done else found.skipped).append(stage.__name__)
    lint(build, progress)
    (found.checked if sound else found.skipped).extend(name for name, _ in checks())
    if sound and scenario is None and not variants:
        _inspect_cases(ruleset, full, diagnostics, found)
    if 1 < len(variants) <= MOST_VARIANTS:
        _combined(ruleset, scenario, variants, diagnostics)
    if full and not diagnostics.has_errors:
        seen = play_all(ruleset, scenario, variants, diagnostics, found, progress)
        _never_seen(seen, build, diagnostics)
    elif full:
        found.skipped.append("games")
    found.sources = diagnostics.sources
    found.findings = judged(build)
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
    if diagnostics.has_errors:
        diagnostics.items.append(told(smallest_failing(ruleset, scenario, variants), variants))
    for variant in variants:
        error = fails(ruleset, scenario, (variant,))
        if error is not None and not all(each.code == "variant-requires" for each in error.diagnostics):
            diagnostics.items += error.diagnostics


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


def _never_seen(seen: Counter[str], build: Build, diagnostics: Diagnostics) -> None:
    """Say which endings no game came to; random players miss what takes skill, so this proves nothing."""
    assert build.document is not None
    for name in build.document.endings:
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
