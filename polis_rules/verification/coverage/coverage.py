"""Which rules games meet: each requirement, condition, term, effect and table row, counted over many games.

A comment `# polis: unmet reason` beside a rule, or alone on the line before it, says why games do not meet it. Of a
rule that a ruleset has from another one it says so by name: `# polis: unmet phases.harvest.it_must_be_ripe reason`.
What constants rule out needs no comment.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from random import Random

from polis_rules.diagnostics import RuleError, Span, marked
from polis_rules.interpreter.compiler import compile_rules
from polis_rules.interpreter.evaluator import first_state
from polis_rules.interpreter.machine import ENDING, PC
from polis_rules.interpreter.runtime import Program, State
from polis_rules.interpreter.runtime.native import Seats, Wanted, opened
from polis_rules.pipeline import documented
from polis_rules.play import bots
from polis_rules.ruleset import Ruleset
from polis_rules.semantics import ir
from polis_rules.semantics.expressions import Expr
from polis_rules.verification.coverage.instrument import Count, Instrument

CURIOUS = (0.0, 0.2, 0.4, 0.6)
"""In games of bots that think so many of the decisions, one share after the other, go to what leads to something that
no game has met, or else was taken least so far: such bots play much the same again and again, and seldom do what is
foolish although the rules allow it. Where there is a share, the others too go to what meets something new at once."""

AHEAD = 20
"""So many steps after an option, at random, are looked at for what no game has met."""

COMMENT = re.compile(r"#\s*polis:\s*unmet\b(.*)$")


Choose = Callable[[State, list[int]], int]


@dataclass(slots=True)
class Coverage:
    """What some games met."""

    ruleset: str
    games: int = 0
    decisions: int = 0
    """of games and branches"""
    counts: list[Count] = field(default_factory=list)
    sources: Mapping[str, str] = field(default_factory=dict)
    branches: int = 0
    """how many branches were played, which went on from positions of games"""

    @property
    def unmet(self) -> list[Count]:
        """What no game met and no comment explains, in the order of the files."""
        return [each for each in self.counts if each.standing == "unmet"]

    @property
    def needless(self) -> list[Count]:
        """What a comment in the ruleset's own files calls unmet although games met, or constants rule out, all on its
        line."""
        right = {
            (each.span.file, each.span.line)
            for each in self.counts
            if each.standing == "explained" and not each.ruled_out
        }
        own = [each for each in self.counts if each.reason and each.told_in.startswith(f"{self.ruleset}/")]
        return [each for each in own if (each.span.file, each.span.line) not in right]


class CoverageCounter:
    """Games of one ruleset, with everything counted. `played` plays one more, `coverage` says what was met so far.

    >>> from polis_rules import load
    >>> counting = CoverageCounter(load("yucata"))
    >>> counting.play(["random", "greedy"], seed=7) > 0
    True
    >>> any(count.what == "requirement" and count.met == "met" for count in counting.coverage().counts)
    True
    """

    def __init__(self, ruleset: Ruleset, native: Wanted | None = None) -> None:
        self.ruleset = ruleset
        self.instrument = Instrument()
        self.program = ruleset.program()
        rules = self.instrument.rules(ruleset.rules())
        self.counted = Program(compile_rules(rules))
        first_state(rules, self.counted.layout, self.counted.evaluator)  # which no game works out again
        self.picked: Counter[tuple[str, int]] = Counter()
        self.taken: Counter[tuple[int, int]] = Counter()
        """how often each option was taken at each point"""
        self.sources = [kinds_of(point.step) for point in self.program.points]
        self.endings: Counter[int] = Counter()
        self.games = self.branches = self.decisions = 0
        self.native: Seats | None = None
        """what plays games between random bots in place of Python"""
        self.native_reason = ""
        """why nothing does although it should"""
        if native is not None:
            found, self.native_reason = opened(self.counted.compiled, native, ruleset.key("counted"))
            self.native = Seats(found, len(self.instrument.sites)) if found is not None else None

    def play(self, seats: Sequence[str], seed: int) -> int:
        """Play a game, a bot's name for each player, and return its number of decisions. Raises RuleError.

        Where not all choose at random, some decisions go to what was not met or seldom taken so far (`CURIOUS`).
        """
        game = self.native.play(seed) if self.native is not None and {*seats} == {"random"} else None
        if game is not None:
            for (point, option), times in Counter(zip(game.points, game.taken, strict=True)).items():
                self.pick(point, option, times)
            self.games += 1
            return self.end(game.decisions, game.state)
        choose = bots.chooser(self.program, seats, seed)
        if {*seats} != {"random"}:
            choose = self.curious(choose, seed)
        self.games += 1
        return self.run(self.program.new_state(seed), self.counted.new_state(seed), choose)

    def run(
        self,
        state: State,
        twin: State,
        choose: Choose,
        chance: Callable[[State, State], int] | None = None,
        watch: Callable[[State, State, int], None] = lambda state, twin, decisions: None,
    ) -> int:
        """Play on to the end of a game, and return the number of decisions until then.

        `twin` is the same position as the counting program has it. Both are shown to `watch` before each decision, with
        the number of those before it, and to `chance` where nobody decides. Raises RuleError.
        """
        program, counted, decisions = self.program, self.counted, 0
        comes_out = (lambda state: chance(state, twin)) if chance is not None else None
        for options, option in program.steps(state, choose, chance=comes_out):
            counted.options(twin)
            if options:
                watch(state, twin, decisions)
                counted.decider(twin)
                decisions += 1
            self.pick(state[PC], option, 1)
            counted.apply(twin, option)
        return self.end(decisions, twin)

    def curious(self, choose: Choose, seed: int) -> Choose:
        """What is chosen where this game's share of decisions goes to what was not met or seldom taken."""
        share, rng = CURIOUS[self.games % len(CURIOUS)], Random(seed)

        def chosen(state: State, options: list[int]) -> int:
            if len(options) == 1 or not share:
                return choose(state, options)
            goes_ahead = rng.random() < share
            met, ahead = outcomes(self.counted.tally.rows), AHEAD if goes_ahead else 0
            steps = {option: self.steps_to_new(state, option, met, rng, ahead) for option in options}
            if (soonest := min(steps.values())) <= ahead:
                return rng.choice([option for option in options if steps[option] == soonest])
            if not goes_ahead:
                return choose(state, options)
            least = min(self.taken[state[PC], option] for option in options)
            return rng.choice([option for option in options if self.taken[state[PC], option] == least])

        return chosen

    def steps_to_new(self, state: State, option: int, met: frozenset[tuple[int, bool]], rng: Random, ahead: int) -> int:
        """After how many steps, the option and others at random, something is met that is not among what was met.

        More than `ahead` where nothing is. None of it is counted.
        """
        counted, trial = self.counted, state.copy()
        with counted.tally.meanwhile() as rows, suppress(RuleError):
            counted.apply(trial, option)
            further = counted.steps(trial, lambda _, options: rng.choice(options))
            for steps in range(ahead + 1):
                if outcomes(rows) - met:
                    return steps
                if next(further, None) is None:
                    break
        return ahead + 1

    def pick(self, point: int, option: int, times: int) -> None:
        """An option was taken so often at a point."""
        self.taken[point, option] += times
        step = self.program.points[point].step
        numbers = step.split(option).values() if isinstance(step, ir.Choose) else (option,)
        for each in zip(self.sources[point], numbers, strict=False):
            self.picked[each] += times

    def end(self, decisions: int, state: State) -> int:
        """A game has come to its end, in a state of the counted program; its decisions.

        Who has won is worked out there too, as terms of which only the score makes use are met by that.
        """
        self.decisions += decisions
        self.endings[state[ENDING]] += 1
        self.counted.winners(state)
        return decisions

    def coverage(self) -> Coverage:
        """What the games so far met, but for libraries that lie elsewhere: their own examples meet them."""
        composed, document = documented(*self.ruleset.origin)
        met = _together(self.counted, self.native)
        counts = []
        for number, site in enumerate(self.instrument.sites):
            times, no, low, high = met.get(number, (0, 0, 0, 0))
            counts.append(replace(site, times=times, no=no, low=low, high=high))
        for kind, rows in document.tables.items():
            if any(kind in sources for sources in self.sources):
                for number, member in enumerate(rows):
                    times = self.picked[str(kind), number]
                    counts.append(Count("row", f"tables.{kind}", str(member), member.span, times=times))
        places = {str(name): name.span for name in document.endings}
        for number, name in enumerate(self.program.rules.endings):
            counts.append(Count("ending", f"endings.{name}", name, places[name], times=self.endings[number]))
        reasons = comments(composed.sources)
        elsewhere = {use.file for use in composed.uses if not use.own}
        explained = [with_reason(each, reasons) for each in counts if each.span.file not in elsewhere]
        return Coverage(self.ruleset.name, self.games, self.decisions, explained, composed.sources, self.branches)


def outcomes(rows: Mapping[int, Sequence[int]]) -> frozenset[tuple[int, bool]]:
    """The sites that were met, each with whether that was with 0 or with another value."""
    zeros = {(site, False) for site, (_, none, *_) in rows.items() if none}
    return frozenset(zeros | {(site, True) for site, (times, none, *_) in rows.items() if none < times})


def kinds_of(step: ir.Step) -> list[str]:
    """The kinds whose members a step chooses or draws, one for each name."""
    sources: Iterable[Expr | None] = (step.source,) if isinstance(step, ir.Draw) else ()
    if isinstance(step, ir.Choose):
        sources = (source for _, source in step.chosen)
    return [source.type.kind for source in sources if source is not None]


def _together(program: Program, native: Seats | None) -> dict[int, Sequence[int]]:
    """What was counted in Python and in native code, by the number of the thing that was met."""
    rows: dict[int, Sequence[int]] = {**program.tally.rows}
    for number, (times, no, low, high) in native.counted() if native is not None else ():
        more, none, least, most = rows.get(number, (0, 0, low, high))
        rows[number] = (times + more, no + none, min(low, least), max(high, most))
    return rows


def together(several: Sequence[Coverage]) -> Coverage:
    """What several coverages of one ruleset, of its scenarios for example, come to."""
    counts: dict[tuple[str, Span, str], Count] = {}
    sources: dict[str, str] = {}
    for each in several:
        sources |= each.sources
        for count in each.counts:
            key = (count.what, count.span, count.label)
            counts[key] = _added(counts[key], count) if key in counts else count
    ordered = sorted(counts.values(), key=lambda each: (each.span.file, each.span.line, each.span.column))
    games, decisions, branches = (
        sum(getattr(each, name) for each in several) for name in ("games", "decisions", "branches")
    )
    return Coverage(several[0].ruleset, games, decisions, ordered, sources, branches)


def _added(one: Count, other: Count) -> Count:
    if not one.times or not other.times:
        met = one if one.times else other
    else:
        low, high = min(one.low, other.low), max(one.high, other.high)
        met = replace(one, times=one.times + other.times, no=one.no + other.no, low=low, high=high)
    return replace(met, yes_no=one.yes_no or other.yes_no, ruled_out=one.ruled_out and other.ruled_out)


def comments(sources: Mapping[str, str]) -> dict[tuple[str, int], str]:
    """The reasons that comments give, by file and line of the rule that they speak of.

    >>> comments({"a.yaml": "x: 1  # polis: unmet nobody can\\n# polis: unmet\\ny: 2"})
    {('a.yaml', 1): 'nobody can', ('a.yaml', 3): 'no reason is given'}
    """
    marks = marked(sources, COMMENT)
    return {(span.file, line): comment[1].strip() or "no reason is given" for comment, span, line in marks}


def with_reason(count: Count, reasons: Mapping[tuple[str, int], str]) -> Count:
    """A count with the reason that stands beside its rule, or else with one that names it as `rule.label`."""
    reason = reasons.get((count.span.file, count.span.line))
    if reason is not None:
        return replace(count, reason=reason, told_in=count.span.file)
    name = f"{count.rule}.{count.label} "
    for (file, _), named in reasons.items():
        if named.startswith(name):
            return replace(count, reason=named.removeprefix(name), told_in=file)
    return count
