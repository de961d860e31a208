"""Compare a position with what a case expects, and say in game words what differs."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain

from polis_rules.cases.checking import Plan
from polis_rules.cases.stage import Stage
from polis_rules.cases.telling import asked, over, place, refused
from polis_rules.diagnostics import InvalidMove
from polis_rules.interpreter.evaluator import value_at
from polis_rules.interpreter.game import Game, Refusal
from polis_rules.interpreter.runtime import State
from polis_rules.semantics import Start
from polis_rules.source import Text, spoken


class Expecting:
    """What a case expects of a game after its last decision; `before` is the state at the first one."""

    def __init__(self, plan: Plan, game: Game, before: State, stage: Stage) -> None:
        self.entry = plan.entry
        self.plan = plan
        self.game = game
        self.before = before
        self.stage = stage

    def differences(self) -> Iterator[str]:
        """One text for each thing that is not as expected."""
        return chain(
            self.values(), self.changes(), self.end(), self.decider(), self.offers(), self.refusals(), self.scores()
        )

    # -- values -----------------------------------------------------------------------------------------------------

    def values(self) -> Iterator[str]:
        for start in self.plan.then:
            variable = self.stage.symbols.variable(start.owner, start.name)
            actual = value_at(self.stage.symbols, variable, self.game.state, self.slot(start))
            if actual != start.value:
                kind = variable.type
                want, have = (self.stage.wording.value(kind, value) for value in (start.value, actual))
                yield f"{self.called(start)}: expected {want}, is {have} [{place(start.span)}]"

    def changes(self) -> Iterator[str]:
        for start in self.plan.changes:
            slot = self.slot(start)
            then, now = self.before[slot], self.game.state[slot]
            if now - then != start.value:
                want, have = f"{start.value:+d}", f"{now - then:+d} (from {then} to {now})"
                yield f"{self.called(start)}: expected a change of {want}, is {have} [{place(start.span)}]"

    def slot(self, start: Start) -> int:
        variable = self.stage.symbols.variable(start.owner, start.name)
        return self.game.program.layout.bases[start.owner, start.name] + start.index * variable.width

    def called(self, start: Start) -> str:
        """The value's place in game words."""
        slot = self.slot(start)
        indexes = next(each.indexes for each in self.stage.places if each.slot == slot)
        return self.stage.wording.place(start.owner, start.name, indexes)

    # -- what comes next --------------------------------------------------------------------------------------------

    def end(self) -> Iterator[str]:
        ends = self.entry.ends
        if ends is None:
            return
        at = f"[{place(ends.span)}]"
        result = self.game.result
        if result is None:
            yield f"the game should be over, but goes on: {self.now()} {at}"
            return
        if ends.by is not None and result.ended_by != ends.by:
            want = self.stage.rules.endings[str(ends.by)]
            yield f"the game has ended by: expected {want}, is {result.ended_by_title} {at}"
        wanted, won = sorted(map(str, ends.winner)), sorted(result.winners or ("none",))
        if wanted and wanted != won:
            want, have = (", ".join(map(self.player, names)) for names in (wanted, won))
            yield f"the winner{'s' * (len(wanted) > 1)}: expected {want}, is {have} {at}"

    def player(self, player: str) -> str:
        return self.stage.ruleset.titles.get(player, "nobody")

    def now(self) -> str:
        """Who decides what, or that the game is over."""
        decision = self.game.decision
        if decision is not None:
            return f"{decision.player_title} decides {asked(decision)}"
        return over(self.game)

    def decider(self) -> Iterator[str]:
        wanted = self.entry.decides
        decision = self.game.decision
        if wanted is not None and (decision is None or decision.player != wanted):
            yield f"{self.player(wanted)} should decide, but {self.now()} [{place(wanted.span)}]"

    def offers(self) -> Iterator[str]:
        entry, decision = self.entry, self.game.decision
        if not (entry.options is not None or entry.offers or entry.offers_not):
            return
        if decision is None:
            yield f"something should be offered, but {self.now()}"
            return
        names = {name: option.id for option in decision.options for name in (option.title.lower(), option.id)}
        exact = entry.options or []
        for wanted in (*exact, *entry.offers):
            if wanted.lower() not in names:
                yield self.missing(wanted)
        for wanted in entry.offers_not:
            if wanted.lower() in names:
                yield f"{wanted} should not be offered, and is: {self.now()} [{place(wanted.span)}]"
        if entry.options is not None:
            listed = {names.get(wanted.lower()) for wanted in exact}
            more = [option.id for option in decision.options if option.id not in listed]
            if more:
                yield f"offered besides what `options` lists: {', '.join(more)}"

    def missing(self, wanted: Text) -> str:
        head = f"{wanted} should be offered, and is not: {self.now()} [{place(wanted.span)}]"
        return "\n  ".join([head, *refused(self.game, wanted)])

    def refusals(self) -> Iterator[str]:
        for name, labels in self.entry.refused.items():
            at = f"[{place(name.span)}]"
            try:
                refusals = self.game.why_not(name)
            except InvalidMove as error:
                yield f"{name} should be refused, but {error}; {self.now()} {at}"
                continue
            if not refusals:
                yield f"{name} should be refused, and is not: {self.now()} {at}"
                continue
            for label in labels:
                if not any(_speaks_of(refusal, label) for refusal in refusals):
                    reasons = "".join(f"\n  refused: {each.text}" for each in refusals)
                    yield f"{name} should be refused because {spoken(label)} {at}{reasons}"

    # -- scores -----------------------------------------------------------------------------------------------------

    def scores(self) -> Iterator[str]:
        """The score terms as they are now, whether the game is over or not."""
        players = self.stage.symbols.kinds["player"]
        evaluator = self.stage.program.evaluator
        for player, terms in self.entry.scores.items():
            who = {"who": players.index[player]}
            have = {id: evaluator.value(term, self.game.state, who) for id, term in self.stage.rules.score.items()}
            have["total"] = sum(have.values())
            for term, wanted in terms.items():
                if have[term] != int(wanted):
                    title = players.titles[who["who"]]
                    yield f"{title}, score {spoken(term)}: expected {wanted}, is {have[term]} [{place(wanted.span)}]"


def _speaks_of(refusal: Refusal, label: str) -> bool:
    """Whether a refusal has this label, or words that a player reads, by themselves or in a list of several."""
    return (
        label in refusal.ids
        or re.search(rf"(^|: |, | and ){re.escape(spoken(label))}($|, | and )", refusal.label) is not None
    )
