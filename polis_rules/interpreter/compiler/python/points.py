"""The places where the game waits, as Python: which options there are, and what choosing one does."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from math import prod

from polis_rules.interpreter.compiler.blocks import Blocks
from polis_rules.interpreter.compiler.python.dice import DiceWriter
from polis_rules.interpreter.compiler.python.expressions import Emitter
from polis_rules.interpreter.compiler.python.masks import intersection
from polis_rules.interpreter.compiler.python.module import Env, Function, unknown
from polis_rules.interpreter.compiler.python.numbers import Code
from polis_rules.interpreter.compiler.python.pieces import join
from polis_rules.interpreter.compiler.python.steps import TRIED, StepWriter
from polis_rules.interpreter.compiler.python.writer import Lines
from polis_rules.interpreter.machine import FINISH, LEAVE, SEED, WAY, YOU, AnyPoint, ChancePoint, DecisionPoint, salt
from polis_rules.semantics import ir, of_you
from polis_rules.semantics.expressions import (
    BOOL,
    INT,
    TRUE,
    Arith,
    Attr,
    Comp,
    Compare,
    Expr,
    Numbers,
    Var,
    conjunction,
    number,
)

MOST_WRITTEN = 64
"""Choices among more members than this are looped over, not written out."""

LONGEST = 20_000
"""So are those whose conditions, written out for each member, are longer than this, in characters."""

ACTING = f"s[{YOU}]"
"""Who acts, in code that is the same for all players."""

ASKS_WHO = re.compile(rf"(?<!\w){re.escape(ACTING)}")


class PointWriter:
    """Writes the functions of waiting points."""

    def __init__(self, blocks: Blocks, emitter: Emitter, steps: StepWriter) -> None:
        self.blocks = blocks
        self.layout = emitter.layout
        self.module = steps.module
        self.emitter = emitter
        self.steps = steps
        self.dice = DiceWriter(emitter)
        self.module.writers["possible"] = self.possible
        self.module.writers["leaving"] = self.tried

    def names(self, procedure: str, you: Code) -> Env:
        """What the local names of a procedure stand for."""
        rule = self.blocks.procedures[procedure]
        kinds = rule.params | rule.locals
        kept = self.blocks.names(procedure, you)
        return {name: self.emitter.perhaps(code, kinds[name]) if name in kinds else code for name, code in kept.items()}

    # -- options ----------------------------------------------------------------------------------------------------

    def options(self, point: AnyPoint, number: int, env: Env) -> Lines:
        """The body of the function that lists the options of a decision or the outcomes of chance."""
        if isinstance(point, ChancePoint):
            step = point.step
            if isinstance(step, ir.Roll):
                return self.dice.outcomes(step, env)
            if (pile := as_often_as_there(step)) is not None:
                before, code = self.emitter.ahead(lambda: self.emitter.emit(pile, env))
                return [*before, f"return sorted({{*{code}}})"]
            return [*self.drawn(step, env, "o.append(%s)"), "return o"]
        lines = self.offered(point, number, env)
        if (
            env["you"] == ACTING and len(ASKS_WHO.findall("\n".join(lines))) > 1
        ):  # looked up once: listing changes nothing
            lines = [f"y = {ACTING}", *(ASKS_WHO.sub("y", line) for line in lines)]
        return lines

    def offered(self, point: DecisionPoint, number: int, env: Env) -> Lines:
        """Lines that gather the options of a decision."""
        step = point.step
        lines = ["o = []"]
        if step.source is not None or step.low is not None:
            lines = self.chosen(point, number, env)
        for at, way in enumerate(step.ways):
            with self.emitter.hoisting() as before:
                test = self.emitter.all_hold(way.conditions, env)
            lines += [*before, *_when(test, f"o.append({WAY + at})")]
        if point.finish:
            test = f"o and s[{point.count}] >= {point.at_least}" if point.count >= 0 else "o"
            lines += [f"if {test}: o.append({FINISH})"]
        return [*lines, "return o"]

    def chosen(self, point: DecisionPoint, number: int, env: Env) -> Lines:
        """Lines that gather the members or numbers that may be chosen."""
        step = point.step
        if step.parts:
            return ["o = []", *self.together(point, number, env)]
        if step.low is not None and step.high is not None:
            with self.emitter.hoisting() as before:
                low, high = self.emitter.emit(step.low, env), self.emitter.emit(step.high, env)
            if not step.conditions and not step.leaving:
                return [*before, f"o = list(numbers({low}, {high} + 1))"]
            return ["o = []", *before, *self.looped(f"numbers({low}, {high} + 1)", point, number, env)]
        assert step.source is not None
        if (pile := list_below(step.source)) is not None:
            before, code = self.emitter.ahead(lambda: self.emitter.emit(pile, env))
            over = f"sorted({{*{code}}})"
            if not step.conditions and not step.leaving:
                return [*before, f"o = {over}"]
            return ["o = []", *before, *self.looped(over, point, number, env)]
        kind = step.source.type.kind
        with self.emitter.hoisting() as before:
            mask, rest = self.narrowed(step, env)
            if not rest and not step.leaving and isinstance(mask, str):
                return [*before, f"o = members({mask})"]
            may_write = not self.module.into.compact and self.emitter.count(kind) <= MOST_WRITTEN
            if may_write and (written := self.written_out(mask, rest, point, number, env)) is not None:
                return [*before, *written]
        if not self.module.into.compact and (lines := self.picked(mask, rest, step, env)):
            return [*before, *lines]
        return ["o = []", *before, *self.looped(self.emitter.among(mask, kind), point, number, env, rest)]

    def written_out(self, mask: Code, rest: list[Expr], point: DecisionPoint, number: int, env: Env) -> Lines | None:
        """Lines that ask of each member by itself whether it may be chosen; None where they are too long."""
        step = point.step
        assert step.source is not None
        lines, length = _begun(mask), 0
        with self.emitter.trying() as keep:
            for member in range(self.emitter.count(step.source.type.kind)):
                inner = {**env, step.var: member}
                tests = [_inside(mask, member), *(self.emitter.emit(test, inner) for test in rest)]
                if step.leaving and 0 not in tests:
                    tests.append(self.leaving(point, number, inner))
                lines += _when(join("and", tests), f"o.append({member})")
                length += len(lines[-1])
                if length > LONGEST:
                    return None
            keep()
        return lines

    def narrowed(self, step: ir.Choose | ir.Draw, env: Env) -> tuple[Code, list[Expr]]:
        """The members among which one is chosen, without those that conditions exclude which can be asked of all at
        once; and the conditions that have to be asked of each."""
        assert step.source is not None
        masks, rest = [self.emitter.emit(step.source, env)], []
        for condition in step.conditions:
            mask = None
            if not self.module.into.compact:
                mask = self.emitter.members_with(condition.test, step.var, step.source.type.kind, env)
            if mask is None:
                rest.append(condition.test)
            else:
                masks.append(mask)
        return intersection(masks), rest

    def picked(self, mask: Code, rest: list[Expr], step: ir.Choose, env: Env) -> Lines | None:
        """The members of a set that may be chosen as one comprehension; None where that takes more than conditions.

        Where the conditions ask one value of each member that lies beside that of the next, it goes over these values.
        """
        assert step.source is not None
        name, count = self.module.name(f"v_{step.var}"), self.emitter.count(step.source.type.kind)
        with self.emitter.hoisting() as before:
            test = join("and", [self.emitter.emit(each, {**env, step.var: name}) for each in rest])
        once, each = told_apart(before, name)
        if each or step.leaving or isinstance(test, int):
            return None
        values = re.findall(rf"s\[{name}\+(\d+)\]", test)
        if mask != (1 << count) - 1 or len({*values}) != 1 or test.count(name) > len(values):
            return [*once, f"o = [{name} for {name} in {self.emitter.among(mask, step.source.type.kind)} if {test}]"]
        first = int(values[0])
        test = test.replace(f"s[{name}+{first}]", "x")
        return [*once, f"o = [{name} for {name}, x in enumerate(s[{first}:{first + count}]) if {test}]"]

    def looped(
        self, over: str, point: DecisionPoint, number: int, env: Env, rest: Iterable[Expr] | None = None
    ) -> Lines:
        """The same in a loop over members or numbers."""
        step = point.step
        tested = [c.test for c in step.conditions] if rest is None else rest
        name = self.module.name(f"v_{step.var}")
        with self.emitter.hoisting() as before:
            tests = [self.emitter.emit(test, {**env, step.var: name}) for test in tested]
        if step.leaving:
            tests.append(self.leaving(point, number, {**env, step.var: name}))
        once, each = told_apart(before, name)
        lines = [*each, *_when(join("and", tests), f"o.append({name})")] or ["pass"]
        return [*once, f"for {name} in {over}:", *(f"    {line}" for line in lines)]

    def together(self, point: DecisionPoint, number: int, env: Env) -> Lines:
        """The same in loops, for each name one; each condition is asked as soon as its names are known."""
        step, lines, inside, option = point.step, [], "", ""
        assert step.source is not None
        for part in (ir.Part(step.var, step.source, step.conditions, 0), *step.parts):
            count, name = self.emitter.count(part.source.type.kind), self.module.name(f"v_{part.var}")
            source, filters = filtered(part.source)
            before, over = self.gone_through(source, env)
            lines += [inside + line for line in (*before, f"for {name} in {over}:")]
            inside, env = inside + "    ", {**env, part.var: name}
            option = f"({option}) * {count} + {name}" if option else name
            with self.emitter.hoisting() as before:
                tests = [self.emitter.emit(test, {**env, var: name}) for var, test in filters]
                tests += [self.emitter.emit(each.test, env) for each in part.conditions]
            if part.var == step.chosen[-1][0] and step.leaving:
                tests.append(self.leaving(point, number, {**env, step.var: option}))
            test = join("and", tests)
            lines += [inside + line for line in ([*before, f"if not {test}: continue"] if test != 1 else ())]
        return [*lines, f"{inside}o.append({option})"]

    def gone_through(self, source: Expr, env: Env) -> tuple[Lines, str]:
        """The code of a set that is gone through in table order, and the lines before it."""
        count = self.emitter.count(source.type.kind)
        if isinstance(source, Attr):
            attribute = self.blocks.symbols.kinds[source.owner].attributes[source.name]
            strides = self.blocks.symbols.strides(attribute)
            before, where = self.emitter.ahead(lambda: self.emitter.offset(0, source.args, strides, env))
            rows = tuple(tuple(each for each in range(count) if mask >> each & 1) for mask in attribute.values)
            return before, f"{self.module.constant('R', rows)}[{where}]"
        before, mask = self.emitter.ahead(lambda: self.emitter.emit(source, env))
        return before, self.emitter.among(mask, source.type.kind)

    def kept(self, point: DecisionPoint | ChancePoint) -> Lines:
        """The lines that keep an answer: for several names the number of the option is taken apart."""
        parts = point.step.parts if isinstance(point, DecisionPoint) else ()
        if not parts:
            return [f"s[{point.slot}] = o"]
        counts = [part.count for part in parts]
        slots = [point.slot, *(self.layout.local(point.procedure, part.var) for part in parts)]
        lines = [f"s[{slots[0]}] = o // {prod(counts)}"]
        for at, slot in enumerate(slots[1:]):
            below = prod(counts[at + 1 :])
            lines.append(f"s[{slot}] = o{f' // {below}' if below > 1 else ''} % {counts[at]}")
        return lines

    def leaving(self, point: DecisionPoint, number: int, env: Env) -> str:
        """A call of a function that tries a choice on a copy and says whether what must hold after it does."""
        step = point.step
        choice = env[step.var]
        acts = any(of_you(c.test) for c in step.leaving) or self.steps.for_you(step.do)
        known = choice if isinstance(choice, int) else None
        name = self.module.function(("leaving", number, known, env["you"] if acts else -1), "leaving")
        return f"{name}(s)" if known is not None else f"{name}(s, {choice})"

    def tried(self, number: int, choice: int | None, you: Code) -> Function:
        """The function that `leaving` calls."""
        point = self.blocks.points[number]
        assert isinstance(point, DecisionPoint)
        step = point.step
        env = self.names(point.procedure, you)
        env[step.var] = f"s[{point.slot}]" if choice is None else choice
        lines = ["s = s[:]", *(self.kept(point) if choice is None else [])]
        with self.steps.in_mode(TRIED):
            lines += self.steps.lines(step.do, env)
        lines += self.emitter.returning(lambda: self.emitter.all_hold(step.leaving, env))
        return ["o"] if choice is None else [], lines

    def drawn(self, step: ir.Draw, env: Env, action: str) -> Lines:
        """Lines that do something (`action`, with %s for the member) for everything that chance may pick."""
        with self.emitter.hoisting() as before:
            mask, rest = self.narrowed(step, env)
            if not rest and step.weight is None:
                if isinstance(mask, str):
                    return [*before, f"o = members({mask})"]
                return [*before, f"o = [*{self.emitter.among(mask, step.source.type.kind)}]"]
            lines = _begun(mask)
            for member in range(self.emitter.count(step.source.type.kind)):
                inner = {**env, step.var: member}
                test = join("and", [_inside(mask, member), *(self.emitter.emit(test, inner) for test in rest)])
                if test == 0:
                    continue
                weight = self.emitter.emit(step.weight, inner) if step.weight is not None else 1
                if not isinstance(weight, int):
                    test = join("and", [test, f"{weight} > 0"])
                done = action % member if action.count("%s") == 1 else action % (member, weight)
                lines += _when(test, done) if not isinstance(weight, int) or weight > 0 else []
        return [*before, *lines]

    def outcome(self, point: ChancePoint, env: Env) -> Lines:
        """The body of the function by which the generator answers for chance."""
        step = point.step
        if isinstance(step, ir.Roll):
            return self.dice.rolled(step, env)
        slot, number = self.layout.stream(step.stream), salt(step.stream)
        drawn = f"s[{SEED}], {number}, s[{slot}]"
        if (pile := as_often_as_there(step)) is not None:  # the same as by weight, as the members stand in table order
            before, code = self.emitter.ahead(lambda: self.emitter.emit(pile, env))
            return [*before, f"o = sorted({code})", f"return o[draw_below({drawn}, len(o))] if o else {LEAVE}"]
        if step.weight is None:
            lines = self.drawn(step, env, "o.append(%s)")
            if mask := re.fullmatch(r"o = members\((.*)\)", lines[-1]):  # the one at a place, without a list of all
                one = f"return one_of(m, draw_below({drawn}, m.bit_count())) if m else {LEAVE}"
                return [*lines[:-1], f"m = {mask[1]}", one]
            return [*lines, f"return o[draw_below({drawn}, len(o))] if o else {LEAVE}"]
        lines = ["w = []", *self.drawn(step, env, "o.append(%s); w.append(%s)")]
        return [*lines, f"return o[pick(draw64({drawn}), w)] if o else {LEAVE}"]

    # -- choosing ---------------------------------------------------------------------------------------------------

    def apply(self, point: AnyPoint, env: Env, go: Callable[[int, Env], Lines]) -> Lines:
        """The body of the function that carries a choice out; `go` writes the way on to a block."""
        lines = self.kept(point)
        others: list[tuple[int, int]] = []
        if isinstance(point, DecisionPoint):
            lines += self.steps.lines(point.step.do, dict(env))
            others += [(WAY + at, block) for at, block in enumerate(point.ways)]
            others += [(FINISH, point.finished)] if point.finish else []
        else:
            before, drawn = self.dice.used(point.step, env) if isinstance(point.step, ir.Roll) else ([], 1)
            counted = f"s[{self.layout.stream(point.step.stream)}] += {drawn}"
            # how many dice there are is asked before anything changes
            lines = [*lines, counted] if isinstance(drawn, int) else [*before, counted, *lines]
        lines += go(point.chosen, env)
        if point.leave >= 0:
            others.append((LEAVE, point.leave))
        if not others:
            return lines
        code = [f"if o < {LEAVE}:", *(f"    {line}" for line in lines)]
        for value, block in others:
            code += [f"if o == {value}:", *(f"    {line}" for line in go(block, env))]
        return code

    # -- actions ----------------------------------------------------------------------------------------------------

    def possible(self, number: int, you: int | None) -> Function:
        """The function that says whether an action can be begun by a player, or by the one it is given."""
        action = self.steps.actions[number]
        env: Env = {"you": "y" if you is None else you}
        lines: Lines = []
        for condition in action.conditions:
            with self.emitter.hoisting() as before:
                test = self.emitter.emit(condition.test, env)
            if test != 1:
                lines += [*before, f"if not {test}: return False"]
        option = self.emitter.returned(some_option(action.first), env) if action.first is not None else ["return True"]
        return unknown(env), [*lines, *option]


def list_below(source: Expr) -> Expr | None:
    """The list of which a set holds the members."""
    match source:
        case Comp(_, "set", var, domain, None, Var(name=name)) if var == name and domain.type.base == "list":
            return domain
    return None


def filtered(source: Expr) -> tuple[Expr, list[tuple[str, Expr]]]:
    """The set from which `{x for x in set if c}` takes members, and what it asks of them: `x` and `c`."""
    tests: list[tuple[str, Expr]] = []
    while isinstance(source, Comp) and source.func == "set" and source.domain.type.base == "set":
        if source.body != Var(source.body.type, source.var):
            break
        if source.test is not None:
            tests.insert(0, (source.var, source.test))
        source = source.domain
    return source, tests


def as_often_as_there(step: ir.Draw) -> Expr | None:
    """The list of which a draw takes each member as likely as it often is there."""
    match step.weight:
        case Comp(_, "count", var, domain, Compare(_, "==", Var(name=one), Var(name=other)), Var(name=counted)):
            if (one, other, counted) == (var, step.var, var) and domain == list_below(step.source):
                return None if step.conditions else domain
    return None


def some_option(step: ir.Choose) -> Expr:
    """Whether a choice has an option."""
    test = conjunction([condition.test for condition in step.conditions])
    if step.low is not None and step.high is not None:
        if test is None:
            return Compare(BOOL, "<=", step.low, step.high)
        return Comp(BOOL, "any", step.var, Numbers(INT, step.low, Arith(INT, "+", step.high, number(1))), test, TRUE)
    assert step.source is not None
    return Comp(BOOL, "any", step.var, step.source, None, test or TRUE)


def _begun(mask: Code) -> Lines:
    """The first lines of what gathers members: nothing yet, and a name for those there are."""
    return ["o = []"] if isinstance(mask, int) else ["o = []", f"m = {mask}"]


def _inside(mask: Code, member: int) -> Code:
    """Whether a member is among those there are."""
    return mask >> member & 1 if isinstance(mask, int) else f"m >> {member} & 1"


def told_apart(before: Lines, name: str) -> tuple[Lines, Lines]:
    """Lines that give names their values: those that go before a loop, and those that depend on the loop's own name.

    >>> told_apart(["h_1 = go(s, 3)", "h_2 = h_1 + v_x", "h_3 = h_2"], "v_x")
    (['h_1 = go(s, 3)'], ['h_2 = h_1 + v_x', 'h_3 = h_2'])
    """
    once: Lines = []
    each: Lines = []
    changing = {name}
    for line in before:
        if changing.isdisjoint(re.findall(r"\w+", line)):
            once.append(line)
        else:
            each.append(line)
            changing.add(line.partition(" = ")[0])
    return once, each


def _when(test: Code, line: str) -> Lines:
    if isinstance(test, int):
        return [line] if test else []
    return [f"if {test}: {line}"]
