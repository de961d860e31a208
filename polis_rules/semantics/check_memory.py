"""Typecheck what rules remember: names of values, memory that steps change, answers, state that lasts for a rule."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from polis_rules.diagnostics import Span
from polis_rules.schema import Memory, steps as written
from polis_rules.semantics import ir
from polis_rules.semantics.check_changes import Checked
from polis_rules.semantics.check_lists import ListChecker
from polis_rules.semantics.expressions import BOOL, BROKEN, INT, NONE, Expr, Scope, Type, nodes as n
from polis_rules.semantics.memory import first_value, restored
from polis_rules.semantics.symbols import ANSWER, Variable, every_variable
from polis_rules.source import Text


class MemoryChecker(ListChecker):
    """Checks what gives names and answers; the checker of all steps builds on it."""

    def local(self, name: Text, kind: Type, scope: Scope) -> Scope:
        """Give a local name a type; it may not already mean something."""
        if name in scope.names and name != "you":
            message, first = f"`{name}` is a local name already", self.rule.named.get(str(name))
            related = (("it is given here", first),) if first else ()
            self.diagnostics.error("shadowing", message, name.span, "choose another name", related)
        else:
            self.symbols.check_local(name, name.span, self.diagnostics, kind.kind if kind.base == "ref" else "")
        self.rule.named[str(name)] = name.span
        self.expressions.references.local(str(name), name.span, kind)
        earlier = self.rule.locals.get(str(name))
        again = name in scope.names
        if earlier is not None and not again and BROKEN not in (earlier, kind) and earlier.sure() != kind.sure():
            self.diagnostics.error("shadowing", f"`{name}` is {earlier} elsewhere in this rule, here {kind}", name.span)
        self.rule.locals[str(name)] = kind
        return scope.anew(str(name), kind)

    def perhaps(self, name: Text, kind: Type, scope: Scope) -> Scope:
        """The scope after something was chosen or drawn only if that was possible."""
        if kind == BROKEN:
            return scope.anew(str(name), BROKEN)
        if kind.base != "ref":
            return replace(scope, lapsed=scope.lapsed | {str(name)})
        self.rule.locals[str(name)] = maybe = Type("ref", kind.kind, True)
        return scope.anew(str(name), maybe)

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

    # -- names ------------------------------------------------------------------------------------------------------

    def let(self, item: written.Let, scope: Scope) -> Checked:
        steps: list[ir.Step] = []
        for name, value in item.let.items():
            if isinstance(value, Memory):
                made, scope = self.remember(item, name, value, scope)
            else:
                made, scope = self.value(item, name, value, scope)
            steps += made
        return steps, scope

    def value(self, item: written.Let, name: Text, text: Text, scope: Scope) -> Checked:
        """A name for a value."""
        if text in ("flag", "number") and text not in self.symbols.declared:
            message = f"`{text}` is a type, not a value"
            self.diagnostics.error("unknown-name", message, text.span, f"write `{name}: {{type: {text}}}`")
            return [], self.local(name, BROKEN, scope)
        value = self.expr(text, scope)
        if value is not None and value.type == NONE:
            self.diagnostics.error("wrong-type", "none alone is of no kind, so it needs no name", text.span)
            value = None
        if value is not None and value.type.base == "list":
            hint = "keep it in state, or declare a term"
            self.diagnostics.error("wrong-type", "a name holds a single value, not a list", text.span, hint=hint)
            value = None
        scope = self.local(name, value.type if value is not None else BROKEN, scope)
        if value is not None and value.type == INT:
            scope = scope.knowing(frozenset((n.Compare(BOOL, "==", n.Var(INT, name), value),)))
        return [ir.Let(item.span, name, value)] if value is not None else [], scope

    def remember(self, item: written.Let, name: Text, declared: Memory, scope: Scope) -> Checked:
        """A name for what the steps after it may change."""
        path = f"{self.rule.path}.{name}"
        variable = self.symbols.memory[path]
        if ("", path) in self.symbols.broken:
            return [], self.local(name, BROKEN, scope)
        inner = scope.having(**{index: Type("ref", kind) for index, kind in variable.per if index != kind})
        first: Expr | None = first_value(variable)
        if declared.start is not None:
            first = self.expr(declared.start, inner, variable.type)
            if first is not None:
                self.within(variable, first, declared.start)
        earlier = self.rule.locals.get(str(name))
        scope = self.local(name, variable.type, scope).remembering(str(name), path)
        if earlier is None:
            del self.rule.locals[str(name)]  # it is kept with the state
        kept: list[ir.Step] = []
        for each in (path, *variable.begun.values()):
            self.rule.memory[each] = item.span
        for word, began in variable.begun.items():
            kind = self.symbols.memory[began].type
            kept.append(ir.Set(item.span, n.Load(kind, "", began, ()), n.Var(scope.names[word], word)))
        if first is None:
            return [], scope
        steps = (*self.restored(variable, first, item.span), *kept)
        return [ir.Remember(item.span, steps, "", path, name)], scope

    def restored(self, variable: Variable, first: Expr, at: Span) -> tuple[ir.Step, ...]:
        """Steps that give some state its first value."""
        steps, names = restored(variable, first, at)
        self.rule.locals |= names
        return steps

    def forgotten(self) -> tuple[ir.Step, ...]:
        """Steps by which the present rule, at its end, forgets what it remembered."""
        return tuple(self.forget(path, at) for path, at in self.rule.memory.items())

    def forget(self, path: str, at: Span) -> ir.Step:
        """A step after which something that a rule remembers is as it was before the rule."""
        variable = self.symbols.memory[path]
        return ir.Forget(at, self.restored(variable, first_value(variable), at), "", path)

    # -- answers ----------------------------------------------------------------------------------------------------

    def give(self, item: written.Give, scope: Scope) -> Checked:
        """The answer of the present rule."""
        path = f"{self.rule.path}.{ANSWER}"
        variable = self.symbols.memory.get(path)
        if variable is None:
            self.expr(item.give, scope)
            message = "this rule does not say that it gives an answer"
            hint = "write `gives:` and a type beside its `do`" if "." in self.rule.path else None
            self.diagnostics.error("no-answer", message, item.span, hint=hint)
            return [], scope
        value = self.expr(item.give, scope, variable.type)
        if value is None or ("", path) in self.symbols.broken:
            return [], scope
        self.within(variable, value, item.give)
        return [ir.Give(item.span, n.Load(variable.type, "", path, (), span=item.give.span), value)], scope

    def unanswered(self, at: Span) -> Iterator[ir.Step]:
        """A step before all others of a rule that gives an answer: it has given none yet."""
        path = f"{self.rule.path}.{ANSWER}"
        if path in self.symbols.memory and ("", path) not in self.symbols.broken:
            yield self.forget(path, at)

    def answered(self, name: Text, step: ir.Step | None, scope: Scope) -> Checked:
        """A call whose answer gets a name."""
        if step is None:
            return [], self.local(name, BROKEN, scope)
        called = step.procedure if isinstance(step, ir.Do) else ""
        variable = self.symbols.memory.get(f"{called}.{ANSWER}")
        if variable is None or ("", variable.name) in self.symbols.broken:
            if variable is None:
                message = f"`{called.rpartition('.')[2] or 'this'}` gives no answer that could have a name"
                hint = "write `gives:` and a type there, and a step `give`"
                self.diagnostics.error("no-answer", message, name.span, hint=hint)
            return [], self.local(name, BROKEN, scope)
        scope = self.local(name, variable.type, scope)
        answer = n.Load(variable.type, "", variable.name, (), span=name.span)
        return [step, ir.Let(step.span, name, answer), self.forget(variable.name, step.span)], scope
