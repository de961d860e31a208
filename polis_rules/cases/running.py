"""Play one case: its position, its decisions, and what chance is told to give."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass

from polis_rules.cases.checking import Plan
from polis_rules.cases.dice import UnfitDiceError, outcome_of, single_dice
from polis_rules.cases.expecting import Expecting
from polis_rules.cases.reading import Case
from polis_rules.cases.stage import Stage
from polis_rules.cases.telling import CaseFailed, CaseResult, asked, offered, over, place, refused, told
from polis_rules.diagnostics import PolisError, RuleError, Span, first_of
from polis_rules.interpreter.game import MOST_ANSWERS, Chance, Decision, Game, Option
from polis_rules.interpreter.runtime import State
from polis_rules.source import Text

MOST_FORCED = 100
"""So many decisions that leave no choice are taken one after the other: rules may ask for the same one for ever."""

MOST_ALONE = 500
"""How many decisions without a choice are taken by themselves, one after the other."""


def play(case: Case, plan: Plan, stage: Stage) -> CaseResult:
    """The result of a case whose names have been checked."""
    player = _Play(case, plan, stage)
    failures = tuple(player.run())
    report = tuple(player.game.report) if player.game is not None else ()
    return CaseResult(case, failures, tuple(player.notes), report)


def told_as_played(case: Case, plan: Plan, stage: Stage) -> tuple[str, ...]:
    """What happens in a case that holds, in sentences; none where it does not hold."""
    player = _Play(case, plan, stage)
    failures = player.run()
    return () if failures or player.game is None else tuple(player.game.sentences())


@dataclass(frozen=True, slots=True)
class Stopped:
    """Where a case that fails stands."""

    game: Game
    """before the decision that cannot be made, or after the last one"""
    rule: str
    """the path of the rule that asks there, or of what was done last; empty where nothing was"""
    span: Span | None
    """the requirement that does not hold, or the line that cannot be worked out"""


def stopped(case: Case, plan: Plan, stage: Stage) -> Stopped | None:
    """The game in which a case fails, and the rule that has to do with it; None where it does not even begin."""
    player = _Play(case, plan, stage)
    player.run()
    game = player.stands or player.game
    if game is None:
        return None
    span, entry = player.broken, plan.entry
    for name in [player.missed] if player.missed else [*entry.offers, *entry.refused]:
        with suppress(PolisError):
            span = span or next((each.span for each in game.why_not(name)), None)
    asking = game.decision.rule if game.decision is not None else ""
    return Stopped(game, player.rule or asking, span)


class _Play:
    """One run of one case."""

    def __init__(self, case: Case, plan: Plan, stage: Stage) -> None:
        self.case = case
        self.plan = plan
        self.stage = stage
        self.answers = {stream: list(outcomes) for stream, outcomes in plan.answers.items()}
        self.notes: list[str] = []
        self.drawn: list[str] = []
        """what chance gave since the last written decision, without the case saying so"""
        self.game: Game | None = None
        self.stands: Game | None = None
        """the game before the decision that cannot be made"""
        self.missed = ""
        """what is not offered there"""
        self.rule = ""
        """the path of the rule that was asked last"""
        self.broken: Span | None = None
        """the line of the rules that could not be worked out, or that the given position breaks"""

    def run(self) -> list[str]:
        """Everything that differs from what the case says."""
        try:
            game = self.begin()
            before = game.state[:]
            for number, (who, option) in enumerate(self.plan.moves, 1):
                try:
                    self.decide(game, who, option)
                    self.answer_chance(game)
                except (CaseFailed, PolisError) as error:
                    self.broken = error.span if isinstance(error, RuleError) else None
                    step = f"step {number}, {who}: {option} [{place(option.span)}]"
                    raise CaseFailed(f"{step}\n  {told(error)}") from None
        except CaseFailed as failed:
            return [str(failed)]
        wrong = self.differences(game, before)
        if wrong and self.forced(game):  # a last decision that leaves no choice is taken by itself where that helps
            later = game.copy()
            with suppress(CaseFailed, PolisError):
                for _ in range(MOST_FORCED):
                    if (decision := self.forced(later)) is None:
                        break
                    later.apply(decision.options[0])
                    self.answer_chance(later)
                    if not self.differences(later, before):
                        self.game = later
                        return []
        return wrong

    def differences(self, game: Game, before: State) -> list[str]:
        """What differs from what the case expects."""
        return [*Expecting(self.plan, game, before, self.stage).differences(), *self.unused()]

    def forced(self, game: Game) -> Decision | None:
        """The decision that waits, where it leaves no choice and the case does not speak of it."""
        entry, decision = self.plan.entry, game.decision
        asks = entry.options is not None or entry.offers or entry.offers_not or entry.refused or entry.decides
        return decision if decision is not None and len(decision.options) == 1 and entry.do and not asks else None

    def begin(self) -> Game:
        """The game at its first decision."""
        try:
            game = self.game = self.stage.game(self.plan.given)
            for text, holds, span in self.stage.sound:
                if not holds(game.state):
                    self.broken = span
                    raise CaseFailed(f"the given position breaks what must always hold: {text}")
            self.answer_chance(game)
        except (CaseFailed, PolisError) as error:
            raise CaseFailed(f"before the first decision: {told(error)}") from None
        return game

    # -- chance -----------------------------------------------------------------------------------------------------

    def answer_chance(self, game: Game) -> None:
        """Give what the case says; where it says nothing, what the engine would."""
        for _ in range(MOST_ANSWERS):
            if (chance := game.chance) is None:
                return
            if (span := self.plan.silent.get(chance.stream)) is not None:
                raise CaseFailed(f"{chance.stream} should have nothing to give, but is asked [{place(span)}]")
            waiting = self.answers.get(chance.stream)
            if waiting:
                game.answer(self.outcome(game, chance, waiting.pop(0)))
            else:
                self.drawn.append(f"{chance.stream}: {(outcome := game.rolled_by_seed())}")
                game.answer(outcome)
        raise game.undecided()

    def outcome(self, game: Game, chance: Chance, name: Text) -> str:
        """The id of what chance is to give: by its id or else by its title, or from what single dice show."""
        if (eyes := single_dice(name)) is not None:
            try:
                return outcome_of(game, eyes)
            except UnfitDiceError as error:
                raise CaseFailed(f"{chance.stream} cannot show {name}: {error} [{place(name.span)}]") from None
        titles = self.stage.streams[chance.stream]
        titled = [id for id in chance.outcomes if titles[id] == name.lower()]
        if name in chance.outcomes or len(titled) == 1:
            return name if name in chance.outcomes else titled[0]
        possible = ", ".join(chance.outcomes)
        message = f"{chance.stream} cannot come out as {name} here [{place(name.span)}]\n  possible: {possible}"
        raise CaseFailed(message)

    def unused(self) -> list[str]:
        """Whatever chance was to give and never had to."""
        return [
            f"never needed: {stream} {', '.join(left)} [{place(left[0].span)}]"
            for stream, left in self.answers.items()
            if left and stream not in self.case.shared
        ]

    # -- decisions --------------------------------------------------------------------------------------------------

    def decide(self, game: Game, who: Text, name: Text) -> None:
        """Make a written decision, after those before it that leave no choice."""
        first = None
        noted, before = len(self.notes), len(self.drawn)
        while (option := wanted(game.decision, who, name)) is None:
            decision = game.decision
            alone = decision is not None and len(decision.options) == 1
            if decision is None or not alone or len(self.notes) - noted >= MOST_ALONE:
                del self.notes[noted:]
                stands = self.stands = first or game
                self.missed = name
                if stands.decision is not None:
                    self.rule = stands.decision.rule
                why = refusal(stands, who, name, tried=first is not None)
                drawn = self.drawn[:before]
                if drawn and (stands.decision is None or stands.decision.player != who):
                    why += f"\n  drawn before, not given: {first_of(drawn)}"
                raise CaseFailed(why)
            first = first or game.copy()
            only = decision.options[0]
            self.notes.append(
                f"left no choice, so taken by itself: {decision.player_title}, {asked(decision)} - {only.title}"
            )
            game.apply(only)
            self.answer_chance(game)
        self.drawn.clear()
        if game.decision is not None:
            chosen = f"actions.{option.id}"
            self.rule = chosen if chosen in self.stage.rules.procedures else game.decision.rule
        game.apply(option)


def wanted(decision: Decision | None, who: str, name: str) -> Option | None:
    """The option that is meant, by its id or else by its title; None when it is not there."""
    if decision is None or decision.player != who:
        return None
    for option in decision.options:
        if option.id == name:
            return option
    titled = [option for option in decision.options if option.title.lower() == name.lower()]
    if len(titled) > 1:
        raise CaseFailed(f"several options are called {name}: {', '.join(option.id for option in titled)}")
    return titled[0] if titled else None


def refusal(game: Game, who: str, name: str, tried: bool) -> str:
    """Why a decision cannot be made."""
    decision = game.decision
    if decision is None:
        return over(game)
    players = game.program.rules.symbols.kinds["player"]
    lines = []
    if decision.player != who:
        lines.append(
            f"it is {decision.player_title} who decides, not {players.titles[players.index[who]]}: {asked(decision)}"
        )
    else:
        lines += [f"not offered: {asked(decision)}", *refused(game, name), f"offered: {offered(decision)}"]
    if tried:
        lines.append("the only option was taken, and the game after it offers this neither")
    return "\n  ".join(lines)
