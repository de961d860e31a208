"""A running game: one protocol for people, bots, tests and replays."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from polis_rules.diagnostics import IllegalMove, InvalidMove, PolisError, RuleError, did_you_mean, nearest
from polis_rules.interpreter.evaluator import Names
from polis_rules.interpreter.game.decision import Chance, Decision, LogEntry, Option, Refusal, Result
from polis_rules.interpreter.game.options import Offer
from polis_rules.interpreter.game.refusals import refusals
from polis_rules.interpreter.game.report import Mark, Report
from polis_rules.interpreter.game.scoring import result_of, worked_out
from polis_rules.interpreter.machine import ENDING, LEAVE, PC, YOU
from polis_rules.interpreter.runtime import Program, State, fingerprint
from polis_rules.semantics import ir

if TYPE_CHECKING:
    from polis_rules.ruleset import Ruleset

MOST_ANSWERS = 10_000
"""How often chance may be answered between two decisions."""

Past = tuple[State, int, Mark]
"""A position to come back to: the state, the length of the log, the mark of the report."""


class Game:
    """One game. `ruleset.start()` makes it.

    >>> from polis_rules import load
    >>> game = load("yucata").start(seed=7)
    >>> first = game.decision
    >>> game.apply(first.options[0])
    >>> game.undo(), game.decision == first
    (True, True)
    """

    def __init__(
        self, ruleset: Ruleset, program: Program, seed: int, chance: Literal["auto", "manual"] = "auto"
    ) -> None:
        self.ruleset = ruleset
        self.program = program
        self.seed = seed
        self.automatic = chance == "auto"
        self.offer = Offer(program)
        self._report = Report(program)
        self._log: list[LogEntry] = []
        self._past: list[Past] = []
        self._decision: Decision | None = None
        self._options: list[int] = []
        program.events.clear()
        self.state = program.new_state(seed)
        self._report.take(self.state)
        self._settle()
        self._first_round = self.round

    # -- what is to be decided --------------------------------------------------------------------------------------

    @property
    def finished(self) -> bool:
        """Whether the game is over."""
        return self.state[ENDING] >= 0

    @property
    def decision(self) -> Decision | None:
        """Who has to choose what; None when the game is over or waits for chance."""
        if self.finished or self.program.is_chance[self.state[PC]]:
            return None
        if self._decision is None:
            self._decision = self.offer.decision(self.state, self._options)
        return self._decision

    @property
    def chance(self) -> Chance | None:
        """The dice or the draw that waits for `answer`; always None while the engine answers chance itself."""
        if self.finished or not self.program.is_chance[self.state[PC]]:
            return None
        step = self.program.points[self.state[PC]].step
        assert not isinstance(step, ir.Choose)
        return Chance(step.stream, tuple(self.offer.outcome(step, number) for number in self._options))

    @property
    def log(self) -> tuple[LogEntry, ...]:
        """Every decision as ("decision", player, option) and every chance as ("chance", stream, outcome), in order."""
        return tuple(self._log)

    # -- going on ---------------------------------------------------------------------------------------------------

    def apply(self, option: Option | str) -> None:
        """Choose an option, by itself or by its id.

        Raises InvalidMove when there is nothing of that name, IllegalMove (with the reasons) when it is not allowed
        now, RuleError when a rule fails; the game is then as it was before.
        """
        decision = self.decision
        if decision is None:
            raise IllegalMove("the game is over" if self.finished else "the game waits for chance, not for a decision")
        name = option if isinstance(option, str) else option.id
        found = next((each for each in decision.options if each.id == name), None)
        if found is None:
            reasons = self.why_not(name)
            lines = "; ".join(reason.text for reason in reasons)
            raise IllegalMove(f"{name} is not allowed: {lines}" if lines else f"{name} is not offered")
        line = self._report.decided(decision, found, self.way(found))
        self._do(found.value, ("decision", decision.player, found.id), line)

    def answer(self, outcome: str) -> None:
        """Answer the waiting chance. Raises InvalidMove when it cannot come out so."""
        chance = self.chance
        if chance is None:
            raise IllegalMove("no chance waits for an answer")
        if outcome not in chance.outcomes:
            close = nearest(outcome, chance.outcomes)
            raise InvalidMove(
                f"{chance.stream} cannot come out as {outcome}" + (f"; {did_you_mean(close)}" if close else "")
            )
        self._chance(self._options[chance.outcomes.index(outcome)])

    def _do(self, value: int, entry: LogEntry, line: str) -> None:
        before = (self.state[:], len(self._log), self._report.mark())
        self._log.append(entry)
        self._report.begin(self.state, entry, line)
        try:
            self._step(value)
        except RuleError as error:
            self._back(before)
            raise RuleError(error.message, error.span, self.hash()) from None
        except PolisError:
            self._back(before)
            raise
        self._past.append(before)

    def _chance(self, value: int) -> None:
        step = self.program.points[self.state[PC]].step
        assert not isinstance(step, ir.Choose)
        outcome = self.offer.outcome(step, value)
        self._do(value, ("chance", step.stream, outcome), self._report.came_out(step, outcome))

    def _step(self, value: int) -> None:
        self.program.events.clear()
        try:
            self.program.apply(self.state, value)
            self._report.take(self.state)
            self.program.check(self.state)
            self._settle()
        finally:
            self.program.events.clear()

    def _settle(self) -> None:
        """Answer chance and pass over choices that may be empty, until somebody has to decide."""
        for _ in range(MOST_ANSWERS):
            self._decision = None
            if self.finished:
                self._options = []
                return
            if self.state[PC] == self.program.finished:
                game = self.program.rules.procedures["phases.game"]
                raise RuleError("the game stops here without an ending", game.span, self.hash())
            self._options = self.program.options(self.state)
            point = self.program.points[self.state[PC]]
            if not self._options:
                if point.leave < 0:
                    raise self.program.dead_end(self.state)
                self.program.apply(self.state, LEAVE)
                self._report.take(self.state)
                continue
            if not self.automatic or not self.program.is_chance[self.state[PC]]:
                return
            self._answer_itself()
        message = f"this goes on for more than {MOST_ANSWERS} times without anybody deciding"
        raise RuleError(message, self.program.points[self.state[PC]].step.span, self.hash())

    def _answer_itself(self) -> None:
        value = self.program.outcome(self.state)
        step = self.program.points[self.state[PC]].step
        assert not isinstance(step, ir.Choose)
        outcome = self.offer.outcome(step, value)
        entry: LogEntry = ("chance", step.stream, outcome)
        self._log.append(entry)
        self._report.begin(self.state, entry, self._report.came_out(step, outcome))
        self.program.events.clear()
        self.program.apply(self.state, value)
        self._report.take(self.state)
        self.program.check(self.state)

    # -- back, copies, names ----------------------------------------------------------------------------------------

    def undo(self) -> bool:
        """Take the last decision (or answered chance) back, with everything that came of it; False at the beginning."""
        if not self._past:
            return False
        self._back(self._past.pop())
        return True

    def _back(self, before: Past) -> None:
        state, entries, lines = before
        self.state = state[:]  # a copy of this game may share this past
        del self._log[entries:]
        self._report.cut(lines)
        self._decision = None
        self._options = [] if self.finished else self.program.options(self.state)

    def copy(self) -> Game:
        """Another game at the same position, with the same past."""
        other = object.__new__(Game)
        other.__dict__.update(self.__dict__)
        other.state = self.state[:]
        other._log = self._log[:]
        other._past = self._past[:]
        other._report = self._report.copy()
        return other

    def elsewhere(self, state: State) -> Game:
        """A copy with the same past that stands at another state, one of the same step and acting player."""
        other = self.copy()
        other.state = state[:]
        other._decision = None
        other._options = [] if other.finished else self.program.options(state)
        return other

    def hash(self) -> str:
        """A short name of the position: 16 hexadecimal digits, the same in every process."""
        return fingerprint(self.state)

    # -- knowing ----------------------------------------------------------------------------------------------------

    @property
    def report(self) -> list[str]:
        """What happened so far, one line for each thing, as somebody who sees everything tells it."""
        return self._report.lines(None)

    def report_for(self, player: str) -> list[str]:
        """What happened so far, as far as one player could see it."""
        return self._report.lines(self._player(player))

    def view(self, player: str) -> dict[str, object]:
        """What one player may see now: state by kind, member and name; the order of the keys is fixed."""
        return self.program.views.of(self.state, self._player(player))

    def why_not(self, name: str) -> list[Refusal]:
        """All requirements that keep something from being chosen now; empty when it may be chosen.

        `name` is an id or title of a member, way or action. Raises InvalidMove when nothing here is called so.
        """
        decision = self.decision
        if decision is None:
            raise InvalidMove("nothing is to be decided")
        return refusals(self.program, self.state, decision, name)

    def way(self, option: Option) -> str:
        """The route that an offered option takes, where its price is that of the cheapest route; otherwise empty."""
        return self.offer.way(self.state, option)

    @property
    def result(self) -> Result | None:
        """How the game ended; None while it goes on."""
        return result_of(self.program, self.state, self.ruleset.players) if self.finished else None

    @property
    def rounds(self) -> int | None:
        """How many rounds of this game have begun, where the ruleset says how to count them.

        A scenario may begin in a late round; that is this game's first.
        """
        now = self.round
        return None if now is None or self._first_round is None else now - self._first_round + 1

    @property
    def round(self) -> int | None:
        """The number of the present round, where the ruleset says how to count rounds."""
        rules = self.program.rules
        return None if rules.rounds is None else worked_out(self.program, "rounds", rules.rounds, self.state, {})

    def _player(self, player: str) -> int:
        index = self.program.rules.symbols.kinds["player"].index
        if player not in index:
            raise InvalidMove(f"there is no player {player}; there are: {', '.join(index)}")
        return index[player]


__all__ = ["YOU", "Game", "LogEntry", "Names"]
