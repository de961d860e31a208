"""The backend: blocks and waiting points become one generated Python module, specialised to who acts."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache, partial

from polis_rules.diagnostics import RuleError
from polis_rules.interpreter.compiler import blocks as cut
from polis_rules.interpreter.compiler.always import always
from polis_rules.interpreter.compiler.cutter import cut_blocks
from polis_rules.interpreter.compiler.python.expressions import Emitter
from polis_rules.interpreter.compiler.python.module import LOCAL, Env, Function, Module
from polis_rules.interpreter.compiler.python.numbers import Code, Piece
from polis_rules.interpreter.compiler.python.playouts import PlayoutWriter
from polis_rules.interpreter.compiler.python.points import PointWriter
from polis_rules.interpreter.compiler.python.steps import StepWriter
from polis_rules.interpreter.compiler.python.writer import Lines
from polis_rules.interpreter.machine import (
    CHUNK,
    ENDING,
    SCORE,
    SEVERAL,
    WINNER,
    YOU,
    Announce,
    AnyPoint,
    ChancePoint,
    Compiled,
    DecisionPoint,
    Key,
    salt,
)
from polis_rules.semantics import Interval, every_step, ir, worths

MOST_PLAYERS = 3
"""With more players than this, code is written once for all of them instead of once for each."""

DEEPEST = 10
"""How many blocks may be written inside one another."""

SHORT = 60
"""Blocks with fewer parts than this, with the short ones that follow, are written wherever something leads to them, in
code that is to be fast: without checks and written as a whole."""

TABLES: dict[str, tuple[str, list[str], bool]] = {
    "options": ("o", [], False), "apply": ("a", ["o"], True), "chance": ("c", [], False), "blocks": ("b", [], True),
}  # fmt: skip
"""The functions of points and blocks: what their names begin with, their parameters beside the state, and whether they
may tell what happens."""

ASKED_OF = re.compile(r"\b(t_\w+)\(s, ([\w\[\]]+)\)")
"""A call of a term's function that is given one thing."""


class Backend:
    """Writes the functions of one ruleset, into what was compiled of it before."""

    def __init__(self, compiled: Compiled) -> None:
        self.rules = rules = compiled.rules
        self.blocks = cut_blocks(rules, compiled.layout)
        self.into = compiled
        self.module = Module(compiled)
        self.emitter = Emitter(rules, compiled.layout, self.module, compiled.checks)
        self.emitter.possible = self.possible
        self.writer = StepWriter(self.emitter, rules, compiled.checks, compiled.trace)
        self.points = PointWriter(self.blocks, self.emitter, self.writer)
        self.endings = list(rules.endings)
        self.players = rules.symbols.count("player")
        once = compiled.compact or self.players > MOST_PLAYERS
        self.variants: list[Code] = [f"s[{YOU}]"] if once else list(range(self.players))
        self.returns = self._returns()
        for each in self.blocks.blocks:
            each.steps = [step for step in each.steps if not self._is_idle(step)]
        self.callers = self._callers()
        self.finished = len(self.blocks.points)
        self.wanted: list[int] = list(range(len(self.blocks.blocks))) if compiled.compact else []
        """the blocks that are entered by number, in the order of their numbers"""
        self.numbers = {block: block for block in self.wanted}
        self.lines = cache(self._lines)
        self.answer: tuple[int, Piece] | None = None
        """the slot of an answer that was just given, and what it is called"""
        self.copies = not (compiled.checks or compiled.compact)
        self.weights: dict[int, int] = {}
        for block in range(len(self.blocks.blocks) if self.copies else 0):
            self._weigh(block)
        self.texts: dict[tuple[str, int, tuple[str, ...]], str] = {}
        self.module.writers |= {
            "reach": lambda route: self._answer(route, "reach"), "costs": lambda route: self._answer(route, "costs"),
            "who": self._who, "score": self._score, "tie": self._tie, "worth": self._worth,
            "invariant": self._invariant, "playout": self._playout,
        }  # fmt: skip

    def add_all(self) -> None:
        """Generate every function that a game can come to. Raises RuleError as `add` does."""
        self.add(self._every())

    def _every(self) -> Iterator[Key]:
        """Every function that whoever runs a game may ask for, blocks as far as those before them lead to them."""
        players = range(-1, self.players)
        self.number(self.blocks.entries["phases.game"])
        for number, point in enumerate(self.blocks.points):
            yield from ((table, number, you) for table in ("options", "apply", "chance") for you in players)
            if isinstance(point, DecisionPoint) and point.step.who is not None:
                yield "who", number
        done = 0
        while done < len(self.wanted):
            yield from (("blocks", done, you) for you in players)
            done += 1
        yield from ((what, route) for route in self.rules.symbols.routes for what in ("reach", "costs"))
        yield from (("invariant", number) for number in range(len(self.into.invariants)))
        yield ("score",)
        yield from (("tie", number) for number in range(self.into.ties))
        yield ("worth",)

    def add(self, keys: Iterable[Key]) -> None:
        """Generate these functions; unless the code is compact, also all that they call.

        Raises RuleError where rules are nested too deeply. What was generated then counts for nothing.
        """
        try:
            for key in keys:
                if key not in self.into.names and key[0] in TABLES:
                    self.into.names[key] = self._version(*key)  # type: ignore[arg-type]
                else:
                    self.module.write(self.module.function(key, str(key[0])))
            while self.into.pending and not self.into.compact:
                self.module.write(next(iter(self.into.pending)))
            self.module.compile()
        except (SyntaxError, RecursionError, MemoryError) as error:
            for kept in (self.into.names, self.into.pending, self.texts, self.module.functions):
                kept.clear()
            game = self.rules.procedures["phases.game"].span
            raise RuleError(f"these rules are nested too deeply to become code ({error.args[0]})", game) from None

    # -- blocks -----------------------------------------------------------------------------------------------------

    def _returns(self) -> dict[int, int]:
        """Where procedures that are called from one place alone lead back to, by the slot that would tell it."""
        saved: dict[int, set[int]] = {}
        for block in self.blocks.blocks:
            for step in block.steps:
                if isinstance(step, cut.SaveReturn):
                    saved.setdefault(step.slot, set()).add(step.block)
        return {slot: places.pop() for slot, places in saved.items() if len(places) == 1}

    def _is_idle(self, step: ir.Step) -> bool:
        """Whether nothing is done for a step: a title that nobody is told, a way back that is known."""
        if isinstance(step, Announce | ir.Tell):
            return not self.into.trace
        return isinstance(step, cut.SaveReturn) and step.slot in self.returns

    def _callers(self) -> list[int]:
        """How many ways lead into each block; those that are entered by number count twice."""
        callers = [0] * len(self.blocks.blocks)

        def add(target: int, times: int = 1) -> None:
            if target >= 0:
                callers[self.straight(target)] += times

        for block in self.blocks.blocks:
            match block.end:
                case cut.Goto(target):
                    add(target)
                case cut.Return(slot) if slot in self.returns:
                    add(self.returns[slot])
                case cut.Branch(_, yes, no):
                    add(yes)
                    add(no)
                case cut.Switch(_, targets):
                    for target in targets:
                        add(target, 2)
            for step in block.steps:
                if isinstance(step, cut.SaveReturn):
                    add(step.block, 2)
        for point in self.blocks.points:
            add(point.chosen)
            add(point.leave)
            for target in (point.finished, *point.ways) if isinstance(point, DecisionPoint) else ():
                add(target)
        add(self.blocks.entries["phases.game"], 2)
        return callers

    def number(self, block: int) -> int:
        """The program counter of a block."""
        if block not in self.numbers:
            self.numbers[block] = len(self.wanted)
            self.wanted.append(block)
        return self.finished + 1 + self.numbers[block]

    def straight(self, block: int) -> int:
        """The block that really does something, past those that only lead on."""
        seen = set()
        while block not in seen:
            seen.add(block)
            here = self.blocks.blocks[block]
            if here.steps or not isinstance(here.end, cut.Goto):
                break
            block = here.end.target
        return block

    def go(self, block: int, env: Env, depth: int = 0, above: tuple[int, ...] = ()) -> Lines:
        """The way on to a block: its code written here where only this way leads to it or it is short, or its number.

        Inside the short blocks `above`, only those that are short as well are written.
        """
        block = self.straight(block)
        if self.callers[block] == 1 and depth < DEEPEST and not above:
            return self.body(block, env, depth + 1)
        if self.copies and self.weights[block] < SHORT and block not in above:
            return self.body(block, env, depth, (*above, block))
        return [f"return {self.way(block)}"]

    def chosen(self, point: AnyPoint, block: int, env: Env) -> Lines:
        """The same right after an answer, which need not be looked up while it is still at hand."""
        step = point.step
        if block == point.chosen and not self.writer.trace and not (isinstance(step, ir.Choose) and step.parts):
            source = None if isinstance(step, ir.Roll) else step.source
            members = None if source is None else Interval(0, self.emitter.count(source.type.kind) - 1)
            self.answer = point.slot, Piece("o", members)
        lines = self.go(block, env)
        self.answer = None
        return lines

    def way(self, block: int) -> int:
        """What leads to a block, or to the point at which the game waits there: the number of either."""
        end = self.blocks.blocks[block].end
        return end.point if self._waits(block) and isinstance(end, cut.Suspend) else self.number(block)

    def return_addresses(self) -> tuple[int, ...]:
        """The return address of each call of a procedure that waits; -1 where nothing needs a number for it."""
        saved = (step for block in self.blocks.blocks for step in block.steps if isinstance(step, cut.SaveReturn))
        known = (self.straight(step.block) for step in saved)
        return tuple(self.way(block) if block in self.numbers or self._waits(block) else -1 for block in known)

    def _waits(self, block: int) -> bool:
        """Whether nothing is done in a block but to wait."""
        here = self.blocks.blocks[block]
        return not here.steps and isinstance(here.end, cut.Suspend)

    def _weigh(self, number: int) -> int:
        """How many parts a block has, with all that is written with it where it is short."""
        number = self.straight(number)
        if number not in self.weights:
            self.weights[number] = SHORT  # what leads back to itself goes on by number
            block, ways = self.blocks.blocks[number], []
            weight = sum(
                1 + sum(map(self.emitter.weight, step.expressions())) for step in every_step(tuple(block.steps))
            )
            match block.end:
                case cut.Branch(test, yes, no):
                    weight += self.emitter.weight(test)
                    ways = [yes, no]
                case cut.Goto(target) if not becomes(block):
                    ways = [target]
                case cut.Return(slot) if slot in self.returns:
                    ways = [self.returns[slot]]
                case cut.Switch():
                    weight = SHORT
            weights = map(self._weigh, ways if weight < SHORT else [])
            self.weights[number] = weight + sum(each if each < SHORT else 1 for each in weights)
        return self.weights[number]

    def body(self, number: int, env: Env, depth: int = 0, above: tuple[int, ...] = ()) -> Lines:
        """The code of a block and of what follows it alone, or is short."""
        block, answer = self.blocks.blocks[number], self.answer
        env = self.points.names(block.procedure, env["you"])
        if answer is not None and any(answer[0] in taken(step) for step in block.steps):
            self.answer = None
        if self.answer is not None:
            slot, code = self.answer
            env = {name: code if value == f"s[{slot}]" else value for name, value in env.items()}
        much = self.writer.work.counts_all(block.steps)
        lines = self.writer.ticked(block.steps[0], much) if much else []
        for step in block.steps:
            if not isinstance(step, cut.SaveReturn):
                lines += self.writer.lines([step], env)
            else:
                lines += self.writer.marked(step, [f"s[{step.slot}] = {self.way(self.straight(step.block))}"])
        if becomes(block):
            assert isinstance(block.end, cut.Goto)
            lines.append(f"return {self.way(self.straight(block.end.target))}")
        else:
            lines += self.end(block, partial(self.go, env=env, depth=depth, above=above), env)
        self.answer = answer
        return lines

    def end(self, block: cut.Block, go: Callable[[int], Lines], env: Env) -> Lines:
        match block.end:
            case cut.Goto(target):
                return go(target)
            case cut.Suspend(point):
                return [f"return {point}"]
            case cut.Return(slot):
                return go(self.returns[slot]) if slot in self.returns else [f"return s[{slot}]"]
            case cut.Branch(test, yes, no):
                before, code = self.emitter.ahead(lambda: self.emitter.emit(test, env))
                if isinstance(code, int):
                    return go(yes if code else no)
                inside = [f"    {line}" for line in go(yes)]
                return [*before, f"if {code}:", *inside, *go(no)]
            case cut.Switch(index, targets):
                exprs, strides = zip(*index, strict=True)
                before, offset = self.emitter.ahead(lambda: self.emitter.offset(0, exprs, strides, env))
                if isinstance(offset, int):
                    return go(targets[offset])
                numbers = tuple(self.number(self.straight(target)) for target in targets)
                return [*before, f"return {self.module.constant('S', numbers)}[{offset}]"]
            case cut.Finish(_, ending, winner):
                if not ending:
                    return [f"return {self.finished}"]
                before, won = self.emitter.ahead(lambda: SCORE if winner is None else self.emitter.emit(winner, env))
                if winner is not None and winner.type.base == "set":
                    won = SEVERAL - won if isinstance(won, int) else f"{SEVERAL} - ({won})"
                set_ending = f"s[{ENDING}] = {self.endings.index(ending)}"
                return [*before, set_ending, f"s[{WINNER}] = {won}", f"return {self.finished}"]
        raise TypeError("a block without an end")

    # -- one function for each acting player ------------------------------------------------------------------------

    def _version(self, table: str, number: int, you: int) -> str:
        """The name of a function of a point or block for who acts; equal code is written once.

        For nobody it is the same as for everybody; empty where the code depends on who acts.
        """
        if not self._is_there(table, number):
            return ""
        bodies = [self.lines(table, number, each) for each in range(len(self.variants))] if you < 0 else []
        if len(set(bodies)) > 1:
            return ""
        lines = self.lines(table, number, max(you, 0) % len(self.variants))
        if (table, number, lines) not in self.texts:
            stem, params, tells = TABLES[table]
            told = ["T=N"] if self.writer.trace and tells else []
            name = self.texts[table, number, lines] = self.module.name(stem)
            self.module.define(name, [*params, *told], [*lines])
        return self.texts[table, number, lines]

    def _is_there(self, table: str, number: int) -> bool:
        """Whether there is such a function: only chance is answered by the generator."""
        return table != "chance" or isinstance(self.blocks.points[number], ChancePoint)

    def _lines(self, table: str, number: int, variant: int) -> tuple[str, ...]:
        you = self.variants[variant]
        if table == "blocks":
            return renumbered(self.body(self.wanted[number], {"you": you}))
        point = self.blocks.points[number]
        env = self.points.names(point.procedure, you)
        if table == "options":
            return renumbered(self.points.options(point, number, env))
        if table == "apply":
            return renumbered(self.points.apply(point, env, partial(self.chosen, point)))
        assert isinstance(point, ChancePoint)
        return renumbered(self.points.outcome(point, env))

    # -- what is the same for all players ---------------------------------------------------------------------------

    def _invariant(self, number: int) -> Function:
        return [], self.emitter.returned(always(self.rules)[number][1], {})

    def _answer(self, route: str, what: str) -> Function:
        params = [f"p_{param}" for param in self.rules.symbols.routes[route].params]
        lines = self.emitter.returning(lambda: self.emitter.answer(route, what, list(params), "node"))
        return [*params, "node"], lines

    def _score(self) -> Function:
        def total() -> str:
            codes = [self.emitter.emit(term, {"who": "p_who"}) for term in self.rules.score.values()]
            return " + ".join(map(str, codes)) or "0"

        return ["p_who"], self.emitter.returning(total)

    def _tie(self, number: int) -> Function:
        term = [*self.rules.tie_break.values()][number]
        return ["p_who"], self.emitter.returned(term, {"who": "p_who"})

    def _worth(self) -> Function:
        def total() -> str:
            codes = ((each.hundredths, self.emitter.emit(each.counts, {"who": "p_who"})) for each in worths(self.rules))
            return " + ".join(f"{factor} * ({code})" for factor, code in codes) or "0"

        return ["p_who"], self.emitter.returning(total)

    def _playout(self) -> Function:
        for key in self._every():
            if key[0] in TABLES:
                self._all_lines(*key[:2])  # type: ignore[arg-type]  # which numbers the blocks
        few = [self._of_few(point) for point in self.blocks.points]
        ticks = any("tick(" in part.source for part in self.into.parts)
        places = None if any(key[0] == "do" for key in self.into.names) else self.module.places
        writer = PlayoutWriter(self.blocks.points, len(self.wanted), self._all_lines, few, self._shuffles(), places)
        params, lines = writer.playout(ticks)
        return params, self._by_member(lines)

    def _by_member(self, lines: Lines) -> Lines:
        """The same lines, in which conditions with a function for each member are asked of that function."""
        called = {match[1] for line in lines for match in ASKED_OF.finditer(line)}
        tables = {
            name: self.emitter.by_member(*key[1:])  # type: ignore[arg-type]  # which are the term and what is known
            for key, name in [*self.into.names.items()] if name in called and key[0] == "term"
        }  # fmt: skip

        def asked(match: re.Match[str]) -> str:
            table = tables.get(match[1])
            return match[0] if table is None else f"{table}[{match[2]}](s)"

        return [ASKED_OF.sub(asked, line) for line in lines]

    def _shuffles(self) -> dict[int, str]:
        """By point, the line that makes most draws of a shuffle, for lists whose place is known."""
        lines = {}
        for number, point in enumerate(self.blocks.points):
            if not isinstance(point, ChancePoint) or point.shuffled is None:
                continue
            at = self.emitter.address(point.shuffled, self.points.names(point.procedure, f"s[{YOU}]"))
            stream = point.step.stream
            drawn = f"{point.left}, {self.into.layout.stream(stream)}, {salt(stream)}, counts"
            if isinstance(at, int):
                lines[number] = f"q = shuffle_most(s, {at}, {drawn}) if s[{point.left}] > 2 else -1"
        return lines

    def _all_lines(self, table: str, number: int) -> list[tuple[str, ...]]:
        """The lines of a function for each player, or those that are the same for all; none where there is none."""
        variants = range(len(self.variants)) if self._is_there(table, number) else ()
        return [self.lines(table, number, variant) for variant in variants]

    def _of_few(self, point: AnyPoint) -> bool:
        """Whether what is chosen at a point is a member of a kind with few members."""
        source = point.step.source if isinstance(point.step, ir.Choose) else None
        return source is not None and self.emitter.count(source.type.kind) <= CHUNK

    def _who(self, number: int) -> Function:
        point = self.blocks.points[number]
        assert isinstance(point, DecisionPoint) and point.step.who is not None
        return [], self.emitter.returned(point.step.who, self.points.names(point.procedure, f"s[{YOU}]"))

    def possible(self, action: int, you: Code) -> str:
        """A call of the function that says whether an action can be begun."""
        known, given = (you, []) if isinstance(you, int) else (None, [you])
        name = self.module.function(("possible", action, known), f"can_{self.rules.actions[action].id}")
        return f"{name}({', '.join(['s', *given])})"


def becomes(block: cut.Block) -> bool:
    """Whether somebody else acts after a block: code is written for one acting player."""
    return any(isinstance(step, cut.Store) and step.slot == YOU for step in block.steps)


def taken(step: ir.Step) -> tuple[int, ...]:
    """The slots of local names that a step gives another value."""
    if isinstance(step, cut.Store):
        return (step.slot,)
    return (step.var,) if isinstance(step, (cut.TakeNext, cut.TakeItem)) else ()


def renumbered(lines: Lines) -> tuple[str, ...]:
    """The same code with its local names numbered from 1, so that equal code has equal text."""
    seen: dict[str, str] = {}

    def name(match: re.Match[str]) -> str:
        return seen.setdefault(match[0], f"{match[1]}_{len(seen) + 1}")

    return tuple(LOCAL.sub(name, line) for line in lines)
