"""The first values of a scenario: `kind: {member: {state: value}}` becomes one value for each slot it names."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from polis_rules.semantics.check_expressions import ExpressionChecker
from polis_rules.semantics.expressions import GROUPS, Const, Scope, Type
from polis_rules.semantics.packed_lists import packed
from polis_rules.semantics.references import member
from polis_rules.semantics.symbols import KindSymbol, Variable
from polis_rules.semantics.typed_rules import Start
from polis_rules.source import Mapping, Node, Sequence, Text, entries_at


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
        return [each for key, raw in start.items() for each in self._named(key, raw)]

    def _named(self, key: Text, raw: Node) -> Iterator[Start]:
        """What is said of state of the game, or of the members of a kind."""
        if (variable := self.symbols.state.get(key)) is not None:
            yield from self._state(variable, raw, variable.kinds, 0, key)
            return
        kind = self.symbols.kinds.get(key)
        if kind is None:
            kinds = [name for name, each in self.symbols.kinds.items() if each.state]
            message = f"there is no state or kind `{key}`"
            self._unknown(message, key, [*self.symbols.state, *kinds], self._meant(key, raw))
            return
        self.expressions.references.note(f"kinds.{key}", key.span)
        for name, number, states in self._members(kind, raw, key):
            if not isinstance(states, Mapping):
                self.diagnostics.error("unfit-value", f"expected values of `{name}`: {{state: value}}", name.span)
            for state, value in entries_at(states).items():
                variable = kind.state.get(state)
                if variable is None:
                    self._unknown(f"{kind.name} has no state `{state}`", state, list(kind.state))
                else:
                    yield from self._state(variable, value, variable.kinds[1:], number, state)

    def _state(self, variable: Variable, raw: Node, kinds: tuple[str, ...], index: int, at: Text) -> Iterator[Start]:
        """The values of one state, of the game or of a member; `kinds` are those of the indexes below it."""
        symbol = f"state.{variable.name}"
        self.expressions.references.note(f"kinds.{variable.owner}.{symbol}" if variable.owner else symbol, at.span)
        state = (variable.owner, variable.name)
        if self.is_reserve(state):
            message = f"`{at}` is a reserve: it starts with what is nowhere else"
            hint = "put the pieces somewhere, and the reserve has the others"
            self.diagnostics.error("unfit-start", message, at.span, hint=hint)
        elif state not in self.symbols.broken:
            yield from self._fill(variable, raw, kinds, index, at)

    def _fill(self, variable: Variable, raw: Node, kinds: tuple[str, ...], index: int, at: Text) -> Iterator[Start]:
        if kinds:
            kind = self.symbols.kinds[kinds[0]]
            for key, number, inner in self._members(kind, raw, at):
                yield from self._fill(variable, inner, kinds[1:], index * len(kind.members) + number, key)
        elif (value := self._value(variable, raw, at)) is not None:
            yield Start(variable.owner, variable.name, index, value, raw.span)

    def _members(self, kind: KindSymbol, raw: Node, at: Text) -> Iterator[tuple[Text, int, Node]]:
        """The members that a mapping names, with their numbers and what it says of them."""
        if not isinstance(raw, Mapping):
            message = f"expected a value for each {kind.name}: {{{kind.name}: value}}"
            self.diagnostics.error("unfit-value", message, at.span)
        for key, inner in entries_at(raw).items():
            if key in kind.index:
                self.expressions.references.note(member(kind.name, key), key.span)
                yield key, kind.index[key], inner
            else:
                first = [each for each in entries_at(inner) if each in kind.index] or kind.members
                swapped = key in kind.state and first
                hint = f"members come first: {_written(kind.name, first[0], key)}" if swapped else None
                self._unknown(f"there is no {kind.name} `{key}`", key, list(kind.members), hint)

    def _value(self, variable: Variable, raw: Node, at: Text) -> int | None:
        if not isinstance(raw, Sequence) or variable.type.base not in GROUPS:
            return self._constant(raw, variable, variable.type)
        items = [_repeated(item) if variable.type.base == "list" else (item, 1) for item in raw.items]
        parts = [(self._constant(item, variable, Type("ref", variable.type.kind)), times) for item, times in items]
        members = [part for part, times in parts if part is not None for _ in range(times)]
        if any(part is None for part, _ in parts):
            return None
        if variable.type.base == "set":
            return sum(1 << member for member in {*members})
        if len(members) > variable.at_most:
            message = f"these are {len(members)}, and the list holds at most {variable.at_most}"
            self.diagnostics.error("out-of-range", message, raw.span)
        return packed(members, self.symbols.count(variable.type.kind))

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

    def _unknown(self, message: str, name: Text, known: list[str], hint: str | None = None) -> None:
        if hint is None:
            self.diagnostics.unknown("unknown-name", message, name.span, name, known)
        else:
            self.diagnostics.error("unknown-name", message, name.span, hint)

    def _meant(self, key: Text, raw: Node) -> str | None:
        """What to write instead of a member without its kind, or of a kind and its state, as format 1 has it."""
        owner, dot, state = key.partition(".")
        if dot:
            old = _written(owner, next(iter(entries_at(raw)), "member"), state)
            return f"write {old}; `polis migrate` does so in files of format 1"
        owners = self.symbols.owners.get(key, ())
        return f"write {_written(owners[0], key)}" if len(owners) == 1 else None


def _repeated(item: Node) -> tuple[Node, int]:
    """What an entry of a list names, and how often: `penny * 3` stands for three."""
    match = re.fullmatch(r"(.*?)\s*\*\s*([1-9][0-9]{0,2})", item) if isinstance(item, Text) else None
    return (item.part(*match.span(1)), int(match[2])) if isinstance(item, Text) and match is not None else (item, 1)


def _written(*path: str) -> str:
    """How the value at some keys is written.

    >>> _written("player", "red", "coins")
    '`player: {red: {coins: ...}}`'
    """
    return f"`{': {'.join(path)}: ...{'}' * (len(path) - 1)}`"
