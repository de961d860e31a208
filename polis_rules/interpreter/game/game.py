"""A running game: one protocol for people, bots, tests and replays."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import repeat
from operator import is_
from typing import Any, Literal

from polis_rules.diagnostics import IllegalMove, InvalidMove, PolisError, RuleError, did_you_mean, nearest, quote
from polis_rules.interpreter.game.decision import Chance, Decision, LogEntry, Option, Refusal, Result
from polis_rules.interpreter.game.history import History
from polis_rules.interpreter.game.options import Options
from polis_rules.interpreter.game.refusals import Refusals
from polis_rules.interpreter.game.report import Fact
from polis_rules.interpreter.game.scoring import result_of, worked_out
from polis_rules.interpreter.game.sentences import followed
from polis_rules.interpreter.game.telling import WRITTEN, Story, Teller
from polis_rules.interpreter.game.twin import twin
from polis_rules.interpreter.machine import ENDING, LEAVE, PC, YOU, ChancePoint, DecisionPoint
from polis_rules.interpreter.runtime import Program, State
from polis_rules.semantics.expressions import Order

MOST_ANSWERS = 10_000
"""How often chance may be answered between two decisions."""

HIDDEN = "hidden"
"""What stands in a player's log where the player may not know what was chosen or came out."""


class ReplayError(PolisError):
    """An entry of a log does not fit the game; `entry` is its number, counted from 1."""

    def __init__(self, entry: int, message: str) -> None:
        super().__init__(message)
        self.entry = entry


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
        self,
        program: Program,
        seed: int = 0,
        chance: Literal["auto", "manual"] = "auto",
        first: Sequence[int] | None = None,
    ) -> None:
        self.program = program
        self.seed = seed
        self.automatic = chance == "auto"
        self._past: list[int] = []
        """how many moves were made before each decision that can be taken back"""
        self._decision: Decision | None = None
        self._numbers: list[int] = []
        self._held: State | None = None
        """a state before this one at which all invariants held"""
        self.state, events = program.begin(seed, first)
        self._story = Story(self.state, events)
        self._history = History(self.state)
        self._settle()
        self._first_round = self.round

    @property
    def _teller(self) -> Teller:
        if self.program.teller is None:
            self.program.teller = Teller(self.program)
        teller: Teller = self.program.teller
        return teller

    @property
    def options(self) -> Options:
        """What puts options into words."""
        return self._teller.options

    def _told(self) -> Story:
        """The log and the report up to now."""
        self._teller.tell(self._story, self._history.moves)
        return self._story

    # -- what is to be decided --------------------------------------------------------------------------------------

    @property
    def players(self) -> tuple[str, ...]:
        """The players' ids."""
        return self.program.rules.symbols.kinds["player"].members

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
            self._decision = self.options.decision(self.state, self._numbers, unknown=self._unknown())
        return self._decision

    @property
    def chance(self) -> Chance | None:
        """The dice or the draw that waits for `answer`; always None while the engine answers chance itself."""
        point = None if self.finished else self.program.points[self.state[PC]]
        if not isinstance(point, ChancePoint):
            return None
        return self.options.chance(point.step, self.state, self._numbers)

    @property
    def log(self) -> tuple[LogEntry, ...]:
        """Every decision as ("decision", player, option) and every chance as ("chance", stream, outcome), in order."""
        return tuple(map(WRITTEN, self._told().log))

    def log_for(self, player: str) -> tuple[LogEntry, ...]:
        """The log as far as one player may know it: `hidden` stands for what others chose or drew in secret."""
        viewer = self._player(player)
        story = self._told()
        now = story.report.finished
        entries = ((*entry, hidden.to(viewer, now)) for entry, hidden, _ in story.log)
        return tuple((kind, who, HIDDEN if is_hidden else what) for kind, who, what, is_hidden in entries)

    def _unknown(self) -> set[str]:
        """The local names in what waits that are made of what is hidden from the player who decides."""
        if not self._teller.secrecy.named(self.state[PC]):
            return set()
        return self._teller.unknown(self._told(), self.state)

    # -- going on ---------------------------------------------------------------------------------------------------

    def apply(self, option: Option | str) -> None:
        """Choose an option, by itself or by its id.

        Raises InvalidMove when there is nothing of that name, IllegalMove (with the reasons) when it is not allowed
        now, RuleError when a rule fails; the game is then as it was before.
        """
        decision = self.decision
        if decision is None:
            raise IllegalMove("the game is over" if self.finished else "the game waits for chance, not for a decision")
        if any(map(is_, decision.options, repeat(option))):
            assert isinstance(option, Option)
            self._move(option.value)
            return
        name = _text(option if isinstance(option, str) else getattr(option, "id", option), "an option or its id")
        offered = next((each for each in decision.options if each.id == name), None)
        if offered is None:
            lines = "; ".join(refusal.text for refusal in self.why_not(name))
            raise IllegalMove(f"{name} is not allowed: {lines}" if lines else f"{name} is not offered")
        self._move(offered.value)

    def rolled_by_seed(self) -> str:
        """How the waiting chance comes out by the seed."""
        point = self.program.points[self.state[PC]]
        assert isinstance(point, ChancePoint)
        return self.options.outcome(point.step, self.program.outcome(self.state))

    def answer(self, outcome: str) -> None:
        """Answer the waiting chance. Raises InvalidMove when it cannot come out so."""
        chance = self.chance
        if chance is None:
            raise IllegalMove("no chance waits for an answer")
        if _text(outcome, "the id of an outcome") not in chance.outcomes:
            close = nearest(outcome, chance.outcomes)
            hint = f"; {did_you_mean(close)}" if close else ""
            raise InvalidMove(f"{chance.stream} cannot come out as {outcome}{hint}")
        self._move(self._numbers[chance.outcomes.index(outcome)])

    def replay(self, entries: Iterable[LogEntry]) -> None:
        """Make the decisions of a log and answer chance as it says, from here on.

        A game that answers chance itself is held against what the log says about it; its entries go on from the last
        decision. Raises ReplayError at the first entry that does not fit; the game stands before it then. RuleError
        when a rule fails.
        """
        log = self.log
        done = len(log)
        if self.automatic:
            done = max((number for number, entry in enumerate(log, 1) if entry[0] == "decision"), default=0)
        for number, entry in enumerate(entries, 1):
            if problem := self._replay(entry, done + number - 1):
                raise ReplayError(number, problem)

    def _replay(self, entry: LogEntry, place: int) -> str:
        """Replay one entry, which stands at a place of the log; what is wrong with it, or nothing."""
        kind, who, what = entry
        said = f"chance {quote(who)} gives {quote(what)}" if kind == "chance" else f"{who} decides {quote(what)}"
        log = self.log
        if place < len(log):
            _, stream, outcome = logged = log[place]
            rolled = f"by seed {self.seed} chance {quote(stream)} gives {quote(outcome)}"
            return "" if logged == entry else f"{said}, but {rolled}"
        chance, decision = self.chance, self.decision
        if chance is not None and (kind, who) != ("chance", chance.stream):
            return f"{said}, but the game waits for chance {quote(chance.stream)}"
        if chance is None and kind == "chance":
            return f"{said}, but the game does not wait for chance"
        if chance is None and decision is None:
            return f"{said}, but the game is over"
        if decision is not None and decision.player != who:
            return f"{said}, but {decision.player} is to decide: {decision.prompt}"
        try:
            (self.answer if kind == "chance" else self.apply)(what)
        except (IllegalMove, InvalidMove) as error:
            return f"{said}, but {error}"
        return ""

    # -- moves ------------------------------------------------------------------------------------------------------

    def _move(self, value: int) -> None:
        """Carry out an option or outcome and what follows by itself; where a rule fails, all is as it was before."""
        before, state = len(self._history.moves), self.state[:]
        try:
            self._move_on(value)
            self._settle()
        except PolisError as error:
            del self._history.moves[before:]
            self._stand(state, before)
            if isinstance(error, RuleError):
                raise RuleError(error.message, error.span, self.hash()) from None
            raise
        self._past.append(before)
        self._history.keep(self.state)

    def _move_on(self, value: int) -> None:
        """Let the rules go on to the next point with what was decided or came out."""
        self.program.apply(self.state, value)
        self._history.add(value)
        self.program.check(self.state, self._held)
        self._held = self.state[:]

    def _settle(self) -> None:
        """Answer chance and pass over choices that may be empty, until somebody has to decide."""
        for _ in range(MOST_ANSWERS):
            self._decision = None
            if self.finished:
                self._numbers = []
                return
            if self.state[PC] == self.program.finished:
                game = self.program.rules.procedures["phases.game"]
                raise RuleError("the game stops here without an ending", game.span, self.hash())
            self._numbers = self.program.options(self.state)
            if not self._numbers:
                if not self.program.may_be_empty(self.state):
                    raise self.program.dead_end(self.state)
                self._move_on(LEAVE)
            elif self.automatic and self.program.is_chance[self.state[PC]]:
                self._move_on(self.program.outcome(self.state))
            else:
                self.program.decider(self.state)  # a rule that fails to say it fails with the decision before
                return
        raise self.undecided()

    def undecided(self) -> RuleError:
        """The error that nobody decides for too long."""
        message = f"this goes on for more than {MOST_ANSWERS} times without anybody deciding"
        return RuleError(message, self.program.points[self.state[PC]].step.span, self.hash())

    # -- back, copies, names ----------------------------------------------------------------------------------------

    def undo(self) -> bool:
        """Take the last decision (or answered chance) back, with everything that came of it; False at the beginning."""
        if not self._past:
            return False
        before = self._past.pop()
        self._stand(self._history.back(self.program, before), before)
        return True

    @property
    def moment(self) -> int:
        """How many decisions (or answered chances) can be taken back."""
        return len(self._past)

    def earlier(self, moment: int) -> Game:
        """Another game as this one stood when so many decisions had been made. Raises InvalidMove where it never did.

        >>> from polis_rules import load
        >>> game = load("yucata").start(seed=7)
        >>> game.apply(game.decision.options[0])
        >>> game.earlier(0).moment, game.moment
        (0, 1)
        """
        if not 0 <= moment <= len(self._past):
            raise InvalidMove(f"this game has no moment {moment}; it has 0 to {len(self._past)}")
        other = self.copy()
        if moment < len(self._past):
            before = self._past[moment]
            del other._past[moment:]
            other._stand(other._history.back(self.program, before), before)
        return other

    def _stand(self, state: State, moves: int) -> None:
        self.state, self._held = state, None
        self._story.back(moves, state)
        self._decision = None
        self._numbers = [] if self.finished else self.program.options(self.state)

    def copy(self) -> Game:
        """Another game at the same position, with the same past."""
        other = twin(self)
        other._story, other._history = self._story.copy(), twin(self._history)
        return other

    __copy__ = copy

    def __deepcopy__(self, _: dict[int, Any]) -> Game:
        return self.copy()

    def __getstate__(self) -> dict[str, Any]:
        """What pickle keeps: all but what is made of the compiled rules."""
        made = ("program", "_decision")
        kept = {name: value for name, value in self.__dict__.items() if name not in made}
        return kept | {"compiled": self.program.compiled}

    def __setstate__(self, kept: dict[str, Any]) -> None:
        self.program = Program(kept.pop("compiled"))
        self._decision = None
        self.__dict__.update(kept)

    def at(self, state: State) -> Game:
        """A game that stands at another state of the same step and acting player, with the same log and report.

        Nothing before it can be taken back.
        """
        self._told()
        other = self.copy()
        other._past, other._history = [], History(state)
        other._story.stand_at(state)
        other.state, other._held = state[:], None
        other._decision = None
        other._numbers = [] if other.finished else self.program.options(state)
        return other

    def hash(self) -> str:
        """A short name of the position: 16 hexadecimal digits, see `Program.position`."""
        return self.program.position(self.state)

    # -- knowing ----------------------------------------------------------------------------------------------------

    @property
    def report(self) -> list[str]:
        """What happened so far, one line for each thing, as somebody who sees everything tells it."""
        return self._told().report.lines(None) + self._begun()

    def report_for(self, player: str) -> list[str]:
        """What happened so far, as far as one player could see it."""
        return self._told().report.lines(self._player(player)) + self._begun()

    def sentences(self, player: str | None = None) -> list[str]:
        """What happened so far as far as one player could see it, or somebody who sees everything: a sentence for each
        action, when it is done."""
        return followed(self._sentences(player)[0], self._begun())

    def doing(self, player: str | None = None) -> str:
        """What is done now, in a sentence: an action of which something is still to be decided; else empty."""
        return self._sentences(player)[1]

    def _sentences(self, player: str | None) -> tuple[list[str], str]:
        viewer, story = None if player is None else self._player(player), self._told()
        waiting = None if self.finished else self._waiting()
        return self._teller.sentences.of(story.report.told(viewer), waiting, story.in_sentences(viewer))

    def _waiting(self) -> Fact:
        """What the game waits for, as an answer would tell it."""
        point, decision = self.program.points[self.state[PC]], self.decision
        if decision is None:
            return Fact("roll", procedure=point.procedure)
        about = decision.prompt.rstrip(": ")
        names = tuple((name, "") for name, _ in point.step.chosen) if isinstance(point, DecisionPoint) else ()
        return Fact("decision", decision.player_title, decision.prompt, about, names=names, procedure=point.procedure)

    def _begun(self) -> list[str]:
        """The titles of the phases in which the waiting decision, or the end of the game, is the first thing."""
        return self._told().report.begun() if self.chance is None else []

    @property
    def disclosures(self) -> int:
        """How often players have finished to act together, so that all were told what each of them did."""
        return self._told().report.finished

    @property
    def open_report(self) -> list[str]:
        """What happened so far to state that everybody sees."""
        return self._told().report.open_lines()

    def view(self, player: str) -> dict[str, object]:
        """What one player may see now: state by kind, member and name; the order of the keys is fixed."""
        return self.program.views.of(self.state, self._player(player))

    def why_not(self, name: str) -> list[Refusal]:
        """All requirements that keep something from being chosen now; empty when it may be chosen.

        `name` is an id or title of a member, way or action; after an action's id may stand what would be chosen for it
        first. Values that the player who decides may not see are told as `hidden`. Raises InvalidMove when nothing here
        is called so.
        """
        decision = self.decision
        if decision is None:
            raise InvalidMove("nothing is to be decided")
        return Refusals(self.options, self.state, self._unknown()).of(decision, _text(name, "the name of an option"))

    def why_not_by_action(self, name: str) -> dict[str, list[Refusal]]:
        """The same of what is chosen after an action, where an action is asked for: for each such action, by its title.

        Empty where no action is asked for, or where nothing of that name is chosen first for any.
        """
        if self.decision is None:
            return {}
        return Refusals(self.options, self.state, self._unknown()).by_action(_text(name, "the name of an option"))

    def way(self, option: Option) -> str:
        """The route that an offered option takes, where its price is that of the cheapest route; otherwise empty."""
        return self.options.way(self.state, option, unknown=self._unknown())

    @property
    def result(self) -> Result | None:
        """How the game ended; None while it goes on."""
        return result_of(self.program, self.state, self.players) if self.finished else None

    @property
    def acting(self) -> str | None:
        """The player whom the rules call `you` at this moment, also at the end; None where they call nobody so."""
        you = self.state[YOU]
        return self.players[you] if you >= 0 else None

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

    @property
    def round_name(self) -> str | None:
        """What players call the present round: the title of the member by whose `order` the ruleset counts, such as
        the "5a" of a track, or else its number.

        >>> from polis_rules import load
        >>> game = load("yucata").start(seed=7)
        >>> game.round, game.round_name
        (1, '3')
        """
        rules, number = self.program.rules, self.round
        counted = [part.item for part in rules.rounds.walk() if isinstance(part, Order)] if rules.rounds else []
        if number is None or not counted:
            return None if number is None else str(number)
        kind = rules.symbols.kinds[counted[0].type.kind]
        return kind.titles[worked_out(self.program, "rounds", counted[0], self.state, {})]

    def _player(self, player: str) -> int:
        if player not in self.players:
            raise InvalidMove(f"there is no player {player}; there are: {', '.join(self.players)}")
        return self.players.index(player)


def _text(value: object, wanted: str) -> str:
    """A text that was given. Raises InvalidMove for anything else."""
    if not isinstance(value, str):
        raise InvalidMove(f"{wanted} is needed, not {quote(repr(value))}")
    return value
