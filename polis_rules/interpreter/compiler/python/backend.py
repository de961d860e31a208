"""The backend: blocks and waiting points become one generated Python module, specialised to who acts."""

from __future__ import annotations

import re

from polis_rules.interpreter.compiler import blocks as cut
from polis_rules.interpreter.compiler.blocks import Blocks
from polis_rules.interpreter.compiler.python.expressions import Emitter
from polis_rules.interpreter.compiler.python.module import Env, Module
from polis_rules.interpreter.compiler.python.numbers import Code
from polis_rules.interpreter.compiler.python.points import PointWriter
from polis_rules.interpreter.compiler.python.steps import StepWriter
from polis_rules.interpreter.compiler.python.writer import Lines
from polis_rules.interpreter.evaluator import first_state
from polis_rules.interpreter.machine import ENDING, SCORE, WINNER, YOU, ChancePoint, Compiled, DecisionPoint, Layout
from polis_rules.semantics import TypedRules, ir
from polis_rules.semantics.expressions import BOOL, INT, Arith, Comp, Compare, Everyone, Expr, Type
from polis_rules.source import spoken

MOST_PLAYERS = 3
"""With more players than this, code is written once for all of them instead of once for each."""

LOCAL = re.compile(r"\b(h|v_\w+?)_(\d+)\b")
"""A local name of generated code."""

DEEPEST = 10
"""How many blocks may be written inside one another."""


class Backend:
    """Writes the module of one ruleset."""

    def __init__(self, rules: TypedRules, blocks: Blocks, layout: Layout, checks: bool, trace: bool) -> None:
        self.rules = rules
        self.blocks = blocks
        self.layout = layout
        self.module = Module()
        self.emitter = Emitter(rules, layout, self.module, checks)
        self.emitter.possible = self.possible
        self.writer = StepWriter(self.emitter, rules, checks, trace)
        self.points = PointWriter(self.emitter, self.writer)
        self.endings = list(rules.endings)
        self.players = len(rules.symbols.kinds["player"].members)
        self.variants: list[Code] = list(range(self.players)) if self.players <= MOST_PLAYERS else [f"s[{YOU}]"]
        self.callers = self._callers()
        self.finished = len(blocks.points)
        self.wanted: list[int] = []
        self.numbers: dict[int, int] = {}

    def generate(self) -> Compiled:
        """All code of the ruleset."""
        self.number(self.blocks.entries["phases.game"])
        points = [self._point(number) for number in range(len(self.blocks.points))]
        blocks: list[list[str]] = []
        while len(blocks) < len(self.wanted):
            blocks.append(self._block(self.wanted[len(blocks)]))
        every = range(self.players + 1)
        options, apply, chance = ([[point[table][each] for point in points] for each in every] for table in range(3))
        routes = {name: (self._route(name, "reach"), self._route(name, "costs")) for name in self.rules.symbols.routes}
        score = self._score()
        held = always(self.rules) if self.writer.checks else []
        invariants = [(text, self._function(("invariant", text), "i", [], test, {})) for text, test in held]
        # what only the compiler knows is never reported, and whoever runs the code need not load the compiler for it
        sites = [ir.Step(step.span) if isinstance(step, cut.Hidden) else step for step in self.module.sites]
        source, code = self.module.compiled(self.rules.procedures["phases.game"].span)
        return Compiled(
            self.rules, self.layout, self.blocks.points, first_state(self.rules, self.layout), code, source,
            self.module.constants, options, apply, chance, [[row[each] for row in blocks] for each in every],
            [point[3] for point in points], sites, routes, score, invariants, self.writer.trace,
        )  # fmt: skip

    def _function(self, key: object, stem: str, params: list[str], tree: Expr, env: Env) -> str:
        """The name of a function that returns the value of an expression."""
        return self.module.function(key, stem, params, lambda: self.emitter.returned(tree, env))

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
                if isinstance(step, cut.SaveReturn):
                    add(step.block, 2)
        for point in self.blocks.points:
            add(point.chosen)
            add(point.leave)
            for target in (point.finished, *point.ways) if isinstance(point, DecisionPoint) else ():
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
        if not found.steps and isinstance(found.end, cut.Suspend):
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
            if isinstance(step, cut.SaveReturn):
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
            case cut.Suspend(point):
                return [f"return {point}"]
            case cut.Return(slot):
                return [f"return s[{slot}]"]
            case cut.Branch(test, yes, no):
                before, code = self.emitter.ahead(lambda: self.emitter.emit(test, env))
                if isinstance(code, int):
                    return self.go(yes if code else no, env, depth)
                inside = [f"    {line}" for line in self.go(yes, env, depth)]
                return [*before, f"if {code}:", *inside, *self.go(no, env, depth)]
            case cut.Switch(index, targets):
                exprs, strides = zip(*index, strict=True)
                before, offset = self.emitter.ahead(lambda: self.emitter.offset(0, exprs, strides, env))
                if isinstance(offset, int):
                    return self.go(targets[offset], env, depth)
                numbers = tuple(self.number(self.straight(target)) for target in targets)
                return [*before, f"return {self.module.constant('S', numbers)}[{offset}]"]
            case cut.Finish(_, ending, winner):
                if not ending:
                    return [f"return {self.finished}"]
                before, won = self.emitter.ahead(lambda: SCORE if winner is None else self.emitter.emit(winner, env))
                set_ending = f"s[{ENDING}] = {self.endings.index(ending)}"
                return [*before, set_ending, f"s[{WINNER}] = {won}", f"return {self.finished}"]
        raise TypeError("a block without an end")

    def names(self, procedure: str, env: Env) -> Env:
        """Where the local names of a procedure are kept."""
        names = (*self.rules.procedures[procedure].locals, *self.rules.procedures[procedure].params)
        return {"you": env["you"], **{name: f"s[{self.layout.local(procedure, name)}]" for name in names}}

    @property
    def told(self) -> list[str]:
        """The parameter of functions that tell what happens: a list, or nothing that listens."""
        return ["T=N"] if self.writer.trace else []

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
        return self._versions(("block", number), "b", self.told, bodies)

    # -- points -----------------------------------------------------------------------------------------------------

    def _point(self, number: int) -> tuple[list[str], list[str], list[str], str]:
        point = self.blocks.points[number]
        options, apply, chance = {}, {}, {}
        for variant, bare in self._each_variant().items():
            env = self.names(point.procedure, bare)
            options[variant] = self.points.options(point, number, dict(env))
            apply[variant] = self.points.apply(point, env, self.go)
            if isinstance(point, ChancePoint):
                chance[variant] = self.points.outcome(point, dict(env))
        none = [""] * (self.players + 1)
        return (
            self._versions(("options", number), "o", [], options),
            self._versions(("apply", number), "a", ["o", *self.told], apply),
            self._versions(("chance", number), "c", [], chance) if chance else none,
            self._who(number, point) if isinstance(point, DecisionPoint) else "",
        )

    def _who(self, number: int, point: DecisionPoint) -> str:
        if point.step.who is None:
            return ""
        env = self.names(point.procedure, {"you": f"s[{YOU}]"})
        return self._function(("who", number), "w", [], point.step.who, env)

    def _route(self, name: str, what: str) -> str:
        params = [f"p_{param}" for param in self.rules.symbols.routes[name].params]

        def body() -> Lines:
            return self.emitter.returning(lambda: self.emitter.answer(name, what, list(params), "node"))

        return self.module.function(("answer", name, what), what, [*params, "node"], body)

    def _score(self) -> str:
        def total() -> str:
            codes = [self.emitter.emit(term, {"who": "p_who"}) for term in self.rules.score.values()]
            return " + ".join(map(str, codes)) or "0"

        return self.module.function(("score",), "score", ["p_who"], lambda: self.emitter.returning(total))

    def possible(self, action: int, you: Code) -> str:
        """A call of the function that says whether an action can be begun."""
        rule = self.rules.actions[action]
        known, inner, given = (you, you, []) if isinstance(you, int) else (None, "y", [you])
        name = self.module.function(
            ("possible", action, known),
            f"can_{rule.id}",
            ["y"] if given else [],
            lambda: self.points.possible(rule, {"you": inner}),
        )
        return f"{name}({', '.join(['s', *given])})"


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
