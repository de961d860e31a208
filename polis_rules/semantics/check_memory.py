"""Typecheck what rules remember: state that lasts as long as a rule."""

from __future__ import annotations

from dataclasses import replace

from polis_rules.semantics import ir
from polis_rules.semantics.check_lists import ListChecker
from polis_rules.semantics.memory import first_value, restored
from polis_rules.semantics.symbols import every_variable


class MemoryChecker(ListChecker):
    """Checks what sets memory to its first value; the checker of all steps builds on it."""

    def beginning(self, procedure: ir.Procedure, name: str) -> ir.Procedure:
        """A procedure that first sets back the state which lasts as long as it does."""
        body: list[ir.Step] = []
        local = dict(procedure.locals)
        for variable in every_variable(self.symbols):
            at = variable.lasts
            if at is None or at != name or (variable.start is not None and variable.start_expr is None):
                continue
            supply = self.expressions.questions.counted_by((variable.owner, variable.name))
            if supply is not None:
                message = f"`{variable.name}` is counted by the supply `{supply}`: only `move` changes it"
                self.diagnostics.error("not-moved", message, at.span, hint="move the pieces where the rule begins")
                continue
            steps, names = restored(variable, variable.start_expr or first_value(variable), at.span)
            body.append(ir.Restore(at.span, steps, variable.owner, variable.name))
            local |= names
        return replace(procedure, body=(*body, *procedure.body), locals=local) if body else procedure
