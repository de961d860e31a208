"""What is told of a game: its log and its report, made of the moves when somebody asks for them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from operator import itemgetter
from typing import NamedTuple

from polis_rules.interpreter.game.decision import Decision, LogEntry
from polis_rules.interpreter.game.options import Options, kinds_of, known_names
from polis_rules.interpreter.game.report import Bookmark, Fact, Hidden, Line, Report
from polis_rules.interpreter.game.secrecy import Secrecy
from polis_rules.interpreter.game.sentences import Earlier, Sentences
from polis_rules.interpreter.game.twin import twin
from polis_rules.interpreter.machine import FINISH, LEAVE, PC, WAY, AnyPoint, DecisionPoint, Event
from polis_rules.interpreter.runtime import Program, State
from polis_rules.semantics import ir
from polis_rules.source import spoken


class Entry(NamedTuple):
    """An entry of the log, who may not know its end, and the point where that was decided or came out."""

    entry: LogEntry
    hidden: Hidden
    point: int


WRITTEN: Callable[[Entry], LogEntry] = itemgetter(0)
"""An entry as the log has it: games of thousands of decisions are asked for all of them after each one."""


class Story:
    """What was told of one game so far, which may be less than what has happened."""

    def __init__(self, state: State, events: list[Event]) -> None:
        self.log: list[Entry] = []
        self.report = Report()
        self.state = state[:]
        """after all moves that were told"""
        self.marks: list[tuple[int, Bookmark]] = []
        """where log and report stood before each of these"""
        self.begun: list[Event] | None = events
        """what happened before the first move, until that is told"""
        self._in_sentences: dict[int | None, Earlier] = {}

    def back(self, moves: int, state: State) -> None:
        """Forget what came after so many moves, with the state there."""
        if moves < len(self.marks):
            entries, mark = self.marks[moves]
            del self.log[entries:], self.marks[moves:]
            self.report.cut(mark)
            self.state = state[:]

    def in_sentences(self, viewer: int | None) -> Earlier:
        """What was told last in sentences to a player, or to somebody who sees everything."""
        return self._in_sentences.setdefault(viewer, Earlier())

    def stand_at(self, state: State) -> None:
        """Go on from another state; what was told stands, and is not taken back."""
        self.state, self.marks = state[:], []

    def copy(self) -> Story:
        """The same story, to be told in another way from here on."""
        other = twin(self)
        other.report, other._in_sentences = twin(self.report), {}
        return other


class Teller:
    """Tells the games of a program; what it finds out about the rules serves all of them."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.options = Options(program)
        self.secrecy = Secrecy(program, self.options.evaluator)
        self.sentences = Sentences(program.rules)
        self.players = range(program.compiled.players)

    def tell(self, story: Story, moves: Sequence[int]) -> None:
        """Go on with a story up to the last of a game's moves; where that is interrupted, up to the one before."""
        if story.begun is not None:
            begin = story.report.mark()
            try:
                story.report.take(self.options, story.state, story.begun, self.secrecy.is_open)
            except BaseException:
                story.report.cut(begin)
                raise
            story.begun = None
        for value in moves[len(story.marks) :]:
            before = story.state[:]
            story.marks.append((len(story.log), story.report.mark()))
            try:
                self._tell(story, value)
            except BaseException:
                story.back(len(story.marks) - 1, before)
                raise

    def _tell(self, story: Story, value: int) -> None:
        """Tell one move and what follows from it."""
        point = self.program.points[story.state[PC]]
        if value == LEAVE:
            self._move_on(story, value)
        elif isinstance(point, DecisionPoint):
            self._decided(story, value, point.step.secret)
            self._move_on(story, value)
        else:
            self._came_out(story, value, point.step)

    def _move_on(self, story: Story, value: int) -> None:
        events = self.program.apply(story.state, value)
        story.report.take(self.options, story.state, events, self.secrecy.is_open)

    def unknown(self, story: Story, state: State, viewer: int | None = None, seen: State | None = None) -> set[str]:
        """The local names in what waits at a state, which the story leads to, that are made of what the log or the
        state, that one or as `seen`, hides from a player, or from the one who decides."""
        named = self.secrecy.named(state[PC])
        if not named:
            return set()
        viewer = self.program.decider(state) if viewer is None else viewer
        points = {point for made in named.values() for point in made.points}
        last = {point: hidden for _, hidden, point in story.log if point in points}
        now = story.report.finished
        secret = {point for point, hidden in last.items() if hidden.to(viewer, now)}
        return {
            name
            for name, made in named.items()
            if not secret.isdisjoint(made.points)
            or any(self.options.is_hidden(source, state if seen is None else seen, viewer) for source in made.sources)
        }

    def _decided(self, story: Story, value: int, secret: bool) -> None:
        """Tell what is decided; a `secret` is never told to others."""
        state = story.state
        who = self.program.decider(state)
        decision = self.options.decision(state, [value], unknown=self.unknown(story, state))
        others = sum(1 << viewer for viewer in self.players if viewer != who) if decision.secret else 0
        ever = others if secret else 0
        hidden = Hidden(ever, others, story.report.finished)
        point = state[PC]
        text = self._option(story, decision, who)
        instead: dict[int, Line] = {}
        if not ever and (point in self.program.secretive or self.secrecy.named(point)):
            later = self.options.uncovered(state)
            for viewer in self.players:
                unknown = self.unknown(story, state, viewer, later)
                told = self._option(story, self.options.decision(later, [value], viewer, unknown), viewer)
                if viewer != who and told != text:
                    instead[viewer] = Line(told)
        story.log.append(Entry(("decision", decision.player, decision.options[0].id), hidden, point))
        story.report.say(Line(text, hidden, instead, fact=self._choice(decision, value, self.program.points[point])))

    def _choice(self, decision: Decision, value: int, point: AnyPoint) -> Fact:
        """What was decided, in parts."""
        option, step = decision.options[0], point.step
        assert isinstance(step, ir.Choose)
        names: tuple[tuple[str, str], ...] = ((step.var, option.title),)
        action = ""
        if value < FINISH and step.source is not None:
            kinds = kinds_of(step, self.program.rules.symbols)
            members = zip(kinds, step.split(value).items(), strict=True)
            names = tuple((name, kind.titles[member]) for kind, (name, member) in members)
            action = option.id if kinds[0].name == "action" and not step.parts else ""
        title = "" if value == FINISH else option.title
        among = step.source is not None and step.source.type.kind == "action"
        asked = "" if among and title else decision.prompt.rstrip(": ")
        says = step.ways[value - WAY].says if value >= WAY else step.says if value < FINISH else None
        rule = point.procedure
        return Fact("decision", decision.player_title, title, asked, 0, names, rule, action, value >= FINISH, says)

    def _option(self, story: Story, decision: Decision, viewer: int) -> str:
        """The line about a decision that takes its only option."""
        option = decision.options[0]
        way = self.options.way(story.state, option, viewer, self.unknown(story, story.state, viewer))
        cost = f" ({option.cost})" if option.cost else ""
        prompt = decision.prompt.rstrip("?:. ")
        return f"{decision.player_title}: {prompt} - {option.title}{cost}{f' by {way}' if way else ''}"

    def _came_out(self, story: Story, value: int, step: ir.Roll | ir.Draw) -> None:
        """Tell how dice or a draw come out, and what that leads to."""
        state, report, number = story.state, story.report, story.state[PC]
        outcome = self.options.outcome(step, value)
        concerns = self.secrecy.concerns(number)
        names = {**known_names(self.program, state), step.var: value} if concerns else {}
        bits = self.options.unseen(state, step, value)
        story.log.append(Entry(("chance", step.stream, outcome), Hidden(bits), number))
        if isinstance(step, ir.Roll):  # a draw tells nothing by itself, what is done with it does
            dice = self.options.dice(state, step)
            rule = self.program.points[number].procedure
            fact = Fact("roll", "", dice, spoken(step.var), value, ((step.var, outcome),), rule)
            line = self._rolled(state, step, outcome)
            report.say(Line(line, Hidden(bits), self._dice_hidden(story, step, outcome), fact=fact, rule=rule))
        place = report.count - 1
        self._move_on(story, value)
        if concerns:
            unseen = Hidden(bits | self.secrecy.unseen_by(number, names, state))
            story.log[-1] = story.log[-1]._replace(hidden=unseen)
            if isinstance(step, ir.Roll):
                report.hide(place, unseen)

    def _rolled(
        self, state: State, step: ir.Roll, outcome: str, viewer: int | None = None, unknown: Collection[str] = ()
    ) -> str:
        """The line about a roll, as somebody who sees everything or as one player may read it."""
        on = "on" if step.test is None else "of"
        return f"  {spoken(step.var)}: {outcome} {on} {self.options.dice(state, step, viewer, unknown)}"

    def _dice_hidden(self, story: Story, step: ir.Roll, outcome: str) -> dict[int, Line]:
        """The lines about a roll for the players who may not know all of its dice."""
        state = story.state
        if step.plain or not (state[PC] in self.program.secretive or self.secrecy.named(state[PC])):
            return {}
        lines = {
            viewer: self._rolled(state, step, outcome, viewer, self.unknown(story, state, viewer))
            for viewer in self.players
        }
        return {viewer: Line(line) for viewer, line in lines.items() if line != self._rolled(state, step, outcome)}
