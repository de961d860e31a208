"""One game, from decision to decision, by the numbers of actions."""

from __future__ import annotations

from functools import cached_property, lru_cache
from typing import Any

from polis_rules.diagnostics import IllegalMove
from polis_rules.environments.actions import Actions
from polis_rules.environments.chances import likelihoods
from polis_rules.environments.observations import Numbers, Observations
from polis_rules.interpreter.game import result_of
from polis_rules.interpreter.machine import LEAVE, LONGEST_GAME, PC
from polis_rules.interpreter.runtime import Program, State
from polis_rules.ruleset import Origin, Ruleset, load


class Table:
    """What all games of a ruleset share: its program, and what its actions and observations are."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset = ruleset
        self.program: Program = ruleset.program()
        self.players = ruleset.players
        self.actions = Actions(self.program)
        self.observations = Observations(self.program, self.actions)

    def __deepcopy__(self, _: dict[int, Any]) -> Table:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return Table.loaded, (self.ruleset.origin,)

    @staticmethod
    @lru_cache(maxsize=8)
    def loaded(origin: Origin) -> Table:
        """The table of a ruleset that is loaded anew: what pickle keeps of one."""
        return Table(load(*origin))


class Episode:
    """One game. Chance answers by the seed, or with `by_hand` waits for `answer`.

    >>> from polis_rules import load
    >>> episode = Episode(Table(load("yucata")), seed=7)
    >>> while not episode.over:
    ...     episode.act(min(episode.legal))
    >>> sum(episode.rewards)
    0.0
    """

    def __init__(self, table: Table, seed: int, by_hand: bool = False) -> None:
        self.table, self.by_hand = table, by_hand
        self.state: State = table.program.new_state(seed)
        self.chosen: list[list[int]] = [[] for _ in table.players]
        """what each player has chosen since another one decided"""
        self.last = -1
        """who decided last"""
        self.steps = 0
        self._options: list[int] = []
        self._legal: dict[int, int] | None = None
        self._settle()

    def copy(self) -> Episode:
        """Another game that stands where this one does."""
        other = object.__new__(Episode)
        other.__dict__.update(self.__dict__)
        other.state, other.chosen = self.state[:], [each[:] for each in self.chosen]
        return other

    def __deepcopy__(self, _: dict[int, Any]) -> Episode:
        return self.copy()

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return self.state[PC] == self.table.program.finished

    @property
    def waits_for_chance(self) -> bool:
        """Whether dice or a draw wait for an answer."""
        return not self.over and self.table.program.is_chance[self.state[PC]]

    @property
    def decider(self) -> int:
        """Who decides now; -1 where nobody does."""
        return -1 if self.over or self.waits_for_chance else self.table.program.decider(self.state)

    @property
    def legal(self) -> dict[int, int]:
        """The actions that may be taken now, with the options that they are; none where nobody decides."""
        if self._legal is None:
            self._legal = {}
            if not (self.over or self.waits_for_chance):
                path = self.table.program.points[self.state[PC]].step.path
                self._legal = {self.table.actions.of(path, option): option for option in self._options}
        return self._legal

    @property
    def chances(self) -> list[tuple[int, float]]:
        """How the waiting dice or draw may come out, each with its probability."""
        return likelihoods(self.table.program, self.state)

    def act(self, action: int) -> None:
        """Take an action. Raises IllegalMove where it is none of the legal ones."""
        if action not in self.legal:
            raise IllegalMove(f"{self.table.actions.name(action)} is not offered")
        who = self.decider
        if who != self.last:
            self.chosen[who], self.last = [], who
        self.chosen[who].append(action)
        self._go_on(self.legal[action])
        self._settle()

    def take(self, option: int) -> None:
        """The same by the number of the option."""
        self.act(next(action for action, each in self.legal.items() if each == option))

    def answer(self, outcome: int) -> None:
        """Let the waiting dice or draw come out so."""
        self._go_on(outcome)
        self._settle()

    def _go_on(self, option: int) -> None:
        self.table.program.apply(self.state, option)
        self._legal = None
        self.steps += 1
        if self.steps >= LONGEST_GAME and not self.over:
            raise self.table.program.too_long(self.state, self.steps)

    def _settle(self) -> None:
        """Go on to where somebody has to decide, or chance waits for an answer."""
        program = self.table.program
        while not self.over:
            if self.waits_for_chance and not self.by_hand:
                option = program.outcome(self.state)
            else:
                self._options = program.options(self.state)
                if self._options:
                    return
                option = LEAVE
            if option == LEAVE and not program.may_be_empty(self.state):
                raise program.dead_end(self.state)
            self._go_on(option)

    def observation(self, viewer: int) -> Numbers:
        """What a player sees now."""
        return self.table.observations.of(self.state, viewer, self.decider, self.chosen[viewer])

    @cached_property
    def rewards(self) -> list[float]:
        """What the end is worth to each player: 1 to who won alone, as little to all others that the sum is 0.

        Several winners share it; where nobody wins, all have 0. A single player has 1 or -1.
        """
        players = self.table.players
        won = result_of(self.table.program, self.state, players).winners
        if len(players) == 1:
            return [1.0 if won else -1.0]
        share = 1 / len(won) if won else 0.0
        shares = [share if each in won else 0.0 if won else 1 / len(players) for each in players]
        return [(each * len(players) - 1) / (len(players) - 1) for each in shares]
