"""Why something is not offered: every requirement that fails, with the values that decide."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from itertools import islice, product

from polis_rules.diagnostics import InvalidMove, did_you_mean, first_of, nearest, quote, shortened
from polis_rules.interpreter.evaluator import Names, State, sides
from polis_rules.interpreter.game.called_terms import sides_of_terms
from polis_rules.interpreter.game.decision import Decision, Refusal
from polis_rules.interpreter.game.options import Options, kinds_of, known_names
from polis_rules.interpreter.machine import PC
from polis_rules.semantics import KindSymbol, ir
from polis_rules.semantics.expressions import Compare, Const, Possible
from polis_rules.source import spoken

MOST_NAMED = 3
"""Of more members that a condition refuses, only the first are named."""
MOST_KNOWN = 10_000
"""Of more combinations only the first are looked through for one that is called much alike."""


class Refusals:
    """Looks for refusals at one position; `sight` is what the player who is refused may see.

    `unknown` are the local names that stand for what this player may not know.
    """

    def __init__(self, options: Options, state: State, unknown: Collection[str]) -> None:
        self.program = options.program
        self.state = state
        self.evaluator = options.evaluator
        self.unknown = unknown
        self.sight = options.sight(options.program.decider(state), unknown)
        self.wording = options.wording
        self.names = known_names(options.program, state)

    def of(self, decision: Decision, name: str) -> list[Refusal]:
        """All failed requirements of something that could have been offered at the present decision.

        After an action may stand what would be chosen for it first: `dig north`.
        """
        wanted = name.strip().lower()
        if any(wanted in (option.id.lower(), option.title.lower()) for option in decision.options):
            return []
        step = self.program.points[self.state[PC]].step
        assert isinstance(step, ir.Choose)
        if not wanted:
            offered = {option.id for option in decision.options}
            missing = [each for each in self.known(step) if each not in offered]
            raise InvalidMove(f"not offered here: {first_of(missing)}" if missing else "everything here is offered")
        about_actions = step.source is not None and step.source.type.kind == "action"
        action, _, choice = name.strip().partition(" ")
        for rule in self.program.rules.actions if choice and about_actions else ():
            if rule.id == action.lower() and rule.first is not None:
                self.names = {"you": self.names["you"]}
                return self.failed(rule.conditions, self.names) + self.named(rule.first, choice)
        return self.named(step, name)

    def by_action(self, name: str) -> dict[str, list[Refusal]]:
        """Where an action is chosen: for each, by its title, that something of this name is chosen for first, all
        requirements that keep it from being chosen for it; none where it may be."""
        step = self.program.points[self.state[PC]].step
        assert isinstance(step, ir.Choose)
        symbols, wanted = self.program.rules.symbols, name.strip().lower()
        found: dict[str, list[Refusal]] = {}
        if step.source is None or step.source.type.kind != "action" or step.parts:
            return found
        actions = symbols.kinds[step.source.type.kind]
        for rule in self.program.rules.actions:
            kind = _first_kind(rule, symbols.kinds)
            number = _called(wanted, kind) if kind is not None else None
            if number is not None and rule.first is not None and _called(wanted, actions) is None:
                asked = self.choice(step, [actions.index[rule.id]])
                outer, self.names = self.names, {"you": self.names["you"]}
                found[rule.title] = [
                    *asked,
                    *self.failed(rule.conditions, self.names),
                    *self.choice(rule.first, [number]),
                ]
                self.names = outer
        return found

    def named(self, step: ir.Choose, name: str) -> list[Refusal]:
        """All failed requirements of something of that name at a choice. Raises InvalidMove where there is none."""
        wanted = name.strip().lower()
        for way in step.ways:
            if wanted in (way.id.lower(), way.title.lower()):
                return self.failed(way.conditions, self.names)
        if step.source is not None:
            kinds = kinds_of(step, self.program.rules.symbols)
            for words in (wanted.split(maxsplit=len(kinds) - 1), wanted.split("; ")):
                found = [_called(word, kind) for word, kind in zip(words, kinds, strict=False)]
                if len(words) == len(kinds) and None not in found:
                    return self.members(step, [number for number in found if number is not None])
        elif wanted.lstrip("-").isdigit():
            return self.number(step, int(wanted))
        if told := self.elsewhere(step, wanted):
            raise InvalidMove(told)
        close = nearest(wanted, self.known(step))
        told = f"; {did_you_mean(close)}" if close else ""
        raise InvalidMove(f"nothing here is called {shortened(name)}{told}")

    def known(self, step: ir.Choose) -> list[str]:
        """The ids of what might be offered at a choice, but for numbers; the first of very many."""
        kinds = kinds_of(step, self.program.rules.symbols) if step.source is not None else ()
        members = islice(product(*(kind.members for kind in kinds)), MOST_KNOWN if kinds else 0)
        return [*(way.id for way in step.ways), *map(" ".join, members)]

    def elsewhere(self, step: ir.Choose, wanted: str) -> str:
        """That what is called so is not what is chosen here, and how to ask about it; nothing if nothing is."""
        kinds = self.program.rules.symbols.kinds
        of = {kind.name: _called(wanted, kind) for kind in kinds.values() if kind.name != "action"}
        known = {name: number for name, number in of.items() if number is not None}
        if not known:
            return ""
        name, number = next(iter(known.items()))
        these = " or ".join(kinds[each].title for each in known)
        about_actions = step.source is not None and step.source.type.kind == "action"
        firsts = ((each.id, _first_kind(each, kinds)) for each in self.program.rules.actions)
        fit = [id for id, kind in firsts if kind is not None and kind.name in known and about_actions]
        ask = f"; ask about `{fit[0]} {kinds[name].members[number]}`" if fit else ""
        seen = {name: value for name, value in self.names.items() if name not in self.unknown}
        asked = quote(self.wording.filled(step.title, step.shown, self.sight, self.state, seen))
        return f"{kinds[name].titles[number]} is one of {these}, and no answer to {asked}{ask}"

    def members(self, step: ir.Choose, numbers: list[int]) -> list[Refusal]:
        """Why a member, or one for each name, is not offered; of an action also why it is not possible."""
        refusals = self.choice(step, numbers)
        if step.source is not None and step.source.type.kind == "action" and not step.parts:
            refusals += self.action(self.program.rules.actions[numbers[0]])
        return refusals

    def choice(self, step: ir.Choose, numbers: list[int]) -> list[Refusal]:
        """What a choice itself has against a member, or one for each name."""
        names, refusals = self.names, []
        for (name, source), number in zip(step.chosen, numbers, strict=True):
            assert source is not None
            if not self.evaluator.value(source, self.state, names) >> number & 1:
                what = f" as {spoken(name)}" if step.parts else ""
                refusals.append(Refusal(f"it is not among what can be chosen{what or ' here'}", "", {}, step.span))
            names = {**names, name: number}
        if refusals:
            return refusals  # conditions are made for what can be chosen, and may tell what is hidden of the rest
        asked = [each for each in step.tests if not isinstance(each.test, Possible)]
        refusals += self.failed(asked, names)
        if not refusals and step.leaving:
            refusals.append(self.afterwards(step))
        return refusals

    def number(self, step: ir.Choose, number: int) -> list[Refusal]:
        """Why a number is not offered."""
        assert step.low is not None and step.high is not None
        low = self.evaluator.value(step.low, self.state, self.names)
        high = self.evaluator.value(step.high, self.state, self.names)
        if not low <= number <= high:
            return [Refusal(f"the number must be from {low} to {high}", "", {}, step.span)]
        return self.failed(step.conditions, {**self.names, step.var: number})

    def afterwards(self, step: ir.Choose) -> Refusal:
        condition = step.leaving[0]
        label = " and ".join(each.words for each in step.leaving)
        ids = tuple(each.label for each in step.leaving)
        return Refusal(f"afterwards: {label}", condition.text, {}, condition.span, ids)

    def action(self, rule: ir.ActionRule) -> list[Refusal]:
        """Why an action is not possible: its own requirements, or those of all that it could be done to."""
        names = {"you": self.names["you"]}
        own = self.failed(rule.conditions, names)
        if own or rule.first is None:
            return own
        candidates = list(self.evaluator.candidates(rule.first, self.state, names))
        failing = [self.failed(rule.first.conditions, {**names, rule.first.var: number}) for number in candidates]
        if not all(failing):
            return []
        source = rule.first.source
        kind = self.program.rules.symbols.kinds[source.type.kind] if source is not None else None
        what = f"{kind.title[:1].lower()}{kind.title[1:]}" if kind is not None else spoken(rule.first.var)
        if not failing:
            return [Refusal(f"there is no {what} to choose", "", {}, rule.first.span)]
        titles = kind.titles if kind is not None else ()
        refused: dict[str, tuple[Refusal, list[str]]] = {}
        for number, refusals in zip(candidates, failing, strict=True):
            for each in refusals:
                refused.setdefault(each.label, (each, []))[1].append(titles[number] if titles else str(number))
        return [
            Refusal(f"no {what} {_first(names)}: {label}", each.expression, {}, each.span, each.ids)
            for label, (each, names) in refused.items()
        ]

    def failed(self, conditions: Iterable[ir.Condition], names: Names) -> list[Refusal]:
        """The conditions that do not hold."""
        refusals = []
        for condition in conditions:
            test = condition.test
            if not self.evaluator.holds(test, self.state, names):
                known = {name: value for name, value in names.items() if name not in self.unknown}
                told = self.wording.told
                values = {text: told(side, self.sight, self.state, known) for text, side in sides(test)}
                within = sides_of_terms(
                    self.program.rules.symbols, self.sight, (condition.text, test), self.state, known
                )
                values |= {text: told(side, self.sight, self.state, inner) for text, side, inner in within}
                if condition.is_bare and condition.label == "cost" and isinstance(test, Compare):
                    values |= {"the cost": str(test.right.value)} if isinstance(test.right, Const) else {}
                says = self.wording.filled(condition.words, condition.shown, self.sight, self.state, known)
                refusals.append(Refusal(says, condition.text, values, condition.span, (condition.label,)))
        return refusals


def _first_kind(rule: ir.ActionRule, kinds: Mapping[str, KindSymbol]) -> KindSymbol | None:
    """Of what one is chosen first for an action; None where nothing is, or several at once."""
    source = rule.first.source if rule.first is not None and not rule.first.parts else None
    return kinds[source.type.kind] if source is not None else None


def _called(word: str, kind: KindSymbol) -> int | None:
    """The first member that has this id or title."""
    titles = [title.lower() for title in kind.titles]
    return kind.index.get(word, titles.index(word) if word in titles else None)


def _first(names: list[str]) -> str:
    """The first few of many names."""
    more = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
    return ", ".join(names[:MOST_NAMED]) + more
