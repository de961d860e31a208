"""Node counts: how many decision paths lead from a scenario's start to each depth, as chess engines count moves."""

from __future__ import annotations

from collections.abc import Iterator

from polis_rules.interpreter.game import Option, Options
from polis_rules.interpreter.machine import PC
from polis_rules.interpreter.runtime import Program, State

AT_ONCE = 3
"""How many decisions deep native code counts by one call: Ctrl-C waits for its end."""


def perft(program: Program, state: State, depth: int) -> int:
    """The number of paths of `depth` decisions from a state; a game that ends sooner counts once.

    Chance is answered by the state's own generator, so the number depends on the seed.

    >>> from polis_rules import load
    >>> program = load("yucata").program()
    >>> state = settled(program, program.new_state(seed=1))
    >>> perft(program, state, 1) == len(program.options(state))
    True
    """
    if program.native is not None and depth <= AT_ONCE:
        count = program.native.paths(state, depth)
        if count is not None:
            return count
    here = settled(program, state)
    if depth == 0 or here[PC] == program.finished:
        return 1
    options = program.options(here)
    if depth == 1:
        return len(options)
    total = 0
    for option in options:
        then = here[:]
        program.apply(then, option)
        total += perft(program, then, depth - 1)
    return total


def settled(program: Program, state: State) -> State:
    """A copy of a state in which a player has to decide, or the game is over."""
    here = state[:]
    for options, _ in program.steps(here, lambda _, options: options[0]):
        if options:
            break
    return here


def first_options(program: Program, state: State) -> tuple[Option, ...]:
    """The options of the first decision after a state; none where the game is over."""
    here = settled(program, state)
    if here[PC] == program.finished:
        return ()
    return Options(program).decision(here, program.options(here)).options


def divide(program: Program, state: State, depth: int) -> Iterator[tuple[str, int]]:
    """The count below each first option, with its id, to find out where two engines part."""
    here = settled(program, state)
    for option in first_options(program, state):
        then = here[:]
        program.apply(then, option.value)
        yield option.id, perft(program, then, depth - 1)
