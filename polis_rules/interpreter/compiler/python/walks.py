"""Walks as Python: a function for each, which goes along lines that are known before play where it can."""

from __future__ import annotations

from dataclasses import replace

from polis_rules.interpreter.compiler.python.comprehensions import ComprehensionWriter
from polis_rules.interpreter.compiler.python.module import Env, Function
from polis_rules.interpreter.compiler.python.numbers import Code, place
from polis_rules.semantics import lines_of
from polis_rules.semantics.expressions import NONE, Attr, Comp, Const, free_names

NOWHERE = Const(NONE, -1)
"""Stands for where a walk begins, which makes no difference to its function."""

Known = tuple[tuple[str, int | None], ...]
"""Local names that a walk reads, with what they are if that is known."""


class WalkWriter(ComprehensionWriter):
    """Writes walks."""

    def walk(self, tree: Comp, env: Env) -> Code:
        """The call of the function of a walk."""
        start = self.emit(tree.domain, env)
        if start == -1:  # none: a check keeps it from being asked
            return "[]"
        inside = free_names(tree.body) | (free_names(tree.test) if tree.test is not None else set())
        codes = [(name, env[name]) for name in sorted(inside - {tree.var})]
        known = tuple((name, code if isinstance(code, int) else None) for name, code in codes)
        given = [start, *(code for _, code in codes if not isinstance(code, int))]
        name = self.module.function(("walk", replace(tree, domain=NOWHERE), known), "walk")
        return f"{name}({', '.join(['s', *map(str, given)])})"

    def walk_body(self, tree: Comp, known: Known) -> Function:
        """The function of a walk, which is given where it begins and what is not known."""
        env: Env = {name: f"p_{name}" if value is None else value for name, value in known}
        member = self.module.name("v_walk")
        inner = {**env, tree.var: member}
        with self.hoisting() as before:
            holds = self.emit(tree.test, inner) if tree.test is not None else 1
            line = self.line(tree, env)
            step = self.emit(tree.body, inner) if line is None else 0
        stop = [] if holds == 1 else [f"    if not {holds}: break"]
        params = ["m", *(str(code) for code in env.values() if not isinstance(code, int))]
        if line is not None:
            return params, [*before, "o = []", f"for {member} in {line}:", *stop, f"    o.append({member})", "return o"]
        again = f"    if {member} < 0 or {member} == m or {member} in o: break"
        begin = [*before, "o = []", f"{member} = m", "while True:", f"    {member} = {step}", again]
        return params, [*begin, *stop, f"    o.append({member})", "return o"]

    def line(self, tree: Comp, env: Env) -> str | None:
        """The members that follow the first one whatever the state, where an attribute tells the next one."""
        lines = lines_of(tree, self.symbols)
        if lines is None or not isinstance(tree.body, Attr):
            return None
        own, *strides = self.symbols.strides(self.symbols.kinds[tree.body.owner].attributes[tree.body.name])
        codes = [self.emit(arg, env) for arg in tree.body.args[1:]]
        return f"{self.module.constant('W', lines)}[{place(0, [('m', own), *zip(codes, strides, strict=True)])}]"
