"""The running program that is made of a compiled ruleset: whole games, in Python or in native code."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property
from math import floor
from typing import TYPE_CHECKING

from polis_rules.interpreter.machine import (
    ENDING,
    LEAVE,
    LONGEST_GAME,
    PC,
    SEED,
    WINNER,
    YOU,
    Choices,
    Compiled,
)
from polis_rules.interpreter.runtime.list_functions import sets_of_few
from polis_rules.interpreter.runtime.played import Played, Playout
from polis_rules.interpreter.runtime.running import ERRORS, Running, State

if TYPE_CHECKING:
    from random import Random

    from polis_rules.interpreter.runtime.native import Native

SHORT_RULES = 60_000
"""Rules whose code has at most so many characters are played at random by one function."""

AT_ONCE = 4
"""So many points may be gone through in one round of the function that plays whole games."""


class Program(Running):
    """Plays whole games besides, in Python or in native code."""

    def __init__(self, compiled: Compiled) -> None:
        super().__init__(compiled)
        self.native: Native | None = None
        """what plays whole games at random in place of Python"""
        self.native_reason = ""
        """why there is none although there should be"""
        self.opening: Callable[[], tuple[Native | None, str]] | None = None
        """what opens native code for searches, or says why there is none"""
        self.carried: Callable[[], Callable[[State], State]] | None = None
        """what finds out how states of this program become those of that native code"""
        self.checked: Callable[[], Program] | None = None
        """the same rules with checks, which say best where a rule fails"""

    def steps(
        self,
        state: State,
        choose: Callable[[State, list[int]], int],
        most: int = LONGEST_GAME,
        chance: Callable[[State], int] | None = None,
    ) -> Iterator[tuple[list[int] | None, int]]:
        """Play on to the end, changing the state: `choose` answers for players, and `chance` where nobody decides.

        Without `chance` the state's own generator does.
        Before each step its options (None for chance) and what is taken of them are told; LEAVE where there are none.
        Raises RuleError where a rule fails and where the game goes on for more than `most` steps.

        >>> from polis_rules import load
        >>> program = load("yucata").program()
        >>> state = program.new_state(seed=7)
        >>> len([option for _, option in program.steps(state, lambda state, options: options[0])]) > 10
        True
        """
        for _ in range(most):
            if state[PC] == self.finished:
                return
            options: list[int] | None = None
            if self.is_chance[state[PC]]:
                option = (chance or self.outcome)(state)
            else:
                options = self.options(state)
                option = choose(state, options) if options else LEAVE
            if option == LEAVE and not self.may_be_empty(state):
                raise self.dead_end(state)
            yield options, option
            self.apply(state, option)
        if state[PC] != self.finished:
            raise self.too_long(state, most)

    def playouts(self, seed: int = 0, games: int = 1, jobs: int = 1) -> Iterator[Played]:
        """How the games of so many seeds come out in which every option is equally likely.

        They are the same, in the same order, in native code as in Python, and by however many threads (`jobs`; in
        Python it is always one). Raises RuleError at the first game in which a rule fails.

        >>> from polis_rules import load
        >>> [game.decisions > 10 for game in load("yucata").program().playouts(seed=7, games=2)]
        [True, True]
        """
        if self.native is None:
            return map(self.played, range(seed, seed + games))
        from polis_rules.interpreter.runtime.native import playouts

        return playouts(self.native, self.played_again, seed, games, jobs)

    def played(self, seed: int) -> Played:
        """One of these games, played in Python."""
        state = self.new_state(seed)
        decisions = self.playout_in_python(state).decisions
        scores = tuple(self.score(state, player) for player in range(self.compiled.players))
        return Played(decisions, state[ENDING], state[WINNER], scores)

    def played_again(self, seed: int) -> Played:
        """The same by checked rules before, which say best where a game fails."""
        if self.checked is not None:
            self.checked().played(seed)
        return self.played(seed)

    def playout(self, state: State, rng: Random | None = None) -> Playout:
        """Play on to the end, every option equally likely. The state is changed. Raises RuleError.

        Without `rng` choices come of the state's seed, in native code where there is some.
        """
        if self.native is not None and rng is None:
            done = self.native.playout_of(state)
            if done is not None:
                return Playout(*done)
        return self.playout_in_python(state, rng)

    def playout_in_python(self, state: State, rng: Random | Choices | None = None) -> Playout:
        """The same in Python in any case."""
        rng = Choices(state[SEED]) if rng is None else rng
        met: list[float] = []
        """how many options each point had, 0 for chance"""
        if state[PC] != self.finished:
            if self.whole is not None:
                self.play_fast(self.whole, state, rng, met)
            if state[PC] != self.finished:
                self.play_slowly(state, rng, met)
        return Playout(len(met) - met.count(0.0), met.count(1.0), int(sum(met)))

    def play_slowly(self, state: State, rng: Random | Choices, met: list[float]) -> None:
        """Play on to the end, point by point."""
        finished, chance, ticks, random = self.finished, self.is_chance, self.ticks, rng.random
        chances, asks, applies, blocks = (
            self.chance_functions, self.option_functions, self.apply_functions, self.block_functions
        )  # fmt: skip
        counter = state[PC]
        for _ in range(len(met), LONGEST_GAME):
            if counter == finished:
                break
            ticks[0] = count = 0
            you = state[YOU]
            try:
                if chance[counter]:
                    option = chances[you][counter](state)
                elif options := asks[you][counter](state):
                    count = len(options)
                    option = options[floor(random() * count)] if count > 1 else options[0]
                else:
                    option = LEAVE
                met.append(count)
                if option == LEAVE and not self.compiled.waits[counter].may_be_empty:
                    raise self.dead_end(state)
                counter = applies[you][counter](state, option)
                while counter > finished:
                    counter = blocks[state[YOU]][counter - finished - 1](state)
            except ERRORS as error:
                raise self.failed(error, state) from None
            state[PC] = counter
        if counter != finished:
            raise self.too_long(state, LONGEST_GAME)

    @cached_property
    def whole(self) -> Callable[..., int] | None:
        """The function that plays whole games, generated when the first is played. None if that would take long."""
        compiled = self.compiled
        length = sum(part.length for part in compiled.parts)
        if compiled.checks or compiled.trace or compiled.compact or length > SHORT_RULES:
            return None
        self.space["FEW"], self.space["COUNT"], self.space["WITHOUT"] = sets_of_few()
        function: Callable[..., int] = self._generated(("playout",))
        return function

    def play_fast(self, whole: Callable[..., int], state: State, rng: Random | Choices, met: list[float]) -> None:
        """Play on by the function that plays whole games, as far as that leads."""
        counter, before = state[PC], -1
        self.ticks[0] = 0
        try:
            while counter != self.finished and len(met) > before:
                before = len(met)
                counter = whole(state, counter, (LONGEST_GAME - before) // AT_ONCE, rng.random, met)
        except ERRORS as error:
            raise self.failed(error, state) from None
        if counter > self.finished:
            self.run(state, counter, [])
        else:
            state[PC] = counter
