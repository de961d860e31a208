"""Paths of decisions from a state: how many there are."""

# ruff: noqa: F821
# mypy: ignore-errors


def paths(s, depth):
    """How many paths of so many decisions lead from a state, which goes on to where a player has to decide."""
    found = settled(s)
    count = load(found, 0)
    if count == 0 or depth == 0:
        return 1
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
