"""What native code and its callers keep in memory for many games at once: records of words, by their names."""

from __future__ import annotations

from math import log, sqrt

BATCH = {
    name: place
    for place, name in enumerate((
        "STATES",  # addresses: of the first state,
        "CHOSEN",  # and of rows with a word for each state: the place of what is chosen among its options,
        "COUNTS",  # how many options it has,
        "OPTIONS",  # (so many words as WIDTH says) they, and -1 for the rest,
        "WHO",  # who decides,
        "ENDED",  # whether its game has just ended,
        "ENDINGS",  # how that ended,
        "WON",  # who has won that, as bits,
        "SCORES",  # (a word for each player) how it was scored,
        "SEEDS",  # and the seed of the game that it is of
        "STRIDE",  # bytes from one state to the next
        "MANY",  # how many states
        "WIDTH",  # how many options a state may have
        "NEXT",  # the seed of the next game that is begun; there are none where RESTARTS is 0
        "RESTARTS",
        "AT",  # the state that is under work
        "WANTED",  # how many options that had, if they were too many
    ))
}  # fmt: skip
"""A batch: states side by side, and what is told of each."""

TREE = {
    name: place
    for place, name in enumerate((
        "NODES",  # address of the nodes, the first of which stands for the state that is searched from
        "USED",  # how many there are
        "MOST",  # and can be
        "SCRATCH",  # address of a state
        "PATH",  # address of words for the nodes that a try went through
        "LONGEST",  # how many these may be
        "TALLY",  # address of a tally
        "KEY",  # what chance is made from
        "LUCK",  # the choices' generator
        "DONE",  # how many tries there were
        "WEIGHT",  # how much what is little known is preferred, in 1024ths
        "MARGIN",  # how many points better is as good as a win; 0 where only winning counts
        "DEPTH",  # how many nodes tries have gone through
        "REWARDS",  # here begin what a try is worth for each player
    ))
}  # fmt: skip
"""A search tree."""

NODE_WORDS = 8
NODE = {name: place for place, name in enumerate(("OPTION", "CHILD", "SIBLING", "VISITS", "VALUE", "OWNER"))}
"""A node: the option that leads to it, its last child, the one before it with the same parent, how often it was come
to, what that was worth, and for whom."""

WORTH = 1 << 20
"""What a win is worth."""

EXACT = 1024
"""Numbers below this one have an inverse root of their own."""


def inverse_roots() -> list[int]:
    """For each number below EXACT, WORTH times 1 through its square root; for 0 as for 1."""
    return [round(WORTH / sqrt(max(number, 1))) for number in range(EXACT)]


def log_roots() -> list[int]:
    """1024 times the square root of the logarithm of numbers, of which the first 5 bits count."""
    numbers = [max(number, 1) for number in range(32)]
    numbers += [digits << more for more in range(1, 59) for digits in range(16, 32)]
    return [round(1024 * sqrt(log(number))) for number in numbers]


def numbers() -> dict[str, int]:
    """The names that the library has for all this."""
    named = (("BATCH", BATCH), ("TREE", TREE), ("NODE", NODE))
    found = {f"{prefix}_{name}": place for prefix, record in named for name, place in record.items()}
    return found | {"NODE_SIZE": 8 * NODE_WORDS, "WORTH": WORTH}
