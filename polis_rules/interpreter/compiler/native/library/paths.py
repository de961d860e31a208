"""Paths of decisions from a state: how many there are."""

# ruff: noqa: F821, RET503
# mypy: ignore-errors


def settle(s):
    """Go on to where a player has to decide; the options as a list, or 0 where the game is over."""
    for _ in range(LONGEST_GAME):
        pc = load(s, PC)
        if pc == FINISHED:
            return 0
        if load(IS_CHANCE, pc):
            option = outcome(s)
        else:
            found = options(s)
            if load(found, 0) > 0:
                return found
            option = LEAVE
        if option == LEAVE and load(LEAVES, pc) < 0:
            trap()
        apply(s, option)
    trap()


def paths(s, depth):
    """How many paths of so many decisions lead from a state, which goes on to where a player has to decide."""
    found = settle(s)
    if found == 0 or depth == 0:
        return 1
    count = load(found, 0)
    if depth == 1:
        return count
    context = load(s, -1)
    before = load(context, BOTTOM)
    # what is in use now stays so meanwhile
    then = copied(s)
    store(context, BOTTOM, load(context, TOP))
    total = 0
    for place in range(count):
        copy(then, s, SIZE)
        apply(then, load(found, 1 + place))
        total += paths(then, depth - 1)
    store(context, BOTTOM, before)
    return total
