"""Everything that can be said about a ruleset without a person playing it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from polis_rules import cache
from polis_rules.composition import MOST_VARIANTS, Composed, Snapshots, split_choices, variants_beside, with_choices
from polis_rules.diagnostics import Diagnostic, Diagnostics, RulesetError, merged, some
from polis_rules.incremental import Memory, build
from polis_rules.pipeline import STAGES, Build
from polis_rules.play import bots
from polis_rules.source import edited
from polis_rules.validation.checks import Progress, checks, judged, lint, other_values, settled
from polis_rules.validation.combinations import Combination, fails, found_only_with, smallest_failing, told
from polis_rules.validation.games import RANDOM, play_combinations

if TYPE_CHECKING:
    from polis_rules.interpreter.runtime.native import Wanted

MOST_CHOICES = 1000
"""With how many scenarios and choices of variants `full` looks at cases."""


@dataclass(slots=True)
class Validation:
    """What was found, what was looked at, and what was skipped because of errors before it."""

    findings: list[Diagnostic] = field(default_factory=list)
    sources: dict[str, str] = field(default_factory=dict)
    """The texts of the files with findings, by their names in messages."""
    checked: list[str] = field(default_factory=list)
    skipped: list[str] = field(default_factory=list)
    in_python: list[str] = field(default_factory=list)
    """Why games were not played in native code although they should be."""
    combinations: list[str] = field(default_factory=list)
    """The scenarios and variants that were composed, resolved and typechecked besides what was asked for."""
    choices: tuple[str, ...] = ()
    """Other values of its settings, each as `name=value`, with which it should go too."""
    scenarios: tuple[str, ...] = ()
    """The ids of the scenarios besides the one that was checked, with which it should go too."""

    @property
    def errors(self) -> int:
        return sum(each.severity == "error" for each in self.findings)

    @property
    def ok(self) -> bool:
        """Whether there is neither an error nor a warning."""
        return all(each.severity == "note" for each in self.findings)

    def add(self, findings: Iterable[Diagnostic], sources: dict[str, str]) -> None:
        """More findings; ones of the same place and words become one."""
        self.findings = merged([*self.findings, *findings])
        self.sources |= sources


def validate(
    ruleset: str | Path,
    scenario: str | None = None,
    variants: Sequence[str | Path] = (),
    full: bool = False,
    progress: Progress = lambda text: None,
    others: bool = True,
    native: Wanted | None = None,
    bot: str = RANDOM,
) -> Validation:
    """Compile a ruleset, then run every check on it.

    Unless a scenario is asked for (or `others` is false), every other scenario is composed, resolved and typechecked
    too, and every setting with its other values (of a range the ends), with the variants that are asked for (unless one
    of these changes the scenario itself); so is, if none are, every variant that lies beside the ruleset. With `full`
    all of them are played as well, with the bot in all seats; random games by `native` code of a kind if that is wanted
    (raises NativeMissingError and UnknownBotError).
    Never raises for what a ruleset says: every problem is a finding.

    >>> validate("yucata").errors
    0
    """
    bots.check(bot)  # before the work, not after it
    memory = Memory()
    shelf = _Shelf(memory)
    asked = Combination(ruleset, scenario, with_choices(variants, {}))
    name = "validated with all cases" if full else "validated"
    result = shelf.find(asked, name, True, lambda: _look_into(asked, memory, full, progress))
    shelf.keep()  # before more is added to it
    combinations = [asked]
    if others and scenario is None:
        if result.errors:
            result.skipped.append("other scenarios" if variants else "other scenarios and variants")
        else:
            combinations += [asked._replace(scenario=name) for name in result.scenarios]
            combinations += [asked._replace(variants=(*asked.variants, choice)) for choice in result.choices]
            if not variants:
                combinations += [asked._replace(variants=files) for files in variants_beside(ruleset)]
    known = list(result.findings)
    for each in combinations[1:]:
        progress(each.words)
        other = shelf.find(each, "typechecked", False, partial(_typecheck, each, memory))
        result.add(found_only_with(each, other.findings, known), other.sources)
        result.combinations.append(each.words)
    shelf.keep()
    if 1 < len(split_choices(variants)[0]) <= MOST_VARIANTS:
        _combined(asked, result)
    if full and not result.errors:
        games = play_combinations(combinations, progress, native, bot)
        result.checked += games.played
        result.in_python += games.in_python
        result.add(games.findings, games.sources)
    elif full:
        result.skipped.append("games")
    return result


class _Shelf:
    """What is found out about combinations of files that were read at one time, and kept between runs."""

    def __init__(self, memory: Memory) -> None:
        self.memory, self.snapshots = memory, Snapshots()
        self.new: list[tuple[Combination, bool, str, str, Validation]] = []

    def find(self, asked: Combination, name: str, cases: bool, make: Callable[[], Validation]) -> Validation:
        """What is found out about a combination; from the cache where none of its files has changed."""
        try:
            snapshot = self.snapshots.take(*asked, cases)
        except RulesetError:
            return make()
        kept: Validation | None = cache.fetch(snapshot.key, name)
        if kept is not None:
            return kept
        with edited(snapshot.texts, self.memory.trees):
            result = make()
        self.new.append((asked, cases, snapshot.key, name, result))
        return result

    def keep(self) -> None:
        """Keep what is new, but for combinations of which a file came, went or changed meanwhile."""
        snapshots = Snapshots()
        for asked, cases, key, name, result in self.new:
            with suppress(RulesetError):
                if snapshots.take(*asked, cases).key == key:
                    cache.store(key, name, result)
        self.new.clear()


def _look_into(asked: Combination, memory: Memory, full: bool, progress: Progress) -> Validation:
    """Compile what was asked for, run every check on it, and look at its cases."""
    result = Validation()
    built = build(Build(*asked), memory)
    diagnostics = built.diagnostics
    sound = not diagnostics.has_errors
    done = [stage.__name__ for stage in built.done]
    for stage in STAGES:
        (result.checked if stage.__name__ in done else result.skipped).append(stage.__name__)
    lint(built, progress)
    (result.checked if sound else result.skipped).extend(name for name, _ in checks())
    if sound and asked.scenario is None and not asked.variants:
        _inspect_cases(asked.ruleset, memory, full, diagnostics, result)
        _inspect_book(asked.ruleset, built, diagnostics)
    elif sound and split_choices(asked.variants)[0]:
        _inspect_cases_of_variants(asked, memory, diagnostics)
    result.add(settled(judged(built), built, partial(build, memory=memory)), _with_findings(diagnostics))
    if built.composed is not None:
        result.scenarios = tuple(_other_scenarios(built.composed))
        result.choices = tuple(other_values(built))
    return result


def _other_scenarios(composed: Composed) -> Iterator[str]:
    """The scenarios that were not chosen; none where a variant changes the chosen one, for which it is written then."""
    touched = (each for path, each in composed.origins.items() if path.startswith("scenario."))
    if not any(origin.layer.startswith("variant ") for origins in touched for origin in origins):
        yield from (each for each in composed.scenarios if each != composed.scenario)


def _typecheck(each: Combination, memory: Memory) -> Validation:
    """Compose, resolve and typecheck another combination."""
    built = build(Build(*each), memory)
    return Validation(judged(built), _with_findings(built.diagnostics))


def _with_findings(diagnostics: Diagnostics) -> dict[str, str]:
    """The texts of the files that findings quote."""
    spans = [span for each in diagnostics.items for span in (each.span, *(place for _, place in each.related))]
    files = {span.file for span in spans if span is not None}
    return {name: text for name, text in diagnostics.sources.items() if name in files}


def _inspect_cases(
    ruleset: str | Path, memory: Memory, full: bool, diagnostics: Diagnostics, result: Validation
) -> None:
    """Look at the ruleset's cases too, without playing them: `polis test` does that."""
    from polis_rules.cases import Runner, inspect_cases

    looked_at, cases = inspect_cases(ruleset, diagnostics, MOST_CHOICES if full else 0, Runner(ruleset, memory=memory))
    if cases:
        result.checked.append(("" if looked_at == cases else f"{looked_at:,} of ") + some(cases, "case"))


def _inspect_book(ruleset: str | Path, built: Build, diagnostics: Diagnostics) -> None:
    """Look for the cases that the ruleset's rulebook names."""
    if built.document is not None and built.document.book is not None:
        from polis_rules.cases import check_proven

        check_proven(ruleset, built.document.book, diagnostics)


def _inspect_cases_of_variants(asked: Combination, memory: Memory, diagnostics: Diagnostics) -> None:
    """Look at the cases that lie with variants, and at the names of those that they change."""
    from polis_rules.cases import Runner, check_changed, inspect_cases, own_cases

    check_changed(asked.ruleset, asked.variants, diagnostics)
    if cases := own_cases(asked.ruleset, asked.variants):
        inspect_cases(asked.ruleset, diagnostics, 1, Runner(*asked, memory=memory), cases)


def _combined(asked: Combination, result: Validation) -> None:
    """Check each variant alone too; where all together fail, say which few of them already do."""
    if result.errors:
        result.add([told(smallest_failing(asked), asked.variants)], {})
    files = split_choices(asked.variants)[0]
    choices = asked.variants[len(files) :]
    for variant in files:
        error = fails(asked._replace(variants=(variant, *choices)))
        if error is not None:
            result.add(error.diagnostics, error.sources)
