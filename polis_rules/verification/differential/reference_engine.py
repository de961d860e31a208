"""The reference engine, deliberately simple: it walks the typed rules step by step and compiles nothing.

It shares the typed rules, the layout of declared state and the random streams with the compiled engine, and nothing
else: no blocks, no generated code, no route tables. Tests play both side by side.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import cast

from polis_rules.diagnostics import RuleError, Span
from polis_rules.interpreter.evaluator import Names, NothingThereError, State, first_state
from polis_rules.interpreter.machine import (
    FINISH,
    LEAVE,
    SEED,
    SEVERAL,
    WAY,
    Layout,
    below,
    draw64,
    lay_out,
    pick,
    salt,
)
from polis_rules.interpreter.runtime import fingerprint
from polis_rules.semantics import TypedRules, ir, stored
from polis_rules.semantics.expressions import Expr, Load
from polis_rules.verification.differential.memoized_evaluator import MOST_PARTS, MemoizedEvaluator, TooMuchError

Walk = Generator["Question", int, None]
"""Yields what is to be decided and is given the answer."""


@dataclass(frozen=True, slots=True)
class Question:
    """The game waits: `options` as in the compiled engine; for chance `answer` is what the streams give."""

    step: ir.Choose | ir.Roll | ir.Draw
    options: tuple[int, ...]
    player: int
    answer: int = LEAVE


FAILURES = (NothingThereError, ArithmeticError, LookupError, ValueError, TypeError, RecursionError)
"""What rules that cannot be worked out end in here."""


class GivenUpError(RuleError):
    """The rules do more between two points than this engine walks through."""


class StopLoop(Exception):  # noqa: N818  (control flow, as in the rules)
    """The innermost loop is left."""


class GameOver(Exception):  # noqa: N818
    """An ending was reached."""

    def __init__(self, ending: str, winner: int | None) -> None:
        super().__init__(ending)
        self.ending = ending
        self.winner = winner


class ReferenceEngine:
    """One game. `question` is what waits, None at the end; `answer` goes on. Without a seed `restart` begins it.

    Where a rule cannot be worked out, `restart`, `answer` and `score` raise one of `FAILURES`; and all three
    raise GivenUpError where that would take too long.

    >>> from polis_rules import load
    >>> game = ReferenceEngine(load("yucata").rules(), seed=1)
    >>> game.question is not None
    True
    """

    def __init__(self, rules: TypedRules, seed: int | None = 0) -> None:
        self.rules = rules
        self.layout: Layout = lay_out(rules.symbols)
        self.first = first_state(rules, self.layout)
        self.state: State = list(self.first)
        self.evaluator = MemoizedEvaluator(rules, self.layout)
        self.question: Question | None = None
        self.at: Span | None = None
        """where the step is written that is done"""
        if seed is not None:
            self.restart(seed)

    def restart(self, seed: int) -> None:
        """Begin again, with another seed."""
        for slot, value in enumerate(self.first):
            self.put(slot, value)
        self.seed = self.state[SEED] = seed
        self.counters: dict[str, int] = {}
        self.ending: str | None = None
        self.winner: int | None = None
        self.question = None
        self.walk = self.steps(self.rules.procedures["phases.game"].body, {})
        self.answer(None)

    def score(self, player: int) -> int:
        """The total of a player's score terms now."""
        with self.bounded():
            return sum(self.value(term, {"who": player}) for term in self.rules.score.values())

    @contextmanager
    def bounded(self) -> Iterator[None]:
        """What is worked out within it comes to an end. Raises GivenUpError."""
        self.evaluator.left = MOST_PARTS
        try:
            yield
        except TooMuchError:
            message = "the reference engine gives up: the rules do too much here without anybody deciding"
            raise GivenUpError(message, self.at, fingerprint(self.state)) from None

    def answer(self, option: int | None) -> None:
        """Choose an option of the present question, or LEAVE where it has none; None where the game begins."""
        try:
            with self.bounded():
                self.question = next(self.walk) if option is None else self.walk.send(option)
        except StopIteration:
            self.question = None
        except GameOver as over:
            self.question = None
            self.ending, self.winner = over.ending, over.winner

    # -- walking ----------------------------------------------------------------------------------------------------

    def steps(self, steps: Iterable[ir.Step], names: Names) -> Walk:
        for step in steps:
            yield from self.step(step, names)

    def step(self, step: ir.Step, names: Names) -> Walk:
        self.at = step.span
        self.evaluator.spend()
        match step:
            case ir.MoveMembers() | ir.Sort():
                self.change_list(step, names)
            case ir.Set() if step.target.type.base == "list":
                self.put_list(step.target, names, self.evaluator.listed(step.value, self.state, names))
            case ir.Amount() | ir.Move() | ir.Set():
                self.change(step, names)
            case ir.Generated():
                yield from self.steps(step.body, names)
            case ir.Shuffled() | ir.Tell():
                pass
            case ir.Let():
                names[step.var] = self.value(step.value, names)
            case ir.Choose():
                yield from self.choose(step, names)
            case ir.Roll() | ir.Draw():
                yield from self.chance(step, names)
            case ir.If():
                yield from self.steps(step.then if self.value(step.test, names) else step.other, names)
            case ir.While() | ir.Times() | ir.Choices() | ir.Each():
                yield from self.loop(step, names)
            case ir.As():
                yield from self.acting(self.value(step.player, names), step.body, names)
            case ir.Stop():
                raise StopLoop
            case ir.End():
                winner = None if step.winner is None else self.value(step.winner, names)
                several = step.winner is not None and step.winner.type.base == "set"
                raise GameOver(step.ending, SEVERAL - winner if several and winner is not None else winner)
            case _:
                yield from self.call(step, names)

    def acting(self, player: int, steps: tuple[ir.Step, ...], names: Names) -> Walk:
        """Steps with somebody else as `you`."""
        before = names.get("you", -1)
        names["you"] = player
        try:
            yield from self.steps(steps, names)
        finally:
            names["you"] = before

    def call(self, step: ir.Step, names: Names) -> Walk:
        path: str | None
        args: tuple[Expr, ...] = ()
        match step:
            case ir.Do():
                path, args = step.procedure, step.args
            case ir.Perform():
                path = self.rules.actions[self.value(step.action, names)].procedure
            case ir.DoEffects():
                attribute = self.rules.symbols.kinds[step.owner].attributes[step.name]
                sizes = self.evaluator.sizes(attribute)
                path = attribute.procedures.get(self.evaluator.flat(sizes, step.index, self.state, names))
                args = step.args
            case _:
                raise TypeError(type(step).__name__)
        if path is not None:
            procedure = self.rules.procedures[path]
            given = (self.value(arg, names) for arg in args)
            inner = dict(zip(procedure.params, given, strict=True))
            yield from self.steps(procedure.body, {"you": names.get("you", -1), **inner})

    # -- loops ------------------------------------------------------------------------------------------------------

    def loop(self, step: ir.While | ir.Times | ir.Choices | ir.Each, names: Names) -> Walk:
        before = names.get("you", -1)
        try:
            match step:
                case ir.While():
                    while self.value(step.test, names):
                        yield from self.steps(step.body, names)
                case ir.Times():
                    for _ in range(self.value(step.times, names)):
                        yield from self.steps(step.body, names)
                case ir.Choices():
                    yield from self.choices(step, names)
                case ir.Each():
                    for member in self.each(step, names):
                        names[step.var] = member
                        yield from self.steps(step.body, names)
        except StopLoop:
            pass
        finally:
            names["you"] = before

    def each(self, step: ir.Each, names: Names) -> list[int]:
        """The members of a loop, found before its first round."""
        members = list(self.evaluator.members(step.domain, self.state, names))
        if step.test is not None:
            members = [m for m in members if self.value(step.test, {**names, step.var: m})]
        first = 0 if step.starting is None else self.value(step.starting, names)
        if step.domain.type.base == "list":
            at = members.index(first) if step.starting is not None and first in members else 0
            return members[at:] + members[:at]
        return [m for m in members if m >= first] + [m for m in members if m < first]

    def choices(self, step: ir.Choices, names: Names) -> Walk:
        first = cast(ir.Choose, step.body[0])
        done = 0
        while True:
            options = self.options(first, names)
            if not options:
                yield Question(first, (), names["you"])  # where nothing can be chosen nobody is asked
                return
            if step.finish and done >= step.at_least:
                options.append(FINISH)
            answer = yield Question(first, tuple(options), self.who(first, names))
            if answer == FINISH:
                return
            done += 1
            yield from self.chosen(first, answer, names)
            yield from self.steps(step.body[1:], names)

    # -- decisions and chance ---------------------------------------------------------------------------------------

    def value(self, tree: Expr, names: Names) -> int:
        return self.evaluator.value(tree, self.state, names)

    def holds(self, conditions: tuple[ir.Condition, ...], names: Names) -> bool:
        return all(self.value(condition.test, names) for condition in conditions)

    def who(self, step: ir.Choose, names: Names) -> int:
        return names["you"] if step.who is None else self.value(step.who, names)

    def options(self, step: ir.Choose, names: Names) -> list[int]:
        allowed = self.evaluator.allowed(step, self.state, names)
        members = [each for each in allowed if not step.leaving or self.leaves(step, each, names)]
        return members + [WAY + at for at, way in enumerate(step.ways) if self.holds(way.conditions, names)]

    def leaves(self, step: ir.Choose, number: int, names: Names) -> bool:
        """Whether what must hold after a choice would hold."""
        kept, self.state = self.state, self.state[:]
        try:
            inner = {**names, **step.split(number)}
            for _ in self.steps(step.do, inner):
                raise TypeError("a choice's own steps never wait")
            return self.holds(step.leaving, inner)
        finally:
            tried, self.state = self.state, kept
            for slot, (was, now) in enumerate(zip(kept, tried, strict=True)):
                if was != now:
                    self.evaluator.changed(slot)

    def choose(self, step: ir.Choose, names: Names) -> Walk:
        options = self.options(step, names)
        answer = yield Question(step, tuple(options), self.who(step, names) if options else names["you"])
        if answer == LEAVE:
            names |= step.split(-1)
            return
        yield from self.chosen(step, answer, names)

    def chosen(self, step: ir.Choose, answer: int, names: Names) -> Walk:
        if answer >= WAY:
            way = step.ways[answer - WAY]
            names |= step.split(-1)
            yield from self.steps(way.cost, names)
            yield from self.steps(way.do, names)
        else:
            names |= step.split(answer)
            yield from self.steps(step.do, names)

    def chance(self, step: ir.Roll | ir.Draw, names: Names) -> Walk:
        counter = self.counters.get(step.stream, 0)
        if isinstance(step, ir.Roll):
            used, sides = (
                each if isinstance(each, int) else self.value(each, names) for each in (step.dice, step.sides)
            )
            bits = [draw64(self.seed, salt(step.stream), counter + die) for die in range(used)]
            eyes = [1 + below(each, sides) for each in bits]
            hits = {die for die in range(1, sides + 1) if step.test and self.value(step.test, {**names, "die": die})}
            if step.test is None:
                options, answer = list(range(used, used * sides + 1)), sum(eyes)
            else:
                least, most = used if len(hits) == sides else 0, used if hits else 0
                options, answer = list(range(least, most + 1)), sum(die in hits for die in eyes)
        else:
            weights = {}
            for member in self.evaluator.members(step.source, self.state, names):
                inner = {**names, step.var: member}
                if self.holds(step.conditions, inner):
                    weights[member] = 1 if step.weight is None else self.value(step.weight, inner)
            options = [member for member, weight in weights.items() if weight > 0]
            bits64 = draw64(self.seed, salt(step.stream), counter)
            answer = options[pick(bits64, [weights[member] for member in options])] if options else LEAVE
            used = 1
        outcome = yield Question(step, tuple(options), -1, answer)
        names[step.var] = -1 if outcome == LEAVE else outcome
        if outcome != LEAVE:
            self.counters[step.stream] = counter + used

    # -- changes ----------------------------------------------------------------------------------------------------

    def change(self, step: ir.Amount | ir.Move | ir.Set, names: Names) -> None:
        state = self.state
        number = self.value(step.value if isinstance(step, ir.Set) else step.amount, names)
        slot = self.evaluator.slot(step.target, state, names)
        variable = self.rules.symbols.variable(step.target.owner, step.target.name)
        match step:
            case ir.Set():
                self.put(slot, number)
            case ir.Move():
                source = self.evaluator.slot(step.source, state, names)
                self.put(source, state[source] - number)
                self.put(slot, state[slot] + number)
            case ir.Banked():
                self.change_by_bank(step, number, names)
            case ir.Amount(verb="gain"):
                self.put(slot, min(variable.high, state[slot] + number))
            case ir.Amount(verb="lose"):
                self.put(slot, max(variable.low, state[slot] - number))
            case _:
                self.put(slot, state[slot] - number)

    def change_by_bank(self, step: ir.Banked, number: int, names: Names) -> None:
        """What is paid or lost goes to the bank, what is gained comes from there."""
        mine, its = (self.evaluator.slot(load, self.state, names) for load in (step.target, step.bank))
        variable, bank = (self.rules.symbols.variable(load.owner, load.name) for load in (step.target, step.bank))
        if step.verb == "gain":
            number = -max(0, min(number, self.state[its] - bank.low, variable.high - self.state[mine]))
        elif step.verb == "lose":
            number = max(0, min(number, self.state[mine] - variable.low))
        self.put(mine, self.state[mine] - number)
        self.put(its, self.state[its] + number)

    def change_list(self, step: ir.MoveMembers | ir.Sort, names: Names) -> None:
        """Members leave and come, or take another order."""
        if isinstance(step, ir.Sort):
            members = self.evaluator.listed(step.target, self.state, names)
            self.put_list(step.target, names, sorted(members, key=lambda it: self.value(step.by, {**names, "it": it})))
            return
        source, target = (self.evaluator.slot(each, self.state, names) for each in (step.source, step.target))
        moved = self.value(step.amount, names)
        going = [moved]
        if step.source.type.base != "list":
            self.put(source, self.state[source] - 1)
        else:
            members = self.members_at(source)
            if step.amount.type.base == "int":
                if not 0 <= moved <= len(members):
                    raise NothingThereError
                going, members = members[:moved], members[moved:]
            elif moved not in members:
                raise NothingThereError
            else:
                members.remove(moved)
            self.put_members(step.source, source, members)
        if step.target.type.base != "list":
            self.put(target, self.state[target] + 1)
        else:
            there = self.members_at(target)
            self.put_members(step.target, target, there + going if step.under else going + there)

    def members_at(self, slot: int) -> list[int]:
        """The members of the list that begins at a slot, from its top."""
        return self.state[slot + 1 : slot + 1 + self.state[slot]]

    def put_list(self, target: Load, names: Names, members: list[int]) -> None:
        """Give a list other members."""
        self.put_members(target, self.evaluator.slot(target, self.state, names), members)

    def put_members(self, target: Load, slot: int, members: list[int]) -> None:
        """The same with the slot where the list begins."""
        at_most = self.rules.symbols.variable(target.owner, target.name).at_most
        if len(members) > at_most:
            raise NothingThereError
        for at, value in enumerate(stored(members, at_most)):
            self.put(slot + at, value)

    def put(self, slot: int, value: int) -> None:
        """Give a slot a value."""
        if self.state[slot] != value:
            self.state[slot] = value
            self.evaluator.changed(slot)
