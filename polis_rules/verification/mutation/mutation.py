"""Change rules a little, one change at a time, and see whether cases, recorded games or random games notice."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from random import Random
from typing import Literal

from polis_rules.cases import Case, Plan, Runner, Stage, check, play, read_cases
from polis_rules.composition import with_choices
from polis_rules.diagnostics import Diagnostics, PolisError, Span
from polis_rules.interpreter.evaluator import NothingThereError
from polis_rules.interpreter.game import Game
from polis_rules.interpreter.machine import ENDING, WINNER
from polis_rules.interpreter.runtime import Program
from polis_rules.pipeline import documented
from polis_rules.play import Transcript
from polis_rules.ruleset import Ruleset, load
from polis_rules.verification.coverage import Instrument
from polis_rules.verification.declared import declared
from polis_rules.verification.mutation.mutants import Mutant, Mutator
from polis_rules.verification.mutation.rebuilt import rebuilt, with_change
from polis_rules.verification.workers import in_processes

Sort = Literal["case", "transcript", "playout", "nothing"]
Choice = tuple[str | None, tuple[str | Path, ...]]
Site = tuple[Span, str]
Moment = tuple[tuple[int, ...], int]
"""The options of a point and the hash of the state there."""

LONGEST = 3000
"""After how many points a random game is given up."""

BROKEN = (
    PolisError, NothingThereError, ArithmeticError, LookupError, ValueError, TypeError, RecursionError, AssertionError,
)  # fmt: skip
"""What changed rules may run into."""


class DoesNotCompileError(Exception):
    """Changed rules that are no rules any more."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What noticed a change: the name of a case, a transcript, `random games` or `compiling`; empty: nothing did."""

    mutant: Mutant
    by: str = ""
    sort: Sort = "nothing"


@dataclass(slots=True)
class Played:
    """A case, and what of the rules it meets."""

    case: Case
    plan: Plan
    words: str
    sites: set[Site]


@dataclass(slots=True)
class ScenarioTests:
    """Everything that is played with one scenario."""

    ruleset: Ruleset
    instrument: Instrument
    stage: Stage
    """with all changes built in"""
    counted: Stage
    """with what the instrument counts"""
    cases: list[Played] = field(default_factory=list)
    transcripts: list[tuple[str, Transcript, list[int] | None]] = field(default_factory=list)
    games: list[list[Moment]] = field(default_factory=list)


class MutationTest:
    """One ruleset with all changes built in, its cases, recorded games and random games.

    >>> tests = MutationTest("yucata", games=1, pattern="first_steps")
    >>> len(tests.mutants()) > 100
    True
    """

    def __init__(
        self, ruleset: str | Path, transcripts: Sequence[tuple[str, Transcript]] = (), games: int = 20,
        pattern: str | None = None, rule: str = "",
    ) -> None:  # fmt: skip
        self.name = ruleset
        self.rule = rule
        """only changes of rules with this in their path"""
        self.games = games
        self.mutator = Mutator()
        self.runner = Runner(ruleset)
        self.tables: dict[Choice, ScenarioTests] = {}
        self.left_out = 0
        """cases that do not pass as the rules are, or that name variants"""
        self.table((None, ()))
        if not self.mutants():
            return  # what could notice a change takes long to prepare
        cases = [case for case in read_cases(ruleset, inherited=True) if pattern is None or case.matches(pattern)]
        for case in cases:
            self.add(case)
        for table in self.tables.values():  # those that meet least come first
            table.cases.sort(key=lambda played: len(played.sites))
        for name, transcript in transcripts:
            self.record(name, transcript)
        first = self.tables[None, ()]
        first.games = list(self.trajectories(first.stage.program))

    def table(self, choice: Choice) -> ScenarioTests:
        if choice not in self.tables:
            ruleset, instrument = load(self.name, *choice), Instrument()
            versions = (each.rules(ruleset.rules()) for each in (self.mutator, instrument))
            stage, counted = (Stage(ruleset.with_rules(rules)) for rules in versions)
            self.tables[choice] = ScenarioTests(ruleset, instrument, stage, counted)
        return self.tables[choice]

    def add(self, case: Case) -> None:
        """Take a case in, if it passes without variants, and see what it meets of the rules."""
        if case.entry is None or case.findings or case.entry.variants:
            self.left_out += 1
            return
        table = self.table(self.runner.choice(case, case.entry))
        diagnostics = Diagnostics(sources=case.sources)
        plan = check(case.entry, table.stage, diagnostics)
        met = table.counted.program.tally.rows
        met.clear()
        if diagnostics.items or not play(case, plan, table.counted).passed:
            self.left_out += 1
            return
        sites = {(site.span, site.label) for site in map(table.instrument.sites.__getitem__, met)}
        table.cases.append(Played(case, plan, f"{case.id} {case.entry}", sites))

    def record(self, name: str, transcript: Transcript) -> None:
        """Take a recorded game in, if it is one of this ruleset without variants and can be played."""
        ruleset = self.tables[None, ()].ruleset
        if transcript.ruleset != ruleset.name or transcript.variants or transcript.scenario not in ruleset.scenarios:
            return
        scenario = None if transcript.scenario == ruleset.scenario else transcript.scenario
        table = self.table((scenario, with_choices((), transcript.settings)))
        end = replayed(transcript, table.stage.program)
        if end is not None:
            table.transcripts.append((name, transcript, end))

    # -- changes ----------------------------------------------------------------------------------------------------

    def mutants(self) -> list[Mutant]:
        """All changes of the rules of the default scenario that were asked for, in the order of the files.

        Libraries that lie elsewhere are left alone: they have cases of their own. So are settings, as tables and ranges
        are made from them before anything is changed.
        """
        composed, document = documented(self.name)
        elsewhere = {use.file for use in composed.uses if not use.own}
        settled = {f"terms.{name}" for name in composed.settings}
        every = [*self.mutator.mutants, *rebuilt(self.tables[None, ()].ruleset.rules(), document)]
        wanted = [each for each in every if self.rule in each.rule and each.span.file not in elsewhere]
        wanted = [each for each in wanted if each.rule not in settled]
        return sorted(wanted, key=lambda each: (each.span.file, each.span.line, each.span.column, each.number))

    def judge(self, mutant: Mutant) -> Verdict:
        """What notices a change."""
        if mutant.number:
            self.mutator.switch.on = mutant.number
            try:
                return self._judged(mutant, lambda choice: self.tables[choice].stage)
            finally:
                self.mutator.switch.on = 0

        @cache  # compiled when the first case of the scenario is reached, as an earlier one may notice the change
        def changed(choice: Choice) -> Stage:
            ruleset = self.tables[choice].ruleset
            try:
                return Stage(ruleset.with_rules(with_change(ruleset.rules(), mutant)))
            except BROKEN as error:
                raise DoesNotCompileError from error

        try:
            return self._judged(mutant, changed)
        except DoesNotCompileError:
            return Verdict(mutant, "compiling", "case")

    def _judged(self, mutant: Mutant, stage: Callable[[Choice], Stage]) -> Verdict:
        for choice, table in self.tables.items():
            for played in self._concerned(mutant, table):
                if not passes(played, stage(choice)):
                    return Verdict(mutant, played.case.key, "case")
        for choice, table in self.tables.items():
            for name, transcript, end in table.transcripts:
                if replayed(transcript, stage(choice).program) != end:
                    return Verdict(mutant, name, "transcript")
        if self.games:
            games = self.trajectories(stage((None, ())).program)
            if any(one != other for one, other in zip(games, self.tables[None, ()].games, strict=True)):
                return Verdict(mutant, "random games", "playout")
        return Verdict(mutant, "", "nothing")

    def _concerned(self, mutant: Mutant, table: ScenarioTests) -> list[Played]:
        """The cases that could notice a change, the likeliest first."""
        if mutant.site is not None:
            return [played for played in table.cases if mutant.site in played.sites]
        return sorted(table.cases, key=lambda played: not mutant.word or mutant.word not in played.words)

    # -- games ------------------------------------------------------------------------------------------------------

    def trajectories(self, program: Program) -> Iterator[list[Moment]]:
        """Random games, each as the moments that it had; one that fails ends there."""
        where = declared(program)
        for seed in range(self.games):
            rng = Random(seed)
            moments: list[Moment] = []
            try:
                state = program.new_state(seed)
                for options, _ in program.steps(state, lambda _, options: rng.choice(options)):  # noqa: B023  (used at once)
                    moments.append((tuple(options or ()), hash(tuple(state[where]))))
                    if len(moments) == LONGEST:
                        break
                moments.append(((), hash((*state[where], state[ENDING], state[WINNER]))))
            except BROKEN:
                moments.append(((), -1))
            yield moments


def passes(played: Played, stage: Stage) -> bool:
    try:
        return play(played.case, played.plan, stage).passed
    except BROKEN:
        return False


def replayed(transcript: Transcript, program: Program) -> list[int] | None:
    """The position after a recorded game, and who won; None when it cannot be played so."""
    try:
        game = Game(program, transcript.seed, "manual")
        game.replay(transcript.entries)
        return [*game.state[declared(program)], *game.state[ENDING : WINNER + 1]]
    except BROKEN:
        return None


def judge_all(
    tests: MutationTest, mutants: Sequence[Mutant], jobs: int = 1, progress: Callable[[int], None] = lambda number: None
) -> list[Verdict]:
    """What notices each change, in their order. Ctrl-C ends early with the verdicts so far.

    `jobs` processes share the work where the system can copy a running process; otherwise this one does it.
    """

    def judge(number: int) -> tuple[int, str, Sort]:
        verdict = tests.judge(mutants[number])
        return number, verdict.by, verdict.sort  # changed rules do not travel between processes

    judged: list[Verdict] = []
    numbers = range(len(mutants))
    with suppress(KeyboardInterrupt), closing(in_processes(judge, numbers, jobs, copies=True)) as verdicts:
        for number, by, sort in verdicts:
            judged.append(Verdict(mutants[number], by, sort))
            progress(len(judged))
    return judged
