"""A bot that wants a better score at the end of its own turn, and looks no further."""

from __future__ import annotations

from typing import TYPE_CHECKING

from polis_rules.interpreter.machine import LEAVE, PC, SEED, WINNER, winners
from polis_rules.play.bots.seat import SeatBot

if TYPE_CHECKING:
    from polis_rules.interpreter.runtime import Program, State

TRIES = 4
"""How often each option is tried: what a player decides next in the same turn is tried at random."""

FURTHEST = 12
"""How many further decisions of its own a try goes on for."""

LOST = -1_000_000
"""Worse than any score."""


class GreedyBot(SeatBot):
    """Tries every option on copies until somebody else decides, and takes the one that led to the best score.

    The score is the ruleset's own: the player's total less the best of the others. A try never uses the chance that
    the game will really have, but it does see what other players hide: a yardstick, not a fair opponent.

    >>> from polis_rules import load
    >>> program = load("yucata").program()
    >>> state = program.new_state(seed=7)
    >>> options = program.options(state)
    >>> GreedyBot(7).pick(program, state, options) in options
    True
    """

    def pick(self, program: Program, state: State, options: list[int]) -> int:
        if len(options) == 1:
            return options[0]
        player = program.decider(state)
        worth = {}
        for option in options:
            tries = (self._try(program, state, option, player) for _ in range(TRIES))
            worth[option] = (max(tries), self.random.random())
        return max(options, key=worth.__getitem__)

    def _try(self, program: Program, state: State, option: int, player: int) -> int:
        """What a player's lead is after an option and some of what may follow it in the same turn."""
        here = state[:]
        here[SEED] = self.random.getrandbits(60)
        program.apply(here, option)
        left = FURTHEST
        while here[PC] != program.finished:
            if program.is_chance[here[PC]]:
                program.apply(here, program.outcome(here))
                continue
            options = program.options(here)
            if options and (not left or program.decider(here) != player):
                break
            program.apply(here, self.random.choice(options) if options else LEAVE)
            left -= 1
        return self._lead(program, here, player)

    def _lead(self, program: Program, state: State, player: int) -> int:
        totals = [program.score(state, each) for each in range(len(program.rules.symbols.kinds["player"].members))]
        mine = totals.pop(player)
        if state[PC] == program.finished and (won := winners(state[WINNER])):
            return mine - LOST if player in won else mine + LOST
        return mine - max(totals, default=0)
