"""Dice as Python: what may come out of them, and how the generator rolls them."""

from __future__ import annotations

from functools import partial

from polis_rules.interpreter.compiler.python.expressions import Emitter
from polis_rules.interpreter.compiler.python.module import Env
from polis_rules.interpreter.compiler.python.numbers import Code
from polis_rules.interpreter.compiler.python.writer import Lines
from polis_rules.interpreter.machine import SEED, salt
from polis_rules.semantics import ir
from polis_rules.semantics.expressions import Expr

DIE = "v_die"


class DiceWriter:
    """Writes what points need where dice are rolled."""

    def __init__(self, emitter: Emitter) -> None:
        self.emitter = emitter

    def outcomes(self, step: ir.Roll, env: Env) -> Lines:
        """The body of the function that lists what may come out."""
        lines, dice, sides = self.pool(step, env)
        if isinstance(dice, int) and isinstance(sides, int) and step.plain:
            return [f"return list(range({dice}, {dice * sides + 1}))"]
        if step.test is None:
            return [*lines, f"return list(range({dice}, {dice} * {sides} + 1))"]
        least, most = f"{dice} * (h == {sides})", f"{dice} * (h > 0)"
        hits = self.each_die(f"range(1, {sides} + 1)", DIE, [], "h += 1", step.test, env)
        return [*lines, "h = 0", *hits, f"return list(range({least}, {most} + 1))"]

    def rolled(self, step: ir.Roll, env: Env) -> Lines:
        """The body of the function by which the generator rolls them, one after the other."""
        number, counter = salt(step.stream), f"s[{self.emitter.layout.stream(step.stream)}]"
        lines, dice, sides = self.pool(step, env)
        if isinstance(dice, int) and step.plain:
            eyes = [
                f"draw_below(s[{SEED}], {number}, {counter}{f' + {die}' if die else ''}, {sides})"
                for die in range(dice)
            ]
            return [f"return {dice} + {' + '.join(eyes)}"]
        die = f"{DIE} = 1 + draw_below(s[{SEED}], {number}, {counter} + i, {sides})"
        counted = f"o += {DIE}" if step.test is None else "o += 1"
        return [*lines, "o = 0", *self.each_die(f"range({dice})", "i", [die], counted, step.test, env), "return o"]

    def used(self, step: ir.Roll, env: Env) -> tuple[Lines, Code]:
        """How many random numbers that takes, and the lines before."""
        if isinstance(step.dice, int):
            return [], step.dice
        before, code = self.emitter.ahead(partial(self.emitter.emit, step.dice, env))
        return before, f"max({code}, 0)"

    def pool(self, step: ir.Roll, env: Env) -> tuple[Lines, Code, Code]:
        """Lines that work out how many dice there are and of how many sides, and both numbers or their names."""
        lines: Lines = []
        found: list[Code] = []
        for name, part in (("n", step.dice), ("m", step.sides)):
            if isinstance(part, Expr):
                before, code = self.emitter.ahead(partial(self.emitter.emit, part, env))
                lines += [*before, f"{name} = {code}"]
            found.append(part if isinstance(part, int) else name)
        return lines, found[0], found[1]

    def each_die(self, over: str, name: str, first: Lines, done: str, test: Expr | None, env: Env) -> Lines:
        """A loop in which something is done for each die, or for each that is a hit."""
        lines = first
        if test is None:
            lines = [*lines, done]
        else:
            before, code = self.emitter.ahead(partial(self.emitter.emit, test, {**env, "die": DIE}))
            lines = [*lines, *before, f"if {code}: {done}"]
        return [f"for {name} in {over}:", *(f"    {line}" for line in lines)]
