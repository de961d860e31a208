"""Steps: from one decision to the next."""

# ruff: noqa: F821, RET503
# mypy: ignore-errors

from __future__ import annotations


def settled(s) -> List:
    """Go on through chance and what nobody can choose at; the options that there are then, none where it is over."""
    for _ in range(LONGEST_GAME):
        fresh(s)
        counter = load(s, PC)
        if counter == FINISHED:
            return zeroed(s, 1)
        at = row(s) * POINTS + counter
        if load(IS_CHANCE, counter):
            option = call_table("chance", at, s)
        else:
            found = call_table("options", at, s)
            if load(found, 0) > 0:
                return found
            if load(LEAVES, counter) < 0:
                trap()
            option = LEAVE
        run(s, call_table("apply", at, s, option))
    trap()


def step(s, option) -> List:
    """Carry out an option, and go on to the next decision; its options."""
    fresh(s)
    run(s, call_table("apply", row(s) * POINTS + load(s, PC), s, option))
    return settled(s)


def begun(s, seed) -> List:
    """A state becomes that at the first decision of a new game; its options."""
    begin(s, seed)
    return settled(s)


def winners(s):
    """The players who have won a game that is over, as bits: where the score decides, those with the best one whom no
    tie-break tells apart."""
    winner = load(s, WINNER)
    if winner >= 0:
        return 1 << winner
    if winner != SCORE:
        return max(SEVERAL - winner, 0)
    won = (1 << PLAYERS) - 1
    for rank in range(RANKS):
        left, best = won, 0
        won = 0
        for who in range(PLAYERS):
            if (left >> who) & 1:
                fresh(s)
                here = call_table("rank", rank, s, who)
                if won == 0 or here > best:
                    best = here
                    won = 0
                if here == best:
                    won |= 1 << who
    return won
