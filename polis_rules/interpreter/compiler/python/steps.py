"""Typed steps to Python statements."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from math import prod
from typing import Any

from polis_rules.interpreter.compiler import blocks as cut
from polis_rules.interpreter.compiler.python.expressions import Emitter, Version
from polis_rules.interpreter.compiler.python.list_steps import ListStepWriter, reads_state
from polis_rules.interpreter.compiler.python.module import Env, Function, stripped, unknown
from polis_rules.interpreter.compiler.python.numbers import Code
from polis_rules.interpreter.compiler.python.work import Work
from polis_rules.interpreter.compiler.python.writer import Lines
from polis_rules.interpreter.machine import MARK, MOST_ROUNDS, Announce
from polis_rules.semantics import TypedRules, called_by, every_step, ir, on_behalf
from polis_rules.semantics.expressions import Comp, Expr, Load, Type, Var

Mode = tuple[bool, bool, bool]
"""Whether code checks ranges, tells what happens, and counts."""

MOST_PARTS = 150
"""A loop over known members is written out if it then has at most so many parts."""

WAITING = 10
"""So much counts a round of a loop in which the game may wait, as it goes through several blocks."""

FEW = 3
"""A loop over so many members of which some are left out is written out, too."""

TRIED = (False, False, False)
"""How steps are written that are only tried: they report, check and count nothing, but come to an end."""


class StepWriter(ListStepWriter):
    """Writes lists of plain steps (which neither wait nor end the game)."""

    def __init__(self, emitter: Emitter, rules: TypedRules, checks: bool, trace: bool) -> None:
        self.symbols = rules.symbols
        self.module = emitter.module
        self.emitter = emitter
        self.procedures = rules.procedures
        self.actions = rules.actions
        self.work = Work(rules)
        self.checks = checks
        self.ticks_all = checks
        self.trace = trace
        self.counts = True
        self.acts = cache(self._acts)
        self.module.writers["do"] = self.procedure
        self.kinds: dict[type[ir.Step], Callable[[Any, Env], Lines]] = {
            ir.Amount: self.amount, ir.Banked: self.banked, ir.Move: self.move, ir.Set: self.set, ir.Let: self.let,
            ir.If: self.if_,
            ir.While: self.while_, ir.Times: self.times, ir.Each: self.each, ir.As: self.as_,
            ir.Do: lambda step, env: [self.call(step.procedure, step.args, env)],
            ir.DoEffects: self.effects, ir.Restore: self.generated, ir.Remember: self.generated,
            ir.Forget: self.generated, ir.Give: self.set, ir.Cover: self.set, ir.Together: self.each,
            **self.of_lists,
            ir.Stop: lambda step, env: ["break"],
            ir.Mark: lambda step, env: [f"K({step.site}, 1)"] if self.counts else [],
            cut.Store: lambda step, env: [f"s[{step.slot}] = {self.emitter.emit(step.value, env)}"],
            cut.Tick: lambda step, env: self.ticked(step, WAITING),
            cut.TakeNext: self.take_next, cut.RotateMask: self.rotate_mask, Announce: self.announce,
            ir.Tell: self.tell,
        }  # fmt: skip

    def lines(self, steps: tuple[ir.Step, ...] | list[ir.Step], env: Env) -> Lines:
        """The statements of some steps; `env` gains the names that `let` makes."""
        lines: Lines = []
        for step in steps:
            with self.emitter.hoisting() as before:
                code = self.step(step, env)
            lines += self.marked(step, [*before, *code])
        return lines

    def marked(self, step: ir.Step, lines: Lines) -> Lines:
        """The same lines; in checked code each says for which step it was made."""
        if not self.checks:
            return lines
        mark = f"{MARK}{self.module.site(step)}"
        return [line if MARK in line else line + mark for line in lines]

    def tick(self, step: ir.Step) -> Lines:
        """A line that counts what a loop does: in checked code everywhere, otherwise where that may be much."""
        return self.ticked(step, self.work.counts(step))

    def ticked(self, step: ir.Step, much: int) -> Lines:
        """A line that counts so much of what is done at one go, for which a step stands."""
        return [f"tick({self.module.site(step)}, s, {max(much, 1)})"] if much or self.ticks_all else []

    def step(self, step: ir.Step, env: Env) -> Lines:
        return self.kinds[type(step)](step, env)

    def generated(self, step: ir.Generated, env: Env) -> Lines:
        return self.lines(step.body, dict(env))

    def let(self, step: ir.Let, env: Env) -> Lines:
        name = self.module.name(f"v_{step.var}")
        code = self.emitter.emit(step.value, env)
        env[step.var] = name
        return [f"{name} = {code}"]

    def as_(self, step: ir.As, env: Env) -> Lines:
        name = self.module.name("v_you")
        return [f"{name} = {self.emitter.emit(step.player, env)}", *self.lines(step.body, {**env, "you": name})]

    # -- steps that the compiler itself made ------------------------------------------------------------------------

    def take_next(self, step: cut.TakeNext, env: Env) -> Lines:
        lines = [f"m = s[{step.mask}]", "b = m & -m", f"s[{step.mask}] = m ^ b"]
        member = "b.bit_length() - 1"
        if step.first >= 0:
            member = f"({member} + s[{step.first}]) % {step.count}"
        return [*lines, f"s[{step.var}] = {member}"]

    def rotate_mask(self, step: cut.RotateMask, env: Env) -> Lines:
        everyone = (1 << step.count) - 1
        value = f"(m >> s[{step.first}] | m << {step.count} - s[{step.first}]) & {everyone}"
        return [f"m = s[{step.mask}]", f"s[{step.mask}] = {value}"]

    def announce(self, step: Announce, env: Env) -> Lines:
        return [f"T.append(({self.module.site(step)},))"] if self.trace else []

    def tell(self, step: ir.Tell, env: Env) -> Lines:
        """A line that notes what stands in braces; none where nothing is told."""
        if not self.trace:
            return []
        return self.traced(step, "".join(f"{self.emitter.emit(value, env)}, " for _, value in step.shown))

    def inside(self, steps: tuple[ir.Step, ...], env: Env, first: Lines | None = None) -> Lines:
        """Statements indented as the inside of a block."""
        return [f"    {line}" for line in [*(first or []), *self.lines(steps, dict(env))]] or ["    pass"]

    # -- changes ----------------------------------------------------------------------------------------------------

    def place(self, target: Load, env: Env, name: str) -> tuple[Lines, str, str]:
        """Lines that find the place of a state value before anything changes; the place; its members, to be told."""
        lines, offset, told = self.located(target, env, name)
        return lines, f"s[{offset}]", told

    def located(self, target: Load, env: Env, name: str) -> tuple[Lines, Code, str]:
        """The same with the number of the slot."""
        members = [self.emitter.emit(arg, env) for arg in target.args]
        offset = self.emitter.address(target, env)
        self.remember(offset, target)
        lines: Lines = []
        if reads_state(offset):
            lines, offset = [f"{name} = {offset}"], name
        told = "".join(f"{member}, " for member in members)
        if self.trace and any(map(reads_state, members)):
            lines.append(f"{name}{name} = ({told})")
            told = f"*{name}{name}, "
        return lines, offset, told

    def remember(self, offset: Code, target: Load) -> None:
        """Keep in mind which slots a place may be that is found only in play."""
        if isinstance(offset, str):
            variable, first = (
                self.symbols.variable(target.owner, target.name),
                self.emitter.layout.bases[target.owner, target.name],
            )
            slots = first, first + prod(self.symbols.sizes(variable)) * variable.width - 1
            places, place = self.module.places, stripped(offset)
            places[place] = slots if places.get(place, slots) == slots else None

    def traced(self, step: ir.Step, values: str) -> Lines:
        return [f"T.append(({self.module.site(step)}, {values}))"] if self.trace else []

    def checked(self, step: ir.Step, place: str, target: Load, always: bool = False) -> Lines:
        """A line that complains when a value has left its range."""
        variable = self.symbols.variable(target.owner, target.name)
        if not (self.checks or always) or (not variable.bounded and variable.type.base != "int"):
            return []
        said = f"f'{variable.name} would be {{{place}}}, outside of {variable.low}..{variable.high}'"
        return [f"if not {variable.low} <= {place} <= {variable.high}: fail({self.module.site(step)}, s, {said})"]

    def checked_amount(self, step: ir.Step, amount: Code, have: str = "") -> tuple[Lines, Code]:
        """Lines that complain about an amount below 0, or above what there is, and the amount."""
        if not self.checks:
            return [], amount
        site = self.module.site(step)
        lines = []
        if isinstance(amount, int) and amount < 0:
            lines = [f"fail({site}, s, 'this amount is below 0: {amount}')"]
        if not isinstance(amount, int):
            lines = [f"n = {amount}", f"if n < 0: fail({site}, s, f'this amount is below 0: {{n}}')"]
            amount = "n"
        if have:
            said = f"f'this payment is more than there is: {{{amount}}} of {{{have}}}'"
            lines.append(f"if {have} < {amount}: fail({site}, s, {said})")
        return lines, amount

    def amount(self, step: ir.Amount, env: Env) -> Lines:
        amount = self.emitter.emit(step.amount, env)
        if amount == 0:
            return []
        before, place, told = self.place(step.target, env, "i")
        variable = self.symbols.variable(step.target.owner, step.target.name)
        first, amount = self.checked_amount(step, amount, place if step.verb == "pay" else "")
        lines = [f"{place} {'+' if step.verb == 'gain' else '-'}= {amount}"]
        if step.verb == "gain":
            lines.append(f"if {place} > {variable.high}: {place} = {variable.high}")
        elif step.verb == "lose":
            lines.append(f"if {place} < {variable.low}: {place} = {variable.low}")
        old = [f"o = {place}"] if self.trace else []
        told = f"{told}abs({place} - o)"
        return [*before, *first, *old, *lines, *self.traced(step, told), *self.checked(step, place, step.target)]

    def banked(self, step: ir.Banked, env: Env) -> Lines:
        """The same with a bank, to or from which it goes."""
        before, place, told = self.place(step.target, env, "i")
        after, bank, _ = self.place(step.bank, env, "j")
        first, amount = self.checked_amount(step, self.emitter.emit(step.amount, env), place * (step.verb == "pay"))
        mine, its = (self.symbols.variable(each.owner, each.name) for each in (step.target, step.bank))
        if step.verb == "gain":
            amount = f"max(0, min({amount}, {bank} - {its.low}, {mine.high} - {place}))"
        elif step.verb == "lose":
            amount = f"max(0, min({amount}, {place} - {mine.low}))"
        give, take = ("-", "+") if step.verb == "gain" else ("+", "-")
        lines = [f"n = {amount}", f"{place} {take}= n", f"{bank} {give}= n", *self.traced(step, f"{told}n")]
        checked = self.checked(step, place, step.target) + self.checked(step, bank, step.bank)
        return [*before, *after, *first, *lines, *checked]

    def move(self, step: ir.Move, env: Env) -> Lines:
        before, source, giving = self.place(step.source, env, "i")
        after, target, taking = self.place(step.target, env, "j")
        amount = self.emitter.emit(step.amount, env)
        first, number = self.checked_amount(step, amount)
        if not isinstance(number, int) and not first:
            first, number = [f"n = {amount}"], "n"
        lines = [f"{source} -= {number}", f"{target} += {number}", *self.traced(step, f"{number}, {giving}{taking}")]
        checked = self.checked(step, source, step.source) + self.checked(step, target, step.target)
        return [*before, *after, *first, *lines, *checked]

    def set(self, step: ir.Set, env: Env) -> Lines:
        if step.target.type.base == "list":
            return self.set_list(step, env)
        before, place, told = self.place(step.target, env, "i")
        value = self.emitter.emit(step.value, env)
        if isinstance(value, str) and place == "s[i]":
            value = value.replace(f"s[{self.emitter.address(step.target, env)}]", place)
        old = [f"o = {place}"] if self.trace else []
        # what squares itself again and again would outgrow all memory
        checked = self.checked(step, place, step.target, always=self.work.multiplies(step.value))
        return [*before, *old, f"{place} = {value}", *self.traced(step, f"{told}o, {place}"), *checked]

    # -- loops and branches -----------------------------------------------------------------------------------------

    def if_(self, step: ir.If, env: Env) -> Lines:
        test = self.emitter.emit(step.test, env)
        if isinstance(test, int):
            return self.lines(step.then if test else step.other, dict(env))
        lines = [f"if {test}:", *self.inside(step.then, env)]
        return [*lines, "else:", *self.inside(step.other, env)] if step.other else lines

    def while_(self, step: ir.While, env: Env) -> Lines:
        with self.emitter.hoisting() as before:
            test = self.emitter.emit(step.test, env)
        site = self.module.site(step)
        lines = [f"for _ in range({MOST_ROUNDS}):", *(f"    {line}" for line in before), f"    if not {test}: break"]
        inside = self.inside(step.body, env, self.tick(step))
        return [*lines, *inside, "else:", f"    fail({site}, s, 'this repeat did not end after {MOST_ROUNDS} times')"]

    def times(self, step: ir.Times, env: Env) -> Lines:
        inside = self.inside(step.body, env, self.tick(step))
        return [f"for _ in range({self.emitter.emit(step.times, env)}):", *inside]

    def each(self, step: ir.Each, env: Env) -> Lines:
        if step.domain.type.base == "list":
            return self.each_listed(step, env)
        kind = step.domain.type.kind
        count = self.symbols.count(kind)
        name = self.module.name(f"v_{step.var}")
        chosen = Comp(Type("set", kind), "set", step.var, step.domain, step.test, Var(Type("ref", kind), step.var))
        mask = self.emitter.emit(chosen, env)
        first = self.emitter.emit(step.starting, env) if step.starting is not None else 0
        if first == 0 and isinstance(mask, int) and self.is_short(step, mask):
            inner = (self.lines(step.body, {**env, step.var: member}) for member in range(count) if mask >> member & 1)
            return [line for lines in inner for line in lines]
        if first == 0 and (lines := self.asked(step, env)):
            return lines
        inside = self.inside(step.body, {**env, step.var: name}, self.tick(step))
        if first == 0:
            return [f"for {name} in {self.emitter.among(mask, kind)}:", *inside]
        order = f"[(i + {first}) % {count} for i in range({count})]"
        return [f"m = {mask}", f"for {name} in [i for i in {order} if m >> i & 1]:", *inside]

    def asked(self, step: ir.Each, env: Env) -> Lines | None:
        """A loop over some of few known members, written out: all are asked for before anything is done."""
        mask = self.emitter.emit(step.domain, env)
        if step.test is None or not isinstance(mask, int) or mask.bit_count() > FEW or not self.is_short(step, mask):
            return None
        before, lines = [], []
        for member in range(mask.bit_length()):
            inner = {**env, step.var: member}
            test = self.emitter.emit(step.test, inner) if mask >> member & 1 else 0
            if test == 1:
                lines += self.lines(step.body, inner)
            elif test != 0:
                name = self.module.name(f"v_{step.var}")
                before.append(f"{name} = {test}")
                lines += [f"if {name}:", *self.inside(step.body, inner)]
        return [*before, *lines]

    def is_short(self, step: ir.Each, mask: int) -> bool:
        """Whether a loop over known members is written out: once for each of them, in code that is to be fast."""
        if self.module.into.checks or self.module.into.compact or self.tick(step):
            return False
        every = every_step(step.body)
        parts = sum(1 + sum(map(self.emitter.weight, each.expressions())) for each in every)
        return parts * mask.bit_count() <= MOST_PARTS and not any(isinstance(each, ir.Stop) for each in every)

    # -- procedures -------------------------------------------------------------------------------------------------

    def _acts(self, path: str) -> bool:
        """Whether a procedure depends on who acts."""
        return self.for_you(self.procedures[path].body)

    def for_you(self, steps: tuple[ir.Step, ...]) -> bool:
        """Whether steps depend on who acts around them."""
        return any(parts or any(map(self.acts, called_by(step, self.symbols))) for step, parts in on_behalf(steps))

    def call(self, path: str, args: tuple[Expr, ...], env: Env) -> str:
        """A call of the function of a procedure that does not wait."""
        values = [self.emitter.emit(arg, env) for arg in args]
        if self.acts(path):
            values = [env["you"], *values]
        what = ("do", path, self.mode)
        known, given = self.emitter.version(what, values)
        name = self.module.function((*what, known), "do_" + path.rpartition(".")[2])
        return f"{name}({', '.join(['s', *self.told, *given])})"

    def procedure(self, path: str, mode: Mode, known: Version) -> Function:
        """The function of a procedure that does not wait."""
        procedure = self.procedures[path]
        acting = {"you": Type("ref", "player")} if self.acts(path) else {}
        inner = self.emitter.parameters(acting | procedure.params, known)
        params = unknown(inner)
        inner.setdefault("you", -1)
        with self.in_mode(mode):
            lines = self.lines(procedure.body, inner)
            if procedure.body:
                lines = [*self.ticked(procedure.body[0], self.work.counts_call(path)), *lines]
            if procedure.announce:
                first = self.announce(Announce(procedure.span, procedure.title), inner)
                lines = [*first, *lines, *self.announce(Announce(procedure.span, ""), inner)]
            return [*self.told, *params], lines or ["pass"]

    @property
    def mode(self) -> Mode:
        """What code does beside what the rules say."""
        return self.checks, self.trace, self.counts

    @contextmanager
    def in_mode(self, mode: Mode) -> Iterator[None]:
        """Inside, code is written that does this."""
        outer = self.mode
        self.checks, self.trace, self.counts = mode
        try:
            yield
        finally:
            self.checks, self.trace, self.counts = outer

    @property
    def told(self) -> list[str]:
        """The list to which procedures tell what happens, where they do."""
        return ["T"] if self.trace else []

    def effects(self, step: ir.DoEffects, env: Env) -> Lines:
        attribute = self.symbols.kinds[step.owner].attributes[step.name]
        where = self.emitter.offset(0, step.index, self.symbols.strides(attribute), env)
        lines: Lines = []
        for flat, path in attribute.procedures.items():
            if where == flat:
                return [self.call(path, step.args, env)]
            word = "elif" if lines else "if"
            lines += [f"{word} e == {flat}:", f"    {self.call(path, step.args, env)}"]
        if isinstance(where, int) or not lines:
            return []
        return [f"e = {where}", *lines]
