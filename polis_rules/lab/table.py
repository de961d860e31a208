"""Plays games of one ruleset between bots, and keeps rows of them."""

from __future__ import annotations

import re
import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from itertools import product
from typing import NamedTuple

from polis_rules.diagnostics import PolisError
from polis_rules.interpreter.game import Result, result_of, worked_out
from polis_rules.interpreter.machine import FINISH, LEAVE, LONGEST_GAME, PC, WAY, ChancePoint
from polis_rules.interpreter.runtime import State
from polis_rules.interpreter.runtime.native import Wanted
from polis_rules.lab.rows import Batch, DecisionRow, GameRow, RoundRow, Used
from polis_rules.play import bots
from polis_rules.ruleset import Ruleset
from polis_rules.semantics import Variable, every_step, every_variable, ir
from polis_rules.semantics.expressions import Expr, nodes


class Value(NamedTuple):
    """A number or a member that the state of a game holds, by the names that lead to it."""

    variable: Variable
    members: tuple[str, ...]
    slot: int

    def at(self, state: State, members: Callable[[str], Sequence[str]]) -> int | str | None:
        """What it is in a state: a number, or a member's id."""
        found = state[self.slot]
        if self.variable.type.base != "ref":
            return int(found)  # code in Python leaves true and false in flags
        return members(self.variable.type.kind)[found] if found >= 0 else None


class End(NamedTuple):
    """Something that a target looks at when a game is over: its name, the member and the player that it is about."""

    name: str
    member: str
    """empty where it is about none"""
    player: str
    """empty where it asks for none"""
    test: Expr
    names: dict[str, int]
    """the member and the player by the names that the test has for them"""


class Table:
    """Where games of one ruleset are played.

    >>> from polis_rules import load
    >>> table = Table(load("yucata"), ("random", "random"))
    >>> row = table.play(0, seed=7).games[0]
    >>> row.decisions > 10, len(row.shares)
    (True, 2)
    """

    def __init__(
        self, ruleset: Ruleset, seats: Sequence[str], decisions: bool = False, rounds: bool = False,
        native: Wanted = "auto",
    ) -> None:  # fmt: skip
        self.ruleset, self.seats = ruleset, tuple(seats)
        self.keeps_decisions, self.keeps_rounds = decisions, rounds
        quick = {*seats} <= {"random"}
        self.program = ruleset.program(native=None if quick else native)
        self.rules = self.program.rules
        self.players = ruleset.players
        self._taken: dict[tuple[int, int], tuple[tuple[str, str], ...]] = {}

    # -- what rows may hold -----------------------------------------------------------------------------------------

    @cached_property
    def things(self) -> tuple[Used, ...]:
        """All that may be taken, in the order of the rules."""
        found: dict[Used, None] = {}
        for point in self.program.points:
            drawn = isinstance(point, ChancePoint)
            names = [(kind, member) for kind in self._kinds(point.step) for member in self._members(kind)]
            if isinstance(point.step, ir.Choose):
                names += [(point.step.path, way.id) for way in point.step.ways]
            found |= dict.fromkeys(Used(who, *each) for who in ([""] if drawn else self.players) for each in names)
        return tuple(found)

    def title(self, used: Used) -> str:
        """What players call something that may be taken."""
        if kind := self.rules.symbols.kinds.get(used.kind):
            return kind.titles[kind.index[used.name]]
        return self._way_titles[used.kind, used.name]

    @cached_property
    def _way_titles(self) -> dict[tuple[str, str], str]:
        steps = (point.step for point in self.program.points)
        chooses = (each for each in steps if isinstance(each, ir.Choose))
        return {(each.path, way.id): in_general(way.title) for each in chooses for way in each.ways}

    @cached_property
    def questions(self) -> dict[str, str]:
        """What rules ask, after what is done there, by the paths of the rules."""
        found = {}
        for point in self.program.points:
            if isinstance(point.step, ir.Choose):
                titles = (self.rules.procedures[point.procedure].title, point.step.title)
                found[point.step.path] = in_general(": ".join(each for each in titles if each))
        return found

    @cached_property
    def values(self) -> tuple[Value, ...]:
        """What a state holds that is a number or a member, in the order of the rules."""
        symbols, found = self.rules.symbols, []
        for variable in every_variable(symbols):
            if variable.type.base in ("list", "set"):
                continue
            base = self.program.layout.bases[variable.owner, variable.name]
            rows = product(*map(self._members, variable.kinds))
            found += [Value(variable, members, base + place) for place, members in enumerate(rows)]
        return tuple(found)

    @cached_property
    def ordered(self) -> tuple[str, ...]:
        """The kinds for whose order the rules ask, such as prices that rise."""
        rules = self.rules
        steps = (step for each in rules.procedures.values() for step in every_step(each.body))
        trees = [tree for step in steps for tree in step.expressions()]
        trees += (each.body for each in rules.symbols.terms.values() if each.body is not None)
        asked: dict[str, None] = {}
        for part in (part for tree in trees for part in tree.walk()):
            if isinstance(part, (nodes.Order, nodes.Next)):
                asked[part.item.type.kind] = None
            elif isinstance(part, nodes.Nth):
                asked[part.type.kind] = None
        return tuple(asked)

    @cached_property
    def ends(self) -> tuple[End, ...]:
        """What targets look at when a game is over."""
        found, begin, holds = [], self.program.new_state(0), self.program.evaluator.holds
        for each in self.rules.at_the_end:
            members = [("", dict[str, int]())]
            if each.kind:
                members = [(member, {"it": at}) for at, member in enumerate(self._members(each.kind))]
            players = [*enumerate(self.players)] if each.by_player else [(0, "")]
            found += [
                End(each.name, member, player, each.test, {**names, "who": who})
                for member, names in members
                if each.where is None or holds(each.where, begin, names)
                for who, player in players
            ]
        return tuple(found)

    def held(self, state: State) -> tuple[int, ...]:
        """1 for each of them that is true in a state, and 0 for each that is not."""
        return tuple(
            int(bool(worked_out(self.program, f"targets.at_the_end.{each.name}", each.test, state, each.names)))
            for each in self.ends
        )

    def _members(self, kind: str) -> tuple[str, ...]:
        return self.rules.symbols.kinds[kind].members

    @staticmethod
    def _kinds(step: ir.Step) -> list[str]:
        """The kinds of which a step takes a member, or one of each."""
        if isinstance(step, ir.Draw):
            return [step.source.type.kind]
        sources = [source for _, source in step.chosen] if isinstance(step, ir.Choose) else []
        return [source.type.kind for source in sources if source is not None]

    def taken(self, point: int, option: int) -> tuple[tuple[str, str], ...]:
        """The kinds and names of what an option or an outcome of a point takes; none where it is a number or LEAVE."""
        key = (point, option)
        if key not in self._taken:
            self._taken[key] = tuple(self._take(self.program.points[point].step, option))
        return self._taken[key]

    def _take(self, step: ir.Step, option: int) -> Iterator[tuple[str, str]]:
        if option == LEAVE:
            return
        if isinstance(step, ir.Draw):
            yield from ((kind, self._members(kind)[option]) for kind in self._kinds(step))
        elif isinstance(step, ir.Choose) and option != FINISH:
            if option >= WAY:
                yield step.path, step.ways[option - WAY].id
                return
            for (_, source), number in zip(step.chosen, step.split(option).values(), strict=True):
                if source is not None:
                    yield source.type.kind, self._members(source.type.kind)[number]

    # -- playing ----------------------------------------------------------------------------------------------------

    def play(self, game: int, seed: int) -> Batch:
        """The rows of a game of this number and seed. A game that fails has a row that says so."""
        writer = _Writer(self, game, seed)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # whoever asks for games has said once why these take longer
                row = writer.play()
        except PolisError as error:
            row = GameRow(game=game, seed=seed, seats=self.seats, failed=str(error))
        except Exception as error:  # a bot may do anything; the other games go on
            row = GameRow(game=game, seed=seed, seats=self.seats, failed=f"{type(error).__name__}: {error}")
        if row.failed:
            return Batch(game, game + 1, (row,))
        return Batch(game, game + 1, (row,), tuple(writer.decisions), tuple(writer.rounds))

    def round(self, state: State) -> int | None:
        """The number of the present round, where the rules count them."""
        rounds = self.rules.rounds
        return None if rounds is None else worked_out(self.program, "rounds", rounds, state, {})

    def scores(self, state: State) -> tuple[int | None, ...]:
        """Each player's score as it stands."""
        return tuple(self._score(state, who) for who in range(len(self.players)))

    def _score(self, state: State, who: int) -> int | None:
        try:
            return self.program.score(state, who)
        except PolisError:
            return None  # what it reads is not there before the end


def in_general(title: str) -> str:
    """A title that names something of the moment, for all moments.

    >>> in_general("Cover {hit} with a coin card")
    'Cover … with a coin card'
    """
    return re.sub(r"\{\w+\}", "…", title)


class _Writer:
    """Plays one game, and writes down what is wanted of it."""

    def __init__(self, table: Table, game: int, seed: int) -> None:
        self.table, self.game, self.seed = table, game, seed
        self.decisions: list[DecisionRow] = []
        self.rounds: list[RoundRow] = []
        self.uses: Counter[Used] = Counter()
        self.done = self.chances = 0
        self.began = (0, self.uses.copy())
        """how many decisions and uses there were before this round"""

    def play(self) -> GameRow:
        """The row of the game, when it is over."""
        table, program = self.table, self.table.program
        state = program.new_state(self.seed)
        first = now = table.round(state)
        choose = bots.chooser(program, table.seats, self.seed)
        for options, option in program.steps(state, choose, LONGEST_GAME):
            if now is not None and (later := table.round(state)) != now:
                assert later is not None
                self.end_round(now, state)
                now = later
            player = "" if options is None else table.players[program.decider(state)] if options else None
            if player is None:
                continue
            if options is not None:
                self.done += 1
                if table.keeps_decisions:
                    self.decide(state, player, options, option, now)
            else:
                self.chances += 1
            for kind, name in table.taken(state[PC], option):
                self.uses[Used(player, kind, name)] += 1
        if now is not None:
            self.end_round(now, state)
        result = result_of(program, state, table.players)
        return self.row(result, None if now is None or first is None else now - first + 1, table.held(state))

    def decide(self, state: State, player: str, options: list[int], option: int, now: int | None) -> None:
        """Write a decision down."""
        point = self.table.program.points[state[PC]]
        assert isinstance(point.step, ir.Choose)
        taken = self.table.taken(state[PC], option)
        chosen = " ".join(name for _, name in taken) or ("finish" if option == FINISH else str(option))
        self.decisions.append(
            DecisionRow(
                game=self.game, seed=self.seed, decision=self.done, round=now, player=player, rule=point.step.path,
                options=len(options), chosen=chosen, scores=self.table.scores(state),
            )
        )  # fmt: skip

    def end_round(self, number: int, state: State) -> None:
        """Write a round down that is over."""
        if not self.table.keeps_rounds:
            return
        done, uses = self.began
        self.began = (self.done, self.uses.copy())
        held = tuple(each.at(state, self.table._members) for each in self.table.values)
        self.rounds.append(
            RoundRow(
                game=self.game, seed=self.seed, round=number, decisions=self.done - done, uses=self.uses - uses,
                scores=self.table.scores(state), state=held,
            )
        )  # fmt: skip

    def row(self, result: Result, rounds: int | None, held: tuple[int, ...]) -> GameRow:
        """The row of a game with this result."""
        players, won = self.table.players, result.winners
        drawn = 1 / len(players) if len(players) > 1 else 0.0  # who plays alone and does not win loses
        return GameRow(
            game=self.game, seed=self.seed, seats=self.table.seats, ending=result.ended_by, winners=won,
            shares=tuple(float(each in won) / len(won) if won else drawn for each in players),
            places=tuple(result.places[each] for each in players) if result.places else (),
            scores=tuple(result.scores[each] for each in players), decisions=self.done, chances=self.chances,
            rounds=rounds, uses=dict(self.uses), held=held,
        )  # fmt: skip
