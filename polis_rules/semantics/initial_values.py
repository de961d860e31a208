"""The first values of a scenario: `kind.state: {member: value}` becomes one value for each slot it names."""

from __future__ import annotations

from collections.abc import Callable

from polis_rules.semantics.check_expressions import ExpressionChecker
from polis_rules.semantics.expressions import GROUPS, Const, Scope, Type
from polis_rules.semantics.packed_lists import packed
from polis_rules.semantics.references import member
from polis_rules.semantics.symbols import Variable, every_variable
from polis_rules.semantics.typed_rules import Start
from polis_rules.source import Mapping, Node, Sequence, Text


class StartReader:
    """Reads the `start` section of a scenario."""

    def __init__(
        self, expressions: ExpressionChecker, is_reserve: Callable[[tuple[str, str]], bool] = lambda state: False
    ) -> None:
        self.symbols = expressions.symbols
        self.diagnostics = expressions.diagnostics
        self.expressions = expressions
        self.is_reserve = is_reserve

    def read(self, start: dict[Text, Node]) -> list[Start]:
        starts: list[Start] = []
        for key, raw in start.items():
            variable = self._variable(key)
            if variable is None:
                every = [each for each in every_variable(self.symbols) if each.name not in self.symbols.memory]
                self._unknown("state", key, [f"{each.owner}.{each.name}".lstrip(".") for each in every])
                continue
            owner = f"kinds.{variable.owner}"
            symbol = f"{owner}.state.{variable.name}" if variable.owner else f"state.{variable.name}"
            self.expressions.references.words(key, {variable.owner: owner, variable.name: symbol})
            if (variable.owner, variable.name) in self.symbols.broken:
                continue
            if self.is_reserve((variable.owner, variable.name)):
                message = f"`{key}` is a reserve: it starts with what is nowhere else"
                hint = "put the pieces somewhere, and the reserve has the others"
                self.diagnostics.error("unfit-start", message, key.span, hint=hint)
                continue
            self._fill(variable, raw, variable.kinds, 0, key, starts)
        return starts

    def _variable(self, key: str) -> Variable | None:
        """The state that `name` or `kind.name` means."""
        owner, dot, name = key.rpartition(".")
        if not dot:
            return self.symbols.state.get(name)
        kind = self.symbols.kinds.get(owner)
        return None if kind is None else kind.state.get(name)

    def _fill(
        self, variable: Variable, raw: Node, kinds: tuple[str, ...], index: int, at: Text, starts: list[Start]
    ) -> None:
        if not kinds:
            value = self._value(variable, raw, at)
            if value is not None:
                starts.append(Start(variable.owner, variable.name, index, value, raw.span))
            return
        kind = self.symbols.kinds[kinds[0]]
        if not isinstance(raw, Mapping):
            self.diagnostics.error(
                "unfit-value", f"expected a value for each {kind.name}: {{{kind.name}: value}}", at.span
            )
            return
        for key, inner in raw.entries.items():
            if key not in kind.index:
                self._unknown(kind.name, key, list(kind.members))
                continue
            self.expressions.references.note(member(kind.name, key), key.span)
            self._fill(variable, inner, kinds[1:], index * len(kind.members) + kind.index[key], key, starts)

    def _value(self, variable: Variable, raw: Node, at: Text) -> int | None:
        if not isinstance(raw, Sequence) or variable.type.base not in GROUPS:
            return self._constant(raw, variable, variable.type)
        parts = [self._constant(item, variable, Type("ref", variable.type.kind)) for item in raw.items]
        members = [part for part in parts if part is not None]
        if len(members) < len(parts):
            return None
        if variable.type.base == "set":
            return sum(1 << member for member in {*members})
        if len(members) > variable.at_most:
            message = f"these are {len(members)}, and the list holds at most {variable.at_most}"
            self.diagnostics.error("out-of-range", message, raw.span)
        return packed(members, len(self.symbols.kinds[variable.type.kind].members))

    def _constant(self, raw: Node, variable: Variable, want: Type) -> int | None:
        if not isinstance(raw, Text):
            self.diagnostics.error("unfit-value", f"expected {want}, not a mapping or a list", raw.span)
            return None
        value = self.expressions.check(raw, Scope(), want)
        if value is None:
            return None
        if not isinstance(value, Const):
            self.diagnostics.error("unfit-value", f"expected a plain value, {want}", raw.span)
            return None
        if variable.bounded and want == variable.type and not variable.low <= value.value <= variable.high:
            message = f"{value.value} is outside of {variable.low}..{variable.high}"
            self.diagnostics.error("out-of-range", message, raw.span)
            return None
        return value.value

    def _unknown(self, what: str, name: Text, known: list[str]) -> None:
        self.diagnostics.unknown("unknown-name", f"there is no {what} `{name}`", name.span, name, known)
