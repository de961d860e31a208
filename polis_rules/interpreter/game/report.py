"""The game report: one line for each thing that happened, and who may read it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from itertools import pairwise
from operator import itemgetter
from typing import NamedTuple

from polis_rules.interpreter.evaluator import State, only_counting, untold_to
from polis_rules.interpreter.game.options import Options
from polis_rules.interpreter.machine import Announce, Event
from polis_rules.semantics import BEGUN, COVER, ir
from polis_rules.semantics.expressions import Load

Bookmark = tuple[int, list[str], int]
"""How many lines there were, which phases had begun, and how often players had finished to act together."""


class Hidden(NamedTuple):
    """The players, as bits, who may not know something: ever, and as long as players act together.

    `finished` is how often players had finished to do so before.
    """

    ever: int = 0
    meanwhile: int = 0
    finished: int = 0

    def to(self, viewer: int, finished: int) -> bool:
        """Whether it is hidden to one player now."""
        bits = self.ever | self.meanwhile if finished == self.finished else self.ever
        return bool(bits >> viewer & 1)


NOBODY = Hidden()


class Fact(NamedTuple):
    """What a line tells, in parts, for sentences about it."""

    sort: str
    """`decision`, `roll`, `pays`, `gains`, `loses`, `becomes` for what is another member now, `is` for what has
    another value, `flag` for what is so now or no longer, `changes` for what is more or less, `moves` for a number that
    goes elsewhere, or `goes` for members of a list that do; `supply` for what sentences leave out; `phase` for a
    title; `told` for what steps and rolls tell in their own words"""
    who: str = ""
    """the title of the player, or of what has changed"""
    what: str = ""
    """the title of the option, the dice, the resource, or the new value"""
    about: str = ""
    """the question, what the outcome is called, the state that has changed, or whose pieces are more or less"""
    number: int = 0
    """how many, less than 0 of what is less; of what becomes another member its number, -1 for none"""
    names: tuple[tuple[str, str], ...] = ()
    """the local names that were given something, and what in words; of state the kinds that it belongs to"""
    procedure: str = ""
    """the rule that has asked"""
    action: str = ""
    """the id of the action that was chosen"""
    is_other: bool = False
    """whether something else was answered than what the question offers"""
    says: str | None = None
    """how the ruleset tells it, of a decision with names in braces: empty where it tells nothing"""
    of: tuple[tuple[str, str], ...] = ()
    """of what goes elsewhere the kinds that it belonged to and belongs to now, and which of them; of what is told in
    words of its own what has moved, or the name of a roll and what it gave"""


class Line(NamedTuple):
    """A line, who may not read it, and what some players read instead of it."""

    text: str
    hidden: Hidden = NOBODY
    instead: Mapping[int, Line] = {}
    is_open: bool = False
    """whether it tells of state that everybody sees"""
    fact: Fact | None = None
    rule: str = ""
    """the rule whose step it tells; empty of chance and decisions"""

    def to(self, viewer: int) -> Line:
        """The line as one player reads it."""
        return self.instead.get(viewer, self)


TEXT: Callable[[Line], str] = itemgetter(0)
"""The text of a line: games of thousands of lines are asked for all of them after each decision."""


class Report:
    """Gathers the lines of one game."""

    def __init__(self) -> None:
        self._lines: list[Line] = []
        self._phases: list[str] = []
        """the phases that have begun; empty once their titles have been told"""
        self._finished: list[int] = []
        """how many lines there were each time that players had finished to act together"""

    def mark(self) -> Bookmark:
        """Where the report stands, to come back to."""
        return len(self._lines), self._phases, self.finished

    @property
    def finished(self) -> int:
        """How often players have finished to act together."""
        return len(self._finished)

    @property
    def count(self) -> int:
        """How many lines there are."""
        return len(self._lines)

    def cut(self, mark: Bookmark) -> None:
        """Forget what came after a mark."""
        del self._lines[mark[0] :]
        self._phases = mark[1]
        del self._finished[mark[2] :]

    def lines(self, viewer: int | None) -> list[str]:
        """The lines that one player (or, for None, everybody together) may read."""
        return [*map(TEXT, self.told(viewer))]

    def told(self, viewer: int | None) -> list[Line]:
        """The same with what they tell.

        What others do while players act together follows when all have finished: what was told once stands.
        """
        if viewer is None:
            return self._lines
        told: list[Line] = []
        kept: list[Line] = []
        for begin, end in pairwise((0, *self._finished, None)):
            for line in self._lines[begin:end]:
                if not line.hidden.ever >> viewer & 1:
                    (kept if line.hidden.meanwhile >> viewer & 1 else told).append(line.to(viewer))
            if end is not None:
                told, kept = told + kept, []
        return told

    def open_lines(self) -> list[str]:
        """The lines that tell of state which everybody sees."""
        return [line.text for line in self._lines if line.is_open]

    def begun(self) -> list[str]:
        """The titles, as lines, of the phases that have begun and in which nothing has happened yet."""
        return [f"-- {title} --" for title in self._phases if title]

    def say(self, line: Line) -> None:
        """Add a line, after the titles of the phases that have begun; nothing where its text is empty."""
        if line.text:
            self._lines.extend(Line(title, fact=Fact("phase")) for title in self.begun())
            self._phases = [""] * len(self._phases)
            self._lines.append(line)

    def hide(self, number: int, hidden: Hidden) -> None:
        """Keep a line from some players."""
        self._lines[number] = self._lines[number]._replace(hidden=hidden)

    def take(
        self, options: Options, state: State, events: list[Event], to_all: Callable[[ir.Tell], bool] = lambda tell: True
    ) -> None:
        """Note what the program says has happened; `to_all` says of how steps are told whether everybody may know
        it."""
        begun: list[tuple[int, ir.Tell, list[int]]] = []
        for step, values, then in _at_their_time(options, state, events):
            if isinstance(step, ir.Tell):
                if step.says is not None:
                    begun.append((len(self._lines), step, values))
                else:
                    place, tell, shown = begun.pop()
                    place -= tell.of_roll  # whose line is the last
                    untold = () if to_all(tell) else range(options.symbols.count("player"))
                    rule = options.rules_of_steps.get(tell.span, "")
                    self._tell(place, _told(options, tell, shown), untold, rule)
                continue
            if isinstance(step, Announce):
                # The title of a phase is told with the first thing that happens in it, if anything does.
                self._phases = [*self._phases, step.title] if step.title else self._phases[:-1]
                continue
            if isinstance(step, ir.Cover):
                self._finished += [] if values[-1] else [len(self._lines)]
                continue
            text = options.wording.happened(step, tuple(values))
            if text is not None:
                told = options.wording.targets(step, tuple(values))
                counting = only_counting(options.evaluator, step, told, then)
                number = options.wording.happened(step, tuple(values), counted=True) or ""
                rule = options.rules_of_steps.get(step.span, "")
                counted = Line(number, fact=_fact(options, step, tuple(values), counted=True), rule=rule)
                instead = {viewer: counted for viewer in range(counting.bit_length()) if counting >> viewer & 1}
                unseen = untold_to(options.evaluator, step, told, options.uncovered(then))
                meanwhile = untold_to(options.evaluator, step, told, then) if options.apart(then) else 0
                known = [options.program.rules.symbols.variable(load.owner, load.name) for load, _ in told]
                is_open = not meanwhile and any(variable.seen_expr is None for variable in known)
                fact = _fact(options, step, tuple(values))
                self.say(Line(text, Hidden(unseen, meanwhile, self.finished), instead, is_open, fact, rule))

    def _tell(self, place: int, told: Fact, untold: Iterable[int], rule: str) -> None:
        """Have what happened since a place told in its own words, with the first line of it that everybody may read.

        Players to whom these are `untold` read it as if there were none.
        """
        since = [number for number in range(place, len(self._lines)) if self._lines[number].fact != Fact("phase")]
        first = next((number for number in since if self._lines[number].hidden == NOBODY), min(since, default=-1))
        for number in since:
            line, fact = self._lines[number], told if number == first else Fact("supply")
            instead = {who: _in_words(each, fact, rule) for who, each in line.instead.items()}
            instead |= {who: line.to(who) for who in untold}
            self._lines[number] = _in_words(line, fact, rule)._replace(instead=instead)


def _told(options: Options, tell: ir.Tell, values: list[int]) -> Fact:
    """How it is told what steps did, with what stands in braces."""
    wording, says = options.wording, tell.says or ""
    pairs = zip(tell.shown, values, strict=True)
    names = tuple((part, wording.value(tree.type, value, within=True)) for (part, tree), value in pairs)
    return Fact("told" if says else "supply", about=says, names=names)


def _in_words(line: Line, told: Fact, rule: str) -> Line:
    """A line that is told in other words, which may name what it moves as far as the line does; of a roll its dice and
    the name of what it gave stay known."""
    if line.fact is not None and line.fact.sort == "goes":
        told = told._replace(number=line.fact.number, of=line.fact.names)
    elif line.fact is not None and line.fact.sort == "roll":
        told = told._replace(sort="told", what=line.fact.what, of=line.fact.names)
    return line._replace(fact=told, rule=rule)


def _fact(options: Options, step: ir.Step, values: tuple[int, ...], counted: bool = False) -> Fact | None:
    """What a step that happened tells, in parts; None where its line is all there is to say.

    Of what goes from list to list only the number is told where it is `counted`.
    """
    wording, board = options.wording, options.program.rules.board
    supply = board.supply if board is not None else frozenset()
    if isinstance(step, ir.Move) and supply:
        (source, args), (target, ends) = wording.targets(step, values)
        if (source.owner, source.name) in supply:
            return _more(options, target, ends, values[0])
        if (target.owner, target.name) in supply:
            return _more(options, source, args, -values[0])
    if isinstance(step, (ir.Set, ir.Amount)) and (step.target.owner, step.target.name) in supply:
        return Fact("supply")
    if isinstance(step, ir.Amount):
        verb = {"pay": "pays", "gain": "gains", "lose": "loses"}[step.verb]
        resource = wording.resource(step.target, values[:-1])
        return Fact(verb, wording.title("player", values[0]), resource, number=values[-1])
    if isinstance(step, ir.Set):
        variable = options.symbols.variable(step.target.owner, step.target.name)
        says = wording.becomes(variable, values)
        names = tuple((kind, wording.title(kind, each)) for kind, each in zip(variable.kinds, values, strict=False))
        if says == "":
            return Fact("supply", what=variable.label, names=names)
        if variable.type.base == "ref":
            titles = [wording.title(kind, each) for kind, each in zip(variable.kinds, values[:-2], strict=True)]
            about = ", ".join([variable.label, *titles[1:]])
            new = wording.value(variable.type, values[-1])
            return Fact("becomes", titles[0] if titles else "", new, about, values[-1], names, says=says)
        owner = wording.title(variable.owner, values[0]) if variable.owner else ""
        if variable.type.base == "bool" and owner and len(variable.kinds) == 1:
            what = variable.label if values[-1] else f"no longer {variable.label}"
            return Fact("flag", owner, what, names=names, says=says)
        about = wording.place(step.target.owner, step.target.name, values[:-2])
        return Fact("is", owner, wording.value(variable.type, values[-1]), about, names=names, says=says)
    if isinstance(step, ir.MoveMembers):
        titles, count = wording.moved(step, values[0], counted)
        of = {args[0] for load, args in wording.targets(step, values) if load.owner == "player" and wording.shown(load)}
        player = of.pop() if len(of) == 1 else -1
        who = wording.title("player", player) if player >= 0 else ""
        names = tuple(("", each) for each in titles)
        ways, owners = wording.ways(step, values, player), _owners(options, step, values)
        return Fact("goes", who, about=ways, number=count, names=names, of=owners)
    if isinstance(step, ir.Move):
        (source, args), (target, ends) = wording.targets(step, values)
        if not (source.owner and wording.shown(source) and wording.shown(target)):
            return None
        place = wording.place(source.owner, source.name, args)
        return Fact(
            "moves",
            wording.title(source.owner, args[0]),
            wording.place(target.owner, target.name, ends),
            place,
            values[0],
            of=_owners(options, step, values),
        )
    return None


def _owners(options: Options, step: ir.Step, values: tuple[int, ...]) -> tuple[tuple[str, str], ...]:
    """The kinds that belong to where something comes from and goes, and which of them."""
    found = []
    for load, args in options.wording.targets(step, values):
        kinds = options.symbols.variable(load.owner, load.name).kinds
        found += [(kind, options.wording.title(kind, each)) for kind, each in zip(kinds, args, strict=True)]
    return tuple(found)


def _more(options: Options, load: Load, args: tuple[int, ...], number: int) -> Fact:
    """What comes out of a supply or goes back there."""
    variable, wording = options.symbols.variable(load.owner, load.name), options.wording
    if not variable.owner or not wording.shown(load):
        return Fact("supply")
    who, *titles = (wording.title(kind, each) for kind, each in zip(variable.kinds, args, strict=True))
    if variable.kinds[1:] == ("player",):
        return Fact("changes", who, variable.label, titles[0], number)
    return Fact("changes", who, ", ".join([variable.label, *titles]), number=number)


def _at_their_time(options: Options, state: State, events: list[Event]) -> list[tuple[ir.Step, list[int], State]]:
    """The steps that happened, each with the state after all of them, but with players together as they were then, and
    with memory seen by those who saw it then."""
    known: list[tuple[ir.Step, list[int], State]] = []
    for site, *values in reversed(events):
        step = options.program.compiled.sites[site]
        known.append((step, values, state))
        if isinstance(step, ir.Set) and step.target.name.endswith((f".{COVER}", f".{BEGUN}")):
            slot, before = options.program.layout.bases["", step.target.name], values[-2]
            state = [*state[:slot], before, *state[slot + 1 :]]
    return known[::-1]
