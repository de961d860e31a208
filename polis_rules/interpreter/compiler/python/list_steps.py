"""Steps that change or go over lists, as Python."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any

from polis_rules.interpreter.compiler import blocks as cut
from polis_rules.interpreter.compiler.python.expressions import Emitter
from polis_rules.interpreter.compiler.python.module import Env, Module
from polis_rules.interpreter.compiler.python.numbers import Code, Piece, place
from polis_rules.interpreter.compiler.python.writer import Lines
from polis_rules.semantics import ir
from polis_rules.semantics.expressions import Comp, Load, Type, Var


class ListStepWriter(ABC):
    """Writes steps with lists; the other half of a step writer builds on it."""

    emitter: Emitter
    module: Module
    trace: bool

    @property
    def of_lists(self) -> dict[type[ir.Step], Callable[[Any, Env], Lines]]:
        """What writes each sort of step that is made for lists."""
        return {
            ir.MoveMembers: self.move_members, ir.Sort: self.sort, ir.Shuffled: self.shuffled,
            cut.StoreList: self.store_list, cut.TakeItem: self.take_item,
        }  # fmt: skip

    @abstractmethod
    def located(self, target: Load, env: Env, name: str) -> tuple[Lines, Code, str]:
        """Lines that find the slot of a state value before anything changes; the slot; its members, to be told."""

    @abstractmethod
    def traced(self, step: ir.Step, values: str) -> Lines:
        """A line that tells what a step has done, where that is told."""

    @abstractmethod
    def checked(self, step: ir.Step, place: str, target: Load, always: bool = False) -> Lines:
        """A line that complains when a value has left its range."""

    @abstractmethod
    def tick(self, step: ir.Step) -> Lines:
        """A line that counts what is done at one go."""

    @abstractmethod
    def inside(self, steps: tuple[ir.Step, ...], env: Env, first: Lines | None = None) -> Lines:
        """Statements indented as the inside of a block."""

    def most(self, target: Load) -> int:
        """How many members a list may hold."""
        return self.emitter.symbols.variable(target.owner, target.name).at_most

    def whole(self, target: Load, slot: Code) -> str:
        """A list as it is told."""
        return f"packed(listed(s, {slot}), {self.emitter.count(target.type.kind)})"

    def set_list(self, step: ir.Set, env: Env) -> Lines:
        before, slot, told = self.located(step.target, env, "i")
        value = self.emitter.emit(step.value, env)
        old = [f"o = {self.whole(step.target, slot)}"] if self.trace else []
        change = f"keep(s, {slot}, {self.most(step.target)}, {value})"
        return [*before, *old, change, *self.traced(step, f"{told}o, {self.whole(step.target, slot)}")]

    def move_members(self, step: ir.MoveMembers, env: Env) -> Lines:
        before, source, giving = self.located(step.source, env, "i")
        after, target, taking = self.located(step.target, env, "j")
        lines = [*before, *after, f"n = {self.emitter.emit(step.amount, env)}"]
        checked: Lines = []
        if (shorter := self.moved_shortly(step, source, target, env)) is not None:
            return shorter
        gone, what = "[n]", "n"
        if step.source.type.base == "list":
            take = "take_top" if step.amount.type.base == "int" else "take_out"
            gone = f"{take}(s, {source}, {self.most(step.source)}, n)"
            if self.trace and step.amount.type.base == "int":  # what has moved is told
                lines.append(f"m = {gone}")
                gone, what = "m", f"packed(m, {self.emitter.count(step.source.type.kind)})"
        else:
            lines.append(f"s[{source}] -= 1")
            checked += self.checked(step, f"s[{source}]", step.source)
        if step.target.type.base == "list":
            lines.append(f"put_on(s, {target}, {self.most(step.target)}, {gone}, {step.under})")
        else:
            lines += [gone, f"s[{target}] += 1"]
            checked += self.checked(step, f"s[{target}]", step.target)
        return [*lines, *([] if step.quiet else self.traced(step, f"{what}, {giving}{taking}")), *checked]

    def moved_shortly(self, step: ir.MoveMembers, source: Code, target: Code, env: Env) -> Lines | None:
        """The same in fast code where it is known which lists these are and that one member moves."""
        if self.trace or self.module.into.checks or not (isinstance(source, int) and isinstance(target, int)):
            return None
        if not step.target.type.base == step.source.type.base == "list":
            return None
        amount = self.emitter.emit(step.amount, env)
        if step.quiet and step.under and source == target and step.amount.type.base == "ref":  # it is there
            return [f"s.insert({place(source, [(Piece(f's[{source}]'), 1)])}, s.pop(s.index({amount}, {source + 1})))"]
        if amount != 1 or step.amount.type.base != "int" or source == target:
            return None
        giving, taking = self.most(step.source), self.most(step.target)
        where = place(target + 1, [(Piece(f"s[{target}]"), 1)]) if step.under else target + 1
        return [
            f"if s[{source}] and s[{target}] < {taking}:",
            f"    n = s.pop({source + 1}); s.insert({source + giving}, -1); s[{source}] -= 1",
            f"    s.pop({target + taking}); s.insert({where}, n); s[{target}] += 1",
            f"else: put_on(s, {target}, {taking}, take_top(s, {source}, {giving}, 1), {step.under})",
        ]

    def sort(self, step: ir.Sort, env: Env) -> Lines:
        before, slot, told = self.located(step.target, env, "i")
        name = self.module.name("v_it")
        by = self.emitter.emit(step.by, {**env, "it": name})
        change = f"keep(s, {slot}, {self.most(step.target)}, sorted(listed(s, {slot}), key=lambda {name}: {by}))"
        return [*before, change, *self.traced(step, f"{told}{self.whole(step.target, slot)}")]

    def shuffled(self, step: ir.Shuffled, env: Env) -> Lines:
        if not self.trace:
            return []
        before, _, told = self.located(step.target, env, "i")
        return [*before, *self.traced(step, told)]

    def store_list(self, step: cut.StoreList, env: Env) -> Lines:
        members = self.emitter.emit(step.value, env)
        if step.starting is not None:
            members = f"turned({members}, {self.emitter.emit(step.starting, env)})"
        return [f"keep(s, {step.slot}, {step.at_most}, {members})"]

    def take_item(self, step: cut.TakeItem, env: Env) -> Lines:
        return [f"s[{step.var}] = s[{step.slot + 1}+s[{step.counter}]]", f"s[{step.counter}] += 1"]

    def each_listed(self, step: ir.Each, env: Env) -> Lines:
        name = self.module.name(f"v_{step.var}")
        over = step.domain
        if step.test is not None:
            over = Comp(over.type, "list", step.var, over, step.test, Var(Type("ref", over.type.kind), step.var))
        members = self.emitter.emit(over, env)
        if step.starting is not None:
            members = f"turned({members}, {self.emitter.emit(step.starting, env)})"
        inside = self.inside(step.body, {**env, step.var: name}, self.tick(step))
        return [f"for {name} in {members}:", *inside]


def reads_state(code: Code) -> bool:
    """Whether code depends on more than numbers and names, so that it may mean something else after a change."""
    return isinstance(code, str) and ("[" in code or "(s" in code)
