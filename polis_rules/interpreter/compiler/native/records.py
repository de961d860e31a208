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
        "NODES",  # address of the nodes, of which the first ones stand for the states that are searched from
        "USED",  # how many there are
        "MOST",  # and can be
        "ROOTS",  # address of the addresses of the states that are searched from
        "MANY",  # how many these are
        "PATH",  # address of words for the nodes that a try went through
        "LOG",  # address of what was chosen
        "LOGGED",  # how much that is
        "LONGEST",  # how many nodes, and choices, there may be
        "KNOWN",  # address of pairs of words: how often something was chosen, and what that was worth
        "SECRET",  # address of a word for each point: whether it is a secret what is chosen there
        "FLAGS",  # address of the slots, after how many they are, that make everything a secret
        "KEY",  # what chance is made from
        "LUCK",  # the choices' generator
        "DONE",  # how many tries there were
        "WEIGHT",  # how much what is little known is preferred, in 1024ths
        "MARGIN",  # how many points better is as good as a win; 0 where only winning counts
        "POINTS",  # whether a game that points decide is worth what the lead is, beside that at the root
        "WIDTH",  # how many options are tried by how often a node is come to, in 16ths of its root; 0: all
        "AFTER",  # how many decisions after the tree a try goes on for
        "SOON",  # how many if fewer than nine tries of ten come to the end of the game
        "PLAYED",  # how many tries went on after the tree
        "ENDED",  # how many of them came to the end of the game
        "RANDOM",  # how many of 1024 such decisions are made at random
        "SOLVES",  # whether it is kept by which choices who has won for certain
        "DECIDED",  # who wins for certain by what a try has chosen, from 1; 0: nobody knows
        "TURN",  # whether tries end when somebody else decides
        "PLAYER",  # who searches
        "SPREAD",  # by how much leads have differed from those at the root, in all
        "SEEN",  # of so many
        "GAIN",  # how many of 1024 parts of what a choice has been worth come from what its turn has made of the lead
        "GAINS",  # by how much turns have changed the lead, in all
        "TURNS",  # of so many
        "ACTOR",  # whose turn it is; -1: nobody's yet
        "OPENED",  # how much had been chosen when it began
        "BEFORE",  # how much this player led then
        "DEPTH",  # how many nodes tries have gone through
        "TREES",  # how many trees there are: one, or one for each player
        "PLAYERS",  # here begin the words for each player
    ))
}  # fmt: skip
"""Search trees. See `per_player` for the words that follow."""

EACH = ("REWARDS", "LEADS", "HEADS")
"""What a search keeps for each player: what a try is worth, the lead at the root, the node that a try has come to."""

NODE_WORDS = 9
NODE = {
    name: place
    for place, name in enumerate(
        ("OPTION", "CHILD", "SIBLING", "VISITS", "VALUE", "OWNER", "OFFERED", "COME", "PROVEN")
    )
}
"""A node: the option that leads to it, its first child, the next one with the same parent (by option), how often it was
chosen, what that was worth, and for whom, how often it could have been chosen, how often a choice was made here, and
who wins by it for certain, from 1."""

LOG = {name: place for place, name in enumerate(("AT", "WHO", "GAIN"))}
"""What was chosen: where it is kept what that has been worth, by whom, and what its turn has made of the lead."""

SECRETLY = -2
"""The option of a node that stands for all that somebody else has chosen in secret."""

KNOWN_MOST = 1 << 12
"""For so many choices it is kept what they have been worth, in places that their numbers give them."""


def per_player(players: int) -> dict[str, int]:
    """Where in the record of a search that begins which is kept for each of so many players."""
    return {name: TREE["PLAYERS"] + place * players for place, name in enumerate(EACH)}


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


def numbers(players: int) -> dict[str, int]:
    """The names that the library has for all this, in a game of so many players."""
    named = (("BATCH", BATCH), ("TREE", TREE), ("TREE", per_player(players)), ("NODE", NODE), ("LOG", LOG))
    found = {f"{prefix}_{name}": place for prefix, record in named for name, place in record.items()}
    return found | {
        "NODE_SIZE": 8 * NODE_WORDS,
        "LOG_SIZE": 8 * len(LOG),
        "WORTH": WORTH,
        "SECRETLY": SECRETLY,
        "KNOWN_MOST": KNOWN_MOST,
    }
