"""Work on the rules that takes long, done in a process of its own: running cases, telling what changed, printing.

What the work needs is imported where it is done: the studio itself starts without.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, ParamSpec, TypeVar

from polis_rules.diagnostics import PolisError, RulesetError, Span
from polis_rules.source import edited, spoken
from polis_rules.studio.streams import end_with_parent
from polis_rules.studio.troubles import by_titles

if TYPE_CHECKING:
    from polis_rules.cases import CaseResult
    from polis_rules.documentation.rulebook import Rulebook
    from polis_rules.interpreter.game import Game
    from polis_rules.publishing import Drawing
    from polis_rules.ruleset import Ruleset

MOST_SHOWN = 100
"""A value that is longer is not shown."""
NOTHING_BELOW = (
    "There is nothing to compare with: lay a variant over these rules, or open a ruleset that extends another."
)

P = ParamSpec("P")
T = TypeVar("T")
Variants = tuple[str | Path, ...]


@dataclass(frozen=True, slots=True)
class Lamp:
    """What came of one case."""

    id: str
    title: str
    path: str
    line: int
    failures: tuple[str, ...]
    """none where it passed"""


@dataclass(frozen=True, slots=True)
class Knob:
    """A setting, and what it may be."""

    name: str
    title: str
    kind: str
    """`number`, `flag` or `words`"""
    value: str
    low: int
    high: int
    words: tuple[str, ...]
    unit: str = ""
    """what a number counts, where that is said"""


@dataclass(frozen=True, slots=True)
class Told:
    """How rules differ from others, in sentences."""

    summary: str
    headlines: tuple[str, ...]
    groups: tuple[tuple[str, tuple[str, ...]], ...]
    """the sentences of each group, after its title"""


@dataclass(frozen=True, slots=True)
class Spot:
    """A line of a file, and what is told of it."""

    words: str
    path: str
    """as messages name it, or where it lies"""
    line: int
    why: str = ""


@dataclass(frozen=True, slots=True)
class Said:
    """What is known about a value or a rule."""

    path: str
    value: str
    """on one line; empty where that would be long"""
    sentence: str
    source: str
    """its grade and citation"""
    ruling: str
    layers: tuple[Spot, ...]


class Trials:
    """Runs such work one piece after the other; a piece that breaks its process costs no more than itself."""

    def __init__(self) -> None:
        self._pool: ProcessPoolExecutor | None = None

    async def do(self, work: Callable[P, T], *given: P.args, **named: P.kwargs) -> T:
        """What a function of a module gives, worked out elsewhere. Raises what it raises, and PolisError."""
        if self._pool is None:
            self._pool = ProcessPoolExecutor(1, get_context("spawn"), end_with_parent)
        pool = self._pool
        try:
            return await asyncio.wrap_future(_apart(pool.submit(work, *given, **named)))
        except BrokenProcessPool:
            if pool is self._pool:  # and not what another one has begun after it was ended
                self.close()
            raise PolisError("the process that worked on this was ended") from None

    def close(self) -> None:
        """End what is being done."""
        if self._pool is not None:
            processes = list((self._pool._processes or {}).values())
            self._pool.shutdown(wait=False, cancel_futures=True)
            for process in processes:
                process.terminate()
            self._pool = None


def _apart(done: Future[T]) -> Future[T]:
    """A future that ends as this one does, and may be cancelled while this one is not.

    A pool whose process is ended tells all of its futures so; that of Python 3.11 stumbles over one that somebody has
    cancelled: it prints a traceback, and tells no other one.
    """
    apart = Future[T]()

    def tell(done: Future[T]) -> None:
        if done.cancelled():
            apart.cancel()
        elif apart.set_running_or_notify_cancel():
            if error := done.exception():
                apart.set_exception(error)
            else:
                apart.set_result(done.result())

    done.add_done_callback(tell)
    return apart


def lamps(ruleset: str | Path, scenario: str | None, variants: Variants) -> list[Lamp]:
    """What comes of the cases of a ruleset, and of those that were made here beside variants. Raises RulesetError."""
    from polis_rules.cases import run_cases

    found = run_cases(ruleset, scenario, variants)
    for path in made_beside(variants):
        found += run_cases(ruleset, scenario, variants, file=path)
    return [_lamp(each) for each in found]


def cases_beside(variant: Path) -> Path:
    """The file for cases that are made here with a variant of a shipped ruleset.

    >>> cases_beside(Path("mine/costly.yaml")).name
    'costly_cases.yaml'
    """
    return variant.with_name(f"{variant.stem}_cases.yaml")


def made_beside(variants: Variants) -> list[Path]:
    """The files of cases that were made here with variants."""
    return [path for each in variants if isinstance(each, Path) and (path := cases_beside(each)).is_file()]


def _lamp(result: CaseResult) -> Lamp:
    case = result.case
    return Lamp(case.id, case.title, str(case.path.resolve()), case.span.line, result.failures)


@dataclass(frozen=True, slots=True)
class Failing:
    """A case as it stands where it fails, and the rule that has to do with it."""

    rules: Ruleset
    game: Game
    span: Span | None
    """of the rule; None where no rule is asked before it fails"""


def failing(ruleset: str | Path, scenario: str | None, variants: Variants, id: str) -> Failing:
    """A case where it fails, or at its end. Raises PolisError where it cannot be played."""
    from polis_rules.cases import CaseResult, Runner, read_case_file, read_cases, stopped, with_variants

    runner = Runner(ruleset, scenario, variants)
    made = [case for each in made_beside(variants) for case in read_case_file(each)]
    cases = [*made, *with_variants(read_cases(ruleset), ruleset, variants)]
    case = next((each for each in cases if each.id == id), None)
    if case is None:
        raise PolisError(f"there is no case called {id}")
    plan = runner.plan(case)
    if isinstance(plan, CaseResult):
        raise PolisError("; ".join(plan.failures))
    found = stopped(case, *plan)
    if found is None:
        raise PolisError("its position cannot be set up")
    rules = plan[1].ruleset
    return Failing(rules, found.game, found.span or _place_of(rules, found.rule))


def _place_of(rules: Ruleset, path: str) -> Span | None:
    """Where a rule is written, or the nearest thing around it; of one that layers have changed, the last change."""
    from polis_rules.documentation import UnknownPathError, explained
    from polis_rules.documentation.rulebook import read
    from polis_rules.schema import holds_words

    opened = read(*rules.origin)
    while path:
        try:
            found = explained(opened, path)
            changes = [each for each in found.layers if not holds_words(each.path.split("."))]  # these change no rule
            return changes[-1].span if changes else found.span
        except UnknownPathError:
            path = path.rpartition(".")[0]
    return None


def differences(
    ruleset: str | Path,
    scenario: str | None,
    variants: Variants,
    base: str | Path | None,
    unsaved: Mapping[Path, str] = MappingProxyType({}),
) -> Told:
    """How rules with their variants differ from those without, or from another ruleset. Raises RulesetError.

    `unsaved` holds the texts of files that are not written yet.
    """
    if base is None and not variants:
        return Told(NOTHING_BELOW, (), ())
    from polis_rules.documentation import COUNTED, SECTIONS, condensed
    from polis_rules.documentation.rulebook import diff, read

    with edited(dict(unsaved)):
        found = diff(read(base or ruleset, None if base else scenario), read(ruleset, scenario, variants))
    told = condensed(found.changes)
    groups = [
        (section, tuple(each.sentence for each in told if each.section == section and each.sentence))
        for section in SECTIONS
        if section not in COUNTED
    ]
    return Told(found.summary, found.headlines, tuple((title, lines) for title, lines in groups if lines))


def knobs(ruleset: str | Path, scenario: str | None, variants: Variants) -> list[Knob]:
    """The settings of a ruleset, as they are now. Raises RulesetError."""
    from polis_rules.composition import compose

    return [
        Knob(
            str(each.name),
            each.title or spoken(each.name),
            "flag" if each.is_flag else "words" if each.words else "number",
            str(each.value),
            each.low,
            each.high,
            each.words,
            each.unit,
        )
        for each in compose(ruleset, scenario, variants).settings.values()
        if each.others
    ]


def unfit(
    ruleset: str | Path,
    scenario: str | None,
    variants: Variants,
    near: Mapping[str, tuple[str | Path, ...]],
    titles: Mapping[str, str],
) -> dict[str, str]:
    """Of variants that could be laid over the rules too, those that do not go with them, and why. Raises nothing.

    `titles` are those of all variants by their ids.
    """
    from polis_rules.composition import compose

    found = {}
    for name, more in near.items():
        try:
            compose(ruleset, scenario, (*variants, *(each for each in more if each not in variants)))
        except RulesetError as error:
            about = partial(_about, ruleset, scenario, variants)
            found[name] = by_titles(error.diagnostics[0], titles, about) if error.diagnostics else str(error)
    return found


def _about(ruleset: str | Path, scenario: str | None, variants: Variants, path: str) -> str:
    """What the rule at a path is called where changes of it are told; the path itself where there is none yet."""
    from polis_rules.documentation.rulebook import read, subject
    from polis_rules.source import found_at

    keys = path.split(".")
    try:
        opened = read(ruleset, scenario, variants)
    except RulesetError:  # what goes together may still be wrong
        return path
    if keys[0] == "scenario":
        return ", ".join(map(spoken, keys)).capitalize()
    is_there = found_at(opened.composed.tree, ".".join(keys[: 3 if keys[0] == "tables" else 2]))
    return subject(opened, keys) if is_there else path


def printed_changes(ruleset: str | Path, scenario: str | None, variants: Variants, base: str | Path | None) -> str:
    """The same as a page of HTML."""
    from polis_rules.documentation.rulebook import read
    from polis_rules.publishing import changes_page

    return changes_page(read(base or ruleset, None if base else scenario), read(ruleset, scenario, variants))


def printed_rulebook(ruleset: str | Path, scenario: str | None, variants: Variants) -> str:
    """The rulebook as a page of HTML. Raises RulesetError."""
    from polis_rules.publishing import rulebook_page

    return rulebook_page(*_printed(ruleset, scenario, variants))


def printed_pdf(ruleset: str | Path, scenario: str | None, variants: Variants) -> bytes:
    """The rulebook as PDF. Raises RulesetError, and PolisError where typst is not installed."""
    from polis_rules.publishing import rulebook_pdf

    return rulebook_pdf(*_printed(ruleset, scenario, variants))


def printed_marked(ruleset: str | Path, scenario: str | None, variants: Variants, base: str | Path | None) -> bytes:
    """The rulebook as PDF, with what is new in it marked and what is gone crossed out. Raises as `printed_pdf` does."""
    from polis_rules.documentation.rulebook import read, rulebook
    from polis_rules.publishing import Edition, rulebook_pdf, with_gone

    book, drawn = _printed(ruleset, scenario, variants)
    before = Edition.of(rulebook(read(base or ruleset, None if base else scenario)))
    return rulebook_pdf(with_gone(book, before), drawn, before)


def _printed(ruleset: str | Path, scenario: str | None, variants: Variants) -> tuple[Rulebook, dict[str, Drawing]]:
    from polis_rules.documentation.rulebook import read, rulebook
    from polis_rules.publishing import pictures, with_examples

    opened = read(ruleset, scenario, variants)
    book = with_examples(rulebook(opened), opened, ruleset, scenario, variants)
    return book, pictures(book, ruleset, scenario, variants)


def said(ruleset: str | Path, scenario: str | None, variants: Variants, path: str) -> Said:
    """What is known about a path, or about the nearest thing around it. Raises UnknownPathError, RulesetError."""
    from polis_rules.documentation import UnknownPathError, explained, spoken_grade, told_layer
    from polis_rules.documentation.rulebook import read

    opened = read(ruleset, scenario, variants)
    asked = path.strip(".")
    while True:
        try:
            found = explained(opened, asked)
            break
        except UnknownPathError:
            if "." not in asked:
                raise
            asked = asked.rpartition(".")[0]
    layers = tuple(
        Spot(told_layer(each, found.path), each.span.file, each.span.line, each.why or "") for each in found.layers
    )
    value = found.value or ""
    source = f"{spoken_grade(found.grade or 'not graded')}: {found.cite or 'no citation'}"
    return Said(
        found.path, value if len(value) <= MOST_SHOWN else "", found.sentence, source, found.ruling or "", layers
    )
