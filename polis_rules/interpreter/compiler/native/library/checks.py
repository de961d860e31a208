"""What is asked and counted while games are played."""

# ruff: noqa: F821
# mypy: ignore-errors


def ask(s, asked):
    """The invariants and supplies hold, and where more than 1 is asked every slot is within its range; else a trap."""
    for number in range(INVARIANTS):
        if not call_table("invariants", number, s):
            trap()
    if asked > 1:
        place = RANGES
        for _ in range(MOST_RANGES):
            value = load(s, load(place, 0))
            if value < load(place, 1) or value > load(place, 2):
                trap()
            place += 24
    return 0


def not_counting(s):
    """What rules meet goes where it does not count, or no longer."""
    context = load(s, -1)
    counts = load(context, COUNTS)
    store(context, COUNTS, load(context, UNCOUNTED))
    store(context, UNCOUNTED, counts)
    return 0


def counted_chance(s, at):
    """What chance gives at a point; what is worked out for the draw itself is not counted."""
    if not load(load(s, -1), COUNTS):
        return call_table("chance", at, s)
    call_table("options", at, s)
    not_counting(s)
    option = call_table("chance", at, s)
    not_counting(s)
    return option


def K(s, site, value):  # noqa: N802  # as generated code calls it
    """A site is met with a value: how often that was, how often with 0, the least, the most."""
    at = load(load(s, -1), COUNTS) + 32 * site
    times = load(at, 0)
    store(at, 0, times + 1)
    if value == 0:
        store(at, 1, load(at, 1) + 1)
    if times == 0 or value < load(at, 2):
        store(at, 2, value)
    if times == 0 or value > load(at, 3):
        store(at, 3, value)
    return value
