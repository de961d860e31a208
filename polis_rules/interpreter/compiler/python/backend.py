"""The backend: blocks and waiting points become one generated Python module, specialised to who acts."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from polis_rules.interpreter.compiler import blocks as cut
from polis_rules.interpreter.compiler.blocks import Blocks
from polis_rules.interpreter.compiler.python.expressions import Emitter
from polis_rules.interpreter.compiler.python.module import Env, Module
from polis_rules.interpreter.compiler.python.numbers import Code
from polis_rules.interpreter.compiler.python.points import PointWriter
from polis_rules.interpreter.compiler.python.steps import Lines, Sites, StepWriter
from polis_rules.interpreter.machine import ENDING, SCORE, WINNER, YOU, Layout, RouteMap
from polis_rules.semantics import TypedRules, ir
from polis_rules.semantics.expressions import BOOL, INT, Arith, Comp, Compare, Everyone, Expr, Type
from polis_rules.source import spoken

MOST_PLAYERS = 3
"""With more players than this, code is written once for all of them instead of once for each."""

LOCAL = re.compile(r"\b(h|v_\w+?)_(\d+)\b")
"""A local name of generated code."""

DEEPEST = 10
"""How many blocks may be written inside one another."""


@dataclass(slots=True)
class Generated:
    """Generated code and what is needed to run it. Tables hold the names of functions, one list for each player
    and a last one for nobody; an empty name is a place that cannot be reached so."""

    source: str
    constants: dict[str, object]
    options: list[list[str]]
    apply: list[list[str]]
    chance: list[list[str]]
    who: list[str]
    blocks: list[list[str]]
    sites: list[ir.Step]
    routes: dict[str, tuple[str, str]] = field(default_factory=dict)
    """for each route the functions that answer from tables: which nodes it leads to, and what they cost"""
    score: str = ""
    """the function that gives a player's total of the score terms"""
    invariants: list[tuple[str, str]] = field(default_factory=list)
    """in checking mode: what must hold, and the function that says whether it does"""


class Backend:
    """Writes the module of one ruleset."""

    def __init__(
        self, rules: TypedRules, blocks: Blocks, layout: Layout, maps: dict[str, RouteMap], checks: bool, trace: bool
    ) -> None:
        self.rules = rules
        self.blocks = blocks
        self.module = Module()
        self.emitter = Emitter(rules.symbols, layout, self.module, maps)
        self.emitter.possible = self.possible
        self.emitter.unbounded = cut.changed_by_trials(rules.procedures, rules.symbols)
        self.emitter.routes.checks = checks
        self.sites = Sites()
        self.writer = StepWriter(
            rules.symbols, layout, self.module, self.emitter, rules.procedures, self.sites, checks, trace
        )
        self.points = PointWriter(layout, self.module, self.emitter, self.writer)
        self.layout = layout
        self.endings = list(rules.endings)
        players = len(rules.symbols.kinds["player"].members)
        self.variants: list[Code] = list(range(players)) if players <= MOST_PLAYERS else [f"s[{YOU}]"]
        self.players = players
        self.callers = self._callers()
        self.finished = len(blocks.points)
        self.wanted: list[int] = []
        self.numbers: dict[int, int] = {}

    def generate(self) -> Generated:
        """All code of the ruleset."""
        self.number(self.blocks.entries["phases.game"])
        found = Generated("", self.module.constants, [], [], [], [], [], self.sites.steps)
        columns = [self._point(number) for number in range(len(self.blocks.points))]
        rows: list[list[str]] = []
        while len(rows) < len(self.wanted):
            rows.append(self._block(self.wanted[len(rows)]))
        for variant in range(self.players + 1):
            found.options.append([column[0][variant] for column in columns])
            found.apply.append([column[1][variant] for column in columns])
            found.chance.append([column[2][variant] for column in columns])
            found.blocks.append([row[variant] for row in rows])
        found.who = [column[3] for column in columns]
        found.routes = {
            name: (self._route(name, "reach"), self._route(name, "costs")) for name in self.rules.symbols.routes
        }
        found.score = self._score()
        if self.writer.checks:
            found.invariants = [(text, self._invariant(text, test)) for text, test in always(self.rules)]
        found.source = self.module.source()
        return found

    # -- blocks -----------------------------------------------------------------------------------------------------

    def _callers(self) -> list[int]:
        """How many ways lead into each block; those that are entered by number count twice."""
        found = [0] * len(self.blocks.blocks)

        def add(target: int, times: int = 1) -> None:
            if target >= 0:
                found[self.straight(target)] += times

        for block in self.blocks.blocks:
            match block.end:
                case cut.Goto(target):
                    add(target)
                case cut.Branch(_, yes, no):
                    add(yes)
                    add(no)
                case cut.Switch(_, targets):
                    for target in targets:
                        add(target, 2)
            for step in block.steps:
                if isinstance(step, cut.Remember):
                    add(step.block, 2)
        for point in self.blocks.points:
            for target in (point.chosen, point.leave, point.finished, *point.ways):
                add(target)
        for entry in self.blocks.entries.values():
            add(entry, 2)
        return found

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
            found = self.blocks.blocks[block]
            if found.steps or not isinstance(found.end, cut.Goto):
                break
            block = found.end.target
        return block

    def go(self, block: int, env: Env, depth: int = 0) -> Lines:
        """The way on to a block: its code written here where only this way leads to it, or its number."""
        block = self.straight(block)
        found = self.blocks.blocks[block]
        if not found.steps and isinstance(found.end, cut.Wait):
            return [f"return {found.end.point}"]
        if self.callers[block] == 1 and depth < DEEPEST:
            return self.body(block, env, depth + 1)
        return [f"return {self.number(block)}"]

    def body(self, number: int, env: Env, depth: int = 0) -> Lines:
        """The code of a block and of what follows it alone."""
        block = self.blocks.blocks[number]
        env = self.names(block.procedure, env)
        lines: Lines = []
        for step in block.steps:
            if isinstance(step, cut.Remember):
                lines += self.writer.marked(step, [f"s[{step.slot}] = {self.number(self.straight(step.block))}"])
            else:
                lines += self.writer.lines([step], env)
        if any(isinstance(step, cut.Store) and step.slot == YOU for step in block.steps):
            assert isinstance(block.end, cut.Goto)
            return [*lines, f"return {self.number(self.straight(block.end.target))}"]
        return lines + self.end(block, env, depth)

    def end(self, block: cut.Block, env: Env, depth: int) -> Lines:
        match block.end:
            case cut.Goto(target):
                return self.go(target, env, depth)
            case cut.Wait(point):
                return [f"return {point}"]
            case cut.Back(slot):
                return [f"return s[{slot}]"]
            case cut.Branch(test, yes, no):
                with self.emitter.hoisting() as before:
                    code = self.emitter.emit(test, env)
                if isinstance(code, int):
                    return self.go(yes if code else no, env, depth)
                inside = [f"    {line}" for line in self.go(yes, env, depth)]
                return [*before, f"if {code}:", *inside, *self.go(no, env, depth)]
            case cut.Switch(index, targets):
                offset = self.emitter.offset(0, tuple(e for e, _ in index), tuple(n for _, n in index), env)
                if isinstance(offset, int):
                    return self.go(targets[offset], env, depth)
                numbers = tuple(self.number(self.straight(target)) for target in targets)
                return [f"return {self.module.constant('S', numbers)}[{offset}]"]
            case cut.Finish(_, ending, winner):
                won: Code = SCORE if winner is None else self.emitter.emit(winner, env)
                if not ending:
                    return [f"return {self.finished}"]
                return [
                    f"s[{ENDING}] = {self.endings.index(ending)}",
                    f"s[{WINNER}] = {won}",
                    f"return {self.finished}",
                ]
        raise TypeError("a block without an end")

    def names(self, procedure: str, env: Env) -> Env:
        """Where the local names of a procedure are kept."""
        found: Env = {"you": env["you"]}
        for name in self.rules.procedures[procedure].locals:
            found[name] = f"s[{self.layout.local(procedure, name)}]"
        for name in self.rules.procedures[procedure].params:
            found[name] = f"s[{self.layout.local(procedure, name)}]"
        return found

    def _versions(self, key: object, stem: str, params: list[str], lines: dict[int, Lines]) -> list[str]:
        """The names of one function for each acting player; equal code is written once."""
        made: dict[str, str] = {}
        names = []
        for variant, raw in lines.items():
            body = renumbered(raw)
            text = "\n".join(body)
            if text not in made:
                made[text] = self.module.function((key, variant), stem, params, lambda body=body: body)  # type: ignore[misc]
            names.append(made[text])
        if len(names) == 1:
            names *= self.players
        return [*names, names[0] if len(made) == 1 else ""]

    def _each_variant(self) -> dict[int, Env]:
        return {number: {"you": you} for number, you in enumerate(self.variants)}

    def _block(self, number: int) -> list[str]:
        bodies = {variant: self.body(number, env) for variant, env in self._each_variant().items()}
        return self._versions(("block", number), "b", [], bodies)

    # -- points -----------------------------------------------------------------------------------------------------

    def _point(self, number: int) -> tuple[list[str], list[str], list[str], str]:
        point = self.blocks.points[number]
        options, apply, chance = {}, {}, {}
        for variant, bare in self._each_variant().items():
            env = self.names(point.procedure, bare)
            options[variant] = self.points.options(point, number, dict(env))
            apply[variant] = self.points.apply(point, env, self.go)
            if not isinstance(point.step, ir.Choose):
                chance[variant] = self.points.outcome(point, dict(env))
        none = [""] * (self.players + 1)
        return (
            self._versions(("options", number), "o", [], options),
            self._versions(("apply", number), "a", ["o"], apply),
            self._versions(("chance", number), "c", [], chance) if chance else none,
            self._who(number, point),
        )

    def _who(self, number: int, point: cut.Point) -> str:
        step = point.step
        if not isinstance(step, ir.Choose) or step.who is None:
            return ""
        env = self.names(point.procedure, {"you": f"s[{YOU}]"})

        def body() -> Lines:
            assert isinstance(step, ir.Choose) and step.who is not None
            with self.emitter.hoisting() as before:
                code = self.emitter.emit(step.who, env)
            return [*before, f"return {code}"]

        return self.module.function(("who", number), "w", [], body)

    def _route(self, name: str, what: str) -> str:
        params = [f"p_{param}" for param in self.rules.symbols.routes[name].params]

        def body() -> Lines:
            with self.emitter.hoisting() as before:
                code = self.emitter.routes.answer(name, what, list(params), "p_start")
            return [*before, f"return {code}"]

        return self.module.function(("answer", name, what), what, [*params, "p_start"], body)

    def _score(self) -> str:
        def body() -> Lines:
            with self.emitter.hoisting() as before:
                codes = [self.emitter.emit(term, {"who": "p_who"}) for term in self.rules.score.values()]
            return [*before, f"return {' + '.join(map(str, codes)) or '0'}"]

        return self.module.function(("score",), "score", ["p_who"], body)

    def _invariant(self, text: str, test: Expr) -> str:
        def body() -> Lines:
            with self.emitter.hoisting() as before:
                code = self.emitter.emit(test, {})
            return [*before, f"return {code}"]

        return self.module.function(("invariant", text), "i", [], body)

    def possible(self, action: int, you: Code) -> str:
        """A call of the function that says whether an action can be begun."""
        rule = self.rules.actions[action]
        if isinstance(you, int):
            name = self.module.function(
                ("possible", action, you), f"can_{rule.id}", [], lambda: self.points.possible(rule, {"you": you})
            )
            return f"{name}(s)"
        name = self.module.function(
            ("possible", action, None), f"can_{rule.id}", ["y"], lambda: self.points.possible(rule, {"you": "y"})
        )
        return f"{name}(s, {you})"


def renumbered(lines: Lines) -> Lines:
    """The same code with its local names numbered from 1, so that equal code has equal text."""
    seen: dict[str, str] = {}

    def name(found: re.Match[str]) -> str:
        return seen.setdefault(found[0], f"{found[1]}_{len(seen) + 1}")

    return [LOCAL.sub(name, line) for line in lines]


def always(rules: TypedRules) -> list[tuple[str, Expr]]:
    """What must hold after every decision: the invariants, and that no piece of a supply is lost or made."""
    found = [(spoken(item.label), item.test) for item in rules.invariants]
    for supply in rules.supplies:
        everywhere: Expr = supply.reserve
        for place in supply.places.values():
            everywhere = Arith(INT, "+", everywhere, place)
        test: Expr = Compare(BOOL, "==", everywhere, supply.total, "", "")
        if supply.per:
            kind = Type("ref", supply.per)
            test = Comp(BOOL, "all", "owner", Everyone(Type("set", kind.kind)), None, test)
        found.append((f"the supply of {spoken(supply.name)} adds up", test))
    return found
