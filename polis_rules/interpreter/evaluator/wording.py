"""Values, places and steps in words, for reports, options and refusals."""

from __future__ import annotations

from re import Match

from polis_rules.diagnostics import amount
from polis_rules.interpreter.evaluator.evaluate import Evaluator, Names, NothingThereError, State
from polis_rules.interpreter.evaluator.view import HiddenError
from polis_rules.semantics import Symbols, Variable, ir, unpacked
from polis_rules.semantics.expressions import Bool, Compare, Const, Expr, Load, Not, Type

MOST_NAMED = 6
"""Where more than these go from list to list they are only counted."""


class Wording:
    """Speaks about one ruleset."""

    def __init__(self, symbols: Symbols) -> None:
        self.symbols = symbols

    def title(self, kind: str, member: int) -> str:
        """A member's title; none is "nobody" or "nothing"."""
        if member < 0:
            return "nobody" if kind == "player" else "nothing"
        return self.symbols.kinds[kind].titles[member]

    def value(self, kind: Type, value: int, within: bool = False) -> str:
        """A value of a type, e.g. `3`, `yes`, a title, or titles; `within` a sentence or alone."""
        if kind.base == "bool":
            return "yes" if value else "no"
        if kind.base == "ref":
            title = self.symbols.title_within if within and value >= 0 else self.title
            return title(kind.kind, value)
        if kind.base == "set":
            titles = self.symbols.kinds[kind.kind].titles
            return _joined([title for number, title in enumerate(titles) if value >> number & 1])
        if kind.base == "list":
            titles = self.symbols.kinds[kind.kind].titles
            return _joined([titles[member] for member in unpacked(value, len(titles))])
        return "nothing" if kind.base == "none" else str(value)

    def told(self, tree: Expr, evaluator: Evaluator, state: State, names: Names, within: bool = False) -> str:
        """The value of an expression in words, as far as the evaluator may see it; `within` a sentence or alone."""
        try:
            return self.value(tree.type, evaluator.value(tree, state, names), within)
        except NothingThereError:
            return "nothing"
        except HiddenError:
            return "hidden"

    def filled(self, text: str, shown: ir.Shown, evaluator: Evaluator, state: State, names: Names) -> str:
        """A text with the values of what stands in braces in it."""
        for part, value in shown:
            begin, rest = (part, text.removeprefix(part)) if text.startswith(part) else ("", text)
            begin = self.told(value, evaluator, state, names) if begin else ""
            text = begin + rest.replace(part, self.told(value, evaluator, state, names, within=True))
        return text

    def place(self, owner: str, name: str, args: tuple[int, ...], player: int = -1) -> str:
        """A state value's place, e.g. `North (coins, Red)`; what a `player` has without its title, as it was told."""
        variable = self.symbols.variable(owner, name)
        label = variable.label
        titles = [self.title(kind, member) for kind, member in zip(variable.kinds, args, strict=True)]
        if owner == "player" and args[0] == player:
            return f"{label} ({', '.join(titles[1:])})" if titles[1:] else label
        if not titles:
            return label
        if owner == "player" and len(titles) > 1:
            return f"{titles[0]} ({', '.join(titles[1:])})"
        return f"{titles[0]} ({', '.join([label, *titles[1:]])})"

    def resource(self, target: Load, args: tuple[int, ...]) -> str:
        """What is paid or gained, e.g. `coin`."""
        variable = self.symbols.variable(target.owner, target.name)
        if variable.per:
            return self.symbols.title_within(variable.per[-1][1], args[-1])
        return variable.label

    def cost(self, payments: tuple[ir.Payment, ...], evaluator: Evaluator, state: State, names: Names) -> str:
        """A cost, e.g. `2 coin, 1 stone or 1 brick`; empty when it is nothing or not yet known."""

        def told(payment: ir.Amount) -> str:
            try:
                number = evaluator.value(payment.amount, state, names)
                args = tuple(evaluator.value(arg, state, names) for arg in payment.target.args)
            except (KeyError, NothingThereError, HiddenError):
                return ""
            return amount(number, self.resource(payment.target, args)) if number else ""

        parts = (" or ".join(dict.fromkeys(filter(None, map(told, payment.parts)))) for payment in payments)
        return ", ".join(filter(None, parts))

    # -- what happened ----------------------------------------------------------------------------------------------

    def happened(self, step: ir.Step, values: tuple[int, ...], counted: bool = False) -> str | None:
        """One line about something that happened; None for bookkeeping.

        What goes from list to list is named, if it is not too much; or only `counted`.
        """
        if isinstance(step, ir.Shuffled):
            return f"  {self.place(step.target.owner, step.target.name, values)} is shuffled" * self.shown(step.target)
        told = self.targets(step, values)
        places = [self.place(each.owner, each.name, args) if self.shown(each) else "" for each, args in told]
        if not any(places):
            return None
        match step:
            case ir.Amount() if values[-1]:
                verb = {"pay": "pays", "gain": "gains", "lose": "loses"}[step.verb]
                what = self.resource(step.target, values[:-1])
                return f"  {self.title('player', values[0])} {verb} {amount(values[-1], what)}"
            case ir.MoveMembers() if step.amount.type.base == "ref" or values[0]:
                titles, number = self.moved(step, values[0], counted)
                return f"  {_joined(titles) if titles else number}{self.ways(step, values)}"
            case ir.Sort():
                return f"  {places[0]}: {self.value(step.target.type, values[-1])}"
            case ir.Move() if values[0]:
                ends = (f" {word} {place}" for word, place in zip(("from", "to"), places, strict=True) if place)
                return f"  {values[0]}{''.join(ends)}"
            case ir.Set() if values[-2] != values[-1]:
                variable = self.symbols.variable(step.target.owner, step.target.name)
                return f"  {places[0]}: {self.value(variable.type, values[-1])}"
        return None

    def moved(self, step: ir.MoveMembers, value: int, counted: bool) -> tuple[list[str], int]:
        """The titles of what goes from list to list, a member or so many from the top, and its number; no titles where
        it is too much to be named, or only `counted`."""
        if step.amount.type.base == "ref":
            return [self.value(step.amount.type, value)], 1
        titles = self.symbols.kinds[step.source.type.kind].titles
        members = unpacked(value, len(titles))
        return [] if counted or len(members) > MOST_NAMED else [titles[each] for each in members], len(members)

    def ways(self, step: ir.MoveMembers, values: tuple[int, ...], player: int = -1) -> str:
        """From where to where it goes, as far as these places have titles, e.g. ` from pile to hand`; what a `player`
        has without its title."""
        told = self.targets(step, values)
        places = [self.place(each.owner, each.name, args, player) if self.shown(each) else "" for each, args in told]
        words = ("" if told[0] == told[1] else "from", "to the bottom of" if step.under else "to")
        return "".join(f" {word} {place}" for word, place in zip(words, places, strict=True) if word and place)

    def becomes(self, variable: Variable, values: tuple[int, ...]) -> str | None:
        """How the ruleset tells that state has another value, if it says so: `values` are the members it belongs to,
        what it was, and what it is. What `new` names has to be there, or be a player or nobody."""
        if variable.says is None:
            return None
        *args, old, new = values
        if new < 0 and variable.type.base == "ref" and variable.type.kind != "player" and "{new}" in variable.says:
            return None  # that a piece comes to nothing is no sentence
        titles = map(self.symbols.title_within, variable.kinds, args)
        names = dict(zip(variable.spoken_names, titles, strict=True))
        names |= {each: self.value(variable.type, value, within=True) for each, value in (("old", old), ("new", new))}

        def word(part: Match[str]) -> str:
            pair = ir.PAIR.fullmatch(part[1])
            return names[part[1]] if pair is None else pair[1] if new > old else pair[2]

        return ir.IN_BRACES.sub(word, variable.says)

    def shown(self, target: Load) -> bool:
        return bool(self.symbols.variable(target.owner, target.name).title)

    def targets(self, step: ir.Step, values: tuple[int, ...]) -> list[tuple[Load, tuple[int, ...]]]:
        """The state values that something which happened tells about, to see who may know."""
        match step:
            case ir.Amount():
                return [(step.target, values[:-1])]
            case ir.Move():
                cut = 1 + len(step.source.args)
                return [(step.source, values[1:cut]), (step.target, values[cut:])]
            case ir.Set():
                return [(step.target, values[:-2])]
            case ir.Sort():
                return [(step.target, values[:-1])]
        return []


def _joined(titles: list[str]) -> str:
    """Titles one after the other; ones that have commas themselves stay apart."""
    return ("; " if any("," in title for title in titles) else ", ").join(titles) or "nothing"


def sides(test: Expr) -> list[tuple[str, Expr]]:
    """The parts of a condition whose values explain it: both sides of each comparison in it."""
    if isinstance(test, Compare):
        pairs = [(test.left_text, test.left), (test.right_text, test.right)]
        return [(text, side) for text, side in pairs if text and not isinstance(side, Const)]
    if isinstance(test, Bool):
        return [part for item in test.items for part in sides(item)]
    return sides(test.item) if isinstance(test, Not) else []
